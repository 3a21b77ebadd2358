/*-------------------------------------------------------------------------
 *
 * citation.h
 *		Whether an answer's citations hold.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CITATION_H
#define ANSWER_EVAL_CITATION_H

#include "ground/chunk.h"

#define CITATIONS_MAX_COUNT	5

typedef struct CitationCheck
{
	bool		is_valid;
	bool		is_weak;		/* no keyword in common with what is cited */
	JsonView	view;			/* the result of answer_citations_check */
} CitationCheck;

/*
 * Checks citations, an array of strings or absent, and the answer, which is
 * empty where none was given.  The chunks were read with rules.  False, and one
 * sentence that names the place, if the citations are malformed.
 */
extern bool CitationsCheck(const JsonView *citations, ChunkSet *chunks, Span answer,
						   CitationCheck *check, const char **problem);

#endif							/* ANSWER_EVAL_CITATION_H */
