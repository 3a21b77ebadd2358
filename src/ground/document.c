/*-------------------------------------------------------------------------
 *
 * document.c
 *		Loads documents, splits them into chunks, and makes their index terms.
 *
 * Rule: doc/spec/decision.md §2.4.  A chunk is a paragraph: the text between blank lines,
 * trimmed.  Chunks are numbered through all sections of their document.
 *
 * Promises: reading is pure, and all or nothing.  Everything that is wrong is refused
 * before the first row is returned, with its place.  Index terms begin with the tenant's
 * name, so that an index without a tenant column still begins with the tenant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "document/kind.h"
#include "document/tombstone.h"
#include "ground/chunk.h"
#include "ground/current_rules.h"
#include "ground/document.h"
#include "ground/sketch.h"

#define DOC_ID_MAX_CHARACTERS	255
#define READ_COLUMNS			14	/* of answer.document_read() */
#define ARROW					" \xE2\x86\x92 "	/* between the titles of document and section, in UTF-8 */
#define PLAIN_ARROW				" -> "	/* the same where the server's encoding has no arrow */
#define DOCUMENT_HINT			"A document has doc_id, title, timestamp, either text or sections, and perhaps url; a section has anchor, title and text."

/* A document in an argument, and its position. */
typedef struct Document
{
	int			index;
	JsonView	view;
	Span		doc_id;
	Span		title;
	Span		url;			/* str is NULL without one */
	TimestampTz timestamp;
	bool		has_sections;
	JsonView	body;			/* its text, or its sections */
} Document;

/* A part of a document with one title; the whole document if it has no sections. */
typedef struct Section
{
	Span		anchor;			/* str is NULL if there are no sections */
	Span		title;
	Span		text;
} Section;

/*
 * refusals
 */

static _Noreturn void
RefuseDocument(const char *place, const char *problem, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s %s", place, problem),
			 hint ? errhint("%s", hint) : 0));
}

/* Raises the same for a value of another kind than "demand" says. */
static _Noreturn void
RefuseValue(const char *place, const char *demand, const JsonView *seen)
{
	RefuseDocument(place, psprintf("%s, and is %s", demand, ShownValue(seen)), DOCUMENT_HINT);
}

/* Refuses members with other names than these; "known" ends with NULL. */
static void
RefuseUnknown(const JsonView *object, const char *place, const char *const *known)
{
	for (int i = 0; i < JsonViewCount(object); i++)
	{
		Span		key;
		bool		is_known = false;

		(void) JsonViewMember(object, i, &key);
		for (const char *const *name = known; *name && !is_known; name++)
			is_known = SpanEqualCString(key, *name);
		if (!is_known)
			RefuseDocument(place, psprintf("has an unknown member \"%s\"", ServerText(key)),
				   DOCUMENT_HINT);
	}
}

/* Reads a string member; it must not be empty unless it may be. */
static Span
StringMember(const JsonView *object, const char *place, const char *key, bool may_be_empty)
{
	JsonView	member;

	if (!JsonViewGetMember(object, key, &member))
		RefuseDocument(place, psprintf("has no \"%s\"", key), DOCUMENT_HINT);
	if (member.type != JVIEW_STRING)
		RefuseValue(psprintf("%s.%s", place, key), "must be a string", &member);
	if (member.len == 0 && !may_be_empty)
		RefuseDocument(psprintf("%s.%s", place, key), "must not be empty", NULL);
	return SpanOf(member.str, member.len);
}

/*
 * Checks an id.  It must be one that answer_forget() accepts for a document, and
 * must not contain '#', which separates chunk ids.
 */
static void
CheckDocId(Span doc_id, const char *place)
{
	char	   *id = ServerText(doc_id);
	const char *where = psprintf("%s.doc_id", place);

	if (memchr(doc_id.str, '#', doc_id.len))
		RefuseDocument(where, psprintf("\"%s\" has a \"#\" in it", id),
			   "\"#\" stands between the id of a document and the number of its chunk.");
	if (pg_mbstrlen(id) > DOC_ID_MAX_CHARACTERS)
		RefuseDocument(where, psprintf("has %d characters", pg_mbstrlen(id)),
			   psprintf("The id of a document has at most %d.", DOC_ID_MAX_CHARACTERS));
	if (FindKindOfId(doc_id.str, doc_id.len) ||
		SpanStartsWith(doc_id, SpanOfCString(DIGEST_PREFIX)))
		RefuseDocument(where, psprintf("\"%s\" looks like the id of a receipt or a digest", id),
			   "answer_forget() takes such ids for something else; choose another one.");
	pfree(id);
}

/*
 * paragraphs
 */

/* Returns the line at p, without its end; *next is the start of the following one. */
static Span
LineAt(const char *p, const char *end, const char **next)
{
	const char *newline = memchr(p, '\n', end - p);

	*next = newline ? newline + 1 : end;
	return SpanOf(p, (newline ? newline : end) - p);
}

/* Takes the next paragraph off a text; false if there is none. */
static bool
NextParagraph(Span *text, Span *paragraph)
{
	const char *p = text->str;
	const char *end = text->str + text->len;
	const char *begin = NULL;
	const char *next = p;

	for (; p < end; p = next)
	{
		bool		blank = TrimWhiteSpace(LineAt(p, end, &next)).len == 0;

		if (blank && begin)
			break;
		if (!blank && begin == NULL)
			begin = p;
	}
	*text = SpanOf(next, end - next);
	if (begin == NULL)
		return false;
	*paragraph = TrimWhiteSpace(SpanOf(begin, p - begin));
	return true;
}

/*
 * documents
 */

static void
ReadTimestamp(Document *document, const char *place)
{
	Span		timestamp = StringMember(&document->view, place, "timestamp", true);

	if (!ChunkInstantParse(timestamp, &document->timestamp))
		RefuseDocument(psprintf("%s.timestamp", place), psprintf("\"%s\" is no timestamp", ServerText(timestamp)),
			   "Write it like 2024-03-15T10:00:00Z; without a zone it is UTC, and a date alone is its first instant.");
}

static void
ReadUrl(Document *document, const char *place)
{
	JsonView	url;

	document->url = SpanOf(NULL, 0);
	if (!JsonViewGetMember(&document->view, "url", &url) || url.type == JVIEW_NULL)
		return;
	document->url = StringMember(&document->view, place, "url", false);
}

static int
SectionCount(const Document *document)
{
	return document->has_sections ? JsonViewCount(&document->body) : 1;
}

static Section
SectionAt(const Document *document, int n, const char *place)
{
	static const char *const known[] = {"anchor", "title", "text", NULL};
	Section		section = {{NULL, 0}, {NULL, 0}, {document->body.str, document->body.len}};
	JsonView	view;

	if (!document->has_sections)
		return section;
	place = psprintf("%s.sections[%d]", place, n);
	JsonViewElement(&document->body, n, &view);
	if (view.type != JVIEW_OBJECT)
		RefuseValue(place, "must be an object", &view);
	RefuseUnknown(&view, place, known);
	section.anchor = StringMember(&view, place, "anchor", false);
	section.title = StringMember(&view, place, "title", false);
	section.text = StringMember(&view, place, "text", true);
	return section;
}

/* Refuses a document without a paragraph, or with malformed sections. */
static void
CheckBody(const Document *document, const char *place)
{
	bool		any = false;

	for (int i = 0; i < SectionCount(document); i++)
	{
		Section		section = SectionAt(document, i, place);
		Span		paragraph;

		CHECK_FOR_INTERRUPTS();
		any |= NextParagraph(&section.text, &paragraph);
	}
	if (!any)
		RefuseDocument(place, "has no paragraph", "A document without text is not loaded; answer_forget() erases one.");
}

static char *
DocumentPlace(int index)
{
	return psprintf("docs[%d]", index);
}

static void
ReadDocument(Document *document, const JsonView *docs, int index)
{
	static const char *const known[] = {"doc_id", "title", "timestamp", "text", "sections", "url", NULL};
	char	   *place = DocumentPlace(index);
	JsonView	member;
	bool		has_text;

	document->index = index;
	JsonViewElement(docs, index, &document->view);
	if (document->view.type != JVIEW_OBJECT)
		RefuseValue(place, "must be an object", &document->view);
	RefuseUnknown(&document->view, place, known);
	document->doc_id = StringMember(&document->view, place, "doc_id", false);
	CheckDocId(document->doc_id, place);
	document->title = StringMember(&document->view, place, "title", false);
	ReadUrl(document, place);
	ReadTimestamp(document, place);
	has_text = JsonViewGetMember(&document->view, "text", &member);
	document->has_sections = JsonViewGetMember(&document->view, "sections", &member);
	if (has_text == document->has_sections)
		RefuseDocument(place, has_text ? "has both \"text\" and \"sections\"" : "has neither \"text\" nor \"sections\"",
			   DOCUMENT_HINT);
	if (document->has_sections && member.type != JVIEW_ARRAY)
		RefuseValue(psprintf("%s.sections", place), "must be an array", &member);
	if (has_text)
	{
		(void) StringMember(&document->view, place, "text", true);
		JsonViewGetMember(&document->view, "text", &member);
	}
	document->body = member;
	CheckBody(document, place);
}

static int
CompareIds(const void *a, const void *b)
{
	return SpanCompare((*(const Document *const *) a)->doc_id, (*(const Document *const *) b)->doc_id);
}

static void
RefuseRepeated(Document *documents, int count)
{
	Document  **sorted = palloc(sizeof(Document *) * Max(count, 1));

	for (int i = 0; i < count; i++)
		sorted[i] = &documents[i];
	qsort(sorted, count, sizeof(Document *), CompareIds);
	for (int i = 1; i < count; i++)
	{
		if (CompareIds(&sorted[i - 1], &sorted[i]) == 0)
			RefuseDocument(DocumentPlace(Max(sorted[i - 1]->index, sorted[i]->index)),
				   psprintf("repeats the doc_id \"%s\"", ServerText(sorted[i]->doc_id)), NULL);
	}
	pfree(sorted);
}

/*
 * rows
 */

static JsonView
ViewOfSpan(Span span)
{
	return span.str ? JsonViewString(span.str, span.len) : JsonViewNull();
}

/* Computes the digest of a document's content, by its chunks, so further blank lines do not change it. */
static void
DocumentDigest(const Document *document, char *digest, int *nchunks)
{
	JsonView	view = JsonViewNewObject(5);
	JsonView	chunks = JsonViewNewArray(16);
	char		instant[INSTANT_SIZE];

	*nchunks = 0;
	for (int i = 0; i < SectionCount(document); i++)
	{
		Section		section = SectionAt(document, i, "");
		Span		paragraph;

		while (NextParagraph(&section.text, &paragraph))
		{
			JsonView	chunk = JsonViewNewObject(3);

			CHECK_FOR_INTERRUPTS();
			JsonViewSet(&chunk, "anchor", ViewOfSpan(section.anchor));
			JsonViewSet(&chunk, "section", ViewOfSpan(section.title));
			JsonViewSet(&chunk, "text", ViewOfSpan(paragraph));
			JsonViewAppend(&chunks, chunk);
			(*nchunks)++;
		}
	}
	InstantFormat(document->timestamp, instant);
	JsonViewSet(&view, "doc_id", ViewOfSpan(document->doc_id));
	JsonViewSet(&view, "title", ViewOfSpan(document->title));
	JsonViewSet(&view, "url", ViewOfSpan(document->url));
	JsonViewSet(&view, "timestamp", JsonViewCString(instant));
	JsonViewSet(&view, "chunks", chunks);
	CanonicalDigest(&view, NULL, digest);
}

static Span
Joined(Span a, const char *between, Span b)
{
	StringInfoData joined;

	if (a.str == NULL || b.str == NULL)
		return a;
	initStringInfo(&joined);
	appendBinaryStringInfo(&joined, a.str, a.len);
	appendStringInfoString(&joined, between);
	appendBinaryStringInfo(&joined, b.str, b.len);
	return SpanOf(joined.data, joined.len);
}

/* Returns the separator between two titles, in the encoding of this database. */
static const char *
TitleSeparator(void)
{
	int			encoding = GetDatabaseEncoding();
	unsigned char arrow[] = ARROW;
	unsigned char converted[sizeof(arrow) * MAX_CONVERSION_GROWTH];
	int			len = strlen(ARROW);
	Oid			conversion;

	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII)
		return ARROW;
	conversion = FindDefaultConversionProc(PG_UTF8, encoding);
	if (!OidIsValid(conversion) ||
		pg_do_encoding_conversion_buf(conversion, PG_UTF8, encoding, arrow, len, converted,
									  sizeof(converted), true) != len)
		return PLAIN_ARROW;
	return ARROW;
}

static void
TextDigest(Span text, char *digest)
{
	uint8		sha256[SHA256_LENGTH];

	Sha256(text.str, text.len, sha256);
	strcpy(digest, DIGEST_PREFIX);
	HexEncode(sha256, SHA256_LENGTH, digest + strlen(DIGEST_PREFIX));
	digest[DIGEST_TEXT_LENGTH] = '\0';
}

static void
PutSpan(Datum *values, bool *nulls, int column, Span span)
{
	nulls[column] = span.str == NULL;
	values[column] = span.str ? SpanDatum(span) : (Datum) 0;
}

/* Writes a row for each chunk. */
static void
WriteDocument(const Document *document, ReturnSetInfo *result)
{
	char		document_digest[DIGEST_TEXT_LENGTH + 1];
	char		chunk_digest[DIGEST_TEXT_LENGTH + 1];
	int			nchunks;
	int			ordinal = 0;
	Datum		values[READ_COLUMNS];
	bool		nulls[READ_COLUMNS] = {false};

	DocumentDigest(document, document_digest, &nchunks);
	PutSpan(values, nulls, 0, document->doc_id);
	PutSpan(values, nulls, 1, document->title);
	PutSpan(values, nulls, 2, document->url);
	values[3] = TimestampTzGetDatum(document->timestamp);
	values[4] = CStringGetTextDatum(document_digest);
	values[5] = Int32GetDatum(nchunks);
	for (int i = 0; i < SectionCount(document); i++)
	{
		Section		section = SectionAt(document, i, "");
		Span		paragraph;

		PutSpan(values, nulls, 8, section.anchor);
		PutSpan(values, nulls, 9, section.title);
		PutSpan(values, nulls, 10, Joined(document->url, "#", section.anchor));
		PutSpan(values, nulls, 11, Joined(document->title, TitleSeparator(), section.title));
		while (NextParagraph(&section.text, &paragraph))
		{
			CHECK_FOR_INTERRUPTS();
			values[6] = Int32GetDatum(ordinal);
			PutSpan(values, nulls, 7, Joined(document->doc_id, "#p", SpanOfCString(psprintf("%d", ordinal))));
			PutSpan(values, nulls, 12, paragraph);
			TextDigest(paragraph, chunk_digest);
			values[13] = CStringGetTextDatum(chunk_digest);
			tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
			ordinal++;
		}
	}
}

/*
 * SQL
 */

/* answer.document_read(docs) */
PG_FUNCTION_INFO_V1(answer_eval_document_read);
Datum
answer_eval_document_read(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext caller;
	MemoryContext each;
	JsonView	docs;
	Document   *documents;
	int			count;

	RequireArgument(fcinfo, 0, "docs");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "docs");
	InitMaterializedSRF(fcinfo, 0);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &docs);
	if (docs.type != JVIEW_ARRAY)
		RefuseValue("docs", "must be an array of documents", &docs);
	count = JsonViewCount(&docs);
	documents = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Document) * (Size) Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ReadDocument(&documents[i], &docs, i);
	}
	RefuseRepeated(documents, count);
	each = AllocSetContextCreate(CurrentMemoryContext, "answer.document_read", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(each);
	for (int i = 0; i < count; i++)
	{
		WriteDocument(&documents[i], result);
		MemoryContextReset(each);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(each);
	return (Datum) 0;
}

/* Can a text be the prefix of index terms? A long one would take memory for each word. */
bool
IsIndexScope(const text *scope, int max)
{
	return (int) VARSIZE_ANY_EXHDR(scope) <= max;
}

static void
RequireIndexScope(const text *scope, int max)
{
	if (!IsIndexScope(scope, max))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the name of a tenant that stands before words has %d bytes", (int) VARSIZE_ANY_EXHDR(scope)),
				 errdetail("With a project it must have at most %d, and without one at most %d.", INDEX_SCOPE_MAX, INDEX_TENANT_MAX),
				 errhint("answer_tenants() lists the tenants.")));
}

/*
 * Returns the index term for an item of a tenant.  A term that is too long for an
 * index is cut; the whole items are compared later.
 */
Datum
IndexTerm(const text *tenant, Span item)
{
	int			prefix = VARSIZE_ANY_EXHDR(tenant);
	int			item_len = Min(item.len, INDEX_ITEM_MAX);
	int			len = prefix + 1 + item_len;
	bytea	   *term = palloc(VARHDRSZ + len);

	SET_VARSIZE(term, VARHDRSZ + len);
	memcpy(VARDATA(term), VARDATA_ANY(tenant), prefix);
	VARDATA(term)[prefix] = ' ';
	memcpy(VARDATA(term) + prefix + 1, item.str, item_len);
	return PointerGetDatum(term);
}

static int
CompareTerms(const void *a, const void *b)
{
	bytea	   *left = (bytea *) DatumGetPointer(*(const Datum *) a);
	bytea	   *right = (bytea *) DatumGetPointer(*(const Datum *) b);

	return SpanCompare(SpanOf(VARDATA(left), VARSIZE(left) - VARHDRSZ), SpanOf(VARDATA(right), VARSIZE(right) - VARHDRSZ));
}

/* Returns the index terms of items, each once. */
static Datum
IndexTermArray(const text *tenant, const Span *items, int count)
{
	Datum	   *terms = palloc_extended(sizeof(Datum) * Max(count, 1), MCXT_ALLOC_HUGE);
	int			n = 0;

	for (int i = 0; i < count; i++)
		terms[i] = IndexTerm(tenant, items[i]);
	qsort(terms, count, sizeof(Datum), CompareTerms);
	for (int i = 0; i < count; i++)
	{
		if (n == 0 || CompareTerms(&terms[n - 1], &terms[i]) != 0)
			terms[n++] = terms[i];
	}
	return PointerGetDatum(construct_array(terms, n, BYTEAOID, -1, false, TYPALIGN_INT));
}

/* Sets the search columns of a text with a title: "items", "title_items" and "sketch". */
void
SearchItems(const DecisionRules *rules, const text *scope, Span content, Span title, Datum *columns)
{
	ItemList	found;
	ItemList	in_title;

	RequireIndexScope(scope, INDEX_SCOPE_MAX);
	columns[2] = PointerGetDatum(SketchMake(rules, content, title, &found, &in_title));
	columns[0] = IndexTermArray(scope, found.items, found.count);
	columns[1] = IndexTermArray(scope, in_title.items, in_title.count);
}

/* answer.search_items(scope, text, title) */
PG_FUNCTION_INFO_V1(answer_eval_search_items);
Datum
answer_eval_search_items(PG_FUNCTION_ARGS)
{
	Datum		columns[3];
	bool		nulls[3] = {false};

	SearchItems(RulesOfCall(fcinfo), PG_GETARG_TEXT_PP(0), TextArgument(fcinfo, 1), TextArgument(fcinfo, 2), columns);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(ResultRowType(fcinfo), columns, nulls)));
}

/*
 * forgetting documents
 */

static FixedQuery judged_pairs = {
	.text = "SELECT answer.document_judged($1, $2)",
	.argtypes = {TEXTOID, TEXTOID}
};

static FixedQuery lock_versions = {
	.text = "SELECT (SELECT COALESCE(pg_catalog.array_agg(d.content_hash ORDER BY d.version), '{}') FROM answer.document d"
	"  WHERE d.tenant OPERATOR(pg_catalog.=) $1 AND d.doc_id OPERATOR(pg_catalog.=) $2)"
	" FROM answer.document_set_lock($1)",
	.argtypes = {TEXTOID, TEXTOID}
};

static FixedQuery erase_document = {
	.text = "WITH waits AS (DELETE FROM answer.retrieval r WHERE r.tenant OPERATOR(pg_catalog.=) $1"
	"  AND (r.state OPERATOR(pg_catalog.#>) '{retrieval,chunks}') OPERATOR(pg_catalog.@>)"
	"   pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('doc_id', $2)))"
	" SELECT answer.document_erase($1, $2, $3, $4)",
	.argtypes = {TEXTOID, TEXTOID, TEXTARRAYOID, TEXTARRAYOID}
};

const EraseQueries document_erasing = {
	.pairs = &judged_pairs,
	.versions = &lock_versions,
	.document = &erase_document
};
