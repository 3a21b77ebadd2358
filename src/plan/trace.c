/*-------------------------------------------------------------------------
 *
 * trace.c
 *		What a plan did, event by event: a chain of digests, each event signed.
 *
 * Rule: "Traces, memory, replay" of the contract of plans; trace.h has the form
 * of an event.  Stateful at its edge: events are stored as the owner of our
 * tables, in the transaction in which their step is finished.
 *
 * Promises: only what the kernel did is signed; an event that was changed, left
 * out, put in or moved breaks the chain or a signature; reading looks at the
 * events and the keys alone, and never raises over what an event holds.
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

#include "base/base64.h"
#include "base/funcargs.h"
#include "base/option.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/signed.h"
#include "document/verify.h"
#include "keys/ed25519.h"
#include "plan/trace.h"

#define NOTIFY_CHANNEL		"answer_trace"

static const char *const type_labels[] = {"step", "degradation", "recovered"};

static const CanonicalOmit sig_omit = {1, {"sig"}};

void
TraceIdMake(char *id)
{
	uint8		random[16];

	if (!pg_strong_random(random, sizeof(random)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random id for a trace")));
	memcpy(id, TRACE_ID_PREFIX, 2);
	HexEncode(random, sizeof(random), id + 2);
	id[TRACE_ID_LENGTH] = '\0';
}

/*
 * citations
 */

/* Adds the strings that the members of an array have under a key, each once. */
static void
AddUris(JsonView *uris, const JsonView *array, const char *key)
{
	if (array->type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element;
		JsonView	uri;
		JsonView	other;
		bool		is_known = false;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(array, i, &element);
		if (element.type != JVIEW_OBJECT || !JsonViewGetMember(&element, key, &uri) ||
			uri.type != JVIEW_STRING || uri.len == 0)
			continue;
		for (int j = 0; j < JsonViewCount(uris) && !is_known; j++)
		{
			JsonViewElement(uris, j, &other);
			is_known = SpanEqual(SpanOf(other.str, other.len), SpanOf(uri.str, uri.len));
		}
		if (!is_known && JsonViewCount(uris) < TRACE_MAX_CITATIONS)
			JsonViewAppend(uris, uri);
	}
}

JsonView
TraceCitations(const JsonView *result)
{
	JsonView	uris = JsonViewNewArray(0);

	if (result->type != JVIEW_OBJECT)
		return uris;
	for (int i = 0; i < JsonViewCount(result); i++)
	{
		const char *key;
		int			keylen;
		JsonView	value;
		JsonView	array;

		JsonViewMember(result, i, &key, &keylen, &value);
		AddUris(&uris, &value, "uri");
		if (value.type == JVIEW_OBJECT && JsonViewGetMember(&value, "supports", &array))
			AddUris(&uris, &array, "source");
		if (value.type == JVIEW_OBJECT && JsonViewGetMember(&value, "related", &array))
			AddUris(&uris, &array, "source");
	}
	return uris;
}

/*
 * events
 */

static JsonView
InstantString(TimestampTz instant)
{
	char	   *text = palloc(INSTANT_SIZE);

	InstantFormat(instant, text);
	return JsonViewCString(text);
}

static JsonView
DigestString(const JsonView *value)
{
	char	   *digest;
	JsonView	portable;

	if (value->type == JVIEW_ABSENT)
		return JsonViewNull();
	digest = palloc(DIGEST_TEXT_LENGTH + 1);
	JsonViewOfJsonb(JsonViewToJsonb(value, true), &portable);
	CanonicalDigest(&portable, NULL, digest);
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
}

/* An event without its signature, in portable form. */
static JsonView
EventView(const Trace *trace, const TraceEvent *event)
{
	JsonView	view = JsonViewNewObject(24);
	JsonView	portable;

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
	JsonViewSet(&view, "ts_start", InstantString(event->ts_start));
	JsonViewSet(&view, "ts_end", InstantString(Max(event->ts_start, event->ts_end)));
	JsonViewSet(&view, "inputs_hash", DigestString(&event->inputs));
	JsonViewSet(&view, "outputs_hash", DigestString(&event->outputs));
	JsonViewSet(&view, "reason", event->reason ? JsonViewCString(event->reason) : JsonViewNull());
	JsonViewSet(&view, "cost_usd", NumberOrZero(event->cost));
	JsonViewSet(&view, "latency_ms", NumberOrZero(event->latency));
	JsonViewSet(&view, "tokens_in", JsonViewInteger(event->tokens_in));
	JsonViewSet(&view, "tokens_out", JsonViewInteger(event->tokens_out));
	JsonViewSet(&view, "citations", event->citations.type == JVIEW_ARRAY ? event->citations : JsonViewNewArray(0));
	JsonViewSet(&view, "prev", trace->last[0] ? JsonViewCString(pstrdup(trace->last)) : JsonViewNull());
	JsonViewOfJsonb(JsonViewToJsonb(&view, true), &portable);
	return portable;
}

/* A copy of an object that can be added to. */
static JsonView
WithMember(const JsonView *object, const char *name, JsonView value)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(object, &count);
	JsonView	copy = JsonViewNewObject(count + 1);

	for (int i = 0; i < count; i++)
		JsonViewSetKey(&copy, members[i].key, members[i].keylen, members[i].value);
	JsonViewSet(&copy, name, value);
	return copy;
}

static JsonView
SignEvent(const JsonView *event, const SigningKey *key)
{
	StringInfoData text;
	char		signature[SIGNATURE_TEXT_LENGTH + 1];

	initStringInfo(&text);
	CanonicalWrite(&text, event, NULL);
	SigningKeySign(key, text.data, text.len, signature);
	pfree(text.data);
	return WithMember(event, "sig", SignatureView(key, signature));
}

static void
StoreEvent(const Trace *trace, const TraceEvent *event, Jsonb *stored)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.plan_event (tenant, trace_id, seq, plan_id, step, ts_end, event)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7)",
		.nargs = 7,
		.argtypes = {TEXTOID, TEXTOID, INT4OID, TEXTOID, TEXTOID, TIMESTAMPTZOID, JSONBOID}
	};
	Datum		values[7];

	values[0] = PointerGetDatum(trace->tenant);
	values[1] = CStringGetTextDatum(trace->id);
	values[2] = Int32GetDatum(trace->nevents);
	values[3] = SpanDatum(trace->plan_id);
	values[4] = SpanDatum(event->step);
	values[5] = TimestampTzGetDatum(Max(event->ts_start, event->ts_end));
	values[6] = JsonbPGetDatum(stored);
	QueryRunAsOwner(&insert, values, NULL, false, 0);
}

/* Who listens has no privileges, so a digest is all that he learns. */
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
TraceAppend(Trace *trace, const TraceEvent *event, const SigningKey *key)
{
	JsonView	bare = EventView(trace, event);
	JsonView	view = SignEvent(&bare, key);
	Jsonb	   *stored = JsonViewToJsonb(&view, false);

	JsonViewOfJsonb(stored, &view);
	CanonicalDigest(&view, NULL, trace->last);
	trace->nevents++;
	StoreEvent(trace, event, stored);
	NotifyListeners(trace);
	return view;
}

/*
 * reading
 */

static bool
MemberIs(const JsonView *object, const char *name, const JsonView *value)
{
	JsonView	member;

	return JsonViewGetMember(object, name, &member) && ReportIsSame(&member, value);
}

static bool
InstantMember(const JsonView *object, const char *name, TimestampTz *instant)
{
	JsonView	member;

	return JsonViewGetMember(object, name, &member) && InstantOfView(&member, instant);
}

/* Is an event what follows the one before it, whose digest is given?  Empty: it is the first. */
static const char *
EventProblem(const JsonView *event, const JsonView *first, int seq, const char *prev)
{
	JsonView	member;
	TimestampTz start;
	TimestampTz end;
	int64		number;
	JsonView	expected = prev[0] ? JsonViewCString(prev) : JsonViewNull();
	static const char *const same[] = {"plan_id", "trace_id", "tenant"};

	if (event->type != JVIEW_OBJECT)
		return psprintf("event %d is no object", seq);
	if (!JsonViewGetMember(event, "seq", &member) || !NumberIntegerBetween(&member, seq, seq, &number))
		return psprintf("event %d has another seq", seq);
	for (size_t i = 0; i < lengthof(same); i++)
	{
		JsonView	of_first = {.type = JVIEW_ABSENT};
		JsonView	of_event = {.type = JVIEW_ABSENT};

		(void) JsonViewGetMember(first, same[i], &of_first);
		(void) JsonViewGetMember(event, same[i], &of_event);
		if (!ReportIsSame(&of_event, &of_first))
			return psprintf("event %d has another %s than the first one", seq, same[i]);
	}
	if (!InstantMember(event, "ts_start", &start) || !InstantMember(event, "ts_end", &end) || end < start)
		return psprintf("event %d ends before it starts", seq);
	if (!MemberIs(event, "prev", &expected))
		return psprintf("prev of event %d is not the digest of the event before it", seq);
	return NULL;
}

const char *
TraceChainProblem(const JsonView *events, char *last)
{
	char		prev[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	first;

	if (events->type != JVIEW_ARRAY)
		return "the events are no array";
	JsonViewElement(events, 0, &first);
	for (int i = 0; i < JsonViewCount(events); i++)
	{
		JsonView	event;
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(events, i, &event);
		problem = EventProblem(&event, &first, i + 1, prev);
		if (problem)
			return problem;
		CanonicalDigest(&event, NULL, prev);
	}
	if (last)
		strlcpy(last, prev, DIGEST_TEXT_LENGTH + 1);
	return NULL;
}

const char *
TraceSignatureProblem(const JsonView *event, const JsonView *keys)
{
	static const char *const members[] = {"alg", "key_id", "canonicalization", "sig", NULL};
	JsonView	signature;
	JsonView	view;
	Span		unknown;
	Span		key_id;
	Span		sig;
	TimestampTz ts_end;
	uint8		raw[ED25519_SIGNATURE_LENGTH];
	uint8		public_key[ED25519_KEY_LENGTH];
	StringInfoData text;
	const char *problem;
	bool		holds;

	if (event->type != JVIEW_OBJECT || !JsonViewGetMember(event, "sig", &signature) || signature.type != JVIEW_OBJECT)
		return "sig is missing";
	if (!JsonViewGetMember(&signature, "alg", &view) || !JsonViewStringIs(&view, SIGNATURE_ALG) ||
		!JsonViewGetMember(&signature, "canonicalization", &view) ||
		!JsonViewStringIs(&view, SIGNATURE_CANONICALIZATION) || !HasOnlyKeys(&signature, members, &unknown))
		return "sig is no signature object";
	if (!JsonViewGetString(&signature, "key_id", &key_id.str, &key_id.len))
		return "key_id is missing";
	if (!JsonViewGetString(&signature, "sig", &sig.str, &sig.len) ||
		Base64UrlDecode(sig, raw, sizeof(raw)) != sizeof(raw))
		return "sig is not the base64url of 64 bytes";
	if (!InstantMember(event, "ts_end", &ts_end))
		return "ts_end is missing or no instant";
	problem = KeyProblemAt(keys, key_id, ts_end, public_key);
	if (problem)
		return problem;
	initStringInfo(&text);
	CanonicalWrite(&text, event, &sig_omit);
	holds = SignatureVerify(public_key, text.data, text.len, raw);
	pfree(text.data);
	return holds ? NULL : "the signature does not match the event";
}
