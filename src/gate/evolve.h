/*-------------------------------------------------------------------------
 *
 * evolve.h
 *		Proposals for a better configuration, which are measured before they apply.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_GATE_EVOLVE_H
#define ANSWER_EVAL_GATE_EVOLVE_H

#include "base/jsonview.h"

extern JsonView ProposalVerify(const JsonView *document);

#endif							/* ANSWER_EVAL_GATE_EVOLVE_H */
