/*-------------------------------------------------------------------------
 *
 * stem.c
 *		Stems English words.
 *
 * Rule: doc/spec/reading.md §4.
 *
 * This is the English stemmer that M. F. Porter published as "Porter2", as of Snowball 2.2, written
 * from its definition.  PostgreSQL's dictionary english_stem is that stemmer in versions 15 to 17.
 * It agrees with this one on all words of lower-case ASCII letters, except stop words, which a
 * stemmer does not handle.  A test compares the two.
 *
 * Frozen: receipts depend on stems.  Later versions of Snowball, and so later servers, stem some
 * words differently.  That is why the server's stemmer is not used, and why this one does not follow
 * later versions.
 *
 * The definition mentions apostrophes; they are not among the letters here.
 *
 * Terms of the definition.  A vowel is one of aeiouy, except a y that begins the word or follows a
 * vowel.  Such a y is a consonant, and is written Y while the word is processed.  R1 is what follows
 * the first consonant after a vowel, R2 is what follows the first such consonant within R1; both keep
 * their positions from the original word.  A short syllable is a vowel between two consonants, the
 * last of which is not w, x or Y; or it is a vowel and a consonant, if these are the whole word.  In
 * each step the longest suffix that the word has counts: if its condition is not met, no shorter one
 * is tried.
 *
 * Promises: pure; no allocation; no word becomes longer; linear in its length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"


#include "base/compat.h"
#include "reading/stem.h"

/* Shorter words are their own stems. */
#define STEMMED_MIN_LENGTH	3

/* Longer words are, too, as in the server's dictionary. */
#define STEMMED_MAX_LENGTH	1000

typedef struct Word
{
	char	   *str;
	int			len;
	int			r1;				/* where R1 begins */
	int			r2;
} Word;

typedef enum Region
{
	ANYWHERE,
	IN_R1,
	IN_R2
} Region;

/* A suffix and its replacement. */
typedef struct SuffixRule
{
	Span		suffix;
	Span		becomes;
	Region		region;			/* region that must contain the suffix */
	const char *after;			/* one of these letters must precede it; NULL: any */
} SuffixRule;

#define RULE(suffix, becomes, region, after) {SPAN_LITERAL(suffix), SPAN_LITERAL(becomes), region, after}

/* A word whose stem does not follow from the rules. */
typedef struct Exception
{
	Span		word;
	Span		stem;
} Exception;

#define EXCEPTION(word, stem) {SPAN_LITERAL(word), SPAN_LITERAL(stem)}

static const Exception exceptions[] = {
	EXCEPTION("skis", "ski"),
	EXCEPTION("skies", "sky"),
	EXCEPTION("dying", "die"),
	EXCEPTION("lying", "lie"),
	EXCEPTION("tying", "tie"),
	EXCEPTION("idly", "idl"),
	EXCEPTION("gently", "gentl"),
	EXCEPTION("ugly", "ugli"),
	EXCEPTION("early", "earli"),
	EXCEPTION("only", "onli"),
	EXCEPTION("singly", "singl"),
	EXCEPTION("sky", "sky"),
	EXCEPTION("news", "news"),
	EXCEPTION("howe", "howe"),
	EXCEPTION("atlas", "atlas"),
	EXCEPTION("cosmos", "cosmos"),
	EXCEPTION("bias", "bias"),
	EXCEPTION("andes", "andes"),
};

/* Words that are stems once the plural ending is removed. */
static const Span singulars_kept[] = {
	SPAN_LITERAL("inning"), SPAN_LITERAL("outing"), SPAN_LITERAL("canning"), SPAN_LITERAL("herring"),
	SPAN_LITERAL("earring"), SPAN_LITERAL("proceed"), SPAN_LITERAL("exceed"), SPAN_LITERAL("succeed"),
};

/* Beginnings after which R1 begins, whatever their letters. */
static const Span beginnings[] = {
	SPAN_LITERAL("gener"), SPAN_LITERAL("commun"), SPAN_LITERAL("arsen"),
};

/* In each table, if one suffix ends in another, the longer one comes first. */

static const SuffixRule step_2[] = {
	RULE("ational", "ate", IN_R1, NULL),
	RULE("tional", "tion", IN_R1, NULL),
	RULE("ization", "ize", IN_R1, NULL),
	RULE("ation", "ate", IN_R1, NULL),
	RULE("ator", "ate", IN_R1, NULL),
	RULE("enci", "ence", IN_R1, NULL),
	RULE("anci", "ance", IN_R1, NULL),
	RULE("izer", "ize", IN_R1, NULL),
	RULE("alism", "al", IN_R1, NULL),
	RULE("aliti", "al", IN_R1, NULL),
	RULE("iviti", "ive", IN_R1, NULL),
	RULE("biliti", "ble", IN_R1, NULL),
	RULE("fulness", "ful", IN_R1, NULL),
	RULE("ousness", "ous", IN_R1, NULL),
	RULE("iveness", "ive", IN_R1, NULL),
	RULE("abli", "able", IN_R1, NULL),
	RULE("bli", "ble", IN_R1, NULL),
	RULE("entli", "ent", IN_R1, NULL),
	RULE("alli", "al", IN_R1, NULL),
	RULE("ousli", "ous", IN_R1, NULL),
	RULE("fulli", "ful", IN_R1, NULL),
	RULE("lessli", "less", IN_R1, NULL),
	RULE("ogi", "og", IN_R1, "l"),
	RULE("li", "", IN_R1, "cdeghkmnrt"),
};

static const SuffixRule step_3[] = {
	RULE("ational", "ate", IN_R1, NULL),
	RULE("tional", "tion", IN_R1, NULL),
	RULE("alize", "al", IN_R1, NULL),
	RULE("icate", "ic", IN_R1, NULL),
	RULE("iciti", "ic", IN_R1, NULL),
	RULE("ical", "ic", IN_R1, NULL),
	RULE("ful", "", IN_R1, NULL),
	RULE("ness", "", IN_R1, NULL),
	RULE("ative", "", IN_R2, NULL),
};

static const SuffixRule step_4[] = {
	RULE("ement", "", IN_R2, NULL),
	RULE("ment", "", IN_R2, NULL),
	RULE("ent", "", IN_R2, NULL),
	RULE("ant", "", IN_R2, NULL),
	RULE("al", "", IN_R2, NULL),
	RULE("ance", "", IN_R2, NULL),
	RULE("ence", "", IN_R2, NULL),
	RULE("er", "", IN_R2, NULL),
	RULE("ic", "", IN_R2, NULL),
	RULE("able", "", IN_R2, NULL),
	RULE("ible", "", IN_R2, NULL),
	RULE("ism", "", IN_R2, NULL),
	RULE("ate", "", IN_R2, NULL),
	RULE("iti", "", IN_R2, NULL),
	RULE("ous", "", IN_R2, NULL),
	RULE("ive", "", IN_R2, NULL),
	RULE("ize", "", IN_R2, NULL),
	RULE("ion", "", IN_R2, "st"),
};

/*
 * letters
 */

static bool
IsOneOf(char c, const char *letters)
{
	return memchr(letters, c, strlen(letters)) != NULL;
}

static bool
IsVowel(char c)
{
	return IsOneOf(c, "aeiouy");
}

/* Writes Y for every y that is a consonant. */
static void
MarkConsonantY(Word *word)
{
	for (int i = 0; i < word->len; i++)
	{
		if (word->str[i] == 'y' && (i == 0 || IsVowel(word->str[i - 1])))
			word->str[i] = 'Y';
	}
}

static void
UnmarkConsonantY(Word *word)
{
	for (int i = 0; i < word->len; i++)
	{
		if (word->str[i] == 'Y')
			word->str[i] = 'y';
	}
}

/* Returns the position after the first consonant after a vowel, from here on; the end if there is none. */
static int
RegionFrom(const Word *word, int from)
{
	int			i = from;

	while (i < word->len && !IsVowel(word->str[i]))
		i++;
	while (i < word->len && IsVowel(word->str[i]))
		i++;
	return Min(i + 1, word->len);
}

static void
FindRegions(Word *word)
{
	word->r1 = -1;
	for (int i = 0; i < (int) lengthof(beginnings); i++)
	{
		if (SpanStartsWith(SpanOf(word->str, word->len), beginnings[i]))
			word->r1 = beginnings[i].len;
	}
	if (word->r1 < 0)
		word->r1 = RegionFrom(word, 0);
	word->r2 = RegionFrom(word, word->r1);
}

static bool
HasVowelBefore(const Word *word, int end)
{
	for (int i = 0; i < end; i++)
	{
		if (IsVowel(word->str[i]))
			return true;
	}
	return false;
}

/* Do the letters before this one end in a short syllable? */
static bool
ShortSyllableBefore(const Word *word, int end)
{
	const char *str = word->str;

	if (end < 2 || IsVowel(str[end - 1]) || !IsVowel(str[end - 2]))
		return false;
	return end == 2 || (!IsVowel(str[end - 3]) && !IsOneOf(str[end - 1], "wxY"));
}

/*
 * suffixes
 */

static bool
EndsWith(const Word *word, Span suffix)
{
	return word->len >= suffix.len && memcmp(word->str + word->len - suffix.len, suffix.str, suffix.len) == 0;
}

static bool
EndsWithLiteral(const Word *word, const char *suffix)
{
	return EndsWith(word, SpanOfCString(suffix));
}

static bool
BeginsIn(const Word *word, int position, Region region)
{
	switch (region)
	{
		case IN_R1:
			return position >= word->r1;
		case IN_R2:
			return position >= word->r2;
		case ANYWHERE:
			break;
	}
	return true;
}

/* Replaces the end of the word. There is room, because nothing becomes longer. */
static void
EndInstead(Word *word, int from, Span end)
{
	memcpy(word->str + from, end.str, end.len);
	word->len = from + end.len;
}

/* Applies the rule whose suffix the word has, if its condition is met. */
static void
ApplySuffixRules(Word *word, const SuffixRule *rules, int count)
{
	for (int i = 0; i < count; i++)
	{
		const SuffixRule *rule = &rules[i];
		int			from = word->len - rule->suffix.len;

		if (!EndsWith(word, rule->suffix))
			continue;
		if (BeginsIn(word, from, rule->region) &&
			(rule->after == NULL || (from > 0 && IsOneOf(word->str[from - 1], rule->after))))
			EndInstead(word, from, rule->becomes);
		return;
	}
}

/*
 * steps
 */

/* Plurals, and -ied. */
static void
Step1a(Word *word)
{
	if (EndsWithLiteral(word, "sses"))
		word->len -= 2;
	else if (EndsWithLiteral(word, "ied") || EndsWithLiteral(word, "ies"))
		word->len -= word->len > 4 ? 2 : 1;
	else if (EndsWithLiteral(word, "us") || EndsWithLiteral(word, "ss"))
		return;
	else if (EndsWithLiteral(word, "s") && HasVowelBefore(word, word->len - 2))
		word->len--;
}

static bool
EndsInDouble(const Word *word)
{
	const char *end = word->str + word->len;

	return word->len >= 2 && end[-1] == end[-2] && IsOneOf(end[-1], "bdfgmnprt");
}

/* Restores the end of a word after -ed or -ing was removed. */
static void
RestoreEnd(Word *word)
{
	if (EndsInDouble(word))
		word->len--;
	else if (EndsWithLiteral(word, "at") || EndsWithLiteral(word, "bl") || EndsWithLiteral(word, "iz") ||
			 (word->r1 == word->len && ShortSyllableBefore(word, word->len)))
		word->str[word->len++] = 'e';
}

/* Removes -eed, -ed and -ing, with or without -ly. */
static void
Step1b(Word *word)
{
	static const Span gone[] = {
		SPAN_LITERAL("ed"), SPAN_LITERAL("edly"), SPAN_LITERAL("ing"), SPAN_LITERAL("ingly"),
	};
	static const SuffixRule eed[] = {
		RULE("eed", "ee", IN_R1, NULL),
		RULE("eedly", "ee", IN_R1, NULL),
	};

	if (EndsWith(word, eed[0].suffix) || EndsWith(word, eed[1].suffix))
	{
		ApplySuffixRules(word, eed, lengthof(eed));
		return;
	}
	for (int i = 0; i < (int) lengthof(gone); i++)
	{
		if (!EndsWith(word, gone[i]))
			continue;
		if (HasVowelBefore(word, word->len - gone[i].len))
		{
			word->len -= gone[i].len;
			RestoreEnd(word);
		}
		return;
	}
}

/* Replaces -y after a consonant that does not begin the word. */
static void
Step1c(Word *word)
{
	char	   *last = word->str + word->len - 1;

	if (word->len >= 3 && IsOneOf(*last, "yY") && !IsVowel(last[-1]))
		*last = 'i';
}

/* Removes -e, and one l of two. */
static void
Step5(Word *word)
{
	int			last = word->len - 1;

	if (EndsWithLiteral(word, "e"))
	{
		if (BeginsIn(word, last, IN_R2) || (BeginsIn(word, last, IN_R1) && !ShortSyllableBefore(word, last)))
			word->len--;
	}
	else if (EndsWithLiteral(word, "ll") && BeginsIn(word, last, IN_R2))
		word->len--;
}

static void
Steps(Word *word)
{
	Step1a(word);
	if (SpanIsIn(SpanOf(word->str, word->len), singulars_kept, lengthof(singulars_kept)))
		return;
	Step1b(word);
	Step1c(word);
	ApplySuffixRules(word, step_2, lengthof(step_2));
	ApplySuffixRules(word, step_3, lengthof(step_3));
	ApplySuffixRules(word, step_4, lengthof(step_4));
	Step5(word);
}

int
StemEnglish(char *str, int len)
{
	Word		word = {.str = str, .len = len};

	if (len < STEMMED_MIN_LENGTH || len > STEMMED_MAX_LENGTH)
		return len;
	for (int i = 0; i < (int) lengthof(exceptions); i++)
	{
		if (SpanEqual(SpanOf(str, len), exceptions[i].word))
		{
			EndInstead(&word, 0, exceptions[i].stem);
			return word.len;
		}
	}
	MarkConsonantY(&word);
	FindRegions(&word);
	Steps(&word);
	UnmarkConsonantY(&word);
	return word.len;
}
