/*-------------------------------------------------------------------------
 *
 * search.h
 *		Bisects a sorted array.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SEARCH_H
#define ANSWER_EVAL_SEARCH_H

/*
 * Moves "place" to the first index for which "is_before" is false, or to "end".
 * "is_before" is an expression of the index "at":
 *
 *	int			place = 0;
 *
 *	FIRST_PLACE(place, count, at, SpanOrder(names[at], name) < 0);
 */
#define FIRST_PLACE(place, end, at, is_before) \
	do { \
		int			end_ = (end); \
		while ((place) < end_) \
		{ \
			int			at = (place) + (end_ - (place)) / 2; \
			if (is_before) \
				(place) = at + 1; \
			else \
				end_ = at; \
		} \
	} while (0)

#endif							/* ANSWER_EVAL_SEARCH_H */
