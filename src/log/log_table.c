/*-------------------------------------------------------------------------
 *
 * log_table.c
 *		Reads the stored log.
 *
 * This reads checkpoints, tiles and notes from the tables.  SPI must be
 * connected.
 *
 * Promises: stored data is trusted only if it leads to the signed root.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/locks.h"
#include "base/spi_query.h"
#include "document/store.h"
#include "log/log_table.h"
#include "log/note.h"

/*
 * values
 */

/*
 * Reads bytes of a column.  A superuser can drop the constraints and store anything.
 * So a null is handled, and the caller must check the length.
 */
Span
TupleBytes(HeapTuple tuple, TupleDesc desc, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(tuple, desc, column, &isnull);

	return isnull ? (Span) {"", 0} : ByteaSpan(datum);
}

int64
TupleInt64(HeapTuple tuple, TupleDesc desc, int column)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(tuple, desc, column, &isnull);

	return isnull ? -1 : DatumGetInt64(datum);
}

char *
TupleText(HeapTuple tuple, TupleDesc desc, int column)
{
	char	   *value = SPI_getvalue(tuple, desc, column);

	return value ? value : pstrdup("");
}

/* Returns bytes of the first row of a result. */
Span
FoundBytes(const QueryRows *rows, int column)
{
	return TupleBytes(rows->table->vals[0], rows->table->tupdesc, column);
}

Datum
ByteaDatum(const void *bytes, int len)
{
	return PointerGetDatum(cstring_to_text_with_len(bytes, len));
}

/* Can this database's encoding represent it? */
bool
IsRepresentable(Span utf8)
{
	int			encoding = GetDatabaseEncoding();
	Oid			proc;
	unsigned char *buffer;
	int			size;
	bool		all;

	if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII)
		return true;
	proc = FindDefaultConversionProc(PG_UTF8, encoding);
	if (!OidIsValid(proc))
		return false;
	size = utf8.len * MAX_CONVERSION_GROWTH + 1;
	buffer = palloc(size);
	all = pg_do_encoding_conversion_buf(proc, PG_UTF8, encoding, (unsigned char *) utf8.str,
										utf8.len, buffer, size, true) == utf8.len;
	pfree(buffer);
	return all;
}

/* Copies a result out of SPI's memory context. */
Datum
FinishWithText(Span utf8, MemoryContext caller)
{
	MemoryContext spi = MemoryContextSwitchTo(caller);
	Datum		result = SpanDatum(utf8);

	MemoryContextSwitchTo(spi);
	SPI_finish();
	return result;
}

void
RaiseLogDamaged(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("the stored log is damaged"),
			 errdetail("%s", what),
			 errhint("answer_log_audit() names every defect.")));
}

/*
 * reading what is stored
 */

/* Reads a row of LOG_STATE_COLUMNS; returns false if its edge does not hash to its root. */
bool
LogStateOfTuple(HeapTuple tuple, TupleDesc desc, LogState *state)
{
	uint64		size = TupleInt64(tuple, desc, 2);
	Span		root = TupleBytes(tuple, desc, 3);
	Span		edge = TupleBytes(tuple, desc, 4);
	MerkleHash	edge_root;

	state->origin = TupleText(tuple, desc, 1);
	state->key_id = TupleText(tuple, desc, 5);
	state->sealed_at = TupleInt64(tuple, desc, 6);
	state->note = TupleBytes(tuple, desc, 7);
	state->tree.size = size;
	state->has_edge = edge.len == MerkleEdgeCount(size) * SHA256_LENGTH;
	if (state->has_edge)
		MerkleEdgeRead(&state->tree, size, (const MerkleHash *) edge.str);
	memset(&state->root, 0, sizeof(state->root));
	if (root.len == SHA256_LENGTH)
		memcpy(state->root.bytes, root.str, SHA256_LENGTH);
	if (root.len != SHA256_LENGTH || !state->has_edge)
		return false;
	MerkleTreeRoot(&state->tree, &edge_root);
	return MerkleHashEqual(&edge_root, &state->root);
}

/* Reads the newest stored checkpoint; returns false if there is none. */
bool
FindNewestCheckpoint(LogState *state, bool *is_good)
{
	static FixedQuery query = {
		.text = "SELECT " LOG_STATE_COLUMNS " FROM answer.checkpoint"
		" WHERE tree_size OPERATOR(pg_catalog.>=) 0 ORDER BY tree_size DESC LIMIT 1"
	};
	QueryRows	rows;

	memset(state, 0, offsetof(LogState, tree));
	state->tree.size = 0;
	rows = QueryRun(&query, NULL, NULL, true, 1);
	if (rows.count == 0)
		return false;
	*is_good = LogStateOfTuple(rows.table->vals[0], rows.table->tupdesc, state);
	return true;
}

/* Does the same, but raises an error if it is damaged.  SPI must be connected. */
bool
LogStateNewest(LogState *state)
{
	bool		is_good;

	if (!FindNewestCheckpoint(state, &is_good))
		return false;
	/* a bad edge must not be used for proofs, or grow */
	if (!is_good)
		RaiseLogDamaged("The edge of the newest checkpoint does not lead to its root hash.");
	return true;
}

void
RaiseNothingSealed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the log has no checkpoint yet"),
			 errhint("Seal it with answer_log_seal().")));
}

void
RequireSealed(LogState *state)
{
	if (!LogStateNewest(state))
		RaiseNothingSealed();
}

/* Reads the stored note of the checkpoint with this size, without cosignatures. */
bool
NoteOfSize(uint64 size, Span *note)
{
	static FixedQuery query = {
		.text = "SELECT note FROM answer.checkpoint WHERE tree_size OPERATOR(pg_catalog.=) $1",
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);
	QueryRows	rows = QueryRun(&query, &value, NULL, true, 1);

	if (rows.count == 0)
		return false;
	*note = FoundBytes(&rows, 1);
	return true;
}

/* Adds the stored cosignatures to a note. */
Span
WithCosignatures(uint64 size, Span note)
{
	static FixedQuery query = {
		.text = "SELECT line FROM answer.cosignature WHERE tree_size OPERATOR(pg_catalog.=) $1"
		" ORDER BY added_at, line",
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);
	StringInfoData out;
	QueryRows	rows = QueryRun(&query, &value, NULL, true, NOTE_MAX_SIGNATURES - 1);

	initStringInfo(&out);
	appendBinaryStringInfo(&out, note.str, note.len);
	for (uint64 i = 0; i < rows.count; i++)
	{
		Span		line = TupleBytes(rows.table->vals[i], rows.table->tupdesc, 1);

		appendBinaryStringInfo(&out, line.str, line.len);
	}
	return (Span) {out.data, out.len};
}

/* Reads a complete tile; returns false if it is missing or malformed. */
bool
TileRead(int level, uint64 tile, MerkleHash *hashes)
{
	static FixedQuery query = {
		.text = "SELECT hashes FROM answer.log_tile WHERE level OPERATOR(pg_catalog.=) $1"
		" AND tile OPERATOR(pg_catalog.=) $2",
		.argtypes = {INT2OID, INT8OID}
	};
	Datum		values[2] = {Int16GetDatum(level), Int64GetDatum(tile)};
	Span		bytes = {"", 0};
	bool		good;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 1);

	if (rows.count > 0)
		bytes = FoundBytes(&rows, 1);
	good = bytes.len == MERKLE_TILE_WIDTH * SHA256_LENGTH;
	if (good)
		memcpy(hashes, bytes.str, bytes.len);
	QueryFree(&rows);
	return good;
}

const MerkleHash *
TileReaderSource(void *arg, int level, uint64 tile)
{
	TileReader *reader = arg;

	if (!reader->present[level] || reader->tile[level] != tile)
	{
		if (!TileRead(level, tile, reader->hashes[level]))
			RaiseLogDamaged(psprintf("Tile " UINT64_FORMAT " of level %d is missing.", tile, level));
		reader->present[level] = true;
		reader->tile[level] = tile;
	}
	return reader->hashes[level];
}

/*
 * the log as a whole
 */

/* Makes sealings wait for each other; nobody else waits. */
void
LogLock(void)
{
	LOCKTAG		tag;

	AnswerLockTag(&tag, LOCK_LOG, 0);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/*
 * Makes a name for the log from the issuer's name.  The name of a key has neither white
 * space nor a plus sign, and ASCII is the same in every encoding.
 */
char *
DefaultLogOrigin(void)
{
	JsonView	issuer = ReceiptIssuer();
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < issuer.len; i++)
	{
		unsigned char c = issuer.str[i];

		if (c <= ' ' || c >= 0x7F || c == '+' || c == '%')
			appendStringInfo(&out, "%%%02X", c);
		else
			appendStringInfoChar(&out, c);
	}
	return out.data;
}

/*
 * Returns the log's name: the one in its checkpoints, or the one that the first
 * checkpoint will have.
 */
char *
LogOrigin(void)
{
	LogState	state;
	bool		is_good;

	return FindNewestCheckpoint(&state, &is_good) ? state.origin : DefaultLogOrigin();
}

/* For document/retention.c. */
FixedQuery log_leaves_of_receipt = {
	.text = "SELECT leaf_index, issued_at FROM answer.log_leaf"
	" WHERE issued_at OPERATOR(pg_catalog.>=) $1 AND issued_at OPERATOR(pg_catalog.<=) $2"
	" AND receipt_id OPERATOR(pg_catalog.=) $3",
	.argtypes = {TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID}
};
