/*-------------------------------------------------------------------------
 *
 * sketch.h
 *		What a text has, in short: how similar to a question it can be at most.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SKETCH_H
#define ANSWER_EVAL_GROUND_SKETCH_H

#include "reading/rules.h"
#include "reading/score.h"

#define SKETCH_MAX_ITEMS	256 /* of a question */
#define SKETCH_MAX_MARKS	384 /* of its items, names and values; of what is beyond that no sketch is asked */
#define SKETCH_BITS			(SKETCH_MAX_MARKS / 64)

/* Some of the marks of a question. */
typedef struct MarkSet
{
	uint64		bits[SKETCH_BITS];
} MarkSet;

/* An item of a question. */
typedef struct SketchItem
{
	Span		item;
	int			weight;
	int			needs;			/* names of the question that no text without this item has */
} SketchItem;

/* A name or value of a question: a text that has neither of two sets of marks does not have it. */
typedef struct SketchNeed
{
	MarkSet		ways[2];
} SketchNeed;

/* A question. */
typedef struct SketchQuery
{
	int			nitems;
	SketchItem *items;
	int			weight;			/* of all items */
	int			nneeds;			/* names and values */
	int			nuntold;		/* of these, such of which no item tells */
	int			nasked;			/* of these, such of which a sketch tells */
	SketchNeed *needs;
	int			nmarks;
	uint16	   *marks;			/* ascending */
	int		   *weights;		/* of the items with a mark */
	uint64	   *filter;			/* a bit for each mark that there can be */
} SketchQuery;

/* Items are marked by 16 bits; 0 stands between sentences. */
extern uint16 SketchMark(Span item);
extern void SketchSetMarks(SketchQuery *query, uint16 *marks, int count);
extern int	SketchMarkPlace(const SketchQuery *query, uint16 mark);

extern int	SketchMostOfWeight(const SketchQuery *query, int weight, int needs);
extern int	SketchMost(const SketchQuery *query, const uint8 *sketch, int len);

#endif							/* ANSWER_EVAL_GROUND_SKETCH_H */
