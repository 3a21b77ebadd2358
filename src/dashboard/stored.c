/*-------------------------------------------------------------------------
 *
 * stored.c
 *		The audit of the roll-up.
 *
 * The dashboard, objectives and proposals count what answer.rollup and its
 * neighbours have.  All of that is made of answer.receipt, whose columns the
 * audit has held against signed bodies by then: so it is made again here, and
 * compared.  Of a document that was forgotten its words cannot be made again,
 * and of one that was detached nothing can; but these rows are in the sums.
 * Of days that answer_rollup_prune() has left nothing but sums nothing is made again.
 *
 * Promises: as log/audit.c's, for it is part of an audit.  A few passes over
 * the receipts' columns and the roll-up's rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "dashboard/stored.h"

#define SINCE		"(SELECT coalesce(min(before), '-infinity') FROM answer.rollup_pruned)"
#define DAY(instant) "to_char(" instant " AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
#define BIN(grain, instant) "date_bin(make_interval(mins => " grain "), " instant ", '2000-01-01Z')"

/* What is told of one document, without its words. */
#define COLUMNS \
	"tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, supported, citation_required, citation_given, contradictory"

/* A row's words as an object, whatever is stored there. */
#define WORDS(row) "CASE jsonb_typeof(" row ".words) WHEN 'object' THEN " row ".words ELSE '{}' END"

/* What answer.rollup_single says of one document; a latency is cut off before it could be no number. */
#define COUNTED \
	"(SELECT k.tenant, k.issued_at, k.schema, k.verdict, coalesce(k.intent, '') AS intent, k.key_id, k.words," \
	"  (k.supported IS NOT NULL)::int4 AS answers, (k.supported IS TRUE)::int4 AS supported, (k.citation_required IS TRUE)::int4 AS required," \
	"  (k.citation_required IS TRUE AND k.citation_given IS TRUE)::int4 AS cited, (k.contradictory IS TRUE)::int4 AS contradictory," \
	"  CASE WHEN k.supported AND k.confidence BETWEEN 0 AND 1 THEN k.confidence::numeric ELSE 0 END AS confidence," \
	"  (k.supported IS NOT NULL AND k.cost_usd IS NOT NULL)::int4 AS costed," \
	"  (k.supported IS TRUE AND k.contradictory IS NOT TRUE AND k.cost_usd IS NOT NULL" \
	"   AND (k.citation_required IS NOT TRUE OR k.citation_given IS TRUE))::int4 AS costed_verified," \
	"  CASE WHEN k.supported IS NOT NULL THEN coalesce(k.cost_usd, 0) ELSE 0 END AS cost_usd," \
	"  CASE WHEN k.supported IS NOT NULL THEN answer.latency_bag((extract(epoch FROM least(k.took, '1 year')) * 1000000)::int8) END AS latency" \
	" FROM answer.rollup_kept k WHERE k.issued_at >= " SINCE ")"

static const char *const queries[] = {
	/* what is no object counts for nothing, so the comparisons below would not see it */
	"SELECT NULL, 'changed', format('the roll-up has something of a document of %s that is no words%s', "
	" to_char(n.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ' of tenant ' || nullif(n.tenant, ''))"
	" FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE jsonb_typeof(n.words) <> 'object' OR n.words = '{}'"
	" ORDER BY n.issued_at LIMIT 1000",
	/*
	 * Each document is told of once: counted by kind of row first, then without the
	 * words, of which some are not known any more.
	 */
	"WITH told AS (SELECT " COLUMNS ", (SELECT jsonb_object_agg(w.key, w.value) FROM jsonb_each(" WORDS("n") ") w"
	/* how long the tools of an answer took, its body does not say */
	"   WHERE n.schema <> 'answer/v1' OR w.key !~ '^(us|timed) ') AS words, 1 AS kept, 0 AS stored, 0 AS unknown"
	"  FROM (TABLE answer.rollup_new UNION ALL TABLE answer.rollup_kept) n WHERE n.issued_at >= " SINCE
	"  UNION ALL SELECT tenant, issued_at, schema, verdict, answer.receipt_intent(intent), key_id, took, cost_usd, confidence, supported,"
	"   citation_required, citation_given, contradictory, CASE WHEN f.forgotten THEN NULL ELSE answer.receipt_words(r.body) END, 0,"
	"   (NOT f.forgotten)::int4, f.forgotten::int4"
	"  FROM answer.receipt r CROSS JOIN LATERAL (SELECT r.body ->> 'schema' IS DISTINCT FROM r.schema AS forgotten) f WHERE r.issued_at >= " SINCE "),"
	" worded AS (SELECT " COLUMNS ", sum(kept) - sum(stored) AS more, sum(unknown) AS unknown FROM told GROUP BY " COLUMNS ", words),"
	" plain AS (SELECT tenant, issued_at, sum(greatest(more, 0)) - sum(unknown) AS more, sum(greatest(-more, 0)) AS less FROM worded GROUP BY " COLUMNS "),"
	" away AS (SELECT l.issued_at, count(*) AS leaves FROM (SELECT receipt_id, issued_at FROM answer.log_leaf"
	"   UNION ALL SELECT receipt_id, issued_at FROM answer.unsealed) l"
	"  WHERE NOT EXISTS (SELECT FROM answer.receipt r WHERE r.receipt_id = l.receipt_id AND r.issued_at = l.issued_at) GROUP BY l.issued_at)"
	" SELECT NULL, CASE WHEN sum(d.more) = 0 THEN 'missing' WHEN sum(d.less) = 0 THEN 'extra' ELSE 'changed' END,"
	"  format('the roll-up tells of other documents of %s%s than there are: %s too many, %s too few', " DAY("d.issued_at") ","
	"   ' of tenant ' || nullif(d.tenant, ''), sum(d.more), sum(d.less))"
	" FROM (SELECT p.tenant, p.issued_at, greatest(sum(greatest(p.more, 0)) - coalesce(max(a.leaves), 0), 0) AS more, sum(p.less) + sum(greatest(-p.more, 0)) AS less"
	"  FROM plain p LEFT JOIN away a ON a.issued_at = p.issued_at GROUP BY p.tenant, p.issued_at) d"
	" WHERE d.more > 0 OR d.less > 0 GROUP BY d.tenant, " DAY("d.issued_at") " ORDER BY d.tenant, " DAY("d.issued_at"),
	/* the sums */
	"SELECT NULL, CASE WHEN s.tenant IS NULL THEN 'missing' WHEN r.tenant IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of the %s minutes from %s on%s: what it counts of %s %s is not what its documents come to', grain, starts_at, ' of tenant ' || nullif(tenant, ''),"
	"  schema, verdict)"
	" FROM (SELECT tenant, g.grain, " BIN("g.grain", "issued_at") " AS starts_at, schema, verdict, intent, count(*) AS documents, sum(answers) AS answers,"
	"  sum(supported) AS supported, sum(required) AS required, sum(cited) AS cited, sum(contradictory) AS contradictory, sum(confidence) AS confidence,"
	"  sum(costed) AS costed, sum(costed_verified) AS costed_verified, sum(cost_usd) AS cost_usd"
	"  FROM " COUNTED " k CROSS JOIN (VALUES (1::int2), (60), (1440)) g (grain) GROUP BY 1, 2, 3, 4, 5, 6) r"
	" FULL JOIN (SELECT * FROM answer.rollup WHERE starts_at >= " SINCE ") s USING (tenant, grain, starts_at, schema, verdict, intent)"
	" WHERE (s.documents, s.answers, s.supported, s.required, s.cited, s.contradictory, s.confidence, s.costed, s.costed_verified, s.cost_usd)"
	"  IS DISTINCT FROM (r.documents, r.answers, r.supported, r.required, r.cited, r.contradictory, r.confidence, r.costed, r.costed_verified, r.cost_usd)"
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
	"  sum(CASE jsonb_typeof(w.value) WHEN 'number' THEN w.value::numeric ELSE 0 END) AS count"
	"  FROM " COUNTED " k CROSS JOIN LATERAL jsonb_each(" WORDS("k") ") w CROSS JOIN (VALUES (60::int2), (1440)) g (grain) GROUP BY 1, 2, 3, 4, 5) r"
	" FULL JOIN (SELECT * FROM answer.rollup_word WHERE starts_at >= " SINCE ") s USING (tenant, grain, starts_at, schema, word)"
	" WHERE s.count IS DISTINCT FROM r.count ORDER BY tenant, grain, starts_at, word LIMIT 1000",
	/* keys are counted for good: of documents that were pruned nothing is left to count them by */
	"SELECT NULL, CASE WHEN s.documents IS NULL THEN 'missing' WHEN r.documents IS NULL THEN 'extra' ELSE 'changed' END,"
	" format('the roll-up of key %s%s is not what its documents come to', key_id, ' of tenant ' || nullif(tenant, ''))"
	" FROM (SELECT tenant, key_id, count(*) AS documents, min(issued_at) AS first_at, max(issued_at) AS last_at FROM answer.rollup_kept GROUP BY 1, 2) r"
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

void
AuditRollup(Audit *audit, bool whole, bool functions_good)
{
	/* that a function may be another is reported, and that not everything was compared */
	if (!whole || !functions_good)
		return;
	for (size_t i = 0; i < lengthof(queries); i++)
		AuditQueryAsOwner(audit, queries[i]);
}
