/*-------------------------------------------------------------------------
 *
 * sentence_text.c
 *		A sentence as it stands in the text.
 *
 * What ground.verify shows of a source: tokens have lost their punctuation, and a
 * number its sign, so a sentence is found again around its tokens.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "plan/sentence_text.h"

static bool
IsBlank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* Where what closes a sentence ends that ends before this place: all up to a blank. */
static int
CloseEnd(const Words *words, int place, int limit)
{
	while (place < limit && !IsBlank(words->text.str[place]))
		place++;
	return place;
}

static bool
Stands(const Words *words, int place, int limit, const char *mark)
{
	int			len = strlen(mark);

	return limit - place >= len && memcmp(words->text.str + place, mark, len) == 0;
}

/* Where the text of a sentence ends behind its last token: with what closes it, or at the end of its line. */
static int
SentenceStop(const Words *words, int place, int limit)
{
	int			stop = CloseEnd(words, place, limit);
	int			line = place;

	for (; line < limit && words->text.str[line] != '\n'; line++)
	{
		if (strchr(".!?", words->text.str[line]) || Stands(words, line, limit, "\xE2\x80\xA6"))
			return Max(stop, CloseEnd(words, line, limit));
	}
	/* closed without a mark of these: a line end, the text's end, or a mark of another script */
	if (line == limit && limit < words->text.len)
		return stop;
	while (line > stop && IsBlank(words->text.str[line - 1]))
		line--;
	return line;
}

/* Where a sentence begins whose number stands at "start": at the sign of its currency, if a space is between. */
static int
CurrencyStart(const Words *words, int start, int floor)
{
	static const char *const signs[] = {"$", "\xE2\x82\xAC", "\xC2\xA3"};

	for (size_t i = 0; start > floor && words->text.str[start - 1] == ' ' && i < lengthof(signs); i++)
	{
		int			sign = start - 1 - (int) strlen(signs[i]);

		if (sign >= floor && Stands(words, sign, start, signs[i]))
			return sign;
	}
	return start;
}

/* So no number loses its unit. */
Span
SentenceText(const Words *words, int first, int end)
{
	int			limit = end < words->ntokens ? words->tokens[end].begin : words->text.len;
	int			stop = SentenceStop(words, words->tokens[end - 1].end, limit);
	int			floor = 0;
	int			start = words->tokens[first].begin;

	if (first > 0)
		floor = CloseEnd(words, words->tokens[first - 1].end, start);
	while (start > floor && !IsBlank(words->text.str[start - 1]))
		start--;
	start = CurrencyStart(words, start, floor);
	return SpanOf(words->text.str + start, stop - start);
}
