/*-------------------------------------------------------------------------
 *
 * decision_receipt.h
 *		The document decision/v1: its content, and its replay.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_RECEIPT_H
#define ANSWER_EVAL_DECISION_RECEIPT_H

#include "document/kind.h"
#include "ground/decision.h"
#include "ground/portable_numbers.h"

/* Prefix of the reason for a failed judge; the judge's name follows. */
#define JUDGE_FAILED_REASON	"judge_failed: "

/*
 * Everything that a decision depends on.  Numbers are in portable form, as in the
 * document, so that a reader sees the exact values that were used.
 */
typedef struct Grounding
{
	JsonView	query;			/* text */
	JsonView	chunks;			/* ranked */
	bool		keeps_order;	/* are they quoted in that order? */
	JsonView	proposed;		/* {by, answer, citations}; null: nothing was proposed */
	JsonView	config;			/* all keys */
	JsonView	config_changed; /* what the request changed in it; absent: nothing */
	JsonView	rules_document;
	const DecisionRules *rules; /* the same, compiled */
	TimestampTz evaluated_at;
	JsonView	judges;			/* [{name, model, version, …}] named by the configuration; absent: none */
	JsonView	judgements;		/* [{kind, pair, relation, score, judge, version, origin, by, judged_at}]; absent: none */
	JsonView	failed;			/* names of judges that failed; absent: none */
} Grounding;

extern const DocumentKind decision_kind;

/* Visits the judgements that a decision, or the evidence of a plan, rests on, and the pairs that it had still to be judged. */
extern void DecisionVisitJudged(const JsonView *needing, KindVisitor visit, void *arg);

extern const char *DecisionUnder(const JsonView *document, const JsonView *config);

/* Converts judgements for a decision. If they are malformed, returns NULL and the reason. */
extern Judgements *ReadableJudgements(const JsonView *judgements, const char **problem);

/* Set up the input of a decision, and decide. If anything is malformed, return false and one sentence. */
extern bool GroundingInput(const Grounding *grounding, DecisionConfig *config, DecisionInput *input,
						   const char **problem);
extern bool GroundingDecide(const Grounding *grounding, DecisionResult *result, const char **problem);

/* Removes judgements that the decision did not need. */
extern void GroundingKeepNeeded(Grounding *grounding, const DecisionResult *result);

/* Removes judgements by judges that the configuration does not name. */
extern void GroundingKeepConfigured(Grounding *grounding);

extern bool JudgesFailed(const JsonView *failed);
extern void DecidedMembersSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionOutcomeSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionDocumentSet(JsonView *body, const Grounding *grounding, const JsonView *retrieval,
								bool had_written, const DecisionResult *result);

#endif							/* ANSWER_EVAL_DECISION_RECEIPT_H */
