/*-------------------------------------------------------------------------
 *
 * chunk_search.h
 *		Finds the chunks of a tenant that are most similar to a query.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHUNK_SEARCH_H
#define ANSWER_EVAL_CHUNK_SEARCH_H

#include "fmgr.h"
#include "utils/jsonb.h"

/* The parts of a filter as query parameters; a part that the filter lacks is null. */
#define FILTER_DOC_IDS	0		/* text[] */
#define FILTER_SINCE	1		/* timestamptz */
#define FILTER_UNTIL	2		/* timestamptz */
#define FILTER_TITLE	3		/* bytea[] of index terms */
#define FILTER_PARTS	4

extern void FilterRead(Jsonb *filter, const text *tenant, NullableDatum *parts);

#endif							/* ANSWER_EVAL_CHUNK_SEARCH_H */
