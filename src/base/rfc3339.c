/*-------------------------------------------------------------------------
 *
 * rfc3339.c
 *		The only way to write a point in time in facts and receipts.
 *
 * Rule: doc/spec/document.md §6.1.
 *
 * See rfc3339.h.  The calendar is PostgreSQL's own (date2j, isleap).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "base/rfc3339.h"

/* Reads exactly n digits, or returns -1. */
static int
ReadDigits(const char *s, int n)
{
	int			value = 0;

	for (int i = 0; i < n; i++)
	{
		if (s[i] < '0' || s[i] > '9')
			return -1;
		value = value * 10 + (s[i] - '0');
	}
	return value;
}

static bool
IsDate(int year, int month, int day)
{
	return year >= 1 && month >= 1 && month <= 12 && day >= 1 &&
		day <= day_tab[isleap(year)][month - 1];
}

/* Reads the fraction after a point; returns its length, or 0 if it is not a fraction. */
static int
ReadFraction(const char *s, int len, int *microseconds)
{
	int			n = 0;
	int			value = 0;

	while (n < len && s[n] >= '0' && s[n] <= '9')
	{
		if (n == 6)
			return 0;
		value = value * 10 + (s[n++] - '0');
	}
	for (int i = n; i < 6; i++)
		value *= 10;
	*microseconds = value;
	return n;
}

/* Reads the part after the seconds: Z or an offset, in minutes. */
static bool
ReadZone(const char *s, int len, int *minutes)
{
	int			hour;
	int			minute;

	*minutes = 0;
	if (len == 1 && s[0] == 'Z')
		return true;
	if (len != 6 || (s[0] != '+' && s[0] != '-') || s[3] != ':')
		return false;
	hour = ReadDigits(s + 1, 2);
	minute = ReadDigits(s + 4, 2);
	if (hour < 0 || hour > 15 || minute < 0 || minute > 59)
		return false;
	*minutes = (s[0] == '-') ? -(hour * 60 + minute) : hour * 60 + minute;
	return true;
}

bool
InstantParse(const char *str, int len, TimestampTz *instant)
{
	int			year,
				month,
				day,
				hour,
				minute,
				second;
	int			microseconds = 0;
	int			offset;
	int			at = 19;
	int64		days;
	int64		seconds;

	if (len < 20 || str[4] != '-' || str[7] != '-' || str[10] != 'T' ||
		str[13] != ':' || str[16] != ':')
		return false;
	year = ReadDigits(str, 4);
	month = ReadDigits(str + 5, 2);
	day = ReadDigits(str + 8, 2);
	hour = ReadDigits(str + 11, 2);
	minute = ReadDigits(str + 14, 2);
	second = ReadDigits(str + 17, 2);
	if (!IsDate(year, month, day) || hour < 0 || hour > 23 ||
		minute < 0 || minute > 59 || second < 0 || second > 59)
		return false;
	if (str[at] == '.')
	{
		int			n = ReadFraction(str + at + 1, len - at - 1, &microseconds);

		if (n == 0)
			return false;
		at += 1 + n;
	}
	if (!ReadZone(str + at, len - at, &offset))
		return false;

	days = date2j(year, month, day) - POSTGRES_EPOCH_JDATE;
	seconds = days * SECS_PER_DAY + hour * SECS_PER_HOUR +
		minute * SECS_PER_MINUTE + second - offset * SECS_PER_MINUTE;
	*instant = seconds * USECS_PER_SEC + microseconds;
	return true;
}

bool
InstantOfView(const JsonView *view, TimestampTz *instant)
{
	return view->type == JVIEW_STRING && InstantParse(view->str, view->len, instant);
}

/* Splits an instant into its fields; returns false if it is outside the years 1 to 9999 in UTC. */
static bool
TakeApart(TimestampTz instant, struct pg_tm *tm, fsec_t *fsec)
{
	return !TIMESTAMP_NOT_FINITE(instant) &&
		timestamp2tm(instant, NULL, tm, fsec, NULL, NULL) == 0 &&
		tm->tm_year >= 1 && tm->tm_year <= 9999;
}

/* Can InstantFormat write it? An offset can move an instant out of that range. */
bool
InstantIsWritable(TimestampTz instant)
{
	struct pg_tm tm;
	fsec_t		fsec;

	return TakeApart(instant, &tm, &fsec);
}

static char *
WriteDigits(char *out, int number, int count, char next)
{
	for (int i = count - 1; i >= 0; i--)
	{
		out[i] = '0' + number % 10;
		number /= 10;
	}
	out[count] = next;
	return out + count + 1;
}

/* Writes an instant in UTC, with microseconds only if they are not zero. */
void
InstantFormat(TimestampTz instant, char *out)
{
	struct pg_tm tm;
	fsec_t		fsec;

	if (!TakeApart(instant, &tm, &fsec))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range"),
				 errdetail("Facts and receipts hold instants of the years 1 to 9999.")));
	/* a request has dozens of them, and printf would take a hundredth of its time */
	out = WriteDigits(out, tm.tm_year, 4, '-');
	out = WriteDigits(out, tm.tm_mon, 2, '-');
	out = WriteDigits(out, tm.tm_mday, 2, 'T');
	out = WriteDigits(out, tm.tm_hour, 2, ':');
	out = WriteDigits(out, tm.tm_min, 2, ':');
	out = WriteDigits(out, tm.tm_sec, 2, fsec != 0 ? '.' : 'Z');
	if (fsec != 0)
		out = WriteDigits(out, fsec, 6, 'Z');
	*out = '\0';
}

JsonView
InstantView(TimestampTz instant)
{
	char	   *text = palloc(INSTANT_SIZE);

	InstantFormat(instant, text);
	return JsonViewCString(text);
}

/* Returns JSON null if the instant cannot be written. */
JsonView
InstantViewOrNull(TimestampTz instant)
{
	return InstantIsWritable(instant) ? InstantView(instant) : JsonViewNull();
}
