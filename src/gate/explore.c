/*-------------------------------------------------------------------------
 *
 * explore.c
 *		Finds changes of a configuration that help on a suite.
 *
 * Rule: doc/spec/gate.md §7.  Each knob is tried in each of its values, with every case of the
 * environment's suite.  A change is not proposed if no case comes out differently with it, if
 * fewer cases pass, or if the gate's outcome is worse.  Thresholds are also tried at the best
 * point of the suite's risk-coverage curve (tune.c), but only stricter ones.  As long as the
 * best change does not pass the gate, the others are tried on top of it, and proposed together
 * with it if that is better.
 *
 * Promises: nothing that is tried is stored or signed.  The list of values bounds how often the
 * suite is tried, whatever the suite is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "document/signed.h"
#include "gate/candidate.h"
#include "gate/config_version.h"
#include "gate/explore.h"
#include "gate/gate.h"
#include "gate/metrics.h"
#include "gate/suite_run.h"
#include "gate/tune.h"
#include "ground/portable_numbers.h"
#include "keys/keyring.h"

/* How often another knob is added to a change that helps. */
#define ROUNDS_MOST	2

#define RANK_PASS	2

typedef char CaseOutcome[DIGEST_TEXT_LENGTH + 1];

/* The result of the suite with one configuration. */
typedef struct Probe
{
	Span		knob;
	JsonView	change;			/* numbers as numbers */
	Span		reason;
	int			rank;			/* of the gate: RANK_PASS, 1 inconclusive, 0 fail */
	int64		passed;			/* number of cases */
	int64		contradictory;	/* number of answers */
	int64		cited;
	int			changed;		/* number of cases that come out differently than with the base */
} Probe;

typedef struct Explorer
{
	SuiteTrials *trials;
	const JsonView *base;
	JsonView	rules;			/* of the environment's gate */
	JsonView	baseline;		/* brief of the base; absent while the base is tried */
	MemoryContext each;			/* reset for each probe */
	MemoryContext kept;
	CaseOutcome *outcomes;		/* by case, with the base */
	Probe		of_base;
	Probe	   *probes;			/* best one of each knob */
	int			nprobes;
	int			room;
} Explorer;

/*
 * probing
 */

/* Computes a digest of the outcome of a case, without its confidence. */
static void
OutcomeOfRow(const JsonView *row, char *digest)
{
	static const char *const members[] = {"decision", "answer", "citations", "reasons", "conflict_detected", "citation_valid",
	"verdicts", "route", "error", "passed"};
	JsonView	outcome = JsonViewNewObject(lengthof(members));

	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member = JsonViewUnder(row, members[i]);

		JsonViewSet(&outcome, members[i], member.type == JVIEW_ABSENT ? JsonViewNull() : member);
	}
	CanonicalDigest(&outcome, NULL, digest);
}

/* Returns the measures of the rows as answers, by the thresholds of the base. */
static JsonView
MeasuresOf(const Explorer *explorer, const JsonView *rows, Datum *took, int count)
{
	static const Oid types[] = {JSONBOID, INT8ARRAYOID, JSONBOID};
	NullableDatum args[3] = {{0}};
	JsonView	measures;

	args[0].value = JsonbPGetDatum(JsonViewToJsonb(rows, false));
	args[1].value = PointerGetDatum(construct_array(took, count, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	args[2].value = JsonbPGetDatum(JsonViewToJsonb(explorer->base, true));
	PushActiveSnapshot(GetLatestSnapshot());
	JsonViewOfJsonb(DatumGetJsonbPCopy(AnswerCall(AnswerSchema(), "evolve_measure", lengthof(types), types, args)), &measures);
	PopActiveSnapshot();
	return measures;
}

static int64
CountOf(const JsonView *object, const char *key)
{
	JsonView	value = JsonViewUnder(object, key);
	int64		count = 0;

	(void) NumberIntegerBetween(&value, 0, PG_INT32_MAX, &count);
	return count;
}

/* Returns the gate's outcome for the rows, against those of the base. */
static int
RankOf(Explorer *explorer, const JsonView *rows, const JsonView *summary)
{
	JsonView	run = JsonViewNewObject(3);
	JsonView	brief;
	JsonView	judged;
	JsonView	outcome;
	const char *problem;

	JsonViewSet(&run, "suite", SuiteTrialsSuite(explorer->trials));
	JsonViewSet(&run, "cases", *rows);
	JsonViewSet(&run, "summary", *summary);
	brief = RunBrief(&run);
	if (explorer->baseline.type == JVIEW_ABSENT)
	{
		MemoryContext caller = MemoryContextSwitchTo(explorer->kept);

		JsonViewOfJsonb(JsonViewToJsonb(&brief, false), &explorer->baseline);
		MemoryContextSwitchTo(caller);
	}
	if (!GateJudge(&brief, &explorer->rules, &explorer->baseline, &judged, &problem))
		MalformedArgument(problem, "answer_environment_set() sets the rules of an environment.");
	outcome = JsonViewUnder(&judged, "outcome");
	return JsonViewStringIs(&outcome, "pass") ? RANK_PASS : JsonViewStringIs(&outcome, "inconclusive") ? 1 : 0;
}

/* Tries the whole suite with a change of the base; without a change, with the base. */
static void
TryChange(Explorer *explorer, Probe *probe)
{
	MemoryContext caller = MemoryContextSwitchTo(explorer->each);
	int			count = SuiteTrialsCount(explorer->trials);
	Datum	   *took = palloc_extended(sizeof(Datum) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	bool		is_base = probe->change.type == JVIEW_ABSENT;
	JsonView	config = is_base ? *explorer->base : ConfigOver(explorer->base, &probe->change);
	JsonView	rows = JsonViewNewArray(Max(count, 1));
	JsonView	summary;
	JsonView	measures;

	probe->changed = 0;
	for (int i = 1; i <= count; i++)
	{
		JsonView	row;
		CaseOutcome outcome;

		CHECK_FOR_INTERRUPTS();
		JsonViewOfJsonb(SuiteTrialsTry(explorer->trials, i, &config, NULL), &row);
		took[i - 1] = Int64GetDatum(SuiteTrialsTook(explorer->trials, i));
		JsonViewAppend(&rows, row);
		OutcomeOfRow(&row, outcome);
		if (is_base)
			strcpy(explorer->outcomes[i - 1], outcome);
		probe->changed += strcmp(explorer->outcomes[i - 1], outcome) != 0;
	}
	summary = RunMetrics(&rows, false);
	probe->passed = CountOf(&summary, "passed");
	probe->rank = RankOf(explorer, &rows, &summary);
	measures = MeasuresOf(explorer, &rows, took, count);
	probe->contradictory = CountOf(&measures, "contradictory");
	probe->cited = CountOf(&measures, "cited");
	MemoryContextSwitchTo(caller);
	MemoryContextReset(explorer->each);
}

/* Is one better on the suite than another? False if they are equal. */
static bool
IsBetterProbe(const Probe *a, const Probe *b)
{
	if (a->rank != b->rank)
		return a->rank > b->rank;
	if (a->passed != b->passed)
		return a->passed > b->passed;
	if (a->contradictory != b->contradictory)
		return a->contradictory < b->contradictory;
	return a->cited > b->cited;
}

/* Keeps the best change of each knob; among equal ones the first. */
static void
KeepBest(Explorer *explorer, const Probe *probe)
{
	for (int i = 0; i < explorer->nprobes; i++)
	{
		if (!SpanEqual(explorer->probes[i].knob, probe->knob))
			continue;
		if (IsBetterProbe(probe, &explorer->probes[i]))
			explorer->probes[i] = *probe;
		return;
	}
	GROW_ARRAY(explorer->probes, explorer->nprobes, explorer->room, 16);
	explorer->probes[explorer->nprobes++] = *probe;
}

/* trials */

/* The starting point of a round of trials, and its best result. */
typedef struct Round
{
	const JsonView *config;		/* complete, in portable form */
	const Probe *from;			/* the change that made it from the base; NULL: it is the base */
	Probe		best;			/* only if there is such a change */
	bool		found;
} Round;

/* Returns a change with the keys of another one added. */
static JsonView
Together(const JsonView *change, const JsonView *other)
{
	JsonView	both = JsonViewCopyWithout(change, NULL, 0, JsonViewCount(other));

	for (int i = 0; i < JsonViewCount(other); i++)
	{
		JsonMember	member;
		JsonView	present;

		member.value = JsonViewMember(other, i, &member.key);
		if (!JsonViewGet(change, member.key.str, member.key.len, &present))
			JsonViewSetKey(&both, member.key.str, member.key.len, member.value);
	}
	JsonViewOfJsonb(JsonViewToJsonb(&both, false), &both);
	return both;
}

/* Tries a change of the round's configuration, and rates it against the base. */
static void
Consider(Explorer *explorer, Round *round, Span knob, JsonView change, Span reason)
{
	Probe		probe = {.knob = knob,.change = change,.reason = reason};

	if (round->from)
		probe.change = Together(&change, &round->from->change);
	TryChange(explorer, &probe);
	if (probe.changed == 0 || probe.rank < explorer->of_base.rank || probe.passed < explorer->of_base.passed)
		return;
	if (!round->from)
		KeepBest(explorer, &probe);
	else if (IsBetterProbe(&probe, round->found ? &round->best : round->from))
	{
		round->best = probe;
		round->found = true;
	}
}

static Span
KeptSpan(Span span)
{
	return SpanOf(pnstrdup(span.str, span.len), span.len);
}

/* Tries one knob at a time, and the two that depend on each other. */
static void
ConsiderKnobs(Explorer *explorer, Round *round)
{
	static FixedQuery query = {
		.text = "SELECT c.knob, c.change, c.reason FROM answer.evolve_changes($1) AS c",
		.argtypes = {JSONBOID}
	};
	Datum		value = JsonbPGetDatum(JsonViewToJsonb(round->config, true));
	QueryRows	rows;

	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, &value, NULL, true, 0);
	PopActiveSnapshot();
	for (uint64 i = 0; i < rows.count; i++)
	{
		JsonView	change;

		JsonViewOfJsonb(DatumGetJsonbPCopy(JsonbPGetDatum(ColumnJsonb(rows.table, (int) i, 2))), &change);
		Consider(explorer, round, KeptSpan(ColumnSpan(rows.table, (int) i, 1)), change,
				 KeptSpan(ColumnSpan(rows.table, (int) i, 3)));
	}
	QueryFree(&rows);
}

/* Tries the best point of the suite's curve at which no answer is one that the gate forbids. */
static void
ConsiderCurve(Explorer *explorer, Round *round)
{
	static const char *const asked[] = {"min_overall_pass_rate", "min_citation_validity_rate"};
	TuneTerms	terms = {.config = round->config,.only_stricter = true};
	JsonView	most = JsonViewUnder(&explorer->rules, "max_false_accept_rate");
	JsonView	tuned;
	JsonView	change;

	terms.goals = JsonViewNewObject(3);
	most = NumberOfPortable(&most);
	if (most.type == JVIEW_NUMBER)
		JsonViewSet(&terms.goals, "max_false_accept_rate", most);
	/* these may be caused by other knobs; the gate will tell */
	for (size_t i = 0; i < lengthof(asked); i++)
		JsonViewSet(&terms.goals, asked[i], JsonViewNull());
	tuned = TuneThresholds(explorer->trials, &terms);
	change = JsonViewUnder(&tuned, "change");
	if (change.type == JVIEW_OBJECT && JsonViewCount(&change) > 0)
	{
		JsonViewOfJsonb(JsonViewToJsonb(&change, false), &change);
		Consider(explorer, round, SpanOfCString("thresholds"), change,
				 SpanOfCString("the point of the suite's curve that answers most of what may be answered"));
	}
}

static int
CompareProbes(const void *a, const void *b)
{
	const Probe *left = a;
	const Probe *right = b;

	if (IsBetterProbe(left, right))
		return -1;
	return IsBetterProbe(right, left) ? 1 : SpanOrder(left->knob, right->knob);
}

/*
 * Continues from the best change while the gate is not passed, because a knob may
 * help only together with another one.
 */
static void
ConsiderTogether(Explorer *explorer)
{
	Probe		best;
	bool		is_more = false;

	if (explorer->nprobes == 0)
		return;
	best = explorer->probes[0];
	for (int i = 0; i < ROUNDS_MOST && best.rank < RANK_PASS; i++)
	{
		JsonView	config = ConfigOver(explorer->base, &best.change);
		Round		round = {.config = &config,.from = &best};

		ConsiderKnobs(explorer, &round);
		ConsiderCurve(explorer, &round);
		if (!round.found)
			break;
		best = round.best;
		is_more = true;
	}
	if (!is_more)
		return;
	best.knob = SpanOfCString("together");
	best.reason = SpanOfCString("knobs that help more together than each of them");
	KeepBest(explorer, &best);
}

/* Is a change equal to an earlier one? */
static bool
IsRepeated(const Explorer *explorer, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (ReportIsSame(&explorer->probes[i].change, &explorer->probes[n].change))
			return true;
	}
	return false;
}

JsonView
ExploreChanges(Oid schema, text *tenant, const JsonView *state, const JsonView *base)
{
	JsonView	suite = JsonViewUnder(state, "suite");
	JsonView	ran;
	JsonView	changes = JsonViewNewArray(8);
	Explorer	explorer = {.base = base,.rules = JsonViewUnder(state, "rules"),.room = 16,.kept = CurrentMemoryContext};
	Round		first = {.config = base};
	SigningKey	key;
	TimestampTz now;

	/* a case, which is undone, must not be the first to need the key */
	AS_OWNER(SigningKeyBegin(&key, &now));
	PushActiveSnapshot(GetLatestSnapshot());
	explorer.trials = SuiteTrialsBegin(schema, tenant, DatumGetTextPP(SpanDatum(SpanOfView(&suite))),
									   JsonViewToJsonb(base, true), NULL);
	PopActiveSnapshot();
	ran = SuiteTrialsSuite(explorer.trials);
	ran = JsonViewUnder(&ran, "digest");
	RequireOperatorsSuite(&suite, &ran, SuiteDigestOf(&suite));
	explorer.each = AllocSetContextCreate(CurrentMemoryContext, "answer_eval suite probe", ALLOCSET_DEFAULT_SIZES);
	explorer.outcomes = palloc_extended(sizeof(CaseOutcome) * (Size) Max(SuiteTrialsCount(explorer.trials), 1), MCXT_ALLOC_HUGE);
	explorer.probes = palloc(sizeof(Probe) * explorer.room);
	explorer.baseline.type = JVIEW_ABSENT;
	explorer.of_base.change.type = JVIEW_ABSENT;
	TryChange(&explorer, &explorer.of_base);
	ConsiderKnobs(&explorer, &first);
	ConsiderCurve(&explorer, &first);
	qsort(explorer.probes, explorer.nprobes, sizeof(Probe), CompareProbes);
	ConsiderTogether(&explorer);
	qsort(explorer.probes, explorer.nprobes, sizeof(Probe), CompareProbes);
	for (int i = 0; i < explorer.nprobes; i++)
	{
		JsonView	entry = JsonViewNewObject(2);

		if (IsRepeated(&explorer, i))
			continue;
		JsonViewSet(&entry, "change", explorer.probes[i].change);
		JsonViewSet(&entry, "reason", JsonViewString(explorer.probes[i].reason.str, explorer.probes[i].reason.len));
		JsonViewAppend(&changes, entry);
	}
	return changes;
}
