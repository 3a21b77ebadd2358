/*-------------------------------------------------------------------------
 *
 * stems.c
 *		The stems of words, by a text-search configuration of the server.
 *
 * What is asked for are words of our own (ground/words.h), each by itself; so a
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
#include "utils/regproc.h"
#include "utils/varlena.h"

#include "base/canonical.h"
#include "base/compat.h"
#include "base/funcargs.h"
#include "plan/stems.h"

/* Positions of a text end here; what is parsed is one word. */
#define PARSED_WORDS	4

Oid
StemsConfig(Span name)
{
	JsonView	view = JsonViewString(name.str, name.len);
	Oid			config = InvalidOid;

	if (name.len > 0 && memchr(name.str, '\0', name.len) == NULL)
	{
		char	   *server = text_to_cstring(TextOfUtf8(name));
		List	   *names = NIL;

		if (SplitIdentifierString(pstrdup(server), '.', &names) && list_length(names) <= 2 && names != NIL)
		{
			List	   *qualified = NIL;
			ListCell   *cell;

			foreach(cell, names)
				qualified = lappend(qualified, makeString(lfirst(cell)));
			if (list_length(qualified) == 1)
				qualified = lcons(makeString("pg_catalog"), qualified);
			config = get_ts_config_oid(qualified, true);
		}
	}
	if (!OidIsValid(config))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ts_config must name a text-search configuration, and is %s", ShownValue(&view)),
				 errhint("pg_ts_config lists them; one that is not of pg_catalog is named with its schema.")));
	return config;
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
StemsOfWords(Oid config, const JsonView *words)
{
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
