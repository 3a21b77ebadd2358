/*-------------------------------------------------------------------------
 *
 * draft_reading.h
 *		A reading under construction, shared by the modules that make it.
 *
 * All positions are byte offsets in the plain text, which has no format characters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_DRAFT_READING_H
#define ANSWER_EVAL_READING_DRAFT_READING_H

#include "reading/reading_parts.h"
#include "reading/quantity.h"

/* A value, and what is attached to its digits. */
typedef struct DraftValue
{
	ReadValue	value;
	Span		joined;			/* an attached unit, folded, or empty */
} DraftValue;

typedef struct Draft
{
	const DecisionRules *rules;
	const Lexicon *lexicon;		/* of the words */
	const UnitNames *units;
	int			clock;			/* number of the unit for times of day */
	const int  *of_rule;		/* units, by number in the rules */
	const int  *of_sign;
	Words		words;
	Matches		matches;
	int			nsentences;
	int			capacity;
	ReadSentence *sentences;
	bool	   *behind_marker;	/* by token: is it the first one after the marker of a list entry? */
	int32	   *value_of;		/* by token: the value that it belongs to, or -1 */
	int			nvalues;
	int			values_capacity;
	DraftValue *values;
} Draft;

#endif							/* ANSWER_EVAL_READING_DRAFT_READING_H */
