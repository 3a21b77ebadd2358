
/* evidence: sources, tools, readings, facts */

-- No foreign keys: pg_dump knows no order among an extension's tables, so that
-- a parallel restore would load a tool before its source.  The functions that
-- write check what foreign keys would.

CREATE TABLE answer.source
(
	source				text PRIMARY KEY CHECK (source OPERATOR(pg_catalog.<>) ''),
	independence_group	text CHECK (independence_group OPERATOR(pg_catalog.<>) ''),
	url					text,
	licence				text,
	description			text,
	seed				boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.source IS 'Where evidence comes from. Sources of one independence group never corroborate each other.';
COMMENT ON COLUMN answer.source.independence_group IS 'Sources that share a group count once; NULL: the source is its own group.';
COMMENT ON COLUMN answer.source.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.source.source IS 'Name of the source.';
COMMENT ON COLUMN answer.source.url IS 'Where people find the source. Nothing reads it. NULL: not stated.';
COMMENT ON COLUMN answer.source.licence IS 'Licence of its data, which facts repeat. NULL: not stated.';
COMMENT ON COLUMN answer.source.description IS 'For people. NULL: none.';

CREATE TABLE answer.tool
(
	tool			text NOT NULL CHECK (tool OPERATOR(pg_catalog.<>) ''),
	tenant			text NOT NULL DEFAULT '' CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	handler			text,
	handler_owner	text,
	required_args	text[] NOT NULL DEFAULT '{}',
	optional_args	text[] NOT NULL DEFAULT '{}',
	freshness		interval,
	value_path		text,
	unit			text,
	entity_path		text,
	timestamp_path	text,
	source_path		text,
	source			text,
	basis			text NOT NULL DEFAULT 'live-source' CHECK (basis IN
		('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred')),
	category		text,
	country			text,
	description		text,
	registered_by	text,
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, tool),
	-- a name alone would be anybody's to take
	CHECK ((handler_owner IS NULL) OPERATOR(pg_catalog.=) (handler IS NULL OR seed))
);
COMMENT ON TABLE answer.tool IS 'What evidence can be asked for: SQL functions, and kinds of stored readings.';
COMMENT ON COLUMN answer.tool.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.tool.handler IS 'Qualified name of a function (jsonb) RETURNS jsonb; NULL: the tool answers with stored readings.';
COMMENT ON COLUMN answer.tool.handler_owner IS 'Who owned the handler when it was registered. A function of another owner is not called until it is registered again.';
COMMENT ON COLUMN answer.tool.registered_by IS 'The role that registered the tool.';
COMMENT ON COLUMN answer.tool.freshness IS 'How long after its timestamp a result without an expiry of its own is fresh.';
COMMENT ON COLUMN answer.tool.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.tool.tool IS 'Name of the tool, by which checks ask for it.';
COMMENT ON COLUMN answer.tool.required_args IS 'Names of the arguments that a call must have.';
COMMENT ON COLUMN answer.tool.optional_args IS 'Names of the arguments that a call may have besides.';
COMMENT ON COLUMN answer.tool.value_path IS 'Path to the primary value in a result. NULL: a result that is a scalar is its own value.';
COMMENT ON COLUMN answer.tool.unit IS 'Unit of the primary value. NULL: not stated.';
COMMENT ON COLUMN answer.tool.entity_path IS 'Path to what the result is about. NULL: none.';
COMMENT ON COLUMN answer.tool.timestamp_path IS 'Path to the instant at which the result was true. NULL: the instant of the call, or of the reading.';
COMMENT ON COLUMN answer.tool.source_path IS 'Path to the name of the source in a result. NULL: the column source applies.';
COMMENT ON COLUMN answer.tool.source IS 'Name of the source of a functions results. NULL: not stated.';
COMMENT ON COLUMN answer.tool.basis IS 'How the results come about: live-source, partner-attested, vendor-doc, forecast, computed or inferred.';
COMMENT ON COLUMN answer.tool.category IS 'Category that facts repeat. NULL: none.';
COMMENT ON COLUMN answer.tool.country IS 'Country that facts repeat. NULL: none.';
COMMENT ON COLUMN answer.tool.description IS 'For people, and for answer_coverage(). NULL: none.';

CREATE TABLE answer.evidence
(
	digest		text NOT NULL,
	tool		text NOT NULL,
	args		jsonb NOT NULL,
	args_digest	text NOT NULL,
	raw			jsonb NOT NULL,
	source		text NOT NULL,
	observed_at	timestamptz NOT NULL CHECK (pg_catalog.isfinite(observed_at)),
	expires		timestamptz CHECK (pg_catalog.isfinite(expires)),
	recorded_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	tenant		text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, digest)
);
COMMENT ON TABLE answer.evidence IS 'Stored readings, addressed by their content: the same reading of a tenant twice is one row.';
COMMENT ON COLUMN answer.evidence.digest IS 'Digest of the reading, its address: "sha256:" and 64 hex digits.';
COMMENT ON COLUMN answer.evidence.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.evidence.tool IS 'Tool that the reading answers.';
COMMENT ON COLUMN answer.evidence.args IS 'Arguments that it answers, a JSON object.';
COMMENT ON COLUMN answer.evidence.args_digest IS 'answer_digest(args).';
COMMENT ON COLUMN answer.evidence.raw IS 'The result as it was read.';
COMMENT ON COLUMN answer.evidence.source IS 'Source that read it.';
COMMENT ON COLUMN answer.evidence.observed_at IS 'When it was true, as the source says.';
COMMENT ON COLUMN answer.evidence.expires IS 'Until when it is fresh. NULL: observed_at and the tools freshness decide.';
COMMENT ON COLUMN answer.evidence.recorded_at IS 'When it was stored here, by the servers clock. Nothing signs it.';
-- no samples for the planner: what answer_forget deletes must be gone from there, too
ALTER TABLE answer.evidence ALTER COLUMN args SET STATISTICS 0, ALTER COLUMN raw SET STATISTICS 0;
CREATE INDEX evidence_newest ON answer.evidence (tenant, tool, args_digest, source, observed_at DESC, digest);

-- Which sources have read what: lets the newest reading of each source be
-- found with one index probe, however long the history.
CREATE TABLE answer.evidence_series
(
	tool		text NOT NULL,
	args_digest	text NOT NULL,
	source		text NOT NULL,
	tenant		text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, tool, args_digest, source)
);
COMMENT ON TABLE answer.evidence_series IS 'The sources that have readings for a tool and its arguments.';
COMMENT ON COLUMN answer.evidence_series.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.evidence_series.tool IS 'Tool that is answered.';
COMMENT ON COLUMN answer.evidence_series.args_digest IS 'answer_digest of the arguments that are answered.';
COMMENT ON COLUMN answer.evidence_series.source IS 'Source that has at least one reading.';

REVOKE ALL ON answer.source, answer.tool, answer.evidence, answer.evidence_series FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.source', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.tool', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence', '');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence_series', '');

CREATE FUNCTION @extschema@.answer_fact_confidence(verification jsonb) RETURNS float8
AS 'MODULE_PATHNAME', 'answer_eval_fact_confidence'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION @extschema@.answer_fact_confidence(jsonb) IS
'Confidence of a fact by fact-conf/1: 0.30 source_present + 0.20 signed + 0.30 fresh + 0.15 corroborated, at most 0.40 in conflict, 0.70 for a forecast or computed basis, 0.50 for an inferred one. Argument: a verification {"signals": {...booleans...}, "basis": ...}; missing signals are false. Result: float8 from 0 to 0.95. Errors: 22023 for a signal that is not boolean, 54000 for more than 16777216 bytes.';

CREATE FUNCTION @extschema@.answer_path_problem(path text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_path_problem'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION @extschema@.answer_path_problem(text) IS
'Tells what is wrong with a dotted path of answer-eval/1 (keys and indices joined by points, 1 to 8 segments, none empty). Result: NULL for a good path. Errors: none.';

CREATE FUNCTION @extschema@.answer_evidence_digest(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz, expires timestamptz)
RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_evidence_digest'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_evidence_digest(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Address of a reading: the digest of the object {tool, args, raw, source, observed_at, expires}, instants in UTC. Only expires may be NULL. Result: text, "sha256:...". Errors: 22004 for another NULL, 22008 for an instant outside the years 1 to 9999, 54000 for an argument of more than 16777216 bytes.';

CREATE FUNCTION @extschema@.answer_source_register_put(source text, independence_group text, url text, licence text, description text)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF source IS NULL OR source = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'source must be a non-empty name';
	END IF;
	INSERT INTO answer.source AS s (source, independence_group, url, licence, description)
	VALUES (source, NULLIF(independence_group, ''), url, licence, description)
	ON CONFLICT ON CONSTRAINT source_pkey DO UPDATE
	SET independence_group = excluded.independence_group, url = excluded.url,
		licence = excluded.licence, description = excluded.description
	WHERE NOT s.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('source "%s" comes with answer_eval and cannot be changed', source);
	END IF;
	PERFORM @extschema@.answer_change_record_put('', 'source', source);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_source_register_put(text, text, text, text, text) IS
'Writes a source for answer_source_register(), as the owner of the tables; not for direct use. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_source_register(source text, independence_group text DEFAULT NULL, url text DEFAULT NULL, licence text DEFAULT NULL, description text DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_source_register(text, text, text, text, text) IS
'Registers a source of evidence, or changes it. Arguments: its name; independence_group, shared by sources that must not corroborate each other (NULL: its own); url, licence and description, which facts quote. Result: none. Errors: 22023 for an empty name or a source that comes with the extension, 42501 without the privilege, and for a tenant, for sources are shared.';

CREATE FUNCTION @extschema@.answer_tool_put
(
	registered_by	text,
	tenant			text,
	name			text,
	handler			regprocedure,
	required_args	text[],
	freshness		interval,
	value_path		text,
	unit			text,
	entity_path		text,
	timestamp_path	text,
	source_path		text,
	basis			text,
	description		text,
	source			text,
	optional_args	text[],
	category		text,
	country			text
)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	handler_name text;
	handler_owner text;
	path text;
	problem text;
BEGIN
	IF name IS NULL OR name = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'tool must have a non-empty name';
	END IF;
	IF handler IS NOT NULL THEN
		SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO handler_name, handler_owner
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
		WHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset
		AND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype
		-- whose name another session's could take over
		AND NOT starts_with(n.nspname, 'pg_temp_');
		IF NOT FOUND THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('handler %s of tool "%s" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);
		END IF;
	END IF;
	FOREACH path IN ARRAY ARRAY[value_path, entity_path, timestamp_path, source_path] LOOP
		problem := @extschema@.answer_path_problem(path);
		IF problem IS NOT NULL THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('path "%s" of tool "%s" %s', path, name, problem);
		END IF;
	END LOOP;
	-- a month has no fixed length, and freshness must not depend on a calendar
	IF extract(year FROM freshness) <> 0 OR extract(month FROM freshness) <> 0
		OR extract(epoch FROM freshness) NOT BETWEEN 0 AND 3650000 * 86400.0 THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('freshness of tool "%s" must be from 0 to 3650000 days, without months', name);
	END IF;
	IF source IS NOT NULL AND NOT EXISTS (SELECT FROM answer.source s WHERE s.source = answer_tool_put.source) THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('source "%s" of tool "%s" is not registered', source, name),
			hint = 'Register it with answer_source_register().';
	END IF;
	IF array_position(required_args || optional_args, NULL) IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('arguments of tool "%s" must have names', name);
	END IF;
	IF basis IS NULL OR basis NOT IN ('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred') THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('basis of tool "%s" must be live-source, partner-attested, vendor-doc, forecast, computed or inferred', name);
	END IF;
	-- whoever asks learns no more than that a shared tool has the name; a tenant's own says nothing to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = name) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared tool', name);
	END IF;
	-- bytes that no manifest could tell of would keep everybody from being told
	PERFORM @extschema@.answer_canonical(jsonb_build_array(name, description, required_args, optional_args));
	INSERT INTO answer.tool AS t (tenant, tool, handler, handler_owner, registered_by, required_args, optional_args, freshness, value_path, unit,
		entity_path, timestamp_path, source_path, source, basis, category, country, description)
	VALUES (tenant, name, handler_name, handler_owner, registered_by, COALESCE(required_args, '{}'), COALESCE(optional_args, '{}'), freshness,
		value_path, unit, entity_path, timestamp_path, source_path, source, basis, category, country, description)
	ON CONFLICT ON CONSTRAINT tool_pkey DO UPDATE
	SET handler = excluded.handler, handler_owner = excluded.handler_owner,
		registered_by = excluded.registered_by, required_args = excluded.required_args,
		optional_args = excluded.optional_args, freshness = excluded.freshness,
		value_path = excluded.value_path, unit = excluded.unit, entity_path = excluded.entity_path,
		timestamp_path = excluded.timestamp_path, source_path = excluded.source_path,
		source = excluded.source, basis = excluded.basis, category = excluded.category,
		country = excluded.country, description = excluded.description
	WHERE NOT t.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" comes with answer_eval and cannot be changed', name);
	END IF;
	PERFORM @extschema@.answer_change_record_put(tenant, 'tool', name);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_put(text, text, text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text) IS
'Writes a tool for answer_tool_register(), as the owner of the tables; not for direct use. Arguments: the role that registers, its tenant, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_tool_register
(
	name			text,
	handler			regprocedure DEFAULT NULL,
	required_args	text[] DEFAULT '{}',
	freshness		interval DEFAULT NULL,
	value_path		text DEFAULT NULL,
	unit			text DEFAULT NULL,
	entity_path		text DEFAULT NULL,
	timestamp_path	text DEFAULT NULL,
	source_path		text DEFAULT NULL,
	basis			text DEFAULT 'live-source',
	description		text DEFAULT NULL,
	source			text DEFAULT NULL,
	optional_args	text[] DEFAULT '{}',
	category		text DEFAULT NULL,
	country			text DEFAULT NULL
)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_tool_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tool_register(text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text) IS
'Registers a tool, or changes it. Arguments: its name; handler, a function (jsonb) RETURNS jsonb, and no temporary one, that is called with the caller''s rights, for as long as the role that owns it now does (NULL: the tool answers with stored readings); required_args and optional_args, the only arguments it takes; freshness, how long a result is fresh; value_path, entity_path, timestamp_path and source_path, dotted paths into the raw result; unit, category, country, description; basis, one of live-source, partner-attested, vendor-doc, forecast, computed, inferred; source, whose results a handler returns. Result: none. Errors: 22023 for a bad argument or a tool that comes with the extension, 22021 for a text that is not valid UTF-8, 42501 without the privilege. A tenant''s tool is its own: only it sees it, and its handler runs with the rights of the role that registers it, in a security-restricted operation. Further errors then: 23505 for the name of a shared tool, 42501 for the operator with a tenant set.';

CREATE FUNCTION @extschema@.answer_evidence_add_put(tenant text, tool text, args jsonb, raw jsonb, source text, observed_at timestamptz, expires timestamptz)
RETURNS text
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	registered answer.tool;
	portable_args jsonb := @extschema@.answer_portable(COALESCE(args, '{}'));
	portable_raw jsonb := @extschema@.answer_portable(raw);
	args_digest text := @extschema@.answer_digest(portable_args);
	digest text;
	argument text;
BEGIN
	IF raw IS NULL OR source IS NULL OR observed_at IS NULL OR tool IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tool, raw, source and observed_at must not be null';
	END IF;
	-- should a shared tool have come to have the name of a tenant's own, it is the one
	SELECT t.* INTO registered FROM answer.tool t
	WHERE t.tenant IN (answer_evidence_add_put.tenant, '') AND t.tool = answer_evidence_add_put.tool
	ORDER BY t.tenant LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown tool "%s"', tool),
			hint = 'Tools are registered with answer_tool_register().';
	END IF;
	IF registered.handler IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" is a function and takes no stored readings', tool);
	END IF;
	IF NOT EXISTS (SELECT FROM answer.source s WHERE s.source = answer_evidence_add_put.source) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown source "%s"', source),
			hint = 'Sources are registered with answer_source_register().';
	END IF;
	IF jsonb_typeof(portable_args) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'args must be an object';
	END IF;
	FOREACH argument IN ARRAY registered.required_args LOOP
		IF COALESCE(jsonb_typeof(portable_args -> argument), 'null') = 'null' THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('tool "%s": required argument "%s" is missing', tool, argument);
		END IF;
	END LOOP;
	FOR argument IN SELECT jsonb_object_keys(portable_args) LOOP
		IF argument <> ALL (registered.required_args || registered.optional_args) THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('tool "%s" declares no argument "%s"', tool, argument);
		END IF;
	END LOOP;

	digest := @extschema@.answer_evidence_digest(tool, portable_args, portable_raw, source, observed_at, expires);
	PERFORM @extschema@.answer_refuse_forgotten(tenant, digest);
	INSERT INTO answer.evidence (tenant, digest, tool, args, args_digest, raw, source, observed_at, expires)
	VALUES (tenant, digest, tool, portable_args, args_digest, portable_raw, source, observed_at, expires)
	ON CONFLICT DO NOTHING;
	INSERT INTO answer.evidence_series (tenant, tool, args_digest, source)
	VALUES (tenant, tool, args_digest, source)
	ON CONFLICT DO NOTHING;
	RETURN digest;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_evidence_add_put(text, text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Writes a reading for answer_evidence_add(), as the owner of the tables; not for direct use. Arguments: the tenant, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_evidence_add(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz DEFAULT clock_timestamp(), expires timestamptz DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Stores a reading for a tool without a handler. Arguments: tool; args, an object with the arguments it answers; raw, the whole result, which paths address; source, a registered one; observed_at; expires, if it has an expiry of its own. Numbers are made portable. Result: the reading''s digest; the same reading again gives the same digest and no second row. Errors: 22023 for an unknown tool, source or argument, 22004 for a NULL, 23001 for a reading that the tenant has forgotten, 42501 without the privilege or without a tenant (answer_tenant()), whose reading it becomes.';

CREATE FUNCTION @extschema@.answer_fact(tool text, args jsonb DEFAULT '{}', evaluated_at timestamptz DEFAULT clock_timestamp())
RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_fact'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_fact(text, jsonb, timestamptz) IS
'Calls a tool, with the caller''s rights and within 6 seconds, and returns its result as an attested fact (fact/v1) with its confidence by fact-conf/1. Arguments: tool; args, an object; evaluated_at, the instant that freshness is judged at and after which readings are not known yet. Result: the fact, or NULL if the tool has nothing. Errors: 22023 for an unknown tool or argument, 55000 without a signing key, 57014 past the deadline, and whatever the tool raises.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_source_register(text, text, text, text, text),
	@extschema@.answer_source_register_put(text, text, text, text, text),
	@extschema@.answer_tool_put(text, text, text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text),
	@extschema@.answer_tool_register(text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text),
	@extschema@.answer_evidence_add_put(text, text, jsonb, jsonb, text, timestamptz, timestamptz),
	@extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz),
	@extschema@.answer_fact(text, jsonb, timestamptz)
FROM PUBLIC;
