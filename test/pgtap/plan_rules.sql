-- How a plan's document names the rules by which claims were verified: shipped, changed, unknown, tampered with.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL answer_eval.issuer = 'example';
\pset fieldsep '\n'
SELECT plan(17);

CREATE FUNCTION pg_temp.planned() RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	answer jsonb := answer_plan_execute('{"plan": {"plan_id": "p", "signals": {"latency_budget_ms": 60000,
		"cost_cap_usd": 1}, "nodes": [{"id": "v", "op": "verify", "out": "e", "args": {"claims":
			["Tea is made of leaves."], "sources": [{"uri": "a#p0", "title": "A", "snippet": "Tea is made of leaves.",
			"score": 1, "stamp": "2999-01-01T00:00:00Z"}]}},
		{"id": "s", "op": "call", "tool": "synth.answer", "args": {"evidence": "$e"}, "out": "t"}],
		"edges": [["v", "s"]]}}');
BEGIN
	RETURN answer_receipt(answer ->> 'receipt_id');
END
$$;
CREATE TEMP TABLE made AS SELECT 'shipped' AS name, pg_temp.planned() AS receipt;
SELECT is(receipt ->> 'verdict', 'answered', 'an answer') FROM made;
SELECT ok(NOT receipt ? 'rules', 'rules that ship are left out') FROM made;
SELECT is(answer_replay(receipt), '{"ok": true}', 'it replays, wholly') FROM made;

SELECT lives_ok($$SELECT answer_decision_rule_register('topics', 'tea', '{"family": "tea"}'),
	answer_decision_rule_remove('stop_words', 'which')$$, 'other rules');
INSERT INTO made SELECT 'own', pg_temp.planned();
SELECT is(receipt -> 'rules', jsonb_build_object('base', answer_digest(answer.shipped_decision_rules()),
	'removed', '{"stop_words": ["which"]}'::jsonb, 'added', '{"topics": [{"entry": "tea", "family": "tea"}]}'::jsonb),
	'are told by what they differ in') FROM made WHERE name = 'own';
SELECT is(receipt #>> '{policy,rules}', answer_digest(answer.decision_rules()), 'and named by their digest') FROM made
WHERE name = 'own';
SELECT is(answer_verify(receipt) -> 'ok', 'true', 'the receipt verifies') FROM made WHERE name = 'own';
SELECT ok(NOT answer_verify(receipt) ? 'incomplete', 'nothing was left undone') FROM made WHERE name = 'own';
SELECT is(answer_replay(receipt), '{"ok": true}', 'it replays, wholly') FROM made WHERE name = 'own';
SELECT cmp_ok(octet_length(o.receipt::text) - octet_length(s.receipt::text), '<=', 400, 'it is little larger')
FROM made o, made s WHERE o.name = 'own' AND s.name = 'shipped';
SELECT is(answer_replay(receipt || jsonb_build_object('rules', answer.decision_rules())), '{"ok": true}',
	'a document of before has the rules inside, and replays as well') FROM made WHERE name = 'own';
SELECT is(answer.replay_verify(answer_replay_bundle(receipt ->> 'trace_id')) ->> 'result', 'identical',
	'its bundle holds the same') FROM made WHERE name = 'own';
SELECT is(answer_replay(m.receipt || rules), jsonb_build_object('ok', true, 'incomplete',
	'rules ' || (m.receipt #>> '{policy,rules}')), format('not at hand: %s', rules))
FROM made m, (VALUES (jsonb_build_object('rules', jsonb_build_object('base', 'sha256:' || repeat('7', 64)))),
	(jsonb_build_object('rules', jsonb_build_object('base', answer_digest(answer.shipped_decision_rules())))),
	('{"rules": {"base": "the last ones"}}'), ('{"rules": null}')) AS r (rules) WHERE m.name = 'own';
SELECT is(answer_verify(receipt - 'rules') ->> 'incomplete', 'rules ' || (receipt #>> '{policy,rules}'),
	'the report says so beside its ok') FROM made WHERE name = 'own';

SELECT * FROM finish();
ROLLBACK;
