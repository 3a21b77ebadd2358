/*-------------------------------------------------------------------------
 *
 * decision_receipt.h
 *		The document decision/v1: what it holds, and deciding it again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_RECEIPT_H
#define ANSWER_EVAL_DECISION_RECEIPT_H

#include "document/kind.h"
#include "ground/decision.h"
#include "ground/portable_numbers.h"

/* What a reason says of a judge that failed begins so; its name follows. */
#define JUDGE_FAILED_REASON	"judge_failed: "

/*
 * All that a decision follows from.  Numbers are in portable form, as a document
 * has them, so that whoever reads the document sees what was decided on.
 */
typedef struct Grounding
{
	JsonView	query;			/* text */
	JsonView	chunks;			/* in the order in which they are ranked */
	bool		keeps_order;	/* are they quoted in that order? */
	JsonView	proposed;		/* {by, answer, citations}; null: nothing was */
	JsonView	config;			/* all keys */
	JsonView	config_changed; /* what the request changed of it; absent: nothing */
	JsonView	rules_document;
	const DecisionRules *rules; /* the same, compiled */
	TimestampTz evaluated_at;
	JsonView	judges;			/* [{name, model, version, …}] that the configuration names; absent: none */
	JsonView	judgements;		/* [{kind, pair, relation, score, judge, version, origin, by, judged_at}]; absent: none */
	JsonView	failed;			/* names of judges that failed; absent: none */
} Grounding;

extern const DocumentKind decision_kind;

/* Visits the judgements that a decision, or the evidence of a plan, rests on, and the pairs that it had still to be judged. */
extern void DecisionVisitJudged(const JsonView *needing, KindVisitor visit, void *arg);

extern const char *DecisionUnder(const JsonView *document, const JsonView *config);

/* Returns judgements as a decision reads them, and why they are none, or NULL. */
extern Judgements *ReadableJudgements(const JsonView *judgements, const char **problem);

/* Finds what a decision is made from; false, and one sentence, for what is malformed. */
extern bool GroundingInput(const Grounding *grounding, DecisionConfig *config, DecisionInput *input,
						   const char **problem);
extern bool GroundingDecide(const Grounding *grounding, DecisionResult *result, const char **problem);

/* Leaves the judgements that the decision did not need out. */
extern void GroundingKeepNeeded(Grounding *grounding, const DecisionResult *result);

/* Leaves the judgements out whose judges the configuration does not name. */
extern void GroundingKeepConfigured(Grounding *grounding);

extern bool JudgesFailed(const JsonView *failed);
extern void DecidedMembersSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionOutcomeSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionDocumentSet(JsonView *body, const Grounding *grounding, const JsonView *retrieval,
								bool had_written, const DecisionResult *result);

#endif							/* ANSWER_EVAL_DECISION_RECEIPT_H */
