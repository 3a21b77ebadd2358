/*-------------------------------------------------------------------------
 *
 * document_fact.h
 *		Facts that somebody read out of documents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_FACT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_FACT_H

#include "base/canonical.h"
#include "base/span.h"

/* A digest of what a fact is about; facts about the same have the same.  scope is empty where there is none. */
extern void DocumentFactKey(Span subject, Span attribute, Span scope, char *digest);

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_FACT_H */
