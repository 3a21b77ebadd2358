/*-------------------------------------------------------------------------
 *
 * reading_parts.h
 *		Declares what a reading is made of: items, values, names, sentences.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_READING_PARTS_H
#define ANSWER_EVAL_READING_READING_PARTS_H

#include "base/span.h"

/* Items of more characters weigh 2, any other 1. */
#define ITEM_LIGHT_CHARACTERS	4

/* The unit of a value that has none, and that of a time of day. */
#define VALUE_NO_UNIT			(-1)

typedef struct ReadItem
{
	Span		text;			/* a stem, or a value as it is printed */
	int			weight;			/* 1 or 2 */
} ReadItem;

/* A number with its unit, or without one. */
typedef struct ReadValue
{
	int32		begin;			/* bytes in the text, sign and unit included */
	int32		end;
	int32		first;			/* tokens of the number; its last one is end_token - 1 */
	int32		end_token;
	int32		unit;			/* a number of ReaderUnitName, or VALUE_NO_UNIT */
	int32		item;			/* of the number */
	Span		number;			/* plain decimal without needless zeros; of a clock its minutes */
} ReadValue;

/* A name: the items that must all stand where it is looked for.  One, or its parts. */
typedef struct ReadName
{
	int32		token;
	int32		item;			/* its stem */
	int32		first_part;		/* in the reading's parts; count 0 where it has none */
	int32		nparts;
} ReadName;

typedef struct ReadSentence
{
	int32		begin;			/* bytes: from its first character that is no white space */
	int32		end;			/* behind what closes it, trimmed */
	int32		first;			/* its tokens */
	int32		end_token;
	int32		first_item;		/* its distinct items, ascending, in the reading's sentence_items */
	int32		nitems;
	int32		first_all;		/* what every token of it gives, likewise, in the reading's sentence_all */
	int32		nall;
	int32		first_value;	/* its values, in the reading's values */
	int32		nvalues;
	int32		first_name;		/* its names, in the reading's names */
	int32		nnames;
	bool		asks;
	int32		nnegators;
	bool		negated;		/* by an odd number of them */
	bool		is_closed;		/* by a mark, and not by the end of a line or of the text */
	bool		is_heading_line;	/* a line that begins with # */
	bool		is_list_entry;	/* it stands in one */
	bool		opens_list_entry;	/* it is the first of one */
} ReadSentence;

#endif							/* ANSWER_EVAL_READING_READING_PARTS_H */
