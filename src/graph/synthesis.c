/*-------------------------------------------------------------------------
 *
 * synthesis.c
 *		Adds prose to a packet, with citations of its evidence.
 *
 * Pure, except for one setting, with a thin SQL interface.  Rule: doc/spec/packet.md §5.
 *
 * Nothing here writes prose.  A brief from outside is put into a packet if each of its
 * sentences cites an entry, by the entry's id in square brackets, in the sentence or after it.
 * Other text in square brackets is refused, because a reader would take it for a citation.
 * The packet then has the mode synthesis, and another content hash.
 *
 * While answer_eval.evidence_only is on, there are no such packets.
 *
 * Promises: everything that a brief cites is in the packet; every sentence cites; linear in the
 * brief.  Whether a sentence says what its citation says is not judged.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "base/search.h"
#include "base/settings.h"
#include "graph/packet.h"
#include "ground/text_set.h"
#include "reading/words.h"

/* A brief. Its memory depends on its bytes alone, however citations overlap. */
typedef struct Brief
{
	Span		text;
	int			ncitations;
	Span	   *citations;
	Span	   *markers;		/* citations in square brackets */
	bool	   *begins;			/* by byte: does a marker begin here? */
	int		   *ending;			/* by byte: length of the longest marker that ends before it, or 0 */
	bool	   *within;			/* by byte: is it in a marker? */
} Brief;

/* checking citations */

/* Returns the first citation that is not an entry of the packet, or -1. */
static int
FindStranger(const Brief *brief, const JsonView *packet)
{
	JsonView	ids = PacketCitations(packet);
	int			count = JsonViewCount(&ids);
	Span	   *sorted = palloc_extended(sizeof(Span) * (Size) Max(count, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < count; i++)
	{
		JsonView	id = JsonViewAt(&ids, i);

		sorted[i] = SpanOf(id.str, id.len);
	}
	qsort(sorted, count, sizeof(Span), SpanCompareItems);
	for (int i = 0; i < brief->ncitations; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (bsearch(&brief->citations[i], sorted, count, sizeof(Span), SpanCompareItems) == NULL)
			return i;
	}
	return -1;
}

static Span
MarkerOf(Span citation)
{
	char	   *marker = palloc(citation.len + 2);

	marker[0] = '[';
	memcpy(marker + 1, citation.str, citation.len);
	marker[citation.len + 1] = ']';
	return SpanOf(marker, citation.len + 2);
}

static void
FoundMarker(void *receiver, int which, int end)
{
	Brief	   *brief = receiver;
	int			len = brief->markers[which].len;

	CHECK_FOR_INTERRUPTS();
	brief->begins[end - len] = true;
	brief->ending[end] = Max(brief->ending[end], len);
}

/* Marks the bytes that are in markers. Works backwards, because the longest marker is known at its end. */
static void
CoverMarkers(Brief *brief)
{
	int			begin = brief->text.len;	/* begin of the markers that cover this byte */

	for (int i = brief->text.len; i > 0; i--)
	{
		if (brief->ending[i] > 0)
			begin = Min(begin, i - brief->ending[i]);
		brief->within[i - 1] = begin < i;
	}
}

static void
FindMarkers(Brief *brief)
{
	Size		places = (Size) brief->text.len + 1;

	brief->markers = palloc_extended(sizeof(Span) * (Size) Max(brief->ncitations, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < brief->ncitations; i++)
		brief->markers[i] = MarkerOf(brief->citations[i]);
	brief->begins = palloc_extended(sizeof(bool) * places, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	brief->ending = palloc_extended(sizeof(int) * places, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	brief->within = palloc_extended(sizeof(bool) * places, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	if (brief->ncitations > 0)
		TextSetEach(TextSetCreate(brief->markers, brief->ncitations), brief->text, FoundMarker, brief);
	CoverMarkers(brief);
}

/*
 * Returns the first text in square brackets that is neither a marker nor blank; its
 * pointer is NULL if there is none.
 */
static Span
FindForeignMarker(const Brief *brief)
{
	int			open = -1;
	bool		is_blank = true;

	for (int i = 0; i < brief->text.len; i++)
	{
		char		c = brief->text.str[i];

		CHECK_FOR_INTERRUPTS();
		if (brief->within[i])
			open = -1;
		else if (c == '[')
		{
			open = i;
			is_blank = true;
		}
		else if (c == ']' && open >= 0 && !is_blank)
			return SpanOf(brief->text.str + open, i + 1 - open);
		else if (c == ']')
			open = -1;
		else
			is_blank &= c == ' ';
	}
	return SpanOf(NULL, 0);
}

/* Returns the brief with blanks instead of citations, because their words do not belong to a sentence. */
static Span
TextWithoutMarkers(const Brief *brief)
{
	char	   *text = palloc_extended(Max(brief->text.len, 1), MCXT_ALLOC_HUGE);

	for (int i = 0; i < brief->text.len; i++)
		text[i] = brief->within[i] ? ' ' : brief->text.str[i];
	return SpanOf(text, brief->text.len);
}

/* Returns the last token that begins before a byte, or -1. */
static int
TokenBefore(const Words *words, int byte)
{
	int			low = 0;

	FIRST_PLACE(low, words->ntokens, at, words->tokens[at].begin < byte);
	return low - 1;
}

/* Returns the first token of the first sentence without a citation; ntokens if there is none. */
static int
FindUncited(const Brief *brief, const Words *words)
{
	bool	   *cited = palloc_extended(Max(words->nsentences, 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	int			token = 0;

	for (int i = 0; i < brief->text.len; i++)
	{
		int			before = brief->begins[i] ? TokenBefore(words, i) : -1;

		CHECK_FOR_INTERRUPTS();
		if (before >= 0)
			cited[words->tokens[before].sentence] = true;
	}
	while (token < words->ntokens && cited[words->tokens[token].sentence])
		token = SentenceEnd(words, token);
	return token;
}

/*
 * refusing
 */

static void
RefuseBySetting(void)
{
	if (answer_eval_evidence_only)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("no packet is given prose while answer_eval.evidence_only is on"),
				 errhint("SET answer_eval.evidence_only = off allows it.")));
}

static void
RefuseSynthesis(const JsonView *packet)
{
	JsonView	meta = JsonViewUnder(packet, "meta");
	JsonView	mode = JsonViewUnder(&meta, "mode");

	if (!JsonViewStringIs(&mode, MODE_EVIDENCE_ONLY))
		MalformedArgument("packet has a brief already", "Take the packet as answer_packet() made it.");
}

static void
RefuseStranger(const Brief *brief, const JsonView *packet)
{
	int			stranger = FindStranger(brief, packet);
	JsonView	id;

	if (stranger < 0)
		return;
	id = JsonViewString(brief->citations[stranger].str, brief->citations[stranger].len);
	MalformedArgument(psprintf("citations[%d] is %s, which is no entry of the packet", stranger + 1, ShownValue(&id)),
					  "Cite ids of code_truth and doc_claims.");
}

static void
RefuseForeignMarker(const Brief *brief)
{
	Span		marker = FindForeignMarker(brief);
	JsonView	view;

	if (marker.str == NULL)
		return;
	view = JsonViewString(marker.str, marker.len);
	MalformedArgument(psprintf("the brief has %s, which is none of the citations", ShownValue(&view)),
					  "Put only ids that are among the citations into square brackets, and write other brackets as parentheses.");
}

static void
RefuseUncited(const Brief *brief)
{
	Words		words;
	int			token;
	int			begin;
	JsonView	sentence;

	WordsRead(LexiconCreate(NULL), TextWithoutMarkers(brief), &words);
	if (words.nsentences == 0)
		MalformedArgument("brief must have a sentence, and has no word", NULL);
	token = FindUncited(brief, &words);
	if (token == words.ntokens)
		return;
	begin = words.tokens[token].begin;
	sentence = JsonViewString(brief->text.str + begin,
							  words.tokens[SentenceEnd(&words, token) - 1].end - begin);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("sentence %d of the brief cites nothing", words.tokens[token].sentence + 1),
			 errdetail_internal("It is %s.", ShownValue(&sentence)),
			 errhint("Put the id of an entry that says so into square brackets, within the sentence or behind it, and among the citations.")));
}

/*
 * SQL
 */

static void
ReadCitations(FunctionCallInfo fcinfo, int n, Brief *brief)
{
	Datum	   *elements;
	bool	   *nulls;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(n), TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, &nulls, &brief->ncitations);
	brief->citations = palloc_extended(sizeof(Span) * (Size) Max(brief->ncitations, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < brief->ncitations; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("citations[%d] must not be null", i + 1)));
		brief->citations[i] = Utf8OfText(DatumGetTextPP(elements[i]));
	}
}

PG_FUNCTION_INFO_V1(answer_eval_packet_synthesis);

Datum
answer_eval_packet_synthesis(PG_FUNCTION_ARGS)
{
	Brief		brief;
	JsonView	view;
	Packet		packet;
	const char *problem;

	memset(&brief, 0, sizeof(brief));
	RefuseBySetting();
	RequireArgument(fcinfo, 0, "packet");
	RequireArgument(fcinfo, 1, "brief");
	RequireArgument(fcinfo, 2, "citations");
	LimitArgument(fcinfo, 0, ARGUMENT_MAX_SIZE, "packet");
	LimitArgument(fcinfo, 1, DOCUMENT_MAX_SIZE, "brief");
	LimitArgument(fcinfo, 2, DOCUMENT_MAX_SIZE, "citations");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	PacketRequireSound(&view);
	RefuseSynthesis(&view);
	brief.text = TextArgument(fcinfo, 1);
	ReadCitations(fcinfo, 2, &brief);
	RefuseStranger(&brief, &view);
	FindMarkers(&brief);
	RefuseForeignMarker(&brief);
	RefuseUncited(&brief);
	if (!PacketAddBrief(&view, brief.text, &packet, &problem))
		MalformedArgument(problem, NULL);
	PG_RETURN_JSONB_P(JsonViewToJsonb(&packet.view, false));
}
