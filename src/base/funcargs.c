/*-------------------------------------------------------------------------
 *
 * funcargs.c
 *		Arguments of SQL functions, and text between encodings.
 *
 * What every module needs at its SQL edge.  Functions that are not strict say
 * which argument must not be null, and all say it in the same words; those that
 * return rows learn once a call site which type of row that is.  Inside,
 * text is UTF-8, whatever the database's encoding; a text that has no
 * counterpart on the other side raises (22021, 22P05).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "base/funcargs.h"
#include "base/jsonview.h"

/* Raises unless an argument was given. */
void
RequireArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
}

/* Raises if an argument is larger than it may be, before it is unpacked. */
void
LimitArgument(FunctionCallInfo fcinfo, int n, Size most, const char *name)
{
	if (!PG_ARGISNULL(n))
		LimitDatum(PG_GETARG_DATUM(n), most, name);
}

/* Does the same for a value of another function's argument. */
void
LimitDatum(Datum value, Size most, const char *name)
{
	Size		size = toast_raw_datum_size(value) - VARHDRSZ;

	if (size > most)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s is too large", name),
				 errdetail("It has %zu bytes; the most are %zu.", size, most),
				 errhint("Give it in parts.")));
}

/* Raises over an argument that is not what it must be: a sentence that names the place. */
void
MalformedArgument(const char *problem, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", problem),
			 hint ? errhint("%s", hint) : 0));
}

/* The type of the row that a function returns, in the current context. */
TupleDesc
ResultRowType(FunctionCallInfo fcinfo)
{
	TupleDesc	tupdesc;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(CreateTupleDescCopy(tupdesc));
}

/* A text as UTF-8; it may be the text's own bytes. */
Span
Utf8OfText(text *value)
{
	Span		utf8;

	utf8.str = JsonServerToUtf8(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), &utf8.len);
	return utf8;
}

/* A text argument as UTF-8; empty if it is null. */
Span
TextArgument(FunctionCallInfo fcinfo, int n)
{
	return PG_ARGISNULL(n) ? (Span) {"", 0} : Utf8OfText(PG_GETARG_TEXT_PP(n));
}

text *
TextOfUtf8(Span utf8)
{
	int			len;
	char	   *server = JsonUtf8ToServer(utf8.str, utf8.len, &len);

	return cstring_to_text_with_len(server, len);
}
