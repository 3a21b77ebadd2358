/*-------------------------------------------------------------------------
 *
 * question_options.c
 *		Reads the options of a grounded question, and applies them to the configuration.
 *
 * Manual: doc/ground.md, "Options".  An unknown option, one that has no effect because of
 * another, or one with an invalid value is refused, and the message names it.  An option
 * that is null counts as not given.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "base/canonical.h"
#include "base/option.h"
#include "check/request.h"
#include "ground/question_options.h"
#include "ground/decision_config.h"
#include "ground/risk.h"

#define MOST_TOP_K			50
#define MOST_DAYS			3650000
#define MOST_CITATIONS		1000
#define MOST_JUDGEMENTS		10000
#define MOST_FAILED			100
#define INTENT_MAX_SIZE		200

static const char *const option_names[] = {"top_k", "freshness_days", "filter", "embedding", "chunks",
	"answer", "citations", "retrieval_id", "config", "intent", "deadline_ms", "judgements", "judges_failed", NULL};

/* Refuses an option that has no effect because of another one. */
static void
RefuseBeside(const JsonView *option, const char *name, const char *other)
{
	if (option->type != JVIEW_ABSENT)
		OptionRefuse(name, psprintf("has no effect beside \"%s\"", other), NULL);
}

static void
RefuseBadFailed(const JsonView *failed)
{
	if (JsonViewCount(failed) > MOST_FAILED)
		OptionRefuse("judges_failed", psprintf("must have at most %d elements", MOST_FAILED), NULL);
	for (int i = 0; i < JsonViewCount(failed); i++)
	{
		JsonView	name = JsonViewAt(failed, i);

		if (name.type != JVIEW_STRING)
			OptionRefuse("judges_failed", psprintf("must be an array of names of judges, and element %d is none", i), &name);
	}
}

static void
RefuseIdle(const GroundOptions *options)
{
	if (options->chunks.type != JVIEW_ABSENT)
	{
		RefuseBeside(&options->top_k, "top_k", "chunks");
		RefuseBeside(&options->filter, "filter", "chunks");
		RefuseBeside(&options->embedding, "embedding", "chunks");
	}
	if (options->retrieval_id.type != JVIEW_ABSENT)
	{
		RefuseBeside(&options->top_k, "top_k", "retrieval_id");
		RefuseBeside(&options->freshness_days, "freshness_days", "retrieval_id");
		RefuseBeside(&options->filter, "filter", "retrieval_id");
		RefuseBeside(&options->embedding, "embedding", "retrieval_id");
		RefuseBeside(&options->chunks, "chunks", "retrieval_id");
		RefuseBeside(&options->config, "config", "retrieval_id");
		RefuseBeside(&options->intent, "intent", "retrieval_id");
	}
	if (options->citations.type != JVIEW_ABSENT && options->answer.type == JVIEW_ABSENT)
		OptionRefuse("citations", "needs the option \"answer\", which they support", NULL);
}

static void
RefuseBadCitations(const JsonView *citations)
{
	if (JsonViewCount(citations) > MOST_CITATIONS)
		OptionRefuse("citations", psprintf("must have at most %d elements", MOST_CITATIONS), NULL);
	for (int i = 0; i < JsonViewCount(citations); i++)
	{
		JsonView	citation = JsonViewAt(citations, i);

		if (citation.type != JVIEW_STRING)
			OptionRefuse("citations", psprintf("must be an array of texts, and element %d is none", i), &citation);
	}
}

/* Reads the options; raises 22023, naming the one that is wrong. */
void
OptionsRead(Jsonb *given, bool retrieving, GroundOptions *options)
{
	static const char *const of_answers[] = {"answer", "citations", "retrieval_id"};
	JsonView	deadline;

	memset(options, 0, sizeof(*options));
	options->whole = OptionsOf(given, option_names, " Keys of the configuration, such as min_chunks, go into config: answer_config() lists them.");
	for (size_t i = 0; retrieving && i < lengthof(of_answers); i++)
	{
		JsonView	value = OptionGet(&options->whole, of_answers[i]);

		if (value.type != JVIEW_ABSENT)
			OptionRefuse(of_answers[i], "is for answer_grounded(), when there is an answer", NULL);
	}
	options->top_k = OptionInteger(&options->whole, "top_k", 1, MOST_TOP_K);
	options->freshness_days = OptionInteger(&options->whole, "freshness_days", 0, MOST_DAYS);
	options->filter = OptionTyped(&options->whole, "filter", JVIEW_OBJECT, "must be an object");
	options->embedding = OptionEmbedding(&options->whole, "embedding");
	options->chunks = OptionTyped(&options->whole, "chunks", JVIEW_ARRAY, "must be an array of chunks");
	options->answer = OptionTyped(&options->whole, "answer", JVIEW_STRING, "must be a text");
	options->citations = OptionTyped(&options->whole, "citations", JVIEW_ARRAY, "must be an array of texts");
	options->retrieval_id = OptionTyped(&options->whole, "retrieval_id", JVIEW_STRING, "must be a text");
	options->config = OptionTyped(&options->whole, "config", JVIEW_OBJECT, "must be an object");
	options->intent = OptionTyped(&options->whole, "intent", JVIEW_STRING, "must be a text");
	options->judgements = OptionTyped(&options->whole, "judgements", JVIEW_ARRAY, "must be an array of judgements");
	options->judges_failed = OptionTyped(&options->whole, "judges_failed", JVIEW_ARRAY, "must be an array of names of judges");
	deadline = OptionInteger(&options->whole, "deadline_ms", 1, REQUEST_MAX_DEADLINE_MS);
	if (options->intent.type == JVIEW_STRING &&
		(options->intent.len == 0 || options->intent.len > INTENT_MAX_SIZE))
		OptionRefuse("intent", psprintf("must have from 1 to %d bytes", INTENT_MAX_SIZE), NULL);
	RefuseBadCitations(&options->citations);
	if (JsonViewCount(&options->judgements) > MOST_JUDGEMENTS)
		OptionRefuse("judgements", psprintf("must have at most %d elements", MOST_JUDGEMENTS), NULL);
	RefuseBadFailed(&options->judges_failed);
	RefuseIdle(options);
	options->deadline_ms = REQUEST_DEFAULT_DEADLINE_MS;
	if (deadline.type != JVIEW_ABSENT)
		(void) OptionIsInteger(&deadline, 1, REQUEST_MAX_DEADLINE_MS, &options->deadline_ms);
}

/*
 * configuration
 */

/* Returns the shipped configuration, which applies if nothing else is given. */
JsonView
ShippedConfig(void)
{
	static const JsonView nothing = {.type = JVIEW_ABSENT};
	DecisionConfig shipped;

	DecisionConfigOfView(&nothing, &shipped);
	return DecisionConfigView(&shipped);
}

/* Returns an integer key of a configuration with all keys. */
int
ConfigInteger(const JsonView *config, const char *key)
{
	JsonView	value = JsonViewUnder(config, key);
	int			integer = 0;

	(void) OptionIsInteger(&value, 0, PG_INT32_MAX, &integer);
	return integer;
}

static bool
IsHighRisk(const DecisionRules *rules, Span text)
{
	Query		query;

	QueryRead(rules, text, &query);
	return QueryRisk(&query) == RISK_HIGH;
}

static bool
IsZeroDays(const JsonView *value)
{
	int			days;

	return OptionIsInteger(value, 0, MOST_DAYS, &days) && days == 0;
}

/*
 * Returns the freshness limit of the configuration for a question; the option takes
 * precedence over its "config".  At high risk the option 0 has no effect: only
 * setting both keys of the configuration to 0 switches the check off.
 */
static JsonView
EffectiveFreshnessDays(const JsonView *active, const GroundOptions *options, bool is_high_risk)
{
	JsonView	days;

	if (options->freshness_days.type != JVIEW_ABSENT &&
		!(is_high_risk && IsZeroDays(&options->freshness_days)))
		return options->freshness_days;
	if (!JsonViewGetMember(&options->config, "freshness_days", &days))
		(void) JsonViewGetMember(active, "freshness_days", &days);
	return days;
}

/* Returns the configuration of one question: the active one, changed by the question's options. */
JsonView
EffectiveConfig(const JsonView *active, const GroundOptions *options, const DecisionRules *rules, Span query)
{
	JsonView	config = JsonViewNewObject(JsonViewCount(active));
	DecisionConfig checked;
	bool		is_high_risk = IsHighRisk(rules, query);
	JsonView	days = EffectiveFreshnessDays(active, options, is_high_risk);

	/* checked before merging, so that errors refer to what was given */
	if (options->config.type != JVIEW_ABSENT)
		DecisionConfigOfView(&options->config, &checked);
	for (int i = 0; i < JsonViewCount(active); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(active, i, &key);
		JsonView	given;

		if (SpanEqualCString(key, "top_k") && options->top_k.type != JVIEW_ABSENT)
			value = options->top_k;
		else if (SpanEqualCString(key, "freshness_days"))
			value = days;
		else if (JsonViewGet(&options->config, key.str, key.len, &given))
			value = given;
		JsonViewSetKey(&config, key.str, key.len, value);
	}
	return PortableCopy(&config);
}
