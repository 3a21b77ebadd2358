/*-------------------------------------------------------------------------
 *
 * case_score.h
 *		Scores the result of a case, attribute by attribute.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CASE_SCORE_H
#define ANSWER_EVAL_CASE_SCORE_H

#include "utils/numeric.h"

#include "base/jsonview.h"

#define SCORE_RULE	"case-score/2"

/* The former rule. It had no groundedness, and took the best chunk found for the best chunk used. */
#define EARLIER_SCORE_RULE	"case-score/1"

/* What all cases of a run are scored by. */
typedef struct ScoreTerms
{
	Numeric		threshold;
	Numeric		threshold_high_risk;
	Numeric		floor;			/* below it no caveat helps; NULL: decision/1, where caveats never helped */
	bool		names_judge;	/* does the configuration name a judge for sentences? */
	bool		is_earlier;		/* judged by EARLIER_SCORE_RULE? */
	JsonView	insufficiency;	/* phrases that say that the evidence is insufficient */
} ScoreTerms;

/*
 * Reads the terms from the configuration of a run and its list of phrases.  Returns
 * false if they are malformed.
 */
extern bool ScoreTermsRead(const JsonView *config, const JsonView *insufficiency, ScoreTerms *terms);

/* Returns the scores of a row, {attribute: {passed, reason}}, and whether all passed. */
extern JsonView ScoreRow(const JsonView *row, const ScoreTerms *terms, bool *passed);

/*
 * Return the confidence that the used chunks of a grounded row answer (what a judge
 * said, or their similarity), and the similarity of the best chunk found.  NULL:
 * none.
 */
extern Numeric RowConfidence(const JsonView *row);
extern Numeric RowBestFound(const JsonView *row);

/* Does a sentence of a row's answer have this status? */
extern bool RowHasStatus(const JsonView *row, const char *status);

/* Is a decision an answer? Does a row's expectation require a refusal, or an answer? */
extern bool DecisionAnswers(Span decision);
extern bool CaseMustRefuse(const JsonView *row);
extern bool CaseMustAnswer(const JsonView *row);

#endif							/* ANSWER_EVAL_CASE_SCORE_H */
