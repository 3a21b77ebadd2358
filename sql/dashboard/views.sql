
/* dashboard: views for Grafana, Metabase or psql that read no bodies */

-- For each view NAME there are a function answer.NAME_of(tenants, ...) that reads as the owner, a public C function
-- that determines the tenants the caller may read, and the view over that. So EXPLAIN counts no rows of others.

CREATE FUNCTION answer.key_file_present(key_id text, folder uuid) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_key_file_present'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.key_file_present(text, uuid) IS
'Returns whether the file of a key''s private half is where this server looks for it; not for direct use.';
REVOKE ALL ON FUNCTION answer.key_file_present(text, uuid) FROM PUBLIC;

-- A view and not a function, so that aggregation happens where the rows are read, without copying them first.
CREATE VIEW answer.rollup_point AS
SELECT true AS counted, r.starts_at AS "time", r.tenant, r.schema, r.verdict, r.intent, r.documents, r.answers, r.given, r.supported, r.required,
	r.cited, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.confidence, r.costed, r.cost_usd
FROM answer.rollup r
WHERE r.grain OPERATOR(pg_catalog.=) 60::pg_catalog.int2
	AND r.starts_at OPERATOR(pg_catalog.>=) pg_catalog.date_bin('1 day', pg_catalog.statement_timestamp() OPERATOR(pg_catalog.-) '744:00:00'::pg_catalog.interval, '2000-01-01 00:00:00+00')
UNION ALL
SELECT true, r.starts_at, r.tenant, r.schema, r.verdict, r.intent, r.documents, r.answers, r.given, r.supported, r.required,
	r.cited, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.confidence, r.costed, r.cost_usd
FROM answer.rollup r
WHERE r.grain OPERATOR(pg_catalog.=) 1440::pg_catalog.int2
	AND r.starts_at OPERATOR(pg_catalog.<) pg_catalog.date_bin('1 day', pg_catalog.statement_timestamp() OPERATOR(pg_catalog.-) '744:00:00'::pg_catalog.interval, '2000-01-01 00:00:00+00')
UNION ALL
SELECT false, pg_catalog.date_bin(CASE WHEN n.issued_at OPERATOR(pg_catalog.>=)
		pg_catalog.date_bin('1 day', pg_catalog.statement_timestamp() OPERATOR(pg_catalog.-) '744:00:00'::pg_catalog.interval, '2000-01-01 00:00:00+00')
		THEN '1 hour'::pg_catalog.interval ELSE '1 day' END, n.issued_at, '2000-01-01 00:00:00+00'),
	n.tenant, n.schema, n.verdict, n.intent, n.documents, n.answers, n.given, n.supported, n.required, n.cited, n.contradicted,
	n.prevented, n.unjudged, n.sentences, n.grounded, n.confidence, n.costed, n.cost_usd
FROM answer.rollup_single n
WHERE NOT n.counted;
COMMENT ON VIEW answer.rollup_point IS 'Data points of dashboard series, one per row: hours of the last 31 days, days before that (UTC), and each document and correction that is not counted yet. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.counted IS 'Whether answer_rollup() has counted it. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point."time" IS 'Beginning of the hour or the day. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.tenant IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.schema IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.verdict IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.intent IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.documents IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.answers IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.supported IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.required IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.cited IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.contradicted IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.grounded IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.sentences IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.unjudged IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.prevented IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.given IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.confidence IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.costed IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
COMMENT ON COLUMN answer.rollup_point.cost_usd IS 'As in answer.rollup. See doc/tables.md#answerrollup_point.';
REVOKE ALL ON answer.rollup_point FROM PUBLIC;

CREATE FUNCTION answer.dashboard_latencies(tenants text[])
RETURNS TABLE ("time" timestamptz, tenant text, latency bytea)
LANGUAGE sql STABLE PARALLEL SAFE COST 10000 ROWS 1000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
WITH since AS MATERIALIZED (
	SELECT date_bin('1 day', statement_timestamp() - interval '744 hours', '2000-01-01') AS instant
), queued AS MATERIALIZED (
	SELECT date_bin(CASE WHEN n.issued_at >= s.instant THEN interval '1 hour' ELSE '1 day' END, n.issued_at, '2000-01-01') AS starts_at,
		n.tenant, answer.latency_union(n.latency) AS latency
	FROM since s, answer.rollup_single n
	WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.latency IS NOT NULL
	GROUP BY 1, 2
), counted AS (
	SELECT r.starts_at, r.tenant, r.latency
	FROM since s, answer.rollup_latency r
	WHERE r.tenant = ANY (tenants) AND r.grain = 60 AND r.whole AND r.starts_at >= s.instant
	UNION ALL
	SELECT r.starts_at, r.tenant, r.latency
	FROM since s, answer.rollup_latency r
	WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.whole AND r.starts_at < s.instant
)
SELECT starts_at, tenant, CASE WHEN q.latency IS NULL THEN c.latency ELSE answer.latency_union(c.latency, q.latency) END
FROM counted c
FULL JOIN queued q USING (starts_at, tenant)
$$;
COMMENT ON FUNCTION answer.dashboard_latencies(text[]) IS
'Returns bags of latencies by hour for the last 31 days and by day before that; not for direct use.';

CREATE FUNCTION answer.dashboard_words(tenants text[], about text[])
RETURNS TABLE ("time" timestamptz, tenant text, schema text, about text, word text, count numeric)
LANGUAGE sql STABLE PARALLEL SAFE COST 10000 ROWS 10000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
WITH since AS MATERIALIZED (
	SELECT date_bin('1 day', statement_timestamp() - interval '744 hours', '2000-01-01') AS instant
), said AS (
	SELECT w.starts_at, w.tenant, w.schema, w.word, w.count
	FROM since s, answer.rollup_word w
	WHERE w.tenant = ANY (tenants) AND w.grain = 60 AND w.starts_at >= s.instant
	UNION ALL
	SELECT w.starts_at, w.tenant, w.schema, w.word, w.count
	FROM since s, answer.rollup_word w
	WHERE w.tenant = ANY (tenants) AND w.grain = 1440 AND w.starts_at < s.instant
	UNION ALL
	SELECT date_bin(CASE WHEN n.issued_at >= s.instant THEN interval '1 hour' ELSE '1 day' END, n.issued_at, '2000-01-01'),
		n.tenant, n.schema, w.key, w.value::bigint
	FROM since s, answer.rollup_single n
	CROSS JOIN LATERAL jsonb_each_text(n.words) AS w
	WHERE NOT n.counted AND n.tenant = ANY (tenants)
)
SELECT s.starts_at, s.tenant, s.schema, split_part(s.word, ' ', 1), substr(s.word, strpos(s.word, ' ') + 1), sum(s.count)
FROM said s
WHERE split_part(s.word, ' ', 1) = ANY (about)
GROUP BY 1, 2, 3, 4, 5
$$;
COMMENT ON FUNCTION answer.dashboard_words(text[], text[]) IS
'Returns words of the roll-up, for the same periods as the sums of answer.rollup_point; not for direct use.';
REVOKE ALL ON FUNCTION answer.dashboard_latencies(text[]), answer.dashboard_words(text[], text[]) FROM PUBLIC;

/* whether a row is what was signed */

CREATE FUNCTION answer.receipt_columns(body jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_receipt_columns'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.receipt_columns(jsonb) IS
'Returns what the columns of answer.receipt must contain for a document; not for direct use.';

CREATE FUNCTION answer.document_size(body jsonb) RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_document_size'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.document_size(jsonb) IS
'Returns the uncompressed size of a document, without decompressing it; not for direct use.';

-- Fewer digits of a confidence would hide a change of it, so the caller's settings must not matter.
CREATE FUNCTION answer.receipt_state(receipt_id text, tenant text, schema text, issued_at timestamptz, verdict text, confidence float8, degraded boolean,
	intent text, key_id text, body jsonb) RETURNS text
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET extra_float_digits = 1
AS $$
-- the page must be fast: a large document can be verified separately
SELECT CASE WHEN answer.document_size(body) > 262144 THEN 'not judged'
	WHEN body ->> 'schema' = 'answer/tombstone/v1' AND body ->> 'receipt_id' = receipt_id AND coalesce(body ->> 'tenant', '') = tenant
		THEN CASE WHEN @extschema@.answer_verify_ok(body) THEN 'forgotten' ELSE 'not verified' END
	WHEN answer.receipt_columns(body) IS DISTINCT FROM jsonb_build_object('receipt_id', receipt_id, 'tenant', tenant, 'schema', schema,
		'issued_at', to_char(issued_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'verdict', verdict, 'confidence', confidence, 'degraded', degraded,
		'intent', intent, 'key_id', key_id) THEN 'altered'
	WHEN @extschema@.answer_verify_ok(body) THEN 'verified'
	ELSE 'not verified' END
$$;
COMMENT ON FUNCTION answer.receipt_state(text, text, text, timestamptz, text, float8, boolean, text, text, jsonb) IS
'Returns whether a row of answer.receipt is what was signed; not for direct use.';

CREATE FUNCTION answer.dashboard_most(most integer, limit_of_most integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF most IS NULL THEN
		RAISE EXCEPTION 'most must not be null' USING ERRCODE = '22004';
	END IF;
	IF most NOT BETWEEN 1 AND limit_of_most THEN
		RAISE EXCEPTION 'most must be from 1 to %, not %', limit_of_most, most USING ERRCODE = '22023';
	END IF;
	RETURN most;
END
$$;
COMMENT ON FUNCTION answer.dashboard_most(integer, integer) IS
'Returns the maximum number of rows of a dashboard function; not for direct use.';

CREATE FUNCTION answer.dashboard_evidence_words() RETURNS TABLE (about text, word text, metric text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1 ROWS 13
SET search_path = pg_catalog, pg_temp
AS $$
VALUES ('reason', 'stale_documents', 'stale'), ('reason', 'conflict_detected', 'conflicting'), ('reason', 'conflict', 'conflicting'),
	('reason', 'low_retrieval_confidence', 'thin'), ('reason', 'insufficient_retrieval_hits', 'thin'), ('reason', 'no_passage_answers', 'thin'),
	('reason', 'confidence', 'thin'), ('check', 'evidence_unavailable', 'unavailable'), ('reason', 'judge_failed', 'unavailable'),
	('reason', 'not_judged', 'unjudged'), ('reason', 'misquoted', 'unfounded'), ('reason', 'contradicted', 'unfounded'),
	('reason', 'unsupported', 'unfounded')
$$;
COMMENT ON FUNCTION answer.dashboard_evidence_words() IS
'Returns the words of the roll-up that say what was wrong with evidence; not for direct use.';

REVOKE ALL ON FUNCTION
	answer.receipt_columns(jsonb),
	answer.document_size(jsonb),
	answer.receipt_state(text, text, text, timestamptz, text, float8, boolean, text, text, jsonb),
	answer.dashboard_most(integer, integer),
	answer.dashboard_evidence_words()
FROM PUBLIC;

DO $$
DECLARE
	-- name, columns, description, query
	series	constant text := '"time" timestamptz, tenant text, metric text, value float8';
	made	record;
	col		record;
BEGIN
	FOR made IN
		SELECT * FROM (VALUES
		('dashboard_verdicts', series, 'Numbers of documents by kind and verdict, by hour for the last 31 days and by day before that.', $q$
SELECT s."time", s.tenant, s.schema || ' ' || s.verdict, sum(s.documents)::float8
FROM answer.rollup_point s
WHERE s.tenant = ANY (tenants)
GROUP BY s."time", s.tenant, s.schema, s.verdict
ORDER BY 1, 2, 3$q$),
		('dashboard_checks', series, 'Numbers of checks of answers by verdict, by hour for the last 31 days and by day before that.', $q$
SELECT w."time", w.tenant, w.word, sum(w.count)::float8
FROM answer.dashboard_words(tenants, '{check}') w
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3$q$),
		('dashboard_reasons', series, 'Reasons for the verdicts of documents, by kind and reason, by hour for the last 31 days and by day before that.', $q$
SELECT w."time", w.tenant, w.schema || ' ' || w.word, sum(w.count)::float8
FROM answer.dashboard_words(tenants, '{reason}') w
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3$q$),
		('dashboard_evidence', series, 'Problems with evidence (stale, conflicting, thin, unavailable, unjudged, unfounded), by hour for the last 31 days and by day before that.', $q$
SELECT w."time", w.tenant, c.metric, sum(w.count)::float8
FROM answer.dashboard_words(tenants, '{check,reason}') w
JOIN answer.dashboard_evidence_words() AS c ON c.about = w.about AND c.word = split_part(w.word, ': ', 1)
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3$q$),
		('dashboard_latency', series, 'Durations of answers in milliseconds, p50_ms and p95_ms, by hour for the last 31 days and by day before that.', $q$
SELECT l."time", l.tenant, p.metric, answer.latency_percentile(l.latency, p.fraction) / 1000
FROM answer.dashboard_latencies(tenants) l
CROSS JOIN (VALUES ('p50_ms', 0.5), ('p95_ms', 0.95)) AS p (metric, fraction)
ORDER BY 1, 2, 3$q$),
		('dashboard_slo', series, 'Results of answers, as from answer_slo(''1 hour''), by hour for the last 31 days and by day before that. Metrics: answers, given, refused, contradicted, prevented, unsupported, unjudged, citation_rate, contradiction_rate, prevented_rate, unsupported_rate, unjudged_rate, groundedness, refusal_rate, coverage, gqs, cost_per_answer.', $q$
SELECT a."time", a.tenant, m.metric, m.value::float8
FROM (SELECT s."time", s.tenant, sum(s.answers) AS answers, sum(s.given) AS given, sum(s.supported) AS supported, sum(s.required) AS required,
		sum(s.cited) AS cited, sum(s.contradicted) AS contradicted, sum(s.prevented) AS prevented, sum(s.unjudged) AS unjudged,
		sum(s.sentences) AS sentences, sum(s.grounded) AS grounded, sum(s.confidence) AS confidence, sum(s.costed) AS costed,
		sum(s.cost_usd) AS cost_usd
	FROM answer.rollup_point s
	WHERE s.tenant = ANY (tenants)
	GROUP BY 1, 2
	HAVING sum(s.answers) > 0) AS a
CROSS JOIN LATERAL (VALUES ('answers', a.answers), ('given', a.given), ('refused', a.answers - a.given), ('contradicted', a.contradicted),
	('prevented', a.prevented), ('unsupported', a.given - a.supported), ('unjudged', a.unjudged),
	('citation_rate', a.cited / nullif(a.required, 0)), ('contradiction_rate', a.contradicted / nullif(a.given, 0)),
	('prevented_rate', a.prevented / a.answers), ('unsupported_rate', (a.given - a.supported) / nullif(a.given, 0)),
	('unjudged_rate', a.unjudged / nullif(a.given, 0)), ('groundedness', a.grounded / nullif(a.sentences, 0)),
	('refusal_rate', (a.answers - a.given) / a.answers), ('coverage', a.supported / a.answers),
	('gqs', a.confidence / a.answers * (1 - coalesce(a.contradicted / nullif(a.given, 0), 0))),
	('cost_per_answer', a.cost_usd / nullif(a.costed, 0)))
	AS m (metric, value)
WHERE m.value IS NOT NULL
ORDER BY 1, 2, 3$q$),
		('dashboard_intents', '"time" timestamptz, tenant text, intent text, schema text, verdict text, documents float8',
		'Numbers of documents by intent and verdict, by hour for the last 31 days and by day before that; verdicts that refuse or block show what was refused.', $q$
-- a sum is one row, except for hours and days that are only partly counted
WITH late AS MATERIALIZED (
	SELECT DISTINCT s."time" FROM answer.rollup_point s WHERE NOT s.counted AND s.tenant = ANY (tenants)
)
SELECT s."time", s.tenant, s.intent, s.schema, s.verdict, s.documents::float8
FROM answer.rollup_point s
WHERE s.counted AND s.tenant = ANY (tenants) AND NOT EXISTS (SELECT FROM late l WHERE l."time" = s."time")
UNION ALL
SELECT s."time", s.tenant, s.intent, s.schema, s.verdict, sum(s.documents)::float8
FROM answer.rollup_point s
WHERE s.tenant = ANY (tenants) AND s."time" IN (SELECT l."time" FROM late l)
GROUP BY 1, 2, 3, 4, 5$q$),
		('dashboard_sources', 'tenant text, source text, facts float8, confidence float8, weak float8, last_cited_at timestamptz',
		'Sources that checks have cited, one per row.', $q$
SELECT w.tenant, w.word, sum(w.count) FILTER (WHERE w.about = 'source')::float8,
	(sum(w.count) FILTER (WHERE w.about = 'confidence') / nullif(sum(w.count) FILTER (WHERE w.about = 'source'), 0) / 100)::float8,
	coalesce(sum(w.count) FILTER (WHERE w.about = 'weak'), 0)::float8, max(w."time")
FROM answer.dashboard_words(tenants, '{source,confidence,weak}') w
GROUP BY 1, 2
ORDER BY 1, 2$q$),
		('dashboard_tools', '"time" timestamptz, tenant text, tool text, outcome text, calls float8, mean_ms float8',
		'Calls of tools and their outcomes, by hour for the last 31 days and by day before that.', $q$
SELECT w."time", w.tenant, regexp_replace(w.word, ' [^ ]*$', ''), substring(w.word FROM '[^ ]*$'),
	sum(w.count) FILTER (WHERE w.about = 'call')::float8,
	((coalesce(sum(w.count) FILTER (WHERE w.about = 'ms'), 0) + coalesce(sum(w.count) FILTER (WHERE w.about = 'us'), 0) / 1000)
		/ nullif(sum(w.count) FILTER (WHERE w.about = 'timed'), 0))::float8
FROM answer.dashboard_words(tenants, '{call,ms,us,timed}') w
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4$q$),
		('dashboard_keys', 'key_id text, status text, active_from timestamptz, age_days float8, retired_at timestamptz, compromised_after timestamptz, documents float8, last_signed_at timestamptz, file_present boolean',
		'Signing keys, one per row: their age, how much they have signed, and whether the private half is where this server looks for it.', $q$
SELECT k.key_id, k.status::text, k.active_from,
	(extract(epoch FROM coalesce(k.retired_at, statement_timestamp()) - k.active_from) / 86400)::float8,
	k.retired_at, k.compromised_after, coalesce(s.documents, 0)::float8, s.last_at,
	CASE WHEN '' = ANY (tenants) THEN answer.key_file_present(k.key_id, k.folder) END
FROM answer.signing_key k
LEFT JOIN (SELECT d.key_id, sum(d.documents) AS documents, max(d.last_at) AS last_at
	FROM (SELECT r.key_id, r.documents, r.last_at FROM answer.rollup_key r WHERE r.tenant = ANY (tenants)
		UNION ALL
		SELECT n.key_id, count(*), max(n.issued_at) FROM answer.rollup_new n WHERE n.tenant = ANY (tenants) AND n.corrects IS NULL GROUP BY 1) AS d
	GROUP BY 1) AS s ON s.key_id = k.key_id
ORDER BY k.active_from DESC NULLS LAST, k.key_id$q$),
		('dashboard_log', 'unsealed bigint, oldest_unsealed_at timestamptz, leaves bigint, last_seal_at timestamptz, last_audit_at timestamptz, last_audit_size bigint, last_audit_defects bigint, witnesses bigint, last_witnessed_at timestamptz, last_witnessed_size bigint',
		'State of the transparency log, in one row, for roles that may read everything in it; no row for a tenant.', $q$
SELECT u.count, u.oldest, coalesce(c.tree_size, 0), c.sealed_at, a.audited_at, a.to_size, a.defects, w.witnesses, w.last_at, w.tree_size
FROM (SELECT count(*) AS count, min(issued_at) AS oldest FROM answer.unsealed) AS u
LEFT JOIN LATERAL (SELECT p.tree_size, p.sealed_at FROM answer.checkpoint p ORDER BY p.tree_size DESC LIMIT 1) AS c ON true
LEFT JOIN LATERAL (SELECT l.audited_at, l.to_size, l.defects FROM answer.log_audit l ORDER BY l.audited_at DESC LIMIT 1) AS a ON true
LEFT JOIN LATERAL (SELECT count(DISTINCT s.vkey) AS witnesses, max(s.added_at) AS last_at, max(s.tree_size) AS tree_size FROM answer.cosignature s) AS w ON true
WHERE '' = ANY (tenants)$q$),
		('dashboard_budgets', 'tenant text, period text, cost_cap_usd float8, reserved_usd float8, spent_usd float8, used float8',
		'Caps on plans, and how much of them is used in the present day and month (UTC).', $q$
SELECT b.tenant, b.period, b.cost_cap_usd::float8, b.reserved_usd::float8, b.spent_usd::float8,
	((b.reserved_usd + b.spent_usd) / nullif(b.cost_cap_usd, 0))::float8
FROM answer.budget b
WHERE b.tenant = ANY (tenants)
ORDER BY 1, 2$q$),
		('dashboard_open', 'tenant text, investigation bigint, intent text, opened_at timestamptz, age_hours float8, complete boolean, coverage text, gaps bigint, next_class text, next_tool text',
		'Open investigations and their gaps, one investigation per row.', $q$
SELECT i.tenant, i.investigation, i.intent, i.opened_at, (extract(epoch FROM statement_timestamp() - i.opened_at) / 3600)::float8,
	i.complete, i.coverage, coalesce(array_length(i.gap, 1), 0)::bigint, i.next_class, i.next_tool
FROM answer.open_investigation i
WHERE i.tenant = ANY (tenants)
ORDER BY i.opened_at, i.investigation$q$),
		('dashboard_gates', '"time" timestamptz, tenant text, metric text, value float8, environment text, suite text, config text, stage text, action text, outcome text, failures bigint, detail text, receipt_id text, state text',
		'The latest 100 steps of environments and the results of their gates, from signed records (change/v1), each verified now; for a record that does not verify, only the environment is shown.', $q$
SELECT s.issued_at, s.tenant, concat_ws(' ', s.body ->> 'name', coalesce(b.body #>> '{step,outcome}', b.body ->> 'action', s.state)), 1::float8,
	s.body ->> 'name', b.body #>> '{after,suite}', coalesce(b.body #>> '{step,config}', b.body #>> '{after,active}'),
	b.body #>> '{step,stage}', b.body ->> 'action', b.body #>> '{step,outcome}', CASE WHEN b.body #> '{step,outcome}' IS NOT NULL THEN f.count END,
	coalesce(f.texts, b.body #>> '{step,reason}'), s.receipt_id, s.state
FROM (SELECT r.*, answer.receipt_state(r.receipt_id, r.tenant, r.schema, r.issued_at, r.verdict, r.confidence, r.degraded, r.intent, r.key_id,
		r.body) AS state
	FROM (SELECT c.* FROM answer.receipt c
		WHERE c.schema = 'change/v1' AND c.tenant = ANY (tenants) AND c.body ->> 'kind' = 'environment'
		ORDER BY c.issued_at DESC, c.receipt_id COLLATE "C"
		LIMIT most) AS r
	OFFSET 0) AS s
CROSS JOIN LATERAL (SELECT CASE WHEN s.state = 'verified' THEN s.body END AS body) AS b
CROSS JOIN LATERAL (SELECT count(*) AS count, string_agg(e.value #>> '{}', '; ' ORDER BY e.place) AS texts
	FROM jsonb_path_query(b.body, '$.step.failures[*]') WITH ORDINALITY AS e (value, place)) AS f
ORDER BY s.issued_at DESC, s.receipt_id COLLATE "C"$q$),
		('dashboard_suites', '"time" timestamptz, tenant text, environment text, suite text, version integer, run_id text, cases integer, passed integer, false_accepts bigint, false_accept_rate float8, false_refusals bigint, false_refuse_rate float8, of_active boolean, state text',
		'Errors of the newest run of each environment''s suite, beside what objectives count: golden cases that were answered and should not be, and the reverse. They are read from signed runs (run/v1), each verified now.', $q$
SELECT CASE WHEN n.state IN ('verified', 'not judged') THEN n.issued_at END, t.tenant, e.name, e.suite, (b.body #>> '{suite,version}')::integer, n.receipt_id,
	(b.body #>> '{summary,cases}')::integer, (b.body #>> '{summary,passed}')::integer,
	(b.body #>> '{summary,metrics,false_accept_rate,n}')::bigint,
	((b.body #>> '{summary,metrics,false_accept_rate,n}')::numeric / nullif((b.body #>> '{summary,metrics,false_accept_rate,of}')::numeric, 0))::float8,
	(b.body #>> '{summary,metrics,false_refuse_rate,n}')::bigint,
	((b.body #>> '{summary,metrics,false_refuse_rate,n}')::numeric / nullif((b.body #>> '{summary,metrics,false_refuse_rate,of}')::numeric, 0))::float8,
	b.body ->> 'config_digest' = (SELECT c.digest FROM answer.config c WHERE c.config_id = e.active AND c.tenant = ANY (ARRAY['', t.tenant]) LIMIT 1), n.state
-- the operator's environments apply to every tenant that has none of that name
FROM unnest(tenants) AS t (tenant)
JOIN answer.environment e ON e.tenant = t.tenant OR e.tenant = ''
	AND NOT EXISTS (SELECT FROM answer.environment o WHERE o.tenant = t.tenant AND o.name = e.name)
LEFT JOIN LATERAL (SELECT r.*, answer.receipt_state(r.receipt_id, r.tenant, r.schema, r.issued_at, r.verdict, r.confidence, r.degraded, r.intent,
		r.key_id, r.body) AS state
	FROM (SELECT d.* FROM answer.receipt d
		WHERE d.schema = 'run/v1' AND d.tenant = t.tenant AND d.body #>> '{suite,name}' = e.suite
		ORDER BY d.issued_at DESC, d.receipt_id COLLATE "C"
		LIMIT 1) AS r
	OFFSET 0) AS n ON true
CROSS JOIN LATERAL (SELECT CASE WHEN n.state IN ('verified', 'not judged') THEN n.body END AS body) AS b
WHERE e.suite IS NOT NULL AND (n.receipt_id IS NOT NULL OR e.tenant = t.tenant)
ORDER BY t.tenant COLLATE "C", e.name COLLATE "C"$q$))
		AS m (name, columns, comment, query)
	LOOP
		EXECUTE pg_catalog.format('CREATE FUNCTION answer.%I(tenants text[]%s) RETURNS TABLE (%s) LANGUAGE sql STABLE PARALLEL UNSAFE'
			' COST 20000 ROWS 1000 SET search_path = pg_catalog, pg_temp SET jit = off AS %L', pg_catalog.concat(made.name, '_of'),
			CASE made.name WHEN 'dashboard_gates' THEN ', most integer DEFAULT 100' END, made.columns, made.query);
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION answer.%I IS %L', pg_catalog.concat(made.name, '_of'), pg_catalog.format(
			'Returns the rows of answer.%s for given tenants; not for direct use.', made.name));
		EXECUTE pg_catalog.format('CREATE FUNCTION answer.%I() RETURNS TABLE (%s) AS ''MODULE_PATHNAME'', ''answer_eval_rows_of_tenants'''
			' LANGUAGE C STABLE PARALLEL UNSAFE COST 20000 ROWS 1000', made.name, made.columns);
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION answer.%I() IS %L', made.name, pg_catalog.format(
			'Returns the rows of answer.%s for the tenants that the role may read; not for direct use.', made.name));
		EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION answer.%I, answer.%I() FROM PUBLIC',
			pg_catalog.concat(made.name, '_of'), made.name);
		EXECUTE pg_catalog.format('CREATE VIEW answer.%I AS SELECT * FROM answer.%I()', made.name, made.name);
		EXECUTE pg_catalog.format('COMMENT ON VIEW answer.%I IS %L', made.name, pg_catalog.concat(
			pg_catalog.substring(made.comment, '^[^.]*[.]'), ' See doc/tables.md#answer', made.name, '.'));
		EXECUTE pg_catalog.format('REVOKE ALL ON answer.%I FROM PUBLIC', made.name);
		FOR col IN
			SELECT a.attname, c.comment
			FROM pg_catalog.pg_attribute a
			LEFT JOIN (VALUES
				(made.name, 'time', CASE made.name WHEN 'dashboard_gates' THEN 'When the record of the step was signed.'
					WHEN 'dashboard_suites' THEN 'When the run was signed; NULL: there is none, or none that verifies.'
					ELSE 'Beginning of the hour or the day (UTC).' END),
				('dashboard_suites', 'environment', 'Name of the environment.'),
				('dashboard_suites', 'suite', 'The suite with which its candidates are run.'),
				('dashboard_suites', 'version', 'The version of the suite that was run; NULL, as in the next columns: there is no run, or none that verifies.'),
				('dashboard_suites', 'run_id', 'The newest run of that suite; NULL: there is none.'),
				('dashboard_suites', 'cases', 'Number of its cases.'),
				('dashboard_suites', 'passed', 'Number of cases that passed.'),
				('dashboard_suites', 'false_accepts', 'Number of cases that were answered but should have been refused, blocked or asked back.'),
				('dashboard_suites', 'false_accept_rate', 'Their share of the cases that should not be answered; NULL: there are none.'),
				('dashboard_suites', 'false_refusals', 'Number of cases that were not answered but should have been.'),
				('dashboard_suites', 'false_refuse_rate', 'Their share of the cases that should be answered; NULL: there are none.'),
				('dashboard_suites', 'of_active', 'Whether it was run with the configuration that is active now; NULL: not known.'),
				('dashboard_suites', 'state', 'As from answer.dashboard_receipts(): verified; not judged, if it is too large to be verified here; in any other state, nothing of it is shown; NULL: there is no run.'),
				('dashboard_gates', 'metric', 'The environment and the outcome of its gate, or the action if no gate was asked, or the state of a record that does not verify.'),
				('dashboard_gates', 'value', 'Always 1, so that steps can be added up.'),
				('dashboard_gates', 'environment', 'Name of the environment.'),
				('dashboard_gates', 'suite', 'The suite of its gate.'),
				('dashboard_gates', 'config', 'The configuration to be promoted; for a rollback and for changed terms, the one that is active afterwards.'),
				('dashboard_gates', 'stage', 'The stage it was to reach: shadow, canary or active; NULL: no gate was asked.'),
				('dashboard_gates', 'action', 'promote, refuse, rollback or set.'),
				('dashboard_gates', 'outcome', 'pass, fail or inconclusive; NULL: no gate was asked.'),
				('dashboard_gates', 'failures', 'Number of reasons why it did not pass; NULL: no gate was asked.'),
				('dashboard_gates', 'detail', 'These reasons; if there are none, the reason that was given for the step.'),
				('dashboard_gates', 'receipt_id', 'The record.'),
				('dashboard_gates', 'state', 'As from answer.dashboard_receipts(): verified; in any other state, nothing is known except that the row exists.'),
				(NULL, 'tenant', 'The tenant; empty for the operator.'),
				(CASE made.name WHEN 'dashboard_gates' THEN '' END, 'metric', 'What is counted or measured.'),
				(CASE made.name WHEN 'dashboard_gates' THEN '' END, 'value', 'The number or amount.'),
				(NULL, 'intent', 'The intent; empty: none was given.'),
				(NULL, 'schema', 'Kind of the documents.'),
				(NULL, 'verdict', 'Verdict of the documents.'),
				('dashboard_intents', 'documents', 'Number of documents.'),
				(NULL, 'source', 'The source, as facts name it; "other" combines sources with names of more than 64 bytes.'),
				(NULL, 'facts', 'Number of times that one of its facts was cited.'),
				(NULL, 'confidence', 'Mean confidence of these facts, from 0 to 1.'),
				(NULL, 'weak', 'Number of these facts with a confidence below 0.50.'),
				(NULL, 'last_cited_at', 'The hour or day in which one was last cited.'),
				(NULL, 'tool', 'The tool; "other" combines tools with names of more than 64 bytes.'),
				('dashboard_tools', 'outcome', 'Outcome of the calls: ok, or the SQLSTATE or outcome of failed calls.'),
				(NULL, 'calls', 'Number of calls.'),
				(NULL, 'mean_ms', 'Mean duration, in milliseconds; NULL: not measured.'),
				(NULL, 'key_id', 'The key.'),
				(NULL, 'status', 'active, retired or compromised.'),
				(NULL, 'active_from', 'When its life began; NULL: unknown.'),
				(NULL, 'age_days', 'Time for which it has been signing, in days; NULL: unknown.'),
				(NULL, 'retired_at', 'When its life ended; NULL: it has not ended.'),
				(NULL, 'compromised_after', 'From when it is not trusted; NULL: it has no such limit.'),
				('dashboard_keys', 'documents', 'Number of documents that it has signed for the tenants that the role may read.'),
				(NULL, 'last_signed_at', 'When it signed the latest of them; NULL: none.'),
				(NULL, 'file_present', 'Whether the file of its private half is in the folder of this server; NULL for a tenant, and for a key of another server.'),
				(NULL, 'unsealed', 'Number of documents that are not in the log yet.'),
				(NULL, 'oldest_unsealed_at', 'When the oldest of them was issued; NULL: none.'),
				(NULL, 'leaves', 'Number of documents in the log.'),
				(NULL, 'last_seal_at', 'When the log was last sealed; NULL: never.'),
				(NULL, 'last_audit_at', 'When the last audit of the log ended; NULL: never.'),
				(NULL, 'last_audit_size', 'Number of leaves up to which it audited; NULL: never.'),
				(NULL, 'last_audit_defects', 'Number of defects that it found; NULL: never.'),
				(NULL, 'witnesses', 'Number of witnesses that have cosigned a checkpoint.'),
				(NULL, 'last_witnessed_at', 'When a cosignature was last added; NULL: never.'),
				(NULL, 'last_witnessed_size', 'Largest size of the log that a cosignature covers; NULL: none.'),
				(NULL, 'period', 'day, month or request.'),
				(NULL, 'cost_cap_usd', 'Maximum cost of plans in that period, in USD.'),
				(NULL, 'reserved_usd', 'Amount that running or waiting plans hold of it, in USD; NULL for request, where each plan is counted by itself.'),
				(NULL, 'spent_usd', 'Amount charged to finished plans, in USD; NULL for request.'),
				(NULL, 'used', 'Share of the cap that is reserved or spent; NULL for request, or if nothing may be spent.'),
				(NULL, 'investigation', 'Number of the investigation.'),
				(NULL, 'opened_at', 'When it was opened.'),
				(NULL, 'age_hours', 'Time since then, in hours.'),
				(NULL, 'complete', 'Whether no class has a gap.'),
				(NULL, 'coverage', 'Number of required classes that are met, as "met/required".'),
				(NULL, 'gaps', 'Number of its gaps.'),
				(NULL, 'next_class', 'Class of the most urgent gap; NULL: none.'),
				(NULL, 'next_tool', 'The tool that closes it; NULL: none.'))
				AS c (view_name, name, comment) ON c.name OPERATOR(pg_catalog.=) a.attname AND COALESCE(c.view_name, made.name) OPERATOR(pg_catalog.=) made.name
			WHERE a.attrelid OPERATOR(pg_catalog.=) pg_catalog.format('answer.%I', made.name)::pg_catalog.regclass AND a.attnum OPERATOR(pg_catalog.>) 0
		LOOP
			EXECUTE pg_catalog.format('COMMENT ON COLUMN answer.%I.%I IS %L', made.name, col.attname,
				pg_catalog.concat(col.comment, ' See doc/tables.md#answer', made.name, '.'));
		END LOOP;
	END LOOP;
END
$$;

/* single receipts */

CREATE VIEW answer.receipt_check AS
SELECT r.receipt_id, r.issued_at, r.tenant, r.intent, c.place::pg_catalog.int4 AS place, c.body OPERATOR(pg_catalog.->>) 'tool' AS tool,
	(c.body OPERATOR(pg_catalog.->>) 'required')::pg_catalog.bool AS required, c.body OPERATOR(pg_catalog.->>) 'verdict' AS verdict,
	(c.body OPERATOR(pg_catalog.->>) 'confidence')::pg_catalog.float8 AS confidence,
	c.body OPERATOR(pg_catalog.#>>) '{explain,sqlstate}' AS sqlstate,
	pg_catalog.jsonb_array_length(c.body OPERATOR(pg_catalog.->) 'evidence') AS facts
FROM answer.receipt r
CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(r.body OPERATOR(pg_catalog.->) 'checks') WITH ORDINALITY AS c (body, place)
WHERE r.schema OPERATOR(pg_catalog.=) 'answer/v1' AND pg_catalog.jsonb_typeof(r.body OPERATOR(pg_catalog.->) 'checks') OPERATOR(pg_catalog.=) 'array';
COMMENT ON VIEW answer.receipt_check IS 'Checks of answers (answer/v1), one per row, without questions and observed values; forgotten answers are left out. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.receipt_id IS 'The answer. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.issued_at IS 'When it was signed. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.intent IS 'The route of the question; NULL: none. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.place IS 'Position among the checks of the answer, from 1. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.tool IS 'The tool that was called. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.required IS 'Whether it counts for the verdict of the answer. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.verdict IS 'Its verdict. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.confidence IS 'Its confidence, from 0 to 1. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.sqlstate IS 'SQLSTATE of its tool''s failure; NULL: the tool did not fail. See doc/tables.md#answerreceipt_check.';
COMMENT ON COLUMN answer.receipt_check.facts IS 'Number of facts that it cites. See doc/tables.md#answerreceipt_check.';

CREATE VIEW answer.receipt_refusal AS
SELECT r.receipt_id, r.issued_at, r.tenant, r.schema, r.verdict, r.intent,
	COALESCE(r.body OPERATOR(pg_catalog.->>) 'question', r.body OPERATOR(pg_catalog.->>) 'query', r.body OPERATOR(pg_catalog.#>>) '{vars,query}') AS asked,
	COALESCE(r.body OPERATOR(pg_catalog.#>>) '{route,reason}', r.body OPERATOR(pg_catalog.#>>) '{reason,kind}', r.body OPERATOR(pg_catalog.#>>) '{reasons,0}') AS reason
FROM answer.receipt r
WHERE r.verdict OPERATOR(pg_catalog.=) ANY ('{insufficient_evidence,outside_evidence_coverage,ABSTAIN,BLOCK,CLARIFY,blocked,refused,failed}')
	AND r.schema OPERATOR(pg_catalog.=) ANY ('{answer/v1,decision/v1,plan/v1}');
COMMENT ON VIEW answer.receipt_refusal IS 'Refused, blocked or clarifying documents with their questions, one per row. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.receipt_id IS 'The document. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.issued_at IS 'When it was signed. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.schema IS 'Its kind. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.verdict IS 'Its verdict. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.intent IS 'Its intent; NULL: none was given. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.asked IS 'The question, the query, or the variable "query" of a plan; NULL: it has only checks, or it was forgotten. See doc/tables.md#answerreceipt_refusal.';
COMMENT ON COLUMN answer.receipt_refusal.reason IS 'The first reason; NULL: its checks show the reason, or it was forgotten. See doc/tables.md#answerreceipt_refusal.';
REVOKE ALL ON answer.receipt_check, answer.receipt_refusal FROM PUBLIC;

CREATE FUNCTION answer.receipt_check_of(tenants text[], from_instant timestamptz, to_instant timestamptz, most integer)
RETURNS SETOF answer.receipt_check
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 1000
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF from_instant IS NULL THEN
		RAISE EXCEPTION 'from_instant must not be null' USING ERRCODE = '22004';
	END IF;
	RETURN QUERY
	SELECT c.* FROM answer.receipt_check c
	WHERE c.tenant = ANY (tenants) AND c.issued_at >= from_instant AND c.issued_at < coalesce(to_instant, 'infinity')
	ORDER BY c.issued_at DESC, c.receipt_id, c.place
	LIMIT answer.dashboard_most(most, 100000);
END
$$;
COMMENT ON FUNCTION answer.receipt_check_of(text[], timestamptz, timestamptz, integer) IS
'Lists checks for answer.receipt_check(), with the tenants that it determined; not for direct use.';

CREATE FUNCTION answer.receipt_check(from_instant timestamptz, to_instant timestamptz DEFAULT NULL, most integer DEFAULT 1000)
RETURNS SETOF answer.receipt_check
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 1000;
COMMENT ON FUNCTION answer.receipt_check(timestamptz, timestamptz, integer) IS
'Returns checks of answers, for roles that may read dashboards but no bodies. See doc/reference.md#answerreceipt_check.';

-- Receipts are verified at each call, so this is for a few of them.
CREATE FUNCTION answer.dashboard_receipts_of(tenants text[], most integer)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, schema text, verdict text, intent text, confidence float8, state text)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
WITH latest AS MATERIALIZED (
	-- by tenant, so that none reads through the rows of others
	SELECT r.*
	FROM (SELECT DISTINCT u.name FROM unnest(tenants) AS u (name)) AS t
	CROSS JOIN LATERAL (SELECT o.* FROM answer.receipt o WHERE o.tenant = t.name ORDER BY o.issued_at DESC LIMIT most) AS r
	ORDER BY r.issued_at DESC
	LIMIT answer.dashboard_most(most, 100)
)
SELECT l.issued_at, l.tenant, l.receipt_id, l.schema, l.verdict, l.intent, l.confidence,
	answer.receipt_state(l.receipt_id, l.tenant, l.schema, l.issued_at, l.verdict, l.confidence, l.degraded, l.intent, l.key_id, l.body)
FROM latest l
ORDER BY l.issued_at DESC, l.receipt_id COLLATE "C"
$$;
COMMENT ON FUNCTION answer.dashboard_receipts_of(text[], integer) IS
'Lists and verifies receipts for answer.dashboard_receipts(), with the tenants that it determined; not for direct use.';

CREATE FUNCTION answer.dashboard_receipts(most integer DEFAULT 20)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, schema text, verdict text, intent text, confidence float8, state text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 20;
COMMENT ON FUNCTION answer.dashboard_receipts(integer) IS
'Returns the latest receipts, each verified now by the registry of keys, for roles that may read dashboards but no bodies. See doc/reference.md#answerdashboard_receipts.';

REVOKE ALL ON FUNCTION
	answer.receipt_check_of(text[], timestamptz, timestamptz, integer),
	answer.receipt_check(timestamptz, timestamptz, integer),
	answer.dashboard_receipts_of(text[], integer),
	answer.dashboard_receipts(integer)
FROM PUBLIC;

/* who may read them */

CREATE FUNCTION answer.dashboard_right(role text, command text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	direction	text := CASE command WHEN 'GRANT' THEN 'TO' ELSE 'FROM' END;
	object		record;
BEGIN
	IF role IS NULL THEN
		RAISE EXCEPTION 'role must not be null' USING ERRCODE = '22004';
	END IF;
	IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = role) THEN
		RAISE EXCEPTION 'there is no role "%"', role USING ERRCODE = 'P0002', HINT = 'Create it with CREATE ROLE first.';
	END IF;
	FOR object IN
		-- only the extension's own views: granting someone else's view of such a name is up to its owner
		SELECT CASE d.classid WHEN 'pg_proc'::regclass THEN format('EXECUTE ON FUNCTION %s', p.oid::regprocedure)
			ELSE format('SELECT ON %s', c.oid::regclass) END AS rights
		FROM pg_depend d
		LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
		LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
		WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
			AND d.refobjid = (SELECT e.oid FROM pg_extension e WHERE e.extname = 'answer_eval')
			AND (c.relkind = 'v' AND c.relname ~ '^dashboard_'
				-- the relations behind these views
				OR p.proname IN ('answer_dashboard_page', 'dashboard_page') OR p.prosrc = 'answer_eval_rows_of_tenants'
					AND p.proname ~ '^(answer_slo|answer_slo_refusals|slo_burn|dashboard_.*|receipt_check)$')
		ORDER BY 1
	LOOP
		EXECUTE format('%s %s %s %I', command, object.rights, direction, role);
	END LOOP;
	-- the privilege on the schema may have been granted for something else as well, and shows nothing by itself
	IF command = 'GRANT' THEN
		EXECUTE format('GRANT USAGE ON SCHEMA answer TO %I', role);
	END IF;
END
$$;
COMMENT ON FUNCTION answer.dashboard_right(text, text) IS
'Grants or revokes the privileges on the dashboard''s views; not for direct use.';

CREATE FUNCTION answer.dashboard_grant_put(role text) RETURNS void
LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $$SELECT answer.dashboard_right(role, 'GRANT')$$;
COMMENT ON FUNCTION answer.dashboard_grant_put(text) IS
'Grants privileges for answer_dashboard_grant(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_dashboard_grant(role text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_dashboard_grant(text) IS
'Lets a role read the dashboard. See doc/reference.md#answer_dashboard_grant.';

CREATE FUNCTION answer.dashboard_revoke_put(role text) RETURNS void
LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $$SELECT answer.dashboard_right(role, 'REVOKE')$$;
COMMENT ON FUNCTION answer.dashboard_revoke_put(text) IS
'Revokes privileges for answer_dashboard_revoke(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_dashboard_revoke(role text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_dashboard_revoke(text) IS
'Revokes what answer_dashboard_grant() gave, except USAGE on the schema answer, which shows nothing by itself. See doc/reference.md#answer_dashboard_revoke.';

REVOKE ALL ON FUNCTION
	answer.dashboard_right(text, text),
	answer.dashboard_grant_put(text),
	@extschema@.answer_dashboard_grant(text),
	answer.dashboard_revoke_put(text),
	@extschema@.answer_dashboard_revoke(text)
FROM PUBLIC;
