-- Nothing that a tenant's role may be granted shows, counts or touches rows of another tenant: every relation that
-- answer.of_all_tenants does not name, and every function that returns rows, is attacked with a leaky function on each
-- column and with EXPLAIN ANALYZE, with index scans on and off.  Then: grants in every order, and who writes them.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
-- plans without index scans look so expensive that JIT would compile each
SET LOCAL jit TO off;
SELECT plan(51);
CREATE SCHEMA leak;
GRANT USAGE ON SCHEMA leak TO PUBLIC;

CREATE FUNCTION leak.state(statement text, as_role text DEFAULT 'none') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	said text := '00000';
BEGIN
	PERFORM set_config('role', as_role, true);
	BEGIN
		EXECUTE statement;
	EXCEPTION WHEN others THEN
		said := SQLSTATE || ' ' || SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN said;
END $$;

-- before the constraints are dropped for the rows below
SELECT matches(leak.state(format('INSERT INTO answer.tenant (tenant) VALUES (%L)', repeat('t', 64))), '^23514 ',
	'no row has a name of a tenant of 64 bytes');
SELECT answer_tenant_create(t) FROM unnest('{secret-a,secret-b,secret-c}'::text[]) AS t;
CREATE ROLE leak_a;
CREATE ROLE leak_b;
CREATE ROLE leak_c;
CREATE ROLE leak_all;

/* a row of each tenant, and of the operator, in every table; text is the tenant's name, or "secret-operator" */

CREATE FUNCTION leak.value(type text, secret text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN CASE
		WHEN type = 'text' THEN to_jsonb(secret)
		WHEN type = 'text[]' THEN jsonb_build_array(secret)
		WHEN type = 'jsonb' THEN jsonb_build_object('secret', secret)
		WHEN type = 'bytea' THEN to_jsonb(convert_to(secret, 'UTF8')::text)
		WHEN type = 'bytea[]' THEN jsonb_build_array(convert_to(secret, 'UTF8')::text)
		WHEN type ~ '\[\]$' THEN '[1]'
		WHEN type = 'boolean' THEN 'false'
		WHEN type = 'interval' THEN '"1 s"'
		WHEN type = 'date' THEN to_jsonb((now() AT TIME ZONE 'UTC')::date)
		WHEN type = 'uuid' THEN to_jsonb(md5(secret))
		WHEN type ~ '^timestamp' THEN to_jsonb(now())
		WHEN type ~ '^(integer|bigint|smallint|numeric|real|double precision)$' THEN '1'
		-- an enum
		ELSE (SELECT to_jsonb(e.enumlabel) FROM pg_enum e WHERE e.enumtypid = to_regtype(type)
			ORDER BY e.enumsortorder LIMIT 1) END;
END $$;

-- values that a view needs to show a row
CREATE FUNCTION leak.given(name text) RETURNS jsonb LANGUAGE sql AS $$ SELECT CASE
	WHEN name IN ('budget_cap', 'budget_period') THEN jsonb_build_object('period', 'day',
		'starts_on', (date_trunc('day', now() AT TIME ZONE 'UTC'))::date)
	WHEN name = 'memory_entry' THEN jsonb_build_object('expires_at', now() + interval '1 day')
	WHEN name = 'investigation' THEN '{"closed_at": null, "intent": "Status", "outcome": null}'
	ELSE '{}' END $$;

CREATE FUNCTION leak.fill(tenant text, secret text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	place record;
BEGIN
	FOR place IN
		SELECT c.relname AS name, c.oid::regclass AS relation, jsonb_object_agg(a.attname,
			leak.value(format_type(a.atttypid, NULL), secret)) AS content,
			string_agg(quote_ident(a.attname), ', ') AS columns
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
		AND c.relname NOT IN ('tenant', 'tenant_role', 'route_state', 'document_set')
		AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant')
		GROUP BY c.oid
	LOOP
		EXECUTE format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE'
			' SELECT %2$s FROM jsonb_populate_record(NULL::%1$s, $1)', place.relation, place.columns)
		USING place.content || leak.given(place.name) || jsonb_build_object('tenant', tenant);
	END LOOP;
	INSERT INTO answer.receipt (receipt_id, schema, tenant, issued_at, verdict, key_id, intent, body)
	SELECT secret || CASE schema WHEN 'run/v1' THEN '' ELSE '-' || n END, schema, fill.tenant, now(), verdict,
		secret, secret, jsonb_build_object('schema', schema, 'secret', secret) || body
	FROM (VALUES (1, 'run/v1', secret, '{"suite": {"name": "s", "version": 1, "digest": "d"}, "summary": {"cases": 1,
			"passed": 1}, "cases": [{"id": "c", "passed": true}]}'::jsonb),
		(2, 'decision/v1', 'ABSTAIN', '{"reasons": ["why"]}'),
		(3, 'answer/v1', 'insufficient_evidence', '{"checks": [{"tool": "t", "required": true, "verdict": "v",
			"confidence": 1, "evidence": []}]}'),
		(4, 'plan/v1', 'blocked', '{}'),
		(5, 'change/v1', secret, '{"kind": "config", "revision": 1, "after": {}}'),
		(6, 'change/v1', secret, '{"kind": "environment", "revision": 1, "after": {"active": "x", "history": []}}'),
		(7, 'change/v1', secret, '{"kind": "proposal", "revision": 1, "after": {}}'))
		AS v (n, schema, verdict, body);
	UPDATE answer.receipt r SET body = r.body || jsonb_build_object('name', secret) WHERE r.tenant = fill.tenant;
END $$;

-- Constraints and triggers of the tables are not tested here.
DO $$
DECLARE
	place	record;
BEGIN
	FOR place IN SELECT c.oid::regclass AS relation FROM pg_class c
		WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p') LOOP
		EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', place.relation);
	END LOOP;
	FOR place IN SELECT k.conrelid::regclass AS relation, k.conname FROM pg_constraint k
		JOIN pg_class c ON c.oid = k.conrelid
		WHERE c.relnamespace = 'answer'::regnamespace AND k.contype IN ('c', 'f') AND NOT c.relispartition
		ORDER BY k.contype DESC LOOP
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', place.relation, place.conname);
	END LOOP;
	PERFORM leak.fill(t, CASE t WHEN '' THEN 'secret-operator' ELSE t END)
	FROM unnest('{secret-a,secret-b,""}'::text[]) AS t;
END $$;

/* what may be granted: all but the one list of what may not */

CREATE VIEW leak.granted AS
SELECT c.oid::regclass AS relation, c.relkind = 'v' AS is_view,
	-- shows the operator's rows as well, or nobody's
	NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant')
		OR c.relname ~ ('^(tenant_)?(tool|quality_tool|route|route_table|judge|judge_version|'
			'judge_assessment|plan|config|environment)$')
		AS is_shared
FROM pg_class c
WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind IN ('r', 'p', 'v')
AND c.oid NOT IN (SELECT a.relation FROM answer.of_all_tenants a);
GRANT SELECT ON leak.granted TO PUBLIC;
DO $$
DECLARE
	place record;
BEGIN
	GRANT USAGE ON SCHEMA answer, tap TO leak_a, leak_c, leak_all;
	FOR place IN SELECT relation FROM leak.granted LOOP
		EXECUTE format('GRANT SELECT ON %s TO leak_a, leak_c, leak_all', place.relation);
	END LOOP;
	GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO leak_a, leak_c, leak_all;
	GRANT EXECUTE ON FUNCTION answer.eval_progress_rows() TO leak_a, leak_c, leak_all;
	-- functions that views call with the rights of the reader
	FOR place IN SELECT p.oid::regprocedure AS relation FROM pg_proc p WHERE p.pronamespace = 'answer'::regnamespace
		AND (p.prosrc = 'answer_eval_rows_of_tenants' OR p.proname = 'assessment_of') LOOP
		EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO leak_a, leak_c, leak_all', place.relation);
	END LOOP;
END $$;
SELECT lives_ok($$SELECT answer_tenant_grant('secret-a', 'leak_a'), answer_tenant_grant('secret-b', 'leak_b'),
	answer_tenant_grant('secret-c', 'leak_c'), answer_tenant_grant('*', 'leak_all')$$,
	'a role that may read all that the list does not name works for a tenant');
SELECT cmp_ok((SELECT count(*) FROM leak.granted WHERE is_view), '>', 50::bigint, 'these are many views');

/* a leaky function */

-- Costs nothing, so the planner calls it first where it may.
CREATE FUNCTION leak.sees(value anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0000001 AS $$
DECLARE
	secret text;
BEGIN
	FOREACH secret IN ARRAY ARRAY['secret-a', 'secret-b', 'secret-operator'] LOOP
		IF strpos(value::text, secret) > 0 OR strpos(value::text, encode(convert_to(secret, 'UTF8'), 'hex')) > 0 THEN
			PERFORM set_config('leak.seen', concat_ws(' ', nullif(current_setting('leak.seen', true), ''), secret),
				true);
		END IF;
	END LOOP;
	RETURN true;
END $$;
CREATE FUNCTION leak.seen(query text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('leak.seen', '', true);
	BEGIN
		EXECUTE query;
	EXCEPTION WHEN others THEN
		PERFORM leak.sees(SQLERRM);
	END;
	RETURN ARRAY(SELECT DISTINCT s COLLATE "C"
		FROM string_to_table(nullif(current_setting('leak.seen'), ''), ' ') AS s ORDER BY 1);
END $$;
CREATE FUNCTION leak.indexes(wanted boolean) RETURNS void LANGUAGE sql AS $$
	SELECT set_config(s, wanted::text, true)
	FROM unnest('{enable_indexscan,enable_indexonlyscan,enable_bitmapscan}'::text[]) AS s $$;

-- What each column of each relation gives away of tenants that the role should not see.
CREATE FUNCTION leak.walk(as_role text, wanted boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place	record;
	seen	text[];
BEGIN
	PERFORM set_config('role', as_role, true), leak.indexes(wanted);
	FOR place IN SELECT g.*, a.attname FROM leak.granted g
		JOIN pg_attribute a ON a.attrelid = g.relation AND a.attnum > 0 AND NOT a.attisdropped LOOP
		seen := leak.seen(format('SELECT FROM %s AS r WHERE leak.sees(r.%I)', place.relation, place.attname));
		IF seen && (CASE WHEN place.is_shared THEN '{secret-b}' ELSE '{secret-b,secret-operator}' END)::text[] THEN
			RETURN NEXT format('%s.%s: %s', place.relation, place.attname, seen);
		END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true), leak.indexes(true);
END $$;
CREATE VIEW leak.plain AS SELECT * FROM answer.quality_tool WHERE tenant = '';
GRANT SELECT ON leak.plain TO PUBLIC;
SELECT leak.indexes(false);
SET LOCAL ROLE leak_a;
SELECT is(leak.seen('SELECT FROM leak.plain AS r WHERE leak.sees(r.tool)'), '{secret-a,secret-b,secret-operator}',
	'a view without a barrier gives all away to the leaky function');
RESET ROLE;
SELECT is(ARRAY(SELECT leak.walk('leak_a', false)), '{}',
	'no column gives anything of others away, without index scans');
SELECT is(ARRAY(SELECT leak.walk('leak_a', true)), '{}', 'nor with them');

-- each view shows the tenant's own row, so the test compares something
CREATE FUNCTION leak.unseen(as_role text, secret text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place record;
BEGIN
	PERFORM set_config('role', as_role, true);
	FOR place IN SELECT g.* FROM leak.granted g WHERE g.relation::text LIKE 'answer.tenant\_%' LOOP
		IF NOT secret = ANY (leak.seen(format('SELECT FROM %s AS r WHERE leak.sees(r)', place.relation))) THEN
			RETURN NEXT place.relation;
		END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true);
END $$;
SELECT is(ARRAY(SELECT leak.unseen('leak_a', 'secret-a')), '{}', 'each view of tenants shows a tenant its own row');
SELECT is(ARRAY(SELECT leak.unseen('leak_all', 'secret-b')), '{}', '... and an auditor that of each');
SELECT is(ARRAY(SELECT leak.unseen('leak_all', 'secret-operator')), '{answer.tenant_budget}',
	'... and the operator''s, where it is of text');
SELECT is(ARRAY(SELECT leak.unseen('none', 'secret-b')), '{}', '... as it does to the operator');

-- functions that return rows without arguments
CREATE FUNCTION leak.functions() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place	record;
	seen	text[];
BEGIN
	PERFORM set_config('role', 'leak_a', true);
	FOR place IN SELECT p.oid::regprocedure AS name, format('%s()', p.oid::regproc) AS call FROM pg_proc p
		JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval'
		WHERE p.pronargs = p.pronargdefaults AND p.prokind = 'f' AND p.provolatile <> 'v'
		AND (p.pronamespace = e.extnamespace OR p.prosrc = 'answer_eval_rows_of_tenants') LOOP
		seen := leak.seen(format('SELECT FROM %s AS r WHERE leak.sees(r)', place.call));
		IF 'secret-b' = ANY (seen) THEN
			RETURN NEXT format('%s: %s', place.name, seen);
		END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true);
END $$;
SELECT is(ARRAY(SELECT leak.functions()), '{}', 'nor does a function');

/* EXPLAIN ANALYZE by a tenant without rows: rows that a plan reads or removes belong to others */

CREATE FUNCTION leak.operators(name text) RETURNS numeric LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
	n numeric;
BEGIN
	EXECUTE format('SELECT count(*) FROM answer.%I WHERE tenant = ''''', name) INTO n;
	RETURN n;
END $$;
CREATE FUNCTION leak.counted(query text, is_shared boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	plan	jsonb;
	node	jsonb;
	removed	numeric;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT json, COSTS OFF, TIMING OFF, BUFFERS OFF) ' || query INTO plan;
	FOR node IN SELECT n - 'Plans'
		FROM jsonb_path_query(plan, 'strict $.** ? (@."Node Type" like_regex ".")') AS n LOOP
		removed := (SELECT COALESCE(sum(value::text::numeric), 0) FROM jsonb_each(node) WHERE key ~ '^Rows Removed');
		IF EXISTS (SELECT FROM pg_attribute a WHERE a.attname = 'tenant'
			AND a.attrelid = to_regclass('answer.' || quote_ident(node ->> 'Relation Name')))
		THEN
			removed := removed + (node ->> 'Actual Rows')::numeric * (node ->> 'Actual Loops')::numeric
				- (CASE WHEN is_shared THEN leak.operators(node ->> 'Relation Name') ELSE 0 END);
		-- a row function returns what the role may read, which is tested above
		ELSIF is_shared OR node ? 'Relation Name' OR node ->> 'Node Type' = 'Function Scan' THEN
			CONTINUE;
		END IF;
		IF removed > 0 THEN
			RETURN NEXT format('%s: %s', query, node);
		END IF;
	END LOOP;
END $$;
CREATE FUNCTION leak.explain(wanted boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place record;
BEGIN
	PERFORM set_config('role', 'leak_c', true), leak.indexes(wanted);
	-- granted tables are behind row-level security; rows that wait to be counted have no index
	FOR place IN SELECT * FROM leak.granted WHERE relation <> 'answer.rollup_new'::regclass LOOP
		RETURN QUERY SELECT leak.counted(format('SELECT * FROM %s', place.relation), place.is_shared);
		-- a guessed value goes into the index, if the index has its column
		RETURN QUERY SELECT leak.counted(format('SELECT * FROM %s WHERE %I = %L', place.relation, a.attname,
			'secret-b'), place.is_shared)
		FROM pg_attribute a WHERE a.attrelid = place.relation AND a.attnum > 0 AND a.atttypid = 'text'::regtype;
		RETURN QUERY SELECT leak.counted(format('SELECT * FROM %s ORDER BY %I LIMIT 1', place.relation, a.attname),
			place.is_shared)
		FROM pg_attribute a WHERE a.attrelid = place.relation AND a.attnum > 0 AND a.atttypid = 'timestamptz'::regtype;
	END LOOP;
	PERFORM set_config('role', 'none', true), leak.indexes(true);
END $$;
SELECT is(ARRAY(SELECT leak.counted('SELECT * FROM answer.receipt WHERE intent = ''x''', false)) = '{}', false,
	'a plan that reads what others have is told from one that does not');
SELECT is(ARRAY(SELECT leak.explain(false)), '{}', 'EXPLAIN ANALYZE counts nothing of others, without index scans');
SELECT is(ARRAY(SELECT leak.explain(true)), '{}', 'nor with them');
-- granted tables, behind row-level security, have an index of the same kind
SELECT is(ARRAY(SELECT c.relname::text FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
	WHERE p.polname = 'tenant_reads' AND c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r' AND NOT EXISTS (
		SELECT FROM pg_index i
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attname = 'tenant'
		WHERE i.indrelid = c.oid AND i.indpred IS NULL) ORDER BY 1), '{rollup_new}',
	'but for the rows that wait to be counted, each table has an index that begins with the tenant');

/* the same for changes of rows: there a policy names one tenant, not an array */

DO $$
DECLARE
	place record;
BEGIN
	FOR place IN SELECT p.polrelid::regclass AS relation FROM pg_policy p WHERE p.polname = 'tenant_removes' LOOP
		EXECUTE format('GRANT SELECT, UPDATE, DELETE ON %s TO leak_c', place.relation);
	END LOOP;
END $$;
CREATE FUNCTION leak.changes(wanted boolean) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place record;
BEGIN
	PERFORM set_config('role', 'leak_c', true), leak.indexes(wanted);
	FOR place IN SELECT g.* FROM leak.granted g
		JOIN pg_policy p ON p.polrelid = g.relation AND p.polname = 'tenant_removes'
		WHERE g.relation <> 'answer.rollup_new'::regclass LOOP
		RETURN QUERY SELECT leak.counted(format(s, place.relation), false)
		FROM unnest('{DELETE FROM %s,UPDATE %s SET tenant = DEFAULT}'::text[]) AS s;
		-- statements that also read rows may read shared ones
		RETURN QUERY SELECT leak.counted(format(s, place.relation), place.is_shared)
		FROM unnest('{DELETE FROM %s WHERE tenant = ''secret-b'',UPDATE %s SET tenant = tenant,
			SELECT FROM %s FOR UPDATE,SELECT min(tenant) FROM %s}'::text[]) AS s;
	END LOOP;
	PERFORM set_config('role', 'none', true), leak.indexes(true);
END $$;
SELECT is(ARRAY(SELECT leak.changes(false)), '{}', 'DELETE and UPDATE count nothing of others, without index scans');
SELECT is(ARRAY(SELECT leak.changes(true)), '{}', 'nor with them');
CREATE FUNCTION leak.removes(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ' || query LOOP
		IF line ~ 'Rows Removed.*: [1-9]' THEN
			RETURN NEXT query || line;
		END IF;
	END LOOP;
END $$;
CREATE VIEW leak.mine AS SELECT * FROM answer.tenant_receipt;
GRANT SELECT ON leak.mine TO leak_a, leak_c;
ALTER TABLE answer.receipt_default SET SCHEMA leak;
SELECT leak.indexes(false);
SET LOCAL ROLE leak_c;
SELECT is(ARRAY(SELECT leak.removes(q) FROM unnest('{SELECT * FROM leak.mine,
	WITH r AS MATERIALIZED (SELECT * FROM leak.mine) SELECT * FROM r,
	SELECT * FROM answer.receipt,DELETE FROM answer.receipt}'::text[]) AS q), '{}',
	'nor does a view of a view, or a partition that is elsewhere');
RESET ROLE;
SELECT leak.indexes(true);
ALTER TABLE leak.receipt_default SET SCHEMA answer;

SELECT matches(leak.state(format('SELECT * FROM %s TABLESAMPLE SYSTEM (100)', t), 'leak_c'),
	'^0A000 TABLESAMPLE of table "[a-z_]+" is not for tenants',
	'a sample of pages, ' || t || ', is refused') FROM unnest('{answer.receipt,answer.document}'::text[]) AS t;
SELECT is(leak.state('SELECT * FROM answer.receipt TABLESAMPLE SYSTEM (100)'), '00000', '... but for the operator');
SELECT is(leak.state('SELECT * FROM answer.receipt TABLESAMPLE SYSTEM (100)
	WHERE tenant = (SELECT answer_tenant())'), '00000', '... whatever the operator asks for');
SAVEPOINT without;
DO $$
DECLARE
	place record;
BEGIN
	ALTER TABLE answer.document DROP CONSTRAINT document_pkey CASCADE;
	FOR place IN SELECT i.indexrelid::regclass AS index FROM pg_index i
		WHERE i.indrelid = 'answer.document'::regclass LOOP
		EXECUTE format('DROP INDEX %s CASCADE', place.index);
	END LOOP;
END $$;
SET LOCAL ROLE leak_a;
SELECT is((SELECT count(*) FROM answer.document), 1::bigint, 'a table that has lost its indexes is read all the same');
RESET ROLE;
ROLLBACK TO without;

/* the same plan for every role */

CREATE ROLE leak_both;
SELECT answer_tenant_grant('secret-a', 'leak_both'), answer_tenant_grant('secret-b', 'leak_both');
GRANT USAGE ON SCHEMA answer TO leak_both;
GRANT SELECT ON answer.tenant_receipt TO leak_both;
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE whose AS SELECT COALESCE(string_agg(DISTINCT tenant, ',' ORDER BY tenant), 'nothing')
	FROM answer.tenant_receipt WHERE tenant LIKE 'secret%';
CREATE FUNCTION leak.whose(as_role text, tenant text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	said text;
BEGIN
	PERFORM set_config('role', as_role, true), set_config('answer_eval.tenant', tenant, true);
	BEGIN
		EXECUTE 'EXECUTE whose' INTO said;
	EXCEPTION WHEN others THEN
		said := SQLSTATE;
	END;
	PERFORM set_config('answer_eval.tenant', '', true), set_config('role', 'none', true);
	RETURN said;
END $$;
SELECT is(leak.whose(r, t), said, format('a kept plan, run as %s for "%s"', r, t))
FROM (VALUES (1, 'none', '', 'secret-a,secret-b'),
	(2, 'leak_a', '', 'secret-a'), (3, 'leak_both', '', '42501'), (4, 'leak_both', 'secret-b', 'secret-b'),
	(5, 'leak_both', 'secret-a', 'secret-a'), (6, 'leak_all', '', 'secret-a,secret-b'), (7, 'leak_c', '', 'nothing'))
	AS v (n, r, t, said) ORDER BY n;

/* grants in every order: a mix of "*" and tenants is refused */

CREATE ROLE leak_heir IN ROLE leak_a, leak_b, leak_all;
SET LOCAL plan_cache_mode = auto;
CREATE FUNCTION leak.ordered(tenants text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	tenant text;
BEGIN
	DELETE FROM answer.tenant_role;
	FOREACH tenant IN ARRAY tenants LOOP
		INSERT INTO answer.tenant_role (tenant, role) VALUES (tenant, CASE tenant WHEN '*' THEN 'leak_all'
			ELSE replace(tenant, 'secret-', 'leak_') END);
	END LOOP;
	RETURN leak.state('SELECT answer.tenant_reads()', 'leak_heir');
END $$;
SELECT is(leak.ordered(o::text[]), '42501 role "leak_heir" cannot be an auditor and work for a tenant', o)
FROM unnest(ARRAY['{*,secret-a}', '{secret-a,*}', '{*,secret-a,secret-b}', '{secret-a,secret-b,*}',
	'{secret-a,*,secret-b}']) AS o;
SET LOCAL answer_eval.tenant = 'secret-a';
SELECT is(leak.state('SELECT answer_tenant()', 'leak_heir'),
	'42501 role "leak_heir" may not work for tenant "secret-a"', 'nor may it set one of them');
RESET answer_eval.tenant;
SELECT matches(leak.state($$SELECT answer_tenant_grant('*', 'leak_heir')$$),
	'^55000 role "leak_heir" cannot be an auditor', 'a grant that would mix them by inheritance is refused');

/* roles that may write grants */

DO $$
DECLARE
	place record;
BEGIN
	FOR place IN SELECT c.oid::regclass AS relation FROM pg_class c WHERE c.oid IN ('answer.tenant'::regclass,
		'answer.tenant_role'::regclass) LOOP
		EXECUTE format('ALTER TABLE %s ENABLE TRIGGER ALL', place.relation);
	END LOOP;
END $$;
GRANT INSERT, UPDATE, DELETE, TRUNCATE ON answer.tenant, answer.tenant_role TO leak_c;
SELECT is(left(leak.state(s, r), 5), said, s || ' by ' || r) FROM (VALUES
	(1, 'INSERT INTO answer.tenant_role VALUES (''secret-b'', ''leak_c'')', 'leak_c', '42501'),
	(2, 'DELETE FROM answer.tenant_role', 'leak_c', '42501'),
	(3, 'INSERT INTO answer.tenant VALUES (''secret-d'')', 'leak_c', '42501'),
	(4, 'UPDATE answer.tenant_role SET role = ''leak_c''', 'none', '23001'),
	(5, 'TRUNCATE answer.tenant_role', 'none', '23001')) AS v (n, s, r, said) ORDER BY n;
GRANT SELECT ON answer.tenant_role TO leak_c;
SELECT matches(leak.state($$SELECT answer_tenant_grant('secret-c', 'leak_c')$$),
	'^55000 role "leak_c" may read answer.tenant_role', 'a role that may read all grants works for no tenant');

-- A tenant's name comes before every word in an index, so it is short, and functions refuse longer ones.
SELECT is(leak.state(format('SELECT answer_tenant_create(%L)', repeat('t', 63))), '00000',
	'a tenant has at most 63 bytes');
SELECT matches(leak.state(format('SELECT answer_tenant_create(%L)', n)), '^22023 ',
	format('a tenant has not %s', w))
FROM (VALUES (repeat('t', 64), '64'), (repeat(chr(233), 32), '64 in 32 characters'), ('', 'none')) AS v (n, w);
SELECT is((SELECT bool_and(starts_with(encode(i, 'escape'), repeat('t', 63) || ' '))
	FROM answer.search_items(repeat('t', 63), 'a kettle boils', '') AS s, unnest(s.items) AS i), true,
	'items of a tenant begin with its name and a blank');
SELECT is(leak.state(format('SELECT answer.search_items(%L, ''a kettle'', '''')', repeat('t', 63 + 1 + 255))), '00000',
	'with a project it is longer');
SELECT matches(leak.state(format('SELECT answer.search_items(%L, ''a kettle'', '''')', repeat('t', n))),
	'^22023 the name of a tenant that stands before words has ' || n || ' bytes', n || ' bytes are refused')
FROM unnest('{320,1000000}'::integer[]) AS n;

SELECT * FROM finish();
ROLLBACK;
