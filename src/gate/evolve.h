/*-------------------------------------------------------------------------
 *
 * evolve.h
 *		Proposals for a better configuration, measured before they are applied.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_EVOLVE_H
#define ANSWER_EVAL_GATE_EVOLVE_H

#include "base/jsonview.h"

extern JsonView ProposalVerify(const JsonView *document);

#endif							/* ANSWER_EVAL_GATE_EVOLVE_H */
