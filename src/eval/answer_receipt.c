/*-------------------------------------------------------------------------
 *
 * answer_receipt.c
 *		The document answer/v1: closure and replay.
 *
 * Rule: doc/spec/df-verify-1.md §5.3 and §6.1.  Pure: reads only the receipt.
 *
 * Promises: never raises an error because of a receipt's content, and reports
 * where each difference is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/grow.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "check/composite.h"
#include "check/request.h"
#include "document/signed.h"
#include "eval/answer_receipt.h"
#include "evidence/confidence.h"
#include "evidence/fact.h"

/*
 * Limits on the size of reports.  Verification reports some differences.  A replay
 * reports all that a receipt with the most checks can have.  A document that claims
 * more checks is still judged as a whole.
 */
#define VERIFY_MAX_DIFFERENCES	100
#define REPLAY_MAX_CHECKS		REQUEST_MAX_CHECKS
#define REPLAY_MAX_DIFFERENCES	(3 * REPLAY_MAX_CHECKS + 3)
#define REPORT_MAX_TEXT			1000
#define REPORT_MAX_OBSERVED		(16 * 1024 * 1024)

/*
 * evidence closure
 */

static bool
ConfidenceFollows(const JsonView *fact)
{
	JsonView	verification = JsonViewUnder(fact, "verification");
	JsonView	confidence;
	FactSignals signals;
	Span		basis;
	PlainNumber claimed;
	PlainNumber computed;
	JsonView	expected;

	if (FactSignalsParse(&verification, &signals, &basis) != NULL ||
		!JsonViewGetMember(&verification, "confidence", &confidence) ||
		!NumberPlain(&confidence, &claimed))
		return false;
	expected = HundredthsView(FactConfidenceHundredths(&signals, basis));
	NumberPlain(&expected, &computed);
	return claimed.len == computed.len &&
		memcmp(claimed.text, computed.text, computed.len) == 0;
}

/*
 * Is every fact the one that its digest names, with the confidence that follows from its
 * signals?
 */
static const char *
IndexProblem(const JsonView *index)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(index, &count);

	for (int i = 0; i < count; i++)
	{
		char		digest[DIGEST_TEXT_LENGTH + 1];

		if (members[i].value.type != JVIEW_OBJECT)
			return "the evidence index holds something that is no fact";
		FactDigest(&members[i].value, digest);
		if (members[i].key.len != DIGEST_TEXT_LENGTH ||
			memcmp(members[i].key.str, digest, DIGEST_TEXT_LENGTH) != 0)
			return "a fact does not hash to its digest";
		if (!ConfidenceFollows(&members[i].value))
			return "a fact's confidence does not follow from its signals";
	}
	return NULL;
}

static int
CompareDigests(const void *a, const void *b)
{
	const JsonView *left = a;
	const JsonView *right = b;

	return SpanCompare(SpanOf(left->str, left->len), SpanOf(right->str, right->len));
}

/*
 * Collects the digests that checks cite; returns NULL if a check does not cite an array
 * of strings.
 */
static JsonView *
CitedDigests(const JsonView *checks, int *count)
{
	int			allocated = 16;
	JsonView   *cited = palloc(sizeof(JsonView) * allocated);

	*count = 0;
	for (int i = 0; i < JsonViewCount(checks); i++)
	{
		JsonView	check = JsonViewAt(checks, i);
		JsonView	evidence;

		if (!JsonViewGetMember(&check, "evidence", &evidence) || evidence.type != JVIEW_ARRAY)
			return NULL;
		for (int j = 0; j < JsonViewCount(&evidence); j++)
		{
			CHECK_FOR_INTERRUPTS();
			GROW_ARRAY(cited, *count, allocated, 16);
			JsonViewElement(&evidence, j, &cited[*count]);
			if (cited[*count].type != JVIEW_STRING)
				return NULL;
			(*count)++;
		}
	}
	return cited;
}

/* Is everything cited in the index, and everything in the index cited? */
static const char *
CitationProblem(const JsonView *checks, const JsonView *index)
{
	int			count;
	int			distinct = 0;
	JsonView   *cited = CitedDigests(checks, &count);

	if (cited == NULL)
		return "a check does not say which evidence it cites";
	qsort(cited, count, sizeof(JsonView), CompareDigests);
	for (int i = 0; i < count; i++)
	{
		JsonView	fact;

		if (i > 0 && CompareDigests(&cited[i - 1], &cited[i]) == 0)
			continue;
		distinct++;
		if (!SpanIsText((Span) {cited[i].str, cited[i].len}) ||
			!JsonViewGet(index, cited[i].str, cited[i].len, &fact))
			return "a check cites evidence that is not in the index";
	}
	return distinct == JsonViewCount(index) ? NULL : "the index holds evidence that nothing cites";
}

/* Do the checks of an answer and its evidence belong together? */
const char *
AnswerClosureProblem(const JsonView *receipt)
{
	JsonView	checks;
	JsonView	index;
	const char *problem;

	if (!JsonViewGetMember(receipt, "checks", &checks) || checks.type != JVIEW_ARRAY)
		return "checks is missing";
	if (!JsonViewGetMember(receipt, "evidence_index", &index) || index.type != JVIEW_OBJECT)
		return "evidence_index is missing";
	problem = CitationProblem(&checks, &index);
	return problem ? problem : IndexProblem(&index);
}

/*
 * replay
 */

typedef struct Replay
{
	JsonView	index;
	JsonView	recorded_at;	/* evaluated_at as written */
	TimestampTz evaluated_at;
	bool		require_fresh;
	CompositeState state;
	Composite	composite;
	int			max_differences;
	int			max_checks;
	int			observed_bytes; /* bytes of values that recomputed checks show */
	JsonView	differences;	/* array of {check?, field, recorded?, recomputed?} */
	JsonView	checks;			/* array of {id, verdict, confidence, observed?} */
	bool		same;			/* is there no difference, reported or not? */
	const char *problem;		/* why the receipt could not be replayed */
} Replay;

/* Can jsonb in this database represent a value? Its depth must be limited. */
static bool
FitsJsonb(const JsonView *view)
{
	Numeric		numeric;
	JsonView	member;
	Span		key;

	CHECK_FOR_INTERRUPTS();
	if (view->type == JVIEW_NUMBER)
		return JsonViewNumeric(view, &numeric);
	if (view->type == JVIEW_STRING)
		return GetDatabaseEncoding() == PG_UTF8 || SpanIsText((Span) {view->str, view->len});
	if (!JVIEW_IS_CONTAINER(view) || view->is_jsonb)
		return true;
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		if (view->type == JVIEW_ARRAY)
			JsonViewElement(view, i, &member);
		else
		{
			member = JsonViewMember(view, i, &key);
			if (GetDatabaseEncoding() != PG_UTF8 && !SpanIsText(key))
				return false;
		}
		if (!FitsJsonb(&member))
			return false;
	}
	return true;
}

JsonView
ReportableView(const JsonView *value, bool portable)
{
	JsonView	view = *value;
	StringInfoData text;
	char	   *cut;
	int			len;

	if (portable)
		(void) JsonViewPortable(value, &view);
	if (!JVIEW_IS_CONTAINER(&view) && FitsJsonb(&view) &&
		(view.type != JVIEW_STRING || view.len <= REPORT_MAX_TEXT))
		return view;
	initStringInfo(&text);
	if (portable)
		CanonicalWritePortable(&text, &view);
	else
		CanonicalWrite(&text, &view, NULL);
	len = Min(text.len, REPORT_MAX_TEXT);
	cut = pnstrdup(text.data, len);
	pfree(text.data);
	return JsonViewString(cut, len);
}

/* Returns a computed confidence as the number that reads back as it. */
static JsonView
ConfidenceView(double confidence)
{
	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(float8_numeric,
																 Float8GetDatum(confidence))));
}

static void
AddDifference(Replay *replay, const Span *check, const char *field,
			  const JsonView *recorded, const JsonView *recomputed)
{
	JsonView	difference;

	replay->same = false;
	if (JsonViewCount(&replay->differences) >= replay->max_differences)
		return;
	difference = JsonViewNewObject(4);
	if (check)
	{
		JsonView	id = JsonViewString(check->str, check->len);

		JsonViewSet(&difference, "check", ReportableView(&id, false));
	}
	JsonViewSet(&difference, "field", JsonViewCString(field));
	if (recorded->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "recorded", ReportableView(recorded, false));
	if (recomputed->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "recomputed", ReportableView(recomputed, true));
	JsonViewAppend(&replay->differences, difference);
}

static void
CompareLabel(Replay *replay, const Span *check, const char *field,
			 const JsonView *recorded, const char *label)
{
	JsonView	recomputed = JsonViewCString(label);

	if (!JsonViewStringIs(recorded, label))
		AddDifference(replay, check, field, recorded, &recomputed);
}

/* Compares a recorded confidence: it must be a number that reads as the computed double. */
static void
CompareConfidence(Replay *replay, const Span *check, const JsonView *recorded, double computed)
{
	PlainNumber plain;
	JsonView	recomputed;

	if (NumberPlain(recorded, &plain) && strtod(plain.text, NULL) == computed)
		return;
	recomputed = ConfidenceView(computed);
	AddDifference(replay, check, "confidence", recorded, &recomputed);
}

/* Can a replay show a whole value? "len" is the size of its canonical form. */
static bool
CanShow(Replay *replay, const JsonView *view, int len)
{
	if (len > REPORT_MAX_OBSERVED - replay->observed_bytes ||
		JsonViewIsDeeper(view, RAW_MAX_DEPTH) || !FitsJsonb(view))
		return false;
	replay->observed_bytes += len;
	return true;
}

/*
 * Compares what was observed, which is recorded in portable form, byte for byte. *shown
 * is what the report shows of the recomputed value, if anything.
 */
static void
CompareObserved(Replay *replay, const Span *check, const JsonView *recorded,
				const JsonView *recomputed, JsonView *shown)
{
	StringInfoData a;
	StringInfoData b;
	bool		same;
	bool		whole = false;

	if (recorded->type == JVIEW_ABSENT || recomputed->type == JVIEW_ABSENT)
		same = recorded->type == recomputed->type;
	else
	{
		initStringInfo(&a);
		initStringInfo(&b);
		CanonicalWrite(&a, recorded, NULL);
		CanonicalWritePortable(&b, recomputed);
		same = a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
		whole = same && shown && CanShow(replay, recorded, a.len);
		pfree(a.data);
		pfree(b.data);
	}
	if (!same)
		AddDifference(replay, check, "observed", recorded, recomputed);
	if (whole)
		*shown = *recorded;
	else if (shown && recomputed->type != JVIEW_ABSENT)
		*shown = ReportableView(recomputed, true);
}

/* Finds the facts that a check cites; returns NULL if one is missing. */
static JsonView *
CitedFacts(const Replay *replay, const JsonView *evidence, int *count)
{
	JsonView   *facts;

	*count = JsonViewCount(evidence);
	facts = palloc(sizeof(JsonView) * (Size) Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		JsonView	digest = JsonViewAt(evidence, i);

		CHECK_FOR_INTERRUPTS();
		if (digest.type != JVIEW_STRING || !SpanIsText((Span) {digest.str, digest.len}) ||
			!JsonViewGet(&replay->index, digest.str, digest.len, &facts[i]) ||
			facts[i].type != JVIEW_OBJECT)
			return NULL;
	}
	return facts;
}

/* Can a check have this verdict without evidence? */
static bool
NeedsNoEvidence(int verdict)
{
	return verdict == VERDICT_EVIDENCE_UNAVAILABLE ||
		verdict == VERDICT_OUTSIDE_EVIDENCE_COVERAGE ||
		verdict == VERDICT_NOT_EVALUABLE;
}

/* Recomputes a check that cites evidence. */
static bool
ReplayEvidence(Replay *replay, const Check *check, const JsonView *evidence,
			   CheckResult *result)
{
	int			count;
	JsonView   *facts = CitedFacts(replay, evidence, &count);

	if (facts == NULL)
	{
		replay->problem = "a check cites evidence that is not in the index";
		return false;
	}
	CheckEvaluate(check, facts, count, replay->evaluated_at, result);
	return true;
}

/* Compares the result of a check with what is recorded, and reports it. */
static void
ReplayResult(Replay *replay, const Check *parsed, const JsonView *check,
			 const CheckResult *result)
{
	JsonView	verdict = JsonViewUnder(check, "verdict");
	JsonView	confidence = JsonViewUnder(check, "confidence");
	JsonView	observed = JsonViewUnder(check, "observed");
	JsonView	shown = {.type = JVIEW_ABSENT};
	JsonView	recomputed;
	JsonView	id = JsonViewString(parsed->id.str, parsed->id.len);
	bool		report = JsonViewCount(&replay->checks) < replay->max_checks;

	CompareLabel(replay, &parsed->id, "verdict", &verdict, verdict_labels[result->verdict]);
	CompareConfidence(replay, &parsed->id, &confidence, result->confidence);
	CompareObserved(replay, &parsed->id, &observed, &result->observed,
					report ? &shown : NULL);
	if (!report)
		return;
	recomputed = JsonViewNewObject(4);
	JsonViewSet(&recomputed, "id", ReportableView(&id, false));
	JsonViewSet(&recomputed, "verdict", JsonViewCString(verdict_labels[result->verdict]));
	JsonViewSet(&recomputed, "confidence", ConfidenceView(result->confidence));
	if (shown.type != JVIEW_ABSENT)
		JsonViewSet(&recomputed, "observed", shown);
	JsonViewAppend(&replay->checks, recomputed);
}

/* Recomputes one check and compares it; returns false if it cannot be recomputed. */
static bool
ReplayCheck(Replay *replay, const JsonView *check, int position)
{
	Check	parsed;
	CheckResult result;
	RequestError error;
	JsonView	verdict = JsonViewUnder(check, "verdict");
	JsonView	evidence;
	int			recorded;

	memset(&error, 0, sizeof(error));
	memset(&result, 0, sizeof(result));
	if (!CheckParse(check, position, true, &parsed, &error))
	{
		replay->problem = "a check is malformed";
		return false;
	}
	parsed.require_fresh = replay->require_fresh;
	if (!JsonViewGetMember(check, "evidence", &evidence) || evidence.type != JVIEW_ARRAY)
	{
		replay->problem = "a check does not say which evidence it cites";
		return false;
	}

	recorded = verdict.type == JVIEW_STRING ?
		VocabularyByLabel(verdict_labels, verdict.str, verdict.len) : -1;
	if (position > REQUEST_CHECK_CAP)
		result.verdict = VERDICT_NOT_CHECKED;
	else if (JsonViewCount(&evidence) > 0)
	{
		if (!ReplayEvidence(replay, &parsed, &evidence, &result))
			return false;
	}
	else
		result.verdict = NeedsNoEvidence(recorded) ? recorded : VERDICT_EVIDENCE_UNAVAILABLE;

	ReplayResult(replay, &parsed, check, &result);
	CompositeAdd(&replay->state, result.verdict, result.confidence, parsed.required);
	return true;
}

static void
CompareDegraded(Replay *replay, const JsonView *receipt, bool degraded)
{
	JsonView	recorded = JsonViewUnder(receipt, "degraded");
	JsonView	recomputed = JsonViewBool(degraded);

	if (recorded.type != JVIEW_BOOL || recorded.boolean != degraded)
		AddDifference(replay, NULL, "degraded", &recorded, &recomputed);
}

/* Compares the composite verdict of the receipt with that of its checks. */
static void
ReplayComposite(Replay *replay, const JsonView *receipt, bool refusal)
{
	JsonView	verdict;
	JsonView	confidence = JsonViewUnder(receipt, "confidence");

	replay->composite = CompositeResult(replay->state);
	if (refusal)
	{
		replay->composite.verdict = COMPOSITE_OUTSIDE_EVIDENCE_COVERAGE;
		replay->composite.hundredths = 0;
	}
	JsonViewGetMember(receipt, "verdict", &verdict);
	CompareLabel(replay, NULL, "verdict", &verdict,
				 composite_labels[replay->composite.verdict]);
	CompareConfidence(replay, NULL, &confidence, replay->composite.hundredths / 100.0);
	CompareDegraded(replay, receipt, replay->composite.degraded);
}

/*
 * Recomputes a receipt and compares it.  Returns false, with the problem, if it cannot
 * be recomputed.
 */
static bool
ReplayReceipt(Replay *replay, const JsonView *receipt)
{
	JsonView	checks;
	JsonView	mode;
	JsonView	require_fresh;
	bool		refusal;

	replay->state = CompositeInit();
	replay->differences = JsonViewNewArray(0);
	replay->checks = JsonViewNewArray(0);
	replay->same = true;
	if (!JsonViewGetMember(receipt, "checks", &checks) || checks.type != JVIEW_ARRAY)
		replay->problem = "checks is missing";
	else if (!JsonViewGetMember(receipt, "evidence_index", &replay->index) ||
			 replay->index.type != JVIEW_OBJECT)
		replay->problem = "evidence_index is missing";
	else if (!JsonViewGetMember(receipt, "evaluated_at", &replay->recorded_at) ||
			 !InstantOfView(&replay->recorded_at, &replay->evaluated_at))
		replay->problem = "evaluated_at is missing or no instant";
	else if (JsonViewGetMember(receipt, "require_fresh", &require_fresh) &&
			 require_fresh.type != JVIEW_BOOL)
		replay->problem = "require_fresh is not true or false";
	if (replay->problem)
		return false;
	replay->require_fresh = require_fresh.type == JVIEW_BOOL && require_fresh.boolean;
	refusal = JsonViewCount(&checks) == 0 && JsonViewGetMember(receipt, "mode", &mode) &&
		JsonViewStringIs(&mode, "question");

	for (int i = 0; i < JsonViewCount(&checks); i++)
	{
		JsonView	check = JsonViewAt(&checks, i);

		CHECK_FOR_INTERRUPTS();
		if (!ReplayCheck(replay, &check, i + 1))
			return false;
	}
	ReplayComposite(replay, receipt, refusal);
	if (!replay->same)
		replay->problem = "recomputing gives something else";
	return true;
}

JsonView
AnswerVerifyReplay(const JsonView *receipt)
{
	Replay		replay = {.max_differences = VERIFY_MAX_DIFFERENCES};
	bool		replayed = ReplayReceipt(&replay, receipt);
	JsonView	step = ReportStep(replay.problem);

	if (replayed && !replay.same)
		JsonViewSet(&step, "differences", replay.differences);
	return step;
}

/*
 * Recomputes an answer.  The report is {"ok", "reason"?} and, as far as the receipt
 * could be recomputed, the results and each difference.  "routing" is a report on how
 * its question became its checks, or absent.
 */
JsonView
AnswerReplay(const JsonView *receipt, const JsonView *routing)
{
	Replay		replay = {.max_differences = REPLAY_MAX_DIFFERENCES,
	.max_checks = REPLAY_MAX_CHECKS};
	JsonView	report;

	if (!ReplayReceipt(&replay, receipt))
		return ReportStep(replay.problem);
	if (routing->type == JVIEW_OBJECT && !ReportStepIsOk(routing))
		replay.problem = "recomputing gives something else";
	report = ReportStep(replay.problem);
	JsonViewSet(&report, "evaluated_at", ReportableView(&replay.recorded_at, false));
	JsonViewSet(&report, "verdict",
				JsonViewCString(composite_labels[replay.composite.verdict]));
	JsonViewSet(&report, "confidence", HundredthsView(replay.composite.hundredths));
	JsonViewSet(&report, "degraded", JsonViewBool(replay.composite.degraded));
	JsonViewSet(&report, "checks", replay.checks);
	JsonViewSet(&report, "differences", replay.differences);
	if (routing->type == JVIEW_OBJECT)
		JsonViewSet(&report, "routing", *routing);
	return report;
}
