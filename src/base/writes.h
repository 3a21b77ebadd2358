/*-------------------------------------------------------------------------
 *
 * writes.h
 *		Says whether a transaction has written anything other than our own rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_WRITES_H
#define ANSWER_EVAL_WRITES_H

extern int64 WritesEnter(void);
extern bool TransactionHasWritten(int64 entered);
extern bool OwnWritesBegin(void);
extern void OwnWritesEnd(bool had_written);

#endif							/* ANSWER_EVAL_WRITES_H */
