/*-------------------------------------------------------------------------
 *
 * decision_types.h
 *		The input and the result of a decision.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_TYPES_H
#define ANSWER_EVAL_DECISION_TYPES_H

#include "ground/citation.h"
#include "ground/conflict.h"
#include "ground/judge_pairs.h"

typedef enum Decision
{
	DECISION_ANSWER,
	DECISION_ANSWER_WITH_CAVEATS,
	DECISION_CLARIFY,
	DECISION_ABSTAIN,
	DECISION_BLOCK
} Decision;

/* When a newer document replaces an older one that contradicts it. */
typedef enum Supersede
{
	SUPERSEDE_NEVER,
	SUPERSEDE_ASKED,			/* if the question asks for what is current */
	SUPERSEDE_ALWAYS
} Supersede;

/* A configuration; missing keys have their defaults. */
typedef struct DecisionConfig
{
	int			top_k;			/* 1 to 50 */
	int			freshness_days; /* 0: age is not judged */
	int			freshness_days_high_risk;
	Numeric		confidence_threshold;	/* this and the other thresholds: 0 to 1 */
	Numeric		confidence_threshold_high_risk;
	Numeric		min_confidence; /* for plans: 0.80 to 1 */
	int			min_chunks;
	Numeric		floor;
	bool		caveats;
	int			unjudged_passages;	/* 0 plain, 1 caveat */
	int			judge;			/* 0 optional, 1 required */
	Panel		panels[JUDGE_KINDS];	/* judge_entailment, judge_answers, judge_conflict */
	int			judge_passages;
	Numeric		support_min;
	Numeric		contradict_min;
	int			supersede;		/* a Supersede */
	int			rerank_by_freshness;	/* 0 none, 1 freshness */
	Numeric		freshness_bias;
	Numeric		citation_threshold;
	Numeric		contradiction_tolerance;
	int			cache_ttl_s;
} DecisionConfig;

typedef struct DecisionInput
{
	Span		query;
	ChunkSet   *chunks;			/* read with "rules" */
	JsonView	citations;		/* an array of strings; absent: none given */
	bool		has_answer;
	Span		answer;
	const DecisionConfig *config;
	bool		has_clock;		/* if false, no chunk is stale or from the future */
	TimestampTz now;
	const DecisionRules *rules;
	const Judgements *judgements;	/* NULL: none */
	size_t		conflicts_most; /* maximum bytes of conflicts */
	bool		keeps_order;	/* are chunks quoted in the given order, which is a fused rank? */
} DecisionInput;

/* What is quoted from a chunk: its whole text, or its best sentence and the one that belongs to it. */
typedef struct DecisionQuote
{
	int			chunk;			/* index in the set */
	Span		text;			/* as it is in the chunk */
} DecisionQuote;

/* A chunk that a newer one replaced. */
typedef struct SupersededChunk
{
	int			chunk;
	int			by;
} SupersededChunk;

/* The numbers behind a reason; null views if there are none to show. */
typedef struct ReasonNumber
{
	const char *reason;
	JsonView	value;
	JsonView	threshold;
	const char *key;			/* configuration key of the threshold */
} ReasonNumber;

#define REASON_NUMBERS_MAX	8

/* The result of a decision; "view" is the whole result of answer_decide. */
typedef struct DecisionResult
{
	Decision	decision;
	JsonView	view;
	Conflicts	conflicts;		/* found in the last pass */
	bool		is_checked;		/* were citations or an answer given? */
	CitationCheck check;
	Consultation consultation;	/* all pairs that were needed, with what is known of them */
	bool		passages_judged;	/* did judges of "answers" judge every passage that they were asked about? */
	Numeric		similarity;		/* greatest of the used chunks, rounded for display; 0: none is used */
	int			nquotes;
	DecisionQuote *quotes;		/* in order; the text of an extractive answer */
	int			nsuperseded;
	SupersededChunk *superseded;
	int			nstale;
	int		   *stale;			/* chunks whose quotes were left out because they are stale */
	int			nnumbers;
	ReasonNumber numbers[REASON_NUMBERS_MAX];	/* in the order of the reasons */
} DecisionResult;

#endif							/* ANSWER_EVAL_DECISION_TYPES_H */
