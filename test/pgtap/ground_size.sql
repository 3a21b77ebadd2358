-- How large the document of a decision is, and how it names its rules: shipped, changed, unknown, tampered with.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL answer_eval.issuer = 'example';
\pset fieldsep '\n'
SELECT plan(77);

CREATE FUNCTION pg_temp.asked(question text DEFAULT 'How do customers get a refund paid?') RETURNS jsonb
LANGUAGE sql AS $$
	SELECT answer_grounded(question, '{"chunks": [
		{"chunk_id": "refund-policy#p0", "doc_id": "refund-policy", "title": "Refunds",
			"timestamp": "2999-01-01T00:00:00Z", "similarity": 1,
			"text": "Customers may ask for a refund within 14 days of purchase."},
		{"chunk_id": "refund-faq#p0", "doc_id": "refund-faq", "title": "Refund FAQ",
			"timestamp": "2999-01-01T00:00:00Z", "similarity": 1,
			"text": "A refund is paid to the card within 5 business days."}]}')
$$;
-- How a document names its rules, and what a verifier says of it.
CREATE FUNCTION pg_temp.digest_of(receipt jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT receipt #>> '{reproduce,evaluator,digests,decision_rules}'
$$;
CREATE FUNCTION pg_temp.with_digest(receipt jsonb, digest text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_set(receipt, '{reproduce,evaluator,digests,decision_rules}', to_jsonb(digest))
$$;
CREATE FUNCTION pg_temp.step(receipt jsonb, step text, member text DEFAULT 'reason') RETURNS text LANGUAGE sql AS $$
	SELECT answer_verify(receipt) #>> ARRAY['steps', step, member]
$$;

-- The shipped rules
CREATE TEMP TABLE made AS SELECT 'shipped' AS name, pg_temp.asked() AS receipt;
SELECT is(receipt ->> 'decision', 'ANSWER', 'an answer') FROM made;
SELECT is(jsonb_array_length(receipt -> 'quotes'), 2, 'with two quotes') FROM made;
SELECT cmp_ok(octet_length(answer_canonical(receipt)), '<=', 4000, 'has at most 4 kB of text') FROM made;
SELECT cmp_ok(octet_length(receipt::text), '<=', 4096, 'also as jsonb writes it') FROM made;
SELECT cmp_ok(pg_column_size(r.body), '<=', 2500, 'and 2.5 kB where it is stored')
FROM made m JOIN answer.receipt r ON r.receipt_id = m.receipt ->> 'receipt_id';
SELECT lives_ok($$SELECT answer_document_load('[{"doc_id": "refund-policy", "title": "Refunds",
	"timestamp": "2999-01-01T00:00:00Z", "text": "Customers may ask for a refund within 14 days of purchase."},
	{"doc_id": "refund-faq", "title": "Refund FAQ", "timestamp": "2999-01-01T00:00:00Z",
	"text": "A refund is paid to the card within 5 business days."}]')$$, 'the same as documents');
CREATE TEMP TABLE loaded AS SELECT answer_grounded('How do customers get a refund paid?') AS receipt;
SELECT is(jsonb_array_length(receipt -> 'quotes'), 2, 'give two quotes as well') FROM loaded;
SELECT cmp_ok(octet_length(receipt::text), '<=', 4096, 'at most 4 kB of text, too') FROM loaded;
SELECT cmp_ok(pg_column_size(r.body), '<=', 2500, 'and 2.5 kB where it is stored')
FROM loaded m JOIN answer.receipt r ON r.receipt_id = m.receipt ->> 'receipt_id';
SELECT ok(NOT receipt ? 'rules', 'rules that ship are left out') FROM made;
SELECT is(pg_temp.digest_of(receipt), answer_digest(answer.decision_rules()), 'and named by their digest') FROM made;
SELECT is(answer.decision_rules_of(receipt), answer.decision_rules(), 'by which they are found') FROM made;
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'it verifies') FROM made;
SELECT is(answer_replay(receipt), '{"ok": true}', 'and replays, wholly') FROM made;
SELECT is(answer_receipt(receipt ->> 'receipt_id'), receipt, 'and is what is stored') FROM made;
SELECT is(answer_verify(answer_canonical(receipt)) -> 'ok', 'true', 'as text, too') FROM made;

-- An older document contains the rules.
SELECT is(answer_replay(receipt || jsonb_build_object('rules', answer.decision_rules())), '{"ok": true}',
	'with its rules inside it replays as well') FROM made;
SELECT is(pg_temp.step(receipt || jsonb_build_object('rules', answer.decision_rules()), 'closure', 'ok'), 'true',
	'and its closure holds') FROM made;
SELECT is(pg_temp.step(receipt || jsonb_build_object('rules', jsonb_set(answer.decision_rules(), '{risk,high}', '[]')),
	'closure'), 'the rules do not hash to their digest', 'but not with other rules under the digest') FROM made;
SELECT is(pg_temp.step(receipt || '{"rules": null}', 'closure'), 'the rules do not hash to their digest',
	'null is no rules')
FROM made;
SELECT is(answer_replay(receipt || '{"rules": null}') ->> 'reason', 'the rules are malformed',
	'by which nothing replays')
FROM made;

-- Defaults of a configuration are left out.
SELECT is(receipt -> 'config', '{}', 'nothing of the configuration differs') FROM made;
SELECT is(answer.decision_config_of(receipt), answer_config(), 'all of it is in force') FROM made;
SELECT is(receipt #>> '{reproduce,evaluator,digests,decision_config}', answer_digest(answer_config()),
	'and named by its digest') FROM made;
CREATE TEMP TABLE strict AS SELECT answer_grounded('How do customers get a refund paid?', '{"config":
	{"confidence_threshold_high_risk": 0.75, "min_chunks": 2}}') AS receipt;
SELECT is(receipt -> 'config', '{"confidence_threshold_high_risk": 0.75}',
	'of another one the key that differs stands')
FROM strict;
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'it verifies') FROM strict;
SELECT is(answer_replay(receipt), '{"ok": true}', 'and replays') FROM strict;
SELECT is(pg_temp.step(jsonb_set(receipt, '{config}', config), 'closure'), reason,
	format('with %s', config))
FROM strict, (VALUES ('{}'::jsonb, 'the config does not hash to its digest'),
	('{"confidence_threshold_high_risk": 0.75, "colour": 1}', 'the config does not hash to its digest'),
	('null', 'the config does not hash to its digest'),
	('{"confidence_threshold_high_risk": 0.75, "floor": 0.2}', NULL)) AS c (config, reason);
SELECT is(answer_replay(jsonb_set(receipt, '{config}', '[]')) ->> 'reason', 'the config is malformed',
	'an array is none')
FROM strict;
SELECT is(pg_temp.step(receipt || jsonb_build_object('config', answer.decision_config_of(receipt)), 'closure', 'ok'),
	'true', 'a document of before has all keys') FROM strict;
SELECT is(answer.decision_config_of(receipt), NULL, format('%s has no configuration', receipt))
FROM unnest('{"{}","{\"config\": 1}",null}'::jsonb[] || '[]'::jsonb) AS receipt;

-- Unknown rules: the report says that there is no replay
CREATE TEMP TABLE unknown AS SELECT pg_temp.with_digest(receipt, 'sha256:' || repeat('7', 64)) AS receipt FROM made;
SELECT is(answer_replay(receipt), jsonb_build_object('ok', true, 'incomplete', 'rules sha256:' || repeat('7', 64)),
	'rules that are not here are named, and nothing is decided again') FROM unknown;
SELECT is(pg_temp.step(receipt, 'signature', 'ok'), 'false', 'who changes the digest breaks the signature')
FROM unknown;
SELECT is(answer.decision_rules_of(receipt), NULL, 'they are not found') FROM unknown;
SELECT is((SELECT count(*) FROM unknown, answer.judge_texts(receipt)), 0::bigint,
	'no pair is made of them by other rules');
SELECT is(answer_replay(jsonb_set(receipt, '{decision}', '"BLOCK"')) ->> 'incomplete',
	'rules sha256:' || repeat('7', 64), 'nor is a decision held to others') FROM unknown;
SELECT is(pg_temp.step(pg_temp.with_digest(receipt, d), 'closure'), 'the rules do not hash to their digest',
	format('a digest is not %s', d))
FROM made, unnest(ARRAY['', 'sha256:7', 'sha256:' || repeat('G', 64), repeat('7', 64)]) AS d;
SELECT is(pg_temp.step(receipt #- '{reproduce,evaluator,digests}', 'closure'), 'the rules do not hash to their digest',
	'nor is it missing') FROM made;
SELECT is(answer_replay(receipt #- '{reproduce,evaluator,digests}') ->> 'reason',
	'the rules do not hash to their digest', 'for then there are no rules') FROM made;

-- Own rules
SELECT lives_ok($$SELECT answer_decision_rule_register('topics', 'refund', '{"family": "money"}', replace => true),
	answer_decision_rule_register('topics', 'card', '{"family": "card"}'),
	answer_decision_rule_register('units', 'boxes', '{"unit": "boxes"}'),
	answer_decision_rule_register('risk.high', 'card'),
	answer_decision_rule_remove('stop_words', 'which')$$, 'other rules');
INSERT INTO made SELECT 'own', pg_temp.asked();
SELECT is(receipt -> 'rules', jsonb_build_object('base', answer_digest(answer.shipped_decision_rules()),
	'removed', '{"topics": [{"entry": "refund", "family": "refund"}], "stop_words": ["which"]}'::jsonb,
	'added', '{"topics": [{"entry": "refund", "family": "money"}, {"entry": "card", "family": "card"}],
		"units": {"boxes": ["boxes"]}, "risk": {"high": ["card"]}}'::jsonb), 'are told by what they differ in')
FROM made WHERE name = 'own';
SELECT is(pg_temp.digest_of(receipt), answer_digest(answer.decision_rules()), 'and named by their own digest')
FROM made WHERE name = 'own';
SELECT is(answer.decision_rules_of(receipt), answer.decision_rules(), 'they are put together again')
FROM made WHERE name = 'own';
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'the receipt verifies') FROM made WHERE name = 'own';
SELECT is(answer_replay(receipt), '{"ok": true}', 'and replays, wholly') FROM made WHERE name = 'own';
SELECT is(receipt #> '{risk,matched_keywords}', '["card", "refund"]', 'by these rules')
FROM (SELECT pg_temp.asked('Is a refund paid to the card?') AS receipt) AS r;
SELECT cmp_ok(octet_length(answer_canonical(receipt)), '<=', 4500, 'it is little larger') FROM made WHERE name = 'own';
SELECT is(pg_temp.step(jsonb_set(receipt, path::text[], value), step), reason, format('%s of %s', reason, path))
FROM made, (VALUES
	('{rules,added,risk,high}', '["nothing"]'::jsonb, 'closure', 'the rules do not hash to their digest'),
	('{rules,added,risk,high}', '["nothing"]', 'replay', 'the rules do not hash to their digest'),
	('{rules,removed,stop_words}', '[]', 'replay', 'the rules do not hash to their digest'),
	('{rules,added,reading}', '{"stop": ["x"]}', 'closure', 'the rules do not hash to their digest'),
	('{rules,added,reading}', '{"quote_whole": 1}', 'closure', NULL),
	('{rules,removed}', '[]', 'closure', 'the rules are malformed'),
	('{rules,added}', '"x"', 'replay', 'the rules are malformed'),
	('{rules,more}', '{}', 'closure', 'the rules are malformed'),
	('{rules,base}', '"the last ones"', 'closure', 'the rules are malformed'),
	('{rules,base}', '1', 'closure', 'the rules do not hash to their digest'),
	('{rules,base}', '1', 'replay', 'the rules are malformed')) AS c (path, value, step, reason)
WHERE name = 'own';
SELECT is(pg_temp.step(jsonb_set(receipt, '{rules,base}', to_jsonb('sha256:' || repeat('7', 64))), 'replay',
	'incomplete'), 'rules ' || pg_temp.digest_of(receipt), 'a base that nobody knows') FROM made WHERE name = 'own';
SELECT is(pg_temp.step(pg_temp.with_digest(receipt, pg_temp.digest_of(m.shipped)), 'replay'),
	'the rules do not hash to their digest', 'and the digest of the rules that ship is not theirs')
FROM made, (SELECT receipt AS shipped FROM made WHERE name = 'shipped') AS m WHERE name = 'own';

SELECT is(answer.decision_rules_of(receipt), answer.shipped_decision_rules(),
	'but of a base that nobody knows the digest alone says which rules decided')
FROM (SELECT pg_temp.with_digest(jsonb_set(receipt, '{rules,base}', to_jsonb('sha256:' || repeat('7', 64))),
	answer_digest(answer.shipped_decision_rules())) AS receipt FROM made WHERE name = 'own') AS r;
SELECT is(answer_replay(m.receipt || jsonb_build_object('rules', jsonb_set(o.receipt -> 'rules', '{base}',
	to_jsonb('sha256:' || repeat('7', 64))))), '{"ok": true}', 'and it is decided by them again')
FROM made m, made o WHERE m.name = 'shipped' AND o.name = 'own';
SELECT is(answer_replay(jsonb_set(m.receipt, '{decision}', '"BLOCK"') || jsonb_build_object('rules',
	jsonb_set(o.receipt -> 'rules', '{base}', to_jsonb('sha256:' || repeat('7', 64))))) -> 'ok', 'false',
	'so that another decision is found out')
FROM made m, made o WHERE m.name = 'shipped' AND o.name = 'own';

-- Rules that a difference cannot reproduce are stored whole.
SELECT lives_ok($$SELECT answer_decision_rule_remove('units', w) FROM unnest(ARRAY['dollar', 'dollars', 'usd']) AS w$$,
	'a unit loses all its words');
INSERT INTO made SELECT 'whole', pg_temp.asked();
SELECT is(receipt -> 'rules', answer.decision_rules(), 'then the rules stand there') FROM made WHERE name = 'whole';
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'and the receipt verifies') FROM made WHERE name = 'whole';

-- A hostile difference is applied in time linear in its bytes, and refused.
SELECT is(answer_replay(jsonb_set(receipt, '{rules,removed,stop_words}',
	(SELECT jsonb_agg('w' || i) FROM generate_series(1, 100000) AS i))) ->> 'reason',
	'the rules do not hash to their digest', 'many entries') FROM made WHERE name = 'own';
SELECT is(answer_replay(jsonb_set(receipt, '{rules,added,units}',
	(SELECT jsonb_object_agg('u' || i, '[]'::jsonb) FROM generate_series(1, 50000) AS i))) ->> 'reason',
	'the rules do not hash to their digest', 'many lists') FROM made WHERE name = 'own';

SELECT * FROM finish();
ROLLBACK;
