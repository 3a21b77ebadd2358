-- The cost of storing a reading with its code: `test/bench/run.sh record`. Compared with a PL/pgSQL function that stores readings
-- without one, as answer_evidence_add() did before; in turns, in one session. Prints figures, asserts nothing. Time is CPU time if
-- the server can tell it (Linux), so that other work on the machine counts less.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

CREATE SCHEMA bench_record;
CREATE FUNCTION bench_record.clock() RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	RETURN split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8 / 1000;
EXCEPTION WHEN undefined_file THEN
	RETURN extract(epoch FROM clock_timestamp()) * 1e6;
END $$;
CREATE FUNCTION bench_record.add(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	portable_args jsonb := answer.portable(args);
	portable_raw jsonb := answer.portable(raw);
	args_digest text := public.answer_digest(portable_args);
	digest text := answer.evidence_digest(tool, portable_args, portable_raw, source, observed_at, NULL);
BEGIN
	PERFORM answer.evidence_add_check('', tool, portable_args, portable_raw, source, digest);
	INSERT INTO answer.evidence (tenant, digest, tool, args, args_digest, raw, source, observed_at, expires)
	VALUES ('', digest, tool, portable_args, args_digest, portable_raw, source, observed_at, NULL) ON CONFLICT DO NOTHING;
	INSERT INTO answer.evidence_series (tenant, tool, args_digest, source) VALUES ('', tool, args_digest, source) ON CONFLICT DO NOTHING;
	RETURN digest;
END $$;
SELECT answer_source_register('meter', 'meters') \g /dev/null
SELECT answer_tool_register('bench_latency', NULL, '{host}', '1 day', 'results.0.value') \g /dev/null

CREATE TEMP TABLE took (round integer, ours boolean, us float8);
CREATE PROCEDURE bench_record.round(round integer, ours boolean, size integer) LANGUAGE plpgsql AS $$
DECLARE
	begun	float8 := bench_record.clock();
	add		text := CASE WHEN ours THEN 'answer_evidence_add' ELSE 'bench_record.add' END;
BEGIN
	EXECUTE format($q$SELECT count(%s('bench_latency', jsonb_build_object('host', concat('h', i, ' ', %L)), jsonb_build_object('host', i, 'results',
		jsonb_build_array(jsonb_build_object('value', i, 'unit', 'ms'))), 'meter', now())) FROM generate_series(1, %s) AS i$q$, add, concat(round, ours), size);
	INSERT INTO took VALUES (round, ours, (bench_record.clock() - begun) / size);
	COMMIT;
END $$;
DO $$ BEGIN
	FOR round IN 1 .. 20 LOOP
		CALL bench_record.round(round, round % 2 = 0, 1000);
		CALL bench_record.round(round, round % 2 = 1, 1000);
	END LOOP;
END $$;
\echo 'A reading, of 1000 in a statement: microseconds, and how many times those of one without a code'
SELECT round(min(o.us)::numeric, 1) AS with_code, round(min(b.us)::numeric, 1) AS without,
	round(percentile_cont(0.5) WITHIN GROUP (ORDER BY o.us / b.us)::numeric, 2) AS "ratio (<= 1.05)"
FROM took o JOIN took b ON b.round = o.round AND o.ours AND NOT b.ours WHERE o.round > 2;
DROP SCHEMA bench_record CASCADE;
