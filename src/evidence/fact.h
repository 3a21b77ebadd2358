/*-------------------------------------------------------------------------
 *
 * fact.h
 *		Makes facts from readings.
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

/* One raw result and its properties. */
typedef struct ToolReading
{
	int			call;			/* if from a query for many calls: the index of the call */
	int			place;			/* and its index among the readings of that call */
	JsonView	raw;
	Span		source;
	bool		names_source;	/* does the raw result itself name the source? */
	Span		group;
	Span		url;
	Span		licence;
	bool		has_observed_at;
	TimestampTz observed_at;
	bool		has_expires;
	TimestampTz expires;
	Span		digest;			/* if a stored reading */
	Span		row;			/* the bytes that it was read from; empty if unknown */
	JsonView	value;			/* absent if there is none */
	bool		fresh;
} ToolReading;

/* The tool whose readings were extracted from documents. */
#define DOCUMENT_FACT_TOOL	"doc.fact"

/* The canonical form of a fact. */
typedef struct FactText
{
	StringInfoData text;
	CanonicalSpan raw;			/* where the raw result was, and where the attestation belongs, before it was added */
	int			levels;			/* as returned by CanonicalWriteMarking; an attestation is no deeper than provenance */
} FactText;

/*
 * A fact without its verification.  The verification depends on the place that is
 * looked at, because it compares what the sources have there.
 */
typedef struct FactDraft
{
	const Tool *tool;
	const ToolReading *readings;	/* the first one is the primary one */
	int			count;
	const CallTerms *terms;
	const char *note;			/* how the fact was made */
	JsonView	fact;
} FactDraft;

/* The same, for facts that a caller supplied for one tool and one set of arguments. */
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
