/*-------------------------------------------------------------------------
 *
 * chunk.h
 *		Retrieved chunks, and signals of their quality as a set.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHUNK_H
#define ANSWER_EVAL_CHUNK_H

#include "datatype/timestamp.h"
#include "utils/numeric.h"

#include "base/jsonview.h"
#include "reading/text.h"

#define FRESHNESS_DEFAULT_DAYS	90

typedef struct Chunk
{
	Span		chunk_id;
	Span		doc_id;
	Span		text;
	Span		title;			/* empty if there is none */
	Numeric		similarity;		/* 0 to 1, as given */
	int			score;			/* similarity in ten-thousandths, rounded half-even */
	JsonView	facts;			/* an array of facts read from its document, or absent */
	JsonView	timestamp;		/* as given; JVIEW_NULL if there is none */
	bool		has_instant;	/* is the timestamp valid, so that instant is set? */
	TimestampTz instant;
	bool		is_read;		/* are words and matches set? see ChunkRead */
	Words		words;
	Matches		matches;
	const Reading *reading;		/* NULL until needed: see ChunkReading */
	const Reading *title_reading;
} Chunk;

/*
 * The chunks of one call, in the given order.  One lexicon is used for all texts;
 * each text is read at most once, on demand.
 */
typedef struct ChunkSet
{
	int			count;
	Chunk	   *chunks;
	const Chunk **by_id;		/* sorted by chunk_id: see ChunkOfId */
	const DecisionRules *rules;
	Lexicon    *lexicon;
	Reader	   *reader;			/* NULL until needed */
} ChunkSet;

/* The quality signals of a set. Numbers are exact, rounded half-even to four decimals. */
typedef struct RetrievalQuality
{
	Numeric		max;
	Numeric		mean;
	Numeric		gap;			/* or NULL */
	int			hit_count;
	int			oldest;			/* index of a chunk, or -1; also newest */
	int			newest;
	int			violations;
	int			freshness_days;
} RetrievalQuality;

/*
 * Reads an array of chunks; an absent view means no chunks.  If it is malformed,
 * returns NULL and one sentence that names the place.  The rules may be NULL if no
 * chunk's words are needed.
 */
extern ChunkSet *ChunksParse(const JsonView *array, const DecisionRules *rules,
							 const char **problem);
extern ChunkSet *ChunksOfView(const JsonView *array, const DecisionRules *rules);
extern ChunkSet *ChunksArgument(FunctionCallInfo fcinfo, int n, const DecisionRules *rules);

/* Returns a chunk as a passage: title, line feed, text; only the text if it has no title. */
extern Span ChunkPassage(const Chunk *chunk);

/* Returns the stricter of two limits in days; 0 means no limit. */
static inline int
StricterDays(int a, int b)
{
	return a == 0 || b == 0 ? Max(a, b) : Min(a, b);
}

/* Is the chunk more than so many days older than now, or without an instant? Never true for 0 days. */
extern bool ChunkIsStale(const Chunk *chunk, int freshness_days, TimestampTz now);

/* Returns the chunk with an id, or NULL. */
extern const Chunk *ChunkOfId(const ChunkSet *set, Span chunk_id);

/* Returns a chunk with its words and matches set; the set must have rules. */
extern const Chunk *ChunkRead(ChunkSet *set, int index);

/* Return the reader of a set, for its texts and for texts compared with them, and the readings of a chunk. */
extern Reader *ChunkReader(ChunkSet *set);
extern const Reading *ChunkReading(ChunkSet *set, int index);
extern const Reading *ChunkTitleReading(ChunkSet *set, int index);

/* Like ChunkRead, but takes clauses, sentences and word numbers from the chunk's reading, which it returns. */
extern const Reading *ChunkReadSentences(ChunkSet *set, int index);

/* Returns a value with its unit as text: 14 days, 9:30, 3. */
extern char *ReadValueWithUnit(const Reader *reader, const ReadValue *value);

/* Parses the timestamp of a chunk or document: RFC 3339, a time without zone (read as UTC), or a date. */
extern bool ChunkInstantParse(Span text, TimestampTz *instant);

extern void RetrievalQualityOf(const ChunkSet *set, int freshness_days, TimestampTz now,
							   RetrievalQuality *quality);
extern JsonView RetrievalQualityView(const ChunkSet *set, const RetrievalQuality *quality);

/* Returns n / d rounded half-even to four decimals, without trailing zeros. d is not 0. */
extern Numeric RoundedQuotient(Numeric n, Numeric d);

#endif							/* ANSWER_EVAL_CHUNK_H */
