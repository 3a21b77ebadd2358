/*-------------------------------------------------------------------------
 *
 * score.c
 *		text-score/1: how similar a text is to a query.
 *
 * Rule: text-score/1 as doc/ground.md publishes it.  The similarity is the share
 * of a query's words, weighted by their rarity, that a text has; a word in the
 * title alone counts less, and a word that is merely near counts for as much as
 * it has trigrams in common.
 *
 * Promises: pure, and the same everywhere.  All is integer arithmetic but the
 * weight, which is two square roots of a quotient, and these IEEE 754 rounds one
 * way.  No locale, no logarithm, no order of a sum plays a part.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "ground/score.h"
#include "miscadmin.h"

#define TITLE_TENTHS	8		/* of a credit, where only the title has the word */
#define NEAR_TENTHS		6		/* least similarity of a word that is near */
#define WEIGHT_UNIT		1000

/*
 * words
 */

/* Is it worth looking for?  Short words are mostly grammar, unless they hold a digit or are not of English letters. */
static bool
IsQueryWord(const DecisionRules *rules, const Lexicon *lexicon, int word)
{
	const Lexeme *lexeme = LexiconWord(lexicon, word);

	if (RulesIsStopWord(rules, word))
		return false;
	if (lexeme->characters >= KEYWORD_MIN_CHARACTERS)
		return true;
	for (int i = 0; i < lexeme->folded.len; i++)
	{
		char		c = lexeme->folded.str[i];

		if (IS_HIGHBIT_SET(c) || (c >= '0' && c <= '9'))
			return true;
	}
	return false;
}

static bool
IsScoreWord(const Lexicon *lexicon, int word)
{
	return LexiconWord(lexicon, word)->characters <= SCORE_WORD_MAX_CHARACTERS;
}

static void
AddWord(ScoreQuery *query, Span folded)
{
	ScoreWord  *word = &query->words[query->count++];

	word->folded = folded;
	word->weight = 0;
	word->trigrams = ScoreTrigrams(folded, &word->ntrigrams);
}

/* Adds the distinct words of a text to a query: the keywords, or all of them. */
static void
AddWords(ScoreQuery *query, const DecisionRules *rules, const Lexicon *lexicon, const int *words, int count, bool all)
{
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (IsScoreWord(lexicon, words[i]) && (all || IsQueryWord(rules, lexicon, words[i])))
			AddWord(query, LexiconWord(lexicon, words[i])->folded);
	}
}

/* The words of a query: its keywords, or whatever it has where it has none. */
void
ScoreQueryRead(ScoreQuery *query, const DecisionRules *rules, Span text)
{
	Lexicon    *lexicon = RulesLexicon(rules);
	Words		words;
	int		   *distinct;
	int			count;

	WordsRead(lexicon, text, &words);
	distinct = WordsDistinct(&words, &count);
	query->count = 0;
	query->words = palloc(sizeof(ScoreWord) * Max(count, 1));
	AddWords(query, rules, lexicon, distinct, count, false);
	if (query->count == 0)
		AddWords(query, rules, lexicon, distinct, count, true);
}

/* The distinct words of a text that is searched. */
Span *
ScoreWordsOf(Span text, int *count)
{
	Lexicon    *lexicon = LexiconCreate(NULL);
	Words		words;
	int		   *distinct;
	int			ndistinct;
	Span	   *spans;

	WordsRead(lexicon, text, &words);
	distinct = WordsDistinct(&words, &ndistinct);
	spans = palloc(sizeof(Span) * Max(ndistinct, 1));
	*count = 0;
	for (int i = 0; i < ndistinct; i++)
	{
		if (IsScoreWord(lexicon, distinct[i]))
			spans[(*count)++] = LexiconWord(lexicon, distinct[i])->folded;
	}
	return spans;
}

/* The rarer a word is among the chunks of a document set, the more it weighs. */
int64
ScoreWeight(int64 chunks, int64 chunks_with_word)
{
	double		rarity = ((double) chunks + 1) / ((double) chunks_with_word + 1);

	return (int64) floor(sqrt(sqrt(rarity)) * WEIGHT_UNIT);
}

/*
 * words that are near
 */

static int
CompareTrigrams(const void *a, const void *b)
{
	Trigram		left = *(const Trigram *) a;
	Trigram		right = *(const Trigram *) b;

	return left < right ? -1 : left > right;
}

/* The trigram with which a word begins; every other word that is near has it too. */
Trigram
ScoreFirstTrigram(Span word)
{
	int			len;
	uint32		character = Utf8Character(word.str, word.str + word.len, &len);

	return ((Trigram) ' ' << 42) | ((Trigram) ' ' << 21) | character;
}

/* The distinct runs of three characters of a word with two blanks before it and one behind it. */
Trigram *
ScoreTrigrams(Span word, int *count)
{
	const char *p = word.str;
	const char *end = word.str + word.len;
	Trigram    *trigrams = palloc(sizeof(Trigram) * (word.len + 1));
	Trigram		window = ((Trigram) ' ' << 21) | ' ';
	int			n = 0;

	while (p < end)
	{
		int			len;
		uint32		character = Utf8Character(p, end, &len);

		p += len;
		window = ((window << 21) | character) & ((UINT64CONST(1) << 63) - 1);
		trigrams[n++] = window;
	}
	trigrams[n++] = ((window << 21) | ' ') & ((UINT64CONST(1) << 63) - 1);
	qsort(trigrams, n, sizeof(Trigram), CompareTrigrams);
	*count = 0;
	for (int i = 0; i < n; i++)
	{
		if (*count == 0 || trigrams[*count - 1] != trigrams[i])
			trigrams[(*count)++] = trigrams[i];
	}
	return trigrams;
}

static int
CountShared(const Trigram *a, int na, const Trigram *b, int nb)
{
	int			shared = 0;

	for (int i = 0, j = 0; i < na && j < nb;)
	{
		if (a[i] == b[j])
		{
			shared++;
			i++;
			j++;
		}
		else if (a[i] < b[j])
			i++;
		else
			j++;
	}
	return shared;
}

/*
 * How many of a word's trigrams every word that is near has at least: of two
 * sets of n and m with c in common, 2c / (n + m) is enough, and c is at most m.
 */
int
ScoreLeastShared(int ntrigrams)
{
	int			divisor = 20 - NEAR_TENTHS;

	return (NEAR_TENTHS * ntrigrams + divisor - 1) / divisor;
}

/*
 * What a word of a text counts for in place of a query's word, of SCORE_WHOLE.  Few
 * words are near that begin otherwise, and looking for them would take most of the time.
 */
int
ScoreCredit(const ScoreWord *word, Span folded)
{
	Trigram    *trigrams;
	int			ntrigrams;
	int			shared;
	int			first;

	if (SpanEqual(word->folded, folded))
		return SCORE_WHOLE;
	(void) Utf8Character(folded.str, folded.str + folded.len, &first);
	if (word->folded.len < first || memcmp(word->folded.str, folded.str, first) != 0)
		return 0;
	trigrams = ScoreTrigrams(folded, &ntrigrams);
	shared = CountShared(word->trigrams, word->ntrigrams, trigrams, ntrigrams);
	pfree(trigrams);
	if (20 * shared < NEAR_TENTHS * (word->ntrigrams + ntrigrams))
		return 0;
	return SCORE_WHOLE * 2 * shared / (word->ntrigrams + ntrigrams);
}

/*
 * similarity
 */

/*
 * The similarity, of SCORE_WHOLE, of a text that has these credits for the words
 * of a query; half-even.  0 for a query without words.
 */
int
ScoreSimilarity(const ScoreQuery *query, const int *text_credits, const int *title_credits)
{
	int64		sum = 0;
	int64		whole = 0;
	int64		quotient;
	int64		rest;

	for (int i = 0; i < query->count; i++)
	{
		int			title = title_credits[i] * TITLE_TENTHS / 10;

		sum += query->words[i].weight * Max(text_credits[i], title);
		whole += query->words[i].weight;
	}
	if (whole == 0)
		return 0;
	quotient = sum / whole;
	rest = sum % whole;
	if (2 * rest > whole || (2 * rest == whole && quotient % 2 == 1))
		quotient++;
	return (int) quotient;
}
