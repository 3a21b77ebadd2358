/*-------------------------------------------------------------------------
 *
 * value.h
 *		Finds the values in a text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_VALUE_H
#define ANSWER_EVAL_READING_VALUE_H

#include "reading/draft_reading.h"

/* Reads values. Sentences and matches must have been read. */
extern void ValuesRead(Draft *draft);

#endif							/* ANSWER_EVAL_READING_VALUE_H */
