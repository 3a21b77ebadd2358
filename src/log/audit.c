/*-------------------------------------------------------------------------
 *
 * audit.c
 *		The audit: compares receipts and log with what was sealed.
 *
 * A superuser can change any table behind the triggers, but cannot sign another
 * history.  So the audit starts from the stored receipts.  It rehashes each body and
 * compares it with its leaf, the leaves with the tiles, the tiles with each other, and
 * the resulting root with the checkpoints, which are signed.
 *
 * One change gives one row, and the row names what was changed, not what it was
 * compared with.  A leaf has three witnesses: its row, the receipt that it names, and
 * the tile.  What the nodes above confirm, up to a signed root, counts as true.  If
 * those are damaged too, two witnesses outvote the third.  Likewise a checkpoint says
 * everything twice, in columns and in its note, and the note is signed.
 *
 * A missing receipt is not a defect if a signed document says that its partition was
 * detached (detached.c).
 *
 * The audit first checks the catalog (catalog.c), because a changed catalog could
 * answer its queries with something else.  At the end it checks what is stored besides
 * receipts and log (audit_part.c).
 *
 * The audit cannot see from inside that a history was wiped and sealed again, which
 * takes the right to change the tables and to seal, or that it was cut off at the end,
 * with its checkpoints.  The file beside the keys (last_signed.c) reveals both, as long
 * as it exists.  Checkpoints that are kept elsewhere always do: see
 * answer_log_compare() and witnesses.
 *
 * Promises: one snapshot.  Reads every receipt of its range once, in order.  Memory
 * does not depend on the number of receipts, except for the list of findings, which is
 * limited.  Time is proportional to what is stored, whatever sizes a column claims and
 * whatever the planner's statistics say, as long as the tables have their indexes.
 * Never raises an error because of a row's content.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/base64.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/rfc3339.h"
#include "base/search.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/verify.h"
#include "log/catalog.h"
#include "log/detached.h"
#include "log/finding.h"
#include "log/log_table.h"
#include "log/audit_part.h"
#include "log/proof.h"
#include "log/seal.h"

#define MAX_MISMATCHES		10000	/* further ones are reported at once */
#define MAX_DOUBTS			1000
#define TILE_LEVELS_OF_TREES	12	/* a complete tile at the next level would hold 2^65 leaves */

/* The kinds of things that do not hash to what they should. */
typedef enum MismatchKind
{
	LEAF_GONE,
	LEAF_IN_GAP,				/* missing with its neighbours, and reported that way */
	LEAF_CHANGED,
	RECEIPT_GONE,
	RECEIPT_CHANGED
} MismatchKind;

typedef struct Mismatch
{
	MismatchKind kind;
	uint64		leaf_index;
	char	   *receipt_id;		/* the one that the leaf names */
	const char *missing;		/* what is missing of a receipt */
	char	   *claimant;		/* the receipt that was sealed here, if no leaf names it */
	const char *claimed;		/* why it was not found */
	MerkleHash	found;
	MerkleHash	expected;
} Mismatch;

/* What is known about the receipt that a row names. */
typedef struct Examined
{
	const char *missing;		/* what is missing, or NULL */
	MerkleHash	hash;			/* hash of the leaf that it should have */
	const char *column;			/* what contradicts the body beside it */
	const char *key;			/* what is wrong with its signature */
	const char *lacks;			/* what it refers to that is missing */
	char	   *forgotten;		/* for a tombstone: the reason */
} Examined;

/* A position in a tile of level 0, and what is stored for it. */
typedef struct Slot
{
	bool		filled;			/* is there a leaf row? */
	bool		in_gap;			/* if not: are its neighbours missing, too? */
	bool		taken;			/* is it before the audited range? */
	char	   *receipt_id;
	MerkleHash	leaf;
	Examined	receipt;
} Slot;

typedef struct Window
{
	uint64		tile;
	int			begin;			/* first position of the range */
	int			width;			/* number of positions filled in */
	Slot		slots[MERKLE_TILE_WIDTH];
} Window;

/* What a tile of level 0 should hold, as far as it is known. */
typedef struct Truth
{
	bool		proved;			/* do the nodes above confirm it? */
	bool		known[MERKLE_TILE_WIDTH];
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
} Truth;

/* A stored tile, and whether the nodes above it confirm it. */
typedef struct ConfirmedTile
{
	bool		read;
	bool		confirmed;
	uint64		tile;
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
} ConfirmedTile;

/* A stored checkpoint, and how far to trust it. */
typedef struct StoredCheckpoint
{
	LogState	row;
	int64		previous_size;	/* -1 if there is none */
	const char *finding;		/* what is wrong with it, or NULL */
	const char *problem;
	bool		is_signed;		/* does the key that it names verify it? */
	bool		comparable;		/* may it be compared with the log? */
	bool		edge_leads;		/* does its edge hash to its root? */
	uint64		size;			/* from the signed note, or else from the row */
	MerkleHash	root;
} StoredCheckpoint;

/* A checkpoint that names a predecessor that was not found. */
typedef struct ChainBreak
{
	uint64		size;
	int64		stated;
	int64		seen;
} ChainBreak;

/* An earlier state of the log, which must be the beginning of the present one. */
typedef struct Remembered
{
	uint64		size;			/* 0 if there is none */
	MerkleHash	root;
	const char *when;
} Remembered;

typedef struct LogAudit
{
	Audit		audit;			/* must be first: what the parts of an audit use */
	StoredCheckpoint *newest;
	uint64		to;
	uint64		reach;			/* end of the sealed leaves, as far as anything shows */
	Remembered	last;			/* from the last clean audit */
	Remembered	marked;			/* from the file beside the keys */
	MerkleTree	tree;			/* the tree as rebuilt so far */
	bool		lost;			/* is too little left to rebuild it? */
	bool		root_reported;
	Window		window;
	ConfirmedTile confirmed[MERKLE_TILE_LEVELS];
	bool		has_tombstones; /* was any receipt ever forgotten? */
	Portal		checkpoints;
	bool		has_checkpoint; /* is there another checkpoint to compare with? */
	StoredCheckpoint *checkpoint;
	int64		previous_size;	/* size in the checkpoint before it; -1 if none */
	int			ndoubts;
	uint64		doubts[MAX_DOUBTS]; /* possible sizes of bad checkpoints */
	int			nbreaks;
	ChainBreak	breaks[MAX_DOUBTS];
	int			nmismatches;
	Mismatch   *mismatches;
	Mismatch  **sorted;			/* sorted by the expected hash */
	MemoryContext checkpoint_context;	/* reset for each checkpoint */
	MemoryContext window_context;	/* reset for each window */
} LogAudit;

/* For functions that are called with a row. */
static LogAudit *
LogAuditOf(Audit *audit)
{
	return (LogAudit *) audit;
}

/*
 * reporting
 */

static void
ReportMismatch(LogAudit *log, const Mismatch *mismatch, const Mismatch *belongs)
{
	const char *what = mismatch->kind == LEAF_CHANGED ? "leaf" : "receipt";
	const char *id = mismatch->claimant ? mismatch->claimant : mismatch->receipt_id;
	int64		leaf_index = mismatch->leaf_index;

	if (mismatch->kind == LEAF_IN_GAP)
		return;
	if (mismatch->kind == LEAF_GONE)
		AuditReport(&log->audit, leaf_index, id, "missing", "the leaf is gone");
	else if (belongs)
		AuditReport(&log->audit, leaf_index, mismatch->receipt_id, "reordered",
			   psprintf("the %s is what was sealed as leaf " UINT64_FORMAT,
						what, belongs->leaf_index));
	else if (mismatch->claimed && mismatch->kind != LEAF_CHANGED)
		AuditReport(&log->audit, leaf_index, id, "changed", mismatch->claimed);
	else if (mismatch->kind == RECEIPT_GONE)
		AuditReport(&log->audit, leaf_index, id, "missing", mismatch->missing);
	else
		AuditReport(&log->audit, leaf_index, id, "changed", psprintf("the %s is not what was sealed", what));
}

/*
 * Notes something that does not hash to what it should.  Whether it was changed, or
 * exchanged with another, is known only when all are.
 */
static void
NoteMismatch(LogAudit *log, MismatchKind kind, uint64 leaf_index, const Slot *slot,
			 const MerkleHash *found, const MerkleHash *expected)
{
	MemoryContext old = MemoryContextSwitchTo(log->audit.context);
	Mismatch	mismatch = {
		.kind = kind,
		.leaf_index = leaf_index,
		.missing = slot->receipt.missing,
		.found = *found,
		.expected = *expected
	};

	if (log->mismatches == NULL)
		log->mismatches = palloc(sizeof(Mismatch) * MAX_MISMATCHES);
	if (log->nmismatches < MAX_MISMATCHES)
	{
		mismatch.receipt_id = slot->receipt_id ? pstrdup(slot->receipt_id) : NULL;
		log->mismatches[log->nmismatches++] = mismatch;
		MemoryContextSwitchTo(old);
		return;
	}
	MemoryContextSwitchTo(old);
	mismatch.receipt_id = slot->receipt_id;
	ReportMismatch(log, &mismatch, NULL);
}

static int
CompareExpected(const void *a, const void *b)
{
	const Mismatch *left = *(const Mismatch *const *) a;
	const Mismatch *right = *(const Mismatch *const *) b;
	int			order = memcmp(left->expected.bytes, right->expected.bytes, SHA256_LENGTH);

	return order != 0 ? order : left < right ? -1 : left > right;
}

static void
SortMismatches(LogAudit *log)
{
	log->sorted = palloc(sizeof(Mismatch *) * Max(log->nmismatches, 1));
	for (int i = 0; i < log->nmismatches; i++)
		log->sorted[i] = &log->mismatches[i];
	qsort(log->sorted, log->nmismatches, sizeof(Mismatch *), CompareExpected);
}

/* Finds the place where a hash is missing: of a leaf, or of a receipt. */
static Mismatch *
FindMismatch(const LogAudit *log, const MerkleHash *hash, bool leaf, bool receipt)
{
	static const MerkleHash nothing;
	int			low = 0;

	if (MerkleHashEqual(hash, &nothing))
		return NULL;
	FIRST_PLACE(low, log->nmismatches, at, memcmp(log->sorted[at]->expected.bytes, hash->bytes, SHA256_LENGTH) < 0);
	for (; low < log->nmismatches && MerkleHashEqual(&log->sorted[low]->expected, hash); low++)
	{
		if (log->sorted[low]->kind < RECEIPT_GONE ? leaf : receipt)
			return log->sorted[low];
	}
	return NULL;
}

static void
ReportMismatches(LogAudit *log)
{
	for (int i = 0; i < log->nmismatches; i++)
	{
		const Mismatch *mismatch = &log->mismatches[i];
		bool		leaf = mismatch->kind == LEAF_CHANGED;
		const Mismatch *belongs = NULL;

		CHECK_FOR_INTERRUPTS();
		if (leaf || (mismatch->kind == RECEIPT_CHANGED && !mismatch->claimed))
			belongs = FindMismatch(log, &mismatch->found, leaf, !leaf);
		ReportMismatch(log, mismatch, belongs);
	}
}

/*
 * receipts
 */

/*
 * The columns of an audit's query, whose rows are leaves or will become leaves.  The
 * receipt that a row names is looked up row by row.  If a join was planned for tables
 * whose statistics say that they are empty, it would read all receipts for each leaf.
 * Otherwise it would sort all receipts, with their bodies.
 */
enum
{
	COLUMN_LEAF_INDEX = 1,
	COLUMN_LEAF_ISSUED_AT,
	COLUMN_LEAF_ID,
	COLUMN_DIGEST,
	COLUMN_MORE
};

enum
{
	RECEIPT_ID = 1,
	RECEIPT_BODY,
	RECEIPT_ISSUED_AT,
	RECEIPT_VERDICT,
	RECEIPT_CONFIDENCE,
	RECEIPT_DEGRADED,
	RECEIPT_KEY_ID,
	RECEIPT_SCHEMA_COLUMN,
	RECEIPT_INTENT,
	RECEIPT_TENANT,
	RECEIPT_COST,
	RECEIPT_SUPPORTED,
	RECEIPT_CITATION_REQUIRED,
	RECEIPT_CITATION_GIVEN,
	RECEIPT_CONTRADICTED,
	RECEIPT_GIVEN,
	RECEIPT_PREVENTED,
	RECEIPT_UNJUDGED,
	RECEIPT_SENTENCES,
	RECEIPT_GROUNDED,
	RECEIPT_REFUSAL
};

#define RECEIPT_COLUMNS \
	"r.receipt_id, r.body, r.issued_at, r.verdict, r.confidence," \
	" r.degraded, r.key_id, r.schema, r.intent, r.tenant, r.cost_usd," \
	" r.supported, r.citation_required, r.citation_given, r.contradicted, r.given, r.prevented, r.unjudged, r.sentences, r.grounded, r.refusal"

static bool
RowIsNull(const AuditRow *row, int column)
{
	bool		isnull;

	(void) RowDatum(row, column, &isnull);
	return isnull;
}

static Datum
ReceiptDatum(const AuditRow *row, int column, bool *isnull)
{
	return SPI_getbinval(row->receipts->vals[0], row->receipts->tupdesc, column, isnull);
}

static char *
ReceiptText(const AuditRow *row, int column)
{
	return SPI_getvalue(row->receipts->vals[0], row->receipts->tupdesc, column);
}

/*
 * Looks in the partition for the instant and, if the receipt is not there, in all of
 * them, because the instant's column may have been changed.
 */
static void
LookUpReceipt(AuditRow *row)
{
	static FixedQuery by_instant = {
		.text = "SELECT " RECEIPT_COLUMNS " FROM answer.receipt r"
		" WHERE r.receipt_id OPERATOR(pg_catalog.=) $1 AND r.issued_at OPERATOR(pg_catalog.=) $2"
		" AND r.tenant OPERATOR(pg_catalog.=) ANY ($3)",
		.argtypes = {TEXTOID, TIMESTAMPTZOID, TEXTARRAYOID}
	};
	static FixedQuery query = {
		.text = "SELECT " RECEIPT_COLUMNS " FROM answer.receipt r"
		" WHERE r.receipt_id OPERATOR(pg_catalog.=) $1 AND r.tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	bool		no_id;
	bool		no_instant;
	Datum		values[3];
	QueryRows	rows;

	values[0] = RowDatum(row, COLUMN_LEAF_ID, &no_id);
	values[1] = RowDatum(row, COLUMN_LEAF_ISSUED_AT, &no_instant);
	if (no_id)
		return;
	values[2] = row->tenants;
	rows = QueryRun(&by_instant, values, no_instant ? " n " : NULL, true, 2);
	if (rows.count == 0)
	{
		QueryFree(&rows);
		values[1] = row->tenants;
		rows = QueryRun(&query, values, NULL, true, 2);
	}
	row->receipts = rows.table;
	row->nreceipts = rows.count;
}

/* Is the receipt of a row sealed already, among the first "size" leaves? */
static bool
IsSealed(const AuditRow *row, uint64 size)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.log_leaf WHERE issued_at OPERATOR(pg_catalog.=) $1"
		" AND receipt_id OPERATOR(pg_catalog.=) $2 AND leaf_index OPERATOR(pg_catalog.<) $3",
		.argtypes = {TIMESTAMPTZOID, TEXTOID, INT8OID}
	};
	Datum		values[3];
	bool		no_instant;
	bool		no_id;

	if (row->nreceipts == 0)
		return false;
	values[0] = ReceiptDatum(row, RECEIPT_ISSUED_AT, &no_instant);
	values[1] = ReceiptDatum(row, RECEIPT_ID, &no_id);
	values[2] = Int64GetDatum(size);
	if (no_instant || no_id)
		return false;
	return QueryFound(QueryRun(&query, values, NULL, true, 1));
}

/* Computes the leaf hash of a row's digest; returns false if that is not a digest. */
static bool
RowLeafHash(const AuditRow *row, MerkleHash *hash)
{
	Span		digest = TupleBytes(row->tuple, row->desc, COLUMN_DIGEST);

	memset(hash, 0, sizeof(*hash));
	if (digest.len != SHA256_LENGTH)
		return false;
	MerkleLeafHash(digest.str, digest.len, hash);
	return true;
}

static bool
TextMemberIs(const JsonView *body, const char *key, const char *expected)
{
	JsonView	view;

	return expected && JsonViewGetMember(body, key, &view) &&
		JsonViewStringIs(&view, expected);
}

/* Does a text column equal what the body says? It must be null if the body says nothing. */
static bool
TextColumnIs(const AuditRow *row, int column, Span expected)
{
	bool		isnull;
	Datum		stored = ReceiptDatum(row, column, &isnull);
	Span		found;

	if (isnull || expected.len == 0)
		return isnull && expected.len == 0;
	found = Utf8OfText(DatumGetTextPP(stored));
	return SpanEqual(found, expected);
}

static bool
ConfidenceIs(const KindColumns *columns, const AuditRow *row)
{
	bool		isnull;
	Datum		stored = ReceiptDatum(row, RECEIPT_CONFIDENCE, &isnull);

	return isnull ? !columns->has_confidence :
		columns->has_confidence && columns->confidence == DatumGetFloat8(stored);
}

static bool
IssuedAtIs(const JsonView *body, const AuditRow *row)
{
	JsonView	view;
	TimestampTz issued_at;
	bool		isnull;
	Datum		stored = ReceiptDatum(row, RECEIPT_ISSUED_AT, &isnull);

	return !isnull && JsonViewGetMember(body, "issued_at", &view) &&
		InstantOfView(&view, &issued_at) && issued_at == DatumGetTimestampTz(stored);
}

/* Does a boolean column equal what the body says? It must be null if the body says nothing. */
static bool
BoolColumnIs(const AuditRow *row, int column, bool has, bool expected)
{
	bool		isnull;
	Datum		stored = ReceiptDatum(row, column, &isnull);

	return isnull ? !has : has && expected == DatumGetBool(stored);
}

/* Does the same for a column with a count. */
static bool
CountColumnIs(const AuditRow *row, int column, bool has, int expected)
{
	bool		isnull;
	Datum		stored = ReceiptDatum(row, column, &isnull);

	return isnull ? !has : has && expected == DatumGetInt32(stored);
}

static bool
CostIs(const KindColumns *columns, const AuditRow *row)
{
	bool		isnull;
	Datum		stored = ReceiptDatum(row, RECEIPT_COST, &isnull);

	return isnull ? columns->cost == NULL :
		columns->cost != NULL && NumberCompare(columns->cost, DatumGetNumeric(stored)) == 0;
}

/*
 * Returns what is wrong with a column that the dashboard counts and that differs from the
 * body, or NULL.
 */
static const char *
CountedColumnProblem(const KindColumns *columns, const AuditRow *row)
{
	bool		is_answer = columns->is_answer;

	if (!CostIs(columns, row))
		return "column cost_usd is not what the body says";
	if (!BoolColumnIs(row, RECEIPT_SUPPORTED, is_answer, columns->supported))
		return "column supported does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_CITATION_REQUIRED, is_answer, columns->citation_required))
		return "column citation_required does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_CITATION_GIVEN, is_answer, columns->citation_given))
		return "column citation_given does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_CONTRADICTED, is_answer, columns->contradicted))
		return "column contradicted does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_GIVEN, is_answer, columns->given))
		return "column given does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_PREVENTED, is_answer, columns->prevented))
		return "column prevented does not follow from the body";
	if (!BoolColumnIs(row, RECEIPT_UNJUDGED, is_answer, columns->unjudged))
		return "column unjudged does not follow from the body";
	if (!CountColumnIs(row, RECEIPT_SENTENCES, is_answer, columns->sentences))
		return "column sentences does not follow from the body";
	if (!CountColumnIs(row, RECEIPT_GROUNDED, is_answer, columns->grounded))
		return "column grounded does not follow from the body";
	if (!TextColumnIs(row, RECEIPT_REFUSAL, columns->refusal))
		return "column refusal does not follow from the body";
	return NULL;
}

/* Does the column equal the member "tenant", which the operator's documents lack? */
static bool
TenantIs(const JsonView *body, const AuditRow *row)
{
	char	   *tenant = ReceiptText(row, RECEIPT_TENANT);
	JsonView	member;

	if (tenant && tenant[0] == '\0')
		return !JsonViewGetMember(body, "tenant", &member);
	return TextMemberIs(body, "tenant", tenant);
}

/*
 * The columns beside a body repeat it for queries.  Returns what is wrong with one that
 * does not, or NULL.
 */
static const char *
ColumnProblem(const AuditRow *row, const JsonView *body)
{
	const DocumentKind *kind = FindKindOfDocument(body);
	KindColumns columns;
	JsonView	signature;
	bool		isnull;

	memset(&columns, 0, sizeof(columns));
	if (kind == NULL || !kind->read_columns(body, &columns))
		return "the body is no document of a kind that is signed here";
	if (!TextColumnIs(row, RECEIPT_SCHEMA_COLUMN, (Span) {kind->schema, strlen(kind->schema)}))
		return "column schema is not what the body says";
	if (!TextMemberIs(body, "receipt_id", ReceiptText(row, RECEIPT_ID)))
		return "column receipt_id is not what the body says";
	if (!IssuedAtIs(body, row))
		return "column issued_at is not what the body says";
	if (!TextColumnIs(row, RECEIPT_VERDICT, columns.verdict))
		return "column verdict is not what the body says";
	if (!ConfidenceIs(&columns, row))
		return "column confidence is not what the body says";
	if (!BoolColumnIs(row, RECEIPT_DEGRADED, columns.has_degraded, columns.degraded))
		return "column degraded is not what the body says";
	if (!TextColumnIs(row, RECEIPT_INTENT, columns.intent))
		return "column intent is not what the body says";
	if (!TenantIs(body, row))
		return "column tenant is not what the body says";
	JsonViewGetMember(body, "signature", &signature);
	if (!TextMemberIs(&signature, "key_id", ReceiptText(row, RECEIPT_KEY_ID)))
		return "column key_id is not what the body says";
	if (RowIsNull(row, COLUMN_LEAF_ISSUED_AT) ||
		DatumGetTimestampTz(RowDatum(row, COLUMN_LEAF_ISSUED_AT, &isnull)) !=
		DatumGetTimestampTz(ReceiptDatum(row, RECEIPT_ISSUED_AT, &isnull)))
		return "column issued_at of the leaf is not what the receipt says";
	return CountedColumnProblem(&columns, row);
}

/*
 * Is a tombstone still in answer.tombstone, which keeps what was forgotten from being
 * stored again?
 */
static bool
TombstoneIsStored(Jsonb *body)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.tombstone"
		" WHERE digest OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.->>) 'digest')"
		" AND receipt_id OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.->>) 'receipt_id')"
		" AND reason OPERATOR(pg_catalog.=) ($1 OPERATOR(pg_catalog.->>) 'reason')"
		" AND tenant OPERATOR(pg_catalog.=) COALESCE($1 OPERATOR(pg_catalog.->>) 'tenant', '')"
		" AND body OPERATOR(pg_catalog.=) $1",
		.argtypes = {JSONBOID}
	};
	Datum		value = JsonbPGetDatum(body);

	return QueryFound(QueryRun(&query, &value, NULL, true, 1));
}

static bool
HasTombstones(void)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.tombstone WHERE receipt_id IS NOT NULL LIMIT 1",
	};

	return QueryFound(QueryRun(&query, NULL, NULL, true, 1));
}

/* Was a receipt forgotten although its body is here? */
static bool
HasComeBack(const AuditRow *row, const uint8 *sha256)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.tombstone WHERE digest OPERATOR(pg_catalog.=) ('" DIGEST_PREFIX "'"
		" OPERATOR(pg_catalog.||) pg_catalog.encode($1, 'hex')) AND tenant OPERATOR(pg_catalog.=) $2",
		.argtypes = {BYTEAOID, TEXTOID}
	};
	Datum		values[2];
	bool		isnull;

	values[0] = PointerGetDatum(cstring_to_text_with_len((const char *) sha256, SHA256_LENGTH));
	values[1] = ReceiptDatum(row, RECEIPT_TENANT, &isnull);
	return QueryFound(QueryRun(&query, values, NULL, true, 1));
}

/* A tombstone replaces its receipt if we signed it and it has the receipt's digest. */
static void
ExamineTombstone(const LogAudit *log, const AuditRow *row, Jsonb *jsonb, const JsonView *tombstone,
				 Examined *examined)
{
	const char *problem = AuditKeyProblem(tombstone);
	Span		reason = {"", 0};

	if (!TextMemberIs(tombstone, "receipt_id", ReceiptText(row, RECEIPT_ID)) || !TenantIs(tombstone, row))
		examined->column = "the tombstone is not that of this receipt";
	else if (!TombstoneIsStored(jsonb))
		examined->column = "answer.tombstone does not have the tombstone in its place";
	if (problem)
		examined->key = MemoryContextStrdup(log->window_context,
											psprintf("the tombstone: %s", problem));
	(void) JsonViewGetString(tombstone, "reason", &reason);
	reason.str = JsonUtf8ToServer(reason.str, reason.len, &reason.len);
	examined->forgotten = MemoryContextStrdup(log->window_context,
											  pnstrdup(reason.str, reason.len));
}

/* Is the table that routed a receipt's question stored, if it was routed? */
static bool
HasRouteTable(const JsonView *body)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.route_table WHERE sha256 OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY (ARRAY['', $2])",
		.argtypes = {TEXTOID, TEXTOID}
	};
	JsonView	route;
	Span		sha256;
	Span		tenant = {"", 0};
	Datum		values[2];

	if (!JsonViewGetMember(body, "route", &route) || route.type != JVIEW_OBJECT ||
		!JsonViewGetString(&route, "router_sha256", &sha256) ||
		sha256.len != 2 * SHA256_LENGTH)
		return true;
	(void) JsonViewGetString(body, "tenant", &tenant);
	values[0] = SpanDatum(sha256);
	values[1] = SpanDatum(tenant);
	return QueryFound(QueryRun(&query, values, NULL, true, 1));
}

static void
ExamineBody(const LogAudit *log, const AuditRow *row, Jsonb *jsonb, Examined *examined)
{
	JsonView	body;
	uint8		digest[SHA256_LENGTH];

	if (!JsonbIsReadable(jsonb))
		return;					/* it cannot be hashed */
	JsonViewOfJsonb(jsonb, &body);
	if (!DocumentDigest(&body, digest))
		return;
	MerkleLeafHash(digest, sizeof(digest), &examined->hash);
	if (TextMemberIs(&body, "schema", TOMBSTONE_SCHEMA))
	{
		ExamineTombstone(log, row, jsonb, &body, examined);
		return;
	}
	examined->column = ColumnProblem(row, &body);
	if (!examined->column && log->has_tombstones && HasComeBack(row, digest))
		examined->column = "it was forgotten, and its body has come back";
	examined->key = AuditKeyProblem(&body);
	if (!examined->key && !HasRouteTable(&body))
		examined->lacks = "the route table that the receipt was routed by is gone";
}

/* Examines the receipt of a row, without regard to what it should be. */
static void
ExamineReceipt(const LogAudit *log, const AuditRow *row, Examined *examined)
{
	bool		isnull;
	Datum		body;

	memset(examined, 0, sizeof(*examined));
	if (row->nreceipts == 0)
	{
		examined->missing = "the receipt is gone";
		return;
	}
	body = ReceiptDatum(row, RECEIPT_BODY, &isnull);
	if (isnull)
		examined->missing = "the receipt has no body";
	else
		ExamineBody(log, row, DatumGetJsonbP(body), examined);
}

/* Reports the other findings about a receipt that is what was sealed. */
static void
ReportExamined(LogAudit *log, int64 leaf_index, const char *receipt_id, const Examined *examined)
{
	if (examined->column)
		AuditReport(&log->audit, leaf_index, receipt_id, "changed", examined->column);
	if (examined->key)
		AuditReport(&log->audit, leaf_index, receipt_id, "key", examined->key);
	if (examined->lacks)
		AuditReport(&log->audit, leaf_index, receipt_id, "missing", examined->lacks);
	if (examined->forgotten && !examined->column && !examined->key)
		AuditReport(&log->audit, leaf_index, receipt_id, "forgotten", examined->forgotten);
}

/*
 * checkpoints
 */

/* Is it the key with that id, which is made from the key's hash? */
static bool
KeyIsOfId(const uint8 *public_key, const char *key_id)
{
	uint8		sha256[SHA256_LENGTH];
	char		hex[2 * 6 + 1];
	size_t		len = strlen(key_id);

	Sha256(public_key, ED25519_KEY_LENGTH, sha256);
	HexEncode(sha256, 6, hex);
	return len >= 12 && memcmp(key_id + len - 12, hex, 12) == 0;
}

/* Returns which column differs from the note, or NULL. */
static const char *
NoteColumnProblem(const LogState *row, const Checkpoint *note)
{
	if (note->tree_size != row->tree.size)
		return "column tree_size is not what the note says";
	if (!MerkleHashEqual(&note->root, &row->root))
		return "column root_hash is not what the note says";
	if ((size_t) note->origin.len != strlen(row->origin) ||
		memcmp(note->origin.str, row->origin, note->origin.len) != 0)
		return "column origin is not what the note says";
	return NULL;
}

/* Decides what to believe of a checkpoint: a note that the key verifies, or else the row. */
static void
JudgeNote(StoredCheckpoint *stored)
{
	static const uint8 no_key[ED25519_KEY_LENGTH];
	const LogState *row = &stored->row;
	Span		key_id = {row->key_id, strlen(row->key_id)};
	uint8		public_key[ED25519_KEY_LENGTH] = {0};
	Checkpoint	note;
	JsonView	signatures;
	JsonView	keys;
	NoteKey		key;
	const char *key_problem;

	stored->finding = "changed";
	stored->problem = "the note is malformed";
	if (CheckpointParse(row->note, &note) != NULL)
		return;
	RegistryKeys(key_id, &keys);
	key_problem = KeyProblemAt(&keys, key_id, row->sealed_at, public_key);
	NoteKeyInit(&key, note.origin, NOTE_ALG_ED25519, public_key);
	stored->is_signed = memcmp(public_key, no_key, sizeof(no_key)) != 0 &&
		CheckpointProblem(&note, &key, 1, &signatures) == NULL;
	stored->problem = NoteColumnProblem(row, &note);
	stored->comparable = stored->is_signed || stored->problem == NULL;
	if (stored->is_signed)
	{
		stored->size = note.tree_size;
		stored->root = note.root;
	}
	else if (key_problem == NULL && KeyIsOfId(public_key, row->key_id))
		stored->problem = "the note is not what was signed";
	else if (key_problem == NULL)
		key_problem = "the key in the registry is not that of its id";
	if (stored->problem == NULL && key_problem)
	{
		stored->finding = "key";
		stored->problem = key_problem;
	}
}

/* Reads a row of LOG_STATE_COLUMNS and previous_size. */
static void
ReadCheckpoint(HeapTuple tuple, TupleDesc desc, StoredCheckpoint *stored)
{
	MerkleHash	root;

	(void) LogStateOfTuple(tuple, desc, &stored->row);
	stored->previous_size = TupleInt64(tuple, desc, 8);
	stored->is_signed = stored->comparable = stored->edge_leads = false;
	stored->size = stored->row.tree.size;
	stored->root = stored->row.root;
	JudgeNote(stored);
	if (!stored->row.has_edge || stored->row.tree.size != stored->size)
		return;
	MerkleTreeRoot(&stored->row.tree, &root);
	stored->edge_leads = MerkleHashEqual(&root, &stored->root);
}

/* Fetches the next row of a query over checkpoints; false if there is none. */
static bool
FetchCheckpoint(LogAudit *log, Portal portal, StoredCheckpoint *stored)
{
	MemoryContext old = CurrentMemoryContext;
	QueryRows	rows;

	MemoryContextReset(log->checkpoint_context);
	MemoryContextSwitchTo(log->checkpoint_context);
	rows = QueryFetch(portal, 1);
	if (rows.count > 0)
		ReadCheckpoint(rows.table->vals[0], rows.table->tupdesc, stored);	/* what is kept points into the tuple */
	MemoryContextSwitchTo(old);
	return rows.count > 0;
}

static void
NextCheckpoint(LogAudit *log)
{
	log->has_checkpoint = FetchCheckpoint(log, log->checkpoints, log->checkpoint);
}

/*
 * Notes that a checkpoint of about this size is bad, because another may name it as its
 * predecessor.
 */
static void
NoteDoubt(LogAudit *log, uint64 size)
{
	if (log->ndoubts < MAX_DOUBTS)
		log->doubts[log->ndoubts++] = size;
}

static void
ReportBreak(LogAudit *log, const ChainBreak *chain_break)
{
	if (chain_break->stated > chain_break->seen)
		AuditReport(&log->audit, -1, NULL, "missing",
			   psprintf("checkpoint of " UINT64_FORMAT " leaves: the one before it, of "
						INT64_FORMAT " leaves, is gone", chain_break->size,
						chain_break->stated));
	else
		AuditReport(&log->audit, -1, NULL, "changed",
			   psprintf("checkpoint of " UINT64_FORMAT " leaves: column previous_size is not the size of the one before it",
						chain_break->size));
}

/* Checks that each checkpoint follows the one that it names. */
static void
AuditChain(LogAudit *log, const StoredCheckpoint *stored)
{
	ChainBreak	chain_break = {stored->size, stored->previous_size, log->previous_size};

	if (!stored->is_signed || stored->row.tree.size != stored->size)
	{
		NoteDoubt(log, stored->row.tree.size);
		NoteDoubt(log, stored->size);
		return;
	}
	if ((int64) stored->size == log->previous_size)
	{
		AuditReport(&log->audit, -1, NULL, "extra",
			   psprintf("checkpoint of " UINT64_FORMAT " leaves: it is there twice", stored->size));
		return;
	}
	log->previous_size = stored->size;
	if (chain_break.stated == chain_break.seen)
		return;
	if (log->nbreaks < MAX_DOUBTS)
		log->breaks[log->nbreaks++] = chain_break;
	else
		ReportBreak(log, &chain_break);
}

/* Can a bad checkpoint have had this size? */
static bool
IsInDoubt(const LogAudit *log, uint64 size)
{
	for (int i = 0; i < log->ndoubts; i++)
	{
		if (log->doubts[i] == size)
			return true;
	}
	return log->ndoubts == MAX_DOUBTS;
}

/* Reports missing checkpoints, except those that a bad one may have been. */
static void
ReportBreaks(LogAudit *log)
{
	for (int i = 0; i < log->nbreaks; i++)
	{
		if (!IsInDoubt(log, log->breaks[i].stated))
			ReportBreak(log, &log->breaks[i]);
	}
}

/*
 * Audits a checkpoint.  "compare" says that it has the size of the tree, so that its root
 * is compared.
 */
static void
AuditCheckpoint(LogAudit *log, bool compare)
{
	const StoredCheckpoint *stored = log->checkpoint;
	char	   *name = psprintf("checkpoint of " INT64_FORMAT " leaves",
								(int64) stored->row.tree.size);
	MerkleHash	root;

	if (stored->problem)
		AuditReport(&log->audit, -1, NULL, stored->finding, psprintf("%s: %s", name, stored->problem));
	if (!stored->edge_leads && stored->comparable && stored->row.tree.size == stored->size)
		AuditReport(&log->audit, -1, NULL, "changed",
			   psprintf("%s: its edge does not lead to its root hash", name));
	AuditChain(log, stored);
	if (!compare || !stored->comparable || log->lost || log->root_reported)
		return;
	MerkleTreeRoot(&log->tree, &root);
	if (MerkleHashEqual(&root, &stored->root))
		return;
	AuditReport(&log->audit, -1, NULL, "changed",
		   psprintf("%s: the leaves before it do not lead to its root hash; later checkpoints are not compared", name));
	log->root_reported = true;
}

/* Audits the checkpoints up to a size. */
static void
PassCheckpoints(LogAudit *log, uint64 size)
{
	while (log->has_checkpoint && log->checkpoint->size <= size)
	{
		CHECK_FOR_INTERRUPTS();
		AuditCheckpoint(log, log->checkpoint->size == size);
		NextCheckpoint(log);
	}
}

static bool
LeafExists(uint64 leaf_index)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.log_leaf WHERE leaf_index OPERATOR(pg_catalog.=) $1",
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(leaf_index);

	return QueryFound(QueryRun(&query, &value, NULL, true, 1));
}

/*
 * Finds the checkpoint that says how long the log is: the newest that is signed.  A
 * consistent one that is not signed is accepted if its last leaf exists: then the
 * registry has lost a key, or the note was changed.
 */
static void
FindNewest(LogAudit *log)
{
	Portal		portal = AuditOpenQuery("SELECT " LOG_STATE_COLUMNS ", previous_size FROM answer.checkpoint"
								   " WHERE tree_size OPERATOR(pg_catalog.>=) 0 ORDER BY tree_size DESC",
								   0, NULL);
	bool		found = false;

	log->newest = palloc0(sizeof(StoredCheckpoint));
	while (!found && FetchCheckpoint(log, portal, log->newest))
	{
		const StoredCheckpoint *newest = log->newest;

		CHECK_FOR_INTERRUPTS();
		found = newest->is_signed ||
			(newest->comparable && newest->edge_leads &&
			 (newest->size == 0 || LeafExists(newest->size - 1)));
	}
	SPI_cursor_close(portal);
	if (found)
		return;
	memset(log->newest, 0, sizeof(StoredCheckpoint));
	log->newest->edge_leads = true;	/* for the empty tree */
}

/*
 * the tree
 */

/* Compares a rebuilt tile with the stored one. */
static void
CompareTile(void *arg, int level, uint64 tile, const MerkleHash *hashes)
{
	LogAudit   *log = arg;
	MerkleHash	stored[MERKLE_TILE_WIDTH];

	if (level == 0)
		return;					/* see CloseWindow */
	if (!TileRead(level, tile, stored))
		AuditReport(&log->audit, -1, NULL, "missing",
			   psprintf("tile " UINT64_FORMAT " of level %d is gone", tile, level));
	else if (memcmp(stored, hashes, sizeof(stored)) != 0)
		AuditReport(&log->audit, -1, NULL, "changed",
			   psprintf("tile " UINT64_FORMAT " of level %d does not follow from the tiles below it",
						tile, level));
}

/*
 * Returns the stored hash of a complete node if the nodes above confirm it: the root of
 * its tile is in a confirmed tile, and so on up to the edge, which gives a signed root.
 * Otherwise returns NULL.
 */
static const MerkleHash *
ConfirmTile(LogAudit *log, int level, uint64 position)
{
	uint64		tile = position >> MERKLE_TILE_HEIGHT;
	int			slot = position & (MERKLE_TILE_WIDTH - 1);
	uint64		complete = log->newest->size >> (level * MERKLE_TILE_HEIGHT) >> MERKLE_TILE_HEIGHT;
	ConfirmedTile *cached = &log->confirmed[level];

	if (tile >= complete)
		return log->newest->edge_leads ? &log->newest->row.tree.edge[level][slot] : NULL;
	if (!cached->read || cached->tile != tile)
	{
		const MerkleHash *above = ConfirmTile(log, level + 1, tile);
		MerkleHash	root;

		cached->read = true;
		cached->tile = tile;
		cached->confirmed = above && TileRead(level, tile, cached->hashes);
		if (cached->confirmed)
		{
			MerkleTileRoot(cached->hashes, MERKLE_TILE_WIDTH, &root);
			cached->confirmed = MerkleHashEqual(&root, above);
		}
	}
	return cached->confirmed ? &cached->hashes[slot] : NULL;
}

/* Gives the root over a complete tile of level 0, if anything confirms it. */
static bool
ConfirmedRoot(LogAudit *log, uint64 tile, MerkleHash *root)
{
	const MerkleHash *hash;

	if (tile >= log->newest->size >> MERKLE_TILE_HEIGHT)
		return false;
	hash = ConfirmTile(log, 1, tile);
	if (hash)
		*root = *hash;
	return hash != NULL;
}

/* Reads the stored hashes of a tile of level 0, which may be in the newest edge. */
static bool
StoredLeaves(const LogAudit *log, uint64 tile, MerkleHash *hashes)
{
	if (tile < log->newest->size >> MERKLE_TILE_HEIGHT)
		return TileRead(0, tile, hashes);
	if (log->newest->edge_leads)
		memcpy(hashes, log->newest->row.tree.edge[0], sizeof(MerkleHash) * MERKLE_TILE_WIDTH);
	return log->newest->edge_leads;
}

static bool
TreeHasRoot(const Truth *truth, const MerkleHash *root)
{
	MerkleHash	hash;

	for (int i = 0; i < MERKLE_TILE_WIDTH; i++)
	{
		if (!truth->known[i])
			return false;
	}
	MerkleTileRoot(truth->hashes, MERKLE_TILE_WIDTH, &hash);
	return MerkleHashEqual(&hash, root);
}

/*
 * Decides between the leaf row, the receipt and the tile: takes what two of them say, or
 * else the most reliable.
 */
static void
ElectHash(const Slot *slot, const MerkleHash *stored, bool *known, MerkleHash *truth)
{
	bool		has_receipt = slot->filled && !slot->taken && slot->receipt.missing == NULL;

	*known = stored != NULL || slot->filled;
	if (!slot->filled)
	{
		if (stored)
			*truth = *stored;
	}
	else if (stored == NULL || (has_receipt && MerkleHashEqual(&slot->receipt.hash, &slot->leaf)))
		*truth = slot->leaf;
	else
		*truth = *stored;
}

/* Finds out what the open window should hold. */
static void
FindTruth(LogAudit *log, Truth *truth, bool has_stored, const MerkleHash *stored, bool has_root,
		  const MerkleHash *root)
{
	Window	   *window = &log->window;
	bool		is_edge = window->tile >= log->newest->size >> MERKLE_TILE_HEIGHT;

	memset(truth->known, has_stored, sizeof(truth->known));
	if (has_stored)
		memcpy(truth->hashes, stored, sizeof(truth->hashes));
	truth->proved = has_stored && (is_edge || (has_root && TreeHasRoot(truth, root)));
	if (truth->proved)
		return;
	for (int i = 0; i < window->width; i++)
		ElectHash(&window->slots[i], has_stored ? &stored[i] : NULL, &truth->known[i], &truth->hashes[i]);
	truth->proved = has_root && TreeHasRoot(truth, root);
	if (truth->proved || !has_root)
		return;
	/* in case the receipts and the tile were changed, but not the leaves */
	for (int i = 0; i < window->width; i++)
	{
		if (window->slots[i].filled)
			truth->hashes[i] = window->slots[i].leaf;
	}
	truth->proved = TreeHasRoot(truth, root);
	if (truth->proved)
		return;
	for (int i = 0; i < window->width; i++)
		ElectHash(&window->slots[i], has_stored ? &stored[i] : NULL, &truth->known[i], &truth->hashes[i]);
}

/* Compares what is stored for one leaf with what it should be. */
static void
JudgeSlot(LogAudit *log, uint64 leaf_index, const Slot *slot, bool known, const MerkleHash *truth)
{
	const Examined *receipt = &slot->receipt;
	MerkleHash	nothing = {{0}};
	const MerkleHash *expected = known ? truth : slot->filled ? &slot->leaf : &nothing;

	if (!slot->filled)
	{
		if (slot->in_gap && !known)
			return;
		NoteMismatch(log, slot->in_gap ? LEAF_IN_GAP : LEAF_GONE, leaf_index, slot, &nothing,
					 expected);
		return;
	}
	if (!MerkleHashEqual(&slot->leaf, expected))
	{
		NoteMismatch(log, LEAF_CHANGED, leaf_index, slot, &slot->leaf, expected);
		/* a receipt that matches its changed leaf was moved together with it */
		if (receipt->missing || MerkleHashEqual(&receipt->hash, &slot->leaf))
			return;
	}
	if (receipt->missing && MerkleHashEqual(&slot->leaf, expected) &&
		NoteDetached(log->audit.detached, leaf_index))
		return;
	if (receipt->missing)
		NoteMismatch(log, RECEIPT_GONE, leaf_index, slot, &nothing, expected);
	else if (!MerkleHashEqual(&receipt->hash, expected))
		NoteMismatch(log, RECEIPT_CHANGED, leaf_index, slot, &receipt->hash, expected);
	else
		ReportExamined(log, leaf_index, slot->receipt_id, receipt);
}

/* Is an earlier state the beginning of the log? */
static void
CompareRemembered(LogAudit *log, const Remembered *remembered)
{
	MerkleHash	root;

	if (remembered->size == 0 || log->tree.size != remembered->size || log->root_reported)
		return;
	MerkleTreeRoot(&log->tree, &root);
	if (MerkleHashEqual(&root, &remembered->root))
		return;
	AuditReport(&log->audit, -1, NULL, "changed",
				psprintf("the first " UINT64_FORMAT " leaves are not those that were %s",
						 remembered->size, remembered->when));
}

static void
CompareAllRemembered(LogAudit *log)
{
	CompareRemembered(log, &log->last);
	CompareRemembered(log, &log->marked);
}

/* Adds one tile to the tree, leaf by leaf if they are known, else by its root alone. */
static void
GrowTree(LogAudit *log, const Truth *truth, bool has_root, const MerkleHash *root)
{
	const Window *window = &log->window;
	uint64		begin = window->tile << MERKLE_TILE_HEIGHT;

	if (!log->lost && !truth->proved && has_root && window->width == MERKLE_TILE_WIDTH)
	{
		log->tree.size = begin;
		MerkleTreeAppendTile(&log->tree, root, CompareTile, log);
		PassCheckpoints(log, log->tree.size);
		CompareAllRemembered(log);
		return;
	}
	for (int i = window->begin; i < window->width && !log->lost; i++)
	{
		log->lost = !truth->known[i];
		if (log->lost)
			break;
		MerkleTreeAppend(&log->tree, &truth->hashes[i], CompareTile, log);
		PassCheckpoints(log, log->tree.size);
		CompareAllRemembered(log);
	}
	if (log->lost)
		PassCheckpoints(log, begin + window->width);
}

static void
ReportTile(LogAudit *log, const Truth *truth, bool has_stored, const MerkleHash *stored, bool has_root)
{
	uint64		tile = log->window.tile;

	if (tile >= log->newest->size >> MERKLE_TILE_HEIGHT)
		return;
	if (!has_stored)
		AuditReport(&log->audit, -1, NULL, "missing", psprintf("tile " UINT64_FORMAT " of level 0 is gone", tile));
	else if (memcmp(stored, truth->hashes, sizeof(truth->hashes)) != 0)
		AuditReport(&log->audit, -1, NULL, "changed",
			   psprintf("tile " UINT64_FORMAT " of level 0 does not follow from its leaves", tile));
	else if (has_root && !truth->proved)
		AuditReport(&log->audit, -1, NULL, "changed",
			   psprintf("tile " UINT64_FORMAT " of level 0 and its leaves do not lead to the hash above them",
						tile));
}

/* Compares the leaves of a tile with what they should be, and adds them to the tree. */
static void
CloseWindow(LogAudit *log)
{
	Window	   *window = &log->window;
	MerkleHash	stored[MERKLE_TILE_WIDTH];
	MerkleHash	root;
	Truth		truth;
	bool		has_stored = StoredLeaves(log, window->tile, stored);
	bool		has_root = ConfirmedRoot(log, window->tile, &root);

	FindTruth(log, &truth, has_stored, stored, has_root, &root);
	ReportTile(log, &truth, has_stored, stored, has_root);
	for (int i = window->begin; i < window->width; i++)
		JudgeSlot(log, (window->tile << MERKLE_TILE_HEIGHT) + i, &window->slots[i],
				  truth.known[i], &truth.hashes[i]);
	GrowTree(log, &truth, has_root, &root);
}

/* Opens the window with a position in it.  What is before that position is taken as stored. */
static void
OpenWindow(LogAudit *log, uint64 position)
{
	Window	   *window = &log->window;

	MemoryContextReset(log->window_context);
	memset(window, 0, sizeof(*window));
	window->tile = position >> MERKLE_TILE_HEIGHT;
	window->begin = window->width = position & (MERKLE_TILE_WIDTH - 1);
	for (int i = 0; i < window->begin; i++)
	{
		window->slots[i].filled = window->slots[i].taken = true;
		window->slots[i].leaf = log->tree.edge[0][i];
	}
}

/* Returns the position of the next leaf. */
static uint64
NextPosition(const LogAudit *log)
{
	return (log->window.tile << MERKLE_TILE_HEIGHT) + log->window.width;
}

/* Moves to the next position of the window, or to the next window. */
static void
AdvanceWindow(LogAudit *log)
{
	Window	   *window = &log->window;
	MemoryContext old;

	window->width++;
	if (window->width < MERKLE_TILE_WIDTH && NextPosition(log) < log->to)
		return;
	old = MemoryContextSwitchTo(log->window_context);
	CloseWindow(log);
	MemoryContextSwitchTo(old);
	OpenWindow(log, NextPosition(log));
}

/* Is anything known about what the newly opened window should hold? */
static bool
WindowIsKnown(LogAudit *log)
{
	MerkleHash	hashes[MERKLE_TILE_WIDTH];
	MerkleHash	root;

	return StoredLeaves(log, log->window.tile, hashes) ||
		ConfirmedRoot(log, log->window.tile, &root);
}

/*
 * Passes whole tiles of which nothing is left, all at once, because their number is
 * only what some column claims.
 */
static void
SkipTiles(LogAudit *log, uint64 end)
{
	uint64		begin = NextPosition(log);

	end &= ~(uint64) (MERKLE_TILE_WIDTH - 1);
	AuditReport(&log->audit, -1, NULL, "missing",
		   psprintf("nor are there tiles over the leaves from " UINT64_FORMAT " to " UINT64_FORMAT "; what lies above and behind is not compared",
					begin, end - 1));
	log->lost = true;
	PassCheckpoints(log, end);
	OpenWindow(log, end);
}

/* Handles missing leaf rows up to a position. */
static void
FillGap(LogAudit *log, uint64 end)
{
	uint64		begin = NextPosition(log);

	if (begin >= end)
		return;
	if (end - begin > 1)
		AuditReport(&log->audit, begin, NULL, "missing",
			   psprintf("the leaves from " UINT64_FORMAT " to " UINT64_FORMAT " are gone", begin, end - 1));
	while (NextPosition(log) < end)
	{
		Window	   *window = &log->window;

		CHECK_FOR_INTERRUPTS();
		if (window->width == 0 && end - NextPosition(log) >= MERKLE_TILE_WIDTH &&
			!WindowIsKnown(log))
		{
			SkipTiles(log, end);
			continue;
		}
		window->slots[window->width].in_gap = end - begin > 1;
		AdvanceWindow(log);
	}
}

/* Audits the row of a leaf. */
static void
AuditLeaf(Audit *audit, AuditRow *row)
{
	LogAudit   *log = LogAuditOf(audit);
	uint64		leaf_index = TupleInt64(row->tuple, row->desc, COLUMN_LEAF_INDEX);
	char	   *receipt_id = RowString(row, COLUMN_LEAF_ID);
	Slot	   *slot;

	if (leaf_index < NextPosition(log))
	{
		AuditReport(audit, leaf_index, receipt_id, "extra", "the leaf is there twice");
		return;
	}
	FillGap(log, leaf_index);
	slot = &log->window.slots[log->window.width];
	slot->filled = true;
	slot->receipt_id = receipt_id ? MemoryContextStrdup(log->window_context, receipt_id) : NULL;
	(void) RowLeafHash(row, &slot->leaf);
	LookUpReceipt(row);
	if (row->nreceipts > 1)
		AuditReport(audit, leaf_index, receipt_id, "extra", "the receipt is there twice");
	ExamineReceipt(log, row, &slot->receipt);
	AdvanceWindow(log);
}

/* Returns the size of the last checkpoint before a size; -1 if there is none. */
static int64
SizeBefore(uint64 size)
{
	static FixedQuery query = {
		.text = "SELECT tree_size FROM answer.checkpoint WHERE tree_size OPERATOR(pg_catalog.>=) 0"
		" AND tree_size OPERATOR(pg_catalog.<) $1 ORDER BY tree_size DESC LIMIT 1",
		.argtypes = {INT8OID}
	};
	Datum		value = Int64GetDatum(size);
	QueryRows	rows = QueryRun(&query, &value, NULL, true, 1);

	return rows.count == 0 ? -1 : TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1);
}

static void
AuditLeaves(LogAudit *log, bool whole)
{
	Datum		values[2] = {Int64GetDatum(log->audit.from), Int64GetDatum(log->to)};
	Datum		sizes[2] = {values[0], Int64GetDatum(whole ? PG_INT64_MAX : (int64) log->to)};

	log->previous_size = SizeBefore(log->audit.from);
	log->checkpoint = palloc0(sizeof(StoredCheckpoint));
	log->checkpoints = AuditOpenQuery("SELECT " LOG_STATE_COLUMNS ", previous_size FROM answer.checkpoint"
								   " WHERE tree_size OPERATOR(pg_catalog.>=) $1"
								   " AND tree_size OPERATOR(pg_catalog.<=) $2 ORDER BY tree_size",
								   2, sizes);
	NextCheckpoint(log);
	OpenWindow(log, log->audit.from);
	PassCheckpoints(log, log->audit.from);
	AuditForEachRow(&log->audit,
			   "SELECT leaf_index, issued_at, receipt_id, digest FROM answer.log_leaf"
			   " WHERE leaf_index OPERATOR(pg_catalog.>=) $1"
			   " AND leaf_index OPERATOR(pg_catalog.<) $2 ORDER BY leaf_index",
			   2, values, AuditLeaf);
	FillGap(log, log->to);
	/* those that claim to be about later leaves cannot be */
	while (log->has_checkpoint)
	{
		CHECK_FOR_INTERRUPTS();
		AuditCheckpoint(log, false);
		NextCheckpoint(log);
	}
	SPI_cursor_close(log->checkpoints);
	ReportBreaks(log);
}

/*
 * what the log does not know
 */

/*
 * Audits a leaf beyond the newest checkpoint.  If it follows the others, and is that of
 * a good receipt that is in no other place, it was sealed, and the checkpoint is
 * missing.
 */
static void
AuditUncovered(Audit *audit, AuditRow *row)
{
	LogAudit   *log = LogAuditOf(audit);
	int64		leaf_index = TupleInt64(row->tuple, row->desc, COLUMN_LEAF_INDEX);
	char	   *receipt_id = RowString(row, COLUMN_LEAF_ID);
	bool		waits = !RowIsNull(row, COLUMN_MORE);
	const Mismatch *belongs = NULL;
	MerkleHash	leaf;
	Examined	receipt;

	if (RowLeafHash(row, &leaf))
		belongs = FindMismatch(log, &leaf, true, false);
	LookUpReceipt(row);
	ExamineReceipt(log, row, &receipt);
	if (belongs)
		AuditReport(audit, leaf_index, receipt_id, "reordered",
			   psprintf("the leaf is what was sealed as leaf " UINT64_FORMAT, belongs->leaf_index));
	else if (leaf_index >= 0 && (uint64) leaf_index == log->reach && !waits &&
			 !receipt.missing && !receipt.key && MerkleHashEqual(&receipt.hash, &leaf) &&
			 !IsSealed(row, log->newest->size))
		log->reach++;
	else
		AuditReport(audit, leaf_index, receipt_id, "extra", "no checkpoint covers the leaf");
}

static void
AuditUncoveredLeaves(LogAudit *log)
{
	uint64		size = log->newest->size;
	Datum		value = Int64GetDatum(size);

	log->reach = size;
	AuditForEachRow(&log->audit,
			   "SELECT l.leaf_index, l.issued_at, l.receipt_id, l.digest, u.receipt_id"
			   " FROM answer.log_leaf l LEFT JOIN (SELECT DISTINCT receipt_id FROM answer.unsealed) u"
			   " ON u.receipt_id OPERATOR(pg_catalog.=) l.receipt_id"
			   " WHERE l.leaf_index OPERATOR(pg_catalog.>=) $1"
			   " OR l.leaf_index OPERATOR(pg_catalog.<) 0 OR l.leaf_index IS NULL"
			   " ORDER BY l.leaf_index",
			   1, &value, AuditUncovered);
	if (log->reach > size && IsInDoubt(log, log->reach))
		return;					/* that checkpoint was reported */
	if (log->reach > size)
		AuditReport(&log->audit, size, NULL, "missing",
			   psprintf("the checkpoint that covered the leaves from " UINT64_FORMAT " to " UINT64_FORMAT " is gone",
						size, log->reach - 1));
	else if (log->last.size > size || log->marked.size > size)
	{
		const Remembered *longest = log->last.size > log->marked.size ? &log->last : &log->marked;

		AuditReport(&log->audit, -1, NULL, "missing",
					psprintf("the log had " UINT64_FORMAT " leaves when it was %s",
							 longest->size, longest->when));
	}
}

static void
ReportExtraTile(Audit *audit, AuditRow *row)
{
	char	   *level = RowString(row, 1);
	char	   *tile = RowString(row, 2);

	AuditReport(audit, -1, NULL, "extra",
		   psprintf("tile %s of level %s is not part of the tree, or there twice",
					tile ? tile : "NULL", level ? level : "NULL"));
}

/* Reports tiles that the tree has no place for. */
static void
AuditExtraTiles(LogAudit *log)
{
	for (int level = 0; level < TILE_LEVELS_OF_TREES; level++)
	{
		Datum		values[2] = {
			Int64GetDatum(level),
			Int64GetDatum(log->reach >> (level * MERKLE_TILE_HEIGHT) >> MERKLE_TILE_HEIGHT)
		};

		AuditForEachRow(&log->audit,
				   "SELECT level, tile FROM answer.log_tile"
				   " WHERE level OPERATOR(pg_catalog.=) $1::pg_catalog.int2"
				   " AND (tile OPERATOR(pg_catalog.>=) $2 OR tile OPERATOR(pg_catalog.<) 0"
				   " OR tile IS NULL)",
				   2, values, ReportExtraTile);
	}
	AuditForEachRow(&log->audit,
			   "SELECT level, tile FROM answer.log_tile WHERE level OPERATOR(pg_catalog.<) 0"
			   " OR level OPERATOR(pg_catalog.>=) " CppAsString2(TILE_LEVELS_OF_TREES)
			   " OR level IS NULL",
			   0, NULL, ReportExtraTile);
	if (log->audit.from > 0)
		return;
	AuditForEachRow(&log->audit,
			   "SELECT level, tile FROM answer.log_tile"
			   " GROUP BY level, tile HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 1",
			   0, NULL, ReportExtraTile);
}

/*
 * Audits a receipt that no leaf names.  If it is what was sealed in a place with a
 * missing receipt, its name was changed, in the leaf or in the receipt.
 */
static void
AuditUnnamed(Audit *audit, AuditRow *row)
{
	LogAudit   *log = LogAuditOf(audit);
	char	   *receipt_id = RowString(row, COLUMN_LEAF_ID);
	Mismatch   *mismatch = NULL;
	Examined	receipt;

	LookUpReceipt(row);
	ExamineReceipt(log, row, &receipt);
	if (!receipt.missing)
		mismatch = FindMismatch(log, &receipt.hash, true, true);
	if (mismatch == NULL)
	{
		AuditReport(audit, -1, receipt_id, "extra",
			   "the receipt is neither in the log nor waiting to be sealed");
		return;
	}
	mismatch->claimed = receipt.column ? receipt.column :
		"the leaf names another receipt than was sealed";
	mismatch->claimant = MemoryContextStrdup(log->audit.context, receipt_id);
}

static void
AuditUnnamedReceipts(LogAudit *log)
{
	AuditForEachRow(&log->audit,
			   "SELECT NULL, r.issued_at, r.receipt_id FROM answer.receipt r"
			   " WHERE NOT EXISTS (SELECT FROM (SELECT receipt_id FROM answer.log_leaf"
			   " UNION ALL SELECT receipt_id FROM answer.unsealed) k"
			   " WHERE k.receipt_id OPERATOR(pg_catalog.=) r.receipt_id)"
			   " ORDER BY r.receipt_id COLLATE pg_catalog.\"C\"",
			   0, NULL, AuditUnnamed);
}

/*
 * Audits a receipt that waits for sealing: it must exist once, unchanged, and not be
 * sealed already.
 */
static void
AuditUnsealed(Audit *audit, AuditRow *row)
{
	LogAudit   *log = LogAuditOf(audit);
	char	   *receipt_id = RowString(row, COLUMN_LEAF_ID);
	MerkleHash	leaf;
	Examined	receipt;
	bool		good;

	LookUpReceipt(row);
	if (row->nreceipts > 1)
		AuditReport(audit, -1, receipt_id, "extra", "the receipt is there twice");
	if (IsSealed(row, log->reach))
	{
		AuditReport(audit, -1, receipt_id, "extra", "the receipt waits to be sealed and is sealed already");
		return;
	}
	if (TupleInt64(row->tuple, row->desc, COLUMN_LEAF_INDEX) > 1)
	{
		AuditReport(audit, -1, receipt_id, "extra", "the receipt waits to be sealed twice");
		return;
	}
	ExamineReceipt(log, row, &receipt);
	if (receipt.missing)
	{
		AuditReport(audit, -1, receipt_id, "missing",
			   psprintf("%s before it was sealed", receipt.missing));
		return;
	}
	good = receipt.column == NULL && receipt.key == NULL;
	if (!RowLeafHash(row, &leaf) || !MerkleHashEqual(&leaf, &receipt.hash))
		AuditReport(audit, -1, receipt_id, "changed",
			   good ? "the digest that waits to be sealed is not the receipt's" :
			   "the receipt is not what waits to be sealed");
	else
		ReportExamined(log, -1, receipt_id, &receipt);
}

static void
AuditWaiting(LogAudit *log)
{
	AuditForEachRow(&log->audit,
			   "SELECT pg_catalog.row_number() OVER (PARTITION BY receipt_id ORDER BY digest),"
			   " issued_at, receipt_id, digest FROM answer.unsealed",
			   0, NULL, AuditUnsealed);
}

/* Audits what is beyond the leaves of the newest checkpoint. */
static void
AuditRest(LogAudit *log)
{
	AuditUncoveredLeaves(log);
	AuditExtraTiles(log);
	AuditForEachRow(&log->audit,
			   "SELECT NULL, 'extra', 'a checkpoint has no size' FROM answer.checkpoint"
			   " WHERE tree_size OPERATOR(pg_catalog.<) 0 OR tree_size IS NULL",
			   0, NULL, AuditReportRow);
	AuditUnnamedReceipts(log);
	AuditWaiting(log);
}

/*
 * the range
 */

/* Reads how far the last clean audit came, if there was one. */
static void
RememberLast(Remembered *last)
{
	static FixedQuery query = {
		.text = "SELECT to_size, root_hash FROM answer.log_audit"
		" WHERE defects OPERATOR(pg_catalog.=) 0 AND to_size OPERATOR(pg_catalog.>=) 0"
		" ORDER BY to_size DESC LIMIT 1",
	};
	Span		hash;
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 1);

	last->when = "audited last";
	if (rows.count == 0)
		return;
	hash = TupleBytes(rows.table->vals[0], rows.table->tupdesc, 2);
	if (hash.len != SHA256_LENGTH)
		return;
	memcpy(last->root.bytes, hash.str, SHA256_LENGTH);
	last->size = TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1);
}

/* Returns the size of the longest checkpoint, valid or not; -1 if there is none. */
static int64
LongestCheckpoint(void)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.max(tree_size) FROM answer.checkpoint",
	};
	int64		size;
	QueryRows	rows = QueryRun(&query, NULL, NULL, true, 0);

	size = TupleInt64(rows.table->vals[0], rows.table->tupdesc, 1);
	QueryFree(&rows);
	return size;
}

/* Was the log sealed, up to a size at least, after the audit's snapshot was taken? */
static bool
SealedSince(uint64 size)
{
	int64		seen = LongestCheckpoint();
	int64		now;

	PushActiveSnapshot(GetLatestSnapshot());
	now = LongestCheckpoint();
	PopActiveSnapshot();
	return now > seen && now >= (int64) size;
}

/*
 * Reads what the last sealing found sealed, whoever has changed the tables since.  The
 * file does not depend on snapshots, so it may be ahead of what the audit sees.
 */
static void
RememberMark(LogAudit *log)
{
	Remembered *marked = &log->marked;

	marked->when = "sealed last, as the file beside the keys has it";
	switch (LogLastSignedLook(&marked->size, &marked->root))
	{
		case LAST_SIGNED_READ:
			if (marked->size <= log->newest->size || !SealedSince(marked->size))
				return;
			break;
		case LAST_SIGNED_DAMAGED:
			AuditReport(&log->audit, -1, NULL, "changed",
						"the file beside the keys that remembers the last sealing is damaged");
			break;
		case LAST_SIGNED_UNREADABLE:
			AuditReport(&log->audit, -1, NULL, "changed",
						psprintf("the file beside the keys that remembers the last sealing cannot be read: %m"));
			break;
		case LAST_SIGNED_NONE:
			break;
	}
	marked->size = 0;
}

/* Computes the hashes of a tile from the tiles below it; zeros for a missing one. */
static void
TileFromBelow(int level, uint64 tile, int width, MerkleHash *hashes)
{
	MerkleHash	below[MERKLE_TILE_WIDTH];

	memset(hashes, 0, sizeof(MerkleHash) * MERKLE_TILE_WIDTH);
	for (int i = 0; i < width; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (TileRead(level - 1, (tile << MERKLE_TILE_HEIGHT) + i, below))
			MerkleTileRoot(below, MERKLE_TILE_WIDTH, &hashes[i]);
	}
}

/*
 * Fills in the edge that the tree had at a level.  The tiles below are trusted more
 * than a tile that nothing above confirms.
 */
static void
EdgeAt(LogAudit *log, int level, MerkleTree *tree)
{
	int			width = MerkleEdgeWidth(tree->size, level);
	uint64		begin = tree->size >> (level * MERKLE_TILE_HEIGHT) & ~(uint64) (MERKLE_TILE_WIDTH - 1);
	uint64		tile = begin >> MERKLE_TILE_HEIGHT;
	const MerkleHash *hashes;

	if (width == 0)
		return;
	hashes = ConfirmTile(log, level, begin);
	if (hashes)
		memcpy(tree->edge[level], hashes, sizeof(MerkleHash) * width);
	else if (level > 0)
		TileFromBelow(level, tile, width, tree->edge[level]);
	else if (!TileRead(level, tile, tree->edge[level]))
		memset(tree->edge[level], 0, sizeof(tree->edge[level]));
}

/*
 * Builds the tree as it was at some size; returns false if the newest edge, which is
 * needed, is damaged.
 */
static bool
TreeAt(LogAudit *log, uint64 size, MerkleTree *tree)
{
	tree->size = size;
	for (int level = 0; level < MERKLE_TILE_LEVELS; level++)
		EdgeAt(log, level, tree);
	return size == 0 || log->newest->edge_leads;
}

/* Continues where the last clean audit ended, if the log still begins as it did then. */
static uint64
ResumeAudit(LogAudit *log)
{
	MerkleHash	root;

	if (log->last.size > log->newest->size || !TreeAt(log, log->last.size, &log->tree))
		return 0;
	MerkleTreeRoot(&log->tree, &root);
	return MerkleHashEqual(&root, &log->last.root) ? log->last.size : 0;
}

static void
RecordAudit(LogAudit *log)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.log_audit (from_size, to_size, root_hash, defects)"
		" VALUES ($1, $2, $3, $4)",
		.argtypes = {INT8OID, INT8OID, BYTEAOID, INT8OID}
	};
	Datum		values[4];

	values[0] = Int64GetDatum(log->audit.from);
	values[1] = Int64GetDatum(log->to);
	values[2] = PointerGetDatum(cstring_to_text_with_len((char *) log->newest->root.bytes,
														 SHA256_LENGTH));
	values[3] = Int64GetDatum(log->audit.defects);
	QueryRunAsOwner(&insert, values, NULL, false, 0);
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

static LogAudit *
NewAudit(ReturnSetInfo *result)
{
	LogAudit   *log = palloc0(sizeof(LogAudit));

	AuditBegin(&log->audit, result);
	log->checkpoint_context = AllocSetContextCreate(CurrentMemoryContext,
													"answer_eval audit of a checkpoint",
													ALLOCSET_DEFAULT_SIZES);
	log->window_context = AllocSetContextCreate(CurrentMemoryContext, "answer_eval audit of a tile",
												ALLOCSET_DEFAULT_SIZES);
	return log;
}

/*
 * Describes readings and similar rows that are on no list yet.  If such a row was deleted
 * since the last sealing, nobody notices.
 */
static char *
UnlistedText(const LogAudit *log)
{
	StringInfoData text;

	initStringInfo(&text);
	if (log->audit.unlisted > 0)
		appendStringInfo(&text, " Rows that no sealing has listed yet (readings, judgements, entries and investigations): " INT64_FORMAT
						 ". Whether there were more, nobody can tell.", log->audit.unlisted);
	if (log->audit.unlisted_older > 0)
		appendStringInfo(&text, " Of these, " INT64_FORMAT " say that they came before what the lists have in full:"
						 " the server's clock was set back, or they were written by hand.", log->audit.unlisted_older);
	if (log->audit.unlisted_unproved > 0)
		appendStringInfo(&text, " The private keys under which " INT64_FORMAT " of them were recorded are not here:"
						 " whether somebody wrote them by hand, an audit where the keys are can tell.", log->audit.unlisted_unproved);
	return text.data;
}

/* Reports which state was audited, because "no findings" means nothing without it. */
static void
TellState(const LogAudit *log)
{
	Snapshot	snapshot = GetActiveSnapshot();
	const LogState *row = &log->newest->row;
	char		root[BASE64_SIZE(SHA256_LENGTH)];

	Base64Encode(log->newest->root.bytes, SHA256_LENGTH, root);
	ereport(NOTICE,
			(errmsg("audited the leaves from " UINT64_FORMAT " up to " UINT64_FORMAT " of " UINT64_FORMAT " of the log \"%s\"",
					log->audit.from, log->to, log->newest->size, row->origin ? row->origin : ""),
			 errdetail("Its root hash is %s. The snapshot shows what was committed before transaction %u%s.%s",
					   root, snapshot->xmax,
					   RecoveryInProgress() ?
					   psprintf(", on a standby that has replayed up to %X/%X",
								LSN_FORMAT_ARGS(GetXLogReplayRecPtr(NULL))) : "", UnlistedText(log)),
			 log->audit.unlisted > 0 ? errhint("Call answer_log_seal(), which lists them.") : 0));
}

/* Returns where the audit begins, from its first and third argument. */
static uint64
Beginning(FunctionCallInfo fcinfo, LogAudit *log)
{
	bool		incremental = !PG_ARGISNULL(2) && PG_GETARG_BOOL(2);
	int64		from = PG_ARGISNULL(0) ? 0 : PG_GETARG_INT64(0);

	if (!incremental)
		return from;
	if (from != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("an incremental audit begins where the last clean one ended"),
				 errdetail("from_size is " INT64_FORMAT ".", from),
				 errhint("Leave out from_size, or incremental.")));
	return ResumeAudit(log);
}

/* answer_log_audit(from_size, to_size, incremental) */
PG_FUNCTION_INFO_V1(answer_eval_log_audit);
Datum
answer_eval_log_audit(PG_FUNCTION_ARGS)
{
	LogAudit   *log;
	bool		whole;
	CatalogFindings catalog;

	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	log = NewAudit((ReturnSetInfo *) fcinfo->resultinfo);
	if (!AuditCatalog(&log->audit, &catalog))
	{
		AuditReport(&log->audit, -1, NULL, "catalog",
					"what is stored was not audited: what the catalog makes of it can be something else");
		SPI_finish();
		return (Datum) 0;
	}
	FindNewest(log);
	log->has_tombstones = HasTombstones();
	log->audit.detached = ReadDetached();
	RememberLast(&log->last);
	RememberMark(log);
	log->to = PG_ARGISNULL(1) ? log->newest->size : (uint64) PG_GETARG_INT64(1);
	log->audit.from = Beginning(fcinfo, log);
	CheckRange(log->audit.from, log->to, log->newest->size);
	log->lost = !TreeAt(log, log->audit.from, &log->tree);
	whole = log->to == log->newest->size;

	AuditLeaves(log, whole);
	SortMismatches(log);
	if (whole)
	{
		AuditRest(log);
		AuditParts(&log->audit, log->audit.from == 0, catalog.functions_good);
	}
	ReportMismatches(log);
	ReportDetached(&log->audit, log->audit.detached);
	TellState(log);
	/* a range that leaves a gap before it is not a basis for the next audit */
	if (whole && catalog.may_record && log->audit.from <= log->last.size && !XactReadOnly && !RecoveryInProgress())
		RecordAudit(log);
	SPI_finish();
	return (Datum) 0;
}
