/*-------------------------------------------------------------------------
 *
 * receipt.c
 *		The document decision/v1: what it holds, and deciding it again.
 *
 * Rule: the contract of grounded answers, "The whole way", and that of signed
 * documents.  A document holds all that its decision follows from: the query,
 * the chunks, what was proposed as an answer, the configuration, the rules, the
 * clock, and what users' detectors found.  Whoever holds it can decide it again;
 * answer_verify and answer_replay do.  Pure: it looks at the document alone.
 *
 * Promises: a decision is made from what stands in the document, by the one
 * function that a replay runs, too.  A document is read without trust: what is
 * wrong with it is reported, and never raised.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "document/kind.h"
#include "document/signed.h"
#include "ground/extract.h"
#include "ground/receipt.h"

#define DECISION_SCHEMA		"decision/v1"
#define DECISION_ID_PREFIX	"dec_"
#define DECISION_RULE		"decision/1"
#define SCORE_RULE			"text-score/1"

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the sources are right. A receipt is never a certification.";

/* What of a document follows from the rest of it, in the order in which a replay compares. */
static const char *const decided_members[] = {"risk", "thresholds", "retrieval_quality", "conflicts",
	"validation", "signals", "decision", "reasons", "user_message", "degraded"};

/* The kinds of conflicts that are found here; every other one is a detector's name. */
static const char *const built_in_kinds[] = {"encryption", "refund", "policy", "numeric"};

/*
 * values
 */

static bool
IsOneOf(const JsonView *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
	{
		if (JsonViewStringIs(text, words[i]))
			return true;
	}
	return false;
}

static Span
SpanOfView(const JsonView *text)
{
	return SpanOf(text->str, text->len);
}

static bool
IsText(const JsonView *object, const char *key, Span *text)
{
	return JsonViewGetString(object, key, &text->str, &text->len);
}

/* Did any detector fail? */
bool
DetectorsFailed(const JsonView *detectors)
{
	if (detectors->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(detectors); i++)
	{
		JsonView	detector;
		JsonView	outcome;

		JsonViewElement(detectors, i, &detector);
		if (!JsonViewGetMember(&detector, "outcome", &outcome) || !JsonViewStringIs(&outcome, "ok"))
			return true;
	}
	return false;
}

/*
 * deciding
 */

/*
 * Decides.  False, and a sentence, where what a document would hold is
 * malformed, a caller's chunks, configuration or citations; or too large.
 */
bool
GroundingDecide(const Grounding *grounding, DecisionResult *result, const char **problem)
{
	JsonView	chunks = ReadableChunks(&grounding->chunks);
	JsonView	config = NumbersOfPortable(&grounding->config);
	DecisionConfig parsed;
	DecisionInput input;
	JsonView	answer;

	memset(&input, 0, sizeof(input));
	if (!DecisionConfigParse(&config, &parsed, problem))
		return false;
	input.chunks = ChunksParse(&chunks, grounding->rules, problem);
	if (input.chunks == NULL)
		return false;
	input.query = SpanOfView(&grounding->query);
	if (grounding->proposed.type == JVIEW_OBJECT)
	{
		JsonViewGetMember(&grounding->proposed, "citations", &input.citations);
		/* none were given: not the same as an empty list, to whoever reads it */
		if (input.citations.type == JVIEW_NULL)
			input.citations.type = JVIEW_ABSENT;
		JsonViewGetMember(&grounding->proposed, "answer", &answer);
		input.has_answer = answer.type == JVIEW_STRING;
		if (input.has_answer)
			input.answer = SpanOfView(&answer);
	}
	input.config = &parsed;
	input.now = grounding->evaluated_at;
	input.rules = grounding->rules;
	/* what is more than a document may have is in none */
	input.conflicts_most = DOCUMENT_MAX_SIZE;
	input.ndetected = grounding->ndetected;
	input.detected = grounding->detected;
	return Decide(&input, result, problem);
}

/* What the check of an answer comes to where nothing was proposed. */
static JsonView
NothingValidated(void)
{
	JsonView	validation = JsonViewNewObject(6);

	JsonViewSet(&validation, "citation_valid", JsonViewBool(true));
	JsonViewSet(&validation, "errors", JsonViewNewArray(0));
	JsonViewSet(&validation, "warnings", JsonViewNewArray(0));
	JsonViewSet(&validation, "recall", JsonViewNull());
	JsonViewSet(&validation, "precision", JsonViewNull());
	JsonViewSet(&validation, "spans", JsonViewNewArray(0));
	return validation;
}

/* The reasons of a decision, and that a detector failed. */
static JsonView
AllReasons(const JsonView *decided, bool degraded)
{
	JsonView	reasons = JsonViewNewArray(JsonViewCount(decided) + 1);

	for (int i = 0; i < JsonViewCount(decided); i++)
	{
		JsonView	reason;

		JsonViewElement(decided, i, &reason);
		JsonViewAppend(&reasons, reason);
	}
	if (degraded)
		JsonViewAppend(&reasons, JsonViewCString("conflict_detector_failed"));
	return reasons;
}

/* Sets what of a document follows from a decision alone. */
void
DecidedMembersSet(JsonView *body, const Grounding *grounding, const DecisionResult *result)
{
	bool		degraded = DetectorsFailed(&grounding->detectors);

	for (size_t i = 0; i < lengthof(decided_members); i++)
	{
		JsonView	member;

		JsonViewGetMember(&result->view, decided_members[i], &member);
		if (strcmp(decided_members[i], "degraded") == 0)
			member = JsonViewBool(degraded);
		else if (strcmp(decided_members[i], "reasons") == 0)
			member = AllReasons(&member, degraded);
		else if (strcmp(decided_members[i], "validation") == 0 &&
				 grounding->proposed.type != JVIEW_OBJECT)
			member = NothingValidated();
		JsonViewSet(body, decided_members[i], member);
	}
}

/*
 * the document
 */

static bool
IsAnswer(const JsonView *decision)
{
	return JsonViewStringIs(decision, "ANSWER") || JsonViewStringIs(decision, "ANSWER_WITH_CAVEATS");
}

/* Is the first reason that sources conflict? */
static bool
IsOverConflict(const JsonView *decision, const JsonView *reasons)
{
	JsonView	first;

	if (!JsonViewStringIs(decision, "ABSTAIN") || reasons->type != JVIEW_ARRAY || JsonViewCount(reasons) == 0)
		return false;
	JsonViewElement(reasons, 0, &first);
	return JsonViewStringIs(&first, "conflict_detected");
}

/* What a decision cites: see the contract.  The body has the decision, and what was proposed. */
static JsonView
CitationsOf(const JsonView *body)
{
	JsonView	citations = JsonViewNewArray(2);
	JsonView	decision;
	JsonView	reasons;
	JsonView	proposed;
	JsonView	conflicts;
	JsonView	pairs;
	JsonView	pair;

	JsonViewGetMember(body, "decision", &decision);
	JsonViewGetMember(body, "reasons", &reasons);
	if (IsAnswer(&decision))
	{
		if (JsonViewGetMember(body, "proposed", &proposed) && proposed.type == JVIEW_OBJECT &&
			JsonViewGetMember(&proposed, "citations", &pairs) && pairs.type == JVIEW_ARRAY)
			return pairs;
		return citations;
	}
	if (!IsOverConflict(&decision, &reasons) ||
		!JsonViewGetMember(body, "conflicts", &conflicts) ||
		!JsonViewGetMember(&conflicts, "pairs", &pairs) || pairs.type != JVIEW_ARRAY ||
		JsonViewCount(&pairs) == 0)
		return citations;
	JsonViewElement(&pairs, 0, &pair);
	for (int i = 0; i < 2; i++)
	{
		JsonView	side;
		JsonView	chunk_id = {.type = JVIEW_NULL};

		if (JsonViewGetMember(&pair, i == 0 ? "chunk_a" : "chunk_b", &side) && side.type == JVIEW_OBJECT)
			(void) JsonViewGetMember(&side, "chunk_id", &chunk_id);
		JsonViewAppend(&citations, chunk_id);
	}
	return citations;
}

/* What a decision shows: the answer that was proposed, or the message in its place. */
static JsonView
AnswerOf(const JsonView *body)
{
	JsonView	decision;
	JsonView	proposed;
	JsonView	answer = {.type = JVIEW_ABSENT};

	JsonViewGetMember(body, "decision", &decision);
	if (!IsAnswer(&decision))
		JsonViewGetMember(body, "user_message", &answer);
	else if (JsonViewGetMember(body, "proposed", &proposed) && proposed.type == JVIEW_OBJECT)
		JsonViewGetMember(&proposed, "answer", &answer);
	return answer;
}

static JsonView
ReproduceView(const Grounding *grounding, bool by_text, bool had_written)
{
	JsonView	reproduce = JsonViewNewObject(1);
	JsonView	evaluator = JsonViewNewObject(4);
	JsonView	rules = JsonViewNewArray(2);
	JsonView	digests = JsonViewNewObject(2);
	char	   *rules_digest = palloc(DIGEST_TEXT_LENGTH + 1);
	char	   *config_digest = palloc(DIGEST_TEXT_LENGTH + 1);

	JsonViewAppend(&rules, JsonViewCString(DECISION_RULE));
	if (by_text)
		JsonViewAppend(&rules, JsonViewCString(SCORE_RULE));
	CanonicalDigest(&grounding->rules_document, NULL, rules_digest);
	CanonicalDigest(&grounding->config, NULL, config_digest);
	JsonViewSet(&digests, "decision_rules", JsonViewCString(rules_digest));
	JsonViewSet(&digests, "decision_config", JsonViewCString(config_digest));
	JsonViewSet(&evaluator, "engine_version", JsonViewCString(ANSWER_EVAL_VERSION));
	JsonViewSet(&evaluator, "rules", rules);
	JsonViewSet(&evaluator, "digests", digests);
	if (had_written)
		JsonViewSet(&evaluator, "uncommitted", JsonViewBool(true));
	JsonViewSet(&reproduce, "evaluator", evaluator);
	return reproduce;
}

/* Sets what was asked and proposed and what came of it, in portable form: what of a document a reader wants. */
void
DecisionOutcomeSet(JsonView *body, const Grounding *grounding, const DecisionResult *result)
{
	JsonView	decided = JsonViewNewObject(lengthof(decided_members));

	JsonViewSet(body, "query", grounding->query);
	JsonViewSet(body, "proposed", grounding->proposed);
	DecidedMembersSet(&decided, grounding, result);
	JsonViewOfJsonb(JsonViewToJsonb(&decided, true), &decided);
	for (size_t i = 0; i < lengthof(decided_members); i++)
	{
		JsonView	member;

		JsonViewGetMember(&decided, decided_members[i], &member);
		JsonViewSet(body, decided_members[i], member);
	}
	JsonViewSet(body, "answer", AnswerOf(body));
	JsonViewSet(body, "citations", CitationsOf(body));
}

/*
 * Sets the members of this kind, in portable form.  "retrieval" has the chunks and how they came;
 * "by_text" says that the product's text score found them, "had_written" that the transaction had written.
 */
void
DecisionDocumentSet(JsonView *body, const Grounding *grounding, const JsonView *retrieval,
					bool by_text, bool had_written, const DecisionResult *result)
{
	char	   *instant = palloc(INSTANT_SIZE);

	InstantFormat(grounding->evaluated_at, instant);
	JsonViewSet(body, "evaluated_at", JsonViewCString(instant));
	JsonViewSet(body, "retrieval", *retrieval);
	DecisionOutcomeSet(body, grounding, result);
	if (grounding->detectors.type == JVIEW_ARRAY)
		JsonViewSet(body, "detectors", grounding->detectors);
	JsonViewSet(body, "config", grounding->config);
	JsonViewSet(body, "rules", grounding->rules_document);
	JsonViewSet(body, "reproduce", ReproduceView(grounding, by_text, had_written));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
}

/*
 * closure
 */

/* Reads the chunks of a document, each of which has an id of its own; NULL if they are none. */
static ChunkSet *
ChunksOfDocument(const JsonView *document, JsonView *chunks)
{
	JsonView	retrieval;
	JsonView	readable;
	const char *problem;

	if (!JsonViewGetMember(document, "retrieval", &retrieval) ||
		!JsonViewGetMember(&retrieval, "chunks", chunks))
		return NULL;
	readable = ReadableChunks(chunks);
	return readable.type == JVIEW_ARRAY ? ChunksParse(&readable, NULL, &problem) : NULL;
}

/* The chunk of an id; NULL if there is none. */
static const Chunk *
FindChunk(const ChunkSet *chunks, const JsonView *chunk_id)
{
	CHECK_FOR_INTERRUPTS();
	return chunk_id->type == JVIEW_STRING ? ChunkOfId(chunks, SpanOfView(chunk_id)) : NULL;
}

/* Is a text the content that a chunk's hash names? */
static bool
ContentHashes(const JsonView *chunks)
{
	for (int i = 0; i < JsonViewCount(chunks); i++)
	{
		JsonView	chunk;
		JsonView	stated;
		Span		text;
		uint8		sha256[SHA256_LENGTH];
		char		digest[DIGEST_TEXT_LENGTH + 1] = DIGEST_PREFIX;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(chunks, i, &chunk);
		if (!JsonViewGetMember(&chunk, "content_hash", &stated))
			continue;
		if (!IsText(&chunk, "text", &text))
			return false;
		Sha256(text.str, text.len, sha256);
		HexEncode(sha256, SHA256_LENGTH, digest + strlen(DIGEST_PREFIX));
		digest[DIGEST_TEXT_LENGTH] = '\0';
		if (!JsonViewStringIs(&stated, digest))
			return false;
	}
	return true;
}

static bool
CitationsAreChunks(const JsonView *citations, const ChunkSet *chunks)
{
	if (citations->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(citations); i++)
	{
		JsonView	citation;

		JsonViewElement(citations, i, &citation);
		if (FindChunk(chunks, &citation) == NULL)
			return false;
	}
	return true;
}

/* One side of a conflict: a chunk, under the document that it is of. */
static bool
SideIsChunk(const JsonView *pair, const char *side, const ChunkSet *chunks, const Chunk **chunk)
{
	JsonView	view;
	JsonView	id;
	Span		doc_id;

	if (!JsonViewGetMember(pair, side, &view) || view.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&view, "chunk_id", &id) || !IsText(&view, "doc_id", &doc_id))
		return false;
	*chunk = FindChunk(chunks, &id);
	return *chunk && SpanEqual(doc_id, (*chunk)->doc_id);
}

static bool
ConflictsAreOfChunks(const JsonView *document, const ChunkSet *chunks, JsonView *pairs)
{
	JsonView	conflicts;

	if (!JsonViewGetMember(document, "conflicts", &conflicts) || conflicts.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&conflicts, "pairs", pairs) || pairs->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(pairs); i++)
	{
		JsonView	pair;
		const Chunk *a;
		const Chunk *b;

		JsonViewElement(pairs, i, &pair);
		if (pair.type != JVIEW_OBJECT || !SideIsChunk(&pair, "chunk_a", chunks, &a) ||
			!SideIsChunk(&pair, "chunk_b", chunks, &b) || a == b)
			return false;
	}
	return true;
}

static bool
IsArrayOf(JsonViewType type, const JsonView *array)
{
	if (array->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element;

		JsonViewElement(array, i, &element);
		if (element.type != type)
			return false;
	}
	return true;
}

/* Is what was proposed an answer of a caller's, or an extract? */
static bool
ProposedIsFormed(const JsonView *proposed)
{
	JsonView	by;
	JsonView	answer;
	JsonView	citations;
	JsonView	quotes;
	bool		extract;

	if (proposed->type == JVIEW_NULL)
		return true;
	if (proposed->type != JVIEW_OBJECT || !JsonViewGetMember(proposed, "by", &by) ||
		!JsonViewGetMember(proposed, "answer", &answer) ||
		!JsonViewGetMember(proposed, "citations", &citations))
		return false;
	extract = JsonViewStringIs(&by, "extract");
	if (!extract && !JsonViewStringIs(&by, "caller"))
		return false;
	if (JsonViewCount(proposed) != (extract ? 4 : 3))
		return false;
	if (extract)
		return answer.type == JVIEW_STRING && IsArrayOf(JVIEW_STRING, &citations) &&
			JsonViewGetMember(proposed, "quotes", &quotes) && IsArrayOf(JVIEW_STRING, &quotes);
	return (answer.type == JVIEW_STRING || answer.type == JVIEW_NULL) &&
		(citations.type == JVIEW_NULL || IsArrayOf(JVIEW_STRING, &citations));
}

/* Is an extract nothing but quotes of the chunks that it cites? */
static bool
ExtractIsOfChunks(const JsonView *proposed, const ChunkSet *chunks)
{
	JsonView	by;
	JsonView	answer;
	JsonView	citations;
	JsonView	quotes;
	StringInfoData made;

	if (proposed->type != JVIEW_OBJECT)
		return true;
	JsonViewGetMember(proposed, "by", &by);
	if (!JsonViewStringIs(&by, "extract"))
		return true;
	JsonViewGetMember(proposed, "answer", &answer);
	JsonViewGetMember(proposed, "citations", &citations);
	JsonViewGetMember(proposed, "quotes", &quotes);
	if (JsonViewCount(&quotes) != JsonViewCount(&citations))
		return false;
	initStringInfo(&made);
	for (int i = 0; i < JsonViewCount(&quotes); i++)
	{
		JsonView	quote;
		JsonView	citation;
		const Chunk *chunk;

		JsonViewElement(&quotes, i, &quote);
		JsonViewElement(&citations, i, &citation);
		chunk = FindChunk(chunks, &citation);
		if (quote.len == 0 || chunk == NULL ||
			memmem(chunk->text.str, chunk->text.len, quote.str, quote.len) == NULL)
			return false;
		ExtractAppend(&made, SpanOfView(&quote), i + 1);
	}
	return SpanEqual(SpanOf(made.data, made.len), SpanOfView(&answer));
}

/* Does a digest in "reproduce" name that member of the document? */
static bool
DigestNames(const JsonView *document, const char *name, const char *key)
{
	JsonView	view;
	JsonView	evaluator;
	JsonView	digests;
	JsonView	stated;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!JsonViewGetMember(document, "reproduce", &view) || view.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&view, "evaluator", &evaluator) || evaluator.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&evaluator, "digests", &digests) || digests.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&digests, name, &stated) || !JsonViewGetMember(document, key, &view))
		return false;
	CanonicalDigest(&view, NULL, digest);
	return JsonViewStringIs(&stated, digest);
}

static bool
DetectorsAreFormed(const JsonView *document, JsonView *detectors)
{
	static const char *const outcomes[] = {"ok", "failed"};

	detectors->type = JVIEW_ABSENT;
	if (!JsonViewGetMember(document, "detectors", detectors))
		return true;
	if (detectors->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(detectors); i++)
	{
		JsonView	detector;
		JsonView	outcome;
		Span		name;

		JsonViewElement(detectors, i, &detector);
		if (detector.type != JVIEW_OBJECT || !IsText(&detector, "name", &name) ||
			!JsonViewGetMember(&detector, "outcome", &outcome) ||
			!IsOneOf(&outcome, outcomes, lengthof(outcomes)))
			return false;
	}
	return true;
}

/* A detector, by the name that its conflicts have as their kind. */
typedef struct NamedDetector
{
	Span		name;
	int			place;
	bool		came_back;
} NamedDetector;

/* By name, and those of one name as they stand in the document. */
static int
CompareDetectors(const void *a, const void *b)
{
	const NamedDetector *left = a;
	const NamedDetector *right = b;
	int			cmp = SpanCompare(left->name, right->name);

	return cmp != 0 ? cmp : left->place - right->place;
}

static int
CompareNames(const void *a, const void *b)
{
	return SpanCompare(((const NamedDetector *) a)->name, ((const NamedDetector *) b)->name);
}

/*
 * Sorts detectors, so that a hostile document with many of them and many conflicts
 * is looked through in no more than n log n steps.  The first one of a name counts.
 */
static NamedDetector *
SortDetectors(const JsonView *detectors, int *count)
{
	int			given = JsonViewCount(detectors);
	NamedDetector *sorted = palloc_extended(sizeof(NamedDetector) * (Size) Max(given, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < given; i++)
	{
		JsonView	detector;
		JsonView	outcome;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(detectors, i, &detector);
		(void) IsText(&detector, "name", &sorted[i].name);
		JsonViewGetMember(&detector, "outcome", &outcome);
		sorted[i].place = i;
		sorted[i].came_back = JsonViewStringIs(&outcome, "ok");
	}
	qsort(sorted, given, sizeof(NamedDetector), CompareDetectors);
	*count = 0;
	for (int i = 0; i < given; i++)
	{
		if (i == 0 || !SpanEqual(sorted[i].name, sorted[*count - 1].name))
			sorted[(*count)++] = sorted[i];
	}
	return sorted;
}

/* Is each conflict one of ours, or of a detector that came back?  The detectors are formed. */
static bool
KindsAreKnown(const JsonView *pairs, const JsonView *detectors)
{
	int			count;
	NamedDetector *sorted = SortDetectors(detectors, &count);

	for (int i = 0; i < JsonViewCount(pairs); i++)
	{
		JsonView	pair;
		JsonView	kind;
		NamedDetector wanted;
		const NamedDetector *found;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(pairs, i, &pair);
		JsonViewGetMember(&pair, "kind", &kind);
		if (IsOneOf(&kind, built_in_kinds, lengthof(built_in_kinds)))
			continue;
		if (kind.type != JVIEW_STRING)
			return false;
		wanted.name = SpanOfView(&kind);
		found = bsearch(&wanted, sorted, count, sizeof(NamedDetector), CompareNames);
		if (found == NULL || !found->came_back)
			return false;
	}
	return true;
}

/* Are the answer and what it cites what the decision says? */
static const char *
OutcomeProblem(const JsonView *document, const JsonView *citations)
{
	JsonView	stated;
	JsonView	shown = AnswerOf(document);
	JsonView	cited = CitationsOf(document);

	JsonViewGetMember(document, "answer", &stated);
	if (shown.type == JVIEW_ABSENT || !ReportIsSame(&stated, &shown))
		return "answer is not what was decided";
	if (!ReportIsSame(citations, &cited))
		return "citations are not what was decided";
	return NULL;
}

static const char *
DecisionClosureProblem(const JsonView *document)
{
	static const char *const decisions[] = {"ANSWER", "ANSWER_WITH_CAVEATS", "CLARIFY", "ABSTAIN", "BLOCK"};
	JsonView	member;
	JsonView	citations;
	JsonView	chunks;
	JsonView	pairs;
	JsonView	proposed;
	JsonView	detectors;
	const ChunkSet *set;
	const char *problem;

	JsonViewGetMember(document, "query", &member);
	if (member.type != JVIEW_STRING)
		return "query is no text";
	JsonViewGetMember(document, "decision", &member);
	if (!IsOneOf(&member, decisions, lengthof(decisions)))
		return "decision is none of ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN and BLOCK";
	set = ChunksOfDocument(document, &chunks);
	if (set == NULL)
		return "retrieval.chunks is malformed";
	if (!ContentHashes(&chunks))
		return "a chunk does not hash to its content_hash";
	JsonViewGetMember(document, "citations", &citations);
	if (!CitationsAreChunks(&citations, set))
		return "a citation names no chunk";
	if (!ConflictsAreOfChunks(document, set, &pairs))
		return "a conflict is not between two of the chunks";
	JsonViewGetMember(document, "proposed", &proposed);
	if (!ProposedIsFormed(&proposed))
		return "proposed is malformed";
	if (!ExtractIsOfChunks(&proposed, set))
		return "the extract is not made of its chunks";
	problem = OutcomeProblem(document, &citations);
	if (problem)
		return problem;
	if (!DigestNames(document, "decision_rules", "rules"))
		return "the rules do not hash to their digest";
	if (!DigestNames(document, "decision_config", "config"))
		return "the config does not hash to its digest";
	if (!DetectorsAreFormed(document, &detectors))
		return "detectors is malformed";
	if (!KindsAreKnown(&pairs, &detectors))
		return "a conflict is of no detector";
	return NULL;
}

/*
 * replay
 */

/* What detectors found, as the document has it: from the first conflict on that is none of ours. */
static void
DetectedOfPairs(const JsonView *pairs, Grounding *grounding)
{
	int			count = JsonViewCount(pairs);
	DetectedPairs *detected = palloc0(sizeof(DetectedPairs) * (Size) Max(count, 1));
	bool		found = false;

	for (int i = 0; i < count; i++)
	{
		JsonView	pair;
		JsonView	kind;
		DetectedPairs *last = &detected[Max(grounding->ndetected - 1, 0)];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(pairs, i, &pair);
		(void) JsonViewGetMember(&pair, "kind", &kind);
		found = found || !IsOneOf(&kind, built_in_kinds, lengthof(built_in_kinds));
		if (!found)
			continue;
		if (grounding->ndetected == 0 || kind.type != JVIEW_STRING ||
			!SpanEqual(last->name, SpanOfView(&kind)))
		{
			last = &detected[grounding->ndetected++];
			last->name = kind.type == JVIEW_STRING ? SpanOfView(&kind) : SpanOfCString("");
			last->pairs = JsonViewNewArray(1);
		}
		JsonViewAppend(&last->pairs, pair);
	}
	grounding->detected = detected;
}

/* Does a document's configuration have all keys, each with a value that it can have? */
static bool
ConfigIsFormed(const JsonView *config)
{
	JsonView	readable;
	DecisionConfig parsed;
	const char *problem;

	if (!DecisionConfigIsWhole(config))
		return false;
	readable = NumbersOfPortable(config);
	return DecisionConfigParse(&readable, &parsed, &problem);
}

/* Reads what a document was decided from; NULL, or why that cannot be done. */
static const char *
GroundingOfDocument(const JsonView *document, Grounding *grounding)
{
	JsonView	member;
	JsonView	pairs;
	const char *problem;

	memset(grounding, 0, sizeof(*grounding));
	if (!JsonViewGetMember(document, "evaluated_at", &member) ||
		!InstantOfView(&member, &grounding->evaluated_at))
		return "evaluated_at is missing or no instant";
	if (!JsonViewGetMember(document, "query", &grounding->query) || grounding->query.type != JVIEW_STRING)
		return "query is no text";
	if (!JsonViewGetMember(document, "rules", &grounding->rules_document) ||
		(grounding->rules = EarlierDecisionRulesParse(&grounding->rules_document, &problem)) == NULL)
		return "the rules are malformed";
	if (!JsonViewGetMember(document, "config", &grounding->config) || !ConfigIsFormed(&grounding->config))
		return "the config is malformed";
	if (!ChunksOfDocument(document, &grounding->chunks))
		return "retrieval.chunks is malformed";
	if (!JsonViewGetMember(document, "proposed", &grounding->proposed) ||
		!ProposedIsFormed(&grounding->proposed))
		return "proposed is malformed";
	if (!JsonViewGetMember(document, "conflicts", &member) || member.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&member, "pairs", &pairs) || !IsArrayOf(JVIEW_OBJECT, &pairs))
		return "conflicts is malformed";
	if (!DetectorsAreFormed(document, &grounding->detectors))
		return "detectors is malformed";
	DetectedOfPairs(&pairs, grounding);
	return NULL;
}

/*
 * What would have been decided about a document's question and chunks under
 * another configuration, of portable form; NULL where nothing can be.  An answer
 * that was made of quotes is of the other configuration's decision, and left out.
 */
const char *
DecisionUnder(const JsonView *document, const JsonView *config)
{
	Grounding	grounding;
	DecisionResult result;
	JsonView	by;
	JsonView	decision;
	const char *problem;

	if (GroundingOfDocument(document, &grounding) || !ConfigIsFormed(config))
		return NULL;
	grounding.config = *config;
	if (grounding.proposed.type == JVIEW_OBJECT && JsonViewGetMember(&grounding.proposed, "by", &by) &&
		JsonViewStringIs(&by, "extract"))
		grounding.proposed = JsonViewNull();
	if (!GroundingDecide(&grounding, &result, &problem) ||
		!JsonViewGetMember(&result.view, "decision", &decision) || decision.type != JVIEW_STRING)
		return NULL;
	return pnstrdup(decision.str, decision.len);
}

/* Decides again; NULL, or what is wrong, with what came out differently. */
static const char *
ReplayProblem(const JsonView *document, JsonView *differences)
{
	JsonView	again = JsonViewNewObject(lengthof(decided_members));
	Grounding	grounding;
	DecisionResult result;
	const char *problem = GroundingOfDocument(document, &grounding);

	if (problem)
		return problem;
	if (!GroundingDecide(&grounding, &result, &problem))
		return psprintf("nothing can be decided again: %s", problem);
	DecidedMembersSet(&again, &grounding, &result);
	for (size_t i = 0; i < lengthof(decided_members); i++)
	{
		JsonView	stated = {.type = JVIEW_ABSENT};
		JsonView	recomputed;

		JsonViewGetMember(&again, decided_members[i], &recomputed);
		(void) JsonViewGetMember(document, decided_members[i], &stated);
		if (!ReportIsSame(&stated, &recomputed))
			ReportDifference(differences, decided_members[i]);
	}
	return JsonViewCount(differences) > 0 ? REPORT_DIFFERS : NULL;
}

/* The report of a replay, and the step of verification, which is the same. */
static JsonView
ReplayDecision(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	report = ReportStep(ReplayProblem(document, &differences));

	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

/*
 * What the dashboard counts of a decision.  To ask back is no answer.  An answer
 * that was proposed needs citations unless it says that it has none to give, and
 * one whose citations did not hold lacks them.  A conflict that was found weighs 1.
 */
static void
CountDecision(const JsonView *body, KindColumns *columns)
{
	JsonView	decision;
	JsonView	conflicts;
	JsonView	detected;
	JsonView	citations;
	JsonView	reasons;
	bool		blocks;

	JsonViewGetMember(body, "decision", &decision);
	blocks = JsonViewStringIs(&decision, "BLOCK");
	columns->is_answer = IsAnswer(&decision) || blocks || JsonViewStringIs(&decision, "ABSTAIN");
	columns->supported = IsAnswer(&decision);
	columns->citation_given = columns->supported && JsonViewGetMember(body, "citations", &citations) &&
		citations.type == JVIEW_ARRAY && JsonViewCount(&citations) > 0;
	columns->citation_required = columns->citation_given || blocks;
	columns->contradictory = JsonViewGetMember(body, "conflicts", &conflicts) && conflicts.type == JVIEW_OBJECT &&
		JsonViewGetMember(&conflicts, "conflict_detected", &detected) && detected.type == JVIEW_BOOL && detected.boolean;
	if (!JsonViewGetMember(body, "reasons", &reasons) || reasons.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&reasons); i++)
	{
		JsonView	reason;

		JsonViewElement(&reasons, i, &reason);
		if (reason.type == JVIEW_STRING)
			KindCountWord(columns, "reason", SpanOfView(&reason), 1);
	}
}

static bool
ReadDecisionColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	signals;
	JsonView	confidence;
	JsonView	degraded;
	PlainNumber plain;

	if (!JsonViewGetString(body, "decision", &columns->verdict.str, &columns->verdict.len) ||
		!JsonViewGetMember(body, "signals", &signals) || signals.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&signals, "retrieval_confidence_max", &confidence) ||
		!NumberPlain(&confidence, &plain) ||
		!JsonViewGetMember(body, "degraded", &degraded) || degraded.type != JVIEW_BOOL)
		return false;
	columns->has_confidence = true;
	columns->confidence = strtod(plain.text, NULL);
	columns->has_degraded = true;
	columns->degraded = degraded.boolean;
	(void) JsonViewGetString(body, "intent", &columns->intent.str, &columns->intent.len);
	CountDecision(body, columns);
	return true;
}

static const char *const decision_members[] = {"query", "decision", "answer", "user_message", "citations",
	"proposed", "retrieval", "retrieval_quality", "validation", "conflicts", "reasons", "signals", "thresholds",
	"risk", "degraded", "config", "rules", "reproduce", NULL};

const DocumentKind decision_kind = {
	.schema = DECISION_SCHEMA,
	.prefix = DECISION_ID_PREFIX,
	.members = decision_members,
	.closure_problem = DecisionClosureProblem,
	.verify_replay = ReplayDecision,
	.replay = ReplayDecision,
	.read_columns = ReadDecisionColumns,
	.tells_cached = true
};
