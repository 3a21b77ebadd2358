/*-------------------------------------------------------------------------
 *
 * judge_pairs.h
 *		The pairs of texts that a decision needs judged.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_JUDGE_PAIRS_H
#define ANSWER_EVAL_JUDGE_PAIRS_H

#include "judge/panel.h"

/* A caller asks for pairs, has them judged and asks again at most so many times. */
#define CONSULT_MAX_ROUNDS	3

/* A pair of texts, and what it is needed for. */
typedef struct JudgePair
{
	JudgeKind	kind;
	PairDigest	digest;
	Span		a;				/* in the order used for the digest */
	Span		b;
	int			sentence;		/* first sentence of the answer that needs the pair, or -1 */
	PanelSays	says;			/* what is known of it; says.is_needed: must a judge still be asked? */
	int			nchunks;		/* all chunks that share the pair */
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

/* Whom to ask: the judges of a configuration, and the judgements so far. */
typedef struct Consultation
{
	const Panel *panels;		/* one per kind */
	const Judgements *judgements;	/* never NULL */
	JudgeTerms	terms;
	JudgePairs	pairs;
} Consultation;

extern void ConsultationBegin(Consultation *consultation, const Panel *panels, const Judgements *judgements,
							  Numeric support_min, Numeric contradict_min);

/* Are there judges for a kind? */
static inline bool
ConsultationAsks(const Consultation *consultation, JudgeKind kind)
{
	return consultation->panels[kind].count > 0;
}

/* Returns the pair of two texts, and adds the sentence (-1: none) and the chunks that need it. */
extern const JudgePair *ConsultationPair(Consultation *consultation, JudgeKind kind, Span a, Span b,
										 int sentence, const int *chunks, int nchunks);

/* Does any pair of the configured kinds lack a judgement? */
extern bool ConsultationLacks(const Consultation *consultation);

/* Returns one sentence if a judgement is by a judge that no panel names, else NULL. */
extern const char *ConsultationStranger(const Consultation *consultation);

/* Returns one sentence if a judgement does not fit the kind of its pair, else NULL. */
extern const char *ConsultationProblem(const Consultation *consultation);

/*
 * Returns the pairs that are needed, by kind: answers, entailment, conflict.  Their
 * texts a and b are included only if with_texts.
 */
extern JsonView ConsultationView(const Consultation *consultation, const Span *chunk_ids, bool with_texts);

#endif							/* ANSWER_EVAL_JUDGE_PAIRS_H */
