/*-------------------------------------------------------------------------
 *
 * extract.h
 *		Makes an answer from quotes alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_EXTRACT_H
#define ANSWER_EVAL_EXTRACT_H

#include "base/jsonview.h"

/* Returns {by, answer, citations}, made from the quotes of a decision, [{chunk_id, text}], in their order. */
extern JsonView ExtractAnswer(const JsonView *quotes);

#endif							/* ANSWER_EVAL_EXTRACT_H */
