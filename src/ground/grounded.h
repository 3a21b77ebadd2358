/*-------------------------------------------------------------------------
 *
 * grounded.h
 *		Answers a question without making a receipt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUNDED_H
#define ANSWER_EVAL_GROUNDED_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "judge/pinned.h"

/* A question, and everything that its answer depends on. */
typedef struct GroundedTrial
{
	const text *tenant;			/* who asks; decides what counts as forgotten */
	const text *documents;		/* the tenant whose documents are searched */
	TimestampTz now;			/* the instant by which chunks are judged */
	JsonView	query;			/* text */
	JsonView	options;		/* as for answer_grounded(); its judgements take precedence over those of judges */
	Pinning    *pinning;		/* the configuration; and are judges asked about pairs that the options do not judge? */
	int			judging_ms;		/* time limit for that */
	JsonView	found;			/* out: the chunks found, in portable form */
} GroundedTrial;

extern JsonView GroundedTry(GroundedTrial *trial);

#endif							/* ANSWER_EVAL_GROUNDED_H */
