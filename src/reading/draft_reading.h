/*-------------------------------------------------------------------------
 *
 * draft_reading.h
 *		A reading that is being made; for the modules that make it.
 *
 * All places in it are bytes of the plain text, which has no format characters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_DRAFT_READING_H
#define ANSWER_EVAL_READING_DRAFT_READING_H

#include "reading/reading_parts.h"
#include "reading/quantity.h"

/* A value, and what is joined to its digits. */
typedef struct DraftValue
{
	ReadValue	value;
	Span		joined;			/* a unit, folded, or empty */
} DraftValue;

typedef struct Draft
{
	const DecisionRules *rules;
	const Lexicon *lexicon;		/* of the words */
	const UnitNames *units;
	int			clock;			/* the number of the unit of times of day */
	const int  *of_rule;		/* units by number in the rules */
	const int  *of_sign;
	Words		words;
	Matches		matches;
	int			nsentences;
	int			capacity;
	ReadSentence *sentences;
	bool	   *behind_marker;	/* by token: is it the first behind the marker of a list? */
	int32	   *value_of;		/* by token: the value that it stands in, or -1 */
	int			nvalues;
	int			values_capacity;
	DraftValue *values;
} Draft;

#endif							/* ANSWER_EVAL_READING_DRAFT_READING_H */
