/*-------------------------------------------------------------------------
 *
 * decision_rules.h
 *		The rules of decisions, compiled from their one document.
 *
 * Every list of the document is here a number (RuleList); its entries are
 * sequences of words.  RulesMatch finds all entries of all lists in a text in
 * one pass.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_RULES_H
#define ANSWER_EVAL_DECISION_RULES_H

#include "fmgr.h"

#include "base/jsonview.h"
#include "reading/words.h"

/*
 * The lists.  Those of one group compete for tokens (see decision_rules.c).  Stop words
 * are no list here but a property of words, RulesIsStopWord.
 */
typedef enum RuleList
{
	RULE_ALLOW,
	RULE_PROHIBIT,
	RULE_REFUND_ALLOWED,
	RULE_REFUND_REFUSED,
	RULE_ENCRYPT,
	RULE_PLAINTEXT,
	RULE_NEGATOR,
	RULE_NOT_NEGATING,
	RULE_ENCRYPTION_WAIVED,
	RULE_EXCEPTION,
	RULE_INSUFFICIENCY,
	RULE_RISK_HIGH,
	RULE_RISK_MEDIUM,
	RULE_MONTH,
	RULE_TOPIC,					/* entry: number in topics */
	RULE_UNIT,					/* entry: number in units */
	RULE_AMBIGUITY				/* three for each row from here on, see below */
} RuleList;

/* The lists of row n of "ambiguity". */
#define RULE_OPENS(n)	((int) RULE_AMBIGUITY + 3 * (n))
#define RULE_HOLDS(n)	((int) RULE_AMBIGUITY + 3 * (n) + 1)
#define RULE_UNLESS(n)	((int) RULE_AMBIGUITY + 3 * (n) + 2)

/* Says what makes a topic special; a topic has at most one of them. */
typedef enum TopicKind
{
	TOPIC_PLAIN,
	TOPIC_QUALIFIER,
	TOPIC_QUANTITY
} TopicKind;

typedef struct Topic
{
	Span		entry;
	int			family;
	TopicKind	kind;
} Topic;

typedef struct AmbiguityRule
{
	bool		has_opens;
	bool		unless_topic;
	bool		unless_risk;
	bool		unless_month_or_year;
	bool		nothing_but_stop_words_beside;
	bool		nothing_but_stop_words_follow;
	int			or_after_opens_of;	/* a row, or -1 */
	Span		question;
} AmbiguityRule;

/* Says what the member "reading" says of a word; a word can be several of them. */
#define READING_STOP			0x01
#define READING_FORM			0x02
#define READING_ABBREVIATION	0x04
#define READING_TITLE			0x08

#define NO_NUMBER_WORD			(-1)

/* The member "reading", by the numbers of words in its lexicon. */
typedef struct ReadingRules
{
	int			nwords;			/* in the lexicon; of a later word nothing is said */
	uint8	   *flags;
	int64	   *numbers;		/* what a number word means, else NO_NUMBER_WORD */
	int			quote_whole;	/* so many characters are quoted whole */
} ReadingRules;

typedef struct DecisionRules
{
	Lexicon    *lexicon;		/* of the words of all lists, and of no other */
	Lexicon    *reading_lexicon;	/* on top of it: those of the member "reading" too */
	ReadingRules reading;
	int			nlists;
	int			ntopics;
	Topic	   *topics;
	int			nfamilies;
	Span	   *families;		/* names; numbers are in code-point order of them */
	int			nunits;
	Span	   *units;			/* names, in code-point order */
	int			nambiguities;
	AmbiguityRule *ambiguities;
	Span	  **entries;		/* of each list but topics and units, as they are written */
	bool	   *is_stop;		/* by word */
	bool	   *is_negating;	/* by word: of an entry of the negators */
	struct RuleTrie *trie;
} DecisionRules;

/* An entry that stands in a text. */
typedef struct Match
{
	int32		list;			/* a RuleList, or one of a row of "ambiguity" */
	int32		entry;			/* its number in the list; of a unit or topic see RuleList */
	int32		first;			/* token */
	int32		count;			/* of tokens, all in one clause */
} Match;

/*
 * All matches in a text, by first token.  Of a group of lists they do not
 * overlap; of topics all are there, of units the longest at each token.
 */
typedef struct Matches
{
	int			count;
	Match	   *matches;
} Matches;

/* reading a document */
extern DecisionRules *DecisionRulesParse(const JsonView *document, const char **problem);
extern DecisionRules *DecisionRulesOfView(const JsonView *document);

extern const DecisionRules *ShippedDecisionRules(void);
extern const char *ShippedDecisionRulesDigest(void);

/*
 * Returns the name of a unit. A character that the encoding of the database lacks is
 * written as JSON escapes it.
 */
extern Span WritableName(Span name);

/* Returns the shipped document as the database's encoding can write it. */
extern JsonView WritableShippedDocument(void);

/* Returns the rules with that digest, if this version or an earlier one shipped them; else NULL. */
extern const DecisionRules *ShippedDecisionRulesOf(Span digest);

/*
 * Finds a document of rules that this version or an earlier one shipped for decision/2, by its
 * digest, and the same compiled; false and NULL if there is none.
 */
extern bool ShippedRulesDocumentOf(Span digest, JsonView *document);
extern const DecisionRules *ShippedRulesWithDigest(Span digest);

/* Is this the digest of these, in full or as a database of this encoding stores them? */
extern bool AreShippedDecisionRules(const char *digest);

/*
 * Returns the rules that argument n of a function brings, or those that shipped if it
 * is null. They are kept in fn_extra, and compiled again only when the bytes of the
 * argument change; so the function must keep nothing else there.
 */
extern const DecisionRules *DecisionRulesArgument(FunctionCallInfo fcinfo, int n);

/* Returns a lexicon for the texts of one call, on that of the rules. */
extern Lexicon *RulesLexicon(const DecisionRules *rules);

/* Does the same with the words; of a text that was read with a lexicon of these rules. */
extern void RulesMatch(const DecisionRules *rules, const Words *words, Matches *matches);
extern const Match *MatchAt(const Matches *matches, int list, int token);

extern int	UnitThatBeginsWith(const DecisionRules *rules, Span word, const Words *words, int next, int end,
							   int *count);

/* May is a month only with a capital M and a number beside it in its clause. */
extern bool IsMonthMay(const Lexicon *lexicon, const Words *words, int token);

/* Does the word stand in any entry of any list, stop words and units included? */
static inline bool
RulesIsListed(const DecisionRules *rules, int word)
{
	return word < LexiconSize(rules->lexicon);
}

/* Can the database's encoding write a text?  What cannot be converted raises nothing here. */
extern bool EncodingCanWrite(Span utf8);

/* Does the member "reading" say this of the word? */
static inline bool
ReadingSays(const DecisionRules *rules, int word, uint8 flag)
{
	return word < rules->reading.nwords && (rules->reading.flags[word] & flag) != 0;
}

/* Returns what a number word means, or NO_NUMBER_WORD. */
static inline int64
ReadingNumberWord(const DecisionRules *rules, int word)
{
	return word < rules->reading.nwords ? rules->reading.numbers[word] : NO_NUMBER_WORD;
}

/* Is it a word of any negator? */
static inline bool
RulesIsNegating(const DecisionRules *rules, int word)
{
	return RulesIsListed(rules, word) && rules->is_negating[word];
}

static inline bool
RulesIsStopWord(const DecisionRules *rules, int word)
{
	return RulesIsListed(rules, word) && rules->is_stop[word];
}

/* Is it a further keyword of conflicts: three characters or more, no number, in no list? */
static inline bool
IsFurtherKeyword(const DecisionRules *rules, const Lexicon *lexicon, int word)
{
	const Lexeme *lexeme;

	if (RulesIsListed(rules, word))
		return false;
	lexeme = LexiconWord(lexicon, word);
	return !lexeme->is_number && lexeme->characters >= KEYWORD_MIN_CHARACTERS;
}

#endif							/* ANSWER_EVAL_DECISION_RULES_H */
