/*-------------------------------------------------------------------------
 *
 * html.c
 *		Shows an evidence packet as an HTML page.
 *
 * Pure, with a thin SQL interface.  Manual: doc/graph.md.
 *
 * A packet contains names that anybody may have given to a file or a function.  So all
 * values are written in the same way.  Each is in an element that isolates its writing
 * direction.  Characters other than plain ASCII are written as character references.
 * Invisible characters, and those that would affect the surrounding text, are described in
 * words.  The page has no script, loads nothing, and forbids both to itself.
 *
 * Promises: ASCII in every encoding; no value can break out of its element; the same packet
 * gives the same bytes; linear in the packet.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "graph/packet.h"
#include "reading/words.h"

static const char head[] =
"<!DOCTYPE html>\n"
"<html lang=\"en\">\n"
"<head>\n"
"<meta charset=\"utf-8\">\n"
"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
"<meta name=\"referrer\" content=\"no-referrer\">\n"
"<meta name=\"viewport\" content=\"width=device-width\">\n"
"<title>Evidence packet</title>\n"
"<style>\n"
"body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }\n"
"h1, h2, h3 { line-height: 1.2 }\n"
"table { border-collapse: collapse; width: 100% }\n"
"th, td { border: 1px solid #bbb; padding: .2em .5em; text-align: left; vertical-align: top }\n"
"th { font-weight: normal; color: #555; width: 10em }\n"
"bdi { white-space: pre-wrap; overflow-wrap: anywhere }\n"
"i { color: #a00; font-size: smaller }\n"
"article { margin: 1.5em 0 }\n"
"</style>\n"
"</head>\n"
"<body>\n";

/*
 * values
 */

/*
 * Invisible characters other than format characters: the other ignorable characters
 * of Unicode (Default_Ignorable_Code_Point), line separators, a blank that counts
 * as a symbol, and noncharacters.
 */
static const struct
{
	uint32		first;
	uint32		last;
}			unseen_characters[] = {
	{0x034F, 0x034F}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2028, 0x2029}, {0x2065, 0x2065},
	{0x2800, 0x2800}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8},
	{0xE0000, 0xE0FFF}
};

/* Does a character affect the text around it, or is it invisible? */
static bool
IsSteering(uint32 c)
{
	if (c < 0x80)
		return false;
	for (size_t i = 0; i < lengthof(unseen_characters); i++)
	{
		if (c >= unseen_characters[i].first && c <= unseen_characters[i].last)
			return true;
	}
	return IsFormatCharacter(c) || (c & 0xFFFE) == 0xFFFE;
}

static void
AppendCharacter(StringInfo page, uint32 c)
{
	if (c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7F && strchr("&<>\"'", (int) c) == NULL))
		appendStringInfoChar(page, (char) c);
	else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || IsSteering(c))
		appendStringInfo(page, "<i>U+%04X</i>", c);
	else
		appendStringInfo(page, "&#%u;", c);
}

/* Everything from a packet is written to the page by this function. */
static void
AppendText(StringInfo page, const char *str, int len)
{
	const char *end = str + len;

	appendStringInfoString(page, "<bdi>");
	while (str < end)
	{
		int			character_len;
		uint32		c = Utf8Character(str, end, &character_len);

		CHECK_FOR_INTERRUPTS();
		AppendCharacter(page, c);
		str += character_len;
	}
	appendStringInfoString(page, "</bdi>");
}

static void AppendValue(StringInfo page, const JsonView *value);

static void
AppendElements(StringInfo page, const JsonView *array)
{
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element = JsonViewAt(array, i);

		if (i > 0)
			appendStringInfoString(page, ", ");
		AppendValue(page, &element);
	}
}

/* Appends a string as it is, a list with commas, everything else as JSON. */
static void
AppendValue(StringInfo page, const JsonView *value)
{
	StringInfoData json;

	if (value->type == JVIEW_STRING)
	{
		AppendText(page, value->str, value->len);
		return;
	}
	if (value->type == JVIEW_ARRAY)
	{
		AppendElements(page, value);
		return;
	}
	initStringInfo(&json);
	CanonicalWrite(&json, value, NULL);
	AppendText(page, json.data, json.len);
	pfree(json.data);
}

/*
 * tables
 */

/* Appends a row of a table, if the member exists. */
static void
AppendRow(StringInfo page, const JsonView *object, const char *name, const char *label)
{
	JsonView	value;

	if (!JsonViewGetMember(object, name, &value))
		return;
	appendStringInfo(page, "<tr><th scope=\"row\">%s</th><td>", label);
	AppendValue(page, &value);
	appendStringInfoString(page, "</td></tr>\n");
}

typedef struct Row
{
	const char *name;
	const char *label;
} Row;

static void
AppendTable(StringInfo page, const JsonView *object, const Row *rows, size_t count)
{
	appendStringInfoString(page, "<table>\n");
	for (size_t i = 0; i < count; i++)
		AppendRow(page, object, rows[i].name, rows[i].label);
	appendStringInfoString(page, "</table>\n");
}

static void
AppendMeta(StringInfo page, const JsonView *packet)
{
	static const Row rows[] = {
		{"project", "Project"}, {"timestamp", "Judged at"}, {"mode", "Mode"}, {"query_id", "Query"},
		{"options", "Options"}, {"schema_version", "Schema"}
	};
	JsonView	meta = JsonViewUnder(packet, "meta");
	JsonView	question = JsonViewUnder(&meta, "question");

	appendStringInfoString(page, "<h1>");
	AppendValue(page, &question);
	appendStringInfoString(page, "</h1>\n");
	AppendTable(page, &meta, rows, lengthof(rows));
}

static void
AppendStanding(StringInfo page, const JsonView *packet)
{
	static const Row of_packet[] = {{"status", "Status"}, {"content_hash", "Content hash"}};
	static const Row of_veracity[] = {{"confidence_score", "Confidence, of 100"}, {"is_stale", "Stale"}};
	JsonView	veracity = JsonViewUnder(packet, "context_veracity");
	JsonView	faults;

	appendStringInfoString(page, "<h2>Veracity</h2>\n");
	AppendTable(page, packet, of_packet, lengthof(of_packet));
	AppendTable(page, &veracity, of_veracity, lengthof(of_veracity));
	JsonViewGetMember(&veracity, "faults", &faults);
	if (JsonViewCount(&faults) == 0)
		return;
	appendStringInfoString(page, "<ul>\n");
	for (int i = 0; i < JsonViewCount(&faults); i++)
	{
		JsonView	fault = JsonViewAt(&faults, i);
		JsonView	value = JsonViewUnder(&fault, "type");

		appendStringInfoString(page, "<li>");
		AppendValue(page, &value);
		appendStringInfoString(page, ": ");
		JsonViewGetMember(&fault, "message", &value);
		AppendValue(page, &value);
		appendStringInfoString(page, "</li>\n");
	}
	appendStringInfoString(page, "</ul>\n");
}

static void
AppendEntry(StringInfo page, const JsonView *entry)
{
	static const Row rows[] = {
		{"id", "Id"}, {"type", "Type"}, {"path", "Path"}, {"start_line", "From line"}, {"end_line", "To line"},
		{"score", "Score"}, {"doc_type", "Document type"}, {"last_modified", "Changed, s since 1970"},
		{"docstring", "Says"}, {"neighbors", "Neighbours"}, {"neighbor_count", "Neighbours in all"}
	};
	static const Row of_provenance[] = {
		{"source_path", "Source"}, {"content_hash", "Content"}, {"extraction_method", "Extracted by"},
		{"indexed_at", "Indexed at"}
	};
	JsonView	value = JsonViewUnder(entry, "name");

	appendStringInfoString(page, "<article>\n<h3>");
	AppendValue(page, &value);
	appendStringInfoString(page, "</h3>\n");
	AppendTable(page, entry, rows, lengthof(rows));
	JsonViewGetMember(entry, "provenance", &value);
	AppendTable(page, &value, of_provenance, lengthof(of_provenance));
	appendStringInfoString(page, "</article>\n");
}

static void
AppendEntries(StringInfo page, const JsonView *packet, const char *name, const char *title)
{
	JsonView	entries = JsonViewUnder(packet, name);

	if (JsonViewCount(&entries) == 0)
		return;
	appendStringInfo(page, "<h2>%s</h2>\n", title);
	for (int i = 0; i < JsonViewCount(&entries); i++)
	{
		JsonView	entry = JsonViewAt(&entries, i);

		AppendEntry(page, &entry);
	}
}

static void
AppendRelations(StringInfo page, const JsonView *packet)
{
	static const char *const columns[] = {"from", "type", "to"};
	JsonView	relations = JsonViewUnder(packet, "graph_relationships");

	if (JsonViewCount(&relations) == 0)
		return;
	appendStringInfoString(page, "<h2>Relationships</h2>\n<table>\n");
	for (int i = 0; i < JsonViewCount(&relations); i++)
	{
		JsonView	relation = JsonViewAt(&relations, i);

		appendStringInfoString(page, "<tr>");
		for (size_t k = 0; k < lengthof(columns); k++)
		{
			JsonView	value = JsonViewUnder(&relation, columns[k]);

			appendStringInfoString(page, "<td>");
			AppendValue(page, &value);
			appendStringInfoString(page, "</td>");
		}
		appendStringInfoString(page, "</tr>\n");
	}
	appendStringInfoString(page, "</table>\n");
}

static void
AppendActions(StringInfo page, const JsonView *packet)
{
	JsonView	actions = JsonViewUnder(packet, "suggested_actions");

	if (JsonViewCount(&actions) == 0)
		return;
	appendStringInfoString(page, "<h2>What to do</h2>\n<ul>\n");
	for (int i = 0; i < JsonViewCount(&actions); i++)
	{
		JsonView	action = JsonViewAt(&actions, i);

		appendStringInfoString(page, "<li>");
		AppendValue(page, &action);
		appendStringInfoString(page, "</li>\n");
	}
	appendStringInfoString(page, "</ul>\n");
}

/* Appends prose, and tells the reader that it is not from the graph. */
static void
AppendBrief(StringInfo page, const JsonView *packet)
{
	JsonView	brief;

	if (!JsonViewGetMember(packet, "technical_brief", &brief))
		return;
	appendStringInfoString(page, "<h2>Brief, which is not of the graph</h2>\n<p>");
	AppendValue(page, &brief);
	appendStringInfoString(page, "</p>\n");
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_packet_html);

Datum
answer_eval_packet_html(PG_FUNCTION_ARGS)
{
	JsonView	packet;
	StringInfoData page;

	RequireArgument(fcinfo, 0, "packet");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "packet");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &packet);
	PacketRequireSound(&packet);
	initStringInfo(&page);
	appendStringInfoString(&page, head);
	AppendMeta(&page, &packet);
	AppendBrief(&page, &packet);
	AppendStanding(&page, &packet);
	AppendEntries(&page, &packet, "code_truth", "Code");
	AppendEntries(&page, &packet, "doc_claims", "Documents");
	AppendRelations(&page, &packet);
	AppendActions(&page, &packet);
	appendStringInfoString(&page, "</body>\n</html>\n");
	PG_RETURN_TEXT_P(cstring_to_text_with_len(page.data, page.len));
}

/* Does the same for any text, for other pages. */
PG_FUNCTION_INFO_V1(answer_eval_html_text);

Datum
answer_eval_html_text(PG_FUNCTION_ARGS)
{
	Span		utf8 = Utf8OfText(PG_GETARG_TEXT_PP(0));
	StringInfoData page;

	initStringInfo(&page);
	AppendText(&page, utf8.str, utf8.len);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(page.data, page.len));
}
