/*-------------------------------------------------------------------------
 *
 * tombstone.c
 *		Append-only tables, and the one erasure that they allow.
 *
 * Manual: doc/answer_eval.md, "Forget".  Forgetting replaces a receipt's body by a
 * signed tombstone (answer/tombstone/v1), which keeps the digest of the body.
 * So the log's leaf keeps its meaning, and whoever has the receipt can still
 * prove that it was issued.  Further:
 *
 * - Forgetting evidence removes the stored reading and what plans remember with the
 *   same digest, and forgets every receipt that contains it.
 * - Forgetting a document removes its versions with their chunks and the copies of
 *   the same content in suites, and forgets every receipt that quotes it.
 * - Forgetting a query to a graph removes its rows of the log of packets, and
 *   forgets the receipts of its packets.
 * - Forgetting the document of a plan removes its trace and what its steps have
 *   remembered.
 * - If a decision is forgotten for the sake of a document, the judgements of its
 *   pairs are removed.
 *
 * Promises: what is forgotten stays forgotten (forgotten.h).  Receipts are first
 * searched without blocking anybody.  Then those that were added since are
 * searched under a lock that blocks what the tenant stores.
 *
 * A body that differs from what was issued is not replaced: a tombstone would
 * sign the digest of a manipulated body and hide the manipulation.  The life of
 * the key that signed it does not matter here, because the duty to erase
 * outlives keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/funcargs.h"
#include "base/grow.h"
#include "base/owner.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/change.h"
#include "document/forgotten.h"
#include "document/retention.h"
#include "document/signed.h"
#include "document/store.h"
#include "document/tombstone.h"
#include "keys/keyring.h"

#define REASON_MAX_LENGTH	1000	/* characters */

/*
 * append-only tables
 */

/* The one change that is allowed now, or NULL. */
typedef struct Pardon
{
	const char *receipt_id;
	Jsonb	   *tombstone;
} Pardon;

static const Pardon *pardon = NULL;

/* The rows that may be deleted from an append-only table, of one tenant and one id; or NULL. */
typedef struct Erasure
{
	const RowErasure *rows;
	const text *tenant;
	const char *id;
} Erasure;

static const Erasure *erasure = NULL;

/* Is it the table of receipts, or a partition of it? */
static bool
HoldsReceipts(Relation relation)
{
	Oid			table = AnswerTable("receipt");

	return RelationGetRelid(relation) == table ||
		(relation->rd_rel->relispartition &&
		 list_member_oid(get_partition_ancestors(RelationGetRelid(relation)), table));
}

/* Is a column unchanged, or changed as it is allowed now? */
static bool
ColumnIsPardoned(TupleDesc desc, int attnum, HeapTuple old, HeapTuple new)
{
	Form_pg_attribute column = TupleDescAttr(desc, attnum - 1);
	bool		old_isnull;
	bool		new_isnull;
	Datum		before = heap_getattr(old, attnum, desc, &old_isnull);
	Datum		after = heap_getattr(new, attnum, desc, &new_isnull);

	if (column->attisdropped)
		return true;
	if (strcmp(NameStr(column->attname), "body") == 0)
	{
		Jsonb	   *body = new_isnull ? NULL : DatumGetJsonbP(after);

		return body && VARSIZE(body) == VARSIZE(pardon->tombstone) &&
			memcmp(body, pardon->tombstone, VARSIZE(body)) == 0;
	}
	if (strcmp(NameStr(column->attname), "receipt_id") == 0 &&
		strcmp(TextDatumGetCString(before), pardon->receipt_id) != 0)
		return false;
	return old_isnull == new_isnull &&
		(old_isnull || datum_image_eq(before, after, column->attbyval, column->attlen));
}

/*
 * Is this the change that answer_forget is making now? Another trigger may run
 * statements of its own meanwhile. Only this row with this tombstone passes.
 */
static bool
IsPardoned(TriggerData *trigger)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);

	if (pardon == NULL || !TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) || !HoldsReceipts(trigger->tg_relation))
		return false;
	for (int attnum = 1; attnum <= desc->natts; attnum++)
	{
		if (!ColumnIsPardoned(desc, attnum, trigger->tg_trigtuple, trigger->tg_newtuple))
			return false;
	}
	return true;
}

static bool
ColumnIs(TriggerData *trigger, const char *name, const char *value)
{
	TupleDesc	desc = RelationGetDescr(trigger->tg_relation);
	int			attnum = get_attnum(RelationGetRelid(trigger->tg_relation), name);
	bool		isnull;
	Datum		column = heap_getattr(trigger->tg_trigtuple, attnum, desc, &isnull);

	return !isnull && strcmp(TextDatumGetCString(column), value) == 0;
}

/* Is this a row that answer_forget is deleting now? */
static bool
IsErased(TriggerData *trigger)
{
	return erasure != NULL && TRIGGER_FIRED_BY_DELETE(trigger->tg_event) &&
		TRIGGER_FIRED_FOR_ROW(trigger->tg_event) &&
		RelationGetRelid(trigger->tg_relation) == AnswerTable(erasure->rows->table) &&
		ColumnIs(trigger, "tenant", text_to_cstring(erasure->tenant)) &&
		ColumnIs(trigger, erasure->rows->column, erasure->id);
}

/* answer.append_only(): refuses every other change, even by the owner */
PG_FUNCTION_INFO_V1(answer_eval_append_only);
Datum
answer_eval_append_only(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	const char *operation;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("answer.append_only() must be called as a trigger")));
	if (IsPardoned(trigger))
		return PointerGetDatum(trigger->tg_newtuple);
	if (IsErased(trigger))
		return PointerGetDatum(trigger->tg_trigtuple);
	operation = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? "UPDATE" :
		TRIGGER_FIRED_BY_DELETE(trigger->tg_event) ? "DELETE" :
		TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event) ? "TRUNCATE" : "INSERT";
	ereport(ERROR,
			(errcode(ERRCODE_RESTRICT_VIOLATION),
			 errmsg("table %s is append-only",
					quote_qualified_identifier(SPI_getnspname(trigger->tg_relation),
											   SPI_getrelname(trigger->tg_relation))),
			 errdetail("%s was refused.", operation),
			 errhint("Rows are only added. To erase the content of a row, call answer_forget().")));
	PG_RETURN_NULL();			/* not reached */
}

/*
 * tombstones
 */

/* The state of one call of answer_forget. */
typedef struct Forgetting
{
	SigningKey	key;
	TimestampTz now;			/* chosen together with the key */
	Datum		by;
	Datum		reason;
	JsonView	reason_view;
	ArrayType  *tenants;		/* those whose data is forgotten */
	bool		for_all;		/* is it the operator, who is told which tenant had what? */
	bool		unseen;			/* does evidence get a tombstone even if it never existed? */
	text	   *tenant;			/* the one being worked on */
	bool		of_document;	/* are judgements of the receipts' texts forgotten, too? */
} Forgetting;

/* What was erased with evidence, a document or a query; each an array. */
typedef struct Erased
{
	JsonView	receipts;		/* their ids */
	JsonView	readings;		/* their digests */
	JsonView	documents;		/* digests of versions; absent if the target was not a document */
	JsonView	packets;		/* their content hashes, as in the log; absent if there were none */
	JsonView	judgements;		/* what lists have for them (log/recorded.c); absent if there were none */
} Erased;

/*
 * Makes a signed tombstone of a receipt, or, if receipt_id is NULL, of something else
 * that was erased.
 */
static Jsonb *
MakeTombstone(const Forgetting *forgetting, const char *digest, const char *receipt_id,
			  const Erased *erased)
{
	JsonView	tombstone = JsonViewNewObject(12);
	char		instant[INSTANT_SIZE];
	char		signature[SIGNATURE_TEXT_LENGTH + 1];
	SignedText	signed_text;

	InstantFormat(forgetting->now, instant);
	JsonViewSet(&tombstone, "schema", JsonViewCString(TOMBSTONE_SCHEMA));
	JsonViewSet(&tombstone, "digest", JsonViewCString(digest));
	if (receipt_id)
		JsonViewSet(&tombstone, "receipt_id", JsonViewCString(receipt_id));
	else
	{
		JsonViewSet(&tombstone, "receipts", erased->receipts);
		JsonViewSet(&tombstone, "readings", erased->readings);
		if (erased->documents.type != JVIEW_ABSENT)
			JsonViewSet(&tombstone, "documents", erased->documents);
		if (erased->packets.type != JVIEW_ABSENT)
			JsonViewSet(&tombstone, "packets", erased->packets);
	}
	if (erased && erased->judgements.type != JVIEW_ABSENT)
		JsonViewSet(&tombstone, "judgements", erased->judgements);
	JsonViewSet(&tombstone, "forgotten_at", JsonViewCString(instant));
	JsonViewSet(&tombstone, "issued_at", JsonViewCString(instant));
	JsonViewSet(&tombstone, "issuer", ReceiptIssuer());
	JsonViewSet(&tombstone, "reason", forgetting->reason_view);
	if (VARSIZE_ANY_EXHDR(forgetting->tenant) > 0)
		JsonViewSet(&tombstone, "tenant", JsonViewCString(text_to_cstring(forgetting->tenant)));
	SignedTextInit(&signed_text, &tombstone, false);
	SigningKeySign(&forgetting->key, signed_text.text.data, signed_text.text.len, signature);
	JsonViewSet(&tombstone, "signature", SignatureView(&forgetting->key, signature));
	return JsonViewToJsonb(&tombstone, false);
}

/* A query whose arguments are a tenant, $1, and a digest or an id, $2. */
#define QUERY_OF_TENANT(sql) {.text = sql, .argtypes = {TEXTOID, TEXTOID}}

/* Runs such a query with the latest snapshot. */
static QueryRows
RunOfTenant(FixedQuery *query, const text *tenant, const char *id)
{
	Datum		values[2] = {PointerGetDatum(tenant), CStringGetTextDatum(id)};

	return QueryRunLatest(query, values, NULL, 0);
}

static void
StoreTombstone(const Forgetting *forgetting, const char *digest, const char *receipt_id,
			   Jsonb *body)
{
	static FixedQuery insert = {
		.text = "INSERT INTO answer.tombstone"
		" (digest, receipt_id, forgotten_at, forgotten_by, reason, body, tenant)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7)",
		.argtypes = {TEXTOID, TEXTOID, TIMESTAMPTZOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID}
	};
	Datum		values[7];
	const char *nulls = receipt_id ? NULL : " n     ";

	values[0] = CStringGetTextDatum(digest);
	values[1] = receipt_id ? CStringGetTextDatum(receipt_id) : (Datum) 0;
	values[2] = TimestampTzGetDatum(forgetting->now);
	values[3] = forgetting->by;
	values[4] = forgetting->reason;
	values[5] = JsonbPGetDatum(body);
	values[6] = PointerGetDatum(forgetting->tenant);
	QueryRunLatest(&insert, values, nulls, 0);
}

/* Returns the body that such a query finds, or NULL. */
static Jsonb *
ReadBody(FixedQuery *query, const text *tenant, const char *id)
{
	QueryRows	rows = RunOfTenant(query, tenant, id);
	Jsonb	   *body = rows.count > 0 ? ColumnJsonb(rows.table, 0, 1) : NULL;

	QueryFree(&rows);
	return body;
}

/* Returns the tenant's tombstone for a digest, or NULL. */
static Jsonb *
StoredTombstone(const text *tenant, const char *digest)
{
	static FixedQuery query = QUERY_OF_TENANT("SELECT body FROM answer.tombstone"
											  " WHERE tenant OPERATOR(pg_catalog.=) $1 AND digest OPERATOR(pg_catalog.=) $2");

	return ReadBody(&query, tenant, digest);
}

/* Copies a member, if the object has it. */
static void
CopyMember(JsonView *to, const JsonView *from, const char *key)
{
	JsonView	member;

	if (JsonViewGetMember(from, key, &member))
		JsonViewSet(to, key, member);
}

/*
 * Returns the result of answer_forget: when the target was forgotten, from its
 * tombstone, and what was erased with it.  If "erased" is NULL, that is from the
 * tombstone, too.
 */
static JsonView
Answer(Jsonb *tombstone, const Erased *erased)
{
	JsonView	view;
	JsonView	answer = JsonViewNewObject(4);

	JsonViewOfJsonb(tombstone, &view);
	CopyMember(&answer, &view, "forgotten_at");
	if (erased == NULL)
	{
		CopyMember(&answer, &view, "receipts");
		CopyMember(&answer, &view, "readings");
		CopyMember(&answer, &view, "documents");
		CopyMember(&answer, &view, "packets");
		return answer;
	}
	JsonViewSet(&answer, "receipts", erased->receipts);
	JsonViewSet(&answer, "readings", erased->readings);
	if (erased->documents.type != JVIEW_ABSENT)
		JsonViewSet(&answer, "documents", erased->documents);
	if (erased->packets.type != JVIEW_ABSENT)
		JsonViewSet(&answer, "packets", erased->packets);
	return answer;
}

/* Appends the elements of one array to another. */
static void
AppendAll(JsonView *array, const JsonView *object, const char *key)
{
	JsonView	more;
	JsonView	element;

	if (!JsonViewGetMember(object, key, &more))
		return;
	for (int i = 0; i < JsonViewCount(&more); i++)
	{
		JsonViewElement(&more, i, &element);
		JsonViewAppend(array, element);
	}
}

/*
 * Adds the result for one tenant to that for others.  The operator, who forgets for
 * all, gets one for each tenant; a tenant gets one result.
 */
static void
AddAnswer(const Forgetting *forgetting, JsonView *answer, const JsonView *of)
{
	static const char *const lists[] = {"receipts", "readings", "documents", "packets"};
	JsonView	tenants;
	JsonView	entry;
	JsonView	sum;
	JsonView	member;

	if (!forgetting->for_all)
	{
		*answer = *of;
		return;
	}
	sum = JsonViewNewObject(5);
	entry = JsonViewNewObject(5);
	JsonViewSet(&entry, "tenant", JsonViewCString(text_to_cstring(forgetting->tenant)));
	CopyMember(&entry, of, "forgotten_at");
	CopyMember(&sum, of, "forgotten_at");
	for (size_t i = 0; i < lengthof(lists); i++)
	{
		JsonView	all = JsonViewNewArray(4);

		if (!JsonViewGetMember(of, lists[i], &member))
			continue;
		JsonViewSet(&entry, lists[i], member);
		if (answer->type != JVIEW_ABSENT)
			AppendAll(&all, answer, lists[i]);
		AppendAll(&all, of, lists[i]);
		JsonViewSet(&sum, lists[i], all);
	}
	tenants = JsonViewNewArray(4);
	if (answer->type != JVIEW_ABSENT)
		AppendAll(&tenants, answer, "tenants");
	JsonViewAppend(&tenants, entry);
	JsonViewSet(&sum, "tenants", tenants);
	*answer = sum;
}

/*
 * receipts
 */

/* Locks a receipt's row and returns the stored body; NULL if there is none. */
static Jsonb *
LockReceipt(const text *tenant, const char *receipt_id)
{
	static FixedQuery query = QUERY_OF_TENANT("SELECT body FROM answer.receipt WHERE tenant OPERATOR(pg_catalog.=) $1"
											  " AND receipt_id OPERATOR(pg_catalog.=) $2 FOR UPDATE");

	return ReadBody(&query, tenant, receipt_id);
}

/* Replaces the body by the tombstone: the one change that is allowed. */
static void
ReplaceBody(const text *tenant, const char *receipt_id, Jsonb *tombstone)
{
	static FixedQuery replace = {
		.text = "UPDATE answer.receipt SET body = $2"
		" WHERE receipt_id OPERATOR(pg_catalog.=) $1 AND tenant OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, JSONBOID, TEXTOID}
	};
	Pardon		allowed = {receipt_id, tombstone};
	Datum		values[3] = {CStringGetTextDatum(receipt_id), JsonbPGetDatum(tombstone), PointerGetDatum(tenant)};
	QueryRows	rows;

	PG_TRY();
	{
		pardon = &allowed;
		rows = QueryRunLatest(&replace, values, NULL, 0);
	}
	PG_FINALLY();
	{
		pardon = NULL;
	}
	PG_END_TRY();
	if (rows.count != 1)
		ereport(ERROR,
				(errcode(ERRCODE_TRIGGERED_ACTION_EXCEPTION),
				 errmsg("the body of receipt \"%s\" was not replaced", receipt_id),
				 errhint("A trigger on answer.receipt may have suppressed the change.")));
}

/*
 * Returns the tombstone if a body is one already, else NULL.  Raises an error if it is
 * not among the tombstones, or is another receipt's, because then we did not put it
 * there.
 */
static Jsonb *
ExistingTombstone(const text *tenant, const char *receipt_id, Jsonb *body)
{
	JsonView	view;
	JsonView	member;
	Span		digest;
	Jsonb	   *stored = NULL;

	JsonViewOfJsonb(body, &view);
	if (!JsonViewGetMember(&view, "schema", &member) ||
		!JsonViewStringIs(&member, TOMBSTONE_SCHEMA))
		return NULL;
	if (JsonViewGetMember(&view, "receipt_id", &member) &&
		JsonViewStringIs(&member, receipt_id) &&
		JsonViewGetString(&view, "digest", &digest) && digest.len == DIGEST_TEXT_LENGTH)
		stored = StoredTombstone(tenant, pnstrdup(digest.str, digest.len));
	if (stored == NULL || VARSIZE(stored) != VARSIZE(body) ||
		memcmp(stored, body, VARSIZE(body)) != 0)
		ReceiptDoesNotHold(receipt_id, "the tombstone in its place is not in answer.tombstone");
	return stored;
}

/* Does a text column equal what the body says? It must be null if the body says nothing. */
static bool
TextColumnIs(const SPITupleTable *table, int column, Span expected)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(table->vals[0], table->tupdesc, column, &isnull);
	Span		stored;

	if (isnull || expected.len == 0)
		return isnull && expected.len == 0;
	stored = Utf8OfText(DatumGetTextPP(datum));
	return SpanEqual(stored, expected);
}

/* Does the column repeat the member "tenant", which the operator's documents lack? */
static bool
TenantRepeats(const text *tenant, const JsonView *body)
{
	JsonView	member;

	if (VARSIZE_ANY_EXHDR(tenant) == 0)
		return !JsonViewGetMember(body, "tenant", &member);
	return JsonViewGetMember(body, "tenant", &member) &&
		JsonViewStringIs(&member, text_to_cstring(tenant));
}

/* Do the columns of a row repeat the body? */
static bool
ColumnsRepeat(const SPITupleTable *table, const DocumentKind *kind, const JsonView *body)
{
	KindColumns columns;
	JsonView	view;
	TimestampTz issued_at;
	Span		key_id = {"", 0};
	HeapTuple	row = table->vals[0];
	TupleDesc	desc = table->tupdesc;
	Datum		datum;
	bool		isnull;

	memset(&columns, 0, sizeof(columns));
	if (!kind->read_columns(body, &columns) || !ReceiptKeyId(body, &key_id) ||
		!JsonViewGetMember(body, "issued_at", &view) || !InstantOfView(&view, &issued_at))
		return false;
	datum = SPI_getbinval(row, desc, 2, &isnull);
	if (isnull || DatumGetTimestampTz(datum) != issued_at)
		return false;
	datum = SPI_getbinval(row, desc, 4, &isnull);
	if (isnull == columns.has_confidence || (!isnull && DatumGetFloat8(datum) != columns.confidence))
		return false;
	datum = SPI_getbinval(row, desc, 5, &isnull);
	if (isnull == columns.has_degraded || (!isnull && DatumGetBool(datum) != columns.degraded))
		return false;
	return TextColumnIs(table, 1, (Span) {kind->schema, strlen(kind->schema)}) &&
		TextColumnIs(table, 3, columns.verdict) && TextColumnIs(table, 6, key_id) &&
		TextColumnIs(table, 7, columns.intent);
}

/*
 * Raises an error unless the columns repeat the body.  They stay when the body is
 * erased, and nobody could check them afterwards.  The body has been verified.
 */
static void
ColumnsMustHold(const text *tenant, const char *receipt_id, const JsonView *body)
{
	static FixedQuery query = QUERY_OF_TENANT("SELECT schema, issued_at, verdict, confidence, degraded, key_id, intent"
											  " FROM answer.receipt WHERE tenant OPERATOR(pg_catalog.=) $1"
											  " AND receipt_id OPERATOR(pg_catalog.=) $2");
	QueryRows	rows = RunOfTenant(&query, tenant, receipt_id);

	if (rows.count == 0 || !TenantRepeats(tenant, body) || !ColumnsRepeat(rows.table, FindKindOfDocument(body), body))
		ReceiptDoesNotHold(receipt_id, "the other columns do not repeat the body");
	QueryFree(&rows);
}

/* The queries of all directories. */
static EraseQueries erase_queries;

void
RegisterEraseQueries(const EraseQueries *queries)
{
#define TAKE_QUERY(member) \
	if (queries->member) \
		erase_queries.member = queries->member

	TAKE_QUERY(reading);
	TAKE_QUERY(series);
	TAKE_QUERY(reading_of_fact);
	TAKE_QUERY(packets);
	TAKE_QUERY(remembered);
	TAKE_QUERY(remembered_of);
	TAKE_QUERY(pairs);
	TAKE_QUERY(judgements);
	TAKE_QUERY(after_judgements);
	TAKE_QUERY(versions);
	TAKE_QUERY(copies);
	TAKE_QUERY(document);
}

/*
 * Directories register the queries that erase everything else (EraseQueries).
 */

/* Deletes rows of an append-only table. */
static QueryRows
RunErasure(const RowErasure *of, const text *tenant, const char *id)
{
	Erasure		allowed = {.rows = of,.tenant = tenant,.id = id};
	QueryRows	rows = {0};

	PG_TRY();
	{
		erasure = &allowed;
		rows = RunOfTenant(of->query, tenant, id);
	}
	PG_FINALLY();
	{
		erasure = NULL;
	}
	PG_END_TRY();
	return rows;
}

/* Deletes the rows that are forgotten with a document, for example the trace of a plan. */
static void
EraseRowsOf(const text *tenant, const DocumentKind *kind, const JsonView *body)
{
	Span		id;
	QueryRows	rows;

	if (kind->erasure == NULL || !JsonViewGetString(body, kind->erasure->column, &id))
		return;
	rows = RunErasure(kind->erasure, tenant, TextDatumGetCString(SpanDatum(id)));
	QueryFree(&rows);
}

/* Deletes the judgements of an array of pairs, and adds what lists have for them. */
static void
EraseJudgementsOf(const text *tenant, Datum pairs, JsonView *erased)
{
	Datum		values[2] = {PointerGetDatum(tenant), pairs};
	Span	   *items;
	int			nitems;
	QueryRows	rows;

	rows = QueryRunLatest(erase_queries.judgements, values, NULL, 1);
	items = ColumnSpans(rows.table, 0, 1, &nitems);
	if (nitems > 0 && erased->type == JVIEW_ABSENT)
		*erased = JsonViewNewArray(nitems);
	for (int i = 0; i < nitems; i++)
	{
		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(erased, JsonViewString(items[i].str, items[i].len));
	}
	QueryFree(&rows);
	rows = QueryRunLatest(erase_queries.after_judgements, values, NULL, 0);
	QueryFree(&rows);
}

/* Whose judgements are deleted, and what stands for them. */
typedef struct ErasingJudgements
{
	const text *tenant;
	JsonView   *erased;
} ErasingJudgements;

/* Does the same for the pairs that the elements of an array in a document name, a KindVisitor. */
static void
EraseJudgementsIn(const JsonView *judged, void *arg)
{
	const ErasingJudgements *erasing = arg;
	Datum	   *pairs;
	int			count = 0;

	if (JsonViewCount(judged) == 0)
		return;
	pairs = palloc_extended(sizeof(Datum) * (Size) JsonViewCount(judged), MCXT_ALLOC_HUGE);
	for (int i = 0; i < JsonViewCount(judged); i++)
	{
		JsonView	judgement = JsonViewAt(judged, i);
		Span		pair;

		CHECK_FOR_INTERRUPTS();
		if (judgement.type == JVIEW_OBJECT && JsonViewGetString(&judgement, "pair", &pair))
			pairs[count++] = SpanDatum(pair);
	}
	EraseJudgementsOf(erasing->tenant, QueryTextArray(pairs, count), erasing->erased);
}

/*
 * Deletes judgements of pairs that a forgotten document used, and of those that it still
 * needed, which may have come since.  The document's texts are among those of the pairs.
 */
static void
EraseJudgements(const text *tenant, const DocumentKind *kind, const JsonView *body, Erased *erased)
{
	ErasingJudgements erasing = {.tenant = tenant,.erased = &erased->judgements};

	if (kind->visit_judged)
		kind->visit_judged(body, EraseJudgementsIn, &erasing);
}

/*
 * Forgets a receipt, given its body; returns its tombstone.  If a body has been
 * restored from a copy, it gets the tombstone that it had.
 */
static Jsonb *
ForgetBody(const Forgetting *forgetting, const char *receipt_id, Jsonb *body)
{
	JsonView	view;
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Erased		erased = {.judgements = {.type = JVIEW_ABSENT}};
	const DocumentKind *kind;
	Jsonb	   *tombstone;

	JsonViewOfJsonb(body, &view);
	ReceiptMustHold(receipt_id, &view, false);
	ColumnsMustHold(forgetting->tenant, receipt_id, &view);
	kind = FindKindOfDocument(&view);
	ReceiptDigestText(&view, digest);
	tombstone = StoredTombstone(forgetting->tenant, digest);
	if (forgetting->of_document)
		EraseJudgements(forgetting->tenant, kind, &view, &erased);
	if (tombstone == NULL)
	{
		tombstone = MakeTombstone(forgetting, digest, receipt_id, &erased);
		StoreTombstone(forgetting, digest, receipt_id, tombstone);
	}
	ReplaceBody(forgetting->tenant, receipt_id, tombstone);
	EraseRowsOf(forgetting->tenant, kind, &view);
	return tombstone;
}

/* Returns which of the tenants has the receipt; NULL if none has. */
static text *
TenantOfReceipt(const Forgetting *forgetting, const char *receipt_id)
{
	static FixedQuery query = {
		.text = "SELECT tenant FROM answer.receipt WHERE tenant OPERATOR(pg_catalog.=) ANY ($1)"
		" AND receipt_id OPERATOR(pg_catalog.=) $2",
		.argtypes = {TEXTARRAYOID, TEXTOID}
	};
	Datum		values[2] = {PointerGetDatum(forgetting->tenants), CStringGetTextDatum(receipt_id)};
	text	   *tenant = NULL;
	QueryRows	rows;

	rows = QueryRunLatest(&query, values, NULL, 1);
	if (rows.count > 0)
		tenant = DatumGetTextPCopy(ColumnDatum(rows.table, 0, 1));
	QueryFree(&rows);
	return tenant;
}

static JsonView
ForgetReceipt(Forgetting *forgetting, const char *receipt_id)
{
	Erased		erased = {.receipts = JsonViewNewArray(1),.readings = JsonViewNewArray(0)};
	JsonView	answer = {.type = JVIEW_ABSENT};
	JsonView	of;
	Jsonb	   *body;
	Jsonb	   *tombstone;

	/* before the row is locked, like those who forget evidence, to avoid a deadlock */
	forgetting->tenant = TenantOfReceipt(forgetting, receipt_id);
	if (forgetting->tenant)
		HoldOffForgetting(forgetting->tenant);
	body = forgetting->tenant ? LockReceipt(forgetting->tenant, receipt_id) : NULL;
	if (body == NULL)
		RefuseDetached(PointerGetDatum(forgetting->tenants), cstring_to_text(receipt_id), NULL,
					   "Erase it there: nothing guards that table any more, and the log keeps its digest.");
	if (body == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no receipt \"%s\"", receipt_id)));
	tombstone = ExistingTombstone(forgetting->tenant, receipt_id, body);
	if (tombstone == NULL)
	{
		SigningKeyBegin(&forgetting->key, &forgetting->now);
		tombstone = ForgetBody(forgetting, receipt_id, body);
	}
	JsonViewAppend(&erased.receipts, JsonViewCString(receipt_id));
	of = Answer(tombstone, &erased);
	AddAnswer(forgetting, &answer, &of);
	return answer;
}

/*
 * evidence
 */

/* A receipt that contains a piece of evidence, and its tenant. */
typedef struct Carrier
{
	char	   *tenant;
	char	   *receipt_id;
} Carrier;

/* The receipts that contain a piece of evidence or quote a document, and how to find them. */
typedef struct Carriers
{
	const char *digest;			/* as given; for a document, the digest of its id */
	const char *named;			/* for a document or a query, its id; NULL for evidence */
	Jsonb	   *quoted;			/* for these, what the chunks of a receipt must contain */
	char		query_digest[DIGEST_TEXT_LENGTH + 1];	/* for these, the digest of the id as that of a query */
	Datum		tenants;		/* tenants whose receipts are searched */
	char		fact_id[FACT_ID_LENGTH + 1];
	const char *fact_in;		/* a receipt with an attested fact of that digest */
	const char *fact_of;		/* and its tenant */
	TransactionId horizon;		/* a search has seen all rows of older transactions */
	int			count;
	int			allocated;
	Carrier    *receipts;
} Carriers;

/*
 * Finds receipts whose index has the digest or that have an attested fact with the id.
 * Also returns the fact's id if the digest is that of an attested fact.  A fact without
 * an attestation was supplied by a caller, and so was its id.
 */
#define CARRIERS(receipts) \
"SELECT receipt_id, CASE WHEN (body OPERATOR(pg_catalog.#>) ARRAY['evidence_index', $1])" \
" OPERATOR(pg_catalog.?) 'attestation'" \
" THEN body OPERATOR(pg_catalog.#>>) ARRAY['evidence_index', $1, 'id'] END, tenant" \
" FROM " receipts " AS r" \
" WHERE tenant OPERATOR(pg_catalog.=) ANY ($3)" \
" AND ((body OPERATOR(pg_catalog.->) 'evidence_index') OPERATOR(pg_catalog.?) $1" \
" OR pg_catalog.jsonb_path_exists(body," \
" '$.evidence_index.* ? (@.id == $id && exists (@.attestation))', $2, true))"

/* Searches all receipts.  This may take as long as reading all of them. */
static FixedQuery all_carriers = {
	.text = CARRIERS("answer.receipt"),
	.argtypes = {TEXTOID, JSONBOID, TEXTARRAYOID},
	.options = CURSOR_OPT_PARALLEL_OK
};

/* Searches receipts stored since that search; the bodies of others are not read. */
static FixedQuery late_carriers = {
	.text = CARRIERS("(SELECT receipt_id, body, tenant FROM answer.receipt"
					 " WHERE pg_catalog.age(xmin) OPERATOR(pg_catalog.<=) pg_catalog.age($4) OFFSET 0)"),
	.argtypes = {TEXTOID, JSONBOID, TEXTARRAYOID, XIDOID}
};

/* Receipts that quote a document, or belong to a query, as their kinds say (DocumentKind.quotes). */
static FixedQuery all_quoting = {
	.argtypes = {TEXTOID, JSONBOID, TEXTARRAYOID},
	.options = CURSOR_OPT_PARALLEL_OK
};

static FixedQuery late_quoting = {
	.argtypes = {TEXTOID, JSONBOID, TEXTARRAYOID, XIDOID}
};

/* Writes the texts of these queries, which live as long as the session. */
static void
WriteQuoting(void)
{
	static const char quoting[] = "SELECT r.receipt_id, NULL::pg_catalog.text, r.tenant FROM %s AS r"
		" WHERE r.tenant OPERATOR(pg_catalog.=) ANY ($3) AND (%s)";
	static const char late[] = "(SELECT receipt_id, schema, body, tenant FROM answer.receipt"
		" WHERE pg_catalog.age(xmin) OPERATOR(pg_catalog.<=) pg_catalog.age($4) OFFSET 0)";
	StringInfoData quotes;
	MemoryContext old;

	if (late_quoting.text)
		return;
	initStringInfo(&quotes);
	for (int i = 0; document_kinds[i]; i++)
	{
		if (document_kinds[i]->quotes)
			appendStringInfo(&quotes, "%s(%s)", quotes.len > 0 ? " OR " : "", document_kinds[i]->quotes);
	}
	old = MemoryContextSwitchTo(TopMemoryContext);
	all_quoting.text = psprintf(quoting, "answer.receipt", quotes.data);
	late_quoting.text = psprintf(quoting, late, quotes.data);
	MemoryContextSwitchTo(old);
}

static void
AddCarrier(Carriers *carriers, char *tenant, char *receipt_id)
{
	GROW_ARRAY(carriers->receipts, carriers->count, carriers->allocated, 64);
	carriers->receipts[carriers->count++] = (Carrier) {tenant, receipt_id};
}

/*
 * Runs a search.  Returns true if the digest turned out to be that of a fact whose id
 * was not known so far.  Then the search must start again.
 */
static bool
FindCarriers(Carriers *carriers, FixedQuery *query)
{
	JsonView	vars = JsonViewNewObject(1);
	Datum		values[4];
	bool		anew = false;
	QueryRows	rows;

	JsonViewSet(&vars, "id", JsonViewCString(carriers->fact_id));
	values[0] = CStringGetTextDatum(carriers->named ? carriers->named : carriers->digest);
	values[1] = JsonbPGetDatum(carriers->quoted ? carriers->quoted : JsonViewToJsonb(&vars, false));
	values[2] = carriers->tenants;
	values[3] = TransactionIdGetDatum(carriers->horizon);
	PushActiveSnapshot(GetLatestSnapshot());
	if (query == &all_carriers || query == &all_quoting)
		carriers->horizon = GetActiveSnapshot()->xmin;
	rows = QueryRun(query, values, NULL, true, 0);
	PopActiveSnapshot();
	for (uint64 i = 0; i < rows.count; i++)
	{
		char	   *receipt_id = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 1);
		char	   *fact_id = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 2);
		char	   *tenant = SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 3);

		CHECK_FOR_INTERRUPTS();
		AddCarrier(carriers, tenant, receipt_id);
		if (carriers->fact_in || fact_id == NULL || strlen(fact_id) != FACT_ID_LENGTH)
			continue;
		carriers->fact_in = receipt_id;
		carriers->fact_of = tenant;
		strlcpy(carriers->fact_id, fact_id, sizeof(carriers->fact_id));
		anew = true;
	}
	QueryFree(&rows);
	return anew;
}

static int
CompareCarriers(const void *a, const void *b)
{
	const Carrier *left = a;
	const Carrier *right = b;
	int			order = strcmp(left->tenant, right->tenant);

	return order ? order : strcmp(left->receipt_id, right->receipt_id);
}

/* Sorts the carriers and removes duplicates, so that everybody locks them in the same order. */
static void
SortCarriers(Carriers *carriers)
{
	int			distinct = 0;

	qsort(carriers->receipts, carriers->count, sizeof(Carrier), CompareCarriers);
	for (int i = 0; i < carriers->count; i++)
	{
		if (distinct == 0 ||
			CompareCarriers(&carriers->receipts[i], &carriers->receipts[distinct - 1]) != 0)
			carriers->receipts[distinct++] = carriers->receipts[i];
	}
	carriers->count = distinct;
}

/* Finds the first carrier of a tenant; returns how many the tenant has. */
static int
CarriersOf(const Carriers *carriers, const char *tenant, const Carrier **first)
{
	int			count = 0;

	*first = NULL;
	for (int i = 0; i < carriers->count; i++)
	{
		if (strcmp(carriers->receipts[i].tenant, tenant) != 0)
			continue;
		if (count++ == 0)
			*first = &carriers->receipts[i];
	}
	return count;
}

/* Forgets the current tenant's receipts that contain the evidence or quote the document. */
static JsonView
ForgetCarriers(const Forgetting *forgetting, const Carrier *carriers, int count)
{
	JsonView	receipts = JsonViewNewArray(count);
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext, "answer_forget",
											   ALLOCSET_DEFAULT_SIZES);

	for (int i = 0; i < count; i++)
	{
		char	   *receipt_id = carriers[i].receipt_id;
		MemoryContext caller = MemoryContextSwitchTo(each);
		Jsonb	   *body = LockReceipt(forgetting->tenant, receipt_id);
		bool		mine = body && !ExistingTombstone(forgetting->tenant, receipt_id, body);

		CHECK_FOR_INTERRUPTS();
		if (mine)				/* false if somebody forgot it during the search */
			(void) ForgetBody(forgetting, receipt_id, body);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(each);
		if (mine)
			JsonViewAppend(&receipts, JsonViewCString(receipt_id));
	}
	MemoryContextDelete(each);
	return receipts;
}

/* Deletes a tenant's stored reading, if there is one, and its series if no reading is left. */
static bool
DeleteReading(const text *tenant, const char *digest)
{
	Datum		values[4] = {PointerGetDatum(tenant), CStringGetTextDatum(digest)};
	QueryRows	rows;

	rows = QueryRunLatest(erase_queries.reading, values, NULL, 0);
	if (rows.count > 0)
	{
		for (int i = 0; i < 4; i++)
			values[i] = ColumnDatum(rows.table, 0, i + 1);
		(void) QueryRunLatest(erase_queries.series, values, NULL, 0);
	}
	return QueryFound(rows);
}

/* Deletes what a tenant remembers with a digest, under any key. */
static bool
DeleteRemembered(const text *tenant, const char *digest)
{
	QueryRows	rows = RunOfTenant(erase_queries.remembered, tenant, digest);
	bool		was_there = DatumGetBool(ColumnDatum(rows.table, 0, 1));

	QueryFree(&rows);
	return was_there;
}

static bool
DeleteEvidence(const text *tenant, const char *digest)
{
	bool		was_read = DeleteReading(tenant, digest);

	return DeleteRemembered(tenant, digest) || was_read;
}

/*
 * Returns the digest of the reading from which a fact was made, given the fact's id; NULL
 * if none is stored.
 */
static const char *
ReadingOfFact(const Carriers *carriers)
{
	static FixedQuery fact = {
		.text = "SELECT body OPERATOR(pg_catalog.#>>) ARRAY['evidence_index', $2, 'fact'],"
		" body OPERATOR(pg_catalog.#>) ARRAY['evidence_index', $2, 'args']"
		" FROM answer.receipt WHERE receipt_id OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) $3",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID}
	};
	Datum		values[4];
	Datum		args;
	JsonView	view;
	bool		tool_isnull;
	bool		args_isnull;
	char		args_digest[DIGEST_TEXT_LENGTH + 1];
	char	   *digest = NULL;
	QueryRows	found;
	QueryRows	rows;

	if (carriers->fact_in == NULL)
		return NULL;
	values[0] = CStringGetTextDatum(carriers->fact_in);
	values[1] = CStringGetTextDatum(carriers->digest);
	values[2] = CStringGetTextDatum(carriers->fact_of);
	found = QueryRunLatest(&fact, values, NULL, 1);
	if (found.count == 0)
		return NULL;
	values[0] = SPI_getbinval(found.table->vals[0], found.table->tupdesc, 1, &tool_isnull);
	args = SPI_getbinval(found.table->vals[0], found.table->tupdesc, 2, &args_isnull);
	if (!tool_isnull && !args_isnull)
	{
		JsonViewOfJsonb(DatumGetJsonbP(args), &view);
		CanonicalDigest(&view, NULL, args_digest);
		values[1] = CStringGetTextDatum(args_digest);
		values[2] = CStringGetTextDatum(psprintf(DIGEST_PREFIX "%s",
												 carriers->fact_id + strlen(FACT_ID_PREFIX)));
		values[3] = carriers->tenants;
		rows = QueryRunLatest(erase_queries.reading_of_fact, values, NULL, 1);
		if (rows.count > 0)
			digest = SPI_getvalue(rows.table->vals[0], rows.table->tupdesc, 1);
		QueryFree(&rows);
	}
	QueryFree(&found);
	return digest;
}

static void
InitCarriers(Carriers *carriers, const Forgetting *forgetting, const char *digest)
{
	memset(carriers, 0, sizeof(*carriers));
	carriers->digest = digest;
	carriers->tenants = PointerGetDatum(forgetting->tenants);
	FactIdOfReading(digest, carriers->fact_id);
	carriers->allocated = 64;
	carriers->receipts = palloc(sizeof(Carrier) * carriers->allocated);
}

/*
 * Signs a record of the tombstone.  Nothing else would reveal that the tombstone was
 * deleted, and then what was forgotten could be loaded again.  For a receipt, the log
 * does.
 */
static void
RecordTombstone(const text *tenant, const char *digest)
{
	(void) RecordChange(tenant, SpanOfCString("tombstone"), SpanOfCString(digest));
}

/* Stores a tombstone of evidence or a document, unless there is one; returns the stored one. */
static Jsonb *
BuryEvidence(const Forgetting *forgetting, const char *digest, const Erased *erased)
{
	Jsonb	   *tombstone = StoredTombstone(forgetting->tenant, digest);

	if (tombstone == NULL)
	{
		tombstone = MakeTombstone(forgetting, digest, NULL, erased);
		StoreTombstone(forgetting, digest, NULL, tombstone);
		RecordTombstone(forgetting->tenant, digest);
	}
	return tombstone;
}

/*
 * Forgets evidence of the current tenant.  A repeated call searches again, because a
 * copy may have brought something back.  If it finds nothing, it reports what was
 * forgotten before.  Returns false if the tenant has and had none.
 */
static bool
ForgetEvidenceOf(Forgetting *forgetting, const Carriers *carriers, const char *of_fact,
				 JsonView *answer)
{
	const char *digest = carriers->digest;
	const Carrier *first;
	int			count = CarriersOf(carriers, text_to_cstring(forgetting->tenant), &first);
	const char *reading = NULL;
	Erased		erased = {.readings = JsonViewNewArray(1)};
	Jsonb	   *tombstone;

	if (DeleteEvidence(forgetting->tenant, digest))
		reading = digest;
	else if (of_fact && DeleteEvidence(forgetting->tenant, of_fact))
		reading = of_fact;
	if (reading == NULL && count == 0)
	{
		tombstone = StoredTombstone(forgetting->tenant, digest);
		if (tombstone)
			*answer = Answer(tombstone, NULL);
		if (tombstone || !forgetting->unseen)
			return tombstone != NULL;
	}

	if (forgetting->now == 0)
		SigningKeyBegin(&forgetting->key, &forgetting->now);
	erased.receipts = ForgetCarriers(forgetting, first, count);
	if (reading)
		JsonViewAppend(&erased.readings, JsonViewCString(reading));
	if (reading && strcmp(reading, digest) != 0)
		(void) BuryEvidence(forgetting, reading, &erased);
	tombstone = BuryEvidence(forgetting, digest, &erased);
	*answer = Answer(tombstone, &erased);
	return true;
}

/* Forgets evidence of each of the tenants; the result is absent if none of them has or had it. */
static JsonView
ForgetEvidence(Forgetting *forgetting, const char *digest)
{
	Carriers	carriers;
	JsonView	answer = {.type = JVIEW_ABSENT};
	const char *of_fact;
	Datum	   *tenants;
	int			ntenants;

	WarnOfDetached(PointerGetDatum(forgetting->tenants));
	InitCarriers(&carriers, forgetting, digest);
	if (FindCarriers(&carriers, &all_carriers))
		(void) FindCarriers(&carriers, &all_carriers);

	LockOutWriters(forgetting->tenants, forgetting->for_all);
	if (FindCarriers(&carriers, &late_carriers))
		(void) FindCarriers(&carriers, &all_carriers);
	SortCarriers(&carriers);
	of_fact = ReadingOfFact(&carriers);
	deconstruct_array(forgetting->tenants, TEXTOID, -1, false, TYPALIGN_INT, &tenants, NULL, &ntenants);
	for (int i = 0; i < ntenants; i++)
	{
		JsonView	of;

		CHECK_FOR_INTERRUPTS();
		forgetting->tenant = DatumGetTextPP(tenants[i]);
		if (ForgetEvidenceOf(forgetting, &carriers, of_fact, &of))
			AddAnswer(forgetting, &answer, &of);
	}
	return answer;
}

/*
 * documents and queries
 */

/*
 * Deletes judgements of the texts of a document, whether a decision needed them or not.
 * Called before the document is deleted.
 */
static void
EraseJudgedOver(const text *tenant, const char *doc_id, JsonView *erased)
{
	QueryRows	rows = RunOfTenant(erase_queries.pairs, tenant, doc_id);
	bool		isnull;
	Datum		pairs = SPI_getbinval(rows.table->vals[0], rows.table->tupdesc, 1, &isnull);

	if (!isnull)
		EraseJudgementsOf(tenant, PointerGetDatum(DatumGetArrayTypePCopy(pairs)), erased);
	QueryFree(&rows);
}

/* Runs a query about a tenant's document that returns an array. */
static Datum
ArrayOfDocument(FixedQuery *query, Datum *values)
{
	QueryRows	rows = QueryRunLatest(query, values, NULL, 0);
	Datum		array = PointerGetDatum(DatumGetArrayTypePCopy(ColumnDatum(rows.table, 0, 1)));

	QueryFree(&rows);
	return array;
}

/*
 * Deletes a tenant's document with its search data.  Returns the digests of its
 * versions, none if there was no document.
 */
static Datum *
EraseDocument(const text *tenant, const char *doc_id, int *count)
{
	Datum		values[4] = {PointerGetDatum(tenant), CStringGetTextDatum(doc_id)};
	Datum	   *digests;
	QueryRows	rows;

	values[2] = ArrayOfDocument(erase_queries.versions, values);
	values[3] = ArrayOfDocument(erase_queries.copies, values);
	rows = QueryRunLatest(erase_queries.document, values, NULL, 0);
	QueryFree(&rows);
	deconstruct_array(DatumGetArrayTypeP(values[2]), TEXTOID, -1, false, TYPALIGN_INT, &digests, NULL, count);
	return digests;
}

/* Deletes what a tenant remembers of a document.  Called before the document is deleted. */
static void
EraseRememberedOf(const text *tenant, const char *doc_id)
{
	QueryRows	rows = RunOfTenant(erase_queries.remembered_of, tenant, doc_id);

	QueryFree(&rows);
}

/* Deletes the rows of a tenant's query from the log of packets; returns their content hashes. */
static JsonView
ErasePackets(const text *tenant, const char *query_id)
{
	QueryRows	rows = RunErasure(erase_queries.packets, tenant, query_id);
	JsonView	packets = JsonViewNewArray(rows.count);

	for (uint64 i = 0; i < rows.count; i++)
		JsonViewAppend(&packets, JsonViewCString(SPI_getvalue(rows.table->vals[i], rows.table->tupdesc, 1)));
	QueryFree(&rows);
	return packets;
}

/*
 * Forgets a document or a query of the current tenant, as ForgetEvidenceOf does with
 * evidence.  Each version of a document gets a tombstone, so that it is not loaded
 * again.  So does the digest of the id, so that the tombstone is found when the id is
 * gone.
 */
static bool
ForgetNamedOf(Forgetting *forgetting, const Carriers *carriers, JsonView *answer)
{
	const Carrier *first;
	int			count = CarriersOf(carriers, text_to_cstring(forgetting->tenant), &first);
	int			nversions;
	Datum	   *versions;
	JsonView	packets = ErasePackets(forgetting->tenant, carriers->named);
	bool		is_query = JsonViewCount(&packets) > 0;
	bool		is_document;
	Erased		erased = {.readings = JsonViewNewArray(0)};
	Jsonb	   *tombstone = NULL;

	EraseRememberedOf(forgetting->tenant, carriers->named);
	EraseJudgedOver(forgetting->tenant, carriers->named, &erased.judgements);
	versions = EraseDocument(forgetting->tenant, carriers->named, &nversions);
	is_document = nversions > 0 || !is_query;
	forgetting->of_document = is_document;
	if (nversions == 0 && !is_query && count == 0)
	{
		tombstone = StoredTombstone(forgetting->tenant, carriers->digest);
		if (tombstone == NULL)
			tombstone = StoredTombstone(forgetting->tenant, carriers->query_digest);
		if (tombstone)
			*answer = Answer(tombstone, NULL);
		return tombstone != NULL;
	}

	if (forgetting->now == 0)
		SigningKeyBegin(&forgetting->key, &forgetting->now);
	erased.receipts = ForgetCarriers(forgetting, first, count);
	if (is_query)
		erased.packets = packets;
	if (is_document)
		erased.documents = JsonViewNewArray(nversions);
	for (int i = 0; i < nversions; i++)
		JsonViewAppend(&erased.documents, JsonViewCString(TextDatumGetCString(versions[i])));
	for (int i = 0; i < nversions; i++)
		(void) BuryEvidence(forgetting, TextDatumGetCString(versions[i]), &erased);
	if (is_query)
		tombstone = BuryEvidence(forgetting, carriers->query_digest, &erased);
	if (is_document)
		tombstone = BuryEvidence(forgetting, carriers->digest, &erased);
	*answer = Answer(tombstone, &erased);
	return true;
}

/* Returns the digest of {key: id}. */
static JsonView
IdDigest(const char *key, const char *id, char *digest)
{
	JsonView	object = JsonViewNewObject(1);
	int			len;
	const char *utf8 = JsonServerToUtf8(id, strlen(id), &len);

	JsonViewSet(&object, key, JsonViewString(utf8, len));
	CanonicalDigest(&object, NULL, digest);
	return object;
}

/* Forgets a document or a query of each of the tenants. */
static JsonView
ForgetNamed(Forgetting *forgetting, const char *target)
{
	Carriers	carriers;
	JsonView	answer = {.type = JVIEW_ABSENT};
	JsonView	chunks = JsonViewNewArray(1);
	char		digest[DIGEST_TEXT_LENGTH + 1];
	Datum	   *tenants;
	int			ntenants;

	JsonViewAppend(&chunks, IdDigest("doc_id", target, digest));
	WarnOfDetached(PointerGetDatum(forgetting->tenants));
	InitCarriers(&carriers, forgetting, digest);
	carriers.named = target;
	carriers.quoted = JsonViewToJsonb(&chunks, false);
	(void) IdDigest("query_id", target, carriers.query_digest);
	WriteQuoting();
	(void) FindCarriers(&carriers, &all_quoting);

	LockOutWriters(forgetting->tenants, forgetting->for_all);
	(void) FindCarriers(&carriers, &late_quoting);
	SortCarriers(&carriers);
	deconstruct_array(forgetting->tenants, TEXTOID, -1, false, TYPALIGN_INT, &tenants, NULL, &ntenants);
	for (int i = 0; i < ntenants; i++)
	{
		JsonView	of;

		CHECK_FOR_INTERRUPTS();
		forgetting->tenant = DatumGetTextPP(tenants[i]);
		if (ForgetNamedOf(forgetting, &carriers, &of))
			AddAnswer(forgetting, &answer, &of);
	}
	if (answer.type == JVIEW_ABSENT)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("there is no document or query \"%s\"", target),
				 errhint("target is a receipt id, %s, a digest of evidence, \"sha256:...\", the id of a document, or the query_id of a packet.",
						 ListKinds(true))));
	return answer;
}

/*
 * SQL
 */

static bool
IsPrefixedHex(const char *text, const char *prefix, size_t digits)
{
	size_t		skipped = strlen(prefix);

	return strncmp(text, prefix, skipped) == 0 && strlen(text) == skipped + digits &&
		strspn(text + skipped, "0123456789abcdef") == digits;
}

static void
ReadReason(text *reason, Forgetting *forgetting)
{
	const char *bytes = VARDATA_ANY(reason);
	int			len = VARSIZE_ANY_EXHDR(reason);
	int			blanks = 0;
	char	   *utf8;

	while (blanks < len && strchr(" \t\r\n\f\v", bytes[blanks]) != NULL)
		blanks++;
	if (blanks == len || pg_mbstrlen_with_len(bytes, len) > REASON_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("reason must have from 1 to %d characters, not all of them blank",
						REASON_MAX_LENGTH)));
	forgetting->reason = PointerGetDatum(reason);
	utf8 = JsonServerToUtf8(bytes, len, &len);
	forgetting->reason_view = JsonViewString(utf8, len);
}

/* Begins to forget.  First checks that the server can write. */
static void
BeginForgetting(const char *function, Forgetting *forgetting)
{
	RequirePrimary(function);
	memset(forgetting, 0, sizeof(*forgetting));
	forgetting->by = CStringGetTextDatum(GetUserNameFromId(GetSessionUserId(), false));
}

Jsonb *
ForgetForTenant(const char *function, const text *tenant, const char *digest, text *reason)
{
	MemoryContext caller = CurrentMemoryContext;
	Datum		tenants[1] = {PointerGetDatum(tenant)};
	Forgetting	forgetting;
	JsonView	answer;
	Jsonb	   *result;
	Oid			user;
	int			context;

	BeginForgetting(function, &forgetting);
	ReadReason(reason, &forgetting);
	forgetting.tenants = construct_array(tenants, 1, TEXTOID, -1, false, TYPALIGN_INT);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	answer = ForgetEvidence(&forgetting, digest);
	AnswerAsCaller(user, context);
	MemoryContextSwitchTo(caller);
	result = answer.type == JVIEW_ABSENT ? NULL : JsonViewToJsonb(&answer, false);
	SPI_finish();
	return result;
}

/* Forgets a valid target for the caller. */
static Datum
ForgetTarget(Forgetting *forgetting, const char *target, const DocumentKind *kind, bool is_digest,
			 text *reason)
{
	MemoryContext caller = CurrentMemoryContext;
	JsonView	answer;
	Jsonb	   *result;
	Oid			user;
	int			context;

	ReadReason(reason, forgetting);
	forgetting->for_all = IsOperatorForAll();
	if (!forgetting->for_all)
		(void) CurrentTenant(); /* raises an error for an auditor, who has none */
	forgetting->tenants = ReadableTenants();

	SPI_connect();
	AnswerAsOwner(&user, &context);
	answer = kind ? ForgetReceipt(forgetting, target) :
		is_digest ? ForgetEvidence(forgetting, target) : ForgetNamed(forgetting, target);
	AnswerAsCaller(user, context);
	if (answer.type == JVIEW_ABSENT)
		ereport(ERROR,
				(errcode(ERRCODE_NO_DATA_FOUND),
				 errmsg("nothing that is stored, read or remembered, and no fact in a receipt has the digest \"%s\"", target)));
	MemoryContextSwitchTo(caller);
	result = JsonViewToJsonb(&answer, false);
	SPI_finish();
	return JsonbPGetDatum(result);
}

/* answer_forget(target, reason) */
PG_FUNCTION_INFO_V1(answer_eval_forget);
Datum
answer_eval_forget(PG_FUNCTION_ARGS)
{
	Forgetting	forgetting;
	char	   *target;
	const DocumentKind *kind;
	bool		is_digest;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("target and reason must not be null")));
	BeginForgetting("answer_forget()", &forgetting);
	target = text_to_cstring(PG_GETARG_TEXT_PP(0));
	kind = FindKindOfId(target, strlen(target));
	is_digest = IsPrefixedHex(target, DIGEST_PREFIX, 2 * SHA256_LENGTH);
	if (target[0] == '\0' || (!is_digest && strncmp(target, DIGEST_PREFIX, strlen(DIGEST_PREFIX)) == 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("target must be a receipt id, %s, a digest of evidence, \"sha256:...\", the id of a document, or the query_id of a packet",
						ListKinds(true))));
	if (kind && kind->keep_hint)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("documents of schema %s are not forgotten", kind->schema),
				 errhint("%s", kind->keep_hint)));
	return ForgetTarget(&forgetting, target, kind, is_digest, PG_GETARG_TEXT_PP(1));
}

/* answer_tombstone_add(digest, reason) */
PG_FUNCTION_INFO_V1(answer_eval_tombstone_add);
Datum
answer_eval_tombstone_add(PG_FUNCTION_ARGS)
{
	Forgetting	forgetting;
	char	   *digest;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("digest and reason must not be null")));
	BeginForgetting("answer_tombstone_add()", &forgetting);
	forgetting.unseen = true;
	digest = text_to_cstring(PG_GETARG_TEXT_PP(0));
	if (!IsPrefixedHex(digest, DIGEST_PREFIX, 2 * SHA256_LENGTH))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("digest must be \"sha256:\" and 64 digits in 0-9a-f"),
				 errhint("What has another name than a digest is forgotten by answer_forget(), where it is.")));
	return ForgetTarget(&forgetting, digest, NULL, true, PG_GETARG_TEXT_PP(1));
}
