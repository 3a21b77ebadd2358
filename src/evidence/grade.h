/*-------------------------------------------------------------------------
 *
 * grade.h
 *		Says how good an observation of a shipped tool is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRADE_H
#define ANSWER_EVAL_GRADE_H

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"

/*
 * The number of the rules by which observations are graded now.  It goes up
 * with every change that gives an observation another grade, for a receipt
 * must be graded as it was.
 */
#define GRADE_RULES			2

/* Holds what an observation is worth, and what else an entry keeps of it. */
typedef struct Grade
{
	const char *class_name;
	Quality		quality;
	Strength	strength;
	const char *reason;			/* half a sentence, ASCII */
	int64		match_count;
	int64		exact_match_count;	/* of these */
	bool		is_phrase;
} Grade;

typedef enum GradeStatus
{
	GRADE_OK,
	GRADE_UNKNOWN_TOOL,			/* none of the shipped ones */
	GRADE_MALFORMED				/* the error says what is wrong */
} GradeStatus;

typedef struct GradeError
{
	Span		field;
	const char *problem;
	JsonView	seen;			/* the wrong value, or absent */
	Span		word;			/* the wrong word, and the words it could be, */
	const char *const *choice;	/* up to a NULL; NULL where there is no choice */
} GradeError;

extern bool GradeIsShipped(Span tool);
extern GradeStatus GradeObservation(Span tool, const JsonView *observation,
									Grade *grade, GradeError *error);
extern GradeStatus GradeObservationBy(int rules, Span tool, const JsonView *observation,
									  Grade *grade, GradeError *error);
extern void GradeMatches(const JsonView *observation, Grade *grade);

#endif							/* ANSWER_EVAL_GRADE_H */
