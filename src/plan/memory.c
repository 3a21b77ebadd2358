/*-------------------------------------------------------------------------
 *
 * memory.c
 *		The memory of a tenant: values by key, with the evidence that they rest on.
 *
 * Rule: doc/spec/plan.md §13.5.  A key has one value, the last one written; each
 * write starts its lifetime anew.  It is gone from the second at which it expires, by
 * the clock of decisions: the instant at which the plan is evaluated.
 *
 * The gate: a value is written only with evidence of the same trace, with a support
 * and enough confidence, which is computed here and not taken from the evidence.  Only
 * the kernel knows whether an evidence is from the trace, and who reported it or the
 * value.  It says so by a grant, which SQL cannot give; without a grant the tool
 * refuses to write.  Reported values are accepted only under keys for which the
 * operator allows it (answer.memory_policy), and are returned with the roles that
 * reported them.
 *
 * Promises: a refused write changes nothing.  A forgotten value does not come back.
 * Of two concurrent writes the last one stays.  Later writes delete expired rows, a
 * few each time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/settings.h"
#include "base/sha256.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/forgotten.h"
#include "document/tombstone.h"
#include "plan/ground_conf.h"
#include "plan/memory.h"
#include "plan/ttl.h"

static const MemoryGrant *granted = NULL;

static const char arguments_hint[] =
"The arguments are {op: read or write, key, value, provenance, ttl}; reading takes the key alone.";

/*
 * reading
 */

/* Reads the columns of an entry from the first row of a result. */
static void
EntryOfRow(const QueryRows *rows, MemoryEntry *entry)
{
	JsonView	view = {.type = JVIEW_ABSENT};
	Jsonb	   *roles;

	memset(entry, 0, sizeof(*entry));
	if (rows->count == 0)
		return;
	entry->exists = true;
	JsonViewOfJsonb(ColumnJsonb(rows->table, 0, 1), &entry->value);
	JsonViewOfJsonb(ColumnJsonb(rows->table, 0, 2), &entry->provenance);
	entry->ttl = ColumnSpan(rows->table, 0, 3);
	(void) ColumnInstant(rows->table, 0, 4, &entry->written_at);
	(void) ColumnInstant(rows->table, 0, 5, &entry->expires_at);
	entry->trace_id = ColumnSpan(rows->table, 0, 6);
	roles = ColumnJsonb(rows->table, 0, 7);
	if (roles)
		JsonViewOfJsonb(roles, &view);
	entry->origin = OriginOfView(&view);
}

void
MemoryRead(const text *tenant, Span key, TimestampTz at, MemoryEntry *entry)
{
	static FixedQuery read = {
		.text = "SELECT value, provenance, ttl, written_at, expires_at, trace_id, pg_catalog.to_jsonb(reported_by)"
		" FROM answer.memory_entry"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND key OPERATOR(pg_catalog.=) $2"
		" AND expires_at OPERATOR(pg_catalog.>) $3",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	Datum		values[3];
	QueryRows	rows;

	SPI_connect();
	MemoryContextSwitchTo(caller);
	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(key);
	values[2] = TimestampTzGetDatum(at);
	rows = QueryRunAsOwner(&read, values, NULL, true, 1);
	EntryOfRow(&rows, entry);
	QueryFree(&rows);
	SPI_finish();
}

/*
 * writing
 */

static void
RequireKey(Span key)
{
	JsonView	view = JsonViewString(key.str, key.len);

	if (key.len == 0 || key.len > MEMORY_MAX_KEY)
		MalformedArgument(psprintf("key must have from 1 to %d bytes, and is %s", MEMORY_MAX_KEY, ShownValue(&view)),
						  arguments_hint);
}

static TimestampTz
ExpiryOf(Span ttl, TimestampTz at)
{
	int64		seconds;
	TimestampTz expires;
	const char *problem = TtlParse(ttl, &seconds);
	JsonView	view = JsonViewString(ttl.str, ttl.len);

	if (problem)
		MalformedArgument(psprintf("ttl %s, and is %s", problem, ShownValue(&view)),
						  "P90D is 90 days, PT12H half a day.");
	if (!TtlExpires(seconds, at, &expires))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range"),
				 errdetail("What is written then and lives so long expires beyond what timestamps hold.")));
	return expires;
}

/*
 * Does the operator allow reported values under keys like this one?  The longest
 * matching prefix decides.  SPI must be connected.
 */
static bool
TakesReported(const text *tenant, Span key)
{
	static FixedQuery find = {
		.text = "SELECT 1 FROM (SELECT p.reported FROM answer.memory_policy p WHERE p.tenant OPERATOR(pg_catalog.=) $1"
		" AND pg_catalog.starts_with($2, p.key_prefix)"
		" ORDER BY pg_catalog.length(p.key_prefix) DESC LIMIT 1) AS f WHERE f.reported",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(key)};

	return QueryFound(QueryRunAsOwner(&find, values, NULL, true, 1));
}

/* Is there enough evidence for a value? */
static bool
GateIsOpen(const MemoryWriting *writing)
{
	EvidencePolicy policy;
	EvidenceVerdict verdict;
	const char *problem;

	if (!writing->is_of_trace)
		return false;
	EvidencePolicyDefaults(&policy);
	return EvidenceJudge(&writing->provenance, &policy, &verdict, &problem) && verdict.nsupports > 0 &&
		verdict.confidence / 100.0 >= answer_eval_memory_confidence;
}

static void
PutEntry(const text *tenant, const MemoryWriting *writing, const MemoryEntry *entry, const char *digest)
{
	static FixedQuery put = {
		.text = "INSERT INTO answer.memory_entry AS m"
		" (tenant, key, value, digest, provenance, ttl, written_at, expires_at, trace_id, reported_by)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
		" ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value, digest = excluded.digest,"
		" provenance = excluded.provenance, ttl = excluded.ttl, written_at = excluded.written_at,"
		" expires_at = excluded.expires_at, trace_id = excluded.trace_id, reported_by = excluded.reported_by",
		.argtypes = {TEXTOID, TEXTOID, JSONBOID, TEXTOID, JSONBOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID,
		TEXTARRAYOID}
	};
	Datum		values[10];
	Datum	   *roles = palloc(sizeof(Datum) * Max(entry->origin.count, 1));

	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(writing->key);
	values[2] = JsonbPGetDatum(JsonViewToJsonb(&entry->value, false));
	values[3] = CStringGetTextDatum(digest);
	values[4] = JsonbPGetDatum(JsonViewToJsonb(&entry->provenance, false));
	values[5] = SpanDatum(entry->ttl);
	values[6] = TimestampTzGetDatum(entry->written_at);
	values[7] = TimestampTzGetDatum(entry->expires_at);
	values[8] = SpanDatum(entry->trace_id);
	for (int i = 0; i < entry->origin.count; i++)
		roles[i] = SpanDatum(entry->origin.roles[i]);
	values[9] = QueryTextArray(roles, entry->origin.count);
	QueryRunAsOwner(&put, values, NULL, false, 0);
}

/*
 * Deletes a few rows that have expired by both clocks.  Does nothing in a
 * transaction that could fail because others change the same rows.
 */
static void
DeleteExpired(const text *tenant, TimestampTz at)
{
	static FixedQuery delete = {
		.text = "DELETE FROM answer.memory_entry AS m USING (SELECT e.tenant, e.key FROM answer.memory_entry e"
		" WHERE e.tenant OPERATOR(pg_catalog.=) $1 AND e.expires_at OPERATOR(pg_catalog.<=) $2"
		" ORDER BY e.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED) AS gone"
		" WHERE m.tenant OPERATOR(pg_catalog.=) gone.tenant AND m.key OPERATOR(pg_catalog.=) gone.key",
		.argtypes = {TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), TimestampTzGetDatum(Min(at, GetCurrentTimestamp()))};

	if (!IsolationUsesXactSnapshot())
		QueryRunAsOwner(&delete, values, NULL, false, 0);
}

/* Signs a record of what a tenant now remembers under a key, or that the key is empty now. */
static void
RecordMemory(const text *tenant, Span key)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.jsonb_build_object("
		"'row', pg_catalog.concat('sha256:', pg_catalog.encode(answer.row_digest('memory_entry', m), 'hex')),"
		" 'expires_at', pg_catalog.to_char(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
		" FROM answer.memory_entry m WHERE m.tenant OPERATOR(pg_catalog.=) $1 AND m.key OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(tenant), SpanDatum(key)};
	uint8		sha256[SHA256_LENGTH];
	char		name[DIGEST_TEXT_LENGTH + 1] = DIGEST_PREFIX;
	JsonView	state;
	QueryRows	rows;
	Oid			user;
	int			context;

	Sha256(key.str, key.len, sha256);
	HexEncode(sha256, SHA256_LENGTH, name + strlen(DIGEST_PREFIX));
	name[DIGEST_TEXT_LENGTH] = '\0';
	AnswerAsOwner(&user, &context);
	rows = QueryRunLatest(&query, values, NULL, 1);
	if (rows.count > 0)
		JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), &state);
	QueryFree(&rows);
	(void) RecordState(tenant, CHANGE_MEMORY, SpanOfCString(name), rows.count > 0 ? &state : NULL);
	AnswerAsCaller(user, context);
}

/* answer.memory_recorded(tenant, keys) */
PG_FUNCTION_INFO_V1(answer_eval_memory_recorded);
Datum
answer_eval_memory_recorded(PG_FUNCTION_ARGS)
{
	text	   *tenant = PG_GETARG_TEXT_PP(0);
	Datum	   *keys;
	bool	   *nulls;
	int			count;

	RequireTenant(tenant);
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false, TYPALIGN_INT, &keys, &nulls, &count);
	SPI_connect();
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			RecordMemory(tenant, Utf8OfText(DatumGetTextPP(keys[i])));
	}
	SPI_finish();
	PG_RETURN_VOID();
}

/*
 * Writes an entry, or replaces it.  Returns false if the gate refuses it, or if the
 * tenant has forgotten this value.  Then nothing has changed, and *reason is a
 * sentence in UTF-8 or NULL.  Raises 22023 for an invalid key or ttl, 22008 if a
 * timestamp cannot hold the time of expiry.
 */
static bool
MemoryWrite(const text *tenant, const MemoryWriting *writing, MemoryEntry *entry, const char **reason)
{
	MemoryContext caller = CurrentMemoryContext;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Datum		value_digest;
	bool		is_forgotten = false;

	*reason = NULL;
	memset(entry, 0, sizeof(*entry));
	RequireKey(writing->key);
	entry->ttl = writing->ttl.len > 0 ? writing->ttl : SpanOfCString(TTL_DEFAULT);
	entry->written_at = writing->at;
	entry->expires_at = ExpiryOf(entry->ttl, writing->at);
	if (!GateIsOpen(writing))
		return false;
	entry->exists = true;
	entry->value = PortableCopy(&writing->value);
	entry->provenance = PortableCopy(&writing->provenance);
	entry->trace_id = writing->trace_id;
	entry->origin = writing->origin;
	CanonicalDigest(&entry->value, NULL, digest);
	SPI_connect();
	MemoryContextSwitchTo(caller);
	value_digest = CStringGetTextDatum(digest);
	if (OriginIsReported(&writing->origin) && !TakesReported(tenant, writing->key))
		*reason = psprintf("it would rest on %s, which no policy of the operator lets this key take",
						   OriginText(&writing->origin, "evidence"));
	else
		is_forgotten = FindForgotten(tenant, &value_digest, 1) != NULL;
	if (*reason == NULL && !is_forgotten)
	{
		PutEntry(tenant, writing, entry, digest);
		RecordMemory(tenant, writing->key);
		DeleteExpired(tenant, writing->at);
	}
	SPI_finish();
	return *reason == NULL && !is_forgotten;
}

/*
 * forgetting
 */

/* Returns the digest of what is stored under a key now, expired or not; NULL: nothing. */
static char *
DigestOfKey(const text *tenant, text *key)
{
	static FixedQuery query = {
		.text = "SELECT digest FROM answer.memory_entry"
		" WHERE tenant OPERATOR(pg_catalog.=) $1 AND key OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTOID, TEXTOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	Datum		values[2] = {PointerGetDatum(tenant), PointerGetDatum(key)};
	char	   *digest = NULL;
	QueryRows	rows;

	SPI_connect();
	MemoryContextSwitchTo(caller);
	AS_OWNER(rows = QueryRunLatest(&query, values, NULL, 1));
	if (rows.count > 0)
		digest = ColumnName(rows.table, 0, 1);
	SPI_finish();
	return digest;
}

/* answer_memory_forget(key, reason) */
PG_FUNCTION_INFO_V1(answer_eval_memory_forget);
Datum
answer_eval_memory_forget(PG_FUNCTION_ARGS)
{
	static const char function[] = "answer_memory_forget()";
	text	   *tenant;
	Jsonb	   *result = NULL;
	char	   *before = NULL;
	char	   *digest;

	RequireArgument(fcinfo, 0, "key");
	RequireArgument(fcinfo, 1, "reason");
	tenant = CurrentTenant();
	/* again, if it was written anew before forgetting blocked writers */
	while ((digest = DigestOfKey(tenant, PG_GETARG_TEXT_PP(0))) != NULL)
	{
		Jsonb	   *forgotten;

		CHECK_FOR_INTERRUPTS();
		/* a forgotten value is not written again, so nothing has deleted it */
		if (before && strcmp(digest, before) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_TRIGGERED_ACTION_EXCEPTION),
					 errmsg("what is remembered under the key \"%s\" was not deleted", text_to_cstring(PG_GETARG_TEXT_PP(0))),
					 errhint("A trigger on answer.memory_entry may have suppressed the change.")));
		before = digest;
		forgotten = ForgetForTenant(function, tenant, digest, PG_GETARG_TEXT_PP(1));
		result = forgotten ? forgotten : result;
	}
	if (result == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("nothing is remembered under the key \"%s\"", text_to_cstring(PG_GETARG_TEXT_PP(0))),
				 errhint("answer.tenant_memory lists what is.")));
	PG_RETURN_JSONB_P(result);
}

/* the kernel's permission */

void
MemoryGrantSet(const MemoryGrant *grant)
{
	granted = grant;
}

/* Is a provenance the evidence for which the kernel vouches? */
static bool
IsVouchedFor(const JsonView *provenance)
{
	uint8		given[SHA256_LENGTH];
	uint8		meant[SHA256_LENGTH];
	JsonView	portable;

	if (granted == NULL || granted->evidence == NULL || provenance->type != JVIEW_OBJECT)
		return false;
	portable = PortableCopy(provenance);
	CanonicalSha256(&portable, NULL, given);
	portable = PortableCopy(granted->evidence);
	CanonicalSha256(&portable, NULL, meant);
	return memcmp(given, meant, SHA256_LENGTH) == 0;
}

/*
 * the tool
 */

/* Sets when a value expires; leaves it out if the year is too large to be written. */
static void
SetExpires(JsonView *result, TimestampTz instant)
{
	if (InstantIsWritable(instant))
		JsonViewSet(result, "expires", InstantView(instant));
}

/* Returns a text argument; empty if it is optional and missing. */
static Span
TextMember(const JsonView *args, const char *name, bool is_required)
{
	JsonView	view;

	if (!JsonViewGetMember(args, name, &view) && !is_required)
		return SpanOf("", 0);
	if (view.type != JVIEW_STRING)
		MalformedArgument(psprintf("%s must be a string, and is %s", name, ShownValue(&view)), arguments_hint);
	return SpanOf(view.str, view.len);
}

static JsonView
ReadForTool(const text *tenant, Span key, TimestampTz at)
{
	JsonView	result = JsonViewNewObject(5);
	MemoryEntry entry;

	RequireKey(key);
	MemoryRead(tenant, key, at, &entry);
	JsonViewSet(&result, "ok", JsonViewBool(entry.exists));
	if (!entry.exists)
		return result;
	JsonViewSet(&result, "value", entry.value);
	JsonViewSet(&result, "provenance", entry.provenance);
	SetExpires(&result, entry.expires_at);
	if (OriginIsReported(&entry.origin))
		JsonViewSet(&result, "reported_by", OriginView(&entry.origin));
	return result;
}

static JsonView
WriteForTool(const text *tenant, const JsonView *args, Span key, TimestampTz at)
{
	JsonView	result = JsonViewNewObject(2);
	MemoryWriting writing = {.key = key,.at = at,.ttl = TextMember(args, "ttl", false)};
	MemoryEntry entry;
	bool		was_written;
	const char *reason;

	if (!JsonViewGetMember(args, "value", &writing.value))
		MalformedArgument("value must be there, and is missing", arguments_hint);
	(void) JsonViewGetMember(args, "provenance", &writing.provenance);
	writing.is_of_trace = IsVouchedFor(&writing.provenance);
	if (granted)
	{
		writing.trace_id = granted->trace_id;
		writing.origin = granted->origin;
	}
	was_written = MemoryWrite(tenant, &writing, &entry, &reason);
	JsonViewSet(&result, "ok", JsonViewBool(was_written));
	if (was_written)
		SetExpires(&result, entry.expires_at);
	if (was_written && OriginIsReported(&entry.origin))
		JsonViewSet(&result, "reported_by", OriginView(&entry.origin));
	if (reason)
		JsonViewSet(&result, "reason", JsonViewCString(reason));
	return result;
}

/* answer.tool_mesh_mem(args) */
PG_FUNCTION_INFO_V1(answer_eval_tool_mesh_mem);
Datum
answer_eval_tool_mesh_mem(PG_FUNCTION_ARGS)
{
	TimestampTz at = granted ? granted->at : GetCurrentStatementStartTimestamp();
	text	   *tenant = CurrentTenant();
	JsonView	args;
	JsonView	result;
	JsonView	op;
	Span		key;

	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "args");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &args);
	if (args.type != JVIEW_OBJECT)
		MalformedArgument(psprintf("the arguments must be an object, and are %s", ShownValue(&args)), arguments_hint);
	key = TextMember(&args, "key", true);
	if (!JsonViewGetMember(&args, "op", &op) ||
		(!JsonViewStringIs(&op, "read") && !JsonViewStringIs(&op, "write")))
		MalformedArgument(psprintf("op must be read or write, and is %s", ShownValue(&op)), arguments_hint);
	result = JsonViewStringIs(&op, "read") ? ReadForTool(tenant, key, at) : WriteForTool(tenant, &args, key, at);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&result, false));
}

/*
 * forgetting
 */

static FixedQuery erase_remembered = {
	.text = "WITH gone AS (DELETE FROM answer.memory_entry m WHERE m.tenant OPERATOR(pg_catalog.=) $1"
	"  AND m.digest OPERATOR(pg_catalog.=) $2 RETURNING m.key)" MEMORY_RECORD_GONE,
	.argtypes = {TEXTOID, TEXTOID}
};

static FixedQuery erase_remembered_of = {
	.text = "WITH gone AS (DELETE FROM answer.memory_entry m WHERE m.tenant OPERATOR(pg_catalog.=) $1"
	"  AND answer.quotes_document(pg_catalog.jsonb_build_array(m.value, m.provenance), $2,"
	"   (SELECT pg_catalog.array_agg(d.url) FROM answer.document d WHERE d.tenant OPERATOR(pg_catalog.=) $1"
	"    AND d.doc_id OPERATOR(pg_catalog.=) $2)) RETURNING m.key)" MEMORY_RECORD_GONE,
	.argtypes = {TEXTOID, TEXTOID}
};

const EraseQueries memory_erasing = {
	.remembered = &erase_remembered,
	.remembered_of = &erase_remembered_of
};
