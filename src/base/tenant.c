/*-------------------------------------------------------------------------
 *
 * tenant.c
 *		Says which tenants' data a statement may read and write.
 *
 * Manual: doc/tenants.md.  Tenants exist from the first row of answer.tenant on,
 * and its rows are never deleted.  Until then everything belongs to the
 * operator, whose tenant is the empty string, and this file only costs a test
 * whether that table has a page.
 *
 * Promises: the role that counts is the one in force where a statement enters
 * the extension.  So code that switches to the owner of our tables calls this
 * module first and passes the result on.  Nothing that runs as the owner asks
 * again.  A user's SECURITY DEFINER function counts as its owner.  Nothing is
 * cached between calls, because grants, memberships and the setting can change
 * within a statement.
 *
 * The operator is the owner of our tables, a role that has the owner's rights,
 * or a superuser.  The operator works without a tenant, may choose any, and
 * reads all by id.  An auditor is a role that was granted "*".  It reads all
 * tenants, writes for none and can choose none.
 *
 * The tables are read here without a plan and without anybody's rights, so that
 * a policy, a parallel worker and a standby can call this too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "executor/tstoreReceiver.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "parser/parse_func.h"
#include "storage/bufmgr.h"
#include "tcop/dest.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "base/distributed.h"
#include "base/funcargs.h"
#include "base/owner.h"
#include "base/settings.h"
#include "base/snapshot.h"
#include "base/tenant.h"

#define ALL_TENANTS		"*"		/* in answer.tenant_role, marks an auditor */

/* The leading key columns of answer.tenant_role and answer.tenant. */
#define TENANT_COLUMN	1
#define ROLE_COLUMN		2

/* What a role is with respect to tenants. */
typedef enum Standing
{
	OPERATOR,					/* its tenant is "" */
	MEMBER,						/* works for one tenant, named in "tenant" */
	AUDITOR,
	NOBODY						/* has no tenant, has several and has chosen none, or has "*" and a tenant */
} Standing;

typedef struct Identity
{
	Standing	standing;
	bool		several;		/* if NOBODY: has it more than one tenant? */
	bool		mixed;			/* if NOBODY: has it "*" and a tenant? */
	text	   *tenant;			/* if OPERATOR or MEMBER */
} Identity;

/*
 * the tables
 */

static bool
TextIs(const text *value, const char *string)
{
	size_t		len = strlen(string);

	return VARSIZE_ANY_EXHDR(value) == len && memcmp(VARDATA_ANY(value), string, len) == 0;
}

/* A scan of one of the two tables, of all rows or of one tenant's. */
typedef struct TenantScan
{
	Relation	relation;
	SysScanDesc scan;
} TenantScan;

static void
ScanBegin(TenantScan *scan, const char *table, const char *key, const text *tenant)
{
	ScanKeyData match[1];
	Oid			index = AnswerRelation(key);

	/* the columns have the collation "C", as this key must */
	if (tenant)
		ScanKeyInit(&match[0], TENANT_COLUMN, BTEqualStrategyNumber, F_TEXTEQ,
					PointerGetDatum(tenant));
	scan->relation = table_open(AnswerTable(table), AccessShareLock);
	RequireLocal(RelationGetRelid(scan->relation), "Whose things a statement may read is looked up in pages, which the shell of such a table lacks.");
	/* without a snapshot from us, it uses one of what is committed by now */
	scan->scan = systable_beginscan(scan->relation, index, tenant && OidIsValid(index), NULL,
									tenant ? 1 : 0, match);
}

static text *
ScanText(const TenantScan *scan, HeapTuple tuple, int column)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, column, RelationGetDescr(scan->relation), &isnull);

	return isnull ? cstring_to_text("") : DatumGetTextPCopy(value);
}

static void
ScanEnd(TenantScan *scan)
{
	systable_endscan(scan->scan);
	table_close(scan->relation, AccessShareLock);
}

/* Is there any tenant? */
bool
TenantsExist(void)
{
	Relation	relation = table_open(AnswerTable("tenant"), AccessShareLock);
	bool		empty = RelationGetNumberOfBlocks(relation) == 0 && !IsDistributed(RelationGetRelid(relation));
	TenantScan	scan;
	bool		exist;

	table_close(relation, AccessShareLock);
	if (empty)					/* the common case, at the cost of a system call */
		return false;
	ScanBegin(&scan, "tenant", "tenant_pkey", NULL);
	exist = HeapTupleIsValid(systable_getnext(scan.scan));
	ScanEnd(&scan);
	return exist;
}

/* Does the tenant exist? */
bool
IsTenant(const text *tenant)
{
	TenantScan	scan;
	bool		exists;

	ScanBegin(&scan, "tenant", "tenant_pkey", tenant);
	exists = HeapTupleIsValid(systable_getnext(scan.scan));
	ScanEnd(&scan);
	return exists;
}

/* Does the role have the rights of the role to which a row grants a tenant? */
static bool
GrantReaches(const TenantScan *scan, HeapTuple tuple, Oid role)
{
	Oid			grantee = get_role_oid(text_to_cstring(ScanText(scan, tuple, ROLE_COLUMN)), true);

	return OidIsValid(grantee) && has_privs_of_role(role, grantee);
}

/* Was the role granted a tenant, directly or through a role that it inherits from? */
static bool
RoleHasTenant(Oid role, const text *tenant)
{
	TenantScan	scan;
	HeapTuple	tuple;
	bool		has = false;

	ScanBegin(&scan, "tenant_role", "tenant_role_pkey", tenant);
	while (!has && HeapTupleIsValid(tuple = systable_getnext(scan.scan)))
		has = GrantReaches(&scan, tuple, role);
	ScanEnd(&scan);
	return has;
}

/*
 * Finds out what a role is that has chosen no tenant and is not the operator.  All rows
 * are read first, because they have no particular order.
 */
static void
FindGrants(Oid role, Identity *identity)
{
	TenantScan	scan;
	HeapTuple	tuple;
	bool		audits = false;

	ScanBegin(&scan, "tenant_role", "tenant_role_pkey", NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan.scan)))
	{
		text	   *tenant = ScanText(&scan, tuple, TENANT_COLUMN);

		CHECK_FOR_INTERRUPTS();
		if (identity->tenant && TextsEqual(identity->tenant, tenant))
			continue;
		if (!GrantReaches(&scan, tuple, role))
			continue;
		if (TextIs(tenant, ALL_TENANTS))
			audits = true;
		else if (identity->tenant)
			identity->several = true;
		else
			identity->tenant = tenant;
	}
	ScanEnd(&scan);
	identity->mixed = audits && identity->tenant;
	if (identity->mixed || identity->several)
		identity->standing = NOBODY;
	else if (audits)
		identity->standing = AUDITOR;
	else
		identity->standing = identity->tenant ? MEMBER : NOBODY;
}

/*
 * identity
 */

/*
 * Returns the owner of our tables, and whether row-level security is on, as it must be
 * once there are tenants.
 */
static Oid
OwnerOfTables(bool *guarded)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(AnswerTable("receipt")));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "table answer.receipt does not exist");
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	*guarded = ((Form_pg_class) GETSTRUCT(tuple))->relrowsecurity;
	ReleaseSysCache(tuple);
	return owner;
}

static bool
IsOperator(Oid role)
{
	bool		guarded;

	return superuser_arg(role) || has_privs_of_role(role, OwnerOfTables(&guarded));
}

/*
 * After a restore without triggers there are tenants, but row-level security is off.
 * Then no tenant's role may work.
 */
static void
RequireGuard(void)
{
	bool		guarded;

	(void) OwnerOfTables(&guarded);
	if (!guarded)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("row-level security on table answer.receipt is off, and there are tenants"),
				 errhint("The operator calls answer_tenant_grant() again, which enables it.")));
}

static bool
HasChosen(void)
{
	return answer_eval_tenant != NULL && answer_eval_tenant[0] != '\0';
}

/*
 * The message is the same if the tenant does not exist and if the role may not choose it,
 * to reveal nothing.
 */
static _Noreturn void
RefuseChoice(Oid role)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("role \"%s\" may not work for tenant \"%s\"", GetUserNameFromId(role, false),
					answer_eval_tenant),
			 errdetail("The setting answer_eval.tenant names it."),
			 errhint("The operator grants tenants with answer_tenant_grant().")));
}

/*
 * May the role work for that tenant? An auditor may work for none, even if it also
 * inherits a tenant.
 */
static bool
MayChoose(Oid role, const text *tenant)
{
	if (IsOperator(role))
		return IsTenant(tenant);
	return !TextIs(tenant, ALL_TENANTS) && RoleHasTenant(role, tenant) &&
		!RoleHasTenant(role, cstring_to_text(ALL_TENANTS));
}

static void
IdentifyRole(Identity *identity)
{
	Oid			role = GetUserId();

	memset(identity, 0, sizeof(*identity));
	if (HasChosen())
	{
		identity->tenant = cstring_to_text(answer_eval_tenant);
		identity->standing = MEMBER;
		if (!TenantsExist() || !MayChoose(role, identity->tenant))
			RefuseChoice(role);
		RequireGuard();
	}
	else if (!TenantsExist() || IsOperator(role))
	{
		identity->tenant = cstring_to_text("");
		identity->standing = OPERATOR;
	}
	else
	{
		RequireGuard();
		FindGrants(role, identity);
	}
}

/* Raises an error because the role has no tenant to read or to write for. */
static _Noreturn void
RefuseNobody(const Identity *identity)
{
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 identity->standing == AUDITOR ?
			 errmsg("role \"%s\" is an auditor and works for no tenant", GetUserNameFromId(GetUserId(), false)) :
			 identity->mixed ?
			 errmsg("role \"%s\" cannot be an auditor and work for a tenant", GetUserNameFromId(GetUserId(), false)) :
			 identity->several ?
			 errmsg("role \"%s\" was granted several tenants", GetUserNameFromId(GetUserId(), false)) :
			 errmsg("role \"%s\" was granted no tenant", GetUserNameFromId(GetUserId(), false)),
			 identity->standing == AUDITOR ?
			 errhint("An auditor reads what all tenants have, and writes nothing.") :
			 identity->mixed ?
			 errhint("It inherits \"*\" and a tenant from other roles. Take one of them from it.") :
			 identity->several ?
			 errhint("Set answer_eval.tenant to the one to work for.") :
			 errhint("The operator grants tenants with answer_tenant_grant().")));
}

/*
 * Returns the tenant that the current role works for; "" is the operator.  Raises 42501
 * if there is none.
 */
text *
CurrentTenant(void)
{
	Identity	identity;

	IdentifyRole(&identity);
	if (identity.standing == AUDITOR || identity.standing == NOBODY)
		RefuseNobody(&identity);
	return identity.tenant;
}

/* Does the same for lists of the shared and the tenant's: a role without a tenant sees the shared. */
text *
TenantOrShared(void)
{
	Identity	identity;

	IdentifyRole(&identity);
	return identity.standing == OPERATOR || identity.standing == MEMBER ? identity.tenant : cstring_to_text("");
}

/* Do tenants exist, and is the current role the operator, with no tenant chosen? */
bool
IsOperatorForAll(void)
{
	return !HasChosen() && TenantsExist() && IsOperator(GetUserId());
}

/*
 * Does the session belong to the operator, whatever function runs in it? This depends
 * on the role chosen by SET ROLE or the login, because triggers fire as the owner if
 * one of our functions makes them fire, and since 18 whenever one of our functions
 * changed the row.
 */
bool
SessionIsOperator(void)
{
	return IsOperator(GetOuterUserId());
}

static ArrayType *
TextArrayOf(Datum *tenants, int count)
{
	return construct_array(tenants, count, TEXTOID, -1, false, TYPALIGN_INT);
}

/* Returns the names of all tenants, and the operator's. */
ArrayType *
AllTenants(void)
{
	ArrayBuildState *state = accumArrayResult(NULL, CStringGetTextDatum(""), false, TEXTOID,
											  CurrentMemoryContext);
	TenantScan	scan;
	HeapTuple	tuple;

	ScanBegin(&scan, "tenant", "tenant_pkey", NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan.scan)))
		state = accumArrayResult(state, PointerGetDatum(ScanText(&scan, tuple, TENANT_COLUMN)),
								 false, TEXTOID, CurrentMemoryContext);
	ScanEnd(&scan);
	return DatumGetArrayTypeP(makeArrayResult(state, CurrentMemoryContext));
}

/* Returns the tenants whose data the current role may read.  Raises 42501 if there are none. */
ArrayType *
ReadableTenants(void)
{
	Identity	identity;
	Datum		tenant;

	IdentifyRole(&identity);
	if (identity.standing == NOBODY)
		RefuseNobody(&identity);
	if (identity.standing != MEMBER && TenantsExist())
		return AllTenants();
	tenant = PointerGetDatum(identity.tenant);
	return TextArrayOf(&tenant, 1);
}

/*
 * Does the same, and includes the operator's shared data.  A role without a tenant may
 * read only that, and *is_granted is false.
 */
ArrayType *
ReadableOrShared(bool *is_granted)
{
	Identity	identity;
	Datum		tenants[2];

	IdentifyRole(&identity);
	*is_granted = identity.standing != NOBODY;
	if (identity.standing == OPERATOR || identity.standing == AUDITOR)
		return AllTenants();
	tenants[0] = CStringGetTextDatum("");
	tenants[1] = PointerGetDatum(identity.tenant);
	return TextArrayOf(tenants, *is_granted ? 2 : 1);
}

/* Do these tenants include the operator? */
bool
ReadsOperators(Datum tenants)
{
	Datum	   *names;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(tenants), TEXTOID, -1, false, TYPALIGN_INT, &names, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		if (VARSIZE_ANY_EXHDR(DatumGetTextPP(names[i])) == 0)
			return true;
	}
	return false;
}

/*
 * Raises an error if a role that works for tenants, or audits them, changes something
 * for all.  A role without a tenant may do whatever its privileges allow.
 */
void
RequireOperator(const char *what)
{
	Identity	identity;

	IdentifyRole(&identity);
	if (identity.standing == OPERATOR || (identity.standing == NOBODY && !identity.several && !identity.mixed))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("%s() is not for tenants", what),
			 errdetail("What it changes is shared by all tenants."),
			 errhint("The owner of the extension calls it, with no answer_eval.tenant set.")));
}

/*
 * Raises an error if a call for a tenant comes from anybody but that tenant itself or
 * the owner of our tables.  The functions that call this way run as the owner.
 */
void
RequireTenant(const text *tenant)
{
	if (IsOperator(GetUserId()) || TextsEqual(CurrentTenant(), tenant))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("role \"%s\" may not work for tenant \"%s\"", GetUserNameFromId(GetUserId(), false),
					text_to_cstring(tenant)),
			 errhint("The operator grants tenants with answer_tenant_grant().")));
}

/*
 * rights
 */

/*
 * Until TenantReadEnd, runs with the rights needed to read data of tenants.  Without
 * tenants these are the caller's, because privileges on tables decide.  Once there are
 * tenants they are the owner's: then the privilege to call the function decides, and
 * every query names the tenants.  No user's code may run in between.
 */
void
TenantReadBegin(TenantReading *reading)
{
	reading->tenants = PointerGetDatum(ReadableTenants());
	if (TenantsExist())
		AnswerAsOwner(&reading->user, &reading->context);
	else
		GetUserIdAndSecContext(&reading->user, &reading->context);
}

void
TenantReadEnd(const TenantReading *reading)
{
	AnswerAsCaller(reading->user, reading->context);
}

/*
 * Returns the tenant for which the current role registers something.  What a tenant
 * registers will run with the rights of that role, so the role must have been granted
 * the tenant.  The operator's rights must not become a tenant's.
 */
text *
RegistrantTenant(void)
{
	text	   *tenant = CurrentTenant();

	if (VARSIZE_ANY_EXHDR(tenant) > 0 &&
		(IsOperator(GetUserId()) || !RoleHasTenant(GetUserId(), tenant)))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" cannot register anything for tenant \"%s\"",
						GetUserNameFromId(GetUserId(), false), text_to_cstring(tenant)),
				 errdetail("What a tenant registers runs with the rights of the role that registered it."),
				 errhint("Register it as a role that was granted the tenant and is not the operator.")));
	return tenant;
}

/*
 * Has a registration written as the owner of our tables, by the function of the same
 * name in the schema answer.  That takes the role that registers and its tenant, then
 * the same arguments, then more.  The role is the one in force where the call enters.
 * A SECURITY DEFINER function could no longer tell it, and an argument could be forged.
 */
void
TenantRegister(FunctionCallInfo fcinfo, const char *name, int nmore, const Oid *moretypes,
			   const NullableDatum *more)
{
	Datum		lead[2];

	lead[0] = CStringGetTextDatum(GetUserNameFromId(GetUserId(), false));
	lead[1] = PointerGetDatum(RegistrantTenant());
	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	AnswerCallBeside(fcinfo, name, lengthof(lead), lead, nmore, moretypes, more);
}

/*
 * Returns the role whose rights a tenant's function has: the one that registered it, as
 * long as it may still work for that tenant.
 */
Oid
TenantFunctionRole(const char *registered_by, const text *tenant)
{
	Oid			role = registered_by ? get_role_oid(registered_by, true) : InvalidOid;

	if (!OidIsValid(role) || IsOperator(role) || !RoleHasTenant(role, tenant))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the role that registered it is no longer one of tenant \"%s\"",
						text_to_cstring(tenant)),
				 errdetail("It is \"%s\", with whose rights it would run.",
						   registered_by ? registered_by : ""),
				 errhint("Register it again.")));
	return role;
}

/*
 * SQL
 */

/* answer_tenant() */
PG_FUNCTION_INFO_V1(answer_eval_tenant_current);
Datum
answer_eval_tenant_current(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(CurrentTenant());
}

/* answer.tenant_reads() */
PG_FUNCTION_INFO_V1(answer_eval_tenant_reads);
Datum
answer_eval_tenant_reads(PG_FUNCTION_ARGS)
{
	PG_RETURN_ARRAYTYPE_P(ReadableTenants());
}

/* Returns a function's name without the prefix of public functions. */
static char *
BareName(Oid function)
{
	char	   *name = get_func_name(function);

	return strncmp(name, "answer_", strlen("answer_")) == 0 ? name + strlen("answer_") : name;
}

/*
 * Calls the function in the schema answer that does the work of this one, answer_NAME.
 * It is called NAME plus a suffix, and takes leading arguments that only a caller's
 * role can determine, then the same arguments.  Nobody else may call it.
 */
static Datum
ForwardCall(FunctionCallInfo fcinfo, const char *suffix, int nlead, const Oid *leadtypes,
			const Datum *lead)
{
	FmgrInfo   *target = fcinfo->flinfo->fn_extra;
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	Datum		result;

	Assert(nlead + PG_NARGS() <= FUNC_MAX_ARGS);
	if (target == NULL)
	{
		Oid			function = fcinfo->flinfo->fn_oid;
		Oid			argtypes[FUNC_MAX_ARGS];
		Oid		   *own;
		int			nargs;
		List	   *names;

		(void) get_func_signature(function, &own, &nargs);
		/* memcpy() must not be called with NULL, even to copy nothing */
		for (int i = 0; i < nlead; i++)
			argtypes[i] = leadtypes[i];
		memcpy(&argtypes[nlead], own, sizeof(Oid) * nargs);
		names = list_make2(makeString(get_namespace_name(AnswerSchema())),
						   makeString(psprintf("%s%s", BareName(function), suffix)));
		target = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(FmgrInfo));
		fmgr_info_cxt(LookupFuncName(names, nlead + nargs, argtypes, false), target,
					  fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = target;
	}
	InitFunctionCallInfoData(*call, target, nlead + PG_NARGS(), PG_GET_COLLATION(), NULL, NULL);
	for (int i = 0; i < nlead; i++)
	{
		call->args[i].value = lead[i];
		call->args[i].isnull = false;
	}
	memcpy(&call->args[nlead], fcinfo->args, sizeof(NullableDatum) * PG_NARGS());
	result = FunctionCallInvoke(call);
	fcinfo->isnull = call->isnull;
	return result;
}

/* Writes for the current tenant: calls NAME_put(tenant, ...) as the owner of our tables. */
PG_FUNCTION_INFO_V1(answer_eval_for_tenant);
Datum
answer_eval_for_tenant(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID};
	Datum		tenant = PointerGetDatum(CurrentTenant());
	Datum		result;

	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	AS_OWNER(result = ForwardCall(fcinfo, "_put", 1, types, &tenant));
	return result;
}

/* Writes what all tenants share: calls NAME_put(...) as the owner.  Only for the operator. */
PG_FUNCTION_INFO_V1(answer_eval_for_operator);
Datum
answer_eval_for_operator(PG_FUNCTION_ARGS)
{
	Datum		result;

	RequireOperator(get_func_name(fcinfo->flinfo->fn_oid));
	RequirePrimaryFor(fcinfo->flinfo->fn_oid);
	AS_OWNER(result = ForwardCall(fcinfo, "_put", 0, NULL, NULL));
	return result;
}

/* Reads tenants' data: calls NAME_of(tenants, ...) with the rights of TenantReadBegin. */
PG_FUNCTION_INFO_V1(answer_eval_of_tenants);
Datum
answer_eval_of_tenants(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTARRAYOID};
	TenantReading reading;
	Datum		result;

	TenantReadBegin(&reading);
	result = ForwardCall(fcinfo, "_of", 1, types, &reading.tenants);
	TenantReadEnd(&reading);
	return result;
}

/* Does the same if the roles of a tenant may read different data: NAME_of(tenants, reader, ...). */
PG_FUNCTION_INFO_V1(answer_eval_of_reader);
Datum
answer_eval_of_reader(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTARRAYOID, OIDOID};
	TenantReading reading;
	Datum		lead[2];
	Datum		result;

	TenantReadBegin(&reading);
	lead[0] = reading.tenants;
	lead[1] = ObjectIdGetDatum(reading.user);
	result = ForwardCall(fcinfo, "_of", lengthof(lead), types, lead);
	TenantReadEnd(&reading);
	return result;
}

/*
 * Does the same for documents, for functions that call others of ours which are granted
 * to nobody. Without tenants, the privilege to read answer.receipt decides.
 */
PG_FUNCTION_INFO_V1(answer_eval_of_receipts);
Datum
answer_eval_of_receipts(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTARRAYOID};
	Datum		tenants = PointerGetDatum(ReadableTenants());
	Datum		result;

	if (!TenantsExist())
	{
		Oid			receipt = AnswerTable("receipt");
		AclResult	allowed = pg_class_aclcheck(receipt, GetUserId(), ACL_SELECT);

		if (allowed != ACLCHECK_OK)
			aclcheck_error(allowed, OBJECT_TABLE, get_rel_name(receipt));
	}
	AS_OWNER(result = ForwardCall(fcinfo, "_of", 1, types, &tenants));
	return result;
}

/* Runs a query as the owner of our tables; the function returns its rows. */
static void
ReturnRowsAsOwner(FunctionCallInfo fcinfo, const char *query, ParamListInfo params)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SPIExecuteOptions options = {.params = params,.read_only = true};
	Oid			user;
	int			context;

	options.dest = CreateDestReceiver(DestTuplestore);
	SetTuplestoreDestReceiverParams(options.dest, result->setResult,
									result->econtext->ecxt_per_query_memory, false, NULL, NULL);
	SPI_connect();
	AnswerAsOwner(&user, &context);
	if (SPI_execute_extended(query, &options) < 0)
		elog(ERROR, "could not run \"%s\"", query);
	AnswerAsCaller(user, context);
	SPI_finish();
}

/*
 * Returns the rows of NAME_of(lead, ...), with the same arguments after the leading ones,
 * as the owner of our tables.
 */
static void
ReturnRowsOf(FunctionCallInfo fcinfo, int nlead, const Oid *leadtypes, const Datum *lead)
{
	int			nargs = PG_NARGS() + nlead;
	ParamListInfo params = makeParamList(nargs);
	StringInfoData query;
	Oid		   *own;
	int			nown;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	(void) get_func_signature(fcinfo->flinfo->fn_oid, &own, &nown);
	initStringInfo(&query);
	appendStringInfo(&query, "SELECT * FROM answer.%s(",
					 quote_identifier(psprintf("%s_of", BareName(fcinfo->flinfo->fn_oid))));
	for (int i = 0; i < nargs; i++)
	{
		ParamExternData *param = &params->params[i];

		param->value = i < nlead ? lead[i] : fcinfo->args[i - nlead].value;
		param->isnull = i >= nlead && fcinfo->args[i - nlead].isnull;
		param->pflags = PARAM_FLAG_CONST;
		param->ptype = i < nlead ? leadtypes[i] : own[i - nlead];
		appendStringInfo(&query, i == 0 ? "$%d" : ", $%d", i + 1);
	}
	appendStringInfoChar(&query, ')');
	ReturnRowsAsOwner(fcinfo, query.data, params);
}

/* Reads for the current tenant: returns the rows of NAME_of(tenant, ...). */
PG_FUNCTION_INFO_V1(answer_eval_rows_for_tenant);
Datum
answer_eval_rows_for_tenant(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID};
	Datum		tenant = PointerGetDatum(CurrentTenant());

	ReturnRowsOf(fcinfo, 1, types, &tenant);
	return (Datum) 0;
}

/*
 * Does the same if the roles of the tenant may read different data: returns the rows of
 * NAME_of(tenant, reader, ...).
 */
PG_FUNCTION_INFO_V1(answer_eval_rows_for_reader);
Datum
answer_eval_rows_for_reader(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTOID, OIDOID};
	Datum		lead[2];

	lead[0] = PointerGetDatum(CurrentTenant());
	lead[1] = ObjectIdGetDatum(GetUserId());
	ReturnRowsOf(fcinfo, lengthof(lead), types, lead);
	return (Datum) 0;
}

/*
 * Reads tenants' data: returns the rows of NAME_of(tenants, ...), for the tenants that
 * the current role may read.
 */
PG_FUNCTION_INFO_V1(answer_eval_rows_of_tenants);
Datum
answer_eval_rows_of_tenants(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTARRAYOID};
	Datum		tenants = PointerGetDatum(ReadableTenants());

	ReturnRowsOf(fcinfo, 1, types, &tenants);
	return (Datum) 0;
}

/*
 * Does the same if the roles of a tenant may read different data: returns the rows of
 * NAME_of(tenants, reader, ...), where the reader is the role in force here.
 */
PG_FUNCTION_INFO_V1(answer_eval_rows_of_reader);
Datum
answer_eval_rows_of_reader(PG_FUNCTION_ARGS)
{
	static const Oid types[] = {TEXTARRAYOID, OIDOID};
	Datum		lead[2];

	lead[0] = PointerGetDatum(ReadableTenants());
	lead[1] = ObjectIdGetDatum(GetUserId());
	ReturnRowsOf(fcinfo, lengthof(lead), types, lead);
	return (Datum) 0;
}
