/*-------------------------------------------------------------------------
 *
 * tool.c
 *		The registry of tools and sources.
 *
 * A tool returns a raw JSON result.  It is either a SQL function f(args
 * jsonb) RETURNS jsonb, or readings that were stored earlier.  This file
 * reads the registrations of tools and of sources.  It does so as the
 * extension's owner, because they are configuration.  Rule:
 * doc/spec/answer-eval.md §7.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/kept_tables.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/index_probe.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "evidence/tool.h"

static bool
ColumnPath(SPITupleTable *table, int row, int column, Path *path)
{
	Span		text = ColumnSpan(table, row, column);

	if (text.len == 0)
		return false;
	if (PathParse(text.str, text.len, path) != NULL)
		elog(ERROR, "registered path is malformed");
	return true;
}

static text *
ColumnText(SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? NULL : DatumGetTextPCopy(value);
}

static void
ReadSpec(SPITupleTable *table, int row, Tool *tool)
{
	Jsonb	   *spec = ColumnJsonb(table, row, 28);
	JsonView	constraints;

	if (spec == NULL)
		return;
	JsonViewOfJsonb(spec, &tool->spec);
	JsonViewGetMember(&tool->spec, "constraints", &constraints);
	tool->has_side_effects = JsonViewMemberIsTrue(&constraints, "side_effects");
	tool->is_external = JsonViewMemberIsTrue(&tool->spec, "external");
}

static void
ReadTool(SPITupleTable *table, int row, Tool *tool)
{
	bool		isnull;

	tool->grader_tenant = ColumnText(table, row, 26);
	tool->grader_by = ColumnName(table, row, 27);
	tool->graded = ColumnInt(table, row, 19) != 0;
	tool->grader = ColumnName(table, row, 20);
	tool->grader_owner = ColumnName(table, row, 22);
	tool->registered = ColumnInt(table, row, 21) != 0;
	if (!tool->registered)
		return;
	tool->tenant = ColumnText(table, row, 24);
	tool->registered_by = ColumnName(table, row, 25);
	tool->handler = ColumnName(table, row, 2);
	tool->handler_owner = ColumnName(table, row, 23);
	tool->required = ColumnSpans(table, row, 3, &tool->nrequired);
	tool->optional = ColumnSpans(table, row, 4, &tool->noptional);
	tool->freshness = DatumGetInt64(SPI_getbinval(table->vals[row], table->tupdesc, 5,
												  &isnull));
	tool->has_freshness = !isnull;
	tool->has_value_path = ColumnPath(table, row, 6, &tool->value_path);
	tool->has_entity_path = ColumnPath(table, row, 7, &tool->entity_path);
	tool->has_timestamp_path = ColumnPath(table, row, 8, &tool->timestamp_path);
	tool->has_source_path = ColumnPath(table, row, 9, &tool->source_path);
	tool->source = ColumnSpan(table, row, 10);
	tool->unit = ColumnSpan(table, row, 11);
	tool->category = ColumnSpan(table, row, 12);
	tool->country = ColumnSpan(table, row, 13);
	tool->basis = ColumnSpan(table, row, 14);
	tool->group = ColumnSpan(table, row, 15);
	tool->source_url = ColumnSpan(table, row, 16);
	tool->licence = ColumnSpan(table, row, 17);
	tool->builtin = ColumnInt(table, row, 18) != 0;
	ReadSpec(table, row, tool);
}

/*
 * Finds tools by name in two tables: the operator's, or the operator's and a tenant's
 * own.  If a shared tool has the same name as one of the tenant's own, the shared one
 * counts.  Each is one index probe, which the planner would not choose by itself while
 * the tables have no statistics.
 */
#define TOOLS_SQL(tool, source, quality_tool) \
	"SELECT q.n::pg_catalog.int4, t.handler, t.required_args, t.optional_args," \
	" (pg_catalog.date_part('epoch', t.freshness) OPERATOR(pg_catalog.*) 1000000)::pg_catalog.int8," \
	" t.value_path, t.entity_path, t.timestamp_path, t.source_path," \
	" t.source, t.unit, t.category, t.country, t.basis," \
	" s.independence_group, s.url, s.licence, t.seed::pg_catalog.int4," \
	" (g.tool IS NOT NULL)::pg_catalog.int4, g.grader, (t.tool IS NOT NULL)::pg_catalog.int4," \
	" g.grader_owner, t.handler_owner, t.tenant, t.registered_by, g.tenant, g.registered_by, t.spec" \
	" FROM pg_catalog.unnest($1) WITH ORDINALITY q (tool, n)" \
	" LEFT JOIN " tool \
	source \
	quality_tool \
	" WHERE t.tool IS NOT NULL OR g.tool IS NOT NULL"
#define SHARED_SQL(table, t) \
	"LATERAL (SELECT * FROM answer." table " o WHERE o.tenant OPERATOR(pg_catalog.=) ''" \
	" AND o.tool OPERATOR(pg_catalog.=) q.tool OFFSET 0) " t " ON true"
#define SHARED_OR_OWN_SQL(table, t) \
	"LATERAL (SELECT * FROM answer." table " o WHERE o.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2]) AND o.tool OPERATOR(pg_catalog.=) q.tool" \
	" ORDER BY o.tenant USING OPERATOR(pg_catalog.<) LIMIT 1) " t " ON true"
#define SOURCE_SQL \
	" LEFT JOIN answer.source s ON s.source OPERATOR(pg_catalog.=) t.source"
#define GRADED_SQL(tool) \
	" LEFT JOIN " tool
/* replaces the tables of sources and graders, if they are not needed, by constants */
#define NO_SOURCE_SQL \
	" CROSS JOIN (VALUES (NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text))" \
	" s (independence_group, url, licence)"
#define NOT_GRADED_SQL \
	" CROSS JOIN (VALUES (NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text," \
	" NULL::pg_catalog.text)) g (tool, grader, grader_owner, tenant, registered_by)"

/* Looks tools up by their names, for a tenant, with a query that has the columns of TOOLS_SQL. */
static void
QueryTools(FixedQuery *query, const text *tenant, Tool *tools, int count)
{
	Datum		values[2];
	Datum	   *names = palloc(sizeof(Datum) * (Size) count);
	QueryRows	rows;

	for (int i = 0; i < count; i++)
		names[i] = SpanDatum(tools[i].name);
	values[0] = QueryTextArray(names, count);
	values[1] = PointerGetDatum(tenant);
	if (query->plan == NULL)
		(void) AnswerTable("quality_tool");
	rows = QueryRunAsOwner(query, values, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
		ReadTool(rows.table, i, &tools[ColumnInt(rows.table, i, 1) - 1]);
	QueryFree(&rows);
}

/* The indexes for reading the registrations of tools. */
typedef struct ToolProbes
{
	bool		for_facts;		/* if not, sources and graders are left out */
	Probe		tool;
	Probe		source;
	Probe		grader;
	SPITupleTable *rows;
} ToolProbes;

#define TOOL_COLUMNS	28

static const Oid tool_columns[TOOL_COLUMNS] = {
	INT4OID, TEXTOID, TEXTARRAYOID, TEXTARRAYOID, INT8OID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID,
	TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT4OID, INT4OID, TEXTOID, INT4OID,
	TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, JSONBOID
};

/* Where each column comes from: a column of a probe's spec, as below; -1 if it is computed. */
#define OF_TOOL(n)		(n)
#define OF_SOURCE(n)	(100 + (n))
#define OF_GRADER(n)	(200 + (n))
static const int tool_origins[TOOL_COLUMNS] = {
	-1, OF_TOOL(0), OF_TOOL(1), OF_TOOL(2), -1, OF_TOOL(3), OF_TOOL(4), OF_TOOL(5), OF_TOOL(6), OF_TOOL(7),
	OF_TOOL(8), OF_TOOL(9), OF_TOOL(10), OF_TOOL(11), OF_SOURCE(0), OF_SOURCE(1), OF_SOURCE(2), -1, -1,
	OF_GRADER(0), -1, OF_GRADER(1), OF_TOOL(12), OF_TOOL(13), OF_TOOL(14), OF_GRADER(2), OF_GRADER(3), OF_TOOL(15)
};

enum
{
	TOOL_CALL = 0, TOOL_FRESHNESS = 4, TOOL_SEED = 17, TOOL_GRADED = 18, TOOL_REGISTERED = 20
};

static void
CloseProbes(ToolProbes *probes)
{
	ProbeClose(&probes->grader);
	ProbeClose(&probes->source);
	ProbeClose(&probes->tool);
}

/* Prepares to probe as the current user; returns false if the query must be run. */
static bool
OpenProbes(ToolProbes *probes, bool for_facts)
{
	static const ProbeSpec tool = {
		"tool", "tool_pkey", 2, {"tenant", "tool"}, 0, PROBE_EQUAL, false,
		18, {"handler", "required_args", "optional_args", "value_path", "entity_path", "timestamp_path",
			"source_path", "source", "unit", "category", "country", "basis", "handler_owner", "tenant",
		"registered_by", "spec", "freshness", "seed"}
	};
	static const ProbeSpec source = {
		"source", "source_pkey", 1, {"source"}, 0, PROBE_EQUAL, false, 3, {"independence_group", "url", "licence"}
	};
	static const ProbeSpec grader = {
		"quality_tool", "quality_tool_pkey", 2, {"tenant", "tool"}, 0, PROBE_EQUAL, false,
		4, {"grader", "grader_owner", "tenant", "registered_by"}
	};
	static TupleDesc shape = NULL;
	Oid			user = GetUserId();

	memset(probes, 0, sizeof(*probes));
	probes->for_facts = for_facts;
	if (ProbeOpen(&probes->tool, &tool, user) &&
		(!for_facts || (ProbeOpen(&probes->source, &source, user) && ProbeOpen(&probes->grader, &grader, user))))
	{
		if (shape == NULL)
			shape = FoundShape(tool_columns, TOOL_COLUMNS);
		probes->rows = FoundRows(shape);
		return true;
	}
	CloseProbes(probes);
	return false;
}

/* Converts an interval as TOOLS_SQL does. */
static Datum
Microseconds(Datum interval)
{
	float8		seconds = DatumGetFloat8(DirectFunctionCall2(interval_part,
															 PointerGetDatum(cstring_to_text("epoch")), interval));

	return DirectFunctionCall1(dtoi8, Float8GetDatum(seconds * 1000000));
}

/* Finds the row of a shared name, or else of the tenant's own. */
static bool
FindOwned(Probe *probe, const text *tenant, Datum name)
{
	Datum		keys[2] = {PointerGetDatum(cstring_to_text("")), name};

	ProbeFind(probe, keys);
	if (ProbeNext(probe))
		return true;
	if (VARSIZE_ANY_EXHDR(tenant) == 0)
		return false;
	keys[0] = PointerGetDatum(tenant);
	ProbeFind(probe, keys);
	return ProbeNext(probe);
}

/* Looks up one tool and adds its registration, if there is one, to the rows. */
static void
ProbeTool(ToolProbes *probes, const text *tenant, Datum name)
{
	Datum		values[TOOL_COLUMNS];
	bool		nulls[TOOL_COLUMNS];
	bool		has_tool = FindOwned(&probes->tool, tenant, name);
	bool		has_grader = probes->for_facts && FindOwned(&probes->grader, tenant, name);
	bool		has_source = false;

	if (!has_tool && !has_grader)
		return;
	if (has_tool && probes->for_facts)
	{
		bool		isnull;
		Datum		source = ProbeColumn(&probes->tool, 7, &isnull);

		if (!isnull)
		{
			ProbeFind(&probes->source, &source);
			has_source = ProbeNext(&probes->source);
		}
	}
	for (int i = 0; i < TOOL_COLUMNS; i++)
	{
		int			origin = tool_origins[i];

		nulls[i] = true;
		if (origin >= OF_GRADER(0) && has_grader)
			values[i] = ProbeColumn(&probes->grader, origin - OF_GRADER(0), &nulls[i]);
		else if (origin >= OF_SOURCE(0) && origin < OF_GRADER(0) && has_source)
			values[i] = ProbeColumn(&probes->source, origin - OF_SOURCE(0), &nulls[i]);
		else if (origin >= 0 && origin < OF_SOURCE(0) && has_tool)
			values[i] = ProbeColumn(&probes->tool, origin, &nulls[i]);
	}
	values[TOOL_REGISTERED] = Int32GetDatum(has_tool);
	values[TOOL_GRADED] = Int32GetDatum(has_grader);
	nulls[TOOL_REGISTERED] = nulls[TOOL_GRADED] = false;
	if (has_tool)
	{
		Datum		freshness = ProbeColumn(&probes->tool, 16, &nulls[TOOL_FRESHNESS]);

		if (!nulls[TOOL_FRESHNESS])
			values[TOOL_FRESHNESS] = Microseconds(freshness);
		values[TOOL_SEED] = Int32GetDatum(DatumGetBool(ProbeColumn(&probes->tool, 17, &nulls[TOOL_SEED])));
	}
	FoundRow(probes->rows, values, nulls);
}

/* Reads one tool's registration by its name; returns false if indexes cannot be probed. */
static bool
ProbeToRead(ToolProbes *probes, bool for_facts, const text *tenant, Tool *tool)
{
	uint64		before;
	HeapTuple	row;

	if (probes->rows == NULL && !OpenProbes(probes, for_facts))
		return false;
	before = probes->rows->numvals;
	ProbeTool(probes, tenant, SpanDatum(tool->name));
	if (probes->rows->numvals == before)
		return true;
	row = probes->rows->vals[before];
	ReadTool(probes->rows, before, tool);
	if (!HeapTupleHasExternal(row))
		tool->row = SpanOf((char *) row->t_data, row->t_len);
	return true;
}

/* Returns the key of a tool in the cache. */
static Span
KeptKey(bool for_facts, const text *tenant, Span name)
{
	int			len = VARSIZE_ANY_EXHDR(tenant);
	char	   *key = palloc(1 + len + 1 + name.len);

	key[0] = for_facts ? 'f' : 'c';
	memcpy(key + 1, VARDATA_ANY(tenant), len);
	key[1 + len] = '\0';		/* a byte that no tenant's name contains */
	memcpy(key + 1 + len + 1, name.str, name.len);
	return SpanOf(key, 1 + len + 1 + name.len);
}

/*
 * Finds one tool's registration, from the cache or by probes; returns false if a query
 * must be run.
 */
static bool
FindKept(Kept *kept, ToolProbes *probes, bool for_facts, const text *tenant, Tool *tool)
{
	Span		name = tool->name;
	Span		key = KeptKey(for_facts, tenant, name);
	Tool	   *known = KeptFind(kept, key);

	if (known == NULL)
	{
		MemoryContext caller;
		bool		probed;

		/* the rows are made in the same context, because what is read points into them */
		caller = MemoryContextSwitchTo(KeptMemory(kept));
		known = palloc0(sizeof(Tool));
		known->name = name;
		probed = ProbeToRead(probes, for_facts, tenant, known);
		known->name = SpanOf(NULL, 0);
		MemoryContextSwitchTo(caller);
		if (!probed)
			return false;
		KeptAdd(kept, key, known);
	}
	*tool = *known;
	tool->name = name;
	return true;
}

/* Finds the registrations of tools, as the owner; returns false if a query must be run. */
static bool
FindOrProbe(bool for_facts, const text *tenant, Tool *tools, int count)
{
	static Kept kept = {.names = {"tool", "source", "quality_tool"}};
	ToolProbes	probes = {0};
	bool		serves = KeptServes(&kept);
	bool		found = true;

	if (serves)
		KeptHold(&kept);
	for (int i = 0; found && i < count; i++)
		found = serves ? FindKept(&kept, &probes, for_facts, tenant, &tools[i]) :
			ProbeToRead(&probes, for_facts, tenant, &tools[i]);
	if (probes.rows)
		CloseProbes(&probes);
	return found;
}

/*
 * Looks tools up by their names: from the cache, or by index probes if the query would
 * not do more.
 */
static void
FindTools(FixedQuery *query, bool for_facts, const text *tenant, Tool *tools, int count)
{
	bool		found;

	for (int i = 0; i < count; i++)
	{
		Span		name = tools[i].name;

		memset(&tools[i], 0, sizeof(Tool));
		tools[i].name = name;
	}
	AS_OWNER(found = FindOrProbe(for_facts, tenant, tools, count));
	if (!found)
		QueryTools(query, tenant, tools, count);
}

/*
 * Looks tools up by their names, all in one query, for a tenant.  SPI must be
 * connected.  The results are in the caller's memory context.
 */
void
ToolsFind(const text *tenant, Tool *tools, int count)
{
	static FixedQuery shared = {
		.text = TOOLS_SQL(SHARED_SQL("tool", "t"), SOURCE_SQL, GRADED_SQL(SHARED_SQL("quality_tool", "g"))),
		.argtypes = {TEXTARRAYOID}
	};
	static FixedQuery shared_or_own = {
		.text = TOOLS_SQL(SHARED_OR_OWN_SQL("tool", "t"), SOURCE_SQL,
						  GRADED_SQL(SHARED_OR_OWN_SQL("quality_tool", "g"))),
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};

	FindTools(VARSIZE_ANY_EXHDR(tenant) == 0 ? &shared : &shared_or_own, true, tenant, tools, count);
}

/* Does the same for plans, which make no facts and grade nothing: sources and graders are left out. */
void
ToolsFindToCall(const text *tenant, Tool *tools, int count)
{
	static FixedQuery shared = {
		.text = TOOLS_SQL(SHARED_SQL("tool", "t"), NO_SOURCE_SQL, NOT_GRADED_SQL),
		.argtypes = {TEXTARRAYOID}
	};
	static FixedQuery shared_or_own = {
		.text = TOOLS_SQL(SHARED_OR_OWN_SQL("tool", "t"), NO_SOURCE_SQL, NOT_GRADED_SQL),
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};

	FindTools(VARSIZE_ANY_EXHDR(tenant) == 0 ? &shared : &shared_or_own, false, tenant, tools, count);
}

/*
 * Returns why a check, question or fact cannot use a tool, as a clause; NULL if it can.
 * Only plans call tools with side effects, and tools that the application answers.
 */
const char *
ToolWhyUnaskable(const Tool *tool)
{
	if (tool->has_side_effects)
		return "it has side effects";
	return tool->is_external ? "the application answers in its place" : NULL;
}

/*
 * Returns what is wrong with a check's arguments: a required one is missing or null, or
 * the tool does not declare one. NULL if nothing is.
 */
const char *
ToolArgumentProblem(const Tool *tool, const JsonView *args, Span *argument)
{
	int			count;
	JsonMember *members;

	for (int i = 0; i < tool->nrequired; i++)
	{
		JsonView	value;

		if (JsonViewGet(args, tool->required[i].str, tool->required[i].len, &value) &&
			value.type != JVIEW_NULL)
			continue;
		*argument = tool->required[i];
		return "a required argument is missing";
	}
	members = JsonViewSortedMembers(args, &count);
	for (int i = 0; i < count; i++)
	{
		Span		key = members[i].key;

		if (SpanIsIn(key, tool->required, tool->nrequired) ||
			SpanIsIn(key, tool->optional, tool->noptional))
			continue;
		*argument = key;
		return "the tool declares no such argument";
	}
	return NULL;
}

/* Looks a source up.  An unknown one is a group of its own and has no URL. */
void
SourceFind(Span name, Source *source)
{
	static FixedQuery query = {
		.text = "SELECT independence_group, url, licence FROM answer.source"
		" WHERE source OPERATOR(pg_catalog.=) $1",
		.argtypes = {TEXTOID}
	};
	Datum		value;
	QueryRows	rows;

	memset(source, 0, sizeof(*source));
	if (name.len == 0)
		return;
	value = SpanDatum(name);
	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);
	if (rows.count > 0)
	{
		source->group = ColumnSpan(rows.table, 0, 1);
		source->url = ColumnSpan(rows.table, 0, 2);
		source->licence = ColumnSpan(rows.table, 0, 3);
	}
	QueryFree(&rows);
}

/*
 * Writes a line about a failed call into the server's log for the operator, because
 * only the asker gets the receipt.  It has neither the error's message nor the
 * statement, because these can contain arguments and data.  The client gets nothing.  A
 * call without a result is not a failure.
 */
void
ToolLogFailure(const Tool *tool, const char *what, const CallFailure *failure)
{
	char	   *name;

	if (strcmp(failure->sqlstate, "02000") == 0)
		return;
	name = TextDatumGetCString(SpanDatum(tool->name));
	ereport(LOG_SERVER_ONLY,
			(errcode(CallFailureCode(failure)),
			 errmsg("answer_eval: %s \"%s\" failed with SQLSTATE %s", what, name,
					failure->sqlstate),
			 errhidestmt(true),
			 errhidecontext(true)));
	pfree(name);
}

/*
 * SQL
 */

/* answer_tool_register(name, handler, ...) */
PG_FUNCTION_INFO_V1(answer_eval_tool_register);
Datum
answer_eval_tool_register(PG_FUNCTION_ARGS)
{
	TenantRegister(fcinfo, "tool_put", 0, NULL, NULL);
	PG_RETURN_VOID();
}

/* answer.path_problem(path): what is wrong with a dotted path, or NULL */
PG_FUNCTION_INFO_V1(answer_eval_path_problem);
Datum
answer_eval_path_problem(PG_FUNCTION_ARGS)
{
	text	   *text_ = PG_GETARG_TEXT_PP(0);
	Path		path;
	const char *problem = PathParse(VARDATA_ANY(text_), VARSIZE_ANY_EXHDR(text_), &path);

	if (problem == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(problem));
}

/* answer.path_value(value, path): what a dotted path finds, or NULL */
PG_FUNCTION_INFO_V1(answer_eval_path_value);
Datum
answer_eval_path_value(PG_FUNCTION_ARGS)
{
	Span		given = Utf8OfText(PG_GETARG_TEXT_PP(1));
	JsonView	root;
	JsonView	value;
	Path		path;
	const char *problem = PathParse(given.str, given.len, &path);

	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("path \"%s\" %s", TextDatumGetCString(PG_GETARG_DATUM(1)), problem)));
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "value");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &root);
	if (PathResolve(&path, &root, &value) < path.count)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(JsonViewToJsonb(&value, false));
}
