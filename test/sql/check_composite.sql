-- Composite verdict and confidence: doc/spec/answer-eval.md §5.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse

-- A row is a batch: verdicts and confidences of required checks, then of others (after a |).
CREATE FUNCTION composite_of(batch text) RETURNS answer_composite_result LANGUAGE sql AS $$
	SELECT answer_composite(split_part(part, ' ', 1)::answer_verdict, split_part(part, ' ', 2)::float8, side = 1)
	FROM unnest(string_to_array(batch, '|')) WITH ORDINALITY AS half (checks, side),
	unnest(string_to_array(checks, ',')) AS part
	WHERE part <> ''
$$;
SELECT batch, c.*, (c.verdict::text, c.confidence, c.degraded) = (want, want_confidence, want_degraded) AS ok
FROM (VALUES ('', 'evidenced', 0, false), ('|', 'evidenced', 0, false), ('|supported 0.9', 'evidenced', 0, false),
	('|contradicted 0.9', 'evidenced', 0, false),
	-- one of each
	('supported 0.8', 'supported', 0.8, false), ('contradicted 0.8', 'contradicted', 0.8, false),
	('value 0.8', 'evidenced', 0.8, false), ('not_evaluable 0.8', 'insufficient_evidence', 0, false),
	('evidence_unavailable 0', 'insufficient_evidence', 0, true),
	('outside_evidence_coverage 0', 'insufficient_evidence', 0, true),
	('not_checked 0', 'insufficient_evidence', 0, true),
	-- the weakest premise caps a conjunction; the best counterexample sets a contradiction
	('supported 0.8,supported 0.95,value 0.7', 'supported', 0.7, false),
	('value 0.8,value 0.4', 'evidenced', 0.4, false), ('supported 1,supported 0', 'supported', 0, false),
	('contradicted 0.5,contradicted 0.95,contradicted 0.8', 'contradicted', 0.95, false),
	('contradicted 0.4,supported 0.95', 'contradicted', 0.4, false),
	-- the first match wins
	('contradicted 0.5,not_evaluable 0,supported 0.9', 'contradicted', 0.5, false),
	('evidence_unavailable 0,contradicted 0.5', 'contradicted', 0.5, true),
	('supported 0.9,not_evaluable 0.9', 'insufficient_evidence', 0, false),
	('value 0.9,supported 0.9', 'supported', 0.9, false),
	-- what is not required moves nothing but "degraded"
	('supported 0.8|contradicted 0.9', 'supported', 0.8, false), ('supported 0.8|value 0.1', 'supported', 0.8, false),
	('supported 0.8|evidence_unavailable 0', 'supported', 0.8, true),
	('contradicted 0.5|contradicted 0.9', 'contradicted', 0.5, false),
	('value 0.8|outside_evidence_coverage 0', 'evidenced', 0.8, true),
	('value 0.8|not_checked 0', 'evidenced', 0.8, true), ('supported 0.8|not_evaluable 0.2', 'supported', 0.8, false),
	('|not_checked 0', 'evidenced', 0, true))
	AS v (batch, want, want_confidence, want_degraded), composite_of(batch) AS c;

-- No rows, and rows of which none passes the filter.
SELECT (answer_composite(v, 1, true)).* FROM unnest('{}'::answer_verdict[]) AS v;
SELECT (answer_composite('supported', 1, true) FILTER (WHERE i > 9)).* FROM generate_series(1, 3) AS i;
SELECT i % 2 AS half, (answer_composite('supported', i / 10.0, true)).* FROM generate_series(1, 4) AS i GROUP BY 1 ORDER
	BY 1;

-- Rounding: the decimal nearest the binary double, ties to even.  By hand: 0.125,
-- 0.375, 0.625 and 0.875 are doubles, hence ties; all others lie beside the
-- middle, to the side that their exact expansion tells.
SELECT confidence, (answer_composite('supported', confidence, true)).confidence AS rounded,
	(answer_composite('supported', confidence, true)).confidence = want AS ok
FROM (VALUES (0, 0), (1, 1), (0.004, 0), (0.005, 0.01), (0.006, 0.01), (0.0049999999999999, 0), (0.015, 0.01),
	(0.025, 0.03), (0.035, 0.04), (0.045, 0.04), (0.055, 0.06), (0.065, 0.07),
	(0.115, 0.12), (0.125, 0.12), (0.12500000000000003, 0.13), (0.12499999999999999, 0.12), (0.135, 0.14),
	(0.145, 0.14), (0.155, 0.15), (0.165, 0.17), (0.175, 0.17), (0.185, 0.18), (0.195, 0.2),
	(0.285, 0.28), (0.375, 0.38), (0.37499999999999994, 0.37), (0.575, 0.57), (0.625, 0.62),
	(0.62500000000000011, 0.63), (0.675, 0.68), (0.715, 0.71), (0.735, 0.73), (0.875, 0.88),
	(0.87499999999999989, 0.87),
	(0.985, 0.98), (0.995, 0.99), (0.99500000000000011, 1), (0.9949, 0.99), (0.9999, 1), (0.1 + 0.2, 0.3),
	(0.3333333333333333, 0.33), (0.6666666666666666, 0.67), (5e-324, 0), (1e-300, 0), (0.29::float4::float8, 0.29))
	AS v (confidence, want) GROUP BY confidence, want ORDER BY 1;
-- the same for the greatest of the contradicted ones, and rounding does not change who is least
SELECT (answer_composite('contradicted', c, true)).confidence AS greatest,
	(answer_composite('supported', c, true)).confidence AS least
FROM (VALUES (0.375::float8), (0.125), (0.12500000000000003)) AS v (c);

-- NULL and what is out of range.
SELECT verdict, confidence, required,
	attempt(format('SELECT answer_composite(%L::answer_verdict, %L::float8, %L::boolean)', verdict, confidence,
	required)) AS result
FROM (VALUES (NULL, '0.5', 't'), ('supported', NULL, 't'), ('supported', '0.5', NULL), ('supported', NULL, 'f'),
	(NULL, NULL, NULL), (NULL, '0.5', 'f'),
	('supported', '-0.0000001', 't'), ('supported', '1.0000001', 't'), ('supported', 'NaN', 't'),
	('supported', 'Infinity', 't'), ('supported', '-Infinity', 't'), ('supported', '2', 'f'), ('value', '-0', 't'),
	('supported', '1', 't'), ('evidenced', '1', 't')) AS v (verdict, confidence, required);

-- Order and partition never matter: parallel workers, and a partitioned table.
CREATE TABLE result AS
SELECT i, i % 7 AS batch, (ARRAY['supported', 'contradicted', 'value', 'not_evaluable', 'evidence_unavailable',
	'outside_evidence_coverage', 'not_checked']::answer_verdict[])[1 + (i / 7 * 7919) % CASE WHEN i % 7 < 2 THEN 7 WHEN
	i % 7 < 4 THEN 3 ELSE 1 END] AS verdict,
	((i * 104729) % 9973) / 9973.0::float8 AS confidence, i % 3 <> 0 AS required
FROM generate_series(1, 10000) AS i;
ANALYZE result;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE serial AS SELECT batch, answer_composite(verdict, confidence, required) AS c FROM result GROUP BY batch;
INSERT INTO serial SELECT -1, answer_composite(verdict, confidence, required) FROM result;
SELECT batch, (c).* FROM serial ORDER BY batch;
SELECT count(*) AS differ_by_order FROM serial s JOIN
	(SELECT batch, answer_composite(verdict, confidence, required ORDER BY confidence DESC, i) AS c FROM result GROUP BY
	batch) AS o USING (batch) WHERE s.c IS DISTINCT FROM o.c;
SET max_parallel_workers_per_gather = 4;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
EXPLAIN (COSTS OFF) SELECT answer_composite(verdict, confidence, required) FROM result;
SELECT count(*) AS differ_in_parallel FROM serial s JOIN
	(SELECT batch, answer_composite(verdict, confidence, required) AS c FROM result GROUP BY batch
	UNION ALL SELECT -1, answer_composite(verdict, confidence, required) FROM result) AS p USING (batch) WHERE s.c IS
	DISTINCT FROM p.c;
RESET max_parallel_workers_per_gather;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
CREATE TABLE part (LIKE result) PARTITION BY HASH (i);
CREATE TABLE part_0 PARTITION OF part FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE part_1 PARTITION OF part FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO part SELECT * FROM result;
ANALYZE part;
SET enable_partitionwise_aggregate = on;
SELECT count(*) AS differ_by_partition FROM serial s JOIN
	(SELECT batch, answer_composite(verdict, confidence, required) AS c FROM part GROUP BY batch) AS p USING (batch)
	WHERE s.c IS DISTINCT FROM p.c;
RESET enable_partitionwise_aggregate;
DROP TABLE part;

-- Running, over a window.
SELECT i, verdict, confidence, (answer_composite(verdict::answer_verdict, confidence, true) OVER (ORDER BY i)).*
FROM (VALUES (1, 'value', 0.9), (2, 'supported', 0.8), (3, 'not_evaluable', 0.8), (4, 'contradicted', 0.7),
	(5, 'contradicted', 0.75)) AS v (i, verdict, confidence) ORDER BY i;

-- The state travels as bigint; a foreign one is refused or gives a result, never harm.
SELECT (answer.composite_final(NULL)).*;
SELECT answer.composite_combine(NULL, NULL) = answer.composite_combine(answer.composite_combine(NULL, NULL), NULL) AS
	neutral;
SELECT state, attempt(format('SELECT answer.composite_final(%L)', state)) AS final,
	attempt(format('SELECT answer.composite_combine(%L, NULL)', state)) AS combine,
	attempt(format('SELECT answer.composite_add(%L, ''supported'', 0.5, true)', state)) AS add
FROM (VALUES (-1::bigint), (9223372036854775807), (-9223372036854775808), (101::bigint << 5), (101::bigint << 12),
	(127::bigint << 5), (31)) AS v (state);
-- 2^44 - 1 rows and not one more
SELECT attempt('SELECT (answer.composite_final((100::bigint << 12) | (((1::bigint << 44) - 1) << 19))).checks') AS most,
	attempt('SELECT answer.composite_add((100::bigint << 12) | (((1::bigint << 44) - 1) << 19), ''value'', 0, false)')
	AS one_more,
	attempt('SELECT answer.composite_combine((1::bigint << 62), (1::bigint << 62))') AS combined;
SELECT bool_and(answer.composite_final(answer.composite_combine(a.state, b.state)) =
	answer.composite_final(answer.composite_combine(b.state, a.state))) AS commutes
FROM (SELECT answer.composite_add(NULL, verdict, confidence, required) AS state FROM result WHERE i <= 50) AS a,
	(SELECT answer.composite_add(NULL, verdict, confidence, required) AS state FROM result WHERE i BETWEEN 51 AND 100)
	AS b;
DROP TABLE result, serial;
DROP FUNCTION composite_of;
