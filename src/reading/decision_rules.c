/*-------------------------------------------------------------------------
 *
 * decision_rules.c
 *		The rules of decisions, compiled from their document.
 *
 * Pure, except for the cache of compiled rules between calls at the end.  Rule:
 * doc/spec/decision.md §1 and doc/spec/reading.md §1.  Word lists, topics, units, stop words and
 * ambiguous openings are data that users can extend.  A receipt pins the document, and anybody who
 * has it can decide again.  So the document is not trusted: problems are reported as values, with
 * their place.
 *
 * An entry of a list is a sequence of tokens.  It matches where these tokens follow each other in
 * one clause.  All entries of all lists are one tree of words.  RulesMatch walks it from every token
 * of a text once:
 *
 * - Lists of one group compete.  At a token that no earlier match of the group has taken, the
 *   longest entry matches and takes its tokens.  If two lists of a group have the same entry, it
 *   belongs to the one that is first in RuleList.
 * - Every other list is a group of its own.
 * - All topics are reported, and take no tokens.  Units are needed after a number, so only the
 *   longest at each token is reported; it takes no tokens.
 *
 * Promises: pure.  Compiling grows as n log n with the document; matching is linear in the text,
 * times the tokens of the longest entry at worst.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/search.h"
#include "reading/decision_rules.h"
#include "reading/shipped_rules.h"

/* An entry as a path in the tree. */
typedef struct TrieEntry
{
	int32	   *words;
	int32		nwords;
	int32		list;
	int32		entry;
} TrieEntry;

/* The children of a node are stored next to each other, sorted by word. */
typedef struct TrieNode
{
	int32		word;			/* word on the edge to this node */
	int32		first_child;
	int32		nchildren;
	int32		first_hit;		/* first of the entries that end here */
	int32		nhits;
} TrieNode;

typedef struct TrieHit
{
	int32		list;
	int32		entry;
} TrieHit;

typedef struct RuleTrie
{
	TrieNode   *nodes;
	TrieHit    *hits;
	int32	   *start;			/* by word: the child of the root, or -1 */
} RuleTrie;

/* The document being read, and the first problem. */
typedef struct RulesReader
{
	DecisionRules *rules;
	const char *problem;
	int			nentries;
	int			capacity;
	TrieEntry  *entries;
	int			nstops;			/* stop words collected before there are flags for them */
	int			stops_capacity;
	int		   *stops;
} RulesReader;

/* The members that are plain lists. */
static const struct
{
	const char *key;
	RuleList	list;
}			plain_lists[] = {
	{"allow", RULE_ALLOW},
	{"prohibit", RULE_PROHIBIT},
	{"refund_allowed", RULE_REFUND_ALLOWED},
	{"refund_refused", RULE_REFUND_REFUSED},
	{"encrypt", RULE_ENCRYPT},
	{"plaintext", RULE_PLAINTEXT},
	{"negators", RULE_NEGATOR},
	{"not_negating", RULE_NOT_NEGATING},
	{"encryption_waived", RULE_ENCRYPTION_WAIVED},
	{"exceptions", RULE_EXCEPTION},
	{"insufficiency", RULE_INSUFFICIENCY},
	{"months", RULE_MONTH}
};

static const char *const document_members[] = {
	"allow", "prohibit", "refund_allowed", "refund_refused", "encrypt", "plaintext", "negators",
	"not_negating", "encryption_waived", "exceptions", "insufficiency", "months", "topics", "units",
	"stop_words", "risk", "ambiguity", "reading", NULL
};

static const char *const reading_members[] = {
	"stop", "form", "abbreviations", "titles", "number_words", "quote_whole", NULL
};

/* The lists of "reading", and the flags of their words. */
static const struct
{
	const char *key;
	uint8		flag;
}			reading_lists[] = {
	{"stop", READING_STOP},
	{"form", READING_FORM},
	{"abbreviations", READING_ABBREVIATION},
	{"titles", READING_TITLE}
};

/* Highest value of a number word, and of quote_whole. */
#define NUMBER_WORD_MOST	INT64CONST(1000000000000)

static const char *const topic_members[] = {"entry", "family", "kind", NULL};
static const char *const risk_members[] = {"high", "medium", NULL};
static const char *const ambiguity_members[] = {
	"opens", "holds", "unless", "unless_topic", "unless_risk", "unless_month_or_year",
	"nothing_but_stop_words_beside", "nothing_but_stop_words_follow", "or_after_opens_of",
	"question", NULL
};

/*
 * reading
 */

/* Reports a problem if it is the first: the place, what must be there, and what is. */
static void
Malformed(RulesReader *reader, const char *place, const char *demand, const JsonView *seen)
{
	if (reader->problem == NULL)
		reader->problem = psprintf("%s %s, and is %s", place, demand, ShownValue(seen));
}

static Span
CopySpan(Span text)
{
	char	   *copy = palloc_extended(Max(text.len, 1), MCXT_ALLOC_HUGE);

	if (text.len > 0)
		memcpy(copy, text.str, text.len);
	return (Span) {copy, text.len};
}

/* Checks that an object has only these members. */
static void
CheckMembers(RulesReader *reader, const JsonView *object, const char *place,
			 const char *const *known)
{
	for (int i = 0; i < JsonViewCount(object); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(object, i, &key);
		int			n = 0;

		while (known[n] && !SpanEqualCString((Span) {key.str, key.len}, known[n]))
			n++;
		if (known[n] == NULL && reader->problem == NULL)
		{
			value = JsonViewString(key.str, key.len);
			reader->problem = psprintf("%s has an unknown member %s", place, ShownValue(&value));
		}
	}
}

static const char *const demands[] = {
	[JVIEW_BOOL] = "must be true or false",
	[JVIEW_NUMBER] = "must be a number",
	[JVIEW_STRING] = "must be a string",
	[JVIEW_ARRAY] = "must be an array",
	[JVIEW_OBJECT] = "must be an object"
};

/* Finds a member of a type; an absent view if it is missing or of another type. */
static JsonView
MemberOf(RulesReader *reader, const JsonView *object, const char *place, const char *key,
		 JsonViewType type, bool must)
{
	JsonView	view;

	if (!JsonViewGetMember(object, key, &view) && !must)
		return view;
	if (view.type != type)
	{
		Malformed(reader, psprintf("%s.%s", place, key), demands[type], &view);
		view.type = JVIEW_ABSENT;
	}
	return view;
}

static Span
StringMember(RulesReader *reader, const JsonView *object, const char *place, const char *key)
{
	JsonView	view = MemberOf(reader, object, place, key, JVIEW_STRING, true);

	return view.type == JVIEW_STRING ? CopySpan((Span) {view.str, view.len}) : (Span) {"", 0};
}

static bool
FlagMember(RulesReader *reader, const JsonView *object, const char *place, const char *key)
{
	JsonView	view = MemberOf(reader, object, place, key, JVIEW_BOOL, false);

	return view.type == JVIEW_BOOL && view.boolean;
}

/* Adds an entry to the future tree; one without a word can never match. */
static void
AddEntry(RulesReader *reader, Span text, int list, int entry)
{
	Words		words;
	TrieEntry  *added;

	WordsRead(reader->rules->lexicon, text, &words);
	if (words.ntokens > 0)
	{
		GROW_ARRAY(reader->entries, reader->nentries, reader->capacity, 256);
		added = &reader->entries[reader->nentries++];
		added->words = palloc_extended(sizeof(int32) * (Size) words.ntokens, MCXT_ALLOC_HUGE);
		added->nwords = words.ntokens;
		added->list = list;
		added->entry = entry;
		for (int i = 0; i < words.ntokens; i++)
			added->words[i] = words.tokens[i].word;
	}
	pfree(words.tokens);
}

/* Reads an element that must be a string. */
static bool
StringElement(RulesReader *reader, const JsonView *array, const char *place, int index, Span *text)
{
	JsonView	view = JsonViewAt(array, index);

	if (view.type != JVIEW_STRING)
	{
		Malformed(reader, psprintf("%s[%d]", place, index), demands[JVIEW_STRING], &view);
		return false;
	}
	*text = (Span) {view.str, view.len};
	return true;
}

/* Reads an array of entries as a list. */
static void
ReadList(RulesReader *reader, const JsonView *array, const char *place, int list)
{
	int			count = JsonViewCount(array);
	Span	   *entries = palloc_extended(sizeof(Span) * (Size) Max(count, 1),
										  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	reader->rules->entries[list] = entries;
	for (int i = 0; i < count; i++)
	{
		Span		text;

		CHECK_FOR_INTERRUPTS();
		if (!StringElement(reader, array, place, i, &text))
			return;
		entries[i] = CopySpan(text);
		AddEntry(reader, entries[i], list, i);
	}
}

static void
ReadListMember(RulesReader *reader, const JsonView *object, const char *place, const char *key,
			   int list, bool must)
{
	JsonView	array = MemberOf(reader, object, place, key, JVIEW_ARRAY, must);

	ReadList(reader, &array, psprintf("%s.%s", place, key), list);
}

static void
AddStopWords(RulesReader *reader, Span text)
{
	Words		words;

	WordsRead(reader->rules->lexicon, text, &words);
	for (int i = 0; i < words.ntokens; i++)
	{
		GROW_ARRAY(reader->stops, reader->nstops, reader->stops_capacity, 256);
		reader->stops[reader->nstops++] = words.tokens[i].word;
	}
	pfree(words.tokens);
}

static void
ReadStopWords(RulesReader *reader, const JsonView *document)
{
	JsonView	array = MemberOf(reader, document, "rules", "stop_words", JVIEW_ARRAY, true);

	for (int i = 0; i < JsonViewCount(&array); i++)
	{
		Span		text;

		CHECK_FOR_INTERRUPTS();
		if (!StringElement(reader, &array, "rules.stop_words", i, &text))
			return;
		AddStopWords(reader, text);
	}
}

static TopicKind
ReadTopicKind(RulesReader *reader, const JsonView *topic, const char *place)
{
	JsonView	view;

	if (!JsonViewGetMember(topic, "kind", &view))
		return TOPIC_PLAIN;
	if (JsonViewStringIs(&view, "qualifier"))
		return TOPIC_QUALIFIER;
	if (JsonViewStringIs(&view, "quantity"))
		return TOPIC_QUANTITY;
	Malformed(reader, psprintf("%s.kind", place), "must be \"qualifier\" or \"quantity\"", &view);
	return TOPIC_PLAIN;
}

/* A topic and the name of its family. */
typedef struct FamilyMember
{
	Span		family;			/* first, for SpanOrderItems() */
	int			topic;
} FamilyMember;

static void
NumberFamilies(DecisionRules *rules, FamilyMember *members)
{
	qsort(members, rules->ntopics, sizeof(FamilyMember), SpanOrderItems);
	for (int i = 0; i < rules->ntopics; i++)
	{
		if (i == 0 || !SpanEqual(members[i].family, members[i - 1].family))
			rules->families[rules->nfamilies++] = members[i].family;
		rules->topics[members[i].topic].family = rules->nfamilies - 1;
	}
}

static void
ReadTopics(RulesReader *reader, const JsonView *document)
{
	DecisionRules *rules = reader->rules;
	JsonView	array = MemberOf(reader, document, "rules", "topics", JVIEW_ARRAY, true);
	int			count = JsonViewCount(&array);
	FamilyMember *members = palloc_extended(sizeof(FamilyMember) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	rules->topics = palloc_extended(sizeof(Topic) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	rules->families = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	for (; rules->ntopics < count && reader->problem == NULL; rules->ntopics++)
	{
		Topic	   *topic = &rules->topics[rules->ntopics];
		char	   *place = psprintf("rules.topics[%d]", rules->ntopics);
		JsonView	view = JsonViewAt(&array, rules->ntopics);

		CHECK_FOR_INTERRUPTS();
		if (view.type != JVIEW_OBJECT)
			Malformed(reader, place, demands[JVIEW_OBJECT], &view);
		CheckMembers(reader, &view, place, topic_members);
		topic->entry = StringMember(reader, &view, place, "entry");
		topic->kind = ReadTopicKind(reader, &view, place);
		members[rules->ntopics] = (FamilyMember) {
			StringMember(reader, &view, place, "family"), rules->ntopics
		};
		AddEntry(reader, topic->entry, RULE_TOPIC, rules->ntopics);
	}
	NumberFamilies(rules, members);
	pfree(members);
}

static void
ReadUnits(RulesReader *reader, const JsonView *document)
{
	DecisionRules *rules = reader->rules;
	JsonView	object = MemberOf(reader, document, "rules", "units", JVIEW_OBJECT, true);
	JsonMember *members;

	if (object.type != JVIEW_OBJECT)
		return;
	members = JsonViewSortedMembers(&object, &rules->nunits);
	rules->units = palloc_extended(sizeof(Span) * (Size) Max(rules->nunits, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < rules->nunits; i++)
	{
		const JsonView *rows = &members[i].value;
		JsonView	name = SpanView(members[i].key);
		char	   *place = psprintf("rules.units[%s]", ShownValue(&name));

		rules->units[i] = CopySpan((Span) {name.str, name.len});
		if (rows->type != JVIEW_ARRAY)
			Malformed(reader, place, demands[JVIEW_ARRAY], rows);
		for (int j = 0; j < JsonViewCount(rows); j++)
		{
			Span		text;

			CHECK_FOR_INTERRUPTS();
			if (!StringElement(reader, rows, place, j, &text))
				return;
			AddEntry(reader, text, RULE_UNIT, i);
		}
	}
}

/* Returns the row whose "opens" an ambiguity refers to, or -1. */
static int
ReadOpensOf(RulesReader *reader, const JsonView *row, const char *place, int nrows)
{
	JsonView	view = MemberOf(reader, row, place, "or_after_opens_of", JVIEW_NUMBER, false);
	Numeric		numeric;
	bool		is_other = true;
	int32		number;

	if (view.type != JVIEW_NUMBER)
		return -1;
	number = JsonViewNumeric(&view, &numeric) ? numeric_int4_opt_error(numeric, &is_other) : -1;
	if (is_other || number < 0 || number >= nrows || NumberCompare(numeric, int64_to_numeric(number)) != 0)
		Malformed(reader, psprintf("%s.or_after_opens_of", place), "must be the number of a row, from 0 up", &view);
	return number;
}

static void
ReadAmbiguity(RulesReader *reader, const JsonView *row, int n, int nrows)
{
	AmbiguityRule *rule = &reader->rules->ambiguities[n];
	char	   *place = psprintf("rules.ambiguity[%d]", n);
	JsonView	opens;

	if (row->type != JVIEW_OBJECT)
		Malformed(reader, place, demands[JVIEW_OBJECT], row);
	CheckMembers(reader, row, place, ambiguity_members);
	rule->has_opens = JsonViewGetMember(row, "opens", &opens);
	ReadListMember(reader, row, place, "opens", RULE_OPENS(n), false);
	ReadListMember(reader, row, place, "holds", RULE_HOLDS(n), true);
	ReadListMember(reader, row, place, "unless", RULE_UNLESS(n), false);
	rule->unless_topic = FlagMember(reader, row, place, "unless_topic");
	rule->unless_risk = FlagMember(reader, row, place, "unless_risk");
	rule->unless_month_or_year = FlagMember(reader, row, place, "unless_month_or_year");
	rule->nothing_but_stop_words_beside = FlagMember(reader, row, place, "nothing_but_stop_words_beside");
	rule->nothing_but_stop_words_follow = FlagMember(reader, row, place, "nothing_but_stop_words_follow");
	rule->or_after_opens_of = ReadOpensOf(reader, row, place, nrows);
	rule->question = StringMember(reader, row, place, "question");
}

static void
ReadAmbiguities(RulesReader *reader, const JsonView *array)
{
	DecisionRules *rules = reader->rules;

	rules->ambiguities = palloc_extended(sizeof(AmbiguityRule) * (Size) Max(rules->nambiguities, 1),
										 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < rules->nambiguities && reader->problem == NULL; i++)
	{
		JsonView	row = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		ReadAmbiguity(reader, &row, i, rules->nambiguities);
	}
}

static void
ReadRisk(RulesReader *reader, const JsonView *document)
{
	JsonView	risk = MemberOf(reader, document, "rules", "risk", JVIEW_OBJECT, true);

	if (risk.type != JVIEW_OBJECT)
		return;
	CheckMembers(reader, &risk, "rules.risk", risk_members);
	ReadListMember(reader, &risk, "rules.risk", "high", RULE_RISK_HIGH, true);
	ReadListMember(reader, &risk, "rules.risk", "medium", RULE_RISK_MEDIUM, true);
}

/*
 * Returns the word of an entry of "reading", or -1 if it is not a single word.
 * Such an entry never matches, because texts are compared with these lists word by
 * word.
 */
static int
ReadingWord(const DecisionRules *rules, Span text)
{
	Words		words;
	int			word;

	WordsRead(rules->reading_lexicon, text, &words);
	word = words.ntokens == 1 ? words.tokens[0].word : -1;
	pfree(words.tokens);
	return word;
}

/* Reads a whole number of 0 or more; false after a problem. */
static bool
ReadCount(RulesReader *reader, const JsonView *view, const char *place, int64 most, int64 *count)
{
	Numeric		number;

	if (view->type == JVIEW_NUMBER && JsonViewNumeric(view, &number) &&
		NumberCompare(number, int64_to_numeric(0)) >= 0 && NumberCompare(number, int64_to_numeric(most)) <= 0)
	{
		*count = DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(number)));
		if (NumberCompare(number, int64_to_numeric(*count)) == 0)
			return true;
	}
	Malformed(reader, place, psprintf("must be a whole number from 0 to " INT64_FORMAT, most), view);
	return false;
}

/* Reads a list of "reading"; if "flags" is NULL, its words are only added to the lexicon. */
static void
ReadReadingList(RulesReader *reader, const JsonView *object, int n, uint8 *flags)
{
	const char *key = reading_lists[n].key;
	JsonView	array = MemberOf(reader, object, "rules.reading", key, JVIEW_ARRAY, true);
	char	   *place = psprintf("rules.reading.%s", key);

	for (int i = 0; i < JsonViewCount(&array); i++)
	{
		Span		text;
		int			word;

		CHECK_FOR_INTERRUPTS();
		if (!StringElement(reader, &array, place, i, &text))
			return;
		word = ReadingWord(reader->rules, text);
		if (flags && word >= 0)
			flags[word] |= reading_lists[n].flag;
	}
}

/* Reads the number words, likewise. */
static void
ReadNumberWords(RulesReader *reader, const JsonView *object, int64 *numbers)
{
	JsonView	table = MemberOf(reader, object, "rules.reading", "number_words", JVIEW_OBJECT, true);

	for (int i = 0; i < JsonViewCount(&table); i++)
	{
		Span		key;
		JsonView	view = JsonViewMember(&table, i, &key);
		JsonView	name;
		int64		number;
		int			word;

		CHECK_FOR_INTERRUPTS();
		name = JsonViewString(key.str, key.len);
		if (!ReadCount(reader, &view, psprintf("rules.reading.number_words[%s]", ShownValue(&name)),
					   NUMBER_WORD_MOST, &number))
			return;
		word = ReadingWord(reader->rules, key);
		if (numbers && word >= 0)
			numbers[word] = number;
	}
}

/* Reads the member "reading". All words are added first, because the arrays are indexed by word. */
static void
ReadReading(RulesReader *reader, const JsonView *document)
{
	DecisionRules *rules = reader->rules;
	ReadingRules *reading = &rules->reading;
	JsonView	object = MemberOf(reader, document, "rules", "reading", JVIEW_OBJECT, true);
	JsonView	view;
	int64		quote_whole = 0;

	if (object.type != JVIEW_OBJECT)
		return;
	CheckMembers(reader, &object, "rules.reading", reading_members);
	rules->reading_lexicon = LexiconCreate(rules->lexicon);
	for (size_t i = 0; i < lengthof(reading_lists); i++)
		ReadReadingList(reader, &object, i, NULL);
	ReadNumberWords(reader, &object, NULL);
	(void) JsonViewGetMember(&object, "quote_whole", &view);
	if (!ReadCount(reader, &view, "rules.reading.quote_whole", PG_INT32_MAX, &quote_whole) ||
		reader->problem)
		return;
	reading->quote_whole = (int) quote_whole;
	reading->nwords = LexiconSize(rules->reading_lexicon);
	reading->flags = palloc_extended(Max(reading->nwords, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	reading->numbers = palloc_extended(sizeof(int64) * (Size) Max(reading->nwords, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < reading->nwords; i++)
		reading->numbers[i] = NO_NUMBER_WORD;
	for (size_t i = 0; i < lengthof(reading_lists); i++)
		ReadReadingList(reader, &object, i, reading->flags);
	ReadNumberWords(reader, &object, reading->numbers);
}

static void
ReadDocument(RulesReader *reader, const JsonView *document)
{
	DecisionRules *rules = reader->rules;
	JsonView	ambiguity = MemberOf(reader, document, "rules", "ambiguity", JVIEW_ARRAY, true);

	CheckMembers(reader, document, "rules", document_members);
	rules->nambiguities = JsonViewCount(&ambiguity);
	rules->nlists = RULE_OPENS(rules->nambiguities);
	rules->entries = palloc_extended(sizeof(Span *) * (Size) rules->nlists,
									 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < (int) lengthof(plain_lists); i++)
		ReadListMember(reader, document, "rules", plain_lists[i].key, plain_lists[i].list, true);
	ReadTopics(reader, document);
	ReadUnits(reader, document);
	ReadStopWords(reader, document);
	ReadRisk(reader, document);
	ReadAmbiguities(reader, &ambiguity);
	/* last, because the lexicon that it is based on must be complete */
	ReadReading(reader, document);
}

/*
 * compiling
 */

static int
CompareEntries(const void *a, const void *b)
{
	const TrieEntry *left = a;
	const TrieEntry *right = b;

	for (int i = 0; i < left->nwords && i < right->nwords; i++)
	{
		if (left->words[i] != right->words[i])
			return left->words[i] > right->words[i] ? 1 : -1;
	}
	if (left->nwords != right->nwords)
		return left->nwords > right->nwords ? 1 : -1;
	if (left->list != right->list)
		return left->list > right->list ? 1 : -1;
	return (left->entry > right->entry) - (left->entry < right->entry);
}

/* The sorted entries that begin with the words on the path to a node. */
typedef struct TrieRange
{
	int			begin;
	int			end;
	int			depth;
} TrieRange;

/*
 * Builds the tree, level by level.  The entries of a node are neighbours, and those
 * that end there come first.
 */
static RuleTrie *
BuildTrie(const RulesReader *reader)
{
	int			nwords = LexiconSize(reader->rules->lexicon);
	RuleTrie   *trie = palloc(sizeof(RuleTrie));
	TrieRange  *ranges;
	Size		most = 1;
	int			nnodes = 1;

	qsort(reader->entries, reader->nentries, sizeof(TrieEntry), CompareEntries);
	for (int i = 0; i < reader->nentries; i++)
		most += reader->entries[i].nwords;
	ranges = palloc_extended(sizeof(TrieRange) * most, MCXT_ALLOC_HUGE);
	trie->nodes = palloc_extended(sizeof(TrieNode) * most, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	trie->hits = palloc_extended(sizeof(TrieHit) * (Size) Max(reader->nentries, 1), MCXT_ALLOC_HUGE);
	trie->start = palloc_extended(sizeof(int32) * (Size) Max(nwords, 1), MCXT_ALLOC_HUGE);
	memset(trie->start, -1, sizeof(int32) * (Size) nwords);
	ranges[0] = (TrieRange) {0, reader->nentries, 0};
	for (int n = 0; n < nnodes; n++)
	{
		TrieNode   *node = &trie->nodes[n];
		int			depth = ranges[n].depth;
		int			i = ranges[n].begin;

		CHECK_FOR_INTERRUPTS();
		node->first_hit = i;
		for (; i < ranges[n].end && reader->entries[i].nwords == depth; i++)
			trie->hits[i] = (TrieHit) {reader->entries[i].list, reader->entries[i].entry};
		node->nhits = i - node->first_hit;
		node->first_child = nnodes;
		while (i < ranges[n].end)
		{
			int			begin = i;
			int32		word = reader->entries[i].words[depth];

			while (i < ranges[n].end && reader->entries[i].words[depth] == word)
				i++;
			ranges[nnodes] = (TrieRange) {begin, i, depth + 1};
			trie->nodes[nnodes].word = word;
			if (n == 0)
				trie->start[word] = nnodes;
			nnodes++;
		}
		node->nchildren = nnodes - node->first_child;
	}
	pfree(ranges);
	return trie;
}

static void
Compile(RulesReader *reader)
{
	DecisionRules *rules = reader->rules;

	rules->trie = BuildTrie(reader);
	rules->is_stop = palloc0(Max(LexiconSize(rules->lexicon), 1));
	for (int i = 0; i < reader->nstops; i++)
		rules->is_stop[reader->stops[i]] = true;
	rules->is_negating = palloc0(Max(LexiconSize(rules->lexicon), 1));
	for (int i = 0; i < reader->nentries; i++)
	{
		const TrieEntry *entry = &reader->entries[i];

		for (int k = 0; entry->list == RULE_NEGATOR && k < entry->nwords; k++)
			rules->is_negating[entry->words[k]] = true;
	}
	for (int i = 0; i < reader->nentries; i++)
		pfree(reader->entries[i].words);
	pfree(reader->entries);
	pfree(reader->stops);
}

/* Reads the rules, in the current context. If they are malformed, returns NULL and what is wrong. */
DecisionRules *
DecisionRulesParse(const JsonView *document, const char **problem)
{
	RulesReader reader = {
		.rules = palloc0(sizeof(DecisionRules)),
		.capacity = 256,
		.stops_capacity = 256
	};

	*problem = NULL;
	if (document->type != JVIEW_OBJECT)
	{
		*problem = psprintf("rules must be an object, and is %s", ShownValue(document));
		return NULL;
	}
	reader.entries = palloc(sizeof(TrieEntry) * reader.capacity);
	reader.stops = palloc(sizeof(int) * reader.stops_capacity);
	reader.rules->lexicon = LexiconCreate(NULL);
	ReadDocument(&reader, document);
	*problem = reader.problem;
	if (reader.problem)
		return NULL;
	Compile(&reader);
	return reader.rules;
}

/*
 * matching
 */

/* Returns the group of a list: the first of the lists that compete with it. */
static int
GroupOf(int list)
{
	switch (list)
	{
		case RULE_PROHIBIT:
			return RULE_ALLOW;
		case RULE_REFUND_REFUSED:
			return RULE_REFUND_ALLOWED;
		case RULE_PLAINTEXT:
			return RULE_ENCRYPT;
		case RULE_RISK_MEDIUM:
			return RULE_RISK_HIGH;
	}
	return list;
}

/* The state of a group at the current token. */
typedef struct GroupState
{
	int			free_from;		/* first token that no match has taken */
	Match		best;			/* count 0: none */
} GroupState;

typedef struct Matcher
{
	const RuleTrie *trie;
	const Words *words;
	GroupState *groups;
	int			ntouched;		/* number of groups with a best match */
	int		   *touched;
	int			capacity;
	Matches    *matches;
} Matcher;

static void
AddMatch(Matcher *matcher, Match match)
{
	Matches    *matches = matcher->matches;

	GROW_ARRAY(matches->matches, matches->count, matcher->capacity, 16);
	matches->matches[matches->count++] = match;
}

/* Handles an entry that matches at a token: reports it, or compares it with the best of its group. */
static void
Hit(Matcher *matcher, TrieHit hit, int first, int count)
{
	Match		match = {hit.list, hit.entry, first, count};
	int			group = GroupOf(hit.list);
	GroupState *state = &matcher->groups[group];

	if (hit.list == RULE_TOPIC)
	{
		AddMatch(matcher, match);
		return;
	}
	if (first < state->free_from || count <= state->best.count)
		return;
	if (state->best.count == 0)
		matcher->touched[matcher->ntouched++] = group;
	state->best = match;
}

/* Returns the child of a node for a word, or -1. */
static int
ChildOf(const RuleTrie *trie, int node, int32 word)
{
	int			low = trie->nodes[node].first_child;
	int			end = low + trie->nodes[node].nchildren;

	FIRST_PLACE(low, end, at, trie->nodes[at].word < word);
	return low < end && trie->nodes[low].word == word ? low : -1;
}

/* Finds all entries that begin at a token; "node" is the token's child of the root. */
static void
WalkFrom(Matcher *matcher, int first, int node)
{
	const RuleTrie *trie = matcher->trie;
	const Words *words = matcher->words;

	for (int next = first + 1;; next++)
	{
		const TrieNode *here = &trie->nodes[node];

		for (int i = 0; i < here->nhits; i++)
			Hit(matcher, trie->hits[here->first_hit + i], first, next - first);
		if (here->nchildren == 0 || next == words->ntokens ||
			words->tokens[next].clause != words->tokens[first].clause)
			return;
		node = ChildOf(trie, node, words->tokens[next].word);
		if (node < 0)
			return;
		CHECK_FOR_INTERRUPTS();
	}
}

/* Reports the best match of each group, and takes its tokens. */
static void
SettleMatches(Matcher *matcher)
{
	for (int i = 0; i < matcher->ntouched; i++)
	{
		GroupState *state = &matcher->groups[matcher->touched[i]];

		AddMatch(matcher, state->best);
		if (state->best.list != RULE_UNIT)
			state->free_from = state->best.first + state->best.count;
		state->best.count = 0;
	}
	matcher->ntouched = 0;
}

void
RulesMatch(const DecisionRules *rules, const Words *words, Matches *matches)
{
	int			nlisted = LexiconSize(rules->lexicon);
	Matcher		matcher = {
		.trie = rules->trie,
		.words = words,
		.groups = palloc_extended(sizeof(GroupState) * (Size) rules->nlists,
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO),
		.touched = palloc_extended(sizeof(int) * (Size) rules->nlists, MCXT_ALLOC_HUGE),
		.matches = matches
	};

	memset(matches, 0, sizeof(*matches));
	for (int i = 0; i < words->ntokens; i++)
	{
		int32		word = words->tokens[i].word;

		CHECK_FOR_INTERRUPTS();
		if (word >= nlisted || rules->trie->start[word] < 0)
			continue;
		WalkFrom(&matcher, i, rules->trie->start[word]);
		SettleMatches(&matcher);
	}
	pfree(matcher.groups);
	pfree(matcher.touched);
}

/* Returns the match of a list that begins at a token, or NULL; for topics the shortest. */
const Match *
MatchAt(const Matches *matches, int list, int token)
{
	int			low = 0;

	FIRST_PLACE(low, matches->count, at, matches->matches[at].first < token);
	for (; low < matches->count && matches->matches[low].first == token; low++)
	{
		if (matches->matches[low].list == list)
			return &matches->matches[low];
	}
	return NULL;
}

/*
 * Finds the longest row of the unit table that begins with a word attached to a
 * number, and continues with the tokens from "next" to "end".  Returns its unit, or
 * -1; *count is the number of these tokens.
 */
int
UnitThatBeginsWith(const DecisionRules *rules, Span word, const Words *words, int next, int end, int *count)
{
	const RuleTrie *trie = rules->trie;
	int			number = LexiconFind(rules->lexicon, word);
	int			node = number < 0 ? -1 : trie->start[number];
	int			unit = -1;

	for (int n = 0; node >= 0; n++)
	{
		const TrieNode *here = &trie->nodes[node];

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < here->nhits; i++)
		{
			if (trie->hits[here->first_hit + i].list != RULE_UNIT)
				continue;
			unit = trie->hits[here->first_hit + i].entry;
			*count = n;
			break;
		}
		if (here->nchildren == 0 || next + n >= end)
			break;
		node = ChildOf(trie, node, words->tokens[next + n].word);
	}
	return unit;
}

Lexicon *
RulesLexicon(const DecisionRules *rules)
{
	return LexiconCreate(rules->reading_lexicon);
}

static bool
IsNumberBeside(const Lexicon *lexicon, const Words *words, int token, int beside)
{
	return beside >= 0 && beside < words->ntokens &&
		words->tokens[beside].clause == words->tokens[token].clause &&
		LexiconWord(lexicon, words->tokens[beside].word)->is_number;
}

bool
IsMonthMay(const Lexicon *lexicon, const Words *words, int token)
{
	return words->text.str[words->tokens[token].begin] == 'M' &&
		(IsNumberBeside(lexicon, words, token, token - 1) ||
		 IsNumberBeside(lexicon, words, token, token + 1));
}

/*
 * rules of a call
 */

/* Does the same as DecisionRulesParse; raises an error if they are malformed. */
DecisionRules *
DecisionRulesOfView(const JsonView *document)
{
	const char *problem;
	DecisionRules *rules = DecisionRulesParse(document, &problem);

	if (rules == NULL)
		MalformedArgument(problem, "Give NULL for the rules that shipped, or all of a changed copy of them.");
	return rules;
}

/*
 * The documents that were shipped for decision/2, the present one first.  Receipts
 * name them by digest, so none is ever removed.
 */
static const Span shipped_texts[] = {
	{shipped_rules, sizeof(shipped_rules) - 1}
};

static JsonView
DocumentOfText(Span text)
{
	JsonView	document;
	size_t		where;
	JsonTextStatus status = JsonViewOfText(text.str, text.len, &document, &where);

	if (status != JSON_TEXT_OK)
		JsonTextError(status, where);
	return document;
}

static JsonView
ShippedDocument(void)
{
	return DocumentOfText(shipped_texts[0]);
}

/* Compiles a document for the rest of the session. */
static const DecisionRules *
CompileForGood(const JsonView *document)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval decision rules",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	const DecisionRules *rules = DecisionRulesOfView(document);

	MemoryContextSwitchTo(caller);
	MemoryContextSetParent(context, TopMemoryContext);
	return rules;
}

/* Compiles one of the shipped documents, once per session. */
static const DecisionRules *
ShippedRulesAt(size_t which)
{
	static const DecisionRules *shipped[lengthof(shipped_texts)];
	JsonView	document;

	if (shipped[which] == NULL)
	{
		document = DocumentOfText(shipped_texts[which]);
		shipped[which] = CompileForGood(&document);
	}
	return shipped[which];
}

const DecisionRules *
ShippedDecisionRules(void)
{
	return ShippedRulesAt(0);
}

/* What is cached between calls: the rules of the last call, and their bytes. */
typedef struct RulesCache
{
	MemoryContext context;
	Jsonb	   *source;
	const DecisionRules *rules;
} RulesCache;

static void
RefreshCache(RulesCache *cache, MemoryContext parent, const Jsonb *source)
{
	MemoryContext context = AllocSetContextCreate(parent, "answer_eval decision rules",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Jsonb	   *copy = palloc_extended(VARSIZE(source), MCXT_ALLOC_HUGE);
	JsonView	document;
	const DecisionRules *rules;

	memcpy(copy, source, VARSIZE(source));
	JsonViewOfJsonb(copy, &document);
	rules = DecisionRulesOfView(&document);
	MemoryContextSwitchTo(caller);
	if (cache->context)
		MemoryContextDelete(cache->context);
	*cache = (RulesCache) {context, copy, rules};
}

const DecisionRules *
DecisionRulesArgument(FunctionCallInfo fcinfo, int n)
{
	RulesCache *cache = fcinfo->flinfo->fn_extra;
	Jsonb	   *source;

	if (PG_ARGISNULL(n))
		return ShippedDecisionRules();
	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, "rules");
	source = PG_GETARG_JSONB_P(n);
	if (cache == NULL)
		cache = fcinfo->flinfo->fn_extra =
			MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(RulesCache));
	if (cache->source == NULL || VARSIZE(cache->source) != VARSIZE(source) ||
		memcmp(cache->source, source, VARSIZE(source)) != 0)
		RefreshCache(cache, fcinfo->flinfo->fn_mcxt, source);
	return cache->rules;
}

/* the shipped rules, as they are stored */

bool
EncodingCanWrite(Span utf8)
{
	int			encoding = GetDatabaseEncoding();
	Oid			conversion;
	unsigned char *copy;
	unsigned char *out;
	int			most;

	if (SpanIsText(utf8) || encoding == PG_UTF8 || encoding == PG_SQL_ASCII)
		return true;
	conversion = FindDefaultConversionProc(PG_UTF8, encoding);
	if (!OidIsValid(conversion))
		return false;
	copy = (unsigned char *) pnstrdup(utf8.str, utf8.len);
	most = utf8.len * MAX_CONVERSION_GROWTH + 1;
	out = palloc(most);
	return pg_do_encoding_conversion_buf(conversion, PG_UTF8, encoding, copy, utf8.len, out, most,
										 true) == utf8.len;
}

/*
 * Pure functions use the shipped rules, also in a database whose encoding lacks the
 * sign of a unit: "€" is then shown as \u20ac.
 */
Span
WritableName(Span name)
{
	StringInfoData shown;

	if (EncodingCanWrite(name))
		return name;
	initStringInfo(&shown);
	for (int i = 0; i < name.len; i += pg_utf_mblen((const unsigned char *) name.str + i))
	{
		unsigned int code = utf8_to_unicode((const unsigned char *) name.str + i);

		if (code < 0x80)
			appendStringInfoChar(&shown, (char) code);
		else if (code <= 0xFFFF)
			appendStringInfo(&shown, "\\u%04x", code);
		else
			appendStringInfo(&shown, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
	}
	return SpanOf(shown.data, shown.len);
}

/* Returns the units whose names can be written. */
static JsonView
WritableUnits(const JsonView *units)
{
	JsonView	writable = JsonViewNewObject(JsonViewCount(units));

	for (int i = 0; i < JsonViewCount(units); i++)
	{
		Span		key;
		JsonView	rows = JsonViewMember(units, i, &key);

		if (EncodingCanWrite(key))
			JsonViewSetKey(&writable, key.str, key.len, rows);
	}
	return writable;
}

/*
 * Returns the document as the database encoding can write it, without units that it
 * cannot write, and their words.
 */
JsonView
WritableShippedDocument(void)
{
	JsonView	document = ShippedDocument();
	JsonView	result = JsonViewNewObject(JsonViewCount(&document));

	for (int i = 0; i < JsonViewCount(&document); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(&document, i, &key);

		if (SpanEqualCString((Span) {key.str, key.len}, "units"))
			value = WritableUnits(&value);
		JsonViewSetKey(&result, key.str, key.len, value);
	}
	return result;
}

/* Returns the digest of a shipped document. */
static const char *
ShippedDigest(size_t which)
{
	static char digests[lengthof(shipped_texts)][DIGEST_TEXT_LENGTH + 1];
	JsonView	document;

	if (digests[which][0] == '\0')
	{
		document = DocumentOfText(shipped_texts[which]);
		CanonicalDigest(&document, NULL, digests[which]);
	}
	return digests[which];
}

const char *
ShippedDecisionRulesDigest(void)
{
	return ShippedDigest(0);
}

/* Returns the index of the shipped document with a digest, or -1. */
static int
ShippedPlace(Span digest)
{
	for (size_t i = 0; i < lengthof(shipped_texts); i++)
	{
		if (SpanEqualCString(digest, ShippedDigest(i)))
			return (int) i;
	}
	return -1;
}

bool
ShippedRulesDocumentOf(Span digest, JsonView *document)
{
	int			place = ShippedPlace(digest);

	if (place >= 0)
		*document = DocumentOfText(shipped_texts[place]);
	return place >= 0;
}

const DecisionRules *
ShippedRulesWithDigest(Span digest)
{
	int			place = ShippedPlace(digest);

	return place < 0 ? NULL : ShippedRulesAt(place);
}

/*
 * Returns the document of an earlier version.  Its list "insufficiency" had so many
 * entries (0: all), and it had no member "reading".
 */
static JsonView
EarlierDocument(int insufficiency)
{
	static const char *const others[] = {"reading", "insufficiency"};
	JsonView	document = ShippedDocument();
	JsonView	earlier = JsonViewCopyWithout(&document, others, insufficiency == 0 ? 1 : 2, 1);
	JsonView	entries;
	JsonView	all;
	JsonView	entry;

	if (insufficiency == 0)
		return earlier;
	entries = JsonViewNewArray(insufficiency);
	(void) JsonViewGetMember(&document, "insufficiency", &all);
	for (int i = 0; i < insufficiency; i++)
	{
		JsonViewElement(&all, i, &entry);
		JsonViewAppend(&entries, entry);
	}
	JsonViewSet(&earlier, "insufficiency", entries);
	return earlier;
}

/* Returns a document of decision/1 with the current member "reading". */
static JsonView
WithReading(const JsonView *document)
{
	JsonView	shipped = ShippedDocument();
	JsonView	result = JsonViewCopyWithout(document, NULL, 0, 1);
	JsonView	reading = JsonViewUnder(&shipped, "reading");

	JsonViewSet(&result, "reading", reading);
	return result;
}

const DecisionRules *
ShippedDecisionRulesOf(Span digest)
{
	/* versions without a member "reading": number of entries in their list "insufficiency", 0 for all */
	static const int earlier[] = {36, 0};
	static char digests[lengthof(earlier)][DIGEST_TEXT_LENGTH + 1];
	static const DecisionRules *rules[lengthof(earlier)];

	if (ShippedPlace(digest) >= 0)
		return ShippedRulesWithDigest(digest);
	for (size_t i = 0; i < lengthof(earlier); i++)
	{
		JsonView	document = EarlierDocument(earlier[i]);

		if (digests[i][0] == '\0')
			CanonicalDigest(&document, NULL, digests[i]);
		if (!SpanEqualCString(digest, digests[i]))
			continue;
		document = WithReading(&document);
		if (rules[i] == NULL)
			rules[i] = CompileForGood(&document);
		return rules[i];
	}
	return NULL;
}

bool
AreShippedDecisionRules(const char *digest)
{
	static char written[DIGEST_TEXT_LENGTH + 1] = "";
	JsonView	document;

	if (written[0] == '\0')
	{
		document = WritableShippedDocument();
		CanonicalDigest(&document, NULL, written);
	}
	return strcmp(digest, written) == 0 || strcmp(digest, ShippedDecisionRulesDigest()) == 0;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_shipped_decision_rules);

Datum
answer_eval_shipped_decision_rules(PG_FUNCTION_ARGS)
{
	JsonView	document = WritableShippedDocument();

	PG_RETURN_JSONB_P(JsonViewToJsonb(&document, false));
}
