/*-------------------------------------------------------------------------
 *
 * bound_function.h
 *		Functions that are registered by name: handlers and graders.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_BOUND_FUNCTION_H
#define ANSWER_EVAL_BOUND_FUNCTION_H

#include "fmgr.h"

#include "base/jsonview.h"

extern NullableDatum FunctionMember(const JsonView *document, const char *member);
extern Oid	BoundFunction(const char *name, const char *owner, Oid result);
extern Datum BoundCall(Oid function, Datum argument, bool *isnull);
extern void BoundRightsTake(const text *tenant, const char *registered_by, Oid *user, int *context);

#endif							/* ANSWER_EVAL_BOUND_FUNCTION_H */
