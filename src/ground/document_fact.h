/*-------------------------------------------------------------------------
 *
 * document_fact.h
 *		Facts that were read from documents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_DOCUMENT_FACT_H
#define ANSWER_EVAL_GROUND_DOCUMENT_FACT_H

#include "base/canonical.h"
#include "base/span.h"

/* For document_fact_readings of evidence/call.h. */
extern const char fact_readings[];

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_FACT_H */
