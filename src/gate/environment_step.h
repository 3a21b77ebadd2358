/*-------------------------------------------------------------------------
 *
 * environment_step.h
 *		Moves an environment from one configuration to another.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_ENVIRONMENT_STEP_H
#define ANSWER_EVAL_ENVIRONMENT_STEP_H

#include "ground/environment.h"

#define STEP_SET		"set"
#define STEP_PROMOTE	"promote"
#define STEP_REFUSE		"refuse"
#define STEP_ROLLBACK	"rollback"

extern const char *StepNextStage(const JsonView *state, Span config_id, const char **problem);
extern JsonView StepPromoted(const JsonView *from, Span config_id, const char *stage, int revision);
extern JsonView StepBack(const JsonView *from, bool is_tenants);
extern const char *StepSamplesOutcome(const JsonView *samples, JsonView *failures);
extern JsonView StepRequired(const JsonView *from, const char *stage);
extern JsonView StepVerify(const JsonView *document);

#endif							/* ANSWER_EVAL_ENVIRONMENT_STEP_H */
