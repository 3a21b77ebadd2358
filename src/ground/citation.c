/*-------------------------------------------------------------------------
 *
 * citation.c
 *		Checks the citations of an answer.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/decision.md §3.
 *
 * An error blocks: a cited chunk that was not retrieved, a repeated citation, too many
 * citations, or none although the answer does not say that it cannot answer.  The first
 * of these rules that fails ends the check.
 *
 * The following is computed only for valid citations: the status of each sentence
 * (status.c); a warning if the answer shares no item with what it cites; recall, the
 * share of sentences with a marker or a quote; precision, the share of cited chunks that
 * a marker names or a sentence quotes; and, for each passage in quotation marks, the
 * cited chunk that contains it.  Recall and precision depend on the texts only, not on
 * judges.
 *
 * Promises: pure; linear in the answer and the chunks, n log n in their number.
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
#include "ground/citation.h"
#include "ground/text_set.h"

#define QUOTE_MIN_TOKENS	3

typedef struct Checker
{
	ChunkSet   *chunks;
	int			ncitations;
	Span	   *citations;
	int		   *cited;			/* chunk of each citation, set when all are known */
	Span		answer;
	bool		is_insufficient;
	JsonView	errors;
	JsonView	warnings;
} Checker;

/*
 * reading
 */

static bool
ReadCitations(Checker *checker, const JsonView *array, const char **problem)
{
	*problem = NULL;
	if (array->type == JVIEW_ABSENT)
		return true;
	if (array->type != JVIEW_ARRAY)
	{
		*problem = psprintf("citations must be an array, and is %s", ShownValue(array));
		return false;
	}
	checker->ncitations = JsonViewCount(array);
	checker->citations = palloc_extended(sizeof(Span) * (Size) Max(checker->ncitations, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < checker->ncitations; i++)
	{
		JsonView	view = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		if (view.type != JVIEW_STRING)
		{
			*problem = psprintf("citations[%d] must be a string, and is %s", i, ShownValue(&view));
			return false;
		}
		checker->citations[i] = (Span) {view.str, view.len};
	}
	return true;
}

/*
 * errors
 */

static JsonView
TextView(StringInfo text)
{
	return JsonViewString(text->data, text->len);
}

/* Finds the chunk of each citation; adds an error for each without one. */
static void
MatchCitations(Checker *checker)
{
	checker->cited = palloc_extended(sizeof(int) * (Size) Max(checker->ncitations, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < checker->ncitations; i++)
	{
		Span		citation = checker->citations[i];
		const Chunk *found = ChunkOfId(checker->chunks, citation);
		StringInfoData error;

		CHECK_FOR_INTERRUPTS();
		checker->cited[i] = found ? found - checker->chunks->chunks : -1;
		if (found)
			continue;
		initStringInfo(&error);
		appendStringInfoString(&error, "Citation '");
		appendBinaryStringInfo(&error, citation.str, citation.len);
		appendStringInfoString(&error, "' does not match any retrieved chunk");
		JsonViewAppend(&checker->errors, TextView(&error));
	}
}

/* Adds one error that names all repeated citations. */
static void
FindRepeated(Checker *checker)
{
	Span	   *sorted;
	StringInfoData error;
	Span		last = {NULL, -1};
	bool		is_first = true;

	if (checker->ncitations < 2)
		return;
	sorted = palloc_extended(sizeof(Span) * (Size) checker->ncitations, MCXT_ALLOC_HUGE);
	memcpy(sorted, checker->citations, sizeof(Span) * (Size) checker->ncitations);
	qsort(sorted, checker->ncitations, sizeof(Span), SpanOrderItems);
	initStringInfo(&error);
	appendStringInfoString(&error, "Duplicate citations found: {");
	for (int i = 1; i < checker->ncitations; i++)
	{
		if (!SpanEqual(sorted[i], sorted[i - 1]) || SpanEqual(sorted[i], last))
			continue;
		last = sorted[i];
		appendStringInfoString(&error, is_first ? "'" : ", '");
		appendBinaryStringInfo(&error, last.str, last.len);
		appendStringInfoChar(&error, '\'');
		is_first = false;
	}
	appendStringInfoChar(&error, '}');
	if (!is_first)
		JsonViewAppend(&checker->errors, TextView(&error));
	pfree(sorted);
}

/* Finds the first rule that fails. */
static void
FindErrors(Checker *checker)
{
	MatchCitations(checker);
	if (JsonViewCount(&checker->errors) > 0)
		return;
	FindRepeated(checker);
	if (JsonViewCount(&checker->errors) > 0)
		return;
	if (checker->ncitations > CITATIONS_MAX_COUNT)
		JsonViewAppend(&checker->errors,
					   JsonViewCString(psprintf("Too many citations (%d), maximum is %d",
												checker->ncitations, CITATIONS_MAX_COUNT)));
	else if (checker->ncitations == 0 && !checker->is_insufficient)
		JsonViewAppend(&checker->errors,
					   JsonViewCString("Citations are empty but answer does not indicate insufficient context"));
}

/*
 * shares
 */

static JsonView
Share(int part, int whole)
{
	if (whole == 0)
		return JsonViewNull();
	return JsonViewOfNumeric(RoundedQuotient(int64_to_numeric(part), int64_to_numeric(whole)));
}

static JsonView
RecallOf(const AnswerStatuses *statuses)
{
	int			held = 0;

	for (int i = 0; i < statuses->count; i++)
		held += statuses->sentences[i].marked != 0 || statuses->sentences[i].found == SENTENCE_QUOTED;
	return Share(held, statuses->count);
}

static JsonView
PrecisionOf(const AnswerStatuses *statuses)
{
	CitedBits	counting = 0;
	int			count = 0;

	for (int i = 0; i < statuses->count; i++)
	{
		const AnswerSentence *sentence = &statuses->sentences[i];

		counting |= sentence->marked;
		if (sentence->found == SENTENCE_QUOTED)
			counting |= sentence->quoted;
	}
	for (int i = 0; i < statuses->ncitations; i++)
		count += (counting >> i) & 1;
	return Share(count, statuses->ncitations);
}

/*
 * quotations
 */

/* Returns the quotations with enough tokens. */
static Quotations
FindQuotes(const Checker *checker)
{
	Quotations	quotes;
	int			count = 0;

	QuotationsFind(checker->answer, false, &quotes);
	for (int i = 0; i < quotes.count; i++)
	{
		Words		words;

		CHECK_FOR_INTERRUPTS();
		WordsRead(checker->chunks->lexicon, quotes.texts[i], &words);
		if (words.ntokens >= QUOTE_MIN_TOKENS)
			quotes.texts[count++] = quotes.texts[i];
	}
	quotes.count = count;
	return quotes;
}

/* Returns, for each quote, the first citation whose chunk contains it, or -1. */
static int *
FindQuoted(const Checker *checker, const Quotations *quotes)
{
	int		   *holder = palloc_extended(sizeof(int) * (Size) Max(quotes->count, 1), MCXT_ALLOC_HUGE);
	bool	   *found = palloc_extended(Max(quotes->count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	TextSet    *set = TextSetCreate(quotes->texts, quotes->count);

	for (int i = 0; i < quotes->count; i++)
		holder[i] = -1;
	for (int i = 0; i < checker->ncitations; i++)
	{
		TextSetFind(set, checker->chunks->chunks[checker->cited[i]].text, found);
		for (int j = 0; j < quotes->count; j++)
		{
			if (found[j] && holder[j] < 0)
				holder[j] = i;
		}
	}
	return holder;
}

static JsonView
SpansOf(const Checker *checker)
{
	Quotations	quotes = FindQuotes(checker);
	JsonView	spans = JsonViewNewArray(quotes.count);
	int		   *holder;

	if (quotes.count == 0)
		return spans;
	holder = FindQuoted(checker, &quotes);
	for (int i = 0; i < quotes.count; i++)
	{
		Span		text = quotes.texts[i];
		int			begin = text.str - checker->answer.str;
		JsonView	span = JsonViewNewObject(4);

		JsonViewSet(&span, "chunk_id", holder[i] < 0 ? JsonViewNull() :
					JsonViewString(checker->citations[holder[i]].str, checker->citations[holder[i]].len));
		JsonViewSet(&span, "start", JsonViewInteger(begin));
		JsonViewSet(&span, "end", JsonViewInteger(begin + text.len));
		JsonViewSet(&span, "text", JsonViewString(text.str, text.len));
		JsonViewAppend(&spans, span);
	}
	return spans;
}

/*
 * the check
 */

static void
FindWarnings(Checker *checker, CitationCheck *check)
{
	check->is_weak = checker->ncitations > 0 && check->statuses.count > 0 && !check->is_insufficient &&
		!check->statuses.shares_item;
	if (check->is_weak)
		JsonViewAppend(&checker->warnings,
					   JsonViewCString("Citation keyword overlap heuristic: No keywords from answer found in cited chunks."
									   " Citations may not directly support the answer."));
}

static void
FinishCheck(Checker *checker, CitationCheck *check)
{
	bool		is_valid = check->is_valid;

	check->view = JsonViewNewObject(7);
	JsonViewSet(&check->view, "citation_valid", JsonViewBool(is_valid));
	JsonViewSet(&check->view, "errors", checker->errors);
	JsonViewSet(&check->view, "warnings", checker->warnings);
	JsonViewSet(&check->view, "recall", is_valid ? RecallOf(&check->statuses) : JsonViewNull());
	JsonViewSet(&check->view, "precision", is_valid ? PrecisionOf(&check->statuses) : JsonViewNull());
	JsonViewSet(&check->view, "spans", is_valid ? SpansOf(checker) : JsonViewNewArray(0));
	JsonViewSet(&check->view, "sentences",
				is_valid ? AnswerStatusesView(checker->chunks, &check->statuses) : JsonViewNewArray(0));
}

bool
CitationsCheck(const JsonView *citations, ChunkSet *chunks, Span answer, Span question,
			   const Asking *asking, CitationCheck *check, const char **problem)
{
	Checker		checker = {
		.chunks = chunks,
		.answer = answer,
		.errors = JsonViewNewArray(0),
		.warnings = JsonViewNewArray(0)
	};

	memset(check, 0, sizeof(*check));
	if (!ReadCitations(&checker, citations, problem))
		return false;
	checker.is_insufficient = checker.ncitations == 0 && AnswerIsInsufficient(chunks, answer);
	FindErrors(&checker);
	check->is_valid = JsonViewCount(&checker.errors) == 0;
	if (check->is_valid)
	{
		AnswerStatusesRead(chunks, checker.ncitations, checker.cited, answer, question, &check->statuses);
		AnswerStatusesJudge(chunks, &check->statuses, question, asking);
		check->is_insufficient = check->statuses.is_insufficient;
		FindWarnings(&checker, check);
	}
	FinishCheck(&checker, check);
	return true;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_citations_check);

Datum
answer_eval_citations_check(PG_FUNCTION_ARGS)
{
	JsonView	citations = {.type = JVIEW_ABSENT};
	CitationCheck check;
	const char *problem;

	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "citations");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "answer");
	LimitArgument(fcinfo, 4, DOCUMENT_MAX_SIZE, "query");
	if (!PG_ARGISNULL(0))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &citations);
	if (!CitationsCheck(&citations, ChunksArgument(fcinfo, 1, DecisionRulesArgument(fcinfo, 3)),
						TextArgument(fcinfo, 2), TextArgument(fcinfo, 4), NULL, &check, &problem))
		MalformedArgument(problem, "Citations are an array of chunk_ids, or NULL.");
	PG_RETURN_JSONB_P(JsonViewToJsonb(&check.view, false));
}
