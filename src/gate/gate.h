/*-------------------------------------------------------------------------
 *
 * gate.h
 *		The gate: decides whether a run is good enough.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_GATE_H
#define ANSWER_EVAL_GATE_GATE_H

#include "base/jsonview.h"

#define GATE_RULE	"gate/1"

/* Returns what the gate reads of a run: {run_id, suite, digests, summary, outcomes {case id: passed}}. */
extern JsonView RunBrief(const JsonView *run);

/*
 * Judges a run, or the brief of one, by rules (absent: the shipped ones) and
 * against a baseline (absent: none).  If one of them is malformed, returns false
 * and one sentence.
 */
extern bool GateJudge(const JsonView *run, const JsonView *rules, const JsonView *baseline,
					  JsonView *result, const char **problem);

#endif							/* ANSWER_EVAL_GATE_GATE_H */
