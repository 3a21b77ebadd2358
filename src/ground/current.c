/*-------------------------------------------------------------------------
 *
 * current.c
 *		Deciding by the rules and the configuration that are in force.
 *
 * The edge of decision.c to SQL.  What deciding takes from outside its
 * arguments stands here alone, so that everything below stays pure.  Nobody
 * can change rules or configuration in the database yet, so those that shipped
 * are in force.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "ground/current.h"

const DecisionRules *
CurrentDecisionRules(void)
{
	return ShippedDecisionRules();
}

void
CurrentDecisionConfig(DecisionConfig *config)
{
	DecisionConfigOfView(&(JsonView) {.type = JVIEW_ABSENT}, config);
}

/*
 * SQL
 */

enum
{
	ARG_QUERY, ARG_CHUNKS, ARG_CITATIONS, ARG_ANSWER, ARG_CONFIG, ARG_NOW, ARG_RULES
};

static void
ConfigArgument(FunctionCallInfo fcinfo, int n, DecisionConfig *config)
{
	JsonView	view;

	if (PG_ARGISNULL(n))
	{
		CurrentDecisionConfig(config);
		return;
	}
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	DecisionConfigOfView(&view, config);
}

PG_FUNCTION_INFO_V1(answer_eval_decide);

Datum
answer_eval_decide(PG_FUNCTION_ARGS)
{
	DecisionConfig config;
	DecisionInput input = {
		.citations = {.type = JVIEW_ABSENT},
		.config = &config,
		.has_answer = !PG_ARGISNULL(ARG_ANSWER)
	};
	DecisionResult result;
	const char *problem;

	RequireArgument(fcinfo, ARG_QUERY, "query");
	RequireArgument(fcinfo, ARG_NOW, "now");
	LimitArgument(fcinfo, ARG_QUERY, DOCUMENT_MAX_SIZE, "query");
	LimitArgument(fcinfo, ARG_CITATIONS, ARGUMENT_MAX_SIZE, "citations");
	LimitArgument(fcinfo, ARG_ANSWER, DOCUMENT_MAX_SIZE, "answer");
	input.rules = PG_ARGISNULL(ARG_RULES) ? CurrentDecisionRules() :
		DecisionRulesArgument(fcinfo, ARG_RULES);
	ConfigArgument(fcinfo, ARG_CONFIG, &config);
	input.query = TextArgument(fcinfo, ARG_QUERY);
	input.chunks = ChunksArgument(fcinfo, ARG_CHUNKS, input.rules);
	if (!PG_ARGISNULL(ARG_CITATIONS))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_CITATIONS), &input.citations);
	input.answer = TextArgument(fcinfo, ARG_ANSWER);
	input.now = PG_GETARG_TIMESTAMPTZ(ARG_NOW);
	if (!Decide(&input, &result, &problem))
		MalformedArgument(problem, NULL);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result.view, false));
}
