/*-------------------------------------------------------------------------
 *
 * sketch.h
 *		Sketches of texts: an upper bound of a text's similarity to a question.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_SKETCH_H
#define ANSWER_EVAL_GROUND_SKETCH_H

#include "reading/text_score.h"

#define SKETCH_MAX_ITEMS	256 /* of a question */
#define SKETCH_MAX_MARKS	384 /* for the items, names and values of a question; those beyond the limit are not
								 * looked up in sketches */
#define SKETCH_BITS			(SKETCH_MAX_MARKS / 64)

/* A subset of the marks of a question. */
typedef struct MarkSet
{
	uint64		bits[SKETCH_BITS];
} MarkSet;

/* An item of a question. */
typedef struct SketchItem
{
	Span		item;
	int			weight;
	int			needs;			/* number of names and values that only a text with this item can have */
} SketchItem;

/* A name or value of a question. A text can have it only if it has all marks of one of these sets. */
typedef struct SketchNeed
{
	MarkSet		ways[3];
} SketchNeed;

/* A question, prepared for comparison with sketches. */
typedef struct SketchQuery
{
	int			nitems;
	SketchItem *items;
	int			weight;			/* total of all items */
	int			nneeds;			/* names and values */
	int			nuntold;		/* names and values that are linked to no item */
	int			nasked;			/* names and values that are looked up in sketches */
	SketchNeed *needs;
	int			nmarks;
	int			nwords;			/* of 64 marks each */
	uint16	   *marks;			/* ascending */
	int		   *weights;		/* by mark: weight of its items */
	uint64	   *filter;			/* a bit for each possible mark */
} SketchQuery;

/* Items of a text, each once. */
typedef struct ItemList
{
	int			count;
	Span	   *items;
} ItemList;

/* Returns the sketch of a text with its title, the items of both together, and the items of the title. */
extern bytea *SketchMake(const DecisionRules *rules, Span content, Span title, ItemList *items, ItemList *title_items);

/* Prepares a question. One with more than SKETCH_MAX_ITEMS items has no items then. */
extern void SketchQuestion(SketchQuery *query, const DecisionRules *rules, Span text);

/* Returns the highest possible score of a text with items of this weight, and this many names and values. */
extern int	SketchMostOfWeight(const SketchQuery *query, int weight, int needs);

/* Returns the highest possible score of the text of a sketch. */
extern int	SketchMost(const SketchQuery *query, const uint8 *sketch, int len);

/* Returns the exact score of a text. */
extern int	TextScore(const DecisionRules *rules, Span question, Span content, Span title);

#endif							/* ANSWER_EVAL_GROUND_SKETCH_H */
