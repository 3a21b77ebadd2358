/*-------------------------------------------------------------------------
 *
 * seal.c
 *		The transparency log as it is stored.
 *
 * Every receipt leaves its digest in answer.unsealed, in its own transaction.
 * Sealing moves what has been committed to answer.log_leaf, in one transaction
 * at a time, and signs a checkpoint of the tree; writers never wait for it.
 * merkle.c has the tree, note.c what is signed, proof.c the documents,
 * audit.c the audit.
 *
 * Rule: RFC 6962 and RFC 9162 for the tree, the C2SP specifications
 * tlog-checkpoint, tlog-witness and tlog-cosignature for what goes out.
 *
 * Promises: a checkpoint that another session can see is on disk, whatever
 * synchronous_commit says, so a crash cannot make the log fork; what is stored
 * is never changed; sealing takes memory that does not depend on how many
 * receipts there are, and writes a leaf each and a tile in 31; a proof reads a
 * checkpoint and two tiles a level at the most.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

#include "base/funcargs.h"
#include "base/owner.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/kind.h"
#include "document/store.h"
#include "document/verify.h"
#include "log/proof.h"
#include "log/seal.h"

/* Fields of advisory lock tags that pg_advisory_lock's callers cannot set. */
#define LOG_LOCK_CLASS	0xAE
#define LOG_LOCK_FIELD4	0xAF

#define LEAVES_A_BATCH	4096
#define TILES_A_BATCH	128

/*
 * values
 */

Span
ByteaSpan(Datum datum)
{
	bytea	   *value = DatumGetByteaPP(datum);

	return (Span) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}

/*
 * What a superuser stored may be anything, once he has dropped the constraints.
 * So nothing is taken for there that a column says is null, and no length for
 * what it should be.
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

/* Bytes of the first row of what a query has found. */
static Span
FoundBytes(int column)
{
	return TupleBytes(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column);
}

static Datum
ByteaDatum(const void *bytes, int len)
{
	return PointerGetDatum(cstring_to_text_with_len(bytes, len));
}

/*
 * In a SQL_ASCII database nothing vouches for bytes, and converting bad ones
 * would raise.  They are passed on as they are: whoever reads a note or a key
 * looks whether it is UTF-8.
 */
static Span
UncheckedUtf8(text *value)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return (Span) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
	return Utf8OfText(value);
}

/* Can this database's encoding hold it? */
static bool
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

static Datum
ReportDatum(const JsonView *report)
{
	return JsonbPGetDatum(JsonViewToJsonb(report, false));
}

/* Moves a result out of SPI's memory. */
static Datum
FinishJsonb(const JsonView *report, MemoryContext caller)
{
	MemoryContext spi = MemoryContextSwitchTo(caller);
	Datum		result = ReportDatum(report);

	MemoryContextSwitchTo(spi);
	SPI_finish();
	return result;
}

static Datum
FinishText(Span utf8, MemoryContext caller)
{
	MemoryContext spi = MemoryContextSwitchTo(caller);
	Datum		result = SpanDatum(utf8);

	MemoryContextSwitchTo(spi);
	SPI_finish();
	return result;
}

static void
LogDamaged(const char *what)
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

/* Reads a row of LOG_STATE_COLUMNS; false if its edge does not lead to its root hash. */
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

/* The newest checkpoint as it is stored; false if there is none. */
static bool
NewestStored(LogState *state, bool *is_good)
{
	static FixedQuery query = {
		.text = "SELECT " LOG_STATE_COLUMNS " FROM answer.checkpoint"
		" WHERE tree_size OPERATOR(pg_catalog.>=) 0 ORDER BY tree_size DESC LIMIT 1",
		.nargs = 0
	};

	memset(state, 0, offsetof(LogState, tree));
	state->tree.size = 0;
	QueryRun(&query, NULL, NULL, true, 1);
	if (SPI_processed == 0)
		return false;
	*is_good = LogStateOfTuple(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, state);
	return true;
}

/* The newest checkpoint; false if there is none.  SPI must be connected. */
bool
LogStateNewest(LogState *state)
{
	bool		is_good;

	if (!NewestStored(state, &is_good))
		return false;
	/* nothing is proved or grown on it that it would not lead to */
	if (!is_good)
		LogDamaged("The edge of the newest checkpoint does not lead to its root hash.");
	return true;
}

static void
NothingSealed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the log has no checkpoint yet"),
			 errhint("Seal it with answer_log_seal().")));
}

static void
RequireSealed(LogState *state)
{
	if (!LogStateNewest(state))
		NothingSealed();
}

/* The stored note of a checkpoint of some size, without cosignatures. */
static bool
NoteOfSize(uint64 size, Span *note)
{
	static FixedQuery query = {
		.text = "SELECT note FROM answer.checkpoint WHERE tree_size OPERATOR(pg_catalog.=) $1",
		.nargs = 1,
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);

	QueryRun(&query, &value, NULL, true, 1);
	if (SPI_processed == 0)
		return false;
	*note = FoundBytes(1);
	return true;
}

/* A note with the cosignatures that were added to it. */
static Span
WithCosignatures(uint64 size, Span note)
{
	static FixedQuery query = {
		.text = "SELECT line FROM answer.cosignature WHERE tree_size OPERATOR(pg_catalog.=) $1"
		" ORDER BY added_at, line",
		.nargs = 1,
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);
	StringInfoData out;

	QueryRun(&query, &value, NULL, true, NOTE_MAX_SIGNATURES - 1);
	initStringInfo(&out);
	appendBinaryStringInfo(&out, note.str, note.len);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		Span		line = TupleBytes(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1);

		appendBinaryStringInfo(&out, line.str, line.len);
	}
	return (Span) {out.data, out.len};
}

/* Reads a complete tile; false if it is not there as it should. */
bool
TileRead(int level, uint64 tile, MerkleHash *hashes)
{
	static FixedQuery query = {
		.text = "SELECT hashes FROM answer.log_tile WHERE level OPERATOR(pg_catalog.=) $1"
		" AND tile OPERATOR(pg_catalog.=) $2",
		.nargs = 2,
		.argtypes = {INT2OID, INT8OID}
	};
	Datum		values[2] = {Int16GetDatum(level), Int64GetDatum(tile)};
	Span		bytes = {"", 0};
	bool		good;

	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed > 0)
		bytes = FoundBytes(1);
	good = bytes.len == MERKLE_TILE_WIDTH * SHA256_LENGTH;
	if (good)
		memcpy(hashes, bytes.str, bytes.len);
	SPI_freetuptable(SPI_tuptable);
	return good;
}

const MerkleHash *
TileReaderSource(void *arg, int level, uint64 tile)
{
	TileReader *reader = arg;

	if (!reader->present[level] || reader->tile[level] != tile)
	{
		if (!TileRead(level, tile, reader->hashes[level]))
			LogDamaged(psprintf("Tile " UINT64_FORMAT " of level %d is missing.", tile, level));
		reader->present[level] = true;
		reader->tile[level] = tile;
	}
	return reader->hashes[level];
}

/*
 * sealing
 */

/* Sealings take their turns; nobody else waits. */
static void
LogLock(void)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, LOG_LOCK_CLASS, 0, LOG_LOCK_FIELD4);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/*
 * A name for the log, made of the issuer's: a key's name has neither white
 * space nor a plus sign, and plain ASCII reads the same in every encoding.
 */
static char *
DefaultOrigin(void)
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

/* Tiles on their way to the table. */
typedef struct TileWriter
{
	int			count;
	Datum		levels[TILES_A_BATCH];
	Datum		tiles[TILES_A_BATCH];
	Datum		hashes[TILES_A_BATCH];
	MemoryContext context;		/* of the hashes */
} TileWriter;

static void
FlushTiles(TileWriter *writer)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.log_tile (level, tile, hashes)"
		" SELECT * FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3))",
		.nargs = 3,
		.argtypes = {INT2ARRAYOID, INT8ARRAYOID, BYTEAARRAYOID}
	};
	MemoryContext old;
	Datum		values[3];

	if (writer->count == 0)
		return;
	old = MemoryContextSwitchTo(writer->context);
	values[0] = PointerGetDatum(construct_array(writer->levels, writer->count, INT2OID,
												sizeof(int16), true, TYPALIGN_SHORT));
	values[1] = PointerGetDatum(construct_array(writer->tiles, writer->count, INT8OID,
												sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	values[2] = PointerGetDatum(construct_array(writer->hashes, writer->count, BYTEAOID,
												-1, false, TYPALIGN_INT));
	QueryRun(&insert, values, NULL, false, 0);
	MemoryContextSwitchTo(old);
	MemoryContextReset(writer->context);
	writer->count = 0;
}

static void
WriteTile(void *arg, int level, uint64 tile, const MerkleHash *hashes)
{
	TileWriter *writer = arg;
	MemoryContext old = MemoryContextSwitchTo(writer->context);

	writer->levels[writer->count] = Int16GetDatum(level);
	writer->tiles[writer->count] = Int64GetDatum(tile);
	writer->hashes[writer->count] = ByteaDatum(hashes, MERKLE_TILE_WIDTH * SHA256_LENGTH);
	MemoryContextSwitchTo(old);
	if (++writer->count == TILES_A_BATCH)
		FlushTiles(writer);
}

/* Receipts that waited, on their way into order. */
typedef struct SortReceiver
{
	DestReceiver pub;
	Tuplesortstate *sort;
} SortReceiver;

static bool
SortReceive(TupleTableSlot *slot, DestReceiver *receiver)
{
	tuplesort_puttupleslot(((SortReceiver *) receiver)->sort, slot);
	return true;
}

static void
SortReceiverStartup(DestReceiver *receiver, int operation, TupleDesc desc)
{
}

static void
SortReceiverEnd(DestReceiver *receiver)
{
}

/* The columns of a leaf but its position, which is their order. */
static TupleDesc
WaitingDesc(void)
{
	TupleDesc	desc = CreateTemplateTupleDesc(3);

	TupleDescInitEntry(desc, 1, "issued_at", TIMESTAMPTZOID, -1, 0);
	TupleDescInitEntry(desc, 2, "receipt_id", TEXTOID, -1, 0);
	TupleDescInitEntry(desc, 3, "digest", BYTEAOID, -1, 0);
	return desc;
}

static Oid
LessOperator(Oid type)
{
	return lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr;
}

/*
 * Takes every receipt that waits, and puts them in order.  In SQL alone, the
 * rows would be stored twice more on the way, and looked at again by a window
 * function: that took as long as all the rest.
 */
static Tuplesortstate *
TakeWaiting(TupleDesc desc)
{
	static FixedQuery query = {
		.text = "DELETE FROM answer.unsealed RETURNING issued_at, receipt_id, digest",
		.nargs = 0
	};
	AttrNumber	columns[2] = {1, 2};
	Oid			operators[2] = {LessOperator(TIMESTAMPTZOID), LessOperator(TEXTOID)};
	Oid			collations[2] = {InvalidOid, C_COLLATION_OID};
	bool		nulls_first[2] = {false, false};
	SortReceiver receiver = {
		.pub = {
			.receiveSlot = SortReceive,
			.rStartup = SortReceiverStartup,
			.rShutdown = SortReceiverEnd,
			.rDestroy = SortReceiverEnd,
			.mydest = DestNone
		}
	};

	receiver.sort = tuplesort_begin_heap(desc, 2, columns, operators, collations, nulls_first,
										 work_mem, NULL, TUPLESORT_NONE);
	QueryRunInto(&query, &receiver.pub);
	tuplesort_performsort(receiver.sort);
	return receiver.sort;
}

/* Leaves on their way to the table. */
typedef struct LeafWriter
{
	uint64		position;		/* of the first */
	int			count;
	Datum		issued_at[LEAVES_A_BATCH];
	Datum		receipt_ids[LEAVES_A_BATCH];
	Datum		digests[LEAVES_A_BATCH];
	MemoryContext context;		/* of the values, and of what it takes to write them */
} LeafWriter;

/* Takes the next leaf from its slot; returns its digest. */
static Span
TakeLeaf(LeafWriter *writer, TupleTableSlot *slot)
{
	MemoryContext old = MemoryContextSwitchTo(writer->context);
	int			i = writer->count++;

	slot_getallattrs(slot);
	if (slot->tts_isnull[0] || slot->tts_isnull[1] || slot->tts_isnull[2])
		LogDamaged("A receipt that waits to be sealed has no instant, id or digest.");
	writer->issued_at[i] = slot->tts_values[0];
	writer->receipt_ids[i] = datumCopy(slot->tts_values[1], false, -1);
	writer->digests[i] = datumCopy(slot->tts_values[2], false, -1);
	MemoryContextSwitchTo(old);
	return ByteaSpan(writer->digests[i]);
}

static void
FlushLeaves(LeafWriter *writer)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.log_leaf (leaf_index, issued_at, receipt_id, digest)"
		" SELECT $1 OPERATOR(pg_catalog.+) n OPERATOR(pg_catalog.-) 1, issued_at, receipt_id, digest"
		" FROM ROWS FROM (pg_catalog.unnest($2), pg_catalog.unnest($3), pg_catalog.unnest($4))"
		" WITH ORDINALITY AS leaf (issued_at, receipt_id, digest, n)",
		.nargs = 4,
		.argtypes = {INT8OID, TIMESTAMPTZARRAYOID, TEXTARRAYOID, BYTEAARRAYOID}
	};
	MemoryContext old;
	Datum		values[4];

	if (writer->count == 0)
		return;
	old = MemoryContextSwitchTo(writer->context);
	values[0] = Int64GetDatum(writer->position);
	values[1] = PointerGetDatum(construct_array(writer->issued_at, writer->count, TIMESTAMPTZOID,
												sizeof(TimestampTz), FLOAT8PASSBYVAL,
												TYPALIGN_DOUBLE));
	values[2] = PointerGetDatum(construct_array(writer->receipt_ids, writer->count, TEXTOID,
												-1, false, TYPALIGN_INT));
	values[3] = PointerGetDatum(construct_array(writer->digests, writer->count, BYTEAOID,
												-1, false, TYPALIGN_INT));
	QueryRun(&insert, values, NULL, false, 0);
	MemoryContextSwitchTo(old);
	MemoryContextReset(writer->context);
	writer->position += writer->count;
	writer->count = 0;
}

/* Gives every receipt that waits its place, and lets the tree grow by them. */
static void
SequenceLeaves(MerkleTree *tree)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval sealing",
												  ALLOCSET_DEFAULT_SIZES);
	TupleDesc	desc = WaitingDesc();
	TupleTableSlot *slot = MakeSingleTupleTableSlot(desc, &TTSOpsMinimalTuple);
	Tuplesortstate *sort = TakeWaiting(desc);
	LeafWriter *leaves = palloc(sizeof(LeafWriter));
	TileWriter *tiles = palloc(sizeof(TileWriter));

	leaves->position = tree->size;
	leaves->count = tiles->count = 0;
	leaves->context = AllocSetContextCreate(context, "answer_eval leaves", ALLOCSET_DEFAULT_SIZES);
	tiles->context = AllocSetContextCreate(context, "answer_eval tiles", ALLOCSET_DEFAULT_SIZES);
	while (tuplesort_gettupleslot(sort, true, false, slot, NULL))
	{
		Span		digest = TakeLeaf(leaves, slot);
		MerkleHash	hash;

		CHECK_FOR_INTERRUPTS();
		MerkleLeafHash(digest.str, digest.len, &hash);
		MerkleTreeAppend(tree, &hash, WriteTile, tiles);
		if (leaves->count == LEAVES_A_BATCH)
			FlushLeaves(leaves);
	}
	FlushLeaves(leaves);
	FlushTiles(tiles);
	tuplesort_end(sort);
	ExecDropSingleTupleTableSlot(slot);
	MemoryContextDelete(context);
}

/* Raises if there are leaves beyond what was signed last. */
static void
RequireNoneBeyond(uint64 size)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.log_leaf WHERE leaf_index OPERATOR(pg_catalog.>=) $1"
		" ORDER BY leaf_index LIMIT 1",
		.nargs = 1,
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);

	QueryRun(&query, &value, NULL, true, 1);
	if (SPI_processed > 0)
		LogDamaged("There are leaves that no checkpoint covers.");
}

/* Signs what the tree is now, and stores it. */
static void
SignCheckpoint(LogState *state, bool first, uint64 previous_size)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.checkpoint (tree_size, previous_size, origin, root_hash,"
		" edge, key_id, sealed_at, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		.nargs = 8,
		.argtypes = {INT8OID, INT8OID, TEXTOID, BYTEAOID, BYTEAOID, TEXTOID, TIMESTAMPTZOID, BYTEAOID}
	};
	Span		origin = {state->origin, strlen(state->origin)};
	int			edge_count = MerkleEdgeCount(state->tree.size);
	MerkleHash *edge = palloc(sizeof(MerkleHash) * Max(edge_count, 1));
	SigningKey	key;
	NoteKey		note_key;
	uint8		public_key[ED25519_KEY_LENGTH];
	uint8		signature[ED25519_SIGNATURE_LENGTH];
	StringInfoData note;
	Datum		values[8];

	SigningKeyBegin(&key, &state->sealed_at);
	if (!SigningKeyPublic(&key, public_key))
		elog(ERROR, "a signing key has no public half");
	NoteKeyInit(&note_key, origin, NOTE_ALG_ED25519, public_key);
	initStringInfo(&note);
	CheckpointText(&note, origin, state->tree.size, &state->root);
	SigningKeySignRaw(&key, note.data, note.len, signature);
	appendStringInfoChar(&note, '\n');
	NoteSignatureLine(&note, &note_key, NULL, 0, signature);
	MerkleEdgeWrite(&state->tree, edge);

	values[0] = Int64GetDatum(state->tree.size);
	values[1] = Int64GetDatum(previous_size);
	values[2] = CStringGetTextDatum(state->origin);
	values[3] = ByteaDatum(state->root.bytes, SHA256_LENGTH);
	values[4] = ByteaDatum(edge, edge_count * SHA256_LENGTH);
	values[5] = CStringGetTextDatum(key.key_id);
	values[6] = TimestampTzGetDatum(state->sealed_at);
	values[7] = ByteaDatum(note.data, note.len);
	QueryRun(&insert, values, first ? " n      " : NULL, false, 0);
}

/*
 * What was sealed last is remembered beside the keys, too, where a change of the
 * tables does not reach.  A sealing writes down what the one before it has
 * committed: what itself seals may yet be rolled back.
 */
static const Span own_mark = {"\nsealed", 7};	/* no origin, which has no newline */

/* In which transaction this session sealed last. */
static FullTransactionId sealed_in;

/* What was sealed last as the file has it.  SPI must be connected. */
MarkState
LogMarkLook(uint64 *size, MerkleHash *root)
{
	SigningKey	key;

	return SigningFolderFind(&key) ? WitnessMarkLook(&key, own_mark, size, root) : WITNESS_MARK_NONE;
}

/* Raises unless the log begins with what was sealed last. */
static void
RequireMarked(const SigningKey *key, const LogState *state, uint64 size, const MerkleHash *root)
{
	TileReader	reader = {.present = {false}};
	MerkleTree	past;
	MerkleHash	stored;

	if (size <= state->tree.size)
	{
		MerkleTreeAt(&state->tree, size, TileReaderSource, &reader, &past);
		MerkleTreeRoot(&past, &stored);
		if (MerkleHashEqual(&stored, root))
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the log is not the one that was sealed before"),
			 size > state->tree.size ?
			 errdetail("It had " UINT64_FORMAT " leaves and has " UINT64_FORMAT ".", size, state->tree.size) :
			 errdetail("Its first " UINT64_FORMAT " leaves are others than those.", size),
			 errhint("If this is a restored backup, whose log is to go on as a fork that witnesses refuse, remove the file \"%s\". If it is not, answer_log_audit() tells what was changed.",
					 WitnessMarkFile(key, own_mark))));
}

/* Holds the log against the mark, and moves that on. */
static void
AdvanceMark(const LogState *state)
{
	SigningKey	key;
	uint64		size = 0;
	MerkleHash	root;

	if (!SigningFolderFind(&key))
		return;					/* there is no key here to sign with */
	if (WitnessMarkRead(&key, own_mark, &size, &root))
		RequireMarked(&key, state, size, &root);
	if (size == state->tree.size ||
		FullTransactionIdEquals(sealed_in, GetTopFullTransactionId()))
		return;
	WitnessMarkWrite(&key, own_mark, state->tree.size, &state->root);
}

PG_FUNCTION_INFO_V1(answer_eval_log_seal);
Datum
answer_eval_log_seal(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	JsonView	report;
	uint64		leaves;
	uint64		previous_size;
	bool		first;
	Oid			user;
	int			context;

	PreventCommandIfReadOnly("answer_log_seal()");
	RequireOperator("answer_log_seal");
	PreventCommandDuringRecovery("answer_log_seal()");
	SPI_connect();
	AnswerAsOwner(&user, &context);
	LogLock();
	/* what the sealing before has committed, whatever snapshot the transaction has */
	PushActiveSnapshot(GetLatestSnapshot());
	first = !LogStateNewest(&state);
	RequireNoneBeyond(state.tree.size);
	AdvanceMark(&state);
	PopActiveSnapshot();
	if (first)
		state.origin = DefaultOrigin();
	previous_size = state.tree.size;
	SequenceLeaves(&state.tree);
	leaves = state.tree.size - previous_size;
	if (first || leaves > 0)
	{
		MerkleTreeRoot(&state.tree, &state.root);
		SignCheckpoint(&state, first, previous_size);
		sealed_in = GetTopFullTransactionId();
		ForceSyncCommit();
	}
	AnswerAsCaller(user, context);

	report = JsonViewNewObject(3);
	JsonViewSet(&report, "sealed", JsonViewInteger(leaves));
	JsonViewSet(&report, "tree_size", JsonViewInteger(state.tree.size));
	JsonViewSet(&report, "root_hash", HashView(&state.root));
	return FinishJsonb(&report, caller);
}

/*
 * checkpoints
 */

PG_FUNCTION_INFO_V1(answer_eval_checkpoint);
Datum
answer_eval_checkpoint(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	bool		is_good;

	SPI_connect();
	if (!NewestStored(&state, &is_good))
		NothingSealed();
	return FinishText(WithCosignatures(state.tree.size, state.note), caller);
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_of);
Datum
answer_eval_checkpoint_of(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	int64		size = PG_GETARG_INT64(0);
	Span		note;

	SPI_connect();
	if (!NoteOfSize(size, &note))
	{
		SPI_finish();
		PG_RETURN_NULL();
	}
	return FinishText(WithCosignatures(size, note), caller);
}

/*
 * proofs
 */

/* A size that was asked for, which the log must have had. */
static uint64
CheckedSize(int64 size, int64 least, const LogState *state, const char *name)
{
	if (size < least || (uint64) size > state->tree.size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is not a size to prove anything about", name),
				 errdetail("It is " INT64_FORMAT "; here it can be from " INT64_FORMAT " to " UINT64_FORMAT ".",
						   size, least, state->tree.size)));
	return size;
}

/* Adds the checkpoint of that size, if one is stored and can be told here. */
static void
SetCheckpoint(JsonView *document, uint64 size)
{
	Span		note;

	if (!NoteOfSize(size, &note))
		return;
	note = WithCosignatures(size, note);
	if (IsRepresentable(note))
		JsonViewSet(document, "checkpoint", JsonViewString(note.str, note.len));
}

/* A receipt's row tells the instant, which the index over leaves begins with. */
static bool
FindLeaf(Datum tenants, text *receipt_id, uint64 *leaf_index, Span *digest)
{
	static FixedQuery query = {
		.text = "SELECT l.leaf_index, l.digest FROM answer.receipt r JOIN answer.log_leaf l"
		" ON l.issued_at OPERATOR(pg_catalog.=) r.issued_at"
		" AND l.receipt_id OPERATOR(pg_catalog.=) r.receipt_id"
		" WHERE r.receipt_id OPERATOR(pg_catalog.=) $1 AND r.tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id), tenants};

	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed == 0)
		return false;
	/* a negative one becomes one beyond every size */
	*leaf_index = TupleInt64(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
	*digest = FoundBytes(2);
	return true;
}

/* Adds the tombstone of a receipt that was forgotten. */
static void
SetForgotten(JsonView *document, Datum tenants, text *receipt_id)
{
	static FixedQuery query = {
		.text = "SELECT body FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)"
		" AND body OPERATOR(pg_catalog.->>) 'schema' OPERATOR(pg_catalog.=) '" TOMBSTONE_SCHEMA "'",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(receipt_id), tenants};
	bool		isnull;
	JsonView	tombstone;

	QueryRun(&query, values, NULL, true, 1);
	if (SPI_processed == 0)
		return;
	JsonViewOfJsonb(DatumGetJsonbP(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
												 1, &isnull)), &tombstone);
	JsonViewSet(document, "forgotten", tombstone);
}

static JsonView
InclusionDocument(text *receipt_id, const MerkleTree *tree, const char *origin,
				  uint64 leaf_index, Span digest, TileReader *reader)
{
	JsonView	document = JsonViewNewObject(12);
	char	   *digest_text = palloc(DIGEST_TEXT_LENGTH + 1);
	Span		id = UncheckedUtf8(receipt_id);
	MerkleHash	leaf;
	MerkleHash	root;
	MerkleProof proof;

	memcpy(digest_text, DIGEST_PREFIX, strlen(DIGEST_PREFIX));
	HexEncode((const uint8 *) digest.str, SHA256_LENGTH, digest_text + strlen(DIGEST_PREFIX));
	MerkleLeafHash(digest.str, SHA256_LENGTH, &leaf);
	MerkleTreeRoot(tree, &root);
	MerkleProveInclusion(tree, leaf_index, TileReaderSource, reader, &proof);
	JsonViewSet(&document, "schema", JsonViewCString(INCLUSION_SCHEMA));
	JsonViewSet(&document, "origin", JsonViewCString(origin));
	JsonViewSet(&document, "receipt_id", JsonViewString(id.str, id.len));
	JsonViewSet(&document, "digest", JsonViewString(digest_text, DIGEST_TEXT_LENGTH));
	JsonViewSet(&document, "leaf_index", JsonViewInteger(leaf_index));
	JsonViewSet(&document, "tree_size", JsonViewInteger(tree->size));
	JsonViewSet(&document, "leaf_hash", HashView(&leaf));
	JsonViewSet(&document, "root_hash", HashView(&root));
	JsonViewSet(&document, "hashes", HashesView(&proof));
	return document;
}

PG_FUNCTION_INFO_V1(answer_eval_log_inclusion);
Datum
answer_eval_log_inclusion(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	text	   *receipt_id;
	LogState	state;
	MerkleTree	past;
	MerkleTree *tree = &state.tree;
	TileReader	reader = {0};
	TenantReading reading;
	JsonView	document;
	uint64		leaf_index;
	Span		digest;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	receipt_id = PG_GETARG_TEXT_PP(0);
	SPI_connect();
	TenantReadBegin(&reading);
	if (!LogStateNewest(&state) || !FindLeaf(reading.tenants, receipt_id, &leaf_index, &digest))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("receipt \"%s\" is not in the log", text_to_cstring(receipt_id)),
				 errhint("answer_log_seal() takes committed receipts into the log.")));
	if (leaf_index >= state.tree.size || digest.len != SHA256_LENGTH)
		LogDamaged("A leaf lies beyond the newest checkpoint, or has no digest.");
	if (!PG_ARGISNULL(1))
	{
		uint64		size = CheckedSize(PG_GETARG_INT64(1), leaf_index + 1, &state, "tree_size");

		MerkleTreeAt(&state.tree, size, TileReaderSource, &reader, &past);
		tree = &past;
	}
	document = InclusionDocument(receipt_id, tree, state.origin, leaf_index, digest, &reader);
	SetCheckpoint(&document, tree->size);
	SetForgotten(&document, reading.tenants, receipt_id);
	TenantReadEnd(&reading);
	return FinishJsonb(&document, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_log_consistency);
Datum
answer_eval_log_consistency(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	MerkleTree	from;
	MerkleTree	to;
	TileReader	reader = {0};
	MerkleHash	from_root;
	MerkleHash	to_root;
	MerkleProof proof;
	JsonView	document = JsonViewNewObject(9);
	uint64		to_size;
	uint64		from_size;

	RequireArgument(fcinfo, 0, "from_size");
	SPI_connect();
	RequireSealed(&state);
	to_size = PG_ARGISNULL(1) ? state.tree.size :
		CheckedSize(PG_GETARG_INT64(1), 1, &state, "to_size");
	MerkleTreeAt(&state.tree, to_size, TileReaderSource, &reader, &to);
	state.tree = to;
	from_size = CheckedSize(PG_GETARG_INT64(0), 1, &state, "from_size");
	MerkleTreeAt(&to, from_size, TileReaderSource, &reader, &from);
	MerkleTreeRoot(&from, &from_root);
	MerkleTreeRoot(&to, &to_root);
	MerkleProveConsistency(&to, from_size, TileReaderSource, &reader, &proof);
	JsonViewSet(&document, "schema", JsonViewCString(CONSISTENCY_SCHEMA));
	JsonViewSet(&document, "origin", JsonViewCString(state.origin));
	JsonViewSet(&document, "from_size", JsonViewInteger(from_size));
	JsonViewSet(&document, "to_size", JsonViewInteger(to_size));
	JsonViewSet(&document, "from_root", HashView(&from_root));
	JsonViewSet(&document, "to_root", HashView(&to_root));
	JsonViewSet(&document, "hashes", HashesView(&proof));
	SetCheckpoint(&document, to_size);
	return FinishJsonb(&document, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_request);
Datum
answer_eval_checkpoint_request(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	LogState	state;
	TileReader	reader = {0};
	MerkleProof proof = {0};
	StringInfoData out;
	Span		note;
	uint64		old_size;

	SPI_connect();
	RequireSealed(&state);
	old_size = CheckedSize(PG_GETARG_INT64(0), 0, &state, "old_size");
	if (old_size > 0)
		MerkleProveConsistency(&state.tree, old_size, TileReaderSource, &reader, &proof);
	initStringInfo(&out);
	appendStringInfo(&out, "old " UINT64_FORMAT "\n", old_size);
	for (int i = 0; i < proof.count; i++)
	{
		JsonView	hash = HashView(&proof.hashes[i]);

		appendStringInfo(&out, "%.*s\n", hash.len, hash.str);
	}
	appendStringInfoChar(&out, '\n');
	note = WithCosignatures(state.tree.size, state.note);
	appendBinaryStringInfo(&out, note.str, note.len);
	return FinishText((Span) {out.data, out.len}, caller);
}

/*
 * keys
 */

/* The log's name: what its checkpoints say, or the first one will. */
static char *
Origin(void)
{
	LogState	state;
	bool		is_good;

	return NewestStored(&state, &is_good) ? state.origin : DefaultOrigin();
}

static Datum
Vkey(FunctionCallInfo fcinfo, uint8 alg)
{
	static FixedQuery query = {
		.text = "SELECT public_key FROM answer.signing_key WHERE CASE WHEN $1 IS NULL"
		" THEN status OPERATOR(pg_catalog.=) 'active' ELSE key_id OPERATOR(pg_catalog.=) $1 END"
		" ORDER BY active_from DESC LIMIT 1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	Datum		value = PG_ARGISNULL(0) ? (Datum) 0 : PG_GETARG_DATUM(0);
	Span		public_key;
	NoteKey		key;
	char	   *origin;
	char	   *vkey;

	SPI_connect();
	QueryRun(&query, &value, PG_ARGISNULL(0) ? "n" : " ", true, 1);
	if (SPI_processed == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 PG_ARGISNULL(0) ? errmsg("there is no active signing key") :
				 errmsg("there is no such key"),
				 errhint("answer_keys() lists the keys; answer_key_generate() makes one.")));
	public_key = FoundBytes(1);
	if (public_key.len != ED25519_KEY_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("a public key of the registry has the wrong length")));
	origin = Origin();
	NoteKeyInit(&key, (Span) {origin, strlen(origin)}, alg, (const uint8 *) public_key.str);
	vkey = NoteKeyFormat(&key);
	return FinishText((Span) {vkey, strlen(vkey)}, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_log_vkey);
Datum
answer_eval_log_vkey(PG_FUNCTION_ARGS)
{
	return Vkey(fcinfo, NOTE_ALG_ED25519);
}

PG_FUNCTION_INFO_V1(answer_eval_witness_vkey);
Datum
answer_eval_witness_vkey(PG_FUNCTION_ARGS)
{
	return Vkey(fcinfo, NOTE_ALG_COSIGNATURE);
}

static NoteKey
ParsedVkey(text *vkey)
{
	NoteKey		key;

	if (!NoteKeyParse(UncheckedUtf8(vkey), &key))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("malformed vkey \"%s\"", text_to_cstring(vkey)),
				 errhint("A vkey is name+hash+key, as of answer_log_vkey().")));
	return key;
}

static NoteKey *
GivenKeys(ArrayType *array, int *nkeys)
{
	Datum	   *elements;
	bool	   *nulls;
	NoteKey    *keys;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, nkeys);
	keys = palloc(sizeof(NoteKey) * Max(*nkeys, 1));
	for (int i = 0; i < *nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a vkey must not be null")));
		keys[i] = ParsedVkey(DatumGetTextPP(elements[i]));
	}
	return keys;
}

/*
 * Our own keys, under the name of our log.  A checkpoint has no date, so one
 * by a compromised key proves nothing.  The registry also has keys that were
 * imported: they sign receipts elsewhere, and may not speak for this log.  Ours
 * is what is active here, or has signed a checkpoint that is stored here.
 */
static NoteKey *
OwnKeys(int *nkeys)
{
	static FixedQuery query = {
		.text = "SELECT k.public_key FROM answer.signing_key k"
		" WHERE k.status OPERATOR(pg_catalog.<>) 'compromised'"
		" AND (k.status OPERATOR(pg_catalog.=) 'active' OR EXISTS (SELECT FROM answer.checkpoint c"
		"  WHERE c.key_id OPERATOR(pg_catalog.=) k.key_id)) ORDER BY k.key_id",
		.nargs = 0
	};
	char	   *origin = Origin();
	NoteKey    *keys;

	QueryRun(&query, NULL, NULL, true, 0);
	*nkeys = 0;
	keys = palloc(sizeof(NoteKey) * Max(SPI_processed, 1));
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		Span		public_key = TupleBytes(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1);

		if (public_key.len == ED25519_KEY_LENGTH)
			NoteKeyInit(&keys[(*nkeys)++], (Span) {origin, strlen(origin)}, NOTE_ALG_ED25519,
						(const uint8 *) public_key.str);
	}
	return keys;
}

/*
 * verifying
 */

PG_FUNCTION_INFO_V1(answer_eval_log_verify);
Datum
answer_eval_log_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	proof;
	JsonView	receipt;
	JsonView	report;
	NoteKey    *keys;
	int			nkeys;

	ReadDocumentJsonb(fcinfo, 0, &proof);
	ReadDocumentJsonb(fcinfo, 1, &receipt);
	/* one that was given and cannot be read is not one that was not given */
	if (!PG_ARGISNULL(1) && receipt.type == JVIEW_ABSENT)
		receipt = JsonViewNull();
	SPI_connect();
	keys = PG_ARGISNULL(2) ? OwnKeys(&nkeys) : GivenKeys(PG_GETARG_ARRAYTYPE_P(2), &nkeys);
	report = ProofVerify(&proof, &receipt, keys, nkeys);
	return FinishJsonb(&report, caller);
}

/*
 * answer_verify(receipt, keys, inclusion, vkeys): the steps of answer_verify
 * and, after them, that the receipt is in the log.  To leave the proof out is
 * not to have it.
 */
static Datum
VerifyFinal(FunctionCallInfo fcinfo, const JsonView *receipt)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(2);
	JsonView	steps = JsonViewNewObject(6);
	JsonView	keys;
	JsonView	nothing = JsonViewNull();
	JsonView	proof;
	JsonView	plain;
	JsonView	found;
	JsonView	ok;
	JsonView	included;
	NoteKey    *note_keys;
	int			nkeys;
	JsonView	step;

	SPI_connect();
	ReadVerifyKeys(fcinfo, receipt, &keys);
	plain = ReceiptVerify(receipt, &keys);
	JsonViewGet(&plain, "ok", 2, &ok);
	JsonViewGet(&plain, "steps", 5, &found);
	for (int i = 0; i < JsonViewCount(&found); i++)
	{
		const char *name;
		int			len;

		JsonViewMember(&found, i, &name, &len, &step);
		JsonViewSetKey(&steps, name, len, step);
	}
	ReadDocumentJsonb(fcinfo, 2, &proof);
	/* one that was given and cannot be read is not one that was not given */
	if (!PG_ARGISNULL(2) && proof.type == JVIEW_ABSENT)
		proof = JsonViewNull();
	note_keys = PG_ARGISNULL(3) ? OwnKeys(&nkeys) : GivenKeys(PG_GETARG_ARRAYTYPE_P(3), &nkeys);
	/* no proof is of a document that is none */
	step = InclusionStep(&proof, receipt->type == JVIEW_ABSENT ? &nothing : receipt, note_keys, nkeys);
	JsonViewSet(&steps, "inclusion", step);
	JsonViewGet(&step, "ok", 2, &included);
	JsonViewSet(&report, "ok", JsonViewBool(ok.boolean && included.boolean));
	JsonViewSet(&report, "steps", steps);
	return FinishJsonb(&report, caller);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_final_json);
Datum
answer_eval_verify_final_json(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentText(fcinfo, &receipt);
	return VerifyFinal(fcinfo, &receipt);
}

PG_FUNCTION_INFO_V1(answer_eval_verify_final_jsonb);
Datum
answer_eval_verify_final_jsonb(PG_FUNCTION_ARGS)
{
	JsonView	receipt;

	ReadDocumentJsonb(fcinfo, 0, &receipt);
	return VerifyFinal(fcinfo, &receipt);
}

/* Adds what a checkpoint says to a report. */
static void
SetCheckpointMembers(JsonView *report, const Checkpoint *checkpoint)
{
	JsonViewSet(report, "origin", JsonViewString(checkpoint->origin.str, checkpoint->origin.len));
	JsonViewSet(report, "tree_size", JsonViewInteger(checkpoint->tree_size));
	JsonViewSet(report, "root_hash", HashView(&checkpoint->root));
}

/* Reads a checkpoint that somebody gives.  Returns NULL, or why it is none. */
static const char *
ReadCheckpoint(text *given, Checkpoint *checkpoint)
{
	/* in a SQL_ASCII database, text may be any bytes */
	if (!IsReadable(VARDATA_ANY(given), VARSIZE_ANY_EXHDR(given)))
		return "the note is not plain UTF-8 text";
	return CheckpointParse(UncheckedUtf8(given), checkpoint);
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_verify);
Datum
answer_eval_checkpoint_verify(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(6);
	JsonView	signatures;
	Checkpoint	checkpoint;
	const char *problem;
	NoteKey    *keys;
	int			nkeys;

	SPI_connect();
	keys = PG_ARGISNULL(1) ? OwnKeys(&nkeys) : GivenKeys(PG_GETARG_ARRAYTYPE_P(1), &nkeys);
	problem = PG_ARGISNULL(0) ? "there is no checkpoint" :
		ReadCheckpoint(PG_GETARG_TEXT_PP(0), &checkpoint);
	if (problem == NULL)
	{
		problem = CheckpointProblem(&checkpoint, keys, nkeys, &signatures);
		SetCheckpointMembers(&report, &checkpoint);
		JsonViewSet(&report, "signatures", signatures);
	}
	JsonViewSet(&report, "ok", JsonViewBool(problem == NULL));
	if (problem)
		JsonViewSet(&report, "reason", JsonViewCString(problem));
	return FinishJsonb(&report, caller);
}

/* How a checkpoint that somebody kept relates to our log. */
static const char *
CompareState(const Checkpoint *checkpoint, const char **problem)
{
	LogState	state;
	MerkleTree	past;
	MerkleHash	root;
	TileReader	reader = {0};
	JsonView	signatures;
	NoteKey    *keys;
	int			nkeys;

	keys = OwnKeys(&nkeys);
	*problem = CheckpointProblem(checkpoint, keys, nkeys, &signatures);
	if (*problem)
		return "foreign";
	if (!LogStateNewest(&state) || checkpoint->tree_size > state.tree.size)
	{
		*problem = "the log has fewer leaves than the checkpoint";
		return "shrunk";
	}
	MerkleTreeAt(&state.tree, checkpoint->tree_size, TileReaderSource, &reader, &past);
	MerkleTreeRoot(&past, &root);
	if (MerkleHashEqual(&root, &checkpoint->root))
		return "consistent";
	*problem = "the log had another root hash at this size";
	return "fork";
}

PG_FUNCTION_INFO_V1(answer_eval_log_compare);
Datum
answer_eval_log_compare(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	report = JsonViewNewObject(7);
	Checkpoint	checkpoint;
	const char *problem;
	const char *state = "malformed";

	SPI_connect();
	problem = ReadCheckpoint(PG_GETARG_TEXT_PP(0), &checkpoint);
	if (problem == NULL)
	{
		LogState	newest;

		state = CompareState(&checkpoint, &problem);
		SetCheckpointMembers(&report, &checkpoint);
		JsonViewSet(&report, "log_size",
					JsonViewInteger(LogStateNewest(&newest) ? newest.tree.size : 0));
	}
	JsonViewSet(&report, "ok", JsonViewBool(problem == NULL));
	JsonViewSet(&report, "state", JsonViewCString(state));
	if (problem)
		JsonViewSet(&report, "reason", JsonViewCString(problem));
	return FinishJsonb(&report, caller);
}

/*
 * witnessing
 */

PG_FUNCTION_INFO_V1(answer_eval_witness_trust);
Datum
answer_eval_witness_trust(PG_FUNCTION_ARGS)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.witness_key (vkey, origin) VALUES ($1, $2) ON CONFLICT DO NOTHING",
		.nargs = 2,
		.argtypes = {TEXTOID, TEXTOID}
	};
	MemoryContext caller = CurrentMemoryContext;
	NoteKey		key;
	Datum		values[2];
	Oid			user;
	int			context;

	PreventCommandIfReadOnly("answer_witness_trust()");
	RequireOperator("answer_witness_trust");
	key = ParsedVkey(PG_GETARG_TEXT_PP(0));
	if (key.alg != NOTE_ALG_ED25519)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("vkey is that of a cosigner, not of a log")));
	SPI_connect();
	values[0] = PG_GETARG_DATUM(0);
	values[1] = SpanDatum(key.name);
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, NULL, false, 0);
	AnswerAsCaller(user, context);
	CommandCounterIncrement();
	(void) RecordChange("witness", text_to_cstring(PG_GETARG_TEXT_PP(0)));
	return FinishText(key.name, caller);
}

/* An add-checkpoint request, or a bare checkpoint, whose old size is none. */
typedef struct CosignRequest
{
	bool		has_old_size;
	uint64		old_size;
	MerkleProof proof;
	Checkpoint	checkpoint;
} CosignRequest;

static bool
TakeLine(Span *rest, Span *line)
{
	const char *end = rest->len > 0 ? memchr(rest->str, '\n', rest->len) : NULL;

	if (end == NULL)
		return false;
	*line = (Span) {rest->str, end - rest->str};
	rest->len -= line->len + 1;
	rest->str = end + 1;
	return true;
}

/* Returns NULL, or why the text is no request. */
static const char *
ParseRequest(Span rest, CosignRequest *request)
{
	Span		line;

	request->has_old_size = rest.len > 4 && memcmp(rest.str, "old ", 4) == 0;
	request->old_size = 0;
	request->proof.count = 0;
	if (request->has_old_size)
	{
		if (!TakeLine(&rest, &line) ||
			!DecimalParse((Span) {line.str + 4, line.len - 4}, &request->old_size))
			return "the old size is malformed";
		while (TakeLine(&rest, &line) && line.len > 0)
		{
			if (request->proof.count == MERKLE_MAX_PROOF ||
				!HashParse(line, &request->proof.hashes[request->proof.count++]))
				return "the consistency proof is malformed";
		}
	}
	return CheckpointParse(rest, &request->checkpoint);
}

/* The keys that are trusted for an origin. */
static NoteKey *
TrustedKeys(Span origin, int *nkeys)
{
	static FixedQuery query = {
		.text = "SELECT vkey FROM answer.witness_key WHERE origin OPERATOR(pg_catalog.=) $1 ORDER BY vkey",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(origin);
	NoteKey    *keys;

	QueryRun(&query, &value, NULL, true, 0);
	*nkeys = SPI_processed;
	keys = palloc(sizeof(NoteKey) * Max(*nkeys, 1));
	for (int i = 0; i < *nkeys; i++)
	{
		char	   *vkey = TupleText(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1);

		keys[i] = ParsedVkey(cstring_to_text(vkey));
	}
	return keys;
}

static void
RefuseCosigning(int sqlstate, const char *message, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("%s", message),
			 detail ? errdetail("%s", detail) : 0,
			 hint ? errhint("%s", hint) : 0));
}

static void
RequireTrusted(const Checkpoint *checkpoint)
{
	JsonView	signatures;
	const char *problem;
	NoteKey    *keys;
	int			nkeys;

	keys = TrustedKeys(checkpoint->origin, &nkeys);
	if (nkeys == 0)
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"no key is trusted for the log of this checkpoint", NULL,
						"answer_witness_trust(vkey) makes this database its witness.");
	problem = CheckpointProblem(checkpoint, keys, nkeys, &signatures);
	if (problem)
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"checkpoint is not signed by a key that is trusted for its log",
						psprintf("%c%s.", pg_toupper((unsigned char) problem[0]), problem + 1), NULL);
}

/* The last checkpoint of a log that was cosigned here, by the table. */
static bool
LastStored(Span origin, uint64 *size, MerkleHash *root)
{
	static FixedQuery query = {
		.text = "SELECT tree_size, root_hash FROM answer.witness_checkpoint"
		" WHERE origin OPERATOR(pg_catalog.=) $1 ORDER BY tree_size DESC LIMIT 1",
		.nargs = 1,
		.argtypes = {TEXTOID}
	};
	Datum		value = SpanDatum(origin);
	int64		stored;
	Span		hash;

	QueryRun(&query, &value, NULL, true, 1);
	if (SPI_processed == 0)
		return false;
	stored = TupleInt64(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
	hash = FoundBytes(2);
	if (stored < 0 || hash.len != SHA256_LENGTH)
		LogDamaged("The checkpoint cosigned last has no size, or no root hash.");
	*size = stored;
	memcpy(root->bytes, hash.str, SHA256_LENGTH);
	return true;
}

/*
 * The last checkpoint of a log that was cosigned here, in a transaction that
 * rolled back afterwards as well.
 */
static bool
LastWitnessed(const SigningKey *key, Span origin, uint64 *size, MerkleHash *root)
{
	bool		stored = LastStored(origin, size, root);
	uint64		marked_size;
	MerkleHash	marked_root;

	if (!WitnessMarkRead(key, origin, &marked_size, &marked_root) ||
		(stored && *size > marked_size))
		return stored;
	*size = marked_size;
	*root = marked_root;
	return true;
}

/* Raises unless the log has only grown since the checkpoint cosigned last. */
static void
RequireGrown(const CosignRequest *request, const SigningKey *key)
{
	const Checkpoint *checkpoint = &request->checkpoint;
	uint64		size;
	MerkleHash	root;
	char	   *sizes;

	if (!LastWitnessed(key, checkpoint->origin, &size, &root))
		return;					/* the first one is taken on trust */
	sizes = psprintf("It has " UINT64_FORMAT " leaves; the one cosigned last had " UINT64_FORMAT ".",
					 checkpoint->tree_size, size);
	if (checkpoint->tree_size < size)
		RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has shrunk", sizes, NULL);
	if (checkpoint->tree_size == size)
	{
		if (!MerkleHashEqual(&checkpoint->root, &root))
			RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has forked",
							"It has another root hash than the checkpoint of that size cosigned last.",
							NULL);
		return;
	}
	if (size > 0 && (!request->has_old_size || request->old_size != size))
		RefuseCosigning(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
						"a consistency proof from the checkpoint cosigned last is needed", sizes,
						psprintf("Take the request from answer_checkpoint_request(" UINT64_FORMAT ") of the log.", size));
	if (size > 0 &&
		!MerkleVerifyConsistency(size, checkpoint->tree_size, &root, &checkpoint->root,
								 request->proof.hashes, request->proof.count))
		RefuseCosigning(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION, "the log has forked",
						"The proof does not lead from the checkpoint cosigned last to this one.",
						NULL);
}

static void
StoreWitnessed(const Checkpoint *checkpoint)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.witness_checkpoint (origin, tree_size, root_hash, note)"
		" VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		.nargs = 4,
		.argtypes = {TEXTOID, INT8OID, BYTEAOID, BYTEAOID}
	};
	Datum		values[4];

	values[0] = SpanDatum(checkpoint->origin);
	values[1] = Int64GetDatum(checkpoint->tree_size);
	values[2] = ByteaDatum(checkpoint->root.bytes, SHA256_LENGTH);
	values[3] = ByteaDatum(checkpoint->note.whole.str, checkpoint->note.whole.len);
	QueryRun(&insert, values, NULL, false, 0);
}

/* Signs as a witness: when we saw it, and what. */
static Span
Cosign(const Checkpoint *checkpoint, const SigningKey *key, TimestampTz now)
{
	char	   *origin = Origin();
	NoteKey		note_key;
	uint64		seconds;
	uint8		prefix[8];
	uint8		public_key[ED25519_KEY_LENGTH];
	uint8		signature[ED25519_SIGNATURE_LENGTH];
	StringInfoData message;
	StringInfoData line;

	if (!SigningKeyPublic(key, public_key))
		elog(ERROR, "a signing key has no public half");
	seconds = now / USECS_PER_SEC +
		(uint64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
	NoteKeyInit(&note_key, (Span) {origin, strlen(origin)}, NOTE_ALG_COSIGNATURE, public_key);
	WitnessMarkWrite(key, checkpoint->origin, checkpoint->tree_size, &checkpoint->root);
	initStringInfo(&message);
	CosignatureMessage(&message, checkpoint->note.text, seconds);
	SigningKeySignRaw(key, message.data, message.len, signature);
	BigEndian64(seconds, prefix);
	initStringInfo(&line);
	NoteSignatureLine(&line, &note_key, prefix, sizeof(prefix), signature);
	return (Span) {line.data, line.len};
}

PG_FUNCTION_INFO_V1(answer_eval_checkpoint_cosign);
Datum
answer_eval_checkpoint_cosign(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	CosignRequest *request = palloc(sizeof(CosignRequest));
	SigningKey	key;
	TimestampTz now;
	Span		line;
	const char *problem;
	Oid			user;
	int			context;

	PreventCommandIfReadOnly("answer_checkpoint_cosign()");
	RequireOperator("answer_checkpoint_cosign");
	PreventCommandDuringRecovery("answer_checkpoint_cosign()");
	problem = ParseRequest(UncheckedUtf8(PG_GETARG_TEXT_PP(0)), request);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("malformed checkpoint or request"),
				 errdetail("%c%s.", pg_toupper((unsigned char) problem[0]), problem + 1)));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	LogLock();					/* two requests must not both be the next */
	PushActiveSnapshot(GetLatestSnapshot());
	RequireTrusted(&request->checkpoint);
	/* what was cosigned last is remembered beside the key */
	SigningKeyBegin(&key, &now);
	RequireGrown(request, &key);
	PopActiveSnapshot();
	StoreWitnessed(&request->checkpoint);
	line = Cosign(&request->checkpoint, &key, now);
	ForceSyncCommit();
	AnswerAsCaller(user, context);
	return FinishText(line, caller);
}

/*
 * Puts a witness's line under our note and verifies it with the witness's key.
 * A line that begins with a newline would move the end of what we have signed,
 * and one that claims our own key would have everybody refuse the checkpoint.
 */
static void
RequireCosignature(const Note *ours, Span line, const NoteKey *key)
{
	StringInfoData text;
	Note		note;
	const NoteKey *found;
	uint64		time;

	initStringInfo(&text);
	appendBinaryStringInfo(&text, ours->text.str, ours->text.len);
	appendStringInfoChar(&text, '\n');
	appendBinaryStringInfo(&text, line.str, line.len);
	if (NoteParse((Span) {text.data, text.len}, &note) != NULL || note.count != 1 ||
		note.text.len != ours->text.len ||
		NoteSignatureNamesSameKey(&note.signatures[0], &ours->signatures[0]) ||
		NoteSignatureCheck(&note, &note.signatures[0], key, 1, &found, &time) !=
		NOTE_SIGNATURE_VERIFIED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cosignature does not verify"),
				 errdetail("It must be one signature line, by the key given, of the checkpoint of that size.")));
}

PG_FUNCTION_INFO_V1(answer_eval_cosignature_add);
Datum
answer_eval_cosignature_add(PG_FUNCTION_ARGS)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.cosignature (tree_size, line, vkey) VALUES ($1, $2, $3)"
		" ON CONFLICT DO NOTHING",
		.nargs = 3,
		.argtypes = {INT8OID, BYTEAOID, TEXTOID}
	};
	Span		line;
	NoteKey		key;
	Span		stored;
	Note		note;
	Datum		values[3];
	bool		added;
	Oid			user;
	int			context;

	PreventCommandIfReadOnly("answer_cosignature_add()");
	RequireOperator("answer_cosignature_add");
	line = UncheckedUtf8(PG_GETARG_TEXT_PP(1));
	key = ParsedVkey(PG_GETARG_TEXT_PP(2));
	SPI_connect();
	AnswerAsOwner(&user, &context);
	if (!NoteOfSize(PG_GETARG_INT64(0), &stored) || NoteParse(stored, &note) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is no checkpoint of " INT64_FORMAT " leaves", PG_GETARG_INT64(0))));
	RequireCosignature(&note, line, &key);
	values[0] = PG_GETARG_DATUM(0);
	values[1] = ByteaDatum(line.str, line.len);
	values[2] = PG_GETARG_DATUM(2);
	QueryRun(&insert, values, NULL, false, 0);
	added = SPI_processed > 0;
	AnswerAsCaller(user, context);
	SPI_finish();
	PG_RETURN_BOOL(added);
}

/*
 * the bare rules
 */

/* Reads an array of hashes; false if one is none. */
static bool
ReadHashes(ArrayType *array, MerkleProof *proof)
{
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	deconstruct_array(array, BYTEAOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	if (count > MERKLE_MAX_PROOF)
		return false;
	proof->count = count;
	for (int i = 0; i < count; i++)
	{
		Span		bytes;

		if (nulls[i])
			return false;
		bytes = ByteaSpan(elements[i]);
		if (bytes.len != SHA256_LENGTH)
			return false;
		memcpy(proof->hashes[i].bytes, bytes.str, SHA256_LENGTH);
	}
	return true;
}

/* Reads (number, number, hash, hash, hashes), as both verifiers take them. */
static bool
ReadArguments(FunctionCallInfo fcinfo, MerkleHash *a, MerkleHash *b, MerkleProof *proof)
{
	MerkleHash *hashes[2] = {a, b};

	for (int i = 0; i < 4; i++)
	{
		if (PG_ARGISNULL(i))
			return false;
	}
	if (PG_GETARG_INT64(0) < 0 || PG_GETARG_INT64(1) < 0)
		return false;
	for (int i = 0; i < 2; i++)
	{
		Span		bytes = ByteaSpan(PG_GETARG_DATUM(2 + i));

		if (bytes.len != SHA256_LENGTH)
			return false;
		memcpy(hashes[i]->bytes, bytes.str, SHA256_LENGTH);
	}
	proof->count = 0;
	return PG_ARGISNULL(4) || ReadHashes(PG_GETARG_ARRAYTYPE_P(4), proof);
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_leaf_hash);
Datum
answer_eval_merkle_leaf_hash(PG_FUNCTION_ARGS)
{
	Span		data = ByteaSpan(PG_GETARG_DATUM(0));
	MerkleHash	hash;

	MerkleLeafHash(data.str, data.len, &hash);
	PG_RETURN_DATUM(ByteaDatum(hash.bytes, SHA256_LENGTH));
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_inclusion);
Datum
answer_eval_merkle_inclusion(PG_FUNCTION_ARGS)
{
	MerkleHash	leaf;
	MerkleHash	root;
	MerkleProof proof;

	PG_RETURN_BOOL(ReadArguments(fcinfo, &leaf, &root, &proof) &&
				   MerkleVerifyInclusion(PG_GETARG_INT64(0), PG_GETARG_INT64(1), &leaf, &root,
										 proof.hashes, proof.count));
}

PG_FUNCTION_INFO_V1(answer_eval_merkle_consistency);
Datum
answer_eval_merkle_consistency(PG_FUNCTION_ARGS)
{
	MerkleHash	from_root;
	MerkleHash	to_root;
	MerkleProof proof;

	PG_RETURN_BOOL(ReadArguments(fcinfo, &from_root, &to_root, &proof) &&
				   MerkleVerifyConsistency(PG_GETARG_INT64(0), PG_GETARG_INT64(1), &from_root,
										   &to_root, proof.hashes, proof.count));
}
