/*-------------------------------------------------------------------------
 *
 * request_config.h
 *		Says what a request changes of the configuration in force, and whether it
 *		may.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GROUND_REQUEST_CONFIG_H
#define ANSWER_EVAL_GROUND_REQUEST_CONFIG_H

#include "base/jsonview.h"

/* Returns [{key, old, new}] by code point of the keys; empty where both say the same. Both have all keys. */
extern JsonView ConfigChanged(const JsonView *active, const JsonView *effective);

/* Is it a list of changes as a document has it, each of a key of the configuration that the document shows? */
extern bool ConfigChangedIsFormed(const JsonView *changed, const JsonView *effective);

/* Raises 42501 for a change that loosens, where answer_eval.request_config is "stricter". */
extern void ConfigChangesRefuse(const JsonView *changed);

#endif							/* ANSWER_EVAL_GROUND_REQUEST_CONFIG_H */
