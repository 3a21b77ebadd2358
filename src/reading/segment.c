/*-------------------------------------------------------------------------
 *
 * segment.c
 *		Splits a text into sentences and clauses.
 *
 * Pure.  Rule: doc/spec/reading.md §3.  The tokens are known; the text between two tokens is read
 * character by character.
 *
 * - A mark that is not directly before a token closes the sentence.  The sentence ends at the first
 *   white space at or after the mark, so that closing quotation marks belong to it.
 * - A full stop closes nothing after a title, an initial or the number of a list.  After an
 *   abbreviation it closes only before an upper-case letter or at the end.
 * - The end of a line closes if the line or the next one is a heading, and before a blank line or an
 *   entry of a list; otherwise it counts as a space.
 *
 * Promises: pure; linear in the text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/grow.h"
#include "check/operator.h"
#include "reading/draft_reading.h"
#include "reading/segment.h"

#define ELLIPSIS			0x2026
#define MARKER_MOST_LETTERS	4

/* What is known of a line. */
typedef struct Line
{
	int			begin;
	int			first;			/* its first character that is not white space */
	int			marker_end;		/* after the marker of a list entry, or -1 */
	bool		is_heading;
	bool		is_blank;
	bool		in_entry;		/* is it in a list entry? */
} Line;

typedef struct Segmenter
{
	Draft	   *draft;
	Span		text;
	int			clause;
	int			begin;			/* begin of the current sentence */
	bool		is_held;		/* does it have a token? */
	int			close;			/* mark that closed it, or -1 */
	bool		is_foreign;		/* did a mark of another script close it? */
	int			white;			/* first white space after that mark, or -1 */
	int			marker_end;		/* of the last marker whose following token is not known yet, or -1 */
	int			nlines;
	int			lines_capacity;
	Line	   *lines;
	int			sentence_line;	/* line in which the last sentence began */
} Segmenter;

uint32
DraftCharacter(const Draft *draft, int place, int *len)
{
	Span		text = draft->words.text;

	*len = 0;
	if (place >= text.len)
		return 0;
	return Utf8Character(text.str + place, text.str + text.len, len);
}

/*
 * Returns the first position from here that is not white space; "lines" says
 * whether line ends count as white space.
 */
static int
SkipWhite(const Draft *draft, int place, bool lines)
{
	int			len;
	uint32		c;

	while ((c = DraftCharacter(draft, place, &len)), len > 0 && IsWhiteSpace(c) && (lines || c != '\n'))
		place += len;
	return place;
}

/* Is there white space here? False at the end. */
static bool
IsBlankAt(const Draft *draft, int place)
{
	int			len;
	uint32		c = DraftCharacter(draft, place, &len);

	return len > 0 && IsWhiteSpace(c);
}

/* Returns the position after the digits here. */
static int
SkipDigits(const Draft *draft, int place)
{
	Span		text = draft->words.text;

	while (place < text.len && text.str[place] >= '0' && text.str[place] <= '9')
		place++;
	return place;
}

/* Returns the position after up to four letters or digits and a parenthesis, or -1. */
static int
LetteredMarkerEnd(const Draft *draft, int place)
{
	int			len;
	uint32		c = DraftCharacter(draft, place, &len);

	for (int n = 0; n < MARKER_MOST_LETTERS && len > 0 && (IsLetter(c) || IsDigitCharacter(c)); n++)
	{
		place += len;
		c = DraftCharacter(draft, place, &len);
		if (c == ')')
			return place + 1;
	}
	return -1;
}

/* Returns the end of the list marker, followed by a blank, that begins here; -1 if there is none. */
static int
MarkerEnd(const Draft *draft, int place)
{
	int			len;
	uint32		c = DraftCharacter(draft, place, &len);
	int			digits = SkipDigits(draft, place);
	int			end;

	if (digits > place)
	{
		c = DraftCharacter(draft, digits, &len);
		if ((c == '.' || c == ')') && IsBlankAt(draft, digits + 1))
			return digits + 1;
	}
	else if (len > 0 && !IsTokenCharacter(c) && IsBlankAt(draft, place + len))
		return place + len;
	end = LetteredMarkerEnd(draft, place);
	return end >= 0 && IsBlankAt(draft, end) ? end : -1;
}

/* Adds the line that begins here. */
static Line *
AddLine(Segmenter *segmenter, int begin)
{
	const Draft *draft = segmenter->draft;
	bool		in_entry = segmenter->nlines > 0 && segmenter->lines[segmenter->nlines - 1].in_entry;
	Line	   *line;
	int			len;
	uint32		c;

	GROW_ARRAY(segmenter->lines, segmenter->nlines, segmenter->lines_capacity, 16);
	line = &segmenter->lines[segmenter->nlines++];
	*line = (Line) {.begin = begin,.first = SkipWhite(draft, begin, false),.marker_end = -1};
	c = DraftCharacter(draft, line->first, &len);
	line->is_blank = len == 0 || c == '\n';
	line->is_heading = c == '#';
	if (!line->is_blank && !line->is_heading)
		line->marker_end = MarkerEnd(draft, line->first);
	line->in_entry = line->marker_end >= 0 || (in_entry && !line->is_blank);
	if (line->marker_end >= 0)
		segmenter->marker_end = line->marker_end;
	return line;
}

/* Is there a question mark between two positions, before any token? */
static bool
Asks(const Draft *draft, int from, int to)
{
	static const uint32 asking[] = {
		'?', 0x037E, 0x061F, 0x1367, 0x1945, 0x203D, 0x2047, 0x2048, 0x2049, 0x2CFA, 0x2CFB, 0x2E2E, 0x2E54,
		0xA60F, 0xA6F7, 0xFE16, 0xFE56, 0xFF1F, 0x11143
	};

	while (from < to)
	{
		int			len;
		uint32		c = DraftCharacter(draft, from, &len);

		if (IsTokenCharacter(c))
			return false;
		for (size_t i = 0; i < lengthof(asking); i++)
		{
			if (c == asking[i])
				return true;
		}
		from += len;
	}
	return false;
}

/* Returns the last position before "end", and not before "begin", without white space before it. */
static int
TrimEnd(const Draft *draft, int begin, int end)
{
	const char *text = draft->words.text.str;

	while (end > begin)
	{
		int			before = end - 1;
		int			len;

		while (before > begin && ((unsigned char) text[before] & 0xC0) == 0x80)
			before--;
		if (!IsWhiteSpace(DraftCharacter(draft, before, &len)))
			break;
		end = before;
	}
	return end;
}

static void
AddSentence(Segmenter *segmenter, int begin, int end, int close)
{
	Draft	   *draft = segmenter->draft;
	ReadSentence *sentence;
	const Line *line;

	GROW_ARRAY(draft->sentences, draft->nsentences, draft->capacity, 16);
	while (segmenter->sentence_line + 1 < segmenter->nlines &&
		   segmenter->lines[segmenter->sentence_line + 1].begin <= begin)
		segmenter->sentence_line++;
	line = &segmenter->lines[segmenter->sentence_line];
	sentence = &draft->sentences[draft->nsentences++];
	*sentence = (ReadSentence) {
		.begin = begin,
		.end = end,
		.asks = close >= 0 && Asks(draft, close, end),
		.is_closed = close >= 0,
		.is_heading_line = line->is_heading,
		.is_list_entry = line->in_entry,
		.opens_list_entry = line->marker_end >= 0 && line->first >= begin
	};
}

/* Ends the sentence. A sentence without a token does not count. */
static void
FinishSentence(Segmenter *segmenter, int end, int close)
{
	if (segmenter->is_held)
	{
		int			begin = SkipWhite(segmenter->draft, segmenter->begin, true);

		AddSentence(segmenter, begin, TrimEnd(segmenter->draft, begin, end), close);
	}
	segmenter->begin = end;
	segmenter->close = -1;
	segmenter->is_foreign = false;
	segmenter->white = -1;
	segmenter->is_held = false;
}

/* Ends a sentence that a mark has closed, before this position. */
static void
SettleBefore(Segmenter *segmenter, int place)
{
	if (segmenter->close >= 0)
		FinishSentence(segmenter, segmenter->white >= 0 && segmenter->white < place ? segmenter->white : place,
			   segmenter->close);
}

/* Handles a mark that closes. */
static void
Close(Segmenter *segmenter, int place)
{
	segmenter->clause++;
	if (segmenter->close >= 0 && segmenter->white >= 0)
		SettleBefore(segmenter, place);
	if (segmenter->close < 0)
		segmenter->close = place;
}

bool
DraftTokenIs(const Draft *draft, const Lexicon *lexicon, int token, const char *word)
{
	return SpanEqualCString(LexiconWord(lexicon, draft->words.tokens[token].word)->folded, word);
}

/* Does a digit follow, after optional white space? */
static bool
IsNumbered(const Draft *draft, int place)
{
	int			len;
	uint32		c = DraftCharacter(draft, SkipWhite(draft, place, true), &len);

	return len > 0 && IsDigitCharacter(c);
}

static bool
IsNo(const Draft *draft, const Lexicon *lexicon, int token)
{
	return DraftTokenIs(draft, lexicon, token, "no") || DraftTokenIs(draft, lexicon, token, "nos");
}

bool
IsTitleOfNumber(const Draft *draft, const Lexicon *lexicon, int token)
{
	Span		text = draft->words.text;
	int			end = draft->words.tokens[token].end;

	return IsNo(draft, lexicon, token) &&
		ReadingSays(draft->rules, draft->words.tokens[token].word, READING_TITLE) &&
		end < text.len && text.str[end] == '.' && IsNumbered(draft, end + 1);
}

/* Does a full stop directly after a token close a sentence? */
static bool
StopCloses(const Segmenter *segmenter, const Lexicon *lexicon, int token, int behind)
{
	const Draft *draft = segmenter->draft;
	const Token *before = &draft->words.tokens[token];
	int			len;
	uint32		c = DraftCharacter(draft, before->begin, &len);
	bool		is_alone = before->begin + len == before->end;

	if (ReadingSays(draft->rules, before->word, READING_TITLE) &&
		(!IsNo(draft, lexicon, token) || IsNumbered(draft, behind)))
		return false;
	if (is_alone && IsUpperCase(c))
		return false;
	if (!ReadingSays(draft->rules, before->word, READING_ABBREVIATION) && !(is_alone && IsLowerCase(c)))
		return true;
	c = DraftCharacter(draft, SkipWhite(draft, behind, true), &len);
	return len == 0 || IsUpperCase(c);
}

/* Does this full stop belong to a number at the beginning of its line? */
static bool
IsNumberOfLine(const Segmenter *segmenter, int place)
{
	const Line *line = &segmenter->lines[segmenter->nlines - 1];

	return SkipDigits(segmenter->draft, line->first) == place && place > line->first;
}

/* Does one of . ! ? … close here? "token" is the next one. */
static bool
MarkCloses(const Segmenter *segmenter, const Lexicon *lexicon, uint32 c, int place, int behind, int token)
{
	const Words *words = &segmenter->draft->words;
	bool		is_behind_token = token > 0 && words->tokens[token - 1].end == place;

	if (token < words->ntokens && words->tokens[token].begin == behind)
		return c == ELLIPSIS && !is_behind_token;
	if (c != '.')
		return true;
	if (IsNumberOfLine(segmenter, place))
		return false;
	return !is_behind_token || StopCloses(segmenter, lexicon, token - 1, behind);
}

/* Handles the end of a line, depending on the next line. */
static void
EndLine(Segmenter *segmenter, int place)
{
	bool		was_heading = segmenter->lines[segmenter->nlines - 1].is_heading;
	const Line *line = AddLine(segmenter, place + 1);

	if (!was_heading && !line->is_heading && !line->is_blank && line->marker_end < 0)
		return;
	segmenter->clause++;
	SettleBefore(segmenter, place);
	FinishSentence(segmenter, place, -1);
}

/* Handles a character between two tokens; "token" is the next one. */
static void
Separate(Segmenter *segmenter, const Lexicon *lexicon, uint32 c, int place, int behind, int token)
{
	const Words *words = &segmenter->draft->words;
	Closing		foreign;

	if (segmenter->close >= 0 && segmenter->white < 0 && IsWhiteSpace(c))
		segmenter->white = place;
	switch (c)
	{
		case '\n':
			EndLine(segmenter, place);
			return;
		case ';':
		case ':':
			if (token == 0 || token == words->ntokens || words->tokens[token - 1].end != place ||
				words->tokens[token].begin != behind)
				segmenter->clause++;
			return;
		case '.':
		case '!':
		case '?':
		case ELLIPSIS:
			if (MarkCloses(segmenter, lexicon, c, place, behind, token))
				Close(segmenter, place);
			return;
	}
	foreign = c < 0x80 ? CLOSES_NOTHING : ForeignClosing(c);
	if (foreign == CLOSES_SENTENCE)
	{
		Close(segmenter, place);
		segmenter->is_foreign = true;
	}
	else if (foreign == CLOSES_CLAUSE)
		segmenter->clause++;
}

/* Handles everything from here to the next token, or to the end. */
static void
SeparateUpTo(Segmenter *segmenter, const Lexicon *lexicon, int place, int end, int token)
{
	while (place < end)
	{
		int			len;
		uint32		c = DraftCharacter(segmenter->draft, place, &len);

		Separate(segmenter, lexicon, c, place, place + len, token);
		place += len;
	}
}

void
SegmentsRead(Draft *draft)
{
	Segmenter	segmenter = {
		.draft = draft,
		.text = draft->words.text,
		.close = -1,
		.white = -1,
		.marker_end = -1
	};
	Words	   *words = &draft->words;
	int			place = 0;

	draft->capacity = 16;
	draft->sentences = palloc(sizeof(ReadSentence) * draft->capacity);
	draft->behind_marker = palloc_extended(Max(words->ntokens, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	(void) AddLine(&segmenter, 0);
	for (int i = 0; i < words->ntokens; i++)
	{
		Token	   *token = &words->tokens[i];

		CHECK_FOR_INTERRUPTS();
		SeparateUpTo(&segmenter, draft->lexicon, place, token->begin, i);
		place = token->end;
		/*
		 * a word attached to a closing mark belongs to the sentence; after a mark
		 * of another script it begins a new one
		 */
		if (segmenter.white >= 0 || segmenter.is_foreign)
			SettleBefore(&segmenter, token->begin);
		/* a clause does not continue in the next sentence */
		if (i > 0 && token[-1].sentence != draft->nsentences && token[-1].clause == segmenter.clause)
			segmenter.clause++;
		segmenter.is_held = true;
		token->clause = segmenter.clause;
		token->sentence = draft->nsentences;
		if (segmenter.marker_end >= 0 && token->begin >= segmenter.marker_end)
		{
			draft->behind_marker[i] = true;
			segmenter.marker_end = -1;
		}
	}
	SeparateUpTo(&segmenter, draft->lexicon, place, words->text.len, words->ntokens);
	SettleBefore(&segmenter, words->text.len);
	FinishSentence(&segmenter, words->text.len, -1);
	pfree(segmenter.lines);
	words->nclauses = segmenter.clause + 1;
	words->nsentences = draft->nsentences;
}
