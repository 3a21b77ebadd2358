/*-------------------------------------------------------------------------
 *
 * item_search.h
 *		The texts of a set that are most similar to a question, by text-score/2.
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
 * Says where the texts are. A table has the columns "items" and "title_items", both
 * bytea[], which the index has, and "sketch"; the columns of its key are text.
 */
typedef struct SearchedSet
{
	const char *table;			/* of the schema answer */
	const char *index;			/* of GIN, on items and title_items */
	int			nkey;
	const char *key[ITEM_SEARCH_MAX_KEY];
	int			norder;			/* the columns that tell equals apart: text */
	const char *order[ITEM_SEARCH_MAX_ORDER];
	FixedQuery *rows;			/* all columns: the key, an array of items, of which a text has one at least */
	FixedQuery *count;			/* the key, an item: about how many texts have it; NULL: nobody knows */

	/* May the row of a text be found? */
	bool		(*passes) (struct ItemSearch *search, HeapTuple row, TupleDesc desc);

	/* Reads a text and its title. */
	void		(*read) (struct ItemSearch *search, HeapTuple row, TupleDesc desc, Span *text, Span *title);
} SearchedSet;

/* A text that was found. */
typedef struct ItemHit
{
	int			similarity;		/* of SCORE_WHOLE */
	Span		order[ITEM_SEARCH_MAX_ORDER];
	HeapTuple	row;			/* of the table; see ItemSearch.desc */
} ItemHit;

/* A search: what the caller says, what it is told, and what is nobody else's. */
typedef struct ItemSearch
{
	const SearchedSet *set;
	const DecisionRules *rules;
	text	   *scope;			/* stands before each item in the index, and a blank behind it */
	Datum		key[ITEM_SEARCH_MAX_KEY];
	Datum		title;			/* bytea[]: items that the title must have; 0: none */
	FixedQuery *few;			/* in place of the index: rows with all columns, by "few_values"; NULL: the index */
	Datum	   *few_values;
	void	   *filter;			/* for "passes" */
	int			k;				/* how many hits at most */

	int			nhits;			/* the best, the best one first */
	ItemHit    *hits;
	TupleDesc	desc;			/* of their rows; NULL without any */

	Span		question;
	SketchQuery sketch;
	Datum	   *terms;			/* of the items of the question in the index */
	int64	   *counts;
	TupleDesc	columns_of;		/* of which these are columns */
	int			sketch_column;
	int			key_columns[ITEM_SEARCH_MAX_KEY];
	MemoryContext context;		/* in which hits last */
} ItemSearch;

extern void ItemSearchRun(ItemSearch *search, Span question);
extern Datum RowColumn(HeapTuple row, TupleDesc desc, const char *name, bool *isnull);

#endif							/* ANSWER_EVAL_GROUND_ITEM_SEARCH_H */
