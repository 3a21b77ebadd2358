/*-------------------------------------------------------------------------
 *
 * stored_row.c
 *		Rows with what tells that our functions have stored them.
 *
 * Readings and what investigations have are stored by C code, which alone can give them a code
 * (keys/row_mac.c).  The code is over the digest of the row (row_sum.c), of which
 * some columns are given: others follow from them, or are
 * written later.  The view answer.recordable computes the same digest of what is stored.  The digest covers the
 * row's primary key, so the code of one row is none for its copy.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "base/owner.h"
#include "document/row_sum.h"
#include "document/stored_row.h"
#include "keys/row_mac.h"

/* The digest of a row of a table that has these columns, and no others. */
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

Datum
StoredRowMac(const SigningKey *key, const char *table, const StoredColumn *columns, int count)
{
	bytea	   *mac = palloc(VARHDRSZ + ROW_MAC_LENGTH);
	uint8		digest[SHA256_LENGTH];

	SET_VARSIZE(mac, VARHDRSZ + ROW_MAC_LENGTH);
	DigestOfColumns(table, columns, count, digest);
	RowMacMake(key, table, digest, (uint8 *) VARDATA(mac));
	return PointerGetDatum(mac);
}
