/*-------------------------------------------------------------------------
 *
 * sketch.h
 *		Keeps in short what a text has: how similar to a question it can be at most.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SKETCH_H
#define ANSWER_EVAL_GROUND_SKETCH_H

#include "reading/text_score.h"

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

/* A name or value of a question: a text that has none of these sets of marks whole does not have it. */
typedef struct SketchNeed
{
	MarkSet		ways[3];
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
	int			nwords;			/* of 64 marks each */
	uint16	   *marks;			/* ascending */
	int		   *weights;		/* of the items with a mark */
	uint64	   *filter;			/* a bit for each mark that there can be */
} SketchQuery;

/* Items of a text, each once. */
typedef struct ItemList
{
	int			count;
	Span	   *items;
} ItemList;

/* Reads a text and its title: the sketch, and what the text with the title has, and what the title has. */
extern bytea *SketchMake(const DecisionRules *rules, Span content, Span title, ItemList *items, ItemList *title_items);

/* Reads a question; it is as good as none where it has more than SKETCH_MAX_ITEMS items. */
extern void SketchQuestion(SketchQuery *query, const DecisionRules *rules, Span text);

/* Returns the most that a text can come to that has items of so much weight, and so many names and values. */
extern int	SketchMostOfWeight(const SketchQuery *query, int weight, int needs);

/* Does the same for the text of a sketch. */
extern int	SketchMost(const SketchQuery *query, const uint8 *sketch, int len);

/* Returns what it does come to. */
extern int	TextScore(const DecisionRules *rules, Span question, Span content, Span title);

#endif							/* ANSWER_EVAL_GROUND_SKETCH_H */
