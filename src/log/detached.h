/*-------------------------------------------------------------------------
 *
 * detached.h
 *		Tells an audit which receipts are kept elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DETACHED_H
#define ANSWER_EVAL_DETACHED_H

#include "log/finding.h"

typedef struct DetachedLeaves DetachedLeaves;

extern DetachedLeaves *ReadDetached(void);
extern int	CountDetached(const DetachedLeaves *detached);
extern bool IsDetached(const DetachedLeaves *detached, uint64 leaf_index);
extern void NoteDetached(DetachedLeaves *detached, uint64 leaf_index);
extern void ReportDetached(Audit *audit, const DetachedLeaves *detached);

#endif							/* ANSWER_EVAL_DETACHED_H */
