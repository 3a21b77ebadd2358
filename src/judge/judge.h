/*-------------------------------------------------------------------------
 *
 * judge.h
 *		The registry of judges, and their stored judgements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_H
#define ANSWER_EVAL_JUDGE_H

#include "datatype/timestamp.h"

#include "document/tombstone.h"
#include "judge/judgement.h"
#include "judge/pinned.h"
#include "keys/ed25519.h"

/* The present version of a judge, as registered. */
typedef struct Judge
{
	Span		name;
	bool		registered;		/* if not, the rest is empty */
	text	   *tenant;			/* its tenant; empty for the operator's, which are shared */
	int32		revision;		/* number of its version */
	bool		kinds[JUDGE_KINDS];
	Span		model;
	Span		version;
	char	   *handler;		/* qualified function name; NULL if it is external */
	char	   *handler_owner;
	char	   *handler_digest; /* digest of its source when it was registered */
	char	   *role;			/* the role whose members record in its name; NULL if nobody does */
	char	   *registered_by;
	Span		weights_digest; /* may be empty */
	int			max_pairs;
	int			max_chars;
	int			deadline_ms;	/* 0 if it has none of its own */
	JsonView	assessed;		/* {kind: assessment}, or JSON null */
} Judge;

typedef struct Judges
{
	int			count;
	Judge	   *judges;
} Judges;

/*
 * Returns the judges of these names that count for a tenant, in the order of the names,
 * including unregistered ones.  SPI must be connected.
 */
extern Judges *JudgesFind(const text *tenant, const Span *names, int count);

/* Returns the judge of this name, or NULL. */
extern const Judge *JudgeOfName(const Judges *judges, Span name);

/*
 * Returns the member judges[] of a document: {name, model, version, weights_digest?,
 * assessed} for each.  For a judge that is not registered, model and version are null.
 */
extern JsonView JudgesPresent(const Judges *judges);

/*
 * Returns a value that changes whenever another version or another assessment of one of
 * them is in force.
 */
extern JsonView JudgesToken(const Judges *judges);

/*
 * Returns the stored judgements of pairs by the present versions of these judges, for a
 * tenant, as an array in the form of documents.  While a case of a suite is tried (otherwise
 * "pinning" is NULL), it returns those that the suite pins.  SPI must be connected.
 */
extern JsonView JudgementsStored(const text *tenant, Pinning *pinning, const Judges *judges, const Span *pairs, int npairs);

/*
 * Returns one judgement in the form of documents: {kind, pair, relation, score, judge,
 * version, origin, by, judged_at}.
 */
extern JsonView JudgementView(const Judge *judge, JudgeKind kind, Span pair, JudgeRelation relation,
							  Numeric score, const char *origin, Span by, TimestampTz judged_at);

/* A pair to be judged; a and b are in the order of JudgementOrder. */
typedef struct AskPair
{
	JudgeKind	kind;
	Span		pair;
	Span		a;
	Span		b;
} AskPair;

/*
 * Returns a judgement as a row to be stored.  If the pair's texts are not available, both
 * are empty.
 */
extern JsonView JudgementRow(const Judge *judge, const AskPair *pair, JudgeRelation relation, Numeric score);

/*
 * Signs such rows as of judged_at and stores them for a tenant, as the owner of our tables.
 * Returns their number.  SPI must be connected.
 */
extern int	JudgementsWrite(const text *tenant, Span by, const char *origin, const SigningKey *key, TimestampTz judged_at,
							const JsonView *rows);

/*
 * Corrects counts of answers after judgements were written: $1 is their tenant, $2 has the rows.  It runs as the
 * owner of our tables.  The dashboard counts and is a higher directory, so module.c sets it.
 */
extern FixedQuery *after_judging;

extern const EraseQueries judge_erasing;

/* Is a role a member of the role that may record in the name of an external judge? */
extern bool JudgeMayBe(const Judge *judge, Oid role);

/* Computes the digest of a function's source. */
extern void JudgeHandlerDigest(Oid function, char *digest);

#endif							/* ANSWER_EVAL_JUDGE_H */
