/*-------------------------------------------------------------------------
 *
 * graph_audit.c
 *		The audit of graphs and of their search terms.
 *
 * Signed records state the sum of the rows of a project's nodes, edges and embeddings
 * (log/content_audit.c).  Two things follow from these rows and are recomputed: the rows of
 * answer.graph_search, by which nodes are found, and the counts in answer.graph_set.
 *
 * Promises: those of log/audit.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "base/spi_query.h"
#include "document/change.h"
#include "graph/graph_audit.h"
#include "graph/load.h"
#include "ground/document.h"
#include "ground/document_audit.h"
#include "log/content_audit.h"
#include "log/log_table.h"

/* A project whose rows are being checked. */
typedef struct Project
{
	Datum		key[2];			/* tenant and project */
	const char *name;			/* as shown in findings */
	text	   *scope;			/* prefix of its items in an index */
	const DecisionRules *rules;
	uint64		nodes;			/* number of nodes whose row of answer.graph_search is missing or wrong */
} Project;

enum
{
	NODE_HAS_ROW = 1, NODE_ITEMS, NODE_TITLE_ITEMS, NODE_SKETCH, NODE_CONTENT, NODE_TITLE
};

static void
AuditNode(Audit *audit, AuditRow *row)
{
	Project    *project = row->state;
	bool		isnull;
	Datum		has_row = RowDatum(row, NODE_HAS_ROW, &isnull);
	Datum		columns[3];

	if (isnull || !DatumGetBool(has_row))
	{
		project->nodes++;
		return;
	}
	SearchItems(project->rules, project->scope,
				UncheckedUtf8(DatumGetTextPP(RowDatum(row, NODE_CONTENT, &isnull))),
				UncheckedUtf8(DatumGetTextPP(RowDatum(row, NODE_TITLE, &isnull))), columns);
	if (!AuditRowHolds(row, NODE_ITEMS, columns[0]) || !AuditRowHolds(row, NODE_TITLE_ITEMS, columns[1]) ||
		!AuditRowHolds(row, NODE_SKETCH, columns[2]))
		project->nodes++;
}

/* Reports nodes of a project that answer.graph_search does not describe correctly. */
static void
AuditItems(Audit *audit, Project *project)
{
	project->scope = GraphScope(DatumGetTextPP(project->key[0]), DatumGetTextPP(project->key[1]));
	if (!IsIndexScope(project->scope, INDEX_SCOPE_MAX))
	{
		AuditReport(audit, -1, NULL, "changed", psprintf("%s has a longer name than a tenant and a project have", project->name));
		return;
	}
	if (project->rules == NULL)
		return;					/* that was reported */
	AuditForEachRowOf(audit, "SELECT n.id IS NOT NULL AND s.id IS NOT NULL AND s.path = n.path AND s.labels = n.labels,"
					  " s.items, s.title_items, s.sketch, c.content, c.title"
					  " FROM (SELECT * FROM answer.graph_node WHERE tenant = $1 AND project = $2) n"
					  " FULL JOIN (SELECT * FROM answer.graph_search WHERE tenant = $1 AND project = $2) s ON s.id = n.id,"
					  " LATERAL answer.graph_content(n.name, n.path, n.docstring, n.text) c",
					  2, project->key, AuditNode, project);
	if (project->nodes > 0)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("what finds " UINT64_FORMAT " nodes of %s is not theirs", project->nodes, project->name));
}

enum
{
	SET_TENANT = 1, SET_PROJECT, SET_SUM, SET_NODES, SET_EDGES
};

static void
AuditProject(Audit *audit, SPITupleTable *sets, uint64 n, const DecisionRules *rules)
{
	HeapTuple	row = sets->vals[n];
	Project		project = {.rules = rules};
	ContentSum	nodes = {0};
	ContentSum	sum;
	uint64		edges;
	bool		isnull;
	char	   *tenant = SPI_getvalue(row, sets->tupdesc, SET_TENANT);
	Datum		stored = SPI_getbinval(row, sets->tupdesc, SET_SUM, &isnull);

	project.name = psprintf("project %s%s%s", SPI_getvalue(row, sets->tupdesc, SET_PROJECT),
							tenant[0] ? " of tenant " : "", tenant);
	if (isnull)
	{
		AuditReport(audit, -1, NULL, "missing", psprintf("%s has a graph, and no row in answer.graph_set", project.name));
		return;
	}
	project.key[0] = SPI_getbinval(row, sets->tupdesc, SET_TENANT, &isnull);
	project.key[1] = SPI_getbinval(row, sets->tupdesc, SET_PROJECT, &isnull);
	AuditSumRows(audit, "graph_node", 2, project.key, &nodes);
	sum = nodes;
	AuditSumRows(audit, "graph_edge", 2, project.key, &sum);
	edges = sum.count - nodes.count;
	AuditSumRows(audit, "graph_embedding", 2, project.key, &sum);
	if (!AuditSumIs(&sum, ByteaSpan(stored)))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the graph of %s is not what was loaded: the sum of its nodes, edges and embeddings is another", project.name));
	if (nodes.count != (uint64) TupleInt64(row, sets->tupdesc, SET_NODES) || edges != (uint64) TupleInt64(row, sets->tupdesc, SET_EDGES))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("%s has " UINT64_FORMAT " nodes and " UINT64_FORMAT " edges, which is not what answer.graph_set says",
							 project.name, nodes.count, edges));
	AuditItems(audit, &project);
}

/* Audits the graphs of all projects, or of those that have changed since the last clean audit. */
static void
AuditGraphs(Audit *audit, bool whole, bool functions_good)
{
	QueryRows	sets = AuditContentSets(audit, whole, CHANGE_GRAPH, "s.project", whole ?
										   "SELECT COALESCE(g.tenant, o.tenant) AS tenant, COALESCE(g.project, o.project) AS project, g.sum, g.nodes, g.edges"
										   " FROM answer.graph_set g FULL JOIN (SELECT tenant, project FROM answer.graph_node"
										   "  UNION SELECT tenant, project FROM answer.graph_edge UNION SELECT tenant, project FROM answer.graph_embedding"
										   "  UNION SELECT tenant, project FROM answer.graph_search) o"
										   " ON o.tenant OPERATOR(pg_catalog.=) g.tenant AND o.project OPERATOR(pg_catalog.=) g.project" :
										   "SELECT g.tenant, g.project, g.sum, g.nodes, g.edges FROM answer.graph_set g");
	const DecisionRules *rules = sets.count > 0 ? RulesForAudit(audit, "nodes of graphs") : NULL;

	for (uint64 i = 0; i < sets.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AuditProject(audit, sets.table, i, rules);
	}
	QueryFree(&sets);
}

const AuditPart graph_audit = {
	.walk = AuditGraphs
};
