/*-------------------------------------------------------------------------
 *
 * extract.c
 *		An answer made of sentences of the chunks, and of nothing else.
 *
 * Rule: the contract of grounded answers, "The whole way"; which sentences are
 * taken is ours, and this is all of it.  Of the chunks at least as similar as the
 * configuration's conflict_min_similarity each offers one sentence: of those with
 * three tokens or more and without a question mark the one that holds most of the
 * query's keywords, the first of several.  Those that hold most come first, then
 * by the order of their chunks.  A sentence is left out if it holds less than half
 * as many as the best one, none, or is there already; at most MOST_QUOTES are
 * taken.  Where none is left, the first sentence of the first chunk that has any
 * is.  Each stands in quotes, its punctuation included, with the number of its
 * citation behind it.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/fmgrprotos.h"

#include "ground/extract.h"

#define MOST_QUOTES		3
#define LEAST_TOKENS	3

/* What a chunk offers. */
typedef struct Offer
{
	Span		quote;			/* empty: nothing */
	int			shared;			/* of the query's keywords */
} Offer;

typedef struct Extract
{
	const DecisionRules *rules;
	Lexicon    *lexicon;
	int			nwords;			/* in the query's lexicon */
	int		   *counted;		/* by word: the sentence that it was counted in last, -1: no keyword */
	int			sentence;
} Extract;

/* Appends a quote with the number of its citation, from 1 on. */
void
ExtractAppend(StringInfo answer, Span quote, int citation)
{
	if (answer->len > 0)
		appendStringInfoChar(answer, ' ');
	appendStringInfoChar(answer, '"');
	appendBinaryStringInfo(answer, quote.str, quote.len);
	appendStringInfo(answer, "\" [%d]", citation);
}

static bool
IsBlank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* Where what closes a sentence ends that ends before this place: all up to a blank. */
static int
CloseEnd(const Words *words, int place, int limit)
{
	while (place < limit && !IsBlank(words->text.str[place]))
		place++;
	return place;
}

static bool
Stands(const Words *words, int place, int limit, const char *mark)
{
	int			len = strlen(mark);

	return limit - place >= len && memcmp(words->text.str + place, mark, len) == 0;
}

/* Where the text of a sentence ends behind its last token: with what closes it, or at the end of its line. */
static int
SentenceStop(const Words *words, int place, int limit)
{
	int			stop = CloseEnd(words, place, limit);
	int			line = place;

	for (; line < limit && words->text.str[line] != '\n'; line++)
	{
		if (strchr(".!?", words->text.str[line]) || Stands(words, line, limit, "\xE2\x80\xA6"))
			return Max(stop, CloseEnd(words, line, limit));
	}
	/* closed without a mark of these: a line end, the text's end, or a mark of another script */
	if (line == limit && limit < words->text.len)
		return stop;
	while (line > stop && IsBlank(words->text.str[line - 1]))
		line--;
	return line;
}

/* Where a sentence begins whose number stands at "start": at the sign of its currency, if a space is between. */
static int
CurrencyStart(const Words *words, int start, int floor)
{
	static const char *const signs[] = {"$", "\xE2\x82\xAC", "\xC2\xA3"};

	for (size_t i = 0; start > floor && words->text.str[start - 1] == ' ' && i < lengthof(signs); i++)
	{
		int			sign = start - 1 - (int) strlen(signs[i]);

		if (sign >= floor && Stands(words, sign, start, signs[i]))
			return sign;
	}
	return start;
}

/* So no number loses its unit. */
Span
SentenceText(const Words *words, int first, int end)
{
	int			limit = end < words->ntokens ? words->tokens[end].begin : words->text.len;
	int			stop = SentenceStop(words, words->tokens[end - 1].end, limit);
	int			floor = 0;
	int			start = words->tokens[first].begin;

	if (first > 0)
		floor = CloseEnd(words, words->tokens[first - 1].end, start);
	while (start > floor && !IsBlank(words->text.str[start - 1]))
		start--;
	start = CurrencyStart(words, start, floor);
	return SpanOf(words->text.str + start, stop - start);
}

static bool
IsAsked(Span sentence)
{
	return memchr(sentence.str, '?', sentence.len) != NULL;
}

/* How many of the query's keywords stand between two tokens? */
static int
CountShared(Extract *extract, const Words *words, int first, int end)
{
	int			shared = 0;

	extract->sentence++;
	for (int i = first; i < end; i++)
	{
		int			word = words->tokens[i].word;

		if (word >= extract->nwords || extract->counted[word] < 0 ||
			extract->counted[word] == extract->sentence)
			continue;
		extract->counted[word] = extract->sentence;
		shared++;
	}
	return shared;
}

/* The best sentence of a chunk; or its first one, whatever it holds. */
static Offer
OfferOf(Extract *extract, Span text, bool any)
{
	Offer		best = {{"", 0}, -1};
	Words		words;

	WordsRead(extract->lexicon, text, &words);
	for (int first = 0; first < words.ntokens;)
	{
		int			end = SentenceEnd(&words, first);
		Offer		offer = {SentenceText(&words, first, end), 0};

		CHECK_FOR_INTERRUPTS();
		if (any)
			return offer;
		offer.shared = CountShared(extract, &words, first, end);
		if (end - first >= LEAST_TOKENS && offer.shared > best.shared && !IsAsked(offer.quote))
			best = offer;
		first = end;
	}
	return best;
}

/* Marks the keywords of the query. */
static void
ReadKeywords(Extract *extract, Span query)
{
	Words		words;

	WordsRead(extract->lexicon, query, &words);
	extract->nwords = LexiconSize(extract->lexicon);
	extract->counted = palloc(sizeof(int) * (Size) Max(extract->nwords, 1));
	for (int i = 0; i < extract->nwords; i++)
		extract->counted[i] = -1;
	for (int i = 0; i < words.ntokens; i++)
	{
		if (IsKeyword(extract->rules, extract->lexicon, words.tokens[i].word))
			extract->counted[words.tokens[i].word] = 0;
	}
}

/* Is a chunk, such as can be read, at least so similar? */
bool
ChunkIsSimilar(const JsonView *chunk, Numeric least)
{
	JsonView	similarity;
	Numeric		numeric;

	return JsonViewGetMember(chunk, "similarity", &similarity) && JsonViewNumeric(&similarity, &numeric) &&
		DatumGetBool(DirectFunctionCall2(numeric_ge, NumericGetDatum(numeric),
										 NumericGetDatum(least)));
}

static Span
ChunkText(const JsonView *chunk)
{
	Span		text = {"", 0};

	(void) JsonViewGetString(chunk, "text", &text.str, &text.len);
	return text;
}

/* What was proposed, on its way. */
typedef struct Proposal
{
	StringInfoData answer;
	JsonView	citations;
	JsonView	quotes;
} Proposal;

static bool
IsQuoted(const Proposal *proposal, Span quote)
{
	for (int i = 0; i < JsonViewCount(&proposal->quotes); i++)
	{
		JsonView	other;

		JsonViewElement(&proposal->quotes, i, &other);
		if (SpanEqual(SpanOf(other.str, other.len), quote))
			return true;
	}
	return false;
}

static void
Quote(Proposal *proposal, const JsonView *chunk, Span quote)
{
	JsonView	chunk_id;

	if (quote.len == 0 || IsQuoted(proposal, quote))
		return;
	JsonViewGetMember(chunk, "chunk_id", &chunk_id);
	JsonViewAppend(&proposal->citations, chunk_id);
	JsonViewAppend(&proposal->quotes, JsonViewString(quote.str, quote.len));
	ExtractAppend(&proposal->answer, quote, JsonViewCount(&proposal->quotes));
}

/* Takes what is good enough of what the chunks offer. */
static void
QuoteBest(Proposal *proposal, Extract *extract, const JsonView *chunks, const DecisionConfig *config)
{
	int			count = JsonViewCount(chunks);
	Offer	   *offers = palloc0(sizeof(Offer) * (Size) Max(count, 1));
	int			most = 0;
	JsonView	chunk;

	for (int i = 0; i < count; i++)
	{
		JsonViewElement(chunks, i, &chunk);
		if (ChunkIsSimilar(&chunk, config->conflict_min_similarity))
			offers[i] = OfferOf(extract, ChunkText(&chunk), false);
		most = Max(most, offers[i].shared);
	}
	for (int shared = most; shared > 0 && 2 * shared >= most; shared--)
	{
		for (int i = 0; i < count && JsonViewCount(&proposal->quotes) < MOST_QUOTES; i++)
		{
			CHECK_FOR_INTERRUPTS();
			JsonViewElement(chunks, i, &chunk);
			if (offers[i].shared == shared)
				Quote(proposal, &chunk, offers[i].quote);
		}
	}
}

/* Takes the first sentence that there is. */
static void
QuoteFirst(Proposal *proposal, Extract *extract, const JsonView *chunks)
{
	for (int i = 0; i < JsonViewCount(chunks) && JsonViewCount(&proposal->quotes) == 0; i++)
	{
		JsonView	chunk;

		JsonViewElement(chunks, i, &chunk);
		Quote(proposal, &chunk, OfferOf(extract, ChunkText(&chunk), true).quote);
	}
}

/*
 * Extracts an answer: {"by", "answer", "citations", "quotes"}.  The chunks are
 * such as can be read, in their order.  Chunks without a word give an empty one,
 * which no check lets pass.
 */
JsonView
ExtractAnswer(Span query, const JsonView *chunks, const DecisionRules *rules, const DecisionConfig *config)
{
	Extract		extract = {.rules = rules,.lexicon = RulesLexicon(rules)};
	JsonView	proposed = JsonViewNewObject(4);
	Proposal	proposal;

	initStringInfo(&proposal.answer);
	proposal.citations = JsonViewNewArray(MOST_QUOTES);
	proposal.quotes = JsonViewNewArray(MOST_QUOTES);
	ReadKeywords(&extract, query);
	QuoteBest(&proposal, &extract, chunks, config);
	QuoteFirst(&proposal, &extract, chunks);
	JsonViewSet(&proposed, "by", JsonViewCString("extract"));
	JsonViewSet(&proposed, "answer", JsonViewString(proposal.answer.data, proposal.answer.len));
	JsonViewSet(&proposed, "citations", proposal.citations);
	JsonViewSet(&proposed, "quotes", proposal.quotes);
	return proposed;
}
