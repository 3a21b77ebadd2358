/*-------------------------------------------------------------------------
 *
 * verify.c
 *		Offline verification and replay of a signed document.
 *
 * Belongs to the room "receipt" and is its pure half.  Rule: section 5 of the
 * published semantics of answer-eval/1 (seed 000_8e33469725fb591c), step by
 * step: anchor digest, receipt id, signature and key lifecycle, evidence
 * closure, replay.  The first three are the same for all kinds of documents;
 * what the last two are, the table of kinds says (kind.h), and of answer/v1 it
 * is here.  Nothing but the document and the keys is looked at, and for a replay
 * not even keys.
 *
 * Promises: never raises over what a document holds; every step reports for
 * itself, with the reason.  Strict where laxness would let bytes outside the
 * signature vary: the signature object has its four members and no more, and
 * base64url has one spelling.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"

#include "anchor.h"
#include "canonical.h"
#include "check.h"
#include "confidence.h"
#include "evidence.h"
#include "instant.h"
#include "request.h"
#include "signature.h"
#include "verify.h"

/*
 * How much a report says.  Verification names some differences.  A replay is
 * asked for them and has room for all that a receipt of the most checks can
 * show; a document that claims more is judged as a whole all the same.
 */
#define VERIFY_MAX_DIFFERENCES	100
#define REPLAY_MAX_CHECKS		REQUEST_MAX_CHECKS
#define REPLAY_MAX_DIFFERENCES	(3 * REPLAY_MAX_CHECKS + 3)
#define REPORT_MAX_TEXT			1000
#define REPORT_MAX_OBSERVED		(16 * 1024 * 1024)

/* Stack that walking one level of a document takes, generously. */
#define BYTES_PER_LEVEL			512

/*
 * reporting
 */

/* One step's report, or a replay's: {"ok": …} and, where it is not, the reason. */
JsonView
ReportStep(const char *problem)
{
	JsonView	step = JsonViewNewObject(4);

	JsonViewSet(&step, "ok", JsonViewBool(problem == NULL));
	if (problem)
		JsonViewSet(&step, "reason", JsonViewCString(problem));
	return step;
}

static bool
StepIsOk(const JsonView *step)
{
	JsonView	ok;

	return JsonViewGet(step, "ok", 2, &ok) && ok.boolean;
}

/*
 * what is signed
 */

/* Is it of a kind of ours, and not only something with a signature? */
static bool
IsOfKind(const JsonView *document)
{
	return FindKindOfDocument(document) != NULL;
}

/*
 * Writes the canonical bytes that are signed.  In a document of ours the anchor
 * came after the signature; in a foreign one everything but the signature was
 * signed.
 */
void
SignedTextInit(SignedText *signed_text, const JsonView *document)
{
	static const CanonicalOmit receipt_omit = {2, {"signature", "anchor"}};
	static const CanonicalOmit foreign_omit = {1, {"signature"}};

	initStringInfo(&signed_text->text);
	signed_text->id.key = "receipt_id";
	CanonicalWriteMarking(&signed_text->text, document,
						  IsOfKind(document) ? &receipt_omit : &foreign_omit,
						  &signed_text->id);
}

/*
 * The id that follows from a receipt's content, which is what is signed but
 * for the id itself.  Writes RECEIPT_ID_LENGTH + 1 bytes.
 */
void
SignedTextReceiptId(SignedText *signed_text, const char *prefix, char *receipt_id)
{
	uint8		sha256[SHA256_LENGTH];

	Sha256Without(&signed_text->text, signed_text->id.begin, signed_text->id.end, sha256);
	memcpy(receipt_id, prefix, KIND_PREFIX_LENGTH);
	HexEncode(sha256, KIND_ID_DIGITS / 2, receipt_id + KIND_PREFIX_LENGTH);
	receipt_id[RECEIPT_ID_LENGTH] = '\0';
}

/* Why a receipt's id is not the one it must have, which is written as well. */
static const char *
IdProblem(const JsonView *receipt, SignedText *signed_text, char *expected)
{
	JsonView	id;

	SignedTextReceiptId(signed_text, FindKindOfDocument(receipt)->prefix, expected);
	if (!JsonViewGet(receipt, "receipt_id", 10, &id))
		return "receipt_id is missing";
	return JsonViewStringIs(&id, expected) ? NULL :
		"receipt_id does not follow from the content";
}

/*
 * The digest of a receipt as it was issued, signature included: what an anchor
 * imprints and the log takes for its leaf.
 */
static const CanonicalOmit digest_omit = {1, {"anchor"}};

void
ReceiptDigest(const JsonView *receipt, uint8 *sha256)
{
	CanonicalSha256(receipt, &digest_omit, sha256);
}

/* The same as "sha256:..."; writes DIGEST_TEXT_LENGTH + 1 bytes. */
void
ReceiptDigestText(const JsonView *receipt, char *digest)
{
	CanonicalDigest(receipt, &digest_omit, digest);
}

/*
 * signature
 */

/* Which key is said to have signed. */
bool
ReceiptKeyId(const JsonView *receipt, Span *key_id)
{
	JsonView	signature;

	return JsonViewGet(receipt, "signature", 9, &signature) &&
		JsonViewGetString(&signature, "key_id", &key_id->str, &key_id->len);
}

/* A key to verify with, and when it was good. */
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

/* An instant that may be missing or null, but not malformed. */
static bool
ReadKeyInstant(const JsonView *entry, const char *name, bool *present, TimestampTz *instant)
{
	JsonView	view;

	*present = JsonViewGet(entry, name, strlen(name), &view) && view.type != JVIEW_NULL;
	return !*present || InstantOfView(&view, instant);
}

static bool
ReadKeyEntry(const JsonView *entry, VerifyKey *key)
{
	JsonView	view;

	memset(key, 0, sizeof(*key));
	key->has_lifecycle = true;
	if (!JsonViewGet(entry, "public_key", 10, &view) || !ReadPublicKey(&view, key))
		return false;
	if (!JsonViewGet(entry, "status", 6, &view))
		return false;
	key->compromised = JsonViewStringIs(&view, "compromised");
	if (!key->compromised && !JsonViewStringIs(&view, "active") &&
		!JsonViewStringIs(&view, "retired"))
		return false;
	return ReadKeyInstant(entry, "active_from", &key->has_from, &key->active_from) &&
		ReadKeyInstant(entry, "retired_at", &key->has_retired, &key->retired_at) &&
		ReadKeyInstant(entry, "compromised_after", &key->has_compromised,
					   &key->compromised_after);
}

static bool
IsAscii(Span text)
{
	for (int i = 0; i < text.len; i++)
	{
		if (IS_HIGHBIT_SET(text.str[i]) || text.str[i] == '\0')
			return false;
	}
	return true;
}

/* Finds the key named.  Returns NULL, or why there is none to use. */
static const char *
FindKey(const JsonView *keys, Span key_id, VerifyKey *key)
{
	JsonView	entry;
	JsonView	id;
	bool		found = false;

	/* a key id that no encoding can garble; ours and DF-VERIFY's all are */
	if (!IsAscii(key_id))
		return "the key is not among the keys given";
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
		if (!JsonViewGet(&entry, "key_id", 6, &id) || id.type != JVIEW_STRING ||
			id.len != key_id.len || memcmp(id.str, key_id.str, id.len) != 0)
			continue;
		if (found)
			return "the key is given more than once";
		found = true;
		if (!ReadKeyEntry(&entry, key))
			return "the key given is malformed";
	}
	return found ? NULL : "the key is not among the keys given";
}

/* Was the key good at that instant?  Both ends count. */
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

/* The same of a document, which says when it was issued. */
static const char *
DocumentLifecycleProblem(const JsonView *document, const VerifyKey *key)
{
	JsonView	view;
	TimestampTz issued_at;

	if (!key->has_lifecycle)
		return NULL;
	if (key->compromised && !key->has_compromised)
		return "the key is compromised";
	if (!JsonViewGet(document, "issued_at", 9, &view) || !InstantOfView(&view, &issued_at))
		return "issued_at is missing or no instant";
	return LifecycleProblem(key, issued_at);
}

/* Finds a key that was good at some instant.  Returns NULL, or why there is none. */
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

	if (!JsonViewGet(document, "signature", 9, &signature) ||
		signature.type != JVIEW_OBJECT)
		return "signature is missing";
	JsonViewGet(&signature, "alg", 3, &view);
	if (!JsonViewStringIs(&view, SIGNATURE_ALG))
		return "alg is not Ed25519";
	JsonViewGet(&signature, "canonicalization", 16, &view);
	if (!JsonViewStringIs(&view, SIGNATURE_CANONICALIZATION))
		return "canonicalization is not json-sorted-compact";
	if (!JsonViewGetString(&signature, "key_id", &key_id.str, &key_id.len))
		return "key_id is missing";
	if (IsOfKind(document) && !HasOnlyKeys(&signature, members, &unknown))
		return "signature has a member that nothing protects";
	if (!JsonViewGetString(&signature, "sig", &sig.str, &sig.len) ||
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

/* The signature step of any signed document alone: NULL, or what is wrong. */
const char *
DocumentSignatureProblem(const JsonView *document, const JsonView *keys)
{
	SignedText	signed_text;
	const char *problem;

	SignedTextInit(&signed_text, document);
	problem = SignatureProblem(document, keys, &signed_text);
	pfree(signed_text.text.data);
	return problem;
}

static JsonView
VerifySignature(const JsonView *document, const JsonView *keys, SignedText *signed_text)
{
	JsonView	step = ReportStep(SignatureProblem(document, keys, signed_text));
	Span		key_id;

	if (ReceiptKeyId(document, &key_id) && IsAscii(key_id))
		JsonViewSet(&step, "key_id", JsonViewString(key_id.str, key_id.len));
	return step;
}

/*
 * evidence closure
 */

static bool
ConfidenceFollows(const JsonView *fact)
{
	JsonView	verification;
	JsonView	confidence;
	FactSignals signals;
	Span		basis;
	PlainNumber claimed;
	PlainNumber computed;
	JsonView	expected;

	JsonViewGet(fact, "verification", 12, &verification);
	if (FactSignalsParse(&verification, &signals, &basis) != NULL ||
		!JsonViewGet(&verification, "confidence", 10, &confidence) ||
		!NumberPlain(&confidence, &claimed))
		return false;
	expected = HundredthsView(FactConfidenceHundredths(&signals, basis));
	NumberPlain(&expected, &computed);
	return claimed.len == computed.len &&
		memcmp(claimed.text, computed.text, computed.len) == 0;
}

/* Is every fact the one that its digest names, and as sure as its signals say? */
static const char *
IndexProblem(const JsonView *index)
{
	int			count;
	JsonMember *members = JsonViewSortedMembers(index, &count);

	for (int i = 0; i < count; i++)
	{
		char		digest[DIGEST_TEXT_LENGTH + 1];

		if (members[i].value.type != JVIEW_OBJECT)
			return "the evidence index holds something that is no fact";
		FactDigest(&members[i].value, digest);
		if (members[i].keylen != DIGEST_TEXT_LENGTH ||
			memcmp(members[i].key, digest, DIGEST_TEXT_LENGTH) != 0)
			return "a fact does not hash to its digest";
		if (!ConfidenceFollows(&members[i].value))
			return "a fact's confidence does not follow from its signals";
	}
	return NULL;
}

static int
CompareDigests(const void *a, const void *b)
{
	const JsonView *left = a;
	const JsonView *right = b;

	if (left->len != right->len)
		return left->len > right->len ? 1 : -1;
	return left->len > 0 ? memcmp(left->str, right->str, left->len) : 0;
}

/* Gathers the digests that checks cite; NULL if some check cites no array of strings. */
static JsonView *
CitedDigests(const JsonView *checks, int *count)
{
	int			allocated = 16;
	JsonView   *cited = palloc(sizeof(JsonView) * allocated);

	*count = 0;
	for (int i = 0; i < JsonViewCount(checks); i++)
	{
		JsonView	check;
		JsonView	evidence;

		JsonViewElement(checks, i, &check);
		if (!JsonViewGet(&check, "evidence", 8, &evidence) || evidence.type != JVIEW_ARRAY)
			return NULL;
		for (int j = 0; j < JsonViewCount(&evidence); j++)
		{
			CHECK_FOR_INTERRUPTS();
			if (*count == allocated)
			{
				allocated *= 2;
				cited = repalloc_huge(cited, sizeof(JsonView) * (Size) allocated);
			}
			JsonViewElement(&evidence, j, &cited[*count]);
			if (cited[*count].type != JVIEW_STRING)
				return NULL;
			(*count)++;
		}
	}
	return cited;
}

/* Everything cited is indexed, and everything indexed is cited. */
static const char *
CitationProblem(const JsonView *checks, const JsonView *index)
{
	int			count;
	int			distinct = 0;
	JsonView   *cited = CitedDigests(checks, &count);

	if (cited == NULL)
		return "a check does not say which evidence it cites";
	qsort(cited, count, sizeof(JsonView), CompareDigests);
	for (int i = 0; i < count; i++)
	{
		JsonView	fact;

		if (i > 0 && CompareDigests(&cited[i - 1], &cited[i]) == 0)
			continue;
		distinct++;
		if (!IsAscii((Span) {cited[i].str, cited[i].len}) ||
			!JsonViewGet(index, cited[i].str, cited[i].len, &fact))
			return "a check cites evidence that is not in the index";
	}
	return distinct == JsonViewCount(index) ? NULL : "the index holds evidence that nothing cites";
}

/* Do the checks of an answer and its evidence belong together? */
const char *
AnswerClosureProblem(const JsonView *receipt)
{
	JsonView	checks;
	JsonView	index;
	const char *problem;

	if (!JsonViewGet(receipt, "checks", 6, &checks) || checks.type != JVIEW_ARRAY)
		return "checks is missing";
	if (!JsonViewGet(receipt, "evidence_index", 14, &index) || index.type != JVIEW_OBJECT)
		return "evidence_index is missing";
	problem = CitationProblem(&checks, &index);
	return problem ? problem : IndexProblem(&index);
}

/*
 * replay
 */

typedef struct Replay
{
	JsonView	index;
	JsonView	recorded_at;	/* evaluated_at as it is written */
	TimestampTz evaluated_at;
	CompositeState state;
	Composite	composite;
	int			max_differences;
	int			max_checks;
	int			observed_bytes; /* that recomputed checks show */
	JsonView	differences;	/* array of {check?, field, recorded?, recomputed?} */
	JsonView	checks;			/* array of {id, verdict, confidence, observed?} */
	bool		same;			/* no difference, reported or not */
	const char *problem;		/* what kept the receipt from being replayed */
} Replay;

/* Does jsonb take a value, in this database?  It may be nested, not too deeply. */
static bool
FitsJsonb(const JsonView *view)
{
	Numeric		numeric;
	JsonView	member;
	const char *key;
	int			len;

	CHECK_FOR_INTERRUPTS();
	if (view->type == JVIEW_NUMBER)
		return JsonViewNumeric(view, &numeric);
	if (view->type == JVIEW_STRING)
		return GetDatabaseEncoding() == PG_UTF8 || IsAscii((Span) {view->str, view->len});
	if (!JVIEW_IS_CONTAINER(view) || view->is_jsonb)
		return true;
	for (int i = 0; i < JsonViewCount(view); i++)
	{
		if (view->type == JVIEW_ARRAY)
			JsonViewElement(view, i, &member);
		else
		{
			JsonViewMember(view, i, &key, &len, &member);
			if (GetDatabaseEncoding() != PG_UTF8 && !IsAscii((Span) {key, len}))
				return false;
		}
		if (!FitsJsonb(&member))
			return false;
	}
	return true;
}

/*
 * A value as a report can hold it in any database: itself if it is a scalar
 * that jsonb takes here, else its canonical text, cut short.  What is
 * recomputed is told in its portable form, what is recorded as it stands.
 */
static JsonView
Reportable(const JsonView *value, bool portable)
{
	JsonView	view = *value;
	StringInfoData text;
	char	   *cut;
	int			len;

	if (portable)
		(void) JsonViewPortable(value, &view);
	if (!JVIEW_IS_CONTAINER(&view) && FitsJsonb(&view) &&
		(view.type != JVIEW_STRING || view.len <= REPORT_MAX_TEXT))
		return view;
	initStringInfo(&text);
	if (portable)
		CanonicalWritePortable(&text, &view);
	else
		CanonicalWrite(&text, &view, NULL);
	len = Min(text.len, REPORT_MAX_TEXT);
	cut = pnstrdup(text.data, len);
	pfree(text.data);
	return JsonViewString(cut, len);
}

/* A computed confidence: the number that reads as it. */
static JsonView
ConfidenceView(double confidence)
{
	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(float8_numeric,
																 Float8GetDatum(confidence))));
}

static void
Differ(Replay *replay, const Span *check, const char *field,
	   const JsonView *recorded, const JsonView *recomputed)
{
	JsonView	difference;

	replay->same = false;
	if (JsonViewCount(&replay->differences) >= replay->max_differences)
		return;
	difference = JsonViewNewObject(4);
	if (check)
	{
		JsonView	id = JsonViewString(check->str, check->len);

		JsonViewSet(&difference, "check", Reportable(&id, false));
	}
	JsonViewSet(&difference, "field", JsonViewCString(field));
	if (recorded->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "recorded", Reportable(recorded, false));
	if (recomputed->type != JVIEW_ABSENT)
		JsonViewSet(&difference, "recomputed", Reportable(recomputed, true));
	JsonViewAppend(&replay->differences, difference);
}

static void
CompareLabel(Replay *replay, const Span *check, const char *field,
			 const JsonView *recorded, const char *label)
{
	JsonView	recomputed = JsonViewCString(label);

	if (!JsonViewStringIs(recorded, label))
		Differ(replay, check, field, recorded, &recomputed);
}

/* A recorded confidence is a number that reads as the double computed. */
static void
CompareConfidence(Replay *replay, const Span *check, const JsonView *recorded, double computed)
{
	PlainNumber plain;
	JsonView	recomputed;

	if (NumberPlain(recorded, &plain) && strtod(plain.text, NULL) == computed)
		return;
	recomputed = ConfidenceView(computed);
	Differ(replay, check, "confidence", recorded, &recomputed);
}

/* Can a replay show a value whole?  It has so many bytes in canonical form. */
static bool
CanShow(Replay *replay, const JsonView *view, int len)
{
	if (len > REPORT_MAX_OBSERVED - replay->observed_bytes ||
		JsonViewIsDeeper(view, RAW_MAX_DEPTH) || !FitsJsonb(view))
		return false;
	replay->observed_bytes += len;
	return true;
}

/*
 * What was observed is recorded in its portable form, byte for byte.  Sets what
 * a report shows of the recomputed value, where it shows any.
 */
static void
CompareObserved(Replay *replay, const Span *check, const JsonView *recorded,
				const JsonView *recomputed, JsonView *shown)
{
	StringInfoData a;
	StringInfoData b;
	bool		same;
	bool		whole = false;

	if (recorded->type == JVIEW_ABSENT || recomputed->type == JVIEW_ABSENT)
		same = recorded->type == recomputed->type;
	else
	{
		initStringInfo(&a);
		initStringInfo(&b);
		CanonicalWrite(&a, recorded, NULL);
		CanonicalWritePortable(&b, recomputed);
		same = a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
		whole = same && shown && CanShow(replay, recorded, a.len);
		pfree(a.data);
		pfree(b.data);
	}
	if (!same)
		Differ(replay, check, "observed", recorded, recomputed);
	if (whole)
		*shown = *recorded;
	else if (shown && recomputed->type != JVIEW_ABSENT)
		*shown = Reportable(recomputed, true);
}

/* Finds the facts that a check cites; NULL if one is not there. */
static JsonView *
CitedFacts(const Replay *replay, const JsonView *evidence, int *count)
{
	JsonView   *facts;

	*count = JsonViewCount(evidence);
	facts = palloc(sizeof(JsonView) * (Size) Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		JsonView	digest;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(evidence, i, &digest);
		if (digest.type != JVIEW_STRING || !IsAscii((Span) {digest.str, digest.len}) ||
			!JsonViewGet(&replay->index, digest.str, digest.len, &facts[i]) ||
			facts[i].type != JVIEW_OBJECT)
			return NULL;
	}
	return facts;
}

/* The verdicts that a check without evidence may have. */
static bool
NeedsNoEvidence(int verdict)
{
	return verdict == VERDICT_EVIDENCE_UNAVAILABLE ||
		verdict == VERDICT_OUTSIDE_EVIDENCE_COVERAGE ||
		verdict == VERDICT_NOT_EVALUABLE;
}

/* Recomputes a check that cites evidence. */
static bool
ReplayEvidence(Replay *replay, const CheckPlan *plan, const JsonView *evidence,
			   CheckResult *result)
{
	int			count;
	JsonView   *facts = CitedFacts(replay, evidence, &count);

	if (facts == NULL)
	{
		replay->problem = "a check cites evidence that is not in the index";
		return false;
	}
	CheckEvaluate(plan, facts, count, replay->evaluated_at, result);
	return true;
}

/* Compares what a check came to with what is recorded, and reports it. */
static void
ReplayResult(Replay *replay, const CheckPlan *plan, const JsonView *check,
			 const CheckResult *result)
{
	JsonView	verdict;
	JsonView	confidence;
	JsonView	observed;
	JsonView	shown = {.type = JVIEW_ABSENT};
	JsonView	recomputed;
	JsonView	id = JsonViewString(plan->id.str, plan->id.len);
	bool		report = JsonViewCount(&replay->checks) < replay->max_checks;

	JsonViewGet(check, "verdict", 7, &verdict);
	JsonViewGet(check, "confidence", 10, &confidence);
	JsonViewGet(check, "observed", 8, &observed);
	CompareLabel(replay, &plan->id, "verdict", &verdict, verdict_labels[result->verdict]);
	CompareConfidence(replay, &plan->id, &confidence, result->confidence);
	CompareObserved(replay, &plan->id, &observed, &result->observed,
					report ? &shown : NULL);
	if (!report)
		return;
	recomputed = JsonViewNewObject(4);
	JsonViewSet(&recomputed, "id", Reportable(&id, false));
	JsonViewSet(&recomputed, "verdict", JsonViewCString(verdict_labels[result->verdict]));
	JsonViewSet(&recomputed, "confidence", ConfidenceView(result->confidence));
	if (shown.type != JVIEW_ABSENT)
		JsonViewSet(&recomputed, "observed", shown);
	JsonViewAppend(&replay->checks, recomputed);
}

/* Recomputes one check and compares; false if it cannot be recomputed. */
static bool
ReplayCheck(Replay *replay, const JsonView *check, int position)
{
	CheckPlan	plan;
	CheckResult result;
	RequestError error;
	JsonView	verdict;
	JsonView	evidence;
	int			recorded;

	memset(&error, 0, sizeof(error));
	memset(&result, 0, sizeof(result));
	if (!CheckParse(check, position, true, &plan, &error))
	{
		replay->problem = "a check is malformed";
		return false;
	}
	if (!JsonViewGet(check, "evidence", 8, &evidence) || evidence.type != JVIEW_ARRAY)
	{
		replay->problem = "a check does not say which evidence it cites";
		return false;
	}

	JsonViewGet(check, "verdict", 7, &verdict);
	recorded = verdict.type == JVIEW_STRING ?
		VocabularyByLabel(verdict_labels, verdict.str, verdict.len) : -1;
	if (position > REQUEST_CHECK_CAP)
		result.verdict = VERDICT_NOT_CHECKED;
	else if (JsonViewCount(&evidence) > 0)
	{
		if (!ReplayEvidence(replay, &plan, &evidence, &result))
			return false;
	}
	else
		result.verdict = NeedsNoEvidence(recorded) ? recorded : VERDICT_EVIDENCE_UNAVAILABLE;

	ReplayResult(replay, &plan, check, &result);
	CompositeAdd(&replay->state, result.verdict, result.confidence, plan.required);
	return true;
}

static void
CompareDegraded(Replay *replay, const JsonView *receipt, bool degraded)
{
	JsonView	recorded;
	JsonView	recomputed = JsonViewBool(degraded);

	JsonViewGet(receipt, "degraded", 8, &recorded);
	if (recorded.type != JVIEW_BOOL || recorded.boolean != degraded)
		Differ(replay, NULL, "degraded", &recorded, &recomputed);
}

/* Compares what stands at the top with what the checks come down to. */
static void
ReplayComposite(Replay *replay, const JsonView *receipt, bool refusal)
{
	JsonView	verdict;
	JsonView	confidence;

	replay->composite = CompositeResult(replay->state);
	if (refusal)
	{
		replay->composite.verdict = COMPOSITE_OUTSIDE_EVIDENCE_COVERAGE;
		replay->composite.hundredths = 0;
	}
	JsonViewGet(receipt, "verdict", 7, &verdict);
	JsonViewGet(receipt, "confidence", 10, &confidence);
	CompareLabel(replay, NULL, "verdict", &verdict,
				 composite_labels[replay->composite.verdict]);
	CompareConfidence(replay, NULL, &confidence, replay->composite.hundredths / 100.0);
	CompareDegraded(replay, receipt, replay->composite.degraded);
}

/*
 * Recomputes a receipt and compares.  False, with the problem, if it cannot be
 * recomputed.
 */
static bool
ReplayReceipt(Replay *replay, const JsonView *receipt)
{
	JsonView	checks;
	JsonView	mode;
	bool		refusal;

	replay->state = CompositeInit();
	replay->differences = JsonViewNewArray(0);
	replay->checks = JsonViewNewArray(0);
	replay->same = true;
	if (!JsonViewGet(receipt, "checks", 6, &checks) || checks.type != JVIEW_ARRAY)
		replay->problem = "checks is missing";
	else if (!JsonViewGet(receipt, "evidence_index", 14, &replay->index) ||
			 replay->index.type != JVIEW_OBJECT)
		replay->problem = "evidence_index is missing";
	else if (!JsonViewGet(receipt, "evaluated_at", 12, &replay->recorded_at) ||
			 !InstantOfView(&replay->recorded_at, &replay->evaluated_at))
		replay->problem = "evaluated_at is missing or no instant";
	if (replay->problem)
		return false;
	refusal = JsonViewCount(&checks) == 0 && JsonViewGet(receipt, "mode", 4, &mode) &&
		JsonViewStringIs(&mode, "question");

	for (int i = 0; i < JsonViewCount(&checks); i++)
	{
		JsonView	check;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&checks, i, &check);
		if (!ReplayCheck(replay, &check, i + 1))
			return false;
	}
	ReplayComposite(replay, receipt, refusal);
	if (!replay->same)
		replay->problem = "recomputing gives something else";
	return true;
}

JsonView
AnswerVerifyReplay(const JsonView *receipt)
{
	Replay		replay = {.max_differences = VERIFY_MAX_DIFFERENCES};
	bool		replayed = ReplayReceipt(&replay, receipt);
	JsonView	step = ReportStep(replay.problem);

	if (replayed && !replay.same)
		JsonViewSet(&step, "differences", replay.differences);
	return step;
}

/*
 * anchor
 */

/*
 * The anchor as far as it can be checked without roots, which only a verifier
 * chooses: see answer_anchor_verify.
 */
static JsonView
VerifyAnchor(const JsonView *receipt)
{
	static const TokenTerms terms = {0};
	AnchorReport report;
	JsonView	step;
	char	   *instant;

	AnchorExamine(receipt, &terms, &report);
	step = ReportStep(report.reason);
	JsonViewSet(&step, "state", JsonViewCString(anchor_outcome_labels[report.outcome]));
	if (report.outcome == ANCHOR_DECLARED)
	{
		instant = palloc(INSTANT_SIZE);
		InstantFormat(report.token.gen_time, instant);
		JsonViewSet(&step, "gen_time", JsonViewCString(instant));
	}
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

/* Why a document is not looked into at all; NULL if it is. */
const char *
DocumentProblem(const JsonView *document)
{
	if (document->type == JVIEW_STRING && FindKindOfId(document->str, document->len))
		return psprintf("this is the id of a receipt, not the receipt: verify what answer_receipt('%s') returns",
						pnstrdup(document->str, document->len));
	if (document->type != JVIEW_OBJECT)
		return "the document is no JSON object";
	if (JsonViewIsDeeper(document, max_stack_depth * 1024 / BYTES_PER_LEVEL))
		return "the document is nested too deeply";
	return NULL;
}

/*
 * Goes through the steps and tells whether all are ok.  Without a place for
 * their reports, the first that is not is the last.
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
	foreign = ok && !IsOfKind(document);
	if (ok)
		SignedTextInit(&signed_text, document);
	for (size_t i = 0; i < lengthof(step_names) && (ok || steps); i++)
	{
		JsonView	step;

		if (foreign && i != STEP_SIGNATURE)
			continue;
		step = problem ? ReportStep(problem) :
			VerifyStep((ReceiptStep) i, document, keys, &signed_text);
		ok = ok && StepIsOk(&step);
		if (steps)
			JsonViewSet(steps, step_names[i], step);
	}
	return ok;
}

/*
 * Verifies a document.  One whose schema is not in the table of kinds gets the
 * signature step alone.  The report is {"ok", "steps"}.
 */
JsonView
ReceiptVerify(const JsonView *document, const JsonView *keys)
{
	JsonView	report = JsonViewNewObject(2);
	JsonView	steps = JsonViewNewObject(5);

	JsonViewSet(&report, "ok", JsonViewBool(VerifySteps(document, keys, &steps)));
	JsonViewSet(&report, "steps", steps);
	return report;
}

/* What the report's "ok" would be. */
bool
ReceiptVerifyOk(const JsonView *document, const JsonView *keys)
{
	return VerifySteps(document, keys, NULL);
}

/*
 * Why a document is not the receipt that was issued under an id, as far as
 * id and signature tell; NULL if it is.
 */
const char *
ReceiptProblem(const JsonView *document, const char *receipt_id, const JsonView *keys)
{
	const char *problem = DocumentProblem(document);
	char		expected[RECEIPT_ID_LENGTH + 1];
	SignedText	signed_text;

	if (problem)
		return problem;
	if (!IsOfKind(document))
		return psprintf("its schema is none of %s", ListKinds(false));
	SignedTextInit(&signed_text, document);
	problem = IdProblem(document, &signed_text, expected);
	if (problem == NULL && strcmp(expected, receipt_id) != 0)
		problem = "it is another receipt";
	if (problem == NULL)
		problem = SignatureProblem(document, keys, &signed_text);
	pfree(signed_text.text.data);
	return problem;
}

/*
 * Recomputes an answer.  The report is {"ok", "reason"?} and, as far as the
 * receipt could be recomputed, what came out and each difference.  "routing" is
 * a report of how its question became its checks, or absent.
 */
JsonView
AnswerReplay(const JsonView *receipt, const JsonView *routing)
{
	Replay		replay = {.max_differences = REPLAY_MAX_DIFFERENCES,
	.max_checks = REPLAY_MAX_CHECKS};
	JsonView	report;

	if (!ReplayReceipt(&replay, receipt))
		return ReportStep(replay.problem);
	if (routing->type == JVIEW_OBJECT && !StepIsOk(routing))
		replay.problem = "recomputing gives something else";
	report = ReportStep(replay.problem);
	JsonViewSet(&report, "evaluated_at", Reportable(&replay.recorded_at, false));
	JsonViewSet(&report, "verdict",
				JsonViewCString(composite_labels[replay.composite.verdict]));
	JsonViewSet(&report, "confidence", HundredthsView(replay.composite.hundredths));
	JsonViewSet(&report, "degraded", JsonViewBool(replay.composite.degraded));
	JsonViewSet(&report, "checks", replay.checks);
	JsonViewSet(&report, "differences", replay.differences);
	if (routing->type == JVIEW_OBJECT)
		JsonViewSet(&report, "routing", *routing);
	return report;
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
