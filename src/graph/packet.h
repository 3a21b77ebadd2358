/*-------------------------------------------------------------------------
 *
 * packet.h
 *		Evidence packets: what a graph says to a question, and nothing else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_PACKET_H
#define ANSWER_EVAL_GRAPH_PACKET_H

#include "datatype/timestamp.h"

#include "base/jsonview.h"
#include "base/span.h"
#include "graph/packet_schema.h"
#include "graph/veracity.h"

/*
 * A node that was found.  Texts are UTF-8, and belong to somebody else; one
 * that is not there has the pointer NULL.
 */
typedef struct GraphNode
{
	Span		id;				/* not empty, like name and path */
	Span		name;
	int			nlabels;
	const Span *labels;			/* as they are stored */
	Span		path;
	int			score;			/* in ten-thousandths, 0 to SCORE_WHOLE: rounded before it comes here */
	int			start_line;		/* from 1 up; 0: not known */
	int			end_line;
	Span		docstring;		/* or none; packets show that of code only */
	Span		doc_type;		/* or none, but a Document has one */
	int64		last_modified;	/* whole seconds since 1970; 0: not known */
	int			nneighbors;		/* the first PACKET_NEIGHBORS_MAX */
	const Span *neighbors;		/* names, ordered by name and then by id, by code point; one per edge
								 * in either direction, a self edge once */
	int64		neighbor_count; /* all of them */
	Span		source_path;
	Span		content_hash;
	Span		extraction_method;
	TimestampTz indexed_at;		/* finite */
} GraphNode;

/* An edge. */
typedef struct GraphRelation
{
	Span		from_id;
	Span		to_id;
	Span		from;			/* the names of both ends */
	Span		to;
	Span		type;
} GraphRelation;

/*
 * All that a packet follows from.
 *
 * The nodes can come in any order; an id stands among them once.  Relations can
 * come in any order, too, and those with an end that is none of the nodes are
 * left out; if the caller brings only the first of many, they must be the first
 * by from_id, to_id and type among those with both ends in the packet.
 *
 * The options are as they were given, but in portable form, so that signing the
 * packet changes no byte of it; "now" and "query_id" may still be among them,
 * and are left out.  "extended" is read from them here; they are checked before.
 */
typedef struct PacketInput
{
	Span		project;		/* not empty, like question */
	Span		question;
	JsonView	options;		/* an object; absent: none were given */
	Span		query_id;		/* pointer NULL: it follows from the content hash */
	Span		brief;			/* prose, which makes the mode "synthesis"; pointer NULL: none */
	TimestampTz now;			/* finite; staleness is judged at it, and meta.timestamp shows it */
	int			nnodes;			/* 0: insufficient_evidence */
	const GraphNode *nodes;
	int			nrelations;
	const GraphRelation *relations;
} PacketInput;

/* A packet, and what a log or a receipt says of it; the texts belong to the view. */
typedef struct Packet
{
	JsonView	view;
	Span		query_id;
	Span		content_hash;
	Span		status;			/* success or insufficient_evidence */
	int			score;			/* context_veracity.confidence_score */
} Packet;

/*
 * Assembles a packet.  Pure.  False, and one sentence, if what comes out breaks
 * the schema: then nobody may see it.
 *
 * Entries, and the records that context_veracity judges, are ordered by score
 * descending, path and id by code point: faults name nodes in that one order,
 * over code_truth and doc_claims together.  A node with the label Document is a
 * claim, whatever other labels it has; every other node is code.
 *
 * A query_id that follows from the content hash is a UUID of version 8 made of
 * the hash's first 16 bytes.
 */
extern bool PacketBuild(const PacketInput *input, Packet *packet, const char **problem);

/*
 * Returns every violation of the schema, each one sentence that names the place: an
 * array of strings, which is empty for a packet that is sound. Of a packet whose form
 * holds it also says what does not follow from its own entries. It looks at the packet
 * alone: whether a cited node is in a graph is asked with PacketCitations.
 */
extern JsonView PacketViolations(const JsonView *packet);

/* Raises (22023) if there is one. */
extern void PacketRequireSound(const JsonView *packet);

/*
 * Returns the ids of the nodes that a packet cites, code_truth before doc_claims; what
 * has no id is left out.
 */
extern JsonView PacketCitations(const JsonView *packet);

/*
 * Makes a packet anew from its own entries, relationships, options and
 * timestamp, for a replay: what follows from these comes out the same, down to
 * the content hash.  False, and one sentence, if its form does not hold.
 */
extern bool PacketRecompute(const JsonView *packet, Packet *rebuilt, const char **problem);

/* Makes the same packet with prose, in synthesis mode; its query_id stays, its content hash is new. */
extern bool PacketAddBrief(const JsonView *packet, Span brief, Packet *with_brief, const char **problem);

#endif							/* ANSWER_EVAL_GRAPH_PACKET_H */
