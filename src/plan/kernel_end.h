/*-------------------------------------------------------------------------
 *
 *		Executes the remaining steps of a plan, and mints its document.
 *		Going on with an execution until its document is minted, or it waits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_END_H
#define ANSWER_EVAL_KERNEL_END_H

#include "plan/kernel.h"

/* Executes steps until the plan ends or waits. Returns the document, or what the plan waits for. */
extern Jsonb *KernelGo(Kernel *kernel);

/* Mints the document of a finished execution. */
extern Jsonb *KernelMint(Kernel *kernel);

/*
 * Documents that were forgotten after the plan found them must not be signed.
 * Raises an error in the session that executes the plan; in recovery, leaves only
 * the digests in the document.
 */
extern void KernelDropForgotten(Kernel *kernel);

#endif							/* ANSWER_EVAL_KERNEL_END_H */
