/*-------------------------------------------------------------------------
 *
 * load.c
 *		Reads nodes and edges to be loaded, and makes the search terms of nodes.
 *
 * Manual: doc/graph.md.
 *
 * Promises: reading is pure, and all or nothing.  Errors are refused with their place.  What
 * depends on existing rows (which nodes are removed, whether both ends of an edge exist) is
 * decided in SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "graph/load.h"
#include "ground/chunk.h"

#define KEY_MAX_SIZE		1000	/* of an id, and of a source */
#define TYPE_MAX_SIZE		255
#define LAST_INSTANT		INT64CONST(253402300799)	/* last second of the year 9999 */

#define NODE_HINT	"A node has id, labels, name, source_path, content_hash and extraction_method, and may have path, start_line, end_line, docstring, doc_type, last_modified, text and indexed_at; the four that say where it comes from may stand in \"provenance\"."
#define EDGE_HINT	"An edge has from, to and type, and nothing else."

/* The columns of answer.graph_read_nodes(). They are also the members of a node. */
enum
{
	NODE_ID, NODE_LABELS, NODE_NAME, NODE_PATH, NODE_START_LINE, NODE_END_LINE, NODE_DOCSTRING, NODE_DOC_TYPE,
	NODE_LAST_MODIFIED, NODE_TEXT, NODE_SOURCE_PATH, NODE_CONTENT_HASH, NODE_EXTRACTION_METHOD, NODE_INDEXED_AT,
	NODE_COLUMNS
};

static const char *const node_members[NODE_COLUMNS] = {
	"id", "labels", "name", "path", "start_line", "end_line", "docstring", "doc_type",
	"last_modified", "text", "source_path", "content_hash", "extraction_method", "indexed_at"
};

/* The columns of answer.graph_read_edges(). */
enum
{
	EDGE_FROM, EDGE_TO, EDGE_TYPE,
	EDGE_COLUMNS
};

static const char *const edge_members[EDGE_COLUMNS] = {"from", "to", "type"};

/* An object in an argument, by its members; null members count as absent. */
typedef struct Given
{
	const char *array;			/* name of the argument */
	int			index;			/* index in it */
	JsonView	members[NODE_COLUMNS];
} Given;

/*
 * refusals
 */

static _Noreturn void
RefuseLoad(const Given *given, const char *member, const char *problem, const char *hint)
{
	MalformedArgument(psprintf("%s[%d]%s%s %s", given->array, given->index, member ? "." : "", member ? member : "", problem),
					  hint);
}

/* Raises the same for a member with a wrong value, and shows the value. */
static _Noreturn void
RefuseValue(const Given *given, const char *member, const char *demand, const JsonView *seen, const char *hint)
{
	RefuseLoad(given, member, psprintf("%s, and is %s", demand, ShownValue(seen)), hint);
}

/*
 * members
 */

/* Takes the members of an object, from name "first" on. Inside of provenance these are the last names. */
static void
ReadMembers(Given *given, const JsonView *object, const char *const *names, int nnames, int first, const char *hint)
{
	for (int i = 0; i < JsonViewCount(object); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(object, i, &key);
		int			n = first;

		while (n < nnames && !SpanEqualCString(key, names[n]))
			n++;
		if (n < nnames)
		{
			if (given->members[n].type != JVIEW_ABSENT)
				RefuseLoad(given, names[n], "stands twice, beside \"provenance\" and in it", NULL);
			if (value.type != JVIEW_NULL)
				given->members[n] = value;
		}
		else if (first == 0 && names == node_members && SpanEqualCString(key, "provenance"))
		{
			if (value.type != JVIEW_OBJECT)
				RefuseValue(given, "provenance", "must be an object", &value, hint);
		}
		else
			RefuseLoad(given, first ? "provenance" : NULL,
				   psprintf("has an unknown member \"%s\"", ServerText(key)), hint);
	}
}

/* Puts a string into a row. It must not be empty, and have at most "most" bytes. */
static void
PutString(const Given *given, const char *const *names, int n, bool required, Size most, Datum *values, bool *nulls)
{
	const JsonView *member = &given->members[n];
	text	   *value;

	nulls[n] = member->type == JVIEW_ABSENT;
	if (nulls[n] && required)
		RefuseLoad(given, NULL, psprintf("has no \"%s\"", names[n]), names == node_members ? NODE_HINT : EDGE_HINT);
	if (nulls[n])
		return;
	if (member->type != JVIEW_STRING)
		RefuseValue(given, names[n], "must be a string", member, NULL);
	if (member->len == 0 && required)
		RefuseLoad(given, names[n], "must not be empty", NULL);
	value = TextOfUtf8(SpanOf(member->str, member->len));
	if (VARSIZE_ANY_EXHDR(value) > most)
		RefuseLoad(given, names[n], psprintf("has %d bytes", (int) VARSIZE_ANY_EXHDR(value)),
			   psprintf("It has at most %zu.", most));
	values[n] = PointerGetDatum(value);
}

/* Reads a whole number; raises an error for anything else. */
static int64
WholeNumber(const Given *given, int n, int64 least, int64 most)
{
	const JsonView *member = &given->members[n];
	PlainNumber plain;
	int64		number = least - 1;

	if (member->type == JVIEW_NUMBER && NumberPlain(member, &plain) && plain.is_integer && plain.len <= 18)
		number = strtoll(pnstrdup(plain.text, plain.len), NULL, 10);
	if (number < least || number > most)
		RefuseValue(given, node_members[n],
					psprintf("must be a whole number from " INT64_FORMAT " to " INT64_FORMAT, least, most), member,
					n == NODE_LAST_MODIFIED ? "It is in seconds since 1970; 0, or nothing, is for a time that is not known." : NULL);
	return number;
}

static void
PutLine(const Given *given, int n, Datum *values, bool *nulls)
{
	nulls[n] = given->members[n].type == JVIEW_ABSENT;
	if (!nulls[n])
		values[n] = Int32GetDatum((int32) WholeNumber(given, n, 1, PG_INT32_MAX));
}

static void
PutLines(const Given *given, Datum *values, bool *nulls)
{
	PutLine(given, NODE_START_LINE, values, nulls);
	PutLine(given, NODE_END_LINE, values, nulls);
	if (nulls[NODE_END_LINE])
		return;
	if (nulls[NODE_START_LINE])
		RefuseLoad(given, NULL, "has an \"end_line\" and no \"start_line\"", NULL);
	if (DatumGetInt32(values[NODE_END_LINE]) < DatumGetInt32(values[NODE_START_LINE]))
		RefuseValue(given, "end_line",
					psprintf("must not be less than start_line, which is %d", DatumGetInt32(values[NODE_START_LINE])),
					&given->members[NODE_END_LINE], NULL);
}

/* Puts the labels into a row. Returns true if one of them is Document. */
static bool
PutLabels(const Given *given, Datum *values, bool *nulls)
{
	const JsonView *labels = &given->members[NODE_LABELS];
	int			count = labels->type == JVIEW_ARRAY ? JsonViewCount(labels) : 0;
	Datum	   *elements;
	bool		is_document = false;

	if (labels->type != JVIEW_ARRAY || count == 0)
		RefuseValue(given, "labels", "must be an array of strings, with one at least", labels, NULL);
	elements = palloc(sizeof(Datum) * count);
	for (int i = 0; i < count; i++)
	{
		JsonView	label = JsonViewAt(labels, i);

		if (label.type != JVIEW_STRING || label.len == 0)
			RefuseValue(given, psprintf("labels[%d]", i), "must be a string that is not empty", &label, NULL);
		is_document |= JsonViewStringIs(&label, "Document");
		elements[i] = SpanDatum(SpanOf(label.str, label.len));
	}
	nulls[NODE_LABELS] = false;
	values[NODE_LABELS] = PointerGetDatum(construct_array(elements, count, TEXTOID, -1, false, TYPALIGN_INT));
	return is_document;
}

static void
PutProvenance(Given *given, Datum *values, bool *nulls)
{
	const JsonView *content_hash = &given->members[NODE_CONTENT_HASH];
	const JsonView *indexed_at = &given->members[NODE_INDEXED_AT];
	TimestampTz instant;

	PutString(given, node_members, NODE_SOURCE_PATH, true, KEY_MAX_SIZE, values, nulls);
	PutString(given, node_members, NODE_CONTENT_HASH, true, ENTRY_MAX_SIZE, values, nulls);
	if (!IsDigestText(content_hash->str, content_hash->len))
		RefuseValue(given, "content_hash", "must be \"sha256:\" and 64 small hex digits", content_hash,
					"It is the SHA-256 of the source's content.");
	PutString(given, node_members, NODE_EXTRACTION_METHOD, true, ENTRY_MAX_SIZE, values, nulls);
	nulls[NODE_INDEXED_AT] = indexed_at->type == JVIEW_ABSENT;
	if (nulls[NODE_INDEXED_AT])
		return;
	if (indexed_at->type != JVIEW_STRING || !ChunkInstantParse(SpanOf(indexed_at->str, indexed_at->len), &instant) ||
		!InstantIsWritable(instant))
		RefuseValue(given, "indexed_at", "must be a timestamp of the years 1 to 9999", indexed_at,
					"Write it like 2024-03-15T10:00:00Z; without a zone it is UTC, and a date alone is its first instant.");
	values[NODE_INDEXED_AT] = TimestampTzGetDatum(instant);
}

/*
 * rows
 */

static void
ReadNode(Given *given, const JsonView *object, Datum *values, bool *nulls)
{
	JsonView	provenance;
	bool		is_document;

	ReadMembers(given, object, node_members, NODE_COLUMNS, 0, NODE_HINT);
	if (JsonViewGetMember(object, "provenance", &provenance))
		ReadMembers(given, &provenance, node_members, NODE_COLUMNS, NODE_SOURCE_PATH, NODE_HINT);
	PutString(given, node_members, NODE_ID, true, KEY_MAX_SIZE, values, nulls);
	is_document = PutLabels(given, values, nulls);
	PutString(given, node_members, NODE_NAME, true, ENTRY_MAX_SIZE, values, nulls);
	PutProvenance(given, values, nulls);
	if (given->members[NODE_PATH].type == JVIEW_ABSENT)
		given->members[NODE_PATH] = given->members[NODE_SOURCE_PATH];
	PutString(given, node_members, NODE_PATH, true, ENTRY_MAX_SIZE, values, nulls);
	PutLines(given, values, nulls);
	PutString(given, node_members, NODE_DOCSTRING, false, DOCUMENT_MAX_SIZE, values, nulls);
	if (is_document && given->members[NODE_DOC_TYPE].type == JVIEW_ABSENT)
		RefuseLoad(given, NULL, "is a Document and has no \"doc_type\"", "Say of what type it is, such as \"markdown\".");
	PutString(given, node_members, NODE_DOC_TYPE, is_document, ENTRY_MAX_SIZE, values, nulls);
	if (!nulls[NODE_DOC_TYPE] && VARSIZE_ANY_EXHDR(DatumGetPointer(values[NODE_DOC_TYPE])) == 0)
		RefuseLoad(given, "doc_type", "must not be empty", NULL);
	PutString(given, node_members, NODE_TEXT, false, DOCUMENT_MAX_SIZE, values, nulls);
	nulls[NODE_LAST_MODIFIED] = false;
	values[NODE_LAST_MODIFIED] = Int64GetDatum(given->members[NODE_LAST_MODIFIED].type == JVIEW_ABSENT ? 0 :
											   WholeNumber(given, NODE_LAST_MODIFIED, 0, LAST_INSTANT));
}

static void
ReadEdge(Given *given, const JsonView *object, Datum *values, bool *nulls)
{
	ReadMembers(given, object, edge_members, EDGE_COLUMNS, 0, EDGE_HINT);
	PutString(given, edge_members, EDGE_FROM, true, KEY_MAX_SIZE, values, nulls);
	PutString(given, edge_members, EDGE_TO, true, KEY_MAX_SIZE, values, nulls);
	PutString(given, edge_members, EDGE_TYPE, true, TYPE_MAX_SIZE, values, nulls);
}

/* An id of a node, and its position. */
typedef struct PlacedId
{
	Span		id;
	int			index;
} PlacedId;

static int
CompareIds(const void *a, const void *b)
{
	int			order = SpanOrder(((const PlacedId *) a)->id, ((const PlacedId *) b)->id);

	return order != 0 ? order : ((const PlacedId *) a)->index - ((const PlacedId *) b)->index;
}

/* Refuses nodes with the same id. */
static void
RefuseRepeated(const JsonView *nodes)
{
	int			count = JsonViewCount(nodes);
	PlacedId   *ids = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(PlacedId) * (Size) Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		JsonView	node = JsonViewAt(nodes, i);

		CHECK_FOR_INTERRUPTS();
		(void) JsonViewGetString(&node, "id", &ids[i].id);
		ids[i].index = i;
	}
	qsort(ids, count, sizeof(PlacedId), CompareIds);
	for (int i = 1; i < count; i++)
	{
		if (SpanEqual(ids[i - 1].id, ids[i].id))
			MalformedArgument(psprintf("nodes[%d] has the id \"%s\" of nodes[%d]", ids[i].index, ServerText(ids[i].id),
									   ids[i - 1].index), "A node stands once in a load.");
	}
	pfree(ids);
}

/* Returns a row for each object of the array in argument 0. */
static JsonView
ReadRows(FunctionCallInfo fcinfo, const char *name, void (*read) (Given *, const JsonView *, Datum *, bool *))
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	JsonView	array;
	MemoryContext caller;
	MemoryContext each;

	RequireArgument(fcinfo, 0, name);
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, name);
	InitMaterializedSRF(fcinfo, 0);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &array);
	if (array.type != JVIEW_ARRAY)
		MalformedArgument(psprintf("%s must be an array of objects, and is %s", name, ShownValue(&array)), NULL);
	each = AllocSetContextCreate(CurrentMemoryContext, "answer_graph_load", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(each);
	for (int i = 0; i < JsonViewCount(&array); i++)
	{
		Given		given = {.array = name,.index = i};
		Datum		values[NODE_COLUMNS + 1];
		bool		nulls[NODE_COLUMNS + 1];
		JsonView	object = JsonViewAt(&array, i);

		CHECK_FOR_INTERRUPTS();
		if (object.type != JVIEW_OBJECT)
			RefuseValue(&given, NULL, "must be an object", &object, NULL);
		nulls[0] = false;
		values[0] = Int32GetDatum(i);
		read(&given, &object, values + 1, nulls + 1);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextReset(each);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(each);
	return array;
}

/*
 * SQL
 */

/* answer.graph_read_nodes(nodes) */
PG_FUNCTION_INFO_V1(answer_eval_graph_read_nodes);
Datum
answer_eval_graph_read_nodes(PG_FUNCTION_ARGS)
{
	JsonView	nodes = ReadRows(fcinfo, "nodes", ReadNode);

	RefuseRepeated(&nodes);
	return (Datum) 0;
}

/* answer.graph_read_edges(edges) */
PG_FUNCTION_INFO_V1(answer_eval_graph_read_edges);
Datum
answer_eval_graph_read_edges(PG_FUNCTION_ARGS)
{
	(void) ReadRows(fcinfo, "edges", ReadEdge);
	return (Datum) 0;
}

/* Returns the prefix of a project's index terms. Neither a tenant nor an item contains a slash or a blank. */
text *
GraphScope(text *tenant, text *project)
{
	StringInfoData scope;

	initStringInfo(&scope);
	appendBinaryStringInfo(&scope, VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant));
	appendStringInfoChar(&scope, '/');
	appendBinaryStringInfo(&scope, VARDATA_ANY(project), VARSIZE_ANY_EXHDR(project));
	return cstring_to_text_with_len(scope.data, scope.len);
}

/* answer.graph_scope(tenant, project) */
PG_FUNCTION_INFO_V1(answer_eval_graph_scope);
Datum
answer_eval_graph_scope(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(GraphScope(PG_GETARG_TEXT_PP(0), PG_GETARG_TEXT_PP(1)));
}

/* answer.graph_key(tenant, project, name): includes the length of the project, so that keys are unique. */
PG_FUNCTION_INFO_V1(answer_eval_graph_key);
Datum
answer_eval_graph_key(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	text	   *project = PG_GETARG_TEXT_PP(1);
	text	   *name = PG_GETARG_TEXT_PP(2);
	StringInfoData key;

	initStringInfo(&key);
	appendBinaryStringInfo(&key, VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant));
	appendStringInfo(&key, "/%d:", (int) VARSIZE_ANY_EXHDR(project));
	appendBinaryStringInfo(&key, VARDATA_ANY(project), VARSIZE_ANY_EXHDR(project));
	appendBinaryStringInfo(&key, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	PG_RETURN_BYTEA_P(cstring_to_text_with_len(key.data, key.len));
}
