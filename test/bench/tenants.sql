-- Reads one receipt by its id, among 20,000 of each of two tenants and of the operator: `test/bench/run.sh tenants`. A tenant's role
-- should take at most 1.5 times as long as the operator. Prints times and ratios, asserts nothing. SCALE divides the number of receipts.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;
\getenv scale BENCH_SCALE
\if :{?scale}
\else
	\set scale 1
\endif
SELECT answer_tenant_create('acme'), answer_tenant_create('globex') \g /dev/null
CREATE ROLE bench_acme;
SELECT answer_tenant_grant('acme', 'bench_acme') \g /dev/null
GRANT USAGE ON SCHEMA answer TO bench_acme;
GRANT SELECT ON answer.tenant_receipt TO bench_acme;
GRANT EXECUTE ON FUNCTION answer_receipt TO bench_acme;
SELECT answer_eval('{"checks": [{"tool": "postgres_server", "expect": {"op": "exists"}}]}') \g /dev/null
INSERT INTO answer.receipt (receipt_id, schema, tenant, issued_at, verdict, key_id, body)
SELECT format('ans_%s', lpad(to_hex(i), 16, '0')), r.schema, t, r.issued_at + i * interval '1 s', r.verdict, r.key_id, r.body
FROM generate_series(1, 20000 / :scale) AS i, unnest('{acme,globex,""}'::text[]) AS t,
	(SELECT * FROM answer.receipt WHERE schema = 'answer/v1' LIMIT 1) AS r;
VACUUM ANALYZE answer.receipt;

-- The median of single statements, each planned again, as a client sends them.
CREATE FUNCTION pg_temp.median_ms(as_role text, statement text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	started	timestamptz;
	took	float8[];
	body	jsonb;
BEGIN
	PERFORM set_config('role', as_role, true);
	FOR i IN 1 .. 500 LOOP
		started := clock_timestamp();
		EXECUTE replace(statement, '{id}', quote_literal(format('ans_%s', lpad(to_hex(1 + i), 16, '0')))) INTO body;
		took := took || extract(epoch FROM clock_timestamp() - started)::float8 * 1000;
		IF body IS NULL THEN
			RAISE 'no receipt';
		END IF;
	END LOOP;
	PERFORM set_config('role', 'none', true);
	RETURN (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t)::numeric, 4) FROM unnest(took) AS t);
END $$;
SELECT what, tenant_ms, operator_ms, round(tenant_ms / operator_ms, 2) AS ratio, target
FROM (VALUES (1, 'view of tenants, table by id', 'SELECT body FROM answer.tenant_receipt WHERE receipt_id = {id}',
		'SELECT body FROM answer.receipt WHERE receipt_id = {id}', 1.5),
	(2, 'answer_receipt(id)', 'SELECT answer_receipt({id})', 'SELECT answer_receipt({id})', 1.5),
	(3, 'view of tenants by both', 'SELECT body FROM answer.tenant_receipt WHERE receipt_id = {id}',
		'SELECT body FROM answer.tenant_receipt WHERE receipt_id = {id}', 1.5),
	(4, 'table by tenant and id', 'SELECT body FROM answer.tenant_receipt WHERE receipt_id = {id}',
		'SELECT body FROM answer.receipt WHERE tenant = '''' AND receipt_id = {id}', NULL)) AS v (n, what, as_tenant, as_operator, target),
	LATERAL (SELECT pg_temp.median_ms('bench_acme', as_tenant) AS tenant_ms, pg_temp.median_ms('none', as_operator) AS operator_ms) AS t
ORDER BY n;
DROP OWNED BY bench_acme;
DROP ROLE bench_acme;
