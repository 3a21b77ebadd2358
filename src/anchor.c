/*-------------------------------------------------------------------------
 *
 * anchor.c
 *		Anchors: time-stamps over receipts.
 *
 * Belongs to the room "timestamp".  An anchor is a time-stamping authority's
 * word that a receipt's digest existed at an instant.  Rule: section 7 of the
 * published semantics; the message imprint is the SHA-256 over the canonical
 * receipt, with its signature and without its anchor.  The tokens themselves
 * are timestamp.c's; nothing of OpenSSL is known here.
 *
 * Promises: examining an anchor never raises over what the receipt, the token
 * or the certificates hold; it reports.  Requests and tokens are only ever
 * added, and a token is added only if all of it holds that can be checked
 * without roots, which are for whoever verifies to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "anchor.h"
#include "argument.h"
#include "canonical.h"
#include "check.h"
#include "evidence.h"
#include "forget.h"
#include "instant.h"
#include "limits.h"
#include "query.h"
#include "receipt.h"
#include "signature.h"
#include "verify.h"

#define ANCHOR_HASH_ALG		"sha256"

const char *const anchor_outcome_labels[] = {"absent", "mismatch", "declared", "verified"};

/*
 * examining
 */

/*
 * The digest that is anchored.  Where a receipt was forgotten, its tombstone
 * keeps it.
 */
static bool
AnchoredDigest(const JsonView *receipt, uint8 *sha256, bool *forgotten)
{
	JsonView	schema;
	JsonView	digest;

	*forgotten = JsonViewGet(receipt, "schema", 6, &schema) &&
		JsonViewStringIs(&schema, TOMBSTONE_SCHEMA);
	if (!*forgotten)
	{
		ReceiptDigest(receipt, sha256);
		return true;
	}
	if (!JsonViewGet(receipt, "digest", 6, &digest) || digest.type != JVIEW_STRING ||
		digest.len != DIGEST_TEXT_LENGTH ||
		memcmp(digest.str, DIGEST_PREFIX, 7) != 0)
		return false;
	for (int i = 7; i < digest.len; i++)
	{
		if (digest.str[i] == '\0' || strchr("0123456789abcdef", digest.str[i]) == NULL)
			return false;
	}
	hex_decode(digest.str + 7, 2 * SHA256_LENGTH, (char *) sha256);
	return true;
}

/* The anchor's members, decoded; returns what is wrong with them. */
static const char *
ReadAnchor(const JsonView *anchor, const uint8 *sha256, uint8 **token, int *len)
{
	static const char *const members[] = {"token", "imprint", "hash_alg", "attached_at", NULL};
	char		hex[2 * SHA256_LENGTH + 1];
	JsonView	view;
	Span		text;
	TimestampTz attached_at;

	if (anchor->type != JVIEW_OBJECT)
		return "the anchor is no object";
	if (!HasOnlyKeys(anchor, members, &text))
		return "the anchor has an unknown member";
	if (!JsonViewGet(anchor, "hash_alg", 8, &view) || !JsonViewStringIs(&view, ANCHOR_HASH_ALG))
		return "the anchor's hash_alg is not sha256";
	HexEncode(sha256, SHA256_LENGTH, hex);
	hex[2 * SHA256_LENGTH] = '\0';
	if (!JsonViewGet(anchor, "imprint", 7, &view) || !JsonViewStringIs(&view, hex))
		return "the anchor's imprint is not that of this receipt";
	if (!JsonViewGet(anchor, "attached_at", 11, &view) || !InstantOfView(&view, &attached_at))
		return "the anchor's attached_at is no instant";
	if (!JsonViewGetString(anchor, "token", &text.str, &text.len))
		return "the anchor has no token";
	if (text.len >= BASE64_SIZE(TOKEN_MAX_SIZE))
		return "the token is too large";
	*token = palloc(text.len + 1);
	*len = Base64Decode(text, *token, text.len);
	return *len > 0 ? NULL : "the anchor's token is not base64";
}

/* The first step that fails, in the order in which they are reported. */
static const char *
FirstFailure(const TokenReport *token)
{
	const TokenStep *const steps[] = {&token->imprint, &token->nonce, &token->signature,
	&token->eku, &token->chain, &token->policy, &token->accuracy};

	if (token->problem)
		return token->problem;
	for (size_t i = 0; i < lengthof(steps); i++)
	{
		if (steps[i]->finding == TOKEN_FAILS)
			return steps[i]->reason;
	}
	return NULL;
}

/*
 * Examines the anchor of a receipt, which is a JSON object.  Without one, this
 * is a look-up.
 */
void
AnchorExamine(const JsonView *receipt, const TokenTerms *terms, AnchorReport *report)
{
	JsonView	anchor;
	uint8		sha256[SHA256_LENGTH];
	uint8	   *token;
	int			len;

	report->outcome = ANCHOR_ABSENT;
	report->reason = NULL;
	report->has_token = false;
	if (!JsonViewGet(receipt, "anchor", 6, &anchor))
		return;
	report->outcome = ANCHOR_MISMATCH;
	if (!AnchoredDigest(receipt, sha256, &report->forgotten))
	{
		report->reason = "the tombstone has no digest";
		return;
	}
	report->reason = ReadAnchor(&anchor, sha256, &token, &len);
	if (report->reason)
		return;
	CHECK_FOR_INTERRUPTS();
	report->has_token = true;
	TokenExamine(token, len, sha256, terms, &report->token);
	pfree(token);
	CHECK_FOR_INTERRUPTS();
	report->reason = FirstFailure(&report->token);
	if (report->reason == NULL)
		report->outcome = terms->roots ? ANCHOR_VERIFIED : ANCHOR_DECLARED;
}

/* The object that a receipt carries as its anchor. */
static JsonView
AnchorView(const uint8 *token, int len, const uint8 *imprint, TimestampTz attached_at)
{
	JsonView	view = JsonViewNewObject(4);
	char	   *base64 = palloc(BASE64_SIZE(len));
	char	   *hex = palloc(2 * SHA256_LENGTH);
	char	   *instant = palloc(INSTANT_SIZE);

	Base64Encode(token, len, base64);
	HexEncode(imprint, SHA256_LENGTH, hex);
	InstantFormat(attached_at, instant);
	JsonViewSet(&view, "token", JsonViewCString(base64));
	JsonViewSet(&view, "imprint", JsonViewString(hex, 2 * SHA256_LENGTH));
	JsonViewSet(&view, "hash_alg", JsonViewCString(ANCHOR_HASH_ALG));
	JsonViewSet(&view, "attached_at", JsonViewCString(instant));
	return view;
}

/*
 * the report
 */

static JsonView
StepView(const TokenStep *step)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "ok", step->finding == TOKEN_UNCHECKED ? JsonViewNull() :
				JsonViewBool(step->finding == TOKEN_HOLDS));
	if (step->reason)
		JsonViewSet(&view, "reason", JsonViewCString(step->reason));
	return view;
}

static void
SetText(JsonView *object, const char *key, const char *text)
{
	JsonViewSet(object, key, text[0] ? JsonViewCString(text) : JsonViewNull());
}

static void
SetInstant(JsonView *object, const char *key, TimestampTz instant)
{
	char	   *text;

	if (!InstantIsWritable(instant))
	{
		JsonViewSet(object, key, JsonViewNull());
		return;
	}
	text = palloc(INSTANT_SIZE);
	InstantFormat(instant, text);
	JsonViewSet(object, key, JsonViewCString(text));
}

static const char *
NonceState(const TokenReport *token, const TokenTerms *terms)
{
	if (terms->nonce == NULL)
		return "unasked";
	if (token->nonce_text[0] == '\0')
		return "absent";
	return token->nonce.finding == TOKEN_HOLDS ? "matches" : "differs";
}

static JsonView
StepsView(const AnchorReport *report, const TokenTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	steps = JsonViewNewObject(7);
	JsonView	step;

	step = StepView(&token->imprint);
	if (report->forgotten)
		JsonViewSet(&step, "forgotten", JsonViewBool(true));
	JsonViewSet(&steps, "imprint", step);

	step = StepView(&token->nonce);
	JsonViewSet(&step, "state", JsonViewCString(NonceState(token, terms)));
	SetText(&step, "nonce", token->nonce_text);
	JsonViewSet(&steps, "nonce", step);

	step = StepView(&token->signature);
	JsonViewSet(&step, "state", JsonViewCString(token->signature.finding == TOKEN_UNCHECKED ?
												"unchecked" : "checked"));
	SetText(&step, "signer", token->signer);
	SetText(&step, "digest_alg", token->digest_alg);
	JsonViewSet(&steps, "signature", step);

	JsonViewSet(&steps, "eku", StepView(&token->eku));

	step = StepView(&token->chain);
	SetInstant(&step, "at", token->chain_at);
	JsonViewSet(&steps, "chain", step);

	step = StepView(&token->policy);
	JsonViewSet(&step, "state", JsonViewCString(terms->policy == NULL ? "unasked" :
												token->policy.finding == TOKEN_HOLDS ?
												"matches" : "differs"));
	JsonViewSet(&steps, "policy", step);

	step = StepView(&token->accuracy);
	JsonViewSet(&step, "state", JsonViewCString(token->has_accuracy ||
												token->accuracy.finding == TOKEN_FAILS ?
												"stated" : "absent"));
	JsonViewSet(&steps, "accuracy", step);
	return steps;
}

static JsonView
AccuracyView(const TokenReport *token)
{
	JsonView	view;

	if (!token->has_accuracy)
		return JsonViewNull();
	view = JsonViewNewObject(3);
	JsonViewSet(&view, "seconds", JsonViewInteger(token->seconds));
	JsonViewSet(&view, "millis", JsonViewInteger(token->millis));
	JsonViewSet(&view, "micros", JsonViewInteger(token->micros));
	return view;
}

/* The report borrows the texts of what it reports. */
static JsonView
ReportView(const AnchorReport *report, const TokenTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	view = JsonViewNewObject(11);

	JsonViewSet(&view, "outcome", JsonViewCString(anchor_outcome_labels[report->outcome]));
	JsonViewSet(&view, "ok", JsonViewBool(report->outcome != ANCHOR_MISMATCH));
	if (report->reason)
		JsonViewSet(&view, "reason", JsonViewCString(report->reason));
	if (!report->has_token || token->problem)
		return view;
	SetInstant(&view, "gen_time", token->gen_time);
	SetText(&view, "serial", token->serial);
	SetText(&view, "policy", token->policy_id);
	JsonViewSet(&view, "accuracy", AccuracyView(token));
	JsonViewSet(&view, "ordering", JsonViewBool(token->ordering));
	SetText(&view, "tsa", token->tsa[0] ? token->tsa : token->signer);
	JsonViewSet(&view, "steps", StepsView(report, terms));
	return view;
}

/*
 * requests and attached anchors
 */

/*
 * The digest of a stored receipt, read as the caller, who learns it.  SPI must
 * be connected.
 */
static void
StoredDigest(text *receipt_id, uint8 *sha256)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(receipt_id);
	JsonView	receipt;
	bool		isnull;
	bool		forgotten;

	QueryRun(&query, &id, NULL, false, 1);
	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no receipt \"%s\"", text_to_cstring(receipt_id))));
	JsonViewOfJsonb(DatumGetJsonbP(SPI_getbinval(SPI_tuptable->vals[0],
												 SPI_tuptable->tupdesc, 1, &isnull)),
					&receipt);
	if (!AnchoredDigest(&receipt, sha256, &forgotten))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the tombstone of receipt \"%s\" has no digest",
						text_to_cstring(receipt_id))));
	SPI_freetuptable(SPI_tuptable);
}

static void
StoreRequest(text *receipt_id, const char *nonce, const char *policy)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor_request (receipt_id, nonce, policy, requested_at)"
		" VALUES ($1, $2, $3, $4)",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[4];
	Oid			user;
	int			context;

	values[0] = PointerGetDatum(receipt_id);
	values[1] = CStringGetTextDatum(nonce);
	values[2] = policy ? CStringGetTextDatum(policy) : (Datum) 0;
	values[3] = TimestampTzGetDatum(GetCurrentTimestamp());
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, policy ? "    " : "  n ", false, 0);
	AnswerAsCaller(user, context);
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
 * A token must answer a request of ours for this receipt.  One without a nonce
 * that was asked for elsewhere is taken if there are no requests.
 */
static void
CheckRequested(text *receipt_id, const TokenReport *token)
{
	/* the request that the token names comes first, NULLs compare as last */
	static FixedQuery query = {
		.text = "SELECT nonce OPERATOR(pg_catalog.=) $2, policy FROM answer.anchor_request"
		" WHERE receipt_id OPERATOR(pg_catalog.=) $1 ORDER BY 1 DESC NULLS LAST LIMIT 1",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	bool		has_nonce = token->nonce_text[0] != '\0';
	Datum		values[2];
	bool		isnull;
	bool		matches;
	char	   *policy;
	Oid			user;
	int			context;

	values[0] = PointerGetDatum(receipt_id);
	values[1] = has_nonce ? CStringGetTextDatum(token->nonce_text) : (Datum) 0;
	AnswerAsOwner(&user, &context);
	QueryRun(&query, values, has_nonce ? "  " : " n", false, 1);
	AnswerAsCaller(user, context);
	if (SPI_processed == 0)
	{
		if (has_nonce)
			RefuseToken("it has a nonce, and nothing was requested for this receipt",
						"Ask with the request that answer_anchor_request() makes.");
		return;
	}
	matches = DatumGetBool(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
										 &isnull));
	if (isnull)
		RefuseToken("it has no nonce, and what was requested for this receipt has one", NULL);
	if (!matches)
		RefuseToken("its nonce is not that of a request for this receipt", NULL);
	policy = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2);
	if (policy && strcmp(policy, token->policy_id) != 0)
		RefuseToken(psprintf("its policy is %s, and %s was requested", token->policy_id, policy),
					NULL);
	SPI_freetuptable(SPI_tuptable);
}

/*
 * Refuses more requests for a receipt, or anchors of it, than there may be.
 * The receipt is locked until the transaction ends, so that others who add one
 * are counted, and nobody else waits.
 */
static void
RefuseMany(text *receipt_id, FixedQuery *count, const char *what, int most)
{
	static FixedQuery lock = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1 FOR NO KEY UPDATE",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(receipt_id);
	bool		isnull;
	int64		there;
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	QueryRunLatest(&lock, &id, NULL, 0);
	QueryRunLatest(count, &id, NULL, 1);
	AnswerAsCaller(user, context);
	there = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
	if (there >= most)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("receipt \"%s\" has " INT64_FORMAT " %s", text_to_cstring(receipt_id), there, what),
				 errdetail("The most are %d.", most)));
}

/*
 * Stores an anchor, unless the same token is there, perhaps with other bytes
 * where it is not signed.  Gives back the token that is stored, and when it
 * was attached.
 */
static TimestampTz
StoreAnchor(text *receipt_id, const TokenReport *report, const uint8 *imprint,
			uint8 **token, int *len, MemoryContext context)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.anchor (receipt_id, token_digest, token, imprint, attached_at)"
		" VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
		.nargs = 5,
		.argtypes = {TEXTOID, TEXTOID, BYTEAOID, BYTEAOID, TIMESTAMPTZOID}
	};
	static FixedQuery stored = {
		.text = "SELECT attached_at, token FROM answer.anchor WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND token_digest OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	static FixedQuery count = {
		.text = "SELECT pg_catalog.count(*) FROM answer.anchor WHERE receipt_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	TimestampTz attached_at = GetCurrentTimestamp();
	char		digest[DIGEST_TEXT_LENGTH];
	Datum		values[5];
	bool		isnull;
	bool		is_there;
	Oid			user;
	int			security;

	memcpy(digest, DIGEST_PREFIX, 7);
	HexEncode(report->identity, SHA256_LENGTH, digest + 7);
	values[0] = PointerGetDatum(receipt_id);
	values[1] = PointerGetDatum(cstring_to_text_with_len(digest, sizeof(digest)));
	values[2] = PointerGetDatum(cstring_to_text_with_len((const char *) *token, *len));
	values[3] = PointerGetDatum(cstring_to_text_with_len((const char *) imprint, SHA256_LENGTH));
	values[4] = TimestampTzGetDatum(attached_at);
	AnswerAsOwner(&user, &security);
	QueryRunLatest(&stored, values, NULL, 1);
	is_there = SPI_processed > 0;
	AnswerAsCaller(user, security);
	if (!is_there)
	{
		RefuseMany(receipt_id, &count, "anchors", ANCHOR_MAX_COUNT);
		AnswerAsOwner(&user, &security);
		QueryRun(&insert, values, NULL, false, 0);
		is_there = SPI_processed == 0;
		if (is_there)
			QueryRunLatest(&stored, values, NULL, 1);	/* what just got in the way */
		AnswerAsCaller(user, security);
	}
	if (is_there && SPI_processed > 0)
	{
		bytea	   *kept = DatumGetByteaPP(SPI_getbinval(SPI_tuptable->vals[0],
														 SPI_tuptable->tupdesc, 2, &isnull));

		attached_at = DatumGetTimestampTz(SPI_getbinval(SPI_tuptable->vals[0],
														SPI_tuptable->tupdesc, 1, &isnull));
		*len = VARSIZE_ANY_EXHDR(kept);
		*token = MemoryContextAlloc(context, *len);
		memcpy(*token, VARDATA_ANY(kept), *len);
		SPI_freetuptable(SPI_tuptable);
	}
	return attached_at;
}

/*
 * The token out of what an authority sent.  Raises if that grants none, or is
 * something else.
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

/* A policy or a nonce that the caller asks for, in the form of those in tokens. */
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
		.text = "SELECT pg_catalog.count(*) FROM answer.anchor_request WHERE receipt_id OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	text	   *receipt_id;
	uint8		sha256[SHA256_LENGTH];
	char		nonce[TOKEN_INTEGER_SIZE];
	char	   *policy;
	bytea	   *request;
	int			len;

	RequireArgument(fcinfo, 0, "receipt_id");
	PreventCommandIfReadOnly("answer_anchor_request()");
	policy = NormalTerm(fcinfo, 1, true);
	receipt_id = PG_GETARG_TEXT_PP(0);
	request = palloc(VARHDRSZ + REQUEST_MAX_SIZE);

	SPI_connect();
	StoredDigest(receipt_id, sha256);
	len = RequestMake(sha256, policy, (uint8 *) VARDATA(request), nonce);
	if (len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not make a time-stamp request with OpenSSL")));
	SET_VARSIZE(request, VARHDRSZ + len);
	RefuseMany(receipt_id, &count, "requests for an anchor", ANCHOR_MAX_REQUESTS);
	StoreRequest(receipt_id, nonce, policy);
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
	uint8		sha256[SHA256_LENGTH];
	TokenReport report;
	TimestampTz attached_at;
	JsonView	anchor;
	uint8	   *token;
	int			len;
	const char *problem;

	RequireArgument(fcinfo, 0, "receipt_id");
	RequireArgument(fcinfo, 1, "token");
	PreventCommandIfReadOnly("answer_anchor_attach()");
	receipt_id = PG_GETARG_TEXT_PP(0);
	token = TokenOfResponse(PG_GETARG_BYTEA_PP(1), &len);

	SPI_connect();
	StoredDigest(receipt_id, sha256);
	TokenExamine(token, len, sha256, &no_terms, &report);
	problem = FirstFailure(&report);
	if (problem)
		RefuseToken(problem, NULL);
	if (!report.embedded || !report.has_identity)
		RefuseToken("the certificate of its signer is not in it",
					"Ask the authority for its certificate (certReq), as answer_anchor_request() does.");
	CheckRequested(receipt_id, &report);
	attached_at = StoreAnchor(receipt_id, &report, sha256, &token, &len, caller);
	SPI_finish();
	MemoryContextSwitchTo(caller);
	anchor = AnchorView(token, len, sha256, attached_at);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&anchor, false));
}

/*
 * answer_anchor(token, imprint, attached_at): the object that a receipt carries,
 * of the columns of answer.anchor.
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

/* Reports on the anchor of what was given as a receipt. */
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
	view = ReportView(&report, &terms);
	return JsonbPGetDatum(JsonViewToJsonb(&view, true));
}

/* answer_anchor_verify(receipt json or text, roots, at, nonce, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_verify_json);
Datum
answer_eval_anchor_verify_json(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentText(fcinfo, &receipt);
	return VerifyAnchorOf(fcinfo, &receipt);
}

/* answer_anchor_verify(receipt jsonb, roots, at, nonce, policy) */
PG_FUNCTION_INFO_V1(answer_eval_anchor_verify_jsonb);
Datum
answer_eval_anchor_verify_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentJsonb(fcinfo, 0, &receipt);
	return VerifyAnchorOf(fcinfo, &receipt);
}
