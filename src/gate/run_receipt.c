/*-------------------------------------------------------------------------
 *
 * run_receipt.c
 *		The document run/v1: the results of the cases of a suite.
 *
 * Rule: doc/spec/gate.md §5.  A document has the digests of the suite, the configuration, what
 * judged, and a row per case: the case, its result, its scores.  Scores, metrics and verdict
 * follow from the rows, and are recomputed by the functions that computed them.  A document that
 * was judged by earlier rules is recomputed by those.  Pure.
 *
 * Promises: problems of a document are reported, never raised.  The digest of a run covers its
 * content without times, so the same suite, configuration and engine give the same digest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "document/signed.h"
#include "gate/suite_case.h"
#include "gate/gate.h"
#include "gate/metrics.h"
#include "gate/run_receipt.h"
#include "gate/case_score.h"
#include "ground/decision_config.h"
#include "ground/earlier_receipt.h"
#include "ground/decision_receipt.h"
#include "ground/document.h"

#define RUN_SCHEMA		"run/v1"
#define RUN_ID_PREFIX	"run_"

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the cases ask what matters. A receipt is never a certification.";

/*
 * digests
 */

static JsonView
DigestView(const JsonView *view)
{
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigest(view, NULL, digest);
	return JsonViewCString(digest);
}

void
EngineDigest(const JsonView *evaluator, char *digest)
{
	static const char *const of_config[] = {"decision_config"};
	static const char *const digests_name[] = {"digests"};
	JsonView	engine = *evaluator;
	JsonView	digests;

	if (evaluator->type == JVIEW_OBJECT && JsonViewGetMember(evaluator, "digests", &digests) &&
		digests.type == JVIEW_OBJECT)
	{
		engine = JsonViewCopyWithout(evaluator, digests_name, 1, 1);
		JsonViewSet(&engine, "digests", JsonViewCopyWithout(&digests, of_config, 1, 1));
	}
	CanonicalDigest(&engine, NULL, digest);
}

/* Returns the digest of the content. */
static JsonView
ContentDigest(const JsonView *suite_digest, const JsonView *config_digest, const JsonView *engine_digest,
			  const JsonView *cases, const JsonView *summary)
{
	JsonView	content = JsonViewNewObject(5);

	JsonViewSet(&content, "suite", *suite_digest);
	JsonViewSet(&content, "config", *config_digest);
	JsonViewSet(&content, "engine", *engine_digest);
	JsonViewSet(&content, "cases", *cases);
	JsonViewSet(&content, "summary", *summary);
	return DigestView(&content);
}

/*
 * making
 */

JsonView
RunRowScored(const JsonView *row, const JsonView *config, const JsonView *insufficiency)
{
	static const char *const own[] = {"scores", "passed"};
	JsonView	scored = JsonViewCopyWithout(row, own, 2, 2);
	ScoreTerms	terms;
	bool		passed = false;

	if (!ScoreTermsRead(config, insufficiency, &terms))
		return scored;
	JsonViewSet(&scored, "scores", ScoreRow(row, &terms, &passed));
	JsonViewSet(&scored, "passed", JsonViewBool(passed));
	return scored;
}

/* Returns the outcome of the shipped gate. */
static JsonView
VerdictOf(const JsonView *suite, const JsonView *cases, const JsonView *summary)
{
	static const JsonView nothing = {.type = JVIEW_ABSENT};
	JsonView	run = JsonViewNewObject(3);
	JsonView	result;
	JsonView	outcome;
	const char *problem;

	JsonViewSet(&run, "suite", *suite);
	JsonViewSet(&run, "cases", *cases);
	JsonViewSet(&run, "summary", *summary);
	if (!GateJudge(&run, &nothing, &nothing, &result, &problem) || !JsonViewGetMember(&result, "outcome", &outcome))
		return JsonViewNull();
	return outcome;
}

void
RunDocumentSet(JsonView *body, const RunContent *content)
{
	JsonView	summary = RunMetrics(&content->cases, false);
	JsonView	reproduce = JsonViewNewObject(1);
	JsonView	config_digest = DigestView(&content->config);
	JsonView	engine_digest;
	JsonView	suite_digest;
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	summary = PortableCopy(&summary);
	EngineDigest(&content->evaluator, digest);
	engine_digest = JsonViewCString(digest);
	(void) JsonViewGetMember(&content->suite, "digest", &suite_digest);
	JsonViewSet(body, "suite", content->suite);
	JsonViewSet(body, "config", content->config);
	JsonViewSet(body, "config_digest", config_digest);
	JsonViewSet(body, "engine_digest", engine_digest);
	JsonViewSet(body, "insufficiency", content->insufficiency);
	JsonViewSet(body, "cases", content->cases);
	JsonViewSet(body, "summary", summary);
	JsonViewSet(body, "verdict", VerdictOf(&content->suite, &content->cases, &summary));
	JsonViewSet(body, "digest", ContentDigest(&suite_digest, &config_digest, &engine_digest, &content->cases, &summary));
	JsonViewSet(&reproduce, "evaluator", content->evaluator);
	JsonViewSet(body, "reproduce", reproduce);
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
}

/*
 * closure
 */

static bool
MemberIs(const JsonView *object, const char *key, const char *text)
{
	JsonView	member;

	return JsonViewGetMember(object, key, &member) && JsonViewStringIs(&member, text);
}

/* Does each row have a case, its digest and its position? */
static const char *
RowsProblem(const JsonView *cases, JsonView *digests)
{
	int			count = JsonViewCount(cases);
	Span	   *ids = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
	{
		char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);
		JsonView	row = JsonViewAt(cases, i);
		JsonView	test_case;
		JsonView	ordinal;
		int64		place;

		CHECK_FOR_INTERRUPTS();
		if (row.type != JVIEW_OBJECT || !JsonViewGetMember(&row, "case", &test_case) || test_case.type != JVIEW_OBJECT)
			return "a row has no case";
		ids[i] = JsonViewMemberText(&row, "id");
		if (ids[i].len == 0 || !SpanEqual(ids[i], JsonViewMemberText(&test_case, "id")))
			return "a row has another id than its case";
		if (!JsonViewGetMember(&row, "ordinal", &ordinal) || ordinal.type != JVIEW_NUMBER ||
			!NumberIntegerBetween(&ordinal, 1, PG_INT32_MAX, &place) || place != i + 1)
			return "the rows are not in their order";
		CanonicalDigest(&test_case, NULL, digest);
		if (!MemberIs(&row, "digest", digest))
			return "a case does not hash to its digest";
		JsonViewAppend(digests, JsonViewCString(digest));
	}
	qsort(ids, count, sizeof(Span), SpanOrderItems);
	for (int i = 1; i < count; i++)
	{
		if (SpanEqual(ids[i - 1], ids[i]))
			return "a case stands twice";
	}
	return NULL;
}

static const char *
RunClosureProblem(const JsonView *document)
{
	JsonView	digests = JsonViewNewArray(16);
	JsonView	suite;
	JsonView	documents;
	JsonView	now;
	JsonView	cases;
	JsonView	config;
	JsonView	reproduce;
	JsonView	evaluator;
	JsonView	summary;
	JsonView	readable;
	JsonView	stated[3];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	const char *problem;

	if (!JsonViewGetMember(document, "cases", &cases) || cases.type != JVIEW_ARRAY)
		return "cases is no array";
	problem = RowsProblem(&cases, &digests);
	if (problem)
		return problem;
	if (!JsonViewGetMember(document, "suite", &suite) || suite.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&suite, "documents", &documents) || documents.type != JVIEW_ARRAY ||
		!JsonViewGetMember(&suite, "now", &now))
		return "suite is malformed";
	SuiteDigest(&digests, &documents, &now, digest);
	if (!MemberIs(&suite, "digest", digest))
		return "the cases are not those of the suite";
	if (!JsonViewGetMember(document, "config", &config) || config.type != JVIEW_OBJECT)
		return "config is no object";
	readable = NumbersOfPortable(&config);
	if (!DecisionConfigIsWhole(&readable) &&
		!(IsEarlierDecision(document) && EarlierDecisionConfigIsWhole(&readable)))
		return "config is not a whole configuration";
	CanonicalDigest(&config, NULL, digest);
	if (!MemberIs(document, "config_digest", digest))
		return "config does not hash to config_digest";
	if (!JsonViewGetMember(document, "reproduce", &reproduce) || reproduce.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&reproduce, "evaluator", &evaluator) || evaluator.type != JVIEW_OBJECT)
		return "reproduce has no evaluator";
	EngineDigest(&evaluator, digest);
	if (!MemberIs(document, "engine_digest", digest))
		return "the evaluator does not hash to engine_digest";
	if (!JsonViewGetMember(document, "summary", &summary))
		return "summary is missing";
	(void) JsonViewGetMember(&suite, "digest", &stated[0]);
	(void) JsonViewGetMember(document, "config_digest", &stated[1]);
	(void) JsonViewGetMember(document, "engine_digest", &stated[2]);
	readable = ContentDigest(&stated[0], &stated[1], &stated[2], &cases, &summary);
	if (!MemberIs(document, "digest", readable.str))
		return "the content does not hash to digest";
	return NULL;
}

/*
 * replay
 */

static const char *
RunReplayProblem(const JsonView *document, JsonView *differences)
{
	JsonView	cases;
	JsonView	config;
	JsonView	insufficiency;
	JsonView	suite;
	JsonView	stated;
	JsonView	computed;
	ScoreTerms	terms;
	bool		same = true;

	if (!JsonViewGetMember(document, "cases", &cases) || cases.type != JVIEW_ARRAY ||
		!JsonViewGetMember(document, "config", &config) || !JsonViewGetMember(document, "suite", &suite) ||
		!JsonViewGetMember(document, "insufficiency", &insufficiency) ||
		!ScoreTermsRead(&config, &insufficiency, &terms))
		return "cases, config or insufficiency are malformed";
	terms.is_earlier = DocumentNamesRule(document, EARLIER_SCORE_RULE);
	for (int i = 0; i < JsonViewCount(&cases) && same; i++)
	{
		JsonView	row = JsonViewAt(&cases, i);
		JsonView	scores;
		bool		passed;

		CHECK_FOR_INTERRUPTS();
		scores = ScoreRow(&row, &terms, &passed);
		computed = JsonViewBool(passed);
		same = row.type == JVIEW_OBJECT && JsonViewGetMember(&row, "scores", &stated) && ReportIsSame(&stated, &scores) &&
			JsonViewGetMember(&row, "passed", &stated) && ReportIsSame(&stated, &computed);
	}
	if (!same)
		ReportDifference(differences, "cases");
	computed = RunMetrics(&cases, DocumentNamesRule(document, EARLIER_METRICS_RULE));
	if (!JsonViewGetMember(document, "summary", &stated) || !ReportIsSame(&stated, &computed))
		ReportDifference(differences, "summary");
	else
	{
		computed = VerdictOf(&suite, &cases, &stated);
		if (!JsonViewGetMember(document, "verdict", &stated) || !ReportIsSame(&stated, &computed))
			ReportDifference(differences, "verdict");
	}
	return JsonViewCount(differences) > 0 ? REPORT_DIFFERS : NULL;
}

/* Returns the report of a replay, which is also the step of verification. */
static JsonView
ReplayRun(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	report = ReportStep(RunReplayProblem(document, &differences));

	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

static bool
ReadRunColumns(const JsonView *body, KindColumns *columns)
{
	return JsonViewGetString(body, "verdict", &columns->verdict);
}

static const char *const run_members[] = {"suite", "config", "config_digest", "engine_digest", "insufficiency",
	"cases", "summary", "verdict", "digest", "reproduce", NULL};

const DocumentKind run_kind = {
	.schema = RUN_SCHEMA,
	.prefix = RUN_ID_PREFIX,
	.members = run_members,
	.closure_problem = RunClosureProblem,
	.verify_replay = ReplayRun,
	.replay = ReplayRun,
	.read_columns = ReadRunColumns,
	.quotes = "CASE WHEN r.schema OPERATOR(pg_catalog.=) '" RUN_SCHEMA "' THEN"
	" (r.body OPERATOR(pg_catalog.#>) '{suite,documents}') OPERATOR(pg_catalog.?|) " QUOTED_DIGESTS
	" AND pg_catalog.jsonb_path_exists(r.body, '$.cases[*].citations[*] ? (@ starts with $chunk)',"
	"  pg_catalog.jsonb_build_object('chunk', pg_catalog.concat($1, '#')), true) END"
};
