/*-------------------------------------------------------------------------
 *
 * chunk_search.c
 *		Finds the chunks of a tenant that are most similar to a query.
 *
 * Rule: doc/spec/decision.md §2.5 and §2.6.  This module reads filters, tells
 * item_search.c which tables to search, and computes the score of a single text.
 *
 * It runs as the owner of our tables, for the tenant in the arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/spi_query.h"
#include "ground/chunk.h"
#include "ground/current_rules.h"
#include "ground/document.h"
#include "ground/item_search.h"
#include "ground/chunk_search.h"

#define HIT_COLUMNS			5
#define SCORE_DECIMALS		4
#define NAMED_CHUNKS_MAX	5000	/* if documents are named with at most so many chunks, these are judged without
									 * the index */

/*
 * filters
 */

static _Noreturn void
RefuseFilter(const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("filter%s", problem),
			 errhint("A filter is {\"doc_ids\": [...], \"since\": timestamp, \"until\": timestamp, \"title\": words}, each of them optional. A timestamp is like \"2024-03-15T10:00:00Z\" or \"2024-03-15\".")));
}

/* Raises the same for a value of another kind than "demand" says. */
static _Noreturn void
RefuseFilterValue(const char *demand, const JsonView *seen)
{
	RefuseFilter(psprintf("%s, and is %s", demand, ShownValue(seen)));
}

static void
ReadDocIds(const JsonView *value, NullableDatum *part)
{
	int			count = value->type == JVIEW_ARRAY ? JsonViewCount(value) : -1;
	Datum	   *ids = palloc(sizeof(Datum) * Max(count, 1));
	JsonView	id;

	if (count < 0)
		RefuseFilterValue(".doc_ids must be an array of strings", value);
	for (int i = 0; i < count; i++)
	{
		JsonViewElement(value, i, &id);
		if (id.type != JVIEW_STRING)
			RefuseFilterValue(psprintf(".doc_ids[%d] must be a string", i), &id);
		ids[i] = SpanDatum(SpanOf(id.str, id.len));
	}
	*part = (NullableDatum) {QueryTextArray(ids, count), false};
}

static void
ReadBound(const JsonView *value, const char *key, NullableDatum *part)
{
	TimestampTz instant;

	if (value->type != JVIEW_STRING || !ChunkInstantParse(SpanOf(value->str, value->len), &instant))
		RefuseFilterValue(psprintf(".%s must be a timestamp", key), value);
	*part = (NullableDatum) {TimestampTzGetDatum(instant), false};
}

/* Reads the words that a title must have, as index terms. */
static void
ReadTitle(const JsonView *value, const text *tenant, NullableDatum *part)
{
	Datum		columns[3];

	if (value->type != JVIEW_STRING)
		RefuseFilterValue(".title must be a string", value);
	SearchItems(CurrentDecisionRules(), tenant, SpanOf("", 0), SpanOf(value->str, value->len), columns);
	*part = (NullableDatum) {columns[1], false};
}

/* Reads a filter, which may be NULL. */
void
FilterRead(Jsonb *filter, const text *tenant, NullableDatum *parts)
{
	JsonView	view;

	for (int i = 0; i < FILTER_PARTS; i++)
		parts[i] = (NullableDatum) {0, true};
	if (filter == NULL)
		return;
	JsonViewOfJsonb(filter, &view);
	if (view.type == JVIEW_NULL)
		return;
	if (view.type != JVIEW_OBJECT)
		RefuseFilterValue(" must be an object", &view);
	for (int i = 0; i < JsonViewCount(&view); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(&view, i, &key);

		if (SpanEqualCString(key, "doc_ids"))
			ReadDocIds(&value, &parts[FILTER_DOC_IDS]);
		else if (SpanEqualCString(key, "since"))
			ReadBound(&value, "since", &parts[FILTER_SINCE]);
		else if (SpanEqualCString(key, "until"))
			ReadBound(&value, "until", &parts[FILTER_UNTIL]);
		else if (SpanEqualCString(key, "title"))
			ReadTitle(&value, tenant, &parts[FILTER_TITLE]);
		else
			RefuseFilter(psprintf(" has an unknown member \"%s\"", text_to_cstring(TextOfUtf8(key))));
	}
}

/*
 * SQL
 */

/* Is a document's id among those that a filter names? The array holds texts, without nulls. */
static bool
IsNamed(const NullableDatum *doc_ids, Datum doc_id)
{
	return DatumGetBool(OidFunctionCall2Coll(F_ARRAYCONTAINS, C_COLLATION_OID, doc_ids->value,
											 QueryTextArray(&doc_id, 1)));
}

static bool
ChunkPasses(ItemSearch *search, HeapTuple row, TupleDesc desc)
{
	const NullableDatum *parts = search->filter;
	bool		isnull;
	TimestampTz timestamp = DatumGetTimestampTz(RowColumn(row, desc, "timestamp", &isnull));

	return (parts[FILTER_SINCE].isnull || timestamp >= DatumGetTimestampTz(parts[FILTER_SINCE].value)) &&
		(parts[FILTER_UNTIL].isnull || timestamp <= DatumGetTimestampTz(parts[FILTER_UNTIL].value)) &&
		(parts[FILTER_DOC_IDS].isnull || IsNamed(&parts[FILTER_DOC_IDS], RowColumn(row, desc, "doc_id", &isnull)));
}

static void
ReadChunk(ItemSearch *search, HeapTuple row, TupleDesc desc, Span *content, Span *title)
{
	static FixedQuery query = {
		.text = "SELECT text, title FROM answer.chunk WHERE tenant OPERATOR(pg_catalog.=) $1 AND doc_id OPERATOR(pg_catalog.=) $2"
		" AND version OPERATOR(pg_catalog.=) $3 AND ordinal OPERATOR(pg_catalog.=) $4",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, INT4OID}
	};
	bool		isnull;
	Datum		values[4] = {search->key[0], RowColumn(row, desc, "doc_id", &isnull),
	RowColumn(row, desc, "version", &isnull), RowColumn(row, desc, "ordinal", &isnull)};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	*content = *title = SpanOf("", 0);
	if (rows.count > 0)
	{
		*content = ColumnSpan(rows.table, 0, 1);
		*title = ColumnSpan(rows.table, 0, 2);
	}
	QueryFree(&rows);
}

/* Returns the number of chunks of the documents that a filter names. */
static int64
ChunksOf(text *tenant, Datum doc_ids)
{
	static FixedQuery query = {
		.text = "SELECT COALESCE(pg_catalog.sum(l.chunks), 0)::pg_catalog.int8 FROM pg_catalog.unnest($2) AS i (doc_id), LATERAL ("
		"SELECT d.chunks FROM answer.document d WHERE d.tenant OPERATOR(pg_catalog.=) $1 AND d.doc_id OPERATOR(pg_catalog.=) i.doc_id"
		" ORDER BY d.version DESC LIMIT 1) AS l",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), doc_ids};
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);
	int64		chunks = DatumGetInt64(ColumnDatum(rows.table, 0, 1));

	QueryFree(&rows);
	return chunks;
}

/* Sets up a search of chunks. */
static void
InitChunkSearch(ItemSearch *search, text *tenant)
{
	static FixedQuery count = {
		.text = "SELECT chunks FROM answer.chunk_item WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND item OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, BYTEAOID}
	};
	static FixedQuery rows = {
		.text = "SELECT s.* FROM answer.chunk_search s WHERE s.tenant OPERATOR(pg_catalog.=) $1"
		" AND s.items OPERATOR(pg_catalog.&&) $2",
		.argtypes = {TEXTOID, BYTEAARRAYOID}
	};
	static const SearchedSet chunks = {
		.table = "chunk_search",
		.index = "chunk_search_items",
		.nkey = 1,
		.key = {"tenant"},
		.norder = 1,
		.order = {"chunk_id"},
		.rows = &rows,
		.count = &count,
		.passes = ChunkPasses,
		.read = ReadChunk
	};

	*search = (ItemSearch)
	{
		.set = &chunks,
		.rules = CurrentDecisionRules(),
		.scope = tenant,
		.key = {PointerGetDatum(tenant)}
	};
}

/* Searches with a filter. If it names few documents, only their chunks are judged. */
static void
SearchChunks(ItemSearch *search, NullableDatum *filter, Span query)
{
	static FixedQuery named = {
		.text = "SELECT s.* FROM answer.chunk_search s WHERE s.tenant OPERATOR(pg_catalog.=) $1"
		" AND s.doc_id OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {search->key[0], filter[FILTER_DOC_IDS].value};

	search->filter = filter;
	if (!filter[FILTER_TITLE].isnull)
		search->title = filter[FILTER_TITLE].value;
	if (!filter[FILTER_DOC_IDS].isnull && ChunksOf(search->scope, values[1]) <= NAMED_CHUNKS_MAX)
	{
		search->few = &named;
		search->few_values = values;
	}
	ItemSearchRun(search, query);
}

/* answer.search_text(tenant, query, k, filter) */
PG_FUNCTION_INFO_V1(answer_eval_search_text);
Datum
answer_eval_search_text(PG_FUNCTION_ARGS)
{
	static const char *const columns[] = {"chunk_id", "doc_id", "version", "ordinal"};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	NullableDatum filter[FILTER_PARTS];
	ItemSearch	search;
	int			k;

	RequireArgument(fcinfo, 0, "tenant");
	RequireArgument(fcinfo, 1, "query");
	RequireArgument(fcinfo, 2, "k");
	LimitArgument(fcinfo, 1, ENTRY_MAX_SIZE, "query");
	LimitArgument(fcinfo, 3, ARGUMENT_MAX_SIZE, "filter");
	k = PG_GETARG_INT32(2);
	if (k < 1 || k > ITEM_SEARCH_MAX_HITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k is %d", k),
				 errdetail("It must be from 1 to %d.", ITEM_SEARCH_MAX_HITS)));
	InitMaterializedSRF(fcinfo, 0);
	FilterRead(PG_ARGISNULL(3) ? NULL : PG_GETARG_JSONB_P(3), PG_GETARG_TEXT_PP(0), filter);
	SPI_connect();
	InitChunkSearch(&search, PG_GETARG_TEXT_PP(0));
	search.k = k;
	SearchChunks(&search, filter, TextArgument(fcinfo, 1));
	for (int i = 0; i < search.nhits; i++)
	{
		Datum		values[HIT_COLUMNS];
		bool		nulls[HIT_COLUMNS] = {false};

		for (int column = 0; column < HIT_COLUMNS - 1; column++)
			values[column] = RowColumn(search.hits[i].row, search.desc, columns[column], &nulls[column]);
		values[HIT_COLUMNS - 1] = Float8GetDatum((double) search.hits[i].similarity / SCORE_WHOLE);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	SPI_finish();
	return (Datum) 0;
}

/* answer.document_filter(tenant, filter) */
PG_FUNCTION_INFO_V1(answer_eval_document_filter);
Datum
answer_eval_document_filter(PG_FUNCTION_ARGS)
{
	NullableDatum parts[FILTER_PARTS];
	Datum		values[FILTER_PARTS];
	bool		nulls[FILTER_PARTS];

	RequireArgument(fcinfo, 0, "tenant");
	LimitArgument(fcinfo, 1, ARGUMENT_MAX_SIZE, "filter");
	FilterRead(PG_ARGISNULL(1) ? NULL : PG_GETARG_JSONB_P(1), PG_GETARG_TEXT_PP(0), parts);
	for (int i = 0; i < FILTER_PARTS; i++)
	{
		values[i] = parts[i].value;
		nulls[i] = parts[i].isnull;
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(ResultRowType(fcinfo), values, nulls)));
}

/*
 * text-score/2 of one text
 */

/* answer.text_score(query, text, title, rules) */
PG_FUNCTION_INFO_V1(answer_eval_text_score);
Datum
answer_eval_text_score(PG_FUNCTION_ARGS)
{
	const DecisionRules *rules;
	Span		title = SpanOf("", 0);

	RequireArgument(fcinfo, 0, "query");
	RequireArgument(fcinfo, 1, "text");
	LimitArgument(fcinfo, 0, ENTRY_MAX_SIZE, "query");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "text");
	LimitArgument(fcinfo, 2, ENTRY_MAX_SIZE, "title");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "rules");
	rules = DecisionRulesArgument(fcinfo, 3);
	if (!PG_ARGISNULL(2))
		title = TextArgument(fcinfo, 2);
	PG_RETURN_NUMERIC(int64_div_fast_to_numeric(TextScore(rules, TextArgument(fcinfo, 0), TextArgument(fcinfo, 1), title),
												SCORE_DECIMALS));
}
