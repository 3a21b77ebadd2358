/*-------------------------------------------------------------------------
 *
 * receipt_page.c
 *		A document as one HTML page that verifies itself in the reader's
 *		browser.
 *
 * Pure, with a thin edge for SQL.  The page is receipt_page.html with its style and
 * scripts, from which make writes receipt_page_texts.h.  This file fills its
 * placeholders, such as {{document}}.  The receipt is inserted as JSON, in
 * canonical form, as the text of an element.  The page's script renders it for a
 * person, so what is shown is what was verified.
 *
 * The page contains only the document, the keys, the proof and the names of kinds.
 * It loads nothing, runs no script but its own, which it allows by digest, and
 * forbids everything else to itself.
 *
 * Promises: ASCII in every encoding; no value can break out of its element; the
 * same arguments give the same bytes; the cost is linear in them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "base/base64.h"
#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "document/kind.h"

#include "document/receipt_page_texts.h"

/* The values that are put into the page. */
typedef enum PageValue
{
	PAGE_ID,
	PAGE_DOCUMENT,
	PAGE_KEYS,
	PAGE_INCLUSION,
	PAGE_TERMS,
	PAGE_VALUES					/* their number */
} PageValue;

/* The names of their placeholders. */
static const char *const value_places[] = {"id", "document", "keys", "inclusion", "terms"};

#define NO_PROOF "this file brings no proof: the document was not in the log when the file was made, or its maker was not given one"

#define HINT_BYTES 4
#define HINTS_MAX 1000

/* What the page is made of.  The place of an absent view stays empty. */
typedef struct Page
{
	JsonView	values[PAGE_VALUES];
} Page;

/*
 * values
 */

/* The only way to put a value into a page: canonical JSON is plain ASCII. */
static void
AppendEscaped(StringInfo page, const char *text, int len)
{
	for (int i = 0; i < len; i++)
	{
		char		c = text[i];

		if ((i & 0xFFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (c < 0x20 || c >= 0x7F || strchr("&<>\"'", c) != NULL)
			appendStringInfo(page, "&#%d;", (unsigned char) c);
		else
			appendStringInfoChar(page, c);
	}
}

static void
AppendJson(StringInfo page, const JsonView *value)
{
	StringInfoData json;

	initStringInfo(&json);
	CanonicalWrite(&json, value, NULL);
	AppendEscaped(page, json.data, json.len);
	pfree(json.data);
}

/* Returns {schema: {"prefix", "cached"}} for the kinds for which the page does all steps. */
static JsonView
KindsView(void)
{
	JsonView	kinds = JsonViewNewObject(8);

	for (int i = 0; document_kinds[i]; i++)
	{
		JsonView	kind = JsonViewNewObject(2);

		JsonViewSet(&kind, "prefix", JsonViewCString(document_kinds[i]->prefix));
		JsonViewSet(&kind, "cached", JsonViewBool(document_kinds[i]->may_be_cached));
		JsonViewSet(&kinds, document_kinds[i]->schema, kind);
	}
	return kinds;
}

/*
 * Returns the beginning of a value's digest, which is enough to see which part of a copy
 * was changed.
 */
static JsonView
HintView(const JsonView *value)
{
	uint8		sha256[SHA256_LENGTH];
	char	   *hex = palloc(2 * HINT_BYTES + 1);

	CanonicalSha256(value, NULL, sha256);
	HexEncode(sha256, HINT_BYTES, hex);
	return JsonViewString(hex, 2 * HINT_BYTES);
}

/* Does the same for each element of a list that is short enough to name one. */
static JsonView
HintsView(const JsonView *value)
{
	int			count = value->type == JVIEW_ARRAY ? JsonViewCount(value) : 0;
	JsonView	hints;

	if (count == 0 || count > HINTS_MAX)
		return HintView(value);
	hints = JsonViewNewArray(count);
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(value, i);

		JsonViewAppend(&hints, HintView(&element));
	}
	return hints;
}

/*
 * Returns {member: the beginning of its digest}, by which the page names the part of a
 * copy that was changed.  Whoever changes a copy can change these, too.  Only the
 * signature proves that something was changed.
 */
static JsonView
PartsView(const JsonView *document)
{
	int			count = JsonViewCount(document);
	JsonView	parts = JsonViewNewObject(count);

	for (int i = 0; i < count; i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(document, i, &key);

		JsonViewSetKey(&parts, key.str, key.len, HintsView(&value));
	}
	return parts;
}

static JsonView
VkeysView(ArrayType *array)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	JsonView	vkeys;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	vkeys = JsonViewNewArray(count);
	for (int i = 0; i < count; i++)
	{
		Span		vkey;

		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a vkey must not be null")));
		vkey = Utf8OfText(DatumGetTextPP(elements[i]));
		JsonViewAppend(&vkeys, JsonViewString(vkey.str, vkey.len));
	}
	return vkeys;
}

/*
 * Returns the id for the page's title, which is shown before anything is verified: only
 * what looks like one.
 */
static JsonView
TitleId(const JsonView *document)
{
	JsonView	id;

	if (JsonViewGetMember(document, "receipt_id", &id) && id.type == JVIEW_STRING && FindKindOfId(id.str, id.len))
		return id;
	return JsonViewCString("without an id");
}

/* Appends the digest by which the page's policy allows an element with this content. */
static void
AppendDigest(StringInfo text, const char *content, size_t len)
{
	uint8		sha256[SHA256_LENGTH];
	char		digest[BASE64_SIZE(SHA256_LENGTH)];

	Sha256(content, len, sha256);
	Base64Encode(sha256, SHA256_LENGTH, digest);
	appendStringInfo(text, "sha256-%s", digest);
}

static void
AppendPlace(StringInfo text, const Page *page, Span place)
{
	if (SpanEqualCString(place, "style"))
		appendStringInfoString(text, page_style);
	else if (SpanEqualCString(place, "script"))
		appendStringInfoString(text, page_script);
	else if (SpanEqualCString(place, "style-hash"))
		AppendDigest(text, page_style, sizeof(page_style) - 1);
	else if (SpanEqualCString(place, "script-hash"))
		AppendDigest(text, page_script, sizeof(page_script) - 1);
	for (int i = 0; i < PAGE_VALUES; i++)
	{
		const JsonView *value = &page->values[i];

		if (value->type == JVIEW_ABSENT || !SpanEqualCString(place, value_places[i]))
			continue;
		if (i == PAGE_ID)
			AppendEscaped(text, value->str, value->len);
		else
			AppendJson(text, value);
	}
}

static void
AppendPage(StringInfo text, const Page *page)
{
	const char *rest = page_text;

	for (const char *place; (place = strstr(rest, "{{")) != NULL;)
	{
		const char *end = strstr(place, "}}");

		appendBinaryStringInfo(text, rest, place - rest);
		AppendPlace(text, page, SpanOf(place + 2, end - place - 2));
		rest = end + 2;
	}
	appendStringInfoString(text, rest);
}

/*
 * SQL
 */

/* Returns an argument, after checking that its canonical form is not too large to be verified. */
static JsonView
WritableArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	JsonView	view;

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, name);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	if (!CanonicalIsWritable(&view) || CanonicalSize(&view) > DOCUMENT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s is too large for a page", name),
				 errdetail("Its canonical form can have %d bytes, which is what anybody verifies.", DOCUMENT_MAX_SIZE)));
	return view;
}

PG_FUNCTION_INFO_V1(answer_eval_receipt_page);

Datum
answer_eval_receipt_page(PG_FUNCTION_ARGS)
{
	Page		page = {0};
	JsonView	terms = JsonViewNewObject(4);
	StringInfoData text;

	RequireArgument(fcinfo, 0, "document");
	RequireArgument(fcinfo, 1, "keys");
	page.values[PAGE_DOCUMENT] = WritableArgument(fcinfo, 0, "document");
	page.values[PAGE_KEYS] = WritableArgument(fcinfo, 1, "keys");
	if (page.values[PAGE_DOCUMENT].type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the document must be a JSON object"),
				 errhint("Give a signed document, as answer_receipt() returns it.")));
	if (!PG_ARGISNULL(2))
		page.values[PAGE_INCLUSION] = WritableArgument(fcinfo, 2, "inclusion");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "vkeys");
	JsonViewSet(&terms, "kinds", KindsView());
	JsonViewSet(&terms, "vkeys", PG_ARGISNULL(3) ? JsonViewNewArray(0) : VkeysView(PG_GETARG_ARRAYTYPE_P(3)));
	JsonViewSet(&terms, "parts", PartsView(&page.values[PAGE_DOCUMENT]));
	JsonViewSet(&terms, "absent", JsonViewCString(NO_PROOF));
	page.values[PAGE_TERMS] = terms;
	page.values[PAGE_ID] = TitleId(&page.values[PAGE_DOCUMENT]);
	initStringInfo(&text);
	AppendPage(&text, &page);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(text.data, text.len));
}
