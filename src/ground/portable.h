/*-------------------------------------------------------------------------
 *
 * portable.h
 *		Numbers of a document, which are texts there where a reader might lose digits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_PORTABLE_H
#define ANSWER_EVAL_GROUND_PORTABLE_H

#include "base/jsonview.h"

extern JsonView NumberOfPortable(const JsonView *value);
extern JsonView NumbersOfPortable(const JsonView *object);
extern JsonView ReadableChunks(const JsonView *chunks);

#endif							/* ANSWER_EVAL_GROUND_PORTABLE_H */
