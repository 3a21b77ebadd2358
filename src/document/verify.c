/*-------------------------------------------------------------------------
 *
 * verify.c
 *		Offline verification and replay of a signed document.
 *
 * Rule: doc/spec/df-verify-1.md, step by step: anchor digest, receipt id,
 * signature and key lifecycle, evidence closure, replay.  The first three are
 * the same for all kinds of documents.  The table of kinds defines the last
 * two (kind.h).  Pure: it reads only the document and the keys, and for a
 * replay not even keys.
 *
 * Promises: never raises an error because of a document's content.  Each step
 * reports for itself, with a reason.  Verification is strict where laxness
 * would let unsigned bytes vary: the signature object has exactly its four
 * members, and base64url has one spelling.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/base64.h"
#include "base/option.h"
#include "base/rfc3339.h"
#include "document/anchor.h"
#include "document/signed.h"
#include "document/verify.h"
#include "keys/ed25519.h"

/* Checks a receipt's id.  Returns what is wrong, or NULL.  "expected" receives the right id. */
static const char *
IdProblem(const JsonView *receipt, SignedText *signed_text, char *expected)
{
	JsonView	id;

	SignedTextReceiptId(signed_text, FindKindOfDocument(receipt)->prefix, expected);
	if (!JsonViewGetMember(receipt, "receipt_id", &id))
		return "receipt_id is missing";
	return JsonViewStringIs(&id, expected) ? NULL :
		"receipt_id does not follow from the content";
}

/*
 * signature
 */

/* A key to verify with, and the time of its life. */
typedef struct VerifyKey
{
	uint8		public_key[ED25519_KEY_LENGTH];
	bool		has_lifecycle;
	bool		compromised;
	bool		has_from;
	bool		has_retired;
	bool		has_compromised;
	TimestampTz active_from;
	TimestampTz retired_at;
	TimestampTz compromised_after;
} VerifyKey;

static bool
ReadPublicKey(const JsonView *view, VerifyKey *key)
{
	Span		text = {view->str, view->len};

	return view->type == JVIEW_STRING &&
		Base64UrlDecode(text, key->public_key, ED25519_KEY_LENGTH) == ED25519_KEY_LENGTH;
}

/* Reads an instant that may be missing or null, but not malformed. */
static bool
ReadKeyInstant(const JsonView *entry, const char *name, bool *present, TimestampTz *instant)
{
	JsonView	view;

	*present = JsonViewGetMember(entry, name, &view) && view.type != JVIEW_NULL;
	return !*present || InstantOfView(&view, instant);
}

/* Reads an entry of a registry, or a key of a JWK Set, which is active unless it says otherwise. */
static bool
ReadKeyEntry(const JsonView *entry, bool is_jwk, VerifyKey *key)
{
	JsonView	view;

	memset(key, 0, sizeof(*key));
	key->has_lifecycle = true;
	if (!JsonViewGetMember(entry, is_jwk ? "x" : "public_key", &view) || !ReadPublicKey(&view, key))
		return false;
	if (!JsonViewGetMember(entry, "status", &view))
	{
		if (!is_jwk)
			return false;
		view = JsonViewCString("active");
	}
	key->compromised = JsonViewStringIs(&view, "compromised");
	if (!key->compromised && !JsonViewStringIs(&view, "active") &&
		!JsonViewStringIs(&view, "retired"))
		return false;
	return ReadKeyInstant(entry, "active_from", &key->has_from, &key->active_from) &&
		ReadKeyInstant(entry, "retired_at", &key->has_retired, &key->retired_at) &&
		ReadKeyInstant(entry, "compromised_after", &key->has_compromised,
					   &key->compromised_after);
}

/* Keys of other types in a JWK Set are skipped (RFC 7517, section 5). */
static bool
IsEd25519Jwk(const JsonView *entry)
{
	JsonView	kty;
	JsonView	crv;

	return entry->type == JVIEW_OBJECT && JsonViewGetMember(entry, "kty", &kty) && JsonViewStringIs(&kty, "OKP") &&
		JsonViewGetMember(entry, "crv", &crv) && JsonViewStringIs(&crv, "Ed25519");
}

/* Finds the named key.  Returns NULL, or why it cannot be used. */
static const char *
FindKey(const JsonView *keys, Span key_id, VerifyKey *key)
{
	JsonView	set;
	JsonView	entry;
	JsonView	id;
	bool		is_jwk_set;
	bool		found = false;

	/* a key id that is the same in every encoding; ours and those of DF-VERIFY are */
	if (!SpanIsText(key_id))
		return "the key is not among the keys given";
	is_jwk_set = keys->type == JVIEW_OBJECT && JsonViewGetMember(keys, "keys", &set) && set.type == JVIEW_ARRAY;
	if (is_jwk_set)
		keys = &set;
	if (keys->type == JVIEW_OBJECT)
	{
		memset(key, 0, sizeof(*key));
		if (!JsonViewGet(keys, key_id.str, key_id.len, &entry))
			return "the key is not among the keys given";
		return ReadPublicKey(&entry, key) ? NULL : "the key given is malformed";
	}
	if (keys->type != JVIEW_ARRAY)
		return "the keys given are neither an object nor an array";
	for (int i = 0; i < JsonViewCount(keys); i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewElement(keys, i, &entry);
		if (is_jwk_set && !IsEd25519Jwk(&entry))
			continue;
		if (!JsonViewGetMember(&entry, is_jwk_set ? "kid" : "key_id", &id) || id.type != JVIEW_STRING ||
			id.len != key_id.len || memcmp(id.str, key_id.str, id.len) != 0)
			continue;
		if (found)
			return "the key is given more than once";
		found = true;
		if (!ReadKeyEntry(&entry, is_jwk_set, key))
			return "the key given is malformed";
	}
	return found ? NULL : "the key is not among the keys given";
}

/* Was the key good at that instant? Both ends of its life are included. */
static const char *
LifecycleProblem(const VerifyKey *key, TimestampTz instant)
{
	if (key->has_from && instant < key->active_from)
		return "issued before the key was active";
	if (key->has_retired && instant > key->retired_at)
		return "issued after the key was retired";
	if (key->has_compromised && instant > key->compromised_after)
		return "issued after the key was compromised";
	return NULL;
}

/* Does the same for the instant at which a document was issued. */
static const char *
DocumentLifecycleProblem(const JsonView *document, const VerifyKey *key)
{
	JsonView	view;
	TimestampTz issued_at;

	if (!key->has_lifecycle)
		return NULL;
	if (key->compromised && !key->has_compromised)
		return "the key is compromised";
	if (!JsonViewGetMember(document, "issued_at", &view) || !InstantOfView(&view, &issued_at))
		return "issued_at is missing or no instant";
	return LifecycleProblem(key, issued_at);
}

/* Finds a key that was good at an instant.  Returns NULL, or why there is none. */
const char *
KeyProblemAt(const JsonView *keys, Span key_id, TimestampTz instant, uint8 *public_key)
{
	VerifyKey	key;
	const char *problem = FindKey(keys, key_id, &key);

	if (problem)
		return problem;
	memcpy(public_key, key.public_key, ED25519_KEY_LENGTH);
	if (key.compromised && !key.has_compromised)
		return "the key is compromised";
	return LifecycleProblem(&key, instant);
}

static const char *
SignatureProblem(const JsonView *document, const JsonView *keys, SignedText *signed_text)
{
	static const char *const members[] = {"alg", "key_id", "canonicalization", "sig", NULL};
	JsonView	signature;
	JsonView	view;
	Span		unknown;
	Span		key_id;
	Span		sig;
	uint8		raw[ED25519_SIGNATURE_LENGTH];
	VerifyKey	key;
	const char *problem;

	if (!JsonViewGetMember(document, "signature", &signature) ||
		signature.type != JVIEW_OBJECT)
		return "signature is missing";
	JsonViewGetMember(&signature, "alg", &view);
	if (!JsonViewStringIs(&view, SIGNATURE_ALG))
		return "alg is not Ed25519";
	JsonViewGetMember(&signature, "canonicalization", &view);
	if (!JsonViewStringIs(&view, SIGNATURE_CANONICALIZATION))
		return "canonicalization is not json-sorted-compact";
	if (!JsonViewGetString(&signature, "key_id", &key_id))
		return "key_id is missing";
	if ((FindKindOfDocument(document) != NULL) && !HasOnlyKeys(&signature, members, &unknown))
		return "signature has a member that nothing protects";
	if (!JsonViewGetString(&signature, "sig", &sig) ||
		Base64UrlDecode(sig, raw, sizeof(raw)) != sizeof(raw))
		return "sig is not the base64url of 64 bytes";

	problem = FindKey(keys, key_id, &key);
	if (problem == NULL)
		problem = DocumentLifecycleProblem(document, &key);
	if (problem)
		return problem;
	return SignatureVerify(key.public_key, signed_text->text.data, signed_text->text.len, raw) ?
		NULL : "the signature does not match the content";
}

/* Does the signature step of a signed document alone.  Returns NULL, or what is wrong. */
const char *
DocumentSignatureProblem(const JsonView *document, const JsonView *keys)
{
	SignedText	signed_text;
	const char *problem;

	SignedTextInit(&signed_text, document, false);
	problem = SignatureProblem(document, keys, &signed_text);
	pfree(signed_text.text.data);
	return problem;
}

static JsonView
VerifySignature(const JsonView *document, const JsonView *keys, SignedText *signed_text)
{
	JsonView	step = ReportStep(SignatureProblem(document, keys, signed_text));
	Span		key_id;

	if (ReceiptKeyId(document, &key_id) && SpanIsText(key_id))
		JsonViewSet(&step, "key_id", JsonViewString(key_id.str, key_id.len));
	return step;
}

/*
 * anchor
 */

/*
 * Checks an anchor as far as possible without roots, which only a verifier chooses: see
 * answer_anchor_verify.
 */
static JsonView
VerifyAnchor(const JsonView *receipt)
{
	static const TokenTerms terms = {0};
	AnchorReport report;
	JsonView	step;

	AnchorExamine(receipt, &terms, &report);
	step = ReportStep(report.reason);
	JsonViewSet(&step, "state", JsonViewCString(anchor_outcome_labels[report.outcome]));
	if (report.outcome == ANCHOR_DECLARED)
		JsonViewSet(&step, "gen_time", InstantView(report.token.gen_time));
	return step;
}

/*
 * the whole
 */

/* The steps, by name. */
typedef enum ReceiptStep
{
	STEP_ANCHOR,
	STEP_ID,
	STEP_SIGNATURE,
	STEP_CLOSURE,
	STEP_REPLAY
} ReceiptStep;

static const char *const step_names[] = {"anchor", "receipt_id", "signature",
"closure", "replay"};

static JsonView
VerifyStep(ReceiptStep step, const JsonView *document, const JsonView *keys,
		   SignedText *signed_text)
{
	char		receipt_id[RECEIPT_ID_LENGTH + 1];

	switch (step)
	{
		case STEP_ANCHOR:
			return VerifyAnchor(document);
		case STEP_ID:
			return ReportStep(IdProblem(document, signed_text, receipt_id));
		case STEP_SIGNATURE:
			return VerifySignature(document, keys, signed_text);
		case STEP_CLOSURE:
			return ReportStep(FindKindProblem(FindKindOfDocument(document), document));
		case STEP_REPLAY:
			return FindKindOfDocument(document)->verify_replay(document);
	}
	pg_unreachable();
}

/*
 * Does the steps and returns whether all are ok.  If "steps" is NULL, it stops at the
 * first that is not.
 */
static bool
VerifySteps(const JsonView *document, const JsonView *keys, JsonView *steps)
{
	const char *problem = DocumentProblem(document);
	bool		foreign;
	bool		ok = problem == NULL;
	SignedText	signed_text;

	if (problem && steps == NULL)
		return false;
	foreign = ok && FindKindOfDocument(document) == NULL;
	if (ok)
		SignedTextInit(&signed_text, document, false);
	for (size_t i = 0; i < lengthof(step_names) && (ok || steps); i++)
	{
		JsonView	step;

		if (foreign && i != STEP_SIGNATURE)
			continue;
		step = problem ? ReportStep(problem) :
			VerifyStep((ReceiptStep) i, document, keys, &signed_text);
		ok = ok && ReportStepIsOk(&step);
		if (steps)
			JsonViewSet(steps, step_names[i], step);
	}
	return ok;
}

/*
 * Verifies a document.  If its schema is not in the table of kinds, only the signature
 * step is done.  The report is {"ok", "incomplete"?, "steps"}.  "ok" can be true although
 * something was not recomputed.  So "incomplete" is repeated here, for readers who do not
 * look into the steps.
 */
JsonView
ReceiptVerify(const JsonView *document, const JsonView *keys)
{
	JsonView	report = JsonViewNewObject(3);
	JsonView	steps = JsonViewNewObject(5);
	JsonView	replay;
	JsonView	incomplete;

	JsonViewSet(&report, "ok", JsonViewBool(VerifySteps(document, keys, &steps)));
	if (JsonViewGetMember(&steps, step_names[STEP_REPLAY], &replay) &&
		JsonViewGetMember(&replay, "incomplete", &incomplete))
		JsonViewSet(&report, "incomplete", incomplete);
	JsonViewSet(&report, "steps", steps);
	return report;
}

/* Computes only the report's "ok". */
bool
ReceiptVerifyOk(const JsonView *document, const JsonView *keys)
{
	return VerifySteps(document, keys, NULL);
}

/*
 * Returns why a document is not the receipt that was issued under an id, judging by id
 * and signature; NULL if it is.
 */
const char *
ReceiptProblem(const JsonView *document, const char *receipt_id, const JsonView *keys)
{
	const char *problem = DocumentProblem(document);
	char		expected[RECEIPT_ID_LENGTH + 1];
	SignedText	signed_text;

	if (problem)
		return problem;
	if (FindKindOfDocument(document) == NULL)
		return psprintf("its schema is none of %s", ListKinds(false));
	SignedTextInit(&signed_text, document, false);
	problem = IdProblem(document, &signed_text, expected);
	if (problem == NULL && strcmp(expected, receipt_id) != 0)
		problem = "it is another receipt";
	if (problem == NULL)
		problem = SignatureProblem(document, keys, &signed_text);
	pfree(signed_text.text.data);
	return problem;
}

/* Recomputes a document by the rules of its kind; the report begins {"ok", "reason"?}. */
JsonView
DocumentReplay(const JsonView *document)
{
	const char *problem = DocumentProblem(document);
	const DocumentKind *kind;

	if (problem)
		return ReportStep(problem);
	kind = FindKindOfDocument(document);
	if (kind == NULL)
		return ReportStep(psprintf("its schema is none of %s, so there is nothing to recompute",
								   ListKinds(false)));
	return kind->replay(document);
}
