/*-------------------------------------------------------------------------
 *
 * store.h
 *		Reads documents from arguments and from the table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STORE_H
#define ANSWER_EVAL_STORE_H

#include "fmgr.h"

#include "base/jsonview.h"

extern JsonView ReceiptIssuer(void);
extern _Noreturn void ReceiptDoesNotHold(const char *receipt_id, const char *problem);
extern void ReceiptMustHold(const char *receipt_id, const JsonView *body, bool lifecycle);
extern bool IsReadable(const char *text, int len);
extern bool JsonbIsReadable(Jsonb *jsonb);
extern void ReadDocumentText(FunctionCallInfo fcinfo, JsonView *document);
extern void ReadVerifyKeys(FunctionCallInfo fcinfo, const JsonView *document, JsonView *keys);
extern void ReadDocumentJsonb(FunctionCallInfo fcinfo, int arg, JsonView *document);

#endif							/* ANSWER_EVAL_STORE_H */
