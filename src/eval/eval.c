/*-------------------------------------------------------------------------
 *
 * eval.c
 *		answer_eval: the whole pipeline for a request.
 *
 * Rule: doc/spec/answer-eval.md §1 and §4 to §6.
 *
 * The steps are request, tools, facts, checks, composite, receipt, in that order
 * and in one transaction.  One instant, taken at the start together with the key
 * that will sign, dates everything.  A tool is called once per set of arguments,
 * however many checks ask for it.  Its result gives one fact for each place that
 * the checks look at, because a fact's verification is about one place.
 *
 * A question is compiled to checks and then processed in the same way.  A refused
 * question is processed without checks.
 *
 * The rules are elsewhere: request.c defines a request, check.c a check's
 * verdict, route.c how a question becomes checks, composite.c the verdict of all
 * checks, call.c and fact.c a fact, mint.c and verify.c a receipt.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "check/check_explain.h"
#include "document/mint.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/verify.h"
#include "eval/answer_receipt.h"
#include "eval/eval.h"
#include "evidence/tool_help.h"

static const char disclaimer[] =
"The signature proves that these bytes are unchanged since they were issued, not that the evidence is true. Evidence is advisory."
" A receipt is never a certification.";

/*
 * the document
 */

/*
 * Returns what is needed to get the same answer again: the rules that decided, the
 * digests of those that are data, and the calls.
 */
static JsonView
AnswerReproducedBy(const ReceiptContent *content)
{
	JsonView	reproduce;
	JsonView	rules = JsonViewNewArray(5);
	JsonView	digests = JsonViewNewObject(1);
	Span		table;

	JsonViewAppend(&rules, JsonViewCString("answer-eval/1"));
	JsonViewAppend(&rules, JsonViewCString("answer-conf/1"));
	JsonViewAppend(&rules, JsonViewCString("fact-conf/1"));
	if (content->question.type != JVIEW_ABSENT)
	{
		JsonViewAppend(&rules, JsonViewCString("route/1"));
		if (JsonViewGetString(&content->route, "router_sha256", &table))
			JsonViewSet(&digests, "route_table",
						JsonViewCString(psprintf(DIGEST_PREFIX "%.*s", table.len, table.str)));
	}
	if (content->has_quality)
		JsonViewAppend(&rules, JsonViewCString("quality/1"));
	reproduce = ReproduceView(rules, digests, content->had_written);
	JsonViewSet(&reproduce, "calls", content->calls);
	return reproduce;
}

static JsonView
BodyView(const ReceiptContent *content)
{
	JsonView	body = DocumentBegin(&answer_kind, content->tenant, content->evaluated_at);

	JsonViewSet(&body, "evaluated_at", InstantView(content->evaluated_at));
	JsonViewSet(&body, "mode",
				JsonViewCString(content->question.type == JVIEW_ABSENT ? "checks" : "question"));
	if (content->question.type != JVIEW_ABSENT)
	{
		JsonViewSet(&body, "question", content->question);
		JsonViewSet(&body, "route", content->route);
	}
	if (content->coverage.type != JVIEW_ABSENT)
		JsonViewSet(&body, "coverage", content->coverage);
	if (content->require_fresh.type != JVIEW_ABSENT)
		JsonViewSet(&body, "require_fresh", content->require_fresh);
	JsonViewSet(&body, "verdict",
				JsonViewCString(composite_labels[content->composite.verdict]));
	JsonViewSet(&body, "confidence", HundredthsView(content->composite.hundredths));
	JsonViewSet(&body, "degraded", JsonViewBool(content->composite.degraded));
	JsonViewSet(&body, "checks", content->checks);
	JsonViewSet(&body, "evidence_index", content->evidence_index);
	JsonViewSet(&body, "reproduce", AnswerReproducedBy(content));
	JsonViewSet(&body, "disclaimer", JsonViewCString(disclaimer));
	return body;
}

/* Fills in what an answer is minted from. */
void
EvalMinting(const ReceiptContent *content, const SigningKey *key, Minting *minting)
{
	*minting = (Minting) {
		.kind = &answer_kind,
		.issued_at = content->evaluated_at,
		.begun_at = content->evaluated_at,
		.key = key,
		.tenant = content->tenant,
		.nwords = content->nwords,
		.words = content->words,
		.ndigests = content->ndigests,
		.digests = content->digests
	};
	minting->body = BodyView(content);
}

/*
 * the pipeline
 */

/* Returns a tool by its name; EvalFindTools has looked it up. */
static const Tool *
FindTool(const Eval *eval, Span name)
{
	return bsearch(&name, eval->tools, eval->ntools, sizeof(Tool), SpanCompareItems);
}

/* Writes the names of tools in checks and supplied facts; there must be room for all of them. */
int
EvalToolNames(const Eval *eval, Span *names)
{
	int			named = 0;

	for (int i = 0; i < eval->npending; i++)
		names[named++] = eval->pending[i].check->tool;
	for (int i = 0; i < eval->nsupplied; i++)
		names[named++] = eval->supplied[i].tool;
	return named;
}

/* Looks up all named tools together, each once; the result is sorted. */
Tool *
EvalFindTools(const text *tenant, Span *names, int named, int *count)
{
	int			distinct = 0;
	Tool	   *tools;

	qsort(names, named, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < named; i++)
	{
		if (i == 0 || SpanCompareItems(&names[distinct - 1], &names[i]) != 0)
			names[distinct++] = names[i];
	}
	tools = palloc_extended(sizeof(Tool) * (Size) Max(distinct, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < distinct; i++)
		tools[i].name = names[i];
	ToolsFind(tenant, tools, distinct);
	*count = distinct;
	return tools;
}

static void
LookUpTools(Eval *eval)
{
	Span	   *names = palloc_extended(sizeof(Span) * ((Size) eval->npending + eval->nsupplied),
										MCXT_ALLOC_HUGE);

	eval->tools = EvalFindTools(eval->tenant, names, EvalToolNames(eval, names), &eval->ntools);
}

/* Reads the supplied facts. */
static void
ReadSupplied(Eval *eval)
{
	int			count = JsonViewCount(&eval->request.evidence);
	JsonView	no_args = JsonViewNewObject(0);

	eval->supplied = palloc_extended(sizeof(SuppliedFact) * (Size) Max(count, 1),
									 MCXT_ALLOC_HUGE);
	eval->nsupplied = count;
	for (int i = 0; i < count; i++)
	{
		SuppliedFact *supplied = &eval->supplied[i];
		JsonView	args;

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&eval->request.evidence, i, &supplied->fact);
		JsonViewGetString(&supplied->fact, "fact", &supplied->tool);
		if (!JsonViewGetMember(&supplied->fact, "args", &args))
			args = no_args;
		CanonicalDigest(&args, NULL, supplied->args_digest);
	}
}

/* A registered tool gives its own evidence, so a supplied fact for it is an error. */
static void
RefuseSuppliedForRegistered(const Eval *eval)
{
	RequestError error = {.field = SPAN_LITERAL("evidence"),
	.problem = "holds a fact for a registered tool, which answers for itself"};

	for (int i = 0; i < eval->nsupplied; i++)
	{
		Span		tool = eval->supplied[i].tool;

		if (!FindTool(eval, tool)->registered)
			continue;
		error.seen = JsonViewString(tool.str, tool.len);
		RequestRaise(&error);
	}
}

static int
CompareStrings(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* Removes facts that were supplied twice, keeping the first of each. */
static void
DropDuplicates(FactsAt *at)
{
	const char **sorted = palloc(sizeof(char *) * (Size) at->nfacts);
	bool	   *taken = palloc0(sizeof(bool) * (Size) at->nfacts);
	int			distinct = 0;
	int			kept = 0;

	memcpy(sorted, at->digests, sizeof(char *) * at->nfacts);
	qsort(sorted, at->nfacts, sizeof(char *), CompareStrings);
	for (int i = 0; i < at->nfacts; i++)
	{
		if (i == 0 || strcmp(sorted[distinct - 1], sorted[i]) != 0)
			sorted[distinct++] = sorted[i];
	}
	for (int i = 0; i < at->nfacts; i++)
	{
		const char **same = bsearch(&at->digests[i], sorted, distinct, sizeof(char *),
									CompareStrings);

		if (taken[same - sorted])
			continue;
		taken[same - sorted] = true;
		at->facts[kept] = at->facts[i];
		at->digests[kept++] = at->digests[i];
	}
	at->nfacts = kept;
}

static void
DigestFacts(FactsAt *at)
{
	at->digests = palloc(sizeof(char *) * (Size) Max(at->nfacts, 1));
	for (int i = 0; i < at->nfacts; i++)
	{
		char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);

		CHECK_FOR_INTERRUPTS();
		FactDigest(&at->facts[i], digest);
		at->digests[i] = digest;
	}
	if (at->nfacts > 1)
		DropDuplicates(at);
}

/*
 * Takes the supplied facts that checks are about, with a verification computed here for
 * each place.
 */
static void
TakeSupplied(Eval *eval, Evidence *evidence, const CallTerms *terms)
{
	JsonView   *facts = palloc_extended(sizeof(JsonView) * (Size) Max(eval->nsupplied, 1), MCXT_ALLOC_HUGE);
	int			count = 0;
	SuppliedDraft draft;

	for (int i = 0; i < eval->nsupplied; i++)
	{
		SuppliedFact *supplied = &eval->supplied[i];

		if (SpanEqual(supplied->tool, evidence->tool->name) &&
			strcmp(supplied->args_digest, evidence->args_digest) == 0)
			facts[count++] = supplied->fact;
	}
	if (count == 0)
		return;
	SuppliedDraftOf(&draft, evidence->tool, facts, count, terms);
	for (int i = 0; i < evidence->nat; i++)
	{
		FactsAt    *at = &evidence->at[i];

		at->nfacts = count;
		at->facts = palloc_extended(sizeof(JsonView) * (Size) count, MCXT_ALLOC_HUGE);
		SuppliedFactsAt(&draft, &at->place, at->facts);
		DigestFacts(at);
	}
}

/* Returns the evidence for a tool and arguments, which all checks on them share. */
static Evidence *
FindOrAddEvidence(Eval *eval, const Tool *tool, const JsonView *args)
{
	const Evidence *latest = eval->nevidence > 0 ? &eval->evidence[eval->nevidence - 1] : NULL;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Evidence   *evidence;

	/* checks about one thing often ask several tools with the same arguments */
	if (latest && CanonicalIsSame(args, &latest->args))
		memcpy(digest, latest->args_digest, sizeof(digest));
	else
		CanonicalDigest(args, NULL, digest);
	for (int i = 0; i < eval->nevidence; i++)
	{
		if (eval->evidence[i].tool == tool &&
			strcmp(eval->evidence[i].args_digest, digest) == 0)
			return &eval->evidence[i];
	}
	evidence = &eval->evidence[eval->nevidence++];
	evidence->tool = tool;
	evidence->args = *args;
	evidence->call = -1;
	memcpy(evidence->args_digest, digest, sizeof(digest));
	if (tool->registered)
	{
		ToolCall   *call = &eval->calls[eval->ncalls];

		evidence->call = eval->ncalls++;
		call->tool = tool;
		call->args = &evidence->args;
		memcpy(call->args_digest, digest, sizeof(digest));
	}
	return evidence;
}

/* Returns the index of a place among those that checks look at in some evidence. */
static int
FindOrAddPlace(Evidence *evidence, const Place *place)
{
	for (int i = 0; i < evidence->nat; i++)
	{
		if (SpanEqual(evidence->at[i].place.text, place->text))
			return i;
	}
	if (evidence->at == NULL)
		evidence->at = palloc(sizeof(FactsAt));
	else if ((evidence->nat & (evidence->nat - 1)) == 0)
		evidence->at = repalloc(evidence->at, sizeof(FactsAt) * 2 * evidence->nat);
	evidence->at[evidence->nat] = (FactsAt) {.place = *place};
	return evidence->nat++;
}

/* Adds the places that a check looks at to its evidence. */
static void
PlanPlaces(PendingCheck *pending)
{
	Place		places[CHECK_MAX_EXPECTATIONS];

	StaticAssertStmt(REQUEST_CHECK_CAP * CHECK_MAX_EXPECTATIONS <= PG_UINT8_MAX, "a place has a number of 8 bits");
	pending->nat = CheckPlaces(pending->check, places);
	for (int i = 0; i < pending->nat; i++)
		pending->at[i] = FindOrAddPlace(pending->evidence, &places[i]);
}

/* Makes each call compute a fact for each place that is looked at. */
static void
PlanFacts(Eval *eval)
{
	for (int i = 0; i < eval->nevidence; i++)
	{
		const Evidence *evidence = &eval->evidence[i];
		ToolCall   *call;

		if (evidence->call < 0)
			continue;
		call = &eval->calls[evidence->call];
		call->nfacts = evidence->nat;
		call->facts = palloc0(sizeof(PlacedFact) * evidence->nat);
		for (int j = 0; j < evidence->nat; j++)
			call->facts[j].place = evidence->at[j].place;
	}
}

/* Finds out what evidence the checks need. */
static void
PlanEvidence(Eval *eval)
{
	eval->evidence = palloc0(sizeof(Evidence) * eval->npending);
	eval->calls = palloc0(sizeof(ToolCall) * eval->npending);
	for (int i = 0; i < eval->npending; i++)
	{
		PendingCheck *pending = &eval->pending[i];

		pending->tool = FindTool(eval, pending->check->tool);
		if (ToolWhyUnaskable(pending->tool))
			continue;
		if (pending->tool->registered)
			pending->problem = ToolArgumentProblem(pending->tool, &pending->check->args,
												   &pending->argument);
		if (pending->problem)
			continue;
		if (pending->tool->registered)
			(void) ToolDefaults(pending->tool, &pending->check->args, &pending->check->defaulted);
		pending->evidence = FindOrAddEvidence(eval, pending->tool, &pending->check->args);
		PlanPlaces(pending);
	}
	PlanFacts(eval);
}

/* Takes the facts that a call gave. */
static void
TakeCalled(const ToolCall *call, Evidence *evidence)
{
	const char **digests = palloc(sizeof(char *) * evidence->nat);

	for (int i = 0; i < evidence->nat; i++)
	{
		digests[i] = call->facts[i].digest;
		evidence->at[i].nfacts = 1;
		evidence->at[i].facts = &call->facts[i].fact;
		evidence->at[i].digests = &digests[i];
	}
}

/* Calls the tools, and takes supplied facts. */
static void
CollectEvidence(Eval *eval)
{
	CallTerms	terms = {.now = eval->evaluated_at, .evaluated_at = eval->evaluated_at,
		.deadline = eval->deadline, .deadline_ms = eval->request.deadline_ms,
	.key = &eval->key, .tenant = eval->tenant, .entered = eval->entered};

	ToolsCall(eval->calls, eval->ncalls, &terms);
	for (int i = 0; i < eval->nevidence; i++)
	{
		Evidence   *evidence = &eval->evidence[i];

		if (evidence->call < 0)
			TakeSupplied(eval, evidence, &terms);
		else if (eval->calls[evidence->call].ok)
			TakeCalled(&eval->calls[evidence->call], evidence);
	}
}

/*
 * Returns a confidence as a JSON number.  Nearly all are hundredths, for which this is
 * much faster than for a float.
 */
static JsonView
ConfidenceView(double confidence)
{
	double		hundredths = rint(confidence * 100);

	if (hundredths / 100 == confidence)
		return HundredthsView((int) hundredths);
	return JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(float8_numeric, Float8GetDatum(confidence))));
}

/* Adds a check to the receipt, in normal form, with its verdict. */
static void
RecordCheck(Eval *eval, const Check *parsed, const CheckResult *result,
			JsonView explain, const FactsAt *cited)
{
	JsonView	check = CheckNormalForm(parsed);
	JsonView	evidence = JsonViewNewArray(1);

	if (cited)
	{
		for (int i = 0; i < cited->nfacts; i++)
			JsonViewAppend(&evidence, JsonViewString(cited->digests[i], DIGEST_TEXT_LENGTH));
	}
	if (parsed->defaulted.type != JVIEW_ABSENT)
		JsonViewSet(&check, "defaulted", parsed->defaulted);
	JsonViewSet(&check, "verdict", JsonViewCString(verdict_labels[result->verdict]));
	JsonViewSet(&check, "confidence", ConfidenceView(result->confidence));
	if (result->observed.type != JVIEW_ABSENT)
		JsonViewSet(&check, "observed", result->observed);
	JsonViewSet(&check, "explain", explain);
	JsonViewSet(&check, "evidence", evidence);
	JsonViewAppend(&eval->checks, check);
	CompositeAdd(&eval->composite, result->verdict, result->confidence, parsed->required);
}

/* Adds a check whose verdict was reached without evidence. */
static void
RecordWithout(Eval *eval, const Check *check, Verdict verdict, JsonView explain)
{
	CheckResult result;

	result.verdict = verdict;
	result.confidence = 0;
	result.observed.type = JVIEW_ABSENT;
	RecordCheck(eval, check, &result, explain, NULL);
}

static void
RecordUnavailable(Eval *eval, const Check *check, ToolCall *call)
{
	JsonView	explain = CheckExplainWithout(check, "no evidence arrived");

	JsonViewSet(&explain, "sqlstate", JsonViewCString(call->failure.sqlstate));
	JsonViewSet(&explain, "message", CallFailureMessage(&call->failure));
	RecordWithout(eval, check, VERDICT_EVIDENCE_UNAVAILABLE, explain);
}

static void
RecordBadArgument(Eval *eval, const Check *check, const char *problem, Span argument)
{
	JsonView	explain = CheckExplainWithout(check, problem);

	JsonViewSet(&explain, "argument", JsonViewString(argument.str, argument.len));
	RecordWithout(eval, check, VERDICT_NOT_EVALUABLE, explain);
}

/* Arguments and result of a search for names close to a misspelt one. */
typedef struct ClosestSearch
{
	const text *tenant;			/* the request's tenant */
	Span		name;
	MemoryContext context;		/* for the names */
	JsonView	names;
} ClosestSearch;

static void
SearchClosest(void *arg)
{
	ClosestSearch *search = arg;
	MemoryContext caller = MemoryContextSwitchTo(search->context);
	Span		closest[CLOSEST_TOOLS];
	int			count = ToolsClosest(search->tenant, search->name, closest);

	search->names = JsonViewNewArray(CLOSEST_TOOLS);
	for (int i = 0; i < count; i++)
		JsonViewAppend(&search->names, JsonViewString(closest[i].str, closest[i].len));
	MemoryContextSwitchTo(caller);
}

/* Records that there is no such tool, and which names are close to it. */
static void
RecordUnknownTool(Eval *eval, const Check *check)
{
	const char *summary = "no tool of that name is registered";
	ClosestSearch search = {.tenant = eval->tenant, .name = check->tool, .context = CurrentMemoryContext};
	CallFailure failure;
	JsonView	explain;
	JsonView	first;
	bool		close;

	/* a policy of answer.tool may raise an error, which must not end the request */
	close = CallContained(SearchClosest, &search, eval->deadline, eval->request.deadline_ms,
						  &failure) &&
		JsonViewElement(&search.names, 0, &first);
	if (close)
		summary = psprintf("%s; the closest one is \"%.*s\"", summary, first.len, first.str);
	explain = CheckExplainWithout(check, summary);
	if (close)
		JsonViewSet(&explain, "closest", search.names);
	RecordWithout(eval, check, VERDICT_OUTSIDE_EVIDENCE_COVERAGE, explain);
}

/*
 * Returns the facts that a check cites: those for each place that it looks at.  They
 * all have the same content, so operators read the first; the least confidence counts.
 */
static FactsAt
CitedFacts(const PendingCheck *pending)
{
	const Evidence *evidence = pending->evidence;
	FactsAt		cited = evidence->at[pending->at[0]];
	int			total = 0;

	if (pending->nat == 1)
		return cited;
	for (int i = 0; i < pending->nat; i++)
		total += evidence->at[pending->at[i]].nfacts;
	cited.nfacts = 0;
	cited.facts = palloc_extended(sizeof(JsonView) * (Size) Max(total, 1), MCXT_ALLOC_HUGE);
	cited.digests = palloc_extended(sizeof(char *) * (Size) Max(total, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < pending->nat; i++)
	{
		const FactsAt *at = &evidence->at[pending->at[i]];

		for (int j = 0; j < at->nfacts; j++)
		{
			cited.facts[cited.nfacts] = at->facts[j];
			cited.digests[cited.nfacts++] = at->digests[j];
		}
	}
	return cited;
}

static void
EvalCheck(Eval *eval, const PendingCheck *pending)
{
	const Check *check = pending->check;
	const Evidence *evidence = pending->evidence;
	FactsAt		cited;
	CheckResult result;

	if (ToolWhyUnaskable(pending->tool))
		RecordWithout(eval, check, VERDICT_OUTSIDE_EVIDENCE_COVERAGE,
						  CheckExplainWithout(check, psprintf("no check can ask the tool: %s", ToolWhyUnaskable(pending->tool))));
	else if (pending->problem)
		RecordBadArgument(eval, check, pending->problem, pending->argument);
	else if (evidence->at[0].nfacts > 0)
	{
		cited = CitedFacts(pending);
		CheckEvaluate(check, cited.facts, cited.nfacts, eval->evaluated_at, &result);
		RecordCheck(eval, check, &result, CheckExplain(check, &result), &cited);
	}
	else if (pending->tool->registered)
		RecordUnavailable(eval, check, &eval->calls[evidence->call]);
	else
		RecordUnknownTool(eval, check);
}

/* Takes the checks to be evaluated: those up to the cap. */
static void
TakePending(Eval *eval)
{
	eval->npending = Min(eval->request.nchecks, REQUEST_CHECK_CAP);
	eval->pending = palloc0(sizeof(PendingCheck) * eval->npending);
	for (int i = 0; i < eval->npending; i++)
		eval->pending[i].check = &eval->request.checks[i];
}

/* Records the checks beyond the cap: each says how many there are, and why. */
static void
RecordBeyondCap(Eval *eval)
{
	int			count = eval->request.nchecks;
	int			beyond = count - eval->npending;
	char	   *summary = psprintf("%d of %d checks %s not evaluated: at most %d are",
								   beyond, count, beyond == 1 ? "was" : "were",
								   REQUEST_CHECK_CAP);

	for (int i = eval->npending; i < count; i++)
		RecordWithout(eval, &eval->request.checks[i], VERDICT_NOT_CHECKED,
					  CheckExplainWithout(&eval->request.checks[i], summary));
}

static void
EvalChecks(Eval *eval)
{
	eval->composite = CompositeInit();
	eval->checks = JsonViewNewArray(eval->request.nchecks);
	for (int i = 0; i < eval->npending; i++)
	{
		CHECK_FOR_INTERRUPTS();
		EvalCheck(eval, &eval->pending[i]);
	}
	RecordBeyondCap(eval);
}

/* Adds a digest to those by which the receipt's content can be forgotten. */
static void
AddDigest(ReceiptContent *content, const char *digest, int len)
{
	if (len > 0)
		content->digests[content->ndigests++] = PointerGetDatum(cstring_to_text_with_len(digest, len));
}

static void
GatherFacts(const FactsAt *at, ReceiptContent *content)
{
	for (int i = 0; i < at->nfacts; i++)
	{
		JsonViewSetKey(&content->evidence_index, at->digests[i], DIGEST_TEXT_LENGTH, at->facts[i]);
		AddDigest(content, at->digests[i], DIGEST_TEXT_LENGTH);
	}
}

/* Collects the evidence that checks cite, by digest, and the calls that were made. */
static void
GatherEvidence(const Eval *eval, ReceiptContent *content)
{
	Size		ndigests = eval->ncalls;

	for (int i = 0; i < eval->nevidence; i++)
	{
		for (int j = 0; j < eval->evidence[i].nat; j++)
			ndigests += eval->evidence[i].at[j].nfacts;
	}
	content->digests = palloc_extended(sizeof(Datum) * Max(ndigests, 1), MCXT_ALLOC_HUGE);
	content->evidence_index = JsonViewNewObject(eval->nevidence);
	content->calls = JsonViewNewArray(eval->ncalls);
	for (int i = 0; i < eval->nevidence; i++)
	{
		const Evidence *evidence = &eval->evidence[i];

		for (int j = 0; j < evidence->nat; j++)
			GatherFacts(&evidence->at[j], content);
		if (evidence->call >= 0)
		{
			Span		reading = ToolCallReading(&eval->calls[evidence->call]);
			JsonView	member = JsonViewNewObject(2);

			JsonViewSet(&member, "tool", JsonViewString(evidence->tool->name.str,
														evidence->tool->name.len));
			JsonViewSet(&member, "args", evidence->args);
			JsonViewAppend(&content->calls, member);
			AddDigest(content, reading.str, reading.len);
		}
	}
}

/*
 * Collects how long handlers took, under the words that CountCall uses for their
 * outcome.
 */
static void
GatherTimes(const Eval *eval, ReceiptContent *content)
{
	content->words = palloc(sizeof(KindWord) * 2 * Max(eval->ncalls, 1));
	for (int i = 0; i < eval->ncalls; i++)
	{
		const ToolCall *call = &eval->calls[i];
		Span		word;

		if (call->took == 0)
			continue;
		word = KindWords(call->tool->name, SpanOfCString(call->ok ? "ok" : call->failure.sqlstate));
		content->words[content->nwords++] = (KindWord) {"us", word, call->took};
		content->words[content->nwords++] = (KindWord) {"timed", word, 1};
	}
}

/* Reads the request, in its portable form; raises an error if it is malformed. */
static void
ReadRequest(Jsonb *request, Request *parsed)
{
	JsonView	view;
	RequestError error;

	JsonViewOfJsonb(request, &view);
	view = PortableCopy(&view);
	if (!RequestParse(&view, parsed, &error))
		RequestRaise(&error);
}

/* Compiles a question to checks, which then make up the request. */
static void
RouteRequest(Eval *eval, ReceiptContent *content)
{
	Span		question = {eval->request.question.str, eval->request.question.len};

	if (eval->request.question.type == JVIEW_ABSENT)
		return;
	RouterAsk(eval->tenant, question, &eval->routed);
	eval->request.nchecks = eval->routed.nchecks;
	eval->request.checks = eval->routed.checks;
	for (int i = 0; i < eval->request.nchecks; i++)
		eval->request.checks[i].require_fresh = eval->request.require_fresh.boolean;
	content->question = eval->request.question;
	content->route = eval->routed.route;
	content->coverage = eval->routed.coverage;
}

/* Returns the composite verdict; a refusal has none, and says so. */
static Composite
EvalComposite(const Eval *eval)
{
	Composite	composite = CompositeResult(eval->composite);

	if (eval->routed.refused)
	{
		composite.verdict = COMPOSITE_OUTSIDE_EVIDENCE_COVERAGE;
		composite.hundredths = 0;
	}
	return composite;
}

/* Was some evidence graded by the rules of quality? */
static bool
IsGraded(const Evidence *evidence)
{
	JsonView	quality;

	return evidence->at[0].nfacts > 0 &&
		(evidence->tool->graded ||
		 (evidence->tool->registered &&
		  JsonViewGetMember(&evidence->at[0].facts[0], "quality", &quality)));
}

/* Did the rules of quality take part: was a quality demanded, or is cited evidence graded? */
static bool
UsesQuality(const Eval *eval)
{
	for (int i = 0; i < eval->npending; i++)
	{
		if (eval->pending[i].check->has_min_quality)
			return true;
	}
	for (int i = 0; i < eval->nevidence; i++)
	{
		if (IsGraded(&eval->evidence[i]))
			return true;
	}
	return false;
}

/* Reads a request, and routes a question. */
void
EvalRead(Eval *eval, ReceiptContent *content, const text *tenant, int64 entered, Jsonb *request)
{
	memset(eval, 0, sizeof(*eval));
	memset(content, 0, sizeof(*content));
	eval->tenant = content->tenant = tenant;
	eval->entered = entered;
	ReadRequest(request, &eval->request);
	RouteRequest(eval, content);
}

/* Takes the request's checks and facts; then its tools can be looked up. */
void
EvalTake(Eval *eval)
{
	TakePending(eval);
	ReadSupplied(eval);
}

/* Finds out what evidence is needed from the tools that were found. */
void
EvalFindEvidence(Eval *eval)
{
	RefuseSuppliedForRegistered(eval);
	PlanEvidence(eval);
}

/* Collects the evidence, except for calls that are already done, and evaluates the checks. */
void
EvalCollect(Eval *eval)
{
	CollectEvidence(eval);
	EvalChecks(eval);
}

/* Fills in the receipt's content. */
void
EvalContent(const Eval *eval, ReceiptContent *content)
{
	content->evaluated_at = eval->evaluated_at;
	content->composite = EvalComposite(eval);
	content->checks = eval->checks;
	content->require_fresh = eval->request.require_fresh;
	content->has_quality = UsesQuality(eval);
	content->had_written = TransactionHasWritten(eval->entered);
	GatherEvidence(eval, content);
	GatherTimes(eval, content);
}

/* Evaluates a request; the receipt is in the caller's memory context. */
static Jsonb *
EvalRequest(Jsonb *request)
{
	MemoryContext caller = CurrentMemoryContext;
	Eval		eval;
	ReceiptContent content;
	Minting		minting;
	Jsonb	   *receipt;
	Jsonb	   *result;
	int64		entered = WritesEnter();

	SPI_connect();
	/* before anything else runs: the role in force here is the one that asks */
	EvalRead(&eval, &content, CurrentTenant(), entered, request);
	SigningKeyBegin(&eval.key, &eval.evaluated_at);
	eval.deadline = TimestampTzPlusMilliseconds(eval.evaluated_at, eval.request.deadline_ms);
	EvalTake(&eval);
	LookUpTools(&eval);
	EvalFindEvidence(&eval);
	EvalCollect(&eval);
	EvalContent(&eval, &content);
	EvalMinting(&content, &eval.key, &minting);
	receipt = DocumentMint(&minting);

	result = MemoryContextAllocHuge(caller, VARSIZE(receipt));
	memcpy(result, receipt, VARSIZE(receipt));
	SPI_finish();
	return result;
}

Jsonb *
EvalAnswer(Jsonb *request)
{
	RequirePrimary("answer_eval()");
	return EvalRequest(request);
}

PG_FUNCTION_INFO_V1(answer_eval);
Datum
answer_eval(PG_FUNCTION_ARGS)
{
	RequireArgument(fcinfo, 0, "request");
	PG_RETURN_JSONB_P(EvalAnswer(PG_GETARG_JSONB_P(0)));
}

/* answer_ask(question): answer_eval of {"question": question} */
PG_FUNCTION_INFO_V1(answer_eval_ask);
Datum
answer_eval_ask(PG_FUNCTION_ARGS)
{
	static const RequestError too_long = {.field = SPAN_LITERAL("question"),
	.problem = REQUEST_LONG_QUESTION};
	JsonView	request = JsonViewNewObject(1);
	Span		question;

	RequireArgument(fcinfo, 0, "question");
	RequirePrimary("answer_ask()");
	question = TextArgument(fcinfo, 0);
	/* a much longer one would not fit into the request */
	if (question.len > REQUEST_MAX_QUESTION)
		RequestRaise(&too_long);
	JsonViewSet(&request, "question", JsonViewString(question.str, question.len));
	PG_RETURN_JSONB_P(EvalRequest(JsonViewToJsonb(&request, false)));
}

/*
 * Replays the kind answer/v1: recomputes the checks and the composite verdict and, for
 * a question, how it became those checks, if the table of routes is available.
 */
static JsonView
ReplayAnswer(const JsonView *receipt)
{
	JsonView	mode;
	JsonView	routing = {.type = JVIEW_ABSENT};

	if (DocumentProblem(receipt) == NULL &&
		JsonViewGetMember(receipt, "mode", &mode) && JsonViewStringIs(&mode, "question"))
		routing = RouterReplay(receipt);
	return AnswerReplay(receipt, &routing);
}

/* Counts what became of a check's call: "TOOL ok", or the SQLSTATE of its failure. */
static void
CountCall(const JsonView *check, KindColumns *columns)
{
	JsonView	verdict;
	JsonView	explain;
	Span		tool;
	Span		outcome = {"ok", 2};

	if (!JsonViewGetString(check, "tool", &tool) || !JsonViewGetMember(check, "verdict", &verdict))
		return;
	if (JsonViewStringIs(&verdict, verdict_labels[VERDICT_EVIDENCE_UNAVAILABLE]))
	{
		if (!JsonViewGetMember(check, "explain", &explain) || explain.type != JVIEW_OBJECT ||
			!JsonViewGetString(&explain, "sqlstate", &outcome))
			return;
	}
	else if (!JsonViewStringIs(&verdict, verdict_labels[VERDICT_SUPPORTED]) &&
			 !JsonViewStringIs(&verdict, verdict_labels[VERDICT_CONTRADICTED]) &&
			 !JsonViewStringIs(&verdict, verdict_labels[VERDICT_VALUE]))
		return;
	KindCountWord(columns, "call", KindWords(tool, outcome), 1);
}

/* Counts the sources of the cited facts, and their confidences, in hundredths. */
static void
CountSources(const JsonView *index, KindColumns *columns)
{
	for (int i = 0; i < JsonViewCount(index); i++)
	{
		JsonView	fact;
		JsonView	member;
		JsonView	number;
		PlainNumber plain;
		Span		digest;
		Span		source;
		double		confidence = 0;

		fact = JsonViewMember(index, i, &digest);
		if (fact.type != JVIEW_OBJECT || !JsonViewGetMember(&fact, "provenance", &member) || member.type != JVIEW_OBJECT ||
			!JsonViewGetString(&member, "source", &source))
			continue;
		if (JsonViewGetMember(&fact, "verification", &member) && member.type == JVIEW_OBJECT &&
			JsonViewGetMember(&member, "confidence", &number) && NumberPlain(&number, &plain))
			confidence = strtod(plain.text, NULL);
		if (!(confidence >= 0 && confidence <= 1))
			confidence = 0;
		KindCountWord(columns, "source", source, 1);
		KindCountWord(columns, "confidence", source, ConfidenceHundredths(confidence));
		if (confidence < 0.5)
			KindCountWord(columns, "weak", source, 1);
	}
}

/* Do the sources of a cited fact contradict each other? */
static bool
HasConflict(const JsonView *index)
{
	for (int i = 0; i < JsonViewCount(index); i++)
	{
		JsonView	member;
		Span		digest;

		member = JsonViewMember(index, i, &digest);
		if (member.type == JVIEW_OBJECT && JsonViewGetMember(&member, "verification", &member) && member.type == JVIEW_OBJECT &&
			JsonViewGetMember(&member, "signals", &member) && member.type == JVIEW_OBJECT &&
			JsonViewGetMember(&member, "conflict", &member) && member.type == JVIEW_BOOL && member.boolean)
			return true;
	}
	return false;
}

/*
 * Counts an answer for the dashboard.  If evidence contradicts a claim, that is an
 * answer to it.  The answer counts as contradicted if sources of a cited fact disagree.
 * It has no prose that would need citations or judges.  A conflict does not make a
 * check refuse; it lowers the confidence.
 */
static void
CountAnswer(const JsonView *body, KindColumns *columns)
{
	JsonView	checks;
	JsonView	index;
	JsonView	route;
	Span		word;
	bool		refuses = SpanEqualCString(columns->verdict, composite_labels[COMPOSITE_INSUFFICIENT_EVIDENCE]) ||
		SpanEqualCString(columns->verdict, composite_labels[COMPOSITE_OUTSIDE_EVIDENCE_COVERAGE]);

	if (!JsonViewGetMember(body, "checks", &checks) || checks.type != JVIEW_ARRAY ||
		!JsonViewGetMember(body, "evidence_index", &index) || index.type != JVIEW_OBJECT)
		return;
	columns->is_answer = true;
	columns->given = !refuses;
	columns->citation_given = !refuses && JsonViewCount(&index) > 0;
	columns->contradicted = !refuses && HasConflict(&index);
	columns->supported = KindIsSupported(columns);
	if (refuses)
		KindSetRefusal(columns, columns->verdict);
	for (int i = 0; i < JsonViewCount(&checks); i++)
	{
		JsonView	check = JsonViewAt(&checks, i);

		if (check.type == JVIEW_OBJECT && JsonViewGetString(&check, "verdict", &word))
			KindCountWord(columns, "check", word, 1);
		if (check.type == JVIEW_OBJECT)
			CountCall(&check, columns);
	}
	CountSources(&index, columns);
	if (!JsonViewGetMember(body, "route", &route) || route.type != JVIEW_OBJECT)
		return;
	(void) JsonViewGetString(&route, "route_id", &columns->intent);
	if (JsonViewGetString(&route, "reason", &word))
		KindCountWord(columns, "reason", word, 1);
}

static bool
ReadAnswerColumns(const JsonView *body, KindColumns *columns)
{
	JsonView	confidence;
	JsonView	degraded;
	PlainNumber plain;

	if (!JsonViewGetString(body, "verdict", &columns->verdict) ||
		!JsonViewGetMember(body, "confidence", &confidence) || !NumberPlain(&confidence, &plain) ||
		!JsonViewGetMember(body, "degraded", &degraded) || degraded.type != JVIEW_BOOL)
		return false;
	columns->has_confidence = true;
	columns->confidence = strtod(plain.text, NULL);
	columns->has_degraded = true;
	columns->degraded = degraded.boolean;
	CountAnswer(body, columns);
	return true;
}

static const char *const answer_members[] = {"checks", "evidence_index", NULL};

const DocumentKind answer_kind = {
	.schema = RECEIPT_SCHEMA,
	.prefix = RECEIPT_ID_PREFIX,
	.members = answer_members,
	.closure_problem = AnswerClosureProblem,
	.verify_replay = AnswerVerifyReplay,
	.replay = ReplayAnswer,
	.read_columns = ReadAnswerColumns
};

/* answer_replay(receipt), for all kinds */
static Datum
Replay(const JsonView *document)
{
	JsonView	report = DocumentReplay(document);

	return JsonbPGetDatum(JsonViewToJsonb(&report, false));
}

DOCUMENT_FUNCTIONS(answer_eval_replay, Replay(&view));
