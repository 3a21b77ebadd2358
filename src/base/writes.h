/*-------------------------------------------------------------------------
 *
 * writes.h
 *		Says what a transaction has written, beside what we write for ourselves.
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
