/*-------------------------------------------------------------------------
 *
 * question.c
 *		A question's words and sentences.
 *
 * Rule: doc/spec/route.md §1.
 *
 * Pure: splits a text before any pattern is matched.  This is a part of the
 * definition of route/1, which receipts are pinned to.  So nothing here
 * depends on a locale, a collation, the server's version or its encoding:
 *
 * - Words are separated by Unicode White_Space.  They are compared by Unicode simple
 *   case folding, by a table of ours (casefold.h); a letter outside ASCII never folds
 *   to one inside.  There is no other equivalence: a decomposed accent is a different
 *   spelling.
 * - A quoted text begins with a word that begins with a quotation mark, and ends with
 *   the mark's counterpart, followed only by final punctuation and white space.  It is
 *   one unit and not a literal word.
 * - Final punctuation (. ? ! and similar marks of other scripts) at the end of a word,
 *   or as a word of its own, ends a sentence and is not part of the word.  Inside a
 *   word (3.13, node.js) it is an ordinary character.  There are no abbreviations.
 * - A word that could deceive a reader matches nothing: one with an invisible
 *   character (controls, marks of direction, zero width, private use), with a
 *   compatibility letter (full width, mathematical), or with letters of several
 *   scripts that look alike.
 *
 * Promises: pure; never raises an error because of the text; linear in its
 * length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/fold.h"
#include "base/grow.h"
#include "base/rfc3339.h"
#include "route/question.h"

/* Digits of a number before and after the point: as many as operators accept. */
#define NUMBER_MAX_DIGITS	1000

const char *const mark_labels[] = {"none", "statement", "exclamation", "question"};

/*
 * characters
 */

typedef struct CharacterRange
{
	pg_wchar	first;
	pg_wchar	last;
} CharacterRange;

/* Invisible characters: C0 and C1, Cf, fillers, selectors, private use. */
static const CharacterRange invisible[] = {
	{0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD}, {0x034F, 0x034F},
	{0x0600, 0x0605}, {0x061C, 0x061C}, {0x06DD, 0x06DD}, {0x070F, 0x070F},
	{0x0890, 0x0891}, {0x08E2, 0x08E2}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
	{0x180B, 0x180F}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},
	{0x2800, 0x2800}, {0x3164, 0x3164}, {0xD800, 0xF8FF}, {0xFDD0, 0xFDEF},
	{0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFF},
	{0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
	{0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF}
};

/* Letters and digits that are variants of others. */
static const CharacterRange compatibility[] = {
	{0x00B2, 0x00B3}, {0x00B9, 0x00B9}, {0x00BC, 0x00BE}, {0x02B0, 0x02B8}, {0x02E0, 0x02E4},
	{0x1D2C, 0x1D6A}, {0x1D78, 0x1D78}, {0x1D9B, 0x1DBF}, {0x2070, 0x209F}, {0x2100, 0x218F},
	{0x2460, 0x24FF}, {0x3200, 0x33FF}, {0xFB00, 0xFB17}, {0xFF01, 0xFF5E},
	{0x1D400, 0x1D7FF}, {0x1F100, 0x1F1FF}, {0x1FBF0, 0x1FBF9}
};

/* Punctuation outside ASCII, which can only occur in a quoted text or a list. */
static const CharacterRange punctuation[] = {
	{0x00A1, 0x00A9}, {0x00AB, 0x00AC}, {0x00AE, 0x00B1}, {0x00B4, 0x00B4},
	{0x00B6, 0x00B8}, {0x00BB, 0x00BB}, {0x00BF, 0x00BF}, {0x00D7, 0x00D7},
	{0x00F7, 0x00F7}, {0x02B9, 0x02DF}, {0x037E, 0x037E}, {0x0387, 0x0387},
	{0x055A, 0x055F}, {0x0589, 0x058A}, {0x05BE, 0x05BE}, {0x05C0, 0x05C0},
	{0x05C3, 0x05C6}, {0x05F3, 0x05F4}, {0x0609, 0x060D}, {0x061B, 0x061F},
	{0x066A, 0x066D}, {0x06D4, 0x06D4}, {0x2000, 0x206F}, {0x2190, 0x23FF},
	{0x2E00, 0x2E7F}, {0x3000, 0x303F}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F},
	{0xFF00, 0xFFEF}
};

/* Scripts with letters that look like those of other scripts. */
typedef struct ScriptRange
{
	pg_wchar	first;
	pg_wchar	last;
	int			script;
} ScriptRange;

#define SCRIPT_LATIN		0x01
#define SCRIPT_GREEK		0x02
#define SCRIPT_CYRILLIC		0x04
#define SCRIPT_ARMENIAN		0x08
#define SCRIPT_CHEROKEE		0x10
#define SCRIPT_COPTIC		0x20
#define SCRIPT_LISU			0x40

static const ScriptRange scripts[] = {
	{0x00C0, 0x00D6, SCRIPT_LATIN}, {0x00D8, 0x00F6, SCRIPT_LATIN},
	{0x00F8, 0x02AF, SCRIPT_LATIN}, {0x0370, 0x0377, SCRIPT_GREEK},
	{0x037A, 0x03E1, SCRIPT_GREEK}, {0x03E2, 0x03EF, SCRIPT_COPTIC},
	{0x03F0, 0x03FF, SCRIPT_GREEK}, {0x0400, 0x052F, SCRIPT_CYRILLIC},
	{0x0530, 0x058F, SCRIPT_ARMENIAN}, {0x13A0, 0x13FF, SCRIPT_CHEROKEE},
	{0x1C80, 0x1C8F, SCRIPT_CYRILLIC}, {0x1D00, 0x1D25, SCRIPT_LATIN},
	{0x1D26, 0x1D2A, SCRIPT_GREEK}, {0x1D2B, 0x1D2B, SCRIPT_CYRILLIC},
	{0x1E00, 0x1EFF, SCRIPT_LATIN}, {0x1F00, 0x1FFF, SCRIPT_GREEK},
	{0x2C60, 0x2C7F, SCRIPT_LATIN}, {0x2C80, 0x2CFF, SCRIPT_COPTIC},
	{0x2DE0, 0x2DFF, SCRIPT_CYRILLIC}, {0xA4D0, 0xA4FF, SCRIPT_LISU},
	{0xA640, 0xA69F, SCRIPT_CYRILLIC}, {0xA722, 0xA7FF, SCRIPT_LATIN},
	{0xAB30, 0xAB6F, SCRIPT_LATIN}, {0xAB70, 0xABBF, SCRIPT_CHEROKEE}
};

static bool
InRanges(pg_wchar c, const CharacterRange *ranges, int count)
{
	return FindRange(c, ranges, count, sizeof(CharacterRange)) != NULL;
}

static Mark
MarkOf(pg_wchar c)
{
	switch (c)
	{
		case '.':
		case 0x06D4:			/* Arabic full stop */
		case 0x0964:			/* danda */
		case 0x2026:			/* ellipsis */
		case 0x3002:			/* ideographic full stop */
		case 0xFF0E:			/* full width */
		case 0xFF61:			/* half width */
			return MARK_STATEMENT;
		case '!':
		case 0x203C:
		case 0xFF01:
			return MARK_EXCLAMATION;
		case '?':
		case 0x037E:			/* Greek */
		case 0x061F:			/* Arabic */
		case 0x203D:			/* interrobang */
		case 0x2047:
		case 0x2048:
		case 0x2049:
		case 0xFF1F:
			return MARK_QUESTION;
	}
	return MARK_NONE;
}

/* Pairs of quotation marks. */
static const struct
{
	pg_wchar	open;
	pg_wchar	close;
}			quotations[] = {
	{'"', '"'}, {0x201C, 0x201D}, {0x201E, 0x201C}, {0x00AB, 0x00BB}
};

#define NQUOTATIONS	((int) lengthof(quotations))

static bool
IsQuotationMark(pg_wchar c)
{
	for (int i = 0; i < NQUOTATIONS; i++)
	{
		if (c == quotations[i].open)
			return true;
	}
	return false;
}

/*
 * the text
 */

/* The next counterpart of a quotation mark. */
typedef struct Closing
{
	const char *at;				/* the text's end if there is none */
	const char *after;			/* end of the quoted text with its final punctuation, or NULL */
	Mark		mark;			/* the punctuation after it */
} Closing;

typedef struct Reader
{
	const char *end;
	Closing		closing[NQUOTATIONS];	/* as far as they were searched */
	char	   *fold;			/* where the next folded byte goes */
	Question   *question;
	int			words_allocated;
	int			sentences_allocated;
	int			sentence;		/* first word of the sentence being read */
} Reader;

/* Returns the character at p and its length in bytes, which does not exceed the text. */
static pg_wchar
CharacterAt(const char *p, const char *end, int *len)
{
	*len = Min(pg_utf_mblen((const unsigned char *) p), (int) Min(end - p, 4));
	return *len == 1 ? (unsigned char) *p : utf8_to_unicode((const unsigned char *) p);
}

static const char *
CharacterBefore(const char *p, const char *begin)
{
	p--;
	while (p > begin && ((unsigned char) *p & 0xC0) == 0x80)
		p--;
	return p;
}

static bool
SpaceAt(const char *p, const char *end)
{
	int			len;

	if (!IS_HIGHBIT_SET(*p))
		return *p == ' ' || (*p >= 0x09 && *p <= 0x0D);
	return IsWhiteSpace(CharacterAt(p, end, &len));
}

/* Removes final punctuation from the end of a word; returns the new end. */
static const char *
StripMarks(const char *begin, const char *end, Mark *mark)
{
	while (end > begin)
	{
		const char *last = CharacterBefore(end, begin);
		int			len;
		Mark		seen = MarkOf(CharacterAt(last, end, &len));

		if (seen == MARK_NONE)
			break;
		*mark = Max(*mark, seen);
		end = last;
	}
	return end;
}

/*
 * classifying
 */

static bool
IsDigits(const char *str, int len)
{
	for (int i = 0; i < len; i++)
	{
		if (str[i] < '0' || str[i] > '9')
			return false;
	}
	return len > 0;
}

static bool
IsVersion(Span text)
{
	bool		after_digit = false;

	for (int i = 0; i < text.len; i++)
	{
		if (text.str[i] >= '0' && text.str[i] <= '9')
			after_digit = true;
		else if (text.str[i] == '.' && after_digit)
			after_digit = false;
		else
			return false;
	}
	return after_digit;
}

static int
NumberKinds(Span text)
{
	bool		negative = text.len > 0 && *text.str == '-';
	const char *point;
	int			before;
	int			after;

	if (negative)
	{
		text.str++;
		text.len--;
	}
	point = text.len > 0 ? memchr(text.str, '.', text.len) : NULL;
	before = point ? (int) (point - text.str) : text.len;
	after = point ? text.len - before - 1 : 0;
	if (before > NUMBER_MAX_DIGITS || after > NUMBER_MAX_DIGITS ||
		!IsDigits(text.str, before) || (point && !IsDigits(point + 1, after)))
		return 0;
	return KIND_NUMBER | (negative ? 0 : KIND_AMOUNT) |
		(point ? 0 : KIND_INTEGER | (negative ? 0 : KIND_COUNT));
}

static bool
IsDate(Span text)
{
	char		instant[] = "YYYY-MM-DDT00:00:00Z";
	TimestampTz unused;

	if (text.len != 10)
		return false;
	memcpy(instant, text.str, 10);
	return InstantParse(instant, strlen(instant), &unused);
}

static bool
IsBoolean(Span folded)
{
	static const char *const names[] = {"true", "yes", "on", "false", "no", "off"};

	for (size_t i = 0; i < lengthof(names); i++)
	{
		if ((size_t) folded.len == strlen(names[i]) &&
			memcmp(folded.str, names[i], folded.len) == 0)
			return true;
	}
	return false;
}

/*
 * Examines every character of a word, or of a quoted text, which may contain white
 * space and mix scripts.
 */
static void
ClassifyCharacters(Word *word)
{
	const char *p = word->text.str;
	const char *end = p + word->text.len;
	const ScriptRange *script;
	int			seen = 0;
	bool		plain = true;
	bool		substance = false;

	while (p < end)
	{
		int			len;
		pg_wchar	c = CharacterAt(p, end, &len);

		p += len;
		if (c < 0x80)
		{
			bool		letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

			if (letter)
				seen |= SCRIPT_LATIN;
			if (letter || (c >= '0' && c <= '9'))
				substance = true;
			else if (c < 0x20 || c == 0x7F)
			{
				if (!(word->quoted && IsWhiteSpace(c)))
					word->defect = "holds an invisible character";
			}
			else if (strchr("._+-@/:~#", c) == NULL)
				plain = false;
			continue;
		}
		if (InRanges(c, invisible, lengthof(invisible)) &&
			!(word->quoted && IsWhiteSpace(c)))
			word->defect = "holds an invisible character";
		if (word->quoted)
			continue;
		if (InRanges(c, compatibility, lengthof(compatibility)))
			word->defect = "holds a letter in another form";
		if (InRanges(c, punctuation, lengthof(punctuation)))
			plain = false;
		else
			substance = true;
		script = FindRange(c, scripts, lengthof(scripts), sizeof(ScriptRange));
		if (script)
			seen |= script->script;
	}
	if (word->defect == NULL && !word->quoted && (seen & (seen - 1)) != 0)
		word->defect = "mixes letters of several scripts";
	if (word->defect)
		return;
	if (word->quoted)
		word->kinds = KIND_TEXT;
	else if (plain && substance)
		word->kinds = KIND_WORD;
}

static void
ClassifyWord(Word *word)
{
	TimestampTz unused;

	ClassifyCharacters(word);
	if (word->kinds != KIND_WORD)
		return;
	word->kinds |= NumberKinds(word->text);
	if (IsVersion(word->text))
		word->kinds |= KIND_SEMVER;
	if (IsDate(word->text))
		word->kinds |= KIND_DATE;
	/* the parser of instants needs a terminator */
	if (word->text.len >= 20 && word->text.len <= 40 &&
		InstantParse(pnstrdup(word->text.str, word->text.len), word->text.len, &unused))
		word->kinds |= KIND_INSTANT;
	if (IsBoolean(word->folded))
		word->kinds |= KIND_BOOLEAN;
}

/*
 * reading
 */

static void
Fold(Reader *reader, Word *word)
{
	const char *p = word->text.str;
	const char *end = p + word->text.len;

	word->folded.str = reader->fold;
	while (p < end)
	{
		int			len;
		pg_wchar	c;

		if (!IS_HIGHBIT_SET(*p))
		{
			*reader->fold++ = (*p >= 'A' && *p <= 'Z') ? *p + ('a' - 'A') : *p;
			p++;
			continue;
		}
		c = FoldCharacter(CharacterAt(p, end, &len));
		p += len;
		unicode_to_utf8(c, (unsigned char *) reader->fold);
		reader->fold += pg_utf_mblen((unsigned char *) reader->fold);
	}
	word->folded.len = reader->fold - word->folded.str;
	*reader->fold++ = ' ';
}

static void
AddWord(Reader *reader, const char *begin, const char *end, bool quoted)
{
	Question   *question = reader->question;
	Word	   *word;

	GROW_ARRAY(question->words, question->nwords, reader->words_allocated, 16);
	word = &question->words[question->nwords++];
	memset(word, 0, sizeof(*word));
	word->text.str = begin;
	word->text.len = end - begin;
	word->literal = -1;
	word->quoted = quoted;
	Fold(reader, word);
	ClassifyWord(word);
}

/* Ends the sentence being read, if it has a word. */
static void
EndSentence(Reader *reader, Mark mark)
{
	Question   *question = reader->question;
	Sentence   *sentence;

	if (question->nwords == reader->sentence)
		return;
	GROW_ARRAY(question->sentences, question->nsentences, reader->sentences_allocated, 4);
	sentence = &question->sentences[question->nsentences++];
	sentence->first = reader->sentence;
	sentence->count = question->nwords - reader->sentence;
	sentence->mark = mark;
	reader->sentence = question->nwords;
}

/*
 * Reads what comes after a closing mark: only final punctuation and white space make it
 * the end of a quoted text.
 */
static void
LookBehind(Reader *reader, const char *p, Closing *closing)
{
	closing->after = NULL;
	closing->mark = MARK_NONE;
	while (p < reader->end && !SpaceAt(p, reader->end))
	{
		int			len;
		Mark		seen = MarkOf(CharacterAt(p, reader->end, &len));

		if (seen == MARK_NONE)
			return;
		closing->mark = Max(closing->mark, seen);
		p += len;
	}
	closing->after = p;
}

/*
 * Finds the counterpart of quotation mark "q", from p on.  The result is cached, so
 * that a text full of marks is searched only once for each kind of mark.
 */
static const Closing *
ClosingFrom(Reader *reader, int q, const char *p)
{
	Closing    *closing = &reader->closing[q];
	char		bytes[8] = {0};
	int			len;

	if (closing->at && closing->at >= p)
		return closing;
	unicode_to_utf8(quotations[q].close, (unsigned char *) bytes);
	len = pg_utf_mblen((unsigned char *) bytes);
	closing->at = reader->end;
	while (p < reader->end && (p = memchr(p, bytes[0], reader->end - p)) != NULL)
	{
		if (reader->end - p >= len && memcmp(p, bytes, len) == 0)
		{
			closing->at = p;
			LookBehind(reader, p + len, closing);
			break;
		}
		p++;
	}
	return closing;
}

static bool
IsBlank(const char *p, const char *end)
{
	while (p < end && SpaceAt(p, end))
	{
		int			len;

		(void) CharacterAt(p, end, &len);
		p += len;
	}
	return p == end;
}

/* Reads a quoted text at p; returns its end, or NULL if there is none. */
static const char *
ReadQuoted(Reader *reader, const char *p)
{
	int			len;
	pg_wchar	c = CharacterAt(p, reader->end, &len);
	const char *inside = p + len;

	for (int i = 0; i < NQUOTATIONS; i++)
	{
		const Closing *closing;

		if (c != quotations[i].open)
			continue;
		closing = ClosingFrom(reader, i, inside);
		if (closing->at == reader->end || closing->after == NULL ||
			IsBlank(inside, closing->at))
			return NULL;
		AddWord(reader, inside, closing->at, true);
		if (closing->mark != MARK_NONE)
			EndSentence(reader, closing->mark);
		return closing->after;
	}
	return NULL;
}

/* Reads a word at p, which is not white space; returns its end. */
static const char *
ReadWord(Reader *reader, const char *p)
{
	const char *begin = p;
	const char *end;
	Mark		mark = MARK_NONE;

	while (p < reader->end && !SpaceAt(p, reader->end))
	{
		int			len;

		(void) CharacterAt(p, reader->end, &len);
		p += len;
	}
	end = StripMarks(begin, p, &mark);
	if (end > begin)
		AddWord(reader, begin, end, false);
	if (mark != MARK_NONE)
		EndSentence(reader, mark);
	return p;
}

/*
 * Splits a text into words and sentences.  Its bytes must be UTF-8 and outlive the
 * result.
 */
void
QuestionRead(Span text, Question *question)
{
	Reader		reader;
	const char *p = text.str;

	memset(&reader, 0, sizeof(reader));
	memset(question, 0, sizeof(*question));
	reader.end = p + text.len;
	reader.question = question;
	reader.words_allocated = 16;
	reader.sentences_allocated = 4;
	question->words = palloc(sizeof(Word) * reader.words_allocated);
	question->sentences = palloc(sizeof(Sentence) * reader.sentences_allocated);
	/* folding makes at most three bytes out of two; a space follows each word */
	reader.fold = palloc_extended((Size) text.len * 2 + 8, MCXT_ALLOC_HUGE);
	question->folded = reader.fold;
	while (p < reader.end)
	{
		int			len;
		const char *after = NULL;

		CHECK_FOR_INTERRUPTS();
		if (SpaceAt(p, reader.end))
		{
			(void) CharacterAt(p, reader.end, &len);
			p += len;
			continue;
		}
		if (IsQuotationMark(CharacterAt(p, reader.end, &len)))
			after = ReadQuoted(&reader, p);
		p = after ? after : ReadWord(&reader, p);
	}
	EndSentence(&reader, MARK_NONE);
}

void
QuestionFree(Question *question)
{
	pfree(question->words);
	pfree(question->sentences);
	pfree(question->folded);
}
