/*-------------------------------------------------------------------------
 *
 * text.h
 *		Reads a text: sentences, items, values, names, negation.
 *
 * All readings by one reader give equal items equal numbers, so texts can be
 * compared by numbers.  The reader and each text must outlive their readings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_READING_TEXT_H
#define ANSWER_EVAL_READING_TEXT_H

#include "reading/reading_parts.h"
#include "reading/quantity.h"

typedef struct Reader Reader;

/* Distinct numbers, ascending. */
typedef struct ItemSet
{
	int			count;
	int32	   *items;
} ItemSet;

typedef struct Reading
{
	const Reader *reader;
	Words		words;			/* tokens, with the clauses and sentences found here */
	Matches		matches;		/* of the lists of the rules */
	int			nsentences;
	ReadSentence *sentences;
	int32	   *sentence_items;
	int32	   *sentence_all;
	int			nvalues;
	ReadValue  *values;
	int			ndistinct;
	ReadValue  *distinct;		/* each pair of number and unit once, for lookups */
	int			nnames;
	ReadName   *names;
	int32	   *parts;			/* items of names' parts */
	ItemSet		items;			/* items of the text; for a question, those that are asked for */
	ItemSet		all;			/* items of all tokens, stop words and parts included */
} Reading;

extern Reader *ReaderBegin(const DecisionRules *rules);
extern ReadItem ReaderItem(const Reader *reader, int item);
extern const Lexicon *ReaderLexicon(const Reader *reader);
extern int	ReaderItemCount(const Reader *reader);
extern Span ReaderUnitName(const Reader *reader, int unit);
extern bool ReaderUnitIsClock(const Reader *reader, int unit);

/*
 * Splits a token as it is written into its parts, without the s of a plural of
 * capitals.  The token must have no format characters.
 */
#define TOKEN_MOST_PARTS(written)	((Size) (written).len / 2 + 1)
extern int	TokenParts(Span written, Span *parts);

/* Returns the text without its format characters; may return the text itself. */
extern Span TextWithoutFormat(Span text);

extern Reading *ReadText(Reader *reader, Span text);

/* Reads a question: tokens that only ask are no items, unless there are no others. */
extern Reading *ReadQuestion(Reader *reader, Span text);

/* Does any token of the text have this item? */
extern bool ReadingHas(const Reading *reading, int item);

/* Returns the index of an item in a set, or -1. */
static inline int
ItemSetPlace(const ItemSet *set, int item)
{
	int			low = 0;
	int			high = set->count;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (set->items[middle] == item)
			return middle;
		if (set->items[middle] < item)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

static inline bool
ItemSetHas(const ItemSet *set, int item)
{
	return ItemSetPlace(set, item) >= 0;
}

/* Does the text have an equal value? */
extern bool ReadingHasValue(const Reading *reading, const ReadValue *value);
extern bool ReadValuesEqual(const ReadValue *a, const ReadValue *b);

/* Compares the numbers of two values with the same unit. */
extern int	ReadValueCompare(const ReadValue *a, const ReadValue *b);

/* Does the text contain the name: its stem, or all its parts? "name" belongs to the reading "of". */
extern bool ReadingHasName(const Reading *reading, const Reading *of, const ReadName *name);

extern bool ItemSetHasName(const ItemSet *all, const Reading *of, const ReadName *name);

/* Return the items of all tokens of a sentence, and the items of the sentence. */
extern ItemSet ReadSentenceAll(const Reading *reading, int sentence);
extern ItemSet ReadSentenceItems(const Reading *reading, int sentence);

/* Returns the number of a value as printed: a plain decimal, or h:mm for a time of day. */
extern char *ReadValueText(const Reader *reader, const ReadValue *value);

/* Return the text of a sentence, and of a value and a name as they are written, without format characters. */
extern Span ReadSentenceText(const Reading *reading, int sentence);
extern Span ReadValueSource(const Reading *reading, const ReadValue *value);
extern Span ReadNameSource(const Reading *reading, const ReadName *name);

/*
 * Does the text contain the tokens of another text, in a row?  False if that has no
 * tokens.  Both must have the same reader.
 */
extern bool ReadingHasRun(const Reading *reading, const Reading *run);

#endif							/* ANSWER_EVAL_READING_TEXT_H */
