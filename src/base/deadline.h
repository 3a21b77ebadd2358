/*-------------------------------------------------------------------------
 *
 * deadline.h
 *		Calls a function under a deadline and contains its failure.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DEADLINE_H
#define ANSWER_EVAL_DEADLINE_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"

/* Says why a contained call failed. */
typedef struct CallFailure
{
	char		sqlstate[6];
	char	   *message;		/* in the database's encoding */
} CallFailure;

typedef void (*ContainedCall) (void *arg);

extern int	CallFailureCode(const CallFailure *failure);
extern JsonView CallFailureMessage(const CallFailure *failure);
extern bool ContainedCallIsUnderWay(void);
extern bool CallContained(ContainedCall call, void *arg, TimestampTz deadline,
						  int deadline_ms, CallFailure *failure);
extern bool CallTried(ContainedCall call, void *arg, TimestampTz deadline,
					  int deadline_ms, CallFailure *failure);

#endif							/* ANSWER_EVAL_DEADLINE_H */
