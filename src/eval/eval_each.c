/*-------------------------------------------------------------------------
 *
 * eval_each.c
 *		answer_eval_each: many requests in one statement, with a receipt for
 *		each.
 *
 * The pipeline is that of one request (eval.c), done step by step for a slice of
 * requests at a time.  All requests of a slice are read, their tools are looked
 * up together, their stored readings are found in one pass in the order of the
 * index, each fact is made once, and then the receipts are signed and stored.
 * One instant and one key serve the whole statement.
 *
 * A wrong request is an error that names it, and nothing of the batch is stored.
 * With on_error => 'skip' it gives a row with the reason.  Pure steps run
 * without a subtransaction, because a million of them would cost more than the
 * work.  A question, which reads tables, a request that calls handlers, and a
 * row that a user's trigger may refuse each get a subtransaction.  The rows of a
 * slice are first stored in one subtransaction together; if a row is refused,
 * each is stored again in one of its own.  An error that is not the request's
 * always ends the batch: a cancel, a lack of resources, a system error, a
 * conflict with others, no key.
 *
 * Promises: a receipt is what answer_eval would have returned, except for ids
 * and instants. Memory is that of one slice, plus the argument and the result,
 * plus about 30 bytes per receipt to detect one that is made twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/snapshot.h"
#include "base/subtransaction.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/row_writer.h"
#include "document/forgotten.h"
#include "eval/eval.h"
#include "eval/progress.h"

/* Limits of a slice: the number of requests, and of their bytes together, unless a single one has more. */
#define SLICE_REQUESTS	256
#define SLICE_BYTES		(1024 * 1024)

/*
 * About what a small request needs; the most that a slice keeps for the next one; and
 * what a receipt keeps for the next one.  The C library of Linux returns free memory to
 * the system if it is more than twice the largest piece that was ever freed.
 * SLICE_MEMORY is that piece, and twice its size is more than a batch needs at a time.
 * With 8 MB, the pages of each batch were zeroed again, which took a tenth of its time.
 */
#define REQUEST_MEMORY	32768
#define SLICE_MEMORY	(16 * 1024 * 1024)
#define RECEIPT_MEMORY	65536

/* One request. */
typedef struct BatchItem
{
	int			ordinal;		/* counted from 1 */
	Jsonb	   *request;		/* NULL if it is null */
	Eval		eval;
	ReceiptContent content;
	Minting		minting;
	SignedDocument document;
	JsonView	error;			/* absent if there was no error */
} BatchItem;

typedef struct Batch
{
	const text *tenant;
	int64		entered;		/* from WritesEnter */
	bool		skips;
	SigningKey	key;
	TimestampTz evaluated_at;
	int			done;
	int			refused;
	MemoryContext context;		/* for the present slice */
	int			nitems;
	BatchItem	   *items;
	MemoryContext scratch;		/* for the present receipt */
	StoredKeys *keys;
	RowWriter  *writer;			/* NULL if queries store receipts */
	int			nwaiting;		/* receipts of the slice that wait to be stored together */
	BatchItem  *waiting[SLICE_REQUESTS];
} Batch;

/*
 * errors
 */

/* A step for one request; STEP_... says how it may fail. */
typedef void (*Step) (Batch *batch, BatchItem *item);

typedef enum StepKind
{
	STEP_PURE,					/* works on memory alone */
	STEP_READS,					/* its errors are not the request's fault */
	STEP_UNDONE					/* must be undone after an error, so it needs a subtransaction */
} StepKind;

/*
 * Is an error the fault of one request, so that others would not get it too? This depends
 * on the class of its SQLSTATE.
 */
static bool
IsOfRequest(int sqlstate)
{
	static const char *const classes[] = {"0A", "22", "23", "42", "54", "P0"};

	for (int i = 0; i < (int) lengthof(classes); i++)
	{
		if (strncmp(unpack_sql_state(sqlstate), classes[i], 2) == 0)
			return true;
	}
	return false;
}

static void
SetErrorText(JsonView *error, const char *key, const char *text)
{
	char	   *utf8;
	int			len;

	if (text == NULL)
		return;
	utf8 = JsonServerToUtf8(text, strlen(text), &len);
	JsonViewSet(error, key, JsonViewString(utf8, len));
}

/* Returns the result for a request that is skipped. */
static JsonView
ErrorView(const ErrorData *error)
{
	JsonView	view = JsonViewNewObject(4);

	SetErrorText(&view, "sqlstate", pstrdup(unpack_sql_state(error->sqlerrcode)));
	SetErrorText(&view, "message", error->message ? error->message : "no message");
	SetErrorText(&view, "detail", error->detail);
	SetErrorText(&view, "hint", error->hint);
	return view;
}

/* Ends the batch with an error, which names the request if it is the request's fault. */
static void
RaiseFor(const BatchItem *item, ErrorData *error)
{
	if (IsOfRequest(error->sqlerrcode))
		error->message = psprintf("request %d: %s", item->ordinal, error->message ? error->message : "no message");
	ReThrowError(error);
}

/* Does one step for a request, unless it has failed. */
static void
TakeStep(Batch *batch, BatchItem *item, Step step, StepKind kind)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	bool		nested = kind == STEP_UNDONE && batch->skips;
	Oid			user;
	int			rights;

	CHECK_FOR_INTERRUPTS();
	if (item->error.type != JVIEW_ABSENT)
		return;
	GetUserIdAndSecContext(&user, &rights);
	if (nested)
	{
		BeginInternalSubTransaction(NULL);
		MemoryContextSwitchTo(context);
	}
	PG_TRY();
	{
		step(batch, item);
		if (nested)
			ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(batch->context);
		error = CopyErrorData();
		FlushErrorState();
		/* also before the error is raised again, because callers do not know of our subtransaction */
		if (nested)
			RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(batch->context);	/* a rollback leaves us in the transaction's context, which would keep all errors */
		if (!batch->skips || kind == STEP_READS || !IsOfRequest(error->sqlerrcode))
			RaiseFor(item, error);
		SetUserIdAndSecContext(user, rights);
		item->error = ErrorView(error); /* which uses the error's own bytes */
		batch->refused++;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
}

static void
TakeStepForAll(Batch *batch, Step step, StepKind kind)
{
	for (int i = 0; i < batch->nitems; i++)
		TakeStep(batch, &batch->items[i], step, kind);
}

/*
 * the steps
 */

static void
ReadStep(Batch *batch, BatchItem *item)
{
	if (item->request == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("must not be null")));
	EvalRead(&item->eval, &item->content, batch->tenant, batch->entered, item->request);
	item->eval.key = batch->key;
	item->eval.evaluated_at = batch->evaluated_at;
	EvalTake(&item->eval);
}

static void
PlanStep(Batch *batch, BatchItem *item)
{
	EvalFindEvidence(&item->eval);
}

/* Calls handlers, with a deadline for each request, and evaluates the checks. */
static void
CollectStep(Batch *batch, BatchItem *item)
{
	item->eval.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), item->eval.request.deadline_ms);
	EvalCollect(&item->eval);
}

static void
ContentStep(Batch *batch, BatchItem *item)
{
	EvalContent(&item->eval, &item->content);
}

static void
SignStep(Batch *batch, BatchItem *item)
{
	EvalMinting(&item->content, &batch->key, &item->minting);
	DocumentSign(&item->minting, &item->document);
}

static void
RefuseForgottenStep(Batch *batch, BatchItem *item)
{
	RefuseForgotten(batch->tenant, item->content.digests, item->content.ndigests);
}

/* Stores a receipt, or makes it wait for others.  What was stored outlives the scratch context. */
static void
StoreStep(Batch *batch, BatchItem *item)
{
	struct varlena *stored;

	DocumentPut(batch->writer, &item->minting, &item->document);
	stored = item->document.stored;
	item->document.body = NULL;
	item->document.stored = MemoryContextAllocHuge(batch->context, VARSIZE_ANY(stored));
	memcpy(item->document.stored, stored, VARSIZE_ANY(stored));
}

/* steps for all requests of a slice together */

/* Has a request a question? Reading it then reads tables. */
static bool
HasQuestion(const BatchItem *item)
{
	JsonView	request;
	JsonView	question;

	if (item->request == NULL)
		return false;
	JsonViewOfJsonb(item->request, &request);
	return request.type == JVIEW_OBJECT && JsonViewGetMember(&request, "question", &question);
}

static void
ReadRequests(Batch *batch)
{
	for (int i = 0; i < batch->nitems; i++)
	{
		BatchItem	   *item = &batch->items[i];

		TakeStep(batch, item, ReadStep, HasQuestion(item) ? STEP_UNDONE : STEP_PURE);
	}
}

static void
FindTools(Batch *batch)
{
	Size		named = 0;
	Span	   *names;
	Tool	   *tools;
	int			count = 0;

	for (int i = 0; i < batch->nitems; i++)
		named += (Size) batch->items[i].eval.npending + batch->items[i].eval.nsupplied;
	names = palloc_extended(sizeof(Span) * Max(named, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < batch->nitems; i++)
	{
		if (batch->items[i].error.type == JVIEW_ABSENT)
			count += EvalToolNames(&batch->items[i].eval, &names[count]);
	}
	tools = EvalFindTools(batch->tenant, names, count, &count);
	for (int i = 0; i < batch->nitems; i++)
	{
		batch->items[i].eval.tools = tools;
		batch->items[i].eval.ntools = count;
	}
}

static int
CompareCalls(const void *a, const void *b)
{
	const ToolCall *left = *(ToolCall *const *) a;
	const ToolCall *right = *(ToolCall *const *) b;
	int			order = strcmp(left->args_digest, right->args_digest);

	return order != 0 ? order : SpanCompare(left->tool->name, right->tool->name);
}

/* Returns the calls of a slice that stored readings answer, in the order of the index. */
static ToolCall **
StoredCalls(Batch *batch, int *count, int *deadline_ms)
{
	Size		most = 0;
	int64		milliseconds = 0;
	ToolCall  **calls;

	for (int i = 0; i < batch->nitems; i++)
		most += batch->items[i].eval.ncalls;
	calls = palloc_extended(sizeof(ToolCall *) * Max(most, 1), MCXT_ALLOC_HUGE);
	*count = 0;
	for (int i = 0; i < batch->nitems; i++)
	{
		Eval	   *eval = &batch->items[i].eval;

		if (batch->items[i].error.type != JVIEW_ABSENT)
			continue;
		milliseconds += eval->request.deadline_ms;
		for (int j = 0; j < eval->ncalls; j++)
		{
			if (eval->calls[j].tool->handler == NULL)
				calls[(*count)++] = &eval->calls[j];
		}
	}
	qsort(calls, *count, sizeof(ToolCall *), CompareCalls);
	*deadline_ms = (int) Min(milliseconds, INT_MAX);
	return calls;
}

static int
CompareRowPlaces(const void *a, const void *b)
{
	return SpanCompare(((const PlacedFact *) a)->place.text, ((const PlacedFact *) b)->place.text);
}

/* Makes one call out of several equal ones, with a fact for each place that any of them looks at. */
static ToolCall
ShareCall(ToolCall *const *calls, int count)
{
	ToolCall	shared = *calls[0];
	Size		wanted = 0;
	int			distinct = 0;

	if (count == 1)
		return shared;
	for (int i = 0; i < count; i++)
		wanted += calls[i]->nfacts;
	shared.facts = palloc_extended(sizeof(PlacedFact) * wanted, MCXT_ALLOC_HUGE);
	shared.nfacts = 0;
	for (int i = 0; i < count; i++)
	{
		memcpy(&shared.facts[shared.nfacts], calls[i]->facts, sizeof(PlacedFact) * calls[i]->nfacts);
		shared.nfacts += calls[i]->nfacts;
	}
	qsort(shared.facts, shared.nfacts, sizeof(PlacedFact), CompareRowPlaces);
	for (int i = 0; i < shared.nfacts; i++)
	{
		if (i == 0 || CompareRowPlaces(&shared.facts[distinct - 1], &shared.facts[i]) != 0)
			shared.facts[distinct++] = shared.facts[i];
	}
	shared.nfacts = distinct;
	return shared;
}

/* Copies the results of a shared call to one of the calls. */
static void
TakeShared(const ToolCall *shared, ToolCall *call)
{
	ToolCall	own = *call;

	*call = *shared;
	call->args = own.args;
	if (own.facts == shared->facts)
		return;
	call->facts = own.facts;
	call->nfacts = own.nfacts;
	for (int i = 0; i < own.nfacts; i++)
		own.facts[i] = *(PlacedFact *) bsearch(&own.facts[i], shared->facts, shared->nfacts, sizeof(PlacedFact),
											   CompareRowPlaces);
}

/*
 * Finds stored readings for all requests of a slice in one pass, and makes each fact
 * once, however many requests use it.
 */
static void
CallStored(Batch *batch)
{
	CallTerms	terms = {.now = batch->evaluated_at, .evaluated_at = batch->evaluated_at,
	.key = &batch->key, .tenant = batch->tenant, .entered = batch->entered};
	int			count;
	int			distinct = 0;
	ToolCall  **calls = StoredCalls(batch, &count, &terms.deadline_ms);
	ToolCall   *shared = palloc_extended(sizeof(ToolCall) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0, next; i < count; i = next)
	{
		for (next = i + 1; next < count && CompareCalls(&calls[i], &calls[next]) == 0; next++)
			;
		shared[distinct++] = ShareCall(&calls[i], next - i);
	}
	/* together they have the time that each would have had alone */
	terms.deadline = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), terms.deadline_ms);
	ToolsCall(shared, distinct, &terms);
	for (int i = 0, at = 0; i < count; i++)
	{
		const ToolCall *found = &shared[at];

		if (CompareCalls(&found, &calls[i]) != 0)
			found = &shared[++at];
		TakeShared(found, calls[i]);
	}
}

/*
 * Does a request call handlers, or search for tools with similar names? Then an error
 * can leave effects that only a subtransaction undoes.
 */
static bool
LooksAround(const BatchItem *item)
{
	for (int i = 0; item->error.type == JVIEW_ABSENT && i < item->eval.npending; i++)
	{
		const Tool *tool = item->eval.pending[i].tool;

		if (!tool->registered || tool->handler != NULL)
			return true;
	}
	return false;
}

static void
CollectForAll(Batch *batch)
{
	for (int i = 0; i < batch->nitems; i++)
	{
		BatchItem  *item = &batch->items[i];

		TakeStep(batch, item, CollectStep, LooksAround(item) ? STEP_UNDONE : STEP_PURE);
	}
}

/* Refuses requests whose evidence was forgotten, and keeps other evidence from being forgotten. */
static void
KeepEvidence(Batch *batch)
{
	Size		ndigests = 0;
	Datum	   *digests;
	int			count = 0;

	for (int i = 0; i < batch->nitems; i++)
		ndigests += batch->items[i].content.ndigests;
	digests = palloc_extended(sizeof(Datum) * Max(ndigests, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < batch->nitems; i++)
	{
		const ReceiptContent *content = &batch->items[i].content;

		if (content->ndigests > 0)
			memcpy(&digests[count], content->digests, sizeof(Datum) * content->ndigests);
		count += content->ndigests;
	}
	if (FindForgotten(batch->tenant, digests, count))
		TakeStepForAll(batch, RefuseForgottenStep, STEP_UNDONE);
}

static void
ReturnItem(const BatchItem *item, ReturnSetInfo *result)
{
	bool		failed = item->error.type != JVIEW_ABSENT;
	Datum		values[3] = {Int32GetDatum(item->ordinal)};
	bool		nulls[3] = {false, failed, !failed};

	if (failed)
		values[2] = JsonbPGetDatum(JsonViewToJsonb(&item->error, false));
	else
		values[1] = PointerGetDatum(item->document.stored);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* Stores the waiting receipts; an error names the request whose row caused it. */
static void
StoreWaiting(Batch *batch)
{
	MemoryContext context = CurrentMemoryContext;
	volatile int at = -1;

	PG_TRY();
	{
		DocumentWriterFlush(batch->writer, &at);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		if (at < 0)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RaiseFor(batch->waiting[at], error);
	}
	PG_END_TRY();
	batch->nwaiting = 0;
}

/* Signs a request's receipt and stores it; frees the memory for that. */
static void
StoreOne(Batch *batch, BatchItem *item, StepKind kind)
{
	MemoryContextSwitchTo(batch->scratch);
	TakeStep(batch, item, SignStep, STEP_PURE);
	if (batch->nwaiting > 0 && item->error.type == JVIEW_ABSENT &&
		RowWriterMightHold(batch->writer, item->document.receipt_id))
		StoreWaiting(batch);	/* the same receipt waits, and must be stored to be found */
	TakeStep(batch, item, StoreStep, kind);
	MemoryContextSwitchTo(batch->context);
	MemoryContextReset(batch->scratch);
}

/*
 * Stores receipts together, beginning with one request, as many as fit into memory;
 * returns the request after them.
 */
static int
StoreTogether(Batch *batch, int from)
{
	Size		bytes = 0;
	int			i;

	for (i = from; i < batch->nitems && bytes < SLICE_BYTES; i++)
	{
		BatchItem  *item = &batch->items[i];

		StoreOne(batch, item, STEP_READS);
		if (item->error.type != JVIEW_ABSENT)
			continue;
		bytes += VARSIZE_ANY(item->document.stored);
		if (RowWriterWaiting(batch->writer) == batch->nwaiting)
			continue;			/* it existed already */
		batch->waiting[batch->nwaiting++] = item;
	}
	StoreWaiting(batch);
	return i;
}

typedef struct Together
{
	Batch	   *batch;
	int			from;
	int			next;
} Together;

static void
StoreTogetherFrom(void *arg)
{
	Together   *together = arg;

	together->next = StoreTogether(together->batch, together->from);
}

/* Does the same in a subtransaction; returns false, with nothing stored, if a row was refused. */
static bool
TryTogether(Batch *batch, int from, int *next)
{
	Together	together = {.batch = batch,.from = from};
	ErrorData  *error;

	MemoryContextSwitchTo(batch->context);
	error = RunInSubtransaction(StoreTogetherFrom, &together);
	if (error && !IsOfRequest(error->sqlerrcode))
		ReThrowError(error);
	*next = together.next;
	return error == NULL;
}

static void
ReturnItems(Batch *batch, int from, int next, ReturnSetInfo *result)
{
	for (int i = from; i < next; i++)
	{
		ReturnItem(&batch->items[i], result);
		if (batch->items[i].error.type == JVIEW_ABSENT)
			pfree(batch->items[i].document.stored);
	}
}

/* Stores the receipts one by one, each in a subtransaction if it may be skipped. */
static void
StoreOneByOne(Batch *batch, int from, ReturnSetInfo *result)
{
	for (int i = from; i < batch->nitems; i++)
	{
		StoreOne(batch, &batch->items[i], STEP_UNDONE);
		ReturnItems(batch, i, i + 1, result);
	}
}

/* Signs, stores and returns the receipts of a slice. */
static void
StoreDocuments(Batch *batch, ReturnSetInfo *result)
{
	int			from = 0;
	int			next = 0;
	bool		had_written = false;

	batch->scratch = AllocSetContextCreate(batch->context, "answer_eval receipt", RECEIPT_MEMORY,
										   ALLOCSET_DEFAULT_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
	batch->nwaiting = 0;
	/* without a writer, triggers of users may fire */
	batch->writer = DocumentWriterOpen(batch->evaluated_at, SLICE_REQUESTS, batch->keys);
	if (batch->writer)
		had_written = OwnWritesBegin();
	while (batch->writer && from < batch->nitems)
	{
		if (!batch->skips)
			next = StoreTogether(batch, from);
		else if (!TryTogether(batch, from, &next))
		{
			batch->nwaiting = 0;
			RowWriterDropWaiting(batch->writer);
			break;
		}
		ReturnItems(batch, from, next, result);
		from = next;
	}
	StoreOneByOne(batch, from, result);
	if (batch->writer)
	{
		RowWriterClose(batch->writer);
		OwnWritesEnd(had_written);
	}
	batch->writer = NULL;
}

/* Evaluates a slice of requests. */
static void
EvalSlice(Batch *batch, ReturnSetInfo *result)
{
	ReadRequests(batch);
	FindTools(batch);
	TakeStepForAll(batch, PlanStep, STEP_PURE);
	CallStored(batch);
	CollectForAll(batch);
	TakeStepForAll(batch, ContentStep, STEP_PURE);
	KeepEvidence(batch);
	StoreDocuments(batch, result);
}

/* Takes the next requests, up to the size of a slice. */
static void
TakeSlice(Batch *batch, const Datum *requests, const bool *nulls, int count)
{
	Size		bytes = 0;

	batch->nitems = 0;
	batch->items = palloc0(sizeof(BatchItem) * Min(count - batch->done, SLICE_REQUESTS));
	while (batch->nitems < SLICE_REQUESTS && batch->done + batch->nitems < count)
	{
		int			at = batch->done + batch->nitems;
		BatchItem	   *item = &batch->items[batch->nitems];

		if (!nulls[at])
		{
			item->request = DatumGetJsonbP(requests[at]);
			bytes += VARSIZE(item->request);
			if (batch->nitems > 0 && bytes > SLICE_BYTES)
				break;
		}
		item->ordinal = at + 1;
		batch->nitems++;
	}
}

static void
EvalBatch(Batch *batch, const Datum *requests, const bool *nulls, int count, ReturnSetInfo *result)
{
	/* kept from slice to slice, because the system zeroes each page that it gives out again */
	Size		kept = Min((Size) count * REQUEST_MEMORY, SLICE_MEMORY);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval slice of requests",
												  kept, ALLOCSET_DEFAULT_INITSIZE, ALLOCSET_DEFAULT_MAXSIZE);
	MemoryContext caller;

	batch->keys = StoredKeysCreate();
	caller = MemoryContextSwitchTo(context);
	batch->context = context;
	while (batch->done < count)
	{
		TakeSlice(batch, requests, nulls, count);
		EvalSlice(batch, result);
		batch->done += batch->nitems;
		ProgressReport(batch->done, batch->refused);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* 'raise' or 'skip' */
static bool
ReadOnError(FunctionCallInfo fcinfo, int arg)
{
	char	   *on_error = TextDatumGetCString(PG_GETARG_DATUM(arg));

	if (strcmp(on_error, "skip") == 0)
		return true;
	if (strcmp(on_error, "raise") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("on_error must be raise or skip, not \"%s\"", on_error)));
	return false;
}

/* answer_eval_each(requests, on_error) */
PG_FUNCTION_INFO_V1(answer_eval_each);
Datum
answer_eval_each(PG_FUNCTION_ARGS)
{
	ArrayType  *array;
	Datum	   *requests;
	bool	   *nulls;
	int			count;
	Batch		batch;

	RequireArgument(fcinfo, 0, "requests");
	RequireArgument(fcinfo, 1, "on_error");
	RequirePrimary("answer_eval_each()");
	memset(&batch, 0, sizeof(batch));
	batch.skips = ReadOnError(fcinfo, 1);
	array = PG_GETARG_ARRAYTYPE_P(0);
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("requests must be an array of one dimension, not of %d", ARR_NDIM(array))));
	InitMaterializedSRF(fcinfo, 0);
	deconstruct_array(array, JSONBOID, -1, false, TYPALIGN_INT, &requests, &nulls, &count);
	if (count == 0)
		return (Datum) 0;

	batch.entered = WritesEnter();
	SPI_connect();
	/* before anything else runs: the role in force here is the one that asks */
	batch.tenant = CurrentTenant();
	SigningKeyBegin(&batch.key, &batch.evaluated_at);
	ProgressBegin(count);
	PG_TRY();
	{
		EvalBatch(&batch, requests, nulls, count, (ReturnSetInfo *) fcinfo->resultinfo);
	}
	PG_FINALLY();
	{
		ProgressEnd();
	}
	PG_END_TRY();
	SPI_finish();
	return (Datum) 0;
}
