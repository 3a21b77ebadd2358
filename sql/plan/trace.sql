
/* plan: what plans did: runs, what unfinished ones need, traces */

CREATE TABLE answer.plan_run
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	trace_id		text COLLATE "C" NOT NULL CHECK (trace_id OPERATOR(pg_catalog.~) '^t_[0-9a-f]{32}$'),
	plan_id			text COLLATE "C" NOT NULL,
	request_id		text COLLATE "C",
	request_digest	text COLLATE "C" NOT NULL,
	role			text COLLATE "C" NOT NULL,
	status			text COLLATE "C" NOT NULL CHECK (status OPERATOR(pg_catalog.=) ANY ('{running,pending,done}')),
	evaluated_at	timestamptz NOT NULL,
	started_at		timestamptz NOT NULL,
	expires_at		timestamptz,
	finished_at		timestamptz,
	state			jsonb,
	verdict			text COLLATE "C" CHECK (verdict OPERATOR(pg_catalog.=) ANY ('{answered,blocked,refused,failed}')),
	receipt_id		text COLLATE "C",
	issued_at		timestamptz,
	PRIMARY KEY (tenant, trace_id),
	-- an unfinished run has what it needs to go on, a finished one its document
	CHECK ((status OPERATOR(pg_catalog.=) 'done') OPERATOR(pg_catalog.=) (state IS NULL)),
	CHECK ((status OPERATOR(pg_catalog.=) 'done') OPERATOR(pg_catalog.=) (receipt_id IS NOT NULL AND issued_at IS NOT NULL AND verdict IS NOT NULL)),
	CHECK (status OPERATOR(pg_catalog.<>) 'pending' OR expires_at IS NOT NULL)
);
COMMENT ON TABLE answer.plan_run IS 'Executions of plans, one per row; answer.plan_event has the trace of the same id. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.trace_id IS 'Id of the trace, random: "t_" and 32 hex digits. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.plan_id IS 'plan_id of the plan. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.request_id IS 'request_id of the request; a role that uses it again gets the same answer. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.request_digest IS 'answer_digest of the request, which detects another request with the same request_id. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.role IS 'Name of the role that executes it. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.status IS 'running: until its transaction or its session ends; pending: it waits for answers to steps (answer_plan_resume); done: its document is in answer.receipt. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.evaluated_at IS 'The instant by which it decides: when it was started. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.started_at IS 'When it was started, by the server''s clock. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.expires_at IS 'For a pending one, when answer_plan_recover() settles it: answer_eval.pending_expiry after it began to wait. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.finished_at IS 'When it was done, by the server''s clock. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.state IS 'What an unfinished one needs to continue: plan, specs of its tools, vars, limits, thresholds. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.verdict IS 'answered, blocked, refused or failed; NULL until it is done. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.receipt_id IS 'Its document, plan/v1, in answer.receipt; NULL until it is done. See doc/tables.md#answerplan_run.';
COMMENT ON COLUMN answer.plan_run.issued_at IS 'issued_at of the document. See doc/tables.md#answerplan_run.';
CREATE UNIQUE INDEX plan_run_request ON answer.plan_run (tenant, request_id) WHERE request_id IS NOT NULL;
-- the tenant is not first: on an empty table a planner would choose this index for a trace instead of the primary
-- key, for the rest of the session
CREATE INDEX plan_run_plan ON answer.plan_run (plan_id, tenant, started_at);
CREATE INDEX plan_run_unfinished ON answer.plan_run (started_at) WHERE status OPERATOR(pg_catalog.<>) 'done';
-- forgotten content must not survive in the planner's statistics
ALTER TABLE answer.plan_run ALTER COLUMN state SET STATISTICS 0;

CREATE TABLE answer.plan_step
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	trace_id	text COLLATE "C" NOT NULL,
	seq			integer NOT NULL CHECK (seq OPERATOR(pg_catalog.>) 0),
	inputs		jsonb,
	outputs		jsonb,
	PRIMARY KEY (tenant, trace_id, seq)
);
COMMENT ON TABLE answer.plan_step IS 'Inputs and outputs of the finished steps of unfinished executions, one step per row. See doc/tables.md#answerplan_step.';
COMMENT ON COLUMN answer.plan_step.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerplan_step.';
COMMENT ON COLUMN answer.plan_step.trace_id IS 'Its trace. See doc/tables.md#answerplan_step.';
COMMENT ON COLUMN answer.plan_step.seq IS 'The number of its event in the trace. See doc/tables.md#answerplan_step.';
COMMENT ON COLUMN answer.plan_step.inputs IS 'The arguments, resolved and completed; for assert and branch {"if", "bindings"}; for a map an array. See doc/tables.md#answerplan_step.';
COMMENT ON COLUMN answer.plan_step.outputs IS 'The whole result, or the boolean. See doc/tables.md#answerplan_step.';
ALTER TABLE answer.plan_step ALTER COLUMN inputs SET STATISTICS 0, ALTER COLUMN outputs SET STATISTICS 0;

CREATE TABLE answer.plan_event
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	trace_id	text COLLATE "C" NOT NULL,
	seq			integer NOT NULL CHECK (seq OPERATOR(pg_catalog.>) 0),
	plan_id		text COLLATE "C" NOT NULL,
	step		text COLLATE "C" NOT NULL,
	ts_end		timestamptz NOT NULL,
	event		jsonb NOT NULL,
	PRIMARY KEY (tenant, trace_id, seq)
);
COMMENT ON TABLE answer.plan_event IS 'Events of the traces of plans, one per row, append-only: one for each node and attempt, and one for each step of degradation. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.trace_id IS 'The trace, as in answer.plan_run. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.seq IS 'Number of the event in its trace, from 1 without a gap. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.plan_id IS 'plan_id of the plan. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.step IS 'Id of the node; for a step of degradation k, depth, summary or refused; recovered if answer_plan_recover() ended the plan. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.ts_end IS 'When it ended, by the server''s clock. See doc/tables.md#answerplan_event.';
COMMENT ON COLUMN answer.plan_event.event IS 'The event as signed, with its signature. See doc/tables.md#answerplan_event.';
CREATE TRIGGER plan_event_append_only BEFORE UPDATE OR DELETE ON answer.plan_event
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER plan_event_no_truncate BEFORE TRUNCATE ON answer.plan_event
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

REVOKE ALL ON answer.plan_run, answer.plan_step, answer.plan_event FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.plan_run', '');
SELECT pg_catalog.pg_extension_config_dump('answer.plan_step', '');
SELECT pg_catalog.pg_extension_config_dump('answer.plan_event', '');
