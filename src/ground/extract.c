/*-------------------------------------------------------------------------
 *
 * extract.c
 *		Makes an answer from quotes alone.
 *
 * Rule: doc/spec/decision.md §8.3.  The decision chooses the quotes; this module writes
 * them: each in straight quotation marks, then a blank and the number of its citation.
 * Inside a quote a quotation mark becomes an apostrophe, and digits in brackets are put in
 * parentheses, so that they cannot be taken for either.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/span.h"
#include "ground/extract.h"

/* Returns the length of a marker that begins at "["; 0 if it is none. */
static int
MarkerLength(const char *p, const char *end)
{
	const char *q = p + 1;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	return q > p + 1 && q < end && *q == ']' ? (int) (q - p) + 1 : 0;
}

/* Appends a quote with the number of its citation, from 1. */
static void
AppendQuote(StringInfo answer, Span quote, int citation)
{
	const char *p = quote.str;
	const char *end = quote.str + quote.len;

	if (answer->len > 0)
		appendStringInfoChar(answer, ' ');
	appendStringInfoChar(answer, '"');
	while (p < end)
	{
		int			marker = *p == '[' ? MarkerLength(p, end) : 0;

		if (marker > 0)
		{
			appendStringInfoChar(answer, '(');
			appendBinaryStringInfo(answer, p + 1, marker - 2);
			appendStringInfoChar(answer, ')');
			p += marker;
			continue;
		}
		appendStringInfoChar(answer, *p == '"' ? '\'' : *p);
		p++;
	}
	appendStringInfo(answer, "\" [%d]", citation);
}

JsonView
ExtractAnswer(const JsonView *quotes)
{
	JsonView	proposed = JsonViewNewObject(3);
	JsonView	citations = JsonViewNewArray(JsonViewCount(quotes));
	StringInfoData answer;

	initStringInfo(&answer);
	for (int i = 0; i < JsonViewCount(quotes); i++)
	{
		JsonView	quote = JsonViewAt(quotes, i);
		JsonView	chunk_id = JsonViewUnder(&quote, "chunk_id");
		Span		text = {"", 0};

		CHECK_FOR_INTERRUPTS();
		(void) JsonViewGetString(&quote, "text", &text);
		JsonViewAppend(&citations, chunk_id);
		AppendQuote(&answer, text, i + 1);
	}
	JsonViewSet(&proposed, "by", JsonViewCString("extract"));
	JsonViewSet(&proposed, "answer", JsonViewString(answer.data, answer.len));
	JsonViewSet(&proposed, "citations", citations);
	return proposed;
}
