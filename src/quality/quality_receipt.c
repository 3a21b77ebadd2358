/*-------------------------------------------------------------------------
 *
 * quality_receipt.c
 *		The document quality/v1: a signed assessment of an investigation.
 *
 * Rule: doc/spec/quality.md §6.
 *
 * It contains the investigation, the rules, the entries with their observations, and the
 * assessment.  It is signed like any document of DF-VERIFY/1, and anybody who has it can assess
 * it again, as answer_verify and answer_replay do.
 *
 * A receipt is made from what the caller may read.  A document is not trusted: problems are
 * reported, never raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/tenant.h"
#include "document/mint.h"
#include "document/signed.h"
#include "evidence/grade.h"
#include "quality/investigation.h"
#include "quality/quality_receipt.h"
#include "quality/quality_tables.h"
#include "quality/subject.h"

#define QUALITY_SCHEMA			"quality/v1"
#define QUALITY_ID_PREFIX		"qua_"
#define QUALITY_RULE_PREFIX		"quality/"
#define QUALITY_RULES			3	/* 2 changed how observations are graded, 3 how subjects are found */
#define REPLAY_MAX_DIFFERENCES	100

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the observations are true. A receipt is never a certification.";

/*
 * minting
 */

/* Runs a query about an investigation of a tenant. */
static QueryRows
ReadAbout(FixedQuery *query, const text *tenant, int64 investigation)
{
	Datum		values[2] = {Int64GetDatum(investigation), PointerGetDatum(tenant)};

	return QueryRun(query, values, NULL, true, 0);
}

/* Returns a jsonb column, made portable. */
static JsonView
ColumnView(const SPITupleTable *table, uint64 row, int column)
{
	JsonView	view;
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	if (isnull)
		elog(ERROR, "an investigation has a column that is null");
	JsonViewOfJsonb(DatumGetJsonbP(datum), &view);
	return PortableCopy(&view);
}

/* An instant in the format of receipts, in a query. */
#define INSTANT_SQL(column) \
	"pg_catalog.to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"

/* Reads the current rules. */
static JsonView
ReadRules(const text *tenant)
{
	JsonView	rules = RulesDocument(tenant);

	return PortableCopy(&rules);
}

/* Reads the investigation. */
static JsonView
ReadInvestigation(const text *tenant, int64 investigation)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object("
		"'id', i.investigation, 'intent', i.intent, 'question', i.question, 'subject', i.subject,"
		" 'opened_at', " INSTANT_SQL("i.opened_at") ", 'closed_at', " INSTANT_SQL("i.closed_at") ","
		" 'closed_as', i.outcome)) FROM answer.investigation i"
		" WHERE i.investigation OPERATOR(pg_catalog.=) $1 AND i.tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {INT8OID, TEXTOID}
	};
	QueryRows	rows;

	rows = ReadAbout(&query, tenant, investigation);
	if (rows.count == 0)
		UnknownInvestigation(investigation);
	return ColumnView(rows.table, 0, 1);
}

/* Reads its entries, in an order that depends only on their content. */
static JsonView
ReadEntries(const text *tenant, int64 investigation)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.jsonb_build_object('class', e.class, 'tool', e.tool, 'query', e.query,"
		" 'target', e.target, 'run', e.run, 'quality', e.quality, 'strength', e.strength,"
		" 'sources', e.sources, 'match_count', e.match_count, 'exact_match_count', e.exact_match_count,"
		" 'phrase_match', e.phrase_match, 'reason', e.reason, 'recorded_at', " INSTANT_SQL("e.recorded_at") ","
		" 'digest', e.digest, 'observation', e.observation) FROM answer.quality_entry e"
		" WHERE e.investigation OPERATOR(pg_catalog.=) $1 AND e.tenant OPERATOR(pg_catalog.=) $2"
		" ORDER BY e.entry",
		.argtypes = {INT8OID, TEXTOID}
	};
	JsonView	entries;
	QueryRows	rows;

	rows = ReadAbout(&query, tenant, investigation);
	entries = JsonViewNewArray(rows.count);
	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&entries, ColumnView(rows.table, i, 1));
	}
	return entries;
}

/* Returns the index of a word in a vocabulary, under a key, or -1. */
static int
WordOf(const JsonView *object, const char *key, VocabularyLabels labels)
{
	Span		word;

	if (!JsonViewGetString(object, key, &word))
		return -1;
	return VocabularyByLabel(labels, word.str, word.len);
}

/* Reads the sources of an entry in a receipt. */
static void
SourcesOfView(const JsonView *view, AssessInput *input)
{
	JsonView	array;
	Span	   *sources;

	if (!JsonViewGetMember(view, "sources", &array) || array.type != JVIEW_ARRAY)
		return;
	input->nsources = JsonViewCount(&array);
	sources = palloc_extended(sizeof(Span) * (Size) Max(input->nsources, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < input->nsources; i++)
	{
		JsonView	source = JsonViewAt(&array, i);

		CHECK_FOR_INTERRUPTS();
		sources[i] = source.type == JVIEW_STRING ? SpanOf(source.str, source.len) : SpanOfCString("");
	}
	input->sources = sources;
}

/* Reads an entry of a receipt. Returns NULL, or what is wrong with it. */
static const char *
EntryOfView(const JsonView *view, AssessInput *input)
{
	int			quality = WordOf(view, "quality", quality_labels);
	int			strength = WordOf(view, "strength", strength_labels);
	uint8	   *address;

	memset(input, 0, sizeof(*input));
	if (view->type != JVIEW_OBJECT)
		return "an entry is no object";
	if (quality < 0 || strength < 0)
		return "an entry has no quality or no strength";
	if (quality == QUALITY_VERIFIED)
		return "an entry says it is Verified";
	input->class_name = JsonViewMemberText(view, "class");
	input->tool = JsonViewMemberText(view, "tool");
	input->query = JsonViewMemberText(view, "query");
	input->target = JsonViewMemberText(view, "target");
	input->reason = JsonViewMemberText(view, "reason");
	input->quality = (Quality) quality;
	input->strength = (Strength) strength;
	SourcesOfView(view, input);
	if (!JsonViewGetMember(view, "observation", &input->observation))
		return "an entry has no observation";
	address = palloc(SHA256_LENGTH);
	EntryAddress(&(EntryContent) {input->tool, input->query, input->target, JsonViewMemberText(view, "run")},
				 &input->observation, address);
	input->address = (Span) {(const char *) address, SHA256_LENGTH};
	return NULL;
}

/* Returns the version of the rules by which a document was made; the default applies if it does not say. */
static int
QualityRulesOf(const JsonView *document)
{
	for (int number = 1; number < QUALITY_RULES; number++)
	{
		if (DocumentNamesRule(document, psprintf(QUALITY_RULE_PREFIX "%d", number)))
			return number;
	}
	return QUALITY_RULES;
}

/* Why a document cannot be assessed again if its rules of reading are neither in it nor shipped. */
static const char rules_are_not_here[] = "the rules of reading are not here";

/* Reads the digest of the rules by which the texts of a document are read; false if it names none. */
static bool
ReadingRulesDigest(const JsonView *document, Span *digest)
{
	JsonView	view;

	return JsonViewGetMember(document, "reproduce", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetMember(&view, "evaluator", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetMember(&view, "digests", &view) && view.type == JVIEW_OBJECT &&
		JsonViewGetString(&view, "reading_rules", digest) &&
		IsDigestText(digest->str, digest->len);
}

/*
 * Returns the rules by which the texts of a document are read, if its subject is
 * made of items.  The document names shipped rules by digest, and contains others.
 * NULL if there are none.
 */
static const DecisionRules *
ReadingRulesOf(const JsonView *document, const char **problem)
{
	JsonView	view;
	const DecisionRules *rules;
	Span		digest;

	*problem = NULL;
	if (!JsonViewGetMember(document, "reading_rules", &view))
	{
		if (!ReadingRulesDigest(document, &digest))
			return NULL;
		rules = ShippedRulesWithDigest(digest);
		if (rules == NULL)
			*problem = rules_are_not_here;
		return rules;
	}
	rules = DecisionRulesParse(&view, problem);
	if (rules == NULL)
		*problem = psprintf("the rules of reading are malformed: %s", *problem);
	return rules;
}

/*
 * Assesses the entries of a document by its rules, and sets "result".  Returns
 * NULL, or why that is not possible.
 */
static const char *
AssessDocument(const JsonView *document, JsonView *result)
{
	JsonView	rules_view;
	JsonView	investigation;
	JsonView	entries;
	QualityRules *rules;
	AssessState *state;
	Assessment	assessment;
	Goal		goal;
	const char *problem;

	if (!JsonViewGetMember(document, "rules", &rules_view) ||
		!JsonViewGetMember(document, "investigation", &investigation) ||
		!JsonViewGetMember(document, "entries", &entries) || entries.type != JVIEW_ARRAY)
		return "rules, investigation or entries are missing";
	rules = RulesParse(&rules_view, &problem);
	if (rules == NULL)
		return psprintf("the rules are malformed: %s", problem);
	goal = (Goal) {
		.intent = JsonViewMemberText(&investigation, "intent"),
		.question = JsonViewMemberText(&investigation, "question"),
		.subject = JsonViewMemberText(&investigation, "subject"),
		.reading = ReadingRulesOf(document, &problem),
		.subject_rules = QualityRulesOf(document) < QUALITY_RULES ? FIRST_SUBJECT_RULES : SUBJECT_RULES
	};
	if (problem)
		return problem;
	if (goal.subject.len > SUBJECT_MAX_SIZE)
		return "the subject is too long";
	state = AssessBegin(rules, &goal);
	if (state == NULL)
		return "the rules do not know the intent";
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry = JsonViewAt(&entries, i);
		AssessInput input;

		CHECK_FOR_INTERRUPTS();
		problem = EntryOfView(&entry, &input);
		if (problem)
			return problem;
		AssessAdd(state, &input);
	}
	AssessFinish(state, &assessment);
	AssessmentSet(result, &assessment);
	return NULL;
}

/* Does the investigation have a subject made of items, which needs rules of reading? */
static bool
SeeksItems(const JsonView *investigation, const JsonView *rules)
{
	QuestionSubject asked = SubjectOfQuestion(ShippedDecisionRules(), &RulesOfView(rules)->question_form,
											  JsonViewMemberText(investigation, "question"));

	return asked.items && asked.text.len > 0 && SpanEqual(asked.text, JsonViewMemberText(investigation, "subject"));
}

static void
SetDigest(JsonView *digests, const char *name, const JsonView *document)
{
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigest(document, NULL, digest);
	JsonViewSet(digests, name, JsonViewCString(digest));
}

/* Returns the rules by which it was made; those of reading may be absent. */
static JsonView
AssessmentReproducedBy(const JsonView *rules_document, const JsonView *reading_rules)
{
	JsonView	rules = JsonViewNewArray(1);
	JsonView	digests = JsonViewNewObject(2);

	JsonViewAppend(&rules, JsonViewCString(psprintf(QUALITY_RULE_PREFIX "%d", QUALITY_RULES)));
	SetDigest(&digests, "quality_rules", rules_document);
	if (reading_rules->type != JVIEW_ABSENT)
		SetDigest(&digests, "reading_rules", reading_rules);
	return ReproduceView(rules, digests, false);
}

/* answer_quality_receipt(investigation) */
PG_FUNCTION_INFO_V1(answer_eval_quality_receipt);
Datum
answer_eval_quality_receipt(PG_FUNCTION_ARGS)
{
	static FixedQuery look = INVESTIGATION_QUERY("");
	MemoryContext caller = CurrentMemoryContext;
	Minting		minting = {.kind = &quality_kind};
	JsonView   *body = &minting.body;
	JsonView	goal;
	JsonView	reading_rules = {.type = JVIEW_ABSENT};
	JsonView	rules;
	Datum		outcome;
	text	   *tenant = CurrentTenant();
	TenantReading reading;
	Oid			user = GetUserId();
	SigningKey	key;
	int64		investigation;
	Span		digest;
	const char *problem;
	Jsonb	   *stored;
	Jsonb	   *result;

	RequireArgument(fcinfo, 0, "investigation");
	RequirePrimary("answer_quality_receipt()");
	investigation = PG_GETARG_INT64(0);
	SPI_connect();
	AS_OWNER((void) LockInvestigation(&look, tenant, investigation, user, &outcome));
	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	minting.begun_at = minting.issued_at;
	minting.tenant = tenant;
	minting.body = DocumentBegin(&quality_kind, tenant, minting.issued_at);
	/* one snapshot for everything, which sees what this statement has recorded or closed */
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	TenantReadBegin(&reading);
	goal = ReadInvestigation(tenant, investigation);
	JsonViewSet(body, "investigation", goal);
	rules = ReadRules(tenant);
	if (SeeksItems(&goal, &rules))
	{
		JsonView	shipped = WritableShippedDocument();

		reading_rules = PortableCopy(&shipped);
	}
	JsonViewSet(body, "rules", rules);
	JsonViewSet(body, "entries", ReadEntries(tenant, investigation));
	TenantReadEnd(&reading);
	PopActiveSnapshot();
	JsonViewSet(body, "reproduce", AssessmentReproducedBy(&rules, &reading_rules));
	/* rules stored without a sign that this database cannot write are not the shipped ones that others know */
	if (reading_rules.type != JVIEW_ABSENT && ReadingRulesDigest(body, &digest) && ShippedRulesWithDigest(digest) == NULL)
		JsonViewSet(body, "reading_rules", reading_rules);
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
	problem = AssessDocument(body, body);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("investigation " INT64_FORMAT " cannot be assessed: %s", investigation, problem)));
	stored = DocumentMint(&minting);
	result = MemoryContextAllocHuge(caller, VARSIZE(stored));
	memcpy(result, stored, VARSIZE(stored));
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}

/*
 * replay
 */

static void
AddDifference(JsonView *differences, const char *field, int entry, const char *reason)
{
	JsonView	difference;

	if (JsonViewCount(differences) >= REPLAY_MAX_DIFFERENCES)
		return;
	difference = JsonViewNewObject(3);
	JsonViewSet(&difference, "field", JsonViewCString(field));
	if (entry >= 0)
		JsonViewSet(&difference, "entry", JsonViewInteger(entry));
	JsonViewSet(&difference, "reason", JsonViewCString(reason));
	JsonViewAppend(differences, difference);
}

static bool
SameText(const JsonView *a, const JsonView *b)
{
	StringInfoData left;
	StringInfoData right;

	initStringInfo(&left);
	initStringInfo(&right);
	CanonicalWrite(&left, a, NULL);
	CanonicalWritePortable(&right, b);
	return left.len == right.len && memcmp(left.data, right.data, left.len) == 0;
}

/* Do the matches in an entry agree with its observation? */
static bool
SaysMatches(const JsonView *entry, const Grade *grade)
{
	JsonView	count = JsonViewInteger(grade->match_count);
	JsonView	exact = JsonViewInteger(grade->exact_match_count);
	JsonView	phrase = JsonViewBool(grade->is_phrase);
	JsonView	stated;

	return JsonViewGetMember(entry, "match_count", &stated) && SameText(&stated, &count) &&
		JsonViewGetMember(entry, "exact_match_count", &stated) && SameText(&stated, &exact) &&
		JsonViewGetMember(entry, "phrase_match", &stated) && SameText(&stated, &phrase);
}

/* Grades the entries of shipped tools again, and checks all digests. */
static void
ReplayEntries(const JsonView *document, JsonView *differences)
{
	int			rules = Min(QualityRulesOf(document), GRADE_RULES);
	JsonView	entries;

	if (!JsonViewGetMember(document, "entries", &entries) || entries.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry = JsonViewAt(&entries, i);
		JsonView	observation;
		JsonView	stated;
		Grade		grade;
		GradeError	error;
		GradeStatus status;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		if (!JsonViewGetMember(&entry, "observation", &observation))
			continue;
		CanonicalDigest(&observation, NULL, digest);
		JsonViewGetMember(&entry, "digest", &stated);
		if (!JsonViewStringIs(&stated, digest))
			AddDifference(differences, "digest", i, "is not that of the observation");
		status = GradeObservationBy(rules, JsonViewMemberText(&entry, "tool"), &observation, &grade, &error);
		if (status == GRADE_MALFORMED)
			AddDifference(differences, "observation", i, "is none of that tool");
		if (status != GRADE_OK)
			continue;
		JsonViewGetMember(&entry, "class", &stated);
		if (!JsonViewStringIs(&stated, grade.class_name))
			AddDifference(differences, "class", i, "is not that of the tool");
		if (WordOf(&entry, "quality", quality_labels) != (int) grade.quality)
			AddDifference(differences, "quality", i, psprintf("its grader says %s", quality_labels[grade.quality]));
		if (WordOf(&entry, "strength", strength_labels) != (int) grade.strength)
			AddDifference(differences, "strength", i, psprintf("its grader says %s", strength_labels[grade.strength]));
		if (!SaysMatches(&entry, &grade))
			AddDifference(differences, "match_count", i, "is not what the observation says of its matches");
	}
}

/* Assesses a document again. Returns NULL, or what is wrong, with the differences. */
static const char *
ReplayAssessment(const JsonView *document, JsonView *differences)
{
	static const char *const fields[] = {"outcome", "complete", "confidence", "classes", "gap"};
	JsonView	assessed = JsonViewNewObject(5);
	const char *problem = AssessDocument(document, &assessed);

	if (problem)
		return problem;
	ReplayEntries(document, differences);
	for (size_t i = 0; i < lengthof(fields); i++)
	{
		JsonView	stated;
		JsonView	recomputed = JsonViewUnder(&assessed, fields[i]);

		if (!JsonViewGetMember(document, fields[i], &stated) ||
			!SameText(&stated, &recomputed))
			AddDifference(differences, fields[i], -1, "recomputing gives something else");
	}
	return JsonViewCount(differences) > 0 ? "recomputing gives something else" : NULL;
}

/* Returns the report of a replay, which is also the step of verification. */
static JsonView
ReplayQuality(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	report;
	Span		digest;
	const char *problem = ReplayAssessment(document, &differences);

	if (problem == rules_are_not_here && ReadingRulesDigest(document, &digest))
	{
		report = ReportStep(NULL);
		JsonViewSet(&report, "incomplete", JsonViewCString(psprintf("rules %.*s", digest.len, digest.str)));
		return report;
	}
	report = ReportStep(problem);
	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

/* Does each entry have an observation with the digest that names it? */
static const char *
QualityClosureProblem(const JsonView *document)
{
	JsonView	entries;

	if (!JsonViewGetMember(document, "entries", &entries) || entries.type != JVIEW_ARRAY)
		return "entries is no array";
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry = JsonViewAt(&entries, i);
		JsonView	observation;
		JsonView	stated;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		if (!JsonViewGetMember(&entry, "observation", &observation))
			return "an entry has no observation";
		CanonicalDigest(&observation, NULL, digest);
		JsonViewGetMember(&entry, "digest", &stated);
		if (!JsonViewStringIs(&stated, digest))
			return "an observation does not hash to its digest";
	}
	return NULL;
}

static bool
ReadQualityColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	investigation = JsonViewUnder(body, "investigation");

	(void) JsonViewGetString(&investigation, "intent", &columns->intent);
	return JsonViewGetString(body, "outcome", &columns->verdict);
}

static const char *const quality_members[] = {"investigation", "rules", "entries", "outcome", NULL};

const DocumentKind quality_kind = {
	.schema = QUALITY_SCHEMA,
	.prefix = QUALITY_ID_PREFIX,
	.members = quality_members,
	.closure_problem = QualityClosureProblem,
	.verify_replay = ReplayQuality,
	.replay = ReplayQuality,
	.read_columns = ReadQualityColumns
};
