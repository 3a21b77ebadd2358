/*-------------------------------------------------------------------------
 *
 * subtransaction.h
 *		Runs what can be undone alone when it raises an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUBTRANSACTION_H
#define ANSWER_EVAL_SUBTRANSACTION_H

#include "utils/elog.h"

/*
 * Runs run(arg) in a subtransaction, and in the current memory context.  Returns NULL
 * if it raised nothing.  Otherwise everything that it did is undone, and the error is
 * returned, in that context.  A caller that expected another error passes it to
 * ReThrowError(): the subtransaction is over by then, which nobody above could end.
 */
extern ErrorData *RunInSubtransaction(void (*run) (void *arg), void *arg);

#endif							/* ANSWER_EVAL_SUBTRANSACTION_H */
