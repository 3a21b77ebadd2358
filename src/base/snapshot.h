/*-------------------------------------------------------------------------
 *
 * snapshot.h
 *		Finds the latest date that can be given to what a transaction sees.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SNAPSHOT_H
#define ANSWER_EVAL_SNAPSHOT_H

#include "datatype/timestamp.h"

extern void SnapshotWatch(void);
extern bool SnapshotInstant(TimestampTz now, TimestampTz *instant);
extern void RequireNoStandby(const char *what);
extern void RequirePrimary(const char *what);
extern void RequirePrimaryFor(Oid function);

#endif							/* ANSWER_EVAL_SNAPSHOT_H */
