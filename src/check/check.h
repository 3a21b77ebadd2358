/*-------------------------------------------------------------------------
 *
 * check.h
 *		Evaluates one check against the facts that it cites, and gives a
 *		verdict.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHECK_H
#define ANSWER_EVAL_CHECK_H

#include "datatype/timestamp.h"

#include "base/enums.h"
#include "base/jsonview.h"
#include "check/operator.h"
#include "check/request_error.h"

#define CHECK_MAX_EXPECTATIONS	8
#define CHECK_MAX_ID_LENGTH		200

/* Where in a fact to look for a value. */
typedef struct Place
{
	Span		text;			/* the path; empty means the primary value */
	const Path *path;
} Place;

typedef struct Expectation
{
	bool		has_path;
	bool		has_op;
	Path		path;
	Span		path_text;
	OperatorPlan plan;			/* value and tol are also set without an op */
} Expectation;

typedef struct Check
{
	Span		id;
	Span		tool;
	JsonView	args;
	JsonView	defaulted;		/* names of arguments that a tool's defaults filled in, or absent */
	bool		observe;
	bool		required;
	bool		has_min_quality;
	Quality		min_quality;	/* least quality of all evidence that it cites */
	bool		require_fresh;	/* copied from its request: all evidence must be fresh */
	int			nexpect;
	Expectation *expect;
} Check;

/* What signals.fresh of a fact's verification says. */
typedef enum Freshness
{
	FRESHNESS_UNSAID,
	FRESHNESS_FRESH,
	FRESHNESS_STALE
} Freshness;

typedef struct ExpectationResult
{
	JsonView	observed;		/* as found; absent if the path does not resolve */
	OperatorResult answer;		/* not set under observe */
	int			resolved;		/* segments that resolved; -1 if no path was followed */
	JsonView	stopped_at;		/* where an unresolved path ends */
} ExpectationResult;

typedef struct CheckResult
{
	Verdict		verdict;
	double		confidence;
	JsonView	observed;
	bool		below;			/* is the evidence worse than demanded? */
	Quality		quality;		/* the worst of it, if so */
	int			stale;			/* the first cited fact that is not fresh, or -1 */
	JsonView	stale_fact;		/* the fact at that index */
	TimestampTz evaluated_at;
	ExpectationResult expect[CHECK_MAX_EXPECTATIONS];
} CheckResult;

extern bool CheckParse(const JsonView *check, int position, bool recorded,
					   Check *parsed, RequestError *error);
extern int	CheckPlaces(const Check *check, Place *places);
extern void CheckEvaluate(const Check *check, const JsonView *facts, int nfacts,
						  TimestampTz evaluated_at, CheckResult *result);
extern JsonView CheckNormalForm(const Check *check);

/* Does the request require fresh evidence although some is not fresh? */
static inline bool
CheckLacksFreshness(const Check *check, const CheckResult *result)
{
	return check->require_fresh && result->stale >= 0;
}

#endif							/* ANSWER_EVAL_CHECK_H */
