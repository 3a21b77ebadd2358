/*-------------------------------------------------------------------------
 *
 * seal.c
 *		Seals the log: puts what has been committed into it.
 *
 * Every receipt leaves its digest in answer.unsealed, in its own transaction.  Sealing
 * moves what has been committed to answer.log_leaf, one sealing at a time, and signs a
 * checkpoint of the tree.  Writers never wait for it.  Before that it lists the rows
 * that are not signed when they are written (recorded.c).  Rule: RFC 6962 for the tree,
 * the C2SP specification tlog-checkpoint for what is signed.
 *
 * Promises: a checkpoint that another session can see is on disk, whatever
 * synchronous_commit says, so a crash cannot make the log fork.  What is stored is never
 * changed.  Sealing uses memory that does not depend on the number of receipts, and
 * writes one leaf per receipt and one tile per 31.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/distributed.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "keys/keyring.h"
#include "log/log_table.h"
#include "log/proof.h"
#include "log/recorded.h"
#include "log/seal.h"

#define LEAVES_A_BATCH	4096
#define TILES_A_BATCH	128

/*
 * sealing
 */

/* Writes tiles to the table. */
typedef struct TileWriter
{
	int			count;
	Datum		levels[TILES_A_BATCH];
	Datum		tiles[TILES_A_BATCH];
	Datum		hashes[TILES_A_BATCH];
	MemoryContext context;		/* for the hashes */
} TileWriter;

static void
FlushTiles(TileWriter *writer)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.log_tile (level, tile, hashes)"
		" SELECT * FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3))",
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

/* Receives the waiting receipts into a sort. */
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

/* The columns of a leaf except its index, which is the order of the rows. */
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
 * Takes all waiting receipts, and sorts them.  In SQL alone, the rows would be stored
 * twice more, and read again by a window function.  That took as long as everything
 * else.
 */
static Tuplesortstate *
TakeWaiting(TupleDesc desc)
{
	static FixedQuery query = {
		.text = "DELETE FROM answer.unsealed RETURNING issued_at, receipt_id, digest"
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

/* Writes leaves to the table. */
typedef struct LeafWriter
{
	uint64		position;		/* index of the first leaf */
	int			count;
	Datum		issued_at[LEAVES_A_BATCH];
	Datum		receipt_ids[LEAVES_A_BATCH];
	Datum		digests[LEAVES_A_BATCH];
	MemoryContext context;		/* for the values, and for writing them */
} LeafWriter;

/* Takes the next leaf from its slot; returns its digest. */
static Span
TakeLeaf(LeafWriter *writer, TupleTableSlot *slot)
{
	MemoryContext old = MemoryContextSwitchTo(writer->context);
	int			i = writer->count++;

	slot_getallattrs(slot);
	if (slot->tts_isnull[0] || slot->tts_isnull[1] || slot->tts_isnull[2])
		RaiseLogDamaged("A receipt that waits to be sealed has no instant, id or digest.");
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

/* Gives each waiting receipt its place, and adds it to the tree. */
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

/*
 * Each node has a log of its own: raises an error if the queue or the log is distributed
 * by Citus.
 */
static void
RequireLocalLog(void)
{
	static const char *const tables[] = {"unsealed", "log_leaf", "log_tile", "checkpoint", "recorded_rows"};

	for (size_t i = 0; i < lengthof(tables); i++)
		RequireLocal(AnswerTable(tables[i]), "Every node seals a log of its own.");
}

/* Raises an error if there are leaves beyond the last signed checkpoint. */
static void
RequireNoneBeyond(uint64 size)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.log_leaf WHERE leaf_index OPERATOR(pg_catalog.>=) $1"
		" ORDER BY leaf_index LIMIT 1",
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);
	QueryRows	rows = QueryRun(&query, &value, NULL, true, 1);

	if (rows.count > 0)
		RaiseLogDamaged("There are leaves that no checkpoint covers.");
}

/* Signs a checkpoint of the present tree, and stores it. */
static void
SignCheckpoint(LogState *state, bool first, uint64 previous_size)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.checkpoint (tree_size, previous_size, origin, root_hash,"
		" edge, key_id, sealed_at, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
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
 * The checkpoint sealed last is also remembered beside the keys, where changes of the
 * tables do not reach.  A sealing writes what the one before has committed, because its
 * own work may still be rolled back.
 */
static const Span own_mark = {"\nsealed", 7};	/* not an origin, which has no newline */

/* The transaction in which this session sealed last. */
static FullTransactionId sealed_in;

/* Reads what was sealed last from the file.  SPI must be connected. */
LastSignedState
LogLastSignedLook(uint64 *size, MerkleHash *root)
{
	SigningKey	key;

	return SigningFolderFind(&key) ? LastSignedLook(&key, own_mark, size, root) : LAST_SIGNED_NONE;
}

/* Raises an error unless the log begins with what was sealed last. */
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
					 LastSignedFile(key, own_mark))));
}

/* Compares the log with the mark, and advances the mark. */
static void
AdvanceMark(const LogState *state)
{
	SigningKey	key;
	uint64		size = 0;
	MerkleHash	root;

	if (!SigningFolderFind(&key))
		return;					/* this database has no key to sign with */
	if (LastSignedRead(&key, own_mark, &size, &root))
		RequireMarked(&key, state, size, &root);
	if (size == state->tree.size ||
		FullTransactionIdEquals(sealed_in, GetTopFullTransactionId()))
		return;
	LastSignedWrite(&key, own_mark, state->tree.size, &state->root);
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

	RequirePrimary("answer_log_seal()");
	RequireOperator("answer_log_seal");
	RequireLocalLog();
	SPI_connect();
	AnswerAsOwner(&user, &context);
	LogLock();
	/* the latest snapshot shows what the sealing before has committed */
	PushActiveSnapshot(GetLatestSnapshot());
	first = !LogStateNewest(&state);
	RequireNoneBeyond(state.tree.size);
	AdvanceMark(&state);
	PopActiveSnapshot();
	if (first)
		state.origin = DefaultLogOrigin();
	previous_size = state.tree.size;
	SealRows();
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
	return FinishWithView(&report, false, caller);
}

const SignedRows log_signed = {
	.newest = "SELECT key_id, sealed_at FROM answer.checkpoint ORDER BY tree_size DESC LIMIT 1",
	.latest = "SELECT pg_catalog.max(sealed_at) FROM answer.checkpoint WHERE key_id OPERATOR(pg_catalog.=) $1"
};
