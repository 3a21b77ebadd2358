-- A gate: fails, with the words of the receipt, unless the claims below support the deployment. Run it with
--
--     psql -X -v ON_ERROR_STOP=1 -v commit=COMMIT -v passed=N -v failed=N -f gate.sql
--
-- as a role that may write (doc/answer_eval.md, "Grant"). The results of the tests become readings, the checks ask about them, and
-- the signed receipt stays in the database, also if the gate fails.
\set ON_ERROR_STOP on
SELECT answer_source_register('ci', independence_group => 'ci', replace => true);
SELECT answer_tool_register('test_run', required_args => '{commit}', value_path => 'failed', freshness => '1 day',
	options => '{"description": "How many tests of a commit passed and failed"}', replace => true);
SELECT answer_evidence_add('test_run', jsonb_build_object('commit', :'commit'),
	jsonb_build_object('passed', :passed, 'failed', :failed), 'ci');

SELECT answer_eval(jsonb_build_object('checks', jsonb_build_array(jsonb_build_object('id', 'tests', 'tool', 'test_run',
	'args', jsonb_build_object('commit', :'commit'),
	'expect', '[{"path": "failed", "op": "eq", "value": 0}, {"path": "passed", "op": "gt", "value": 0}]'::jsonb)))) AS receipt \gset
SELECT answer_summary(:'receipt') AS summary, :'receipt'::jsonb ->> 'receipt_id' AS receipt_id,
	:'receipt'::jsonb ->> 'verdict' = 'supported' AS holds \gset
\echo :receipt_id :summary
\if :holds
\else
DO $$ BEGIN RAISE EXCEPTION 'the gate is closed: the receipt says why'; END $$;
\endif
