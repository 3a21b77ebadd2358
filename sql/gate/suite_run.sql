
/* runs: results of the cases of a suite, signed; doc/spec/gate.md section 5 */

-- The results of a run are signed. Its duration is not, and is stored separately.
CREATE TABLE answer.run_timing
(
	tenant			text NOT NULL DEFAULT '',
	run_id			text NOT NULL,
	started_at		timestamptz NOT NULL,
	took			bigint[] NOT NULL,
	PRIMARY KEY (tenant, run_id)
);
COMMENT ON TABLE answer.run_timing IS 'Durations of runs of suites, one run per row. See doc/tables.md#answerrun_timing.';
COMMENT ON COLUMN answer.run_timing.tenant IS 'Tenant that ran it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun_timing.';
COMMENT ON COLUMN answer.run_timing.run_id IS 'The run. See doc/tables.md#answerrun_timing.';
COMMENT ON COLUMN answer.run_timing.started_at IS 'When it was started. See doc/tables.md#answerrun_timing.';
COMMENT ON COLUMN answer.run_timing.took IS 'Duration of each case, in microseconds, in their order. See doc/tables.md#answerrun_timing.';
CREATE TRIGGER run_timing_append_only BEFORE UPDATE OR DELETE ON answer.run_timing
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER run_timing_no_truncate BEFORE TRUNCATE ON answer.run_timing
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
REVOKE ALL ON answer.run_timing FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.run_timing', '');

-- Not a table: its rows could differ from what was signed.
CREATE VIEW answer.run AS
SELECT d.tenant, d.receipt_id AS run_id, d.body OPERATOR(pg_catalog.#>>) '{suite,name}' AS suite,
	(d.body OPERATOR(pg_catalog.#>>) '{suite,version}')::pg_catalog.int4 AS version, d.body OPERATOR(pg_catalog.#>>) '{suite,digest}' AS suite_digest,
	d.body OPERATOR(pg_catalog.->>) 'config_digest' AS config_digest, d.body OPERATOR(pg_catalog.->>) 'engine_digest' AS engine_digest,
	d.body OPERATOR(pg_catalog.->>) 'digest' AS digest, d.verdict, (d.body OPERATOR(pg_catalog.#>>) '{summary,cases}')::pg_catalog.int4 AS cases,
	(d.body OPERATOR(pg_catalog.#>>) '{summary,passed}')::pg_catalog.int4 AS passed, t.started_at, d.issued_at AS finished_at, t.took
FROM answer.receipt d
LEFT JOIN answer.run_timing t ON t.tenant OPERATOR(pg_catalog.=) d.tenant AND t.run_id OPERATOR(pg_catalog.=) d.receipt_id
WHERE d.schema OPERATOR(pg_catalog.=) 'run/v1' AND (d.body OPERATOR(pg_catalog.->>) 'schema') OPERATOR(pg_catalog.=) 'run/v1';
COMMENT ON VIEW answer.run IS 'Runs of suites, one per row, from their signed documents (run/v1). See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.tenant IS 'Tenant that ran it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.run_id IS 'Id of the run and of its document, "run_...", for answer_run() and answer_receipt(). See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.suite IS 'Name of the suite. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.version IS 'Version of the suite. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.suite_digest IS 'Digest of the suite. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.config_digest IS 'Digest of the configuration. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.engine_digest IS 'Digest of what judged: version, rules and tables of rules. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.digest IS 'Digest of the results; the same suite, configuration and engine give the same. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.verdict IS 'Outcome of the shipped gate, without a baseline: pass, fail or inconclusive. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.cases IS 'Number of cases. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.passed IS 'Number of cases that passed. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.started_at IS 'When it was started. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.finished_at IS 'When it was signed: issued_at of the document. See doc/tables.md#answerrun.';
COMMENT ON COLUMN answer.run.took IS 'Duration of each case, in microseconds, in their order. See doc/tables.md#answerrun.';
REVOKE ALL ON answer.run FROM PUBLIC;

CREATE FUNCTION answer.run_guard() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_run_guard'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.run_guard() IS
'Trigger, not for direct use, that refuses every row that running a suite does not write itself, even by the owner; deleting is allowed, because deleted results are computed again.';

CREATE FUNCTION answer.run_put(tenant text, run_id text, started_at timestamptz, took bigint[]) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	INSERT INTO answer.run_timing (tenant, run_id, started_at, took) VALUES (tenant, run_id, started_at, took)
	ON CONFLICT DO NOTHING;
END;
COMMENT ON FUNCTION answer.run_put(text, text, timestamptz, bigint[]) IS
'Stores the duration of a run for answer_suite_run(), as the owner of the tables; not for direct use.';

-- The rows are what is signed: a table of copies could only differ from it.
CREATE VIEW answer.run_case AS
SELECT r.tenant, r.run_id, c.ordinal::pg_catalog.int4 AS ordinal, c.row OPERATOR(pg_catalog.->>) 'id' AS case_id,
	c.row OPERATOR(pg_catalog.->>) 'kind' AS kind, (c.row OPERATOR(pg_catalog.->>) 'passed')::pg_catalog.bool AS passed,
	c.row OPERATOR(pg_catalog.->>) 'decision' AS decision, c.row OPERATOR(pg_catalog.->>) 'answer' AS answer,
	c.row OPERATOR(pg_catalog.->) 'citations' AS citations, c.row OPERATOR(pg_catalog.->) 'signals' AS signals,
	c.row OPERATOR(pg_catalog.->) 'scores' AS scores, c.row OPERATOR(pg_catalog.->) 'reasons' AS reasons,
	NULLIF(c.row OPERATOR(pg_catalog.->) 'error', 'null') AS error,
	pg_catalog.make_interval(secs => r.took[c.ordinal] OPERATOR(pg_catalog./) 1000000.0::pg_catalog.float8) AS took
FROM answer.run r
JOIN answer.receipt d ON d.tenant OPERATOR(pg_catalog.=) r.tenant AND d.receipt_id OPERATOR(pg_catalog.=) r.run_id
	AND d.issued_at OPERATOR(pg_catalog.=) r.finished_at AND d.schema OPERATOR(pg_catalog.=) 'run/v1',
LATERAL pg_catalog.jsonb_array_elements(CASE WHEN pg_catalog.jsonb_typeof(d.body OPERATOR(pg_catalog.->) 'cases') OPERATOR(pg_catalog.=) 'array'
	THEN d.body OPERATOR(pg_catalog.->) 'cases' ELSE '[]' END) WITH ORDINALITY AS c (row, ordinal);
COMMENT ON VIEW answer.run_case IS 'Results of the cases of runs, one per row, from the signed documents. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.tenant IS 'Tenant that ran it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.run_id IS 'The run. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.ordinal IS 'Position of the case in the suite, from 1. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.case_id IS 'Id of the case. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.kind IS 'grounded, check, question or plan. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.passed IS 'Whether all of its scores passed. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.decision IS 'Its result: a decision, the verdict of checks or of a plan, "routed" or "refused". See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.answer IS 'The answer. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.citations IS 'The citations, an array of chunk ids; NULL: cases of its kind cite nothing. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.signals IS 'The signals of a grounded case: retrieval_confidence_max, retrieval_hit_count, freshness_violation. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.scores IS '{attribute: {passed, reason}}. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.reasons IS 'The reasons of the decision. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.error IS '{sqlstate, message} of the error that the case raised; NULL: it raised none. See doc/tables.md#answerrun_case.';
COMMENT ON COLUMN answer.run_case.took IS 'Duration of the case. See doc/tables.md#answerrun_case.';
REVOKE ALL ON answer.run_case FROM PUBLIC;

-- It writes, and reads tables with policies.
CREATE FUNCTION @extschema@.answer_suite_run(suite text, config jsonb DEFAULT NULL, version integer DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_suite_run'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_suite_run(text, jsonb, integer) IS
'Runs a suite: tries every case with the suite''s own documents and clock, scores it, and signs the results (run/v1). See doc/reference.md#answer_suite_run.';

-- Volatile, so that a run can be read in the statement that made it: answer_gate(answer_suite_run(...)).
CREATE FUNCTION answer.run_of(tenants text[], run_id text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	body jsonb;
BEGIN
	IF run_id IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'run_id must not be null';
	END IF;
	SELECT d.body INTO body FROM answer.receipt d
	WHERE d.tenant = ANY (tenants) AND d.receipt_id = run_id AND starts_with(run_id, 'run_');
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no run "%s"', run_id), hint = 'answer.run lists them.';
	END IF;
	IF body ->> 'schema' <> 'run/v1' THEN
		RAISE EXCEPTION USING errcode = '23001', message = format('run "%s" was forgotten', run_id), hint = 'answer.tombstone tells when and why.';
	END IF;
	RETURN body;
END
$$;
COMMENT ON FUNCTION answer.run_of(text[], text) IS
'Reads a run for answer_run(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_run(run_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_run(text) IS
'Returns a run as it was signed (run/v1). See doc/reference.md#answer_run.';

CREATE FUNCTION answer.run_diff_of(tenants text[], a text, b text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	left_run jsonb := answer.run_of(tenants, a);
	right_run jsonb := answer.run_of(tenants, b);
	differing jsonb;
BEGIN
	SELECT COALESCE(jsonb_agg(jsonb_build_object('id', d.id, 'in', CASE WHEN d.x IS NULL THEN 'b' WHEN d.y IS NULL THEN 'a' ELSE 'both' END,
		'fields', d.fields) ORDER BY d.place, d.id COLLATE "C"), '[]') INTO differing
	FROM (
		SELECT COALESCE(x.row ->> 'id', y.row ->> 'id') AS id, LEAST(x.place, y.place) AS place, x.row AS x, y.row AS y, (
			SELECT COALESCE(jsonb_object_agg(k.key, jsonb_build_array(x.row -> k.key, y.row -> k.key)), '{}')
			FROM (SELECT jsonb_object_keys(x.row) AS key UNION SELECT jsonb_object_keys(y.row)) AS k
			WHERE x.row IS NOT NULL AND y.row IS NOT NULL AND k.key <> 'ordinal' AND x.row -> k.key IS DISTINCT FROM y.row -> k.key) AS fields
		FROM jsonb_array_elements(left_run -> 'cases') WITH ORDINALITY AS x (row, place)
		FULL JOIN jsonb_array_elements(right_run -> 'cases') WITH ORDINALITY AS y (row, place) ON x.row ->> 'id' = y.row ->> 'id'
	) AS d
	WHERE d.x IS NULL OR d.y IS NULL OR d.fields <> '{}';
	RETURN jsonb_build_object('a', a, 'b', b, 'same', left_run ->> 'digest' = right_run ->> 'digest',
		'same_suite', left_run #>> '{suite,digest}' = right_run #>> '{suite,digest}',
		'same_config', left_run ->> 'config_digest' = right_run ->> 'config_digest',
		'same_engine', left_run ->> 'engine_digest' = right_run ->> 'engine_digest',
		'config', (SELECT COALESCE(jsonb_object_agg(k.key, jsonb_build_array(k.value, right_run -> 'config' -> k.key)), '{}')
			FROM jsonb_each(left_run -> 'config') AS k WHERE k.value IS DISTINCT FROM right_run -> 'config' -> k.key),
		'first', differing -> 0 -> 'id', 'cases', differing);
END
$$;
COMMENT ON FUNCTION answer.run_diff_of(text[], text, text) IS
'Compares runs for answer_run_diff(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_run_diff(a text, b text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_run_diff(text, text) IS
'Returns the differences between two runs. See doc/reference.md#answer_run_diff.';

/* runs that commit as they go */

CREATE TABLE answer.run_work
(
	tenant			text NOT NULL DEFAULT '',
	work_id			text NOT NULL,
	role			text COLLATE "C" NOT NULL,
	suite			text NOT NULL,
	version			integer NOT NULL,
	suite_digest	text NOT NULL,
	config_digest	text NOT NULL,
	engine_digest	text NOT NULL,
	cases			integer NOT NULL,
	done			integer NOT NULL,
	chain			text NOT NULL,
	key_id			text NOT NULL,
	sig				text NOT NULL,
	started_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	updated_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	PRIMARY KEY (tenant, work_id)
);
COMMENT ON TABLE answer.run_work IS 'Unfinished runs of answer_suite_run_resume(), one per row. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.tenant IS 'Tenant that runs it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.work_id IS 'Id of the unfinished run, "wrk_" and 16 hex digits. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.role IS 'Name of the role that runs it; only this role can continue it. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.suite IS 'Name of the suite. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.version IS 'Version of the suite. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.suite_digest IS 'Digest of the suite. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.config_digest IS 'Digest of the configuration. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.engine_digest IS 'Digest of what judges. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.cases IS 'Number of cases. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.done IS 'Number of cases that are done and committed. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.chain IS 'Digest over the rows so far. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.key_id IS 'The key that signed the progress. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.sig IS 'Signature of the progress, so that only the run''s own rows are continued. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.started_at IS 'When it was started, by the server''s clock. See doc/tables.md#answerrun_work.';
COMMENT ON COLUMN answer.run_work.updated_at IS 'When the last batch was committed, by the server''s clock. See doc/tables.md#answerrun_work.';

CREATE TABLE answer.run_work_case
(
	tenant	text NOT NULL DEFAULT '',
	work_id	text NOT NULL,
	ordinal	integer NOT NULL,
	body	jsonb NOT NULL,
	took	bigint NOT NULL,
	PRIMARY KEY (tenant, work_id, ordinal)
);
COMMENT ON TABLE answer.run_work_case IS 'Results of the cases of unfinished runs, one per row. See doc/tables.md#answerrun_work_case.';
COMMENT ON COLUMN answer.run_work_case.tenant IS 'Tenant that runs it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun_work_case.';
COMMENT ON COLUMN answer.run_work_case.work_id IS 'The unfinished run. See doc/tables.md#answerrun_work_case.';
COMMENT ON COLUMN answer.run_work_case.ordinal IS 'Position of the case in the suite, from 1. See doc/tables.md#answerrun_work_case.';
COMMENT ON COLUMN answer.run_work_case.body IS 'Its result, with its scores. See doc/tables.md#answerrun_work_case.';
COMMENT ON COLUMN answer.run_work_case.took IS 'Duration, in microseconds. See doc/tables.md#answerrun_work_case.';
REVOKE ALL ON answer.run_work, answer.run_work_case FROM PUBLIC;

CREATE TRIGGER run_work_guard BEFORE INSERT OR UPDATE OR DELETE ON answer.run_work
FOR EACH ROW EXECUTE FUNCTION answer.run_guard();
CREATE TRIGGER run_work_no_truncate BEFORE TRUNCATE ON answer.run_work
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER run_work_case_guard BEFORE INSERT OR UPDATE OR DELETE ON answer.run_work_case
FOR EACH ROW EXECUTE FUNCTION answer.run_guard();
CREATE TRIGGER run_work_case_no_truncate BEFORE TRUNCATE ON answer.run_work_case
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION answer.run_work_put(tenant text, work_id text, role text, state jsonb, rows jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	INSERT INTO answer.run_work AS w (tenant, work_id, role, suite, version, suite_digest, config_digest, engine_digest, cases, done, chain, key_id, sig)
	VALUES (tenant, work_id, role, state #>> '{suite,name}', (state #>> '{suite,version}')::int4, state ->> 'suite_digest', state ->> 'config_digest',
		state ->> 'engine_digest', (state ->> 'cases')::int4, (state ->> 'done')::int4, state ->> 'chain', state ->> 'key_id', state ->> 'sig')
	ON CONFLICT ON CONSTRAINT run_work_pkey DO UPDATE SET done = excluded.done, chain = excluded.chain, key_id = excluded.key_id,
		sig = excluded.sig, updated_at = clock_timestamp();
	INSERT INTO answer.run_work_case (tenant, work_id, ordinal, body, took)
	SELECT tenant, work_id, (r.body ->> 'ordinal')::int4, r.body, (state #>> ARRAY['took', (r.place - 1)::text])::int8
	FROM jsonb_array_elements(rows) WITH ORDINALITY AS r (body, place);
END
$$;
COMMENT ON FUNCTION answer.run_work_put(text, text, text, jsonb, jsonb) IS
'Stores the progress of a run for answer_suite_run_resume(), as the owner of the tables; not for direct use: the guard refuses it.';

CREATE FUNCTION answer.run_work_end(tenant text, work_id text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	DELETE FROM answer.run_work_case c WHERE c.tenant = run_work_end.tenant AND c.work_id = run_work_end.work_id;
	DELETE FROM answer.run_work w WHERE w.tenant = run_work_end.tenant AND w.work_id = run_work_end.work_id;
END
$$;
COMMENT ON FUNCTION answer.run_work_end(text, text) IS
'Deletes the stored progress of a finished run for answer_suite_run_resume(); not for direct use: the guard refuses it.';

CREATE VIEW answer.run_progress AS
SELECT w.tenant, w.work_id, w.suite, w.version, w.done, w.cases,
	pg_catalog.round(100.0 OPERATOR(pg_catalog.*) w.done OPERATOR(pg_catalog./) NULLIF(w.cases, 0), 1) AS percent, w.started_at, w.updated_at
FROM answer.run_work w;
COMMENT ON VIEW answer.run_progress IS 'Progress of unfinished runs of answer_suite_run_resume(), one per row. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.tenant IS 'Tenant that runs it (answer.tenant), or empty for the operator. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.work_id IS 'Id of the unfinished run. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.suite IS 'Name of the suite. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.version IS 'Version of the suite. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.done IS 'Number of cases that are done and committed. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.cases IS 'Number of cases. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.percent IS 'Percentage of the cases that are done. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.started_at IS 'When it was started. See doc/tables.md#answerrun_progress.';
COMMENT ON COLUMN answer.run_progress.updated_at IS 'When the last batch was committed. See doc/tables.md#answerrun_progress.';
REVOKE ALL ON answer.run_progress FROM PUBLIC;

CREATE PROCEDURE @extschema@.answer_suite_run_resume(suite text, config jsonb DEFAULT NULL, version integer DEFAULT NULL, batch integer DEFAULT 100,
	INOUT run_id text DEFAULT NULL)
AS 'MODULE_PATHNAME', 'answer_eval_suite_run_resume'
LANGUAGE C;
COMMENT ON PROCEDURE @extschema@.answer_suite_run_resume(text, jsonb, integer, integer, text) IS
'Runs a suite as answer_suite_run() does, and commits after every batch of cases, so that answer.run_progress shows its progress. See doc/reference.md#answer_suite_run_resume.';
REVOKE ALL ON PROCEDURE @extschema@.answer_suite_run_resume(text, jsonb, integer, integer, text) FROM PUBLIC;

CREATE FUNCTION answer.suite_run_prune_put(tenant text, before timestamptz) RETURNS integer
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	pruned integer;
BEGIN
	IF before IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'before must not be null';
	END IF;
	WITH gone AS (
		DELETE FROM answer.run_work AS w WHERE w.tenant = suite_run_prune_put.tenant AND w.updated_at < before RETURNING w.work_id
	), with_it AS (
		DELETE FROM answer.run_work_case AS c USING gone AS g WHERE c.tenant = suite_run_prune_put.tenant AND c.work_id = g.work_id
	)
	SELECT count(*) INTO pruned FROM gone;
	RETURN pruned;
END
$$;
COMMENT ON FUNCTION answer.suite_run_prune_put(text, timestamptz) IS
'Deletes unfinished runs for answer_suite_run_prune(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_suite_run_prune(before timestamptz) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_suite_run_prune(timestamptz) IS
'Deletes the stored progress of unfinished runs of the caller''s tenant that nobody has continued. See doc/reference.md#answer_suite_run_prune.';
REVOKE ALL ON FUNCTION answer.run_work_put(text, text, text, jsonb, jsonb), answer.run_work_end(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION
	answer.run_guard(),
	answer.run_put(text, text, timestamptz, bigint[]),
	@extschema@.answer_suite_run(text, jsonb, integer),
	answer.suite_run_prune_put(text, timestamptz),
	@extschema@.answer_suite_run_prune(timestamptz),
	answer.run_of(text[], text),
	@extschema@.answer_run(text),
	answer.run_diff_of(text[], text, text),
	@extschema@.answer_run_diff(text, text)
FROM PUBLIC;
