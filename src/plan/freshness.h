/*-------------------------------------------------------------------------
 *
 * freshness.h
 *		Decides whether the sources of an answer are too old.
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

/* What ages are judged by, in addition to the policy. */
typedef struct FreshnessScale
{
	const DecisionRules *rules; /* NULL: no age is judged */
	TimestampTz at;				/* evaluated_at */
	int			risk;			/* a RiskLevel: the higher of the plan's and the question's */
	bool		supersedes;		/* do newer sources replace older ones? */
} FreshnessScale;

/* Reads the risk that the plan states, and the risk of the question if vars has one. */
extern void FreshnessBegin(FreshnessScale *scale, const FreshnessTerms *terms, Span plan_risk, const JsonView *vars,
						   TimestampTz at, const DecisionRules *rules);

/* Returns the maximum age in days of sources for an array of claims; 0: no limit. */
extern int	FreshnessDays(const FreshnessScale *scale, const FreshnessTerms *terms, const JsonView *claims);

/*
 * Judges the age of the supporting sources, of evidence from ground.verify and of
 * other evidence with stamps.  Leaves evidence without stamps unchanged, because
 * nobody knows its age.
 */
extern void FreshnessJudge(const FreshnessScale *scale, const EvidencePolicy *policy, const JsonView *evidence,
						   EvidenceVerdict *verdict);

/* Is the instant more than so many days before "at", or missing? Never true for 0 days. */
extern bool InstantIsStale(bool has_instant, TimestampTz instant, int days, TimestampTz at);

/* Returns the text of the caveat that sources are older than so many days. */
extern char *StaleText(int days);

/*
 * Write these terms into the policy of a document, and read them; reading returns
 * false if they are malformed.
 */
extern void FreshnessTermsSet(JsonView *policy, const FreshnessTerms *terms);
extern bool FreshnessTermsOfView(const JsonView *policy, FreshnessTerms *terms);

/*
 * Returns the decision rules in force.  Sets their digest for the document, and the
 * rules document itself unless it is the shipped one.  Uses SPI.
 */
extern const DecisionRules *PlanRulesInForce(char *digest, JsonView *document);

/* Sets the instant by which decisions are made while a step of a plan calls a tool; NULL at all other times. */
extern void PlanClockSet(const TimestampTz *at);
extern TimestampTz PlanClock(void);

#endif							/* ANSWER_EVAL_PLAN_FRESHNESS_H */
