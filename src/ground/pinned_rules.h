/*-------------------------------------------------------------------------
 *
 * pinned_rules.h
 *		The rules of a decision or a plan, as its document states them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PINNED_RULES_H
#define ANSWER_EVAL_PINNED_RULES_H

#include "base/jsonview.h"
#include "reading/decision_rules.h"

/* Makes the member "rules" of a document; absent if the digest of the rules is enough. */
extern JsonView PinnedRulesView(const JsonView *rules, const char *digest);

/*
 * Returns the whole rules document for a member "rules", which may give only the
 * differences from shipped rules.  Absent if it is malformed or the shipped rules
 * are not available.  The caller compares the digest.
 */
extern JsonView PinnedRulesWhole(const JsonView *rules);

/* Returns what is wrong with how a document states its rules, or NULL. */
extern const char *PinnedRulesProblem(const JsonView *document);

/*
 * Compiles the rules by which a document was decided.  Returns NULL and *problem if
 * they are malformed; NULL without a problem if they are not available.
 */
extern const DecisionRules *PinnedRulesCompile(const JsonView *document, const char **problem);

/* Returns "rules " and the digest that a document states for them. */
extern const char *PinnedRulesName(const JsonView *document);

#endif							/* ANSWER_EVAL_PINNED_RULES_H */
