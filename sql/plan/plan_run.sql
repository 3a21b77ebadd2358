
/* plan: executing and resuming plans, recovery after a crash, reading traces */

-- No parallel query, because it writes; without the privilege to write, it cannot execute.
CREATE FUNCTION @extschema@.answer_plan_execute(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_execute'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_plan_execute(jsonb) IS
'Executes a plan in the caller''s transaction, and signs the result. See doc/reference.md#answer_plan_execute.';

CREATE PROCEDURE @extschema@.answer_plan_run(request jsonb, INOUT result jsonb DEFAULT NULL)
AS 'MODULE_PATHNAME', 'answer_eval_plan_run'
LANGUAGE C;
COMMENT ON PROCEDURE @extschema@.answer_plan_run(jsonb, jsonb) IS
'Executes a plan as answer_plan_execute() does, and commits after reserving the budget, after each step, and at the end, so that no lock is held while a tool runs, and a crash loses no finished step. See doc/reference.md#answer_plan_run.';

CREATE FUNCTION @extschema@.answer_plan_resume(trace_id text, results jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_resume'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_plan_resume(text, jsonb) IS
'Resumes a plan that waits for the application, in the caller''s transaction. See doc/reference.md#answer_plan_resume.';

CREATE PROCEDURE @extschema@.answer_plan_resume(trace_id text, results jsonb, INOUT result jsonb)
AS 'MODULE_PATHNAME', 'answer_eval_plan_resume_run'
LANGUAGE C;
COMMENT ON PROCEDURE @extschema@.answer_plan_resume(text, jsonb, jsonb) IS
'Resumes a plan that waits for the application, and commits as answer_plan_run() does. See doc/reference.md#answer_plan_resume.';

CREATE FUNCTION @extschema@.answer_plan_recover() RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_plan_recover'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_plan_recover() IS
'Ends plans that nobody executes any more, because their session ended or they waited longer than answer_eval.pending_expiry for an answer. See doc/reference.md#answer_plan_recover.';

/* traces */

-- Whether a role may read what another role's plan left behind: steps ran with the privileges of the role that
-- started it, and events contain what tools returned to that role.
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
'Returns whether a role may read the events of a plan; not for direct use.';

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
			-- from the newest one, for each tenant, by the index: a plan may have been executed very often
			SELECT 2, n.tenant, n.trace_id, n.started_at
			FROM unnest(tenants) AS t (name)
			CROSS JOIN LATERAL (SELECT r.tenant, r.trace_id, r.started_at FROM answer.plan_run r
				WHERE r.tenant = t.name AND r.plan_id = id AND answer.trace_readable(tenants, reader, r.role)
				ORDER BY r.started_at DESC, r.trace_id DESC LIMIT 1) AS n) AS f
		ORDER BY f.place, f.started_at DESC, f.trace_id DESC LIMIT 1)
	ORDER BY e.seq;
END;
COMMENT ON FUNCTION answer.trace_of(text[], oid, text, integer, boolean) IS
'Returns the events of a trace for answer_trace(), with the caller''s privileges as it determined them; not for direct use.';

CREATE FUNCTION @extschema@.answer_trace(id text, after_seq integer DEFAULT NULL, sig_text boolean DEFAULT false) RETURNS SETOF jsonb
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 10;
COMMENT ON FUNCTION @extschema@.answer_trace(text, integer, boolean) IS
'Returns the events of a trace in order, as one JSON object per row, so that COPY writes them as NDJSON. See doc/reference.md#answer_trace.';

CREATE FUNCTION @extschema@.answer_trace_verify(trace_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_trace_verify'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION @extschema@.answer_trace_verify(text) IS
'Returns whether a trace is complete and unchanged: numbers without gaps, each event chained to the one before by its digest and signed by a key of the registry in its life, and the last one the one that the plan''s document names. See doc/reference.md#answer_trace_verify.';

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
