/*-------------------------------------------------------------------------
 *
 * marker.c
 *		Checks the markers in an answer's text against its list of citations.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §4.
 *
 * Markers count from 1 in order of first use.  Each marker must refer to a citation,
 * and each citation must be used.  If citations are mandatory and there are none, the
 * check fails.  [0] is a marker that refers to nothing; [01] is no marker.  In quoted
 * text a number in brackets is written in parentheses, so that no source can insert
 * a marker.
 *
 * A reference is one line.  White space in a title becomes one blank; in a uri it is
 * percent-encoded, and so are control characters.  So one citation cannot look like
 * two.
 *
 * Promises: pure; linear, except for sorting markers that refer to nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "check/operator.h"
#include "ground/chunk.h"
#include "reading/words.h"
#include "plan/marker.h"

/* YYYY-MM-DD */
#define DATE_LENGTH		10

/* A citation; the title may be empty. */
typedef struct Citation
{
	Span		uri;
	Span		title;
	bool		has_instant;
	TimestampTz instant;
} Citation;

/*
 * citations
 */

/* Reads one citation.  Returns NULL, or what is wrong. */
static const char *
ReadCitation(const JsonView *view, int index, Citation *citation)
{
	JsonView	member;

	memset(citation, 0, sizeof(*citation));
	if (view->type != JVIEW_OBJECT)
		return psprintf("citations[%d] must be an object, and is %s", index, ShownValue(view));
	if (!JsonViewGetMember(view, "uri", &member) || member.type != JVIEW_STRING || member.len == 0)
		return ElementProblem("citations", index, "uri", "must be a string that is not empty", &member);
	citation->uri = SpanOf(member.str, member.len);
	if (JsonViewGetMember(view, "title", &member) && member.type != JVIEW_NULL)
	{
		if (member.type != JVIEW_STRING)
			return ElementProblem("citations", index, "title", "must be a string or null", &member);
		citation->title = TrimWhiteSpace(SpanOf(member.str, member.len));
	}
	if (JsonViewGetMember(view, "stamp", &member) && member.type != JVIEW_NULL)
	{
		if (member.type != JVIEW_STRING)
			return ElementProblem("citations", index, "stamp", "must be a string or null", &member);
		/* an invalid timestamp gives no date */
		citation->has_instant = ChunkInstantParse(SpanOf(member.str, member.len), &citation->instant) &&
			InstantIsWritable(citation->instant);
	}
	return NULL;
}

/* Reads an array of citations; absent: none. If it is malformed, returns false and sets *malformed. */
static bool
ReadCitations(const JsonView *array, Citation **citations, int *count, const char **malformed)
{
	*malformed = NULL;
	*count = 0;
	if (array->type == JVIEW_ABSENT)
		return true;
	if (array->type != JVIEW_ARRAY)
	{
		*malformed = psprintf("citations must be an array, and is %s", ShownValue(array));
		return false;
	}
	*count = JsonViewCount(array);
	*citations = palloc_extended(sizeof(Citation) * (Size) Max(*count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *count && *malformed == NULL; i++)
	{
		JsonView	view = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		*malformed = ReadCitation(&view, i, &(*citations)[i]);
	}
	return *malformed == NULL;
}

/*
 * markers
 */

/* Returns the bytes of the bracketed number at a byte, or 0. */
static int
MeasureBracketed(Span text, int at)
{
	int			end = at + 1;

	if (text.str[at] != '[')
		return 0;
	while (end < text.len && IsAsciiDigit(text.str[end]))
		end++;
	return end > at + 1 && end < text.len && text.str[end] == ']' ? end + 1 - at : 0;
}

/* Returns the digits of the next marker from *at on, and moves *at behind it; empty if there is none. */
static Span
NextMarker(Span text, int *at)
{
	while (*at < text.len)
	{
		int			len = MeasureBracketed(text, *at);
		Span		digits = SpanOf(text.str + *at + 1, len - 2);

		CHECK_FOR_INTERRUPTS();
		*at += len > 0 ? len : 1;
		if (len > 0 && (digits.str[0] != '0' || digits.len == 1))
			return digits;
	}
	return SpanOf(NULL, 0);
}

/* Returns the number of a marker if it is from 1 to "most", else 0. */
static int
MarkerNumber(Span digits, int most)
{
	int64		number = 0;

	for (int i = 0; i < digits.len && number <= most; i++)
		number = number * 10 + (digits.str[i] - '0');
	return number <= most ? number : 0;
}

/* Markers that refer to nothing, in order of appearance. */
typedef struct Strays
{
	int			count;
	int			capacity;
	Span	   *digits;
} Strays;

static void
AddStray(Strays *strays, Span digits)
{
	GROW_ARRAY(strays->digits, strays->count, strays->capacity, 8);
	strays->digits[strays->count++] = digits;
}

static void
AddProblem(JsonView *problems, char *problem)
{
	JsonViewAppend(problems, JsonViewCString(problem));
}

/* Adds a problem for each number, smallest first. */
static void
ReportStrays(Strays *strays, int count, JsonView *problems)
{
	qsort(strays->digits, strays->count, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < strays->count; i++)
	{
		Span		digits = strays->digits[i];

		if (i > 0 && SpanEqual(digits, strays->digits[i - 1]))
			continue;
		AddProblem(problems, psprintf("marker [%.*s%s] refers to no citation; there %s %d",
									  Min(digits.len, 20), digits.str, digits.len > 20 ? "..." : "",
									  count == 1 ? "is" : "are", count));
	}
}

/* Which citations a text uses. */
typedef struct Usage
{
	int			count;			/* number of citations */
	bool	   *is_used;		/* by citation number, from 1 */
	int			next;			/* expected number of the next citation to be used for the first time */
	bool		is_in_order;
	Strays		strays;
	JsonView   *problems;
} Usage;

static void
UseMarker(Usage *usage, Span digits)
{
	int			number = MarkerNumber(digits, usage->count);

	if (number == 0)
	{
		AddStray(&usage->strays, digits);
		return;
	}
	if (usage->is_used[number])
		return;
	/* only the first one out of order is reported */
	if (number != usage->next && usage->is_in_order)
	{
		AddProblem(usage->problems,
				   psprintf("marker [%d] is used first where [%d] must be; markers count from 1 in the order of their first use",
							number, usage->next));
		usage->is_in_order = false;
	}
	usage->is_used[number] = true;
	usage->next++;
}

bool
MarkersCheck(Span text, const JsonView *citations, bool needs_citation, JsonView *problems,
			 const char **malformed)
{
	Usage		usage = {.next = 1, .is_in_order = true, .problems = problems};
	Citation   *read;
	int			at = 0;
	Span		digits;

	if (!ReadCitations(citations, &read, &usage.count, malformed))
		return false;
	*problems = JsonViewNewArray(0);
	usage.is_used = palloc_extended((Size) usage.count + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (needs_citation && usage.count == 0)
		AddProblem(problems, "citations are mandatory, and there are none");
	while ((digits = NextMarker(text, &at)).len > 0)
		UseMarker(&usage, digits);
	ReportStrays(&usage.strays, usage.count, problems);
	for (int i = 1; i <= usage.count; i++)
	{
		if (!usage.is_used[i])
			AddProblem(problems, psprintf("citation %d has no marker [%d] in the text", i, i));
	}
	return true;
}

Span
MarkersQuoted(Span text)
{
	char	   *quoted = NULL;

	for (int at = 0; at < text.len;)
	{
		int			len = MeasureBracketed(text, at);

		if (len > 0)
		{
			if (quoted == NULL)
			{
				quoted = palloc_extended(text.len, MCXT_ALLOC_HUGE);
				memcpy(quoted, text.str, text.len);
			}
			quoted[at] = '(';
			quoted[at + len - 1] = ')';
		}
		at += len > 0 ? len : 1;
	}
	return quoted ? SpanOf(quoted, text.len) : text;
}

/*
 * the list of references
 */

/* Appends a title: white space becomes one blank, and Markdown characters get a backslash. */
static void
AppendTitle(StringInfo list, Span title)
{
	const char *p = title.str;
	const char *end = p + title.len;
	bool		was_space = false;

	while (p < end)
	{
		int			len;
		bool		is_space = IsWhiteSpace(Utf8Character(p, end, &len));

		if (is_space && !was_space)
			appendStringInfoChar(list, ' ');
		else if (!is_space)
		{
			if (*p == '*' || *p == '[' || *p == ']')
				appendStringInfoChar(list, '\\');
			appendBinaryStringInfo(list, p, len);
		}
		was_space = is_space;
		p += len;
	}
}

static void
AppendUri(StringInfo list, Span uri)
{
	const char *p = uri.str;
	const char *end = p + uri.len;

	while (p < end)
	{
		int			len;
		uint32		character = Utf8Character(p, end, &len);

		if (character < 0x20 || character == 0x7F || IsWhiteSpace(character))
		{
			for (int i = 0; i < len; i++)
				appendStringInfo(list, "%%%02X", (unsigned char) p[i]);
		}
		else
			appendBinaryStringInfo(list, p, len);
		p += len;
	}
}

static void
AppendReference(StringInfo list, const Citation *citation, int number)
{
	char		updated[INSTANT_SIZE];

	appendStringInfo(list, "[%d] ", number);
	if (citation->title.len > 0)
	{
		appendStringInfoChar(list, '*');
		AppendTitle(list, citation->title);
		appendStringInfoString(list, "*, ");
	}
	AppendUri(list, citation->uri);
	if (citation->has_instant)
	{
		InstantFormat(citation->instant, updated);
		appendStringInfo(list, " (updated %.*s)", DATE_LENGTH, updated);
	}
	appendStringInfoChar(list, '.');
}

/*
 * Writes the list of references, one per line, without a final newline; empty
 * without citations.  If the citations are malformed, returns false and sets
 * *malformed.
 */
static bool
ReferenceListWrite(const JsonView *citations, Span *list, const char **malformed)
{
	Citation   *read;
	int			count;
	StringInfoData text;

	if (!ReadCitations(citations, &read, &count, malformed))
		return false;
	initStringInfo(&text);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i > 0)
			appendStringInfoChar(&text, '\n');
		AppendReference(&text, &read[i], i + 1);
	}
	*list = SpanOf(text.data, text.len);
	return true;
}

/*
 * SQL
 */

static const char citations_hint[] = "Citations are an array of {uri, title, stamp}, or NULL.";

static JsonView
CitationsArgument(FunctionCallInfo fcinfo, int n)
{
	JsonView	view = {.type = JVIEW_ABSENT};

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, "citations");
	if (!PG_ARGISNULL(n))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	return view;
}

PG_FUNCTION_INFO_V1(answer_eval_markers_check);

Datum
answer_eval_markers_check(PG_FUNCTION_ARGS)
{
	JsonView	citations;
	JsonView	problems;
	JsonView	result = JsonViewNewObject(2);
	const char *malformed;

	RequireArgument(fcinfo, 0, "text");
	RequireArgument(fcinfo, 2, "needs_citation");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "text");
	citations = CitationsArgument(fcinfo, 1);
	if (!MarkersCheck(TextArgument(fcinfo, 0), &citations, PG_GETARG_BOOL(2), &problems, &malformed))
		MalformedArgument(malformed, citations_hint);
	JsonViewSet(&result, "ok", JsonViewBool(JsonViewCount(&problems) == 0));
	JsonViewSet(&result, "problems", problems);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

PG_FUNCTION_INFO_V1(answer_eval_references);

Datum
answer_eval_references(PG_FUNCTION_ARGS)
{
	JsonView	citations = CitationsArgument(fcinfo, 0);
	Span		list;
	const char *malformed;

	if (!ReferenceListWrite(&citations, &list, &malformed))
		MalformedArgument(malformed, citations_hint);
	PG_RETURN_DATUM(SpanDatum(list));
}
