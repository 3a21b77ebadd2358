-- The composite of the parts of any partition is the composite of all rows.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(8);
\getenv seed ANSWER_EVAL_SEED
\if :{?seed}
\else
\set seed 1
\endif
SELECT setseed((:seed * 41 + 1) % 100 / 100.0);

CREATE TEMP TABLE result AS SELECT b, i, v, c, q FROM
	(SELECT b, i, (enum_range(NULL::answer_verdict))[1 +
	floor(random() * CASE WHEN b % 3 = 0 THEN 7 ELSE 1 + b % 4 END)::int] AS v,
	CASE WHEN b % 5 = 0 THEN floor(random() * 9) / 8 ELSE random() END AS c,
	random() < 0.7 AS q FROM generate_series(1, 200) AS b, generate_series(1, 12) AS i) AS x WHERE i <= 1 + b % 12;
CREATE TEMP TABLE whole AS SELECT b, answer_composite(v, c, q) AS c FROM result GROUP BY b;
SELECT cmp_ok((SELECT count(DISTINCT (c).verdict) FROM whole), '>=', 4::bigint, 'the sample has all verdicts');
SELECT
	is_empty('SELECT * FROM whole w WHERE c <> (SELECT answer_composite(v, r.c, '
	'q ORDER BY i DESC) FROM result r WHERE r.b = w.b)',
	'order does not matter');

-- A state for each part, then combined: for every cut into two parts, and row by row.
CREATE FUNCTION pg_temp.state(batch int, low int, high int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	s bigint;
	r record;
BEGIN
	FOR r IN SELECT * FROM result WHERE b = batch AND i BETWEEN low AND high LOOP
		s := answer.composite_add(s, r.v, r.c, r.q);
	END LOOP;
	RETURN s;
END $$;
SELECT
	is_empty($$SELECT * FROM whole w, generate_series(0, 12) AS cut WHERE w.c <>
	answer.composite_final(answer.composite_combine(pg_temp.state(w.b, 1, cut), pg_temp.state(w.b, cut + 1, 12)))$$,
	'neither does a cut in two, empty halves included');
SELECT
	is_empty($$SELECT * FROM whole w, generate_series(0, 12, 3) AS cut WHERE
	answer.composite_combine(pg_temp.state(w.b, 1, cut), pg_temp.state(w.b, cut + 1, 12)) <>
	answer.composite_combine(pg_temp.state(w.b, cut + 1, 12), pg_temp.state(w.b, 1, cut))$$,
	'combining commutes, to the bit');
SELECT
	is_empty($$SELECT * FROM whole w WHERE answer.composite_combine(answer.composite_combine(pg_temp.state(w.b, 1, 3),
	pg_temp.state(w.b, 4, 7)), pg_temp.state(w.b, 8, 12)) <>
	answer.composite_combine(pg_temp.state(w.b, 1, 3),
	answer.composite_combine(pg_temp.state(w.b, 4, 7), pg_temp.state(w.b, 8, 12)))$$,
	'and associates, to the bit');

-- Compared with the rule, written in SQL.
SELECT is_empty($$SELECT * FROM whole w JOIN (SELECT b, count(*) AS n,
	CASE WHEN bool_or(q AND v = 'contradicted') THEN 'contradicted' WHEN
	bool_or(q AND v IN ('evidence_unavailable', 'outside_evidence_coverage', 'not_evaluable', 'not_checked')) THEN
	'insufficient_evidence' WHEN bool_or(q AND v = 'supported') THEN 'supported' ELSE 'evidenced' END AS verdict,
		bool_or(v IN ('evidence_unavailable', 'outside_evidence_coverage', 'not_checked')) AS degraded FROM result GROUP
		BY b) AS r USING (b) WHERE ((w.c).verdict::text, (w.c).degraded, (w.c).checks) <>
		(r.verdict, r.degraded, r.n)$$, 'verdict, degraded and count follow the rule');
SELECT is_empty($$SELECT * FROM whole w JOIN (SELECT b,
	CASE WHEN bool_or(q AND v = 'contradicted') THEN max(c) FILTER (WHERE q AND v = 'contradicted') WHEN
	bool_or(q AND v IN ('evidence_unavailable', 'outside_evidence_coverage', 'not_evaluable', 'not_checked')) THEN 0
	ELSE coalesce(min(c) FILTER (WHERE q), 0) END AS c FROM result GROUP BY b) AS r USING (b)
	WHERE abs((w.c).confidence - r.c) > 0.005000000001 OR (w.c).confidence <>
	round((w.c).confidence::numeric, 2)::float8$$, 'confidence is that of the rule, in hundredths');
SELECT
	is_empty($$SELECT * FROM generate_series(0, 1000) AS i WHERE
	(answer.composite_final(answer.composite_add(NULL, 'supported', i / 1000.0::float8, true))).confidence <>
	round(i / 1000.0::float8::numeric, 2)::float8 AND i % 10 <> 5$$,
	'thousandths round to the nearest hundredth');

SELECT * FROM finish();
ROLLBACK;
