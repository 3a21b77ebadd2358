/*-------------------------------------------------------------------------
 *
 * environment.c
 *		The configuration in force in an environment.
 *
 * Rule: doc/spec/gate.md §6.  The state of an environment is in its newest signed record
 * (change/v1): the active configuration, the candidate and its stage, and both
 * configurations in full.  There is no row that somebody could edit instead.
 *
 * Promises: only what was signed here decides.  A record counts if it verifies by a key of
 * this database, within that key's validity.  Other records are skipped, so inserting one
 * has no effect.  answer.environment_head only says that an environment has moved, and to
 * which revision.  If the newest good record has another revision than the last move,
 * records are missing, and nothing is decided until that is repaired.  A dump contains the
 * records, but not the heads.
 *
 * A tenant without an environment of that name uses the operator's.  An environment
 * without a record is as shipped.
 *
 * A verified state is cached in the session, under a token of the head's row: its position
 * and the transaction that wrote it.  The token is read with the same snapshot as the
 * records would be, without planning a query and without checking privileges.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/distributed.h"
#include "base/funcargs.h"
#include "base/option.h"
#include "base/owner.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/kind.h"
#include "document/signed.h"
#include "document/verify.h"
#include "ground/receipt_cache.h"
#include "ground/decision_config.h"
#include "ground/environment.h"
#include "ground/question_options.h"
#include "ground/decision_receipt.h"
#include "keys/keyring.h"

/* The key columns of answer.environment_head, and its revision. */
#define TENANT_COLUMN	1
#define NAME_COLUMN		2
#define REVISION_COLUMN	3

/* A session rarely needs more environments than this; further ones replace others. */
#define KEPT_MOST		64

/* Identifies a version of the head's row. */
typedef struct HeadToken
{
	ItemPointerData place;
	TransactionId writer;		/* invalid: there is no row */
	int			revision;
} HeadToken;

/* The cached state of an environment. */
typedef struct Kept
{
	MemoryContext context;		/* NULL: the slot is free */
	char		tenant[TENANT_MAX_LENGTH + 1];
	char		name[ENVIRONMENT_NAME_MAX + 1];
	HeadToken	token;
	bool		exists;
	Jsonb	   *active;
	Jsonb	   *candidate;
	EnvironmentStage stage;
	int			since;
	int			canary_percent;
} Kept;

static Kept kept[KEPT_MOST];
static int	kept_next = 0;

/* shipped environments */

typedef struct ShippedTerms
{
	const char *name;
	int			shadow_samples;
	int			canary_samples;
	int			canary_percent;
} ShippedTerms;

static const ShippedTerms shipped_terms[] = {
	{"dev", 0, 0, 50},
	{"staging", 20, 20, 20},
	{"prod", 100, 100, 10},
};

#define SHIPPED_SUITE "golden"

/* Computes the id of a complete configuration in portable form, which is the beginning of its digest. */
void
ConfigIdOf(const JsonView *config, char *digest, char *config_id)
{
	char		whole[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigest(config, NULL, whole);
	if (digest)
		strcpy(digest, whole);
	strcpy(config_id, CONFIG_ID_PREFIX);
	strncat(config_id, whole + strlen(DIGEST_PREFIX), CONFIG_ID_LENGTH - strlen(CONFIG_ID_PREFIX));
}

static JsonView
ShippedConfigPortable(void)
{
	JsonView	config = ShippedConfig();

	return PortableCopy(&config);
}

static JsonView
ShippedState(const ShippedTerms *terms)
{
	JsonView	state = JsonViewNewObject(12);
	JsonView	config = ShippedConfigPortable();
	char	   *config_id = palloc(CONFIG_ID_LENGTH + 1);

	ConfigIdOf(&config, NULL, config_id);
	JsonViewSet(&state, "active", JsonViewCString(config_id));
	JsonViewSet(&state, "shadow", JsonViewNull());
	JsonViewSet(&state, "canary", JsonViewNull());
	JsonViewSet(&state, "since", JsonViewNull());
	JsonViewSet(&state, "history", JsonViewNewArray(0));
	JsonViewSet(&state, "suite", JsonViewCString(SHIPPED_SUITE));
	JsonViewSet(&state, "rules", JsonViewNewObject(0));
	JsonViewSet(&state, "shadow_samples", JsonViewInteger(terms->shadow_samples));
	JsonViewSet(&state, "canary_samples", JsonViewInteger(terms->canary_samples));
	JsonViewSet(&state, "canary_percent", JsonViewInteger(terms->canary_percent));
	JsonViewSet(&state, "most_different_percent", JsonViewInteger(100));
	return state;
}

JsonView
ShippedEnvironment(Span name)
{
	for (size_t i = 0; i < lengthof(shipped_terms); i++)
	{
		if (SpanEqualCString(name, shipped_terms[i].name))
			return ShippedState(&shipped_terms[i]);
	}
	return (JsonView) {.type = JVIEW_ABSENT};
}

static JsonView
ShippedEnvironments(void)
{
	JsonView	environments = JsonViewNewObject(lengthof(shipped_terms));

	for (size_t i = 0; i < lengthof(shipped_terms); i++)
		JsonViewSet(&environments, shipped_terms[i].name, ShippedState(&shipped_terms[i]));
	return environments;
}

/*
 * states
 */

int
StateInteger(const JsonView *state, const char *key)
{
	JsonView	value;
	int64		integer = 0;

	if (JsonViewGetMember(state, key, &value))
		(void) NumberIntegerBetween(&value, 0, PG_INT32_MAX, &integer);
	return (int) integer;
}

/* Returns the stage of the candidate, and its id. */
EnvironmentStage
StageOfState(const JsonView *state, JsonView *candidate)
{
	if (JsonViewGetMember(state, "canary", candidate) && candidate->type == JVIEW_STRING)
		return STAGE_CANARY;
	if (JsonViewGetMember(state, "shadow", candidate) && candidate->type == JVIEW_STRING)
		return STAGE_SHADOW;
	candidate->type = JVIEW_ABSENT;
	return STAGE_NONE;
}

/* Is it a name that needs no quoting, and is the same in every encoding? */
bool
IsEnvironmentName(Span name)
{
	if (name.len == 0 || name.len > ENVIRONMENT_NAME_MAX || name.str[0] < 'a' || name.str[0] > 'z')
		return false;
	for (int i = 0; i < name.len; i++)
	{
		if (name.str[i] == '\0' || strchr("abcdefghijklmnopqrstuvwxyz0123456789_-", name.str[i]) == NULL)
			return false;
	}
	return true;
}

/*
 * records
 */

/* Is a key in the registry one that this database signs or signed with? An imported one has no folder. */
static bool
IsOwnKey(Span key_id)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.signing_key WHERE key_id OPERATOR(pg_catalog.=) $1 AND folder IS NOT NULL",
		.argtypes = {TEXTOID}
	};
	Datum		id = PointerGetDatum(cstring_to_text_with_len(key_id.str, key_id.len));
	bool		is_own;
	QueryRows	rows;

	rows = QueryRun(&query, &id, NULL, true, 1);
	is_own = rows.count > 0;
	QueryFree(&rows);
	return is_own;
}

/* Was a record signed here, and does it verify by its key, within that key's validity? */
static bool
IsGoodRecord(const JsonView *body, const char *receipt_id, const text *tenant)
{
	JsonView	member;
	JsonView	keys;
	Span		key_id;
	bool		has_tenant = JsonViewGetMember(body, "tenant", &member);

	if (!ReceiptKeyId(body, &key_id) || !IsOwnKey(key_id) || !RegistryKeys(key_id, &keys))
		return false;
	if (has_tenant ? member.type != JVIEW_STRING ||
		!SpanEqual(SpanOf(member.str, member.len),
				   SpanOf(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant))) :
		VARSIZE_ANY_EXHDR(tenant) > 0)
		return false;
	if (!JsonViewGetMember(body, "schema", &member) || !JsonViewStringIs(&member, change_kind.schema))
		return false;
	return ReceiptProblem(body, receipt_id, &keys) == NULL &&
		FindKindProblem(&change_kind, body) == NULL && change_kind.closure_problem(body) == NULL;
}

/* Fills a record from a good body. */
static void
TakeRecord(const JsonView *body, EnvironmentRecord *record)
{
	record->revision = StateInteger(body, "revision");
	(void) JsonViewGetMember(body, "after", &record->state);
	record->exists = record->state.type == JVIEW_OBJECT;
	if (!JsonViewGetMember(body, "configs", &record->configs))
		record->configs = JsonViewNewObject(0);
}

/*
 * Finds the newest good record, which is usually the first one.  The bodies stay in
 * the current context.  SPI must be connected.
 */
void
RecordNewest(const text *tenant, const char *kind, Span name, EnvironmentRecord *record)
{
	static FixedQuery query = {
		.text = "SELECT r.body, r.receipt_id FROM answer.receipt r WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1'"
		" AND r.tenant OPERATOR(pg_catalog.=) $1 AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) $2"
		" AND (r.body OPERATOR(pg_catalog.->>) 'name') OPERATOR(pg_catalog.=) $3"
		" AND ((r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4) OPERATOR(pg_catalog.>) 0"
		" ORDER BY ((r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4) DESC, r.receipt_id",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), CStringGetTextDatum(kind), SpanDatum(name)};
	QueryRows	rows;

	/* reads the others only if the newest is not good */
	for (long limit = 1;; limit = 0)
	{
		rows = QueryRun(&query, values, NULL, true, limit);
		for (uint64 i = 0; i < rows.count; i++)
		{
			char	   *receipt_id = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 2);
			JsonView	body;

			CHECK_FOR_INTERRUPTS();
			JsonViewOfJsonb(ColumnJsonb(rows.table, i, 1), &body);
			record->seen = Max(record->seen, StateInteger(&body, "revision"));
			if (!IsGoodRecord(&body, receipt_id, tenant))
				continue;
			TakeRecord(&body, record);
			QueryFree(&rows);
			return;
		}
		QueryFree(&rows);
		if (limit == 0 || rows.count == 0)
			return;
	}
}

/* Reads the head of an environment with the current snapshot. */
static void
ReadHead(const text *tenant, Span name, HeadToken *token)
{
	Relation	relation = table_open(AnswerTable("environment_head"), AccessShareLock);
	Oid			index;
	ScanKeyData match[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	memset(token, 0, sizeof(*token));
	RequireLocal(RelationGetRelid(relation), "What is in force is looked up in pages, which the shell of such a table lacks.");
	/* the common case, for one system call: nobody has changed any environment */
	if (RelationGetNumberOfBlocks(relation) == 0)
	{
		table_close(relation, AccessShareLock);
		return;
	}
	index = AnswerRelation("environment_head_pkey");
	/* the columns have the collation "C", as these keys do */
	ScanKeyInit(&match[0], TENANT_COLUMN, BTEqualStrategyNumber, F_TEXTEQ, PointerGetDatum(tenant));
	ScanKeyInit(&match[1], NAME_COLUMN, BTEqualStrategyNumber, F_TEXTEQ,
				PointerGetDatum(cstring_to_text_with_len(name.str, name.len)));
	scan = systable_beginscan(relation, index, OidIsValid(index), GetActiveSnapshot(), 2, match);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;

		token->place = tuple->t_self;
		token->writer = HeapTupleHeaderGetRawXmin(tuple->t_data);
		token->revision = DatumGetInt32(heap_getattr(tuple, REVISION_COLUMN, RelationGetDescr(relation), &isnull));
	}
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
}

static bool
ReadUnderHead(const text *tenant, Span name, const HeadToken *head, EnvironmentRecord *record, const char **problem)
{
	memset(record, 0, sizeof(*record));
	record->seen = head->revision;
	RecordNewest(tenant, CHANGE_ENVIRONMENT, name, record);
	if (record->revision == 0 && VARSIZE_ANY_EXHDR(tenant) == 0)
	{
		char		config_id[CONFIG_ID_LENGTH + 1];
		JsonView	config = ShippedConfigPortable();

		record->state = ShippedEnvironment(name);
		record->exists = record->state.type == JVIEW_OBJECT;
		record->configs = JsonViewNewObject(1);
		ConfigIdOf(&config, NULL, config_id);
		JsonViewSet(&record->configs, pstrdup(config_id), config);
	}
	*problem = NULL;
	if (TransactionIdIsValid(head->writer) && head->revision != record->revision)
		*problem = psprintf("The newest record that verifies is revision %d, and the last move was revision %d.",
							record->revision, head->revision);
	return *problem == NULL;
}

/* See the header. SPI must be connected, and the current role must be the owner of our tables. */
bool
EnvironmentRead(const text *tenant, Span name, EnvironmentRecord *record, const char **problem)
{
	HeadToken	head;

	ReadHead(tenant, name, &head);
	return ReadUnderHead(tenant, name, &head, record, problem);
}

/* cache of the session */

/* Returns a configuration of a record as decisions read it, in the given context. */
static Jsonb *
ConfigOfRecord(const EnvironmentRecord *record, const JsonView *config_id, MemoryContext context)
{
	JsonView	config;
	DecisionConfig parsed;
	Jsonb	   *jsonb;
	Jsonb	   *copy;

	if (config_id->type != JVIEW_STRING ||
		!JsonViewGet(&record->configs, config_id->str, config_id->len, &config) ||
		!DecisionConfigIsWhole(&config))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the record of an environment lacks a configuration that it names")));
	config = NumbersOfPortable(&config);
	DecisionConfigOfView(&config, &parsed);
	config = DecisionConfigView(&parsed);
	jsonb = JsonViewToJsonb(&config, false);
	copy = MemoryContextAlloc(context, VARSIZE(jsonb));
	memcpy(copy, jsonb, VARSIZE(jsonb));
	return copy;
}

static void
FillKept(Kept *place, const EnvironmentRecord *record)
{
	JsonView	config_id;

	place->exists = record->exists;
	if (!record->exists)
		return;
	(void) JsonViewGetMember(&record->state, "active", &config_id);
	place->active = ConfigOfRecord(record, &config_id, place->context);
	place->stage = StageOfState(&record->state, &config_id);
	if (place->stage != STAGE_NONE)
		place->candidate = ConfigOfRecord(record, &config_id, place->context);
	place->since = StateInteger(&record->state, "since");
	place->canary_percent = StateInteger(&record->state, "canary_percent");
}

static _Noreturn void
RecordsAreAmiss(const char *name, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("the records of environment \"%s\" do not end with its last move", name),
			 errdetail("%s", problem),
			 errhint("answer_log_audit() says what is wrong. answer_environment_set() signs anew what the newest good record says.")));
}

/* Reads an environment into a slot, and replaces what was there. */
static void
KeepEnvironment(Kept *place, const text *tenant, Span name, const HeadToken *token)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(caller, "answer_eval environment", ALLOCSET_DEFAULT_SIZES);
	Kept		fresh = {.token = *token};
	EnvironmentRecord record;
	const char *problem;
	bool		is_good;
	Oid			user;
	int			context;

	memcpy(fresh.tenant, VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant));
	memcpy(fresh.name, name.str, name.len);
	SPI_connect();
	MemoryContextSwitchTo(work);
	AnswerAsOwner(&user, &context);
	is_good = ReadUnderHead(tenant, name, token, &record, &problem);
	AnswerAsCaller(user, context);
	if (!is_good)
		RecordsAreAmiss(fresh.name, problem);
	fresh.context = AllocSetContextCreate(work, "answer_eval configuration in force", ALLOCSET_SMALL_SIZES);
	FillKept(&fresh, &record);
	SPI_finish();
	if (place->context)
		MemoryContextDelete(place->context);
	MemoryContextSetParent(fresh.context, CacheMemoryContext);
	*place = fresh;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(work);
}

/* Returns a tenant's own environment; NULL if there is none. */
static const Kept *
FindKept(const text *tenant, Span name)
{
	Span		whose = SpanOf(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant));
	Kept	   *place = NULL;
	HeadToken	token;

	if (whose.len > TENANT_MAX_LENGTH)
		return NULL;
	ReadHead(tenant, name, &token);
	for (int i = 0; i < KEPT_MOST && place == NULL; i++)
	{
		if (kept[i].context && SpanEqualCString(name, kept[i].name) && SpanEqualCString(whose, kept[i].tenant))
			place = &kept[i];
	}
	if (place == NULL)
	{
		place = &kept[kept_next];
		kept_next = (kept_next + 1) % KEPT_MOST;
		KeepEnvironment(place, tenant, name, &token);
	}
	else if (place->token.writer != token.writer || place->token.revision != token.revision ||
			 !ItemPointerEquals(&place->token.place, &token.place))
		KeepEnvironment(place, tenant, name, &token);
	return place->exists ? place : NULL;
}

/*
 * what is in force
 */

/* Returns the environment of this session; raises an error if the setting is not a valid name. */
const char *
SessionEnvironment(void)
{
	Span		name = SpanOfCString(answer_eval_environment ? answer_eval_environment : "");

	if (!IsEnvironmentName(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("answer_eval.environment \"%s\" is no name of an environment", name.str),
				 errdetail("A name has from 1 to %d characters: lower-case ASCII letters, digits, _ and -. It begins with a letter.",
						   ENVIRONMENT_NAME_MAX),
				 errhint("Environments that ship are dev, staging and prod.")));
	return name.str;
}

/*
 * Returns the key by which the share of a canary is chosen.  It depends on tenant
 * and question, not on who asks.
 */
int64
QuestionKey(const text *tenant, Span question)
{
	JsonView	parts = JsonViewNewArray(2);
	uint8		sha256[SHA256_LENGTH];
	uint64		key = 0;

	JsonViewAppend(&parts, JsonViewString(VARDATA_ANY(tenant), VARSIZE_ANY_EXHDR(tenant)));
	JsonViewAppend(&parts, FoldedQuery(question));
	CanonicalSha256(&parts, NULL, sha256);
	for (int i = 0; i < 8; i++)
		key = key << 8 | sha256[i];
	return (int64) key;
}

static const Kept *
FindInForce(const text *tenant, const char *name, const text **whose)
{
	Span		span = SpanOfCString(name);
	const Kept *found = NULL;

	*whose = tenant;
	if (VARSIZE_ANY_EXHDR(tenant) > 0)
		found = FindKept(tenant, span);
	if (found == NULL)
	{
		*whose = cstring_to_text("");
		found = FindKept(*whose, span);
	}
	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no environment \"%s\"", name),
				 errhint("answer.environment lists those that are there; answer_environment_set() makes one. The setting answer_eval.environment chooses the session's.")));
	return found;
}

JsonView
ActiveConfig(const text *tenant, const Pinning *pinning, const Span *question, Serving *serving)
{
	const char *name = SessionEnvironment();
	const text *whose;
	const Kept *found;
	bool		is_candidates = false;
	int64		key = 0;
	const Jsonb *config;
	Jsonb	   *copy;
	JsonView	view;

	if (pinning)
	{
		if (serving)
			*serving = (Serving) {.tenant = tenant,.environment = name};
		return *pinning->config;
	}
	found = FindInForce(tenant, name, &whose);
	if (found->stage != STAGE_NONE && question)
	{
		key = QuestionKey(tenant, *question);
		is_candidates = found->stage == STAGE_CANARY && (uint64) key % 100 < (uint64) found->canary_percent;
	}
	if (serving)
		*serving = (Serving) {.tenant = whose,.environment = name,.since = found->since,.question = key,
		.is_sample = found->stage == STAGE_SHADOW || is_candidates};
	/* user code that runs later may cause the slot to be reused */
	config = is_candidates ? found->candidate : found->active;
	copy = palloc(VARSIZE(config));
	memcpy(copy, config, VARSIZE(config));
	JsonViewOfJsonb(copy, &view);
	return view;
}

/*
 * SQL
 */

/* answer.shipped_environments() */
PG_FUNCTION_INFO_V1(answer_eval_shipped_environments);
Datum
answer_eval_shipped_environments(PG_FUNCTION_ARGS)
{
	JsonView	environments = ShippedEnvironments();

	PG_RETURN_JSONB_P(JsonViewToJsonb(&environments, true));
}

/* answer.shipped_config() */
PG_FUNCTION_INFO_V1(answer_eval_shipped_config);
Datum
answer_eval_shipped_config(PG_FUNCTION_ARGS)
{
	JsonView	config = ShippedConfig();

	PG_RETURN_JSONB_P(JsonViewToJsonb(&config, true));
}

/* answer_config(env) */
PG_FUNCTION_INFO_V1(answer_eval_config);
Datum
answer_eval_config(PG_FUNCTION_ARGS)
{
	const text *tenant = TenantOrShared();
	const text *whose;
	const Kept *found;
	Jsonb	   *copy;
	JsonView	view;

	if (PG_ARGISNULL(0))
		found = FindInForce(tenant, SessionEnvironment(), &whose);
	else
	{
		Span		name = TextArgument(fcinfo, 0);

		if (!IsEnvironmentName(name))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("\"%s\" is no name of an environment", text_to_cstring(PG_GETARG_TEXT_PP(0))),
					 errhint("answer.environment lists those that are there.")));
		found = FindInForce(tenant, pnstrdup(name.str, name.len), &whose);
	}
	copy = palloc(VARSIZE(found->active));
	memcpy(copy, found->active, VARSIZE(found->active));
	JsonViewOfJsonb(copy, &view);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&view, true));
}
