/*-------------------------------------------------------------------------
 *
 * canonical.c
 *		Canonical JSON, portable numbers and the digest.
 *
 * Rule: doc/spec/document.md §2 to §4.
 *
 * The canonical form is "json-sorted-compact" of DF-VERIFY/1: what Python's
 * json.dumps(value, sort_keys=True, separators=(",", ":")) prints.  Keys are
 * sorted by code point, there is no white space, everything outside printable
 * ASCII is escaped, and numbers stay verbatim.  This form is hashed and
 * signed.
 *
 * Portable numbers exist because languages print the same number differently.
 * A number that Python, JavaScript and jsonb all print alike stays a number.
 * Any other becomes a string with its exact decimal text.
 *
 * Promises: one writer serves text and hash, for every kind of JsonView.  The
 * hash is fed while writing, without a copy of the document.  Output is ASCII
 * in every database encoding.  Everything here is immutable and parallel safe.
 * The cost is linear in the document, except for sorting the keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base/canonical.h"
#include "base/funcargs.h"
#include "base/limits.h"

/* How many bytes of a value an error shows. */
#define SHOWN_MAX_SIZE	64

/* 2^53 - 1: a double represents all integers up to this one exactly. */
#define MAX_SAFE_INTEGER	"9007199254740991"

/* Python prints a double without an exponent from 1e-4 up to 1e16. */
#define MAX_ZEROS_AFTER_POINT	3
#define MAX_DIGITS_BEFORE_POINT	16

/* A decimal of at most 15 digits always survives a double; one of 18 or more never does. */
#define ALWAYS_SHORTEST_DIGITS	15
#define NEVER_SHORTEST_DIGITS	18

#define SINK_SIZE	4096

/*
 * Receives the canonical bytes in a buffer.  When that is full, it is passed on either
 * to a string or to a hash.
 */
typedef struct Sink
{
	StringInfo	out;			/* NULL if it goes to the hash, or nowhere */
	bool		counts;			/* to nowhere, because only the size is wanted */
	Size		written;		/* bytes passed on */
	bool		portable;		/* write numbers in their portable form? */
	Size		numbers;		/* if so, bytes of numbers that became strings */
	CanonicalSpan *mark;		/* member to be located in out, or NULL */
	int			levels;			/* number of open containers */
	int			deepest;		/* greatest number of them so far */
	int			used;
	char		buffer[SINK_SIZE];
} Sink;

static void WriteValue(Sink *sink, const JsonView *view, const CanonicalOmit *omit);

static _Noreturn void
TooLargeToWrite(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("the canonical form of the document is too large"),
			 errdetail("The most are %d bytes.", WRITTEN_MAX_SIZE)));
}

static void
SinkPass(Sink *sink, const char *data, int len)
{
	sink->written += len;
	if (sink->counts)
		return;
	if (sink->out && sink->written > WRITTEN_MAX_SIZE)
		TooLargeToWrite();
	if (sink->out)
		appendBinaryStringInfo(sink->out, data, len);
	else
		Sha256Add(data, len);
}

static void
SinkFlush(Sink *sink)
{
	SinkPass(sink, sink->buffer, sink->used);
	sink->used = 0;
}

static inline void
SinkByte(Sink *sink, char c)
{
	if (sink->used == SINK_SIZE)
		SinkFlush(sink);
	sink->buffer[sink->used++] = c;
}

static inline void
SinkBytes(Sink *sink, const char *data, int len)
{
	if (len > SINK_SIZE - sink->used)
	{
		SinkFlush(sink);
		if (len > SINK_SIZE)
		{
			SinkPass(sink, data, len);
			return;
		}
	}
	memcpy(sink->buffer + sink->used, data, len);
	sink->used += len;
}

static const char hex_digits[] = "0123456789abcdef";

static void
SinkUnit(Sink *sink, unsigned int unit)
{
	char		escape[6] = {'\\', 'u',
		hex_digits[(unit >> 12) & 0xF], hex_digits[(unit >> 8) & 0xF],
	hex_digits[(unit >> 4) & 0xF], hex_digits[unit & 0xF]};

	SinkBytes(sink, escape, 6);
}

/* Writes the character at s escaped; returns how many bytes it took there. */
static int
SinkEscaped(Sink *sink, const unsigned char *s, const unsigned char *end)
{
	pg_wchar	c = *s;
	int			len = 1;

	switch (c)
	{
		case '"':
			SinkBytes(sink, "\\\"", 2);
			return 1;
		case '\\':
			SinkBytes(sink, "\\\\", 2);
			return 1;
		case '\b':
			SinkBytes(sink, "\\b", 2);
			return 1;
		case '\f':
			SinkBytes(sink, "\\f", 2);
			return 1;
		case '\n':
			SinkBytes(sink, "\\n", 2);
			return 1;
		case '\r':
			SinkBytes(sink, "\\r", 2);
			return 1;
		case '\t':
			SinkBytes(sink, "\\t", 2);
			return 1;
		default:
			break;
	}
	if (c >= 0x80)
	{
		len = pg_utf_mblen(s);
		if (len > end - s)
			elog(ERROR, "string breaks off inside a character");
		c = utf8_to_unicode(s);
	}
	if (c >= 0x10000)
	{
		SinkUnit(sink, 0xD800 + ((c - 0x10000) >> 10));
		SinkUnit(sink, 0xDC00 + ((c - 0x10000) & 0x3FF));
	}
	else
		SinkUnit(sink, c);
	return len;
}

/* Are eight bytes all plain? Each test handles all bytes at once, in the highest bit of each. */
static inline bool
AreEightPlain(const unsigned char *s)
{
	const uint64 ones = UINT64CONST(0x0101010101010101);
	const uint64 high = UINT64CONST(0x8080808080808080);
	uint64		bytes;
	uint64		quote;
	uint64		backslash;

	memcpy(&bytes, s, sizeof(bytes));
	quote = bytes ^ (ones * '"');
	backslash = bytes ^ (ones * '\\');
	/* 0x80 and above; below 0x20; 0x7F and above; then those that became zero */
	return ((bytes | (bytes - ones * 0x20) | (bytes + ones) | (quote - ones) | (backslash - ones)) & high) == 0;
}

static void
WriteString(Sink *sink, const char *str, int len)
{
	const unsigned char *s = (const unsigned char *) str;
	const unsigned char *end = s + len;

	SinkByte(sink, '"');
	while (s < end)
	{
		const unsigned char *run = s;

		while (end - s >= 8 && AreEightPlain(s))
			s += 8;
		while (s < end && *s >= 0x20 && *s < 0x7F && *s != '"' && *s != '\\')
			s++;
		if (s > run)
			SinkBytes(sink, (const char *) run, s - run);
		if (s < end)
			s += SinkEscaped(sink, s, end);
	}
	SinkByte(sink, '"');
}

static void
WriteNumber(Sink *sink, const JsonView *view)
{
	PlainNumber plain;
	char	   *text;

	if (sink->portable && NumberPlain(view, &plain))
	{
		sink->numbers += plain.is_portable ? 0 : plain.len;
		if (sink->numbers > WRITTEN_MAX_SIZE)
			TooLargeToWrite();
		if (!plain.is_portable)
			SinkByte(sink, '"');
		SinkBytes(sink, plain.text, plain.len);
		if (!plain.is_portable)
			SinkByte(sink, '"');
		pfree(unconstify(char *, plain.text));
		return;
	}
	if (!view->is_jsonb)
	{
		SinkBytes(sink, view->str, view->len);
		return;
	}
	text = DatumGetCString(DirectFunctionCall1(numeric_out,
											   NumericGetDatum(view->u.numeric)));
	SinkBytes(sink, text, strlen(text));
	pfree(text);
}

static bool
KeyIs(const JsonMember *member, const char *key)
{
	return (size_t) member->key.len == strlen(key) &&
		memcmp(member->key.str, key, member->key.len) == 0;
}

static bool
IsOmitted(const JsonMember *member, const CanonicalOmit *omit)
{
	for (int i = 0; i < omit->count; i++)
	{
		if (KeyIs(member, omit->keys[i]))
			return true;
	}
	return false;
}

static void
WriteMembers(Sink *sink, JsonMember *members, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (i > 0)
			SinkByte(sink, ',');
		WriteString(sink, members[i].key.str, members[i].key.len);
		SinkByte(sink, ':');
		WriteValue(sink, &members[i].value, NULL);
	}
}

/* Returns how much has been written to a string so far. */
static int
CountWritten(const Sink *sink)
{
	return sink->out->len + sink->used;
}

/* Notes where the missing member would be: before the first member that comes after it. */
static void
MarkPlace(Sink *sink, const JsonMember *next)
{
	CanonicalSpan *mark = sink->mark;

	if (mark == NULL || mark->missing == NULL || mark->place != 0)
		return;
	/* it is ASCII, so byte order is code-point order */
	if (next == NULL || strncmp(next->key.str, mark->missing, next->key.len) > 0)
		mark->place = CountWritten(sink);
}

/* Writes the members of the outermost object, except those to be left out. */
static void
WriteOutermost(Sink *sink, JsonMember *members, int count, const CanonicalOmit *omit)
{
	bool		first = true;
	bool		comma_is_marked = false;

	for (int i = 0; i < count; i++)
	{
		bool		marked = sink->mark && KeyIs(&members[i], sink->mark->key);

		if (IsOmitted(&members[i], omit))
			continue;
		MarkPlace(sink, &members[i]);
		if (marked)
			sink->mark->begin = CountWritten(sink);
		if (!first)
			SinkByte(sink, ',');
		if (comma_is_marked)	/* the marked member was the first, so this comma belongs to it */
			sink->mark->end = CountWritten(sink);
		comma_is_marked = marked && first;
		first = false;
		WriteMembers(sink, &members[i], 1);
		if (marked)
			sink->mark->end = CountWritten(sink);
	}
	MarkPlace(sink, NULL);
}

/* Returns the size of a container that is jsonb already. */
static int
JsonbContainerBytes(const JsonbContainer *container)
{
	int			count = JsonContainerSize(container) * (JsonContainerIsObject(container) ? 2 : 1);
	int			bytes = sizeof(uint32) + count * sizeof(JEntry);

	if (count > 0)
		bytes += getJsonbOffset(container, count - 1) + getJsonbLength(container, count - 1);
	return bytes;
}

/* Are two values jsonb of the same bytes? If not, they can still be equal. */
bool
CanonicalIsSame(const JsonView *a, const JsonView *b)
{
	int			bytes;

	if (!JVIEW_IS_CONTAINER(a) || !JVIEW_IS_CONTAINER(b) || !a->is_jsonb || !b->is_jsonb)
		return false;
	bytes = JsonbContainerBytes(a->u.jsonb);
	return bytes == JsonbContainerBytes(b->u.jsonb) && memcmp(a->u.jsonb, b->u.jsonb, bytes) == 0;
}

static void
WriteObject(Sink *sink, const JsonView *view, const CanonicalOmit *omit)
{
	int			count;
	JsonMember *members;

	if (view->is_written && omit == NULL && !sink->portable)
	{
		sink->deepest = Max(sink->deepest, sink->levels - 1 + WRITTEN_MAX_DEPTH);
		SinkBytes(sink, (const char *) view->u.jsonb + JsonbContainerBytes(view->u.jsonb), view->len);
		return;
	}
	members = JsonViewSortedMembers(view, &count);
	SinkByte(sink, '{');
	if (omit)
		WriteOutermost(sink, members, count, omit);
	else
		WriteMembers(sink, members, count);
	SinkByte(sink, '}');
	if (view->is_jsonb && members)
		pfree(members);
}

static void
WriteArray(Sink *sink, const JsonView *view)
{
	int			count = JsonViewCount(view);

	SinkByte(sink, '[');
	for (int i = 0; i < count; i++)
	{
		JsonView	element = JsonViewAt(view, i);

		if (i > 0)
			SinkByte(sink, ',');
		WriteValue(sink, &element, NULL);
	}
	SinkByte(sink, ']');
}

static void
WriteContainer(Sink *sink, const JsonView *view, const CanonicalOmit *omit)
{
	check_stack_depth();
	sink->levels++;
	sink->deepest = Max(sink->deepest, sink->levels);
	if (view->type == JVIEW_ARRAY)
		WriteArray(sink, view);
	else
		WriteObject(sink, view, omit);
	sink->levels--;
}

static void
WriteValue(Sink *sink, const JsonView *view, const CanonicalOmit *omit)
{
	CHECK_FOR_INTERRUPTS();
	if (sink->counts && sink->written > WRITTEN_MAX_SIZE)
		return;
	switch (view->type)
	{
		case JVIEW_NULL:
			SinkBytes(sink, "null", 4);
			break;
		case JVIEW_BOOL:
			if (view->boolean)
				SinkBytes(sink, "true", 4);
			else
				SinkBytes(sink, "false", 5);
			break;
		case JVIEW_NUMBER:
			WriteNumber(sink, view);
			break;
		case JVIEW_STRING:
			WriteString(sink, view->str, view->len);
			break;
		case JVIEW_ARRAY:
		case JVIEW_OBJECT:
			WriteContainer(sink, view, omit);
			break;
		case JVIEW_ABSENT:
			elog(ERROR, "an absent value has no canonical form");
	}
}

/* Sets all but the buffer, which is written before it is read. */
static void
SinkInit(Sink *sink, StringInfo out, bool portable)
{
	memset(sink, 0, offsetof(Sink, buffer));
	sink->out = out;
	sink->portable = portable;
}

/* Returns an upper bound for the number of levels that were written. */
static int
WriteToString(StringInfo out, const JsonView *view, const CanonicalOmit *omit,
			  CanonicalSpan *mark, bool portable)
{
	Sink		sink;

	SinkInit(&sink, out, portable);
	sink.mark = mark;
	WriteValue(&sink, view, omit);
	SinkFlush(&sink);
	return sink.deepest;
}

/* Appends the canonical form, without the top-level members in omit. */
void
CanonicalWrite(StringInfo out, const JsonView *view, const CanonicalOmit *omit)
{
	(void) WriteToString(out, view, omit, NULL, false);
}

/*
 * Does the same, and says where the member that *mark names is.  With "portable", it
 * writes the value as answer.portable would make it.  Returns an upper bound for the
 * number of levels that were written.  It is exact unless the value contains a
 * "written" one (JsonViewWritten).
 */
int
CanonicalWriteMarking(StringInfo out, const JsonView *view, const CanonicalOmit *omit,
					  CanonicalSpan *mark, bool portable)
{
	mark->begin = mark->end = mark->place = 0;
	return WriteToString(out, view, omit, mark, portable);
}

/* Does the same for the value as answer.portable would make it. */
void
CanonicalWritePortable(StringInfo out, const JsonView *view)
{
	(void) WriteToString(out, view, NULL, NULL, true);
}

static void
HashValue(const JsonView *view, const CanonicalOmit *omit, bool portable, uint8 *sha256)
{
	Sink		sink;

	SinkInit(&sink, NULL, portable);
	Sha256Begin();
	WriteValue(&sink, view, omit);
	SinkFlush(&sink);
	Sha256End(sha256);
}

/* Computes the SHA-256 of the canonical form, which is never in memory as a whole. */
void
CanonicalSha256(const JsonView *view, const CanonicalOmit *omit, uint8 *sha256)
{
	HashValue(view, omit, false, sha256);
}

static Size
CountValue(const JsonView *view, bool portable)
{
	Sink		sink;

	SinkInit(&sink, NULL, portable);
	sink.counts = true;
	WriteValue(&sink, view, NULL);
	SinkFlush(&sink);
	return sink.written;
}

/*
 * Returns the size of the canonical form without writing it.  Above WRITTEN_MAX_SIZE, the
 * result is some greater number.
 */
Size
CanonicalSize(const JsonView *view)
{
	return CountValue(view, false);
}

/* Does the same for the value as answer.portable would make it. */
Size
CanonicalSizePortable(const JsonView *view)
{
	return CountValue(view, true);
}

/*
 * Adds the member that a text lacks, in its place.  The text after it moves, so marks
 * there are no longer valid.
 */
void
CanonicalAddMissing(StringInfo text, const CanonicalSpan *mark, const JsonView *member)
{
	int			taillen = text->len - mark->place;
	char	   *tail = pnstrdup(text->data + mark->place, taillen);

	text->len = mark->place;
	appendStringInfo(text, ",\"%s\":", mark->missing);
	CanonicalWrite(text, member, NULL);
	appendBinaryStringInfo(text, tail, taillen);
	pfree(tail);
}

/* Is the canonical form small enough to be written? Never raises an error because of its size. */
bool
CanonicalIsWritable(const JsonView *view)
{
	return CanonicalSize(view) <= WRITTEN_MAX_SIZE;
}

/*
 * Computes the SHA-256 of a text without the bytes from begin to end.  The state at
 * "begin" is kept for another text with the same beginning.
 */
void
Sha256Without(StringInfo text, int begin, int end, uint8 *sha256)
{
	Sha256Begin();
	Sha256Add(text->data, begin);
	Sha256Keep();
	Sha256Add(text->data + end, text->len - end);
	Sha256End(sha256);
}

/* Writes 2 * len lower-case digits, no terminator. */
void
HexEncode(const uint8 *bytes, int len, char *hex)
{
	for (int i = 0; i < len; i++)
	{
		*hex++ = hex_digits[bytes[i] >> 4];
		*hex++ = hex_digits[bytes[i] & 0xF];
	}
}

static void
WriteDigest(const uint8 *sha256, char *digest)
{
	memcpy(digest, DIGEST_PREFIX, 7);
	HexEncode(sha256, SHA256_LENGTH, digest + 7);
	digest[DIGEST_TEXT_LENGTH] = '\0';
}

/* Writes "sha256:" and 64 digits with a terminator: DIGEST_TEXT_LENGTH + 1 bytes. */
void
CanonicalDigest(const JsonView *view, const CanonicalOmit *omit, char *digest)
{
	uint8		sha256[SHA256_LENGTH];

	CanonicalSha256(view, omit, sha256);
	WriteDigest(sha256, digest);
}

bool
CanonicalDigestsEqual(const JsonView *a, const JsonView *b)
{
	char		digest_a[DIGEST_TEXT_LENGTH + 1];
	char		digest_b[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigest(a, NULL, digest_a);
	CanonicalDigest(b, NULL, digest_b);
	return strcmp(digest_a, digest_b) == 0;
}

/* Does the same for the value as answer.portable would make it. */
void
CanonicalDigestPortable(const JsonView *view, char *digest)
{
	uint8		sha256[SHA256_LENGTH];

	HashValue(view, NULL, true, sha256);
	WriteDigest(sha256, digest);
}

/* Returns CanonicalDigest() of a value without the marked member, given the value's canonical form. */
void
CanonicalDigestWithout(StringInfo text, const CanonicalSpan *mark, char *digest)
{
	uint8		sha256[SHA256_LENGTH];

	Sha256Without(text, mark->begin, mark->end, sha256);
	WriteDigest(sha256, digest);
}

/* Is it "sha256:" and 64 lower-case hex digits? */
bool
IsDigestText(const char *str, int len)
{
	if (len != DIGEST_TEXT_LENGTH || memcmp(str, DIGEST_PREFIX, 7) != 0)
		return false;
	for (int i = 7; i < len; i++)
	{
		if (str[i] == '\0' || strchr(hex_digits, str[i]) == NULL)
			return false;
	}
	return true;
}

/*
 * portable numbers
 */

/*
 * True if these 16 or 17 digits are those of the shortest text that reads back as the
 * nearest double.  PostgreSQL's own shortest-float code excludes the ends of the
 * interval and so differs from Python on some numbers.  Correctly rounded printf and
 * strtod decide it exactly.
 */
static bool
IsShortestText(const char *text, const char *digits, int ndigits)
{
	double		value = strtod(text, NULL);

	for (int precision = ALWAYS_SHORTEST_DIGITS; precision <= ndigits; precision++)
	{
		char		printed[40];
		char		printed_digits[20];
		int			n = 0;

		snprintf(printed, sizeof(printed), "%.*e", precision - 1, fabs(value));
		if (strtod(printed, NULL) != fabs(value))
			continue;
		if (precision < ndigits)
			return false;		/* a shorter text is enough */
		for (const char *p = printed; *p != 'e'; p++)
		{
			if (*p != '.')
				printed_digits[n++] = *p;
		}
		return n == ndigits && memcmp(printed_digits, digits, n) == 0;
	}
	return false;
}

/* Decides for a plain decimal text with a fraction and without trailing zeros. */
static bool
IsPortableFraction(const char *text, int len)
{
	const char *end = text + len;
	const char *p = text + (*text == '-' ? 1 : 0);
	const char *point = memchr(p, '.', end - p);
	char		digits[NEVER_SHORTEST_DIGITS];
	int			ndigits = 0;
	int			zeros = 0;

	if (point - p > MAX_DIGITS_BEFORE_POINT)
		return false;
	if (point - p == 1 && *p == '0')
	{
		for (const char *q = point + 1; *q == '0'; q++)
			zeros++;
		if (zeros > MAX_ZEROS_AFTER_POINT)
			return false;
	}
	for (; p < end; p++)
	{
		if (*p == '.' || (ndigits == 0 && *p == '0'))
			continue;
		if (ndigits == NEVER_SHORTEST_DIGITS - 1)
			return false;
		digits[ndigits++] = *p;
	}
	return ndigits <= ALWAYS_SHORTEST_DIGITS || IsShortestText(text, digits, ndigits);
}

static bool
IsPortableInteger(const char *text, int len)
{
	const char *digits = text + (*text == '-' ? 1 : 0);
	int			ndigits = len - (digits - text);
	int			limit = strlen(MAX_SAFE_INTEGER);

	if (ndigits != limit)
		return ndigits < limit;
	return memcmp(digits, MAX_SAFE_INTEGER, limit) <= 0;
}

/*
 * Gives a number's exact plain decimal text without trailing zeros, and says whether it
 * is portable.  Returns false if it is beyond what jsonb can hold.
 */
bool
NumberPlain(const JsonView *number, PlainNumber *plain)
{
	Numeric		numeric;

	if (!JsonViewNumeric(number, &numeric))
		return false;
	plain->text = numeric_normalize(numeric);
	plain->len = strlen(plain->text);
	plain->is_integer = memchr(plain->text, '.', plain->len) == NULL;
	plain->is_portable = plain->is_integer ?
		IsPortableInteger(plain->text, plain->len) :
		IsPortableFraction(plain->text, plain->len);
	return true;
}

/* Gives the value of a number that is an integer from least to most; otherwise returns false. */
bool
NumberIntegerBetween(const JsonView *view, int64 least, int64 most, int64 *integer)
{
	PlainNumber plain;
	int64		value;

	/* 18 digits cannot overflow */
	if (view->type != JVIEW_NUMBER || !NumberPlain(view, &plain) || !plain.is_integer || plain.len > 18)
		return false;
	value = strtoi64(plain.text, NULL, 10);
	if (value < least || value > most)
		return false;
	*integer = value;
	return true;
}

/*
 * Makes a scalar portable.  A container is returned as it is, because JsonViewToJsonb
 * and CanonicalWritePortable convert its content.  Returns false for a number beyond
 * what jsonb can hold.
 */
bool
JsonViewPortable(const JsonView *view, JsonView *portable)
{
	PlainNumber plain;
	Numeric		numeric;

	*portable = *view;
	if (view->type != JVIEW_NUMBER)
		return true;
	if (!NumberPlain(view, &plain))
		return false;
	if (!plain.is_portable)
	{
		*portable = JsonViewString(plain.text, plain.len);
		return true;
	}
	JsonViewNumeric(view, &numeric);
	*portable = JsonViewOfNumeric(DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale,
																	  NumericGetDatum(numeric))));
	return true;
}

/*
 * The inverse: returns true if a text is the portable form of a number that is not
 * portable itself.  No other text counts as a number.
 */
bool
JsonViewNumberOfPortable(const JsonView *view, JsonView *number)
{
	PlainNumber plain;
	size_t		where;

	return view->type == JVIEW_STRING && view->len > 0 &&
		(*view->str == '-' || (*view->str >= '0' && *view->str <= '9')) &&
		JsonViewOfText(view->str, view->len, number, &where) == JSON_TEXT_OK &&
		NumberPlain(number, &plain) && !plain.is_portable &&
		plain.len == view->len && memcmp(plain.text, view->str, plain.len) == 0;
}

/* making jsonb from a view */

static void
JsonbStringOfUtf8(const char *utf8, int len, JsonbValue *value)
{
	value->type = jbvString;
	value->val.string.val = JsonUtf8ToServer(utf8, len, &value->val.string.len);
}

/* A document that is being converted to jsonb. */
typedef struct JsonbMaker
{
	StringInfoData buffer;
	bool		portable;
	Size		written;		/* bytes of numbers that became strings */
} JsonbMaker;

/* A member of an object that is being written, its key in the server's encoding. */
typedef struct JsonbMember
{
	const char *key;
	int			keylen;
	int			place;			/* its position in the object */
	JsonView	value;
} JsonbMember;

static void
JsonbNumberOfView(JsonbMaker *maker, const JsonView *view, JsonbValue *value)
{
	JsonView	number = *view;
	bool		fits = true;

	if (maker->portable)
		fits = JsonViewPortable(view, &number);
	if (fits && number.type == JVIEW_STRING)
	{
		maker->written += number.len;
		if (maker->written > WRITTEN_MAX_SIZE)
			TooLargeToWrite();
		JsonbStringOfUtf8(number.str, number.len, value);
		return;
	}
	value->type = jbvNumeric;
	if (!fits || !JsonViewNumeric(&number, &value->val.numeric))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("number is out of the range of type jsonb")));
}

/* Makes room for bytes at the end; returns where they begin. */
static int
ReserveBytes(StringInfo buffer, int len)
{
	int			begin = buffer->len;

	/* usually there is room, and a receipt calls this a thousand times */
	if (len >= buffer->maxlen - buffer->len)
		enlargeStringInfo(buffer, len);
	buffer->len += len;
	return begin;
}

static void
AppendBytes(StringInfo buffer, const void *bytes, int len)
{
	int			begin = ReserveBytes(buffer, len);

	/* memcpy() must not be called with NULL, even to copy nothing */
	if (len > 0)
		memcpy(buffer->data + begin, bytes, len);
}

/* Numbers and containers begin at multiples of four. */
static int
AppendPadding(StringInfo buffer)
{
	int			padding = INTALIGN(buffer->len) - buffer->len;
	int			begin;

	if (padding == 0)
		return 0;
	begin = ReserveBytes(buffer, padding);
	/* only now is it known where the data is */
	memset(buffer->data + begin, 0, padding);
	return padding;
}

/*
 * Writes the JEntry of one of a container's values, as jsonb does: its type and its
 * length, or, for every JB_OFFSET_STRIDE-th one, the offset of its end.
 */
static void
SetEntry(StringInfo buffer, int entries, int place, JEntry entry, int64 *total)
{
	*total += JBE_OFFLENFLD(entry);
	if (*total > JENTRY_OFFLENMASK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("total size of jsonb elements exceeds the maximum of %d bytes", JENTRY_OFFLENMASK)));
	if (place % JB_OFFSET_STRIDE == 0)
		entry = (entry & JENTRY_TYPEMASK) | (JEntry) *total | JENTRY_HAS_OFF;
	memcpy(buffer->data + entries + place * sizeof(JEntry), &entry, sizeof(JEntry));
}

static int
CompareJsonbMembers(const void *a, const void *b)
{
	const JsonbMember *left = a;
	const JsonbMember *right = b;
	int			order;

	if (left->keylen != right->keylen)
		return left->keylen < right->keylen ? -1 : 1;
	order = memcmp(left->key, right->key, left->keylen);
	return order != 0 ? order : left->place - right->place;
}

/* Sorts members as jsonb does.  Most objects are small and are sorted in place. */
static void
SortForJsonb(JsonbMember *members, int count)
{
	if (count > SMALL_OBJECT)
	{
		qsort(members, count, sizeof(JsonbMember), CompareJsonbMembers);
		return;
	}
	for (int i = 1; i < count; i++)
	{
		JsonbMember member = members[i];
		int			at = i;

		for (; at > 0 && CompareJsonbMembers(&members[at - 1], &member) > 0; at--)
			members[at] = members[at - 1];
		members[at] = member;
	}
}

/* Returns an object's members in the order of jsonb; of members with the same key, the last one. */
static JsonbMember *
MembersForJsonb(const JsonView *object, int *count)
{
	int			nmembers = JsonViewCount(object);
	JsonbMember *members = palloc_extended(sizeof(JsonbMember) * (Size) Max(nmembers, 1), MCXT_ALLOC_HUGE);
	bool		in_order = true;

	for (int i = 0; i < nmembers; i++)
	{
		Span		key;

		members[i].value = JsonViewMember(object, i, &key);
		members[i].key = JsonUtf8ToServer(key.str, key.len, &members[i].keylen);
		members[i].place = i;
		in_order = in_order && (i == 0 || CompareJsonbMembers(&members[i - 1], &members[i]) < 0);
	}
	if (!in_order)
		SortForJsonb(members, nmembers);
	*count = 0;
	for (int i = 0; i < nmembers; i++)
	{
		if (i + 1 < nmembers && members[i].keylen == members[i + 1].keylen &&
			memcmp(members[i].key, members[i + 1].key, members[i].keylen) == 0)
			continue;
		members[(*count)++] = members[i];
	}
	return members;
}

static JEntry WriteJsonb(JsonbMaker *maker, const JsonView *view);

/* Refuses more elements than jsonb can have, as the server does. */
static void
RefuseManyElements(int count)
{
	Size		most = Min(MaxAllocSize / sizeof(JsonbPair), JB_CMASK);

	if ((Size) count > most)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("number of jsonb elements exceeds the maximum allowed (%zu)", most)));
}

static void
WriteJsonbArray(JsonbMaker *maker, const JsonView *view, uint32 flags)
{
	StringInfo	buffer = &maker->buffer;
	int			count = JVIEW_IS_CONTAINER(view) ? JsonViewCount(view) : 1;
	uint32		header = (uint32) count | JB_FARRAY | flags;
	int64		total = 0;
	int			entries;

	RefuseManyElements(count);
	AppendBytes(buffer, &header, sizeof(header));
	entries = ReserveBytes(buffer, count * sizeof(JEntry));
	for (int i = 0; i < count; i++)
	{
		JsonView	element = *view;

		if (JVIEW_IS_CONTAINER(view))
			JsonViewElement(view, i, &element);
		SetEntry(buffer, entries, i, WriteJsonb(maker, &element), &total);
	}
}

static void
WriteJsonbObject(JsonbMaker *maker, const JsonView *view)
{
	StringInfo	buffer = &maker->buffer;
	int			count;
	JsonbMember *members = MembersForJsonb(view, &count);
	uint32		header = (uint32) count | JB_FOBJECT;
	int64		total = 0;
	int			entries;

	RefuseManyElements(count);
	AppendBytes(buffer, &header, sizeof(header));
	entries = ReserveBytes(buffer, count * 2 * sizeof(JEntry));
	for (int i = 0; i < count; i++)
	{
		AppendBytes(buffer, members[i].key, members[i].keylen);
		SetEntry(buffer, entries, i, JENTRY_ISSTRING | members[i].keylen, &total);
	}
	for (int i = 0; i < count; i++)
		SetEntry(buffer, entries, count + i, WriteJsonb(maker, &members[i].value), &total);
	pfree(members);
}

/* Writes a value and returns its JEntry: a type and a length, including padding. */
static JEntry
WriteJsonb(JsonbMaker *maker, const JsonView *view)
{
	StringInfo	buffer = &maker->buffer;
	int			begin = buffer->len;
	JsonbValue	value;

	CHECK_FOR_INTERRUPTS();
	switch (view->type)
	{
		case JVIEW_ABSENT:
		case JVIEW_NULL:
			return JENTRY_ISNULL;
		case JVIEW_BOOL:
			return view->boolean ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
		case JVIEW_STRING:
			JsonbStringOfUtf8(view->str, view->len, &value);
			break;
		case JVIEW_NUMBER:
			JsonbNumberOfView(maker, view, &value);
			break;
		default:
			check_stack_depth();
			AppendPadding(buffer);
			/* unchanged jsonb is copied */
			if (view->is_jsonb && !maker->portable)
				AppendBytes(buffer, view->u.jsonb, JsonbContainerBytes(view->u.jsonb));
			else if (view->type == JVIEW_ARRAY)
				WriteJsonbArray(maker, view, 0);
			else
				WriteJsonbObject(maker, view);
			if (buffer->len - begin > JENTRY_OFFLENMASK)
				ereport(ERROR,
						(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						 errmsg("total size of jsonb elements exceeds the maximum of %d bytes", JENTRY_OFFLENMASK)));
			return JENTRY_ISCONTAINER | (JEntry) (buffer->len - begin);
	}
	if (value.type == jbvString)
	{
		AppendBytes(buffer, value.val.string.val, value.val.string.len);
		return JENTRY_ISSTRING | (JEntry) value.val.string.len;
	}
	AppendPadding(buffer);
	AppendBytes(buffer, value.val.numeric, VARSIZE_ANY(value.val.numeric));
	return JENTRY_ISNUMERIC | (JEntry) (buffer->len - begin);
}

/*
 * Builds jsonb.  Raises 54000 if numbers that become strings have more than
 * WRITTEN_MAX_SIZE bytes, 22003 for a number that jsonb cannot hold, and the encoding's
 * own error for a character that jsonb cannot hold in this database.
 *
 * The bytes are the same as if the server's own functions had built the values one by
 * one.  They are written directly, because a receipt has hundreds of values.
 */
Jsonb *
JsonViewToJsonb(const JsonView *view, bool portable)
{
	/* a value that is in portable form already is copied */
	JsonbMaker	maker = {.portable = portable && !JsonViewIsOrdinary(view)};

	initStringInfo(&maker.buffer);
	(void) ReserveBytes(&maker.buffer, VARHDRSZ);
	if (JVIEW_IS_CONTAINER(view))
		(void) WriteJsonb(&maker, view);
	else
		WriteJsonbArray(&maker, view, JB_FSCALAR);
	SET_VARSIZE(maker.buffer.data, maker.buffer.len);
	return (Jsonb *) maker.buffer.data;
}

/*
 * Returns an object as jsonb, followed by its canonical form, "text", in one piece of
 * memory.  A document that includes it can copy either, without reading the members.
 * It has at most WRITTEN_MAX_DEPTH levels.
 */
Span
JsonViewWritten(const JsonView *object, const StringInfoData *text)
{
	Jsonb	   *jsonb = JsonViewToJsonb(object, false);
	int			len = VARSIZE(jsonb);
	char	   *written = repalloc(jsonb, (Size) len + text->len);

	Assert(object->type == JVIEW_OBJECT && !JsonViewIsDeeper(object, WRITTEN_MAX_DEPTH));
	memcpy(written + len, text->data, text->len);
	return SpanOf(written, len + text->len);
}

/* Returns a view of it.  It must be aligned like allocated memory. */
JsonView
JsonViewOfWritten(Span written)
{
	JsonView	view;

	JsonViewOfJsonb((Jsonb *) unconstify(char *, written.str), &view);
	view.is_written = true;
	view.len = written.len - VARSIZE(written.str);
	return view;
}

/* Returns a value in portable form, in memory of its own. */
JsonView
PortableCopy(const JsonView *view)
{
	JsonView	copy;

	JsonViewOfJsonb(JsonViewToJsonb(view, true), &copy);
	return copy;
}

/* Returns the bytes of a name in hexadecimal, which is valid text in any encoding. */
JsonView
HexView(const char *name, int len)
{
	char	   *hex = palloc(2 * len + 1);

	HexEncode((const uint8 *) name, len, hex);
	return JsonViewString(hex, 2 * len);
}

/* Returns the portable form as a result, in another memory context. */
Datum
ResultIn(MemoryContext context, const JsonView *view)
{
	MemoryContext current = MemoryContextSwitchTo(context);
	Jsonb	   *result = JsonViewToJsonb(view, true);

	MemoryContextSwitchTo(current);
	return JsonbPGetDatum(result);
}

/* Writes a text as JSON, in ASCII. */
char *
ShownText(Span text)
{
	JsonView	view = SpanView(text);

	return ShownValue(&view);
}

/*
 * Shows a value briefly, in ASCII: a scalar as it is, a container by its kind; also says
 * if it is missing.
 */
char *
ShownValue(const JsonView *view)
{
	StringInfoData text;

	if (view->type == JVIEW_ARRAY)
		return psprintf("an array of length %d", JsonViewCount(view));
	if (view->type == JVIEW_OBJECT)
		return pstrdup("an object");
	if (view->type == JVIEW_ABSENT)
		return pstrdup("missing");
	initStringInfo(&text);
	CanonicalWrite(&text, view, NULL);
	if (text.len > SHOWN_MAX_SIZE)
	{
		char	   *end = text.data + SHOWN_MAX_SIZE;

		/* do not cut inside an escape, the longest of which is \u and four digits */
		for (int i = 1; i < 6; i++)
		{
			if (end[-i] == '\\')
			{
				end -= i;
				break;
			}
		}
		strlcpy(end, "...", 4);
	}
	return text.data;
}

char *
ElementProblem(const char *array, int index, const char *key, const char *demand, const JsonView *seen)
{
	return psprintf("%s[%d].%s %s, and is %s", array, index, key, demand, ShownValue(seen));
}

/*
 * SQL
 */

static Datum
CanonicalText(const JsonView *view)
{
	StringInfoData out;

	initStringInfo(&out);
	CanonicalWrite(&out, view, NULL);
	return PointerGetDatum(cstring_to_text_with_len(out.data, out.len));
}

static Datum
DigestText(const JsonView *view)
{
	char		digest[DIGEST_TEXT_LENGTH + 1];

	CanonicalDigest(view, NULL, digest);
	return PointerGetDatum(cstring_to_text_with_len(digest, DIGEST_TEXT_LENGTH));
}

/* Reads json, as text in the encoding of the database. */
static void
ReadText(FunctionCallInfo fcinfo, JsonView *view)
{
	text	   *document;
	char	   *utf8;
	int			len;
	size_t		where;
	JsonTextStatus status;

	LimitArgument(fcinfo, 0, DOCUMENT_MAX_SIZE, "document");
	document = PG_GETARG_TEXT_PP(0);
	utf8 = JsonServerToUtf8(VARDATA_ANY(document), VARSIZE_ANY_EXHDR(document), &len);
	status = JsonViewOfText(utf8, len, view, &where);
	if (status != JSON_TEXT_OK)
		JsonTextError(status, where);
}

static void
ReadJsonb(FunctionCallInfo fcinfo, Size most, JsonView *view)
{
	LimitArgument(fcinfo, 0, most, "document");
	JsonViewOfJsonb(PG_GETARG_JSONB_P(0), view);
}

VIEW_FUNCTION(answer_eval_canonical_json, ReadText(fcinfo, &view), CanonicalText(&view));
VIEW_FUNCTION(answer_eval_canonical_jsonb, ReadJsonb(fcinfo, ARGUMENT_MAX_SIZE, &view), CanonicalText(&view));
VIEW_FUNCTION(answer_eval_digest_json, ReadText(fcinfo, &view), DigestText(&view));
VIEW_FUNCTION(answer_eval_digest_jsonb, ReadJsonb(fcinfo, ARGUMENT_MAX_SIZE, &view), DigestText(&view));
VIEW_FUNCTION(answer_eval_portable, ReadJsonb(fcinfo, DOCUMENT_MAX_SIZE, &view), JsonbPGetDatum(JsonViewToJsonb(&view, true)));
