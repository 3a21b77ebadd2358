/*-------------------------------------------------------------------------
 *
 * pin_judgements.c
 *		Pins judgements to the cases of a suite, for use in its runs.
 *
 * Rule: doc/spec/gate.md §1.3.  A run asks no judge, so its result does not change with the
 * judges.  So judges are asked before: each case is tried as in a run (trial.c), with the judges
 * of a configuration.  Their stored judgements count, judges that are functions are asked, and
 * pairs that an external judge has not judged stay open.  A new version of the suite pins the
 * judgements that a case needed and did not pin yet; its documents and clock are the same.
 *
 * Promises: a pair is asked about once per call.  Pinned judgements do not change.  If there are
 * no new judgements, there is no new version.  All or nothing: a call that fails or is cancelled
 * pins nothing.  The judgements are stored nowhere else, because forgetting a document would not
 * find them there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/locks.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/mint.h"
#include "gate/suite_case.h"
#include "gate/suite_run.h"
#include "gate/trial.h"
#include "ground/decision_config.h"
#include "ground/decision_types.h"

/* A suite that is being judged. */
typedef struct SuiteJudging
{
	SuiteRun	run;
	size_t		size;			/* bytes of its cases with their pins, as shown in a run */
	JsonView	pins;			/* {index of the case: new judgements} */
	int			npins;
	const Judgements *earlier[PINNING_EARLIER];	/* all judgements so far; NULL: none */
	JsonView	failed;			/* names of judges that failed, as keys */
} SuiteJudging;

/* This many recent judgements are kept apart from the older ones. */
#define MOST_RECENT	1000

/* A judgement that may be pinned. */
typedef struct Candidate
{
	int			place;
	Span		pair;
	Span		judge;
	JsonView	view;
} Candidate;

/*
 * one case
 */

static int
CompareCandidates(const void *a, const void *b)
{
	const Candidate *left = a;
	const Candidate *right = b;
	int			cmp = SpanCompare(left->pair, right->pair);

	if (cmp == 0)
		cmp = SpanCompare(left->judge, right->judge);
	return cmp != 0 ? cmp : (left->place > right->place) - (left->place < right->place);
}

/* Returns the judgements that the case does not pin, once for each pair and judge. */
static JsonView
NewJudgements(const JsonView *came, const Judgements *pinned)
{
	int			most = JsonViewCount(came);
	Candidate  *candidates = palloc_extended(sizeof(Candidate) * (Size) Max(most, 1), MCXT_ALLOC_HUGE);
	JsonView	fresh = JsonViewNewArray(Max(most, 1));
	int			count = 0;

	for (int i = 0; i < most; i++)
	{
		Candidate  *candidate = &candidates[count];

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(came, i, &candidate->view);
		candidate->place = i;
		candidate->pair = JsonViewMemberText(&candidate->view, "pair");
		candidate->judge = JsonViewMemberText(&candidate->view, "judge");
		if (JudgementFind(pinned, candidate->pair, candidate->judge) == NULL)
			count++;
	}
	qsort(candidates, count, sizeof(Candidate), CompareCandidates);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 || !SpanEqual(candidates[i - 1].pair, candidates[i].pair) ||
			!SpanEqual(candidates[i - 1].judge, candidates[i].judge))
			JsonViewAppend(&fresh, candidates[i].view);
	}
	return fresh;
}

/* Raises an error as soon as the cases exceed the limit of a suite, instead of after all were judged. */
static void
CountCase(SuiteJudging *judging, const JsonView *test_case, const JsonView *fresh)
{
	JsonView	reduced = CaseReduced(test_case);

	judging->size += CanonicalSizePortable(&reduced) + CanonicalSizePortable(fresh);
	if (judging->size > SUITE_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the cases have more than %d bytes with what judges say of them", SUITE_MAX_SIZE),
				 errdetail("A run tells of all cases of a suite in one document."),
				 errhint("Make several suites of it.")));
}

static void
AddEarlier(const Judgements **earlier, const Judgements *more)
{
	const Judgements *before = *earlier;

	*earlier = before ? JudgementsJoin(before, more) : more;
	if (before)
		pfree(before->items);
}

/* Keeps the new judgements of a case, in the memory of the call. */
static void
KeepPins(SuiteJudging *judging, int ordinal, const JsonView *fresh)
{
	MemoryContext caller = MemoryContextSwitchTo(judging->run.context);
	char	   *place = psprintf("%d", ordinal);
	const char *problem;
	const Judgements *more;
	JsonView	kept = PortableCopy(fresh);
	more = JudgementsParse(&kept, &problem);
	if (more == NULL)
		elog(ERROR, "judgements that came of case %d cannot be read: %s", ordinal, problem);
	JsonViewSetKey(&judging->pins, place, strlen(place), kept);
	judging->npins += JsonViewCount(&kept);
	AddEarlier(&judging->earlier[1], more);
	/* rarely, because each time all judgements are copied */
	if (judging->earlier[1]->count > MOST_RECENT)
	{
		AddEarlier(&judging->earlier[0], judging->earlier[1]);
		judging->earlier[1] = NULL;
	}
	MemoryContextSwitchTo(caller);
}

static void
KeepFailed(SuiteJudging *judging, const JsonView *failed)
{
	MemoryContext caller = MemoryContextSwitchTo(judging->run.context);

	for (int i = 0; failed->type == JVIEW_OBJECT && i < JsonViewCount(failed); i++)
	{
		Span		name;
		JsonView	known = JsonViewMember(failed, i, &name);

		if (!JsonViewGet(&judging->failed, name.str, name.len, &known))
			JsonViewSetKey(&judging->failed, pnstrdup(name.str, name.len), name.len, JsonViewBool(true));
	}
	MemoryContextSwitchTo(caller);
}

static void
JudgeCase(SuiteJudging *judging, int ordinal)
{
	SuiteRun   *run = &judging->run;
	MemoryContext caller = MemoryContextSwitchTo(run->each);
	char		digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	test_case;
	JsonView	came;
	JsonView	failed;
	JsonView	fresh;

	SuiteReadCase(run, ordinal, &test_case, digest);
	SuiteRefuseChangedCase(run, ordinal, digest);
	came = TrialJudge(&run->terms, &test_case, judging->earlier, &failed);
	fresh = NewJudgements(&came, CaseJudgements(&test_case));
	CountCase(judging, &test_case, &fresh);
	if (JsonViewCount(&fresh) > 0)
		KeepPins(judging, ordinal, &fresh);
	KeepFailed(judging, &failed);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(run->each);
}

static void
JudgeCases(SuiteJudging *judging)
{
	for (int i = 1; i <= judging->run.cases; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JudgeCase(judging, i);
	}
}

/*
 * the suite
 */

/* Allows one call at a time, and no concurrent loading of the suite. */
static void
TakeLock(const SuiteRun *run, const text *suite)
{
	LockLoad(run->tenant, SpanOfCString("suite"), SpanOf(VARDATA_ANY(suite), VARSIZE_ANY_EXHDR(suite)));
}

static void
RefuseShipped(const SuiteRun *run)
{
	if (!run->ships)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("suite \"%s\" comes with the extension and does not change", text_to_cstring(run->suite)),
			 errhint("Load its cases and documents under another name with answer_suite_load(), and have that judged.")));
}

/* Does the configuration name any judge? */
static bool
NamesJudge(const SuiteRun *run)
{
	DecisionConfig config;

	DecisionConfigOfView(&run->terms.config, &config);
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		if (config.panels[kind].count > 0)
			return true;
	}
	ereport(NOTICE,
			(errmsg("the configuration names no judge, so nothing is judged"),
			 errhint("judge_entailment, judge_answers and judge_conflict of the configuration name judges.")));
	return false;
}

/* Stores the new version. */
static void
StorePins(const SuiteJudging *judging)
{
	static const Oid types[] = {TEXTOID, TEXTOID, INT4OID, JSONBOID};
	NullableDatum args[4] = {{0}};

	SuiteKeepDocuments(&judging->run);
	args[0].value = PointerGetDatum(judging->run.tenant);
	args[1].value = PointerGetDatum(judging->run.suite);
	args[2].value = Int32GetDatum(judging->run.version);
	args[3].value = JsonbPGetDatum(JsonViewToJsonb(&judging->pins, false));
	(void) AnswerCall(AnswerSchema(), "suite_pin_put", lengthof(types), types, args);
}

static void
TellFailed(const SuiteJudging *judging)
{
	for (int i = 0; i < JsonViewCount(&judging->failed); i++)
	{
		Span		name;

		(void) JsonViewMember(&judging->failed, i, &name);
		ereport(WARNING,
				(errmsg("judge \"%s\" failed, or cannot be asked: some pairs are not judged",
						TextDatumGetCString(SpanDatum(name))),
				 errdetail("What was said of the other pairs is pinned."),
				 errhint("The server's log says why. answer_suite_judge() asks again for what is missing.")));
	}
}

/* answer_suite_judge(suite, config) */
PG_FUNCTION_INFO_V1(answer_eval_suite_judge);
Datum
answer_eval_suite_judge(PG_FUNCTION_ARGS)
{
	SuiteJudging judging;
	SigningKey	key;
	TimestampTz now;

	RequireArgument(fcinfo, 0, "suite");
	RequirePrimary("answer_suite_judge()");
	memset(&judging, 0, sizeof(judging));
	judging.run.tenant = CurrentTenant();
	judging.run.pinning = CurrentPinning();
	SPI_connect();
	judging.pins = JsonViewNewObject(16);
	judging.failed = JsonViewNewObject(4);
	TakeLock(&judging.run, PG_GETARG_TEXT_PP(0));
	/* sees what is committed now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	/* the record of a version is signed, so without a key no judge is asked */
	SigningKeyBegin(&key, &now);
	judging.run.suite = PG_GETARG_TEXT_P_COPY(0);
	SuiteOpen(&judging.run, get_func_namespace(fcinfo->flinfo->fn_oid), ConfigArgument(fcinfo), NULL);
	RefuseShipped(&judging.run);
	if (NamesJudge(&judging.run))
		JudgeCases(&judging);
	if (judging.npins > 0)
		StorePins(&judging);
	TellFailed(&judging);
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_INT32(judging.npins);
}
