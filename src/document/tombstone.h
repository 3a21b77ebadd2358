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

/* Queries that erase what a higher directory stores.  A directory leaves the queries of others NULL. */
typedef struct EraseQueries
{
	FixedQuery *reading;		/* deletes a tenant's reading by its digest; returns the arguments of "series" */
	FixedQuery *series;			/* deletes a series (tenant, tool, digest of the arguments, source) that has no reading left */
	FixedQuery *reading_of_fact;	/* finds a reading's digest by tool, digest of the arguments, beginning of the digest, and tenants */
	FixedQuery *packets;		/* deletes log entries of a tenant's query; returns the content hashes */
	const char *urls;			/* an expression: the URLs of the document $1 of the tenants $3 */
	const char *content_hashes; /* an expression: the content hashes of the document $1 of the tenant r.tenant */
} EraseQueries;

extern void RegisterEraseQueries(const EraseQueries *queries);

#endif							/* ANSWER_EVAL_TOMBSTONE_H */
