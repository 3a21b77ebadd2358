/*-------------------------------------------------------------------------
 *
 * words.h
 *		Splits a text into words (tokens), with their clauses and sentences.
 *
 * A token is a maximal run of letters, marks and decimal digits, folded.  Format
 * characters are ignored.  A lexicon gives each distinct folded token a number, so
 * texts that were read with one lexicon can be compared by numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_WORDS_H
#define ANSWER_EVAL_WORDS_H

#include "base/span.h"

/* Shorter tokens are no keywords, and count as stop words for ambiguity. */
#define KEYWORD_MIN_CHARACTERS	3

/* A distinct folded token, owned by its lexicon. */
typedef struct Lexeme
{
	Span		folded;
	uint32		hash;
	int			characters;		/* code points of the folded form */
	bool		is_number;		/* only decimal digits? */
} Lexeme;

/*
 * Numbers for words.  A lexicon can be based on another one.  The words of the base
 * keep their numbers, and new words get higher ones.  The base is never changed, so
 * all calls can share compiled rules.
 */
typedef struct Lexicon Lexicon;

typedef struct Token
{
	int32		begin;			/* byte offsets in the text as given */
	int32		end;
	int32		word;			/* number in the lexicon */
	int32		clause;			/* from 0; each clause has at least one token */
	int32		sentence;		/* likewise */
} Token;

typedef struct Words
{
	Span		text;			/* as given, in UTF-8 */
	int			ntokens;
	Token	   *tokens;
	int			nclauses;
	int			nsentences;
} Words;

extern Lexicon *LexiconCreate(const Lexicon *base);
extern int	LexiconSize(const Lexicon *lexicon);
extern const Lexeme *LexiconWord(const Lexicon *lexicon, int word);
extern int	LexiconFind(const Lexicon *lexicon, Span folded);

/* Returns the number of a word, which is added if it is new. */
extern int	LexiconAdd(Lexicon *lexicon, Span folded, int characters, bool is_number);

/*
 * Reads a text, and adds its words to the lexicon.  Bytes that are not valid UTF-8
 * separate tokens.  The text must outlive the result.
 */
extern void WordsRead(Lexicon *lexicon, Span text, Words *words);

/* Returns a text of token characters folded, as tokens are compared. */
extern Span FoldedAsWritten(Span written);

/* Returns the end (exclusive) of the sentence that contains a token. */
extern int	SentenceEnd(const Words *words, int token);

/* Decode a character and return its length, and classify characters; for code that reads outside of tokens. */
extern uint32 Utf8Character(const char *p, const char *end, int *len);
extern bool IsTokenCharacter(uint32 character);
extern bool IsLetter(uint32 character);
extern bool IsFormatCharacter(uint32 character);
extern bool IsUpperCase(uint32 character);
extern bool IsLowerCase(uint32 character);
extern bool IsDigitCharacter(uint32 character);

/* What a character closes. */
typedef enum Closing
{
	CLOSES_NOTHING,
	CLOSES_CLAUSE,
	CLOSES_SENTENCE				/* and with it the clause */
} Closing;

/* Returns what a punctuation mark of another script closes, wherever it is. */
extern Closing ForeignClosing(uint32 character);

#endif							/* ANSWER_EVAL_WORDS_H */
