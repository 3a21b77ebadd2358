/*-------------------------------------------------------------------------
 *
 * request.c
 *		A request, the input of answer_eval.
 *
 * Rule: doc/spec/answer-eval.md §1.
 *
 * Pure: reads, validates and normalizes a request without reading a table.  All errors
 * that do not depend on tables are found here, before anything is called, signed or
 * stored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "check/request.h"

/* Reports an error that is not in a check. */
static bool
ReportField(RequestError *error, const char *field, const char *problem, const JsonView *seen)
{
	error->where.len = 0;
	return ReportRequestValue(error, field, problem, seen);
}

static int
CompareSpans(const void *a, const void *b)
{
	return SpanCompare(**(const Span *const *) a, **(const Span *const *) b);
}

/* Checks that all ids are different, including default ids. */
static bool
HasUniqueIds(const Request *request, RequestError *error)
{
	const Span **ids = palloc(sizeof(Span *) * request->nchecks);

	for (int i = 0; i < request->nchecks; i++)
		ids[i] = &request->checks[i].id;
	qsort(ids, request->nchecks, sizeof(Span *), CompareSpans);
	for (int i = 1; i < request->nchecks; i++)
	{
		if (CompareSpans(&ids[i - 1], &ids[i]) == 0)
		{
			ReportRequestField(error, "id", "is used by more than one check");
			error->where = *ids[i];
			return false;
		}
	}
	pfree(ids);
	return true;
}

static bool
ParseChecks(const JsonView *checks, Request *request, RequestError *error)
{
	if (checks->type != JVIEW_ARRAY || JsonViewCount(checks) == 0)
		return ReportField(error, "checks", "must be an array with at least one check", checks);
	if (JsonViewCount(checks) > REQUEST_MAX_CHECKS)
		return ReportField(error, "checks", "must hold at most 1000 checks", checks);
	request->nchecks = JsonViewCount(checks);
	request->checks = palloc(sizeof(Check) * request->nchecks);
	for (int i = 0; i < request->nchecks; i++)
	{
		JsonView	check = JsonViewAt(checks, i);

		if (!CheckParse(&check, i + 1, false, &request->checks[i], error))
			return false;
	}
	return HasUniqueIds(request, error);
}

static bool
ParseDeadline(const JsonView *request, Request *parsed, RequestError *error)
{
	JsonView	view;
	PlainNumber plain;

	parsed->deadline_ms = REQUEST_DEFAULT_DEADLINE_MS;
	if (!JsonViewGetMember(request, "deadline_ms", &view))
		return true;
	/* the greatest value has five digits; more could overflow atoi */
	if (NumberPlain(&view, &plain) && plain.is_integer && plain.len <= 5)
	{
		parsed->deadline_ms = atoi(plain.text);
		if (parsed->deadline_ms >= 1 && parsed->deadline_ms <= REQUEST_MAX_DEADLINE_MS)
			return true;
	}
	return ReportField(error, "deadline_ms", "must be an integer from 1 to 60000", &view);
}

/*
 * Checks that a producer's quality of its evidence is one of the words, and not
 * Verified, which is a relation between producers.
 */
static bool
IsUsableQuality(const JsonView *fact, RequestError *error)
{
	JsonView	view;
	int			index;

	if (!JsonViewGetMember(fact, "quality", &view))
		return true;
	index = view.type == JVIEW_STRING ?
		VocabularyByLabel(quality_labels, view.str, view.len) : -1;
	if (index < 0)
		return ReportField(error, "evidence",
						   "must hold facts whose quality is None, Weak, Moderate or Strong", &view);
	if (index != QUALITY_VERIFIED)
		return true;
	error->sqlstate = ERRCODE_CHECK_VIOLATION;
	return ReportField(error, "evidence",
					   "holds a fact that says it is Verified, which is derived and never said", &view);
}

/* Checks that a supplied fact says which tool and arguments it is for. */
static bool
IsUsableFact(const JsonView *fact, RequestError *error)
{
	JsonView	view = JsonViewUnder(fact, "fact");

	if (fact->type != JVIEW_OBJECT)
		return ReportField(error, "evidence", "must hold facts, which are objects", fact);
	if (view.type != JVIEW_STRING || view.len == 0)
		return ReportField(error, "evidence", "must hold facts whose fact is a non-empty string", &view);
	if (JsonViewGetMember(fact, "args", &view) && view.type != JVIEW_OBJECT)
		return ReportField(error, "evidence", "must hold facts whose args are an object", &view);
	if (JsonViewGetMember(fact, "provenance", &view) &&
		view.type != JVIEW_OBJECT && view.type != JVIEW_NULL)
		return ReportField(error, "evidence", "must hold facts whose provenance is an object", &view);
	return IsUsableQuality(fact, error);
}

static bool
ParseEvidence(const JsonView *request, Request *parsed, RequestError *error)
{
	int			count;

	if (!JsonViewGetMember(request, "evidence", &parsed->evidence))
		return true;
	if (parsed->evidence.type != JVIEW_ARRAY)
		return ReportField(error, "evidence", "must be an array of facts", &parsed->evidence);
	count = JsonViewCount(&parsed->evidence);
	for (int i = 0; i < count; i++)
	{
		JsonView	fact = JsonViewAt(&parsed->evidence, i);

		CHECK_FOR_INTERRUPTS();
		if (!IsUsableFact(&fact, error))
			return false;
	}
	return true;
}

/* Reads require_fresh, which applies to each of the request's checks. */
static bool
ParseRequireFresh(const JsonView *request, Request *parsed, RequestError *error)
{
	if (!JsonViewGetMember(request, "require_fresh", &parsed->require_fresh))
		return true;
	if (parsed->require_fresh.type != JVIEW_BOOL)
		return ReportField(error, "require_fresh", "must be true or false", &parsed->require_fresh);
	for (int i = 0; i < parsed->nchecks; i++)
		parsed->checks[i].require_fresh = parsed->require_fresh.boolean;
	return true;
}

/* Reads a request.  Returns false with *error filled in. */
bool
RequestParse(const JsonView *request, Request *parsed, RequestError *error)
{
	static const char *const keys[] = {"checks", "question", "deadline_ms",
	"evidence", "require_fresh", NULL};
	JsonView	checks = JsonViewUnder(request, "checks");

	memset(parsed, 0, sizeof(*parsed));
	memset(error, 0, sizeof(*error));
	if (request->type != JVIEW_OBJECT)
		return ReportField(error, "request", "must be an object with \"checks\" or a \"question\"", request);
	if (!RequestKnowsKeys(request, keys, "is no key of a request", error))
		return false;
	JsonViewGetMember(request, "question", &parsed->question);
	if (checks.type == JVIEW_ABSENT && parsed->question.type == JVIEW_ABSENT)
		return ReportField(error, "checks", "is missing", &checks);
	if (checks.type != JVIEW_ABSENT && parsed->question.type != JVIEW_ABSENT)
		return ReportField(error, "question", "cannot be given beside checks", &parsed->question);
	if (parsed->question.type != JVIEW_ABSENT &&
		(parsed->question.type != JVIEW_STRING || parsed->question.len == 0))
		return ReportField(error, "question", "must be a non-empty string", &parsed->question);
	if (parsed->question.type != JVIEW_ABSENT && parsed->question.len > REQUEST_MAX_QUESTION)
		return ReportField(error, "question", REQUEST_LONG_QUESTION, &parsed->question);
	if (checks.type != JVIEW_ABSENT && !ParseChecks(&checks, parsed, error))
		return false;
	return ParseDeadline(request, parsed, error) && ParseEvidence(request, parsed, error) &&
		ParseRequireFresh(request, parsed, error);
}

static JsonView
RequestNormalForm(const Request *parsed)
{
	JsonView	request = JsonViewNewObject(5);

	if (parsed->question.type != JVIEW_ABSENT)
		JsonViewSet(&request, "question", parsed->question);
	else
	{
		JsonView	checks = JsonViewNewArray(parsed->nchecks);

		for (int i = 0; i < parsed->nchecks; i++)
			JsonViewAppend(&checks, CheckNormalForm(&parsed->checks[i]));
		JsonViewSet(&request, "checks", checks);
	}
	JsonViewSet(&request, "deadline_ms", JsonViewInteger(parsed->deadline_ms));
	if (parsed->evidence.type != JVIEW_ABSENT)
		JsonViewSet(&request, "evidence", parsed->evidence);
	if (parsed->require_fresh.type != JVIEW_ABSENT)
		JsonViewSet(&request, "require_fresh", parsed->require_fresh);
	return request;
}

/*
 * SQL
 */

/*
 * A request beyond the cap is valid, so this only warns.  The function is still
 * immutable and parallel safe: the message depends on the argument alone and changes
 * nothing, and a worker's messages reach the client through the leader.
 */
PG_FUNCTION_INFO_V1(answer_eval_validate);
Datum
answer_eval_validate(PG_FUNCTION_ARGS)
{
	JsonView	view;
	JsonView	normal;
	Request request;
	RequestError error;

	RequireArgument(fcinfo, 0, "request");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "request");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	if (!RequestParse(&view, &request, &error))
		RequestRaise(&error);
	if (request.nchecks > REQUEST_CHECK_CAP)
		ereport(WARNING,
				(errmsg("%d of %d checks would not be evaluated: at most %d are",
						request.nchecks - REQUEST_CHECK_CAP, request.nchecks, REQUEST_CHECK_CAP),
				 errhint("Split the request; checks past the limit get the verdict not_checked.")));
	normal = RequestNormalForm(&request);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&normal, true));
}
