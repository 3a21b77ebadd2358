/*-------------------------------------------------------------------------
 *
 * signed.c
 *		Says which bytes of a document are signed, and what is derived from
 *		them.
 *
 * Rule: doc/spec/document.md §5.  This has the signed bytes, the id and the
 * digest of a document, and the form of reports about it.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "tcop/tcopprot.h"

#include "document/signed.h"

/* Stack space for one level of a document, generously. */
#define BYTES_PER_LEVEL			512

/*
 * reports
 */

/* Makes the report of one step, or of a replay: {"ok": …} and, if not ok, the reason. */
JsonView
ReportStep(const char *problem)
{
	JsonView	step = JsonViewNewObject(4);

	JsonViewSet(&step, "ok", JsonViewBool(problem == NULL));
	if (problem)
		JsonViewSet(&step, "reason", JsonViewCString(problem));
	return step;
}

/* Is a report's "ok" true? */
bool
ReportStepIsOk(const JsonView *step)
{
	JsonView	ok;

	return JsonViewGetMember(step, "ok", &ok) && ok.boolean;
}

/* Returns why a document is not examined at all, or NULL. */
const char *
DocumentProblem(const JsonView *document)
{
	if (document->type == JVIEW_STRING && FindKindOfId(document->str, document->len))
		return psprintf("this is the id of a receipt, not the receipt: verify what answer_receipt('%s') returns",
						pnstrdup(document->str, document->len));
	if (document->type == JVIEW_ABSENT && document->str)
		return document->str;	/* the problem that was found when it was read */
	if (document->type != JVIEW_OBJECT)
		return "the document is no JSON object";
	if (JsonViewIsDeeper(document, max_stack_depth * 1024 / BYTES_PER_LEVEL))
		return "the document is nested too deeply";
	return NULL;
}

/*
 * what is signed
 */

/*
 * Does a document say, outside what was signed, that it came from a cache?  This is
 * only possible for kinds that may be cached, and in one form.  Otherwise the member
 * was signed, or somebody added it.
 */
static bool
TellsCached(const DocumentKind *kind, const JsonView *document)
{
	return kind && kind->may_be_cached && JsonViewMemberIsTrue(document, "cached");
}

/*
 * Writes the canonical bytes that are signed, and makes the document portable at the same
 * time if asked.  In a document of ours the anchor was added after the signature.  In a
 * foreign one everything but the signature was signed.
 */
void
SignedTextInit(SignedText *signed_text, const JsonView *document, bool makes_portable)
{
	static const CanonicalOmit receipt_omit = {2, {"signature", "anchor"}};
	static const CanonicalOmit cached_omit = {3, {"signature", "anchor", "cached"}};
	static const CanonicalOmit foreign_omit = {1, {"signature"}};
	const DocumentKind *kind = FindKindOfDocument(document);

	initStringInfo(&signed_text->text);
	signed_text->id.key = "receipt_id";
	signed_text->id.missing = "signature";
	signed_text->levels = CanonicalWriteMarking(&signed_text->text, document,
												kind == NULL ? &foreign_omit :
												TellsCached(kind, document) ? &cached_omit : &receipt_omit,
												&signed_text->id, makes_portable);
}

/*
 * Computes the id from a receipt's content, which is what is signed, except the id
 * itself.  Writes RECEIPT_ID_LENGTH + 1 bytes.
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

/*
 * Returns which members the digest of a receipt leaves out.  The digest is that of the
 * receipt as issued, with its signature.  It is the imprint of an anchor and the log's
 * leaf data.
 */
static const CanonicalOmit *
DigestOmit(const JsonView *receipt)
{
	static const CanonicalOmit digest_omit = {1, {"anchor"}};
	static const CanonicalOmit cached_omit = {2, {"anchor", "cached"}};

	return TellsCached(FindKindOfDocument(receipt), receipt) ? &cached_omit : &digest_omit;
}

void
ReceiptDigest(const JsonView *receipt, uint8 *sha256)
{
	CanonicalSha256(receipt, DigestOmit(receipt), sha256);
}

/* Does the same as "sha256:...".  Writes DIGEST_TEXT_LENGTH + 1 bytes. */
void
ReceiptDigestText(const JsonView *receipt, char *digest)
{
	CanonicalDigest(receipt, DigestOmit(receipt), digest);
}

/* Finds the id of the key that a receipt claims to be signed with. */
bool
ReceiptKeyId(const JsonView *receipt, Span *key_id)
{
	JsonView	signature;

	return JsonViewGetMember(receipt, "signature", &signature) &&
		JsonViewGetString(&signature, "key_id", key_id);
}

/* Is a member of a document equal to what was recomputed, in portable form? */
bool
ReportIsSame(const JsonView *stated, const JsonView *recomputed)
{
	StringInfoData left;
	StringInfoData right;

	if (stated->type == JVIEW_ABSENT || recomputed->type == JVIEW_ABSENT)
		return stated->type == recomputed->type;
	initStringInfo(&left);
	initStringInfo(&right);
	CanonicalWrite(&left, stated, NULL);
	CanonicalWritePortable(&right, recomputed);
	return left.len == right.len && memcmp(left.data, right.data, left.len) == 0;
}

/* Adds the name of a member that differs from what was recomputed. */
void
ReportDifference(JsonView *differences, const char *field)
{
	JsonView	difference = JsonViewNewObject(2);

	JsonViewSet(&difference, "field", JsonViewCString(field));
	JsonViewSet(&difference, "reason", JsonViewCString(REPORT_DIFFERS));
	JsonViewAppend(differences, difference);
}

/* Does a document say, in "reproduce", that it was made by a rule? */
bool
DocumentNamesRule(const JsonView *document, const char *rule)
{
	JsonView	reproduce;
	JsonView	evaluator;
	JsonView	rules;

	if (!JsonViewGetMember(document, "reproduce", &reproduce) || reproduce.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&reproduce, "evaluator", &evaluator) || evaluator.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&evaluator, "rules", &rules) || rules.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&rules); i++)
	{
		JsonView	name = JsonViewAt(&rules, i);

		CHECK_FOR_INTERRUPTS();
		if (JsonViewStringIs(&name, rule))
			return true;
	}
	return false;
}
