/*-------------------------------------------------------------------------
 *
 * packet.h
 *		Evidence packets: what a graph says about a question, without prose.
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

/* A node that was found. Texts are UTF-8 and are owned by the caller; a missing text has the pointer NULL. */
typedef struct GraphNode
{
	Span		id;				/* not empty, also name and path */
	Span		name;
	int			nlabels;
	const Span *labels;			/* as stored */
	Span		path;
	int			score;			/* in ten-thousandths, 0 to SCORE_WHOLE, already rounded */
	int			start_line;		/* from 1; 0: not known */
	int			end_line;
	Span		docstring;		/* or none; packets show it for code only */
	Span		doc_type;		/* or none; a Document always has one */
	int64		last_modified;	/* whole seconds since 1970; 0: not known */
	int			nneighbors;		/* at most PACKET_NEIGHBORS_MAX */
	const Span *neighbors;		/* names, ordered by name and then by id, by code point; one per edge
								 * in either direction, a self edge once */
	int64		neighbor_count; /* number of all neighbours */
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
	Span		from;			/* names of both ends */
	Span		to;
	Span		type;
} GraphRelation;

/*
 * Everything that a packet depends on.
 *
 * The nodes can be in any order; ids are unique.  Relations can be in any order,
 * too.  Those with an end that is none of the nodes are left out.  If there are
 * more relations than the caller passes, it must pass the first by from_id, to_id
 * and type among those with both ends in the packet.
 *
 * The options are as given, but in portable form, so that signing the packet does
 * not change them. "now" and "query_id" may be among them, and are left out.
 * "extended" is read from them here.  The caller has checked all options before.
 */
typedef struct PacketInput
{
	Span		project;		/* not empty, also question */
	Span		question;
	JsonView	options;		/* an object; absent: none given */
	Span		query_id;		/* pointer NULL: derived from the content hash */
	Span		brief;			/* prose, which makes the mode "synthesis"; pointer NULL: none */
	TimestampTz now;			/* finite; the clock for staleness, and shown in meta.timestamp */
	int			nnodes;			/* 0: insufficient_evidence */
	const GraphNode *nodes;
	int			nrelations;
	const GraphRelation *relations;
} PacketInput;

/* A packet, with what a log or a receipt says about it. The texts belong to the view. */
typedef struct Packet
{
	JsonView	view;
	Span		query_id;
	Span		content_hash;
	Span		status;			/* success or insufficient_evidence */
	int			score;			/* context_veracity.confidence_score */
} Packet;

/*
 * Assembles a packet.  Pure.  If the result violates the schema, returns false and
 * one sentence; such a packet must not be shown to anybody.
 *
 * Entries are ordered by score descending, then by path and id by code point.  So
 * are the records that context_veracity judges, and faults name nodes in that
 * order, over code_truth and doc_claims together.  A node with the label Document
 * is a claim, whatever other labels it has; every other node is code.
 *
 * A query_id that is derived from the content hash is a UUID of version 8 made of
 * the first 16 bytes of the hash.
 */
extern bool PacketBuild(const PacketInput *input, Packet *packet, const char **problem);

/*
 * Returns all violations of the schema: an array of sentences that each name the
 * place, empty for a sound packet.  If the form is right, also checks what must
 * follow from the packet's own entries.  Looks only at the packet.  To check that
 * cited nodes exist in a graph, use PacketCitations.
 */
extern JsonView PacketViolations(const JsonView *packet);

/* Raises an error (22023) if a packet has a violation. */
extern void PacketRequireSound(const JsonView *packet);

/*
 * Returns the ids of the nodes that a packet cites, code_truth before doc_claims.
 * Entries without an id are left out.
 */
extern JsonView PacketCitations(const JsonView *packet);

/*
 * Rebuilds a packet from its own entries, relationships, options and timestamp, for
 * a replay.  Everything that depends on these comes out the same, including the
 * content hash.  If the packet's form is wrong, returns false and one sentence.
 */
extern bool PacketRecompute(const JsonView *packet, Packet *rebuilt, const char **problem);

/* Adds prose to a packet, in synthesis mode. The query_id stays, and the content hash is new. */
extern bool PacketAddBrief(const JsonView *packet, Span brief, Packet *with_brief, const char **problem);

#endif							/* ANSWER_EVAL_GRAPH_PACKET_H */
