/*-------------------------------------------------------------------------
 *
 * request_error.h
 *		An error in a request, as a value and as an ereport.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REQUEST_ERROR_H
#define ANSWER_EVAL_REQUEST_ERROR_H

#include "base/jsonview.h"
#include "base/span.h"

/* Unused fields are zero. */
typedef struct RequestError
{
	Span		where;			/* id of the check, or empty */
	Span		field;
	const char *problem;
	int			sqlstate;		/* 0 means 22023 */
	JsonView	seen;			/* the wrong value, or absent */
	Span		word;			/* the wrong word, or empty */
	const char *const *allowed; /* the words allowed instead, ending with NULL; or NULL */
} RequestError;

extern bool ReportRequestField(RequestError *error, const char *field, const char *problem);
extern bool ReportRequestValue(RequestError *error, const char *field, const char *problem,
							   const JsonView *seen);
extern bool RequestKnowsKeys(const JsonView *object, const char *const *keys, const char *problem,
							 RequestError *error);
extern _Noreturn void RequestRaise(const RequestError *error);

#endif							/* ANSWER_EVAL_REQUEST_ERROR_H */
