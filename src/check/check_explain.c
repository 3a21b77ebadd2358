/*-------------------------------------------------------------------------
 *
 * check_explain.c
 *		Explains in words why a check has its verdict.
 *
 * Rule: doc/spec/answer-eval.md §4.5.  The explanation is one sentence, and
 * for each expectation the value found, how far its path resolved, and a note.
 *
 * Promises: pure.  The words depend only on the check, the facts that it cites
 * and the instant of evaluation, so whoever replays a receipt gets the same
 * words.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"

#include "base/canonical.h"
#include "base/rfc3339.h"
#include "check/check_explain.h"

#define EXPLAIN_MAX_KEYS	50
#define EXPLAIN_MAX_SECONDS 40	/* characters of a number of seconds */

static const char reason_no_evidence[] = "no evidence arrived";

/*
 * ages
 */

/* Writes seconds as days, hours, minutes and seconds, leaving out those that are zero. */
static char *
DurationWords(uint64 seconds)
{
	static const struct
	{
		const char *name;
		uint64		seconds;
	}			units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}};
	StringInfoData words;

	initStringInfo(&words);
	for (size_t i = 0; i < lengthof(units); i++)
	{
		uint64		count = seconds / units[i].seconds;

		seconds %= units[i].seconds;
		if (count > 0)
			appendStringInfo(&words, "%s" UINT64_FORMAT " %s%s", words.len > 0 ? " " : "",
							 count, units[i].name, count == 1 ? "" : "s");
	}
	return words.len > 0 ? words.data : "0 seconds";
}

/* Returns the microseconds between any two instants. */
static uint64
MeasureDistance(TimestampTz a, TimestampTz b)
{
	return a >= b ? (uint64) a - (uint64) b : (uint64) b - (uint64) a;
}

/* Does the same in words, rounded up to a second, so that what exceeds a limit also reads so. */
static char *
DistanceWords(TimestampTz a, TimestampTz b)
{
	uint64		distance = MeasureDistance(a, b);

	return DurationWords(distance / USECS_PER_SEC + (distance % USECS_PER_SEC > 0));
}

/* Has a text only digits and points? That is enough for a text that is only shown. */
static bool
IsDecimal(Span text)
{
	for (int i = 0; i < text.len; i++)
	{
		bool		digit = text.str[i] >= '0' && text.str[i] <= '9';

		if (!digit && (text.str[i] != '.' || i == 0 || i == text.len - 1))
			return false;
	}
	return true;
}

/* Returns, in words, the freshness that a fact's tool declared; NULL if there is none. */
static char *
DeclaredWords(const JsonView *fact)
{
	JsonView	verification;
	JsonView	view;
	PlainNumber plain;
	Span		text;

	if (!JsonViewGetMember(fact, "verification", &verification) ||
		!JsonViewGetMember(&verification, "freshness_s", &view) ||
		(view.type != JVIEW_NUMBER && view.type != JVIEW_STRING))
		return NULL;
	if (view.type == JVIEW_NUMBER && NumberPlain(&view, &plain) && plain.is_integer &&
		plain.is_portable && plain.text[0] != '-')
		return DurationWords(strtoull(plain.text, NULL, 10));
	text = OperatorComparedText(&view);
	if (text.len <= 0 || text.len > EXPLAIN_MAX_SECONDS || !IsDecimal(text))
		return NULL;
	return psprintf("%.*s seconds", text.len, text.str);
}

/*
 * Says that a fact is not fresh, and why: how old it is, and how old it may be.  The
 * fact's signal is not judged again.
 */
static char *
StaleWords(const JsonView *fact, TimestampTz evaluated_at)
{
	static const char stale[] = "a cited fact is not fresh";
	JsonView	view = JsonViewUnder(fact, "timestamp");
	TimestampTz timestamp;
	TimestampTz expires;
	char	   *age;
	char	   *declared;

	if (!InstantOfView(&view, &timestamp))
		return psprintf("%s: it has no timestamp", stale);
	age = psprintf("%s %s", DistanceWords(evaluated_at, timestamp),
				   timestamp <= evaluated_at ? "old" : "ahead of the evaluation");
	JsonViewGetMember(fact, "expires", &view);
	if (InstantOfView(&view, &expires))
		return psprintf(expires < evaluated_at ? "%s: %s, expired %s ago" :
						"%s: %s, expires in %s",
						stale, age, DistanceWords(evaluated_at, expires));
	declared = DeclaredWords(fact);
	if (declared == NULL)
		return psprintf("%s: %s, no freshness is declared", stale, age);
	return psprintf("%s: %s, the tool declares %s", stale, age, declared);
}

/* For fresh_within_s: says the age in seconds, which is the unit of N, and N. */
static char *
WithinWords(const OperatorPlan *plan, const JsonView *timestamp, TimestampTz evaluated_at)
{
	Span		most = OperatorComparedText(&plan->value);
	TimestampTz instant;
	uint64		age;
	char	   *fraction;

	if (!InstantOfView(timestamp, &instant) || most.len < 0)
		return NULL;
	age = MeasureDistance(evaluated_at, instant);
	fraction = psprintf(".%06d", (int) (age % USECS_PER_SEC));
	for (char *end = fraction + 6; end >= fraction && (*end == '0' || *end == '.'); end--)
		*end = '\0';
	return psprintf("the fact is " UINT64_FORMAT "%s seconds %s, at most %.*s%s are allowed",
					age / USECS_PER_SEC, fraction,
					instant <= evaluated_at ? "old" : "ahead of the evaluation",
					Min(most.len, EXPLAIN_MAX_SECONDS), most.str,
					most.len > EXPLAIN_MAX_SECONDS ? "..." : "");
}

/*
 * expectations
 */

/* Says how far an unresolved path came and what was there. */
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
			JsonViewAppend(&keys, SpanView(members[i].key));
		JsonViewSet(explain, "keys", keys);
		if (count > EXPLAIN_MAX_KEYS)
			JsonViewSet(explain, "more", JsonViewInteger(count - EXPLAIN_MAX_KEYS));
	}
}

/* Returns a note about an expectation beyond its outcome; NULL if there is none. */
static const char *
ExpectationNote(const Check *parsed, const CheckResult *check, int n)
{
	const Expectation *expect = &parsed->expect[n];
	const ExpectationResult *result = &check->expect[n];
	const char *note = result->answer.note;
	char	   *stale;

	if (expect->plan.code == OP_FRESH_WITHIN_S)
		note = WithinWords(&expect->plan, &result->observed, check->evaluated_at);
	if (n > 0 || check->stale < 0)
		return note;
	/* once per check, because it is about the evidence, which all expectations share */
	stale = StaleWords(&check->stale_fact, check->evaluated_at);
	return note ? psprintf("%s; %s", note, stale) : stale;
}

/*
 * Writes what every explanation of an expectation has, in the order in which it is
 * signed; "outcome" is NULL if nothing was decided.
 */
static void
ExplainOutcome(JsonView *explain, const Expectation *expect, const char *outcome, const char *reason)
{
	if (expect->has_op)
		JsonViewSet(explain, "op", JsonViewCString(OperatorName(expect->plan.code)));
	if (outcome)
		JsonViewSet(explain, "outcome", JsonViewCString(outcome));
	if (expect->has_path)
		JsonViewSet(explain, "path",
					JsonViewString(expect->path_text.str, expect->path_text.len));
	if (reason)
		JsonViewSet(explain, "reason", JsonViewCString(reason));
}

static JsonView
ExplainExpectation(const Check *parsed, const CheckResult *check, int n)
{
	const Expectation *expect = &parsed->expect[n];
	const ExpectationResult *result = &check->expect[n];
	bool		adjudicated = check->verdict != VERDICT_VALUE;
	const char *note = adjudicated ? ExpectationNote(parsed, check, n) : NULL;
	JsonView	explain = JsonViewNewObject(8);

	if (note)
		JsonViewSet(&explain, "note", JsonViewCString(note));
	if (result->observed.type != JVIEW_ABSENT)
		JsonViewSet(&explain, "observed", result->observed);
	ExplainOutcome(&explain, expect, adjudicated ? outcome_labels[result->answer.outcome] : NULL,
				   adjudicated ? result->answer.reason : NULL);
	if (result->resolved >= 0)
		ExplainStop(&explain, expect, result);
	return explain;
}

/*
 * Writes one sentence with the verdict's cause, which names the first expectation that
 * caused it.
 */
static char *
WriteSummary(const Check *check, const CheckResult *result)
{
	Outcome		cause;

	if (result->verdict == VERDICT_VALUE && result->stale >= 0)
		return psprintf("the value is recorded and nothing is adjudicated; %s",
						StaleWords(&result->stale_fact, result->evaluated_at));
	if (result->verdict == VERDICT_VALUE)
		return pstrdup("the value is recorded and nothing is adjudicated");
	if (result->verdict == VERDICT_SUPPORTED)
		return check->nexpect == 1 ? pstrdup("the expectation holds") :
			psprintf("all %d expectations hold", check->nexpect);

	cause = result->verdict == VERDICT_CONTRADICTED ?
		OUTCOME_FAILS : OUTCOME_NOT_EVALUABLE;
	for (int i = 0;; i++)
	{
		const OperatorResult *answer = &result->expect[i].answer;
		const char *op;

		Assert(i < check->nexpect);
		if (answer->outcome != cause)
			continue;
		op = OperatorName(check->expect[i].plan.code);
		if (cause == OUTCOME_FAILS)
			return psprintf("expectation %d of %d (%s) does not hold",
							i + 1, check->nexpect, op);
		return psprintf("expectation %d of %d (%s) cannot be evaluated: %s",
						i + 1, check->nexpect, op, answer->reason);
	}
}

/* Explains a verdict reached without looking at the expectations. */
JsonView
CheckExplainWithout(const Check *check, const char *summary)
{
	JsonView	explain = JsonViewNewObject(4);
	JsonView	expectations = JsonViewNewArray(check->nexpect);

	for (int i = 0; i < check->nexpect; i++)
	{
		JsonView	member = JsonViewNewObject(4);

		ExplainOutcome(&member, &check->expect[i], outcome_labels[OUTCOME_NOT_EVALUABLE], summary);
		JsonViewAppend(&expectations, member);
	}
	JsonViewSet(&explain, "expectations", expectations);
	JsonViewSet(&explain, "summary", JsonViewCString(summary));
	return explain;
}

/* Explains that the evidence is below the quality demanded: gives the gap, and decides nothing. */
static JsonView
ExplainGap(const Check *check, const CheckResult *result)
{
	const char *have = quality_labels[result->quality];
	const char *need = quality_labels[check->min_quality];
	JsonView	explain = CheckExplainWithout(check, psprintf("the evidence is %s and the check needs %s (min_quality)",
														  have, need));
	JsonView	gap = JsonViewNewObject(3);

	JsonViewSet(&gap, "have", JsonViewCString(have));
	JsonViewSet(&gap, "need", JsonViewCString(need));
	JsonViewSet(&gap, "kind", JsonViewCString(gap_labels[GapOfQuality(result->quality)]));
	JsonViewSet(&explain, "gap", gap);
	return explain;
}

JsonView
CheckExplain(const Check *check, const CheckResult *result)
{
	JsonView	explain;
	JsonView	expectations;

	if (result->verdict == VERDICT_EVIDENCE_UNAVAILABLE)
		return CheckExplainWithout(check, reason_no_evidence);
	if (result->below)
		return ExplainGap(check, result);
	if (CheckLacksFreshness(check, result))
		return CheckExplainWithout(check, psprintf("%s; the request requires fresh evidence (require_fresh)",
												  StaleWords(&result->stale_fact,
															 result->evaluated_at)));
	explain = JsonViewNewObject(4);
	expectations = JsonViewNewArray(check->nexpect);
	for (int i = 0; i < check->nexpect; i++)
		JsonViewAppend(&expectations, ExplainExpectation(check, result, i));
	JsonViewSet(&explain, "expectations", expectations);
	JsonViewSet(&explain, "summary", JsonViewCString(WriteSummary(check, result)));
	return explain;
}
