/*-------------------------------------------------------------------------
 *
 *		Versions of the configuration, and the environments that use them.
 *		Versions of the configuration, and the environments that they are in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CONFIG_VERSION_H
#define ANSWER_EVAL_CONFIG_VERSION_H

#include "fmgr.h"

#include "ground/environment.h"

/* arguments and members shared by the functions that move configurations */
extern JsonView RoleView(void);
extern JsonView ReasonArgument(FunctionCallInfo fcinfo, int n, bool is_required);
extern Span EnvironmentArgument(FunctionCallInfo fcinfo, int n);


/* Returns a complete configuration in portable form: the given keys over another one in portable form. */
extern JsonView ConfigOver(const JsonView *base, const JsonView *given);

/*
 * Finds the record of an environment for a tenant: its own, or the operator's.
 * Raises P0002.  SPI must be connected.
 */
extern void EnvironmentInForce(const text *tenant, Span name, EnvironmentRecord *record);

/*
 * Does what answer_config_create() does: the id of the version, in the current context.
 * "over" is the configuration that the keys go over; NULL: the one in force.
 */
extern char *ConfigCreate(const text *tenant, const Pinning *pinning, const JsonView *given, JsonView reason,
						  const Span *over);

/*
 * Does what answer_config_promote() does: its result, in the current context.  The schema is
 * that of our functions; "wanted" is the stage; NULL: the next one.
 */
extern Jsonb *ConfigPromote(Oid schema, const text *tenant, Span name, Span config_id, const Span *wanted,
							JsonView reason);

extern JsonView EnvironmentStepReplay(const JsonView *document);

#endif							/* ANSWER_EVAL_CONFIG_VERSION_H */
