/*-------------------------------------------------------------------------
 *
 * request_error.c
 *		An error in a request, as a value and as an ereport.
 *
 * The parsers of requests and checks also read receipts, which must not raise
 * errors.  So parsers return a problem as a value, and only the SQL edge raises
 * it.  The error names the check and the field.  Its detail shows the value, and
 * its hint the words that are allowed, the closest first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "base/canonical.h"
#include "base/closest.h"
#include "base/option.h"
#include "check/request_error.h"

#define SHOWN_MAX_SIZE	64		/* bytes of a text in an error */

/* Both return false, so that a parser can return their result. */
bool
ReportRequestField(RequestError *error, const char *field, const char *problem)
{
	error->field = SpanOfCString(field);
	error->problem = problem;
	return false;
}

bool
ReportRequestValue(RequestError *error, const char *field, const char *problem,
				   const JsonView *seen)
{
	error->seen = *seen;
	return ReportRequestField(error, field, problem);
}

/* Returns a span in the database's encoding, truncated if it is long. */
static char *
ShownPart(Span span)
{
	int			len = pg_encoding_mbcliplen(PG_UTF8, span.str, span.len, SHOWN_MAX_SIZE);
	int			shown_len;
	char	   *copy = pnstrdup(span.str, len);

	/* a copy, because the conversion needs a terminator */
	copy = JsonUtf8ToServer(copy, len, &shown_len);
	return pnstrdup(copy, shown_len);
}

static int
WriteDetail(const RequestError *error)
{
	if (error->seen.type == JVIEW_ABSENT)
		return 0;
	return errdetail("The value is %s.", ShownValue(&error->seen));
}

static int
WriteHint(const RequestError *error)
{
	if (error->allowed == NULL)
		return 0;
	return errhint("Use one of these, the closest ones first: %s.",
				   WordsClosestFirst(ShownPart(error->word), error->allowed));
}

/* Our own field names are shown as they are; an unknown key, which is the caller's, is quoted. */
static char *
ShownField(const RequestError *error)
{
	bool		is_unknown = error->allowed && error->word.str == error->field.str;

	return is_unknown ? psprintf("\"%s\"", ShownPart(error->field)) : ShownPart(error->field);
}

void
RequestRaise(const RequestError *error)
{
	int			sqlstate = error->sqlstate ? error->sqlstate : ERRCODE_INVALID_PARAMETER_VALUE;

	if (error->where.len > 0)
		ereport(ERROR,
				(errcode(sqlstate),
				 errmsg("check \"%s\": %s %s", ShownPart(error->where), ShownField(error), error->problem),
				 WriteDetail(error), WriteHint(error)));
	ereport(ERROR,
			(errcode(sqlstate),
			 errmsg("invalid request: %s %s", ShownField(error), error->problem),
			 WriteDetail(error), WriteHint(error)));
}

/* Checks the keys of a part of a request; the error lists those that are allowed. */
bool
RequestKnowsKeys(const JsonView *object, const char *const *keys, const char *problem,
				 RequestError *error)
{
	if (HasOnlyKeys(object, keys, &error->field))
		return true;
	error->problem = problem;
	error->word = error->field;
	error->allowed = keys;
	return false;
}
