/*-------------------------------------------------------------------------
 *
 * verify.h
 *		Offline verification and replay of a receipt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_VERIFY_H
#define ANSWER_EVAL_VERIFY_H

#include "canonical.h"
#include "composite.h"
#include "jsonview.h"
#include "kind.h"
#include "operator.h"

#define RECEIPT_SCHEMA		"answer/v1"
#define RECEIPT_ID_PREFIX	"ans_"
#define RECEIPT_ID_LENGTH	(KIND_PREFIX_LENGTH + KIND_ID_DIGITS)

/*
 * How deeply a receipt may be nested.  Anybody must be able to verify it, and
 * common JSON libraries stop at about 1,000 levels; a raw result lies a few
 * levels down in the receipt.
 */
#define RECEIPT_MAX_DEPTH	512
#define RAW_MAX_DEPTH		500

/* The canonical text that is signed, and where in it the receipt id lies. */
typedef struct SignedText
{
	StringInfoData text;
	CanonicalSpan id;
} SignedText;

extern void SignedTextInit(SignedText *signed_text, const JsonView *document);
extern void SignedTextReceiptId(SignedText *signed_text, const char *prefix, char *receipt_id);
extern const char *DocumentProblem(const JsonView *document);
extern void ReceiptDigest(const JsonView *receipt, uint8 *sha256);
extern void ReceiptDigestText(const JsonView *receipt, char *digest);
extern const char *ReceiptProblem(const JsonView *document, const char *receipt_id,
								  const JsonView *keys);
extern bool ReceiptKeyId(const JsonView *receipt, Span *key_id);
extern const char *KeyProblemAt(const JsonView *keys, Span key_id, TimestampTz instant,
								uint8 *public_key);
extern const char *DocumentSignatureProblem(const JsonView *document, const JsonView *keys);
extern JsonView ReceiptVerify(const JsonView *document, const JsonView *keys);
extern bool ReceiptVerifyOk(const JsonView *document, const JsonView *keys);
extern JsonView DocumentReplay(const JsonView *document);

/* for the entries of kinds */
extern JsonView ReportStep(const char *problem);
extern const char *AnswerClosureProblem(const JsonView *receipt);
extern JsonView AnswerVerifyReplay(const JsonView *receipt);
extern JsonView AnswerReplay(const JsonView *receipt, const JsonView *routing);

#endif							/* ANSWER_EVAL_VERIFY_H */
