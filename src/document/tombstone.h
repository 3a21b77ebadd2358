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

/* What a directory above stores that can be forgotten: its queries, of which those that are NULL are another's. */
typedef struct EraseQueries
{
	FixedQuery *reading;		/* deletes that of a tenant ($1) with a digest; gives what the next one wants */
	FixedQuery *series;			/* deletes a series (tenant, tool, digest of the arguments, source) without a reading */
	FixedQuery *reading_of_fact;	/* the digest of that of a tool, the digest of the arguments, a beginning, and tenants */
	FixedQuery *packets;		/* deletes what is logged of a tenant's query; gives the content hashes */
	const char *urls;			/* an expression: those of the document $1 of the tenants $3 */
	const char *content_hashes; /* an expression: those of the document $1 of the tenant r.tenant */
} EraseQueries;

extern void RegisterEraseQueries(const EraseQueries *queries);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
