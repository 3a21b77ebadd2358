
/* plan: replay bundles */

CREATE FUNCTION answer.replay_bundle_write(document jsonb, keys jsonb) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_replay_bundle_write'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION answer.replay_bundle_write(jsonb, jsonb) IS
'Makes a bundle for answer_replay_bundle(); not for direct use.';
REVOKE ALL ON FUNCTION answer.replay_bundle_write(jsonb, jsonb) FROM PUBLIC;

CREATE FUNCTION answer.replay_bundle_of(tenants text[], reader oid, trace_id text) RETURNS bytea
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	run record;
	readable boolean;
	document jsonb;
BEGIN
	IF replay_bundle_of.trace_id IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004',
			message = 'trace_id must not be null';
	END IF;
	SELECT r.status, r.receipt_id, r.issued_at, r.role INTO run FROM answer.plan_run r
	WHERE r.tenant = ANY (tenants) AND r.trace_id = replay_bundle_of.trace_id;
	readable := FOUND;
	-- without tenants, table privileges decide
	IF readable AND tenants <> '{""}' THEN
		readable := answer.trace_readable(tenants, reader, run.role)
			OR has_function_privilege(reader, '@extschema@.answer_receipt(text, timestamptz)', 'EXECUTE');
	END IF;
	IF NOT readable THEN
		RAISE EXCEPTION USING errcode = 'no_data_found',
			message = format('there is no trace "%s"', replay_bundle_of.trace_id),
			hint = 'The answer of a plan has its trace_id.';
	ELSIF run.status <> 'done' THEN
		RAISE EXCEPTION USING errcode = 'object_not_in_prerequisite_state',
			message = format('the plan of trace "%s" is not finished', replay_bundle_of.trace_id),
			detail = format('It is %s, and a bundle holds the document that is signed at the end.', run.status),
			hint = CASE run.status WHEN 'pending' THEN 'answer_plan_resume() continues it.'
				ELSE 'If the session that executed it is gone, answer_plan_recover() settles it.' END;
	END IF;
	document := answer.receipt_of(tenants, run.receipt_id, run.issued_at);
	IF document IS NULL OR document ->> 'schema' <> 'plan/v1' THEN
		RAISE EXCEPTION USING errcode = CASE WHEN document IS NULL THEN 'no_data_found' ELSE 'restrict_violation' END,
			message = format('the document of trace "%s" is not here', replay_bundle_of.trace_id),
			detail = CASE WHEN document IS NULL THEN format('There is no receipt "%s".', run.receipt_id)
				ELSE format('It was forgotten at %s.', document ->> 'issued_at') END,
			hint = 'A forgotten document cannot be given out; answer_receipt() returns its tombstone.';
	END IF;
	RETURN answer.replay_bundle_write(document, @extschema@.answer_keys());
END
$$;
COMMENT ON FUNCTION answer.replay_bundle_of(text[], oid, text) IS
'Makes a bundle for answer_replay_bundle(), with the caller''s privileges as it determined them; not for direct use.';
REVOKE ALL ON FUNCTION answer.replay_bundle_of(text[], oid, text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_replay_bundle(trace_id text) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_of_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION @extschema@.answer_replay_bundle(text) IS
'Returns everything that a replay of a plan needs as one archive: ustar, in the layout of BagIt (RFC 8493), the same bytes at every call. See doc/reference.md#answer_replay_bundle.';
REVOKE ALL ON FUNCTION @extschema@.answer_replay_bundle(text) FROM PUBLIC;

CREATE FUNCTION answer.replay_verify(bundle bytea, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_replay_verify'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION answer.replay_verify(bytea, jsonb) IS
'Verifies a bundle of answer_replay_bundle(), and recomputes what follows from its parts: signatures of the document and of every event, the chain of events, conditions, verdicts of evidence, costs, and the answer. See doc/reference.md#answerreplay_verify.';
