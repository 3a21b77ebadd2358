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

/*
 * Facts are kept in sets by a hash of their newest reading.  A fact of more bytes,
 * with all that it follows from, is not kept.
 */
#define MEMORY_SETS		64
#define SET_SIZE		8
#define MEMORY_MAX_SIZE	8192

/* One fact: its key, then the fact as JsonViewWritten() makes it, in one piece of memory. */
typedef struct Remembered
{
	char	   *bytes;			/* NULL: none yet */
	int			keylen;
	int			begin;			/* of the fact, aligned */
	int			end;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	uint64		used;			/* when it was used last, in uses */
} Remembered;

/* How often facts were recalled or remembered. */
static uint64 uses = 0;

static void
AddSpan(StringInfo key, Span span)
{
	appendBinaryStringInfo(key, (const char *) &span.len, sizeof(span.len));
	appendBinaryStringInfo(key, span.str, span.len);
}

/* Does a fact follow from what can be compared, and nothing else? */
bool
FactIsMemorable(const Tool *tool, const Reading *readings, int count, const CallTerms *terms)
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

/* The places for a fact, by its newest reading. */
static Remembered *
PlacesFor(const Reading *reading)
{
	static Remembered *slots = NULL;
	uint32		hash;

	if (slots == NULL)
		slots = MemoryContextAllocZero(TopMemoryContext, sizeof(Remembered) * MEMORY_SETS * SET_SIZE);
	/* digits of a SHA-256 are as good as a hash */
	memcpy(&hash, reading->digest.str + strlen(DIGEST_PREFIX), sizeof(hash));
	hash = hash * 0x9E3779B1 >> 16;
	return &slots[hash % MEMORY_SETS * SET_SIZE];
}

/* The place that has a key, or NULL. */
static Remembered *
FindByKey(Remembered *places, StringInfo key)
{
	for (int i = 0; i < SET_SIZE; i++)
	{
		if (places[i].bytes && places[i].keylen == key->len && memcmp(places[i].bytes, key->data, key->len) == 0)
			return &places[i];
	}
	return NULL;
}

/* The place that was used least recently, or never. */
static Remembered *
FindOldest(Remembered *places)
{
	Remembered *oldest = &places[0];

	for (int i = 1; i < SET_SIZE; i++)
	{
		if (places[i].used < oldest->used)
			oldest = &places[i];
	}
	return oldest;
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
	Remembered *place;
	char	   *copy;
	int			len;

	if (!FactIsMemorable(tool, readings, count, terms))
		return false;
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms);
	place = FindByKey(PlacesFor(&readings[0]), &key);
	pfree(key.data);
	if (place == NULL)
		return false;
	SigningKeyMustBeUsable(terms->key);
	place->used = ++uses;
	len = place->end - place->begin;
	copy = palloc(len);
	memcpy(copy, place->bytes + place->begin, len);
	memcpy(digest, place->digest, sizeof(place->digest));
	*fact = JsonViewOfWritten(SpanOf(copy, len));
	return true;
}

/* Remembers a memorable fact that was just made, which becomes a view of what is written already. */
void
FactRemember(const Tool *tool, const char *args_digest, const Reading *readings, int count,
			 const CallTerms *terms, JsonView *fact, const char *digest, const FactText *text)
{
	static MemoryContext memory = NULL;
	StringInfoData key;
	Span		written;
	Remembered *place;
	int			begin;

	if (text->levels > WRITTEN_MAX_DEPTH)
		return;
	written = JsonViewWritten(fact, &text->text);
	*fact = JsonViewOfWritten(written);
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms);
	begin = MAXALIGN(key.len);
	if (begin + written.len <= MEMORY_MAX_SIZE)
	{
		if (memory == NULL)
			memory = AllocSetContextCreate(TopMemoryContext, "answer_eval facts", ALLOCSET_DEFAULT_SIZES);
		place = FindOldest(PlacesFor(&readings[0]));
		if (place->bytes)
			pfree(place->bytes);
		place->bytes = NULL;
		place->bytes = MemoryContextAlloc(memory, begin + written.len);
		memcpy(place->bytes, key.data, key.len);
		memcpy(place->bytes + begin, written.str, written.len);
		place->used = ++uses;
		place->keylen = key.len;
		place->begin = begin;
		place->end = begin + written.len;
		strlcpy(place->digest, digest, sizeof(place->digest));
	}
	pfree(key.data);
}
