/*-------------------------------------------------------------------------
 *
 * plan_receipt.h
 *		The document plan/v1: what an execution did and why, and that again.
 *
 * Beside the members of every document:
 *
 *	intent?			of the request, else of the plan
 *	plan_id, trace_id
 *	evaluated_at	the instant that decisions went by
 *	plan, vars		as executed; vars is what $INPUT was
 *	request			{plan_digest, ref?, budgets?, request_id?, judgements?, basis?}
 *	tools			{name: ToolSpec} of the tools that the plan names
 *	limits			{cost_usd, latency_ms}, null: none; and summary {cost_usd,
 *					latency_ms}, the price of a cited summary where one was at hand
 *	summary?		{key, evidence, reported_by?}: what was remembered and took the
 *					plan's place
 *	measured?		{tool: {p50_ms, calls}}, of the tools of which enough calls were
 *					measured before evaluated_at; none where the request says
 *					"basis": "declared"; in none that was made before calls were measured
 *	predicted		{latency_ms, cost_usd}, what was reserved at the start
 *	degradation		[{step, k}]
 *	origin?			{request, plan, tools {name: {registered_by, shared}}}: whose word
 *					is what was not observed, by which the origin of each Evidence
 *					follows; in none that was made before origins were kept
 *	policy			{min_confidence, cite_if_confidence_below,
 *					block_if_conflict_over, regulated}
 *	rules?			the rules of decisions that claims were verified by, if these are
 *					not the shipped ones, by what they differ in
 *	trace			[{event, inputs?, outputs?}]: every event of the trace, signed
 *					as it was; inputs and outputs are left out where there are none
 *					and where they are larger than answer_eval.plan_io_limit
 *	last_event		digest of the last event, or null
 *	verdict			answered, blocked, refused or failed
 *	reason			{kind, message, node?}, or null where it is answered; kind is
 *					budget, budget_busy, rate_limited, denied, condition, conflict,
 *					confidence, markers, citations, tool, arguments, reference,
 *					recovered, expired or items
 *	response		{text, citations, references, evidence {confidence,
 *					contradictions, needs_citation, origin?}, budget_used, trace_id,
 *					degraded?}, or null
 *	caveats			[{code, text}]; sentences in one without origin
 *	budget_used		{latency_ms, cost_usd, basis?}; basis is "measured" where each tool was,
 *					else "declared"; in none that was made before calls were measured
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

/* Holds what a document tells beside the course and the trace. */
typedef struct PlanDocument
{
	JsonView	plan;
	JsonView	vars;
	JsonView	tools;			/* {name: ToolSpec} */
	JsonView	request;		/* as the document has it */
	Span		intent;			/* or empty */
	PlanLimits	limits;
	OriginTerms terms;			/* by which origins follow */
	JsonView	rules;			/* of decisions, that claims were verified by; absent: the shipped ones, or none */
	JsonView	summary;		/* absent, or {key, evidence, reported_by?}: what is remembered, in the place of the plan */
	TimestampTz evaluated_at;
	TimestampTz started_at;
	bool		is_uncommitted; /* had the transaction written before it began? */
	char		plan_digest[DIGEST_TEXT_LENGTH + 1];
	char		request_digest[DIGEST_TEXT_LENGTH + 1];
	Size		base;			/* PlanBaseSize of it */
	int			nrecords;		/* one an event */
	int			nkept;			/* of them, that are stored in answer.plan_step */
	FollowRecord *records;
} PlanDocument;

/* Says what the plan, its tools and its vars may take of a document, in bytes of canonical form. */
#define PLAN_BASE_MAX_SIZE	(DOCUMENT_MAX_SIZE / 2)

/* And with the events of the trace: what is over is for the answer. */
#define PLAN_TOLD_MAX_SIZE	(DOCUMENT_MAX_SIZE / 4 * 3)

extern const DocumentKind plan_kind;

/* Returns what the plan, its tools and its vars take of a document. */
extern Size PlanBaseSize(const PlanDocument *document);

/*
 * Sets the members of this kind, with numbers that are still to be made portable, and inputs and outputs of steps that take up *room
 * bytes at most; what they take is in *room then.  Returns by how many bytes that is
 * too large to be minted.
 */
extern Size PlanDocumentSet(JsonView *body, const PlanDocument *document, const Course *course, const Trace *trace,
							Size *room);

/*
 * They give the same as members of a document and of what an unfinished execution
 * keeps; false if they are none.
 */
extern JsonView PlanLimitsView(const PlanLimits *limits);
extern bool PlanLimitsOfView(const JsonView *view, PlanLimits *limits);
extern JsonView PlanPolicyView(const EvidencePolicy *policy);
extern bool PlanPolicyOfView(const JsonView *view, EvidencePolicy *policy);

/* Returns what a document says of the request. */
extern JsonView PlanRequestView(const JsonView *request, const char *plan_digest);

/*
 * Returns the digest of the rules by which a step verified claims, if these are not
 * the shipped ones; else empty.
 */
extern Span PlanRulesDigest(const FollowRecord *record);

/* Answers from what is remembered, as a document tells it; false if that is blocked, or none. */
extern bool PlanSummarize(Course *course, const JsonView *summary);

/* Adds what an event was charged. */
extern void PlanAddCharge(const JsonView *event, PlanPrice *used);

#endif							/* ANSWER_EVAL_PLAN_RECEIPT_H */
