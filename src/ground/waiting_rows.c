/*-------------------------------------------------------------------------
 *
 * waiting_rows.c
 *		Stored rows that a later call uses: their signatures and their audit.
 *
 * answer_grounded() depends on what answer_retrieve() has stored, and a row of the cache
 * decides which receipt answers a question, and until when.  These rows are not documents
 * that are given out, so nobody else would notice a change: the result is minted from them
 * and verifies.  So each row is signed when it is stored, and checked when it is used and in
 * an audit.  Judgements are signed, too (judge/signed_judgement.c), and checked in an audit.
 *
 * The signed object has the columns and the table's name, so that a row of one table cannot
 * be used in another.  Names are included as bytes, because these are valid in every
 * encoding, and the state as its digest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "executor/spi.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/chain.h"
#include "ground/waiting_rows.h"
#include "judge/signed_judgement.h"
#include "keys/keyring.h"
#include "log/log_table.h"

#define ROW_MEMBERS		8

void
WaitingColumn(SPITupleTable *table, int column, JsonView *view)
{
	Jsonb	   *value = ColumnJsonb(table, 0, column);

	*view = JsonViewNull();
	if (value)
		JsonViewOfJsonb(value, view);
}

static JsonView
RowBegin(const char *table, const text *tenant)
{
	JsonView	view = JsonViewNewObject(ROW_MEMBERS);

	JsonViewSet(&view, "table", JsonViewCString(table));
	JsonViewSet(&view, "tenant", HexView(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant)));
	return view;
}

JsonView
WaitingRetrievalView(const WaitingRetrieval *row)
{
	JsonView	view = RowBegin("retrieval", row->tenant);
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	CanonicalDigestPortable(&row->state, digest);
	JsonViewSet(&view, "role", HexView(VARDATA_ANY(row->role), VARSIZE_ANY_EXHDR(row->role)));
	JsonViewSet(&view, "retrieval_id", JsonViewString(row->retrieval_id.str, row->retrieval_id.len));
	JsonViewSet(&view, "state", JsonViewCString(digest));
	JsonViewSet(&view, "retrieved_at", InstantViewOrNull(row->retrieved_at));
	JsonViewSet(&view, "expires_at", InstantViewOrNull(row->expires_at));
	return view;
}

JsonView
CachedReceiptView(const CachedReceipt *row)
{
	JsonView	view = RowBegin("decision_cache", row->tenant);

	JsonViewSet(&view, "key", JsonViewString(row->key.str, row->key.len));
	JsonViewSet(&view, "receipt_id", JsonViewString(row->receipt_id.str, row->receipt_id.len));
	JsonViewSet(&view, "issued_at", InstantViewOrNull(row->issued_at));
	JsonViewSet(&view, "expires_at", InstantViewOrNull(row->expires_at));
	return view;
}

Jsonb *
WaitingRowSign(JsonView view, const SigningKey *key)
{
	JsonView	sig;

	MemberSign(&view, key);
	JsonViewGetMember(&view, "sig", &sig);
	return JsonViewToJsonb(&sig, false);
}

/*
 * Checks the signature of a row.  Only our own keys are accepted when a row is
 * used, because a key that somebody registered for a moment would not be noticed
 * later.
 */
static const char *
RowProblem(JsonView view, const JsonView *sig, const char *instant, KeptKeys keys)
{
	JsonViewSet(&view, "sig", *sig);
	return MemberSignatureProblem(&view, "row", instant, RegistryKeysOfSig(&view, &keys));
}

/* Does the same for users of the row, who need not be able to read the registry. */
const char *
WaitingRowProblem(JsonView view, const JsonView *sig, const char *instant)
{
	const char *problem;

	AS_OWNER(problem = RowProblem(view, sig, instant, (KeptKeys) {.own = true}));
	return problem;
}

/*
 * the audit
 */

/* Returns a text column; null, which a constraint forbids, gives a value that was never stored. */
static text *
RowText(const AuditRow *row, int column)
{
	char	   *name = RowString(row, column);

	return cstring_to_text(name ? name : "");
}

/* As for receipts: the row was changed, or it is what was signed, but by a key that is no longer valid. */
static void
AuditSignedRow(Audit *audit, const char *name, JsonView view, const JsonView *sig, const char *instant)
{
	const char *problem = RowProblem(view, sig, instant, (KeptKeys) {0});
	const char *finding = "changed";

	if (problem == NULL)
		return;
	if (RowProblem(view, sig, instant, (KeptKeys) {.at_any_time = true}) == NULL)
		finding = "key";
	AuditReport(audit, -1, NULL, finding, psprintf("%s is not what was kept: %s", name, problem));
}

static void
AuditRetrieval(Audit *audit, AuditRow *row)
{
	WaitingRetrieval waiting = {.tenant = RowText(row, 1),.retrieval_id = RowSpan(row, 2),.role = RowText(row, 3)};
	const char *name = psprintf("retrieval %s", RowString(row, 2));

	(void) RowInstant(row, 4, &waiting.retrieved_at);
	(void) RowInstant(row, 5, &waiting.expires_at);
	if (RowView(row, 6, &waiting.state) && RowView(row, 7, &waiting.sig))
		AuditSignedRow(audit, name, WaitingRetrievalView(&waiting), &waiting.sig, "retrieved_at");
	else
		AuditReport(audit, -1, NULL, "changed", psprintf("%s is not what was kept: it cannot be read", name));
}

static void
AuditCached(Audit *audit, AuditRow *row)
{
	CachedReceipt cached = {.tenant = RowText(row, 1),.key = RowSpan(row, 2),.receipt_id = RowSpan(row, 3)};
	const char *name = psprintf("the answer that is kept under %s", RowString(row, 2));

	(void) RowInstant(row, 4, &cached.issued_at);
	(void) RowInstant(row, 5, &cached.expires_at);
	if (RowView(row, 6, &cached.sig))
		AuditSignedRow(audit, name, CachedReceiptView(&cached), &cached.sig, "issued_at");
	else
		AuditReport(audit, -1, NULL, "changed",
					psprintf("%s is not what was kept: its signature cannot be read", name));
}

static void
AuditJudgement(Audit *audit, AuditRow *row)
{
	StoredJudgement stored = {.tenant = RowSpan(row, 1),.pair = RowSpan(row, 2),.judge = RowSpan(row, 3),.judge_tenant = RowSpan(row, 4),
		.revision = (int32) TupleInt64(row->tuple, row->desc, 5),.kind = RowSpan(row, 7),.version = RowSpan(row, 8),
	.relation = RowSpan(row, 9),.score = RowSpan(row, 10),.origin = RowSpan(row, 11),.by = RowSpan(row, 12)};
	const char *name = psprintf("what judge %s has said of %s", RowString(row, 3), RowString(row, 2));
	JsonView	sig;

	(void) RowInstant(row, 6, &stored.judged_at);
	if (RowView(row, 13, &stored.passages) && RowView(row, 14, &sig))
		AuditSignedRow(audit, name, StoredJudgementView(&stored), &sig, "judged_at");
	else
		AuditReport(audit, -1, NULL, "changed",
					psprintf("%s is not what was kept: its signature cannot be read", name));
}

/* A retrieval is used only once. If somebody puts a used row back, the question could be decided again. */
static const char *const queries[] = {
	"SELECT r.receipt_id, 'extra', format('retrieval %s was used, and has come back', t.retrieval_id) FROM answer.retrieval t"
	" JOIN answer.receipt r ON r.tenant = t.tenant AND r.schema = 'decision/v1' AND r.body ->> 'retrieval_id' = t.retrieval_id"
	" ORDER BY t.retrieval_id, r.receipt_id",
	"SELECT min(r.receipt_id), 'extra', format('retrieval %s was used %s times', r.body ->> 'retrieval_id', count(*)) FROM answer.receipt r"
	" WHERE r.schema = 'decision/v1' AND r.body ? 'retrieval_id' GROUP BY r.tenant, r.body ->> 'retrieval_id' HAVING count(*) > 1"
	" ORDER BY min(r.receipt_id)"
};

static void
AuditWaiting(Audit *audit, bool whole, bool functions_good)
{
	if (!whole)
		return;
	for (size_t i = 0; i < lengthof(queries); i++)
		AuditForEachRow(audit, queries[i], 0, NULL, AuditReportRow);
	AuditForEachRow(audit, "SELECT tenant, retrieval_id, role, retrieved_at, expires_at, state, sig FROM answer.retrieval"
					" ORDER BY tenant COLLATE \"C\", retrieval_id", 0, NULL, AuditRetrieval);
	AuditForEachRow(audit, "SELECT tenant, pair, judge, judge_tenant, revision::bigint, judged_at, kind, version, relation, score::text, origin, by,"
					" (SELECT COALESCE(jsonb_agg(encode(p, 'hex') ORDER BY n), '[]') FROM unnest(passages) WITH ORDINALITY AS p (p, n)), sig"
					" FROM answer.judgement ORDER BY tenant COLLATE \"C\", pair, judge, judged_at", 0, NULL, AuditJudgement);
	/* a standby has no rows of an unlogged table */
	if (!RecoveryInProgress())
		AuditForEachRow(audit, "SELECT tenant, key, receipt_id, issued_at, expires_at, sig FROM answer.decision_cache"
						" ORDER BY tenant COLLATE \"C\", key", 0, NULL, AuditCached);
}

const AuditPart waiting_audit = {
	.walk = AuditWaiting
};

const SignedRows retrieval_signed = {
	.newest = "SELECT t.sig OPERATOR(pg_catalog.->>) 'key_id', t.retrieved_at FROM answer.retrieval t"
};
