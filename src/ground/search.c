/*-------------------------------------------------------------------------
 *
 * search.c
 *		The chunks of a tenant that are most similar to a query.
 *
 * Rule: the decision contract's section on retrieval: filters, the search (all of
 * which but the tables is term_search.c's), and the score of one text.
 *
 * It runs as the owner of our tables, for the tenant that it is told.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/spi_query.h"
#include "check/request_error.h"
#include "ground/chunk.h"
#include "ground/document.h"
#include "ground/search.h"
#include "ground/term_search.h"

#define HIT_COLUMNS			5

/*
 * filters
 */

static _Noreturn void
RefuseFilter(const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("filter%s", problem),
			 errhint("A filter is {\"doc_ids\": [...], \"since\": timestamp, \"until\": timestamp, \"title\": words}, each of them optional. A timestamp is like \"2024-03-15T10:00:00Z\" or \"2024-03-15\".")));
}

/* The same of a value that is something else than "demand" says. */
static _Noreturn void
RefuseFilterValue(const char *demand, const JsonView *seen)
{
	RefuseFilter(psprintf("%s, and is %s", demand, ShownValue(seen)));
}

static void
ReadDocIds(const JsonView *value, NullableDatum *part)
{
	int			count = value->type == JVIEW_ARRAY ? JsonViewCount(value) : -1;
	Datum	   *ids = palloc(sizeof(Datum) * Max(count, 1));
	JsonView	id;

	if (count < 0)
		RefuseFilterValue(".doc_ids must be an array of strings", value);
	for (int i = 0; i < count; i++)
	{
		JsonViewElement(value, i, &id);
		if (id.type != JVIEW_STRING)
			RefuseFilterValue(psprintf(".doc_ids[%d] must be a string", i), &id);
		ids[i] = SpanDatum(SpanOf(id.str, id.len));
	}
	*part = (NullableDatum) {QueryTextArray(ids, count), false};
}

static void
ReadBound(const JsonView *value, const char *key, NullableDatum *part)
{
	TimestampTz instant;

	if (value->type != JVIEW_STRING || !ChunkInstantParse(SpanOf(value->str, value->len), &instant))
		RefuseFilterValue(psprintf(".%s must be a timestamp", key), value);
	*part = (NullableDatum) {TimestampTzGetDatum(instant), false};
}

/* The index terms of a title that is looked for. */
static void
ReadTitle(const JsonView *value, const text *tenant, NullableDatum *part)
{
	Span	   *words;
	Datum	   *terms;
	int			count;

	if (value->type != JVIEW_STRING)
		RefuseFilterValue(".title must be a string", value);
	words = ScoreWordsOf(SpanOf(value->str, value->len), &count);
	terms = palloc(sizeof(Datum) * Max(count, 1));
	for (int i = 0; i < count; i++)
		terms[i] = IndexTerm(tenant, words[i]);
	*part = (NullableDatum) {PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT)), false};
}

/* Reads a filter, which may be NULL. */
void
FilterRead(Jsonb *filter, const text *tenant, NullableDatum *parts)
{
	JsonView	view;

	for (int i = 0; i < FILTER_PARTS; i++)
		parts[i] = (NullableDatum) {0, true};
	if (filter == NULL)
		return;
	JsonViewOfJsonb(filter, &view);
	if (view.type == JVIEW_NULL)
		return;
	if (view.type != JVIEW_OBJECT)
		RefuseFilterValue(" must be an object", &view);
	for (int i = 0; i < JsonViewCount(&view); i++)
	{
		const char *key;
		int			keylen;
		JsonView	value;

		JsonViewMember(&view, i, &key, &keylen, &value);
		if (SpanEqualCString(SpanOf(key, keylen), "doc_ids"))
			ReadDocIds(&value, &parts[FILTER_DOC_IDS]);
		else if (SpanEqualCString(SpanOf(key, keylen), "since"))
			ReadBound(&value, "since", &parts[FILTER_SINCE]);
		else if (SpanEqualCString(SpanOf(key, keylen), "until"))
			ReadBound(&value, "until", &parts[FILTER_UNTIL]);
		else if (SpanEqualCString(SpanOf(key, keylen), "title"))
			ReadTitle(&value, tenant, &parts[FILTER_TITLE]);
		else
			RefuseFilter(psprintf(" has an unknown member \"%s\"", text_to_cstring(TextOfUtf8(SpanOf(key, keylen)))));
	}
}

/*
 * SQL
 */

/* Says how chunks are searched. */
static void
InitChunkSearch(TermSearch *search, text *tenant)
{
	static FixedQuery count_texts = {
		.text = "SELECT chunks FROM answer.document_set WHERE tenant OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	static FixedQuery count_word = {
		.text = "SELECT chunks FROM answer.chunk_word WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND word OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, BYTEAOID}
	};
	static FixedQuery near_words = {
		.text = "SELECT word FROM answer.chunk_word WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND trigrams OPERATOR(pg_catalog.&&) $2 AND trigrams OPERATOR(pg_catalog.@>) $3",
		.nargs = 3,
		.argtypes = {TEXTOID, BYTEAARRAYOID, BYTEAARRAYOID}
	};
	static FixedQuery candidates = {
		.text = "SELECT chunk_id::pg_catalog.text, doc_id, version, ordinal, words, title_words FROM answer.chunk_search"
		" WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND (words OPERATOR(pg_catalog.&&) $2 OR title_words OPERATOR(pg_catalog.&&) $2)"
		" AND ($3 IS NULL OR doc_id OPERATOR(pg_catalog.=) ANY ($3))"
		" AND ($4 IS NULL OR \"timestamp\" OPERATOR(pg_catalog.>=) $4)"
		" AND ($5 IS NULL OR \"timestamp\" OPERATOR(pg_catalog.<=) $5)"
		" AND ($6 IS NULL OR title_words OPERATOR(pg_catalog.@>) $6)",
		.nargs = 6,
		.argtypes = {TEXTOID, BYTEAARRAYOID, TEXTARRAYOID, TIMESTAMPTZOID, TIMESTAMPTZOID, BYTEAARRAYOID}
	};

	*search = (TermSearch)
	{
		.scope = tenant,
		.nkey = 1,
		.key = {PointerGetDatum(tenant)},
		.count_texts = &count_texts,
		.count_word = &count_word,
		.near_words = &near_words,
		.candidates = &candidates,
		.norder = 1,
		.words_column = 5,
		.nfilters = FILTER_PARTS
	};
}

/* answer.search_text(tenant, query, k, filter) */
PG_FUNCTION_INFO_V1(answer_eval_search_text);
Datum
answer_eval_search_text(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	TermSearch	search;

	RequireArgument(fcinfo, 0, "tenant");
	RequireArgument(fcinfo, 1, "query");
	RequireArgument(fcinfo, 2, "k");
	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "query");
	LimitArgument(fcinfo, 3, ARGUMENT_MAX_SIZE, "filter");
	InitChunkSearch(&search, PG_GETARG_TEXT_PP(0));
	search.k = PG_GETARG_INT32(2);
	if (search.k < 1 || search.k > TERM_SEARCH_MAX_HITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k is %d", search.k),
				 errdetail("It must be from 1 to %d.", TERM_SEARCH_MAX_HITS)));
	InitMaterializedSRF(fcinfo, 0);
	FilterRead(PG_ARGISNULL(3) ? NULL : PG_GETARG_JSONB_P(3), search.scope, search.filters);
	SPI_connect();
	TermSearchRun(&search, TextArgument(fcinfo, 1));
	for (int i = 0; i < search.nhits; i++)
	{
		Datum		values[HIT_COLUMNS];
		bool		nulls[HIT_COLUMNS] = {false};

		for (int column = 1; column < HIT_COLUMNS; column++)
			values[column - 1] = SPI_getbinval(search.hits[i].row, search.desc, column, &nulls[column - 1]);
		values[HIT_COLUMNS - 1] = Float8GetDatum((double) search.hits[i].similarity / SCORE_WHOLE);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	SPI_finish();
	return (Datum) 0;
}

/* answer.document_filter(tenant, filter) */
PG_FUNCTION_INFO_V1(answer_eval_document_filter);
Datum
answer_eval_document_filter(PG_FUNCTION_ARGS)
{
	NullableDatum parts[FILTER_PARTS];
	Datum		values[FILTER_PARTS];
	bool		nulls[FILTER_PARTS];

	RequireArgument(fcinfo, 0, "tenant");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "filter");
	FilterRead(PG_ARGISNULL(1) ? NULL : PG_GETARG_JSONB_P(1), PG_GETARG_TEXT_PP(0), parts);
	for (int i = 0; i < FILTER_PARTS; i++)
	{
		values[i] = parts[i].value;
		nulls[i] = parts[i].isnull;
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(ResultRowType(fcinfo), values, nulls)));
}

/*
 * text-score/1 of one text
 */

/* A count of a rarity: a whole number, not negative; raises for anything else. */
static int64
CountMember(const JsonView *object, const char *key, int keylen, bool required)
{
	JsonView	value;
	PlainNumber plain;
	int64		count;
	char	   *end;

	if (!JsonViewGet(object, key, keylen, &value) && !required)
		return 0;
	if (value.type == JVIEW_NUMBER && NumberPlain(&value, &plain) && plain.is_integer && plain.len <= 18 &&
		plain.text[0] != '-')
	{
		count = strtoll(pnstrdup(plain.text, plain.len), &end, 10);
		return count;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("rarity has no number of chunks at \"%s\"", text_to_cstring(TextOfUtf8(SpanOf(key, keylen)))),
			 errhint("A rarity is {\"chunks\": number, \"words\": {word: number}}, of whole numbers from 0 up.")));
}

/* Weighs the words of a query by a rarity that is given; all alike without one. */
static void
WeighBy(ScoreQuery *query, Jsonb *rarity)
{
	JsonView	view;
	JsonView	words = {.type = JVIEW_ABSENT};
	int64		chunks = 0;

	if (rarity)
	{
		JsonViewOfJsonb(rarity, &view);
		if (view.type != JVIEW_OBJECT || !JsonViewGetMember(&view, "words", &words) || words.type != JVIEW_OBJECT)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("rarity must be an object with the members \"chunks\" and \"words\"")));
		chunks = CountMember(&view, "chunks", strlen("chunks"), true);
	}
	for (int i = 0; i < query->count; i++)
	{
		ScoreWord  *word = &query->words[i];

		word->weight = ScoreWeight(chunks, words.type == JVIEW_ABSENT ? 0 :
								   CountMember(&words, word->folded.str, word->folded.len, false));
	}
}

/* What the words of a text count for, by word of the query. */
static int *
CreditsOf(const ScoreQuery *query, Span text)
{
	int		   *credits = palloc0(sizeof(int) * Max(query->count, 1));
	int			count;
	Span	   *words = ScoreWordsOf(text, &count);

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < query->count; j++)
			credits[j] = Max(credits[j], ScoreCredit(&query->words[j], words[i]));
	}
	return credits;
}

/* answer_text_score(query, text, title, rarity) */
PG_FUNCTION_INFO_V1(answer_eval_text_score);
Datum
answer_eval_text_score(PG_FUNCTION_ARGS)
{
	ScoreQuery	query;
	int			similarity;

	RequireArgument(fcinfo, 0, "query");
	RequireArgument(fcinfo, 1, "text");
	RequireArgument(fcinfo, 2, "title");
	LimitArgument(fcinfo, 0, ENTRY_MAX_SIZE, "query");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "text");
	LimitArgument(fcinfo, 2, ENTRY_MAX_SIZE, "title");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "rarity");
	ScoreQueryRead(&query, ShippedDecisionRules(), TextArgument(fcinfo, 0));
	WeighBy(&query, PG_ARGISNULL(3) ? NULL : PG_GETARG_JSONB_P(3));
	similarity = ScoreSimilarity(&query, CreditsOf(&query, TextArgument(fcinfo, 1)),
								 CreditsOf(&query, TextArgument(fcinfo, 2)));
	PG_RETURN_FLOAT8((double) similarity / SCORE_WHOLE);
}
