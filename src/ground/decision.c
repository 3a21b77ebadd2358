/*-------------------------------------------------------------------------
 *
 * decision.c
 *		Decides whether a question can be answered from the retrieved chunks.
 *
 * Pure; its SQL interface is in current_rules.c.  Rule: doc/spec/decision.md §7.
 *
 * The first of these that holds decides.  Invalid citations block, and so does an answer
 * that its sources do not say.  The following refuse: sources that contradict each other,
 * an answer that says that it cannot answer, missing judgements where judging is
 * required, too little evidence, and sources that are too old for the risk of the
 * question.  An ambiguous question is asked back.  Otherwise the question is answered,
 * with its caveats.
 *
 * weighing.c finds what an answer rests on.  Signals are compared as displayed, rounded
 * to four decimals, and a value that equals a threshold passes.
 *
 * Promises: pure; the same input gives the same bytes; the result contains everything
 * that led to the decision.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/numbers.h"
#include "ground/decision.h"
#include "ground/weighing.h"

#define SOURCE_SHOWN_CHARACTERS	150

static const char thin_message[] =
"I don't have enough reliable evidence in the retrieved documents to answer this safely.";

const char *const decision_labels[] = {
	"ANSWER", "ANSWER_WITH_CAVEATS", "CLARIFY", "ABSTAIN", "BLOCK"
};

/* State of a decision. */
typedef struct Deciding
{
	Weighing   *weighing;
	JsonView	reasons;
	JsonView	message;
} Deciding;

static void
AddReason(Deciding *deciding, const char *reason)
{
	JsonViewAppend(&deciding->reasons, JsonViewCString(reason));
}

/* Adds a reason, with the numbers behind it. */
static void
AddMeasured(Deciding *deciding, const char *reason, JsonView value, JsonView threshold, const char *key)
{
	DecisionResult *result = deciding->weighing->result;

	AddReason(deciding, reason);
	if (result->nnumbers < REASON_NUMBERS_MAX)
		result->numbers[result->nnumbers++] = (ReasonNumber) {reason, value, threshold, key};
}

static Decision
SettleDecision(Deciding *deciding, Decision decision, const char *message)
{
	deciding->message = JsonViewCString(message);
	return decision;
}

/* Appends what a source says, shortened if it is long. */
static void
AppendSource(StringInfo message, const char *label, Span doc_id, Span text)
{
	const char *p = text.str;
	const char *end = p + text.len;

	appendStringInfo(message, "%s (", label);
	appendBinaryStringInfo(message, doc_id.str, doc_id.len);
	appendStringInfoString(message, ") says: ");
	for (int i = 0; i < SOURCE_SHOWN_CHARACTERS && p < end; i++)
		p += Min(pg_utf_mblen((const unsigned char *) p), (int) (end - p));
	appendBinaryStringInfo(message, text.str, p - text.str);
	if (p < end)
		appendStringInfoString(message, "...");
}

/* ----------
 * The answer that was given
 * ----------
 */

/* Returns the first sentence with a status, or NULL. */
static const AnswerSentence *
SentenceWith(const Weighing *weighing, SentenceStatus status)
{
	const AnswerStatuses *statuses = &weighing->result->check.statuses;

	for (int i = 0; i < statuses->count; i++)
	{
		if (statuses->sentences[i].status == status)
			return &statuses->sentences[i];
	}
	return NULL;
}

static bool
IsBlockedByCheck(Deciding *deciding)
{
	if (!deciding->weighing->is_refused)
		return false;
	AddReason(deciding, "invalid_citations");
	(void) SettleDecision(deciding, DECISION_BLOCK,
				  "I can't provide a cited answer because the citations couldn't be verified"
				  " against the retrieved documents.");
	return true;
}

/* Appends the chunk that contradicts a sentence, and the contradicting sentence, or the whole text. */
static void
AppendContradiction(const Weighing *weighing, const AnswerSentence *sentence, StringInfo message)
{
	const AnswerStatuses *statuses = &weighing->result->check.statuses;
	const Chunk *chunks = weighing->input->chunks->chunks;
	int			first = 0;

	if (sentence->against >= 0)
	{
		AppendSource(message, " Source", chunks[sentence->against].doc_id, sentence->contradiction);
		return;
	}
	while (first < statuses->ncitations && !(sentence->counting & (1 << first)))
		first++;
	if (first < statuses->ncitations)
		AppendSource(message, " Source", chunks[statuses->cited[first]].doc_id, chunks[statuses->cited[first]].text);
}

static bool
IsBlockedBySources(Deciding *deciding)
{
	static const SentenceStatus wrong[] = {SENTENCE_MISQUOTED, SENTENCE_CONTRADICTED, SENTENCE_UNSUPPORTED};
	const AnswerSentence *contradicted = SentenceWith(deciding->weighing, SENTENCE_CONTRADICTED);
	StringInfoData message;
	bool		is_wrong = false;

	for (size_t i = 0; i < lengthof(wrong); i++)
	{
		if (SentenceWith(deciding->weighing, wrong[i]) == NULL)
			continue;
		AddReason(deciding, sentence_status_labels[wrong[i]]);
		is_wrong = true;
	}
	if (!is_wrong)
		return false;
	initStringInfo(&message);
	appendStringInfoString(&message,
						   "I can't provide this answer because the retrieved documents do not say it.");
	if (contradicted != NULL)
		AppendContradiction(deciding->weighing, contradicted, &message);
	(void) SettleDecision(deciding, DECISION_BLOCK, message.data);
	return true;
}

/* ----------
 * Refusing
 * ----------
 */

static bool
IsInConflict(Deciding *deciding)
{
	const Conflicts *conflicts = &deciding->weighing->result->conflicts;
	const Chunk *chunks = deciding->weighing->input->chunks->chunks;
	const Chunk *a;
	const Chunk *b;
	StringInfoData message;

	if (conflicts->npairs == 0)
		return false;
	a = &chunks[conflicts->pairs[0].a];
	b = &chunks[conflicts->pairs[0].b];
	AddReason(deciding, "conflict_detected");
	AddReason(deciding, conflict_type_labels[conflicts->pairs[0].type]);
	initStringInfo(&message);
	appendStringInfoString(&message,
						   "I can't answer definitively because the retrieved sources conflict. ");
	AppendSource(&message, "Source A", a->doc_id, a->text);
	AppendSource(&message, " While Source B", b->doc_id, b->text);
	appendStringInfoString(&message, " Please confirm the authoritative policy or escalate to an owner.");
	(void) SettleDecision(deciding, DECISION_ABSTAIN, message.data);
	return true;
}

/* Does a pair that needs a judge lack a judgement? */
static bool
LacksJudgement(const Weighing *weighing)
{
	const Consultation *consultation = &weighing->result->consultation;

	if (SentenceWith(weighing, SENTENCE_NOT_JUDGED) != NULL)
		return true;
	if (!weighing->has_answer && weighing->npassages > 0 && !ConsultationAsks(consultation, JUDGE_ANSWERS))
		return true;
	return ConsultationLacks(consultation);
}

static bool
IsUnchecked(Deciding *deciding)
{
	if (SentenceWith(deciding->weighing, SENTENCE_INSUFFICIENT) != NULL)
	{
		AddReason(deciding, "answer_abstains");
		(void) SettleDecision(deciding, DECISION_ABSTAIN, thin_message);
		return true;
	}
	if (deciding->weighing->input->config->judge == 0 || !LacksJudgement(deciding->weighing))
		return false;
	AddReason(deciding, "not_judged");
	(void) SettleDecision(deciding, DECISION_ABSTAIN,
				  "I can't answer because nobody has checked that the retrieved documents say so.");
	return true;
}

static const char *
ConfidenceKey(const Weighing *weighing)
{
	return weighing->risk == RISK_HIGH ? "confidence_threshold_high_risk" : "confidence_threshold";
}

/* Is the evidence not similar enough to the question, or not judged to answer it? Adds the reason. */
static bool
IsUnsure(Deciding *deciding)
{
	const Weighing *weighing = deciding->weighing;
	Numeric		floor = weighing->input->config->floor;

	if (weighing->result->passages_judged)
	{
		if (weighing->confidence == NULL)
			AddMeasured(deciding, "no_passage_answers", JsonViewNull(),
						JsonViewOfNumeric(weighing->conf_max), ConfidenceKey(weighing));
		else if (NumberCompare(weighing->confidence, weighing->conf_max) < 0)
			AddMeasured(deciding, "low_retrieval_confidence", JsonViewOfNumeric(weighing->confidence),
						JsonViewOfNumeric(weighing->conf_max), ConfidenceKey(weighing));
		else
			return false;
		return true;
	}
	if (NumberCompare(weighing->max, floor) < 0)
		AddMeasured(deciding, "low_retrieval_confidence", JsonViewOfNumeric(WeighedMostSimilar(weighing)),
					JsonViewOfNumeric(floor), "floor");
	else if (weighing->risk == RISK_HIGH && NumberCompare(weighing->max, weighing->conf_max) < 0)
		AddMeasured(deciding, "low_retrieval_confidence", JsonViewOfNumeric(weighing->max),
					JsonViewOfNumeric(weighing->conf_max), ConfidenceKey(weighing));
	else
		return false;
	return true;
}

/* Are there too few chunks? Never if a judge found one that answers. */
static bool
AreFew(Deciding *deciding)
{
	const Weighing *weighing = deciding->weighing;
	int			min_chunks = weighing->input->config->min_chunks;

	if (weighing->quality.hit_count >= min_chunks || weighing->confidence != NULL)
		return false;
	AddMeasured(deciding, "insufficient_retrieval_hits", JsonViewInteger(weighing->quality.hit_count),
				JsonViewInteger(min_chunks), "min_chunks");
	return true;
}

static bool
IsThin(Deciding *deciding)
{
	bool		is_unsure = IsUnsure(deciding);
	bool		is_few = AreFew(deciding);

	if (is_unsure || is_few)
		(void) SettleDecision(deciding, DECISION_ABSTAIN, thin_message);
	return is_unsure || is_few;
}

/* Returns the oldest of the used chunks that are stale; one without a date only if none has one. */
static const Chunk *
OldestUsed(const Weighing *weighing)
{
	const Chunk *oldest = NULL;

	for (int i = 0; i < weighing->nused; i++)
	{
		const Chunk *chunk = &weighing->input->chunks->chunks[weighing->used[i]];

		if (!WeighedIsStale(weighing, weighing->used[i]))
			continue;
		if (oldest == NULL || !oldest->has_instant || (chunk->has_instant && chunk->instant < oldest->instant))
			oldest = chunk->has_instant || oldest == NULL ? chunk : oldest;
	}
	return oldest;
}

/* Returns the age in whole days of the oldest used chunk that is stale; null if none of these has a date. */
static JsonView
AgeOfUsed(const Weighing *weighing)
{
	const Chunk *oldest = OldestUsed(weighing);

	if (oldest == NULL || !oldest->has_instant || TIMESTAMP_NOT_FINITE(weighing->input->now))
		return JsonViewNull();
	return JsonViewInteger((weighing->input->now - oldest->instant) / USECS_PER_DAY);
}

/* Returns the configuration key of the limit that applies. */
static const char *
FreshnessKey(const Weighing *weighing)
{
	const DecisionConfig *config = weighing->input->config;

	return weighing->risk == RISK_HIGH && weighing->freshness_days == config->freshness_days_high_risk ?
		"freshness_days_high_risk" : "freshness_days";
}

static void
AddStale(Deciding *deciding)
{
	AddMeasured(deciding, "stale_documents", AgeOfUsed(deciding->weighing),
				JsonViewInteger(deciding->weighing->freshness_days), FreshnessKey(deciding->weighing));
}

static bool
IsOutdated(Deciding *deciding)
{
	if (!deciding->weighing->is_stale || deciding->weighing->risk == RISK_LOW)
		return false;
	AddStale(deciding);
	(void) SettleDecision(deciding, DECISION_ABSTAIN,
				  "The retrieved sources appear outdated, so I can't answer confidently.");
	return true;
}

/* ----------
 * Answering
 * ----------
 */

/* Does the answer contain anything that neither sources nor judges confirm? */
static bool
IsNotJudged(const Weighing *weighing)
{
	const Consultation *consultation = &weighing->result->consultation;

	if (weighing->has_answer &&
		(SentenceWith(weighing, SENTENCE_NOT_JUDGED) != NULL ||
		 (SentenceWith(weighing, SENTENCE_QUOTED) == NULL && SentenceWith(weighing, SENTENCE_SUPPORTED) == NULL)))
		return true;
	if (ConsultationLacks(consultation))
		return true;
	return weighing->input->config->unjudged_passages == 1 && !weighing->any_passage_judged;
}

static const char *
StaleCaveat(const Weighing *weighing)
{
	const Chunk *oldest = OldestUsed(weighing);
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoString(&text, "The oldest source (");
	appendBinaryStringInfo(&text, oldest->doc_id.str, oldest->doc_id.len);
	if (!oldest->has_instant)
		appendStringInfoString(&text, ") has no date.");
	else
	{
		appendStringInfoString(&text, ") is from ");
		/* the date, with which every timestamp begins */
		appendBinaryStringInfo(&text, oldest->timestamp.str, Min(oldest->timestamp.len, 10));
		appendStringInfoChar(&text, '.');
	}
	return text.data;
}

static void
AddText(StringInfo texts, const char *text)
{
	appendStringInfo(texts, "%s%s", texts->len > 0 ? " " : "", text);
}

/* Decides to answer, with all caveats that apply. */
static Decision
DecideOnCaveats(Deciding *deciding)
{
	const Weighing *weighing = deciding->weighing;
	bool		with_caveats = weighing->input->config->caveats;
	StringInfoData texts;

	initStringInfo(&texts);
	if (IsNotJudged(weighing))
	{
		AddReason(deciding, "not_judged");
		AddText(&texts, "Nobody has checked that the cited documents say this.");
	}
	if (!weighing->result->passages_judged && NumberCompare(weighing->max, weighing->conf_max) < 0)
	{
		AddMeasured(deciding, "low_retrieval_confidence", JsonViewOfNumeric(weighing->max),
					JsonViewOfNumeric(weighing->conf_max), ConfidenceKey(weighing));
		AddText(&texts, "These are the closest passages; they may not answer the question.");
	}
	if (with_caveats && weighing->is_stale)
	{
		AddStale(deciding);
		AddText(&texts, StaleCaveat(weighing));
	}
	if (with_caveats && weighing->result->check.is_weak && SentenceWith(weighing, SENTENCE_NOT_JUDGED) != NULL)
	{
		AddReason(deciding, "weak_citation_support");
		AddText(&texts, "The cited documents share no words with the answer.");
	}
	return texts.len == 0 ? DECISION_ANSWER : SettleDecision(deciding, DECISION_ANSWER_WITH_CAVEATS, texts.data);
}

/* Applies the rules in order; the first that holds decides. */
static Decision
DecideInOrder(Deciding *deciding)
{
	Span		question;

	if (IsBlockedByCheck(deciding) || IsBlockedBySources(deciding))
		return DECISION_BLOCK;
	if (IsInConflict(deciding) || IsUnchecked(deciding) || IsThin(deciding) || IsOutdated(deciding))
		return DECISION_ABSTAIN;
	if (QueryAmbiguity(&deciding->weighing->query, &question))
	{
		AddReason(deciding, "ambiguous_query");
		deciding->message = JsonViewString(question.str, question.len);
		return DECISION_CLARIFY;
	}
	return DecideOnCaveats(deciding);
}

/* ----------
 * The result
 * ----------
 */

static JsonView
ChunkIdView(const Weighing *weighing, int chunk)
{
	return SpanView(weighing->input->chunks->chunks[chunk].chunk_id);
}

static JsonView
ThresholdsView(const Weighing *weighing)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "conf_max", JsonViewOfNumeric(weighing->conf_max));
	JsonViewSet(&view, "freshness_days", JsonViewInteger(weighing->freshness_days));
	JsonViewSet(&view, "min_chunks", JsonViewInteger(weighing->input->config->min_chunks));
	JsonViewSet(&view, "floor", JsonViewOfNumeric(weighing->input->config->floor));
	return view;
}

static JsonView
SignalsView(const Weighing *weighing)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "retrieval_confidence_max", JsonViewOfNumeric(weighing->quality.max));
	JsonViewSet(&view, "retrieval_hit_count", JsonViewInteger(weighing->quality.hit_count));
	JsonViewSet(&view, "freshness_violation", JsonViewBool(weighing->is_stale));
	JsonViewSet(&view, "answer_confidence",
				weighing->confidence ? JsonViewOfNumeric(weighing->confidence) : JsonViewNull());
	return view;
}

static JsonView
QuotesView(const Weighing *weighing)
{
	const DecisionResult *result = weighing->result;
	JsonView	view = JsonViewNewArray(result->nquotes);

	for (int i = 0; i < result->nquotes; i++)
	{
		JsonView	quote = JsonViewNewObject(2);

		JsonViewSet(&quote, "chunk_id", ChunkIdView(weighing, result->quotes[i].chunk));
		JsonViewSet(&quote, "text", SpanView(result->quotes[i].text));
		JsonViewAppend(&view, quote);
	}
	return view;
}

static JsonView
SupersededView(const Weighing *weighing)
{
	const DecisionResult *result = weighing->result;
	JsonView	view = JsonViewNewArray(result->nsuperseded);

	for (int i = 0; i < result->nsuperseded; i++)
	{
		JsonView	superseded = JsonViewNewObject(2);

		JsonViewSet(&superseded, "chunk_id", ChunkIdView(weighing, result->superseded[i].chunk));
		JsonViewSet(&superseded, "by", ChunkIdView(weighing, result->superseded[i].by));
		JsonViewAppend(&view, superseded);
	}
	return view;
}

static JsonView
StaleView(const Weighing *weighing)
{
	JsonView	view = JsonViewNewArray(weighing->result->nstale);

	for (int i = 0; i < weighing->result->nstale; i++)
		JsonViewAppend(&view, ChunkIdView(weighing, weighing->result->stale[i]));
	return view;
}

JsonView
DecisionPairsView(const DecisionInput *input, const DecisionResult *result, bool with_texts)
{
	Span	   *ids = palloc_extended(sizeof(Span) * (Size) Max(input->chunks->count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < input->chunks->count; i++)
		ids[i] = input->chunks->chunks[i].chunk_id;
	return ConsultationView(&result->consultation, ids, with_texts);
}

JsonView
DecisionNumbersView(const DecisionResult *result)
{
	JsonView	view = JsonViewNewArray(result->nnumbers);

	for (int i = 0; i < result->nnumbers; i++)
	{
		const ReasonNumber *number = &result->numbers[i];
		JsonView	object = JsonViewNewObject(4);

		JsonViewSet(&object, "reason", JsonViewCString(number->reason));
		JsonViewSet(&object, "value", number->value);
		JsonViewSet(&object, "threshold", number->threshold);
		JsonViewSet(&object, "key", JsonViewCString(number->key));
		JsonViewAppend(&view, object);
	}
	return view;
}

static JsonView
ResultView(const Deciding *deciding, Decision decision)
{
	const Weighing *weighing = deciding->weighing;
	const DecisionResult *result = weighing->result;
	JsonView	view = JsonViewNewObject(13);

	JsonViewSet(&view, "decision", JsonViewCString(decision_labels[decision]));
	JsonViewSet(&view, "reasons", deciding->reasons);
	JsonViewSet(&view, "user_message", deciding->message);
	JsonViewSet(&view, "thresholds", ThresholdsView(weighing));
	JsonViewSet(&view, "signals", SignalsView(weighing));
	JsonViewSet(&view, "risk", QueryRiskView(&weighing->query));
	JsonViewSet(&view, "retrieval_quality",
				RetrievalQualityView(weighing->input->chunks, &weighing->quality));
	JsonViewSet(&view, "conflicts", ConflictsView(&result->conflicts));
	JsonViewSet(&view, "validation", result->is_checked ? result->check.view : JsonViewNull());
	JsonViewSet(&view, "quotes", QuotesView(weighing));
	JsonViewSet(&view, "superseded", SupersededView(weighing));
	JsonViewSet(&view, "stale", StaleView(weighing));
	JsonViewSet(&view, "to_judge", DecisionPairsView(weighing->input, result, false));
	return view;
}

bool
DecisionPairs(const DecisionInput *input, DecisionResult *result, const char **problem)
{
	Weighing	weighing = {.input = input, .result = result};

	memset(result, 0, sizeof(*result));
	*problem = NULL;
	return Weigh(&weighing, problem);
}

bool
Decide(const DecisionInput *input, DecisionResult *result, const char **problem)
{
	Weighing	weighing = {.input = input, .result = result};
	Deciding	deciding = {
		.weighing = &weighing,
		.reasons = JsonViewNewArray(2),
		.message = JsonViewNull()
	};

	memset(result, 0, sizeof(*result));
	*problem = NULL;
	if (!Weigh(&weighing, problem))
		return false;
	result->decision = DecideInOrder(&deciding);
	result->similarity = weighing.max;
	result->view = ResultView(&deciding, result->decision);
	return true;
}
