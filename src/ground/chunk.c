/*-------------------------------------------------------------------------
 *
 * chunk.c
 *		Retrieved chunks, and signals of their quality as a set.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/decision.md §2.
 *
 * A chunk is an object with the strings chunk_id, doc_id and text, a number similarity
 * from 0 to 1, and optionally a timestamp, a title and facts.  Other members belong to
 * the caller.  A chunk_id occurs only once in a set.  An invalid timestamp is no error,
 * but the chunk counts as stale, so that doubt is never taken for freshness.
 *
 * Promises: pure; what is malformed is reported as a value with its place; confidence
 * is exact numeric arithmetic, rounded half-even to four decimals; n log n in the
 * number of chunks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/rfc3339.h"
#include "ground/chunk.h"

/* An instant with six decimals of a second, without a zone. */
#define INSTANT_WITHOUT_ZONE_SIZE	26

/* More days than timestamps span. As microseconds they still fit into 64 bits. */
#define ALL_DAYS			200000000

/*
 * reading
 */

static const char *
ReadString(const JsonView *object, int index, const char *key, Span *text)
{
	JsonView	view = JsonViewUnder(object, key);

	if (view.type != JVIEW_STRING)
		return ElementProblem("chunks", index, key, "must be a string", &view);
	*text = (Span) {view.str, view.len};
	return NULL;
}

/* Converts a number from 0 to 1 to ten-thousandths, half-even. */
static int
TenThousandths(Numeric share)
{
	Numeric		rounded = RoundedQuotient(share, int64_to_numeric(1));
	bool		is_other;

	return numeric_int4_opt_error(NumberCall(numeric_mul, rounded, int64_to_numeric(10000)), &is_other);
}

static const char *
ReadSimilarity(const JsonView *object, int index, Numeric *similarity)
{
	JsonView	view = JsonViewUnder(object, "similarity");

	if (view.type != JVIEW_NUMBER || !JsonViewNumeric(&view, similarity) || !NumberIsShare(*similarity))
		return ElementProblem("chunks", index, "similarity", "must be a number from 0 to 1", &view);
	return NULL;
}

/*
 * Parses a timestamp: RFC 3339, a time without zone (read as UTC), or a date, which
 * means its first instant in UTC.
 */
bool
ChunkInstantParse(Span text, TimestampTz *instant)
{
	char		whole[INSTANT_SIZE];

	if (text.len == 10)
	{
		memcpy(whole, text.str, 10);
		strcpy(whole + 10, "T00:00:00Z");
		return InstantParse(whole, strlen(whole), instant);
	}
	if (InstantParse(text.str, text.len, instant))
		return true;
	if (text.len > INSTANT_WITHOUT_ZONE_SIZE)
		return false;
	memcpy(whole, text.str, text.len);
	whole[text.len] = 'Z';
	return InstantParse(whole, text.len + 1, instant);
}

static void
ReadTimestamp(const JsonView *object, Chunk *chunk)
{
	if (!JsonViewGetMember(object, "timestamp", &chunk->timestamp))
		chunk->timestamp = JsonViewNull();
	chunk->has_instant = chunk->timestamp.type == JVIEW_STRING &&
		ChunkInstantParse((Span) {chunk->timestamp.str, chunk->timestamp.len}, &chunk->instant);
}

/* Reads the title, which may be missing or null. */
static const char *
ReadTitle(const JsonView *object, int index, Span *title)
{
	JsonView	view = JsonViewUnder(object, "title");

	if (view.type == JVIEW_ABSENT || view.type == JVIEW_NULL)
		return NULL;
	return ReadString(object, index, "title", title);
}

/* Returns the member of a fact that is malformed, and why; NULL: none. */
static const char *
FactProblem(const JsonView *fact)
{
	static const char *const texts[] = {"subject", "attribute", "quote"};
	static const char *const options[] = {"unit", "scope"};
	JsonView	view;

	if (fact->type != JVIEW_OBJECT)
		return psprintf(" must be an object, and is %s", ShownValue(fact));
	for (size_t i = 0; i < lengthof(texts); i++)
	{
		if (!JsonViewGetMember(fact, texts[i], &view) || view.type != JVIEW_STRING)
			return psprintf(".%s must be a string, and is %s", texts[i],
							view.type == JVIEW_ABSENT ? "missing" : ShownValue(&view));
	}
	if (!JsonViewGetMember(fact, "value", &view) ||
		(view.type != JVIEW_STRING && view.type != JVIEW_NUMBER && view.type != JVIEW_BOOL))
		return psprintf(".value must be a string, a number or a boolean, and is %s",
						view.type == JVIEW_ABSENT ? "missing" : ShownValue(&view));
	for (size_t i = 0; i < lengthof(options); i++)
	{
		JsonViewGetMember(fact, options[i], &view);
		if (view.type != JVIEW_STRING && view.type != JVIEW_ABSENT && view.type != JVIEW_NULL)
			return psprintf(".%s must be a string, and is %s", options[i], ShownValue(&view));
	}
	return NULL;
}

/* Reads the facts, which may be missing or null: {subject, attribute, value, unit?, scope?, quote} each. */
static const char *
ReadFacts(const JsonView *object, int index, JsonView *facts)
{
	JsonViewGetMember(object, "facts", facts);
	if (facts->type == JVIEW_NULL)
		facts->type = JVIEW_ABSENT;
	if (facts->type == JVIEW_ABSENT)
		return NULL;
	if (facts->type != JVIEW_ARRAY)
		return ElementProblem("chunks", index, "facts", "must be an array", facts);
	for (int i = 0; i < JsonViewCount(facts); i++)
	{
		JsonView	fact = JsonViewAt(facts, i);
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		problem = FactProblem(&fact);
		if (problem)
			return psprintf("chunks[%d].facts[%d]%s", index, i, problem);
	}
	return NULL;
}

static const char *
ReadChunk(const JsonView *object, int index, Chunk *chunk)
{
	const char *problem;

	if (object->type != JVIEW_OBJECT)
		return psprintf("chunks[%d] must be an object, and is %s", index, ShownValue(object));
	if ((problem = ReadString(object, index, "chunk_id", &chunk->chunk_id)) ||
		(problem = ReadString(object, index, "doc_id", &chunk->doc_id)) ||
		(problem = ReadString(object, index, "text", &chunk->text)) ||
		(problem = ReadSimilarity(object, index, &chunk->similarity)) ||
		(problem = ReadTitle(object, index, &chunk->title)) ||
		(problem = ReadFacts(object, index, &chunk->facts)))
		return problem;
	chunk->score = TenThousandths(chunk->similarity);
	ReadTimestamp(object, chunk);
	return NULL;
}

/* Compares by id; chunks with the same id stay in the given order. */
static int
CompareIds(const void *a, const void *b)
{
	const Chunk *left = *(const Chunk *const *) a;
	const Chunk *right = *(const Chunk *const *) b;
	int			cmp = SpanCompare(left->chunk_id, right->chunk_id);

	return cmp != 0 ? cmp : (left > right) - (left < right);
}

/* Sorts the chunks by id. Returns the first chunk whose id an earlier one has, or -1. */
static int
SortById(ChunkSet *set)
{
	int			repeated = -1;

	for (int i = 0; i < set->count; i++)
		set->by_id[i] = &set->chunks[i];
	qsort(set->by_id, set->count, sizeof(Chunk *), CompareIds);
	for (int i = 1; i < set->count; i++)
	{
		int			index = set->by_id[i] - set->chunks;

		if (SpanEqual(set->by_id[i]->chunk_id, set->by_id[i - 1]->chunk_id) &&
			(repeated < 0 || index < repeated))
			repeated = index;
	}
	return repeated;
}

static int
CompareToId(const void *id, const void *chunk)
{
	return SpanCompare(*(const Span *) id, (*(const Chunk *const *) chunk)->chunk_id);
}

const Chunk *
ChunkOfId(const ChunkSet *set, Span chunk_id)
{
	const Chunk **found = bsearch(&chunk_id, set->by_id, set->count, sizeof(Chunk *), CompareToId);

	return found ? *found : NULL;
}

static ChunkSet *
NewSet(int count, const DecisionRules *rules)
{
	ChunkSet   *set = palloc0(sizeof(ChunkSet));

	set->count = count;
	set->chunks = palloc_extended(sizeof(Chunk) * (Size) Max(count, 1),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	set->by_id = palloc_extended(sizeof(Chunk *) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	set->rules = rules;
	set->lexicon = rules ? RulesLexicon(rules) : NULL;
	return set;
}

ChunkSet *
ChunksParse(const JsonView *array, const DecisionRules *rules, const char **problem)
{
	ChunkSet   *set;
	int			repeated;

	*problem = NULL;
	if (array->type == JVIEW_ABSENT)
		return NewSet(0, rules);
	if (array->type != JVIEW_ARRAY)
	{
		*problem = psprintf("chunks must be an array, and is %s", ShownValue(array));
		return NULL;
	}
	set = NewSet(JsonViewCount(array), rules);
	for (int i = 0; i < set->count && *problem == NULL; i++)
	{
		JsonView	view = JsonViewAt(array, i);

		CHECK_FOR_INTERRUPTS();
		*problem = ReadChunk(&view, i, &set->chunks[i]);
	}
	if (*problem)
		return NULL;
	repeated = SortById(set);
	if (repeated >= 0)
	{
		JsonView	id = JsonViewString(set->chunks[repeated].chunk_id.str,
										set->chunks[repeated].chunk_id.len);

		*problem = ElementProblem("chunks", repeated, "chunk_id", "must be that of no chunk before", &id);
		return NULL;
	}
	return set;
}

/* Does the same; raises an error if the chunks are malformed. */
ChunkSet *
ChunksOfView(const JsonView *array, const DecisionRules *rules)
{
	const char *problem;
	ChunkSet   *set = ChunksParse(array, rules, &problem);

	if (set == NULL)
		MalformedArgument(problem, "Each chunk is {chunk_id, doc_id, text, similarity, timestamp?, title?, uri?, facts?}.");
	return set;
}

/* Returns the chunks in argument n of a function; none if it is null. */
ChunkSet *
ChunksArgument(FunctionCallInfo fcinfo, int n, const DecisionRules *rules)
{
	JsonView	view = {.type = JVIEW_ABSENT};

	LimitArgument(fcinfo, n, ARGUMENT_MAX_SIZE, "chunks");
	if (!PG_ARGISNULL(n))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(n), &view);
	return ChunksOfView(&view, rules);
}

const Chunk *
ChunkRead(ChunkSet *set, int index)
{
	Chunk	   *chunk = &set->chunks[index];

	if (!chunk->is_read)
	{
		WordsRead(set->lexicon, chunk->text, &chunk->words);
		RulesMatch(set->rules, &chunk->words, &chunk->matches);
		chunk->is_read = true;
	}
	return chunk;
}

Reader *
ChunkReader(ChunkSet *set)
{
	if (set->reader == NULL)
	{
		set->reader = ReaderBegin(set->rules);
		/* words that are compared with its readings must have the same numbers */
		set->lexicon = unconstify(Lexicon *, ReaderLexicon(set->reader));
	}
	return set->reader;
}

const Reading *
ChunkReading(ChunkSet *set, int index)
{
	Chunk	   *chunk = &set->chunks[index];

	if (chunk->reading == NULL)
		chunk->reading = ReadText(ChunkReader(set), chunk->text);
	return chunk->reading;
}

const Reading *
ChunkTitleReading(ChunkSet *set, int index)
{
	Chunk	   *chunk = &set->chunks[index];

	if (chunk->title_reading == NULL)
		chunk->title_reading = ReadText(ChunkReader(set), chunk->title);
	return chunk->title_reading;
}

const Reading *
ChunkReadSentences(ChunkSet *set, int index)
{
	const Reading *reading = ChunkReading(set, index);
	Chunk	   *chunk = &set->chunks[index];

	chunk->words = reading->words;
	chunk->matches = reading->matches;
	chunk->is_read = true;
	return reading;
}

/* Returns a value with its unit; a time of day has none. */
char *
ReadValueWithUnit(const Reader *reader, const ReadValue *value)
{
	char	   *number = ReadValueText(reader, value);
	Span		unit;

	if (value->unit == VALUE_NO_UNIT || ReaderUnitIsClock(reader, value->unit))
		return number;
	unit = WritableName(ReaderUnitName(reader, value->unit));
	return psprintf("%s %.*s", number, unit.len, unit.str);
}

Span
ChunkPassage(const Chunk *chunk)
{
	char	   *passage;

	if (chunk->title.len == 0)
		return chunk->text;
	passage = palloc_extended((Size) chunk->title.len + 1 + chunk->text.len, MCXT_ALLOC_HUGE);
	memcpy(passage, chunk->title.str, chunk->title.len);
	passage[chunk->title.len] = '\n';
	memcpy(passage + chunk->title.len + 1, chunk->text.str, chunk->text.len);
	return SpanOf(passage, chunk->title.len + 1 + chunk->text.len);
}

/*
 * confidence
 */

Numeric
RoundedQuotient(Numeric n, Numeric d)
{
	Numeric		zero = int64_to_numeric(0);
	Numeric		step = int64_to_numeric(NumberCompare(n, zero) < 0 ? -1 : 1);
	Numeric		scaled = NumberCall(numeric_mul, n, int64_to_numeric(10000));
	Numeric		quotient = NumberCall(numeric_div_trunc, scaled, d);
	Numeric		rest = NumberCall(numeric_sub, scaled, NumberCall(numeric_mul, quotient, d));
	Numeric		twice = NumberCall(numeric_add, rest, rest);
	int			half;

	twice = DatumGetNumeric(DirectFunctionCall1(numeric_abs, NumericGetDatum(twice)));
	half = NumberCompare(twice, d);
	if (half > 0 ||
		(half == 0 &&
		 NumberCompare(NumberCall(numeric_mod, quotient, int64_to_numeric(2)), zero) != 0))
		quotient = NumberCall(numeric_add, quotient, step);
	quotient = NumberCall(numeric_mul, quotient, int64_div_fast_to_numeric(1, 4));
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(quotient)));
}

static void
MeasureConfidence(const ChunkSet *set, RetrievalQuality *quality)
{
	Numeric		one = int64_to_numeric(1);
	Numeric		max = int64_to_numeric(0);
	Numeric		sum = int64_to_numeric(0);

	for (int i = 0; i < set->count; i++)
	{
		Numeric		similarity = set->chunks[i].similarity;

		CHECK_FOR_INTERRUPTS();
		if (NumberCompare(similarity, max) > 0)
			max = similarity;
		sum = NumberCall(numeric_add, sum, similarity);
	}
	quality->max = RoundedQuotient(max, one);
	quality->mean = RoundedQuotient(sum, int64_to_numeric(Max(set->count, 1)));
	if (set->count >= 2)
		quality->gap = RoundedQuotient(NumberCall(numeric_sub, set->chunks[0].similarity,
											 set->chunks[1].similarity), one);
	quality->hit_count = set->count;
}

/*
 * freshness
 */

/* Is an instant more than so many days before now? */
static bool
IsOlder(TimestampTz instant, int days, TimestampTz now)
{
	if (TIMESTAMP_NOT_FINITE(now))
		return TIMESTAMP_IS_NOEND(now);
	if (now < instant)
		return false;
	return (uint64) now - (uint64) instant > (uint64) Min(days, ALL_DAYS) * USECS_PER_DAY;
}

bool
ChunkIsStale(const Chunk *chunk, int freshness_days, TimestampTz now)
{
	return freshness_days > 0 && (!chunk->has_instant || IsOlder(chunk->instant, freshness_days, now));
}

static void
MeasureFreshness(const ChunkSet *set, TimestampTz now, RetrievalQuality *quality)
{
	quality->oldest = quality->newest = -1;
	for (int i = 0; i < set->count; i++)
	{
		const Chunk *chunk = &set->chunks[i];

		if (ChunkIsStale(chunk, quality->freshness_days, now))
			quality->violations++;
		if (!chunk->has_instant)
			continue;
		if (quality->oldest < 0 || chunk->instant < set->chunks[quality->oldest].instant)
			quality->oldest = i;
		if (quality->newest < 0 || chunk->instant > set->chunks[quality->newest].instant)
			quality->newest = i;
	}
}

void
RetrievalQualityOf(const ChunkSet *set, int freshness_days, TimestampTz now, RetrievalQuality *quality)
{
	memset(quality, 0, sizeof(*quality));
	quality->freshness_days = freshness_days;
	MeasureConfidence(set, quality);
	MeasureFreshness(set, now, quality);
}

static JsonView
TimestampOf(const ChunkSet *set, int index)
{
	return index < 0 ? JsonViewNull() : set->chunks[index].timestamp;
}

JsonView
RetrievalQualityView(const ChunkSet *set, const RetrievalQuality *quality)
{
	JsonView	result = JsonViewNewObject(4);
	JsonView	confidence = JsonViewNewObject(4);
	JsonView	freshness = JsonViewNewObject(5);
	JsonView	doc_ids = JsonViewNewArray(set->count);
	JsonView	timestamps = JsonViewNewArray(set->count);

	JsonViewSet(&confidence, "max", JsonViewOfNumeric(quality->max));
	JsonViewSet(&confidence, "mean", JsonViewOfNumeric(quality->mean));
	JsonViewSet(&confidence, "gap", quality->gap ? JsonViewOfNumeric(quality->gap) : JsonViewNull());
	JsonViewSet(&confidence, "hit_count", JsonViewInteger(quality->hit_count));
	JsonViewSet(&freshness, "oldest_timestamp", TimestampOf(set, quality->oldest));
	JsonViewSet(&freshness, "newest_timestamp", TimestampOf(set, quality->newest));
	JsonViewSet(&freshness, "freshness_violation_count", JsonViewInteger(quality->violations));
	JsonViewSet(&freshness, "freshness_violation", JsonViewBool(quality->violations > 0));
	JsonViewSet(&freshness, "freshness_days", JsonViewInteger(quality->freshness_days));
	for (int i = 0; i < set->count; i++)
	{
		const Chunk *chunk = &set->chunks[i];

		JsonViewAppend(&doc_ids, JsonViewString(chunk->doc_id.str, chunk->doc_id.len));
		JsonViewAppend(&timestamps, chunk->timestamp);
	}
	JsonViewSet(&result, "confidence", confidence);
	JsonViewSet(&result, "freshness", freshness);
	JsonViewSet(&result, "top_doc_ids", doc_ids);
	JsonViewSet(&result, "top_timestamps", timestamps);
	return result;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_retrieval_quality);

Datum
answer_eval_retrieval_quality(PG_FUNCTION_ARGS)
{
	int			days = PG_ARGISNULL(1) ? FRESHNESS_DEFAULT_DAYS : PG_GETARG_INT32(1);
	ChunkSet   *set;
	RetrievalQuality quality;
	JsonView	result;

	RequireArgument(fcinfo, 2, "now");
	if (days < 0)
		MalformedArgument(psprintf("freshness_days must be 0 or more, and is %d", days),
						  "0 switches the check off, NULL means 90.");
	set = ChunksArgument(fcinfo, 0, NULL);
	RetrievalQualityOf(set, days, PG_GETARG_TIMESTAMPTZ(2), &quality);
	result = RetrievalQualityView(set, &quality);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}
