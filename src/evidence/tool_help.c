/*-------------------------------------------------------------------------
 *
 * tool_help.c
 *		Fills in default arguments of a tool and suggests names for a misspelt
 *		one.
 *
 * A built-in tool may have default arguments.  A receipt must say what was
 * asked, so such an argument is written out before the tool is called, and the
 * check says which ones were.  Registered handlers declare no defaults: the
 * handler decides what a missing argument means.
 *
 * For an unknown name, the closest names of tools are suggested that the caller
 * may read: in answer.tool, the shared ones, with the caller's rights; for a
 * tenant in answer.tenant_tool, the shared ones and its own.  So nobody learns
 * of a tool from a misspelling.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"

#include "base/closest.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "evidence/tool_help.h"

/*
 * defaults
 */

/* Returns the name of this database; absent if its encoding is unknown. */
static JsonView
ThisDatabase(void)
{
	char	   *name = get_database_name(MyDatabaseId);
	int			len;

	if (GetDatabaseEncoding() == PG_SQL_ASCII && !SpanIsText(SpanOfCString(name)))
		return (JsonView) {.type = JVIEW_ABSENT};
	name = JsonServerToUtf8(name, strlen(name), &len);
	return JsonViewString(name, len);
}

static const struct
{
	const char *tool;
	const char *argument;
	JsonView	(*value) (void);
}			defaults[] =
{
	{"postgres_database", "name", ThisDatabase},
};

/* Returns the arguments with one of them replaced or added. */
static JsonView
WithArgument(const JsonView *args, const char *name, JsonView value)
{
	int			count = JsonViewCount(args);
	JsonView	result = JsonViewNewObject(count + 1);

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	member = JsonViewMember(args, i, &key);

		CHECK_FOR_INTERRUPTS();
		if (!SpanEqualCString(key, name))
			JsonViewSetKey(&result, key.str, key.len, member);
	}
	JsonViewSet(&result, name, value);
	return result;
}

/*
 * Writes out a built-in tool's default arguments that are missing or null.  Returns
 * true, with an array of their names, if there were any.
 */
bool
ToolDefaults(const Tool *tool, JsonView *args, JsonView *defaulted)
{
	defaulted->type = JVIEW_ABSENT;
	for (size_t i = 0; i < lengthof(defaults) && tool->builtin; i++)
	{
		JsonView	value;

		if (!SpanEqualCString(tool->name, defaults[i].tool) ||
			(JsonViewGetMember(args, defaults[i].argument, &value) && value.type != JVIEW_NULL))
			continue;
		value = defaults[i].value();
		if (value.type == JVIEW_ABSENT)
			continue;
		*args = WithArgument(args, defaults[i].argument, value);
		if (defaulted->type == JVIEW_ABSENT)
			*defaulted = JsonViewNewArray(1);
		JsonViewAppend(defaulted, JsonViewCString(defaults[i].argument));
	}
	return defaulted->type != JVIEW_ABSENT;
}

/*
 * closest names
 */

static bool
MayRead(const char *relation)
{
	return CompatSchemaAclcheck(AnswerSchema(), GetUserId(), ACL_USAGE) == ACLCHECK_OK &&
		pg_class_aclcheck(AnswerTable(relation), GetUserId(), ACL_SELECT) == ACLCHECK_OK;
}

/*
 * Finds the names of registered tools that are closest to "name": at most a quarter of
 * its letters may differ.  Returns their number; the closest comes first.  For the
 * operator it runs as the caller, and may raise what a policy of answer.tool raises.
 * For a tenant it reads as the owner of our tables, as the view of its tools does, and
 * restricts to the tenant.  SPI must be connected.
 */
int
ToolsClosest(const text *tenant, Span name, Span *closest)
{
	static FixedQuery query = {
		.text = "SELECT DISTINCT tool COLLATE pg_catalog.\"C\" FROM answer.tool"
		" WHERE tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $1]) ORDER BY 1",
		.argtypes = {TEXTOID}
	};
	bool		own = VARSIZE_ANY_EXHDR(tenant) > 0;
	Datum		value = PointerGetDatum(tenant);
	Oid			user;
	int			context;
	char	   *wanted;
	int			most = Max(name.len / 4, 1);
	int			distances[CLOSEST_TOOLS];
	int			count = 0;
	QueryRows	rows;

	if (name.len > CLOSEST_MAX_LENGTH || !MayRead(own ? "tenant_tool" : "tool"))
		return 0;
	wanted = TextDatumGetCString(SpanDatum(name));
	if (own)
		AnswerAsOwner(&user, &context);
	rows = QueryRun(&query, &value, NULL, true, 0);
	if (own)
		AnswerAsCaller(user, context);
	for (uint64 i = 0; i < rows.count; i++)
	{
		char	   *tool = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 1);
		int			distance = WordDistance(wanted, tool, most);
		int			at = count;

		CHECK_FOR_INTERRUPTS();
		while (at > 0 && distances[at - 1] > distance)
			at--;
		if (distance <= most && at < CLOSEST_TOOLS)
		{
			count = Min(count + 1, CLOSEST_TOOLS);
			memmove(&closest[at + 1], &closest[at], sizeof(Span) * (count - at - 1));
			memmove(&distances[at + 1], &distances[at], sizeof(int) * (count - at - 1));
			closest[at] = ColumnSpan(rows.table, i, 1);
			distances[at] = distance;
		}
		pfree(tool);
	}
	QueryFree(&rows);
	return count;
}
