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

#include "base/funcargs.h"
#include "base/jsonview.h"

extern JsonView ReceiptIssuer(void);
extern _Noreturn void ReceiptDoesNotHold(const char *receipt_id, const char *problem);
extern void ReceiptMustHold(const char *receipt_id, const JsonView *body, bool lifecycle);
extern bool IsReadable(const char *text, int len);
extern bool JsonbIsReadable(Jsonb *jsonb);
extern void ReadDocumentText(FunctionCallInfo fcinfo, JsonView *document);
extern void ReadVerifyKeys(FunctionCallInfo fcinfo, const JsonView *document, JsonView *keys);
extern void ReadDocumentJsonb(FunctionCallInfo fcinfo, int arg, JsonView *document);

/* Defines the SQL functions NAME_json and NAME_jsonb of a document; "result" is as for VIEW_FUNCTION. */
#define DOCUMENT_FUNCTIONS(name, result) \
	VIEW_FUNCTION(name##_json, ReadDocumentText(fcinfo, &view), result); \
	VIEW_FUNCTION(name##_jsonb, ReadDocumentJsonb(fcinfo, 0, &view), result)

#endif							/* ANSWER_EVAL_STORE_H */
