/*-------------------------------------------------------------------------
 *
 * receipt_parts.c
 *		Parts of a document decision/v1, for decision/1 and decision/2 alike.
 *
 * Rule: doc/spec/decision.md §8.3 and §8.4.  What a decision shows and cites must follow
 * from what was decided and proposed; each chunk that is named must be in the document.  A
 * document is not trusted.  Pure.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "document/kind.h"
#include "document/signed.h"
#include "ground/decision_config.h"
#include "ground/receipt_parts.h"

bool
PartIsOneOf(const JsonView *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
	{
		if (JsonViewStringIs(text, words[i]))
			return true;
	}
	return false;
}

bool
PartIsArrayOf(JsonViewType type, const JsonView *array)
{
	if (array->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(array); i++)
	{
		JsonView	element = JsonViewAt(array, i);

		if (element.type != type)
			return false;
	}
	return true;
}

bool
DecisionIsAnswer(const JsonView *decision)
{
	return JsonViewStringIs(decision, "ANSWER") || JsonViewStringIs(decision, "ANSWER_WITH_CAVEATS");
}

/* Is the first reason that sources conflict? */
static bool
IsOverConflict(const JsonView *decision, const JsonView *reasons)
{
	JsonView	first = JsonViewAt(reasons, 0);

	if (!JsonViewStringIs(decision, "ABSTAIN") || reasons->type != JVIEW_ARRAY || JsonViewCount(reasons) == 0)
		return false;
	return JsonViewStringIs(&first, "conflict_detected");
}

/*
 * Returns the citations of a decision: doc/spec/decision.md §8.4.  The body has the
 * decision, and what was proposed.
 */
JsonView
DecisionCitations(const JsonView *body)
{
	JsonView	citations = JsonViewNewArray(2);
	JsonView	decision = JsonViewUnder(body, "decision");
	JsonView	reasons = JsonViewUnder(body, "reasons");
	JsonView	proposed;
	JsonView	conflicts;
	JsonView	pairs;
	JsonView	pair;

	if (DecisionIsAnswer(&decision))
	{
		if (JsonViewGetMember(body, "proposed", &proposed) && proposed.type == JVIEW_OBJECT &&
			JsonViewGetMember(&proposed, "citations", &pairs) && pairs.type == JVIEW_ARRAY)
			return pairs;
		return citations;
	}
	if (!IsOverConflict(&decision, &reasons) ||
		!JsonViewGetMember(body, "conflicts", &conflicts) ||
		!JsonViewGetMember(&conflicts, "pairs", &pairs) || pairs.type != JVIEW_ARRAY ||
		JsonViewCount(&pairs) == 0)
		return citations;
	JsonViewElement(&pairs, 0, &pair);
	for (int i = 0; i < 2; i++)
	{
		JsonView	side;
		JsonView	chunk_id = {.type = JVIEW_NULL};

		if (JsonViewGetMember(&pair, i == 0 ? "chunk_a" : "chunk_b", &side) && side.type == JVIEW_OBJECT)
			(void) JsonViewGetMember(&side, "chunk_id", &chunk_id);
		JsonViewAppend(&citations, chunk_id);
	}
	return citations;
}

/* Returns what a decision shows: the proposed answer, or the message instead. */
JsonView
DecisionAnswerText(const JsonView *body)
{
	JsonView	decision = JsonViewUnder(body, "decision");
	JsonView	proposed;
	JsonView	answer = {.type = JVIEW_ABSENT};

	if (!DecisionIsAnswer(&decision))
		JsonViewGetMember(body, "user_message", &answer);
	else if (JsonViewGetMember(body, "proposed", &proposed) && proposed.type == JVIEW_OBJECT)
		JsonViewGetMember(&proposed, "answer", &answer);
	return answer;
}

/* Do answer and citations follow from the decision? */
const char *
DecisionOutcomeProblem(const JsonView *document, const JsonView *citations)
{
	JsonView	stated = JsonViewUnder(document, "answer");
	JsonView	shown = DecisionAnswerText(document);
	JsonView	cited = DecisionCitations(document);

	if (shown.type == JVIEW_ABSENT || !ReportIsSame(&stated, &shown))
		return "answer is not what was decided";
	if (!ReportIsSame(citations, &cited))
		return "citations are not what was decided";
	return NULL;
}

/* Reads the chunks of a document, which must have distinct ids; NULL if they are malformed. */
ChunkSet *
PartChunks(const JsonView *document, JsonView *chunks)
{
	JsonView	retrieval;
	JsonView	readable;
	const char *problem;

	if (!JsonViewGetMember(document, "retrieval", &retrieval) ||
		!JsonViewGetMember(&retrieval, "chunks", chunks))
		return NULL;
	readable = ReadableChunks(chunks);
	return readable.type == JVIEW_ARRAY ? ChunksParse(&readable, NULL, &problem) : NULL;
}

/* Returns the chunk with an id, or NULL. */
const Chunk *
PartChunk(const ChunkSet *chunks, const JsonView *chunk_id)
{
	CHECK_FOR_INTERRUPTS();
	return chunk_id->type == JVIEW_STRING ? ChunkOfId(chunks, SpanOfView(chunk_id)) : NULL;
}

/* Does each chunk's text have the hash that the chunk states? */
static bool
PartContentHashes(const JsonView *chunks)
{
	for (int i = 0; i < JsonViewCount(chunks); i++)
	{
		JsonView	chunk = JsonViewAt(chunks, i);
		JsonView	stated;
		Span		text;
		uint8		sha256[SHA256_LENGTH];
		char		digest[DIGEST_TEXT_LENGTH + 1] = DIGEST_PREFIX;

		CHECK_FOR_INTERRUPTS();
		if (!JsonViewGetMember(&chunk, "content_hash", &stated))
			continue;
		if (!JsonViewGetString(&chunk, "text", &text))
			return false;
		Sha256(text.str, text.len, sha256);
		HexEncode(sha256, SHA256_LENGTH, digest + strlen(DIGEST_PREFIX));
		digest[DIGEST_TEXT_LENGTH] = '\0';
		if (!JsonViewStringIs(&stated, digest))
			return false;
	}
	return true;
}

bool
PartCitationsAreChunks(const JsonView *citations, const ChunkSet *chunks)
{
	if (citations->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(citations); i++)
	{
		JsonView	citation = JsonViewAt(citations, i);

		if (PartChunk(chunks, &citation) == NULL)
			return false;
	}
	return true;
}

/* Checks one side of a conflict: a chunk, and the document that it is from. */
static bool
SideIsChunk(const JsonView *pair, const char *side, const ChunkSet *chunks, const Chunk **chunk)
{
	JsonView	view;
	JsonView	id;
	Span		doc_id;

	if (!JsonViewGetMember(pair, side, &view) || view.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&view, "chunk_id", &id) || !JsonViewGetString(&view, "doc_id", &doc_id))
		return false;
	*chunk = PartChunk(chunks, &id);
	return *chunk && SpanEqual(doc_id, (*chunk)->doc_id);
}

static bool
PartConflictsAreOfChunks(const JsonView *document, const ChunkSet *chunks, JsonView *pairs)
{
	JsonView	conflicts;

	if (!JsonViewGetMember(document, "conflicts", &conflicts) || conflicts.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&conflicts, "pairs", pairs) || pairs->type != JVIEW_ARRAY)
		return false;
	for (int i = 0; i < JsonViewCount(pairs); i++)
	{
		JsonView	pair = JsonViewAt(pairs, i);
		const Chunk *a;
		const Chunk *b;

		if (pair.type != JVIEW_OBJECT || !SideIsChunk(&pair, "chunk_a", chunks, &a) ||
			!SideIsChunk(&pair, "chunk_b", chunks, &b) || a == b)
			return false;
	}
	return true;
}

/* Is a digest in "reproduce" that of a value? */
bool
PartDigestIs(const JsonView *document, const char *name, const JsonView *value)
{
	JsonView	view;
	JsonView	evaluator;
	JsonView	digests;
	JsonView	stated;
	char		digest[DIGEST_TEXT_LENGTH + 1];

	if (!JsonViewGetMember(document, "reproduce", &view) || view.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&view, "evaluator", &evaluator) || evaluator.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&evaluator, "digests", &digests) || digests.type != JVIEW_OBJECT ||
		!JsonViewGetMember(&digests, name, &stated))
		return false;
	CanonicalDigest(value, NULL, digest);
	return JsonViewStringIs(&stated, digest);
}

bool
PartDigestNames(const JsonView *document, const char *name, const char *key)
{
	JsonView	member;

	return JsonViewGetMember(document, key, &member) && PartDigestIs(document, name, &member);
}

JsonView
PartConfig(const JsonView *document)
{
	JsonView	config = JsonViewUnder(document, "config");

	return config.type == JVIEW_OBJECT ? DecisionConfigWithDefaults(&config) : config;
}

/* answer.decision_config_of(receipt) */
PG_FUNCTION_INFO_V1(answer_eval_decision_config_of);
Datum
answer_eval_decision_config_of(PG_FUNCTION_ARGS)
{
	JsonView	document;
	JsonView	config = {.type = JVIEW_ABSENT};

	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &document);
	if (document.type == JVIEW_OBJECT)
		config = PartConfig(&document);
	if (config.type != JVIEW_OBJECT)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(JsonViewToJsonb(&config, false));
}

const char *
DecisionPartsProblem(const JsonView *document, const ChunkSet **chunks, JsonView *citations, JsonView *pairs)
{
	static const char *const decisions[] = {"ANSWER", "ANSWER_WITH_CAVEATS", "CLARIFY", "ABSTAIN", "BLOCK"};
	JsonView	member = JsonViewUnder(document, "query");
	JsonView	found;

	if (member.type != JVIEW_STRING)
		return "query is no text";
	JsonViewGetMember(document, "decision", &member);
	if (!PartIsOneOf(&member, decisions, lengthof(decisions)))
		return "decision is none of ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN and BLOCK";
	*chunks = PartChunks(document, &found);
	if (*chunks == NULL)
		return "retrieval.chunks is malformed";
	if (!PartContentHashes(&found))
		return "a chunk does not hash to its content_hash";
	JsonViewGetMember(document, "citations", citations);
	if (!PartCitationsAreChunks(citations, *chunks))
		return "a citation names no chunk";
	if (!PartConflictsAreOfChunks(document, *chunks, pairs))
		return "a conflict is not between two of the chunks";
	return NULL;
}
