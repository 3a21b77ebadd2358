/*-------------------------------------------------------------------------
 *
 * locks.h
 *		Our own locks, which no SQL statement can take.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LOCKS_H
#define ANSWER_EVAL_LOCKS_H

#include "c.h"
#include "storage/lock.h"

#include "base/span.h"

/* What a lock protects.  In pg_locks it is the objsubid of an advisory lock. */
typedef enum AnswerLock
{
	LOCK_KEYS = 0xAE,			/* the choice of the signing key, and its use until commit */
	LOCK_LOG,					/* sealing of the log */
	LOCK_CHANGE,				/* recording of changes to one object */
	LOCK_PLANS,					/* this and the next four: see plan/plan_locks.h */
	LOCK_BUDGET,
	LOCK_CAPS,
	LOCK_BUCKET,
	LOCK_TRACE,
	LOCK_LOAD,					/* loading of something's next version */
	LOCK_FORGET					/* storing and forgetting of a tenant's content */
} AnswerLock;

/* Makes the tag of a lock that concerns the whole database.  The number distinguishes several. */
extern void AnswerLockTag(LOCKTAG *tag, AnswerLock lock, uint32 number);

/* Makes the tag of a lock on something of a tenant, given its kind and name.  Either may be "". */
extern void TenantLockTag(LOCKTAG *tag, AnswerLock lock, const text *tenant, Span kind, Span name);

/*
 * Waits for a lock and holds it until the end of the transaction.  Returns NULL if the
 * lock was taken.  Otherwise it returns the error, in the current memory context, and
 * the transaction can go on.
 */
extern ErrorData *LockContained(const LOCKTAG *tag, LOCKMODE mode);

/* Keeps others from loading the next version of a tenant's thing, until the end of the transaction. */
extern void LockLoad(const text *tenant, Span kind, Span name);

#endif							/* ANSWER_EVAL_LOCKS_H */
