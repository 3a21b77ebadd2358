/*-------------------------------------------------------------------------
 *
 * portable_numbers.h
 *		Numbers of a document. Those that a reader might round are texts there.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_PORTABLE_NUMBERS_H
#define ANSWER_EVAL_GROUND_PORTABLE_NUMBERS_H

#include "base/jsonview.h"

extern JsonView NumberOfPortable(const JsonView *value);
extern JsonView NumbersOfPortable(const JsonView *object);
extern JsonView ReadableChunks(const JsonView *chunks);

#endif							/* ANSWER_EVAL_GROUND_PORTABLE_NUMBERS_H */
