/*-------------------------------------------------------------------------
 *
 * portable_numbers.c
 *		Numbers of a document, which are texts there where a reader might lose digits.
 *
 * Rule: doc/spec/document.md §4.  What is decided on is what the document
 * shows, so a decision reads chunks and a configuration as whoever replays it
 * does.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "ground/portable_numbers.h"

/* Is a member a text, whatever it looks like? */
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

/*
 * A number that portable form writes as a text is that number again; every
 * other value is as it stands.
 */
JsonView
NumberOfPortable(const JsonView *value)
{
	JsonView	number;

	if (value->type == JVIEW_STRING && value->len <= 1000 && JsonViewNumberOfPortable(value, &number))
		return number;
	return *value;
}

/* An object with its numbers as NumberOfPortable gives them, but for what must be text. */
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

/* The chunks of a document as those who decide read them; absent if they are no array of objects. */
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
