/*-------------------------------------------------------------------------
 *
 * verify.h
 *		Offline verification of a receipt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_VERIFY_H
#define ANSWER_EVAL_VERIFY_H

#include "canonical.h"
#include "composite.h"
#include "jsonview.h"
#include "operator.h"

#define RECEIPT_SCHEMA		"answer/v1"
#define RECEIPT_ID_PREFIX	"ans_"
#define RECEIPT_ID_LENGTH	(4 + 16)

/* The canonical text that is signed, and where in it the receipt id lies. */
typedef struct SignedText
{
	StringInfoData text;
	CanonicalSpan id;
} SignedText;

extern void SignedTextInit(SignedText *signed_text, const JsonView *document);
extern void SignedTextReceiptId(SignedText *signed_text, char *receipt_id);
extern bool ReceiptIsTooDeep(const JsonView *receipt);
extern bool ReceiptKeyId(const JsonView *receipt, Span *key_id);
extern JsonView ReceiptVerify(const JsonView *receipt, const JsonView *keys);

#endif							/* ANSWER_EVAL_VERIFY_H */
