/*-------------------------------------------------------------------------
 *
 * receipt_cache.c
 *		A cache of receipts, by question.
 *
 * Manual: doc/ground.md, "The cache".  The caller makes the key from everything that an
 * answer depends on.  A cached answer is the stored receipt, marked as cached in an
 * unsigned member.  The cache row says which question the receipt answers and for how
 * long.  It is signed by the key that signed the receipt (waiting_rows.h); a row that was
 * changed is ignored.
 *
 * Promises: a receipt is returned only to its own tenant, until it expires or is
 * forgotten; counting hits blocks nobody.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/writes.h"
#include "ground/receipt_cache.h"
#include "ground/question_options.h"
#include "ground/waiting_rows.h"
#include "judge/pinned.h"
#include "reading/words.h"

JsonView
FoldedQuery(Span query)
{
	Lexicon    *lexicon = LexiconCreate(NULL);
	StringInfoData folded;
	Words		words;
	int			place = 0;

	initStringInfo(&folded);
	WordsRead(lexicon, query, &words);
	for (int i = 0; i < words.ntokens; i++)
	{
		Span		word = LexiconWord(lexicon, words.tokens[i].word)->folded;

		appendBinaryStringInfo(&folded, query.str + place, words.tokens[i].begin - place);
		appendBinaryStringInfo(&folded, word.str, word.len);
		place = words.tokens[i].end;
	}
	appendBinaryStringInfo(&folded, query.str + place, query.len - place);
	return JsonViewString(folded.data, folded.len);
}

/* Adds the unsigned mark that a receipt was cached. */
static Jsonb *
TellCached(Jsonb *stored, MemoryContext context)
{
	MemoryContext current = MemoryContextSwitchTo(context);
	JsonView	view;
	JsonView	told;
	Jsonb	   *result;

	JsonViewOfJsonb(stored, &view);
	told = JsonViewCopyWithout(&view, NULL, 0, 1);
	JsonViewSet(&told, "cached", JsonViewBool(true));
	result = JsonViewToJsonb(&told, false);
	MemoryContextSwitchTo(current);
	return result;
}

/* Does a stored document have the id that its row says? */
static bool
HasId(Jsonb *stored, Span receipt_id)
{
	JsonView	view;
	Span		id;

	JsonViewOfJsonb(stored, &view);
	return JsonViewGetString(&view, "receipt_id", &id) && SpanEqual(id, receipt_id);
}

/*
 * Is the row what was stored under the key?  Otherwise somebody else has written
 * it, and the question is answered anew.
 */
static bool
IsKept(const CachedReceipt *cached, Jsonb *stored)
{
	const char *problem = WaitingRowProblem(CachedReceiptView(cached), &cached->sig, "issued_at");

	if (problem == NULL && !HasId(stored, cached->receipt_id))
		problem = "its receipt is another one";
	if (problem == NULL)
		return true;
	ereport(WARNING,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("a row of answer.decision_cache is not what was kept: %s", problem),
			 errdetail("The question is answered anew.")));
	return false;
}

/* While a case of a suite is tried, judgements from another call must not count. */
int
CacheLifeOf(const JsonView *config, const Pinning *pinning)
{
	return answer_eval_cache_entries > 0 && pinning == NULL ? ConfigInteger(config, "cache_ttl_s") : 0;
}

/* Returns the receipt in the row of a query, if there is one and it was not changed. */
static Jsonb *
TakeCached(const text *tenant, const char *key, const QueryRows *rows)
{
	CachedReceipt cached = {.tenant = tenant,.key = SpanOfCString(key)};
	bool		isnull = true;
	Datum		body = (Datum) 0;

	if (rows->count > 0)
		body = SPI_getbinval(rows->table->vals[0], rows->table->tupdesc, 1, &isnull);
	if (isnull)
		return NULL;
	cached.receipt_id = ColumnSpan(rows->table, 0, 2);
	(void) ColumnInstant(rows->table, 0, 3, &cached.issued_at);
	(void) ColumnInstant(rows->table, 0, 4, &cached.expires_at);
	WaitingColumn(rows->table, 5, &cached.sig);
	return IsKept(&cached, DatumGetJsonbP(body)) ? DatumGetJsonbP(body) : NULL;
}

Jsonb *
CacheGet(const text *tenant, const char *key, TimestampTz now, MemoryContext context)
{
	static FixedQuery query = {
		.text = "SELECT body, receipt_id, issued_at, expires_at, sig FROM answer.decision_cache_get($1, $2, $3)",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), CStringGetTextDatum(key), TimestampTzGetDatum(now)};
	Jsonb	   *found;
	QueryRows	rows;

	rows = QueryRunForOurselves(&query, values, NULL);	/* this counts the hit */
	found = TakeCached(tenant, key, &rows);
	if (found)
		found = TellCached(found, context);
	QueryFree(&rows);
	return found;
}

bool
CacheHas(const text *tenant, const char *key, TimestampTz now)
{
	static FixedQuery query = {
		.text = "SELECT r.body, c.receipt_id, c.issued_at, c.expires_at, c.sig FROM answer.decision_cache c"
		" JOIN answer.receipt r ON r.receipt_id OPERATOR(pg_catalog.=) c.receipt_id"
		" AND r.issued_at OPERATOR(pg_catalog.=) c.issued_at AND r.tenant OPERATOR(pg_catalog.=) c.tenant"
		" WHERE c.tenant OPERATOR(pg_catalog.=) $1 AND c.key OPERATOR(pg_catalog.=) $2"
		" AND c.expires_at OPERATOR(pg_catalog.>) $3 AND c.issued_at OPERATOR(pg_catalog.<=) $3"
		" AND (r.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) r.schema",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), CStringGetTextDatum(key), TimestampTzGetDatum(now)};
	bool		has;
	QueryRows	rows = QueryRunAsOwner(&query, values, NULL, true, 1);

	has = TakeCached(tenant, key, &rows) != NULL;
	QueryFree(&rows);
	return has;
}

void
CachePut(const text *tenant, const char *key, const JsonView *receipt, const SigningKey *signing,
		 TimestampTz issued_at, int life)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID, JSONBOID, INT4OID};
	NullableDatum args[7] = {{0}};
	CachedReceipt cached = {.tenant = tenant,.key = SpanOfCString(key),.issued_at = issued_at,
	.expires_at = issued_at + life * USECS_PER_SEC};
	bool		had_written;

	(void) JsonViewGetString(receipt, "receipt_id", &cached.receipt_id);
	args[0].value = PointerGetDatum(tenant);
	args[1].value = CStringGetTextDatum(key);
	args[2].value = SpanDatum(cached.receipt_id);
	args[3].value = TimestampTzGetDatum(issued_at);
	args[4].value = TimestampTzGetDatum(cached.expires_at);
	args[5].value = JsonbPGetDatum(WaitingRowSign(CachedReceiptView(&cached), signing));
	args[6].value = Int32GetDatum(answer_eval_cache_entries);
	had_written = OwnWritesBegin();
	(void) AnswerCall(AnswerSchema(), "decision_cache_put", lengthof(types), types, args);
	OwnWritesEnd(had_written);
}
