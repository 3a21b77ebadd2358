/*-------------------------------------------------------------------------
 *
 * config.h
 *		Versions of the configuration, and the environments that they are in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_CONFIG_H
#define ANSWER_EVAL_GATE_CONFIG_H

#include "base/jsonview.h"

extern JsonView EnvironmentStepReplay(const JsonView *document);

#endif							/* ANSWER_EVAL_GATE_CONFIG_H */
