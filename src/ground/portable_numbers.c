/*-------------------------------------------------------------------------
 *
 * portable_numbers.c
 *		Numbers of a document. Those that a reader might round are texts there.
 *
 * Rule: doc/spec/document.md §4.  A decision uses chunks and configuration as they are read
 * from the document, so that a replay decides on the same values.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "ground/portable_numbers.h"

/* Must a member stay a text, even if it looks like a number? */
static bool
IsText(const JsonView *name)
{
	static const char *const texts[] = {"chunk_id", "doc_id", "text", "timestamp", "rerank", "judge", "judge_entailment",
		"judge_answers", "judge_conflict", "unjudged_passages", "supersede", "title", "uri"};

	for (size_t i = 0; i < lengthof(texts); i++)
	{
		if (JsonViewStringIs(name, texts[i]))
			return true;
	}
	return false;
}

/* Converts a text that is the portable form of a number to that number; returns other values unchanged. */
JsonView
NumberOfPortable(const JsonView *value)
{
	JsonView	number;

	if (value->type == JVIEW_STRING && value->len <= 1000 && JsonViewNumberOfPortable(value, &number))
		return number;
	return *value;
}

/* Converts the members of an object in this way, except those that must be texts. */
JsonView
NumbersOfPortable(const JsonView *object)
{
	JsonView	copy = JsonViewNewObject(JsonViewCount(object));

	for (int i = 0; i < JsonViewCount(object); i++)
	{
		Span		key;
		JsonView	name;
		JsonView	value = JsonViewMember(object, i, &key);

		name = JsonViewString(key.str, key.len);
		JsonViewSetKey(&copy, key.str, key.len,
					   IsText(&name) ? value : NumberOfPortable(&value));
	}
	return copy;
}

/* Converts the chunks of a document for decisions; absent if they are no array of objects. */
JsonView
ReadableChunks(const JsonView *chunks)
{
	JsonView	readable = {.type = JVIEW_ABSENT};

	if (chunks->type != JVIEW_ARRAY)
		return readable;
	readable = JsonViewNewArray(JsonViewCount(chunks));
	for (int i = 0; i < JsonViewCount(chunks); i++)
	{
		JsonView	chunk = JsonViewAt(chunks, i);

		CHECK_FOR_INTERRUPTS();
		if (chunk.type != JVIEW_OBJECT)
			return (JsonView) {.type = JVIEW_ABSENT};
		JsonViewAppend(&readable, NumbersOfPortable(&chunk));
	}
	return readable;
}
