/*-------------------------------------------------------------------------
 *
 * trace.h
 *		The trace of a plan: a hash chain of signed events.
 *
 * An event is an object:
 *
 *	type			"step", "degradation" or "recovered"
 *	plan_id, trace_id, tenant?	the operator's events have no tenant
 *	seq				from 1, without a gap
 *	step			the node's id for a step; else "k", "depth", "summary",
 *					"refused" or "recovered"
 *	op, tool, attempt	for a step; tool is null for assert and branch, attempt
 *					is 1 to 3
 *	k				for a degradation: the greatest k after it, or null
 *	ts_start, ts_end	wall clock; the key was the active one at ts_end, when the
 *					event was signed
 *	inputs_hash		digest of the resolved, completed arguments; for a map, of the
 *					array of the arguments of its calls; for assert and branch, of
 *					{"if", "bindings": {reference: value}}; null without inputs
 *	outputs_hash	digest of the whole result, or of the boolean; null without one
 *	outcome			for a step: "ok", "failed", "invalid", "denied",
 *					"rate_limited" or "refused" (invoke.h); "blocked" for a
 *					condition that does not hold, and for a step that was not called
 *					because it would rest on blocked evidence
 *	reason			one sentence, or null if all went well
 *	cost_usd, latency_ms	the charge
 *	basis			for a step with a tool: "measured" if latency_ms is what the clock
 *					said, "declared" if it is the greater of that and latency_p50_ms;
 *					missing from before calls were measured
 *	tokens_in, tokens_out
 *	citations		uris in the outputs, each once
 *	by				for a step that the application answered: who
 *	prev			digest of the whole previous event with its sig; null in the
 *					first
 *	sig				signature object of the document format, over the portable
 *					canonical form of the event without it
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

/* Maximum number of uris in one event, and of their bytes together. */
#define TRACE_MAX_CITATIONS			1000
#define TRACE_MAX_CITATIONS_SIZE	65536

typedef enum TraceEventType
{
	TRACE_STEP,
	TRACE_DEGRADATION,
	TRACE_RECOVERED
} TraceEventType;

/* An event to be added to a trace. An absent, NULL or empty member becomes null or is left out. */
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
	Numeric		cost;			/* NULL: nothing, also latency */
	Numeric		latency;
	const char *basis;			/* or NULL */
	int64		tokens_in;
	int64		tokens_out;
	JsonView	citations;		/* an array, or absent */
	JsonView	by;				/* a string, or absent */
} TraceEvent;

/* A signed event that is not stored yet. */
typedef struct HeldEvent
{
	Span		step;
	TimestampTz ts_end;
	Jsonb	   *event;
} HeldEvent;

/* Maximum number of such events. */
#define TRACE_MAX_HELD		64

/* A trace to which events are added. */
typedef struct Trace
{
	text	   *tenant;
	Span		plan_id;
	char		id[TRACE_ID_LENGTH + 1];
	int			nevents;
	Size		size;			/* approximate bytes of the canonical forms of its events */
	char		last[DIGEST_TEXT_LENGTH + 1];	/* digest of the last event; empty: none yet */
	bool		holds;			/* are events held back until TraceStore? possible within one transaction */
	int			nheld;
	HeldEvent	held[TRACE_MAX_HELD];
} Trace;

/* Writes a new unguessable id, TRACE_ID_LENGTH + 1 bytes. */
extern void TraceIdMake(char *id);

/* Does a text have the form of such an id? */
extern bool IsTraceId(Span text);

/*
 * Returns the uris in a result, each once: those of its hits and citations, and of
 * the supporting and related entries of its evidence.
 */
extern JsonView TraceCitations(const JsonView *result);

/* Returns the digest of the portable form of a value, as in an event; null for an absent value. */
extern JsonView TraceDigest(const JsonView *value);

/*
 * Signs an event, stores it or holds it back, and notifies listeners if that is
 * enabled. "at" was taken with the key, and is the end of the event.  Returns the
 * event.  SPI must be connected.
 */
extern JsonView TraceAppend(Trace *trace, const TraceEvent *event, const SigningKey *key, TimestampTz at);

/* Stores the events that are held back, in one statement. */
extern void TraceStore(Trace *trace);

/* Of the rows that go with the document of a plan: its events, and what its steps have remembered. */
extern const RowErasure trace_erasure;

#endif							/* ANSWER_EVAL_TRACE_H */
