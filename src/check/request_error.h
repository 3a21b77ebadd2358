/*-------------------------------------------------------------------------
 *
 * request_error.h
 *		Says what is wrong with a request, as a value and as an error.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REQUEST_ERROR_H
#define ANSWER_EVAL_REQUEST_ERROR_H

#include "base/jsonview.h"
#include "base/span.h"

/* All zero but what is said of it. */
typedef struct RequestError
{
	Span		where;			/* id of the check, or empty */
	Span		field;
	const char *problem;
	int			sqlstate;		/* 0: 22023 */
	JsonView	seen;			/* the wrong value, or absent */
	Span		word;			/* the wrong word, and the words it could be, */
	const char *const *allowed; /* up to a NULL; NULL where there is no choice */
} RequestError;

extern bool ReportRequestField(RequestError *error, const char *field, const char *problem);
extern bool ReportRequestValue(RequestError *error, const char *field, const char *problem,
							   const JsonView *seen);
extern bool RequestKnowsKeys(const JsonView *object, const char *const *keys, const char *problem,
							 RequestError *error);
extern _Noreturn void RequestRaise(const RequestError *error);

#endif							/* ANSWER_EVAL_REQUEST_ERROR_H */
