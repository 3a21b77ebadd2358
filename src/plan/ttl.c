/*-------------------------------------------------------------------------
 *
 * ttl.c
 *		TTLs: how long remembered values live.
 *
 * Pure, with a thin SQL interface.  Rule: doc/spec/plan.md §14.1.  A time to live is an
 * ISO 8601 duration of days, hours, minutes and seconds, each a whole number, in upper
 * case; a day has 86,400 seconds, whatever the calendar says.  Years and months have no
 * fixed length, and weeks another spelling; they are refused.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/timestamp.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"
#include "plan/ttl.h"

#define TTL_MAX_SECONDS		((int64) TTL_MAX_DAYS * SECS_PER_DAY)

static const char ttl_form[] = "must be P[nD][T[nH][nM][nS]] in upper case, with at least one of these parts";

/* The parts in their order; those after T have letters of their own. */
static const struct
{
	char		letter;
	bool		is_time;
	int			seconds;
}			parts[] =
{
	{'D', false, SECS_PER_DAY},
	{'H', true, SECS_PER_HOUR},
	{'M', true, SECS_PER_MINUTE},
	{'S', true, 1},
};

/* Reads digits; a number that is too large becomes one above the limit. Returns false if there are none. */
static bool
ReadNumber(Span text, int *at, int64 *number)
{
	int			begin = *at;

	*number = 0;
	for (; *at < text.len && text.str[*at] >= '0' && text.str[*at] <= '9'; (*at)++)
		*number = Min(*number * 10 + (text.str[*at] - '0'), TTL_MAX_SECONDS + 1);
	return *at > begin;
}

/* Returns the part that a letter stands for, from "part" on; -1: none. */
static int
FindPart(char letter, bool is_time, int part)
{
	for (; part < (int) lengthof(parts); part++)
	{
		if (parts[part].letter == letter && parts[part].is_time == is_time)
			return part;
	}
	return -1;
}

/* Reads all parts; false if the text has another form. */
static bool
ReadParts(Span text, int64 *seconds)
{
	int			at = 1;
	int			next = 0;
	bool		is_time = false;
	bool		is_empty = true;

	if (text.len == 0 || text.str[0] != 'P')
		return false;
	while (at < text.len)
	{
		int64		number;
		int			part;

		if (text.str[at] == 'T' && !is_time)
		{
			is_time = is_empty = true;
			at++;
			continue;
		}
		if (!ReadNumber(text, &at, &number) || at == text.len)
			return false;
		part = FindPart(text.str[at++], is_time, next);
		if (part < 0)
			return false;
		next = part + 1;
		is_empty = false;
		/* at most 4 numbers of at most 4e11, times 86,400 */
		*seconds += number * parts[part].seconds;
	}
	return !is_empty;
}

const char *
TtlParse(Span text, int64 *seconds)
{
	*seconds = 0;
	if (!ReadParts(text, seconds))
		return ttl_form;
	if (*seconds == 0)
		return "must be more than 0 seconds";
	if (*seconds > TTL_MAX_SECONDS)
		return "must be at most " CppAsString2(TTL_MAX_DAYS) " days";
	return NULL;
}

bool
TtlExpires(int64 seconds, TimestampTz written_at, TimestampTz *expires)
{
	return !TIMESTAMP_NOT_FINITE(written_at) &&
		!pg_add_s64_overflow(written_at, seconds * USECS_PER_SEC, expires) &&
		IS_VALID_TIMESTAMP(*expires);
}

/*
 * SQL
 */

PG_FUNCTION_INFO_V1(answer_eval_memory_expires);

Datum
answer_eval_memory_expires(PG_FUNCTION_ARGS)
{
	Span		ttl = PG_ARGISNULL(0) ? SpanOfCString(TTL_DEFAULT) : TextArgument(fcinfo, 0);
	int64		seconds;
	TimestampTz expires;
	const char *problem;

	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "ttl");
	RequireArgument(fcinfo, 1, "written_at");
	problem = TtlParse(ttl, &seconds);
	if (problem)
		MalformedArgument(psprintf("ttl %s, and is %s", problem, ShownText(ttl)),
						  "P90D is 90 days, PT12H half a day.");
	if (!TtlExpires(seconds, PG_GETARG_TIMESTAMPTZ(1), &expires))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range"),
				 errdetail("What is written then and lives so long expires beyond what timestamps hold.")));
	PG_RETURN_TIMESTAMPTZ(expires);
}
