/*-------------------------------------------------------------------------
 *
 * quality_tables.c
 *		Reads the rules and entries of evidence quality from the tables.
 *
 * They are read with the rights and the snapshot of the caller (for what tenants own, see
 * tenant.c), and assessed by quality_assess.c.  The rules are read once per query.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/funcargs.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "quality/quality_tables.h"
#include "quality/subject.h"

/*
 * rules
 */

/*
 * Identifies which rules a snapshot sees.  A call site may live longer than a
 * query: for an expression in PL/pgSQL, as long as the transaction, which can
 * change the rules meanwhile, roll a change back, or see another one's.
 */
typedef struct RulesMoment
{
	TransactionId xmin;
	TransactionId xmax;
	uint32		running;
	int32		running_sub;	/* on a standby: all that are running */
	CommandId	command;
	SubTransactionId subtransaction;
} RulesMoment;

/* What is cached between calls of answer.assessment_of. */
typedef struct AssessCache
{
	AssessmentRows *rows;
	QualityRules *rules;
	MemoryContext context;		/* of the rules */
	text	   *tenant;			/* tenant whose tools they include */
	RulesMoment moment;			/* when they were read */
} AssessCache;

/* The kinds of rows in answer.quality_rule. */
enum
{
	RULE_CLASS = 1, RULE_TOOL, RULE_AUTHORITY, RULE_COMPATIBILITY, RULE_INTENT, RULE_REQUIREMENT, RULE_QUESTION_FORM,
	RULE_KINDS
};

/* A row, as UTF-8; an absent text has the pointer NULL. */
typedef struct RuleRow
{
	int			kind;
	int			place;
	Span		name;
	Span		a;
	Span		b;
	Span		c;
	const char *relevance;
	const char *quality;
	const char *with_quality;
	bool		same_target;
	bool		same_tool;
	Jsonb	   *observation;	/* or NULL */
} RuleRow;

static Span
TextOrNone(Datum datum, bool isnull)
{
	return isnull ? (Span) {NULL, 0} : Utf8OfText(DatumGetTextPP(datum));
}

static const char *
LabelOrNone(const Vocabulary *vocabulary, VocabularyLabels labels, Datum datum, bool isnull)
{
	return isnull ? NULL : labels[VocabularyIndex(vocabulary, DatumGetObjectId(datum))];
}

static RuleRow
RuleOfTuple(HeapTuple tuple, TupleDesc desc, const Vocabulary *relevances, const Vocabulary *qualities)
{
	Datum		values[12];
	bool		nulls[12];

	heap_deform_tuple(tuple, desc, values, nulls);
	return (RuleRow) {
		.kind = DatumGetInt32(values[0]),
		.place = DatumGetInt32(values[1]),
		.name = TextOrNone(values[2], nulls[2]),
		.a = TextOrNone(values[3], nulls[3]),
		.b = TextOrNone(values[4], nulls[4]),
		.c = TextOrNone(values[5], nulls[5]),
		.relevance = LabelOrNone(relevances, relevance_labels, values[6], nulls[6]),
		.quality = LabelOrNone(qualities, quality_labels, values[7], nulls[7]),
		.with_quality = LabelOrNone(qualities, quality_labels, values[8], nulls[8]),
		.same_target = !nulls[9] && DatumGetBool(values[9]),
		.same_tool = !nulls[10] && DatumGetBool(values[10]),
		.observation = nulls[11] ? NULL : DatumGetJsonbP(values[11])
	};
}

/* Compares in the order of answer.quality_rules; a requirement comes after its intent. */
static int
CompareRules(const void *left, const void *right)
{
	const RuleRow *l = left;
	const RuleRow *r = right;
	int			l_list = l->kind == RULE_REQUIREMENT ? RULE_INTENT : l->kind;
	int			r_list = r->kind == RULE_REQUIREMENT ? RULE_INTENT : r->kind;
	int			cmp;

	if (l_list != r_list)
		return l_list > r_list ? 1 : -1;
	if (l->place != r->place)
		return l->place > r->place ? 1 : -1;
	if ((cmp = SpanOrder(l->name, r->name)) != 0)
		return cmp;
	if (l->kind != r->kind)
		return l->kind > r->kind ? 1 : -1;
	if (l->observation && r->observation)
		return compareJsonbContainers(&l->observation->root, &r->observation->root);
	if ((cmp = SpanOrder(l->a, r->a)) != 0)
		return cmp;
	return (int) l->same_tool - (int) r->same_tool;
}

static void
SetSpan(JsonView *object, const char *key, Span text)
{
	if (text.str)
		JsonViewSet(object, key, SpanView(text));
}

static JsonView
RuleView(const RuleRow *row)
{
	JsonView	rule = JsonViewNewObject(6);
	JsonView	observation;

	switch (row->kind)
	{
		case RULE_CLASS:
			SetSpan(&rule, "class", row->name);
			SetSpan(&rule, "tool", row->a);
			SetSpan(&rule, "identifier_tool", row->b);
			SetSpan(&rule, "verify_tool", row->c);
			if (row->relevance)
				JsonViewSet(&rule, "relevance", JsonViewCString(row->relevance));
			break;
		case RULE_TOOL:
			SetSpan(&rule, "tool", row->name);
			SetSpan(&rule, "class", row->a);
			SetSpan(&rule, "family", row->b);
			break;
		case RULE_AUTHORITY:
			SetSpan(&rule, "tool", row->name);
			SetSpan(&rule, "class", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			JsonViewOfJsonb(row->observation, &observation);
			JsonViewSet(&rule, "observation", observation);
			break;
		case RULE_COMPATIBILITY:
			SetSpan(&rule, "class", row->name);
			SetSpan(&rule, "with", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			JsonViewSet(&rule, "with_quality", JsonViewCString(row->with_quality));
			JsonViewSet(&rule, "same_target", JsonViewBool(row->same_target));
			JsonViewSet(&rule, "same_tool", JsonViewBool(row->same_tool));
			break;
		case RULE_INTENT:
			SetSpan(&rule, "intent", row->name);
			break;
		default:
			SetSpan(&rule, "class", row->a);
			JsonViewSet(&rule, "quality", JsonViewCString(row->quality));
			break;
	}
	return rule;
}

/* Returns an intent with the requirements that follow it. */
static JsonView
IntentView(const RuleRow *rows, uint64 count)
{
	JsonView	intent = RuleView(rows);
	JsonView	requires = JsonViewNewArray(4);

	for (uint64 i = 1; i < count && rows[i].kind == RULE_REQUIREMENT; i++)
	{
		/* a requirement without an intent is ignored */
		if (SpanEqual(rows[i].name, rows->name))
			JsonViewAppend(&requires, RuleView(&rows[i]));
	}
	JsonViewSet(&intent, "requires", requires);
	return intent;
}

/*
 * Returns the rules as answer.quality_rules has them.  They are read as rows,
 * because making jsonb in SQL takes several times as long.  The result is in SPI's
 * memory.
 */
JsonView
RulesDocument(const text *tenant)
{
	QueryRows	given;

#define RULE_COLUMNS \
	"kind, place, name, a, b, c, relevance, quality, with_quality, same_target, same_tool, observation"
	static FixedQuery shared = {
		.text = "SELECT " RULE_COLUMNS " FROM answer.quality_rule"
	};
	static FixedQuery shared_and_own = {
		.text = "SELECT " RULE_COLUMNS " FROM answer.quality_rule UNION ALL"
		" SELECT 2, 0, t.tool, t.class, t.family, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_tool t"
		" WHERE t.tenant OPERATOR(pg_catalog.=) $1 AND NOT EXISTS (SELECT FROM answer.quality_tool s"
		"  WHERE s.tenant OPERATOR(pg_catalog.=) '' AND s.tool OPERATOR(pg_catalog.=) t.tool)",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	/* requirements are inside of their intent */
	static const char *const keys[RULE_KINDS] = {
		NULL, "classes", "tools", "authorities", "compatibilities", "intents", NULL, "question_form"
	};
	Vocabulary	relevances = {0};
	Vocabulary	qualities = {0};
	JsonView	document = JsonViewNewObject(RULE_KINDS);
	JsonView	lists[RULE_KINDS];
	RuleRow    *rows;
	uint64		count;

	given = QueryRun(VARSIZE_ANY_EXHDR(tenant) > 0 ? &shared_and_own : &shared, &value, NULL, true, 0);
	count = given.count;
	rows = palloc_extended(sizeof(RuleRow) * Max(count, 1), MCXT_ALLOC_HUGE);
	VocabularyLookup(&relevances, SPI_gettypeid(given.table->tupdesc, 7), relevance_labels);
	VocabularyLookup(&qualities, SPI_gettypeid(given.table->tupdesc, 8), quality_labels);
	for (uint64 i = 0; i < count; i++)
		rows[i] = RuleOfTuple(given.table->vals[i], given.table->tupdesc, &relevances, &qualities);
	qsort(rows, count, sizeof(RuleRow), CompareRules);

	for (int i = RULE_CLASS; i < RULE_KINDS; i++)
		lists[i] = JsonViewNewArray(16);
	for (uint64 i = 0; i < count; i++)
	{
		if (rows[i].kind == RULE_INTENT)
			JsonViewAppend(&lists[RULE_INTENT], IntentView(&rows[i], count - i));
		else if (rows[i].kind == RULE_QUESTION_FORM)
			JsonViewAppend(&lists[RULE_QUESTION_FORM], SpanView(rows[i].name));
		else if (rows[i].kind != RULE_REQUIREMENT)
			JsonViewAppend(&lists[rows[i].kind], RuleView(&rows[i]));
	}
	for (int i = RULE_CLASS; i < RULE_KINDS; i++)
	{
		if (keys[i])
			JsonViewSet(&document, keys[i], lists[i]);
	}
	return document;
}

/*
 * Returns the words of the rules that only name the kind of thing that is sought.
 * Runs as the owner; the result is in SPI's memory.
 */
QuestionForm
QuestionFormInForce(void)
{
	static FixedQuery query = {
		.text = "SELECT word FROM answer.quality_question_form"
	};
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);
	Span	   *words = palloc_extended(sizeof(Span) * Max(rows.count, 1), MCXT_ALLOC_HUGE);

	for (uint64 i = 0; i < rows.count; i++)
		words[i] = Utf8OfText(DatumGetTextPP(ColumnDatum(rows.table, i, 1)));
	return QuestionFormOf(words, (int) rows.count);
}

static RulesMoment
MomentOfRules(void)
{
	Snapshot	snapshot = GetActiveSnapshot();

	return (RulesMoment) {
		.xmin = snapshot->xmin,
		.xmax = snapshot->xmax,
		.running = snapshot->xcnt,
		.running_sub = snapshot->subxcnt,
		.command = snapshot->curcid,
		.subtransaction = GetCurrentSubTransactionId()
	};
}

static bool
SameMoment(const RulesMoment *a, const RulesMoment *b)
{
	return a->xmin == b->xmin && a->xmax == b->xmax && a->running == b->running &&
		a->running_sub == b->running_sub && a->command == b->command && a->subtransaction == b->subtransaction;
}

/* Reads the rules anew. */
static void
ReadCachedRules(AssessCache *cache, const text *tenant, const RulesMoment *moment)
{
	JsonView	rules = RulesDocument(tenant);
	MemoryContext spi;

	cache->rules = NULL;
	MemoryContextReset(cache->context);
	spi = MemoryContextSwitchTo(cache->context);
	cache->rules = RulesOfView(&rules);
	cache->moment = *moment;
	cache->tenant = DatumGetTextPCopy(PointerGetDatum(tenant));
	MemoryContextSwitchTo(spi);
}

/* Returns the cache of a call site. The rules are read once per query and tenant. SPI must be connected. */
static AssessCache *
AssessCacheOf(FunctionCallInfo fcinfo, const text *tenant)
{
	AssessCache *cache = fcinfo->flinfo->fn_extra;
	RulesMoment moment = MomentOfRules();

	if (cache == NULL)
	{
		MemoryContext context = fcinfo->flinfo->fn_mcxt;

		cache = MemoryContextAllocZero(context, sizeof(AssessCache));
		cache->context = AllocSetContextCreate(context, "answer_eval rules", ALLOCSET_SMALL_SIZES);
		cache->rows = AssessmentRowsInit(fcinfo);
		fcinfo->flinfo->fn_extra = cache;
	}
	if (cache->rules == NULL || !SameMoment(&cache->moment, &moment) || !TextsEqual(cache->tenant, tenant))
		ReadCachedRules(cache, tenant, &moment);
	return cache;
}

/*
 * entries
 */

_Noreturn void
UnknownInvestigation(int64 investigation)
{
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("unknown investigation " INT64_FORMAT, investigation),
			 errhint("Investigations are opened with answer_investigation_open().")));
}

/* Columns of the queries for entries. */
enum
{
	COL_CLASS, COL_TOOL, COL_QUERY, COL_TARGET, COL_REASON, COL_QUALITY, COL_STRENGTH,
	COL_OBSERVATION, COL_ENTRY, COL_SOURCES, NUM_ENTRY_COLS,
	COL_INTENT = NUM_ENTRY_COLS, COL_QUESTION, COL_SUBJECT, NUM_COLS
};

#define ENTRY_COLUMNS \
	"e.class, e.tool, e.query, e.target, e.reason, e.quality, e.strength, e.observation, e.entry, e.sources"

/* Returns the entry in a row of such a query. */
static AssessInput
EntryOfRow(const Datum *values, const Vocabulary *qualities, const Vocabulary *strengths)
{
	AssessInput input;
	bytea	   *address = DatumGetByteaPP(values[COL_ENTRY]);

	input.address = (Span) {VARDATA_ANY(address), VARSIZE_ANY_EXHDR(address)};
	input.class_name = Utf8OfText(DatumGetTextPP(values[COL_CLASS]));
	input.tool = Utf8OfText(DatumGetTextPP(values[COL_TOOL]));
	input.query = Utf8OfText(DatumGetTextPP(values[COL_QUERY]));
	input.target = Utf8OfText(DatumGetTextPP(values[COL_TARGET]));
	input.reason = Utf8OfText(DatumGetTextPP(values[COL_REASON]));
	input.quality = VocabularyIndex(qualities, DatumGetObjectId(values[COL_QUALITY]));
	input.strength = VocabularyIndex(strengths, DatumGetObjectId(values[COL_STRENGTH]));
	input.sources = SpansOfArray(DatumGetArrayTypeP(values[COL_SOURCES]), &input.nsources);
	JsonViewOfJsonb(DatumGetJsonbP(values[COL_OBSERVATION]), &input.observation);
	return input;
}

/* Adds the rows of such a query; a row without a class has no entry. */
static void
AddRows(const QueryRows *rows, AssessState *state)
{
	TupleDesc	desc = rows->table->tupdesc;
	Vocabulary	qualities = {0};
	Vocabulary	strengths = {0};
	Datum		values[NUM_COLS];
	bool		nulls[NUM_COLS];

	Assert(desc->natts <= NUM_COLS);
	if (rows->count == 0)
		return;
	VocabularyLookup(&qualities, TupleDescAttr(desc, COL_QUALITY)->atttypid, quality_labels);
	VocabularyLookup(&strengths, TupleDescAttr(desc, COL_STRENGTH)->atttypid, strength_labels);
	for (uint64 i = 0; i < rows->count; i++)
	{
		AssessInput input;

		CHECK_FOR_INTERRUPTS();
		heap_deform_tuple(rows->table->vals[i], desc, values, nulls);
		if (nulls[COL_CLASS])
			continue;
		input = EntryOfRow(values, &qualities, &strengths);
		AssessAdd(state, &input);
	}
}

static AssessState *
BeginAssessment(const QualityRules *rules, const Goal *goal)
{
	AssessState *state = AssessBegin(rules, goal);

	if (state == NULL)
		UnknownIntent(ServerText(goal->intent));
	return state;
}

/* Returns a text in the first row of such a query; empty if it is NULL. */
static Span
ColumnText(const SPITupleTable *table, int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(table->vals[0], table->tupdesc, column + 1, &isnull);

	return isnull ? SpanOfCString("") : Utf8OfText(DatumGetTextPP(value));
}

/* Reads an investigation's goal and entries, and assesses them. */
void
AssessInvestigation(const QualityRules *rules, const text *tenant, Datum investigation, Assessment *assessment)
{
	static FixedQuery query = {
		.text = "SELECT " ENTRY_COLUMNS ", i.intent, i.question, i.subject FROM answer.investigation i"
		" LEFT JOIN answer.quality_entry e ON e.investigation OPERATOR(pg_catalog.=) i.investigation"
		" AND e.tenant OPERATOR(pg_catalog.=) i.tenant"
		" WHERE i.investigation OPERATOR(pg_catalog.=) $1 AND i.tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {INT8OID, TEXTOID}
	};
	Datum		values[2] = {investigation, PointerGetDatum(tenant)};
	AssessState *state;
	Goal		goal;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 0);

	if (rows.count == 0)
		UnknownInvestigation(DatumGetInt64(investigation));
	goal.intent = ColumnText(rows.table, COL_INTENT);
	goal.question = ColumnText(rows.table, COL_QUESTION);
	goal.subject = ColumnText(rows.table, COL_SUBJECT);
	goal.reading = ShippedDecisionRules();
	goal.subject_rules = SUBJECT_RULES;
	state = BeginAssessment(rules, &goal);
	AddRows(&rows, state);
	AssessFinish(state, assessment);
}

/* Reads and assesses only the entries, for callers that know the goal. */
static void
AssessEntries(const QualityRules *rules, const text *tenant, Datum investigation, const Goal *goal,
			  Assessment *assessment)
{
	static FixedQuery query = {
		.text = "SELECT " ENTRY_COLUMNS " FROM answer.quality_entry e"
		" WHERE e.investigation OPERATOR(pg_catalog.=) $1 AND e.tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {INT8OID, TEXTOID}
	};
	Datum		values[2] = {investigation, PointerGetDatum(tenant)};
	AssessState *state = BeginAssessment(rules, goal);
	QueryRows	rows = QueryRun(&query, values, NULL, true, 0);

	AddRows(&rows, state);
	AssessFinish(state, assessment);
}

/*
 * Returns the tenant whose investigation has this number, if it may be read.  Looks
 * nothing up if there are no tenants.  SPI must be connected.
 */
static text *
TenantOfInvestigation(const TenantReading *reading, Datum investigation)
{
	static FixedQuery query = {
		.text = "SELECT tenant FROM answer.investigation WHERE tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND investigation OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTARRAYOID, INT8OID}
	};
	Datum		values[2] = {reading->tenants, investigation};
	text	   *tenant;
	QueryRows	rows;

	if (!TenantsExist())
		return cstring_to_text("");
	rows = QueryRun(&query, values, NULL, true, 1);
	if (rows.count == 0)
		UnknownInvestigation(DatumGetInt64(investigation));
	tenant = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	return tenant;
}

/* answer.assessment_of(investigation) */
PG_FUNCTION_INFO_V1(answer_eval_assessment_of);
Datum
answer_eval_assessment_of(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	AssessCache *cache;
	TenantReading reading;
	text	   *tenant;
	Assessment	assessment;
	Datum		result;

	RequireArgument(fcinfo, 0, "investigation");
	SPI_connect();
	TenantReadBegin(&reading);
	tenant = TenantOfInvestigation(&reading, PG_GETARG_DATUM(0));
	cache = AssessCacheOf(fcinfo, tenant);
	AssessInvestigation(cache->rules, tenant, PG_GETARG_DATUM(0), &assessment);
	TenantReadEnd(&reading);
	MemoryContextSwitchTo(caller);
	result = AssessmentRow(cache->rows, &assessment, true);
	SPI_finish();
	PG_RETURN_DATUM(result);
}

/*
 * answer.assessment_of(investigation, intent, question, subject): the same without
 * its classes, for queries over many investigations.
 */
PG_FUNCTION_INFO_V1(answer_eval_assessment_of_goal);
Datum
answer_eval_assessment_of_goal(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	AssessCache *cache;
	TenantReading reading;
	text	   *tenant;
	Assessment	assessment;
	Datum		result;
	Goal		goal;

	RequireArgument(fcinfo, 0, "investigation");
	RequireArgument(fcinfo, 1, "intent");
	SPI_connect();
	TenantReadBegin(&reading);
	tenant = TenantOfInvestigation(&reading, PG_GETARG_DATUM(0));
	cache = AssessCacheOf(fcinfo, tenant);
	goal = (Goal) {
		.intent = TextArgument(fcinfo, 1),
		.question = TextArgument(fcinfo, 2),
		.subject = SubjectArgument(fcinfo, 3),
		.reading = ShippedDecisionRules(),
		.subject_rules = SUBJECT_RULES
	};
	AssessEntries(cache->rules, tenant, PG_GETARG_DATUM(0), &goal, &assessment);
	TenantReadEnd(&reading);
	MemoryContextSwitchTo(caller);
	result = AssessmentRow(cache->rows, &assessment, false);
	SPI_finish();
	PG_RETURN_DATUM(result);
}
