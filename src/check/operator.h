/*-------------------------------------------------------------------------
 *
 * operator.h
 *		The closed set of operators, and the dotted path.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_OPERATOR_H
#define ANSWER_EVAL_OPERATOR_H

#include "mb/pg_wchar.h"

#include "base/jsonview.h"
#include "base/span.h"

typedef enum Outcome
{
	OUTCOME_HOLDS,
	OUTCOME_FAILS,
	OUTCOME_NOT_EVALUABLE
} Outcome;

typedef enum OperatorCode
{
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LTE,
	OP_GT,
	OP_GTE,
	OP_BETWEEN,
	OP_ABS_WITHIN,
	OP_PCT_WITHIN,
	OP_IN,
	OP_CONTAINS,
	OP_STARTS_WITH,
	OP_ENDS_WITH,
	OP_SEMVER_EQ,
	OP_SEMVER_GTE,
	OP_SEMVER_LT,
	OP_SEMVER_PREFIX,
	OP_EXISTS,
	OP_NOT_EXISTS,
	OP_FRESH_WITHIN_S
} OperatorCode;

/* How a JSON value reads as an exact number. */
typedef enum NumberStatus
{
	NUMBER_OK,
	NUMBER_NONE,				/* not numeric */
	NUMBER_TOO_LONG				/* has more digits than we compare */
} NumberStatus;

typedef struct NumberOperand
{
	NumberStatus status;
	Numeric		numeric;
} NumberOperand;

/* One operator with its operands, validated and parsed once for many applications. */
typedef struct OperatorPlan
{
	OperatorCode code;
	JsonView	value;			/* absent if the operator takes none */
	JsonView	tol;			/* absent if the operator takes none */
	NumberOperand number[2];	/* value as a number; for between, lo and hi */
	NumberOperand tol_number;
	bool		has_text;
	Span		text;			/* value as a text, for comparisons of texts */
} OperatorPlan;

/* What an operator found, and why.  The strings are constants. */
typedef struct OperatorResult
{
	Outcome		outcome;
	const char *reason;			/* if not evaluable, else NULL */
	const char *note;			/* or NULL */
} OperatorResult;

extern bool OperatorByName(const char *name, int len, OperatorCode *code);
extern const char *OperatorName(OperatorCode code);
extern const char *const *OperatorNames(void);
extern Span OperatorMeant(Span word);
extern const char *OperatorPlanInit(OperatorPlan *plan, OperatorCode code,
									const JsonView *value, const JsonView *tol,
									const char **field);
extern void OperatorApply(const OperatorPlan *plan, const JsonView *observed,
						  OperatorResult *result);
extern void OperatorApplyFresh(const OperatorPlan *plan, bool has_timestamp,
							   int64 timestamp, int64 evaluated_at,
							   OperatorResult *result);
extern Span OperatorComparedText(const JsonView *view);
extern bool IsWhiteSpace(pg_wchar c);
extern Span TrimWhiteSpace(Span text);

/* the dotted path */
#define PATH_MAX_SEGMENTS	8

typedef struct PathSegment
{
	Span		key;
	int			index;			/* -1 if the segment cannot be an index */
} PathSegment;

typedef struct Path
{
	int			count;
	PathSegment segment[PATH_MAX_SEGMENTS];
} Path;

extern const char *PathParse(const char *str, int len, Path *path);
extern int	PathResolve(const Path *path, const JsonView *root, JsonView *value);

#endif							/* ANSWER_EVAL_OPERATOR_H */
