/*-------------------------------------------------------------------------
 *
 * item_search.c
 *		Finds the texts of a set that are most similar to a question (text-score/2).
 *
 * Rule: doc/spec/decision.md §2.5 and doc/spec/reading.md §9.  The caller chooses the set:
 * chunks of documents, or nodes of a graph.
 *
 * Promises: the result is the same as if every text had been scored.
 *
 * A score is at most the share of the question that text and title together cover.  The
 * items of the question are looked up in the index one by one, the rarest first.  Each
 * text found has a weight: that of the items by which it was found.  The weight of the
 * items not looked up yet bounds what can be added, and so bounds the score of each text,
 * also of texts not found yet.  Texts whose bound is above the last of the best so far are
 * judged, greatest bound first: first by their sketch, which gives a tighter bound, and
 * if that is still high enough, by the text itself.
 *
 * So there is no cap on candidates that could cut ties.  The result does not depend on a
 * plan, a locale or the number of workers.  It does not depend on the estimated frequency
 * of items either, which only determines the order of lookups.
 *
 * The index is read without a plan.  It gives positions of rows, and few of the rows are
 * read.  If the table is not an ordinary one, or the index is missing, a query finds all
 * texts with any item, and each is judged.
 *
 * Memory: twelve bytes for each text found by an item, and the best hits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/gin.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "nodes/tidbitmap.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/index_probe.h"
#include "ground/document.h"
#include "ground/item_search.h"

#define ROWS_A_FETCH		500
#define GIN_CONTAINS		2	/* strategy number of @> in array_ops */
#define JUDGING_PRICE		12	/* judging a text takes as long as finding so many in the index */
#define JUDGED_AT_LEAST		64	/* texts that are judged before the next lookup */
#define BITMAP_SIZE			((Size) 1024 * 1024 * 1024)

/* A text found in the index. */
typedef struct Candidate
{
	BlockNumber block;
	OffsetNumber offset;
	uint16		weight;			/* of the items by which it was found */
	uint8		needs;			/* names of the question among these */
	bool		judged;
} Candidate;

/* State of a search by index. */
typedef struct Lookup
{
	ItemSearch *search;
	Relation	table;
	Relation	index;
	IndexFetchTableData *fetch;
	TupleTableSlot *slot;
	int			nitems;
	int		   *order;			/* items that may occur, rarest first */
	int			next;			/* index of the next item to look up */
	int			left_weight;	/* weight of the items not looked up yet */
	int			left_needs;		/* names among these, and names linked to no item */
	int64		count;
	Candidate  *candidates;		/* by position */
	int			most_weight;	/* highest weight of a candidate */
	int			most_needs;
	int16	   *most;			/* highest possible score, by weight and needs; -1: not computed */
} Lookup;

/*
 * rows
 */

/* Returns a column by its name. */
Datum
RowColumn(HeapTuple row, TupleDesc desc, const char *name, bool *isnull)
{
	return heap_getattr(row, SPI_fnumber(desc, name), desc, isnull);
}

/*
 * Finds the columns that are read from every row.  A table and a query of all its
 * columns may number them differently.
 */
static void
FindColumns(ItemSearch *search, TupleDesc desc)
{
	const SearchedSet *set = search->set;

	search->columns_of = desc;
	search->sketch_column = SPI_fnumber(desc, "sketch");
	for (int i = 0; i < set->nkey; i++)
		search->key_columns[i] = SPI_fnumber(desc, set->key[i]);
}

static Span
TextColumn(HeapTuple row, TupleDesc desc, const char *name)
{
	bool		isnull;
	Datum		value = RowColumn(row, desc, name, &isnull);

	return isnull ? SpanOf(NULL, 0) : Utf8OfText(DatumGetTextPP(value));
}

static Datum
TermArray(Datum *terms, int count)
{
	return PointerGetDatum(construct_array(terms, count, BYTEAOID, -1, false, TYPALIGN_INT));
}

/*
 * the best
 */

/* Returns the lowest similarity with which a text can still become one of the best. */
static int
LeastWanted(const ItemSearch *search)
{
	return search->nhits == search->k ? search->hits[search->k - 1].similarity : 1;
}

/* Does a text with this similarity come before a hit? */
static bool
ComesBeforeHit(const ItemSearch *search, int similarity, const Span *order, const ItemHit *hit)
{
	int			difference = 0;

	if (similarity != hit->similarity)
		return similarity > hit->similarity;
	for (int i = 0; i < search->set->norder && difference == 0; i++)
		difference = SpanOrder(order[i], hit->order[i]);
	return difference < 0;
}

static bool
IsWanted(const ItemSearch *search, int similarity, const Span *order)
{
	return similarity > 0 &&
		(search->nhits < search->k || ComesBeforeHit(search, similarity, order, &search->hits[search->k - 1]));
}

static void
KeepHit(ItemSearch *search, int similarity, const Span *order, HeapTuple row, TupleDesc desc)
{
	ItemHit    *hits = search->hits;
	int			place = search->nhits;
	MemoryContext caller;

	while (place > 0 && ComesBeforeHit(search, similarity, order, &hits[place - 1]))
		place--;
	if (search->nhits == search->k)
		heap_freetuple(hits[--search->nhits].row);
	memmove(&hits[place + 1], &hits[place], sizeof(ItemHit) * (search->nhits - place));
	caller = MemoryContextSwitchTo(search->context);
	if (search->desc == NULL)
		search->desc = CreateTupleDescCopy(desc);
	hits[place].similarity = similarity;
	hits[place].row = heap_copytuple(row);
	for (int i = 0; i < search->set->norder; i++)
		hits[place].order[i] = SpanOf(pnstrdup(order[i].str, order[i].len), order[i].len);
	MemoryContextSwitchTo(caller);
	search->nhits++;
}

/* Does a row belong to the set? The index also returns rows of sets with the same beginning of the key. */
static bool
IsOfSet(const ItemSearch *search, HeapTuple row, TupleDesc desc)
{
	for (int i = 0; i < search->set->nkey; i++)
	{
		bool		isnull;
		Datum		value = heap_getattr(row, search->key_columns[i], desc, &isnull);
		text	   *key = DatumGetTextPP(search->key[i]);
		text	   *found;

		if (isnull)
			return false;
		found = DatumGetTextPP(value);
		if (VARSIZE_ANY_EXHDR(found) != VARSIZE_ANY_EXHDR(key) ||
			memcmp(VARDATA_ANY(found), VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)) != 0)
			return false;
	}
	return true;
}

static bool
HasTitle(const ItemSearch *search, HeapTuple row, TupleDesc desc)
{
	bool		isnull;
	Datum		title;

	if (search->title == (Datum) 0)
		return true;
	title = RowColumn(row, desc, "title_items", &isnull);
	return !isnull && DatumGetBool(OidFunctionCall2(F_ARRAYCONTAINS, title, search->title));
}

/* Keeps a text if it is one of the best so far. */
static void
JudgeText(ItemSearch *search, HeapTuple row, TupleDesc desc)
{
	const SearchedSet *set = search->set;
	Span		order[ITEM_SEARCH_MAX_ORDER];
	Span		content;
	Span		title;
	bytea	   *sketch;
	bool		isnull;
	Datum		value;
	int			most;

	if (search->columns_of != desc)
		FindColumns(search, desc);
	value = heap_getattr(row, search->sketch_column, desc, &isnull);
	if (isnull)
		return;
	sketch = DatumGetByteaPP(value);
	most = SketchMost(&search->sketch, (const uint8 *) VARDATA_ANY(sketch), VARSIZE_ANY_EXHDR(sketch));
	if (most < LeastWanted(search) || !IsOfSet(search, row, desc) || !set->passes(search, row, desc) || !HasTitle(search, row, desc))
		return;
	for (int i = 0; i < set->norder; i++)
		order[i] = TextColumn(row, desc, set->order[i]);
	if (!IsWanted(search, most, order))
		return;
	set->read(search, row, desc, &content, &title);
	most = TextScore(search->rules, search->question, content, title);
	if (IsWanted(search, most, order))
		KeepHit(search, most, order, row, desc);
}

/*
 * by a query
 */

static void
JudgeRows(ItemSearch *search, FixedQuery *query, Datum *values)
{
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext, "text-score query", ALLOCSET_DEFAULT_SIZES);
	Portal		portal = QueryOpen(query, values, NULL);
	QueryRows	rows;

	do
	{
		MemoryContext caller;

		rows = QueryFetch(portal, ROWS_A_FETCH);
		caller = MemoryContextSwitchTo(each);
		for (uint64 i = 0; i < rows.count; i++)
		{
			CHECK_FOR_INTERRUPTS();
			JudgeText(search, rows.table->vals[i], rows.table->tupdesc);
			MemoryContextReset(each);
		}
		MemoryContextSwitchTo(caller);
		QueryFree(&rows);
	} while (rows.count > 0);
	SPI_cursor_close(portal);
	MemoryContextDelete(each);
}

static void
SearchByQuery(ItemSearch *search)
{
	Datum		values[ITEM_SEARCH_MAX_KEY + 1];

	memcpy(values, search->key, sizeof(Datum) * search->set->nkey);
	values[search->set->nkey] = TermArray(search->terms, search->sketch.nitems);
	JudgeRows(search, search->set->rows, values);
}

/*
 * by the index
 */

/* Is the index as the install script made it, so that it contains all rows? */
static bool
IndexServes(Relation table, Relation index)
{
	return index->rd_rel->relkind == RELKIND_INDEX && index->rd_rel->relam == GIN_AM_OID &&
		index->rd_index->indrelid == RelationGetRelid(table) && index->rd_index->indisvalid &&
		!index->rd_index->indcheckxmin && index->rd_index->indnatts == 2 &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		index->rd_index->indkey.values[0] == SPI_fnumber(RelationGetDescr(table), "items") &&
		index->rd_index->indkey.values[1] == SPI_fnumber(RelationGetDescr(table), "title_items");
}

static bool
OpenLookup(Lookup *lookup, ItemSearch *search)
{
	memset(lookup, 0, sizeof(*lookup));
	lookup->search = search;
	lookup->table = try_relation_open(AnswerRelation(search->set->table), AccessShareLock);
	if (lookup->table && TableIsPlain(lookup->table))
		lookup->index = try_relation_open(AnswerRelation(search->set->index), AccessShareLock);
	if (lookup->index == NULL || !IndexServes(lookup->table, lookup->index))
	{
		if (lookup->index)
			relation_close(lookup->index, AccessShareLock);
		if (lookup->table)
			relation_close(lookup->table, AccessShareLock);
		return false;
	}
	lookup->fetch = table_index_fetch_begin(lookup->table);
	lookup->slot = table_slot_create(lookup->table, NULL);
	return true;
}

static void
CloseLookup(Lookup *lookup)
{
	ExecDropSingleTupleTableSlot(lookup->slot);
	table_index_fetch_end(lookup->fetch);
	relation_close(lookup->index, AccessShareLock);
	relation_close(lookup->table, AccessShareLock);
}

static const ItemSearch *sorted_search; /* for the comparison function below */

/* Compares by rarity, then by weight. */
static int
CompareRarity(const void *a, const void *b)
{
	int			left = *(const int *) a;
	int			right = *(const int *) b;
	int64		left_count = sorted_search->counts[left];
	int64		right_count = sorted_search->counts[right];
	const SketchItem *items = sorted_search->sketch.items;

	if (left_count != right_count)
		return left_count < right_count ? -1 : 1;
	if (items[left].weight != items[right].weight)
		return items[right].weight - items[left].weight;
	return left - right;
}

/* Resets the possible scores, because another item has been looked up. */
static void
ForgetMost(Lookup *lookup)
{
	memset(lookup->most, -1, sizeof(int16) * (lookup->most_weight + 1) * (lookup->most_needs + 1));
}

/* Puts the items in the order of lookups. */
static void
OrderItems(Lookup *lookup)
{
	ItemSearch *search = lookup->search;
	const SketchQuery *sketch = &search->sketch;

	lookup->order = palloc(sizeof(int) * Max(sketch->nitems, 1));
	lookup->nitems = sketch->nitems;
	lookup->left_needs = sketch->nuntold;
	for (int i = 0; i < sketch->nitems; i++)
	{
		lookup->order[i] = i;
		lookup->left_weight += sketch->items[i].weight;
		lookup->left_needs += sketch->items[i].needs;
	}
	lookup->most_weight = lookup->left_weight;
	lookup->most_needs = lookup->left_needs - sketch->nuntold;
	lookup->most = palloc(sizeof(int16) * (lookup->most_weight + 1) * (lookup->most_needs + 1));
	ForgetMost(lookup);
	sorted_search = search;
	qsort(lookup->order, lookup->nitems, sizeof(int), CompareRarity);
}

/* Returns the highest possible score of a candidate. */
static int
MostOf(const Lookup *lookup, const Candidate *candidate)
{
	int16	   *most = &lookup->most[candidate->weight * (lookup->most_needs + 1) + candidate->needs];

	if (*most < 0)
		*most = (int16) SketchMostOfWeight(&lookup->search->sketch, lookup->left_weight + candidate->weight,
										   lookup->left_needs + candidate->needs);
	return *most;
}

/* Returns the highest possible score of a text that was not found yet. */
static int
MostOfOthers(const Lookup *lookup)
{
	return SketchMostOfWeight(&lookup->search->sketch, lookup->left_weight, lookup->left_needs);
}

/* Returns the positions of rows that the index gives for an item. */
static TIDBitmap *
PlacesOf(Lookup *lookup, int item, int64 *npages)
{
	ItemSearch *search = lookup->search;
	TIDBitmap  *bitmap = tbm_create(BITMAP_SIZE, NULL);
	ScanKeyData keys[2];
	int			nkeys = 0;
	IndexScanDesc scan;

	ScanKeyInit(&keys[nkeys++], 1, GIN_CONTAINS, F_ARRAYCONTAINS, TermArray(&search->terms[item], 1));
	if (search->title != (Datum) 0 && ArrayGetNItems(ARR_NDIM(DatumGetArrayTypeP(search->title)),
													 ARR_DIMS(DatumGetArrayTypeP(search->title))) > 0)
		ScanKeyInit(&keys[nkeys++], 2, GIN_CONTAINS, F_ARRAYCONTAINS, search->title);
	scan = CompatIndexBeginScanBitmap(lookup->index, GetActiveSnapshot(), nkeys);
	index_rescan(scan, keys, nkeys, NULL, 0);
	*npages = index_getbitmap(scan, bitmap);
	index_endscan(scan);
	return bitmap;
}

static int
ComparePlace(const Candidate *candidate, BlockNumber block, OffsetNumber offset)
{
	if (candidate->block != block)
		return candidate->block < block ? -1 : 1;
	return (int) candidate->offset - (int) offset;
}

/* State of merging the candidates so far with the rows of the next item. */
typedef struct Merge
{
	const Candidate *old;
	int64		nold;
	int64		next;
	Candidate  *merged;
	int64		count;
	int64		room;
	const SketchItem *item;
	bool		only_known;		/* can no new text become one of the best? */
} Merge;

static void
MergeUpTo(Merge *merge, BlockNumber block, OffsetNumber offset)
{
	while (merge->next < merge->nold && ComparePlace(&merge->old[merge->next], block, offset) < 0)
		merge->merged[merge->count++] = merge->old[merge->next++];
}

static void
MergePlace(Merge *merge, BlockNumber block, OffsetNumber offset)
{
	Candidate	candidate = {.block = block,.offset = offset};

	MergeUpTo(merge, block, offset);
	if (merge->next < merge->nold && ComparePlace(&merge->old[merge->next], block, offset) == 0)
		candidate = merge->old[merge->next++];
	else if (merge->only_known)
		return;
	if (merge->count + merge->nold - merge->next >= merge->room)
	{
		merge->room *= 2;
		merge->merged = repalloc_huge(merge->merged, sizeof(Candidate) * merge->room);
	}
	candidate.weight += merge->item->weight;
	candidate.needs += merge->item->needs;
	merge->merged[merge->count++] = candidate;
}

/* Looks up the next item. */
static void
LookUp(Lookup *lookup)
{
	int			item = lookup->order[lookup->next];
	int64		about;
	TIDBitmap  *bitmap = PlacesOf(lookup, item, &about);
	Merge		merge = {.old = lookup->candidates,.nold = lookup->count,.item = &lookup->search->sketch.items[item],
	.only_known = MostOfOthers(lookup) < LeastWanted(lookup->search)};
	CompatBitmapIterator *pages;
	CompatBitmapPage page;
	OffsetNumber offsets[MaxHeapTuplesPerPage];

	merge.room = lookup->count + (merge.only_known ? 0 : about) + MaxHeapTuplesPerPage;
	merge.merged = palloc_extended(sizeof(Candidate) * merge.room, MCXT_ALLOC_HUGE);
	pages = CompatBitmapBegin(bitmap);
	while (CompatBitmapNext(pages, &page))
	{
		int			count = CompatBitmapOffsets(&page, offsets, MaxHeapTuplesPerPage);

		CHECK_FOR_INTERRUPTS();
		/* a lossy page has no offsets: any of its rows may match */
		for (int i = 0; i < (count < 0 ? MaxHeapTuplesPerPage : count); i++)
			MergePlace(&merge, CompatBitmapBlock(&page), count < 0 ? i + 1 : offsets[i]);
	}
	CompatBitmapEnd(pages);
	tbm_free(bitmap);
	MergeUpTo(&merge, InvalidBlockNumber, InvalidOffsetNumber);
	if (lookup->candidates)
		pfree(lookup->candidates);
	lookup->candidates = merge.merged;
	lookup->count = merge.count;
	lookup->next++;
	lookup->left_weight -= merge.item->weight;
	lookup->left_needs -= merge.item->needs;
	ForgetMost(lookup);
}

static bool
IsWaiting(const Lookup *lookup, const Candidate *candidate, int least)
{
	return !candidate->judged && MostOf(lookup, candidate) >= least;
}

/* Returns the number of candidates that could still be among the best. */
static int64
CountWaiting(const Lookup *lookup, int least)
{
	int64		count = 0;

	for (int64 i = 0; i < lookup->count; i++)
	{
		if (IsWaiting(lookup, &lookup->candidates[i], least))
			count++;
	}
	return count;
}

static void
JudgePlace(Lookup *lookup, Candidate *candidate, MemoryContext each)
{
	ItemPointerData place;
	bool		again = false;
	MemoryContext caller;

	candidate->judged = true;
	ItemPointerSet(&place, candidate->block, candidate->offset);
	if (!table_index_fetch_tuple(lookup->fetch, &place, GetActiveSnapshot(), lookup->slot, &again, NULL))
		return;
	caller = MemoryContextSwitchTo(each);
	JudgeText(lookup->search, ExecFetchSlotHeapTuple(lookup->slot, false, NULL), RelationGetDescr(lookup->table));
	MemoryContextSwitchTo(caller);
	MemoryContextReset(each);
	ExecClearTuple(lookup->slot);
}

/* Judges candidates that could be among the best, most promising first, and at most "most" of them. */
static void
JudgeWaiting(Lookup *lookup, int64 count, int64 most)
{
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext, "text-score search", ALLOCSET_DEFAULT_SIZES);
	int64	   *waiting = palloc_extended(sizeof(int64) * count, MCXT_ALLOC_HUGE);
	int64	   *begins = palloc0(sizeof(int64) * (SCORE_WHOLE + 2));
	int			least = LeastWanted(lookup->search);

	/* counting sort: by possible score, then position */
	for (int64 i = 0; i < lookup->count; i++)
	{
		if (IsWaiting(lookup, &lookup->candidates[i], least))
			begins[SCORE_WHOLE - MostOf(lookup, &lookup->candidates[i]) + 1]++;
	}
	for (int i = 1; i <= SCORE_WHOLE + 1; i++)
		begins[i] += begins[i - 1];
	for (int64 i = 0; i < lookup->count; i++)
	{
		if (IsWaiting(lookup, &lookup->candidates[i], least))
			waiting[begins[SCORE_WHOLE - MostOf(lookup, &lookup->candidates[i])]++] = i;
	}
	for (int64 i = 0; i < Min(count, most); i++)
	{
		Candidate  *candidate = &lookup->candidates[waiting[i]];

		CHECK_FOR_INTERRUPTS();
		if (MostOf(lookup, candidate) < LeastWanted(lookup->search))
			break;
		JudgePlace(lookup, candidate, each);
	}
	pfree(waiting);
	pfree(begins);
	MemoryContextDelete(each);
}

/* Returns how many texts can be judged in the time of the next lookup; all if there is none left. */
static int64
Affordable(const Lookup *lookup)
{
	if (lookup->next == lookup->nitems)
		return PG_INT64_MAX;
	return lookup->search->counts[lookup->order[lookup->next]] / JUDGING_PRICE + JUDGED_AT_LEAST;
}

/*
 * Before each lookup, judges as many texts as take the same time, because the
 * lookup may become unnecessary.  So the search takes at most twice the minimum.
 */
static void
SearchByIndex(Lookup *lookup)
{
	for (;;)
	{
		int64		waiting = CountWaiting(lookup, LeastWanted(lookup->search));

		if (waiting > 0)
		{
			int64		affordable = Affordable(lookup);

			JudgeWaiting(lookup, waiting, affordable);
			waiting = waiting <= affordable ? 0 : CountWaiting(lookup, LeastWanted(lookup->search));
		}
		if (waiting == 0 && (lookup->next == lookup->nitems || MostOfOthers(lookup) < LeastWanted(lookup->search)))
			break;
		if (lookup->next < lookup->nitems && (waiting > Affordable(lookup) || MostOfOthers(lookup) >= LeastWanted(lookup->search)))
			LookUp(lookup);
	}
}

/*
 * the search
 */

/* Estimates how many texts have each item; 0 if there is no count. */
static void
CountItems(ItemSearch *search)
{
	FixedQuery *query = search->set->count;
	Datum		values[ITEM_SEARCH_MAX_KEY + 1];
	int			prefix = VARSIZE_ANY_EXHDR(search->scope) + 1;

	memcpy(values, search->key, sizeof(Datum) * search->set->nkey);
	for (int i = 0; query && i < search->sketch.nitems; i++)
	{
		bytea	   *term = DatumGetByteaPP(search->terms[i]);
		QueryRows	rows;

		values[search->set->nkey] =
			PointerGetDatum(cstring_to_text_with_len(VARDATA_ANY(term) + prefix, VARSIZE_ANY_EXHDR(term) - prefix));
		rows = QueryRun(query, values, NULL, true, 1);
		if (rows.count > 0)
			search->counts[i] = DatumGetInt64(ColumnDatum(rows.table, 0, 1));
		QueryFree(&rows);
	}
}

static void
PrepareQuestion(ItemSearch *search, Span text)
{
	SketchQuestion(&search->sketch, search->rules, text);
	if (search->sketch.nitems > SKETCH_MAX_ITEMS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("query has %d words", search->sketch.nitems),
				 errdetail("The most are %d.", SKETCH_MAX_ITEMS),
				 errhint("Ask a shorter question.")));
	search->terms = palloc(sizeof(Datum) * Max(search->sketch.nitems, 1));
	search->counts = palloc0(sizeof(int64) * Max(search->sketch.nitems, 1));
	for (int i = 0; i < search->sketch.nitems; i++)
		search->terms[i] = IndexTerm(search->scope, search->sketch.items[i].item);
}

/* Finds the texts that are most similar to a question. SPI must be connected. */
void
ItemSearchRun(ItemSearch *search, Span question)
{
	Lookup		lookup;

	search->context = CurrentMemoryContext;
	search->question = question;
	search->nhits = 0;
	search->hits = palloc(sizeof(ItemHit) * (search->k + 1));
	PrepareQuestion(search, question);
	if (search->sketch.nitems == 0)
		return;
	if (search->few)
		JudgeRows(search, search->few, search->few_values);
	else if (!OpenLookup(&lookup, search))
		SearchByQuery(search);
	else
	{
		CountItems(search);
		OrderItems(&lookup);
		SearchByIndex(&lookup);
		CloseLookup(&lookup);
	}
}
