/*-------------------------------------------------------------------------
 *
 * receipt.c
 *		Minting, storing and verifying receipts.
 *
 * A receipt (answer/v1) is put together, named by its content, signed and
 * stored in the caller's own transaction: if that rolls back, the receipt never
 * was.  The rules of verification are in verify.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "canonical.h"
#include "evidence.h"
#include "instant.h"
#include "query.h"
#include "receipt.h"
#include "settings.h"
#include "verify.h"

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the evidence is true. Evidence is advisory.";

/* Is it text in this database's encoding, or, where that is none, in UTF-8? */
static bool
IsText(const char *text)
{
	int			encoding = GetDatabaseEncoding();

	return pg_verify_mbstr(encoding == PG_SQL_ASCII ? PG_UTF8 : encoding, text,
						   strlen(text), true);
}

/* Who issues: the setting, or the cluster's identifier and the database. */
JsonView
IssuerView(void)
{
	int			len;
	char	   *issuer = answer_eval_issuer;
	char	   *utf8;

	if (issuer[0] == '\0' || !IsText(issuer))
	{
		char	   *database = get_database_name(MyDatabaseId);

		/* a database's name is bytes of no certain encoding */
		if (!IsText(database))
			database = psprintf("%u", MyDatabaseId);
		issuer = psprintf("postgresql:" UINT64_FORMAT "/%s", GetSystemIdentifier(), database);
	}
	utf8 = JsonServerToUtf8(issuer, strlen(issuer), &len);
	return JsonViewString(utf8, len);
}

static JsonView
ReproduceView(const JsonView *calls)
{
	JsonView	reproduce = JsonViewNewObject(2);
	JsonView	evaluator = JsonViewNewObject(2);
	JsonView	rules = JsonViewNewArray(3);

	JsonViewAppend(&rules, JsonViewCString("answer-eval/1"));
	JsonViewAppend(&rules, JsonViewCString("answer-conf/1"));
	JsonViewAppend(&rules, JsonViewCString("fact-conf/1"));
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", rules);
	JsonViewSet(&reproduce, "evaluator", evaluator);
	JsonViewSet(&reproduce, "calls", *calls);
	return reproduce;
}

static JsonView
BodyView(const ReceiptContent *content)
{
	JsonView	body = JsonViewNewObject(16);
	char	   *instant = palloc(INSTANT_SIZE);

	InstantFormat(content->evaluated_at, instant);
	JsonViewSet(&body, "schema", JsonViewCString(RECEIPT_SCHEMA));
	JsonViewSet(&body, "issuer", IssuerView());
	JsonViewSet(&body, "issued_at", JsonViewCString(instant));
	JsonViewSet(&body, "evaluated_at", JsonViewCString(instant));
	JsonViewSet(&body, "mode",
				JsonViewCString(content->question.type == JVIEW_ABSENT ? "checks" : "question"));
	if (content->question.type != JVIEW_ABSENT)
	{
		JsonViewSet(&body, "question", content->question);
		JsonViewSet(&body, "route", content->route);
	}
	if (content->coverage.type != JVIEW_ABSENT)
		JsonViewSet(&body, "coverage", content->coverage);
	JsonViewSet(&body, "verdict",
				JsonViewCString(composite_labels[content->composite.verdict]));
	JsonViewSet(&body, "confidence", HundredthsView(content->composite.hundredths));
	JsonViewSet(&body, "degraded", JsonViewBool(content->composite.degraded));
	JsonViewSet(&body, "checks", content->checks);
	JsonViewSet(&body, "evidence_index", content->evidence_index);
	JsonViewSet(&body, "reproduce", ReproduceView(&content->calls));
	JsonViewSet(&body, "disclaimer", JsonViewCString(disclaimer));
	return body;
}

/* The SQL enum of composite verdicts, wherever the extension was created. */
static Oid
VerdictType(void)
{
	Oid			table = get_relname_relid("receipt", get_namespace_oid("answer", false));

	return get_atttype(table, get_attnum(table, "verdict"));
}

/*
 * Stores a receipt as the owner, and its digest for the log to seal.  The same
 * receipt again is the same row, and waits for no second leaf.
 */
static void
StoreReceipt(const ReceiptContent *content, const char *receipt_id,
			 const SigningKey *key, Jsonb *body, const uint8 *sha256)
{
	/* one statement: two cost a twentieth more */
	static FixedQuery insert = {
		.text = "WITH stored AS (INSERT INTO answer.receipt"
		" (receipt_id, issued_at, verdict, confidence, degraded, checks, key_id, body)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING receipt_id)"
		" INSERT INTO answer.unsealed (receipt_id, issued_at, digest)"
		" SELECT receipt_id, $2, $9 FROM stored",
		.nargs = 9,
		.argtypes = {TEXTOID, TIMESTAMPTZOID, InvalidOid, FLOAT8OID, BOOLOID, INT4OID, TEXTOID, JSONBOID, BYTEAOID}
	};
	static Vocabulary verdicts;
	static FixedQuery same = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND body OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, JSONBOID}
	};
	Datum		values[9];
	Datum		identity[2];
	uint64		stored;
	Oid			user;
	int			context;

	VocabularyLookup(&verdicts, VerdictType(), composite_labels);
	QuerySetArgtype(&insert, 2, verdicts.type);
	values[0] = CStringGetTextDatum(receipt_id);
	values[1] = TimestampTzGetDatum(content->evaluated_at);
	values[2] = ObjectIdGetDatum(verdicts.oids[content->composite.verdict]);
	values[3] = Float8GetDatum(content->composite.hundredths / 100.0);
	values[4] = BoolGetDatum(content->composite.degraded);
	values[5] = Int32GetDatum((int32) content->composite.checks);
	values[6] = CStringGetTextDatum(key->key_id);
	values[7] = JsonbPGetDatum(body);
	values[8] = PointerGetDatum(cstring_to_text_with_len((const char *) sha256, SHA256_LENGTH));
	identity[0] = values[0];
	identity[1] = values[7];

	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, NULL, false, 0);
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
 * The digest of a receipt, out of the text that was signed: the signature's
 * place in canonical order is before the last member, the verdict, so nothing
 * is written a second time.  Changes the text to that of the whole receipt.
 */
static void
DigestSigned(StringInfo text, const char *verdict, const JsonView *signature, uint8 *sha256)
{
	char	   *last = psprintf(",\"verdict\":\"%s\"}", verdict);
	int			at = text->len - (int) strlen(last);

	if (at < 0 || strcmp(text->data + at, last) != 0)
		elog(ERROR, "a receipt does not end with its verdict");
	text->len = at;
	appendStringInfoString(text, ",\"signature\":");
	CanonicalWrite(text, signature, NULL);
	appendStringInfoString(text, last);
	Sha256(text->data, text->len, sha256);
}

/* Mints, signs and stores.  SPI must be connected. */
Jsonb *
ReceiptMint(const ReceiptContent *content, const SigningKey *key)
{
	JsonView	body = BodyView(content);
	char	   *receipt_id = pstrdup(RECEIPT_ID_PREFIX "0123456789abcdef");
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	uint8		sha256[SHA256_LENGTH];
	SignedText	signed_text;
	JsonView	signature_view;
	Jsonb	   *stored;

	if (JsonViewIsDeeper(&body, RECEIPT_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("request is nested too deeply"),
				 errdetail("A receipt has at most %d levels, so that anybody can verify it.",
						   RECEIPT_MAX_DEPTH)));
	/* written once: the id takes the place of another of its length */
	JsonViewSet(&body, "receipt_id", JsonViewCString(receipt_id));
	SignedTextInit(&signed_text, &body);
	SignedTextReceiptId(&signed_text, receipt_id);
	memcpy(signed_text.text.data + signed_text.id.end - 1 - RECEIPT_ID_LENGTH,
		   receipt_id, RECEIPT_ID_LENGTH);
	SigningKeySign(key, signed_text.text.data, signed_text.text.len, signature);
	signature_view = SignatureView(key, signature);
	DigestSigned(&signed_text.text, composite_labels[content->composite.verdict],
				 &signature_view, sha256);
	pfree(signed_text.text.data);
	JsonViewSet(&body, "signature", signature_view);
	stored = JsonViewToJsonb(&body, false);
#ifdef USE_ASSERT_CHECKING
	{
		uint8		again[SHA256_LENGTH];

		ReceiptDigest(&body, again);
		Assert(memcmp(sha256, again, SHA256_LENGTH) == 0);
	}
#endif
	StoreReceipt(content, receipt_id, key, stored, sha256);
	return stored;
}

/*
 * append-only tables
 */

/*
 * answer_append_only(): refuses what fires it, to the owner as well.
 */
PG_FUNCTION_INFO_V1(answer_eval_append_only);
Datum
answer_eval_append_only(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	const char *operation;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer_append_only() must be called as a trigger")));
	operation = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? "UPDATE" :
		TRIGGER_FIRED_BY_DELETE(trigger->tg_event) ? "DELETE" :
		TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event) ? "TRUNCATE" : "INSERT";
	ereport(ERROR,
			(errcode(ERRCODE_RESTRICT_VIOLATION),
			 errmsg("table %s is append-only",
					quote_qualified_identifier(SPI_getnspname(trigger->tg_relation),
											   SPI_getrelname(trigger->tg_relation))),
			 errdetail("%s was refused.", operation)));
	PG_RETURN_NULL();			/* not reached */
}

/*
 * SQL
 */

/*
 * In a SQL_ASCII database nothing vouches for bytes, and reading a view of bad
 * ones would raise.  A verifier does not: it looks first.
 */
static bool
IsReadable(const char *text, int len)
{
	return GetDatabaseEncoding() != PG_SQL_ASCII ||
		pg_verify_mbstr(PG_UTF8, text, len, true);
}

static bool
JsonbIsReadable(Jsonb *jsonb)
{
	StringInfoData text;

	if (GetDatabaseEncoding() != PG_SQL_ASCII)
		return true;
	initStringInfo(&text);
	(void) JsonbToCString(&text, &jsonb->root, VARSIZE(jsonb));
	return IsReadable(text.data, text.len);
}

/* Verifies with the keys given, or with the one that the registry has. */
static Datum
VerifyWithKeys(FunctionCallInfo fcinfo, const JsonView *receipt)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	keys;
	JsonView	report;
	Span		key_id;
	Jsonb	   *result;

	if (!PG_ARGISNULL(1))
	{
		if (JsonbIsReadable(PG_GETARG_JSONB_P(1)))
			JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &keys);
		else
			keys = JsonViewNull();
		report = ReceiptVerify(receipt, &keys);
		return JsonbPGetDatum(JsonViewToJsonb(&report, true));
	}

	SPI_connect();
	keys = JsonViewNewArray(0);
	if (ReceiptKeyId(receipt, &key_id))
		RegistryKeys(key_id, &keys);
	report = ReceiptVerify(receipt, &keys);
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&report, true);
	SPI_finish();
	return JsonbPGetDatum(result);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_json);
Datum
answer_eval_verify_json(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	memset(&receipt, 0, sizeof(receipt));
	if (!PG_ARGISNULL(0))
	{
		text	   *document = PG_GETARG_TEXT_PP(0);
		size_t		where;
		int			len;

		if (IsReadable(VARDATA_ANY(document), VARSIZE_ANY_EXHDR(document)))
		{
			char	   *utf8 = JsonServerToUtf8(VARDATA_ANY(document),
												VARSIZE_ANY_EXHDR(document), &len);

			if (JsonViewOfText(utf8, len, &receipt, &where) != JSON_TEXT_OK)
				memset(&receipt, 0, sizeof(receipt));
		}
	}
	return VerifyWithKeys(fcinfo, &receipt);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_jsonb);
Datum
answer_eval_verify_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	memset(&receipt, 0, sizeof(receipt));
	if (!PG_ARGISNULL(0) && JsonbIsReadable(PG_GETARG_JSONB_P(0)))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &receipt);
	return VerifyWithKeys(fcinfo, &receipt);
}
