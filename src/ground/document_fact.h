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

#endif							/* ANSWER_EVAL_GROUND_DOCUMENT_FACT_H */
