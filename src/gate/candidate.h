/*-------------------------------------------------------------------------
 *
 * candidate.h
 *		Judges a candidate configuration by the gate of an environment.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_CANDIDATE_H
#define ANSWER_EVAL_GATE_CANDIDATE_H

#include "base/jsonview.h"
#include "base/span.h"

/*
 * Runs an environment's suite with two complete configurations in portable form,
 * and has the gate judge the candidate's run against the other one.  The result is
 * {candidate, baseline, outcome, failures, rules, runs}: ids of run/v1, all reasons
 * against a pass, the rules in full, and what the gate read of both runs.  The
 * schema is that of the extension's functions.  SPI must be connected.
 */
extern JsonView CandidateGate(Oid schema, const text *tenant, const JsonView *state, const JsonView *candidate,
							  const JsonView *active);

extern char *SuiteDigestOf(const JsonView *suite);
extern void RequireOperatorsSuite(const JsonView *suite, const JsonView *stated, const char *suite_digest);

/*
 * Runs the operator's suite with a complete configuration, as the caller, and returns
 * the signed run after verifying it.  SPI must be connected.
 */
extern JsonView CandidateRun(Oid schema, const text *tenant, const JsonView *suite, const char *suite_digest,
							 const JsonView *config);

extern void GateRulesCheck(const JsonView *rules);

/* Returns the problem if a gate's outcome does not follow from what the document says it read, or NULL. */
extern const char *CandidateGateProblem(const JsonView *state, const JsonView *gate, const JsonView *candidate_id);

/* Compares what the gate read with the stored runs: "same", "changed" or "absent". */
extern const char *CandidateGateRuns(const JsonView *gate);


#endif							/* ANSWER_EVAL_GATE_CANDIDATE_H */
