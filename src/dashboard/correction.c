/*-------------------------------------------------------------------------
 *
 * correction.c
 *		Counts answers again after judgements have come or gone.
 *
 * Manual: doc/dashboard.md.  Answers that were given before may be contradicted by a
 * judgement that comes, or not any more; and no longer by one that is
 * forgotten.  Judgements are written and forgotten by lower directories, so
 * module.c registers these queries there.
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
