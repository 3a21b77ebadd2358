/*-------------------------------------------------------------------------
 *
 * correction.h
 *		Counts answers again after judgements have come or gone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DASHBOARD_CORRECTION_H
#define ANSWER_EVAL_DASHBOARD_CORRECTION_H

#include "base/spi_query.h"
#include "document/tombstone.h"

/* For after_judging of judge/judge.h. */
extern FixedQuery correct_judged;

extern const EraseQueries rollup_erasing;

#endif							/* ANSWER_EVAL_DASHBOARD_CORRECTION_H */
