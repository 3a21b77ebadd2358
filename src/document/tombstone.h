/*-------------------------------------------------------------------------
 *
 * tombstone.h
 *		Erasure, and which changes of append-only tables it may make.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TOMBSTONE_H
#define ANSWER_EVAL_TOMBSTONE_H

#include "utils/jsonb.h"

#include "base/spi_query.h"

/*
 * Forgets evidence of one tenant by its digest, as answer_forget() does, for a function
 * that knows it by another name.  Errors name that function.  Returns NULL if there is
 * no such evidence any more.
 */
extern Jsonb *ForgetForTenant(const char *function, const text *tenant, const char *digest, text *reason);

/* Rows of an append-only table that may be deleted for a moment: those of a tenant with an id. */
typedef struct RowErasure
{
	FixedQuery *query;			/* deletes them: $1 is the tenant, $2 the id */
	const char *table;
	const char *column;			/* the column that holds the id */
} RowErasure;

/*
 * Queries that erase what a higher directory stores.  A directory leaves the queries of others NULL.  They run as
 * the owner of our tables.  $1 is a tenant; $2 is named for each.
 */
typedef struct EraseQueries
{
	FixedQuery *reading;		/* deletes a tenant's reading by its digest; returns the arguments of "series" */
	FixedQuery *series;			/* deletes a series (tenant, tool, digest of the arguments, source) that has no reading left */
	FixedQuery *reading_of_fact;	/* finds a reading's digest by tool, digest of the arguments, beginning of the digest, and tenants */
	const RowErasure *packets;	/* deletes log entries of a query; returns the content hashes */
	FixedQuery *remembered;		/* deletes what is remembered of a digest; returns whether there was anything */
	FixedQuery *remembered_of;	/* deletes what is remembered of a document, before the document is deleted */
	FixedQuery *pairs;			/* returns an array, or NULL: the pairs that were judged over the texts of a document */
	FixedQuery *judgements;		/* deletes those of an array of pairs; returns an array of their items on lists */
	FixedQuery *after_judgements;	/* corrects counts that rest on the deleted judgements of such an array */
	FixedQuery *versions;		/* locks the documents; returns an array of the digests of a document's versions */
	FixedQuery *copies;			/* deletes what unfinished work holds of a document with digests $3; returns an array
								 * of the sets of documents that have copies of it */
	FixedQuery *document;		/* deletes a document with digests $3, and its copies in the sets $4 */
} EraseQueries;

extern void RegisterEraseQueries(const EraseQueries *queries);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
