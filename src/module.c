/*-------------------------------------------------------------------------
 *
 * module.c
 *		The loadable module: the magic block, the kinds of documents, and the
 *		hooks through which lower directories call higher ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "base/settings.h"
#include "base/snapshot.h"
#include "base/tenant_plan.h"
#include "dashboard/correction.h"
#include "dashboard/rollup_audit.h"
#include "document/change.h"
#include "document/drop.h"
#include "document/mint.h"
#include "document/retention.h"
#include "document/forgotten.h"
#include "document/tombstone.h"
#include "eval/eval.h"
#include "evidence/call.h"
#include "evidence/fact.h"
#include "gate/config_version.h"
#include "gate/evolve.h"
#include "gate/run_receipt.h"
#include "gate/suite_run.h"
#include "gate/environment_step.h"
#include "gate/gate_audit.h"
#include "graph/graph_audit.h"
#include "graph/packet_receipt.h"
#include "ground/document.h"
#include "ground/document_audit.h"
#include "ground/document_fact.h"
#include "ground/decision_receipt.h"
#include "ground/waiting_rows.h"
#include "judge/judge.h"
#include "judge/judge_audit.h"
#include "judge/signed_judgement.h"
#include "keys/keyring.h"
#include "log/log_table.h"
#include "log/reference_audit.h"
#include "log/seal.h"
#include "plan/invoke.h"
#include "plan/memory.h"
#include "plan/plan_audit.h"
#include "plan/plan_receipt.h"
#include "plan/stored_run.h"
#include "quality/quality_audit.h"
#include "quality/quality_receipt.h"

ANSWER_EVAL_MODULE_MAGIC("answer_eval", ANSWER_EVAL_VERSION);

extern PGDLLEXPORT void _PG_init(void);

/* These directories audit what they store. */
static const AuditPart *const audit_parts[] = {
	&reference_audit,
	&quality_audit,
	&judge_audit,
	&document_audit,
	&waiting_audit,
	&graph_audit,
	&plan_audit,
	&gate_audit,
	&rollup_audit
};

/* These directories sign rows, and no key's life may end before its newest signature. */
static const SignedRows *const signed_rows[] = {
	&document_signed,
	&log_signed,
	&run_signed,
	&retrieval_signed,
	&judgement_signed
};

/* These directories store content that can be forgotten. */
static const EraseQueries *const erase_queries[] = {
	&evidence_erasing,
	&judge_erasing,
	&document_erasing,
	&graph_erasing,
	&memory_erasing,
	&run_erasing,
	&rollup_erasing
};

static const DocumentKind *const kinds[] = {
	&answer_kind,				/* answer_eval, answer_ask */
	&quality_kind,				/* answer_quality_receipt */
	&decision_kind,				/* answer_grounded */
	&packet_kind,				/* answer_packet_receipt */
	&plan_kind,					/* answer_plan_execute, answer_plan_run */
	&run_kind,					/* answer_suite_run */
	&change_kind,				/* changes of keys and configuration */
	&retention_kind				/* answer_receipt_detach */
};

void
_PG_init(void)
{
	for (int i = 0; i < (int) lengthof(kinds); i++)
		RegisterKind(kinds[i]);
	for (int i = 0; i < (int) lengthof(audit_parts); i++)
		RegisterAuditPart(audit_parts[i]);
	for (int i = 0; i < (int) lengthof(signed_rows); i++)
		RegisterSignedRows(signed_rows[i]);
	for (int i = 0; i < (int) lengthof(erase_queries); i++)
		RegisterEraseQueries(erase_queries[i]);
	DropGuardWatch();
	TenantPlanWatch();
	DefineSettings();
	keys_changed = RecordKeyChanges;
	hold_off_forgetting = HoldOffForgetting;
	after_judging = &correct_judged;
	document_fact_readings = fact_readings;
	leaves_of_receipt = &log_leaves_of_receipt;
	environment_steps = (ChangeStepReplay) {StepVerify, EnvironmentStepReplay};
	proposal_steps = (ChangeStepReplay) {ProposalVerify, ProposalVerify};
	spec_demands = (SpecDemands) {SpecBefore, SpecAfter};
	SnapshotWatch();
}
