/*-------------------------------------------------------------------------
 *
 * packet_function.c
 *		Asks a graph: packets that are returned, logged and signed.
 *
 * Rule: doc/spec/packet.md §3 and §4.  The SQL interface: it reads the request
 * (packet_request.c), makes the packet (build.c), and signs it if requested
 * (packet_receipt.c has the kind of document).
 *
 * Promises: answer_packet() reads with the snapshot of the statement, and writes only the row
 * of the log for the option "log".  A signed packet shows what is committed at that time,
 * whatever snapshot the caller has.  The tenant is that of the role in force when the call
 * begins.  A packet that violates the schema raises an error and is never returned.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/option.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "document/mint.h"
#include "document/forgotten.h"
#include "graph/build.h"
#include "graph/packet_receipt.h"

#define QUESTION_MAX_SIZE	65536

/*
 * reading
 */

static void
RefuseEmpty(Span value, const char *name)
{
	if (value.len == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not be empty", name)));
}

static void
RequestBegin(FunctionCallInfo fcinfo, PacketRequest *request)
{
	memset(request, 0, sizeof(*request));
	RequireArgument(fcinfo, 0, "project");
	RequireArgument(fcinfo, 1, "question");
	RequireArgument(fcinfo, 2, "options");
	LimitArgument(fcinfo, 0, QUESTION_MAX_SIZE, "project");
	LimitArgument(fcinfo, 1, QUESTION_MAX_SIZE, "question");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "options");
	PacketRequestRead(PG_GETARG_JSONB_P(2), request);
	request->project = TextArgument(fcinfo, 0);
	request->question = TextArgument(fcinfo, 1);
	RefuseEmpty(request->project, "project");
	RefuseEmpty(request->question, "question");
	if (!request->has_now)
		request->now = GetCurrentTransactionStartTimestamp();
}

static void
BuildOrRaise(text *tenant, const PacketRequest *request, Packet *packet)
{
	const char *problem = PacketOfGraph(tenant, request, packet);

	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the packet breaks its schema"),
				 errdetail_internal("%s.", problem),
				 errhint("Somebody may have changed answer.graph_node past its constraints; load the project again.")));
}

/*
 * the log
 */

/*
 * Adds a row to the log of packets, in the caller's transaction.  A session that
 * forgets the query waits for its end, as for a receipt.
 */
static void
LogPacket(const text *tenant, const PacketRequest *request, const Packet *packet, TimestampTz now)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.packet_log (tenant, query_id, project, question, content_hash, status, score, at)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT4OID, TIMESTAMPTZOID}
	};
	Datum		values[8];

	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(packet->query_id);
	values[2] = SpanDatum(request->project);
	values[3] = SpanDatum(request->question);
	values[4] = SpanDatum(packet->content_hash);
	values[5] = SpanDatum(packet->status);
	values[6] = Int32GetDatum(packet->score);
	values[7] = TimestampTzGetDatum(now);
	RefuseForgotten(tenant, NULL, 0);
	QueryRunForOurselves(&insert, values, NULL);
}

/*
 * SQL
 */

/* answer_packet(project, question, options) */
PG_FUNCTION_INFO_V1(answer_eval_packet);
Datum
answer_eval_packet(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	PacketRequest request;
	Packet		packet;
	text	   *tenant;

	RequestBegin(fcinfo, &request);
	if (request.log)
		RequirePrimary("answer_packet() with the option \"log\"");
	tenant = CurrentTenant();
	SPI_connect();
	BuildOrRaise(tenant, &request, &packet);
	if (request.log)
		LogPacket(tenant, &request, &packet, GetCurrentTimestamp());
	return FinishWithView(&packet.view, true, caller);
}

/* Signs and stores a packet; the receipt is in the given context. */
static Jsonb *
MintPacket(text *tenant, const PacketRequest *request, TimestampTz begun_at, MemoryContext context)
{
	Minting		minting = {.kind = &packet_kind,.tenant = tenant,.begun_at = begun_at};
	int64		entered = WritesEnter();
	SigningKey	key;
	Packet		packet;
	Jsonb	   *stored;
	Jsonb	   *result;

	SigningKeyBegin(&key, &minting.issued_at);
	minting.key = &key;
	BuildOrRaise(tenant, request, &packet);
	minting.body = DocumentBegin(&packet_kind, tenant, minting.issued_at);
	PacketDocumentSet(&minting.body, &packet, request->embedding == NULL, TransactionHasWritten(entered));
	stored = DocumentMint(&minting);
	LogPacket(tenant, request, &packet, minting.issued_at);
	result = MemoryContextAllocHuge(context, VARSIZE(stored));
	memcpy(result, stored, VARSIZE(stored));
	return result;
}

/* answer_packet_receipt(project, question, options) */
PG_FUNCTION_INFO_V1(answer_eval_packet_receipt);
Datum
answer_eval_packet_receipt(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	TimestampTz begun_at = GetCurrentTimestamp();
	PacketRequest request;
	text	   *tenant;
	Jsonb	   *result;

	RequestBegin(fcinfo, &request);
	if (request.has_log && !request.log)
		OptionRefuse("log", "cannot be false: a packet that is signed is logged", NULL);
	RequirePrimary("answer_packet_receipt()");
	/* before anything else runs: the role that is in force here is the one that asks */
	tenant = CurrentTenant();
	SPI_connect();
	/* sees what is committed now, whatever snapshot the caller has */
	PushActiveSnapshot(GetLatestSnapshot());
	result = MintPacket(tenant, &request, begun_at, caller);
	PopActiveSnapshot();
	SPI_finish();
	PG_RETURN_JSONB_P(result);
}
