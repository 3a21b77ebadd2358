-- Plans: caps, reservations, what is charged and settled, what a session left, rate limits.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Asia/Tokyo';
SET datestyle = iso;

CREATE FUNCTION budget_refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
-- one operation, of a plan that costs and takes something
CREATE FUNCTION budget_do(trace text, operation text, cost numeric DEFAULT 0,
	at timestamptz DEFAULT '2006-06-15 12:00Z', limits jsonb DEFAULT '{}', ms numeric DEFAULT 10,
	is_held boolean DEFAULT false) RETURNS text LANGUAGE sql AS $$
	SELECT answer.budget_operate('', trace, operation, jsonb_build_object('cost_usd', cost, 'latency_ms', ms), limits,
		'{}', is_held, at)
$$;
CREATE FUNCTION budget_sums() RETURNS TABLE (period text, starts_on date, reserved numeric, spent numeric) LANGUAGE sql
AS $$
	SELECT p.period, p.starts_on, trim_scale(p.reserved_usd), trim_scale(p.spent_usd) FROM answer.budget_period p
	WHERE p.tenant = '' AND p.starts_on < '2010-01-01' ORDER BY p.period COLLATE "C", p.starts_on
$$;

/* caps */

SELECT budget_refused(s) FROM unnest(ARRAY[
	$$SELECT answer_budget_set(NULL, 'day', 1)$$, $$SELECT answer_budget_set('', NULL, 1)$$,
	$$SELECT answer_budget_set('', 'week', 1)$$, $$SELECT answer_budget_set('', 'Day', 1)$$,
	$$SELECT answer_budget_set('', 'day', -0.01)$$, $$SELECT answer_budget_set('', 'day', 'NaN')$$,
	$$SELECT answer_budget_set('', 'day', 'Infinity')$$, $$SELECT answer_budget_set('plan-nobody', 'day', 1)$$,
	$$INSERT INTO answer.budget_cap VALUES ('', 'day', 'NaN')$$,
	$$INSERT INTO answer.budget_cap VALUES ('', 'week', 1)$$]) AS s;
-- without a cap everything fits, and nothing is summed up
SELECT budget_do('free', 'open', 1000000, '2006-05-01Z'), budget_do('free', 'step', 1000000),
	budget_do('free', 'charge', 999999), budget_do('free', 'settle');
SELECT * FROM budget_sums();
-- nor is anything left of a cap that is taken away
SELECT answer_budget_set('', 'day', 0.000000000000000001), answer_budget_set('', 'day', NULL);
SELECT answer_budget_set('', 'day', NULL);
SELECT count(*) AS caps FROM answer.budget WHERE tenant = '';
SELECT action, trim_scale((after ->> 'cost_cap_usd')::numeric) AS cap, after - 'cost_cap_usd' AS after
FROM answer.change WHERE kind = 'budget' AND tenant = '' AND name = 'day' ORDER BY revision;

-- what a period may cost: equal to the cap is within, whatever the scale
SELECT answer_budget_set('', 'day', 0.05);
SELECT budget_do('a1', 'open', 0.03), budget_do('a2', 'open', 0.020000000000000001), budget_do('a3', 'open', 0.0200),
	budget_do('a4', 'open', 0.000000000001), budget_do('a5', 'open', 0);
SELECT * FROM budget_sums();
-- what was not charged comes back
SELECT budget_do('a1', 'step', 0.01), budget_do('a1', 'charge', 0.01), budget_do('a1', 'step', 0.01),
	budget_do('a1', 'charge', 0.004), budget_do('a1', 'settle');
SELECT * FROM budget_sums();
SELECT budget_do('a6', 'open', 0.016000001), budget_do('a6', 'open', 0.016);
SELECT * FROM budget_sums();
-- a cap below what is taken leaves nothing; what costs nothing fits
SELECT answer_budget_set('', 'day', 0.01);
SELECT budget_do('a7', 'open', 0.000000000001), budget_do('a8', 'open', 0), budget_do('a3', 'settle'),
	budget_do('a9', 'open', 0.000000000001);
SELECT answer_budget_set('', 'day', 0.031);
SELECT budget_do('b1', 'open', 0.001), budget_do('b2', 'open', 0.001), budget_do('b1', 'settle'),
	budget_do('b2', 'open', 0.001);
-- the same trace does not reserve twice
SELECT budget_refused($$SELECT budget_do('b1', 'open', 0.001)$$), budget_refused($$SELECT budget_do('b2', 'open', 0)$$);
SELECT * FROM budget_sums();
SELECT budget_do(trace_id, 'settle') FROM answer.budget_reservation WHERE settled_at IS NULL ORDER BY trace_id;
SELECT * FROM budget_sums();

-- further items and attempts, and what is charged
SELECT budget_do('c1', 'open', 0.001), budget_do('c1', 'more', 0.001), budget_do('c1', 'more', 0.02),
	budget_do('c1', 'step', 0.002);
SELECT budget_refused($$SELECT budget_do('c1', 'charge', 0.0021)$$),
	budget_refused($$SELECT budget_do('c1', 'nothing')$$),
	budget_refused($$SELECT budget_do('c0', 'step')$$), budget_do('c1', 'charge', 0.002),
	budget_do('c1', 'step', 0.002), budget_refused($$SELECT budget_do('c1', 'charge', 0.002)$$);
-- what took longer is missing for the rest
SELECT budget_do('c2', 'open', 0, ms => 100, limits => '{"latency_ms": 250}'),
	budget_do('c2', 'more', 0, ms => 151, limits => '{"latency_ms": 250}'),
	budget_do('c2', 'step', 0, ms => 100), budget_do('c2', 'charge', 0, ms => 120.5),
	budget_do('c2', 'more', 0, ms => 129.6, limits => '{"latency_ms": 250}'),
	budget_do('c2', 'more', 0, ms => 129.5, limits => '{"latency_ms": 250}');
SELECT reserved_ms, charged_ms, pid = pg_backend_pid() AS mine, backend_start <= now() AS began
FROM answer.budget_reservation WHERE trace_id = 'c2';
-- the plan's and the request's own limit, and that of any request
SELECT answer_budget_set('', 'request', 0.004);
SELECT budget_do('c3', 'open', 0.002, limits => '{"cost_usd": 0.0019}'),
	budget_do('c3', 'open', 0.002, limits => '{"cost_usd": 0.002}'),
	budget_do('c3', 'more', 0.001, limits => '{"cost_usd": 0.0025}'), budget_do('c3', 'more', 0.0021),
	budget_do('c3', 'more', 0.002);
SELECT budget_do('c4', 'open', 0.0041);
SELECT period, trim_scale(cost_cap_usd) AS cap, reserved_usd, spent_usd FROM answer.budget
WHERE tenant = '' AND period = 'request';
SELECT answer_budget_set('', 'request', NULL);
SELECT budget_do(trace_id, 'settle') FROM answer.budget_reservation WHERE settled_at IS NULL ORDER BY trace_id;

/* periods are those of UTC, and a plan is charged to those of its start */

SELECT answer_budget_set('', 'day', 1), answer_budget_set('', 'month', 1.5);
SELECT budget_do('d1', 'open', 1, '2006-01-31 23:59:59.999999Z'), budget_do('d2', 'open', 0.1, '2006-01-31 00:00Z'),
	budget_do('d3', 'open', 0.5, '2006-01-30 23:59:59.999999Z'), budget_do('d4', 'open', 0.1, '2006-01-29 12:00Z'),
	budget_do('d5', 'open', 1, '2006-02-01 00:00Z'), budget_do('d6', 'open', 0.5, '2006-02-28 23:59:59.999999Z'),
	budget_do('d7', 'open', 1, '2006-03-01 00:00Z'), budget_do('d8', 'open', 1, '2005-12-31 23:59:59.999999Z'),
	budget_do('d9', 'open', 1, '2004-02-29 12:00Z'), budget_do('d10', 'open', 1, '2004-03-01 00:00Z'),
	budget_do('d11', 'open', 1, '1999-12-31 23:59:59.999999Z'), budget_do('d12', 'open', 1, '1970-01-01 00:00Z');
SELECT * FROM budget_sums();
-- settled whenever it is
SELECT budget_do('d1', 'step', 0.9), budget_do('d1', 'charge', 0.9), budget_do('d1', 'settle'),
	budget_do('d13', 'open', 0.1, '2006-01-31 09:00+09'), budget_do('d14', 'open', 0.01, '2006-02-01 08:59:59+09');
SELECT budget_do(trace_id, 'settle') FROM answer.budget_reservation WHERE settled_at IS NULL ORDER BY trace_id;
SELECT * FROM budget_sums() WHERE spent > 0;

-- what was reserved and charged before there was a cap counts
SELECT answer_budget_set('', 'day', NULL), answer_budget_set('', 'month', NULL);
SELECT count(*) FROM budget_sums();
BEGIN;
SELECT budget_do('e1', 'open', 0.3, now()), budget_do('e1', 'step', 0.2), budget_do('e1', 'charge', 0.2),
	budget_do('e2', 'open', 0.3, now()), budget_do('e2', 'step', 0.1), budget_do('e2', 'charge', 0.1),
	budget_do('e1', 'settle');
SELECT answer_budget_set('', 'month', 0.6), answer_budget_set('', 'day', 0.7);
SELECT budget_do('e3', 'open', 0.11, now()), budget_do('e3', 'open', 0.1, now()), budget_do('e2', 'settle'),
	budget_do('e4', 'open', 0.2, now());
SELECT period, trim_scale(cost_cap_usd) AS cap, trim_scale(reserved_usd) AS reserved, trim_scale(spent_usd) AS spent
FROM answer.budget WHERE tenant = '' ORDER BY period COLLATE "C";
ROLLBACK;
SELECT answer_budget_set('', 'day', 1);

/* the form that holds: in memory and under locks until the end, the same numbers */

BEGIN;
SELECT budget_do('f1', 'open', 0.6, is_held => true), budget_do('f1', 'more', 0.5, is_held => true),
	budget_do('f1', 'more', 0.3, is_held => true), budget_do('f2', 'open', 0.1, is_held => true);
SELECT budget_do('f1', 'step', 0.7, is_held => true), budget_do('f1', 'charge', 0.7, is_held => true),
	budget_do('f1', 'settle', is_held => true), budget_do('f2', 'open', 0.2, is_held => true);
SELECT * FROM budget_sums();
SELECT mode, count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() GROUP BY mode ORDER BY mode;
-- a part that is undone gives back what it took
SAVEPOINT s;
SELECT budget_do('f2', 'settle', is_held => true), budget_do('f3', 'open', 0.29, is_held => true);
ROLLBACK TO s;
SELECT * FROM budget_sums();
SELECT budget_do('f3', 'open', 0.1, is_held => true);
ROLLBACK;
SELECT count(*) AS left_by_held FROM answer.budget_reservation WHERE trace_id LIKE 'f%';

/* what a session left */

SELECT budget_do('g1', 'open', 0.5), budget_do('g1', 'step', 0.2), budget_do('g1', 'charge', 0.1),
	budget_do('g1', 'step', 0.3);
SELECT budget_do('g2', 'open', 0.2), budget_do('g2', 'step', 0.1), budget_do('g2', 'charge', 0.1),
	budget_do('g2', 'suspend'), budget_do('g3', 'open', 0.05);
-- who executes it has its lock, and pg_advisory_unlock_all() does not take it away
SELECT answer.trace_lock('', 'g3', true);
SELECT pg_advisory_unlock_all();
SELECT answer.budget_recover('', 'g3', 'infinity') AS executed, answer.budget_recover('', 'g9', 'infinity') AS nothing;
SELECT answer.trace_lock('', 'g3', false);
SELECT answer.budget_recover('', 'g1', '-infinity') AS in_flight, answer.budget_recover('', 'g1', 'infinity') AS again,
	answer.budget_recover('', 'g3', 'infinity') AS not_begun;
SELECT * FROM budget_sums() WHERE starts_on = '2006-06-15';
-- nothing is charged to what is settled
SELECT budget_refused($$SELECT budget_do('g1', 'charge', 0.1)$$);
-- what waits is settled once it has waited long enough
SELECT answer.budget_recover('', 'g2', now() - interval '1 hour') AS waits;
SELECT answer.budget_recover('', 'g2', 'infinity') AS expired;
SELECT trim_scale(charged_usd) AS charged, pending_since IS NULL AS waits, settled_at IS NOT NULL AS settled
FROM answer.budget_reservation WHERE trace_id = 'g2';
SELECT * FROM budget_sums() WHERE starts_on = '2006-06-15';
-- sums are those of the rows, from the first to the last
SELECT p.period, p.reserved_usd = COALESCE(sum(r.reserved_usd) FILTER (WHERE r.settled_at IS NULL), 0)
	AND p.spent_usd = COALESCE(sum(r.charged_usd) FILTER (WHERE r.settled_at IS NOT NULL), 0) AS same
FROM answer.budget_period p LEFT JOIN answer.budget_reservation r ON r.tenant = p.tenant
	AND date_trunc(p.period, r.day::timestamp)::date = p.starts_on
WHERE p.tenant = '' GROUP BY p.period, p.starts_on, p.reserved_usd, p.spent_usd ORDER BY p.period, p.starts_on;
SELECT answer_budget_set('', 'day', NULL);

/* rate limits: as many tokens as a second gives, and one at least */

CREATE FUNCTION rate_burst(tool text, qps numeric, calls integer) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(o, ' ' ORDER BY o COLLATE "C")
	FROM (SELECT o || ' ' || count(*) AS o FROM (SELECT answer.rate_take('', tool, qps, true) AS o
		FROM generate_series(1, calls)) AS t GROUP BY o) AS c
$$;
-- so slow that no token comes back meanwhile
BEGIN;
SELECT rate_burst('plan.slow', 0.001, 3), rate_burst('plan.slowest', 1e-300, 3), rate_burst('plan.fast', 1e6, 2000),
	rate_burst('plan.fastest', 1e300, 2000), rate_burst('plan.other', 0.005, 2);
-- a token is back when its time has passed
UPDATE answer.tool_bucket SET full_at = full_at - interval '500 seconds' WHERE tool = 'plan.slow';
SELECT answer.rate_take('', 'plan.slow', 0.001, true);
UPDATE answer.tool_bucket SET full_at = full_at - interval '500 seconds' WHERE tool = 'plan.slow';
SELECT answer.rate_take('', 'plan.slow', 0.001, true), answer.rate_take('', 'plan.slow', 0.001, true);
-- and no more than the bucket holds
UPDATE answer.tool_bucket SET full_at = full_at - interval '1 year' WHERE tool = 'plan.slow';
SELECT rate_burst('plan.slow', 0.001, 3);
-- a clock that was set back leaves it empty, and no worse than that; so does a rate that was raised
UPDATE answer.tool_bucket SET full_at = 'infinity' WHERE tool = 'plan.slow';
SELECT answer.rate_take('', 'plan.slow', 0.001, true);
SELECT full_at BETWEEN now() + interval '1000 s' AND now() + interval '1500 s' AS empty FROM answer.tool_bucket
WHERE tool = 'plan.slow';
SELECT rate_burst('plan.slow', 0.1, 1);
SELECT full_at < now() + interval '500 s' AS empty FROM answer.tool_bucket WHERE tool = 'plan.slow';
-- another tenant's bucket is another
INSERT INTO answer.tool_bucket VALUES ('plan-other', 'plan.busy', now() + interval '1 year');
SELECT rate_burst('plan.busy', 0.001, 1);
ROLLBACK;
SELECT budget_refused($$SELECT answer.rate_take('', 'plan.x', 0, true)$$),
	budget_refused($$SELECT answer.rate_take('', 'plan.x', -1, true)$$),
	budget_refused($$SELECT answer.rate_take('', 'plan.x', 'NaN', true)$$);

/* tenants: the operator says what they may spend, they see it, and nobody sees another's */

BEGIN;
CREATE ROLE regress_plan_a;
CREATE ROLE regress_plan_b;
SELECT answer_tenant_create('plan-a'), answer_tenant_create('plan-b');
SELECT answer_tenant_grant('plan-a', 'regress_plan_a'), answer_tenant_grant('plan-b', 'regress_plan_b');
GRANT USAGE ON SCHEMA answer TO regress_plan_a, regress_plan_b;
GRANT SELECT ON answer.tenant_budget TO regress_plan_a, regress_plan_b;
GRANT EXECUTE ON FUNCTION answer_budget_set, answer.budget_set_put, answer.budget_operate,
	answer.budget_lock, answer.budget_count, answer.budget_recover, answer.trace_lock, answer.rate_take
TO regress_plan_a, regress_plan_b;
SELECT answer_budget_set('plan-a', 'day', 1), answer_budget_set('plan-b', 'day', 2);
SELECT answer.budget_operate('plan-a', 'h1', 'open', '{"cost_usd": 0.6}', at => now()),
	answer.budget_operate('plan-b', 'h1', 'open', '{"cost_usd": 0.7}', at => now()),
	answer.budget_operate('plan-a', 'h2', 'open', '{"cost_usd": 0.5}', at => now());
SET LOCAL ROLE regress_plan_a;
SELECT * FROM answer.tenant_budget;
SELECT budget_refused(s) FROM unnest(ARRAY[
	$$SELECT answer_budget_set('plan-a', 'day', 1000)$$, $$SELECT answer_budget_set('plan-b', 'day', 0)$$,
	$$SELECT answer.budget_set_put('plan-a', 'day', 1000)$$,
	$$SELECT answer.budget_operate('plan-a', 'h1', 'settle')$$,
	$$SELECT answer.budget_operate('plan-b', 'h1', 'settle')$$,
	$$SELECT answer.budget_lock('plan-b')$$, $$SELECT answer.budget_count('plan-b')$$,
	$$SELECT answer.budget_recover('plan-b', 'h1', 'infinity')$$, $$SELECT answer.trace_lock('plan-b', 'h1', true)$$,
	$$SELECT answer.rate_take('plan-b', 'doc.search', 1, true)$$,
	$$SELECT * FROM answer.budget$$, $$SELECT * FROM answer.budget_reservation$$]) AS s;
SET LOCAL ROLE regress_plan_b;
SELECT * FROM answer.tenant_budget;
RESET ROLE;
SELECT tenant, name, action, after FROM answer.change WHERE kind = 'budget' AND tenant LIKE 'plan-%' ORDER BY tenant;
ROLLBACK;

/* what was changed by hand is found */

-- a cap, until somebody sets it again; then the sums that caps go by
BEGIN;
SELECT answer_budget_set('', 'month', 7), budget_do('i1', 'open', 0.1, now());
UPDATE answer.budget_cap SET cost_cap_usd = 8 WHERE tenant = '' AND period = 'month';
SELECT detail FROM answer_log_audit() WHERE detail LIKE '%budget%' OR detail LIKE 'what plans of%'
ORDER BY detail COLLATE "C";
SELECT answer_budget_set('', 'month', 7);
UPDATE answer.budget_period SET reserved_usd = 0 WHERE tenant = '' AND period = 'month';
SELECT finding, regexp_replace(detail, '\d{4}-\d\d-\d\d', 'a day') AS detail FROM answer_log_audit()
WHERE detail LIKE '%budget%' OR detail LIKE 'what plans of%' ORDER BY detail COLLATE "C";
ROLLBACK;

-- who reserves or settles does not let others wait for the disk as well; what is charged waits for it
SET synchronous_commit = on;
BEGIN;
SELECT budget_do('j1', 'open', 0.1), current_setting('synchronous_commit');
COMMIT;
BEGIN;
SELECT budget_do('j1', 'step', 0.1), budget_do('j1', 'charge', 0.1), current_setting('synchronous_commit');
COMMIT;
BEGIN;
SELECT budget_do('j1', 'settle'), current_setting('synchronous_commit');
COMMIT;
-- nor does it weaken a transaction of the caller's
BEGIN;
SELECT budget_do('j2', 'open', 0.1, is_held => true), budget_do('j2', 'settle', is_held => true),
	budget_do('j3', 'open', 0.1, is_held => true), answer.budget_recover('', 'j3', '-infinity'),
	current_setting('synchronous_commit');
ROLLBACK;
SHOW synchronous_commit;
RESET synchronous_commit;

-- a settled reservation goes when its month is over, unless a plan of that month is open; what caps count stays
SELECT budget_do('p1', 'open', 0.1, '2007-05-02 00:00Z'), budget_do('p2', 'open', 0.1, '2007-05-30 00:00Z'),
	budget_do('p3', 'open', 0.1, '2007-06-01 00:00Z'), budget_do('p4', 'open', 0.1, now());
SELECT budget_do('p1', 'settle'), budget_do('p3', 'settle'), budget_do('p4', 'settle');
-- somebody executes it
SELECT answer.trace_lock('', 'p2', true);
CREATE TEMP TABLE before_recovery AS SELECT * FROM answer.budget;
SELECT answer_plan_recover();
SELECT trace_id, settled_at IS NULL AS open FROM answer.budget_reservation WHERE trace_id LIKE 'p%' ORDER BY 1;
SELECT count(*) FROM answer.budget_reservation WHERE settled_at IS NOT NULL AND day < '2007-01-01';
SELECT answer.trace_lock('', 'p2', false);
SELECT budget_do('p2', 'settle');
SELECT answer_plan_recover();
SELECT trace_id FROM answer.budget_reservation WHERE trace_id LIKE 'p%';
TABLE before_recovery EXCEPT TABLE answer.budget;
SELECT count(*) FROM budget_sums() WHERE starts_on IN ('2007-05-01', '2007-06-01');
DROP TABLE before_recovery;

-- in a read-only transaction nothing is reserved
BEGIN READ ONLY;
SELECT budget_refused($$SELECT budget_do('r1', 'open', 0.1)$$),
	budget_refused($$SELECT answer_budget_set('', 'day', 1)$$);
ROLLBACK;

DELETE FROM answer.budget_reservation WHERE tenant = '';
DROP FUNCTION budget_refused, budget_do, budget_sums, rate_burst;
