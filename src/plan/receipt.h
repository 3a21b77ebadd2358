/*-------------------------------------------------------------------------
 *
 * receipt.h
 *		The document plan/v1: what an execution did and why, and that again.
 *
 * Beside the members of every document:
 *
 *	intent?			of the request, else of the plan
 *	plan_id, trace_id
 *	evaluated_at	the instant that decisions went by
 *	plan, vars		as executed; vars is what $INPUT was
 *	request			{plan_digest, ref?, budgets?, request_id?}
 *	tools			{name: ToolSpec} of the tools that the plan names
 *	limits			{cost_usd, latency_ms}, null: none; and summary, where a cited
 *					summary was at hand: its price and what it is made of
 *	predicted		{latency_ms, cost_usd}, what was reserved at the start
 *	degradation		[{step, k}]
 *	policy			{min_confidence, cite_if_confidence_below,
 *					block_if_conflict_over, regulated}
 *	trace			[{event, inputs?, outputs?}]: every event of the trace, signed
 *					as it was; inputs and outputs are left out where there are none
 *					and where they are larger than answer_eval.plan_io_limit
 *	last_event		digest of the last event, or null
 *	verdict			answered, blocked, refused or failed
 *	reason			{kind, message, node?}, or null where it is answered; kind is
 *					budget, budget_busy, rate_limited, denied, condition, conflict,
 *					confidence, markers, tool, arguments, reference, recovered,
 *					expired or items
 *	response		{text, citations, references, evidence {confidence,
 *					contradictions, needs_citation}, budget_used, trace_id, degraded?},
 *					or null
 *	caveats			sentences
 *	budget_used		{latency_ms, cost_usd}
 *	reproduce, disclaimer
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_RECEIPT_H
#define ANSWER_EVAL_PLAN_RECEIPT_H

#include "document/kind.h"

#define PLAN_SCHEMA			"plan/v1"
#define PLAN_ID_PREFIX		"pln_"

#endif							/* ANSWER_EVAL_PLAN_RECEIPT_H */
