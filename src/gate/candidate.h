/*-------------------------------------------------------------------------
 *
 * candidate.h
 *		A candidate configuration before the gate of an environment.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_CANDIDATE_H
#define ANSWER_EVAL_GATE_CANDIDATE_H

#include "base/jsonview.h"
#include "base/span.h"

/*
 * Runs an environment's suite with two whole configurations of portable form and
 * has the gate judge the candidate's run by the other one.  The result is
 * {candidate, baseline, outcome, failures, rules, runs}: ids of run/v1, all that
 * speaks against a pass, the rules in full, and what the gate read of both runs.
 * The schema is that of the extension's functions; SPI must be connected.
 */
extern JsonView CandidateGate(Oid schema, const text *tenant, const JsonView *state, const JsonView *candidate,
							  const JsonView *active);

/*
 * Runs the operator's suite of a name with a whole configuration, as the caller, and
 * gives the signed run, which it has verified.  SPI must be connected.
 */
extern char *SuiteDigestOf(const JsonView *suite);
extern void RequireOperatorsSuite(const JsonView *suite, const JsonView *stated, const char *suite_digest);
extern JsonView CandidateRun(Oid schema, const text *tenant, const JsonView *suite, const char *suite_digest,
							 const JsonView *config);

extern void GateRulesCheck(const JsonView *rules);

/* Does a gate's outcome follow from what it read?  Looks at nothing else. */
extern const char *CandidateGateProblem(const JsonView *state, const JsonView *gate, const JsonView *candidate_id);
extern const char *CandidateGateRuns(const JsonView *gate);

/* small questions that those who move configurations ask, too */

#endif							/* ANSWER_EVAL_GATE_CANDIDATE_H */
