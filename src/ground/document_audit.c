/*-------------------------------------------------------------------------
 *
 * document_audit.c
 *		The audit of documents and of their search terms.
 *
 * Signed records state the sum of the rows of answer.document and
 * answer.chunk_embedding (log/content_audit.c).  A document's content_hash is the digest
 * of its title, url, timestamp and chunks, so these rows cover the chunks.  Everything
 * else follows from them and is recomputed: the other columns of chunks, and their search
 * terms.  The documents of a suite have no record; the suite has their digests.
 *
 * Promises: those of log/audit.c.  Uses memory for one document at a time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/jsonview.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/change.h"
#include "document/store.h"
#include "ground/current_rules.h"
#include "ground/document.h"
#include "ground/document_audit.h"
#include "log/content_audit.h"
#include "log/log_table.h"

/*
 * columns
 */

/* Returns a text as UTF-8; str is NULL for a null. */
static Span
Text(const AuditRow *row, int column)
{
	bool		isnull;
	Datum		datum = RowDatum(row, column, &isnull);

	return isnull ? SpanOf(NULL, 0) : UncheckedUtf8(DatumGetTextPP(datum));
}

static bool
IsTrue(const AuditRow *row, int column)
{
	bool		isnull;
	Datum		datum = RowDatum(row, column, &isnull);

	return !isnull && DatumGetBool(datum);
}

static JsonView
TextView(Span text)
{
	return text.str ? JsonViewString(text.str, text.len) : JsonViewNull();
}

/* Are two texts equal, or both null? */
static bool
SameText(Span a, Span b)
{
	return (a.str == NULL) == (b.str == NULL) && SpanEqual(a, b);
}

/*
 * documents
 */

/* Is a document's digest that of its stored content? */
static bool
DigestIsRight(const AuditRow *row)
{
	JsonView	view = JsonViewNewObject(5);
	JsonView	chunks;
	char		instant[INSTANT_SIZE];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	bool		isnull;
	Datum		datum = RowDatum(row, 5, &isnull);
	TimestampTz timestamp = isnull ? 0 : DatumGetTimestampTz(datum);

	if (isnull || !InstantIsWritable(timestamp))
		return false;
	datum = RowDatum(row, 7, &isnull);
	if (isnull || !JsonbIsReadable(DatumGetJsonbP(datum)))
		return false;
	JsonViewOfJsonb(DatumGetJsonbP(datum), &chunks);
	InstantFormat(timestamp, instant);
	JsonViewSet(&view, "doc_id", TextView(Text(row, 1)));
	JsonViewSet(&view, "title", TextView(Text(row, 3)));
	JsonViewSet(&view, "url", TextView(Text(row, 4)));
	JsonViewSet(&view, "timestamp", JsonViewCString(instant));
	JsonViewSet(&view, "chunks", chunks);
	CanonicalDigest(&view, NULL, digest);
	return SpanEqualCString(Text(row, 6), digest);
}

static void
AuditDocument(Audit *audit, AuditRow *row)
{
	if (!DigestIsRight(row))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("document %s, version %s, is not what was loaded: its digest is not that of its title, url, timestamp and chunks",
							 RowString(row, 1), RowString(row, 2)));
	else if (!IsTrue(row, 8))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("document %s, version %s: its chunks are not numbered from 0 up", RowString(row, 1), RowString(row, 2)));
}

/*
 * chunks
 */

/* Is this the title of a chunk, with any of the separators that a database can have used? */
static bool
IsChunkTitle(Span title, Span document, Span section)
{
	static const char *const arrows[] = {" \xE2\x86\x92 ", " -> "};

	if (section.str == NULL)
		return SameText(title, document);
	for (size_t i = 0; i < lengthof(arrows); i++)
	{
		Span		arrow = SpanOfCString(arrows[i]);

		if (title.len == document.len + arrow.len + section.len && SpanStartsWith(title, document) &&
			SpanEqual(SpanOf(title.str + document.len, arrow.len), arrow) &&
			SpanEqual(SpanOf(title.str + document.len + arrow.len, section.len), section))
			return true;
	}
	return false;
}

/* Does a column hold exactly these bytes? */
bool
AuditRowHolds(const AuditRow *row, int column, Datum made)
{
	bool		isnull;
	Datum		stored = RowDatum(row, column, &isnull);
	struct varlena *found;

	if (isnull)
		return false;
	found = PG_DETOAST_DATUM(stored);
	return VARSIZE(found) == VARSIZE(DatumGetPointer(made)) &&
		memcmp(VARDATA(found), VARDATA(DatumGetPointer(made)), VARSIZE(found) - VARHDRSZ) == 0;
}

enum
{
	CHUNK_TENANT = 1, CHUNK_ID, CHUNK_VERSION, CHUNK_DOC_ID, CHUNK_ORDINAL, CHUNK_ANCHOR, CHUNK_SECTION, CHUNK_URI,
	CHUNK_TITLE, CHUNK_TEXT, CHUNK_HAS_DOCUMENT, CHUNK_DOCUMENT_TITLE, CHUNK_DOCUMENT_URL, CHUNK_IS_FOUND,
	CHUNK_ITEMS, CHUNK_TITLE_ITEMS, CHUNK_SKETCH, CHUNK_SAME_TIMESTAMP
};

/* Returns what of a chunk does not follow from its document, or NULL. */
static const char *
ChunkProblem(const AuditRow *row)
{
	Span		url = Text(row, CHUNK_DOCUMENT_URL);
	Span		anchor = Text(row, CHUNK_ANCHOR);
	Span		uri = Text(row, CHUNK_URI);
	StringInfoData expected;

	if (!IsTrue(row, CHUNK_HAS_DOCUMENT))
		return "its document is not here";
	initStringInfo(&expected);
	appendStringInfo(&expected, "%s#p%s", RowString(row, CHUNK_DOC_ID), RowString(row, CHUNK_ORDINAL));
	if (strcmp(expected.data, RowString(row, CHUNK_ID)) != 0)
		return "its chunk_id is not that of its document and place";
	resetStringInfo(&expected);
	if (url.str)
		appendBinaryStringInfo(&expected, url.str, url.len);
	if (url.str && anchor.str)
	{
		appendStringInfoChar(&expected, '#');
		appendBinaryStringInfo(&expected, anchor.str, anchor.len);
	}
	if (!SameText(uri, url.str ? SpanOf(expected.data, expected.len) : url))
		return "its uri is not that of its document and section";
	if (!IsChunkTitle(Text(row, CHUNK_TITLE), Text(row, CHUNK_DOCUMENT_TITLE), Text(row, CHUNK_SECTION)))
		return "its title is not that of its document and section";
	return NULL;
}

/* Are the search terms of a chunk those of its text? */
static bool
IsFoundByItsOwn(const AuditRow *row)
{
	bool		isnull;
	text	   *tenant = DatumGetTextPP(RowDatum(row, CHUNK_TENANT, &isnull));
	Datum		columns[3];

	if (!IsIndexScope(tenant, INDEX_TENANT_MAX))
		return false;
	SearchItems(row->state, tenant, Text(row, CHUNK_TEXT), Text(row, CHUNK_TITLE), columns);
	return AuditRowHolds(row, CHUNK_ITEMS, columns[0]) && AuditRowHolds(row, CHUNK_TITLE_ITEMS, columns[1]) &&
		AuditRowHolds(row, CHUNK_SKETCH, columns[2]);
}

static void
AuditChunk(Audit *audit, AuditRow *row)
{
	const char *problem = ChunkProblem(row);

	if (problem == NULL && IsTrue(row, CHUNK_IS_FOUND))
	{
		/* without rules the search terms cannot be recomputed, which was reported */
		if (row->state && !IsFoundByItsOwn(row))
			problem = "the items that find it are not its own";
		else if (!IsTrue(row, CHUNK_SAME_TIMESTAMP))
			problem = "it is found with another timestamp than its document's";
	}
	if (problem)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("chunk %s of version %s: %s", RowString(row, CHUNK_ID), RowString(row, CHUNK_VERSION), problem));
}

/*
 * sets
 */

enum
{
	SET_TENANT = 1, SET_SUM, SET_CHUNKS, SET_FOUND
};

static void
AuditSum(Audit *audit, Datum *tenant, const char *name, Span stored)
{
	ContentSum	sum = {0};

	AuditSumRows(audit, "document", 1, tenant, &sum);
	AuditSumRows(audit, "chunk_embedding", 1, tenant, &sum);
	AuditSumRows(audit, "document_fact", 1, tenant, &sum);
	if (!AuditSumIs(&sum, stored))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the documents of tenant \"%s\", their embeddings or the facts read out of them, are not those that were loaded: the sum of their rows is another",
							 name));
}

static void
AuditSet(Audit *audit, SPITupleTable *sets, uint64 n, const DecisionRules *rules)
{
	bool		isnull;
	Datum		tenant = SPI_getbinval(sets->vals[n], sets->tupdesc, SET_TENANT, &isnull);
	char	   *name = SPI_getvalue(sets->vals[n], sets->tupdesc, SET_TENANT);
	Datum		sum = SPI_getbinval(sets->vals[n], sets->tupdesc, SET_SUM, &isnull);

	if (isnull)
		AuditReport(audit, -1, NULL, "missing",
					psprintf("tenant \"%s\" has documents, and no row in answer.document_set", name));
	else
		AuditSum(audit, &tenant, name, ByteaSpan(sum));
	if (TupleInt64(sets->vals[n], sets->tupdesc, SET_CHUNKS) != TupleInt64(sets->vals[n], sets->tupdesc, SET_FOUND))
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the number of chunks of tenant \"%s\" that can be found is not that in answer.document_set", name));
	AuditForEachRowOf(audit, "SELECT d.doc_id, d.version::text, d.title, d.url, d.\"timestamp\", d.content_hash, c.content, c.is_counted"
					  " FROM answer.document d LEFT JOIN LATERAL (SELECT"
					  "  jsonb_agg(jsonb_build_object('anchor', c.anchor, 'section', c.section, 'text', c.text) ORDER BY c.ordinal) AS content,"
					  "  min(c.ordinal) = 0 AND max(c.ordinal) = count(*) - 1 AND count(*) = d.chunks AS is_counted FROM answer.chunk c"
					  "  WHERE c.tenant = d.tenant AND c.doc_id = d.doc_id AND c.version = d.version) c ON true"
					  " WHERE d.tenant = $1 ORDER BY d.doc_id COLLATE \"C\", d.version", 1, &tenant, AuditDocument, NULL);
	AuditForEachRowOf(audit, "SELECT c.tenant, c.chunk_id, c.version::text, c.doc_id, c.ordinal::text, c.anchor, c.section, c.uri, c.title, c.text,"
					  " d.doc_id IS NOT NULL, d.title, d.url, s.chunk_id IS NOT NULL, s.items, s.title_items, s.sketch, s.\"timestamp\" = d.\"timestamp\""
					  " FROM answer.chunk c"
					  " LEFT JOIN answer.document d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version"
					  " LEFT JOIN answer.chunk_search s ON s.tenant = c.tenant AND s.chunk_id = c.chunk_id AND s.doc_id = c.doc_id"
					  "  AND s.version = c.version AND s.ordinal = c.ordinal"
					  " WHERE c.tenant = $1", 1, &tenant, AuditChunk, unconstify(DecisionRules *, rules));
}

#define FOUND_CHUNKS "(SELECT pg_catalog.count(*) FROM answer.chunk_search c WHERE c.tenant OPERATOR(pg_catalog.=) "

/*
 * Returns the rules by which texts are read.  If the stored rules are malformed,
 * adds a finding and returns NULL.
 */
const DecisionRules *
RulesForAudit(Audit *audit, const char *of_what)
{
	char	   *problem = NULL;
	const DecisionRules *rules = DecisionRulesIfGood(&problem);

	if (rules == NULL)
		AuditReport(audit, -1, NULL, "changed",
					psprintf("the rules of decisions are none that a decision can be made by (%s), so what finds %s was not audited",
							 problem, of_what));
	return rules;
}

/* Audits the documents of all tenants, or of those with changed documents since the last clean audit. */
static void
AuditDocuments(Audit *audit, bool whole, bool functions_good)
{
	QueryRows	sets = AuditContentSets(audit, whole, CHANGE_DOCUMENTS, "'" CHANGE_DOCUMENTS "'", whole ?
										   "SELECT COALESCE(d.tenant, o.tenant) AS tenant, d.sum, d.chunks,"
										   " " FOUND_CHUNKS "COALESCE(d.tenant, o.tenant)) AS found"
										   " FROM answer.document_set d FULL JOIN (SELECT tenant FROM answer.document"
										   "  UNION SELECT tenant FROM answer.chunk UNION SELECT tenant FROM answer.chunk_search"
										   "  UNION SELECT tenant FROM answer.chunk_item UNION SELECT tenant FROM answer.chunk_embedding"
										   "  UNION SELECT tenant FROM answer.document_fact) o"
										   " ON o.tenant OPERATOR(pg_catalog.=) d.tenant" :
										   "SELECT d.tenant, d.sum, d.chunks, " FOUND_CHUNKS "d.tenant) AS found FROM answer.document_set d");
	const DecisionRules *rules = sets.count > 0 ? RulesForAudit(audit, "chunks") : NULL;

	for (uint64 i = 0; i < sets.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AuditSet(audit, sets.table, i, rules);
	}
	QueryFree(&sets);
}

static const char *const queries[] = {
	"SELECT NULL, 'changed', format('chunk %s of version %s: its text is not what was loaded', c.chunk_id, c.version) FROM answer.chunk c"
	" WHERE c.content_hash <> 'sha256:' || encode(sha256(convert_to(c.text, 'UTF8')), 'hex') ORDER BY c.chunk_id COLLATE \"C\", c.version",
	"SELECT NULL, 'missing', format('document %s, version %s: it has %s chunks and was loaded with %s', d.doc_id, d.version, count(c.ordinal), d.chunks)"
	" FROM answer.document d LEFT JOIN answer.chunk c ON c.tenant = d.tenant AND c.doc_id = d.doc_id AND c.version = d.version"
	" GROUP BY d.tenant, d.doc_id, d.version, d.chunks HAVING count(c.ordinal) <> d.chunks ORDER BY d.doc_id COLLATE \"C\", d.version",
	"SELECT NULL, CASE WHEN s.chunk_id IS NULL THEN 'missing' ELSE 'extra' END, format(CASE WHEN s.chunk_id IS NULL THEN"
	" 'chunk %s cannot be found: it is not in answer.chunk_search' ELSE 'chunk %s is in answer.chunk_search, and no chunk of the newest version of a document' END,"
	" coalesce(c.chunk_id, s.chunk_id))"
	" FROM (SELECT c.tenant, c.chunk_id, c.doc_id, c.version, c.ordinal FROM answer.chunk c JOIN (SELECT tenant, doc_id, max(version) AS version"
	"  FROM answer.document GROUP BY tenant, doc_id) d ON d.tenant = c.tenant AND d.doc_id = c.doc_id AND d.version = c.version) c"
	" FULL JOIN answer.chunk_search s ON s.tenant = c.tenant AND s.chunk_id = c.chunk_id AND s.doc_id = c.doc_id AND s.version = c.version"
	" AND s.ordinal = c.ordinal WHERE c.chunk_id IS NULL OR s.chunk_id IS NULL ORDER BY coalesce(c.chunk_id, s.chunk_id) COLLATE \"C\"",
	"SELECT NULL, 'changed', format('how many chunks have %s items is not what answer.chunk_item says', count(*)) FROM answer.chunk_item i"
	" FULL JOIN (SELECT s.tenant, substring(t.term FROM octet_length(s.tenant) + 2) AS item, count(*) AS chunks"
	"  FROM answer.chunk_search s, LATERAL unnest(s.items) t (term) GROUP BY 1, 2) c ON c.tenant = i.tenant AND c.item = i.item"
	" WHERE i.chunks IS DISTINCT FROM c.chunks HAVING count(*) > 0",
	"SELECT NULL, 'extra', format('document %s, version %s, was forgotten, and has come back', d.doc_id, d.version)"
	" FROM answer.document d JOIN answer.tombstone t ON t.tenant = d.tenant AND t.digest = d.content_hash ORDER BY d.doc_id COLLATE \"C\", d.version",
	NULL
};

static const char *const tenants[] = {
	"SELECT DISTINCT 'documents', tenant FROM answer.document",
	NULL
};

static const char *const shipped[] = {
	/* entries with characters that some encodings lack, such as currency signs, are compared one by one */
	"SELECT 'decision_rule', t.name, jsonb_agg(t.state ORDER BY t.position, t.entry COLLATE \"C\")::text"
	" FROM (SELECT CASE WHEN to_jsonb(t)::text COLLATE \"C\" ~ '^[ -~]*$' THEN to_jsonb(t.list) ELSE jsonb_build_array(t.list, t.entry) END AS name,"
	"  to_jsonb(t) - 'list' AS state, t.position, t.entry FROM answer.decision_rule t WHERE t.seed) t GROUP BY t.name",
	NULL
};

static const char *const indexes[] = {
	/* what answer_embedding_index() makes, if pgvector is installed */
	"SELECT 'answer.chunk_embedding', 'chunk\\_embedding\\_hnsw\\_%', '^CREATE INDEX chunk_embedding_hnsw_(\\d+) ON answer\\.chunk_embedding"
	" USING hnsw \\(\\(\\(embedding\\)::(\\S+\\.)?vector\\(\\1\\)\\) (\\S+\\.)?vector_cosine_ops\\) WHERE \\(cardinality\\(embedding\\) = \\1\\)$'",
	NULL
};

const AuditPart document_audit = {
	.queries = queries,
	.tenants = tenants,
	.shipped = shipped,
	.indexes = indexes,
	.walk = AuditDocuments
};
