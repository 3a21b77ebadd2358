/*-------------------------------------------------------------------------
 *
 * current_rules.h
 *		Deciding by the rules and the configuration that are in force.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CURRENT_RULES_H
#define ANSWER_EVAL_CURRENT_RULES_H

#include "ground/decision.h"
#include "judge/pinned.h"

/* Returns the rules in force, for a function whose caller gives no rules, or no configuration. */
extern const DecisionRules *CurrentDecisionRules(void);
extern void CurrentDecisionConfig(const text *tenant, const Pinning *pinning, const Span *question,
								  DecisionConfig *config);

/* Does the same for an audit: NULL if no decision could be made by what is stored, with the reason. */
extern const DecisionRules *DecisionRulesIfGood(char **problem);

/* Does the same, and gives the rules as a document too; SPI must be connected. */
extern const DecisionRules *CurrentRules(JsonView *document);

/*
 * Returns the rules in force when a function is called first in a query; it must keep
 * nothing else in fn_extra.
 */
extern const DecisionRules *RulesOfCall(FunctionCallInfo fcinfo);

#endif							/* ANSWER_EVAL_CURRENT_RULES_H */
