/*-------------------------------------------------------------------------
 *
 * decision_config.c
 *		The configuration of decisions as a JSON document.
 *
 * Pure.  Rule: doc/spec/decision.md §6.
 *
 * A configuration contains only what differs from the defaults.  Unknown keys and values
 * out of range are refused, so that a misspelt key is not taken for one that was set.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "ground/decision_config.h"
#include "ground/decision_types.h"

typedef enum ConfigType
{
	CONFIG_INTEGER,
	CONFIG_SHARE,				/* a number from 0 to 1 */
	CONFIG_BOOLEAN,
	CONFIG_CHOICE,				/* one of two or three words */
	CONFIG_JUDGES				/* a judge, an array of judges, or null */
} ConfigType;

#define CHOICES_MAX	3

/* A key, the field that it sets, and its allowed values; for shares in hundredths. */
typedef struct ConfigKey
{
	const char *name;
	ConfigType	type;
	Size		offset;
	int			least;
	int			most;
	int			preset;
	const char *choices[CHOICES_MAX];
} ConfigKey;

#define FIELD(name) offsetof(DecisionConfig, name)
#define JUDGES(kind) (offsetof(DecisionConfig, panels) + (kind) * sizeof(Panel))

static const ConfigKey config_keys[] = {
	{"top_k", CONFIG_INTEGER, FIELD(top_k), 1, 50, 5, {0}},
	{"freshness_days", CONFIG_INTEGER, FIELD(freshness_days), 0, PG_INT32_MAX, FRESHNESS_DEFAULT_DAYS, {0}},
	{"freshness_days_high_risk", CONFIG_INTEGER, FIELD(freshness_days_high_risk), 0, PG_INT32_MAX, 30, {0}},
	{"confidence_threshold", CONFIG_SHARE, FIELD(confidence_threshold), 0, 100, 60, {0}},
	{"confidence_threshold_high_risk", CONFIG_SHARE, FIELD(confidence_threshold_high_risk), 0, 100, 70, {0}},
	{"min_confidence", CONFIG_SHARE, FIELD(min_confidence), 80, 100, 90, {0}},
	{"min_chunks", CONFIG_INTEGER, FIELD(min_chunks), 0, PG_INT32_MAX, 2, {0}},
	{"floor", CONFIG_SHARE, FIELD(floor), 0, 100, 20, {0}},
	{"caveats", CONFIG_BOOLEAN, FIELD(caveats), 0, 1, true, {0}},
	{"unjudged_passages", CONFIG_CHOICE, FIELD(unjudged_passages), 0, 1, 0, {"plain", "caveat"}},
	{"judge", CONFIG_CHOICE, FIELD(judge), 0, 1, 0, {"optional", "required"}},
	{"judge_entailment", CONFIG_JUDGES, JUDGES(JUDGE_ENTAILMENT), JUDGE_ENTAILMENT, 0, 0, {0}},
	{"judge_answers", CONFIG_JUDGES, JUDGES(JUDGE_ANSWERS), JUDGE_ANSWERS, 0, 0, {0}},
	{"judge_conflict", CONFIG_JUDGES, JUDGES(JUDGE_CONFLICT), JUDGE_CONFLICT, 0, 0, {0}},
	{"judge_passages", CONFIG_INTEGER, FIELD(judge_passages), 1, 50, 5, {0}},
	{"support_min", CONFIG_SHARE, FIELD(support_min), 0, 100, 50, {0}},
	{"contradict_min", CONFIG_SHARE, FIELD(contradict_min), 0, 100, 50, {0}},
	{"supersede", CONFIG_CHOICE, FIELD(supersede), 0, 2, SUPERSEDE_ASKED, {"never", "asked", "always"}},
	{"rerank", CONFIG_CHOICE, FIELD(rerank_by_freshness), 0, 1, 0, {"none", "freshness"}},
	{"freshness_bias", CONFIG_SHARE, FIELD(freshness_bias), 0, 100, 0, {0}},
	{"citation_threshold", CONFIG_SHARE, FIELD(citation_threshold), 0, 100, 95, {0}},
	{"contradiction_tolerance", CONFIG_SHARE, FIELD(contradiction_tolerance), 0, 100, 30, {0}},
	{"cache_ttl_s", CONFIG_INTEGER, FIELD(cache_ttl_s), 0, PG_INT32_MAX, 0, {0}}
};

#define CONFIG_FIELD(config, key, type) ((type *) ((char *) (config) + (key)->offset))

static Numeric
Hundredths(int n)
{
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale,
											   NumericGetDatum(int64_div_fast_to_numeric(n, 2))));
}

/*
 * Sets the defaults.  Documents leave these out, so a changed default, or a new
 * key, needs a new version of the rule.
 */
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
				*CONFIG_FIELD(config, key, bool) = key->preset != 0;
				break;
			case CONFIG_CHOICE:
				*CONFIG_FIELD(config, key, int) = key->preset;
				break;
			case CONFIG_JUDGES:
				CONFIG_FIELD(config, key, Panel)->kind = key->least;
				break;
		}
	}
}

/* Reads a number between two others. */
static bool
NumberBetween(const JsonView *view, Numeric least, Numeric most, Numeric *number)
{
	return JsonViewNumeric(view, number) && NumberCompare(*number, least) >= 0 &&
		NumberCompare(*number, most) <= 0;
}

static bool
SetInteger(const JsonView *view, const ConfigKey *key, int *field)
{
	Numeric		number;
	bool		is_other;

	if (!NumberBetween(view, int64_to_numeric(key->least), int64_to_numeric(key->most), &number))
		return false;
	*field = numeric_int4_opt_error(number, &is_other);
	return !is_other && NumberCompare(number, int64_to_numeric(*field)) == 0;
}

static bool
SetChoice(const JsonView *view, const ConfigKey *key, int *field)
{
	for (*field = 0; *field <= key->most; (*field)++)
	{
		if (JsonViewStringIs(view, key->choices[*field]))
			return true;
	}
	return false;
}

/* Returns what values a key allows, in words. */
static const char *
Demand(const ConfigKey *key)
{
	switch (key->type)
	{
		case CONFIG_INTEGER:
			return psprintf("must be a whole number from %d to %d", key->least, key->most);
		case CONFIG_SHARE:
			return key->least == 0 ? "must be a number from 0 to 1" :
				psprintf("must be a number from 0.%d to 1", key->least);
		case CONFIG_BOOLEAN:
			return "must be true or false";
		case CONFIG_CHOICE:
			return key->most == 1 ?
				psprintf("must be \"%s\" or \"%s\"", key->choices[0], key->choices[1]) :
				psprintf("must be \"%s\", \"%s\" or \"%s\"", key->choices[0], key->choices[1], key->choices[2]);
		case CONFIG_JUDGES:
			break;
	}
	return "";
}

/* Sets a key. If the value is not allowed, returns what values are. */
static const char *
SetConfig(DecisionConfig *config, const ConfigKey *key, const JsonView *view)
{
	Numeric		number;
	const char *problem;
	bool		is_set = false;

	switch (key->type)
	{
		case CONFIG_INTEGER:
			is_set = SetInteger(view, key, CONFIG_FIELD(config, key, int));
			break;
		case CONFIG_SHARE:
			is_set = NumberBetween(view, Hundredths(key->least), Hundredths(key->most), &number);
			if (is_set)
				*CONFIG_FIELD(config, key, Numeric) =
					DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(number)));
			break;
		case CONFIG_BOOLEAN:
			*CONFIG_FIELD(config, key, bool) = view->boolean;
			is_set = view->type == JVIEW_BOOL;
			break;
		case CONFIG_CHOICE:
			is_set = SetChoice(view, key, CONFIG_FIELD(config, key, int));
			break;
		case CONFIG_JUDGES:
			return PanelParse(view, key->least, CONFIG_FIELD(config, key, Panel), &problem) ? NULL : problem;
	}
	return is_set ? NULL : Demand(key);
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
		JsonView	name = SpanView(members[i].key);
		const ConfigKey *key = FindKey((Span) {name.str, name.len});
		const char *demand = key ? SetConfig(config, key, &members[i].value) : NULL;

		if (key == NULL)
			*problem = psprintf("config has an unknown key %s", ShownValue(&name));
		else if (demand)
			*problem = psprintf("config.%s %s, and is %s", key->name, demand,
								ShownValue(&members[i].value));
		if (*problem)
			return false;
	}
	return true;
}

/* Does the same; raises an error if it is malformed. */
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

/* Returns the judges of a panel: one as its name, several as an array, none as null. */
static JsonView
JudgesView(const Panel *panel)
{
	JsonView	names;

	if (panel->count == 0)
		return JsonViewNull();
	if (panel->count == 1)
		return JsonViewString(panel->judges[0].str, panel->judges[0].len);
	names = JsonViewNewArray(panel->count);
	for (int i = 0; i < panel->count; i++)
		JsonViewAppend(&names, JsonViewString(panel->judges[i].str, panel->judges[i].len));
	return names;
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
		case CONFIG_CHOICE:
			return JsonViewCString(key->choices[*CONFIG_FIELD(config, key, int)]);
		case CONFIG_JUDGES:
			return JudgesView(CONFIG_FIELD(config, key, Panel));
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

JsonView
DecisionConfigWithoutDefaults(const JsonView *whole)
{
	DecisionConfig defaults;
	JsonView	changed = JsonViewNewObject(4);

	SetDefaults(&defaults);
	for (int i = 0; i < JsonViewCount(whole); i++)
	{
		Span		name;
		JsonView	value = JsonViewMember(whole, i, &name);
		JsonView	preset;
		const ConfigKey *key;

		key = FindKey(name);
		if (key)
			preset = ConfigValue(&defaults, key);
		if (key == NULL || !CanonicalDigestsEqual(&value, &preset))
			JsonViewSetKey(&changed, name.str, name.len, value);
	}
	return changed;
}

JsonView
DecisionConfigWithDefaults(const JsonView *changed)
{
	DecisionConfig defaults;
	JsonView	whole = JsonViewCopyWithout(changed, NULL, 0, lengthof(config_keys));
	JsonView	value;

	SetDefaults(&defaults);
	for (size_t i = 0; i < lengthof(config_keys); i++)
	{
		if (!JsonViewGetMember(changed, config_keys[i].name, &value))
			JsonViewSet(&whole, config_keys[i].name, ConfigValue(&defaults, &config_keys[i]));
	}
	return whole;
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
