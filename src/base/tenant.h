/*-------------------------------------------------------------------------
 *
 * tenant.h
 *		Says which tenants' data a statement may read and write.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_TENANT_H
#define ANSWER_EVAL_TENANT_H

#include "fmgr.h"
#include "utils/array.h"

/* A read of tenants' data: the rights in force before it, and which tenants it may read. */
typedef struct TenantReading
{
	Datum		tenants;		/* text[] of the tenants that may be read */
	Oid			user;
	int			context;
} TenantReading;

extern bool TenantsExist(void);
extern text *CurrentTenant(void);
extern text *TenantOrShared(void);
extern bool IsTenant(const text *tenant);
extern ArrayType *AllTenants(void);
extern ArrayType *ReadableTenants(void);
extern ArrayType *ReadableOrShared(bool *is_granted);
extern bool ReadsOperators(Datum tenants);
extern bool IsOperatorForAll(void);
extern bool SessionIsOperator(void);
extern void RequireTenant(const text *tenant);
extern void RequireOperator(const char *what);
extern void TenantReadBegin(TenantReading *reading);
extern void TenantReadEnd(const TenantReading *reading);
extern Oid	TenantFunctionRole(const char *registered_by, const text *tenant);
extern text *RegistrantTenant(void);
extern void TenantRegister(FunctionCallInfo fcinfo, const char *name, int nmore, const Oid *moretypes,
						   const NullableDatum *more);

#endif							/* ANSWER_EVAL_TENANT_H */
