/*-------------------------------------------------------------------------
 *
 * route_table.c
 *		The table of routes that is stored in the database.
 *
 * Rule: doc/spec/route.md §5.
 *
 * Stateful: reads answer.route and caches it, compiled, for the session.  Stores the
 * content of every table that routed a question of a receipt in answer.route_table,
 * under its digest. route.c defines what a table means.
 *
 * A tenant's table has the shared routes and its own, ordered by position.  If a
 * shared route has the same id as one of its own, the shared one counts.  Everybody else's
 * table has the shared routes only.
 *
 * Every statement that changes answer.route gives answer.route_state a new, random
 * token, in its own transaction, for each tenant whose rows it changed.  A question
 * reads the token with the snapshot with which it would read the table, and uses the
 * compiled table only if it was made under the same tokens.  So each session uses
 * exactly the table that its snapshot shows, whatever others have committed
 * meanwhile.  An edit that is not committed, or was rolled back, is used by nobody.
 * After a transaction has begun to change the table, what it reads is not cached: a
 * function called by such a statement sees half of the change under the old token.  A
 * table with an enabled route that cannot be read is refused as a whole.
 *
 * The content is stored with the first receipt that it routed, in the same
 * transaction, for the tenant whose routes are in it, or for all.  The table
 * answer.route_table has no unique key on purpose: with one, the first to ask after
 * an edit would make all others wait for the end of its transaction.  Sessions that
 * ask at the same moment may store the same content twice.  This costs only space,
 * because content is found by its digest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"
#include "utils/varlena.h"

#include "base/deadline.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/option.h"
#include "base/owner.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "check/request.h"
#include "document/store.h"
#include "route/route_table.h"

#define COVERAGE_SCHEMA			"answer-coverage/v1"

/* How much of the manifest a refusal contains: bytes of canonical JSON for each list. */
#define REFUSAL_MAX_TOOLS		16384
#define REFUSAL_MAX_ROUTES		32768

#define EXPLAIN_MAX_SENTENCES	20
#define EXPLAIN_NEAREST			3
#define EXPLAIN_MAX_WORD		200 /* bytes */

/* The parts of a route that do not decide anything. */
typedef struct RouteNotes
{
	Span		description;
	int			nexamples;
	Span	   *examples;
} RouteNotes;

/* Which state of which routes a table was made from. */
typedef struct RouterState
{
	text	   *tenant;			/* "" if only the shared routes */
	pg_uuid_t	shared;
	pg_uuid_t	own;			/* zero without a tenant */
	bool		builtin;		/* includes the routes that come with the extension? */
} RouterState;

/* A compiled table, in a memory context of its own. */
typedef struct Router
{
	MemoryContext context;
	RouterState state;
	char		sha256[ROUTER_SHA256_LENGTH + 1];
	Jsonb	   *content;
	RouteTable	table;
	RouteNotes *notes;
} Router;

/*
 * The tables used last, the newest first, because a pooled session serves one tenant
 * after the other.  A pointer to one must not be used after a statement was run: that
 * may replace them.
 */
#define KEPT_ROUTERS	16
static Router *kept_routers[KEPT_ROUTERS];

/* The transaction that has begun to change the routes. */
static FullTransactionId changing;

/*
 * loading
 */

/* answer.route_changing(): trigger function */
PG_FUNCTION_INFO_V1(answer_eval_route_changing);
Datum
answer_eval_route_changing(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.route_changing() must be called as a trigger")));
	changing = GetTopFullTransactionId();
	return PointerGetDatum(NULL);
}

static bool
IsChanging(void)
{
	return FullTransactionIdIsValid(changing) &&
		FullTransactionIdEquals(changing, GetTopFullTransactionIdIfAny());
}

/* Reads a token from a query's row; returns false if there is none. */
static bool
ColumnToken(const QueryRows *rows, int column, pg_uuid_t *token)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(rows->table->vals[0], rows->table->tupdesc, column, &isnull);

	if (!isnull)
		memcpy(token, DatumGetUUIDP(datum), sizeof(*token));
	return !isnull;
}

/*
 * Reads the state of a tenant's routes in the current snapshot; for a tenant without
 * own routes, that of the shared routes. Returns false if a token is missing, for
 * example if rows were restored without triggers.
 */
static bool
ReadState(const text *tenant, RouterState *state)
{
	/* two queries, because every question reads this, and without a tenant one is enough */
	static FixedQuery shared = {
		.text = "SELECT token FROM answer.route_state WHERE tenant OPERATOR(pg_catalog.=) ''"
	};
	static FixedQuery own = {
		.text = "SELECT s.token FROM (VALUES (true)) AS one"
		" LEFT JOIN answer.route_state s ON s.tenant OPERATOR(pg_catalog.=) $1"
		" WHERE EXISTS (SELECT FROM answer.route r WHERE r.tenant OPERATOR(pg_catalog.=) $1)",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	bool		known;
	QueryRows	rows;

	memset(state, 0, sizeof(*state));
	/* they are about this server and its catalogs, which only the operator may ask about */
	state->builtin = VARSIZE_ANY_EXHDR(tenant) == 0 || answer_eval_tenant_builtin_routes;
	(void) AnswerTable("route_state");
	rows = QueryRunAsOwner(&shared, NULL, NULL, true, 1);
	known = rows.count > 0 && ColumnToken(&rows, 1, &state->shared);
	QueryFree(&rows);
	state->tenant = cstring_to_text("");
	if (VARSIZE_ANY_EXHDR(tenant) == 0)
		return known;
	rows = QueryRunAsOwner(&own, &value, NULL, true, 1);
	if (rows.count > 0)
	{
		state->tenant = DatumGetTextPCopy(value);
		known = ColumnToken(&rows, 1, &state->own) && known;
	}
	QueryFree(&rows);
	return known;
}

/* Returns the values of a route's lists: those given, and those read from a column. */
static JsonView
ListsView(Jsonb *lists, Jsonb *list_values)
{
	JsonView	declared;
	JsonView	read;
	JsonView	result = JsonViewNewObject(2);

	JsonViewOfJsonb(lists, &declared);
	read.type = JVIEW_ABSENT;
	if (list_values)
		JsonViewOfJsonb(list_values, &read);
	if (declared.type != JVIEW_OBJECT)
		return declared;
	for (int i = 0; i < JsonViewCount(&declared); i++)
	{
		Span		key;
		JsonView	values = JsonViewMember(&declared, i, &key);

		if (values.type == JVIEW_OBJECT)
			JsonViewGet(&read, key.str, key.len, &values);
		JsonViewSetKey(&result, key.str, key.len,
					   values.type == JVIEW_ABSENT ? JsonViewNull() : values);
	}
	return result;
}

static void
SetJsonb(JsonView *object, const char *key, Jsonb *value)
{
	JsonView	view;

	if (value == NULL)
		return;
	JsonViewOfJsonb(value, &view);
	JsonViewSet(object, key, view);
}

/* Reads the rows of a table's routes. */
static QueryRows
ReadRoutes(const RouterState *state)
{
	static FixedQuery query = {
		.text = "SELECT r.route_id, r.pattern, r.kind::pg_catalog.text, r.tool, r.args, r.expect, r.lists,"
		" r.list_values, r.description, r.examples, r.seed FROM answer.route r"
		" WHERE r.enabled AND ($2 OR NOT r.seed) AND (r.tenant OPERATOR(pg_catalog.=) '' OR (r.tenant OPERATOR(pg_catalog.=) $1 AND NOT EXISTS"
		"  (SELECT FROM answer.route s WHERE s.tenant OPERATOR(pg_catalog.=) '' AND s.route_id OPERATOR(pg_catalog.=) r.route_id)))"
		" ORDER BY r.position USING OPERATOR(pg_catalog.<), r.tenant COLLATE pg_catalog.\"C\" USING OPERATOR(pg_catalog.<)",
		.argtypes = {TEXTOID, BOOLOID}
	};
	Datum		values[2] = {PointerGetDatum(state->tenant), BoolGetDatum(state->builtin)};

	return QueryRunAsOwner(&query, values, NULL, true, 0);
}

/* Makes the content of the table from its rows. */
static JsonView
ReadRows(const QueryRows *rows)
{
	JsonView	content = JsonViewNewObject(2);
	JsonView	routes = JsonViewNewArray((int) rows->count);

	for (uint64 i = 0; i < rows->count; i++)
	{
		JsonView	route = JsonViewNewObject(8);
		Jsonb	   *lists = ColumnJsonb(rows->table, i, 7);

		CHECK_FOR_INTERRUPTS();
		JsonViewSet(&route, "route_id", SpanView(ColumnSpan(rows->table, i, 1)));
		JsonViewSet(&route, "pattern", SpanView(ColumnSpan(rows->table, i, 2)));
		JsonViewSet(&route, "kind", SpanView(ColumnSpan(rows->table, i, 3)));
		JsonViewSet(&route, "tool", SpanView(ColumnSpan(rows->table, i, 4)));
		SetJsonb(&route, "args", ColumnJsonb(rows->table, i, 5));
		SetJsonb(&route, "expect", ColumnJsonb(rows->table, i, 6));
		if (lists)
		{
			JsonViewSet(&route, "lists", ListsView(lists, ColumnJsonb(rows->table, i, 8)));
			/* shipped lists have names, which have no plural */
			if (!ColumnBool(rows->table, i, 11))
				JsonViewSet(&route, "plurals", JsonViewBool(true));
		}
		JsonViewAppend(&routes, route);
	}
	JsonViewSet(&content, "router_version", JsonViewCString(ROUTER_VERSION));
	JsonViewSet(&content, "routes", routes);
	return content;
}

/* Reads the notes of each route. */
static RouteNotes *
ReadNotes(const QueryRows *rows)
{
	RouteNotes *notes = palloc_extended(sizeof(RouteNotes) * (Size) Max(rows->count, 1),
										MCXT_ALLOC_HUGE);

	for (uint64 i = 0; i < rows->count; i++)
	{
		notes[i].description = ColumnSpan(rows->table, i, 9);
		notes[i].examples = ColumnSpans(rows->table, i, 10, &notes[i].nexamples);
	}
	return notes;
}

/* Raises an error because a table has a route that cannot be read. */
static void
RefuseTable(const char *problem, Span where)
{
	if (where.len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the route table %s", problem)));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("route \"%s\" %s", TextDatumGetCString(SpanDatum(where)), problem),
			 errdetail("No question is routed while the table is broken."),
			 errhint("Register the route anew with answer_route_register() and its option replace, or remove or disable it.")));
}

static Router *
LoadRouter(const RouterState *state)
{
	MemoryContext context;
	MemoryContext caller;
	Router	   *router;
	JsonView	rows;
	JsonView	content;
	Span		where;
	const char *problem;
	QueryRows	given;

	given = ReadRoutes(state);
	rows = ReadRows(&given);	/* in memory that is not kept */
	context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval route table",
									ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	router = palloc0(sizeof(Router));
	router->context = context;
	router->state = *state;
	router->state.tenant = DatumGetTextPCopy(PointerGetDatum(state->tenant));
	router->notes = ReadNotes(&given);
	router->content = JsonViewToJsonb(&rows, true);
	JsonViewOfJsonb(router->content, &content);
	problem = RouteTableRead(&content, &router->table, &where);
	if (problem)
		RefuseTable(problem, where);
	RouterSha256(&content, router->sha256);
	MemoryContextSwitchTo(caller);
	QueryFree(&given);
	return router;
}

/*
 * Returns the slot of a tenant's cached table, whatever state it was made from; else an
 * empty slot, or that of the least recently used table.
 */
static int
PlaceOfRouter(const RouterState *state)
{
	for (int i = 0; i < KEPT_ROUTERS; i++)
	{
		if (kept_routers[i] == NULL || (TextsEqual(kept_routers[i]->state.tenant, state->tenant) &&
										kept_routers[i]->state.builtin == state->builtin))
			return i;
	}
	return KEPT_ROUTERS - 1;
}

static bool
IsOfState(const Router *router, const RouterState *state)
{
	return router && TextsEqual(router->state.tenant, state->tenant) &&
		router->state.builtin == state->builtin &&
		memcmp(&router->state.shared, &state->shared, sizeof(pg_uuid_t)) == 0 &&
		memcmp(&router->state.own, &state->own, sizeof(pg_uuid_t)) == 0;
}

/*
 * Returns a tenant's table as the current snapshot shows it.  SPI must be connected.
 * The result is valid until the next statement is run.
 */
static const Router *
RouterCurrent(const text *tenant)
{
	RouterState state;
	bool		known = ReadState(tenant, &state) && !IsChanging();
	int			place;
	Router	   *router;

	if (!known)
		return LoadRouter(&state);
	place = PlaceOfRouter(&state);
	router = kept_routers[place];
	if (!IsOfState(router, &state))
	{
		Router	   *old = router;

		router = LoadRouter(&state);
		MemoryContextSetParent(router->context, TopMemoryContext);
		if (old)
			MemoryContextDelete(old->context);
	}
	memmove(&kept_routers[1], &kept_routers[0], sizeof(Router *) * place);
	kept_routers[0] = router;
	return router;
}

/*
 * Stores the content of the current table under its digest, for everybody who will have
 * a receipt that it routed.
 */
static void
KeepContent(const text *tenant, const char *sha256)
{
	static FixedQuery find = {
		.text = "SELECT FROM answer.route_table WHERE sha256 OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2])",
		.argtypes = {TEXTOID, TEXTOID}
	};
	static FixedQuery insert = {
		.text = "INSERT INTO answer.route_table (sha256, content, tenant) VALUES ($1, $2, $3)",
		.argtypes = {TEXTOID, JSONBOID, TEXTOID}
	};
	Datum		values[3];
	const Router *router;
	Jsonb	   *content;
	QueryRows	rows;

	values[0] = CStringGetTextDatum(sha256);
	values[1] = PointerGetDatum(tenant);
	AS_OWNER(rows = QueryRun(&find, values, NULL, false, 1));	/* sees what this statement has stored */
	if (QueryFound(rows))
		return;
	router = RouterCurrent(tenant);
	if (strcmp(router->sha256, sha256) != 0)
		elog(ERROR, "the route table changed under a snapshot");
	content = palloc_extended(VARSIZE(router->content), MCXT_ALLOC_HUGE);
	memcpy(content, router->content, VARSIZE(router->content));
	values[1] = JsonbPGetDatum(content);
	values[2] = PointerGetDatum(DatumGetTextPCopy(PointerGetDatum(router->state.tenant)));
	(void) QueryRunForOurselves(&insert, values, NULL);
	pfree(content);
}

/* nearest routes */

static int
CompareFolded(const void *a, const void *b)
{
	const Span *left = &((const Word *) a)->folded;
	const Span *right = &((const Word *) b)->folded;

	if (left->len != right->len)
		return left->len > right->len ? 1 : -1;
	return left->len > 0 ? memcmp(left->str, right->str, left->len) : 0;
}

/* Sorts words and removes duplicates; returns how many are left. */
static int
DropRepeats(Word *words, int count)
{
	int			distinct = 0;

	qsort(words, count, sizeof(Word), CompareFolded);
	for (int i = 0; i < count; i++)
	{
		if (distinct == 0 || CompareFolded(&words[distinct - 1], &words[i]) != 0)
			words[distinct++] = words[i];
	}
	return distinct;
}

/* An example, how many words it shares with a sentence, and of how many. */
typedef struct Near
{
	int			route;
	Span		example;
	int			shared;
	int			total;
} Near;

static bool
IsNearer(const Near *a, const Near *b)
{
	return (int64) a->shared * b->total > (int64) b->shared * a->total;
}

/*
 * Returns the example of a route that is nearest to a set of words; of equally near ones,
 * the first.
 */
static Near
NearestExample(const RouteNotes *notes, const Word *words, int count)
{
	Near		best = {.total = 1};

	for (int i = 0; i < notes->nexamples; i++)
	{
		Near		near = {.example = notes->examples[i]};
		Question	example;
		int			n;

		CHECK_FOR_INTERRUPTS();
		QuestionRead(near.example, &example);
		n = DropRepeats(example.words, example.nwords);
		for (int j = 0; j < n; j++)
			near.shared += bsearch(&example.words[j], words, count, sizeof(Word),
								   CompareFolded) != NULL;
		near.total = n + count;
		if (IsNearer(&near, &best))
			best = near;
	}
	return best;
}

/*
 * Returns the routes that are nearest to a sentence, each with its nearest example.
 * Nearness is the number of shared words, compared as the router does (folded,
 * independent of locale), relative to the words of both, each counted once.  Of equally
 * near routes the earlier one comes first, in the order in which routes are tried.
 * Routes without a shared word are left out.  Also sets *missed, unless it is set, to
 * the first of them that the sentence misses because of one slot's words.
 */
static JsonView
NearestView(const Router *router, const Question *question, int sentence, JsonView *missed)
{
	const Sentence *s = &question->sentences[sentence];
	JsonView	nearest = JsonViewNewArray(EXPLAIN_NEAREST);
	Word	   *words = palloc_extended(sizeof(Word) * (Size) s->count, MCXT_ALLOC_HUGE);
	Near		best[EXPLAIN_NEAREST + 1];
	int			nbest = 0;
	int			count;

	memcpy(words, question->words + s->first, sizeof(Word) * (Size) s->count);
	count = DropRepeats(words, s->count);
	for (int i = 0; i < router->table.count; i++)
	{
		Near		near = NearestExample(&router->notes[i], words, count);
		int			at;

		if (near.shared == 0)
			continue;
		near.route = i;
		for (at = nbest; at > 0 && IsNearer(&near, &best[at - 1]); at--)
			best[at] = best[at - 1];
		if (at < EXPLAIN_NEAREST)
			best[at] = near;
		nbest = Min(nbest + 1, EXPLAIN_NEAREST);
	}
	for (int i = 0; i < nbest; i++)
	{
		JsonView	view = JsonViewNewObject(2);

		JsonViewSet(&view, "example", SpanView(best[i].example));
		JsonViewSet(&view, "route_id", SpanView(router->table.routes[best[i].route].id));
		JsonViewAppend(&nearest, view);
		if (missed->type == JVIEW_ABSENT)
			(void) RouteMissed(&router->table, best[i].route, question, sentence, missed);
	}
	pfree(words);
	return nearest;
}

/*
 * coverage
 */

static JsonView
StringsView(const Span *strings, int count)
{
	JsonView	array = JsonViewNewArray(count);

	for (int i = 0; i < count; i++)
		JsonViewAppend(&array, SpanView(strings[i]));
	return array;
}

/* Returns the tools that a tenant may name: the shared ones and its own. */
static JsonView
ToolsView(const text *tenant)
{
	static FixedQuery query = {
		.text = "SELECT t.tool, t.required_args, t.optional_args, t.description FROM answer.tool t"
		" WHERE answer.tool_is_askable(t.spec) AND (t.tenant OPERATOR(pg_catalog.=) '' OR (t.tenant OPERATOR(pg_catalog.=) $1 AND NOT EXISTS"
		"  (SELECT FROM answer.tool s WHERE s.tenant OPERATOR(pg_catalog.=) '' AND s.tool OPERATOR(pg_catalog.=) t.tool)))"
		" ORDER BY t.tool COLLATE pg_catalog.\"C\" USING OPERATOR(pg_catalog.<)",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	JsonView	tools;
	QueryRows	rows = QueryRunAsOwner(&query, &value, NULL, true, 0);

	tools = JsonViewNewArray((int) rows.count);
	for (uint64 i = 0; i < rows.count; i++)
	{
		JsonView	tool = JsonViewNewObject(4);
		int			count;
		Span	   *args;

		JsonViewSet(&tool, "tool", SpanView(ColumnSpan(rows.table, i, 1)));
		args = ColumnSpans(rows.table, i, 2, &count);
		JsonViewSet(&tool, "required_args", StringsView(args, count));
		args = ColumnSpans(rows.table, i, 3, &count);
		JsonViewSet(&tool, "optional_args", StringsView(args, count));
		JsonViewSet(&tool, "description", SpanViewOrNull(ColumnSpan(rows.table, i, 4)));
		JsonViewAppend(&tools, tool);
	}
	QueryFree(&rows);
	return tools;
}

static JsonView
RoutesView(const Router *router)
{
	JsonView	routes = JsonViewNewArray(router->table.count);

	for (int i = 0; i < router->table.count; i++)
	{
		const Route *route = &router->table.routes[i];
		JsonView	view = JsonViewNewObject(6);

		JsonViewSet(&view, "route_id", SpanView(route->id));
		JsonViewSet(&view, "kind",
					JsonViewCString(route->interrogative ? "interrogative" : "declarative"));
		JsonViewSet(&view, "pattern", SpanView(route->pattern.text));
		JsonViewSet(&view, "tool", SpanView(route->tool));
		JsonViewSet(&view, "examples", StringsView(router->notes[i].examples,
												   router->notes[i].nexamples));
		JsonViewSet(&view, "description", SpanViewOrNull(router->notes[i].description));
		JsonViewAppend(&routes, view);
	}
	return routes;
}

/* Returns the first elements, as many as fit; *omitted is the number of the others. */
static JsonView
BoundArray(JsonView array, int max_bytes, int *omitted)
{
	JsonView	result = JsonViewNewArray(16);
	StringInfoData text;
	int			total = 0;

	initStringInfo(&text);
	for (int i = 0; i < JsonViewCount(&array); i++)
	{
		JsonView	element = JsonViewAt(&array, i);

		resetStringInfo(&text);
		CanonicalWrite(&text, &element, NULL);
		total += text.len;
		if (total > max_bytes)
		{
			*omitted = JsonViewCount(&array) - i;
			return result;
		}
		JsonViewAppend(&result, element);
	}
	*omitted = 0;
	return result;
}

static JsonView
LabelsView(VocabularyLabels labels)
{
	JsonView	array = JsonViewNewArray(VOCABULARY_MAX);

	for (int i = 0; labels[i]; i++)
		JsonViewAppend(&array, JsonViewCString(labels[i]));
	return array;
}

static JsonView
LimitsView(void)
{
	JsonView	limits = JsonViewNewObject(8);

	JsonViewSet(&limits, "question_bytes", JsonViewInteger(REQUEST_MAX_QUESTION));
	JsonViewSet(&limits, "checks", JsonViewInteger(REQUEST_MAX_CHECKS));
	JsonViewSet(&limits, "checks_evaluated", JsonViewInteger(REQUEST_CHECK_CAP));
	JsonViewSet(&limits, "expectations", JsonViewInteger(CHECK_MAX_EXPECTATIONS));
	JsonViewSet(&limits, "path_segments", JsonViewInteger(PATH_MAX_SEGMENTS));
	JsonViewSet(&limits, "deadline_ms_default", JsonViewInteger(REQUEST_DEFAULT_DEADLINE_MS));
	JsonViewSet(&limits, "deadline_ms", JsonViewInteger(REQUEST_MAX_DEADLINE_MS));
	return limits;
}

/*
 * Returns what can be asked (answer-coverage/v1), portable and with memory of its own.
 * A refusal, which knows what is closest to its question, contains a bounded part of
 * it, and says how much it omits.
 */
static Jsonb *
MakeCoverage(const Router *router, JsonView tools, const JsonView *closest, const JsonView *missed)
{
	JsonView	coverage = JsonViewNewObject(12);
	JsonView	operators = JsonViewNewArray(20);
	JsonView	routes = RoutesView(router);
	int			tools_omitted = 0;
	int			routes_omitted = 0;

	for (int i = 0; i <= OP_FRESH_WITHIN_S; i++)
		JsonViewAppend(&operators, JsonViewCString(OperatorName(i)));
	if (closest)
	{
		tools = BoundArray(tools, REFUSAL_MAX_TOOLS, &tools_omitted);
		routes = BoundArray(routes, REFUSAL_MAX_ROUTES, &routes_omitted);
	}
	JsonViewSet(&coverage, "schema", JsonViewCString(COVERAGE_SCHEMA));
	JsonViewSet(&coverage, "router_version", JsonViewCString(ROUTER_VERSION));
	JsonViewSet(&coverage, "router_sha256", JsonViewCString(router->sha256));
	JsonViewSet(&coverage, "operators", operators);
	JsonViewSet(&coverage, "verdicts", LabelsView(verdict_labels));
	JsonViewSet(&coverage, "composite_verdicts", LabelsView(composite_labels));
	JsonViewSet(&coverage, "tools", tools);
	JsonViewSet(&coverage, "routes", routes);
	JsonViewSet(&coverage, "limits", LimitsView());
	if (closest)
		JsonViewSet(&coverage, "closest", *closest);
	if (missed && missed->type != JVIEW_ABSENT)
		JsonViewSet(&coverage, "missed", *missed);
	if (tools_omitted > 0 || routes_omitted > 0)
	{
		JsonView	omitted = JsonViewNewObject(2);

		JsonViewSet(&omitted, "tools", JsonViewInteger(tools_omitted));
		JsonViewSet(&omitted, "routes", JsonViewInteger(routes_omitted));
		JsonViewSet(&coverage, "omitted", omitted);
	}
	return JsonViewToJsonb(&coverage, true);
}

/*
 * Routes a question for answer_eval, and stores the content of the table that was used.
 * SPI must be connected.
 */
void
RouterAsk(const text *tenant, Span question, RoutedQuestion *routed)
{
	const Router *router = RouterCurrent(tenant);
	Routing		routing;
	char		sha256[ROUTER_SHA256_LENGTH + 1];

	memset(routed, 0, sizeof(*routed));
	memcpy(sha256, router->sha256, sizeof(sha256));
	RouteQuestion(&router->table, question, &routing);
	routed->refused = routing.refusal != NULL;
	routed->nchecks = routing.nchecks;
	routed->checks = routing.plans;
	routed->route = RoutingView(&router->table, &routing, sha256);
	if (routed->refused)
	{
		JsonView	tools = ToolsView(tenant);

		JsonView	closest = JsonViewNewArray(0);
		JsonView	missed = {.type = JVIEW_ABSENT};

		router = RouterCurrent(tenant);
		if (routing.refused >= 0)
			closest = NearestView(router, &routing.question, routing.refused, &missed);
		JsonViewOfJsonb(MakeCoverage(router, tools, &closest, &missed), &routed->coverage);
	}
	KeepContent(tenant, sha256);
}

/*
 * SQL
 */

/* Returns a question as given, in UTF-8. */
static Span
QuestionArgument(text *question)
{
	Span		span = Utf8OfText(question);

	if (span.len == 0 || span.len > REQUEST_MAX_QUESTION)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("question must have 1 to %d bytes in UTF-8", REQUEST_MAX_QUESTION)));
	return span;
}

/* Returns a sentence's words as asked, separated by single spaces. */
static JsonView
SentenceText(const Question *question, int sentence)
{
	const Sentence *s = &question->sentences[sentence];
	StringInfoData text;

	initStringInfo(&text);
	for (int i = s->first; i < s->first + s->count; i++)
	{
		const Word *word = &question->words[i];

		if (i > s->first)
			appendStringInfoChar(&text, ' ');
		if (word->quoted)
			appendStringInfoChar(&text, '"');
		appendBinaryStringInfo(&text, word->text.str, word->text.len);
		if (word->quoted)
			appendStringInfoChar(&text, '"');
	}
	return JsonViewString(text.data, text.len);
}

static JsonView
SentenceView(const Router *router, const Question *question, int sentence, int route)
{
	JsonView	view = JsonViewNewObject(5);

	JsonViewSet(&view, "text", SentenceText(question, sentence));
	JsonViewSet(&view, "punctuation",
				JsonViewCString(mark_labels[question->sentences[sentence].mark]));
	JsonViewSet(&view, "route_id", route < 0 ? JsonViewNull() :
				SpanView(router->table.routes[route].id));
	return view;
}

Jsonb *
RouteCompile(text *asked)
{
	MemoryContext caller = CurrentMemoryContext;
	Span		question = QuestionArgument(asked);
	const Router *router;
	Routing		routing;
	JsonView	view = JsonViewNewObject(4);
	JsonView	sentences = JsonViewNewArray(1);

	SPI_connect();
	router = RouterCurrent(TenantOrShared());
	RouteQuestion(&router->table, question, &routing);
	for (int i = 0; i < routing.nrouted; i++)
		JsonViewAppend(&sentences, SentenceView(router, &routing.question, i, routing.routes[i]));
	if (routing.refused >= 0)
		JsonViewAppend(&sentences, SentenceView(router, &routing.question, routing.refused, -1));
	JsonViewSet(&view, "question", SpanView(question));
	JsonViewSet(&view, "sentences", sentences);
	JsonViewSet(&view, "route", RoutingView(&router->table, &routing, router->sha256));
	JsonViewSet(&view, "checks", routing.checks);
	return DatumGetJsonbP(FinishWithView(&view, true, caller));
}

/* answer.route_compile(question) */
PG_FUNCTION_INFO_V1(answer_eval_route_compile);
Datum
answer_eval_route_compile(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(RouteCompile(PG_GETARG_TEXT_PP(0)));
}

/* Returns a text, or its beginning, because it is repeated for every route. */
static JsonView
ClipText(Span text)
{
	int			len = EXPLAIN_MAX_WORD;
	char	   *clipped;

	if (text.len <= EXPLAIN_MAX_WORD)
		return SpanView(text);
	while (((unsigned char) text.str[len] & 0xC0) == 0x80)
		len--;
	clipped = psprintf("%.*s...", len, text.str);
	return JsonViewCString(clipped);
}

/* Returns what happened when a route was tried with a sentence. */
static JsonView
TriedView(const Route *route, const Question *question, const Sentence *s, bool *matched)
{
	JsonView	view = JsonViewNewObject(5);
	Stop		stop;

	*matched = PatternMatches(&route->pattern, question->words + s->first, s->count, &stop);
	JsonViewSet(&view, "route_id", SpanView(route->id));
	JsonViewSet(&view, "matched", JsonViewBool(*matched));
	if (*matched)
		return view;
	JsonViewSet(&view, "stopped_at", JsonViewInteger(stop.word + 1));
	if (stop.word < s->count)
	{
		const Word *word = &question->words[s->first + stop.word];

		JsonViewSet(&view, "word", ClipText(word->text));
		if (word->defect)
			JsonViewSet(&view, "which", JsonViewCString(word->defect));
	}
	JsonViewSet(&view, "expected", RouteExpected(&route->pattern, &stop));
	return view;
}

/* answer_route_explain(question) */
PG_FUNCTION_INFO_V1(answer_eval_route_explain);
Datum
answer_eval_route_explain(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Span		asked = QuestionArgument(PG_GETARG_TEXT_PP(0));
	const Router *router;
	Question	question;
	JsonView	view = JsonViewNewObject(4);
	JsonView	sentences = JsonViewNewArray(1);
	int			count;

	SPI_connect();
	router = RouterCurrent(TenantOrShared());
	QuestionRead(asked, &question);
	RouteTableNumber(&router->table, &question);
	count = Min(question.nsentences, EXPLAIN_MAX_SENTENCES);
	for (int i = 0; i < count; i++)
	{
		const Sentence *s = &question.sentences[i];
		JsonView	tried = JsonViewNewArray(router->table.count);
		JsonView	sentence;
		bool		matched = false;
		int			route = -1;

		for (int j = 0; j < router->table.count && !matched; j++)
		{
			CHECK_FOR_INTERRUPTS();
			JsonViewAppend(&tried, TriedView(&router->table.routes[j], &question, s, &matched));
			if (matched)
				route = j;
		}
		sentence = SentenceView(router, &question, i, route);
		JsonViewSet(&sentence, "tried", tried);
		if (!matched)
		{
			JsonView	missed = {.type = JVIEW_ABSENT};

			JsonViewSet(&sentence, "nearest", NearestView(router, &question, i, &missed));
			if (missed.type != JVIEW_ABSENT)
				JsonViewSet(&sentence, "missed", missed);
		}
		JsonViewAppend(&sentences, sentence);
	}
	JsonViewSet(&view, "question", SpanView(asked));
	JsonViewSet(&view, "router_sha256", JsonViewCString(router->sha256));
	JsonViewSet(&view, "sentences", sentences);
	if (question.nsentences > count)
		JsonViewSet(&view, "more", JsonViewInteger(question.nsentences - count));
	return FinishWithView(&view, true, caller);
}

/* answer_coverage() */
PG_FUNCTION_INFO_V1(answer_eval_coverage);
Datum
answer_eval_coverage(PG_FUNCTION_ARGS)
{
	text	   *tenant = TenantOrShared();
	MemoryContext caller = CurrentMemoryContext;
	JsonView	tools;
	const Router *router;
	Jsonb	   *result;

	SPI_connect();
	tools = ToolsView(tenant);
	router = RouterCurrent(tenant);
	MemoryContextSwitchTo(caller);
	result = MakeCoverage(router, tools, NULL, NULL);
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}

Jsonb *
RouterContent(void)
{
	MemoryContext caller = CurrentMemoryContext;
	const Router *router;
	Jsonb	   *result;

	SPI_connect();
	router = RouterCurrent(TenantOrShared());
	result = MemoryContextAllocHuge(caller, VARSIZE(router->content));
	memcpy(result, router->content, VARSIZE(router->content));
	SPI_finish();
	return result;
}

/* answer_route_table() */
PG_FUNCTION_INFO_V1(answer_eval_route_table);
Datum
answer_eval_route_table(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(RouterContent());
}

/* Adds a finding of an audit. */
static void
Find(JsonView *findings, const Route *route, const Span *example, const char *problem,
	 const Route *answered_by)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "route_id", SpanView(route->id));
	if (example)
		JsonViewSet(&view, "example", SpanView(*example));
	JsonViewSet(&view, "problem", JsonViewCString(problem));
	if (answered_by)
		JsonViewSet(&view, "answered_by", SpanView(answered_by->id));
	JsonViewAppend(findings, view);
}

/* Does a route answer its own examples? */
static void
AuditExamples(const Router *router, int route, JsonView *findings)
{
	const RouteTable *table = &router->table;
	const RouteNotes *notes = &router->notes[route];

	if (notes->nexamples == 0)
		Find(findings, &table->routes[route], NULL, "has no example", NULL);
	for (int i = 0; i < notes->nexamples; i++)
	{
		Question	question;
		int			found;

		CHECK_FOR_INTERRUPTS();
		QuestionRead(notes->examples[i], &question);
		if (question.nsentences != 1)
		{
			Find(findings, &table->routes[route], &notes->examples[i],
				 "has an example that is not one sentence", NULL);
			continue;
		}
		RouteTableNumber(table, &question);
		found = RouteFind(table, &question, 0);
		if (found < 0)
			Find(findings, &table->routes[route], &notes->examples[i],
				 "has an example that no route answers", NULL);
		else if (found != route)
			Find(findings, &table->routes[route], &notes->examples[i],
				 "has an example that another route answers", &table->routes[found]);
	}
}

/* Does a route take examples of later routes? */
static void
AuditShadow(const Router *router, int route, JsonView *findings)
{
	const RouteTable *table = &router->table;

	for (int i = route + 1; i < table->count; i++)
	{
		for (int j = 0; j < router->notes[i].nexamples; j++)
		{
			Question	question;
			Stop		stop;

			CHECK_FOR_INTERRUPTS();
			QuestionRead(router->notes[i].examples[j], &question);
			if (question.nsentences != 1)
				continue;
			RouteTableNumber(table, &question);
			if (PatternMatches(&table->routes[route].pattern, question.words, question.nwords, &stop))
				Find(findings, &table->routes[i], &router->notes[i].examples[j],
					 "has an example that another route answers", &table->routes[route]);
		}
	}
}

static void
AuditRoute(const Router *router, int route, JsonView *findings)
{
	const char *problem = RouteProblem(&router->table.routes[route]);

	if (problem)
		Find(findings, &router->table.routes[route], NULL, problem, NULL);
	AuditExamples(router, route, findings);
}

/*
 * Raises an error for an unknown route, so that a misspelt name is not taken for a route
 * without problems.  A disabled route is known.
 */
static void
RefuseUnknown(const text *tenant, Datum route_id)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.route WHERE route_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2])",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {route_id, PointerGetDatum(tenant)};
	QueryRows	rows = QueryRunAsOwner(&query, values, NULL, true, 1);

	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("unknown route \"%s\"", TextDatumGetCString(route_id)),
				 VARSIZE_ANY_EXHDR(tenant) == 0 ?
				 errhint("answer.route lists the routes.") :
				 errhint("answer.tenant_route lists the routes.")));
	QueryFree(&rows);
}

/* Returns what is wrong with the enabled routes of a tenant's table, or with one of them. */
static Jsonb *
AuditTable(const text *tenant, text *route_id)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	findings = JsonViewNewArray(1);
	const Router *router;
	Span		wanted = route_id ? Utf8OfText(route_id) : (Span) {NULL, 0};

	SPI_connect();
	if (wanted.str)
		RefuseUnknown(tenant, PointerGetDatum(route_id));
	router = RouterCurrent(tenant);
	for (int i = 0; i < router->table.count; i++)
	{
		const Span *id = &router->table.routes[i].id;

		if (wanted.str && (id->len != wanted.len || memcmp(id->str, wanted.str, id->len) != 0))
			continue;
		AuditRoute(router, i, &findings);
		if (wanted.str)
			AuditShadow(router, i, &findings);
	}
	return DatumGetJsonbP(FinishWithView(&findings, true, caller));
}

/* answer_route_audit(route_id) */
PG_FUNCTION_INFO_V1(answer_eval_route_audit);
Datum
answer_eval_route_audit(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(AuditTable(TenantOrShared(), PG_ARGISNULL(0) ? NULL : PG_GETARG_TEXT_PP(0)));
}

/* answer.route_findings(tenant, route_id): for functions that change routes */
PG_FUNCTION_INFO_V1(answer_eval_route_findings);
Datum
answer_eval_route_findings(PG_FUNCTION_ARGS)
{
	RequireTenant(PG_GETARG_TEXT_PP(0));
	PG_RETURN_JSONB_P(AuditTable(PG_GETARG_TEXT_PP(0), PG_GETARG_TEXT_PP(1)));
}

/*
 * lists
 */

/* Lists that come from columns: their values, and the owners of the tables. */
typedef struct Lists
{
	JsonView	values;			/* {slot: [value, ...]} */
	JsonView	owners;			/* {slot: role} */
} Lists;

/* A list that comes from a column, and the table that was found for it. */
typedef struct ListColumn
{
	char	   *slot;			/* the names are in the server's encoding */
	char	   *table;
	char	   *column;
	Oid			relation;
	Oid			owner;
	bool		is_enum;
} ListColumn;

static char *
MemberName(const JsonView *source, const char *key)
{
	Span		name;

	if (!JsonViewGetString(source, key, &name))
		return NULL;
	return TextDatumGetCString(SpanDatum(name));
}

static void
ReadListColumn(Span slot, const JsonView *source, ListColumn *list)
{
	list->slot = TextDatumGetCString(SpanDatum(slot));
	list->table = MemberName(source, "table");
	list->column = MemberName(source, "column");
	if (list->table == NULL || list->column == NULL || JsonViewCount(source) != 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("list \"%s\" must be an array of values or {\"table\", \"column\"}", list->slot)));
}

/*
 * Finds the table, which must be named with its schema, and locks it, so that the table
 * checked here is the one that is read. Temporary tables are refused, because each
 * session has its own.
 */
static Oid
FindListTable(const ListColumn *list)
{
	char	   *raw = pstrdup(list->table);
	List	   *names;
	Oid			relation = InvalidOid;

	if (SplitIdentifierString(raw, '.', &names) && list_length(names) == 2)
		relation = RangeVarGetRelid(makeRangeVar(linitial(names), lsecond(names), -1),
									AccessShareLock, true);
	if (!OidIsValid(relation) || get_rel_persistence(relation) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("list \"%s\": table \"%s\" does not exist", list->slot, list->table),
				 errhint("Name a table or view that is not temporary, with its schema.")));
	return relation;
}

static void
FindListColumn(ListColumn *list)
{
	HeapTuple	tuple;
	Form_pg_class form;
	AttrNumber	column;
	Oid			type;
	char		category = '\0';
	bool		is_preferred;

	list->relation = FindListTable(list);
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(list->relation));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", list->relation);
	form = (Form_pg_class) GETSTRUCT(tuple);
	list->owner = form->relowner;
	column = get_attnum(list->relation, list->column);
	type = column > 0 ? get_atttype(list->relation, column) : InvalidOid;
	if (OidIsValid(type) && strchr("rpvmf", form->relkind))
		get_type_category_preferred(type, &category, &is_preferred);
	ReleaseSysCache(tuple);
	if (category != TYPCATEGORY_STRING && category != TYPCATEGORY_ENUM)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("list \"%s\": %s has no column \"%s\" of text", list->slot, list->table,
						list->column)));
	list->is_enum = category == TYPCATEGORY_ENUM;
}

/*
 * Returns a query for the values of a list, up to one more than allowed, so that the
 * excess is noticed.  It must not use casts of an enum, which can be anybody's function.
 */
static char *
ListQuery(const ListColumn *list)
{
	const char *column = quote_identifier(list->column);

	return psprintf("SELECT DISTINCT (%s COLLATE pg_catalog.\"C\") AS v FROM %s"
					" WHERE %s IS NOT NULL ORDER BY v LIMIT %d",
					psprintf(list->is_enum ? "pg_catalog.concat(%s)" : "%s::pg_catalog.text", column),
					quote_qualified_identifier(get_namespace_name(get_rel_namespace(list->relation)),
											   get_rel_name(list->relation)),
					column, LIST_MAX_VALUES + 1);
}

/*
 * Reads the values of a list for a role, as safely as REFRESH MATERIALIZED VIEW does,
 * because a view, a policy or a foreign table can run somebody's code.  It runs as that
 * role.  If the role has all rights of the table's owner, as a superuser has, it runs
 * as the owner, whose code then gains no rights.
 */
static JsonView
ReadList(const text *tenant, const ListColumn *list, Oid role)
{
	Oid			reader = has_privs_of_role(role, list->owner) ? list->owner : role;
	JsonView	values;
	QueryRows	rows;
	Oid			user;
	int			context;
	int			level;

	level = NewGUCNestLevel();
	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	/* set before the restricted operation begins, in which it cannot be changed */
	if (VARSIZE_ANY_EXHDR(tenant) > 0)
		(void) set_config_option("answer_eval.tenant", text_to_cstring(tenant), PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(reader, context | SECURITY_RESTRICTED_OPERATION);
	rows = QueryRunText(ListQuery(list), 0, NULL, NULL, false, 0);
	AtEOXact_GUC(false, level);
	SetUserIdAndSecContext(user, context);
	values = JsonViewNewArray((int) rows.count);
	for (uint64 i = 0; i < rows.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&values, SpanView(ColumnSpan(rows.table, i, 1)));
	}
	QueryFree(&rows);
	return values;
}

/*
 * Checks that a table was not replaced by one of the same name with another owner since
 * it was registered.
 */
static void
RequireListOwner(const ListColumn *list, Span slot, const JsonView *owners)
{
	JsonView	owner;
	char	   *was = "";
	char	   *is = GetUserNameFromId(list->owner, true);

	if (JsonViewGet(owners, slot.str, slot.len, &owner) && owner.type == JVIEW_STRING)
		was = TextDatumGetCString(SpanDatum((Span) {owner.str, owner.len}));
	if (is && strcmp(is, was) == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("list \"%s\": table %s belongs to another role than when it was registered",
					list->slot, list->table),
			 errdetail("It belonged to \"%s\" and belongs to \"%s\".", was, is ? is : ""),
			 errhint("Register the route again.")));
}

/*
 * Reads the lists that come from columns, for a role of a tenant.  If "owners_then" is
 * given, the tables must have the owners that they had when they were registered.
 */
static Lists
ReadLists(const text *tenant, Jsonb *given, Oid role, Jsonb *owners_then)
{
	Lists		lists = {JsonViewNewObject(2), JsonViewNewObject(2)};
	JsonView	view;
	JsonView	then;

	JsonViewOfJsonb(given, &view);
	if (owners_then)
		JsonViewOfJsonb(owners_then, &then);
	if (view.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lists must be an object")));
	for (int i = 0; i < JsonViewCount(&view); i++)
	{
		ListColumn	list;
		JsonView	source;
		JsonView	owner;
		Span		slot;
		char	   *name;

		source = JsonViewMember(&view, i, &slot);
		if (source.type != JVIEW_OBJECT)
			continue;
		ReadListColumn(slot, &source, &list);
		FindListColumn(&list);
		if (owners_then)
			RequireListOwner(&list, slot, &then);
		JsonViewSetKey(&lists.values, slot.str, slot.len, ReadList(tenant, &list, role));
		name = GetUserNameFromId(list.owner, false);
		owner = SpanView(Utf8OfText(cstring_to_text(name)));
		JsonViewSetKey(&lists.owners, slot.str, slot.len, owner);
	}
	return lists;
}

/*
 * answer.route_values(caller, tenant, list): the values of a list from a column, for a
 * role that registers it
 */
PG_FUNCTION_INFO_V1(answer_eval_route_values);
Datum
answer_eval_route_values(PG_FUNCTION_ARGS)
{
	Oid			role = get_role_oid(text_to_cstring(PG_GETARG_TEXT_PP(0)), false);
	MemoryContext caller = CurrentMemoryContext;
	ListColumn	list;
	JsonView	source;
	JsonView	values;

	SPI_connect();
	JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &source);
	ReadListColumn((Span) {"value", strlen("value")}, &source, &list);
	FindListColumn(&list);
	values = ReadList(PG_GETARG_TEXT_PP(1), &list, role);
	return FinishWithView(&values, true, caller);
}

/*
 * answer_route_suggest(relation): the owner knows the rules; the table is read with the
 * caller's rights
 */
PG_FUNCTION_INFO_V1(answer_eval_route_suggest);
Datum
answer_eval_route_suggest(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID, TEXTOID, REGCLASSOID};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	NullableDatum args[] = {
		{CStringGetTextDatum(GetUserNameFromId(GetUserId(), false)), false},
		{PointerGetDatum(RegistrantTenant()), false},
		fcinfo->args[0]
	};
	JsonView	rows;

	InitMaterializedSRF(fcinfo, 0);
	JsonViewOfJsonb(DatumGetJsonbP(AnswerCall(AnswerSchema(), "route_suggested", lengthof(types), types, args)), &rows);
	for (int i = 0; i < JsonViewCount(&rows); i++)
	{
		JsonView	row = JsonViewAt(&rows, i);
		JsonView	cell;
		Datum		values[4];
		bool		nulls[4] = {false};

		for (size_t j = 0; j < lengthof(values); j++)
		{
			JsonViewElement(&row, j, &cell);
			values[j] = SpanDatum((Span) {cell.str, cell.len});
		}
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	PG_RETURN_NULL();
}

static NullableDatum
JsonbOrNull(const JsonView *object)
{
	if (JsonViewCount(object) == 0)
		return (NullableDatum) {(Datum) 0, true};
	return (NullableDatum) {JsonbPGetDatum(JsonViewToJsonb(object, true)), false};
}

/* Reads the option "lists", if it is given. */
static bool
ListsOption(FunctionCallInfo fcinfo, int n, Jsonb **lists)
{
	JsonView	options;
	JsonView	given;

	if (PG_ARGISNULL(n))
		return false;
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &options);
	if (options.type != JVIEW_OBJECT)
		return false;
	given = OptionGet(&options, "lists");
	if (given.type == JVIEW_ABSENT)
		return false;
	*lists = JsonViewToJsonb(&given, false);
	return true;
}

/* answer_route_register(route_id, pattern, kind, tool, args, expect, examples, options) */
PG_FUNCTION_INFO_V1(answer_eval_route_register);
Datum
answer_eval_route_register(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {JSONBOID, JSONBOID};
	NullableDatum read[2] = {{(Datum) 0, true}, {(Datum) 0, true}};
	text	   *tenant = RegistrantTenant();
	Jsonb	   *given;

	SPI_connect();
	if (ListsOption(fcinfo, 7, &given))
	{
		Lists		lists = ReadLists(tenant, given, GetUserId(), NULL);

		read[0] = JsonbOrNull(&lists.values);
		read[1] = JsonbOrNull(&lists.owners);
	}
	TenantRegister(fcinfo, "route_put", 2, types, read);
	SPI_finish();
	PG_RETURN_VOID();
}

/* A route whose lists are being refreshed. */
typedef struct ListedRoute
{
	const text *tenant;
	text	   *id;
	Jsonb	   *lists;
	Jsonb	   *owners;
	text	   *registered_by;
	bool		changed;
} ListedRoute;

/*
 * Returns the role that registered a route, if it still belongs to its tenant.  Whoever
 * refreshes must have its rights.
 */
static Oid
RegisteringRole(const ListedRoute *route)
{
	char	   *name = route->registered_by ? text_to_cstring(route->registered_by) : "";
	Oid			role = get_role_oid(name, true);

	if (!OidIsValid(role) || route->owners == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("route \"%s\" was registered by a role that does not exist any more",
						text_to_cstring(route->id)),
				 errdetail("Its lists are read with the rights of \"%s\".", name),
				 errhint("Register the route again.")));
	if (VARSIZE_ANY_EXHDR(route->tenant) > 0)
		(void) TenantFunctionRole(name, route->tenant);
	if (!has_privs_of_role(GetUserId(), role))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to refresh route \"%s\"", text_to_cstring(route->id)),
				 errdetail("Its lists are read with the rights of \"%s\", who registered it.", name),
				 errhint("Whoever has the rights of that role may refresh it.")));
	return role;
}

/* Raises an error if a route is not one of the tenant's own. */
static void
RequireRoute(const text *tenant, Datum route_id)
{
	static const Oid types[] = {TEXTOID, TEXTOID};
	NullableDatum args[] = {{PointerGetDatum(tenant), false}, {route_id, false}};

	(void) AnswerCall(AnswerSchema(), "route_require", lengthof(args), types, args);
}

/* Returns the tenant's own routes that have lists from columns, or the one with that name. */
static ListedRoute *
FindListed(FunctionCallInfo fcinfo, const text *tenant, int *count)
{
	static FixedQuery query = {
		.text = "SELECT route_id, lists, list_owners, registered_by FROM answer.route"
		" WHERE list_values IS NOT NULL AND ($1 IS NULL OR route_id OPERATOR(pg_catalog.=) $1)"
		" AND tenant OPERATOR(pg_catalog.=) $2"
		" ORDER BY position USING OPERATOR(pg_catalog.<)",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0), PointerGetDatum(tenant)};
	ListedRoute *routes;
	QueryRows	rows = QueryRunAsOwner(&query, values, PG_ARGISNULL(0) ? "n " : NULL, false, 0);

	*count = (int) rows.count;
	routes = palloc_extended(sizeof(ListedRoute) * (Size) Max(*count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *count; i++)
	{
		bool		isnull;
		Datum		role = SPI_getbinval(rows.table->vals[i], rows.table->tupdesc, 4, &isnull);

		routes[i].changed = false;
		routes[i].tenant = tenant;
		routes[i].registered_by = isnull ? NULL : DatumGetTextPCopy(role);
		routes[i].id = DatumGetTextPCopy(SPI_getbinval(rows.table->vals[i],
													   rows.table->tupdesc, 1, &isnull));
		routes[i].lists = ColumnJsonb(rows.table, i, 2);
		routes[i].owners = ColumnJsonb(rows.table, i, 3);
	}
	QueryFree(&rows);
	return routes;
}

/* Reads the lists of a route again, and stores the values if they have changed. */
static void
RefreshRoute(ListedRoute *route)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, JSONBOID};
	Lists		lists = ReadLists(route->tenant, route->lists, RegisteringRole(route), route->owners);
	NullableDatum args[] = {
		{PointerGetDatum(route->registered_by), false},
		{PointerGetDatum(route->tenant), false},
		{PointerGetDatum(route->id), false},
		{JsonbPGetDatum(route->lists), false},
		JsonbOrNull(&lists.values)
	};

	route->changed = DatumGetBool(AnswerCall(AnswerSchema(), "route_fill", lengthof(args), types, args));
}

static void
RefreshContained(void *arg)
{
	RefreshRoute(arg);
}

/*
 * Refreshes one of many routes.  If a list cannot be read, or is not valid any more,
 * warns and leaves the route as it was, so that the others are refreshed.
 */
static void
TryRefresh(ListedRoute *route)
{
	TimestampTz deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), INT_MAX);
	CallFailure failure;

	if (CallContained(RefreshContained, route, deadline, INT_MAX, &failure))
		return;
	route->changed = false;
	ereport(WARNING,
			(errcode(CallFailureCode(&failure)),
			 errmsg("route \"%s\" was not refreshed: %s", text_to_cstring(route->id),
					failure.message),
			 errhint("answer_route_refresh() of this route alone raises the error.")));
}

/* answer_route_refresh(route_id) */
PG_FUNCTION_INFO_V1(answer_eval_route_refresh);
Datum
answer_eval_route_refresh(PG_FUNCTION_ARGS)
{
	text	   *tenant = CurrentTenant();
	ListedRoute *routes;
	int			count;
	int32		changed = 0;

	SPI_connect();
	if (!PG_ARGISNULL(0))
		RequireRoute(tenant, PG_GETARG_DATUM(0));
	routes = FindListed(fcinfo, tenant, &count);
	for (int i = 0; i < count; i++)
	{
		if (PG_ARGISNULL(0))
			TryRefresh(&routes[i]);
		else
			RefreshRoute(&routes[i]);
		if (routes[i].changed)
			changed++;
	}
	/* edits by hand are recorded only if the operator calls this */
	if (VARSIZE_ANY_EXHDR(tenant) == 0)
		(void) AnswerCall(AnswerSchema(), "route_record_put", 0, NULL, NULL);
	SPI_finish();
	PG_RETURN_INT32(changed);
}

/* answer.route_problem(route): pure */
PG_FUNCTION_INFO_V1(answer_eval_route_problem);
Datum
answer_eval_route_problem(PG_FUNCTION_ARGS)
{
	JsonView	view;
	Route		route;
	const char *problem;

	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "route");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	problem = RouteRead(&view, &route);
	if (problem == NULL)
		problem = RouteProblem(&route);
	if (problem == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(problem));
}

/*
 * Finds whose stored tables the caller may read.  With tenants, they are read as the
 * owner.  Without tenants, they are read with the caller's rights, and these decide.  A
 * role without a tenant needs privileges on the table, and gets what is shared.
 */
static bool
MayReadKept(Datum *tenants)
{
	Oid			schema = AnswerSchema();
	bool		is_granted;

	*tenants = PointerGetDatum(ReadableOrShared(&is_granted));
	if (TenantsExist() && is_granted)
		return true;
	return CompatSchemaAclcheck(schema, GetUserId(), ACL_USAGE) == ACLCHECK_OK &&
		pg_class_aclcheck(AnswerTable("route_table"), GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/* Returns the stored content of a receipt's table, among those of these tenants. */
static Jsonb *
KeptContent(const JsonView *receipt, Datum tenants, MemoryContext context)
{
	static FixedQuery query = {
		.text = "SELECT content FROM answer.route_table WHERE sha256 OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2) LIMIT 1",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	JsonView	route;
	Span		sha256;
	Datum		values[2];
	MemoryContext spi;
	Jsonb	   *content = NULL;
	QueryRows	rows;

	if (!JsonViewGetMember(receipt, "route", &route) ||
		!JsonViewGetString(&route, "router_sha256", &sha256) ||
		sha256.len != ROUTER_SHA256_LENGTH)
		return NULL;
	for (int i = 0; i < sha256.len; i++)
	{
		if (IS_HIGHBIT_SET(sha256.str[i]))
			return NULL;
	}
	values[0] = SpanDatum(sha256);
	values[1] = tenants;
	if (TenantsExist())
		rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	else
		rows = QueryRun(&query, values, NULL, true, 1);
	if (rows.count > 0)
	{
		spi = MemoryContextSwitchTo(context);
		content = ColumnJsonb(rows.table, 0, 1);
		MemoryContextSwitchTo(spi);
	}
	QueryFree(&rows);
	return content;
}

/* Routes the question of a receipt again, with the table stored here. */
static JsonView
ReplayByKept(const JsonView *receipt, Datum tenants, bool *lacks_table)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	content = {.type = JVIEW_ABSENT};
	Jsonb	   *kept;

	SPI_connect();
	kept = KeptContent(receipt, tenants, caller);
	SPI_finish();
	if (kept)
		JsonViewOfJsonb(kept, &content);
	return RouteReplay(receipt, &content, "kept", lacks_table);
}

/*
 * Does the same as a part of replaying a receipt.  If the table is not here, or the
 * caller may not read it, this does not count against the receipt.
 */
JsonView
RouterReplay(const JsonView *receipt)
{
	Datum		tenants;
	bool		is_readable = MayReadKept(&tenants);
	JsonView	nothing = {.type = JVIEW_ABSENT};
	JsonView	report;
	bool		lacks_table;

	report = is_readable ? ReplayByKept(receipt, tenants, &lacks_table) :
		RouteReplay(receipt, &nothing, NULL, &lacks_table);
	if (!lacks_table)
		return report;
	report = JsonViewNewObject(3);
	JsonViewSet(&report, "ok", JsonViewBool(true));
	JsonViewSet(&report, "state", JsonViewCString("absent"));
	JsonViewSet(&report, "reason",
				JsonViewCString(is_readable ? "the table that routed it is not among those kept" :
								"the kept tables are not readable"));
	return report;
}

/* answer.route_replay(receipt, route_table): pure if the table is given */
PG_FUNCTION_INFO_V1(answer_eval_route_replay);
Datum
answer_eval_route_replay(PG_FUNCTION_ARGS)
{
	JsonView	receipt;
	JsonView	content;
	JsonView	report;
	Datum		tenants = (Datum) 0;
	bool		lacks_table;

	ReadDocumentJsonb(fcinfo, 0, &receipt);
	ReadDocumentJsonb(fcinfo, 1, &content);
	if (PG_ARGISNULL(1) && !MayReadKept(&tenants))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, "route_table");
	report = PG_ARGISNULL(1) ? ReplayByKept(&receipt, tenants, &lacks_table) :
		RouteReplay(&receipt, &content, "given", &lacks_table);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&report, true));
}
