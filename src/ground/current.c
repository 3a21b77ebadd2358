/*-------------------------------------------------------------------------
 *
 * current.c
 *		The rules and the configuration that are in force.
 *
 * What deciding takes from outside its arguments stands here alone, so that
 * everything else in this wing stays pure.  Nobody can change rules or
 * configuration in the database yet, so those that shipped are in force.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "ground/current.h"

const DecisionRules *
CurrentDecisionRules(void)
{
	return ShippedDecisionRules();
}

void
CurrentDecisionConfig(DecisionConfig *config)
{
	DecisionConfigOfView(&(JsonView) {.type = JVIEW_ABSENT}, config);
}
