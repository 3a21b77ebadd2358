/*-------------------------------------------------------------------------
 *
 * signed.h
 *		Says which bytes of a document are signed, and what is derived from
 *		them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SIGNED_H
#define ANSWER_EVAL_SIGNED_H

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"
#include "document/kind.h"

#define RECEIPT_SCHEMA		"answer/v1"
#define RECEIPT_ID_PREFIX	"ans_"
#define RECEIPT_ID_LENGTH	(KIND_PREFIX_LENGTH + KIND_ID_DIGITS)

/* What a replay reports if its result differs. */
#define REPORT_DIFFERS		"recomputing gives something else"

/* The canonical text that is signed, and where the receipt id is in it; the signature would be at id.place. */
typedef struct SignedText
{
	StringInfoData text;
	CanonicalSpan id;
	int			levels;			/* as returned by CanonicalWriteMarking */
} SignedText;

extern void SignedTextInit(SignedText *signed_text, const JsonView *document, bool makes_portable);
extern void SignedTextReceiptId(SignedText *signed_text, const char *prefix, char *receipt_id);
extern void ReceiptDigest(const JsonView *receipt, uint8 *sha256);
extern void ReceiptDigestText(const JsonView *receipt, char *digest);
extern bool ReceiptKeyId(const JsonView *receipt, Span *key_id);

extern bool DocumentNamesRule(const JsonView *document, const char *rule);

/* reports of a step of verification, or of a replay */
extern const char *DocumentProblem(const JsonView *document);
extern JsonView ReportStep(const char *problem);
extern bool ReportStepIsOk(const JsonView *step);
extern bool ReportIsSame(const JsonView *stated, const JsonView *recomputed);
extern void ReportDifference(JsonView *differences, const char *field);

#endif							/* ANSWER_EVAL_SIGNED_H */
