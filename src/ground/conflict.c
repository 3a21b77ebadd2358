/*-------------------------------------------------------------------------
 *
 * conflict.c
 *		Finds contradictions between retrieved chunks.
 *
 * Rule: doc/spec/decision.md §4.
 *
 * Pure.  Precision is more important than recall, because a false conflict causes a
 * refusal.  Two chunks of different documents have at most one entry, by the first of
 * these rules that holds:
 *
 *	encryption	one side only says plaintext, the other only encryption
 *	refund		one side only says refundable, the other only not refundable
 *	policy		one side only allows, the other only prohibits, and they share
 *				enough further keywords
 *	numeric		there is a unit in which the sides share no value; they must also
 *				share enough further keywords, or a topic about quantities
 *	copy		each has a sentence that says the same as the other's, except for a
 *				value or a negation
 *	fact		each has facts about the same subject, attribute and scope, and they
 *				share no value
 *
 * If judges are asked, facts come first.  For a pair without a conflict of facts, the
 * judgement of the panel then replaces all other rules.
 *
 * All rules except the last apply only to chunks with the same qualifiers
 * ("promotional", "legal hold").  The rules from encryption to numeric apply only to
 * chunks that share a topic family, and use only sentences with a shared topic.
 *
 * Each rule is symmetric, and never holds between a text and itself.
 *
 * Each text is read once (statement.c, reading/text.c).  Comparing a pair takes time
 * proportional to the statements of its chunks.  Copies are searched among sentences
 * that share three items.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/hsearch.h"

#include "base/canonical.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/search.h"
#include "check/operator.h"
#include "ground/conflict.h"
#include "ground/folded_text.h"
#include "ground/statement.h"
#include "reading/near_copy.h"

/* The least that an entry takes as JSON in addition to its texts, with its separator. */
#define ENTRY_FRAME \
	"{\"chunk_a\":{\"chunk_id\":\"\",\"doc_id\":\"\"},\"chunk_b\":{\"chunk_id\":\"\",\"doc_id\":\"\"}," \
	"\"conflict_type\":\"policy\",\"evidence_snippets\":{\"a\":\"\",\"b\":\"\"},\"kind\":\"\",\"reason\":\"\"},"

/* Number of characters that a snippet shows before and after the deciding words. */
#define SNIPPET_CONTEXT		50

/* Copies share at least so many items. */
#define COPY_MIN_ITEMS		3

/* Length of a snippet of a judged pair, taken from the beginning of the text. */
#define SNIPPET_DEFAULT		100

typedef enum ConflictKind
{
	KIND_NONE,
	KIND_ENCRYPTION,
	KIND_REFUND,
	KIND_POLICY,
	KIND_NUMERIC,
	KIND_COPY,
	KIND_FACT,
	KIND_JUDGED
} ConflictKind;

static const struct
{
	const char *name;
	ConflictType type;
	const char *reason;			/* NULL: depends on the pair */
}			kinds[] = {
	[KIND_ENCRYPTION] = {"encryption", CONFLICT_POLICY,
	"store in plaintext vs must be encrypted / not plaintext"},
	[KIND_REFUND] = {"refund", CONFLICT_POLICY, "refundable vs non-refundable"},
	[KIND_POLICY] = {"policy", CONFLICT_POLICY, "must_not vs may / allowed vs prohibited"},
	[KIND_NUMERIC] = {"numeric", CONFLICT_NUMERIC, NULL},
	[KIND_COPY] = {"copy", CONFLICT_NUMERIC, NULL},
	[KIND_FACT] = {"fact", CONFLICT_NUMERIC, NULL},
};

const char *const conflict_type_labels[] = {
	[CONFLICT_POLICY] = "policy",
	[CONFLICT_NUMERIC] = "numeric",
};

static const char *const type_titles[] = {
	[CONFLICT_POLICY] = "Policy",
	[CONFLICT_NUMERIC] = "Numeric",
};

/* One chunk of a pair: what it says in sentences with a shared topic. */
typedef struct Side
{
	const Chunk *chunk;
	const ChunkStatements *said;
	bool	   *counts;			/* by statement: does it have a shared topic? */
	Stance		stances[MATTERS];
	int			nkeywords;		/* number of distinct further keywords */
	const Quantity *quantity;	/* the quantity that decides */
} Side;

/* An occurrence of an item. */
typedef struct ItemPlace
{
	int32		item;
	int32		sentence;
} ItemPlace;

/* A fact that was read from a chunk's document. */
typedef struct ReadFact
{
	Span		key;			/* subject, attribute and scope, folded */
	Span		subject;		/* as written */
	Span		attribute;
	Span		value;
	Span		folded;			/* the value, folded */
	const Reading *reading;		/* of the value */
	bool		is_number;
	Span		unit;			/* folded unit of a number, if it is not in the table */
	Span		quote;
} ReadFact;

/* What was read of a chunk. */
typedef struct ChunkRecord
{
	bool		is_read;
	ChunkStatements said;
	const Reading *reading;
	int			nplaces;
	ItemPlace  *places;			/* by item and sentence, in the sentences that are compared */
	int			nfacts;
	ReadFact   *facts;
	int		   *by_key;			/* facts by key, then in the given order */
	Span		passage;		/* empty until it is needed */
} ChunkRecord;

/* The outcome of a comparison. */
typedef struct PairOutcome
{
	int			pair[2];		/* hash key: indexes of the chunks, ascending */
	bool		holds;
	ConflictType type;
	size_t		size;
	JsonView	entry;
} PairOutcome;

struct ConflictFinder
{
	ChunkSet   *set;
	UnitNames	units;
	ChunkRecord *records;		/* by chunk of the set */
	int			encryption;		/* family of that name, or -1 */
	Bitmapset  *quantities;		/* families of kind quantity */
	int			ncounts;
	bool	   *counts[2];		/* buffers for the two sides of a pair */
	int			nseen;
	uint64	   *seen;			/* by word: the last mark that it got */
	uint64		mark;			/* the last mark that was used */
	HTAB	   *outcomes;		/* of pairs that were compared; NULL: outcomes are not kept */
	Consultation *consultation;
	Conflicts  *found;
};

/* How much two sides must share. */
typedef enum Demand
{
	DEMAND_ALL,					/* as for answer_conflicts */
	DEMAND_SOURCE,				/* see ConflictTerms */
	DEMAND_CLAIM
} Demand;

/* One pair under comparison. */
typedef struct Comparison
{
	ConflictFinder *finder;
	Demand		demand;
	Side		a;
	Side		b;
	Bitmapset  *shared;			/* families */
	int			both;			/* number of further keywords that both have; -1: not counted yet */
	ConflictKind kind;			/* what was found, and what shows it */
	ConflictType type;
	Span		name;			/* for KIND_JUDGED: the judge */
	Span		reason;
	Span		snippet_a;
	Span		snippet_b;
} Comparison;

/* Finds the sentences with a shared topic. */
static void
FindShared(const Comparison *pair, Side *side)
{
	for (int i = 0; i < side->said->count; i++)
	{
		const Statement *statement = &side->said->statements[i];
		const int  *topics = &side->said->topics[statement->first_topic];

		side->counts[i] = pair->demand == DEMAND_CLAIM;
		for (int k = 0; k < statement->ntopics && !side->counts[i]; k++)
			side->counts[i] = bms_is_member(topics[k], pair->shared);
	}
}

/* Sums up the stances of these sentences. */
static void
CollectStances(Side *side)
{
	memset(side->stances, 0, sizeof(side->stances));
	side->stances[MATTER_REFUND] = side->said->refund;
	for (int i = 0; i < side->said->count; i++)
	{
		const Statement *statement = &side->said->statements[i];

		if (!side->counts[i])
			continue;
		StanceAdd(&side->stances[MATTER_ENCRYPTION], &statement->stances[MATTER_ENCRYPTION]);
		StanceAdd(&side->stances[MATTER_POLICY], &statement->stances[MATTER_POLICY]);
	}
}

static bool
AreOpposed(const Comparison *pair, Matter matter)
{
	int			a = pair->a.stances[matter].sides;
	int			b = pair->b.stances[matter].sides;

	return (a == SIDE_PERMITS && b == SIDE_REFUSES) || (a == SIDE_REFUSES && b == SIDE_PERMITS);
}

/* Counts the distinct keywords of a side, and marks them. Returns how many of them had the other mark. */
static int
MarkKeywords(Comparison *pair, Side *side, uint64 mark, uint64 other)
{
	uint64	   *seen = pair->finder->seen;
	int			both = 0;

	side->nkeywords = 0;
	for (int i = 0; i < side->said->count; i++)
	{
		const Statement *statement = &side->said->statements[i];

		if (!side->counts[i])
			continue;
		for (int k = 0; k < statement->nkeywords; k++)
		{
			int			word = side->said->keywords[statement->first_keyword + k];

			if (seen[word] == mark)
				continue;
			both += seen[word] == other;
			seen[word] = mark;
			side->nkeywords++;
		}
	}
	return both;
}

static void
CountKeywords(Comparison *pair)
{
	uint64		mark;

	if (pair->both >= 0)
		return;
	mark = pair->finder->mark += 2;
	MarkKeywords(pair, &pair->a, mark, 0);
	pair->both = MarkKeywords(pair, &pair->b, mark + 1, mark);
}

/* Do these sentences share at least one keyword, and at least half the keywords of the side with fewer? */
static bool
ShareHalf(Comparison *pair)
{
	if (pair->demand == DEMAND_CLAIM)
		return true;
	CountKeywords(pair);
	return pair->both > 0 && (int64) pair->both * 2 >= Min(pair->a.nkeywords, pair->b.nkeywords);
}

/* Do they share as many keywords as policies and numbers require? */
static bool
ShareKeywords(Comparison *pair)
{
	if (pair->demand != DEMAND_SOURCE)
		return ShareHalf(pair);
	CountKeywords(pair);
	return pair->both > 0;
}

static bool
IsEncryptionConflict(Comparison *pair)
{
	int			only;

	if (!AreOpposed(pair, MATTER_ENCRYPTION))
		return false;
	if (bms_get_singleton_member(pair->shared, &only) && only == pair->finder->encryption)
		return ShareHalf(pair);
	return true;
}

/* Returns the next quantity from i on that is in such a sentence. */
static int
NextQuantity(const Side *side, int i)
{
	while (i < side->said->nquantities && !side->counts[side->said->quantities[i].statement])
		i++;
	return i;
}

/* Returns the next quantity with another unit. */
static int
NextUnit(const Side *side, int i)
{
	const ChunkStatements *said = side->said;
	int			unit = said->quantities[i].quantity.unit;

	while (i < said->nquantities && said->quantities[i].quantity.unit == unit)
		i++;
	return NextQuantity(side, i);
}

/* Do the quantities from a and b on, which have the same unit, share no value? Both are sorted by value. */
static bool
AreDisjoint(const Comparison *pair, int a, int b)
{
	const ChunkStatements *x = pair->a.said;
	const ChunkStatements *y = pair->b.said;
	int			unit = x->quantities[a].quantity.unit;

	while (a < x->nquantities && x->quantities[a].quantity.unit == unit &&
		   b < y->nquantities && y->quantities[b].quantity.unit == unit)
	{
		int			cmp = QuantityCompare(&x->quantities[a].quantity, &y->quantities[b].quantity);

		if (cmp == 0)
			return false;
		if (cmp < 0)
			a = NextQuantity(&pair->a, a + 1);
		else
			b = NextQuantity(&pair->b, b + 1);
	}
	return true;
}

/* Finds the first unit in which the sides differ, and the first occurrence of each side's least value. */
static bool
DifferInQuantity(Comparison *pair)
{
	const ChunkStatements *x = pair->a.said;
	const ChunkStatements *y = pair->b.said;
	int			a = NextQuantity(&pair->a, 0);
	int			b = NextQuantity(&pair->b, 0);

	while (a < x->nquantities && b < y->nquantities)
	{
		int			unit_a = x->quantities[a].quantity.unit;
		int			unit_b = y->quantities[b].quantity.unit;

		if (unit_a == unit_b && AreDisjoint(pair, a, b))
		{
			pair->a.quantity = &x->quantities[a].quantity;
			pair->b.quantity = &y->quantities[b].quantity;
			return true;
		}
		if (unit_a <= unit_b)
			a = NextUnit(&pair->a, a);
		if (unit_b <= unit_a)
			b = NextUnit(&pair->b, b);
	}
	return false;
}

static bool
IsNumericConflict(Comparison *pair)
{
	/* keywords last, because counting them is most expensive */
	return DifferInQuantity(pair) &&
		(bms_overlap(pair->shared, pair->finder->quantities) || ShareKeywords(pair));
}

/* Returns the first rule that holds. */
static ConflictKind
KindOfConflict(Comparison *pair)
{
	FindShared(pair, &pair->a);
	FindShared(pair, &pair->b);
	CollectStances(&pair->a);
	CollectStances(&pair->b);
	if (IsEncryptionConflict(pair))
		return KIND_ENCRYPTION;
	if (AreOpposed(pair, MATTER_REFUND))
		return KIND_REFUND;
	if (AreOpposed(pair, MATTER_POLICY) && ShareKeywords(pair))
		return KIND_POLICY;
	if (IsNumericConflict(pair))
		return KIND_NUMERIC;
	return KIND_NONE;
}

/* Returns the character before a byte, and its position. */
static int
CharacterBefore(Span text, int at)
{
	do
		at--;
	while (at > 0 && (text.str[at] & 0xC0) == 0x80);
	return at;
}

static int
CharacterAfter(Span text, int at)
{
	int			len;

	Utf8Character(text.str + at, text.str + text.len, &len);
	return at + len;
}

/* Returns the text from begin to end, trimmed, with dots where it was cut. */
static Span
SnippetOf(Span text, int begin, int end)
{
	const Span	dots = SPAN_LITERAL("...");
	Span		shown = TrimWhiteSpace(SpanOf(text.str + begin, end - begin));
	char	   *snippet = palloc_extended((Size) shown.len + 2 * dots.len, MCXT_ALLOC_HUGE);
	int			len = 0;

	if (begin > 0)
	{
		memcpy(snippet, dots.str, dots.len);
		len = dots.len;
	}
	memcpy(snippet + len, shown.str, shown.len);
	len += shown.len;
	if (end < text.len)
	{
		memcpy(snippet + len, dots.str, dots.len);
		len += dots.len;
	}
	return SpanOf(snippet, len);
}

/* Returns the beginning of a text. */
static Span
SnippetOfBeginning(Span text)
{
	int			end = 0;

	for (int i = 0; i < SNIPPET_DEFAULT && end < text.len; i++)
		end = CharacterAfter(text, end);
	return SnippetOf(text, 0, end);
}

/* Returns deciding words with their context. */
static Span
SnippetAround(Span text, int begin, int end)
{
	for (int i = 0; i < SNIPPET_CONTEXT && begin > 0; i++)
		begin = CharacterBefore(text, begin);
	for (int i = 0; i < SNIPPET_CONTEXT && end < text.len; i++)
		end = CharacterAfter(text, end);
	return SnippetOf(text, begin, end);
}

/* Returns a snippet with the words that decided in rules 1 to 4. */
static Span
SnippetOfSide(const Side *side, ConflictKind kind)
{
	const Stance *stance;

	if (kind == KIND_NUMERIC)
		return SnippetAround(side->chunk->text, side->quantity->begin, side->quantity->end);
	stance = &side->stances[kind == KIND_ENCRYPTION ? MATTER_ENCRYPTION :
							kind == KIND_REFUND ? MATTER_REFUND : MATTER_POLICY];
	return SnippetAround(side->chunk->text, stance->begin, stance->end);
}

static Span
ReasonOf(const Comparison *pair, ConflictKind kind)
{
	Span		a;
	Span		b;
	Span		unit;

	if (kinds[kind].reason != NULL)
		return SpanOfCString(kinds[kind].reason);
	a = pair->a.quantity->value;
	b = pair->b.quantity->value;
	unit = WritableName(pair->finder->units.names[pair->a.quantity->unit]);
	return SpanOfCString(psprintf("numeric conflict: %.*s vs %.*s %.*s",
								  a.len, a.str, b.len, b.str, unit.len, unit.str));
}

static JsonView
ChunkReference(const Chunk *chunk)
{
	JsonView	object = JsonViewNewObject(2);

	JsonViewSet(&object, "doc_id", SpanView(chunk->doc_id));
	JsonViewSet(&object, "chunk_id", SpanView(chunk->chunk_id));
	return object;
}

typedef struct EntryParts
{
	const Chunk *a;
	const Chunk *b;
	Span		reason;
	ConflictType type;
	Span		kind;
	Span		snippet_a;
	Span		snippet_b;
} EntryParts;

static JsonView
EntryView(const EntryParts *parts)
{
	JsonView	entry = JsonViewNewObject(6);
	JsonView	snippets = JsonViewNewObject(2);

	JsonViewSet(&snippets, "a", SpanView(parts->snippet_a));
	JsonViewSet(&snippets, "b", SpanView(parts->snippet_b));
	JsonViewSet(&entry, "chunk_a", ChunkReference(parts->a));
	JsonViewSet(&entry, "chunk_b", ChunkReference(parts->b));
	JsonViewSet(&entry, "reason", SpanView(parts->reason));
	JsonViewSet(&entry, "conflict_type", JsonViewCString(conflict_type_labels[parts->type]));
	JsonViewSet(&entry, "kind", SpanView(parts->kind));
	JsonViewSet(&entry, "evidence_snippets", snippets);
	return entry;
}

/* Returns a lower bound of an entry's bytes as JSON; escaped characters take more. */
static size_t
EntrySize(const EntryParts *parts)
{
	return strlen(ENTRY_FRAME) + parts->kind.len + parts->reason.len +
		parts->snippet_a.len + parts->snippet_b.len +
		parts->a->chunk_id.len + parts->a->doc_id.len +
		parts->b->chunk_id.len + parts->b->doc_id.len;
}

/* Many pairs of long texts would make a result that is too large. */
bool
ConflictsAreTooLarge(const Conflicts *conflicts)
{
	return conflicts->size > conflicts->most;
}

void
ConflictsRefuseLarge(const Conflicts *conflicts)
{
	if (ConflictsAreTooLarge(conflicts))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("conflicts of these chunks are too large"),
				 errdetail("After %d pairs the entries take more than %zu bytes.",
						   conflicts->npairs, conflicts->most),
				 errhint("Compare fewer or shorter chunks.")));
}

static void
AddPair(Conflicts *conflicts, ConflictPair pair)
{
	GROW_ARRAY(conflicts->pairs, conflicts->npairs, conflicts->capacity, 8);
	conflicts->pairs[conflicts->npairs++] = pair;
}

/* ----------
 * Reading
 * ----------
 */

ConflictFinder *
ConflictFinderBegin(ChunkSet *set)
{
	const DecisionRules *rules = set->rules;
	ConflictFinder *finder = palloc0(sizeof(ConflictFinder));

	finder->set = set;
	finder->encryption = -1;
	finder->records = palloc_extended(sizeof(ChunkRecord) * (Size) Max(set->count, 1),
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	UnitNamesOf(rules, &finder->units);
	for (int i = 0; i < rules->nfamilies; i++)
	{
		if (SpanEqualCString(rules->families[i], "encryption"))
			finder->encryption = i;
	}
	for (int i = 0; i < rules->ntopics; i++)
	{
		if (rules->topics[i].kind == TOPIC_QUANTITY)
			finder->quantities = bms_add_member(finder->quantities, rules->topics[i].family);
	}
	return finder;
}

static int
CompareEntryPlaces(const void *a, const void *b)
{
	const ItemPlace *left = a;
	const ItemPlace *right = b;

	if (left->item != right->item)
		return left->item < right->item ? -1 : 1;
	return (left->sentence > right->sentence) - (left->sentence < right->sentence);
}

/* Lists the occurrences of each item in the sentences that are compared. */
static void
ReadPlaces(ChunkRecord *record)
{
	const Reading *reading = record->reading;
	int			nsentences = Min(reading->nsentences, SLOT_MAX_SENTENCES);
	Size		most = 0;

	for (int i = 0; i < nsentences; i++)
		most += reading->sentences[i].nitems;
	record->places = palloc_extended(sizeof(ItemPlace) * Max(most, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < nsentences; i++)
	{
		const ReadSentence *sentence = &reading->sentences[i];

		for (int k = 0; k < sentence->nitems; k++)
			record->places[record->nplaces++] =
				(ItemPlace) {reading->sentence_items[sentence->first_item + k], i};
	}
	qsort(record->places, record->nplaces, sizeof(ItemPlace), CompareEntryPlaces);
}

static Span
TextOfMember(const JsonView *object, const char *key)
{
	JsonView	view;
	PlainNumber number;

	if (!JsonViewGetMember(object, key, &view))
		return (Span) {"", 0};
	if (view.type == JVIEW_STRING)
		return SpanOf(view.str, view.len);
	if (view.type == JVIEW_NUMBER && NumberPlain(&view, &number))
		return SpanOf(number.text, number.len);
	if (view.type == JVIEW_BOOL)
		return SpanOfCString(view.boolean ? "true" : "false");
	return (Span) {"", 0};
}

/* Joins texts, folded and with white space collapsed, each followed by a byte that occurs in none. */
static Span
KeyOfTexts(const Span *texts, int count)
{
	StringInfoData key;

	initStringInfo(&key);
	for (int i = 0; i < count; i++)
	{
		Span		folded = FoldedText(texts[i]);

		appendBinaryStringInfo(&key, folded.str, folded.len);
		appendStringInfoChar(&key, '\1');
	}
	return SpanOf(key.data, key.len);
}

/* Reads a text as a value, if it is only one value. */
static void
ReadFactValue(ConflictFinder *finder, Span text, ReadFact *fact)
{
	const Reading *reading = ReadText(ChunkReader(finder->set), text);
	const Words *words = &reading->words;

	fact->reading = reading;
	fact->is_number = reading->nvalues == 1 && reading->values[0].begin <= words->tokens[0].begin &&
		reading->values[0].end >= words->tokens[words->ntokens - 1].end;
}

static void
ReadFactOf(ConflictFinder *finder, const JsonView *object, ReadFact *fact)
{
	Span		unit = TextOfMember(object, "unit");
	Span		texts[3];

	fact->subject = TextOfMember(object, "subject");
	fact->attribute = TextOfMember(object, "attribute");
	fact->quote = TextOfMember(object, "quote");
	fact->value = TextOfMember(object, "value");
	texts[0] = fact->subject;
	texts[1] = fact->attribute;
	texts[2] = TextOfMember(object, "scope");
	fact->key = KeyOfTexts(texts, lengthof(texts));
	fact->folded = FoldedText(fact->value);
	if (unit.len > 0)
		ReadFactValue(finder,
					  SpanOfCString(psprintf("%.*s %.*s", fact->value.len, fact->value.str, unit.len, unit.str)), fact);
	if (!fact->is_number)
	{
		ReadFactValue(finder, fact->value, fact);
		fact->unit = FoldedText(unit);
	}
}

static int
CompareFacts(const void *a, const void *b, void *facts)
{
	int			left = *(const int *) a;
	int			right = *(const int *) b;
	int			cmp = SpanCompare(((ReadFact *) facts)[left].key, ((ReadFact *) facts)[right].key);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

static void
ReadFacts(ConflictFinder *finder, const JsonView *facts, ChunkRecord *record)
{
	if (facts->type == JVIEW_ABSENT)
		return;
	record->nfacts = JsonViewCount(facts);
	record->facts = palloc_extended(sizeof(ReadFact) * (Size) Max(record->nfacts, 1),
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	record->by_key = palloc_extended(sizeof(int) * (Size) Max(record->nfacts, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < record->nfacts; i++)
	{
		JsonView	fact = JsonViewAt(facts, i);

		CHECK_FOR_INTERRUPTS();
		ReadFactOf(finder, &fact, &record->facts[i]);
		record->by_key[i] = i;
	}
	qsort_arg(record->by_key, record->nfacts, sizeof(int), CompareFacts, record->facts);
}

static void
ReadChunkRecord(ConflictFinder *finder, int chunk)
{
	ChunkRecord *record = &finder->records[chunk];

	if (record->is_read)
		return;
	record->is_read = true;
	record->reading = ChunkReadSentences(finder->set, chunk);
	StatementsRead(finder->set, chunk, STATEMENTS_WITH_TOPIC, &finder->units, &record->said);
	ReadPlaces(record);
	ReadFacts(finder, &finder->set->chunks[chunk].facts, record);
}

/* Makes room for comparing any two of the chunks that were read. */
static void
MakeRoom(ConflictFinder *finder, const int *which, int count)
{
	int			most = 1;
	int			nwords = LexiconSize(finder->set->lexicon) + 1;

	for (int i = 0; i < count; i++)
		most = Max(most, finder->records[which == NULL ? i : which[i]].said.count);
	for (int side = 0; side < 2 && most > finder->ncounts; side++)
		finder->counts[side] = palloc_extended(most, MCXT_ALLOC_HUGE);
	finder->ncounts = Max(finder->ncounts, most);
	if (nwords > finder->nseen)
		finder->seen = palloc_extended(nwords * sizeof(uint64), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	finder->nseen = Max(finder->nseen, nwords);
}

/* Sets up a comparison; a and b are indexes in the set. */
static Comparison
ComparisonOf(ConflictFinder *finder, int a, int b)
{
	Comparison	pair = {
		.finder = finder,
		.a = {.chunk = &finder->set->chunks[a], .said = &finder->records[a].said, .counts = finder->counts[0]},
		.b = {.chunk = &finder->set->chunks[b], .said = &finder->records[b].said, .counts = finder->counts[1]},
		.both = -1,
	};

	return pair;
}

static ChunkRecord *
RecordOf(const Comparison *pair, const Side *side)
{
	return &pair->finder->records[side->chunk - pair->finder->set->chunks];
}

/* ----------
 * Facts
 * ----------
 */

/* Returns the unit of a fact that is a number: from the table, or else as written; empty if it has none. */
static Span
UnitOfFact(const ReadFact *fact)
{
	const ReadValue *value = &fact->reading->values[0];

	return value->unit == VALUE_NO_UNIT ? fact->unit : ReaderUnitName(fact->reading->reader, value->unit);
}

static bool
AreFactsEqual(const ReadFact *a, const ReadFact *b)
{
	Span		x;
	Span		y;

	if (!a->is_number || !b->is_number)
		return SpanEqual(a->folded, b->folded);
	x = UnitOfFact(a);
	y = UnitOfFact(b);
	return SpanEqual(a->reading->values[0].number, b->reading->values[0].number) &&
		(x.len == 0 || y.len == 0 || SpanEqual(x, y));
}

/* Returns the first position of a key among the facts by key, or where it would be. */
static int
PlaceOfKey(const ChunkRecord *record, Span key)
{
	int			low = 0;

	FIRST_PLACE(low, record->nfacts, at, SpanCompare(record->facts[record->by_key[at]].key, key) < 0);
	return low;
}

/* Returns the fact at a position in the order by key, if it has this key; else NULL. */
static const ReadFact *
FactAt(const ChunkRecord *record, int place, Span key)
{
	const ReadFact *fact;

	if (place >= record->nfacts)
		return NULL;
	fact = &record->facts[record->by_key[place]];
	return SpanEqual(fact->key, key) ? fact : NULL;
}

/* Are there facts with a key on both sides, without a common value? */
static bool
FactsDiffer(const ChunkRecord *a, const ChunkRecord *b, Span key)
{
	int			first = PlaceOfKey(b, key);

	if (FactAt(b, first, key) == NULL)
		return false;
	for (int i = PlaceOfKey(a, key); FactAt(a, i, key) != NULL; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int k = first; FactAt(b, k, key) != NULL; k++)
		{
			if (AreFactsEqual(FactAt(a, i, key), FactAt(b, k, key)))
				return false;
		}
	}
	return true;
}

/* Returns the lesser of two spellings, so that the order of the chunks does not matter. */
static Span
LesserSpelling(Span a, Span b)
{
	return SpanOrder(a, b) <= 0 ? a : b;
}

/* Returns the first position of tokens among others, or -1. */
static int
PlaceOfRun(const Words *words, const Words *run)
{
	for (int i = 0; run->ntokens > 0 && i + run->ntokens <= words->ntokens; i++)
	{
		int			k = 0;

		while (k < run->ntokens && words->tokens[i + k].word == run->tokens[k].word)
			k++;
		if (k == run->ntokens)
			return i;
	}
	return -1;
}

/* Returns a fact's quote with its context, or the beginning of the text if the quote is not in it. */
static Span
SnippetOfFact(const Comparison *pair, const Chunk *chunk, Span quote)
{
	Words		run;
	int			place;

	WordsRead(pair->finder->set->lexicon, quote, &run);
	place = PlaceOfRun(&chunk->words, &run);
	return place < 0 ? SnippetOfBeginning(chunk->text) :
		SnippetAround(chunk->text, chunk->words.tokens[place].begin, chunk->words.tokens[place + run.ntokens - 1].end);
}

static void
ShowFacts(Comparison *pair, const ReadFact *a, const ReadFact *b)
{
	Span		subject = LesserSpelling(a->subject, b->subject);
	Span		attribute = LesserSpelling(a->attribute, b->attribute);

	pair->kind = KIND_FACT;
	pair->type = a->is_number && b->is_number ? CONFLICT_NUMERIC : CONFLICT_POLICY;
	pair->reason = SpanOfCString(psprintf("%.*s, %.*s: %.*s vs %.*s", subject.len, subject.str,
										  attribute.len, attribute.str, a->value.len, a->value.str,
										  b->value.len, b->value.str));
	pair->snippet_a = SnippetOfFact(pair, pair->a.chunk, a->quote);
	pair->snippet_b = SnippetOfFact(pair, pair->b.chunk, b->quote);
}

static bool
IsFactConflict(Comparison *pair)
{
	const ChunkRecord *a = RecordOf(pair, &pair->a);
	const ChunkRecord *b = RecordOf(pair, &pair->b);

	if (b->nfacts == 0)
		return false;
	for (int i = 0; i < a->nfacts; i++)
	{
		Span		key = a->facts[i].key;

		if (a->by_key[PlaceOfKey(a, key)] != i || !FactsDiffer(a, b, key))
			continue;
		ShowFacts(pair, &a->facts[i], FactAt(b, PlaceOfKey(b, key), key));
		return true;
	}
	return false;
}

/* ----------
 * Judges
 * ----------
 */

static Span
PassageOf(const Comparison *pair, const Side *side)
{
	ChunkRecord *record = RecordOf(pair, side);

	if (record->passage.len == 0)
		record->passage = ChunkPassage(side->chunk);
	return record->passage;
}

/* Has the panel judged the pair? If so, sets what it says. */
static bool
IsJudged(Comparison *pair)
{
	Consultation *consultation = pair->finder->consultation;
	const Chunk *chunks = pair->finder->set->chunks;
	int			numbers[] = {pair->a.chunk - chunks, pair->b.chunk - chunks};
	const PanelSays *says;

	if (consultation == NULL || !ConsultationAsks(consultation, JUDGE_CONFLICT))
		return false;
	says = &ConsultationPair(consultation, JUDGE_CONFLICT, PassageOf(pair, &pair->a), PassageOf(pair, &pair->b),
							 -1, numbers, lengthof(numbers))->says;
	if (says->verdict == PANEL_NOT_JUDGED)
		return false;
	if (says->verdict != PANEL_CONTRADICTS)
		return true;
	pair->kind = KIND_JUDGED;
	pair->type = CONFLICT_POLICY;
	pair->name = says->contradictor;
	pair->reason = SpanOfCString(psprintf("judged by %.*s", pair->name.len, pair->name.str));
	pair->snippet_a = SnippetOfBeginning(pair->a.chunk->text);
	pair->snippet_b = SnippetOfBeginning(pair->b.chunk->text);
	return true;
}

/* ----------
 * Near copies
 * ----------
 */

/* Two sentences, one of each side, that are near copies. */
typedef struct Copy
{
	int			a;
	int			b;
	Slot		slot;
	SlotFound	found;
} Copy;

/* Counts how many items of a sentence each sentence of the other text has. */
static void
CountShared(const Reading *reading, int sentence, const ChunkRecord *other, int *shared)
{
	const ReadSentence *read = &reading->sentences[sentence];

	memset(shared, 0, sizeof(int) * SLOT_MAX_SENTENCES);
	for (int i = 0; i < read->nitems; i++)
	{
		int			item = reading->sentence_items[read->first_item + i];
		int			low = 0;

		FIRST_PLACE(low, other->nplaces, at, other->places[at].item < item);
		for (; low < other->nplaces && other->places[low].item == item; low++)
			shared[other->places[low].sentence]++;
	}
}

/* Does the other text have a sentence that says the same? */
static bool
HasSame(const ChunkRecord *record, int sentence, const ChunkRecord *other)
{
	int			shared[SLOT_MAX_SENTENCES];
	int			count = Min(other->reading->nsentences, SLOT_MAX_SENTENCES);

	CountShared(record->reading, sentence, other, shared);
	for (int i = 0; i < count; i++)
	{
		if (shared[i] >= COPY_MIN_ITEMS &&
			SlotOf(record->reading, sentence, other->reading, i, NULL) == SLOT_SAME)
			return true;
	}
	return false;
}

/* What is known of a sentence of b: does a have one that says the same? */
typedef enum Sameness
{
	SAMENESS_UNKNOWN,
	SAMENESS_NONE,
	SAMENESS_FOUND
} Sameness;

/*
 * Finds the near copy of a sentence of a: the first such sentence of b that a
 * itself does not have.  There is none if b has the sentence of a itself.
 */
static bool
FindCopyOf(const ChunkRecord *a, int sentence, const ChunkRecord *b, uint8 *sameness, Copy *copy)
{
	int			count = Min(b->reading->nsentences, SLOT_MAX_SENTENCES);
	int			shared[SLOT_MAX_SENTENCES];
	bool		is_asked = false;

	CountShared(a->reading, sentence, b, shared);
	for (int i = 0; i < count; i++)
	{
		*copy = (Copy) {sentence, i, SLOT_NONE, {0}};
		if (shared[i] < COPY_MIN_ITEMS)
			continue;
		copy->slot = SlotOf(a->reading, sentence, b->reading, i, &copy->found);
		if (copy->slot == SLOT_SAME || (copy->slot != SLOT_NONE && !is_asked && HasSame(a, sentence, b)))
			return false;
		if (copy->slot == SLOT_NONE)
			continue;
		is_asked = true;
		if (sameness[i] == SAMENESS_UNKNOWN)
			sameness[i] = HasSame(b, i, a) ? SAMENESS_FOUND : SAMENESS_NONE;
		if (sameness[i] == SAMENESS_NONE)
			return true;
	}
	return false;
}

/* Is the token the end of n't? */
static bool
IsContractedNot(const Comparison *pair, const Chunk *chunk, int token)
{
	const Token *tokens = chunk->words.tokens;
	const Lexicon *lexicon = pair->finder->set->lexicon;
	Span		before;
	Span		between;

	if (token == 0 || !SpanEqualCString(LexiconWord(lexicon, tokens[token].word)->folded, "t"))
		return false;
	before = LexiconWord(lexicon, tokens[token - 1].word)->folded;
	between = TextWithoutFormat(SpanOf(chunk->text.str + tokens[token - 1].end,
									   tokens[token].begin - tokens[token - 1].end));
	return before.str[before.len - 1] == 'n' &&
		(SpanEqualCString(between, "'") || SpanEqualCString(between, "\xE2\x80\x99"));
}

/* Finds the first negator of a sentence that negates, if there is one. */
static void
FirstNegator(const Comparison *pair, const Chunk *chunk, const ReadSentence *sentence, int *begin, int *end)
{
	const Token *tokens = chunk->words.tokens;
	int			spared = 0;		/* first token after a pair that does not negate */

	for (int i = sentence->first; i < sentence->end_token; i++)
	{
		const Match *spares = MatchAt(&chunk->matches, RULE_NOT_NEGATING, i);
		const Match *negator = MatchAt(&chunk->matches, RULE_NEGATOR, i);
		int			last = i;

		if (spares != NULL)
			spared = Max(spared, i + spares->count);
		if (negator != NULL && i >= spared)
			last = i + negator->count - 1;
		else if (i + 1 < sentence->end_token && IsContractedNot(pair, chunk, i + 1))
			last = i + 1;
		else if (!SpanEqualCString(LexiconWord(pair->finder->set->lexicon, tokens[i].word)->folded, "cannot"))
			continue;
		*begin = tokens[i].begin;
		*end = tokens[last].end;
		return;
	}
}

/* Returns a snippet: the first negator with its context, or the whole sentence if it is not negated. */
static Span
SnippetOfNegation(const Comparison *pair, const Chunk *chunk, const Reading *reading, int sentence)
{
	const ReadSentence *read = &reading->sentences[sentence];
	int			begin = read->begin;
	int			end = read->end;

	FirstNegator(pair, chunk, read, &begin, &end);
	return SnippetAround(chunk->text, begin, end);
}

static void
ShowCopy(Comparison *pair, const Copy *copy)
{
	const Reading *a = RecordOf(pair, &pair->a)->reading;
	const Reading *b = RecordOf(pair, &pair->b)->reading;

	pair->kind = KIND_COPY;
	if (copy->slot == SLOT_NEGATION)
	{
		pair->type = CONFLICT_POLICY;
		pair->reason = SpanOfCString("same statement, one negated");
		pair->snippet_a = SnippetOfNegation(pair, pair->a.chunk, a, copy->a);
		pair->snippet_b = SnippetOfNegation(pair, pair->b.chunk, b, copy->b);
		return;
	}
	pair->type = CONFLICT_NUMERIC;
	pair->reason = SpanOfCString(psprintf("same statement, another value: %s vs %s",
										  ReadValueWithUnit(a->reader, copy->found.a),
										  ReadValueWithUnit(b->reader, copy->found.b)));
	pair->snippet_a = SnippetAround(pair->a.chunk->text, copy->found.a->begin, copy->found.a->end);
	pair->snippet_b = SnippetAround(pair->b.chunk->text, copy->found.b->begin, copy->found.b->end);
}

static bool
IsCopyConflict(Comparison *pair)
{
	const ChunkRecord *a = RecordOf(pair, &pair->a);
	const ChunkRecord *b = RecordOf(pair, &pair->b);
	uint8		sameness[SLOT_MAX_SENTENCES] = {SAMENESS_UNKNOWN};
	Copy		copy;

	for (int i = 0; i < Min(a->reading->nsentences, SLOT_MAX_SENTENCES); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!FindCopyOf(a, i, b, sameness, &copy))
			continue;
		ShowCopy(pair, &copy);
		return true;
	}
	return false;
}

/* ----------
 * Comparing
 * ----------
 */

/* Finds a conflict by rules 1 to 4. The chunks must share a topic family. */
static bool
IsTopicConflict(Comparison *pair)
{
	ConflictKind kind;

	if (!bms_overlap(pair->a.said->families, pair->b.said->families))
		return false;
	pair->shared = bms_intersect(pair->a.said->families, pair->b.said->families);
	kind = KindOfConflict(pair);
	bms_free(pair->shared);
	if (kind == KIND_NONE)
		return false;
	pair->kind = kind;
	pair->type = kinds[kind].type;
	pair->reason = ReasonOf(pair, kind);
	pair->snippet_a = SnippetOfSide(&pair->a, kind);
	pair->snippet_b = SnippetOfSide(&pair->b, kind);
	return true;
}

/* Compares two chunks by all rules; the first one that holds decides. */
static void
CompareTwoChunks(Comparison *pair)
{
	bool		asks = pair->finder->consultation != NULL &&
		ConsultationAsks(pair->finder->consultation, JUDGE_CONFLICT);

	if (SpanEqual(pair->a.chunk->doc_id, pair->b.chunk->doc_id) ||
		(asks && (IsFactConflict(pair) || IsJudged(pair))))
		return;
	if (bms_equal(pair->a.said->qualifiers, pair->b.said->qualifiers) &&
		(IsTopicConflict(pair) || IsCopyConflict(pair)))
		return;
	if (!asks)
		(void) IsFactConflict(pair);
}

static PairOutcome
OutcomeOf(Comparison *pair)
{
	PairOutcome		outcome = {0};
	EntryParts	parts;

	CompareTwoChunks(pair);
	if (pair->kind == KIND_NONE)
		return outcome;
	parts = (EntryParts) {
		.a = pair->a.chunk,
		.b = pair->b.chunk,
		.reason = pair->reason,
		.type = pair->type,
		.kind = pair->kind == KIND_JUDGED ? pair->name : SpanOfCString(kinds[pair->kind].name),
		.snippet_a = pair->snippet_a,
		.snippet_b = pair->snippet_b,
	};
	outcome.holds = true;
	outcome.type = pair->type;
	outcome.size = EntrySize(&parts);
	outcome.entry = EntryView(&parts);
	return outcome;
}

/* Compares two chunks, unless they were compared before. a and b are indexes in the set, ascending. */
static void
ComparePair(ConflictFinder *finder, int a, int b)
{
	int			key[2] = {a, b};
	bool		was_compared = false;
	PairOutcome    *kept = finder->outcomes == NULL ? NULL :
		hash_search(finder->outcomes, key, HASH_ENTER, &was_compared);
	PairOutcome		outcome;

	if (!was_compared)
	{
		Comparison	pair = ComparisonOf(finder, a, b);

		outcome = OutcomeOf(&pair);
		memcpy(outcome.pair, key, sizeof(key));
		if (kept != NULL)
			*kept = outcome;
	}
	else
		outcome = *kept;
	if (!outcome.holds)
		return;
	finder->found->size += outcome.size;
	AddPair(finder->found, (ConflictPair) {a, b, outcome.type, outcome.entry});
}

/* Keeps outcomes, if the same pairs may be compared again. */
static void
KeepOutcomes(ConflictFinder *finder)
{
	HASHCTL		control = {
		.keysize = sizeof(int) * 2,
		.entrysize = sizeof(PairOutcome),
		.hcxt = CurrentMemoryContext,
	};

	if (finder->outcomes == NULL)
		finder->outcomes = hash_create("compared chunks", 256, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Lists the used chunks, which are compared with all others. Returns their count. */
static int
UsedOf(const Comparing *comparing, const int *which, int count, int *used)
{
	int			nused = 0;

	for (int i = 0; i < count; i++)
	{
		if (comparing->is_used == NULL || comparing->is_used[which[i]])
			used[nused++] = which[i];
	}
	return nused;
}

/* Compares each chunk with those after it, if one of the two is used. Stops if the entries become too large. */
static void
CompareAll(ConflictFinder *finder, const Comparing *comparing, const int *which, int count)
{
	int		   *used = palloc_extended(sizeof(int) * (Size) count, MCXT_ALLOC_HUGE);
	int			nused = UsedOf(comparing, which, count, used);
	int			behind = 0;		/* the first used chunk after a */

	for (int i = 0; i < count; i++)
	{
		int			a = which[i];
		bool		is_used = behind < nused && used[behind] == a;
		const int  *others;
		int			nothers;

		behind += is_used;
		others = is_used ? which + i + 1 : used + behind;
		nothers = is_used ? count - i - 1 : nused - behind;
		for (int k = 0; k < nothers; k++)
		{
			CHECK_FOR_INTERRUPTS();
			ComparePair(finder, a, others[k]);
			if (ConflictsAreTooLarge(finder->found))
				return;
		}
	}
	pfree(used);
}

void
ConflictsFindWith(ConflictFinder *finder, const Comparing *comparing, Conflicts *conflicts)
{
	int			count = comparing->which == NULL ? finder->set->count : comparing->count;
	int		   *which = palloc_extended(sizeof(int) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	memset(conflicts, 0, sizeof(Conflicts));
	conflicts->compared = count;
	conflicts->most = comparing->most;
	finder->found = conflicts;
	finder->consultation = comparing->consultation;
	if (comparing->is_used != NULL)
		KeepOutcomes(finder);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		which[i] = comparing->which == NULL ? i : comparing->which[i];
		if (count >= 2)
			ReadChunkRecord(finder, which[i]);
	}
	if (count >= 2)
	{
		MakeRoom(finder, which, count);
		CompareAll(finder, comparing, which, count);
	}
	pfree(which);
}

/* ----------
 * Single texts
 * ----------
 */

struct ConflictJudge
{
	ConflictFinder *finder;
};

ConflictJudge *
ConflictJudgeBegin(ChunkSet *set)
{
	ConflictJudge *judge = palloc(sizeof(ConflictJudge));

	judge->finder = ConflictFinderBegin(set);
	for (int i = 0; i < set->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		/* take sentences from the same reading */
		(void) ChunkReadSentences(set, i);
		StatementsRead(set, i, STATEMENTS_ALL, &judge->finder->units, &judge->finder->records[i].said);
	}
	MakeRoom(judge->finder, NULL, set->count);
	return judge;
}

bool
ConflictJudgeHolds(ConflictJudge *judge, int a, int b, ConflictTerms terms)
{
	ConflictFinder *finder = judge->finder;
	Comparison	pair = ComparisonOf(finder, a, b);
	ConflictKind kind;

	pair.demand = terms == CONFLICT_WITH_CLAIM ? DEMAND_CLAIM : DEMAND_SOURCE;
	if (!bms_equal(pair.a.said->qualifiers, pair.b.said->qualifiers) ||
		(pair.demand != DEMAND_CLAIM && !bms_overlap(pair.a.said->families, pair.b.said->families)))
		return false;
	pair.shared = bms_intersect(pair.a.said->families, pair.b.said->families);
	kind = KindOfConflict(&pair);
	bms_free(pair.shared);
	return kind != KIND_NONE;
}

/* ----------
 * The result
 * ----------
 */

static const char *
SummaryOf(const Conflicts *conflicts)
{
	if (conflicts->npairs > 0)
		return psprintf("%s conflict detected: %d conflicting pair(s) found",
						type_titles[conflicts->pairs[0].type], conflicts->npairs);
	if (conflicts->compared < 2)
		return "No conflicts detected (insufficient chunks for comparison)";
	return "No conflicts detected";
}

JsonView
ConflictsView(const Conflicts *conflicts)
{
	JsonView	view = JsonViewNewObject(5);
	JsonView	pairs = JsonViewNewArray(conflicts->npairs);

	for (int i = 0; i < conflicts->npairs; i++)
		JsonViewAppend(&pairs, conflicts->pairs[i].entry);
	JsonViewSet(&view, "conflict_detected", JsonViewBool(conflicts->npairs > 0));
	JsonViewSet(&view, "conflict_type", conflicts->npairs == 0 ? JsonViewNull() :
				JsonViewCString(conflict_type_labels[conflicts->pairs[0].type]));
	JsonViewSet(&view, "pairs", pairs);
	JsonViewSet(&view, "compared", JsonViewInteger(conflicts->compared));
	JsonViewSet(&view, "summary", JsonViewCString(SummaryOf(conflicts)));
	return view;
}

PG_FUNCTION_INFO_V1(answer_eval_conflicts);
Datum
answer_eval_conflicts(PG_FUNCTION_ARGS)
{
	const DecisionRules *rules = DecisionRulesArgument(fcinfo, 1);
	Comparing	comparing = {.most = WRITTEN_MAX_SIZE};
	Conflicts	conflicts;
	JsonView	view;

	ConflictsFindWith(ConflictFinderBegin(ChunksArgument(fcinfo, 0, rules)), &comparing, &conflicts);
	ConflictsRefuseLarge(&conflicts);
	view = ConflictsView(&conflicts);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
