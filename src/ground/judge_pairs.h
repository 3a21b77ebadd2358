/*-------------------------------------------------------------------------
 *
 * judge_pairs.h
 *		The pairs of texts that a decision needs judged, and has not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_PAIRS_H
#define ANSWER_EVAL_JUDGE_PAIRS_H

#include "judge/panel.h"

/* A caller asks for pairs, has them judged, and asks again, at most so often. */
#define CONSULT_MAX_ROUNDS	3

/* A pair of texts, with what it is needed for. */
typedef struct JudgePair
{
	JudgeKind	kind;
	PairDigest	digest;
	Span		a;				/* in the order of the digest */
	Span		b;
	int			sentence;		/* the first of the answer that needs it, or -1 */
	PanelSays	says;			/* what is known of it; says.is_needed: is a judge still to be asked? */
	int			nchunks;		/* all that share the pair */
	int			capacity;
	int		   *chunks;
} JudgePair;

typedef struct JudgePairs
{
	int			count;
	int			capacity;
	JudgePair  *pairs;			/* each once, in the order in which they were asked for */
	struct PairTable *table;	/* by digest */
} JudgePairs;

/* Whom to ask: what a configuration names, and what was judged. */
typedef struct Consultation
{
	const Panel *panels;		/* one of each kind */
	const Judgements *judgements;	/* never NULL */
	JudgeTerms	terms;
	JudgePairs	pairs;
} Consultation;

extern void ConsultationBegin(Consultation *consultation, const Panel *panels, const Judgements *judgements,
							  Numeric support_min, Numeric contradict_min);

/* Is anybody to be asked of a kind? */
static inline bool
ConsultationAsks(const Consultation *consultation, JudgeKind kind)
{
	return consultation->panels[kind].count > 0;
}

/* Returns the pair of two texts, which is needed for this sentence (-1: none) and these chunks. */
extern const JudgePair *ConsultationPair(Consultation *consultation, JudgeKind kind, Span a, Span b,
										 int sentence, const int *chunks, int nchunks);

/* Is any pair of the configured kinds not judged? */
extern bool ConsultationLacks(const Consultation *consultation);

/* Says that a judgement is by nobody whom a panel names: one sentence, or NULL. */
extern const char *ConsultationStranger(const Consultation *consultation);

/* Returns what a judge was given for a kind that the pair is not of: one sentence, or NULL. */
extern const char *ConsultationProblem(const Consultation *consultation);

/*
 * Returns the pairs that are needed, by kind: answers, entailment, conflict; without a
 * and b where they are not asked for.
 */
extern JsonView ConsultationView(const Consultation *consultation, const Span *chunk_ids, bool with_texts);

#endif							/* ANSWER_EVAL_JUDGE_PAIRS_H */
