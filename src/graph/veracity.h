/*-------------------------------------------------------------------------
 *
 * veracity.h
 *		Judges how far nodes of a graph can be trusted: by age and by connections.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_VERACITY_H
#define ANSWER_EVAL_GRAPH_VERACITY_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"

/* This label makes a node a document, whatever other labels it has. */
#define DOCUMENT_LABEL	"Document"

/*
 * What is judged of one node.  Texts are UTF-8 and are owned by the caller.  Faults
 * name records in the order of the array.
 */
typedef struct VeracityRecord
{
	Span		id;
	Span		name;
	int			nlabels;
	const Span *labels;
	int64		neighbor_count; /* number of all neighbours, listed or not; used by ORPHANED_NODE */
	int			nneighbors;
	const Span *neighbors;		/* names of the listed ones; used only by CONTRADICTION */
	bool		has_modified;	/* is it known? 0 means unknown; an unknown date is never stale */
	TimestampTz modified;
} VeracityRecord;

typedef struct VeracityConfig
{
	int			staleness_days; /* a Document older than this is stale; a day is 86400 seconds */
	int			orphan_threshold;	/* a node with fewer neighbours is an orphan */
	bool		extended;		/* also judge CONTRADICTION and LOW_COVERAGE? */
	int			contradiction_days; /* code that is newer than its Document by more than this contradicts it */
	int			min_results;	/* fewer records mean LOW_COVERAGE */
} VeracityConfig;

extern const VeracityConfig veracity_defaults;

typedef struct Veracity
{
	int			score;			/* 0 to 100 */
	bool		is_stale;		/* is there a STALE_DOC? */
	JsonView	faults;			/* an array of {type, message, evidence} */
} Veracity;

/* Judges records.  Pure; "now" is finite. */
extern void VeracityJudge(const VeracityRecord *records, int count, const VeracityConfig *config,
						  TimestampTz now, Veracity *veracity);

/* Converts whole seconds since 1970. Returns false if a timestamp cannot hold the instant. */
extern bool InstantOfEpoch(int64 seconds, TimestampTz *instant);

/* Returns {confidence_score, is_stale, faults}. */
extern JsonView VeracityView(const Veracity *veracity);

#endif							/* ANSWER_EVAL_GRAPH_VERACITY_H */
