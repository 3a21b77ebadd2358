/*-------------------------------------------------------------------------
 *
 * receipt.h
 *		The document decision/v1: what it holds, and deciding it again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_RECEIPT_H
#define ANSWER_EVAL_GROUND_RECEIPT_H

#include "ground/decision.h"
#include "ground/portable.h"

/*
 * All that a decision follows from.  Numbers are in portable form, as a document
 * has them, so that whoever reads the document sees what was decided on.
 */
typedef struct Grounding
{
	JsonView	query;			/* text */
	JsonView	chunks;			/* in the order in which they are ranked */
	JsonView	proposed;		/* {by, answer, citations, quotes?}; null: nothing was */
	JsonView	config;			/* all keys */
	JsonView	rules_document;
	const DecisionRules *rules; /* the same, compiled */
	TimestampTz evaluated_at;
	JsonView	detectors;		/* what became of users' detectors; absent: there are none */
	int			ndetected;
	const DetectedPairs *detected;	/* what they found */
} Grounding;

extern bool DetectorsFailed(const JsonView *detectors);
extern const char *DecisionUnder(const JsonView *document, const JsonView *config);
extern bool GroundingDecide(const Grounding *grounding, DecisionResult *result, const char **problem);
extern void DecidedMembersSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionOutcomeSet(JsonView *body, const Grounding *grounding, const DecisionResult *result);
extern void DecisionDocumentSet(JsonView *body, const Grounding *grounding, const JsonView *retrieval,
								bool by_text, bool had_written, const DecisionResult *result);

#endif							/* ANSWER_EVAL_GROUND_RECEIPT_H */
