/*-------------------------------------------------------------------------
 *
 * load.h
 *		Loads graphs: the prefix of a project's index terms.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GRAPH_LOAD_H
#define ANSWER_EVAL_GRAPH_LOAD_H

extern text *GraphScope(text *tenant, text *project);

#endif							/* ANSWER_EVAL_GRAPH_LOAD_H */
