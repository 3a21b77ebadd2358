/*-------------------------------------------------------------------------
 *
 * audit.c
 *		The audit: are the receipts and the log still what was sealed?
 *
 * Belongs to the room "log".  A superuser can change any table behind the
 * triggers; what he cannot do is sign another history.  So the audit goes from
 * the stored receipts up: it rehashes each body and holds it against its leaf,
 * the leaves against the tiles, the tiles against each other, and the root they
 * lead to against the checkpoints, which are signed.
 *
 * Of two things that contradict each other it believes the one that the level
 * above confirms; so one change is one row, and the row names what was
 * changed, not what it was compared with.
 *
 * What it cannot see from inside: a history rewritten by somebody who has the
 * private key too, and one cut off at the end, checkpoints and all.  For that,
 * checkpoints are kept elsewhere: see answer_log_compare() and witnesses.
 *
 * Promises: one snapshot; reads every receipt of its range once, in order;
 * memory that does not depend on how many there are, but for the list of what
 * is wrong, which is cut off.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "evidence.h"
#include "instant.h"
#include "log.h"
#include "proof.h"
#include "query.h"
#include "verify.h"

#define ROWS_A_FETCH		64
#define MAX_MISMATCHES		10000	/* more are reported as they come */

/* Something that does not hash to what it should. */
typedef struct Mismatch
{
	uint64		leaf_index;
	char	   *receipt_id;
	const char *what;			/* "leaf" or "receipt" */
	MerkleHash	found;
	MerkleHash	expected;
} Mismatch;

/* The leaves of one tile of level 0, as far as they are audited. */
typedef struct Window
{
	uint64		tile;
	int			width;			/* positions filled in */
	bool		filled[MERKLE_TILE_WIDTH];
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
	char	   *receipt_ids[MERKLE_TILE_WIDTH];
} Window;

typedef struct Audit
{
	Tuplestorestate *store;
	AttInMetadata *attributes;
	uint64		defects;
	LogState	newest;
	uint64		from;
	uint64		to;
	MerkleTree	tree;			/* as it grows again */
	Window		window;
	Portal		checkpoints;
	bool		has_checkpoint; /* is there another one to compare with? */
	LogState	checkpoint;
	int64		previous_size;	/* of the checkpoint before it, -1: none */
	int64		stated_previous;	/* what it says of that */
	bool		root_reported;
	int			nmismatches;
	Mismatch   *mismatches;
	MemoryContext context;		/* lives as long as the audit */
	MemoryContext row;			/* reset for each row */
} Audit;

/*
 * reporting
 */

static void
Report(Audit *audit, int64 leaf_index, const char *receipt_id, const char *finding,
	   const char *detail)
{
	char		number[24];
	char	   *values[4];
	HeapTuple	tuple;

	snprintf(number, sizeof(number), INT64_FORMAT, leaf_index);
	values[0] = leaf_index < 0 ? NULL : number;
	values[1] = (char *) receipt_id;
	values[2] = (char *) finding;
	values[3] = (char *) detail;
	tuple = BuildTupleFromCStrings(audit->attributes, values);
	tuplestore_puttuple(audit->store, tuple);
	heap_freetuple(tuple);
	if (strcmp(finding, "forgotten") != 0)
		audit->defects++;
}

/*
 * Notes what does not hash to what it should.  Whether it was changed, or has
 * changed places with another, is known only when all are.
 */
static void
NoteMismatch(Audit *audit, uint64 leaf_index, const char *receipt_id, const char *what,
			 const MerkleHash *found, const MerkleHash *expected)
{
	MemoryContext old;
	Mismatch   *mismatch;

	if (audit->nmismatches == MAX_MISMATCHES)
	{
		Report(audit, leaf_index, receipt_id, "changed",
			   psprintf("the %s is not what was sealed", what));
		return;
	}
	old = MemoryContextSwitchTo(audit->context);
	if (audit->mismatches == NULL)
		audit->mismatches = palloc(sizeof(Mismatch) * MAX_MISMATCHES);
	mismatch = &audit->mismatches[audit->nmismatches++];
	mismatch->leaf_index = leaf_index;
	mismatch->receipt_id = receipt_id ? pstrdup(receipt_id) : NULL;
	mismatch->what = what;
	mismatch->found = *found;
	mismatch->expected = *expected;
	MemoryContextSwitchTo(old);
}

static int
CompareExpected(const void *a, const void *b)
{
	const Mismatch *left = *(const Mismatch *const *) a;
	const Mismatch *right = *(const Mismatch *const *) b;

	return memcmp(left->expected.bytes, right->expected.bytes, SHA256_LENGTH);
}

/* Where what was found here belongs, if that is another place where it is missing. */
static const Mismatch *
Belongs(const Mismatch *mismatch, Mismatch **sorted, int count)
{
	Mismatch	wanted;
	Mismatch   *key = &wanted;
	Mismatch  **place;

	wanted.expected = mismatch->found;
	place = bsearch(&key, sorted, count, sizeof(Mismatch *), CompareExpected);
	return place && (*place)->what == mismatch->what ? *place : NULL;
}

static void
ReportMismatches(Audit *audit)
{
	int			count = audit->nmismatches;
	Mismatch  **sorted = palloc(sizeof(Mismatch *) * Max(count, 1));

	for (int i = 0; i < count; i++)
		sorted[i] = &audit->mismatches[i];
	qsort(sorted, count, sizeof(Mismatch *), CompareExpected);
	for (int i = 0; i < count; i++)
	{
		const Mismatch *mismatch = &audit->mismatches[i];
		const Mismatch *other = Belongs(mismatch, sorted, count);

		CHECK_FOR_INTERRUPTS();
		if (other)
			Report(audit, mismatch->leaf_index, mismatch->receipt_id, "reordered",
				   psprintf("the %s is what was sealed as leaf " UINT64_FORMAT,
							mismatch->what, other->leaf_index));
		else
			Report(audit, mismatch->leaf_index, mismatch->receipt_id, "changed",
				   psprintf("the %s is not what was sealed", mismatch->what));
	}
}

/*
 * receipts
 */

/* A row of the audit's query, and where its columns are. */
enum
{
	COLUMN_LEAF_INDEX = 1,
	COLUMN_LEAF_ID,
	COLUMN_DIGEST,
	COLUMN_RECEIPT_ID,
	COLUMN_BODY,
	COLUMN_ISSUED_AT,
	COLUMN_VERDICT,
	COLUMN_CONFIDENCE,
	COLUMN_DEGRADED,
	COLUMN_CHECKS,
	COLUMN_KEY_ID
};

typedef struct LeafRow
{
	HeapTuple	tuple;
	TupleDesc	desc;
	uint64		leaf_index;
	char	   *receipt_id;
	MerkleHash	digest;
} LeafRow;

static Datum
RowDatum(const LeafRow *row, int column, bool *isnull)
{
	return SPI_getbinval(row->tuple, row->desc, column, isnull);
}

static bool
TextMemberIs(const JsonView *body, const char *key, const char *expected)
{
	JsonView	view;

	return JsonViewGet(body, key, strlen(key), &view) && JsonViewStringIs(&view, expected);
}

static bool
ConfidenceIs(const JsonView *body, double expected)
{
	JsonView	view;
	PlainNumber plain;

	return JsonViewGet(body, "confidence", 10, &view) && NumberPlain(&view, &plain) &&
		strtod(plain.text, NULL) == expected;
}

/*
 * The columns beside a body repeat it for queries.  Returns the one that does
 * not, or NULL.
 */
static const char *
ColumnProblem(const LeafRow *row, const JsonView *body)
{
	JsonView	view;
	JsonView	signature;
	TimestampTz issued_at;
	bool		isnull;

	if (!TextMemberIs(body, "receipt_id", SPI_getvalue(row->tuple, row->desc, COLUMN_RECEIPT_ID)))
		return "receipt_id";
	JsonViewGet(body, "issued_at", 9, &view);
	if (!InstantOfView(&view, &issued_at) ||
		issued_at != DatumGetTimestampTz(RowDatum(row, COLUMN_ISSUED_AT, &isnull)))
		return "issued_at";
	if (!TextMemberIs(body, "verdict", SPI_getvalue(row->tuple, row->desc, COLUMN_VERDICT)))
		return "verdict";
	if (!ConfidenceIs(body, DatumGetFloat8(RowDatum(row, COLUMN_CONFIDENCE, &isnull))))
		return "confidence";
	JsonViewGet(body, "degraded", 8, &view);
	if (view.type != JVIEW_BOOL ||
		view.boolean != DatumGetBool(RowDatum(row, COLUMN_DEGRADED, &isnull)))
		return "degraded";
	if (!JsonViewGet(body, "checks", 6, &view) || view.type != JVIEW_ARRAY ||
		JsonViewCount(&view) != DatumGetInt32(RowDatum(row, COLUMN_CHECKS, &isnull)))
		return "checks";
	JsonViewGet(body, "signature", 9, &signature);
	if (!TextMemberIs(&signature, "key_id", SPI_getvalue(row->tuple, row->desc, COLUMN_KEY_ID)))
		return "key_id";
	return NULL;
}

/* Does the registry's key still verify it, and was it good then? */
static const char *
KeyProblem(const JsonView *body)
{
	JsonView	keys;
	Span		key_id;

	keys = JsonViewNewArray(0);
	if (ReceiptKeyId(body, &key_id))
		RegistryKeys(key_id, &keys);
	return DocumentSignatureProblem(body, &keys);
}

/* A tombstone stands for its receipt if we signed it and it keeps the digest. */
static void
AuditTombstone(Audit *audit, const LeafRow *row, const JsonView *tombstone)
{
	MerkleHash	digest;
	const char *problem;
	Span		reason = {"", 0};
	StringInfoData text;

	if (!DocumentDigest(tombstone, digest.bytes) || !MerkleHashEqual(&digest, &row->digest) ||
		!TextMemberIs(tombstone, "receipt_id", row->receipt_id))
	{
		Report(audit, row->leaf_index, row->receipt_id, "changed",
			   "the tombstone is not that of this receipt");
		return;
	}
	problem = KeyProblem(tombstone);
	if (problem)
	{
		Report(audit, row->leaf_index, row->receipt_id, "key",
			   psprintf("the tombstone: %s", problem));
		return;
	}
	(void) JsonViewGetString(tombstone, "reason", &reason.str, &reason.len);
	initStringInfo(&text);
	appendStringInfoString(&text, JsonUtf8ToServer(reason.str, reason.len, &reason.len));
	Report(audit, row->leaf_index, row->receipt_id, "forgotten", text.data);
}

static void
AuditReceipt(Audit *audit, const LeafRow *row)
{
	JsonView	body;
	MerkleHash	digest;
	const char *problem;
	bool		isnull;
	Datum		datum;

	(void) RowDatum(row, COLUMN_RECEIPT_ID, &isnull);
	if (isnull)
	{
		Report(audit, row->leaf_index, row->receipt_id, "missing", "the receipt is gone");
		return;
	}
	datum = RowDatum(row, COLUMN_BODY, &isnull);
	if (isnull)
	{
		Report(audit, row->leaf_index, row->receipt_id, "missing", "the receipt has no body");
		return;
	}
	JsonViewOfJsonb(DatumGetJsonbP(datum), &body);
	if (TextMemberIs(&body, "schema", TOMBSTONE_SCHEMA))
	{
		AuditTombstone(audit, row, &body);
		return;
	}
	if (!DocumentDigest(&body, digest.bytes))
		memset(&digest, 0, sizeof(digest));
	if (!MerkleHashEqual(&digest, &row->digest))
	{
		NoteMismatch(audit, row->leaf_index, row->receipt_id, "receipt", &digest, &row->digest);
		return;
	}
	problem = ColumnProblem(row, &body);
	if (problem)
		Report(audit, row->leaf_index, row->receipt_id, "changed",
			   psprintf("column %s is not what the body says", problem));
	problem = KeyProblem(&body);
	if (problem)
		Report(audit, row->leaf_index, row->receipt_id, "key", problem);
}

/*
 * checkpoints
 */

/* Fetches the next stored checkpoint to compare with. */
static void
NextCheckpoint(Audit *audit)
{
	MemoryContext old = MemoryContextSwitchTo(audit->context);

	SPI_cursor_fetch(audit->checkpoints, true, 1);
	audit->has_checkpoint = SPI_processed > 0;
	if (audit->has_checkpoint)
	{
		HeapTuple	tuple = SPI_tuptable->vals[0];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		bool		isnull;
		int64		previous = DatumGetInt64(SPI_getbinval(tuple, desc, 8, &isnull));

		if (!LogStateOfTuple(tuple, desc, &audit->checkpoint))
			/* its own edge contradicts it: nothing in it will fit */
			memset(audit->checkpoint.tree.edge, 0, sizeof(audit->checkpoint.tree.edge));
		audit->stated_previous = isnull ? -1 : previous;
		audit->checkpoint.note.str = memcpy(palloc(audit->checkpoint.note.len + 1),
											audit->checkpoint.note.str,
											audit->checkpoint.note.len);
	}
	SPI_freetuptable(SPI_tuptable);
	MemoryContextSwitchTo(old);
}

/* Is the note what the row says, and signed by a good key of ours? */
static const char *
NoteProblem(const LogState *state, const char **finding)
{
	Checkpoint	checkpoint;
	JsonView	signatures;
	JsonView	keys;
	NoteKey		key;
	uint8		public_key[ED25519_KEY_LENGTH];
	Span		origin = {state->origin, strlen(state->origin)};
	Span		key_id = {state->key_id, strlen(state->key_id)};
	const char *problem;

	*finding = "changed";
	if (CheckpointParse(state->note, &checkpoint) != NULL)
		return "the note is malformed";
	if (checkpoint.tree_size != state->tree.size ||
		!MerkleHashEqual(&checkpoint.root, &state->root) ||
		checkpoint.origin.len != origin.len ||
		memcmp(checkpoint.origin.str, origin.str, origin.len) != 0)
		return "the note is not what the row says";
	*finding = "key";
	RegistryKeys(key_id, &keys);
	problem = KeyProblemAt(&keys, key_id, state->sealed_at, public_key);
	if (problem)
		return problem;
	NoteKeyInit(&key, origin, NOTE_ALG_ED25519, public_key);
	return CheckpointProblem(&checkpoint, &key, 1, &signatures);
}

static void
AuditCheckpoint(Audit *audit)
{
	LogState   *state = &audit->checkpoint;
	char	   *name = psprintf("checkpoint of " UINT64_FORMAT " leaves", state->tree.size);
	MerkleHash	root;
	MerkleHash	edge_root;
	const char *finding;
	const char *problem = NoteProblem(state, &finding);

	if (problem)
		Report(audit, -1, NULL, finding, psprintf("%s: %s", name, problem));
	if (audit->stated_previous != audit->previous_size && audit->previous_size >= 0)
		Report(audit, -1, NULL, "missing",
			   psprintf("%s: the one before it, of " INT64_FORMAT " leaves, is gone", name,
						audit->stated_previous));
	MerkleTreeRoot(&audit->tree, &root);
	MerkleTreeRoot(&state->tree, &edge_root);
	if (!MerkleHashEqual(&edge_root, &state->root))
		Report(audit, -1, NULL, "changed",
			   psprintf("%s: its edge does not lead to its root hash", name));
	if (!MerkleHashEqual(&root, &state->root) && !audit->root_reported)
	{
		Report(audit, -1, NULL, "changed",
			   psprintf("%s: the leaves before it do not lead to its root hash; later checkpoints are not compared", name));
		audit->root_reported = true;
	}
	audit->previous_size = state->tree.size;
}

/*
 * the tree
 */

/* Holds a tile that grew again against the stored one. */
static void
CompareTile(void *arg, int level, uint64 tile, const MerkleHash *hashes)
{
	Audit	   *audit = arg;
	MerkleHash	stored[MERKLE_TILE_WIDTH];

	if (level == 0)
		return;					/* see CloseWindow */
	if (!TileRead(level, tile, stored))
		Report(audit, -1, NULL, "missing",
			   psprintf("tile " UINT64_FORMAT " of level %d is gone", tile, level));
	else if (memcmp(stored, hashes, sizeof(stored)) != 0)
		Report(audit, -1, NULL, "changed",
			   psprintf("tile " UINT64_FORMAT " of level %d does not follow from the tiles below it",
						tile, level));
}

/* The stored hash over a complete tile of level 0, a level above. */
static bool
ParentHash(const Audit *audit, uint64 tile, MerkleHash *hash)
{
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
	const MerkleTree *newest = &audit->newest.tree;
	uint64		parent = tile >> MERKLE_TILE_HEIGHT;
	int			slot = tile & (MERKLE_TILE_WIDTH - 1);

	if (parent == newest->size >> (2 * MERKLE_TILE_HEIGHT))
		*hash = newest->edge[1][slot];
	else if (TileRead(1, parent, hashes))
		*hash = hashes[slot];
	else
		return false;
	return true;
}

/* Reads what is stored of a tile of level 0, which may be the newest edge. */
static bool
StoredLeaves(const Audit *audit, uint64 tile, MerkleHash *hashes)
{
	const MerkleTree *newest = &audit->newest.tree;

	if (tile < newest->size >> MERKLE_TILE_HEIGHT)
		return TileRead(0, tile, hashes);
	memcpy(hashes, newest->edge[0], sizeof(MerkleHash) * MERKLE_TILE_WIDTH);
	return true;
}

/*
 * The leaf rows and the stored tile contradict each other, or the tile is
 * gone: which one does the level above confirm?
 */
static const MerkleHash *
Believed(Audit *audit, const MerkleHash *stored)
{
	Window	   *window = &audit->window;
	bool		complete = window->width == MERKLE_TILE_WIDTH;
	MerkleHash	parent;
	MerkleHash	root;

	for (int i = 0; i < window->width; i++)
		complete = complete && window->filled[i];
	if (stored == NULL)
	{
		Report(audit, -1, NULL, "missing",
			   psprintf("tile " UINT64_FORMAT " of level 0 is gone", window->tile));
		return window->hashes;
	}
	if (!complete || !ParentHash(audit, window->tile, &parent))
		return stored;
	MerkleTileRoot(window->hashes, MERKLE_TILE_WIDTH, &root);
	if (!MerkleHashEqual(&root, &parent))
		return stored;
	Report(audit, -1, NULL, "changed",
		   psprintf("tile " UINT64_FORMAT " of level 0 does not follow from its leaves",
					window->tile));
	return window->hashes;
}

/* Holds the leaves of a tile against what is stored, and lets the tree grow by them. */
static void
CloseWindow(Audit *audit)
{
	Window	   *window = &audit->window;
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
	const MerkleHash *truth = window->hashes;
	bool		stored = StoredLeaves(audit, window->tile, hashes);
	int			begin = audit->tree.size & (MERKLE_TILE_WIDTH - 1);

	if (!stored || memcmp(hashes, window->hashes, sizeof(MerkleHash) * window->width) != 0)
		truth = Believed(audit, stored ? hashes : NULL);
	for (int i = begin; i < window->width; i++)
	{
		if (window->filled[i] && !MerkleHashEqual(&window->hashes[i], &truth[i]))
			NoteMismatch(audit, audit->tree.size, window->receipt_ids[i], "leaf",
						 &window->hashes[i], &truth[i]);
		MerkleTreeAppend(&audit->tree, &truth[i], CompareTile, audit);
		while (audit->has_checkpoint && audit->checkpoint.tree.size <= audit->tree.size)
		{
			AuditCheckpoint(audit);
			NextCheckpoint(audit);
		}
	}
}

/* Opens the window that a position is in; what was there before is taken as stored. */
static void
OpenWindow(Audit *audit, uint64 position)
{
	Window	   *window = &audit->window;

	memset(window, 0, sizeof(*window));
	window->tile = position >> MERKLE_TILE_HEIGHT;
	window->width = position & (MERKLE_TILE_WIDTH - 1);
	memcpy(window->hashes, audit->tree.edge[0], sizeof(MerkleHash) * window->width);
	for (int i = 0; i < window->width; i++)
		window->filled[i] = true;
}

/* Where the next leaf goes. */
static uint64
NextPosition(const Audit *audit)
{
	return (audit->window.tile << MERKLE_TILE_HEIGHT) + audit->window.width;
}

/* Puts a leaf, or the lack of one, into its place. */
static void
FillPosition(Audit *audit, const MerkleHash *hash, const char *receipt_id)
{
	Window	   *window = &audit->window;

	if (hash)
	{
		window->filled[window->width] = true;
		window->hashes[window->width] = *hash;
		window->receipt_ids[window->width] = receipt_id ?
			MemoryContextStrdup(audit->context, receipt_id) : NULL;
	}
	window->width++;
	if (window->width == MERKLE_TILE_WIDTH || NextPosition(audit) == audit->to)
	{
		uint64		next = NextPosition(audit);

		CloseWindow(audit);
		for (int i = 0; i < MERKLE_TILE_WIDTH; i++)
		{
			if (window->receipt_ids[i])
				pfree(window->receipt_ids[i]);
		}
		OpenWindow(audit, next);
	}
}

/* Leaf rows are missing up to a position. */
static void
FillGap(Audit *audit, uint64 end)
{
	uint64		begin = NextPosition(audit);

	if (begin >= end)
		return;
	Report(audit, begin, NULL, "missing",
		   end - begin == 1 ? "the leaf is gone" :
		   psprintf("the leaves from " UINT64_FORMAT " to " UINT64_FORMAT " are gone", begin, end - 1));
	while (NextPosition(audit) < end)
	{
		CHECK_FOR_INTERRUPTS();
		FillPosition(audit, NULL, NULL);
	}
}

/* Audits one row; returns false beyond the end of the range. */
static void
AuditRow(Audit *audit, LeafRow *row)
{
	bool		isnull;
	Span		digest = ByteaSpan(RowDatum(row, COLUMN_DIGEST, &isnull));
	MerkleHash	leaf;

	row->leaf_index = DatumGetInt64(RowDatum(row, COLUMN_LEAF_INDEX, &isnull));
	row->receipt_id = SPI_getvalue(row->tuple, row->desc, COLUMN_LEAF_ID);
	if (row->leaf_index < NextPosition(audit))
	{
		Report(audit, row->leaf_index, row->receipt_id, "extra",
			   "the leaf or its receipt is there twice");
		return;
	}
	FillGap(audit, row->leaf_index);
	memset(&row->digest, 0, sizeof(row->digest));
	if (digest.len == SHA256_LENGTH)
		memcpy(row->digest.bytes, digest.str, SHA256_LENGTH);
	AuditReceipt(audit, row);
	MerkleLeafHash(row->digest.bytes, SHA256_LENGTH, &leaf);
	FillPosition(audit, &leaf, row->receipt_id);
}

static SPIPlanPtr
PlanOf(SPIPlanPtr *plan, const char *text, int nargs)
{
	Oid			argtypes[2] = {INT8OID, INT8OID};

	if (*plan == NULL)
	{
		*plan = SPI_prepare_cursor(text, nargs, argtypes,
								   CURSOR_OPT_GENERIC_PLAN | CURSOR_OPT_FAST_PLAN);
		if (*plan == NULL)
			elog(ERROR, "could not prepare \"%s\"", text);
		SPI_keepplan(*plan);
	}
	return *plan;
}

/* Calls a function with each row of a query, in a context of its own. */
static void
ForEachRow(Audit *audit, SPIPlanPtr plan, Datum *values,
		   void (*function) (Audit *audit, LeafRow *row))
{
	Portal		portal = SPI_cursor_open(NULL, plan, values, NULL, true);
	uint64		rows;

	do
	{
		SPITupleTable *table;

		SPI_cursor_fetch(portal, true, ROWS_A_FETCH);
		table = SPI_tuptable;
		rows = SPI_processed;
		for (uint64 i = 0; i < rows; i++)
		{
			MemoryContext old = MemoryContextSwitchTo(audit->row);
			LeafRow		row = {.tuple = table->vals[i], .desc = table->tupdesc};

			CHECK_FOR_INTERRUPTS();
			function(audit, &row);
			MemoryContextSwitchTo(old);
			MemoryContextReset(audit->row);
		}
		SPI_freetuptable(table);
	} while (rows > 0);
	SPI_cursor_close(portal);
}

static void
AuditLeaves(Audit *audit)
{
	static SPIPlanPtr plan = NULL;
	static SPIPlanPtr checkpoint_plan = NULL;
	Datum		values[2] = {Int64GetDatum(audit->from), Int64GetDatum(audit->to)};

	(void) PlanOf(&checkpoint_plan,
				  "SELECT " LOG_STATE_COLUMNS ", previous_size FROM answer.checkpoint"
				  " WHERE tree_size OPERATOR(pg_catalog.>=) $1 AND tree_size OPERATOR(pg_catalog.<=) $2"
				  " ORDER BY tree_size", 2);
	audit->checkpoints = SPI_cursor_open(NULL, checkpoint_plan, values, NULL, true);
	audit->previous_size = -1;
	NextCheckpoint(audit);
	OpenWindow(audit, audit->from);
	if (audit->has_checkpoint && audit->checkpoint.tree.size == audit->from)
	{
		AuditCheckpoint(audit);
		NextCheckpoint(audit);
	}
	(void) PlanOf(&plan,
				  "SELECT l.leaf_index, l.receipt_id, l.digest, r.receipt_id, r.body, r.issued_at,"
				  " r.verdict::pg_catalog.text, r.confidence, r.degraded, r.checks, r.key_id"
				  " FROM answer.log_leaf l LEFT JOIN answer.receipt r"
				  " ON r.receipt_id OPERATOR(pg_catalog.=) l.receipt_id"
				  " WHERE l.leaf_index OPERATOR(pg_catalog.>=) $1"
				  " AND l.leaf_index OPERATOR(pg_catalog.<) $2 ORDER BY l.leaf_index", 2);
	ForEachRow(audit, plan, values, AuditRow);
	FillGap(audit, audit->to);
	SPI_cursor_close(audit->checkpoints);
}

/*
 * what the log does not know
 */

static void
ReportExtraLeaf(Audit *audit, LeafRow *row)
{
	bool		isnull;

	Report(audit, DatumGetInt64(RowDatum(row, 1, &isnull)),
		   SPI_getvalue(row->tuple, row->desc, 2), "extra", "no checkpoint covers the leaf");
}

static void
ReportExtraTile(Audit *audit, LeafRow *row)
{
	Report(audit, -1, NULL, "extra",
		   psprintf("tile %s of level %s is not part of the tree",
					SPI_getvalue(row->tuple, row->desc, 2), SPI_getvalue(row->tuple, row->desc, 1)));
}

static void
ReportExtraReceipt(Audit *audit, LeafRow *row)
{
	Report(audit, -1, SPI_getvalue(row->tuple, row->desc, 1), "extra",
		   "the receipt is neither in the log nor waiting to be sealed");
}

/* A receipt that waits must be there, once, unchanged, and not be sealed already. */
static void
AuditUnsealed(Audit *audit, LeafRow *row)
{
	char	   *receipt_id = SPI_getvalue(row->tuple, row->desc, 1);
	JsonView	body;
	uint8		sha256[SHA256_LENGTH];
	Span		digest;
	Datum		datum;
	bool		isnull;

	digest = ByteaSpan(RowDatum(row, 2, &isnull));
	if (DatumGetBool(RowDatum(row, 4, &isnull)))
	{
		Report(audit, -1, receipt_id, "extra", "the receipt waits to be sealed and is sealed already");
		return;
	}
	datum = RowDatum(row, 3, &isnull);
	if (isnull)
	{
		Report(audit, -1, receipt_id, "missing", "the receipt was gone before it was sealed");
		return;
	}
	JsonViewOfJsonb(DatumGetJsonbP(datum), &body);
	if (!DocumentDigest(&body, sha256) || digest.len != SHA256_LENGTH ||
		memcmp(sha256, digest.str, SHA256_LENGTH) != 0)
		Report(audit, -1, receipt_id, "changed", "the receipt is not what waits to be sealed");
}

/* Looks beyond the leaves of the newest checkpoint. */
static void
AuditRest(Audit *audit)
{
	static SPIPlanPtr leaves = NULL;
	static SPIPlanPtr tiles = NULL;
	static SPIPlanPtr receipts = NULL;
	static SPIPlanPtr unsealed = NULL;
	Datum		size = Int64GetDatum(audit->newest.tree.size);

	ForEachRow(audit,
			   PlanOf(&leaves, "SELECT leaf_index, receipt_id FROM answer.log_leaf"
					  " WHERE leaf_index OPERATOR(pg_catalog.>=) $1 ORDER BY leaf_index", 1),
			   &size, ReportExtraLeaf);
	ForEachRow(audit,
			   PlanOf(&tiles, "SELECT level, tile FROM answer.log_tile"
					  " WHERE level OPERATOR(pg_catalog.<) 0 OR level OPERATOR(pg_catalog.>) 12"
					  " OR tile OPERATOR(pg_catalog.>=) ($1 OPERATOR(pg_catalog.>>)"
					  " (5 OPERATOR(pg_catalog.*) (level OPERATOR(pg_catalog.+) 1)))"
					  " ORDER BY level, tile", 1),
			   &size, ReportExtraTile);
	ForEachRow(audit,
			   PlanOf(&receipts, "SELECT r.receipt_id FROM answer.receipt r"
					  " WHERE NOT EXISTS (SELECT FROM answer.log_leaf l"
					  " WHERE l.issued_at OPERATOR(pg_catalog.=) r.issued_at"
					  " AND l.receipt_id OPERATOR(pg_catalog.=) r.receipt_id)"
					  " AND NOT EXISTS (SELECT FROM answer.unsealed u"
					  " WHERE u.receipt_id OPERATOR(pg_catalog.=) r.receipt_id)"
					  " ORDER BY r.receipt_id COLLATE \"C\"", 0),
			   NULL, ReportExtraReceipt);
	ForEachRow(audit,
			   PlanOf(&unsealed, "SELECT u.receipt_id, u.digest, r.body,"
					  " EXISTS (SELECT FROM answer.log_leaf l"
					  " WHERE l.issued_at OPERATOR(pg_catalog.=) u.issued_at"
					  " AND l.receipt_id OPERATOR(pg_catalog.=) u.receipt_id)"
					  " FROM answer.unsealed u LEFT JOIN answer.receipt r"
					  " ON r.receipt_id OPERATOR(pg_catalog.=) u.receipt_id"
					  " ORDER BY u.receipt_id COLLATE \"C\"", 0),
			   NULL, AuditUnsealed);
}

/*
 * the range
 */

/* How far the last clean audit came; 0 if there is none to go on from. */
static uint64
LastClean(MerkleHash *root)
{
	static FixedQuery query = {
		.text = "SELECT to_size, root_hash FROM answer.log_audit"
		" WHERE defects OPERATOR(pg_catalog.=) 0 ORDER BY to_size DESC LIMIT 1",
		.nargs = 0
	};
	bool		isnull;
	Span		hash;

	QueryRun(&query, NULL, NULL, true, 1);
	if (SPI_processed == 0)
		return 0;
	hash = ByteaSpan(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 2, &isnull));
	memcpy(root->bytes, hash.str, SHA256_LENGTH);
	return DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
}

/*
 * The tree as it was at some size, as far as tiles say.  A tile that is gone
 * is found when its leaves are audited; zeros stand for it until then.
 */
static const MerkleHash *
TileOrZeros(void *arg, int level, uint64 tile)
{
	MerkleHash *hashes = arg;

	if (!TileRead(level, tile, hashes))
		memset(hashes, 0, sizeof(MerkleHash) * MERKLE_TILE_WIDTH);
	return hashes;
}

static void
TreeAt(const Audit *audit, uint64 size, MerkleTree *tree)
{
	MerkleHash	hashes[MERKLE_TILE_WIDTH];

	MerkleTreeAt(&audit->newest.tree, size, TileOrZeros, hashes, tree);
}

/* Goes on where the last clean audit ended, if the log still begins as it did then. */
static uint64
GoOn(Audit *audit, uint64 last, const MerkleHash *last_root)
{
	MerkleHash	root;

	if (last == 0)
		return 0;
	if (last > audit->newest.tree.size)
	{
		Report(audit, -1, NULL, "missing",
			   psprintf("the log had " UINT64_FORMAT " leaves when it was audited last", last));
		return 0;
	}
	TreeAt(audit, last, &audit->tree);
	MerkleTreeRoot(&audit->tree, &root);
	if (MerkleHashEqual(&root, last_root))
		return last;
	Report(audit, -1, NULL, "changed",
		   psprintf("the first " UINT64_FORMAT " leaves are not those that were audited last", last));
	return 0;
}

static void
RecordAudit(Audit *audit)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.log_audit (from_size, to_size, root_hash, defects)"
		" VALUES ($1, $2, $3, $4)",
		.nargs = 4,
		.argtypes = {INT8OID, INT8OID, BYTEAOID, INT8OID}
	};
	Datum		values[4];
	Oid			user;
	int			context;

	values[0] = Int64GetDatum(audit->from);
	values[1] = Int64GetDatum(audit->to);
	values[2] = PointerGetDatum(cstring_to_text_with_len((char *) audit->newest.root.bytes,
														 SHA256_LENGTH));
	values[3] = Int64GetDatum(audit->defects);
	AnswerAsOwner(&user, &context);
	QueryRun(&insert, values, NULL, false, 0);
	AnswerAsCaller(user, context);
}

static void
CheckRange(uint64 from, uint64 to, uint64 size)
{
	if (from > to || to > size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there are no such leaves to audit"),
				 errdetail("They are asked for from " INT64_FORMAT " to " INT64_FORMAT "; the log has " UINT64_FORMAT " sealed leaves.",
						   (int64) from, (int64) to, size)));
}

PG_FUNCTION_INFO_V1(answer_eval_log_audit);
Datum
answer_eval_log_audit(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Audit	   *audit;
	MerkleHash	last_root;
	uint64		last;
	bool		whole;

	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	audit = palloc0(sizeof(Audit));
	audit->store = result->setResult;
	audit->attributes = TupleDescGetAttInMetadata(result->setDesc);
	audit->context = CurrentMemoryContext;
	audit->row = AllocSetContextCreate(CurrentMemoryContext, "answer_eval audit of a row",
									   ALLOCSET_DEFAULT_SIZES);
	(void) LogStateNewest(&audit->newest);
	last = LastClean(&last_root);
	audit->to = PG_ARGISNULL(1) ? audit->newest.tree.size : (uint64) PG_GETARG_INT64(1);
	audit->from = PG_ARGISNULL(0) ? GoOn(audit, last, &last_root) : (uint64) PG_GETARG_INT64(0);
	CheckRange(audit->from, audit->to, audit->newest.tree.size);
	TreeAt(audit, audit->from, &audit->tree);

	AuditLeaves(audit);
	ReportMismatches(audit);
	whole = audit->to == audit->newest.tree.size;
	if (whole)
		AuditRest(audit);
	/* a stretch that leaves a gap before it is nothing to go on from */
	if (whole && audit->from <= last && !XactReadOnly && !RecoveryInProgress())
		RecordAudit(audit);
	SPI_finish();
	return (Datum) 0;
}
