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
} ReceiptContent;

extern JsonView IssuerView(void);
extern Jsonb *ReceiptMint(const ReceiptContent *content, const SigningKey *key);

#endif							/* ANSWER_EVAL_RECEIPT_H */
