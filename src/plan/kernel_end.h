/*-------------------------------------------------------------------------
 *
 * kernel_end.h
 *		Ends an execution with its document, or suspends it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_END_H
#define ANSWER_EVAL_KERNEL_END_H

#include "plan/kernel.h"

/* Mints the document, settles the budget, and returns the document. */
extern Jsonb *KernelFinish(Kernel *kernel);

/* Stores the state that is needed to continue, and returns what the execution waits for. */
extern Jsonb *KernelSuspend(Kernel *kernel);

/* Mints the document of a finished execution. */
extern Jsonb *KernelMint(Kernel *kernel);

/*
 * Documents that were forgotten after the plan found them must not be signed.
 * Raises an error in the session that executes the plan; in recovery, leaves only
 * the digests in the document.
 */
extern void KernelDropForgotten(Kernel *kernel);

#endif							/* ANSWER_EVAL_KERNEL_END_H */
