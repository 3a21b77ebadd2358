/*-------------------------------------------------------------------------
 *
 * graph_audit.c
 *		The audit of graphs and of what finds their nodes.
 *
 * Signed records tell the sum of the rows of a project's nodes, edges and embeddings
 * (log/content_audit.c).  What follows from them is computed anew: the words of nodes,
 * their rarity, and how many rows there are.
 *
 * Promises: as log/audit.c's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "document/change.h"
#include "graph/graph_audit.h"
#include "ground/document.h"
#include "log/audit.h"
#include "log/log_table.h"

extern Datum answer_eval_graph_words(PG_FUNCTION_ARGS);
extern Datum answer_eval_graph_scope(PG_FUNCTION_ARGS);
extern Datum answer_eval_index_trigrams(PG_FUNCTION_ARGS);

/* A project, while its rows are looked at. */
typedef struct Project
{
	Datum		key[2];			/* tenant and project */
	const char *name;			/* as findings have it */
	Datum		scope;			/* what stands before its words in an index */
	uint64		nodes;			/* whose words are not their own */
	uint64		words;			/* whose trigrams are not theirs */
} Project;

static bool
SameArray(const AuditRow *row, int column, Datum expected)
{
	bool		isnull;
	Datum		stored = SPI_getbinval(row->tuple, row->desc, column, &isnull);
	ArrayType  *made = DatumGetArrayTypeP(expected);
	ArrayType  *found;

	if (isnull)
		return false;
	found = DatumGetArrayTypeP(stored);
	return VARSIZE(found) == VARSIZE(made) && memcmp(found, made, VARSIZE(made)) == 0;
}

/* The words of some columns, which are texts and may be null. */
static Datum
WordsOf(const Project *project, const AuditRow *row, int first, int count)
{
	Datum		texts[3];
	bool		nulls[3];
	int			dimensions[1] = {count};
	int			bounds[1] = {1};

	Assert(count <= 3);
	for (int i = 0; i < count; i++)
		texts[i] = SPI_getbinval(row->tuple, row->desc, first + i, &nulls[i]);
	return DirectFunctionCall3(answer_eval_graph_words, project->key[0], project->key[1],
							   PointerGetDatum(construct_md_array(texts, nulls, 1, dimensions, bounds, TEXTOID, -1,
																  false, TYPALIGN_INT)));
}

static void
AuditNode(Audit *audit, AuditRow *row)
{
	Project    *project = row->state;

	if (!SameArray(row, 1, WordsOf(project, row, 3, 3)) || !SameArray(row, 2, WordsOf(project, row, 6, 1)))
		project->nodes++;
}

static void
AuditWord(Audit *audit, AuditRow *row)
{
	Project    *project = row->state;
	bool		isnull;
	Datum		word = SPI_getbinval(row->tuple, row->desc, 1, &isnull);

	if (!SameArray(row, 2, DirectFunctionCall2(answer_eval_index_trigrams, project->scope, word)))
		project->words++;
}

static void
ReportRarity(Audit *audit, AuditRow *row)
{
	Project    *project = row->state;

	AuditReport(audit, -1, NULL, "changed",
				psprintf("the rarity of %s words of %s is not that of its nodes", SPI_getvalue(row->tuple, row->desc, 1),
						 project->name));
}

/* What finds nodes. */
static void
AuditWords(Audit *audit, Project *project)
{
	project->scope = DirectFunctionCall2(answer_eval_graph_scope, project->key[0], project->key[1]);
	if (!IsIndexScope(DatumGetTextPP(project->scope), INDEX_SCOPE_MAX))
	{
		AuditReport(audit, -1, NULL, "changed", psprintf("%s has a longer name than a tenant and a project have", project->name));
		return;
	}
	AuditForEachRowOf(audit, "SELECT n.words, n.path_words, n.name::text, n.docstring, n.text, n.path::text FROM answer.graph_node n"
					  " WHERE n.tenant = $1 AND n.project = $2", 2, project->key, AuditNode, project);
	if (project->nodes > 0)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the words that find " UINT64_FORMAT " nodes of %s are not theirs", project->nodes, project->name));
	AuditForEachRowOf(audit, "SELECT w.word, w.trigrams FROM answer.graph_word w WHERE w.tenant = $1 AND w.project = $2",
					  2, project->key, AuditWord, project);
	if (project->words > 0)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the trigrams of " UINT64_FORMAT " words of %s are not theirs", project->words, project->name));
	AuditForEachRowOf(audit, "SELECT count(*)::text FROM (SELECT w.word, w.nodes FROM answer.graph_word w WHERE w.tenant = $1 AND w.project = $2) w"
					  " FULL JOIN (SELECT substring(t.term FROM octet_length($1) + octet_length($2) + 3) AS word, count(*) AS nodes"
					  "  FROM (SELECT n.id, unnest(n.words) AS term FROM answer.graph_node n WHERE n.tenant = $1 AND n.project = $2"
					  "   UNION SELECT n.id, unnest(n.path_words) FROM answer.graph_node n WHERE n.tenant = $1 AND n.project = $2) t GROUP BY 1) c"
					  " ON c.word = w.word WHERE w.nodes IS DISTINCT FROM c.nodes HAVING count(*) > 0",
					  2, project->key, ReportRarity, project);
}

enum
{
	SET_TENANT = 1, SET_PROJECT, SET_SUM, SET_NODES, SET_EDGES
};

static void
AuditProject(Audit *audit, SPITupleTable *sets, uint64 n)
{
	HeapTuple	row = sets->vals[n];
	Project		project = {0};
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
	AuditWords(audit, &project);
}

/* Audits the graphs of all projects, or of those that have changed since the last clean audit. */
void
AuditGraphs(Audit *audit, bool whole, bool functions_good)
{
	QueryRows	sets = AuditContentSets(audit, whole, CHANGE_GRAPH, "s.project", whole ?
										   "SELECT COALESCE(g.tenant, o.tenant) AS tenant, COALESCE(g.project, o.project) AS project, g.sum, g.nodes, g.edges"
										   " FROM answer.graph_set g FULL JOIN (SELECT tenant, project FROM answer.graph_node"
										   "  UNION SELECT tenant, project FROM answer.graph_edge UNION SELECT tenant, project FROM answer.graph_embedding"
										   "  UNION SELECT tenant, project FROM answer.graph_word) o"
										   " ON o.tenant OPERATOR(pg_catalog.=) g.tenant AND o.project OPERATOR(pg_catalog.=) g.project" :
										   "SELECT g.tenant, g.project, g.sum, g.nodes, g.edges FROM answer.graph_set g");

	for (uint64 i = 0; i < sets.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AuditProject(audit, sets.table, i);
	}
	QueryFree(&sets);
}
