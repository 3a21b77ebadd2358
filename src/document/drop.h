/*-------------------------------------------------------------------------
 *
 * drop.h
 *		Protects receipts from being dropped by accident.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DROP_H
#define ANSWER_EVAL_DROP_H

extern void DropGuardWatch(void);

#endif							/* ANSWER_EVAL_DROP_H */
