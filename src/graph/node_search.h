/*-------------------------------------------------------------------------
 *
 * node_search.h
 *		The nodes of a project that a question is about, and what is around them.
 *
 * Everything here runs with SPI connected, as the owner of our tables, for the
 * tenant that it is told.  What comes out is UTF-8 and belongs to the current
 * memory context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_NODE_SEARCH_H
#define ANSWER_EVAL_NODE_SEARCH_H

#include "utils/array.h"

#include "graph/packet.h"

/* Holds what is looked for. */
typedef struct GraphQuestion
{
	text	   *tenant;
	text	   *project;
	Span		text;			/* UTF-8 */
	int			limit;			/* 1 to PACKET_LIMIT_MAX */
	int			min_score;		/* of SCORE_WHOLE; what is below is left out */
	bool		near_best;		/* so is, of what is found by text, what is below two thirds of the best */
	ArrayType  *labels;			/* text[]: nodes that have one of them at least; NULL: any */
	ArrayType  *paths;			/* text[]: nodes whose path is one of them or lies beneath; NULL: any */
	ArrayType  *embedding;		/* real[], by which is searched instead of the text; NULL: none */
} GraphQuestion;

/*
 * Returns the first nodes in the order of packets: by score descending, then by path
 * and id by code point. A node with the score 0 is none. Their neighbours are not
 * filled in yet.
 */
extern GraphNode *GraphSearch(const GraphQuestion *question, int *count);

/* Fills in the neighbours of nodes: the first names, and how many there are. */
extern void GraphNeighbors(text *tenant, text *project, GraphNode *nodes, int count);

/* Returns the edges among nodes, the first PACKET_RELATIONS_MAX by from_id, to_id and type by code point. */
extern GraphRelation *GraphRelations(text *tenant, text *project, const GraphNode *nodes, int count,
									 int *nrelations);

/* Returns a number that stays while the graph of a project does; 0: there is none. */
extern int64 GraphVersion(text *tenant, text *project);

#endif							/* ANSWER_EVAL_NODE_SEARCH_H */
