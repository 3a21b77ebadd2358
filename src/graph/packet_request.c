/*-------------------------------------------------------------------------
 *
 * packet_request.c
 *		Reads the request for a packet.
 *
 * Manual: doc/graph.md.  The options are limit, min_score, now, query_id, labels, paths,
 * embedding, extended and log; others are refused.  A packet shows its options as given, in
 * portable form, without now and query_id, which it shows elsewhere, and log, which does not
 * affect its content.
 *
 * Promises: pure.  Errors are returned as values, because a replay reads the options of
 * somebody else's packet; only PacketRequestRead, for SQL, raises them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/option.h"
#include "base/rfc3339.h"
#include "base/spi_query.h"
#include "document/kind.h"
#include "graph/packet_schema.h"
#include "graph/packet.h"
#include "graph/packet_request.h"
#include "graph/node_search.h"
#include "ground/decision_receipt.h"
#include "ground/current_rules.h"
#include "ground/sketch.h"
#include "log/log_table.h"

#define MOST_ELEMENTS			100 /* in labels and in paths */
#define ELEMENT_MAX_SIZE		1000	/* bytes of one of them */
#define EMBEDDING_MOST			16000
#define QUERY_ID_MAX_SIZE		200
#define PACKET_MIN_SCORE_DEFAULT	2000	/* out of SCORE_WHOLE */

static const char *const option_names[] = {"limit", "min_score", "now", "query_id", "labels", "paths", "embedding",
	"extended", "log", NULL};

/* Options that a packet does not show. */
static const char *const unshown_names[] = {"now", "query_id", "log", NULL};

static bool
OptionProblem(PacketRequestProblem *problem, const char *option, const char *sentence, const JsonView *seen)
{
	problem->option = option;
	problem->problem = sentence;
	problem->seen.type = JVIEW_ABSENT;
	if (seen)
		problem->seen = *seen;
	return false;
}

/*
 * one option each
 */

static bool
ReadLimit(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	JsonView	limit = OptionGet(options, "limit");

	request->limit = PACKET_LIMIT_DEFAULT;
	if (limit.type == JVIEW_ABSENT || OptionIsInteger(&limit, 1, PACKET_LIMIT_MAX, &request->limit))
		return true;
	return OptionProblem(problem, "limit", "must be an integer from 1 to " CppAsString2(PACKET_LIMIT_MAX), &limit);
}

static bool
ReadMinScore(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	JsonView	min_score = OptionGet(options, "min_score");

	request->min_score = PACKET_MIN_SCORE_DEFAULT;
	if (min_score.type == JVIEW_ABSENT || PacketLeastOfView(&min_score, &request->min_score))
		return true;
	return OptionProblem(problem, "min_score", "must be a number from 0 to 1", &min_score);
}

static bool
ReadNow(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	JsonView	now = OptionGet(options, "now");

	request->has_now = now.type != JVIEW_ABSENT;
	if (!request->has_now || (InstantOfView(&now, &request->now) && InstantIsWritable(request->now)))
		return true;
	return OptionProblem(problem, "now", "must be an instant such as \"2026-01-31T12:00:00Z\", of the years 1 to 9999", &now);
}

static bool
ReadQueryId(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	JsonView	query_id = OptionGet(options, "query_id");

	request->query_id = SpanOf(NULL, 0);
	if (query_id.type == JVIEW_ABSENT)
		return true;
	if (query_id.type != JVIEW_STRING || query_id.len == 0 || query_id.len > QUERY_ID_MAX_SIZE)
		return OptionProblem(problem, "query_id", "must be a text of 1 to " CppAsString2(QUERY_ID_MAX_SIZE) " bytes", &query_id);
	request->query_id = SpanOf(query_id.str, query_id.len);
	/* answer_forget() would take it for an id of another kind */
	if (SpanStartsWith(request->query_id, SpanOfCString(DIGEST_PREFIX)) ||
		FindKindOfId(request->query_id.str, request->query_id.len) != NULL)
		return OptionProblem(problem, "query_id", "must not be a digest or the id of a receipt, for answer_forget() tells them apart",
					 &query_id);
	return true;
}

/* Reads an array of texts that are not blank, as text[]; NULL if it is missing. */
static bool
ReadTexts(const JsonView *options, const char *name, ArrayType **texts, PacketRequestProblem *problem)
{
	JsonView	array = OptionGet(options, name);
	Datum	   *elements;
	int			count;

	*texts = NULL;
	if (array.type == JVIEW_ABSENT)
		return true;
	count = array.type == JVIEW_ARRAY ? JsonViewCount(&array) : 0;
	if (count < 1 || count > MOST_ELEMENTS)
		return OptionProblem(problem, name, "must be an array of 1 to " CppAsString2(MOST_ELEMENTS) " texts", &array);
	elements = palloc(sizeof(Datum) * count);
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(&array, i);

		if (element.type != JVIEW_STRING || element.len == 0 || element.len > ELEMENT_MAX_SIZE)
			return OptionProblem(problem, name, psprintf("must be an array of texts of 1 to %d bytes, and element %d is none",
												 ELEMENT_MAX_SIZE, i), &element);
		if (!IsRepresentable(SpanOf(element.str, element.len)))
			return OptionProblem(problem, name, psprintf("has an element that the encoding of this database lacks: element %d", i),
						 NULL);
		elements[i] = SpanDatum(SpanOf(element.str, element.len));
	}
	*texts = construct_array(elements, count, TEXTOID, -1, false, TYPALIGN_INT);
	return true;
}

/*
 * Does a vector have a length that pgvector can compute in type real?  A length of
 * 0 gives no direction and so no cosine.
 */
static bool
IsMeasurable(ArrayType *vector)
{
	Datum	   *numbers;
	int			count;
	double		square = 0;

	deconstruct_array(vector, FLOAT4OID, sizeof(float4), true, TYPALIGN_INT, &numbers, NULL, &count);
	for (int i = 0; i < count; i++)
		square += (double) DatumGetFloat4(numbers[i]) * DatumGetFloat4(numbers[i]);
	return square >= 1e-30 && square <= 1e30;
}

static bool
ReadEmbedding(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	JsonView	embedding = OptionGet(options, "embedding");
	JsonView	seen;
	const char *sentence;

	request->embedding = NULL;
	if (embedding.type == JVIEW_ABSENT)
		return true;
	if (embedding.type != JVIEW_ARRAY || JsonViewCount(&embedding) < 1 || JsonViewCount(&embedding) > EMBEDDING_MOST)
		return OptionProblem(problem, "embedding", "must be an array of 1 to " CppAsString2(EMBEDDING_MOST) " numbers", &embedding);
	sentence = OptionEmbeddingProblem(&embedding, &seen);
	if (sentence)
		return OptionProblem(problem, "embedding", sentence, &seen);
	request->embedding = DatumGetArrayTypeP(OptionEmbeddingDatum(&embedding));
	if (!IsMeasurable(request->embedding))
		return OptionProblem(problem, "embedding", "must have a length from 1e-15 to 1e15, for what has no direction has no cosine", NULL);
	return true;
}

static bool
ReadFlag(const JsonView *options, const char *name, bool *present, bool *flag, PacketRequestProblem *problem)
{
	JsonView	value = OptionGet(options, name);

	*present = value.type != JVIEW_ABSENT;
	*flag = value.type == JVIEW_BOOL && value.boolean;
	if (!*present || value.type == JVIEW_BOOL)
		return true;
	return OptionProblem(problem, name, "must be true or false", &value);
}

/*
 * all of them
 */

/* Returns the options that a packet shows. */
static JsonView
ShownOptions(const JsonView *options)
{
	JsonView	shown = JsonViewNewObject(JsonViewCount(options));

	for (int i = 0; i < JsonViewCount(options); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(options, i, &key);

		if (value.type != JVIEW_NULL && !SpanIsOneOf(key, unshown_names))
			JsonViewSetKey(&shown, key.str, key.len, value);
	}
	return PortableCopy(&shown);
}

/* Reads options with numbers as given. If something is wrong, returns false and the first problem. */
static bool
PacketRequestParse(const JsonView *options, PacketRequest *request, PacketRequestProblem *problem)
{
	bool		has_extended;
	bool		extended;
	Span		unknown;

	if (options->type != JVIEW_OBJECT)
		return OptionProblem(problem, NULL, "options must be an object", NULL);
	if (!HasOnlyKeys(options, option_names, &unknown))
		return OptionProblem(problem, NULL, "an option is unknown", NULL);
	return ReadLimit(options, request, problem) && ReadMinScore(options, request, problem) && ReadNow(options, request, problem) &&
		ReadQueryId(options, request, problem) && ReadTexts(options, "labels", &request->labels, problem) &&
		ReadTexts(options, "paths", &request->paths, problem) && ReadEmbedding(options, request, problem) &&
		ReadFlag(options, "extended", &has_extended, &extended, problem) &&
		ReadFlag(options, "log", &request->has_log, &request->log, problem);
}

/* Does the same for SQL: raises 22023, naming what is wrong. */
void
PacketRequestRead(Jsonb *given, PacketRequest *request)
{
	JsonView	options = OptionsOf(given, option_names, "");
	PacketRequestProblem problem;

	if (!PacketRequestParse(&options, request, &problem))
		OptionRefuse(problem.option, problem.problem, problem.seen.type == JVIEW_ABSENT ? NULL : &problem.seen);
	request->options = ShownOptions(&options);
}

/*
 * of a packet
 */

static bool
ReadString(const JsonView *object, const char *key, Span *text)
{
	return JsonViewGetString(object, key, text) && IsRepresentable(*text);
}

/* Returns options as given: numbers that portable form writes as texts become numbers again. */
static JsonView
GivenOptions(const JsonView *shown)
{
	JsonView	given = JsonViewNewObject(JsonViewCount(shown));

	for (int i = 0; i < JsonViewCount(shown); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(shown, i, &key);
		JsonView	array;

		array = value;
		if (SpanEqualCString(key, "min_score"))
			value = NumberOfPortable(&value);
		if (value.type == JVIEW_ARRAY && SpanEqualCString(key, "embedding"))
		{
			value = JsonViewNewArray(JsonViewCount(&array));
			for (int j = 0; j < JsonViewCount(&array); j++)
			{
				JsonView	element = JsonViewAt(&array, j);

				CHECK_FOR_INTERRUPTS();
				JsonViewAppend(&value, NumberOfPortable(&element));
			}
		}
		JsonViewSetKey(&given, key.str, key.len, value);
	}
	return given;
}

static bool
HasTooManyWords(Span question)
{
	SketchQuery sketch;

	SketchQuestion(&sketch, CurrentDecisionRules(), question);
	return sketch.nitems > SKETCH_MAX_ITEMS;
}

/* Reads the request that a packet states. Returns false if this database cannot ask it. */
bool
PacketRequestOfPacket(const JsonView *packet, PacketRequest *request)
{
	PacketRequestProblem problem;
	JsonView	meta;
	JsonView	timestamp;
	JsonView	given;

	memset(request, 0, sizeof(*request));
	if (!JsonViewGetMember(packet, "meta", &meta) || meta.type != JVIEW_OBJECT ||
		!ReadString(&meta, "project", &request->project) || !ReadString(&meta, "question", &request->question) ||
		!JsonViewGetMember(&meta, "timestamp", &timestamp) || !JsonViewGetMember(&meta, "options", &request->options) ||
		request->options.type != JVIEW_OBJECT)
		return false;
	given = GivenOptions(&request->options);
	if (!PacketRequestParse(&given, request, &problem) || !InstantOfView(&timestamp, &request->now))
		return false;
	request->has_now = true;
	return request->embedding || !HasTooManyWords(request->question);
}
