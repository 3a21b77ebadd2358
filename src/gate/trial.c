/*-------------------------------------------------------------------------
 *
 * trial.c
 *		Tries one case, and leaves nothing behind in the database.
 *
 * Rule: doc/spec/gate.md §1.3.  A grounded case is answered from the suite's own documents, at the
 * suite's clock, with the run's configuration; nothing is minted.  A question is compiled to its
 * route.  Checks and plans are executed normally, with the caller's rights, so their tools use the
 * real clock.
 *
 * Promises: everything that a case does runs in a subtransaction that is rolled back.  A case that
 * raises an error becomes a row that names the error, but a query cancel ends the run.  In a run,
 * only judgements pinned by the case count, whatever the case calls.  When a suite is judged, the
 * case is tried in the same way, and judges are asked for the missing judgements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/deadline.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/owner.h"
#include "eval/eval.h"
#include "gate/suite_case.h"
#include "gate/trial.h"
#include "ground/environment.h"
#include "ground/grounded.h"
#include "ground/portable_numbers.h"
#include "judge/pinned.h"
#include "plan/execute.h"
#include "plan/ir.h"
#include "route/route_table.h"

/* A plan is contradicted if its evidence has a contradiction above this, whatever its own tolerance is. */
#define CONTRADICTION_MOST	"0.30"

/* Time limit of a case. */
#define CASE_DEADLINE_MS	600000

typedef struct Trial
{
	const TrialTerms *terms;
	const JsonView *test_case;
	CaseKind	kind;
	Pinning    *pinning;		/* the configuration of the run, and what the case pins */
	MemoryContext context;		/* for the result */
	Jsonb	   *outcome;		/* the result */
} Trial;

/* Takes a member of an object under another name; null if it is missing. */
static void
TakeMember(JsonView *outcome, const char *name, const JsonView *from, const char *key)
{
	JsonView	value;

	if (from->type != JVIEW_OBJECT || !JsonViewGetMember(from, key, &value) || value.type == JVIEW_ABSENT)
		value = JsonViewNull();
	JsonViewSet(outcome, name, value);
}

/* Returns the position and status of each sentence of a given answer. */
static JsonView
SentencesView(const JsonView *validation)
{
	static const char *const members[] = {"start", "end", "status"};
	JsonView	view = JsonViewNewArray(4);
	JsonView	sentences;

	if (validation->type != JVIEW_OBJECT || !JsonViewGetMember(validation, "sentences", &sentences) ||
		sentences.type != JVIEW_ARRAY)
		return view;
	for (int i = 0; i < JsonViewCount(&sentences); i++)
	{
		JsonView	sentence = JsonViewAt(&sentences, i);
		JsonView	told = JsonViewNewObject(lengthof(members));

		for (size_t k = 0; k < lengthof(members); k++)
			TakeMember(&told, members[k], &sentence, members[k]);
		JsonViewAppend(&view, told);
	}
	return view;
}

static JsonView
TryGrounded(const Trial *trial)
{
	static const char *const optional[] = {"answer", "citations", "chunks", "judgements"};
	GroundedTrial asked = {
		.tenant = trial->terms->tenant,
		.documents = trial->terms->documents,
		.now = trial->terms->now,
		.pinning = trial->pinning,
		.judging_ms = CASE_DEADLINE_MS
	};
	JsonView	outcome = JsonViewNewObject(16);
	JsonView	decided;
	JsonView	member;

	(void) JsonViewGetMember(trial->test_case, "query", &asked.query);
	asked.options = JsonViewNewObject(lengthof(optional));
	for (size_t i = 0; i < lengthof(optional); i++)
	{
		if (JsonViewGetMember(trial->test_case, optional[i], &member))
			JsonViewSet(&asked.options, optional[i], member);
	}
	decided = GroundedTry(&asked);
	if (trial->terms->found)
	{
		MemoryContext current = MemoryContextSwitchTo(trial->context);

		*trial->terms->found = JsonViewToJsonb(&asked.found, true);
		MemoryContextSwitchTo(current);
	}
	TakeMember(&outcome, "decision", &decided, "decision");
	TakeMember(&outcome, "answer", &decided, "answer");
	TakeMember(&outcome, "citations", &decided, "citations");
	TakeMember(&outcome, "signals", &decided, "signals");
	TakeMember(&outcome, "reasons", &decided, "reasons");
	TakeMember(&outcome, "degraded", &decided, "degraded");
	(void) JsonViewGetMember(&decided, "conflicts", &member);
	TakeMember(&outcome, "conflict_detected", &member, "conflict_detected");
	(void) JsonViewGetMember(&decided, "validation", &member);
	TakeMember(&outcome, "citation_valid", &member, "citation_valid");
	JsonViewSet(&outcome, "sentences", SentencesView(&member));
	TakeMember(&outcome, "similarity", &decided, "similarity");
	(void) JsonViewGetMember(&decided, "risk", &member);
	TakeMember(&outcome, "risk_level", &member, "risk_level");
	if (trial->pinning->asks)
		TakeMember(&outcome, "judgements", &decided, "judgements");
	return outcome;
}

/*
 * These do what our SQL functions do, for the caller.  A case may do no more than the
 * caller of the suite, who may lack the right to call the function.
 */

static JsonView
TryChecks(const Trial *trial)
{
	static const Oid request_type = JSONBOID;
	JsonView	outcome = JsonViewNewObject(6);
	JsonView	verdicts = JsonViewNewArray(4);
	JsonView	request = JsonViewUnder(trial->test_case, "request");
	JsonView	receipt;
	JsonView	checks;

	CallerStatementBegin(trial->terms->schema, "answer_eval", 1, &request_type);
	JsonViewOfJsonb(EvalAnswer(JsonViewToJsonb(&request, false)), &receipt);
	CallerStatementEnd();
	TakeMember(&outcome, "decision", &receipt, "verdict");
	if (JsonViewGetMember(&receipt, "checks", &checks) && checks.type == JVIEW_ARRAY)
	{
		for (int i = 0; i < JsonViewCount(&checks); i++)
		{
			JsonView	check = JsonViewAt(&checks, i);
			JsonView	verdict = JsonViewNull();

			if (check.type == JVIEW_OBJECT)
				(void) JsonViewGetMember(&check, "verdict", &verdict);
			JsonViewAppend(&verdicts, verdict);
		}
	}
	JsonViewSet(&outcome, "verdicts", verdicts);
	TakeMember(&outcome, "confidence", &receipt, "confidence");
	return outcome;
}

static JsonView
TryQuestion(const Trial *trial)
{
	static const Oid question_type = TEXTOID;
	JsonView	outcome = JsonViewNewObject(6);
	Span		question = JsonViewMemberText(trial->test_case, "question");
	JsonView	compiled;
	JsonView	route;
	JsonView	reason = {.type = JVIEW_ABSENT};

	if (question.len == 0)
		question = JsonViewMemberText(trial->test_case, "query");
	CallerStatementBegin(AnswerSchema(), "route_compile", 1, &question_type);
	JsonViewOfJsonb(RouteCompile(TextOfUtf8(question)), &compiled);
	CallerStatementEnd();
	(void) JsonViewGetMember(&compiled, "route", &route);
	if (route.type == JVIEW_OBJECT)
		(void) JsonViewGetMember(&route, "reason", &reason);
	if (reason.type == JVIEW_STRING)
	{
		JsonViewSet(&outcome, "decision", JsonViewCString("refused"));
		JsonViewSet(&outcome, "route", reason);
	}
	else
	{
		JsonViewSet(&outcome, "decision", JsonViewCString("routed"));
		TakeMember(&outcome, "route", &route, "route_id");
	}
	return outcome;
}

/* Takes the confidence of a plan's evidence, and whether it is contradicted. */
static void
TakeEvidence(JsonView *outcome, const JsonView *response)
{
	JsonView	evidence = JsonViewUnder(response, "evidence");
	JsonView	weight = {.type = JVIEW_ABSENT};
	Numeric		number;

	TakeMember(outcome, "confidence", &evidence, "confidence");
	if (evidence.type != JVIEW_OBJECT || !JsonViewGetMember(&evidence, "contradictions", &weight))
		return;
	weight = NumberOfPortable(&weight);
	JsonViewSet(outcome, "conflict_detected",
				JsonViewBool(weight.type == JVIEW_NUMBER && JsonViewNumeric(&weight, &number) &&
							 NumberCompare(number, NumberOfLiteral(CONTRADICTION_MOST)) > 0));
}

static JsonView
TryPlan(const Trial *trial)
{
	static const Oid request_type = JSONBOID;
	static const char *const members[] = {"plan", "vars", "budgets", "intent"};
	JsonView	outcome = JsonViewNewObject(6);
	JsonView	request = JsonViewNewObject(lengthof(members) + 1);
	JsonView	document;
	JsonView	member;
	JsonView	kind;
	JsonView	reasons = JsonViewNewArray(1);

	for (size_t i = 0; i < lengthof(members); i++)
	{
		if (JsonViewGetMember(trial->test_case, members[i], &member))
			JsonViewSet(&request, members[i], member);
	}
	/* measured latencies of this server are no property of suite, configuration or engine */
	JsonViewSet(&request, "basis", JsonViewCString(BASIS_DECLARED));
	CallerStatementBegin(trial->terms->schema, "answer_plan_execute", 1, &request_type);
	JsonViewOfJsonb(PlanExecute(JsonViewToJsonb(&request, false), trial->pinning), &document);
	CallerStatementEnd();
	if (JsonViewGetMember(&document, "pending", &member))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the plan waits for the application")));
	TakeMember(&outcome, "decision", &document, "verdict");
	(void) JsonViewGetMember(&document, "response", &member);
	TakeMember(&outcome, "answer", &member, "text");
	TakeMember(&outcome, "citations", &member, "citations");
	TakeEvidence(&outcome, &member);
	(void) JsonViewGetMember(&document, "reason", &member);
	if (member.type == JVIEW_OBJECT && JsonViewGetMember(&member, "kind", &kind))
		JsonViewAppend(&reasons, kind);
	JsonViewSet(&outcome, "reasons", reasons);
	return outcome;
}

/* Tries the case, within a contained call. */
static void
Try(void *arg)
{
	Trial	   *trial = arg;
	JsonView	outcome;
	MemoryContext current;

	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	switch (trial->kind)
	{
		case CASE_GROUNDED:
			outcome = TryGrounded(trial);
			break;
		case CASE_CHECK:
			outcome = TryChecks(trial);
			break;
		case CASE_QUESTION:
			outcome = TryQuestion(trial);
			break;
		case CASE_PLAN:
			outcome = TryPlan(trial);
			break;
	}
	current = MemoryContextSwitchTo(trial->context);
	trial->outcome = JsonViewToJsonb(&outcome, true);
	MemoryContextSwitchTo(current);
	PopActiveSnapshot();
	SPI_finish();
}

static JsonView
ErrorView(const CallFailure *failure)
{
	JsonView	error = JsonViewNewObject(2);

	JsonViewSet(&error, "sqlstate", JsonViewCString(failure->sqlstate));
	JsonViewSet(&error, "message", CallFailureMessage(failure));
	return error;
}

/*
 * Tries a case with the configuration of the run and with its pinned judgements.
 * Both are an argument.  They are also set for tools and judges, whose SQL calls
 * must use them, too.  A tool may run a suite, so the previous value is restored.
 */
static bool
TryCase(Trial *trial, CallFailure *failure)
{
	Pinning    *const outer = PinningPut(trial->pinning);
	volatile bool came = false;

	PG_TRY();
	{
		came = CallTried(Try, trial, TimestampTzPlusMilliseconds(GetCurrentTimestamp(), CASE_DEADLINE_MS),
						 CASE_DEADLINE_MS, failure);
	}
	PG_FINALLY();
	{
		(void) PinningPut(outer);
	}
	PG_END_TRY();
	return came;
}

Jsonb *
TrialRun(const TrialTerms *terms, int ordinal, const JsonView *test_case, const char *digest)
{
	static const char *const members[] = {"decision", "answer", "citations", "signals", "reasons", "degraded",
		"conflict_detected", "citation_valid", "sentences", "similarity", "risk_level", "verdicts", "confidence", "route"};
	JsonView	row = JsonViewNewObject(22);
	JsonView	outcome = {.type = JVIEW_ABSENT};
	Pinning		pinning = {.config = &terms->config,.pinned = CaseJudgements(test_case)};
	Trial		trial = {
		.terms = terms,
		.test_case = test_case,
		.kind = CaseKindOf(test_case),
		.pinning = &pinning,
		.context = CurrentMemoryContext
	};
	CallFailure failure;
	bool		came = TryCase(&trial, &failure);

	if (came)
		JsonViewOfJsonb(trial.outcome, &outcome);
	JsonViewSet(&row, "ordinal", JsonViewInteger(ordinal));
	TakeMember(&row, "id", test_case, "id");
	JsonViewSet(&row, "kind", JsonViewCString(case_kinds[trial.kind]));
	JsonViewSet(&row, "case", CaseReduced(test_case));
	JsonViewSet(&row, "digest", JsonViewCString(digest));
	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member;

		if (outcome.type == JVIEW_OBJECT && JsonViewGetMember(&outcome, members[i], &member))
			JsonViewSet(&row, members[i], member);
	}
	if (!came)
		JsonViewSet(&row, "decision", JsonViewNull());
	JsonViewSet(&row, "error", came ? JsonViewNull() : ErrorView(&failure));
	return JsonViewToJsonb(&row, true);
}

/*
 * judging
 */

/* Returns all new judgements, in one array. */
static JsonView
AllThatCame(const Pinning *pinning)
{
	JsonView	all = JsonViewNewArray(8);

	for (int i = 0; i < pinning->ncame; i++)
	{
		JsonView	array;

		JsonViewOfJsonb(pinning->came[i], &array);
		for (int k = 0; k < JsonViewCount(&array); k++)
		{
			JsonView	judgement = JsonViewAt(&array, k);

			JsonViewAppend(&all, judgement);
		}
	}
	return all;
}

JsonView
TrialJudge(const TrialTerms *terms, const JsonView *test_case, const Judgements *const earlier[PINNING_EARLIER],
		   JsonView *failed)
{
	Pinning		pinning = {
		.config = &terms->config,
		.pinned = CaseJudgements(test_case),
		.asks = true,
		.earlier = {earlier[0], earlier[1]},
		.context = CurrentMemoryContext
	};
	Trial		trial = {
		.terms = terms,
		.test_case = test_case,
		.kind = CaseKindOf(test_case),
		.pinning = &pinning,
		.context = CurrentMemoryContext
	};
	JsonView	outcome;
	JsonView	needed;
	CallFailure failure;

	/* a route needs no judge; a case that raises an error would do so in a run, too, and needs none */
	if (trial.kind == CASE_QUESTION || !TryCase(&trial, &failure))
		needed = JsonViewNewArray(0);
	else if (trial.kind != CASE_GROUNDED)
		needed = AllThatCame(&pinning);
	else
	{
		JsonViewOfJsonb(trial.outcome, &outcome);
		(void) JsonViewGetMember(&outcome, "judgements", &needed);
	}
	*failed = pinning.failed;
	return needed;
}
