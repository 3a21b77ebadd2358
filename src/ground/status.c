/*-------------------------------------------------------------------------
 *
 * status.c
 *		Gives each sentence of an answer its status: quoted, judged, or not judged.
 *
 * Pure.  Rule: doc/spec/judgement.md §5.
 *
 * Markers are [n], or [chunk_id] of a cited chunk.  They are removed together with the white
 * space before them.  They say which chunks count for the sentence that they are in or
 * after; for a sentence without a marker all cited chunks count.  Then the remaining text
 * is read, and from the texts alone a sentence is insufficient, misquoted, quoted,
 * contradicted or open.  Open sentences are left to judges.  Only a judge can notice what a
 * quotation leaves out.
 *
 * Promises: pure; offsets are those of the answer as given; each text is read once.  All
 * quotations are searched in each text in one pass, and at most 400 sentences of a text are
 * compared with those of another.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/grow.h"
#include "base/search.h"
#include "check/operator.h"
#include "ground/folded_text.h"
#include "ground/status.h"
#include "ground/text_set.h"
#include "reading/near_copy.h"

#define QUOTE_MIN_TOKENS	3
#define LEFT_QUOTE			"\xE2\x80\x9C"
#define RIGHT_QUOTE			"\xE2\x80\x9D"
#define ELLIPSIS			"\xE2\x80\xA6"

const char *const sentence_status_labels[] = {
	"insufficient", "misquoted", "quoted", "contradicted", "supported", "no_claim", "unsupported", "not_judged"
};

/* A marker that was removed. */
typedef struct Marker
{
	int			place;			/* position in the text without markers */
	int			citation;
} Marker;

/* An answer without its markers. */
typedef struct BareAnswer
{
	Span		text;
	int		   *origin;			/* by byte: its position in the answer as given */
	int			nmarkers;
	int			capacity;
	Marker	   *markers;
} BareAnswer;

/* ----------
 * Markers
 * ----------
 */

/* Returns the markers: [id] of each citation, then [n]. So [2] is the second citation even if an id is 2. */
static Span *
MarkerTexts(const Span *citations, int ncitations)
{
	Span	   *texts = palloc_array(Span, Max(2 * ncitations, 1));

	for (int i = 0; i < ncitations; i++)
	{
		texts[i] = SpanOfCString(psprintf("[%.*s]", citations[i].len, citations[i].str));
		texts[ncitations + i] = SpanOfCString(psprintf("[%d]", i + 1));
	}
	return texts;
}

/* Returns the longest marker at p, or -1; among equal ones the last. */
static int
MarkerAt(const Span *texts, int count, const char *p, const char *end)
{
	int			found = -1;

	for (int i = 0; i < count; i++)
	{
		if (SpanStartsWith(SpanOf(p, end - p), texts[i]) && (found < 0 || texts[i].len >= texts[found].len))
			found = i;
	}
	return found;
}

static void
AddMarker(BareAnswer *bare, int place, int citation)
{
	GROW_ARRAY(bare->markers, bare->nmarkers, bare->capacity, 16);
	bare->markers[bare->nmarkers++] = (Marker) {place, citation};
}

/* Returns the length of a text without trailing white space. */
static int
WithoutWhiteSpaceBehind(const char *text, int len)
{
	while (len > 0)
	{
		int			begin = len - 1;
		int			width;

		while (begin > 0 && (text[begin] & 0xC0) == 0x80)
			begin--;
		if (!IsWhiteSpace(Utf8Character(text + begin, text + len, &width)))
			break;
		len = begin;
	}
	return len;
}

static void
TakeMarkersOut(Span answer, const Span *citations, int ncitations, BareAnswer *bare)
{
	Span	   *texts = MarkerTexts(citations, ncitations);
	char	   *out = palloc_extended((Size) Max(answer.len, 1), MCXT_ALLOC_HUGE);
	const char *p = answer.str;
	const char *end = p + answer.len;
	int			len = 0;

	memset(bare, 0, sizeof(*bare));
	bare->origin = palloc_extended(sizeof(int) * ((Size) answer.len + 1), MCXT_ALLOC_HUGE);
	while (p < end)
	{
		int			found = *p == '[' ? MarkerAt(texts, 2 * ncitations, p, end) : -1;

		CHECK_FOR_INTERRUPTS();
		if (found < 0)
		{
			bare->origin[len] = p - answer.str;
			out[len++] = *p++;
			continue;
		}
		len = WithoutWhiteSpaceBehind(out, len);
		AddMarker(bare, len, found % ncitations);
		p += texts[found].len;
	}
	bare->text = SpanOf(out, len);
}

/* ----------
 * Sentences
 * ----------
 */

static void
AddSentence(AnswerStatuses *statuses, const BareAnswer *bare, int begin, int end, int ntokens, int number)
{
	AnswerSentence *sentence = &statuses->sentences[statuses->count++];

	sentence->begin = bare->origin[begin];
	sentence->end = bare->origin[end - 1] + 1;
	sentence->text = SpanOf(bare->text.str + begin, end - begin);
	sentence->ntokens = ntokens;
	sentence->number = number;
	sentence->found = SENTENCE_NOT_JUDGED;
	sentence->against = -1;
}

/* Reads the sentences. An answer with text but without a token is one sentence. */
static void
ReadSentences(const BareAnswer *bare, AnswerStatuses *statuses)
{
	const Reading *reading = statuses->reading;
	Span		all = TrimWhiteSpace(bare->text);

	statuses->sentences = palloc_extended(sizeof(AnswerSentence) * (Size) Max(reading->nsentences, 1),
										  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < reading->nsentences; i++)
	{
		const ReadSentence *read = &reading->sentences[i];

		AddSentence(statuses, bare, read->begin, read->end, read->end_token - read->first, i);
	}
	if (reading->nsentences == 0 && all.len > 0)
		AddSentence(statuses, bare, all.str - bare->text.str, all.str - bare->text.str + all.len, 0, -1);
}

/* Returns where a sentence begins in the text without markers. */
static int
BareBegin(const AnswerStatuses *statuses, const BareAnswer *bare, int i)
{
	return statuses->sentences[i].text.str - bare->text.str;
}

static int
BareEnd(const AnswerStatuses *statuses, const BareAnswer *bare, int i)
{
	return BareBegin(statuses, bare, i) + statuses->sentences[i].text.len;
}

/* Assigns each marker to the first sentence that does not end before it, or to the last sentence. */
static void
AssignMarkers(const BareAnswer *bare, AnswerStatuses *statuses)
{
	CitedBits	all = statuses->ncitations == 0 ? 0 : ~UINT64CONST(0) >> (CITED_MAX_COUNT - statuses->ncitations);
	int			sentence = 0;

	for (int i = 0; i < bare->nmarkers && statuses->count > 0; i++)
	{
		while (sentence < statuses->count - 1 && BareEnd(statuses, bare, sentence) < bare->markers[i].place)
			sentence++;
		statuses->sentences[sentence].marked |= CITED_BIT(bare->markers[i].citation);
	}
	for (int i = 0; i < statuses->count; i++)
	{
		AnswerSentence *one = &statuses->sentences[i];

		one->cites = one->counting = one->marked ? one->marked : all;
	}
}

/* Finds the sentences with a phrase of insufficiency; returns how many there are. */
static int
FindInsufficiency(const Reading *reading, AnswerStatuses *statuses)
{
	const Matches *matches = &reading->matches;
	int			sentence = 0;
	int			last = -1;
	int			saying = 0;

	for (int i = 0; i < matches->count; i++)
	{
		if (matches->matches[i].list != RULE_INSUFFICIENCY)
			continue;
		while (sentence < reading->nsentences && reading->sentences[sentence].end_token <= matches->matches[i].first)
			sentence++;
		if (sentence == reading->nsentences || sentence == last)
			continue;
		last = sentence;
		saying++;
		if (statuses != NULL)
			statuses->sentences[sentence].says_insufficient = true;
	}
	return saying;
}

bool
AnswerIsInsufficient(ChunkSet *chunks, Span answer)
{
	const Reading *reading = ReadText(ChunkReader(chunks), answer);

	return reading->nsentences > 0 && FindInsufficiency(reading, NULL) == reading->nsentences;
}

/* ----------
 * Quotations
 * ----------
 */

/* Returns the next position of a mark from p on, or NULL. */
static const char *
FindMark(const char *p, const char *end, const char *mark)
{
	return end > p ? memmem(p, end - p, mark, strlen(mark)) : NULL;
}

static void
AddQuotation(Quotations *quotations, Span text)
{
	GROW_ARRAY(quotations->texts, quotations->count, quotations->capacity, 8);
	quotations->texts[quotations->count++] = text;
}

static bool
IsDigitBefore(Span text, const char *p)
{
	const char *before = p - 1;
	int			len;

	if (p == text.str)
		return false;
	while (before > text.str && (*before & 0xC0) == 0x80)
		before--;
	return IsDigitCharacter(Utf8Character(before, p, &len));
}

/* A mark without its counterpart opens no quotation, and neither do later ones of its kind. */
void
QuotationsFind(Span text, bool with_inches, Quotations *quotations)
{
	static const char *const marks[][2] = {{"\"", "\""}, {LEFT_QUOTE, RIGHT_QUOTE}};
	bool		is_open[lengthof(marks)] = {true, true};
	const char *p = text.str;
	const char *end = p + text.len;

	memset(quotations, 0, sizeof(*quotations));
	while (p < end)
	{
		const char *close = NULL;

		CHECK_FOR_INTERRUPTS();
		for (size_t i = 0; i < lengthof(marks) && close == NULL; i++)
		{
			size_t		len = strlen(marks[i][0]);

			if (!is_open[i] || (size_t) (end - p) < len || memcmp(p, marks[i][0], len) != 0 ||
				(with_inches && *p == '"' && IsDigitBefore(text, p)))
				continue;
			close = FindMark(p + len, end, marks[i][1]);
			is_open[i] = close != NULL;
			if (close == NULL)
				continue;
			AddQuotation(quotations, SpanOf(p + len, close - p - len));
			p = close + strlen(marks[i][1]);
		}
		if (close == NULL)
			p++;
	}
}

/* Does a quotation claim to be verbatim? Not if it shows that something was left out or inserted. */
static bool
IsWhole(Span text)
{
	static const char *const signs[] = {ELLIPSIS, "...", "["};

	for (size_t i = 0; i < lengthof(signs); i++)
	{
		if (FindMark(text.str, text.str + text.len, signs[i]) != NULL)
			return false;
	}
	return true;
}

/* A quotation that claims to be verbatim. */
typedef struct Quotation
{
	int			begin;			/* in the answer without markers */
	int			end;
	CitedBits	holders;		/* citations whose texts have its words in a row */
	bool		is_asked;		/* does the question have them? */
} Quotation;

#define WORD_BYTES		4		/* 28 bits: no argument has so many words */

/*
 * Returns the words of a text as bytes.  Only the first byte of a word is above
 * 127, so a run of words can be found by its bytes, and all quotations in one pass.
 */
static Span
WordBytes(const Words *words)
{
	char	   *bytes = palloc_extended((Size) words->ntokens * WORD_BYTES + 1, MCXT_ALLOC_HUGE);
	char	   *p = bytes;

	for (int i = 0; i < words->ntokens; i++)
	{
		uint32		word = words->tokens[i].word;

		*p++ = (char) (0x80 | (word & 0x7F));
		for (int k = 1; k < WORD_BYTES; k++)
			*p++ = (char) ((word >> (7 * k)) & 0x7F);
	}
	return SpanOf(bytes, p - bytes);
}

/* Returns the quotations with enough tokens, and their words. */
static int
ReadQuotations(ChunkSet *chunks, const BareAnswer *bare, Quotation **quotations, Span **runs)
{
	Quotations	found;
	int			count = 0;

	QuotationsFind(bare->text, true, &found);
	*quotations = palloc_extended(sizeof(Quotation) * (Size) Max(found.count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	*runs = palloc_extended(sizeof(Span) * (Size) Max(found.count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < found.count; i++)
	{
		const Reading *reading;

		CHECK_FOR_INTERRUPTS();
		if (!IsWhole(found.texts[i]))
			continue;
		reading = ReadText(ChunkReader(chunks), found.texts[i]);
		if (reading->words.ntokens < QUOTE_MIN_TOKENS)
			continue;
		(*quotations)[count].begin = found.texts[i].str - bare->text.str;
		(*quotations)[count].end = (*quotations)[count].begin + found.texts[i].len;
		(*runs)[count++] = WordBytes(&reading->words);
	}
	return count;
}

static void
FindHolders(ChunkSet *chunks, const AnswerStatuses *statuses, const Reading *question, Quotation *quotations,
			const Span *runs, int count)
{
	TextSet    *set = TextSetCreate(runs, count);
	bool	   *found = palloc_extended(count, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	TextSetFind(set, WordBytes(&question->words), found);
	for (int j = 0; j < count; j++)
		quotations[j].is_asked = found[j];
	for (int i = 0; i < statuses->ncitations; i++)
	{
		memset(found, 0, count);
		TextSetFind(set, WordBytes(&ChunkReading(chunks, statuses->cited[i])->words), found);
		TextSetFind(set, WordBytes(&ChunkTitleReading(chunks, statuses->cited[i])->words), found);
		for (int j = 0; j < count; j++)
		{
			if (found[j])
				quotations[j].holders |= CITED_BIT(i);
		}
	}
}

/* Marks the sentences with a quotation that is neither in a text that they cite nor in the question. */
static void
FindMisquoted(ChunkSet *chunks, const BareAnswer *bare, const Reading *question, AnswerStatuses *statuses)
{
	Quotation  *quotations;
	Span	   *runs;
	int			count = ReadQuotations(chunks, bare, &quotations, &runs);
	int			first = 0;		/* first sentence that ends after the begin of the quotation */

	if (count == 0)
		return;
	FindHolders(chunks, statuses, question, quotations, runs, count);
	for (int i = 0; i < count; i++)
	{
		const Quotation *quotation = &quotations[i];

		if (quotation->is_asked)
			continue;
		while (first < statuses->count && BareEnd(statuses, bare, first) <= quotation->begin)
			first++;
		for (int k = first; k < statuses->count && BareBegin(statuses, bare, k) < quotation->end; k++)
		{
			if (!(statuses->sentences[k].cites & quotation->holders))
				statuses->sentences[k].found = SENTENCE_MISQUOTED;
		}
	}
}

/* ----------
 * Whole sentences
 * ----------
 */

/* Removes one quotation mark at the beginning and one at the end. */
static Span
WithoutMarksAround(Span text)
{
	static const char *const marks[] = {"\"", LEFT_QUOTE, RIGHT_QUOTE};

	for (size_t i = 0; i < lengthof(marks); i++)
	{
		int			len = strlen(marks[i]);

		if (text.len >= len && memcmp(text.str, marks[i], len) == 0)
		{
			text = SpanOf(text.str + len, text.len - len);
			break;
		}
	}
	for (size_t i = 0; i < lengthof(marks); i++)
	{
		int			len = strlen(marks[i]);

		if (text.len >= len && memcmp(text.str + text.len - len, marks[i], len) == 0)
			return SpanOf(text.str, text.len - len);
	}
	return text;
}

/*
 * Returns the form by which whole sentences are compared.  It includes the closing
 * mark; a missing one counts as a full stop.
 */
static Span
WholeForm(const Reading *reading, int sentence)
{
	Span		form = FoldedText(WithoutMarksAround(ReadSentenceText(reading, sentence)));

	if (!reading->sentences[sentence].is_closed)
		form = SpanOfCString(psprintf("%.*s.", form.len, form.str));
	return form;
}

/* A whole sentence of a chunk. */
typedef struct WholeSentence
{
	Span		form;
	int			sentence;
} WholeSentence;

static int
CompareForms(const void *a, const void *b)
{
	const WholeSentence *left = a;
	const WholeSentence *right = b;
	int			cmp = SpanCompare(left->form, right->form);

	return cmp != 0 ? cmp : (left->sentence > right->sentence) - (left->sentence < right->sentence);
}

/*
 * Returns the sentences of a chunk that can be quoted.  Headings and questions
 * cannot, nor can list entries, because the text before a list may say "never".
 */
static WholeSentence *
WholeSentencesOf(const Reading *reading, int *count)
{
	WholeSentence *wholes = palloc_extended(sizeof(WholeSentence) * (Size) Max(reading->nsentences, 1),
											MCXT_ALLOC_HUGE);

	*count = 0;
	for (int i = 0; i < reading->nsentences; i++)
	{
		const ReadSentence *read = &reading->sentences[i];

		CHECK_FOR_INTERRUPTS();
		if (read->end_token - read->first < QUOTE_MIN_TOKENS || read->is_heading_line || read->asks ||
			read->is_list_entry)
			continue;
		wholes[(*count)++] = (WholeSentence) {WholeForm(reading, i), i};
	}
	qsort(wholes, *count, sizeof(WholeSentence), CompareForms);
	return wholes;
}

/* Returns the first whole sentence with a form, or -1. */
static int
PlaceOfForm(const WholeSentence *wholes, int count, Span form)
{
	int			low = 0;

	FIRST_PLACE(low, count, at, SpanCompare(wholes[at].form, form) < 0);
	return low < count && SpanEqual(wholes[low].form, form) ? low : -1;
}

static bool
HoldsBidirectionalControl(Span text)
{
	const char *p = text.str;
	const char *end = p + text.len;

	while (p < end)
	{
		int			len;
		uint32		c = Utf8Character(p, end, &len);

		if (c == 0x061C || (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
			(c >= 0x2066 && c <= 0x2069))
			return true;
		p += len;
	}
	return false;
}

/* Is there only white space between a sentence and the next? */
static bool
IsClearBehind(const AnswerStatuses *statuses, const BareAnswer *bare, int sentence)
{
	int			end = BareEnd(statuses, bare, sentence);
	int			next = sentence + 1 < statuses->count ?
		BareBegin(statuses, bare, sentence + 1) : bare->text.len;

	return TrimWhiteSpace(SpanOf(bare->text.str + end, next - end)).len == 0;
}

/* Successive sentences of the answer that are whole sentences of a chunk, with their forms. */
typedef struct QuotedRun
{
	int			count;
	int		   *sentences;
	Span	   *forms;
} QuotedRun;

/* Returns the form of each sentence that could be a quote; empty for others. */
static Span *
FormsOfAnswer(const AnswerStatuses *statuses, const BareAnswer *bare)
{
	Span	   *forms = palloc_extended(sizeof(Span) * (Size) Max(statuses->count, 1),
										MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	for (int i = 0; i < statuses->count; i++)
	{
		int			number = statuses->sentences[i].number;

		CHECK_FOR_INTERRUPTS();
		if (number >= 0 && !statuses->reading->sentences[number].is_list_entry &&
			IsClearBehind(statuses, bare, i) && !HoldsBidirectionalControl(statuses->sentences[i].text))
			forms[i] = WholeForm(statuses->reading, number);
	}
	return forms;
}

/* Are the sentences of the run in the chunk, in a row from this sentence on? */
static bool
RunStandsAt(const QuotedRun *run, const Reading *chunk, const Span *forms, int sentence)
{
	if (sentence + run->count > chunk->nsentences)
		return false;
	for (int i = 0; i < run->count; i++)
	{
		if (!SpanEqual(forms[sentence + i], run->forms[i]))
			return false;
	}
	return true;
}

/*
 * Finds the sentences that are whole sentences of a chunk.  Successive ones must be
 * in a row there, too; otherwise none counts.
 */
static void
FindQuotedOf(ChunkSet *chunks, AnswerStatuses *statuses, const Span *forms, int citation)
{
	const Reading *chunk = ChunkReading(chunks, statuses->cited[citation]);
	int			count;
	WholeSentence *wholes = WholeSentencesOf(chunk, &count);
	Span	   *chunk_forms = palloc_extended(sizeof(Span) * (Size) Max(chunk->nsentences, 1),
											  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	QuotedRun	run = {
		.sentences = palloc_extended(sizeof(int) * (Size) Max(statuses->count, 1), MCXT_ALLOC_HUGE),
		.forms = palloc_extended(sizeof(Span) * (Size) Max(statuses->count, 1), MCXT_ALLOC_HUGE),
	};
	bool		stands = false;

	for (int i = 0; i < statuses->count; i++)
	{
		if (forms[i].len == 0 || !(statuses->sentences[i].cites & CITED_BIT(citation)) ||
			PlaceOfForm(wholes, count, forms[i]) < 0)
			continue;
		run.forms[run.count] = forms[i];
		run.sentences[run.count++] = i;
	}
	if (run.count == 0)
		return;
	for (int i = 0; i < count; i++)
		chunk_forms[wholes[i].sentence] = wholes[i].form;
	for (int i = PlaceOfForm(wholes, count, run.forms[0]);
		 i < count && !stands && SpanEqual(wholes[i].form, run.forms[0]); i++)
	{
		CHECK_FOR_INTERRUPTS();
		stands = RunStandsAt(&run, chunk, chunk_forms, wholes[i].sentence);
	}
	for (int i = 0; i < run.count && stands; i++)
		statuses->sentences[run.sentences[i]].quoted |= CITED_BIT(citation);
}

static void
FindQuoted(ChunkSet *chunks, const BareAnswer *bare, AnswerStatuses *statuses)
{
	Span	   *forms = FormsOfAnswer(statuses, bare);

	for (int i = 0; i < statuses->ncitations; i++)
		FindQuotedOf(chunks, statuses, forms, i);
	for (int i = 0; i < statuses->count; i++)
	{
		AnswerSentence *sentence = &statuses->sentences[i];

		/* among several citations that contain it, the first one counts */
		sentence->quoted &= -sentence->quoted;
		if (sentence->found == SENTENCE_NOT_JUDGED && sentence->quoted)
			sentence->found = SENTENCE_QUOTED;
	}
}

/* ----------
 * Contradictions
 * ----------
 */

/* Does a chunk say the same? Otherwise notes its first sentence that is a near copy. */
static bool
SaysSame(ChunkSet *chunks, const AnswerStatuses *statuses, int citation, AnswerSentence *sentence)
{
	int			chunk = statuses->cited[citation];
	const Reading *reading = ChunkReading(chunks, chunk);

	for (int i = 0; i < Min(reading->nsentences, SLOT_MAX_SENTENCES); i++)
	{
		Slot		slot = SlotOf(statuses->reading, sentence->number, reading, i, NULL);

		if (slot == SLOT_SAME)
			return true;
		if (slot == SLOT_NONE || sentence->against >= 0)
			continue;
		sentence->against = chunk;
		sentence->contradiction = ReadSentenceText(reading, i);
	}
	return false;
}

static void
FindContradicted(ChunkSet *chunks, AnswerStatuses *statuses)
{
	for (int i = 0; i < Min(statuses->count, SLOT_MAX_SENTENCES); i++)
	{
		AnswerSentence *sentence = &statuses->sentences[i];
		bool		says_same = false;

		CHECK_FOR_INTERRUPTS();
		if (sentence->found != SENTENCE_NOT_JUDGED || sentence->number < 0)
			continue;
		for (int k = 0; k < statuses->ncitations && !says_same; k++)
			says_same = (sentence->cites & CITED_BIT(k)) && SaysSame(chunks, statuses, k, sentence);
		if (says_same)
			sentence->against = -1;
		else if (sentence->against >= 0)
			sentence->found = SENTENCE_CONTRADICTED;
	}
}

/* ----------
 * All of it
 * ----------
 */

static bool
SharesItem(ChunkSet *chunks, const AnswerStatuses *statuses)
{
	const ItemSet *items = &statuses->reading->items;

	for (int i = 0; i < statuses->ncitations; i++)
	{
		const ItemSet *cited = &ChunkReading(chunks, statuses->cited[i])->items;

		for (int k = 0; k < items->count; k++)
		{
			if (ItemSetHas(cited, items->items[k]))
				return true;
		}
	}
	return false;
}

/* Does each sentence say that it cannot answer, and is none quoted? */
static void
SettleInsufficient(AnswerStatuses *statuses)
{
	for (int i = 0; i < statuses->count; i++)
	{
		if (statuses->sentences[i].quoted)
			return;
	}
	for (int i = 0; i < statuses->count; i++)
		statuses->sentences[i].found = SENTENCE_INSUFFICIENT;
}

void
AnswerStatusesRead(ChunkSet *chunks, int ncitations, int *cited, Span answer, Span question,
				   AnswerStatuses *statuses)
{
	Span		ids[CITED_MAX_COUNT];
	BareAnswer	bare;
	int			saying;

	memset(statuses, 0, sizeof(*statuses));
	statuses->ncitations = ncitations;
	statuses->cited = cited;
	statuses->joined = palloc0_array(JoinedText, JOINED_MAX_COUNT);
	for (int i = 0; i < ncitations; i++)
		ids[i] = chunks->chunks[cited[i]].chunk_id;
	TakeMarkersOut(answer, ids, ncitations, &bare);
	statuses->reading = ReadText(ChunkReader(chunks), bare.text);
	ReadSentences(&bare, statuses);
	AssignMarkers(&bare, statuses);
	saying = FindInsufficiency(statuses->reading, statuses);
	statuses->is_insufficient = saying > 0 && saying == statuses->count;
	statuses->shares_item = SharesItem(chunks, statuses);
	FindMisquoted(chunks, &bare, ReadText(ChunkReader(chunks), question), statuses);
	FindQuoted(chunks, &bare, statuses);
	FindContradicted(chunks, statuses);
	if (statuses->is_insufficient)
		SettleInsufficient(statuses);
	for (int i = 0; i < statuses->count; i++)
		statuses->sentences[i].status = statuses->sentences[i].found;
}

/* ----------
 * Judges
 * ----------
 */

/*
 * Returns the joined passages of some citations.  They are made once, because many
 * sentences share them.  With more than five citations, different sets can share a
 * slot.
 */
static Span
JoinedPassages(ChunkSet *chunks, const AnswerStatuses *statuses, CitedBits cites)
{
	JoinedText *joined = &statuses->joined[cites % JOINED_MAX_COUNT];
	StringInfoData passages;

	if (joined->text.str != NULL && joined->cites == cites)
		return joined->text;
	if (joined->text.str != NULL)
		pfree((char *) joined->text.str);
	initStringInfo(&passages);
	for (int i = 0; i < statuses->ncitations; i++)
	{
		Span		passage;

		if (!(cites & CITED_BIT(i)))
			continue;
		passage = ChunkPassage(&chunks->chunks[statuses->cited[i]]);
		if (passages.len > 0 && passage.len > 0)
			appendStringInfoString(&passages, "\n\n");
		appendBinaryStringInfo(&passages, passage.str, passage.len);
	}
	*joined = (JoinedText) {cites, SpanOf(passages.data, passages.len)};
	return joined->text;
}

void
SentencePair(ChunkSet *chunks, const AnswerStatuses *statuses, int sentence, Span question, Span *a, Span *b)
{
	const AnswerSentence *one = &statuses->sentences[sentence];

	*a = one->text;
	if (one->ntokens < QUOTE_MIN_TOKENS)
		*a = SpanOfCString(psprintf("%.*s %.*s", question.len, question.str, one->text.len, one->text.str));
	*b = JoinedPassages(chunks, statuses, one->cites);
}

static void
JudgeSentence(AnswerSentence *sentence, PanelVerdict verdict)
{
	switch (verdict)
	{
		case PANEL_CONTRADICTS:
			sentence->status = SENTENCE_CONTRADICTED;
			break;
		case PANEL_SUPPORTS:
			sentence->status = SENTENCE_SUPPORTED;
			break;
		case PANEL_NO_CLAIM:
			sentence->status = SENTENCE_NO_CLAIM;
			sentence->counting = 0;
			break;
		case PANEL_NEUTRAL:
			sentence->status = sentence->says_insufficient ? SENTENCE_NOT_JUDGED : SENTENCE_UNSUPPORTED;
			break;
		case PANEL_NOT_JUDGED:
			break;
	}
}

void
AnswerStatusesJudge(ChunkSet *chunks, AnswerStatuses *statuses, Span question, const Asking *asking)
{
	if (asking == NULL || asking->panel == NULL || asking->panel->count == 0)
		return;
	for (int i = 0; i < statuses->count; i++)
	{
		AnswerSentence *sentence = &statuses->sentences[i];
		PanelSays	says;
		PairDigest	pair;
		Span		a;
		Span		b;

		CHECK_FOR_INTERRUPTS();
		if (!SentenceIsOpen(sentence) && sentence->found != SENTENCE_QUOTED)
			continue;
		SentencePair(chunks, statuses, i, question, &a, &b);
		pair = JudgementPair(JUDGE_ENTAILMENT, a, b);
		PanelAsk(asking->panel, asking->judgements, PairSpan(&pair), &asking->terms, &says);
		JudgeSentence(sentence, says.verdict);
	}
}

/* ----------
 * The result
 * ----------
 */

/* Texts listed in a member. */
typedef struct Listed
{
	int			count;
	Span	   *texts;
} Listed;

static int
CompareListed(const void *a, const void *b)
{
	const Span *left = *(const Span *const *) a;
	const Span *right = *(const Span *const *) b;
	int			cmp = SpanCompare(*left, *right);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

/* Returns each text once, in order of first occurrence. */
static JsonView
ListedView(const Listed *listed)
{
	JsonView	view = JsonViewNewArray(listed->count);
	const Span **sorted = palloc_extended(sizeof(Span *) * (Size) Max(listed->count, 1), MCXT_ALLOC_HUGE);
	bool	   *is_first = palloc_extended(Max(listed->count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	for (int i = 0; i < listed->count; i++)
		sorted[i] = &listed->texts[i];
	qsort(sorted, listed->count, sizeof(Span *), CompareListed);
	for (int i = 0; i < listed->count; i++)
		is_first[sorted[i] - listed->texts] = i == 0 || !SpanEqual(*sorted[i], *sorted[i - 1]);
	for (int i = 0; i < listed->count; i++)
	{
		if (is_first[i])
			JsonViewAppend(&view, SpanView(listed->texts[i]));
	}
	pfree(sorted);
	pfree(is_first);
	return view;
}

static Listed
NewListed(int most)
{
	return (Listed) {0, palloc_extended(sizeof(Span) * (Size) Max(most, 1), MCXT_ALLOC_HUGE)};
}

/* Does a chunk that counts contain the value or the name, in text or title? */
static bool
IsValueThere(ChunkSet *chunks, const AnswerStatuses *statuses, CitedBits counting, const ReadValue *value)
{
	for (int i = 0; i < statuses->ncitations; i++)
	{
		if ((counting & CITED_BIT(i)) &&
			(ReadingHasValue(ChunkReading(chunks, statuses->cited[i]), value) ||
			 ReadingHasValue(ChunkTitleReading(chunks, statuses->cited[i]), value)))
			return true;
	}
	return false;
}

static bool
IsNameThere(ChunkSet *chunks, const AnswerStatuses *statuses, CitedBits counting, const ReadName *name)
{
	for (int i = 0; i < statuses->ncitations; i++)
	{
		if ((counting & CITED_BIT(i)) &&
			(ReadingHasName(ChunkReading(chunks, statuses->cited[i]), statuses->reading, name) ||
			 ReadingHasName(ChunkTitleReading(chunks, statuses->cited[i]), statuses->reading, name)))
			return true;
	}
	return false;
}

static JsonView
MissingView(ChunkSet *chunks, const AnswerStatuses *statuses, const AnswerSentence *sentence)
{
	static const ReadSentence nothing = {0};
	const Reading *reading = statuses->reading;
	const ReadSentence *read = sentence->number < 0 ? &nothing : &reading->sentences[sentence->number];
	Listed		values = NewListed(read->nvalues);
	Listed		names = NewListed(read->nnames);
	JsonView	view = JsonViewNewObject(2);

	for (int i = read->first_value; i < read->first_value + read->nvalues; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!IsValueThere(chunks, statuses, sentence->counting, &reading->values[i]))
			values.texts[values.count++] = ReadValueSource(reading, &reading->values[i]);
	}
	for (int i = read->first_name; i < read->first_name + read->nnames; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!IsNameThere(chunks, statuses, sentence->counting, &reading->names[i]))
			names.texts[names.count++] = ReadNameSource(reading, &reading->names[i]);
	}
	JsonViewSet(&view, "values", ListedView(&values));
	JsonViewSet(&view, "names", ListedView(&names));
	return view;
}

static JsonView
SentenceView(ChunkSet *chunks, const AnswerStatuses *statuses, const AnswerSentence *sentence)
{
	JsonView	view = JsonViewNewObject(5);
	JsonView	citations = JsonViewNewArray(statuses->ncitations);

	for (int i = 0; i < statuses->ncitations; i++)
	{
		if (sentence->counting & CITED_BIT(i))
			JsonViewAppend(&citations, SpanView(chunks->chunks[statuses->cited[i]].chunk_id));
	}
	JsonViewSet(&view, "start", JsonViewInteger(sentence->begin));
	JsonViewSet(&view, "end", JsonViewInteger(sentence->end));
	JsonViewSet(&view, "status", JsonViewCString(sentence_status_labels[sentence->status]));
	JsonViewSet(&view, "citations", citations);
	JsonViewSet(&view, "missing", MissingView(chunks, statuses, sentence));
	return view;
}

JsonView
AnswerStatusesView(ChunkSet *chunks, const AnswerStatuses *statuses)
{
	JsonView	view = JsonViewNewArray(statuses->count);

	for (int i = 0; i < statuses->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&view, SentenceView(chunks, statuses, &statuses->sentences[i]));
	}
	return view;
}
