/*-------------------------------------------------------------------------
 *
 * composite.h
 *		The verdict of a batch of checks, and its confidence.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COMPOSITE_H
#define ANSWER_EVAL_COMPOSITE_H

#include "base/enums.h"
#include "base/jsonview.h"

/* The state of the aggregate, in eight bytes; see composite.c. */
typedef uint64 CompositeState;

typedef struct Composite
{
	CompositeVerdict verdict;
	int			hundredths;		/* confidence times 100 */
	bool		degraded;
	int64		checks;
} Composite;

extern CompositeState CompositeInit(void);
extern bool CompositeAdd(CompositeState *state, Verdict verdict,
						 double confidence, bool required);
extern Composite CompositeResult(CompositeState state);
extern int	ConfidenceHundredths(double confidence);
extern JsonView HundredthsView(int hundredths);

#endif							/* ANSWER_EVAL_COMPOSITE_H */
