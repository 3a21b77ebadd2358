/*-------------------------------------------------------------------------
 *
 * fact_memory.c
 *		Caches facts that this process has made from the same bytes.
 *
 * The fact for stored readings depends only on a few rows and values: the tool's
 * registration, the readings with the registration of their sources, whether each
 * is fresh, whether the transaction had written, and the key that attests.  A
 * repeated request would make the same fact again: verify the digest of each
 * reading, build the fact, hash it, attest it, and write it twice, for the
 * signature and for the row.
 *
 * Promises: a cached fact is used only if everything it depends on is the same,
 * byte for byte.  Each request reads the rows anew, with its own snapshot.  So a
 * change, a rollback or another session's commit needs no invalidation.  The
 * caller gets a copy of its own.  No user's code is involved: a fact is not cached
 * if the tool has a handler, a grader, or paths that say when or by whom something
 * was observed, or if it is judged as of another instant.  The number of facts and
 * their bytes are bounded, per session.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "utils/memutils.h"

#include "evidence/fact_memory.h"

/*
 * Facts are cached in sets, by a hash of their newest reading and of their place.  A fact
 * that has, with its key, more bytes than this is not cached.
 */
#define MEMORY_SETS		64
#define SET_SIZE		8
#define MEMORY_MAX_SIZE	8192

/* One fact: its key, then the fact as made by JsonViewWritten(), in one piece of memory. */
typedef struct Remembered
{
	char	   *bytes;			/* NULL if the slot is empty */
	int			keylen;
	int			begin;			/* offset of the fact, aligned */
	int			end;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	uint64		used;			/* time of the last use, counted in uses */
} Remembered;

/* How often facts were found or added. */
static uint64 uses = 0;

static void
AddSpan(StringInfo key, Span span)
{
	appendBinaryStringInfo(key, (const char *) &span.len, sizeof(span.len));
	appendBinaryStringInfo(key, span.str, span.len);
}

/* Does a fact depend only on what can be compared? */
bool
FactIsMemorable(const Tool *tool, const ToolReading *readings, int count, const CallTerms *terms)
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

/* Writes everything that a fact depends on. */
static void
WriteKey(StringInfo key, const Tool *tool, const char *args_digest, const ToolReading *readings, int count,
		 const CallTerms *terms, const Place *place)
{
	AddSpan(key, SpanOfCString(terms->key->key_id));
	AddSpan(key, tool->name);
	AddSpan(key, tool->row);
	AddSpan(key, SpanOf(args_digest, DIGEST_TEXT_LENGTH));
	AddSpan(key, place->text);
	appendStringInfoChar(key, terms->had_written);
	for (int i = 0; i < count; i++)
	{
		appendStringInfoChar(key, FactIsFresh(tool, &readings[i], terms->evaluated_at));
		AddSpan(key, readings[i].row);
	}
}

/* Returns the slots for a fact, by its newest reading and its place. */
static Remembered *
SlotsFor(const ToolReading *reading, const Place *place)
{
	static Remembered *slots = NULL;
	uint32		hash;

	if (slots == NULL)
		slots = MemoryContextAllocZero(TopMemoryContext, sizeof(Remembered) * MEMORY_SETS * SET_SIZE);
	/* digits of a SHA-256 serve as a hash */
	memcpy(&hash, reading->digest.str + strlen(DIGEST_PREFIX), sizeof(hash));
	if (place->text.len > 0)
		hash ^= hash_bytes((const unsigned char *) place->text.str, place->text.len);
	hash = hash * 0x9E3779B1 >> 16;
	return &slots[hash % MEMORY_SETS * SET_SIZE];
}

/* Returns the slot with this key, or NULL. */
static Remembered *
FindByKey(Remembered *set, StringInfo key)
{
	for (int i = 0; i < SET_SIZE; i++)
	{
		if (set[i].bytes && set[i].keylen == key->len && memcmp(set[i].bytes, key->data, key->len) == 0)
			return &set[i];
	}
	return NULL;
}

/* Returns the slot that was used least recently, or never. */
static Remembered *
FindOldest(Remembered *set)
{
	Remembered *oldest = &set[0];

	for (int i = 1; i < SET_SIZE; i++)
	{
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	return oldest;
}

/*
 * Finds the fact for a place, and its digest, if it was made before from the same stored
 * readings of a tool, the newest first.  The caller has checked that the key may still
 * sign.
 */
bool
FactRecall(const Tool *tool, const char *args_digest, const ToolReading *readings, int count,
		   const CallTerms *terms, const Place *place, JsonView *fact, char *digest)
{
	StringInfoData key;
	Remembered *slot;
	char	   *copy;
	int			len;

	if (!FactIsMemorable(tool, readings, count, terms))
		return false;
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms, place);
	slot = FindByKey(SlotsFor(&readings[0], place), &key);
	pfree(key.data);
	if (slot == NULL)
		return false;
	SigningKeyMustBeUsable(terms->key);
	slot->used = ++uses;
	len = slot->end - slot->begin;
	copy = palloc(len);
	memcpy(copy, slot->bytes + slot->begin, len);
	memcpy(digest, slot->digest, sizeof(slot->digest));
	*fact = JsonViewOfWritten(SpanOf(copy, len));
	return true;
}

/* Caches a fact that was just made. *fact becomes a view of the written form. */
void
FactRemember(const Tool *tool, const char *args_digest, const ToolReading *readings, int count,
			 const CallTerms *terms, const Place *place, JsonView *fact, const char *digest,
			 const FactText *text)
{
	static MemoryContext memory = NULL;
	StringInfoData key;
	Span		written;
	Remembered *slot;
	int			begin;

	if (text->levels > WRITTEN_MAX_DEPTH)
		return;
	written = JsonViewWritten(fact, &text->text);
	*fact = JsonViewOfWritten(written);
	initStringInfo(&key);
	WriteKey(&key, tool, args_digest, readings, count, terms, place);
	begin = MAXALIGN(key.len);
	if (begin + written.len <= MEMORY_MAX_SIZE)
	{
		if (memory == NULL)
			memory = AllocSetContextCreate(TopMemoryContext, "answer_eval facts", ALLOCSET_DEFAULT_SIZES);
		slot = FindOldest(SlotsFor(&readings[0], place));
		if (slot->bytes)
			pfree(slot->bytes);
		slot->bytes = NULL;
		slot->bytes = MemoryContextAlloc(memory, begin + written.len);
		memcpy(slot->bytes, key.data, key.len);
		memcpy(slot->bytes + begin, written.str, written.len);
		slot->used = ++uses;
		slot->keylen = key.len;
		slot->begin = begin;
		slot->end = begin + written.len;
		strlcpy(slot->digest, digest, sizeof(slot->digest));
	}
	pfree(key.data);
}
