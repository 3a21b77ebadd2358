/*-------------------------------------------------------------------------
 *
 * bound_function.c
 *		Functions that are registered by name: handlers and graders.
 *
 * A registration stores the name of a function, because an OID does not survive
 * a dump, and the function is run later for somebody else.  Whoever may create
 * objects in its schema could drop the function, or the whole schema, and
 * create another one with that name.  So a registration also stores the owner
 * of the function.  If the function now has another owner, it is not what was
 * registered, and is not called.  Its owner may replace it.
 *
 * The name is resolved to an OID once per call, the owner of that OID is
 * compared, and that OID is called.  No plan is involved, which could resolve
 * the name again.  Nothing is cached between calls, because a function may
 * drop, replace or call itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "pgstat.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/funcargs.h"
#include "base/settings.h"
#include "base/tenant.h"
#include "evidence/bound_function.h"

/*
 * Returns the function that a member of a document names, as the caller sees it; null if
 * the member is no string.  The name may have its argument type, "f(jsonb)", or not.
 */
NullableDatum
FunctionMember(const JsonView *document, const char *member)
{
	Oid			argtype = JSONBOID;
	Oid			function;
	Span		given;
	char	   *name;

	if (document->type != JVIEW_OBJECT || !JsonViewGetString(document, member, &given))
		return (NullableDatum) {(Datum) 0, true};
	name = ServerText(given);
	if (strchr(name, '('))
		function = DatumGetObjectId(DirectFunctionCall1(regprocedurein, CStringGetDatum(name)));
	else
		function = LookupFuncName(stringToQualifiedNameList(name COMPAT_NAME_LIST_CONTEXT), 1, &argtype, false);
	return (NullableDatum) {ObjectIdGetDatum(function), false};
}

static _Noreturn void
NotAsRegistered(const char *name, const char *problem, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("function %s(jsonb) %s", name, problem),
			 detail ? errdetail_internal("%s", detail) : 0,
			 errhint("Register it again.")));
}

/*
 * Finds name(jsonb).  Temporary functions are not considered, because each session has
 * its own.  A function of ours is found without USAGE on our schema: the caller only
 * needs EXECUTE.
 */
static HeapTuple
FindFunction(const char *name, bool ours)
{
	List	   *names = stringToQualifiedNameList(name COMPAT_NAME_LIST_CONTEXT);
	Oid			argtype = JSONBOID;
	Oid			function = InvalidOid;
	HeapTuple	tuple = NULL;

	if (ours && list_length(names) == 2)
		function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(strVal(lsecond(names))),
								   PointerGetDatum(buildoidvector(&argtype, 1)),
								   ObjectIdGetDatum(get_namespace_oid(strVal(linitial(names)), true)));
	else if (list_length(names) == 2)
		function = LookupFuncName(names, 1, &argtype, true);
	if (OidIsValid(function))
		tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple) ||
		isAnyTempNamespace(((Form_pg_proc) GETSTRUCT(tuple))->pronamespace))
		NotAsRegistered(name, "does not exist any more", NULL);
	return tuple;
}

/*
 * Returns the function name(jsonb) that was registered when "owner" owned it, and that
 * returns this type.  Without an owner, the name is that of one of our own functions.
 */
Oid
BoundFunction(const char *name, const char *owner, Oid result)
{
	HeapTuple	tuple = FindFunction(name, owner == NULL);
	Form_pg_proc form = (Form_pg_proc) GETSTRUCT(tuple);
	char	   *now = GetUserNameFromId(form->proowner, true);
	Oid			function = form->oid;

	if (form->prokind != PROKIND_FUNCTION || form->proretset || form->prorettype != result)
		NotAsRegistered(name, "returns something else than when it was registered", NULL);
	if (owner && (now == NULL || strcmp(now, owner) != 0))
		NotAsRegistered(name, "belongs to another role than when it was registered",
						psprintf("It belonged to \"%s\" and belongs to \"%s\".", owner, now ? now : ""));
	ReleaseSysCache(tuple);
	return function;
}

/*
 * Switches to the role whose rights a tenant's function has: the one that registered
 * it, in a security-restricted operation, with the tenant set whatever the session has
 * set.  The operator's functions run as the caller.  Returns the user and context to
 * restore.  The setting is reset with the nesting level of settings that the caller has
 * begun.
 */
void
BoundRightsTake(const text *tenant, const char *registered_by, Oid *user, int *context)
{
	Oid			role;

	GetUserIdAndSecContext(user, context);
	if (tenant == NULL || VARSIZE_ANY_EXHDR(tenant) == 0)
		return;
	role = TenantFunctionRole(registered_by, tenant);
	(void) set_config_option(TENANT_SETTING, text_to_cstring(tenant), PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	SetUserIdAndSecContext(role, *context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
}

/*
 * Calls a function with one argument, with the rights of the current user.  The result
 * is in the current memory context.
 *
 * A call in SQL has no collation, because jsonb has none.  Ours has the default
 * collation, which makes no difference to the function.  But PL/pgSQL caches compiled
 * functions separately per collation.  So what a caller had compiled by calling the
 * function in SQL, under settings of their choice, is not used here.  There is one
 * exception: as the final function of an aggregate over text, the function has our
 * collation.  A SET clause of the function helps against that.
 */
Datum
BoundCall(Oid function, Datum argument, bool *isnull)
{
	FmgrInfo	flinfo;
	PgStat_FunctionCallUsage usage;
	LOCAL_FCINFO(fcinfo, 1);
	Datum		result;

	if (CompatFunctionAclcheck(function, GetUserId(), ACL_EXECUTE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
	fmgr_info(function, &flinfo);
	InitFunctionCallInfoData(*fcinfo, &flinfo, 1, DEFAULT_COLLATION_OID, NULL, NULL);
	fcinfo->args[0].value = argument;
	fcinfo->args[0].isnull = false;
	pgstat_init_function_usage(fcinfo, &usage);
	result = FunctionCallInvoke(fcinfo);
	pgstat_end_function_usage(&usage, true);
	*isnull = fcinfo->isnull;
	return result;
}
