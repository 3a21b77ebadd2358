/*-------------------------------------------------------------------------
 *
 * current.c
 *		Deciding by the rules and the configuration that are in force.
 *
 * The edge of decision.c to SQL, and to what deciding takes from outside its
 * arguments; everything below stays pure.
 *
 * Rules are rows (answer.decision_rule) that come to one document; they are
 * shared, so they are read as the owner of our tables.  Compiled rules are kept
 * for the session, beside the bytes that they were compiled from: other bytes
 * are compiled anew.  Whoever holds compiled rules may have user code run, which
 * may change them; so those that are replaced last until the transaction ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "ground/current.h"
#include "ground/options.h"

typedef struct CompiledRules
{
	MemoryContext context;
	Jsonb	   *document;
	const DecisionRules *rules;
} CompiledRules;

static CompiledRules compiled;

/* The document of the rules, in the current context.  SPI must be connected. */
static Jsonb *
ReadRulesDocument(void)
{
	static FixedQuery query = {.text = "SELECT rules FROM answer.decision_rules"};
	Jsonb	   *document;

	QueryRunAsOwner(&query, NULL, NULL, true, 1);
	document = ColumnJsonb(SPI_tuptable, 0, 1);
	SPI_freetuptable(SPI_tuptable);
	return document;
}

static void
Compile(const Jsonb *document)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval decision rules",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Jsonb	   *copy = palloc(VARSIZE(document));
	const DecisionRules *rules;
	JsonView	view;

	memcpy(copy, document, VARSIZE(document));
	JsonViewOfJsonb(copy, &view);
	rules = DecisionRulesOfView(&view);
	MemoryContextSwitchTo(caller);
	MemoryContextSetParent(context, CacheMemoryContext);
	if (compiled.context)
		MemoryContextSetParent(compiled.context, TopTransactionContext);
	compiled = (CompiledRules) {context, copy, rules};
}

/*
 * The rules as they are now, compiled, and their document, which is in the
 * current context.  SPI must be connected.
 */
const DecisionRules *
CurrentRules(JsonView *document)
{
	Jsonb	   *read = ReadRulesDocument();

	JsonViewOfJsonb(read, document);
	if (compiled.document == NULL || VARSIZE(compiled.document) != VARSIZE(read) ||
		memcmp(compiled.document, read, VARSIZE(read)) != 0)
		Compile(read);
	return compiled.rules;
}

/* The same alone. */
const DecisionRules *
CurrentDecisionRules(void)
{
	const DecisionRules *rules;
	JsonView	document;

	SPI_connect();
	rules = CurrentRules(&document);
	SPI_finish();
	return rules;
}

/* The configuration where nothing else is passed: the one that comes with the extension. */
JsonView
ActiveConfig(void)
{
	return ShippedConfig();
}

void
CurrentDecisionConfig(DecisionConfig *config)
{
	JsonView	active = ActiveConfig();

	DecisionConfigOfView(&active, config);
}

/*
 * SQL
 */

/* answer_decision_rules() */
PG_FUNCTION_INFO_V1(answer_eval_decision_rules);
Datum
answer_eval_decision_rules(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Jsonb	   *read;
	Jsonb	   *result;

	SPI_connect();
	read = ReadRulesDocument();
	result = MemoryContextAlloc(caller, VARSIZE(read));
	memcpy(result, read, VARSIZE(read));
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}

/* answer_config() */
PG_FUNCTION_INFO_V1(answer_eval_config);
Datum
answer_eval_config(PG_FUNCTION_ARGS)
{
	JsonView	config = ActiveConfig();

	PG_RETURN_JSONB_P(JsonViewToJsonb(&config, true));
}

/* answer_decide(query, chunks, citations, answer, config, now, rules) */

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
