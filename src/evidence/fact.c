/*-------------------------------------------------------------------------
 *
 * fact.c
 *		Makes facts from readings.
 *
 * A raw result becomes a fact (fact/v1).  The fact has the raw result, its
 * primary value, its origin, and a verification, all of whose signals are
 * computed here.  Rule: doc/spec/answer-eval.md §7.
 *
 * Of stored readings, the newest one of each source counts, as of the instant of
 * evaluation: what was observed later is not known yet.  The newest of all
 * becomes the fact; the others corroborate it or conflict with it.  Agreement on
 * the primary value says nothing about other values in the readings.  So a check
 * that looks at a path gets the fact with a verification of the value at that
 * path.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/rfc3339.h"
#include "base/writes.h"
#include "document/kind.h"
#include "document/tombstone.h"
#include "evidence/fact.h"
#include "evidence/grader.h"

/* Follows a path into a raw result; returns an absent view if it does not resolve. */
static JsonView
AtPath(const JsonView *raw, const Path *path)
{
	JsonView	value;

	if (PathResolve(path, raw, &value) < path->count)
		value.type = JVIEW_ABSENT;
	return value;
}

/*
 * Reads what the tool's paths find in a raw result.  If a handler claims an observation
 * later than it can know, that is ignored.
 */
static void
ReadPaths(const Tool *tool, ToolReading *reading, const CallTerms *terms)
{
	JsonView	view;

	if (tool->has_value_path)
		reading->value = AtPath(&reading->raw, &tool->value_path);
	else if (!JVIEW_IS_CONTAINER(&reading->raw))
		reading->value = reading->raw;	/* a scalar result is its own value */
	if (tool->has_timestamp_path)
	{
		view = AtPath(&reading->raw, &tool->timestamp_path);
		reading->has_observed_at = InstantOfView(&view, &reading->observed_at) &&
			InstantIsWritable(reading->observed_at);
		if (tool->handler)
		{
			reading->has_observed_at &= terms->has_known_at;
			reading->observed_at = Min(reading->observed_at, terms->known_at);
		}
	}
	if (tool->has_source_path)
	{
		view = AtPath(&reading->raw, &tool->source_path);
		if (view.type == JVIEW_STRING)
		{
			reading->source.str = view.str;
			reading->source.len = view.len;
			reading->names_source = true;
		}
	}
}

/* Is a reading before its expiry or, if it has none, not older than the tool allows? */
bool
FactIsFresh(const Tool *tool, const ToolReading *reading, TimestampTz evaluated_at)
{
	if (!reading->has_observed_at)
		return false;
	if (reading->has_expires)
		return evaluated_at <= reading->expires;
	return tool->has_freshness &&
		(evaluated_at <= reading->observed_at ||
		 (uint64) evaluated_at - (uint64) reading->observed_at <= (uint64) tool->freshness);
}

/* Returns a reading as the object whose digest identifies it. */
static JsonView
ReadingContent(Span tool, const JsonView *args, const ToolReading *reading)
{
	JsonView	content = JsonViewNewObject(6);

	/* set in the order in which they are written, which saves sorting; likewise below */
	JsonViewSet(&content, "args", *args);
	JsonViewSet(&content, "expires",
				reading->has_expires ? InstantView(reading->expires) : JsonViewNull());
	JsonViewSet(&content, "observed_at",
				reading->has_observed_at ? InstantView(reading->observed_at) : JsonViewNull());
	JsonViewSet(&content, "raw", reading->raw);
	JsonViewSet(&content, "source", SpanViewOrNull(reading->source));
	JsonViewSet(&content, "tool", JsonViewString(tool.str, tool.len));
	return content;
}

/* Computes the digest of a reading, which identifies it.  All of it must be portable. */
void
ReadingDigest(Span tool, const JsonView *args, const JsonView *raw, Span source,
			  TimestampTz observed_at, const TimestampTz *expires, char *digest)
{
	ToolReading reading = {
		.raw = *raw,
		.source = source,
		.has_observed_at = true,
		.observed_at = observed_at,
		.has_expires = expires != NULL,
		.expires = expires ? *expires : 0
	};
	JsonView	content = ReadingContent(tool, args, &reading);

	CanonicalDigest(&content, NULL, digest);
}

static JsonView
FactId(const Tool *tool, const JsonView *args, const ToolReading *reading)
{
	char	   *id = palloc(FACT_ID_LENGTH + 1);
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (reading->digest.len > 0)
		memcpy(digest, reading->digest.str, DIGEST_TEXT_LENGTH);
	else
	{
		JsonView	content = ReadingContent(tool->name, args, reading);

		CanonicalDigest(&content, NULL, digest);
	}
	FactIdOfReading(digest, id);
	return JsonViewCString(id);
}

/* Computes the digest of a fact, over everything but its attestation and its raw result. */
void
FactDigest(const JsonView *fact, char *digest)
{
	static const CanonicalOmit omit = {2, {"attestation", "raw"}};

	CanonicalDigest(fact, &omit, digest);
}

/*
 * Does the same for a fact without an attestation, and keeps its text, which includes the
 * raw result.
 */
static void
FactDigestKeeping(const JsonView *fact, FactText *text, char *digest)
{
	static const CanonicalOmit none = {0};

	initStringInfo(&text->text);
	text->raw.key = "raw";
	text->raw.missing = "attestation";
	text->levels = CanonicalWriteMarking(&text->text, fact, &none, &text->raw, false);
	CanonicalDigestWithout(&text->text, &text->raw, digest);
}

/*
 * Returns a note on how a fact was made.  It says so if the caller chose the instant at
 * which the fact was judged, or if what the fact depends on can still be rolled back.
 */
static const char *
FactNote(const Tool *tool, const CallTerms *terms)
{
	const char *how = tool->handler ? "called by answer_eval" : "stored reading";
	char		instant[INSTANT_SIZE];

	if (tool->handler ? TransactionHasWritten(terms->entered) : terms->had_written)
		how = psprintf("%s in a transaction that had written", how);
	if (terms->evaluated_at == terms->now)
		return psprintf("%s, attested with its key", how);
	InstantFormat(terms->evaluated_at, instant);
	return psprintf("%s, judged as of %s, attested with its key", how, instant);
}

/*
 * Makes the verification of the value at a place.  It also has the freshness that the
 * tool declares, in seconds.  Together with the timestamp, it gives the signal "fresh"
 * if the fact has no "expires".
 */
static JsonView
MakeVerification(const FactDraft *draft, const Place *place)
{
	const Tool *tool = draft->tool;
	SourceReading *compared = palloc_extended(sizeof(SourceReading) * (Size) draft->count, MCXT_ALLOC_HUGE);
	FactSignals signals;
	int			sources;
	JsonView	verification;
	JsonView	seconds;

	for (int i = 0; i < draft->count; i++)
	{
		const ToolReading *reading = &draft->readings[i];

		compared[i] = (SourceReading) {.source = reading->source, .group = reading->group, .fresh = reading->fresh,
			.value = place->path ? AtPath(&reading->raw, place->path) : reading->value};
	}
	sources = SourcesCompare(compared, draft->count, &signals.conflict);
	signals.corroborated = SourceIsCorroborated(&compared[0]);
	signals.is_signed = true;
	signals.source_present = compared[0].source.len > 0;
	signals.fresh = compared[0].fresh;
	verification = VerificationView(&signals, tool->basis, place->text, sources, NULL,
									SourcesNote(draft->note, &compared[0], sources));
	pfree(compared);
	if (!tool->has_freshness)
		return verification;
	seconds = JsonViewOfNumeric(int64_div_fast_to_numeric(tool->freshness, 6));
	(void) JsonViewPortable(&seconds, &seconds);
	JsonViewSet(&verification, "freshness_s", seconds);
	return verification;
}

bool
IsDocumentFactTool(const Tool *tool)
{
	return tool->builtin && SpanEqualCString(tool->name, DOCUMENT_FACT_TOOL);
}

/* Adds where in a document a fact was found, and by whom, from the reading. */
static void
AddDocumentProvenance(JsonView *provenance, const JsonView *raw)
{
	static const char *const members[] = {"chunk_id", "quote", "by", "role"};

	for (size_t i = 0; i < lengthof(members); i++)
	{
		JsonView	member;

		if (JsonViewGetMember(raw, members[i], &member))
			JsonViewSet(provenance, members[i], member);
	}
}

/* Returns the unit of a fact: the tool's, or the document's own. */
static JsonView
UnitOf(const Tool *tool, const JsonView *raw)
{
	JsonView	unit;

	if (IsDocumentFactTool(tool) && JsonViewGetMember(raw, "unit", &unit) && unit.type == JVIEW_STRING)
		return unit;
	return SpanViewOrNull(tool->unit);
}

/* Makes a fact without its verification and its attestation. */
static JsonView
BuildFact(const Tool *tool, const JsonView *args, const ToolReading *primary, const CallTerms *terms)
{
	JsonView	fact = JsonViewNewObject(16);
	JsonView	provenance = JsonViewNewObject(7);
	JsonView	entity = JsonViewNull();
	Quality		quality;

	if (tool->has_entity_path)
	{
		entity = AtPath(&primary->raw, &tool->entity_path);
		if (entity.type == JVIEW_ABSENT)
			entity = JsonViewNull();
	}
	JsonViewSet(&provenance, "licence", SpanViewOrNull(primary->licence));
	JsonViewSet(&provenance, "source", SpanViewOrNull(primary->source));
	JsonViewSet(&provenance, "source_url", SpanViewOrNull(primary->url));
	if (IsDocumentFactTool(tool))
		AddDocumentProvenance(&provenance, &primary->raw);

	JsonViewSet(&fact, "args", *args);
	JsonViewSet(&fact, "category", SpanViewOrNull(tool->category));
	JsonViewSet(&fact, "country", SpanViewOrNull(tool->country));
	JsonViewSet(&fact, "entity", entity);
	JsonViewSet(&fact, "expires", primary->has_expires ? InstantView(primary->expires) : JsonViewNull());
	JsonViewSet(&fact, "fact", JsonViewString(tool->name.str, tool->name.len));
	JsonViewSet(&fact, "id", FactId(tool, args, primary));
	JsonViewSet(&fact, "provenance", provenance);
	if (FactQuality(tool, &primary->raw, terms, &quality))
		JsonViewSet(&fact, "quality", JsonViewCString(quality_labels[quality]));
	JsonViewSet(&fact, "raw", primary->raw);
	JsonViewSet(&fact, "timestamp",
				primary->has_observed_at ? InstantView(primary->observed_at) : JsonViewNull());
	JsonViewSet(&fact, "unit", UnitOf(tool, &primary->raw));
	if (primary->value.type != JVIEW_ABSENT)
		JsonViewSet(&fact, "value", primary->value);
	return fact;
}

/*
 * Makes the fact for a place, and writes its digest.  "text", if not NULL, receives its
 * canonical form.
 */
JsonView
FactAt(const FactDraft *draft, const Place *place, char *digest, FactText *text)
{
	JsonView	fact = JsonViewCopyWithout(&draft->fact, NULL, 0, 2);
	JsonView	attestation;
	char		signature[SIGNATURE_TEXT_LENGTH + 1];

	JsonViewSet(&fact, "verification", MakeVerification(draft, place));
	if (text)
		FactDigestKeeping(&fact, text, digest);
	else
		FactDigest(&fact, digest);
	SigningKeyAttest(draft->terms->key, digest, signature);
	attestation = SignatureView(draft->terms->key, signature);
	JsonViewSet(&fact, "attestation", attestation);
	if (text)
		CanonicalAddMissing(&text->text, &text->raw, &attestation);
	return fact;
}

/*
 * Sets the registered properties of a reading's source.  A stored reading has those of
 * the source that recorded it, a handler's result those of the tool's source.
 */
static void
DescribeSource(const Tool *tool, ToolReading *reading)
{
	Source		source = {tool->group, tool->source_url, tool->licence};

	if (!reading->names_source && !tool->handler)
		return;
	if (reading->names_source)
		SourceFind(reading->source, &source);
	reading->group = source.group;
	reading->url = source.url;
	reading->licence = source.licence;
}

/* Makes a draft of the fact for the readings of a tool; the first one is the primary one. */
void
FactDraftOf(FactDraft *draft, const Tool *tool, const JsonView *args, ToolReading *readings, int count,
			const CallTerms *terms)
{
	for (int i = 0; i < count; i++)
	{
		ToolReading *reading = &readings[i];

		CHECK_FOR_INTERRUPTS();
		ReadPaths(tool, reading, terms);
		reading->fresh = FactIsFresh(tool, reading, terms->evaluated_at);
		DescribeSource(tool, reading);
	}
	draft->tool = tool;
	draft->readings = readings;
	draft->count = count;
	draft->terms = terms;
	draft->note = FactNote(tool, terms);
	draft->fact = BuildFact(tool, args, &readings[0], terms);
}

/*
 * facts supplied by a caller
 */

/* Reads a supplied fact as a reading; nothing in it is trusted. */
static void
SuppliedReading(const JsonView *fact, TimestampTz evaluated_at, SourceReading *reading)
{
	JsonView	view;
	JsonView	provenance;
	TimestampTz observed_at;
	TimestampTz expires;
	Source		source;

	memset(reading, 0, sizeof(*reading));
	reading->fresh = JsonViewGetMember(fact, "timestamp", &view) && InstantOfView(&view, &observed_at) &&
		JsonViewGetMember(fact, "expires", &view) && InstantOfView(&view, &expires) &&
		evaluated_at <= expires;
	if (JsonViewGetMember(fact, "provenance", &provenance))
		JsonViewGetString(&provenance, "source", &reading->source);
	SourceFind(reading->source, &source);
	reading->group = source.group;
}

/*
 * Returns the fact without its verification and any attestation.  If the tool has a
 * grader, the fact's quality is replaced; otherwise it is the producer's.
 */
static JsonView
WithoutVerification(const Tool *tool, const JsonView *fact, const CallTerms *terms)
{
	static const char *const omitted[] = {"verification", "attestation", "quality"};
	JsonView	result = JsonViewCopyWithout(fact, omitted, tool->graded ? 3 : 2, 2);
	JsonView	raw = JsonViewUnder(fact, "raw");
	Quality		quality;

	if (tool->graded && FactQuality(tool, &raw, terms, &quality))
		JsonViewSet(&result, "quality", JsonViewCString(quality_labels[quality]));
	return result;
}

/* Reads facts that a caller supplied for one tool and one set of arguments.  SPI must be connected. */
void
SuppliedDraftOf(SuppliedDraft *draft, const Tool *tool, const JsonView *facts, int count, const CallTerms *terms)
{
	draft->count = count;
	draft->facts = palloc_extended(sizeof(JsonView) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	draft->readings = palloc_extended(sizeof(SourceReading) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		SuppliedReading(&facts[i], terms->evaluated_at, &draft->readings[i]);
		draft->facts[i] = WithoutVerification(tool, &facts[i], terms);
	}
}

/* Returns the value at a place of a supplied fact. */
static JsonView
SuppliedValue(const JsonView *fact, const Place *place)
{
	JsonView	view;

	if (!JsonViewGetMember(fact, place->path ? "raw" : "value", &view) || place->path == NULL)
		return view;
	return AtPath(&view, place->path);
}

/* Computes the verification of supplied facts for a place.  They are never signed. */
void
SuppliedFactsAt(const SuppliedDraft *draft, const Place *place, JsonView *facts)
{
	static const Span basis = {"producer-reported", 17};
	FactSignals signals = {.is_signed = false};
	int			sources;

	for (int i = 0; i < draft->count; i++)
		draft->readings[i].value = SuppliedValue(&draft->facts[i], place);
	sources = SourcesCompare(draft->readings, draft->count, &signals.conflict);
	for (int i = 0; i < draft->count; i++)
	{
		const SourceReading *reading = &draft->readings[i];

		CHECK_FOR_INTERRUPTS();
		signals.source_present = reading->source.len > 0;
		signals.fresh = reading->fresh;
		signals.corroborated = SourceIsCorroborated(reading);
		facts[i] = JsonViewCopyWithout(&draft->facts[i], NULL, 0, 1);
		JsonViewSet(&facts[i], "verification",
					VerificationView(&signals, basis, place->text, sources, "producer-reported",
									 SourcesNote("supplied with the request; not attested", reading, sources)));
	}
}

/*
 * SQL
 */

/*
 * answer.evidence_digest(tool, args, raw, source, observed_at, expires): the digest
 * that identifies a reading.  Its arguments are portable already.
 */
PG_FUNCTION_INFO_V1(answer_eval_evidence_digest);
Datum
answer_eval_evidence_digest(PG_FUNCTION_ARGS)
{
	text	   *tool;
	text	   *source;
	JsonView	args;
	JsonView	raw;
	TimestampTz expires = 0;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	for (int i = 0; i < 5; i++)
	{
		if (PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("only expires may be null")));
	}
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "tool");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "args");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "raw");
	LimitArgument(fcinfo, 3, DOCUMENT_MAX_SIZE, "source");
	tool = PG_GETARG_TEXT_PP(0);
	source = PG_GETARG_TEXT_PP(3);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &args);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(2), &raw);
	if (!PG_ARGISNULL(5))
		expires = PG_GETARG_TIMESTAMPTZ(5);
	ReadingDigest(Utf8OfText(tool), &args, &raw, Utf8OfText(source), PG_GETARG_TIMESTAMPTZ(4),
				  PG_ARGISNULL(5) ? NULL : &expires, digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/*
 * forgetting readings
 */

static FixedQuery erase_reading = {
	.text = "DELETE FROM answer.evidence WHERE tenant OPERATOR(pg_catalog.=) $1"
	" AND digest OPERATOR(pg_catalog.=) $2 RETURNING tenant, tool, args_digest, source",
	.argtypes = {TEXTOID, TEXTOID}
};

static FixedQuery erase_series = {
	.text = "DELETE FROM answer.evidence_series AS s WHERE s.tenant OPERATOR(pg_catalog.=) $1"
	" AND s.tool OPERATOR(pg_catalog.=) $2 AND s.args_digest OPERATOR(pg_catalog.=) $3"
	" AND s.source OPERATOR(pg_catalog.=) $4"
	" AND NOT EXISTS (SELECT FROM answer.evidence e"
	"  WHERE e.tenant OPERATOR(pg_catalog.=) s.tenant"
	"  AND e.tool OPERATOR(pg_catalog.=) s.tool"
	"  AND e.args_digest OPERATOR(pg_catalog.=) s.args_digest"
	"  AND e.source OPERATOR(pg_catalog.=) s.source)",
	.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTOID}
};

static FixedQuery reading_of_fact = {
	.text = "SELECT digest FROM answer.evidence WHERE tool OPERATOR(pg_catalog.=) $1"
	" AND args_digest OPERATOR(pg_catalog.=) $2 AND pg_catalog.starts_with(digest, $3)"
	" AND tenant OPERATOR(pg_catalog.=) ANY ($4)",
	.argtypes = {TEXTOID, TEXTOID, TEXTOID, TEXTARRAYOID}
};

const EraseQueries evidence_erasing = {
	.reading = &erase_reading,
	.series = &erase_series,
	.reading_of_fact = &reading_of_fact
};
