/*-------------------------------------------------------------------------
 *
 * earlier_receipt.h
 *		Documents decision/v1 that were decided by the former rules, decision/1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EARLIER_RECEIPT_H
#define ANSWER_EVAL_EARLIER_RECEIPT_H

#include "base/jsonview.h"

#define EARLIER_DECISION_RULE	"decision/1"

/* Does a document state that it was decided by them? */
extern bool IsEarlierDecision(const JsonView *document);

/* Does a configuration have exactly the keys of that time? */
extern bool EarlierDecisionConfigIsWhole(const JsonView *config);

/* Returns why the parts of the document do not belong together, or NULL. */
extern const char *EarlierDecisionClosureProblem(const JsonView *document);

#endif							/* ANSWER_EVAL_EARLIER_RECEIPT_H */
