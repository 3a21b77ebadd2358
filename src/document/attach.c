/*-------------------------------------------------------------------------
 *
 * attach.c
 *		Requests for time-stamps, and the tokens that authorities returned.
 *
 * Rule: doc/spec/document.md §5.6; anchor.c examines the tokens.
 *
 * Promises: requests and tokens are only ever added.  A token is added only if
 * it passes all checks that need no roots.  Whoever verifies chooses the
 * roots.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/anchor.h"
#include "document/retention.h"
#include "document/signed.h"
#include "document/store.h"

/*
 * requests and attached anchors
 */

/*
 * Gives the digest of a stored receipt, read with the rights of whoever may read it.
 * Returns the receipt's tenant, who also owns its anchors.  SPI must be connected.
 */
static text *
StoredDigest(text *receipt_id, uint8 *sha256)
{
	static FixedQuery query = {
		.text = "SELECT body, tenant FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id)};
	TenantReading reading;
	text	   *tenant;
	JsonView	receipt;
	bool		forgotten;
	QueryRows	rows;

	(void) CurrentTenant();		/* an auditor may not make requests */
	TenantReadBegin(&reading);
	values[1] = reading.tenants;
	rows = QueryRun(&query, values, NULL, false, 1);
	TenantReadEnd(&reading);
	if (rows.count == 0)
	{
		RefuseDetached(reading.tenants, receipt_id, NULL,
					   "Receipts are anchored before their partition is detached; the anchors that they have stay in answer.anchor.");
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no receipt \"%s\"", text_to_cstring(receipt_id))));
	}
	JsonViewOfJsonb(DatumGetJsonbP(ColumnDatum(rows.table, 0, 1)),
					&receipt);
	if (!AnchoredDigest(&receipt, sha256, &forgotten))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the tombstone of receipt \"%s\" has no digest",
						text_to_cstring(receipt_id))));
	tenant = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 2));
	QueryFree(&rows);
	return tenant;
}

static void
StoreRequest(const text *tenant, text *receipt_id, const char *nonce, const char *policy)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor_request (receipt_id, nonce, policy, requested_at, tenant)"
		" VALUES ($1, $2, $3, $4, $5)",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID}
	};
	Datum		values[5];

	values[0] = PointerGetDatum(receipt_id);
	values[1] = CStringGetTextDatum(nonce);
	values[2] = policy ? CStringGetTextDatum(policy) : (Datum) 0;
	values[3] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[4] = PointerGetDatum(tenant);
	QueryRunAsOwner(&insert, values, policy ? "     " : "  n  ", false, 0);
}

static void
RefuseToken(const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the time-stamp token is refused"),
			 errdetail("%s.", detail),
			 hint ? errhint("%s", hint) : 0));
}

/*
 * Checks that a token answers one of our requests for this receipt.  A token without a
 * nonce, requested elsewhere, is accepted if there are no requests.
 */
static void
CheckRequested(const text *tenant, text *receipt_id, const TokenReport *token)
{
	/* the request with the token's nonce comes first, and NULLs last */
	static FixedQuery query = {
		.text = "SELECT nonce OPERATOR(pg_catalog.=) $2, policy FROM answer.anchor_request"
		" WHERE receipt_id OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $3"
		" ORDER BY 1 DESC NULLS LAST LIMIT 1",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	bool		has_nonce = token->nonce_text[0] != '\0';
	Datum		values[3];
	bool		isnull;
	bool		matches;
	char	   *policy;
	QueryRows	rows;

	values[0] = PointerGetDatum(receipt_id);
	values[1] = has_nonce ? CStringGetTextDatum(token->nonce_text) : (Datum) 0;
	values[2] = PointerGetDatum(tenant);
	rows = QueryRunAsOwner(&query, values, has_nonce ? "   " : " n ", false, 1);
	if (rows.count == 0)
	{
		if (has_nonce)
			RefuseToken("it has a nonce, and nothing was requested for this receipt",
						"Ask with the request that answer_anchor_request() makes.");
		return;
	}
	matches = DatumGetBool(SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1,
										 &isnull));
	if (isnull)
		RefuseToken("it has no nonce, and what was requested for this receipt has one", NULL);
	if (!matches)
		RefuseToken("its nonce is not that of a request for this receipt", NULL);
	policy = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 2);
	if (policy && strcmp(policy, token->policy_id) != 0)
		RefuseToken(psprintf("its policy is %s, and %s was requested", token->policy_id, policy),
					NULL);
	QueryFree(&rows);
}

/*
 * Raises an error if a receipt would get too many requests or anchors.  The receipt is
 * locked until the transaction ends, so that others who add one are counted, and nobody
 * else waits.
 */
static void
RefuseMany(const text *tenant, text *receipt_id, FixedQuery *count, const char *what, int most)
{
	static FixedQuery lock = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2 FOR NO KEY UPDATE",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id), PointerGetDatum(tenant)};
	int64		there;
	Oid			user;
	int			context;
	QueryRows	rows;

	AnswerAsOwner(&user, &context);
	rows = QueryRunLatest(&lock, values, NULL, 0);
	rows = QueryRunLatest(count, values, NULL, 1);
	AnswerAsCaller(user, context);
	there = DatumGetInt64(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	if (there >= most)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("receipt \"%s\" has " INT64_FORMAT " %s", text_to_cstring(receipt_id), there, what),
				 errdetail("The most are %d.", most)));
}

/*
 * Stores an anchor, unless the same token is there, perhaps with different unsigned
 * bytes.  Returns the stored token, and when it was attached.
 */
static TimestampTz
StoreAnchor(const text *tenant, text *receipt_id, const TokenReport *report, const uint8 *imprint,
			uint8 **token, int *len, MemoryContext context)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor (receipt_id, token_digest, tenant, token, imprint, attached_at)"
		" VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, BYTEAOID, BYTEAOID, TIMESTAMPTZOID}
	};
	static FixedQuery stored = {
		.text = "SELECT attached_at, token FROM answer.anchor WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND token_digest OPERATOR(pg_catalog.=) $2 AND tenant OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	static FixedQuery count = {
		.text = "SELECT pg_catalog.count(*) FROM answer.anchor WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	TimestampTz attached_at = GetCurrentTimestamp();
	char		digest[DIGEST_TEXT_LENGTH];
	Datum		values[6];
	bool		is_there;
	Oid			user;
	int			security;
	QueryRows	rows;

	memcpy(digest, DIGEST_PREFIX, 7);
	HexEncode(report->identity, SHA256_LENGTH, digest + 7);
	values[0] = PointerGetDatum(receipt_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len(digest, sizeof(digest)));
	values[2] = PointerGetDatum(tenant);
	values[3] = PointerGetDatum(cstring_to_text_with_len((const char *) *token, *len));
	values[4] = PointerGetDatum(cstring_to_text_with_len((const char *) imprint, SHA256_LENGTH));
	values[5] = TimestampTzGetDatum(attached_at);
	AnswerAsOwner(&user, &security);
	rows = QueryRunLatest(&stored, values, NULL, 1);
	is_there = rows.count > 0;
	AnswerAsCaller(user, security);
	if (!is_there)
	{
		RefuseMany(tenant, receipt_id, &count, "anchors", ANCHOR_MAX_COUNT);
		AnswerAsOwner(&user, &security);
		rows = QueryRun(&insert, values, NULL, false, 0);
		is_there = rows.count == 0;
		if (is_there)
			rows = QueryRunLatest(&stored, values, NULL, 1);	/* finds the row that was in conflict */
		AnswerAsCaller(user, security);
	}
	if (is_there && rows.count > 0)
	{
		bytea	   *kept = DatumGetByteaPP(ColumnDatum(rows.table, 0, 2));

		attached_at = DatumGetTimestampTz(ColumnDatum(rows.table, 0, 1));
		*len = VARSIZE_ANY_EXHDR(kept);
		*token = MemoryContextAlloc(context, *len);
		memcpy(*token, VARDATA_ANY(kept), *len);
		QueryFree(&rows);
	}
	return attached_at;
}

/*
 * Extracts the token from an authority's response.  Raises an error if there is none.
 */
static uint8 *
TokenOfResponse(bytea *response, int *len)
{
	static const char *const names[] = {"granted", "grantedWithMods", "rejection", "waiting",
	"revocationWarning", "revocationNotification"};
	int			size = VARSIZE_ANY_EXHDR(response);
	uint8	   *token;
	int64		status = 0;
	char		status_text[TOKEN_NAME_SIZE];

	if (size > TOKEN_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the time-stamp token is too large"),
				 errdetail("It has %d bytes; the most are %d.", size, TOKEN_MAX_SIZE)));
	token = palloc(TOKEN_MAX_SIZE);
	switch (ResponseRead((const uint8 *) VARDATA_ANY(response), size, token, len,
						 &status, status_text))
	{
		case RESPONSE_TOKEN:
			break;
		case RESPONSE_REFUSED:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the time-stamping authority granted no token"),
					 errdetail("Its status is %s%s%s%s.",
							   status >= 0 && status < (int64) lengthof(names) ?
							   names[status] : psprintf(INT64_FORMAT, status),
							   status_text[0] ? ", and it says \"" : "", status_text,
							   status_text[0] ? "\"" : "")));
			break;
		case RESPONSE_MALFORMED:
			RefuseToken("it is neither a TimeStampToken nor a TimeStampResp of RFC 3161",
						"Give the bytes as the authority sent them, DER without any text around it.");
	}
	return token;
}

/*
 * SQL
 */

/* Returns a policy or a nonce that the caller demands, in the form used in tokens. */
static char *
NormalTerm(FunctionCallInfo fcinfo, int n, bool is_policy)
{
	char	   *given;
	char	   *normal;

	if (PG_ARGISNULL(n))
		return NULL;
	given = text_to_cstring(PG_GETARG_TEXT_PP(n));
	normal = palloc(TOKEN_OID_SIZE);
	if (is_policy ? NormalPolicy(given, normal) : NormalNonce(given, normal))
		return normal;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 is_policy ?
			 errmsg("policy must be an object identifier in dotted form") :
			 errmsg("nonce must be an integer, decimal or 0x and hex digits")));
	return NULL;				/* not reached */
}

/* answer_anchor_request(receipt_id, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_request);
Datum
answer_eval_anchor_request(PG_FUNCTION_ARGS)
{
	static FixedQuery count = {
		.text = "SELECT pg_catalog.count(*) FROM answer.anchor_request WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	text	   *receipt_id;
	uint8		sha256[SHA256_LENGTH];
	char		nonce[TOKEN_INTEGER_SIZE];
	char	   *policy;
	bytea	   *request;
	text	   *tenant;
	int			len;

	RequireArgument(fcinfo, 0, "receipt_id");
	RequirePrimary("answer_anchor_request()");
	policy = NormalTerm(fcinfo, 1, true);
	receipt_id = PG_GETARG_TEXT_PP(0);
	request = palloc(VARHDRSZ + REQUEST_MAX_SIZE);

	SPI_connect();
	tenant = StoredDigest(receipt_id, sha256);
	len = RequestMake(sha256, policy, (uint8 *) VARDATA(request), nonce);
	if (len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not make a time-stamp request with OpenSSL")));
	SET_VARSIZE(request, VARHDRSZ + len);
	RefuseMany(tenant, receipt_id, &count, "requests for an anchor", ANCHOR_MAX_REQUESTS);
	StoreRequest(tenant, receipt_id, nonce, policy);
	SPI_finish();
	PG_RETURN_BYTEA_P(request);
}

/* answer_anchor_attach(receipt_id, token) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_attach);
Datum
answer_eval_anchor_attach(PG_FUNCTION_ARGS)
{
	static const TokenTerms no_terms = {0};
	MemoryContext caller = CurrentMemoryContext;
	text	   *receipt_id;
	text	   *tenant;
	uint8		sha256[SHA256_LENGTH];
	TokenReport report;
	TimestampTz attached_at;
	JsonView	anchor;
	uint8	   *token;
	int			len;
	const char *problem;

	RequireArgument(fcinfo, 0, "receipt_id");
	RequireArgument(fcinfo, 1, "token");
	RequirePrimary("answer_anchor_attach()");
	receipt_id = PG_GETARG_TEXT_PP(0);
	token = TokenOfResponse(PG_GETARG_BYTEA_PP(1), &len);

	SPI_connect();
	tenant = StoredDigest(receipt_id, sha256);
	TokenExamine(token, len, sha256, &no_terms, &report);
	problem = TokenFirstFailure(&report);
	if (problem)
		RefuseToken(problem, NULL);
	if (!report.embedded || !report.has_identity)
		RefuseToken("the certificate of its signer is not in it",
					"Ask the authority for its certificate (certReq), as answer_anchor_request() does.");
	CheckRequested(tenant, receipt_id, &report);
	attached_at = StoreAnchor(tenant, receipt_id, &report, sha256, &token, &len, caller);
	SPI_finish();
	MemoryContextSwitchTo(caller);
	anchor = AnchorView(token, len, sha256, attached_at);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&anchor, false));
}

/*
 * answer.anchor(token, imprint, attached_at): makes a receipt's anchor object from the
 * columns of answer.anchor
 */
PG_FUNCTION_INFO_V1(answer_eval_anchor);
Datum
answer_eval_anchor(PG_FUNCTION_ARGS)
{
	bytea	   *token = PG_GETARG_BYTEA_PP(0);
	bytea	   *imprint = PG_GETARG_BYTEA_PP(1);
	JsonView	anchor;

	if (VARSIZE_ANY_EXHDR(imprint) != SHA256_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("imprint must have %d bytes", SHA256_LENGTH)));
	if (VARSIZE_ANY_EXHDR(token) > TOKEN_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the time-stamp token is too large")));
	anchor = AnchorView((const uint8 *) VARDATA_ANY(token), VARSIZE_ANY_EXHDR(token),
						(const uint8 *) VARDATA_ANY(imprint), PG_GETARG_TIMESTAMPTZ(2));
	PG_RETURN_JSONB_P(JsonViewToJsonb(&anchor, false));
}

/* Reports on the anchor of the given receipt. */
static Datum
VerifyAnchorOf(FunctionCallInfo fcinfo, const JsonView *receipt)
{
	TokenTerms terms = {0};
	AnchorReport report;
	TimestampTz at;
	JsonView	view;

	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "roots");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "nonce");
	LimitArgument(fcinfo, 4, DOCUMENT_MAX_SIZE, "policy");
	if (!PG_ARGISNULL(1))
		terms.roots = text_to_cstring(PG_GETARG_TEXT_PP(1));
	if (!PG_ARGISNULL(2))
	{
		at = PG_GETARG_TIMESTAMPTZ(2);
		terms.at = &at;
	}
	terms.nonce = NormalTerm(fcinfo, 3, false);
	terms.policy = NormalTerm(fcinfo, 4, true);
	report.reason = DocumentProblem(receipt);
	if (report.reason)
	{
		report.outcome = ANCHOR_MISMATCH;
		report.has_token = false;
	}
	else
		AnchorExamine(receipt, &terms, &report);
	view = AnchorReportView(&report, &terms);
	return JsonbPGetDatum(JsonViewToJsonb(&view, true));
}

/* answer_anchor_verify(receipt json or text, roots, at, nonce, policy) */
DOCUMENT_FUNCTIONS(answer_eval_anchor_verify, VerifyAnchorOf(fcinfo, &view));
