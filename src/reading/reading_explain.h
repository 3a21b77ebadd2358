/*-------------------------------------------------------------------------
 *
 * reading_explain.h
 *		What was read in a text, to be looked at.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_EXPLAIN_H
#define ANSWER_EVAL_READING_EXPLAIN_H

#include "base/jsonview.h"
#include "reading/text.h"

#endif							/* ANSWER_EVAL_READING_EXPLAIN_H */
