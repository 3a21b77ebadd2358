/*-------------------------------------------------------------------------
 *
 * pattern.h
 *		The pattern of a route.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_PATTERN_H
#define ANSWER_EVAL_PATTERN_H

#include "route/question.h"

#define PATTERN_MAX_LENGTH		4000	/* bytes */
#define PATTERN_MAX_ELEMENTS	256
#define PATTERN_MAX_SLOTS		16
#define PATTERN_MAX_DEPTH		16
#define LIST_MAX_VALUES			10000
#define LIST_MAX_WORDS			8	/* per value */
#define LIST_MAX_LENGTH			1000	/* per value, in bytes */

#define BITS_WORDS				(PATTERN_MAX_ELEMENTS / 64)

/* A set of a pattern's elements. */
typedef struct Bits
{
	uint64		w[BITS_WORDS];
} Bits;

typedef enum SlotType
{
	SLOT_WORD,
	SLOT_WORDS,
	SLOT_TEXT,
	SLOT_NUMBER,
	SLOT_INTEGER,
	SLOT_AMOUNT,
	SLOT_COUNT,
	SLOT_SEMVER,
	SLOT_DATE,
	SLOT_INSTANT,
	SLOT_BOOLEAN,
	SLOT_LIST
} SlotType;

/* One value of a list: the words that ask for it, separated by single spaces, and the value. */
typedef struct Phrase
{
	Span		folded;			/* first, for SpanCompareItems() */
	int			nwords;
	bool		plural;			/* is it the plural of the value? */
	Span		value;
} Phrase;

/* The phrases are sorted by length and bytes of "folded". */
typedef struct PhraseList
{
	int			count;
	Phrase	   *phrases;
	int			max_words;
} PhraseList;

typedef struct Slot
{
	Span		name;
	SlotType	type;
	PhraseList *list;			/* for SLOT_LIST, set by the owner of the pattern */
} Slot;

/* A literal word, or a place where a slot takes words. */
typedef struct Element
{
	int			slot;			/* -1 for a literal */
	Span		folded;			/* for a literal */
	int32		literal;		/* for a literal, its number in a dictionary */
	uint16		word_kinds;		/* kinds of the literal as a word */
	uint16		kinds;			/* kinds that the slot takes; 0 for a list */
	int			begin;			/* position in the pattern's text */
	int			end;
} Element;

typedef struct Pattern
{
	Span		text;
	int			nelements;
	Element    *elements;
	int			nwords;			/* how many words of a Bits are in use */
	bool		has_list;
	Bits		first;
	Bits		last;
	uint64	   *follow;			/* nwords for each element */
	int			nslots;
	Slot	   *slots;
	uint32		always;			/* bits of the slots that every question fills */
} Pattern;

/* The words that a slot took. */
typedef struct Capture
{
	int			first;
	int			count;			/* 0 if none */
	const Phrase *phrase;		/* for a list */
} Capture;

/* Where a question stopped matching. */
typedef struct Stop
{
	int			word;
	Bits		expected;
} Stop;

extern const char *const slot_type_names[];

extern const char *PatternParse(Span text, Pattern *pattern);
extern const char *PhraseListInit(PhraseList *list, const JsonView *values, Span name,
								  bool with_plurals);
extern const char *PatternAmbiguity(const Pattern *pattern);
extern bool PatternMatches(const Pattern *pattern, const Word *words, int nwords, Stop *stop);
extern void PatternCapture(const Pattern *pattern, const Word *words, int nwords,
						   Capture *captures);
extern uint32 PhrasesAt(const PhraseList *list, const Word *words, int nwords);
extern int	BitsNext(const Bits *bits, int after);

#endif							/* ANSWER_EVAL_PATTERN_H */
