
/* log: the page of a stored receipt, with its proof */

CREATE FUNCTION @extschema@.answer_receipt_html(id text, keys jsonb DEFAULT NULL) RETURNS text
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	document	jsonb := @extschema@.answer_receipt(answer_receipt_html.id);
	given		jsonb := answer_receipt_html.keys;
	inclusion	jsonb;
	vkeys		text[];
	-- Ed25519, in the notation of signed notes
	signed_by	constant bytea := decode('01', 'hex');
BEGIN
	IF document IS NULL THEN
		RETURN NULL;
	END IF;
	IF given IS NULL THEN
		given := (SELECT COALESCE(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
				'key_id', k.key_id,
				'public_key', translate(encode(k.public_key, 'base64'), '+/', '-_'),
				'fingerprint', k.fingerprint,
				'status', k.status,
				'active_from', to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
				'retired_at', to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
				'compromised_after', to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))), '[]')
			FROM answer.signing_key k
			WHERE k.key_id = document -> 'signature' ->> 'key_id');
	END IF;
	-- A caller who may not ask for a proof gets a page without one; so does a caller who asks before the receipt is
	-- sealed.
	IF has_function_privilege('@extschema@.answer_log_inclusion(text, bigint)', 'EXECUTE') THEN
		BEGIN
			inclusion := @extschema@.answer_log_inclusion(answer_receipt_html.id) - 'forgotten';
			-- The keys of this log, as answer_log_verify() takes them: those that are active or have signed a
			-- checkpoint here, and are not compromised. If the caller says which keys to trust, only these.
			vkeys := (SELECT array_agg(format('%s+%s+%s', inclusion ->> 'origin',
					left(encode(sha256(convert_to((inclusion ->> 'origin') || chr(10), 'UTF8') || signed_by || k.public_key), 'hex'), 8),
					encode(signed_by || k.public_key, 'base64')) ORDER BY k.key_id)
				FROM answer.signing_key k
				WHERE k.status <> 'compromised'
				AND (k.status = 'active' OR EXISTS (SELECT FROM answer.checkpoint c WHERE c.key_id = k.key_id))
				AND (answer_receipt_html.keys IS NULL OR rtrim(translate(encode(k.public_key, 'base64'), '+/', '-_'), '=') IN (
					SELECT rtrim(g.value, '=') FROM jsonb_each_text(CASE jsonb_typeof(given) WHEN 'object' THEN given END) AS g
					UNION ALL
					SELECT rtrim(g ->> 'public_key', '=')
					FROM jsonb_array_elements(CASE jsonb_typeof(given) WHEN 'array' THEN given END) AS g
					WHERE jsonb_typeof(g) = 'object' AND g ->> 'status' IS DISTINCT FROM 'compromised')));
			IF vkeys IS NULL AND answer_receipt_html.keys IS NOT NULL THEN
				inclusion := NULL;
			END IF;
		EXCEPTION WHEN object_not_in_prerequisite_state OR insufficient_privilege THEN
			inclusion := NULL;
		END;
	END IF;
	RETURN answer.receipt_html(document, given, inclusion, vkeys);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_receipt_html(text, jsonb) IS
'Returns a stored receipt as one page of HTML, to be mailed or opened from a disk: the answer, its checks, its evidence with provenance and age, issuer, tenant and instants. See doc/reference.md#answer_receipt_html.';
REVOKE ALL ON FUNCTION @extschema@.answer_receipt_html(text, jsonb) FROM PUBLIC;
