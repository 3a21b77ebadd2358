-- Which trace answer_trace() reads: the one with the id, or else the newest of the plan that the caller may read. It
-- reads an index from the newest on, and must find the same as sorting all traces.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(6);

CREATE ROLE pn_one;
CREATE ROLE pn_two;
CREATE FUNCTION pn_trace(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 't_' || md5('pn' || i) $$;
-- plans of two roles and three tenants, many at the same instant; one plan has the id of a trace
SELECT setseed(0.32);
CREATE TEMPORARY TABLE pn AS
SELECT i, (ARRAY['', 'pn-a', 'pn-b'])[1 + i % 3] AS tenant, pn_trace(i) AS trace_id,
	CASE WHEN i % 10 = 9 THEN pn_trace(i - 1) ELSE 'pn.' || (random() * 3)::int END AS plan_id,
	CASE WHEN random() < 0.7 THEN 'pn_one' ELSE 'pn_two' END AS role,
	timestamptz '2026-01-01' + (random() * 20)::int * interval '1 s' AS started_at
FROM generate_series(1, 300) AS i;
INSERT INTO answer.plan_run (tenant, trace_id, plan_id, request_digest, role, status, evaluated_at, started_at,
	state)
SELECT tenant, trace_id, plan_id, 'd', role, 'running', started_at, started_at, '{}' FROM pn;
INSERT INTO answer.plan_event (tenant, trace_id, seq, plan_id, step, ts_end, event)
SELECT tenant, trace_id, s, plan_id, 'n', started_at, jsonb_build_object('i', i, 'seq', s)
FROM pn, generate_series(1, 2) AS s;

CREATE FUNCTION pn_expected(tenants text[], reader oid, id text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_array(jsonb_build_object('i', r.i, 'seq', 1), jsonb_build_object('i', r.i, 'seq', 2))
	FROM pn r
	WHERE r.tenant = ANY (tenants) AND (r.trace_id = id OR r.plan_id = id)
	AND answer.trace_readable(tenants, reader, r.role)
	ORDER BY r.trace_id = id DESC, r.started_at DESC, r.trace_id COLLATE "C" DESC LIMIT 1 $$;
CREATE TEMPORARY TABLE pn_read AS
SELECT t.tenants, r.rolname AS reader, i.id, pn_expected(t.tenants, r.oid, i.id) AS expected,
	(SELECT jsonb_agg(e) FROM answer.trace_of(t.tenants, r.oid, i.id, NULL, false) AS e) AS read
FROM (VALUES ('{""}'::text[]), ('{pn-a}'), ('{pn-b}'), ('{"",pn-a}'), ('{"",pn-a,pn-b}'), ('{}')) AS t (tenants),
	pg_roles r, (SELECT plan_id AS id FROM pn UNION SELECT trace_id FROM pn WHERE i <= 60 UNION SELECT 'pn.none') AS i
WHERE r.rolname IN ('pn_one', 'pn_two');
SELECT is_empty('SELECT * FROM pn_read WHERE read IS DISTINCT FROM expected', 'it reads what sorting finds');
SELECT cmp_ok(count(*), '>=', 500::bigint, 'of many roles, tenants and ids') FROM pn_read;
SELECT cmp_ok(count(*) FILTER (WHERE read IS NULL), '>=', 100::bigint, 'some may read none') FROM pn_read;
SELECT cmp_ok(count(*), '>=', 10::bigint, 'a trace comes before the plan of its name')
FROM pn_read r JOIN pn p ON p.trace_id = r.id JOIN pn o ON o.plan_id = r.id
WHERE (r.read #>> '{0,i}')::int = p.i AND o.tenant = ANY (r.tenants);
SELECT cmp_ok(count(*), '>=', 10::bigint, 'if one may not read the trace, the plan is read')
FROM pn_read r JOIN pn p ON p.trace_id = r.id JOIN pn o ON o.plan_id = r.id
WHERE (r.read #>> '{0,i}')::int = o.i;
SELECT is((SELECT jsonb_agg(e) FROM answer_trace('pn.1', 1) AS e), pn_expected(answer.tenant_reads(),
	current_user::regrole::oid, 'pn.1') - 0, 'and it goes on after an event');
SELECT * FROM finish();
ROLLBACK;
