/*-------------------------------------------------------------------------
 *
 * conflict.c
 *		Where retrieved chunks contradict each other.
 *
 * Pure.  Precision comes first, for a false conflict is a refusal: two chunks
 * are compared only if they come from different documents, share a topic
 * family, and agree on which qualifiers ("promotional", "legal hold") they
 * hold.  Of both, only sentences with a shared topic count.  Then the first of
 * these rules that holds makes the pair's one entry:
 *
 *	encryption	plaintext on one side only, encryption on the other only
 *	refund		refundable on one side only, not refundable on the other only
 *	policy		allowed on one side only, prohibited on the other only, and
 *				enough further keywords shared
 *	numeric		a unit of which the sides have no value in common; likewise,
 *				unless a shared topic is about quantities
 *
 * Each rule is symmetric, and none holds between a text and itself: a side
 * cannot be opposed to the same stance, nor values to the same values.
 *
 * Each text is read once (statement.c).  A pair costs no more than the
 * statements of its two chunks, and allocates only where it conflicts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "check/operator.h"
#include "ground/conflict.h"
#include "ground/statement.h"

/* What an entry takes as JSON beside its texts, with what stands between two of them. */
#define ENTRY_FRAME \
	"{\"chunk_a\":{\"chunk_id\":\"\",\"doc_id\":\"\"},\"chunk_b\":{\"chunk_id\":\"\",\"doc_id\":\"\"}," \
	"\"conflict_type\":\"policy\",\"evidence_snippets\":{\"a\":\"\",\"b\":\"\"},\"kind\":\"\",\"reason\":\"\"},"

/* Characters of a text that a snippet shows before and after the deciding words. */
#define SNIPPET_CONTEXT		50

/* The same of a snippet of a detector that gave none, from the text's beginning. */
#define SNIPPET_DEFAULT		100

typedef enum ConflictKind
{
	KIND_NONE,
	KIND_ENCRYPTION,
	KIND_REFUND,
	KIND_POLICY,
	KIND_NUMERIC
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
	bool	   *counts;			/* by statement: has it a shared topic? */
	Stance		stances[MATTERS];
	int			nkeywords;		/* distinct further ones */
	const Quantity *quantity;	/* that decides */
} Side;

typedef struct ConflictFinder
{
	ChunkSet   *set;
	UnitNames	units;
	ChunkStatements *said;		/* of each chunk that is looked at */
	int			encryption;		/* the family of that name, or -1 */
	Bitmapset  *quantities;		/* families of kind quantity */
	bool	   *counts[2];		/* for the two sides of a pair */
	uint64	   *seen;			/* by word: the last mark it got */
	uint64		mark;			/* the last one that was given */
	Conflicts  *found;
} ConflictFinder;

/* How much two sides must share. */
typedef enum Demand
{
	DEMAND_ALL,					/* what answer_conflicts asks for */
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
	int			both;			/* further keywords of both; -1: not counted yet */
} Comparison;

/* Finds the sentences that count. */
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

/* Sums up the stances of the sentences that count. */
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

/*
 * Counts the distinct keywords of a side and gives them a mark; the result is
 * how many of them had the other mark.
 */
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

/* Do the sentences that count share at least half the keywords of the side with fewer, and one? */
static bool
ShareHalf(Comparison *pair)
{
	if (pair->demand == DEMAND_CLAIM)
		return true;
	CountKeywords(pair);
	return pair->both > 0 && (int64) pair->both * 2 >= Min(pair->a.nkeywords, pair->b.nkeywords);
}

/* Do they share as many as policies and numbers must? */
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

/* The next quantity from i on that stands in a sentence that counts. */
static int
NextQuantity(const Side *side, int i)
{
	while (i < side->said->nquantities && !side->counts[side->said->quantities[i].statement])
		i++;
	return i;
}

/* The same of the next unit. */
static int
NextUnit(const Side *side, int i)
{
	const ChunkStatements *said = side->said;
	int			unit = said->quantities[i].quantity.unit;

	while (i < said->nquantities && said->quantities[i].quantity.unit == unit)
		i++;
	return NextQuantity(side, i);
}

/*
 * Do the quantities from a and b on, which are of one unit, have no value in
 * common?  Both are in order of value.
 */
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

/* Finds the first unit on which the sides differ, and of each its least value at its first place. */
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
	/* Keywords last, for they cost most. */
	return DifferInQuantity(pair) &&
		(bms_overlap(pair->shared, pair->finder->quantities) || ShareKeywords(pair));
}

/* The first rule that holds. */
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

/* The character before a byte, and where it begins. */
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

/* The text from begin to end, trimmed, with dots where it is cut. */
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

/* Deciding words with what stands around them. */
static Span
SnippetAround(Span text, int begin, int end)
{
	for (int i = 0; i < SNIPPET_CONTEXT && begin > 0; i++)
		begin = CharacterBefore(text, begin);
	for (int i = 0; i < SNIPPET_CONTEXT && end < text.len; i++)
		end = CharacterAfter(text, end);
	return SnippetOf(text, begin, end);
}

static Span
SnippetOfSide(const Side *side, ConflictKind kind)
{
	Span		text = side->chunk->text;

	switch (kind)
	{
		case KIND_ENCRYPTION:
			return SnippetAround(text, side->stances[MATTER_ENCRYPTION].begin,
								 side->stances[MATTER_ENCRYPTION].end);
		case KIND_REFUND:
			return SnippetAround(text, side->stances[MATTER_REFUND].begin,
								 side->stances[MATTER_REFUND].end);
		case KIND_POLICY:
			return SnippetAround(text, side->stances[MATTER_POLICY].begin,
								 side->stances[MATTER_POLICY].end);
		default:
			return SnippetAround(text, side->quantity->begin, side->quantity->end);
	}
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
	unit = pair->finder->units.names[pair->a.quantity->unit];
	return SpanOfCString(psprintf("numeric conflict: %.*s vs %.*s %.*s",
								  a.len, a.str, b.len, b.str, unit.len, unit.str));
}

static JsonView
SpanView(Span span)
{
	return JsonViewString(span.str, span.len);
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

/* How many bytes an entry takes as JSON at the least: what is escaped takes more. */
static size_t
EntrySize(const EntryParts *parts)
{
	return strlen(ENTRY_FRAME) + parts->kind.len + parts->reason.len +
		parts->snippet_a.len + parts->snippet_b.len +
		parts->a->chunk_id.len + parts->a->doc_id.len +
		parts->b->chunk_id.len + parts->b->doc_id.len;
}

/* Many pairs of long texts would be a result that nobody can hold. */
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
	if (conflicts->npairs == conflicts->capacity)
	{
		conflicts->capacity = Max(8, conflicts->capacity * 2);
		conflicts->pairs = conflicts->pairs == NULL ?
			palloc_array(ConflictPair, conflicts->capacity) :
			repalloc_huge(conflicts->pairs, conflicts->capacity * sizeof(ConflictPair));
	}
	conflicts->pairs[conflicts->npairs++] = pair;
}

static void
AddEntry(ConflictFinder *finder, int a, int b, const Comparison *pair, ConflictKind kind)
{
	EntryParts	parts = {
		.a = pair->a.chunk,
		.b = pair->b.chunk,
		.reason = ReasonOf(pair, kind),
		.type = kinds[kind].type,
		.kind = SpanOfCString(kinds[kind].name),
		.snippet_a = SnippetOfSide(&pair->a, kind),
		.snippet_b = SnippetOfSide(&pair->b, kind),
	};

	finder->found->size += EntrySize(&parts);
	AddPair(finder->found, (ConflictPair) {a, b, parts.type, EntryView(&parts)});
}

/* Are the two compared at all?  Then what they share is in "shared". */
static bool
AreComparable(const Side *a, const Side *b, Bitmapset **shared)
{
	if (!bms_overlap(a->said->families, b->said->families) ||
		!bms_equal(a->said->qualifiers, b->said->qualifiers) ||
		SpanEqual(a->chunk->doc_id, b->chunk->doc_id))
		return false;
	*shared = bms_intersect(a->said->families, b->said->families);
	return true;
}

/* Numbers are of the set; said_a and said_b are what those chunks say. */
static void
ComparePair(ConflictFinder *finder, int a, const ChunkStatements *said_a,
			int b, const ChunkStatements *said_b)
{
	Comparison	pair = {
		.finder = finder,
		.a = {.chunk = &finder->set->chunks[a], .said = said_a, .counts = finder->counts[0]},
		.b = {.chunk = &finder->set->chunks[b], .said = said_b, .counts = finder->counts[1]},
		.both = -1,
	};
	ConflictKind kind;

	if (!AreComparable(&pair.a, &pair.b, &pair.shared))
		return;
	kind = KindOfConflict(&pair);
	if (kind != KIND_NONE)
		AddEntry(finder, a, b, &pair, kind);
	bms_free(pair.shared);
}

static void
FinderInit(ConflictFinder *finder, ChunkSet *set)
{
	const DecisionRules *rules = set->rules;

	memset(finder, 0, sizeof(ConflictFinder));
	finder->set = set;
	finder->encryption = -1;
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
}

/* Compares each of the chunks with those after it, as long as the entries are not too large. */
static void
CompareAll(ConflictFinder *finder, const int *which, int count)
{
	for (int a = 0; a < count; a++)
	{
		for (int b = a + 1; b < count; b++)
		{
			CHECK_FOR_INTERRUPTS();
			ComparePair(finder, which == NULL ? a : which[a], &finder->said[a],
						which == NULL ? b : which[b], &finder->said[b]);
			if (ConflictsAreTooLarge(finder->found))
				return;
		}
	}
}

/* Reads chunks, and makes room for comparing any two of them. */
static void
ReadAll(ConflictFinder *finder, const int *which, int count, StatementScope scope)
{
	ChunkSet   *set = finder->set;
	int			most = 1;

	finder->said = palloc_extended(Max(count, 1) * sizeof(ChunkStatements), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		StatementsRead(set, which == NULL ? i : which[i], scope, &finder->units, &finder->said[i]);
		most = Max(most, finder->said[i].count);
	}
	for (int side = 0; side < 2; side++)
		finder->counts[side] = palloc_extended(most, MCXT_ALLOC_HUGE);
	finder->seen = palloc_extended((LexiconSize(set->lexicon) + 1) * sizeof(uint64),
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

void
ConflictsFind(ChunkSet *set, const int *which, int count, size_t most, Conflicts *conflicts)
{
	ConflictFinder finder;

	if (which == NULL)
		count = set->count;
	memset(conflicts, 0, sizeof(Conflicts));
	conflicts->compared = count;
	conflicts->most = most;
	if (count < 2)
		return;
	FinderInit(&finder, set);
	finder.found = conflicts;
	ReadAll(&finder, which, count, STATEMENTS_WITH_TOPIC);
	CompareAll(&finder, which, count);
	pfree(finder.seen);
	pfree(finder.said);
}

/* ----------
 * Single texts
 * ----------
 */

struct ConflictJudge
{
	ConflictFinder finder;
};

ConflictJudge *
ConflictJudgeBegin(ChunkSet *set)
{
	ConflictJudge *judge = palloc(sizeof(ConflictJudge));

	FinderInit(&judge->finder, set);
	ReadAll(&judge->finder, NULL, set->count, STATEMENTS_ALL);
	return judge;
}

bool
ConflictJudgeHolds(ConflictJudge *judge, int a, int b, ConflictTerms terms)
{
	ConflictFinder *finder = &judge->finder;
	Comparison	pair = {
		.finder = finder,
		.demand = terms == CONFLICT_WITH_CLAIM ? DEMAND_CLAIM : DEMAND_SOURCE,
		.a = {.chunk = &finder->set->chunks[a], .said = &finder->said[a], .counts = finder->counts[0]},
		.b = {.chunk = &finder->set->chunks[b], .said = &finder->said[b], .counts = finder->counts[1]},
		.both = -1,
	};
	ConflictKind kind;

	if (!bms_equal(pair.a.said->qualifiers, pair.b.said->qualifiers) ||
		(pair.demand != DEMAND_CLAIM && !bms_overlap(pair.a.said->families, pair.b.said->families)))
		return false;
	pair.shared = bms_intersect(pair.a.said->families, pair.b.said->families);
	kind = KindOfConflict(&pair);
	bms_free(pair.shared);
	return kind != KIND_NONE;
}

bool
ConflictJudgeNegates(const ConflictJudge *judge, int chunk)
{
	return judge->finder.said[chunk].negates;
}

/* ----------
 * What users' detectors found
 * ----------
 */

/* The chunk that a member names: an object with a chunk_id, or the id alone; NULL if there is none. */
static const Chunk *
ChunkOfMember(const ChunkSet *set, const JsonView *pair, const char *key)
{
	JsonView	side;
	JsonView	member;

	if (!JsonViewGetMember(pair, key, &side))
		return NULL;
	member = side;
	if (side.type == JVIEW_OBJECT && !JsonViewGetMember(&side, "chunk_id", &member))
		return NULL;
	return member.type == JVIEW_STRING ? ChunkOfId(set, SpanOf(member.str, member.len)) : NULL;
}

/* What a detector quotes of a side, or the beginning of its chunk. */
static bool
DetectedSnippet(const JsonView *pair, const char *key, const Chunk *chunk, Span *snippet)
{
	JsonView	snippets;
	JsonView	member;
	int			end = 0;

	if (JsonViewGetMember(pair, "evidence_snippets", &snippets))
	{
		if (snippets.type != JVIEW_OBJECT || !JsonViewGetMember(&snippets, key, &member) ||
			member.type != JVIEW_STRING)
			return false;
		*snippet = SpanOf(member.str, member.len);
		return true;
	}
	for (int i = 0; i < SNIPPET_DEFAULT && end < chunk->text.len; i++)
		end = CharacterAfter(chunk->text, end);
	*snippet = SnippetOf(chunk->text, 0, end);
	return true;
}

static bool
DetectedType(const JsonView *pair, ConflictType *type)
{
	JsonView	member;

	*type = CONFLICT_POLICY;
	if (!JsonViewGetMember(pair, "conflict_type", &member) || JsonViewStringIs(&member, "policy"))
		return true;
	*type = CONFLICT_NUMERIC;
	return JsonViewStringIs(&member, "numeric");
}

/* Reads one pair; what is wrong with it, or NULL. */
static const char *
ReadDetected(const ChunkSet *set, const JsonView *pair, EntryParts *parts)
{
	JsonView	reason;

	if (pair->type != JVIEW_OBJECT)
		return "is not an object";
	parts->a = ChunkOfMember(set, pair, "chunk_a");
	parts->b = ChunkOfMember(set, pair, "chunk_b");
	if (parts->a == NULL)
		return "names no chunk of these in \"chunk_a\"";
	if (parts->b == NULL)
		return "names no chunk of these in \"chunk_b\"";
	if (parts->a == parts->b)
		return "names one chunk twice";
	if (!JsonViewGetMember(pair, "reason", &reason) || reason.type != JVIEW_STRING || reason.len == 0)
		return "has no \"reason\"";
	parts->reason = SpanOf(reason.str, reason.len);
	if (!DetectedType(pair, &parts->type))
		return "has a \"conflict_type\" that is neither \"policy\" nor \"numeric\"";
	if (!DetectedSnippet(pair, "a", parts->a, &parts->snippet_a) ||
		!DetectedSnippet(pair, "b", parts->b, &parts->snippet_b))
		return "has \"evidence_snippets\" without the strings \"a\" and \"b\"";
	return NULL;
}

bool
ConflictsAddDetected(Conflicts *conflicts, const ChunkSet *set, Span name,
					 const JsonView *pairs, const char **problem)
{
	if (pairs->type != JVIEW_ARRAY)
	{
		*problem = "the result is not an array of pairs";
		return false;
	}
	for (int i = 0; i < JsonViewCount(pairs); i++)
	{
		EntryParts	parts = {.kind = name};
		JsonView	pair;
		const char *wrong;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(pairs, i, &pair);
		wrong = ReadDetected(set, &pair, &parts);
		if (wrong != NULL)
		{
			*problem = psprintf("pair %d %s", i, wrong);
			return false;
		}
		AddPair(conflicts, (ConflictPair) {parts.a - set->chunks, parts.b - set->chunks, parts.type,
				EntryView(&parts)});
	}
	return true;
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
	Conflicts	conflicts;
	JsonView	view;

	ConflictsFind(ChunksArgument(fcinfo, 0, rules), NULL, 0, WRITTEN_MAX_SIZE, &conflicts);
	ConflictsRefuseLarge(&conflicts);
	view = ConflictsView(&conflicts);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, false));
}
