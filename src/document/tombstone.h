/*-------------------------------------------------------------------------
 *
 * tombstone.h
 *		Erasure, and what it may change in append-only tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOMBSTONE_H
#define ANSWER_EVAL_TOMBSTONE_H

#include "utils/jsonb.h"

#include "base/spi_query.h"

/*
 * Forgets evidence of one tenant by its digest, as answer_forget() does, for a
 * function that knows it by another name.  The function's name is for errors.  NULL
 * if there is none any more.
 */
extern Jsonb *ForgetForTenant(const char *function, const text *tenant, const char *digest, text *reason);

/* Rows of an append-only table that go for a moment: those of a tenant with an id. */
typedef struct RowErasure
{
	FixedQuery *query;			/* deletes them: $1 is the tenant, $2 the id */
	const char *table;
	const char *column;			/* that has the id */
} RowErasure;

/*
 * What a directory above stores that can be forgotten: its queries, of which those that are NULL are another's. They
 * run as the owner of our tables. $1 is a tenant and $2 what is said of each.
 */
typedef struct EraseQueries
{
	FixedQuery *reading;		/* deletes that with a digest; gives what the next one wants */
	FixedQuery *series;			/* deletes a series (tenant, tool, digest of the arguments, source) without a reading */
	FixedQuery *reading_of_fact;	/* the digest of that of a tool, the digest of the arguments, a beginning, and tenants */
	const RowErasure *packets;	/* what is logged of a query; gives the content hashes */
	FixedQuery *remembered;		/* deletes what is remembered of a digest; was there anything? */
	FixedQuery *remembered_of;	/* deletes what is remembered of a document, before that is gone */
	FixedQuery *pairs;			/* an array, or NULL: the pairs that were judged over the texts of a document */
	FixedQuery *judgements;		/* deletes those of an array of pairs; gives an array of what stands for them on lists */
	FixedQuery *after_judgements;	/* counts again what was counted by the judgements of such an array, which are gone */
	FixedQuery *versions;		/* locks the documents; gives an array of the digests of the versions of one */
	FixedQuery *copies;			/* deletes what unfinished work has of a document of such digests ($3); gives an array
								 * of the sets of documents that have copies of it */
	FixedQuery *document;		/* deletes a document of such digests ($3), with its copies in such sets ($4) */
} EraseQueries;

extern void RegisterEraseQueries(const EraseQueries *queries);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
