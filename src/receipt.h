/*-------------------------------------------------------------------------
 *
 * receipt.h
 *		Minting and storing receipts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECEIPT_H
#define ANSWER_EVAL_RECEIPT_H

#include "composite.h"
#include "datatype/timestamp.h"
#include "jsonview.h"
#include "kind.h"
#include "signature.h"

/* What goes into a receipt; everything is portable already. */
typedef struct ReceiptContent
{
	TimestampTz evaluated_at;	/* and issued_at */
	JsonView	question;		/* absent in mode checks, like the next */
	JsonView	route;
	JsonView	coverage;		/* of a refusal, else absent */
	Composite	composite;
	JsonView	checks;			/* array */
	JsonView	evidence_index;	/* object */
	JsonView	calls;			/* array */
	int			ndigests;		/* of facts and readings in it, as text: what */
	Datum	   *digests;		/* somebody may have forgotten meanwhile */
} ReceiptContent;

/* A document on its way to be signed and stored. */
typedef struct Minting
{
	const DocumentKind *kind;
	JsonView	body;			/* from DocumentBegin, with the kind's own members */
	TimestampTz issued_at;		/* as in the body */
	TimestampTz begun_at;		/* when its making began; 0: nobody measures it */
	const SigningKey *key;
	int			ndigests;		/* of evidence in it, as of ReceiptContent */
	Datum	   *digests;
} Minting;

extern JsonView ReceiptIssuer(void);
extern _Noreturn void ReceiptDoesNotHold(const char *receipt_id, const char *problem);
extern void ReceiptMustHold(const char *receipt_id, const JsonView *body, bool lifecycle);
extern bool IsReadable(const char *text, int len);
extern bool JsonbIsReadable(Jsonb *jsonb);
extern JsonView DocumentBegin(const DocumentKind *kind, TimestampTz issued_at);
extern Jsonb *DocumentMint(Minting *minting);
extern Jsonb *ReceiptMint(const ReceiptContent *content, const SigningKey *key);
extern void ReadDocumentText(FunctionCallInfo fcinfo, JsonView *document);
extern void ReadDocumentJsonb(FunctionCallInfo fcinfo, int arg, JsonView *document);

#endif							/* ANSWER_EVAL_RECEIPT_H */
