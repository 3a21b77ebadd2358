/*-------------------------------------------------------------------------
 *
 * check_explain.h
 *		Explains in words why a check has its verdict.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHECK_EXPLAIN_H
#define ANSWER_EVAL_CHECK_EXPLAIN_H

#include "check/check.h"

extern JsonView CheckExplain(const Check *check, const CheckResult *result);
extern JsonView CheckExplainWithout(const Check *check, const char *summary);

#endif							/* ANSWER_EVAL_CHECK_EXPLAIN_H */
