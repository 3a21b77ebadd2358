/*-------------------------------------------------------------------------
 *
 * trace.h
 *		Records what a plan did, event by event: a chain of digests, each event
 *		signed.
 *
 * An event is an object:
 *
 *	type			"step", "degradation" or "recovered"
 *	plan_id, trace_id, tenant?	whose it is; no tenant: the operator's
 *	seq				from 1, without a gap
 *	step			of a step the node's id; else "k", "depth", "summary",
 *					"refused" or "recovered"
 *	op, tool, attempt	of a step; tool is null for assert and branch, attempt
 *					is 1 to 3
 *	k				of a degradation: the greatest k after it, or null
 *	ts_start, ts_end	wall clock; the key was the active one at ts_end, when the
 *					event was signed
 *	inputs_hash		digest of the resolved, completed arguments; of a map, of the
 *					array of those of its calls; of assert and branch, of
 *					{"if", "bindings": {reference: value}}; null without any
 *	outputs_hash	digest of the whole result, or of the boolean; null without any
 *	outcome			of a step: "ok", "failed", "invalid", "denied",
 *					"rate_limited" or "refused" (invoke.h); "blocked" for a
 *					condition that does not hold, and for a step that was not called
 *					because it would rest on blocked evidence
 *	reason			one sentence, or null where all went well
 *	cost_usd, latency_ms	what was charged
 *	basis			of a step with a tool: "measured", where latency_ms is what the
 *					clock said, or "declared", where it is that or latency_p50_ms,
 *					whichever is more; in none that was made before calls were measured
 *	tokens_in, tokens_out
 *	citations		uris of what came out, each once
 *	by				of a step that the application answered: who
 *	prev			digest of the whole previous event, sig included; null in the
 *					first
 *	sig				the product's signature object, over the portable canonical
 *					form of the event without it
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TRACE_H
#define ANSWER_EVAL_TRACE_H

#include "datatype/timestamp.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "document/chain.h"
#include "document/tombstone.h"
#include "keys/keyring.h"

#define TRACE_ID_PREFIX		"t_"
#define TRACE_ID_LENGTH		(2 + 32)

/* Uris that one event lists, and the bytes of all of them. */
#define TRACE_MAX_CITATIONS			1000
#define TRACE_MAX_CITATIONS_SIZE	65536

typedef enum TraceEventType
{
	TRACE_STEP,
	TRACE_DEGRADATION,
	TRACE_RECOVERED
} TraceEventType;

/* One event on its way into a trace; what is absent, NULL or empty is null or not there. */
typedef struct TraceEvent
{
	TraceEventType type;
	Span		step;
	const char *op;
	Span		tool;
	int			attempt;
	int64		k;				/* 0: none */
	TimestampTz ts_start;
	JsonView	inputs;
	JsonView	outputs;
	const char *outcome;
	const char *reason;			/* in UTF-8 */
	Numeric		cost;			/* NULL: nothing, as the next */
	Numeric		latency;
	const char *basis;			/* or NULL */
	int64		tokens_in;
	int64		tokens_out;
	JsonView	citations;		/* an array, or absent */
	JsonView	by;				/* a string, or absent */
} TraceEvent;

/* An event that is signed and not stored yet. */
typedef struct HeldEvent
{
	Span		step;
	TimestampTz ts_end;
	Jsonb	   *event;
} HeldEvent;

/* Events that are held at most. */
#define TRACE_MAX_HELD		64

/* A trace that grows. */
typedef struct Trace
{
	text	   *tenant;
	Span		plan_id;
	char		id[TRACE_ID_LENGTH + 1];
	int			nevents;
	Size		size;			/* of the canonical forms of its events, about */
	char		last[DIGEST_TEXT_LENGTH + 1];	/* digest of the last event; empty: there is none */
	bool		holds;			/* are events held until TraceStore, which its transaction allows? */
	int			nheld;
	HeldEvent	held[TRACE_MAX_HELD];
} Trace;

/* Writes a new id that nobody can guess; writes TRACE_ID_LENGTH + 1 bytes. */
extern void TraceIdMake(char *id);

/* Has a text the form of one? */
extern bool IsTraceId(Span text);

/*
 * Returns the uris of a result: those of its hits and citations, and of what supports
 * or is related in its evidence, each once.
 */
extern JsonView TraceCitations(const JsonView *result);

/* Returns the digest of a value in portable form, as an event has it; null for an absent one. */
extern JsonView TraceDigest(const JsonView *value);

/*
 * Signs an event, stores it or holds it, and tells who listens, if that is wanted.
 * The instant was taken with the key: the event ends there.  Returns the event.
 * SPI must be connected.
 */
extern JsonView TraceAppend(Trace *trace, const TraceEvent *event, const SigningKey *key, TimestampTz at);

/* Stores the events that are held, in one statement. */
extern void TraceStore(Trace *trace);

/* Of the rows that go with the document of a plan: its events, and what its steps have remembered. */
extern const RowErasure trace_erasure;

#endif							/* ANSWER_EVAL_TRACE_H */
