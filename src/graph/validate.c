/*-------------------------------------------------------------------------
 *
 * validate.c
 *		Validates an evidence packet, and checks its citations if the graph is available.
 *
 * Rule: doc/spec/packet.md §2.  packet.c checks the packet itself; here the graph is asked
 * whether it has the cited nodes.  If the caller can see nothing of a project, its graph counts
 * as not available: a user with a packet need not have the graph.
 *
 * Promises: it only reads, for the tenants that the caller may read.  For a role that may not
 * ask for packets, no graph is available.  The message is the same for a node that never
 * existed and for a forgotten one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "graph/build.h"
#include "graph/packet.h"

/* Converts an array of strings to text[]. */
static Datum
TextsOf(const JsonView *array)
{
	int			count = JsonViewCount(array);
	Datum	   *texts = palloc_extended(sizeof(Datum) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(array, i);

		texts[i] = SpanDatum(SpanOf(element.str, element.len));
	}
	return QueryTextArray(texts, count);
}

/* Adds a violation for each id that is not in the project's graph. */
static void
AddUnknownNodes(Span project, const JsonView *ids, JsonView *violations)
{
	static FixedQuery query = {
		.text = "SELECT c.id FROM ROWS FROM (pg_catalog.unnest($3)) WITH ORDINALITY AS c(id, at)"
		" WHERE EXISTS (SELECT FROM answer.graph_node AS n"
		" WHERE n.tenant OPERATOR(pg_catalog.=) ANY ($1) AND n.project OPERATOR(pg_catalog.=) $2)"
		" AND NOT EXISTS (SELECT FROM answer.graph_node AS n"
		" WHERE n.tenant OPERATOR(pg_catalog.=) ANY ($1) AND n.project OPERATOR(pg_catalog.=) $2"
		" AND n.id OPERATOR(pg_catalog.=) c.id)"
		" ORDER BY c.at",
		.argtypes = {TEXTARRAYOID, TEXTOID, TEXTARRAYOID}
	};
	Datum		values[3];
	MemoryContext caller = CurrentMemoryContext;
	QueryRows	rows;

	SPI_connect();
	MemoryContextSwitchTo(caller);
	if (!GraphMayBeAsked())
	{
		SPI_finish();
		return;
	}
	values[0] = PointerGetDatum(ReadableTenants());
	values[1] = SpanDatum(project);
	values[2] = TextsOf(ids);
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	for (uint64 i = 0; i < rows.count; i++)
	{
		Span		id = ColumnSpan(rows.table, i, 1);
		JsonView	view = JsonViewString(id.str, id.len);
		char	   *violation = psprintf("the node %s is not in the graph", ShownValue(&view));

		JsonViewAppend(violations, JsonViewCString(violation));
	}
	SPI_finish();
}

/* Checks the citations of a packet, if it names a project. */
static void
AskGraph(const JsonView *packet, JsonView *violations)
{
	JsonView	ids = PacketCitations(packet);
	JsonView	meta;
	JsonView	project;

	if (JsonViewCount(&ids) > 0 && JsonViewGetMember(packet, "meta", &meta) && meta.type == JVIEW_OBJECT &&
		JsonViewGetMember(&meta, "project", &project) && project.type == JVIEW_STRING)
		AddUnknownNodes(SpanOf(project.str, project.len), &ids, violations);
}

PG_FUNCTION_INFO_V1(answer_eval_packet_validate);

Datum
answer_eval_packet_validate(PG_FUNCTION_ARGS)
{
	JsonView	packet;
	JsonView	violations;
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	RequireArgument(fcinfo, 0, "packet");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "packet");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &packet);
	violations = PacketViolations(&packet);
	AskGraph(&packet, &violations);
	for (int i = 0; i < JsonViewCount(&violations); i++)
	{
		JsonView	violation = JsonViewAt(&violations, i);
		Datum		value;
		bool		isnull = false;

		CHECK_FOR_INTERRUPTS();
		value = SpanDatum(SpanOf(violation.str, violation.len));
		tuplestore_putvalues(result->setResult, result->setDesc, &value, &isnull);
	}
	return (Datum) 0;
}
