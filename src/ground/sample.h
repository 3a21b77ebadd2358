/*-------------------------------------------------------------------------
 *
 * sample.h
 *		Samples: answers by which a candidate configuration is judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SAMPLE_H
#define ANSWER_EVAL_GROUND_SAMPLE_H

#include "datatype/timestamp.h"

#include "ground/environment.h"

/* Counts of a candidate's samples. */
typedef struct SampleCount
{
	int			required;
	int			counted;		/* distinct questions, at most required */
	int			different;		/* those on which the two configurations decide differently */
} SampleCount;

/* Keeps a stored receipt as a sample. SPI must be connected. */
extern void SampleKeep(const Serving *serving, const text *tenant, const JsonView *receipt, TimestampTz issued_at);

/*
 * Counts the samples of an environment since a revision that "served" decided, and
 * compares their decisions with those of "other"; both are in portable form.  SPI
 * must be connected, and the current role must be the owner of the tables.
 */
extern void SamplesCount(const text *tenant, Span environment, int since, const JsonView *served,
						 const JsonView *other, SampleCount *count);

/*
 * Records that an environment has moved.  SPI must be connected, and the current
 * role must be the owner of the tables.
 */
extern void HeadMove(const text *tenant, Span environment, int revision);

#endif							/* ANSWER_EVAL_GROUND_SAMPLE_H */
