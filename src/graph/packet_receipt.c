/*-------------------------------------------------------------------------
 *
 * packet_receipt.c
 *		The document packet/v1: a signed packet.
 *
 * Rule: doc/spec/packet.md §4.  A document contains the packet as it was returned, so both
 * have the same content hash.  Score, faults, order and hash follow from the packet alone, and
 * are recomputed by the function that computed them (packet.c).
 *
 * Promises: problems of a document are reported, never raised.  Verification uses only the
 * document.  A replay also reports whether the graph, if it is available and the caller may ask
 * it, gives the same packet today; that does not count against the document.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/kind.h"
#include "document/mint.h"
#include "document/signed.h"
#include "document/tombstone.h"
#include "graph/build.h"
#include "graph/packet_schema.h"
#include "graph/packet_receipt.h"
#include "graph/node_search.h"
#include "log/log_table.h"

#define PACKET_SCHEMA		"packet/v1"
#define PACKET_ID_PREFIX	"pkt_"
#define PACKET_RULE			"packet/1"
#define VERACITY_RULE		"veracity/1"
#define SCORE_RULE			"text-score/2"
#define EARLIER_SCORE_RULE	"text-score/1"

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the graph is right or complete. A receipt is never a certification.";

/* The members of a packet that follow from the rest of it, in the order in which a replay compares them. */
static const char *const recomputed_members[] = {"context_veracity", "code_truth", "doc_claims",
	"graph_relationships", "suggested_actions", "status", "content_hash"};

/* The members with entries. */
static const char *const entry_lists[] = {"code_truth", "doc_claims"};

/*
 * the document
 */

static JsonView
PacketReproducedBy(bool by_text, bool had_written)
{
	JsonView	rules = JsonViewNewArray(3);

	JsonViewAppend(&rules, JsonViewCString(PACKET_RULE));
	JsonViewAppend(&rules, JsonViewCString(VERACITY_RULE));
	if (by_text)
		JsonViewAppend(&rules, JsonViewCString(SCORE_RULE));
	return ReproduceView(rules, JsonViewNewObject(0), had_written);
}

/* Sets the members of this kind; "by_text" says that our text score found the nodes. */
void
PacketDocumentSet(JsonView *body, const Packet *packet, bool by_text, bool had_written)
{
	JsonViewSet(body, "packet", packet->view);
	JsonViewSet(body, "reproduce", PacketReproducedBy(by_text, had_written));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
}

/*
 * closure
 */

static const char *
PacketClosureProblem(const JsonView *document)
{
	JsonView	packet;
	JsonView	meta;
	JsonView	mode;
	Packet		rebuilt;
	const char *problem = NULL;

	if (!JsonViewGetMember(document, "packet", &packet) || packet.type != JVIEW_OBJECT)
		return "packet is missing or no object";
	if (!PacketRecompute(&packet, &rebuilt, &problem))
		return psprintf("the packet breaks its schema: %s", problem);
	if (!JsonViewGetMember(&packet, "meta", &meta) || !JsonViewGetMember(&meta, "mode", &mode) ||
		!JsonViewStringIs(&mode, MODE_EVIDENCE_ONLY))
		return "the packet has another mode than evidence-only";
	return NULL;
}

/*
 * replay
 */

/* Rebuilds a packet. Returns NULL, or what is wrong, with the differences. */
static const char *
PacketReplayProblem(const JsonView *document, JsonView *packet, JsonView *differences)
{
	Packet		rebuilt;
	const char *problem = NULL;

	if (!JsonViewGetMember(document, "packet", packet) || packet->type != JVIEW_OBJECT)
		return "packet is missing or no object";
	if (!PacketRecompute(packet, &rebuilt, &problem))
		return psprintf("nothing can be made again: %s", problem);
	for (size_t i = 0; i < lengthof(recomputed_members); i++)
	{
		JsonView	stated = JsonViewUnder(packet, recomputed_members[i]);
		JsonView	recomputed = JsonViewUnder(&rebuilt.view, recomputed_members[i]);

		if (!ReportIsSame(&stated, &recomputed))
			ReportDifference(differences, recomputed_members[i]);
	}
	return JsonViewCount(differences) > 0 ? REPORT_DIFFERS : NULL;
}

/* The step of verification. */
static JsonView
VerifyPacketReplay(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	packet;
	JsonView	report = ReportStep(PacketReplayProblem(document, &packet, &differences));

	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

/*
 * the graph
 */

/* An entry or a relationship of a packet. */
typedef struct PacketPart
{
	Span		text;			/* first, for SpanOrderItems(); canonical */
	int			nids;			/* of the node, or of both ends */
	JsonView	ids[2];
} PacketPart;

typedef struct PacketParts
{
	int			count;
	PacketPart *parts;			/* sorted by their texts */
} PacketParts;

static void
AddParts(PacketParts *parts, const JsonView *list, const char *id, const char *other_id)
{
	for (int i = 0; i < JsonViewCount(list); i++)
	{
		PacketPart *part = &parts->parts[parts->count++];
		StringInfoData text;
		JsonView	element = JsonViewAt(list, i);

		CHECK_FOR_INTERRUPTS();
		initStringInfo(&text);
		CanonicalWritePortable(&text, &element);
		part->text = SpanOf(text.data, text.len);
		part->nids = other_id ? 2 : 1;
		JsonViewGetMember(&element, id, &part->ids[0]);
		if (other_id)
			JsonViewGetMember(&element, other_id, &part->ids[1]);
	}
}

/* Returns the parts of a packet of correct form. */
static void
PartsOfPacket(const JsonView *packet, PacketParts *parts)
{
	JsonView	lists[lengthof(entry_lists)];
	JsonView	relations = JsonViewUnder(packet, "graph_relationships");
	int			count;

	count = JsonViewCount(&relations);
	for (size_t i = 0; i < lengthof(entry_lists); i++)
	{
		JsonViewGetMember(packet, entry_lists[i], &lists[i]);
		count += JsonViewCount(&lists[i]);
	}
	parts->count = 0;
	parts->parts = palloc(sizeof(PacketPart) * (Size) Max(count, 1));
	for (size_t i = 0; i < lengthof(entry_lists); i++)
		AddParts(parts, &lists[i], "id", NULL);
	AddParts(parts, &relations, "from_id", "to_id");
	qsort(parts->parts, parts->count, sizeof(PacketPart), SpanOrderItems);
}

static int
CompareIds(const void *a, const void *b)
{
	const JsonView *left = a;
	const JsonView *right = b;

	return SpanOrder(SpanOf(left->str, left->len), SpanOf(right->str, right->len));
}

/* Adds the nodes of those parts that the other packet lacks. */
static void
AddMissing(const PacketParts *parts, const PacketParts *other, JsonView *ids, int *nids)
{
	for (int i = 0; i < parts->count; i++)
	{
		const PacketPart *part = &parts->parts[i];

		CHECK_FOR_INTERRUPTS();
		if (bsearch(part, other->parts, other->count, sizeof(PacketPart), SpanOrderItems))
			continue;
		for (int j = 0; j < part->nids; j++)
			ids[(*nids)++] = part->ids[j];
	}
}

/* Returns an id in a form that a report can hold in any database encoding. */
static JsonView
ReportableId(const JsonView *id)
{
	StringInfoData text;

	if (IsRepresentable(SpanOf(id->str, id->len)))
		return *id;
	initStringInfo(&text);
	CanonicalWrite(&text, id, NULL);
	return JsonViewString(text.data, text.len);
}

/* Returns the ids of the nodes in which two packets differ, each once, in their order. */
static JsonView
ChangedIds(const JsonView *packet, const JsonView *rebuilt)
{
	PacketParts before;
	PacketParts after;
	JsonView   *ids;
	JsonView	changed;
	int			nids = 0;

	PartsOfPacket(packet, &before);
	PartsOfPacket(rebuilt, &after);
	ids = palloc(sizeof(JsonView) * (2 * (Size) (before.count + after.count) + 1));
	AddMissing(&before, &after, ids, &nids);
	AddMissing(&after, &before, ids, &nids);
	qsort(ids, nids, sizeof(JsonView), CompareIds);
	changed = JsonViewNewArray(nids);
	for (int i = 0; i < nids; i++)
	{
		if (i == 0 || CompareIds(&ids[i], &ids[i - 1]) != 0)
			JsonViewAppend(&changed, ReportableId(&ids[i]));
	}
	return changed;
}

/* Returns the tenant of a document's graph, if the current role may read it; else NULL. */
static text *
ReadableTenantOf(const JsonView *document)
{
	Span		tenant = {"", 0};
	bool		is_granted;
	Datum	   *tenants;
	int			count;

	(void) JsonViewGetString(document, "tenant", &tenant);
	(void) ReadableOrShared(&is_granted);
	if (!is_granted)
		return NULL;
	deconstruct_array(ReadableTenants(), TEXTOID, -1, false, TYPALIGN_INT, &tenants, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		if (SpanEqual(Utf8OfText(DatumGetTextPP(tenants[i])), tenant))
			return DatumGetTextPP(tenants[i]);
	}
	return NULL;
}

static bool
IsLoaded(text *tenant, Span project)
{
	int64		version;

	AS_OWNER(version = GraphVersion(tenant, TextOfUtf8(project)));
	return version != 0;
}

/* Asks the graph again. Returns NULL, or why it cannot be asked. */
static const char *
AskAgain(const JsonView *document, const JsonView *packet, Packet *rebuilt)
{
	text	   *tenant = ReadableTenantOf(document);
	PacketRequest request;

	if (tenant == NULL || !GraphMayBeAsked())
		return "the graph is not readable";
	if (DocumentNamesRule(document, EARLIER_SCORE_RULE))
		return "it was found by the rules " EARLIER_SCORE_RULE;
	if (!PacketRequestOfPacket(packet, &request))
		return "this database cannot ask its question";
	if (!IsLoaded(tenant, request.project))
		return "the project is not loaded";
	if (request.embedding && !OidIsValid(get_extension_oid("vector", true)))
		return "it was found by an embedding, and pgvector is not installed";
	return PacketOfGraph(tenant, &request, rebuilt);
}

/* {"state": "same" | "changed" | "absent", "ids"?, "reason"?} */
static JsonView
GraphReport(const JsonView *document, const JsonView *packet)
{
	JsonView	report = JsonViewNewObject(2);
	Packet		rebuilt;
	JsonView	stated;
	JsonView	recomputed;
	const char *reason = AskAgain(document, packet, &rebuilt);

	if (reason)
	{
		JsonViewSet(&report, "state", JsonViewCString("absent"));
		JsonViewSet(&report, "reason", JsonViewCString(reason));
		return report;
	}
	JsonViewGetMember(packet, "content_hash", &stated);
	JsonViewGetMember(&rebuilt.view, "content_hash", &recomputed);
	if (ReportIsSame(&stated, &recomputed))
	{
		JsonViewSet(&report, "state", JsonViewCString("same"));
		return report;
	}
	JsonViewSet(&report, "state", JsonViewCString("changed"));
	JsonViewSet(&report, "ids", ChangedIds(packet, &rebuilt.view));
	return report;
}

/*
 * Returns the report of a replay.  The graph is asked only if the packet can be
 * rebuilt; otherwise a comparison would mean nothing.
 */
static JsonView
ReplayPacket(const JsonView *document)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	differences = JsonViewNewArray(0);
	JsonView	packet;
	const char *problem = PacketReplayProblem(document, &packet, &differences);
	JsonView	report = ReportStep(problem);

	if (problem)
	{
		if (JsonViewCount(&differences) > 0)
			JsonViewSet(&report, "differences", differences);
		return report;
	}
	SPI_connect();
	MemoryContextSwitchTo(caller);
	JsonViewSet(&report, "graph", GraphReport(document, &packet));
	SPI_finish();
	return report;
}

/*
 * the kind
 */

static bool
ReadPacketColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	packet;
	JsonView	veracity;
	JsonView	score;
	int64		points;

	if (!JsonViewGetMember(body, "packet", &packet) || packet.type != JVIEW_OBJECT ||
		!JsonViewGetString(&packet, "status", &columns->verdict) ||
		!JsonViewGetMember(&packet, "context_veracity", &veracity) || veracity.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&veracity, "confidence_score", &score) ||
		!NumberIntegerBetween(&score, 0, 100, &points))
		return false;
	columns->has_confidence = true;
	columns->confidence = points / 100.0;
	return true;
}

static const char *const packet_members[] = {"packet", NULL};

const DocumentKind packet_kind = {
	.schema = PACKET_SCHEMA,
	.prefix = PACKET_ID_PREFIX,
	.members = packet_members,
	.closure_problem = PacketClosureProblem,
	.verify_replay = VerifyPacketReplay,
	.replay = ReplayPacket,
	.read_columns = ReadPacketColumns,
	.quotes = "r.schema OPERATOR(pg_catalog.=) '" PACKET_SCHEMA "'"
	" AND (r.body OPERATOR(pg_catalog.#>>) '{packet,meta,query_id}') OPERATOR(pg_catalog.=) $1"
};

static FixedQuery erase_packets = {
	.text = "DELETE FROM answer.packet_log WHERE tenant OPERATOR(pg_catalog.=) $1"
	" AND query_id OPERATOR(pg_catalog.=) $2 RETURNING content_hash",
	.argtypes = {TEXTOID, TEXTOID}
};

static const RowErasure packet_erasure = {.query = &erase_packets,.table = "packet_log",.column = "query_id"};

const EraseQueries graph_erasing = {
	.packets = &packet_erasure
};
