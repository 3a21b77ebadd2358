/*-------------------------------------------------------------------------
 *
 * text.h
 *		A text as it is read: sentences, items, values, names, negation.
 *
 * Readings of one reader number the same items alike, so that texts are compared
 * by numbers.  The reader, and each text, must outlive what is read of it.
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
	Words		words;			/* tokens; their clauses and sentences are those that are read here */
	Matches		matches;		/* of the lists of the rules */
	int			nsentences;
	ReadSentence *sentences;
	int32	   *sentence_items;
	int32	   *sentence_all;
	int			nvalues;
	ReadValue  *values;
	int			ndistinct;
	ReadValue  *distinct;		/* each number with each unit once, for finding */
	int			nnames;
	ReadName   *names;
	int32	   *parts;			/* items of names' parts */
	ItemSet		items;			/* the text's items; of a question, those that are asked for */
	ItemSet		all;			/* what every token gives, stop words and parts included: what the text has */
} Reading;

extern Reader *ReaderBegin(const DecisionRules *rules);
extern ReadItem ReaderItem(const Reader *reader, int item);
extern const Lexicon *ReaderLexicon(const Reader *reader);
extern int	ReaderItemCount(const Reader *reader);
extern Span ReaderUnitName(const Reader *reader, int unit);
extern bool ReaderUnitIsClock(const Reader *reader, int unit);

/*
 * The parts of a token as it is written, without the s of a plural of capitals;
 * it holds no format character.
 */
#define TOKEN_MOST_PARTS(written)	((Size) (written).len / 2 + 1)
extern int	TokenParts(Span written, Span *parts);

/* Returns the text without its format characters; it may be the same. */
extern Span TextWithoutFormat(Span text);

extern Reading *ReadText(Reader *reader, Span text);

/* Does the same; tokens that only ask are no items, as long as others are there. */
extern Reading *ReadQuestion(Reader *reader, Span text);

/* Does any token of the text give the item? */
extern bool ReadingHas(const Reading *reading, int item);
extern bool ItemSetHas(const ItemSet *set, int item);

/* Has the text, or one sentence of it, an equal value? */
extern bool ReadingHasValue(const Reading *reading, const ReadValue *value);
extern bool ReadValuesEqual(const ReadValue *a, const ReadValue *b);

/* Compares values of one unit by their numbers. */
extern int	ReadValueCompare(const ReadValue *a, const ReadValue *b);

/* Does the name stand in the text: its stem, or all its parts?  "name" is one of the reading "of". */
extern bool ReadingHasName(const Reading *reading, const Reading *of, const ReadName *name);

extern bool ItemSetHasName(const ItemSet *all, const Reading *of, const ReadName *name);

/* Returns what every token of a sentence gives, and its items. */
extern ItemSet ReadSentenceAll(const Reading *reading, int sentence);
extern ItemSet ReadSentenceItems(const Reading *reading, int sentence);

/* Returns the number of a value as it is printed: a plain decimal, a clock as h:mm. */
extern char *ReadValueText(const Reader *reader, const ReadValue *value);

/* Returns the text of a sentence; of a value as it stands there, and of a name, without format characters. */
extern Span ReadSentenceText(const Reading *reading, int sentence);
extern Span ReadValueSource(const Reading *reading, const ReadValue *value);
extern Span ReadNameSource(const Reading *reading, const ReadName *name);

/* Do the tokens of another text of the same reader stand in this one, next to each other?  Not if it has none. */
extern bool ReadingHasRun(const Reading *reading, const Reading *run);

#endif							/* ANSWER_EVAL_READING_TEXT_H */
