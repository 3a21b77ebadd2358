/*-------------------------------------------------------------------------
 *
 * citation.c
 *		Whether an answer's citations hold.
 *
 * Pure, with a thin edge for SQL.  Rule: "Citations" of the contract of
 * grounded answers.
 *
 * Errors block: a citation of what was not retrieved, one that is repeated,
 * too many, or none where the answer does not say that it cannot answer.  The
 * first of these rules that fails ends the check.  What follows is measured
 * over valid citations only: a warning where the answer has no keyword in
 * common with what it cites; recall, the share of its sentences that a cited
 * chunk supports; precision, the share of cited chunks that support one; and
 * for each passage in quotation marks, which cited chunk holds it.
 *
 * A cited chunk supports a sentence that has a marker of it, [n] or
 * [chunk_id], or shares a keyword with it.  A marker belongs to the sentence of
 * its first token.
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
#include "check/operator.h"
#include "ground/citation.h"
#include "ground/text_set.h"

#define QUOTE_MIN_TOKENS	3
#define LEFT_QUOTE			"\xE2\x80\x9C"
#define RIGHT_QUOTE			"\xE2\x80\x9D"

typedef struct Checker
{
	ChunkSet   *chunks;
	int			ncitations;
	Span	   *citations;
	int		   *cited;			/* the chunk of each, once all are known */
	Span		answer;
	Words		words;			/* of the answer */
	Matches		matches;
	JsonView	errors;
	JsonView	warnings;
} Checker;

/* A bit for each cited chunk. */
typedef uint8 CitedBits;

StaticAssertDecl(CITATIONS_MAX_COUNT <= 8, "a cited chunk is a bit of CitedBits");

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
		JsonView	view;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(array, i, &view);
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

/* Finds the chunk of each citation; an error for each that has none. */
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

static int
CompareSpans(const void *a, const void *b)
{
	return SpanOrder(*(const Span *) a, *(const Span *) b);
}

/* One error that names each citation that stands there more than once. */
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
	qsort(sorted, checker->ncitations, sizeof(Span), CompareSpans);
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

/* Does every sentence of the answer say that it cannot answer?  Not if there is none. */
static bool
IsInsufficient(const Checker *checker)
{
	int			saying = 0;
	int			last = -1;

	for (int i = 0; i < checker->matches.count; i++)
	{
		const Match *match = &checker->matches.matches[i];
		int			sentence = checker->words.tokens[match->first].sentence;

		if (match->list != RULE_INSUFFICIENCY || sentence == last)
			continue;
		last = sentence;
		saying++;
	}
	return saying > 0 && saying == checker->words.nsentences;
}

/* The first rule that fails ends the check. */
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
	else if (checker->ncitations == 0 && !IsInsufficient(checker))
		JsonViewAppend(&checker->errors,
					   JsonViewCString("Citations are empty but answer does not indicate insufficient context"));
}

/*
 * support
 */

/* By word of the lexicon: which cited chunks have it as a keyword. */
static CitedBits *
KeywordsOfCited(Checker *checker)
{
	ChunkSet   *set = checker->chunks;
	CitedBits  *bits;

	for (int i = 0; i < checker->ncitations; i++)
		(void) ChunkRead(set, checker->cited[i]);
	bits = palloc_extended(sizeof(CitedBits) * (Size) Max(LexiconSize(set->lexicon), 1),
						   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < checker->ncitations; i++)
	{
		const Words *words = &set->chunks[checker->cited[i]].words;

		for (int j = 0; j < words->ntokens; j++)
		{
			if (IsKeyword(set->rules, set->lexicon, words->tokens[j].word))
				bits[words->tokens[j].word] |= 1 << i;
		}
	}
	return bits;
}

/* The markers of an answer: [n] and [chunk_id] of each citation. */
typedef struct Markers
{
	const Checker *checker;
	Span		texts[2 * CITATIONS_MAX_COUNT];
	CitedBits  *sentences;
} Markers;

/* The first token that ends behind a byte, or ntokens. */
static int
TokenBehind(const Words *words, int byte)
{
	int			low = 0;
	int			high = words->ntokens;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (words->tokens[middle].end <= byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A marker is there; one that has no token belongs to the token before it. */
static void
FoundMarker(void *receiver, int which, int end)
{
	Markers    *markers = receiver;
	const Words *words = &markers->checker->words;
	int			token = TokenBehind(words, end - markers->texts[which].len);

	if (token == words->ntokens || words->tokens[token].begin >= end)
		token--;
	if (token >= 0)
		markers->sentences[words->tokens[token].sentence] |=
			1 << which % markers->checker->ncitations;
}

static void
FindMarkers(const Checker *checker, CitedBits *sentences)
{
	Markers		markers = {.checker = checker, .sentences = sentences};

	if (checker->ncitations == 0)
		return;
	for (int i = 0; i < checker->ncitations; i++)
	{
		StringInfoData id;

		initStringInfo(&id);
		appendStringInfoChar(&id, '[');
		appendBinaryStringInfo(&id, checker->citations[i].str, checker->citations[i].len);
		appendStringInfoChar(&id, ']');
		markers.texts[i] = (Span) {id.data, id.len};
		/* behind the ids, so that [2] is the second citation also where an id is 2 */
		markers.texts[checker->ncitations + i] = SpanOfCString(psprintf("[%d]", i + 1));
	}
	TextSetEach(TextSetCreate(markers.texts, 2 * checker->ncitations), checker->answer,
				FoundMarker, &markers);
}

/* Which cited chunks support each sentence; tells whether any keyword is shared. */
static CitedBits *
FindSupport(Checker *checker, bool *shares_keyword)
{
	const Words *words = &checker->words;
	CitedBits  *keywords = KeywordsOfCited(checker);
	CitedBits  *sentences = palloc_extended(Max(words->nsentences, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	*shares_keyword = false;
	for (int i = 0; i < words->ntokens; i++)
	{
		CitedBits	bits = keywords[words->tokens[i].word];

		sentences[words->tokens[i].sentence] |= bits;
		*shares_keyword |= bits != 0;
	}
	FindMarkers(checker, sentences);
	pfree(keywords);
	return sentences;
}

static JsonView
Share(int part, int whole)
{
	if (whole == 0)
		return JsonViewNull();
	return JsonViewOfNumeric(RoundedQuotient(int64_to_numeric(part), int64_to_numeric(whole)));
}

static JsonView
RecallOf(const Checker *checker, const CitedBits *sentences)
{
	int			supported = 0;

	for (int i = 0; i < checker->words.nsentences; i++)
		supported += sentences[i] != 0;
	return Share(supported, checker->words.nsentences);
}

static JsonView
PrecisionOf(const Checker *checker, const CitedBits *sentences)
{
	CitedBits	supporting = 0;
	int			count = 0;

	for (int i = 0; i < checker->words.nsentences; i++)
		supporting |= sentences[i];
	for (int i = 0; i < checker->ncitations; i++)
		count += (supporting >> i) & 1;
	return Share(count, checker->ncitations);
}

/*
 * quotes
 */

typedef struct Quotes
{
	int			count;
	int			capacity;
	Span	   *texts;
} Quotes;

/* Keeps what stands between quotation marks, if it has tokens enough. */
static void
AddQuote(const Checker *checker, Quotes *quotes, Span text)
{
	const Words *words = &checker->words;
	int			begin = text.str - checker->answer.str;
	int			token = TokenBehind(words, begin);
	int			last = token + QUOTE_MIN_TOKENS - 1;

	if (last >= words->ntokens || words->tokens[last].end > begin + text.len)
		return;
	if (quotes->count == quotes->capacity)
	{
		quotes->capacity = Max(8, quotes->capacity * 2);
		quotes->texts = quotes->texts ?
			repalloc_huge(quotes->texts, sizeof(Span) * (Size) quotes->capacity) :
			palloc(sizeof(Span) * (Size) quotes->capacity);
	}
	quotes->texts[quotes->count++] = text;
}

/* The next place of a mark from p on, or NULL. */
static const char *
FindMark(const char *p, const char *end, const char *mark)
{
	size_t		len = strlen(mark);

	while ((p = memchr(p, *mark, end - p)) != NULL)
	{
		if ((size_t) (end - p) >= len && memcmp(p, mark, len) == 0)
			return p;
		p++;
	}
	return NULL;
}

/* A mark whose counterpart is missing opens nothing; then no later one of its kind does. */
static Quotes
FindQuotes(const Checker *checker)
{
	static const char *const marks[][2] = {{"\"", "\""}, {LEFT_QUOTE, RIGHT_QUOTE}};
	bool		is_open[lengthof(marks)] = {true, true};
	const char *p = checker->answer.str;
	const char *end = p + checker->answer.len;
	Quotes		quotes = {0};

	while (p < end)
	{
		const char *close = NULL;

		CHECK_FOR_INTERRUPTS();
		for (size_t i = 0; i < lengthof(marks) && close == NULL; i++)
		{
			size_t		len = strlen(marks[i][0]);

			if (!is_open[i] || (size_t) (end - p) < len || memcmp(p, marks[i][0], len) != 0)
				continue;
			close = FindMark(p + len, end, marks[i][1]);
			is_open[i] = close != NULL;
			if (close == NULL)
				continue;
			AddQuote(checker, &quotes, (Span) {p + len, (int) (close - p - len)});
			p = close + strlen(marks[i][1]);
		}
		if (close == NULL)
			p++;
	}
	return quotes;
}

/* Of each quote the first citation whose chunk holds it, or -1. */
static int *
FindQuoted(const Checker *checker, const Quotes *quotes)
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
	Quotes		quotes = FindQuotes(checker);
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

static bool
IsBlank(Span text)
{
	const char *p = text.str;
	const char *end = p + text.len;

	while (p < end)
	{
		int			len;

		if (!IsWhiteSpace(Utf8Character(p, end, &len)))
			return false;
		p += len;
	}
	return true;
}

static void
FindWarnings(Checker *checker, bool shares_keyword, CitationCheck *check)
{
	check->is_weak = checker->ncitations > 0 && !shares_keyword && !IsBlank(checker->answer) &&
		!IsInsufficient(checker);
	if (check->is_weak)
		JsonViewAppend(&checker->warnings,
					   JsonViewCString("Citation keyword overlap heuristic: No keywords from answer found in cited chunks."
									   " Citations may not directly support the answer."));
}

static void
Finish(const Checker *checker, CitationCheck *check, JsonView recall, JsonView precision, JsonView spans)
{
	check->view = JsonViewNewObject(6);
	JsonViewSet(&check->view, "citation_valid", JsonViewBool(check->is_valid));
	JsonViewSet(&check->view, "errors", checker->errors);
	JsonViewSet(&check->view, "warnings", checker->warnings);
	JsonViewSet(&check->view, "recall", recall);
	JsonViewSet(&check->view, "precision", precision);
	JsonViewSet(&check->view, "spans", spans);
}

bool
CitationsCheck(const JsonView *citations, ChunkSet *chunks, Span answer, CitationCheck *check,
			   const char **problem)
{
	Checker		checker = {
		.chunks = chunks,
		.answer = answer,
		.errors = JsonViewNewArray(0),
		.warnings = JsonViewNewArray(0)
	};
	bool		shares_keyword;
	CitedBits  *sentences;

	memset(check, 0, sizeof(*check));
	if (!ReadCitations(&checker, citations, problem))
		return false;
	WordsRead(chunks->lexicon, answer, &checker.words);
	RulesMatch(chunks->rules, &checker.words, &checker.matches);
	FindErrors(&checker);
	check->is_valid = JsonViewCount(&checker.errors) == 0;
	if (!check->is_valid)
	{
		Finish(&checker, check, JsonViewNull(), JsonViewNull(), JsonViewNewArray(0));
		return true;
	}
	sentences = FindSupport(&checker, &shares_keyword);
	FindWarnings(&checker, shares_keyword, check);
	Finish(&checker, check, RecallOf(&checker, sentences), PrecisionOf(&checker, sentences),
		   SpansOf(&checker));
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
	if (!PG_ARGISNULL(0))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &citations);
	if (!CitationsCheck(&citations, ChunksArgument(fcinfo, 1, DecisionRulesArgument(fcinfo, 3)),
						TextArgument(fcinfo, 2), &check, &problem))
		MalformedArgument(problem, "Citations are an array of chunk_ids, or NULL.");
	PG_RETURN_JSONB_P(JsonViewToJsonb(&check.view, false));
}
