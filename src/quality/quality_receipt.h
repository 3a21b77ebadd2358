/*-------------------------------------------------------------------------
 *
 * quality_receipt.h
 *		Signed assessments of evidence quality.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUALITY_RECEIPT_H
#define ANSWER_EVAL_QUALITY_RECEIPT_H

#include "document/kind.h"

extern const DocumentKind quality_kind;

#endif							/* ANSWER_EVAL_QUALITY_RECEIPT_H */
