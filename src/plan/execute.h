/*-------------------------------------------------------------------------
 *
 * execute.h
 *		The main loop of an execution.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EXECUTE_H
#define ANSWER_EVAL_EXECUTE_H

#include "plan/kernel.h"

/* Executes steps until the plan ends or waits. Returns the document, or what the plan waits for. */
extern Jsonb *KernelGo(Kernel *kernel);

#endif							/* ANSWER_EVAL_EXECUTE_H */
