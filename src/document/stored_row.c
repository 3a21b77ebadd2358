/*-------------------------------------------------------------------------
 *
 * stored_row.c
 *		Rows with a code that proves that our functions have stored them.
 *
 * Only C code can make these codes (keys/row_mac.c), so C code stores readings and the
 * entries of investigations.  The code is over the digest of the row (row_sum.c), for
 * which the caller gives some of the columns; the others follow from these or are written
 * later.  The view answer.recordable computes the same digest from stored rows.  The
 * digest covers the row's primary key, so the code of a row is not valid for a copy of
 * it.
 *
 * The durations of tool calls are stored the same way, and read by the thousand whenever
 * a plan's duration is predicted.  So the digest of such a row is computed from its
 * values alone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "port/pg_bswap.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "base/owner.h"
#include "base/sha256.h"
#include "document/row_sum.h"
#include "document/stored_row.h"
#include "keys/row_mac.h"

/* Computes the digest of a row of a table that has these columns, and no others. */
static void
DigestOfColumns(const char *table, const StoredColumn *columns, int count, uint8 *sha256)
{
	Oid			relation = AnswerTable(table);
	TupleDesc	desc = lookup_rowtype_tupdesc(get_rel_type_id(relation), -1);
	Datum	   *values = palloc0(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc(sizeof(bool) * desc->natts);
	HeapTuple	tuple;

	memset(nulls, true, sizeof(bool) * desc->natts);
	for (int i = 0; i < count; i++)
	{
		AttrNumber	number = get_attnum(relation, columns[i].name);

		if (number <= 0)
			elog(ERROR, "answer.%s has no column \"%s\"", table, columns[i].name);
		values[number - 1] = columns[i].value;
		nulls[number - 1] = columns[i].isnull;
	}
	tuple = heap_form_tuple(desc, values, nulls);
	ReleaseTupleDesc(desc);
	RowDigest(table, tuple->t_data, sha256);
	heap_freetuple(tuple);
	pfree(values);
	pfree(nulls);
}

static Datum
MacDatum(const SigningKey *key, const char *table, const uint8 *digest)
{
	bytea	   *mac = palloc(VARHDRSZ + ROW_MAC_LENGTH);

	SET_VARSIZE(mac, VARHDRSZ + ROW_MAC_LENGTH);
	RowMacMake(key, table, digest, (uint8 *) VARDATA(mac));
	return PointerGetDatum(mac);
}

Datum
StoredRowMac(const SigningKey *key, const char *table, const StoredColumn *columns, int count)
{
	uint8		digest[SHA256_LENGTH];

	DigestOfColumns(table, columns, count, digest);
	return MacDatum(key, table, digest);
}

/*
 * calls of tools
 */

#define CALLS	"tool_call"

/*
 * Computes the digest of a call's row.  A text has no zero byte, so different rows give
 * different bytes.
 */
static void
DigestOfCall(const StoredCall *call, uint8 *sha256)
{
	const uint64 numbers[] = {
		pg_hton64((uint64) call->called_at), pg_hton64((uint64) call->call), pg_hton64((uint64) call->microseconds)
	};

	Sha256Begin();
	Sha256Add(call->tenant.str, call->tenant.len);
	Sha256Add("", 1);
	Sha256Add(call->tool.str, call->tool.len);
	Sha256Add("", 1);
	Sha256Add(numbers, sizeof(numbers));
	Sha256End(sha256);
}

Datum
StoredCallMac(const SigningKey *key, const StoredCall *call)
{
	uint8		digest[SHA256_LENGTH];

	DigestOfCall(call, digest);
	return MacDatum(key, CALLS, digest);
}

RowMacStatus
StoredCallVerify(RowKeys *keys, const StoredCall *call, Span mac)
{
	uint8		digest[SHA256_LENGTH];

	DigestOfCall(call, digest);
	return RowMacVerify(keys, SpanOfCString(CALLS), SpanOf((const char *) digest, SHA256_LENGTH), mac, call->called_at);
}
