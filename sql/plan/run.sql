
/* plan: executing plans, going on with them, ending what a crash left, reading traces */

-- No parallel query, for it writes; and whoever may not write may not execute.
CREATE FUNCTION @extschema@.answer_plan_execute(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_execute'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_plan_execute(jsonb) IS
'Executes a plan in the caller''s transaction, and signs what came of it. Argument: {plan: the plan, or {"ref": plan_id or digest} of a registered one; vars: an object, $INPUT of the plan; budgets: {latency_budget_ms, cost_cap_usd}; intent; tenant; request_id: the role that asks with it again gets the same answer; trace_id: "t_" and 32 hex digits of the caller''s, to follow from the start}. Result: the document, plan/v1: {..., "verdict": answered, blocked, refused or failed, "reason": null or {kind, message, node}, "response": null or {text, citations, evidence, budget_used {latency_ms, cost_usd}, trace_id}, "caveats", "budget_used", "trace_id", "trace"}; with "cached": true, which is not signed, where an answer is given again (cache_ttl_s of answer_config()); where a step waits for the application, unsigned, {"plan_id", "trace_id", "pending": [{node, tool, args}], "expires_at"}. What finished steps wrote stays when a later step fails; the budget is locked to the end of the transaction. Errors: 22004 for NULL, 22023 for a malformed request, a plan that is not valid, or a request_id of another request, P0002 for an unknown ref, 55000 within a tool''s call, for a tool with an external cost, for a request that is being executed, without a usable signing key, and where a tool deleted the row of the plan in answer.plan_run, 42501 without the privilege, for a tenant that the role was not granted, and for a request_id that another role has used, 40001 where others changed the budget under REPEATABLE READ, 23001 for a request whose answer was forgotten, 55000 for one whose answer was detached with its partition, 54000 for a request of more than 16777216 bytes, or a plan that takes with its tools and vars more than 8388608 bytes of a document, 25006 in a read-only transaction.';

CREATE PROCEDURE @extschema@.answer_plan_run(request jsonb, INOUT result jsonb DEFAULT NULL)
AS 'MODULE_PATHNAME', 'answer_eval_plan_run'
LANGUAGE C;
COMMENT ON PROCEDURE @extschema@.answer_plan_run(jsonb, jsonb) IS
'Executes a plan as answer_plan_execute() does, and commits when the budget is reserved, after each step, and at the end: no lock is held while a tool runs, and a crash loses no finished step. What a crash leaves, answer_plan_recover() ends. Arguments: the request, as there; result, given as NULL. Result: as there. Errors: as there, and 25001 within a transaction block or a function.';

CREATE FUNCTION @extschema@.answer_plan_resume(trace_id text, results jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_resume'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_plan_resume(text, jsonb) IS
'Goes on with a plan that waits for the application, in the caller''s transaction. Arguments: trace_id, as it was returned; results, {node: {"result": what the tool would have returned (of a map an array, one a call), "by": who answered, a text that is not empty, "latency_ms": how long that took, which may be left out}} of the nodes that are pending. The result is checked as a tool''s is; what rests on it is reported by the role that goes on. Result: as of answer_plan_execute(). Errors: P0002 for an unknown trace, 22004 for NULL, 22023 for malformed results, 55000 for a step that is answered already or waited too long, 42501 for another role than the one that started the plan, XX001 if what is stored of the plan is not what was kept, 55P03 where others hold the budget and lock_timeout passed, and as of answer_plan_execute().';

CREATE PROCEDURE @extschema@.answer_plan_resume(trace_id text, results jsonb, INOUT result jsonb)
AS 'MODULE_PATHNAME', 'answer_eval_plan_resume_run'
LANGUAGE C;
COMMENT ON PROCEDURE @extschema@.answer_plan_resume(text, jsonb, jsonb) IS
'Goes on with a plan that waits for the application, and commits as answer_plan_run() does. Arguments: as of the function, and result, given as NULL. Result: as there. Errors: as there, and 25001 within a transaction block or a function.';

CREATE FUNCTION @extschema@.answer_plan_recover() RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_plan_recover'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_plan_recover() IS
'Ends the plans that nobody executes any more, because their session ended or they waited longer than answer_eval.pending_expiry for an answer: charges the step that was in flight in full, lets the rest of the reservation go, adds an event "recovered" to the trace, and mints the document with verdict failed. Plans that a session executes are left alone; it warns of a plan whose rows were changed, and leaves it alone, too. It also deletes settled reservations of months that are over, and measured calls that no prediction goes by. Call it from a scheduler. Result: how many there were; 0 when called again. Those of all tenants for the operator, else of the caller''s. Errors: 55000 without a usable signing key, 42501 without the privilege or a tenant, 25006 in a read-only transaction.';

/* traces */

-- Has a role what another one's plan left behind?  Steps ran with the rights of who started it, and events have what
-- tools said to that role.
CREATE FUNCTION answer.trace_readable(tenants text[], reader oid, role text) RETURNS boolean
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	-- more than one tenant: the operator, or an auditor
	SELECT cardinality(tenants) > 1
		OR EXISTS (SELECT FROM pg_roles o WHERE o.rolname = role::name AND pg_has_role(reader, o.oid, 'USAGE'))
		OR has_table_privilege(reader, 'answer.plan_event'::regclass, 'SELECT')
		OR COALESCE(has_table_privilege(reader, to_regclass('answer.tenant_plan_event'), 'SELECT'), false);
END;
COMMENT ON FUNCTION answer.trace_readable(text[], oid, text) IS
'Whether a role may read the events of a plan; not for direct use. Arguments: whose rows may be read at all; the role that reads; name of the role that started the plan. Result: true for that role and those that have its rights, for whoever may read all events in answer.plan_event or answer.tenant_plan_event, and for the operator and auditors.';

CREATE FUNCTION answer.trace_of(tenants text[], reader oid, id text, after_seq integer, sig_text boolean) RETURNS SETOF jsonb
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 10
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT CASE WHEN sig_text THEN jsonb_set(e.event, '{sig}', to_jsonb('ed25519:' || (e.event #>> '{sig,sig}'))) ELSE e.event END
	FROM answer.plan_event e
	WHERE e.tenant = ANY (tenants) AND e.seq > COALESCE(after_seq, 0)
	AND (e.tenant, e.trace_id) = (
		SELECT f.tenant, f.trace_id
		FROM ((SELECT 1 AS place, r.tenant, r.trace_id, r.started_at FROM answer.plan_run r
				WHERE r.tenant = ANY (tenants) AND r.trace_id = id AND answer.trace_readable(tenants, reader, r.role)
				ORDER BY r.started_at DESC LIMIT 1)
			UNION ALL
			-- from the newest on, of each tenant, by the index: a plan may have been executed very often
			SELECT 2, n.tenant, n.trace_id, n.started_at
			FROM unnest(tenants) AS t (name)
			CROSS JOIN LATERAL (SELECT r.tenant, r.trace_id, r.started_at FROM answer.plan_run r
				WHERE r.tenant = t.name AND r.plan_id = id AND answer.trace_readable(tenants, reader, r.role)
				ORDER BY r.started_at DESC, r.trace_id DESC LIMIT 1) AS n) AS f
		ORDER BY f.place, f.started_at DESC, f.trace_id DESC LIMIT 1)
	ORDER BY e.seq;
END;
COMMENT ON FUNCTION answer.trace_of(text[], oid, text, integer, boolean) IS
'The events of a trace for answer_trace(), with the rights that it has found; not for direct use. Arguments: whose rows may be read; the role that reads; then as there. Result: as there.';

CREATE FUNCTION @extschema@.answer_trace(id text, after_seq integer DEFAULT NULL, sig_text boolean DEFAULT false) RETURNS SETOF jsonb
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 10;
COMMENT ON FUNCTION @extschema@.answer_trace(text, integer, boolean) IS
'The events of a trace, in their order, one JSON object each: so COPY writes them as NDJSON. Arguments: id, a trace_id, or a plan_id for the newest trace of that plan; after_seq, the last event that is known already (NULL: none), so that reading can go on where it stopped; sig_text, true for signatures as a text "ed25519:..." in place of the object that names the key. Result: {"type", "plan_id", "trace_id", "seq", "step", "op", "tool", "attempt", "outcome", "reason", "ts_start", "ts_end", "inputs_hash", "outputs_hash", "cost_usd", "latency_ms", "tokens_in", "tokens_out", "citations", "by", "prev", "sig"}; no row where there is no such trace that the caller may read: his own, those of roles whose rights he has, and all for whoever may read answer.plan_event or answer.tenant_plan_event. Errors: 42501 without the privilege or without a tenant.';

CREATE FUNCTION @extschema@.answer_trace_verify(trace_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_trace_verify'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION @extschema@.answer_trace_verify(text) IS
'Whether a trace is whole and unchanged: numbers without a gap, each event chained to the one before by its digest, each signed by a key of the registry in its life, and the last one that which the plan''s document names. Argument: trace_id. Result: {"ok", "events": how many, "last_event": its digest, "receipt_id": the document or null, "problems": [{"seq", "reason"}]}, and of a plan that waits for the application {"pending": [{"node", "tool"}], "expires_at"}. Errors: P0002 for an unknown trace, or one that the caller may not read, 23001 for one that was forgotten with the document of its plan, 42501 without the privilege or a tenant.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_plan_execute(jsonb),
	@extschema@.answer_plan_resume(text, jsonb),
	@extschema@.answer_plan_recover(),
	answer.trace_readable(text[], oid, text),
	answer.trace_of(text[], oid, text, integer, boolean),
	@extschema@.answer_trace(text, integer, boolean),
	@extschema@.answer_trace_verify(text)
FROM PUBLIC;
REVOKE ALL ON PROCEDURE
	@extschema@.answer_plan_run(jsonb, jsonb),
	@extschema@.answer_plan_resume(text, jsonb, jsonb)
FROM PUBLIC;
