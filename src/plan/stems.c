/*-------------------------------------------------------------------------
 *
 * stems.c
 *		The stems of words, by the server's text-search configuration "english".
 *
 * What is asked for are words of our own (reading/words.h), each by itself; so a
 * hyphen or a digit never makes one word into several that overlap, and what a
 * verification rests on is a plain table from words to stems.  The dictionaries
 * are the server's, and may change: whoever keeps a result keeps the table.
 *
 * Promises: linear; a word that is too long for the dictionaries is its own stem,
 * and one with a character that the database has not, which folding can bring,
 * has none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/value.h"
#include "tsearch/ts_type.h"
#include "tsearch/ts_utils.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base/canonical.h"
#include "base/compat.h"
#include "base/funcargs.h"
#include "plan/stems.h"

/* Positions of a text end here; what is parsed is one word. */
#define PARSED_WORDS	4

/* The configuration: always this one, for what it makes of words decides verdicts. */
static Oid
StemsConfig(void)
{
	return get_ts_config_oid(list_make2(makeString("pg_catalog"), makeString("english")), false);
}

static int
CompareSpans(const void *a, const void *b)
{
	return SpanOrder(*(const Span *) a, *(const Span *) b);
}

/* The word as the dictionaries read it; NULL if they cannot. */
static char *
ReadableWord(Span word, int *len)
{
	int			size = MAX_CONVERSION_GROWTH * word.len + 1;
	char	   *readable;

	*len = word.len;
	if (word.len >= MAXSTRLEN)
		return NULL;
	readable = palloc(size);
	if (GetDatabaseEncoding() == PG_UTF8 || SpanIsText(word))
	{
		memcpy(readable, word.str, word.len);
		return readable;
	}
	if (GetDatabaseEncoding() == PG_SQL_ASCII ||
		pg_do_encoding_conversion_buf(FindDefaultConversionProc(PG_UTF8, GetDatabaseEncoding()), PG_UTF8,
									  GetDatabaseEncoding(), (unsigned char *) unconstify(char *, word.str),
									  word.len, (unsigned char *) readable, size, true) != word.len)
		return NULL;
	*len = strlen(readable);
	return readable;
}

/* The distinct stems of a word, by code point. */
static JsonView
StemsOfWord(Oid config, Span word)
{
	ParsedText	parsed = {.words = palloc_array(ParsedWord, PARSED_WORDS),.lenwords = PARSED_WORDS};
	int			len;
	char	   *readable = ReadableWord(word, &len);
	JsonView	stems = JsonViewNewArray(1);
	Span	   *found;

	/* what cannot be written as JSON here cannot be kept, so it has no stem */
	if (readable == NULL && word.len < MAXSTRLEN && GetDatabaseEncoding() != PG_SQL_ASCII)
		return stems;
	if (readable == NULL)
	{
		JsonViewAppend(&stems, JsonViewString(word.str, word.len));
		return stems;
	}
	parsetext(config, &parsed, readable, len);
	found = palloc_array(Span, Max(parsed.curwords, 1));
	for (int i = 0; i < parsed.curwords; i++)
		found[i].str = JsonServerToUtf8(parsed.words[i].word, parsed.words[i].len, &found[i].len);
	qsort(found, parsed.curwords, sizeof(Span), CompareSpans);
	for (int i = 0; i < parsed.curwords; i++)
	{
		if (i == 0 || !SpanEqual(found[i], found[i - 1]))
			JsonViewAppend(&stems, JsonViewString(found[i].str, found[i].len));
	}
	return stems;
}

JsonView
StemsOfWords(const JsonView *words)
{
	Oid			config = StemsConfig();
	int			count = JsonViewCount(words);
	JsonView	stems = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		JsonView	word;
		JsonView	of_word;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(words, i, &word);
		of_word = StemsOfWord(config, SpanOf(word.str, word.len));
		if (JsonViewCount(&of_word) > 0)
			JsonViewSetKey(&stems, word.str, word.len, of_word);
	}
	/* each of them is looked up, which takes a search of all where they have no order */
	(void) JsonViewSortedMembers(&stems, &count);
	return stems;
}
