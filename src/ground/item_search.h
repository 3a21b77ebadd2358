/*-------------------------------------------------------------------------
 *
 * item_search.h
 *		Finds the texts of a set that are most similar to a question (text-score/2).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_ITEM_SEARCH_H
#define ANSWER_EVAL_GROUND_ITEM_SEARCH_H

#include "access/htup.h"
#include "access/tupdesc.h"
#include "storage/itemptr.h"

#include "base/spi_query.h"
#include "ground/sketch.h"

#define ITEM_SEARCH_MAX_HITS	1000
#define ITEM_SEARCH_MAX_KEY		2
#define ITEM_SEARCH_MAX_ORDER	2

struct ItemSearch;

/*
 * Where the texts are.  The table has the columns "items" and "title_items", both
 * bytea[] and indexed, and "sketch".  The key columns are of type text.
 */
typedef struct SearchedSet
{
	const char *table;			/* in the schema answer */
	const char *index;			/* GIN index on items and title_items */
	int			nkey;
	const char *key[ITEM_SEARCH_MAX_KEY];
	int			norder;			/* columns of type text that break ties */
	const char *order[ITEM_SEARCH_MAX_ORDER];
	FixedQuery *rows;			/* parameters: the key, items; returns all columns of texts with one of the items */
	FixedQuery *count;			/* parameters: the key, an item; returns about how many texts have it; or NULL */

	/* Is this row allowed in the result? */
	bool		(*passes) (struct ItemSearch *search, HeapTuple row, TupleDesc desc);

	/* Reads a text and its title. */
	void		(*read) (struct ItemSearch *search, HeapTuple row, TupleDesc desc, Span *text, Span *title);
} SearchedSet;

/* A text that was found. */
typedef struct ItemHit
{
	int			similarity;		/* out of SCORE_WHOLE */
	Span		order[ITEM_SEARCH_MAX_ORDER];
	HeapTuple	row;			/* of the table; see ItemSearch.desc */
} ItemHit;

/* A search: what the caller sets, the result, and private state. */
typedef struct ItemSearch
{
	const SearchedSet *set;
	const DecisionRules *rules;
	text	   *scope;			/* prefix of each item in the index, followed by a blank */
	Datum		key[ITEM_SEARCH_MAX_KEY];
	Datum		title;			/* bytea[]: items that the title must have; 0: none */
	FixedQuery *few;			/* replaces the index: returns rows with all columns; NULL: use the index */
	Datum	   *few_values;
	void	   *filter;			/* for "passes" */
	int			k;				/* maximum number of hits */

	int			nhits;			/* the best hits, best first */
	ItemHit    *hits;
	TupleDesc	desc;			/* of their rows; NULL if there are none */

	Span		question;
	SketchQuery sketch;
	Datum	   *terms;			/* index terms of the items of the question */
	int64	   *counts;
	TupleDesc	columns_of;		/* the descriptor for which these columns were looked up */
	int			sketch_column;
	int			key_columns[ITEM_SEARCH_MAX_KEY];
	MemoryContext context;		/* context in which hits are allocated */
} ItemSearch;

extern void ItemSearchRun(ItemSearch *search, Span question);
extern Datum RowColumn(HeapTuple row, TupleDesc desc, const char *name, bool *isnull);

#endif							/* ANSWER_EVAL_GROUND_ITEM_SEARCH_H */
