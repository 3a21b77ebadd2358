-- What the budget of a plan costs by itself: `test/bench/run.sh budget`. Here: the set-up, and what one session takes.
\set ON_ERROR_STOP on
\set QUIET on
\pset footer off
SET client_min_messages = warning;

CREATE SEQUENCE bench_trace;
CREATE TABLE bench_event (trace text, step int, at timestamptz DEFAULT clock_timestamp());
SELECT count(answer_tenant_create('t' || i)) AS tenants FROM generate_series(0, 31) AS i \gset
SELECT count(answer_budget_set('t' || i, p, 1e6)) AS caps FROM generate_series(0, 31) AS i, unnest('{day,month}'::text[]) AS p \gset

-- a plan of five steps that commits as it goes; each step takes as long as a call of a tool that answers at once
CREATE PROCEDURE bench_run(tenant text, has_budget boolean DEFAULT true) LANGUAGE plpgsql AS $$
DECLARE
	trace text := 't_' || nextval('bench_trace');
BEGIN
	IF has_budget THEN
		PERFORM answer.budget_operate(tenant, trace, 'open', '{"cost_usd": 0.005}');
	END IF;
	COMMIT;
	FOR step IN 1 .. 5 LOOP
		IF has_budget THEN
			PERFORM answer.budget_operate(tenant, trace, 'step', '{"cost_usd": 0.001}');
			COMMIT;
			PERFORM answer.budget_operate(tenant, trace, 'charge', '{"cost_usd": 0.001}');
		END IF;
		INSERT INTO bench_event VALUES (trace, step);
		COMMIT;
	END LOOP;
	IF has_budget THEN
		PERFORM answer.budget_operate(tenant, trace, 'settle');
		COMMIT;
	END IF;
END $$;
