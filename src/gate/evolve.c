/*-------------------------------------------------------------------------
 *
 * evolve.c
 *		Proposals for a better configuration, measured before they are applied.
 *
 * Rule: doc/spec/gate.md §7.  A proposal is a change of an environment's configuration in
 * force, with the numbers that it responds to.  It is a signed record (change/v1, kind
 * "proposal"); its id follows from environment, base and change, and its state is its newest
 * good record.  Validation runs the environment's suite with both configurations, and asks the
 * tenant's own latest questions again under both.  answer.evolve_judge() decides by the
 * counts.  The candidate always runs first, so that warm caches help the base.
 *
 * Promises: only this module mints these records.  Everything that a record concludes follows
 * from its content (answer.evolve_problem()), except the promotion, which has a record of its
 * own.  Questions that are asked again leave nothing behind.  The environment is moved by
 * answer_config_promote(), with the caller's rights and the environment's gate.
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
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/grow.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/signed.h"
#include "gate/candidate.h"
#include "gate/suite_case.h"
#include "gate/config_version.h"
#include "gate/evolve.h"
#include "gate/explore.h"
#include "gate/trial.h"
#include "ground/environment.h"
#include "ground/decision_receipt.h"
#include "keys/keyring.h"

#define PROPOSAL_ID_PREFIX	"prp_"
#define PROPOSAL_ID_LENGTH	20
#define CHANGE_MAX_SIZE		65536

/* Calls a pure function of the schema answer that takes two objects. */
static Datum
AskOfTwo(const char *name, const JsonView *a, const JsonView *b)
{
	static const Oid types[] = {JSONBOID, JSONBOID};
	NullableDatum args[2] = {{0}};
	Datum		result;

	args[0].value = JsonbPGetDatum(JsonViewToJsonb(a, true));
	args[1].value = JsonbPGetDatum(JsonViewToJsonb(b, true));
	PushActiveSnapshot(GetLatestSnapshot());
	result = AnswerCall(AnswerSchema(), name, lengthof(types), types, args);
	PopActiveSnapshot();
	return result;
}

/*
 * records
 */

/* A proposal in its newest good record, locked. */
typedef struct Proposal
{
	const text *tenant;
	Span		name;
	EnvironmentRecord record;	/* state and numbers are used */
} Proposal;

static void
ReadProposal(Proposal *proposal)
{
	Oid			user;
	int			context;

	memset(&proposal->record, 0, sizeof(proposal->record));
	PushActiveSnapshot(GetLatestSnapshot());
	AnswerAsOwner(&user, &context);
	RecordNewest(proposal->tenant, CHANGE_PROPOSAL, proposal->name, &proposal->record);
	AnswerAsCaller(user, context);
	PopActiveSnapshot();
}

static bool
StateIs(const Proposal *proposal, const char *state)
{
	JsonView	present = JsonViewUnder(&proposal->record.state, "state");

	return proposal->record.exists && JsonViewStringIs(&present, state);
}

/* Mints the next record; returns its id. */
static JsonView
MintProposal(const Proposal *proposal, const char *action, JsonView after)
{
	ChangeStep	step = {.tenant = proposal->tenant,.kind = CHANGE_PROPOSAL,.name = proposal->name,
	.revision = Max(proposal->record.seen, proposal->record.revision) + 1,.action = action,.after = after};
	char		before[DIGEST_TEXT_LENGTH + 1];
	JsonView	stored;
	SigningKey	key;
	TimestampTz now;
	Oid			user;
	int			context;

	if (proposal->record.exists)
	{
		CanonicalDigest(&proposal->record.state, NULL, before);
		step.before = before;
	}
	AnswerAsOwner(&user, &context);
	SigningKeyBegin(&key, &now);
	JsonViewOfJsonb(MintChangeStep(&step, &key, now), &stored);
	AnswerAsCaller(user, context);
	return JsonViewUnder(&stored, "receipt_id");
}

/*
 * proposing
 */

/* What the proposals of one call share. */
typedef struct Breach
{
	const text *tenant;
	Span		environment;
	JsonView	base_id;
	JsonView	base;			/* complete, in portable form */
	JsonView	slo;			/* the numbers that it responds to; null: proposed by an administrator */
} Breach;

/*
 * Returns the members of a complete configuration that a change names, if their
 * values differ from another one's.
 */
static JsonView
Changed(const JsonView *change, const JsonView *whole, const JsonView *other, const JsonView *from)
{
	JsonView	values = JsonViewNewObject(2);

	for (int i = 0; i < JsonViewCount(change); i++)
	{
		Span		key;
		JsonView	value = JsonViewMember(change, i, &key);
		JsonView	before;

		if (JsonViewGet(whole, key.str, key.len, &value) &&
			!(JsonViewGet(other, key.str, key.len, &before) && ReportIsSame(&value, &before)))
		{
			(void) JsonViewGet(from, key.str, key.len, &value);
			JsonViewSetKey(&values, key.str, key.len, value);
		}
	}
	return PortableCopy(&values);
}

/* Returns the id of a proposal, which follows from environment, base and change. */
static char *
ProposalId(JsonView environment, JsonView base_id, const JsonView *change)
{
	JsonView	named = JsonViewNewArray(3);
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char	   *id = palloc(PROPOSAL_ID_LENGTH + 1);

	JsonViewAppend(&named, environment);
	JsonViewAppend(&named, base_id);
	JsonViewAppend(&named, *change);
	CanonicalDigest(&named, NULL, digest);
	strcpy(id, PROPOSAL_ID_PREFIX);
	strncat(id, digest + strlen(DIGEST_PREFIX), PROPOSAL_ID_LENGTH - strlen(PROPOSAL_ID_PREFIX));
	return id;
}

/* Proposes one change, unless it is already proposed and open. Returns what the caller is told. */
static JsonView
Propose(const Breach *breach, const JsonView *given, JsonView reason)
{
	JsonView	environment = JsonViewString(breach->environment.str, breach->environment.len);
	JsonView	whole = ConfigOver(&breach->base, given);
	JsonView	change = Changed(given, &whole, &breach->base, &whole);
	Proposal	proposal = {.tenant = breach->tenant};
	JsonView	after = JsonViewNewObject(12);
	JsonView	result;
	bool		is_open;

	if (JsonViewCount(&change) == 0)
		MalformedArgument("change must change something, and the configuration in force is so already",
						  "answer_config() tells what is in force.");
	proposal.name = SpanOfCString(ProposalId(environment, breach->base_id, &change));
	LockChange(proposal.tenant, CHANGE_PROPOSAL, proposal.name);
	ReadProposal(&proposal);
	is_open = StateIs(&proposal, "proposed") || StateIs(&proposal, "waiting");
	if (is_open)
		after = proposal.record.state;
	else
	{
		JsonViewSet(&after, "environment", environment);
		JsonViewSet(&after, "base", breach->base_id);
		JsonViewSet(&after, "from", Changed(given, &whole, &breach->base, &breach->base));
		JsonViewSet(&after, "change", change);
		JsonViewSet(&after, "reason", reason);
		JsonViewSet(&after, "slo", breach->slo);
		JsonViewSet(&after, "by", RoleView());
		JsonViewSet(&after, "state", JsonViewCString("proposed"));
		JsonViewSet(&after, "validation", JsonViewNull());
		after = PortableCopy(&after);
		(void) MintProposal(&proposal, "propose", after);
	}
	result = JsonViewCopyWithout(&after, NULL, 0, 2);
	JsonViewSet(&result, "proposal", JsonViewString(proposal.name.str, proposal.name.len));
	JsonViewSet(&result, "is_new", JsonViewBool(!is_open));
	return result;
}

/* Reads the numbers of the answers of the last day; false if they breach no objective. */
static bool
FindBreach(Breach *breach)
{
	static FixedQuery query = {
		.text = "SELECT o.slo FROM (SELECT pg_catalog.to_jsonb(s) AS slo"
		" FROM answer.slo_of(ARRAY[$1], '24 hours'::pg_catalog.interval, NULL) AS s"
		" WHERE s.tenant OPERATOR(pg_catalog.=) $1 AND s.intent IS NULL) AS o"
		" WHERE pg_catalog.cardinality(answer.evolve_breaches(o.slo)) OPERATOR(pg_catalog.>) 0",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(breach->tenant);
	bool		found;
	QueryRows	rows;

	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);
	PopActiveSnapshot();
	found = rows.count > 0;
	if (found)
		JsonViewOfJsonb(DatumGetJsonbPCopy(JsonbPGetDatum(ColumnJsonb(rows.table, 0, 1))), &breach->slo);
	QueryFree(&rows);
	return found;
}

/* Proposes changes that help on the suite of the environment, because of a breach. */
static void
ProposeForBreach(Breach *breach, Oid schema, const JsonView *state, const JsonView *reason, JsonView *proposals)
{
	JsonView	changes;

	if (!FindBreach(breach))
		return;
	changes = ExploreChanges(schema, unconstify(text *, breach->tenant), state, &breach->base);
	for (int i = 0; i < JsonViewCount(&changes); i++)
	{
		JsonView	found = JsonViewAt(&changes, i);
		JsonView	change;

		change = JsonViewUnder(&found, "change");
		JsonViewAppend(proposals, Propose(breach, &change, reason->type == JVIEW_NULL ? JsonViewUnder(&found, "reason") : *reason));
	}
	if (JsonViewCount(&changes) == 0)
	{
		JsonView	suite = JsonViewUnder(state, "suite");

		ereport(NOTICE,
				(errmsg("the answers of the last day are in breach, and no knob helps"),
				 errdetail("With each value that was tried, no case of suite \"%.*s\" comes out otherwise, or fewer of them pass.",
						   suite.len, suite.str),
				 errhint("A suite with cases like the questions of the last day shows what would help; "
						 "answer_evolve_propose(environment, change, reason) proposes any change.")));
	}
}

/* answer_evolve_propose(environment, change, reason) */
PG_FUNCTION_INFO_V1(answer_eval_evolve_propose);
Datum
answer_eval_evolve_propose(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Breach		breach = {.environment = PG_ARGISNULL(0) ? SpanOfCString(SessionEnvironment()) : EnvironmentArgument(fcinfo, 0)};
	JsonView	reason = ReasonArgument(fcinfo, 2, !PG_ARGISNULL(1));
	JsonView	proposals = JsonViewNewArray(4);
	JsonView	change;
	EnvironmentRecord record;
	Datum		datum;

	if (!PG_ARGISNULL(1))
	{
		LimitArgument(fcinfo, 1, CHANGE_MAX_SIZE, "change");
		JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &change);
		if (change.type != JVIEW_OBJECT)
			MalformedArgument(psprintf("change must be an object, and is %s", ShownValue(&change)),
							  "Give the keys of a configuration that change, with their new values.");
	}
	RequirePrimary("answer_evolve_propose()");
	breach.tenant = CurrentTenant();
	SPI_connect();
	EnvironmentInForce(breach.tenant, breach.environment, &record);
	breach.base_id = JsonViewUnder(&record.state, "active");
	breach.base = JsonViewUnder(&record.configs, pnstrdup(breach.base_id.str, breach.base_id.len));
	breach.slo = JsonViewNull();
	if (PG_ARGISNULL(1))
		ProposeForBreach(&breach, get_func_namespace(fcinfo->flinfo->fn_oid), &record.state, &reason, &proposals);
	else
		JsonViewAppend(&proposals, Propose(&breach, &change, reason));
	datum = ResultIn(caller, &proposals);
	SPI_finish();
	PG_RETURN_DATUM(datum);
}

/*
 * measuring
 */

/* The measurements of one configuration. */
typedef struct Side
{
	const JsonView *config;		/* complete, in portable form */
	JsonView	run_id;
	JsonView	rows;			/* of the suite and of the questions asked again */
	Datum	   *took;			/* by row, microseconds */
	int			nrows;
	int			room;
	TrialTerms	terms;
} Side;

static void
KeepRow(Side *side, JsonView row, int64 took)
{
	GROW_ARRAY(side->took, side->nrows, side->room, 64);
	JsonViewAppend(&side->rows, row);
	side->took[side->nrows++] = Int64GetDatum(took);
}

/* Runs the suite, and keeps its rows. */
static void
MeasureSuite(Side *side, Oid schema, const text *tenant, const JsonView *suite, const char *suite_digest)
{
	static FixedQuery query = {
		.text = "SELECT t.took FROM answer.run r CROSS JOIN LATERAL pg_catalog.unnest(r.took) WITH ORDINALITY AS t (took, n)"
		" WHERE r.tenant OPERATOR(pg_catalog.=) $1 AND r.run_id OPERATOR(pg_catalog.=) $2 ORDER BY t.n",
		.argtypes = {TEXTOID, TEXTOID}
	};
	JsonView	run = CandidateRun(schema, tenant, suite, suite_digest, side->config);
	JsonView	cases = JsonViewUnder(&run, "cases");
	Datum		values[2];
	QueryRows	rows;

	side->run_id = JsonViewUnder(&run, "receipt_id");
	/* the run was written by an earlier command */
	CommandCounterIncrement();
	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(SpanOf(side->run_id.str, side->run_id.len));
	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, values, NULL, true, 0);
	PopActiveSnapshot();
	if (cases.type != JVIEW_ARRAY || rows.count != (uint64) JsonViewCount(&cases))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("run \"%.*s\" does not say how long each of its cases took", side->run_id.len, side->run_id.str),
				 errhint("answer_log_audit() says what was changed.")));
	for (uint64 i = 0; i < rows.count; i++)
	{
		JsonView	row = JsonViewAt(&cases, (int) i);

		KeepRow(side, row, DatumGetInt64(ColumnDatum(rows.table, i, 1)));
	}
	QueryFree(&rows);
}

static void
MeasureQuestion(Side *side, int ordinal, const JsonView *asked)
{
	TimestampTz begun_at = GetCurrentTimestamp();
	char		digest[DIGEST_TEXT_LENGTH + 1];
	JsonView	row;

	CaseDigest(asked, digest);
	side->terms.now = begun_at;
	JsonViewOfJsonb(TrialRun(&side->terms, ordinal, asked, digest), &row);
	KeepRow(side, row, Max(GetCurrentTimestamp() - begun_at, 0));
}

/* Asks the tenant's latest questions again; returns how many. */
static int
MeasureTraffic(Side *base, Side *candidate, const text *tenant)
{
	/* a forgotten receipt has no such body */
	static FixedQuery query = {
		.text = "SELECT d.query FROM (SELECT r.body OPERATOR(pg_catalog.->>) 'query' AS query, pg_catalog.max(r.issued_at) AS last"
		" FROM (SELECT o.body, o.issued_at FROM answer.receipt o WHERE o.schema OPERATOR(pg_catalog.=) 'decision/v1'"
		"  AND o.tenant OPERATOR(pg_catalog.=) $1 AND (o.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) 'decision/v1'"
		"  AND pg_catalog.jsonb_typeof(o.body OPERATOR(pg_catalog.->) 'query') OPERATOR(pg_catalog.=) 'string'"
		"  ORDER BY o.issued_at DESC LIMIT 1000) r GROUP BY 1) d"
		" ORDER BY d.last DESC, d.query COLLATE \"C\" LIMIT 100",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	int			count;
	QueryRows	rows;

	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, &value, NULL, true, 0);
	PopActiveSnapshot();
	count = (int) rows.count;
	for (int i = 0; i < count; i++)
	{
		JsonView	asked = JsonViewNewObject(2);
		Span		question = ColumnSpan(rows.table, i, 1);

		CHECK_FOR_INTERRUPTS();
		JsonViewSet(&asked, "id", JsonViewCString(psprintf("asked-%d", i + 1)));
		JsonViewSet(&asked, "query", JsonViewString(question.str, question.len));
		JsonViewOfJsonb(JsonViewToJsonb(&asked, false), &asked);
		MeasureQuestion(candidate, i + 1, &asked);
		MeasureQuestion(base, i + 1, &asked);
	}
	QueryFree(&rows);
	return count;
}

/*
 * Returns the counts of one side.  Whether evidence is thin depends on the
 * thresholds of the base for both sides.
 */
static JsonView
MeasuresOf(const Side *side, const JsonView *base_config)
{
	static const Oid types[] = {JSONBOID, INT8ARRAYOID, JSONBOID};
	NullableDatum args[3] = {{0}};
	JsonView	measures;

	args[0].value = JsonbPGetDatum(JsonViewToJsonb(&side->rows, false));
	args[1].value = PointerGetDatum(construct_array(side->took, side->nrows, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	args[2].value = JsonbPGetDatum(JsonViewToJsonb(base_config, true));
	PushActiveSnapshot(GetLatestSnapshot());
	JsonViewOfJsonb(DatumGetJsonbPCopy(AnswerCall(AnswerSchema(), "evolve_measure", lengthof(types), types, args)), &measures);
	PopActiveSnapshot();
	return PortableCopy(&measures);
}

/* Measures the suite and the latest questions with both configurations. */
static JsonView
Measure(Oid schema, const text *tenant, const JsonView *suite, const JsonView *base_config, const JsonView *config)
{
	Side		base = {.config = base_config,.rows = JsonViewNewArray(64)};
	Side		candidate = {.config = config,.rows = JsonViewNewArray(64)};
	Side	   *sides[] = {&candidate, &base};
	char	   *suite_digest = SuiteDigestOf(suite);
	JsonView	validation = JsonViewNewObject(10);
	JsonView	runs = JsonViewNewObject(2);
	JsonView	base_measures;
	JsonView	measures;
	JsonView	judged;
	int			asked;

	for (size_t i = 0; i < lengthof(sides); i++)
	{
		sides[i]->terms.tenant = tenant;
		sides[i]->terms.documents = tenant;
		sides[i]->terms.config = NumbersOfPortable(sides[i]->config);
		sides[i]->terms.schema = schema;
		MeasureSuite(sides[i], schema, tenant, suite, suite_digest);
	}
	asked = MeasureTraffic(&base, &candidate, tenant);
	base_measures = MeasuresOf(&base, base_config);
	measures = MeasuresOf(&candidate, base_config);
	JsonViewOfJsonb(DatumGetJsonbPCopy(AskOfTwo("evolve_judge", &base_measures, &measures)), &judged);
	JsonViewSet(&runs, "base", base.run_id);
	JsonViewSet(&runs, "candidate", candidate.run_id);
	JsonViewSet(&validation, "suite", *suite);
	JsonViewSet(&validation, "runs", runs);
	JsonViewSet(&validation, "asked", JsonViewInteger(asked));
	JsonViewSet(&validation, "base", base_measures);
	JsonViewSet(&validation, "candidate", measures);
	JsonViewSet(&validation, "passed", JsonViewUnder(&judged, "passed"));
	JsonViewSet(&validation, "failures", JsonViewUnder(&judged, "failures"));
	return validation;
}

/* applying: whoever validates a proposal may lack the right to create or promote a configuration */

/* The reason of what is done for a proposal. */
static JsonView
ReasonOf(const Proposal *proposal)
{
	return JsonViewCString(psprintf("proposal %.*s", proposal->name.len, proposal->name.str));
}

/* Makes the candidate a version, with the caller's rights. */
static void
MakeVersion(Oid schema, const Proposal *proposal, const JsonView *change, const JsonView *base_id)
{
	static const Oid types[] = {JSONBOID, TEXTOID, TEXTOID};
	Span		over = SpanOfView(base_id);

	CallerStatementBegin(schema, "answer_config_create", lengthof(types), types);
	(void) ConfigCreate(proposal->tenant, NULL, change, ReasonOf(proposal), &over);
	CallerStatementEnd();
}

/* Promotes the version to its next stage, with the caller's rights. */
static JsonView
Promote(Oid schema, const Proposal *proposal, const JsonView *environment, const char *config_id)
{
	static const char *const shown[] = {"receipt_id", "stage", "moved", "outcome", "failures"};
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, TEXTOID};
	JsonView	promotion = JsonViewNewObject(lengthof(shown));
	JsonView	result;

	CallerStatementBegin(schema, "answer_config_promote", lengthof(types), types);
	JsonViewOfJsonb(ConfigPromote(schema, proposal->tenant, SpanOfView(environment), SpanOfCString(config_id), NULL,
								  ReasonOf(proposal)), &result);
	CallerStatementEnd();
	for (size_t i = 0; i < lengthof(shown); i++)
		JsonViewSet(&promotion, shown[i], JsonViewUnder(&result, shown[i]));
	return PortableCopy(&promotion);
}

static bool
IsTrue(JsonView view)
{
	return view.type == JVIEW_BOOL && view.boolean;
}

/* Returns the outcome of a proposal's validation; sets candidate and promotion. */
static const char *
ApplyProposal(Oid schema, const Proposal *proposal, const JsonView *change, const char *config_id, JsonView *validation)
{
	JsonView	state = proposal->record.state;
	JsonView	base_id = JsonViewUnder(&state, "base");
	JsonView	environment = JsonViewUnder(&state, "environment");
	JsonView	from = JsonViewUnder(&state, "from");
	JsonView	to = JsonViewUnder(&state, "change");
	JsonView	promotion = JsonViewNull();
	const char *action;

	if (!IsTrue(JsonViewUnder(validation, "passed")))
		action = "reject";
	else
	{
		MakeVersion(schema, proposal, change, &base_id);
		if (DatumGetBool(AskOfTwo("evolve_is_low_risk", &from, &to)))
		{
			promotion = Promote(schema, proposal, &environment, config_id);
			action = IsTrue(JsonViewUnder(&promotion, "moved")) ? "apply" : "reject";
		}
		else
			action = "wait";
	}
	JsonViewSet(validation, "config", JsonViewCString(config_id));
	JsonViewSet(validation, "promotion", promotion);
	return action;
}

static _Noreturn void
NoProposal(const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("there is no proposal \"%s\"", name),
			 errhint("answer.evolve_proposal lists them; answer_evolve_propose() makes them.")));
}

static bool
IsProposalId(Span id)
{
	int			prefix = strlen(PROPOSAL_ID_PREFIX);

	return id.len == PROPOSAL_ID_LENGTH && memcmp(id.str, PROPOSAL_ID_PREFIX, prefix) == 0 &&
		strspn(pnstrdup(id.str + prefix, id.len - prefix), "0123456789abcdef") == (size_t) (id.len - prefix);
}

/* Locks a proposal, and raises an error unless it waits for its validation. */
static void
RequireProposed(Proposal *proposal)
{
	JsonView	state;

	ReadProposal(proposal);
	if (!proposal->record.exists)
		NoProposal(pnstrdup(proposal->name.str, proposal->name.len));
	state = JsonViewUnder(&proposal->record.state, "state");
	if (!JsonViewStringIs(&state, "proposed"))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("proposal \"%.*s\" is %.*s", proposal->name.len, proposal->name.str, state.len, state.str),
				 errdetail("A proposal is validated once."),
				 errhint("answer_evolve_propose() proposes anew what the numbers still ask for.")));
}

/* Returns the configuration in force, which must be the base of the proposal. */
static JsonView
RequireBase(const Proposal *proposal, EnvironmentRecord *record)
{
	JsonView	environment = JsonViewUnder(&proposal->record.state, "environment");
	JsonView	base_id = JsonViewUnder(&proposal->record.state, "base");
	JsonView	active;

	EnvironmentInForce(proposal->tenant, SpanOfView(&environment), record);
	active = JsonViewUnder(&record->state, "active");
	if (!ReportIsSame(&active, &base_id))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("proposal \"%.*s\" would change configuration \"%.*s\", and \"%.*s\" is active in environment \"%.*s\"",
						proposal->name.len, proposal->name.str, base_id.len, base_id.str, active.len, active.str,
						environment.len, environment.str),
				 errhint("answer_evolve_propose() proposes anew what the numbers still ask for.")));
	return JsonViewUnder(&record->configs, pnstrdup(base_id.str, base_id.len));
}

/* answer_evolve_validate(proposal) */
PG_FUNCTION_INFO_V1(answer_eval_evolve_validate);
Datum
answer_eval_evolve_validate(PG_FUNCTION_ARGS)
{
	static const char *const moved[] = {"state", "validation"};
	MemoryContext caller = CurrentMemoryContext;
	Oid			schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	Proposal	proposal;
	EnvironmentRecord record;
	JsonView	change;
	JsonView	base;
	JsonView	candidate;
	JsonView	suite;
	JsonView	validation;
	JsonView	after;
	JsonView	result;
	char		config_id[CONFIG_ID_LENGTH + 1];
	const char *action;
	int			revision;
	Datum		datum;

	RequireArgument(fcinfo, 0, "proposal");
	proposal.name = TextArgument(fcinfo, 0);
	if (!IsProposalId(proposal.name))
		NoProposal(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	RequirePrimary("answer_evolve_validate()");
	proposal.tenant = CurrentTenant();
	SPI_connect();
	LockChange(proposal.tenant, CHANGE_PROPOSAL, proposal.name);
	RequireProposed(&proposal);
	revision = proposal.record.revision;
	base = RequireBase(&proposal, &record);
	change = JsonViewUnder(&proposal.record.state, "change");
	change = NumbersOfPortable(&change);
	candidate = ConfigOver(&base, &change);
	ConfigIdOf(&candidate, NULL, config_id);
	suite = JsonViewUnder(&record.state, "suite");
	validation = Measure(schema, proposal.tenant, &suite, &base, &candidate);
	action = ApplyProposal(schema, &proposal, &change, config_id, &validation);
	/* the suite's tools may have validated it meanwhile */
	RequireProposed(&proposal);
	if (proposal.record.revision != revision)
		elog(ERROR, "proposal was validated while its suite ran");
	after = JsonViewCopyWithout(&proposal.record.state, moved, lengthof(moved), lengthof(moved));
	JsonViewSet(&after, "state", JsonViewCString(strcmp(action, "apply") == 0 ? "applied" :
												 strcmp(action, "wait") == 0 ? "waiting" : "rejected"));
	JsonViewSet(&after, "validation", validation);
	after = PortableCopy(&after);
	result = JsonViewCopyWithout(&after, NULL, 0, 3);
	JsonViewSet(&result, "receipt_id", MintProposal(&proposal, action, after));
	JsonViewSet(&result, "proposal", JsonViewString(proposal.name.str, proposal.name.len));
	datum = ResultIn(caller, &result);
	SPI_finish();
	PG_RETURN_DATUM(datum);
}

/*
 * verification
 */

/* Does what a record concludes follow from its content? The promotion has a record of its own. */
JsonView
ProposalVerify(const JsonView *document)
{
	static const Oid types[] = {TEXTOID, JSONBOID};
	JsonView	name = JsonViewUnder(document, "name");
	JsonView	action = JsonViewUnder(document, "action");
	JsonView	after = JsonViewUnder(document, "after");
	JsonView	environment = JsonViewUnder(&after, "environment");
	JsonView	base_id = JsonViewUnder(&after, "base");
	JsonView	change = JsonViewUnder(&after, "change");
	NullableDatum args[2] = {{0}};
	Span		problem;

	if (name.type != JVIEW_STRING || action.type != JVIEW_STRING || after.type != JVIEW_OBJECT ||
		environment.type != JVIEW_STRING || base_id.type != JVIEW_STRING || change.type != JVIEW_OBJECT)
		return ReportStep("the proposal is malformed");
	if (!JsonViewStringIs(&name, ProposalId(environment, base_id, &change)))
		return ReportStep("the name does not follow from the proposal");
	args[0].value = SpanDatum(SpanOfView(&action));
	args[1].value = JsonbPGetDatum(JsonViewToJsonb(&after, true));
	PushActiveSnapshot(GetTransactionSnapshot());
	problem = Utf8OfText(DatumGetTextPCopy(AnswerCall(AnswerSchema(), "evolve_problem", lengthof(types), types, args)));
	PopActiveSnapshot();
	return ReportStep(problem.len > 0 ? pnstrdup(problem.str, problem.len) : NULL);
}
