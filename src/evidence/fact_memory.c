/*-------------------------------------------------------------------------
 *
 * fact_memory.c
 *		Facts that this process has made lately of the same bytes.
 *
 * What stored readings come to follows from a few rows alone: what is registered
 * of the tool, the readings with what is registered of their sources, whether
 * each is fresh, whether the transaction had written, and the key that attests.
 * A request about what was asked before would make the very same fact again: hold
 * each reading against its digest, build the fact, hash it, attest it, and write
 * it twice, for the signature and for the row.
 *
 * Promises: a fact is recalled only where all that it follows from is the same,
 * byte for byte.  The rows are read anew for every request, with its own snapshot,
 * so nothing has to be told of a change, a rollback or another session's commit.
 * What is given out is the caller's own copy.  No user's code takes part: tools
 * with a handler, a grader, or paths that say when or by whom something was
 * observed, and facts judged as of another instant, are not remembered.  It is
 * bounded: so many facts of so many bytes at most, in a session that asks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "lib/stringinfo.h"
#include "utils/memutils.h"

#include "evidence/fact_memory.h"

/* How many facts, in pairs; and the bytes of the greatest one, all that it follows from included. */
#define MEMORY_SLOTS	512
#define MEMORY_MAX_SIZE	8192

/* One fact: its key, then the fact as JsonViewWritten() makes it, in one piece of memory. */
typedef struct Remembered
{
	char	   *bytes;			/* NULL: none yet */
	int			keylen;
	int			begin;			/* of the fact, aligned */
	int			end;
	char		digest[DIGEST_TEXT_LENGTH + 1];
} Remembered;

static void
AddSpan(StringInfo key, Span span)
{
	appendBinaryStringInfo(key, (const char *) &span.len, sizeof(span.len));
	appendBinaryStringInfo(key, span.str, span.len);
}

/* Does a fact follow from what can be compared, and nothing else? */
static bool
IsMemorable(const Tool *tool, const Reading *readings, int count, const CallTerms *terms)
{
	Size		size = tool->row.len;

	if (tool->row.len == 0 || tool->handler || tool->graded || tool->has_timestamp_path ||
		tool->has_source_path || terms->evaluated_at != terms->now ||
		readings[0].digest.len != DIGEST_TEXT_LENGTH)
		return false;
	for (int i = 0; i < count; i++)
	{
		if (readings[i].row.len == 0)
			return false;
		size += readings[i].row.len;
	}
	return size <= MEMORY_MAX_SIZE;
}

/* All that a fact follows from. */
static void
WriteKey(StringInfo key, const Tool *tool, const char *args_digest, const Reading *readings, int count,
		 const CallTerms *terms)
{
	AddSpan(key, SpanOfCString(terms->key->key_id));
	AddSpan(key, tool->name);
	AddSpan(key, tool->row);
	AddSpan(key, SpanOf(args_digest, DIGEST_TEXT_LENGTH));
	appendStringInfoChar(key, terms->had_written);
	for (int i = 0; i < count; i++)
	{
		appendStringInfoChar(key, FactIsFresh(tool, &readings[i], terms->evaluated_at));
		AddSpan(key, readings[i].row);
	}
}

/* The pair of places for a fact, by its newest reading; the first has what was used last. */
static Remembered *
PlacesFor(const Reading *reading)
{
	static Remembered *slots = NULL;
	uint32		hash;

	if (slots == NULL)
		slots = MemoryContextAllocZero(TopMemoryContext, sizeof(Remembered) * MEMORY_SLOTS);
	/* digits of a SHA-256 are as good as a hash */
	memcpy(&hash, reading->digest.str + strlen(DIGEST_PREFIX), sizeof(hash));
	hash = hash * 0x9E3779B1 >> 16;
	return &slots[hash % (MEMORY_SLOTS / 2) * 2];
}

static bool
HasKey(const Remembered *remembered, StringInfo key)
{
	return remembered->bytes && remembered->keylen == key->len &&
		memcmp(remembered->bytes, key->data, key->len) == 0;
}

static void
Swap(Remembered *places)
{
	Remembered	first = places[0];

	places[0] = places[1];
	places[1] = first;
}

/*
 * The fact that stored readings of a tool come to, the newest of which is the
 * first, and its digest, if it was made before of the same.  The key is held to be
 * one that may still sign.
 */
bool
FactRecall(const Tool *tool, const char *args_digest, const Reading *readings, int count,
		   const CallTerms *terms, JsonView *fact, char *digest)
{
	StringInfoData key;
	Remembered *places;
	char	   *copy;
	int			len;

	if (!IsMemorable(tool, readings, count, terms))
		return false;
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms);
	places = PlacesFor(&readings[0]);
	if (HasKey(&places[1], &key))
		Swap(places);
	if (!HasKey(&places[0], &key))
	{
		pfree(key.data);
		return false;
	}
	pfree(key.data);
	SigningKeyMustBeUsable(terms->key);
	len = places[0].end - places[0].begin;
	copy = palloc(len);
	memcpy(copy, places[0].bytes + places[0].begin, len);
	memcpy(digest, places[0].digest, sizeof(places[0].digest));
	*fact = JsonViewOfWritten(SpanOf(copy, len));
	return true;
}

/* Remembers a fact that was just made, which becomes a view of what is written already. */
void
FactRemember(const Tool *tool, const char *args_digest, const Reading *readings, int count,
			 const CallTerms *terms, JsonView *fact, const char *digest)
{
	static MemoryContext memory = NULL;
	StringInfoData key;
	Span		written;
	Remembered *place;
	int			begin;

	if (!IsMemorable(tool, readings, count, terms) || JsonViewIsDeeper(fact, WRITTEN_MAX_DEPTH))
		return;
	written = JsonViewWritten(fact);
	*fact = JsonViewOfWritten(written);
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms);
	begin = MAXALIGN(key.len);
	if (begin + written.len <= MEMORY_MAX_SIZE)
	{
		if (memory == NULL)
			memory = AllocSetContextCreate(TopMemoryContext, "answer_eval facts", ALLOCSET_DEFAULT_SIZES);
		place = PlacesFor(&readings[0]);
		Swap(place);			/* what was used last stays, what was before it goes */
		if (place->bytes)
			pfree(place->bytes);
		place->bytes = NULL;
		place->bytes = MemoryContextAlloc(memory, begin + written.len);
		memcpy(place->bytes, key.data, key.len);
		memcpy(place->bytes + begin, written.str, written.len);
		place->keylen = key.len;
		place->begin = begin;
		place->end = begin + written.len;
		strlcpy(place->digest, digest, sizeof(place->digest));
	}
	pfree(key.data);
}
