/*-------------------------------------------------------------------------
 *
 * risk.h
 *		Says how much hangs on a question, and whether it is clear.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RISK_H
#define ANSWER_EVAL_RISK_H

#include "reading/decision_rules.h"

typedef enum RiskLevel
{
	RISK_LOW,
	RISK_MEDIUM,
	RISK_HIGH
} RiskLevel;

/* A question that was read by the rules. */
typedef struct Query
{
	const DecisionRules *rules;
	const Lexicon *lexicon;
	Words		words;
	Matches		matches;
} Query;

extern void QueryRead(const DecisionRules *rules, Span text, Query *query);
extern RiskLevel QueryRisk(const Query *query);

/* Does it ask for what is current? */
extern bool QueryAsksForCurrent(const Query *query);

/* Returns the result of answer.risk. */
extern JsonView QueryRiskView(const Query *query);

/* Finds the question to ask back; false if the query is clear. */
extern bool QueryAmbiguity(const Query *query, Span *question);

#endif							/* ANSWER_EVAL_RISK_H */
