/*-------------------------------------------------------------------------
 *
 * snapshot.h
 *		Says how late something that a transaction sees can be dated.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SNAPSHOT_H
#define ANSWER_EVAL_SNAPSHOT_H

#include "datatype/timestamp.h"

extern void SnapshotWatch(void);
extern bool SnapshotInstant(TimestampTz now, TimestampTz *instant);
extern void RequirePrimary(const char *what);
extern void RequirePrimaryFor(Oid function);

#endif							/* ANSWER_EVAL_SNAPSHOT_H */
