/*-------------------------------------------------------------------------
 *
 * load.h
 *		What stands before a project's words in an index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_LOAD_H
#define ANSWER_EVAL_GRAPH_LOAD_H

extern text *GraphScope(text *tenant, text *project);

#endif							/* ANSWER_EVAL_GRAPH_LOAD_H */
