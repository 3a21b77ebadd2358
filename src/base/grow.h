/*-------------------------------------------------------------------------
 *
 * grow.h
 *		Makes room for one more element of an array that doubles as it fills.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROW_H
#define ANSWER_EVAL_GROW_H

#include "utils/palloc.h"

/* The first allocation has room for "least" elements and uses the current memory context. */
#define GROW_ARRAY(array, count, capacity, least) \
	do { \
		if ((count) == (capacity)) \
		{ \
			(capacity) = Max((capacity) * 2, (least)); \
			(array) = (array) ? \
				repalloc_huge((array), sizeof(*(array)) * (Size) (capacity)) : \
				palloc(sizeof(*(array)) * (Size) (capacity)); \
		} \
	} while (0)

#endif							/* ANSWER_EVAL_GROW_H */
