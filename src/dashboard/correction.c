/*-------------------------------------------------------------------------
 *
 * correction.c
 *		Corrects the counts of earlier answers when judgements are added or forgotten.
 *
 * Manual: doc/dashboard.md.  A new judgement may contradict an earlier answer, or
 * replace one that did.  A forgotten judgement contradicts nothing any more.  Lower
 * directories write and forget judgements, so module.c registers these queries there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "dashboard/correction.h"

FixedQuery correct_judged = {
	.text = "SELECT answer.rollup_correct($1, ARRAY(SELECT r.pair"
	" FROM pg_catalog.jsonb_to_recordset($2) AS r (pair pg_catalog.text, kind pg_catalog.text)"
	" WHERE r.kind OPERATOR(pg_catalog.=) ANY (ARRAY['entailment', 'conflict'])))",
	.argtypes = {TEXTOID, JSONBOID}
};

/* The answer that is forgotten itself stays as it was counted. */
static FixedQuery correct_forgotten = {
	.text = "SELECT answer.rollup_correct_document(c.tenant, c.receipt_id, c.issued_at, true)"
	" FROM (SELECT f.tenant, f.receipt_id, f.issued_at FROM answer.rollup_correction f"
	"  WHERE f.tenant OPERATOR(pg_catalog.=) $1 AND f.pair OPERATOR(pg_catalog.=) ANY ($2) AND f.contradicted"
	"  ORDER BY f.receipt_id) AS c",
	.argtypes = {TEXTOID, TEXTARRAYOID}
};

const EraseQueries rollup_erasing = {
	.after_judgements = &correct_forgotten
};
