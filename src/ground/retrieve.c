/*-------------------------------------------------------------------------
 *
 * retrieve.c
 *		Retrieves the chunks of a question, and keeps them for a second call.
 *
 * Rule: doc/spec/decision.md §9.3.  Chunks are found in the tenant's documents, or given by
 * the caller; the signed document says which.  Of a given chunk only its content is used,
 * so a caller cannot get its own version or digest signed as ours.
 *
 * What is retrieved for a model outside waits in answer.retrieval under a random id, for
 * the tenant and the role that retrieved it.  The transaction that stores the receipt
 * deletes it, so it is used only once, also with concurrent calls and after a crash.  The
 * answer depends on it, so its row is signed (waiting_rows.h), and a changed row is not
 * accepted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/numbers.h"
#include "base/option.h"
#include "base/owner.h"
#include "base/settings.h"
#include "base/spi_query.h"
#include "base/writes.h"
#include "document/forgotten.h"
#include "evidence/handler_settings.h"
#include "ground/decision_config.h"
#include "ground/retrieve.h"
#include "ground/chunk_search.h"
#include "ground/waiting_rows.h"

#define RETRIEVAL_PREFIX	"rtr_"
#define RETRIEVAL_BYTES		16

/* Highest age; chunks are from the years 0 to 9999. */
#define AGE_MAX_DAYS		100000000

/* given chunks */

/* Returns a caller's chunk without members that a caller cannot set. */
static JsonView
BroughtChunk(const JsonView *chunk)
{
	static const char *const members[] = {"chunk_id", "doc_id", "timestamp", "similarity", "text", "title",
	"uri", "facts"};
	JsonView	brought = JsonViewNewObject(lengthof(members));

	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member;

		if (JsonViewGetMember(chunk, members[i], &member))
			JsonViewSet(&brought, members[i], member);
	}
	return brought;
}

static JsonView
BroughtChunks(const JsonView *given)
{
	JsonView	chunks = JsonViewNewArray(JsonViewCount(given));

	/* raises an error, with the place, if the chunks are malformed */
	(void) ChunksOfView(given, NULL);
	for (int i = 0; i < JsonViewCount(given); i++)
	{
		JsonView	chunk = JsonViewAt(given, i);

		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&chunks, BroughtChunk(&chunk));
	}
	return chunks;
}

/*
 * ranking
 */

typedef struct Ranked
{
	JsonView	chunk;
	Span		chunk_id;
	Numeric		similarity;
	Numeric		rank;
} Ranked;

/* Compares by rank, then similarity, both descending, then by id. */
static int
CompareRanked(const void *a, const void *b)
{
	const Ranked *left = a;
	const Ranked *right = b;
	int			order = NumberCompare(right->rank, left->rank);

	if (order == 0)
		order = NumberCompare(right->similarity, left->similarity);
	return order != 0 ? order : SpanOrder(left->chunk_id, right->chunk_id);
}

/*
 * Returns the rank: similarity * (1 - bias * min(age / limit, 1)), times the limit.
 * The limit is the same for all chunks, so this needs no division and is exact.  An
 * age is at most AGE_MAX_DAYS; the limit in microseconds may exceed 64 bits.
 */
static Numeric
RankOf(const Chunk *chunk, const DecisionConfig *config, TimestampTz now)
{
	Numeric		limit = int64_to_numeric(1);
	Numeric		age = limit;

	if (config->freshness_days > 0)
	{
		age = limit = NumberCall(numeric_mul, int64_to_numeric(config->freshness_days),
								int64_to_numeric(USECS_PER_DAY));
		if (chunk->has_instant && (config->freshness_days > AGE_MAX_DAYS ||
								   now - chunk->instant < config->freshness_days * USECS_PER_DAY))
			age = int64_to_numeric(Max(now - chunk->instant, 0));
	}
	return NumberCall(numeric_mul, chunk->similarity,
					 NumberCall(numeric_sub, limit, NumberCall(numeric_mul, config->freshness_bias, age)));
}

/* Sorts chunks as the configuration says. */
static JsonView
RankChunks(const JsonView *chunks, const DecisionConfig *config, TimestampTz now)
{
	ChunkSet   *set = ChunksOfView(chunks, NULL);
	Ranked	   *ranked = palloc(sizeof(Ranked) * (Size) Max(set->count, 1));
	JsonView	sorted = JsonViewNewArray(set->count);

	for (int i = 0; i < set->count; i++)
	{
		JsonViewElement(chunks, i, &ranked[i].chunk);
		ranked[i].chunk_id = set->chunks[i].chunk_id;
		ranked[i].similarity = set->chunks[i].similarity;
		ranked[i].rank = RankOf(&set->chunks[i], config, now);
	}
	qsort(ranked, set->count, sizeof(Ranked), CompareRanked);
	for (int i = 0; i < set->count; i++)
		JsonViewAppend(&sorted, ranked[i].chunk);
	return sorted;
}

/*
 * retrieving
 */

/*
 * Searches the tenant's documents.  Returns each chunk as in a receipt, with the
 * version of its document, and the digests of the documents.
 */
static JsonView
SearchedChunks(const text *tenant, const JsonView *query, const GroundOptions *options, int top_k,
			   JsonView *documents)
{
	static FixedQuery search = {
		.text = "SELECT pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('chunk_id', s.chunk_id, 'doc_id', s.doc_id,"
		" 'version', i.version, 'timestamp',"
		"  pg_catalog.to_char(s.\"timestamp\" AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),"
		" 'similarity', pg_catalog.round(s.similarity::pg_catalog.numeric, 4), 'text', s.text, 'uri', s.uri, 'title', s.title,"
		" 'content_hash', c.content_hash, 'facts', (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('subject', f.subject, 'attribute', f.attribute,"
		"  'scope', f.scope, 'value', f.value::pg_catalog.jsonb, 'unit', f.unit, 'quote', f.quote) ORDER BY f.digest)"
		"  FROM answer.document_fact f WHERE f.tenant OPERATOR(pg_catalog.=) i.tenant AND f.doc_id OPERATOR(pg_catalog.=) i.doc_id"
		"  AND f.version OPERATOR(pg_catalog.=) i.version AND f.chunk_id OPERATOR(pg_catalog.=) i.chunk_id))), d.content_hash"
		" FROM answer.search_of($1, $2, $3, $4, $5, true) WITH ORDINALITY"
		"  s (chunk_id, doc_id, \"timestamp\", similarity, text, uri, title, n)"
		" JOIN answer.chunk_search i ON i.tenant OPERATOR(pg_catalog.=) $1 AND i.chunk_id OPERATOR(pg_catalog.=) s.chunk_id"
		" JOIN answer.chunk c ON c.tenant OPERATOR(pg_catalog.=) i.tenant AND c.doc_id OPERATOR(pg_catalog.=) i.doc_id"
		"  AND c.version OPERATOR(pg_catalog.=) i.version AND c.ordinal OPERATOR(pg_catalog.=) i.ordinal"
		" JOIN answer.document d ON d.tenant OPERATOR(pg_catalog.=) c.tenant AND d.doc_id OPERATOR(pg_catalog.=) c.doc_id"
		"  AND d.version OPERATOR(pg_catalog.=) c.version"
		" ORDER BY s.n",
		.argtypes = {TEXTOID, TEXTOID, INT4OID, JSONBOID, FLOAT4ARRAYOID}
	};
	char		nulls[] = "     ";
	Datum		values[5];
	JsonView	chunks;
	int			level;
	QueryRows	rows;

	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(SpanOf(query->str, query->len));
	values[2] = Int32GetDatum(top_k);
	nulls[3] = options->filter.type == JVIEW_ABSENT ? 'n' : ' ';
	if (options->filter.type != JVIEW_ABSENT)
	{
		Jsonb	   *filter = JsonViewToJsonb(&options->filter, false);
		NullableDatum parts[FILTER_PARTS];

		/* the search checks it, too, but might not run if there are no documents */
		FilterRead(filter, tenant, parts);
		values[3] = JsonbPGetDatum(filter);
	}
	nulls[4] = options->embedding.type == JVIEW_ABSENT ? 'n' : ' ';
	if (options->embedding.type != JVIEW_ABSENT)
		values[4] = OptionEmbeddingDatum(&options->embedding);
	/* the result, which is signed, must not depend on the caller's settings for indexes */
	level = SettleSettings();
	rows = QueryRunAsOwner(&search, values, nulls, true, 0);
	AtEOXact_GUC(false, level);
	chunks = JsonViewNewArray(rows.count);
	*documents = JsonViewNewArray(rows.count);
	for (uint64 i = 0; i < rows.count; i++)
	{
		Span		digest = ColumnSpan(rows.table, i, 2);
		JsonView	chunk;

		JsonViewOfJsonb(ColumnJsonb(rows.table, i, 1), &chunk);
		JsonViewAppend(&chunks, chunk);
		JsonViewAppend(documents, JsonViewString(digest.str, digest.len));
	}
	QueryFree(&rows);
	return chunks;
}

/* Returns the digests of the documents found, by which they can be forgotten. */
int
DocumentDigests(const Retrieval *retrieval, Datum **digests)
{
	int			count = JsonViewCount(&retrieval->documents);

	*digests = palloc(sizeof(Datum) * (Size) Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		JsonView	digest = JsonViewAt(&retrieval->documents, i);

		(*digests)[i] = SpanDatum(SpanOf(digest.str, digest.len));
	}
	return count;
}

/* Retrieves the chunks for a question, ranked. Raises 22023 if given chunks are malformed. */
void
RetrieveChunks(const text *tenant, const JsonView *query, const GroundOptions *options,
			   const JsonView *config, TimestampTz now, Retrieval *retrieval)
{
	bool		brought = options->chunks.type != JVIEW_ABSENT;
	int			top_k = ConfigInteger(config, "top_k");
	JsonView	view = JsonViewNewObject(4);
	JsonView	chunks;
	DecisionConfig parsed;

	DecisionConfigOfView(config, &parsed);
	retrieval->documents = JsonViewNewArray(0);
	chunks = brought ? BroughtChunks(&options->chunks) :
		SearchedChunks(tenant, query, options, top_k, &retrieval->documents);
	/* found by an embedding and by text: the order is not that of the similarities */
	retrieval->fused = !brought && options->embedding.type != JVIEW_ABSENT && !parsed.rerank_by_freshness;
	if (parsed.rerank_by_freshness)
		chunks = RankChunks(&chunks, &parsed, now);
	JsonViewSet(&view, "top_k", brought ? JsonViewNull() : JsonViewInteger(top_k));
	JsonViewSet(&view, "by", JsonViewCString(brought ? "caller" : "search"));
	if (retrieval->fused)
		JsonViewSet(&view, "fused", JsonViewBool(true));
	JsonViewSet(&view, "chunks", chunks);
	retrieval->view = PortableCopy(&view);
	JsonViewGetMember(&retrieval->view, "chunks", &retrieval->chunks);
}

/* Returns a number that changes whenever the tenant's documents change. */
int64
DocumentSetVersion(const text *tenant)
{
	static FixedQuery query = {
		.text = "SELECT answer.document_set_version($1)",
		.argtypes = {TEXTOID}
	};
	Datum		value = PointerGetDatum(tenant);
	int64		version;
	QueryRows	rows = QueryRunAsOwner(&query, &value, NULL, true, 1);

	version = DatumGetInt64(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	return version;
}

/* between the two calls */

/* Stores the state of a first call under a new id, unless one of its documents was forgotten meanwhile. */
char *
RetrievalKeep(const text *tenant, const Retrieval *retrieval, const JsonView *state, const SigningKey *key,
			  TimestampTz now, TimestampTz *expires_at)
{
	static const Oid types[] = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, TIMESTAMPTZOID, TIMESTAMPTZOID, JSONBOID};
	uint8		random[RETRIEVAL_BYTES];
	char	   *retrieval_id = palloc0(sizeof(RETRIEVAL_PREFIX) + 2 * RETRIEVAL_BYTES);
	NullableDatum args[7] = {{0}};
	WaitingRetrieval waiting = {.tenant = tenant,.retrieved_at = now};
	Jsonb	   *stored = JsonViewToJsonb(state, false);
	Datum	   *digests;
	int			ndigests = DocumentDigests(retrieval, &digests);
	bool		had_written;

	if (!pg_strong_random(random, sizeof(random)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate a random number")));
	strcpy(retrieval_id, RETRIEVAL_PREFIX);
	HexEncode(random, sizeof(random), retrieval_id + strlen(RETRIEVAL_PREFIX));
	*expires_at = now + answer_eval_retrieval_lifetime * USECS_PER_SEC;
	waiting.role = cstring_to_text(GetUserNameFromId(GetUserId(), false));
	waiting.retrieval_id = SpanOfCString(retrieval_id);
	waiting.expires_at = *expires_at;
	/* in the form in which it is read again */
	JsonViewOfJsonb(stored, &waiting.state);
	args[0].value = PointerGetDatum(tenant);
	args[1].value = PointerGetDatum(waiting.role);
	args[2].value = CStringGetTextDatum(retrieval_id);
	args[3].value = JsonbPGetDatum(stored);
	args[4].value = TimestampTzGetDatum(now);
	args[5].value = TimestampTzGetDatum(*expires_at);
	args[6].value = JsonbPGetDatum(WaitingRowSign(WaitingRetrievalView(&waiting), key));
	RefuseForgotten(tenant, digests, ndigests);
	had_written = OwnWritesBegin();
	(void) AnswerCall(AnswerSchema(), "retrieval_put", lengthof(types), types, args);
	OwnWritesEnd(had_written);
	return retrieval_id;
}

/*
 * Takes the state of a first call, and deletes it.  All failures raise the same
 * message, so nobody learns about the retrievals of others.
 */
void
RetrievalTake(const text *tenant, const JsonView *retrieval_id, TimestampTz now, JsonView *state)
{
	static FixedQuery take = {
		.text = "DELETE FROM answer.retrieval WHERE tenant OPERATOR(pg_catalog.=) $1"
		" AND retrieval_id OPERATOR(pg_catalog.=) $2 AND role OPERATOR(pg_catalog.=) $3"
		" AND expires_at OPERATOR(pg_catalog.>) $4 RETURNING state, retrieved_at, expires_at, sig",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID}
	};
	WaitingRetrieval waiting = {.tenant = tenant,.retrieval_id = SpanOf(retrieval_id->str, retrieval_id->len)};
	Datum		values[4];
	const char *problem;
	QueryRows	rows;

	waiting.role = cstring_to_text(GetUserNameFromId(GetUserId(), false));
	values[0] = PointerGetDatum(tenant);
	values[1] = SpanDatum(waiting.retrieval_id);
	values[2] = PointerGetDatum(waiting.role);
	values[3] = TimestampTzGetDatum(now);
	/* forgetting a document deletes this row, too */
	HoldOffForgetting(tenant);
	rows = QueryRunForOurselves(&take, values, NULL);
	if (rows.count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no retrieval \"%s\"", TextDatumGetCString(values[1])),
				 errdetail("It never was, was used already, has expired, or is another role's."),
				 errhint("Call answer_retrieve() again.")));
	WaitingColumn(rows.table, 1, &waiting.state);
	(void) ColumnInstant(rows.table, 0, 2, &waiting.retrieved_at);
	(void) ColumnInstant(rows.table, 0, 3, &waiting.expires_at);
	WaitingColumn(rows.table, 4, &waiting.sig);
	QueryFree(&rows);
	problem = WaitingRowProblem(WaitingRetrievalView(&waiting), &waiting.sig, "retrieved_at");
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("what is stored of retrieval \"%s\" is not what was kept: %s", TextDatumGetCString(values[1]), problem),
				 errhint("Only answer_retrieve() writes answer.retrieval: see who else can. Then call answer_retrieve() again.")));
	*state = waiting.state;
}
