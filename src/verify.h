/*-------------------------------------------------------------------------
 *
 * verify.h
 *		Offline verification of a receipt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_VERIFY_H
#define ANSWER_EVAL_VERIFY_H

#include "composite.h"
#include "jsonview.h"
#include "operator.h"

#define RECEIPT_SCHEMA		"answer/v1"
#define RECEIPT_ID_PREFIX	"ans_"
#define RECEIPT_ID_LENGTH	(4 + 16)

extern void ReceiptId(const JsonView *receipt, char *receipt_id);
extern void ReceiptSignedText(const JsonView *receipt, StringInfo out);
extern bool ReceiptKeyId(const JsonView *receipt, Span *key_id);
extern JsonView ReceiptVerify(const JsonView *receipt, const JsonView *keys);

#endif							/* ANSWER_EVAL_VERIFY_H */
