/*-------------------------------------------------------------------------
 *
 * question_options.h
 *		Reads the options of a grounded question, and applies them to the configuration.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_QUESTION_OPTIONS_H
#define ANSWER_EVAL_QUESTION_OPTIONS_H

#include "ground/decision.h"

/* The options; those not given are absent. */
typedef struct GroundOptions
{
	JsonView	whole;			/* all options, in portable form */
	JsonView	top_k;
	JsonView	freshness_days;
	JsonView	filter;
	JsonView	embedding;
	JsonView	chunks;
	JsonView	answer;
	JsonView	citations;
	JsonView	retrieval_id;
	JsonView	config;
	JsonView	intent;
	JsonView	judgements;
	JsonView	judges_failed;	/* names of judges that the caller asked and that failed */
	int			deadline_ms;
} GroundOptions;

extern void OptionsRead(Jsonb *given, bool retrieving, GroundOptions *options);
extern JsonView ShippedConfig(void);
extern JsonView EffectiveConfig(const JsonView *active, const GroundOptions *options,
								const DecisionRules *rules, Span query);
extern int	ConfigInteger(const JsonView *config, const char *key);

#endif							/* ANSWER_EVAL_QUESTION_OPTIONS_H */
