/*-------------------------------------------------------------------------
 *
 * freshness.h
 *		Says how old the sources of an answer may be, and by what clock.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PLAN_FRESHNESS_H
#define ANSWER_EVAL_PLAN_FRESHNESS_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "plan/ground_conf.h"
#include "reading/decision_rules.h"

/* Holds what a plan's sources are judged by, beside its policy. */
typedef struct FreshnessScale
{
	const DecisionRules *rules; /* NULL: nothing is judged */
	TimestampTz at;				/* evaluated_at */
	int			risk;			/* a RiskLevel: the greater of the plan's and the question's */
	bool		supersedes;		/* do older sources give way? */
} FreshnessScale;

/* Reads what a plan says of its risk, and its question among the variables, where there is one. */
extern void FreshnessBegin(FreshnessScale *scale, const FreshnessTerms *terms, Span plan_risk, const JsonView *vars,
						   TimestampTz at, const DecisionRules *rules);

/* Returns how many days old the sources of some claims, an array, may be; 0: any age will do. */
extern int	FreshnessDays(const FreshnessScale *scale, const FreshnessTerms *terms, const JsonView *claims);

/*
 * Judges how old what supports is: of the evidence of ground.verify, and of any other
 * that tells stamps.  Of the rest nobody knows, and it is left as it is.
 */
extern void FreshnessJudge(const FreshnessScale *scale, const EvidencePolicy *policy, const JsonView *evidence,
						   EvidenceVerdict *verdict);

/* Is it strictly older than so many days, or none?  0 days: no. */
extern bool InstantIsStale(bool has_instant, TimestampTz instant, int days, TimestampTz at);

/* Returns the caveat of sources that are older than so many days. */
extern char *StaleText(int days);

/* They set the members of the policy of a document, and read them again; false if they are malformed. */
extern void FreshnessTermsSet(JsonView *policy, const FreshnessTerms *terms);
extern bool FreshnessTermsOfView(const JsonView *policy, FreshnessTerms *terms);

/*
 * Returns the rules of decisions in force, as a document names them: their digest, and
 * the document unless it ships; SPI.
 */
extern const DecisionRules *PlanRulesInForce(char *digest, JsonView *document);

/* Sets the instant that the decisions of a plan go by, while a step of it calls a tool; NULL: none does. */
extern void PlanClockSet(const TimestampTz *at);
extern TimestampTz PlanClock(void);

#endif							/* ANSWER_EVAL_PLAN_FRESHNESS_H */
