/*-------------------------------------------------------------------------
 *
 * earlier_receipt.c
 *		Documents decision/v1 that were decided by the former rules, decision/1.
 *
 * Rule: doc/spec/document.md §5.8: they verify as before.  They are not decided again,
 * because those rules are gone, and a replay says so.  What users' detectors found is in
 * the documents, and an extract has its quotes.  A document is not trusted.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "document/signed.h"
#include "ground/earlier_receipt.h"
#include "ground/receipt_parts.h"

/* The built-in kinds of conflicts; any other kind is the name of a detector. */
static const char *const built_in_kinds[] = {"encryption", "refund", "policy", "numeric"};

/* Appends a quote as in an extract, with the number of its citation, from 1. */
static void
AppendQuote(StringInfo answer, Span quote, int citation)
{
	if (answer->len > 0)
		appendStringInfoChar(answer, ' ');
	appendStringInfoChar(answer, '"');
	appendBinaryStringInfo(answer, quote.str, quote.len);
	appendStringInfo(answer, "\" [%d]", citation);
}

/* Is the proposed answer well-formed: a caller's, or an extract? */
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
		return answer.type == JVIEW_STRING && PartIsArrayOf(JVIEW_STRING, &citations) &&
			JsonViewGetMember(proposed, "quotes", &quotes) && PartIsArrayOf(JVIEW_STRING, &quotes);
	return (answer.type == JVIEW_STRING || answer.type == JVIEW_NULL) &&
		(citations.type == JVIEW_NULL || PartIsArrayOf(JVIEW_STRING, &citations));
}

/* Does an extract contain only quotes of the chunks that it cites? */
static bool
ExtractIsOfChunks(const JsonView *proposed, const ChunkSet *chunks)
{
	JsonView	by = JsonViewUnder(proposed, "by");
	JsonView	answer = JsonViewUnder(proposed, "answer");
	JsonView	citations = JsonViewUnder(proposed, "citations");
	JsonView	quotes = JsonViewUnder(proposed, "quotes");
	StringInfoData made;

	if (proposed->type != JVIEW_OBJECT)
		return true;
	if (!JsonViewStringIs(&by, "extract"))
		return true;
	if (JsonViewCount(&quotes) != JsonViewCount(&citations))
		return false;
	initStringInfo(&made);
	for (int i = 0; i < JsonViewCount(&quotes); i++)
	{
		JsonView	quote = JsonViewAt(&quotes, i);
		JsonView	citation = JsonViewAt(&citations, i);
		const Chunk *chunk;

		chunk = PartChunk(chunks, &citation);
		if (quote.len == 0 || chunk == NULL ||
			memmem(chunk->text.str, chunk->text.len, quote.str, quote.len) == NULL)
			return false;
		AppendQuote(&made, SpanOfView(&quote), i + 1);
	}
	return SpanEqual(SpanOf(made.data, made.len), SpanOfView(&answer));
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
		JsonView	detector = JsonViewAt(detectors, i);
		JsonView	outcome;
		Span		name;

		if (detector.type != JVIEW_OBJECT || !JsonViewGetString(&detector, "name", &name) ||
			!JsonViewGetMember(&detector, "outcome", &outcome) ||
			!PartIsOneOf(&outcome, outcomes, lengthof(outcomes)))
			return false;
	}
	return true;
}

/* A detector, by the name that its conflicts have as kind. */
typedef struct NamedDetector
{
	Span		name;			/* first, for SpanCompareItems() */
	int			place;
	bool		came_back;
} NamedDetector;

/* Compares by name; detectors with the same name stay in the order of the document. */
static int
CompareDetectors(const void *a, const void *b)
{
	const NamedDetector *left = a;
	const NamedDetector *right = b;
	int			cmp = SpanCompare(left->name, right->name);

	return cmp != 0 ? cmp : left->place - right->place;
}

/*
 * Sorts detectors, so that a hostile document with many detectors and conflicts
 * takes at most n log n steps.  The first one with a name counts.
 */
static NamedDetector *
SortDetectors(const JsonView *detectors, int *count)
{
	int			given = JsonViewCount(detectors);
	NamedDetector *sorted = palloc_extended(sizeof(NamedDetector) * (Size) Max(given, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < given; i++)
	{
		JsonView	detector = JsonViewAt(detectors, i);
		JsonView	outcome;

		CHECK_FOR_INTERRUPTS();
		(void) JsonViewGetString(&detector, "name", &sorted[i].name);
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

/* Is each conflict built in, or from a detector that returned? The detectors are well-formed. */
static bool
KindsAreKnown(const JsonView *pairs, const JsonView *detectors)
{
	int			count;
	NamedDetector *sorted = SortDetectors(detectors, &count);

	for (int i = 0; i < JsonViewCount(pairs); i++)
	{
		JsonView	pair = JsonViewAt(pairs, i);
		JsonView	kind = JsonViewUnder(&pair, "kind");
		const NamedDetector *found;
		Span		name;

		CHECK_FOR_INTERRUPTS();
		if (PartIsOneOf(&kind, built_in_kinds, lengthof(built_in_kinds)))
			continue;
		if (kind.type != JVIEW_STRING)
			return false;
		name = SpanOfView(&kind);
		found = bsearch(&name, sorted, count, sizeof(NamedDetector), SpanCompareItems);
		if (found == NULL || !found->came_back)
			return false;
	}
	return true;
}

const char *
EarlierDecisionClosureProblem(const JsonView *document)
{
	JsonView	citations;
	JsonView	pairs;
	JsonView	proposed = JsonViewUnder(document, "proposed");
	JsonView	detectors;
	const ChunkSet *set;
	const char *problem;

	problem = DecisionPartsProblem(document, &set, &citations, &pairs);
	if (problem)
		return problem;
	if (!ProposedIsFormed(&proposed))
		return "proposed is malformed";
	if (!ExtractIsOfChunks(&proposed, set))
		return "the extract is not made of its chunks";
	problem = DecisionOutcomeProblem(document, &citations);
	if (problem)
		return problem;
	if (!PartDigestNames(document, "decision_rules", "rules"))
		return "the rules do not hash to their digest";
	if (!PartDigestNames(document, "decision_config", "config"))
		return "the config does not hash to its digest";
	if (!DetectorsAreFormed(document, &detectors))
		return "detectors is malformed";
	if (!KindsAreKnown(&pairs, &detectors))
		return "a conflict is of no detector";
	return NULL;
}

/*
 * Does a document have a member that only the present rules make?  Then it cannot
 * avoid a replay by its label.
 */
static bool
HasLaterMember(const JsonView *document)
{
	static const char *const later[] = {"judges", "judgements", "quotes", "superseded", "stale", "to_judge",
		"config_changed", "explain"};
	JsonView	view;

	for (size_t i = 0; i < lengthof(later); i++)
	{
		if (JsonViewGetMember(document, later[i], &view))
			return true;
	}
	return false;
}

bool
IsEarlierDecision(const JsonView *document)
{
	return DocumentNamesRule(document, EARLIER_DECISION_RULE) && !HasLaterMember(document);
}

bool
EarlierDecisionConfigIsWhole(const JsonView *config)
{
	static const char *const keys[] = {"top_k", "freshness_days", "freshness_days_high_risk", "confidence_threshold",
		"confidence_threshold_high_risk", "min_chunks", "conflict_min_similarity", "caveats", "rerank",
		"freshness_bias", "citation_threshold", "contradiction_tolerance", "cache_ttl_s"};
	JsonView	value;

	if (config->type != JVIEW_OBJECT || JsonViewCount(config) != lengthof(keys))
		return false;
	for (size_t i = 0; i < lengthof(keys); i++)
	{
		if (!JsonViewGetMember(config, keys[i], &value))
			return false;
	}
	return true;
}
