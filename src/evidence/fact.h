/*-------------------------------------------------------------------------
 *
 * fact.h
 *		Facts: what readings come to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FACT_H
#define ANSWER_EVAL_FACT_H

#include "base/canonical.h"
#include "check/check.h"
#include "evidence/confidence.h"
#include "evidence/tool.h"
#include "document/tombstone.h"

/* One raw result and what is known about it. */
typedef struct ToolReading
{
	int			call;			/* which it answers, among those of a query */
	int			place;			/* and where it is among them */
	JsonView	raw;
	Span		source;
	bool		names_source;	/* does the raw result itself name it? */
	Span		group;
	Span		url;
	Span		licence;
	bool		has_observed_at;
	TimestampTz observed_at;
	bool		has_expires;
	TimestampTz expires;
	Span		digest;			/* of a stored reading */
	Span		row;			/* the bytes that it was read from; empty: not known */
	JsonView	value;			/* absent if there is none */
	bool		fresh;
} ToolReading;

/* The tool whose readings are facts that were read out of documents. */
#define DOCUMENT_FACT_TOOL	"doc.fact"

/* The canonical form of a fact. */
typedef struct FactText
{
	StringInfoData text;
	CanonicalSpan raw;			/* where the raw result was, and the place of the attestation, before that came in */
	int			levels;			/* as CanonicalWriteMarking tells them; an attestation has as few as provenance */
} FactText;

/*
 * Holds what readings come to, but for its verification, which is that of a place: of
 * what the sources have there.
 */
typedef struct FactDraft
{
	const Tool *tool;
	const ToolReading *readings;	/* the first of which is the primary one */
	int			count;
	const CallTerms *terms;
	const char *note;			/* how it came about */
	JsonView	fact;
} FactDraft;

/* Facts that a caller supplied for one tool and one set of arguments, likewise. */
typedef struct SuppliedDraft
{
	int			count;
	JsonView   *facts;
	SourceReading *readings;
} SuppliedDraft;

extern bool IsDocumentFactTool(const Tool *tool);
extern void FactDraftOf(FactDraft *draft, const Tool *tool, const JsonView *args, ToolReading *readings, int count,
						const CallTerms *terms);
extern JsonView FactAt(const FactDraft *draft, const Place *place, char *digest, FactText *text);
extern bool FactIsFresh(const Tool *tool, const ToolReading *reading, TimestampTz evaluated_at);
extern void ReadingDigest(Span tool, const JsonView *args, const JsonView *raw, Span source,
						  TimestampTz observed_at, const TimestampTz *expires, char *digest);
extern void FactDigest(const JsonView *fact, char *digest);
extern void SuppliedDraftOf(SuppliedDraft *draft, const Tool *tool, const JsonView *facts, int count,
							const CallTerms *terms);
extern void SuppliedFactsAt(const SuppliedDraft *draft, const Place *place, JsonView *facts);

extern const EraseQueries evidence_erasing;

#endif							/* ANSWER_EVAL_FACT_H */
