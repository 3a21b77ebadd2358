/*-------------------------------------------------------------------------
 *
 * decision_rules.h
 *		The rules of decisions, compiled from their document.
 *
 * Each list of the document has a number (RuleList); its entries are sequences of
 * words.  RulesMatch finds all entries of all lists in a text in one pass.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_DECISION_RULES_H
#define ANSWER_EVAL_DECISION_RULES_H

#include "fmgr.h"

#include "base/jsonview.h"
#include "reading/words.h"

/*
 * The lists.  Lists of one group compete for tokens (see decision_rules.c).  Stop
 * words are not a list but a property of words, RulesIsStopWord.
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
	RULE_TOPIC,					/* entry: index in topics */
	RULE_UNIT,					/* entry: index in units */
	RULE_AMBIGUITY				/* from here on three lists for each row, see below */
} RuleList;

/* The lists of row n of "ambiguity". */
#define RULE_OPENS(n)	((int) RULE_AMBIGUITY + 3 * (n))
#define RULE_HOLDS(n)	((int) RULE_AMBIGUITY + 3 * (n) + 1)
#define RULE_UNLESS(n)	((int) RULE_AMBIGUITY + 3 * (n) + 2)

/* What makes a topic special; a topic has at most one of these. */
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

/* What the member "reading" says about a word; a word can have several flags. */
#define READING_STOP			0x01
#define READING_FORM			0x02
#define READING_ABBREVIATION	0x04
#define READING_TITLE			0x08

#define NO_NUMBER_WORD			(-1)

/* The member "reading", indexed by word in its lexicon. */
typedef struct ReadingRules
{
	int			nwords;			/* in the lexicon; later words have no flags */
	uint8	   *flags;
	int64	   *numbers;		/* value of a number word, or NO_NUMBER_WORD */
	int			quote_whole;	/* texts of at most so many characters are quoted whole */
} ReadingRules;

typedef struct DecisionRules
{
	Lexicon    *lexicon;		/* only the words of all lists */
	Lexicon    *reading_lexicon;	/* based on it, with the words of the member "reading" */
	ReadingRules reading;
	int			nlists;
	int			ntopics;
	Topic	   *topics;
	int			nfamilies;
	Span	   *families;		/* names, in code-point order */
	int			nunits;
	Span	   *units;			/* names, in code-point order */
	int			nambiguities;
	AmbiguityRule *ambiguities;
	Span	  **entries;		/* as written, of each list except topics and units */
	bool	   *is_stop;		/* by word */
	bool	   *is_negating;	/* by word: is it in an entry of the negators? */
	struct RuleTrie *trie;
} DecisionRules;

/* An entry that was found in a text. */
typedef struct Match
{
	int32		list;			/* a RuleList, or a list of a row of "ambiguity" */
	int32		entry;			/* index in the list; for units and topics see RuleList */
	int32		first;			/* token */
	int32		count;			/* number of tokens, all in one clause */
} Match;

/*
 * All matches in a text, by first token.  Matches of one group of lists do not
 * overlap.  All topics are included, and only the longest unit at each token.
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

/* Returns the name of a unit. Characters that the database encoding lacks are written as JSON escapes. */
extern Span WritableName(Span name);

/* Returns the shipped document, with the characters that the database encoding lacks as JSON escapes. */
extern JsonView WritableShippedDocument(void);

/* Returns the rules with a digest, if this version or an earlier one shipped them; else NULL. */
extern const DecisionRules *ShippedDecisionRulesOf(Span digest);

/*
 * Return the rules document with a digest that this version or an earlier one
 * shipped for decision/2, and the same compiled.  Return false and NULL if there is
 * none.
 */
extern bool ShippedRulesDocumentOf(Span digest, JsonView *document);
extern const DecisionRules *ShippedRulesWithDigest(Span digest);

/* Is this the digest of the shipped rules, in full or as a database with this encoding stores them? */
extern bool AreShippedDecisionRules(const char *digest);

/*
 * Returns the rules in argument n of a function, or the shipped ones if it is null.
 * They are cached in fn_extra, and compiled again only if the bytes of the argument
 * change.  The function must keep nothing else in fn_extra.
 */
extern const DecisionRules *DecisionRulesArgument(FunctionCallInfo fcinfo, int n);

/* Returns a lexicon for the texts of one call, based on that of the rules. */
extern Lexicon *RulesLexicon(const DecisionRules *rules);

/* Finds the entries of all lists in a text that was read with a lexicon of these rules. */
extern void RulesMatch(const DecisionRules *rules, const Words *words, Matches *matches);
extern const Match *MatchAt(const Matches *matches, int list, int token);

extern int	UnitThatBeginsWith(const DecisionRules *rules, Span word, const Words *words, int next, int end,
							   int *count);

/* Is the token "May" a month? Only with a capital M and with a number in the same clause. */
extern bool IsMonthMay(const Lexicon *lexicon, const Words *words, int token);

/* Is the word in an entry of any list, stop words and units included? */
static inline bool
RulesIsListed(const DecisionRules *rules, int word)
{
	return word < LexiconSize(rules->lexicon);
}

/* Can the database encoding represent a text? Never raises an error. */
extern bool EncodingCanWrite(Span utf8);

/* Does the member "reading" set this flag for the word? */
static inline bool
ReadingSays(const DecisionRules *rules, int word, uint8 flag)
{
	return word < rules->reading.nwords && (rules->reading.flags[word] & flag) != 0;
}

/* Returns the value of a number word, or NO_NUMBER_WORD. */
static inline int64
ReadingNumberWord(const DecisionRules *rules, int word)
{
	return word < rules->reading.nwords ? rules->reading.numbers[word] : NO_NUMBER_WORD;
}

/* Is it a word of a negator? */
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

/*
 * Can it be a further keyword of conflicts?  It must have at least three
 * characters, be no number, and be in no list.
 */
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
