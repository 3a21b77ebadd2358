/*-------------------------------------------------------------------------
 *
 * ground_verify.c
 *		ground-verify/1: what sources say for and against claims.
 *
 * Pure.  Rule: "Evidence, policy, citations" of the contract of plans.
 *
 * Each sentence of a snippet is judged as a chunk of its own, of the document
 * that its uri names before "#".  Its cover is the share of the claim's stems
 * that it has; stop words and negators have no part in that.  What covers less
 * than half is not judged.  Of the others, for each claim:
 *
 *	- What the rules of conflicts, or a user's detector, hold against the claim
 *	  contradicts it, with the weight cover * score.
 *	- A sentence can support that they do not, and that holds a negation where
 *	  the claim holds one and none where it holds none.  The best of these, by
 *	  cover, score and place, supports.  What is of another document is held
 *	  against it; what is of its own document, against the best one of another
 *	  document that is not in conflict with it.
 *	- What is in conflict with the one that it is held against contradicts, with
 *	  the weight cover * score / (score + that one's score), where the quotient is
 *	  one half if both scores are 0.
 *	- The rest of what can support does so, with the confidence
 *	  1 - (1 - cover) * (1 - score), at most 0.95, and at most 0.89 where cover is
 *	  below three quarters.
 *	- The rest is left out.
 *
 * A claim and a source have one entry: the contradiction of the greatest weight,
 * if there is one, else the best support; of equal ones the first in the snippet.
 *
 * Sources that appear in no entry are related if for some claim their snippet
 * shares two stems or more with the best supporting sentence, they are of another
 * document, and none of their sentences differs from the claim in whether it
 * negates: nobody is shown beside an answer what may say the opposite.  Nor is one
 * that has half of another claim, and differs from it in that: revision 1 of the
 * rule did not look at the other claims, and what it made is made again by it.
 *
 * Fractions are exact; the double nearest to one is rounded to hundredths as
 * answer-conf/1 rounds.
 *
 * Promises: pure; the same evidence from the same arguments, stems, rules and
 * detected conflicts, everywhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/span.h"
#include "check/composite.h"
#include "check/operator.h"
#include "ground/conflict.h"
#include "plan/evidence.h"
#include "plan/ground_verify.h"
#include "plan/sentence_text.h"

#define CONFIDENCE_MOST			95	/* hundredths */
#define CONFIDENCE_MOST_PARTLY	89	/* the same of what covers less than 3/4 */
#define RELATED_STEMS			2

/* What an entry takes as JSON beside its texts, at the least. */
#define ENTRY_FRAME \
	"{\"claim\":\"\",\"confidence\":0.1,\"snippet\":\"\",\"source\":\"\",\"stamp\":\"\",\"title\":\"\"},"

/* Numbers of distinct stems. */
typedef struct StemSet
{
	int			count;
	int		   *stems;
} StemSet;

typedef struct Claim
{
	Span		text;
	bool		is_repeated;	/* the same stands before it */
} Claim;

typedef struct Hit
{
	Span		uri;
	Span		document;		/* the uri before "#" */
	Span		snippet;		/* trimmed */
	Numeric		score;
	JsonView	title;			/* or absent, like the next */
	JsonView	stamp;
	int			first;			/* of its sentences */
	int			count;
	bool		is_cited;		/* supports or contradicts some claim */
	bool		is_related;
	bool		is_opposite;	/* has a sentence that is left out for some claim */
} Hit;

typedef struct Sentence
{
	int			hit;
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
	JsonView	chunks;			/* claims, then sentences, as chunks */
	ChunkSet   *set;
	ConflictJudge *judge;
	JsonView	words;			/* all distinct ones */
	/* set by GroundVerify */
	StemSet    *stems;			/* by chunk */
	int			nstems;
	int			ndetected;
	uint64	   *detected;		/* pairs of chunks, sorted; see PairKey */
	int			revision;		/* of the rule */
	size_t		size;			/* bytes of the entries, at the least */
	JsonView	supports;
	JsonView	contradicts;
};

/*
 * reading
 */

static const char *
Malformed(int index, const char *key, const char *demand, const JsonView *seen)
{
	if (seen->type == JVIEW_ABSENT)
		return psprintf("sources[%d].%s must be %s, and is missing", index, key, demand);
	return psprintf("sources[%d].%s must be %s, and is %s", index, key, demand, ShownValue(seen));
}

/* A member that may be missing or null, which is the same; else it is a text. */
static bool
ReadOptionalText(const JsonView *hit, const char *key, JsonView *view)
{
	if (JsonViewGetMember(hit, key, view) && view->type == JVIEW_NULL)
		view->type = JVIEW_ABSENT;
	return view->type == JVIEW_ABSENT || view->type == JVIEW_STRING;
}

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
		return Malformed(index, "uri", "a string that is not empty", &member);
	hit->uri = SpanOf(member.str, member.len);
	hit->document = DocumentOf(hit->uri);
	if (!JsonViewGetMember(view, "snippet", &member) || member.type != JVIEW_STRING)
		return Malformed(index, "snippet", "a string", &member);
	hit->snippet = TrimWhiteSpace(SpanOf(member.str, member.len));
	if (!JsonViewGetMember(view, "score", &member) || !ShareOfView(&member, &hit->score))
		return Malformed(index, "score", "a number from 0 to 1", &member);
	if (!ReadOptionalText(view, "title", &hit->title))
		return Malformed(index, "title", "a string or null", &hit->title);
	if (!ReadOptionalText(view, "stamp", &hit->stamp))
		return Malformed(index, "stamp", "a string or null", &hit->stamp);
	return NULL;
}

static void
AddSentence(GroundVerification *verification, int hit, Span text)
{
	if (verification->nsentences == verification->capacity)
	{
		verification->capacity = Max(verification->capacity * 2, 64);
		verification->sentences = verification->sentences == NULL ?
			palloc_array(Sentence, verification->capacity) :
			repalloc_huge(verification->sentences, sizeof(Sentence) * (Size) verification->capacity);
	}
	verification->sentences[verification->nsentences++] = (Sentence) {hit, text};
}

static void
ReadSentences(GroundVerification *verification, int hit, const DecisionRules *rules)
{
	Lexicon    *lexicon = RulesLexicon(rules);
	Words		words;

	verification->hits[hit].first = verification->nsentences;
	WordsRead(lexicon, verification->hits[hit].snippet, &words);
	for (int first = 0; first < words.ntokens;)
	{
		int			end = SentenceEnd(&words, first);

		CHECK_FOR_INTERRUPTS();
		AddSentence(verification, hit, SentenceText(&words, first, end));
		first = end;
	}
	verification->hits[hit].count = verification->nsentences - verification->hits[hit].first;
}

static bool
ReadSources(GroundVerification *verification, const JsonView *args, const DecisionRules *rules,
			const char **problem)
{
	JsonView	array;

	if (!JsonViewGetMember(args, "sources", &array) || array.type != JVIEW_ARRAY)
	{
		*problem = array.type == JVIEW_ABSENT ? "sources must be an array, and is missing" :
			psprintf("sources must be an array, and is %s", ShownValue(&array));
		return false;
	}
	verification->nhits = JsonViewCount(&array);
	verification->hits = palloc_extended(sizeof(Hit) * (Size) Max(verification->nhits, 1),
										 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < verification->nhits; i++)
	{
		JsonView	view;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&array, i, &view);
		*problem = ReadHit(&view, i, &verification->hits[i]);
		if (*problem)
			return false;
		ReadSentences(verification, i, rules);
	}
	return true;
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

/* What is claimed twice has its entries once. */
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

static bool
ReadClaims(GroundVerification *verification, const JsonView *args, const char **problem)
{
	JsonView   *array = &verification->claims_view;

	if (!JsonViewGetMember(args, "claims", array) || array->type != JVIEW_ARRAY)
	{
		*problem = array->type == JVIEW_ABSENT ? "claims must be an array, and is missing" :
			psprintf("claims must be an array, and is %s", ShownValue(array));
		return false;
	}
	verification->nclaims = JsonViewCount(array);
	verification->claims = palloc_extended(sizeof(Claim) * (Size) Max(verification->nclaims, 1),
										   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < verification->nclaims; i++)
	{
		JsonView	view;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(array, i, &view);
		if (view.type != JVIEW_STRING)
		{
			*problem = psprintf("claims[%d] must be a string, and is %s", i, ShownValue(&view));
			return false;
		}
		verification->claims[i].text = SpanOf(view.str, view.len);
	}
	MarkRepeated(verification);
	return true;
}

/*
 * chunks
 */

static JsonView
SpanView(Span span)
{
	return JsonViewString(span.str, span.len);
}

/* Claims come first. */
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
	JsonView	chunk = JsonViewNewObject(5);

	JsonViewSet(&chunk, "chunk_id",
				JsonViewCString(psprintf("source:%d:%d", judged->hit, sentence - hit->first)));
	JsonViewSet(&chunk, "doc_id", SpanView(hit->document));
	JsonViewSet(&chunk, "text", SpanView(judged->text));
	JsonViewSet(&chunk, "similarity", JsonViewOfNumeric(hit->score));
	if (hit->stamp.type != JVIEW_ABSENT)
		JsonViewSet(&chunk, "timestamp", hit->stamp);
	return chunk;
}

static void
MakeChunks(GroundVerification *verification, const DecisionRules *rules)
{
	verification->chunks = JsonViewNewArray(verification->nclaims + verification->nsentences);
	for (int i = 0; i < verification->nclaims; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&verification->chunks, ClaimAsChunk(verification, i));
	}
	for (int i = 0; i < verification->nsentences; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&verification->chunks, SentenceAsChunk(verification, i));
	}
	verification->set = ChunksOfView(&verification->chunks, rules);
	verification->judge = ConflictJudgeBegin(verification->set);
}

static int
CompareByBytes(const void *a, const void *b)
{
	return SpanOrder(*(const Span *) a, *(const Span *) b);
}

/* The words of all chunks, each once, by code point. */
static JsonView
DistinctWords(const ChunkSet *set)
{
	int			most = LexiconSize(set->lexicon);
	bool	   *is_there = palloc_extended((Size) most + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	Span	   *words = palloc_extended(sizeof(Span) * ((Size) most + 1), MCXT_ALLOC_HUGE);
	int			count = 0;
	JsonView	view;

	for (int i = 0; i < set->count; i++)
	{
		const Words *read = &set->chunks[i].words;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < read->ntokens; k++)
		{
			int			word = read->tokens[k].word;

			CHECK_FOR_INTERRUPTS();
			if (!is_there[word])
				words[count++] = LexiconWord(set->lexicon, word)->folded;
			is_there[word] = true;
		}
	}
	qsort(words, count, sizeof(Span), CompareByBytes);
	view = JsonViewNewArray(count);
	for (int i = 0; i < count; i++)
		JsonViewAppend(&view, SpanView(words[i]));
	pfree(is_there);
	pfree(words);
	return view;
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
	if (!ReadClaims(verification, args, problem) || !ReadSources(verification, args, rules, problem))
		return NULL;
	MakeChunks(verification, rules);
	verification->words = DistinctWords(verification->set);
	return verification;
}

JsonView
GroundVerifyWords(const GroundVerification *verification)
{
	return verification->words;
}

/*
 * stems
 */

/* The stems of words, on their way to numbers. */
typedef struct StemReader
{
	int			count;
	int			capacity;
	Span	   *distinct;		/* by SpanCompare, once all are there */
	JsonView   *of_word;		/* by word of the lexicon: an array, or absent */
} StemReader;

static void
AddStem(StemReader *reader, Span stem)
{
	if (reader->count == reader->capacity)
	{
		reader->capacity = Max(reader->capacity * 2, 64);
		reader->distinct = reader->distinct == NULL ? palloc_array(Span, reader->capacity) :
			repalloc_huge(reader->distinct, sizeof(Span) * (Size) reader->capacity);
	}
	reader->distinct[reader->count++] = stem;
}

static bool
ReadWord(StemReader *reader, const JsonView *stems, Span word, JsonView *of_word, const char **problem)
{
	bool		is_right;

	if (!JsonViewGet(stems, word.str, word.len, of_word))
		return true;
	is_right = of_word->type == JVIEW_ARRAY;
	for (int i = 0; is_right && i < JsonViewCount(of_word); i++)
	{
		JsonView	stem;

		JsonViewElement(of_word, i, &stem);
		is_right = stem.type == JVIEW_STRING;
		if (is_right)
			AddStem(reader, SpanOf(stem.str, stem.len));
	}
	if (!is_right)
		*problem = psprintf("stems must have an array of strings for each word, and have %s", ShownValue(of_word));
	return is_right;
}

static int
CompareSpans(const void *a, const void *b)
{
	return SpanCompare(*(const Span *) a, *(const Span *) b);
}

static void
KeepDistinct(StemReader *reader)
{
	int			kept = 0;

	qsort(reader->distinct, reader->count, sizeof(Span), CompareSpans);
	for (int i = 0; i < reader->count; i++)
	{
		if (kept == 0 || !SpanEqual(reader->distinct[i], reader->distinct[kept - 1]))
			reader->distinct[kept++] = reader->distinct[i];
	}
	reader->count = kept;
}

static int
StemNumber(const StemReader *reader, const JsonView *stem)
{
	Span		text = SpanOf(stem->str, stem->len);
	Span	   *found = bsearch(&text, reader->distinct, reader->count, sizeof(Span), CompareSpans);

	return (int) (found - reader->distinct);
}

/* Looks all words of the chunks up. */
static bool
ReadWords(StemReader *reader, const ChunkSet *set, const JsonView *stems, const char **problem)
{
	Size		size = sizeof(JsonView) * ((Size) LexiconSize(set->lexicon) + 1);
	bool	   *is_read = palloc_extended((Size) LexiconSize(set->lexicon) + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	reader->of_word = palloc_extended(size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < set->count; i++)
	{
		const Words *words = &set->chunks[i].words;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < words->ntokens; k++)
		{
			int			word = words->tokens[k].word;

			CHECK_FOR_INTERRUPTS();
			if (is_read[word])
				continue;
			is_read[word] = true;
			if (!ReadWord(reader, stems, LexiconWord(set->lexicon, word)->folded, &reader->of_word[word], problem))
				return false;
		}
	}
	pfree(is_read);
	KeepDistinct(reader);
	return true;
}

/* Marks the tokens of negators, which have no part in what a text is about. */
static bool *
NegatorTokens(const Chunk *chunk)
{
	bool	   *is_negator = palloc_extended((Size) chunk->words.ntokens + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	for (int i = 0; i < chunk->matches.count; i++)
	{
		const Match *match = &chunk->matches.matches[i];

		for (int k = 0; match->list == RULE_NEGATOR && k < match->count; k++)
			is_negator[match->first + k] = true;
	}
	return is_negator;
}

/* The stems of a chunk; "seen" holds of each stem the chunk that had it last, plus 1. */
static StemSet
StemsOfChunk(const StemReader *reader, const ChunkSet *set, int number, int *seen)
{
	const Chunk *chunk = &set->chunks[number];
	bool	   *is_negator = NegatorTokens(chunk);
	StemSet		result = {0};
	int			most = 0;

	for (int i = 0; i < chunk->words.ntokens; i++)
		most += JsonViewCount(&reader->of_word[chunk->words.tokens[i].word]);
	result.stems = palloc_extended(sizeof(int) * ((Size) most + 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < chunk->words.ntokens; i++)
	{
		const JsonView *stems = &reader->of_word[chunk->words.tokens[i].word];

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; !is_negator[i] && k < JsonViewCount(stems); k++)
		{
			JsonView	view;
			int			stem;

			JsonViewElement(stems, k, &view);
			stem = StemNumber(reader, &view);
			if (seen[stem] != number + 1)
				result.stems[result.count++] = stem;
			seen[stem] = number + 1;
		}
	}
	pfree(is_negator);
	return result;
}

static bool
ReadStems(GroundVerification *verification, const JsonView *stems, const char **problem)
{
	const ChunkSet *set = verification->set;
	StemReader	reader = {0};
	int		   *seen;

	if (stems->type != JVIEW_OBJECT)
	{
		*problem = psprintf("stems must be an object, and are %s", ShownValue(stems));
		return false;
	}
	if (!ReadWords(&reader, set, stems, problem))
		return false;
	verification->nstems = reader.count;
	seen = palloc_extended(sizeof(int) * ((Size) reader.count + 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	verification->stems = palloc_extended(sizeof(StemSet) * ((Size) set->count + 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < set->count; i++)
		verification->stems[i] = StemsOfChunk(&reader, set, i, seen);
	pfree(seen);
	return true;
}

/*
 * what detectors found
 */

static uint64
PairKey(int a, int b)
{
	return (uint64) Min(a, b) << 32 | (uint32) Max(a, b);
}

static int
ComparePairs(const void *a, const void *b)
{
	uint64		left = *(const uint64 *) a;
	uint64		right = *(const uint64 *) b;

	return (left > right) - (left < right);
}

/* The number of the chunk that a pair names, or -1. */
static int
ChunkOfPair(const ChunkSet *set, const JsonView *pair, const char *key)
{
	JsonView	id;
	const Chunk *chunk;

	if (pair->type != JVIEW_OBJECT || !JsonViewGetMember(pair, key, &id) || id.type != JVIEW_STRING)
		return -1;
	chunk = ChunkOfId(set, SpanOf(id.str, id.len));
	return chunk ? (int) (chunk - set->chunks) : -1;
}

static bool
ReadDetected(GroundVerification *verification, const JsonView *detected, const char **problem)
{
	int			count = detected->type == JVIEW_ARRAY ? JsonViewCount(detected) : 0;

	if (detected->type != JVIEW_ARRAY && detected->type != JVIEW_ABSENT)
	{
		*problem = psprintf("detected must be an array, and is %s", ShownValue(detected));
		return false;
	}
	verification->detected = palloc_extended(sizeof(uint64) * ((Size) count + 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		JsonView	pair;
		int			a;
		int			b;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(detected, i, &pair);
		a = ChunkOfPair(verification->set, &pair, "chunk_a");
		b = ChunkOfPair(verification->set, &pair, "chunk_b");
		if (a < 0 || b < 0)
		{
			*problem = psprintf("detected[%d] must name a claim or a sentence of these in \"chunk_a\" and \"chunk_b\", and is %s",
								i, ShownValue(&pair));
			return false;
		}
		verification->detected[i] = PairKey(a, b);
	}
	verification->ndetected = count;
	qsort(verification->detected, count, sizeof(uint64), ComparePairs);
	return true;
}

static bool
AreInConflict(const GroundVerification *verification, int a, int b, ConflictTerms terms)
{
	uint64		key = PairKey(a, b);

	return ConflictJudgeHolds(verification->judge, a, b, terms) ||
		bsearch(&key, verification->detected, verification->ndetected, sizeof(uint64), ComparePairs) != NULL;
}

/*
 * judging
 */

/* What a sentence is to a claim. */
typedef enum Standing
{
	STANDING_NONE,				/* covers too little, or is left out */
	STANDING_SUPPORTS,
	STANDING_CONTRADICTS
} Standing;

/* A sentence that covers half of the claim. */
typedef struct Judged
{
	int			sentence;
	int			shared;			/* of the claim's stems */
	bool		can_support;
	Standing	standing;
	Numeric		n;				/* of a contradiction: its weight is n / d */
	Numeric		d;
} Judged;

/* One claim. */
typedef struct Judging
{
	GroundVerification *verification;
	int			claim;
	int			total;			/* its stems */
	int			count;
	Judged	   *judged;			/* in the order of their places */
	const Judged *best;			/* of those that can support, or NULL */
	const Judged *best_other;	/* the best of another document that is not in conflict with it, or NULL */
} Judging;

static Numeric
Multiply(Numeric a, Numeric b)
{
	return NumberCall(numeric_mul, a, b);
}

static Hit *
HitOf(const Judging *judging, const Judged *judged)
{
	const GroundVerification *verification = judging->verification;

	return &verification->hits[verification->sentences[judged->sentence].hit];
}

/* Finds the sentences that cover half; "marks" holds of each stem the last claim that has it, plus 1. */
static void
FindCovering(Judging *judging, int *marks)
{
	GroundVerification *verification = judging->verification;
	const StemSet *claim = &verification->stems[judging->claim];

	judging->total = claim->count;
	for (int i = 0; i < claim->count; i++)
		marks[claim->stems[i]] = judging->claim + 1;
	for (int i = 0; i < verification->nsentences; i++)
	{
		const StemSet *sentence = &verification->stems[SentenceChunk(verification, i)];
		int			shared = 0;

		CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < sentence->count; k++)
			shared += marks[sentence->stems[k]] == judging->claim + 1;
		if (claim->count > 0 && (int64) shared * 2 >= claim->count)
			judging->judged[judging->count++] = (Judged) {.sentence = i, .shared = shared};
	}
}

/* Does the rule hold a sentence against the claim?  Else, can it support? */
static void
HoldAgainstClaim(Judging *judging, Judged *judged)
{
	GroundVerification *verification = judging->verification;
	int			chunk = SentenceChunk(verification, judged->sentence);

	if (AreInConflict(verification, judging->claim, chunk, CONFLICT_WITH_CLAIM))
	{
		judged->standing = STANDING_CONTRADICTS;
		judged->n = Multiply(int64_to_numeric(judged->shared), HitOf(judging, judged)->score);
		judged->d = int64_to_numeric(judging->total);
		return;
	}
	judged->can_support = ConflictJudgeNegates(verification->judge, chunk) ==
		ConflictJudgeNegates(verification->judge, judging->claim);
}

/* By cover, then by score; equal ones stay in the order of their places. */
static bool
IsBetter(const Judging *judging, const Judged *a, const Judged *b)
{
	if (b == NULL || a->shared != b->shared)
		return b == NULL || a->shared > b->shared;
	return NumberCompare(HitOf(judging, a)->score, HitOf(judging, b)->score) > 0;
}

static bool
AreOfOneDocument(const Judging *judging, const Judged *a, const Judged *b)
{
	return SpanEqual(HitOf(judging, a)->document, HitOf(judging, b)->document);
}

static bool
ConflictWith(const Judging *judging, const Judged *a, const Judged *b)
{
	const GroundVerification *verification = judging->verification;

	return AreInConflict(verification, SentenceChunk(verification, a->sentence),
						 SentenceChunk(verification, b->sentence), CONFLICT_WITH_SOURCE);
}

static void
FindBest(Judging *judging)
{
	for (int i = 0; i < judging->count; i++)
	{
		if (judging->judged[i].can_support && IsBetter(judging, &judging->judged[i], judging->best))
			judging->best = &judging->judged[i];
	}
	for (int i = 0; i < judging->count; i++)
	{
		const Judged *judged = &judging->judged[i];

		CHECK_FOR_INTERRUPTS();
		if (judged->can_support && !AreOfOneDocument(judging, judged, judging->best) &&
			IsBetter(judging, judged, judging->best_other) && !ConflictWith(judging, judged, judging->best))
			judging->best_other = judged;
	}
}

/* Holds a sentence against the best supporter of another document. */
static void
HoldAgainstSupporter(Judging *judging, Judged *judged)
{
	const Judged *supporter = judging->best;
	Numeric		score = HitOf(judging, judged)->score;
	Numeric		total = int64_to_numeric(judging->total);
	Numeric		shared = int64_to_numeric(judged->shared);
	Numeric		sum;

	if (supporter && AreOfOneDocument(judging, judged, supporter))
		supporter = judging->best_other;
	if (judged == judging->best || supporter == NULL || !ConflictWith(judging, judged, supporter))
	{
		judged->standing = judged->can_support ? STANDING_SUPPORTS : STANDING_NONE;
		return;
	}
	judged->standing = STANDING_CONTRADICTS;
	sum = NumberCall(numeric_add, score, HitOf(judging, supporter)->score);
	if (NumberCompare(sum, int64_to_numeric(0)) == 0)
	{
		judged->n = shared;
		judged->d = Multiply(total, int64_to_numeric(2));
		return;
	}
	judged->n = Multiply(shared, score);
	judged->d = Multiply(total, sum);
}

/* In hundredths. */
static int
SupportConfidence(const Judging *judging, const Judged *judged)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		total = int64_to_numeric(judging->total);
	Numeric		missing = Multiply(int64_to_numeric(judging->total - judged->shared),
								   NumberCall(numeric_sub, one, HitOf(judging, judged)->score));
	int			most = (int64) judged->shared * 4 < (int64) judging->total * 3 ?
		CONFIDENCE_MOST_PARTLY : CONFIDENCE_MOST;

	return Min(QuotientHundredths(NumberCall(numeric_sub, total, missing), total), most);
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

/* The members of an entry that tell of its source. */
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
AddEntry(Judging *judging, const Judged *judged)
{
	GroundVerification *verification = judging->verification;
	const Sentence *sentence = &verification->sentences[judged->sentence];
	Hit		   *hit = &verification->hits[sentence->hit];
	Span		claim = verification->claims[judging->claim].text;
	JsonView	entry = SourceEntry(hit, sentence->text);

	LimitEntries(verification, EntrySize(hit, sentence->text) + claim.len);
	hit->is_cited = true;
	JsonViewSet(&entry, "claim", SpanView(claim));
	if (judged->standing == STANDING_SUPPORTS)
	{
		JsonViewSet(&entry, "confidence", HundredthsView(SupportConfidence(judging, judged)));
		JsonViewAppend(&verification->supports, entry);
		return;
	}
	JsonViewSet(&entry, "weight", HundredthsView(QuotientHundredths(judged->n, judged->d)));
	JsonViewAppend(&verification->contradicts, entry);
}

/* Which of two sentences of one source is its entry?  The first one stands before the second. */
static const Judged *
Choose(const Judged *first, const Judged *second)
{
	if (first == NULL || second->standing > first->standing)
		return second;
	if (second->standing < first->standing)
		return first;
	if (first->standing == STANDING_CONTRADICTS)
		return NumberCompare(Multiply(second->n, first->d), Multiply(first->n, second->d)) > 0 ? second : first;
	return second->shared > first->shared ? second : first;
}

/* One entry for each source. */
static void
AddEntries(Judging *judging)
{
	const Sentence *sentences = judging->verification->sentences;

	for (int i = 0; i < judging->count;)
	{
		int			hit = sentences[judging->judged[i].sentence].hit;
		const Judged *chosen = NULL;

		CHECK_FOR_INTERRUPTS();
		for (; i < judging->count && sentences[judging->judged[i].sentence].hit == hit; i++)
			chosen = Choose(chosen, &judging->judged[i]);
		if (chosen->standing != STANDING_NONE)
			AddEntry(judging, chosen);
	}
}

/* Does a sentence of a source differ from the claim in whether it negates? */
static bool
DiffersInNegation(const Judging *judging, const Hit *hit)
{
	const GroundVerification *verification = judging->verification;
	bool		negates = ConflictJudgeNegates(verification->judge, judging->claim);

	for (int i = hit->first; i < hit->first + hit->count; i++)
	{
		if (ConflictJudgeNegates(verification->judge, SentenceChunk(verification, i)) != negates)
			return true;
	}
	return false;
}

/* How many distinct stems does a source have of those that are marked?  Each one it has loses its mark for this source. */
static int
CountMarked(const GroundVerification *verification, const Hit *hit, int *marks, int mark, int seen)
{
	int			count = 0;

	for (int i = hit->first; i < hit->first + hit->count; i++)
	{
		const StemSet *stems = &verification->stems[SentenceChunk(verification, i)];

		for (int k = 0; k < stems->count; k++)
		{
			if (marks[stems->stems[k]] < mark || marks[stems->stems[k]] == seen)
				continue;
			marks[stems->stems[k]] = seen;
			count++;
		}
	}
	return count;
}

/* Marks the sources that are related to the best supporter of the claim. */
static void
FindRelated(Judging *judging)
{
	GroundVerification *verification = judging->verification;
	const StemSet *best;
	int		   *marks;

	if (judging->best == NULL)
		return;
	marks = palloc_extended(sizeof(int) * ((Size) verification->nstems + 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	best = &verification->stems[SentenceChunk(verification, judging->best->sentence)];
	for (int i = 0; i < best->count; i++)
		marks[best->stems[i]] = 1;
	for (int i = 0; i < verification->nhits; i++)
	{
		Hit		   *hit = &verification->hits[i];

		CHECK_FOR_INTERRUPTS();
		if (!hit->is_related && !SpanEqual(hit->document, HitOf(judging, judging->best)->document) &&
			CountMarked(verification, hit, marks, 1, i + 2) >= RELATED_STEMS)
			hit->is_related = !DiffersInNegation(judging, hit);
	}
	pfree(marks);
}

static void
JudgeClaim(GroundVerification *verification, int claim, int *marks, Judged *room)
{
	Judging		judging = {.verification = verification, .claim = claim, .judged = room};

	FindCovering(&judging, marks);
	for (int i = 0; i < judging.count; i++)
	{
		/* one comparison goes over all sentences of the claim */
		CHECK_FOR_INTERRUPTS();
		HoldAgainstClaim(&judging, &room[i]);
	}
	FindBest(&judging);
	for (int i = 0; i < judging.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (room[i].standing == STANDING_NONE)
			HoldAgainstSupporter(&judging, &room[i]);
		if (room[i].standing == STANDING_NONE)
			HitOf(&judging, &room[i])->is_opposite = true;
	}
	AddEntries(&judging);
	FindRelated(&judging);
}

static JsonView
RelatedView(GroundVerification *verification)
{
	JsonView	related = JsonViewNewArray(0);

	for (int i = 0; i < verification->nhits; i++)
	{
		const Hit  *hit = &verification->hits[i];

		if (!hit->is_related || hit->is_cited || (hit->is_opposite && verification->revision > 1))
			continue;
		LimitEntries(verification, EntrySize(hit, hit->snippet));
		JsonViewAppend(&related, SourceEntry(hit, hit->snippet));
	}
	return related;
}

bool
GroundVerify(GroundVerification *verification, const JsonView *stems, const JsonView *detected, int revision,
			 JsonView *evidence, const char **problem)
{
	int		   *marks;
	Judged	   *room;

	verification->revision = revision;
	if (!ReadStems(verification, stems, problem) || !ReadDetected(verification, detected, problem))
		return false;
	marks = palloc_extended(sizeof(int) * ((Size) verification->nstems + 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	room = palloc_extended(sizeof(Judged) * ((Size) verification->nsentences + 1), MCXT_ALLOC_HUGE);
	verification->supports = JsonViewNewArray(0);
	verification->contradicts = JsonViewNewArray(0);
	for (int i = 0; i < verification->nclaims; i++)
	{
		if (!verification->claims[i].is_repeated)
			JudgeClaim(verification, i, marks, room);
	}
	*evidence = JsonViewNewObject(16);
	JsonViewSet(evidence, "method", JsonViewCString(GROUND_VERIFY_METHOD));
	if (revision > 1)
		JsonViewSet(evidence, "revision", JsonViewInteger(revision));
	JsonViewSet(evidence, "claims", verification->claims_view);
	JsonViewSet(evidence, "supports", verification->supports);
	JsonViewSet(evidence, "contradicts", verification->contradicts);
	JsonViewSet(evidence, "related", RelatedView(verification));
	JsonViewSet(evidence, "stems", *stems);
	if (detected->type != JVIEW_ABSENT)
		JsonViewSet(evidence, "detected", *detected);
	return true;
}
