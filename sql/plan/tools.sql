
/* plan: tools with a spec, registered plans; doc/spec/plan.md section 6 */

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
COMMENT ON TABLE answer.plan IS 'Versions of registered plans, one per row, append-only; a request names a plan by its plan_id, which means the newest version, or by the digest of a version. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.plan_id IS 'The plan_id in the plan. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.version IS 'Number of the version among those of this plan_id, from 1; the highest is the newest. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.digest IS 'answer_digest(plan). See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.plan IS 'The plan, with portable numbers. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.registered_at IS 'When it was registered, by the server''s clock. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.registered_by IS 'The role that registered it, to which its literals are attributed. See doc/tables.md#answerplan.';
COMMENT ON COLUMN answer.plan.seed IS 'Whether it came with the extension. See doc/tables.md#answerplan.';
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
'Checks the spec of a tool for answer_tool_register(); not for direct use.';

CREATE FUNCTION answer.tool_spec_apply(name text, spec jsonb, args jsonb, result jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_spec_apply'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.tool_spec_apply(text, jsonb, jsonb, jsonb) IS
'Returns what a spec makes of a call, without calling anything; not for direct use.';

CREATE FUNCTION @extschema@.answer_tool_spec(name text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_spec'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 200;
COMMENT ON FUNCTION @extschema@.answer_tool_spec(text) IS
'Returns the spec of a tool, as it was registered. See doc/reference.md#answer_tool_spec.';

CREATE FUNCTION @extschema@.answer_tool_invoke(name text, args jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_tool_invoke'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_tool_invoke(text, jsonb) IS
'Calls one tool as a plan calls it: with everything that its spec demands, with the caller''s privileges (a tenant''s tool: with those of the role that registered it), and within 6 seconds. See doc/reference.md#answer_tool_invoke.';

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
		-- if a shared tool ever gets the name of a tenant's own, the shared one is meant
		AND (t.tenant = '' OR (t.tenant = plan_tools.tenant
			AND NOT EXISTS (SELECT FROM answer.tool s WHERE s.tenant = '' AND s.tool = t.tool))));
END
$$;
COMMENT ON FUNCTION answer.plan_tools(text, jsonb) IS
'Returns the tools that a plan names, by name or by capability, and those that an op uses implicitly; not for direct use.';

CREATE FUNCTION @extschema@.answer_plan_validate(plan jsonb, OUT node text, OUT problem text) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'answer_eval_plan_validate'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 1000 ROWS 5;
COMMENT ON FUNCTION @extschema@.answer_plan_validate(jsonb) IS
'Returns what is wrong with a plan, for the tools of the caller''s tenant (answer_tenant()) and shared ones. See doc/reference.md#answer_plan_validate.';

CREATE FUNCTION answer.plan_put(tenant text, plan_id text, digest text, plan jsonb, registered_by text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	newest answer.plan;
BEGIN
	-- the caller learns only that a shared plan has the id; a tenant's own plans are not revealed to others
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
		-- another session may have registered a version meanwhile: wait for it, and read it
		INSERT INTO answer.plan (tenant, plan_id, version, digest, plan, registered_by)
		VALUES (tenant, plan_id, COALESCE(newest.version, 0) + 1, digest, plan, registered_by)
		ON CONFLICT ON CONSTRAINT plan_pkey DO NOTHING;
		EXIT WHEN FOUND;
	END LOOP;
	PERFORM answer.change_record_put(tenant, 'plan', plan_id);
END
$$;
COMMENT ON FUNCTION answer.plan_put(text, text, text, jsonb, text) IS
'Stores a version of a plan for answer_plan_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_plan_register(plan jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_plan_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_plan_register(jsonb) IS
'Registers a plan of the caller''s tenant (answer_tenant()), or a shared one of the operator, and signs a record of that (change/v1). See doc/reference.md#answer_plan_register.';

CREATE FUNCTION @extschema@.answer_plan_explain(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_explain'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 2000;
COMMENT ON FUNCTION @extschema@.answer_plan_explain(jsonb) IS
'Returns how a plan would be executed now, under the tenant''s caps. See doc/reference.md#answer_plan_explain.';

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
