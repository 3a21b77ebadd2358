/*-------------------------------------------------------------------------
 *
 * judge_pairs.c
 *		The pairs of texts that a decision needs judged.
 *
 * Pure.  Rule: doc/spec/judgement.md §2.
 *
 * A decision asks here what is known of a pair.  The pair is then listed once, with all
 * chunks that share it.  A pair that the panel of its kind has not judged is needed.  No
 * judge is asked here.
 *
 * Promises: pure; pairs are in the order in which they were first asked for; linear in
 * their number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/bitmapset.h"
#include "utils/hsearch.h"

#include "base/canonical.h"
#include "base/grow.h"
#include "ground/chunk.h"
#include "ground/judge_pairs.h"

/* A pair by its digest, and the chunks that share it. */
typedef struct PairTableEntry
{
	char		digest[DIGEST_TEXT_LENGTH];
	int			place;
	Bitmapset  *chunks;
} PairTableEntry;

struct PairTable
{
	HTAB	   *hash;
};

static const Judgements nothing_judged = {0};

/* Returns judgements with their scores rounded for display, because rounded scores are compared. */
static const Judgements *
ShownJudgements(const Judgements *judgements)
{
	Judgements *shown = palloc(sizeof(Judgements));

	*shown = *judgements;
	shown->items = palloc_extended(sizeof(Judgement) * (Size) Max(judgements->count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < judgements->count; i++)
	{
		shown->items[i] = judgements->items[i];
		shown->items[i].score = RoundedQuotient(judgements->items[i].score, int64_to_numeric(1));
	}
	return shown;
}

void
ConsultationBegin(Consultation *consultation, const Panel *panels, const Judgements *judgements,
				  Numeric support_min, Numeric contradict_min)
{
	HASHCTL		control = {
		.keysize = DIGEST_TEXT_LENGTH,
		.entrysize = sizeof(PairTableEntry),
		.hcxt = CurrentMemoryContext,
	};

	memset(consultation, 0, sizeof(*consultation));
	consultation->panels = panels;
	consultation->judgements = judgements ? ShownJudgements(judgements) : &nothing_judged;
	consultation->terms.support_min = support_min;
	consultation->terms.contradict_min = contradict_min;
	consultation->pairs.table = palloc(sizeof(struct PairTable));
	consultation->pairs.table->hash = hash_create("pairs to judge", 64, &control,
												  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static JudgePair *
AddPair(JudgePairs *pairs)
{
	GROW_ARRAY(pairs->pairs, pairs->count, pairs->capacity, 8);
	memset(&pairs->pairs[pairs->count], 0, sizeof(JudgePair));
	return &pairs->pairs[pairs->count++];
}

static void
AddChunk(JudgePair *pair, PairTableEntry *entry, int chunk)
{
	if (bms_is_member(chunk, entry->chunks))
		return;
	entry->chunks = bms_add_member(entry->chunks, chunk);
	GROW_ARRAY(pair->chunks, pair->nchunks, pair->capacity, 4);
	pair->chunks[pair->nchunks++] = chunk;
}

const JudgePair *
ConsultationPair(Consultation *consultation, JudgeKind kind, Span a, Span b,
				 int sentence, const int *chunks, int nchunks)
{
	JudgePairs *pairs = &consultation->pairs;
	PairDigest	digest = JudgementPair(kind, a, b);
	PairTableEntry *entry;
	JudgePair  *pair;
	bool		found;

	entry = hash_search(pairs->table->hash, digest.text, HASH_ENTER, &found);
	if (!found)
	{
		entry->place = pairs->count;
		entry->chunks = NULL;
		pair = AddPair(pairs);
		pair->kind = kind;
		pair->digest = digest;
		JudgementOrder(kind, &a, &b);
		pair->a = a;
		pair->b = b;
		pair->sentence = sentence;
		PanelAsk(&consultation->panels[kind], consultation->judgements, PairSpan(&digest),
				 &consultation->terms, &pair->says);
	}
	pair = &pairs->pairs[entry->place];
	for (int i = 0; i < nchunks; i++)
		AddChunk(pair, entry, chunks[i]);
	return pair;
}

bool
ConsultationLacks(const Consultation *consultation)
{
	for (int i = 0; i < consultation->pairs.count; i++)
	{
		if (consultation->pairs.pairs[i].says.verdict == PANEL_NOT_JUDGED)
			return true;
	}
	return false;
}

static bool
IsOfAnyPanel(const Consultation *consultation, Span judge)
{
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		if (PanelHas(&consultation->panels[kind], judge))
			return true;
	}
	return false;
}

const char *
ConsultationStranger(const Consultation *consultation)
{
	for (int i = 0; i < consultation->judgements->count; i++)
	{
		const Judgement *judgement = &consultation->judgements->items[i];
		JsonView	name = JsonViewString(judgement->judge.str, judgement->judge.len);

		if (!IsOfAnyPanel(consultation, judgement->judge))
			return psprintf("judgements[%d].judge must be one that the configuration names, and is %s",
							Max(judgement->place, 0), ShownValue(&name));
	}
	return NULL;
}

const char *
ConsultationProblem(const Consultation *consultation)
{
	for (int i = 0; i < consultation->pairs.count; i++)
	{
		const JudgePair *pair = &consultation->pairs.pairs[i];
		const char *problem = JudgementsKindProblem(consultation->judgements, pair->kind, PairSpan(&pair->digest));

		if (problem != NULL)
			return problem;
	}
	return NULL;
}

static JsonView
PairView(const JudgePair *pair, const Span *chunk_ids, bool with_texts)
{
	JsonView	view = JsonViewNewObject(6);
	JsonView	chunks = JsonViewNewArray(pair->nchunks);

	for (int i = 0; i < pair->nchunks; i++)
		JsonViewAppend(&chunks, SpanView(chunk_ids[pair->chunks[i]]));
	JsonViewSet(&view, "kind", JsonViewCString(JudgeKindName(pair->kind)));
	JsonViewSet(&view, "pair", SpanView(PairSpan(&pair->digest)));
	if (with_texts)
	{
		JsonViewSet(&view, "a", SpanView(pair->a));
		JsonViewSet(&view, "b", SpanView(pair->b));
	}
	if (pair->sentence >= 0)
		JsonViewSet(&view, "sentence", JsonViewInteger(pair->sentence));
	JsonViewSet(&view, "chunk_ids", chunks);
	return view;
}

JsonView
ConsultationView(const Consultation *consultation, const Span *chunk_ids, bool with_texts)
{
	static const JudgeKind order[] = {JUDGE_ANSWERS, JUDGE_ENTAILMENT, JUDGE_CONFLICT};
	JsonView	view = JsonViewNewArray(8);

	for (size_t kind = 0; kind < lengthof(order); kind++)
	{
		for (int i = 0; i < consultation->pairs.count; i++)
		{
			const JudgePair *pair = &consultation->pairs.pairs[i];

			if (pair->kind == order[kind] && pair->says.is_needed)
				JsonViewAppend(&view, PairView(pair, chunk_ids, with_texts));
		}
	}
	return view;
}
