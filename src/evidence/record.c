/*-------------------------------------------------------------------------
 *
 * record.c
 *		Storing readings.
 *
 * answer.evidence_add_check() says, in SQL, whether a reading may be stored, and in which form.  It is
 * stored here, with a code that only C code can make (document/stored_row.c): so a reading
 * that the owner of the tables writes by hand is none that was recorded, and the audit says so.
 * The code covers what names the reading, which its content follows from, and when it came.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/stored_row.h"
#include "keys/keyring.h"

/* What answer.evidence_add_check() gives. */
enum
{
	CHECKED_DIGEST, CHECKED_ARGS, CHECKED_ARGS_DIGEST, CHECKED_RAW, CHECKED_COLUMNS
};

/* The arguments of answer_evidence_add() that are stored as they are. */
enum
{
	ARG_TOOL = 0, ARG_SOURCE = 3, ARG_OBSERVED_AT = 4, ARG_EXPIRES = 5
};

static void
ReadChecked(Datum checked, Datum *columns)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(checked);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row),.t_data = row};
	bool		nulls[CHECKED_COLUMNS];

	if (desc->natts != CHECKED_COLUMNS)
		elog(ERROR, "answer.evidence_add_check() gives %d columns", desc->natts);
	heap_deform_tuple(&tuple, desc, columns, nulls);
	ReleaseTupleDesc(desc);
	for (int i = 0; i < CHECKED_COLUMNS; i++)
	{
		if (nulls[i])
			elog(ERROR, "answer.evidence_add_check() gives no column %d", i + 1);
	}
}

/* Stores a reading, unless it is there.  Runs as the owner; SPI must be connected. */
static void
StoreReading(FunctionCallInfo fcinfo, Datum tenant, const Datum *checked)
{
	static FixedQuery reading = {
		.text = "INSERT INTO answer.evidence (tenant, digest, tool, args, args_digest, raw, source, observed_at, expires,"
		" recorded_at, mac) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING",
		.nargs = 11,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID, JSONBOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID,
			TIMESTAMPTZOID, BYTEAOID}
	};
	static FixedQuery series = {
		.text = "INSERT INTO answer.evidence_series (tenant, tool, args_digest, source)"
		" VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		.nargs = 4,
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID}
	};
	Datum		tool = PG_GETARG_DATUM(ARG_TOOL);
	Datum		source = PG_GETARG_DATUM(ARG_SOURCE);
	SigningKey	key;
	TimestampTz recorded_at;

	SigningKeyBeginUnstored(&key, &recorded_at);
	{
		const StoredColumn columns[] = {
			{"tenant", tenant}, {"digest", checked[CHECKED_DIGEST]}, {"recorded_at", TimestampTzGetDatum(recorded_at)}
		};
		Datum		values[] = {
			tenant, checked[CHECKED_DIGEST], tool, checked[CHECKED_ARGS], checked[CHECKED_ARGS_DIGEST],
			checked[CHECKED_RAW], source, PG_GETARG_DATUM(ARG_OBSERVED_AT), PG_GETARG_DATUM(ARG_EXPIRES),
			TimestampTzGetDatum(recorded_at), StoredRowMac(&key, "evidence", columns, lengthof(columns))
		};
		Datum		names[] = {tenant, tool, checked[CHECKED_ARGS_DIGEST], source};

		(void) QueryRun(&reading, values, PG_ARGISNULL(ARG_EXPIRES) ? "        n  " : NULL, false, 0);
		(void) QueryRun(&series, names, NULL, false, 0);
	}
}

/* answer_evidence_add(tool, args, raw, source, observed_at, expires) */
PG_FUNCTION_INFO_V1(answer_eval_evidence_add);
Datum
answer_eval_evidence_add(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID};
	MemoryContext caller = CurrentMemoryContext;
	Datum		tenant = PointerGetDatum(CurrentTenant());
	Datum		checked[CHECKED_COLUMNS];
	text	   *digest;
	Oid			user;
	int			context;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	AnswerAsOwner(&user, &context);
	ReadChecked(ForwardCall(fcinfo, "_check", 1, types, &tenant), checked);
	SPI_connect();
	StoreReading(fcinfo, tenant, checked);
	MemoryContextSwitchTo(caller);
	digest = DatumGetTextPCopy(checked[CHECKED_DIGEST]);
	SPI_finish();
	AnswerAsCaller(user, context);
	PG_RETURN_TEXT_P(digest);
}
