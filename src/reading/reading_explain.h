/*-------------------------------------------------------------------------
 *
 * reading_explain.h
 *		Shows how a text was read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_EXPLAIN_H
#define ANSWER_EVAL_READING_EXPLAIN_H

#include "base/jsonview.h"
#include "reading/text.h"

#endif							/* ANSWER_EVAL_READING_EXPLAIN_H */
