/*-------------------------------------------------------------------------
 *
 * veracity.h
 *		Says how far nodes of a graph can be trusted: by age and by connection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_VERACITY_H
#define ANSWER_EVAL_GRAPH_VERACITY_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"

/* The label that makes a node a document, whatever others it has. */
#define DOCUMENT_LABEL	"Document"

/*
 * Holds what is judged of one node. Texts are UTF-8 and belong to somebody else. A
 * record's place in the array is the order in which faults name it.
 */
typedef struct VeracityRecord
{
	Span		id;
	Span		name;
	int			nlabels;
	const Span *labels;
	int64		neighbor_count; /* all of them, also where fewer are listed; what ORPHANED_NODE judges */
	int			nneighbors;
	const Span *neighbors;		/* names of those that are listed; only CONTRADICTION reads them */
	bool		has_modified;	/* is it known?  0 is not; what is not known is never stale */
	TimestampTz modified;
} VeracityRecord;

typedef struct VeracityConfig
{
	int			staleness_days; /* a Document that is older is stale; days of 86400 seconds */
	int			orphan_threshold;	/* a node with fewer neighbours is an orphan */
	bool		extended;		/* also CONTRADICTION and LOW_COVERAGE? */
	int			contradiction_days; /* code that is newer than its Document by more contradicts it */
	int			min_results;	/* fewer records are LOW_COVERAGE */
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

/* Sets the instant of so many whole seconds since 1970; false if no timestamp is so far away. */
extern bool InstantOfEpoch(int64 seconds, TimestampTz *instant);

/* Returns {confidence_score, is_stale, faults} */
extern JsonView VeracityView(const Veracity *veracity);

#endif							/* ANSWER_EVAL_GRAPH_VERACITY_H */
