/*-------------------------------------------------------------------------
 *
 * option.h
 *		The options of a function, given as members of one JSON object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_OPTION_H
#define ANSWER_EVAL_OPTION_H

#include "base/jsonview.h"
#include "base/span.h"

extern _Noreturn void OptionRefuse(const char *name, const char *problem, const JsonView *seen);
extern JsonView OptionsOf(Jsonb *given, const char *const *names, const char *more);
extern bool HasOnlyKeys(const JsonView *object, const char *const *keys, Span *unknown);
extern JsonView OptionGet(const JsonView *options, const char *name);
extern bool OptionIsInteger(const JsonView *value, int least, int most, int *integer);
extern JsonView OptionInteger(const JsonView *options, const char *name, int least, int most);
extern JsonView OptionTyped(const JsonView *options, const char *name, JsonViewType type,
							const char *problem);
extern const char *OptionEmbeddingProblem(const JsonView *embedding, JsonView *seen);
extern JsonView OptionEmbedding(const JsonView *options, const char *name);
extern Datum OptionEmbeddingDatum(const JsonView *embedding);

#endif							/* ANSWER_EVAL_OPTION_H */
