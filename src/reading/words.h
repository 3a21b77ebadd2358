/*-------------------------------------------------------------------------
 *
 * words.h
 *		A text's words, clauses and sentences.
 *
 * A token is a maximal run of letters, marks and decimal digits, folded; a
 * format character is as if it were not there.  A lexicon gives each distinct
 * folded token a number, so that texts that were read with one lexicon are
 * compared by numbers alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_WORDS_H
#define ANSWER_EVAL_WORDS_H

#include "base/span.h"

/* Tokens of fewer characters are no keywords, and ambiguity takes them for stop words. */
#define KEYWORD_MIN_CHARACTERS	3

/* A distinct folded token; it belongs to its lexicon. */
typedef struct Lexeme
{
	Span		folded;
	uint32		hash;
	int			characters;		/* code points of the folded form */
	bool		is_number;		/* nothing but decimal digits */
} Lexeme;

/*
 * Numbers for words.  A lexicon may stand on another, whose words keep their
 * numbers, which are the smaller ones; that other one is never changed, so
 * compiled rules can be shared by all calls.
 */
typedef struct Lexicon Lexicon;

typedef struct Token
{
	int32		begin;			/* bytes in the text as it was given */
	int32		end;
	int32		word;			/* its number in the lexicon */
	int32		clause;			/* from 0 up; each has a token at least */
	int32		sentence;		/* likewise */
} Token;

typedef struct Words
{
	Span		text;			/* as it was given: UTF-8 */
	int			ntokens;
	Token	   *tokens;
	int			nclauses;
	int			nsentences;
} Words;

extern Lexicon *LexiconCreate(const Lexicon *base);
extern int	LexiconSize(const Lexicon *lexicon);
extern const Lexeme *LexiconWord(const Lexicon *lexicon, int word);
extern int	LexiconFind(const Lexicon *lexicon, Span folded);

/* Returns the number of a word, which is new where it was not known. */
extern int	LexiconAdd(Lexicon *lexicon, Span folded, int characters, bool is_number);

/*
 * Reads a text, of which the words go into the lexicon.  Bytes that are no
 * UTF-8 are no token characters.  The text must outlive the result.
 */
extern void WordsRead(Lexicon *lexicon, Span text, Words *words);

/* Returns a text of token characters as tokens are compared: folded. */
extern Span FoldedAsWritten(Span written);

/* Returns a sentence's last token plus one; "token" is one of it. */
extern int	SentenceEnd(const Words *words, int token);

/* Returns a character, its length, and whether it can stand in a token; for what reads beside tokens. */
extern uint32 Utf8Character(const char *p, const char *end, int *len);
extern bool IsTokenCharacter(uint32 character);
extern bool IsLetter(uint32 character);
extern bool IsFormatCharacter(uint32 character);
extern bool IsUpperCase(uint32 character);
extern bool IsLowerCase(uint32 character);
extern bool IsDigitCharacter(uint32 character);

/* Says what a character closes. */
typedef enum Closing
{
	CLOSES_NOTHING,
	CLOSES_CLAUSE,
	CLOSES_SENTENCE				/* and so the clause */
} Closing;

/* Returns what a mark of another script closes, wherever it stands. */
extern Closing ForeignClosing(uint32 character);

#endif							/* ANSWER_EVAL_WORDS_H */
