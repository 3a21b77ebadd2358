/*-------------------------------------------------------------------------
 *
 * judge.h
 *		The registry of judges, and what they have judged until now.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_H
#define ANSWER_EVAL_JUDGE_H

#include "datatype/timestamp.h"

#include "document/tombstone.h"
#include "judge/judgement.h"
#include "keys/ed25519.h"

/* A judge as it is registered, in its present version. */
typedef struct Judge
{
	Span		name;
	bool		registered;		/* if not, the rest is empty */
	text	   *tenant;			/* whose it is; empty: the operator's, and shared */
	int32		revision;		/* number of its version */
	bool		kinds[JUDGE_KINDS];
	Span		model;
	Span		version;
	char	   *handler;		/* qualified function name, NULL: it is external */
	char	   *handler_owner;
	char	   *handler_digest; /* of its source when it was registered */
	char	   *role;			/* whose members record in its name, NULL: nobody does */
	char	   *registered_by;
	Span		weights_digest; /* or empty */
	int			max_pairs;
	int			max_chars;
	int			deadline_ms;	/* 0: none of its own */
	JsonView	assessed;		/* {kind: assessment}, or JSON null */
} Judge;

typedef struct Judges
{
	int			count;
	Judge	   *judges;
} Judges;

/*
 * Returns the judges of these names that count for a tenant, in the order of the
 * names, also those that are not registered. SPI must be connected.
 */
extern Judges *JudgesFind(const text *tenant, const Span *names, int count);

/* Returns the judge of a name among them, or NULL. */
extern const Judge *JudgeOfName(const Judges *judges, Span name);

/*
 * Returns what a document has as judges[]: {name, model, version, weights_digest?,
 * assessed} each; of one that is not registered, model and version are null.
 */
extern JsonView JudgesPresent(const Judges *judges);

/*
 * Returns a value that is another one whenever another version of one of them, or
 * another assessment, counts.
 */
extern JsonView JudgesToken(const Judges *judges);

/*
 * Returns what the present versions of these judges have said of pairs, for a tenant:
 * an array of judgements as a document has them; while a case of a suite is tried,
 * what the suite pins (pinned.h). SPI must be connected.
 */
extern JsonView JudgementsStored(const text *tenant, const Judges *judges, const Span *pairs, int npairs);

/*
 * Returns one judgement as a document has it: {kind, pair, relation, score, judge,
 * version, origin, by, judged_at}.
 */
extern JsonView JudgementView(const Judge *judge, JudgeKind kind, Span pair, JudgeRelation relation,
							  Numeric score, const char *origin, Span by, TimestampTz judged_at);

/* A pair that is to be judged; a and b in the order of JudgementOrder. */
typedef struct AskPair
{
	JudgeKind	kind;
	Span		pair;
	Span		a;
	Span		b;
} AskPair;

/* Returns the same as it is to be stored; of a pair whose texts are not at hand, both are empty. */
extern JsonView JudgementRow(const Judge *judge, const AskPair *pair, JudgeRelation relation, Numeric score);

/*
 * Signs such rows and writes them for a tenant, as the owner of our tables.  The key signs at judged_at.
 * Returns how many.  SPI must be connected.
 */
extern int	JudgementsWrite(const text *tenant, Span by, const char *origin, const SigningKey *key, TimestampTz judged_at,
							const JsonView *rows);

/*
 * Counts answers again after judgements were written: $1 is their tenant, $2 has the rows. It runs as the owner of our
 * tables. The dashboard, which counts, stands above, so module.c sets it.
 */
extern FixedQuery *after_judging;

extern const EraseQueries judge_erasing;

/* Is a role a member of the one whose members record in the name of an external judge? */
extern bool JudgeMayBe(const Judge *judge, Oid role);

/* Writes the digest of what a function does. */
extern void JudgeHandlerDigest(Oid function, char *digest);

#endif							/* ANSWER_EVAL_JUDGE_H */
