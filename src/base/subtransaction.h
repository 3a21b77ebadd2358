/*-------------------------------------------------------------------------
 *
 * subtransaction.h
 *		Runs a function so that an error undoes only what it did.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SUBTRANSACTION_H
#define ANSWER_EVAL_SUBTRANSACTION_H

#include "utils/elog.h"

/*
 * Runs run(arg) in a subtransaction, in the current memory context.  Returns NULL if it
 * raised no error.  Otherwise everything it did is undone, and the error is returned,
 * in that context.  A caller that does not expect this error passes it to
 * ReThrowError().  The subtransaction has ended by then; no caller further up could end
 * it.
 */
extern ErrorData *RunInSubtransaction(void (*run) (void *arg), void *arg);

#endif							/* ANSWER_EVAL_SUBTRANSACTION_H */
