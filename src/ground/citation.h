/*-------------------------------------------------------------------------
 *
 * citation.h
 *		Checks whether an answer's citations hold.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CITATION_H
#define ANSWER_EVAL_CITATION_H

#include "ground/status.h"

typedef struct CitationCheck
{
	bool		is_valid;
	bool		is_weak;		/* no item in common with what is cited */
	bool		is_insufficient;	/* does each sentence of the answer say that it cannot answer? */
	AnswerStatuses statuses;	/* of a valid one; ncitations and cited alone where no answer was given */
	JsonView	view;			/* the result of answer_citations_check */
} CitationCheck;

/*
 * Checks citations, an array of strings or absent, and the answer, which is
 * empty where none was given; the question likewise.  The chunks were read with
 * rules.  Without "asking" nobody judges.  False, and one sentence that names the
 * place, if the citations are malformed.
 */
extern bool CitationsCheck(const JsonView *citations, ChunkSet *chunks, Span answer, Span question,
						   const Asking *asking, CitationCheck *check, const char **problem);

#endif							/* ANSWER_EVAL_CITATION_H */
