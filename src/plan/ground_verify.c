/*-------------------------------------------------------------------------
 *
 * ground_verify.c
 *		ground-verify/2: finds what sources say for and against claims.
 *
 * Pure.  Rule: doc/spec/plan.md §11.
 *
 * Each sentence s of a snippet is judged, together with the sentences next to it.
 * "near" is the share of the claim's items that s has; "wide" is the share that s and
 * its neighbours have.  Questions are ignored.  A sentence with less than half of
 * the claim's items is not judged.  For each claim, the other sentences are handled
 * as follows:
 *
 *	- A sentence contradicts the claim with the weight near * score if the rules of
 *	  conflicts say so.  It also does if it is a near copy that differs in a value or
 *	  a negation, and no sentence of the snippet says the same as the claim.
 *	- Any other sentence can support if it has as many negators as the claim, and if
 *	  it, its neighbours and the title together have every value and name of the claim.
 *	  The best of these, by wide, near, score and position, supports.  It is compared
 *	  with sentences of other documents.  Those of its own document are compared with
 *	  the best sentence of another document that is not in conflict with it.
 *	- A sentence that conflicts with the one that it is compared with contradicts,
 *	  with the weight near * score / (score + the other one's score); the quotient
 *	  is one half if both scores are 0.
 *	- The other sentences that can support do so, with the confidence
 *	  1 - (1 - wide) * (1 - score), at most 0.95, and at most 0.89 if wide is less
 *	  than three quarters or greater than near.
 *	- The rest is left out.
 *
 * There is one entry for each claim and source: the contradiction with the greatest
 * weight if there is one, else the best support.  Among equals the nearer one is
 * taken, then the first in the snippet.
 *
 * If a judge of the kind entailment is named, its judgement of the claim and the
 * whole source replaces that entry.  A source that the judge has not judged supports
 * nothing, but a contradiction of the claim that the rules found stays.
 *
 * A source that appears in no entry is related if, for some claim, its snippet shares
 * two or more items with the best supporting sentence (with judges: the best scored
 * source that supports), and it is from another document.  It is not related if one
 * of its sentences was left out for any claim, or if it has half of a claim's items
 * and a sentence with a different number of negators.  So nothing that may say the
 * opposite is shown with an answer.
 *
 * If newer sources replace older ones, each pass looks for contradictions with a
 * supporter from another document: sources in conflict with it, or with the claim
 * that it supports.  The older one of the two is left out, and everything is judged
 * again, until no source is replaced.  A source without an instant, or later than
 * now, neither replaces nor is replaced.  A reported source does not replace an
 * observed one.  The pairs for judges stay those of all sources.
 *
 * If sources must be fresh, a source is stale if it is older than the given days or
 * has no instant.  Stale related sources are left out.  Stale supporting sources
 * cause a caveat; whether they block is judged elsewhere (plan/freshness.h).
 *
 * Fractions are exact; the double nearest to one is rounded to hundredths as in
 * answer-conf/1.
 *
 * Promises: pure; the same arguments, rules and judgements give the same evidence
 * everywhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/search.h"
#include "base/span.h"
#include "check/composite.h"
#include "check/operator.h"
#include "ground/chunk.h"
#include "ground/conflict.h"
#include "plan/ground_conf.h"
#include "plan/freshness.h"
#include "plan/ground_verify.h"
#include "reading/near_copy.h"

#define CONFIDENCE_MOST			95	/* hundredths */
#define CONFIDENCE_MOST_PARTLY	89	/* limit for a claim that no single sentence covers */
#define RELATED_ITEMS			2

/* A source is judged if its score is at least so many tenths of the greatest. */
#define JUDGED_TENTHS			7

/* The least that an entry takes as JSON, in addition to its texts. */
#define ENTRY_FRAME \
	"{\"claim\":\"\",\"confidence\":0.1,\"snippet\":\"\",\"source\":\"\",\"stamp\":\"\",\"title\":\"\"},"

/* How a sentence, or a source, relates to a claim. */
typedef enum Standing
{
	STANDING_NONE,				/* covers too little, or is left out */
	STANDING_SUPPORTS,
	STANDING_CONTRADICTS
} Standing;

/* What the words of a source say about a claim. */
typedef struct Found
{
	int			hit;
	Standing	standing;
	int			sentence;
	int			hundredths;		/* its confidence, or its weight */
	int			against;		/* the source that it contradicts; -1: the claim */
	int			opposed;		/* the sentence that contradicts the claim itself by the rules, or -1 */
	int			opposed_hundredths;
} Found;

typedef struct Claim
{
	Span		text;
	bool		is_repeated;	/* is there an equal claim before it? */
	const Reading *reading;		/* the claim as one sentence */
	int			nfound;			/* by hit, ascending */
	Found	   *found;
	int			best;			/* the best supporting sentence, or -1 */
} Claim;

typedef struct Hit
{
	Span		uri;
	Span		document;		/* the uri before "#" */
	Span		given;			/* the snippet as given */
	Span		snippet;		/* trimmed */
	Numeric		score;
	JsonView	title;			/* or absent, also stamp */
	JsonView	stamp;
	const Reading *reading;
	const Reading *title_reading;	/* NULL without a title */
	int			first;			/* first of its sentences */
	int			count;
	bool		is_cited;		/* does it support or contradict a claim? */
	bool		is_related;
	bool		is_opposite;	/* may it say the opposite of a claim? */
	bool		is_supporter;
	bool		has_instant;
	TimestampTz instant;
	bool		is_reported;
	bool		is_left_out;	/* has a newer source replaced it? */
	int			by;
} Hit;

/* An entry that supports, or one that contradicts, with what it contradicts. */
typedef struct Entry
{
	int			claim;
	int			hit;
	Standing	standing;
	int			against;		/* see Found */
} Entry;

typedef struct Sentence
{
	int			hit;
	const ReadSentence *read;
	ItemSet		all;			/* items of the whole sentence */
	Span		text;
} Sentence;

struct GroundVerification
{
	JsonView	claims_view;
	int			nclaims;
	Claim	   *claims;
	int			nhits;
	Hit		   *hits;
	int			nsentences;
	int			capacity;
	Sentence   *sentences;
	Reader	   *reader;
	ConflictJudge *judge;
	int		   *marks;			/* by item: see MarkItems */
	int			mark;			/* the last mark that was used */
	int			npairs;
	int			pairs_capacity;
	GroundPair *pairs;
	bool		are_digested;	/* are the digests of the pairs set? */
	size_t		size;			/* lower bound of the bytes of all entries */
	JsonView	supports;
	JsonView	contradicts;
	int			nentries;
	int			entries_capacity;
	Entry	   *entries;		/* of supports and contradicts */
	struct Judged *room;
	int			freshness_days; /* 0: no limit */
	bool		has_supersede;	/* do the arguments have "supersede"? */
	bool		supersedes;		/* its value */
};

/*
 * reading
 */

static Span
DocumentOf(Span uri)
{
	const char *hash = memchr(uri.str, '#', uri.len);

	return SpanOf(uri.str, hash ? (int) (hash - uri.str) : uri.len);
}

/* Reads one source.  Returns NULL, or what is wrong. */
static const char *
ReadHit(const JsonView *view, int index, Hit *hit)
{
	JsonView	member;

	if (view->type != JVIEW_OBJECT)
		return psprintf("sources[%d] must be an object, and is %s", index, ShownValue(view));
	if (!JsonViewGetMember(view, "uri", &member) || member.type != JVIEW_STRING || member.len == 0)
		return ElementProblem("sources", index, "uri", "must be a string that is not empty", &member);
	hit->uri = SpanOf(member.str, member.len);
	hit->document = DocumentOf(hit->uri);
	if (!JsonViewGetMember(view, "snippet", &member) || member.type != JVIEW_STRING)
		return ElementProblem("sources", index, "snippet", "must be a string", &member);
	hit->given = SpanOf(member.str, member.len);
	hit->snippet = TrimWhiteSpace(hit->given);
	if (!JsonViewGetMember(view, "score", &member) || !ShareOfView(&member, &hit->score))
		return ElementProblem("sources", index, "score", "must be a number from 0 to 1", &member);
	if (!JsonViewGetTextOrNone(view, "title", &hit->title))
		return ElementProblem("sources", index, "title", "must be a string or null", &hit->title);
	if (!JsonViewGetTextOrNone(view, "stamp", &hit->stamp))
		return ElementProblem("sources", index, "stamp", "must be a string or null", &hit->stamp);
	hit->has_instant = hit->stamp.type == JVIEW_STRING &&
		ChunkInstantParse(SpanOf(hit->stamp.str, hit->stamp.len), &hit->instant);
	return NULL;
}

static void
AddSentence(GroundVerification *verification, Sentence sentence)
{
	GROW_ARRAY(verification->sentences, verification->nsentences, verification->capacity, 64);
	verification->sentences[verification->nsentences++] = sentence;
}

static void
ReadSentences(GroundVerification *verification, int number)
{
	Hit		   *hit = &verification->hits[number];

	hit->reading = ReadText(verification->reader, hit->snippet);
	if (hit->title.type == JVIEW_STRING && hit->title.len > 0)
		hit->title_reading = ReadText(verification->reader, SpanOf(hit->title.str, hit->title.len));
	hit->first = verification->nsentences;
	hit->count = hit->reading->nsentences;
	for (int i = 0; i < hit->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddSentence(verification, (Sentence) {number, &hit->reading->sentences[i],
					ReadSentenceAll(hit->reading, i), ReadSentenceText(hit->reading, i)});
	}
}

static bool
ReadSources(GroundVerification *verification, const JsonView *args, const char **problem)
{
	JsonView	array;

	if (!JsonViewGetMember(args, "sources", &array) || array.type != JVIEW_ARRAY)
	{
		*problem = psprintf("sources must be an array, and is %s", ShownValue(&array));
		return false;
	}
	verification->nhits = JsonViewCount(&array);
	verification->hits = palloc_extended(sizeof(Hit) * (Size) Max(verification->nhits, 1),
										 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < verification->nhits; i++)
	{
		JsonView	view = JsonViewAt(&array, i);

		CHECK_FOR_INTERRUPTS();
		*problem = ReadHit(&view, i, &verification->hits[i]);
		if (*problem)
			return false;
		ReadSentences(verification, i);
	}
	return true;
}

/* Reads the indexes of the sources that were reported. */
static bool
ReadReported(GroundVerification *verification, const JsonView *args, const char **problem)
{
	JsonView	array;
	JsonView	view;

	if (!JsonViewGetMember(args, "reported", &array))
		return true;
	for (int i = 0; array.type == JVIEW_ARRAY && JsonViewElement(&array, i, &view); i++)
	{
		int			number;

		CHECK_FOR_INTERRUPTS();
		if (!WholeOfView(&view, &number) || number >= verification->nhits)
		{
			*problem = psprintf("reported[%d] must be the number of a source, and is %s", i, ShownValue(&view));
			return false;
		}
		verification->hits[number].is_reported = true;
	}
	if (array.type != JVIEW_ARRAY)
		*problem = psprintf("reported must be an array of numbers of sources, and is %s", ShownValue(&array));
	return array.type == JVIEW_ARRAY;
}

/* Reads how old sources may be, and whether newer ones replace older ones. */
static bool
ReadAges(GroundVerification *verification, const JsonView *args, const char **problem)
{
	JsonView	policy;
	JsonView	view;

	if (JsonViewGetMember(args, "policy", &policy) && policy.type == JVIEW_OBJECT &&
		JsonViewGetMember(&policy, "freshness_days", &view) && !WholeOfView(&view, &verification->freshness_days))
	{
		*problem = psprintf("policy.freshness_days must be a whole number of days from 0 up, and is %s", ShownValue(&view));
		return false;
	}
	verification->has_supersede = JsonViewGetMember(args, "supersede", &view);
	if (verification->has_supersede && view.type != JVIEW_BOOL)
	{
		*problem = psprintf("supersede must be true or false, and is %s", ShownValue(&view));
		return false;
	}
	verification->supersedes = verification->has_supersede && view.boolean;
	return ReadReported(verification, args, problem);
}

typedef struct NumberedText
{
	Span		text;
	int			number;
} NumberedText;

static int
CompareNumberedTexts(const void *a, const void *b)
{
	const NumberedText *left = a;
	const NumberedText *right = b;
	int			cmp = SpanCompare(left->text, right->text);

	return cmp != 0 ? cmp : (left->number > right->number) - (left->number < right->number);
}

/* Marks repeated claims; the first one has the entries. */
static void
MarkRepeated(GroundVerification *verification)
{
	NumberedText *texts = palloc_extended(sizeof(NumberedText) * (Size) Max(verification->nclaims, 1),
										  MCXT_ALLOC_HUGE);

	for (int i = 0; i < verification->nclaims; i++)
		texts[i] = (NumberedText) {verification->claims[i].text, i};
	qsort(texts, verification->nclaims, sizeof(NumberedText), CompareNumberedTexts);
	for (int i = 1; i < verification->nclaims; i++)
		verification->claims[texts[i].number].is_repeated = SpanEqual(texts[i].text, texts[i - 1].text);
	pfree(texts);
}

/* Returns the reading of a text as one sentence, with all its negators. */
static const Reading *
AsOneSentence(const Reading *text)
{
	Reading    *reading = palloc(sizeof(Reading));
	ReadSentence *sentence = palloc0(sizeof(ReadSentence));

	*reading = *text;
	reading->nsentences = 1;
	reading->sentences = sentence;
	reading->sentence_items = text->items.items;
	reading->sentence_all = text->all.items;
	sentence->end = text->words.text.len;
	sentence->end_token = text->words.ntokens;
	sentence->nitems = text->items.count;
	sentence->nall = text->all.count;
	sentence->nvalues = text->nvalues;
	sentence->nnames = text->nnames;
	for (int i = 0; i < text->nsentences; i++)
		sentence->nnegators += text->sentences[i].nnegators;
	sentence->negated = sentence->nnegators % 2 == 1;
	return reading;
}

static bool
ReadClaims(GroundVerification *verification, const JsonView *args, const char **problem)
{
	JsonView   *array = &verification->claims_view;

	if (!JsonViewGetMember(args, "claims", array) || array->type != JVIEW_ARRAY)
	{
		*problem = psprintf("claims must be an array, and is %s", ShownValue(array));
		return false;
	}
	verification->nclaims = JsonViewCount(array);
	verification->claims = palloc_extended(sizeof(Claim) * (Size) Max(verification->nclaims, 1),
										   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < verification->nclaims; i++)
	{
		JsonView	view = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		if (view.type != JVIEW_STRING)
		{
			*problem = psprintf("claims[%d] must be a string, and is %s", i, ShownValue(&view));
			return false;
		}
		verification->claims[i] = (Claim) {.text = SpanOf(view.str, view.len),.best = -1};
		verification->claims[i].reading = AsOneSentence(ReadText(verification->reader, verification->claims[i].text));
	}
	MarkRepeated(verification);
	return true;
}

/*
 * conflicts
 */

/* Returns the index of a sentence's chunk; claims come first. */
static int
SentenceChunk(const GroundVerification *verification, int sentence)
{
	return verification->nclaims + sentence;
}

static JsonView
ClaimAsChunk(const GroundVerification *verification, int claim)
{
	JsonView	chunk = JsonViewNewObject(4);
	JsonView	id = JsonViewCString(psprintf("claim:%d", claim));

	JsonViewSet(&chunk, "chunk_id", id);
	JsonViewSet(&chunk, "doc_id", id);
	JsonViewSet(&chunk, "text", SpanView(verification->claims[claim].text));
	JsonViewSet(&chunk, "similarity", JsonViewInteger(1));
	return chunk;
}

static JsonView
SentenceAsChunk(const GroundVerification *verification, int sentence)
{
	const Sentence *judged = &verification->sentences[sentence];
	const Hit  *hit = &verification->hits[judged->hit];
	JsonView	chunk = JsonViewNewObject(4);

	JsonViewSet(&chunk, "chunk_id",
				JsonViewCString(psprintf("source:%d:%d", judged->hit, sentence - hit->first)));
	JsonViewSet(&chunk, "doc_id", SpanView(hit->document));
	JsonViewSet(&chunk, "text", SpanView(judged->text));
	JsonViewSet(&chunk, "similarity", JsonViewOfNumeric(hit->score));
	return chunk;
}

/* Reads claims and sentences as chunks, for the rules of conflicts. */
static void
ReadConflicts(GroundVerification *verification, const DecisionRules *rules)
{
	JsonView	chunks = JsonViewNewArray(verification->nclaims + verification->nsentences);

	for (int i = 0; i < verification->nclaims; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&chunks, ClaimAsChunk(verification, i));
	}
	for (int i = 0; i < verification->nsentences; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&chunks, SentenceAsChunk(verification, i));
	}
	verification->judge = ConflictJudgeBegin(ChunksOfView(&chunks, rules));
}

/*
 * judging by words
 */

/* A sentence that has at least half of the claim's items. */
typedef struct Judged
{
	int			sentence;
	int			near;			/* number of the claim's items that it has */
	int			wide;			/* number that it and its neighbours have */
	bool		can_support;
	bool		is_opposed;		/* do the rules find that it contradicts the claim itself? */
	Standing	standing;
	int			against;		/* the source that it conflicts with; -1: the claim */
	Numeric		n;				/* weight of a contradiction: n / d */
	Numeric		d;
} Judged;

/* One claim. */
typedef struct Judging
{
	GroundVerification *verification;
	int			number;
	Claim	   *claim;
	const ReadSentence *read;	/* the claim as one sentence */
	int			total;			/* number of its items */
	int			count;
	Judged	   *judged;			/* in order of position */
	int			copies_of;		/* the last source that was checked for a sentence that says the same, or -1 */
	bool		says_same;
	const Judged *best;			/* best of those that can support, or NULL */
	const Judged *best_other;	/* best one of another document that does not conflict with it, or NULL */
} Judging;

static Numeric
Multiply(Numeric a, Numeric b)
{
	return NumberCall(numeric_mul, a, b);
}

static Hit *
HitOfSentence(const GroundVerification *verification, int sentence)
{
	return &verification->hits[verification->sentences[sentence].hit];
}

static Hit *
HitOf(const Judging *judging, const Judged *judged)
{
	return HitOfSentence(judging->verification, judged->sentence);
}

/* Marks items with a new mark, which replaces older ones. */
static int
MarkItems(GroundVerification *verification, const ItemSet *items)
{
	int			mark = ++verification->mark;

	for (int i = 0; i < items->count; i++)
		verification->marks[items->items[i]] = mark;
	return mark;
}

/* Counts the items of a set with the mark. */
static int
CountMarked(const GroundVerification *verification, const ItemSet *set, int mark)
{
	int			count = 0;

	for (int i = 0; i < set->count; i++)
		count += verification->marks[set->items[i]] == mark;
	return count;
}

/* Counts the marked items in the sentences of a source, other than questions. Removes the mark from each. */
static int
TakeMarked(GroundVerification *verification, const Hit *hit, int mark)
{
	int			count = 0;

	for (int i = hit->first; i < hit->first + hit->count; i++)
	{
		const Sentence *sentence = &verification->sentences[i];

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; !sentence->read->asks && k < sentence->all.count; k++)
		{
			if (verification->marks[sentence->all.items[k]] != mark)
				continue;
			verification->marks[sentence->all.items[k]] = 0;
			count++;
		}
	}
	return count;
}

/* Returns a sentence and its neighbours in the snippet, without questions. */
static int
Around(const GroundVerification *verification, int sentence, const Sentence **around)
{
	const Hit  *hit = HitOfSentence(verification, sentence);
	int			count = 0;

	for (int i = Max(sentence - 1, hit->first); i <= Min(sentence + 1, hit->first + hit->count - 1); i++)
	{
		if (i == sentence || !verification->sentences[i].read->asks)
			around[count++] = &verification->sentences[i];
	}
	return count;
}

static int
CountAround(const Judging *judging, int sentence)
{
	const Sentence *around[3];
	int			naround = Around(judging->verification, sentence, around);
	const ItemSet *items = &judging->claim->reading->items;
	int			count = 0;

	for (int i = 0; i < items->count; i++)
	{
		bool		has = false;

		for (int k = 0; k < naround && !has; k++)
			has = ItemSetHas(&around[k]->all, items->items[i]);
		count += has;
	}
	return count;
}

/* Finds the sentences that have at least half of the claim's items. */
static void
FindNear(Judging *judging)
{
	GroundVerification *verification = judging->verification;
	int			mark = MarkItems(verification, &judging->claim->reading->items);

	for (int i = 0; i < verification->nsentences && judging->total > 0; i++)
	{
		const Sentence *sentence = &verification->sentences[i];
		int			near;

		CHECK_FOR_INTERRUPTS();
		if (sentence->read->asks || verification->hits[sentence->hit].is_left_out)
			continue;
		near = CountMarked(verification, &sentence->all, mark);
		if ((int64) near * 2 >= judging->total)
			judging->judged[judging->count++] = (Judged) {.sentence = i,.near = near,.wide = CountAround(judging, i),.against = -1};
	}
}

static Slot
SlotWithClaim(const Judging *judging, int sentence)
{
	const Hit  *hit = HitOfSentence(judging->verification, sentence);

	return SlotOf(judging->claim->reading, 0, hit->reading, sentence - hit->first, NULL);
}

/*
 * Does any sentence of the source say the same as the claim?  Sentences are ordered
 * by source, so this is computed once per source.
 */
static bool
SaysSame(Judging *judging, int number)
{
	const GroundVerification *verification = judging->verification;
	const Hit  *hit = &verification->hits[number];

	if (judging->copies_of == number)
		return judging->says_same;
	judging->copies_of = number;
	judging->says_same = false;
	for (int i = hit->first; i < hit->first + hit->count && !judging->says_same; i++)
	{
		CHECK_FOR_INTERRUPTS();
		judging->says_same = !verification->sentences[i].read->asks && SlotWithClaim(judging, i) == SLOT_SAME;
	}
	return judging->says_same;
}

/* Is a sentence a near copy that differs from the claim, while no sentence of its snippet says the same? */
static bool
IsOtherCopy(Judging *judging, int sentence)
{
	Slot		slot = SlotWithClaim(judging, sentence);

	return (slot == SLOT_VALUE || slot == SLOT_NEGATION) &&
		!SaysSame(judging, judging->verification->sentences[sentence].hit);
}

static bool
HasValue(const Sentence *const *around, int naround, const GroundVerification *verification, const ReadValue *value)
{
	for (int i = 0; i < naround; i++)
	{
		const Reading *reading = verification->hits[around[i]->hit].reading;

		for (int k = 0; k < around[i]->read->nvalues; k++)
		{
			CHECK_FOR_INTERRUPTS();
			if (ReadValuesEqual(value, &reading->values[around[i]->read->first_value + k]))
				return true;
		}
	}
	return false;
}

/* Is an item in a sentence, in its neighbours or in the title? */
static bool
StandsAround(const Sentence *const *around, int naround, const Reading *title, int item)
{
	for (int i = 0; i < naround; i++)
	{
		if (ItemSetHas(&around[i]->all, item))
			return true;
	}
	return title != NULL && ReadingHas(title, item);
}

static bool
HasName(const Sentence *const *around, int naround, const Reading *title, const Reading *claim, const ReadName *name)
{
	bool		has_parts = name->nparts > 0;

	if (StandsAround(around, naround, title, name->item))
		return true;
	for (int i = 0; i < name->nparts && has_parts; i++)
		has_parts = StandsAround(around, naround, title, claim->parts[name->first_part + i]);
	return has_parts;
}

/* Do a sentence, its neighbours and the title have every value and name of the claim? */
static bool
HasValuesAndNames(const Judging *judging, int sentence)
{
	const Sentence *around[3];
	int			naround = Around(judging->verification, sentence, around);
	const Reading *title = HitOfSentence(judging->verification, sentence)->title_reading;
	const Reading *claim = judging->claim->reading;

	for (int i = 0; i < claim->nvalues; i++)
	{
		if (!HasValue(around, naround, judging->verification, &claim->values[i]) &&
			!(title != NULL && ReadingHasValue(title, &claim->values[i])))
			return false;
	}
	for (int i = 0; i < claim->nnames; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!HasName(around, naround, title, claim, &claim->names[i]))
			return false;
	}
	return true;
}

/*
 * Finds whether the rules say that a sentence contradicts the claim, and otherwise
 * whether it can support it.
 */
static void
CompareWithClaim(Judging *judging, Judged *judged)
{
	GroundVerification *verification = judging->verification;

	if (IsOtherCopy(judging, judged->sentence) ||
		ConflictJudgeHolds(verification->judge, judging->number, SentenceChunk(verification, judged->sentence),
						   CONFLICT_WITH_CLAIM))
	{
		judged->is_opposed = true;
		judged->standing = STANDING_CONTRADICTS;
		judged->n = Multiply(int64_to_numeric(judged->near), HitOf(judging, judged)->score);
		judged->d = int64_to_numeric(judging->total);
		return;
	}
	judged->can_support = verification->sentences[judged->sentence].read->nnegators == judging->read->nnegators &&
		HasValuesAndNames(judging, judged->sentence);
}

/* Compares by wide, then near, then score. Equal ones stay in order of position. */
static bool
IsBetterMatch(const Judging *judging, const Judged *a, const Judged *b)
{
	if (b == NULL || a->wide != b->wide)
		return b == NULL || a->wide > b->wide;
	if (a->near != b->near)
		return a->near > b->near;
	return NumberCompare(HitOf(judging, a)->score, HitOf(judging, b)->score) > 0;
}

static bool
AreOfOneDocument(const Judging *judging, const Judged *a, const Judged *b)
{
	return SpanEqual(HitOf(judging, a)->document, HitOf(judging, b)->document);
}

/* Do two sentences conflict, by the rules or as near copies that differ? */
static bool
ConflictWith(const Judging *judging, const Judged *a, const Judged *b)
{
	const GroundVerification *verification = judging->verification;
	const Hit  *hit_a = HitOf(judging, a);
	const Hit  *hit_b = HitOf(judging, b);
	Slot		slot;

	if (ConflictJudgeHolds(verification->judge, SentenceChunk(verification, a->sentence),
						   SentenceChunk(verification, b->sentence), CONFLICT_WITH_SOURCE))
		return true;
	slot = SlotOf(hit_a->reading, a->sentence - hit_a->first, hit_b->reading, b->sentence - hit_b->first, NULL);
	return slot == SLOT_VALUE || slot == SLOT_NEGATION;
}

static void
FindBest(Judging *judging)
{
	for (int i = 0; i < judging->count; i++)
	{
		if (judging->judged[i].can_support && IsBetterMatch(judging, &judging->judged[i], judging->best))
			judging->best = &judging->judged[i];
	}
	for (int i = 0; i < judging->count; i++)
	{
		const Judged *judged = &judging->judged[i];

		CHECK_FOR_INTERRUPTS();
		if (judged->can_support && !AreOfOneDocument(judging, judged, judging->best) &&
			IsBetterMatch(judging, judged, judging->best_other) && !ConflictWith(judging, judged, judging->best))
			judging->best_other = judged;
	}
}

/* Compares a sentence with the best supporter of another document. */
static void
CompareWithSupporter(Judging *judging, Judged *judged)
{
	const Judged *supporter = judging->best;
	Numeric		score = HitOf(judging, judged)->score;
	Numeric		total = int64_to_numeric(judging->total);
	Numeric		near = int64_to_numeric(judged->near);
	Numeric		sum;

	if (supporter && AreOfOneDocument(judging, judged, supporter))
		supporter = judging->best_other;
	if (judged == judging->best || supporter == NULL || !ConflictWith(judging, judged, supporter))
	{
		judged->standing = judged->can_support ? STANDING_SUPPORTS : STANDING_NONE;
		return;
	}
	judged->standing = STANDING_CONTRADICTS;
	judged->against = judging->verification->sentences[supporter->sentence].hit;
	sum = NumberCall(numeric_add, score, HitOf(judging, supporter)->score);
	if (NumberCompare(sum, int64_to_numeric(0)) == 0)
	{
		judged->n = near;
		judged->d = Multiply(total, int64_to_numeric(2));
		return;
	}
	judged->n = Multiply(near, score);
	judged->d = Multiply(total, sum);
}

/* Returns the support by a sentence, multiplied by "total", the number of the claim's items. */
static Numeric
SupportOf(const Judging *judging, const Judged *judged)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		total = int64_to_numeric(judging->total);
	Numeric		missing = Multiply(int64_to_numeric(judging->total - judged->wide),
								   NumberCall(numeric_sub, one, HitOf(judging, judged)->score));
	int			most = (int64) judged->wide * 4 < (int64) judging->total * 3 || judged->wide > judged->near ?
		CONFIDENCE_MOST_PARTLY : CONFIDENCE_MOST;

	return NumberMin(NumberCall(numeric_sub, total, missing),
					 NumberCall(numeric_div, Multiply(total, int64_to_numeric(most)), int64_to_numeric(100)));
}

/*
 * Compares by confidence or weight, then near.  The first argument comes before the
 * second one in the snippet.
 */
static bool
IsWorthMore(const Judging *judging, const Judged *first, const Judged *second)
{
	int			cmp = second->standing == STANDING_CONTRADICTS ?
		NumberCompare(Multiply(second->n, first->d), Multiply(first->n, second->d)) :
		NumberCompare(SupportOf(judging, second), SupportOf(judging, first));

	return cmp > 0 || (cmp == 0 && second->near > first->near);
}

/* Chooses which of two sentences of a source becomes its entry. */
static const Judged *
Choose(const Judging *judging, const Judged *first, const Judged *second)
{
	if (first == NULL || second->standing != first->standing)
		return first == NULL || second->standing > first->standing ? second : first;
	return second->standing != STANDING_NONE && IsWorthMore(judging, first, second) ? second : first;
}

static int
WeightHundredths(const Judged *judged)
{
	return QuotientHundredths(judged->n, judged->d);
}

/* Stores what was found for each source. */
static void
KeepFound(Judging *judging)
{
	const Sentence *sentences = judging->verification->sentences;
	Claim	   *claim = judging->claim;

	if (claim->found)
		pfree(claim->found);
	claim->nfound = 0;
	claim->found = palloc_extended(sizeof(Found) * ((Size) judging->count + 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < judging->count;)
	{
		int			hit = sentences[judging->judged[i].sentence].hit;
		const Judged *chosen = NULL;
		const Judged *opposed = NULL;
		Found		found = {.hit = hit,.opposed = -1};

		CHECK_FOR_INTERRUPTS();
		for (; i < judging->count && sentences[judging->judged[i].sentence].hit == hit; i++)
		{
			chosen = Choose(judging, chosen, &judging->judged[i]);
			if (judging->judged[i].is_opposed)
				opposed = Choose(judging, opposed, &judging->judged[i]);
		}
		if (chosen->standing == STANDING_NONE)
			continue;
		found.standing = chosen->standing;
		found.sentence = chosen->sentence;
		found.against = chosen->against;
		found.hundredths = chosen->standing == STANDING_SUPPORTS ?
			QuotientHundredths(SupportOf(judging, chosen), int64_to_numeric(judging->total)) : WeightHundredths(chosen);
		if (opposed)
		{
			found.opposed = opposed->sentence;
			found.opposed_hundredths = WeightHundredths(opposed);
		}
		claim->found[claim->nfound++] = found;
	}
	claim->best = judging->best ? judging->best->sentence : -1;
}

/* Does a source have half of the claim's items, and a sentence with a different number of negators? */
static bool
DiffersInNegation(Judging *judging, const Hit *hit)
{
	GroundVerification *verification = judging->verification;
	int			mark;
	bool		differs = false;

	for (int i = hit->first; i < hit->first + hit->count && !differs; i++)
	{
		const ReadSentence *read = verification->sentences[i].read;

		differs = !read->asks && read->nnegators != judging->read->nnegators;
	}
	if (!differs || judging->total == 0)
		return false;
	mark = MarkItems(verification, &judging->claim->reading->items);
	return (int64) TakeMarked(verification, hit, mark) * 2 >= judging->total;
}

static void
FindOpposites(Judging *judging)
{
	GroundVerification *verification = judging->verification;

	for (int i = 0; i < judging->count; i++)
	{
		if (judging->judged[i].standing == STANDING_NONE)
			HitOf(judging, &judging->judged[i])->is_opposite = true;
	}
	for (int i = 0; i < verification->nhits; i++)
	{
		Hit		   *hit = &verification->hits[i];

		CHECK_FOR_INTERRUPTS();
		hit->is_opposite = hit->is_opposite || DiffersInNegation(judging, hit);
	}
}

static void
JudgeClaim(GroundVerification *verification, int number, Judged *room)
{
	Claim	   *claim = &verification->claims[number];
	Judging		judging = {.verification = verification,.number = number,.claim = claim,
		.read = claim->reading->sentences,.total = claim->reading->items.count,.copies_of = -1,.judged = room};

	FindNear(&judging);
	for (int i = 0; i < judging.count; i++)
	{
		/* one comparison reads all sentences of the claim */
		CHECK_FOR_INTERRUPTS();
		CompareWithClaim(&judging, &room[i]);
	}
	FindBest(&judging);
	for (int i = 0; i < judging.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (room[i].standing == STANDING_NONE)
			CompareWithSupporter(&judging, &room[i]);
	}
	KeepFound(&judging);
	FindOpposites(&judging);
}

/* Judges all claims, without the sources that are left out. */
static void
JudgeClaims(GroundVerification *verification)
{
	for (int i = 0; i < verification->nhits; i++)
		verification->hits[i].is_opposite = false;
	for (int i = 0; i < verification->nclaims; i++)
	{
		if (!verification->claims[i].is_repeated)
			JudgeClaim(verification, i, verification->room);
	}
}

/*
 * pairs
 */

static const Found *
FoundOf(const Claim *claim, int hit)
{
	int			low = 0;

	FIRST_PLACE(low, claim->nfound, at, claim->found[at].hit < hit);
	return low < claim->nfound && claim->found[low].hit == hit ? &claim->found[low] : NULL;
}

static void
AddPair(GroundVerification *verification, int claim, int hit)
{
	GROW_ARRAY(verification->pairs, verification->npairs, verification->pairs_capacity, 64);
	verification->pairs[verification->npairs++] = (GroundPair) {.claim = claim,.hit = hit};
}

/* Is a source among those with the best scores, which are judged whatever their words? */
static bool
IsAmongBest(const Hit *hit, Numeric greatest)
{
	return NumberCompare(Multiply(hit->score, int64_to_numeric(10)),
						 Multiply(greatest, int64_to_numeric(JUDGED_TENTHS))) >= 0;
}

static void
FindPairs(GroundVerification *verification)
{
	Numeric		greatest = int64_to_numeric(0);

	verification->npairs = 0;
	for (int i = 0; i < verification->nhits; i++)
		greatest = NumberMax(greatest, verification->hits[i].score);
	for (int i = 0; i < verification->nclaims; i++)
	{
		const Claim *claim = &verification->claims[i];
		int			mark;

		if (claim->is_repeated)
			continue;
		mark = MarkItems(verification, &claim->reading->items);
		for (int k = 0; k < verification->nhits; k++)
		{
			const Hit  *hit = &verification->hits[k];

			CHECK_FOR_INTERRUPTS();
			if (!hit->is_left_out &&
				(CountMarked(verification, &hit->reading->all, mark) > 0 ||
				 (hit->title_reading != NULL && CountMarked(verification, &hit->title_reading->all, mark) > 0)) &&
				(FoundOf(claim, k) != NULL || IsAmongBest(hit, greatest)))
				AddPair(verification, i, k);
		}
	}
}

static Span
Passage(const Hit *hit)
{
	StringInfoData passage;

	if (hit->title.type != JVIEW_STRING || hit->title.len == 0)
		return hit->given;
	initStringInfo(&passage);
	appendBinaryStringInfo(&passage, hit->title.str, hit->title.len);
	appendStringInfoChar(&passage, '\n');
	appendBinaryStringInfo(&passage, hit->given.str, hit->given.len);
	return SpanOf(passage.data, passage.len);
}

static int
ComparePairs(const void *a, const void *b)
{
	const GroundPair *left = *(const GroundPair *const *) a;
	const GroundPair *right = *(const GroundPair *const *) b;
	int			cmp = memcmp(left->digest.text, right->digest.text, DIGEST_TEXT_LENGTH);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

/* Finds equal pairs: the claim is judged once for sources with the same text. */
static void
FindFirstPairs(GroundVerification *verification)
{
	GroundPair **sorted = palloc_extended(sizeof(GroundPair *) * ((Size) verification->npairs + 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < verification->npairs; i++)
		sorted[i] = &verification->pairs[i];
	qsort(sorted, verification->npairs, sizeof(GroundPair *), ComparePairs);
	for (int i = 0; i < verification->npairs; i++)
		sorted[i]->first = i > 0 && SpanEqual(PairSpan(&sorted[i]->digest), PairSpan(&sorted[i - 1]->digest)) ?
			sorted[i - 1]->first : (int) (sorted[i] - verification->pairs);
	pfree(sorted);
}

const GroundPair *
GroundVerifyPairs(GroundVerification *verification, int *count)
{
	Span	   *passages;

	*count = verification->npairs;
	if (verification->are_digested)
		return verification->pairs;
	passages = palloc_extended(sizeof(Span) * ((Size) verification->nhits + 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < verification->nhits; i++)
		passages[i] = Passage(&verification->hits[i]);
	for (int i = 0; i < verification->npairs; i++)
	{
		GroundPair *pair = &verification->pairs[i];

		CHECK_FOR_INTERRUPTS();
		pair->a = verification->claims[pair->claim].text;
		pair->b = passages[pair->hit];
		pair->digest = JudgementPair(JUDGE_ENTAILMENT, pair->a, pair->b);
	}
	FindFirstPairs(verification);
	verification->are_digested = true;
	pfree(passages);
	return verification->pairs;
}

GroundVerification *
GroundVerifyBegin(const JsonView *args, const DecisionRules *rules, const char **problem)
{
	GroundVerification *verification = palloc0(sizeof(GroundVerification));

	*problem = NULL;
	if (args->type != JVIEW_OBJECT)
	{
		*problem = psprintf("the arguments must be an object, and are %s", ShownValue(args));
		return NULL;
	}
	verification->reader = ReaderBegin(rules);
	if (!ReadClaims(verification, args, problem) || !ReadSources(verification, args, problem) ||
		!ReadAges(verification, args, problem))
		return NULL;
	ReadConflicts(verification, rules);
	verification->marks = palloc_extended(sizeof(int) * ((Size) ReaderItemCount(verification->reader) + 1),
										  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	verification->room = palloc_extended(sizeof(Judged) * ((Size) verification->nsentences + 1), MCXT_ALLOC_HUGE);
	JudgeClaims(verification);
	FindPairs(verification);
	return verification;
}

/*
 * results
 */

static void
LimitEntries(GroundVerification *verification, size_t size)
{
	verification->size += size;
	if (verification->size > RESULT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("evidence is too large"),
				 errdetail("Its supports, contradictions and related sources take more than %d bytes.",
						   RESULT_MAX_SIZE),
				 errhint("Verify fewer claims, or against fewer or shorter sources.")));
}

/* Returns the members of an entry that describe its source. */
static JsonView
SourceEntry(const Hit *hit, Span snippet)
{
	JsonView	entry = JsonViewNewObject(6);

	JsonViewSet(&entry, "source", SpanView(hit->uri));
	JsonViewSet(&entry, "snippet", SpanView(snippet));
	if (hit->title.type != JVIEW_ABSENT)
		JsonViewSet(&entry, "title", hit->title);
	if (hit->stamp.type != JVIEW_ABSENT)
		JsonViewSet(&entry, "stamp", hit->stamp);
	return entry;
}

static size_t
EntrySize(const Hit *hit, Span snippet)
{
	return strlen(ENTRY_FRAME) + hit->uri.len + snippet.len + hit->title.len + hit->stamp.len;
}

static void
NoteEntry(GroundVerification *verification, Entry entry)
{
	GROW_ARRAY(verification->entries, verification->nentries, verification->entries_capacity, 64);
	verification->entries[verification->nentries++] = entry;
}

static void
AddEntry(GroundVerification *verification, const Claim *claim, int number, Standing standing, int against, Span snippet,
		 int hundredths)
{
	Hit		   *hit = &verification->hits[number];
	JsonView	entry = SourceEntry(hit, snippet);

	LimitEntries(verification, EntrySize(hit, snippet) + claim->text.len);
	NoteEntry(verification, (Entry) {(int) (claim - verification->claims), number, standing, against});
	hit->is_cited = true;
	hit->is_supporter |= standing == STANDING_SUPPORTS;
	JsonViewSet(&entry, "claim", SpanView(claim->text));
	JsonViewSet(&entry, standing == STANDING_SUPPORTS ? "confidence" : "weight", HundredthsView(hundredths));
	JsonViewAppend(standing == STANDING_SUPPORTS ? &verification->supports : &verification->contradicts, entry);
}

static void
AddFound(GroundVerification *verification, const Claim *claim, const Found *found)
{
	AddEntry(verification, claim, found->hit, found->standing, found->against,
			 verification->sentences[found->sentence].text, found->hundredths);
}

/*
 * Adds the entry of a source that nobody judged.  It supports nothing, but a
 * contradiction of the claim by the rules stays.
 */
static void
AddNotJudged(GroundVerification *verification, const Claim *claim, const Found *found)
{
	if (found->opposed >= 0)
		AddEntry(verification, claim, found->hit, STANDING_CONTRADICTS, -1,
				 verification->sentences[found->opposed].text, found->opposed_hundredths);
	else if (found->standing == STANDING_CONTRADICTS)
		verification->hits[found->hit].is_opposite = true;
}

/* Returns the greatest score among judges of a panel that contradict with enough confidence. */
static Numeric
GreatestContradiction(const GroundJudges *judges, Span pair)
{
	Numeric		greatest = judges->terms.contradict_min;

	for (int i = 0; i < judges->panel->count; i++)
	{
		const Judgement *judgement = JudgementFind(judges->judgements, pair, judges->panel->judges[i]);

		if (judgement && judgement->relation == RELATION_CONTRADICTS &&
			(!judgement->has_kind || judgement->kind == JUDGE_ENTAILMENT))
			greatest = NumberMax(greatest, judgement->score);
	}
	return greatest;
}

/* Adds what a panel says of a pair. Returns its score if it supports, else NULL. */
static Numeric
AddJudged(GroundVerification *verification, const GroundPair *pair, const GroundJudges *judges, const PanelSays *says)
{
	const Claim *claim = &verification->claims[pair->claim];
	const Hit  *hit = &verification->hits[pair->hit];
	const Found *found = FoundOf(claim, pair->hit);
	Numeric		one = int64_to_numeric(1);

	switch (says->verdict)
	{
		case PANEL_SUPPORTS:
			AddEntry(verification, claim, pair->hit, STANDING_SUPPORTS, -1, hit->snippet,
					 Min(QuotientHundredths(says->score, one), CONFIDENCE_MOST));
			return says->score;
		case PANEL_CONTRADICTS:
			AddEntry(verification, claim, pair->hit, STANDING_CONTRADICTS, -1, hit->snippet,
					 QuotientHundredths(GreatestContradiction(judges, PairSpan(&pair->digest)), one));
			break;
		case PANEL_NO_CLAIM:
			if (found)
				AddFound(verification, claim, found);
			break;
		case PANEL_NOT_JUDGED:
			if (found)
				AddNotJudged(verification, claim, found);
			break;
		case PANEL_NEUTRAL:
			break;
	}
	return NULL;
}

/* Marks the sources that share enough items with the best support of the claim, which is from source "of". */
static void
FindRelated(GroundVerification *verification, const Hit *of, const ItemSet *items)
{
	for (int i = 0; i < verification->nhits; i++)
	{
		Hit		   *hit = &verification->hits[i];

		CHECK_FOR_INTERRUPTS();
		if (!hit->is_related && !SpanEqual(hit->document, of->document))
			hit->is_related = CountMarked(verification, &hit->reading->all, MarkItems(verification, items)) >=
				RELATED_ITEMS;
	}
}

/* Adds entries by words alone. */
static void
AddByWords(GroundVerification *verification)
{
	for (int i = 0; i < verification->nclaims; i++)
	{
		const Claim *claim = &verification->claims[i];
		const Hit  *best;
		ItemSet		items;

		for (int k = 0; k < claim->nfound; k++)
		{
			CHECK_FOR_INTERRUPTS();
			AddFound(verification, claim, &claim->found[k]);
		}
		if (claim->best < 0)
			continue;
		best = HitOfSentence(verification, claim->best);
		items = ReadSentenceItems(best->reading, claim->best - best->first);
		FindRelated(verification, best, &items);
	}
}

/* The judgements that the evidence rests on, the pairs without a judgement, and the number of these. */
typedef struct JudgedPairs
{
	JsonView	judgements;
	JsonView	missing;
	int			nmissing;
} JudgedPairs;

static void
AddJudgements(const GroundJudges *judges, Span pair, JudgedPairs *judged)
{
	for (int i = 0; i < judges->panel->count; i++)
	{
		const Judgement *judgement = JudgementFind(judges->judgements, pair, judges->panel->judges[i]);

		if (judgement)
			JsonViewAppend(&judged->judgements, judgement->view);
	}
}

static void
AddMissing(GroundVerification *verification, const GroundPair *pair, JudgedPairs *judged)
{
	const Hit  *hit = &verification->hits[pair->hit];
	JsonView	entry = JsonViewNewObject(5);

	judged->nmissing++;
	LimitEntries(verification, pair->a.len + pair->b.len + hit->uri.len);
	JsonViewSet(&entry, "kind", JsonViewCString(JudgeKindName(JUDGE_ENTAILMENT)));
	JsonViewSet(&entry, "pair", JsonViewString(pair->digest.text, DIGEST_TEXT_LENGTH));
	JsonViewSet(&entry, "a", SpanView(pair->a));
	JsonViewSet(&entry, "b", SpanView(pair->b));
	JsonViewSet(&entry, "source", SpanView(hit->uri));
	JsonViewAppend(&judged->missing, entry);
}

/* Adds entries by judgements, claim by claim. */
static void
AddByJudges(GroundVerification *verification, const GroundJudges *judges, JudgedPairs *judged)
{
	int			npairs;
	const GroundPair *pairs = GroundVerifyPairs(verification, &npairs);

	for (int i = 0; i < npairs;)
	{
		int			claim = pairs[i].claim;
		const Hit  *best = NULL;
		Numeric		greatest = NULL;

		for (; i < npairs && pairs[i].claim == claim; i++)
		{
			GroundPair *first = &verification->pairs[pairs[i].first];
			PanelSays	says;
			Numeric		score;

			CHECK_FOR_INTERRUPTS();
			if (verification->hits[pairs[i].hit].is_left_out)
				continue;
			PanelAsk(judges->panel, judges->judgements, PairSpan(&pairs[i].digest), &judges->terms, &says);
			score = AddJudged(verification, &pairs[i], judges, &says);
			if (score && (greatest == NULL || NumberCompare(score, greatest) > 0))
			{
				greatest = score;
				best = &verification->hits[pairs[i].hit];
			}
			if (first->is_told)
				continue;
			first->is_told = true;
			AddJudgements(judges, PairSpan(&pairs[i].digest), judged);
			if (says.verdict == PANEL_NOT_JUDGED)
				AddMissing(verification, &pairs[i], judged);
		}
		if (best)
			FindRelated(verification, best, &best->reading->items);
	}
}

/* Is a source too old, or without an instant? Never without a clock. */
static bool
IsStale(const GroundVerification *verification, const Hit *hit, const TimestampTz *at)
{
	return at != NULL && InstantIsStale(hit->has_instant, hit->instant, verification->freshness_days, *at);
}

static JsonView
RelatedView(GroundVerification *verification, const TimestampTz *at)
{
	JsonView	related = JsonViewNewArray(0);

	for (int i = 0; i < verification->nhits; i++)
	{
		const Hit  *hit = &verification->hits[i];

		if (!hit->is_related || hit->is_cited || hit->is_opposite || hit->is_left_out || IsStale(verification, hit, at))
			continue;
		LimitEntries(verification, EntrySize(hit, hit->snippet));
		JsonViewAppend(&related, SourceEntry(hit, hit->snippet));
	}
	return related;
}

/* Returns the judges that the database asked. */
static JsonView
JudgingView(const GroundJudges *judges)
{
	JsonView	view = JsonViewNewObject(3);
	JsonView	panel = JsonViewNewArray(judges->panel->count);

	for (int i = 0; i < judges->panel->count; i++)
		JsonViewAppend(&panel, SpanView(judges->panel->judges[i]));
	JsonViewSet(&view, "judge_entailment", panel);
	JsonViewSet(&view, "support_min", JsonViewOfNumeric(judges->terms.support_min));
	JsonViewSet(&view, "contradict_min", JsonViewOfNumeric(judges->terms.contradict_min));
	return view;
}

static void
AppendCaveat(JsonView *caveats, const char *code, const char *text)
{
	JsonView	caveat = JsonViewNewObject(2);

	JsonViewSet(&caveat, "code", JsonViewCString(code));
	JsonViewSet(&caveat, "text", JsonViewCString(text));
	JsonViewAppend(caveats, caveat);
}

static JsonView
CaveatsView(const GroundVerification *verification, bool is_judged, const TimestampTz *at)
{
	JsonView	caveats = JsonViewNewArray(2);
	bool		is_stale = false;

	for (int i = 0; i < verification->nhits && !is_stale; i++)
		is_stale = verification->hits[i].is_supporter && IsStale(verification, &verification->hits[i], at);
	if (!is_judged)
		AppendCaveat(&caveats, NOT_JUDGED_CODE, NOT_JUDGED_TEXT);
	if (is_stale)
		AppendCaveat(&caveats, STALE_CODE, StaleText(verification->freshness_days));
	return caveats;
}

/* replacing older sources */

static bool
HasPastInstant(const Hit *hit, const TimestampTz *at)
{
	return hit->has_instant && (at == NULL || hit->instant <= *at);
}

/* Of two sources that contradict each other, notes that the newer one replaces the older one, if it can. */
static void
NoteOlder(const GroundVerification *verification, int a, int b, const TimestampTz *at, int *by)
{
	const Hit  *hits = verification->hits;
	int			older = hits[a].instant < hits[b].instant ? a : b;
	int			newer = older == a ? b : a;

	if (!HasPastInstant(&hits[a], at) || !HasPastInstant(&hits[b], at) || hits[a].instant == hits[b].instant ||
		SpanEqual(hits[a].document, hits[b].document) || (hits[newer].is_reported && !hits[older].is_reported))
		return;
	if (by[older] < 0)
		by[older] = newer;
}

/* Compares one contradicting entry with the supporters of the same claim, entries "first" to "end". */
static void
NoteOlderOf(const GroundVerification *verification, const Entry *entry, int first, int end, const TimestampTz *at, int *by)
{
	for (int i = first; i < end; i++)
	{
		const Entry *other = &verification->entries[i];

		CHECK_FOR_INTERRUPTS();
		if (other->standing == STANDING_SUPPORTS && (entry->against < 0 || entry->against == other->hit))
			NoteOlder(verification, entry->hit, other->hit, at, by);
	}
}

/* Leaves out the sources that are replaced; returns false if there are none. */
static bool
LeaveOlderOut(GroundVerification *verification, const TimestampTz *at)
{
	int		   *by = palloc_extended(sizeof(int) * ((Size) verification->nhits + 1), MCXT_ALLOC_HUGE);
	bool		any = false;

	for (int i = 0; i < verification->nhits; i++)
		by[i] = -1;
	for (int first = 0; first < verification->nentries;)
	{
		int			end = first;

		while (end < verification->nentries && verification->entries[end].claim == verification->entries[first].claim)
			end++;
		for (int i = first; i < end; i++)
		{
			if (verification->entries[i].standing == STANDING_CONTRADICTS)
				NoteOlderOf(verification, &verification->entries[i], first, end, at, by);
		}
		first = end;
	}
	for (int i = 0; i < verification->nhits; i++)
	{
		if (by[i] < 0)
			continue;
		verification->hits[i].is_left_out = any = true;
		verification->hits[i].by = by[i];
	}
	pfree(by);
	return any;
}

static JsonView
SupersededView(GroundVerification *verification)
{
	JsonView	superseded = JsonViewNewArray(0);

	for (int i = 0; i < verification->nhits; i++)
	{
		const Hit  *hit = &verification->hits[i];
		JsonView	entry;

		if (!hit->is_left_out)
			continue;
		LimitEntries(verification, hit->uri.len + verification->hits[hit->by].uri.len);
		entry = JsonViewNewObject(2);
		JsonViewSet(&entry, "source", SpanView(hit->uri));
		JsonViewSet(&entry, "by", SpanView(verification->hits[hit->by].uri));
		JsonViewAppend(&superseded, entry);
	}
	return superseded;
}

/* Makes one pass over all sources that are not left out. */
static void
AddEntries(GroundVerification *verification, const GroundJudges *judges, JudgedPairs *judged)
{
	verification->size = 0;
	verification->nentries = 0;
	verification->supports = JsonViewNewArray(0);
	verification->contradicts = JsonViewNewArray(0);
	*judged = (JudgedPairs) {JsonViewNewArray(0), JsonViewNewArray(0), 0};
	for (int i = 0; i < verification->nhits; i++)
	{
		Hit		   *hit = &verification->hits[i];

		hit->is_cited = hit->is_related = hit->is_supporter = false;
	}
	for (int i = 0; i < verification->npairs; i++)
		verification->pairs[i].is_told = false;
	if (judges->panel->count > 0)
		AddByJudges(verification, judges, judged);
	else
	{
		AddByWords(verification);
		judged->nmissing = verification->npairs;
	}
}

JsonView
GroundVerify(GroundVerification *verification, const GroundJudges *judges, const TimestampTz *at)
{
	JsonView	evidence = JsonViewNewObject(16);
	JudgedPairs judged;
	bool		is_asked = judges->panel->count > 0;

	AddEntries(verification, judges, &judged);
	while (verification->supersedes && LeaveOlderOut(verification, at))
	{
		JudgeClaims(verification);
		if (!is_asked)
			FindPairs(verification);
		AddEntries(verification, judges, &judged);
	}
	JsonViewSet(&evidence, "method", JsonViewCString(GROUND_VERIFY_METHOD));
	JsonViewSet(&evidence, "claims", verification->claims_view);
	JsonViewSet(&evidence, "supports", verification->supports);
	JsonViewSet(&evidence, "contradicts", verification->contradicts);
	JsonViewSet(&evidence, "related", RelatedView(verification, at));
	if (verification->has_supersede)
		JsonViewSet(&evidence, "superseded", SupersededView(verification));
	JsonViewSet(&evidence, "caveats", CaveatsView(verification, judged.nmissing == 0, at));
	if (!is_asked)
		return evidence;
	JsonViewSet(&evidence, "judging", JudgingView(judges));
	JsonViewSet(&evidence, "judgements", judged.judgements);
	JsonViewSet(&evidence, "to_judge", judged.missing);
	return evidence;
}
