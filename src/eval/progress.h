/*-------------------------------------------------------------------------
 *
 * progress.h
 *		How far a batch of requests is, for other sessions to see.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PROGRESS_H
#define ANSWER_EVAL_PROGRESS_H

extern void ProgressBegin(int requests);
extern void ProgressReport(int done, int refused);
extern void ProgressEnd(void);

#endif							/* ANSWER_EVAL_PROGRESS_H */
