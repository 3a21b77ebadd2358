/*-------------------------------------------------------------------------
 *
 * term_search.c
 *		The texts of a set that are most similar to a query, by text-score/1.
 *
 * Rule: the decision contract's section on retrieval.  Indexes find candidates,
 * text-score/1 (score.c) orders them.  What the sets are, and how their tables are
 * asked, is the caller's to say: chunks of documents, or nodes of a graph.
 *
 * Promises: the result is that of scoring every text.  A query's words are taken
 * one after the other, the heaviest first: its candidates are the texts that
 * have that word, or one that is near.  Whatever has none of the words so far can
 * at most have the rest of the weights; when that is less than the last of the
 * best, the search ends.  So there is no cap that could cut a tie in two, and the
 * result depends on no plan, locale or number of workers.
 *
 * Memory is flat: candidates are read in batches, and only the best are kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base/funcargs.h"
#include "ground/document.h"
#include "ground/term_search.h"

#define ROWS_A_FETCH		500

/* A word of the set that counts for one of the query. */
struct SearchTerm
{
	Span		word;
	int			query_word;
	int			credit;
};

/*
 * the words of a query, and those of the set that count for them
 */

/* Runs a query that gives one number, by the key of the set and a word; 0 without a row. */
static int64
NumberOf(const TermSearch *search, FixedQuery *query, const Datum *word)
{
	Datum		values[QUERY_MAX_ARGS];
	int64		number = 0;
	bool		isnull;
	QueryRows	rows;

	memcpy(values, search->key, sizeof(Datum) * search->nkey);
	if (word)
		values[search->nkey] = *word;
	rows = QueryRun(query, values, NULL, true, 1);
	if (rows.count > 0)
		number = DatumGetInt64(SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &isnull));
	QueryFree(&rows);
	return number;
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

/* In how many texts a word is. */
static int64
TextsWith(const TermSearch *search, Span word)
{
	Datum		value = PointerGetDatum(BytesOf(word));

	return NumberOf(search, search->count_word, &value);
}

static void
AddTerm(TermSearch *search, Span word, int query_word, int credit)
{
	char	   *copy = palloc(word.len);

	if (search->nterms == search->terms_allocated)
	{
		search->terms_allocated *= 2;
		search->terms = repalloc(search->terms, sizeof(struct SearchTerm) * search->terms_allocated);
	}
	memcpy(copy, word.str, word.len);
	search->terms[search->nterms++] = (struct SearchTerm) {SpanOf(copy, word.len), query_word, credit};
}

/*
 * The trigrams of which every word that is near has at least one: all but as many
 * as it could lack, the first one among them, which it must have.  The next ones
 * after that are left out, for many words begin alike.
 */
static Datum
ProbeOf(const TermSearch *search, const ScoreWord *word)
{
	int			least = ScoreLeastShared(word->ntrigrams);
	Datum	   *terms = palloc(sizeof(Datum) * word->ntrigrams);
	int			count = 0;

	/* blanks sort before every letter, so that the beginnings come first */
	for (int i = Max(least - 1, 1); i < word->ntrigrams; i++)
		terms[count++] = IndexTrigram(search->scope, word->trigrams[i]);
	return PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT));
}

/* Adds the words of the set that count for a word of the query. */
static void
FindTerms(TermSearch *search, int query_word)
{
	const ScoreWord *word = &search->query.words[query_word];
	Datum		first = IndexTrigram(search->scope, ScoreFirstTrigram(word->folded));
	Datum		values[QUERY_MAX_ARGS];
	Portal		portal;
	QueryRows	rows;

	memcpy(values, search->key, sizeof(Datum) * search->nkey);
	values[search->nkey] = ProbeOf(search, word);
	values[search->nkey + 1] = PointerGetDatum(construct_array(&first, 1, BYTEAOID, -1, false, TYPALIGN_INT));
	portal = QueryOpen(search->near_words, values, NULL);
	do
	{
		rows = QueryFetch(portal, ROWS_A_FETCH);
		for (uint64 i = 0; i < rows.count; i++)
		{
			Span		found = SpanOfColumn(rows.table->vals[i], rows.table->tupdesc, 1);
			int			credit = ScoreCredit(word, found);

			CHECK_FOR_INTERRUPTS();
			if (credit > 0)
				AddTerm(search, found, query_word, credit);
		}
		QueryFree(&rows);
	} while (rows.count > 0);
	SPI_cursor_close(portal);
}

static int
CompareTerms(const void *a, const void *b)
{
	return SpanCompare(((const struct SearchTerm *) a)->word, ((const struct SearchTerm *) b)->word);
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
Prepare(TermSearch *search, Span text)
{
	int64		texts = NumberOf(search, search->count_texts, NULL);
	ScoreQuery *query = &search->query;

	ScoreQueryRead(query, ShippedDecisionRules(), text);
	if (query->count > TERM_SEARCH_MAX_WORDS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("query has %d words", query->count),
				 errdetail("The most are %d.", TERM_SEARCH_MAX_WORDS),
				 errhint("Ask a shorter question.")));
	if (texts == 0 || query->count == 0)
		return false;
	search->order = palloc(sizeof(int) * query->count);
	search->rank = palloc(sizeof(int) * query->count);
	search->text_credits = palloc(sizeof(int) * query->count);
	search->title_credits = palloc(sizeof(int) * query->count);
	search->terms_allocated = 64;
	search->terms = palloc(sizeof(struct SearchTerm) * search->terms_allocated);
	for (int i = 0; i < query->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		search->order[i] = i;
		query->words[i].weight = ScoreWeight(texts, TextsWith(search, query->words[i].folded));
		FindTerms(search, i);
	}
	sorted_query = query;
	qsort(search->order, query->count, sizeof(int), CompareWeights);
	for (int i = 0; i < query->count; i++)
		search->rank[search->order[i]] = i;
	qsort(search->terms, search->nterms, sizeof(struct SearchTerm), CompareTerms);
	return true;
}

/*
 * candidates
 */

/* The first term of a word; NULL if it counts for nothing. */
static const struct SearchTerm *
TermOf(const TermSearch *search, Span word)
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
CreditWords(const TermSearch *search, Datum words, int *credits)
{
	int			prefix = VARSIZE_ANY_EXHDR(search->scope) + 1;
	Datum	   *elements;
	int			count;

	memset(credits, 0, sizeof(int) * search->query.count);
	deconstruct_array(DatumGetArrayTypeP(words), BYTEAOID, -1, false, TYPALIGN_INT, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		bytea	   *element = DatumGetByteaPP(elements[i]);
		Span		word = SpanOf(VARDATA_ANY(element) + prefix, VARSIZE_ANY_EXHDR(element) - prefix);
		const struct SearchTerm *term = TermOf(search, word);

		for (; term && term < search->terms + search->nterms && SpanEqual(term->word, word); term++)
			credits[term->query_word] = Max(credits[term->query_word], term->credit);
	}
}

/* Was the candidate one of an earlier word, too? */
static bool
WasSeen(const TermSearch *search, int rank)
{
	for (int i = 0; i < rank; i++)
	{
		if (search->text_credits[search->order[i]] > 0 || search->title_credits[search->order[i]] > 0)
			return true;
	}
	return false;
}

static Span
TextColumn(HeapTuple row, TupleDesc desc, int column)
{
	bool		isnull;

	return Utf8OfText(DatumGetTextPP(SPI_getbinval(row, desc, column, &isnull)));
}

/* Does a candidate come before a hit?  The columns that tell equals apart are compared by code point. */
static bool
IsBetter(const TermSearch *search, int similarity, HeapTuple row, const TermHit *hit)
{
	int			order = 0;

	if (similarity != hit->similarity)
		return similarity > hit->similarity;
	for (int column = 1; column <= search->norder && order == 0; column++)
		order = SpanOrder(TextColumn(row, search->desc, column), TextColumn(hit->row, search->desc, column));
	return order < 0;
}

/* Keeps a candidate if it is one of the best so far. */
static void
KeepIfBest(TermSearch *search, MemoryContext context, HeapTuple row, int similarity)
{
	TermHit    *hits = search->hits;
	int			place = search->nhits;
	MemoryContext caller;

	while (place > 0 && IsBetter(search, similarity, row, &hits[place - 1]))
		place--;
	if (place == search->k)
		return;
	if (search->nhits == search->k)
		heap_freetuple(hits[--search->nhits].row);
	memmove(&hits[place + 1], &hits[place], sizeof(TermHit) * (search->nhits - place));
	caller = MemoryContextSwitchTo(context);
	hits[place] = (TermHit) {similarity, heap_copytuple(row)};
	MemoryContextSwitchTo(caller);
	search->nhits++;
}

static void
JudgeCandidate(TermSearch *search, int rank, MemoryContext context, HeapTuple row)
{
	bool		isnull;
	int			similarity;

	CreditWords(search, SPI_getbinval(row, search->desc, search->words_column, &isnull), search->text_credits);
	CreditWords(search, SPI_getbinval(row, search->desc, search->words_column + 1, &isnull), search->title_credits);
	if (WasSeen(search, rank))
		return;
	similarity = ScoreSimilarity(&search->query, search->text_credits, search->title_credits);
	if (similarity > 0)
		KeepIfBest(search, context, row, similarity);
}

/* The index terms of what counts for a word of the query; how many there are. */
static int
IndexTermsOf(const TermSearch *search, int query_word, Datum *array)
{
	Datum	   *terms = palloc(sizeof(Datum) * Max(search->nterms, 1));
	int			count = 0;

	for (int i = 0; i < search->nterms; i++)
	{
		if (search->terms[i].query_word == query_word)
			terms[count++] = IndexTerm(search->scope, search->terms[i].word);
	}
	*array = PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT));
	return count;
}

/* Judges the texts that have a word of the query, or one that is near. */
static void
JudgeCandidates(TermSearch *search, int rank)
{
	Datum		values[QUERY_MAX_ARGS];
	char		nulls[QUERY_MAX_ARGS + 1];
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext each;
	Portal		portal;
	QueryRows	rows;

	if (IndexTermsOf(search, search->order[rank], &values[search->nkey]) == 0)
		return;
	memset(nulls, ' ', sizeof(nulls));
	memcpy(values, search->key, sizeof(Datum) * search->nkey);
	for (int i = 0; i < search->nfilters; i++)
	{
		values[search->nkey + 1 + i] = search->filters[i].value;
		nulls[search->nkey + 1 + i] = search->filters[i].isnull ? 'n' : ' ';
	}
	portal = QueryOpen(search->candidates, values, nulls);
	each = AllocSetContextCreate(caller, "text-score search", ALLOCSET_DEFAULT_SIZES);
	do
	{
		rows = QueryFetch(portal, ROWS_A_FETCH);
		if (search->desc == NULL)
			search->desc = CreateTupleDescCopy(rows.table->tupdesc);
		MemoryContextSwitchTo(each);
		for (uint64 i = 0; i < rows.count; i++)
		{
			CHECK_FOR_INTERRUPTS();
			JudgeCandidate(search, rank, caller, rows.table->vals[i]);
			MemoryContextReset(each);
		}
		MemoryContextSwitchTo(caller);
		QueryFree(&rows);
	} while (rows.count > 0);
	SPI_cursor_close(portal);
	MemoryContextDelete(each);
}

/* The most that a text without any of the first words can come to. */
static int
MostWithout(const TermSearch *search, int rank)
{
	for (int i = 0; i < search->query.count; i++)
	{
		search->text_credits[i] = search->rank[i] >= rank ? SCORE_WHOLE : 0;
		search->title_credits[i] = 0;
	}
	return ScoreSimilarity(&search->query, search->text_credits, search->title_credits);
}

/* Finds the texts that are most similar to a query; SPI must be connected. */
void
TermSearchRun(TermSearch *search, Span text)
{
	search->nhits = 0;
	search->hits = palloc(sizeof(TermHit) * (search->k + 1));
	if (!Prepare(search, text))
		return;
	for (int rank = 0; rank < search->query.count; rank++)
	{
		if (search->nhits == search->k && search->hits[search->k - 1].similarity > MostWithout(search, rank))
			break;
		JudgeCandidates(search, rank);
	}
}
