/*-------------------------------------------------------------------------
 *
 * funcargs.c
 *		Arguments of SQL functions, and text between encodings.
 *
 * Every module needs these at its SQL edge.  A function that is not strict
 * names the argument that must not be null, and all functions use the same
 * words.  A function that returns rows looks its row type up once per call
 * site.  Inside, text is UTF-8, whatever the database's encoding.  A text that
 * the other encoding cannot represent is an error (22021, 22P05).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/syscache.h"

#include "base/funcargs.h"
#include "base/jsonview.h"

/* Raises an error if an argument is null. */
void
RequireArgument(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s must not be null", name)));
}

/* Raises an error if an argument is too large, before it is detoasted. */
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

/* Raises an error about a malformed argument.  "problem" is a sentence that names the place. */
void
MalformedArgument(const char *problem, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", problem),
			 hint ? errhint("%s", hint) : 0));
}

/*
 * Returns a function's arguments as a jsonb object, by the names of its parameters.
 *
 * An SQL NULL has no member, so that it differs from a JSON null.  Functions have none
 * either: what their name means depends on the search path, so callers pass them beside.
 */
Datum
ArgumentsByName(FunctionCallInfo fcinfo)
{
	LOCAL_FCINFO(build, FUNC_MAX_ARGS);
	FmgrInfo	flinfo;
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(fcinfo->flinfo->fn_oid));
	List	   *typed = NIL;
	Oid		   *types;
	char	  **names;
	char	   *modes;
	int			nargs = 0;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", fcinfo->flinfo->fn_oid);
	(void) get_func_arg_info(tuple, &types, &names, &modes);
	ReleaseSysCache(tuple);
	Assert(2 * PG_NARGS() <= FUNC_MAX_ARGS);
	for (int i = 0; i < PG_NARGS(); i++)
	{
		if (PG_ARGISNULL(i) || types[i] == REGPROCEDUREOID)
			continue;
		build->args[nargs++] = (NullableDatum) {CStringGetTextDatum(names[i]), false};
		build->args[nargs++] = fcinfo->args[i];
		/* jsonb_build_object() asks the expression for the types of its arguments */
		typed = lappend(lappend(typed, makeNullConst(TEXTOID, -1, InvalidOid)),
						makeNullConst(types[i], -1, InvalidOid));
	}
	/* jsonb_build_object(VARIADIC "any") asserts that it has arguments */
	if (nargs == 0)
		return DirectFunctionCall1(jsonb_in, CStringGetDatum("{}"));
	fmgr_info(F_JSONB_BUILD_OBJECT_ANY, &flinfo);
	fmgr_info_set_expr((Node *) makeFuncExpr(F_JSONB_BUILD_OBJECT_ANY, JSONBOID, typed, InvalidOid, InvalidOid,
											 COERCE_EXPLICIT_CALL), &flinfo);
	InitFunctionCallInfoData(*build, &flinfo, nargs, InvalidOid, NULL, NULL);
	return FunctionCallInvoke(build);
}

/* Returns the row type of a function's result, in the current memory context. */
TupleDesc
ResultRowType(FunctionCallInfo fcinfo)
{
	TupleDesc	tupdesc;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(CreateTupleDescCopy(tupdesc));
}

/* Returns a text in UTF-8; the result may be the text's own bytes. */
Span
Utf8OfText(text *value)
{
	Span		utf8;

	utf8.str = JsonServerToUtf8(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), &utf8.len);
	return utf8;
}

/*
 * Does the same for a stored text, which need not be valid.  A SQL_ASCII database does
 * not check bytes, and converting invalid ones would raise an error.  So they are passed
 * on unchanged.  Whoever reads a note or a key checks that it is UTF-8.
 */
Span
UncheckedUtf8(text *value)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return (Span) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
	return Utf8OfText(value);
}

Span
ByteaSpan(Datum datum)
{
	bytea	   *value = DatumGetByteaPP(datum);

	return (Span) {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}

/* Returns a text argument in UTF-8; empty if it is null. */
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
