
/* evidence: sources, tools, readings, facts */

-- No foreign keys: pg_dump knows no order among an extension's tables, so a parallel restore could load a tool before
-- its source. The functions that write check what foreign keys would.

CREATE TABLE answer.source
(
	source				text PRIMARY KEY CHECK (source OPERATOR(pg_catalog.<>) ''),
	independence_group	text CHECK (independence_group OPERATOR(pg_catalog.<>) ''),
	url					text,
	licence				text,
	description			text,
	seed				boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.source IS 'Sources of evidence, one per row. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.independence_group IS 'Sources that share a group count once; NULL: the source is its own group. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.source IS 'Name of the source. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.url IS 'Where people find the source. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.licence IS 'Licence of its data, which facts quote. See doc/tables.md#answersource.';
COMMENT ON COLUMN answer.source.description IS 'Description, for people. See doc/tables.md#answersource.';

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
	-- reported: a tool that comes with the extension, for what somebody read out of a document
	basis			text NOT NULL DEFAULT 'live-source' CHECK (basis IN
		('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred', 'reported')),
	category		text,
	country			text,
	description		text,
	registered_by	text,
	seed			boolean NOT NULL DEFAULT false,
	-- true or NULL, so that tools recorded before this column existed keep their state
	value_optional	boolean CHECK (value_optional),
	spec			jsonb CHECK (pg_catalog.jsonb_typeof(spec) OPERATOR(pg_catalog.=) 'object'),
	PRIMARY KEY (tenant, tool),
	-- anybody could take over a bare name
	CHECK ((handler_owner IS NULL) OPERATOR(pg_catalog.=) (handler IS NULL OR seed))
);
COMMENT ON TABLE answer.tool IS 'Tools that provide evidence, one per row: SQL functions, and kinds of stored readings. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.handler IS 'Qualified name of a function (jsonb) RETURNS jsonb; NULL: the tool answers with stored readings. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.handler_owner IS 'Owner of the handler when it was registered. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.registered_by IS 'The role that registered the tool. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.freshness IS 'How long a result without its own expiry is fresh, from its timestamp. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.tool IS 'Name of the tool, which checks use. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.required_args IS 'Names of the required arguments. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.optional_args IS 'Names of the optional arguments. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.value_path IS 'Path to the primary value in a result. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.value_optional IS 'Whether a stored reading may lack a value at value_path: true or NULL. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.spec IS 'ToolSpec, which plans need to call the tool. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.unit IS 'Unit of the primary value. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.entity_path IS 'Path to the entity that the result is about. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.timestamp_path IS 'Path to the instant at which the result was true. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.source_path IS 'Path to the name of the source in a result. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.source IS 'Name of the source of a function''s results. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.basis IS 'Where the results come from: live-source, partner-attested, vendor-doc, forecast, computed or inferred; reported for doc.fact. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.category IS 'Category, which facts quote. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.country IS 'Country, which facts quote. See doc/tables.md#answertool.';
COMMENT ON COLUMN answer.tool.description IS 'Description, for people and for answer_coverage(). See doc/tables.md#answertool.';

CREATE TABLE answer.evidence
(
	digest		text COLLATE pg_catalog."C" NOT NULL,
	tool		text NOT NULL,
	args		jsonb NOT NULL,
	args_digest	text COLLATE pg_catalog."C" NOT NULL,
	raw			jsonb NOT NULL,
	source		text NOT NULL,
	observed_at	timestamptz NOT NULL CHECK (pg_catalog.isfinite(observed_at)),
	expires		timestamptz CHECK (pg_catalog.isfinite(expires)),
	recorded_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	tenant		text NOT NULL DEFAULT '',
	mac			bytea,
	PRIMARY KEY (tenant, digest)
);
COMMENT ON TABLE answer.evidence IS 'Stored readings, one per row, addressed by their content: a tenant''s identical readings are one row. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.digest IS 'Digest and address of the reading: "sha256:" and 64 hex digits. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.tool IS 'Tool that the reading belongs to. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.args IS 'Arguments that it answers, a JSON object. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.args_digest IS 'answer_digest(args). See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.raw IS 'The result as it was read. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.source IS 'Source that reported it. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.observed_at IS 'When it was true, according to the source. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.expires IS 'End of its freshness. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.recorded_at IS 'When it was stored here, by the server''s clock. See doc/tables.md#answerevidence.';
COMMENT ON COLUMN answer.evidence.mac IS 'Code (MAC) that only answer_evidence_add() can give to a reading. See doc/tables.md#answerevidence.';
-- no samples for the planner: what answer_forget deletes must not remain there
ALTER TABLE answer.evidence ALTER COLUMN args SET STATISTICS 0, ALTER COLUMN raw SET STATISTICS 0;
-- The arguments come first: they are the most selective, and a request asks several tools about the same arguments.
CREATE INDEX evidence_newest ON answer.evidence (args_digest, tool, tenant, source, observed_at DESC, digest);

-- The sources that have readings for each series. With it, the newest reading of each source is found with one index
-- probe, however long the history.
CREATE TABLE answer.evidence_series
(
	tool		text NOT NULL,
	args_digest	text COLLATE pg_catalog."C" NOT NULL,
	source		text NOT NULL,
	tenant		text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, tool, args_digest, source)
);
COMMENT ON TABLE answer.evidence_series IS 'Sources that have readings for a tool and its arguments, one per row. See doc/tables.md#answerevidence_series.';
COMMENT ON COLUMN answer.evidence_series.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerevidence_series.';
COMMENT ON COLUMN answer.evidence_series.tool IS 'The tool. See doc/tables.md#answerevidence_series.';
COMMENT ON COLUMN answer.evidence_series.args_digest IS 'answer_digest of the arguments. See doc/tables.md#answerevidence_series.';
COMMENT ON COLUMN answer.evidence_series.source IS 'Source that has at least one reading. See doc/tables.md#answerevidence_series.';

REVOKE ALL ON answer.source, answer.tool, answer.evidence, answer.evidence_series FROM PUBLIC;
CREATE TRIGGER tells_of_changes BEFORE INSERT OR UPDATE OR DELETE ON answer.source
FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes();
CREATE TRIGGER tells_of_changes BEFORE INSERT OR UPDATE OR DELETE ON answer.tool
FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes();
SELECT pg_catalog.pg_extension_config_dump('answer.source', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.tool', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence', '');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence_series', '');

CREATE FUNCTION answer.fact_confidence(verification jsonb) RETURNS float8
AS 'MODULE_PATHNAME', 'answer_eval_fact_confidence'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.fact_confidence(jsonb) IS
'Returns the confidence of a fact by fact-conf/1: 0.30 source_present + 0.20 signed + 0.30 fresh + 0.15 corroborated, at most 0.40 in conflict, 0.70 for a forecast or computed basis, 0.50 for an inferred one. See doc/reference.md#answerfact_confidence.';

CREATE FUNCTION answer.path_problem(path text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_path_problem'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.path_problem(text) IS
'Returns what is wrong with a dotted path of answer-eval/1 (keys and indexes joined by dots, 1 to 8 segments, none empty). See doc/reference.md#answerpath_problem.';

CREATE FUNCTION answer.path_value(value jsonb, path text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_path_value'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.path_value(jsonb, text) IS
'Returns the value at a dotted path of answer-eval/1, as the paths of a tool are resolved in a result. See doc/reference.md#answerpath_value.';

CREATE FUNCTION answer.evidence_digest(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz, expires timestamptz)
RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_evidence_digest'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.evidence_digest(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Returns the address of a reading: the digest of the object {tool, args, raw, source, observed_at, expires}, with instants in UTC. See doc/reference.md#answerevidence_digest.';

CREATE FUNCTION answer.refuse_registered(kind text, name text, registered jsonb, wanted jsonb) RETURNS void
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF registered ->> 'seed' = 'true' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('%s "%s" comes with answer_eval and cannot be changed', kind, name);
	END IF;
	RAISE EXCEPTION USING errcode = '23505', message = format('%s "%s" is registered already with other values', kind, name),
		detail = format('The registrations differ in %s.', (SELECT string_agg(w.key, ', ' ORDER BY w.key COLLATE "C") FROM jsonb_each(wanted) AS w
			WHERE w.value IS DISTINCT FROM registered -> w.key AND w.key NOT IN ('registered_by', 'handler_owner', 'grader_owner', 'list_values', 'list_owners', 'enabled'))),
		hint = 'To change it, give all of its registration and ' || CASE kind WHEN 'route' THEN 'the option replace' ELSE 'replace => true' END
			|| CASE WHEN kind IN ('source', 'tool', 'route') THEN format('; to remove it, call answer_%s_remove().', kind) ELSE '.' END;
END
$$;
COMMENT ON FUNCTION answer.refuse_registered(text, text, jsonb, jsonb) IS
'Refuses a registration under a name that is taken; not for direct use.';

CREATE FUNCTION answer.source_register_put(source text, independence_group text, url text, licence text, description text, replace boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	wanted answer.source;
BEGIN
	IF source IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'source must not be null';
	END IF;
	IF source = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'source must be a non-empty name';
	END IF;
	wanted.source := source;
	wanted.independence_group := NULLIF(independence_group, '');
	wanted.url := url;
	wanted.licence := licence;
	wanted.description := description;
	wanted.seed := false;
	INSERT INTO answer.source AS s SELECT wanted.*
	ON CONFLICT ON CONSTRAINT source_pkey DO UPDATE
	SET independence_group = excluded.independence_group, url = excluded.url,
		licence = excluded.licence, description = excluded.description
	WHERE NOT s.seed AND (replace OR to_jsonb(s) = to_jsonb(wanted));
	IF NOT FOUND THEN
		PERFORM answer.refuse_registered('source', source,
			(SELECT to_jsonb(s) FROM answer.source s WHERE s.source = wanted.source), to_jsonb(wanted));
	END IF;
	PERFORM answer.change_record_put('', 'source', source);
END
$$;
COMMENT ON FUNCTION answer.source_register_put(text, text, text, text, text, boolean) IS
'Inserts or changes a source for answer_source_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_source_register(source text, independence_group text DEFAULT NULL, url text DEFAULT NULL, licence text DEFAULT NULL, description text DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_source_register(text, text, text, text, text, boolean) IS
'Registers a source of evidence. See doc/reference.md#answer_source_register.';

CREATE FUNCTION answer.source_remove_put(source text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	seed boolean;
	tool text;
	tenant text;
BEGIN
	IF source IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'source must not be null';
	END IF;
	-- the lock prevents tools from being registered to it meanwhile: they lock the row, too
	SELECT s.seed INTO seed FROM answer.source s WHERE s.source = source_remove_put.source FOR UPDATE;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown source "%s"', source),
			hint = 'answer.source lists the sources that are registered.';
	END IF;
	IF seed THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('source "%s" comes with answer_eval and cannot be removed', source);
	END IF;
	SELECT t.tool, t.tenant INTO tool, tenant FROM answer.tool t WHERE t.source = source_remove_put.source
	ORDER BY t.tenant COLLATE "C", t.tool COLLATE "C" LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '55000', message = format('source "%s" is used by tool "%s"', source, tool)
			|| CASE tenant WHEN '' THEN '' ELSE format(' of tenant "%s"', tenant) END,
			hint = 'Remove that tool with answer_tool_remove() first, or register it with another source and replace => true.';
	END IF;
	DELETE FROM answer.source s WHERE s.source = source_remove_put.source;
	PERFORM answer.change_record_put('', 'source', source);
END
$$;
COMMENT ON FUNCTION answer.source_remove_put(text) IS
'Removes a source for answer_source_remove(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_source_remove(source text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_source_remove(text) IS
'Removes a source, and signs a record of that (change/v1). See doc/reference.md#answer_source_remove.';

CREATE FUNCTION answer.tool_is_askable(spec jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT (spec #> '{constraints,side_effects}') IS DISTINCT FROM 'true' AND (spec -> 'external') IS DISTINCT FROM 'true';
END;
COMMENT ON FUNCTION answer.tool_is_askable(jsonb) IS
'Returns whether checks, questions and facts can use a tool; not for direct use.';

CREATE FUNCTION answer.refuse_asked(tenant text, tool text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	route_id text;
	asking text;
BEGIN
	-- the lock prevents new routes from naming the tool meanwhile: they lock the row, too
	PERFORM FROM answer.tool t WHERE t.tenant = refuse_asked.tenant AND t.tool = refuse_asked.tool FOR UPDATE;
	-- a route asks the shared tool of that name, if there is one, otherwise its tenant's own
	SELECT r.route_id, r.tenant INTO route_id, asking FROM answer.route r
	WHERE r.tool = refuse_asked.tool AND CASE tenant
		WHEN '' THEN NOT EXISTS (SELECT FROM answer.tool t WHERE t.tenant = r.tenant AND r.tenant <> '' AND t.tool = r.tool)
		ELSE r.tenant = refuse_asked.tenant AND NOT EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = r.tool) END
	ORDER BY r.tenant COLLATE "C", r.position LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '55000', message = format('route "%s" asks tool "%s"', route_id, tool)
			|| CASE WHEN asking <> tenant THEN format(', of tenant "%s"', asking) ELSE '' END,
			hint = CASE WHEN asking <> tenant THEN 'Set answer_eval.tenant to that tenant and remove its routes with answer_route_remove() first.'
				ELSE 'Remove its routes with answer_route_remove() first.' END;
	END IF;
END
$$;
COMMENT ON FUNCTION answer.refuse_asked(text, text) IS
'Refuses to remove a tool that a route asks, or to make it unusable for questions, and prevents new routes from asking it until the transaction ends; not for direct use.';

CREATE FUNCTION answer.tool_put(registered_by text, tenant text, given jsonb, handler regprocedure) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	options constant jsonb := '{"unit": "string", "entity_path": "string", "timestamp_path": "string", "source_path": "string",
		"basis": "string", "description": "string", "source": "string", "optional_args": "strings", "category": "string",
		"country": "string", "value_optional": "boolean"}';
	handler_name text;
	handler_owner text;
	path text;
	problem text;
	declared record;
	wanted answer.tool;
	name text;
	required_args text[];
	optional_args text[];
	freshness interval;
	value_path text;
	entity_path text;
	timestamp_path text;
	source_path text;
	source text;
	basis text;
	description text;
	spec jsonb;
	replace boolean;
BEGIN
	-- given has the member tool, which is the document, or the arguments of the other form
	IF given ? 'tool' THEN
		given := given -> 'tool';
		PERFORM answer.options_check(given, options || '{"name": "string", "handler": "string", "required_args": "strings",
			"freshness": "string", "value_path": "string", "spec": "any", "replace": "boolean"}', 'tool', 'member');
		given := CASE given -> 'spec' WHEN 'null' THEN given - 'spec' ELSE given END;
	ELSE
		PERFORM answer.options_check(given -> 'options', options);
		given := given - 'options' || (given -> 'options');
	END IF;
	name := given ->> 'name';
	required_args := COALESCE(answer.option_texts(given, 'required_args'), '{}');
	optional_args := COALESCE(answer.option_texts(given, 'optional_args'), '{}');
	freshness := given ->> 'freshness';
	value_path := given ->> 'value_path';
	entity_path := given ->> 'entity_path';
	timestamp_path := given ->> 'timestamp_path';
	source_path := given ->> 'source_path';
	source := given ->> 'source';
	basis := CASE WHEN given ? 'basis' THEN given ->> 'basis' ELSE 'live-source' END;
	description := given ->> 'description';
	spec := given -> 'spec';
	replace := given ->> 'replace';
	IF name IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name of a tool must not be null';
	END IF;
	IF basis IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = format('basis of tool "%s" must not be null', name);
	END IF;
	IF name = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'tool must have a non-empty name';
	END IF;
	-- a document without ::jsonb is such a name
	IF left(ltrim(name, E' \t\r\n'), 1) IN ('{', '[') THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'the name of a tool must not begin with "{" or "["',
			detail = format('It is %s.', left(name, 100)), hint = 'A document is given as jsonb: answer_tool_register(''{"name": ...}''::jsonb).';
	END IF;
	IF handler IS NOT NULL THEN
		SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO handler_name, handler_owner
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
		WHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset
		AND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype
		-- another session could take over its name
		AND NOT starts_with(n.nspname, 'pg_temp_');
		IF NOT FOUND THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('handler %s of tool "%s" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);
		END IF;
	END IF;
	FOREACH path IN ARRAY ARRAY[value_path, entity_path, timestamp_path, source_path] LOOP
		problem := answer.path_problem(path);
		IF problem IS NOT NULL THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('path "%s" of tool "%s" %s', path, name, problem);
		END IF;
	END LOOP;
	-- a month has no fixed length, and freshness must not depend on a calendar
	IF extract(year FROM freshness) <> 0 OR extract(month FROM freshness) <> 0
		OR extract(epoch FROM freshness) NOT BETWEEN 0 AND 3650000 * 86400.0 THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('freshness of tool "%s" must be from 0 to 3650000 days, without months', name),
			detail = format('It is %s.', freshness),
			hint = 'Give days instead of months: 30 days, say.';
	END IF;
	PERFORM FROM answer.source s WHERE s.source = source FOR KEY SHARE;
	IF NOT FOUND AND source IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = 'P0002',
			message = format('source "%s" of tool "%s" is not registered', source, name),
			hint = 'Register it with answer_source_register().';
	END IF;
	IF given @? 'strict $.required_args[*] ? (@.type() != "string")' THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('arguments of tool "%s" must have names', name);
	END IF;
	IF cardinality(required_args) + cardinality(optional_args) > 1000 THEN
		RAISE EXCEPTION USING errcode = '54000',
			message = format('tool "%s" has %s arguments', name, cardinality(required_args) + cardinality(optional_args)),
			detail = 'It may have at most 1000.', hint = 'Let one argument be an object or an array.';
	END IF;
	IF basis NOT IN ('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred') THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('basis of tool "%s" must be live-source, partner-attested, vendor-doc, forecast, computed or inferred', name);
	END IF;
	IF spec IS NOT NULL THEN
		SELECT r.* INTO declared FROM answer.tool_spec_read(name, spec, handler IS NOT NULL) r;
		IF cardinality(declared.required_args) + cardinality(declared.optional_args) > 1000 THEN
			RAISE EXCEPTION USING errcode = '54000',
				message = format('the spec of tool "%s" has %s arguments', name,
					cardinality(declared.required_args) + cardinality(declared.optional_args)),
				detail = 'It may have at most 1000.', hint = 'Let one argument be an object or an array.';
		END IF;
		IF declared.required_args IS NOT NULL THEN
			IF (required_args || optional_args) <> '{}' AND NOT (required_args @> declared.required_args AND required_args <@ declared.required_args
				AND optional_args @> declared.optional_args AND optional_args <@ declared.optional_args) THEN
				RAISE EXCEPTION USING errcode = '22023', message = format('the arguments of tool "%s" are not those of its spec', name),
					detail = format('The spec requires %s and also allows %s.',
						COALESCE(NULLIF(array_to_string(declared.required_args, ', '), ''), 'none'),
						COALESCE(NULLIF(array_to_string(declared.optional_args, ', '), ''), 'none')),
					hint = 'Leave out required_args and optional_args: they follow from io.input.';
			END IF;
			required_args := declared.required_args;
			optional_args := declared.optional_args;
		END IF;
		IF declared.has_side_effects OR declared.is_external THEN
			PERFORM answer.refuse_asked(tenant, name);
		END IF;
	END IF;
	-- the caller learns only that a shared tool has the name; a tenant's own tools are not revealed to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = name) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared tool', name);
	END IF;
	-- bytes that no manifest could contain would make the manifest unusable for everybody
	PERFORM @extschema@.answer_canonical(jsonb_build_array(name, description, required_args, optional_args, spec));
	wanted.tenant := tenant;
	wanted.tool := name;
	wanted.handler := handler_name;
	wanted.handler_owner := handler_owner;
	wanted.registered_by := registered_by;
	wanted.required_args := required_args;
	wanted.optional_args := optional_args;
	wanted.freshness := freshness;
	wanted.value_path := value_path;
	wanted.value_optional := NULLIF((given ->> 'value_optional')::boolean, false);
	wanted.unit := given ->> 'unit';
	wanted.entity_path := entity_path;
	wanted.timestamp_path := timestamp_path;
	wanted.source_path := source_path;
	wanted.source := source;
	wanted.basis := basis;
	wanted.category := given ->> 'category';
	wanted.country := given ->> 'country';
	wanted.description := description;
	wanted.seed := false;
	wanted.spec := spec;
	-- who registers it, and who owns its handler now, is not part of the registered content
	INSERT INTO answer.tool AS t SELECT wanted.*
	ON CONFLICT ON CONSTRAINT tool_pkey DO UPDATE
	SET handler = excluded.handler, handler_owner = excluded.handler_owner,
		registered_by = excluded.registered_by, required_args = excluded.required_args,
		optional_args = excluded.optional_args, freshness = excluded.freshness,
		value_path = excluded.value_path, value_optional = excluded.value_optional, unit = excluded.unit,
		entity_path = excluded.entity_path, timestamp_path = excluded.timestamp_path,
		source_path = excluded.source_path, source = excluded.source, basis = excluded.basis,
		category = excluded.category, country = excluded.country, description = excluded.description, spec = excluded.spec
	WHERE NOT t.seed AND (replace OR to_jsonb(t) - '{registered_by,handler_owner}'::text[]
		= to_jsonb(wanted) - '{registered_by,handler_owner}'::text[]);
	IF NOT FOUND THEN
		PERFORM answer.refuse_registered('tool', name,
			(SELECT to_jsonb(t) FROM answer.tool t WHERE t.tenant = wanted.tenant AND t.tool = wanted.tool), to_jsonb(wanted));
	END IF;
	PERFORM answer.change_record_put(tenant, 'tool', name);
END
$$;
COMMENT ON FUNCTION answer.tool_put(text, text, jsonb, regprocedure) IS
'Inserts or changes a tool for answer_tool_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_tool_register
(
	name			text,
	handler			regprocedure DEFAULT NULL,
	required_args	text[] DEFAULT '{}',
	freshness		interval DEFAULT NULL,
	value_path		text DEFAULT NULL,
	spec			jsonb DEFAULT NULL,
	replace			boolean DEFAULT false,
	options			jsonb DEFAULT '{}'
)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_tool_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb) IS
'Registers a tool; with replace, changes a registered one. See doc/reference.md#answer_tool_register.';

-- It has one parameter: with a second one, a call with two untyped literals would be ambiguous.
CREATE FUNCTION @extschema@.answer_tool_register(tool jsonb) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_tool_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tool_register(jsonb) IS
'Registers the tool that a document describes; with the member replace, changes a registered one. See doc/reference.md#answer_tool_register.';

CREATE FUNCTION answer.tool_remove_put(tenant text, tool text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	seed boolean;
BEGIN
	IF tool IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tool must not be null';
	END IF;
	SELECT t.seed INTO seed FROM answer.tool t
	WHERE t.tenant = tool_remove_put.tenant AND t.tool = tool_remove_put.tool FOR UPDATE;
	IF NOT FOUND THEN
		IF EXISTS (SELECT FROM answer.tool t WHERE t.tenant = '' AND t.tool = tool_remove_put.tool) THEN
			RAISE EXCEPTION USING errcode = '42501', message = format('tool "%s" is shared by all tenants', tool),
				hint = 'The owner of the extension removes it, with no answer_eval.tenant set.';
		END IF;
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool "%s"', tool),
			hint = CASE tenant WHEN '' THEN 'answer.tool lists the tools that are registered.'
				ELSE 'answer.tenant_tool lists the tools that are registered.' END;
	END IF;
	IF seed THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('tool "%s" comes with answer_eval and cannot be removed', tool);
	END IF;
	PERFORM answer.refuse_asked(tenant, tool);
	DELETE FROM answer.tool t WHERE t.tenant = tool_remove_put.tenant AND t.tool = tool_remove_put.tool;
	PERFORM answer.change_record_put(tenant, 'tool', tool);
END
$$;
COMMENT ON FUNCTION answer.tool_remove_put(text, text) IS
'Removes a tool for answer_tool_remove(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_tool_remove(tool text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tool_remove(text) IS
'Removes a tool of the caller''s tenant (answer_tenant()), and signs a record of that (change/v1). See doc/reference.md#answer_tool_remove.';

CREATE FUNCTION answer.evidence_add_check(tenant text, tool text, args jsonb, raw jsonb, source text, digest text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	registered answer.tool;
	argument text;
	known_arguments text[];
	problem text;
BEGIN
	-- if a shared tool ever gets the name of a tenant's own, the shared one is meant
	SELECT t.* INTO registered FROM answer.tool t
	WHERE t.tenant IN (evidence_add_check.tenant, '') AND t.tool = evidence_add_check.tool
	ORDER BY t.tenant LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool "%s"', tool),
			hint = 'answer_coverage() lists the tools that are registered; answer_tool_register() registers one.';
	END IF;
	IF registered.seed THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" comes with answer_eval and takes no stored readings', tool),
			hint = CASE tool WHEN 'doc.fact' THEN 'answer_document_facts_add() stores what was read out of a document.'
				ELSE 'answer_eval() and answer_fact() call it. To store readings, register a tool without a handler.' END;
	END IF;
	IF registered.handler IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" is a function and takes no stored readings', tool),
			hint = 'answer_eval() and answer_fact() call it. To store readings, register a tool without a handler.';
	END IF;
	IF registered.spec IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" is external and takes no stored readings', tool),
			hint = 'The application answers it as a step of a plan. To store readings, register a tool without a spec.';
	END IF;
	IF NOT EXISTS (SELECT FROM answer.source s WHERE s.source = evidence_add_check.source) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown source "%s"', source),
			hint = 'answer.source lists the sources that are registered; answer_source_register() registers one.';
	END IF;
	IF jsonb_typeof(args) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('args must be an object, and is a JSON %s', jsonb_typeof(args));
	END IF;
	known_arguments := registered.required_args || registered.optional_args;
	FOREACH argument IN ARRAY registered.required_args LOOP
		IF COALESCE(jsonb_typeof(args -> argument), 'null') = 'null' THEN
			problem := format('tool "%s": required argument "%s" is missing', tool, argument);
			EXIT;
		END IF;
	END LOOP;
	IF problem IS NULL AND args - known_arguments <> '{}' THEN
		problem := format('tool "%s" declares no argument "%s"', tool,
			(SELECT k.key FROM jsonb_object_keys(args - known_arguments) WITH ORDINALITY AS k (key, n) ORDER BY k.n LIMIT 1));
	END IF;
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = problem,
			hint = COALESCE('The tool has these arguments: ' || NULLIF(array_to_string(known_arguments, ', '), '') || '.',
				'The tool has no argument.');
	END IF;
	IF registered.value_optional IS NULL AND answer.path_value(raw, registered.value_path) IS NULL
		AND registered.value_path IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s": the result has no value at "%s"', tool, registered.value_path),
			detail = CASE jsonb_typeof(raw)
				WHEN 'object' THEN COALESCE('The result has the members ' || (SELECT string_agg(@extschema@.answer_readable(to_jsonb(m.name::text)), ', ')
					FROM (SELECT quote_ident(o.key) FROM jsonb_object_keys(raw) AS o (key) ORDER BY o.key COLLATE "C" LIMIT 10) AS m (name))
					|| '.', 'The result is an object without members.')
				WHEN 'array' THEN format('The result is an array of %s elements.', jsonb_array_length(raw))
				ELSE format('The result is a JSON %s.', jsonb_typeof(raw)) END,
			hint = 'Give a result that has a value at the value_path of the tool, or register the tool with the option value_optional.';
	END IF;
	PERFORM answer.refuse_forgotten(tenant, digest);
END
$$;
COMMENT ON FUNCTION answer.evidence_add_check(text, text, jsonb, jsonb, text, text) IS
'Refuses a reading that answer_evidence_add() may not store; not for direct use.';

CREATE FUNCTION @extschema@.answer_evidence_add(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz DEFAULT clock_timestamp(), expires timestamptz DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_evidence_add'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Stores a reading for a tool without a handler. See doc/reference.md#answer_evidence_add.';

CREATE FUNCTION @extschema@.answer_fact(tool text, args jsonb DEFAULT '{}', evaluated_at timestamptz DEFAULT clock_timestamp())
RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_fact'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_fact(text, jsonb, timestamptz) IS
'Calls a tool, with the caller''s privileges and within 6 seconds, and returns its result as an attested fact (fact/v1) with its confidence by fact-conf/1. See doc/reference.md#answer_fact.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_source_register(text, text, text, text, text, boolean),
	answer.source_register_put(text, text, text, text, text, boolean),
	@extschema@.answer_source_remove(text),
	answer.source_remove_put(text),
	@extschema@.answer_tool_remove(text),
	answer.tool_remove_put(text, text),
	answer.refuse_registered(text, text, jsonb, jsonb),
	answer.refuse_asked(text, text),
	answer.tool_is_askable(jsonb),
	answer.tool_put(text, text, jsonb, regprocedure),
	@extschema@.answer_tool_register(text, regprocedure, text[], interval, text, jsonb, boolean, jsonb),
	@extschema@.answer_tool_register(jsonb),
	answer.evidence_add_check(text, text, jsonb, jsonb, text, text),
	@extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz),
	@extschema@.answer_fact(text, jsonb, timestamptz)
FROM PUBLIC;

/* graders, which facts call (sql/quality) */

CREATE TABLE answer.quality_tool
(
	tool		text NOT NULL CHECK (tool OPERATOR(pg_catalog.<>) ''),
	tenant		text NOT NULL DEFAULT '' CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	class		text NOT NULL,
	family		text NOT NULL CHECK (family OPERATOR(pg_catalog.<>) ''),
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	grader		text,
	grader_owner	text,
	description	text,
	registered_by	text,
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, tool),
	-- anybody could take over a bare name
	CHECK ((grader_owner IS NULL) OPERATOR(pg_catalog.=) (grader IS NULL))
);
COMMENT ON TABLE answer.quality_tool IS 'Tools whose observations are graded, one per row. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.grader IS 'Qualified name of a function (jsonb) RETURNS answer_graded; NULL: answer.grade has the rules of the tool itself. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.grader_owner IS 'Owner of the grader when it was registered. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.registered_by IS 'The role that registered the tool. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.tool IS 'Name of the tool. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.class IS 'Class of evidence that it provides. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.family IS 'Its family: tools that share a signal. See doc/tables.md#answerquality_tool.';
COMMENT ON COLUMN answer.quality_tool.description IS 'Description, for people. See doc/tables.md#answerquality_tool.';
CREATE TRIGGER tells_of_changes BEFORE INSERT OR UPDATE OR DELETE ON answer.quality_tool
FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes();
