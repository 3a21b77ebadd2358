/*-------------------------------------------------------------------------
 *
 * chunk.h
 *		Retrieved chunks, and what they are worth together.
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
	Span		title;			/* empty where there is none */
	Numeric		similarity;		/* 0 to 1, as it was given */
	int			score;			/* the same in ten-thousandths, half-even */
	JsonView	facts;			/* an array of facts that were read out of its document, or absent */
	JsonView	timestamp;		/* as it was given; JVIEW_NULL where it was not */
	bool		has_instant;	/* is the timestamp one? */
	TimestampTz instant;
	bool		is_read;		/* are words and matches there? see ChunkRead */
	Words		words;
	Matches		matches;
	const Reading *reading;		/* NULL until they are asked for: see ChunkReading */
	const Reading *title_reading;
} Chunk;

/*
 * The chunks of one call, in the order in which they were given.  Their texts
 * are read with one lexicon, each once and on demand.
 */
typedef struct ChunkSet
{
	int			count;
	Chunk	   *chunks;
	const Chunk **by_id;		/* the same, sorted: see ChunkOfId */
	const DecisionRules *rules;
	Lexicon    *lexicon;
	Reader	   *reader;			/* NULL until it is asked for */
} ChunkSet;

/* The signals of a set; the numbers are exact, half-even to four decimals. */
typedef struct RetrievalQuality
{
	Numeric		max;
	Numeric		mean;
	Numeric		gap;			/* or NULL */
	int			hit_count;
	int			oldest;			/* chunk, or -1 */
	int			newest;
	int			violations;
	int			freshness_days;
} RetrievalQuality;

/*
 * Reads an array of chunks; an absent view is no chunks.  NULL, and one
 * sentence that names the place, if it is none.  The rules may be NULL where no
 * chunk's words are asked for.
 */
extern ChunkSet *ChunksParse(const JsonView *array, const DecisionRules *rules,
							 const char **problem);
extern ChunkSet *ChunksOfView(const JsonView *array, const DecisionRules *rules);
extern ChunkSet *ChunksArgument(FunctionCallInfo fcinfo, int n, const DecisionRules *rules);

/* Returns a chunk as a passage: its title, a line feed and its text; the text where it has no title. */
extern Span ChunkPassage(const Chunk *chunk);

/* Is it strictly older than so many days before now, or without an instant?  0 days: no. */
extern bool ChunkIsStale(const Chunk *chunk, int freshness_days, TimestampTz now);

/* Returns the chunk of an id, or NULL. */
extern const Chunk *ChunkOfId(const ChunkSet *set, Span chunk_id);

/* Returns the chunk with its words and matches; the set must have rules. */
extern const Chunk *ChunkRead(ChunkSet *set, int index);

/* Returns what reads the texts of a set, and whatever is compared with them. */
extern Reader *ChunkReader(ChunkSet *set);
extern const Reading *ChunkReading(ChunkSet *set, int index);
extern const Reading *ChunkTitleReading(ChunkSet *set, int index);

/* Does the same as ChunkRead by that reading: clauses, sentences and the numbers of words are its. */
extern const Reading *ChunkReadSentences(ChunkSet *set, int index);

/* Returns a value as it is told: 14 days, 9:30, 3. */
extern char *ReadValueWithUnit(const Reader *reader, const ReadValue *value);

/* Reads a timestamp of a chunk or document: RFC 3339, also without zone (UTC), or a date alone. */
extern bool ChunkInstantParse(Span text, TimestampTz *instant);

extern void RetrievalQualityOf(const ChunkSet *set, int freshness_days, TimestampTz now,
							   RetrievalQuality *quality);
extern JsonView RetrievalQualityView(const ChunkSet *set, const RetrievalQuality *quality);

/* Returns n / d to four decimals, half-even, without trailing zeros; d is not 0. */
extern Numeric RoundedQuotient(Numeric n, Numeric d);

#endif							/* ANSWER_EVAL_CHUNK_H */
