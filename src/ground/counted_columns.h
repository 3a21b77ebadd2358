/*-------------------------------------------------------------------------
 *
 * counted_columns.h
 *		Says what the dashboard counts of a decision.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COUNTED_COLUMNS_H
#define ANSWER_EVAL_COUNTED_COLUMNS_H

#include "document/kind.h"

/* Fills the columns from is_answer on, of a document decision/v1. */
extern void DecisionCount(const JsonView *body, KindColumns *columns);

#endif							/* ANSWER_EVAL_COUNTED_COLUMNS_H */
