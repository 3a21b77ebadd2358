/*-------------------------------------------------------------------------
 *
 * build.c
 *		Packets of the graphs that are stored.
 *
 * Rule: doc/spec/packet.md §3.  The search finds nodes and what is around them
 * (node_search.c), and the packet is assembled of that (packet.c).
 *
 * Promises: what is found does not depend on the caller's settings, and is read
 * as the owner of our tables, for the tenant that it is told.
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
 * May the current role ask for packets?  SPI must be connected.  Functions of that
 * name with other arguments are somebody else's.
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
	QueryRows	rows;

	rows = QueryRun(&query, NULL, NULL, true, 1);
	may = rows.count > 0 && ColumnInt(rows.table, 0, 1) != 0;
	QueryFree(&rows);
	return may;
}

/*
 * Builds the packet of a request, whose instant is known.  NULL, or one sentence
 * if it would break the schema.  SPI must be connected.
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

	/* what is found, and signed, does not depend on how the caller has set an index to look */
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
