/*-------------------------------------------------------------------------
 *
 * memory.h
 *		The memory of a tenant: values by key, with the evidence that they rest on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MEMORY_H
#define ANSWER_EVAL_MEMORY_H

#include "datatype/timestamp.h"
#include "fmgr.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "document/tombstone.h"
#include "plan/origin.h"

#define MEMORY_MAX_KEY		1000	/* bytes of a key, in UTF-8 */

/* What is stored under a key. */
typedef struct MemoryEntry
{
	bool		exists;			/* and has not expired; if false, the rest is empty */
	JsonView	value;
	JsonView	provenance;		/* an Evidence, with the verdict of the gate */
	Span		ttl;
	TimestampTz written_at;
	TimestampTz expires_at;		/* the entry has expired from this instant on */
	Span		trace_id;
	Origin		origin;			/* of value and provenance together */
} MemoryEntry;

/* What is to be stored. */
typedef struct MemoryWriting
{
	Span		key;
	JsonView	value;
	JsonView	provenance;
	Span		ttl;			/* empty: TTL_DEFAULT */
	TimestampTz at;				/* evaluated_at of the plan */
	Span		trace_id;
	bool		is_of_trace;	/* does the kernel vouch that the provenance is an Evidence of the trace? */
	Origin		origin;			/* of value and provenance, as the kernel determined it */
} MemoryWriting;

/*
 * Reads the entry that lives at an instant, into the caller's memory context.  It
 * and the writing function work as the owner of the tables, for a tenant that the
 * caller has determined before.
 */
extern void MemoryRead(const text *tenant, Span key, TimestampTz at, MemoryEntry *entry);

/*
 * Permission for the step that the kernel is about to call: the evidence on which a
 * write by mesh.mem may rest.  It holds for calls of the handler in this backend
 * until it is taken back.  The caller takes it back after an error, too.
 */
typedef struct MemoryGrant
{
	Span		trace_id;
	TimestampTz at;
	const JsonView *evidence;	/* the Evidence of this trace that the step's provenance refers to; NULL: none, and
								 * writes are refused */
	Origin		origin;			/* of what the step would write */
} MemoryGrant;

/* Gives the grant; NULL takes it back. */
extern void MemoryGrantSet(const MemoryGrant *grant);

extern const EraseQueries memory_erasing;

/*
 * SQL, after "WITH gone AS (DELETE ... RETURNING m.key)": signs that the tenant $1 remembers nothing under these keys any
 * more, and returns whether there were any.
 */
#define MEMORY_RECORD_GONE \
	" SELECT pg_catalog.count(answer.memory_recorded($1, k.keys)) OPERATOR(pg_catalog.>) 0" \
	" FROM (SELECT pg_catalog.array_agg(g.key ORDER BY g.key) AS keys FROM gone g) AS k WHERE k.keys IS NOT NULL"

#endif							/* ANSWER_EVAL_MEMORY_H */
