/*-------------------------------------------------------------------------
 *
 * detached.h
 *		Tells an audit which receipts are kept elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DETACHED_H
#define ANSWER_EVAL_DETACHED_H

#include "document/retention.h"
#include "log/finding.h"

/* A range of leaves, named by one document. */
typedef struct DetachedRange
{
	LeafRange	leaves;
	uint64		found;			/* how many of them have no receipt here */
	const char *document;
	const char *kept_in;
} DetachedRange;

typedef struct DetachedLeaves
{
	MemoryContext context;
	int			count;
	int			allocated;
	DetachedRange *ranges;		/* in the order of the log */
} DetachedLeaves;

extern DetachedLeaves *ReadDetached(void);
extern bool IsDetached(const DetachedLeaves *detached, uint64 leaf_index);
extern bool NoteDetached(DetachedLeaves *detached, uint64 leaf_index);
extern void ReportDetached(Audit *audit, const DetachedLeaves *detached);

#endif							/* ANSWER_EVAL_DETACHED_H */
