/*-------------------------------------------------------------------------
 *
 * span.h
 *		Bytes that somebody else owns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_SPAN_H
#define ANSWER_EVAL_SPAN_H

#include "c.h"

/* Usually UTF-8, without a terminating NUL. */
typedef struct Span
{
	const char *str;
	int			len;
} Span;

/* Initializer for a constant; counts the bytes of the literal. */
#define SPAN_LITERAL(literal) {literal, (int) sizeof(literal) - 1}

static inline Span
SpanOf(const char *str, int len)
{
	return (Span) {str, len};
}

static inline Span
SpanOfCString(const char *str)
{
	return (Span) {str, (int) strlen(str)};
}

static inline bool
SpanEqual(Span a, Span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.str, b.str, a.len) == 0);
}

static inline bool
SpanEqualCString(Span span, const char *str)
{
	return SpanEqual(span, SpanOfCString(str));
}

/* Orders spans for sorting and searching: shorter ones first, then by bytes. */
static inline int
SpanCompare(Span a, Span b)
{
	if (a.len != b.len)
		return a.len > b.len ? 1 : -1;
	return a.len > 0 ? memcmp(a.str, b.str, a.len) : 0;
}

/* Orders spans by bytes, which in UTF-8 is the order of code points. */
static inline int
SpanOrder(Span a, Span b)
{
	int			common = a.len < b.len ? a.len : b.len;
	int			cmp = common > 0 ? memcmp(a.str, b.str, common) : 0;

	return cmp != 0 ? cmp : (a.len > b.len) - (a.len < b.len);
}

/*
 * These are the same two orders, for qsort() and bsearch() over spans, or over structs
 * that begin with a span.  The key of bsearch() is then a span, too.
 */
static inline int
SpanCompareItems(const void *a, const void *b)
{
	return SpanCompare(*(const Span *) a, *(const Span *) b);
}

static inline int
SpanOrderItems(const void *a, const void *b)
{
	return SpanOrder(*(const Span *) a, *(const Span *) b);
}

static inline bool
SpanStartsWith(Span span, Span prefix)
{
	return span.len >= prefix.len && (prefix.len == 0 || memcmp(span.str, prefix.str, prefix.len) == 0);
}

/* Is the span one of these words? The last word is NULL. */
static inline bool
SpanIsOneOf(Span span, const char *const *words)
{
	for (int i = 0; words[i]; i++)
	{
		if (SpanEqualCString(span, words[i]))
			return true;
	}
	return false;
}

/* Counts the characters of a text in UTF-8. */
static inline int
SpanCharacters(Span span)
{
	int			count = 0;

	for (int i = 0; i < span.len; i++)
		count += ((unsigned char) span.str[i] & 0xC0) != 0x80;
	return count;
}

static inline bool
SpanIsIn(Span span, const Span *spans, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (SpanEqual(spans[i], span))
			return true;
	}
	return false;
}

/*
 * Is the span ASCII without a zero byte? Then it is the same in every encoding and as a C
 * string.
 */
static inline bool
SpanIsText(Span span)
{
	for (int i = 0; i < span.len; i++)
	{
		if (IS_HIGHBIT_SET(span.str[i]) || span.str[i] == '\0')
			return false;
	}
	return true;
}

/* Is a character, or a byte, white space of ASCII? */
static inline bool
IsAsciiSpace(uint32 c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Is a character, or a byte, a digit from 0 to 9? */
static inline bool
IsAsciiDigit(uint32 c)
{
	return c >= '0' && c <= '9';
}

#endif							/* ANSWER_EVAL_SPAN_H */
