/*-------------------------------------------------------------------------
 *
 * record.c
 *		Stores readings.
 *
 * The SQL function answer.evidence_add_check() decides whether a reading may be stored.
 * C code stores it here, with a code that only C code can make (document/stored_row.c).
 * So a reading that the owner of the tables inserts by hand does not count as recorded,
 * and the audit reports it.  The code covers the reading's tenant, its digest, which
 * covers its content, and the time of storing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/owner.h"
#include "base/snapshot.h"
#include "base/spi_query.h"
#include "base/tenant.h"
#include "document/stored_row.h"
#include "evidence/fact.h"
#include "keys/keyring.h"

/* The arguments of answer_evidence_add(). */
enum
{
	ARG_TOOL, ARG_ARGS, ARG_RAW, ARG_SOURCE, ARG_OBSERVED_AT, ARG_EXPIRES
};

/* A reading in the form that is stored. */
typedef struct Reading
{
	Datum		tenant;
	Datum		digest;
	Datum		tool;
	Datum		args;
	Datum		args_digest;
	Datum		raw;
	Datum		source;
	Datum		observed_at;
	bool		has_expires;
	Datum		expires;
} Reading;

static Datum
DigestDatum(const char *digest)
{
	return PointerGetDatum(cstring_to_text_with_len(digest, DIGEST_TEXT_LENGTH));
}

/* Returns a document in portable form. */
static Datum
PortableDatum(const JsonView *given, JsonView *portable)
{
	Jsonb	   *jsonb = JsonViewToJsonb(given, true);

	JsonViewOfJsonb(jsonb, portable);
	return JsonbPGetDatum(jsonb);
}

static void
ReadReading(FunctionCallInfo fcinfo, Reading *reading)
{
	JsonView	given = JsonViewNewObject(0);
	JsonView	args;
	JsonView	raw;
	TimestampTz expires = 0;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (PG_ARGISNULL(ARG_TOOL) || PG_ARGISNULL(ARG_RAW) || PG_ARGISNULL(ARG_SOURCE) || PG_ARGISNULL(ARG_OBSERVED_AT))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("tool, raw, source and observed_at must not be null")));
	LimitArgument(fcinfo, ARG_TOOL, DOCUMENT_MAX_SIZE, "tool");
	LimitArgument(fcinfo, ARG_ARGS, ARGUMENT_MAX_SIZE, "args");
	LimitArgument(fcinfo, ARG_RAW, DOCUMENT_MAX_SIZE, "raw");
	LimitArgument(fcinfo, ARG_SOURCE, DOCUMENT_MAX_SIZE, "source");
	reading->tool = PG_GETARG_DATUM(ARG_TOOL);
	reading->source = PG_GETARG_DATUM(ARG_SOURCE);
	reading->observed_at = PG_GETARG_DATUM(ARG_OBSERVED_AT);
	reading->has_expires = !PG_ARGISNULL(ARG_EXPIRES);
	reading->expires = PG_GETARG_DATUM(ARG_EXPIRES);
	if (!PG_ARGISNULL(ARG_ARGS))
		JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_ARGS), &given);
	reading->args = PortableDatum(&given, &args);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(ARG_RAW), &given);
	reading->raw = PortableDatum(&given, &raw);
	CanonicalDigest(&args, NULL, digest);
	reading->args_digest = DigestDatum(digest);
	if (reading->has_expires)
		expires = PG_GETARG_TIMESTAMPTZ(ARG_EXPIRES);
	ReadingDigest(Utf8OfText(PG_GETARG_TEXT_PP(ARG_TOOL)), &args, &raw, Utf8OfText(PG_GETARG_TEXT_PP(ARG_SOURCE)),
				  PG_GETARG_TIMESTAMPTZ(ARG_OBSERVED_AT), reading->has_expires ? &expires : NULL, digest);
	reading->digest = DigestDatum(digest);
}

/* Raises an error if a reading may not be stored.  Runs as the owner. */
static void
CheckReading(FmgrInfo *caller, const Reading *reading)
{
	static const Oid types[] = {TEXTOID, TEXTOID, JSONBOID, JSONBOID, TEXTOID, TEXTOID};
	FmgrInfo   *check = caller->fn_extra;

	if (check == NULL)
	{
		List	   *name = list_make2(makeString(get_namespace_name(AnswerSchema())), makeString("evidence_add_check"));

		check = MemoryContextAllocZero(caller->fn_mcxt, sizeof(FmgrInfo));
		fmgr_info_cxt(LookupFuncName(name, lengthof(types), types, false), check, caller->fn_mcxt);
		caller->fn_extra = check;
	}
	(void) FunctionCall6(check, reading->tenant, reading->tool, reading->args, reading->raw, reading->source,
						 reading->digest);
}

/* Stores a reading, unless it exists already.  Runs as the owner; SPI must be connected. */
static void
StoreReading(const Reading *reading)
{
	static FixedQuery insert = {
		.text = "WITH series AS (INSERT INTO answer.evidence_series (tenant, tool, args_digest, source)"
		" VALUES ($1, $3, $5, $7) ON CONFLICT DO NOTHING)"
		" INSERT INTO answer.evidence (tenant, digest, tool, args, args_digest, raw, source, observed_at, expires,"
		" recorded_at, mac) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING",
		.argtypes = {TEXTOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID, JSONBOID, TEXTOID, TIMESTAMPTZOID, TIMESTAMPTZOID,
			TIMESTAMPTZOID, BYTEAOID}
	};
	SigningKey	key;
	TimestampTz recorded_at;

	SigningKeyChooseForRow(&key, &recorded_at);
	{
		const StoredColumn columns[] = {
			{"tenant", reading->tenant, false}, {"digest", reading->digest, false},
			{"recorded_at", TimestampTzGetDatum(recorded_at), false}
		};
		Datum		values[] = {
			reading->tenant, reading->digest, reading->tool, reading->args, reading->args_digest, reading->raw,
			reading->source, reading->observed_at, reading->expires, TimestampTzGetDatum(recorded_at),
			StoredRowMac(&key, "evidence", columns, lengthof(columns))
		};

		(void) QueryRun(&insert, values, reading->has_expires ? NULL : "        n  ", false, 0);
	}
}

/* answer_evidence_add(tool, args, raw, source, observed_at, expires) */
PG_FUNCTION_INFO_V1(answer_eval_evidence_add);
Datum
answer_eval_evidence_add(PG_FUNCTION_ARGS)
{
	Reading		reading = {.tenant = PointerGetDatum(CurrentTenant())};
	Oid			user;
	int			context;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	ReadReading(fcinfo, &reading);
	AnswerAsOwner(&user, &context);
	CheckReading(fcinfo->flinfo, &reading);
	SPI_connect();
	StoreReading(&reading);
	SPI_finish();
	AnswerAsCaller(user, context);
	PG_RETURN_DATUM(reading.digest);
}
