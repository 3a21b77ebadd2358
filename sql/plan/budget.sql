
/* plan: budgets and rate limits */

-- One row a tenant and period, with what its cap counts: so reserving is one update.
CREATE TABLE answer.budget_cap
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	period			text COLLATE "C" NOT NULL CHECK (period OPERATOR(pg_catalog.=) ANY ('{day,month,request}')),
	cost_cap_usd	numeric NOT NULL CHECK (cost_cap_usd OPERATOR(pg_catalog.>=) 0 AND cost_cap_usd OPERATOR(pg_catalog.<) 'Infinity'),
	starts_on		date,
	reserved_usd	numeric NOT NULL DEFAULT 0 CHECK (reserved_usd OPERATOR(pg_catalog.>=) 0),
	spent_usd		numeric NOT NULL DEFAULT 0 CHECK (spent_usd OPERATOR(pg_catalog.>=) 0),
	PRIMARY KEY (tenant, period),
	-- a request is counted for itself
	CHECK ((period OPERATOR(pg_catalog.=) 'request') OPERATOR(pg_catalog.=) (starts_on IS NULL))
)
WITH (fillfactor = 10);
COMMENT ON TABLE answer.budget_cap IS 'What plans of a tenant may cost, and what those of the present day and month have cost (answer_budget_set()). answer.budget shows it.';
COMMENT ON COLUMN answer.budget_cap.tenant IS 'Whose plans: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.budget_cap.period IS 'day or month, in UTC, or request: each plan for itself.';
COMMENT ON COLUMN answer.budget_cap.cost_cap_usd IS 'What plans may cost in that period, in USD.';
COMMENT ON COLUMN answer.budget_cap.starts_on IS 'The first day of the period whose plans are counted; the next plan in a later one counts anew. NULL: of request.';
COMMENT ON COLUMN answer.budget_cap.reserved_usd IS 'What plans hold that are not settled, in USD.';
COMMENT ON COLUMN answer.budget_cap.spent_usd IS 'What settled plans were charged, in USD.';

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
COMMENT ON TABLE answer.budget_reservation IS 'What each plan has reserved and was charged, whether or not its tenant has a cap: a cap that is set later counts it.';
COMMENT ON COLUMN answer.budget_reservation.tenant IS 'Whose plan it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.budget_reservation.trace_id IS 'The trace of the plan.';
COMMENT ON COLUMN answer.budget_reservation.day IS 'The day, in UTC, that it is charged to, with its month.';
COMMENT ON COLUMN answer.budget_reservation.reserved_usd IS 'What was reserved in all, in USD, with what is charged.';
COMMENT ON COLUMN answer.budget_reservation.reserved_ms IS 'The same of time, in ms.';
COMMENT ON COLUMN answer.budget_reservation.charged_usd IS 'What its finished steps were charged, in USD.';
COMMENT ON COLUMN answer.budget_reservation.charged_ms IS 'The same of time, in ms.';
COMMENT ON COLUMN answer.budget_reservation.step_usd IS 'What the call in flight costs, in USD: charged in full if the session ends in it.';
COMMENT ON COLUMN answer.budget_reservation.step_ms IS 'The same of time, in ms.';
COMMENT ON COLUMN answer.budget_reservation.pid IS 'Process of the session that saved it last.';
COMMENT ON COLUMN answer.budget_reservation.backend_start IS 'When that process began: pids come again.';
COMMENT ON COLUMN answer.budget_reservation.pending_since IS 'Since when the plan has waited for answers of the application. NULL: it does not.';
COMMENT ON COLUMN answer.budget_reservation.settled_at IS 'When it ended and the rest was let go, by the server''s clock. NULL: not yet.';
CREATE INDEX budget_reservation_open ON answer.budget_reservation (tenant, trace_id) WHERE settled_at IS NULL;
CREATE INDEX budget_reservation_day ON answer.budget_reservation (tenant, day);

-- Unlogged, for a crash may give one burst more.
CREATE UNLOGGED TABLE answer.tool_bucket
(
	tenant	text COLLATE "C" NOT NULL,
	tool	text COLLATE "C" NOT NULL,
	full_at	timestamptz NOT NULL,
	PRIMARY KEY (tenant, tool)
)
WITH (fillfactor = 10);
COMMENT ON TABLE answer.tool_bucket IS 'The buckets of tools with a rate limit, of each tenant: a call takes a token, which comes back after 1 / rate_limit_qps seconds.';
COMMENT ON COLUMN answer.tool_bucket.tenant IS 'Whose calls: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.tool_bucket.tool IS 'The tool.';
COMMENT ON COLUMN answer.tool_bucket.full_at IS 'When all tokens are back, by the server''s clock.';

CREATE VIEW answer.budget AS
SELECT c.tenant, c.period, c.cost_cap_usd,
	CASE WHEN c.starts_on OPERATOR(pg_catalog.<) p.starts_on THEN 0 WHEN c.starts_on IS NOT NULL THEN c.reserved_usd END AS reserved_usd,
	CASE WHEN c.starts_on OPERATOR(pg_catalog.<) p.starts_on THEN 0 WHEN c.starts_on IS NOT NULL THEN c.spent_usd END AS spent_usd
FROM answer.budget_cap c,
LATERAL (
	SELECT CASE WHEN c.starts_on IS NOT NULL
		THEN pg_catalog.date_trunc(c.period, pg_catalog.timezone('UTC', pg_catalog.now()))::pg_catalog.date END AS starts_on
) AS p;
COMMENT ON VIEW answer.budget IS 'The caps of answer_budget_set(), and what of them is taken in the present day and month (UTC).';
COMMENT ON COLUMN answer.budget.tenant IS 'Whose plans: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.budget.period IS 'day, month or request.';
COMMENT ON COLUMN answer.budget.cost_cap_usd IS 'What plans may cost in that period, in USD.';
COMMENT ON COLUMN answer.budget.reserved_usd IS 'What plans that are executed or wait hold of it, in USD. NULL: of request, each plan is counted for itself.';
COMMENT ON COLUMN answer.budget.spent_usd IS 'What finished plans were charged, in USD. NULL: of request.';

REVOKE ALL ON answer.budget_cap, answer.budget_reservation, answer.tool_bucket, answer.budget FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.budget_cap', '');
SELECT pg_catalog.pg_extension_config_dump('answer.budget_reservation', '');
