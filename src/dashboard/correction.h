/*-------------------------------------------------------------------------
 *
 * correction.h
 *		Corrects the counts of earlier answers when judgements are added or forgotten.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DASHBOARD_CORRECTION_H
#define ANSWER_EVAL_DASHBOARD_CORRECTION_H

#include "base/spi_query.h"
#include "document/tombstone.h"

/* Runs after judgements were written (after_judging in judge/judge.h). */
extern FixedQuery correct_judged;

extern const EraseQueries rollup_erasing;

#endif							/* ANSWER_EVAL_DASHBOARD_CORRECTION_H */
