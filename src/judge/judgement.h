/*-------------------------------------------------------------------------
 *
 * judgement.h
 *		Judgements of pairs of texts: kinds, relations, and reading them.
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

/* One judgement, as given.  All fields borrow from what it was read from. */
typedef struct Judgement
{
	Span		pair;			/* a digest */
	Span		judge;
	Span		version;		/* empty if not given */
	bool		has_kind;		/* is the kind given? If not, it is that of the pair */
	JudgeKind	kind;
	JudgeRelation relation;
	Numeric		score;			/* 0 to 1 */
	JsonView	view;			/* the object itself */
	int			place;			/* index in the array; -1 if from another */
} Judgement;

/* Judgements, sorted by pair and judge, without duplicates. */
typedef struct Judgements
{
	int			count;
	Judgement  *items;
} Judgements;

/* The digest of a pair, with a terminating NUL. */
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
 * Returns the digest of a pair: answer_digest of {"kind", "a", "b"}, with the texts as
 * they are. For a conflict, a is the text that is less by code point, in whichever
 * order they are given.
 */
extern PairDigest JudgementPair(JudgeKind kind, Span a, Span b);

/* Puts the two texts into the order of the pair. */
extern void JudgementOrder(JudgeKind kind, Span *a, Span *b);

static inline Span
PairSpan(const PairDigest *digest)
{
	return SpanOf(digest->text, DIGEST_TEXT_LENGTH);
}

/*
 * Reads an array of judgements; an absent view or a JSON null means none.  Returns
 * NULL, and one sentence that names the place (judgements[3].score must be …), if it is
 * malformed or has a pair and judge twice.
 */
extern Judgements *JudgementsParse(const JsonView *array, const char **problem);

/* Returns the judgement of a pair by a judge, or NULL. */
extern const Judgement *JudgementFind(const Judgements *judgements, Span pair, Span judge);

/*
 * Returns why a pair of this kind cannot have a judgement that was made of it, or NULL:
 * the relation or the stated kind is one of another kind.  If the caller gave that
 * judgement, this is an error 22023.  JudgementFind returns such a judgement
 * nevertheless, and panel.c treats it as not judged.
 */
extern const char *JudgementsKindProblem(const Judgements *judgements, JudgeKind kind, Span pair);

/* Returns the judgements of the first, and those of the second that the first lacks. */
extern Judgements *JudgementsJoin(const Judgements *first, const Judgements *second);

/* Is the value a number from 0 to 1? NaN is not. */
extern bool JudgeScoreOf(const JsonView *view, Numeric *score);

#endif							/* ANSWER_EVAL_JUDGEMENT_H */
