/*-------------------------------------------------------------------------
 *
 * decision.h
 *		Whether a question is answered, from what was retrieved for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_H
#define ANSWER_EVAL_DECISION_H

#include "ground/chunk.h"
#include "ground/conflict.h"

typedef enum Decision
{
	DECISION_ANSWER,
	DECISION_ANSWER_WITH_CAVEATS,
	DECISION_CLARIFY,
	DECISION_ABSTAIN,
	DECISION_BLOCK
} Decision;

extern const char *const decision_labels[];

/* A configuration, with the defaults where it says nothing. */
typedef struct DecisionConfig
{
	int			top_k;			/* 1 to 50 */
	int			freshness_days; /* 0: not judged */
	int			freshness_days_high_risk;
	Numeric		confidence_threshold;	/* all from 0 to 1 */
	Numeric		confidence_threshold_high_risk;
	int			min_chunks;
	Numeric		conflict_min_similarity;
	bool		caveats;
	bool		rerank_by_freshness;
	Numeric		freshness_bias;
	Numeric		citation_threshold;
	Numeric		contradiction_tolerance;
	int			cache_ttl_s;
} DecisionConfig;

/* What one of users' detectors returned. */
typedef struct DetectedPairs
{
	Span		name;
	JsonView	pairs;
} DetectedPairs;

typedef struct DecisionInput
{
	Span		query;
	ChunkSet   *chunks;			/* read with "rules" */
	JsonView	citations;		/* an array of strings; absent: none were given */
	bool		has_answer;
	Span		answer;
	const DecisionConfig *config;
	TimestampTz now;
	const DecisionRules *rules;
	size_t		conflicts_most; /* bytes that conflicts may take */
	int			ndetected;
	const DetectedPairs *detected;
} DecisionInput;

/* What was decided; "view" is the whole result of answer_decide. */
typedef struct DecisionResult
{
	Decision	decision;
	JsonView	view;
	Conflicts	conflicts;
} DecisionResult;

/*
 * Reads a configuration; an absent view is all defaults.  False, and one
 * sentence that names the key, if it is none.
 */
extern bool DecisionConfigParse(const JsonView *object, DecisionConfig *config,
								const char **problem);
extern void DecisionConfigOfView(const JsonView *object, DecisionConfig *config);

/* A configuration as an object that has all keys; and whether an object has all, and no other. */
extern JsonView DecisionConfigView(const DecisionConfig *config);
extern bool DecisionConfigIsWhole(const JsonView *object);

/*
 * Decides.  Pure.  False, and one sentence, if citations or what a detector
 * returned are malformed, or conflicts too large, as those of the result tell.
 */
extern bool Decide(const DecisionInput *input, DecisionResult *result, const char **problem);

#endif							/* ANSWER_EVAL_DECISION_H */
