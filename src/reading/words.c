/*-------------------------------------------------------------------------
 *
 * words.c
 *		Splits a text into words (tokens), with their clauses and sentences.
 *
 * Pure.  Rule: doc/spec/reading.md §2.  Every decision depends on this, so nothing here
 * depends on a locale, a collation, the server's version or its encoding:
 *
 * - Token characters are those of the categories L, M and Nd of Unicode 14 (characters.h).  Characters
 *   of category Cf are ignored: they neither split a token nor separate a full stop from its
 *   neighbours.
 * - Tokens are folded as the words of questions are (FoldCharacter).
 * - A clause is closed by . ! ? ; : and an ellipsis, unless between two token characters; always by
 *   similar marks of other scripts; by a blank line; and by a line end before a list marker or heading.
 *   A sentence is closed by the same, except semicolons and colons.  Only clauses and sentences with a
 *   token count.
 *
 * Promises: pure; never raises an error, whatever the text contains; linear in its length.  Every
 * distinct token is looked up in the lexicon by its hash, and after that compared by its number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/fold.h"
#include "base/grow.h"
#include "check/operator.h"
#include "reading/characters.h"
#include "reading/words.h"

#define BULLET			0x2022
#define ELLIPSIS		0x2026
#define NO_CHARACTER	0xFFFD

/* Maximum bytes of a character in UTF-8. */
#define CHARACTER_MAX_SIZE	4

/*
 * characters
 */

/* Returns the character at p, and its length in bytes, which does not exceed the text. */
uint32
Utf8Character(const char *p, const char *end, int *len)
{
	if (!IS_HIGHBIT_SET(*p))
	{
		*len = 1;
		return (unsigned char) *p;
	}
	*len = pg_utf_mblen((const unsigned char *) p);
	if (*len > end - p || *len < 2)
	{
		*len = 1;
		return NO_CHARACTER;
	}
	return utf8_to_unicode((const unsigned char *) p);
}

static inline CharacterClass
ClassOf(uint32 c)
{
	if (c >= 0x80)
	{
		const ClassRange *range = FindRange(c, character_classes, lengthof(character_classes), sizeof(ClassRange));

		return range ? range->class : CHARACTER_OTHER;
	}
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return CHARACTER_LETTER;
	return c >= '0' && c <= '9' ? CHARACTER_DIGIT : CHARACTER_OTHER;
}

static inline bool
IsTokenClass(CharacterClass class)
{
	return class >= CHARACTER_LETTER && class <= CHARACTER_DIGIT;
}

bool
IsTokenCharacter(uint32 character)
{
	return IsTokenClass(ClassOf(character));
}

bool
IsLetter(uint32 character)
{
	return ClassOf(character) == CHARACTER_LETTER;
}

static bool
InCase(uint32 c, const CaseRange *ranges, int count)
{
	const CaseRange *range = FindRange(c, ranges, count, sizeof(CaseRange));

	return range && (c - range->first) % range->step == 0;
}

bool
IsUpperCase(uint32 c)
{
	return c < 0x80 ? c >= 'A' && c <= 'Z' : InCase(c, upper_case, lengthof(upper_case));
}

bool
IsLowerCase(uint32 c)
{
	return c < 0x80 ? c >= 'a' && c <= 'z' : InCase(c, lower_case, lengthof(lower_case));
}

bool
IsDigitCharacter(uint32 character)
{
	return ClassOf(character) == CHARACTER_DIGIT;
}

Closing
ForeignClosing(uint32 character)
{
	CharacterClass class = ClassOf(character);

	if (class == CHARACTER_SENTENCE)
		return CLOSES_SENTENCE;
	return class == CHARACTER_CLAUSE ? CLOSES_CLAUSE : CLOSES_NOTHING;
}

bool
IsFormatCharacter(uint32 character)
{
	return ClassOf(character) == CHARACTER_FORMAT;
}

/*
 * lexicon
 *
 * Open addressing with linear probing, at most half full.  A slot holds the index
 * of a word of this lexicon plus one.
 */

#define LEXICON_FIRST_SLOTS	64

struct Lexicon
{
	const Lexicon *base;		/* or NULL */
	int			offset;			/* number of words in the base */
	int			count;			/* number of its own words */
	int			capacity;
	Lexeme	   *words;
	uint32		nslots;			/* a power of 2 */
	uint32	   *slots;
	MemoryContext context;
};

/* Returns an empty lexicon in the current context, based on another one or on none. */
Lexicon *
LexiconCreate(const Lexicon *base)
{
	Lexicon    *lexicon = palloc0(sizeof(Lexicon));

	lexicon->base = base;
	lexicon->offset = base ? LexiconSize(base) : 0;
	lexicon->capacity = LEXICON_FIRST_SLOTS / 2;
	lexicon->words = palloc(sizeof(Lexeme) * lexicon->capacity);
	lexicon->nslots = LEXICON_FIRST_SLOTS;
	lexicon->slots = palloc0(sizeof(uint32) * lexicon->nslots);
	lexicon->context = CurrentMemoryContext;
	return lexicon;
}

/* Returns the number of words, including those of the base. */
int
LexiconSize(const Lexicon *lexicon)
{
	return lexicon->offset + lexicon->count;
}

const Lexeme *
LexiconWord(const Lexicon *lexicon, int word)
{
	while (word < lexicon->offset)
		lexicon = lexicon->base;
	return &lexicon->words[word - lexicon->offset];
}

/* Returns the slot of a word, or the free slot where it belongs. */
static uint32
FindSlot(const Lexicon *lexicon, Span folded, uint32 hash)
{
	uint32		slot = hash & (lexicon->nslots - 1);

	while (lexicon->slots[slot] != 0)
	{
		const Lexeme *lexeme = &lexicon->words[lexicon->slots[slot] - 1];

		if (lexeme->hash == hash && SpanEqual(lexeme->folded, folded))
			break;
		slot = (slot + 1) & (lexicon->nslots - 1);
	}
	return slot;
}

static int
FindHashed(const Lexicon *lexicon, Span folded, uint32 hash)
{
	for (; lexicon; lexicon = lexicon->base)
	{
		uint32		found = lexicon->slots[FindSlot(lexicon, folded, hash)];

		if (found != 0)
			return lexicon->offset + (int) found - 1;
	}
	return -1;
}

static uint32
HashWord(Span folded)
{
	return hash_bytes((const unsigned char *) folded.str, folded.len);
}

/* Returns the number of a word, or -1. */
int
LexiconFind(const Lexicon *lexicon, Span folded)
{
	return FindHashed(lexicon, folded, HashWord(folded));
}

static void
Grow(Lexicon *lexicon)
{
	lexicon->capacity *= 2;
	lexicon->words = repalloc_huge(lexicon->words, sizeof(Lexeme) * (Size) lexicon->capacity);
	lexicon->nslots *= 2;
	pfree(lexicon->slots);
	lexicon->slots = MemoryContextAllocExtended(lexicon->context,
												sizeof(uint32) * (Size) lexicon->nslots,
												MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < lexicon->count; i++)
	{
		uint32		slot = lexicon->words[i].hash & (lexicon->nslots - 1);

		while (lexicon->slots[slot] != 0)
			slot = (slot + 1) & (lexicon->nslots - 1);
		lexicon->slots[slot] = i + 1;
	}
}

/* Returns the number of a word, which is added if it is new. */
int
LexiconAdd(Lexicon *lexicon, Span folded, int characters, bool is_number)
{
	uint32		hash = HashWord(folded);
	int			known = FindHashed(lexicon, folded, hash);
	char	   *copy;

	if (known >= 0)
		return known;
	if (lexicon->count == lexicon->capacity)
		Grow(lexicon);
	copy = MemoryContextAllocHuge(lexicon->context, folded.len);
	memcpy(copy, folded.str, folded.len);
	lexicon->words[lexicon->count] = (Lexeme) {
		.folded = {copy, folded.len},
		.hash = hash,
		.characters = characters,
		.is_number = is_number
	};
	lexicon->slots[FindSlot(lexicon, folded, hash)] = lexicon->count + 1;
	return lexicon->offset + lexicon->count++;
}

/*
 * reading
 */

typedef struct Reader
{
	const char *begin;
	const char *end;
	Lexicon    *lexicon;
	Words	   *words;
	int			capacity;		/* of tokens */
	/* the token that is being read */
	const char *token;			/* or NULL */
	const char *token_end;
	char	   *folded;
	Size		folded_len;
	Size		folded_size;
	int			characters;
	bool		is_number;
	/* between tokens */
	bool		after_token;	/* was the previous character one of a token? */
	Closing		held;			/* closed by a mark after a token, unless a token follows */
	Closing		closed;			/* since the last token */
} Reader;

static void
AppendFolded(Reader *reader, uint32 c)
{
	if (reader->folded_len + CHARACTER_MAX_SIZE > reader->folded_size)
	{
		reader->folded_size *= 2;
		reader->folded = repalloc_huge(reader->folded, reader->folded_size);
	}
	if (c < 0x80)
	{
		reader->folded[reader->folded_len++] = (c >= 'A' && c <= 'Z') ? c + ('a' - 'A') : c;
		return;
	}
	unicode_to_utf8(FoldCharacter(c), (unsigned char *) reader->folded + reader->folded_len);
	reader->folded_len += pg_utf_mblen((unsigned char *) reader->folded + reader->folded_len);
}

static void
ContinueToken(Reader *reader, uint32 c, CharacterClass class, const char *p, int len)
{
	if (reader->token == NULL)
	{
		reader->token = p;
		reader->folded_len = 0;
		reader->characters = 0;
		reader->is_number = true;
	}
	AppendFolded(reader, c);
	reader->characters++;
	reader->is_number &= class == CHARACTER_DIGIT;
	reader->token_end = p + len;
}

static void
EndToken(Reader *reader)
{
	Words	   *words = reader->words;
	Span		folded = {reader->folded, (int) reader->folded_len};
	Token	   *token;

	if (reader->token == NULL)
		return;
	CHECK_FOR_INTERRUPTS();
	GROW_ARRAY(words->tokens, words->ntokens, reader->capacity, 16);
	if (words->ntokens == 0 || reader->closed >= CLOSES_CLAUSE)
		words->nclauses++;
	if (words->ntokens == 0 || reader->closed >= CLOSES_SENTENCE)
		words->nsentences++;
	reader->closed = CLOSES_NOTHING;
	token = &words->tokens[words->ntokens++];
	token->begin = reader->token - reader->begin;
	token->end = reader->token_end - reader->begin;
	token->word = LexiconAdd(reader->lexicon, folded, reader->characters, reader->is_number);
	token->clause = words->nclauses - 1;
	token->sentence = words->nsentences - 1;
	reader->token = NULL;
}

/* Skips invisible characters within a line. */
static const char *
SkipBlanks(const char *p, const char *end)
{
	while (p < end && *p != '\n')
	{
		int			len;
		uint32		c = Utf8Character(p, end, &len);

		if (!IsWhiteSpace(c) && ClassOf(c) != CHARACTER_FORMAT)
			break;
		p += len;
	}
	return p;
}

/* Moves past the next character that is no format character. Returns it, or 0 at the end. */
static uint32
NextShown(const char **p, const char *end)
{
	while (*p < end)
	{
		int			len;
		uint32		c = Utf8Character(*p, end, &len);

		*p += len;
		if (ClassOf(c) != CHARACTER_FORMAT)
			return c;
	}
	return 0;
}

/* Is there a list marker followed by a blank, or a heading marker, at p? */
static bool
IsMarkerAt(const char *p, const char *end)
{
	uint32		c = NextShown(&p, end);
	bool		is_numbered = c >= '0' && c <= '9';

	if (c == '#')
		return true;
	while (c >= '0' && c <= '9')
		c = NextShown(&p, end);
	if (is_numbered ? c != '.' && c != ')' : c != '-' && c != '*' && c != '+' && c != BULLET)
		return false;
	c = NextShown(&p, end);
	return c != 0 && IsWhiteSpace(c);
}

/* Returns what a line end closes; p is after it. */
static Closing
ClosingOfLineEnd(const char *p, const char *end)
{
	p = SkipBlanks(p, end);
	if (p < end && (*p == '\n' || IsMarkerAt(p, end)))
		return CLOSES_SENTENCE;
	return CLOSES_NOTHING;
}

/* Returns what a character closes if it is not between two token characters. */
static Closing
ClosingOfMark(uint32 c)
{
	switch (c)
	{
		case '.':
		case '!':
		case '?':
		case ELLIPSIS:
			return CLOSES_SENTENCE;
		case ';':
		case ':':
			return CLOSES_CLAUSE;
	}
	return CLOSES_NOTHING;
}

/* Returns what a character always closes; "after" is after it. */
static Closing
ClosingAlways(const Reader *reader, uint32 c, CharacterClass class, const char *after)
{
	if (c == '\n')
		return ClosingOfLineEnd(after, reader->end);
	if (class == CHARACTER_SENTENCE)
		return CLOSES_SENTENCE;
	return class == CHARACTER_CLAUSE ? CLOSES_CLAUSE : CLOSES_NOTHING;
}

/* Handles a character that is neither a token character nor a format character. */
static void
ReadSeparator(Reader *reader, uint32 c, CharacterClass class, const char *after)
{
	Closing		mark = ClosingOfMark(c);

	EndToken(reader);
	reader->closed = Max(reader->closed, reader->held);
	reader->held = CLOSES_NOTHING;
	if (reader->after_token)
		reader->held = mark;
	else
		reader->closed = Max(reader->closed, mark);
	reader->closed = Max(reader->closed, ClosingAlways(reader, c, class, after));
	reader->after_token = false;
}

void
WordsRead(Lexicon *lexicon, Span text, Words *words)
{
	Reader		reader = {
		.begin = text.str,
		.end = text.str + text.len,
		.lexicon = lexicon,
		.words = words,
		.capacity = 16,
		.folded_size = 256
	};
	const char *p = text.str;

	memset(words, 0, sizeof(*words));
	words->text = text;
	words->tokens = palloc(sizeof(Token) * reader.capacity);
	reader.folded = palloc(reader.folded_size);
	while (p < reader.end)
	{
		int			len;
		uint32		c = Utf8Character(p, reader.end, &len);
		CharacterClass class = ClassOf(c);

		if (IsTokenClass(class))
		{
			reader.held = CLOSES_NOTHING;
			reader.after_token = true;
			ContinueToken(&reader, c, class, p, len);
		}
		else if (class != CHARACTER_FORMAT)
			ReadSeparator(&reader, c, class, p + len);
		p += len;
	}
	EndToken(&reader);
	pfree(reader.folded);
}

Span
FoldedAsWritten(Span written)
{
	StringInfoData folded;
	const char *end = written.str + written.len;

	initStringInfo(&folded);
	for (const char *p = written.str; p < end;)
	{
		int			len;
		uint32		c = Utf8Character(p, end, &len);
		unsigned char utf8[8];

		if (c < 0x80)
			appendStringInfoCharMacro(&folded, pg_ascii_tolower((unsigned char) c));
		else
		{
			(void) unicode_to_utf8(FoldCharacter(c), utf8);
			appendBinaryStringInfo(&folded, (char *) utf8, pg_utf_mblen(utf8));
		}
		p += len;
	}
	return SpanOf(folded.data, folded.len);
}

int
SentenceEnd(const Words *words, int token)
{
	int			sentence = words->tokens[token].sentence;

	while (token < words->ntokens && words->tokens[token].sentence == sentence)
		token++;
	return token;
}
