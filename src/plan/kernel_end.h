/*-------------------------------------------------------------------------
 *
 * kernel_end.h
 *		Going on with an execution until its document is minted, or it waits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_END_H
#define ANSWER_EVAL_KERNEL_END_H

#include "plan/kernel.h"

/* Goes on until there is nothing more to do, or it waits: the document, or what it waits for. */
extern Jsonb *KernelGo(Kernel *kernel);

/* Mints the document of an execution that is over. */
extern Jsonb *KernelMint(Kernel *kernel);

/*
 * What was forgotten since it was found is not signed.  Who executes the plan is told;
 * where nobody does, the document has the digests alone.
 */
extern void KernelDropForgotten(Kernel *kernel);

#endif							/* ANSWER_EVAL_KERNEL_END_H */
