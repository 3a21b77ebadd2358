/*-------------------------------------------------------------------------
 *
 * node_search.h
 *		Finds the nodes of a project that a question is about, and their neighbours.
 *
 * Everything here runs with SPI connected, as the owner of the tables, for the
 * tenant in the arguments.  Results are UTF-8 and are allocated in the current
 * memory context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_NODE_SEARCH_H
#define ANSWER_EVAL_NODE_SEARCH_H

#include "utils/array.h"

#include "graph/packet.h"

/* What is searched for. */
typedef struct GraphQuestion
{
	text	   *tenant;
	text	   *project;
	Span		text;			/* UTF-8 */
	int			limit;			/* 1 to PACKET_LIMIT_MAX */
	int			min_score;		/* out of SCORE_WHOLE; nodes below it are left out */
	bool		near_best;		/* leave out nodes found by text that score below two thirds of the best? */
	ArrayType  *labels;			/* text[]: nodes with at least one of these; NULL: any */
	ArrayType  *paths;			/* text[]: nodes with one of these paths, or beneath one; NULL: any */
	ArrayType  *embedding;		/* real[], searched for instead of the text; NULL: none */
} GraphQuestion;

/*
 * Returns the first nodes in the order of packets: by score descending, then by
 * path and id by code point.  Nodes with the score 0 are left out.  Their
 * neighbours are not set yet.
 */
extern GraphNode *GraphSearch(const GraphQuestion *question, int *count);

/* Sets the neighbours of nodes: the first names, and the number of all. */
extern void GraphNeighbors(text *tenant, text *project, GraphNode *nodes, int count);

/* Returns the edges among nodes: the first PACKET_RELATIONS_MAX by from_id, to_id and type, by code point. */
extern GraphRelation *GraphRelations(text *tenant, text *project, const GraphNode *nodes, int count,
									 int *nrelations);

/* Returns a number that changes whenever the graph of a project changes; 0: there is no graph. */
extern int64 GraphVersion(text *tenant, text *project);

#endif							/* ANSWER_EVAL_NODE_SEARCH_H */
