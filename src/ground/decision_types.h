/*-------------------------------------------------------------------------
 *
 * decision_types.h
 *		Declares what a decision is made from, and what it comes to.
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

/* When an older document gives way to a newer one that says otherwise. */
typedef enum Supersede
{
	SUPERSEDE_NEVER,
	SUPERSEDE_ASKED,			/* where the question asks for what is current */
	SUPERSEDE_ALWAYS
} Supersede;

/* A configuration, with the defaults where it says nothing. */
typedef struct DecisionConfig
{
	int			top_k;			/* 1 to 50 */
	int			freshness_days; /* 0: not judged */
	int			freshness_days_high_risk;
	Numeric		confidence_threshold;	/* all from 0 to 1 */
	Numeric		confidence_threshold_high_risk;
	Numeric		min_confidence; /* of plans: 0.80 to 1 */
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
	JsonView	citations;		/* an array of strings; absent: none were given */
	bool		has_answer;
	Span		answer;
	const DecisionConfig *config;
	bool		has_clock;		/* without one nothing is stale, or after now */
	TimestampTz now;
	const DecisionRules *rules;
	const Judgements *judgements;	/* NULL: there are none */
	size_t		conflicts_most; /* bytes that conflicts may take */
	bool		keeps_order;	/* are chunks in the order of quotes as they come, by a fused rank? */
} DecisionInput;

/* Holds what is quoted of a chunk: all of it, or its best sentence with the one that belongs to it. */
typedef struct DecisionQuote
{
	int			chunk;			/* its number in the set */
	Span		text;			/* as it stands in the chunk */
} DecisionQuote;

/* A chunk that gave way to a newer one. */
typedef struct SupersededChunk
{
	int			chunk;
	int			by;
} SupersededChunk;

/* The numbers behind a reason; null views where there are none to show. */
typedef struct ReasonNumber
{
	const char *reason;
	JsonView	value;
	JsonView	threshold;
	const char *key;			/* of the configuration */
} ReasonNumber;

#define REASON_NUMBERS_MAX	8

/* Holds what was decided; "view" is the whole result of answer_decide. */
typedef struct DecisionResult
{
	Decision	decision;
	JsonView	view;
	Conflicts	conflicts;		/* of the last pass */
	bool		is_checked;		/* were citations or an answer given? */
	CitationCheck check;
	Consultation consultation;	/* all pairs that were needed, with what is known of them */
	bool		passages_judged;	/* has the kind "answers" judged? */
	Numeric		similarity;		/* the greatest of what is used, as it is shown; 0: nothing is */
	int			nquotes;
	DecisionQuote *quotes;		/* in order; what an extractive answer says */
	int			nsuperseded;
	SupersededChunk *superseded;
	int			nstale;
	int		   *stale;			/* chunks whose quotes were left out */
	int			nnumbers;
	ReasonNumber numbers[REASON_NUMBERS_MAX];	/* in the order of reasons */
} DecisionResult;

#endif							/* ANSWER_EVAL_DECISION_TYPES_H */
