/*-------------------------------------------------------------------------
 *
 * progress.h
 *		Tells other sessions how far a batch of requests is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PROGRESS_H
#define ANSWER_EVAL_PROGRESS_H

extern void ProgressBegin(int requests);
extern void ProgressReport(int done, int refused);
extern void ProgressEnd(void);

#endif							/* ANSWER_EVAL_PROGRESS_H */
