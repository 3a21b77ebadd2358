/*-------------------------------------------------------------------------
 *
 * statement.h
 *		Finds what a chunk states: topics, stances and quantities, by sentence.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STATEMENT_H
#define ANSWER_EVAL_STATEMENT_H

#include "nodes/bitmapset.h"

#include "ground/chunk.h"
#include "reading/quantity.h"

/* The subjects on which texts take sides. */
typedef enum Matter
{
	MATTER_ENCRYPTION,
	MATTER_REFUND,
	MATTER_POLICY
} Matter;

#define MATTERS	3

/* The sides; a text can be on both. */
#define SIDE_PERMITS	1		/* plaintext, refunds, what is allowed */
#define SIDE_REFUSES	2

/* The sides taken by the words that decide a matter, and where the first of these begins and the last ends. */
typedef struct Stance
{
	int			sides;
	int			begin;
	int			end;
} Stance;

/* Which sentences are statements. */
typedef enum StatementScope
{
	STATEMENTS_WITH_TOPIC,		/* those with a topic */
	STATEMENTS_ALL				/* all; exceptions do not cancel a stance */
} StatementScope;

/* A sentence that counts as a statement; see StatementScope. */
typedef struct Statement
{
	int			sentence;
	int			first_topic;	/* index in topics of the chunk */
	int			ntopics;
	Stance		stances[MATTERS];	/* refunds are not judged by sentence */
	int			first_keyword;	/* index in keywords of the chunk */
	int			nkeywords;
} Statement;

/* A quantity in a statement. */
typedef struct StatedQuantity
{
	Quantity	quantity;
	int			statement;
} StatedQuantity;

typedef struct ChunkStatements
{
	Bitmapset  *families;
	Bitmapset  *qualifiers;		/* families of topics that are qualifiers */
	int			count;
	Statement  *statements;
	int			ntopics;
	int		   *topics;			/* families of all statements; a family can occur repeatedly */
	Stance		refund;			/* over all sentences without an exception that counts */
	bool		negates;		/* is there a negator, or n't, anywhere? */
	int		   *keywords;		/* further keywords of all statements; a word can occur repeatedly */
	int			nquantities;
	StatedQuantity *quantities; /* ordered by unit, value and place */
	const Words *words;
} ChunkStatements;

extern void StatementsRead(ChunkSet *set, int chunk, StatementScope scope, const UnitNames *units,
						   ChunkStatements *statements);
extern void StanceAdd(Stance *stance, const Stance *more);

#endif							/* ANSWER_EVAL_STATEMENT_H */
