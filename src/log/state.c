/*-------------------------------------------------------------------------
 *
 * state.c
 *		The audit of what is stored beside receipts and log.
 *
 * A verdict rests on more than its receipt: on the
 * keys that verify it, the readings that were cited, the tables that routed it,
 * the tombstone in its place, the anchor under it, the witnesses' lines.  Much
 * of it names itself by its digest, or is signed: that is computed anew here, row
 * by row.  What an administrator configures has no digest of its own; it is held
 * against the signed documents that tell each change of it (answer.change).
 *
 * Promises: as audit.c's, for it is part of an audit.  No function that is
 * stored in the database is called with the rights of whoever audits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "base/spi_query.h"
#include "document/anchor.h"
#include "document/chain.h"
#include "document/store.h"
#include "evidence/fact.h"
#include "evidence/grade.h"
#include "keys/keyring.h"
#include "log/audit.h"
#include "log/log_table.h"
#include "log/proof.h"
#include "log/recorded.h"
#include "route/route.h"

/*
 * columns
 */

/* What is stored may be bytes that are no text: see UncheckedUtf8 in seal.c. */
Span
RowSpan(const AuditRow *row, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(row->tuple, row->desc, column, &isnull);
	text	   *value;

	if (isnull)
		return (Span) {"", 0};
	value = DatumGetTextPP(datum);
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return (Span) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
	return Utf8OfText(value);
}

char *
RowString(const AuditRow *row, int column)
{
	return SPI_getvalue(row->tuple, row->desc, column);
}

bool
RowInstant(const AuditRow *row, int column, TimestampTz *instant)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(row->tuple, row->desc, column, &isnull);

	*instant = isnull ? 0 : DatumGetTimestampTz(datum);
	return !isnull;
}

/* A column of jsonb; false if it is null or hashes to nothing. */
bool
RowView(const AuditRow *row, int column, JsonView *view)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(row->tuple, row->desc, column, &isnull);

	memset(view, 0, sizeof(*view));
	if (isnull || !JsonbIsReadable(DatumGetJsonbP(datum)))
		return false;
	JsonViewOfJsonb(DatumGetJsonbP(datum), view);
	return !JsonViewIsDeeper(view, RECEIPT_MAX_DEPTH);
}

static bool
MemberIs(const JsonView *object, const char *key, Span expected)
{
	Span		member;

	return JsonViewGetString(object, key, &member.str, &member.len) &&
		SpanEqual(member, expected);
}

/*
 * what queries find by themselves
 */

void
AuditReportRow(Audit *audit, AuditRow *row)
{
	AuditReport(audit, -1, RowString(row, 1), RowString(row, 2), RowString(row, 3));
}

/* Which keys have signed receipts here is told by all receipts, so only a whole audit asks. */
#define KEY_QUERY(problems) \
	"SELECT NULL, 'key', pg_catalog.format('key %s: %s', k.key_id, p.problem)" \
	" FROM answer.signing_key k CROSS JOIN LATERAL (VALUES " problems ") p (wrong, problem)" \
	" WHERE p.wrong ORDER BY k.key_id COLLATE \"C\", p.problem COLLATE \"C\""

static const char *const queries[] = {
	KEY_QUERY("(length(k.public_key) <> 32, 'its public half is not of 32 bytes'),"
	" (length(k.public_key) = 32 AND (k.key_id <> 'ae-ed25519-' || left(encode(sha256(k.public_key), 'hex'), 12)"
	"  OR k.fingerprint IS DISTINCT FROM encode(sha256(k.public_key), 'hex')), 'its id and fingerprint are not those of its public half'),"
	" (k.status::text = 'active' AND (k.active_from IS NULL OR k.retired_at IS NOT NULL), 'it is active without a beginning, or with an end'),"
	" (k.status::text = 'active' AND EXISTS (SELECT FROM answer.signing_key o WHERE o.status::text = 'active' AND o.key_id <> k.key_id),"
	"  'it is not the only active one'),"
	" (k.retired_at < k.active_from, 'it was retired before it was active'),"
	" (k.compromised_after IS NOT NULL AND k.status::text <> 'compromised', 'it has compromised_after and is not compromised')"),
	/* what answer_tenant_grant() refuses, granted later */
	"SELECT NULL, 'configuration', format('role %s works for a tenant and can read %s: rows of all tenants', a.rolname,"
	"  string_agg(s.name, ', ' ORDER BY s.name COLLATE \"C\"))"
	" FROM pg_roles a, answer.of_all_tenants s JOIN pg_class c ON c.oid = s.relation"
	" WHERE EXISTS (SELECT FROM answer.tenant_role g JOIN pg_roles r ON r.rolname = g.role WHERE g.tenant <> '*' AND pg_has_role(a.oid, r.oid, 'USAGE'))"
	"  AND has_any_column_privilege(a.oid, c.oid, 'SELECT') AND NOT pg_has_role(a.oid, c.relowner, 'USAGE')"
	" GROUP BY a.rolname ORDER BY a.rolname COLLATE \"C\""
};

static const char *const whole_queries[] = {
	/* who signs here does so alone: another key with receipts of that time is somebody's own */
	"SELECT NULL, 'key', format('key %s: it signed receipts here, but %s', k.key_id, CASE"
	"  WHEN k.active_from IS NULL THEN 'it was imported, for nobody knows since when it is active'"
	"  WHEN o.key_id IS NOT NULL THEN 'its life overlaps with that of ' || o.key_id"
"  ELSE 'no logged change tells that it was generated here' END)"
	" FROM (SELECT DISTINCT key_id FROM answer.receipt) s JOIN answer.signing_key k ON k.key_id = s.key_id"
	" LEFT JOIN LATERAL (SELECT c.key_id FROM answer.signing_key c"
	"  WHERE c.key_id <> k.key_id AND k.status::text <> 'compromised' AND c.status::text <> 'compromised'"
	"  AND EXISTS (SELECT FROM answer.checkpoint p WHERE p.key_id = c.key_id)"
	"  AND c.active_from < coalesce(k.retired_at, 'infinity') AND k.active_from < coalesce(c.retired_at, 'infinity')"
	"  ORDER BY c.active_from LIMIT 1) o ON NOT EXISTS (SELECT FROM answer.checkpoint p WHERE p.key_id = k.key_id)"
	" WHERE k.active_from IS NULL OR o.key_id IS NOT NULL OR NOT EXISTS (SELECT FROM answer.receipt r"
"  WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'key' AND r.body ->> 'name' = k.key_id AND r.body ->> 'action' = 'generate') ORDER BY k.key_id COLLATE \"C\"",
	/* a key is of one partition */
	"SELECT receipt_id, 'extra', 'the receipt is there in several partitions' FROM answer.receipt GROUP BY receipt_id"
	" HAVING count(*) > 1 AND min(tableoid) <> max(tableoid) ORDER BY receipt_id COLLATE \"C\"",
	"SELECT NULL, 'missing', format('the series of reading %s is gone, so it is never read', e.digest)"
	" FROM answer.evidence e LEFT JOIN answer.evidence_series s"
	" ON s.tenant = e.tenant AND s.tool = e.tool AND s.args_digest = e.args_digest AND s.source = e.source WHERE s.tool IS NULL",
	"SELECT NULL, 'extra', format('a series of tool %s and source %s has no reading', s.tool, s.source)"
	" FROM answer.evidence_series s LEFT JOIN (SELECT DISTINCT tenant, tool, args_digest, source FROM answer.evidence) e"
	" ON s.tenant = e.tenant AND s.tool = e.tool AND s.args_digest = e.args_digest AND s.source = e.source WHERE e.tool IS NULL",
	"SELECT NULL, 'extra', format('reading %s was forgotten, and has come back', e.digest)"
	" FROM answer.evidence e JOIN answer.tombstone t ON t.tenant = e.tenant AND t.digest = e.digest",
	"SELECT NULL, 'extra', format('what is remembered under \"%s\" was forgotten, and has come back', m.key)"
	" FROM answer.memory_entry m JOIN answer.tombstone t ON t.tenant = m.tenant AND t.digest = m.digest ORDER BY m.key COLLATE \"C\"",
	"SELECT NULL, 'extra', format('a compatibility of class %s, which is not registered', c.class) FROM answer.quality_compatibility c"
	" WHERE NOT EXISTS (SELECT FROM answer.quality_class q WHERE q.class = c.class) ORDER BY c.class COLLATE \"C\"",
	/* nobody registered it with its tool, and it would count as soon as somebody does */
	"SELECT NULL, 'extra', format('an authority of tool %s, which is not registered', a.tool) FROM answer.quality_authority a"
	" WHERE NOT EXISTS (SELECT FROM answer.quality_tool t WHERE t.tool = a.tool AND t.tenant = '') ORDER BY a.tool COLLATE \"C\"",
	"SELECT NULL, 'extra', format('entry %s is of investigation %s, which is not there', e.digest, e.investigation) FROM answer.quality_entry e"
	" LEFT JOIN answer.investigation i ON i.tenant = e.tenant AND i.investigation = e.investigation WHERE i.investigation IS NULL"
	" ORDER BY e.investigation, e.digest",
	/* what an assessment rests on, it has within */
	"SELECT r.receipt_id, CASE WHEN i.investigation IS NULL THEN 'missing' ELSE 'changed' END, format('investigation %s %s', r.body #>> '{investigation,id}',"
	"  CASE WHEN i.investigation IS NULL THEN 'is gone, of which there is an assessment' ELSE 'is not what was assessed' END)"
	" FROM answer.receipt r LEFT JOIN answer.investigation i ON i.tenant = r.tenant AND i.investigation::text = r.body #>> '{investigation,id}'"
	" WHERE r.schema = 'quality/v1' AND r.body ->> 'schema' = 'quality/v1' AND r.body #>> '{investigation,id}' IS NOT NULL"
	" AND (i.investigation IS NULL OR (i.intent, i.question, i.subject, to_char(i.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
	"  IS DISTINCT FROM (r.body #>> '{investigation,intent}', r.body #>> '{investigation,question}', r.body #>> '{investigation,subject}',"
	"   r.body #>> '{investigation,opened_at}')) ORDER BY r.receipt_id",
	"SELECT r.receipt_id, CASE WHEN q.entry IS NULL THEN 'missing' ELSE 'changed' END, format('entry %s of investigation %s %s', e.value ->> 'digest',"
	"  r.body #>> '{investigation,id}', CASE WHEN q.entry IS NULL THEN 'is gone, on which an assessment rests' ELSE 'is not what was assessed' END)"
	" FROM answer.receipt r CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(r.body -> 'entries') WHEN 'array' THEN r.body -> 'entries' ELSE '[]' END) e"
	" LEFT JOIN answer.quality_entry q ON q.tenant = r.tenant AND q.investigation::text = r.body #>> '{investigation,id}' AND q.digest = e.value ->> 'digest'"
	"  AND q.tool = e.value ->> 'tool' AND q.query = e.value ->> 'query' AND q.target = e.value ->> 'target' AND q.run = e.value ->> 'run'"
	" WHERE r.schema = 'quality/v1' AND r.body ->> 'schema' = 'quality/v1' AND r.body #>> '{investigation,id}' IS NOT NULL"
	" AND (q.entry IS NULL OR (q.class, q.quality::text, q.strength::text, q.reason, to_jsonb(q.sources), q.match_count::text, q.exact_match_count::text, q.phrase_match::text,"
	"   to_char(q.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
	"  IS DISTINCT FROM (e.value ->> 'class', e.value ->> 'quality', e.value ->> 'strength', e.value ->> 'reason', e.value -> 'sources', e.value ->> 'match_count',"
	"   e.value ->> 'exact_match_count', e.value ->> 'phrase_match', e.value ->> 'recorded_at')) ORDER BY r.receipt_id, e.value ->> 'digest'",
	/* documents, and what finds them */
	"SELECT NULL, 'changed', format('chunk %s of version %s: its text is not what was loaded', c.chunk_id, c.version) FROM answer.chunk c"
	" WHERE c.content_hash <> 'sha256:' || encode(sha256(convert_to(c.text, 'UTF8')), 'hex') ORDER BY c.chunk_id COLLATE \"C\", c.version",
	"SELECT NULL, 'missing', format('document %s, version %s: it has %s chunks and was loaded with %s', d.doc_id, d.version, count(c.ordinal), d.chunks)"
	" FROM answer.document d LEFT JOIN answer.chunk c ON c.tenant = d.tenant AND c.doc_id = d.doc_id AND c.version = d.version"
	" GROUP BY d.tenant, d.doc_id, d.version, d.chunks HAVING count(c.ordinal) <> d.chunks ORDER BY d.doc_id COLLATE \"C\", d.version",
	"SELECT NULL, CASE WHEN s.chunk_id IS NULL THEN 'missing' ELSE 'extra' END, format(CASE WHEN s.chunk_id IS NULL THEN"
	" 'chunk %s cannot be found: it is not in answer.chunk_search' ELSE 'chunk %s is in answer.chunk_search, and no chunk of the newest version of a document' END,"
	" coalesce(c.chunk_id, s.chunk_id))"
	" FROM (SELECT c.tenant, c.chunk_id, c.doc_id, c.version, c.ordinal FROM answer.chunk c JOIN (SELECT tenant, doc_id, max(version) AS version"
	"  FROM answer.document GROUP BY tenant, doc_id) d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version) c"
	" FULL JOIN answer.chunk_search s ON s.tenant = c.tenant AND s.chunk_id = c.chunk_id AND s.doc_id = c.doc_id AND s.version = c.version"
	" AND s.ordinal = c.ordinal WHERE c.chunk_id IS NULL OR s.chunk_id IS NULL ORDER BY coalesce(c.chunk_id, s.chunk_id) COLLATE \"C\"",
	"SELECT NULL, 'changed', format('how many chunks have %s items is not what answer.chunk_item says', count(*)) FROM answer.chunk_item i"
	" FULL JOIN (SELECT s.tenant, substring(t.term FROM octet_length(s.tenant) + 2) AS item, count(*) AS chunks"
	"  FROM answer.chunk_search s, LATERAL unnest(s.items) t (term) GROUP BY 1, 2) c ON c.tenant = i.tenant AND c.item = i.item"
	" WHERE i.chunks IS DISTINCT FROM c.chunks HAVING count(*) > 0",
	"SELECT NULL, 'extra', format('document %s, version %s, was forgotten, and has come back', d.doc_id, d.version)"
	" FROM answer.document d JOIN answer.tombstone t ON t.tenant = d.tenant AND t.digest = d.content_hash ORDER BY d.doc_id COLLATE \"C\", d.version",
	"SELECT NULL, 'missing', format('plan %s: its version %s is gone', p.plan_id, p.version - 1) FROM answer.plan p"
	" LEFT JOIN answer.plan o ON o.tenant = p.tenant AND o.plan_id = p.plan_id AND o.version = p.version - 1"
	" WHERE p.version > 1 AND o.plan_id IS NULL ORDER BY p.plan_id COLLATE \"C\", p.version",
	/* judges: their record tells of the present version and its newest assessment */
	"SELECT NULL, CASE WHEN v.name IS NULL THEN 'missing' ELSE 'changed' END, format(CASE WHEN v.name IS NULL THEN 'judge %s: its version %s is gone'"
	" ELSE 'judge %s: its version %s is not what was registered' END, j.name, j.revision) FROM answer.judge j"
	" LEFT JOIN answer.judge_version v ON v.tenant = j.tenant AND v.name = j.name AND v.revision = j.revision"
	" WHERE v.name IS NULL OR (v.model, v.version, v.handler, v.handler_digest, v.weights_digest)"
	"  IS DISTINCT FROM (j.model, j.version, j.handler, j.handler_digest, j.weights_digest) ORDER BY j.name COLLATE \"C\", j.tenant COLLATE \"C\"",
	"SELECT NULL, 'changed', format('judge %s: the columns of an assessment of its version %s are not what was measured', a.judge, a.revision)"
	" FROM answer.judge_assessment a LEFT JOIN answer.judge_version v ON v.tenant = a.tenant AND v.name = a.judge AND v.revision = a.revision"
	" WHERE (a.version, a.pairs, a.n::text, trim_scale(a.balanced_accuracy)::text,"
	"  to_char(a.assessed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')) IS DISTINCT FROM (v.version, a.assessment ->> 'pairs', a.assessment ->> 'n',"
	"  a.assessment ->> 'balanced_accuracy', a.assessment ->> 'at') ORDER BY a.judge COLLATE \"C\", a.revision, a.kind, a.assessed_at",
	"SELECT NULL, 'changed', format('what judge %s has said of %s is of no version of it, or of no relation of its kind', g.judge, g.pair) FROM answer.judgement g"
	" LEFT JOIN answer.judge_version v ON v.tenant = g.judge_tenant AND v.name = g.judge AND v.revision = g.revision"
	" WHERE v.version IS DISTINCT FROM g.version OR NOT CASE g.kind WHEN 'entailment' THEN g.relation IN ('supports', 'contradicts', 'neutral', 'no_claim')"
	"  WHEN 'answers' THEN g.relation IN ('answers', 'does_not') ELSE g.relation IN ('contradicts', 'neutral') END"
	" OR (v.handler IS NULL) <> (g.origin = 'reported') ORDER BY g.pair COLLATE \"C\", g.judge COLLATE \"C\", g.judged_at",
	/* what caps count; rows of months that are over may have been deleted */
	"SELECT NULL, 'changed', format('what plans of tenant \"%s\" hold and have cost in the %s from %s on is not the sum of their reservations', p.tenant, p.period,"
	"  to_char(p.starts_on, 'YYYY-MM-DD'))"
	" FROM answer.budget_period p LEFT JOIN answer.budget_reservation r ON r.tenant = p.tenant AND r.day >= p.starts_on"
	"  AND r.day < CASE p.period WHEN 'day' THEN p.starts_on + 1 ELSE (p.starts_on + interval '1 month')::date END"
	" WHERE p.starts_on >= date_trunc('month', now() AT TIME ZONE 'UTC')::date GROUP BY p.tenant, p.period, p.starts_on"
	" HAVING p.reserved_usd <> coalesce(sum(r.reserved_usd) FILTER (WHERE r.settled_at IS NULL), 0)"
	"  OR p.spent_usd <> coalesce(sum(r.charged_usd) FILTER (WHERE r.settled_at IS NOT NULL), 0)"
	" ORDER BY p.tenant COLLATE \"C\", p.period COLLATE \"C\", p.starts_on",
	"SELECT NULL, 'extra', format('trace %s has events and no execution', e.trace_id) FROM answer.plan_event e"
	" LEFT JOIN answer.plan_run p ON p.tenant = e.tenant AND p.trace_id = e.trace_id WHERE p.trace_id IS NULL GROUP BY e.trace_id"
	" ORDER BY e.trace_id",
	/* of what is forgotten no document tells */
	"SELECT NULL, 'missing', format('the execution that document %s tells of is gone', r.receipt_id) FROM answer.receipt r"
	" LEFT JOIN answer.plan_run p ON p.receipt_id = r.receipt_id AND p.issued_at = r.issued_at AND p.tenant = r.tenant"
	" WHERE r.schema = 'plan/v1' AND r.body ->> 'schema' = 'plan/v1' AND p.trace_id IS NULL ORDER BY r.receipt_id",
	"SELECT NULL, 'changed', format('the execution of trace %s, or what it was charged, is not what its document tells', p.trace_id)"
	" FROM answer.plan_run p JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
	" LEFT JOIN answer.budget_reservation b ON b.tenant = p.tenant AND b.trace_id = p.trace_id AND b.settled_at IS NOT NULL"
	" WHERE r.schema = 'plan/v1' AND r.body ->> 'schema' = 'plan/v1' AND (r.body ->> 'verdict' IS DISTINCT FROM p.verdict"
	" OR r.body ->> 'trace_id' IS DISTINCT FROM p.trace_id OR r.body ->> 'plan_id' IS DISTINCT FROM p.plan_id"
	" OR r.body #>> '{budget_used,cost_usd}' <> trim_scale(b.charged_usd)::text) ORDER BY p.started_at, p.trace_id",
	"SELECT r.receipt_id, 'extra', format('trace %s was forgotten, and has come back', p.trace_id) FROM answer.plan_run p"
	" JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
	" WHERE r.body ->> 'schema' <> 'plan/v1' AND EXISTS (SELECT FROM answer.plan_event e WHERE e.tenant = p.tenant AND e.trace_id = p.trace_id)"
	" ORDER BY p.trace_id",
	/* what nobody could read, for nobody can be granted it */
	"SELECT NULL, 'configuration', format('there are %s of tenant \"%s\", which is not in answer.tenant', o.what, o.tenant)"
	" FROM (SELECT DISTINCT 'receipts', tenant FROM answer.receipt UNION ALL SELECT DISTINCT 'readings', tenant FROM answer.evidence"
	" UNION ALL SELECT DISTINCT 'memories', tenant FROM answer.memory_entry"
	" UNION ALL SELECT DISTINCT 'investigations', tenant FROM answer.investigation"
	" UNION ALL SELECT DISTINCT 'documents', tenant FROM answer.document"
	" UNION ALL SELECT DISTINCT 'tools', tenant FROM answer.tool"
	" UNION ALL SELECT DISTINCT 'judges', tenant FROM answer.judge UNION ALL SELECT DISTINCT 'judgements', tenant FROM answer.judgement"
	" UNION ALL SELECT DISTINCT 'versions of judges', tenant FROM answer.judge_version UNION ALL SELECT DISTINCT 'assessments', tenant FROM answer.judge_assessment"
	" UNION ALL SELECT DISTINCT 'plans', tenant FROM answer.plan UNION ALL SELECT DISTINCT 'traces', tenant FROM answer.plan_event"
	" UNION ALL SELECT DISTINCT 'budgets', tenant FROM answer.budget_cap"
	" UNION ALL SELECT DISTINCT 'policies of memory', tenant FROM answer.memory_policy) o (what, tenant)"
	" WHERE o.tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = o.tenant)"
	" AND NOT (o.what = 'documents' AND EXISTS (SELECT FROM answer.suite s WHERE s.document_set = o.tenant))"
	" ORDER BY o.tenant COLLATE \"C\", o.what"
};

/* The body of a receipt; false if there is none, or it is nothing that can be read. */
static bool
ReceiptBody(const AuditRow *row, int column, int tenant_column, bool *stored, JsonView *body)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	bool		isnull;
	Datum		values[2];
	AuditRow	found;
	QueryRows	rows;

	values[1] = SPI_getbinval(row->tuple, row->desc, tenant_column, &isnull);
	values[0] = SPI_getbinval(row->tuple, row->desc, column, &isnull);

	*stored = false;
	if (isnull)
		return false;
	rows = QueryRun(&query, values, NULL, true, 1);
	*stored = rows.count > 0;
	if (!*stored)
		return false;
	found.tuple = rows.table->vals[0];
	found.desc = rows.table->tupdesc;
	return RowView(&found, 1, body);
}

/*
 * What is stored about receipts stays when their partition is detached.  Their
 * leaves are joined only if any was: that reads the whole log.
 */
#define JOIN_LEAF(table) \
	" LEFT JOIN (SELECT receipt_id, leaf_index, digest FROM answer.log_leaf WHERE $1 > 0) l ON l.receipt_id = " table ".receipt_id"

static bool
RowIsDetached(const Audit *audit, const AuditRow *row, int column)
{
	bool		isnull;
	Datum		leaf_index = SPI_getbinval(row->tuple, row->desc, column, &isnull);

	return !isnull && IsDetached(AuditDetached(audit), DatumGetInt64(leaf_index));
}

/*
 * readings
 */

/* Returns what is wrong with a reading, or NULL. */
static const char *
ReadingProblem(const AuditRow *row)
{
	JsonView	args;
	JsonView	raw;
	TimestampTz observed_at;
	TimestampTz expires;
	bool		has_expires = RowInstant(row, 7, &expires);
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!RowView(row, 3, &args) || !RowView(row, 5, &raw) || !RowInstant(row, 6, &observed_at) ||
		!InstantIsWritable(observed_at) || (has_expires && !InstantIsWritable(expires)))
		return "is nothing that can be recorded";
	ReadingDigest(RowSpan(row, 2), &args, &raw, RowSpan(row, 8), observed_at,
				  has_expires ? &expires : NULL, digest);
	if (!SpanEqualCString(RowSpan(row, 1), digest))
		return "is not what was recorded";
	CanonicalDigest(&args, NULL, digest);
	return SpanEqualCString(RowSpan(row, 4), digest) ? NULL : "is filed under other arguments";
}

static void
AuditReading(Audit *audit, AuditRow *row)
{
	const char *problem = ReadingProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("reading %s %s", RowString(row, 1), problem));
}

/* The name of a write into memory: by its trace, and by the digests of its arguments and result as far as they are known. */
static void
WriteName(Span tenant, Span trace_id, const char *args_digest, const char *result_digest, uint8 *name)
{
	const Span	parts[] = {tenant, trace_id, SpanOfCString(args_digest), SpanOfCString(result_digest)};

	Sha256Begin();
	for (size_t i = 0; i < lengthof(parts); i++)
	{
		Sha256Add(&parts[i].len, sizeof(parts[i].len));
		Sha256Add(parts[i].str, parts[i].len);
	}
	Sha256End(name);
}

static void
NoteWrite(Audit *audit, const AuditRow *row, const char *args_digest, const char *result_digest)
{
	uint8		name[SHA256_LENGTH];

	WriteName(RowSpan(row, 1), RowSpan(row, 2), args_digest, result_digest, name);
	hash_search(AuditWrites(audit), name, HASH_ENTER, NULL);
}

/* A map wrote something of what it was called with; where its document leaves that out, it may be anything. */
static void
NoteMap(Audit *audit, const AuditRow *row, const JsonView *step)
{
	JsonView	inputs;

	if (!JsonViewGetMember(step, "inputs", &inputs) || inputs.type != JVIEW_ARRAY)
	{
		NoteWrite(audit, row, "", "");
		return;
	}
	for (int i = 0; i < JsonViewCount(&inputs); i++)
	{
		JsonView	args;
		char		digest[DIGEST_TEXT_LENGTH + 1];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&inputs, i, &args);
		CanonicalDigest(&args, NULL, digest);
		NoteWrite(audit, row, digest, "");
	}
}

/* What the steps of a trace have written, noted once for all that is remembered of it. */
static void
NoteWrites(Audit *audit, AuditRow *row)
{
	JsonView	steps;

	if (!RowView(row, 3, &steps))
		return;
	for (int i = 0; i < JsonViewCount(&steps); i++)
	{
		JsonView	step;
		Span		args;
		Span		result;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&steps, i, &step);
		if (MemberIs(&step, "op", SpanOf("map", 3)))
			NoteMap(audit, row, &step);
		else if (JsonViewGetString(&step, "inputs_hash", &args.str, &args.len) && args.len == DIGEST_TEXT_LENGTH &&
				 JsonViewGetString(&step, "outputs_hash", &result.str, &result.len) && result.len == DIGEST_TEXT_LENGTH)
			NoteWrite(audit, row, pnstrdup(args.str, args.len), pnstrdup(result.str, result.len));
	}
}

/* Has a step of its trace written this? */
static bool
IsNoted(Audit *audit, const AuditRow *row, const JsonView *args, const JsonView *result)
{
	Span		tenant = RowSpan(row, 8);
	Span		trace_id = RowSpan(row, 7);
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	char		result_digest[DIGEST_TEXT_LENGTH + 1];
	const char *const known[][2] = {{args_digest, result_digest}, {args_digest, ""}, {"", ""}};

	CanonicalDigest(args, NULL, args_digest);
	CanonicalDigest(result, NULL, result_digest);
	for (size_t i = 0; i < lengthof(known); i++)
	{
		uint8		name[SHA256_LENGTH];

		WriteName(tenant, trace_id, known[i][0], known[i][1], name);
		if (hash_search(AuditWrites(audit), name, HASH_FIND, NULL))
			return true;
	}
	return false;
}

static JsonView
WriteArguments(Span key, const JsonView *value, const JsonView *provenance)
{
	JsonView	args = JsonViewNewObject(5);

	JsonViewSet(&args, "op", JsonViewCString("write"));
	JsonViewSet(&args, "key", JsonViewString(key.str, key.len));
	JsonViewSet(&args, "value", *value);
	JsonViewSet(&args, "provenance", *provenance);
	return args;
}

/* Is one of the steps of its trace the write of what is remembered? */
static bool
IsWritten(Audit *audit, const AuditRow *row, const JsonView *value)
{
	JsonView	args;
	JsonView	args_with_ttl;
	JsonView	result = JsonViewNewObject(3);
	JsonView	provenance;
	JsonView	reported_by;
	TimestampTz expires_at;
	Span		key = RowSpan(row, 1);
	Span		ttl = RowSpan(row, 5);
	char		instant[INSTANT_SIZE];

	if (!RowView(row, 4, &provenance))
		return false;
	args = WriteArguments(key, value, &provenance);
	/* who leaves it out gets the usual one, which expires when the result says */
	args_with_ttl = WriteArguments(key, value, &provenance);
	JsonViewSet(&args_with_ttl, "ttl", JsonViewString(ttl.str, ttl.len));
	JsonViewSet(&result, "ok", JsonViewBool(true));
	if (RowInstant(row, 6, &expires_at) && InstantIsWritable(expires_at))
	{
		InstantFormat(expires_at, instant);
		JsonViewSet(&result, "expires", JsonViewCString(instant));
	}
	if (RowView(row, 9, &reported_by))
		JsonViewSet(&result, "reported_by", reported_by);
	return IsNoted(audit, row, &args_with_ttl, &result) || IsNoted(audit, row, &args, &result);
}

/* What a plan remembers names itself by its digest, by which it can be forgotten; the trace of the plan tells how it was written. */
static void
AuditMemory(Audit *audit, AuditRow *row)
{
	JsonView	value;
	char		digest[DIGEST_TEXT_LENGTH + 1] = "";
	bool		is_readable = RowView(row, 3, &value);

	if (is_readable)
		CanonicalDigest(&value, NULL, digest);
	if (!SpanEqualCString(RowSpan(row, 2), digest))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("what is remembered under \"%s\" is not what was written", RowString(row, 1)));
	else if (is_readable && !IsWritten(audit, row, &value))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("what is remembered under \"%s\" is not what a step of trace %s has written",
							 RowString(row, 1), RowString(row, 7)));
}

/* A version of a plan is named by its digest, and filed under its plan_id. */
static void
AuditPlan(Audit *audit, AuditRow *row)
{
	char		digest[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	plan;
	JsonView	id;
	Span		plan_id = RowSpan(row, 1);

	if (RowView(row, 4, &plan) && JsonViewGetMember(&plan, "plan_id", &id) && id.type == JVIEW_STRING &&
		SpanEqual(SpanOf(id.str, id.len), plan_id))
		CanonicalDigest(&plan, NULL, digest);
	if (!SpanEqualCString(RowSpan(row, 3), digest))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("plan %s, version %s, is not what was registered", RowString(row, 1), RowString(row, 2)));
}

/* Would an event verify if its key had always been good? */
static bool
OnlyKeyIsBad(const JsonView *event)
{
	KeptKeys	keys = {.at_any_time = true};

	return TraceSignatureProblem(event, RegistryKeysOfSig(event, &keys)) == NULL;
}

/* Returns what is wrong with the signatures of events, or NULL; and what kind of finding that is. */
static const char *
SignaturesProblem(const JsonView *events, const char **finding)
{
	KeptKeys	keys = {0};

	for (int i = 0; i < JsonViewCount(events); i++)
	{
		JsonView	event;
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(events, i, &event);
		problem = TraceSignatureProblem(&event, RegistryKeysOfSig(&event, &keys));
		if (problem == NULL)
			continue;
		/* as of receipts: it is what was signed, by a key that is not good any more */
		if (OnlyKeyIsBad(&event))
			*finding = "key";
		return psprintf("event %d: %s", i + 1, problem);
	}
	return NULL;
}

/* The trace of a plan is a chain of signed events, whose last one the plan's document names. */
static void
AuditTrace(Audit *audit, AuditRow *row)
{
	JsonView	events;
	char		last[DIGEST_TEXT_LENGTH + 1] = "";
	Span		stated = RowSpan(row, 3);
	const char *finding = "changed";
	const char *problem;

	if (!RowView(row, 2, &events))
		problem = "its events cannot be read";
	else
		problem = TraceChainProblem(&events, last);
	if (problem == NULL)
		problem = SignaturesProblem(&events, &finding);
	if (problem == NULL && stated.len > 0 && !SpanEqualCString(stated, last))
		problem = "its last event is not the one that its document names";
	if (problem)
		AuditReport(audit, -1, NULL, finding, psprintf("trace %s: %s", RowString(row, 1), problem));
}

/* Is an entry what a shipped grader makes of its observation? */
static bool
IsGraded(const AuditRow *row, const Grade *grade)
{
	return SpanEqualCString(RowSpan(row, 9), quality_labels[grade->quality]) &&
		SpanEqualCString(RowSpan(row, 11), strength_labels[grade->strength]) &&
		SpanEqualCString(RowSpan(row, 12), grade->class_name) &&
		SpanEqualCString(RowSpan(row, 13), grade->reason) &&
		TupleInt64(row->tuple, row->desc, 14) == grade->match_count &&
		TupleInt64(row->tuple, row->desc, 15) == grade->exact_match_count &&
		SpanEqualCString(RowSpan(row, 16), grade->is_phrase ? "true" : "false");
}

/* Returns what is wrong with an investigation's entry, or NULL. */
static const char *
EntryProblem(const AuditRow *row)
{
	static const char *const members[] = {"tool", "query", "target", "run"};
	JsonView	content = JsonViewNewObject(5);
	JsonView	observation;
	Span		entry = TupleBytes(row->tuple, row->desc, 2);
	uint8		address[SHA256_LENGTH];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Grade		grade;
	GradeError	error;

	if (!RowView(row, 8, &observation))
		return "is nothing that can be recorded";
	for (size_t i = 0; i < lengthof(members); i++)
	{
		Span		member = RowSpan(row, 3 + i);

		JsonViewSet(&content, members[i], JsonViewString(member.str, member.len));
	}
	JsonViewSet(&content, "observation", observation);
	CanonicalSha256(&content, NULL, address);
	CanonicalDigest(&observation, NULL, digest);
	if (entry.len != SHA256_LENGTH || memcmp(entry.str, address, SHA256_LENGTH) != 0 ||
		!SpanEqualCString(RowSpan(row, 7), digest))
		return "is not what was recorded";
	/* what a user's own grader said, nobody can say again */
	if (RowString(row, 10) != NULL || !GradeIsShipped(RowSpan(row, 3)))
		return NULL;
	return GradeObservation(RowSpan(row, 3), &observation, &grade, &error) == GRADE_OK && IsGraded(row, &grade) ? NULL :
		"is graded otherwise than its observation";
}

static void
AuditEntry(Audit *audit, AuditRow *row)
{
	const char *problem = EntryProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("entry %s of investigation %s %s", RowString(row, 7),
							 RowString(row, 1), problem));
}

/*
 * what receipts refer to
 */

static void
AuditRouteTable(Audit *audit, AuditRow *row)
{
	JsonView	content;
	char		hex[ROUTER_SHA256_LENGTH + 1];
	bool		good = RowView(row, 2, &content);

	if (good)
	{
		RouterSha256(&content, hex);
		good = SpanEqualCString(RowSpan(row, 1), hex);
	}
	if (!good)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("route table %s is not what receipts were routed by", RowString(row, 1)));
}

/* Returns what is wrong with a row of answer.tombstone, or NULL. */
static const char *
TombstoneProblem(const AuditRow *row, const JsonView *body, bool readable)
{
	TimestampTz stored;
	TimestampTz stated;
	JsonView	view;
	Span		receipt_id = RowSpan(row, 2);

	if (!readable || body->type != JVIEW_OBJECT || !MemberIs(body, "digest", RowSpan(row, 1)))
		return "column digest is not what the body says";
	if (receipt_id.len > 0 ? !MemberIs(body, "receipt_id", receipt_id) :
		JsonViewGetMember(body, "receipt_id", &view))
		return "column receipt_id is not what the body says";
	if (RowSpan(row, 7).len > 0 ? !MemberIs(body, "tenant", RowSpan(row, 7)) :
		JsonViewGetMember(body, "tenant", &view))
		return "column tenant is not what the body says";
	if (!MemberIs(body, "reason", RowSpan(row, 4)))
		return "column reason is not what the body says";
	if (!JsonViewGetMember(body, "forgotten_at", &view) || !InstantOfView(&view, &stated) ||
		!RowInstant(row, 3, &stored) || stored != stated)
		return "column forgotten_at is not what the body says";
	return NULL;
}

static void
AuditTombstone(Audit *audit, AuditRow *row)
{
	JsonView	body;
	bool		readable = RowView(row, 5, &body);
	const char *problem = TombstoneProblem(row, &body, readable);
	JsonView	receipt;
	bool		stored;
	const char *name = psprintf("the tombstone of %s", RowString(row, 1));

	if (problem)
		AuditReport(audit, -1, RowString(row, 2), "changed", psprintf("%s: %s", name, problem));
	problem = readable && body.type == JVIEW_OBJECT ? AuditKeyProblem(&body) : NULL;
	if (problem)
		AuditReport(audit, -1, RowString(row, 2), "key", psprintf("%s: %s", name, problem));
	if (RowString(row, 2) == NULL)
		return;					/* of a reading, of which nothing else is left */
	(void) ReceiptBody(row, 2, 7, &stored, &receipt);
	if (!stored && !RowIsDetached(audit, row, 6))
		AuditReport(audit, -1, RowString(row, 2), "missing", psprintf("%s: its receipt is gone", name));
}

/* The digest of the receipt that an anchor is of; returns why there is none, or NULL. */
static const char *
AnchoredReceipt(const Audit *audit, const AuditRow *row, uint8 *sha256, bool *found)
{
	JsonView	body;
	bool		stored;
	Span		digest;

	*found = ReceiptBody(row, 1, 7, &stored, &body) && DocumentDigest(&body, sha256);
	if (*found || stored)
		return NULL;			/* of a changed one, that is said */
	if (!RowIsDetached(audit, row, 5))
		return "its receipt is not here";
	digest = TupleBytes(row->tuple, row->desc, 6);
	*found = digest.len == SHA256_LENGTH;
	if (*found)
		memcpy(sha256, digest.str, SHA256_LENGTH);
	return NULL;
}

/* Was a token with this nonce asked for, and with this policy if any was? */
static bool
IsRequested(const AuditRow *row, const TokenReport *report)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.anchor_request WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2 AND nonce OPERATOR(pg_catalog.=) $3"
		" AND (policy IS NULL OR policy OPERATOR(pg_catalog.=) $4)",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID}
	};
	bool		isnull;
	Datum		values[4];

	values[0] = SPI_getbinval(row->tuple, row->desc, 1, &isnull);
	values[1] = SPI_getbinval(row->tuple, row->desc, 7, &isnull);
	values[2] = CStringGetTextDatum(report->nonce_text);
	values[3] = CStringGetTextDatum(report->policy_id);
	return QueryFound(QueryRun(&query, values, NULL, true, 1));
}

/*
 * Returns what is wrong with a row of answer.anchor, or NULL: whether it could
 * be attached today, as answer_anchor_attach() decides that, without roots.
 */
static const char *
AnchorProblem(const Audit *audit, const AuditRow *row)
{
	static const TokenTerms no_terms;
	Span		token = TupleBytes(row->tuple, row->desc, 3);
	Span		imprint = TupleBytes(row->tuple, row->desc, 4);
	bool		found;
	uint8		sha256[SHA256_LENGTH];
	char		digest[DIGEST_TEXT_LENGTH + 1] = DIGEST_PREFIX;
	const char *problem = AnchoredReceipt(audit, row, sha256, &found);
	TokenReport *report;

	if (!found)
		return problem;
	if (imprint.len != SHA256_LENGTH || memcmp(imprint.str, sha256, SHA256_LENGTH) != 0)
		return "its imprint is not the receipt's digest";
	report = palloc0(sizeof(TokenReport));
	TokenExamine((const uint8 *) token.str, token.len, (const uint8 *) imprint.str, &no_terms,
				 report);
	problem = TokenFirstFailure(report);
	if (problem)
		return problem;
	if (!report->embedded || !report->has_identity)
		return "the certificate of its signer is not in it";
	HexEncode(report->identity, SHA256_LENGTH, digest + strlen(DIGEST_PREFIX));
	digest[DIGEST_TEXT_LENGTH] = '\0';
	if (!SpanEqualCString(RowSpan(row, 2), digest))
		return "column token_digest is not that of the token";
	/* one without a nonce may have come before anything was asked for */
	if (report->nonce_text[0] != '\0' && !IsRequested(row, report))
		return "nothing that was requested for its receipt has its nonce and policy";
	return NULL;
}

static void
AuditAnchorRequest(Audit *audit, AuditRow *row)
{
	JsonView	body;
	bool		stored;

	(void) ReceiptBody(row, 1, 3, &stored, &body);
	if (!stored && !RowIsDetached(audit, row, 2))
		AuditReport(audit, -1, RowString(row, 1), "extra",
					"a request for an anchor: its receipt is not here");
}

static void
AuditAnchor(Audit *audit, AuditRow *row)
{
	const char *problem = AnchorProblem(audit, row);

	if (problem)
		AuditReport(audit, -1, RowString(row, 1), "changed", psprintf("an anchor: %s", problem));
}

/*
 * witnesses
 */

/* Returns what is wrong with a witness's line under a checkpoint of ours, or NULL. */
static const char *
CosignatureProblem(const AuditRow *row)
{
	Span		line = TupleBytes(row->tuple, row->desc, 2);
	Span		stored = TupleBytes(row->tuple, row->desc, 4);
	NoteKey		key;
	Note		note;
	const NoteKey *found;
	uint64		time;
	StringInfoData text;

	if (SPI_getvalue(row->tuple, row->desc, 4) == NULL)
		return "there is no such checkpoint";
	if (!NoteKeyParse(RowSpan(row, 3), &key))
		return "its vkey is malformed";
	if (NoteParse(stored, &note) != NULL)
		return NULL;			/* that is said of the checkpoint */
	initStringInfo(&text);
	appendBinaryStringInfo(&text, note.text.str, note.text.len);
	appendStringInfoChar(&text, '\n');
	appendBinaryStringInfo(&text, line.str, line.len);
	if (NoteParse((Span) {text.data, text.len}, &note) != NULL || note.count != 1 ||
		NoteSignatureCheck(&note, &note.signatures[0], &key, 1, &found, &time) !=
		NOTE_SIGNATURE_VERIFIED)
		return "it does not verify";
	return NULL;
}

static void
AuditCosignature(Audit *audit, AuditRow *row)
{
	const char *problem = CosignatureProblem(row);

	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("a cosignature of the checkpoint of %s leaves: %s",
							 RowString(row, 1), problem));
}

static void
AuditWitnessed(Audit *audit, AuditRow *row)
{
	Span		origin = RowSpan(row, 1);
	Span		root = TupleBytes(row->tuple, row->desc, 3);
	Checkpoint	note;

	if (CheckpointParse(TupleBytes(row->tuple, row->desc, 4), &note) == NULL &&
		(int64) note.tree_size == TupleInt64(row->tuple, row->desc, 2) &&
		note.origin.len == origin.len && memcmp(note.origin.str, origin.str, origin.len) == 0 &&
		root.len == SHA256_LENGTH && memcmp(note.root.bytes, root.str, SHA256_LENGTH) == 0)
		return;
	AuditReport(audit, -1, NULL, "changed",
				psprintf("the witnessed checkpoint of %s leaves of %s is not what its note says",
						 RowString(row, 2), RowString(row, 1)));
}

static void
AuditWitnessKey(Audit *audit, AuditRow *row)
{
	Span		origin = RowSpan(row, 2);
	NoteKey		key;

	if (NoteKeyParse(RowSpan(row, 1), &key) && key.alg == NOTE_ALG_ED25519 &&
		key.name.len == origin.len && memcmp(key.name.str, origin.str, origin.len) == 0)
		return;
	AuditReport(audit, -1, NULL, "changed",
				psprintf("the key that is trusted for %s is not one of that log", RowString(row, 2)));
}

/*
 * changes of keys and configuration
 */

static const char change_query[] =
"WITH newest AS (SELECT DISTINCT ON (kind, name, tenant) kind, name, tenant, after, after_digest FROM answer.change"
/* of these the records are what is so */
"  WHERE kind NOT IN ('config', 'environment', 'proposal') ORDER BY kind, name, tenant, revision DESC),"
" present AS (SELECT kind, name, tenant, shipped, state FROM answer.change_state)"
" SELECT NULL, 'configuration', format('%s%s%s %s', coalesce(i.kind, n.kind), ' ' || nullif(coalesce(i.name, n.name), 'documents'),"
"  ' of tenant ' || nullif(coalesce(i.tenant, n.tenant), ''), CASE"
"  WHEN n.kind IS NULL THEN 'was put there by hand: no logged change tells of it'"
"  WHEN n.after IS NULL THEN 'was removed by its last logged change, and is there'"
"  WHEN i.kind IS NULL THEN 'is gone: no logged change removed it'"
"  ELSE 'differs from its last logged change' END)"
" FROM present i FULL JOIN newest n ON n.kind = i.kind AND n.name = i.name AND n.tenant = i.tenant"
/* what has expired may be gone */
" WHERE CASE WHEN n.kind IS NULL THEN NOT i.shipped WHEN i.kind IS NULL THEN n.after IS NOT NULL"
"  AND NOT (n.kind = 'memory' AND n.after ->> 'expires_at' <= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') COLLATE \"C\")"
"  ELSE n.after IS NULL OR i.state <> n.after END"
/* a graph without a node is none: a restored dump has no row of it */
" AND NOT (i.kind IS NULL AND n.kind = 'graph' AND n.after ->> 'sum' = concat('sha256:', encode(sha256(''), 'hex')))"
/* while no key is active, nobody can sign what happened to one: the next key does */
" AND (coalesce(i.kind, n.kind) <> 'key' OR i.kind IS NULL OR i.state ->> 'status' = 'active'"
/* one that was retired has signed that itself */
"  OR n.kind IS NOT NULL AND i.state ->> 'status' = 'retired'"
"  OR EXISTS (SELECT FROM answer.signing_key k WHERE k.status::text = 'active'))"
" ORDER BY coalesce(i.kind, n.kind), coalesce(i.name, n.name), coalesce(i.tenant, n.tenant)";

/* Who moves an environment or a proposal passes over records of a compromised key, so the next one need not follow upon them. */
static const char revision_query[] =
"SELECT receipt_id, 'configuration', format('%s%s%s: revision %s %s', kind, ' ' || nullif(name, 'documents'),"
"  ' of tenant ' || nullif(tenant, ''), revision, CASE"
"  WHEN revision IS DISTINCT FROM n THEN 'is out of turn: one before it is gone, or there twice'"
"  ELSE 'does not follow upon the one before it' END)"
" FROM (SELECT receipt_id, kind, name, tenant, revision, before_digest, row_number() OVER w AS n,"
"  lag(after_digest) OVER w AS last, lag(receipt_id) OVER w AS previous FROM answer.change WINDOW w AS (PARTITION BY tenant, kind, name ORDER BY revision, receipt_id)) c"
" WHERE revision IS DISTINCT FROM n OR before_digest IS DISTINCT FROM last AND NOT (kind IN ('environment', 'proposal')"
"  AND EXISTS (SELECT FROM answer.receipt r JOIN answer.signing_key k ON k.key_id = r.key_id"
"   WHERE r.receipt_id = c.previous AND k.status::text = 'compromised')) ORDER BY kind, name, revision";

/* Sessions go by the records of environments; the heads say only that there was a move. */
static const char environment_query[] =
"SELECT NULL, 'configuration', format('environment %s%s: its last move was revision %s, and its newest record is %s',"
"  h.environment, ' of tenant ' || nullif(h.tenant, ''), h.revision, coalesce(max(c.revision)::text, 'gone'))"
" FROM answer.environment_head h LEFT JOIN answer.change c"
"  ON c.kind = 'environment' AND c.name = h.environment AND c.tenant = h.tenant"
" GROUP BY h.tenant, h.environment, h.revision HAVING max(c.revision) IS DISTINCT FROM h.revision"
" ORDER BY h.tenant, h.environment";

static const char foreign_query[] =
"SELECT r.receipt_id, 'configuration', format('the record of environment %s was signed by a key that is none of this database''s', r.body ->> 'name')"
" FROM answer.receipt r WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'environment'"
" AND NOT EXISTS (SELECT FROM answer.signing_key k WHERE k.key_id = r.body #>> '{signature,key_id}' AND k.folder IS NOT NULL)"
" ORDER BY r.receipt_id";

/*
 * Reports the rows of a query that calls functions of ours, or reads views that do.
 * They were held against the manifest before; they run with the owner's rights in
 * a restricted operation all the same.
 */
static void
ForEachRowAsOwner(Audit *audit, const char *query, AuditRowFunction function, void *state)
{
	Oid			user;
	Oid			owner;
	int			context;
	int			restricted;

	AnswerAsOwner(&user, &context);
	GetUserIdAndSecContext(&owner, &restricted);
	SetUserIdAndSecContext(owner, restricted | SECURITY_RESTRICTED_OPERATION);
	AuditForEachRowOf(audit, query, 0, NULL, function, state);
	AnswerAsCaller(user, context);
}

void
AuditQueryAsOwner(Audit *audit, const char *query)
{
	ForEachRowAsOwner(audit, query, AuditReportRow, NULL);
}

/*
 * What a sealing has listed (recorded.c) is there as it was, or was forgotten.  Of a
 * judgement a tombstone of its receipt or document says so.  Rows without a finding are on no list; the last
 * column says whether they are older than what the lists cover.
 */
static const char recorded_query[] =
"WITH apart AS MATERIALIZED (SELECT l.item AS listed, r.* FROM"
"  (SELECT substring(c.items, 1 + 24 * i, 24) AS item FROM answer.recorded_rows c, LATERAL generate_series(0, length(c.items) / 24 - 1) i) l"
"  FULL JOIN answer.recordable r ON r.item = l.item WHERE r.item IS NULL OR l.item IS NULL)"
"(SELECT NULL, 'missing', CASE get_byte(m.item, 0) WHEN 1 THEN format('reading sha256:%s... is gone', encode(substring(m.item, 2, 8), 'hex'))"
"  WHEN 2 THEN format('a judgement of pair sha256:%s... is gone, or is not what it was', encode(substring(m.item, 2, 8), 'hex'))"
"  WHEN 3 THEN format('an entry of investigation %s is gone, or is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape')))"
"  WHEN 4 THEN format('investigation %s is gone, or its question is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape')))"
"  ELSE format('the end of investigation %s is not what it was', rtrim(encode(substring(m.item, 2, 8), 'escape'))) END"
"  || ', which a sealing has listed', NULL::text, NULL::bytea, NULL::bytea, NULL::timestamptz, NULL::text, NULL::boolean"
" FROM (SELECT a.listed AS item FROM apart a WHERE a.listed IS NOT NULL"
"  EXCEPT (SELECT answer.recorded_reading(t.tenant, t.digest) FROM answer.tombstone t WHERE t.receipt_id IS NULL"
"   UNION ALL SELECT decode(CASE WHEN j.value ~ '^[0-9a-f]{48}$' THEN j.value END, 'hex') FROM answer.tombstone t, LATERAL jsonb_array_elements_text("
"    CASE jsonb_typeof(t.body -> 'judgements') WHEN 'array' THEN t.body -> 'judgements' ELSE '[]' END) j)) m ORDER BY m.item)"
" UNION ALL (SELECT NULL, NULL, NULL, a.of_table, a.digest, a.mac, a.recorded_at, a.name,"
"  a.recorded_at <= (SELECT max(c.covered_until) FROM answer.recorded_rows c) FROM apart a WHERE a.listed IS NULL ORDER BY a.name)";

/*
 * Its signature holds again where it is put back: a tombstone, of a receipt or of a document,
 * tells that it was to stay away.  Each version of a document has one that tells the same.
 */
static const char returned_query[] =
"SELECT min(t.receipt_id), 'extra', format('what judge %s has said of %s was forgotten, and has come back', g.judge, g.pair)"
" FROM answer.judgement g JOIN (SELECT t.receipt_id, decode(CASE WHEN j.value ~ '^[0-9a-f]{48}$' THEN j.value END, 'hex') AS item"
"  FROM answer.tombstone t, LATERAL jsonb_array_elements_text("
"   CASE jsonb_typeof(t.body -> 'judgements') WHEN 'array' THEN t.body -> 'judgements' ELSE '[]' END) j) t"
"  ON t.item = answer.recorded_item(2, g.pair, answer.row_digest('judgement', g))"
" GROUP BY g.tenant, g.pair, g.judge, g.judge_tenant, g.revision, g.judged_at"
" ORDER BY min(t.receipt_id), g.pair, g.judge, g.judged_at";

/* What of the rows that are on no list was found. */
typedef struct UnlistedRows
{
	RowKeys		keys;
	bool		has_own_keys;	/* this database has some, so that what it stores is told by them */
	UnlistedCount count;
} UnlistedRows;

/* Our functions have not stored a row that is on no list, or nobody can tell. */
static void
AuditUnproved(Audit *audit, const AuditRow *row, RowMacStatus status, UnlistedRows *unlisted)
{
	const char *problem = "is not what was recorded, or was written by hand";
	const char *finding = "changed";

	if (status == ROW_MAC_ELSEWHERE && !unlisted->has_own_keys)
	{
		unlisted->count.unproved++;
		return;
	}
	if (status == ROW_MAC_ABSENT)
	{
		problem = "was written by hand: it has nothing that tells that it was recorded";
		finding = "extra";
	}
	else if (status == ROW_MAC_ELSEWHERE || status == ROW_MAC_COMPROMISED)
	{
		problem = status == ROW_MAC_ELSEWHERE ?
			"was recorded under a key whose private half is not here, and no sealing has listed it" :
			"says that it was recorded after its key was compromised, and no sealing has listed it";
		finding = "key";
	}
	AuditReport(audit, -1, NULL, finding, psprintf("answer.%s: %s %s", RowString(row, 4), RowString(row, 8), problem));
}

static void
AuditRecorded(Audit *audit, AuditRow *row)
{
	UnlistedRows *unlisted = row->state;
	RowMacStatus status;
	bool		isnull;

	if (RowString(row, 2))
	{
		AuditReportRow(audit, row);
		return;
	}
	unlisted->count.rows++;
	if (DatumGetBool(SPI_getbinval(row->tuple, row->desc, 9, &isnull)) && !isnull)
		unlisted->count.older++;
	status = RecordedStatus(&unlisted->keys, row->tuple, row->desc, 4);
	if (status != ROW_MAC_GOOD)
		AuditUnproved(audit, row, status, unlisted);
}

/* Holds readings, judgements and what investigations have against the lists, and what is on none against its code. */
static void
AuditAllRecorded(Audit *audit)
{
	UnlistedRows unlisted = {.keys = {.context = CurrentMemoryContext}};
	SigningKey	key;

	unlisted.has_own_keys = SigningFolderFind(&key);
	ForEachRowAsOwner(audit, recorded_query, AuditRecorded, &unlisted);
	AuditNoteUnlisted(audit, &unlisted.count);
}

static void
AuditChanges(Audit *audit)
{
	AuditQueryAsOwner(audit, change_query);
	AuditQueryAsOwner(audit, revision_query);
	AuditQueryAsOwner(audit, environment_query);
	AuditQueryAsOwner(audit, foreign_query);
}

/*
 * Audits what is stored beside receipts and log: of a whole audit all of it, of
 * another what is no more the longer the log is.
 */
void
AuditState(Audit *audit, bool whole, bool functions_good)
{
	Datum		detached = Int64GetDatum(CountDetached(AuditDetached(audit)));

	for (size_t i = 0; i < lengthof(queries); i++)
		AuditForEachRow(audit, queries[i], 0, NULL, AuditReportRow);
	if (functions_good)
		AuditChanges(audit);
	else
		AuditReport(audit, -1, NULL, "configuration",
					"it was not held against its logged changes: a function that tells them may be another");
	AuditForEachRow(audit, "SELECT sha256, content FROM answer.route_table", 0, NULL, AuditRouteTable);
	AuditForEachRow(audit, "SELECT t.digest, t.receipt_id, t.forgotten_at, t.reason, t.body, l.leaf_index, t.tenant FROM answer.tombstone t" JOIN_LEAF("t"),
					1, &detached, AuditTombstone);
	AuditForEachRow(audit, "SELECT vkey, origin FROM answer.witness_key", 0, NULL, AuditWitnessKey);
	for (const AuditWalk *walk = audit_walks; walk && *walk; walk++)
		(*walk) (audit, whole, functions_good);
	if (!whole)
		return;
	for (size_t i = 0; i < lengthof(whole_queries); i++)
		AuditForEachRow(audit, whole_queries[i], 0, NULL, AuditReportRow);
	if (functions_good)
	{
		AuditAllRecorded(audit);
		AuditQueryAsOwner(audit, returned_query);
	}
	AuditForEachRow(audit,
					"SELECT digest, tool, args, args_digest, raw, observed_at, expires, source FROM answer.evidence",
					0, NULL, AuditReading);
	/* what a map was called with, its document tells, unless it is left out there */
	AuditForEachRow(audit,
					"SELECT t.tenant, t.trace_id,"
					" (SELECT jsonb_agg(e.event || CASE WHEN e.event ->> 'op' IS DISTINCT FROM 'map' THEN '{}'"
					"   WHEN d.found THEN jsonb_build_object('inputs', d.records #> ARRAY[(e.seq - 1)::text, 'inputs']) END)"
					"  FROM answer.plan_event e WHERE e.tenant = t.tenant AND e.trace_id = t.trace_id AND e.event ->> 'tool' = 'mesh.mem'"
					"  AND (e.event ->> 'outcome' = 'ok' OR e.event ->> 'op' = 'map'))"
					" FROM (SELECT DISTINCT m.tenant, m.trace_id FROM answer.memory_entry m) t"
					/* the document is read once, not for each of its events */
					" LEFT JOIN (SELECT p.tenant, p.trace_id, true AS found, r.body -> 'trace' AS records"
					"  FROM answer.plan_run p JOIN answer.receipt r ON r.receipt_id = p.receipt_id AND r.issued_at = p.issued_at AND r.tenant = p.tenant"
					"  WHERE (p.tenant, p.trace_id) IN (SELECT w.tenant, w.trace_id FROM answer.memory_entry w) OFFSET 0) d"
					" ON d.tenant = t.tenant AND d.trace_id = t.trace_id",
					0, NULL, NoteWrites);
	AuditForEachRow(audit,
					"SELECT m.key, m.digest, m.value, m.provenance, m.ttl, m.expires_at, m.trace_id, m.tenant,"
					" nullif(to_jsonb(m.reported_by), '[]') FROM answer.memory_entry m ORDER BY m.tenant COLLATE \"C\", m.key COLLATE \"C\"",
					0, NULL, AuditMemory);
	AuditForEachRow(audit, "SELECT plan_id, version::text, digest, plan FROM answer.plan ORDER BY plan_id COLLATE \"C\", version",
					0, NULL, AuditPlan);
	/* of what is forgotten no document says which was the last */
	AuditForEachRow(audit,
					"SELECT p.trace_id, coalesce((SELECT jsonb_agg(CASE WHEN e.event ->> 'trace_id' = e.trace_id"
					"  AND e.event ->> 'plan_id' = e.plan_id AND e.event ->> 'step' = e.step"
					"  AND coalesce(e.event ->> 'tenant', '') = e.tenant THEN e.event ELSE 'null' END ORDER BY e.seq)"
					"  FROM answer.plan_event e WHERE e.tenant = p.tenant AND e.trace_id = p.trace_id), '[]'),"
					" (SELECT r.body ->> 'last_event' FROM answer.receipt r WHERE r.receipt_id = p.receipt_id"
					"  AND r.issued_at = p.issued_at AND r.tenant = p.tenant AND r.body ->> 'schema' = 'plan/v1')"
					" FROM answer.plan_run p ORDER BY p.started_at, p.trace_id",
					0, NULL, AuditTrace);
	AuditForEachRow(audit,
					"SELECT e.investigation, e.entry, e.tool, e.query, e.target, e.run, e.digest, e.observation,"
					" e.quality::text, (SELECT t.grader FROM answer.quality_tool t WHERE t.tool = e.tool"
					"  AND t.tenant IN (e.tenant, '') ORDER BY t.tenant LIMIT 1), e.strength::text, e.class, e.reason, e.match_count, e.exact_match_count,"
					" e.phrase_match::text FROM answer.quality_entry e",
					0, NULL, AuditEntry);
	AuditForEachRow(audit,
					"SELECT a.receipt_id, a.token_digest, a.token, a.imprint, l.leaf_index, l.digest, a.tenant FROM answer.anchor a" JOIN_LEAF("a"),
					1, &detached, AuditAnchor);
	AuditForEachRow(audit, "SELECT a.receipt_id, l.leaf_index, a.tenant FROM answer.anchor_request a" JOIN_LEAF("a"),
					1, &detached, AuditAnchorRequest);
	AuditForEachRow(audit,
					"SELECT s.tree_size, s.line, s.vkey, c.note FROM answer.cosignature s"
					" LEFT JOIN answer.checkpoint c ON c.tree_size = s.tree_size",
					0, NULL, AuditCosignature);
	AuditForEachRow(audit, "SELECT origin, tree_size, root_hash, note FROM answer.witness_checkpoint",
					0, NULL, AuditWitnessed);
}
