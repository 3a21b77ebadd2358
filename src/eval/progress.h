/*-------------------------------------------------------------------------
 *
 * progress.h
 *		Reports the progress of a batch of requests to other sessions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PROGRESS_H
#define ANSWER_EVAL_PROGRESS_H

extern void ProgressBegin(int requests);
extern void ProgressReport(int done, int refused);
extern void ProgressEnd(void);

#endif							/* ANSWER_EVAL_PROGRESS_H */
