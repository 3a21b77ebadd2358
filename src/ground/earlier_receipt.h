/*-------------------------------------------------------------------------
 *
 * earlier_receipt.h
 *		Documents decision/v1 that were decided by the rules decision/1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EARLIER_RECEIPT_H
#define ANSWER_EVAL_EARLIER_RECEIPT_H

#include "base/jsonview.h"

#define EARLIER_DECISION_RULE	"decision/1"

/* Does a document say that it was decided by them? */
extern bool IsEarlierDecision(const JsonView *document);

/* Has a configuration all keys that it had then, and no other? */
extern bool EarlierDecisionConfigIsWhole(const JsonView *config);

/* Returns why its parts do not belong together, or NULL. */
extern const char *EarlierDecisionClosureProblem(const JsonView *document);

#endif							/* ANSWER_EVAL_EARLIER_RECEIPT_H */
