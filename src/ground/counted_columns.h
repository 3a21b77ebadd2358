/*-------------------------------------------------------------------------
 *
 * counted_columns.h
 *		The columns of a decision that the dashboard counts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_COUNTED_COLUMNS_H
#define ANSWER_EVAL_COUNTED_COLUMNS_H

#include "document/kind.h"

/* Fills the columns from is_answer on, for a document decision/v1. */
extern void DecisionCount(const JsonView *body, KindColumns *columns);

#endif							/* ANSWER_EVAL_COUNTED_COLUMNS_H */
