
/* plan: replay bundles */

CREATE FUNCTION answer.replay_bundle_write(document jsonb, keys jsonb) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_replay_bundle_write'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION answer.replay_bundle_write(jsonb, jsonb) IS
'Makes a bundle for answer_replay_bundle(); not for direct use. Arguments: a document, plan/v1; the public keys that signed it and its events, {key_id: base64url}. Result: the archive. Errors: 22023 for a document or key that is malformed.';
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
	-- without tenants the rights on tables decide
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
			hint = CASE run.status WHEN 'pending' THEN 'answer_plan_resume() goes on with it.'
				ELSE 'If the session that executed it is gone, answer_plan_recover() settles it.' END;
	END IF;
	document := answer.receipt_of(tenants, run.receipt_id, run.issued_at);
	IF document IS NULL OR document ->> 'schema' <> 'plan/v1' THEN
		RAISE EXCEPTION USING errcode = CASE WHEN document IS NULL THEN 'no_data_found' ELSE 'restrict_violation' END,
			message = format('the document of trace "%s" is not here', replay_bundle_of.trace_id),
			detail = CASE WHEN document IS NULL THEN format('There is no receipt "%s".', run.receipt_id)
				ELSE format('It was forgotten at %s.', document ->> 'issued_at') END,
			hint = 'Of a document that was forgotten nothing can be given out; answer_receipt() has its tombstone.';
	END IF;
	RETURN answer.replay_bundle_write(document, @extschema@.answer_keys());
END
$$;
COMMENT ON FUNCTION answer.replay_bundle_of(text[], oid, text) IS
'Makes a bundle for answer_replay_bundle(), with the rights that it has found; not for direct use. Arguments: whose traces may be read; the role that reads; then as there. Result: as there.';
REVOKE ALL ON FUNCTION answer.replay_bundle_of(text[], oid, text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_replay_bundle(trace_id text) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_of_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION @extschema@.answer_replay_bundle(text) IS
'Everything that a replay of a plan needs, as one archive: ustar, in the layout of BagIt (RFC 8493), the same bytes whenever it is asked for. Argument: the id of a trace whose plan is finished. Result: the archive. Below the directory data, in a directory named after the document: document.json, plan/v1 as it was signed, and document.sig, the 64 bytes of its signature; plan.json; vars.json; tools/000001.json and so on, the specs; trace/000001.json, each event as it was signed, and trace/000001.sig; inputs/000001.json and outputs/000001.json, what went into the step of that event and came out, where the document has it; memory/000001.json, what it remembered; keys/KEY_ID.pem, the public keys; signatures.txt, a line a signature: the signed file, the signature, the key. tar, sha256sum -c manifest-sha256.txt and openssl pkeyutl -verify check it without this product. Errors: 22004 for NULL, P0002 for an unknown trace, one that a tenant''s role may read neither by answer_trace() nor by answer_receipt(), or a document that is not here, 55000 for a plan that is not finished, or a document whose partition was detached, 23001 for one that was forgotten, 22023 for one that was changed so that it is none, 42501 without the privilege, for which these are needed as long as there are no tenants: USAGE on the schema answer, SELECT on answer.plan_run, answer.receipt, answer.anchor and answer.signing_key, EXECUTE on answer_keys(), answer.receipt_of() and answer.replay_bundle_write().';
REVOKE ALL ON FUNCTION @extschema@.answer_replay_bundle(text) FROM PUBLIC;

CREATE FUNCTION answer.replay_verify(bundle bytea, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_replay_verify'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION answer.replay_verify(bytea, jsonb) IS
'Verifies a bundle of answer_replay_bundle(), and makes again what follows from its parts: signatures of the document and of every event, the chain of events, conditions, verdicts of evidence, what was paid, the answer. It looks at the bundle and the keys alone. Arguments: the bundle; keys, {key_id: base64url} or an array as of answer_key_registry(), or NULL for this database''s registry, read with the caller''s rights; the keys in the bundle are not trusted. Result: {"result": "identical"}; {"result": "diverged", "step", "field", "expected", "found"}, the first thing that is not as it must be: step is a node, or null; field is a member of the document or of an event, a file of the bundle, or "archive"; expected is null where no one value can be told; found may be a sentence; of what is longer than 1000 bytes both have the beginning; or {"result": "incomplete", "what"}: all that can be made again is as it must be, and inputs or outputs of these steps are not in the bundle, for they were larger than answer_eval.plan_io_limit. Beside that receipt_id and trace_id, if it could be read. A malformed bundle has diverged and is no error. Errors: 22004 for a NULL bundle, 54000 for one of more than 536870912 bytes or keys of more than 134217728, 42501 if keys is NULL and the registry is not readable. Callable by everybody.';
