/*-------------------------------------------------------------------------
 *
 * row_sum.c
 *		Digests of rows, and sums of many digests.
 *
 * A set of rows is identified by a sum, to which each row adds a value derived from its
 * digest.  So a load that adds a few rows to many changes the sum by these few, in
 * whatever order they come, and an audit that adds up all rows gets the same sum.  The
 * sum is LtHash (Bellare and Micciancio 1997, Lewi and others 2019): 1024 numbers of 16
 * bits, which SHAKE128 makes from the digest, added without carry.  A plain sum of
 * digests would not be safe: an attacker who may add many rows could find some that add
 * up to a chosen value.
 *
 * The digest of a row covers the name of its table and every stored column, by name, in
 * the order of names.  A null column is left out, so that a column that is added later
 * does not change earlier digests.  A generated column follows from the others and is
 * left out, too, and so is a column that is computed from the digest (stored_row.c).
 *
 * Promises: digests depend on no setting and on no encoding of the server, and are the
 * same after a dump and a restore.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "document/row_sum.h"
#include "document/store.h"

/*
 * rows
 */

/* Appends bytes after their number, so that different lists give different results. */
static void
AddBytes(StringInfo out, const char *bytes, int len)
{
	uint32		size = pg_hton32((uint32) len);

	appendBinaryStringInfo(out, (const char *) &size, sizeof(size));
	appendBinaryStringInfo(out, bytes, len);
}

static void
AddNumber(StringInfo out, uint64 number)
{
	uint64		portable = pg_hton64(number);

	AddBytes(out, (const char *) &portable, sizeof(portable));
}

/*
 * Appends a JSON value in its canonical form.  If it has none, because somebody
 * manipulated it, appends its bytes.
 */
static void
AddJson(StringInfo out, Jsonb *json)
{
	JsonView	view;
	uint8		sha256[SHA256_LENGTH];

	if (JsonbIsReadable(json))
	{
		JsonViewOfJsonb(json, &view);
		if (!JsonViewIsDeeper(&view, RECEIPT_MAX_DEPTH) && CanonicalIsWritable(&view))
		{
			CanonicalSha256(&view, NULL, sha256);
			AddBytes(out, (const char *) sha256, SHA256_LENGTH);
			return;
		}
	}
	AddBytes(out, VARDATA(json), VARSIZE(json) - VARHDRSZ);
}

static void AddValue(StringInfo out, Oid type, Datum value);

static void
AddArray(StringInfo out, Oid element, ArrayType *array)
{
	int16		len;
	bool		by_value;
	char		align;
	Datum	   *values;
	bool	   *nulls;
	int			count;

	get_typlenbyvalalign(element, &len, &by_value, &align);
	deconstruct_array(array, element, len, by_value, align, &values, &nulls, &count);
	AddNumber(out, ARR_NDIM(array));
	for (int i = 0; i < ARR_NDIM(array); i++)
	{
		AddNumber(out, ARR_DIMS(array)[i]);
		AddNumber(out, ARR_LBOUND(array)[i]);
	}
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoChar(out, nulls[i] ? '0' : '1');
		if (!nulls[i])
			AddValue(out, element, values[i]);
	}
}

static void
AddValue(StringInfo out, Oid type, Datum value)
{
	Span		span;
	Oid			element;

	switch (type)
	{
		case TEXTOID:
			span = UncheckedUtf8(DatumGetTextPP(value));
			AddBytes(out, span.str, span.len);
			return;
		case BYTEAOID:
			AddBytes(out, VARDATA_ANY(DatumGetByteaPP(value)), VARSIZE_ANY_EXHDR(DatumGetByteaPP(value)));
			return;
		case JSONBOID:
			AddJson(out, DatumGetJsonbP(value));
			return;
		case BOOLOID:
			AddNumber(out, DatumGetBool(value));
			return;
		case INT2OID:
			AddNumber(out, (uint64) (int64) DatumGetInt16(value));
			return;
		case INT4OID:
			AddNumber(out, (uint64) (int64) DatumGetInt32(value));
			return;
		case INT8OID:
			AddNumber(out, (uint64) DatumGetInt64(value));
			return;
		case TIMESTAMPTZOID:
			AddNumber(out, (uint64) DatumGetTimestampTz(value));
			return;
		case FLOAT4OID:
			AddNumber(out, DatumGetUInt32(value));
			return;
		case NUMERICOID:
			span = SpanOfCString(DatumGetCString(DirectFunctionCall1(numeric_out, value)));
			AddBytes(out, span.str, span.len);
			return;
		default:
			if (type_is_enum(type))
			{
				/* enum_out gives a label, which has only ASCII letters */
				span = SpanOfCString(DatumGetCString(DirectFunctionCall1(enum_out, value)));
				AddBytes(out, span.str, span.len);
				return;
			}
			element = get_element_type(type);
			if (!OidIsValid(element))
				elog(ERROR, "no digest is made of a column of type %s", format_type_be(type));
			AddArray(out, element, DatumGetArrayTypeP(value));
	}
}

/* Is a column computed from a row's digest? */
static bool
IsMac(const char *name)
{
	return strcmp(name, "mac") == 0 || strcmp(name, "closed_mac") == 0;
}

/* Sorts the columns of a row by name; returns their number. */
static int
SortColumns(TupleDesc desc, int *columns)
{
	int			count = 0;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);
		int			place = count;

		if (attribute->attisdropped || attribute->attgenerated || IsMac(NameStr(attribute->attname)))
			continue;
		for (; place > 0 && strcmp(NameStr(TupleDescAttr(desc, columns[place - 1])->attname),
								   NameStr(attribute->attname)) > 0; place--)
			columns[place] = columns[place - 1];
		columns[place] = i;
		count++;
	}
	return count;
}

/*
 * Returns the index of the table's column in a row, whose type need not be the table's;
 * -1 if it is missing.
 */
static int
PlaceOfColumn(TupleDesc desc, int likely, const char *name)
{
	if (likely < desc->natts && strcmp(NameStr(TupleDescAttr(desc, likely)->attname), name) == 0)
		return likely;
	for (int i = 0; i < desc->natts; i++)
	{
		if (!TupleDescAttr(desc, i)->attisdropped && strcmp(NameStr(TupleDescAttr(desc, i)->attname), name) == 0)
			return i;
	}
	return -1;
}

/* Computes the digest of a row of a table.  A row of a transition table has no type of its own. */
void
RowDigest(const char *table, HeapTupleHeader row, uint8 *sha256)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row));
	TupleDesc	table_desc = lookup_rowtype_tupdesc(get_rel_type_id(AnswerTable(table)), -1);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row),.t_data = row};
	int			columns[MaxTupleAttributeNumber];
	int			count = SortColumns(table_desc, columns);
	StringInfoData out;

	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	initStringInfo(&out);
	AddBytes(&out, table, strlen(table));
	for (int i = 0; i < count; i++)
	{
		const char *name = NameStr(TupleDescAttr(table_desc, columns[i])->attname);
		int			place = PlaceOfColumn(desc, columns[i], name);
		bool		isnull;
		Datum		value;

		if (place < 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the row has no column \"%s\", which answer.%s has", name, table)));
		value = heap_getattr(&tuple, place + 1, desc, &isnull);
		if (isnull)
			continue;
		AddBytes(&out, name, strlen(name));
		AddValue(&out, TupleDescAttr(desc, place)->atttypid, value);
	}
	ReleaseTupleDesc(table_desc);
	ReleaseTupleDesc(desc);
	Sha256(out.data, out.len, sha256);
	pfree(out.data);
}

/*
 * sums
 */

static void
ExpandFailed(void)
{
	const char *reason = ERR_reason_error_string(ERR_get_error());

	ERR_clear_error();
	ereport(ERROR,
			(errcode(ERRCODE_INTERNAL_ERROR),
			 errmsg("could not compute SHAKE128 hash: %s", reason ? reason : "no reason given")));
}

/* Computes what a digest adds to a sum. */
static void
Expand(const uint8 *sha256, uint8 *expanded)
{
	static EVP_MD *algorithm = NULL;
	static EVP_MD_CTX *context = NULL;

	ERR_clear_error();
	if (algorithm == NULL)
		algorithm = EVP_MD_fetch(NULL, "SHAKE128", NULL);
	if (context == NULL)
		context = EVP_MD_CTX_new();
	if (algorithm == NULL || context == NULL ||
		EVP_DigestInit_ex2(context, algorithm, NULL) <= 0 ||
		EVP_DigestUpdate(context, sha256, SHA256_LENGTH) <= 0 ||
		EVP_DigestFinalXOF(context, expanded, ROW_SUM_SIZE) <= 0)
		ExpandFailed();
}

/* Adds a row to a sum, or removes it. */
void
RowSumChange(RowSum *sum, const uint8 *sha256, bool is_added)
{
	uint8		expanded[ROW_SUM_SIZE];

	Expand(sha256, expanded);
	for (int i = 0; i < ROW_SUM_SIZE; i += 2)
	{
		unsigned	old = sum->bytes[i] | sum->bytes[i + 1] << 8;
		unsigned	more = expanded[i] | expanded[i + 1] << 8;
		unsigned	now = is_added ? old + more : old - more;

		sum->bytes[i] = now & 0xFF;
		sum->bytes[i + 1] = now >> 8 & 0xFF;
	}
}

/* Reads a stored sum.  No bytes mean the sum of no rows. */
bool
RowSumOfBytes(const void *bytes, int len, RowSum *sum)
{
	memset(sum, 0, sizeof(*sum));
	if (len == ROW_SUM_SIZE)
		memcpy(sum->bytes, bytes, ROW_SUM_SIZE);
	return len == 0 || len == ROW_SUM_SIZE;
}

/*
 * SQL
 */

/* answer.row_digest(table, row) */
PG_FUNCTION_INFO_V1(answer_eval_row_digest);
Datum
answer_eval_row_digest(PG_FUNCTION_ARGS)
{
	bytea	   *digest = palloc(VARHDRSZ + SHA256_LENGTH);

	SET_VARSIZE(digest, VARHDRSZ + SHA256_LENGTH);
	RowDigest(text_to_cstring(PG_GETARG_TEXT_PP(0)), PG_GETARG_HEAPTUPLEHEADER(1), (uint8 *) VARDATA(digest));
	PG_RETURN_BYTEA_P(digest);
}

static void
ChangeByAll(RowSum *sum, ArrayType *digests, bool is_added)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;

	deconstruct_array(digests, BYTEAOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		bytea	   *digest = nulls[i] ? NULL : DatumGetByteaPP(values[i]);

		CHECK_FOR_INTERRUPTS();
		if (digest == NULL || VARSIZE_ANY_EXHDR(digest) != SHA256_LENGTH)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d is no digest of a row", i + 1),
					 errhint("Take what answer.row_digest() gives.")));
		RowSumChange(sum, (const uint8 *) VARDATA_ANY(digest), is_added);
	}
}

/* answer.row_sum(sum, removed, added) */
PG_FUNCTION_INFO_V1(answer_eval_row_sum);
Datum
answer_eval_row_sum(PG_FUNCTION_ARGS)
{
	static const RowSum none;
	RowSum		sum = none;
	bytea	   *stored = PG_GETARG_BYTEA_PP(0);

	if (!RowSumOfBytes(VARDATA_ANY(stored), VARSIZE_ANY_EXHDR(stored), &sum))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the sum has %d bytes", (int) VARSIZE_ANY_EXHDR(stored)),
				 errdetail("It must have %d, or none.", ROW_SUM_SIZE)));
	ChangeByAll(&sum, PG_GETARG_ARRAYTYPE_P(1), false);
	ChangeByAll(&sum, PG_GETARG_ARRAYTYPE_P(2), true);
	if (memcmp(&sum, &none, sizeof(sum)) == 0)
		PG_RETURN_BYTEA_P(cstring_to_text_with_len("", 0));
	PG_RETURN_BYTEA_P(cstring_to_text_with_len((const char *) sum.bytes, ROW_SUM_SIZE));
}
