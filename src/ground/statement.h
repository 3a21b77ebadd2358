/*-------------------------------------------------------------------------
 *
 * statement.h
 *		Reads what a chunk states: topics, stances and quantities, by sentence.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_STATEMENT_H
#define ANSWER_EVAL_STATEMENT_H

#include "nodes/bitmapset.h"

#include "ground/chunk.h"
#include "reading/quantity.h"

/* The matters on which texts take sides. */
typedef enum Matter
{
	MATTER_ENCRYPTION,
	MATTER_REFUND,
	MATTER_POLICY
} Matter;

#define MATTERS	3

/* The sides; a set of words can be on both. */
#define SIDE_PERMITS	1		/* plaintext, refunds, what is allowed */
#define SIDE_REFUSES	2

/* On which sides the deciding words of a matter are, and where the first begins and the last ends. */
typedef struct Stance
{
	int			sides;
	int			begin;
	int			end;
} Stance;

/* Says which sentences are statements. */
typedef enum StatementScope
{
	STATEMENTS_WITH_TOPIC,		/* those that hold a topic */
	STATEMENTS_ALL				/* every one; and none loses its stance by an exception */
} StatementScope;

/* A sentence that holds a topic, or any one; see StatementScope. */
typedef struct Statement
{
	int			sentence;
	int			first_topic;	/* of those of the chunk */
	int			ntopics;
	Stance		stances[MATTERS];	/* refunds are not judged by sentence */
	int			first_keyword;	/* of those of the chunk */
	int			nkeywords;
} Statement;

/* A quantity that stands in a statement. */
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
	int		   *topics;			/* families of all statements; one may be there repeatedly */
	Stance		refund;			/* in all sentences without an exception that counts */
	bool		negates;		/* does a negator stand anywhere, or n't? */
	int		   *keywords;		/* further ones of all statements; a word may be there repeatedly */
	int			nquantities;
	StatedQuantity *quantities; /* by unit, value and place */
	const Words *words;
} ChunkStatements;

extern void StatementsRead(ChunkSet *set, int chunk, StatementScope scope, const UnitNames *units,
						   ChunkStatements *statements);
extern void StanceAdd(Stance *stance, const Stance *more);

#endif							/* ANSWER_EVAL_STATEMENT_H */
