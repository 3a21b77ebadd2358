/*-------------------------------------------------------------------------
 *
 * environment_step.c
 *		Moves an environment from one configuration to another.
 *
 * Rule: doc/spec/gate.md §6.  A state has one active configuration, at most one candidate, in
 * shadow or in canary, and the history of formerly active ones, oldest first.
 *
 *   promote    moves a new configuration to shadow, one in shadow to canary, one in
 *              canary to active; the one that was active is appended to the history.
 *   rollback   removes the candidate.  Without one, the last entry of the history
 *              becomes active again and is removed from the history, so each rollback
 *              goes further back.  A tenant's environment without a history is removed,
 *              and the operator's counts again.
 *   refuse     changes nothing.
 *   set        changes the terms: suite, rules, samples, shares.
 *
 * Promises: the next state follows from the previous one and the step.  This is computed only
 * here, for a move and for the replay of its record.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "document/signed.h"
#include "gate/candidate.h"
#include "gate/environment_step.h"

static const char *const stages[] = {"shadow", "canary", "active"};

/* The terms that answer_environment_set() may change. */
static const char *const terms[] = {"suite", "rules", "shadow_samples", "canary_samples", "canary_percent",
"most_different_percent"};

/* The members that a move changes. */
static const char *const pointers[] = {"active", "shadow", "canary", "since", "history"};

/* Returns the next stage of a configuration; NULL and the reason if there is none. */
const char *
StepNextStage(const JsonView *state, Span config_id, const char **problem)
{
	JsonView	candidate;
	JsonView	active = JsonViewUnder(state, "active");
	EnvironmentStage stage = StageOfState(state, &candidate);

	*problem = NULL;
	if (stage != STAGE_NONE && SpanEqual(SpanOfView(&candidate), config_id))
		return stages[stage];
	if (stage != STAGE_NONE)
		*problem = psprintf("configuration \"%.*s\" is in %s", candidate.len, candidate.str, stages[stage - 1]);
	else if (active.type == JVIEW_STRING && SpanEqual(SpanOfView(&active), config_id))
		*problem = psprintf("configuration \"%.*s\" is active already", config_id.len, config_id.str);
	return *problem ? NULL : stages[0];
}

/* Returns a state without these members, with room for them. */
static JsonView
TermsOf(const JsonView *state)
{
	return JsonViewCopyWithout(state, pointers, lengthof(pointers), lengthof(pointers));
}

static void
SetPointers(JsonView *state, JsonView active, JsonView shadow, JsonView canary, int since, JsonView history)
{
	JsonViewSet(state, "active", active);
	JsonViewSet(state, "shadow", shadow);
	JsonViewSet(state, "canary", canary);
	JsonViewSet(state, "since", since > 0 ? JsonViewInteger(since) : JsonViewNull());
	JsonViewSet(state, "history", history);
}

/* Returns the history with one more entry, or one less. */
static JsonView
HistoryOf(const JsonView *state, const JsonView *more, int less)
{
	JsonView	history = JsonViewUnder(state, "history");
	int			count = history.type == JVIEW_ARRAY ? JsonViewCount(&history) : 0;
	JsonView	changed = JsonViewNewArray(count + 1);

	for (int i = 0; i < count - less; i++)
	{
		JsonView	entry = JsonViewAt(&history, i);

		JsonViewAppend(&changed, entry);
	}
	if (more)
		JsonViewAppend(&changed, *more);
	return changed;
}

/* Returns the state after a configuration came to a stage with this revision. */
JsonView
StepPromoted(const JsonView *from, Span config_id, const char *stage, int revision)
{
	JsonView	state = TermsOf(from);
	JsonView	active = JsonViewUnder(from, "active");
	JsonView	moved = JsonViewString(config_id.str, config_id.len);

	if (strcmp(stage, stages[0]) == 0)
		SetPointers(&state, active, moved, JsonViewNull(), revision, HistoryOf(from, NULL, 0));
	else if (strcmp(stage, stages[1]) == 0)
		SetPointers(&state, active, JsonViewNull(), moved, revision, HistoryOf(from, NULL, 0));
	else
		SetPointers(&state, moved, JsonViewNull(), JsonViewNull(), 0, HistoryOf(from, &active, 0));
	return state;
}

/* Returns the state one step back: null if a tenant's environment is removed, absent if there is no history. */
JsonView
StepBack(const JsonView *from, bool is_tenants)
{
	JsonView	state = TermsOf(from);
	JsonView	active = JsonViewUnder(from, "active");
	JsonView	history = JsonViewUnder(from, "history");
	JsonView	candidate;
	int			count = history.type == JVIEW_ARRAY ? JsonViewCount(&history) : 0;

	if (StageOfState(from, &candidate) != STAGE_NONE)
		SetPointers(&state, active, JsonViewNull(), JsonViewNull(), 0, HistoryOf(from, NULL, 0));
	else if (count > 0)
	{
		JsonViewElement(&history, count - 1, &active);
		SetPointers(&state, active, JsonViewNull(), JsonViewNull(), 0, HistoryOf(from, NULL, 1));
	}
	else
		return is_tenants ? JsonViewNull() : (JsonView) {.type = JVIEW_ABSENT};
	return state;
}

/* Returns how many samples a stage requires, and how many percent of them may differ. */
JsonView
StepRequired(const JsonView *from, const char *stage)
{
	JsonView	samples = JsonViewNewObject(4);
	int			required = 0;

	if (strcmp(stage, stages[1]) == 0)
		required = StateInteger(from, "shadow_samples");
	else if (strcmp(stage, stages[2]) == 0)
		required = StateInteger(from, "canary_samples");
	JsonViewSet(&samples, "required", JsonViewInteger(required));
	JsonViewSet(&samples, "most_different_percent", JsonViewInteger(StateInteger(from, "most_different_percent")));
	return samples;
}

/* Returns the outcome of the samples, and adds the reasons against a pass to the failures. */
const char *
StepSamplesOutcome(const JsonView *samples, JsonView *failures)
{
	int			required = StateInteger(samples, "required");
	int			counted = StateInteger(samples, "counted");
	int			different = StateInteger(samples, "different");
	int			most = StateInteger(samples, "most_different_percent");

	if (counted < required)
	{
		JsonViewAppend(failures, JsonViewCString(psprintf("samples %d < min %d", counted, required)));
		return "inconclusive";
	}
	if ((int64) different * 100 > (int64) most * counted)
	{
		JsonViewAppend(failures, JsonViewCString(psprintf("%d of %d samples are decided differently > max %d%%",
														  different, counted, most)));
		return "fail";
	}
	return "pass";
}

/*
 * replay
 */

static bool
SameMember(const JsonView *a, const JsonView *b, const char *key)
{
	JsonView	left = JsonViewUnder(a, key);
	JsonView	right = JsonViewUnder(b, key);

	return ReportIsSame(&left, &right);
}

/* Is a state well-formed, in the members that are read here? */
static bool
StateIsFormed(const JsonView *state)
{
	JsonView	history = JsonViewUnder(state, "history");

	if (state->type != JVIEW_OBJECT || JsonViewCount(state) != lengthof(pointers) + lengthof(terms) ||
		JsonViewUnder(state, "active").type != JVIEW_STRING || history.type != JVIEW_ARRAY ||
		JsonViewUnder(state, "suite").type != JVIEW_STRING || JsonViewUnder(state, "rules").type != JVIEW_OBJECT)
		return false;
	for (int i = 0; i < JsonViewCount(&history); i++)
	{
		JsonView	entry = JsonViewAt(&history, i);

		if (entry.type != JVIEW_STRING)
			return false;
	}
	return true;
}

/* Does the outcome follow from the samples and the gate? */
static const char *
OutcomeProblem(const JsonView *step, const JsonView *from)
{
	JsonView	config = JsonViewUnder(step, "config");
	JsonView	samples = JsonViewUnder(step, "samples");
	JsonView	gate = JsonViewUnder(step, "gate");
	JsonView	outcome = JsonViewUnder(step, "outcome");
	JsonView	stated = JsonViewUnder(step, "failures");
	JsonView	failures = JsonViewNewArray(2);
	const char *expected;
	const char *problem;

	if (samples.type != JVIEW_OBJECT || stated.type != JVIEW_ARRAY)
		return "the samples or the failures are missing";
	expected = StepSamplesOutcome(&samples, &failures);
	if (strcmp(expected, "pass") == 0)
	{
		JsonView	more = JsonViewUnder(&gate, "failures");

		if (gate.type != JVIEW_OBJECT || more.type != JVIEW_ARRAY)
			return "the samples are enough, and the gate was not asked";
		for (int i = 0; i < JsonViewCount(&more); i++)
		{
			JsonView	failure = JsonViewAt(&more, i);

			JsonViewAppend(&failures, failure);
		}
		if (!SameMember(step, &gate, "outcome"))
			return "the outcome is not that of the gate";
		problem = CandidateGateProblem(from, &gate, &config);
		if (problem)
			return problem;
	}
	else if (gate.type != JVIEW_NULL || !JsonViewStringIs(&outcome, expected))
		return "the outcome does not follow from the samples";
	return ReportIsSame(&stated, &failures) ? NULL : "the failures are not those of the samples and the gate";
}

/* Are the required samples those of the previous state for that stage? */
static const char *
PromotionProblem(const JsonView *document, const JsonView *step, const JsonView *from, bool is_refused)
{
	JsonView	config = JsonViewUnder(step, "config");
	JsonView	stage = JsonViewUnder(step, "stage");
	JsonView	samples = JsonViewUnder(step, "samples");
	JsonView	outcome = JsonViewUnder(step, "outcome");
	JsonView	after = JsonViewUnder(document, "after");
	JsonView	required;
	JsonView	expected;
	const char *next;
	const char *problem;

	if (config.type != JVIEW_STRING || stage.type != JVIEW_STRING)
		return "the configuration or the stage is missing";
	next = StepNextStage(from, SpanOfView(&config), &problem);
	if (next == NULL || !JsonViewStringIs(&stage, next))
		return "the stage is not the next one";
	required = StepRequired(from, next);
	if (!SameMember(&samples, &required, "required") || !SameMember(&samples, &required, "most_different_percent"))
		return "the samples are not what the environment asks for";
	problem = OutcomeProblem(step, from);
	if (problem)
		return problem;
	if (is_refused == JsonViewStringIs(&outcome, "pass"))
		return "what was done does not follow from the outcome";
	expected = is_refused ? *from :
		StepPromoted(from, SpanOfView(&config), next, StateInteger(document, "revision"));
	return ReportIsSame(&after, &expected) ? NULL : "the state after does not follow from the step";
}

static const char *
SetProblem(const JsonView *from, const JsonView *after)
{
	for (size_t i = 0; i < lengthof(pointers); i++)
	{
		if (!SameMember(from, after, pointers[i]))
			return "what only a promotion or a rollback moves has moved";
	}
	return NULL;
}

static const char *
StepProblem(const JsonView *document)
{
	JsonView	action = JsonViewUnder(document, "action");
	JsonView	before = JsonViewUnder(document, "before");
	JsonView	after = JsonViewUnder(document, "after");
	JsonView	step = JsonViewUnder(document, "step");
	JsonView	from = JsonViewUnder(&step, "from");
	JsonView	back;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!StateIsFormed(&from) || (after.type != JVIEW_NULL && !StateIsFormed(&after)))
		return "the state before or after is malformed";
	CanonicalDigest(&from, NULL, digest);
	/* without an earlier record it was the shipped state, or the operator's */
	if (before.type == JVIEW_STRING && !JsonViewStringIs(&before, digest))
		return "the state before does not hash to its digest";
	if (JsonViewStringIs(&action, STEP_PROMOTE) || JsonViewStringIs(&action, STEP_REFUSE))
		return PromotionProblem(document, &step, &from, JsonViewStringIs(&action, STEP_REFUSE));
	if (JsonViewStringIs(&action, STEP_SET))
		return SetProblem(&from, &after);
	if (!JsonViewStringIs(&action, STEP_ROLLBACK))
		return "the action is none of set, promote, refuse and rollback";
	back = StepBack(&from, JsonViewUnder(document, "tenant").type == JVIEW_STRING);
	return ReportIsSame(&after, &back) ? NULL : "the state after does not follow from the step";
}

/* Is each configuration that the state names in the document, and does its id follow from its content? */
static const char *
ConfigsProblem(const JsonView *document)
{
	JsonView	after = JsonViewUnder(document, "after");
	JsonView	configs = JsonViewUnder(document, "configs");
	static const char *const named[] = {"active", "shadow", "canary"};
	int			count = 0;

	if (after.type == JVIEW_NULL)
		return NULL;
	for (size_t i = 0; i < lengthof(named); i++)
	{
		JsonView	config_id = JsonViewUnder(&after, named[i]);
		JsonView	config;
		char		expected[CONFIG_ID_LENGTH + 1];

		if (config_id.type != JVIEW_STRING)
			continue;
		if (configs.type != JVIEW_OBJECT || !JsonViewGet(&configs, config_id.str, config_id.len, &config))
			return "a configuration that it names is missing";
		ConfigIdOf(&config, NULL, expected);
		if (!JsonViewStringIs(&config_id, expected))
			return "a configuration does not hash to its id";
		count++;
	}
	return count == JsonViewCount(&configs) ? NULL : "there is a configuration that it does not name";
}

/* Verifies a step from the document alone. */
JsonView
StepVerify(const JsonView *document)
{
	const char *problem = StepProblem(document);

	return ReportStep(problem ? problem : ConfigsProblem(document));
}
