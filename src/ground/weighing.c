/*-------------------------------------------------------------------------
 *
 * weighing.c
 *		Finds the chunks that an answer would rest on: used, compared or superseded.
 *
 * Pure.  Rule: doc/spec/decision.md §5 and doc/spec/reading.md §9.5.
 *
 * A chunk is used if it would be cited: it counts for a sentence of the given answer, or,
 * without an answer, it would be quoted.  The chunks to quote are the best by score, or, if
 * passages were judged, those that answer.  Each used chunk is compared with the other used
 * ones and with those that are nearly as similar as the best.  If a compared pair conflicts,
 * and the question asks for what is current, the older one is superseded: it is not used,
 * quoted or compared any more.  Then everything is weighed again, until nothing more is
 * superseded.
 *
 * Scores are compared as displayed, in ten-thousandths.
 *
 * Promises: pure; judgements that are not needed have no effect; at most five chunks are
 * compared with the others in each pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/numbers.h"
#include "ground/weighing.h"
#include "reading/text_score.h"

#define QUOTES_MAX	3

/* Is a score near enough to that of the first quote for another quote? */
#define IS_NEAR_QUOTE(score, first)	(4 * (score) >= 3 * (first))

static void *
AllocateFor(const Weighing *weighing, Size size)
{
	return palloc_extended(size * (Size) Max(weighing->input->chunks->count, 1),
						   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static const Chunk *
ChunkAt(const Weighing *weighing, int chunk)
{
	return &weighing->input->chunks->chunks[chunk];
}

/* ----------
 * Thresholds and order
 * ----------
 */

static void
SetThresholds(Weighing *weighing)
{
	const DecisionConfig *config = weighing->input->config;
	bool		is_high = weighing->risk == RISK_HIGH;

	weighing->conf_max = is_high ? config->confidence_threshold_high_risk : config->confidence_threshold;
	weighing->freshness_days = is_high ?
		StricterDays(config->freshness_days, config->freshness_days_high_risk) :
		config->freshness_days;
}

bool
WeighedIsStale(const Weighing *weighing, int chunk)
{
	return weighing->input->has_clock &&
		ChunkIsStale(ChunkAt(weighing, chunk), weighing->freshness_days, weighing->input->now);
}

static int
CompareRanks(const void *a, const void *b)
{
	const Chunk *left = *(const Chunk *const *) a;
	const Chunk *right = *(const Chunk *const *) b;

	if (left->score != right->score)
		return left->score < right->score ? 1 : -1;
	return SpanOrder(left->chunk_id, right->chunk_id);
}

/* Returns the chunks by score and then id, or in the given order if that is their rank. */
static const int *
RankedChunks(const Weighing *weighing)
{
	const ChunkSet *set = weighing->input->chunks;
	const Chunk **sorted = AllocateFor(weighing, sizeof(Chunk *));
	int		   *ranked = AllocateFor(weighing, sizeof(int));

	for (int i = 0; i < set->count; i++)
		sorted[i] = &set->chunks[i];
	if (!weighing->input->keeps_order)
		qsort(sorted, set->count, sizeof(Chunk *), CompareRanks);
	for (int i = 0; i < set->count; i++)
		ranked[i] = sorted[i] - set->chunks;
	pfree(sorted);
	return ranked;
}

/* ----------
 * What judges say
 * ----------
 */

/* Lists the passages to be judged, without superseded chunks, and finds whether all are judged. */
static void
AskPassages(Weighing *weighing)
{
	Consultation *consultation = &weighing->result->consultation;
	int			njudged = 0;

	weighing->npassages = 0;
	for (int i = 0; i < weighing->input->chunks->count; i++)
	{
		int			chunk = weighing->ranked[i];

		if (weighing->is_superseded[chunk])
			continue;
		if (weighing->npassages == weighing->input->config->judge_passages)
			break;
		weighing->asked[weighing->npassages++] = chunk;
		if (!ConsultationAsks(consultation, JUDGE_ANSWERS))
			continue;
		weighing->passages[chunk] =
			ConsultationPair(consultation, JUDGE_ANSWERS, weighing->input->query,
							 ChunkPassage(ChunkAt(weighing, chunk)), -1, &chunk, 1)->says;
		njudged += weighing->passages[chunk].verdict != PANEL_NOT_JUDGED;
	}
	weighing->any_passage_judged |= njudged > 0;
	weighing->result->passages_judged = njudged > 0 && njudged == weighing->npassages;
}

/* Asks about the sentences that are open or quoted. */
static void
AskSentences(Weighing *weighing)
{
	Consultation *consultation = &weighing->result->consultation;
	AnswerStatuses *statuses = &weighing->result->check.statuses;

	if (!ConsultationAsks(consultation, JUDGE_ENTAILMENT))
		return;
	for (int i = 0; i < statuses->count; i++)
	{
		const AnswerSentence *sentence = &statuses->sentences[i];
		int			chunks[CITATIONS_MAX_COUNT];
		int			nchunks = 0;
		Span		a;
		Span		b;

		CHECK_FOR_INTERRUPTS();
		if (!SentenceIsOpen(sentence) && sentence->found != SENTENCE_QUOTED)
			continue;
		for (int k = 0; k < statuses->ncitations; k++)
		{
			if (sentence->cites & CITED_BIT(k))
				chunks[nchunks++] = statuses->cited[k];
		}
		SentencePair(weighing->input->chunks, statuses, i, weighing->input->query, &a, &b);
		(void) ConsultationPair(consultation, JUDGE_ENTAILMENT, a, b, i, chunks, nchunks);
	}
}

/* Does a passage answer, according to the panel? */
static bool
Answers(const PanelSays *says)
{
	return says->verdict == PANEL_SUPPORTS;
}

static Numeric
ShownNumber(Numeric number)
{
	return RoundedQuotient(number, int64_to_numeric(1));
}

/* ----------
 * What is used
 * ----------
 */

static void
Use(Weighing *weighing, int chunk)
{
	if (weighing->is_used[chunk])
		return;
	weighing->is_used[chunk] = true;
	weighing->used[weighing->nused++] = chunk;
}

/* Returns the citations that an answer rests on; all if there is no answer. */
static CitedBits
CitationsUsed(const Weighing *weighing)
{
	const AnswerStatuses *statuses = &weighing->result->check.statuses;
	CitedBits	used = 0;

	if (!weighing->has_answer)
		return CITED_BIT(statuses->ncitations) - 1;
	for (int i = 0; i < statuses->count; i++)
	{
		const AnswerSentence *sentence = &statuses->sentences[i];

		used |= sentence->status == SENTENCE_QUOTED ? sentence->quoted : sentence->counting;
	}
	return used;
}

static void
UseCited(Weighing *weighing)
{
	const AnswerStatuses *statuses = &weighing->result->check.statuses;
	CitedBits	used = CitationsUsed(weighing);

	for (int i = 0; i < statuses->ncitations; i++)
	{
		if ((used & CITED_BIT(i)) && !weighing->is_superseded[statuses->cited[i]])
			Use(weighing, statuses->cited[i]);
	}
}

/* Chunks to be quoted, in order. */
typedef struct Quoting
{
	int			count;
	int			chunks[QUOTES_MAX];
} Quoting;

static void
QuoteSimilar(const Weighing *weighing, Quoting *quoting)
{
	const ChunkSet *set = weighing->input->chunks;
	int			first = 0;

	for (int i = 0; i < set->count && quoting->count < QUOTES_MAX; i++)
	{
		int			chunk = weighing->ranked[i];
		int			score = set->chunks[chunk].score;

		CHECK_FOR_INTERRUPTS();
		if (weighing->is_superseded[chunk] ||
			NumberCompare(ShownNumber(set->chunks[chunk].similarity), weighing->input->config->floor) < 0)
			continue;
		if (quoting->count == 0)
			first = score;
		if (IS_NEAR_QUOTE(score, first))
			quoting->chunks[quoting->count++] = chunk;
	}
}

/* Adds the chunks that answer with enough confidence, by confidence and then rank. */
static void
QuoteAnswering(const Weighing *weighing, Quoting *quoting)
{
	for (int i = 0; i < weighing->npassages; i++)
	{
		int			chunk = weighing->asked[i];
		const PanelSays *says = &weighing->passages[chunk];
		int			place = quoting->count;

		if (!Answers(says) ||
			NumberCompare(ShownNumber(says->score), weighing->conf_max) < 0)
			continue;
		while (place > 0 &&
			   NumberCompare(weighing->passages[quoting->chunks[place - 1]].score, says->score) < 0)
			place--;
		if (place == QUOTES_MAX)
			continue;
		if (quoting->count < QUOTES_MAX)
			quoting->count++;
		memmove(&quoting->chunks[place + 1], &quoting->chunks[place],
				sizeof(int) * (quoting->count - 1 - place));
		quoting->chunks[place] = chunk;
	}
}

/* Does a text have at most so many characters? */
static bool
IsShort(Span text, int most)
{
	int			characters = 0;

	for (int i = 0; i < text.len && characters <= most; i++)
		characters += (text.str[i] & 0xC0) != 0x80;
	return characters <= most;
}

/* Returns a sentence, with the next one if it announces that one. */
static Span
SentenceQuote(const Reading *text, int sentence)
{
	const ReadSentence *best = &text->sentences[sentence];
	int			end = best->end;

	if (sentence + 1 < text->nsentences && text->words.text.str[end - 1] == ':')
		end = text->sentences[sentence + 1].end;
	return SpanOf(text->words.text.str + best->begin, end - best->begin);
}

/* Returns the quote of a chunk: a short one whole, otherwise its best sentence. */
static Span
QuoteOf(const Weighing *weighing, int chunk)
{
	ChunkSet   *set = weighing->input->chunks;
	const Chunk *quoted = ChunkAt(weighing, chunk);
	const Reading *text;
	int			best;

	if (IsShort(quoted->text, weighing->input->rules->reading.quote_whole))
		return quoted->text;
	text = ChunkReading(set, chunk);
	if (text->nsentences == 0)
		return quoted->text;
	(void) ScoreText(ReadQuestion(ChunkReader(set), weighing->input->query), text,
					 quoted->title.len > 0 ? ChunkTitleReading(set, chunk) : NULL, &best);
	return SentenceQuote(text, Max(best, 0));
}

/* Leaves out stale quotes, unless all are stale. */
static void
UseQuotes(Weighing *weighing, const Quoting *quoting)
{
	DecisionResult *result = weighing->result;
	int			nfresh = 0;

	for (int i = 0; i < quoting->count; i++)
		nfresh += !WeighedIsStale(weighing, quoting->chunks[i]);
	for (int i = 0; i < quoting->count; i++)
	{
		int			chunk = quoting->chunks[i];

		if (weighing->risk != RISK_LOW && nfresh > 0 && WeighedIsStale(weighing, chunk))
		{
			result->stale[result->nstale++] = chunk;
			continue;
		}
		result->quotes[result->nquotes++].chunk = chunk;
		Use(weighing, chunk);
	}
}

static void
FindUsed(Weighing *weighing)
{
	DecisionResult *result = weighing->result;
	Quoting		quoting = {0};

	for (int i = 0; i < weighing->nused; i++)
		weighing->is_used[weighing->used[i]] = false;
	weighing->nused = result->nquotes = result->nstale = 0;
	if (result->is_checked)
	{
		UseCited(weighing);
		return;
	}
	if (result->passages_judged)
		QuoteAnswering(weighing, &quoting);
	else
		QuoteSimilar(weighing, &quoting);
	UseQuotes(weighing, &quoting);
}

/* ----------
 * What is compared, and what is superseded
 * ----------
 */

/* Lists the chunks that are used or nearly as similar as the best, ascending; none if none is used. */
static int
FindCompared(const Weighing *weighing, int *which)
{
	const ChunkSet *set = weighing->input->chunks;
	int			greatest = 0;
	int			count = 0;

	if (weighing->nused == 0)
		return 0;
	for (int i = 0; i < set->count; i++)
	{
		if (!weighing->is_superseded[i])
			greatest = Max(greatest, set->chunks[i].score);
	}
	for (int i = 0; i < set->count; i++)
	{
		if (!weighing->is_superseded[i] &&
			(weighing->is_used[i] || IsNearGreatest(set->chunks[i].score, greatest)))
			which[count++] = i;
	}
	return count;
}

static bool
GivesWay(const Weighing *weighing)
{
	int			supersede = weighing->input->config->supersede;

	return supersede == SUPERSEDE_ALWAYS || (supersede == SUPERSEDE_ASKED && QueryAsksForCurrent(&weighing->query));
}

static bool
HasPastInstant(const Weighing *weighing, const Chunk *chunk)
{
	return chunk->has_instant && (!weighing->input->has_clock || chunk->instant <= weighing->input->now);
}

/* Does a chunk count for a sentence of the given answer? */
static bool
IsProtected(const Weighing *weighing, int chunk)
{
	const AnswerStatuses *statuses = &weighing->result->check.statuses;

	for (int i = 0; i < statuses->ncitations; i++)
	{
		if (statuses->cited[i] == chunk && (weighing->protected & CITED_BIT(i)))
			return true;
	}
	return false;
}

/* Of two chunks that contradict each other, supersedes the older one, if possible. */
static void
SupersedeOlder(Weighing *weighing, const ConflictPair *pair)
{
	DecisionResult *result = weighing->result;
	const Chunk *a = ChunkAt(weighing, pair->a);
	const Chunk *b = ChunkAt(weighing, pair->b);
	SupersededChunk superseded;

	if (!HasPastInstant(weighing, a) || !HasPastInstant(weighing, b) || a->instant == b->instant)
		return;
	superseded.chunk = a->instant < b->instant ? pair->a : pair->b;
	superseded.by = a->instant < b->instant ? pair->b : pair->a;
	if (weighing->is_superseded[superseded.chunk] || IsProtected(weighing, superseded.chunk))
		return;
	weighing->is_superseded[superseded.chunk] = true;
	result->superseded[result->nsuperseded++] = superseded;
}

/* Finds used chunks and compares them, until nothing more is superseded. */
static void
WeighInPasses(Weighing *weighing, ConflictFinder *finder)
{
	bool		gives_way = GivesWay(weighing);
	int		   *which = AllocateFor(weighing, sizeof(int));
	Comparing	comparing = {
		.which = which,
		.is_used = weighing->is_used,
		.consultation = &weighing->result->consultation,
		.most = weighing->input->conflicts_most,
	};
	int			before;

	do
	{
		CHECK_FOR_INTERRUPTS();
		before = weighing->result->nsuperseded;
		AskPassages(weighing);
		FindUsed(weighing);
		comparing.count = FindCompared(weighing, which);
		ConflictsFindWith(finder, &comparing, &weighing->result->conflicts);
		for (int i = 0; gives_way && i < weighing->result->conflicts.npairs; i++)
			SupersedeOlder(weighing, &weighing->result->conflicts.pairs[i]);
	} while (weighing->result->nsuperseded > before);
	pfree(which);
}

/* ----------
 * Signals
 * ----------
 */

/*
 * Returns the greatest similarity of the used chunks.  If none is used and no chunk
 * reaches the floor, returns the greatest similarity of all.  So a user who could
 * lower the floor to that value is not told 0.
 */
Numeric
WeighedMostSimilar(const Weighing *weighing)
{
	const ChunkSet *set = weighing->input->chunks;
	Numeric		most = weighing->max;

	for (int i = 0; weighing->nused == 0 && i < set->count; i++)
	{
		Numeric		similarity = ShownNumber(set->chunks[i].similarity);

		CHECK_FOR_INTERRUPTS();
		if (!weighing->is_superseded[i] && NumberCompare(similarity, most) > 0)
			most = similarity;
	}
	/* the answer uses none of the chunks that would be similar enough */
	return NumberCompare(most, weighing->input->config->floor) < 0 ? most : weighing->max;
}

static void
MeasureUsed(Weighing *weighing)
{
	weighing->max = int64_to_numeric(0);
	for (int i = 0; i < weighing->nused; i++)
	{
		int			chunk = weighing->used[i];
		Numeric		similarity = ShownNumber(ChunkAt(weighing, chunk)->similarity);
		const PanelSays *says = &weighing->passages[chunk];

		if (NumberCompare(similarity, weighing->max) > 0)
			weighing->max = similarity;
		weighing->is_stale |= WeighedIsStale(weighing, chunk);
		if (!weighing->result->passages_judged || !Answers(says))
			continue;
		if (weighing->confidence == NULL || NumberCompare(says->score, weighing->confidence) > 0)
			weighing->confidence = says->score;
	}
	if (weighing->confidence != NULL)
		weighing->confidence = ShownNumber(weighing->confidence);
}

/* ----------
 * All of it
 * ----------
 */

static bool
CheckInput(Weighing *weighing, const char **problem)
{
	const DecisionInput *input = weighing->input;
	DecisionResult *result = weighing->result;
	const Consultation *consultation = &result->consultation;
	Asking		asking = {&consultation->panels[JUDGE_ENTAILMENT], consultation->judgements, consultation->terms};

	result->is_checked = input->has_answer || input->citations.type != JVIEW_ABSENT;
	if (!result->is_checked)
		return true;
	if (!CitationsCheck(&input->citations, input->chunks, input->has_answer ? input->answer : (Span) {"", 0},
						input->query, &asking, &result->check, problem))
		return false;
	weighing->is_refused = !result->check.is_valid;
	weighing->has_answer = result->check.statuses.count > 0;
	for (int i = 0; i < result->check.statuses.count; i++)
		weighing->protected |= result->check.statuses.sentences[i].counting;
	return true;
}

bool
Weigh(Weighing *weighing, const char **problem)
{
	const DecisionInput *input = weighing->input;
	const DecisionConfig *config = input->config;
	DecisionResult *result = weighing->result;

	QueryRead(input->rules, input->query, &weighing->query);
	weighing->risk = QueryRisk(&weighing->query);
	SetThresholds(weighing);
	RetrievalQualityOf(input->chunks, weighing->freshness_days, input->now, &weighing->quality);
	ConsultationBegin(&result->consultation, config->panels, input->judgements,
					  config->support_min, config->contradict_min);
	*problem = ConsultationStranger(&result->consultation);
	if (*problem != NULL)
		return false;
	if (!CheckInput(weighing, problem))
		return false;
	weighing->ranked = RankedChunks(weighing);
	weighing->passages = AllocateFor(weighing, sizeof(PanelSays));
	weighing->is_superseded = AllocateFor(weighing, sizeof(bool));
	weighing->is_used = AllocateFor(weighing, sizeof(bool));
	weighing->used = palloc0_array(int, Max(CITATIONS_MAX_COUNT, QUOTES_MAX));
	weighing->asked = palloc0_array(int, config->judge_passages);
	result->quotes = palloc0_array(DecisionQuote, QUOTES_MAX);
	result->stale = palloc0_array(int, QUOTES_MAX);
	result->superseded = AllocateFor(weighing, sizeof(SupersededChunk));
	if (weighing->is_refused)
	{
		MeasureUsed(weighing);
		return true;
	}
	AskSentences(weighing);
	WeighInPasses(weighing, ConflictFinderBegin(input->chunks));
	if (ConflictsAreTooLarge(&result->conflicts))
	{
		*problem = psprintf("conflicts of these chunks take more than %zu bytes", input->conflicts_most);
		return false;
	}
	for (int i = 0; i < result->nquotes; i++)
		result->quotes[i].text = QuoteOf(weighing, result->quotes[i].chunk);
	MeasureUsed(weighing);
	*problem = ConsultationProblem(&result->consultation);
	return *problem == NULL;
}
