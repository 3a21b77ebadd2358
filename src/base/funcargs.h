/*-------------------------------------------------------------------------
 *
 * funcargs.h
 *		Arguments of SQL functions, and text between encodings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_FUNCARGS_H
#define ANSWER_EVAL_FUNCARGS_H

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "base/span.h"

extern void RequireArgument(FunctionCallInfo fcinfo, int n, const char *name);
extern void LimitArgument(FunctionCallInfo fcinfo, int n, Size most, const char *name);
extern void LimitDatum(Datum value, Size most, const char *name);
extern _Noreturn void MalformedArgument(const char *problem, const char *hint);
extern TupleDesc ResultRowType(FunctionCallInfo fcinfo);
extern Span TextArgument(FunctionCallInfo fcinfo, int n);
extern Span Utf8OfText(text *value);
extern Span UncheckedUtf8(text *value);
extern Span ByteaSpan(Datum datum);
extern text *TextOfUtf8(Span utf8);

static inline bool
TextsEqual(const text *a, const text *b)
{
	return VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
}

static inline Datum
SpanDatum(Span utf8)
{
	return PointerGetDatum(TextOfUtf8(utf8));
}

/* Converts a text from UTF-8 to the server's encoding. */
static inline char *
ServerText(Span utf8)
{
	return TextDatumGetCString(SpanDatum(utf8));
}

/*
 * Defines a SQL function that reads one JsonView and returns a Datum.  "read" and "result"
 * are expressions of "fcinfo" and "view".
 */
#define VIEW_FUNCTION(name, read, result) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		JsonView	view; \
\
		read; \
		return result; \
	} \
	extern int no_such_variable

#endif							/* ANSWER_EVAL_FUNCARGS_H */
