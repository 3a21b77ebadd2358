/*-------------------------------------------------------------------------
 *
 * request.h
 *		A request, the input of answer_eval.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_REQUEST_H
#define ANSWER_EVAL_REQUEST_H

#include "check/check.h"

#define REQUEST_MAX_CHECKS			1000
#define REQUEST_CHECK_CAP			20	/* checks beyond this number are not_checked */
#define REQUEST_MAX_QUESTION		2097152		/* bytes in UTF-8 */
#define REQUEST_LONG_QUESTION \
	"must have at most " CppAsString2(REQUEST_MAX_QUESTION) " bytes"
#define REQUEST_DEFAULT_DEADLINE_MS	6000
#define REQUEST_MAX_DEADLINE_MS		60000

typedef struct Request
{
	JsonView	question;		/* absent in checks mode */
	int			nchecks;
	Check	   *checks;
	int			deadline_ms;
	JsonView	evidence;		/* absent, or an array of facts */
	JsonView	require_fresh;	/* absent, or a boolean */
} Request;

extern bool RequestParse(const JsonView *request, Request *parsed,
						 RequestError *error);

#endif							/* ANSWER_EVAL_REQUEST_H */
