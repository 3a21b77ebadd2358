/*-------------------------------------------------------------------------
 *
 * pinned_rules.h
 *		The rules of a decision or a plan, as its document has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PINNED_RULES_H
#define ANSWER_EVAL_PINNED_RULES_H

#include "base/jsonview.h"
#include "reading/decision_rules.h"

/* Makes the member "rules" of a document; absent where the digest of the rules is enough. */
extern JsonView PinnedRulesView(const JsonView *rules, const char *digest);

/*
 * Puts rules together that a member "rules" tells by what they differ in, and gives others as they
 * stand.  Absent where it is malformed or the base is not at hand.  Whoever asks compares the digest.
 */
extern JsonView PinnedRulesWhole(const JsonView *rules);

/* Says what is wrong with how a document names its rules; NULL: nothing. */
extern const char *PinnedRulesProblem(const JsonView *document);

/*
 * Compiles the rules that a document was decided by.  NULL, and *problem says why, if they
 * are malformed; NULL without a problem if they are not at hand.
 */
extern const DecisionRules *PinnedRulesCompile(const JsonView *document, const char **problem);

/* Gives "rules " and the digest that a document names them by. */
extern const char *PinnedRulesName(const JsonView *document);

#endif							/* ANSWER_EVAL_PINNED_RULES_H */
