/*-------------------------------------------------------------------------
 *
 * eval.c
 *		answer_eval: the whole pipeline for a request.
 *
 * Request, tools, facts, checks, composite, receipt, in that order and in one
 * transaction.  One instant, taken at the start together with the key that
 * will sign, dates everything.  A tool is called once for one set of arguments,
 * however many checks ask for it.
 *
 * The rules are elsewhere: request.c and check.c say what a request is and what
 * a check's verdict is, composite.c what they come to, evidence.c what a fact
 * is, receipt.c and verify.c what a receipt is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "canonical.h"
#include "check.h"
#include "composite.h"
#include "evidence.h"
#include "receipt.h"
#include "request.h"
#include "signature.h"

/* A fact that came with the request. */
typedef struct SuppliedFact
{
	Span		tool;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	fact;
} SuppliedFact;

/* A tool that some check names, looked up once. */
typedef struct NamedTool
{
	Span		name;
	bool		registered;
	Tool		tool;
} NamedTool;

/* One tool with one set of arguments: what it gave, or why nothing. */
typedef struct Call
{
	Span		tool;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	bool		called;			/* a registered tool was, whatever came of it */
	JsonView	args;
	int			nfacts;
	JsonView   *facts;
	const char **digests;		/* of the facts */
	CallFailure failure;		/* where a registered tool gave nothing */
} Call;

typedef struct Eval
{
	RequestPlan request;
	SigningKey	key;
	TimestampTz evaluated_at;
	TimestampTz deadline;
	int			nsupplied;
	SuppliedFact *supplied;
	int			ntools;
	NamedTool  *tools;
	int			ncalls;
	Call	   *calls;
	CompositeState composite;
	JsonView	checks;			/* of the receipt */
} Eval;

static bool
SpanEqual(Span a, Span b)
{
	return a.len == b.len && memcmp(a.str, b.str, a.len) == 0;
}

/* Looks a tool up, once a request. */
static const NamedTool *
FindTool(Eval *eval, Span name)
{
	NamedTool  *named;

	for (int i = 0; i < eval->ntools; i++)
	{
		if (SpanEqual(eval->tools[i].name, name))
			return &eval->tools[i];
	}
	named = &eval->tools[eval->ntools++];
	named->name = name;
	named->registered = ToolFind(name, &named->tool);
	return named;
}

/* Reads the supplied facts; one for a registered tool is the caller's error. */
static void
ReadSupplied(Eval *eval)
{
	static JsonView no_args;
	int			count = JsonViewCount(&eval->request.evidence);
	JsonView	seen = JsonViewNewObject(4);

	no_args = JsonViewNewObject(0);
	eval->supplied = palloc_extended(sizeof(SuppliedFact) * (Size) Max(count, 1),
									 MCXT_ALLOC_HUGE);
	eval->nsupplied = count;
	for (int i = 0; i < count; i++)
	{
		SuppliedFact *supplied = &eval->supplied[i];
		JsonView	args;
		JsonView	view;
		Tool		tool;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&eval->request.evidence, i, &supplied->fact);
		JsonViewGetString(&supplied->fact, "fact", &supplied->tool.str, &supplied->tool.len);
		if (!JsonViewGet(&supplied->fact, "args", 4, &args))
			args = no_args;
		CanonicalDigest(&args, NULL, supplied->args_digest);
		/* facts for one tool tend to come together: ask for each name once */
		if (JsonViewGet(&seen, supplied->tool.str, supplied->tool.len, &view))
			continue;
		JsonViewSetKey(&seen, supplied->tool.str, supplied->tool.len, JsonViewNull());
		if (ToolFind(supplied->tool, &tool))
		{
			RequestError error = {.field = {"evidence", 8},
			.problem = "holds a fact for a registered tool, which answers for itself"};

			RequestRaise(&error);
		}
	}
}

static int
CompareStrings(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* Drops facts that were supplied twice, keeping the order of the first ones. */
static void
DropDuplicates(Call *call)
{
	const char **sorted = palloc(sizeof(char *) * (Size) call->nfacts);
	bool	   *taken = palloc0(sizeof(bool) * (Size) call->nfacts);
	int			distinct = 0;
	int			kept = 0;

	memcpy(sorted, call->digests, sizeof(char *) * call->nfacts);
	qsort(sorted, call->nfacts, sizeof(char *), CompareStrings);
	for (int i = 0; i < call->nfacts; i++)
	{
		if (i == 0 || strcmp(sorted[distinct - 1], sorted[i]) != 0)
			sorted[distinct++] = sorted[i];
	}
	for (int i = 0; i < call->nfacts; i++)
	{
		const char **at = bsearch(&call->digests[i], sorted, distinct, sizeof(char *),
								  CompareStrings);

		if (taken[at - sorted])
			continue;
		taken[at - sorted] = true;
		call->facts[kept] = call->facts[i];
		call->digests[kept++] = call->digests[i];
	}
	call->nfacts = kept;
}

/* The supplied facts that answer a call, with a verification computed here. */
static void
TakeSupplied(Eval *eval, Call *call)
{
	call->nfacts = 0;
	for (int i = 0; i < eval->nsupplied; i++)
	{
		SuppliedFact *supplied = &eval->supplied[i];

		if (!SpanEqual(supplied->tool, call->tool) ||
			strcmp(supplied->args_digest, call->args_digest) != 0)
			continue;
		if (call->facts == NULL)
			call->facts = palloc_extended(sizeof(JsonView) * (Size) eval->nsupplied,
										  MCXT_ALLOC_HUGE);
		call->facts[call->nfacts++] = supplied->fact;
	}
	if (call->nfacts > 0)
		SuppliedFacts(call->facts, call->nfacts, eval->evaluated_at);
}

static void
DigestFacts(Call *call)
{
	call->digests = palloc(sizeof(char *) * (Size) Max(call->nfacts, 1));
	for (int i = 0; i < call->nfacts; i++)
	{
		char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

		CHECK_FOR_INTERRUPTS();
		FactDigest(&call->facts[i], digest);
		call->digests[i] = digest;
	}
	if (call->nfacts > 1)
		DropDuplicates(call);
}

/* Gets the evidence for a tool and arguments, once a request. */
static Call *
MakeCall(Eval *eval, const NamedTool *named, const JsonView *args)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Call	   *call;

	CanonicalDigest(args, NULL, digest);
	for (int i = 0; i < eval->ncalls; i++)
	{
		if (SpanEqual(eval->calls[i].tool, named->name) &&
			strcmp(eval->calls[i].args_digest, digest) == 0)
			return &eval->calls[i];
	}
	call = &eval->calls[eval->ncalls++];
	memset(call, 0, sizeof(*call));
	call->tool = named->name;
	call->args = *args;
	memcpy(call->args_digest, digest, sizeof(digest));
	if (named->registered)
	{
		call->called = true;
		call->facts = palloc(sizeof(JsonView));
		if (ToolFact(&named->tool, args, eval->evaluated_at, eval->deadline,
					 eval->request.deadline_ms, &eval->key, call->facts, &call->failure))
			call->nfacts = 1;
	}
	else
		TakeSupplied(eval, call);
	DigestFacts(call);
	return call;
}

/* Adds a check's verdict to its normal form, and both to the receipt. */
static void
RecordCheck(Eval *eval, const CheckPlan *plan, const CheckResult *result,
			JsonView explain, const Call *call)
{
	JsonView	check = CheckNormalForm(plan);
	JsonView	evidence = JsonViewNewArray(1);

	if (call)
	{
		for (int i = 0; i < call->nfacts; i++)
			JsonViewAppend(&evidence, JsonViewString(call->digests[i], DIGEST_TEXT_LENGTH));
	}
	JsonViewSet(&check, "verdict", JsonViewCString(verdict_labels[result->verdict]));
	JsonViewSet(&check, "confidence",
				JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(float8_numeric,
																	  Float8GetDatum(result->confidence)))));
	if (result->observed.type != JVIEW_ABSENT)
		JsonViewSet(&check, "observed", result->observed);
	JsonViewSet(&check, "explain", explain);
	JsonViewSet(&check, "evidence", evidence);
	JsonViewAppend(&eval->checks, check);
	CompositeAdd(&eval->composite, result->verdict, result->confidence, plan->required);
}

/* Records a verdict that was reached without evidence. */
static void
RecordWithout(Eval *eval, const CheckPlan *plan, Verdict verdict, JsonView explain)
{
	CheckResult result;

	result.verdict = verdict;
	result.confidence = 0;
	result.observed.type = JVIEW_ABSENT;
	RecordCheck(eval, plan, &result, explain, NULL);
}

/*
 * An error message as UTF-8 whatever wrote it: in a SQL_ASCII database nobody
 * vouches for its bytes.
 */
static JsonView
MessageView(char *message)
{
	int			len = strlen(message);
	char	   *utf8;

	if (GetDatabaseEncoding() == PG_SQL_ASCII)
	{
		for (char *p = message; *p; p++)
		{
			if (IS_HIGHBIT_SET(*p))
				*p = '?';
		}
	}
	utf8 = JsonServerToUtf8(message, len, &len);
	return JsonViewString(utf8, len);
}

static void
RecordUnavailable(Eval *eval, const CheckPlan *plan, Call *call)
{
	JsonView	explain = CheckExplainWithout(plan, "no evidence arrived");

	JsonViewSet(&explain, "sqlstate", JsonViewCString(call->failure.sqlstate));
	JsonViewSet(&explain, "message", MessageView(call->failure.message));
	RecordWithout(eval, plan, VERDICT_EVIDENCE_UNAVAILABLE, explain);
}

static void
RecordBadArgument(Eval *eval, const CheckPlan *plan, const char *problem, Span argument)
{
	JsonView	explain = CheckExplainWithout(plan, problem);

	JsonViewSet(&explain, "argument", JsonViewString(argument.str, argument.len));
	RecordWithout(eval, plan, VERDICT_NOT_EVALUABLE, explain);
}

static void
EvalCheck(Eval *eval, const CheckPlan *plan)
{
	const NamedTool *named = FindTool(eval, plan->tool);
	const char *problem;
	Span		argument;
	Call	   *call;
	CheckResult result;

	problem = named->registered ?
		ToolArgumentProblem(&named->tool, &plan->args, &argument) : NULL;
	if (problem)
	{
		RecordBadArgument(eval, plan, problem, argument);
		return;
	}
	call = MakeCall(eval, named, &plan->args);
	if (call->nfacts == 0)
	{
		if (named->registered)
			RecordUnavailable(eval, plan, call);
		else
			RecordWithout(eval, plan, VERDICT_OUTSIDE_EVIDENCE_COVERAGE,
						  CheckExplainWithout(plan, "no tool of that name is registered"));
		return;
	}
	CheckEvaluate(plan, call->facts, call->nfacts, eval->evaluated_at, &result);
	RecordCheck(eval, plan, &result, CheckExplain(plan, &result), call);
}

static void
EvalChecks(Eval *eval)
{
	int			evaluated = Min(eval->request.nchecks, REQUEST_CHECK_CAP);

	eval->tools = palloc(sizeof(NamedTool) * evaluated);
	eval->calls = palloc(sizeof(Call) * evaluated);
	eval->composite = CompositeInit();
	eval->checks = JsonViewNewArray(eval->request.nchecks);
	for (int i = 0; i < evaluated; i++)
	{
		CHECK_FOR_INTERRUPTS();
		EvalCheck(eval, &eval->request.checks[i]);
	}
	for (int i = evaluated; i < eval->request.nchecks; i++)
		RecordWithout(eval, &eval->request.checks[i], VERDICT_NOT_CHECKED,
					  CheckExplainWithout(&eval->request.checks[i],
										  "the request has more checks than are evaluated"));
}

/* The evidence that checks cite, by digest; and the calls that were made. */
static void
GatherEvidence(const Eval *eval, ReceiptContent *content)
{
	content->evidence_index = JsonViewNewObject(eval->ncalls);
	content->calls = JsonViewNewArray(eval->ncalls);
	for (int i = 0; i < eval->ncalls; i++)
	{
		const Call *call = &eval->calls[i];

		for (int j = 0; j < call->nfacts; j++)
			JsonViewSetKey(&content->evidence_index, call->digests[j],
						   DIGEST_TEXT_LENGTH, call->facts[j]);
		if (call->called)
		{
			JsonView	member = JsonViewNewObject(2);

			JsonViewSet(&member, "tool", JsonViewString(call->tool.str, call->tool.len));
			JsonViewSet(&member, "args", call->args);
			JsonViewAppend(&content->calls, member);
		}
	}
}

/* Reads the request, in its portable form; raises if it is malformed. */
static void
ReadRequest(Jsonb *request, RequestPlan *plan)
{
	JsonView	view;
	RequestError error;

	JsonViewOfJsonb(request, &view);
	JsonViewOfJsonb(JsonViewToJsonb(&view, true), &view);
	if (!RequestParse(&view, plan, &error))
		RequestRaise(&error);
	if (plan->question.type != JVIEW_ABSENT)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("questions are not routed by this version of answer_eval"),
				 errhint("Give the checks themselves, in \"checks\".")));
}

PG_FUNCTION_INFO_V1(answer_eval);
Datum
answer_eval(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Eval		eval;
	ReceiptContent content;
	Jsonb	   *receipt;
	Jsonb	   *result;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("request must not be null")));
	PreventCommandIfReadOnly("answer_eval()");
	PreventCommandDuringRecovery("answer_eval()");
	memset(&eval, 0, sizeof(eval));
	memset(&content, 0, sizeof(content));
	SPI_connect();
	ReadRequest(PG_GETARG_JSONB_P(0), &eval.request);
	SigningKeyBegin(&eval.key, &eval.evaluated_at);
	eval.deadline = TimestampTzPlusMilliseconds(eval.evaluated_at, eval.request.deadline_ms);
	ReadSupplied(&eval);
	EvalChecks(&eval);

	content.evaluated_at = eval.evaluated_at;
	content.composite = CompositeResult(eval.composite);
	content.checks = eval.checks;
	GatherEvidence(&eval, &content);
	receipt = ReceiptMint(&content, &eval.key);

	result = MemoryContextAllocHuge(caller, VARSIZE(receipt));
	memcpy(result, receipt, VARSIZE(receipt));
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}
