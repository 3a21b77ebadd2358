-- The roll-up and what windows make of it: exact sums, percentiles, states, pruning, rebuilding.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set ON_ERROR_ROLLBACK on
SET timezone = 'UTC';
BEGIN;
CREATE TEMP TABLE kept AS SELECT * FROM answer.rollup_new;
DELETE FROM answer.rollup_new;
DELETE FROM answer.rollup_kept;
DELETE FROM answer.rollup;
DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
DELETE FROM answer.rollup_word;
DELETE FROM answer.rollup_key;

-- empty windows
SELECT tenant, intent, answers, citation_rate, contradiction_rate, p50_ms, cost_per_answer, coverage, gqs, state
	FROM answer_slo('1 hour', '2026-01-01');
SELECT tenant, intent, objective, allowance, share_30d, budget_left, burn_1h, state FROM answer.slo_burn('2026-01-01');

-- invalid windows
SELECT answer_slo(NULL);
SELECT answer_slo('0', '2026-01-01');
SELECT answer_slo('-1 hour', '2026-01-01');
SELECT answer_slo('800 days', '2026-01-01');
SELECT answer_slo('1 hour', 'infinity');
SELECT answer.slo_burn('0001-01-01');

-- (until - span, until], to the microsecond; at, before and after the edges of minutes, hours and days
CREATE FUNCTION pg_temp.put(at timestamptz, ms float8 DEFAULT 10, intent text DEFAULT NULL,
	supported boolean DEFAULT true, required boolean DEFAULT true,
	cited boolean DEFAULT true, contradicted boolean DEFAULT false, confidence float8 DEFAULT 0.9,
	cost numeric DEFAULT NULL, words jsonb DEFAULT NULL, given boolean DEFAULT true)
RETURNS void LANGUAGE sql AS $$
	INSERT INTO answer.rollup_new (issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given,
	supported, citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal,
	words)
	VALUES (at, 'plan/v1', CASE WHEN given THEN 'answered' ELSE 'refused' END, intent, 'k',
	make_interval(secs => ms / 1000), cost, confidence, given,
	given AND supported AND NOT contradicted AND (cited OR NOT required), given AND required, given AND cited,
	given AND contradicted, NOT given AND contradicted, given AND NOT supported, given::int4 * 4,
	given::int4 * (2 + supported::int4),
	CASE WHEN NOT given THEN CASE WHEN contradicted THEN 'conflict' ELSE 'budget' END END, words)
$$;
SELECT count(pg_temp.put(at)) FROM
	unnest('{2026-01-01 11:00:00, 2026-01-01 11:00:00.000001, 2026-01-01 11:00:59.999999, 2026-01-01 11:59:59.999999,
	2026-01-01 12:00:00, 2026-01-01 12:00:00.000001, 2025-12-31 12:00:00, 2025-12-31 12:00:00.000001,
	2025-12-31 23:59:59.999999, 2026-01-01 00:00:00}'::timestamptz[]) AS at;
CREATE FUNCTION pg_temp.counted() RETURNS TABLE (span text, until text, answers bigint, exact bigint) LANGUAGE sql AS $$
	SELECT w.span::text, to_char(w.until, 'MM-DD HH24:MI:SS.US'), s.answers,
		(SELECT count(*) FROM answer.rollup_single r WHERE r.issued_at > w.until - w.span AND r.issued_at <= w.until)
	FROM (VALUES (interval '1 hour', timestamptz '2026-01-01 12:00:00'), ('1 hour', '2026-01-01 12:00:00.000001'),
	('24:00:00', '2026-01-01 12:00:00'),
		('1 microsecond', '2026-01-01 12:00:00'), ('720:00:00', '2026-01-01 12:00:00'), ('59 seconds',
		'2026-01-01 11:00:59.999999'),
		('36:00:00', '2026-01-02 00:00:00'), ('24:00:00.000001', '2026-01-01 12:00:00')) AS w (span, until)
	CROSS JOIN LATERAL answer_slo(w.span, w.until) AS s
	WHERE s.tenant IS NULL
	ORDER BY 2, 1
$$;
SELECT * FROM pg_temp.counted();
SELECT answer_rollup();
-- the same after counting; nothing is counted twice
SELECT * FROM pg_temp.counted();
SELECT answer_rollup();
SELECT grain, sum(documents), sum(answers), count(*) FROM answer.rollup GROUP BY 1 ORDER BY 1;

-- numbers as somebody would compute them from the rows
DELETE FROM answer.rollup_kept; DELETE FROM answer.rollup; DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
SELECT count(pg_temp.put(timestamptz '2026-02-01 10:00' + i * interval '7 seconds', i * 1.5,
	CASE WHEN i % 2 = 0 THEN 'a' END, i % 4 <> 0, i % 3 = 0, i % 9 <> 0, i % 50 = 0, 0.8, i * 0.001,
	given => i % 5 <> 0))
FROM generate_series(1, 400) AS i;
CREATE VIEW pg_temp.expected AS
	SELECT count(*) AS answers, count(*) FILTER (WHERE citation_required) AS required,
	count(*) FILTER (WHERE citation_required AND citation_given) AS cited, count(*) FILTER (WHERE given) AS given,
	avg(contradicted::int) FILTER (WHERE given) AS contradicted, avg(prevented::int) AS prevented,
	avg((NOT supported)::int) FILTER (WHERE given) AS unsupported, avg(unjudged::int) FILTER (WHERE given) AS unjudged,
	sum(grounded) * 1.0 / sum(sentences) AS groundedness, avg((NOT given)::int) AS refused,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM took)) * 1000 AS p50,
		percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM took)) * 1000 AS p95,
		avg(cost_usd) AS cost, sum(cost_usd) / count(*) FILTER (WHERE supported) AS verified,
		avg(supported::int) AS coverage,
		avg(supported::int) * avg(confidence) FILTER (WHERE supported)
			* (1 - avg(contradicted::int) FILTER (WHERE given)) AS gqs
	FROM answer.rollup_new WHERE issued_at > '2026-02-01 10:03' AND issued_at <= '2026-02-01 10:33';
SELECT s.answers = e.answers, s.required = e.required, s.cited = e.cited, round(s.p50_ms::numeric,
	6) = round(e.p50::numeric, 6),
	round(s.p95_ms::numeric, 6) = round(e.p95::numeric, 6), round(s.cost_per_answer::numeric,
	9) = round(e.cost::numeric, 9),
	round(s.cost_per_verified_answer::numeric, 9) = round(e.verified::numeric, 9),
	s.given = e.given, round(s.contradiction_rate::numeric, 9) = round(e.contradicted, 9),
	round(s.prevented_rate::numeric, 9) = round(e.prevented, 9),
	round(s.unsupported_rate::numeric, 9) = round(e.unsupported, 9),
	round(s.unjudged_rate::numeric, 9) = round(e.unjudged, 9),
	round(s.groundedness::numeric, 9) = round(e.groundedness, 9),
	round(s.refusal_rate::numeric, 9) = round(e.refused, 9),
	round(s.coverage::numeric, 9) = round(e.coverage, 9), round(s.gqs::numeric, 9) = round(e.gqs::numeric, 9)
FROM answer_slo('30 minutes', '2026-02-01 10:33') s, pg_temp.expected e WHERE s.tenant IS NULL;
CREATE TEMP TABLE before AS SELECT * FROM answer_slo('30 minutes', '2026-02-01 10:33');
-- why answers were refused: each once, so that the reasons add up
CREATE TEMP TABLE refused AS SELECT * FROM answer_slo_refusals('30 minutes', '2026-02-01 10:33');
SELECT tenant, intent, reason, refused, round(share::numeric, 4) AS share FROM refused;
SELECT sum(r.refused) = max(b.refused) AS all_of_them FROM refused r, before b
	WHERE r.tenant IS NULL AND b.tenant IS NULL;
SELECT answer_rollup();
SELECT count(*) FROM (SELECT * FROM before EXCEPT SELECT * FROM answer_slo('30 minutes', '2026-02-01 10:33')) AS d;
SELECT count(*) FROM (SELECT * FROM refused
	EXCEPT SELECT * FROM answer_slo_refusals('30 minutes', '2026-02-01 10:33')) AS d;
SELECT tenant, intent, answers FROM before;

-- several windows in one call give the same as one at a time, counted or not; latency only on request
SELECT count(pg_temp.put(timestamptz '2026-02-01 10:00' + i * interval '3 seconds', 700 + i * 0.7,
	CASE WHEN i % 3 = 0 THEN 'b' END)) FROM generate_series(1, 1200) AS i;
CREATE TEMP TABLE shown AS SELECT * FROM answer.dashboard_latency;
CREATE FUNCTION pg_temp.at_once() RETURNS TABLE (rows bigint, differ bigint, latencies bigint) LANGUAGE sql AS $$
	WITH span AS (
		SELECT * FROM unnest('{5 minutes,1 hour,720 hours,1 second}'::interval[]) WITH ORDINALITY AS s (span, place)
	), once AS (
		SELECT * FROM answer.slo_sums('{""}', '{5 minutes,1 hour,720 hours,1 second}', '2026-02-01 10:33:00.5', false)
	), each AS (
		SELECT s.place, a.tenant, a.intent, a.answers, a.given, a.supported, a.required, a.cited, a.contradicted,
			a.prevented, a.unjudged, a.sentences, a.grounded, a.confidence, a.costed, a.costed_verified, a.cost_usd
		FROM span s CROSS JOIN LATERAL answer.slo_sums('{""}', ARRAY[s.span], '2026-02-01 10:33:00.5', true) AS a
	)
	SELECT (SELECT count(*) FROM once), (SELECT count(*) FROM (SELECT place, tenant, intent, answers, given, supported,
		required, cited, contradicted, prevented, unjudged, sentences, grounded, confidence, costed, costed_verified,
		cost_usd FROM once EXCEPT TABLE each) AS d)
		+ (SELECT count(*) FROM (TABLE each EXCEPT SELECT place, tenant, intent, answers, given, supported, required,
		cited, contradicted, prevented, unjudged, sentences, grounded, confidence, costed, costed_verified,
		cost_usd FROM once) AS d),
		(SELECT count(latency) FROM once)
$$;
SELECT * FROM pg_temp.at_once();
SELECT answer_rollup();
SELECT * FROM pg_temp.at_once();
-- latencies counted in two portions are the union of those of single documents: by intent, and for all
SELECT l.grain, l.whole, count(*), bool_and(l.latency = (SELECT answer.latency_union(s.latency)
	FROM answer.rollup_single s WHERE s.counted AND (l.whole OR s.intent = l.intent) AND s.issued_at >= l.starts_at
	AND s.issued_at < l.starts_at + make_interval(mins => l.grain))) AS same
FROM answer.rollup_latency l GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(*) > 0 AS shown, count(*) FILTER (WHERE s.value IS DISTINCT FROM l.value) AS differ
	FROM shown s FULL JOIN answer.dashboard_latency l USING ("time", tenant, metric);

-- percentiles of many different latencies: to one part in 512
DELETE FROM answer.rollup_kept; DELETE FROM answer.rollup; DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
SELECT count(pg_temp.put(timestamptz '2026-02-01 10:00' + i * interval '1 millisecond', exp(i / 1000.0)))
	FROM generate_series(1, 9000) AS i;
SELECT answer_rollup();
SELECT abs(s.p50_ms / e.p50 - 1) < 1.0 / 512, abs(s.p95_ms / e.p95 - 1) < 1.0 / 512, s.p50_ms <> e.p50
FROM answer_slo('1 hour', '2026-02-01 10:30') s,
	(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY exp(i / 1000.0)) AS p50,
	percentile_cont(0.95) WITHIN GROUP (ORDER BY exp(i / 1000.0)) AS p95 FROM generate_series(1, 9000) AS i) e
WHERE s.tenant IS NULL;

-- bags of latencies by themselves
SELECT answer.latency_percentile(b, 0), answer.latency_percentile(b, 0.25), answer.latency_percentile(b, 0.5),
	answer.latency_percentile(b, 1)
FROM (SELECT answer.latency_union(answer.latency_bag(v)) AS b FROM unnest('{40,10,20,30,10}'::bigint[]) AS v) AS x;
SELECT answer.latency_union(NULL, NULL), answer.latency_percentile(NULL, 0.5);
SELECT answer.latency_percentile(answer.latency_bag(-5), 0.5),
	answer.latency_percentile(answer.latency_bag(9223372036854775807), 0.5);
SELECT answer.latency_union(answer.latency_union(a, b), c) = answer.latency_union(c, answer.latency_union(b, a))
FROM (SELECT answer.latency_union(answer.latency_bag(v)) AS a FROM generate_series(1, 700) AS v) AS a,
	(SELECT answer.latency_union(answer.latency_bag(v * 1001)) AS b FROM generate_series(1, 700) AS v) AS b,
	(SELECT answer.latency_bag(123456789) AS c) AS c;
SELECT answer.latency_percentile('\x', 0.5);
SELECT answer.latency_percentile('\x02', 0.5);
SELECT answer.latency_percentile('\x0080', 0.5);
SELECT answer.latency_percentile('\x000500', 0.5);
SELECT answer.latency_percentile('\x00', 0.5);
SELECT answer.latency_percentile(answer.latency_bag(1), 1.5);
SELECT answer.latency_percentile(answer.latency_bag(1), 'NaN');
SELECT answer.latency_union('\x00ffffffffffffffffff7f01', NULL);

-- states: a rate equal to the allowance is not above it
DELETE FROM answer.rollup_kept; DELETE FROM answer.rollup; DELETE FROM answer.rollup_latency;
DELETE FROM answer.rollup_refusal;
SELECT count(pg_temp.put('2026-03-01 10:00', cited => i > 10, contradicted => i <= 3)) FROM generate_series(1,
	100) AS i;
SELECT citation_rate, contradiction_rate, state FROM answer_slo('1 hour', '2026-03-01 10:00') WHERE tenant IS NULL;
-- burning at 14.4 needs 43.2 of 100 contradicted, and at 5 times 0.10 half of all uncited
SELECT objective, share_30d, round(budget_left::numeric, 9), round(burn_5m::numeric, 9), state
	FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
SELECT pg_temp.put('2026-03-01 10:00', cited => false, contradicted => true);
SELECT citation_rate < 0.9, contradiction_rate > 0.03, state FROM answer_slo('1 hour', '2026-03-01 10:00')
	WHERE tenant IS NULL;
SELECT objective, state FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
-- enough good ones long before, so that the budget holds; then 50 of 100 in the last minutes
DELETE FROM answer.rollup_new;
SELECT count(pg_temp.put('2026-02-20 10:00')) FROM generate_series(1, 10000) AS i;
SELECT count(pg_temp.put('2026-03-01 10:00', cited => i > 50, contradicted => i <= 43)) FROM generate_series(1,
	100) AS i;
SELECT objective, round(burn_5m::numeric, 6), round(burn_1h::numeric, 6), state
	FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
-- six minutes later the short window of the first pair is empty, and the other pair is still above its limit
SELECT objective, round(burn_5m::numeric, 6), round(burn_30m::numeric, 6), round(burn_6h::numeric, 6), state
	FROM answer.slo_burn('2026-03-01 10:06') WHERE tenant IS NULL;
SELECT objective, burn_30m, round(burn_6h::numeric, 6), state FROM answer.slo_burn('2026-03-01 10:31')
	WHERE tenant IS NULL;
-- enough good ones three hours before, so that the second pair holds: 50 of 100 uncited are 5 times 0.10, 43
-- contradicted are less than 14.4 times 0.03
SELECT count(pg_temp.put('2026-03-01 07:30')) FROM generate_series(1, 10000) AS i;
SELECT objective, round(burn_6h::numeric, 6), state FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
-- one more contradicted, and one fewer uncited
UPDATE answer.rollup_new SET citation_given = true, contradicted = true
WHERE ctid = (SELECT min(ctid) FROM answer.rollup_new WHERE issued_at = '2026-03-01 10:00' AND NOT citation_given
	AND NOT contradicted);
SELECT objective, round(burn_1h::numeric, 6), state FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
-- answers without a supported one; documents that are no answers
DELETE FROM answer.rollup_new;
SELECT pg_temp.put('2026-03-01 10:00', supported => false, required => false, confidence => NULL);
SELECT answers, required, citation_rate, coverage, gqs, state FROM answer_slo('1 hour', '2026-03-01 10:00')
	WHERE tenant IS NULL;
DELETE FROM answer.rollup_new;
SELECT pg_temp.put('2026-03-01 10:00', given => NULL);
SELECT answers, gqs, state FROM answer_slo('1 hour', '2026-03-01 10:00');
-- refusals alone, over conflicts: nothing is given, so nothing is contradicted, and nothing is in breach
DELETE FROM answer.rollup_new;
SELECT count(pg_temp.put('2026-03-01 10:00', given => false, contradicted => i <= 7)) FROM generate_series(1, 10) AS i;
SELECT answers, given, contradiction_rate, citation_rate, prevented_rate, unsupported_rate, unjudged_rate, groundedness,
	refusal_rate, coverage, gqs, state FROM answer_slo('1 hour', '2026-03-01 10:00') WHERE tenant IS NULL;
SELECT objective, share_30d, state FROM answer.slo_burn('2026-03-01 10:00') WHERE tenant IS NULL;
SELECT reason, refused, share FROM answer_slo_refusals('1 hour', '2026-03-01 10:00') WHERE tenant IS NULL;
SELECT answer_slo_refusals(NULL);
SELECT answer_slo_refusals('0', '2026-01-01');
SELECT * FROM answer_slo_refusals('1 hour', '2025-03-01 10:00');

-- words and intents are bounded
SELECT octet_length(answer.receipt_intent(repeat('x', 12000))), answer.receipt_intent(repeat('x', 100)) = repeat('x',
	100),
	answer.receipt_intent(repeat('x', 12000)) <> answer.receipt_intent(repeat('x', 12001)),
	octet_length(answer.receipt_intent(repeat('ü', 6000))) <= 100;
SELECT answer.receipt_words('{}'), answer.receipt_words('[]'), answer.receipt_words('{"schema":"answer/v1"}');
ROLLBACK;

-- pruning: the sums of days stay, and counting again does not change them
BEGIN;
DELETE FROM answer.rollup_new; DELETE FROM answer.rollup_kept; DELETE FROM answer.rollup;
DELETE FROM answer.rollup_latency; DELETE FROM answer.rollup_refusal; DELETE FROM answer.rollup_word;
DELETE FROM answer.rollup_key;
INSERT INTO answer.rollup_new (issued_at, schema, verdict, key_id, took, given, supported, refusal, words)
SELECT at + i * interval '1 hour', 'decision/v1', 'ANSWER', 'k', i * interval '1 ms', i < 4, i < 4,
	CASE WHEN i = 4 THEN 'stale_documents' END,
	'{"reason stale_documents": 1}'
FROM unnest('{2020-01-01, 2020-06-01}'::timestamptz[]) AS at, generate_series(0, 4) AS i;
SELECT answer_rollup();
SELECT answer_rollup_prune(NULL);
SELECT answer_rollup_prune('9999-01-01');
SELECT answer_rollup_prune('infinity');
SELECT answer_rollup_prune('2020-03-01', '2020-04-01');
SELECT answer_rollup_prune('2020-03-01 15:00');
SELECT grain, sum(documents) FROM answer.rollup GROUP BY 1 ORDER BY 1;
SELECT grain, whole, count(*) FROM answer.rollup_latency GROUP BY 1, 2 ORDER BY 1, 2;
SELECT grain, count(*) FROM answer.rollup_word GROUP BY 1 ORDER BY 1;
SELECT grain, sum(count) FROM answer.rollup_refusal GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM answer.rollup_kept;
SELECT answers, p50_ms FROM answer_slo('366 days', '2020-12-31') WHERE tenant IS NULL;
-- a clock that goes back: the document is counted in its day nevertheless; the record of the pruning is counted, too
INSERT INTO answer.rollup_new (issued_at, schema, verdict, key_id, given, supported) VALUES ('2020-01-01 03:00',
	'decision/v1', 'ANSWER', 'k', true, true);
SELECT answer_rollup();
SELECT grain, sum(documents) FROM answer.rollup WHERE starts_at < '2020-02-01' GROUP BY 1 ORDER BY 1;
SELECT documents FROM answer.rollup_key WHERE key_id = 'k';
SELECT answer_rollup_prune('2020-03-01', '2020-02-01');
SELECT grain, sum(documents) FROM answer.rollup WHERE starts_at < '2021-01-01' GROUP BY 1 ORDER BY 1;
SELECT grain, whole, count(*) FROM answer.rollup_latency WHERE starts_at < '2021-01-01' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT grain, count(*) FROM answer.rollup_word WHERE starts_at < '2021-01-01' GROUP BY 1 ORDER BY 1;
ROLLBACK;

-- only at READ COMMITTED
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT answer_rollup();
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT answer_rollup_rebuild();
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT answer_rollup_prune('2020-03-01');
ROLLBACK;
BEGIN READ ONLY;
SELECT answer_rollup();
ROLLBACK;
