/*-------------------------------------------------------------------------
 *
 * recorded.c
 *		Signed lists of rows, made when the log is sealed.
 *
 * Readings and the entries of investigations are too frequent to sign each one.  A
 * judgement is signed, but nothing shows that one was deleted.  Whoever may change the
 * tables could delete such a row, and a later verdict would change.  So a sealing lists
 * the rows that are on no list yet (the view answer.recordable).  It signs the list as a
 * change (change/v1, kind recorded), which enters the log at once.  The audit compares
 * all lists with the rows: each row must be there, unchanged, or a signed tombstone must
 * say that it was forgotten.
 *
 * New rows are found by their instants.  A transaction may write a row and commit much
 * later.  So a list remembers the first transaction that had not begun when the list was
 * made.  Once all older transactions are over, no more rows of that time can appear, and
 * the next sealing need not look there again.  Rows of later times are read again, and
 * those on a list are left out.  So only one case depends on the clock: a row that gets
 * an instant long ago, because the clock was set back, is on no list.
 *
 * A list has 24 bytes for each row.  It is not a sum of rows (row_sum.c), because a list
 * still holds when one of its rows is forgotten, it can name what is missing, and it is
 * not affected by additional rows, which anybody who records may add.
 *
 * A list is signed, and anybody can compare it with the rows.  So only rows that our
 * functions have stored are listed: readings, entries and investigations have a code that
 * only these can make (keys/row_mac.c).  A row without a code, or with a wrong one, is
 * left out and stays a finding of audits.  A row whose key is not here is left out, too.
 * If the key is this database's own and only its file is missing, the next sealing looks
 * at the row again, and lists it once the file is back.  A row with a wrong code does not
 * delay anything, because otherwise whoever writes one could make every sealing read
 * everything.
 *
 * Promises: writing a row costs nothing more.  Sealing takes time in proportion to what
 * was added since the last one, and memory for one list at a time.  No reader and no
 * writer waits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "storage/procarray.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/sha256.h"
#include "base/spi_query.h"
#include "document/change.h"
#include "log/log_table.h"
#include "log/recorded.h"

#define ITEM_BYTES			CppAsString2(RECORDED_ITEM_LENGTH)
#define NAME_LENGTH			8
#define BOUND_LENGTH		15
#define READING_KIND		1
#define ITEMS_A_LIST		65536
#define ITEMS_A_FETCH		4096
#define WORTH_A_LIST		10000	/* so many rows that every sealing would read again */

/*
 * items
 */

/* Writes the first bytes of a digest in text form, or of any other text. */
static void
NameBytes(Span name, uint8 *bytes)
{
	memset(bytes, ' ', NAME_LENGTH);
	if (name.len != DIGEST_TEXT_LENGTH || memcmp(name.str, DIGEST_PREFIX, strlen(DIGEST_PREFIX)) != 0)
	{
		memcpy(bytes, name.str, Min(name.len, NAME_LENGTH));
		return;
	}
	memset(bytes, 0, NAME_LENGTH);
	for (int i = 0; i < NAME_LENGTH * 2; i++)
	{
		char		c = name.str[strlen(DIGEST_PREFIX) + i];
		int			digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;

		bytes[i / 2] |= i % 2 == 0 ? digit << 4 : digit;
	}
}

static bytea *
MakeItem(int kind, Span name, const uint8 *bound)
{
	bytea	   *item = palloc(VARHDRSZ + RECORDED_ITEM_LENGTH);
	uint8	   *bytes = (uint8 *) VARDATA(item);

	SET_VARSIZE(item, VARHDRSZ + RECORDED_ITEM_LENGTH);
	bytes[0] = (uint8) kind;
	NameBytes(name, bytes + 1);
	memcpy(bytes + 1 + NAME_LENGTH, bound, BOUND_LENGTH);
	return item;
}

/* answer.recorded_item(kind, name, bound) */
PG_FUNCTION_INFO_V1(answer_eval_recorded_item);
Datum
answer_eval_recorded_item(PG_FUNCTION_ARGS)
{
	int32		kind = PG_GETARG_INT32(0);
	bytea	   *bound = PG_GETARG_BYTEA_PP(2);

	if (kind < 1 || kind > 255 || VARSIZE_ANY_EXHDR(bound) < BOUND_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("kind %d with a digest of %d bytes names no row", kind, (int) VARSIZE_ANY_EXHDR(bound)),
				 errdetail("A kind is 1 to 255, and a digest has %d bytes at the least.", BOUND_LENGTH)));
	PG_RETURN_BYTEA_P(MakeItem(kind, UncheckedUtf8(PG_GETARG_TEXT_PP(1)), (const uint8 *) VARDATA_ANY(bound)));
}

/* answer.recorded_reading(tenant, digest) */
PG_FUNCTION_INFO_V1(answer_eval_recorded_reading);
Datum
answer_eval_recorded_reading(PG_FUNCTION_ARGS)
{
	Span		tenant = UncheckedUtf8(PG_GETARG_TEXT_PP(0));
	Span		digest = UncheckedUtf8(PG_GETARG_TEXT_PP(1));
	StringInfoData both;
	uint8		sha256[SHA256_LENGTH];

	initStringInfo(&both);
	appendBinaryStringInfo(&both, tenant.str, tenant.len);
	appendStringInfoChar(&both, '\0');
	appendBinaryStringInfo(&both, digest.str, digest.len);
	Sha256(both.data, both.len, sha256);
	PG_RETURN_BYTEA_P(MakeItem(READING_KIND, digest, sha256));
}

/*
 * lists
 */

/* Returns the bytes of a column, which may be null. */
static Span
BytesOrNone(HeapTuple tuple, TupleDesc desc, int column)
{
	bool		isnull;

	(void) SPI_getbinval(tuple, desc, column, &isnull);
	return isnull ? (Span) {"", 0} : TupleBytes(tuple, desc, column);
}

/*
 * Returns the time at which a row of answer.recordable was stored.  Its columns of_table,
 * digest, mac and recorded_at begin at "column".
 */
static TimestampTz
RecordedAt(HeapTuple tuple, TupleDesc desc, int column)
{
	bool		isnull;

	return DatumGetTimestampTz(SPI_getbinval(tuple, desc, column + 3, &isnull));
}

/*
 * Have our functions stored a row?  The columns of_table, digest, mac and recorded_at of
 * answer.recordable begin at "column".  A row that is signed instead shows it by its
 * signature.
 */
RowMacStatus
RecordedStatus(RowKeys *keys, HeapTuple tuple, TupleDesc desc, int column)
{
	bool		isnull;
	Datum		table = SPI_getbinval(tuple, desc, column, &isnull);

	if (isnull)
		return ROW_MAC_GOOD;
	return RowMacVerify(keys, SpanOfCString(TextDatumGetCString(table)), BytesOrNone(tuple, desc, column + 1),
						BytesOrNone(tuple, desc, column + 2), RecordedAt(tuple, desc, column));
}

/* How far the lists go. */
typedef struct Lists
{
	int64		number;			/* number of the newest list; 0 if there is none */
	TimestampTz looked_until;	/* all earlier rows are on lists */
	TimestampTz covered_until;	/* will be so after this sealing */
	TimestampTz sealed_at;
	FullTransactionId next_xid;
	char	   *cluster;
} Lists;

/* Returns the oldest transaction that may be running, or whose snapshot is in use. */
static FullTransactionId
OldestUnderWay(void)
{
	FullTransactionId next = ReadNextFullTransactionId();
	TransactionId oldest = GetOldestTransactionIdConsideredRunning();
	uint32		epoch = EpochFromFullTransactionId(next);

	if (oldest > XidFromFullTransactionId(next))
		epoch--;
	return FullTransactionIdFromEpochAndXid(epoch, oldest);
}

static TimestampTz
InstantOr(const QueryRows *rows, int column, TimestampTz otherwise)
{
	TimestampTz instant;

	return rows->count > 0 && ColumnInstant(rows->table, 0, column, &instant) ? instant : otherwise;
}

/*
 * Reads how far the lists go.  Snapshots that are taken later see everything that has
 * committed by now.
 */
static void
ReadLists(Lists *lists)
{
	static FixedQuery newest = {
		.text = "SELECT number, covered_until FROM answer.recorded_rows ORDER BY number DESC LIMIT 1"
	};
	static FixedQuery settled = {
		.text = "SELECT sealed_at FROM answer.recorded_rows WHERE next_xid OPERATOR(pg_catalog.<) $1"
		" OR cluster OPERATOR(pg_catalog.<>) $2 ORDER BY number DESC LIMIT 1",
		.argtypes = {INT8OID, TEXTOID}
	};
	Datum		values[2];
	QueryRows	rows;

	lists->cluster = psprintf(UINT64_FORMAT, GetSystemIdentifier());
	lists->sealed_at = GetCurrentTimestamp();
	lists->next_xid = ReadNextFullTransactionId();
	values[0] = Int64GetDatum((int64) U64FromFullTransactionId(OldestUnderWay()));
	values[1] = CStringGetTextDatum(lists->cluster);
	rows = QueryRunLatest(&newest, NULL, NULL, 1);
	lists->number = rows.count > 0 ? TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1) : 0;
	lists->looked_until = InstantOr(&rows, 2, DT_NOBEGIN);
	QueryFree(&rows);
	rows = QueryRunLatest(&settled, values, NULL, 1);
	lists->covered_until = Max(InstantOr(&rows, 1, DT_NOBEGIN), lists->looked_until);
	QueryFree(&rows);
}

/* Stores and signs the next list. */
static void
StoreList(Lists *lists, const StringInfo items)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.recorded_rows AS r (number, items, sealed_at, next_xid, cluster, covered_until)"
		" VALUES ($1, $2, $3, $4, $5, $6) RETURNING pg_catalog.jsonb_build_object('row',"
		" pg_catalog.concat('sha256:', pg_catalog.encode(answer.row_digest('recorded_rows', r), 'hex')))",
		.argtypes = {INT8OID, BYTEAOID, TIMESTAMPTZOID, INT8OID, TEXTOID, TIMESTAMPTZOID}
	};
	char		nulls[] = "      ";
	char	   *name = psprintf(INT64_FORMAT, ++lists->number);
	Datum		values[6];
	JsonView	state;
	QueryRows	rows;

	values[0] = Int64GetDatum(lists->number);
	values[1] = PointerGetDatum(cstring_to_text_with_len(items->data, items->len));
	values[2] = TimestampTzGetDatum(lists->sealed_at);
	values[3] = Int64GetDatum((int64) U64FromFullTransactionId(lists->next_xid));
	values[4] = CStringGetTextDatum(lists->cluster);
	values[5] = TimestampTzGetDatum(lists->covered_until);
	if (TIMESTAMP_IS_NOBEGIN(lists->covered_until))
		nulls[5] = 'n';
	rows = QueryRun(&insert, values, nulls, false, 0);
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), &state);
	(void) RecordState(cstring_to_text(""), CHANGE_RECORDED, SpanOfCString(name), &state);
	QueryFree(&rows);
	resetStringInfo(items);
}

/*
 * Are there so many rows that a list is worthwhile only to record that they need not be
 * read again?
 */
static bool
AreManyLookedAt(const Lists *lists)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.recordable WHERE recorded_at OPERATOR(pg_catalog.>) $1 OFFSET " CppAsString2(WORTH_A_LIST),
		.argtypes = {TIMESTAMPTZOID}
	};
	Datum		value = TimestampTzGetDatum(lists->looked_until);

	return lists->covered_until > lists->looked_until && QueryFound(QueryRun(&query, &value, NULL, true, 1));
}

/*
 * Lists the rows that are on no list.  The log must be locked, and the snapshot must have
 * been taken after ReadLists() looked for running transactions.  Runs as the owner.
 */
static void
ListRows(Lists *lists)
{
	static const char query[] =
		"SELECT r.item, r.of_table, r.digest, r.mac, r.recorded_at FROM answer.recordable r"
		" WHERE r.recorded_at OPERATOR(pg_catalog.>) $1 AND NOT EXISTS (SELECT FROM"
		" (SELECT pg_catalog.substring(c.items, i OPERATOR(pg_catalog.*) " ITEM_BYTES " OPERATOR(pg_catalog.+) 1, " ITEM_BYTES ") AS item"
		" FROM (SELECT items FROM answer.recorded_rows WHERE sealed_at OPERATOR(pg_catalog.>=) $1 OFFSET 0) c,"
		" LATERAL pg_catalog.generate_series(0, pg_catalog.length(c.items) OPERATOR(pg_catalog./) " ITEM_BYTES
		" OPERATOR(pg_catalog.-) 1) i) l WHERE l.item OPERATOR(pg_catalog.=) r.item) ORDER BY r.item";
	Oid			argtype = TIMESTAMPTZOID;
	Datum		value = TimestampTzGetDatum(lists->looked_until);
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext each = AllocSetContextCreate(caller, "answer_eval list of rows", ALLOCSET_DEFAULT_SIZES);
	StringInfoData items;
	Portal		portal;
	QueryRows	rows;
	RowKeys		keys = {.context = caller};
	TimestampTz covered_until = lists->covered_until;
	int64		left_out = 0;
	bool		is_any = false;

	initStringInfo(&items);
	lists->covered_until = lists->looked_until; /* as the last list has it */
	/* planned for this instant: either the indexes serve, or nearly all rows are wanted */
	portal = SPI_cursor_open_with_args(NULL, query, 1, &argtype, &value, NULL, true, 0);
	MemoryContextSwitchTo(caller);
	do
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(each);
		rows = QueryFetch(portal, ITEMS_A_FETCH);
		MemoryContextSwitchTo(caller);
		for (uint64 i = 0; i < rows.count; i++)
		{
			Span		item = TupleBytes(rows.table->vals[i], rows.table->tupdesc, 1);
			RowMacStatus status;

			MemoryContextSwitchTo(each);
			status = RecordedStatus(&keys, rows.table->vals[i], rows.table->tupdesc, 2);
			MemoryContextSwitchTo(caller);
			if (status == ROW_MAC_GOOD)
				appendBinaryStringInfo(&items, item.str, item.len);
			else
				left_out++;
			if (status == ROW_MAC_AWAY)
				covered_until = Min(covered_until, RecordedAt(rows.table->vals[i], rows.table->tupdesc, 2) - 1);
		}
		is_any = is_any || rows.count > 0;
		if (rows.count == 0)
			lists->covered_until = Max(covered_until, lists->looked_until);
		if (items.len >= ITEMS_A_LIST * RECORDED_ITEM_LENGTH || (rows.count == 0 && items.len > 0))
		{
			MemoryContextSwitchTo(each);
			StoreList(lists, &items);
			MemoryContextSwitchTo(caller);
		}
		if (rows.count == 0)
			break;
		QueryFree(&rows);
		MemoryContextReset(each);
	} while (true);
	QueryFree(&rows);
	SPI_cursor_close(portal);
	if (!is_any && AreManyLookedAt(lists))
		StoreList(lists, &items);
	MemoryContextDelete(each);
	if (left_out > 0)
		ereport(WARNING,
				(errmsg_plural(INT64_FORMAT " row is not listed, for nothing tells here that it was recorded",
							   INT64_FORMAT " rows are not listed, for nothing tells here that they were recorded",
							   left_out, left_out),
				 errhint("answer_log_audit() says which they are, and why.")));
}

/* Are there rows that may be new? */
static bool
HasRowCome(const Lists *lists)
{
	Oid			argtype = TIMESTAMPTZOID;
	Datum		value = TimestampTzGetDatum(lists->looked_until);

	return QueryFound(QueryRunText("SELECT FROM answer.recordable WHERE recorded_at OPERATOR(pg_catalog.>) $1 LIMIT 1",
								   1, &argtype, &value, true, 1));
}

/* Lists the rows that are on no list, and signs the list, before the log is sealed. */
void
SealRows(void)
{
	Lists		lists;

	ReadLists(&lists);
	PushActiveSnapshot(GetLatestSnapshot());
	if (HasRowCome(&lists))
		ListRows(&lists);
	PopActiveSnapshot();
}
