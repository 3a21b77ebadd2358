/*-------------------------------------------------------------------------
 *
 * judge_audit.c
 *		The audit of judges and their judgements.
 *
 * The record of a judge has its present version and its newest assessment; the
 * other rows must agree with it.  A judgement that was forgotten must not be stored
 * again.
 *
 * Promises: those of log/audit.c, because it is part of an audit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "judge/judge_audit.h"

static const char *const queries[] = {
	"SELECT NULL, CASE WHEN v.name IS NULL THEN 'missing' ELSE 'changed' END, format(CASE WHEN v.name IS NULL THEN 'judge %s: its version %s is gone'"
	" ELSE 'judge %s: its version %s is not what was registered' END, j.name, j.revision) FROM answer.judge j"
	" LEFT JOIN answer.judge_version v ON v.tenant = j.tenant AND v.name = j.name AND v.revision = j.revision"
	" WHERE v.name IS NULL OR (v.model, v.version, v.handler, v.handler_digest, v.weights_digest)"
	"  IS DISTINCT FROM (j.model, j.version, j.handler, j.handler_digest, j.weights_digest) ORDER BY j.name COLLATE \"C\", j.tenant COLLATE \"C\"",
	"SELECT NULL, 'changed', format('judge %s: the columns of an assessment of its version %s are not what was measured', a.judge, a.revision)"
	" FROM answer.judge_assessment a LEFT JOIN answer.judge_version v ON v.tenant = a.tenant AND v.name = a.judge AND v.revision = a.revision"
	" WHERE (a.version, a.pairs, a.n::text, trim_scale(a.balanced_accuracy)::text,"
	"  to_char(a.assessed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')) IS DISTINCT FROM (v.version, a.assessment ->> 'pairs', a.assessment ->> 'n',"
	"  a.assessment ->> 'balanced_accuracy', a.assessment ->> 'at') ORDER BY a.judge COLLATE \"C\", a.revision, a.kind, a.assessed_at",
	"SELECT NULL, 'changed', format('what judge %s has said of %s is of no version of it, or of no relation of its kind', g.judge, g.pair) FROM answer.judgement g"
	" LEFT JOIN answer.judge_version v ON v.tenant = g.judge_tenant AND v.name = g.judge AND v.revision = g.revision"
	" WHERE v.version IS DISTINCT FROM g.version OR NOT CASE g.kind WHEN 'entailment' THEN g.relation IN ('supports', 'contradicts', 'neutral', 'no_claim')"
	"  WHEN 'answers' THEN g.relation IN ('answers', 'does_not') ELSE g.relation IN ('contradicts', 'neutral') END"
	" OR (v.handler IS NULL) <> (g.origin = 'reported') ORDER BY g.pair COLLATE \"C\", g.judge COLLATE \"C\", g.judged_at",
	NULL
};

static const char *const tenants[] = {
	"SELECT DISTINCT 'judges', tenant FROM answer.judge",
	"SELECT DISTINCT 'judgements', tenant FROM answer.judgement",
	"SELECT DISTINCT 'versions of judges', tenant FROM answer.judge_version",
	"SELECT DISTINCT 'assessments', tenant FROM answer.judge_assessment",
	NULL
};

static const char *const shipped[] = {
	"SELECT 'judge', to_jsonb(t.name), to_jsonb(t)::text FROM answer.judge t WHERE t.seed",
	NULL
};

/*
 * If a forgotten judgement is stored again, its signature still holds.  But a tombstone, of
 * a receipt or of a document, says that it was forgotten.  Each version of a document has
 * one that says the same.
 */
static const char returned_query[] =
"SELECT min(t.receipt_id), 'extra', format('what judge %s has said of %s was forgotten, and has come back', g.judge, g.pair)"
" FROM answer.judgement g JOIN (SELECT t.receipt_id, decode(CASE WHEN j.value ~ '^[0-9a-f]{48}$' THEN j.value END, 'hex') AS item"
"  FROM answer.tombstone t, LATERAL jsonb_array_elements_text("
"   CASE jsonb_typeof(t.body -> 'judgements') WHEN 'array' THEN t.body -> 'judgements' ELSE '[]' END) j) t"
"  ON t.item = answer.recorded_item(2, g.pair, answer.row_digest('judgement', g))"
" GROUP BY g.tenant, g.pair, g.judge, g.judge_tenant, g.revision, g.judged_at"
" ORDER BY min(t.receipt_id), g.pair, g.judge, g.judged_at";

static void
AuditJudges(Audit *audit, bool whole, bool functions_good)
{
	if (whole && functions_good)
		AuditQueryAsOwner(audit, returned_query);
}

const AuditPart judge_audit = {
	.queries = queries,
	.tenants = tenants,
	.shipped = shipped,
	.walk = AuditJudges
};
