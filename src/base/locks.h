/*-------------------------------------------------------------------------
 *
 * locks.h
 *		The locks of our own, which no statement of SQL can take.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_LOCKS_H
#define ANSWER_EVAL_LOCKS_H

#include "c.h"
#include "storage/lock.h"

#include "base/span.h"

/* Says what a lock is about. pg_locks shows the number as objsubid of an advisory lock. */
typedef enum AnswerLock
{
	LOCK_KEYS = 0xAE,			/* which key signs, and what it signs */
	LOCK_LOG,					/* who seals the log */
	LOCK_CHANGE,				/* who records the changes of a thing */
	LOCK_PLANS,					/* turns of plans: see plan/plan_locks.h, like the next */
	LOCK_BUDGET,
	LOCK_CAPS,
	LOCK_BUCKET,
	LOCK_TRACE,
	LOCK_LOAD,					/* who loads a thing in its next version */
	LOCK_FORGET					/* what of a tenant's is stored, or forgotten */
} AnswerLock;

/* Makes the tag of a lock of the whole database, of which there can be several by number. */
extern void AnswerLockTag(LOCKTAG *tag, AnswerLock lock, uint32 number);

/* Makes the tag of a lock of something that belongs to a tenant, by its kind, or "", and its name, or "". */
extern void TenantLockTag(LOCKTAG *tag, AnswerLock lock, const text *tenant, Span kind, Span name);

/*
 * Waits for a lock, and holds it to the end of the transaction.  NULL if it is taken;
 * else the error that taking it raised, in the current memory context, and the
 * transaction can go on.
 */
extern ErrorData *LockContained(const LOCKTAG *tag, LOCKMODE mode);

/* Waits until nobody else loads a tenant's thing in its next version, and keeps others from it to the end of the transaction. */
extern void LockLoad(const text *tenant, Span kind, Span name);

#endif							/* ANSWER_EVAL_LOCKS_H */
