/*-------------------------------------------------------------------------
 *
 * anchor.c
 *		Anchors: what a time-stamp over a receipt proves.
 *
 * An anchor is a time-stamping authority's statement that a receipt's digest
 * existed at an instant.  Rule: doc/spec/document.md §5.6; the message imprint
 * is the SHA-256 over the canonical receipt, with its signature and without
 * its anchor. rfc3161.c examines the tokens themselves; this file does not use
 * OpenSSL.
 *
 * Promises: examining an anchor never raises an error because of the receipt,
 * the token or the certificates; it reports what is wrong. attach.c has
 * requests and attached tokens.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/base64.h"
#include "base/option.h"
#include "base/rfc3339.h"
#include "document/anchor.h"
#include "document/signed.h"

#define ANCHOR_HASH_ALG		"sha256"

const char *const anchor_outcome_labels[] = {"absent", "mismatch", "declared", "verified"};

/*
 * examining
 */

/*
 * Gives the digest that is anchored.  If a receipt was forgotten, its tombstone has the
 * digest.
 */
bool
AnchoredDigest(const JsonView *receipt, uint8 *sha256, bool *forgotten)
{
	JsonView	schema;
	JsonView	digest;

	*forgotten = JsonViewGetMember(receipt, "schema", &schema) &&
		JsonViewStringIs(&schema, TOMBSTONE_SCHEMA);
	if (!*forgotten)
	{
		ReceiptDigest(receipt, sha256);
		return true;
	}
	if (!JsonViewGetMember(receipt, "digest", &digest) || digest.type != JVIEW_STRING ||
		!IsDigestText(digest.str, digest.len))
		return false;
	hex_decode(digest.str + 7, 2 * SHA256_LENGTH, (char *) sha256);
	return true;
}

/* Decodes the members of an anchor; returns what is wrong with them, or NULL. */
static const char *
ReadAnchor(const JsonView *anchor, const uint8 *sha256, uint8 **token, int *len)
{
	static const char *const members[] = {"token", "imprint", "hash_alg", "attached_at", NULL};
	char		hex[2 * SHA256_LENGTH + 1];
	JsonView	view;
	Span		text;
	TimestampTz attached_at;

	if (anchor->type != JVIEW_OBJECT)
		return "the anchor is no object";
	if (!HasOnlyKeys(anchor, members, &text))
		return "the anchor has an unknown member";
	if (!JsonViewGetMember(anchor, "hash_alg", &view) || !JsonViewStringIs(&view, ANCHOR_HASH_ALG))
		return "the anchor's hash_alg is not sha256";
	HexEncode(sha256, SHA256_LENGTH, hex);
	hex[2 * SHA256_LENGTH] = '\0';
	if (!JsonViewGetMember(anchor, "imprint", &view) || !JsonViewStringIs(&view, hex))
		return "the anchor's imprint is not that of this receipt";
	if (!JsonViewGetMember(anchor, "attached_at", &view) || !InstantOfView(&view, &attached_at))
		return "the anchor's attached_at is no instant";
	if (!JsonViewGetString(anchor, "token", &text))
		return "the anchor has no token";
	if (text.len >= BASE64_SIZE(TOKEN_MAX_SIZE))
		return "the token is too large";
	*token = palloc(text.len + 1);
	*len = Base64Decode(text, *token, text.len);
	return *len > 0 ? NULL : "the anchor's token is not base64";
}

/* Returns the reason of the first step that fails, in the order in which they are reported. */
const char *
TokenFirstFailure(const TokenReport *token)
{
	const TokenStep *const steps[] = {&token->imprint, &token->nonce, &token->signature,
	&token->eku, &token->chain, &token->policy, &token->accuracy};

	if (token->problem)
		return token->problem;
	for (size_t i = 0; i < lengthof(steps); i++)
	{
		if (steps[i]->finding == TOKEN_FAILS)
			return steps[i]->reason;
	}
	return NULL;
}

/*
 * Examines the anchor of a receipt, which is a JSON object.  If there is none, this is
 * only a look-up.
 */
void
AnchorExamine(const JsonView *receipt, const TokenTerms *terms, AnchorReport *report)
{
	JsonView	anchor;
	uint8		sha256[SHA256_LENGTH];
	uint8	   *token;
	int			len;

	report->outcome = ANCHOR_ABSENT;
	report->reason = NULL;
	report->has_token = false;
	if (!JsonViewGetMember(receipt, "anchor", &anchor))
		return;
	report->outcome = ANCHOR_MISMATCH;
	if (!AnchoredDigest(receipt, sha256, &report->forgotten))
	{
		report->reason = "the tombstone has no digest";
		return;
	}
	report->reason = ReadAnchor(&anchor, sha256, &token, &len);
	if (report->reason)
		return;
	CHECK_FOR_INTERRUPTS();
	report->has_token = true;
	TokenExamine(token, len, sha256, terms, &report->token);
	pfree(token);
	CHECK_FOR_INTERRUPTS();
	report->reason = TokenFirstFailure(&report->token);
	if (report->reason == NULL)
		report->outcome = terms->roots ? ANCHOR_VERIFIED : ANCHOR_DECLARED;
}

/* Makes the anchor object of a receipt. */
JsonView
AnchorView(const uint8 *token, int len, const uint8 *imprint, TimestampTz attached_at)
{
	JsonView	view = JsonViewNewObject(4);
	char	   *base64 = palloc(BASE64_SIZE(len));
	char	   *hex = palloc(2 * SHA256_LENGTH);

	Base64Encode(token, len, base64);
	HexEncode(imprint, SHA256_LENGTH, hex);
	JsonViewSet(&view, "token", JsonViewCString(base64));
	JsonViewSet(&view, "imprint", JsonViewString(hex, 2 * SHA256_LENGTH));
	JsonViewSet(&view, "hash_alg", JsonViewCString(ANCHOR_HASH_ALG));
	JsonViewSet(&view, "attached_at", InstantView(attached_at));
	return view;
}

/*
 * the report
 */

static JsonView
StepView(const TokenStep *step)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "ok", step->finding == TOKEN_UNCHECKED ? JsonViewNull() :
				JsonViewBool(step->finding == TOKEN_HOLDS));
	if (step->reason)
		JsonViewSet(&view, "reason", JsonViewCString(step->reason));
	return view;
}

static void
SetText(JsonView *object, const char *key, const char *text)
{
	JsonViewSet(object, key, text[0] ? JsonViewCString(text) : JsonViewNull());
}

static const char *
NonceState(const TokenReport *token, const TokenTerms *terms)
{
	if (terms->nonce == NULL)
		return "unasked";
	if (token->nonce_text[0] == '\0')
		return "absent";
	return token->nonce.finding == TOKEN_HOLDS ? "matches" : "differs";
}

static JsonView
StepsView(const AnchorReport *report, const TokenTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	steps = JsonViewNewObject(7);
	JsonView	step;

	step = StepView(&token->imprint);
	if (report->forgotten)
		JsonViewSet(&step, "forgotten", JsonViewBool(true));
	JsonViewSet(&steps, "imprint", step);

	step = StepView(&token->nonce);
	JsonViewSet(&step, "state", JsonViewCString(NonceState(token, terms)));
	SetText(&step, "nonce", token->nonce_text);
	JsonViewSet(&steps, "nonce", step);

	step = StepView(&token->signature);
	JsonViewSet(&step, "state", JsonViewCString(token->signature.finding == TOKEN_UNCHECKED ?
												"unchecked" : "checked"));
	SetText(&step, "signer", token->signer);
	SetText(&step, "digest_alg", token->digest_alg);
	JsonViewSet(&steps, "signature", step);

	JsonViewSet(&steps, "eku", StepView(&token->eku));

	step = StepView(&token->chain);
	JsonViewSet(&step, "at", InstantViewOrNull(token->chain_at));
	JsonViewSet(&steps, "chain", step);

	step = StepView(&token->policy);
	JsonViewSet(&step, "state", JsonViewCString(terms->policy == NULL ? "unasked" :
												token->policy.finding == TOKEN_HOLDS ?
												"matches" : "differs"));
	JsonViewSet(&steps, "policy", step);

	step = StepView(&token->accuracy);
	JsonViewSet(&step, "state", JsonViewCString(token->has_accuracy ||
												token->accuracy.finding == TOKEN_FAILS ?
												"stated" : "absent"));
	JsonViewSet(&steps, "accuracy", step);
	return steps;
}

static JsonView
AccuracyView(const TokenReport *token)
{
	JsonView	view;

	if (!token->has_accuracy)
		return JsonViewNull();
	view = JsonViewNewObject(3);
	JsonViewSet(&view, "seconds", JsonViewInteger(token->seconds));
	JsonViewSet(&view, "millis", JsonViewInteger(token->millis));
	JsonViewSet(&view, "micros", JsonViewInteger(token->micros));
	return view;
}

/* The report borrows its texts from what it reports. */
JsonView
AnchorReportView(const AnchorReport *report, const TokenTerms *terms)
{
	const TokenReport *token = &report->token;
	JsonView	view = JsonViewNewObject(11);

	JsonViewSet(&view, "outcome", JsonViewCString(anchor_outcome_labels[report->outcome]));
	JsonViewSet(&view, "ok", JsonViewBool(report->outcome != ANCHOR_MISMATCH));
	if (report->reason)
		JsonViewSet(&view, "reason", JsonViewCString(report->reason));
	if (!report->has_token || token->problem)
		return view;
	JsonViewSet(&view, "gen_time", InstantViewOrNull(token->gen_time));
	SetText(&view, "serial", token->serial);
	SetText(&view, "policy", token->policy_id);
	JsonViewSet(&view, "accuracy", AccuracyView(token));
	JsonViewSet(&view, "ordering", JsonViewBool(token->ordering));
	SetText(&view, "tsa", token->tsa[0] ? token->tsa : token->signer);
	JsonViewSet(&view, "steps", StepsView(report, terms));
	return view;
}
