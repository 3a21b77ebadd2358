/*-------------------------------------------------------------------------
 *
 * gate.h
 *		Says whether a run is good enough.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_GATE_H
#define ANSWER_EVAL_GATE_GATE_H

#include "base/jsonview.h"

#define GATE_RULE	"gate/1"

/* Returns what a gate reads of a run: {run_id, suite, digests, summary, outcomes {case id: passed}}. */
extern JsonView RunBrief(const JsonView *run);

/*
 * Judges a run, or the brief of one, by rules (absent: the shipped ones), beside a
 * baseline (absent: none).  False, and one sentence, where one of them is malformed.
 */
extern bool GateJudge(const JsonView *run, const JsonView *rules, const JsonView *baseline,
					  JsonView *result, const char **problem);

#endif							/* ANSWER_EVAL_GATE_GATE_H */
