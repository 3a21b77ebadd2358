/*-------------------------------------------------------------------------
 *
 * candidate.c
 *		Judges a candidate configuration by the gate of an environment.
 *
 * Rule: doc/spec/gate.md §6.5.  The environment's suite is run with the candidate and with
 * the active configuration, and the gate judges the first run against the second.  The record
 * contains what the gate reads of both runs (RunBrief), and the rules in full.  So anybody who
 * has the record can judge again, and anybody who has the runs can check what the record says
 * about them.
 *
 * Promises: a run counts only if it is a signed document of this database, of that suite and
 * that configuration, and both runs are of the same engine.  The stored run is read again and
 * verified, because the tools of the suite have run in between.  A tenant's suite cannot take
 * the place of the operator's suite with the same name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/kind.h"
#include "document/signed.h"
#include "document/verify.h"
#include "gate/candidate.h"
#include "gate/gate.h"
#include "gate/suite_run.h"
#include "ground/environment.h"
#include "keys/keyring.h"

/*
 * runs
 */

/* Reads a stored run with the current rights; false if there is none. */
static bool
ReadRun(Datum tenants, const char *run_id, bool as_owner, JsonView *run)
{
	static FixedQuery query = {
		.text = "SELECT r.body FROM answer.receipt r WHERE r.receipt_id OPERATOR(pg_catalog.=) $1"
		" AND r.schema OPERATOR(pg_catalog.=) 'run/v1' AND r.tenant OPERATOR(pg_catalog.=) ANY ($2)"
		" AND (r.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) 'run/v1' ORDER BY r.tenant",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {CStringGetTextDatum(run_id), tenants};
	bool		found;
	QueryRows	rows;

	if (as_owner)
		rows = QueryRunAsOwner(&query, values, NULL, true, 1);
	else
		rows = QueryRun(&query, values, NULL, true, 1);
	found = rows.count > 0;
	if (found)
		JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), run);
	QueryFree(&rows);
	return found;
}

/* Raises an error unless the suite found by a name is the operator's, in its newest version. */
void
RequireOperatorsSuite(const JsonView *suite, const JsonView *stated, const char *suite_digest)
{
	if (!JsonViewStringIs(stated, suite_digest))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("suite \"%.*s\" is not the operator's, which gates this environment", suite->len, suite->str),
				 errdetail("A tenant's own suite of that name was run, or another version was loaded meanwhile."),
				 errhint("Promote again; a tenant's suite needs another name.")));
}

/* Raises an error unless a run has the expected id, suite and configuration. */
static void
RunMustHold(const JsonView *run, const char *run_id, const JsonView *suite, const char *suite_digest,
			const JsonView *config)
{
	JsonView	ran = JsonViewUnder(run, "suite");
	JsonView	name = JsonViewUnder(&ran, "name");
	JsonView	stated = JsonViewUnder(&ran, "digest");
	JsonView	config_digest = JsonViewUnder(run, "config_digest");
	JsonView	keys;
	Span		key_id;
	const char *problem = NULL;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	char		config_id[CONFIG_ID_LENGTH + 1];
	Oid			user;
	int			context;

	ConfigIdOf(config, digest, config_id);
	AnswerAsOwner(&user, &context);
	if (!ReceiptKeyId(run, &key_id) || !RegistryKeys(key_id, &keys))
		problem = "its key is not of this database";
	else
		problem = ReceiptProblem(run, run_id, &keys);
	AnswerAsCaller(user, context);
	if (problem == NULL && !ReportIsSame(&name, suite))
		problem = "it is of another suite";
	if (problem == NULL && !JsonViewStringIs(&config_digest, digest))
		problem = "it is of another configuration";
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("run \"%s\" is not what answer_suite_run() was asked for", run_id),
				 errdetail("%s.", problem),
				 errhint("answer_log_audit() says what was changed.")));
	RequireOperatorsSuite(suite, &stated, suite_digest);
}

/* Returns the digest of the newest version of the operator's suite with a name. */
char *
SuiteDigestOf(const JsonView *suite)
{
	static FixedQuery query = {
		.text = "SELECT s.digest FROM answer.suite s WHERE s.tenant OPERATOR(pg_catalog.=) ''"
		" AND s.name OPERATOR(pg_catalog.=) $1 ORDER BY s.version DESC",
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(SpanOfView(suite));
	char	   *digest = NULL;
	QueryRows	rows;

	PushActiveSnapshot(GetLatestSnapshot());
	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);
	if (rows.count > 0)
		digest = ColumnName(rows.table, 0, 1);
	QueryFree(&rows);
	PopActiveSnapshot();
	if (digest == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no suite \"%s\"", TextDatumGetCString(value)),
				 errdetail("It is the one that gates this environment."),
				 errhint("answer_suite_load() loads one; answer_environment_set() names another.")));
	return digest;
}

JsonView
CandidateRun(Oid schema, const text *tenant, const JsonView *suite, const char *suite_digest, const JsonView *config)
{
	Datum		whose = PointerGetDatum(tenant);
	Datum		tenants = PointerGetDatum(construct_array(&whose, 1, TEXTOID, -1, false, TYPALIGN_INT));
	char	   *run_id = text_to_cstring(SuiteRunSigned(schema, TextOfUtf8(SpanOfView(suite)), JsonViewToJsonb(config, true), NULL));
	JsonView	run;

	PushActiveSnapshot(GetLatestSnapshot());
	if (!ReadRun(tenants, run_id, true, &run))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("run \"%s\" is not stored", run_id)));
	RunMustHold(&run, run_id, suite, suite_digest, config);
	PopActiveSnapshot();
	return run;
}

/* Runs the suite, and returns what the gate reads of the run. */
static JsonView
BriefOfRun(Oid schema, const text *tenant, const JsonView *suite, const char *suite_digest, const JsonView *config)
{
	JsonView	run = CandidateRun(schema, tenant, suite, suite_digest, config);
	JsonView	brief = RunBrief(&run);

	return PortableCopy(&brief);
}

/*
 * the gate
 */

/* Returns all reasons against a pass, in one list. */
static JsonView
FailuresOf(const JsonView *judged)
{
	static const char *const lists[] = {"failures", "inconclusive"};
	JsonView	failures = JsonViewNewArray(4);

	for (size_t i = 0; i < lengthof(lists); i++)
	{
		JsonView	list = JsonViewUnder(judged, lists[i]);

		for (int j = 0; list.type == JVIEW_ARRAY && j < JsonViewCount(&list); j++)
		{
			JsonView	failure = JsonViewAt(&list, j);

			JsonViewAppend(&failures, failure);
		}
	}
	return failures;
}

JsonView
CandidateGate(Oid schema, const text *tenant, const JsonView *state, const JsonView *candidate, const JsonView *active)
{
	JsonView	suite = JsonViewUnder(state, "suite");
	JsonView	rules = JsonViewUnder(state, "rules");
	JsonView	runs = JsonViewNewObject(2);
	JsonView	gate = JsonViewNewObject(6);
	char	   *digest = SuiteDigestOf(&suite);
	JsonView	baseline = BriefOfRun(schema, tenant, &suite, digest, active);
	JsonView	run = BriefOfRun(schema, tenant, &suite, digest, candidate);
	JsonView	engine = JsonViewUnder(&run, "engine_digest");
	JsonView	engine_before = JsonViewUnder(&baseline, "engine_digest");
	JsonView	judged;
	const char *problem;

	if (!ReportIsSame(&engine, &engine_before))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("rules or routes changed while the suite ran"),
				 errhint("Promote again.")));
	if (!GateJudge(&run, &rules, &baseline, &judged, &problem))
		MalformedArgument(problem, "answer_environment_set() sets the rules of an environment.");
	JsonViewSet(&runs, "candidate", run);
	JsonViewSet(&runs, "baseline", baseline);
	JsonViewSet(&gate, "candidate", JsonViewUnder(&run, "run_id"));
	JsonViewSet(&gate, "baseline", JsonViewUnder(&baseline, "run_id"));
	JsonViewSet(&gate, "outcome", JsonViewUnder(&judged, "outcome"));
	JsonViewSet(&gate, "failures", FailuresOf(&judged));
	JsonViewSet(&gate, "rules", JsonViewUnder(&judged, "rules"));
	JsonViewSet(&gate, "runs", runs);
	return PortableCopy(&gate);
}

/* Raises 22023 for malformed rules. */
void
GateRulesCheck(const JsonView *rules)
{
	JsonView	brief = JsonViewNewObject(2);
	JsonView	summary = JsonViewNewObject(2);
	JsonView	absent = {.type = JVIEW_ABSENT};
	JsonView	judged;
	const char *problem;

	JsonViewSet(&summary, "metrics", JsonViewNewObject(0));
	JsonViewSet(&summary, "slices", JsonViewNewObject(0));
	JsonViewSet(&brief, "summary", summary);
	JsonViewSet(&brief, "outcomes", JsonViewNewObject(0));
	if (!GateJudge(&brief, rules, &absent, &judged, &problem))
		MalformedArgument(problem, "answer_gate() says which rules there are; {} takes the shipped ones.");
}

/*
 * replay
 */

/* Does the brief of a run have the id that the record names, and that configuration? */
static bool
BriefIsOf(const JsonView *gate, const char *which, const JsonView *brief, const JsonView *suite, const JsonView *config_id)
{
	JsonView	named = JsonViewUnder(gate, which);
	JsonView	run_id = JsonViewUnder(brief, "run_id");
	JsonView	of = JsonViewUnder(brief, "suite");
	JsonView	name = JsonViewUnder(&of, "name");
	JsonView	digest = JsonViewUnder(brief, "config_digest");

	return named.type == JVIEW_STRING && ReportIsSame(&named, &run_id) && ReportIsSame(&name, suite) &&
		config_id->type == JVIEW_STRING && config_id->len == CONFIG_ID_LENGTH && digest.type == JVIEW_STRING &&
		digest.len == DIGEST_TEXT_LENGTH &&
		memcmp(digest.str + strlen(DIGEST_PREFIX), config_id->str + strlen(CONFIG_ID_PREFIX),
			   CONFIG_ID_LENGTH - strlen(CONFIG_ID_PREFIX)) == 0;
}

const char *
CandidateGateProblem(const JsonView *state, const JsonView *gate, const JsonView *candidate_id)
{
	JsonView	rules = JsonViewUnder(gate, "rules");
	JsonView	own = JsonViewUnder(state, "rules");
	JsonView	suite = JsonViewUnder(state, "suite");
	JsonView	active_id = JsonViewUnder(state, "active");
	JsonView	runs = JsonViewUnder(gate, "runs");
	JsonView	run = JsonViewUnder(&runs, "candidate");
	JsonView	baseline = JsonViewUnder(&runs, "baseline");
	JsonView	stated = JsonViewUnder(gate, "outcome");
	JsonView	failures = JsonViewUnder(gate, "failures");
	JsonView	judged;
	JsonView	outcome;
	JsonView	used;
	const char *problem;

	if (!BriefIsOf(gate, "candidate", &run, &suite, candidate_id) ||
		!BriefIsOf(gate, "baseline", &baseline, &suite, &active_id))
		return "the gate did not read runs of the two configurations";
	/* by the rules of the environment, with the shipped ones where it has none */
	if (!GateJudge(&run, &own, &baseline, &judged, &problem))
		return psprintf("the gate cannot be judged again: %s", problem);
	used = JsonViewUnder(&judged, "rules");
	if (!ReportIsSame(&rules, &used))
		return "the rules of the gate are not those of the environment";
	outcome = JsonViewUnder(&judged, "outcome");
	judged = FailuresOf(&judged);
	return ReportIsSame(&stated, &outcome) && ReportIsSame(&failures, &judged) ? NULL :
		"the gate judges otherwise";
}

/*
 * Compares the runs that a gate names with the stored ones: "same", "absent" or
 * "changed".  A caller that may not read them is told "absent".
 */
const char *
CandidateGateRuns(const JsonView *gate)
{
	static const char *const which[] = {"candidate", "baseline"};
	const char *answer = "same";
	JsonView	runs = JsonViewUnder(gate, "runs");
	bool		is_granted;
	bool		as_owner;
	ArrayType  *tenants = ReadableOrShared(&is_granted);

	as_owner = pg_class_aclcheck(AnswerTable("receipt"), GetUserId(), ACL_SELECT) != ACLCHECK_OK;
	if (as_owner && !(is_granted && TenantsExist()))
		return "absent";
	if (as_owner)
		tenants = ReadableTenants();
	SPI_connect();
	for (size_t i = 0; i < lengthof(which); i++)
	{
		JsonView	run_id = JsonViewUnder(gate, which[i]);
		JsonView	stated = JsonViewUnder(&runs, which[i]);
		JsonView	run;
		JsonView	brief;

		if (run_id.type != JVIEW_STRING || !ReadRun(PointerGetDatum(tenants), pnstrdup(run_id.str, run_id.len), as_owner, &run))
		{
			answer = strcmp(answer, "same") == 0 ? "absent" : answer;
			continue;
		}
		brief = RunBrief(&run);
		if (!ReportIsSame(&stated, &brief))
			answer = "changed";
	}
	SPI_finish();
	return answer;
}
