/*-------------------------------------------------------------------------
 *
 * text_status.c
 *		Judges the sentences of a text that was not made by quoting (synth.answer).
 *
 * Pure.  Rule: doc/spec/plan.md §12.3, with the statuses of doc/spec/judgement.md §5
 * (ground/status.h).  A text counts as quoted if it is exactly what synth.answer makes of
 * the same evidence.  Any other text is compared, sentence by sentence, with the snippets
 * that it cites.  These are the sources with the cited uri, or, if there are none, the
 * entries of the evidence with that uri.
 *
 * A sentence is judged by the judges that the evidence names, and by the judgements of
 * its pair in the evidence or the request.  A text that cites nothing has no pairs, so
 * nobody has judged it, and nothing in it counts as quoted.  A source that is listed
 * twice is the same source.  A text is not read if it cites more than 64 sources, which
 * is more than any search returns, or if it cites nothing and there is no evidence; then
 * nobody has judged it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "ground/decision_config.h"
#include "ground/portable_numbers.h"
#include "ground/decision_receipt.h"
#include "ground/status.h"
#include "lib/stringinfo.h"
#include "plan/synth_answer.h"
#include "plan/text_status.h"

/* Adds the snippets with a uri in an array, one per line; the title is that of the first. */
static void
AddSnippets(const JsonView *array, const char *key, Span uri, StringInfo text, JsonView *title)
{
	JsonView	entry;

	for (int i = 0; array->type == JVIEW_ARRAY && JsonViewElement(array, i, &entry); i++)
	{
		Span		source;
		JsonView	snippet;

		CHECK_FOR_INTERRUPTS();
		if (entry.type != JVIEW_OBJECT || !JsonViewGetString(&entry, key, &source) ||
			!SpanEqual(source, uri) || !JsonViewGetMember(&entry, "snippet", &snippet) || snippet.type != JVIEW_STRING ||
			snippet.len == 0)
			continue;
		if (text->len > 0)
			appendStringInfoChar(text, '\n');
		else
			(void) JsonViewGetMember(&entry, "title", title);
		appendBinaryStringInfo(text, snippet.str, snippet.len);
	}
}

/* Returns a cited source as a chunk whose id is the number in its marker. */
static JsonView
ChunkOfCitation(const TextBasis *basis, int number, Span uri)
{
	static const char *const arrays[] = {"supports", "contradicts", "related"};
	JsonView	chunk = JsonViewNewObject(5);
	JsonView	title = {.type = JVIEW_ABSENT};
	JsonView	id = JsonViewCString(psprintf("%d", number));
	StringInfoData text;

	initStringInfo(&text);
	AddSnippets(basis->sources, "uri", uri, &text, &title);
	for (size_t i = 0; i < lengthof(arrays) && text.len == 0; i++)
	{
		JsonView	entries;

		if (basis->evidence->type == JVIEW_OBJECT && JsonViewGetMember(basis->evidence, arrays[i], &entries))
			AddSnippets(&entries, "source", uri, &text, &title);
	}
	JsonViewSet(&chunk, "chunk_id", id);
	JsonViewSet(&chunk, "doc_id", id);
	JsonViewSet(&chunk, "text", JsonViewString(text.data, text.len));
	JsonViewSet(&chunk, "similarity", JsonViewInteger(1));
	if (title.type == JVIEW_STRING && title.len > 0)
		JsonViewSet(&chunk, "title", title);
	return chunk;
}

/* A cited source: its uri, and its first marker. */
typedef struct CitedSource
{
	int			number;
	Span		uri;
} CitedSource;

/* Finds the cited sources, each once, and at most one more than can be judged. */
static int
FindCited(const JsonView *citations, CitedSource sources[CITED_MAX_COUNT + 1])
{
	int			count = 0;

	if (citations->type != JVIEW_ARRAY)
		return 0;
	for (int i = 0; i < JsonViewCount(citations) && count <= CITED_MAX_COUNT; i++)
	{
		JsonView	citation = JsonViewAt(citations, i);
		Span		uri = {"", 0};
		int			k = 0;

		CHECK_FOR_INTERRUPTS();
		if (citation.type == JVIEW_OBJECT)
			(void) JsonViewGetString(&citation, "uri", &uri);
		while (k < count && !SpanEqual(sources[k].uri, uri))
			k++;
		if (k == count)
			sources[count++] = (CitedSource) {i + 1, uri};
	}
	return count;
}

static ChunkSet *
ReadCited(const TextBasis *basis, const CitedSource *sources, int count)
{
	JsonView	chunks = JsonViewNewArray(count);

	for (int i = 0; i < count; i++)
		JsonViewAppend(&chunks, ChunkOfCitation(basis, sources[i].number, sources[i].uri));
	return ChunksOfView(&chunks, basis->rules);
}

/* Is the text exactly what synth.answer makes of the evidence? */
static bool
IsQuoted(const TextBasis *basis, Span text)
{
	JsonView	result;
	JsonView	quoted;
	const char *problem;

	return basis->evidence->type == JVIEW_OBJECT && SynthAnswer(basis->evidence, &result, &problem) &&
		JsonViewGetMember(&result, "text", &quoted) && SpanEqual(SpanOf(quoted.str, quoted.len), text);
}

/* Returns the judgements of the evidence, and those of the request for other pairs. */
static const Judgements *
KnownJudgements(const TextBasis *basis, const char **problem)
{
	JsonView	own = JsonViewUnder(basis->evidence, "judgements");
	JsonView	all = JsonViewNewArray(8);
	JsonView	judgement;
	const Judgements *judgements;

	judgements = ReadableJudgements(&own, problem);
	if (judgements == NULL || basis->judgements->type != JVIEW_ARRAY)
		return judgements;
	for (int i = 0; JsonViewElement(&own, i, &judgement); i++)
		JsonViewAppend(&all, judgement);
	for (int i = 0; JsonViewElement(basis->judgements, i, &judgement); i++)
	{
		Span		pair;
		Span		judge;

		CHECK_FOR_INTERRUPTS();
		if (judgement.type == JVIEW_OBJECT && JsonViewGetString(&judgement, "pair", &pair) &&
			JsonViewGetString(&judgement, "judge", &judge) &&
			JudgementFind(judgements, pair, judge) == NULL)
			JsonViewAppend(&all, judgement);
	}
	return ReadableJudgements(&all, problem);
}

/* Reads the judges that the evidence names; none if that is missing or malformed. */
static void
ReadAsking(const TextBasis *basis, DecisionConfig *config, Asking *asking)
{
	JsonView	judging;
	const char *problem;

	memset(asking, 0, sizeof(*asking));
	if (basis->evidence->type != JVIEW_OBJECT || !JsonViewGetMember(basis->evidence, "judging", &judging) ||
		judging.type != JVIEW_OBJECT)
		return;
	judging = NumbersOfPortable(&judging);
	if (!DecisionConfigParse(&judging, config, &problem))
		return;
	asking->judgements = KnownJudgements(basis, &problem);
	if (asking->judgements == NULL)
		return;
	asking->panel = &config->panels[JUDGE_ENTAILMENT];
	asking->terms = (JudgeTerms) {config->support_min, config->contradict_min};
}

static void
NoteSentence(const AnswerSentence *sentence, int number, TextStatus *status)
{
	JsonView	text = JsonViewString(sentence->text.str, sentence->text.len);

	if (sentence->status == SENTENCE_NOT_JUDGED)
		status->is_unjudged = true;
	if (status->blocked != NULL || (sentence->status != SENTENCE_MISQUOTED && sentence->status != SENTENCE_CONTRADICTED &&
									sentence->status != SENTENCE_UNSUPPORTED))
		return;
	status->blocked = sentence_status_labels[sentence->status];
	status->message = psprintf("sentence %d of the text is %s by what it cites: %s", number, status->blocked,
							   ShownValue(&text));
}

void
TextStatusFind(const TextBasis *basis, Span text, const JsonView *citations, TextStatus *status)
{
	CitedSource sources[CITED_MAX_COUNT + 1];
	int			count = FindCited(citations, sources);
	int			cited[CITED_MAX_COUNT];
	AnswerStatuses statuses;
	DecisionConfig config;
	Asking		asking;
	ChunkSet   *chunks;

	memset(status, 0, sizeof(*status));
	status->is_quoted = IsQuoted(basis, text);
	if (status->is_quoted)
		return;
	status->is_unjudged = basis->of_few ? count == 0 || count > CITATIONS_MAX_COUNT :
		count > CITED_MAX_COUNT || (count == 0 && basis->evidence->type != JVIEW_OBJECT);
	if (status->is_unjudged)
		return;
	chunks = ReadCited(basis, sources, count);
	for (int i = 0; i < count; i++)
		cited[i] = i;
	AnswerStatusesRead(chunks, count, cited, text, basis->question, &statuses);
	if (count > 0)
	{
		ReadAsking(basis, &config, &asking);
		AnswerStatusesJudge(chunks, &statuses, basis->question, &asking);
	}
	for (int i = 0; i < statuses.count; i++)
		NoteSentence(&statuses.sentences[i], i + 1, status);
	status->sentences = AnswerStatusesView(chunks, &statuses);
}
