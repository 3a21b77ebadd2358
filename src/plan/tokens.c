/*-------------------------------------------------------------------------
 *
 * tokens.c
 *		Estimates the number of tokens of a value.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §14.2.  If a tool does not
 * report its tokens, and for input_tokens_max, four characters of the canonical form
 * count as a token.  Everybody who has the value gets the same number, whatever model
 * reads it.
 *
 * Promises: pure; linear; the canonical form is not built.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "plan/tokens.h"

#define CHARACTERS_PER_TOKEN	4

int64
TokensOf(const JsonView *view)
{
	/* the form is ASCII: one byte per character */
	return CanonicalSize(view) / CHARACTERS_PER_TOKEN;
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_tokens);

Datum
answer_eval_tokens(PG_FUNCTION_ARGS)
{
	JsonView	view;

	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "value");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), &view);
	if (!CanonicalIsWritable(&view))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the value is too large"),
				 errdetail("Its canonical form has more than %d bytes.", WRITTEN_MAX_SIZE),
				 errhint("Give it in parts.")));
	PG_RETURN_INT64(TokensOf(&view));
}
