/*-------------------------------------------------------------------------
 *
 * grade.h
 *		Grades observations of shipped tools.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRADE_H
#define ANSWER_EVAL_GRADE_H

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"

/*
 * The number of the present rules for grading.  It grows with every change that gives
 * an observation another grade, because a receipt must be replayed with the rules of
 * its time.
 */
#define GRADE_RULES			2

/* The grade of an observation, and what else an entry keeps of it. */
typedef struct Grade
{
	const char *class_name;
	Quality		quality;
	Strength	strength;
	const char *reason;			/* half a sentence, in ASCII */
	int64		match_count;
	int64		exact_match_count;	/* how many of these are exact */
	bool		is_phrase;
} Grade;

typedef enum GradeStatus
{
	GRADE_OK,
	GRADE_UNKNOWN_TOOL,			/* not a shipped tool */
	GRADE_MALFORMED				/* the error says why */
} GradeStatus;

typedef struct GradeError
{
	Span		field;
	const char *problem;
	JsonView	seen;			/* the wrong value, or absent */
	Span		word;			/* the wrong word, or empty */
	const char *const *choice;	/* the words allowed instead, ending with NULL; or NULL */
} GradeError;

extern bool GradeIsShipped(Span tool);
extern GradeStatus GradeObservation(Span tool, const JsonView *observation,
									Grade *grade, GradeError *error);
extern GradeStatus GradeObservationBy(int rules, Span tool, const JsonView *observation,
									  Grade *grade, GradeError *error);
extern void GradeMatches(const JsonView *observation, Grade *grade);

#endif							/* ANSWER_EVAL_GRADE_H */
