/*-------------------------------------------------------------------------
 *
 * packet.c
 *		Evidence packets: what a graph says about a question, without prose.
 *
 * Rule: doc/spec/packet.md §2.
 *
 * A packet is assembled in one way only, from records found elsewhere.  Only the words of the
 * schema are added here.  So each string of a packet is a property of a node or an edge, one
 * of these words, or was given with the question.
 *
 * A packet can be rebuilt from itself: its entries contain everything that its order, its
 * veracity and its hash depend on.
 *
 * Promises: pure; the same input gives the same bytes, in whatever order the records come; no
 * packet that violates the schema is returned; time grows as n log n with the records.  Only
 * PacketRequireSound raises errors.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/rfc3339.h"
#include "graph/packet.h"

#define SCORE_DECIMALS	4

/* A UUID of version 8 has 16 bytes of our choice, except for 6 bits (RFC 9562). */
#define UUID_TEXT_LENGTH	36

static const char *const no_match_actions[] = {
	"Load the project with answer_graph_load().",
	"Check that the project name is spelled as in answer.graph_project.",
	"Ask more specifically: name a file, class, function or document."
};

/* Returns a text member; the form has been checked. */
static Span
TextOf(const JsonView *object, const char *name)
{
	JsonView	view;

	if (!JsonViewGetMember(object, name, &view))
		return (Span) {NULL, 0};
	return SpanOfView(&view);
}

static int64
IntegerOf(const JsonView *object, const char *name)
{
	JsonView	view;
	int64		number = 0;

	if (JsonViewGetMember(object, name, &view))
		(void) NumberIntegerBetween(&view, PG_INT64_MIN, PG_INT64_MAX, &number);
	return number;
}

static TimestampTz
InstantOf(const JsonView *object, const char *name)
{
	JsonView	view = JsonViewUnder(object, name);
	TimestampTz instant = 0;

	(void) InstantOfView(&view, &instant);
	return instant;
}

/*
 * order
 */

/* Compares in the order of packets. */
static int
CompareNodes(const void *a, const void *b)
{
	const GraphNode *left = *(const GraphNode *const *) a;
	const GraphNode *right = *(const GraphNode *const *) b;
	int			cmp;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	cmp = SpanOrder(left->path, right->path);
	return cmp != 0 ? cmp : SpanOrder(left->id, right->id);
}

static int
CompareIds(const void *a, const void *b)
{
	return SpanCompare((*(const GraphNode *const *) a)->id, (*(const GraphNode *const *) b)->id);
}

static const GraphNode **
SortNodes(const GraphNode *nodes, int count, int (*compare) (const void *, const void *))
{
	const GraphNode **sorted = palloc_extended(sizeof(GraphNode *) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
		sorted[i] = &nodes[i];
	qsort(sorted, count, sizeof(GraphNode *), compare);
	return sorted;
}

static const GraphNode *
FindNode(const GraphNode **by_id, int count, Span id)
{
	GraphNode	wanted = {.id = id};
	const GraphNode *key = &wanted;
	const GraphNode **found = bsearch(&key, by_id, count, sizeof(GraphNode *), CompareIds);

	return found ? *found : NULL;
}

static int
CompareRelations(const void *a, const void *b)
{
	const GraphRelation *left = *(const GraphRelation *const *) a;
	const GraphRelation *right = *(const GraphRelation *const *) b;
	int			cmp = SpanOrder(left->from_id, right->from_id);

	if (cmp == 0)
		cmp = SpanOrder(left->to_id, right->to_id);
	return cmp != 0 ? cmp : SpanOrder(left->type, right->type);
}

/* assembling */

/* A packet under construction. */
typedef struct Making
{
	const PacketInput *input;
	const GraphNode **nodes;	/* in the order of packets */
	const GraphNode **by_id;
	JsonView	meta;
	JsonView	view;
} Making;

static bool
IsDocument(const GraphNode *node)
{
	return SpanIsIn(SpanOfCString(DOCUMENT_LABEL), node->labels, node->nlabels);
}

static JsonView
ScoreView(int score)
{
	Datum		numeric = NumericGetDatum(int64_div_fast_to_numeric(score, SCORE_DECIMALS));

	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, numeric)));
}

static JsonView
SpansView(const Span *spans, int count)
{
	JsonView	view = JsonViewNewArray(Max(count, 1));

	for (int i = 0; i < count; i++)
		JsonViewAppend(&view, SpanView(spans[i]));
	return view;
}

static JsonView
ProvenanceView(const GraphNode *node)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "source_path", SpanView(node->source_path));
	JsonViewSet(&view, "content_hash", SpanView(node->content_hash));
	JsonViewSet(&view, "extraction_method", SpanView(node->extraction_method));
	JsonViewSet(&view, "indexed_at", InstantView(node->indexed_at));
	return view;
}

/* Sets the members that only code has: its lines and its docstring. */
static void
SetCodeMembers(JsonView *entry, const GraphNode *node)
{
	if (node->start_line > 0)
		JsonViewSet(entry, "start_line", JsonViewInteger(node->start_line));
	if (node->end_line > 0)
		JsonViewSet(entry, "end_line", JsonViewInteger(node->end_line));
	if (node->docstring.str)
		JsonViewSet(entry, "docstring", SpanView(node->docstring));
	if (node->last_modified != 0)
		JsonViewSet(entry, "last_modified", JsonViewInteger(node->last_modified));
}

static void
SetDocumentMembers(JsonView *entry, const GraphNode *node)
{
	JsonViewSet(entry, "last_modified", JsonViewInteger(node->last_modified));
	if (node->doc_type.str)
		JsonViewSet(entry, "doc_type", SpanView(node->doc_type));
}

static JsonView
EntryView(const GraphNode *node)
{
	JsonView	entry = JsonViewNewObject(12);

	JsonViewSet(&entry, "id", SpanView(node->id));
	JsonViewSet(&entry, "name", SpanView(node->name));
	JsonViewSet(&entry, "type", SpansView(node->labels, node->nlabels));
	JsonViewSet(&entry, "path", SpanView(node->path));
	JsonViewSet(&entry, "score", ScoreView(node->score));
	if (IsDocument(node))
		SetDocumentMembers(&entry, node);
	else
		SetCodeMembers(&entry, node);
	JsonViewSet(&entry, "neighbors", SpansView(node->neighbors, node->nneighbors));
	JsonViewSet(&entry, "neighbor_count", JsonViewInteger(node->neighbor_count));
	JsonViewSet(&entry, "provenance", ProvenanceView(node));
	return entry;
}

static JsonView
EntriesView(const Making *making, bool documents)
{
	JsonView	view = JsonViewNewArray(8);

	for (int i = 0; i < making->input->nnodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (IsDocument(making->nodes[i]) == documents)
			JsonViewAppend(&view, EntryView(making->nodes[i]));
	}
	return view;
}

static JsonView
RelationView(const GraphRelation *relation)
{
	JsonView	view = JsonViewNewObject(5);

	JsonViewSet(&view, "from", SpanView(relation->from));
	JsonViewSet(&view, "to", SpanView(relation->to));
	JsonViewSet(&view, "type", SpanView(relation->type));
	JsonViewSet(&view, "from_id", SpanView(relation->from_id));
	JsonViewSet(&view, "to_id", SpanView(relation->to_id));
	return view;
}

/* Returns the first of the edges among the nodes, each once. */
static JsonView
RelationsView(const Making *making)
{
	const PacketInput *input = making->input;
	const GraphRelation **among = palloc_extended(sizeof(GraphRelation *) * (Size) Max(input->nrelations, 1),
												  MCXT_ALLOC_HUGE);
	JsonView	view = JsonViewNewArray(8);
	int			count = 0;

	for (int i = 0; i < input->nrelations; i++)
	{
		const GraphRelation *relation = &input->relations[i];

		CHECK_FOR_INTERRUPTS();
		if (FindNode(making->by_id, input->nnodes, relation->from_id) &&
			FindNode(making->by_id, input->nnodes, relation->to_id))
			among[count++] = relation;
	}
	qsort(among, count, sizeof(GraphRelation *), CompareRelations);
	for (int i = 0; i < count && JsonViewCount(&view) < PACKET_RELATIONS_MAX; i++)
	{
		if (i == 0 || CompareRelations(&among[i - 1], &among[i]) != 0)
			JsonViewAppend(&view, RelationView(among[i]));
	}
	pfree(among);
	return view;
}

/* Returns the options without those that belong to a single call. */
static JsonView
OptionsView(const JsonView *options)
{
	static const char *const of_one_call[] = {"now", "query_id"};

	return options->type == JVIEW_OBJECT ?
		JsonViewCopyWithout(options, of_one_call, lengthof(of_one_call), 1) : JsonViewNewObject(1);
}

static VeracityRecord
RecordOfNode(const GraphNode *node)
{
	VeracityRecord record = {
		.id = node->id,
		.name = node->name,
		.nlabels = node->nlabels,
		.labels = node->labels,
		.neighbor_count = node->neighbor_count,
		.nneighbors = node->nneighbors,
		.neighbors = node->neighbors
	};

	record.has_modified = node->last_modified != 0 && InstantOfEpoch(node->last_modified, &record.modified);
	return record;
}

static void
JudgeNodes(const Making *making, Veracity *veracity)
{
	const PacketInput *input = making->input;
	VeracityRecord *records = palloc_extended(sizeof(VeracityRecord) * (Size) input->nnodes, MCXT_ALLOC_HUGE);
	VeracityConfig config = veracity_defaults;

	for (int i = 0; i < input->nnodes; i++)
		records[i] = RecordOfNode(making->nodes[i]);
	config.extended = JsonViewMemberIsTrue(&input->options, "extended");
	VeracityJudge(records, input->nnodes, &config, input->now, veracity);
	pfree(records);
}

/* Sets the veracity of a packet without nodes. */
static void
JudgeNothing(Veracity *veracity)
{
	JsonView	fault = JsonViewNewObject(3);

	JsonViewSet(&fault, "type", JsonViewCString("NO_MATCH"));
	JsonViewSet(&fault, "message", JsonViewCString("No relevant context found in knowledge graph."));
	JsonViewSet(&fault, "evidence", JsonViewNewObject(1));
	veracity->score = 0;
	veracity->is_stale = false;
	veracity->faults = JsonViewNewArray(1);
	JsonViewAppend(&veracity->faults, fault);
}

static JsonView
ActionsView(bool has_matches)
{
	JsonView	view = JsonViewNewArray(lengthof(no_match_actions));

	for (size_t i = 0; i < lengthof(no_match_actions) && !has_matches; i++)
		JsonViewAppend(&view, JsonViewCString(no_match_actions[i]));
	return view;
}

/* Sets all members except query_id and content_hash, which depend on the rest. */
static void
SetMembers(Making *making, Packet *packet)
{
	const PacketInput *input = making->input;
	bool		has_matches = input->nnodes > 0;
	bool		is_synthesis = input->brief.str != NULL;
	Veracity	veracity;

	if (has_matches)
		JudgeNodes(making, &veracity);
	else
		JudgeNothing(&veracity);
	making->meta = JsonViewNewObject(7);
	JsonViewSet(&making->meta, "schema_version", JsonViewCString(PACKET_SCHEMA_VERSION));
	JsonViewSet(&making->meta, "timestamp", InstantView(input->now));
	JsonViewSet(&making->meta, "project", SpanView(input->project));
	JsonViewSet(&making->meta, "question", SpanView(input->question));
	JsonViewSet(&making->meta, "mode", JsonViewCString(is_synthesis ? MODE_SYNTHESIS : MODE_EVIDENCE_ONLY));
	JsonViewSet(&making->meta, "options", OptionsView(&input->options));
	packet->score = veracity.score;
	packet->status = SpanOfCString(has_matches ? PACKET_SUCCESS : PACKET_INSUFFICIENT);
	making->view = JsonViewNewObject(9);
	JsonViewSet(&making->view, "context_veracity", VeracityView(&veracity));
	JsonViewSet(&making->view, "code_truth", EntriesView(making, false));
	JsonViewSet(&making->view, "doc_claims", EntriesView(making, true));
	JsonViewSet(&making->view, "graph_relationships", RelationsView(making));
	JsonViewSet(&making->view, "suggested_actions", ActionsView(has_matches));
	JsonViewSet(&making->view, "status", SpanView(packet->status));
	if (is_synthesis)
		JsonViewSet(&making->view, "technical_brief", SpanView(input->brief));
}

/*
 * the hash
 */

static JsonView
WithoutMembers(const JsonView *object, const char *const *names, int count)
{
	return object->type == JVIEW_OBJECT ? JsonViewCopyWithout(object, names, count, 1) : *object;
}

/* Returns an entry without the time at which its node was indexed. */
static JsonView
HashedEntry(const JsonView *entry)
{
	static const char *const outer[] = {"provenance"};
	static const char *const inner[] = {"indexed_at"};
	JsonView	copy;
	JsonView	provenance;

	if (entry->type != JVIEW_OBJECT || !JsonViewGetMember(entry, "provenance", &provenance))
		return *entry;
	copy = WithoutMembers(entry, outer, lengthof(outer));
	JsonViewSet(&copy, "provenance", WithoutMembers(&provenance, inner, lengthof(inner)));
	return copy;
}

static JsonView
HashedEntries(const JsonView *entries)
{
	JsonView	copy;

	if (entries->type != JVIEW_ARRAY)
		return *entries;
	copy = JsonViewNewArray(Max(JsonViewCount(entries), 1));
	for (int i = 0; i < JsonViewCount(entries); i++)
	{
		JsonView	entry = JsonViewAt(entries, i);

		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&copy, HashedEntry(&entry));
	}
	return copy;
}

/* Returns "sha256:..." of a packet, without the members that a content hash leaves out. */
static Span
PacketContentHash(const JsonView *packet)
{
	static const char *const changed[] = {"meta", "code_truth", "doc_claims", "content_hash", "signature"};
	static const char *const of_one_call[] = {"query_id", "timestamp"};
	JsonView	hashed = WithoutMembers(packet, changed, lengthof(changed));
	JsonView	view;
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

	if (JsonViewGetMember(packet, "meta", &view))
		JsonViewSet(&hashed, "meta", WithoutMembers(&view, of_one_call, lengthof(of_one_call)));
	if (JsonViewGetMember(packet, "code_truth", &view))
		JsonViewSet(&hashed, "code_truth", HashedEntries(&view));
	if (JsonViewGetMember(packet, "doc_claims", &view))
		JsonViewSet(&hashed, "doc_claims", HashedEntries(&view));
	CanonicalDigest(&hashed, NULL, digest);
	return SpanOf(digest, DIGEST_TEXT_LENGTH);
}

/* Makes a UUID from the first half of a hash. */
static Span
QueryIdOf(Span content_hash)
{
	const char *digits = content_hash.str + strlen(DIGEST_PREFIX);
	const char *variants = "89ab";
	const char *hex = "0123456789abcdef";
	char	   *uuid = palloc(UUID_TEXT_LENGTH + 1);
	int			at = 0;

	for (int i = 0; i < 32; i++)
	{
		if (i == 8 || i == 12 || i == 16 || i == 20)
			uuid[at++] = '-';
		uuid[at++] = digits[i];
	}
	uuid[14] = '8';
	uuid[19] = variants[(strchr(hex, uuid[19]) - hex) & 3];
	uuid[at] = '\0';
	return SpanOf(uuid, UUID_TEXT_LENGTH);
}

/* Returns why the input cannot become a packet: a value that it cannot contain, or a repeated node; or NULL. */
static const char *
FindProblem(const Making *making)
{
	const PacketInput *input = making->input;

	if (!InstantIsWritable(input->now))
		return "now must be in the years 1 to 9999";
	for (int i = 0; i < input->nnodes; i++)
	{
		const GraphNode *node = making->by_id[i];
		JsonView	id = SpanView(node->id);

		if (!InstantIsWritable(node->indexed_at))
			return psprintf("indexed_at of the node %s must be in the years 1 to 9999", ShownValue(&id));
		if (i > 0 && SpanEqual(making->by_id[i - 1]->id, node->id))
			return psprintf("the node %s must be there once", ShownValue(&id));
	}
	return NULL;
}

bool
PacketBuild(const PacketInput *input, Packet *packet, const char **problem)
{
	Making		making = {
		.input = input,
		.nodes = SortNodes(input->nodes, input->nnodes, CompareNodes),
		.by_id = SortNodes(input->nodes, input->nnodes, CompareIds)
	};
	JsonView	violations;
	JsonView	first;

	*problem = FindProblem(&making);
	if (*problem)
		return false;
	SetMembers(&making, packet);
	JsonViewSet(&making.view, "meta", making.meta);
	packet->content_hash = PacketContentHash(&making.view);
	packet->query_id = input->query_id.str ? input->query_id : QueryIdOf(packet->content_hash);
	JsonViewSet(&making.meta, "query_id", SpanView(packet->query_id));
	JsonViewSet(&making.view, "content_hash", SpanView(packet->content_hash));
	packet->view = making.view;
	violations = PacketFormViolations(&packet->view);
	if (JsonViewCount(&violations) == 0)
		return true;
	JsonViewElement(&violations, 0, &first);
	*problem = pnstrdup(first.str, first.len);
	return false;
}

/*
 * reading a packet
 */

static const Span *
SpansOf(const JsonView *object, const char *name, int *count)
{
	JsonView	array = JsonViewUnder(object, name);
	Span	   *spans;

	*count = JsonViewCount(&array);
	spans = palloc_extended(sizeof(Span) * (Size) Max(*count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *count; i++)
	{
		JsonView	element = JsonViewAt(&array, i);

		spans[i] = SpanOfView(&element);
	}
	return spans;
}

static void
ReadEntry(const JsonView *entry, GraphNode *node)
{
	JsonView	view = JsonViewUnder(entry, "score");

	memset(node, 0, sizeof(*node));
	node->id = TextOf(entry, "id");
	node->name = TextOf(entry, "name");
	node->labels = SpansOf(entry, "type", &node->nlabels);
	node->path = TextOf(entry, "path");
	(void) PacketScoreOfView(&view, &node->score);
	node->start_line = IntegerOf(entry, "start_line");
	node->end_line = IntegerOf(entry, "end_line");
	node->docstring = TextOf(entry, "docstring");
	node->doc_type = TextOf(entry, "doc_type");
	node->last_modified = IntegerOf(entry, "last_modified");
	node->neighbors = SpansOf(entry, "neighbors", &node->nneighbors);
	node->neighbor_count = IntegerOf(entry, "neighbor_count");
	JsonViewGetMember(entry, "provenance", &view);
	node->source_path = TextOf(&view, "source_path");
	node->content_hash = TextOf(&view, "content_hash");
	node->extraction_method = TextOf(&view, "extraction_method");
	node->indexed_at = InstantOf(&view, "indexed_at");
}

static void
ReadEntries(const JsonView *packet, PacketInput *input)
{
	JsonView	code = JsonViewUnder(packet, "code_truth");
	JsonView	documents = JsonViewUnder(packet, "doc_claims");
	GraphNode  *nodes;

	input->nnodes = JsonViewCount(&code) + JsonViewCount(&documents);
	input->nodes = nodes = palloc_extended(sizeof(GraphNode) * (Size) Max(input->nnodes, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < input->nnodes; i++)
	{
		bool		is_code = i < JsonViewCount(&code);
		JsonView	entry = JsonViewAt(is_code ? &code : &documents, is_code ? i : i - JsonViewCount(&code));

		CHECK_FOR_INTERRUPTS();
		ReadEntry(&entry, &nodes[i]);
	}
}

/* Reads the edges, with the names in the entries. */
static void
ReadRelations(const JsonView *packet, PacketInput *input)
{
	const GraphNode **by_id = SortNodes(input->nodes, input->nnodes, CompareIds);
	JsonView	array = JsonViewUnder(packet, "graph_relationships");
	GraphRelation *relations;

	input->nrelations = JsonViewCount(&array);
	input->relations = relations = palloc_extended(sizeof(GraphRelation) * (Size) Max(input->nrelations, 1),
												   MCXT_ALLOC_HUGE);
	for (int i = 0; i < input->nrelations; i++)
	{
		JsonView	view = JsonViewAt(&array, i);
		const GraphNode *from;
		const GraphNode *to;

		CHECK_FOR_INTERRUPTS();
		relations[i].from_id = TextOf(&view, "from_id");
		relations[i].to_id = TextOf(&view, "to_id");
		relations[i].type = TextOf(&view, "type");
		from = FindNode(by_id, input->nnodes, relations[i].from_id);
		to = FindNode(by_id, input->nnodes, relations[i].to_id);
		relations[i].from = from ? from->name : TextOf(&view, "from");
		relations[i].to = to ? to->name : TextOf(&view, "to");
	}
}

/* Reads a packet of correct form. */
static void
ReadPacket(const JsonView *packet, PacketInput *input)
{
	JsonView	meta = JsonViewUnder(packet, "meta");

	memset(input, 0, sizeof(*input));
	input->project = TextOf(&meta, "project");
	input->question = TextOf(&meta, "question");
	input->query_id = TextOf(&meta, "query_id");
	input->now = InstantOf(&meta, "timestamp");
	JsonViewGetMember(&meta, "options", &input->options);
	input->brief = TextOf(packet, "technical_brief");
	ReadEntries(packet, input);
	ReadRelations(packet, input);
}

static bool
ReadSoundPacket(const JsonView *packet, PacketInput *input, const char **problem)
{
	JsonView	violations = PacketFormViolations(packet);
	JsonView	first;

	if (JsonViewCount(&violations) == 0)
	{
		ReadPacket(packet, input);
		return true;
	}
	JsonViewElement(&violations, 0, &first);
	*problem = pnstrdup(first.str, first.len);
	return false;
}

bool
PacketRecompute(const JsonView *packet, Packet *rebuilt, const char **problem)
{
	PacketInput input;

	return ReadSoundPacket(packet, &input, problem) && PacketBuild(&input, rebuilt, problem);
}

bool
PacketAddBrief(const JsonView *packet, Span brief, Packet *with_brief, const char **problem)
{
	PacketInput input;

	if (!ReadSoundPacket(packet, &input, problem))
		return false;
	input.brief = brief;
	return PacketBuild(&input, with_brief, problem);
}

/*
 * violations
 */

/* Are two values equal? Numbers such as 1 and 1.0 are. */
static bool
AreSame(const JsonView *a, const JsonView *b)
{
	StringInfoData left;
	StringInfoData right;
	bool		same;

	initStringInfo(&left);
	initStringInfo(&right);
	CanonicalWritePortable(&left, a);
	CanonicalWritePortable(&right, b);
	same = left.len == right.len && memcmp(left.data, right.data, left.len) == 0;
	pfree(left.data);
	pfree(right.data);
	return same;
}

/* A member that follows from entries, relationships, options and timestamp, and the violation if it differs. */
typedef struct Consequence
{
	const char *member;
	const char *violation;
} Consequence;

static const Consequence consequences[] = {
	{"code_truth", "code_truth must hold the entries that are no Document, by score descending, path and id"},
	{"doc_claims", "doc_claims must hold the entries that are a Document, by score descending, path and id"},
	{"graph_relationships", "graph_relationships must hold edges among the entries with their names, each once, by from_id, to_id and type"},
	{"context_veracity", "context_veracity is not what the entries come to"},
	{"suggested_actions", "suggested_actions are not those of the entries"},
	{"status", "status is not that of the entries"}
};

static void
FindInconsistencies(const JsonView *packet, const Packet *rebuilt, JsonView *violations)
{
	Span		content_hash = PacketContentHash(packet);
	JsonView	stated;
	JsonView	computed;

	for (size_t i = 0; i < lengthof(consequences); i++)
	{
		JsonViewGetMember(packet, consequences[i].member, &stated);
		JsonViewGetMember(&rebuilt->view, consequences[i].member, &computed);
		if (!AreSame(&stated, &computed))
			JsonViewAppend(violations, JsonViewCString(consequences[i].violation));
	}
	JsonViewGetMember(packet, "content_hash", &stated);
	if (!SpanEqual(SpanOfView(&stated), content_hash))
		JsonViewAppend(violations, JsonViewCString("content_hash is not that of the packet"));
}

JsonView
PacketViolations(const JsonView *packet)
{
	JsonView	violations = PacketFormViolations(packet);
	PacketInput input;
	Packet		rebuilt;
	const char *problem;

	if (JsonViewCount(&violations) > 0)
		return violations;
	ReadPacket(packet, &input);
	if (PacketBuild(&input, &rebuilt, &problem))
		FindInconsistencies(packet, &rebuilt, &violations);
	else
		JsonViewAppend(&violations, JsonViewCString(problem));
	return violations;
}

/* Raises an error if a packet from a caller has a violation. */
void
PacketRequireSound(const JsonView *packet)
{
	JsonView	violations = PacketViolations(packet);
	JsonView	first;

	if (JsonViewCount(&violations) == 0)
		return;
	JsonViewElement(&violations, 0, &first);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("packet is no sound evidence packet"),
			 errdetail_internal("%s.", pnstrdup(first.str, first.len)),
			 errhint("Take one that answer_packet() made, or the member \"packet\" of a receipt; answer.packet_validate() lists all that is wrong.")));
}

/*
 * citations
 */

static void
AddIds(const JsonView *packet, const char *name, JsonView *ids)
{
	JsonView	entries;

	if (!JsonViewGetMember(packet, name, &entries) || entries.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry = JsonViewAt(&entries, i);
		JsonView	id;

		CHECK_FOR_INTERRUPTS();
		if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "id", &id) && id.type == JVIEW_STRING)
			JsonViewAppend(ids, id);
	}
}

JsonView
PacketCitations(const JsonView *packet)
{
	JsonView	ids = JsonViewNewArray(8);

	if (packet->type != JVIEW_OBJECT)
		return ids;
	AddIds(packet, "code_truth", &ids);
	AddIds(packet, "doc_claims", &ids);
	return ids;
}
