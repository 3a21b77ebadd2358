/*-------------------------------------------------------------------------
 *
 * dsse.c
 *		A stored receipt as a DSSE envelope.
 *
 * Rule: DSSE protocol 1.0.0 and its JSON envelope (secure-systems-lab/dsse).
 * The payload is an in-toto Statement v1.  Its subject is the receipt, by
 * digest, and its predicate is the receipt itself.  So a program that verifies
 * DSSE, and knows nothing of our format, can check a receipt's origin.  The
 * receipt inside has its own signature, too.
 *
 * Promises: what is signed was verified in the same call, by id, signature and
 * key life, so a manipulated receipt gets no fresh signature.  The payload is
 * canonical JSON: the same receipt gives the same bytes.  What is signed begins
 * with "DSSEv1 ", so it is neither a receipt nor a fact's digest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/base64.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/dsse.h"
#include "document/retention.h"
#include "document/signed.h"
#include "document/store.h"
#include "keys/keyring.h"

#define PAYLOAD_TYPE	"application/vnd.in-toto+json"

/*
 * in-toto demands a URI that nobody else uses.  We own no domain, so it is a random
 * UUID, followed by the schema's name and version.
 */
#define PREDICATE_TYPE	"urn:uuid:cf5c1a9f-9129-4fb1-a802-72610c8a6223#"

/*
 * Returns the stored body, copied to the current context, or NULL.  It is read with the
 * rights of whoever may read it, because the envelope shows the body.  It is read with
 * the latest snapshot, so that a receipt that was forgotten meanwhile is not signed.
 */
static Jsonb *
StoredBody(const char *receipt_id)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {CStringGetTextDatum(receipt_id)};
	TenantReading reading;
	Jsonb	   *body = NULL;
	QueryRows	rows;

	TenantReadBegin(&reading);
	values[1] = reading.tenants;
	rows = QueryRunLatest(&query, values, NULL, 1);
	TenantReadEnd(&reading);
	if (rows.count > 0)
		body = DatumGetJsonbPCopy(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	return body;
}

static void
RefuseTombstone(const char *receipt_id, const JsonView *body)
{
	JsonView	schema;

	if (body->type == JVIEW_OBJECT && JsonViewGetMember(body, "schema", &schema) &&
		JsonViewStringIs(&schema, TOMBSTONE_SCHEMA))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("receipt \"%s\" was forgotten", receipt_id),
				 errhint("Its tombstone is what answer_receipt() returns, and is signed.")));
}

/* Returns the receipt as it was issued, without an anchor that was added later. */
static JsonView
WithoutAnchor(const JsonView *body)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(body, &count);
	JsonView	receipt = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		if (members[i].key.len != 6 || memcmp(members[i].key.str, "anchor", 6) != 0)
			JsonViewSetKey(&receipt, members[i].key.str, members[i].key.len, members[i].value);
	}
	return receipt;
}

static JsonView
MakeStatement(const char *receipt_id, const JsonView *body)
{
	JsonView	statement = JsonViewNewObject(4);
	JsonView	subjects = JsonViewNewArray(1);
	JsonView	subject = JsonViewNewObject(2);
	JsonView	digests = JsonViewNewObject(1);
	JsonView	schema = JsonViewUnder(body, "schema");
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	ReceiptDigestText(body, digest);
	JsonViewSet(&digests, "sha256", JsonViewCString(digest + strlen(DIGEST_PREFIX)));
	JsonViewSet(&subject, "name", JsonViewCString(receipt_id));
	JsonViewSet(&subject, "digest", digests);
	JsonViewAppend(&subjects, subject);
	JsonViewSet(&statement, "_type", JsonViewCString(STATEMENT_TYPE));
	JsonViewSet(&statement, "subject", subjects);
	JsonViewSet(&statement, "predicateType",
				JsonViewCString(psprintf(PREDICATE_TYPE "%.*s", schema.len, schema.str)));
	JsonViewSet(&statement, "predicate", WithoutAnchor(body));
	return statement;
}

static JsonView
Base64View(const char *bytes, int len)
{
	char	   *text = palloc_extended(BASE64_SIZE((Size) len), MCXT_ALLOC_HUGE);

	Base64Encode((const uint8 *) bytes, len, text);
	return JsonViewCString(text);
}

/* Signs the payload in DSSE's pre-authentication encoding. */
JsonView
DsseEnvelope(const StringInfo payload)
{
	JsonView	envelope = JsonViewNewObject(3);
	JsonView	signatures = JsonViewNewArray(1);
	JsonView	signature = JsonViewNewObject(2);
	uint8		raw[ED25519_SIGNATURE_LENGTH];
	StringInfoData encoded;
	SigningKey	key;
	TimestampTz now;

	initStringInfo(&encoded);
	appendStringInfo(&encoded, "DSSEv1 %d %s %d ", (int) strlen(PAYLOAD_TYPE), PAYLOAD_TYPE,
					 payload->len);
	appendBinaryStringInfo(&encoded, payload->data, payload->len);
	SigningKeyBeginUnstored(&key, &now);
	SigningKeySignRaw(&key, encoded.data, encoded.len, raw);
	pfree(encoded.data);

	JsonViewSet(&signature, "keyid", JsonViewCString(pstrdup(key.key_id)));
	JsonViewSet(&signature, "sig", Base64View((const char *) raw, sizeof(raw)));
	JsonViewAppend(&signatures, signature);
	JsonViewSet(&envelope, "payloadType", JsonViewCString(PAYLOAD_TYPE));
	JsonViewSet(&envelope, "payload", Base64View(payload->data, payload->len));
	JsonViewSet(&envelope, "signatures", signatures);
	return envelope;
}

/*
 * SQL
 */

/* answer_dsse(receipt_id) */
PG_FUNCTION_INFO_V1(answer_eval_dsse);
Datum
answer_eval_dsse(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	char	   *receipt_id = text_to_cstring(PG_GETARG_TEXT_PP(0));
	StringInfoData payload;
	JsonView	view;
	Jsonb	   *body;

	/* a standby may not know yet that a key is no longer good */
	RequireNoStandby("answer_dsse()");
	SPI_connect();
	body = StoredBody(receipt_id);
	if (body == NULL)
	{
		RefuseDetached(PointerGetDatum(ReadableTenants()), PG_GETARG_TEXT_PP(0), NULL,
					   "Only what is in answer.receipt gets an envelope. The receipt has its own signature in it.");
		SPI_finish();
		PG_RETURN_NULL();
	}
	JsonViewOfJsonb(body, &view);
	RefuseTombstone(receipt_id, &view);
	ReceiptMustHold(receipt_id, &view, true);
	view = MakeStatement(receipt_id, &view);
	initStringInfo(&payload);
	CanonicalWrite(&payload, &view, NULL);
	view = DsseEnvelope(&payload);
	return FinishWithView(&view, false, caller);
}
