/*-------------------------------------------------------------------------
 *
 * detach.c
 *		Detaches a partition of answer.receipt.
 *
 * Rule: doc/spec/document.md §8.  The partition becomes an ordinary table in
 * schema answer_archive.  A signed document (retention/v1, retention.c) names
 * the leaves of the log whose receipts went with it.
 *
 * Promises: what is signed is true.  First each receipt is compared with its
 * leaf, without a lock.  Then the table is locked, and detached only if no row
 * was added or removed meanwhile.  Nobody can choose the words that are signed:
 * the caller only names a partition.
 *
 * What the audit needs stays: documents of kinds that are never forgotten
 * (kind.h) are copied to the DEFAULT partition, and their leaves are not named.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "partitioning/partdesc.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "base/base64.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/anchor.h"
#include "document/mint.h"
#include "document/retention.h"

#define RETENTION_RULE		"retention/1"
#define ARCHIVE_SCHEMA		"answer_archive"
#define LEAVES_A_FETCH		256

static const char disclaimer[] =
"The signature proves that these receipts were in the log and were kept in that table when it was detached, not that they are there now.";

/* A partition that is being detached. */
typedef struct Detaching
{
	Oid			parent;
	Oid			partition;
	char	   *name;			/* quoted, with its schema */
	char	   *archive;		/* its name once it is detached */
	uint64		rows;			/* rows that were compared with their leaves */
	uint64		receipts;		/* of these, those that are detached */
	TimestampTz first;
	TimestampTz last;
	JsonView	leaves;
	LeafRange	range;			/* the range that is being extended */
} Detaching;

static void
RefusePartition(const Detaching *detaching, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("table %s cannot be detached", detaching->name),
			 errdetail("%s", detail),
			 errhint("The partitions that can be are those that answer_receipt_partition() has made; \\d+ answer.receipt lists them.")));
}

/* Checks that the partition may be detached, and keeps others from detaching meanwhile. */
static void
BeginDetaching(Detaching *detaching, Oid partition)
{
	memset(detaching, 0, sizeof(*detaching));
	detaching->parent = AnswerTable("receipt");
	detaching->partition = partition;
	/* conflicts with itself, but not with those who store or read */
	LockRelationOid(detaching->parent, ShareUpdateExclusiveLock);
	LockRelationOid(partition, AccessShareLock);
	if (get_rel_name(partition) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("there is no table with OID %u", partition)));
	detaching->name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(partition)),
												 get_rel_name(partition));
	detaching->archive = quote_qualified_identifier(ARCHIVE_SCHEMA, get_rel_name(partition));
	if (!get_rel_relispartition(partition) ||
		get_partition_parent(partition, true) != detaching->parent)
		RefusePartition(detaching, "It is no partition of answer.receipt.");
	if (get_default_partition_oid(detaching->parent) == partition)
		RefusePartition(detaching, "It is the DEFAULT partition, which takes what no other one does.");
	if (get_rel_relkind(partition) != RELKIND_RELATION)
		RefusePartition(detaching, "It is no table of its own.");
	detaching->leaves = JsonViewNewArray(16);
}

/* Runs a query over the present state of the partition; it returns one row. */
static QueryRows
AskPartition(const Detaching *detaching, const char *what)
{
	return QueryRunTextLatest(psprintf("SELECT %s FROM ONLY %s", what, detaching->name));
}

static uint64
CountRows(const Detaching *detaching)
{
	uint64		count;
	QueryRows	rows;

	rows = AskPartition(detaching, "pg_catalog.count(*)");
	count = DatumGetInt64(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	return count;
}

static void
CloseRange(Detaching *detaching)
{
	JsonView	range = JsonViewNewObject(2);

	JsonViewSet(&range, "first", JsonViewInteger(detaching->range.first));
	JsonViewSet(&range, "last", JsonViewInteger(detaching->range.last));
	JsonViewAppend(&detaching->leaves, range);
}

/* Adds a leaf.  Leaves are added in ascending order. */
static void
AddLeaf(Detaching *detaching, uint64 leaf_index, TimestampTz issued_at)
{
	bool		is_first = detaching->receipts++ == 0;

	detaching->first = is_first ? issued_at : Min(detaching->first, issued_at);
	detaching->last = is_first ? issued_at : Max(detaching->last, issued_at);
	if (!is_first && leaf_index == detaching->range.last + 1)
	{
		detaching->range.last = leaf_index;
		return;
	}
	if (!is_first)
		CloseRange(detaching);
	detaching->range.first = detaching->range.last = leaf_index;
}

static void
ReceiptIsNotSealed(const char *receipt_id, uint64 leaf_index, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("receipt \"%s\" %s", receipt_id, problem),
			 errdetail("It was sealed as leaf " UINT64_FORMAT " of the log.", leaf_index),
			 errhint("Find out with answer_log_audit() what happened; to detach its partition would hide it.")));
}

/*
 * Compares the receipt of a leaf with the leaf.  Returns false if it is not in the
 * partition, because it was detached before with another partition of that time.
 */
static bool
ExamineLeaf(const Detaching *detaching, text *receipt_id, TimestampTz issued_at,
			uint64 leaf_index, Span digest)
{
	static FixedQuery query = {
		.text = "SELECT body, body OPERATOR(pg_catalog.->>) 'schema' OPERATOR(pg_catalog.<>) '" TOMBSTONE_SCHEMA "'"
		" OR EXISTS (SELECT FROM answer.tombstone t WHERE t.digest OPERATOR(pg_catalog.=) (r.body OPERATOR(pg_catalog.->>) 'digest')"
		"  AND t.receipt_id OPERATOR(pg_catalog.=) r.receipt_id AND t.body OPERATOR(pg_catalog.=) r.body)"
		" FROM answer.receipt r WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND issued_at OPERATOR(pg_catalog.=) $2 AND tableoid OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TIMESTAMPTZOID, OIDOID}
	};
	Datum		values[3] = {PointerGetDatum(receipt_id), TimestampTzGetDatum(issued_at), ObjectIdGetDatum(detaching->partition)};
	DetachedReceipt elsewhere;
	JsonView	view;
	uint8		sha256[SHA256_LENGTH];
	bool		isnull;
	bool		forgotten;
	Datum		buried;
	QueryRows	rows = QueryRun(&query, values, NULL, true, 2);

	if (rows.count == 0)
	{
		QueryFree(&rows);
		if (!FindDetached(PointerGetDatum(AllTenants()), receipt_id, &issued_at, &elsewhere))
			ReceiptIsNotSealed(text_to_cstring(receipt_id), leaf_index, "is gone");
		return false;
	}
	buried = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 2, &isnull);
	JsonViewOfJsonb(ColumnJsonb(rows.table, 0, 1), &view);
	if (isnull || !DatumGetBool(buried) || !AnchoredDigest(&view, sha256, &forgotten) ||
		digest.len != SHA256_LENGTH || memcmp(digest.str, sha256, SHA256_LENGTH) != 0)
		ReceiptIsNotSealed(text_to_cstring(receipt_id), leaf_index, "is not what was sealed");
	QueryFree(&rows);
	return true;
}

/* Processes one of the leaves of the partition's time. */
static void
TakeLeaf(Detaching *detaching, SPITupleTable *leaves, uint64 row, MemoryContext each)
{
	MemoryContext caller = MemoryContextSwitchTo(each);
	uint64		leaf_index = DatumGetInt64(ColumnDatum(leaves, row, 1));
	text	   *receipt_id = DatumGetTextPP(ColumnDatum(leaves, row, 2));
	bytea	   *digest = DatumGetByteaPP(ColumnDatum(leaves, row, 4));
	TimestampTz issued_at;
	const DocumentKind *kind;
	bool		here;

	if (!ColumnInstant(leaves, row, 3, &issued_at))
		ReceiptIsNotSealed(text_to_cstring(receipt_id), leaf_index, "has no instant in the log");
	here = ExamineLeaf(detaching, receipt_id, issued_at, leaf_index,
					   (Span) {VARDATA_ANY(digest), VARSIZE_ANY_EXHDR(digest)});
	kind = FindKindOfId(VARDATA_ANY(receipt_id), VARSIZE_ANY_EXHDR(receipt_id));
	MemoryContextSwitchTo(caller);
	if (here)
	{
		detaching->rows++;
		if (kind == NULL || kind->keep_hint == NULL)
			AddLeaf(detaching, leaf_index, issued_at);
	}
	MemoryContextReset(each);
}

/* Compares every leaf of the partition's time with its receipt, in the order of the log. */
static void
ExamineLeaves(Detaching *detaching, Datum *bounds)
{
	Oid			argtypes[2] = {TIMESTAMPTZOID, TIMESTAMPTZOID};
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext each = AllocSetContextCreate(caller, "answer_receipt_detach",
											   ALLOCSET_DEFAULT_SIZES);
	Portal		portal = SPI_cursor_open_with_args(NULL,
												   "SELECT leaf_index, receipt_id, issued_at, digest FROM answer.log_leaf"
												   " WHERE issued_at OPERATOR(pg_catalog.>=) $1 AND issued_at OPERATOR(pg_catalog.<=) $2"
												   " ORDER BY leaf_index",
												   2, argtypes, bounds, NULL, true, 0);
	QueryRows	rows;

	do
	{
		rows = QueryFetch(portal, LEAVES_A_FETCH);
		for (uint64 i = 0; i < rows.count; i++)
		{
			CHECK_FOR_INTERRUPTS();
			TakeLeaf(detaching, rows.table, i, each);
		}
		QueryFree(&rows);
	} while (rows.count > 0);
	SPI_cursor_close(portal);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(each);
	if (detaching->receipts > 0)
		CloseRange(detaching);
}

static void
ExaminePartition(Detaching *detaching)
{
	Datum		bounds[2];
	bool		is_empty;
	QueryRows	rows;

	rows = AskPartition(detaching, "pg_catalog.min(issued_at), pg_catalog.max(issued_at)");
	for (int i = 0; i < 2; i++)
		bounds[i] = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, i + 1, &is_empty);
	if (!is_empty)
		ExamineLeaves(detaching, bounds);
}

static void
RunCommand(const char *command, int expected)
{
	int			rc = SPI_execute(command, false, 0);

	if (rc != expected)
		elog(ERROR, "could not run \"%s\": %s", command, SPI_result_code_string(rc));
}

/* Keeps others from storing, reading or changing receipts until the transaction ends. */
static void
LockReceipts(const Detaching *detaching)
{
	uint64		rows;

	/* while it waits for an idle transaction that has read a receipt, others can go on */
	RunCommand("SELECT answer.lock_tables('ONLY answer.receipt', 'ACCESS EXCLUSIVE', pg_catalog.current_setting('lock_timeout'))",
			   SPI_OK_SELECT);
	rows = CountRows(detaching);
	if (rows != detaching->rows)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("partition %s has receipts that the log does not have", detaching->name),
				 errdetail("It has " UINT64_FORMAT " receipts, of which " UINT64_FORMAT " are sealed.", rows, detaching->rows),
				 errhint("Call answer_log_seal() in a transaction before, and detach a partition whose time is over.")));
}

/* Lists the columns of a receipt in a fixed order, because a partition may have another order. */
static char *
ReceiptColumns(const Detaching *detaching)
{
	static FixedQuery query = {
		.text = "SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' ORDER BY attnum)"
		" FROM pg_catalog.pg_attribute WHERE attrelid OPERATOR(pg_catalog.=) $1"
		" AND attnum OPERATOR(pg_catalog.>) 0 AND NOT attisdropped"
		" AND attgenerated OPERATOR(pg_catalog.=) ''",
		.argtypes = {OIDOID}
	};
	Datum		parent = ObjectIdGetDatum(detaching->parent);
	char	   *columns;
	QueryRows	rows = QueryRun(&query, &parent, NULL, true, 1);

	columns = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 1);
	QueryFree(&rows);
	return columns;
}

/*
 * Copies what the audit needs to the DEFAULT partition, because no other partition covers
 * that time now.
 */
static void
KeepWhatStays(const Detaching *detaching)
{
	char	   *columns = ReceiptColumns(detaching);
	StringInfoData schemas;

	initStringInfo(&schemas);
	for (int i = 0; document_kinds[i]; i++)
	{
		if (document_kinds[i]->keep_hint)
			appendStringInfo(&schemas, "%s'%s'", schemas.len > 0 ? ", " : "", document_kinds[i]->schema);
	}
	RunCommand(psprintf("INSERT INTO answer.receipt (%s) SELECT %s FROM %s"
						" WHERE schema OPERATOR(pg_catalog.=) ANY (ARRAY[%s])",
						columns, columns, detaching->archive, schemas.data), SPI_OK_INSERT);
}

static void
DetachPartition(const Detaching *detaching)
{
	static const char *const policies[] = {
		"tenant_permits", "tenant_reads", "tenant_adds", "tenant_changes", "tenant_removes"
	};

	RunCommand(psprintf("ALTER TABLE answer.receipt DETACH PARTITION %s", detaching->name), SPI_OK_UTILITY);
	/* its other guard was inherited from the parent, and was removed by detaching */
	RunCommand(psprintf("DROP TRIGGER IF EXISTS receipt_no_truncate ON %s", detaching->name), SPI_OK_UTILITY);
	/* they call functions of the extension, on which an ordinary table must not depend */
	for (size_t i = 0; i < lengthof(policies); i++)
		RunCommand(psprintf("DROP POLICY IF EXISTS %s ON %s", policies[i], detaching->name), SPI_OK_UTILITY);
	RunCommand(psprintf("ALTER TABLE %s SET SCHEMA " ARCHIVE_SCHEMA, detaching->name), SPI_OK_UTILITY);
	KeepWhatStays(detaching);
}

/* Describes the log as of its last sealing; JSON null if it was never sealed. */
static JsonView
LogView(void)
{
	static FixedQuery query = {
		.text = "SELECT origin, tree_size, root_hash FROM answer.checkpoint ORDER BY tree_size DESC LIMIT 1"
	};
	JsonView	log = JsonViewNewObject(3);
	char	   *root = palloc(BASE64_SIZE(SHA256_LENGTH));
	bytea	   *hash;
	Span		origin;
	QueryRows	rows = QueryRunLatest(&query, NULL, NULL, 1);

	if (rows.count == 0)
		return JsonViewNull();
	origin = ColumnSpan(rows.table, 0, 1);
	hash = DatumGetByteaPP(ColumnDatum(rows.table, 0, 3));
	Base64Encode((uint8 *) VARDATA_ANY(hash), SHA256_LENGTH, root);
	JsonViewSet(&log, "origin", JsonViewString(origin.str, origin.len));
	JsonViewSet(&log, "tree_size",
				JsonViewInteger(DatumGetInt64(ColumnDatum(rows.table, 0, 2))));
	JsonViewSet(&log, "root_hash", JsonViewCString(root));
	QueryFree(&rows);
	return log;
}

static JsonView
NameView(const char *name)
{
	int			len;
	char	   *utf8 = JsonServerToUtf8(name, strlen(name), &len);

	return JsonViewString(utf8, len);
}

static Jsonb *
MintRetention(const Detaching *detaching)
{
	Minting		minting = {.kind = &retention_kind,.tenant = cstring_to_text("")};
	SigningKey	key;
	JsonView   *body = &minting.body;
	JsonView	rules = JsonViewNewArray(1);
	bool		any = detaching->receipts > 0;

	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	*body = DocumentBegin(&retention_kind, minting.tenant, minting.issued_at);
	JsonViewSet(body, "partition", NameView(detaching->name));
	JsonViewSet(body, "kept_in", NameView(detaching->archive));
	JsonViewSet(body, "receipts", JsonViewInteger(detaching->receipts));
	JsonViewSet(body, "first_issued_at", any ? InstantView(detaching->first) : JsonViewNull());
	JsonViewSet(body, "last_issued_at", any ? InstantView(detaching->last) : JsonViewNull());
	JsonViewSet(body, "leaves", detaching->leaves);
	JsonViewSet(body, "log", LogView());
	JsonViewAppend(&rules, JsonViewCString(RETENTION_RULE));
	JsonViewSet(body, "reproduce", ReproduceView(rules, JsonViewNewObject(0), false));
	JsonViewSet(body, "disclaimer", JsonViewCString(disclaimer));
	return DocumentMint(&minting);
}

/*
 * SQL
 */

/* answer_receipt_detach(partition) */
PG_FUNCTION_INFO_V1(answer_eval_receipt_detach);
Datum
answer_eval_receipt_detach(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	Detaching	detaching;
	Jsonb	   *document;
	Size		size;
	Oid			user;
	int			context;

	RequireArgument(fcinfo, 0, "partition");
	RequirePrimary("answer_receipt_detach()");
	RequireOperator("answer_receipt_detach");
	SPI_connect();
	AnswerAsOwner(&user, &context);
	BeginDetaching(&detaching, PG_GETARG_OID(0));
	ExaminePartition(&detaching);
	LockReceipts(&detaching);
	DetachPartition(&detaching);
	document = MintRetention(&detaching);
	AnswerAsCaller(user, context);
	size = VARSIZE(document);
	document = memcpy(MemoryContextAlloc(caller, size), document, size);
	SPI_finish();
	PG_RETURN_JSONB_P(document);
}
