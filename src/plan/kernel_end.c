/*-------------------------------------------------------------------------
 *
 * kernel_end.c
 *		Ends an execution with its document, or suspends it.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.
 *
 * Promises: an execution does not end without a document; a document that was
 * forgotten after a step found it is not signed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "document/forgotten.h"
#include "document/mint.h"
#include "ground/current_rules.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/kernel.h"
#include "plan/kernel_end.h"
#include "plan/kernel_step.h"
#include "plan/plan_cache.h"
#include "plan/plan_receipt.h"
#include "plan/stored_run.h"
#include "plan/trace.h"

/*
 * the document
 */

/* Puts users' rules by which claims were verified into the document, if they have not changed since. */
static void
KeepRules(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;
	JsonView	rules;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	for (int i = 0; i < document->nrecords && document->rules.type == JVIEW_ABSENT; i++)
	{
		Span		wanted = PlanRulesDigest(&document->records[i]);

		if (wanted.len == 0)
			continue;
		(void) CurrentRules(&rules);
		CanonicalDigest(&rules, NULL, digest);
		if (SpanEqualCString(wanted, digest))
			document->rules = rules;
	}
}

/* Adds the documents of hits: the part of the chunk id before "#". */
static void
AddDocuments(const JsonView *result, Datum **ids, int *count)
{
	JsonView	hits;

	if (result->type != JVIEW_OBJECT || !JsonViewGetMember(result, "hits", &hits) || hits.type != JVIEW_ARRAY ||
		JsonViewCount(&hits) == 0)
		return;
	*ids = *ids ? repalloc_huge(*ids, sizeof(Datum) * (Size) (*count + JsonViewCount(&hits))) :
		palloc_extended(sizeof(Datum) * (Size) JsonViewCount(&hits), MCXT_ALLOC_HUGE);
	for (int i = 0; i < JsonViewCount(&hits); i++)
	{
		JsonView	hit;
		Span		id = {"", 0};

		CHECK_FOR_INTERRUPTS();
		JsonViewElement(&hits, i, &hit);
		if (hit.type == JVIEW_OBJECT)
			(void) JsonViewGetString(&hit, "id", &id);
		while (id.len > 0 && id.str[id.len - 1] != '#')
			id.len--;
		id.len = Max(id.len - 1, 0);
		if (id.len > 0)
			(*ids)[(*count)++] = SpanDatum(id);
	}
}

/* Was a document forgotten that a search of a step had found? A document that is missing now was forgotten. */
static bool
HasFoundForgotten(const Kernel *kernel)
{
	static FixedQuery query = {
		.text = "SELECT FROM pg_catalog.unnest($2) AS f (doc_id) WHERE NOT EXISTS (SELECT FROM answer.document d"
		" WHERE d.tenant OPERATOR(pg_catalog.=) $1 AND d.doc_id OPERATOR(pg_catalog.=) f.doc_id)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	const PlanDocument *document = &kernel->document;
	Datum	   *ids = NULL;
	int			count = 0;
	Datum		values[2] = {PointerGetDatum(kernel->trace.tenant)};
	QueryRows	rows;

	for (int i = 0; i < document->nrecords; i++)
	{
		const JsonView *outputs = &document->records[i].outputs;
		JsonView	tool = {.type = JVIEW_ABSENT};
		JsonView	result;

		(void) JsonViewGetMember(&document->records[i].event, "tool", &tool);
		if (!JsonViewStringIs(&tool, TOOL_SEARCH))
			continue;
		AddDocuments(outputs, &ids, &count);
		for (int j = 0; outputs->type == JVIEW_ARRAY && j < JsonViewCount(outputs); j++)
		{
			JsonViewElement(outputs, j, &result);
			AddDocuments(&result, &ids, &count);
		}
	}
	if (count == 0)
		return false;
	/* from now on nothing can be forgotten until the minted document is visible */
	RefuseForgotten(kernel->trace.tenant, NULL, 0);
	values[1] = QueryTextArray(ids, count);
	AS_OWNER(rows = QueryRunLatest(&query, values, NULL, 1));
	return QueryFound(rows);
}

/*
 * Documents that were forgotten after the plan found them must not be signed.
 * Raises an error in the session that executes the plan; in recovery, leaves only
 * the digests in the document.
 */
void
KernelDropForgotten(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;

	if (!HasFoundForgotten(kernel))
		return;
	if (!kernel->is_recovering)
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("documents that the plan of trace \"%s\" has found were forgotten meanwhile", kernel->trace.id),
				 errhint("Start the plan again. answer_plan_recover() ends this one, and erases what it found.")));
	for (int i = 0; i < document->nrecords; i++)
		document->records[i].inputs = document->records[i].outputs = (JsonView) {.type = JVIEW_ABSENT};
}

/*
 * Makes the body that is signed, within the size limit of a document.  Inputs and
 * outputs are left out to make room.  If that is not enough, the answer is left out
 * and the plan fails.
 */
static JsonView
BodyOf(Kernel *kernel, TimestampTz issued_at)
{
	JsonView	body = {.type = JVIEW_ABSENT};
	Size		room = DOCUMENT_MAX_SIZE;
	Size		over = 0;

	for (int attempt = 0; attempt == 0 || (over > 0 && attempt < 3); attempt++)
	{
		if (attempt == 2)
			CourseStop(&kernel->course, PLAN_FAILED, "size", "the answer is larger than a document can be", -1);
		body = DocumentBegin(&plan_kind, kernel->trace.tenant, issued_at);
		over = PlanDocumentSet(&body, &kernel->document, &kernel->course, &kernel->trace, &room);
		room -= Min(room, over);
	}
	return body;
}

/* Mints the document of a finished execution. */
Jsonb *
KernelMint(Kernel *kernel)
{
	Minting		minting = {.kind = &plan_kind,.key = &kernel->key,.tenant = kernel->trace.tenant,
	.makes_portable = true,.begun_at = kernel->document.started_at};
	JsonView	view;
	Span		receipt_id;
	Jsonb	   *stored;

	KernelDropForgotten(kernel);
	KeepRules(kernel);
	/* so its instant is not before the events */
	KernelTakeKey(kernel);
	minting.issued_at = kernel->now;
	minting.body = BodyOf(kernel, minting.issued_at);
	stored = DocumentMint(&minting);
	JsonViewOfJsonb(stored, &view);
	if (!JsonViewGetString(&view, "receipt_id", &receipt_id))
		elog(ERROR, "a document was minted without an id");
	TraceStore(&kernel->trace);
	KernelStoreCalls(kernel);
	if (kernel->is_entered)
		RunFinish(&kernel->trace, kernel->course.verdict, receipt_id, minting.issued_at);
	else
		RunInsertDone(&kernel->run, kernel->course.verdict, receipt_id, minting.issued_at);
	PlanCacheKeep(&kernel->cache_key, kernel->trace.tenant, &kernel->course, &view, &kernel->key,
			  minting.issued_at);
	return stored;
}

/*
 * ends
 */

/*
 * Mints and settles.  The form that commits does this in two transactions, so that
 * nobody waits for the budget while a document is signed and written to disk.  If
 * the second one is lost, recovery settles.
 */
Jsonb *
KernelFinish(Kernel *kernel)
{
	Jsonb	   *document;

	if (kernel->is_reserved && !kernel->commits)
		BudgetSettle(&kernel->budget);
	document = KernelCopyInCaller(kernel, KernelMint(kernel));
	if (kernel->is_reserved && kernel->commits)
	{
		kernel->is_kept = true;
		KernelCommit(kernel);
		BudgetSettle(&kernel->budget);
		kernel->is_unflushed = true;
	}
	return document;
}

/* Stores the state that is needed to continue, and returns what the execution waits for. */
Jsonb *
KernelSuspend(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;
	JsonView	state = KernelStateView(kernel);
	JsonView	view = KernelPendingView(kernel->trace.plan_id, kernel->trace.id, &kernel->pending, kernel->expires_at);

	BudgetSuspend(&kernel->budget);
	TraceStore(&kernel->trace);
	if (!kernel->is_entered)
		(void) RunInsert(&kernel->run);
	kernel->is_entered = true;
	kernel->run.status = RUN_PENDING;
	kernel->run.expires_at = kernel->expires_at;
	KernelTakeKey(kernel);
	KernelStoreCalls(kernel);
	RunKeep(&kernel->trace, &kernel->run, &state, &kernel->key, kernel->now);
	/* the other form has stored them on the way; those of an earlier half are stored already */
	for (int i = document->nkept; !kernel->commits && i < document->nrecords; i++)
		RunStepKeep(&kernel->trace, &document->records[i], i + 1);
	return DatumGetJsonbP(ResultIn(kernel->caller, &view));
}
