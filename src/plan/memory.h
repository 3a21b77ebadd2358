/*-------------------------------------------------------------------------
 *
 * memory.h
 *		Keeps what a tenant remembers: values by key, with what they rest on.
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

/* Holds what is stored under a key. */
typedef struct MemoryEntry
{
	bool		exists;			/* and lives; if not, the rest is empty */
	JsonView	value;
	JsonView	provenance;		/* an Evidence, with the verdict that the gate gave it */
	Span		ttl;
	TimestampTz written_at;
	TimestampTz expires_at;		/* gone from this instant on */
	Span		trace_id;
	Origin		origin;			/* the lesser of value and provenance */
} MemoryEntry;

/* Holds what is to be stored. */
typedef struct MemoryWriting
{
	Span		key;
	JsonView	value;
	JsonView	provenance;
	Span		ttl;			/* empty: TTL_DEFAULT */
	TimestampTz at;				/* evaluated_at of the plan */
	Span		trace_id;
	bool		is_of_trace;	/* does the kernel vouch that the provenance is an Evidence of the trace? */
	Origin		origin;			/* of value and provenance, as the kernel says */
} MemoryWriting;

/*
 * Both functions read or write for a tenant that the caller took before, as the owner
 * of the tables; what is read lies in the caller's memory. A read sees what lives at
 * an instant.
 */
extern void MemoryRead(const text *tenant, Span key, TimestampTz at, MemoryEntry *entry);

/*
 * The kernel's word for the step that it is about to call: what mesh.mem may rest
 * a write on.  It holds for calls of the handler in this backend until it is taken
 * back, which whoever gives it does also after an error.
 */
typedef struct MemoryGrant
{
	Span		trace_id;
	TimestampTz at;
	const JsonView *evidence;	/* that the step's provenance refers to, of this trace; NULL: none, so that writes are refused */
	Origin		origin;			/* of what the step would write */
} MemoryGrant;

/* Gives the grant; NULL takes it back. */
extern void MemoryGrantSet(const MemoryGrant *grant);

extern const EraseQueries memory_erasing;

#endif							/* ANSWER_EVAL_MEMORY_H */
