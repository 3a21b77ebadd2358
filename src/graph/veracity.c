/*-------------------------------------------------------------------------
 *
 * veracity.c
 *		Judges how far nodes of a graph can be trusted: by age and by connections.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/packet.md §1.
 *
 * An old Document is stale, and a node with few neighbours is an orphan.  The extended judgement
 * also reports code that is newer than the Document that names it, and too few records.  Each
 * fault costs a fixed number of points.  An unknown age is never guessed: such a record is
 * neither stale nor newer than anything.
 *
 * Ages are exact to the microsecond, and a day has 86400 seconds.  A time with more than six
 * decimals is truncated to microseconds.
 *
 * Promises: pure, with the clock as an argument; malformed input is reported as a value with its
 * place; faults are in a fixed order, by type and then by record; n log n in the records and
 * their listed neighbours.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/jsonb.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/option.h"
#include "graph/veracity.h"

#define STALE_COST				15
#define ORPHAN_COST				5
#define CONTRADICTION_COST		20
#define COVERAGE_COST			10
#define WHOLE_SCORE				100

/* 10,000 years; as microseconds they fit into 64 bits */
#define MOST_DAYS				3650000

#define RECORD_HINT	"Each record is {id, name, labels, neighbors, last_modified}."

const VeracityConfig veracity_defaults = {
	.staleness_days = 90,
	.orphan_threshold = 2,
	.contradiction_days = 30,
	.min_results = 5
};

/*
 * reading a configuration
 */

typedef struct IntegerKey
{
	const char *name;
	Size		offset;
	int			most;
} IntegerKey;

static const IntegerKey integer_keys[] = {
	{"staleness_days", offsetof(VeracityConfig, staleness_days), MOST_DAYS},
	{"orphan_threshold", offsetof(VeracityConfig, orphan_threshold), PG_INT32_MAX},
	{"contradiction_days", offsetof(VeracityConfig, contradiction_days), MOST_DAYS},
	{"min_results", offsetof(VeracityConfig, min_results), PG_INT32_MAX}
};

static const char *const config_keys[] = {"staleness_days", "orphan_threshold", "contradiction_days",
	"min_results", "extended", NULL};

static const char *
SetInteger(const JsonView *object, const IntegerKey *key, VeracityConfig *config)
{
	JsonView	view;
	int64		number;

	if (!JsonViewGetMember(object, key->name, &view))
		return NULL;
	if (!NumberIntegerBetween(&view, 0, key->most, &number))
		return psprintf("config.%s must be a whole number from 0 to %d, and is %s",
						key->name, key->most, ShownValue(&view));
	*(int *) ((char *) config + key->offset) = number;
	return NULL;
}

/*
 * Reads a configuration; an absent view means all defaults.  If it is malformed,
 * returns false and one sentence that names the key.
 */
static bool
VeracityConfigParse(const JsonView *object, VeracityConfig *config, const char **problem)
{
	Span		unknown;
	JsonView	view;

	*problem = NULL;
	*config = veracity_defaults;
	if (object->type == JVIEW_ABSENT)
		return true;
	if (object->type != JVIEW_OBJECT)
	{
		*problem = psprintf("config must be an object, and is %s", ShownValue(object));
		return false;
	}
	if (!HasOnlyKeys(object, config_keys, &unknown))
	{
		view = JsonViewString(unknown.str, unknown.len);
		*problem = psprintf("config has an unknown key %s", ShownValue(&view));
		return false;
	}
	for (size_t i = 0; i < lengthof(integer_keys) && *problem == NULL; i++)
		*problem = SetInteger(object, &integer_keys[i], config);
	if (*problem == NULL && JsonViewGetMember(object, "extended", &view))
	{
		config->extended = view.boolean;
		if (view.type != JVIEW_BOOL)
			*problem = psprintf("config.extended must be true or false, and is %s", ShownValue(&view));
	}
	return *problem == NULL;
}

/*
 * reading records
 */

static const char *
ReadString(const JsonView *object, int index, const char *key, Span *text)
{
	JsonView	view = JsonViewUnder(object, key);

	if (view.type != JVIEW_STRING)
		return ElementProblem("records", index, key, "must be a string", &view);
	*text = SpanOf(view.str, view.len);
	return NULL;
}

/* Reads an array of strings, which may be missing or null; then it counts as empty. */
static const char *
ReadStrings(const JsonView *object, int index, const char *key, const Span **texts, int *count)
{
	JsonView	view;
	Span	   *read;

	*texts = NULL;
	*count = 0;
	if (!JsonViewGetMember(object, key, &view) || view.type == JVIEW_NULL)
		return NULL;
	if (view.type != JVIEW_ARRAY)
		return ElementProblem("records", index, key, "must be an array of strings", &view);
	*count = JsonViewCount(&view);
	*texts = read = palloc_extended(sizeof(Span) * (Size) Max(*count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < *count; i++)
	{
		JsonView	element = JsonViewAt(&view, i);

		CHECK_FOR_INTERRUPTS();
		if (element.type != JVIEW_STRING)
			return ElementProblem("records", index, psprintf("%s[%d]", key, i), "must be a string", &element);
		read[i] = SpanOf(element.str, element.len);
	}
	return NULL;
}

/* Returns the instant so many seconds and microseconds after 1970. */
static bool
InstantOfParts(int64 seconds, int microseconds, TimestampTz *instant)
{
	const int64 epoch = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (int64) SECS_PER_DAY;
	int64		since_2000 = seconds - epoch;

	if (since_2000 < MIN_TIMESTAMP / USECS_PER_SEC || since_2000 >= END_TIMESTAMP / USECS_PER_SEC)
		return false;
	*instant = since_2000 * USECS_PER_SEC + microseconds;
	return true;
}

bool
InstantOfEpoch(int64 seconds, TimestampTz *instant)
{
	/* far beyond any instant, and without overflow */
	if (seconds < -PG_INT64_MAX / 2 || seconds > PG_INT64_MAX / 2)
		return false;
	return InstantOfParts(seconds, 0, instant);
}

/* Returns the instant of a number of seconds since 1970, rounded down to a microsecond. */
static bool
InstantOfNumber(const JsonView *number, TimestampTz *instant)
{
	PlainNumber plain;
	const char *p;
	bool		is_negative;
	bool		is_between;		/* are there further nonzero digits? */
	int64		seconds;
	int			microseconds = 0;
	const char *point;

	if (!NumberPlain(number, &plain))
		return false;
	is_negative = *plain.text == '-';
	p = plain.text + is_negative;
	point = strchr(p, '.');
	/* the last instant has no more digits */
	if ((point ? point - p : (long) strlen(p)) > 13)
		return false;
	seconds = strtoi64(p, NULL, 10);
	p = point ? point + 1 : "";
	for (int i = 0; i < 6; i++)
		microseconds = microseconds * 10 + (*p ? *p++ - '0' : 0);
	is_between = *p != '\0';
	if (!is_negative)
		return InstantOfParts(seconds, microseconds, instant);
	microseconds += is_between;
	if (microseconds == 0)
		return InstantOfParts(-seconds, 0, instant);
	return InstantOfParts(-seconds - 1, USECS_PER_SEC - microseconds, instant);
}

static const char *
ReadModified(const JsonView *object, int index, VeracityRecord *record)
{
	JsonView	view;
	TimestampTz epoch;

	record->has_modified = false;
	if (!JsonViewGetMember(object, "last_modified", &view) || view.type == JVIEW_NULL)
		return NULL;
	if (view.type != JVIEW_NUMBER || !InstantOfNumber(&view, &record->modified))
		return ElementProblem("records", index, "last_modified",
						 "must be a number of seconds since 1970 that a timestamp can be", &view);
	(void) InstantOfEpoch(0, &epoch);
	record->has_modified = record->modified != epoch;
	return NULL;
}

static const char *
ReadRecord(const JsonView *object, int index, VeracityRecord *record)
{
	const char *problem;

	if (object->type != JVIEW_OBJECT)
		return psprintf("records[%d] must be an object, and is %s", index, ShownValue(object));
	if ((problem = ReadString(object, index, "id", &record->id)) ||
		(problem = ReadString(object, index, "name", &record->name)) ||
		(problem = ReadStrings(object, index, "labels", &record->labels, &record->nlabels)) ||
		(problem = ReadStrings(object, index, "neighbors", &record->neighbors, &record->nneighbors)) ||
		(problem = ReadModified(object, index, record)))
		return problem;
	record->neighbor_count = record->nneighbors;
	return NULL;
}

/*
 * Reads an array of {id, name, labels, neighbors, last_modified}; neighbor_count is
 * the number of neighbors.  If it is malformed, returns false and one sentence that
 * names the place.
 */
static bool
VeracityRecordsParse(const JsonView *array, VeracityRecord **records, int *count, const char **problem)
{
	*problem = NULL;
	if (array->type != JVIEW_ARRAY)
	{
		*problem = psprintf("records must be an array, and is %s", ShownValue(array));
		return false;
	}
	*count = JsonViewCount(array);
	*records = palloc_extended(sizeof(VeracityRecord) * (Size) Max(*count, 1),
							   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < *count && *problem == NULL; i++)
	{
		JsonView	view = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		*problem = ReadRecord(&view, i, &(*records)[i]);
	}
	return *problem == NULL;
}

/*
 * judging
 */

/* The records of a call, and the faults so far. */
typedef struct Judge
{
	const VeracityRecord *records;
	int			count;
	const VeracityConfig *config;
	TimestampTz now;
	int64		cost;
	JsonView	faults;
	StringInfoData message;		/* of the current fault */
} Judge;

static bool
HasLabel(const VeracityRecord *record, const char *label)
{
	return SpanIsIn(SpanOfCString(label), record->labels, record->nlabels);
}

static bool
IsDocument(const VeracityRecord *record)
{
	return HasLabel(record, DOCUMENT_LABEL);
}

static bool
IsCode(const VeracityRecord *record)
{
	return !IsDocument(record) &&
		(HasLabel(record, "Code") || HasLabel(record, "Function") || HasLabel(record, "Class"));
}

/* Returns the microseconds from one instant to a later one; 0 if it is not later. */
static uint64
MicrosecondsBetween(TimestampTz from, TimestampTz to)
{
	return to > from ? (uint64) to - (uint64) from : 0;
}

static int64
WholeDays(uint64 microseconds)
{
	return microseconds / USECS_PER_DAY;
}

static bool
IsLonger(uint64 microseconds, int days)
{
	return microseconds > (uint64) days * USECS_PER_DAY;
}

/* Begins a message with a quoted name. */
static StringInfo
BeginMessage(Judge *judge, Span name)
{
	resetStringInfo(&judge->message);
	appendStringInfoChar(&judge->message, '\'');
	appendBinaryStringInfo(&judge->message, name.str, name.len);
	return &judge->message;
}

/* Adds a fault with the current message. */
static void
AddFault(Judge *judge, const char *type, int cost, JsonView evidence)
{
	JsonView	fault = JsonViewNewObject(3);
	int			len = judge->message.len;

	JsonViewSet(&fault, "type", JsonViewCString(type));
	JsonViewSet(&fault, "message", JsonViewString(pnstrdup(judge->message.data, len), len));
	JsonViewSet(&fault, "evidence", evidence);
	JsonViewAppend(&judge->faults, fault);
	judge->cost += cost;
}

static void
AddStale(Judge *judge, const VeracityRecord *record, int64 days_old)
{
	int			threshold = judge->config->staleness_days;
	JsonView	evidence = JsonViewNewObject(3);

	appendStringInfo(BeginMessage(judge, record->name), "' is " INT64_FORMAT " days old (threshold: %d)",
					 days_old, threshold);
	JsonViewSet(&evidence, "node_id", SpanView(record->id));
	JsonViewSet(&evidence, "days_old", JsonViewInteger(days_old));
	JsonViewSet(&evidence, "threshold_days", JsonViewInteger(threshold));
	AddFault(judge, "STALE_DOC", STALE_COST, evidence);
}

static void
FindStale(Judge *judge)
{
	for (int i = 0; i < judge->count; i++)
	{
		const VeracityRecord *record = &judge->records[i];
		uint64		age;

		CHECK_FOR_INTERRUPTS();
		if (!record->has_modified || !IsDocument(record))
			continue;
		age = MicrosecondsBetween(record->modified, judge->now);
		if (IsLonger(age, judge->config->staleness_days))
			AddStale(judge, record, WholeDays(age));
	}
}

static void
AddOrphan(Judge *judge, const VeracityRecord *record)
{
	int			threshold = judge->config->orphan_threshold;
	JsonView	evidence = JsonViewNewObject(3);

	appendStringInfo(BeginMessage(judge, record->name), "' has only " INT64_FORMAT " connection(s) (threshold: %d)",
					 record->neighbor_count, threshold);
	JsonViewSet(&evidence, "node_id", SpanView(record->id));
	JsonViewSet(&evidence, "neighbor_count", JsonViewInteger(record->neighbor_count));
	JsonViewSet(&evidence, "threshold", JsonViewInteger(threshold));
	AddFault(judge, "ORPHANED_NODE", ORPHAN_COST, evidence);
}

static void
FindOrphans(Judge *judge)
{
	for (int i = 0; i < judge->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (judge->records[i].neighbor_count < judge->config->orphan_threshold)
			AddOrphan(judge, &judge->records[i]);
	}
}

/* Compares by name; records with the same name stay in their order. */
static int
CompareNames(const void *a, const void *b)
{
	const VeracityRecord *left = *(const VeracityRecord *const *) a;
	const VeracityRecord *right = *(const VeracityRecord *const *) b;
	int			cmp = SpanCompare(left->name, right->name);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

/* Sorts the code among the records by name, and keeps the last record of each name. */
static int
SortCode(const Judge *judge, const VeracityRecord **code)
{
	int			count = 0;
	int			kept = 0;

	for (int i = 0; i < judge->count; i++)
	{
		if (IsCode(&judge->records[i]))
			code[count++] = &judge->records[i];
	}
	qsort(code, count, sizeof(VeracityRecord *), CompareNames);
	for (int i = 0; i < count; i++)
	{
		if (i + 1 == count || !SpanEqual(code[i]->name, code[i + 1]->name))
			code[kept++] = code[i];
	}
	return kept;
}

static int
CompareNameWithCode(const void *name, const void *code)
{
	return SpanCompare(*(const Span *) name, (*(const VeracityRecord *const *) code)->name);
}

static void
AddContradiction(Judge *judge, const VeracityRecord *document, const VeracityRecord *code, int64 days)
{
	JsonView	evidence = JsonViewNewObject(5);
	StringInfo	message = BeginMessage(judge, document->name);

	appendStringInfoString(message, "' may be outdated: linked code '");
	appendBinaryStringInfo(message, code->name.str, code->name.len);
	appendStringInfo(message, "' is " INT64_FORMAT " days newer", days);
	JsonViewSet(&evidence, "doc_id", SpanView(document->id));
	JsonViewSet(&evidence, "doc_name", SpanView(document->name));
	JsonViewSet(&evidence, "code_name", SpanView(code->name));
	JsonViewSet(&evidence, "days_difference", JsonViewInteger(days));
	JsonViewSet(&evidence, "threshold_days", JsonViewInteger(judge->config->contradiction_days));
	AddFault(judge, "CONTRADICTION", CONTRADICTION_COST, evidence);
}

static void
FindContradictions(Judge *judge)
{
	const VeracityRecord **code = palloc_extended(sizeof(VeracityRecord *) * (Size) Max(judge->count, 1),
												  MCXT_ALLOC_HUGE);
	int			ncode = SortCode(judge, code);

	for (int i = 0; i < judge->count; i++)
	{
		const VeracityRecord *document = &judge->records[i];

		if (!document->has_modified || !IsDocument(document))
			continue;
		for (int k = 0; k < document->nneighbors; k++)
		{
			const VeracityRecord **found = bsearch(&document->neighbors[k], code, ncode,
												   sizeof(VeracityRecord *), CompareNameWithCode);
			uint64		newer;

			CHECK_FOR_INTERRUPTS();
			if (found == NULL || !(*found)->has_modified)
				continue;
			newer = MicrosecondsBetween(document->modified, (*found)->modified);
			if (IsLonger(newer, judge->config->contradiction_days))
				AddContradiction(judge, document, *found, WholeDays(newer));
		}
	}
	pfree(code);
}

static void
FindLowCoverage(Judge *judge)
{
	int			least = judge->config->min_results;
	JsonView	evidence;

	if (judge->count >= least)
		return;
	resetStringInfo(&judge->message);
	appendStringInfo(&judge->message, "Only %d result(s) found (recommended: %d+)", judge->count, least);
	evidence = JsonViewNewObject(2);
	JsonViewSet(&evidence, "result_count", JsonViewInteger(judge->count));
	JsonViewSet(&evidence, "min_results", JsonViewInteger(least));
	AddFault(judge, "LOW_COVERAGE", COVERAGE_COST, evidence);
}

void
VeracityJudge(const VeracityRecord *records, int count, const VeracityConfig *config,
			  TimestampTz now, Veracity *veracity)
{
	Judge		judge = {
		.records = records,
		.count = count,
		.config = config,
		.now = now,
		.faults = JsonViewNewArray(4)
	};

	initStringInfo(&judge.message);
	FindStale(&judge);
	veracity->is_stale = judge.cost > 0;
	FindOrphans(&judge);
	if (config->extended)
	{
		FindContradictions(&judge);
		FindLowCoverage(&judge);
	}
	veracity->score = Max(WHOLE_SCORE - judge.cost, 0);
	veracity->faults = judge.faults;
}

JsonView
VeracityView(const Veracity *veracity)
{
	JsonView	view = JsonViewNewObject(3);

	JsonViewSet(&view, "confidence_score", JsonViewInteger(veracity->score));
	JsonViewSet(&view, "is_stale", JsonViewBool(veracity->is_stale));
	JsonViewSet(&view, "faults", veracity->faults);
	return view;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_veracity);

Datum
answer_eval_veracity(PG_FUNCTION_ARGS)
{
	JsonView	array;
	JsonView	object = {.type = JVIEW_ABSENT};
	VeracityRecord *records;
	int			count;
	VeracityConfig config;
	Veracity	veracity;
	const char *problem;

	RequireArgument(fcinfo, 0, "records");
	RequireArgument(fcinfo, 1, "now");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "records");
	LimitArgument(fcinfo, 2, ARGUMENT_MAX_SIZE, "config");
	if (TIMESTAMP_NOT_FINITE(PG_GETARG_TIMESTAMPTZ(1)))
		MalformedArgument("now must be a point in time, and is infinite",
						  "Ages are judged at it, and they must be finite.");
	if (!PG_ARGISNULL(2))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &object);
	if (!VeracityConfigParse(&object, &config, &problem))
		MalformedArgument(problem, "The keys are staleness_days, orphan_threshold, contradiction_days, min_results and extended.");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &array);
	if (!VeracityRecordsParse(&array, &records, &count, &problem))
		MalformedArgument(problem, RECORD_HINT);
	VeracityJudge(records, count, &config, PG_GETARG_TIMESTAMPTZ(1), &veracity);
	array = VeracityView(&veracity);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&array, false));
}
