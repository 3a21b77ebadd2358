/*-------------------------------------------------------------------------
 *
 * trace.c
 *		The trace of a plan: a hash chain of signed events.
 *
 * Rule: doc/spec/plan.md §16.2.  Stateful where it stores: events are stored as the
 * owner of our tables, in the transaction that finishes their step.
 *
 * Promises: only what the kernel did is signed.  Changing, removing, inserting or moving
 * an event breaks the chain or a signature, which document/chain.c detects.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/async.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "evidence/handler_settings.h"
#include "keys/ed25519.h"
#include "plan/memory.h"
#include "plan/trace.h"

#define NOTIFY_CHANNEL		"answer_trace"

/* Maximum bytes that a signature adds to the canonical form of an event. */
#define SIGNATURE_VIEW_SIZE	300

static const char *const type_labels[] = {"step", "degradation", "recovered"};

void
TraceIdMake(char *id)
{
	uint64		random[2] = {StrongBits(), StrongBits()};

	memcpy(id, TRACE_ID_PREFIX, 2);
	HexEncode((const uint8 *) random, sizeof(random), id + 2);
	id[TRACE_ID_LENGTH] = '\0';
}

bool
IsTraceId(Span text)
{
	if (text.len != TRACE_ID_LENGTH || memcmp(text.str, TRACE_ID_PREFIX, 2) != 0)
		return false;
	for (int i = 2; i < text.len; i++)
	{
		if (strchr("0123456789abcdef", text.str[i]) == NULL || text.str[i] == '\0')
			return false;
	}
	return true;
}

/*
 * citations
 */

/* Adds the strings under a key in the members of an array, each once. */
static void
AddUris(JsonView *uris, const JsonView *array, const char *key, int *size)
{
	if (array->type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element = JsonViewAt(array, i);
		JsonView	uri;
		JsonView	other;
		bool		is_known = false;

		CHECK_FOR_INTERRUPTS();
		if (element.type != JVIEW_OBJECT || !JsonViewGetMember(&element, key, &uri) ||
			uri.type != JVIEW_STRING || uri.len == 0)
			continue;
		for (int j = 0; j < JsonViewCount(uris) && !is_known; j++)
		{
			JsonViewElement(uris, j, &other);
			is_known = SpanEqual(SpanOf(other.str, other.len), SpanOf(uri.str, uri.len));
		}
		if (is_known || JsonViewCount(uris) >= TRACE_MAX_CITATIONS || uri.len > TRACE_MAX_CITATIONS_SIZE - *size)
			continue;
		*size += uri.len;
		JsonViewAppend(uris, uri);
	}
}

JsonView
TraceCitations(const JsonView *result)
{
	JsonView	uris = JsonViewNewArray(0);
	int			size = 0;

	if (result->type != JVIEW_OBJECT)
		return uris;
	for (int i = 0; i < JsonViewCount(result); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(result, i, &key);
		JsonView	array;

		AddUris(&uris, &value, "uri", &size);
		if (value.type == JVIEW_OBJECT && JsonViewGetMember(&value, "supports", &array))
			AddUris(&uris, &array, "source", &size);
		if (value.type == JVIEW_OBJECT && JsonViewGetMember(&value, "related", &array))
			AddUris(&uris, &array, "source", &size);
	}
	return uris;
}

/*
 * events
 */

JsonView
TraceDigest(const JsonView *value)
{
	char	   *digest;

	if (value->type == JVIEW_ABSENT)
		return JsonViewNull();
	digest = palloc(DIGEST_TEXT_LENGTH + 1);
	CanonicalDigestPortable(value, digest);
	return JsonViewCString(digest);
}

static JsonView
NumberOrZero(Numeric number)
{
	return number ? JsonViewOfNumeric(number) : JsonViewInteger(0);
}

static void
SetStepMembers(JsonView *view, const TraceEvent *event)
{
	JsonViewSet(view, "op", JsonViewCString(event->op));
	JsonViewSet(view, "tool", event->tool.len > 0 ? JsonViewString(event->tool.str, event->tool.len) : JsonViewNull());
	JsonViewSet(view, "attempt", JsonViewInteger(event->attempt));
	JsonViewSet(view, "outcome", JsonViewCString(event->outcome));
	if (event->by.type == JVIEW_STRING)
		JsonViewSet(view, "by", event->by);
	if (event->basis)
		JsonViewSet(view, "basis", JsonViewCString(event->basis));
}

/* Returns an event without its signature; its numbers are still to be made portable. */
static JsonView
EventView(const Trace *trace, const TraceEvent *event, TimestampTz at)
{
	JsonView	view = JsonViewNewObject(25);

	JsonViewSet(&view, "type", JsonViewCString(type_labels[event->type]));
	JsonViewSet(&view, "plan_id", JsonViewString(trace->plan_id.str, trace->plan_id.len));
	JsonViewSet(&view, "trace_id", JsonViewCString(trace->id));
	if (VARSIZE_ANY_EXHDR(trace->tenant) > 0)
		JsonViewSet(&view, "tenant", JsonViewCString(text_to_cstring(trace->tenant)));
	JsonViewSet(&view, "seq", JsonViewInteger(trace->nevents + 1));
	JsonViewSet(&view, "step", JsonViewString(event->step.str, event->step.len));
	if (event->type == TRACE_STEP)
		SetStepMembers(&view, event);
	if (event->type == TRACE_DEGRADATION)
		JsonViewSet(&view, "k", event->k > 0 ? JsonViewInteger(event->k) : JsonViewNull());
	JsonViewSet(&view, "ts_start", InstantView(Min(event->ts_start, at)));
	JsonViewSet(&view, "ts_end", InstantView(at));
	JsonViewSet(&view, "inputs_hash", TraceDigest(&event->inputs));
	JsonViewSet(&view, "outputs_hash", TraceDigest(&event->outputs));
	JsonViewSet(&view, "reason", event->reason ? JsonViewCString(event->reason) : JsonViewNull());
	JsonViewSet(&view, "cost_usd", NumberOrZero(event->cost));
	JsonViewSet(&view, "latency_ms", NumberOrZero(event->latency));
	JsonViewSet(&view, "tokens_in", JsonViewInteger(event->tokens_in));
	JsonViewSet(&view, "tokens_out", JsonViewInteger(event->tokens_out));
	JsonViewSet(&view, "citations", event->citations.type == JVIEW_ARRAY ? event->citations : JsonViewNewArray(0));
	JsonViewSet(&view, "prev", trace->last[0] ? JsonViewCString(pstrdup(trace->last)) : JsonViewNull());
	return view;
}

static void
SignEvent(JsonView *event, const SigningKey *key, Size *size)
{
	StringInfoData text;
	char		signature[SIGNATURE_TEXT_LENGTH + 1];

	initStringInfo(&text);
	CanonicalWritePortable(&text, event);
	SigningKeySign(key, text.data, text.len, signature);
	*size += text.len + SIGNATURE_VIEW_SIZE;
	pfree(text.data);
	JsonViewSet(event, "sig", SignatureView(key, signature));
}

void
TraceStore(Trace *trace)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_event (tenant, trace_id, seq, plan_id, step, ts_end, event)"
		" SELECT $1, $2, $3 OPERATOR(pg_catalog.+) e.n::pg_catalog.int4, $4, e.step, e.ts_end, e.event"
		" FROM ROWS FROM (pg_catalog.unnest($5), pg_catalog.unnest($6), pg_catalog.unnest($7))"
		" WITH ORDINALITY e (step, ts_end, event, n)",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, TEXTOID, TEXTARRAYOID, TIMESTAMPTZARRAYOID, JSONBARRAYOID}
	};
	int			count = trace->nheld;
	Datum		steps[TRACE_MAX_HELD];
	Datum		ends[TRACE_MAX_HELD];
	Datum		events[TRACE_MAX_HELD];
	Datum		values[7];

	if (count == 0)
		return;
	for (int i = 0; i < count; i++)
	{
		steps[i] = SpanDatum(trace->held[i].step);
		ends[i] = TimestampTzGetDatum(trace->held[i].ts_end);
		events[i] = JsonbPGetDatum(trace->held[i].event);
	}
	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = Int32GetDatum(trace->nevents - count);
	values[3] = SpanDatum(trace->plan_id);
	values[4] = QueryTextArray(steps, count);
	values[5] = PointerGetDatum(construct_array(ends, count, TIMESTAMPTZOID, sizeof(TimestampTz), FLOAT8PASSBYVAL,
												TYPALIGN_DOUBLE));
	values[6] = PointerGetDatum(construct_array(events, count, JSONBOID, -1, false, TYPALIGN_INT));
	QueryRunForOurselves(&insert, values, NULL);
	trace->nheld = 0;
}

/* Notifies listeners. Listening needs no privileges, so only a digest is sent. */
static void
NotifyListeners(const Trace *trace)
{
	char		digest[2 * SHA256_LENGTH + 1];
	uint8		sha256[SHA256_LENGTH];

	if (!answer_eval_notify)
		return;
	Sha256(trace->id, strlen(trace->id), sha256);
	HexEncode(sha256, SHA256_LENGTH, digest);
	digest[2 * SHA256_LENGTH] = '\0';
	Async_Notify(NOTIFY_CHANNEL, psprintf(DIGEST_PREFIX "%s %d", digest, trace->nevents));
}

JsonView
TraceAppend(Trace *trace, const TraceEvent *event, const SigningKey *key, TimestampTz at)
{
	JsonView	view = EventView(trace, event, at);
	Jsonb	   *stored;

	SignEvent(&view, key, &trace->size);
	stored = JsonViewToJsonb(&view, true);
	JsonViewOfJsonb(stored, &view);
	CanonicalDigest(&view, NULL, trace->last);
	trace->nevents++;
	trace->held[trace->nheld++] = (HeldEvent) {event->step, at, stored};
	if (!trace->holds || trace->nheld == TRACE_MAX_HELD)
		TraceStore(trace);
	NotifyListeners(trace);
	return view;
}

/* Deletes the events, and what the steps have remembered. */
static FixedQuery erase_trace = {
	.text = "WITH event AS (DELETE FROM answer.plan_event e WHERE e.tenant OPERATOR(pg_catalog.=) $1"
	"  AND e.trace_id OPERATOR(pg_catalog.=) $2),"
	" gone AS (DELETE FROM answer.memory_entry m WHERE m.tenant OPERATOR(pg_catalog.=) $1"
	"  AND m.trace_id OPERATOR(pg_catalog.=) $2 RETURNING m.key)" MEMORY_RECORD_GONE,
	.argtypes = {TEXTOID, TEXTOID}
};

const RowErasure trace_erasure = {.query = &erase_trace,.table = "plan_event",.column = "trace_id"};
