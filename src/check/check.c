/*-------------------------------------------------------------------------
 *
 * check.c
 *		Evaluates one check against the facts that it cites, and gives a
 *		verdict.
 *
 * Rule: doc/spec/answer-eval.md §1 and §4.  A check names a tool, its arguments
 * and up to eight expectations; all of them must hold.  A malformed check is
 * the caller's error.  Evidence that does not fit the check leads to a verdict.
 *
 * Promises: pure.  A check is parsed once, however many facts it meets.  The
 * parser returns problems as values, because it reads both requests, which
 * raise an error, and receipts, which must not. check_explain.c puts a verdict
 * into words.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/rfc3339.h"
#include "check/check.h"

static const char reason_no_raw[] = "the fact keeps no raw result for a path to address";
static const char reason_unresolved[] = "the path does not resolve";
static const char reason_no_value[] = "the fact has no primary value";

/*
 * parsing
 */

/*
 * Reports an unknown operator.  The error lists the operators, and recognizes the symbols
 * of other languages.
 */
static bool
ReportOperator(RequestError *error, const JsonView *op)
{
	error->word = SpanOfCString("");
	if (op->type == JVIEW_STRING)
		error->word = OperatorMeant(SpanOf(op->str, op->len));
	error->allowed = OperatorNames();
	return ReportRequestValue(error, "op", "is no known operator", op);
}

static bool
ParseExpectation(const JsonView *view, bool observe, Expectation *expect,
				 RequestError *error)
{
	static const char *const keys[] = {"path", "op", "value", "tol", NULL};
	JsonView	path;
	JsonView	op;
	JsonView	value = JsonViewUnder(view, "value");
	JsonView	tol = JsonViewUnder(view, "tol");
	OperatorCode code;
	const char *problem;
	const char *field;

	memset(expect, 0, sizeof(*expect));
	if (view->type != JVIEW_OBJECT)
		return ReportRequestValue(error, "expect", "must hold objects", view);
	if (!RequestKnowsKeys(view, keys, "is no key of an expectation", error))
		return false;
	if (JsonViewGetMember(view, "path", &path))
	{
		if (path.type != JVIEW_STRING)
			return ReportRequestValue(error, "path", "must be a string", &path);
		problem = PathParse(path.str, path.len, &expect->path);
		if (problem)
			return ReportRequestValue(error, "path", problem, &path);
		expect->has_path = true;
		expect->path_text.str = path.str;
		expect->path_text.len = path.len;
	}
	if (!JsonViewGetMember(view, "op", &op))
	{
		if (!observe)
			return ReportRequestField(error, "op", "is missing");
		if (tol.type != JVIEW_ABSENT)
			return ReportRequestValue(error, "tol", "is given without an operator", &tol);
		expect->plan.value = value;
		return true;
	}
	if (op.type != JVIEW_STRING || !OperatorByName(op.str, op.len, &code))
		return ReportOperator(error, &op);
	problem = OperatorPlanInit(&expect->plan, code, &value, &tol, &field);
	if (problem)
		return ReportRequestValue(error, field, problem, strcmp(field, "tol") == 0 ? &tol : &value);
	expect->has_op = true;
	return true;
}

static bool
ParseExpectations(const JsonView *check, Check *parsed, RequestError *error)
{
	JsonView	expect;

	if (!JsonViewGetMember(check, "expect", &expect))
		return true;
	if (expect.type == JVIEW_OBJECT)
	{
		parsed->nexpect = 1;
		parsed->expect = palloc(sizeof(Expectation));
		return ParseExpectation(&expect, parsed->observe, parsed->expect, error);
	}
	if (expect.type != JVIEW_ARRAY)
		return ReportRequestValue(error, "expect", "must be an object or an array", &expect);
	if (JsonViewCount(&expect) > CHECK_MAX_EXPECTATIONS)
		return ReportRequestValue(error, "expect", "must hold at most 8 expectations", &expect);
	parsed->nexpect = JsonViewCount(&expect);
	parsed->expect = palloc(sizeof(Expectation) * Max(parsed->nexpect, 1));
	for (int i = 0; i < parsed->nexpect; i++)
	{
		JsonView	element = JsonViewAt(&expect, i);

		if (!ParseExpectation(&element, parsed->observe, &parsed->expect[i], error))
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
	if (!JsonViewGetMember(check, key, &view))
		return true;
	if (view.type != JVIEW_BOOL)
		return ReportRequestValue(error, key, "must be true or false", &view);
	*value = view.boolean;
	return true;
}

/* Reads the least quality that the check accepts: one of the five words. */
static bool
ParseMinQuality(const JsonView *check, Check *parsed, RequestError *error)
{
	JsonView	view;
	int			index;

	if (!JsonViewGetMember(check, "min_quality", &view))
		return true;
	index = view.type == JVIEW_STRING ?
		VocabularyByLabel(quality_labels, view.str, view.len) : -1;
	if (index < 0)
		return ReportRequestValue(error, "min_quality",
								  "must be None, Weak, Moderate, Strong or Verified", &view);
	parsed->has_min_quality = true;
	parsed->min_quality = (Quality) index;
	return true;
}

static bool
ParseId(const JsonView *check, int position, Check *parsed, RequestError *error)
{
	JsonView	id = JsonViewUnder(check, "id");
	int			characters = 0;

	for (int i = 0; id.type == JVIEW_STRING && i < id.len; i++)
		characters += ((unsigned char) id.str[i] & 0xC0) != 0x80;
	if (characters > 0 && characters <= CHECK_MAX_ID_LENGTH)
		parsed->id = SpanOf(id.str, id.len);
	else
		parsed->id = SpanOfCString(psprintf("c%d", position));
	error->where = parsed->id;
	if (id.type == JVIEW_ABSENT || parsed->id.str == id.str)
		return true;
	return ReportRequestValue(error, "id", characters > 0 ? "must have at most 200 characters" :
							  "must be a non-empty string", &id);
}

/*
 * Reads a check.  "position" counts from 1 and gives the default id.  A recorded check,
 * in a receipt, also has its outcome.  Returns false, with *error filled in, if it is
 * malformed.
 */
bool
CheckParse(const JsonView *check, int position, bool recorded, Check *parsed,
		   RequestError *error)
{
	static const char *const keys[] = {"id", "tool", "args", "expect",
	"observe", "required", "min_quality", NULL};
	JsonView	tool = JsonViewUnder(check, "tool");

	memset(parsed, 0, sizeof(*parsed));
	if (!ParseId(check, position, parsed, error))
		return false;
	if (check->type != JVIEW_OBJECT)
		return ReportRequestValue(error, "check", "must be an object", check);
	if (!recorded && !RequestKnowsKeys(check, keys, "is no key of a check", error))
		return false;
	if (tool.type != JVIEW_STRING || tool.len == 0)
		return ReportRequestValue(error, "tool", "must be a non-empty string", &tool);
	parsed->tool.str = tool.str;
	parsed->tool.len = tool.len;
	if (!JsonViewGetMember(check, "args", &parsed->args))
		parsed->args = JsonViewNewObject(0);
	else if (parsed->args.type != JVIEW_OBJECT)
		return ReportRequestValue(error, "args", "must be an object", &parsed->args);
	return ParseBool(check, "observe", false, &parsed->observe, error) &&
		ParseBool(check, "required", true, &parsed->required, error) &&
		ParseMinQuality(check, parsed, error) &&
		ParseExpectations(check, parsed, error);
}

/* Returns the check with its defaults filled in and its tolerances as separate members. */
JsonView
CheckNormalForm(const Check *parsed)
{
	JsonView	check = JsonViewNewObject(13);
	JsonView	expect = JsonViewNewArray(parsed->nexpect);

	for (int i = 0; i < parsed->nexpect; i++)
	{
		const Expectation *source = &parsed->expect[i];
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
	JsonViewSet(&check, "id", JsonViewString(parsed->id.str, parsed->id.len));
	JsonViewSet(&check, "tool", JsonViewString(parsed->tool.str, parsed->tool.len));
	JsonViewSet(&check, "args", parsed->args);
	JsonViewSet(&check, "expect", expect);
	JsonViewSet(&check, "observe", JsonViewBool(parsed->observe));
	JsonViewSet(&check, "required", JsonViewBool(parsed->required));
	if (parsed->has_min_quality)
		JsonViewSet(&check, "min_quality", JsonViewCString(quality_labels[parsed->min_quality]));
	return check;
}

/*
 * Returns the places that a check looks at, each once, in the order of its
 * expectations, at most CHECK_MAX_EXPECTATIONS.  The age of a fact is not a place.  A
 * check without expectations looks at the primary value.
 */
int
CheckPlaces(const Check *check, Place *places)
{
	int			count = 0;

	for (int i = 0; i < check->nexpect; i++)
	{
		const Expectation *expect = &check->expect[i];
		Place		place = {SpanOf("", 0), NULL};
		int			at = 0;

		if (expect->has_op && expect->plan.code == OP_FRESH_WITHIN_S)
			continue;
		if (expect->has_path)
			place = (Place) {expect->path_text, &expect->path};
		while (at < count && !SpanEqual(places[at].text, place.text))
			at++;
		if (at == count)
			places[count++] = place;
	}
	if (count == 0)
		places[count++] = (Place) {SpanOf("", 0), NULL};
	return count;
}

/*
 * evaluating
 */

/* Returns a confidence as a double; 0 unless it is a portable number from 0 to 1. */
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
 * Does the same for a stored number.  Facts of one source usually have the same few
 * confidences, so the last one is cached by its bytes.
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

/* Reads a fact's verification: its confidence, and whether it is fresh. */
static void
ReadVerification(const JsonView *fact, double *confidence, Freshness *freshness)
{
	JsonView	verification;
	JsonView	view;
	JsonView	fresh;

	*confidence = 0;
	*freshness = FRESHNESS_UNSAID;
	if (!JsonViewGetMember(fact, "verification", &verification))
		return;
	if (JsonViewGetMember(&verification, "confidence", &view))
		*confidence = view.type == JVIEW_NUMBER && view.is_jsonb ?
			StoredConfidence(view.u.numeric) : ConfidenceOf(&view);
	if (JsonViewGetMember(&verification, "signals", &view) &&
		JsonViewGetMember(&view, "fresh", &fresh) && fresh.type == JVIEW_BOOL)
		*freshness = fresh.boolean ? FRESHNESS_FRESH : FRESHNESS_STALE;
}

/*
 * Takes the least confidence of the facts.  Also finds the first that is not fresh: one
 * whose signal says so or, if the request requires fresh facts, one without that signal
 * (fact-conf/1 also treats a missing signal as false).
 */
static void
ReadVerifications(const Check *check, const JsonView *facts, int nfacts, CheckResult *result)
{
	result->confidence = 1;
	result->stale = -1;
	for (int i = 0; i < nfacts; i++)
	{
		double		confidence;
		Freshness	freshness;

		CHECK_FOR_INTERRUPTS();
		ReadVerification(&facts[i], &confidence, &freshness);
		result->confidence = Min(result->confidence, confidence);
		if (result->stale < 0 &&
			(freshness == FRESHNESS_STALE ||
			 (freshness == FRESHNESS_UNSAID && check->require_fresh)))
		{
			result->stale = i;
			result->stale_fact = facts[i];
		}
	}
}

/* Returns the quality of a fact that its grader gave, or None. */
static Quality
QualityOfFact(const JsonView *fact)
{
	JsonView	view;
	int			index;

	if (!JsonViewGetMember(fact, "quality", &view) || view.type != JVIEW_STRING)
		return QUALITY_NONE;
	index = VocabularyByLabel(quality_labels, view.str, view.len);
	return (Quality) Max(index, 0);
}

/* Is all evidence as good as the check demands?  *least is the quality of the worst fact. */
static bool
IsGoodEnough(const Check *check, const JsonView *facts, int nfacts, Quality *least)
{
	if (!check->has_min_quality)
		return true;
	*least = QUALITY_VERIFIED;
	for (int i = 0; i < nfacts; i++)
	{
		CHECK_FOR_INTERRUPTS();
		*least = Min(*least, QualityOfFact(&facts[i]));
	}
	return *least >= check->min_quality;
}

/* Finds the operand of one expectation; returns false if it is in a raw result that is missing. */
static bool
FindOperand(const Expectation *expect, const JsonView *fact, ExpectationResult *result)
{
	JsonView	raw;
	JsonView	found;

	result->resolved = -1;
	result->observed.type = JVIEW_ABSENT;
	if (!expect->has_path)
	{
		if (!JsonViewGetMember(fact, "value", &found))
			return true;
	}
	else
	{
		if (!JsonViewGetMember(fact, "raw", &raw))
			return false;
		result->resolved = PathResolve(&expect->path, &raw, &found);
		if (result->resolved < expect->path.count)
		{
			result->stopped_at = found;
			return true;
		}
		result->resolved = -1;
	}
	/* computed once, for the operator and for the row */
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

		JsonViewGetMember(fact, "timestamp", &result->observed);
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
VerdictOf(const Check *check, const CheckResult *result)
{
	Verdict		verdict = VERDICT_SUPPORTED;

	for (int i = 0; i < check->nexpect; i++)
	{
		Outcome		outcome = result->expect[i].answer.outcome;

		if (outcome == OUTCOME_FAILS)
			return VERDICT_CONTRADICTED;
		if (outcome == OUTCOME_NOT_EVALUABLE)
			verdict = VERDICT_NOT_EVALUABLE;
	}
	return verdict;
}

/* Decides the verdict.  Operators read the first fact; the others are only cited. */
void
CheckEvaluate(const Check *check, const JsonView *facts, int nfacts,
			  TimestampTz evaluated_at, CheckResult *result)
{
	bool		adjudicate = check->nexpect > 0 && !check->observe;

	memset(&result->observed, 0, sizeof(JsonView));
	result->confidence = 0;
	result->below = false;
	result->stale = -1;
	result->evaluated_at = evaluated_at;
	if (nfacts == 0)
	{
		result->verdict = VERDICT_EVIDENCE_UNAVAILABLE;
		return;
	}
	ReadVerifications(check, facts, nfacts, result);

	for (int i = 0; i < check->nexpect; i++)
		EvaluateExpectation(&check->expect[i], adjudicate, &facts[0], evaluated_at,
							&result->expect[i]);
	if (check->nexpect > 0)
		result->observed = result->expect[0].observed;
	else
		JsonViewGetMember(&facts[0], "value", &result->observed);
	result->below = !IsGoodEnough(check, facts, nfacts, &result->quality);
	if (result->below || CheckLacksFreshness(check, result))
		result->verdict = VERDICT_NOT_EVALUABLE;
	else
		result->verdict = adjudicate ? VerdictOf(check, result) : VERDICT_VALUE;
}
