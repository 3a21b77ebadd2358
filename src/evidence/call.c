/*-------------------------------------------------------------------------
 *
 * call.c
 *		Calling tools: handlers and stored readings.
 *
 * Rights: tools, both handlers and stored readings, run with the rights of the caller,
 * in a subtransaction, under a deadline (deadline.c).  Handlers see the settings of
 * the database (handler_settings.c).  Once there are tenants (tenant.c), a tenant's
 * own handlers and graders run with the rights of the role that registered them, and
 * readings are the tenant's.
 *
 * A tool whose spec says that it has no side effects runs with transaction_read_only.
 * Older servers let its code switch that off again, by RESET in a subtransaction.  So
 * a tool that has caused a transaction id to be assigned counts as one that has
 * written, whatever the setting says.
 *
 * Promises: a tool's failure is a result with a reason, never an error of the request.
 * A fact is not dated later than what its snapshot can know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/index_probe.h"
#include "base/rfc3339.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "base/writes.h"
#include "check/request.h"
#include "evidence/bound_function.h"
#include "evidence/call.h"
#include "evidence/fact_memory.h"
#include "evidence/handler_settings.h"
#include "evidence/tool_help.h"

SpecDemands spec_demands = {NULL, NULL};

/*
 * raw results
 */

/* The arguments of a contained call. */
typedef struct Contained
{
	ToolCall   *calls;
	int			count;
	const CallTerms *terms;
	MemoryContext context;		/* for the results */
	bool		is_exact;		/* are numbers kept as the tool gave them? */
} Contained;

/*
 * A raw result that is nested too deeply could not be verified everywhere once it is in
 * a receipt, and a huge one would fill the receipt.  Either counts as the tool's
 * failure.
 */
void
RefuseBadResult(const JsonView *raw, Size size)
{
	if (size > RESULT_MAX_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("result has %zu bytes; the most are %d", size, RESULT_MAX_SIZE)));
	if (JsonViewIsDeeper(raw, RAW_MAX_DEPTH))
		ereport(ERROR,
				(errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
				 errmsg("result is nested more than %d levels deep", RAW_MAX_DEPTH)));
}

/* Has a tool a spec that says that it has no side effects? Then it must not write. */
static bool
MustNotWrite(const Tool *tool)
{
	return tool->spec.type == JVIEW_OBJECT && !tool->has_side_effects;
}

/* Raises an error because a tool has written that must not. */
static void
RefuseWritten(void)
{
	if (!TransactionIdIsValid(GetCurrentTransactionIdIfAny()))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
			 errmsg("the tool wrote, and its spec says that it has no side effects"),
			 errhint("Register it with \"side_effects\": true among the constraints of its spec.")));
}

/* Calls one handler.  Runs contained. */
static void
CallHandler(void *arg)
{
	Contained  *contained = arg;
	ToolCall   *call = contained->calls;
	Datum		value = JsonbPGetDatum(JsonViewToJsonb(call->args, false));
	Oid			handler;
	JsonView	raw;
	Datum		result;
	bool		isnull;
	Oid			user;
	int			rights;
	bool		was_read_only = XactReadOnly;
	int			level = SettleHandler(call->tool->handler, call->tool->builtin);

	/* Since 16 SET refuses this inside a transaction.  After an error, the end of the subtransaction restores it. */
	if (MustNotWrite(call->tool))
		XactReadOnly = true;
	/* a new snapshot, as for a statement of its own */
	CommandCounterIncrement();
	/*
	 * Our tools read with the latest snapshot: a caller with an old one must not get a
	 * signature over what was replaced or forgotten since.
	 */
	PushActiveSnapshot(call->tool->builtin ? GetLatestSnapshot() : GetTransactionSnapshot());
	BoundRightsTake(call->tool->tenant, call->tool->registered_by, &user, &rights);
	handler = BoundFunction(call->tool->handler, call->tool->handler_owner, JSONBOID);
	result = BoundCall(handler, value, &isnull);
	if (contained->terms->commits && !MustNotWrite(call->tool))
		/* Deferred constraints are checked now, so that the call fails and not the commit. */
	AfterTriggerSetState(makeNode(ConstraintsSetStmt));
	SetUserIdAndSecContext(user, rights);
	PopActiveSnapshot();
	if (MustNotWrite(call->tool))
		RefuseWritten();
	AtEOXact_GUC(false, level);
	XactReadOnly = was_read_only;
	if (!isnull)
	{
		Jsonb	   *jsonb = DatumGetJsonbP(result);
		MemoryContext caller;

		JsonViewOfJsonb(jsonb, &raw);
		RefuseBadResult(&raw, VARSIZE(jsonb));
		caller = MemoryContextSwitchTo(contained->context);
		JsonViewOfJsonb(JsonViewToJsonb(&raw, !contained->is_exact), &raw);
		call->readings = palloc0(sizeof(ToolReading));
		call->readings->raw = raw;
		call->readings->source = call->tool->source;
		call->readings->has_observed_at = contained->terms->has_known_at;
		call->readings->observed_at = contained->terms->known_at;
		call->nreadings = 1;
		MemoryContextSwitchTo(caller);
	}
}

/* Reads the fields of a stored reading by which its fact may be found in the cache. */
static void
ReadReading(SPITupleTable *table, int row, ToolReading *reading)
{
	HeapTuple	tuple = table->vals[row];

	memset(reading, 0, sizeof(*reading));
	reading->has_observed_at = ColumnInstant(table, row, 6, &reading->observed_at);
	reading->has_expires = ColumnInstant(table, row, 7, &reading->expires);
	reading->digest = ColumnSpan(table, row, 8);
	reading->call = ColumnInt(table, row, 9) - 1;
	reading->place = row;
	/* without the number of the call, which is at the end */
	if (!HeapTupleHasExternal(tuple))
		reading->row = SpanOf((char *) tuple->t_data, tuple->t_len - sizeof(int32));
}

/* Reads the other fields, and copies the row, which is freed with the subtransaction. */
static void
ReadWhole(SPITupleTable *table, ToolReading *reading)
{
	int			row = reading->place;
	Jsonb	   *raw = ColumnJsonb(table, row, 1);

	JsonViewOfJsonb(raw, &reading->raw);
	RefuseBadResult(&reading->raw, VARSIZE(raw));
	reading->source = ColumnSpan(table, row, 2);
	reading->group = ColumnSpan(table, row, 3);
	reading->url = ColumnSpan(table, row, 4);
	reading->licence = ColumnSpan(table, row, 5);
	if (reading->row.len > 0)
		reading->row.str = memcpy(palloc(reading->row.len), reading->row.str, reading->row.len);
}

/*
 * Compares by call; then the newest first; then by digest.  Sorting a few readings here
 * is cheaper than a sort in the plan.
 */
static int
CompareReadingOrder(const void *a, const void *b)
{
	const ToolReading *left = a;
	const ToolReading *right = b;

	if (left->call != right->call)
		return left->call > right->call ? 1 : -1;
	if (left->observed_at != right->observed_at)
		return left->observed_at < right->observed_at ? 1 : -1;
	return memcmp(left->digest.str, right->digest.str,
				  Min(left->digest.len, right->digest.len));
}

/*
 * Has a reading its digest?  Somebody who bypasses our functions can change the row.
 * It is then not what was recorded and must not be used: the call fails.  The arguments
 * were found by their digest, so they are the call's.
 */
static bool
IsAsRecorded(const ToolCall *call, const ToolReading *reading)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!InstantIsWritable(reading->observed_at) ||
		(reading->has_expires && !InstantIsWritable(reading->expires)))
		return false;
	ReadingDigest(call->tool->name, call->args, &reading->raw, reading->source,
				  reading->observed_at, reading->has_expires ? &reading->expires : NULL, digest);
	return reading->digest.len == DIGEST_TEXT_LENGTH &&
		memcmp(reading->digest.str, digest, DIGEST_TEXT_LENGTH) == 0;
}

static void
RefuseChangedReading(ToolCall *call, const ToolReading *reading)
{
	Span		digest = reading->digest;
	int			len;

	strlcpy(call->failure.sqlstate, "XX001", sizeof(call->failure.sqlstate));
	call->failure.message = digest.len == DIGEST_TEXT_LENGTH ?
		psprintf("the stored reading %s is not what was recorded",
				 JsonUtf8ToServer(digest.str, digest.len, &len)) :
		pstrdup("a stored reading is not what was recorded");
	call->nreadings = 0;
}

/* Takes the readings of a call, unless one was changed since it was recorded. */
static void
TakeReadings(SPITupleTable *rows, ToolCall *call)
{
	for (int i = 0; i < call->nreadings; i++)
	{
		ToolReading *reading = &call->readings[i];

		CHECK_FOR_INTERRUPTS();
		ReadWhole(rows, reading);
		if (!IsAsRecorded(call, reading))
			RefuseChangedReading(call, reading);
	}
}

/* The columns of the result of a search for readings. */
enum
{
	FOUND_RAW, FOUND_SOURCE, FOUND_GROUP, FOUND_URL, FOUND_LICENCE, FOUND_OBSERVED_AT, FOUND_EXPIRES,
	FOUND_DIGEST, FOUND_CALL, FOUND_COLUMNS
};

/* Finds the newest reading of each source, for all calls. */
#define STORED_READINGS \
	"SELECT e.raw, e.source, s.independence_group, s.url, s.licence," \
	" e.observed_at, e.expires, e.digest, q.n::pg_catalog.int4" \
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2)) WITH ORDINALITY q (tool, args_digest, n)" \
	" CROSS JOIN LATERAL (SELECT x.source FROM answer.evidence_series x" \
	"  WHERE x.tenant OPERATOR(pg_catalog.=) $4 AND x.tool OPERATOR(pg_catalog.=) q.tool" \
	"  AND x.args_digest OPERATOR(pg_catalog.=) q.args_digest OFFSET 0) i" \
	" JOIN answer.source s ON s.source OPERATOR(pg_catalog.=) i.source" \
	" CROSS JOIN LATERAL (SELECT r.raw, r.source, r.observed_at, r.expires, r.digest FROM answer.evidence r" \
	"  WHERE r.tenant OPERATOR(pg_catalog.=) $4 AND r.tool OPERATOR(pg_catalog.=) q.tool" \
	"  AND r.args_digest OPERATOR(pg_catalog.=) q.args_digest" \
	"  AND r.source OPERATOR(pg_catalog.=) i.source" \
	"  AND r.observed_at OPERATOR(pg_catalog.<=) $3" \
	"  ORDER BY r.observed_at DESC, r.digest LIMIT 1) e"

/* Finds facts that were extracted from documents.  Each is a source of its own. */
#define DOCUMENT_FACTS \
	" UNION ALL SELECT f.raw, f.source, NULL, f.url, NULL, f.observed_at, f.expires, f.digest, q.n::pg_catalog.int4" \
	" FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($5)) WITH ORDINALITY q (tool, args, n)" \
	" CROSS JOIN LATERAL %s f" \
	" WHERE q.tool OPERATOR(pg_catalog.=) '" DOCUMENT_FACT_TOOL "'"

/* Does a call ask for facts from documents? These are not in the table that is probed. */
static bool
WantDocumentFacts(const Contained *contained)
{
	for (int i = 0; i < contained->count; i++)
	{
		if (IsDocumentFactTool(contained->calls[i].tool))
			return true;
	}
	return false;
}

static Datum
ArgumentsOfCalls(const Contained *contained)
{
	Datum	   *args = palloc(sizeof(Datum) * contained->count);

	for (int i = 0; i < contained->count; i++)
		args[i] = JsonbPGetDatum(JsonViewToJsonb(contained->calls[i].args, false));
	return PointerGetDatum(construct_array(args, contained->count, JSONBOID, -1, false, TYPALIGN_INT));
}

const char *document_fact_readings = NULL;

/*
 * Runs the query that finds readings for all calls, if probes are not possible.  Facts
 * from documents are only searched if a call wants them, because that needs additional
 * privileges.
 */
static SPITupleTable *
QueryStored(const Contained *contained)
{
	static FixedQuery stored = {
		.text = STORED_READINGS,
		.argtypes = {TEXTARRAYOID, TEXTARRAYOID, TIMESTAMPTZOID, TEXTOID}
	};
	static FixedQuery with_facts = {
		.argtypes = {TEXTARRAYOID, TEXTARRAYOID, TIMESTAMPTZOID, TEXTOID, JSONBARRAYOID}
	};
	Datum	   *tools = palloc(sizeof(Datum) * contained->count);
	Datum	   *digests = palloc(sizeof(Datum) * contained->count);
	Datum		values[5];

	for (int i = 0; i < contained->count; i++)
	{
		tools[i] = SpanDatum(contained->calls[i].tool->name);
		digests[i] = CStringGetTextDatum(contained->calls[i].args_digest);
	}
	values[0] = QueryTextArray(tools, contained->count);
	values[1] = QueryTextArray(digests, contained->count);
	values[2] = TimestampTzGetDatum(contained->terms->evaluated_at);
	values[3] = PointerGetDatum(contained->terms->tenant);
	if (!WantDocumentFacts(contained))
		return QueryRun(&stored, values, NULL, true, 0).table;
	if (with_facts.text == NULL)
		with_facts.text = MemoryContextStrdup(TopMemoryContext,
											  psprintf(STORED_READINGS DOCUMENT_FACTS, document_fact_readings));
	values[4] = ArgumentsOfCalls(contained);
	return QueryRun(&with_facts, values, NULL, true, 0).table;
}

/* The registration of a source that readings name, cached for the next reading that names it. */
typedef struct FoundSource
{
	text	   *name;
	bool		registered;
	Datum		values[3];		/* group, url, licence */
	bool		nulls[3];
} FoundSource;

#define FOUND_SOURCES	32

/*
 * Probes of the index that has the readings by arguments, tool and source, the newest
 * of each source first, and of how to continue if there are many.
 */
typedef struct StoredProbes
{
	Probe	   *first;			/* the one that was opened first; the others are opened when needed */
	Probe		together;		/* entries with the same arguments, of any tool */
	Probe		walk;			/* entries of one tool */
	Probe		after;			/* entries of the sources after one */
	Probe		newest;			/* entries of one source up to an instant */
	Probe		source;
	int			nknown;
	FoundSource known[FOUND_SOURCES];
} StoredProbes;

/* How many index entries are read one by one for a call, before it probes for what comes after them. */
#define WALK_ENTRIES	12

/* How many calls are searched for together; each entry is compared with all of them. */
#define WALK_CALLS		32

/* The columns of the index evidence_newest, and the position of the instant. */
#define NEWEST_ORDER	{"args_digest", "tool", "tenant", "source", "observed_at", "digest"}, 4

#define READING_COLUMNS	5, {"raw", "source", "observed_at", "expires", "digest"}

static const ProbeSpec together_spec = {
	"evidence", "evidence_newest", 1, NEWEST_ORDER, PROBE_EQUAL, true, READING_COLUMNS
};
static const ProbeSpec walk_spec = {
	"evidence", "evidence_newest", 3, NEWEST_ORDER, PROBE_EQUAL, true, READING_COLUMNS
};

static void
CloseProbes(StoredProbes *probes)
{
	ProbeClose(&probes->newest);
	ProbeClose(&probes->after);
	ProbeClose(&probes->source);
	ProbeClose(&probes->walk);
	ProbeClose(&probes->together);
}

/*
 * Prepares to probe for readings as the current user.  "together" says whether several
 * tools are searched for together first.  Returns false if the query must be run.
 */
static bool
OpenProbes(StoredProbes *probes, bool together)
{
	static const ProbeSpec source = {
		"source", "source_pkey", 1, {"source"}, 0, PROBE_EQUAL, false,
		3, {"independence_group", "url", "licence"}
	};
	Oid			user = GetUserId();

	memset(probes, 0, sizeof(*probes));
	probes->first = together ? &probes->together : &probes->walk;
	if (ProbeOpen(probes->first, together ? &together_spec : &walk_spec, user) && ProbeOpen(&probes->source, &source, user) &&
		ProbeMayRead("evidence_series", user))
		return true;
	CloseProbes(probes);
	return false;
}

/* Prepares another probe of the same index when it is first needed. */
static Probe *
OpenBeside(StoredProbes *probes, Probe *probe, const ProbeSpec *spec)
{
	if (probe->slot == NULL)
		ProbeOpenBeside(probe, probes->first, spec);
	return probe;
}

/* Returns the registration of a source. */
static const FoundSource *
ProbeSource(StoredProbes *probes, Datum name)
{
	text	   *wanted = DatumGetTextPP(name);
	FoundSource *found;

	for (int i = 0; i < probes->nknown; i++)
	{
		if (TextsEqual(probes->known[i].name, wanted))
			return &probes->known[i];
	}
	if (probes->nknown == FOUND_SOURCES)
		probes->nknown = 0;
	found = &probes->known[probes->nknown++];
	found->name = cstring_to_text_with_len(VARDATA_ANY(wanted), VARSIZE_ANY_EXHDR(wanted));
	ProbeFind(&probes->source, &name);
	found->registered = ProbeNext(&probes->source);
	for (int i = 0; found->registered && i < 3; i++)
	{
		found->values[i] = ProbeColumn(&probes->source, i, &found->nulls[i]);
		if (!found->nulls[i])
			found->values[i] = PointerGetDatum(DatumGetTextPCopy(found->values[i]));
	}
	return found;
}

/* Adds the reading that a probe found, with its source's registration. */
static void
AddFound(Probe *probe, const FoundSource *registered, int call, SPITupleTable *rows)
{
	Datum		values[FOUND_COLUMNS];
	bool		nulls[FOUND_COLUMNS];

	values[FOUND_CALL] = Int32GetDatum(call + 1);
	nulls[FOUND_CALL] = false;
	memcpy(&values[FOUND_GROUP], registered->values, sizeof(registered->values));
	memcpy(&nulls[FOUND_GROUP], registered->nulls, sizeof(registered->nulls));
	values[FOUND_RAW] = ProbeColumn(probe, 0, &nulls[FOUND_RAW]);
	values[FOUND_SOURCE] = ProbeColumn(probe, 1, &nulls[FOUND_SOURCE]);
	values[FOUND_OBSERVED_AT] = ProbeColumn(probe, 2, &nulls[FOUND_OBSERVED_AT]);
	values[FOUND_EXPIRES] = ProbeColumn(probe, 3, &nulls[FOUND_EXPIRES]);
	values[FOUND_DIGEST] = ProbeColumn(probe, 4, &nulls[FOUND_DIGEST]);
	FoundRow(rows, values, nulls);
}

/* Adds the newest reading of one source, however many later ones the index has before it. */
static void
AddNewest(StoredProbes *probes, const Datum *keys, const FoundSource *registered, int call,
		  SPITupleTable *rows)
{
	static const ProbeSpec newest = {
		"evidence", "evidence_newest", 5, NEWEST_ORDER, PROBE_UP_TO, false, READING_COLUMNS
	};
	Probe	   *probe = OpenBeside(probes, &probes->newest, &newest);

	ProbeFind(probe, keys);
	if (ProbeNext(probe))
		AddFound(probe, registered, call, rows);
}

/* Continues with the sources after one. */
static Probe *
WalkAfter(StoredProbes *probes, const Datum *keys)
{
	static const ProbeSpec after = {
		"evidence", "evidence_newest", 4, NEWEST_ORDER, PROBE_AFTER, true, READING_COLUMNS
	};
	Probe	   *probe = OpenBeside(probes, &probes->after, &after);

	ProbeFind(probe, keys);
	return probe;
}

/* Adds the newest reading of each source for one call. */
static void
ProbeReadings(StoredProbes *probes, const Contained *contained, int call, SPITupleTable *rows)
{
	TimestampTz evaluated_at = contained->terms->evaluated_at;
	Datum		keys[5] = {
		CStringGetTextDatum(contained->calls[call].args_digest), SpanDatum(contained->calls[call].tool->name),
		PointerGetDatum(contained->terms->tenant), (Datum) 0, TimestampTzGetDatum(evaluated_at)
	};
	Probe	   *walk = OpenBeside(probes, &probes->walk, &walk_spec);
	text	   *done = NULL;	/* the source whose newest reading was added */
	int			passed = 0;
	bool		isnull;

	ProbeFind(walk, keys);
	while (ProbeNextEntry(walk))
	{
		text	   *source = DatumGetTextPP(ProbeEntry(walk, 3, &isnull));
		bool		is_done = done && TextsEqual(done, source);
		const FoundSource *registered;

		if (is_done && ++passed < WALK_ENTRIES)
			continue;
		registered = is_done ? NULL : ProbeSource(probes, PointerGetDatum(source));
		if (registered && registered->registered && passed < WALK_ENTRIES)
		{
			if (DatumGetTimestampTz(ProbeEntry(walk, 4, &isnull)) > evaluated_at || !ProbeFetch(walk))
			{
				passed++;		/* not known yet, or dead */
				continue;
			}
			AddFound(walk, registered, call, rows);
		}
		done = cstring_to_text_with_len(VARDATA_ANY(source), VARSIZE_ANY_EXHDR(source));
		if (passed < WALK_ENTRIES)
		{
			passed = 0;
			continue;
		}
		passed = 0;
		keys[3] = PointerGetDatum(done);
		if (registered && registered->registered)
			AddNewest(probes, keys, registered, call, rows);
		walk = WalkAfter(probes, keys);
	}
}

/*
 * Returns how many calls, starting with "first", have the same arguments and can be
 * searched for together.
 */
static int
CountAlike(const Contained *contained, int first)
{
	int			next = first + 1;

	while (next < contained->count && next < first + WALK_CALLS &&
		   strcmp(contained->calls[next].args_digest, contained->calls[first].args_digest) == 0)
		next++;
	return next - first;
}

/* Returns which of these tools of a tenant the current index entry is for; -1 if none. */
static int
ToolOfEntry(Probe *walk, const text *tenant, const Datum *tools, int count)
{
	bool		isnull;
	text	   *tool = DatumGetTextPP(ProbeEntry(walk, 1, &isnull));

	if (!TextsEqual(DatumGetTextPP(ProbeEntry(walk, 2, &isnull)), tenant))
		return -1;
	for (int i = 0; i < count; i++)
	{
		if (TextsEqual(DatumGetTextPP(tools[i]), tool))
			return i;
	}
	return -1;
}

/*
 * Adds the newest reading of each source for calls with the same arguments.  Their
 * readings are adjacent in the index, so one descent finds them all.  Returns false,
 * with nothing added, if there are too many other entries among them.  Entries of dead
 * rows do not count, and are skipped until VACUUM has removed them.
 */
static bool
WalkTogether(StoredProbes *probes, const Contained *contained, int first, int count, SPITupleTable *rows)
{
	TimestampTz evaluated_at = contained->terms->evaluated_at;
	Probe	   *walk = OpenBeside(probes, &probes->together, &together_spec);
	Datum		key = CStringGetTextDatum(contained->calls[first].args_digest);
	Datum	   *tools = palloc(sizeof(Datum) * count);
	uint64		before = rows->numvals;
	int			most = WALK_ENTRIES * count;
	int			done_tool = -1;
	text	   *done = NULL;	/* the tool's source whose newest reading was added */
	bool		isnull;

	for (int i = 0; i < count; i++)
		tools[i] = SpanDatum(contained->calls[first + i].tool->name);
	ProbeFind(walk, &key);
	while (ProbeNextEntry(walk))
	{
		int			tool = ToolOfEntry(walk, contained->terms->tenant, tools, count);
		text	   *source = DatumGetTextPP(ProbeEntry(walk, 3, &isnull));
		const FoundSource *registered;

		if (most-- == 0)
		{
			rows->numvals = before;
			return false;
		}
		if (tool < 0 || (tool == done_tool && TextsEqual(done, source)))
			continue;
		registered = ProbeSource(probes, PointerGetDatum(source));
		if (registered->registered)
		{
			if (DatumGetTimestampTz(ProbeEntry(walk, 4, &isnull)) > evaluated_at || !ProbeFetch(walk))
				continue;
			AddFound(walk, registered, first + tool, rows);
		}
		done_tool = tool;
		done = cstring_to_text_with_len(VARDATA_ANY(source), VARSIZE_ANY_EXHDR(source));
	}
	return true;
}

/* Adds the newest reading of each source for all calls. */
static void
ProbeAll(StoredProbes *probes, const Contained *contained, SPITupleTable *rows)
{
	int			count;

	for (int first = 0; first < contained->count; first += count)
	{
		count = CountAlike(contained, first);
		if (count > 1 && WalkTogether(probes, contained, first, count, rows))
			continue;
		for (int i = first; i < first + count; i++)
			ProbeReadings(probes, contained, i, rows);
	}
}

/* Returns the tuple descriptor of the rows, made once per session. */
static TupleDesc
FoundReadings(void)
{
	static TupleDesc tupdesc = NULL;
	static const Oid types[FOUND_COLUMNS] = {JSONBOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID,
	TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID, INT4OID};

	if (tupdesc == NULL)
		tupdesc = FoundShape(types, FOUND_COLUMNS);
	return tupdesc;
}

/*
 * Finds the newest stored reading of each source, for all calls, with the latest
 * snapshot.  The caller's snapshot must not decide what is newest: the caller could
 * take one, of a transaction or a cursor, and wait until another reading says something
 * else.
 */
static SPITupleTable *
FindStored(const Contained *contained, bool *probed)
{
	bool		as_owner = VARSIZE_ANY_EXHDR(contained->terms->tenant) > 0;
	StoredProbes probes;
	SPITupleTable *rows;
	Oid			user;
	int			context;

	PushActiveSnapshot(GetLatestSnapshot());
	/*
	 * roles of tenants have no privilege on the table, because belonging to the tenant is
	 * enough; the operator has all
	 */
	if (as_owner)
		AnswerAsOwner(&user, &context);
	*probed = !WantDocumentFacts(contained) && OpenProbes(&probes, CountAlike(contained, 0) > 1);
	if (*probed)
	{
		rows = FoundRows(FoundReadings());
		ProbeAll(&probes, contained, rows);
		CloseProbes(&probes);
	}
	else
		rows = QueryStored(contained);
	if (as_owner)
		AnswerAsCaller(user, context);
	PopActiveSnapshot();
	return rows;
}

/* Gets the facts that a call wants from the cache; returns false if some are not there. */
static bool
RecallFacts(ToolCall *call, const CallTerms *terms)
{
	bool		all = true;

	for (int i = 0; i < call->nfacts; i++)
	{
		PlacedFact *wanted = &call->facts[i];

		wanted->made = FactRecall(call->tool, call->args_digest, call->readings, call->nreadings, terms,
								  &wanted->place, &wanted->fact, wanted->digest);
		all = all && wanted->made;
	}
	return all;
}

/* Reads the newest stored reading of each source, for all calls.  Runs contained. */
static void
ReadStored(void *arg)
{
	Contained  *contained = arg;
	bool		probed;
	SPITupleTable *rows = FindStored(contained, &probed);
	ToolReading *readings;
	MemoryContext caller = MemoryContextSwitchTo(contained->context);
	uint64		nreadings = rows->numvals;

	readings = palloc_extended(sizeof(ToolReading) * Max(nreadings, 1), MCXT_ALLOC_HUGE);
	for (uint64 i = 0; i < nreadings; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ReadReading(rows, i, &readings[i]);
	}
	qsort(readings, nreadings, sizeof(ToolReading), CompareReadingOrder);
	for (uint64 i = 0; i < nreadings;)
	{
		ToolCall   *call = &contained->calls[readings[i].call];

		CHECK_FOR_INTERRUPTS();
		call->readings = &readings[i];
		while (i < nreadings && readings[i].call == call->readings[0].call)
		{
			i++;
			call->nreadings++;
		}
		call->ok = RecallFacts(call, contained->terms);
		if (!call->ok)
			TakeReadings(rows, call);
	}
	MemoryContextSwitchTo(caller);
	if (!probed)
		pfree(rows);
}

static void
NoteNothingCame(ToolCall *call)
{
	strlcpy(call->failure.sqlstate, "02000", sizeof(call->failure.sqlstate));
	call->failure.message = pstrdup(call->tool->handler ? "the tool returned nothing" :
									"there is no reading for these arguments");
}

/* Reads stored readings for all calls that want them, in one query. */
static void
CallStored(ToolCall *calls, int count, const CallTerms *terms)
{
	ToolCall   *stored = palloc(sizeof(ToolCall) * count);
	ToolCall  **origin = palloc(sizeof(ToolCall *) * count);
	Contained	contained = {stored, 0, terms, CurrentMemoryContext, false};
	CallFailure failure;
	bool		came;

	for (int i = 0; i < count; i++)
	{
		if (calls[i].tool->handler || calls[i].done)
			continue;
		origin[contained.count] = &calls[i];
		stored[contained.count++] = calls[i];
	}
	if (contained.count == 0)
		return;
	came = CallContained(ReadStored, &contained, terms->deadline, terms->deadline_ms,
						 &failure);
	for (int i = 0; i < contained.count; i++)
	{
		*origin[i] = stored[i];
		if (!came)
		{
			origin[i]->nreadings = 0;
			origin[i]->ok = false;
			origin[i]->failure = failure;
		}
		else if (stored[i].nreadings == 0 && stored[i].failure.message == NULL)
			NoteNothingCame(origin[i]);
	}
}

static void
CallOneHandler(ToolCall *call, const CallTerms *terms, bool is_exact)
{
	Contained	contained = {call, 1, terms, CurrentMemoryContext, is_exact};
	instr_time	begun;
	instr_time	took;

	INSTR_TIME_SET_CURRENT(begun);
	if (!CallContained(CallHandler, &contained, terms->deadline, terms->deadline_ms,
					   &call->failure))
		call->nreadings = 0;	/* a late result does not count */
	else if (call->nreadings == 0)
		NoteNothingCame(call);
	INSTR_TIME_SET_CURRENT(took);
	INSTR_TIME_SUBTRACT(took, begun);
	call->took = Max((int64) INSTR_TIME_GET_MICROSEC(took), 1);
}

/*
 * Calls a handler for a check, a question or a fact, and applies the demands of the
 * tool's spec, if it has one.
 */
static void
CallForFact(ToolCall *call, const CallTerms *terms)
{
	JsonView	completed = *call->args;
	ToolCall	demanded = *call;

	if (call->tool->spec.type == JVIEW_ABSENT)
	{
		CallOneHandler(call, terms, false);
		return;
	}
	demanded.args = &completed;
	if (!spec_demands.before(call->tool, &completed, terms, &call->failure))
		return;
	CallOneHandler(&demanded, terms, false);
	call->failure = demanded.failure;
	call->took = demanded.took;
	if (demanded.nreadings == 0 ||
		!spec_demands.after(call->tool, &demanded.readings->raw, &call->failure))
		return;
	call->readings = demanded.readings;
	call->nreadings = demanded.nreadings;
}

/*
 * Calls one handler without making a fact.  The first reading has the raw result, with
 * its numbers as they came.  Returns false if there is no result, and failure says why.
 * The caller applies the tool's spec, except for the right to write.  SPI must be
 * connected.
 */
bool
ToolCallRaw(ToolCall *call, CallTerms *terms)
{
	int			level;

	terms->has_known_at = SnapshotInstant(terms->now, &terms->known_at);
	level = SettleSettings();
	CallOneHandler(call, terms, true);
	AtEOXact_GUC(false, level);
	if (call->nreadings == 0)
		ToolLogFailure(call->tool, "tool", &call->failure);
	return call->nreadings > 0;
}

/* Makes one of the facts that a call wants. */
static void
MakeFact(const ToolCall *call, const FactDraft *draft, bool is_memorable, PlacedFact *wanted)
{
	FactText	text;

	wanted->fact = FactAt(draft, &wanted->place, wanted->digest, is_memorable ? &text : NULL);
	wanted->made = true;
	if (!is_memorable)
		return;
	FactRemember(call->tool, call->args_digest, call->readings, call->nreadings, draft->terms, &wanted->place,
				 &wanted->fact, wanted->digest, &text);
	pfree(text.text.data);
}

/* Makes those facts a call wants that were not in the cache. */
static void
MakeFacts(ToolCall *call, const CallTerms *terms)
{
	bool		is_memorable = FactIsMemorable(call->tool, call->readings, call->nreadings, terms);
	FactDraft	draft;

	FactDraftOf(&draft, call->tool, call->args, call->readings, call->nreadings, terms);
	for (int i = 0; i < call->nfacts; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!call->facts[i].made)
			MakeFact(call, &draft, is_memorable, &call->facts[i]);
	}
	call->ok = true;
}

/*
 * Calls tools and makes their facts.  A call that fails, misses the deadline or has no
 * result is not ok, and says why.  The results in "calls" must be zero on entry.  SPI
 * must be connected.
 */
void
ToolsCall(ToolCall *calls, int count, CallTerms *terms)
{
	int			level;
	bool		handlers = false;
	bool		all_done = true;

	for (int i = 0; i < count; i++)
	{
		handlers = handlers || calls[i].tool->handler;
		all_done = all_done && calls[i].done;
	}
	if (all_done)
		return;
	/* before the handlers get their snapshots */
	terms->has_known_at = SnapshotInstant(terms->now, &terms->known_at);
	terms->had_written = TransactionHasWritten(terms->entered);
	CallStored(calls, count, terms);
	level = handlers ? SettleSettings() : NewGUCNestLevel();
	for (int i = 0; i < count; i++)
	{
		if (calls[i].done)
			continue;
		calls[i].done = true;
		CHECK_FOR_INTERRUPTS();
		if (calls[i].tool->handler)
			CallForFact(&calls[i], terms);
		if (calls[i].ok)
			continue;			/* the facts were in the cache */
		if (calls[i].nreadings > 0)
			MakeFacts(&calls[i], terms);
		else
			ToolLogFailure(calls[i].tool, "tool", &calls[i].failure);
	}
	AtEOXact_GUC(false, level);
}

/*
 * Returns the digest of the stored reading of a call's fact; empty if it is not from a
 * stored reading.
 */
Span
ToolCallReading(const ToolCall *call)
{
	Span		none = {"", 0};

	return call->nreadings > 0 ? call->readings[0].digest : none;
}

/*
 * SQL
 */

/*
 * Raises an error: the tenant sees no tool of that name.  The hint has similar names.
 * SPI must be connected.
 */
void
ToolRaiseUnknown(const text *tenant, Span name)
{
	Span		closest[CLOSEST_TOOLS];
	int			count = ToolsClosest(tenant, name, closest);
	StringInfoData names;

	initStringInfo(&names);
	for (int i = 0; i < count; i++)
		appendStringInfo(&names, "%s\"%s\"", i > 0 ? ", " : "",
						 TextDatumGetCString(SpanDatum(closest[i])));
	ereport(ERROR,
			(errcode(ERRCODE_NO_DATA_FOUND),
			 errmsg("unknown tool \"%s\"", TextDatumGetCString(SpanDatum(name))),
			 count > 0 ? errhint("The closest registered tools, the closest one first: %s.", names.data) :
			 errhint("answer_coverage() lists the tools that are registered; answer_tool_register() registers one.")));
}

/*
 * Tells the operator that a tool is a tenant's.  It does not run for anybody else, not
 * even for a superuser who has not chosen that tenant.
 */
static void
RefuseTenantsTool(text *name)
{
	static FixedQuery query = {
		.text = "SELECT FROM answer.tool WHERE tool OPERATOR(pg_catalog.=) $1"
		" AND tenant OPERATOR(pg_catalog.=) ANY ($2)",
		.argtypes = {TEXTOID, TEXTARRAYOID}
	};
	Datum		values[2] = {PointerGetDatum(name)};

	if (!IsOperatorForAll())
		return;
	values[1] = PointerGetDatum(AllTenants());
	if (QueryFound(QueryRunAsOwner(&query, values, NULL, true, 1)))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("tool \"%s\" is a tenant's", text_to_cstring(name)),
				 errhint("Set answer_eval.tenant to that tenant.")));
}

/* answer_fact(tool, args, evaluated_at) */
PG_FUNCTION_INFO_V1(answer_eval_fact);
Datum
answer_eval_fact(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	text	   *name = PG_GETARG_TEXT_PP(0);
	Tool		tool;
	JsonView	args;
	JsonView	defaulted;
	ToolCall	call;
	PlacedFact	primary;
	SigningKey	key;
	CallTerms	terms = {.evaluated_at = PG_GETARG_TIMESTAMPTZ(2),
		.deadline_ms = REQUEST_DEFAULT_DEADLINE_MS, .key = &key};
	Span		argument;
	const char *problem;
	Jsonb	   *result = NULL;

	tool.name = Utf8OfText(name);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &args);
	if (args.type != JVIEW_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("args must be an object")));
	args = PortableCopy(&args);
	SPI_connect();
	terms.entered = WritesEnter();
	terms.tenant = CurrentTenant();
	ToolsFind(terms.tenant, &tool, 1);
	if (!tool.registered)
	{
		RefuseTenantsTool(name);
		ToolRaiseUnknown(terms.tenant, tool.name);
	}
	problem = ToolWhyUnaskable(&tool);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("no fact can rest on tool \"%s\": %s", text_to_cstring(name), problem),
				 errhint("Make it a step of a plan.")));
	(void) ToolDefaults(&tool, &args, &defaulted);
	problem = ToolArgumentProblem(&tool, &args, &argument);
	if (problem)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("tool \"%s\", argument \"%s\": %s", text_to_cstring(name),
						TextDatumGetCString(SpanDatum(argument)), problem)));
	SigningKeyBeginUnstored(&key, &terms.now);
	/* the default is the start of this statement, which counts as now */
	if (terms.evaluated_at >= GetCurrentStatementStartTimestamp() &&
		terms.evaluated_at <= terms.now)
		terms.evaluated_at = terms.now;
	terms.deadline = TimestampTzPlusMilliseconds(terms.now, terms.deadline_ms);
	memset(&call, 0, sizeof(call));
	memset(&primary, 0, sizeof(primary));
	call.tool = &tool;
	call.args = &args;
	call.nfacts = 1;
	call.facts = &primary;
	CanonicalDigest(&args, NULL, call.args_digest);
	ToolsCall(&call, 1, &terms);
	if (call.ok)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		result = JsonViewToJsonb(&primary.fact, false);
		MemoryContextSwitchTo(spi);
	}
	else if (strcmp(call.failure.sqlstate, "02000") != 0)
		ereport(ERROR,
				(errcode(CallFailureCode(&call.failure)),
				 errmsg("tool \"%s\" failed: %s", text_to_cstring(name),
						call.failure.message)));
	SPI_finish();
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result);
}
