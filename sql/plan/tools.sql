
/* plan: tools with a spec, registered plans; doc/spec/plan.md §6 */

CREATE TABLE answer.plan
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	plan_id			text COLLATE "C" NOT NULL CHECK (plan_id OPERATOR(pg_catalog.<>) ''),
	version			integer NOT NULL CHECK (version OPERATOR(pg_catalog.>) 0),
	digest			text COLLATE "C" NOT NULL CHECK (digest OPERATOR(pg_catalog.~) '^sha256:[0-9a-f]{64}$'),
	plan			jsonb NOT NULL,
	registered_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	seed			boolean NOT NULL DEFAULT false,
	registered_by	text,
	PRIMARY KEY (tenant, plan_id, version),
	CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed)
);
COMMENT ON TABLE answer.plan IS 'Registered plans in their versions, append-only: a request names one by its plan_id, and gets the newest, or by the digest of a version.';
COMMENT ON COLUMN answer.plan.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.plan.plan_id IS 'The plan_id in the plan.';
COMMENT ON COLUMN answer.plan.version IS 'The number of the version among those of this plan_id, from 1 on; the highest is the newest.';
COMMENT ON COLUMN answer.plan.digest IS 'answer_digest(plan).';
COMMENT ON COLUMN answer.plan.plan IS 'The plan, its numbers portable. It was valid for the tools that were registered then.';
COMMENT ON COLUMN answer.plan.registered_at IS 'When it was registered, by the server''s clock. Nothing signs it.';
COMMENT ON COLUMN answer.plan.registered_by IS 'The role that registered it, whose word its literals are. NULL: registered before that was kept.';
COMMENT ON COLUMN answer.plan.seed IS 'Whether it comes with the extension. None does yet.';
CREATE INDEX plan_digest ON answer.plan (tenant, digest);
CREATE TRIGGER plan_append_only BEFORE UPDATE OR DELETE ON answer.plan
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER plan_no_truncate BEFORE TRUNCATE ON answer.plan
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
REVOKE ALL ON answer.plan FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.plan', 'WHERE NOT seed');

CREATE FUNCTION answer.tool_spec_read(name text, spec jsonb, has_handler boolean,
	OUT required_args text[], OUT optional_args text[], OUT has_side_effects boolean, OUT is_external boolean)
RETURNS record
AS 'MODULE_PATHNAME', 'answer_eval_tool_spec_read'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.tool_spec_read(text, jsonb, boolean) IS
'Checks the spec of a tool for answer_tool_register(); not for direct use. Arguments: the tool''s name; its spec; whether it has a handler. Result: the names of io.input that are required and the others, NULL where it declares no input; whether it has side effects; whether it is external. Errors: 22023 for a spec that is none, and for a handler of an external tool, or a tool that is not external without one; 54000 for more than 1048576 bytes.';

CREATE FUNCTION answer.tool_spec_apply(name text, spec jsonb, args jsonb, result jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_spec_apply'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.tool_spec_apply(text, jsonb, jsonb, jsonb) IS
'What a spec makes of a call, with nothing called; not for direct use. Arguments: the tool''s name; its spec; the arguments; what the tool gave (NULL: nothing yet). Result: {outcome: ok, invalid, denied or failed; args, completed; tokens_in; reason; result, without _usage; tokens_out}. Errors: 22004 for a NULL name, spec or args, 22023 for a spec that is none, 54000 for a spec of more than 1048576 bytes or another argument of more than 134217728, 54001 for one nested too deeply.';

CREATE FUNCTION @extschema@.answer_tool_spec(name text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_spec'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 200;
COMMENT ON FUNCTION @extschema@.answer_tool_spec(text) IS
'The spec of a tool, as it was registered. Argument: the name of a tool of the caller''s tenant (answer_tenant()), or of a shared one. Result: a ToolSpec; NULL for a tool that has none, which plans cannot call. Errors: P0002 for an unknown tool, 42501 without the privilege or without a tenant.';

CREATE FUNCTION @extschema@.answer_tool_invoke(name text, args jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_invoke'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_tool_invoke(text, jsonb) IS
'Calls one tool alone, as a plan calls it: with all that its spec demands, the caller''s rights (a tenant''s tool: those of the role that registered it), and within 6 seconds. No budget is charged. What the call took is kept for predictions (answer.tool_call), unless a tool makes it or the transaction is read-only or serializable. Arguments: the name of a tool that has a spec; args, an object. Result: {result: what the tool gave, without _usage, null unless the outcome is ok; cost_usd, as declared, 0 if it was not called; latency_ms, what it took, at least latency_p50_ms where fewer than 30 calls of the tenant were measured within the last 7 days, 0 if it was not called; outcome: ok; failed, where the tool raised, was late, gave nothing or what its spec does not declare; or, before any call, invalid for arguments that are not as declared or longer than input_tokens_max, denied for a word of deny_if, rate_limited; and unless it is ok, sqlstate and reason}. What a failed call wrote is undone. Errors: P0002 for an unknown tool, 55000 for one without a spec or an external one, and within the call of another tool for one with side effects, 22023 for args that are no object, 54000 for more than 134217728 bytes, 42501 without the privilege or without a tenant.';

CREATE FUNCTION answer.plan_tools(tenant text, plan jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	nodes jsonb := CASE jsonb_typeof(plan -> 'nodes') WHEN 'array' THEN plan -> 'nodes' ELSE '[]' END;
	named text[] := (SELECT array_agg(DISTINCT n ->> 'tool') FROM jsonb_array_elements(nodes) AS n) || '{ground.verify,mesh.mem}'::text[];
	capable text[] := (SELECT array_agg(DISTINCT n ->> 'capability') FROM jsonb_array_elements(nodes) AS n
		WHERE n ? 'capability');
BEGIN
	RETURN (SELECT COALESCE(jsonb_object_agg(t.tool, t.spec), '{}') FROM answer.tool t
		WHERE t.spec IS NOT NULL AND (t.tool = ANY (named) OR t.spec -> 'capabilities' ?| capable)
		-- should a shared tool have come to have the name of a tenant's own, it is the one
		AND (t.tenant = '' OR (t.tenant = plan_tools.tenant
			AND NOT EXISTS (SELECT FROM answer.tool s WHERE s.tenant = '' AND s.tool = t.tool))));
END
$$;
COMMENT ON FUNCTION answer.plan_tools(text, jsonb) IS
'The tools that a plan names, by name or by capability, and those that an op takes without being told; not for direct use. Arguments: the tenant, whose tools and shared ones are looked at; the plan. Result: {name: ToolSpec}. Errors: none.';

CREATE FUNCTION @extschema@.answer_plan_validate(plan jsonb, OUT node text, OUT problem text) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'answer_eval_plan_validate'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 5;
COMMENT ON FUNCTION @extschema@.answer_plan_validate(jsonb) IS
'What is wrong with a plan, for the tools of the caller''s tenant (answer_tenant()) and shared ones. Argument: the plan. Result: rows of node (its id; NULL where it is about the plan) and problem, a sentence, in the order of the plan, at most 1000; none if it is valid. Errors: 22004 for NULL, 54000 for more than 16777216 bytes, 54001 for arguments nested too deeply, 42501 without the privilege or without a tenant.';

CREATE FUNCTION answer.plan_put(tenant text, plan_id text, digest text, plan jsonb, registered_by text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	newest answer.plan;
BEGIN
	-- whoever asks learns no more than that a shared plan has the id; a tenant's own says nothing to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.plan p WHERE p.tenant = '' AND p.plan_id = plan_put.plan_id) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the id "%s" is taken by a shared plan', plan_id);
	END IF;
	LOOP
		SELECT p.* INTO newest FROM answer.plan p WHERE p.tenant = plan_put.tenant AND p.plan_id = plan_put.plan_id
		ORDER BY p.version DESC LIMIT 1;
		EXIT WHEN newest.digest = digest;
		IF newest.seed THEN
			RAISE EXCEPTION USING errcode = '22023', message = format('plan "%s" comes with answer_eval and cannot be changed', plan_id);
		END IF;
		-- another session can have registered a version meanwhile: that one is waited for, and looked at
		INSERT INTO answer.plan (tenant, plan_id, version, digest, plan, registered_by)
		VALUES (tenant, plan_id, COALESCE(newest.version, 0) + 1, digest, plan, registered_by)
		ON CONFLICT ON CONSTRAINT plan_pkey DO NOTHING;
		EXIT WHEN FOUND;
	END LOOP;
	PERFORM answer.change_record_put(tenant, 'plan', plan_id);
END
$$;
COMMENT ON FUNCTION answer.plan_put(text, text, text, jsonb, text) IS
'Stores a version of a plan for answer_plan_register(), as the owner of the tables; not for direct use. Arguments: the tenant; the plan''s plan_id and digest; the plan, which is valid; the role that registers it. Errors: as there.';

CREATE FUNCTION @extschema@.answer_plan_register(plan jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_plan_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_plan_register(jsonb) IS
'Registers a plan of the caller''s tenant (answer_tenant()), or a shared one of the operator''s, and signs a record of that (change/v1). A request names it by its plan_id, which means the newest version, or by the digest of a version. Argument: the plan, whose numbers become portable. Result: its digest. Another plan of that plan_id becomes its next version; the newest one again changes nothing. Errors: 22004 for NULL, 22023 for a plan that is not valid now, 23505 for a tenant that takes the id of a shared plan, 54000 for a plan of more than 16777216 bytes or a canonical form of more than 4194304, 54001 for arguments nested too deeply, 55000 without a usable signing key, 25006 in a read-only transaction, 42501 without the privilege or without a tenant.';

CREATE FUNCTION @extschema@.answer_plan_explain(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_explain'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 2000;
COMMENT ON FUNCTION @extschema@.answer_plan_explain(jsonb) IS
'How a plan would be executed now, under the caps of the tenant. Nothing is called, charged or stored. Argument: the request, {plan: a plan, or {"ref": a plan_id or the digest of a registered plan}, vars: an object, budgets {latency_budget_ms, cost_cap_usd}, intent, tenant, request_id, judgements, basis: declared}, of which only plan must be there. Result: {order: ids of the nodes in the order of execution, both sides of a branch among them; predicted {latency_ms, cost_usd}, after degradation; basis: measured, where each tool has at least 30 calls of the tenant within the last 7 days, else declared; measured {tool: {p50_ms, calls}}, of the tools that have; degradation [{step, k}], where step is k, depth, summary or refused, the last one if the plan does not fit; bindings {name: ids of the nodes that bind it}; limits {latency_ms, cost_usd}, what the prediction is held against, null for nothing; conditions {node: {if, and where it reads nothing but $INPUT also bindings, holds and reason}}; cached: true, where the same answer would be given again, which costs nothing}. Memory is in view: the step summary is there if an answer that is remembered fits. Errors: 22023 for a request or a plan that is not valid, P0002 for an unknown ref, 54000 for a request of more than 16777216 bytes, or a plan that is too large to be executed, 54001 for arguments nested too deeply, 42501 without the privilege, for a tenant that the role may not work for, and for judgements of a judge whose role it does not have.';

REVOKE ALL ON FUNCTION
	answer.tool_spec_read(text, jsonb, boolean),
	answer.tool_spec_apply(text, jsonb, jsonb, jsonb),
	@extschema@.answer_tool_spec(text),
	@extschema@.answer_tool_invoke(text, jsonb),
	answer.plan_tools(text, jsonb),
	@extschema@.answer_plan_validate(jsonb),
	answer.plan_put(text, text, text, jsonb, text),
	@extschema@.answer_plan_register(jsonb),
	@extschema@.answer_plan_explain(jsonb)
FROM PUBLIC;
