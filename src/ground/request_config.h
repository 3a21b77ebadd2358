/*-------------------------------------------------------------------------
 *
 *		The changes that a request makes to the configuration in force, and whether
 *		they are allowed.
 *		may.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_REQUEST_CONFIG_H
#define ANSWER_EVAL_GROUND_REQUEST_CONFIG_H

#include "base/jsonview.h"

/* Returns the changes [{key, old, new}], ordered by code point of the keys. Both arguments have all keys. */
extern JsonView ConfigChanged(const JsonView *active, const JsonView *effective);

/* Is it a well-formed list of changes, each for a key of this configuration? */
extern bool ConfigChangedIsFormed(const JsonView *changed, const JsonView *effective);

/* Raises 42501 for a change that loosens a key, if answer_eval.request_config is "stricter". */
extern void ConfigChangesRefuse(const JsonView *changed);

#endif							/* ANSWER_EVAL_GROUND_REQUEST_CONFIG_H */
