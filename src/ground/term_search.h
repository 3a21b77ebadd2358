/*-------------------------------------------------------------------------
 *
 * term_search.h
 *		The texts of a set that are most similar to a query, by text-score/1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_TERM_SEARCH_H
#define ANSWER_EVAL_GROUND_TERM_SEARCH_H

#include "access/htup.h"
#include "access/tupdesc.h"

#include "base/spi_query.h"
#include "ground/score.h"

#define TERM_SEARCH_MAX_HITS	1000
#define TERM_SEARCH_MAX_WORDS	256 /* of a query */
#define TERM_SEARCH_MAX_KEY		2
#define TERM_SEARCH_MAX_FILTERS	4

/* A text that was found, in the columns of "candidates". */
typedef struct TermHit
{
	int			similarity;		/* of SCORE_WHOLE */
	HeapTuple	row;
} TermHit;

/*
 * A search: what the caller says, what it is told, and what is nobody else's.
 * Each query has the key of the set for its first arguments.
 */
typedef struct TermSearch
{
	text	   *scope;			/* stands before each word in the indexes, and a blank behind it */
	int			nkey;
	Datum		key[TERM_SEARCH_MAX_KEY];
	FixedQuery *count_texts;	/* how many there are: int8 */
	FixedQuery *count_word;		/* a word, bytea: in how many of them it is: int8 */
	FixedQuery *near_words;		/* two arrays of trigrams, of which a word has one of the first and all of the second: bytea */
	FixedQuery *candidates;		/* an array of words, bytea[], and the filters: texts with one of them */
	int			norder;			/* how many columns of a candidate, from the first on, tell equals apart: text */
	int			words_column;	/* of its words, bytea[]; those of the title come next */
	int			nfilters;
	NullableDatum filters[TERM_SEARCH_MAX_FILTERS];
	int			k;				/* how many hits at most */

	int			nhits;			/* the best, the best one first */
	TermHit    *hits;
	TupleDesc	desc;			/* of their rows; NULL without any */

	ScoreQuery	query;
	int		   *order;			/* words of the query, the heaviest first */
	int		   *rank;			/* where a word is there */
	int			nterms;
	int			terms_allocated;
	struct SearchTerm *terms;	/* in order of their words, once all are there */
	int		   *text_credits;	/* of the candidate at hand, by word of the query */
	int		   *title_credits;
} TermSearch;

extern void TermSearchRun(TermSearch *search, Span text);

#endif							/* ANSWER_EVAL_GROUND_TERM_SEARCH_H */
