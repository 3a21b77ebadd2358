-- tiers: test
-- The golden set is what its files say, and covers what it must. The shipped configuration passes the gate, and each
-- bad configuration is stopped for the reason that it was made for.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
-- several tests in one row become separate lines
\pset fieldsep '\n'
SELECT plan(66);
\set documents `cat ../../examples/golden/documents.json`
\set cases `cat ../../examples/golden/cases.json`
\set configs `cat ../../examples/golden/configs.json`
\set ground `cat ../../examples/ground/documents.json`
CREATE TEMP TABLE file AS SELECT :'documents'::jsonb AS documents, :'cases'::jsonb AS cases,
	:'configs'::jsonb AS configs, :'ground'::jsonb AS ground;
CREATE TEMP TABLE golden AS SELECT c AS body, c ->> 'id' AS id, coalesce(c ->> 'kind', 'grounded') AS kind,
	c ->> 'query' AS query, c ->> 'expected_outcome' AS expected, c ->> 'risk_level' AS level
FROM file, jsonb_array_elements(cases -> 'cases') AS c;
CREATE TEMP TABLE slice AS
SELECT id, s AS name FROM golden, jsonb_array_elements_text(body -> 'slices') AS s
UNION SELECT id, 'high_risk' FROM golden WHERE level = 'high'
UNION SELECT id, 'conflict' FROM golden WHERE body @> '{"required_behavior": {"must_surface_conflict": true}}'
UNION SELECT id, 'stale' FROM golden WHERE body @> '{"required_behavior": {"must_detect_staleness": true}}';

-- its content
SELECT cmp_ok(count(*), '>=', 60::bigint, 'there are 60 cases or more') FROM golden;
SELECT cmp_ok(jsonb_array_length(documents -> 'documents'), '>=', 40, 'over 40 documents or more') FROM file;
SELECT bag_eq('SELECT DISTINCT expected FROM golden WHERE kind = ''grounded''',
	ARRAY['ANSWER', 'ANSWER_WITH_CAVEATS', 'CLARIFY', 'ABSTAIN', 'BLOCK'], 'every outcome is wanted of some');
SELECT bag_eq('SELECT DISTINCT kind FROM golden', ARRAY['grounded', 'check', 'question', 'plan'],
	'there are cases of every kind');
SELECT is_empty($$SELECT w FROM unnest('{high_risk,medium_risk,low_risk,conflict,stale,encryption,refund,policy,numeric,
	look_alike,far,negation,units,ranges,dates,exception,same_document,citations,caveats,clarify,low_confidence,
	thin_evidence,boundary,within_90_days,paraphrase,typo,checks,questions,plans}'::text[]) AS w
	WHERE (SELECT count(*) FROM slice AS s WHERE s.name = w) < 2$$,
	'what makes questions hard is in two cases or more each');
SELECT is_empty($$SELECT l FROM unnest('{high,medium,low}'::text[]) AS l WHERE NOT EXISTS (SELECT FROM golden
	JOIN slice USING (id) WHERE level = l AND name = 'stale')$$, 'there is stale evidence at every risk');
SELECT is_empty($$SELECT id FROM golden WHERE kind = 'grounded' AND answer.risk(query) ->> 'risk_level' <> level$$,
	'the risk of a case is that of its question');
SELECT is_empty($$SELECT id, d FROM golden, file, jsonb_array_elements_text(body -> 'required_citation_doc_ids') AS d
	WHERE NOT coalesce(body -> 'chunks', documents -> 'documents') @>
		jsonb_build_array(jsonb_build_object('doc_id', d))$$,
	'what must be cited is there');
SELECT is_empty($$SELECT t.id FROM golden AS t WHERE t.id LIKE 'twin-%' AND NOT EXISTS (SELECT FROM golden AS a
	WHERE a.id LIKE 'alike-' || split_part(t.id, '-', 2) || '%' AND a.expected = 'ANSWER')$$,
	'a twin that contradicts has one that looks alike and does not');
SELECT is_empty($$SELECT p FROM file, jsonb_array_elements(documents -> 'documents') AS d,
	regexp_split_to_table(d ->> 'text', E'\n\n') AS p WHERE position(p IN ground::text) > 0$$,
	'no paragraph is one of the other documents that ship');

-- the extension has the same as the files
SELECT is(answer_suite_load('golden-of-files', cases -> 'cases', documents -> 'documents',
		(documents ->> 'now')::timestamptz) ->> 'digest',
	(SELECT digest FROM answer.suite WHERE name = 'golden' AND tenant = ''),
	'the suite that ships is that of the files') FROM file;
SELECT ok(seed, 'it is a seed') FROM answer.suite WHERE name = 'golden';

-- the shipped configuration
CREATE TEMP TABLE shipped AS SELECT answer_suite_run('golden') AS run_id;
CREATE TEMP TABLE shipped_case AS SELECT c ->> 'id' AS id, (c -> 'passed')::boolean AS passed,
	c ->> 'decision' AS decision, c -> 'error' AS error
FROM shipped, jsonb_array_elements(answer_run(run_id) -> 'cases') AS c;
SELECT is(answer_gate(run_id) ->> 'outcome', 'pass', 'the shipped configuration passes the shipped gate'),
	is(answer_gate(run_id) -> 'failures', '[]', 'without a failure') FROM shipped;
SELECT lives_ok($$SELECT answer_gate_assert(run_id) FROM shipped$$, 'and what asserts it in CI is silent');
SELECT is_empty('SELECT id, decision FROM shipped_case WHERE NOT passed', 'all cases pass');
SELECT is_empty($$SELECT id, error FROM shipped_case WHERE error <> 'null'$$, 'no case raises');
SELECT is(m #>> '{false_accept_rate,n}', '0', 'nothing is answered that must not be'),
	is(m #>> '{false_refuse_rate,n}', '0', 'nothing is refused that should be answered'),
	is((m #>> '{conflict_correct_rate,rate}')::numeric, 1.0, 'every conflict is surfaced'),
	is((m #>> '{citation_validity_rate,rate}')::numeric, 1.0, 'every answer cites validly')
FROM (SELECT answer_run(run_id) #> '{summary,metrics}' FROM shipped) AS r (m);
SELECT bag_eq('SELECT DISTINCT decision FROM shipped_case JOIN golden USING (id) WHERE kind = ''grounded''',
	ARRAY['ANSWER', 'ANSWER_WITH_CAVEATS', 'CLARIFY', 'ABSTAIN', 'BLOCK'], 'it comes to every outcome');

-- worse ones, and a better one
CREATE TEMP TABLE judged AS
SELECT w ->> 'id' AS id, w -> 'config' AS config, w -> 'fails' AS reasons, better,
	answer_suite_run('golden', w -> 'config') AS its_run, NULL::jsonb AS gate
FROM file, LATERAL (SELECT w, false FROM jsonb_array_elements(configs -> 'configs') AS w
	UNION ALL SELECT w, true FROM jsonb_array_elements(configs -> 'better') AS w) AS c (w, better);
UPDATE judged SET gate = answer_gate(its_run, configs -> 'rules', run_id) FROM file, shipped;
SELECT cmp_ok(count(*), '>=', 11::bigint, 'there are eleven worse configurations or more')
FROM judged WHERE NOT better;
SELECT is(gate ->> 'outcome', 'fail', id || ': stopped'),
	is((SELECT string_agg(r, ', ') FROM jsonb_array_elements_text(reasons) AS r
		WHERE NOT EXISTS (SELECT FROM jsonb_array_elements_text(gate -> 'failures') AS f WHERE starts_with(f, r))),
		NULL, id || ': for every reason that it was built for')
FROM judged WHERE NOT better ORDER BY id COLLATE "C";
SELECT is_empty($$SELECT id FROM judged WHERE NOT better AND coalesce(jsonb_array_length(reasons), 0) = 0$$,
	'each has one');
SELECT is_empty($$SELECT id, k FROM judged, jsonb_object_keys(config) AS k
	WHERE NOT better AND answer_config() -> k = config -> k$$, 'what they are worse in is not as it is shipped');
SELECT is_empty($$SELECT k FROM unnest('{top_k,freshness_days,freshness_days_high_risk,confidence_threshold,min_chunks,
	confidence_threshold_high_risk,floor,caveats,supersede}'::text[]) AS k
	WHERE NOT EXISTS (SELECT FROM judged WHERE NOT better AND config - k = '{}')$$,
	'of every key that decides, there is one that is worse in it alone');
SELECT bag_eq($$SELECT id FROM judged WHERE NOT better AND (answer_gate(its_run) -> 'passed')::boolean$$,
	ARRAY['confidence-none', 'caveats-off', 'confidence-all', 'confidence-high-risk-all', 'freshness-week'],
	'those that hide a doubt, make one up, or refuse too much, are found by a baseline alone');
SELECT is(gate ->> 'outcome', 'pass', id || ': passes, against the shipped one'),
	is(answer_gate(its_run, '{"min_overall_pass_rate": 1, "min_staleness_correct_rate": 1}') ->> 'outcome', 'pass',
		id || ': every case passes')
FROM judged WHERE better;
SELECT is(answer_gate(run_id, '{"min_overall_pass_rate": 1}') ->> 'outcome', 'pass', 'which the shipped one does, too')
FROM shipped;

-- its documents are separate
SELECT is_empty('SELECT doc_id FROM answer_documents()', 'its documents are in nobody''s listing');
SELECT is(answer_grounded('How many digits does a pickup code have?') ->> 'decision', 'ABSTAIN',
	'nor are they found by a question');

SELECT * FROM finish();
ROLLBACK;
