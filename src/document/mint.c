/*-------------------------------------------------------------------------
 *
 * mint.c
 *		The only way to sign: minting a document of a kind.
 *
 * Rule: doc/spec/document.md §5.  A document of a kind (kind.h) gets an id
 * from its content, is signed, and is stored in the caller's transaction.  If
 * that rolls back, the document never existed.
 *
 * Promises: forgotten content never enters a new document.  The digest for
 * the log is stored by the same statement as the document.  A document that a
 * verifier could not read is not minted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/distributed.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "base/writes.h"
#include "document/mint.h"
#include "document/row_writer.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/forgotten.h"
#include "keys/keyring.h"

/* How many bytes of an intent the roll-up keeps, and of the digest of a longer one. */
#define INTENT_KEPT			100
#define INTENT_DIGEST_LENGTH	8

JsonView
ReproduceView(JsonView rules, JsonView digests, bool had_written)
{
	JsonView	reproduce = JsonViewNewObject(2);
	JsonView	evaluator = JsonViewNewObject(4);

	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", rules);
	JsonViewSet(&evaluator, "digests", digests);
	if (had_written)
		JsonViewSet(&evaluator, "uncommitted", JsonViewBool(true));
	JsonViewSet(&reproduce, "evaluator", evaluator);
	return reproduce;
}

/* Returns the members that every document has, except its id and its signature. */
JsonView
DocumentBegin(const DocumentKind *kind, const text *tenant, TimestampTz issued_at)
{
	JsonView	body = JsonViewNewObject(18);

	JsonViewSet(&body, "schema", JsonViewCString(kind->schema));
	JsonViewSet(&body, "issuer", ReceiptIssuer());
	JsonViewSet(&body, "issued_at", InstantView(issued_at));
	/* the operator's documents have no such member, like all documents before there were tenants */
	if (VARSIZE_ANY_EXHDR(tenant) > 0)
		JsonViewSet(&body, "tenant", JsonViewCString(text_to_cstring(tenant)));
	return body;
}

/* Returns an intent, a user's text of any length, bounded for the roll-up; NULL if there is none. */
static text *
BoundedIntent(Span intent)
{
	uint8		sha256[SHA256_LENGTH];
	char		digest[2 * INTENT_DIGEST_LENGTH + 1];
	int			len;
	text	   *whole;

	if (intent.len == 0)
		return NULL;
	whole = TextOfUtf8(intent);
	if (VARSIZE_ANY_EXHDR(whole) <= INTENT_KEPT)
		return whole;
	/* two long intents with the same beginning remain different */
	len = pg_mbcliplen(VARDATA_ANY(whole), VARSIZE_ANY_EXHDR(whole), INTENT_KEPT - sizeof(digest));
	Sha256(intent.str, intent.len, sha256);
	for (int i = 0; i < INTENT_DIGEST_LENGTH; i++)
		snprintf(digest + 2 * i, 3, "%02x", sha256[i]);
	return cstring_to_text(psprintf("%.*s~%s", len, VARDATA_ANY(whole), digest));
}

/* Returns {"check supported": 2, "reason stale_documents": 1}; NULL if there are none. */
static Jsonb *
WordsOf(const KindColumns *columns)
{
	JsonView	view = JsonViewNewObject(columns->nwords);

	if (columns->nwords == 0)
		return NULL;
	for (int i = 0; i < columns->nwords; i++)
	{
		const KindWord *word = &columns->words[i];
		Span		key = KindWords(SpanOfCString(word->about), word->word);

		JsonViewSetKey(&view, key.str, key.len, JsonViewInteger(word->count));
	}
	return JsonViewToJsonb(&view, false);
}

/*
 * Returns the pairs by which judges can contradict a document later, as a sorted array
 * without duplicates.
 */
static Datum
PairsDatum(KindColumns *columns)
{
	Datum	   *pairs = palloc(sizeof(Datum) * columns->npairs);
	int			count = 0;

	qsort(columns->pairs, columns->npairs, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < columns->npairs; i++)
	{
		if (i == 0 || !SpanEqual(columns->pairs[i - 1], columns->pairs[i]))
			pairs[count++] = SpanDatum(columns->pairs[i]);
	}
	return PointerGetDatum(construct_array(pairs, count, TEXTOID, -1, false, TYPALIGN_INT));
}

/*
 * Computes the digest of a document from the text that was signed, which only lacks the
 * signature.  Changes the text to that of the whole document.  The id has just been
 * computed from the same text, so most of it is hashed already.
 */
static void
DigestSigned(SignedText *signed_text, const JsonView *signature, uint8 *sha256)
{
	StringInfo	text = &signed_text->text;

	Assert(signed_text->id.begin <= signed_text->id.place);
	CanonicalAddMissing(text, &signed_text->id, signature);
	Sha256BeginKept();
	Sha256Add(text->data + signed_text->id.begin, text->len - signed_text->id.begin);
	Sha256End(sha256);
}

/*
 * A document that nobody could verify as text is not minted.  The signature adds about
 * 300 bytes.
 */
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
 * Raises an error if others could not verify the document because of its depth.  "levels"
 * is an upper bound of the body's levels.
 */
static void
RefuseDeepReceipt(const JsonView *body, int levels)
{
	if (levels > RECEIPT_MAX_DEPTH && JsonViewIsDeeper(body, RECEIPT_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("request is nested too deeply"),
				 errdetail("A receipt has at most %d levels, so that anybody can verify it.",
						   RECEIPT_MAX_DEPTH)));
}

/* Gives a document its id, computed from its content, and its signature. */
void
DocumentSign(Minting *minting, SignedDocument *document)
{
	JsonView   *body = &minting->body;
	char	   *receipt_id = psprintf("%s0123456789abcdef", minting->kind->prefix);
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	SignedText	signed_text;
	JsonView	signature_view;

	/* written once: the final id replaces one of the same length */
	JsonViewSet(body, "receipt_id", JsonViewCString(receipt_id));
	SignedTextInit(&signed_text, body, minting->makes_portable);
	RefuseDeepReceipt(body, signed_text.levels);
	RefuseLargeReceipt(signed_text.text.len);
	SignedTextReceiptId(&signed_text, minting->kind->prefix, receipt_id);
	memcpy(signed_text.text.data + signed_text.id.end - 1 - RECEIPT_ID_LENGTH,
		   receipt_id, RECEIPT_ID_LENGTH);
	SigningKeySign(minting->key, signed_text.text.data, signed_text.text.len, signature);
	signature_view = SignatureView(minting->key, signature);
	DigestSigned(&signed_text, &signature_view, document->sha256);
	pfree(signed_text.text.data);
	JsonViewSet(body, "signature", signature_view);
	document->receipt_id = receipt_id;
	document->body = JsonViewToJsonb(body, minting->makes_portable);
#ifdef USE_ASSERT_CHECKING
	{
		uint8		again[SHA256_LENGTH];
		JsonView	view;

		JsonViewOfJsonb(document->body, &view);
		ReceiptDigest(&view, again);
		Assert(memcmp(document->sha256, again, SHA256_LENGTH) == 0);
	}
#endif
}

/* The values that are stored for a document. */
typedef enum StoredValue
{
	STORED_RECEIPT_ID, STORED_SCHEMA, STORED_ISSUED_AT, STORED_VERDICT, STORED_CONFIDENCE, STORED_DEGRADED,
	STORED_KEY_ID, STORED_INTENT, STORED_TOOK, STORED_BODY, STORED_DIGEST, STORED_TENANT, STORED_SUPPORTED,
	STORED_CITATION_REQUIRED, STORED_CITATION_GIVEN, STORED_CONTRADICTED, STORED_COST, STORED_BOUNDED_INTENT,
	STORED_WORDS, STORED_GIVEN, STORED_PREVENTED, STORED_UNJUDGED, STORED_SENTENCES, STORED_GROUNDED, STORED_REFUSAL,
	STORED_PAIRS, STORED_PAIRED_ID, STORED_VALUES
} StoredValue;

/* In the order of the tables' columns, so that each is found at once. */
static const RowColumn receipt_columns[] = {
	{"receipt_id", TEXTOID, STORED_RECEIPT_ID}, {"schema", TEXTOID, STORED_SCHEMA}, {"tenant", TEXTOID, STORED_TENANT},
	{"issued_at", TIMESTAMPTZOID, STORED_ISSUED_AT}, {"verdict", TEXTOID, STORED_VERDICT},
	{"confidence", FLOAT8OID, STORED_CONFIDENCE}, {"degraded", BOOLOID, STORED_DEGRADED},
	{"key_id", TEXTOID, STORED_KEY_ID}, {"intent", TEXTOID, STORED_INTENT}, {"took", INTERVALOID, STORED_TOOK},
	{"cost_usd", NUMERICOID, STORED_COST}, {"body", JSONBOID, STORED_BODY}, {"given", BOOLOID, STORED_GIVEN},
	{"supported", BOOLOID, STORED_SUPPORTED}, {"citation_required", BOOLOID, STORED_CITATION_REQUIRED},
	{"citation_given", BOOLOID, STORED_CITATION_GIVEN}, {"contradicted", BOOLOID, STORED_CONTRADICTED},
	{"prevented", BOOLOID, STORED_PREVENTED}, {"unjudged", BOOLOID, STORED_UNJUDGED},
	{"sentences", INT4OID, STORED_SENTENCES}, {"grounded", INT4OID, STORED_GROUNDED}, {"refusal", TEXTOID, STORED_REFUSAL}
};

static const RowColumn unsealed_columns[] = {
	{"receipt_id", TEXTOID, STORED_RECEIPT_ID}, {"issued_at", TIMESTAMPTZOID, STORED_ISSUED_AT},
	{"digest", BYTEAOID, STORED_DIGEST}
};

static const RowColumn rollup_columns[] = {
	{"tenant", TEXTOID, STORED_TENANT}, {"issued_at", TIMESTAMPTZOID, STORED_ISSUED_AT},
	{"schema", TEXTOID, STORED_SCHEMA}, {"verdict", TEXTOID, STORED_VERDICT},
	{"intent", TEXTOID, STORED_BOUNDED_INTENT}, {"key_id", TEXTOID, STORED_KEY_ID}, {"took", INTERVALOID, STORED_TOOK},
	{"cost_usd", NUMERICOID, STORED_COST}, {"confidence", FLOAT8OID, STORED_CONFIDENCE},
	{"given", BOOLOID, STORED_GIVEN}, {"supported", BOOLOID, STORED_SUPPORTED},
	{"citation_required", BOOLOID, STORED_CITATION_REQUIRED}, {"citation_given", BOOLOID, STORED_CITATION_GIVEN},
	{"contradicted", BOOLOID, STORED_CONTRADICTED}, {"prevented", BOOLOID, STORED_PREVENTED},
	{"unjudged", BOOLOID, STORED_UNJUDGED}, {"sentences", INT4OID, STORED_SENTENCES},
	{"grounded", INT4OID, STORED_GROUNDED}, {"refusal", TEXTOID, STORED_REFUSAL}, {"words", JSONBOID, STORED_WORDS},
	{"receipt_id", TEXTOID, STORED_PAIRED_ID}, {"pairs", TEXTARRAYOID, STORED_PAIRS}
};

static const RowTable stored_tables[] = {
	{"receipt", receipt_columns, lengthof(receipt_columns)},
	{"unsealed", unsealed_columns, lengthof(unsealed_columns)},
	{"rollup_new", rollup_columns, lengthof(rollup_columns)}
};

/*
 * Prepares to store documents of an instant.  Returns NULL if queries must do it, which
 * DocumentPut then runs.  Up to "room" documents may wait to be stored together.  If
 * "room" is not 0, "keys" has the keys of those that the statement has stored so far.
 */
RowWriter *
DocumentWriterOpen(TimestampTz issued_at, int room, StoredKeys *keys)
{
	RowWriter  *writer;

	AS_OWNER(writer = RowWriterOpen(stored_tables, lengthof(stored_tables), STORED_ISSUED_AT, issued_at, room, keys));
	return writer;
}

/* Stores the documents that wait, like RowWriterFlush. */
void
DocumentWriterFlush(RowWriter *writer, volatile int *at)
{
	AS_OWNER(RowWriterFlush(writer, at));
}

/* Sets a value, or NULL if it is not "known". */
static void
SetStored(Datum *values, char *nulls, StoredValue n, Datum value, bool known)
{
	values[n] = known ? value : (Datum) 0;
	nulls[n] = known ? ' ' : 'n';
}

static void
FillStored(const Minting *minting, const SignedDocument *document, Datum *values, char *nulls)
{
	KindColumns columns;
	text	   *intent;
	Jsonb	   *words;
	Interval   *took = palloc0(sizeof(Interval));

	memset(&columns, 0, sizeof(columns));
	if (!minting->kind->read_columns(&minting->body, &columns))
		elog(ERROR, "a document of schema %s lacks what its columns repeat", minting->kind->schema);
	for (int i = 0; i < minting->nwords; i++)
		KindCountWord(&columns, minting->words[i].about, minting->words[i].word, minting->words[i].count);
	intent = BoundedIntent(columns.intent);
	words = WordsOf(&columns);
	/* only microseconds, so that no minute is shown as days */
	took->time = Max(GetCurrentTimestamp() - minting->begun_at, 0);
	SetStored(values, nulls, STORED_RECEIPT_ID, CStringGetTextDatum(document->receipt_id), true);
	SetStored(values, nulls, STORED_SCHEMA, CStringGetTextDatum(minting->kind->schema), true);
	SetStored(values, nulls, STORED_ISSUED_AT, TimestampTzGetDatum(minting->issued_at), true);
	SetStored(values, nulls, STORED_VERDICT, SpanDatum(columns.verdict), true);
	SetStored(values, nulls, STORED_CONFIDENCE, Float8GetDatum(columns.confidence), columns.has_confidence);
	SetStored(values, nulls, STORED_DEGRADED, BoolGetDatum(columns.degraded), columns.has_degraded);
	SetStored(values, nulls, STORED_KEY_ID, CStringGetTextDatum(minting->key->key_id), true);
	SetStored(values, nulls, STORED_INTENT, columns.intent.len > 0 ? SpanDatum(columns.intent) : (Datum) 0,
			  columns.intent.len > 0);
	SetStored(values, nulls, STORED_TOOK, IntervalPGetDatum(took), minting->begun_at != 0);
	SetStored(values, nulls, STORED_BODY, JsonbPGetDatum(document->body), true);
	SetStored(values, nulls, STORED_DIGEST,
			  PointerGetDatum(cstring_to_text_with_len((const char *) document->sha256, SHA256_LENGTH)), true);
	SetStored(values, nulls, STORED_TENANT, PointerGetDatum(minting->tenant), true);
	SetStored(values, nulls, STORED_SUPPORTED, BoolGetDatum(columns.supported), columns.is_answer);
	SetStored(values, nulls, STORED_CITATION_REQUIRED, BoolGetDatum(columns.citation_required), columns.is_answer);
	SetStored(values, nulls, STORED_CITATION_GIVEN, BoolGetDatum(columns.citation_given), columns.is_answer);
	SetStored(values, nulls, STORED_CONTRADICTED, BoolGetDatum(columns.contradicted), columns.is_answer);
	SetStored(values, nulls, STORED_GIVEN, BoolGetDatum(columns.given), columns.is_answer);
	SetStored(values, nulls, STORED_PREVENTED, BoolGetDatum(columns.prevented), columns.is_answer);
	SetStored(values, nulls, STORED_UNJUDGED, BoolGetDatum(columns.unjudged), columns.is_answer);
	SetStored(values, nulls, STORED_SENTENCES, Int32GetDatum(columns.sentences), columns.is_answer);
	SetStored(values, nulls, STORED_GROUNDED, Int32GetDatum(columns.grounded), columns.is_answer);
	SetStored(values, nulls, STORED_REFUSAL, columns.refusal.len > 0 ? SpanDatum(columns.refusal) : (Datum) 0,
			  columns.refusal.len > 0);
	SetStored(values, nulls, STORED_PAIRS, columns.npairs > 0 ? PairsDatum(&columns) : (Datum) 0, columns.npairs > 0);
	/* needed to correct the row later; rows without pairs are never corrected */
	SetStored(values, nulls, STORED_PAIRED_ID, values[STORED_RECEIPT_ID], columns.npairs > 0);
	SetStored(values, nulls, STORED_COST, NumericGetDatum(columns.cost), columns.cost != NULL);
	SetStored(values, nulls, STORED_BOUNDED_INTENT, PointerGetDatum(intent), intent != NULL);
	SetStored(values, nulls, STORED_WORDS, PointerGetDatum(words), words != NULL);
}

/*
 * Stores a document as the owner, with its digest for the log to seal and a row for the
 * roll-up to count.  Storing the same document again changes nothing and adds no second
 * leaf.  This works because its id contains a digest of the instant, so both belong to
 * the same partition, whose key detects it.
 */
void
DocumentPut(RowWriter *writer, const Minting *minting, SignedDocument *document)
{
	/*
	 * if it cannot be written without a plan; in one statement, because each further one
	 * costs a twentieth
	 */
	static FixedQuery insert = {
		.text = "WITH stored AS (INSERT INTO answer.receipt"
		" (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, intent, took, body, tenant,"
		"  supported, citation_required, citation_given, contradicted, cost_usd, given, prevented, unjudged, sentences, grounded, refusal)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13, $14, $15, $16, $17, $20, $21, $22, $23, $24, $25)"
		" ON CONFLICT DO NOTHING RETURNING receipt_id),"
		" counted AS (INSERT INTO answer.rollup_new (issued_at, tenant, schema, verdict, intent, key_id, took, cost_usd, confidence,"
		"  given, supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words,"
		"  receipt_id, pairs)"
		" SELECT $3, $12, $2, $4, $18, $7, $9, $17, $5, $20, $13, $14, $15, $16, $21, $22, $23, $24, $25, $19,"
		"  CASE WHEN $26 IS NOT NULL THEN receipt_id END, $26 FROM stored)"
		" INSERT INTO answer.unsealed (receipt_id, issued_at, digest)"
		" SELECT receipt_id, $3, $11 FROM stored",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID, FLOAT8OID, BOOLOID, TEXTOID, TEXTOID,
			INTERVALOID, JSONBOID, BYTEAOID, TEXTOID, BOOLOID, BOOLOID, BOOLOID, BOOLOID, NUMERICOID, TEXTOID, JSONBOID,
		BOOLOID, BOOLOID, BOOLOID, INT4OID, INT4OID, TEXTOID, TEXTARRAYOID}
	};
	static FixedQuery same = {
		.text = "SELECT FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND body OPERATOR(pg_catalog.=) $2 AND issued_at OPERATOR(pg_catalog.=) $3"
		" AND tenant OPERATOR(pg_catalog.=) $4",
		.argtypes = {TEXTOID, JSONBOID, TIMESTAMPTZOID, TEXTOID}
	};
	char		nulls[STORED_VALUES + 1] = {0};
	Datum		values[STORED_VALUES];
	Datum		identity[4];
	uint64		stored = 0;
	Oid			user;
	int			context;

	FillStored(minting, document, values, nulls);
	AnswerAsOwner(&user, &context);
	if (writer)
		stored = RowWriterPut(writer, values, nulls);
	document->stored = (struct varlena *) DatumGetPointer(values[STORED_BODY]);
	if (stored == 0)
	{
		/* if Citus distributed the table, the receipt might get into another node's log */
		for (size_t i = 0; i < lengthof(stored_tables); i++)
			RequireLocal(AnswerTable(stored_tables[i].name), "Every node stores and seals by itself what it signs.");
		stored = QueryRun(&insert, values, nulls, false, 0).count;
	}
	if (stored == 0)
	{
		identity[0] = values[STORED_RECEIPT_ID];
		identity[1] = values[STORED_BODY];
		identity[2] = values[STORED_ISSUED_AT];
		identity[3] = values[STORED_TENANT];
		/* sees the row that was in conflict */
		stored = QueryFound(QueryRun(&same, identity, NULL, false, 1));
	}
	AnswerAsCaller(user, context);
	if (stored == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("receipt \"%s\" exists already with another content", document->receipt_id)));
}

/* Gives a document its id and its signature, and stores it.  SPI must be connected. */
Jsonb *
DocumentMint(Minting *minting)
{
	SignedDocument document;
	RowWriter  *writer;
	bool		had_written = false;

	DocumentSign(minting, &document);
	RefuseForgotten(minting->tenant, minting->digests, minting->ndigests);
	writer = DocumentWriterOpen(minting->issued_at, 0, NULL);
	/* without a writer, triggers of users may fire */
	if (writer)
		had_written = OwnWritesBegin();
	DocumentPut(writer, minting, &document);
	if (writer)
	{
		RowWriterClose(writer);
		OwnWritesEnd(had_written);
	}
	return document.body;
}

/* SQL functions to rebuild the roll-up */

/* Reads the columns of a document, but not its texts; false if it is none. */
static bool
ColumnsArgument(FunctionCallInfo fcinfo, KindColumns *columns)
{
	JsonView	body;
	const DocumentKind *kind;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &body);
	memset(columns, 0, sizeof(*columns));
	columns->reads_no_texts = true;
	kind = body.type == JVIEW_OBJECT ? FindKindOfDocument(&body) : NULL;
	return kind != NULL && kind->read_columns(&body, columns);
}

/* answer.receipt_words(body) */
PG_FUNCTION_INFO_V1(answer_eval_receipt_words);
Datum
answer_eval_receipt_words(PG_FUNCTION_ARGS)
{
	KindColumns columns;
	Jsonb	   *words;

	if (!ColumnsArgument(fcinfo, &columns))
		PG_RETURN_NULL();
	words = WordsOf(&columns);
	if (words == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(words);
}

/* answer.receipt_intent(intent) */
PG_FUNCTION_INFO_V1(answer_eval_receipt_intent);
Datum
answer_eval_receipt_intent(PG_FUNCTION_ARGS)
{
	text	   *intent = BoundedIntent(Utf8OfText(PG_GETARG_TEXT_PP(0)));

	if (intent == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(intent);
}

/* answer.receipt_pairs(body) */
PG_FUNCTION_INFO_V1(answer_eval_receipt_pairs);
Datum
answer_eval_receipt_pairs(PG_FUNCTION_ARGS)
{
	KindColumns columns;

	if (!ColumnsArgument(fcinfo, &columns) || columns.npairs == 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(PairsDatum(&columns));
}

const SignedRows document_signed = {
	.newest = "SELECT s.* FROM (SELECT key_id, issued_at FROM answer.receipt"
	" WHERE issued_at OPERATOR(pg_catalog.>) $2 ORDER BY issued_at DESC LIMIT 1) s"
	" UNION ALL SELECT t.body OPERATOR(pg_catalog.#>>) '{signature,key_id}', t.forgotten_at FROM answer.tombstone t"
	" WHERE t.forgotten_at OPERATOR(pg_catalog.>) $2"
};
