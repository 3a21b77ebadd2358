/*-------------------------------------------------------------------------
 *
 * receipt.c
 *		Minting, storing and verifying receipts.
 *
 * There is one way to sign: a document of a kind (kind.h) is named by its
 * content, signed and stored in the caller's own transaction: if that rolls
 * back, the document never was.  The body of an answer is put together here as
 * well.  The rules of verification are in verify.c, erasure is in forget.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "argument.h"
#include "canonical.h"
#include "evidence.h"
#include "forget.h"
#include "instant.h"
#include "limits.h"
#include "query.h"
#include "receipt.h"
#include "settings.h"
#include "snapshot.h"
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

/*
 * What it takes to say the same again: the rules that decided, the digests of
 * those that are data, and the calls.
 */
static JsonView
ReproduceView(const ReceiptContent *content)
{
	JsonView	reproduce = JsonViewNewObject(2);
	JsonView	evaluator = JsonViewNewObject(4);
	JsonView	rules = JsonViewNewArray(4);
	JsonView	digests = JsonViewNewObject(1);
	Span		table;

	JsonViewAppend(&rules, JsonViewCString("answer-eval/1"));
	JsonViewAppend(&rules, JsonViewCString("answer-conf/1"));
	JsonViewAppend(&rules, JsonViewCString("fact-conf/1"));
	if (content->question.type != JVIEW_ABSENT)
	{
		JsonViewAppend(&rules, JsonViewCString("route/1"));
		if (JsonViewGetString(&content->route, "router_sha256", &table.str, &table.len))
			JsonViewSet(&digests, "route_table",
						JsonViewCString(psprintf(DIGEST_PREFIX "%.*s", table.len, table.str)));
	}
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", rules);
	JsonViewSet(&evaluator, "digests", digests);
	if (TransactionHasWritten())
		JsonViewSet(&evaluator, "uncommitted", JsonViewBool(true));
	JsonViewSet(&reproduce, "evaluator", evaluator);
	JsonViewSet(&reproduce, "calls", content->calls);
	return reproduce;
}

/* The members that every document has, but for its id and its signature. */
JsonView
DocumentBegin(const DocumentKind *kind, TimestampTz issued_at)
{
	JsonView	body = JsonViewNewObject(18);
	char	   *instant = palloc(INSTANT_SIZE);

	InstantFormat(issued_at, instant);
	JsonViewSet(&body, "schema", JsonViewCString(kind->schema));
	JsonViewSet(&body, "issuer", ReceiptIssuer());
	JsonViewSet(&body, "issued_at", JsonViewCString(instant));
	return body;
}

static JsonView
BodyView(const ReceiptContent *content)
{
	JsonView	body = DocumentBegin(&answer_kind, content->evaluated_at);
	char	   *instant = palloc(INSTANT_SIZE);

	InstantFormat(content->evaluated_at, instant);
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
	JsonViewSet(&body, "reproduce", ReproduceView(content));
	JsonViewSet(&body, "disclaimer", JsonViewCString(disclaimer));
	return body;
}

/*
 * Stores a document as the owner, and its digest for the log to seal.  The same
 * document again is the same row, and waits for no second leaf.
 */
static void
StoreDocument(const Minting *minting, const char *receipt_id, Jsonb *body, const uint8 *sha256)
{
	/* one statement: two cost a twentieth more */
	static FixedQuery insert = {
		.text = "WITH stored AS (INSERT INTO answer.receipt"
		" (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, intent, took, body)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING receipt_id)"
		" INSERT INTO answer.unsealed (receipt_id, issued_at, digest)"
		" SELECT receipt_id, $3, $11 FROM stored",
		.nargs = 11,
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID, FLOAT8OID, BOOLOID, TEXTOID, TEXTOID,
		INTERVALOID, JSONBOID, BYTEAOID}
	};
	static FixedQuery same = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND body OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, JSONBOID}
	};
	char		nulls[] = "           ";
	Datum		values[11];
	Datum		identity[2];
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

	RefuseForgotten(minting->digests, minting->ndigests);
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
 * The digest of a document, out of the text that was signed.  The signature's
 * place in canonical order is before the few members that come after its name,
 * so nothing else is written a second time.  Changes the text to that of the
 * whole document.
 */
static void
DigestSigned(StringInfo text, const JsonView *body, const JsonView *signature, uint8 *sha256)
{
	JsonView	after = JsonViewNewObject(2);
	int			count;
	JsonMember *members = JsonViewSortedMembers(body, &count);
	StringInfoData tail;
	int			at;

	for (int i = 0; i < count; i++)
	{
		/* keys of ours are ASCII, so that bytes have the order of code points */
		if (strncmp(members[i].key, "signature", members[i].keylen) > 0)
			JsonViewSetKey(&after, members[i].key, members[i].keylen, members[i].value);
	}
	initStringInfo(&tail);
	if (JsonViewCount(&after) > 0)
	{
		CanonicalWrite(&tail, &after, NULL);
		tail.data[0] = ',';
	}
	else
		appendStringInfoChar(&tail, '}');
	at = text->len - tail.len;
	if (at < 0 || strcmp(text->data + at, tail.data) != 0)
		elog(ERROR, "a document does not end as its members do");
	text->len = at;
	appendStringInfoString(text, ",\"signature\":");
	CanonicalWrite(text, signature, NULL);
	appendBinaryStringInfo(text, tail.data, tail.len);
	Sha256(text->data, text->len, sha256);
	pfree(tail.data);
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

	if (JsonViewIsDeeper(body, RECEIPT_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("request is nested too deeply"),
				 errdetail("A receipt has at most %d levels, so that anybody can verify it.",
						   RECEIPT_MAX_DEPTH)));
	/* written once: the id takes the place of another of its length */
	JsonViewSet(body, "receipt_id", JsonViewCString(receipt_id));
	SignedTextInit(&signed_text, body);
	RefuseLargeReceipt(signed_text.text.len);
	SignedTextReceiptId(&signed_text, minting->kind->prefix, receipt_id);
	memcpy(signed_text.text.data + signed_text.id.end - 1 - RECEIPT_ID_LENGTH,
		   receipt_id, RECEIPT_ID_LENGTH);
	SigningKeySign(minting->key, signed_text.text.data, signed_text.text.len, signature);
	signature_view = SignatureView(minting->key, signature);
	DigestSigned(&signed_text.text, body, &signature_view, sha256);
	pfree(signed_text.text.data);
	JsonViewSet(body, "signature", signature_view);
	stored = JsonViewToJsonb(body, false);
#ifdef USE_ASSERT_CHECKING
	{
		uint8		again[SHA256_LENGTH];

		ReceiptDigest(body, again);
		Assert(memcmp(sha256, again, SHA256_LENGTH) == 0);
	}
#endif
	StoreDocument(minting, receipt_id, stored, sha256);
	return stored;
}

/* Mints, signs and stores an answer.  SPI must be connected. */
Jsonb *
ReceiptMint(const ReceiptContent *content, const SigningKey *key)
{
	Minting		minting = {
		.kind = &answer_kind,
		.issued_at = content->evaluated_at,
		.begun_at = content->evaluated_at,
		.key = key,
		.ndigests = content->ndigests,
		.digests = content->digests
	};

	minting.body = BodyView(content);
	return DocumentMint(&minting);
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

/* Refuses a receipt that is what was issued, by a key that is not good for it any more. */
static void
KeyIsNotGood(const char *receipt_id, Span key_id, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("receipt \"%s\" does not verify any more by its key \"%.*s\"", receipt_id,
					key_id.len, key_id.str),
			 errdetail("It is what was issued, but verification says: %s.", problem),
			 errhint("Ask again, so that a key that is good now signs the answer.")));
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
	JsonView	bare = keys;
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
	if (JsonViewCount(&keys) > 0)
	{
		/* a key alone has no life */
		JsonViewElement(&keys, 0, &entry);
		JsonViewGet(&entry, "public_key", 10, &public_key);
		bare = JsonViewNewObject(1);
		JsonViewSetKey(&bare, key_id.str, key_id.len, public_key);
	}
	problem = ReceiptProblem(body, receipt_id, lifecycle ? &keys : &bare);
	if (problem == NULL)
		return;
	if (lifecycle && ReceiptProblem(body, receipt_id, &bare) == NULL)
		KeyIsNotGood(receipt_id, key_id, problem);
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
	if (FindKindOfId(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
	{
		/* no document, but what one may well give instead: the report says so */
		*document = JsonViewString(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given));
		return;
	}
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
void
ReadVerifyKeys(FunctionCallInfo fcinfo, const JsonView *document, JsonView *keys)
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
	ReadVerifyKeys(fcinfo, document, &keys);
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
	ReadVerifyKeys(fcinfo, document, &keys);
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
