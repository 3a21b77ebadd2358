/*-------------------------------------------------------------------------
 *
 * document_fact.c
 *		Facts that were read from documents.
 *
 * Rule: doc/spec/decision.md §2.7.  The caller has read the facts, and gives the words
 * that state them.  Two things are checked: the quoted words are next to each other in one
 * chunk of the document, and they contain the value, as a value of reading/1 if it is one,
 * else by its words.
 *
 * Promises: a refusal names the fact and what was not found.  Nothing is stored here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/limits.h"
#include "base/option.h"
#include "check/operator.h"
#include "ground/current_rules.h"
#include "ground/document_fact.h"
#include "ground/environment.h"
#include "ground/folded_text.h"
#include "ground/question_options.h"
#include "reading/text.h"

#define MOST_FACTS	10000

const char	fact_readings[] = "answer.document_fact_readings($4, q.args, $3)";

static const char facts_hint[] =
"A fact is {\"subject\", \"attribute\", \"value\", \"quote\"} and perhaps \"unit\", \"scope\" and \"chunk_id\".";

/* A chunk of the document, with its reading. */
typedef struct ReadChunk
{
	Span		chunk_id;
	const Reading *reading;
} ReadChunk;

/* State of one call. */
typedef struct FactReading
{
	Reader	   *reader;
	int			nchunks;
	ReadChunk  *chunks;
	int			place;			/* index of the current fact */
} FactReading;

static _Noreturn void
RefuseFact(const FactReading *facts, const char *problem)
{
	MalformedArgument(psprintf("facts[%d] %s", facts->place, problem), facts_hint);
}

/* Reads a text of a fact. It must not be blank; if optional, it may be missing, and is empty then. */
static Span
FactText(const FactReading *facts, const JsonView *fact, const char *key, bool must)
{
	JsonView	view;

	if (!JsonViewGetMember(fact, key, &view) || view.type == JVIEW_NULL)
	{
		if (must)
			RefuseFact(facts, psprintf("has no \"%s\"", key));
		return SpanOf("", 0);
	}
	if (view.type != JVIEW_STRING || TrimWhiteSpace(SpanOf(view.str, view.len)).len == 0)
		RefuseFact(facts, psprintf("has as \"%s\" %s, which must be a text that is not blank", key, ShownValue(&view)));
	return SpanOf(view.str, view.len);
}

/* Returns a value as text: a string, a number, true or false. */
static Span
ValueText(const FactReading *facts, const JsonView *fact, JsonView *value)
{
	PlainNumber plain;

	if (!JsonViewGetMember(fact, "value", value))
		RefuseFact(facts, "has no \"value\"");
	if (value->type == JVIEW_STRING && TrimWhiteSpace(SpanOf(value->str, value->len)).len > 0)
		return TrimWhiteSpace(SpanOf(value->str, value->len));
	if (value->type == JVIEW_BOOL)
		return SpanOfCString(value->boolean ? "true" : "false");
	if (value->type == JVIEW_NUMBER && NumberPlain(value, &plain))
		return SpanOf(pnstrdup(plain.text, plain.len), plain.len);
	RefuseFact(facts, psprintf("has as \"value\" %s, which must be a text that is not blank, a number, true or false",
							   ShownValue(value)));
}

/* Is the whole text one value? */
static bool
IsOneValue(const Reading *reading)
{
	return reading->nvalues == 1 && reading->values[0].begin == 0 &&
		reading->values[0].end == reading->words.text.len;
}

static bool
HoldsValue(const FactReading *facts, const Reading *quote, Span value, Span unit)
{
	const Reading *alone = ReadText(facts->reader, value);

	if (unit.len > 0)
	{
		StringInfoData whole;
		const Reading *with_unit;

		initStringInfo(&whole);
		appendBinaryStringInfo(&whole, value.str, value.len);
		appendStringInfoChar(&whole, ' ');
		appendBinaryStringInfo(&whole, unit.str, unit.len);
		with_unit = ReadText(facts->reader, SpanOf(whole.data, whole.len));
		if (IsOneValue(with_unit))
			return ReadingHasValue(quote, &with_unit->values[0]);
	}
	if (IsOneValue(alone))
		return ReadingHasValue(quote, &alone->values[0]);
	return ReadingHasRun(quote, alone);
}

/* Returns the chunk that contains a quote: the named one, or the first. */
static Span
ChunkOfQuote(const FactReading *facts, const Reading *quote, Span named, Span text)
{
	bool		is_there = false;

	for (int i = 0; i < facts->nchunks; i++)
	{
		const ReadChunk *chunk = &facts->chunks[i];

		CHECK_FOR_INTERRUPTS();
		if (named.len > 0 && !SpanEqual(named, chunk->chunk_id))
			continue;
		is_there = true;
		if (ReadingHasRun(chunk->reading, quote))
			return chunk->chunk_id;
	}
	if (named.len > 0 && !is_there)
		RefuseFact(facts, psprintf("names chunk \"%s\", which is none of the document's newest version",
								   text_to_cstring(TextOfUtf8(named))));
	RefuseFact(facts, psprintf("is quoted as \"%s\", which does not stand in %s",
							   text_to_cstring(TextOfUtf8(text)),
							   named.len > 0 ? "that chunk" : "any chunk of the document's newest version"));
}

/*
 * Computes a digest of what a fact is about; facts about the same thing have the
 * same digest. scope is empty if there is none.
 */
static void
DocumentFactKey(Span subject, Span attribute, Span scope, char *digest)
{
	JsonView	parts = JsonViewNewArray(3);
	Span		texts[3] = {subject, attribute, scope};

	for (size_t i = 0; i < lengthof(texts); i++)
	{
		Span		folded = FoldedText(texts[i]);

		JsonViewAppend(&parts, JsonViewString(folded.str, folded.len));
	}
	CanonicalDigest(&parts, NULL, digest);
}

/* Reads one fact, and returns what is stored of it. */
static JsonView
ReadFact(const FactReading *facts, const JsonView *fact)
{
	static const char *const known[] = {"subject", "attribute", "value", "unit", "scope", "quote", "chunk_id", NULL};
	JsonView	stored = JsonViewNewObject(9);
	char	   *digest = palloc(DIGEST_TEXT_LENGTH + 1);
	char	   *key = palloc(DIGEST_TEXT_LENGTH + 1);
	Span		unknown;
	Span		subject;
	Span		attribute;
	Span		scope;
	Span		unit;
	Span		quote;
	Span		chunk_id;
	Span		value;
	JsonView	given;
	const Reading *reading;

	if (fact->type != JVIEW_OBJECT)
		RefuseFact(facts, psprintf("must be an object, and is %s", ShownValue(fact)));
	if (!HasOnlyKeys(fact, known, &unknown))
		RefuseFact(facts, psprintf("has an unknown member \"%s\"",
								   text_to_cstring(TextOfUtf8(unknown))));
	subject = FactText(facts, fact, "subject", true);
	attribute = FactText(facts, fact, "attribute", true);
	scope = FactText(facts, fact, "scope", false);
	unit = FactText(facts, fact, "unit", false);
	quote = FactText(facts, fact, "quote", true);
	value = ValueText(facts, fact, &given);
	reading = ReadText(facts->reader, quote);
	chunk_id = ChunkOfQuote(facts, reading, FactText(facts, fact, "chunk_id", false), quote);
	if (!HoldsValue(facts, reading, value, unit))
		RefuseFact(facts, psprintf("has the value %s%s%s, which its quote does not hold", ShownValue(&given),
								   unit.len > 0 ? " " : "",
								   unit.len > 0 ? text_to_cstring(TextOfUtf8(unit)) : ""));
	DocumentFactKey(subject, attribute, scope, key);
	JsonViewSet(&stored, "subject", SpanViewOrNull(subject));
	JsonViewSet(&stored, "attribute", SpanViewOrNull(attribute));
	JsonViewSet(&stored, "scope", SpanViewOrNull(scope));
	JsonViewSet(&stored, "value", given);
	JsonViewSet(&stored, "unit", SpanViewOrNull(unit));
	JsonViewSet(&stored, "quote", SpanViewOrNull(quote));
	JsonViewSet(&stored, "chunk_id", SpanViewOrNull(chunk_id));
	JsonViewSet(&stored, "key", JsonViewCString(key));
	stored = PortableCopy(&stored);
	CanonicalDigest(&stored, NULL, digest);
	stored = JsonViewCopyWithout(&stored, NULL, 0, 1);
	JsonViewSet(&stored, "digest", JsonViewCString(digest));
	return stored;
}

static void
ReadChunks(FactReading *facts, const JsonView *chunks)
{
	facts->nchunks = JsonViewCount(chunks);
	facts->chunks = palloc_extended(sizeof(ReadChunk) * (Size) Max(facts->nchunks, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < facts->nchunks; i++)
	{
		JsonView	chunk = JsonViewAt(chunks, i);
		Span		text = {"", 0};

		CHECK_FOR_INTERRUPTS();
		(void) JsonViewGetString(&chunk, "chunk_id", &facts->chunks[i].chunk_id);
		(void) JsonViewGetString(&chunk, "text", &text);
		facts->chunks[i].reading = ReadText(facts->reader, text);
	}
}

/*
 * SQL
 */

/* answer.document_facts_read(facts, chunks) */
PG_FUNCTION_INFO_V1(answer_eval_document_facts_read);
Datum
answer_eval_document_facts_read(PG_FUNCTION_ARGS)
{
	FactReading facts = {0};
	JsonView	given;
	JsonView	chunks;
	JsonView	stored;

	RequireArgument(fcinfo, 0, "facts");
	RequireArgument(fcinfo, 1, "chunks");
	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "facts");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &given);
	JsonViewOfJsonb(PG_GETARG_JSONB_P(1), &chunks);
	if (given.type != JVIEW_ARRAY || JsonViewCount(&given) > MOST_FACTS)
		MalformedArgument(psprintf("facts must be an array of at most %d facts", MOST_FACTS), facts_hint);
	facts.reader = ReaderBegin(CurrentDecisionRules());
	ReadChunks(&facts, &chunks);
	stored = JsonViewNewArray(JsonViewCount(&given));
	for (facts.place = 0; facts.place < JsonViewCount(&given); facts.place++)
	{
		JsonView	fact = JsonViewAt(&given, facts.place);

		CHECK_FOR_INTERRUPTS();
		JsonViewAppend(&stored, ReadFact(&facts, &fact));
	}
	PG_RETURN_JSONB_P(JsonViewToJsonb(&stored, false));
}

/* answer.document_fact_key(subject, attribute, scope) */
PG_FUNCTION_INFO_V1(answer_eval_document_fact_key);
Datum
answer_eval_document_fact_key(PG_FUNCTION_ARGS)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	DocumentFactKey(TextArgument(fcinfo, 0), TextArgument(fcinfo, 1),
					PG_ARGISNULL(2) ? SpanOf("", 0) : TextArgument(fcinfo, 2), digest);
	PG_RETURN_TEXT_P(cstring_to_text(digest));
}

/* answer.freshness_days_of(tenant) */
PG_FUNCTION_INFO_V1(answer_eval_freshness_days_of);
Datum
answer_eval_freshness_days_of(PG_FUNCTION_ARGS)
{
	JsonView	config;
	int			days;

	SPI_connect();
	config = ActiveConfig(PG_GETARG_TEXT_PP(0), CurrentPinning(), NULL, NULL);
	days = ConfigInteger(&config, "freshness_days");
	SPI_finish();
	PG_RETURN_INT32(days);
}
