/*-------------------------------------------------------------------------
 *
 * value.h
 *		Values of a text that is being read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_VALUE_H
#define ANSWER_EVAL_READING_VALUE_H

#include "reading/draft_reading.h"

/* Reads values; sentences and matches are read. */
extern void ValuesRead(Draft *draft);

#endif							/* ANSWER_EVAL_READING_VALUE_H */
