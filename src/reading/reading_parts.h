/*-------------------------------------------------------------------------
 *
 * reading_parts.h
 *		The parts of a reading: items, values, names, sentences.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_READING_PARTS_H
#define ANSWER_EVAL_READING_READING_PARTS_H

#include "base/span.h"

/* Items with more characters weigh 2, others 1. */
#define ITEM_LIGHT_CHARACTERS	4

/* Unit of a value without a unit. */
#define VALUE_NO_UNIT			(-1)

typedef struct ReadItem
{
	Span		text;			/* a stem, or a value as printed */
	int			weight;			/* 1 or 2 */
} ReadItem;

/* A number, with or without a unit. */
typedef struct ReadValue
{
	int32		begin;			/* byte offset in the text; includes sign and unit */
	int32		end;
	int32		first;			/* first token of the number; the last one is end_token - 1 */
	int32		end_token;
	int32		unit;			/* as for ReaderUnitName, or VALUE_NO_UNIT */
	int32		item;			/* item of the number */
	Span		number;			/* plain decimal without needless zeros; minutes for a time of day */
} ReadValue;

/* A name. A text has it if it has its stem, or all of its parts. */
typedef struct ReadName
{
	int32		token;
	int32		item;			/* its stem */
	int32		first_part;		/* index in the reading's parts; count is 0 if it has none */
	int32		nparts;
} ReadName;

typedef struct ReadSentence
{
	int32		begin;			/* byte offset of its first character that is not white space */
	int32		end;			/* byte offset after the mark that closes it, trimmed */
	int32		first;			/* its tokens */
	int32		end_token;
	int32		first_item;		/* its distinct items, ascending; index in the reading's sentence_items */
	int32		nitems;
	int32		first_all;		/* items of all its tokens, likewise; index in the reading's sentence_all */
	int32		nall;
	int32		first_value;	/* its values; index in the reading's values */
	int32		nvalues;
	int32		first_name;		/* its names; index in the reading's names */
	int32		nnames;
	bool		asks;
	int32		nnegators;
	bool		negated;		/* is the number of negators odd? */
	bool		is_closed;		/* by a mark, and not only by the end of a line or the text */
	bool		is_heading_line;	/* is it a line that begins with #? */
	bool		is_list_entry;	/* is it in a list entry? */
	bool		opens_list_entry;	/* is it the first sentence of a list entry? */
} ReadSentence;

#endif							/* ANSWER_EVAL_READING_READING_PARTS_H */
