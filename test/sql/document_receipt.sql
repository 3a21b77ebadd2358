-- Receipts: stored, verified, replayed (doc/spec/df-verify-1.md).
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
SET timezone = 'UTC';

-- A receipt that was minted outside the database, by another program, and signed
-- with the secret key of the first test of RFC 8032.
CREATE TABLE fixed AS
	SELECT '{"schema": "answer/v1",
	"receipt_id": "ans_dd4e601c1f378dc0",
	"issuer": "https://answer.example",
	"issued_at": "2026-02-01T12:00:00.500001Z",
	"evaluated_at": "2026-02-01T12:00:00.5Z",
	"mode": "checks",
	"verdict": "supported",
	"confidence": 0.6,
	"degraded": true,
	"checks": [
		{"id": "price", "args": {"of": "tea"}, "tool": "price", "expect": [{"op": "lte", "value": 4}, {"op": "eq", '
		'"path": "unit", "value": "EUR"}], "explain": {"summary": "all 2 expectations hold", '
		'"expectations": [{"op": "lte", "outcome": "holds", "observed": 3.5}, {"op": "eq", "path": "unit", '
		'"outcome": "holds", "observed": "EUR"}]}, "observe": false, "verdict": "supported", '
		'"evidence": ["sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe"], "observed": 3.5, '
		'"required": true, "confidence": 0.6},
		{"id": "sold", "args": {"of": "tea"}, "tool": "price", "expect": [{"op": "gt", "path": "sold", "value": 10}], '
		'"explain": {"summary": "expectation 1 of 1 (gt) does not hold", "expectations": [{"op": "gt", "path": "sold", '
		'"outcome": "fails", "observed": 7}]}, "observe": false, "verdict": "contradicted", '
		'"evidence": ["sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe"], "observed": 7, '
		'"required": false, "confidence": 0.6},
		{"id": "owner", "args": {}, "tool": "owner", "expect": [], '
		'"explain": {"summary": "no tool of that name is registered", "expectations": []}, "observe": false, '
		'"verdict": "outside_evidence_coverage", "evidence": [], "required": false, "confidence": 0}],
	"evidence_index": {
		"sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe":
		{"raw": {"sold": 7, "unit": "EUR"}, "args": {"of": "tea"}, "fact": "price", "value": 3.5, '
		'"expires": "2030-01-01T00:00:00Z", "timestamp": "2026-01-01T00:00:00Z", "provenance": {"source": "café"}, '
		'"verification": {"note": "supplied with the request; not attested", "basis": "producer-reported", '
		'"signals": {"fresh": true, "signed": false, "conflict": false, "corroborated": false, '
		'"source_present": true}, "sources": 1, "vantage": "producer-reported", "verified": false, '
		'"confidence": 0.6}}},
	"reproduce": {"calls": [], "evaluator": {"rules": ["answer-eval/1", "answer-conf/1", "fact-conf/1"], '
		'"engine_version": "0.1.0"}},
	"disclaimer": "The signature proves that these bytes are unchanged since they were issued, '
		'not that the evidence is true. Evidence is advisory.",
	"signature": {"alg": "Ed25519", "key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
		'"sig": "mv2RXLZ7x1Fv4JGq8vIkPLov2G-HEES4F4R_OTDv8nf5eeq7DG1cRa2d3yonQb6112oo0dn5DvvHH9a0rgK'
		'ICg=="}}'::text AS document,
	'{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}'::jsonb AS keys;
CREATE VIEW r AS SELECT document::jsonb AS r, keys FROM fixed;

-- It verifies in every type and layout.
SELECT jsonb_pretty(answer_verify(document, keys)) FROM fixed;
SELECT answer_verify(document::json::text, keys) = answer_verify(document, keys) AS json,
	answer_verify(document::jsonb, keys) = answer_verify(document, keys) AS jsonb,
	answer_verify(answer_canonical(document), keys) -> 'ok' AS canonical,
	answer_verify(jsonb_pretty(document::jsonb), keys) -> 'ok' AS pretty,
	answer_verify(E' \n' || document || E'\t ', keys) -> 'ok' AS surrounded
FROM fixed;

-- Which steps a document fails, and why.
CREATE FUNCTION failing(receipt jsonb, keys jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(s.key || ': ' || (s.value ->> 'reason'), '; ' ORDER BY s.key COLLATE "C"),
		CASE WHEN (v -> 'ok')::boolean THEN 'ok' END)
	FROM answer_verify(receipt, keys) AS v
		LEFT JOIN LATERAL jsonb_each(v -> 'steps') AS s ON NOT (s.value -> 'ok')::boolean
	GROUP BY v
$$;
CREATE FUNCTION signature_step(receipt jsonb, keys jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(answer_verify(receipt, keys) #>> '{steps,signature,reason}', 'ok')
$$;

-- Every member that is changed, removed or added breaks the id and the signature
-- (but for those that neither covers), and more where it carries meaning.
SELECT 'changed ' || array_to_string(path, '.') AS tampering, value, failing(jsonb_set(r, path, value), keys) AS failing
FROM r, (VALUES ('{verdict}'::text[], '"contradicted"'::jsonb), ('{verdict}', '"evidenced"'), ('{verdict}', '1'),
	('{confidence}', '0.61'), ('{confidence}', '0.60'), ('{confidence}', '"0.6"'), ('{degraded}', 'false'),
	('{degraded}', '"true"'),
	('{issuer}', '"https://other.example"'), ('{issued_at}', '"2026-02-01T12:00:00.500002Z"'),
	('{evaluated_at}', '"2026-02-01T12:00:00.500001Z"'), ('{evaluated_at}', '"noon"'), ('{mode}', '"question"'),
	('{disclaimer}', '"none"'), ('{reproduce,calls}', '[{}]'),
	('{receipt_id}', '"ans_0000000000000000"'), ('{receipt_id}', '7'), ('{checks,0,verdict}', '"value"'),
	('{checks,0,verdict}', '"excellent"'), ('{checks,0,confidence}', '0.95'), ('{checks,0,observed}', '3'),
	('{checks,0,observed}', '3.50'), ('{checks,0,observed}', '"3.5"'),
	('{checks,0,required}', 'false'), ('{checks,0,observe}', 'true'), ('{checks,0,expect}', '[]'),
	('{checks,0,expect,0,value}', '3'), ('{checks,0,expect,0,op}', '"nope"'), ('{checks,0,id}', '"sold"'),
	('{checks,0,tool}', '"other"'), ('{checks,0,args}', '{"of": "coffee"}'), ('{checks,0,explain}', '{}'),
	('{checks,0,evidence}', '[]'), ('{checks,0,evidence}', '["sha256:00"]'), ('{checks,0,evidence}', '[1]'),
	('{checks,0,evidence}', 'null'), ('{checks,0}', '1'), ('{checks}', '[]'), ('{checks}', '{}'),
	('{checks,1,verdict}', '"supported"'), ('{checks,1,required}', 'true'),
	('{checks,2,verdict}', '"evidence_unavailable"'), ('{checks,2,verdict}', '"not_evaluable"'),
	('{checks,2,verdict}', '"supported"'), ('{checks,2,verdict}', '"value"'), ('{checks,2,verdict}', '"not_checked"'),
	('{checks,2,confidence}', '0.1'), ('{checks,2,observed}', '1'), ('{checks,2,required}', 'true'),
	('{evidence_index}', '{}'), ('{evidence_index}', '[]'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe}', '1'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,value}', '3.6'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,provenance,source}',
		'"tea"'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,verification,confidence}',
		'0.95'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,verification,signals,'
		'signed}', 'true'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,verification,signals,'
		'fresh}', '1'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,raw,unit}', '"USD"'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,raw,unread}', '1'),
	('{evidence_index,sha256:00}', '{}'), ('{extra}', '1'), ('{checks,0,extra}', '1')) AS v (path, value);
SELECT 'removed ' || array_to_string(path, '.') AS tampering, failing(r #- path, keys) AS failing
FROM r, (VALUES ('{receipt_id}'::text[]), ('{signature}'), ('{checks}'), ('{evidence_index}'), ('{verdict}'),
	('{confidence}'), ('{degraded}'), ('{issued_at}'), ('{evaluated_at}'), ('{mode}'), ('{issuer}'), ('{checks,0}'),
	('{checks,1}'), ('{checks,2}'), ('{checks,0,evidence}'), ('{checks,0,verdict}'), ('{checks,0,confidence}'),
	('{checks,0,observed}'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe}'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,raw}'),
	('{schema}')) AS v (path);
-- a forger that corrects the digest and the id still has the wrong signature
SELECT failing(jsonb_set(r, '{receipt_id}',
		to_jsonb('ans_' || substr(answer_digest(r - 'receipt_id' - 'signature'), 8, 16))), keys) AS failing
FROM (SELECT (replace((r::jsonb)::text, 'sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe',
		answer_digest(jsonb_set(fact, '{value}', '3.6') - 'raw')))::jsonb AS r, keys
	FROM (SELECT jsonb_set(jsonb_set(r,
					'{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,value}',
					'3.6'), '{checks,0,observed}', '3.6') AS r,
			r -> 'evidence_index' -> 'sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe' AS fact,
			keys FROM r) AS x) AS y;
-- a replay reports each difference
SELECT answer_verify(jsonb_set(jsonb_set(jsonb_set(r, '{checks,0,verdict}', '"contradicted"'), '{checks,0,observed}',
			'[1]'), '{confidence}', '1'), keys) #> '{steps,replay,differences}' AS differences
FROM r;
-- numbers are taken as written: in text 0.60 is not 0.6
SELECT answer_verify(replace(document, '"confidence": 0.6,', '"confidence": 0.60,'), keys)
		#> '{steps,signature,ok}' AS text,
	answer_verify(replace(document, '"degraded": true', '"degraded":  true'), keys) -> 'ok' AS space
FROM fixed;
-- a member twice in one object, of which another reader may take the other one, whichever is true
SELECT answer_verify(replace(document, '"degraded": true', '"degraded": false, "degraded": true'), keys)
		-> 'ok' AS true_last,
	answer_verify(replace(document, '"degraded": true', '"degraded": true, "degraded": false'), keys)
		-> 'ok' AS false_last
FROM fixed;

-- The signature object.
SELECT what, signature_step(jsonb_set(r, '{signature}', changed), keys) AS signature
FROM r, LATERAL (SELECT r -> 'signature', r #>> '{signature,sig}') AS s (s, sig),
	LATERAL (VALUES ('alg', jsonb_set(s, '{alg}', '"RS256"')),
	('alg in lower case', jsonb_set(s, '{alg}', '"ed25519"')), ('alg none', jsonb_set(s, '{alg}', '"none"')),
	('alg null', jsonb_set(s, '{alg}', 'null')), ('no alg', s - 'alg'),
	('canonicalization', jsonb_set(s, '{canonicalization}', '"jcs"')),
	('canonicalization null', jsonb_set(s, '{canonicalization}', 'null')),
	('no canonicalization', s - 'canonicalization'),
	('key_id', jsonb_set(s, '{key_id}', '"ae-ed25519-000000000000"')), ('key_id number', jsonb_set(s, '{key_id}', '1')),
	('key_id not ASCII', jsonb_set(s, '{key_id}', '"é"')), ('no key_id', s - 'key_id'),
	('unpadded sig', jsonb_set(s, '{sig}', to_jsonb(rtrim(sig, '=')))),
	('half padded sig', jsonb_set(s, '{sig}', to_jsonb(rtrim(sig, '=') || '='))),
	('overpadded sig', jsonb_set(s, '{sig}', to_jsonb((sig) || '='))),
	('base64 sig', jsonb_set(s, '{sig}', to_jsonb(translate(sig, '-_', '+/')))),
	('other tail bits', jsonb_set(s, '{sig}', to_jsonb(regexp_replace(sig, 'g==$', 'h==')))),
	('sig with a space', jsonb_set(s, '{sig}', to_jsonb((sig) || ' '))),
	('sig with a newline', jsonb_set(s, '{sig}', to_jsonb((sig) || E'\n'))),
	('short sig', jsonb_set(s, '{sig}', to_jsonb(left(sig, 84)))), ('empty sig', jsonb_set(s, '{sig}', '""')),
	('sig null', jsonb_set(s, '{sig}', 'null')), ('no sig', s - 'sig'),
	('zero sig', jsonb_set(s, '{sig}', to_jsonb(repeat('A', 86)))), ('extra member', jsonb_set(s, '{note}', '1')),
	('empty', '{}'::jsonb), ('text', '"x"'), ('null', 'null'), ('array', '[]')) AS v (what, changed);
SELECT failing(jsonb_set(r, '{signature,sig}', to_jsonb(rtrim(r #>> '{signature,sig}', '='))), keys) AS unpadded_is_fine
FROM r;

-- The given keys.
SELECT given, signature_step(r, given::jsonb) AS signature
FROM r, (VALUES ('{}'), ('[]'), ('null'), ('1'), ('"x"'), ('true'),
	('{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'),
	('{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}'),
	('{"ae-ed25519-21fe31dfa154": "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw="}'),
	('{"ae-ed25519-21fe31dfa154": ""}'), ('{"ae-ed25519-21fe31dfa154": "AAAA"}'), ('{"ae-ed25519-21fe31dfa154": null}'),
	('{"ae-ed25519-21fe31dfa154": {"public_key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}}'),
	('{"AE-ED25519-21FE31DFA154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}')) AS v (given);

-- The life of a key: issued at 12:00:00.500001; both ends count.
SELECT life,
	signature_step(r,
		jsonb_build_array('{"key_id": "other"}'::jsonb,
			'{"key_id": "ae-ed25519-21fe31dfa154", "public_key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}'::jsonb
				|| life::jsonb)) AS signature
FROM r, (VALUES ('{"status": "active"}'), ('{"status": "active", "active_from": "2026-02-01T12:00:00.500001Z"}'),
	('{"status": "active", "active_from": "2026-02-01T12:00:00.500002Z"}'),
	('{"status": "active", "active_from": "2026-02-01T13:00:00.500001+01:00"}'),
	('{"status": "active", "active_from": null, "retired_at": null, "compromised_after": null}'),
	('{"status": "retired", "retired_at": "2026-02-01T12:00:00.500001Z"}'),
	('{"status": "retired", "retired_at": "2026-02-01T12:00:00.5Z"}'), ('{"status": "retired"}'),
	('{"status": "active", "retired_at": "2026-02-01T12:00:00.5Z"}'),
	('{"status": "retired", "active_from": "2026-02-01T12:00:00.500001Z", '
		'"retired_at": "2026-02-01T12:00:00.500001Z"}'),
	('{"status": "compromised"}'), ('{"status": "compromised", "compromised_after": null}'),
	('{"status": "compromised", "compromised_after": "2026-02-01T12:00:00.500001Z"}'),
	('{"status": "compromised", "compromised_after": "2026-02-01T12:00:00.5Z"}'),
	('{"status": "active", "compromised_after": "2026-02-01T12:00:00.5Z"}'),
	('{"status": "compromised", "compromised_after": "2026-02-02T00:00:00Z", "retired_at": "2026-01-31T00:00:00Z"}'),
	('{}'), ('{"status": null}'), ('{"status": "Active"}'), ('{"status": "revoked"}'),
	('{"status": "active", "active_from": "2026-01-01"}'), ('{"status": "active", "active_from": 1}'),
	('{"status": "active", "retired_at": "never"}'), ('{"status": "active", "compromised_after": true}'),
	('{"status": "active", "public_key": "AAAA"}'), ('{"status": "active", "public_key": null}')) AS v (life);
SELECT issued_at,
	signature_step(CASE WHEN issued_at IS NULL THEN r - 'issued_at'
			ELSE jsonb_set(r, '{issued_at}', issued_at::jsonb) END,
		'[{"key_id": "ae-ed25519-21fe31dfa154", "public_key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", '
			'"status": "active"}]') AS signature
FROM r, (VALUES (NULL), ('null'), ('"2026-02-01"'), ('1')) AS v (issued_at);
-- the first entry of that id counts; others may be anything
SELECT signature_step(r,
		jsonb_build_array('1', 'null', '"x"', '[]', '{}', '{"key_id": 1}', k,
			'{"key_id": "ae-ed25519-21fe31dfa154", "status": "compromised"}'::jsonb)) AS first_good,
	signature_step(r,
		jsonb_build_array('{"key_id": "ae-ed25519-21fe31dfa154", "status": "compromised"}'::jsonb, k)) AS first_bad
FROM r,
	(VALUES ('{"key_id": "ae-ed25519-21fe31dfa154", "public_key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", '
		'"status": "active"}'::jsonb)) AS v (k);

-- A document that is no receipt is not ok, and never an error.
SELECT document, answer_verify(document, '{}') -> 'ok' AS text,
	CASE WHEN state_of(format('SELECT %L::json', document)) = '00000' THEN answer_verify(document::json::text,
		'{}') -> 'ok'
		END AS json,
	CASE WHEN state_of(format('SELECT %L::jsonb', document)) = '00000' THEN answer_verify(document::jsonb, '{}') -> 'ok'
		END AS jsonb,
	(SELECT string_agg(DISTINCT s.value ->> 'reason', '; ')
		FROM jsonb_each(answer_verify(document, '{}') -> 'steps') AS s) AS reasons
FROM (VALUES (NULL), (''), ('x'), ('{'), ('{"a": "\ud800"}'), ('"\u0000"'), ('null'), ('1'), ('1e400'), ('1e1000000'),
	('true'), ('"receipt"'), ('[]'), ('[{}]'), ('{}'), ('{"schema": 1}'), ('{"signature": {}}'),
	('{"schema": "answer/v1"}'), ('{"schema": "answer/v1", "schema": "other"}'),
	('{"schema": "answer/v1", "checks": [], "evidence_index": {}, "signature": {"alg": "Ed25519"}}'),
	('{"schema": "answer/v1", "checks": [1], "evidence_index": {"x": 1}, "evaluated_at": "2026-01-01T00:00:00Z"}'),
	('{"schema": "answer/v1", "checks": [{"evidence": [1e1000000]}], "evidence_index": {}, '
		'"confidence": 1e1000000}')) AS v (document);
SELECT answer_verify(NULL::text, NULL) -> 'ok' AS null_json, answer_verify(NULL::jsonb) -> 'ok' AS null_jsonb,
	answer_verify(NULL::text) -> 'ok' AS null_text,
	answer_verify(document, NULL) #>> '{steps,signature,reason}' AS not_of_this_registry
FROM fixed;
SELECT depth,
	survives(format('SELECT answer_verify((''{"schema": "answer/v1", "checks":'' || repeat(''['', %s) || repeat('']'', '
		'%1$s) || ''}'')::text, ''{}'')', depth)) AS text,
	survives(format('SELECT answer_verify((''{"schema": "answer/v1", "checks":'' || repeat(''['', %s) || repeat('']'', '
		'%1$s) || ''}'')::json::text, ''{}'')', depth)) AS json,
	survives(format('SELECT answer_verify((''{"schema": "answer/v1", "checks":'' || repeat(''['', %s) || repeat('']'', '
		'%1$s) || ''}'')::jsonb, ''{}'')', depth)) AS jsonb,
	answer_verify('{"schema": "answer/v1", "signature":' || repeat('{"alg":', depth) || '1' || repeat('}', depth) ||
			'}', '{}') -> 'ok' AS never_an_error
FROM (VALUES (1000), (10000), (100000)) AS v (depth);
SELECT answer_verify(repeat('[', 1000000), '{}') -> 'ok' AS unclosed,
	answer_verify(repeat('x', 1000000), '{}') -> 'ok' AS megabyte,
	answer_verify(jsonb_set(r, '{issuer}', to_jsonb(repeat('x', 1000000))), keys) -> 'ok' AS long_issuer
FROM r;

-- A document of another schema gets the signature step alone; its numbers are verbatim.
SELECT what,
	answer_verify(document, '{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}') AS report
FROM (VALUES ('as signed',
	'{"schema": "other/v1", "amount": 1.50, "at": 1e2, "title": "é", "signature": {"alg": "Ed25519", '
		'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
		'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg=="}}'),
	('other spelling',
		'{"schema": "other/v1", "amount": 1.5, "at": 1e2, "title": "é", "signature": {"alg": "Ed25519", '
			'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
			'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg=="}}'),
	('more in the signature',
		'{"schema": "other/v1", "amount": 1.50, "at": 1e2, "title": "\u00e9", "signature": {"alg": "Ed25519", '
			'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", "signed_at": 1, '
			'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg"}}'),
	('no alg',
		'{"schema": "other/v1", "amount": 1.50, "at": 1e2, "title": "é", '
			'"signature": {"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
			'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg=="}}'),
	('anchor is signed',
		'{"n": 1, "anchor": {"x": 1}, "signature": {"alg": "Ed25519", "key_id": "ae-ed25519-21fe31dfa154", '
			'"canonicalization": "json-sorted-compact", '
			'"sig": "-WdfvQwHFE9PrUDtjaQ3v1F6kH7SjjF_3ZYrbRl5_gFNJkKe-kFnM3VlCCpuKU3DF6tyiZg5lXm65kJSpIjvDw=="}}'),
	('anchor removed',
		'{"n": 1, "signature": {"alg": "Ed25519", "key_id": "ae-ed25519-21fe31dfa154", '
			'"canonicalization": "json-sorted-compact", '
			'"sig": "-WdfvQwHFE9PrUDtjaQ3v1F6kH7SjjF_3ZYrbRl5_gFNJkKe-kFnM3VlCCpuKU3DF6tyiZg5l'
			'Xm65kJSpIjvDw=="}}')) AS v (what, document);
-- as jsonb its numbers have another spelling: that is why it is verified as json
SELECT answer_verify('{"schema": "other/v1", "amount": 1.50, "at": 1e2, "title": "é", "signature": {"alg": "Ed25519", '
	'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
	'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg=="}}'::jsonb,
	keys) -> 'ok' AS as_jsonb
FROM fixed;

-- answer_verify_ok is "ok" of the report, whatever the document, and never NULL.
CREATE TABLE judged AS SELECT d, document FROM (SELECT document AS d, document FROM fixed
	UNION ALL SELECT 'changed ' || array_to_string(path, '.'), jsonb_set(r, path, value)::text
	FROM r, (VALUES ('{verdict}'::text[], '"contradicted"'::jsonb), ('{checks,0,observed}', '3'),
		('{evidence_index}', '{}'), ('{signature,sig}', '""'), ('{anchor}', '{"hash_alg": "sha256"}'),
		('{schema}', '"other"')) AS v (path, value)
	UNION ALL SELECT d, d
	FROM unnest('{NULL,"","x","{","null","1","[]","{}","{\"schema\": 1}","{\"schema\": \"answer/v1\"}",'
		'"{\"a\": \"\\ud800\"}","1e1000000"}'::text[]) AS d) AS x;
SELECT count(*) AS documents, count(*) FILTER (WHERE answer_verify_ok(document, keys)) AS ok,
	count(*) FILTER (WHERE answer_verify_ok(document, keys) IS NULL) AS "null",
	bool_and(answer_verify_ok(document, keys) = (answer_verify(document, keys) -> 'ok')::boolean) AS as_the_report
FROM judged, (SELECT keys FROM fixed) AS k;
SELECT answer_verify_ok(document::json::text, keys) AS json, answer_verify_ok(document::jsonb, keys) AS jsonb,
	answer_verify_ok(document, '{}') AS no_keys, answer_verify_ok(document) AS not_of_this_registry,
	answer_verify_ok(document, 'null') AS null_keys, answer_verify_ok(NULL::text) AS null_json,
	answer_verify_ok(NULL::jsonb) AS null_jsonb, answer_verify_ok(NULL::text) AS null_text
FROM fixed;
SELECT answer_verify_ok(document,
		'{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}') AS foreign_signed,
	answer_verify_ok(document::jsonb,
		'{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}') AS numbers_respelt
FROM (VALUES ('{"schema": "other/v1", "amount": 1.50, "at": 1e2, "title": "é", "signature": {"alg": "Ed25519", '
	'"key_id": "ae-ed25519-21fe31dfa154", "canonicalization": "json-sorted-compact", '
	'"sig": "YweYrIqAuyLY7aObw81Pntesz789UWLZaHZHk6soEJ4gFxlI60EClxFZa4lf3q0j_bl8Ht8KJ9P_BTy6Z90xCg='
	'="}}')) AS v (document);
-- so a CHECK constraint with it allows nothing else
CREATE TABLE held (body jsonb,
	CONSTRAINT verifies CHECK (answer_verify_ok(body,
		'{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}')));
CREATE TABLE held_text (body text CHECK (answer_verify_ok(body,
	'{"ae-ed25519-21fe31dfa154": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="}')));
INSERT INTO held SELECT r FROM r;
INSERT INTO held_text SELECT document FROM fixed;
UPDATE held SET body = body - 'disclaimer';
SELECT what, state_of(format('INSERT INTO held VALUES (%L)', body)) AS jsonb,
	state_of(format('INSERT INTO held_text VALUES (%L)', body)) AS text
FROM (SELECT 'tampered' AS what, jsonb_set(r, '{confidence}', '0.95')::text AS body FROM r
	UNION ALL SELECT 'malformed', '{"schema": "answer/v1"}' UNION ALL SELECT 'another type', '1'
	UNION ALL SELECT 'null', NULL UNION ALL SELECT 'json null', 'null'
	UNION ALL SELECT 'unsigned', (r - 'signature')::text FROM r UNION ALL SELECT 'as it is', document FROM fixed) AS x
ORDER BY what COLLATE "C";
SELECT state_of($$INSERT INTO held_text VALUES ('no json')$$) AS no_json, (SELECT count(*) FROM held) AS held,
	(SELECT count(*) FROM held_text) AS held_text;
DROP TABLE judged, held, held_text;

-- Replay recomputes everything and names each difference; signatures are not its affair.
SELECT jsonb_pretty(answer_replay(document)) FROM fixed;
SELECT answer_replay(document) = answer_replay(document::json::text) AS json,
	answer_replay(document) = answer_replay(document::jsonb) AS jsonb,
	answer_replay(r - 'signature' - 'receipt_id' - 'issuer') = answer_replay(r) AS unsigned,
	answer_replay(jsonb_set(r, '{checks,0,explain}', '"in other words"')) = answer_replay(r) AS explain
FROM fixed, r;
CREATE FUNCTION differences(receipt text) RETURNS text LANGUAGE sql AS $$
	SELECT (v -> 'ok') || coalesce(' ' || (v ->> 'reason'), '') ||
		coalesce(': ' ||
					string_agg(concat_ws(' ', d ->> 'check', d ->> 'field', coalesce(d ->> 'recorded', '-'), '/',
						coalesce(d ->> 'recomputed', '-')), '; ' ORDER BY n), '')
	FROM answer_replay(receipt) AS v
		LEFT JOIN LATERAL jsonb_array_elements(v -> 'differences') WITH ORDINALITY AS x (d, n) ON true
	GROUP BY v
$$;
SELECT array_to_string(path, '.') AS changed, value, differences(jsonb_set(r, path, value)::text) AS replay
FROM r, (VALUES ('{verdict}'::text[], '"contradicted"'::jsonb), ('{verdict}', '1'), ('{confidence}', '0.61'),
	('{confidence}', '"0.6"'), ('{degraded}', 'false'), ('{degraded}', 'null'),
	('{evaluated_at}', '"2031-01-01T00:00:00Z"'), ('{checks,0,verdict}', '"value"'), ('{checks,0,confidence}', '0.95'),
	('{checks,0,confidence}', '1e20'), ('{checks,0,observed}', '3'), ('{checks,0,observed}', '3.50'),
	('{checks,0,observed}', '{"a": [1, 2]}'),
	('{checks,0,expect,0,value}', '3'), ('{checks,0,expect,1,path}', '"none"'), ('{checks,1,required}', 'true'),
	('{checks,2,verdict}', '"supported"'), ('{checks,2,required}', 'true'), ('{checks,0,tool}', '"other"'),
	('{checks,0,id}', '"sold"'), ('{checks}', '[]'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,value}',
		'12345678901234567890'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,value}',
		'[12345678901234567890, {"x": null}]'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,verification,confidence}',
		'0.2')) AS v (path, value);
SELECT what, differences(d) AS replay
FROM r, LATERAL (VALUES ('no member compared', (r - 'verdict' - 'confidence' - 'degraded')::text),
	('no observed', (r #- '{checks,0,observed}')::text),
	('no verdicts', (r #- '{checks,0,verdict}' #- '{checks,1,verdict}' #- '{checks,2,verdict}')::text)) AS v (what, d);
-- a check with a thousand differences is reported in full; of more, the first are reported
SELECT n, v -> 'ok' AS ok, v -> 'verdict' AS verdict, jsonb_array_length(v -> 'checks') AS checks,
	jsonb_array_length(v -> 'differences') AS differences,
	jsonb_array_length(answer_verify(receipt, '{}') #> '{steps,replay,differences}') AS in_the_report
FROM r, generate_series(999, 1001) AS n,
	LATERAL (SELECT jsonb_set(r, '{checks}',
		(SELECT jsonb_agg(jsonb_build_object('id', 'c' || i, 'tool', 't', 'expect', '[]'::jsonb, 'evidence',
				'[]'::jsonb, 'verdict', 'supported', 'confidence', 1, 'observed', repeat('x', 2000)))
			FROM generate_series(1, n) AS i)) AS receipt) AS x, answer_replay(receipt) AS v;
-- an observed value that is as recorded is shown whole; one that is not, as far as a report shows such
SELECT length(v #>> '{checks,0,observed}') AS whole, jsonb_typeof(w #> '{checks,0,observed}') AS type,
	length(w #>> '{checks,0,observed}') AS cut,
	length(jsonb_path_query_first(w, '$.differences[*] ? (@.field == "observed").recomputed') #>> '{}') AS recomputed,
	length(jsonb_path_query_first(w, '$.differences[*] ? (@.field == "observed").recorded') #>> '{}') AS recorded
FROM r,
	LATERAL (SELECT jsonb_set(jsonb_set(r, '{checks,0,observed}', list),
			'{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe,value}',
			list) AS receipt FROM (SELECT jsonb_agg(i) AS list FROM generate_series(1, 5000) AS i) AS l) AS x,
	answer_replay(receipt) AS v, answer_replay(jsonb_set(receipt, '{checks,0,observed,0}', '7')) AS w;
-- malformed: the reason, and never an error
SELECT array_to_string(path, '.') AS changed, value, answer_replay(jsonb_set(r, path, value)) AS replay
FROM r, (VALUES ('{schema}'::text[], '"answer/v2"'::jsonb), ('{schema}', '1'), ('{evaluated_at}', '"noon"'),
	('{evaluated_at}', '0'), ('{checks}', '{}'), ('{checks,0}', '1'), ('{checks,0,evidence}', '"x"'),
	('{checks,0,evidence}', '[1]'), ('{checks,0,evidence}', '["sha256:00"]'), ('{checks,0,expect,0,op}', '"nope"'),
	('{evidence_index}', '[]'),
	('{evidence_index,sha256:eba0170c6b83ef0a4cf49d41bd13103f0232df32402396c65b8da05802c92cbe}',
		'1')) AS v (path, value);
SELECT d, answer_replay(d) AS replay
FROM unnest('{NULL,"","x","{","null","1e1000000","[]","{}","{\"a\": \"\\ud800\"}"}'::text[]) AS d;
SELECT answer_replay(NULL::text) -> 'ok' AS null_json, answer_replay(NULL::jsonb) -> 'ok' AS null_jsonb,
	answer_replay(NULL::text) -> 'ok' AS null_text, answer_replay(repeat('[', 1000000)) -> 'ok' AS unclosed,
	answer_replay('{"schema": "answer/v1", "checks":' || repeat('[', 100000) || repeat(']', 100000) || '}')
		-> 'ok' AS deep;
-- values that jsonb cannot hold are reported as text
SELECT d -> 'recorded' AS recorded, length(d ->> 'recorded') AS length
FROM fixed, answer_replay(replace(document, '"observed": 3.5, "required"', '"observed": 1e1000000, "required"')) AS v,
	jsonb_array_elements(v -> 'differences') AS d;
SELECT v -> 'ok' AS ok, v #> '{checks,0,observed}' AS observed
FROM fixed,
	answer_replay(replace(replace(document, '"observed": 3.5, "required"', '"observed": 1e1000000, "required"'),
		'"value": 3.5', '"value": 1e1000000')) AS v;
DROP FUNCTION differences;

-- A receipt of this database: what is stored is what was returned.
CREATE TABLE minted AS
	SELECT answer_eval('{"checks": [{"id": "version", "tool": "postgres_server", "expect": {"path": "version_num", '
		'"op": "gte", "value": 150000}}, {"id": "none", "tool": "no such tool", "required": false}]}') AS r;
SELECT answer_receipt(r ->> 'receipt_id') = r AS stored, answer_verify(r) -> 'ok' AS ok,
	answer_verify(r::text) -> 'ok' AS as_text, answer_verify(r::json::text, answer_keys()) -> 'ok' AS with_keys
FROM minted;
SELECT s.receipt_id = m.r ->> 'receipt_id' AS id,
	to_char(s.issued_at, 'YYYY-MM-DD"T"HH24:MI:SS') = left(m.r ->> 'issued_at', 19) AS issued_at, s.verdict,
	s.confidence, s.degraded, s.schema, s.took >= interval '0' AS took, s.intent, s.cost_usd,
	s.key_id = m.r #>> '{signature,key_id}' AS key_id, s.body = m.r AS body
FROM minted m JOIN answer.receipt s ON s.receipt_id = m.r ->> 'receipt_id';
-- its digest, signature included, waits for the log
SELECT count(*) AS waiting,
	bool_and(u.issued_at = s.issued_at AND encode(u.digest, 'hex') = substr(answer_digest(s.body), 8)
		AND answer_digest(s.body) = answer_digest(m.r - 'anchor')) AS digest
FROM answer.unsealed u JOIN answer.receipt s USING (receipt_id) JOIN minted m ON s.receipt_id = m.r ->> 'receipt_id';
SELECT answer_receipt(NULL) IS NULL AS of_null, answer_receipt('') IS NULL AS of_nothing,
	answer_receipt('ans_0000000000000000') IS NULL AS unknown, answer_receipt(repeat('x', 1000000)) IS NULL AS megabyte;

-- Append-only, for the owner and a superuser as well.
\set VERBOSITY default
\set SHOW_CONTEXT never
UPDATE answer.receipt SET degraded = NOT degraded;
DELETE FROM answer.receipt;
TRUNCATE answer.receipt;
\set VERBOSITY terse
INSERT INTO answer.receipt_default SELECT (s).*
FROM (SELECT s FROM answer.receipt s LIMIT 1) AS x ON CONFLICT (tenant, receipt_id) DO UPDATE SET degraded = true;
SELECT answer.append_only();
CREATE TABLE guarded AS SELECT 1 AS n;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE OR DELETE ON guarded FOR EACH ROW EXECUTE FUNCTION answer.append_only();
INSERT INTO guarded VALUES (2);
UPDATE guarded SET n = 2;
DROP TABLE guarded;
MERGE INTO answer.receipt s USING minted m ON s.receipt_id = m.r ->> 'receipt_id' WHEN MATCHED THEN DELETE;
-- verification finds changes made with triggers off
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
UPDATE answer.receipt s SET body = jsonb_set(body, '{checks,0,verdict}', '"contradicted"')
FROM minted m WHERE s.receipt_id = m.r ->> 'receipt_id';
SELECT failing(answer_receipt(r ->> 'receipt_id'), NULL) AS failing FROM minted;
ROLLBACK;

-- The registry enforces its rules for keys.
CREATE TABLE instant AS SELECT (r ->> 'issued_at')::timestamptz AS t, r #>> '{signature,key_id}' AS key_id FROM minted;
BEGIN;
ALTER TABLE answer.signing_key DISABLE TRIGGER ALL;
UPDATE answer.signing_key k SET status = 'compromised' FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS compromised FROM minted;
UPDATE answer.signing_key k SET compromised_after = t FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS compromised_at_that_instant FROM minted;
UPDATE answer.signing_key k SET compromised_after = t - interval '1 microsecond'
FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS compromised_before, signature_step(r, answer_key_registry()) AS by_the_array,
	signature_step(r, answer_keys()) AS by_the_map
FROM minted;
UPDATE answer.signing_key k SET status = 'retired', compromised_after = NULL, retired_at = t
FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS retired_at_that_instant FROM minted;
UPDATE answer.signing_key k SET retired_at = t - interval '1 microsecond', active_from = NULL
FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS retired_before FROM minted;
UPDATE answer.signing_key k SET retired_at = NULL, status = 'active', active_from = t + interval '1 microsecond'
FROM instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS active_later FROM minted;
DELETE FROM answer.signing_key k USING instant i WHERE k.key_id = i.key_id;
SELECT signature_step(r, NULL) AS forgotten FROM minted;
ROLLBACK;

-- Only checks after the 20th are not checked.
CREATE TABLE many AS
	SELECT answer_eval(jsonb_build_object('checks',
		(SELECT jsonb_agg('{"tool": "postgres_server"}'::jsonb) FROM generate_series(1, 22)))) AS r;
SELECT failing(r, NULL) AS as_minted,
	failing(jsonb_set(r, '{checks,20,verdict}', '"not_evaluable"'), NULL) AS the_21st_not_evaluable,
	failing(jsonb_set(r, '{checks,20,evidence}', r #> '{checks,0,evidence}'), NULL) AS the_21st_cites,
	failing(jsonb_set(jsonb_set(jsonb_set(r, '{checks,19,verdict}', '"not_checked"'), '{checks,19,evidence}', '[]'),
			'{checks,19,confidence}', '0'), NULL) AS the_20th_not_checked
FROM many;
-- A whole table is verified by as many workers as a query may have, few though its own pages are.
CREATE TABLE bulk AS SELECT answer_eval('{"checks": [{"tool": "postgres_server"}]}') -> 'verdict' AS verdict
FROM generate_series(1, 40);
CREATE FUNCTION unverified(with_ text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	query text := format('SELECT count(*) FROM answer.receipt WHERE NOT answer_verify_ok(%s)', with_);
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		RETURN NEXT regexp_replace(line, '''[{[].*[]}]''::jsonb', 'keys');
	END LOOP;
	EXECUTE query INTO line;
	RETURN NEXT line || ' do not verify';
END
$$;
SET max_parallel_workers_per_gather = 3;
SET parallel_setup_cost = 10;
SELECT unverified(format('body, %L::jsonb', answer_keys()));
SELECT unverified(format('body, %L::jsonb', answer_key_registry()));
SELECT unverified('body');
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
UPDATE answer.receipt SET body = jsonb_set(body, '{confidence}', '0.95')
WHERE receipt_id IN (SELECT receipt_id FROM answer.receipt ORDER BY receipt_id LIMIT 7);
SELECT unverified(format('body, %L::jsonb', answer_keys()));
SELECT unverified('body');
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT unverified(format('body, %L::jsonb', answer_keys()));
SELECT unverified('body');
ROLLBACK;
EXPLAIN (COSTS OFF) SELECT receipt_id FROM answer.receipt WHERE NOT (answer_replay(body) -> 'ok')::boolean;
SELECT count(*) FILTER (WHERE (answer_replay(body) -> 'ok')::boolean) = count(*) AS replayed FROM answer.receipt;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
DROP FUNCTION unverified;
DROP TABLE bulk;

-- A DSSE envelope: an in-toto statement about the receipt, with the receipt in it, signed with the active key.
CREATE FUNCTION payload(envelope jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT convert_from(decode(envelope ->> 'payload', 'base64'), 'UTF8')::jsonb
$$;
CREATE TABLE enveloped AS SELECT r, answer_dsse(r ->> 'receipt_id') AS e FROM minted;
SELECT e ->> 'payloadType' AS type, array_agg(k ORDER BY k COLLATE "C") AS members,
	e #> '{signatures,1}' IS NULL AS one_signature,
	e #>> '{signatures,0,keyid}' = r #>> '{signature,key_id}' AS by_the_active_key
FROM enveloped, jsonb_object_keys(e) AS k GROUP BY e, r;
SELECT payload(e) - 'subject' - 'predicate' AS statement,
	payload(e) -> 'subject' = jsonb_build_array(jsonb_build_object('name', r -> 'receipt_id', 'digest',
		jsonb_build_object('sha256', substr(answer_digest(r), 8)))) AS subject,
	payload(e) -> 'predicate' = r AS predicate, answer_verify_ok(payload(e) -> 'predicate') AS verifies,
	answer_canonical(payload(e)) = convert_from(decode(e ->> 'payload', 'base64'), 'UTF8') AS canonical,
	translate(encode(decode(e ->> 'payload', 'base64'), 'base64'), E'\n', '') = e ->> 'payload' AS standard_base64,
	answer_dsse(r ->> 'receipt_id') = e AS the_same_again
FROM enveloped;
SELECT answer.ed25519_verify(k.public_key,
		convert_to('DSSEv1 ' || length(e ->> 'payloadType') || ' ' || (e ->> 'payloadType') || ' ' || length(p) || ' ',
			'UTF8') || p, decode(e #>> '{signatures,0,sig}', 'base64')) AS signature,
	answer.ed25519_verify(k.public_key, p, decode(e #>> '{signatures,0,sig}', 'base64')) AS over_the_payload_alone
FROM enveloped, decode(e ->> 'payload', 'base64') AS p, answer.signing_key k
WHERE k.key_id = e #>> '{signatures,0,keyid}';
SELECT answer_dsse(NULL) IS NULL AS of_null, answer_dsse('') IS NULL AS of_nothing,
	answer_dsse('ans_0000000000000000') IS NULL AS unknown, answer_dsse(repeat('x', 1000000)) IS NULL AS megabyte;
BEGIN READ ONLY;
SELECT answer_dsse(r ->> 'receipt_id') = e AS read_only FROM enveloped;
ROLLBACK;
-- a changed document gets no new signature
CREATE FUNCTION enveloping(body jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	id text := (SELECT r ->> 'receipt_id' FROM minted);
	detail text;
BEGIN
	ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
	UPDATE answer.receipt r SET body = enveloping.body WHERE r.receipt_id = id;
	PERFORM answer_dsse(id);
	RAISE EXCEPTION 'signed';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', sqlstate, replace(sqlerrm, id, 'ans_...'), detail);
END
$$;
SELECT what, enveloping(body)
FROM minted, LATERAL (VALUES ('verdict', jsonb_set(r, '{verdict}', '"contradicted"')),
	('signature', jsonb_set(r, '{signature,sig}', to_jsonb(repeat('A', 86)))), ('unsigned', r - 'signature'),
	('key', jsonb_set(r, '{signature,key_id}', '"other"')), ('schema', jsonb_set(r, '{schema}', '"answer/v2"')),
	('scalar', '1'), ('null', 'null'), ('tombstone', '{"schema": "answer/tombstone/v1"}'),
	('another', (SELECT many.r FROM many)), ('anchored', r || '{"anchor": {"any": "thing"}}')) AS v (what, body);
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
UPDATE answer.receipt s SET body = body || '{"anchor": {"any": "thing"}}'
FROM minted m WHERE s.receipt_id = m.r ->> 'receipt_id';
SELECT answer_dsse(r ->> 'receipt_id') = e AS without_the_anchor FROM enveloped;
ROLLBACK;
BEGIN;
UPDATE answer.signing_key SET status = 'compromised', compromised_after = '2026-01-01Z' WHERE status = 'active';
SELECT state_of(format('SELECT answer_dsse(%L)', r ->> 'receipt_id')) AS compromised FROM minted;
ROLLBACK;
BEGIN;
UPDATE answer.signing_key SET status = 'retired', retired_at = now() WHERE status = 'active';
SELECT state_of(format('SELECT answer_dsse(%L)', r ->> 'receipt_id')) AS no_active_key FROM minted;
ROLLBACK;
BEGIN;
SELECT answer_forget(r ->> 'receipt_id', 'x') ? 'receipts' AS forgotten FROM minted;
SELECT state_of(format('SELECT answer_dsse(%L)', r ->> 'receipt_id')) AS forgotten FROM minted;
ROLLBACK;
DROP FUNCTION enveloping, payload;
DROP TABLE enveloped;
DROP TABLE minted, many, instant;
DROP VIEW r;
DROP TABLE fixed;
DROP FUNCTION failing, signature_step;

-- A member twice in one object, at any depth and however it is spelled, is refused before anything else is looked at.
SELECT text, answer_verify(text, '{}') #>> '{steps,signature,reason}' AS verify, answer_verify_ok(text, '{}') AS ok,
	answer_replay(text) ->> 'reason' AS replay, answer_anchor_verify(text) ->> 'reason' AS anchor,
	answer_verify(text::json::text, '{}') -> 'ok' AS json
FROM (VALUES ('{"a": 1, "a": 1}'), ('{"a": {"b": [{"c": 1, "d": 2, "c": 1}]}}'), ('{"a": 1, "\u0061": 1}'),
	('{"\ud83d\ude00": 1, "😀": 2}'), ('{"": 1, "": 2}'), ('{"signature": {"alg": "x", "alg": "Ed25519"}}'),
	('{"a": 1, "b": {"a": 1}}'), ('[{"a": 1}, {"a": 1}]')) AS v (text);
-- jsonb has already dropped the first when it is given
SELECT answer_verify('{"a": 1, "a": 1}'::jsonb, '{}') #>> '{steps,signature,reason}' AS jsonb;
-- a document that is too large, or would be too large when written, is not examined either
SELECT answer_verify(repeat(' ', 16777215) || '{}', '{}') #>> '{steps,signature,reason}' AS text,
	answer_replay(repeat(' ', 16777215) || '{}') ->> 'reason' AS replay,
	answer_verify(repeat(' ', 16777214) || '{}', '{}') #>> '{steps,signature,reason}' AS as_large_as_may_be;
SELECT answer_verify(jsonb_build_object('a', repeat(E'\x01', 22369622)), '{}') #>> '{steps,signature,reason}' AS jsonb;
SELECT answer_verify(('{"a": [' || repeat('1e131000,', 101) || '1]}')::jsonb, '{}')
		#>> '{steps,signature,reason}' AS jsonb,
	answer_verify('{"a": [' || repeat('1e-1001,', 101) || '1]}', '{}') #>> '{steps,signature,reason}' AS text,
	answer_verify('{"a": [' || repeat('1e-1000,', 101) || '1]}', '{}') #>> '{steps,signature,reason}' AS shorter,
	answer_replay(('{"a": [' || repeat('1e131000,', 101) || '1]}')::jsonb) ->> 'reason' AS quality;
