/*-------------------------------------------------------------------------
 *
 * content.h
 *		Signed records of documents, graphs and memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONTENT_H
#define ANSWER_EVAL_CONTENT_H

#include "base/span.h"

extern void RecordMemory(const text *tenant, Span key);

#endif							/* ANSWER_EVAL_CONTENT_H */
