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

/* {"sentences": [{"text", "start", "end", "items", "values", "names", "negated", "asks"}]}; borrows from the reading. */
extern JsonView ReadingView(const Reading *reading);

#endif							/* ANSWER_EVAL_READING_EXPLAIN_H */
