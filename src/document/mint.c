/*-------------------------------------------------------------------------
 *
 * mint.c
 *		The one way to sign: minting a document of a kind.
 *
 * Rule: the contract of signed documents.  A document of a kind (kind.h) is
 * named by its content, signed, and stored in the caller's own transaction: if
 * that rolls back, the document never was.
 *
 * Promises: what was forgotten never comes back in a new document; the digest
 * that the log seals is stored in the statement that stores the document; no
 * document is minted that a verifier could not read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/distributed.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/mint.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/tombstone.h"

/* The members that every document has, but for its id and its signature. */
JsonView
DocumentBegin(const DocumentKind *kind, const text *tenant, TimestampTz issued_at)
{
	JsonView	body = JsonViewNewObject(18);
	char	   *instant = palloc(INSTANT_SIZE);

	InstantFormat(issued_at, instant);
	JsonViewSet(&body, "schema", JsonViewCString(kind->schema));
	JsonViewSet(&body, "issuer", ReceiptIssuer());
	JsonViewSet(&body, "issued_at", JsonViewCString(instant));
	/* the operator's have no such member, as all had before there were tenants */
	if (VARSIZE_ANY_EXHDR(tenant) > 0)
		JsonViewSet(&body, "tenant", JsonViewCString(text_to_cstring(tenant)));
	return body;
}

/*
 * Stores a document as the owner, and its digest for the log to seal.  The same
 * document again is the same row, and waits for no second leaf: its id has a
 * digest of the instant in it, so both come to one partition, whose key tells.
 */
static void
StoreDocument(const Minting *minting, const char *receipt_id, Jsonb *body, const uint8 *sha256)
{
	/* one statement: two cost a twentieth more */
	static FixedQuery insert = {
		.text = "WITH stored AS (INSERT INTO answer.receipt"
		" (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, intent, took, body, tenant)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12) ON CONFLICT DO NOTHING RETURNING receipt_id)"
		" INSERT INTO answer.unsealed (receipt_id, issued_at, digest)"
		" SELECT receipt_id, $3, $11 FROM stored",
		.nargs = 12,
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID, FLOAT8OID, BOOLOID, TEXTOID, TEXTOID,
		INTERVALOID, JSONBOID, BYTEAOID, TEXTOID}
	};
	static FixedQuery same = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND body OPERATOR(pg_catalog.=) $2 AND issued_at OPERATOR(pg_catalog.=) $3"
		" AND tenant OPERATOR(pg_catalog.=) $4",
		.nargs = 4,
		.argtypes = {TEXTOID, JSONBOID, TIMESTAMPTZOID, TEXTOID}
	};
	char		nulls[] = "            ";
	Datum		values[12];
	Datum		identity[4];
	Interval	took = {0};
	KindColumns columns;
	uint64		stored;
	Oid			user;
	int			context;

	memset(&columns, 0, sizeof(columns));
	if (!minting->kind->read_columns(&minting->body, &columns))
		elog(ERROR, "a document of schema %s lacks what its columns repeat", minting->kind->schema);
	/* microseconds alone, as nobody wants days of a minute */
	took.time = Max(GetCurrentTimestamp() - minting->begun_at, 0);
	values[0] = CStringGetTextDatum(receipt_id);
	values[1] = CStringGetTextDatum(minting->kind->schema);
	values[2] = TimestampTzGetDatum(minting->issued_at);
	values[3] = SpanDatum(columns.verdict);
	values[4] = Float8GetDatum(columns.confidence);
	nulls[4] = columns.has_confidence ? ' ' : 'n';
	values[5] = BoolGetDatum(columns.degraded);
	nulls[5] = columns.has_degraded ? ' ' : 'n';
	values[6] = CStringGetTextDatum(minting->key->key_id);
	values[7] = columns.intent.len > 0 ? SpanDatum(columns.intent) : (Datum) 0;
	nulls[7] = columns.intent.len > 0 ? ' ' : 'n';
	values[8] = IntervalPGetDatum(&took);
	nulls[8] = minting->begun_at != 0 ? ' ' : 'n';
	values[9] = JsonbPGetDatum(body);
	values[10] = PointerGetDatum(cstring_to_text_with_len((const char *) sha256, SHA256_LENGTH));
	identity[0] = values[0];
	identity[1] = values[9];
	identity[2] = values[2];
	identity[3] = values[11] = PointerGetDatum(minting->tenant);

	RefuseForgotten(minting->tenant, minting->digests, minting->ndigests);
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, nulls, false, 0);
	stored = SPI_processed;
	if (stored == 0)
	{
		QueryRun(&same, identity, NULL, false, 1);	/* sees what just got in the way */
		stored = SPI_processed;
	}
	AnswerAsCaller(user, context);
	if (stored == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("receipt \"%s\" exists already with another content", receipt_id)));
}

/*
 * The digest of a document, out of the text that was signed: only the signature is
 * missing there.  Changes the text to that of the whole document.
 */
static void
DigestSigned(SignedText *signed_text, const JsonView *signature, uint8 *sha256)
{
	StringInfo	text = &signed_text->text;
	int			place = signed_text->id.place;
	int			taillen = text->len - place;
	char	   *tail = pnstrdup(text->data + place, taillen);

	text->len = place;
	appendStringInfoString(text, ",\"signature\":");
	CanonicalWrite(text, signature, NULL);
	appendBinaryStringInfo(text, tail, taillen);
	Sha256(text->data, text->len, sha256);
	pfree(tail);
}

/* What nobody could verify as text is not minted.  The signature adds some 300 bytes. */
static void
RefuseLargeReceipt(int len)
{
	if (len > DOCUMENT_MAX_SIZE - 1000)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the receipt would be too large"),
				 errdetail("It would have %d bytes; the most are %d.", len, DOCUMENT_MAX_SIZE - 1000),
				 errhint("Ask about less at a time.")));
}

/*
 * Names a document by its content, signs it and stores it; the body gets its id
 * and its signature.  SPI must be connected.
 */
Jsonb *
DocumentMint(Minting *minting)
{
	JsonView   *body = &minting->body;
	char	   *receipt_id = psprintf("%s0123456789abcdef", minting->kind->prefix);
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	uint8		sha256[SHA256_LENGTH];
	SignedText	signed_text;
	JsonView	signature_view;
	Jsonb	   *stored;

	RefuseScattered();
	if (JsonViewIsDeeper(body, RECEIPT_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("request is nested too deeply"),
				 errdetail("A receipt has at most %d levels, so that anybody can verify it.",
						   RECEIPT_MAX_DEPTH)));
	/* written once: the id takes the place of another of its length */
	JsonViewSet(body, "receipt_id", JsonViewCString(receipt_id));
	if (minting->makes_portable)
		SignedTextInitPortable(&signed_text, body);
	else
		SignedTextInit(&signed_text, body);
	RefuseLargeReceipt(signed_text.text.len);
	SignedTextReceiptId(&signed_text, minting->kind->prefix, receipt_id);
	memcpy(signed_text.text.data + signed_text.id.end - 1 - RECEIPT_ID_LENGTH,
		   receipt_id, RECEIPT_ID_LENGTH);
	SigningKeySign(minting->key, signed_text.text.data, signed_text.text.len, signature);
	signature_view = SignatureView(minting->key, signature);
	DigestSigned(&signed_text, &signature_view, sha256);
	pfree(signed_text.text.data);
	JsonViewSet(body, "signature", signature_view);
	stored = JsonViewToJsonb(body, minting->makes_portable);
#ifdef USE_ASSERT_CHECKING
	{
		uint8		again[SHA256_LENGTH];
		JsonView	view;

		JsonViewOfJsonb(stored, &view);
		ReceiptDigest(&view, again);
		Assert(memcmp(sha256, again, SHA256_LENGTH) == 0);
	}
#endif
	StoreDocument(minting, receipt_id, stored, sha256);
	return stored;
}
