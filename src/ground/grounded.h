/*-------------------------------------------------------------------------
 *
 * grounded.h
 *		Says what would come of a question, without a receipt.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUNDED_H
#define ANSWER_EVAL_GROUNDED_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "judge/pinned.h"

/* A question, and all that it is answered by. */
typedef struct GroundedTrial
{
	const text *tenant;			/* who asks: what was forgotten */
	const text *documents;		/* the tenant whose documents are searched */
	TimestampTz now;			/* the instant at which they are judged */
	JsonView	query;			/* text */
	JsonView	options;		/* as of answer_grounded(); its judgements come before what judges say */
	Pinning    *pinning;		/* its configuration; and are judges asked for what the options do not say? */
	int			judging_ms;		/* how long that may take */
	JsonView	found;			/* out: the chunks, in portable form */
} GroundedTrial;

extern JsonView GroundedTry(GroundedTrial *trial);

#endif							/* ANSWER_EVAL_GROUNDED_H */
