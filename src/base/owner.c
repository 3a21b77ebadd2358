/*-------------------------------------------------------------------------
 *
 * owner.c
 *		Runs code as the owner of our tables, and as the caller again.
 *
 * The caller may not read or write some tables of the schema "answer".  They are
 * read and written here with the rights of the owner of answer.receipt, who is
 * the owner of the extension.  No code of a user runs in between: handlers,
 * graders and stored readings are always reached as the caller.
 *
 * C code that does what one of our SQL functions does, for the caller, calls C code directly.
 * It first checks that the caller may call that function.
 *
 * The OIDs of our relations are looked up by name, and cached until the server
 * announces a change of one of them or of a schema.  The cache holds what a
 * lookup would find.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/owner.h"

#define KNOWN_NAMES		64

/*
 * The cached OIDs of the schema and of relations in it.  A change of one of them clears
 * the cache.
 */
static struct
{
	Oid			schema;			/* InvalidOid if nothing is cached */
	int			count;
	NameData	names[KNOWN_NAMES];
	Oid			relations[KNOWN_NAMES];
	uint32		hashes[KNOWN_NAMES];	/* hash values of their cache invalidations */
}			known;

static void
ForgetSchema(Datum arg, int cache, uint32 hash)
{
	known.schema = InvalidOid;
	known.count = 0;
}

/*
 * Invalidation callback: a relation was renamed, moved, dropped or otherwise changed; 0
 * means any may have been.
 */
static void
ForgetRelation(Datum arg, int cache, uint32 hash)
{
	for (int i = 0; i < known.count; i++)
	{
		if (hash == 0 || known.hashes[i] == hash)
			known.count = 0;
	}
}

/* Returns the schema of our tables, our views, and functions that only our own functions call. */
Oid
AnswerSchema(void)
{
	static bool is_told = false;

	if (!is_told)
	{
		CacheRegisterSyscacheCallback(RELOID, ForgetRelation, (Datum) 0);
		CacheRegisterSyscacheCallback(NAMESPACEOID, ForgetSchema, (Datum) 0);
		/*
		 * the first use of a cache reads messages, and none may come between a lookup and
		 * the note of its result
		 */
		(void) GetSysCacheHashValue1(RELOID, ObjectIdGetDatum(InvalidOid));
		is_told = true;
	}
	if (!OidIsValid(known.schema))
		known.schema = get_namespace_oid("answer", false);
	return known.schema;
}

/* Returns the OID of a relation of ours; InvalidOid if none has that name. */
Oid
AnswerRelation(const char *name)
{
	Oid			schema = AnswerSchema();
	Oid			relation;

	for (int i = 0; i < known.count; i++)
	{
		if (strcmp(NameStr(known.names[i]), name) == 0)
			return known.relations[i];
	}
	relation = get_relname_relid(name, schema);
	/* the schema may have changed during the lookup, and then nothing is cached */
	if (OidIsValid(relation) && OidIsValid(known.schema) && known.count < KNOWN_NAMES)
	{
		namestrcpy(&known.names[known.count], name);
		known.hashes[known.count] = GetSysCacheHashValue1(RELOID, ObjectIdGetDatum(relation));
		known.relations[known.count++] = relation;
	}
	return relation;
}

/* Switches to the owner of our tables; AnswerAsCaller, or an abort, switches back. */
void
AnswerAsOwner(Oid *user, int *context)
{
	Oid			table = AnswerRelation("receipt");
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table answer.receipt does not exist"),
				 errhint("Run CREATE EXTENSION answer_eval.")));
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	GetUserIdAndSecContext(user, context);
	SetUserIdAndSecContext(owner, *context | SECURITY_LOCAL_USERID_CHANGE);
}

/*
 * Returns the OID of a table of ours.  Raises an error if it does not exist: the library
 * may be newer than the installed script.
 */
Oid
AnswerTable(const char *name)
{
	Oid			table = AnswerRelation(name);

	if (!OidIsValid(table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table answer.%s does not exist", name),
				 errhint("Run CREATE EXTENSION answer_eval.")));
	return table;
}

void
AnswerAsCaller(Oid user, int context)
{
	SetUserIdAndSecContext(user, context);
}

/* Raises 42501 as SQL does, unless the role in force may call a function of ours. */
void
RequireExecute(Oid schema, const char *name, int nargs, const Oid *argtypes)
{
	/* looking it up asks for the right to use the schema */
	Oid			function = LookupFuncName(list_make2(makeString(get_namespace_name(schema)), makeString(pstrdup(name))),
										  nargs, argtypes, false);

	if (CompatFunctionAclcheck(function, GetUserId(), ACL_EXECUTE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION, name);
	InvokeFunctionExecuteHook(function);
}

/*
 * Begins to do what a function of ours does, as a statement of its own would that calls
 * it: with a right to, and seeing what was written before.
 */
void
CallerStatementBegin(Oid schema, const char *name, int nargs, const Oid *argtypes)
{
	RequireExecute(schema, name, nargs, argtypes);
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
}

void
CallerStatementEnd(void)
{
	PopActiveSnapshot();
	CommandCounterIncrement();
}

/* Calls a function of ours as the owner of our tables. */
Datum
AnswerCall(Oid schema, const char *name, int nargs, const Oid *argtypes, const NullableDatum *args)
{
	List	   *names = list_make2(makeString(get_namespace_name(schema)),
								   makeString(pstrdup(name)));
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	FmgrInfo	flinfo;
	Datum		result;
	Oid			user;
	int			context;

	AnswerAsOwner(&user, &context);
	fmgr_info(LookupFuncName(names, nargs, argtypes, false), &flinfo);
	InitFunctionCallInfoData(*call, &flinfo, nargs, DEFAULT_COLLATION_OID, NULL, NULL);
	if (nargs > 0)
		memcpy(call->args, args, sizeof(NullableDatum) * nargs);
	result = FunctionCallInvoke(call);
	AnswerAsCaller(user, context);
	return result;
}
