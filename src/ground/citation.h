/*-------------------------------------------------------------------------
 *
 * citation.h
 *		Checks the citations of an answer.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CITATION_H
#define ANSWER_EVAL_CITATION_H

#include "ground/status.h"

typedef struct CitationCheck
{
	bool		is_valid;
	bool		is_weak;		/* does the answer share no item with the cited chunks? */
	bool		is_insufficient;	/* does each sentence of the answer say that it cannot answer? */
	AnswerStatuses statuses;	/* if valid; without an answer only ncitations and cited are set */
	JsonView	view;			/* the result of answer_citations_check */
} CitationCheck;

/*
 * Checks citations, an array of strings or absent, and the answer.  Answer and
 * question are empty if not given.  The chunks were read with rules.  If "asking"
 * is NULL, no judge is asked.  If the citations are malformed, returns false and
 * one sentence that names the place.
 */
extern bool CitationsCheck(const JsonView *citations, ChunkSet *chunks, Span answer, Span question,
						   const Asking *asking, CitationCheck *check, const char **problem);

#endif							/* ANSWER_EVAL_CITATION_H */
