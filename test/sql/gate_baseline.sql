-- baselines: what another system did on the same questions
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never

SELECT answer_baseline_load('bot', '[
	{"question": "b?", "answered": true, "cited": true, "contradictory": false, "latency_ms": 1000, "cost_usd": 0.01},
	{"question": "a?", "answered": true, "cited": true, "contradictory": true, "latency_ms": 500.5, "cost_usd": 0.02},
	{"question": "c?", "answered": true, "cited": false, "contradictory": false, "latency_ms": 250, "cost_usd": 0},
	{"question": "d?", "answered": false, "cited": true, "contradictory": true, "latency_ms": 100, "cost_usd": 0.03}]');
-- the same in another order, and a number written otherwise: the same version
SELECT answer_baseline_load('bot', '[
	{"question": "a?", "answered": true, "cited": true, "contradictory": true, "latency_ms": 500.50, "cost_usd": 0.02},
	{"question": "b?", "answered": true, "cited": true, "contradictory": false, "latency_ms": 1e3, "cost_usd": 0.01},
	{"question": "d?", "answered": false, "cited": true, "contradictory": true, "latency_ms": 100, "cost_usd": 0.03},
	{"question": "c?", "answered": true, "cited": false, "contradictory": false, "latency_ms": 250, "cost_usd": 0}]')
	->> 'version' AS version;
-- verified: answered, cited and not contradictory, so one of four
SELECT name, version, questions, answers, cited, contradictory, verified, round(citation_rate, 4) AS citation_rate,
	round(contradiction_rate, 4) AS contradiction_rate, p50_ms, p95_ms, cost_usd, cost_per_verified_answer
FROM answer.baseline_measure;
-- other rows make the next version; nothing measured is NULL, not 0 or 1
SELECT answer_baseline_load('bot', '[]');
SELECT version, questions, answers, citation_rate, contradiction_rate, p50_ms, p95_ms, cost_usd,
	cost_per_verified_answer
FROM answer.baseline_measure ORDER BY version;

-- what is no baseline
SELECT answer_baseline_load(NULL, '[]');
SELECT answer_baseline_load('bot', NULL);
SELECT answer_baseline_load('', '[]');
SELECT answer_baseline_load(repeat('x', 256), '[]');
SELECT answer_baseline_load('bot', '{"rows": []}');
SELECT answer_baseline_load('bot', 'null');
SELECT answer_baseline_load('bot', '[7]');
-- one row, other than a good one
CREATE FUNCTION load_other(other jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_baseline_load('bot', jsonb_build_array(jsonb '{"question": "a?", "answered": true, "cited": true,
		"contradictory": false, "latency_ms": 1, "cost_usd": 0}' || other))
$$;
SELECT load_other('{"model": "x"}');
SELECT load_other('{"question": ""}');
SELECT load_other('{"answered": 1}');
SELECT load_other('{"cited": null}');
SELECT answer_baseline_load('bot', '[{"question": "a?"}]');
SELECT load_other('{"latency_ms": -1}');
SELECT load_other('{"cost_usd": "0.1"}');
SELECT answer_baseline_load('bot', jsonb_build_array(r, r)) FROM (SELECT jsonb '{"question": "a?", "answered": true,
	"cited": true, "contradictory": false, "latency_ms": 1, "cost_usd": 0}') AS s (r);
SELECT count(*) FROM answer.baseline;

-- what was loaded stays, also for the owner
UPDATE answer.baseline SET questions = 1;
DELETE FROM answer.baseline_row;
TRUNCATE answer.baseline_row;

-- nobody has a right to it by himself
CREATE ROLE regress_baseline_plain;
SET ROLE regress_baseline_plain;
SELECT answer_baseline_load('bot', '[]');
SELECT * FROM answer.baseline_measure;
RESET ROLE;
DROP ROLE regress_baseline_plain;
DROP FUNCTION load_other(jsonb);
