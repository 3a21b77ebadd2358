
/* gate: proposals for a better configuration, which are measured before they apply; doc/spec/gate.md section 7 */

-- The knobs that are turned automatically: which direction is stricter, the shipped value, and the values tried.
CREATE FUNCTION answer.evolve_knobs()
RETURNS TABLE (knob text, stricter integer, shipped jsonb, tried jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 9
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT k.knob, k.stricter, k.shipped, k.tried FROM (VALUES
		('top_k', 0, '5'::jsonb, '[1, 2, 3, 5, 8, 12, 20, 50]'::jsonb), ('rerank', 0, '"none"', '["none", "freshness"]'),
		('freshness_bias', 0, '0', '[0, 0.1, 0.25, 0.5, 1]'), ('cache_ttl_s', 0, '0', '[0]'),
		('citation_threshold', 1, '0.95', '[0.9, 0.95, 0.99, 1]'), ('contradiction_tolerance', -1, '0.30', '[0, 0.1, 0.2, 0.3]'),
		-- these are also tried along the curve of the suite
		('floor', 1, '0.20', '[0.2]'), ('confidence_threshold', 1, '0.60', '[0.6]'), ('confidence_threshold_high_risk', 1, '0.70', '[0.7]')
	) AS k (knob, stricter, shipped, tried);
END;
COMMENT ON FUNCTION answer.evolve_knobs() IS
'Returns the configuration keys that answer_evolve_propose() turns; only an administrator changes the others; not for direct use.';

-- A search by freshness without a bias ranks as without freshness, and a bias without it is not read: each needs the
-- other.
CREATE FUNCTION answer.evolve_changes(config jsonb)
RETURNS TABLE (knob text, change jsonb, reason text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 30
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH present AS (
		SELECT k.knob, k.stricter, k.shipped, k.tried, COALESCE(config -> k.knob, k.shipped) AS value FROM answer.evolve_knobs() AS k
	), tried AS (
		SELECT p.knob, p.value AS was, t.value AS value, p.shipped, t.n,
			CASE WHEN p.knob = 'rerank' THEN 0 ELSE (t.value #>> '{}')::numeric - (p.value #>> '{}')::numeric END AS step, p.stricter
		FROM present AS p, LATERAL jsonb_array_elements(p.tried) WITH ORDINALITY AS t (value, n)
	)
	SELECT c.knob, c.change, c.reason FROM (
		SELECT t.knob, CASE WHEN t.knob = 'freshness_bias' AND t.value <> '0' THEN jsonb_build_object('freshness_bias', t.value, 'rerank', 'freshness')
			ELSE jsonb_build_object(t.knob, t.value) END AS change,
			format('%s from %s to %s', t.knob, t.was #>> '{}', t.value #>> '{}') AS reason, t.value = t.shipped AS is_shipped, abs(t.step) AS distance, t.n
		FROM tried AS t
		-- neither by itself
		WHERE t.value <> t.was AND (t.stricter = 0 OR t.step * t.stricter > 0) AND NOT (t.knob = 'rerank' AND t.value = '"freshness"')
	) AS c
	ORDER BY c.knob COLLATE "C", c.is_shipped DESC, c.distance, c.n;
END;
COMMENT ON FUNCTION answer.evolve_changes(jsonb) IS
'Returns what to try against a breach: each knob with each of its values, thresholds only if stricter, and a bias together with the order that reads it; not for direct use.';

-- Whether the results of a tenant's answers are a breach, computed by multiplying counts; the columns are those of
-- answer.slo_of().
CREATE FUNCTION answer.evolve_breaches(slo jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT array_remove(ARRAY[
		CASE WHEN (slo ->> 'cited')::numeric * 10 < (slo ->> 'required')::numeric * 9 THEN 'citation_rate' END,
		CASE WHEN (slo ->> 'contradicted')::numeric * 100 > (slo ->> 'given')::numeric * 3 THEN 'contradiction_rate' END], NULL);
END;
COMMENT ON FUNCTION answer.evolve_breaches(jsonb) IS
'Returns the rates of a row of answer_slo(''24 hours'') that are in breach: a citation rate below 0.90, a contradiction rate above 0.03; not for direct use.';

/*
 * Whether a candidate is better.  Rates are compared by multiplying counts, so that
 * nothing is rounded; a rate over nothing does not pass.  GQS is coverage x mean confidence
 * of the supported answers x (1 - contradiction rate), which is confidence / answers x
 * (given - contradictory) / given.  It is 0 if nothing is given.
 */
CREATE FUNCTION answer.evolve_judge(base jsonb, candidate jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH side AS (
		SELECT s.name, (s.m ->> 'answers')::numeric AS answers, (s.m ->> 'given')::numeric AS given, (s.m ->> 'required')::numeric AS required,
			(s.m ->> 'cited')::numeric AS cited, (s.m ->> 'contradictory')::numeric AS contradictory, (s.m ->> 'p95_ms')::numeric AS p95,
			(s.m ->> 'cost_usd')::numeric AS cost,
			-- GQS as a fraction
			CASE WHEN (s.m ->> 'given')::numeric = 0 THEN 0
				ELSE (s.m ->> 'confidence_sum')::numeric * ((s.m ->> 'given')::numeric - (s.m ->> 'contradictory')::numeric) END AS n,
			(s.m ->> 'answers')::numeric * greatest((s.m ->> 'given')::numeric, 1) AS d
		FROM (VALUES ('base', base), ('candidate', candidate)) AS s (name, m)
	), rule AS (
		SELECT v.n, v.rule, v.ok, v.text FROM side AS b, side AS c, LATERAL (VALUES
			(1, 'gqs', c.n * b.d >= (b.n + 0.08 * b.d) * c.d AND b.answers > 0 AND c.answers > 0,
				format('gqs %s < base %s + 0.08', COALESCE(round(c.n / NULLIF(c.d, 0), 4)::text, 'null'), COALESCE(round(b.n / NULLIF(b.d, 0), 4)::text, 'null'))),
			-- with fewer answers, p95 is the slowest one, which is chance
			(2, 'p95_ms', c.p95 <= 0.65 * b.p95 AND b.answers >= 20 AND c.answers >= 20, CASE WHEN least(b.answers, c.answers) < 20
				THEN 'p95_ms is of fewer than 20 answers, and does not count' ELSE format('p95_ms %s > 0.65 x base %s', COALESCE(round(c.p95, 3)::text, 'null'), COALESCE(round(b.p95, 3)::text, 'null')) END),
			(3, 'cost_usd', c.cost IS NULL AND b.cost IS NULL OR c.cost * b.answers <= 1.10 * b.cost * c.answers, format('cost of an answer %s > 1.10 x base %s',
				COALESCE(round(c.cost / NULLIF(c.answers, 0), 6)::text, 'null'), COALESCE(round(b.cost / NULLIF(b.answers, 0), 6)::text, 'null'))),
			(4, 'citation_rate', c.cited >= 0.90 * c.required AND c.required > 0,
				format('citation_rate %s < 0.90', COALESCE(round(c.cited / NULLIF(c.required, 0), 4)::text, 'null'))),
			(5, 'contradiction_rate', c.contradictory <= 0.03 * c.given AND c.given > 0,
				format('contradiction_rate %s > 0.03', COALESCE(round(c.contradictory / NULLIF(c.given, 0), 4)::text, 'null')))
		) AS v (n, rule, ok, text)
		WHERE b.name = 'base' AND c.name = 'candidate'
	)
	SELECT jsonb_build_object('passed', bool_or(COALESCE(r.ok, false)) FILTER (WHERE r.n <= 2) AND bool_and(COALESCE(r.ok, false)) FILTER (WHERE r.n > 2),
		'failures', COALESCE(jsonb_agg(r.text ORDER BY r.n) FILTER (WHERE NOT COALESCE(r.ok, false)
			AND (r.n > 2 OR NOT (SELECT bool_or(COALESCE(o.ok, false)) FROM rule AS o WHERE o.n <= 2))), '[]'))
	FROM rule AS r;
END;
COMMENT ON FUNCTION answer.evolve_judge(jsonb, jsonb) IS
'Returns whether a candidate measures better than the configuration in force; not for direct use.';

-- The totals of rows of a trial, counted as the roll-ups count stored documents, as far as a row has the data. The
-- thresholds of the configuration in force decide what is thin, whichever configuration a row belongs to: a candidate
-- must not pass by asking for less.
CREATE FUNCTION answer.evolve_measure(rows jsonb, took bigint[], config jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH read AS (
		SELECT c.row ->> 'kind' AS kind, COALESCE(c.row ->> 'decision' IN ('ANSWER', 'ANSWER_WITH_CAVEATS', 'answered'), false) AS given,
			COALESCE(c.row ->> 'decision' IN ('ABSTAIN', 'BLOCK', 'CLARIFY', 'blocked', 'refused'), false)
				OR COALESCE(jsonb_typeof(c.row -> 'error') = 'object', false) AS not_given,
			COALESCE(jsonb_typeof(c.row -> 'citations') = 'array' AND c.row -> 'citations' <> '[]', false)
				AND c.row -> 'citation_valid' IS DISTINCT FROM 'false' AS has_citations,
			COALESCE(c.row #>> '{case,expected_outcome}' IN ('ABSTAIN', 'BLOCK', 'CLARIFY', 'blocked', 'refused', 'failed'), false) AS must_refuse,
			COALESCE(c.row -> 'conflict_detected' = 'true', false) AS has_conflict,
			COALESCE('false' IN (c.row #> '{scores,groundedness,passed}', c.row #> '{scores,outcome_correctness,passed}'), false) AS has_failed,
			(c.row #>> '{signals,answer_confidence}')::numeric AS judged,
			COALESCE(CASE WHEN c.row ->> 'kind' = 'plan' THEN c.row ->> 'confidence'
				ELSE COALESCE(c.row #>> '{signals,answer_confidence}', c.row ->> 'similarity', c.row #>> '{signals,retrieval_confidence_max}')
				END, '0')::numeric AS confidence,
			c.row ->> 'decision' = 'ANSWER_WITH_CAVEATS' AS has_caveats, c.row ->> 'risk_level' AS risk, took[c.n] / 1000.0 AS ms
		FROM jsonb_array_elements(rows) WITH ORDINALITY AS c (row, n)
		WHERE c.row ->> 'kind' IN ('grounded', 'plan')
	), one AS (
		-- the kernel lets no plan answer without the citations that it needs
		SELECT r.given, r.ms, r.confidence, r.given AND (r.kind = 'grounded' OR r.has_citations) AS required, r.given AND r.has_citations AS cited,
			r.given AND (r.has_conflict OR r.must_refuse) AS contradictory,
			r.given AND NOT (r.has_conflict OR r.must_refuse OR r.has_failed) AND (r.kind = 'plan' OR r.has_citations AND r.confidence >=
				CASE WHEN r.has_caveats AND r.judged IS NULL THEN (config ->> 'floor')::numeric
					WHEN r.risk = 'high' THEN (config ->> 'confidence_threshold_high_risk')::numeric
					ELSE (config ->> 'confidence_threshold')::numeric END) AS supported
		FROM read AS r
		WHERE r.given OR r.not_given
	)
	SELECT jsonb_build_object('answers', count(*), 'given', count(*) FILTER (WHERE o.given), 'supported', count(*) FILTER (WHERE o.supported),
		'required', count(*) FILTER (WHERE o.required), 'cited', count(*) FILTER (WHERE o.cited),
		'contradictory', count(*) FILTER (WHERE o.contradictory),
		'confidence_sum', COALESCE(round(sum(o.confidence) FILTER (WHERE o.supported), 6), 0),
		'p50_ms', round((percentile_cont(0.5) WITHIN GROUP (ORDER BY o.ms::float8))::numeric, 3),
		'p95_ms', round((percentile_cont(0.95) WITHIN GROUP (ORDER BY o.ms::float8))::numeric, 3), 'cost_usd', NULL)
	FROM one AS o;
END;
COMMENT ON FUNCTION answer.evolve_measure(jsonb, bigint[], jsonb) IS
'Returns the totals of rows of trials, of questions over documents and of plans: those given, refused or raised; not for direct use.';

CREATE FUNCTION answer.evolve_is_low_risk("from" jsonb, change jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT COALESCE(bool_and(CASE k.stricter WHEN 0 THEN true
		ELSE COALESCE(k.stricter * sign((change ->> c.key)::numeric - ("from" ->> c.key)::numeric) > 0, false) END AND k.knob IS NOT NULL), false)
	FROM jsonb_object_keys(change) AS c (key)
	LEFT JOIN answer.evolve_knobs() AS k ON k.knob = c.key;
END;
COMMENT ON FUNCTION answer.evolve_is_low_risk(jsonb, jsonb) IS
'Returns whether a change applies automatically: it changes only knobs (answer.evolve_knobs()), and thresholds only to be stricter; not for direct use.';

-- What is wrong with a proposal, so that anyone with the record can judge it again.
CREATE FUNCTION answer.evolve_problem(action text, proposal jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	validation	jsonb := proposal -> 'validation';
	judged		jsonb;
	expected	text;
	-- from before given answers were counted: all were taken as given, and floors and thresholds of confidence were
	-- an administrator's
	is_earlier	boolean := NOT COALESCE(validation -> 'base' ? 'given', false) AND NOT COALESCE(validation -> 'candidate' ? 'given', false);
BEGIN
	IF (proposal ->> 'state') IS DISTINCT FROM (CASE action WHEN 'propose' THEN 'proposed' WHEN 'apply' THEN 'applied'
		WHEN 'wait' THEN 'waiting' WHEN 'reject' THEN 'rejected' END) THEN
		RETURN 'the state does not follow from the action';
	END IF;
	IF jsonb_typeof(proposal -> 'from') IS DISTINCT FROM 'object' OR jsonb_typeof(proposal -> 'change') IS DISTINCT FROM 'object' THEN
		RETURN 'the change is malformed';
	END IF;
	-- only thresholds are compared
	IF EXISTS (SELECT FROM answer.evolve_knobs() AS k, LATERAL (VALUES (proposal -> 'from'), (proposal -> 'change')) AS v (value)
		WHERE k.stricter <> 0 AND proposal -> 'change' ? k.knob AND NOT COALESCE(v.value ->> k.knob ~ '^[0-9]{1,20}([.][0-9]{1,40})?$', false)) THEN
		RETURN 'the change is malformed';
	END IF;
	IF action = 'propose' THEN
		RETURN CASE WHEN validation = 'null' THEN '' ELSE 'a proposal that is new was validated' END;
	END IF;
	IF jsonb_typeof(validation) IS DISTINCT FROM 'object' OR EXISTS (
		SELECT FROM (VALUES ('base'), ('candidate')) AS s (side),
			unnest(ARRAY['answers', 'given', 'required', 'cited', 'contradictory', 'confidence_sum', 'p95_ms', 'cost_usd']) AS m (name)
		WHERE NOT (is_earlier AND m.name = 'given') AND NOT COALESCE(validation -> s.side ->> m.name ~ '^[0-9]{1,20}([.][0-9]{1,40})?$',
			m.name IN ('p95_ms', 'cost_usd') AND validation -> s.side -> m.name = 'null')) THEN
		RETURN 'the measures are malformed';
	END IF;
	judged := answer.portable(answer.evolve_judge(jsonb_build_object('given', validation #> '{base,answers}') || (validation -> 'base'),
		jsonb_build_object('given', validation #> '{candidate,answers}') || (validation -> 'candidate')));
	IF judged -> 'passed' IS DISTINCT FROM validation -> 'passed' OR judged -> 'failures' IS DISTINCT FROM validation -> 'failures' THEN
		RETURN 'the measures are judged otherwise';
	END IF;
	expected := CASE WHEN judged -> 'passed' <> 'true' THEN 'reject'
		WHEN NOT answer.evolve_is_low_risk(proposal -> 'from', proposal -> 'change')
			OR is_earlier AND proposal -> 'change' ?| '{floor,confidence_threshold,confidence_threshold_high_risk}' THEN 'wait'
		WHEN validation #> '{promotion,moved}' = 'true' THEN 'apply' ELSE 'reject' END;
	RETURN CASE WHEN action <> expected THEN 'what was done does not follow from the measures'
		WHEN expected <> 'apply' AND validation #> '{promotion,moved}' = 'true' THEN 'what was not to be applied was' ELSE '' END;
END
$$;
COMMENT ON FUNCTION answer.evolve_problem(text, jsonb) IS
'Returns what is wrong with a proposal, for the verification of its record: the measures are judged again, and the action must follow from them; not for direct use.';

CREATE FUNCTION @extschema@.answer_evolve_propose(environment text DEFAULT NULL, change jsonb DEFAULT NULL, reason text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_evolve_propose'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_evolve_propose(text, jsonb, text) IS
'Proposes changes to the configuration that is active in an environment, and signs a record of each (change/v1). See doc/reference.md#answer_evolve_propose.';

CREATE FUNCTION @extschema@.answer_evolve_validate(proposal text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_evolve_validate'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_evolve_validate(text) IS
'Measures a proposal against the configuration in force, and acts on the result, with a signed record (change/v1). See doc/reference.md#answer_evolve_validate.';

CREATE VIEW answer.evolve_proposal AS
SELECT DISTINCT ON (r.tenant, r.body OPERATOR(pg_catalog.->>) 'name') r.tenant, r.body OPERATOR(pg_catalog.->>) 'name' AS proposal,
	r.body OPERATOR(pg_catalog.#>>) '{after,environment}' AS environment, r.body OPERATOR(pg_catalog.#>>) '{after,state}' AS state,
	r.body OPERATOR(pg_catalog.#>>) '{after,base}' AS base, r.body OPERATOR(pg_catalog.#>) '{after,from}' AS before,
	r.body OPERATOR(pg_catalog.#>) '{after,change}' AS change, r.body OPERATOR(pg_catalog.#>>) '{after,reason}' AS reason,
	NULLIF(r.body OPERATOR(pg_catalog.#>) '{after,slo}', 'null') AS slo, r.body OPERATOR(pg_catalog.#>>) '{after,by}' AS by_role,
	r.body OPERATOR(pg_catalog.#>>) '{after,validation,config}' AS config_id,
	NULLIF(r.body OPERATOR(pg_catalog.#>) '{after,validation}', 'null') AS validation,
	(r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 AS revision, r.issued_at, r.receipt_id
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) 'proposal'
ORDER BY r.tenant, r.body OPERATOR(pg_catalog.->>) 'name', (r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 DESC, r.receipt_id;
COMMENT ON VIEW answer.evolve_proposal IS 'Proposals for a better configuration, one per row, from the newest signed record (change/v1) of each. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.tenant IS 'Owner of the proposal: a tenant, or empty for the operator. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.proposal IS 'Its id, derived from environment, base and change: "prp_" and 16 hex digits. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.environment IS 'The environment whose configuration it would change. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.state IS 'proposed; applied: it passed and was promoted to its next stage; waiting: it passed, and an administrator must promote it; rejected. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.base IS 'The configuration that was active. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.before IS 'Values of the changed keys before. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.change IS 'Their proposed values. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.reason IS 'Why it was proposed. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.slo IS 'The row of answer_slo(''24 hours'') that it responds to. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.by_role IS 'The role that proposed it. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.config_id IS 'The resulting configuration; a version if the proposal passed. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.validation IS 'The measurements, and the result. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.revision IS 'Number of the record among those of the proposal. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.issued_at IS 'When the record was signed. See doc/tables.md#answerevolve_proposal.';
COMMENT ON COLUMN answer.evolve_proposal.receipt_id IS 'The record, "chg_...", for answer_receipt(). See doc/tables.md#answerevolve_proposal.';

/* the audit: before and after */

CREATE FUNCTION answer.audit_report_put(tenant text, from_instant timestamptz, to_instant timestamptz, baseline text, run text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
#variable_conflict use_variable
DECLARE
	now_is		jsonb;
	was			jsonb := '{}';
	measured	jsonb;
	body		jsonb;
	took		bigint[];
	evidence	jsonb;
	lines		jsonb;
	steps		jsonb;
	proposals	jsonb;
BEGIN
	IF from_instant IS NULL OR to_instant IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'from_instant and to_instant must not be null';
	END IF;
	IF NOT isfinite(from_instant) OR NOT isfinite(to_instant) OR to_instant <= from_instant THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('there is no window from %s to %s', from_instant, to_instant),
			hint = 'to_instant must be after from_instant; documents from after the first up to the second count.';
	END IF;
	-- totals of the window's documents; without documents there is no row, and nothing is measured
	SELECT to_jsonb(s) INTO now_is
	FROM (SELECT) AS always
	LEFT JOIN LATERAL (SELECT * FROM answer.slo_of(ARRAY[audit_report_put.tenant], to_instant - from_instant, to_instant) AS o
		WHERE o.tenant = audit_report_put.tenant AND o.intent IS NULL) AS s ON true;
	now_is := COALESCE(now_is, '{}');
	evidence := jsonb_build_object('baseline', NULL, 'run', NULL);
	IF baseline IS NOT NULL THEN
		SELECT jsonb_build_object('citation_rate', m.citation_rate, 'contradiction_rate', m.contradiction_rate, 'p50_ms', m.p50_ms,
			'p95_ms', m.p95_ms, 'cost_per_answer', m.cost_usd / NULLIF(m.answers, 0),
			'cost_per_verified_answer', m.cost_per_verified_answer, 'coverage', m.answers::numeric / NULLIF(m.questions, 0)),
			evidence || jsonb_build_object('baseline', jsonb_build_object('name', m.name, 'version', m.version, 'digest', m.digest))
		INTO was, evidence
		FROM answer.baseline_measure AS m WHERE m.tenant = audit_report_put.tenant AND m.name = baseline ORDER BY m.version DESC LIMIT 1;
		IF NOT FOUND THEN
			RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no baseline %s', to_json(baseline)),
				hint = 'answer_baseline_load() loads one.';
		END IF;
		-- the evidence is a digest, so what is compared must be what has that digest
		IF evidence #>> '{baseline,digest}' IS DISTINCT FROM (
			SELECT answer.baseline_digest(COALESCE(jsonb_agg(to_jsonb(r) - ARRAY['tenant', 'name', 'version']), '[]'))
			FROM answer.baseline_row AS r WHERE r.tenant = audit_report_put.tenant AND r.name = baseline
			AND r.version = (evidence #>> '{baseline,version}')::int4) THEN
			RAISE EXCEPTION USING errcode = 'XX001', message = format('baseline %s of version %s is not what was loaded',
				to_json(baseline), evidence #>> '{baseline,version}'),
				detail = 'Its rows do not hash to its digest.',
				hint = 'Load it again under another name, with answer_baseline_load().';
		END IF;
	END IF;
	IF run IS NOT NULL THEN
		body := answer.run_verified(ARRAY[audit_report_put.tenant], run);
		SELECT t.took INTO took FROM answer.run_timing AS t WHERE t.tenant = audit_report_put.tenant AND t.run_id = run;
		measured := answer.evolve_measure(body -> 'cases', COALESCE(took, '{}'), body -> 'config');
		-- the cost of a run is not known: the documents' cost is used
		SELECT now_is || jsonb_build_object('citation_rate', m.cited / NULLIF(m.required, 0), 'contradiction_rate', m.contradictory / NULLIF(m.given, 0),
			'p50_ms', measured -> 'p50_ms', 'p95_ms', measured -> 'p95_ms', 'coverage', m.supported / NULLIF(m.answers, 0),
			'gqs', m.confidence / NULLIF(m.answers, 0) * COALESCE(1 - m.contradictory / NULLIF(m.given, 0), 0))
		INTO now_is
		FROM (SELECT (measured ->> 'answers')::numeric AS answers, (measured ->> 'given')::numeric AS given, (measured ->> 'required')::numeric AS required, (measured ->> 'cited')::numeric AS cited,
			(measured ->> 'contradictory')::numeric AS contradictory, (measured ->> 'supported')::numeric AS supported,
			(measured ->> 'confidence_sum')::numeric AS confidence) AS m;
		evidence := evidence || jsonb_build_object('run', jsonb_build_object('run_id', run, 'digest', body -> 'digest'));
	END IF;
	SELECT jsonb_agg(jsonb_build_object('metric', v.metric, 'baseline', trim_scale(round(v.was, 9)), 'now', trim_scale(round(v.now, 9)), 'target', v.target,
		'passed', CASE v.metric WHEN 'citation_rate' THEN v.now >= 0.90 WHEN 'contradiction_rate' THEN v.now <= 0.03
			WHEN 'p95_ms' THEN v.now <= 0.65 * v.was WHEN 'cost_per_verified_answer' THEN v.now <= 1.10 * v.was END) ORDER BY v.n)
	INTO lines
	FROM (SELECT t.*, (now_is ->> t.metric)::numeric AS now, (was ->> t.metric)::numeric AS was
		FROM (VALUES (1, 'citation_rate', '>= 0.90'), (2, 'contradiction_rate', '<= 0.03'), (3, 'p50_ms', NULL), (4, 'p95_ms', '<= 0.65 x baseline'),
			(5, 'cost_per_answer', NULL), (6, 'cost_per_verified_answer', '<= 1.10 x baseline'), (7, 'coverage', NULL), (8, 'gqs', NULL))
			AS t (n, metric, target)) AS v;
	SELECT COALESCE(jsonb_agg(jsonb_build_object('environment', c.environment, 'revision', c.revision, 'action', c.action, 'config', c.config_id,
		'stage', c.stage, 'outcome', c.outcome, 'active', c.active_after, 'issued_at', c.issued_at, 'receipt_id', c.receipt_id)
		ORDER BY c.environment, c.revision), '[]')
	INTO steps FROM answer.config_step AS c
	WHERE c.tenant = audit_report_put.tenant AND c.issued_at > from_instant AND c.issued_at <= to_instant;
	SELECT COALESCE(jsonb_agg(jsonb_build_object('proposal', c.name, 'revision', c.revision, 'action', c.action, 'environment', c.after -> 'environment',
		'change', c.after -> 'change', 'runs', c.after #> '{validation,runs}', 'failures', c.after #> '{validation,failures}',
		'issued_at', c.issued_at, 'receipt_id', c.receipt_id) ORDER BY c.name, c.revision), '[]')
	INTO proposals FROM answer.change AS c
	WHERE c.kind = 'proposal' AND c.tenant = audit_report_put.tenant AND c.issued_at > from_instant AND c.issued_at <= to_instant;
	SELECT evidence || jsonb_build_object('changes', COALESCE((SELECT jsonb_agg(e.value -> 'receipt_id' ORDER BY e.value ->> 'receipt_id' COLLATE "C")
			FROM jsonb_array_elements(steps || proposals) AS e), '[]'),
		'runs', COALESCE((SELECT jsonb_agg(jsonb_build_object('run_id', o.run_id, 'digest', o.digest) ORDER BY o.finished_at, o.run_id)
			FROM answer.run AS o WHERE o.tenant = audit_report_put.tenant AND o.finished_at > from_instant AND o.finished_at <= to_instant), '[]'))
	INTO evidence;
	RETURN jsonb_build_object('from', from_instant, 'to', to_instant, 'answers', COALESCE(now_is -> 'answers', 'null'), 'metrics', lines,
		'acceptance', (SELECT jsonb_build_object('passed', CASE WHEN bool_or(l.value -> 'passed' = 'false') THEN false
				WHEN bool_or(l.value -> 'passed' = 'null') THEN NULL ELSE true END,
			'criteria', jsonb_object_agg(l.value ->> 'metric', l.value -> 'passed'))
			FROM jsonb_array_elements(lines) AS l WHERE l.value -> 'target' <> 'null'),
		'steps', steps, 'proposals', proposals, 'evidence', evidence);
END
$$;
COMMENT ON FUNCTION answer.audit_report_put(text, timestamptz, timestamptz, text, text) IS
'Makes the report of answer_audit_report(), as the owner of the tables; it changes nothing; not for direct use.';

CREATE FUNCTION @extschema@.answer_audit_report(from_instant timestamptz, to_instant timestamptz, baseline text DEFAULT NULL, run text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_audit_report(timestamptz, timestamptz, text, text) IS
'Compares the results of the caller''s tenant''s answers in a window with a baseline, and lists what changed meanwhile and where the evidence is. See doc/reference.md#answer_audit_report.';

REVOKE ALL ON answer.evolve_proposal FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.evolve_knobs(),
	answer.evolve_changes(jsonb),
	answer.evolve_breaches(jsonb),
	answer.evolve_judge(jsonb, jsonb),
	answer.evolve_measure(jsonb, bigint[], jsonb),
	answer.evolve_is_low_risk(jsonb, jsonb),
	answer.evolve_problem(text, jsonb),
	answer.audit_report_put(text, timestamptz, timestamptz, text, text),
	@extschema@.answer_evolve_propose(text, jsonb, text),
	@extschema@.answer_evolve_validate(text),
	@extschema@.answer_audit_report(timestamptz, timestamptz, text, text)
FROM PUBLIC;
