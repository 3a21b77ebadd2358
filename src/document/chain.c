/*-------------------------------------------------------------------------
 *
 * chain.c
 *		Events that are signed one by one and chained by their digests.
 *
 * Rule: doc/spec/plan.md §5 and §16.3.  An event has seq, from 1 without a gap;
 * prev, the digest of the whole event before it, or null; ts_start and ts_end; and
 * sig, a signature object over the rest.  All events of a chain have the same
 * plan_id, trace_id and tenant.
 *
 * Promises: pure, and never raises an error because of an event's content.  Like
 * verify.c it refuses a signature object with additional members, because nothing
 * protects those.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/option.h"
#include "base/rfc3339.h"
#include "document/chain.h"
#include "document/signed.h"
#include "document/verify.h"
#include "keys/ed25519.h"

static const CanonicalOmit sig_omit = {1, {"sig"}};

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

/*
 * Does an event follow the one before it, whose digest is "prev"? An empty digest means
 * that it is the first.
 */
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
		JsonView	of_first = JsonViewUnder(first, same[i]);
		JsonView	of_event = JsonViewUnder(event, same[i]);

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
	JsonView	first = JsonViewAt(events, 0);

	if (events->type != JVIEW_ARRAY)
		return "the events are no array";
	for (int i = 0; i < JsonViewCount(events); i++)
	{
		JsonView	event = JsonViewAt(events, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = EventProblem(&event, &first, i + 1, prev);
		if (problem)
			return problem;
		CanonicalDigest(&event, NULL, prev);
	}
	if (last)
		strlcpy(last, prev, DIGEST_TEXT_LENGTH + 1);
	return NULL;
}

void
MemberSign(JsonView *object, const SigningKey *key)
{
	StringInfoData text;
	char		signature[SIGNATURE_TEXT_LENGTH + 1];

	initStringInfo(&text);
	CanonicalWrite(&text, object, NULL);
	SigningKeySign(key, text.data, text.len, signature);
	pfree(text.data);
	JsonViewSet(object, "sig", SignatureView(key, signature));
}

const char *
MemberSignatureProblem(const JsonView *object, const char *what, const char *instant, const JsonView *keys)
{
	static const char *const members[] = {"alg", "key_id", "canonicalization", "sig", NULL};
	JsonView	signature;
	JsonView	view;
	Span		unknown;
	Span		key_id;
	Span		sig;
	TimestampTz signed_at;
	uint8		raw[ED25519_SIGNATURE_LENGTH];
	uint8		public_key[ED25519_KEY_LENGTH];
	StringInfoData text;
	const char *problem;
	bool		holds;

	if (object->type != JVIEW_OBJECT || !JsonViewGetMember(object, "sig", &signature) || signature.type != JVIEW_OBJECT)
		return "sig is missing";
	if (!JsonViewGetMember(&signature, "alg", &view) || !JsonViewStringIs(&view, SIGNATURE_ALG) ||
		!JsonViewGetMember(&signature, "canonicalization", &view) ||
		!JsonViewStringIs(&view, SIGNATURE_CANONICALIZATION) || !HasOnlyKeys(&signature, members, &unknown))
		return "sig is no signature object";
	if (!JsonViewGetString(&signature, "key_id", &key_id))
		return "key_id is missing";
	if (!JsonViewGetString(&signature, "sig", &sig) ||
		Base64UrlDecode(sig, raw, sizeof(raw)) != sizeof(raw))
		return "sig is not the base64url of 64 bytes";
	if (!InstantMember(object, instant, &signed_at))
		return psprintf("%s is missing or no instant", instant);
	problem = KeyProblemAt(keys, key_id, signed_at, public_key);
	if (problem)
		return problem;
	initStringInfo(&text);
	CanonicalWrite(&text, object, &sig_omit);
	holds = SignatureVerify(public_key, text.data, text.len, raw);
	pfree(text.data);
	return holds ? NULL : psprintf("the signature does not match the %s", what);
}

const char *
TraceSignatureProblem(const JsonView *event, const JsonView *keys)
{
	return MemberSignatureProblem(event, "event", "ts_end", keys);
}
