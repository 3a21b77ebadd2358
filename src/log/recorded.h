/*-------------------------------------------------------------------------
 *
 * recorded.h
 *		Lists of the rows that are there when the log is sealed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_RECORDED_H
#define ANSWER_EVAL_RECORDED_H

#define RECORDED_ITEM_LENGTH	24

extern void SealRows(void);

#endif							/* ANSWER_EVAL_RECORDED_H */
