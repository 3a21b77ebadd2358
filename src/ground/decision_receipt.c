/*-------------------------------------------------------------------------
 *
 * decision_receipt.c
 *		The document decision/v1: its content, and its replay.
 *
 * Rule: doc/spec/decision.md §8 and doc/spec/judgement.md §4.  A document contains
 * everything that its decision depends on: the query, the chunks, the proposed answer,
 * the configuration, the rules, the clock, and the judgements of the pairs that were
 * needed.  So answer_verify and answer_replay can decide again without a judge.  Pure: it
 * uses only the document.
 *
 * Promises: live and in a replay the same function decides, from what is in the document.
 * A judgement that no pair needed is a divergence, and so is a missing one on which a
 * status rests.  A document is not trusted: problems are reported, never raised.  A
 * document that was decided by decision/1 keeps its own closure (earlier_receipt.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "document/kind.h"
#include "document/mint.h"
#include "document/signed.h"
#include "ground/counted_columns.h"
#include "ground/decision_config.h"
#include "ground/earlier_receipt.h"
#include "ground/extract.h"
#include "ground/decision_receipt.h"
#include "ground/pinned_rules.h"
#include "ground/receipt_parts.h"
#include "ground/request_config.h"

#define DECISION_SCHEMA		"decision/v1"
#define DECISION_ID_PREFIX	"dec_"

/* The rules of a decision, in the order in which a document names them. */
static const char *const decision_rules[] = {"decision/2", "reading/1", "judgement/1"};

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the sources are right. A receipt is never a certification.";

/* The members that follow from the rest of a document, in the order in which a replay compares them. */
static const char *const decided_members[] = {"risk", "thresholds", "retrieval_quality", "superseded", "stale",
	"quotes", "conflicts", "validation", "to_judge", "signals", "decision", "reasons", "explain", "user_message",
"degraded"};

/*
 * judgements
 */

/* Returns a judgement as decisions read it: its score is a number. */
static JsonView
ReadableJudgement(const JsonView *judgement)
{
	JsonView	copy = JsonViewCopyWithout(judgement, NULL, 0, 1);
	JsonView	score;

	if (JsonViewGetMember(&copy, "score", &score) && score.type == JVIEW_STRING)
		JsonViewSet(&copy, "score", NumberOfPortable(&score));
	return copy;
}

Judgements *
ReadableJudgements(const JsonView *judgements, const char **problem)
{
	JsonView	readable = *judgements;

	if (judgements->type == JVIEW_ARRAY)
	{
		readable = JsonViewNewArray(JsonViewCount(judgements));
		for (int i = 0; i < JsonViewCount(judgements); i++)
		{
			JsonView	judgement = JsonViewAt(judgements, i);

			CHECK_FOR_INTERRUPTS();
			JsonViewAppend(&readable, judgement.type == JVIEW_OBJECT ? ReadableJudgement(&judgement) : judgement);
		}
	}
	return JudgementsParse(&readable, problem);
}

/* The index of a pair that a decision needed, by its digest. */
typedef struct NeededPair
{
	Span		digest;			/* first, for SpanCompareItems() */
	JudgeKind	kind;
} NeededPair;

static NeededPair *
SortNeeded(const JudgePairs *pairs)
{
	NeededPair *sorted = palloc_extended(sizeof(NeededPair) * (Size) Max(pairs->count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < pairs->count; i++)
	{
		sorted[i].digest = PairSpan(&pairs->pairs[i].digest);
		sorted[i].kind = pairs->pairs[i].kind;
	}
	qsort(sorted, pairs->count, sizeof(NeededPair), SpanCompareItems);
	return sorted;
}

/* Did the decision need a judgement: is its pair needed, and its judge in the panel? */
static bool
IsNeeded(const JsonView *judgement, const NeededPair *sorted, const DecisionResult *result)
{
	const NeededPair *found;
	Span		pair;
	Span		judge;

	if (judgement->type != JVIEW_OBJECT || !JsonViewGetString(judgement, "pair", &pair) ||
		!JsonViewGetString(judgement, "judge", &judge))
		return false;
	found = bsearch(&pair, sorted, result->consultation.pairs.count, sizeof(NeededPair), SpanCompareItems);
	return found && PanelHas(&result->consultation.panels[found->kind], judge);
}

/* Returns the judgements of an array that the decision needed. */
static JsonView
NeededJudgements(const JsonView *judgements, const DecisionResult *result)
{
	NeededPair *sorted = SortNeeded(&result->consultation.pairs);
	JsonView	needed = JsonViewNewArray(8);

	for (int i = 0; judgements->type == JVIEW_ARRAY && i < JsonViewCount(judgements); i++)
	{
		JsonView	judgement = JsonViewAt(judgements, i);

		CHECK_FOR_INTERRUPTS();
		if (IsNeeded(&judgement, sorted, result))
			JsonViewAppend(&needed, judgement);
	}
	return needed;
}

void
GroundingKeepNeeded(Grounding *grounding, const DecisionResult *result)
{
	grounding->judgements = NeededJudgements(&grounding->judgements, result);
}

/* Does a configuration name the judge of a judgement, for any kind? */
static bool
IsConfigured(const JsonView *judgement, const DecisionConfig *config)
{
	Span		judge;

	if (judgement->type != JVIEW_OBJECT || !JsonViewGetString(judgement, "judge", &judge))
		return true;			/* malformed ones are reported by their reader */
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		if (PanelHas(&config->panels[kind], judge))
			return true;
	}
	return false;
}

void
GroundingKeepConfigured(Grounding *grounding)
{
	JsonView	readable = NumbersOfPortable(&grounding->config);
	JsonView	kept;
	DecisionConfig config;
	const char *problem;

	if (grounding->judgements.type != JVIEW_ARRAY || !DecisionConfigParse(&readable, &config, &problem))
		return;
	kept = JsonViewNewArray(JsonViewCount(&grounding->judgements));
	for (int i = 0; i < JsonViewCount(&grounding->judgements); i++)
	{
		JsonView	judgement = JsonViewAt(&grounding->judgements, i);

		CHECK_FOR_INTERRUPTS();
		if (IsConfigured(&judgement, &config))
			JsonViewAppend(&kept, judgement);
	}
	grounding->judgements = kept;
}

bool
JudgesFailed(const JsonView *failed)
{
	return failed->type == JVIEW_ARRAY && JsonViewCount(failed) > 0;
}

/*
 * deciding
 */

/*
 * Must the proposed answer be checked?  Not an extract, because it has only quotes.
 * One without quotes is checked, and fails.
 */
static bool
ProposedIsChecked(const JsonView *proposed)
{
	JsonView	by;
	JsonView	answer;

	if (proposed->type != JVIEW_OBJECT || !JsonViewGetMember(proposed, "by", &by))
		return false;
	if (!JsonViewStringIs(&by, "extract"))
		return true;
	return JsonViewGetMember(proposed, "answer", &answer) && answer.type == JVIEW_STRING && answer.len == 0;
}

bool
GroundingInput(const Grounding *grounding, DecisionConfig *config, DecisionInput *input, const char **problem)
{
	JsonView	chunks = ReadableChunks(&grounding->chunks);
	JsonView	readable = NumbersOfPortable(&grounding->config);
	JsonView	answer;

	memset(input, 0, sizeof(*input));
	if (!DecisionConfigParse(&readable, config, problem))
		return false;
	input->chunks = ChunksParse(&chunks, grounding->rules, problem);
	if (input->chunks == NULL)
		return false;
	input->judgements = ReadableJudgements(&grounding->judgements, problem);
	if (input->judgements == NULL)
		return false;
	input->query = SpanOfView(&grounding->query);
	if (ProposedIsChecked(&grounding->proposed))
	{
		JsonViewGetMember(&grounding->proposed, "citations", &input->citations);
		/* missing citations differ from an empty list, also for readers of the document */
		if (input->citations.type == JVIEW_NULL)
			input->citations.type = JVIEW_ABSENT;
		JsonViewGetMember(&grounding->proposed, "answer", &answer);
		input->has_answer = answer.type == JVIEW_STRING;
		if (input->has_answer)
			input->answer = SpanOfView(&answer);
	}
	input->keeps_order = grounding->keeps_order;
	input->config = config;
	input->has_clock = true;
	input->now = grounding->evaluated_at;
	input->rules = grounding->rules;
	/* a document cannot contain more */
	input->conflicts_most = DOCUMENT_MAX_SIZE;
	return true;
}

/*
 * Decides.  Returns false and a sentence if the caller's chunks, configuration,
 * citations or judgements are malformed, or too large for a document.
 */
bool
GroundingDecide(const Grounding *grounding, DecisionResult *result, const char **problem)
{
	DecisionConfig *config = palloc(sizeof(DecisionConfig));	/* the result keeps pointers to its panels */
	DecisionInput input;

	return GroundingInput(grounding, config, &input, problem) && Decide(&input, result, problem);
}

/* Returns the validation if no answer was proposed. */
static JsonView
NothingValidated(void)
{
	JsonView	validation = JsonViewNewObject(7);

	JsonViewSet(&validation, "citation_valid", JsonViewBool(true));
	JsonViewSet(&validation, "errors", JsonViewNewArray(0));
	JsonViewSet(&validation, "warnings", JsonViewNewArray(0));
	JsonViewSet(&validation, "recall", JsonViewNull());
	JsonViewSet(&validation, "precision", JsonViewNull());
	JsonViewSet(&validation, "spans", JsonViewNewArray(0));
	JsonViewSet(&validation, "sentences", JsonViewNewArray(0));
	return validation;
}

/* Returns the reasons of a decision, and one for each failed judge. */
static JsonView
AllReasons(const JsonView *decided, const JsonView *failed)
{
	JsonView	reasons = JsonViewNewArray(JsonViewCount(decided) + 1);

	for (int i = 0; i < JsonViewCount(decided); i++)
	{
		JsonView	reason = JsonViewAt(decided, i);

		JsonViewAppend(&reasons, reason);
	}
	for (int i = 0; failed->type == JVIEW_ARRAY && i < JsonViewCount(failed); i++)
	{
		JsonView	judge = JsonViewAt(failed, i);
		StringInfoData reason;

		initStringInfo(&reason);
		appendStringInfoString(&reason, JUDGE_FAILED_REASON);
		appendBinaryStringInfo(&reason, judge.str, judge.len);
		JsonViewAppend(&reasons, JsonViewString(reason.data, reason.len));
	}
	return reasons;
}

static JsonView
DecidedMember(const char *name, const Grounding *grounding, const DecisionResult *result)
{
	JsonView	member = {.type = JVIEW_ABSENT};

	if (strcmp(name, "degraded") == 0)
		return JsonViewBool(JudgesFailed(&grounding->failed));
	if (strcmp(name, "explain") == 0)
		return DecisionNumbersView(result);
	(void) JsonViewGetMember(&result->view, name, &member);
	if (strcmp(name, "reasons") == 0)
		return AllReasons(&member, &grounding->failed);
	if (strcmp(name, "validation") == 0 && !ProposedIsChecked(&grounding->proposed))
		return NothingValidated();
	return member;
}

/* Sets the members that follow from a decision alone. */
void
DecidedMembersSet(JsonView *body, const Grounding *grounding, const DecisionResult *result)
{
	for (size_t i = 0; i < lengthof(decided_members); i++)
		JsonViewSet(body, decided_members[i], DecidedMember(decided_members[i], grounding, result));
}

/*
 * the document
 */

static JsonView
DecisionReproducedBy(const Grounding *grounding, const char *rules_digest, bool had_written)
{
	JsonView	rules = JsonViewNewArray(lengthof(decision_rules));
	JsonView	digests = JsonViewNewObject(2);
	char	   *config_digest = palloc(DIGEST_TEXT_LENGTH + 1);

	for (size_t i = 0; i < lengthof(decision_rules); i++)
		JsonViewAppend(&rules, JsonViewCString(decision_rules[i]));
	CanonicalDigest(&grounding->config, NULL, config_digest);
	JsonViewSet(&digests, "decision_rules", JsonViewCString(rules_digest));
	JsonViewSet(&digests, "decision_config", JsonViewCString(config_digest));
	return ReproduceView(rules, digests, had_written);
}

static JsonView
ArrayOrNone(const JsonView *array)
{
	return array->type == JVIEW_ARRAY ? *array : JsonViewNewArray(0);
}

/*
 * Sets the members about the question, the proposed answer and the result, in
 * portable form: those that readers want most.
 */
void
DecisionOutcomeSet(JsonView *body, const Grounding *grounding, const DecisionResult *result)
{
	JsonView	decided = JsonViewNewObject(lengthof(decided_members) + 3);

	JsonViewSet(body, "query", grounding->query);
	JsonViewSet(body, "proposed", grounding->proposed);
	DecidedMembersSet(&decided, grounding, result);
	JsonViewSet(&decided, "judges", ArrayOrNone(&grounding->judges));
	JsonViewSet(&decided, "judgements", ArrayOrNone(&grounding->judgements));
	JsonViewSet(&decided, "config_changed", ArrayOrNone(&grounding->config_changed));
	decided = PortableCopy(&decided);
	for (int i = 0; i < JsonViewCount(&decided); i++)
	{
		Span		key;
		JsonView	member = JsonViewMember(&decided, i, &key);

		JsonViewSetKey(body, key.str, key.len, member);
	}
	JsonViewSet(body, "answer", DecisionAnswerText(body));
	JsonViewSet(body, "citations", DecisionCitations(body));
}

/*
 * Sets the members of this kind, in portable form. "retrieval" has the chunks and
 * how they were found; "had_written" says that the transaction had written before.
 */
void
DecisionDocumentSet(JsonView *body, const Grounding *grounding, const JsonView *retrieval,
					bool had_written, const DecisionResult *result)
{
	char	   *rules_digest = palloc(DIGEST_TEXT_LENGTH + 1);
	JsonView	rules;

	JsonViewSet(body, "evaluated_at", InstantView(grounding->evaluated_at));
	JsonViewSet(body, "retrieval", *retrieval);
	DecisionOutcomeSet(body, grounding, result);
	JsonViewSet(body, "config", DecisionConfigWithoutDefaults(&grounding->config));
	CanonicalDigest(&grounding->rules_document, NULL, rules_digest);
	rules = PinnedRulesView(&grounding->rules_document, rules_digest);
	if (rules.type != JVIEW_ABSENT)
		JsonViewSet(body, "rules", rules);
	JsonViewSet(body, "reproduce", DecisionReproducedBy(grounding, rules_digest, had_written));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
}

/*
 * closure
 */

/* Is the proposed answer well-formed: a caller's, or an extract? */
static bool
ProposedIsFormed(const JsonView *proposed)
{
	JsonView	by;
	JsonView	answer;
	JsonView	citations;

	if (proposed->type == JVIEW_NULL)
		return true;
	if (proposed->type != JVIEW_OBJECT || !JsonViewGetMember(proposed, "by", &by) ||
		!JsonViewGetMember(proposed, "answer", &answer) || JsonViewCount(proposed) != 3 ||
		!JsonViewGetMember(proposed, "citations", &citations))
		return false;
	if (JsonViewStringIs(&by, "extract"))
		return answer.type == JVIEW_STRING && PartIsArrayOf(JVIEW_STRING, &citations);
	return JsonViewStringIs(&by, "caller") &&
		(answer.type == JVIEW_STRING || answer.type == JVIEW_NULL) &&
		(citations.type == JVIEW_NULL || PartIsArrayOf(JVIEW_STRING, &citations));
}

/* Is each quote a part of the chunk that it names? */
static bool
QuotesAreOfChunks(const JsonView *quotes, const ChunkSet *chunks)
{
	if (!PartIsArrayOf(JVIEW_OBJECT, quotes))
		return false;
	for (int i = 0; i < JsonViewCount(quotes); i++)
	{
		JsonView	quote = JsonViewAt(quotes, i);
		JsonView	chunk_id;
		const Chunk *chunk;
		Span		text;

		if (!JsonViewGetMember(&quote, "chunk_id", &chunk_id) || !JsonViewGetString(&quote, "text", &text) || text.len == 0)
			return false;
		chunk = PartChunk(chunks, &chunk_id);
		if (chunk == NULL || memmem(chunk->text.str, chunk->text.len, text.str, text.len) == NULL)
			return false;
	}
	return true;
}

/* Is the proposed extract, or its absence, what the quotes give? The quotes are well-formed. */
static bool
ExtractIsOfQuotes(const JsonView *proposed, const JsonView *quotes)
{
	JsonView	by;
	JsonView	extract;

	if (proposed->type != JVIEW_OBJECT || !JsonViewGetMember(proposed, "by", &by) ||
		!JsonViewStringIs(&by, "extract") || ProposedIsChecked(proposed))
		return true;
	extract = ExtractAnswer(quotes);
	return ReportIsSame(proposed, &extract);
}

/* A judge, by its name. */
typedef struct NamedJudge
{
	Span		name;			/* first, for SpanCompareItems() */
	Span		version;
	bool		registered;		/* a judge that is not registered has no version, and judges nothing */
	bool		failed;
} NamedJudge;

/*
 * Reads model and version of a judge: both are texts, or both are null because no
 * judge of that name was registered.
 */
static bool
ReadModel(const JsonView *view, NamedJudge *judge)
{
	JsonView	model;
	JsonView	version;

	if (!JsonViewGetMember(view, "model", &model) || !JsonViewGetMember(view, "version", &version))
		return false;
	judge->registered = version.type == JVIEW_STRING;
	if (judge->registered)
		judge->version = SpanOfView(&version);
	return model.type == version.type && (judge->registered || version.type == JVIEW_NULL);
}

/* Returns the judges of a document, by name; NULL if they are malformed, or one is repeated. */
static NamedJudge *
JudgesOfDocument(const JsonView *document, int *count)
{
	JsonView	judges;
	NamedJudge *named;

	if (!JsonViewGetMember(document, "judges", &judges) || !PartIsArrayOf(JVIEW_OBJECT, &judges))
		return NULL;
	*count = JsonViewCount(&judges);
	named = palloc0_array(NamedJudge, Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		JsonView	judge = JsonViewAt(&judges, i);
		JsonView	member;

		if (!JsonViewGetString(&judge, "name", &named[i].name) || !ReadModel(&judge, &named[i]) ||
			!JsonViewGetMember(&judge, "assessed", &member) ||
			(member.type != JVIEW_OBJECT && member.type != JVIEW_NULL))
			return NULL;
	}
	qsort(named, *count, sizeof(NamedJudge), SpanCompareItems);
	for (int i = 1; i < *count; i++)
	{
		if (SpanEqual(named[i - 1].name, named[i].name))
			return NULL;
	}
	return named;
}

static NamedJudge *
FindJudge(NamedJudge *judges, int count, Span name)
{
	return bsearch(&name, judges, count, sizeof(NamedJudge), SpanCompareItems);
}

/* Are these exactly the judges that the configuration names? */
static bool
JudgesAreConfigured(NamedJudge *judges, int count, const DecisionConfig *config)
{
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		for (int i = 0; i < config->panels[kind].count; i++)
		{
			if (FindJudge(judges, count, config->panels[kind].judges[i]) == NULL)
				return false;
		}
	}
	for (int i = 0; i < count; i++)
	{
		bool		named = false;

		for (int kind = 0; kind < JUDGE_KINDS && !named; kind++)
			named = PanelHas(&config->panels[kind], judges[i].name);
		if (!named)
			return false;
	}
	return true;
}

/* Does each judgement have a judge from the list, in that version, an author and an instant? */
static bool
JudgementsAreOfJudges(const JsonView *judgements, NamedJudge *judges, int count)
{
	static const char *const origins[] = {"observed", "reported"};

	if (!PartIsArrayOf(JVIEW_OBJECT, judgements))
		return false;
	for (int i = 0; i < JsonViewCount(judgements); i++)
	{
		JsonView	judgement = JsonViewAt(judgements, i);
		JsonView	member;
		Span		text;
		NamedJudge *judge;
		TimestampTz judged_at;

		CHECK_FOR_INTERRUPTS();
		if (!JsonViewGetString(&judgement, "judge", &text) || (judge = FindJudge(judges, count, text)) == NULL ||
			!judge->registered || !JsonViewGetString(&judgement, "version", &text) || !SpanEqual(text, judge->version) ||
			!JsonViewGetString(&judgement, "kind", &text) || !JsonViewGetString(&judgement, "by", &text) ||
			!JsonViewGetMember(&judgement, "origin", &member) || !PartIsOneOf(&member, origins, lengthof(origins)) ||
			!JsonViewGetMember(&judgement, "judged_at", &member) || !InstantOfView(&member, &judged_at))
			return false;
	}
	return true;
}

/*
 * Returns the judges that failed, from the reasons of a document; absent if the
 * reasons are no array of texts.
 */
static JsonView
FailedOfReasons(const JsonView *document)
{
	JsonView	reasons;
	JsonView	failed = JsonViewNewArray(1);
	Span		prefix = SpanOfCString(JUDGE_FAILED_REASON);

	if (!JsonViewGetMember(document, "reasons", &reasons) || !PartIsArrayOf(JVIEW_STRING, &reasons))
		return (JsonView) {.type = JVIEW_ABSENT};
	for (int i = 0; i < JsonViewCount(&reasons); i++)
	{
		JsonView	reason = JsonViewAt(&reasons, i);

		if (SpanStartsWith(SpanOfView(&reason), prefix))
			JsonViewAppend(&failed, JsonViewString(reason.str + prefix.len, reason.len - prefix.len));
	}
	return failed;
}

/* Was each failed judge one of the judges, and is it named once? */
static bool
FailedAreJudges(const JsonView *failed, NamedJudge *judges, int count)
{
	if (failed->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(failed); i++)
	{
		JsonView	name = JsonViewAt(failed, i);
		NamedJudge *judge;

		judge = FindJudge(judges, count, SpanOfView(&name));
		if (judge == NULL || judge->failed)
			return false;
		judge->failed = true;
	}
	return true;
}

static bool
ReadConfig(const JsonView *document, JsonView *config, DecisionConfig *parsed)
{
	JsonView	readable;
	const char *problem;

	*config = PartConfig(document);
	if (config->type != JVIEW_OBJECT || !DecisionConfigIsWhole(config))
		return false;
	readable = NumbersOfPortable(config);
	return DecisionConfigParse(&readable, parsed, &problem);
}

/* Returns what is wrong with judges and judgements, or NULL. */
static const char *
JudgingProblem(const JsonView *document)
{
	JsonView	config;
	JsonView	member;
	JsonView	failed = FailedOfReasons(document);
	DecisionConfig parsed;
	NamedJudge *judges;
	int			count;
	const char *problem;

	if (!ReadConfig(document, &config, &parsed))
		return "the config is malformed";
	judges = JudgesOfDocument(document, &count);
	if (judges == NULL)
		return "judges is malformed";
	if (!JudgesAreConfigured(judges, count, &parsed))
		return "judges are not those of the config";
	if (!JsonViewGetMember(document, "judgements", &member) || ReadableJudgements(&member, &problem) == NULL)
		return "judgements is malformed";
	if (!JudgementsAreOfJudges(&member, judges, count))
		return "a judgement is of no judge";
	if (!FailedAreJudges(&failed, judges, count))
		return "reasons name a judge that was not to judge";
	if (!JsonViewGetMember(document, "config_changed", &member) || !ConfigChangedIsFormed(&member, &config))
		return "config_changed is not of the config";
	return NULL;
}

/* Do superseded, stale and to_judge name chunks of the document? */
static bool
ListsAreOfChunks(const JsonView *document, const ChunkSet *chunks)
{
	static const char *const kinds[] = {"entailment", "answers", "conflict"};
	JsonView	list;
	JsonView	entry;
	JsonView	member;

	if (!JsonViewGetMember(document, "stale", &list) || !PartCitationsAreChunks(&list, chunks) ||
		!JsonViewGetMember(document, "superseded", &list) || !PartIsArrayOf(JVIEW_OBJECT, &list))
		return false;
	for (int i = 0; i < JsonViewCount(&list); i++)
	{
		JsonViewElement(&list, i, &entry);
		if (!JsonViewGetMember(&entry, "chunk_id", &member) || PartChunk(chunks, &member) == NULL ||
			!JsonViewGetMember(&entry, "by", &member) || PartChunk(chunks, &member) == NULL)
			return false;
	}
	if (!JsonViewGetMember(document, "to_judge", &list) || !PartIsArrayOf(JVIEW_OBJECT, &list))
		return false;
	for (int i = 0; i < JsonViewCount(&list); i++)
	{
		JsonViewElement(&list, i, &entry);
		if (!JsonViewGetMember(&entry, "kind", &member) || !PartIsOneOf(&member, kinds, lengthof(kinds)) ||
			!JsonViewGetMember(&entry, "chunk_ids", &member) || !PartCitationsAreChunks(&member, chunks))
			return false;
	}
	return true;
}

static const char *
ClosureProblem(const JsonView *document)
{
	JsonView	member = JsonViewUnder(document, "proposed");
	JsonView	citations;
	JsonView	pairs;
	JsonView	quotes;
	const ChunkSet *set;
	const char *problem;

	problem = DecisionPartsProblem(document, &set, &citations, &pairs);
	if (problem)
		return problem;
	if (!ProposedIsFormed(&member))
		return "proposed is malformed";
	if (!JsonViewGetMember(document, "quotes", &quotes) || !QuotesAreOfChunks(&quotes, set))
		return "a quote is not of its chunk";
	if (!ExtractIsOfQuotes(&member, &quotes))
		return "the extract is not made of the quotes";
	if (!ListsAreOfChunks(document, set))
		return "superseded, stale or to_judge is not of the chunks";
	problem = DecisionOutcomeProblem(document, &citations);
	if (problem)
		return problem;
	if (!JsonViewGetMember(document, "explain", &member))
		return "explain is missing";
	problem = PinnedRulesProblem(document);
	if (problem)
		return problem;
	member = PartConfig(document);
	if (member.type == JVIEW_ABSENT || !PartDigestIs(document, "decision_config", &member))
		return "the config does not hash to its digest";
	return JudgingProblem(document);
}

static const char *
DecisionClosureProblem(const JsonView *document)
{
	return IsEarlierDecision(document) ? EarlierDecisionClosureProblem(document) : ClosureProblem(document);
}

/*
 * replay
 */

/* Why a document cannot be decided again if its rules are neither in it nor shipped. */
static const char rules_are_not_here[] = "the rules are not here";

/* Reads what a document was decided from. Returns NULL, or why that is not possible. */
static const char *
GroundingOfDocument(const JsonView *document, Grounding *grounding)
{
	JsonView	member;
	DecisionConfig parsed;
	const char *problem;

	memset(grounding, 0, sizeof(*grounding));
	if (!JsonViewGetMember(document, "evaluated_at", &member) ||
		!InstantOfView(&member, &grounding->evaluated_at))
		return "evaluated_at is missing or no instant";
	if (!JsonViewGetMember(document, "query", &grounding->query) || grounding->query.type != JVIEW_STRING)
		return "query is no text";
	grounding->rules = PinnedRulesCompile(document, &problem);
	if (grounding->rules == NULL)
		return problem ? problem : rules_are_not_here;
	if (!ReadConfig(document, &grounding->config, &parsed))
		return "the config is malformed";
	if (!PartChunks(document, &grounding->chunks))
		return "retrieval.chunks is malformed";
	JsonViewGetMember(document, "retrieval", &member);
	grounding->keeps_order = JsonViewGetMember(&member, "fused", &member) && member.type == JVIEW_BOOL && member.boolean;
	if (!JsonViewGetMember(document, "proposed", &grounding->proposed) ||
		!ProposedIsFormed(&grounding->proposed))
		return "proposed is malformed";
	if (!JsonViewGetMember(document, "judgements", &grounding->judgements) ||
		grounding->judgements.type != JVIEW_ARRAY)
		return "judgements is malformed";
	grounding->failed = FailedOfReasons(document);
	if (grounding->failed.type != JVIEW_ARRAY)
		return "reasons is malformed";
	return NULL;
}

/*
 * Returns the decision for a document's question and chunks under another
 * configuration, in portable form; NULL if there is none.  An extract depends on
 * the configuration, so it is left out.
 */
const char *
DecisionUnder(const JsonView *document, const JsonView *config)
{
	Grounding	grounding;
	DecisionResult result;
	JsonView	readable;
	DecisionConfig parsed;
	JsonView	by;
	JsonView	decision;
	const char *problem;

	if (IsEarlierDecision(document) || GroundingOfDocument(document, &grounding) || !DecisionConfigIsWhole(config))
		return NULL;
	readable = NumbersOfPortable(config);
	if (!DecisionConfigParse(&readable, &parsed, &problem))
		return NULL;
	grounding.config = *config;
	GroundingKeepConfigured(&grounding);
	if (grounding.proposed.type == JVIEW_OBJECT && JsonViewGetMember(&grounding.proposed, "by", &by) &&
		JsonViewStringIs(&by, "extract"))
		grounding.proposed = JsonViewNull();
	if (!GroundingDecide(&grounding, &result, &problem) ||
		!JsonViewGetMember(&result.view, "decision", &decision) || decision.type != JVIEW_STRING)
		return NULL;
	return pnstrdup(decision.str, decision.len);
}

/*
 * answer.decision_pairs(document): the pairs in to_judge, with their texts.
 * answer_judge_pairs() cannot do this, because it has neither the clock nor the
 * order of quotes.  Null if the document cannot be decided again here.
 */
PG_FUNCTION_INFO_V1(answer_eval_decision_pairs);

Datum
answer_eval_decision_pairs(PG_FUNCTION_ARGS)
{
	JsonView	document;
	JsonView	pairs = JsonViewNewArray(0);
	Grounding	grounding;
	DecisionConfig config;
	DecisionInput input;
	DecisionResult result;
	const char *problem;

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &document);
	if (!IsEarlierDecision(&document) && GroundingOfDocument(&document, &grounding) == NULL &&
		GroundingInput(&grounding, &config, &input, &problem) && Decide(&input, &result, &problem))
		pairs = DecisionPairsView(&input, &result, true);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&pairs, false));
}

/*
 * Is the proposed extract made from the decision's quotes, and is there none if the
 * decision is not to answer?
 */
static bool
ProposedFollows(const JsonView *proposed, const DecisionResult *result, const JsonView *decided)
{
	bool		answers = result->decision == DECISION_ANSWER || result->decision == DECISION_ANSWER_WITH_CAVEATS;
	JsonView	by = JsonViewUnder(proposed, "by");
	JsonView	quotes;

	if (proposed->type == JVIEW_NULL)
		return !answers;
	if (!JsonViewStringIs(&by, "extract") || ProposedIsChecked(proposed))
		return true;
	return answers && JsonViewGetMember(decided, "quotes", &quotes) && ExtractIsOfQuotes(proposed, &quotes);
}

/* Decides again. Returns NULL, or what is wrong, with the differences. */
static const char *
DecisionReplayProblem(const JsonView *document, JsonView *differences)
{
	JsonView	decided = JsonViewNewObject(lengthof(decided_members));
	JsonView	needed;
	Grounding	grounding;
	DecisionResult result;
	const char *problem = GroundingOfDocument(document, &grounding);

	if (problem)
		return problem;
	if (!GroundingDecide(&grounding, &result, &problem))
		return psprintf("nothing can be decided again: %s", problem);
	DecidedMembersSet(&decided, &grounding, &result);
	for (size_t i = 0; i < lengthof(decided_members); i++)
	{
		JsonView	stated = JsonViewUnder(document, decided_members[i]);
		JsonView	recomputed = JsonViewUnder(&decided, decided_members[i]);

		if (!ReportIsSame(&stated, &recomputed))
			ReportDifference(differences, decided_members[i]);
	}
	needed = NeededJudgements(&grounding.judgements, &result);
	if (JsonViewCount(&needed) != JsonViewCount(&grounding.judgements))
		ReportDifference(differences, "judgements");
	if (!ProposedFollows(&grounding.proposed, &result, &decided))
		ReportDifference(differences, "proposed");
	return JsonViewCount(differences) > 0 ? REPORT_DIFFERS : NULL;
}

/* Returns the report of a replay, which is also the step of verification. */
static JsonView
ReplayDecision(const JsonView *document)
{
	JsonView	differences = JsonViewNewArray(0);
	JsonView	report;
	const char *problem;

	if (IsEarlierDecision(document))
	{
		report = ReportStep(NULL);
		JsonViewSet(&report, "incomplete", JsonViewCString("rules " EARLIER_DECISION_RULE));
		return report;
	}
	problem = DecisionReplayProblem(document, &differences);
	if (problem == rules_are_not_here)
	{
		report = ReportStep(NULL);
		JsonViewSet(&report, "incomplete", JsonViewCString(PinnedRulesName(document)));
		return report;
	}
	report = ReportStep(problem);
	if (JsonViewCount(&differences) > 0)
		JsonViewSet(&report, "differences", differences);
	return report;
}

/*
 * Finds the confidence of a decision: if passages were judged, the confidence of
 * the judges that one answers; otherwise the similarity of the best passage, which
 * says nothing about its truth.
 */
static bool
DecisionConfidence(const JsonView *signals, JsonView *confidence)
{
	if (JsonViewGetMember(signals, "answer_confidence", confidence) && confidence->type != JVIEW_NULL)
		return true;
	return JsonViewGetMember(signals, "retrieval_confidence_max", confidence);
}

static bool
ReadDecisionColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	signals;
	JsonView	confidence;
	JsonView	degraded;
	PlainNumber plain;

	if (!JsonViewGetString(body, "decision", &columns->verdict) ||
		!JsonViewGetMember(body, "signals", &signals) || signals.type != JVIEW_OBJECT ||
		!DecisionConfidence(&signals, &confidence) || !NumberPlain(&confidence, &plain) ||
		!JsonViewGetMember(body, "degraded", &degraded) || degraded.type != JVIEW_BOOL)
		return false;
	columns->has_confidence = true;
	columns->confidence = strtod(plain.text, NULL);
	columns->has_degraded = true;
	columns->degraded = degraded.boolean;
	(void) JsonViewGetString(body, "intent", &columns->intent);
	DecisionCount(body, columns);
	return true;
}

void
DecisionVisitJudged(const JsonView *needing, KindVisitor visit, void *arg)
{
	static const char *const lists[] = {"judgements", "to_judge"};
	JsonView	list;

	for (size_t i = 0; i < lengthof(lists); i++)
	{
		if (JsonViewGetMember(needing, lists[i], &list) && list.type == JVIEW_ARRAY)
			visit(&list, arg);
	}
}

static const char *const decision_members[] = {"query", "decision", "answer", "user_message", "citations",
	"proposed", "retrieval", "retrieval_quality", "validation", "conflicts", "reasons", "signals", "thresholds",
	"risk", "degraded", "config", "reproduce", NULL};

const DocumentKind decision_kind = {
	.schema = DECISION_SCHEMA,
	.prefix = DECISION_ID_PREFIX,
	.members = decision_members,
	.closure_problem = DecisionClosureProblem,
	.verify_replay = ReplayDecision,
	.replay = ReplayDecision,
	.read_columns = ReadDecisionColumns,
	.may_be_cached = true,
	.quotes = "(r.body OPERATOR(pg_catalog.#>) '{retrieval,chunks}') OPERATOR(pg_catalog.@>) $2",
	.visit_judged = DecisionVisitJudged
};
