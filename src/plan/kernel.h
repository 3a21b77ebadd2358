/*-------------------------------------------------------------------------
 *
 * kernel.h
 *		Executing plans: from their start to their document, in both forms.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_KERNEL_H
#define ANSWER_EVAL_KERNEL_H

#include "utils/jsonb.h"

#include "base/span.h"

/*
 * Executes the plan of a request.  The result, in the caller's memory, is its
 * document, or, where a step waits for the application, what it waits for.
 * With "commits" the transaction is committed after each step, which a procedure
 * alone may do.
 */
extern Jsonb *KernelExecute(Jsonb *request, bool commits);

/* How the plan of a request would be executed now.  Nothing is called, charged or stored. */
extern Jsonb *KernelExplain(Jsonb *request);

/* Goes on with a plan that waits; results are {node: {result, by, latency_ms?}}. */
extern Jsonb *KernelResume(Span trace_id, Jsonb *results, bool commits);

/*
 * Ends what nobody executes any more, of these tenants (text[]): charges the step
 * that was in flight, and mints the document.  How many there were.
 */
extern int	KernelRecover(Datum tenants);

#endif							/* ANSWER_EVAL_KERNEL_H */
