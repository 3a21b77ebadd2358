/*-------------------------------------------------------------------------
 *
 * tune.c
 *		Finds thresholds that meet goals and answer the most cases of a suite.
 *
 * Manual: doc/gate.md, "Find thresholds".  A decision compares a threshold only with numbers of its
 * case: similarities of the chunks found, and scores of judgements.  So all values of a threshold
 * between two neighbouring numbers give the same decision.  A cell is one such interval for each
 * threshold, and a case is tried once per cell, not once per value.  The values that are tried lie
 * between neighbouring numbers of all cases.
 *
 * One half of the cases, those with the lesser digests, is used to choose.  The other half is not
 * looked at until it judges the choice.  Among the choices that meet the goals, the best one is
 * found by these criteria in order: more cases answered; more cases passed; fewer thresholds
 * changed; stricter thresholds, because what the choosing half cannot distinguish should be
 * decided on the safe side; smaller steps.
 *
 * Promises: nothing is written, and nothing of a case is kept.  The reported figures come from
 * trials of every case with the chosen configuration, not from the search.  The search is bounded:
 * if there are more cells than TRIALS_MOST, or more looks than LOOKS_MOST, every other value is
 * left out, and the result says so.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/option.h"
#include "base/tenant.h"
#include "gate/candidate.h"
#include "gate/suite_case.h"
#include "gate/metrics.h"
#include "gate/case_score.h"
#include "gate/tune.h"
#include "ground/chunk.h"
#include "ground/portable_numbers.h"

#define GOALS_MAX_SIZE	65536

/* Maximum number of values of one threshold that are tried, including the present one. */
#define RUNGS_MOST		24

/*
 * Maximum number of trials in a search, without those of the two compared
 * configurations; and of looks at cells.
 */
#define TRIALS_MOST		20000
#define LOOKS_MOST		INT64CONST(100000000)

typedef enum Knob
{
	KNOB_FLOOR,
	KNOB_THRESHOLD,
	KNOB_THRESHOLD_HIGH_RISK,
	KNOB_SUPPORT,
	KNOB_CONTRADICT,
	KNOBS
} Knob;

static const struct
{
	const char *key;
	int			stricter;		/* direction in which it becomes stricter */
}			knobs[KNOBS] = {
	{"floor", 1},
	{"confidence_threshold", 1},
	{"confidence_threshold_high_risk", 1},
	{"support_min", 1},
	{"contradict_min", -1}
};

/* What a decision depends on. Of the two thresholds of confidence only the one for its risk counts. */
typedef enum Dimension
{
	DIMENSION_FLOOR,
	DIMENSION_CONFIDENCE,
	DIMENSION_SUPPORT,
	DIMENSION_CONTRADICT,
	DIMENSIONS
} Dimension;

/* Flags of the outcome of a case. */
#define OUTCOME_KNOWN		0x01
#define OUTCOME_PASSED		0x02
#define OUTCOME_ANSWERED	0x04
#define OUTCOME_CITED		0x08	/* its citations are valid */
#define OUTCOME_DECIDED		0x10	/* it did not raise an error */

/* Counts over cases. */
typedef struct Counts
{
	int64		cases;
	int64		passed;
	int64		answered;
	int64		wrong;			/* answered, but not passed */
	int64		cited;
	int64		must_refuse;
	int64		false_accepts;
	int64		must_answer;
	int64		false_refusals;
} Counts;

/* What goals are about; each is one count divided by another. */
typedef enum Figure
{
	FIGURE_FALSE_ACCEPT,
	FIGURE_PASS,
	FIGURE_CITATION,
	FIGURE_FALSE_REFUSE,
	FIGURE_WRONG,
	FIGURE_COVERAGE,
	FIGURES
} Figure;

static const struct
{
	const char *figure;
	const char *goal;
	bool		is_least;		/* is the goal a minimum, or a maximum? */
	const char *preset;			/* as in the gate; NULL: no goal */
}			figures[FIGURES] = {
	{"false_accept_rate", "max_false_accept_rate", false, "0"},
	{"overall_pass_rate", "min_overall_pass_rate", true, "0.85"},
	{"citation_validity_rate", "min_citation_validity_rate", true, "0.99"},
	{"false_refuse_rate", "max_false_refuse_rate", false, NULL},
	{"wrong_rate", "max_wrong_rate", false, NULL},
	{"coverage", "min_coverage", true, NULL}
};

/* A grounded case. */
typedef struct TunedCase
{
	int			ordinal;
	bool		tunes;
	bool		is_high;
	bool		has_judgements;
	bool		must_refuse;
	bool		must_answer;
	uint8		outcome;		/* with the present configuration */
	uint8		outcome_then;	/* with the proposed configuration */
	int			nsimilarities;
	Numeric    *similarities;
	int			nscores;
	Numeric    *scores;
	uint8	   *cell[DIMENSIONS];	/* by rung: its cell */
	int			ncells[DIMENSIONS];
	uint8	   *outcomes;		/* by cell */
} TunedCase;

/* Values of a threshold, ascending. */
typedef struct Ladder
{
	int			count;
	int			now;			/* index of the present one */
	Numeric    *rungs;
} Ladder;

/* A choice of one rung per threshold. */
typedef struct Choice
{
	bool		exists;
	int			rungs[KNOBS];
	Counts		counts;
} Choice;

typedef struct Tuning
{
	SuiteTrials *trials;
	const TuneTerms *terms;
	MemoryContext each;			/* reset for each trial */
	JsonView	config;			/* all keys, in portable form */
	Numeric		goals[FIGURES]; /* NULL: no goal */
	int			ncases;
	TunedCase  *cases;
	JsonView	rows;			/* by case, what the curve needs */
	Ladder		ladders[KNOBS];
	bool		thinned;
	int64		trials_made;
	Choice		best;
	Counts		reach[FIGURES]; /* by goal: the counts that come nearest to it */
	bool		has_reach[FIGURES];
} Tuning;

/*
 * goals
 */

static bool
IsShare(const JsonView *value)
{
	Numeric		number;

	return value->type == JVIEW_NUMBER && JsonViewNumeric(value, &number) && NumberIsShare(number);
}

/*
 * Returns a goal, a number from 0 to 1; NULL for null, which means no goal.  A
 * missing goal has the gate's preset.
 */
static Numeric
GoalOf(const JsonView *goals, Figure figure)
{
	JsonView	goal = JsonViewUnder(goals, figures[figure].goal);
	Numeric		number = NULL;

	if (goal.type == JVIEW_ABSENT)
		return figures[figure].preset ? NumberOfLiteral(figures[figure].preset) : NULL;
	if (goal.type == JVIEW_NULL)
		return NULL;
	if (!IsShare(&goal) || !JsonViewNumeric(&goal, &number))
		MalformedArgument(psprintf("goal \"%s\" must be a number from 0 to 1, and is %s", figures[figure].goal, ShownValue(&goal)),
						  "null asks for nothing; a goal that is left out is that of the shipped gate.");
	return number;
}

static void
FigureOf(const Counts *counts, Figure figure, int64 *n, int64 *of)
{
	switch (figure)
	{
		case FIGURE_FALSE_ACCEPT:
			*n = counts->false_accepts;
			*of = counts->must_refuse;
			break;
		case FIGURE_PASS:
			*n = counts->passed;
			*of = counts->cases;
			break;
		case FIGURE_CITATION:
			*n = counts->cited;
			*of = counts->answered;
			break;
		case FIGURE_FALSE_REFUSE:
			*n = counts->false_refusals;
			*of = counts->must_answer;
			break;
		case FIGURE_WRONG:
			*n = counts->wrong;
			*of = counts->answered;
			break;
		default:
			*n = counts->answered;
			*of = counts->cases;
			break;
	}
}

/* Is a goal met? Not if its denominator is 0, as in the gate. */
static bool
KeepsGoal(const Tuning *tuning, const Counts *counts, Figure figure)
{
	int64		n;
	int64		of;
	int			order;

	if (tuning->goals[figure] == NULL)
		return true;
	FigureOf(counts, figure, &n, &of);
	if (of == 0)
		return false;
	order = NumberCompare(int64_to_numeric(n), NumberCall(numeric_mul, tuning->goals[figure], int64_to_numeric(of)));
	return figures[figure].is_least ? order >= 0 : order <= 0;
}

static bool
KeepsGoals(const Tuning *tuning, const Counts *counts)
{
	for (int i = 0; i < FIGURES; i++)
	{
		if (!KeepsGoal(tuning, counts, (Figure) i))
			return false;
	}
	return true;
}

/*
 * trials
 */

static void
CountOutcome(Counts *counts, const TunedCase *one, uint8 outcome)
{
	bool		answered = (outcome & OUTCOME_ANSWERED) != 0;

	counts->cases++;
	counts->passed += (outcome & OUTCOME_PASSED) != 0;
	counts->answered += answered;
	counts->wrong += answered && !(outcome & OUTCOME_PASSED);
	counts->cited += answered && (outcome & OUTCOME_CITED);
	counts->must_refuse += one->must_refuse;
	counts->false_accepts += one->must_refuse && answered;
	counts->must_answer += one->must_answer;
	/* a case that raised an error did not decide, so it did not refuse */
	counts->false_refusals += one->must_answer && !answered && (outcome & OUTCOME_DECIDED);
}

static Counts
Sum(const Counts *a, const Counts *b)
{
	return (Counts) {
		a->cases + b->cases, a->passed + b->passed, a->answered + b->answered, a->wrong + b->wrong, a->cited + b->cited,
		a->must_refuse + b->must_refuse, a->false_accepts + b->false_accepts, a->must_answer + b->must_answer,
		a->false_refusals + b->false_refusals
	};
}

static uint8
OutcomeOf(const JsonView *row)
{
	JsonView	scores = JsonViewUnder(row, "scores");
	JsonView	cited = JsonViewUnder(&scores, "citation_validity");
	Span		decision = JsonViewMemberText(row, "decision");

	return OUTCOME_KNOWN | (JsonViewMemberIsTrue(row, "passed") ? OUTCOME_PASSED : 0) |
		(DecisionAnswers(decision) ? OUTCOME_ANSWERED : 0) | (decision.len > 0 ? OUTCOME_DECIDED : 0) |
		(JsonViewMemberIsTrue(&cited, "passed") ? OUTCOME_CITED : 0);
}

/* Returns the configuration with the thresholds of a choice. */
static JsonView
ConfigOf(const Tuning *tuning, const int *rungs)
{
	const char *names[KNOBS];
	JsonView	config;

	for (int i = 0; i < KNOBS; i++)
		names[i] = knobs[i].key;
	config = JsonViewCopyWithout(&tuning->config, names, KNOBS, KNOBS);
	for (int i = 0; i < KNOBS; i++)
		JsonViewSet(&config, knobs[i].key, JsonViewOfNumeric(tuning->ladders[i].rungs[rungs[i]]));
	return PortableCopy(&config);
}

static uint8
TryCase(Tuning *tuning, const TunedCase *one, const JsonView *config)
{
	MemoryContext caller = MemoryContextSwitchTo(tuning->each);
	JsonView	row;
	uint8		outcome;

	CHECK_FOR_INTERRUPTS();
	JsonViewOfJsonb(SuiteTrialsTry(tuning->trials, one->ordinal, config, NULL), &row);
	outcome = OutcomeOf(&row);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(tuning->each);
	return outcome;
}

/* Returns the outcome of a case at a choice; tries it unless its cell is known. */
static uint8
OutcomeAt(Tuning *tuning, const TunedCase *one, const int *rungs)
{
	int			at[DIMENSIONS] = {rungs[KNOB_FLOOR], rungs[one->is_high ? KNOB_THRESHOLD_HIGH_RISK : KNOB_THRESHOLD],
	rungs[KNOB_SUPPORT], rungs[KNOB_CONTRADICT]};
	int			cell = 0;

	for (int i = 0; i < DIMENSIONS; i++)
		cell = cell * one->ncells[i] + one->cell[i][at[i]];
	if (one->outcomes[cell] == 0)
	{
		MemoryContext caller = MemoryContextSwitchTo(tuning->each);
		JsonView	config = ConfigOf(tuning, rungs);

		MemoryContextSwitchTo(caller);
		one->outcomes[cell] = TryCase(tuning, one, &config);
		tuning->trials_made++;
	}
	return one->outcomes[cell];
}

/*
 * the cases
 */

static int
CompareDigests(const void *a, const void *b, void *trials)
{
	return strcmp(SuiteTrialsDigest(trials, ((const TunedCase *) a)->ordinal),
				  SuiteTrialsDigest(trials, ((const TunedCase *) b)->ordinal));
}

static int
CompareNumbers(const void *a, const void *b)
{
	return NumberCompare(*(Numeric const *) a, *(Numeric const *) b);
}

/* Sorts numbers, and removes duplicates. */
static int
SortDistinct(Numeric *numbers, int count)
{
	int			kept = 0;

	qsort(numbers, count, sizeof(Numeric), CompareNumbers);
	for (int i = 0; i < count; i++)
	{
		if (kept == 0 || NumberCompare(numbers[kept - 1], numbers[i]) != 0)
			numbers[kept++] = numbers[i];
	}
	return kept;
}

/* Returns the numbers of a member in an array of objects, as decisions compare them. */
static int
NumbersOf(const JsonView *array, const char *name, Numeric **numbers)
{
	int			count = array->type == JVIEW_ARRAY ? JsonViewCount(array) : 0;
	int			n = 0;

	*numbers = palloc_extended(sizeof(Numeric) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(array, i);
		JsonView	value;
		Numeric		number;

		CHECK_FOR_INTERRUPTS();
		value = JsonViewUnder(&element, name);
		value = NumberOfPortable(&value);
		if (value.type == JVIEW_NUMBER && JsonViewNumeric(&value, &number))
			(*numbers)[n++] = RoundedQuotient(number, int64_to_numeric(1));
	}
	return SortDistinct(*numbers, n);
}

/* Returns what the curve reads of a row. */
static JsonView
CurveRow(const JsonView *row)
{
	static const char *const members[] = {"decision", "signals", "similarity", "passed"};
	JsonView	slim = JsonViewNewObject(5);

	JsonViewSet(&slim, "case", JsonViewNewObject(0));
	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member = JsonViewUnder(row, members[i]);

		if (member.type != JVIEW_ABSENT)
			JsonViewSet(&slim, members[i], member);
	}
	return PortableCopy(&slim);
}

/* Tries a case with the present configuration, and reads the numbers that its decision can compare. */
static void
ReadTunedCase(Tuning *tuning, TunedCase *one, const JsonView *test_case)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	judgements = JsonViewUnder(test_case, "judgements");
	JsonView	chunks = {.type = JVIEW_ABSENT};
	JsonView	row;
	Jsonb	   *found = NULL;

	MemoryContextSwitchTo(tuning->each);
	JsonViewOfJsonb(SuiteTrialsTry(tuning->trials, one->ordinal, &tuning->config, &found), &row);
	if (found)
		JsonViewOfJsonb(found, &chunks);
	one->outcome = OutcomeOf(&row);
	one->is_high = SpanEqualCString(JsonViewMemberText(&row, "risk_level"), "high");
	one->must_refuse = CaseMustRefuse(&row);
	one->must_answer = CaseMustAnswer(&row);
	MemoryContextSwitchTo(caller);
	one->nsimilarities = NumbersOf(&chunks, "similarity", &one->similarities);
	one->nscores = NumbersOf(&judgements, "score", &one->scores);
	one->has_judgements = one->nscores > 0;
	JsonViewAppend(&tuning->rows, CurveRow(&row));
	MemoryContextReset(tuning->each);
}

/* Reads the grounded cases of the suite, and assigns them to the halves. */
static void
ReadTunedCases(Tuning *tuning)
{
	int			count = SuiteTrialsCount(tuning->trials);
	int			half;

	tuning->cases = palloc_extended(sizeof(TunedCase) * (Size) Max(count, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 1; i <= count; i++)
	{
		MemoryContext caller = MemoryContextSwitchTo(tuning->each);
		JsonView	test_case;
		Jsonb	   *kept = NULL;

		CHECK_FOR_INTERRUPTS();
		SuiteTrialsCase(tuning->trials, i, &test_case);
		MemoryContextSwitchTo(caller);
		if (CaseKindOf(&test_case) == CASE_GROUNDED)
			kept = JsonViewToJsonb(&test_case, false);
		MemoryContextReset(tuning->each);
		if (kept == NULL)
			continue;
		JsonViewOfJsonb(kept, &test_case);
		tuning->cases[tuning->ncases].ordinal = i;
		ReadTunedCase(tuning, &tuning->cases[tuning->ncases++], &test_case);
		pfree(kept);
	}
	qsort_arg(tuning->cases, tuning->ncases, sizeof(TunedCase), CompareDigests, tuning->trials);
	half = tuning->terms->halves ? (tuning->ncases + 1) / 2 : tuning->ncases;
	for (int i = 0; i < tuning->ncases; i++)
		tuning->cases[i].tunes = i < half;
}

/*
 * values to try
 */

/* Returns a value above a and at most b, with as few decimals as possible. */
static Numeric
Between(Numeric a, Numeric b)
{
	Numeric		middle = NumberCall(numeric_mul, NumberCall(numeric_add, a, b), NumberOfLiteral("0.5"));

	for (int decimals = 2; decimals <= 4; decimals++)
	{
		Numeric		rounded = DatumGetNumeric(DirectFunctionCall2(numeric_round, NumericGetDatum(middle), Int32GetDatum(decimals)));

		rounded = DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(rounded)));
		if (NumberCompare(rounded, a) > 0 && NumberCompare(rounded, b) <= 0)
			return rounded;
	}
	return b;
}

static bool
KnobIsOfCase(const Tuning *tuning, Knob knob, const TunedCase *one)
{
	switch (knob)
	{
		case KNOB_FLOOR:
			return true;
		case KNOB_THRESHOLD:
			return !one->is_high;
		case KNOB_THRESHOLD_HIGH_RISK:
			return one->is_high;
		default:
			return one->has_judgements && tuning->terms->with_judges;
	}
}

/* Returns the numbers of a case with which a threshold is compared; a floor only with similarities. */
static int
NumbersOfKnob(const TunedCase *one, Knob knob, Numeric *numbers)
{
	int			count = 0;

	for (int i = 0; knob <= KNOB_THRESHOLD_HIGH_RISK && i < one->nsimilarities; i++)
		numbers[count++] = one->similarities[i];
	for (int i = 0; knob != KNOB_FLOOR && i < one->nscores; i++)
		numbers[count++] = one->scores[i];
	return SortDistinct(numbers, count);
}

static int
NumbersOfCases(const Tuning *tuning, Knob knob, Numeric **numbers)
{
	Size		room = 0;
	int			count = 0;

	for (int i = 0; i < tuning->ncases; i++)
		room += tuning->cases[i].nsimilarities + tuning->cases[i].nscores;
	*numbers = palloc_extended(sizeof(Numeric) * Max(room, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < tuning->ncases; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (tuning->cases[i].tunes && KnobIsOfCase(tuning, knob, &tuning->cases[i]))
			count += NumbersOfKnob(&tuning->cases[i], knob, *numbers + count);
	}
	return SortDistinct(*numbers, count);
}

/* Removes values evenly until about "most" are left. The present one and the two outermost ones stay. */
static void
ThinLadder(Tuning *tuning, Ladder *ladder, int most)
{
	int			kept = 0;
	int			step = (ladder->count + most - 1) / Max(most, 1);
	int			now = ladder->now;
	int			last = ladder->count - 1;

	if (ladder->count <= most)
		return;
	tuning->thinned = true;
	for (int i = 0; i < ladder->count; i++)
	{
		if (i == now)
			ladder->now = kept;
		if (i == now || i % step == 0 || i == last)
			ladder->rungs[kept++] = ladder->rungs[i];
	}
	ladder->count = kept;
}

/*
 * Makes the values of a threshold: the present one, one between any two
 * neighbouring numbers of the cases, one above and one below them.
 */
static void
MakeLadder(Tuning *tuning, Knob knob)
{
	Ladder	   *ladder = &tuning->ladders[knob];
	JsonView	value = JsonViewUnder(&tuning->config, knobs[knob].key);
	Numeric    *numbers;
	int			count = NumbersOfCases(tuning, knob, &numbers);
	Numeric		now;
	int			n = 0;

	value = NumberOfPortable(&value);
	if (value.type != JVIEW_NUMBER || !JsonViewNumeric(&value, &now))
		elog(ERROR, "configuration has no \"%s\"", knobs[knob].key);
	ladder->rungs = palloc_extended(sizeof(Numeric) * (Size) (count + 2), MCXT_ALLOC_HUGE);
	ladder->rungs[n++] = now;
	for (int i = 0; i <= count && count > 0; i++)
	{
		Numeric		least = i == 0 ? int64_to_numeric(0) : numbers[i - 1];
		Numeric		most = i == count ? int64_to_numeric(1) : numbers[i];
		int			way;

		if (NumberCompare(least, most) >= 0)
			continue;
		ladder->rungs[n] = Between(least, most);
		way = NumberCompare(ladder->rungs[n], now) * knobs[knob].stricter;
		/* a value that decides like the present one is no change */
		if ((NumberCompare(now, least) > 0 && NumberCompare(now, most) <= 0) || (way < 0 && tuning->terms->only_stricter))
			continue;
		n++;
	}
	ladder->count = SortDistinct(ladder->rungs, n);
	for (int i = 0; i < ladder->count; i++)
	{
		if (NumberCompare(ladder->rungs[i], now) == 0)
			ladder->now = i;
	}
	ThinLadder(tuning, ladder, RUNGS_MOST);
}

/* Maps the values of a threshold to cells of a case. */
static void
MapCells(TunedCase *one, Dimension dimension, Knob knob, const Ladder *ladder, bool is_of_case)
{
	Numeric    *numbers = palloc_extended(sizeof(Numeric) * (Size) Max(one->nsimilarities + one->nscores, 1), MCXT_ALLOC_HUGE);
	int			count = is_of_case ? NumbersOfKnob(one, knob, numbers) : 0;
	int			below = 0;
	int			last = -1;
	int			cells = 0;

	one->cell[dimension] = palloc(ladder->count);
	for (int i = 0; i < ladder->count; i++)
	{
		while (below < count && NumberCompare(numbers[below], ladder->rungs[i]) < 0)
			below++;
		cells += below != last;
		last = below;
		one->cell[dimension][i] = (uint8) (cells - 1);
	}
	one->ncells[dimension] = cells;
	pfree(numbers);
}

static int64
MapAllCells(Tuning *tuning)
{
	static const Knob of[DIMENSIONS] = {KNOB_FLOOR, KNOB_THRESHOLD, KNOB_SUPPORT, KNOB_CONTRADICT};
	int64		all = 0;

	for (int i = 0; i < tuning->ncases; i++)
	{
		TunedCase  *one = &tuning->cases[i];
		int64		cells = 1;

		CHECK_FOR_INTERRUPTS();
		if (!one->tunes)
			continue;
		for (int d = 0; d < DIMENSIONS; d++)
		{
			Knob		knob = of[d] == KNOB_THRESHOLD && one->is_high ? KNOB_THRESHOLD_HIGH_RISK : of[d];

			if (one->cell[d])
				pfree(one->cell[d]);
			MapCells(one, (Dimension) d, knob, &tuning->ladders[knob], KnobIsOfCase(tuning, knob, one));
			cells *= one->ncells[d];
		}
		all += cells;
	}
	return all;
}

/* Returns how often the search looks at a cell. */
static int64
LooksOf(const Tuning *tuning)
{
	const Ladder *ladders = tuning->ladders;
	int64		looks = Max(tuning->ncases, 1);

	looks *= ladders[KNOB_THRESHOLD].count + ladders[KNOB_THRESHOLD_HIGH_RISK].count;
	return looks * ladders[KNOB_FLOOR].count * ladders[KNOB_SUPPORT].count * ladders[KNOB_CONTRADICT].count;
}

/* Makes all ladders, and their cells, within the limits. */
static void
MakeLadders(Tuning *tuning)
{
	for (int i = 0; i < KNOBS; i++)
		MakeLadder(tuning, (Knob) i);
	while (MapAllCells(tuning) > TRIALS_MOST || LooksOf(tuning) > LOOKS_MOST)
	{
		int			longest = 0;

		for (int i = 1; i < KNOBS; i++)
		{
			if (tuning->ladders[i].count > tuning->ladders[longest].count)
				longest = i;
		}
		/* each case is tried at least once, however many there are */
		if (tuning->ladders[longest].count < 6)
			break;
		ThinLadder(tuning, &tuning->ladders[longest], tuning->ladders[longest].count / 2);
	}
	for (int i = 0; i < tuning->ncases; i++)
	{
		TunedCase  *one = &tuning->cases[i];

		if (one->tunes)
			one->outcomes = palloc_extended((Size) one->ncells[0] * one->ncells[1] * one->ncells[2] * one->ncells[3],
											MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	}
}

/*
 * the search
 */

static int
StepsOf(const Tuning *tuning, const int *rungs, int *changes, int *strictness)
{
	int			steps = 0;

	*changes = *strictness = 0;
	for (int i = 0; i < KNOBS; i++)
	{
		int			step = rungs[i] - tuning->ladders[i].now;

		*changes += step != 0;
		*strictness += step * knobs[i].stricter;
		steps += abs(step);
	}
	return steps;
}

/* Is a choice better than the best one so far, if both meet the goals? */
static bool
IsBetterChoice(const Tuning *tuning, const Choice *choice)
{
	const Choice *best = &tuning->best;
	int			changes;
	int			best_changes;
	int			strictness;
	int			best_strictness;
	int			steps;
	int			best_steps;

	if (!best->exists)
		return true;
	if (choice->counts.answered != best->counts.answered)
		return choice->counts.answered > best->counts.answered;
	if (choice->counts.passed != best->counts.passed)
		return choice->counts.passed > best->counts.passed;
	steps = StepsOf(tuning, choice->rungs, &changes, &strictness);
	best_steps = StepsOf(tuning, best->rungs, &best_changes, &best_strictness);
	if (changes != best_changes)
		return changes < best_changes;
	if (strictness != best_strictness)
		return strictness > best_strictness;
	return steps < best_steps;
}

/* Keeps the counts that come nearest to each goal, to explain why none was met. */
static void
Reach(Tuning *tuning, const Counts *counts)
{
	for (int i = 0; i < FIGURES; i++)
	{
		int64		n;
		int64		of;
		int64		best_n;
		int64		best_of;

		if (tuning->goals[i] == NULL)
			continue;
		FigureOf(counts, (Figure) i, &n, &of);
		if (of == 0)
			continue;
		FigureOf(&tuning->reach[i], (Figure) i, &best_n, &best_of);
		if (tuning->has_reach[i] && (figures[i].is_least ? n * best_of <= best_n * of : n * best_of >= best_n * of))
			continue;
		tuning->has_reach[i] = true;
		tuning->reach[i] = *counts;
	}
}

/* Returns the counts of the cases with one kind of risk, at a choice. */
static Counts
CountAt(Tuning *tuning, const int *rungs, bool is_high)
{
	Counts		counts = {0};

	for (int i = 0; i < tuning->ncases; i++)
	{
		const TunedCase *one = &tuning->cases[i];

		if (one->tunes && one->is_high == is_high)
			CountOutcome(&counts, one, OutcomeAt(tuning, one, rungs));
	}
	return counts;
}

/*
 * Tries all thresholds of confidence with a choice of the others.  Those for high
 * risk and for the rest concern different cases, so each is counted once, and pairs
 * are sums.
 */
static void
SearchConfidence(Tuning *tuning, Choice *choice)
{
	const Ladder *rest = &tuning->ladders[KNOB_THRESHOLD];
	const Ladder *high = &tuning->ladders[KNOB_THRESHOLD_HIGH_RISK];
	Counts		of_rest[RUNGS_MOST + 4];
	Counts		of_high[RUNGS_MOST + 4];
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval tuning", ALLOCSET_SMALL_SIZES);
	MemoryContext caller;

	for (int i = 0; i < rest->count; i++)
	{
		choice->rungs[KNOB_THRESHOLD] = i;
		of_rest[i] = CountAt(tuning, choice->rungs, false);
	}
	for (int i = 0; i < high->count; i++)
	{
		choice->rungs[KNOB_THRESHOLD_HIGH_RISK] = i;
		of_high[i] = CountAt(tuning, choice->rungs, true);
	}
	caller = MemoryContextSwitchTo(context);
	for (int i = 0; i < rest->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int j = 0; j < high->count; j++)
		{
			choice->rungs[KNOB_THRESHOLD] = i;
			choice->rungs[KNOB_THRESHOLD_HIGH_RISK] = j;
			choice->counts = Sum(&of_rest[i], &of_high[j]);
			choice->exists = true;
			Reach(tuning, &choice->counts);
			if (KeepsGoals(tuning, &choice->counts) && IsBetterChoice(tuning, choice))
				tuning->best = *choice;
		}
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

static void
Search(Tuning *tuning)
{
	Choice		choice = {0};

	for (int f = 0; f < tuning->ladders[KNOB_FLOOR].count; f++)
	{
		for (int s = 0; s < tuning->ladders[KNOB_SUPPORT].count; s++)
		{
			for (int c = 0; c < tuning->ladders[KNOB_CONTRADICT].count; c++)
			{
				choice.rungs[KNOB_FLOOR] = f;
				choice.rungs[KNOB_SUPPORT] = s;
				choice.rungs[KNOB_CONTRADICT] = c;
				SearchConfidence(tuning, &choice);
			}
		}
	}
}

/* results */

static JsonView
CountsView(const Counts *counts)
{
	JsonView	view = JsonViewNewObject(FIGURES + 2);

	JsonViewSet(&view, "cases", JsonViewInteger(counts->cases));
	JsonViewSet(&view, "answered", JsonViewInteger(counts->answered));
	for (int i = 0; i < FIGURES; i++)
	{
		JsonView	figure = JsonViewNewObject(3);
		int64		n;
		int64		of;

		FigureOf(counts, (Figure) i, &n, &of);
		JsonViewSet(&figure, "n", JsonViewInteger(n));
		JsonViewSet(&figure, "of", JsonViewInteger(of));
		JsonViewSet(&figure, "rate", RateView(n, of));
		JsonViewSet(&view, figures[i].figure, figure);
	}
	return view;
}

/* Returns the counts of one half, with the present or the proposed configuration. */
static Counts
CountsOf(const Tuning *tuning, bool tunes, bool then)
{
	Counts		counts = {0};

	for (int i = 0; i < tuning->ncases; i++)
	{
		const TunedCase *one = &tuning->cases[i];

		if (one->tunes == tunes)
			CountOutcome(&counts, one, then ? one->outcome_then : one->outcome);
	}
	return counts;
}

/* Returns the goals that are not met, as sentences of the gate. */
static JsonView
Failures(const Tuning *tuning, const Counts *counts)
{
	JsonView	failures = JsonViewNewArray(FIGURES);

	for (int i = 0; i < FIGURES; i++)
	{
		int64		n;
		int64		of;
		JsonView	rate;
		JsonView	goal;

		if (KeepsGoal(tuning, counts, (Figure) i))
			continue;
		FigureOf(counts, (Figure) i, &n, &of);
		rate = RateView(n, of);
		goal = JsonViewOfNumeric(tuning->goals[i]);
		JsonViewAppend(&failures, JsonViewCString(of == 0 ?
			psprintf("%s is over no case, and its goal %s is %s", figures[i].figure, figures[i].goal, ShownValue(&goal)) :
			psprintf("%s %s %c %s %s (%lld of %lld)", figures[i].figure, ShownValue(&rate), figures[i].is_least ? '<' : '>',
					 figures[i].is_least ? "min" : "max", ShownValue(&goal), (long long) n, (long long) of)));
	}
	return failures;
}

/* Returns why no thresholds meet the goals. */
static const char *
ReasonForNone(const Tuning *tuning)
{
	StringInfoData text;

	if (tuning->ncases == 0)
		return "the suite has no case that asks a question of documents, so there is nothing to tune";
	initStringInfo(&text);
	for (int i = 0; i < FIGURES; i++)
	{
		JsonView	goal;
		JsonView	rate;
		int64		n;
		int64		of;

		if (tuning->goals[i] == NULL || (tuning->has_reach[i] && KeepsGoal(tuning, &tuning->reach[i], (Figure) i)))
			continue;
		goal = JsonViewOfNumeric(tuning->goals[i]);
		appendStringInfo(&text, "%s%s %s cannot be met: ", text.len > 0 ? "; " : "", figures[i].goal, ShownValue(&goal));
		if (!tuning->has_reach[i])
		{
			appendStringInfo(&text, "%s is over no case that tunes, whatever the thresholds are", figures[i].figure);
			continue;
		}
		FigureOf(&tuning->reach[i], (Figure) i, &n, &of);
		rate = RateView(n, of);
		appendStringInfo(&text, "the %s %s is %s (%lld of %lld)", figures[i].is_least ? "greatest" : "least", figures[i].figure,
						 ShownValue(&rate), (long long) n, (long long) of);
	}
	if (text.len == 0)
		appendStringInfoString(&text, "each goal can be met, but no thresholds meet all of them together");
	return text.data;
}

static JsonView
GoalsView(const Tuning *tuning)
{
	JsonView	view = JsonViewNewObject(FIGURES);

	for (int i = 0; i < FIGURES; i++)
		JsonViewSet(&view, figures[i].goal, tuning->goals[i] ? JsonViewOfNumeric(tuning->goals[i]) : JsonViewNull());
	return view;
}

/* Returns the results of one half: counts before and after, and the goals not met. */
static JsonView
HalfView(const Tuning *tuning, bool tunes)
{
	JsonView	view = JsonViewNewObject(4);
	Counts		now = CountsOf(tuning, tunes, false);
	Counts		then = CountsOf(tuning, tunes, true);

	JsonViewSet(&view, "now", CountsView(&now));
	JsonViewSet(&view, "proposed", tuning->best.exists ? CountsView(&then) : JsonViewNull());
	if (!tuning->best.exists || then.cases == 0)
	{
		JsonViewSet(&view, "met", JsonViewNull());
		JsonViewSet(&view, "failures", JsonViewNewArray(0));
		return view;
	}
	JsonViewSet(&view, "met", JsonViewBool(KeepsGoals(tuning, &then)));
	JsonViewSet(&view, "failures", Failures(tuning, &then));
	return view;
}

/* Returns the thresholds, present or proposed, with all keys or only those that change. */
static JsonView
ThresholdsView(const Tuning *tuning, bool proposed, bool only_changed)
{
	JsonView	view = JsonViewNewObject(KNOBS);

	for (int i = 0; i < KNOBS; i++)
	{
		int			rung = proposed ? tuning->best.rungs[i] : tuning->ladders[i].now;

		if (!only_changed || rung != tuning->ladders[i].now)
			JsonViewSet(&view, knobs[i].key, JsonViewOfNumeric(tuning->ladders[i].rungs[rung]));
	}
	return view;
}

static JsonView
TuningView(const Tuning *tuning)
{
	JsonView	view = JsonViewNewObject(16);
	JsonView	metrics = RunMetrics(&tuning->rows, false);
	JsonView	suite = SuiteTrialsSuite(tuning->trials);
	JsonView	config;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigestPortable(&tuning->config, digest);
	JsonViewSet(&view, "suite", JsonViewCopyWithout(&suite, (const char *const[]) {"documents"}, 1, 0));
	JsonViewSet(&view, "config_digest", JsonViewCString(pstrdup(digest)));
	JsonViewSet(&view, "cases", JsonViewInteger(tuning->ncases));
	JsonViewSet(&view, "not_tried", JsonViewInteger(SuiteTrialsCount(tuning->trials) - tuning->ncases));
	JsonViewSet(&view, "goals", GoalsView(tuning));
	JsonViewSet(&view, "curve", JsonViewUnder(&metrics, "risk_coverage"));
	JsonViewSet(&view, "now", ThresholdsView(tuning, false, false));
	config = tuning->best.exists ? ThresholdsView(tuning, true, false) : JsonViewNull();
	JsonViewSet(&view, "proposed", config);
	JsonViewSet(&view, "change", tuning->best.exists ? ThresholdsView(tuning, true, true) : JsonViewNull());
	JsonViewSet(&view, "reason", tuning->best.exists ? JsonViewNull() : JsonViewCString(ReasonForNone(tuning)));
	JsonViewSet(&view, "tunes", HalfView(tuning, true));
	JsonViewSet(&view, "judges", HalfView(tuning, false));
	JsonViewSet(&view, "trials", JsonViewInteger(tuning->trials_made));
	JsonViewSet(&view, "thinned", JsonViewBool(tuning->thinned));
	return view;
}

/* Tries every case with the proposal, so that its figures are measured and not derived. */
static void
Measure(Tuning *tuning)
{
	JsonView	config = ConfigOf(tuning, tuning->best.rungs);
	int			changes;
	int			strictness;
	bool		is_now = StepsOf(tuning, tuning->best.rungs, &changes, &strictness) == 0;

	for (int i = 0; i < tuning->ncases; i++)
		tuning->cases[i].outcome_then = is_now ? tuning->cases[i].outcome : TryCase(tuning, &tuning->cases[i], &config);
}

JsonView
TuneThresholds(SuiteTrials *trials, const TuneTerms *terms)
{
	Tuning	   *tuning = palloc0(sizeof(Tuning));

	tuning->trials = trials;
	tuning->terms = terms;
	tuning->config = terms->config ? *terms->config : SuiteTrialsConfig(trials);
	tuning->rows = JsonViewNewArray(64);
	tuning->each = AllocSetContextCreate(CurrentMemoryContext, "answer_eval tuned case", ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < FIGURES; i++)
		tuning->goals[i] = GoalOf(&terms->goals, (Figure) i);
	ReadTunedCases(tuning);
	MakeLadders(tuning);
	if (tuning->ncases > 0)
		Search(tuning);
	if (tuning->best.exists)
		Measure(tuning);
	return TuningView(tuning);
}

/* Raises 22023 for an unknown goal, or a malformed configuration or version. */
static void
CheckGoals(const JsonView *goals, Jsonb **config, int *version, bool *has_version)
{
	const char *names[FIGURES + 3] = {"config", "version"};
	JsonView	given;
	Span		unknown;

	for (int i = 0; i < FIGURES; i++)
		names[i + 2] = figures[i].goal;
	names[FIGURES + 2] = NULL;
	if (goals->type != JVIEW_OBJECT)
		MalformedArgument(psprintf("goals must be an object, and is %s", ShownValue(goals)), "{} takes the goals of the shipped gate.");
	if (!HasOnlyKeys(goals, names, &unknown))
		MalformedArgument(psprintf("there is no goal \"%.*s\"", Min(unknown.len, 200), unknown.str),
						  "Goals are max_false_accept_rate, min_overall_pass_rate, min_citation_validity_rate, max_false_refuse_rate,"
						  " max_wrong_rate and min_coverage; beside them stand config and version.");
	for (int i = 0; i < FIGURES; i++)
		(void) GoalOf(goals, (Figure) i);
	given = OptionGet(goals, "config");
	*config = NULL;
	if (given.type != JVIEW_ABSENT && given.type != JVIEW_OBJECT)
		MalformedArgument(psprintf("config must be an object, and is %s", ShownValue(&given)),
						  "Give the keys of a configuration that differ from the one in force.");
	if (given.type == JVIEW_OBJECT)
		*config = JsonViewToJsonb(&given, false);
	given = OptionGet(goals, "version");
	*has_version = given.type != JVIEW_ABSENT;
	if (*has_version && !OptionIsInteger(&given, 1, PG_INT32_MAX, version))
		MalformedArgument(psprintf("version must be an integer from 1 on, and is %s", ShownValue(&given)),
						  "answer_suites() lists the versions of suites.");
}

/* answer_suite_tune(suite, goals) */
PG_FUNCTION_INFO_V1(answer_eval_suite_tune);
Datum
answer_eval_suite_tune(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	TuneTerms	terms = {.halves = true,.with_judges = true};
	SuiteTrials *trials;
	JsonView	view;
	Jsonb	   *config = NULL;
	Jsonb	   *result;
	int			version = 0;
	bool		has_version = false;

	RequireArgument(fcinfo, 0, "suite");
	terms.goals = JsonViewNewObject(0);
	if (!PG_ARGISNULL(1))
	{
		LimitArgument(fcinfo, 1, GOALS_MAX_SIZE, "goals");
		JsonViewOfJsonb(PG_GETARG_JSONB_P_COPY(1), &terms.goals);
	}
	CheckGoals(&terms.goals, &config, &version, &has_version);
	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	trials = SuiteTrialsBegin(get_func_namespace(fcinfo->flinfo->fn_oid), CurrentTenant(), PG_GETARG_TEXT_P_COPY(0), config,
							  has_version ? &version : NULL);
	view = TuneThresholds(trials, &terms);
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&view, false);
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}
