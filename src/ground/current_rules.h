/*-------------------------------------------------------------------------
 *
 * current_rules.h
 *		Decides by the rules and the configuration in force.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CURRENT_RULES_H
#define ANSWER_EVAL_CURRENT_RULES_H

#include "ground/decision.h"
#include "judge/pinned.h"

/* Return the rules and the configuration in force, for functions whose caller gives none. */
extern const DecisionRules *CurrentDecisionRules(void);
extern void CurrentDecisionConfig(const text *tenant, const Pinning *pinning, const Span *question,
								  DecisionConfig *config);

/* Returns the rules in force for an audit. If the stored ones cannot be used, returns NULL and the reason. */
extern const DecisionRules *DecisionRulesIfGood(char **problem);

/* Returns the rules in force, also as a document. SPI must be connected. */
extern const DecisionRules *CurrentRules(JsonView *document);

/*
 * Returns the rules in force at the first call of a function in a query.  The
 * function must not keep anything else in fn_extra.
 */
extern const DecisionRules *RulesOfCall(FunctionCallInfo fcinfo);

#endif							/* ANSWER_EVAL_CURRENT_RULES_H */
