
/* gate: the results of another system on the same questions */

CREATE TABLE answer.baseline
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	name			text COLLATE "C" NOT NULL CHECK (name OPERATOR(pg_catalog.<>) ''),
	version			integer NOT NULL CHECK (version OPERATOR(pg_catalog.>) 0),
	digest			text COLLATE "C" NOT NULL CHECK (digest OPERATOR(pg_catalog.~) '^sha256:[0-9a-f]{64}$'),
	questions		integer NOT NULL CHECK (questions OPERATOR(pg_catalog.>=) 0),
	loaded_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	loaded_by		text NOT NULL,
	PRIMARY KEY (tenant, name, version)
);
COMMENT ON TABLE answer.baseline IS 'Measurements of another system on the same questions, one version of a baseline per row (answer_baseline_load()). See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.name IS 'Its name, as given. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.version IS 'From 1; every load with other rows adds a version. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.digest IS 'Digest of its rows, in the order of their questions. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.questions IS 'Number of its rows. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.loaded_at IS 'When this version was loaded, by the server''s clock. See doc/tables.md#answerbaseline.';
COMMENT ON COLUMN answer.baseline.loaded_by IS 'Name of the session''s role that loaded it. See doc/tables.md#answerbaseline.';

CREATE TABLE answer.baseline_row
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	name			text COLLATE "C" NOT NULL,
	version			integer NOT NULL,
	question		text COLLATE "C" NOT NULL CHECK (question OPERATOR(pg_catalog.<>) ''),
	answered		boolean NOT NULL,
	cited			boolean NOT NULL,
	contradictory	boolean NOT NULL,
	latency_ms		numeric NOT NULL CHECK (latency_ms OPERATOR(pg_catalog.>=) 0 AND latency_ms OPERATOR(pg_catalog.<) 'Infinity'),
	cost_usd		numeric NOT NULL CHECK (cost_usd OPERATOR(pg_catalog.>=) 0 AND cost_usd OPERATOR(pg_catalog.<) 'Infinity')
);
-- no key: a question can be too long for an index; answer.baseline_load_put() keeps them distinct
CREATE INDEX baseline_row_version ON answer.baseline_row (tenant, name, version);
COMMENT ON TABLE answer.baseline_row IS 'Rows of baselines, one per question. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.tenant IS 'As in answer.baseline. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.name IS 'As in answer.baseline. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.version IS 'As in answer.baseline. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.question IS 'The question. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.answered IS 'Whether it was answered. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.cited IS 'Whether the answer cited its sources. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.contradictory IS 'Whether the answer contradicted its sources. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.latency_ms IS 'Latency, in ms. See doc/tables.md#answerbaseline_row.';
COMMENT ON COLUMN answer.baseline_row.cost_usd IS 'Cost, in USD. See doc/tables.md#answerbaseline_row.';

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['baseline', 'baseline_row'] LOOP
		EXECUTE pg_catalog.format('CREATE TRIGGER %s_append_only BEFORE UPDATE OR DELETE ON answer.%1$I'
			' FOR EACH ROW EXECUTE FUNCTION answer.append_only()', name);
		EXECUTE pg_catalog.format('CREATE TRIGGER %s_no_truncate BEFORE TRUNCATE ON answer.%1$I'
			' FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only()', name);
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), '');
	END LOOP;
END
$$;
REVOKE ALL ON answer.baseline, answer.baseline_row FROM PUBLIC;

-- One row of a baseline, or what is wrong with it.
CREATE FUNCTION answer.baseline_read(rows jsonb)
RETURNS TABLE (question text, answered boolean, cited boolean, contradictory boolean, latency_ms numeric, cost_usd numeric)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 200
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	problem	text;
BEGIN
	IF jsonb_typeof(rows) <> 'array' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('rows must be an array, and is %s', jsonb_typeof(rows)),
			hint = 'A row is {"question", "answered", "cited", "contradictory", "latency_ms", "cost_usd"}.';
	END IF;
	SELECT format('rows[%s]%s', r.n - 1, CASE
		WHEN jsonb_typeof(r.value) <> 'object' THEN format(' must be an object, and is %s', jsonb_typeof(r.value))
		WHEN m.key NOT IN ('question', 'answered', 'cited', 'contradictory', 'latency_ms', 'cost_usd') THEN format(' has a member %s, which a row does not have', to_json(left(m.key, 100)))
		ELSE format('.%s must be %s, and is %s', m.key, m.wanted, COALESCE(left((r.value -> m.key)::text, 100), 'missing')) END)
	INTO problem
	FROM jsonb_array_elements(rows) WITH ORDINALITY AS r (value, n)
	LEFT JOIN LATERAL (
		SELECT w.key, w.wanted, w.ordinal
		FROM (VALUES ('question', 'a string that is not empty', 1), ('answered', 'true or false', 2), ('cited', 'true or false', 3),
			('contradictory', 'true or false', 4), ('latency_ms', 'a number from 0 to 86400000', 5), ('cost_usd', 'a number from 0 to 1000000', 6)) AS w (key, wanted, ordinal)
		WHERE jsonb_typeof(r.value) = 'object'
		AND CASE COALESCE(jsonb_typeof(r.value -> w.key), 'missing')
			WHEN 'string' THEN w.ordinal <> 1 OR r.value ->> w.key = ''
			WHEN 'boolean' THEN w.ordinal NOT IN (2, 3, 4)
			WHEN 'number' THEN w.ordinal NOT IN (5, 6) OR (r.value -> w.key)::numeric NOT BETWEEN 0 AND CASE w.ordinal WHEN 5 THEN 86400000 ELSE 1000000 END
			ELSE true END
		UNION ALL SELECT k.key, NULL, 0
		FROM jsonb_object_keys(CASE jsonb_typeof(r.value) WHEN 'object' THEN r.value ELSE '{}' END) AS k (key)
		WHERE k.key NOT IN ('question', 'answered', 'cited', 'contradictory', 'latency_ms', 'cost_usd')
	) AS m ON true
	WHERE m.key IS NOT NULL OR jsonb_typeof(r.value) <> 'object'
	ORDER BY r.n, m.ordinal, m.key COLLATE "C" LIMIT 1;
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = problem,
			hint = 'A row is {"question", "answered", "cited", "contradictory", "latency_ms", "cost_usd"}.';
	END IF;
	SELECT left(g.question, 100) INTO problem
	FROM (SELECT r.value ->> 'question' FROM jsonb_array_elements(rows) AS r) AS g (question)
	GROUP BY g.question HAVING count(*) > 1 ORDER BY g.question COLLATE "C" LIMIT 1;
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('rows has the question %s twice', to_json(problem)),
			hint = 'A baseline has one row for each question.';
	END IF;
	RETURN QUERY SELECT r.value ->> 'question', (r.value -> 'answered')::boolean, (r.value -> 'cited')::boolean, (r.value -> 'contradictory')::boolean,
		(r.value -> 'latency_ms')::numeric, (r.value -> 'cost_usd')::numeric
	FROM jsonb_array_elements(rows) AS r;
END
$$;
COMMENT ON FUNCTION answer.baseline_read(jsonb) IS
'Reads the rows of a baseline for answer_baseline_load(); not for direct use.';

CREATE FUNCTION answer.baseline_digest(rows jsonb) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT @extschema@.answer_digest(COALESCE(jsonb_agg(answer.portable(r.value) ORDER BY r.value ->> 'question' COLLATE "C"), '[]'))
	FROM jsonb_array_elements(rows) AS r;
END;
COMMENT ON FUNCTION answer.baseline_digest(jsonb) IS
'Returns the digest of the rows of a baseline, whatever their order; not for direct use.';

CREATE FUNCTION answer.baseline_load_put(tenant text, name text, rows jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	given	text;
	last	answer.baseline;
BEGIN
	IF tenant IS NULL OR name IS NULL OR rows IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name and rows must not be null';
	END IF;
	IF octet_length(name) NOT BETWEEN 1 AND 255 THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('name has %s bytes', octet_length(name)),
			detail = 'It must have from 1 to 255.';
	END IF;
	IF octet_length(rows::text) > 134217728 THEN
		RAISE EXCEPTION USING errcode = '54000', message = format('rows have %s bytes', octet_length(rows::text)),
			detail = 'They must have at most 134217728.';
	END IF;
	PERFORM FROM answer.baseline_read(rows);
	given := answer.baseline_digest(rows);
	-- of two simultaneous loads, the second sees the first
	PERFORM answer.load_lock(tenant, 'baseline', name);
	SELECT * INTO last FROM answer.baseline b
	WHERE b.tenant = baseline_load_put.tenant AND b.name = baseline_load_put.name ORDER BY b.version DESC LIMIT 1;
	IF last.digest IS DISTINCT FROM given THEN
		last.version := COALESCE(last.version, 0) + 1;
		INSERT INTO answer.baseline_row (tenant, name, version, question, answered, cited, contradictory, latency_ms, cost_usd)
		SELECT tenant, name, last.version, r.* FROM answer.baseline_read(rows) AS r;
		INSERT INTO answer.baseline (tenant, name, version, digest, questions, loaded_by)
		VALUES (tenant, name, last.version, given, jsonb_array_length(rows), session_user);
		PERFORM answer.change_record_put(tenant, 'baseline', concat(name, '/', last.version));
	END IF;
	RETURN jsonb_build_object('baseline', name, 'version', last.version, 'digest', given, 'questions', jsonb_array_length(rows));
END
$$;
COMMENT ON FUNCTION answer.baseline_load_put(text, text, jsonb) IS
'Stores a baseline for answer_baseline_load(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_baseline_load(name text, rows jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_baseline_load(text, jsonb) IS
'Loads measurements of another system on the same questions, so that answer_audit_report() can compare with them. See doc/reference.md#answer_baseline_load.';

CREATE VIEW answer.baseline_measure AS
SELECT b.tenant, b.name, b.version, b.digest, b.questions, m.answers, m.cited, m.contradictory, m.verified,
	m.cited::pg_catalog.numeric OPERATOR(pg_catalog./) NULLIF(m.answers, 0) AS citation_rate,
	m.contradictory::pg_catalog.numeric OPERATOR(pg_catalog./) NULLIF(m.answers, 0) AS contradiction_rate,
	m.p50_ms, m.p95_ms, m.cost_usd, m.cost_usd OPERATOR(pg_catalog./) NULLIF(m.verified, 0) AS cost_per_verified_answer
FROM answer.baseline b
CROSS JOIN LATERAL (
	SELECT pg_catalog.count(*) FILTER (WHERE r.answered) AS answers,
		pg_catalog.count(*) FILTER (WHERE r.answered AND r.cited) AS cited,
		pg_catalog.count(*) FILTER (WHERE r.answered AND r.contradictory) AS contradictory,
		pg_catalog.count(*) FILTER (WHERE r.answered AND r.cited AND NOT r.contradictory) AS verified,
		pg_catalog.percentile_cont(0.5) WITHIN GROUP (ORDER BY r.latency_ms::pg_catalog.float8) AS p50_ms,
		pg_catalog.percentile_cont(0.95) WITHIN GROUP (ORDER BY r.latency_ms::pg_catalog.float8) AS p95_ms,
		pg_catalog.sum(r.cost_usd) AS cost_usd
	FROM answer.baseline_row r
	WHERE r.tenant OPERATOR(pg_catalog.=) b.tenant AND r.name OPERATOR(pg_catalog.=) b.name AND r.version OPERATOR(pg_catalog.=) b.version
) AS m;
COMMENT ON VIEW answer.baseline_measure IS 'Totals and rates of each version of a baseline, one version per row. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.tenant IS 'As in answer.baseline. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.name IS 'As in answer.baseline. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.version IS 'As in answer.baseline. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.digest IS 'As in answer.baseline. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.questions IS 'As in answer.baseline. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.answers IS 'Number of questions that were answered. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.cited IS 'Number of answers that cited their sources. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.contradictory IS 'Number of answers that contradicted their sources. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.verified IS 'Number of verified answers: cited, and not contradictory. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.citation_rate IS 'cited / answers. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.contradiction_rate IS 'contradictory / answers. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.p50_ms IS 'Median latency of all questions, in ms (percentile_cont). See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.p95_ms IS '95th percentile of the latency, likewise. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.cost_usd IS 'Cost of all questions, in USD. See doc/tables.md#answerbaseline_measure.';
COMMENT ON COLUMN answer.baseline_measure.cost_per_verified_answer IS 'cost_usd / verified, in USD. See doc/tables.md#answerbaseline_measure.';
REVOKE ALL ON answer.baseline_measure FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.baseline_read(jsonb),
	answer.baseline_digest(jsonb),
	answer.baseline_load_put(text, text, jsonb),
	@extschema@.answer_baseline_load(text, jsonb)
FROM PUBLIC;
