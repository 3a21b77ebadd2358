/*-------------------------------------------------------------------------
 *
 * plan_receipt.h
 *		The document plan/v1: mints it, and replays it.
 *
 * Its members, in addition to those of every document:
 *
 *	intent?			of the request, else of the plan
 *	plan_id, trace_id
 *	evaluated_at	the instant by which decisions were made
 *	plan, vars		as executed; vars is the value of $INPUT
 *	request			{plan_digest, ref?, budgets?, request_id?, judgements?, basis?}
 *	tools			{name: ToolSpec} of the tools that the plan names
 *	limits			{cost_usd, latency_ms}, null: none; and summary {cost_usd,
 *					latency_ms}, the price of a cited summary if one was available
 *	summary?		{key, evidence, reported_by?}: remembered evidence that replaced
 *					the plan
 *	measured?		{tool: {p50_ms, calls}} of the tools with enough calls measured
 *					before evaluated_at; empty if the request says "basis":
 *					"declared"; missing from before calls were measured
 *	predicted		{latency_ms, cost_usd}, reserved at the start
 *	degradation		[{step, k}]
 *	origin?			{request, plan, tools {name: {registered_by, shared}}}: who vouches
 *					for what was not observed; the origin of each Evidence follows
 *					from it; missing from before origins were kept
 *	policy			{min_confidence, cite_if_confidence_below,
 *					block_if_conflict_over, regulated, judge?}; and from documents that
 *					judge ages on {freshness_days, freshness_days_high_risk, supersede,
 *					rules, search}
 *	rules?			the decision rules by which claims were verified, if they are not
 *					the shipped ones: only the differences
 *	trace			[{event, inputs?, outputs?}]: every signed event of the trace;
 *					inputs and outputs are left out if there are none, or if they are
 *					larger than answer_eval.plan_io_limit
 *	last_event		digest of the last event, or null
 *	verdict			answered, blocked, refused or failed
 *	reason			{kind, message, node?}, or null if answered; doc/spec/plan.md
 *					§13.3 lists the kinds
 *	response		{text, citations, references, evidence {confidence,
 *					contradictions, needs_citation, origin?}, budget_used, trace_id,
 *					degraded?}, or null
 *	caveats			[{code, text}]; plain sentences if there is no origin
 *	budget_used		{latency_ms, cost_usd, basis?}; basis is "measured" if each tool was
 *					measured, else "declared"; missing from before calls were measured
 *	reproduce, disclaimer
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_RECEIPT_H
#define ANSWER_EVAL_PLAN_RECEIPT_H

#include "datatype/timestamp.h"

#include "base/limits.h"
#include "document/kind.h"
#include "plan/course.h"
#include "plan/trace.h"

#define PLAN_SCHEMA			"plan/v1"
#define PLAN_ID_PREFIX		"pln_"

/* What a document says in addition to the course and the trace. */
typedef struct PlanDocument
{
	JsonView	plan;
	JsonView	vars;
	JsonView	tools;			/* {name: ToolSpec} */
	JsonView	request;		/* as it is in the document */
	Span		intent;			/* or empty */
	PlanLimits	limits;
	OriginTerms terms;			/* by which origins are determined */
	JsonView	rules;			/* the decision rules by which claims were verified; absent: the shipped ones, or none */
	JsonView	summary;		/* {key, evidence, reported_by?}: remembered evidence instead of the plan; absent: none */
	TimestampTz evaluated_at;
	TimestampTz started_at;
	bool		is_uncommitted; /* had the transaction written before the plan began? */
	char		plan_digest[DIGEST_TEXT_LENGTH + 1];
	char		request_digest[DIGEST_TEXT_LENGTH + 1];
	Size		base;			/* as PlanBaseSize returns it */
	int			nrecords;		/* one per event */
	int			nkept;			/* number of records stored in answer.plan_step */
	FollowRecord *records;
} PlanDocument;

/* Maximum bytes of canonical form for the plan, its tools and its vars in a document. */
#define PLAN_BASE_MAX_SIZE	(DOCUMENT_MAX_SIZE / 2)

/* Maximum with the events of the trace; the rest is for the answer. */
#define PLAN_TOLD_MAX_SIZE	(DOCUMENT_MAX_SIZE / 4 * 3)

extern const DocumentKind plan_kind;

/* Returns how many bytes of a document the plan, its tools and its vars take. */
extern Size PlanBaseSize(const PlanDocument *document);

/*
 * Sets the members of this kind; numbers are still to be made portable.  Inputs and
 * outputs of steps may take *room bytes at most; *room is set to what they take.
 * Returns by how many bytes the document is too large to be minted.
 */
extern Size PlanDocumentSet(JsonView *body, const PlanDocument *document, const Course *course, const Trace *trace,
							Size *room);

/*
 * Write and read members that a document and the stored state of an unfinished
 * execution share.  Reading returns false if they are malformed.
 */
extern JsonView PlanLimitsView(const PlanLimits *limits);
extern bool PlanLimitsOfView(const JsonView *view, PlanLimits *limits);
extern JsonView PlanPolicyView(const EvidencePolicy *policy);
extern bool PlanPolicyOfView(const JsonView *view, EvidencePolicy *policy);

/* Returns the member "request" of a document. */
extern JsonView PlanRequestView(const JsonView *request, const char *plan_digest);

/* Returns the digest of the rules by which a step verified claims; empty for the shipped ones. */
extern Span PlanRulesDigest(const FollowRecord *record);

/* Answers from the remembered evidence of a document. Returns false if it is blocked or malformed. */
extern bool PlanSummarize(Course *course, const JsonView *summary);

/* Adds what an event was charged. */
extern void PlanAddCharge(const JsonView *event, PlanPrice *used);

#endif							/* ANSWER_EVAL_PLAN_RECEIPT_H */
