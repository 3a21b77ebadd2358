/*-------------------------------------------------------------------------
 *
 * reference_audit.c
 *		The audit of everything that receipts and the log refer to.
 *
 * A verdict depends on more than its receipt: on the keys that verify it, the
 * readings that were cited, the tables that routed it, the tombstone in its
 * place, its anchor, and the witnesses' lines.  Much of this is named by its
 * digest, or is signed; that is computed anew here, row by row.  Configuration
 * has no digest of its own; it is compared with the signed documents about each
 * of its changes (answer.change).  Higher directories audit what they store
 * themselves (audit_part.h).
 *
 * Promises: those of audit.c, because it is part of an audit.  No function that
 * is stored in the database is called with the rights of the role that audits.
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
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "base/spi_query.h"
#include "document/anchor.h"
#include "evidence/fact.h"
#include "log/detached.h"
#include "log/log_table.h"
#include "log/note.h"
#include "log/proof.h"
#include "log/recorded_audit.h"
#include "log/reference_audit.h"
#include "route/route.h"

/*
 * To find the keys that have signed receipts here, all receipts must be read, so only a
 * whole audit does.
 */
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
	/* what answer_tenant_grant() would refuse, but was granted later */
	"SELECT NULL, 'configuration', format('role %s works for a tenant and can read %s: rows of all tenants', a.rolname,"
	"  string_agg(s.name, ', ' ORDER BY s.name COLLATE \"C\"))"
	" FROM pg_roles a, answer.of_all_tenants s JOIN pg_class c ON c.oid = s.relation"
	" WHERE EXISTS (SELECT FROM answer.tenant_role g JOIN pg_roles r ON r.rolname = g.role WHERE g.tenant <> '*' AND pg_has_role(a.oid, r.oid, 'USAGE'))"
	"  AND has_any_column_privilege(a.oid, c.oid, 'SELECT') AND NOT pg_has_role(a.oid, c.relowner, 'USAGE')"
	" GROUP BY a.rolname ORDER BY a.rolname COLLATE \"C\""
};

static const char *const whole_queries[] = {
	/*
	 * a key that signs here does so alone: another key with receipts of that time is a
	 * foreign one
	 */
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
	/* a primary key covers one partition */
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
	NULL
};

/* Gives the body of a receipt; returns false if there is none, or it cannot be read. */
static bool
ReceiptBody(const AuditRow *row, int column, int tenant_column, bool *stored, JsonView *body)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	bool		isnull;
	Datum		values[2];
	AuditRow	found;
	QueryRows	rows;

	values[1] = RowDatum(row, tenant_column, &isnull);
	values[0] = RowDatum(row, column, &isnull);

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
 * What is stored about receipts stays when their partition is detached.  Their leaves
 * are joined only if a partition was detached, because that reads the whole log.
 */
#define JOIN_LEAF(table) \
	" LEFT JOIN (SELECT receipt_id, leaf_index, digest FROM answer.log_leaf WHERE $1 > 0) l ON l.receipt_id = " table ".receipt_id"

static bool
RowIsDetached(const Audit *audit, const AuditRow *row, int column)
{
	bool		isnull;
	Datum		leaf_index = RowDatum(row, column, &isnull);

	return !isnull && IsDetached(audit->detached, DatumGetInt64(leaf_index));
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

	if (!readable || body->type != JVIEW_OBJECT || !JsonViewMemberIs(body, "digest", RowSpan(row, 1)))
		return "column digest is not what the body says";
	if (receipt_id.len > 0 ? !JsonViewMemberIs(body, "receipt_id", receipt_id) :
		JsonViewGetMember(body, "receipt_id", &view))
		return "column receipt_id is not what the body says";
	if (RowSpan(row, 7).len > 0 ? !JsonViewMemberIs(body, "tenant", RowSpan(row, 7)) :
		JsonViewGetMember(body, "tenant", &view))
		return "column tenant is not what the body says";
	if (!JsonViewMemberIs(body, "reason", RowSpan(row, 4)))
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
		return;					/* a tombstone of a reading, of which nothing else is left */
	(void) ReceiptBody(row, 2, 7, &stored, &receipt);
	if (!stored && !RowIsDetached(audit, row, 6))
		AuditReport(audit, -1, RowString(row, 2), "missing", psprintf("%s: its receipt is gone", name));
}

/* Gives the digest of the receipt that an anchor belongs to; returns why it cannot, or NULL. */
static const char *
AnchoredReceipt(const Audit *audit, const AuditRow *row, uint8 *sha256, bool *found)
{
	JsonView	body;
	bool		stored;
	Span		digest;

	*found = ReceiptBody(row, 1, 7, &stored, &body) && DocumentDigest(&body, sha256);
	if (*found || stored)
		return NULL;			/* a changed receipt is reported elsewhere */
	if (!RowIsDetached(audit, row, 5))
		return "its receipt is not here";
	digest = TupleBytes(row->tuple, row->desc, 6);
	*found = digest.len == SHA256_LENGTH;
	if (*found)
		memcpy(sha256, digest.str, SHA256_LENGTH);
	return NULL;
}

/* Was a token with this nonce requested, and with this policy if the request had one? */
static bool
IsRequested(const AuditRow *row, const TokenReport *report)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.anchor_request WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2 AND nonce OPERATOR(pg_catalog.=) $3"
		" AND (policy IS NULL OR policy OPERATOR(pg_catalog.=) $4)",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID}
	};
	bool		isnull;
	Datum		values[4];

	values[0] = RowDatum(row, 1, &isnull);
	values[1] = RowDatum(row, 7, &isnull);
	values[2] = CStringGetTextDatum(report->nonce_text);
	values[3] = CStringGetTextDatum(report->policy_id);
	return QueryFound(QueryRun(&query, values, NULL, true, 1));
}

/*
 * Returns what is wrong with a row of answer.anchor, or NULL.  It must be possible to
 * attach it today, without roots, by the rules of answer_anchor_attach().
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
	/* a token without a nonce may be older than all requests */
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

	if (RowString(row, 4) == NULL)
		return "there is no such checkpoint";
	if (!NoteKeyParse(RowSpan(row, 3), &key))
		return "its vkey is malformed";
	if (NoteParse(stored, &note) != NULL)
		return NULL;			/* the checkpoint's finding reports that */
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
/* for these kinds, the records themselves are the state */
"  WHERE kind NOT IN ('config', 'environment', 'proposal') ORDER BY kind, name, tenant, revision DESC),"
" present AS (SELECT kind, name, tenant, shipped, state FROM answer.change_state)"
" SELECT NULL, 'configuration', format('%s%s%s %s', coalesce(i.kind, n.kind), ' ' || nullif(coalesce(i.name, n.name), 'documents'),"
"  ' of tenant ' || nullif(coalesce(i.tenant, n.tenant), ''), CASE"
"  WHEN n.kind IS NULL THEN 'was put there by hand: no logged change tells of it'"
"  WHEN n.after IS NULL THEN 'was removed by its last logged change, and is there'"
"  WHEN i.kind IS NULL THEN 'is gone: no logged change removed it'"
"  ELSE 'differs from its last logged change' END)"
" FROM present i FULL JOIN newest n ON n.kind = i.kind AND n.name = i.name AND n.tenant = i.tenant"
/* what has expired may have been deleted */
" WHERE CASE WHEN n.kind IS NULL THEN NOT i.shipped WHEN i.kind IS NULL THEN n.after IS NOT NULL"
"  AND NOT (n.kind = 'memory' AND n.after ->> 'expires_at' <= to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') COLLATE \"C\")"
"  ELSE n.after IS NULL OR i.state <> n.after END"
/* a graph without nodes counts as missing: a restored dump has no row for it */
" AND NOT (i.kind IS NULL AND n.kind = 'graph' AND n.after ->> 'sum' = concat('sha256:', encode(sha256(''), 'hex')))"
/* while no key is active, nobody can sign changes of keys: the next key does */
" AND (coalesce(i.kind, n.kind) <> 'key' OR i.kind IS NULL OR i.state ->> 'status' = 'active'"
/* a key that was retired has signed that itself */
"  OR n.kind IS NOT NULL AND i.state ->> 'status' = 'retired'"
"  OR EXISTS (SELECT FROM answer.signing_key k WHERE k.status::text = 'active'))"
" ORDER BY coalesce(i.kind, n.kind), coalesce(i.name, n.name), coalesce(i.tenant, n.tenant)";

/*
 * Changes of an environment or a proposal ignore records of a compromised key, so the next
 * record need not follow from them.
 */
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

static const char foreign_query[] =
"SELECT r.receipt_id, 'configuration', format('the record of environment %s was signed by a key that is none of this database''s', r.body ->> 'name')"
" FROM answer.receipt r WHERE r.schema = 'change/v1' AND r.body ->> 'kind' = 'environment'"
" AND NOT EXISTS (SELECT FROM answer.signing_key k WHERE k.key_id = r.body #>> '{signature,key_id}' AND k.folder IS NOT NULL)"
" ORDER BY r.receipt_id";

static void
AuditChanges(Audit *audit)
{
	AuditQueryAsOwner(audit, change_query);
	AuditQueryAsOwner(audit, revision_query);
	AuditQueryAsOwner(audit, foreign_query);
}

/* A whole audit runs all checks, another one only those whose cost does not grow with the log. */
static void
AuditReferences(Audit *audit, bool whole, bool functions_good)
{
	Datum		detached = Int64GetDatum(audit->detached->count);

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
	if (!whole)
		return;
	if (functions_good)
		AuditRecordedRows(audit);
	AuditForEachRow(audit,
					"SELECT digest, tool, args, args_digest, raw, observed_at, expires, source FROM answer.evidence",
					0, NULL, AuditReading);
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

static const char *const tenants[] = {
	"SELECT DISTINCT 'receipts', tenant FROM answer.receipt",
	"SELECT DISTINCT 'readings', tenant FROM answer.evidence",
	"SELECT DISTINCT 'tools', tenant FROM answer.tool",
	NULL
};

/* Whether a route is enabled is left out, because users may change it. */
static const char *const shipped[] = {
	"SELECT 'source', to_jsonb(t.source), to_jsonb(t)::text FROM answer.source t WHERE t.seed",
	"SELECT 'tool', to_jsonb(t.tool), format('handler %s, %s', t.handler, to_jsonb(t) - 'handler') FROM answer.tool t WHERE t.seed",
	"SELECT 'route', to_jsonb(t.route_id), (to_jsonb(t) - 'enabled')::text FROM answer.route t WHERE t.seed",
	NULL
};

const AuditPart reference_audit = {
	.queries = whole_queries,
	.tenants = tenants,
	.shipped = shipped,
	.walk = AuditReferences
};
