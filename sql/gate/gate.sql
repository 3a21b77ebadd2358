
/* gates: whether a run is good enough; doc/spec/gate.md section 4 */

CREATE FUNCTION answer.gate_judge(run jsonb, rules jsonb DEFAULT NULL, baseline jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_gate_judge'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION answer.gate_judge(jsonb, jsonb, jsonb) IS
'Judges a run by rules (gate/1), from its arguments alone; not for direct use, because it does not check whether they were signed.';

CREATE FUNCTION answer.run_verified(tenants text[], run_id text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	body jsonb := answer.run_of(tenants, run_id);
BEGIN
	IF NOT @extschema@.answer_verify_ok(body) THEN
		RAISE EXCEPTION USING errcode = 'XX001', message = format('run "%s" does not verify', run_id),
			hint = 'answer_verify(answer_receipt(id)) tells which step fails; answer_log_audit() what else was changed.';
	END IF;
	RETURN body;
END
$$;
COMMENT ON FUNCTION answer.run_verified(text[], text) IS
'Reads a run and verifies it, so that no gate judges an altered run; not for direct use.';

CREATE FUNCTION answer.gate_of(tenants text[], run text, rules jsonb, baseline text) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF run IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'run must not be null';
	END IF;
	RETURN answer.gate_judge(answer.run_verified(tenants, run), rules,
		CASE WHEN baseline IS NOT NULL THEN answer.run_verified(tenants, baseline) END);
END
$$;
COMMENT ON FUNCTION answer.gate_of(text[], text, jsonb, text) IS
'Judges a run for answer_gate(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_gate(run text, rules jsonb DEFAULT NULL, baseline text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_gate(text, jsonb, text) IS
'Judges whether a run is good enough, by rules. See doc/reference.md#answer_gate.';

CREATE FUNCTION answer.gate_assert_of(tenants text[], run text, rules jsonb, baseline text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	judged jsonb := answer.gate_of(tenants, run, rules, baseline);
BEGIN
	IF judged ->> 'passed' = 'true' THEN
		RETURN;
	END IF;
	RAISE EXCEPTION USING errcode = 'P0001',
		message = format('gate of run "%s": %s', run, judged ->> 'outcome'),
		detail = (SELECT string_agg(t.text, E'\n' ORDER BY t.kind, t.place) FROM (
			SELECT 1, f.text, f.place FROM jsonb_array_elements_text(judged -> 'failures') WITH ORDINALITY AS f (text, place)
			UNION ALL SELECT 2, 'inconclusive: ' || i.text, i.place
			FROM jsonb_array_elements_text(judged -> 'inconclusive') WITH ORDINALITY AS i (text, place)) AS t (kind, text, place));
END
$$;
COMMENT ON FUNCTION answer.gate_assert_of(text[], text, jsonb, text) IS
'Judges a run for answer_gate_assert(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_gate_assert(run text, rules jsonb DEFAULT NULL, baseline text DEFAULT NULL) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_gate_assert(text, jsonb, text) IS
'Raises an error unless a run passes its gate, so that psql -v ON_ERROR_STOP=1 stops there. See doc/reference.md#answer_gate_assert.';

REVOKE ALL ON FUNCTION
	answer.gate_judge(jsonb, jsonb, jsonb),
	answer.run_verified(text[], text),
	answer.gate_of(text[], text, jsonb, text),
	@extschema@.answer_gate(text, jsonb, text),
	answer.gate_assert_of(text[], text, jsonb, text),
	@extschema@.answer_gate_assert(text, jsonb, text)
FROM PUBLIC;
