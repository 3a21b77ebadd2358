/*-------------------------------------------------------------------------
 *
 * case_score.h
 *		Judges what came of a case, attribute by attribute.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CASE_SCORE_H
#define ANSWER_EVAL_CASE_SCORE_H

#include "utils/numeric.h"

#include "base/jsonview.h"

#define SCORE_RULE	"case-score/2"

/* Did not know groundedness, and took the best of what was found for what was used. */
#define EARLIER_SCORE_RULE	"case-score/1"

/* Holds what all cases of a run are judged by. */
typedef struct ScoreTerms
{
	Numeric		threshold;
	Numeric		threshold_high_risk;
	Numeric		floor;			/* below it no caveat helps; NULL: of decision/1, where none helps anyway */
	bool		names_judge;	/* is there one for sentences? */
	bool		is_earlier;		/* judged by EARLIER_SCORE_RULE? */
	JsonView	insufficiency;	/* phrases that say that the evidence does not do */
} ScoreTerms;

/* Reads them from the configuration of a run and its list of phrases; false if they are none. */
extern bool ScoreTermsRead(const JsonView *config, const JsonView *insufficiency, ScoreTerms *terms);

/* Returns the scores of a row, {attribute: {passed, reason}}, and whether all passed. */
extern JsonView ScoreRow(const JsonView *row, const ScoreTerms *terms, bool *passed);

/*
 * Returns how sure it is that what a grounded row used answers: what a judge said of
 * it, or its similarity; and the similarity of the best that was found. NULL: there is
 * none.
 */
extern Numeric RowConfidence(const JsonView *row);
extern Numeric RowBestFound(const JsonView *row);

/* Has a sentence of the answer of a row this status? */
extern bool RowHasStatus(const JsonView *row, const char *status);

/* Is a decision one that answers, is an expectation one that must not be answered? */
extern bool DecisionAnswers(Span decision);
extern bool CaseMustRefuse(const JsonView *row);
extern bool CaseMustAnswer(const JsonView *row);

#endif							/* ANSWER_EVAL_CASE_SCORE_H */
