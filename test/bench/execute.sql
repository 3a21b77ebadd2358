-- For the benchmark `execute` (execute.py): two plans, and the same in PL/pgSQL. One has five steps that do almost nothing, so it
-- shows the cost around them; the other is that of examples/plan, which searches, verifies, asserts, quotes and remembers. The tables
-- of the other side have the columns, constraints and indexes of ours; its rows have the same members, of the same sizes.
SELECT answer_tool_register('bench.next', 'bench.next(jsonb)', spec => '{"io": {"input": {"n": {"type": "integer", "required": true}},
	"output": {"n": "integer"}}, "constraints": {"cost_per_call_usd": 0.001, "latency_p50_ms": 1}}');
SELECT answer_plan_register(jsonb_build_object('plan_id', 'bench.five', 'edges', '[["n1","n2"],["n2","n3"],["n3","n4"],["n4","n5"]]'::jsonb, 'nodes',
	(SELECT jsonb_agg(jsonb_build_object('id', 'n' || i, 'op', 'call', 'tool', 'bench.next', 'out', 'v' || i,
		'args', jsonb_build_object('n', CASE WHEN i > 1 THEN to_jsonb('$v' || i - 1) ELSE '0' END)) ORDER BY i) FROM generate_series(1, 5) AS i)));

CREATE TABLE bench.plan_run (LIKE answer.plan_run INCLUDING ALL);
CREATE TABLE bench.plan_step (LIKE answer.plan_step INCLUDING ALL);
CREATE TABLE bench.plan_event (LIKE answer.plan_event INCLUDING ALL);
CREATE TABLE bench.budget_reservation (LIKE answer.budget_reservation INCLUDING ALL);
CREATE TABLE bench.receipt (LIKE answer.receipt INCLUDING ALL) PARTITION BY RANGE (issued_at);
CREATE TABLE bench.receipt_default (LIKE answer.receipt_default INCLUDING ALL);
ALTER TABLE bench.receipt ATTACH PARTITION bench.receipt_default DEFAULT;
CREATE TABLE bench.unsealed (LIKE answer.unsealed INCLUDING ALL);
-- the constant parts of a document, and placeholders for signatures, which are measured separately
CREATE TABLE bench.constant (plan_id text, request_digest text, sig jsonb, body jsonb, trace jsonb);
INSERT INTO bench.constant SELECT 'bench.five', answer_digest(body), body -> 'trace' -> 0 -> 'event' -> 'sig', body - '{trace,trace_id,issued_at,last_event,evaluated_at}'::text[],
	body -> 'trace' FROM answer_plan_execute('{"plan": {"ref": "bench.five"}}') AS body;

-- Also makes the contents of the rows: events with digests, each with that of the one before, and the document with all of them.
CREATE FUNCTION bench.five() RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	given bench.constant;
	trace text := 't_' || replace(gen_random_uuid()::text, '-', '');
	id text := 'pln_' || substr(trace, 3, 16);
	begun timestamptz := clock_timestamp();
	started timestamptz;
	ended timestamptz;
	inputs jsonb;
	outputs jsonb := '{"n": 0}';
	inputs_hash text;
	outputs_hash text := 'sha256:' || encode(sha256(convert_to(outputs::text, 'UTF8')), 'hex');
	event jsonb;
	last_event text;
	events jsonb[];
	body jsonb;
BEGIN
	SELECT * INTO given FROM bench.constant;
	FOR i IN 1 .. 5 LOOP
		inputs := outputs;
		inputs_hash := outputs_hash;
		started := clock_timestamp();
		outputs := bench.next(inputs);
		ended := clock_timestamp();
		outputs_hash := 'sha256:' || encode(sha256(convert_to(outputs::text, 'UTF8')), 'hex');
		event := jsonb_build_object('type', 'step', 'plan_id', given.plan_id, 'trace_id', trace, 'seq', i, 'step', 'n' || i, 'op', 'call',
			'tool', 'bench.next', 'attempt', 1, 'outcome', 'ok', 'ts_start', started, 'ts_end', ended, 'inputs_hash', inputs_hash,
			'outputs_hash', outputs_hash, 'reason', NULL, 'cost_usd', 0.001, 'latency_ms', 1, 'tokens_in', length(inputs::text) / 4,
			'tokens_out', length(outputs::text) / 4, 'citations', '[]'::jsonb, 'prev', last_event, 'sig', given.sig);
		last_event := 'sha256:' || encode(sha256(convert_to(event::text, 'UTF8')), 'hex');
		INSERT INTO bench.plan_event (trace_id, seq, plan_id, step, ts_end, event) VALUES (trace, i, given.plan_id, 'n' || i, ended, event);
		events[i] := jsonb_build_object('event', event, 'inputs', inputs, 'outputs', outputs);
	END LOOP;
	body := given.body || jsonb_build_object('trace', to_jsonb(events), 'trace_id', trace, 'last_event', last_event, 'issued_at', clock_timestamp(),
		'evaluated_at', begun);
	PERFORM bench.store(given, trace, id, begun, body, sha256(convert_to(body::text, 'UTF8')));
	RETURN body;
END $$;

CREATE FUNCTION bench.store(given bench.constant, trace text, id text, begun timestamptz, body jsonb, digest bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO bench.budget_reservation (trace_id, day, reserved_usd, reserved_ms, charged_usd, charged_ms, step_usd, step_ms, pid, backend_start, settled_at)
	VALUES (trace, begun::date, 0.005, 5, 0.005, 5, 0, 0, pg_backend_pid(), begun, clock_timestamp());
	INSERT INTO bench.receipt (receipt_id, schema, issued_at, verdict, degraded, key_id, took, body)
	VALUES (id, 'plan/v1', begun, 'answered', false, given.sig ->> 'key_id', clock_timestamp() - begun, body);
	INSERT INTO bench.unsealed (receipt_id, issued_at, digest) VALUES (id, begun, digest);
	INSERT INTO bench.plan_run (trace_id, plan_id, request_digest, role, status, evaluated_at, started_at, finished_at, verdict, receipt_id, issued_at)
	VALUES (trace, given.plan_id, given.request_digest, current_user, 'done', begun, begun, clock_timestamp(), 'answered', id, begun);
END $$;

-- Makes only the five calls, and inserts rows with prepared contents.
CREATE FUNCTION bench.five_given() RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	given bench.constant;
	trace text := 't_' || replace(gen_random_uuid()::text, '-', '');
	begun timestamptz := clock_timestamp();
	value jsonb := '{"n": 0}';
	body jsonb;
BEGIN
	SELECT * INTO given FROM bench.constant;
	FOR i IN 1 .. 5 LOOP
		value := bench.next(value);
		INSERT INTO bench.plan_event (trace_id, seq, plan_id, step, ts_end, event)
		VALUES (trace, i, given.plan_id, 'n' || i, clock_timestamp(), given.trace -> (i - 1) -> 'event');
	END LOOP;
	body := given.body || jsonb_build_object('trace', given.trace);
	PERFORM bench.store(given, trace, 'pln_' || substr(trace, 3, 16), begun, body, decode(substr(given.request_digest, 8), 'hex'));
	RETURN body;
END $$;

-- The same as five(), with commits so that a crash loses nothing: the reservation, each step with its charge, the document, the settlement.
CREATE PROCEDURE bench.five_committing() LANGUAGE plpgsql AS $$
DECLARE
	given bench.constant;
	trace text := 't_' || replace(gen_random_uuid()::text, '-', '');
	id text := 'pln_' || substr(trace, 3, 16);
	begun timestamptz := clock_timestamp();
	started timestamptz;
	ended timestamptz;
	inputs jsonb;
	outputs jsonb := '{"n": 0}';
	inputs_hash text;
	outputs_hash text := 'sha256:' || encode(sha256(convert_to(outputs::text, 'UTF8')), 'hex');
	event jsonb;
	last_event text;
	body jsonb;
BEGIN
	SELECT * INTO given FROM bench.constant;
	INSERT INTO bench.plan_run (trace_id, plan_id, request_digest, role, status, evaluated_at, started_at, state)
	VALUES (trace, given.plan_id, given.request_digest, current_user, 'running', begun, begun, given.body);
	INSERT INTO bench.budget_reservation (trace_id, day, reserved_usd, reserved_ms, charged_usd, charged_ms, step_usd, step_ms, pid, backend_start)
	VALUES (trace, begun::date, 0.005, 5, 0, 0, 0, 0, pg_backend_pid(), begun);
	SET LOCAL synchronous_commit = off;
	COMMIT;
	FOR i IN 1 .. 5 LOOP
		UPDATE bench.budget_reservation SET step_usd = 0.001, step_ms = 1, charged_usd = 0.001 * (i - 1), charged_ms = i - 1 WHERE tenant = '' AND trace_id = trace;
		COMMIT;
		inputs := outputs;
		inputs_hash := outputs_hash;
		started := clock_timestamp();
		outputs := bench.next(inputs);
		ended := clock_timestamp();
		outputs_hash := 'sha256:' || encode(sha256(convert_to(outputs::text, 'UTF8')), 'hex');
		event := jsonb_build_object('type', 'step', 'plan_id', given.plan_id, 'trace_id', trace, 'seq', i, 'step', 'n' || i, 'op', 'call',
			'tool', 'bench.next', 'attempt', 1, 'outcome', 'ok', 'ts_start', started, 'ts_end', ended, 'inputs_hash', inputs_hash,
			'outputs_hash', outputs_hash, 'reason', NULL, 'cost_usd', 0.001, 'latency_ms', 1, 'tokens_in', length(inputs::text) / 4,
			'tokens_out', length(outputs::text) / 4, 'citations', '[]'::jsonb, 'prev', last_event, 'sig', given.sig);
		last_event := 'sha256:' || encode(sha256(convert_to(event::text, 'UTF8')), 'hex');
		INSERT INTO bench.plan_event (trace_id, seq, plan_id, step, ts_end, event) VALUES (trace, i, given.plan_id, 'n' || i, ended, event);
		INSERT INTO bench.plan_step (trace_id, seq, inputs, outputs) VALUES (trace, i, inputs, outputs);
	END LOOP;
	SELECT given.body || jsonb_build_object('trace', jsonb_agg(jsonb_build_object('event', e.event, 'inputs', s.inputs, 'outputs', s.outputs) ORDER BY e.seq),
		'trace_id', trace, 'last_event', last_event, 'issued_at', clock_timestamp(), 'evaluated_at', begun) INTO body
	FROM bench.plan_event e JOIN bench.plan_step s USING (tenant, trace_id, seq) WHERE e.tenant = '' AND e.trace_id = trace;
	INSERT INTO bench.receipt (receipt_id, schema, issued_at, verdict, degraded, key_id, took, body)
	VALUES (id, 'plan/v1', begun, 'answered', false, given.sig ->> 'key_id', clock_timestamp() - begun, body);
	INSERT INTO bench.unsealed (receipt_id, issued_at, digest) VALUES (id, begun, sha256(convert_to(body::text, 'UTF8')));
	UPDATE bench.plan_run SET status = 'done', state = NULL, verdict = 'answered', receipt_id = id, issued_at = begun, finished_at = clock_timestamp()
	WHERE tenant = '' AND trace_id = trace;
	DELETE FROM bench.plan_step WHERE tenant = '' AND trace_id = trace;
	UPDATE bench.budget_reservation SET step_usd = 0, step_ms = 0, charged_usd = 0.005, charged_ms = 5 WHERE tenant = '' AND trace_id = trace;
	COMMIT;
	UPDATE bench.budget_reservation SET settled_at = clock_timestamp() WHERE tenant = '' AND trace_id = trace;
	SET LOCAL synchronous_commit = off;
	COMMIT;
END $$;

/* the plan of examples/plan */

-- The hits are given, so that neither side searches, and are a few days old, because stale ones would block the answer.
CREATE TABLE bench.hits AS SELECT jsonb_set(f.found, '{hits}', (SELECT jsonb_agg(h.hit || jsonb_build_object('stamp',
	to_char(now() AT TIME ZONE 'UTC' - make_interval(days => 25 - 5 * h.n::integer), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY h.n)
	FROM jsonb_array_elements(f.found -> 'hits') WITH ORDINALITY AS h (hit, n))) AS hits
FROM (SELECT current_setting('bench.plan_hits')::jsonb) AS f (found);
CREATE FUNCTION bench.search(args jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN (SELECT hits FROM bench.hits); END $$;
SELECT answer_tool_register('acme.search', 'bench.search(jsonb)', spec => answer_tool_spec('doc.search') - 'id');
SELECT answer_plan_register(current_setting('bench.plan')::jsonb);
CREATE TABLE bench.memory_entry (LIKE answer.memory_entry INCLUDING ALL);
CREATE TABLE bench.seed (LIKE bench.constant);
INSERT INTO bench.seed SELECT 'acme.refund.v1', answer_digest(body), body -> 'trace' -> 0 -> 'event' -> 'sig',
	body - '{trace,trace_id,issued_at,last_event,evaluated_at,response}'::text[], body -> 'trace'
FROM answer_plan_execute('{"plan": {"ref": "acme.refund.v1"}, "vars": {"query": "refund policy custom items"}}') AS body
WHERE body ->> 'verdict' = 'answered';

-- Its steps with the same handlers, an event with digests for each, the value in memory, and the document with all of them.
-- Commits at the same points as answer_plan_run(), or never.
CREATE PROCEDURE bench.refund(committing boolean) LANGUAGE plpgsql AS $$
DECLARE
	given bench.constant;
	trace text := 't_' || replace(gen_random_uuid()::text, '-', '');
	id text := 'pln_' || substr(trace, 3, 16);
	query constant text := 'refund policy custom items';
	begun timestamptz := clock_timestamp();
	started timestamptz;
	ended timestamptz;
	op text;
	tool text;
	inputs jsonb;
	outputs jsonb;
	hits jsonb;
	evidence jsonb;
	answer jsonb;
	event jsonb;
	last_event text;
	events jsonb[];
	body jsonb;
BEGIN
	SELECT * INTO STRICT given FROM bench.seed;
	IF committing THEN
		INSERT INTO bench.plan_run (trace_id, plan_id, request_digest, role, status, evaluated_at, started_at, state)
		VALUES (trace, given.plan_id, given.request_digest, current_user, 'running', begun, begun, given.body);
		INSERT INTO bench.budget_reservation (trace_id, day, reserved_usd, reserved_ms, charged_usd, charged_ms, step_usd, step_ms, pid, backend_start)
		VALUES (trace, begun::date, 0, 520, 0, 0, 0, 0, pg_backend_pid(), begun);
		SET LOCAL synchronous_commit = off;
		COMMIT;
	END IF;
	FOR i IN 1 .. 5 LOOP
		IF committing THEN
			UPDATE bench.budget_reservation SET step_ms = 100, charged_ms = i - 1 WHERE tenant = '' AND trace_id = trace;
			COMMIT;
		END IF;
		op := 'call';
		CASE i
			WHEN 1 THEN
				tool := 'acme.search';
				inputs := jsonb_build_object('q', query, 'k', 8);
				started := clock_timestamp();
				outputs := bench.search(inputs);
				hits := outputs -> 'hits';
			WHEN 2 THEN
				tool := 'ground.verify';
				inputs := jsonb_build_object('claims', '["Refund policy for custom items"]'::jsonb, 'sources', hits, 'min_confidence', 0.90);
				started := clock_timestamp();
				outputs := answer.tool_ground_verify(inputs);
				evidence := outputs -> 'evidence';
			WHEN 3 THEN
				op := 'assert';
				tool := NULL;
				inputs := jsonb_build_object('if', '$ev1.verdict.confidence >= 0.90', 'bindings',
					jsonb_build_object('$ev1.verdict.confidence', evidence #> '{verdict,confidence}'));
				started := clock_timestamp();
				outputs := to_jsonb((evidence #>> '{verdict,confidence}')::numeric >= 0.90);
				IF NOT outputs::boolean THEN
					RAISE 'the evidence does not do';
				END IF;
			WHEN 4 THEN
				tool := 'synth.answer';
				inputs := jsonb_build_object('query', query, 'evidence', evidence, 'style', 'concise+citations');
				started := clock_timestamp();
				outputs := answer.tool_synth_answer(inputs);
				answer := outputs;
			WHEN 5 THEN
				op := 'mem.write';
				tool := 'mesh.mem';
				inputs := jsonb_build_object('op', 'write', 'key', 'faq.refunds.custom', 'value', answer, 'provenance', evidence, 'ttl', 'P180D');
				started := clock_timestamp();
				INSERT INTO bench.memory_entry (key, value, digest, provenance, ttl, written_at, expires_at, trace_id)
				VALUES ('faq.refunds.custom', answer, 'sha256:' || encode(sha256(convert_to(answer::text, 'UTF8')), 'hex'), evidence, 'P180D', begun,
					begun + interval '180 days', trace)
				ON CONFLICT (tenant, key) DO UPDATE SET value = EXCLUDED.value, digest = EXCLUDED.digest, provenance = EXCLUDED.provenance,
					ttl = EXCLUDED.ttl, written_at = EXCLUDED.written_at, expires_at = EXCLUDED.expires_at, trace_id = EXCLUDED.trace_id;
				outputs := jsonb_build_object('ok', true, 'expires', to_char((begun + interval '180 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'));
		END CASE;
		ended := clock_timestamp();
		event := jsonb_build_object('type', 'step', 'plan_id', given.plan_id, 'trace_id', trace, 'seq', i, 'step', 'n' || i, 'op', op,
			'tool', tool, 'attempt', 1, 'outcome', 'ok', 'ts_start', started, 'ts_end', ended,
			'inputs_hash', 'sha256:' || encode(sha256(convert_to(inputs::text, 'UTF8')), 'hex'),
			'outputs_hash', 'sha256:' || encode(sha256(convert_to(outputs::text, 'UTF8')), 'hex'), 'reason', NULL, 'cost_usd', 0, 'latency_ms', 1,
			'tokens_in', length(inputs::text) / 4, 'tokens_out', length(outputs::text) / 4,
			'citations', CASE WHEN i = 4 THEN answer -> 'citations' ELSE '[]' END, 'prev', last_event, 'sig', given.sig);
		last_event := 'sha256:' || encode(sha256(convert_to(event::text, 'UTF8')), 'hex');
		INSERT INTO bench.plan_event (trace_id, seq, plan_id, step, ts_end, event) VALUES (trace, i, given.plan_id, 'n' || i, ended, event);
		IF committing THEN
			INSERT INTO bench.plan_step (trace_id, seq, inputs, outputs) VALUES (trace, i, inputs, outputs);
		END IF;
		events[i] := jsonb_build_object('event', event, 'inputs', inputs, 'outputs', outputs);
	END LOOP;
	body := given.body || jsonb_build_object('trace', to_jsonb(events), 'trace_id', trace, 'last_event', last_event, 'issued_at', clock_timestamp(),
		'evaluated_at', begun, 'response', answer || jsonb_build_object('evidence', evidence -> 'verdict', 'trace_id', trace));
	IF committing THEN
		INSERT INTO bench.receipt (receipt_id, schema, issued_at, verdict, degraded, key_id, took, body)
		VALUES (id, 'plan/v1', begun, 'answered', false, given.sig ->> 'key_id', clock_timestamp() - begun, body);
		INSERT INTO bench.unsealed (receipt_id, issued_at, digest) VALUES (id, begun, sha256(convert_to(body::text, 'UTF8')));
		UPDATE bench.plan_run SET status = 'done', state = NULL, verdict = 'answered', receipt_id = id, issued_at = begun, finished_at = clock_timestamp()
		WHERE tenant = '' AND trace_id = trace;
		DELETE FROM bench.plan_step WHERE tenant = '' AND trace_id = trace;
		UPDATE bench.budget_reservation SET step_ms = 0, charged_ms = 5 WHERE tenant = '' AND trace_id = trace;
		COMMIT;
		UPDATE bench.budget_reservation SET settled_at = clock_timestamp() WHERE tenant = '' AND trace_id = trace;
		SET LOCAL synchronous_commit = off;
		COMMIT;
	ELSE
		PERFORM bench.store(given, trace, id, begun, body, sha256(convert_to(body::text, 'UTF8')));
	END IF;
END $$;
