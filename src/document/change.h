/*-------------------------------------------------------------------------
 *
 * change.h
 *		Signed records of what changed in keys and configuration.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_CHANGE_H
#define ANSWER_EVAL_CHANGE_H

#include "datatype/timestamp.h"

#include "keys/keyring.h"

extern bool RecordChange(const char *kind, const char *name);
extern void RecordKeyChanges(const SigningKey *key, TimestampTz at);

#endif							/* ANSWER_EVAL_CHANGE_H */
