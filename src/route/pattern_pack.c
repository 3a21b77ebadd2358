/*-------------------------------------------------------------------------
 *
 * pattern_pack.c
 *		Matches many patterns against a sentence at once.
 *
 * Rule: doc/spec/route.md §2.3.
 *
 * Pure.  Finds the first of a table's patterns that a sentence matches, as if
 * PatternMatches had been called for one after the other.
 *
 * Each element of each pattern has a place, and a lane has 64 places, so that one
 * operation on 64 bits advances all the patterns in a lane.  A group is what is
 * advanced together: one lane with as many small patterns as fit, or the lanes of one
 * pattern of more than 64 elements.  Once no pattern of a group can match, the group
 * is skipped.
 *
 * To find the elements that can take the next word, the elements that took this word
 * are shifted by one place, for elements followed by their neighbour, and masked, for
 * elements followed by themselves.  Other followers are looked up for each element,
 * and a lane caches the last of these results.
 *
 * Only an element that follows itself stays active over many words.  If a word
 * changed nothing in a group and was taken only for its kinds, the group sleeps until
 * a word of other kinds comes, or one of its literal words, or the last word.
 *
 * Promises: pure; never raises an error because of a question.  A word costs nothing
 * for sleeping groups and a few operations for each other lane.  It also costs at
 * most PATTERN_MAX_ELEMENTS / 64 operations for each element that took it and has
 * other followers.  The values of a list are searched for each element separately.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "base/search.h"
#include "route/pattern_pack.h"

#define LANE_PLACES		64
#define NKINDS			10		/* number of the KIND_... bits */
#define REMEMBERED_BITS	3		/* 8 steps */

typedef struct PackLane
{
	uint64		first;
	uint64		last;
	uint64		lists;			/* elements that take a listed value */
	uint64		itself;			/* elements followed by themselves */
	uint64		neighbour;		/* elements followed by the next place */
	uint64		others;			/* elements followed by other places, too */
	int			group;
	uint64		kinds[NKINDS];	/* elements that take a word of this kind */
} PackLane;

typedef struct PackGroup
{
	int			lane;			/* its first lane */
	int			nlanes;
} PackGroup;

/* The elements of one lane that are a specific word. */
typedef struct PackLiteral
{
	int			lane;
	uint64		places;
} PackLiteral;

/* A cached step of a lane. */
typedef struct PackStep
{
	uint64		done;
	uint64		next;
} PackStep;

/* The state of a lane. */
typedef struct LaneRun
{
	uint64		next;			/* elements that can read the word */
	uint64		literal;		/* elements that are the word, until the lane has read it */
	PackStep	steps[1 << REMEMBERED_BITS];
} LaneRun;

/* Values of lists that end at a later word, by the word's index; and the last such index. */
typedef struct ListRun
{
	uint64		ends[LIST_MAX_WORDS];
	int			until;
} ListRun;

/* The state of a group. */
typedef enum GroupState
{
	GROUP_DEAD,					/* none of its patterns can match any more */
	GROUP_ASLEEP,				/* another word like the last one changes nothing */
	GROUP_AWAKE
} GroupState;

typedef struct PackRun
{
	const PatternPack *pack;
	const Word *words;
	int			nwords;
	LaneRun    *lanes;
	ListRun    *lists;			/* NULL if there is no list */
	GroupState *states;			/* state of each group */
	int			nalive;
	int		   *listed;			/* the groups in order: those not dead, and maybe some that are */
	int			nlisted;
	int		   *awake;
	int			nawake;
	int			kinds[NKINDS];	/* kinds of the word being read */
	int			nkinds;
} PackRun;

/* Allocates zeroed memory for so many items. */
static void *
Room(Size size, int count)
{
	return palloc_extended(size * (Size) Max(count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

/*
 * packing
 */

static inline uint64
PlaceBit(int place)
{
	return UINT64CONST(1) << (place % LANE_PLACES);
}

/* Assigns places and a group to every pattern. */
static void
AssignPlaces(PatternPack *pack, int count)
{
	int			place = 0;

	pack->groups = Room(sizeof(PackGroup), count);
	for (int i = 0; i < count; i++)
	{
		int			n = pack->patterns[i]->nelements;

		if (place % LANE_PLACES + n > LANE_PLACES)
			place = TYPEALIGN(LANE_PLACES, place);
		if (place % LANE_PLACES == 0)
		{
			PackGroup  *group = &pack->groups[pack->ngroups++];

			group->lane = place / LANE_PLACES;
			group->nlanes = pack->patterns[i]->nwords;
		}
		pack->places[i] = place;
		/* a pattern that takes several lanes shares none */
		place += n > LANE_PLACES ? pack->patterns[i]->nwords * LANE_PLACES : n;
	}
	pack->nlanes = (place + LANE_PLACES - 1) / LANE_PLACES;
}

/* Adds what can follow an element. */
static void
PlaceFollowers(PackLane *lane, const Pattern *pattern, int e, int place)
{
	const uint64 *follow = pattern->follow + (size_t) e * pattern->nwords;
	Bits		others;

	memset(&others, 0, sizeof(others));
	memcpy(others.w, follow, sizeof(uint64) * pattern->nwords);
	if (others.w[e / 64] & (UINT64CONST(1) << (e % 64)))
	{
		lane->itself |= PlaceBit(place);
		others.w[e / 64] &= ~(UINT64CONST(1) << (e % 64));
	}
	if (e + 1 < pattern->nelements && (place + 1) % LANE_PLACES != 0 &&
		(others.w[(e + 1) / 64] & (UINT64CONST(1) << ((e + 1) % 64))))
	{
		lane->neighbour |= PlaceBit(place);
		others.w[(e + 1) / 64] &= ~(UINT64CONST(1) << ((e + 1) % 64));
	}
	if (BitsNext(&others, -1) >= 0)
		lane->others |= PlaceBit(place);
}

static void
PlacePattern(PatternPack *pack, int number)
{
	const Pattern *pattern = pack->patterns[number];

	for (int e = 0; e < pattern->nelements; e++)
	{
		const Element *element = &pattern->elements[e];
		int			place = pack->places[number] + e;
		PackLane   *lane = &pack->lanes[place / LANE_PLACES];

		pack->pattern_of[place] = number;
		if (pattern->first.w[e / 64] & (UINT64CONST(1) << (e % 64)))
			lane->first |= PlaceBit(place);
		if (pattern->last.w[e / 64] & (UINT64CONST(1) << (e % 64)))
			lane->last |= PlaceBit(place);
		PlaceFollowers(lane, pattern, e, place);
		if (element->slot < 0)
			continue;
		if (element->kinds == 0)
			lane->lists |= PlaceBit(place);
		for (int k = 0; k < NKINDS; k++)
		{
			if (element->kinds & (1 << k))
				lane->kinds[k] |= PlaceBit(place);
		}
	}
}

/*
 * Lists, for each word, the elements that are this word: first counts them, then enters
 * them in the order of lanes.
 */
static void
PlaceLiterals(PatternPack *pack, int count, int nliterals)
{
	int		   *ends;
	int			total = 0;

	pack->starts = Room(sizeof(int), nliterals + 1);
	for (int i = 0; i < count; i++)
	{
		for (int e = 0; e < pack->patterns[i]->nelements; e++)
		{
			if (pack->patterns[i]->elements[e].slot < 0)
				pack->starts[pack->patterns[i]->elements[e].literal + 1]++;
		}
	}
	for (int i = 0; i < nliterals; i++)
		pack->starts[i + 1] += pack->starts[i];
	total = pack->starts[nliterals];
	pack->literals = Room(sizeof(PackLiteral), total);
	ends = Room(sizeof(int), nliterals);
	memcpy(ends, pack->starts, sizeof(int) * nliterals);
	for (int i = 0; i < count; i++)
	{
		for (int e = 0; e < pack->patterns[i]->nelements; e++)
		{
			int			word = pack->patterns[i]->elements[e].literal;
			int			place = pack->places[i] + e;
			int			lane = place / LANE_PLACES;

			if (pack->patterns[i]->elements[e].slot >= 0)
				continue;
			if (ends[word] == pack->starts[word] || pack->literals[ends[word] - 1].lane != lane)
				pack->literals[ends[word]++] = (PackLiteral) {.lane = lane};
			pack->literals[ends[word] - 1].places |= PlaceBit(place);
		}
	}
	/* close the gaps left by several elements in one lane */
	total = 0;
	for (int i = 0; i < nliterals; i++)
	{
		int			n = ends[i] - pack->starts[i];

		memmove(pack->literals + total, pack->literals + pack->starts[i], sizeof(PackLiteral) * n);
		pack->starts[i] = total;
		total += n;
	}
	pack->starts[nliterals] = total;
	pfree(ends);
}

/* Packs patterns whose literal words are numbered, below "nliterals". */
void
PackInit(PatternPack *pack, const Pattern **patterns, int count, int nliterals)
{
	memset(pack, 0, sizeof(*pack));
	pack->patterns = patterns;
	pack->places = Room(sizeof(int), count);
	AssignPlaces(pack, count);
	pack->lanes = Room(sizeof(PackLane), pack->nlanes);
	pack->pattern_of = Room(sizeof(int) * LANE_PLACES, pack->nlanes);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		PlacePattern(pack, i);
		pack->has_list = pack->has_list || patterns[i]->has_list;
	}
	for (int i = 0; i < pack->ngroups; i++)
	{
		for (int j = 0; j < pack->groups[i].nlanes; j++)
			pack->lanes[pack->groups[i].lane + j].group = i;
	}
	PlaceLiterals(pack, count, nliterals);
}

/*
 * running
 */

/* Returns the elements of a lane that are a word. */
static uint64
FindLiteral(const PackLiteral *literals, int count, int lane)
{
	int			low = 0;

	FIRST_PLACE(low, count, at, literals[at].lane < lane);
	return low < count && literals[low].lane == lane ? literals[low].places : 0;
}

/* Tells a lane which of its elements are the word, which wakes the lane's group. */
static inline void
TellLane(PackRun *run, int lane, uint64 places)
{
	int			group = run->pack->lanes[lane].group;

	run->lanes[lane].literal = places;
	if (places != 0 && run->states[group] == GROUP_ASLEEP)
	{
		run->states[group] = GROUP_AWAKE;
		run->awake[run->nawake++] = group;
	}
}

/* Does the same for all lanes.  If few groups are alive, only for theirs. */
static void
TellLanes(PackRun *run, const Word *word)
{
	const PackLiteral *literals;
	int			count;

	if (word->literal < 0)
		return;
	literals = run->pack->literals + run->pack->starts[word->literal];
	count = run->pack->starts[word->literal + 1] - run->pack->starts[word->literal];
	if (count / 8 <= run->nalive)
	{
		for (int i = 0; i < count; i++)
			TellLane(run, literals[i].lane, literals[i].places);
		return;
	}
	for (int i = 0; i < run->nlisted; i++)
	{
		const PackGroup *group = &run->pack->groups[run->listed[i]];

		for (int lane = group->lane; lane < group->lane + group->nlanes; lane++)
			TellLane(run, lane, FindLiteral(literals, count, lane));
	}
}

/* Looks up the values that begin with this word. */
static void
StartLists(PackRun *run, int lane, uint64 elements, int at)
{
	const PatternPack *pack = run->pack;
	ListRun    *lists = &run->lists[lane];

	for (; elements != 0; elements &= elements - 1)
	{
		int			place = lane * LANE_PLACES + pg_rightmost_one_pos64(elements);
		int			number = pack->pattern_of[place];
		const Pattern *pattern = pack->patterns[number];
		int			slot = pattern->elements[place - pack->places[number]].slot;
		uint32		lengths = PhrasesAt(pattern->slots[slot].list, run->words + at,
										run->nwords - at);

		for (; lengths != 0; lengths &= lengths - 1)
		{
			int			end = at + pg_rightmost_one_pos32(lengths);

			lists->ends[end % LIST_MAX_WORDS] |= PlaceBit(place);
			lists->until = Max(lists->until, end);
		}
	}
}

/*
 * Returns the elements of a lane that have just read this word, and whether all did so
 * because of its kinds.
 */
static uint64
LaneReads(PackRun *run, int number, int at, bool *by_kinds)
{
	const PackLane *lane = &run->pack->lanes[number];
	LaneRun    *live = &run->lanes[number];
	uint64		accepts = live->literal;
	uint64		done;

	if (live->next & live->literal)
		*by_kinds = false;
	live->literal = 0;
	for (int i = 0; i < run->nkinds; i++)
		accepts |= lane->kinds[run->kinds[i]];
	done = live->next & accepts;
	if (lane->lists == 0)
		return done;
	if ((live->next & lane->lists) || run->lists[number].until >= at)
		*by_kinds = false;
	StartLists(run, number, live->next & lane->lists, at);
	done |= run->lists[number].ends[at % LIST_MAX_WORDS];
	run->lists[number].ends[at % LIST_MAX_WORDS] = 0;
	return done;
}

/*
 * Adds the followers of elements other than themselves and their neighbours.  "lanes" are
 * those of their group.
 */
static void
AddOthers(const PatternPack *pack, int lane, uint64 elements, uint64 *lanes)
{
	for (; elements != 0; elements &= elements - 1)
	{
		int			place = lane * LANE_PLACES + pg_rightmost_one_pos64(elements);
		int			number = pack->pattern_of[place];
		int			begin = pack->places[number];
		const Pattern *pattern = pack->patterns[number];
		const uint64 *follow = pattern->follow + (size_t) (place - begin) * pattern->nwords;

		/* a pattern that takes several lanes begins at the start of its group's first lane */
		for (int i = 0; i < pattern->nwords; i++)
			lanes[i] |= follow[i] << (begin % LANE_PLACES);
	}
}

static inline uint64
NearFollowers(const PackLane *lane, uint64 done)
{
	return (done & lane->itself) | ((done & lane->neighbour) << 1);
}

/* Returns what can follow elements of a lane that is a whole group. */
static inline uint64
LaneFollowers(PackRun *run, int number, uint64 done)
{
	const PackLane *lane = &run->pack->lanes[number];
	uint64		next = NearFollowers(lane, done);
	PackStep   *step;

	if ((done & lane->others) == 0)
		return next;
	step = &run->lanes[number].steps[(done * UINT64CONST(0x9E3779B97F4A7C15)) >> (64 - REMEMBERED_BITS)];
	if (step->done != done)
	{
		AddOthers(run->pack, number, done & lane->others, &next);
		step->done = done;
		step->next = next;
	}
	return step->next;
}

/* Returns the first pattern that one of these elements belongs to. */
static int
FirstPattern(const PatternPack *pack, int lane, uint64 elements)
{
	return pack->pattern_of[lane * LANE_PLACES + pg_rightmost_one_pos64(elements)];
}

/* Does the same as StepGroup for the most common groups: one lane without lists. */
static inline GroupState
StepLane(PackRun *run, int number, int at, int *found)
{
	const PackLane *lane = &run->pack->lanes[number];
	LaneRun    *live = &run->lanes[number];
	uint64		literal = live->next & live->literal;
	uint64		done = literal;
	uint64		next;
	bool		same;

	for (int i = 0; i < run->nkinds; i++)
		done |= live->next & lane->kinds[run->kinds[i]];
	live->literal = 0;
	if (at == run->nwords - 1 && (done & lane->last) != 0)
		*found = FirstPattern(run->pack, number, done & lane->last);
	next = LaneFollowers(run, number, done);
	same = next == live->next && literal == 0;
	live->next = next;
	return next == 0 ? GROUP_DEAD : same ? GROUP_ASLEEP : GROUP_AWAKE;
}

/* Reads a word in a group.  At the last word, *found is the first of its patterns that matches. */
static GroupState
StepGroup(PackRun *run, const PackGroup *group, int at, int *found)
{
	uint64		done[BITS_WORDS];
	uint64		next[BITS_WORDS] = {0};
	bool		alive = false;
	bool		same = true;

	if (group->nlanes == 1 && run->pack->lanes[group->lane].lists == 0)
		return StepLane(run, group->lane, at, found);
	for (int i = 0; i < group->nlanes; i++)
	{
		uint64		matches;

		done[i] = LaneReads(run, group->lane + i, at, &same);
		matches = done[i] & run->pack->lanes[group->lane + i].last;
		if (at == run->nwords - 1 && matches != 0)
		{
			*found = FirstPattern(run->pack, group->lane + i, matches);
			return GROUP_DEAD;
		}
	}
	if (group->nlanes == 1)
		next[0] = LaneFollowers(run, group->lane, done[0]);
	else
	{
		for (int i = 0; i < group->nlanes; i++)
		{
			next[i] |= NearFollowers(&run->pack->lanes[group->lane + i], done[i]);
			AddOthers(run->pack, group->lane + i,
					  done[i] & run->pack->lanes[group->lane + i].others, next);
		}
	}
	for (int i = 0; i < group->nlanes; i++)
	{
		LaneRun    *lane = &run->lanes[group->lane + i];

		same = same && lane->next == next[i];
		lane->next = next[i];
		alive = alive || next[i] != 0 || (run->lists && run->lists[group->lane + i].until > at);
	}
	return !alive ? GROUP_DEAD : same ? GROUP_ASLEEP : GROUP_AWAKE;
}

static void
BeginRun(PackRun *run)
{
	const PatternPack *pack = run->pack;

	run->lanes = Room(sizeof(LaneRun), pack->nlanes);
	for (int i = 0; i < pack->nlanes; i++)
		run->lanes[i].next = pack->lanes[i].first;
	if (pack->has_list)
	{
		run->lists = Room(sizeof(ListRun), pack->nlanes);
		for (int i = 0; i < pack->nlanes; i++)
			run->lists[i].until = -1;
	}
	run->states = Room(sizeof(GroupState), pack->ngroups);
	run->listed = Room(sizeof(int), pack->ngroups);
	run->awake = Room(sizeof(int), pack->ngroups);
	run->nalive = run->nlisted = pack->ngroups;
	for (int i = 0; i < pack->ngroups; i++)
	{
		run->states[i] = GROUP_ASLEEP;
		run->listed[i] = i;
	}
}

static void
EndRun(PackRun *run)
{
	pfree(run->lanes);
	if (run->lists)
		pfree(run->lists);
	pfree(run->states);
	pfree(run->listed);
	pfree(run->awake);
}

/* Removes dead groups from the list. */
static void
ListAlive(PackRun *run)
{
	int			count = 0;

	for (int i = 0; i < run->nlisted; i++)
	{
		if (run->states[run->listed[i]] != GROUP_DEAD)
			run->listed[count++] = run->listed[i];
	}
	run->nlisted = count;
}

/* Wakes all groups that are alive, in the order of the patterns. */
static void
WakeAll(PackRun *run)
{
	ListAlive(run);
	memcpy(run->awake, run->listed, sizeof(int) * run->nlisted);
	run->nawake = run->nlisted;
	for (int i = 0; i < run->nawake; i++)
		run->states[run->awake[i]] = GROUP_AWAKE;
}

/* Reads a word; returns the first pattern that matches at the last word, or -1. */
static int
ReadWord(PackRun *run, int at)
{
	const Word *word = &run->words[at];
	int			count;
	int			found = -1;

	run->nkinds = 0;
	for (int k = 0; k < NKINDS; k++)
	{
		if (word->kinds & (1 << k))
			run->kinds[run->nkinds++] = k;
	}
	if (at == 0 || at == run->nwords - 1 || word->kinds != run->words[at - 1].kinds)
		WakeAll(run);
	else if (run->nalive < run->nlisted / 2)
		ListAlive(run);
	TellLanes(run, word);
	count = run->nawake;
	run->nawake = 0;
	for (int i = 0; i < count && found < 0; i++)
	{
		int			group = run->awake[i];

		run->states[group] = StepGroup(run, &run->pack->groups[group], at, &found);
		if (run->states[group] == GROUP_AWAKE)
			run->awake[run->nawake++] = group;
		else if (run->states[group] == GROUP_DEAD)
			run->nalive--;
	}
	return found;
}

/*
 * Returns the first pattern that a sentence matches, or -1.  The sentence's words must be
 * numbered.
 */
int
PackFind(const PatternPack *pack, const Word *words, int nwords)
{
	PackRun		run = {.pack = pack, .words = words, .nwords = nwords};
	int			found = -1;

	BeginRun(&run);
	for (int at = 0; at < nwords && run.nalive > 0 && found < 0; at++)
	{
		CHECK_FOR_INTERRUPTS();
		found = ReadWord(&run, at);
	}
	EndRun(&run);
	return found;
}
