/*-------------------------------------------------------------------------
 *
 * sample.h
 *		Answers by which a candidate configuration is judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SAMPLE_H
#define ANSWER_EVAL_GROUND_SAMPLE_H

#include "datatype/timestamp.h"

#include "ground/environment.h"

/* Holds what the samples of a candidate come to. */
typedef struct SampleCount
{
	int			required;
	int			counted;		/* different questions, up to what is required */
	int			different;		/* of them, about which the two decide differently */
} SampleCount;

/* Keeps a stored receipt as a sample.  SPI must be connected. */
extern void SampleKeep(const Serving *serving, const text *tenant, const JsonView *receipt, TimestampTz issued_at);

/*
 * Counts those of an environment since a revision, which "served" decided and
 * "other" is compared with, both of portable form.  As the owner of our tables; SPI must be connected.
 */
extern void SamplesCount(const text *tenant, Span environment, int since, const JsonView *served,
						 const JsonView *other, SampleCount *count);

/* Notes that an environment has moved.  As the owner of our tables; SPI must be connected. */
extern void HeadMove(const text *tenant, Span environment, int revision);

#endif							/* ANSWER_EVAL_GROUND_SAMPLE_H */
