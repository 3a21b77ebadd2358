/*-------------------------------------------------------------------------
 *
 * build.c
 *		Makes packets from stored graphs.
 *
 * Rule: doc/spec/packet.md §3.  The search finds nodes and their neighbours
 * (node_search.c), and packet.c assembles the packet.
 *
 * Promises: the result does not depend on the caller's settings.  Everything is read as the
 * owner of our tables, for the tenant in the arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/guc.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "evidence/handler_settings.h"
#include "graph/build.h"
#include "graph/node_search.h"

/*
 * May the current role ask for packets?  SPI must be connected.  Overloaded
 * functions of that name do not count.
 */
bool
GraphMayBeAsked(void)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.has_function_privilege(p.oid, 'EXECUTE')::pg_catalog.int4 FROM pg_catalog.pg_proc p"
		" JOIN pg_catalog.pg_extension e ON e.extnamespace OPERATOR(pg_catalog.=) p.pronamespace"
		" WHERE e.extname OPERATOR(pg_catalog.=) 'answer_eval' AND p.proname OPERATOR(pg_catalog.=) 'answer_packet'"
		" AND p.proargtypes OPERATOR(pg_catalog.=) '" CppAsString2(TEXTOID) " " CppAsString2(TEXTOID) " " CppAsString2(JSONBOID) "'"
	};
	bool		may;
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 1);

	may = rows.count > 0 && ColumnInt(rows.table, 0, 1) != 0;
	QueryFree(&rows);
	return may;
}

/*
 * Makes the packet of a request whose instant is set.  Returns NULL, or one
 * sentence if the packet would violate the schema.  SPI must be connected.
 */
const char *
PacketOfGraph(text *tenant, const PacketRequest *request, Packet *packet)
{
	GraphQuestion question = {.tenant = tenant,.project = TextOfUtf8(request->project),.text = request->question,
	.limit = request->limit,.min_score = request->min_score,.near_best = true,.labels = request->labels,.paths = request->paths,.embedding = request->embedding};
	PacketInput input = {.project = request->project,.question = request->question,.options = request->options,
	.query_id = request->query_id,.now = request->now};
	GraphNode  *nodes;
	const char *problem = NULL;
	Oid			user;
	int			context;
	int			level;

	/* the result, which is signed, must not depend on the caller's settings for indexes */
	level = SettleSettings();
	AnswerAsOwner(&user, &context);
	nodes = GraphSearch(&question, &input.nnodes);
	GraphNeighbors(tenant, question.project, nodes, input.nnodes);
	input.nodes = nodes;
	input.relations = GraphRelations(tenant, question.project, nodes, input.nnodes, &input.nrelations);
	AnswerAsCaller(user, context);
	AtEOXact_GUC(false, level);
	return PacketBuild(&input, packet, &problem) ? NULL : problem;
}
