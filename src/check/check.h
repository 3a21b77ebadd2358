/*-------------------------------------------------------------------------
 *
 * check.h
 *		One check against the facts it cites gives a verdict.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHECK_H
#define ANSWER_EVAL_CHECK_H

#include "datatype/timestamp.h"

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"

#define CHECK_MAX_EXPECTATIONS	8
#define CHECK_MAX_ID_LENGTH		200

typedef struct Expectation
{
	bool		has_path;
	bool		has_op;
	Path		path;
	Span		path_text;
	OperatorPlan plan;			/* value and tol are also set without an op */
} Expectation;

typedef struct CheckPlan
{
	Span		id;
	Span		tool;
	JsonView	args;
	bool		observe;
	bool		required;
	bool		has_min_quality;
	Quality		min_quality;	/* that all evidence it cites must have */
	int			nexpect;
	Expectation *expect;
} CheckPlan;

/* What is wrong with a request; "where" names the check, or is empty. */
typedef struct RequestError
{
	Span		where;
	Span		field;
	const char *problem;
	int			sqlstate;		/* 0: 22023 */
} RequestError;

typedef struct ExpectationResult
{
	JsonView	observed;		/* as found; absent if the path does not resolve */
	OperatorResult answer;		/* meaningless under observe */
	int			resolved;		/* segments that did; -1: no path was followed */
	JsonView	stopped_at;		/* where an unresolved path ends */
} ExpectationResult;

typedef struct CheckResult
{
	Verdict		verdict;
	double		confidence;
	JsonView	observed;
	bool		below;			/* is the evidence not as good as demanded? */
	Quality		quality;		/* the least of it, if so */
	ExpectationResult expect[CHECK_MAX_EXPECTATIONS];
} CheckResult;

extern bool CheckParse(const JsonView *check, int position, bool recorded,
					   CheckPlan *plan, RequestError *error);
extern void CheckEvaluate(const CheckPlan *plan, const JsonView *facts, int nfacts,
						  TimestampTz evaluated_at, CheckResult *result);
extern JsonView CheckNormalForm(const CheckPlan *plan);
extern JsonView CheckExplain(const CheckPlan *plan, const CheckResult *result);
extern JsonView CheckExplainWithout(const CheckPlan *plan, const char *summary);
extern bool HasOnlyKeys(const JsonView *object, const char *const *keys, Span *unknown);
extern _Noreturn void RequestRaise(const RequestError *error);

#endif							/* ANSWER_EVAL_CHECK_H */
