/*-------------------------------------------------------------------------
 *
 * search.c
 *		The chunks of a tenant that are most similar to a query.
 *
 * Rule: the decision contract's section on retrieval.  Indexes find candidates,
 * text-score/1 (score.c) orders them.
 *
 * Promises: the result is that of scoring every chunk.  A query's words are taken
 * one after the other, the heaviest first: its candidates are the chunks that
 * have that word, or one that is near.  Whatever has none of the words so far can
 * at most have the rest of the weights; when that is less than the last of the
 * best, the search ends.  So there is no cap that could cut a tie in two, and the
 * result depends on no plan, locale or number of workers.
 *
 * Memory is flat: candidates are read in batches, and only the best are kept.
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

#define QUERY_MAX_WORDS		256
#define SEARCH_MAX_HITS		1000
#define ROWS_A_FETCH		500
#define HIT_COLUMNS			5

/* A word of the document set that counts for one of the query. */
typedef struct Term
{
	Span		word;
	int			query_word;
	int			credit;
} Term;

typedef struct Hit
{
	int			similarity;		/* of SCORE_WHOLE */
	text	   *chunk_id;
	text	   *doc_id;
	int32		version;
	int32		ordinal;
} Hit;

typedef struct Search
{
	text	   *tenant;
	ScoreQuery	query;
	int		   *order;			/* words of the query, the heaviest first */
	int		   *rank;			/* where a word is there */
	int			nterms;
	int			terms_allocated;
	Term	   *terms;			/* in order of their words, once all are there */
	NullableDatum filter[FILTER_PARTS];
	int			k;
	int			nhits;
	Hit		   *hits;			/* the best so far, the best one first */
	int		   *text_credits;	/* of the candidate at hand, by word of the query */
	int		   *title_credits;
} Search;

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
 * the words of a query, and those of the document set that count for them
 */

/* How many chunks can be found. */
static int64
ChunksOf(const Search *search)
{
	static FixedQuery query = {
		.text = "SELECT chunks FROM answer.document_set WHERE tenant OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		values[1] = {PointerGetDatum(search->tenant)};
	int64		chunks = 0;
	bool		isnull;

	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed > 0)
		chunks = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
	return chunks;
}

static bytea *
BytesOf(Span span)
{
	return (bytea *) cstring_to_text_with_len(span.str, span.len);
}

static Span
SpanOfColumn(HeapTuple row, TupleDesc desc, int column)
{
	bool		isnull;
	bytea	   *bytes = DatumGetByteaPP(SPI_getbinval(row, desc, column, &isnull));

	return SpanOf(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
}

/* In how many of them a word is. */
static int64
ChunksWith(const Search *search, Span word)
{
	static FixedQuery query = {
		.text = "SELECT chunks FROM answer.chunk_word WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND word OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {TEXTOID, BYTEAOID}
	};
	Datum		values[2] = {PointerGetDatum(search->tenant), PointerGetDatum(BytesOf(word))};
	int64		chunks = 0;
	bool		isnull;

	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed > 0)
		chunks = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
	return chunks;
}

static void
AddTerm(Search *search, Span word, int query_word, int credit)
{
	char	   *copy = palloc(word.len);

	if (search->nterms == search->terms_allocated)
	{
		search->terms_allocated *= 2;
		search->terms = repalloc(search->terms, sizeof(Term) * search->terms_allocated);
	}
	memcpy(copy, word.str, word.len);
	search->terms[search->nterms++] = (Term) {SpanOf(copy, word.len), query_word, credit};
}

/*
 * The trigrams of which every word that is near has at least one: all but as many
 * as it could lack, the first one among them, which it must have.  The next ones
 * after that are left out, for many words begin alike.
 */
static Datum
ProbeOf(const Search *search, const ScoreWord *word)
{
	int			least = ScoreLeastShared(word->ntrigrams);
	Datum	   *terms = palloc(sizeof(Datum) * word->ntrigrams);
	int			count = 0;

	/* blanks sort before every letter, so that the beginnings come first */
	for (int i = Max(least - 1, 1); i < word->ntrigrams; i++)
		terms[count++] = IndexTrigram(search->tenant, word->trigrams[i]);
	return PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT));
}

/* Adds the words of the document set that count for a word of the query. */
static void
FindTerms(Search *search, int query_word)
{
	static FixedQuery query = {
		.text = "SELECT word FROM answer.chunk_word WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND trigrams OPERATOR(pg_catalog.&&) $2 AND trigrams OPERATOR(pg_catalog.@>) $3",
		.nargs = 3,
		.argtypes = {TEXTOID, BYTEAARRAYOID, BYTEAARRAYOID}
	};
	const ScoreWord *word = &search->query.words[query_word];
	Datum		first = IndexTrigram(search->tenant, ScoreFirstTrigram(word->folded));
	Datum		values[3] = {PointerGetDatum(search->tenant), ProbeOf(search, word),
	PointerGetDatum(construct_array(&first, 1, BYTEAOID, -1, false, TYPALIGN_INT))};
	Portal		portal = QueryOpen(&query, values, NULL);

	do
	{
		SPI_cursor_fetch(portal, true, ROWS_A_FETCH);
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			Span		found = SpanOfColumn(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1);
			int			credit = ScoreCredit(word, found);

			CHECK_FOR_INTERRUPTS();
			if (credit > 0)
				AddTerm(search, found, query_word, credit);
		}
		SPI_freetuptable(SPI_tuptable);
	} while (SPI_processed > 0);
	SPI_cursor_close(portal);
}

static int
CompareTerms(const void *a, const void *b)
{
	return SpanCompare(((const Term *) a)->word, ((const Term *) b)->word);
}

static const ScoreQuery *sorted_query;	/* for the comparison below alone */

static int
CompareWeights(const void *a, const void *b)
{
	int			left = *(const int *) a;
	int			right = *(const int *) b;
	int64		difference = sorted_query->words[right].weight - sorted_query->words[left].weight;

	return difference != 0 ? (difference > 0 ? 1 : -1) : left - right;
}

/* Weighs the words of the query, finds what counts for them, and puts both in order; false if nothing can be found. */
static bool
Prepare(Search *search, Span text)
{
	int64		chunks = ChunksOf(search);
	ScoreQuery *query = &search->query;

	ScoreQueryRead(query, ShippedDecisionRules(), text);
	if (query->count > QUERY_MAX_WORDS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("query has %d words", query->count),
				 errdetail("The most are %d.", QUERY_MAX_WORDS),
				 errhint("Ask a shorter question.")));
	if (chunks == 0 || query->count == 0)
		return false;
	search->order = palloc(sizeof(int) * query->count);
	search->rank = palloc(sizeof(int) * query->count);
	search->text_credits = palloc(sizeof(int) * query->count);
	search->title_credits = palloc(sizeof(int) * query->count);
	search->terms_allocated = 64;
	search->terms = palloc(sizeof(Term) * search->terms_allocated);
	for (int i = 0; i < query->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		search->order[i] = i;
		query->words[i].weight = ScoreWeight(chunks, ChunksWith(search, query->words[i].folded));
		FindTerms(search, i);
	}
	sorted_query = query;
	qsort(search->order, query->count, sizeof(int), CompareWeights);
	for (int i = 0; i < query->count; i++)
		search->rank[search->order[i]] = i;
	qsort(search->terms, search->nterms, sizeof(Term), CompareTerms);
	return true;
}

/*
 * candidates
 */

/* The first term of a word; NULL if it counts for nothing. */
static const Term *
TermOf(const Search *search, Span word)
{
	int			low = 0;
	int			high = search->nterms;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (SpanCompare(search->terms[middle].word, word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < search->nterms && SpanEqual(search->terms[low].word, word) ? &search->terms[low] : NULL;
}

/* What the words of a text count for, by word of the query. */
static void
CreditWords(const Search *search, Datum words, int *credits)
{
	int			prefix = VARSIZE_ANY_EXHDR(search->tenant) + 1;
	Datum	   *elements;
	int			count;

	memset(credits, 0, sizeof(int) * search->query.count);
	deconstruct_array(DatumGetArrayTypeP(words), BYTEAOID, -1, false, TYPALIGN_INT, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		bytea	   *element = DatumGetByteaPP(elements[i]);
		Span		word = SpanOf(VARDATA_ANY(element) + prefix, VARSIZE_ANY_EXHDR(element) - prefix);
		const Term *term = TermOf(search, word);

		for (; term && term < search->terms + search->nterms && SpanEqual(term->word, word); term++)
			credits[term->query_word] = Max(credits[term->query_word], term->credit);
	}
}

/* Was the candidate one of an earlier word, too? */
static bool
WasSeen(const Search *search, int rank)
{
	for (int i = 0; i < rank; i++)
	{
		if (search->text_credits[search->order[i]] > 0 || search->title_credits[search->order[i]] > 0)
			return true;
	}
	return false;
}

/* Does the first come before the second?  Ids are compared by code point. */
static bool
IsBetter(int similarity, const text *chunk_id, const Hit *hit)
{
	int			len = VARSIZE_ANY_EXHDR(chunk_id);
	int			hitlen = VARSIZE_ANY_EXHDR(hit->chunk_id);
	int			order;

	if (similarity != hit->similarity)
		return similarity > hit->similarity;
	order = memcmp(VARDATA_ANY(chunk_id), VARDATA_ANY(hit->chunk_id), Min(len, hitlen));
	return order != 0 ? order < 0 : len < hitlen;
}

static text *
TextColumn(HeapTuple row, TupleDesc desc, int column)
{
	bool		isnull;

	return DatumGetTextPP(SPI_getbinval(row, desc, column, &isnull));
}

static text *
CopyText(const text *value)
{
	return cstring_to_text_with_len(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

/* Keeps a candidate if it is one of the best so far. */
static void
KeepIfBest(Search *search, MemoryContext context, HeapTuple row, TupleDesc desc, int similarity)
{
	text	   *chunk_id = TextColumn(row, desc, 1);
	Hit		   *hits = search->hits;
	int			place = search->nhits;
	MemoryContext caller;
	bool		isnull;

	while (place > 0 && IsBetter(similarity, chunk_id, &hits[place - 1]))
		place--;
	if (place == search->k)
		return;
	if (search->nhits == search->k)
	{
		search->nhits--;
		pfree(hits[search->nhits].chunk_id);
		pfree(hits[search->nhits].doc_id);
	}
	memmove(&hits[place + 1], &hits[place], sizeof(Hit) * (search->nhits - place));
	caller = MemoryContextSwitchTo(context);
	hits[place] = (Hit)
	{
		.similarity = similarity,
		.chunk_id = CopyText(chunk_id),
		.doc_id = CopyText(TextColumn(row, desc, 2)),
		.version = DatumGetInt32(SPI_getbinval(row, desc, 3, &isnull)),
		.ordinal = DatumGetInt32(SPI_getbinval(row, desc, 4, &isnull))
	};
	MemoryContextSwitchTo(caller);
	search->nhits++;
}

static void
JudgeCandidate(Search *search, int rank, MemoryContext context, HeapTuple row, TupleDesc desc)
{
	bool		isnull;
	int			similarity;

	CreditWords(search, SPI_getbinval(row, desc, 5, &isnull), search->text_credits);
	CreditWords(search, SPI_getbinval(row, desc, 6, &isnull), search->title_credits);
	if (WasSeen(search, rank))
		return;
	similarity = ScoreSimilarity(&search->query, search->text_credits, search->title_credits);
	if (similarity > 0)
		KeepIfBest(search, context, row, desc, similarity);
}

/* The index terms of what counts for a word of the query; how many there are. */
static int
IndexTermsOf(const Search *search, int query_word, Datum *array)
{
	Datum	   *terms = palloc(sizeof(Datum) * Max(search->nterms, 1));
	int			count = 0;

	for (int i = 0; i < search->nterms; i++)
	{
		if (search->terms[i].query_word == query_word)
			terms[count++] = IndexTerm(search->tenant, search->terms[i].word);
	}
	*array = PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT));
	return count;
}

/* Judges the chunks that have a word of the query, or one that is near. */
static void
JudgeCandidates(Search *search, int rank)
{
	static FixedQuery query = {
		.text = "SELECT chunk_id, doc_id, version, ordinal, words, title_words FROM answer.chunk_search"
		" WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND (words OPERATOR(pg_catalog.&&) $2 OR title_words OPERATOR(pg_catalog.&&) $2)"
		" AND ($3 IS NULL OR doc_id OPERATOR(pg_catalog.=) ANY ($3))"
		" AND ($4 IS NULL OR \"timestamp\" OPERATOR(pg_catalog.>=) $4)"
		" AND ($5 IS NULL OR \"timestamp\" OPERATOR(pg_catalog.<=) $5)"
		" AND ($6 IS NULL OR title_words OPERATOR(pg_catalog.@>) $6)",
		.nargs = 6,
		.argtypes = {TEXTOID, BYTEAARRAYOID, TEXTARRAYOID, TIMESTAMPTZOID, TIMESTAMPTZOID, BYTEAARRAYOID}
	};
	Datum		values[6] = {PointerGetDatum(search->tenant)};
	char		nulls[7] = "      ";
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext each;
	Portal		portal;

	if (IndexTermsOf(search, search->order[rank], &values[1]) == 0)
		return;
	for (int i = 0; i < FILTER_PARTS; i++)
	{
		values[2 + i] = search->filter[i].value;
		nulls[2 + i] = search->filter[i].isnull ? 'n' : ' ';
	}
	portal = QueryOpen(&query, values, nulls);
	each = AllocSetContextCreate(caller, "answer_search", ALLOCSET_DEFAULT_SIZES);
	do
	{
		SPI_cursor_fetch(portal, true, ROWS_A_FETCH);
		MemoryContextSwitchTo(each);
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			CHECK_FOR_INTERRUPTS();
			JudgeCandidate(search, rank, caller, SPI_tuptable->vals[i], SPI_tuptable->tupdesc);
			MemoryContextReset(each);
		}
		MemoryContextSwitchTo(caller);
		SPI_freetuptable(SPI_tuptable);
	} while (SPI_processed > 0);
	SPI_cursor_close(portal);
	MemoryContextDelete(each);
}

/* The most that a chunk without any of the first words can come to. */
static int
MostWithout(const Search *search, int rank)
{
	for (int i = 0; i < search->query.count; i++)
	{
		search->text_credits[i] = search->rank[i] >= rank ? SCORE_WHOLE : 0;
		search->title_credits[i] = 0;
	}
	return ScoreSimilarity(&search->query, search->text_credits, search->title_credits);
}

static void
RunSearch(Search *search)
{
	for (int rank = 0; rank < search->query.count; rank++)
	{
		if (search->nhits == search->k && search->hits[search->k - 1].similarity > MostWithout(search, rank))
			break;
		JudgeCandidates(search, rank);
	}
}

/*
 * SQL
 */

/* answer.search_text(tenant, query, k, filter) */
PG_FUNCTION_INFO_V1(answer_eval_search_text);
Datum
answer_eval_search_text(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Search		search = {0};

	RequireArgument(fcinfo, 0, "tenant");
	RequireArgument(fcinfo, 1, "query");
	RequireArgument(fcinfo, 2, "k");
	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "query");
	LimitArgument(fcinfo, 3, ARGUMENT_MAX_SIZE, "filter");
	search.tenant = PG_GETARG_TEXT_PP(0);
	search.k = PG_GETARG_INT32(2);
	if (search.k < 1 || search.k > SEARCH_MAX_HITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k is %d", search.k),
				 errdetail("It must be from 1 to %d.", SEARCH_MAX_HITS)));
	InitMaterializedSRF(fcinfo, 0);
	FilterRead(PG_ARGISNULL(3) ? NULL : PG_GETARG_JSONB_P(3), search.tenant, search.filter);
	search.hits = palloc(sizeof(Hit) * (search.k + 1));
	SPI_connect();
	if (Prepare(&search, TextArgument(fcinfo, 1)))
		RunSearch(&search);
	for (int i = 0; i < search.nhits; i++)
	{
		const Hit  *hit = &search.hits[i];
		Datum		values[HIT_COLUMNS] = {PointerGetDatum(hit->chunk_id), PointerGetDatum(hit->doc_id),
			Int32GetDatum(hit->version), Int32GetDatum(hit->ordinal),
			Float8GetDatum((double) hit->similarity / SCORE_WHOLE)};
		bool		nulls[HIT_COLUMNS] = {false};

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
