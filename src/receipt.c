/*-------------------------------------------------------------------------
 *
 * receipt.c
 *		Minting, storing and verifying receipts.
 *
 * A receipt (answer/v1) is put together, named by its content, signed and
 * stored in the caller's own transaction: if that rolls back, the receipt never
 * was.  The rules of verification are in verify.c, erasure is in forget.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
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
#include "forget.h"
#include "instant.h"
#include "limits.h"
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
ReceiptIssuer(void)
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
	JsonViewSet(&body, "issuer", ReceiptIssuer());
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

	RefuseForgotten(content->digests, content->ndigests);
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

/* What nobody could verify as text is not minted.  The signature adds some 300 bytes. */
void
RefuseLargeReceipt(int len)
{
	if (len > DOCUMENT_MAX_SIZE - 1000)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the receipt would be too large"),
				 errdetail("It would have %d bytes; the most are %d.", len, DOCUMENT_MAX_SIZE - 1000),
				 errhint("Ask about less at a time.")));
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
	RefuseLargeReceipt(signed_text.text.len);
	SignedTextReceiptId(&signed_text, RECEIPT_ID_PREFIX, receipt_id);
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

/* Refuses to go on with a stored receipt. */
void
ReceiptDoesNotHold(const char *receipt_id, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored receipt \"%s\" does not verify", receipt_id),
			 errdetail("Verification says: %s.", problem),
			 errhint("Somebody may have changed answer.receipt or answer.signing_key; nothing is signed about this row as it is.")));
}

/*
 * Raises unless a stored body is the receipt that was issued under its id and
 * the registry's key signed it: what follows from a body that somebody changed
 * must not bear our signature.  The key's life counts if asked for.  SPI must
 * be connected.
 */
void
ReceiptMustHold(const char *receipt_id, const JsonView *body, bool lifecycle)
{
	JsonView	keys = JsonViewNewArray(0);
	JsonView	entry;
	JsonView	public_key;
	const char *problem;
	Span		key_id;
	Oid			user;
	int			context;

	if (ReceiptKeyId(body, &key_id))
	{
		AnswerAsOwner(&user, &context);
		RegistryKeys(key_id, &keys);
		AnswerAsCaller(user, context);
	}
	if (!lifecycle && JsonViewCount(&keys) > 0)
	{
		JsonViewElement(&keys, 0, &entry);
		JsonViewGet(&entry, "public_key", 10, &public_key);
		keys = JsonViewNewObject(1);
		JsonViewSetKey(&keys, key_id.str, key_id.len, public_key);
	}
	problem = ReceiptProblem(body, receipt_id, &keys);
	if (problem)
		ReceiptDoesNotHold(receipt_id, problem);
}

/*
 * SQL
 */

/*
 * In a SQL_ASCII database nothing vouches for bytes, and reading a view of bad
 * ones would raise.  A verifier does not: it looks first.
 */
bool
IsReadable(const char *text, int len)
{
	return GetDatabaseEncoding() != PG_SQL_ASCII ||
		pg_verify_mbstr(PG_UTF8, text, len, true);
}

bool
JsonbIsReadable(Jsonb *jsonb)
{
	StringInfoData text;

	if (GetDatabaseEncoding() != PG_SQL_ASCII)
		return true;
	initStringInfo(&text);
	(void) JsonbToCString(&text, &jsonb->root, VARSIZE(jsonb));
	return IsReadable(text.data, text.len);
}

/* An absent document, with the reason for which DocumentProblem finds it. */
static void
Unreadable(JsonView *document, const char *problem)
{
	memset(document, 0, sizeof(*document));
	document->str = problem;
}

static bool
IsLarger(Datum datum, Size most)
{
	return toast_raw_datum_size(datum) - VARHDRSZ > most;
}

/* Why a document that was read is not looked into; NULL if it is. */
static const char *
ReadingProblem(const JsonView *document, Size size)
{
	if (DocumentProblem(document))
		return NULL;			/* which whoever looks into it will find */
	if (JsonViewHasLongNumbers(document, DOCUMENT_MAX_LONG_NUMBERS))
		return "the document has more than " CppAsString2(DOCUMENT_MAX_LONG_NUMBERS)
			" numbers of more than " CppAsString2(LONG_NUMBER_DIGITS) " digits";
	/* a byte becomes six at most, and the long numbers are few */
	if (size > WRITTEN_MAX_SIZE / 8 && !CanonicalIsWritable(document))
		return "the canonical form of the document is larger than "
			CppAsString2(ARGUMENT_MAX_SIZE) " bytes";
	return NULL;
}

/*
 * The document that a function is given, to be verified: no larger than it may
 * be, and no object in it with a member twice, of which readers would take one
 * or the other.  An absent view if there is none that can be read, so that a
 * verifier says so and does not raise.
 */
void
ReadDocumentText(FunctionCallInfo fcinfo, JsonView *document)
{
	JsonTextStatus status;
	const char *problem;
	text	   *given;
	char	   *utf8;
	size_t		where;
	int			len;

	memset(document, 0, sizeof(*document));
	if (PG_ARGISNULL(0))
		return;
	if (IsLarger(PG_GETARG_DATUM(0), DOCUMENT_MAX_SIZE))
	{
		Unreadable(document, JsonTextProblem(JSON_TEXT_SIZE));
		return;
	}
	given = PG_GETARG_TEXT_PP(0);
	if (!IsReadable(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
		return;
	utf8 = JsonServerToUtf8(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given), &len);
	status = JsonViewOfUniqueText(utf8, len, document, &where);
	problem = status == JSON_TEXT_OK ? ReadingProblem(document, len) : JsonTextProblem(status);
	if (problem)
		Unreadable(document, problem);
}

/* The same of jsonb, which keeps the last of several members of one name. */
void
ReadDocumentJsonb(FunctionCallInfo fcinfo, int arg, JsonView *document)
{
	Jsonb	   *given;
	const char *problem;

	memset(document, 0, sizeof(*document));
	if (PG_ARGISNULL(arg))
		return;
	if (IsLarger(PG_GETARG_DATUM(arg), ARGUMENT_MAX_SIZE))
	{
		Unreadable(document, "the document is larger than " CppAsString2(ARGUMENT_MAX_SIZE) " bytes");
		return;
	}
	given = PG_GETARG_JSONB_P(arg);
	if (!JsonbIsReadable(given))
		return;
	JsonViewOfJsonb(given, document);
	problem = ReadingProblem(document, VARSIZE(given));
	if (problem)
		Unreadable(document, problem);
}

/*
 * The keys that a function is given, or else what the registry has of the key
 * that is said to have signed, which then needs SPI.
 */
static void
ReadKeys(FunctionCallInfo fcinfo, const JsonView *document, JsonView *keys)
{
	Span		key_id;

	if (PG_ARGISNULL(1))
	{
		*keys = JsonViewNewArray(0);
		if (ReceiptKeyId(document, &key_id))
			RegistryKeys(key_id, keys);
	}
	else if (!IsLarger(PG_GETARG_DATUM(1), ARGUMENT_MAX_SIZE) &&
			 JsonbIsReadable(PG_GETARG_JSONB_P(1)))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), keys);
	else
		*keys = JsonViewNull();
}

static Datum
Verify(FunctionCallInfo fcinfo, const JsonView *document)
{
	MemoryContext caller = CurrentMemoryContext;
	bool		registry = PG_ARGISNULL(1);
	JsonView	keys;
	JsonView	report;
	Jsonb	   *result;

	if (registry)
		SPI_connect();
	ReadKeys(fcinfo, document, &keys);
	report = ReceiptVerify(document, &keys);
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&report, false);
	if (registry)
		SPI_finish();
	return JsonbPGetDatum(result);
}

static Datum
VerifyOk(FunctionCallInfo fcinfo, const JsonView *document)
{
	bool		registry = PG_ARGISNULL(1);
	JsonView	keys;
	bool		ok;

	if (registry)
		SPI_connect();
	ReadKeys(fcinfo, document, &keys);
	ok = ReceiptVerifyOk(document, &keys);
	if (registry)
		SPI_finish();
	return BoolGetDatum(ok);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_json);
Datum
answer_eval_verify_json(PG_FUNCTION_ARGS)
{
	JsonView	document;

	ReadDocumentText(fcinfo, &document);
	return Verify(fcinfo, &document);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_jsonb);
Datum
answer_eval_verify_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	document;

	ReadDocumentJsonb(fcinfo, 0, &document);
	return Verify(fcinfo, &document);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_ok_json);
Datum
answer_eval_verify_ok_json(PG_FUNCTION_ARGS)
{
	JsonView	document;

	ReadDocumentText(fcinfo, &document);
	return VerifyOk(fcinfo, &document);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_ok_jsonb);
Datum
answer_eval_verify_ok_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	document;

	ReadDocumentJsonb(fcinfo, 0, &document);
	return VerifyOk(fcinfo, &document);
}
