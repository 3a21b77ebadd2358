/*-------------------------------------------------------------------------
 *
 * sample.c
 *		Samples: answers by which a candidate configuration is judged.
 *
 * Rule: doc/spec/gate.md §6.4.  While an environment has a candidate, receipts of
 * answer_grounded() are its samples: in shadow those that the active configuration decided,
 * in canary those that the candidate did.  A row contains only the id of the receipt.
 *
 * Promises: a row is trusted only to find its receipt.  To count a sample, the receipt is
 * verified, its configuration is compared with the one that should have decided, and its
 * question and chunks are decided again under the other configuration.  So a row that was
 * inserted by hand counts only as the answer that it names, and asking a question costs
 * nothing extra.  Only this module can write its rows, and not even the owner by hand; see
 * the guard.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/kind.h"
#include "document/signed.h"
#include "document/verify.h"
#include "ground/decision_receipt.h"
#include "ground/receipt_parts.h"
#include "ground/sample.h"
#include "keys/keyring.h"

/* Samples are read in portions of this size, to limit memory. */
#define SAMPLES_AT_ONCE	50

/*
 * the guard
 */

/* The row that may be written now. */
typedef struct OwnWrite
{
	const char *table;
	const text *tenant;
	Span		environment;
	int			revision;
	const char *receipt_id;		/* NULL: the table has no such column */
} OwnWrite;

static const OwnWrite *own_write = NULL;

static bool
ColumnIs(TriggerData *trigger, HeapTuple tuple, const char *name, Span value)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			attnum = SPI_fnumber(desc, name);
	bool		isnull;
	Datum		column;
	text	   *found;

	if (attnum <= 0)
		return false;
	column = heap_getattr(tuple, attnum, desc, &isnull);
	if (isnull)
		return false;
	found = DatumGetTextPP(column);
	return SpanEqual(SpanOf(VARDATA_ANY(found), VARSIZE_ANY_EXHDR(found)), value);
}

/* Is it the row that we are writing? A user's trigger may run other statements meanwhile. */
static bool
IsOwnWrite(TriggerData *trigger)
{
	HeapTuple	tuple;
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	bool		isnull;

	if (own_write == NULL || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		TRIGGER_FIRED_BY_DELETE(trigger->tg_event) ||
		RelationGetRelid(trigger->tg_relation) != AnswerTable(own_write->table))
		return false;
	tuple = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : trigger->tg_trigtuple;
	return ColumnIs(trigger, tuple, "tenant", SpanOf(VARDATA_ANY(own_write->tenant), VARSIZE_ANY_EXHDR(own_write->tenant))) &&
		ColumnIs(trigger, tuple, "environment", own_write->environment) &&
		DatumGetInt32(heap_getattr(tuple, SPI_fnumber(desc, "revision"), desc, &isnull)) == own_write->revision &&
		(own_write->receipt_id == NULL ||
		 ColumnIs(trigger, tuple, "receipt_id", SpanOfCString(own_write->receipt_id)));
}

/* answer.environment_guard(): refuses writes to these tables from elsewhere. */
PG_FUNCTION_INFO_V1(answer_eval_environment_guard);
Datum
answer_eval_environment_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.environment_guard() must be called as a trigger")));
	if (!IsOwnWrite(trigger))
		ereport(ERROR,
				(errcode(ERRCODE_RESTRICT_VIOLATION),
				 errmsg("table %s is written by answer_eval alone",
						quote_qualified_identifier(SPI_getnspname(trigger->tg_relation),
												   SPI_getrelname(trigger->tg_relation))),
				 errdetail("Which configuration is in force is told by signed records, not by these rows."),
				 errhint("answer_config_promote() and answer_config_rollback() move an environment.")));
	return PointerGetDatum(NULL);
}

static void
WriteOwn(FixedQuery *query, Datum *values, const OwnWrite *allowed)
{
	PG_TRY();
	{
		own_write = allowed;
		QueryRunAsOwner(query, values, NULL, false, 0);
	}
	PG_FINALLY();
	{
		own_write = NULL;
	}
	PG_END_TRY();
}

void
HeadMove(const text *tenant, Span environment, int revision)
{
	static FixedQuery query = {
		.text = "INSERT INTO answer.environment_head AS h (tenant, environment, revision) VALUES ($1, $2, $3)"
		" ON CONFLICT ON CONSTRAINT environment_head_pkey DO UPDATE SET revision = excluded.revision",
		.argtypes = {TEXTOID, TEXTOID, INT4OID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), SpanDatum(environment), Int32GetDatum(revision)};
	OwnWrite	allowed = {.table = "environment_head",.tenant = tenant,.environment = environment,.revision = revision};

	WriteOwn(&query, values, &allowed);
}

void
SampleKeep(const Serving *serving, const text *tenant, const JsonView *receipt, TimestampTz issued_at)
{
	/* the same question asked twice at the same time has one receipt */
	static FixedQuery query = {
		.text = "INSERT INTO answer.config_sample (tenant, environment, revision, asked_by, receipt_id, issued_at)"
		" VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	Datum		values[6];
	JsonView	receipt_id;
	bool		had_written;
	OwnWrite	allowed = {.table = "config_sample",.tenant = serving->tenant,
	.environment = SpanOfCString(serving->environment),.revision = serving->since};

	if (!JsonViewGetMember(receipt, "receipt_id", &receipt_id) || receipt_id.type != JVIEW_STRING)
		return;
	allowed.receipt_id = pnstrdup(receipt_id.str, receipt_id.len);
	values[0] = PointerGetDatum(serving->tenant);
	values[1] = CStringGetTextDatum(serving->environment);
	values[2] = Int32GetDatum(serving->since);
	values[3] = PointerGetDatum(tenant);
	values[4] = CStringGetTextDatum(allowed.receipt_id);
	values[5] = TimestampTzGetDatum(issued_at);
	had_written = OwnWritesBegin();
	WriteOwn(&query, values, &allowed);
	OwnWritesEnd(had_written);
}

/*
 * counting
 */

/* Is it a receipt that was signed for a question, and decided by that configuration? */
static bool
IsGoodSample(const JsonView *body, const char *receipt_id, const JsonView *served)
{
	JsonView	member;
	JsonView	keys;
	Span		key_id;
	char		expected[DIGEST_TEXT_LENGTH + 1];
	char		found[DIGEST_TEXT_LENGTH + 1];

	if (!JsonViewGetMember(body, "schema", &member) || !JsonViewStringIs(&member, decision_kind.schema) ||
		(member = PartConfig(body)).type != JVIEW_OBJECT)
		return false;
	CanonicalDigest(served, NULL, expected);
	CanonicalDigest(&member, NULL, found);
	if (strcmp(expected, found) != 0)
		return false;
	return ReceiptKeyId(body, &key_id) && RegistryKeys(key_id, &keys) &&
		ReceiptProblem(body, receipt_id, &keys) == NULL;
}

/* The number of counted questions of one tenant. */
typedef struct TenantShare
{
	int64		key;
	int			counted;
} TenantShare;

/*
 * Returns how many samples one tenant may contribute.  An environment of the
 * operator's serves all tenants, so one tenant must not decide alone: its samples
 * are at most half of those required, if there is another tenant.  Those of the
 * operator count in full.
 */
static int
MostOfOneTenant(const text *tenant, int required)
{
	bool		is_shared = VARSIZE_ANY_EXHDR(tenant) == 0;
	ArrayType  *all = is_shared ? AllTenants() : NULL;

	/* the operator is one of them */
	return is_shared && ArrayGetNItems(ARR_NDIM(all), ARR_DIMS(all)) > 2 ? (required + 1) / 2 : required;
}

static TenantShare *
ShareOf(HTAB *shares, const text *asked_by)
{
	int64		key = QuestionKey(asked_by, SpanOfCString(""));
	bool		is_known;
	TenantShare *share = hash_search(shares, &key, HASH_ENTER, &is_known);

	if (!is_known)
		share->counted = 0;
	return share;
}

/* Counts one sample, unless its question was counted already or its tenant has reached its share. */
static void
CountSample(const JsonView *body, const text *asked_by, const JsonView *served, const JsonView *other,
			HTAB *questions, HTAB *shares, int most, SampleCount *count)
{
	TenantShare *share = ShareOf(shares, asked_by);
	JsonView	query;
	const char *decided;
	const char *otherwise;
	int64		key;
	bool		is_known;

	if (VARSIZE_ANY_EXHDR(asked_by) > 0 && share->counted >= most)
		return;

	if (!JsonViewGetMember(body, "query", &query) || query.type != JVIEW_STRING)
		return;
	key = QuestionKey(asked_by, SpanOf(query.str, query.len));
	(void) hash_search(questions, &key, HASH_FIND, &is_known);
	if (is_known)
		return;
	decided = DecisionUnder(body, served);
	otherwise = DecisionUnder(body, other);
	if (decided == NULL || otherwise == NULL)
		return;
	(void) hash_search(questions, &key, HASH_ENTER, &is_known);
	count->counted++;
	share->counted++;
	if (strcmp(decided, otherwise) != 0)
		count->different++;
}

void
SamplesCount(const text *tenant, Span environment, int since, const JsonView *served,
			 const JsonView *other, SampleCount *count)
{
	/* ids are digests, so nobody can choose their order, and it does not depend on time */
	static FixedQuery query = {
		.text = "SELECT r.body, r.receipt_id, s.asked_by FROM answer.config_sample s"
		" JOIN answer.receipt r ON r.tenant OPERATOR(pg_catalog.=) s.asked_by"
		"  AND r.receipt_id OPERATOR(pg_catalog.=) s.receipt_id AND r.issued_at OPERATOR(pg_catalog.=) s.issued_at"
		" WHERE s.tenant OPERATOR(pg_catalog.=) $1 AND s.environment OPERATOR(pg_catalog.=) $2"
		" AND s.revision OPERATOR(pg_catalog.=) $3"
		" ORDER BY s.receipt_id COLLATE \"C\", s.asked_by",
		.argtypes = {TEXTOID, TEXTOID, INT4OID}
	};
	Datum		values[3] = {PointerGetDatum(tenant), SpanDatum(environment), Int32GetDatum(since)};
	HASHCTL		control = {.keysize = sizeof(int64),.entrysize = sizeof(int64),.hcxt = CurrentMemoryContext};
	HTAB	   *questions = hash_create("answer_eval questions", 256, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	HASHCTL		of_tenants = {.keysize = sizeof(int64),.entrysize = sizeof(TenantShare),.hcxt = CurrentMemoryContext};
	HTAB	   *shares = hash_create("answer_eval shares", 16, &of_tenants, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	int			most = MostOfOneTenant(tenant, count->required);
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext work = AllocSetContextCreate(caller, "answer_eval sample", ALLOCSET_DEFAULT_SIZES);
	Portal		portal = QueryOpen(&query, values, NULL);
	QueryRows	rows;

	count->counted = count->different = 0;
	for (;;)
	{

		rows = QueryFetch(portal, SAMPLES_AT_ONCE);
		for (uint64 i = 0; i < rows.count && count->counted < count->required; i++)
		{
			JsonView	body;
			char	   *receipt_id;
			char	   *asked_by;

			CHECK_FOR_INTERRUPTS();
			MemoryContextSwitchTo(work);
			asked_by = ColumnName(rows.table, i, 3);
			receipt_id = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 2);
			JsonViewOfJsonb(ColumnJsonb(rows.table, i, 1), &body);
			if (IsGoodSample(&body, receipt_id, served))
				CountSample(&body, cstring_to_text(asked_by ? asked_by : ""), served, other, questions, shares, most,
							count);
			MemoryContextSwitchTo(caller);
			MemoryContextReset(work);
		}
		QueryFree(&rows);
		if (rows.count == 0 || count->counted >= count->required)
			break;
	}
	SPI_cursor_close(portal);
	hash_destroy(questions);
	hash_destroy(shares);
	MemoryContextDelete(work);
}
