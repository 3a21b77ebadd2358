/*-------------------------------------------------------------------------
 *
 * verify.h
 *		Offline verification and replay of a signed document.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_VERIFY_H
#define ANSWER_EVAL_VERIFY_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"

extern const char *ReceiptProblem(const JsonView *document, const char *receipt_id,
								  const JsonView *keys);
extern const char *KeyProblemAt(const JsonView *keys, Span key_id, TimestampTz instant,
								uint8 *public_key);
extern const char *DocumentSignatureProblem(const JsonView *document, const JsonView *keys);
extern JsonView ReceiptVerify(const JsonView *document, const JsonView *keys);
extern bool ReceiptVerifyOk(const JsonView *document, const JsonView *keys);
extern JsonView DocumentReplay(const JsonView *document);

#endif							/* ANSWER_EVAL_VERIFY_H */
