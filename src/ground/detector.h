/*-------------------------------------------------------------------------
 *
 * detector.h
 *		Users' detectors of conflicts: the registry, and calling them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DETECTOR_H
#define ANSWER_EVAL_DETECTOR_H

#include "ground/decision.h"

/* What all calls of one question share. */
typedef struct DetectorTerms
{
	const text *tenant;
	TimestampTz deadline;
	int			deadline_ms;
	bool		read_only;		/* what writes fails */
} DetectorTerms;

/* What they came to. */
typedef struct Detection
{
	JsonView	outcomes;		/* [{name, outcome, sqlstate?, message?}], by name; absent: there are none */
	int			ndetected;
	DetectedPairs *detected;
} Detection;

extern void DetectConflicts(const JsonView *chunks, const DetectorTerms *terms, Detection *detection);
extern JsonView DetectorsRegistered(const text *tenant);
extern bool DetectorsFailed(const JsonView *outcomes);

#endif							/* ANSWER_EVAL_DETECTOR_H */
