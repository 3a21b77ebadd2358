/*-------------------------------------------------------------------------
 *
 * decision.c
 *		Whether a question is answered, from what was retrieved for it.
 *
 * Pure; its edge to SQL is in current.c.  Rule: "Risk, ambiguity, decision" of the
 * contract of grounded answers, and the configuration of "The whole way".
 *
 * The first that holds decides: citations that do not hold block; sources
 * that contradict each other, evidence that is too thin, and sources that are
 * too old for what hangs on the question refuse; a question that is not clear
 * is asked back.  What is left is answered, with a caveat where the
 * configuration wants one.
 *
 * Thresholds follow from the risk.  For a high risk the freshness is judged by
 * the stricter of the two numbers of days; 0 is no check, and so the laxest.
 * Signals are compared as the result shows them, rounded to four decimals, and
 * what equals a threshold passes it.
 *
 * Promises: pure; the same input gives the same bytes; everything that led to
 * the decision is in its result.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "ground/citation.h"
#include "ground/decision.h"
#include "ground/risk.h"

#define SOURCE_SHOWN_CHARACTERS	150

const char *const decision_labels[] = {
	"ANSWER", "ANSWER_WITH_CAVEATS", "CLARIFY", "ABSTAIN", "BLOCK"
};

/*
 * configuration
 */

typedef enum ConfigType
{
	CONFIG_INTEGER,
	CONFIG_SHARE,				/* a number from 0 to 1 */
	CONFIG_BOOLEAN,
	CONFIG_RERANK				/* none or freshness */
} ConfigType;

/* A key, where its value goes, and what it can be. */
typedef struct ConfigKey
{
	const char *name;
	ConfigType	type;
	Size		offset;
	int			least;			/* of an integer, or 1 for a boolean that is true */
	int			most;
	int			preset;			/* of a share in hundredths */
} ConfigKey;

static const ConfigKey config_keys[] = {
	{"top_k", CONFIG_INTEGER, offsetof(DecisionConfig, top_k), 1, 50, 5},
	{"freshness_days", CONFIG_INTEGER, offsetof(DecisionConfig, freshness_days), 0, PG_INT32_MAX, FRESHNESS_DEFAULT_DAYS},
	{"freshness_days_high_risk", CONFIG_INTEGER, offsetof(DecisionConfig, freshness_days_high_risk), 0, PG_INT32_MAX, 30},
	{"confidence_threshold", CONFIG_SHARE, offsetof(DecisionConfig, confidence_threshold), 0, 1, 60},
	{"confidence_threshold_high_risk", CONFIG_SHARE, offsetof(DecisionConfig, confidence_threshold_high_risk), 0, 1, 70},
	{"min_chunks", CONFIG_INTEGER, offsetof(DecisionConfig, min_chunks), 0, PG_INT32_MAX, 2},
	{"conflict_min_similarity", CONFIG_SHARE, offsetof(DecisionConfig, conflict_min_similarity), 0, 1, 40},
	{"caveats", CONFIG_BOOLEAN, offsetof(DecisionConfig, caveats), 0, 0, false},
	{"rerank", CONFIG_RERANK, offsetof(DecisionConfig, rerank_by_freshness), 0, 0, false},
	{"freshness_bias", CONFIG_SHARE, offsetof(DecisionConfig, freshness_bias), 0, 1, 0},
	{"citation_threshold", CONFIG_SHARE, offsetof(DecisionConfig, citation_threshold), 0, 1, 95},
	{"contradiction_tolerance", CONFIG_SHARE, offsetof(DecisionConfig, contradiction_tolerance), 0, 1, 30},
	{"cache_ttl_s", CONFIG_INTEGER, offsetof(DecisionConfig, cache_ttl_s), 0, PG_INT32_MAX, 0}
};

#define CONFIG_FIELD(config, key, type) ((type *) ((char *) (config) + (key)->offset))

static Numeric
Hundredths(int n)
{
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale,
											   NumericGetDatum(int64_div_fast_to_numeric(n, 2))));
}

static void
SetDefaults(DecisionConfig *config)
{
	memset(config, 0, sizeof(*config));
	for (size_t i = 0; i < lengthof(config_keys); i++)
	{
		const ConfigKey *key = &config_keys[i];

		switch (key->type)
		{
			case CONFIG_INTEGER:
				*CONFIG_FIELD(config, key, int) = key->preset;
				break;
			case CONFIG_SHARE:
				*CONFIG_FIELD(config, key, Numeric) = Hundredths(key->preset);
				break;
			case CONFIG_BOOLEAN:
			case CONFIG_RERANK:
				*CONFIG_FIELD(config, key, bool) = key->preset != 0;
				break;
		}
	}
}

/* The number of a view if it lies between two others. */
static bool
NumberBetween(const JsonView *view, int least, int most, Numeric *number)
{
	return JsonViewNumeric(view, number) &&
		CompareNumerics(*number, int64_to_numeric(least)) >= 0 &&
		CompareNumerics(*number, int64_to_numeric(most)) <= 0;
}

static bool
SetInteger(const JsonView *view, const ConfigKey *key, int *field)
{
	Numeric		number;
	bool		is_other;

	if (!NumberBetween(view, key->least, key->most, &number))
		return false;
	*field = numeric_int4_opt_error(number, &is_other);
	return !is_other && CompareNumerics(number, int64_to_numeric(*field)) == 0;
}

static bool
SetRerank(const JsonView *view, bool *by_freshness)
{
	*by_freshness = JsonViewStringIs(view, "freshness");
	return *by_freshness || JsonViewStringIs(view, "none");
}

/* Sets what a key says; false if its value is none of that key. */
static bool
SetConfig(DecisionConfig *config, const ConfigKey *key, const JsonView *view)
{
	Numeric		number;

	switch (key->type)
	{
		case CONFIG_INTEGER:
			return SetInteger(view, key, CONFIG_FIELD(config, key, int));
		case CONFIG_SHARE:
			if (!NumberBetween(view, key->least, key->most, &number))
				return false;
			*CONFIG_FIELD(config, key, Numeric) =
				DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(number)));
			return true;
		case CONFIG_BOOLEAN:
			*CONFIG_FIELD(config, key, bool) = view->boolean;
			return view->type == JVIEW_BOOL;
		case CONFIG_RERANK:
			return SetRerank(view, CONFIG_FIELD(config, key, bool));
	}
	return false;
}

/* What a key demands, in words. */
static char *
Demand(const ConfigKey *key)
{
	switch (key->type)
	{
		case CONFIG_INTEGER:
			return psprintf("must be a whole number from %d to %d", key->least, key->most);
		case CONFIG_SHARE:
			return "must be a number from 0 to 1";
		case CONFIG_BOOLEAN:
			return "must be true or false";
		case CONFIG_RERANK:
			return "must be \"none\" or \"freshness\"";
	}
	return "";
}

static const ConfigKey *
FindKey(Span name)
{
	for (size_t i = 0; i < lengthof(config_keys); i++)
	{
		if (SpanEqualCString(name, config_keys[i].name))
			return &config_keys[i];
	}
	return NULL;
}

bool
DecisionConfigParse(const JsonView *object, DecisionConfig *config, const char **problem)
{
	int			count;
	JsonMember *members;

	*problem = NULL;
	SetDefaults(config);
	if (object->type == JVIEW_ABSENT)
		return true;
	if (object->type != JVIEW_OBJECT)
	{
		*problem = psprintf("config must be an object, and is %s", ShownValue(object));
		return false;
	}
	members = JsonViewSortedMembers(object, &count);
	for (int i = 0; i < count; i++)
	{
		JsonView	name = JsonViewString(members[i].key, members[i].keylen);
		const ConfigKey *key = FindKey((Span) {name.str, name.len});

		if (key == NULL)
			*problem = psprintf("config has an unknown key %s", ShownValue(&name));
		else if (!SetConfig(config, key, &members[i].value))
			*problem = psprintf("config.%s %s, and is %s", key->name, Demand(key),
								ShownValue(&members[i].value));
		if (*problem)
			return false;
	}
	return true;
}

/* The same; raises if it is none. */
void
DecisionConfigOfView(const JsonView *object, DecisionConfig *config)
{
	const char *problem;
	StringInfoData known;

	if (DecisionConfigParse(object, config, &problem))
		return;
	initStringInfo(&known);
	for (size_t i = 0; i < lengthof(config_keys); i++)
		appendStringInfo(&known, "%s%s", i > 0 ? ", " : "", config_keys[i].name);
	MalformedArgument(problem, psprintf("The keys are %s.", known.data));
}

static JsonView
ConfigValue(const DecisionConfig *config, const ConfigKey *key)
{
	switch (key->type)
	{
		case CONFIG_INTEGER:
			return JsonViewInteger(*CONFIG_FIELD(config, key, int));
		case CONFIG_SHARE:
			return JsonViewOfNumeric(*CONFIG_FIELD(config, key, Numeric));
		case CONFIG_BOOLEAN:
			return JsonViewBool(*CONFIG_FIELD(config, key, bool));
		case CONFIG_RERANK:
			return JsonViewCString(*CONFIG_FIELD(config, key, bool) ? "freshness" : "none");
	}
	return JsonViewNull();
}

JsonView
DecisionConfigView(const DecisionConfig *config)
{
	JsonView	view = JsonViewNewObject(lengthof(config_keys));

	for (size_t i = 0; i < lengthof(config_keys); i++)
		JsonViewSet(&view, config_keys[i].name, ConfigValue(config, &config_keys[i]));
	return view;
}

bool
DecisionConfigIsWhole(const JsonView *object)
{
	JsonView	value;

	if (object->type != JVIEW_OBJECT || JsonViewCount(object) != lengthof(config_keys))
		return false;
	for (size_t i = 0; i < lengthof(config_keys); i++)
	{
		if (!JsonViewGetMember(object, config_keys[i].name, &value))
			return false;
	}
	return true;
}

/*
 * deciding
 */

/* All that the decision looks at. */
typedef struct Weighing
{
	const DecisionInput *input;
	Query		query;
	RiskLevel	risk;
	Numeric		conf_max;
	int			freshness_days;
	RetrievalQuality quality;
	bool		is_checked;		/* were citations or an answer given? */
	CitationCheck citations;
	Conflicts  *conflicts;
	JsonView	reasons;
	JsonView	message;
} Weighing;

/* The stricter of two limits in days, where 0 is none at all. */
static int
StricterDays(int a, int b)
{
	if (a == 0 || b == 0)
		return Max(a, b);
	return Min(a, b);
}

static void
SetThresholds(Weighing *weighing)
{
	const DecisionConfig *config = weighing->input->config;
	bool		is_high = weighing->risk == RISK_HIGH;

	weighing->conf_max = is_high ? config->confidence_threshold_high_risk : config->confidence_threshold;
	weighing->freshness_days = is_high ?
		StricterDays(config->freshness_days, config->freshness_days_high_risk) :
		config->freshness_days;
}

/* Compares the chunks that are similar enough, and adds what detectors found. */
static bool
FindConflicts(Weighing *weighing, const char **problem)
{
	const DecisionInput *input = weighing->input;
	ChunkSet   *set = input->chunks;
	int		   *which = palloc_extended(sizeof(int) * (Size) Max(set->count, 1), MCXT_ALLOC_HUGE);
	int			count = 0;

	for (int i = 0; i < set->count; i++)
	{
		if (CompareNumerics(set->chunks[i].similarity, input->config->conflict_min_similarity) >= 0)
			which[count++] = i;
	}
	ConflictsFind(set, which, count, input->conflicts_most, weighing->conflicts);
	if (ConflictsAreTooLarge(weighing->conflicts))
	{
		*problem = psprintf("conflicts of these chunks take more than %zu bytes", input->conflicts_most);
		return false;
	}
	for (int i = 0; i < input->ndetected; i++)
	{
		if (!ConflictsAddDetected(weighing->conflicts, set, input->detected[i].name,
								  &input->detected[i].pairs, problem))
			return false;
	}
	return true;
}

static bool
Weigh(Weighing *weighing, const char **problem)
{
	const DecisionInput *input = weighing->input;

	QueryRead(input->rules, input->query, &weighing->query);
	weighing->risk = QueryRisk(&weighing->query);
	SetThresholds(weighing);
	RetrievalQualityOf(input->chunks, weighing->freshness_days, input->now, &weighing->quality);
	weighing->is_checked = input->has_answer || input->citations.type != JVIEW_ABSENT;
	if (weighing->is_checked &&
		!CitationsCheck(&input->citations, input->chunks,
						input->has_answer ? input->answer : (Span) {"", 0},
						&weighing->citations, problem))
		return false;
	return FindConflicts(weighing, problem);
}

static void
AddReason(Weighing *weighing, const char *reason)
{
	JsonViewAppend(&weighing->reasons, JsonViewCString(reason));
}

static Decision
Settle(Weighing *weighing, Decision decision, const char *message)
{
	weighing->message = JsonViewCString(message);
	return decision;
}

/* What a source says, cut where it would fill a screen. */
static void
AppendSource(StringInfo message, const char *label, const Chunk *chunk)
{
	const char *p = chunk->text.str;
	const char *end = p + chunk->text.len;

	appendStringInfo(message, "%s (", label);
	appendBinaryStringInfo(message, chunk->doc_id.str, chunk->doc_id.len);
	appendStringInfoString(message, ") says: ");
	for (int i = 0; i < SOURCE_SHOWN_CHARACTERS && p < end; i++)
		p += Min(pg_utf_mblen((const unsigned char *) p), (int) (end - p));
	appendBinaryStringInfo(message, chunk->text.str, p - chunk->text.str);
	if (p < end)
		appendStringInfoString(message, "...");
}

static Decision
DecideOnConflict(Weighing *weighing)
{
	const ConflictPair *pair = &weighing->conflicts->pairs[0];
	const Chunk *chunks = weighing->input->chunks->chunks;
	StringInfoData message;

	AddReason(weighing, "conflict_detected");
	AddReason(weighing, conflict_type_labels[pair->type]);
	initStringInfo(&message);
	appendStringInfoString(&message,
						   "I can't answer definitively because the retrieved sources conflict. ");
	AppendSource(&message, "Source A", &chunks[pair->a]);
	appendStringInfoString(&message, " While ");
	AppendSource(&message, "Source B", &chunks[pair->b]);
	appendStringInfoString(&message, " Please confirm the authoritative policy or escalate to an owner.");
	return Settle(weighing, DECISION_ABSTAIN, message.data);
}

/* Is there too little evidence?  Then it says so. */
static bool
IsThin(Weighing *weighing)
{
	bool		is_unsure = CompareNumerics(weighing->quality.max, weighing->conf_max) < 0;
	bool		is_few = weighing->quality.hit_count < weighing->input->config->min_chunks;

	if (is_unsure)
		AddReason(weighing, "low_retrieval_confidence");
	if (is_few)
		AddReason(weighing, "insufficient_retrieval_hits");
	return is_unsure || is_few;
}

/* The oldest source; where none has a date, the first of them. */
static const char *
StaleCaveat(const Weighing *weighing)
{
	const ChunkSet *set = weighing->input->chunks;
	int			oldest = weighing->quality.oldest;
	const Chunk *chunk = &set->chunks[Max(oldest, 0)];
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoString(&text, "This answer may be outdated: its oldest source, ");
	appendBinaryStringInfo(&text, chunk->doc_id.str, chunk->doc_id.len);
	if (oldest < 0)
		appendStringInfoString(&text, ", has no date.");
	else
	{
		appendStringInfoString(&text, ", is of ");
		appendBinaryStringInfo(&text, chunk->timestamp.str, chunk->timestamp.len);
		appendStringInfoChar(&text, '.');
	}
	return text.data;
}

/* What is answered, with a caveat or without. */
static Decision
DecideOnCaveats(Weighing *weighing)
{
	if (weighing->input->config->caveats && weighing->risk == RISK_LOW &&
		weighing->quality.violations > 0)
	{
		AddReason(weighing, "stale_documents");
		return Settle(weighing, DECISION_ANSWER_WITH_CAVEATS, StaleCaveat(weighing));
	}
	if (weighing->input->config->caveats && weighing->citations.is_weak)
	{
		AddReason(weighing, "weak_citation_support");
		return Settle(weighing, DECISION_ANSWER_WITH_CAVEATS,
					  "The cited sources share no keywords with this answer and may not support it.");
	}
	return DECISION_ANSWER;
}

/* The first that holds. */
static Decision
DecideInOrder(Weighing *weighing)
{
	Span		question;

	if (weighing->is_checked && !weighing->citations.is_valid)
	{
		AddReason(weighing, "invalid_citations");
		return Settle(weighing, DECISION_BLOCK,
					  "I can't provide a cited answer because the citations couldn't be verified"
					  " against the retrieved documents.");
	}
	if (weighing->conflicts->npairs > 0)
		return DecideOnConflict(weighing);
	if (IsThin(weighing))
		return Settle(weighing, DECISION_ABSTAIN,
					  "I don't have enough reliable evidence in the retrieved documents to answer"
					  " this safely.");
	if (weighing->quality.violations > 0 && weighing->risk != RISK_LOW)
	{
		AddReason(weighing, "stale_documents");
		return Settle(weighing, DECISION_ABSTAIN,
					  "The retrieved sources appear outdated, so I can't answer confidently.");
	}
	if (QueryAmbiguity(&weighing->query, &question))
	{
		AddReason(weighing, "ambiguous_query");
		weighing->message = JsonViewString(question.str, question.len);
		return DECISION_CLARIFY;
	}
	return DecideOnCaveats(weighing);
}

static JsonView
ThresholdsView(const Weighing *weighing)
{
	JsonView	view = JsonViewNewObject(3);

	JsonViewSet(&view, "conf_max", JsonViewOfNumeric(weighing->conf_max));
	JsonViewSet(&view, "freshness_days", JsonViewInteger(weighing->freshness_days));
	JsonViewSet(&view, "min_chunks", JsonViewInteger(weighing->input->config->min_chunks));
	return view;
}

static JsonView
SignalsView(const Weighing *weighing)
{
	JsonView	view = JsonViewNewObject(3);

	JsonViewSet(&view, "retrieval_confidence_max", JsonViewOfNumeric(weighing->quality.max));
	JsonViewSet(&view, "retrieval_hit_count", JsonViewInteger(weighing->quality.hit_count));
	JsonViewSet(&view, "freshness_violation", JsonViewBool(weighing->quality.violations > 0));
	return view;
}

static JsonView
ResultView(const Weighing *weighing, Decision decision)
{
	JsonView	view = JsonViewNewObject(9);

	JsonViewSet(&view, "decision", JsonViewCString(decision_labels[decision]));
	JsonViewSet(&view, "reasons", weighing->reasons);
	JsonViewSet(&view, "user_message", weighing->message);
	JsonViewSet(&view, "thresholds", ThresholdsView(weighing));
	JsonViewSet(&view, "signals", SignalsView(weighing));
	JsonViewSet(&view, "risk", QueryRiskView(&weighing->query));
	JsonViewSet(&view, "retrieval_quality",
				RetrievalQualityView(weighing->input->chunks, &weighing->quality));
	JsonViewSet(&view, "conflicts", ConflictsView(weighing->conflicts));
	JsonViewSet(&view, "validation", weighing->is_checked ? weighing->citations.view : JsonViewNull());
	return view;
}

bool
Decide(const DecisionInput *input, DecisionResult *result, const char **problem)
{
	Weighing	weighing = {
		.input = input,
		.conflicts = &result->conflicts,
		.reasons = JsonViewNewArray(2),
		.message = JsonViewNull()
	};

	memset(result, 0, sizeof(*result));
	*problem = NULL;
	if (!Weigh(&weighing, problem))
		return false;
	result->decision = DecideInOrder(&weighing);
	result->view = ResultView(&weighing, result->decision);
	return true;
}
