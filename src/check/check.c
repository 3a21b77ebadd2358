/*-------------------------------------------------------------------------
 *
 * check.c
 *		One check against the facts it cites gives a verdict.
 *
 * Rule: answer-eval/1, sections 1 and 3 of its published semantics (seed
 * 000_8e33469725fb591c).  A check names a tool, its arguments and up to eight
 * expectations; all of them must hold.  A check that is formed wrongly is the
 * caller's error; evidence that does not fit the check is a verdict.
 *
 * Promises: pure.  A check is parsed once per call site, however many facts it
 * meets.  Parsing reports what is wrong as a value, because the same parser
 * reads requests, which raise, and receipts, which must not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "check/check.h"

#define EXPLAIN_MAX_KEYS	50

static const char reason_no_raw[] = "the fact keeps no raw result for a path to address";
static const char reason_unresolved[] = "the path does not resolve";
static const char reason_no_value[] = "the fact has no primary value";
static const char reason_no_evidence[] = "no evidence arrived";

/*
 * errors
 */

static bool
Wrong(RequestError *error, const char *field, const char *problem)
{
	error->field.str = field;
	error->field.len = strlen(field);
	error->problem = problem;
	return false;
}

/* A span in the database's encoding, cut where it would fill a screen. */
static char *
Shown(Span span)
{
	int			len = pg_encoding_mbcliplen(PG_UTF8, span.str, span.len, 64);
	int			shown_len;
	char	   *copy = pnstrdup(span.str, len);

	/* a copy, for the conversion wants a terminator */
	return pnstrdup(JsonUtf8ToServer(copy, len, &shown_len), len);
}

void
RequestRaise(const RequestError *error)
{
	int			sqlstate = error->sqlstate ? error->sqlstate : ERRCODE_INVALID_PARAMETER_VALUE;

	if (error->where.len > 0)
		ereport(ERROR,
				(errcode(sqlstate),
				 errmsg("check \"%s\": %s %s", Shown(error->where),
						Shown(error->field), error->problem)));
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("invalid request: %s %s", Shown(error->field), error->problem)));
}

static bool
KeyIsIn(const char *key, int len, const char *const *keys)
{
	for (; *keys; keys++)
	{
		if (strlen(*keys) == (size_t) len && memcmp(*keys, key, len) == 0)
			return true;
	}
	return false;
}

/* True if the object has no keys but these; else *unknown is one of the others. */
bool
HasOnlyKeys(const JsonView *object, const char *const *keys, Span *unknown)
{
	int			count = JsonViewCount(object);

	for (int i = 0; i < count; i++)
	{
		const char *key;
		int			len;
		JsonView	value;

		CHECK_FOR_INTERRUPTS();
		JsonViewMember(object, i, &key, &len, &value);
		if (!KeyIsIn(key, len, keys))
		{
			unknown->str = key;
			unknown->len = len;
			return false;
		}
	}
	return true;
}

/*
 * parsing
 */

static bool
ParseExpectation(const JsonView *view, bool observe, Expectation *expect,
				 RequestError *error)
{
	static const char *const keys[] = {"path", "op", "value", "tol", NULL};
	JsonView	path;
	JsonView	op;
	JsonView	value;
	JsonView	tol;
	OperatorCode code;
	const char *problem;
	const char *field;

	memset(expect, 0, sizeof(*expect));
	if (view->type != JVIEW_OBJECT)
		return Wrong(error, "expect", "must hold objects");
	if (!HasOnlyKeys(view, keys, &error->field))
	{
		error->problem = "is no key of an expectation";
		return false;
	}
	if (JsonViewGet(view, "path", 4, &path))
	{
		if (path.type != JVIEW_STRING)
			return Wrong(error, "path", "must be a string");
		problem = PathParse(path.str, path.len, &expect->path);
		if (problem)
			return Wrong(error, "path", problem);
		expect->has_path = true;
		expect->path_text.str = path.str;
		expect->path_text.len = path.len;
	}
	JsonViewGet(view, "value", 5, &value);
	JsonViewGet(view, "tol", 3, &tol);
	if (!JsonViewGet(view, "op", 2, &op))
	{
		if (!observe)
			return Wrong(error, "op", "is missing");
		if (tol.type != JVIEW_ABSENT)
			return Wrong(error, "tol", "is given without an operator");
		expect->plan.value = value;
		return true;
	}
	if (op.type != JVIEW_STRING || !OperatorByName(op.str, op.len, &code))
		return Wrong(error, "op", "is no known operator");
	problem = OperatorPlanInit(&expect->plan, code, &value, &tol, &field);
	if (problem)
		return Wrong(error, field, problem);
	expect->has_op = true;
	return true;
}

static bool
ParseExpectations(const JsonView *check, CheckPlan *plan, RequestError *error)
{
	JsonView	expect;

	if (!JsonViewGet(check, "expect", 6, &expect))
		return true;
	if (expect.type == JVIEW_OBJECT)
	{
		plan->nexpect = 1;
		plan->expect = palloc(sizeof(Expectation));
		return ParseExpectation(&expect, plan->observe, plan->expect, error);
	}
	if (expect.type != JVIEW_ARRAY)
		return Wrong(error, "expect", "must be an object or an array");
	if (JsonViewCount(&expect) > CHECK_MAX_EXPECTATIONS)
		return Wrong(error, "expect", "must hold at most 8 expectations");
	plan->nexpect = JsonViewCount(&expect);
	plan->expect = palloc(sizeof(Expectation) * Max(plan->nexpect, 1));
	for (int i = 0; i < plan->nexpect; i++)
	{
		JsonView	element;

		JsonViewElement(&expect, i, &element);
		if (!ParseExpectation(&element, plan->observe, &plan->expect[i], error))
			return false;
	}
	return true;
}

static bool
ParseBool(const JsonView *check, const char *key, bool missing, bool *value,
		  RequestError *error)
{
	JsonView	view;

	*value = missing;
	if (!JsonViewGet(check, key, strlen(key), &view))
		return true;
	if (view.type != JVIEW_BOOL)
		return Wrong(error, key, "must be true or false");
	*value = view.boolean;
	return true;
}

/* The least quality that will do: one of the five words. */
static bool
ParseMinQuality(const JsonView *check, CheckPlan *plan, RequestError *error)
{
	JsonView	view;
	int			index;

	if (!JsonViewGet(check, "min_quality", 11, &view))
		return true;
	index = view.type == JVIEW_STRING ?
		VocabularyByLabel(quality_labels, view.str, view.len) : -1;
	if (index < 0)
		return Wrong(error, "min_quality", "must be None, Weak, Moderate, Strong or Verified");
	plan->has_min_quality = true;
	plan->min_quality = (Quality) index;
	return true;
}

static bool
ParseId(const JsonView *check, int position, CheckPlan *plan, RequestError *error)
{
	JsonView	id;
	int			characters = 0;

	plan->id.str = psprintf("c%d", position);
	plan->id.len = strlen(plan->id.str);
	error->where = plan->id;
	if (!JsonViewGet(check, "id", 2, &id))
		return true;
	if (id.type != JVIEW_STRING || id.len == 0)
		return Wrong(error, "id", "must be a non-empty string");
	for (int i = 0; i < id.len; i++)
		characters += ((unsigned char) id.str[i] & 0xC0) != 0x80;
	if (characters > CHECK_MAX_ID_LENGTH)
		return Wrong(error, "id", "must have at most 200 characters");
	plan->id.str = id.str;
	plan->id.len = id.len;
	error->where = plan->id;
	return true;
}

/*
 * Reads a check.  "position" counts from 1 and gives the default id.  A
 * recorded check, in a receipt, has its outcome beside what it asked.  Returns
 * false with *error filled in.
 */
bool
CheckParse(const JsonView *check, int position, bool recorded, CheckPlan *plan,
		   RequestError *error)
{
	static const char *const keys[] = {"id", "tool", "args", "expect",
	"observe", "required", "min_quality", NULL};
	JsonView	tool;

	memset(plan, 0, sizeof(*plan));
	if (!ParseId(check, position, plan, error))
		return false;
	if (check->type != JVIEW_OBJECT)
		return Wrong(error, "check", "must be an object");
	if (!recorded && !HasOnlyKeys(check, keys, &error->field))
	{
		error->problem = "is no key of a check";
		return false;
	}
	JsonViewGet(check, "tool", 4, &tool);
	if (tool.type != JVIEW_STRING || tool.len == 0)
		return Wrong(error, "tool", "must be a non-empty string");
	plan->tool.str = tool.str;
	plan->tool.len = tool.len;
	if (!JsonViewGet(check, "args", 4, &plan->args))
		plan->args = JsonViewNewObject(0);
	else if (plan->args.type != JVIEW_OBJECT)
		return Wrong(error, "args", "must be an object");
	return ParseBool(check, "observe", false, &plan->observe, error) &&
		ParseBool(check, "required", true, &plan->required, error) &&
		ParseMinQuality(check, plan, error) &&
		ParseExpectations(check, plan, error);
}

/* The check with its defaults filled in and its tolerances beside their values. */
JsonView
CheckNormalForm(const CheckPlan *plan)
{
	JsonView	check = JsonViewNewObject(13);
	JsonView	expect = JsonViewNewArray(plan->nexpect);

	for (int i = 0; i < plan->nexpect; i++)
	{
		const Expectation *source = &plan->expect[i];
		JsonView	member = JsonViewNewObject(4);

		if (source->has_path)
			JsonViewSet(&member, "path",
						JsonViewString(source->path_text.str, source->path_text.len));
		if (source->has_op)
			JsonViewSet(&member, "op", JsonViewCString(OperatorName(source->plan.code)));
		if (source->plan.value.type != JVIEW_ABSENT)
			JsonViewSet(&member, "value", source->plan.value);
		if (source->plan.tol.type != JVIEW_ABSENT)
			JsonViewSet(&member, "tol", source->plan.tol);
		JsonViewAppend(&expect, member);
	}
	JsonViewSet(&check, "id", JsonViewString(plan->id.str, plan->id.len));
	JsonViewSet(&check, "tool", JsonViewString(plan->tool.str, plan->tool.len));
	JsonViewSet(&check, "args", plan->args);
	JsonViewSet(&check, "expect", expect);
	JsonViewSet(&check, "observe", JsonViewBool(plan->observe));
	JsonViewSet(&check, "required", JsonViewBool(plan->required));
	if (plan->has_min_quality)
		JsonViewSet(&check, "min_quality", JsonViewCString(quality_labels[plan->min_quality]));
	return check;
}

/*
 * evaluating
 */

/* A confidence as a double; 0 unless it is a portable number from 0 to 1. */
static double
ConfidenceOf(const JsonView *confidence)
{
	PlainNumber plain;
	double		value;

	if (!NumberPlain(confidence, &plain))
		return 0;
	value = plain.is_portable ? strtod(plain.text, NULL) : 0;
	pfree(unconstify(char *, plain.text));
	return (value >= 0 && value <= 1) ? value : 0;
}

/*
 * The same of a stored number.  Facts of one source claim the same few
 * confidences over and over, so the last one is remembered by its bytes.
 */
static double
StoredConfidence(Numeric numeric)
{
	static char last[16];
	static Size last_size = 0;
	static double last_value;
	Size		size = VARSIZE(numeric);
	JsonView	view;

	if (size == last_size && memcmp(last, numeric, size) == 0)
		return last_value;
	view = JsonViewOfNumeric(numeric);
	last_size = 0;
	last_value = ConfidenceOf(&view);
	if (size <= sizeof(last))
	{
		memcpy(last, numeric, size);
		last_size = size;
	}
	return last_value;
}

/* The confidence a fact claims. */
static double
FactConfidence(const JsonView *fact)
{
	JsonView	verification;
	JsonView	confidence;

	if (!JsonViewGet(fact, "verification", 12, &verification) ||
		!JsonViewGet(&verification, "confidence", 10, &confidence))
		return 0;
	if (confidence.type == JVIEW_NUMBER && confidence.is_jsonb)
		return StoredConfidence(confidence.u.numeric);
	return ConfidenceOf(&confidence);
}

/* How good a fact is: what its grader says, and None if nobody does. */
static Quality
QualityOfFact(const JsonView *fact)
{
	JsonView	view;
	int			index;

	if (!JsonViewGet(fact, "quality", 7, &view) || view.type != JVIEW_STRING)
		return QUALITY_NONE;
	index = VocabularyByLabel(quality_labels, view.str, view.len);
	return (Quality) Max(index, 0);
}

/* Is all evidence as good as the check demands?  If not, the least is told. */
static bool
IsGoodEnough(const CheckPlan *plan, const JsonView *facts, int nfacts, Quality *least)
{
	if (!plan->has_min_quality)
		return true;
	*least = QUALITY_VERIFIED;
	for (int i = 0; i < nfacts; i++)
	{
		CHECK_FOR_INTERRUPTS();
		*least = Min(*least, QualityOfFact(&facts[i]));
	}
	return *least >= plan->min_quality;
}

/* Finds the operand of one expectation; false if it lies behind a missing raw. */
static bool
FindOperand(const Expectation *expect, const JsonView *fact, ExpectationResult *result)
{
	JsonView	raw;
	JsonView	found;

	result->resolved = -1;
	result->observed.type = JVIEW_ABSENT;
	if (!expect->has_path)
	{
		if (!JsonViewGet(fact, "value", 5, &found))
			return true;
	}
	else
	{
		if (!JsonViewGet(fact, "raw", 3, &raw))
			return false;
		result->resolved = PathResolve(&expect->path, &raw, &found);
		if (result->resolved < expect->path.count)
		{
			result->stopped_at = found;
			return true;
		}
		result->resolved = -1;
	}
	/* found out once, for the operator and for the row */
	found.is_ordinary = found.type == JVIEW_NUMBER && found.is_jsonb &&
		NumericIsOrdinary(found.u.numeric);
	result->observed = found;
	return true;
}

static void
EvaluateExpectation(const Expectation *expect, bool adjudicate, const JsonView *fact,
					TimestampTz evaluated_at, ExpectationResult *result)
{
	bool		addressable;

	if (expect->has_op && expect->plan.code == OP_FRESH_WITHIN_S)
	{
		TimestampTz timestamp = 0;
		bool		has_timestamp;

		JsonViewGet(fact, "timestamp", 9, &result->observed);
		has_timestamp = InstantOfView(&result->observed, &timestamp);
		if (!has_timestamp)
			result->observed.type = JVIEW_ABSENT;
		result->resolved = -1;
		if (adjudicate)
			OperatorApplyFresh(&expect->plan, has_timestamp, timestamp,
							   evaluated_at, &result->answer);
		return;
	}

	addressable = FindOperand(expect, fact, result);
	if (!adjudicate)
		return;
	if (!addressable)
	{
		result->answer.outcome = OUTCOME_NOT_EVALUABLE;
		result->answer.reason = reason_no_raw;
		result->answer.note = NULL;
		return;
	}
	OperatorApply(&expect->plan, &result->observed, &result->answer);
	if (result->answer.outcome == OUTCOME_NOT_EVALUABLE &&
		result->observed.type == JVIEW_ABSENT)
		result->answer.reason = expect->has_path ? reason_unresolved : reason_no_value;
}

static Verdict
VerdictOf(const CheckPlan *plan, const CheckResult *result)
{
	Verdict		verdict = VERDICT_SUPPORTED;

	for (int i = 0; i < plan->nexpect; i++)
	{
		Outcome		outcome = result->expect[i].answer.outcome;

		if (outcome == OUTCOME_FAILS)
			return VERDICT_CONTRADICTED;
		if (outcome == OUTCOME_NOT_EVALUABLE)
			verdict = VERDICT_NOT_EVALUABLE;
	}
	return verdict;
}

/* Adjudicates.  Operators read the first fact; the others are cited. */
void
CheckEvaluate(const CheckPlan *plan, const JsonView *facts, int nfacts,
			  TimestampTz evaluated_at, CheckResult *result)
{
	bool		adjudicate = plan->nexpect > 0 && !plan->observe;

	memset(&result->observed, 0, sizeof(JsonView));
	result->confidence = 0;
	result->below = false;
	if (nfacts == 0)
	{
		result->verdict = VERDICT_EVIDENCE_UNAVAILABLE;
		return;
	}
	result->confidence = FactConfidence(&facts[0]);
	for (int i = 1; i < nfacts; i++)
	{
		CHECK_FOR_INTERRUPTS();
		result->confidence = Min(result->confidence, FactConfidence(&facts[i]));
	}

	for (int i = 0; i < plan->nexpect; i++)
		EvaluateExpectation(&plan->expect[i], adjudicate, &facts[0], evaluated_at,
							&result->expect[i]);
	if (plan->nexpect > 0)
		result->observed = result->expect[0].observed;
	else
		JsonViewGet(&facts[0], "value", 5, &result->observed);
	result->below = !IsGoodEnough(plan, facts, nfacts, &result->quality);
	if (result->below)
		result->verdict = VERDICT_NOT_EVALUABLE;
	else
		result->verdict = adjudicate ? VerdictOf(plan, result) : VERDICT_VALUE;
}

/*
 * explaining
 */

/* Tells how far an unresolved path came and what was there. */
static void
ExplainStop(JsonView *explain, const Expectation *expect, const ExpectationResult *result)
{
	const PathSegment *last;
	int			count;

	if (result->resolved == 0)
		JsonViewSet(explain, "resolved", JsonViewCString(""));
	else
	{
		last = &expect->path.segment[result->resolved - 1];
		JsonViewSet(explain, "resolved",
					JsonViewString(expect->path_text.str,
								   last->key.str + last->key.len - expect->path_text.str));
	}
	if (result->stopped_at.type == JVIEW_ARRAY)
		JsonViewSet(explain, "length", JsonViewInteger(JsonViewCount(&result->stopped_at)));
	else if (result->stopped_at.type == JVIEW_OBJECT)
	{
		JsonMember *members = JsonViewSortedMembers(&result->stopped_at, &count);
		JsonView	keys = JsonViewNewArray(Min(count, EXPLAIN_MAX_KEYS));

		for (int i = 0; i < count && i < EXPLAIN_MAX_KEYS; i++)
			JsonViewAppend(&keys, JsonViewString(members[i].key, members[i].keylen));
		JsonViewSet(explain, "keys", keys);
		if (count > EXPLAIN_MAX_KEYS)
			JsonViewSet(explain, "more", JsonViewInteger(count - EXPLAIN_MAX_KEYS));
	}
}

static JsonView
ExplainHead(const Expectation *expect)
{
	JsonView	explain = JsonViewNewObject(8);

	if (expect->has_op)
		JsonViewSet(&explain, "op", JsonViewCString(OperatorName(expect->plan.code)));
	if (expect->has_path)
		JsonViewSet(&explain, "path",
					JsonViewString(expect->path_text.str, expect->path_text.len));
	return explain;
}

static JsonView
ExplainExpectation(const Expectation *expect, bool adjudicated,
				   const ExpectationResult *result)
{
	JsonView	explain = ExplainHead(expect);

	if (adjudicated)
	{
		JsonViewSet(&explain, "outcome",
					JsonViewCString(outcome_labels[result->answer.outcome]));
		if (result->answer.reason)
			JsonViewSet(&explain, "reason", JsonViewCString(result->answer.reason));
		if (result->answer.note)
			JsonViewSet(&explain, "note", JsonViewCString(result->answer.note));
	}
	if (result->observed.type != JVIEW_ABSENT)
		JsonViewSet(&explain, "observed", result->observed);
	if (result->resolved >= 0)
		ExplainStop(&explain, expect, result);
	return explain;
}

/* One sentence: the verdict's cause, naming the first expectation that is it. */
static char *
Summary(const CheckPlan *plan, const CheckResult *result)
{
	Outcome		cause;

	if (result->verdict == VERDICT_VALUE)
		return pstrdup("the value is recorded and nothing is adjudicated");
	if (result->verdict == VERDICT_SUPPORTED)
		return plan->nexpect == 1 ? pstrdup("the expectation holds") :
			psprintf("all %d expectations hold", plan->nexpect);

	cause = result->verdict == VERDICT_CONTRADICTED ?
		OUTCOME_FAILS : OUTCOME_NOT_EVALUABLE;
	for (int i = 0;; i++)
	{
		const OperatorResult *answer = &result->expect[i].answer;
		const char *op;

		Assert(i < plan->nexpect);
		if (answer->outcome != cause)
			continue;
		op = OperatorName(plan->expect[i].plan.code);
		if (cause == OUTCOME_FAILS)
			return psprintf("expectation %d of %d (%s) does not hold",
							i + 1, plan->nexpect, op);
		return psprintf("expectation %d of %d (%s) cannot be evaluated: %s",
						i + 1, plan->nexpect, op, answer->reason);
	}
}

/* Explains a verdict reached without looking at the expectations. */
JsonView
CheckExplainWithout(const CheckPlan *plan, const char *summary)
{
	JsonView	explain = JsonViewNewObject(4);
	JsonView	expectations = JsonViewNewArray(plan->nexpect);

	for (int i = 0; i < plan->nexpect; i++)
	{
		JsonView	member = ExplainHead(&plan->expect[i]);

		JsonViewSet(&member, "outcome",
					JsonViewCString(outcome_labels[OUTCOME_NOT_EVALUABLE]));
		JsonViewSet(&member, "reason", JsonViewCString(summary));
		JsonViewAppend(&expectations, member);
	}
	JsonViewSet(&explain, "summary", JsonViewCString(summary));
	JsonViewSet(&explain, "expectations", expectations);
	return explain;
}

/* Evidence below the quality demanded: the gap, and nothing adjudicated. */
static JsonView
ExplainGap(const CheckPlan *plan, const CheckResult *result)
{
	const char *have = quality_labels[result->quality];
	const char *need = quality_labels[plan->min_quality];
	JsonView	explain = CheckExplainWithout(plan, psprintf("the evidence is %s and the check needs %s",
														  have, need));
	JsonView	gap = JsonViewNewObject(3);

	JsonViewSet(&gap, "have", JsonViewCString(have));
	JsonViewSet(&gap, "need", JsonViewCString(need));
	JsonViewSet(&gap, "kind", JsonViewCString(gap_labels[GapOfQuality(result->quality)]));
	JsonViewSet(&explain, "gap", gap);
	return explain;
}

JsonView
CheckExplain(const CheckPlan *plan, const CheckResult *result)
{
	JsonView	explain;
	JsonView	expectations;

	if (result->verdict == VERDICT_EVIDENCE_UNAVAILABLE)
		return CheckExplainWithout(plan, reason_no_evidence);
	if (result->below)
		return ExplainGap(plan, result);
	explain = JsonViewNewObject(4);
	expectations = JsonViewNewArray(plan->nexpect);
	for (int i = 0; i < plan->nexpect; i++)
		JsonViewAppend(&expectations,
					   ExplainExpectation(&plan->expect[i],
										  result->verdict != VERDICT_VALUE,
										  &result->expect[i]));
	JsonViewSet(&explain, "summary", JsonViewCString(Summary(plan, result)));
	JsonViewSet(&explain, "expectations", expectations);
	return explain;
}

/*
 * SQL
 */

/*
 * The row that answer_check returned for an ordinary number.  Between two facts
 * that one check answers alike, only the number observed and the confidence
 * differ: so the next row is a copy of this one with their bytes replaced,
 * which costs a fraction of building it.
 */
typedef struct Rendered
{
	const char *reason;
	const char *note;
	Size		number_size;	/* 0: nothing rendered yet */
	HeapTupleHeader row;
	Size		row_size;
	Size		confidence_at;	/* where in the row what lies */
	Size		observed_at;
	Size		explain_at;
} Rendered;

#define RENDERED_SIZES	4		/* numbers of so many different sizes */

/* What a call site of answer_check keeps from row to row. */
typedef struct CheckCache
{
	MemoryContext context;		/* holds source and plan */
	Jsonb	   *source;
	CheckPlan	plan;
	TupleDesc	tupdesc;
	Vocabulary	verdicts;
	Rendered	rendered[OUTCOME_NOT_EVALUABLE + 1][RENDERED_SIZES];
} CheckCache;

static CheckCache *
CheckCacheOf(FunctionCallInfo fcinfo)
{
	CheckCache *cache = fcinfo->flinfo->fn_extra;
	MemoryContext caller;

	if (cache)
		return cache;
	caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	cache = palloc0(sizeof(CheckCache));
	cache->tupdesc = ResultRowType(fcinfo);
	cache->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt,
										   "answer_eval check", ALLOCSET_SMALL_SIZES);
	VocabularyLookup(&cache->verdicts, TupleDescAttr(cache->tupdesc, 0)->atttypid,
					 verdict_labels);
	MemoryContextSwitchTo(caller);
	fcinfo->flinfo->fn_extra = cache;
	return cache;
}

/* Parses the check, unless it is the one of the row before. */
static const CheckPlan *
CachedPlan(CheckCache *cache, Jsonb *check)
{
	MemoryContext caller;
	JsonView	view;
	RequestError error;

	if (cache->source && VARSIZE(cache->source) == VARSIZE(check) &&
		memcmp(cache->source, check, VARSIZE(check)) == 0)
		return &cache->plan;

	cache->source = NULL;
	memset(cache->rendered, 0, sizeof(cache->rendered));
	MemoryContextReset(cache->context);
	caller = MemoryContextSwitchTo(cache->context);
	check = memcpy(palloc(VARSIZE(check)), check, VARSIZE(check));
	memset(&error, 0, sizeof(error));
	JsonViewOfJsonb(check, &view);
	if (!CheckParse(&view, 1, false, &cache->plan, &error))
		RequestRaise(&error);
	cache->source = check;
	MemoryContextSwitchTo(caller);
	return &cache->plan;
}

/* Builds the row anew. */
static HeapTupleHeader
RenderRow(CheckCache *cache, const CheckResult *result)
{
	JsonView	explain = CheckExplain(&cache->plan, result);
	Datum		values[4];
	bool		nulls[4] = {false, false, false, false};

	values[0] = ObjectIdGetDatum(cache->verdicts.oids[result->verdict]);
	values[1] = Float8GetDatum(result->confidence);
	values[2] = (Datum) 0;
	nulls[2] = result->observed.type == JVIEW_ABSENT;
	if (!nulls[2])
		values[2] = JsonbPGetDatum(JsonViewToJsonb(&result->observed, true));
	values[3] = JsonbPGetDatum(JsonViewToJsonb(&explain, true));
	return heap_form_tuple(cache->tupdesc, values, nulls)->t_data;
}

/*
 * Where a number lies, from the start of the row.  The jsonb in the row may
 * have a short header and no alignment; "aligned" is a copy that has both.
 */
static Size
NumberAt(HeapTupleHeader row, Datum stored, const Jsonb *aligned, Numeric number)
{
	return (VARDATA_ANY(DatumGetPointer(stored)) - (char *) row) +
		((char *) number - VARDATA(aligned));
}

/* Keeps a row for the next fact alike. */
static void
FillRendered(CheckCache *cache, const CheckResult *result, Size number_size,
			 HeapTupleHeader row, Rendered *rendered)
{
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
	Jsonb	   *jsonb;
	Datum		values[4];
	bool		nulls[4];
	JsonView	view;
	JsonView	expectations;
	JsonView	expectation;

	if (rendered->number_size > 0)
		pfree(rendered->row);
	rendered->number_size = 0;
	rendered->row = MemoryContextAlloc(cache->context, tuple.t_len);
	rendered->row_size = tuple.t_len;
	memcpy(rendered->row, row, tuple.t_len);

	heap_deform_tuple(&tuple, cache->tupdesc, values, nulls);
	rendered->confidence_at = row->t_hoff + att_align_nominal(sizeof(Oid), TYPALIGN_DOUBLE);

	jsonb = DatumGetJsonbP(values[2]);
	JsonViewOfJsonb(jsonb, &view);
	rendered->observed_at = NumberAt(row, values[2], jsonb, view.u.numeric);

	jsonb = DatumGetJsonbP(values[3]);
	JsonViewOfJsonb(jsonb, &view);
	JsonViewGet(&view, "expectations", 12, &expectations);
	JsonViewElement(&expectations, 0, &expectation);
	JsonViewGet(&expectation, "observed", 8, &view);
	rendered->explain_at = NumberAt(row, values[3], jsonb, view.u.numeric);

	rendered->reason = result->expect[0].answer.reason;
	rendered->note = result->expect[0].answer.note;
	rendered->number_size = number_size;
}

/* The number that a row will show, if the value is one and stays one. */
static bool
PortableNumber(const JsonView *observed, Numeric *number)
{
	JsonView	portable;

	if (observed->type != JVIEW_NUMBER || !observed->is_jsonb)
		return false;
	*number = observed->u.numeric;
	if (observed->is_ordinary)
		return true;
	if (!JsonViewPortable(observed, &portable) || portable.type != JVIEW_NUMBER)
		return false;
	*number = portable.u.numeric;
	return true;
}

/* Gives the row for one fact, from the cache where it can. */
static HeapTupleHeader
ResultRow(CheckCache *cache, const CheckResult *result)
{
	const OperatorResult *answer = &result->expect[0].answer;
	Rendered   *rendered;
	HeapTupleHeader row;
	Numeric		number;
	Size		size;

	if (cache->plan.nexpect != 1 || result->below || result->verdict == VERDICT_VALUE ||
		result->verdict == VERDICT_EVIDENCE_UNAVAILABLE ||
		!PortableNumber(&result->observed, &number))
		return RenderRow(cache, result);

	size = VARSIZE(number);
	rendered = &cache->rendered[answer->outcome][size / 2 % RENDERED_SIZES];
	if (rendered->number_size != size || rendered->reason != answer->reason ||
		rendered->note != answer->note)
	{
		row = RenderRow(cache, result);
		FillRendered(cache, result, size, row, rendered);
		return row;
	}
	row = memcpy(palloc(rendered->row_size), rendered->row, rendered->row_size);
	memcpy((char *) row + rendered->confidence_at, &result->confidence, sizeof(double));
	memcpy((char *) row + rendered->observed_at, number, size);
	memcpy((char *) row + rendered->explain_at, number, size);
	return row;
}

/* Reads the evidence argument: one fact, or an array of them. */
static JsonView *
FactsOf(FunctionCallInfo fcinfo, int n, JsonView *single, int *nfacts)
{
	JsonView   *facts;

	*nfacts = 0;
	if (PG_ARGISNULL(n))
		return NULL;
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), single);
	if (single->type == JVIEW_OBJECT)
	{
		*nfacts = 1;
		return single;
	}
	if (single->type != JVIEW_ARRAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("evidence must be a fact or an array of facts")));
	*nfacts = JsonViewCount(single);
	facts = palloc_extended(sizeof(JsonView) * (Size) Max(*nfacts, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *nfacts; i++)
	{
		JsonViewElement(single, i, &facts[i]);
		if (facts[i].type != JVIEW_OBJECT)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("evidence must be a fact or an array of facts"),
					 errdetail("Element %d is no object.", i)));
	}
	return facts;
}

PG_FUNCTION_INFO_V1(answer_eval_check);
Datum
answer_eval_check(PG_FUNCTION_ARGS)
{
	CheckCache *cache;
	const CheckPlan *plan;
	CheckResult result;
	JsonView	single;
	JsonView   *facts;
	int			nfacts;
	TimestampTz evaluated_at;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", PG_ARGISNULL(0) ? "check" : "evaluated_at")));
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "check");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "evidence");
	evaluated_at = PG_GETARG_TIMESTAMPTZ(2);
	if (TIMESTAMP_NOT_FINITE(evaluated_at))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("evaluated_at must be finite")));
	cache = CheckCacheOf(fcinfo);
	plan = CachedPlan(cache, PG_GETARG_JSONB_P(0));
	facts = FactsOf(fcinfo, 1, &single, &nfacts);
	CheckEvaluate(plan, facts, nfacts, evaluated_at, &result);

	PG_RETURN_HEAPTUPLEHEADER(ResultRow(cache, &result));
}
