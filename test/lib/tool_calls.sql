-- Calls of tools as our functions store them, with times that a test chooses: only they and a superuser, who reads the
-- private key, can make the code of a row. By the rule that src/keys/row_mac.c and src/document/stored_row.c state.
CREATE SCHEMA calls;

-- The block of a key for HMAC (RFC 2104), each byte of it with another one.
CREATE FUNCTION calls.block(key bytea, pad integer) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT decode(string_agg(lpad(to_hex(CASE WHEN i < length(key) THEN get_byte(key, i) ELSE 0 END # pad), 2, '0'), '' ORDER BY i), 'hex')
	FROM generate_series(0, 63) AS i $$;

CREATE FUNCTION calls.hmac(key bytea, message bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
	SELECT sha256(calls.block(key, 92) || sha256(calls.block(key, 54) || message)) $$;

-- The key of codes, of the private key that signs. A file of PKCS #8 ends with its 32 bytes.
CREATE FUNCTION calls.key() RETURNS bytea LANGUAGE sql VOLATILE AS $$
	SELECT calls.hmac(substring(pem FROM length(pem) - 31), convert_to('answer_eval: rows that were recorded (1)', 'UTF8')
		|| '\x00'::bytea || convert_to(folder::text, 'UTF8'))
	FROM answer.signing_key k, LATERAL decode(regexp_replace(pg_read_file(concat_ws('/',
		coalesce(nullif(current_setting('answer_eval.key_directory', true), ''), 'answer_eval_keys'), k.folder, k.key_id || '.pem')),
		'-----[^-]+-----|\s', '', 'g'), 'base64') AS pem
	WHERE k.status = 'active' $$;

-- Stores calls of a tool, a second apart, the first a second before an instant; returns how many.
CREATE FUNCTION calls.add(tool text, us bigint[], at timestamptz DEFAULT now(), tenant text DEFAULT '') RETURNS bigint LANGUAGE sql VOLATILE AS $$
	WITH key AS MATERIALIZED (SELECT calls.block(k, 54) AS inner_block, calls.block(k, 92) AS outer_block,
			(SELECT decode(right(key_id, 12), 'hex') FROM answer.signing_key WHERE status = 'active') AS id FROM calls.key() AS k),
	call AS MATERIALIZED (SELECT at - n * interval '1 second' AS called_at, u AS took, hashint8extended(n, (random() * 1e18)::bigint) AS call
		FROM unnest(us) WITH ORDINALITY AS x (u, n)),
	added AS (INSERT INTO answer.tool_call (tenant, tool, called_at, microseconds, call, mac)
		SELECT tenant, tool, c.called_at, c.took, c.call, k.id || sha256(k.outer_block || sha256(k.inner_block || 'tool_call'::bytea || '\x00'::bytea
			|| sha256(convert_to(tenant, 'UTF8') || '\x00'::bytea || convert_to(tool, 'UTF8') || '\x00'::bytea
				|| timestamptz_send(c.called_at) || int8send(c.call) || int8send(c.took))))
		FROM call AS c, key AS k RETURNING 1)
	SELECT count(*) FROM added $$;
