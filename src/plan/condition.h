/*-------------------------------------------------------------------------
 *
 * condition.h
 *		The conditions of plans: whether an assertion holds, which side of a
 *		branch is taken.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONDITION_H
#define ANSWER_EVAL_CONDITION_H

#include "base/jsonview.h"
#include "base/span.h"
#include "plan/reference.h"

/* Bytes of a condition. */
#define CONDITION_MAX_SIZE	1048576

/* A condition that was parsed; it borrows the text. */
typedef struct Condition Condition;

typedef enum ConditionOutcome
{
	CONDITION_HOLDS,
	CONDITION_FAILS,
	CONDITION_ERROR				/* a reference does not resolve, types do not fit, or it is not boolean */
} ConditionOutcome;

/* "holds", "fails", "error" */
extern const char *const condition_outcome_labels[];

typedef struct ConditionResult
{
	ConditionOutcome outcome;
	const char *reason;			/* one sentence in ASCII; NULL if it holds */
} ConditionResult;

/*
 * Parses.  NULL, and *problem (one clause in ASCII, with the place: "has an
 * operator where a value must stand, at character 5"), if it is none.  Nesting
 * costs memory, never stack.
 */
extern Condition *ConditionParse(Span text, const char **problem);

/* Returns its distinct references as they are written, in the order of their first places. */
extern const Reference *ConditionReferences(const Condition *condition, int *count);

/*
 * Returns what a trace keeps of it: {reference: value} for each reference that
 * resolves, the values portable.
 */
extern JsonView ConditionBindings(const Condition *condition, const JsonView *bindings);

/*
 * Evaluates.  "bindings" is {name: value}; with "by_reference" it is what
 * ConditionBindings gave, so that a replay needs nothing but the trace.  Every
 * operand is evaluated: no error is hidden by && or ||.  A condition can be
 * evaluated any number of times.
 */
extern void ConditionEvaluate(const Condition *condition, const JsonView *bindings,
							  bool by_reference, ConditionResult *result);

#endif							/* ANSWER_EVAL_CONDITION_H */
