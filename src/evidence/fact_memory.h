/*-------------------------------------------------------------------------
 *
 * fact_memory.h
 *		Caches facts that this process has made from the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FACT_MEMORY_H
#define ANSWER_EVAL_FACT_MEMORY_H

#include "evidence/fact.h"

extern bool FactIsMemorable(const Tool *tool, const ToolReading *readings, int count, const CallTerms *terms);
extern bool FactRecall(const Tool *tool, const char *args_digest, const ToolReading *readings, int count,
					   const CallTerms *terms, const Place *place, JsonView *fact, char *digest);
extern void FactRemember(const Tool *tool, const char *args_digest, const ToolReading *readings, int count,
						 const CallTerms *terms, const Place *place, JsonView *fact, const char *digest,
						 const FactText *text);

#endif							/* ANSWER_EVAL_FACT_MEMORY_H */
