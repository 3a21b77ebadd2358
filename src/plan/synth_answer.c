/*-------------------------------------------------------------------------
 *
 * synth_answer.c
 *		synth.answer: makes an answer from quotes of evidence alone.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §12.1.
 *
 * Supporting sentences are quoted first, then related ones, each in the order of the
 * evidence and each sentence once, followed by the marker of its source.  Sources with
 * the same uri are one citation, with the title and stamp of the first.  Markers count
 * from 1 in order of first use.  A bracketed number in a quote is put in parentheses, so
 * that no source can insert a marker.  Entries without text are skipped.
 *
 * Promises: pure; n log n; adds no words of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/span.h"
#include "check/operator.h"
#include "plan/marker.h"
#include "plan/synth_answer.h"

/* An entry to quote. */
typedef struct Quote
{
	Span		source;
	Span		snippet;
	JsonView	title;			/* or absent, also stamp */
	JsonView	stamp;
	int			number;			/* position in the evidence */
	bool		is_repeated;	/* is there an equal text before it? */
	int			first_of_source;	/* number of the first quote from this source */
	int			citation;		/* set in that first quote, from 1; 0: none yet */
} Quote;

typedef struct Quotes
{
	int			count;
	Quote	   *quotes;
	const char *problem;
} Quotes;

/* Reads one entry.  Returns NULL, or what is wrong. */
static const char *
ReadQuote(const JsonView *entry, const char *array, int index, Quote *quote)
{
	JsonView	view;

	memset(quote, 0, sizeof(*quote));
	if (entry->type != JVIEW_OBJECT)
		return psprintf("%s[%d] must be an object, and is %s", array, index, ShownValue(entry));
	if (!JsonViewGetMember(entry, "source", &view) || view.type != JVIEW_STRING || view.len == 0)
		return ElementProblem(array, index, "source", "must be a string that is not empty", &view);
	quote->source = SpanOf(view.str, view.len);
	if (!JsonViewGetTextOrNone(entry, "snippet", &view))
		return ElementProblem(array, index, "snippet", "must be a string or null", &view);
	if (view.type == JVIEW_STRING)
		quote->snippet = TrimWhiteSpace(SpanOf(view.str, view.len));
	if (!JsonViewGetTextOrNone(entry, "title", &quote->title))
		return ElementProblem(array, index, "title", "must be a string or null", &quote->title);
	if (!JsonViewGetTextOrNone(entry, "stamp", &quote->stamp))
		return ElementProblem(array, index, "stamp", "must be a string or null", &quote->stamp);
	return NULL;
}

/* Reads the entries of one array, which may be absent. */
static bool
ReadQuotes(Quotes *quotes, const JsonView *evidence, const char *key)
{
	const char *place = psprintf("evidence.%s", key);
	JsonView	array;
	int			count;

	if (!JsonViewGetMember(evidence, key, &array))
		return true;
	if (array.type != JVIEW_ARRAY)
	{
		quotes->problem = psprintf("%s must be an array, and is %s", place, ShownValue(&array));
		return false;
	}
	count = JsonViewCount(&array);
	quotes->quotes = quotes->quotes == NULL ?
		palloc_extended(sizeof(Quote) * ((Size) count + 1), MCXT_ALLOC_HUGE) :
		repalloc_huge(quotes->quotes, sizeof(Quote) * ((Size) quotes->count + count + 1));
	for (int i = 0; i < count; i++)
	{
		JsonView	entry = JsonViewAt(&array, i);
		Quote	   *quote = &quotes->quotes[quotes->count];

		CHECK_FOR_INTERRUPTS();
		quotes->problem = ReadQuote(&entry, place, i, quote);
		if (quotes->problem)
			return false;
		quote->number = quotes->count;
		quotes->count += quote->snippet.len > 0;
	}
	return true;
}

static int
CompareSnippets(const void *a, const void *b)
{
	const Quote *left = *(const Quote *const *) a;
	const Quote *right = *(const Quote *const *) b;
	int			cmp = SpanCompare(left->snippet, right->snippet);

	return cmp != 0 ? cmp : (left->number > right->number) - (left->number < right->number);
}

static int
CompareSources(const void *a, const void *b)
{
	const Quote *left = *(const Quote *const *) a;
	const Quote *right = *(const Quote *const *) b;
	int			cmp = SpanCompare(left->source, right->source);

	if (cmp != 0)
		return cmp;
	/* repeated texts are not quoted and have no citation */
	if (left->is_repeated != right->is_repeated)
		return left->is_repeated - right->is_repeated;
	return (left->number > right->number) - (left->number < right->number);
}

/* Finds repeated texts, and the first quote of each source. */
static void
FindFirst(Quotes *quotes)
{
	Quote	  **sorted = palloc_extended(sizeof(Quote *) * ((Size) quotes->count + 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < quotes->count; i++)
		sorted[i] = &quotes->quotes[i];
	qsort(sorted, quotes->count, sizeof(Quote *), CompareSnippets);
	for (int i = 1; i < quotes->count; i++)
		sorted[i]->is_repeated = SpanEqual(sorted[i]->snippet, sorted[i - 1]->snippet);
	qsort(sorted, quotes->count, sizeof(Quote *), CompareSources);
	for (int i = 0; i < quotes->count; i++)
	{
		sorted[i]->first_of_source = i > 0 && SpanEqual(sorted[i]->source, sorted[i - 1]->source) ?
			sorted[i - 1]->first_of_source : sorted[i]->number;
	}
	pfree(sorted);
}

static JsonView
CitationView(const Quote *quote)
{
	JsonView	citation = JsonViewNewObject(3);

	JsonViewSet(&citation, "uri", JsonViewString(quote->source.str, quote->source.len));
	if (quote->title.type != JVIEW_ABSENT)
		JsonViewSet(&citation, "title", quote->title);
	if (quote->stamp.type != JVIEW_ABSENT)
		JsonViewSet(&citation, "stamp", quote->stamp);
	return citation;
}

static void
AppendQuote(StringInfo text, Span snippet, int citation)
{
	Span		quoted = MarkersQuoted(snippet);

	if (text->len > 0)
		appendStringInfoChar(text, ' ');
	appendBinaryStringInfo(text, quoted.str, quoted.len);
	appendStringInfo(text, " [%d]", citation);
}

bool
SynthAnswer(const JsonView *evidence, JsonView *result, const char **problem)
{
	Quotes		quotes = {0};
	StringInfoData text;
	JsonView	citations = JsonViewNewArray(4);

	*problem = evidence->type == JVIEW_OBJECT ? NULL :
		psprintf("evidence must be an object, and is %s", ShownValue(evidence));
	if (*problem)
		return false;
	if (!ReadQuotes(&quotes, evidence, "supports") || !ReadQuotes(&quotes, evidence, "related"))
	{
		*problem = quotes.problem;
		return false;
	}
	FindFirst(&quotes);
	initStringInfo(&text);
	for (int i = 0; i < quotes.count; i++)
	{
		const Quote *quote = &quotes.quotes[i];
		Quote	   *first = &quotes.quotes[quote->first_of_source];

		CHECK_FOR_INTERRUPTS();
		if (quote->is_repeated)
			continue;
		if (first->citation == 0)
		{
			JsonViewAppend(&citations, CitationView(first));
			first->citation = JsonViewCount(&citations);
		}
		AppendQuote(&text, quote->snippet, first->citation);
	}
	*result = JsonViewNewObject(2);
	JsonViewSet(result, "text", JsonViewString(text.data, text.len));
	JsonViewSet(result, "citations", citations);
	return true;
}

/*
 * SQL
 */

/* answer.tool_synth_answer(args) */
PG_FUNCTION_INFO_V1(answer_eval_tool_synth_answer);
Datum
answer_eval_tool_synth_answer(PG_FUNCTION_ARGS)
{
	JsonView	args;
	JsonView	evidence = {.type = JVIEW_ABSENT};
	JsonView	result;
	const char *problem;

	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "args");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &args);
	if (args.type != JVIEW_OBJECT || !JsonViewGetMember(&args, "evidence", &evidence))
		MalformedArgument("evidence must be an object, and is missing", "The arguments are {query, evidence, style?}.");
	if (!SynthAnswer(&evidence, &result, &problem))
		MalformedArgument(problem, "Evidence is {supports: [{source, snippet, title?, stamp?}], related: [likewise]}.");
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}
