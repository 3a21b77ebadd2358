/*-------------------------------------------------------------------------
 *
 * condition.h
 *		The conditions of plans. They decide whether an assertion holds and which
 *		side of a branch is taken.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONDITION_H
#define ANSWER_EVAL_CONDITION_H

#include "base/jsonview.h"
#include "base/span.h"
#include "plan/reference.h"

/* Maximum bytes of a condition. */
#define CONDITION_MAX_SIZE	1048576

/* A parsed condition; it points into its text. */
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
 * Parses a condition.  If it is malformed, returns NULL and sets *problem, one
 * clause in ASCII with the place: "has an operator where a value must stand, at
 * character 5".  Nesting uses memory, not the stack.
 */
extern Condition *ConditionParse(Span text, const char **problem);

/* Returns the distinct references as they are written, in order of first appearance. */
extern const Reference *ConditionReferences(const Condition *condition, int *count);

/*
 * Returns what a trace keeps of the bindings: {reference: value} for each reference
 * that resolves, with portable values.
 */
extern JsonView ConditionBindings(const Condition *condition, const JsonView *bindings);

/*
 * Evaluates a condition, any number of times. "bindings" is {name: value}.  With
 * "by_reference" it is the result of ConditionBindings, so a replay needs only the
 * trace. && and || do not short-circuit: every operand is evaluated, so that no
 * error stays hidden.
 */
extern void ConditionEvaluate(const Condition *condition, const JsonView *bindings,
							  bool by_reference, ConditionResult *result);

#endif							/* ANSWER_EVAL_CONDITION_H */
