/*-------------------------------------------------------------------------
 *
 * rollup_audit.c
 *		The audit of the roll-up.
 *
 * The dashboard, objectives and proposals use the counts in answer.rollup and related
 * tables.  All of these follow from answer.receipt, whose columns the audit has compared with
 * the signed bodies before, and from what answer.judgement says about the receipts.  So they
 * are recomputed here and compared.  The words of a forgotten document cannot be recomputed,
 * and nothing of a detached one can, although both are in the sums.  Days of which
 * answer_rollup_prune() has left only sums are not recomputed.
 *
 * Promises: those of log/audit.c, because it is part of an audit.  It makes a few passes over
 * the receipts' columns and the rows of the roll-up.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "dashboard/rollup_audit.h"

#define SINCE		"(SELECT coalesce(min(before), '-infinity') FROM answer.rollup_pruned)"
#define DAY(instant) "to_char(" instant " AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
#define BIN(grain, instant) "date_bin(make_interval(mins => " grain "), " instant ", '2000-01-01Z')"

/* The columns of one document, without its words. */
#define COLUMNS \
	"tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given," \
	" contradicted, prevented, unjudged, sentences, grounded, refusal, receipt_id, pairs"

/* The same, without what cannot be known after the body was forgotten. */
#define PLAIN \
	"tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required, citation_given," \
	" contradicted, prevented, unjudged, sentences, grounded, refusal"

/* A correction repeats these columns of its document. */
#define CORRECTED \
	"tenant, receipt_id, issued_at, schema, verdict, intent, key_id, cost_usd, confidence, given, supported, citation_required, citation_given," \
	" contradicted, prevented, unjudged, sentences, grounded, refusal"

/*
 * The words of a row as an object, whatever is stored there.  The keys are read by
 * jsonb_object_keys(), because jsonb_each() keeps the memory for a row until the
 * query ends.
 */
#define WORDS(row) "CASE jsonb_typeof(" row ".words) WHEN 'object' THEN " row ".words ELSE '{}' END"

/*
 * What answer.rollup_single makes of one document.  A latency is truncated before
 * it could stop being a number.
 */
#define COUNTED \
	"(SELECT k.tenant, k.issued_at, k.schema, k.verdict, coalesce(k.intent, '') AS intent, k.key_id, k.words, k.refusal, d.n AS documents, d.n * d.answer AS answers," \
	"  d.n * (k.given IS TRUE)::int4 AS given, d.sign * (k.supported IS TRUE)::int4 AS supported, d.n * (k.citation_required IS TRUE)::int4 AS required," \
	"  d.n * (k.citation_required IS TRUE AND k.citation_given IS TRUE)::int4 AS cited," \
	"  CASE d.n WHEN 1 THEN (k.contradicted IS TRUE)::int4 ELSE k.corrects END AS contradicted, d.n * (k.prevented IS TRUE)::int4 AS prevented," \
	"  d.n * (k.unjudged IS TRUE)::int4 AS unjudged, d.n * coalesce(k.sentences, 0) AS sentences, d.n * coalesce(k.grounded, 0) AS grounded," \
	"  CASE WHEN k.supported AND k.confidence BETWEEN 0 AND 1 THEN d.sign * k.confidence::numeric ELSE 0 END AS confidence," \
	"  d.n * d.answer * (k.cost_usd IS NOT NULL)::int4 AS costed, d.sign * (k.supported IS TRUE AND k.cost_usd IS NOT NULL)::int4 AS costed_verified," \
	"  CASE WHEN d.n * d.answer = 1 THEN coalesce(k.cost_usd, 0) ELSE 0 END AS cost_usd," \
	"  CASE WHEN d.n * d.answer = 1 THEN answer.latency_bag((extract(epoch FROM least(k.took, '1 year')) * 1000000)::int8) END AS latency" \
	" FROM answer.rollup_kept k CROSS JOIN LATERAL (SELECT (k.corrects IS NULL)::int4 AS n, coalesce(-k.corrects::int4, 1) AS sign," \
	"  (k.given IS NOT NULL)::int4 AS answer) d WHERE k.issued_at >= " SINCE ")"

static const char *const queries[] = {
	/* words that are no object count as empty, so the comparisons below would not notice them */
	"SELECT NULL, 'changed', format('the roll-up has something of a document of %s that is no words%s', "
	" to_char(n.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ' of tenant ' || nullif(n.tenant, ''))"
	" FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE jsonb_typeof(n.words) <> 'object' OR n.words = '{}'"
	" ORDER BY n.issued_at LIMIT 1000",
	/*
	 * Each document is counted once.  Compares first by kind of row, then without
	 * the words, because some are no longer known.
	 */
	"WITH told AS (SELECT " COLUMNS ", nullif(" WORDS("n") " - ARRAY("
	/* how long the tools of an answer took is not in its body */
	"   SELECT w.key FROM jsonb_object_keys(" WORDS("n") ") w (key) WHERE n.schema = 'answer/v1' AND w.key ~ '^(us|timed) '), '{}') AS words,"
	"   1 AS kept, 0 AS stored, 0 AS unknown"
	"  FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE n.corrects IS NULL AND n.issued_at >= " SINCE
	"  UNION ALL SELECT tenant, issued_at, schema, verdict, answer.receipt_intent(intent), key_id, took, cost_usd, confidence, given, supported,"
	"   citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal,"
	"   CASE WHEN f.pairs IS NOT NULL THEN receipt_id END, f.pairs, CASE WHEN f.forgotten THEN NULL ELSE answer.receipt_words(r.body) END, 0,"
	"   (NOT f.forgotten)::int4, f.forgotten::int4"
	"  FROM answer.receipt r CROSS JOIN LATERAL (SELECT r.body ->> 'schema' IS DISTINCT FROM r.schema AS forgotten, answer.receipt_pairs(r.body) AS pairs) f"
	"  WHERE r.issued_at >= " SINCE "),"
	" worded AS (SELECT " COLUMNS ", sum(kept) - sum(stored) AS more, sum(unknown) AS unknown FROM told GROUP BY " COLUMNS ", words),"
	/* the pairs and words of a forgotten document are gone with its body */
	" plain AS (SELECT tenant, issued_at, sum(greatest(more, 0)) - sum(unknown) AS more, sum(greatest(-more, 0)) AS less FROM worded GROUP BY " PLAIN "),"
	" away AS (SELECT l.issued_at, count(*) AS leaves FROM (SELECT receipt_id, issued_at FROM answer.log_leaf"
	"   UNION ALL SELECT receipt_id, issued_at FROM answer.unsealed) l"
	"  WHERE NOT EXISTS (SELECT FROM answer.receipt r WHERE r.receipt_id = l.receipt_id AND r.issued_at = l.issued_at) GROUP BY l.issued_at)"
	" SELECT NULL, CASE WHEN sum(d.more) = 0 THEN 'missing' WHEN sum(d.less) = 0 THEN 'extra' ELSE 'changed' END,"
	"  format('the roll-up tells of other documents of %s%s than there are: %s too many, %s too few', " DAY("d.issued_at") ","
	"   ' of tenant ' || nullif(d.tenant, ''), sum(d.more), sum(d.less))"
	" FROM (SELECT p.tenant, p.issued_at, greatest(sum(greatest(p.more, 0)) - coalesce(max(a.leaves), 0), 0) AS more, sum(p.less) + sum(greatest(-p.more, 0)) AS less"
	"  FROM plain p LEFT JOIN away a ON a.issued_at = p.issued_at GROUP BY p.tenant, p.issued_at) d"
	" WHERE d.more > 0 OR d.less > 0 GROUP BY d.tenant, " DAY("d.issued_at") " ORDER BY d.tenant, " DAY("d.issued_at"),
	/*
	 * Corrections.  Each repeats its document.  For a document that the table says
	 * is corrected, there is one more that contradicts than that take back.  The
	 * table says what judgements say.  The judgements of a forgotten document are
	 * gone, and of a detached one the document, too.
	 */
	"WITH told AS (SELECT " CORRECTED ", corrects FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE corrects IS NOT NULL"
	"  AND issued_at >= " SINCE "), summed AS (SELECT tenant, receipt_id, issued_at, sum(corrects) AS corrects, bool_and(corrects IN (-1, 1)) AS are_signs FROM told GROUP BY 1, 2, 3)"
	" SELECT coalesce(s.receipt_id, c.receipt_id), 'changed', format('the roll-up corrects a document of %s%s by what judges said, and should not, or otherwise',"
	"  " DAY("coalesce(s.issued_at, c.issued_at)") ", ' of tenant ' || nullif(coalesce(s.tenant, c.tenant), ''))"
	" FROM summed s FULL JOIN answer.rollup_correction c ON (c.tenant, c.receipt_id, c.issued_at) = (s.tenant, s.receipt_id, s.issued_at)"
	" LEFT JOIN answer.receipt r ON (r.tenant, r.receipt_id, r.issued_at) = (c.tenant, c.receipt_id, c.issued_at)"
	" LEFT JOIN LATERAL (SELECT f.* FROM answer.receipt_contradiction(r.tenant, r.body) f WHERE r.body ->> 'schema' = r.schema) j ON true"
	" WHERE c.receipt_id IS NULL OR s.are_signs IS FALSE OR coalesce(s.corrects, 0) <> c.contradicted::int4"
	"  OR c.contradicted IS DISTINCT FROM (c.pair IS NOT NULL) OR c.contradicted IS DISTINCT FROM (c.judge IS NOT NULL)"
	"  OR (r.body ->> 'schema' = r.schema AND (c.pair, c.judge) IS DISTINCT FROM (j.pair, j.judge))"
	"  OR (r.receipt_id IS NULL AND NOT EXISTS (SELECT FROM answer.log_leaf l WHERE l.receipt_id = c.receipt_id AND l.issued_at = c.issued_at"
	"   UNION ALL SELECT FROM answer.unsealed u WHERE u.receipt_id = c.receipt_id AND u.issued_at = c.issued_at))"
	" ORDER BY 1 LIMIT 1000",
	"SELECT n.receipt_id, 'changed', format('the roll-up corrects a document of %s%s that it does not describe as it is', " DAY("n.issued_at") ", ' of tenant ' || nullif(n.tenant, ''))"
	" FROM (SELECT " CORRECTED ", took, words, pairs FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE corrects IS NOT NULL AND issued_at >= " SINCE ") n"
	" JOIN answer.receipt r ON (r.tenant, r.receipt_id, r.issued_at) = (n.tenant, n.receipt_id, n.issued_at)"
	" WHERE n.took IS NOT NULL OR n.words IS NOT NULL OR n.pairs IS NOT NULL"
	"  OR (n.schema, n.verdict, n.intent, n.key_id, n.cost_usd, n.confidence, n.given, n.supported, n.citation_required, n.citation_given, n.contradicted, n.prevented,"
	"   n.unjudged, n.sentences, n.grounded, n.refusal) IS DISTINCT FROM (r.schema, r.verdict, answer.receipt_intent(r.intent), r.key_id, r.cost_usd, r.confidence, r.given,"
	"   r.supported, r.citation_required, r.citation_given, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.refusal) ORDER BY 1 LIMIT 1000",
	"SELECT r.receipt_id, 'missing', format('a judge contradicts a document of %s%s, and the roll-up does not know it', " DAY("r.issued_at") ", ' of tenant ' || nullif(r.tenant, ''))"
	" FROM answer.rollup_kept k JOIN answer.receipt r ON (r.tenant, r.receipt_id, r.issued_at) = (k.tenant, k.receipt_id, k.issued_at)"
	" CROSS JOIN LATERAL answer.receipt_contradiction(r.tenant, r.body) j"
	" WHERE k.corrects IS NULL AND k.pairs IS NOT NULL AND k.issued_at >= " SINCE " AND r.given AND NOT r.contradicted AND r.body ->> 'schema' = r.schema"
	"  AND EXISTS (SELECT FROM answer.judgement g WHERE g.tenant = k.tenant AND g.pair = ANY (k.pairs) AND g.relation = 'contradicts') AND j.pair IS NOT NULL"
	"  AND NOT EXISTS (SELECT FROM answer.rollup_correction c WHERE c.tenant = r.tenant AND c.receipt_id = r.receipt_id AND c.issued_at = r.issued_at) ORDER BY 1 LIMIT 1000",
	/* the sums */
	"SELECT NULL, CASE WHEN s.tenant IS NULL THEN 'missing' WHEN r.tenant IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of the %s minutes from %s on%s: what it counts of %s %s is not what its documents come to', grain, starts_at, ' of tenant ' || nullif(tenant, ''),"
	"  schema, verdict)"
	" FROM (SELECT tenant, g.grain, " BIN("g.grain", "issued_at") " AS starts_at, schema, verdict, intent, sum(documents) AS documents, sum(answers) AS answers,"
	"  sum(given) AS given, sum(supported) AS supported, sum(required) AS required, sum(cited) AS cited, sum(contradicted) AS contradicted, sum(prevented) AS prevented,"
	"  sum(unjudged) AS unjudged, sum(sentences) AS sentences, sum(grounded) AS grounded, sum(confidence) AS confidence,"
	"  sum(costed) AS costed, sum(costed_verified) AS costed_verified, sum(cost_usd) AS cost_usd"
	"  FROM " COUNTED " k CROSS JOIN (VALUES (1::int2), (60), (1440)) g (grain) GROUP BY 1, 2, 3, 4, 5, 6) r"
	" FULL JOIN (SELECT * FROM answer.rollup WHERE starts_at >= " SINCE ") s USING (tenant, grain, starts_at, schema, verdict, intent)"
	" WHERE (s.documents, s.answers, s.given, s.supported, s.required, s.cited, s.contradicted, s.prevented, s.unjudged, s.sentences, s.grounded, s.confidence, s.costed, s.costed_verified, s.cost_usd)"
	"  IS DISTINCT FROM (r.documents, r.answers, r.given, r.supported, r.required, r.cited, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.confidence, r.costed, r.costed_verified, r.cost_usd)"
	" ORDER BY tenant, grain, starts_at, schema, verdict, intent LIMIT 1000",
	"SELECT NULL, CASE WHEN s.latency IS NULL THEN 'missing' WHEN r.latency IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of the %s minutes from %s on%s: how long answers took is not what its documents come to', grain, starts_at, ' of tenant ' || nullif(tenant, ''))"
	" FROM (SELECT tenant, g.grain, g.whole, " BIN("g.grain", "issued_at") " AS starts_at, CASE WHEN g.whole THEN '' ELSE intent END AS intent,"
	"  answer.latency_union(latency) AS latency FROM " COUNTED " k"
	"  CROSS JOIN (VALUES (1::int2, false), (60, false), (1440, false), (60, true), (1440, true)) g (grain, whole) WHERE latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5) r"
	" FULL JOIN (SELECT * FROM answer.rollup_latency WHERE starts_at >= " SINCE ") s USING (tenant, grain, whole, starts_at, intent)"
	" WHERE s.latency IS DISTINCT FROM r.latency ORDER BY tenant, grain, starts_at, intent LIMIT 1000",
	"SELECT NULL, CASE WHEN s.count IS NULL THEN 'missing' WHEN r.count IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of the %s minutes from %s on%s: how often it was said \"%s\" is not what its documents come to', grain, starts_at,"
	"  ' of tenant ' || nullif(tenant, ''), word)"
	" FROM (SELECT tenant, g.grain, " BIN("g.grain", "issued_at") " AS starts_at, schema, w.key AS word,"
	"  sum(CASE jsonb_typeof(d.words -> w.key) WHEN 'number' THEN (d.words -> w.key)::numeric ELSE 0 END) AS count"
	/* a copy, because otherwise each key would detoast a large value again */
	"  FROM " COUNTED " k CROSS JOIN LATERAL (SELECT " WORDS("k") " || '{}' AS words OFFSET 0) d CROSS JOIN LATERAL jsonb_object_keys(d.words) w (key)"
	"  CROSS JOIN (VALUES (60::int2), (1440)) g (grain) GROUP BY 1, 2, 3, 4, 5) r"
	" FULL JOIN (SELECT * FROM answer.rollup_word WHERE starts_at >= " SINCE ") s USING (tenant, grain, starts_at, schema, word)"
	" WHERE s.count IS DISTINCT FROM r.count ORDER BY tenant, grain, starts_at, word LIMIT 1000",
	"SELECT NULL, CASE WHEN s.count IS NULL THEN 'missing' WHEN r.count IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of the %s minutes from %s on%s: how often answers were refused for \"%s\" is not what its documents come to', grain, starts_at,"
	"  ' of tenant ' || nullif(tenant, ''), reason)"
	" FROM (SELECT tenant, g.grain, " BIN("g.grain", "issued_at") " AS starts_at, intent, refusal AS reason, count(*) AS count"
	"  FROM " COUNTED " k CROSS JOIN (VALUES (1::int2), (60), (1440)) g (grain) WHERE refusal IS NOT NULL AND documents = 1 GROUP BY 1, 2, 3, 4, 5) r"
	" FULL JOIN (SELECT * FROM answer.rollup_refusal WHERE starts_at >= " SINCE ") s USING (tenant, grain, starts_at, intent, reason)"
	" WHERE s.count IS DISTINCT FROM r.count ORDER BY tenant, grain, starts_at, intent, reason LIMIT 1000",
	/* keys are counted for good: of pruned documents nothing is left to count */
	"SELECT NULL, CASE WHEN s.documents IS NULL THEN 'missing' WHEN r.documents IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of key %s%s is not what its documents come to', key_id, ' of tenant ' || nullif(tenant, ''))"
	" FROM (SELECT tenant, key_id, count(*) AS documents, min(issued_at) AS first_at, max(issued_at) AS last_at FROM answer.rollup_kept WHERE corrects IS NULL GROUP BY 1, 2) r"
	" FULL JOIN answer.rollup_key s USING (tenant, key_id)"
	" WHERE CASE WHEN EXISTS (SELECT FROM answer.rollup_pruned) THEN s.documents IS NULL OR s.documents < r.documents OR s.first_at > r.first_at OR s.last_at < r.last_at"
	"  OR s.documents < 1 OR s.first_at > s.last_at"
	"  ELSE (s.documents, s.first_at, s.last_at) IS DISTINCT FROM (r.documents, r.first_at, r.last_at) END ORDER BY tenant, key_id",
	/* as answer_rollup_prune() leaves it */
	"SELECT NULL, 'extra', format('the roll-up says that it was pruned up to %s, %s', p.before, CASE WHEN p.before > p.pruned_at - interval '743 hours'"
	"  THEN 'of which windows have need' ELSE 'and has rows of before' END)"
	" FROM answer.rollup_pruned p WHERE p.before > p.pruned_at - interval '743 hours' OR p.pruned_at > now()"
	"  OR EXISTS (SELECT FROM answer.rollup_kept k WHERE k.issued_at < p.before)"
	"  OR EXISTS (SELECT FROM answer.rollup s WHERE s.starts_at < p.before AND s.grain < 1440)"
};

static void
AuditRollup(Audit *audit, bool whole, bool functions_good)
{
	/* a replaced function is reported elsewhere, with the fact that not everything was compared */
	if (!whole || !functions_good)
		return;
	for (size_t i = 0; i < lengthof(queries); i++)
		AuditQueryAsOwner(audit, queries[i]);
}

const AuditPart rollup_audit = {
	.walk = AuditRollup
};
