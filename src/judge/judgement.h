/*-------------------------------------------------------------------------
 *
 * judgement.h
 *		Judgements over pairs of texts: kinds, relations, and reading them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGEMENT_H
#define ANSWER_EVAL_JUDGEMENT_H

#include "utils/numeric.h"

#include "base/canonical.h"
#include "base/jsonview.h"
#include "base/span.h"

typedef enum JudgeKind
{
	JUDGE_ENTAILMENT = 0,
	JUDGE_ANSWERS,
	JUDGE_CONFLICT
} JudgeKind;

#define JUDGE_KINDS		3

typedef enum JudgeRelation
{
	RELATION_SUPPORTS = 0,
	RELATION_CONTRADICTS,
	RELATION_NEUTRAL,
	RELATION_NO_CLAIM,
	RELATION_ANSWERS,
	RELATION_DOES_NOT
} JudgeRelation;

#define JUDGE_RELATIONS	6

/* One judgement, as it was given; all borrows of what it was read from. */
typedef struct Judgement
{
	Span		pair;			/* a digest */
	Span		judge;
	Span		version;		/* empty: not given */
	bool		has_kind;		/* is the kind given? Without one it is that of the pair */
	JudgeKind	kind;
	JudgeRelation relation;
	Numeric		score;			/* 0 to 1 */
	JsonView	view;			/* the object itself */
	int			place;			/* in the array; -1: of another */
} Judgement;

/* Judgements by pair and judge, each once. */
typedef struct Judgements
{
	int			count;
	Judgement  *items;
} Judgements;

/* The digest of a pair, with a NUL at its end. */
typedef struct PairDigest
{
	char		text[DIGEST_TEXT_LENGTH + 1];
} PairDigest;

extern const char *JudgeKindName(JudgeKind kind);
extern const char *JudgeRelationName(JudgeRelation relation);
extern bool JudgeKindOf(Span name, JudgeKind *kind);
extern bool JudgeRelationOf(Span name, JudgeRelation *relation);
extern bool JudgeRelationIsOf(JudgeRelation relation, JudgeKind kind);
extern const char *JudgeRelationsList(JudgeKind kind);

/*
 * Returns the digest of a pair: answer_digest of {"kind", "a", "b"}, the texts as they
 * are; of a conflict the lesser by code point is a, whichever way they come.
 */
extern PairDigest JudgementPair(JudgeKind kind, Span a, Span b);

/* Puts the same two texts into the order in which a pair has them. */
extern void JudgementOrder(JudgeKind kind, Span *a, Span *b);

static inline Span
PairSpan(const PairDigest *digest)
{
	return SpanOf(digest->text, DIGEST_TEXT_LENGTH);
}

/*
 * Reads an array of judgements; an absent view or a JSON null is none.  NULL,
 * and one sentence that names the place (judgements[3].score must be …), where
 * it is malformed or has a pair and judge twice.
 */
extern Judgements *JudgementsParse(const JsonView *array, const char **problem);

/* Returns the judgement of a pair by a judge, or NULL. */
extern const Judgement *JudgementFind(const Judgements *judgements, Span pair, Span judge);

/*
 * Says why what is said of a pair cannot be said of one of its kind: a judgement whose
 * relation or stated kind is another. NULL: it can. (Where the caller gave it, that is
 * 22023; JudgementFind returns it all the same, and panel.c takes it for not judged.)
 */
extern const char *JudgementsKindProblem(const Judgements *judgements, JudgeKind kind, Span pair);

/* Returns the judgements of the first, and those of the second that the first has not. */
extern Judgements *JudgementsJoin(const Judgements *first, const Judgements *second);

/* Is a number one from 0 to 1?  NaN is none. */
extern bool JudgeScoreOf(const JsonView *view, Numeric *score);

#endif							/* ANSWER_EVAL_JUDGEMENT_H */
