/*-------------------------------------------------------------------------
 *
 * kinds.c
 *		The kinds of documents that are signed here, a line each.
 *
 * Above all modules, for it names what they define; kind.h declares the table, so
 * that those below can use it without knowing them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "document/kind.h"

const DocumentKind *const document_kinds[] = {
	&answer_kind,				/* eval.c: answer_eval, answer_ask */
	&quality_kind,				/* investigation.c: answer_quality_receipt */
	&decision_kind,				/* ground/receipt.c: answer_grounded */
	&packet_kind,				/* graph/receipt.c: answer_packet_receipt */
	&plan_kind,					/* plan/receipt.c: answer_plan_execute, answer_plan_run */
	&run_kind,					/* gate/receipt.c: answer_suite_run */
	&change_kind,				/* change.c: changes of keys and configuration */
	&retention_kind,				/* detach.c: answer_receipt_detach */
	NULL
};
