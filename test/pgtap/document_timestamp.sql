-- Properties of a time-stamp: it is for one receipt, one instant and one authority, and no byte of it can be changed.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(22);

-- Made once with OpenSSL's `ts` command: a token over this receipt, its authority's root, and another root with the
-- same name.
CREATE TEMP TABLE fixed AS SELECT
	'{"issued_at":"2026-02-01T12:00:00Z","receipt_id":"ans_5157009e13f1bd4a","schema":"answer/v1",'
		'"verdict":"supported"}'::jsonb AS receipt, decode(
	'MIID3gYJKoZIhvcNAQcCoIIDzzCCA8sCAQMxDzANBglghkgBZQMEAgEFADCBrQYLKoZIhvcNAQkQAQSggZ0EgZowgZcCAQEGBCoDBAEwMTAN' ||
	'BglghkgBZQMEAgEFAAQgx/FDQZqCjBRodl3gDSovccNKN/3OPfVsfKbLEhPz+2UCASsYDzIwMjYxMTIyMDI1NDU4WjAKAgEBgAIB9IEBZAEB' ||
	'/wIJANpOKpIJXocloCukKTAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBoIIBvjCCAbowggFfoAMCAQICFDNiUk2d' ||
	'L1wPOuQAF1+bydCV+0oWMAoGCCqGSM49BAMCMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMCAXDTI2MTEyMjAyNTQ1OFoYDzIwODEwODI1MDI1' ||
	'NDU4WjAnMQ4wDAYDVQQKDAVDYWbDqTEVMBMGA1UEAwwMUmVjb3JkZWQgVFNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXx8d7tOBzUeW' ||
	'KyKOlhwhortan18rLyETalp9Rnyah+XLVR6dSbzHHI/N6/v7J+Oi6hqM/T5JMdd4HITrrpUZX6N4MHYwDAYDVR0TAQH/BAIwADAOBgNVHQ8B' ||
	'Af8EBAMCB4AwFgYDVR0lAQH/BAwwCgYIKwYBBQUHAwgwHQYDVR0OBBYEFNi/fOghC81iabskuzzyeIE8HTvXMB8GA1UdIwQYMBaAFIJWXCDy' ||
	'fyQ6ade2iOD+ItGC2BwUMAoGCCqGSM49BAMCA0kAMEYCIQC3eZBKBqZGHIFNn1NOMPXS4txRuDq7u/DDRP753Ou3DgIhAOuO+a99IUbUe19U' ||
	'yuoj2h2R/J5zZcEav3QoyZvC5bF9MYIBQTCCAT0CAQEwLjAWMRQwEgYDVQQDDAtSZWNvcmRlZCBDQQIUM2JSTZ0vXA865AAXX5vJ0JX7ShYw' ||
	'DQYJYIZIAWUDBAIBBQCggaQwGgYJKoZIhvcNAQkDMQ0GCyqGSIb3DQEJEAEEMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIwMjU0NThaMC8GCSqG' ||
	'SIb3DQEJBDEiBCAMBSXHvzSPrnvg/bO4M4xbJATvZTGby0sKK6qlwmI1lTA3BgsqhkiG9w0BCRACLzEoMCYwJDAiBCASAvjzUAI/QaJTQ6n0' ||
	'ynbTn33bBmrZOUZYnnunCRoWOzAKBggqhkjOPQQDAgRGMEQCIElcfRrfM0cMtBrg/SJ81nvyfnGQywWvog7GGV0UBZSRAiAdE56TJ1ocDbif' ||
	'Q4FTSpe4DFYm9aORIbBkPv/s8haQ7w==', 'base64') AS token,
	'-----BEGIN CERTIFICATE-----
MIIBcTCCARigAwIBAgIUNoHbIkyxgNC/HoiXJpkADDit32gwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEunfks8dHkaKIKZKwfcsiTCVomyt0N9xWuhaZ81WAj1dXKOVW
kSN6uUN8iO3Po7xRwSVwCFsrbnsuEgvU0HFDSqNCMEAwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFIJWXCDyfyQ6ade2iOD+ItGC2BwU
MAoGCCqGSM49BAMCA0cAMEQCIA5G33DMbE8G/fV0SyjYjlECXZAEzVbFL+VfZF5C
JkQzAiBCD9Br3q9PKSGXcMVo2+AlBJEkDHKce9iAXQySZFewfw==
-----END CERTIFICATE-----' AS root,
	'-----BEGIN CERTIFICATE-----
MIIBczCCARigAwIBAgIUAWh0yb9rr2YPxY+s/hbiCcAcQnUwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLUmVjb3JkZWQgQ0EwIBcNMjYxMTIyMDI1NDU4WhgPMjA4MTA4
MjUwMjU0NThaMBYxFDASBgNVBAMMC1JlY29yZGVkIENBMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEhxOw3PjjMNiaoVpNBkXV6G/KvFLUpRAcQppARkcaO/K6Ptdh
m0hKrfuhNHIi8g39yc5+fsIjxv19FTgkBIvLuaNCMEAwDwYDVR0TAQH/BAUwAwEB
/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFPgA5bbRxnehCpQ9ORrQ7/XE4WD3
MAoGCCqGSM49BAMCA0kAMEYCIQC4CpXEKJsZXM02QoRubFqRHS4x6nvgCN5AyG0v
En05iAIhALKyUEqV6qXBa7YKZ0dRQnp3YTINJDtgrHDi+gnsy5yX
-----END CERTIFICATE-----' AS namesake;
CREATE FUNCTION pg_temp.anchored(receipt jsonb, token bytea) RETURNS jsonb LANGUAGE sql AS $$
	SELECT receipt ||
		jsonb_build_object('anchor',
			answer.anchor(token, decode(substr(answer_digest(receipt - '{anchor,signature}'::text[]), 8), 'hex'),
				'2026-12-01Z')) $$;
CREATE FUNCTION pg_temp.outcome(document jsonb, roots text DEFAULT NULL, at timestamptz DEFAULT NULL) RETURNS text
	LANGUAGE sql AS $$
	SELECT answer_anchor_verify(document, roots, at) ->> 'outcome'
$$;
CREATE TEMP TABLE good AS SELECT pg_temp.anchored(receipt, token) AS document, * FROM fixed;

SELECT is((SELECT pg_temp.outcome(receipt, root) FROM good), 'absent', 'a receipt without an anchor has none');
SELECT is((SELECT pg_temp.outcome(document) FROM good), 'declared', 'without roots an authority is only named');
SELECT is((SELECT pg_temp.outcome(document, root) FROM good), 'verified', 'under its root it is verified');
SELECT is((SELECT pg_temp.outcome(document, namesake) FROM good), 'mismatch', 'not under a root of the same name');
SELECT is((SELECT pg_temp.outcome(document, namesake || E'\n' || root) FROM good), 'verified', 'under both');
SELECT is((SELECT pg_temp.outcome(document, root, at) FROM good, CAST('2020-01-01Z' AS timestamptz) AS at), 'mismatch',
	'not before the root is valid');
SELECT is((SELECT answer_anchor_verify(document, root) #>> '{steps,chain,at}' FROM good), '2026-11-22T02:54:58Z',
	'the moment of the chain is the token''s own, not the clock''s');

-- The anchor around the token.
SELECT is_empty($$SELECT k FROM good, unnest('{issued_at,receipt_id,verdict}'::text[]) AS k
		WHERE pg_temp.outcome(jsonb_set(document, ARRAY[k], '"other"'), root) <> 'mismatch'
			OR pg_temp.outcome(document - k, root) <> 'mismatch'$$, 'no member of the receipt can change');
SELECT is((SELECT pg_temp.outcome(document || '{"more": 1}', root) FROM good), 'mismatch', 'or come in addition');
SELECT is_empty($$SELECT k FROM good, unnest('{token,imprint,hash_alg}'::text[]) AS k
		WHERE pg_temp.outcome(jsonb_set(document, ARRAY['anchor', k], '"other"'), root) <> 'mismatch'
			OR pg_temp.outcome(document #- ARRAY['anchor', k], root) <> 'mismatch'$$, 'no member of the anchor');
SELECT is((SELECT pg_temp.outcome(pg_temp.anchored(receipt || '{"verdict": "contradicted"}', token), root) FROM good),
	'mismatch', 'a token is of no use to another receipt');
SELECT ok((SELECT answer_verify(document, '{}') #> '{steps,anchor,ok}' = 'true'
			AND answer_verify(jsonb_set(document, '{verdict}', '"x"'), '{}') #> '{steps,anchor,ok}' = 'false'
		FROM good), 'answer_verify looks at it too');

-- The bytes of the token.
SELECT is_empty($$SELECT n FROM good, generate_series(0, length(token) - 1, 3) AS n
		WHERE pg_temp.outcome(pg_temp.anchored(receipt, substr(token, 1, n)), root) <> 'mismatch'$$,
	'it cannot be cut');
SELECT is_empty($$SELECT n FROM good, generate_series(0, length(token) - 1) AS n
		WHERE pg_temp.outcome(pg_temp.anchored(receipt, set_byte(token, n, get_byte(token, n) # (1 << n % 8))),
			root) = 'verified'$$, 'and no bit of it can turn');
SELECT is_empty($$SELECT t FROM good, unnest(ARRAY['\x00', '\x0000', token]) AS t
		WHERE pg_temp.outcome(pg_temp.anchored(receipt, token || t), root) <> 'mismatch'$$, 'nor anything follow');

-- Requests (RFC 3161, 2.4.1): DER with the digest of the receipt and a nonce of its own.
SELECT lives_ok('SELECT answer_key_generate()', 'a key');
CREATE TEMP TABLE made AS
	SELECT n,
		answer_eval(jsonb_build_object('checks',
			jsonb_build_array(jsonb_build_object('tool', 'none', 'args',
				jsonb_build_object('n', n)))))->> 'receipt_id' AS receipt_id
	FROM generate_series(1, 5) AS n;
CREATE TEMP TABLE request AS SELECT receipt_id, answer_anchor_request(receipt_id) AS der
FROM made, generate_series(1, 4);
SELECT is((SELECT count(DISTINCT der) FROM request), 20::bigint, 'no two requests are the same');
SELECT is_empty($$SELECT receipt_id FROM request WHERE get_byte(der, 0) <> 48 OR get_byte(der, 1) <> length(der) - 2$$,
	'a request is one SEQUENCE');
SELECT is_empty($$SELECT receipt_id FROM request
	WHERE position(decode(substr(answer_digest(answer_receipt(receipt_id) - '{anchor,signature}'::text[]), 8), 'hex')
		IN der) = 0
	AND position(decode(substr(answer_digest(answer_receipt(receipt_id)), 8), 'hex') IN der) = 0$$,
		'with the digest of its receipt');
SELECT throws_ok($$SELECT answer_anchor_request('ans_0000000000000000')$$, NULL, NULL,
	'there is none for what is not there');
SELECT throws_ok(format('SELECT answer_anchor_attach(%L, %L)', receipt_id, token), '22023', NULL,
	'a token over another receipt is not attached')
FROM made, fixed WHERE n = 1;
SELECT is((SELECT count(*) FROM answer.anchor), 0::bigint, 'and nothing of it is stored');
SELECT * FROM finish();
ROLLBACK;
