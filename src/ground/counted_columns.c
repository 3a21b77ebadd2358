/*-------------------------------------------------------------------------
 *
 * counted_columns.c
 *		The columns of a decision that the dashboard counts.
 *
 * Rule: doc/spec/gate.md §8.  A decision that answers counts as given.  One that
 * abstains, blocks or asks back does not; if its reason is a contradiction, it has
 * prevented one.  A given answer is contradicted if any chunk that was found, compared
 * or not, conflicts with one that the answer rests on; superseded chunks do not count.
 * It is supported if it cites, is not contradicted, and each of its sentences is quoted,
 * supported or makes no claim.
 *
 * Promises: it uses only the document, and never raises an error because of its
 * content.  The texts of chunks are read only if the decision did not compare some.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/limits.h"
#include "base/numbers.h"
#include "ground/conflict.h"
#include "ground/counted_columns.h"
#include "ground/earlier_receipt.h"
#include "ground/pinned_rules.h"
#include "ground/receipt_parts.h"
#include "ground/weighing.h"

/* conflicts that the decision did not look for */

/* The chunks of a decision, by index in the set. */
typedef struct FoundChunks
{
	ChunkSet   *set;
	bool	   *is_used;
	bool	   *is_superseded;
	bool	   *was_compared;
	int			nused;
} FoundChunks;

/* Marks the chunks that an array names, directly or in a member of its entries. */
static int
MarkChunks(const ChunkSet *set, const JsonView *names, const char *member, bool *marks)
{
	int			marked = 0;

	for (int i = 0; names->type == JVIEW_ARRAY && i < JsonViewCount(names); i++)
	{
		JsonView	name = JsonViewAt(names, i);
		const Chunk *chunk;

		CHECK_FOR_INTERRUPTS();
		if (member && (name.type != JVIEW_OBJECT || !JsonViewGetMember(&name, member, &name)))
			continue;
		chunk = PartChunk(set, &name);
		if (chunk == NULL || marks[chunk - set->chunks])
			continue;
		marks[chunk - set->chunks] = true;
		marked++;
	}
	return marked;
}

/*
 * Marks the chunks that the answer rests on: quotes and citations of an extractive
 * one, else the chunks that count for a sentence.
 */
static void
MarkUsed(const JsonView *body, const JsonView *sentences, FoundChunks *found)
{
	JsonView	citations;

	if (JsonViewCount(sentences) == 0)
	{
		if (JsonViewGetMember(body, "citations", &citations))
			found->nused += MarkChunks(found->set, &citations, NULL, found->is_used);
		return;
	}
	for (int i = 0; i < JsonViewCount(sentences); i++)
	{
		JsonView	sentence = JsonViewAt(sentences, i);

		if (sentence.type == JVIEW_OBJECT && JsonViewGetMember(&sentence, "citations", &citations))
			found->nused += MarkChunks(found->set, &citations, NULL, found->is_used);
	}
}

/* Marks the chunks that the decision compared: the used ones, and those nearly as similar as the best. */
static int
MarkCompared(FoundChunks *found)
{
	int			greatest = 0;
	int			left = 0;

	for (int i = 0; i < found->set->count; i++)
	{
		if (!found->is_superseded[i])
			greatest = Max(greatest, found->set->chunks[i].score);
	}
	for (int i = 0; i < found->set->count; i++)
	{
		found->is_used[i] &= !found->is_superseded[i];
		found->was_compared[i] = found->is_superseded[i] || found->is_used[i] ||
			IsNearGreatest(found->set->chunks[i].score, greatest);
		left += !found->was_compared[i];
	}
	return left;
}

/* Does a used chunk conflict with one that was not compared? */
static bool
ComparesBadly(const FoundChunks *found)
{
	int		   *which = palloc_extended(sizeof(int) * (Size) found->set->count, MCXT_ALLOC_HUGE);
	Comparing	comparing = {.which = which, .is_used = found->is_used, .most = DOCUMENT_MAX_SIZE};
	Conflicts	conflicts;

	for (int i = 0; i < found->set->count; i++)
	{
		if (found->is_used[i] || !found->was_compared[i])
			which[comparing.count++] = i;
	}
	ConflictsFindWith(ConflictFinderBegin(found->set), &comparing, &conflicts);
	/* if both were compared, a judge may have overruled the rules */
	for (int i = 0; i < conflicts.npairs; i++)
	{
		if (!found->was_compared[conflicts.pairs[i].a] || !found->was_compared[conflicts.pairs[i].b])
			return true;
	}
	return ConflictsAreTooLarge(&conflicts);
}

/* Were all chunks compared that were not superseded? Then the decision itself says that none conflicts. */
static bool
AllWereCompared(const JsonView *body, int nchunks, const JsonView *superseded)
{
	JsonView	member;
	int			kept = nchunks - (superseded->type == JVIEW_ARRAY ? JsonViewCount(superseded) : 0);
	Numeric		compared;

	return JsonViewGetMember(body, "conflicts", &member) && member.type == JVIEW_OBJECT &&
		JsonViewGetMember(&member, "compared", &member) && JsonViewNumeric(&member, &compared) &&
		NumberCompare(compared, int64_to_numeric(kept)) == 0;
}

static bool
IsContradicted(const JsonView *body, const JsonView *sentences)
{
	FoundChunks found = {0};
	JsonView	superseded = JsonViewUnder(body, "superseded");
	JsonView	chunks;
	const DecisionRules *rules;
	const char *problem;

	if (IsEarlierDecision(body) || PartChunks(body, &chunks) == NULL || JsonViewCount(&chunks) < 2)
		return false;
	if (AllWereCompared(body, JsonViewCount(&chunks), &superseded) ||
		(rules = PinnedRulesCompile(body, &problem)) == NULL)
		return false;
	chunks = ReadableChunks(&chunks);
	found.set = ChunksParse(&chunks, rules, &problem);
	if (found.set == NULL)
		return false;
	found.is_used = palloc_extended(3 * (Size) found.set->count, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	found.is_superseded = found.is_used + found.set->count;
	found.was_compared = found.is_superseded + found.set->count;
	MarkUsed(body, sentences, &found);
	(void) MarkChunks(found.set, &superseded, "chunk_id", found.is_superseded);
	return found.nused > 0 && MarkCompared(&found) > 0 && ComparesBadly(&found);
}

/*
 * pairs
 */

/* Was one of a pair's chunks superseded? */
static bool
GaveWay(const JsonView *need, const JsonView *superseded)
{
	JsonView	ids;

	if (!JsonViewGetMember(need, "chunk_ids", &ids) || ids.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&ids); i++)
	{
		JsonView	id = JsonViewAt(&ids, i);

		for (int k = 0; superseded->type == JVIEW_ARRAY && k < JsonViewCount(superseded); k++)
		{
			JsonView	entry = JsonViewAt(superseded, k);
			JsonView	gone;

			CHECK_FOR_INTERRUPTS();
			if (entry.type == JVIEW_OBJECT && JsonViewGetMember(&entry, "chunk_id", &gone) &&
				gone.type == JVIEW_STRING && id.type == JVIEW_STRING && SpanEqual(SpanOfView(&gone), SpanOfView(&id)))
				return true;
		}
	}
	return false;
}

/*
 * Adds the pairs that judges had to judge, or have judged.  If two passages
 * conflict by a judgement, one of their chunks was superseded, because otherwise
 * there would be no answer.
 */
static void
AddPairs(const JsonView *body, const char *member, KindColumns *columns)
{
	JsonView	list;
	JsonView	superseded = JsonViewUnder(body, "superseded");

	if (!JsonViewGetMember(body, member, &list) || list.type != JVIEW_ARRAY)
		return;
	for (int i = 0; i < JsonViewCount(&list); i++)
	{
		JsonView	entry = JsonViewAt(&list, i);
		JsonView	kind;
		JsonView	relation = {.type = JVIEW_ABSENT};
		Span		pair;
		bool		is_conflict;

		CHECK_FOR_INTERRUPTS();
		if (entry.type != JVIEW_OBJECT || !JsonViewGetString(&entry, "pair", &pair) || !JsonViewGetMember(&entry, "kind", &kind))
			continue;
		is_conflict = JsonViewStringIs(&kind, "conflict");
		(void) JsonViewGetMember(&entry, "relation", &relation);
		if (!is_conflict && !JsonViewStringIs(&kind, "entailment"))
			continue;
		if (is_conflict && (JsonViewStringIs(&relation, "contradicts") || GaveWay(&entry, &superseded)))
			continue;
		KindAddPair(columns, pair);
	}
}

/* columns */

/* Has a judge of passages said anything? */
static bool
PassagesAreJudged(const JsonView *body)
{
	JsonView	judgements;

	if (!JsonViewGetMember(body, "judgements", &judgements) || judgements.type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(&judgements); i++)
	{
		JsonView	judgement = JsonViewAt(&judgements, i);
		JsonView	kind;

		if (judgement.type == JVIEW_OBJECT && JsonViewGetMember(&judgement, "kind", &kind) && JsonViewStringIs(&kind, "answers"))
			return true;
	}
	return false;
}

/* Returns the statuses of the sentences of a caller's answer; an empty array for an extractive one. */
static JsonView
SentencesOf(const JsonView *body)
{
	JsonView	member;
	JsonView	sentences;

	if (JsonViewGetMember(body, "validation", &member) && member.type == JVIEW_OBJECT &&
		JsonViewGetMember(&member, "sentences", &sentences) && sentences.type == JVIEW_ARRAY)
		return sentences;
	return JsonViewNewArray(0);
}

static void
CountGiven(const JsonView *body, bool says_not_judged, KindColumns *columns)
{
	JsonView	sentences = SentencesOf(body);
	JsonView	proposed;
	JsonView	by;
	JsonView	list;
	bool		is_extract = JsonViewGetMember(body, "proposed", &proposed) && proposed.type == JVIEW_OBJECT &&
		JsonViewGetMember(&proposed, "by", &by) && JsonViewStringIs(&by, "extract");

	columns->citation_required = true;
	columns->citation_given = JsonViewGetMember(body, "citations", &list) && list.type == JVIEW_ARRAY && JsonViewCount(&list) > 0;
	if (JsonViewCount(&sentences) > 0)
		KindCountSentences(columns, &sentences);
	else if (JsonViewGetMember(body, "quotes", &list) && list.type == JVIEW_ARRAY && JsonViewCount(&list) > 0)
	{
		is_extract = true;
		columns->sentences = columns->grounded = JsonViewCount(&list);
	}
	else
	{
		/* from before there were statuses: a caller's text that nobody has judged */
		columns->sentences = 1;
		columns->grounded = is_extract ? 1 : 0;
	}
	columns->unjudged = says_not_judged || (is_extract && !PassagesAreJudged(body));
	columns->contradicted = !columns->reads_no_texts && IsContradicted(body, &sentences);
	columns->supported = KindIsSupported(columns);
	AddPairs(body, "to_judge", columns);
	AddPairs(body, "judgements", columns);
}

/* Counts the reasons. The first one decided. */
static void
CountReasons(const JsonView *reasons, bool *says_not_judged, KindColumns *columns)
{
	for (int i = 0; i < JsonViewCount(reasons); i++)
	{
		JsonView	reason = JsonViewAt(reasons, i);

		if (reason.type != JVIEW_STRING)
			continue;
		KindCountWord(columns, "reason", SpanOfView(&reason), 1);
		*says_not_judged |= JsonViewStringIs(&reason, "not_judged");
		if (columns->given)
			continue;
		if (columns->refusal.len == 0)
			KindSetRefusal(columns, SpanOfView(&reason));
		columns->prevented |= JsonViewStringIs(&reason, "contradicted") || JsonViewStringIs(&reason, "misquoted") ||
			JsonViewStringIs(&reason, "conflict_detected");
	}
}

void
DecisionCount(const JsonView *body, KindColumns *columns)
{
	JsonView	decision = JsonViewUnder(body, "decision");
	JsonView	reasons;
	bool		says_not_judged = false;

	columns->is_answer = true;
	columns->given = DecisionIsAnswer(&decision);
	if (JsonViewGetMember(body, "reasons", &reasons) && reasons.type == JVIEW_ARRAY)
		CountReasons(&reasons, &says_not_judged, columns);
	if (columns->given)
		CountGiven(body, says_not_judged, columns);
	else if (columns->refusal.len == 0)
		KindSetRefusal(columns, columns->verdict);
}
