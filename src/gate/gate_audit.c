/*-------------------------------------------------------------------------
 *
 * gate_audit.c
 *		The audit of stored suites, baselines and runs.
 *
 * Suites and baselines have signed records with their digests from when they were loaded
 * (sql/change.sql); here the rows are compared with the digest.  The progress of an unfinished
 * run is signed, and is checked as in resuming it.  A finished run is its document; how long
 * its cases took is not signed.
 *
 * Promises: those of log/audit.c, because it is part of an audit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/rfc3339.h"
#include "gate/suite_case.h"
#include "gate/gate_audit.h"
#include "keys/ed25519.h"
#include "keys/keyring.h"
#include "log/log_table.h"

/* Prefix of what is signed about an unfinished run, so that the signature is valid for nothing else. */
#define WORK_PREFIX			"answer_eval run-work/1 "

#define DOCUMENT_SET_DIGITS	40

/* unfinished runs */

static void
AppendSpan(JsonView *array, Span text)
{
	JsonViewAppend(array, JsonViewString(text.str, text.len));
}

void
WorkTermsWrite(const WorkTerms *terms, StringInfo text)
{
	JsonView	statement = JsonViewNewArray(8);

	AppendSpan(&statement, terms->tenant);
	AppendSpan(&statement, terms->role);
	AppendSpan(&statement, terms->id);
	AppendSpan(&statement, terms->suite_digest);
	AppendSpan(&statement, terms->config_digest);
	AppendSpan(&statement, terms->engine_digest);
	JsonViewAppend(&statement, JsonViewInteger(terms->done));
	AppendSpan(&statement, terms->chain);
	initStringInfo(text);
	appendStringInfoString(text, WORK_PREFIX);
	CanonicalWrite(text, &statement, NULL);
}

void
WorkChain(char *chain, const JsonView *row)
{
	JsonView	link = JsonViewNewArray(2);

	JsonViewAppend(&link, JsonViewCString(chain));
	JsonViewAppend(&link, *row);
	CanonicalDigest(&link, NULL, chain);
}

static const char *
WorkSignatureProblem(const WorkTerms *terms, Span key_id, Span sig)
{
	uint8		public_key[ED25519_KEY_LENGTH];
	uint8		signature[ED25519_SIGNATURE_LENGTH];
	StringInfoData text;

	if (!RegistryPublicKey(pnstrdup(key_id.str, key_id.len), public_key))
		return "its key is not in the registry";
	WorkTermsWrite(terms, &text);
	if (Base64UrlDecode(sig, signature, sizeof(signature)) != sizeof(signature) ||
		!SignatureVerify(public_key, text.data, text.len, signature))
		return "it is not what was signed";
	return NULL;
}

enum
{
	WORK_ID = 1,
	WORK_TENANT,
	WORK_SUITE_DIGEST,
	WORK_CONFIG_DIGEST,
	WORK_ENGINE_DIGEST,
	WORK_DONE,
	WORK_CHAIN,
	WORK_KEY_ID,
	WORK_SIG,
	WORK_ROWS,
	WORK_HAS_SUITE,
	WORK_ROLE
};

/* Returns what is wrong with an unfinished run, or NULL. */
static const char *
WorkProblem(const AuditRow *row)
{
	WorkTerms	terms = {.tenant = RowSpan(row, WORK_TENANT),.id = RowSpan(row, WORK_ID),
		.suite_digest = RowSpan(row, WORK_SUITE_DIGEST),.config_digest = RowSpan(row, WORK_CONFIG_DIGEST),
		.engine_digest = RowSpan(row, WORK_ENGINE_DIGEST),.done = TupleInt64(row->tuple, row->desc, WORK_DONE),
	.chain = RowSpan(row, WORK_CHAIN),.role = RowSpan(row, WORK_ROLE)};
	char		chain[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	rows;

	if (!RowView(row, WORK_ROWS, &rows) || JsonViewCount(&rows) != terms.done)
		return "it has not the cases that it had";
	if (terms.suite_digest.len != DIGEST_TEXT_LENGTH)
		return "its suite has no digest";
	memcpy(chain, terms.suite_digest.str, DIGEST_TEXT_LENGTH);
	for (int i = 0; i < JsonViewCount(&rows); i++)
	{
		JsonView	entry = JsonViewAt(&rows, i);
		JsonView	stated;
		int64		place;

		CHECK_FOR_INTERRUPTS();
		if (!JsonViewGetMember(&entry, "ordinal", &stated) || !NumberIntegerBetween(&stated, i + 1, i + 1, &place))
			return psprintf("case %d is another one", i + 1);
		WorkChain(chain, &entry);
	}
	if (!SpanEqualCString(terms.chain, chain))
		return "its cases are not those that it had";
	if (!SpanEqualCString(RowSpan(row, WORK_HAS_SUITE), "true"))
		return "it is not of a version of its suite";
	return WorkSignatureProblem(&terms, RowSpan(row, WORK_KEY_ID), RowSpan(row, WORK_SIG));
}

static void
AuditWork(Audit *audit, AuditRow *row)
{
	const char *problem = WorkProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed", psprintf("unfinished run %s: %s", RowString(row, WORK_ID), problem));
}

/*
 * suites
 */

/* Reads the digests of the cases; false if a case does not have its position and id. */
static bool
ReadCases(const JsonView *cases, JsonView *digests)
{
	*digests = JsonViewNewArray(Max(JsonViewCount(cases), 1));
	for (int i = 0; i < JsonViewCount(cases); i++)
	{
		JsonView	entry = JsonViewAt(cases, i);
		JsonView	ordinal = JsonViewUnder(&entry, "ordinal");
		JsonView	id = JsonViewUnder(&entry, "id");
		JsonView	body = JsonViewUnder(&entry, "body");
		int64		place;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		if (!NumberIntegerBetween(&ordinal, i + 1, i + 1, &place) || body.type != JVIEW_OBJECT ||
			!SpanEqual(JsonViewMemberText(&body, "id"), SpanOf(id.str, id.len)))
			return false;
		CaseDigest(&body, digest);
		JsonViewAppend(digests, JsonViewCString(pstrdup(digest)));
	}
	return true;
}

/* Is it the key of the documents with these hashes? */
static bool
IsDocumentSet(Span set, Span tenant, const JsonView *documents, bool seed)
{
	JsonView	parts = JsonViewNewArray(3);
	char		digest[DIGEST_TEXT_LENGTH + 1];

	AppendSpan(&parts, tenant);
	JsonViewAppend(&parts, *documents);
	JsonViewAppend(&parts, JsonViewBool(seed));
	CanonicalDigest(&parts, NULL, digest);
	return set.len == 1 + DOCUMENT_SET_DIGITS && set.str[0] == '#' &&
		memcmp(set.str + 1, digest + strlen(DIGEST_PREFIX), DOCUMENT_SET_DIGITS) == 0;
}

enum
{
	SUITE_NAME = 1,
	SUITE_VERSION,
	SUITE_TENANT,
	SUITE_DIGEST,
	SUITE_NOW,
	SUITE_COUNT,
	SUITE_DOCUMENTS,
	SUITE_DOCUMENT_SET,
	SUITE_SEED,
	SUITE_CASES
};

/* Returns what is wrong with a version of a suite, or NULL. */
static const char *
SuiteProblem(const AuditRow *row)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char		instant[INSTANT_SIZE];
	TimestampTz now;
	JsonView	documents;
	JsonView	cases;
	JsonView	digests;
	JsonView	now_view;

	if (!RowView(row, SUITE_DOCUMENTS, &documents) || !RowView(row, SUITE_CASES, &cases) ||
		!RowInstant(row, SUITE_NOW, &now) || !InstantIsWritable(now))
		return "it is nothing that can be loaded";
	if (!ReadCases(&cases, &digests) || JsonViewCount(&digests) != TupleInt64(row->tuple, row->desc, SUITE_COUNT))
		return "its cases are not those that were loaded";
	InstantFormat(now, instant);
	now_view = JsonViewCString(instant);
	SuiteDigest(&digests, &documents, &now_view, digest);
	if (!SpanEqualCString(RowSpan(row, SUITE_DIGEST), digest))
		return "its cases, documents and clock do not hash to its digest";
	if (!IsDocumentSet(RowSpan(row, SUITE_DOCUMENT_SET), RowSpan(row, SUITE_TENANT), &documents,
					   SpanEqualCString(RowSpan(row, SUITE_SEED), "true")))
		return "column document_set is not that of its documents";
	return NULL;
}

static void
AuditSuite(Audit *audit, AuditRow *row)
{
	const char *problem = SuiteProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("suite %s, version %s: %s", RowString(row, SUITE_NAME), RowString(row, SUITE_VERSION), problem));
}

/*
 * baselines
 */

static void
AuditBaseline(Audit *audit, AuditRow *row)
{
	char		digest[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	rows;

	if (RowView(row, 5, &rows) && JsonViewCount(&rows) == TupleInt64(row->tuple, row->desc, 4))
		CanonicalDigestPortable(&rows, digest);
	if (!SpanEqualCString(RowSpan(row, 3), digest))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("baseline %s, version %s: its rows do not hash to its digest",
							 RowString(row, 1), RowString(row, 2)));
}

static const char *const queries[] = {
	"SELECT NULL, 'extra', format('case %s of suite %s, version %s: there is no such version', c.ordinal, c.suite, c.version) FROM answer.suite_case c"
	" LEFT JOIN answer.suite s ON s.tenant = c.tenant AND s.name = c.suite AND s.version = c.version WHERE s.name IS NULL"
	" ORDER BY c.suite COLLATE \"C\", c.version, c.ordinal",
	"SELECT NULL, 'extra', format('baseline %s, version %s: there are %s rows of it, and no such version', r.name, r.version, count(*)) FROM answer.baseline_row r"
	" LEFT JOIN answer.baseline b ON b.tenant = r.tenant AND b.name = r.name AND b.version = r.version WHERE b.name IS NULL"
	" GROUP BY r.tenant, r.name, r.version ORDER BY r.name, r.version",
	"SELECT NULL, 'extra', format('there are %s cases of the unfinished run %s, which is not there', count(*), c.work_id) FROM answer.run_work_case c"
	" LEFT JOIN answer.run_work w ON w.tenant = c.tenant AND w.work_id = c.work_id WHERE w.work_id IS NULL"
	" GROUP BY c.tenant, c.work_id ORDER BY c.work_id COLLATE \"C\"",
	/* durations are stored next to each run's document */
	"SELECT NULL, CASE WHEN t.run_id IS NULL THEN 'missing' WHEN r.receipt_id IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('run %s: how long its cases took %s', coalesce(t.run_id, r.receipt_id), CASE WHEN t.run_id IS NULL THEN 'is gone'"
	"  WHEN r.receipt_id IS NULL THEN 'is told, and there is no such run' ELSE 'is not told of each case' END)"
	" FROM answer.run_timing t FULL JOIN (SELECT tenant, receipt_id, issued_at, body FROM answer.receipt WHERE schema = 'run/v1') r"
	"  ON r.tenant = t.tenant AND r.receipt_id = t.run_id"
	/* its document can have been detached */
	" WHERE t.run_id IS NULL OR (r.receipt_id IS NULL AND (NOT EXISTS (SELECT FROM answer.log_leaf l WHERE l.receipt_id = t.run_id)"
	"   OR EXISTS (SELECT FROM answer.receipt o WHERE o.receipt_id = t.run_id)))"
	"  OR (r.body ->> 'schema' = 'run/v1' AND (cardinality(t.took) <> jsonb_array_length(r.body -> 'cases') OR t.started_at > r.issued_at))"
	" ORDER BY coalesce(t.run_id, r.receipt_id) COLLATE \"C\"",
	/* a sample must be an answer given in the stage for which it counts */
	"SELECT NULL, 'extra', format('sample %s of environment %s%s is %s', s.receipt_id, s.environment, ' of tenant ' || nullif(s.tenant, ''),"
	"  CASE WHEN c.revision IS NULL THEN 'of a stage that no record tells of' ELSE 'no decision that is stored' END)"
	" FROM answer.config_sample s"
	" LEFT JOIN answer.config_step c ON c.tenant = s.tenant AND c.environment = s.environment AND c.revision = s.revision"
	" LEFT JOIN answer.receipt r ON r.tenant = s.asked_by AND r.receipt_id = s.receipt_id AND r.issued_at = s.issued_at AND r.schema = 'decision/v1'"
	" WHERE c.revision IS NULL OR c.issued_at > s.issued_at"
	/* its receipt can have been detached */
	"  OR (r.receipt_id IS NULL AND (NOT EXISTS (SELECT FROM answer.log_leaf l WHERE l.receipt_id = s.receipt_id AND l.issued_at = s.issued_at)"
	"   OR EXISTS (SELECT FROM answer.receipt o WHERE o.receipt_id = s.receipt_id AND o.issued_at = s.issued_at)))"
	" ORDER BY s.environment, s.receipt_id"
};

/* Sessions use the records of environments; the heads only say that there was a move. */
static const char environment_query[] =
"SELECT NULL, 'configuration', format('environment %s%s: its last move was revision %s, and its newest record is %s',"
"  h.environment, ' of tenant ' || nullif(h.tenant, ''), h.revision, coalesce(max(c.revision)::text, 'gone'))"
" FROM answer.environment_head h LEFT JOIN answer.change c"
"  ON c.kind = 'environment' AND c.name = h.environment AND c.tenant = h.tenant"
" GROUP BY h.tenant, h.environment, h.revision HAVING max(c.revision) IS DISTINCT FROM h.revision"
" ORDER BY h.tenant, h.environment";

/* A suite names the documents that it was loaded with; those that the tenant has forgotten may be missing. */
static const char *const suite_queries[] = {
	"SELECT NULL, 'missing', format('suite %s, version %s, of tenant \"%s\": a document of it is not what was loaded with it', s.name, s.version, s.tenant)"
	" FROM answer.suite s CROSS JOIN LATERAL jsonb_array_elements_text(CASE jsonb_typeof(s.documents) WHEN 'array' THEN s.documents ELSE '[]' END) h (hash)"
	" WHERE NOT EXISTS (SELECT FROM answer.document d WHERE d.tenant = s.document_set AND d.content_hash = h.hash AND d.version = 1)"
	" AND NOT EXISTS (SELECT FROM answer.tombstone t WHERE t.tenant = s.tenant AND t.digest = h.hash)"
	" GROUP BY s.tenant, s.name, s.version ORDER BY s.tenant COLLATE \"C\", s.name COLLATE \"C\", s.version",
	"SELECT NULL, 'extra', format('document %s of \"%s\" is of no suite', d.doc_id, d.tenant) FROM answer.document d"
	" WHERE starts_with(d.tenant, '#') AND NOT EXISTS (SELECT FROM answer.suite s WHERE s.document_set = d.tenant AND s.documents ? d.content_hash)"
	" ORDER BY d.tenant COLLATE \"C\", d.doc_id COLLATE \"C\"",
	"SELECT NULL, 'extra', format('chunk %s of \"%s\" has an embedding, and is a suite''s', e.chunk_id, e.tenant) FROM answer.chunk_embedding e"
	" WHERE starts_with(e.tenant, '#') ORDER BY e.tenant COLLATE \"C\", e.chunk_id COLLATE \"C\"",
	NULL
};

static const char *const unregistered[] = {
	"SELECT DISTINCT 'documents', document_set FROM answer.suite",
	NULL
};

static const char *const shipped[] = {
	/* the digest covers its clock and documents; a release that changes a suite ships it as a new version */
	"SELECT 'suite', to_jsonb(t.name), jsonb_build_array(t.tenant, t.version, t.digest, t.cases, t.document_set)::text"
	" FROM (SELECT DISTINCT ON (tenant, name) * FROM answer.suite WHERE seed ORDER BY tenant, name, version DESC) t",
	NULL
};

static void
AuditGate(Audit *audit, bool whole, bool functions_good)
{
	if (functions_good)
		AuditQueryAsOwner(audit, environment_query);
	if (!whole)
		return;
	for (size_t i = 0; i < lengthof(queries); i++)
		AuditForEachRow(audit, queries[i], 0, NULL, AuditReportRow);
	AuditForEachRow(audit,
					"SELECT s.name, s.version, s.tenant, s.digest, s.now, s.cases::int8, s.documents, s.document_set, s.seed::text,"
					" (SELECT coalesce(jsonb_agg(jsonb_build_object('ordinal', c.ordinal, 'id', c.case_id, 'body', c.body) ORDER BY c.ordinal), '[]')"
					"  FROM answer.suite_case c WHERE c.tenant = s.tenant AND c.suite = s.name AND c.version = s.version)"
					" FROM answer.suite s ORDER BY s.name COLLATE \"C\", s.version",
					0, NULL, AuditSuite);
	AuditForEachRow(audit,
					"SELECT b.name, b.version, b.digest, b.questions::int8, (SELECT coalesce(jsonb_agg(jsonb_build_object('question', r.question,"
					"  'answered', r.answered, 'cited', r.cited, 'contradictory', r.contradictory, 'latency_ms', r.latency_ms, 'cost_usd', r.cost_usd)"
					"  ORDER BY r.question COLLATE \"C\"), '[]') FROM answer.baseline_row r"
					"  WHERE r.tenant = b.tenant AND r.name = b.name AND r.version = b.version)"
					" FROM answer.baseline b ORDER BY b.name, b.version",
					0, NULL, AuditBaseline);
	AuditForEachRow(audit,
					"SELECT w.work_id, w.tenant, w.suite_digest, w.config_digest, w.engine_digest, w.done::int8, w.chain, w.key_id, w.sig,"
					" (SELECT coalesce(jsonb_agg(CASE WHEN c.body ->> 'ordinal' = c.ordinal::text THEN c.body ELSE 'null' END ORDER BY c.ordinal), '[]') FROM answer.run_work_case c WHERE c.tenant = w.tenant AND c.work_id = w.work_id),"
					" EXISTS (SELECT FROM answer.suite s WHERE s.name = w.suite AND s.version = w.version AND s.digest = w.suite_digest"
					"  AND s.cases = w.cases AND (s.tenant = w.tenant OR s.seed))::text,"
					" encode(convert_to(w.role, getdatabaseencoding()), 'hex')"
					" FROM answer.run_work w ORDER BY w.work_id COLLATE \"C\"",
					0, NULL, AuditWork);
}

const AuditPart gate_audit = {
	.queries = suite_queries,
	.unregistered = unregistered,
	.shipped = shipped,
	.walk = AuditGate
};
