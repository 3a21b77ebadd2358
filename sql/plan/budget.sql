
/* plan: budgets and rate limits */

CREATE TABLE answer.budget_cap
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	period			text COLLATE "C" NOT NULL CHECK (period OPERATOR(pg_catalog.=) ANY ('{day,month,request}')),
	cost_cap_usd	numeric NOT NULL CHECK (cost_cap_usd OPERATOR(pg_catalog.>=) 0 AND cost_cap_usd OPERATOR(pg_catalog.<) 'Infinity'),
	PRIMARY KEY (tenant, period)
);
COMMENT ON TABLE answer.budget_cap IS 'Caps on what plans of a tenant may cost (answer_budget_set()), one per row; answer.budget shows them with what is reserved and spent. See doc/tables.md#answerbudget_cap.';
COMMENT ON COLUMN answer.budget_cap.tenant IS 'Owner of the plans: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerbudget_cap.';
COMMENT ON COLUMN answer.budget_cap.period IS 'day or month, in UTC, or request, for each plan by itself. See doc/tables.md#answerbudget_cap.';
COMMENT ON COLUMN answer.budget_cap.cost_cap_usd IS 'Maximum cost of plans in that period, in USD. See doc/tables.md#answerbudget_cap.';

-- A cap counts a single row, so a reservation is a single update.
CREATE TABLE answer.budget_period
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	period			text COLLATE "C" NOT NULL CHECK (period OPERATOR(pg_catalog.=) ANY ('{day,month}')),
	starts_on		date NOT NULL,
	reserved_usd	numeric NOT NULL CHECK (reserved_usd OPERATOR(pg_catalog.>=) 0),
	spent_usd		numeric NOT NULL CHECK (spent_usd OPERATOR(pg_catalog.>=) 0),
	PRIMARY KEY (tenant, period, starts_on)
)
WITH (fillfactor = 10);
COMMENT ON TABLE answer.budget_period IS 'Reserved and spent amounts of the plans of a day or a month, one row per tenant and period, for the caps of answer.budget_cap; for the present periods, the sums of answer.budget_reservation. See doc/tables.md#answerbudget_period.';
COMMENT ON COLUMN answer.budget_period.tenant IS 'Owner of the plans: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerbudget_period.';
COMMENT ON COLUMN answer.budget_period.period IS 'day or month, in UTC. See doc/tables.md#answerbudget_period.';
COMMENT ON COLUMN answer.budget_period.starts_on IS 'Its first day. See doc/tables.md#answerbudget_period.';
COMMENT ON COLUMN answer.budget_period.reserved_usd IS 'Amount reserved by plans that are not settled yet, in USD. See doc/tables.md#answerbudget_period.';
COMMENT ON COLUMN answer.budget_period.spent_usd IS 'Amount charged to settled plans, in USD. See doc/tables.md#answerbudget_period.';

CREATE TABLE answer.budget_reservation
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	trace_id		text COLLATE "C" NOT NULL CHECK (trace_id OPERATOR(pg_catalog.<>) ''),
	day				date NOT NULL,
	reserved_usd	numeric NOT NULL CHECK (reserved_usd OPERATOR(pg_catalog.>=) 0),
	reserved_ms		numeric NOT NULL,
	charged_usd		numeric NOT NULL CHECK (charged_usd BETWEEN 0 AND reserved_usd),
	charged_ms		numeric NOT NULL,
	step_usd		numeric NOT NULL CHECK (step_usd OPERATOR(pg_catalog.>=) 0),
	step_ms			numeric NOT NULL,
	pid				integer NOT NULL,
	backend_start	timestamptz NOT NULL,
	pending_since	timestamptz,
	settled_at		timestamptz,
	PRIMARY KEY (tenant, trace_id)
)
WITH (fillfactor = 50);
COMMENT ON TABLE answer.budget_reservation IS 'Reservations and charges of plans, one plan per row, even without a cap, so that a cap set later counts them. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.tenant IS 'Owner of the plan: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.trace_id IS 'Id of the plan''s trace. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.day IS 'The day (UTC) to which it is charged, together with its month. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.reserved_usd IS 'Total amount reserved, in USD. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.reserved_ms IS 'Time that belongs to reserved_usd, in ms. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.charged_usd IS 'Amount charged for its finished steps, in USD. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.charged_ms IS 'Time that belongs to charged_usd, in ms. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.step_usd IS 'Cost of the call in flight, in USD, which is charged in full if the session ends during it. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.step_ms IS 'Time that belongs to step_usd, in ms. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.pid IS 'Process id of the session that saved it last. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.backend_start IS 'When that process began, because process ids are used again. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.pending_since IS 'Since when the plan has been waiting for answers of the application. See doc/tables.md#answerbudget_reservation.';
COMMENT ON COLUMN answer.budget_reservation.settled_at IS 'When it ended and the rest was released, by the server''s clock. See doc/tables.md#answerbudget_reservation.';
CREATE INDEX budget_reservation_open ON answer.budget_reservation (tenant, trace_id) WHERE settled_at IS NULL;
CREATE INDEX budget_reservation_day ON answer.budget_reservation (tenant, day);

-- Unlogged, because after a crash at most one more burst is allowed.
CREATE UNLOGGED TABLE answer.tool_bucket
(
	tenant	text COLLATE "C" NOT NULL,
	tool	text COLLATE "C" NOT NULL,
	full_at	timestamptz NOT NULL,
	PRIMARY KEY (tenant, tool)
)
WITH (fillfactor = 10);
COMMENT ON TABLE answer.tool_bucket IS 'Token buckets of tools with a rate limit, one per tenant and tool; a call takes a token, which comes back after 1 / rate_limit_qps seconds. See doc/tables.md#answertool_bucket.';
COMMENT ON COLUMN answer.tool_bucket.tenant IS 'Tenant that made the calls (answer.tenant), or empty for the operator. See doc/tables.md#answertool_bucket.';
COMMENT ON COLUMN answer.tool_bucket.tool IS 'The tool. See doc/tables.md#answertool_bucket.';
COMMENT ON COLUMN answer.tool_bucket.full_at IS 'When the bucket is full again, by the server''s clock. See doc/tables.md#answertool_bucket.';

-- Rows are only added, and each has its own key, so nobody waits for anybody, and a rollback leaves nothing.
CREATE TABLE answer.tool_call
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	tool			text COLLATE "C" NOT NULL,
	called_at		timestamptz NOT NULL,
	microseconds	bigint NOT NULL CHECK (microseconds BETWEEN 0 AND 86400000000),
	call			bigint NOT NULL,
	mac				bytea,
	CONSTRAINT tool_call_newest PRIMARY KEY (tenant, tool, called_at, call) INCLUDE (microseconds, mac)
);
COMMENT ON TABLE answer.tool_call IS 'Measured durations of tool calls by plans and answer_tool_invoke(), one per row; predictions use the newest 10000 of a tenant and a tool within 7 days. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.tenant IS 'Tenant that made the calls (answer.tenant), or empty for the operator. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.tool IS 'The tool. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.called_at IS 'When the call ended, by the server''s clock. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.microseconds IS 'Duration of the call, by a clock that is never set back. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.call IS 'Random number that makes the row unique. See doc/tables.md#answertool_call.';
COMMENT ON COLUMN answer.tool_call.mac IS 'Code (MAC) that only the function that stores calls can give; predictions ignore rows without it. See doc/tables.md#answertool_call.';

-- Skips from one tenant and tool to the next by the index, so that it reads only the newest calls of each, however
-- many others there are.
CREATE VIEW answer.tool_latency AS
WITH RECURSIVE called (tenant, tool) AS (
	(SELECT f.tenant, f.tool FROM answer.tool_call f ORDER BY f.tenant, f.tool LIMIT 1)
	UNION ALL
	SELECT n.tenant, n.tool
	FROM called c
	CROSS JOIN LATERAL (SELECT e.tenant, e.tool
		FROM ((SELECT s.tenant, s.tool FROM answer.tool_call s
				WHERE s.tenant OPERATOR(pg_catalog.=) c.tenant AND s.tool OPERATOR(pg_catalog.>) c.tool
				ORDER BY s.tool LIMIT 1)
			UNION ALL
			(SELECT o.tenant, o.tool FROM answer.tool_call o
				WHERE o.tenant OPERATOR(pg_catalog.>) c.tenant
				ORDER BY o.tenant, o.tool LIMIT 1)) AS e
		LIMIT 1) AS n
)
SELECT c.tenant, c.tool,
	CASE WHEN pg_catalog.count(*) OPERATOR(pg_catalog.>=) 30 THEN 'measured' ELSE 'declared' END AS basis,
	pg_catalog.count(*) AS calls,
	-- the smallest part of these is a twentieth of a microsecond
	pg_catalog.trim_scale(pg_catalog.round((pg_catalog.percentile_cont(0.5) WITHIN GROUP (ORDER BY l.microseconds)
		OPERATOR(pg_catalog./) 1000)::pg_catalog.numeric, 5)) AS p50_ms,
	pg_catalog.trim_scale(pg_catalog.round((pg_catalog.percentile_cont(0.95) WITHIN GROUP (ORDER BY l.microseconds)
		OPERATOR(pg_catalog./) 1000)::pg_catalog.numeric, 5)) AS p95_ms
FROM called c
CROSS JOIN LATERAL (SELECT t.microseconds
	FROM answer.tool_call t
	WHERE t.tenant OPERATOR(pg_catalog.=) c.tenant AND t.tool OPERATOR(pg_catalog.=) c.tool
		AND t.called_at OPERATOR(pg_catalog.>=) (pg_catalog.now() OPERATOR(pg_catalog.-) interval '168 hours')
	ORDER BY t.called_at DESC
	LIMIT 10000) AS l
GROUP BY c.tenant, c.tool;
COMMENT ON VIEW answer.tool_latency IS 'Durations of the newest calls of tools, one row per tenant and tool; at most 10000 calls each, of the last 7 days. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.tenant IS 'Tenant that made the calls (answer.tenant), or empty for the operator. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.tool IS 'The tool. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.basis IS 'Basis of predictions: measured, from 30 calls on; declared, latency_p50_ms of its spec. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.calls IS 'Number of calls. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.p50_ms IS 'Median duration, in ms. See doc/tables.md#answertool_latency.';
COMMENT ON COLUMN answer.tool_latency.p95_ms IS '95th percentile of the duration, in ms. See doc/tables.md#answertool_latency.';

CREATE VIEW answer.budget AS
SELECT c.tenant, c.period, c.cost_cap_usd,
	CASE WHEN c.period OPERATOR(pg_catalog.<>) 'request' THEN COALESCE(p.reserved_usd, 0) END AS reserved_usd,
	CASE WHEN c.period OPERATOR(pg_catalog.<>) 'request' THEN COALESCE(p.spent_usd, 0) END AS spent_usd
FROM answer.budget_cap c
LEFT JOIN answer.budget_period p ON p.tenant OPERATOR(pg_catalog.=) c.tenant AND p.period OPERATOR(pg_catalog.=) c.period
	AND p.starts_on OPERATOR(pg_catalog.=) pg_catalog.date_trunc(p.period, pg_catalog.timezone('UTC', pg_catalog.now()))::pg_catalog.date;
COMMENT ON VIEW answer.budget IS 'Caps of answer_budget_set(), one per row, with the amounts reserved and spent in the present day and month (UTC). See doc/tables.md#answerbudget.';
COMMENT ON COLUMN answer.budget.tenant IS 'Owner of the plans: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerbudget.';
COMMENT ON COLUMN answer.budget.period IS 'day, month or request. See doc/tables.md#answerbudget.';
COMMENT ON COLUMN answer.budget.cost_cap_usd IS 'Maximum cost of plans in that period, in USD. See doc/tables.md#answerbudget.';
COMMENT ON COLUMN answer.budget.reserved_usd IS 'Amount that running or waiting plans hold of it, in USD. See doc/tables.md#answerbudget.';
COMMENT ON COLUMN answer.budget.spent_usd IS 'Amount charged to finished plans, in USD. See doc/tables.md#answerbudget.';

REVOKE ALL ON answer.budget_cap, answer.budget_period, answer.budget_reservation, answer.tool_bucket, answer.tool_call, answer.tool_latency, answer.budget FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.budget_cap', '');
SELECT pg_catalog.pg_extension_config_dump('answer.budget_period', '');
SELECT pg_catalog.pg_extension_config_dump('answer.budget_reservation', '');
SELECT pg_catalog.pg_extension_config_dump('answer.tool_call', '');


CREATE FUNCTION answer.budget_lock(tenant text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_budget_lock'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.budget_lock(text) IS
'Waits for the plans that hold a tenant''s budget, and prevents others from reserving until the transaction ends; not for direct use.';

CREATE FUNCTION answer.budget_count(tenant text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_budget_count'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.budget_count(text) IS
'Computes the sums that a tenant''s caps count in the present day and month, if that has not been done yet; not for direct use.';

-- A settled reservation is needed as long as a cap could still count it: until the end of its month, and while a plan
-- of that time is open. The extra day is for plans that have just begun.
CREATE FUNCTION answer.budget_prune(tenants text[]) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE COST 1000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	DELETE FROM answer.budget_reservation r USING (SELECT p.tenant, p.trace_id FROM answer.budget_reservation p
		WHERE p.tenant = ANY (tenants) AND p.settled_at IS NOT NULL
		AND p.day < date_trunc('month', timezone('UTC', clock_timestamp()) - interval '1 day')::date
		AND NOT EXISTS (SELECT FROM answer.budget_reservation o WHERE o.tenant = p.tenant AND o.settled_at IS NULL
			AND date_trunc('month', o.day) = date_trunc('month', p.day))
		FOR UPDATE SKIP LOCKED) AS gone
	WHERE r.tenant = gone.tenant AND r.trace_id = gone.trace_id;
END;
COMMENT ON FUNCTION answer.budget_prune(text[]) IS
'Deletes settled reservations of past months (UTC), for answer_plan_recover(); not for direct use.';

-- Rows that another session is deleting are left to it.
CREATE FUNCTION answer.tool_call_prune(tenants text[]) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	DELETE FROM answer.tool_call WHERE ctid = ANY (ARRAY(SELECT g.ctid FROM answer.tool_call g
		WHERE g.ctid = ANY (ARRAY(SELECT r.place FROM (SELECT c.ctid AS place, c.called_at,
				row_number() OVER (PARTITION BY c.tenant, c.tool ORDER BY c.called_at DESC) AS rank
			FROM answer.tool_call c WHERE c.tenant = ANY (tenants)) AS r
			WHERE r.rank > 10000 OR r.called_at < clock_timestamp() - interval '168 hours'))
		FOR UPDATE SKIP LOCKED));
END;
COMMENT ON FUNCTION answer.tool_call_prune(text[]) IS
'Deletes calls that predictions no longer use: those before the newest 10000 of a tenant and a tool, and those more than 7 days old; not for direct use.';

CREATE FUNCTION answer.budget_set_put(tenant text, period text, cost_cap_usd numeric) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF tenant IS NULL OR period IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tenant and period must not be null';
	END IF;
	IF period <> ALL ('{day,month,request}') THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('"%s" is no period of a budget', period),
			detail = 'It is day, month or request.';
	END IF;
	IF cost_cap_usd < 0 OR cost_cap_usd >= 'Infinity' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('cost_cap_usd must be 0 or more, and is %s', cost_cap_usd),
			hint = 'NULL takes the cap away.';
	END IF;
	IF tenant <> '' AND NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = budget_set_put.tenant) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant "%s"', tenant),
			hint = 'Tenants are created with answer_tenant_create(); the empty text is the operator.';
	END IF;
	PERFORM answer.budget_lock(tenant);
	IF cost_cap_usd IS NULL THEN
		DELETE FROM answer.budget_cap c WHERE c.tenant = budget_set_put.tenant AND c.period = budget_set_put.period;
		-- nobody maintains these sums from now on
		DELETE FROM answer.budget_period p WHERE p.tenant = budget_set_put.tenant AND p.period = budget_set_put.period;
	ELSE
		INSERT INTO answer.budget_cap (tenant, period, cost_cap_usd) VALUES (tenant, period, cost_cap_usd)
		ON CONFLICT ON CONSTRAINT budget_cap_pkey DO UPDATE SET cost_cap_usd = excluded.cost_cap_usd;
		PERFORM answer.budget_count(tenant);
	END IF;
	PERFORM answer.change_record_put(tenant, 'budget', period);
END
$$;
COMMENT ON FUNCTION answer.budget_set_put(text, text, numeric) IS
'Stores a cap for answer_budget_set(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_budget_set(tenant text, period text, cost_cap_usd numeric) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_budget_set(text, text, numeric) IS
'Sets a cap on what plans of a tenant may cost. See doc/reference.md#answer_budget_set.';

CREATE FUNCTION answer.budget_operate(tenant text, trace_id text, operation text, price jsonb DEFAULT '{}', limits jsonb DEFAULT '{}',
	tools text[] DEFAULT '{}', is_held boolean DEFAULT false, at timestamptz DEFAULT pg_catalog.clock_timestamp()) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_budget_operate'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.budget_operate(text, text, text, jsonb, jsonb, text[], boolean, timestamptz) IS
'Performs one operation on the budget of a plan, as the functions that execute plans do; not for direct use.';

CREATE FUNCTION answer.budget_recover(tenant text, trace_id text, pending_before timestamptz) RETURNS numeric
AS 'MODULE_PATHNAME', 'answer_eval_budget_recover'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.budget_recover(text, text, timestamptz) IS
'Settles a reservation whose session is gone: the call in flight is charged in full, and the rest is released; not for direct use.';

CREATE FUNCTION answer.trace_lock(tenant text, trace_id text, is_wanted boolean) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_trace_lock'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.trace_lock(text, text, boolean) IS
'Takes or releases the lock by which a session shows that it executes a plan; not for direct use.';

CREATE FUNCTION answer.rate_take(tenant text, tool text, qps numeric, is_held boolean) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_rate_take'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.rate_take(text, text, numeric, boolean) IS
'Takes a token from a tool''s bucket; not for direct use.';

REVOKE ALL ON FUNCTION
	answer.budget_lock(text),
	answer.budget_count(text),
	answer.tool_call_prune(text[]),
	answer.budget_prune(text[]),
	answer.budget_set_put(text, text, numeric),
	@extschema@.answer_budget_set(text, text, numeric),
	answer.budget_operate(text, text, text, jsonb, jsonb, text[], boolean, timestamptz),
	answer.budget_recover(text, text, timestamptz),
	answer.trace_lock(text, text, boolean),
	answer.rate_take(text, text, numeric, boolean)
FROM PUBLIC;
