-- Who may do what, and what every function promises.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;

-- Every function of the extension, from the catalogue: a change shows here.
CREATE VIEW own AS SELECT p.*, l.lanname, p.oid::regprocedure::text AS signature
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
	JOIN pg_language l ON l.oid = p.prolang
WHERE e.extname = 'answer_eval';
SELECT signature, lanname AS language,
	CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END AS volatility,
	CASE proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END AS parallel,
	proisstrict AS strict, prosecdef AS definer, procost AS cost,
	has_function_privilege('public', oid, 'EXECUTE') AS public
FROM own
ORDER BY signature COLLATE "C";

-- The pure ones are everybody's, nothing else is.
CREATE TABLE pure (signature text);
INSERT INTO pure VALUES ('answer_canonical(jsonb)'), ('answer_canonical(text)'),
	('answer_digest(jsonb)'), ('answer_digest(text)'), ('answer.portable(jsonb)'),
	('answer.operator(text,jsonb,jsonb,jsonb)'), ('answer.path_problem(text)'), ('answer.path_value(jsonb,text)'),
	('answer_check(jsonb,jsonb,timestamp with time zone)'), ('answer_validate(jsonb)'),
	('answer_composite(answer_verdict,double precision,boolean)'),
	('answer.composite_add(bigint,answer_verdict,double precision,boolean)'),
	('answer.composite_combine(bigint,bigint)'), ('answer.composite_final(bigint)'),
	('answer.fact_confidence(jsonb)'),
	('answer.evidence_digest(text,jsonb,jsonb,text,timestamp with time zone,timestamp with time zone)'),
	('answer.ed25519_verify(bytea,bytea,bytea)'), ('answer_log_verify(jsonb,jsonb,text[])'),
	('answer_checkpoint_verify(text,text[])'), ('answer.merkle_leaf_hash(bytea)'),
	('answer.merkle_inclusion(bigint,bigint,bytea,bytea,bytea[])'),
	('answer.merkle_consistency(bigint,bigint,bytea,bytea,bytea[])'),
	('answer.anchor(bytea,bytea,timestamp with time zone)'),
	('answer_anchor_verify(jsonb,text,timestamp with time zone,text,text)'),
	('answer_anchor_verify(text,text,timestamp with time zone,text,text)'),
	('answer_verify(jsonb,jsonb,jsonb,text[])'),
	('answer_verify(text,jsonb,jsonb,text[])'), ('answer_verify(jsonb,jsonb)'), ('answer_verify(text,jsonb)'),
	('answer_verify_ok(jsonb,jsonb)'), ('answer_verify_ok(text,jsonb)'),
	('answer_replay(jsonb)'), ('answer_replay(text)'),
	('answer.route_problem(jsonb)'), ('answer.route_replay(jsonb,jsonb)'),
	('answer.grade(text,jsonb)'), ('answer.question_subject(text)'), ('answer.grade_text(text,text,text,text)'),
	('answer_assess(jsonb,text,text,text,jsonb)'),
	('answer.assess_add(internal,jsonb,text,text,text,jsonb)'), ('answer.assess_final(internal)');
INSERT INTO pure VALUES ('answer_readable(jsonb)'), ('answer_show(jsonb)'), ('answer_summary(jsonb)'),
	('answer_verify_document(jsonb,jsonb)'), ('answer.refuse_detached(text,timestamp with time zone)'),
	('answer_settings()'), ('answer.text_score(text,text,text,jsonb)'), ('answer_judged_by(jsonb,text[])'),
	('answer.text_between(text,jsonb,jsonb)');
INSERT INTO pure VALUES ('answer.retrieval_quality(jsonb,integer,timestamp with time zone)'),
	('answer.risk(text,jsonb)'),
	('answer.ambiguity(text,jsonb)'), ('answer_citations_check(jsonb,jsonb,text,jsonb,text)'),
	('answer_conflicts(jsonb,jsonb)'),
	('answer_decide(text,jsonb,jsonb,text,jsonb,timestamp with time zone,jsonb,jsonb)'),
	('answer_judge_pairs(text,jsonb,jsonb,text,jsonb,jsonb,jsonb)'), ('answer_reading(text,jsonb)'),
	('answer.shipped_decision_rules()');
INSERT INTO pure VALUES ('answer.veracity(jsonb,timestamp with time zone,jsonb)'), ('answer.packet_validate(jsonb)'),
	('answer.packet_synthesis(jsonb,text,text[])'), ('answer_packet_html(jsonb)'),
	('answer.receipt_html(jsonb,jsonb,jsonb,text[])'), ('answer.grade_graph_node(jsonb)');
INSERT INTO pure VALUES ('answer.decision_rules_of(jsonb)'), ('answer.decision_config_of(jsonb)');
INSERT INTO pure VALUES ('answer.condition(text,jsonb)'), ('answer.bind(jsonb,jsonb)'),
	('answer.evidence_verdict(jsonb,numeric,boolean)'), ('answer.markers_check(text,jsonb,boolean)'),
	('answer.reference_list(jsonb)'), ('answer.memory_expires(text,timestamp with time zone)'),
		('answer.tokens(jsonb)'),
	('answer.replay_verify(bytea,jsonb)');
-- what a policy of row-level security asks is everybody's, and tells of the caller alone
INSERT INTO pure VALUES ('answer_tenant()'), ('answer.tenant_reads()');
-- the clock of a plan, for its tools
INSERT INTO pure VALUES ('answer.plan_instant()');
-- what the views of tenants call is everybody's, and constant
INSERT INTO pure VALUES ('answer.tenant_shared()'), ('answer.shipped_config()'), ('answer.shipped_environments()');
SELECT signature AS not_as_listed
FROM own WHERE has_function_privilege('public', oid, 'EXECUTE') <> (signature IN (SELECT signature FROM pure))
UNION ALL SELECT signature FROM pure WHERE signature NOT IN (SELECT signature FROM own);
SELECT signature AS pure_but_volatile_or_unsafe
FROM own
WHERE signature IN (SELECT signature FROM pure)
	AND proname <> 'plan_instant'
	AND (proparallel <> 's' OR prosecdef OR provolatile = 'v' OR provolatile = 's'
		AND proname NOT IN ('answer_verify', 'answer_verify_ok', 'answer_log_verify', 'answer_checkpoint_verify',
			'answer_replay', 'route_replay', 'answer_verify_document', 'refuse_detached', 'grade',
			'question_subject',
			'answer_settings', 'answer_tenant', 'tenant_reads', 'answer_decide', 'packet_validate',
			'packet_synthesis')
		OR lanname NOT IN ('c', 'internal')
		AND proname
			NOT IN ('answer_readable', 'answer_show', 'answer_summary', 'answer_verify_document', 'answer_settings',
				'grade_graph_node', 'answer_judged_by', 'text_between'));
SELECT signature AS without_comment FROM own WHERE length(coalesce(obj_description(oid, 'pg_proc'), '')) < 20;
SELECT signature AS without_fixed_search_path
FROM own
WHERE lanname IN ('sql', 'plpgsql') AND prosqlbody IS NULL
	AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false);
SELECT signature AS definer_without_fixed_search_path
FROM own WHERE prosecdef AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false);
SELECT signature AS pure_with_a_definer FROM own WHERE prosecdef AND has_function_privilege('public', oid, 'EXECUTE');

-- Tables, views, sequences and types.
SELECT c.relname AS open_to_public
FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS a
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND a.grantee = 0;
SELECT a.attrelid::regclass AS column_open_to_public
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = 'answer'::regnamespace,
	aclexplode(a.attacl) AS x
WHERE x.grantee = 0;
SELECT has_schema_privilege('public', 'answer', 'USAGE')
	OR has_schema_privilege('public', 'answer', 'CREATE') AS schema_open_to_public;
SELECT c.relname AS outside_the_extension
FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'v')
	AND NOT EXISTS (SELECT FROM pg_depend d
		WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e');
SELECT c.relname AS table_without_comment
FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
	AND obj_description(c.oid, 'pg_class') IS NULL;
SELECT t.typname AS type_without_comment
FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
WHERE t.typname LIKE 'answer%' AND (t.typtype = 'e' OR c.relkind = 'c') AND obj_description(t.oid, 'pg_type') IS NULL;
SELECT obj_description('answer'::regnamespace, 'pg_namespace') IS NULL AS schema_without_comment;
-- what users fill is dumped, what comes with the extension is not
SELECT t::text AS "table", regexp_replace(c, '\s+', ' ') AS dumped
FROM pg_extension e, unnest(e.extconfig::regclass[], e.extcondition) AS x (t, c) WHERE e.extname = 'answer_eval'
ORDER BY t::text COLLATE "C";
SELECT c.relname AS not_dumped
FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'S')
	AND c.oid <> ALL (SELECT unnest(extconfig) FROM pg_extension WHERE extname = 'answer_eval')
	-- what triggers keep is made anew by a restore; buckets are full after one
	AND c.relname <> ALL ('{graph_loose,graph_search,graph_set,tool_bucket}')
ORDER BY c.relname;
-- settings: a superuser's; whoever is none cannot set them before the library is there, either
\c -
SET client_min_messages = error;
CREATE ROLE regress_nobody;
SET ROLE regress_nobody;
SET answer_eval.issuer = 'forged';
SET answer_eval.key_directory = 'elsewhere';
SELECT answer_canonical('1');
RESET ROLE;
SHOW answer_eval.issuer;
SHOW answer_eval.key_directory;
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SELECT name, context FROM pg_settings WHERE name LIKE 'answer\_eval.%' ORDER BY name COLLATE "C";

-- A role that sees the schema answer, and was given nothing else, has the pure functions.
GRANT USAGE ON SCHEMA answer TO regress_nobody;
SET ROLE regress_nobody;
SELECT answer_canonical('{"b": 1, "a": 2}'), answer.portable('1.0'), answer.operator('eq', '1', '1'),
	(answer_check('{"tool": "t"}', '{"value": 1}', '2026-01-01')).verdict,
	answer_validate('{"checks": [{"tool": "t"}]}') IS NOT NULL AS validate, answer_composite('supported', 1, true),
	answer.fact_confidence('{}'),
	answer.path_problem('a') IS NULL AS path, answer.ed25519_verify('', '', ''), left(answer_digest('1'), 7) AS digest,
	left(answer.evidence_digest('t', '{}', '1', 's', '2026-01-01', NULL), 7) AS evidence_digest,
	answer_verify('{}', '{}') -> 'ok' AS verify, answer_verify('{}'::jsonb, '{}') -> 'ok' AS verify_jsonb,
	answer.anchor('', sha256(''), '2026-01-01 00:00Z') -> 'token' AS anchor,
	answer_anchor_verify('{}') -> 'outcome' AS anchor_verify, answer_verify_ok('{}', '{}') AS verify_ok,
	answer_verify_ok('{}'::jsonb, '{}') AS verify_ok_jsonb,
	answer_replay('{}') -> 'ok' AS replay;
SELECT (answer.grade('grep', '{}')).quality, answer.grade_text('grep', 'x', 'x') ->> 'quality' AS of_text,
	answer_replay('{}'::jsonb) -> 'ok' AS replay,
	state_of($$SELECT answer_assess('{}', 'Chat', '', NULL, NULL)$$) AS assess;
RESET ROLE;
REVOKE USAGE ON SCHEMA answer FROM regress_nobody;
SET ROLE regress_nobody;
-- and nothing else: every other call is refused for want of a privilege
SELECT call, state_of('SELECT ' || call) AS state
FROM unnest(ARRAY['answer_eval(NULL)', $$answer_eval('{"checks": [{"tool": "postgres_server"}]}')$$,
	$$answer_fact('postgres_server')$$, $$answer_receipt('x')$$, 'answer_keys()', $$answer_keys('jwk')$$,
	'answer_key_registry()', 'answer_key_generate()', $$answer_key_retire('x')$$, $$answer_key_compromise('x')$$,
	$$answer_key_import_public('x')$$, 'answer.key_guard()', $$answer_source_register('x')$$,
	$$answer_tool_register('x')$$, $$answer_evidence_add('x', '{}', '1', 'x')$$,
	$$answer_forget('ans_0123456789abcdef', 'x')$$, $$answer.refuse_forgotten('', 'x')$$,
	$$answer.refuse_detached('ans_0123456789abcdef')$$, $$answer_receipt_partition('2001-01-01', '2002-01-01')$$,
	$$answer_receipt_detach('pg_class')$$, $$answer.receipt_equip('pg_class')$$, 'answer.drop_guard()',
	$$answer_dsse('x')$$,
	$$answer_anchor_request('x')$$, $$answer_anchor_attach('x', '')$$, 'answer.append_only()',
	$$answer.tool_server('{}')$$, $$answer.tool_setting('{}')$$, $$answer.tool_extension('{}')$$,
	$$answer.tool_database('{}')$$, $$answer.tool_relation('{}')$$, $$answer.tool_replication('{}')$$,
	$$answer_verify('{}')$$, $$answer_verify('{}'::jsonb, '{}', '{}')$$, $$answer.tool_setting_value('x')$$,
	$$answer_verify('{"signature": {"key_id": "x"}}')$$, $$answer_verify_ok('{"signature": {"key_id": "x"}}')$$,
	'answer.assessment_of(1)', $$answer.assessment_of(1, 'Chat', '', NULL)$$, 'answer_quality(1)',
	'answer.quality_reasons(1)', 'answer_gap(1)', 'answer.next_tool(1)', 'answer_complete(1)',
	$$answer.has_quality(1, 'Build', 'Weak')$$, 'answer.confidence_level(1)', $$answer_investigation_open('Chat', '')$$,
	$$answer_investigation_record(1, 'grep', '', '', '{}')$$,
	$$answer_investigation_record_output(1, 'grep', '', '', '')$$, 'answer_investigation_close(1)',
	'answer_quality_receipt(1)', 'answer_change_record()', 'answer.route_record()',
	$$answer_quality_class_register('x')$$, $$answer_quality_grader_register('x', 'Build', NULL)$$,
	$$answer_quality_intent_register('x', '{}')$$, $$answer_quality_compatibility_register('Build', 'GitLog')$$,
	$$answer_quality_authority_register('x', '{}')$$, $$answer.tool_observation('{}')$$,
	$$answer.tool_assessment('{}')$$,
	$$answer_ask('x')$$, $$answer_ask(NULL)$$, $$answer.route_compile('x')$$, $$answer_route_explain('x')$$,
	'answer_coverage()', 'answer_route_table()', 'answer_route_audit()',
	$$answer_route_register('x', 'x', 'interrogative', 'x')$$,
	$$answer.route_put('x', '', '{}', NULL, NULL)$$,
	$$answer.route_fill('x', 'x', '{}', '{}')$$,
	$$answer.tool_put('x', '', '{}', NULL)$$, $$answer_tool_remove('x')$$,
		$$answer_source_remove('x')$$,
	$$answer.refuse_registered('x', 'x', '{}', '{}')$$,
	$$answer.quality_grader_put('x', '', '{}', NULL)$$, $$answer_route_refresh()$$,
	$$answer_route_enable('x')$$, $$answer_route_remove('x')$$, $$answer.route_accept('x')$$, 'answer.route_changed()',
	'answer.route_seed()',
	$$answer.route_replay('{}')$$,
	$$answer.route_replay(jsonb_build_object('mode', 'question', 'question', 'x', 'route', $$ ||
		$$jsonb_build_object('router_sha256', repeat('0', 64))))$$]) AS call;
SELECT t AS "table", state_of(format('SELECT FROM answer.%I', t)) AS "select",
	state_of(format('DELETE FROM answer.%I', t)) AS "delete", state_of(format('TRUNCATE answer.%I', t)) AS "truncate"
FROM unnest('{anchor,anchor_request,change,change_state,checkpoint,chunk,chunk_embedding,chunk_item,chunk_search,'
	'cosignature,decision_cache,decision_reason,decision_rule,decision_rules,document,document_fact,document_set,'
	'evidence,evidence_series,investigation,log_audit,log_leaf,log_tile,open_investigation,quality_authority,'
	'quality_class,quality_compatibility,quality_entry,quality_intent,quality_requirement,quality_rule,quality_rules,'
	'quality_tool,receipt,receipt_default,retention,retrieval,route,route_state,route_table,signing_key,source,'
	'tombstone,tool,unsealed,witness_checkpoint,witness_key}'::text[]) AS t;
SELECT state_of($$SET answer_eval.key_directory = '/'$$) AS key_directory,
	state_of($$SET answer_eval.issuer = 'x'$$) AS issuer,
	state_of('SHOW answer_eval.key_directory') AS show_key_directory,
	state_of('CREATE TABLE answer.mine (x int)') AS create_table,
	state_of('DROP EXTENSION answer_eval') AS drop_extension,
	state_of('ALTER TABLE answer.receipt DISABLE TRIGGER ALL') AS disable_trigger;
RESET ROLE;

-- A writer: what answer_eval needs, and no more.
CREATE ROLE regress_writer;
CREATE FUNCTION whoami(args jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('user', current_user) $$;
CREATE FUNCTION forge(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	INSERT INTO answer.receipt SELECT * FROM answer.receipt LIMIT 1;
	SELECT '1'::jsonb
$$;
REVOKE EXECUTE ON FUNCTION whoami, forge FROM PUBLIC;
SELECT answer_source_register('a source'), answer_tool_register('whoami', 'whoami(jsonb)', value_path => 'user'),
	answer_tool_register('forge', 'forge(jsonb)'), answer_tool_register('stored');
SELECT answer_evidence_add('stored', '{}', '7', 'a source', '2026-01-01Z') IS NOT NULL AS added;
CREATE FUNCTION verdicts() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	receipt jsonb := answer_eval('{"checks": [{"tool": "postgres_server"}, {"tool": "whoami"}, {"tool": "stored"}, '
		'{"tool": "forge"}]}');
BEGIN
	RETURN (SELECT string_agg(format('%s %s %s', c ->> 'tool', c ->> 'verdict',
				coalesce(c #>> '{explain,sqlstate}', c ->> 'observed')), ', ' ORDER BY i)
		FROM jsonb_array_elements(receipt -> 'checks') WITH ORDINALITY AS x (c, i)
		WHERE c ->> 'tool' <> 'postgres_server')
		|| ', postgres_server ' || (receipt #>> '{checks,0,verdict}') ||
			coalesce(' ' || (receipt #>> '{checks,0,explain,sqlstate}'), '');
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ': ' || sqlerrm;
END
$$;
SET ROLE regress_writer;
SELECT verdicts() AS without_any_grant;
RESET ROLE;
GRANT EXECUTE ON FUNCTION answer_eval TO regress_writer;
SET ROLE regress_writer;
SELECT verdicts() AS answer_eval;
RESET ROLE;
GRANT EXECUTE ON FUNCTION answer.tool_server, whoami, forge TO regress_writer;
SET ROLE regress_writer;
SELECT verdicts() AS and_handlers;
RESET ROLE;
GRANT USAGE ON SCHEMA answer TO regress_writer;
GRANT SELECT ON answer.evidence, answer.evidence_series TO regress_writer;
SET ROLE regress_writer;
SELECT verdicts() AS and_evidence;
RESET ROLE;
GRANT SELECT ON answer.source TO regress_writer;
SET ROLE regress_writer;
SELECT verdicts() AS and_source;
-- each of the grants is needed
RESET ROLE;
BEGIN;
REVOKE SELECT ON answer.evidence FROM regress_writer;
SET LOCAL ROLE regress_writer;
SELECT verdicts() AS no_evidence;
ROLLBACK;
BEGIN;
REVOKE SELECT ON answer.evidence_series FROM regress_writer;
SET LOCAL ROLE regress_writer;
SELECT verdicts() AS no_series;
ROLLBACK;
BEGIN;
REVOKE USAGE ON SCHEMA answer FROM regress_writer;
SET LOCAL ROLE regress_writer;
SELECT verdicts() AS no_schema;
ROLLBACK;
-- what the writer still cannot do
SET ROLE regress_writer;
SELECT call, state_of(call) AS state
FROM unnest(ARRAY['SELECT FROM answer.receipt', 'INSERT INTO answer.receipt SELECT * FROM answer.receipt LIMIT 1',
	$$INSERT INTO answer.receipt (receipt_id, schema, issued_at, verdict, confidence, degraded, key_id, $$ ||
		$$body) VALUES ('ans_x', 'answer/v1', now(), 'supported', 1, false, 'k', '{}')$$,
	'UPDATE answer.receipt SET degraded = false', 'DELETE FROM answer.receipt', 'TRUNCATE answer.receipt',
	'SELECT FROM answer.signing_key', $$INSERT INTO answer.signing_key VALUES ('k', '', 'active', now())$$,
	'SELECT FROM answer.tool',
	$$INSERT INTO answer.evidence SELECT * FROM answer.evidence$$, 'DELETE FROM answer.evidence',
	'UPDATE answer.source SET independence_group = NULL', 'SELECT answer_keys()', 'SELECT answer_key_generate()',
	$$SELECT answer_key_retire('x')$$, $$SELECT answer_receipt('x')$$,
	$$SELECT answer_forget('ans_0123456789abcdef', 'x')$$, $$SELECT answer_dsse('x')$$, 'SELECT FROM answer.tombstone',
	'SELECT FROM answer.unsealed', $$SELECT answer_tool_register('x')$$, $$SELECT answer_fact('stored')$$,
	$$SELECT pg_ls_dir('answer_eval_keys')$$, $$SELECT pg_read_file('answer_eval_keys/x')$$,
	$$COPY (SELECT 1) TO '/dev/null'$$]) AS call;
-- with the keys given, everybody verifies; the registry is read with the caller's rights
SELECT answer_verify(r, '{}') #>> '{steps,signature,reason}' AS no_key,
	state_of(format('SELECT answer_verify(%L::jsonb)', r)) AS registry
FROM answer_eval('{"checks": [{"tool": "whoami"}]}') AS r;
RESET ROLE;
GRANT SELECT ON answer.signing_key TO regress_writer;
SET ROLE regress_writer;
SELECT answer_verify(r) -> 'ok' AS with_the_registry FROM answer_eval('{"checks": [{"tool": "whoami"}]}') AS r;
RESET ROLE;
-- the function's owner is not the caller: a definer's function asks in its own name
CREATE FUNCTION asks() RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
	SELECT answer_eval('{"checks": [{"tool": "whoami"}]}') #>> '{checks,0,observed}' = session_user::text
$$;
SET ROLE regress_writer;
SELECT asks() AS as_the_definer;
RESET ROLE;

-- An administrator registers with EXECUTE alone.
CREATE ROLE regress_admin;
GRANT EXECUTE ON FUNCTION answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb),
	answer_source_register, answer_evidence_add TO regress_admin;
SET ROLE regress_admin;
SELECT state_of($$SELECT answer_source_register('by the administrator')$$) AS source,
	state_of($$SELECT answer_tool_register('by the administrator')$$) AS tool,
	state_of($$SELECT answer_evidence_add('by the administrator', '{}', '1', 'by the administrator')$$) AS evidence,
	state_of('SELECT FROM answer.tool') AS reads,
	state_of($$SELECT answer_eval('{"checks": [{"tool": "stored"}]}')$$) AS asks;
RESET ROLE;

-- A search path with bad company: operators, functions, types, tables and casts of
-- the same names, in front of the server's own.  A new session has no plans.
CREATE SCHEMA regress_evil;
CREATE FUNCTION regress_evil.always(text, text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE FUNCTION regress_evil.always(timestamptz, timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE FUNCTION regress_evil.always(float8, int) RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE FUNCTION regress_evil.always(jsonb, jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE FUNCTION regress_evil.always(public.answer_key_status, public.answer_key_status) RETURNS boolean LANGUAGE plpgsql
	AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE FUNCTION regress_evil.always(public.answer_key_status, text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the evil operator was called';
END $$;
CREATE OPERATOR regress_evil.= (FUNCTION = regress_evil.always, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR regress_evil.<> (FUNCTION = regress_evil.always, LEFTARG = text, RIGHTARG = text);
CREATE OPERATOR regress_evil.= (FUNCTION = regress_evil.always, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR regress_evil.<= (FUNCTION = regress_evil.always, LEFTARG = timestamptz, RIGHTARG = timestamptz);
CREATE OPERATOR regress_evil.* (FUNCTION = regress_evil.always, LEFTARG = float8, RIGHTARG = int);
CREATE OPERATOR regress_evil.= (FUNCTION = regress_evil.always, LEFTARG = jsonb, RIGHTARG = jsonb);
CREATE OPERATOR regress_evil.= (FUNCTION = regress_evil.always, LEFTARG = public.answer_key_status,
	RIGHTARG = public.answer_key_status);
CREATE OPERATOR regress_evil.= (FUNCTION = regress_evil.always, LEFTARG = public.answer_key_status, RIGHTARG = text);
DO $$
DECLARE
	name text;
BEGIN
	FOR name IN SELECT regexp_split_to_table('to_char(timestamp, text) text;translate(text, text, text) text;'
		'encode(bytea, text) text;split_part(text, text, int) text;current_setting(text) text;'
		'date_part(text, interval) float8;clock_timestamp() timestamptz;jsonb_typeof(jsonb) text;lower(text) text;'
		'to_regclass(text) regclass;portable(jsonb) jsonb;answer_digest(jsonb) text;'
		'path_problem(text) text;jsonb_object_keys(jsonb) text;pg_is_in_recovery() boolean', ';') LOOP
		EXECUTE format('CREATE FUNCTION regress_evil.%s LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION ''the evil '
			'function was called''; END $f$', regexp_replace(name, '\) (\w+)$', ') RETURNS \1'));
	END LOOP;
END $$;
CREATE TYPE regress_evil.answer_verdict AS ENUM ('evil');
CREATE TYPE regress_evil.answer_composite_verdict AS ENUM ('evil');
CREATE TABLE regress_evil.receipt (evil int);
CREATE TABLE regress_evil.evidence (evil int);
CREATE TABLE regress_evil.signing_key (evil int);
\c -
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET search_path = regress_evil, pg_catalog, public;
\set VERBOSITY default
SELECT 'a'::text = 'b'::text AS evil_is_first;
CREATE TEMP TABLE receipt (evil int);
CREATE TEMP TABLE tool (evil int);
CREATE TEMP TABLE pg_class (evil int);
SELECT answer_source_register('evil source', 'g', 'u', 'l', 'd');
SELECT answer_tool_register('evil tool', required_args => '{a}', freshness => '1 day', value_path => 'v',
	options => '{"source": "evil source"}');
SELECT answer_evidence_add('evil tool', '{"a": 1}', '{"v": 5}', 'evil source', '2026-01-01 00:00Z')
	LIKE 'sha256:%' AS added;
SELECT answer_fact('evil tool', '{"a": 1}', '2026-01-01 12:00Z') #> '{verification,confidence}' AS confidence;
SELECT r -> 'verdict' AS verdict, jsonb_path_query_array(r, '$.checks[*].verdict') AS verdicts,
	answer_verify(r) -> 'ok' AS ok, answer_verify(r, answer_key_registry()) -> 'ok' AS by_registry,
	answer_verify(r, answer_keys('map')) -> 'ok' AS by_keys
FROM answer_eval('{"checks": [{"tool": "evil tool", "args": {"a": 1}, "expect": {"op": "eq", "value": 5}}, '
	'{"tool": "postgres_server", "expect": {"op": "exists"}}, {"tool": "postgres_setting", "args": {"name": "FSYNC"}, '
	'"expect": {"path": "name", "op": "eq", "value": "fsync"}}, {"tool": "postgres_extension", '
	'"args": {"name": "answer_eval"}, "expect": {"path": "installed", "op": "eq", "value": true}},
	{"tool": "postgres_database", "expect": {"op": "gt", "value": 0}}, {"tool": "postgres_relation", '
	'"args": {"relation": "answer.tool"}, "expect": {"path": "kind", "op": "eq", "value": "table"}}, '
	'{"tool": "postgres_replication", "expect": {"path": "role", "op": "exists"}}]}') AS r;
SELECT answer_forget(answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id', 'x')
	? 'receipts' AS forgot_a_receipt;
SELECT answer_dsse(answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id') ? 'payload' AS dsse;
SELECT answer_anchor_request(answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id')
	IS NOT NULL AS requested;
SELECT answer_log_seal() ->> 'tree_size' IS NOT NULL AS sealed;
SELECT /* rows that tests have deleted by hand are missing, and rightly reported */
	(SELECT count(*) FROM answer_log_audit(incremental => true)
		WHERE finding NOT IN ('forgotten', 'configuration', 'missing', 'extra')) AS defects,
	answer_log_compare(answer_checkpoint()) ->> 'state' AS compare,
	answer_witness_trust(answer_log_vkey()) IS NOT NULL AS trusted;
SELECT answer_cosignature_add((answer_checkpoint_verify(answer_checkpoint()) ->> 'tree_size')::bigint,
		answer_checkpoint_cosign(answer_checkpoint_request(0)), answer_witness_vkey()) AS cosigned,
	answer_log_verify(answer_log_consistency(1)) -> 'ok' AS consistency;
SELECT answer_receipt('none') IS NULL AS no_receipt, answer_key_generate() IS NOT NULL AS rotated;
BEGIN;
SELECT answer_key_retire(k ->> 'kid') IS NOT NULL AS retired
FROM jsonb_array_elements(answer_keys('jwk') -> 'keys') AS k WHERE k ->> 'status' LIKE 'active';
SELECT answer_key_generate() IS NOT NULL AS generated,
	answer_key_import_public('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo') IS NOT NULL AS imported;
SELECT answer_key_compromise('ae-ed25519-21fe31dfa154') IS NOT NULL AS compromised, answer_keys('pem') ? 'keys' AS pem;
ROLLBACK;
SELECT (answer_composite('supported'::public.answer_verdict, 0.8, true)).verdict,
	(answer_check('{"tool": "t", "expect": {"op": "fresh_within_s", "value": 1}}',
		'{"timestamp": "2026-01-01T00:00:00Z"}', '2026-01-01 00:00Z')).verdict AS "check",
	answer.operator('lte', '1', '1');
DELETE FROM answer.receipt;
-- nor with the temporary schema in front
SET search_path = pg_temp, regress_evil, public;
SELECT public.answer_eval('{"checks": [{"tool": "evil tool", "args": {"a": 1}, '
	'"expect": {"op": "eq", "value": 5}}]}') -> 'verdict' AS verdict;
-- nor with nothing in it
SET search_path = '';
SELECT public.answer_eval('{"checks": [{"tool": "evil tool", "args": {"a": 1}, '
	'"expect": {"op": "eq", "value": 5}}]}') -> 'verdict' AS verdict;
-- and erasure, which deletes as the owner
SET search_path = regress_evil, pg_catalog, public;
SELECT jsonb_array_length(answer_forget(digest, 'x') -> 'readings') AS forgot_a_reading
FROM answer.evidence WHERE evidence.tool LIKE 'evil tool';
RESET search_path;

\c -
SET client_min_messages = warning;
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DROP SCHEMA regress_evil CASCADE;
DROP FUNCTION verdicts, whoami, forge, asks;
DROP TABLE pure;
DROP VIEW own;
DROP OWNED BY regress_nobody, regress_writer, regress_admin;
DROP ROLE regress_nobody, regress_writer, regress_admin;
