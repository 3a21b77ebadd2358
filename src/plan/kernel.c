/*-------------------------------------------------------------------------
 *
 * kernel.c
 *		One execution of a plan on its way: its transactions, tools, trace and state.
 *		State of one execution of a plan: transactions, tools, trace.
 *
 * Rule: doc/spec/plan.md §8.  Stateful.
 *
 * An execution has one of two forms.  A function executes in the caller's
 * transaction.  A procedure commits after it has reserved, and after each step, so
 * it holds no lock while a tool runs.  A step's reservation is committed before its
 * call.  Its charge is committed after the call, together with the next step's
 * reservation, so there is one commit per step.
 *
 * Promises: each signature is made with the key that was active at the instant that
 * it states; tenant and role are those of the start.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/snapshot.h"
#include "base/subtransaction.h"
#include "base/writes.h"
#include "plan/budget.h"
#include "plan/course.h"
#include "plan/invoke.h"
#include "plan/kernel.h"
#include "plan/plan_locks.h"
#include "plan/plan_receipt.h"
#include "plan/plan_request.h"
#include "plan/stored_run.h"
#include "plan/trace.h"

/*
 * Enough for a plan of several steps in one block.  It is allocated and freed as a
 * whole, because with many small blocks the system would take memory back after
 * each plan.
 */
#define PLAN_CONTEXT_SIZES	0, 256 * 1024, ALLOCSET_DEFAULT_MAXSIZE

/* state of an unfinished execution */

JsonView
KernelStateView(const Kernel *kernel)
{
	const PlanDocument *document = &kernel->document;
	JsonView	state = JsonViewNewObject(16);
	JsonView	limits = PlanLimitsView(&document->limits);
	JsonView	policy = PlanPolicyView(&kernel->course.policy);

	JsonViewSet(&state, "events", JsonViewInteger(kernel->trace.nevents));
	JsonViewSet(&state, "last_event", kernel->trace.last[0] ? JsonViewCString(pstrdup(kernel->trace.last)) :
				JsonViewNull());
	JsonViewSet(&state, "plan", document->plan);
	JsonViewSet(&state, "request", document->request);
	JsonViewSet(&state, "tools", document->tools);
	JsonViewSet(&state, "vars", document->vars);
	JsonViewSet(&state, "limits", limits);
	JsonViewSet(&state, "policy", policy);
	if (kernel->course.measured.type == JVIEW_OBJECT)
		JsonViewSet(&state, "measured", kernel->course.measured);
	if (document->rules.type == JVIEW_OBJECT)
		JsonViewSet(&state, "rules", document->rules);
	if (document->terms.are_known)
		JsonViewSet(&state, "origin", OriginTermsView(&document->terms));
	JsonViewSet(&state, "intent", JsonViewString(document->intent.str, document->intent.len));
	if (kernel->pending.type == JVIEW_ARRAY)
	{
		JsonViewSet(&state, "pending", kernel->pending);
		JsonViewSet(&state, "pending_since", InstantView(kernel->pending_since));
	}
	return state;
}

/* Returns what the application is told about an execution that waits for it. */
JsonView
KernelPendingView(Span plan_id, const char *trace_id, const JsonView *pending, TimestampTz expires_at)
{
	JsonView	view = JsonViewNewObject(4);

	JsonViewSet(&view, "plan_id", JsonViewString(plan_id.str, plan_id.len));
	JsonViewSet(&view, "trace_id", JsonViewCString(pstrdup(trace_id)));
	JsonViewSet(&view, "pending", *pending);
	JsonViewSet(&view, "expires_at", InstantView(expires_at));
	return view;
}

Jsonb *
KernelCopyInCaller(const Kernel *kernel, const Jsonb *jsonb)
{
	Jsonb	   *copy = MemoryContextAllocHuge(kernel->caller, VARSIZE(jsonb));

	memcpy(copy, jsonb, VARSIZE(jsonb));
	return copy;
}

/* Did the current role start this execution? */
bool
KernelIsOwnRun(const Kernel *kernel, const StoredRun *run)
{
	return strcmp(run->role, GetUserNameFromId(kernel->role, false)) == 0;
}

/*
 * transactions
 */

/* Restores the tenant of the start, in case a step has changed the setting. */
void
KernelEnforceTenant(const text *tenant)
{
	char	   *name = text_to_cstring(tenant);

	if (answer_eval_tenant && strcmp(answer_eval_tenant, name) == 0)
		return;
	(void) set_config_option(TENANT_SETTING, name, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/*
 * Takes the key and the instant for the next signature.  Tools run between two
 * signatures, and keys can change in that time, so each signature takes them anew.
 */
void
KernelTakeKey(Kernel *kernel)
{
	MemoryContext context = MemoryContextSwitchTo(kernel->transaction);

	MemoryContextReset(kernel->transaction);
	SigningKeyBegin(&kernel->key, &kernel->now);
	MemoryContextSwitchTo(context);
}

void
KernelTransactionBegin(Kernel *kernel)
{
	/* sees what is committed now, whatever snapshot the caller has */
	PushActiveSnapshot(kernel->commits ? GetTransactionSnapshot() : GetLatestSnapshot());
	kernel->settings = NewGUCNestLevel();
	KernelEnforceTenant(kernel->trace.tenant);
	kernel->transaction = AllocSetContextCreate(kernel->context, "answer_eval plan transaction",
												ALLOCSET_SMALL_SIZES);
	KernelTakeKey(kernel);
	MemoryContextSwitchTo(kernel->context);
}

static void
TransactionEnd(Kernel *kernel)
{
	MemoryContextDelete(kernel->transaction);
	kernel->transaction = NULL;
	AtEOXact_GUC(false, kernel->settings);
	PopActiveSnapshot();
}

/*
 * Commits.  A commit that only changes the budget does not wait for the disk,
 * because other sessions wait for it.
 */
static void
CommitTransaction(Kernel *kernel)
{
	if (kernel->is_unflushed)
		BudgetCommitUnflushed();
	kernel->is_unflushed = false;
	SPI_commit();
}

/* Commits, if the execution commits at all. */
void
KernelCommit(Kernel *kernel)
{
	if (!kernel->commits)
		return;
	if (kernel->is_reserved)
		BudgetSave(&kernel->budget);
	if (!kernel->is_kept)
	{
		JsonView	state = KernelStateView(kernel);

		kernel->run.status = RUN_RUNNING;
		KernelTakeKey(kernel);
		RunKeep(&kernel->trace, &kernel->run, &state, &kernel->key, kernel->now);
		kernel->is_kept = true;
	}
	TransactionEnd(kernel);
	CommitTransaction(kernel);
	MemoryContextSwitchTo(kernel->context);
	if (GetUserId() != kernel->role)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the role has changed since the plan was started"),
				 errhint("answer_plan_recover() ends the plan.")));
	KernelTransactionBegin(kernel);
}

void
KernelBegin(Kernel *kernel, bool commits)
{
	RequirePrimary("a plan");
	PlanRefuseNested();
	memset(kernel, 0, sizeof(*kernel));
	kernel->document.is_uncommitted = TransactionHasWritten(WritesEnter());
	kernel->commits = commits;
	kernel->trace.holds = !commits;
	kernel->role = GetUserId();
	kernel->caller = CurrentMemoryContext;
	kernel->context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval plan", PLAN_CONTEXT_SIZES);
	SPI_connect_ext(commits ? SPI_OPT_NONATOMIC : 0);
	MemoryContextSwitchTo(kernel->context);
}

void
KernelEnd(Kernel *kernel)
{
	TransactionEnd(kernel);
	if (kernel->commits)
	{
		CommitTransaction(kernel);
		/* until it is committed, no other session may take it over */
		if (kernel->trace.id[0])
			UnlockTrace(kernel->trace.tenant, SpanOfCString(kernel->trace.id));
	}
	SPI_finish();
	MemoryContextSwitchTo(kernel->caller);
	MemoryContextDelete(kernel->context);
}

/*
 * tools
 */

/* Returns the tools of the nodes, from those found by name, or by looking them up. */
static SpecifiedTool *
ToolsOfNodes(const Kernel *kernel, const PlanNamedTools *named, int *count)
{
	const PlanIr *plan = kernel->course.plan;
	SpecifiedTool *found = palloc0(sizeof(SpecifiedTool) * Max(plan->nnodes, named->count));
	Span	   *names;

	*count = named->count;
	if (*count > 0)
	{
		SpecifiedToolsOf(named->tools, *count, found);
		return found;
	}
	names = palloc(sizeof(Span) * plan->nnodes);
	for (int i = 0; i < plan->nnodes; i++)
	{
		if (plan->nodes[i].tool && !SpanIsIn(plan->nodes[i].tool->name, names, *count))
			names[(*count)++] = plan->nodes[i].tool->name;
	}
	SpecifiedToolsFind(kernel->trace.tenant, names, *count, found);
	return found;
}

/* Are two values equal in portable form? */
static bool
IsSameValue(const JsonView *a, const JsonView *b)
{
	char		left[DIGEST_TEXT_LENGTH + 1];
	char		right[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigestPortable(a, left);
	CanonicalDigestPortable(b, right);
	return strcmp(left, right) == 0;
}

/*
 * Raises an error if a tool has changed since the plan began.  The plan's document
 * contains the specs of its tools, and a replay uses them.  The registrar must be
 * the same, too, because the registrar vouches for the tool's results.
 */
static void
RequireSameTool(const Kernel *kernel, const SpecifiedTool *tool)
{
	Span		name = tool->tool.name;
	JsonView	now = RegistrarView(&tool->tool);
	JsonView	spec;
	JsonView	registrar;

	(void) JsonViewGet(&kernel->document.tools, name.str, name.len, &spec);
	if (!IsSameValue(&spec, &tool->tool.spec))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" has another spec than when the plan was started",
						TextDatumGetCString(SpanDatum(name))),
				 errhint("Start the plan again, or register the tool as it was.")));
	if (kernel->document.terms.are_known && JsonViewGet(&kernel->document.terms.tools, name.str, name.len, &registrar) &&
		!IsSameValue(&registrar, &now))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("tool \"%s\" is somebody else's than when the plan was started",
						TextDatumGetCString(SpanDatum(name))),
				 errhint("Start the plan again.")));
}

/* Finds the tools of the nodes. Tools with external cost need the form that commits. */
void
KernelFindTools(Kernel *kernel, const PlanNamedTools *named)
{
	const PlanIr *plan = kernel->course.plan;
	int			count;
	SpecifiedTool *found = ToolsOfNodes(kernel, named, &count);

	kernel->tools = palloc0(sizeof(SpecifiedTool *) * plan->nnodes);
	for (int i = 0; i < count; i++)
	{
		Span		name = found[i].tool.name;

		if (!found[i].tool.registered)
			SpecifiedToolRaise(kernel->trace.tenant, name);
		if (named->count == 0)
			RequireSameTool(kernel, &found[i]);
		if (found[i].spec.has_external_cost && !kernel->commits && !kernel->is_explaining)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("tool \"%s\" has an external cost, and a plan in a transaction cannot call it",
							TextDatumGetCString(SpanDatum(name))),
					 errdetail("A rollback would give the money back that was spent."),
					 errhint("CALL answer_plan_run(), which commits each step.")));
	}
	for (int i = 0; i < plan->nnodes; i++)
	{
		for (int j = 0; plan->nodes[i].tool && j < count; j++)
		{
			if (SpanEqual(found[j].tool.name, plan->nodes[i].tool->name))
				kernel->tools[i] = &found[j];
		}
	}
}

/* Returns the names of the rate-limited tools. */
Span *
KernelLimitedTools(const Kernel *kernel, int *count)
{
	const PlanIr *plan = kernel->course.plan;
	Span	   *names = palloc(sizeof(Span) * plan->nnodes);

	*count = 0;
	for (int i = 0; i < plan->nnodes; i++)
	{
		if (kernel->tools[i] && kernel->tools[i]->spec.rate_limit_qps &&
			!SpanIsIn(kernel->tools[i]->tool.name, names, *count))
			names[(*count)++] = kernel->tools[i]->tool.name;
	}
	return names;
}

/*
 * the trace
 */

static FollowRecord *
AddRecord(Kernel *kernel)
{
	PlanDocument *document = &kernel->document;

	GROW_ARRAY(document->records, document->nrecords, kernel->capacity, 16);
	memset(&document->records[document->nrecords], 0, sizeof(FollowRecord));
	return &document->records[document->nrecords++];
}

/* Adds an event with its inputs and outputs to the trace. */
void
KernelRecord(Kernel *kernel, const TraceEvent *event)
{
	FollowRecord *record = AddRecord(kernel);

	KernelTakeKey(kernel);
	record->event = TraceAppend(&kernel->trace, event, &kernel->key, kernel->now);
	record->inputs = event->inputs;
	record->outputs = event->outputs;
	if (kernel->commits && event->type == TRACE_STEP)
		RunStepKeep(&kernel->trace, record, kernel->trace.nevents);
}

/*
 * procedures
 */

/* Raises an error unless the procedure is called at top level, where it can commit. */
void
KernelRequireTop(FunctionCallInfo fcinfo, const char *procedure, const char *function)
{
	if (fcinfo->context && IsA(fcinfo->context, CallContext) && !((CallContext *) fcinfo->context)->atomic)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
			 errmsg("%s() commits each step, and cannot run within a transaction", procedure),
			 errhint("Call it outside of a transaction block and of functions, or use %s(), which does it all in the caller's transaction.",
					 function)));
}

/* Returns the row of a procedure with one INOUT argument. */
Datum
KernelProcedureResult(Jsonb *result)
{
	TupleDesc	desc = CreateTemplateTupleDesc(1);
	Datum		value = JsonbPGetDatum(result);
	bool		isnull = false;

	TupleDescInitEntry(desc, 1, "result", JSONBOID, -1, 0);
	desc = BlessTupleDesc(desc);
	return HeapTupleGetDatum(heap_form_tuple(desc, &value, &isnull));
}

Jsonb *
KernelJsonbArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	RequireArgument(fcinfo, n, name);
	LimitArgument(fcinfo, n, DOCUMENT_MAX_SIZE, name);
	return PG_GETARG_JSONB_P(n);
}

/*
 * Copies an argument into lasting memory, because after the first commit the
 * caller's snapshot, and what it shows of the argument, is gone.
 */
Jsonb *
KernelLastingArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	RequireArgument(fcinfo, n, name);
	LimitArgument(fcinfo, n, DOCUMENT_MAX_SIZE, name);
	return PG_GETARG_JSONB_P_COPY(n);
}
