/*-------------------------------------------------------------------------
 *
 * current_rules.c
 *		Decides by the rules and the configuration in force.
 *
 * The SQL interface of decision.c, and everything that a decision takes from outside
 * its arguments; all modules below it are pure.
 *
 * Rules are rows of answer.decision_rule, which together make one document.  They are
 * shared by all tenants, so they are read as the owner of our tables.  Compiled rules
 * are cached in the session, with their document and a token of its rows: the positions
 * of the rows and the transactions that wrote them.  The token is read with the same
 * snapshot as the rows would be, and costs a tenth of making the document.  It is kept as
 * long as no row changes (base/kept_tables.h).  A caller that holds compiled rules may
 * run user code that changes the rules, so replaced rules are kept until the transaction
 * ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/kept_tables.h"
#include "base/limits.h"
#include "base/spi_query.h"
#include "base/subtransaction.h"
#include "base/tenant.h"
#include "ground/current_rules.h"
#include "ground/decision_config.h"
#include "ground/environment.h"

/* Compiled rules of some time, in a memory context of their own. */
typedef struct CompiledRules
{
	MemoryContext context;
	int64		token;
	Jsonb	   *document;
	const DecisionRules *rules;
	int			pins;			/* number of users */
	bool		is_superseded;
} CompiledRules;

static CompiledRules *compiled = NULL;

/* Returns the document of the rules, in the current context. SPI must be connected. */
static Jsonb *
ReadRulesDocument(void)
{
	static FixedQuery query = {.text = "SELECT rules FROM answer.decision_rules"};
	Jsonb	   *document;
	QueryRows	rows = QueryRunAsOwner(&query, NULL, NULL, true, 1);

	document = ColumnJsonb(rows.table, 0, 1);
	QueryFree(&rows);
	return document;
}

/*
 * Computes a token of the current rows.  No two versions of a row have the same
 * position and the same transaction.
 */
static int64
MakeToken(void)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.bit_xor(pg_catalog.hashtidextended(r.ctid, r.xmin::pg_catalog.text::pg_catalog.int8))"
		" FROM answer.decision_rule r"
	};
	bool		isnull;
	Datum		token;
	QueryRows	rows = QueryRunAsOwner(&query, NULL, NULL, true, 1);

	token = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &isnull);
	QueryFree(&rows);
	return isnull ? 0 : DatumGetInt64(token);
}

/* Does the same, and keeps the token if it is sure to be what the snapshot shows. */
static int64
ReadToken(void)
{
	static Kept kept = {.names = {"decision_rule"}};
	const Span	key = SpanOf("token", 5);
	int64	   *known;
	int64		token;

	if (!KeptServes(&kept))
		return MakeToken();
	known = KeptFind(&kept, key);
	if (known)
		return *known;
	KeptHold(&kept);
	token = MakeToken();
	known = MemoryContextAlloc(KeptMemory(&kept), sizeof(int64));
	*known = token;
	KeptAdd(&kept, key, known);
	return token;
}

static CompiledRules *
Compile(const Jsonb *document, int64 token)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval decision rules",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	CompiledRules *result = palloc0(sizeof(CompiledRules));
	JsonView	view;

	result->context = context;
	result->token = token;
	result->document = palloc(VARSIZE(document));
	memcpy(result->document, document, VARSIZE(document));
	JsonViewOfJsonb(result->document, &view);
	result->rules = DecisionRulesOfView(&view);
	MemoryContextSwitchTo(caller);
	MemoryContextSetParent(context, CacheMemoryContext);
	return result;
}

static void
Unpin(void *arg)
{
	CompiledRules *pinned = arg;

	if (--pinned->pins == 0 && pinned->is_superseded)
		MemoryContextDelete(pinned->context);
}

/* Keeps rules as long as the current context exists, because a judge's function may change them. */
static void
Pin(CompiledRules *rules)
{
	MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));

	callback->func = Unpin;
	callback->arg = rules;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
	rules->pins++;
}

/*
 * Returns the current rules, compiled, and their document.  SPI must be connected.
 * Both last until SPI is finished, and after that until other rules are requested.
 */
const DecisionRules *
CurrentRules(JsonView *document)
{
	int64		token = ReadToken();

	if (compiled == NULL || compiled->token != token)
	{
		CompiledRules *former = compiled;

		compiled = Compile(ReadRulesDocument(), token);
		if (former)
			former->is_superseded = true;
		if (former && former->pins == 0)
			MemoryContextDelete(former->context);
	}
	Pin(compiled);
	JsonViewOfJsonb(compiled->document, document);
	return compiled->rules;
}

/* Returns only the compiled rules. */
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

static void
FindRules(void *rules)
{
	*(const DecisionRules **) rules = CurrentDecisionRules();
}

/*
 * Does the same for an audit, which must go on whatever is stored.  If no decision
 * can be made by the rules, returns NULL and the reason in *problem.
 */
const DecisionRules *
DecisionRulesIfGood(char **problem)
{
	const DecisionRules *rules = NULL;
	ErrorData  *error = RunInSubtransaction(FindRules, (void *) &rules);

	if (error && error->sqlerrcode != ERRCODE_INVALID_PARAMETER_VALUE)
		ReThrowError(error);
	if (error)
		*problem = error->message;
	return error ? NULL : rules;
}

const DecisionRules *
RulesOfCall(FunctionCallInfo fcinfo)
{
	FmgrInfo   *function = fcinfo->flinfo;

	if (function->fn_extra == NULL)
	{
		const DecisionRules *rules;
		JsonView	document;
		MemoryContext inner;

		SPI_connect();
		rules = CurrentRules(&document);
		inner = MemoryContextSwitchTo(function->fn_mcxt);
		Pin(compiled);
		MemoryContextSwitchTo(inner);
		SPI_finish();
		function->fn_extra = unconstify(DecisionRules *, rules);
	}
	return function->fn_extra;
}

/* Finds the configuration in force for a tenant and, unless NULL, a question. */
void
CurrentDecisionConfig(const text *tenant, const Pinning *pinning, const Span *question, DecisionConfig *config)
{
	JsonView	active = ActiveConfig(tenant, pinning, question, NULL);

	DecisionConfigOfView(&active, config);
}

/*
 * SQL
 */

/* answer.decision_rules() */
PG_FUNCTION_INFO_V1(answer_eval_decision_rules);
Datum
answer_eval_decision_rules(PG_FUNCTION_ARGS)
{
	Jsonb	   *result;
	JsonView	document;

	SPI_connect();
	(void) CurrentRules(&document);
	SPI_finish();
	result = palloc(VARSIZE(compiled->document));
	memcpy(result, compiled->document, VARSIZE(compiled->document));
	PG_RETURN_JSONB_P(result);
}

/*
 * answer_decide(query, chunks, citations, answer, config, now, rules, judgements)
 * answer_judge_pairs(query, chunks, citations, answer, config, rules, judgements)
 */

enum
{
	ARG_QUERY, ARG_CHUNKS, ARG_CITATIONS, ARG_ANSWER, ARG_CONFIG,
	ARG_NOW, ARG_RULES, ARG_JUDGEMENTS,
	ARG_PAIRS_RULES = ARG_NOW, ARG_PAIRS_JUDGEMENTS
};

static void
ConfigArgument(FunctionCallInfo fcinfo, int n, Span query, DecisionConfig *config)
{
	JsonView	view;

	if (PG_ARGISNULL(n))
	{
		CurrentDecisionConfig(TenantOrShared(), CurrentPinning(), &query, config);
		return;
	}
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	DecisionConfigOfView(&view, config);
}

static const Judgements *
JudgementsArgument(FunctionCallInfo fcinfo, int n)
{
	JsonView	view = {.type = JVIEW_ABSENT};
	const Judgements *judgements;
	const char *problem;

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, "judgements");
	if (!PG_ARGISNULL(n))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	judgements = JudgementsParse(&view, &problem);
	if (judgements == NULL)
		MalformedArgument(problem, "Judgements are [{pair, relation, score, judge, kind?}], each pair and judge once.");
	return judgements;
}

/* Reads the arguments that both functions share; the rules are set already. */
static void
InputArguments(FunctionCallInfo fcinfo, DecisionInput *input)
{
	input->query = TextArgument(fcinfo, ARG_QUERY);
	input->chunks = ChunksArgument(fcinfo, ARG_CHUNKS, input->rules);
	if (!PG_ARGISNULL(ARG_CITATIONS))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_CITATIONS), &input->citations);
	input->has_answer = !PG_ARGISNULL(ARG_ANSWER);
	input->answer = TextArgument(fcinfo, ARG_ANSWER);
	input->conflicts_most = WRITTEN_MAX_SIZE;
}

static void
LimitArguments(FunctionCallInfo fcinfo)
{
	RequireArgument(fcinfo, ARG_QUERY, "query");
	LimitArgument(fcinfo, ARG_QUERY, DOCUMENT_MAX_SIZE, "query");
	LimitArgument(fcinfo, ARG_CITATIONS, ARGUMENT_MAX_SIZE, "citations");
	LimitArgument(fcinfo, ARG_ANSWER, DOCUMENT_MAX_SIZE, "answer");
}

static _Noreturn void
RefuseInput(const DecisionResult *result, const char *problem)
{
	ConflictsRefuseLarge(&result->conflicts);
	MalformedArgument(problem, NULL);
}

PG_FUNCTION_INFO_V1(answer_eval_decide);

Datum
answer_eval_decide(PG_FUNCTION_ARGS)
{
	DecisionConfig config;
	DecisionInput input = {.config = &config, .has_clock = true};
	DecisionResult result;
	const char *problem;

	LimitArguments(fcinfo);
	RequireArgument(fcinfo, ARG_NOW, "now");
	input.rules = PG_ARGISNULL(ARG_RULES) ? CurrentDecisionRules() :
		DecisionRulesArgument(fcinfo, ARG_RULES);
	input.now = PG_GETARG_TIMESTAMPTZ(ARG_NOW);
	ConfigArgument(fcinfo, ARG_CONFIG, TextArgument(fcinfo, ARG_QUERY), &config);
	InputArguments(fcinfo, &input);
	input.judgements = JudgementsArgument(fcinfo, ARG_JUDGEMENTS);
	if (!Decide(&input, &result, &problem))
		RefuseInput(&result, problem);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result.view, false));
}

/* Immutable: rules and configuration are arguments, or the shipped ones. */
PG_FUNCTION_INFO_V1(answer_eval_judge_pairs);

Datum
answer_eval_judge_pairs(PG_FUNCTION_ARGS)
{
	DecisionConfig config;
	DecisionInput input = {.config = &config};
	DecisionResult result;
	JsonView	view = {.type = JVIEW_ABSENT};
	const char *problem;

	LimitArguments(fcinfo);
	input.rules = DecisionRulesArgument(fcinfo, ARG_PAIRS_RULES);
	if (!PG_ARGISNULL(ARG_CONFIG))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_CONFIG), &view);
	DecisionConfigOfView(&view, &config);
	InputArguments(fcinfo, &input);
	input.judgements = JudgementsArgument(fcinfo, ARG_PAIRS_JUDGEMENTS);
	if (!DecisionPairs(&input, &result, &problem))
		RefuseInput(&result, problem);
	view = DecisionPairsView(&input, &result, true);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
