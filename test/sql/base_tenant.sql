-- Tenants: what one has never comes out to another, by whatever function, view, id, name or error.
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
-- There is no way back from the first tenant, so this file has a database of its own.
SELECT current_database() AS regression \gset
CREATE DATABASE regress_tenant TEMPLATE template0;
\c regress_tenant
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = error;
SET timezone = 'UTC';
CREATE EXTENSION answer_eval;
CREATE ROLE regress_acme;
CREATE ROLE regress_globex;
CREATE ROLE regress_both;
CREATE ROLE regress_member IN ROLE regress_acme;
CREATE ROLE regress_auditor;
CREATE ROLE regress_stranger;
CREATE ROLE regress_admin;

/* off: nothing changes */

SELECT answer_tenant() = '' AS operators, answer.tenant_reads(), answer_tenants();
SELECT count(*) AS with_row_security FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relrowsecurity;
SET answer_eval.tenant = 'acme';
SELECT answer_tenant();
SELECT answer_coverage() -> 'schema';
RESET answer_eval.tenant;
SELECT answer_source_register('gauge');
SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '36500 days');
SELECT left(answer_evidence_add('tide', '{"port": "Ystad"}', '{"height": 1}', 'gauge', '2026-01-01Z'), 7);
SET ROLE regress_stranger;
SELECT answer_tenant() = '' AS everybodys_while_there_is_none;
RESET ROLE;
SELECT answer_tenant_grant('acme', 'regress_acme');
SELECT answer_tenant_grant('*', 'regress_auditor');

/* making them */

SELECT answer_tenant_create(n)
FROM unnest(ARRAY['', '*', ' acme', '-acme', 'ac me', 'ä', repeat('a', 64)]) AS n LIMIT 1;
SELECT count(*) AS refused FROM unnest(ARRAY['', '*', ' acme', '-acme', 'ac me', 'ä', E'acme\n', repeat('a', 64)]) AS n
WHERE n !~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$';
SELECT answer_tenant_create(NULL);
SELECT answer_tenant_create('acme'), answer_tenant_create('globex');
SELECT answer_tenant_create('acme');
SELECT answer_tenant_grant('initech', 'regress_acme');
SELECT answer_tenant_grant('acme', 'regress_nobody_at_all');
SELECT answer_tenant_grant('acme', r) FROM unnest(ARRAY['regress_acme', 'regress_both']) AS r;
SELECT answer_tenant_grant('globex', r) FROM unnest(ARRAY['regress_globex', 'regress_both']) AS r;
SELECT answer_tenant_grant('*', 'regress_auditor');
SELECT answer_tenant_grant('acme', 'regress_auditor');
SELECT answer_tenant_grant('*', 'regress_globex');
SELECT answer_tenants();
DELETE FROM answer.tenant;
TRUNCATE answer.tenant;
UPDATE answer.tenant SET tenant = 'other';
-- a view that shows all is not for a tenant's role
GRANT SELECT ON answer.change TO regress_stranger;
SELECT answer_tenant_grant('acme', 'regress_stranger');
REVOKE SELECT ON answer.change FROM regress_stranger;
GRANT SELECT (name) ON answer.change TO regress_stranger;
SELECT answer_tenant_grant('acme', 'regress_stranger');
REVOKE SELECT ON answer.change FROM regress_stranger;
GRANT SELECT ON answer.unsealed TO regress_stranger;
SELECT answer_tenant_grant('acme', 'regress_stranger');
REVOKE SELECT ON answer.unsealed FROM regress_stranger;
-- row-level security is on wherever tenants own rows, and nowhere else
SELECT string_agg(c.relname, ' ' ORDER BY c.relname) AS with_row_security
FROM pg_class c WHERE relnamespace = 'answer'::regnamespace AND relrowsecurity;
SELECT c.relname AS not_guarded FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant'
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity
ORDER BY c.relname;
-- what has a tenant has it first in every key and unique index
SELECT i.indexrelid::regclass AS does_not_begin_with_tenant
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant'
WHERE c.relnamespace = 'answer'::regnamespace AND i.indisunique AND i.indkey[0] <> a.attnum;

/* whose tenant it is */

GRANT USAGE ON SCHEMA answer TO regress_acme, regress_globex, regress_both, regress_auditor, regress_stranger,
	regress_admin;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, answer
TO regress_acme, regress_globex, regress_both, regress_auditor, regress_stranger;
GRANT SELECT ON answer.signing_key, answer.checkpoint, answer.log_tile, answer.cosignature, answer.quality_rule
TO regress_acme, regress_globex, regress_both, regress_auditor, regress_stranger;
DO $$ BEGIN EXECUTE (
	SELECT format('GRANT SELECT ON %s TO regress_acme, regress_globex, regress_both, regress_auditor, regress_stranger',
		string_agg(oid::regclass::text, ', '))
	FROM pg_class WHERE relnamespace = 'answer'::regnamespace AND relkind = 'v' AND relname LIKE 'tenant\_%'); END $$;

CREATE FUNCTION as_seen(role text, tenant text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	seen text;
BEGIN
	PERFORM set_config('role', role, true), set_config('answer_eval.tenant', tenant, true);
	BEGIN
		seen := format('"%s" reads %s', answer_tenant(), answer.tenant_reads());
	EXCEPTION WHEN insufficient_privilege THEN
		seen := SQLERRM;
		BEGIN
			seen := format('%s; reads %s', seen, answer.tenant_reads());
		EXCEPTION WHEN insufficient_privilege THEN
			seen := format('%s; reads nothing', seen);
		END;
	END;
	PERFORM set_config('role', 'none', true), set_config('answer_eval.tenant', '', true);
	RETURN seen;
END
$$;
SELECT role, tenant, as_seen(role, tenant)
FROM (VALUES ('regress_acme', ''), ('regress_acme', 'acme'), ('regress_acme', 'globex'),
	('regress_acme', 'initech'), ('regress_acme', '*'), ('regress_member', ''), ('regress_both', ''),
	('regress_both', 'globex'),
	('regress_auditor', ''), ('regress_auditor', 'acme'), ('regress_auditor', '*'), ('regress_stranger', ''),
	('regress_stranger', 'acme'), ('none', ''), ('none', 'acme'), ('none', 'initech')) AS c (role, tenant);
-- a wrapper of somebody's counts as its owner, whoever calls
CREATE FUNCTION wrapper() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT answer_tenant()';
ALTER FUNCTION wrapper() OWNER TO regress_acme;
SET ROLE regress_globex;
SELECT wrapper(), answer_tenant();
RESET ROLE;
SELECT wrapper(), answer_tenant() = '' AS operators;
-- a plan that was made for one role is not another's
SET plan_cache_mode = force_generic_plan;
PREPARE mine AS SELECT answer_tenant(), (SELECT count(*) FROM answer.tenant_evidence);
SET ROLE regress_acme;
EXECUTE mine;
SET ROLE regress_globex;
EXECUTE mine;
RESET ROLE;

/* the same reading is each tenant's own */

CREATE TABLE kept (key text PRIMARY KEY, value text);
GRANT ALL ON kept TO PUBLIC;
SET ROLE regress_acme;
INSERT INTO kept VALUES
	('digest', answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 7, "note": "ACME"}', 'gauge',
	'2026-01-01Z'));
SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 7, "note": "ACME"}', 'gauge', '2026-01-01Z')
	= value AS same_row
FROM kept WHERE key = 'digest';
SELECT answer_fact('tide', '{"port": "Malmö"}') -> 'value' AS its_own,
	answer_fact('tide', '{"port": "Ystad"}') AS the_operators;
SET ROLE regress_globex;
SELECT answer_fact('tide', '{"port": "Malmö"}') AS of_another;
SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 7, "note": "ACME"}', 'gauge', '2026-01-01Z')
	= value AS same_digest
FROM kept WHERE key = 'digest';
SELECT answer_fact('tide', '{"port": "Malmö"}') -> 'value' AS now_its_own;
RESET ROLE;
SELECT tenant, count(*) FROM answer.evidence GROUP BY tenant ORDER BY tenant;
SET ROLE regress_globex;
SELECT answer_forget((SELECT value FROM kept WHERE key = 'digest'), 'no longer wanted') - 'forgotten_at'
	- 'readings' AS forgotten;
SELECT answer_fact('tide', '{"port": "Malmö"}') AS gone;
SELECT answer_evidence_add('tide', '{"port": "Malmö"}', '{"height": 7, "note": "ACME"}', 'gauge', '2026-01-01Z');
SET ROLE regress_acme;
SELECT answer_fact('tide', '{"port": "Malmö"}') -> 'value' AS still_there;
RESET ROLE;

/* documents say whose they are */

SET ROLE regress_acme;
INSERT INTO kept
	SELECT 'receipt',
		answer_eval('{"checks": [{"id": "ACME-check", "tool": "tide", "args": {"port": "Malmö"},
	"expect": {"op": "eq", "value": 7}}]}') ->> 'receipt_id';
INSERT INTO kept SELECT 'question', answer_ask('What is the ACME-secret?') ->> 'receipt_id';
SELECT r ->> 'tenant' AS tenant, r ->> 'verdict' AS verdict, answer_verify_ok(r) AS ok,
	answer_replay(r) -> 'ok' AS replays
FROM kept, answer_receipt(value) AS r WHERE key = 'receipt';
INSERT INTO kept VALUES ('fact', (SELECT f.key FROM kept, answer_receipt(value) AS r,
	jsonb_each(r -> 'evidence_index') AS f WHERE kept.key = 'receipt'));
RESET ROLE;
SELECT tenant, count(*) FROM answer.receipt GROUP BY tenant ORDER BY tenant;
SELECT answer_eval('{"checks": [{"tool": "tide"}]}') ? 'tenant' AS the_operators_say_none;
SET answer_eval.tenant = 'globex';
SELECT answer_eval('{"checks": [{"tool": "tide"}]}') ->> 'tenant' AS a_superusers_that_set_one;
RESET answer_eval.tenant;
-- a document whose member is no name does not verify
SELECT s ->> 'ok' AS ok, s ->> 'reason' AS reason FROM kept, answer_receipt(value) AS r,
	LATERAL (SELECT answer_verify(r || '{"tenant": ""}') -> 'steps' -> 'closure') AS v (s) WHERE key = 'receipt';

/* a tenant's own tool runs for it alone, with the rights of who registered it */

SET ROLE regress_acme;
SELECT answer_tool_register('tide');
SELECT answer_tool_register('postgres_server');
RESET ROLE;
CREATE SCHEMA acme AUTHORIZATION regress_acme;
CREATE SCHEMA globex AUTHORIZATION regress_globex;
GRANT USAGE ON SCHEMA acme TO regress_member;
SET ROLE regress_acme;
CREATE FUNCTION acme.pressure(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN jsonb_build_object('who', current_user, 'tenant', public.answer_tenant(), 'note', 'ACME', 'height', 1);
END
$$;
REVOKE ALL ON FUNCTION acme.pressure(jsonb) FROM PUBLIC;
CREATE FUNCTION acme.escape(args jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'none', false);
	RETURN jsonb_build_object('who', current_user);
END
$$;
CREATE FUNCTION acme.finds(chunks jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
	RAISE EXCEPTION 'ACME: % for % as %', jsonb_array_length(chunks), public.answer_tenant(), current_user; END $$;
CREATE FUNCTION acme.nothing(chunks jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT NULL::jsonb';
CREATE FUNCTION acme.grade(observation jsonb) RETURNS answer_graded LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
	SELECT NULL::text, 'Strong'::public.answer_quality_level, 'High'::public.answer_strength_level,
		'graded by ' || current_user
$$;
SELECT answer_tool_register('pressure', 'acme.pressure(jsonb)', options => '{"description": "ACME-tool"}');
SELECT answer_tool_register('escape', 'acme.escape(jsonb)');
SELECT answer_quality_grader_register('scanner', 'FileSearch', 'acme.grade(jsonb)', description => 'ACME-grader');
SELECT answer_fact('pressure') -> 'raw' AS raw;
SELECT answer_fact('escape') -> 'raw' AS raw;
SELECT (answer.grade('scanner', '{}')).*;
PREPARE grade AS SELECT (answer.grade('scanner', '{}')).quality;
EXECUTE grade;
SET ROLE regress_member;
SELECT answer_fact('pressure') -> 'raw' AS raw_of_a_member;
SET ROLE regress_globex;
SELECT answer_fact('pressure');
SELECT answer.grade('scanner', '{}');
EXECUTE grade;
SELECT answer_eval('{"checks": [{"tool": "pressure"}]}') #>> '{checks,0,verdict}' AS verdict;
SELECT t ->> 'tool' AS coverage
FROM jsonb_array_elements(answer_coverage() -> 'tools') AS t WHERE t ->> 'tool' IN ('pressure', 'tide');
-- the same name is free to each
SELECT answer_tool_register('pressure', required_args => '{port}');
SELECT tool, tenant FROM answer.tenant_tool WHERE tool IN ('pressure', 'tide', 'escape') ORDER BY tool;
RESET ROLE;
SELECT answer_fact('pressure');
SET answer_eval.tenant = 'acme';
SELECT answer_fact('pressure') -> 'raw' AS for_a_superuser_that_set_the_tenant;
SELECT answer_tool_register('mine', 'acme.pressure(jsonb)');
RESET answer_eval.tenant;
-- a misspelling tells of the tenant's own tools and of the shared ones
SET ROLE regress_acme;
\set VERBOSITY default
SELECT answer_fact('escap');
SELECT answer_fact('tidy');
SELECT answer_eval('{"checks": [{"tool": "escap"}]}') #> '{checks,0,explain,closest}' AS closest;
SET ROLE regress_globex;
SELECT answer_fact('escap');
SELECT answer_eval('{"checks": [{"tool": "escap"}]}') #> '{checks,0,explain,closest}' AS closest;
RESET ROLE;
SELECT answer_fact('escap');
\set VERBOSITY terse
-- a tenant removes its own tool, and no other
SET ROLE regress_globex;
SELECT answer_tool_remove('pressure');
SELECT answer_tool_remove('pressure');
SELECT answer_tool_remove('tide');
SELECT answer_tool_remove('postgres_server');
SELECT answer_tool_register('pressure', required_args => '{port}');
SET ROLE regress_acme;
SELECT answer_fact('pressure') -> 'raw' IS NOT NULL AS anothers_is_still_there;
SELECT answer_tool_register('gone'), answer_tool_register('gone');
SELECT answer_tool_register('gone', options => '{"unit": "m"}');
SELECT answer_tool_register('gone', options => '{"unit": "m"}', replace => true);
SELECT answer_tool_register('of_gauge', options => '{"source": "gauge"}');
RESET ROLE;
SELECT answer_source_remove('gauge');
SET ROLE regress_acme;
SELECT answer_tool_remove('gone'), answer_tool_remove('of_gauge');
RESET ROLE;
SELECT revision, action FROM answer.change WHERE tenant = 'acme' AND name = 'gone' ORDER BY revision;
-- a shared tool that takes the name is the one from then on
SELECT answer_tool_register('escape', required_args => '{port}');
SET ROLE regress_acme;
SELECT answer_fact('escape', '{"port": "x"}') AS shared_now;
RESET ROLE;
-- who registered it must still be the tenant's
SELECT answer_tenant_grant('acme', 'regress_admin');
GRANT CREATE ON SCHEMA acme TO regress_admin;
GRANT USAGE ON SCHEMA acme TO regress_admin;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO regress_admin;
SET ROLE regress_admin;
CREATE FUNCTION acme.of_admin(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT '1'::jsonb $$;
SELECT answer_tool_register('of_admin', 'acme.of_admin(jsonb)');
RESET ROLE;
SET ROLE regress_acme;
SELECT answer_fact('of_admin') -> 'value' AS value;
RESET ROLE;
SELECT answer_tenant_revoke('acme', 'regress_admin');
SELECT answer_tenant_revoke('acme', 'regress_admin');
SET ROLE regress_acme;
SELECT answer_fact('of_admin');
RESET ROLE;
ALTER ROLE regress_admin SUPERUSER;
SELECT answer_tenant_grant('acme', 'regress_admin');
SET ROLE regress_acme;
SELECT answer_fact('of_admin');
RESET ROLE;
ALTER ROLE regress_admin NOSUPERUSER;
SELECT answer_tenant_revoke('acme', 'regress_admin');

/* investigations */

SET ROLE regress_acme;
INSERT INTO kept SELECT 'investigation', answer_investigation_open('Locate', 'Where is ACME?');
INSERT INTO kept
	SELECT 'entry',
		(answer_investigation_record(value::bigint, 'scanner', 'ACME-query', 'ACME-target', '{"a": "ACME"}')).digest
FROM kept WHERE key = 'investigation';
SELECT quality, reason LIKE '%graded by regress_acme%' AS graded FROM kept, answer_quality(value::bigint)
WHERE key = 'investigation' AND class = 'FileSearch';
SELECT answer_fact('answer_assessment', jsonb_build_object('investigation', value, 'class', 'FileSearch'))
	-> 'value' AS derived
FROM kept WHERE key = 'investigation';
SELECT answer_fact('answer_observation', jsonb_build_object('investigation', i.value, 'digest', e.value))
	-> 'value' AS observed
FROM kept i, kept e WHERE i.key = 'investigation' AND e.key = 'entry';
SELECT count(*) AS open, count(next_tool) AS with_next FROM answer.tenant_open_investigation;
INSERT INTO kept SELECT 'quality', answer_quality_receipt(value::bigint) ->> 'receipt_id'
FROM kept WHERE key = 'investigation';
SELECT r ->> 'tenant' AS tenant, answer_verify_ok(r) AS ok,
	r #> '{rules,tools}' @> '[{"tool": "scanner"}]' AS rules_have_its_own
FROM kept, answer_receipt(value) AS r WHERE key = 'quality';
SET ROLE regress_globex;
INSERT INTO kept SELECT 'globex', answer_investigation_open('Locate', 'Where?');
SELECT answer_quality_receipt(value::bigint)::text ~ 'scanner' AS rules_have_anothers FROM kept WHERE key = 'globex';
SET ROLE regress_auditor;
SELECT count(*) AS entries_an_auditor_sees FROM answer.tenant_quality_entry;
SELECT quality FROM kept, answer_quality(value::bigint) WHERE key = 'investigation' AND class = 'FileSearch';
SELECT answer_receipt(value) IS NOT NULL AS read FROM kept WHERE key IN ('receipt', 'quality');
SELECT answer_investigation_open('Locate', 'Where?');
SELECT answer_eval('{"checks": [{"tool": "tide"}]}');
SELECT answer_forget((SELECT value FROM kept WHERE key = 'receipt'), 'why');
SELECT answer_anchor_request((SELECT value FROM kept WHERE key = 'receipt'));
SELECT answer_source_register('mine');
RESET ROLE;
INSERT INTO kept SELECT 'change', receipt_id FROM answer.change WHERE tenant = 'acme' AND name = 'pressure';
SELECT (SELECT count(*) FROM answer.change WHERE tenant = 'acme') AS changes_of_acme,
	(SELECT tenant FROM answer.change_state WHERE kind = 'quality_tool' AND name = 'scanner') AS state_of;

/* what is shared is nobody's to change */

CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	message text;
	detail text;
	hint text;
	state text;
BEGIN
	BEGIN
		EXECUTE statement INTO result;
		RETURN COALESCE(result, 'NULL');
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
			hint = PG_EXCEPTION_HINT;
		RETURN concat_ws(' | ', state, message, NULLIF(detail, ''), NULLIF(hint, ''));
	END;
END
$$;
SET ROLE regress_globex;
SELECT name, left(outcome(format('SELECT %s', call)), 35) AS outcome FROM (VALUES
	('answer_source_register', 'answer_source_register(''x'')'), ('answer_key_generate', 'answer_key_generate()'),
	('answer_key_adopt', 'answer_key_adopt()'), ('answer_key_retire', 'answer_key_retire(''x'')'),
	('answer_key_compromise', 'answer_key_compromise(''x'')'),
	('answer_key_import_public', 'answer_key_import_public(''x'')'),
	('answer_log_seal', 'answer_log_seal()'), ('answer_witness_trust', 'answer_witness_trust(''x'')'),
	('answer_checkpoint_cosign', 'answer_checkpoint_cosign(''x'')'),
	('answer_cosignature_add', 'answer_cosignature_add(1, ''x'', ''x'')'),
	('answer_change_record', 'answer_change_record()'),
	('route_record', 'answer.route_record()'),
	('answer_route_enable', 'answer_route_enable(''postgres.version'', false)'),
	('answer_route_remove', 'answer_route_remove(''postgres.version'')'),
	('answer_route_refresh', 'answer_route_refresh(''postgres.version'')'),
	('answer_quality_class_register', 'answer_quality_class_register(''x'')'),
	('answer_quality_intent_register', 'answer_quality_intent_register(''x'', ''{}'')'),
	('answer_quality_compatibility_register', 'answer_quality_compatibility_register(''Build'', ''Test'')'),
	('answer_quality_authority_register', 'answer_quality_authority_register(''x'', ''{}'')'),
	('answer_source_remove', 'answer_source_remove(''gauge'')'),
	('answer_decision_rule_register', 'answer_decision_rule_register(''allow'', ''x'')'),
	('answer_decision_rule_remove', 'answer_decision_rule_remove(''allow'', ''may'')'),
	('answer_receipt_partition', 'answer_receipt_partition(''2001-01-01'', ''2002-01-01'')'),
	('answer_receipt_detach', 'answer_receipt_detach(''answer.receipt_default'')'),
	('answer_embedding_index', 'answer_embedding_index(3)'),
	('answer_tenant_create', 'answer_tenant_create(''mine'')'),
	('answer_tenant_grant', 'answer_tenant_grant(''acme'', ''regress_globex'')'),
	('answer_tenant_revoke', 'answer_tenant_revoke(''acme'', ''regress_acme'')')) AS c (name, call) ORDER BY 1;
RESET ROLE;
SELECT answer_log_seal() ->> 'tree_size' IS NOT NULL AS sealed;

/* the attack */

-- Every function of the extension, and how it was judged. attacked: below, with ids of another tenant; operator: above,
-- refused; pure: of its arguments alone; shared: of what all tenants share; inner: with the caller's rights on tables,
-- of which a tenant's role has none.
CREATE TABLE judged (name text PRIMARY KEY, how text NOT NULL);
INSERT INTO judged SELECT n, 'pure'
FROM unnest(ARRAY['answer_canonical', 'answer_digest', 'portable', 'operator', 'answer_check',
	'answer_validate', 'answer_composite', 'composite_add', 'composite_combine', 'composite_final',
	'path_problem', 'fact_confidence', 'evidence_digest', 'ed25519_verify',
	'merkle_leaf_hash', 'merkle_inclusion', 'merkle_consistency', 'anchor',
	'answer_anchor_verify', 'route_problem', 'grade_text', 'answer_assess', 'assess_add', 'assess_final',
	'answer_readable', 'answer_judged_by', 'text_between', 'path_value',
	'answer_show', 'answer_summary',
	'answer_checkpoint_verify', 'retrieval_quality', 'risk', 'ambiguity', 'answer_citations_check',
	'answer_conflicts', 'text_score', 'document_read', 'answer_reading', 'answer_judge_pairs',
	'embedding_check', 'graph_content', 'graph_key', 'graph_scope', 'graph_read_nodes', 'graph_read_edges',
	'graph_project_check', 'grade_graph_node', 'veracity', 'packet_validate',
		'packet_synthesis',
	'answer_packet_html', 'receipt_html', 'row_digest', 'row_sum', 'recorded_item', 'recorded_reading',
	'options_check', 'option_texts', 'decision_rules_of',
	'decision_config_of']) AS n;
INSERT INTO judged SELECT n, 'pure'
FROM unnest(ARRAY['condition', 'bind', 'evidence_verdict', 'markers_check',
	'reference_list', 'memory_expires', 'tokens', 'plan_instant']) AS n;
INSERT INTO judged SELECT n, 'shared'
FROM unnest(ARRAY['answer_keys', 'answer_key_registry', 'answer_checkpoint', 'answer_log_consistency',
	'question_subject',
	'answer_checkpoint_request', 'answer_log_vkey', 'answer_witness_vkey', 'answer_log_compare', 'answer_log_verify',
	'answer_verify', 'answer_verify_ok', 'answer_verify_document', 'answer_settings', 'answer_replay',
	'route_replay', 'catalog', 'tool_server', 'answer_config', 'decision_rules',
	'document_filter', 'search_items', 'rules_stay',
	'shipped_decision_rules', 'answer_decide', 'tool_setting_value', 'tool_setting',
	'tool_extension', 'tool_database', 'tool_relation', 'tool_replication',
	'vector_schema']) AS n;
INSERT INTO judged SELECT n, 'trigger'
FROM unnest(ARRAY['append_only', 'key_guard', 'route_changing', 'route_changed', 'route_seed', 'tenant_protect',
	'drop_guard', 'chunk_reread', 'graph_reread',
	'graph_node_added', 'graph_node_changed', 'graph_node_removed', 'graph_edge_added',
	'graph_edge_moved', 'graph_edge_removed', 'graph_loose_end', 'graph_truncated', 'graph_embedding_counted',
	'content_changed', 'tells_of_changes']) AS n;
INSERT INTO judged VALUES ('lock_tables', 'inner'), ('tenant_guard', 'inner'), ('receipt_equip', 'inner'),
	('refuse_registered', 'pure');
INSERT INTO judged VALUES ('route_words', 'pure'), ('route_noun', 'pure'), ('route_answers', 'pure'),
	('answer_route_suggest', 'inner'),
	('route_suggested', 'inner'), ('route_values', 'inner'), ('route_columns', 'inner'), ('route_heads', 'inner'),
	('route_choices', 'inner'), ('route_handler', 'inner');
INSERT INTO judged SELECT n, 'operator'
FROM unnest(ARRAY['answer_source_register', 'answer_key_generate', 'answer_key_adopt', 'answer_key_retire',
	'answer_key_compromise', 'answer_key_import_public', 'answer_log_seal', 'answer_witness_trust',
	'answer_checkpoint_cosign', 'answer_cosignature_add', 'answer_change_record', 'route_record',
	'answer_quality_class_register', 'answer_quality_intent_register', 'answer_quality_compatibility_register',
	'answer_quality_authority_register', 'answer_tenant_create', 'answer_tenant_grant', 'answer_tenant_revoke',
	'answer_source_remove', 'answer_decision_rule_register', 'answer_decision_rule_remove', 'answer_receipt_partition',
	'answer_receipt_detach', 'answer_embedding_index']) AS n;

-- A placeholder stands for what is acme's, and then for what never was: the two must come to the same.
CREATE TABLE attack (statement text PRIMARY KEY);
INSERT INTO attack VALUES
	('SELECT answer_receipt_html({receipt}, ''{}'')'), ('SELECT answer_receipt_html({quality})'),
	('SELECT answer_receipt({receipt})'), ('SELECT answer_receipt({quality})'), ('SELECT answer_receipt({change})'),
	('SELECT answer.receipt_of(''{acme,globex,""}'', {receipt}, NULL)'),
	('SELECT answer_dsse({receipt})'), ('SELECT answer_dsse({quality})'),
	('SELECT answer_anchor_request({receipt})'), ('SELECT answer_anchor_attach({receipt}, ''\x3003020101'')'),
	('SELECT answer_log_inclusion({receipt})'), ('SELECT answer_log_inclusion({change}, 1)'),
	('SELECT answer_forget({receipt}, ''why'')'), ('SELECT answer_forget({quality}, ''why'')'),
	('SELECT answer_forget({fact}, ''why'')'), ('SELECT answer_forget({forgotten}, ''why'')'),
	('SELECT answer_tombstone_add({fact}, ''why'') - ''forgotten_at'''),
	('SELECT answer_tombstone_add({forgotten}, ''why'') - ''forgotten_at'''),
	('SELECT answer.refuse_forgotten(''globex'', {forgotten})'),
	('SELECT answer.refuse_forgotten(''acme'', {forgotten})'),
	('SELECT answer.refuse_forgotten(''acme'', {fact})'),
	('SELECT answer.refuse_detached({receipt})'), ('SELECT answer_tool_remove({tool})'),
	('SELECT answer_fact({tool} || ''x'')'), ('SELECT answer_fact(''x'' || {tool})'),
	('SELECT answer_eval(jsonb_build_object(''checks'', jsonb_build_array(jsonb_build_object(''tool'', '
		'{tool} || ''x'')))) #> ''{checks,0}'''),
	('SELECT answer_fact({tool})'), ('SELECT answer_fact({tool}, ''{"port": "Malmö"}'')'),
	('SELECT answer_fact(''answer_observation'', jsonb_build_object(''investigation'', {investigation}, ''digest'', '
		'{entry}))'),
	('SELECT answer_fact(''answer_assessment'', jsonb_build_object(''investigation'', {investigation}, ''class'', '
		'''FileSearch''))'),
	('SELECT answer.tool_observation(jsonb_build_object(''investigation'', {investigation}, ''digest'', {entry}))'),
	('SELECT answer.tool_observation_of(''{acme}'', jsonb_build_object(''investigation'', {investigation}, ''digest'', '
		'{entry}))'),
	('SELECT answer.tool_assessment(jsonb_build_object(''investigation'', {investigation}, ''class'', '
		'''FileSearch''))'),
	('SELECT answer_eval(jsonb_build_object(''checks'', jsonb_build_array(jsonb_build_object(''tool'', '
		'{tool})))) #> ''{checks,0}'''),
	('SELECT receipt #> ''{checks,0}'', error FROM answer_eval_each(ARRAY[jsonb_build_object(''checks'', '
		'jsonb_build_array(jsonb_build_object(''tool'', {tool})))], ''skip'')'),
	('SELECT receipt #> ''{checks,0}'' FROM answer_eval_each(ARRAY[jsonb_build_object(''checks'', '
		'jsonb_build_array(jsonb_build_object(''tool'', ''answer_assessment'', ''args'',
		jsonb_build_object(''investigation'', {investigation}, ''class'', '
		'''FileSearch''))))])'),
	('SELECT * FROM answer.eval_progress_rows()'),
	('SELECT answer_eval(jsonb_build_object(''checks'', jsonb_build_array(jsonb_build_object(''tool'', '
		'''answer_assessment'', ''args'',
		jsonb_build_object(''investigation'', {investigation}, ''class'', '
		'''FileSearch''))))) #> ''{checks,0,explain}'''),
	('SELECT answer_ask(''What quality of FileSearch does investigation '' || {investigation} || '' hold?'') #> '
		'''{checks,0,explain}'''),
	('SELECT answer_ask(''What is the secret?'') -> ''coverage'' -> ''tools'''),
	('SELECT answer_coverage() -> ''tools'''), ('SELECT answer_coverage()'), ('SELECT answer_route_table()'),
	('SELECT answer.route_compile({route})'), ('SELECT answer_route_explain({route})'),
	('SELECT answer_route_audit({route})'), ('SELECT answer_route_audit()'),
	('SELECT answer_route_enable({route}, false)'), ('SELECT answer_route_remove({route})'),
	('SELECT answer_route_refresh({route})'), ('SELECT answer_route_refresh()'),
	('SELECT answer_route_register({route}, ''which '' || {route}, ''interrogative'', ''postgres_server'','
		' examples => ARRAY[''which '' || {route}])'),
	('SELECT count(*) FROM answer.tenant_route WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT count(*) FROM answer.tenant_route_table WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT answer.grade({grader}, ''{}'')'),
	('SELECT answer_tool_register({tool})'),
	('SELECT answer_quality_grader_register({grader}, ''FileSearch'', ''acme.grade(jsonb)'')'),
	('SELECT answer_evidence_add({tool}, ''{}'', ''1'', ''gauge'')'),
	('SELECT answer.assessment_of({investigation}::bigint)'),
	('SELECT answer.assessment_of({investigation}::bigint, ''Locate'', ''Where?'', NULL)'),
	('SELECT answer_quality({investigation}::bigint)'), ('SELECT answer.quality_reasons({investigation}::bigint)'),
	('SELECT answer_gap({investigation}::bigint)'), ('SELECT answer.next_tool({investigation}::bigint)'),
	('SELECT answer_complete({investigation}::bigint)'),
	('SELECT answer.has_quality({investigation}::bigint, ''FileSearch'', ''Weak'')'),
	('SELECT answer.confidence_level({investigation}::bigint)'),
	('SELECT answer_investigation_record({investigation}::bigint, ''grep'', ''q'', ''t'', ''{}'')'),
	('SELECT answer_investigation_record_output({investigation}::bigint, ''grep'', ''q'', ''t'', ''a.c:1:q'')'),
	('SELECT answer_investigation_close({investigation}::bigint)'),
	('SELECT answer_quality_receipt({investigation}::bigint)'),
	('SELECT (answer_investigation_open(''Locate'', ''x'') < 1000)::text'),
	('SELECT answer.change_record_put(''acme'', ''tool'', {tool})'), ('SELECT answer_tenants()'),
	('SELECT answer_tenant()'),
	('SELECT answer.tenant_reads()'), ('SELECT answer.tenants_of(''{acme,""}'')'),
	('SELECT answer_log_audit()'), ('SELECT set_config(''answer_eval.tenant'', ''acme'', true), answer_tenant()'),
	('SELECT set_config(''answer_eval.tenant'', ''*'', true), answer.tenant_reads()'),
	('SELECT r FROM answer.tenant_receipt r WHERE receipt_id IN ({receipt}, {quality}, {change})'),
	('SELECT count(*) FROM answer.tenant_receipt WHERE tenant = ''acme'''),
	('SELECT count(*) FROM answer.tenant_evidence WHERE digest IN ({fact}, {forgotten})'),
	('SELECT count(*) FROM answer.tenant_tombstone WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_investigation WHERE investigation = {investigation}::bigint'),
	('SELECT count(*) FROM answer.tenant_quality_entry WHERE investigation = {investigation}::bigint OR digest = '
		'{entry}'),
	('SELECT count(*) FROM answer.tenant_open_investigation WHERE investigation = {investigation}::bigint'),
	('SELECT count(*) FROM answer.tenant_tool WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT count(*) FROM answer.tenant_quality_tool WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT count(*) FROM answer.tenant_anchor WHERE receipt_id = {receipt}'),
	('SELECT count(*) FROM answer.tenant_receipt WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_anchor WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_evidence WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_investigation WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_quality_entry WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_open_investigation WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM pg_stats WHERE schemaname = ''answer'' AND tablename IN (''receipt'', ''evidence'', '
		'''investigation'', ''quality_entry'',
		''document'', ''chunk'', ''chunk_search'', ''chunk_item'')'),
	('SELECT answer_search({document} || '' mergers'', 1000)'),
	('SELECT answer_graph_search({project}, ''mergers'', 1000)'),
	('SELECT answer_graph_search({project}, ''mergers'', 5, ''{Code}'', ''{ledger}'')'),
	('SELECT answer_graph_embed({project}, ''n1'', ''{1}'')'), ('SELECT answer_graph_forget({project})'),
	('SELECT answer_graph_forget({project}, ''{n1}'')'),
	('SELECT answer_graph_load({project}, ''[]'', ''[{"from": "n1", "to": "n1", "type": "CALLS"}]'')'),
	('SELECT (answer_packet({project}, ''mergers'') - ''content_hash'') #- ''{meta}'''),
	('SELECT (answer_packet_receipt({project}, ''mergers'') -> ''packet'') - ''{meta,content_hash}''::text[]'),
	('SELECT answer_graph_node({project}, ''n1'')'), ('SELECT answer_forget({query}, ''why'')'),
	('SELECT answer.tool_graph_node(jsonb_build_object(''project'', {project}, ''id'', ''n1''))'),
	('SELECT count(*) FROM answer.tenant_packet_log WHERE query_id = {query}'),
	('SELECT count(*) FROM answer.tenant_packet_log WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_graph_project WHERE project = {project}'),
	('SELECT count(*) FROM answer.tenant_graph_project WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_graph_node WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_graph_edge WHERE tenant <> ''globex'''),
	('SELECT answer_search(''mergers'', 5, jsonb_build_object(''doc_ids'', jsonb_build_array({document})))'),
	('SELECT answer_search(''merger minutes'')'),
	('SELECT answer_documents(jsonb_build_object(''doc_ids'', jsonb_build_array({document})))'),
	('SELECT answer_documents()'), ('SELECT answer_chunk_embed({document} || ''#p0'', ''{1}'')'),
	('SELECT answer_embedding_pending(3, 1000)'),
	('SELECT answer_forget({document}, ''why'')'),
	('SELECT answer_document_load(jsonb_build_array(jsonb_build_object(''doc_id'', {document}, ''title'', ''T'', '
		'''timestamp'', ''2024-01-01'', ''text'', ''T'')))
		#> ''{documents,0,state}'''),
	('SELECT count(*) FROM answer.tenant_document WHERE doc_id = {document}'),
	('SELECT count(*) FROM answer.tenant_chunk WHERE doc_id = {document}'),
	('SELECT count(*) FROM answer.tenant_document WHERE tenant <> ''globex'''),
	('SELECT count(*) FROM answer.tenant_chunk WHERE tenant <> ''globex'''),
	('SELECT answer_grounded(''merger minutes'') - ''receipt_id'' - ''signature'''),
	('SELECT answer_grounded(''merger minutes'', ''{"config": {"cache_ttl_s": 60}}'') -> ''cached'''),
	('SELECT answer_grounded(''merger minutes'', jsonb_build_object(''filter'', jsonb_build_object(''doc_ids'', '
		'jsonb_build_array({document})))) #> ''{retrieval,chunks}'''),
	('SELECT answer_grounded(''merger minutes'', jsonb_build_object(''retrieval_id'', {retrieval}))'),
	('SELECT answer_grounded(''merger minutes'', jsonb_build_object(''retrieval_id'', {retrieval}, ''answer'', '
		'''x''))'),
	('SELECT answer_retrieve(''merger minutes'') - ''retrieval_id'''),
	('SELECT answer_debug(''retrieval'', ''merger minutes'')'),
		('SELECT answer_debug(''conflicts'', ''merger minutes'')'),
	('SELECT answer_debug(''decision'', ''merger minutes'')'),
	('SELECT answer_document_facts_add({document}, ''[]'')'),
	('SELECT count(*) FROM answer_document_facts(jsonb_build_object(''doc_ids'', jsonb_build_array({document})))'),
	('SELECT answer_fact(''doc.fact'', ''{"subject": "ACME", "attribute": "mergers"}'') IS NULL'),
	('SELECT count(*) FROM answer.tenant_document_fact WHERE doc_id = {document}'),
	('SELECT count(*) FROM answer.tenant_document_fact WHERE tenant <> ''globex''');
INSERT INTO attack VALUES
	('SELECT answer_tool_spec({reader})'), ('SELECT answer_tool_spec({reader} || ''x'')'),
	('SELECT answer_tool_invoke({reader})'), ('SELECT answer_tool_invoke({reader}, ''{"x": 1}'')'),
	('SELECT answer_plan_validate(jsonb_build_object(''plan_id'', ''x'', ''nodes'', jsonb_build_array('
		'jsonb_build_object(''id'', ''a'', ''op'', ''call'', ''out'', ''x'', ''tool'', {reader}))))'),
	('SELECT answer_plan_validate(''{"plan_id": "x", "nodes": [{"id": "a", "op": "call", "out": "x", '
		'"capability": "ledgers"}]}'')'),
	('SELECT answer_plan_register(jsonb_build_object(''plan_id'', {plan}, ''nodes'', jsonb_build_array('
		'jsonb_build_object(''id'', ''a'', ''op'', ''call'', ''out'', ''x'', ''tool'', {reader}))))'),
	('SELECT answer_plan_register(jsonb_build_object(''plan_id'', {plan}, ''nodes'', ''[{"id": "a", "op": "assert", '
		'"if": "true"}]''::jsonb)) IS NULL'),
	('SELECT answer_plan_explain(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan})))'),
	('SELECT answer_plan_explain(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan_digest})))'),
	('SELECT answer_plan_explain(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan}), ''tenant'', '
		'''acme''))'),
	('SELECT count(*) FROM answer.tenant_plan WHERE plan_id = {plan}'),
	('SELECT count(*) FROM answer.tenant_plan WHERE tenant NOT IN ('''', ''globex'')');
-- the functions that write for others, called with another's name
INSERT INTO attack VALUES
	('SELECT answer.evidence_add_check(''acme'', ''tide'', ''{"port": "x"}'', ''1'', ''gauge'', ''sha256:'')'),
	('SELECT answer.tool_put(''regress_acme'', ''acme'', ''{"tool": {"name": "x"}}'', NULL)'),
	('SELECT answer.plan_put(''acme'', ''x'', ''x'', ''{}'', ''x'')'), ('SELECT answer.plan_tools(''acme'', ''{}'')'),
	('SELECT answer.refuse_asked(''acme'', ''pressure'')'), ('SELECT answer.tool_is_askable(''{}'')'),
	('SELECT answer.tool_spec_read(''x'', ''{}'', true)'),
	('SELECT answer.tool_remove_put(''acme'', ''pressure'')'), ('SELECT answer.source_remove_put(''gauge'')'),
	('SELECT answer.receipt_partition_put(''2001-01-01'', ''2002-01-01'')'),
	('SELECT answer.receipt_equip(''answer.receipt_default'')'),
	('SELECT answer.quality_grader_put(''regress_acme'', ''acme'', ''{"tool": "x", "class": "FileSearch"}'', '
		'''acme.grade(jsonb)'')'),
	('SELECT answer.source_register_put(''x'', NULL, NULL, NULL, NULL, false)'),
	('SELECT answer.tenant_create_put(''x'')'),
	('SELECT answer.tenant_grant_put(''acme'', ''regress_globex'')'),
	('SELECT answer.tenant_revoke_put(''acme'', ''regress_acme'')'),
	('SELECT answer.route_put(''regress_acme'', ''acme'', ''{"route_id": "x", "pattern": "x", "kind": "declarative", '
		'"tool": "tide", "args": {"port": "x"}, "expect": {"op": "eq", "value": 1}, "examples": ["x"], '
		'"options": {"replace": true}}'', NULL, NULL)'),
	('SELECT answer.route_fill(''regress_acme'', ''acme'', ''x'', NULL, NULL)'),
	('SELECT answer.route_record_put()'), ('SELECT answer.route_enable_put('''', ''postgres.version'', false)'),
	('SELECT answer.route_remove_put(''acme'', {route})'), ('SELECT answer.route_findings(''acme'', {route})'),
	('SELECT answer.route_accept(''acme'', {route})'), ('SELECT answer.route_require(''acme'', {route})'),
	('SELECT answer.route_lock(''acme'')'),
	('SELECT answer.quality_class_register_put(''x'', NULL, NULL, NULL, NULL, NULL, true)'),
	('SELECT answer.quality_intent_register_put(''x'', ''{}'', NULL, true)'),
	('SELECT answer.quality_compatibility_register_put(''Build'', ''Test'', ''Strong'', true, true)'),
	('SELECT answer.quality_authority_register_put(''grep'', ''{}'')'),
	('SELECT answer.document_load_put(''acme'', ''[]'')'),
	('SELECT answer.document_erase(''acme'', {document}, ''{}'', ''{}'')'),
	('SELECT answer.document_judged(''acme'', {document})'),
	('SELECT answer.documents_of(''acme'', NULL)'), ('SELECT answer.document_set_version(''acme'')'),
	('SELECT answer.document_set_lock(''acme'')'),
	('SELECT answer.graph_load_put(''acme'', {project}, ''[]'', ''[]'')'),
	('SELECT answer.graph_lock(''acme'', {project})'), ('SELECT answer.graph_node_of(''acme'', {project}, ''n1'')'),
	('SELECT answer.graph_count(''acme'', {project}, 1, 1, ''{}'', ''{}'')'),
	('SELECT answer.graph_tie(''acme'', {project})'),
	('SELECT answer.content_record_put(''acme'', ''documents'', ''documents'', '''')'),
	('SELECT answer.content_record_put(''acme'', ''graph'', {project}, ''x'')'),
	('SELECT answer.content_settle()'), ('SELECT answer.memory_recorded(''acme'', ''{a}'')'),
	('SELECT answer.graph_search_of(''acme'', {project}, ''mergers'', 5, NULL, NULL, NULL)'),
	('SELECT answer.graph_search_vector(''acme'', {project}, ''{1}'', 5, NULL, NULL)'),
	('SELECT answer.graph_embed_put(''acme'', {project}, ''n1'', ''{1}'')'),
	('SELECT answer.graph_forget_put(''acme'', {project}, NULL)'),
	('SELECT answer.document_newest(''acme'', {document})'),
	('SELECT answer.chunk_index(''acme'', ARRAY[{document}])'),
	('SELECT answer.chunk_unindex(''acme'', ARRAY[{document}])'),
	('SELECT answer.chunk_embed_put(''acme'', {document} || ''#p0'', ''{1}'', NULL)'),
	('SELECT answer.embedding_index_put(3)'),
	('SELECT answer.embedding_pending_of(''acme'', 3, 1000)'),
	('SELECT answer.search_text(''acme'', ''mergers'', 5, NULL)'),
	('SELECT answer.search_of(''acme'', ''mergers'', 5, NULL, NULL, false)'),
	('SELECT answer.search_vector(''acme'', ''{1}'', 5, NULL, false, NULL)'),
	('SELECT answer.search_by_embedding(''acme'', ''mergers'', 5, NULL, ''{1}'', true)'),
	('SELECT answer.document_facts_add_put(''acme'', {document}, ''[]'', ''{}'')'),
	('SELECT answer.document_facts_of(''acme'', NULL)'),
	('SELECT answer.document_fact_readings(''acme'', ''{"subject": "ACME", "attribute": "mergers"}'', now())'),
	('SELECT answer.freshness_days_of(''acme'')'),
	('SELECT answer.decision_rule_register_put(''allow'', ''x'', ''{}'', false)'),
	('SELECT answer.decision_rule_remove_put(''allow'', ''may'')'),
	('SELECT answer.decision_rules_check(''allow'', ''may'')'),
	('SELECT answer.retrieval_put(''acme'', ''regress_acme'', {retrieval}, ''{}'', now(), now(), ''{}'')'),
	('SELECT answer.judged_since(''acme'', ''{"schema": "decision/v1", "judgements": [{"pair": "x"}]}'')'),
	('SELECT answer.decision_cache_get(''acme'', ''x'', now())'),
	('SELECT answer.decision_cache_put(''acme'', ''x'', ''x'', now(), now(), ''{}'', 1)');
INSERT INTO attack VALUES
	('SELECT answer_budget_set(''acme'', ''day'', 1000)'), ('SELECT answer_memory_policy(''acme'', ''x'', true)'),
	('SELECT answer.memory_policy_put(''acme'', ''x'', true)'),
	('SELECT count(*) FROM answer.tenant_budget WHERE tenant <> ''globex'''),
	('SELECT answer.budget_set_put(''acme'', ''day'', 1000)'), ('SELECT answer.budget_lock(''acme'')'),
	('SELECT answer.budget_count(''acme'')'),
	('SELECT answer.budget_operate(''acme'', ''t_1'', ''open'', ''{"cost_usd": 1}'')'),
	('SELECT answer.budget_recover(''acme'', ''t_1'', now())'),
	('SELECT answer.budget_prune(''{acme}'')'), ('SELECT answer.tool_call_prune(''{acme}'')'),
	('SELECT answer.trace_lock(''acme'', ''t_1'', true)'),
	('SELECT answer.rate_take(''acme'', ''pressure'', 1, true)');
INSERT INTO attack VALUES
	('SELECT answer.tool_mesh_mem(jsonb_build_object(''op'', ''read'', ''key'', {memory}))'),
	('SELECT answer.tool_mesh_mem(jsonb_build_object(''op'', ''write'', ''key'', {memory}, ''value'', ''{}''::jsonb))'),
	('SELECT answer_memory_forget({memory}, ''why'')'), ('SELECT answer_forget({memory_digest}, ''why'')'),
	('SELECT count(*) FROM answer.tenant_memory WHERE key = {memory}'),
	('SELECT count(*) FROM answer.tenant_memory WHERE tenant <> ''globex'''),
	('SELECT answer.tool_doc_search(''{"q": "merger minutes"}'')'),
	('SELECT answer.tool_doc_search(jsonb_build_object(''q'', ''mergers'', ''filters'', '
		'jsonb_build_object(''doc_ids'', jsonb_build_array({document}))))'),
	('SELECT answer.tool_ground_verify(''{"claims": ["merger minutes"], "sources": [{"uri": "a", "score": 1, '
		'"snippet": "Merger minutes."}]}'') #> ''{evidence,verdict}''');
INSERT INTO attack VALUES
	('SELECT answer_plan_execute(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan}))) ->> ''verdict'' '),
	('SELECT answer_plan_execute(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan_digest}))) IS NULL'),
	('SELECT answer_plan_execute(jsonb_build_object(''plan'', jsonb_build_object(''ref'', {plan}), ''tenant'', '
		'''acme''))'),
	('SELECT answer_plan_execute(jsonb_build_object(''plan'', jsonb_build_object(''plan_id'', ''x'', ''nodes'', '
		'jsonb_build_array(jsonb_build_object(''id'', ''a'', ''op'', ''call'', ''out'', ''x'', '
		'''tool'', {reader})))))'),
	('SELECT answer_plan_execute(jsonb_build_object(''plan'', jsonb_build_object(''plan_id'', ''x'', ''nodes'', '
		'jsonb_build_array(jsonb_build_object(''id'', ''a'', ''op'', ''mem.read'', ''out'', ''x'', ''args'', '
		'jsonb_build_object(''key'', {memory})))))) #> ''{trace,0,outputs}'' '),
	('SELECT answer_plan_resume({trace}, ''{"a": {"result": {}, "by": "me"}}'')'), ('SELECT answer_plan_recover()'),
	('SELECT answer_trace({trace})'), ('SELECT answer_trace({plan})'), ('SELECT answer_trace_verify({trace})'),
	('SELECT answer.trace_of(ARRAY[''acme''], 0::oid, {trace}, NULL, false)'),
	('SELECT answer.trace_readable(ARRAY[''acme''], 0::oid, ''someone'')'),
	('SELECT count(*) FROM answer.tenant_plan_run WHERE trace_id = {trace}'),
	('SELECT count(*) FROM answer.tenant_plan_run WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_plan_event WHERE trace_id = {trace}'),
	('SELECT count(*) FROM answer.tenant_plan_event WHERE tenant <> ''globex'' '),
	('SELECT answer.replay_bundle_of(ARRAY[''acme''], 0::oid, {trace})'),
	('SELECT answer.replay_bundle_write(''{}'', ''{}'')'),
	('SELECT answer_replay_bundle({trace})'), ('SELECT answer.replay_verify(answer_replay_bundle({trace}))');
INSERT INTO attack VALUES
	('SELECT count(*) FROM answer.tenant_baseline WHERE name = {baseline}'),
	('SELECT count(*) FROM answer.tenant_baseline WHERE tenant <> ''globex'' '),
	('SELECT answer_baseline_load({baseline}, ''[]'')'),
	('SELECT answer.baseline_load_put(''acme'', {baseline}, ''[]'')');
INSERT INTO judged VALUES ('evolve_knobs', 'pure'), ('evolve_changes', 'pure'), ('evolve_breaches', 'pure'),
	('evolve_judge', 'pure'),
	('evolve_measure', 'pure'), ('evolve_is_low_risk', 'pure'), ('evolve_problem', 'pure');
INSERT INTO attack VALUES
	('SELECT count(*) FROM answer.tenant_evolve_proposal WHERE proposal = {proposal}'),
	('SELECT count(*) FROM answer.tenant_evolve_proposal WHERE tenant <> ''globex'' '),
	('SELECT answer_evolve_validate({proposal})'), ('SELECT jsonb_array_length(answer_evolve_propose())'),
	('SELECT answer_evolve_propose(''dev'', ''{"top_k": 7}'', ''why'') #> ''{0,is_new}'' '),
	('SELECT answer_audit_report(''2001-01-01'', ''2001-01-02'', {baseline})'),
	('SELECT answer_audit_report(''2020-01-01'', ''2021-01-01'') -> ''answers'' '),
	('SELECT jsonb_path_query_array(answer_audit_report(now() - interval ''1 day'', now() + interval ''1 day''), '
		'''$.proposals[*].proposal'')'),
	('SELECT answer.audit_report_put(''acme'', ''2001-01-01'', ''2001-01-02'', NULL, NULL)');
INSERT INTO judged VALUES ('baseline_read', 'pure'), ('baseline_digest', 'pure'), ('environment_guard', 'trigger'),
	('shipped_config', 'pure'), ('shipped_environments', 'pure');
INSERT INTO attack VALUES
	('SELECT answer_config_create(''{"top_k": 6}'', ''why'', {config})'),
	('SELECT answer_config_promote(''prod'', {config})'),
	('SELECT answer_config_rollback(''prod'', ''why'')'),
	('SELECT answer_environment_set(''prod'', reason => ''why'', tenant => ''acme'')'),
	('SELECT count(*) FROM answer.tenant_config WHERE config_id = {config} OR tenant NOT IN (''globex'', '''')'),
	('SELECT count(*) FROM answer.tenant_config_step WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_environment WHERE tenant NOT IN (''globex'', '''')');
INSERT INTO attack VALUES
	('SELECT answer_dashboard_page(''{"tenant": "acme"}'')'),
	('SELECT page FROM answer.dashboard_page(''{"tenant": "acme"}'')'),
	('SELECT state FROM answer.dashboard_receipts(100) WHERE receipt_id = {receipt}'),
	('SELECT count(*) FROM answer.dashboard_gates() WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.dashboard_gates WHERE tenant <> ''globex'' '),
	('SELECT issued_at FROM answer.dashboard_receipts_of(ARRAY[''acme''], 100)'),
	('SELECT receipt_id FROM answer.dashboard_gates_of(ARRAY[''acme''], 100)'),
	('SELECT answer.receipt_state({receipt}, ''acme'', ''answer/v1'', now(), NULL, NULL, NULL, NULL, NULL, ''{}'')'),
	('SELECT page FROM answer.dashboard_page_of(ARRAY[''acme''], 0, ''{}'')');
INSERT INTO judged VALUES ('html_text', 'pure'), ('receipt_columns', 'pure'), ('dashboard_number', 'pure'),
	('receipt_question', 'pure'),
	('dashboard_chip', 'pure'), ('dashboard_style', 'pure'), ('dashboard_section', 'pure'), ('dashboard_tiles', 'pure'),
	('dashboard_table', 'pure'), ('dashboard_chart', 'pure'), ('dashboard_most', 'pure'), ('document_size', 'pure'),
	('dashboard_evidence_words', 'pure'), ('slo_burn_from', 'pure');
-- the dashboard: nothing of others by name, in sums or in totals
INSERT INTO attack
SELECT format('SELECT count(*) FROM answer.dashboard_%s() WHERE tenant <> ''globex''', n)
FROM unnest(ARRAY['verdicts', 'checks', 'reasons', 'evidence', 'latency', 'slo', 'intents', 'sources', 'tools',
	'budgets', 'open', 'suites']) AS n;
INSERT INTO attack
SELECT format('SELECT * FROM answer.dashboard_%s_of(''{acme}'')', n)
FROM unnest(ARRAY['verdicts', 'checks', 'reasons', 'evidence', 'latency', 'slo', 'intents', 'sources', 'tools',
	'budgets', 'open', 'suites', 'keys', 'log']) AS n;
INSERT INTO attack VALUES
	('SELECT count(*) FROM answer_slo(''1 day'') WHERE intent = {intent} OR tenant <> ''globex'' '),
	('SELECT a.answers - b.answers FROM answer_slo(''1 day'') a, answer_slo(''1 day'') b '
		'WHERE a.tenant IS NULL AND b.tenant = ''globex'' AND b.intent IS NULL'),
	('SELECT count(*) FROM answer.slo_burn() WHERE intent = {intent} OR tenant <> ''globex'' '),
	('SELECT count(*) FROM answer_slo_refusals(''1 day'') WHERE intent = {intent} OR tenant <> ''globex'' '),
	('SELECT answer.slo_refusals_of(''{acme}'', ''1 day'', NULL)'),
	('SELECT answer.slo_refused(''{acme}'', ''1 day'', NULL)'),
	('SELECT answer.rollup_correct(''acme'', ''{x}'')'),
	('SELECT answer.rollup_correct_document(''acme'', {receipt}, now())'),
	('SELECT answer.receipt_contradiction(''acme'', ''{}'')'),
	('SELECT answer.slo_of(''{acme}'', ''1 day'', NULL)'), ('SELECT answer.slo_burn_of(''{acme}'', NULL)'),
	('SELECT sum(k.documents) - (SELECT sum(v.value) FROM answer.dashboard_verdicts() v WHERE v.tenant = ''globex'') '
		'FROM answer.dashboard_keys() k'),
	('SELECT count(file_present) FROM answer.dashboard_keys()'), ('SELECT count(*) FROM answer.dashboard_log()'),
	('SELECT count(*) FROM answer.dashboard_intents() WHERE intent = {intent}'),
	('SELECT count(*) FROM answer.dashboard_tools() WHERE tool IN ({tool}, {reader})'),
	('SELECT count(*) FROM answer.receipt_check(''2000-01-01'') WHERE receipt_id = {receipt} OR tenant <> ''globex'' '),
	('SELECT answer.receipt_check_of(''{acme}'', ''2000-01-01'', NULL, 10)'),
	('SELECT answer.slo_sums(''{acme}'', ''{1 day}'', NULL, true)'),
	('SELECT answer.slo_windows(''{acme}'', ''{1 day}'', NULL)'), ('SELECT answer.dashboard_latencies(''{acme}'')'),
	('SELECT * FROM answer.rollup_point'), ('SELECT answer.dashboard_words(''{acme}'', ''{reason}'')'),
	('SELECT answer_rollup()'), ('SELECT answer_rollup_rebuild()'), ('SELECT answer_rollup_prune(''2000-01-01'')'),
	('SELECT answer.rollup_put()'), ('SELECT answer.rollup_rebuild_put()'), ('SELECT answer.rollup_alone()'),
	('SELECT answer.rollup_prune_put(''2000-01-01'', NULL)'), ('SELECT answer.rollup_gather(false, NULL, NULL, NULL)'),
	('SELECT answer_dashboard_grant(''regress_globex'')'), ('SELECT answer_dashboard_revoke(''regress_acme'')'),
	('SELECT answer.dashboard_grant_put(''regress_globex'')'), ('SELECT answer.dashboard_revoke_put(''regress_acme'')'),
	('SELECT answer.dashboard_right(''regress_globex'', ''GRANT'')');
INSERT INTO judged SELECT n, 'pure'
FROM unnest(ARRAY['latency_bag', 'latency_add', 'latency_final', 'latency_union', 'latency_percentile', 'receipt_words',
	'receipt_intent', 'receipt_pairs', 'rollup_pieces']) AS n;
INSERT INTO judged VALUES ('key_file_present', 'shared');
-- the procedure does what answer_plan_execute does, and cannot be called within what attacks
INSERT INTO judged VALUES ('tool_synth_answer', 'pure'), ('quotes_document', 'pure'),
	('answer_plan_run', 'as execute');
INSERT INTO attack VALUES
	('SELECT answer_suite_run({suite})'), ('SELECT answer_suite_run({suite}, ''{"min_chunks": 1}'', 1)'),
	('SELECT answer_suite_tune({suite})'), ('SELECT answer_suite_tune({suite}, ''{"version": 1}'')'),
	('SELECT count(*) FROM answer_suites() WHERE suite = {suite}'), ('SELECT answer.suites_of(''{acme}'')'),
	('SELECT answer.suite_store(''acme'', {suite}, ''[]'', ''[]'', now(), NULL)'),
	('SELECT answer.suite_next_version(''acme'', {suite}, 0, ''x'')'),
	('SELECT answer.suite_load_put(''acme'', {suite}, ''[]'', ''[]'', now())'),
	('SELECT answer_suite_judge({suite})'), ('SELECT answer.suite_pin_put(''acme'', {suite}, 1, ''{}'')'),
	('SELECT answer.suite_version_put(''{"tenant": "acme", "name": "x", "version": 9, "digest": "x"}'', ''[]'')'),
	('SELECT answer_suite_load({suite}, ''[]'', ''[]'', ''2024-06-01'') - ''suite'' '),
	('SELECT answer_run({run})'), ('SELECT answer.run_of(''{acme}'', {run})'),
	('SELECT answer.run_verified(''{acme}'', {run})'), ('SELECT answer_run_diff({run}, {run})'),
	('SELECT answer.run_diff_of(''{acme}'', {run}, {run})'), ('SELECT answer_gate({run})'),
	('SELECT answer.gate_of(''{acme}'', {run}, NULL, NULL)'), ('SELECT answer_gate_assert({run})'),
	('SELECT answer.gate_assert_of(''{acme}'', {run}, NULL, NULL)'), ('SELECT answer_run_junit({run})'),
	('SELECT answer.run_junit_of(''{acme}'', {run})'), ('SELECT answer_run_intoto({run})'),
	('SELECT answer.run_intoto_of(''{acme}'', {run})'), ('SELECT answer.run_intoto(''{}'')'),
	('SELECT answer.run_put(''acme'', {run}, now(), ''{}'')'),
	('SELECT answer.keep_unforgotten(''acme'')'), ('SELECT answer.load_lock(''acme'', ''suite'', {suite})'),
	('SELECT answer.run_work_put(''acme'', ''x'', ''someone'', ''{}'', ''[]'')'),
	('SELECT answer.run_work_end(''acme'', ''x'')'),
	('SELECT answer_suite_run_prune(''2100-01-01'')'), ('SELECT answer.suite_run_prune_put(''acme'', ''2100-01-01'')'),
	('SELECT count(*) FROM answer.tenant_run WHERE run_id = {run}'),
	('SELECT count(*) FROM answer.tenant_run WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_run_case WHERE run_id = {run}'),
	('SELECT count(*) FROM answer.tenant_run_case WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_suite WHERE name = {suite}'),
	('SELECT count(*) FROM answer.tenant_suite WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_suite_case WHERE suite = {suite}'),
	('SELECT count(*) FROM answer.tenant_suite_case WHERE tenant <> ''globex'' '),
	('SELECT count(*) FROM answer.tenant_run_progress WHERE tenant <> ''globex'' ');
INSERT INTO judged VALUES ('answer_suite_run_resume', 'as run'), ('run_guard', 'trigger'), ('suite_read', 'pure'),
	('suite_digest', 'pure'), ('suite_digests', 'pure'), ('gate_judge', 'pure'),
	('xml_text', 'pure'), ('tenant_plan_support', 'pure'), ('tenant_shared', 'pure'), ('tenant_write_guard', 'trigger');
INSERT INTO judged VALUES ('document_fact_key', 'pure'),
	('document_facts_read', 'shared'), ('judge_option', 'pure'), ('judge_text', 'pure'), ('judge_kinds', 'pure'),
	('judge_handler_digest', 'shared'), ('judge_wanted', 'shared');
INSERT INTO attack VALUES
	('SELECT answer_judge_remove({judge})'), ('SELECT answer_judge_assess({judge}, ''[{"kind": "entailment", "a": "x", '
		'"b": "y", "truth": "neutral"}]'')'),
	('SELECT answer_judge_pending({judge}, 5)'), ('SELECT count(*) FROM answer_judges() WHERE name = {judge}'),
	('SELECT answer_judge_register({judge}, ''{"kinds": ["entailment"], "model": "m", "version": "1", '
		'"role": "regress_globex"}'')'),
	('SELECT answer_judgement_add(jsonb_build_array(jsonb_build_object(''kind'', ''entailment'', ''a'', ''x'', ''b'', '
		'''y'', ''relation'', ''neutral'', ''score'', 1, ''judge'', {judge})))'),
	('SELECT count(*) FROM answer.tenant_judge WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT count(*) FROM answer.tenant_judge_assessment WHERE tenant NOT IN ('''', ''globex'')'),
	('SELECT count(*) FROM answer.tenant_judgement WHERE tenant <> ''globex'' '),
	('SELECT answer.judge_register_put(''regress_acme'', ''acme'', ''{"name": "x", "options": {}}'', '
		'''acme.finds(jsonb)'')'),
	('SELECT answer.judge_remove_put(''acme'', {judge})'), ('SELECT answer.judge_assessed(''acme'', {judge}, 1)'),
	('SELECT answer.judges_of(''acme'')'),
	('SELECT answer.judgement_put(''acme'', ''x'', ''observed'', ''[]'')'),
	('SELECT answer.judge_needs(''acme'', ''{x}'')'),
	('SELECT answer.judge_assessment_put(''acme'', {judge}, 1, ''1'', ''x'', now(), ''{}'')'),
	('SELECT answer.judge_texts(''{}'')'), ('SELECT answer.decision_pairs(''{}'')'),
	('SELECT answer.judge_pending_of(''acme'', 0::oid, {judge}, 5)');
INSERT INTO judged SELECT DISTINCT m[1], 'attacked'
FROM attack, regexp_matches(statement, '\m(?:answer\.)?(\w+)\(', 'g') AS m
ON CONFLICT DO NOTHING;

-- Nobody has judged these: judge a new function, and attack it.
SELECT DISTINCT p.proname AS not_judged FROM pg_proc p
JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval'
LEFT JOIN judged j ON j.name = p.proname
WHERE j.name IS NULL AND p.proname <> 'answer_eval' ORDER BY 1;
SELECT name AS not_there FROM judged WHERE name NOT IN (SELECT proname FROM pg_proc) ORDER BY 1;
-- and these relations neither have a tenant, nor are known to be shared
SELECT c.relname AS not_judged FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant')
AND c.relname NOT IN ('source', 'signing_key', 'unsealed', 'log_leaf',
	'log_tile', 'log_audit', 'checkpoint', 'cosignature', 'witness_key', 'witness_checkpoint', 'quality_class',
	'quality_authority', 'quality_compatibility',
	'quality_intent', 'quality_requirement', 'quality_question_form',
	'quality_rule', 'quality_rules', 'retention', 'decision_rule',
	'decision_rules', 'eval_progress', 'rollup_pruned', 'dashboard_keys', 'dashboard_log',
	'of_all_tenants', 'recorded_rows', 'recordable')
ORDER BY c.relname;

-- something that acme remembers
INSERT INTO answer.memory_entry VALUES ('acme', 'ACME-key', '{"ACME": "mergers"}',
	answer_digest('{"ACME": "mergers"}'::jsonb), '{}', 'P1D', now(), now() + interval '1 day', 't_1');
INSERT INTO kept VALUES ('memory', 'ACME-key'), ('memory_digest', answer_digest('{"ACME": "mergers"}'::jsonb));
-- something of acme's that it forgot
SET ROLE regress_acme;
INSERT INTO kept
	SELECT 'forgotten', answer_evidence_add('tide', '{"port": "ACME"}', '{"height": 8}', 'gauge', '2026-01-01Z');
SELECT answer_forget(value, 'ACME-reason') ? 'forgotten_at' AS forgotten FROM kept WHERE key = 'forgotten';
INSERT INTO kept SELECT 'suite', answer_suite_load('ACME-suite', '[{"id": "ACME-case", "query": "Which mergers?", '
	'"expected_outcome": "ABSTAIN", "risk_level": "low"}]') ->> 'suite';
INSERT INTO kept SELECT 'run', answer_suite_run('ACME-suite');
INSERT INTO kept SELECT 'config', answer_config_create('{"top_k": 7}', 'ACME-why');
INSERT INTO kept VALUES ('tool', 'of_admin'), ('grader', 'scanner'), ('route', 'vessel'), ('document', 'ACME-minutes');
SELECT answer_route_register('vessel', 'where is the vessel', 'interrogative', 'of_admin',
	examples => '{Where is the vessel?}', options => '{"description": "ACME"}');
SELECT answer_document_load('[{"doc_id": "ACME-minutes", "title": "ACME minutes", "timestamp": "2024-01-01", '
	'"text": "ACME mergers, minuted."}]')
	- 'documents' AS loaded;
SELECT chunk_id, similarity FROM answer_search('mergers');
INSERT INTO kept VALUES ('project', 'ACME-project');
SELECT answer_graph_load('ACME-project', jsonb_build_array(jsonb_build_object('id', 'n1', 'labels', '["Code"]'::jsonb,
	'name', 'ACME mergers', 'source_path', 'ledger', 'content_hash', 'sha256:' || repeat('a', 64),
	'extraction_method', 'test')), '[{"from": "n1", "to": "n1", "type": "ACME"}]') -> 'nodes' AS loaded;
SELECT id, score FROM answer_graph_search('ACME-project', 'mergers');
INSERT INTO kept VALUES ('query', 'ACME-query');
SELECT answer_packet('ACME-project', 'mergers', '{"log": true, "query_id": "ACME-query"}') ->> 'status' AS status;
INSERT INTO kept VALUES ('intent', 'ACME-intent');
INSERT INTO kept VALUES ('judge', 'acme.judge');
SELECT answer_judge_register('acme.judge', '{"kinds": ["entailment"], "model": "ACME", "version": "1",
	"handler": "acme.finds"}');
SELECT answer_judge_assess('acme.judge', '[{"kind": "entailment", "a": "ACME", "b": "mergers", "truth": "neutral"}]')
	#> '{entailment,not_judged}' AS not_judged;
INSERT INTO kept SELECT 'retrieval', answer_retrieve('merger minutes') ->> 'retrieval_id';
SELECT r ->> 'tenant' AS tenant, (r -> 'judges') #- '{0,assessed}' AS judges, r ->> 'degraded' AS degraded,
	answer_verify(r) -> 'ok' AS ok
FROM answer_grounded('merger minutes', '{"intent": "ACME-intent", "config": {"judge_answers": "acme.judge"}}') AS r;
SELECT n, answer_grounded('merger minutes', '{"config": {"cache_ttl_s": 60}}') ->> 'cached' AS cached
FROM generate_series(1, 2) AS n;
INSERT INTO kept VALUES ('baseline', 'ACME-bot');
SELECT answer_baseline_load('ACME-bot', '[{"question": "ACME?", "answered": true, "cited": true, "contradictory": false,
	"latency_ms": 7, "cost_usd": 7}]') ->> 'version' AS version;
INSERT INTO kept SELECT 'proposal', answer_evolve_propose('dev', '{"top_k": 7}', 'ACME-reason') #>> '{0,proposal}';
SELECT environment, change, reason, tenant, state FROM answer.tenant_evolve_proposal;
INSERT INTO kept VALUES ('reader', 'acme.reader'), ('plan', 'ACME-plan');
SELECT answer_tool_register('acme.reader', 'acme.pressure(jsonb)', options => '{"description": "ACME-reader"}',
	spec => '{"capabilities": ["ledgers"]}');
SELECT answer_tool_invoke('acme.reader') - 'latency_ms' AS call;
INSERT INTO kept SELECT 'plan_digest', answer_plan_register('{"plan_id": "ACME-plan", "nodes": [{"id": "a",
	"op": "call", "capability": "ledgers", "out": "x"}]}');
SELECT plan_id, version, tenant FROM answer.tenant_plan;
INSERT INTO kept SELECT 'trace', answer_plan_execute('{"plan": {"ref": "ACME-plan"}}') ->> 'trace_id';
SELECT plan_id, tenant, status, verdict FROM answer.tenant_plan_run;
SELECT answer_plan_explain('{"plan": {"ref": "ACME-plan"}}') -> 'order' AS plan;
-- a member runs it with the rights of the role that registered it, others do not know it, whatever tenant they name
SET ROLE regress_member;
SELECT answer_tool_invoke('acme.reader') #> '{result,who}' AS runs_as;
SET ROLE regress_globex;
SELECT outcome('SELECT answer_tool_invoke(''acme.reader'')'),
	outcome('SELECT answer_plan_explain(''{"plan": {"ref": "ACME-plan"}, "tenant": "acme"}'')');
SET ROLE regress_both;
SELECT answer_plan_explain(('{"plan": {"ref": "ACME-plan"}, "tenant": "acme"}')) -> 'order' AS of_the_one_named,
	outcome('SELECT answer_plan_explain(''{"plan": {"ref": "ACME-plan"}, "tenant": "globex"}'')') AS not_the_others,
	outcome('SELECT answer_plan_explain(''{"plan": {"ref": "ACME-plan"}}'')') AS nor_without_one;
SHOW answer_eval.tenant;
RESET ROLE;
SELECT outcome('SELECT answer_tool_invoke(''acme.reader'')') AS the_operator;
-- a shared plan and a shared tool go before a tenant's own
SELECT answer_tool_register('shared.reader', 'answer.tool_server(jsonb)', spec => '{}');
SELECT answer_plan_register('{"plan_id": "shared-plan", "nodes": [{"id": "s", "op": "call", "tool": "shared.reader",
	"out": "x"}]}') IS NOT NULL AS registered;
SET ROLE regress_acme;
SELECT answer_plan_explain('{"plan": {"ref": "shared-plan"}}') -> 'order' AS of_the_operators,
	answer_tool_invoke('shared.reader') -> 'outcome' AS call;
SELECT outcome('SELECT answer_plan_register(''{"plan_id": "shared-plan", "nodes": [{"id": "a", "op": "assert",
	"if": "true"}]}'')'), outcome('SELECT answer_tool_register(''shared.reader'', ''acme.pressure(jsonb)'')');
SELECT plan_id, tenant FROM answer.tenant_plan ORDER BY plan_id;
RESET ROLE;
SELECT answer_plan_register('{"plan_id": "ACME-plan", "nodes": [{"id": "s", "op": "call", "tool": "shared.reader",
	"out": "x"}]}') IS NOT NULL AS the_operator_takes_the_name;
SET ROLE regress_acme;
SELECT answer_plan_explain('{"plan": {"ref": "ACME-plan"}}') -> 'order' AS the_shared_one,
	answer_plan_explain(jsonb_build_object('plan', jsonb_build_object('ref', value))) -> 'order' AS its_own
FROM kept WHERE key = 'plan_digest';
UPDATE kept SET value = 'ACME-other-plan' WHERE key = 'plan';
SELECT answer_plan_register('{"plan_id": "ACME-other-plan", "nodes": [{"id": "a", "op": "call",
	"tool": "acme.reader", "out": "x"}]}') IS NOT NULL AS registered;
-- nobody else asks the judge: not another tenant, nor the operator, nor somebody who is of two
-- without saying for which
SET ROLE regress_both;
SELECT outcome('SELECT answer_grounded(''merger minutes'', ''{"config": {"judge_answers": "acme.judge"}}'')');
SET answer_eval.tenant = 'globex';
SELECT answer_grounded('merger minutes', '{"config": {"judge_answers": "acme.judge"}}') -> 'judges' AS judges;
RESET answer_eval.tenant;
SET ROLE regress_auditor;
SELECT outcome('SELECT answer_grounded(''merger minutes'')'),
	outcome('SELECT answer_debug(''decision'', ''merger minutes'')');
RESET ROLE;
SELECT answer_grounded('merger minutes', '{"config": {"judge_answers": "acme.judge"}}') -> 'judges' AS judges;
SET ROLE regress_globex;
SELECT answer_document_load('[{"doc_id": "list", "title": "List of mergers", "timestamp": "2024-01-01", '
	'"text": "A merger."}]') - 'documents' AS loaded;
SELECT chunk_id, similarity FROM answer_search('mergers');
SET ROLE regress_auditor;
SELECT answer_search('mergers');
SELECT tenant, doc_id FROM answer.tenant_document ORDER BY tenant;
RESET ROLE;
SELECT count(*) AS the_operators FROM answer_search('mergers');
SELECT answer_document_load('[{"doc_id": "list", "title": "List", "timestamp": "2024-01-01", '
	'"text": "A shared merger?"}]') - 'documents' AS loaded;
SET ROLE regress_globex;
SELECT chunk_id, text, similarity FROM answer_search('merger');
RESET ROLE;
ANALYZE;
CREATE TABLE never (key text PRIMARY KEY, value text);
INSERT INTO never VALUES ('receipt', 'ans_0123456789abcdef'), ('quality', 'qua_0123456789abcdef'),
	('change', 'chg_0123456789abcdef'),
	('digest', 'sha256:' || repeat('0', 64)), ('fact', 'sha256:' || repeat('1', 64)),
	('forgotten', 'sha256:' || repeat('2', 64)),
	('entry', 'sha256:' || repeat('3', 64)), ('investigation', '1234567890123456'), ('tool', 'tool_of_nobody'),
	('route', 'route_of_nobody'),
	('grader', 'grader_of_nobody'),
	('document', 'ZENO-minutex'), ('project', 'project_of_nobody'),
	('retrieval', 'rtr_' || repeat('0', 32)),
	('judge', 'judge.of.nobody'),
	('intent', 'intent_of_nobody'), ('query', 'query_of_nobody'), ('reader', 'reader.of.nobody'),
	('baseline', 'bot_of_nobody'), ('proposal', 'prp_0123456789abcdef'),
	('memory', 'key_of_nobody'), ('memory_digest', 'sha256:' || repeat('5', 64)),
	('plan', 'plan_of_nobody'), ('plan_digest', 'sha256:' || repeat('4', 64)), ('trace', 't_' || repeat('0', 32)),
	('suite', 'suite.of.nobody'), ('config', 'cfg_0123456789abcdef'), ('run', 'run_0123456789abcdef');
GRANT SELECT ON never, attack TO PUBLIC;

-- What a statement comes to, with its ids replaced by their names again.
CREATE FUNCTION attacked(statement text, existing boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	one record;
	result text;
BEGIN
	FOR one IN SELECT key, value FROM kept WHERE existing UNION ALL SELECT key, value FROM never WHERE NOT existing LOOP
		statement := replace(statement, '{' || one.key || '}', quote_literal(one.value));
	END LOOP;
	BEGIN
		result := outcome(statement);
		RAISE EXCEPTION USING errcode = 'ZZ000';
	EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
		NULL;	-- and nothing that it did stays
	END;
	FOR one IN SELECT key, value FROM kept WHERE existing UNION ALL SELECT key, value FROM never WHERE NOT existing LOOP
		result := replace(result, one.value, '{' || one.key || '}');
	END LOOP;
	RETURN result;
END
$$;
SET ROLE regress_globex;
-- by an id of another: as if it never were
CREATE TEMP TABLE tried AS
	SELECT statement, attacked(statement, true) AS existing, attacked(statement, false) AS never FROM attack;
SELECT statement AS tells_that_it_exists, existing, never
FROM tried WHERE regexp_replace(existing, '20\d\d-[-0-9T:.]*Z?', '', 'g')
	<> regexp_replace(never, '20\d\d-[-0-9T:.]*Z?', '', 'g') ORDER BY statement COLLATE "C";
-- and nothing of what it holds
SELECT statement AS gives_away, existing AS what FROM tried
WHERE existing ~* 'acme' AND statement !~ 'acme' ORDER BY statement COLLATE "C";
SELECT left(existing, 5) COLLATE "C" AS state, count(*)
FROM tried WHERE statement ~ '_(put|of)\(' GROUP BY 1 ORDER BY 1;
RESET ROLE;
-- what the list is worth: acme gets something by the ids that globex gets nothing by
SET ROLE regress_acme;
SELECT count(*) > 30 AS most_answer_their_owner
FROM attack WHERE statement ~ '{' AND attacked(statement, true) <> attacked(statement, false);
RESET ROLE;

/* plans and statistics count nothing of others */

CREATE FUNCTION plan(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || statement;
END
$$;
SET ROLE regress_globex;
SELECT count(*) AS scans_by_tenant, count(*) FILTER (WHERE p ~ 'Rows Removed') AS removed
FROM plan('SELECT * FROM answer.tenant_receipt WHERE tenant = ''acme''') AS p
WHERE p ~ 'Rows Removed|Index Cond: .*tenant = ANY';
SELECT count(*) AS of_tables_for_tenants FROM pg_stats WHERE schemaname = 'answer' AND tablename IN
	('receipt', 'evidence', 'tombstone', 'investigation', 'quality_entry', 'tool', 'quality_tool', 'anchor');
SELECT count(*) FROM answer.receipt;
SELECT count(*) FROM answer.evidence;
RESET ROLE;

/* row-level security is the second wall */

GRANT SELECT, INSERT, UPDATE, DELETE ON answer.evidence, answer.tool TO regress_globex, regress_auditor,
	regress_stranger, regress_both;
SET ROLE regress_globex;
SELECT DISTINCT tenant FROM answer.evidence;
SELECT tenant, count(*) > 0 AS some FROM answer.tool GROUP BY tenant ORDER BY tenant;
INSERT INTO answer.evidence (digest, tenant, tool, args, args_digest, raw, source, observed_at)
SELECT 'x', 'acme', 'tide', '{}', 'x', '1', 'gauge', now();
INSERT INTO answer.evidence (digest, tool, args, args_digest, raw, source, observed_at)
SELECT 'x', 'tide', '{}', 'x', '1', 'gauge', now();
UPDATE answer.tool SET description = 'mine' WHERE tenant <> 'globex' RETURNING tool;
DELETE FROM answer.tool WHERE tenant <> 'globex' RETURNING tool;
SET ROLE regress_auditor;
SELECT DISTINCT tenant FROM answer.evidence ORDER BY tenant;
INSERT INTO answer.evidence (digest, tenant, tool, args, args_digest, raw, source, observed_at)
SELECT 'x', 'acme', 'tide', '{}', 'x', '1', 'gauge', now();
DELETE FROM answer.evidence;
SET ROLE regress_stranger;
SELECT count(*) FROM answer.evidence;
SET ROLE regress_both;
SELECT count(*) FROM answer.evidence;
RESET ROLE;
REVOKE ALL ON answer.evidence, answer.tool FROM regress_globex, regress_auditor, regress_stranger, regress_both;

/* a partition has the walls of its parent; what was detached is the operator's to ask for */

SELECT answer_receipt_partition(now() - interval '1 hour', now() + interval '1 day') AS partition \gset
SELECT relrowsecurity AS has_row_security, (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
	(SELECT count(*) FROM pg_policy p WHERE p.polrelid = 'answer.receipt'::regclass) AS of_the_parent
FROM pg_class c WHERE oid = :'partition'::regclass;
GRANT SELECT ON :partition TO regress_globex;
SET ROLE regress_globex;
SELECT DISTINCT tenant FROM :partition;
RESET ROLE;
BEGIN;
DROP POLICY tenant_reads ON :partition;
CREATE POLICY tenant_reads ON :partition FOR SELECT USING (true);
CREATE POLICY mine ON :partition FOR SELECT USING (true);
DROP POLICY tenant_adds ON :partition;
CREATE FUNCTION acme.answer_tenant() RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'acme' $$;
CREATE POLICY tenant_adds ON :partition AS RESTRICTIVE FOR INSERT WITH CHECK (tenant = (SELECT acme.answer_tenant()));
SELECT finding, regexp_replace(detail, 'receipt_\d\w+', 'receipt_N', 'g') AS detail FROM answer_log_audit()
WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;
BEGIN;
ALTER TABLE :partition DISABLE ROW LEVEL SECURITY;
SELECT finding, regexp_replace(detail, 'receipt_\d\w+', 'receipt_N', 'g') AS detail FROM answer_log_audit()
WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;
REVOKE SELECT ON :partition FROM regress_globex;
SELECT answer_log_seal() IS NOT NULL AS sealed;
BEGIN;
SELECT answer_receipt_detach(:'partition') ? 'tenant' AS the_document_is_a_tenants;
SET ROLE regress_acme;
SELECT answer_receipt(value) IS NULL AS not_told FROM kept WHERE key = 'receipt';
SELECT left(outcome(format('SELECT answer_log_inclusion(%L)', value)), 5) AS state FROM kept WHERE key = 'receipt';
SET ROLE regress_auditor;
SELECT left(outcome(format('SELECT answer_receipt(%L)', value)), 5) AS state FROM kept WHERE key = 'receipt';
RESET ROLE;
SELECT left(outcome(format('SELECT answer_receipt(%L)', value)), 5) AS state FROM kept WHERE key = 'receipt';
SELECT finding, count(*) > 0 AS some FROM answer_log_audit() WHERE finding <> 'forgotten' GROUP BY 1 ORDER BY 1;
ROLLBACK;

/* the owner forgets for all, and is told whose it was */

SET ROLE regress_globex;
SELECT answer_evidence_add('tide', '{"port": "Lund"}', '{"height": 9}', 'gauge', '2026-01-01Z') IS NOT NULL AS added;
SELECT answer_eval('{"checks": [{"tool": "tide", "args": {"port": "Lund"}, "expect": {"op": "eq", "value": 9}}]}')
	->> 'verdict' AS verdict;
SET ROLE regress_acme;
INSERT INTO kept
	SELECT 'lund', answer_evidence_add('tide', '{"port": "Lund"}', '{"height": 9}', 'gauge', '2026-01-01Z');
RESET ROLE;
SELECT t ->> 'tenant' AS tenant, jsonb_array_length(t -> 'receipts') AS receipts,
	jsonb_array_length(t -> 'readings') AS readings
FROM kept, jsonb_array_elements(answer_forget(value, 'for all') -> 'tenants') AS t WHERE key = 'lund';
SELECT tenant, body ->> 'tenant' AS signed, count(*) FROM answer.tombstone GROUP BY 1, 2 ORDER BY 1;
SELECT answer_forget(value, 'again') #> '{tenants,0,tenant}' AS whose,
	jsonb_array_length(answer_forget(value, 'again') -> 'tenants') AS n
FROM kept WHERE key = 'receipt';
SELECT t ->> 'tenant' AS tenant, jsonb_array_length(t -> 'documents') AS documents
FROM jsonb_array_elements(answer_forget('list', 'for all') -> 'tenants') AS t;
SELECT tenant, doc_id FROM answer.document WHERE tenant NOT LIKE '#%';
SELECT answer_log_seal() IS NOT NULL AS sealed;
SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
-- what the audit finds: a row that changed hands, a wall that was taken down
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER receipt_append_only;
UPDATE answer.receipt SET tenant = 'globex' WHERE receipt_id = (SELECT value FROM kept WHERE key = 'quality');
ALTER TABLE answer.receipt ENABLE ALWAYS TRIGGER receipt_append_only;
SELECT finding, regexp_replace(detail, '\d{4}-\d\d-\d\d|\m\d{9,}\M', 'N', 'g') AS detail FROM answer_log_audit()
WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;
BEGIN;
ALTER TABLE answer.evidence DISABLE ROW LEVEL SECURITY;
SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;
BEGIN;
DROP POLICY tenant_reads ON answer.evidence;
CREATE POLICY tenant_reads ON answer.evidence FOR SELECT USING (true);
SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;
-- or one that asks a function of the same name
BEGIN;
CREATE FUNCTION acme.tenant_reads() RETURNS text[] LANGUAGE sql STABLE AS $$ SELECT '{acme,globex}'::text[] $$;
DROP POLICY tenant_reads ON answer.evidence;
CREATE POLICY tenant_reads ON answer.evidence AS RESTRICTIVE FOR SELECT
USING (tenant = ANY ((SELECT acme.tenant_reads())::text[]));
SELECT finding, detail FROM answer_log_audit() WHERE finding <> 'forgotten' ORDER BY detail COLLATE "C";
ROLLBACK;

\c :regression
SET client_min_messages = error;
DROP DATABASE regress_tenant WITH (FORCE);
DROP ROLE regress_acme, regress_globex, regress_both, regress_member, regress_auditor, regress_stranger, regress_admin;
