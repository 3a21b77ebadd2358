/*-------------------------------------------------------------------------
 *
 * config_version.c
 *		Versions of the configuration, and the environments that use them.
 *
 * Rule: doc/spec/gate.md §6.  A version is a signed record (change/v1, kind "config"), with an
 * id that follows from its content.  A step of an environment is a signed record (kind
 * "environment"), and the newest one is in force; see ground/environment.c.
 * environment_step.c computes what follows from a step, and candidate.c asks the gate.
 *
 * Promises: only this module mints these records.  They follow from the newest good record, and
 * from no row that somebody could edit.  Steps of an environment wait for each other.  A step
 * that is interrupted by a crash or a cancel has no effect.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/option.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/store.h"
#include "gate/candidate.h"
#include "gate/config_version.h"
#include "gate/environment_step.h"
#include "ground/decision_config.h"
#include "ground/environment.h"
#include "ground/judging.h"
#include "ground/question_options.h"
#include "ground/sample.h"
#include "keys/keyring.h"

#define REASON_MAX_SIZE		1000
#define SUITE_MAX_SIZE		200
#define RULES_MAX_SIZE		65536
#define SAMPLES_MOST		100000

/* Returns the current role in UTF-8 for documents, because the encoding of role names is not known. */
JsonView
RoleView(void)
{
	char	   *name = GetUserNameFromId(GetUserId(), false);
	int			len;
	char	   *utf8;

	if (!IsReadable(name, strlen(name)))
		name = psprintf("%u", GetUserId());
	utf8 = JsonServerToUtf8(name, strlen(name), &len);
	return JsonViewString(utf8, len);
}

JsonView
ReasonArgument(FunctionCallInfo fcinfo, int n, bool is_required)
{
	Span		reason;

	if (PG_ARGISNULL(n) && !is_required)
		return JsonViewNull();
	RequireArgument(fcinfo, n, "reason");
	LimitArgument(fcinfo, n, REASON_MAX_SIZE, "reason");
	reason = TextArgument(fcinfo, n);
	if (reason.len == 0)
		MalformedArgument("reason must not be empty", "Say why: the record of the change keeps it.");
	return JsonViewString(reason.str, reason.len);
}

Span
EnvironmentArgument(FunctionCallInfo fcinfo, int n)
{
	Span		name;

	RequireArgument(fcinfo, n, "environment");
	name = TextArgument(fcinfo, n);
	if (!IsEnvironmentName(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is no name of an environment", text_to_cstring(PG_GETARG_TEXT_PP(n))),
				 errdetail("A name has from 1 to %d characters: lower-case ASCII letters, digits, _ and -. It begins with a letter.",
						   ENVIRONMENT_NAME_MAX)));
	return name;
}

/*
 * versions
 */

/* Returns a complete configuration in portable form: the given keys over another one. */
JsonView
ConfigOver(const JsonView *base, const JsonView *given)
{
	JsonView	readable = NumbersOfPortable(base);
	JsonView	whole = JsonViewNewObject(JsonViewCount(base));
	DecisionConfig parsed;

	/* so that errors refer to what was given */
	DecisionConfigOfView(given, &parsed);
	for (int i = 0; i < JsonViewCount(&readable); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(&readable, i, &key);
		JsonView	other;

		JsonViewSetKey(&whole, key.str, key.len, JsonViewGet(given, key.str, key.len, &other) ? other : value);
	}
	DecisionConfigOfView(&whole, &parsed);
	whole = DecisionConfigView(&parsed);
	return PortableCopy(&whole);
}

static bool
IsConfigId(Span config_id)
{
	if (config_id.len != CONFIG_ID_LENGTH || memcmp(config_id.str, CONFIG_ID_PREFIX, strlen(CONFIG_ID_PREFIX)) != 0)
		return false;
	for (int i = strlen(CONFIG_ID_PREFIX); i < config_id.len; i++)
	{
		if (strchr("0123456789abcdef", config_id.str[i]) == NULL || config_id.str[i] == '\0')
			return false;
	}
	return true;
}

/* Finds a version among a tenant's records. It is enough to check that its id follows from its content. */
static bool
FindRecorded(const text *tenant, Span config_id, JsonView *config)
{
	static FixedQuery query = {
		.text = "SELECT r.body OPERATOR(pg_catalog.#>) '{after,config}' FROM answer.receipt r"
		" WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND r.tenant OPERATOR(pg_catalog.=) $1"
		" AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) 'config'"
		" AND (r.body OPERATOR(pg_catalog.->>) 'name') OPERATOR(pg_catalog.=) $2"
		" AND pg_catalog.jsonb_typeof(r.body OPERATOR(pg_catalog.#>) '{after,config}') OPERATOR(pg_catalog.=) 'object'",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(config_id)};
	bool		found = false;
	char		expected[CONFIG_ID_LENGTH + 1];
	QueryRows	rows = QueryRunAsOwner(&query, values, NULL, true, 0);

	for (uint64 i = 0; i < rows.count && !found; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewOfJsonb(ColumnJsonb(rows.table, i, 1), config);
		ConfigIdOf(config, NULL, expected);
		found = SpanEqualCString(config_id, expected) && DecisionConfigIsWhole(config);
	}
	QueryFree(&rows);
	return found;
}

static bool
IsShipped(Span config_id, JsonView *config)
{
	JsonView	shipped = ShippedConfig();
	char		expected[CONFIG_ID_LENGTH + 1];

	*config = PortableCopy(&shipped);
	ConfigIdOf(config, NULL, expected);
	return SpanEqualCString(config_id, expected);
}

/* Finds a version of the tenant, or of the operator, whose versions are shared. */
static bool
FindConfig(const text *tenant, Span config_id, JsonView *config)
{
	return IsShipped(config_id, config) || FindRecorded(tenant, config_id, config) ||
		(VARSIZE_ANY_EXHDR(tenant) > 0 && FindRecorded(cstring_to_text(""), config_id, config));
}

static void
RequireConfig(const text *tenant, Span config_id, JsonView *config)
{
	if (!IsConfigId(config_id) || !FindConfig(tenant, config_id, config))
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no configuration \"%s\"", ServerText(config_id)),
				 errhint("answer.config lists them; answer_config_create() makes one.")));
}

/* Returns the first names of judges that count for a tenant; "none" if there are none. */
static char *
RegisteredJudges(const text *tenant)
{
	static FixedQuery query = {
		.text = "SELECT COALESCE(pg_catalog.string_agg(j.name, ', ' ORDER BY j.name), 'none')"
		" FROM (SELECT DISTINCT o.name FROM answer.judge o WHERE o.tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $1])"
		" ORDER BY o.name LIMIT 20) AS j",
		.argtypes = {TEXTOID}
	};
	Datum		values[1] = {PointerGetDatum(tenant)};
	QueryRows	rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	char	   *names = ColumnName(rows.table, 0, 1);

	QueryFree(&rows);
	return names;
}

static void
WarnOfJudge(const text *tenant, const Judge *judge, JudgeKind kind)
{
	const char *name = TextDatumGetCString(SpanDatum(judge->name));

	if (!judge->registered)
		ereport(WARNING,
				(errmsg("judge \"%s\" of \"judge_%s\" is not registered", name, JudgeKindName(kind)),
				 errdetail("While it is not, what it would judge is not judged. Registered: %s.", RegisteredJudges(tenant)),
				 errhint("Register it with answer_judge_register(), or make a configuration that names another.")));
	else if (!judge->kinds[kind])
		ereport(WARNING,
				(errmsg("judge \"%s\" of \"judge_%s\" does not judge pairs of that kind", name, JudgeKindName(kind)),
				 errdetail("What it would judge is not judged. answer_judges() says which kinds it judges."),
				 errhint("Register it again with that kind, or make a configuration that names another.")));
}

/*
 * Warns about judges that a configuration names and that could not judge.  That is
 * no error: a judge or another version of it may come later, and a suite brings its
 * judgements.  But a misspelled name would be noticed late.
 */
static void
WarnOfJudges(const text *tenant, const JsonView *config)
{
	Judging		judging = {.tenant = tenant};
	JsonView	readable = NumbersOfPortable(config);
	DecisionConfig parsed;

	DecisionConfigOfView(&readable, &parsed);
	JudgingBegin(&judging, config);
	for (int kind = 0; kind < JUDGE_KINDS; kind++)
	{
		const Panel *panel = &parsed.panels[kind];

		for (int i = 0; i < panel->count; i++)
			WarnOfJudge(tenant, JudgeOfName(judging.judges, panel->judges[i]), kind);
	}
}

static void
MintConfig(const text *tenant, const char *config_id, const char *digest, const JsonView *config, JsonView parent,
		   JsonView author, JsonView reason)
{
	ChangeStep	step = {.tenant = tenant,.kind = CHANGE_CONFIG,.name = SpanOfCString(config_id),.revision = 1,
	.action = "add"};
	SigningKey	key;
	TimestampTz now;

	step.after = JsonViewNewObject(5);
	JsonViewSet(&step.after, "digest", JsonViewCString(digest));
	JsonViewSet(&step.after, "config", *config);
	JsonViewSet(&step.after, "parent", parent);
	JsonViewSet(&step.after, "author", author);
	JsonViewSet(&step.after, "reason", reason);
	SigningKeyBegin(&key, &now);
	(void) MintChangeStep(&step, &key, now);
}

char *
ConfigCreate(const text *tenant, const Pinning *pinning, const JsonView *given, JsonView reason, const Span *over)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	base;
	JsonView	whole;
	JsonView	known;
	JsonView	author = RoleView();
	char		parent[CONFIG_ID_LENGTH + 1];
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char	   *config_id = palloc(CONFIG_ID_LENGTH + 1);

	SPI_connect();
	PushActiveSnapshot(GetLatestSnapshot());
	if (over)
		RequireConfig(tenant, *over, &base);
	else
	{
		base = ActiveConfig(tenant, pinning, NULL, NULL);
		base = PortableCopy(&base);
	}
	ConfigIdOf(&base, NULL, parent);
	whole = ConfigOver(&base, given);
	WarnOfJudges(tenant, &whole);
	ConfigIdOf(&whole, digest, config_id);
	LockChange(tenant, CHANGE_CONFIG, SpanOfCString(config_id));
	PopActiveSnapshot();
	/* sees what others have made meanwhile, too */
	PushActiveSnapshot(GetLatestSnapshot());
	if (!FindConfig(tenant, SpanOfCString(config_id), &known))
		AS_OWNER(MintConfig(tenant, config_id, digest, &whole,
							strcmp(parent, config_id) == 0 ? JsonViewNull() : JsonViewCString(parent), author, reason));
	PopActiveSnapshot();
	MemoryContextSwitchTo(caller);
	SPI_finish();
	return config_id;
}

/* answer_config_create(config, reason, parent) */
PG_FUNCTION_INFO_V1(answer_eval_config_create);
Datum
answer_eval_config_create(PG_FUNCTION_ARGS)
{
	JsonView	given;
	JsonView	reason;
	Span		parent;

	RequireArgument(fcinfo, 0, "config");
	LimitArgument(fcinfo, 0, RULES_MAX_SIZE, "config");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &given);
	reason = ReasonArgument(fcinfo, 1, true);
	RequirePrimary("answer_config_create()");
	if (!PG_ARGISNULL(2))
		parent = TextArgument(fcinfo, 2);
	PG_RETURN_TEXT_P(cstring_to_text(ConfigCreate(CurrentTenant(), CurrentPinning(), &given, reason,
												  PG_ARGISNULL(2) ? NULL : &parent)));
}

/*
 * steps
 */

/* An environment that takes a step. */
typedef struct Move
{
	const text *tenant;
	Span		name;
	JsonView	by;
	EnvironmentRecord record;	/* current */
	char		digest[DIGEST_TEXT_LENGTH + 1]; /* of its state */
	bool		is_recorded;	/* is that state in a record of this tenant? */
} Move;

static _Noreturn void
NoEnvironment(Span name)
{
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("there is no environment \"%.*s\"", name.len, name.str),
			 errhint("answer.environment lists those that are there; answer_environment_set() makes one.")));
}

/* Reads the newest good record, with what is committed now. */
static void
ReadRecord(const text *tenant, Span name, bool repairs, EnvironmentRecord *record)
{
	const char *problem;
	bool		is_good;

	PushActiveSnapshot(GetLatestSnapshot());
	AS_OWNER(is_good = EnvironmentRead(tenant, name, record, &problem));
	PopActiveSnapshot();
	if (!is_good && !repairs)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the records of environment \"%.*s\" do not end with its last move", name.len, name.str),
				 errdetail("%s", problem),
				 errhint("answer_log_audit() says what is wrong. answer_environment_set() signs anew what the newest good record says.")));
}

void
EnvironmentInForce(const text *tenant, Span name, EnvironmentRecord *record)
{
	ReadRecord(tenant, name, false, record);
	if (!record->exists && VARSIZE_ANY_EXHDR(tenant) > 0)
		ReadRecord(cstring_to_text(""), name, false, record);
	if (!record->exists)
		NoEnvironment(name);
}

/*
 * Begins a step: waits for other steps, and then reads the state.  The first step
 * of a tenant starts from the operator's environment.
 */
static void
MoveBegin(Move *move, const text *tenant, Span name, bool repairs)
{
	move->tenant = tenant;
	move->name = name;
	move->by = RoleView();
	LockChange(tenant, CHANGE_ENVIRONMENT, name);
	ReadRecord(tenant, name, repairs, &move->record);
	move->is_recorded = move->record.revision > 0 && move->record.exists;
	if (!move->record.exists && VARSIZE_ANY_EXHDR(tenant) > 0)
	{
		EnvironmentRecord operators;

		ReadRecord(cstring_to_text(""), name, false, &operators);
		move->record.exists = operators.exists;
		move->record.configs = operators.configs;
		if (operators.exists)
		{
			static const char *const own[] = {"shadow", "canary", "since", "history"};

			move->record.state = JsonViewCopyWithout(&operators.state, own, lengthof(own), lengthof(own));
			JsonViewSet(&move->record.state, "shadow", JsonViewNull());
			JsonViewSet(&move->record.state, "canary", JsonViewNull());
			JsonViewSet(&move->record.state, "since", JsonViewNull());
			JsonViewSet(&move->record.state, "history", JsonViewNewArray(0));
		}
	}
	if (move->record.exists)
		CanonicalDigest(&move->record.state, NULL, move->digest);
}

/* Returns the configurations that a state names and that are known. */
static JsonView
ConfigsOf(const Move *move, const JsonView *state)
{
	static const char *const named[] = {"active", "shadow", "canary"};
	JsonView	configs = JsonViewNewObject(2);

	for (size_t i = 0; state->type == JVIEW_OBJECT && i < lengthof(named); i++)
	{
		JsonView	config_id = JsonViewUnder(state, named[i]);
		JsonView	config;

		if (config_id.type != JVIEW_STRING)
			continue;
		if (!JsonViewGet(&move->record.configs, config_id.str, config_id.len, &config) &&
			!FindConfig(move->tenant, SpanOfView(&config_id), &config))
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("configuration \"%.*s\" is gone", config_id.len, config_id.str),
					 errdetail("The history of environment \"%.*s\" names it.", move->name.len, move->name.str),
					 errhint("answer_log_audit() says what is missing.")));
		JsonViewSetKey(&configs, config_id.str, config_id.len, config);
	}
	return configs;
}

/* Mints the record of a step, and notifies sessions. Returns what the caller is told. */
static JsonView
MoveEnd(const Move *move, const char *action, JsonView after, JsonView step)
{
	ChangeStep	change = {.tenant = move->tenant,.kind = CHANGE_ENVIRONMENT,.name = move->name,
		.revision = Max(move->record.seen, move->record.revision) + 1,.action = action,
		.before = move->is_recorded ? move->digest : NULL,.after = after,.step = step,
	.configs = ConfigsOf(move, &after)};
	JsonView	stored;
	JsonView	result = JsonViewNewObject(12);
	SigningKey	key;
	TimestampTz now;
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	SigningKeyBegin(&key, &now);
	JsonViewOfJsonb(MintChangeStep(&change, &key, now), &stored);
	HeadMove(move->tenant, move->name, change.revision);
	AnswerAsCaller(user, context);
	CommandCounterIncrement();
	JsonViewSet(&result, "environment", JsonViewString(move->name.str, move->name.len));
	JsonViewSet(&result, "action", JsonViewCString(action));
	JsonViewSet(&result, "revision", JsonViewInteger(change.revision));
	JsonViewSet(&result, "receipt_id", JsonViewUnder(&stored, "receipt_id"));
	JsonViewSet(&result, "active", after.type == JVIEW_OBJECT ? JsonViewUnder(&after, "active") : JsonViewNull());
	JsonViewSet(&result, "shadow", after.type == JVIEW_OBJECT ? JsonViewUnder(&after, "shadow") : JsonViewNull());
	JsonViewSet(&result, "canary", after.type == JVIEW_OBJECT ? JsonViewUnder(&after, "canary") : JsonViewNull());
	return result;
}

/*
 * promotion
 */

/* Returns the next stage of a configuration. If a stage was asked for, it must be that one. */
static const char *
RequireStage(const Span *wanted, const Move *move, Span config_id)
{
	const char *problem;
	const char *next = StepNextStage(&move->record.state, config_id, &problem);

	if (wanted && !SpanEqualCString(*wanted, "shadow") && !SpanEqualCString(*wanted, "canary") &&
		!SpanEqualCString(*wanted, "active"))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no stage \"%s\"", ServerText(*wanted)),
				 errhint("The stages are shadow, canary and active, in that order.")));
	if (next == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s in environment \"%.*s\"", problem, move->name.len, move->name.str),
				 errhint("An environment has one candidate at a time, which answer_config_rollback() takes away.")));
	if (wanted && !SpanEqualCString(*wanted, next))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the next stage of configuration \"%.*s\" in environment \"%.*s\" is %s, not %.*s",
						config_id.len, config_id.str, move->name.len, move->name.str, next, wanted->len, wanted->str),
				 errhint("A configuration goes through shadow and canary to active; none is left out.")));
	return next;
}

static JsonView
CountSamples(const Move *move, const char *stage, const JsonView *candidate, const JsonView *active)
{
	JsonView	samples = StepRequired(&move->record.state, stage);
	SampleCount count = {.required = StateInteger(&samples, "required")};
	bool		was_served = strcmp(stage, "active") == 0;

	if (count.required > 0)
	{
		PushActiveSnapshot(GetLatestSnapshot());
		AS_OWNER(SamplesCount(move->tenant, move->name, StateInteger(&move->record.state, "since"),
							  was_served ? candidate : active, was_served ? active : candidate, &count));
		PopActiveSnapshot();
	}
	JsonViewSet(&samples, "counted", JsonViewInteger(count.counted));
	JsonViewSet(&samples, "different", JsonViewInteger(count.different));
	return samples;
}

/* Asks the gate about a candidate: sets samples, gate, outcome and failures. */
static const char *
AskGate(Oid schema, const Move *move, const char *stage, const JsonView *candidate, const JsonView *active, JsonView *step)
{
	JsonView	samples = CountSamples(move, stage, candidate, active);
	JsonView	failures = JsonViewNewArray(4);
	JsonView	gate = JsonViewNull();
	JsonView	more;
	const char *outcome = StepSamplesOutcome(&samples, &failures);

	if (strcmp(outcome, "pass") == 0)
	{
		JsonView	judged;

		gate = CandidateGate(schema, move->tenant, &move->record.state, candidate, active);
		judged = JsonViewUnder(&gate, "outcome");
		outcome = pnstrdup(judged.str, judged.len);
		more = JsonViewUnder(&gate, "failures");
		for (int i = 0; i < JsonViewCount(&more); i++)
		{
			JsonView	failure = JsonViewAt(&more, i);

			JsonViewAppend(&failures, failure);
		}
	}
	JsonViewSet(step, "samples", samples);
	JsonViewSet(step, "gate", gate);
	JsonViewSet(step, "outcome", JsonViewCString(outcome));
	JsonViewSet(step, "failures", failures);
	return outcome;
}

/* Records a shipped version before it becomes history, because another release ships another one. */
static void
KeepShipped(const Move *move, const JsonView *active)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char	   *config_id = palloc(CONFIG_ID_LENGTH + 1);
	JsonView	known;

	ConfigIdOf(active, digest, config_id);
	if (FindRecorded(move->tenant, SpanOfCString(config_id), &known) ||
		(VARSIZE_ANY_EXHDR(move->tenant) > 0 && FindRecorded(cstring_to_text(""), SpanOfCString(config_id), &known)))
		return;
	LockChange(move->tenant, CHANGE_CONFIG, SpanOfCString(config_id));
	AS_OWNER(MintConfig(move->tenant, config_id, digest, active, JsonViewNull(), move->by,
						JsonViewCString(psprintf("shipped with answer_eval %s", ANSWER_EVAL_VERSION))));
}

/* Refuses to go on if the suite's own handlers have moved the environment meanwhile. */
static void
MustBeUnmoved(const Move *move)
{
	EnvironmentRecord newest;

	ReadRecord(move->tenant, move->name, false, &newest);
	if (newest.revision != move->record.revision)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("environment \"%.*s\" was moved while its suite ran", move->name.len, move->name.str),
				 errdetail("It had revision %d and has %d now, by something that the suite called.",
						   move->record.revision, newest.revision)));
}

/* Returns what a caller is told about the gate, without the briefs. */
static JsonView
GateShown(const JsonView *step)
{
	static const char *const read[] = {"runs"};
	JsonView	gate = JsonViewUnder(step, "gate");

	return gate.type == JVIEW_OBJECT ? JsonViewCopyWithout(&gate, read, lengthof(read), 0) : gate;
}

Jsonb *
ConfigPromote(Oid schema, const text *tenant, Span name, Span config_id, const Span *wanted, JsonView reason)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	step = JsonViewNewObject(10);
	JsonView	candidate;
	JsonView	active;
	JsonView	active_id;
	JsonView	result;
	Move		move;
	const char *stage;
	bool		moves;

	SPI_connect();
	MoveBegin(&move, tenant, name, false);
	if (!move.record.exists)
		NoEnvironment(name);
	PushActiveSnapshot(GetLatestSnapshot());
	RequireConfig(move.tenant, config_id, &candidate);
	WarnOfJudges(move.tenant, &candidate);
	PopActiveSnapshot();
	stage = RequireStage(wanted, &move, config_id);
	active_id = JsonViewUnder(&move.record.state, "active");
	active = JsonViewUnder(&move.record.configs, pnstrdup(active_id.str, active_id.len));
	move.record.configs = JsonViewCopyWithout(&move.record.configs, NULL, 0, 1);
	JsonViewSetKey(&move.record.configs, config_id.str, config_id.len, candidate);
	JsonViewSet(&step, "config", JsonViewString(config_id.str, config_id.len));
	JsonViewSet(&step, "stage", JsonViewCString(stage));
	JsonViewSet(&step, "by", move.by);
	JsonViewSet(&step, "reason", reason);
	JsonViewSet(&step, "from", move.record.state);
	moves = strcmp(AskGate(schema, &move, stage, &candidate, &active, &step), "pass") == 0;
	MustBeUnmoved(&move);
	PushActiveSnapshot(GetLatestSnapshot());
	if (moves && strcmp(stage, "active") == 0)
		KeepShipped(&move, &active);
	result = MoveEnd(&move, moves ? STEP_PROMOTE : STEP_REFUSE, moves ?
					 StepPromoted(&move.record.state, config_id, stage, Max(move.record.seen, move.record.revision) + 1) :
					 move.record.state, step);
	PopActiveSnapshot();
	JsonViewSet(&result, "config", JsonViewString(config_id.str, config_id.len));
	JsonViewSet(&result, "stage", JsonViewCString(stage));
	JsonViewSet(&result, "moved", JsonViewBool(moves));
	JsonViewSet(&result, "outcome", JsonViewUnder(&step, "outcome"));
	JsonViewSet(&result, "failures", JsonViewUnder(&step, "failures"));
	JsonViewSet(&result, "samples", JsonViewUnder(&step, "samples"));
	JsonViewSet(&result, "gate", GateShown(&step));
	return DatumGetJsonbP(FinishWithView(&result, true, caller));
}

/* answer_config_promote(environment, config, stage, reason) */
PG_FUNCTION_INFO_V1(answer_eval_config_promote);
Datum
answer_eval_config_promote(PG_FUNCTION_ARGS)
{
	Span		name = EnvironmentArgument(fcinfo, 0);
	JsonView	reason = ReasonArgument(fcinfo, 3, false);
	Span		stage;

	RequirePrimary("answer_config_promote()");
	RequireArgument(fcinfo, 1, "config");
	if (!PG_ARGISNULL(2))
		stage = TextArgument(fcinfo, 2);
	PG_RETURN_JSONB_P(ConfigPromote(get_func_namespace(fcinfo->flinfo->fn_oid), CurrentTenant(), name,
									TextArgument(fcinfo, 1), PG_ARGISNULL(2) ? NULL : &stage, reason));
}

/* answer_config_rollback(environment, reason) */
PG_FUNCTION_INFO_V1(answer_eval_config_rollback);
Datum
answer_eval_config_rollback(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Span		name = EnvironmentArgument(fcinfo, 0);
	JsonView	reason = ReasonArgument(fcinfo, 1, true);
	JsonView	step = JsonViewNewObject(4);
	JsonView	after = {.type = JVIEW_ABSENT};
	JsonView	result;
	Move		move;

	RequirePrimary("answer_config_rollback()");
	SPI_connect();
	MoveBegin(&move, CurrentTenant(), name, false);
	if (!move.record.exists)
		NoEnvironment(name);
	if (move.is_recorded)
		after = StepBack(&move.record.state, VARSIZE_ANY_EXHDR(move.tenant) > 0);
	if (after.type == JVIEW_ABSENT)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("environment \"%.*s\" has nothing to go back to", name.len, name.str),
				 errdetail("It has no candidate, and no configuration was active before the present one."),
				 errhint("answer.config_step tells its history.")));
	JsonViewSet(&step, "by", move.by);
	JsonViewSet(&step, "reason", reason);
	JsonViewSet(&step, "from", move.record.state);
	PushActiveSnapshot(GetLatestSnapshot());
	result = MoveEnd(&move, STEP_ROLLBACK, after, step);
	PopActiveSnapshot();
	return FinishWithView(&result, true, caller);
}

/*
 * terms
 */

static const char *const term_names[] = {"suite", "rules", "shadow_samples", "canary_samples", "canary_percent",
"most_different_percent", NULL};

/* Sets a whole number among the terms; null leaves it. */
static void
SetTerm(const JsonView *options, const char *name, int most, JsonView *state)
{
	JsonView	value = OptionInteger(options, name, 0, most);

	if (value.type != JVIEW_ABSENT)
		JsonViewSet(state, name, value);
}

static JsonView
RulesOfOption(const JsonView *given)
{
	Jsonb	   *written = JsonViewToJsonb(given, false);
	JsonView	rules;

	if (VARSIZE(written) > RULES_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("rules are too large"),
				 errdetail("They may have %d bytes.", RULES_MAX_SIZE)));
	JsonViewOfJsonb(written, &rules);
	GateRulesCheck(&rules);
	return PortableCopy(&rules);
}

/* Returns the terms of an environment, changed by the options. */
static JsonView
TermsArguments(const JsonView *options, const JsonView *state)
{
	const char *changed[lengthof(term_names)];
	int			nchanged = 0;
	JsonView	suite = OptionTyped(options, "suite", JVIEW_STRING, "must be a string");
	JsonView	rules = OptionGet(options, "rules");
	JsonView	after;

	for (int i = 0; term_names[i]; i++)
		if (OptionGet(options, term_names[i]).type != JVIEW_ABSENT)
			changed[nchanged++] = term_names[i];
	after = JsonViewCopyWithout(state, changed, nchanged, nchanged);
	if (suite.type != JVIEW_ABSENT)
	{
		if (suite.len == 0 || suite.len > SUITE_MAX_SIZE)
			MalformedArgument(psprintf("suite must have from 1 to %d bytes", SUITE_MAX_SIZE), NULL);
		/* raises an error if it is not the operator's */
		(void) SuiteDigestOf(&suite);
		JsonViewSet(&after, "suite", suite);
	}
	if (rules.type != JVIEW_ABSENT)
		JsonViewSet(&after, "rules", RulesOfOption(&rules));
	SetTerm(options, "shadow_samples", SAMPLES_MOST, &after);
	SetTerm(options, "canary_samples", SAMPLES_MOST, &after);
	SetTerm(options, "canary_percent", 100, &after);
	SetTerm(options, "most_different_percent", 100, &after);
	return after;
}

/* Starts a new environment with the shipped configuration and the strictest shipped terms. */
static void
BeginNew(Move *move)
{
	JsonView	shipped = ShippedConfig();
	JsonView	active;

	move->record.state = ShippedEnvironment(SpanOfCString("prod"));
	move->record.exists = true;
	move->record.configs = JsonViewNewObject(1);
	active = JsonViewUnder(&move->record.state, "active");
	shipped = PortableCopy(&shipped);
	JsonViewSetKey(&move->record.configs, active.str, active.len, shipped);
	CanonicalDigest(&move->record.state, NULL, move->digest);
}

/* answer_environment_set(environment, options, reason, tenant) */
PG_FUNCTION_INFO_V1(answer_eval_environment_set);
Datum
answer_eval_environment_set(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Span		name = EnvironmentArgument(fcinfo, 0);
	JsonView	reason = ReasonArgument(fcinfo, 2, false);
	JsonView	options;
	text	   *tenant;
	JsonView	step = JsonViewNewObject(4);
	JsonView	after;
	JsonView	result;
	Move		move;

	RequirePrimary("answer_environment_set()");
	RequireOperator("answer_environment_set");
	RequireArgument(fcinfo, 1, "options");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "options");
	options = OptionsOf(PG_GETARG_JSONB_P(1), term_names, "");
	RequireArgument(fcinfo, 3, "tenant");
	tenant = PG_GETARG_TEXT_PP(3);
	if (VARSIZE_ANY_EXHDR(tenant) > 0 && !IsTenant(tenant))
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no tenant \"%s\"", text_to_cstring(tenant)),
				 errhint("answer_tenants() lists them.")));
	SPI_connect();
	MoveBegin(&move, tenant, name, true);
	if (!move.record.exists)
		BeginNew(&move);
	after = TermsArguments(&options, &move.record.state);
	JsonViewSet(&step, "by", move.by);
	JsonViewSet(&step, "reason", reason);
	JsonViewSet(&step, "from", move.record.state);
	PushActiveSnapshot(GetLatestSnapshot());
	result = MoveEnd(&move, STEP_SET, after, step);
	PopActiveSnapshot();
	return FinishWithView(&result, true, caller);
}

/*
 * replay
 */

/* Replays the step, and judges the gate again from the runs that it names, if the caller may read them. */
JsonView
EnvironmentStepReplay(const JsonView *document)
{
	JsonView	report = StepVerify(document);
	JsonView	ok = JsonViewUnder(&report, "ok");
	JsonView	step = JsonViewUnder(document, "step");
	JsonView	gate;

	if (!ok.boolean || step.type != JVIEW_OBJECT)
		return report;
	gate = JsonViewUnder(&step, "gate");
	/* in addition to the outcome, which follows from what the document has of the runs */
	if (gate.type == JVIEW_OBJECT)
		JsonViewSet(&report, "runs", JsonViewCString(CandidateGateRuns(&gate)));
	return report;
}
