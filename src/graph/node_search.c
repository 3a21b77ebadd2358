/*-------------------------------------------------------------------------
 *
 * node_search.c
 *		Finds the nodes of a project that a question is about, and their neighbours.
 *
 * Rule: doc/spec/packet.md §3.  The text of a node is its docstring and text; its title is
 * its name and the last part of its path (answer.graph_content).  The score is text-score/2
 * over these (ground/item_search.c).  With an embedding it is the cosine similarity, computed
 * exactly over all nodes with an embedding of the same length.
 *
 * Promises: the same nodes in the same order, whatever the plan, the locale or the caller's
 * settings.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "ground/current_rules.h"
#include "ground/item_search.h"
#include "graph/load.h"
#include "graph/node_search.h"

/*
 * Bytes of a text that sort by code point.  Those of "C" are in the server's
 * encoding, which may sort differently.
 */
#define BY_CODE_POINT(text) "pg_catalog.convert_to(" text ", 'UTF8')"

/* The columns of a node. */
#define NODE_COLUMNS \
	"n.id, n.name, n.labels, n.path, n.start_line, n.end_line, n.docstring, n.doc_type, n.last_modified," \
	" n.source_path, n.content_hash, n.extraction_method, n.indexed_at"

/*
 * rows
 */

/* Returns a string of a row; a null has the pointer NULL. */
static Span
StringColumn(SPITupleTable *table, int row, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? SpanOf(NULL, 0) : Utf8OfText(DatumGetTextPCopy(value));
}

static int64
NumberColumn(SPITupleTable *table, int row, int column, bool is_long)
{
	bool		isnull;
	Datum		value = SPI_getbinval(table->vals[row], table->tupdesc, column, &isnull);

	return isnull ? 0 : is_long ? DatumGetInt64(value) : DatumGetInt32(value);
}

static void
ReadNode(SPITupleTable *table, int row, GraphNode *node)
{
	memset(node, 0, sizeof(*node));
	node->id = StringColumn(table, row, 1);
	node->name = StringColumn(table, row, 2);
	node->labels = ColumnSpans(table, row, 3, &node->nlabels);
	node->path = StringColumn(table, row, 4);
	node->start_line = (int) NumberColumn(table, row, 5, false);
	node->end_line = (int) NumberColumn(table, row, 6, false);
	node->docstring = StringColumn(table, row, 7);
	node->doc_type = StringColumn(table, row, 8);
	node->last_modified = NumberColumn(table, row, 9, true);
	node->source_path = StringColumn(table, row, 10);
	node->content_hash = StringColumn(table, row, 11);
	node->extraction_method = StringColumn(table, row, 12);
	node->indexed_at = DatumGetTimestampTz(ColumnDatum(table, row, 13));
}

/* Reads the nodes with these ids (text[]), in that order. */
static GraphNode *
ReadNodes(text *tenant, text *project, Datum ids, int *count)
{
	static FixedQuery query = {
		.text = "SELECT n.* FROM pg_catalog.unnest($3) WITH ORDINALITY AS u (id, place), LATERAL ("
		"SELECT " NODE_COLUMNS " FROM answer.graph_node n WHERE n.tenant OPERATOR(pg_catalog.=) $1"
		" AND n.project OPERATOR(pg_catalog.=) $2 AND n.id OPERATOR(pg_catalog.=) u.id OFFSET 0) AS n ORDER BY u.place",
		.argtypes = {TEXTOID, TEXTOID, TEXTARRAYOID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), PointerGetDatum(project), ids};
	GraphNode  *nodes;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 0);

	*count = (int) rows.count;
	nodes = palloc(sizeof(GraphNode) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		ReadNode(rows.table, i, &nodes[i]);
	QueryFree(&rows);
	return nodes;
}

static Datum
IdArray(const GraphNode *nodes, int count)
{
	Datum	   *ids = palloc(sizeof(Datum) * Max(count, 1));

	for (int i = 0; i < count; i++)
		ids[i] = SpanDatum(nodes[i].id);
	return QueryTextArray(ids, count);
}

/*
 * search
 */

/* Does a row have one of the requested labels? */
static bool
HasLabel(const GraphQuestion *question, HeapTuple row, TupleDesc desc)
{
	bool		isnull;

	return question->labels == NULL ||
		DatumGetBool(OidFunctionCall2Coll(F_ARRAYOVERLAP, C_COLLATION_OID, RowColumn(row, desc, "labels", &isnull),
										  PointerGetDatum(question->labels)));
}

/* Is a path one of these, or beneath one? */
static bool
LiesWithin(text *path, ArrayType *paths)
{
	Span		place = SpanOf(VARDATA_ANY(path), VARSIZE_ANY_EXHDR(path));
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	deconstruct_array(paths, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		text	   *element = nulls[i] ? NULL : DatumGetTextPP(elements[i]);
		Span		above;

		if (element == NULL)
			continue;
		above = SpanOf(VARDATA_ANY(element), VARSIZE_ANY_EXHDR(element));
		if (SpanEqual(place, above))
			return true;
		while (above.len > 0 && above.str[above.len - 1] == '/')
			above.len--;
		if (place.len > above.len && SpanStartsWith(place, above) && place.str[above.len] == '/')
			return true;
	}
	return false;
}

static bool
NodePasses(ItemSearch *search, HeapTuple row, TupleDesc desc)
{
	const GraphQuestion *question = search->filter;
	bool		isnull;

	return HasLabel(question, row, desc) &&
		(question->paths == NULL ||
		 LiesWithin(DatumGetTextPP(RowColumn(row, desc, "path", &isnull)), question->paths));
}

static void
ReadNodeText(ItemSearch *search, HeapTuple row, TupleDesc desc, Span *content, Span *title)
{
	static FixedQuery query = {
		.text = "SELECT c.content, c.title FROM answer.graph_node n,"
		" LATERAL answer.graph_content(n.name, n.path, n.docstring, n.text) AS c"
		" WHERE n.tenant OPERATOR(pg_catalog.=) $1 AND n.project OPERATOR(pg_catalog.=) $2 AND n.id OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	bool		isnull;
	Datum		values[3] = {search->key[0], search->key[1], RowColumn(row, desc, "id", &isnull)};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	*content = *title = SpanOf("", 0);
	if (rows.count > 0)
	{
		*content = ColumnSpan(rows.table, 0, 1);
		*title = ColumnSpan(rows.table, 0, 2);
	}
	QueryFree(&rows);
}

static void
InitNodeSearch(ItemSearch *search, const GraphQuestion *question)
{
	static FixedQuery rows = {
		.text = "SELECT s.* FROM answer.graph_search s WHERE s.tenant OPERATOR(pg_catalog.=) $1 AND s.project OPERATOR(pg_catalog.=) $2"
		" AND s.items OPERATOR(pg_catalog.&&) $3",
		.argtypes = {TEXTOID, TEXTOID, BYTEAARRAYOID}
	};
	static const SearchedSet nodes = {
		.table = "graph_search",
		.index = "graph_search_items",
		.nkey = 2,
		.key = {"tenant", "project"},
		.norder = 2,
		.order = {"path", "id"},
		.rows = &rows,
		.passes = NodePasses,
		.read = ReadNodeText
	};

	*search = (ItemSearch)
	{
		.set = &nodes,
		.rules = CurrentDecisionRules(),
		.scope = GraphScope(question->tenant, question->project),
		.key = {PointerGetDatum(question->tenant), PointerGetDatum(question->project)},
		.filter = unconstify(GraphQuestion *, question),
		.k = question->limit
	};
}

/*
 * Refuses a project whose nodes were loaded while the triggers that count them were
 * off.  Nothing would be found in it, and a packet would claim that there is
 * nothing.
 */
static void
RefuseUncounted(const GraphQuestion *question)
{
	static FixedQuery query = {
		.text = "SELECT 1 WHERE EXISTS (SELECT FROM answer.graph_node"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND project OPERATOR(pg_catalog.=) $2)"
		" AND NOT EXISTS (SELECT FROM answer.graph_set WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND project OPERATOR(pg_catalog.=) $2 AND nodes OPERATOR(pg_catalog.>) 0)",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(question->tenant), PointerGetDatum(question->project)};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the graph of project \"%s\" cannot be searched", text_to_cstring(question->project)),
				 errdetail("Its nodes were stored while the triggers of answer.graph_node were off, as by a restore with --disable-triggers."),
				 errhint("TRUNCATE answer.graph_node, answer.graph_edge; then load or restore the graphs with triggers.")));
	QueryFree(&rows);
}

static GraphNode *
SearchByText(const GraphQuestion *question, int *count)
{
	ItemSearch	search;
	Datum	   *ids;
	GraphNode  *nodes;
	bool		isnull;

	InitNodeSearch(&search, question);
	ItemSearchRun(&search, question->text);
	if (search.nhits == 0)
		RefuseUncounted(question);
	ids = palloc(sizeof(Datum) * Max(search.nhits, 1));
	for (int i = 0; i < search.nhits; i++)
		ids[i] = RowColumn(search.hits[i].row, search.desc, "id", &isnull);
	nodes = ReadNodes(question->tenant, question->project, QueryTextArray(ids, search.nhits), count);
	Assert(*count == search.nhits);
	for (int i = 0; i < *count; i++)
		nodes[i].score = search.hits[i].similarity;
	return nodes;
}

static GraphNode *
SearchByEmbedding(const GraphQuestion *question, int *count)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.array_agg(s.id ORDER BY s.place), pg_catalog.array_agg(s.score ORDER BY s.place)"
		" FROM answer.graph_search_vector($1, $2, $3, $4, $5, $6) AS s",
		.argtypes = {TEXTOID, TEXTOID, FLOAT4ARRAYOID, INT4OID, TEXTARRAYOID, TEXTARRAYOID}
	};
	Datum		values[6] = {PointerGetDatum(question->tenant), PointerGetDatum(question->project),
		PointerGetDatum(question->embedding), Int32GetDatum(question->limit),
	PointerGetDatum(question->labels), PointerGetDatum(question->paths)};
	char		nulls[7] = "      ";
	Datum		ids;
	Datum	   *scores;
	bool		isnull;
	GraphNode  *nodes;
	int			nscores;
	QueryRows	rows;

	nulls[4] = question->labels ? ' ' : 'n';
	nulls[5] = question->paths ? ' ' : 'n';
	rows = QueryRun(&query, values, nulls, true, 1);
	ids = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &isnull);
	*count = 0;
	if (isnull)
		return palloc(sizeof(GraphNode));
	ids = PointerGetDatum(DatumGetArrayTypePCopy(ids));
	deconstruct_array(DatumGetArrayTypePCopy(SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 2, &isnull)),
					  INT4OID, sizeof(int32), true, TYPALIGN_INT, &scores, NULL, &nscores);
	QueryFree(&rows);
	nodes = ReadNodes(question->tenant, question->project, ids, count);
	Assert(*count == nscores);
	for (int i = 0; i < *count; i++)
		nodes[i].score = DatumGetInt32(scores[i]);
	return nodes;
}

/* Returns the lowest score that is not left out. */
static int
LeastScore(const GraphQuestion *question, const GraphNode *nodes, int count)
{
	int			near_best = 0;

	/* two thirds, rounded; a tie is not possible */
	if (question->near_best && question->embedding == NULL && count > 0)
		near_best = (2 * nodes[0].score + 1) / 3;
	return Max(question->min_score, near_best);
}

GraphNode *
GraphSearch(const GraphQuestion *question, int *count)
{
	int			level = NewGUCNestLevel();
	GraphNode  *nodes;
	int			least;

	Assert(question->limit >= 1 && question->limit <= PACKET_LIMIT_MAX);
	/* a setting of the caller's would leave out nodes at random */
	(void) set_config_option("gin_fuzzy_search_limit", "0", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	nodes = question->embedding ? SearchByEmbedding(question, count) : SearchByText(question, count);
	AtEOXact_GUC(true, level);
	least = LeastScore(question, nodes, *count);
	while (*count > 0 && nodes[*count - 1].score < least)
		(*count)--;
	return nodes;
}

/* neighbours and relations */

void
GraphNeighbors(text *tenant, text *project, GraphNode *nodes, int count)
{
	static FixedQuery query = {
		.text = "SELECT u.place, e.count, e.names FROM pg_catalog.unnest($3) WITH ORDINALITY AS u (id, place), LATERAL ("
		"SELECT pg_catalog.count(*) AS count,"
		" (pg_catalog.array_agg(n.name ORDER BY " BY_CODE_POINT("n.name") ", " BY_CODE_POINT("n.id") "))[1:$4] AS names FROM ("
		"SELECT o.to_id AS id FROM answer.graph_edge o WHERE o.tenant OPERATOR(pg_catalog.=) $1"
		" AND o.project OPERATOR(pg_catalog.=) $2 AND o.from_id OPERATOR(pg_catalog.=) u.id"
		" UNION ALL SELECT i.from_id FROM answer.graph_edge i"
		" WHERE answer.graph_key(i.tenant, i.project, i.to_id) OPERATOR(pg_catalog.=) answer.graph_key($1, $2, u.id)"
		" AND i.from_id OPERATOR(pg_catalog.<>) u.id) AS other, LATERAL ("
		"SELECT g.id, g.name FROM answer.graph_node g WHERE g.tenant OPERATOR(pg_catalog.=) $1"
		" AND g.project OPERATOR(pg_catalog.=) $2 AND g.id OPERATOR(pg_catalog.=) other.id OFFSET 0) AS n) AS e",
		.argtypes = {TEXTOID, TEXTOID, TEXTARRAYOID, INT4OID}
	};
	Datum		values[4] = {PointerGetDatum(tenant), PointerGetDatum(project), IdArray(nodes, count),
	Int32GetDatum(PACKET_NEIGHBORS_MAX)};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 0);

	for (uint64 i = 0; i < rows.count; i++)
	{
		GraphNode  *node = &nodes[NumberColumn(rows.table, (int) i, 1, true) - 1];

		node->neighbor_count = NumberColumn(rows.table, (int) i, 2, true);
		node->neighbors = ColumnSpans(rows.table, (int) i, 3, &node->nneighbors);
	}
	QueryFree(&rows);
}

GraphRelation *
GraphRelations(text *tenant, text *project, const GraphNode *nodes, int count, int *nrelations)
{
	static FixedQuery query = {
		/* only the listed ones are looked up among the nodes */
		.text = "SELECT f.place, pg_catalog.array_position($3, f.to_id), f.type FROM ("
		"SELECT u.place, e.to_id, e.type"
		" FROM pg_catalog.unnest($3) WITH ORDINALITY AS u (id, place), LATERAL ("
		"SELECT o.to_id, o.type FROM answer.graph_edge o WHERE o.tenant OPERATOR(pg_catalog.=) $1"
		" AND o.project OPERATOR(pg_catalog.=) $2 AND o.from_id OPERATOR(pg_catalog.=) u.id"
		" AND o.to_id OPERATOR(pg_catalog.=) ANY ($3) OFFSET 0) AS e"
		" ORDER BY " BY_CODE_POINT("u.id") ", " BY_CODE_POINT("e.to_id") ", " BY_CODE_POINT("e.type") " LIMIT $4) AS f",
		.argtypes = {TEXTOID, TEXTOID, TEXTARRAYOID, INT8OID}
	};
	Datum		values[4] = {PointerGetDatum(tenant), PointerGetDatum(project), IdArray(nodes, count),
	Int64GetDatum(PACKET_RELATIONS_MAX)};
	GraphRelation *relations;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 0);

	*nrelations = (int) rows.count;
	relations = palloc(sizeof(GraphRelation) * Max(*nrelations, 1));
	for (int i = 0; i < *nrelations; i++)
	{
		const GraphNode *from = &nodes[NumberColumn(rows.table, i, 1, true) - 1];
		const GraphNode *to = &nodes[NumberColumn(rows.table, i, 2, false) - 1];

		relations[i] = (GraphRelation) {from->id, to->id, from->name, to->name, StringColumn(rows.table, i, 3)};
	}
	QueryFree(&rows);
	return relations;
}

int64
GraphVersion(text *tenant, text *project)
{
	static FixedQuery query = {
		.text = "SELECT version FROM answer.graph_set WHERE tenant OPERATOR(pg_catalog.=) $1 AND project OPERATOR(pg_catalog.=) $2"
		" AND nodes OPERATOR(pg_catalog.>) 0",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), PointerGetDatum(project)};
	int64		version = 0;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count > 0)
		version = NumberColumn(rows.table, 0, 1, true);
	QueryFree(&rows);
	return version;
}

/*
 * SQL
 */

static ArrayType *
ArrayArgument(FunctionCallInfo fcinfo, int n)
{
	return PG_ARGISNULL(n) ? NULL : PG_GETARG_ARRAYTYPE_P(n);
}

/* answer.graph_search_of(tenant, project, question, k, labels, paths, embedding) */
PG_FUNCTION_INFO_V1(answer_eval_graph_search);
Datum
answer_eval_graph_search(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	GraphQuestion question;
	GraphNode  *nodes;
	int			count;

	RequireArgument(fcinfo, 0, "tenant");
	RequireArgument(fcinfo, 1, "project");
	RequireArgument(fcinfo, 2, "question");
	RequireArgument(fcinfo, 3, "k");
	LimitArgument(fcinfo, 2, ENTRY_MAX_SIZE, "question");
	question = (GraphQuestion)
	{
		.tenant = PG_GETARG_TEXT_PP(0),
		.project = PG_GETARG_TEXT_PP(1),
		.text = TextArgument(fcinfo, 2),
		.limit = PG_GETARG_INT32(3),
		.labels = ArrayArgument(fcinfo, 4),
		.paths = ArrayArgument(fcinfo, 5),
		.embedding = ArrayArgument(fcinfo, 6)
	};
	if (question.limit < 1 || question.limit > PACKET_LIMIT_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k is %d", question.limit),
				 errdetail("It must be from 1 to %d.", PACKET_LIMIT_MAX)));
	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	nodes = GraphSearch(&question, &count);
	for (int i = 0; i < count; i++)
	{
		Datum		values[4] = {SpanDatum(nodes[i].id), SpanDatum(nodes[i].name), SpanDatum(nodes[i].path),
		Float8GetDatum((double) nodes[i].score / SCORE_WHOLE)};
		bool		nulls[4] = {false};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	SPI_finish();
	return (Datum) 0;
}
