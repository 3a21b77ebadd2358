
/* route: compiles questions to checks by a table that anybody can read; doc/spec/route.md */

CREATE TYPE @extschema@.answer_route_kind AS ENUM ('interrogative', 'declarative');
COMMENT ON TYPE @extschema@.answer_route_kind IS
'Whether the questions of a route assert nothing and are observed, or contain a value that is adjudicated.';

CREATE TABLE answer.route
(
	tenant		text NOT NULL DEFAULT ''
		CONSTRAINT route_tenant_check CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	route_id	text NOT NULL CHECK (route_id OPERATOR(pg_catalog.<>) ''),
	-- the second million is for routes that come with the extension, so that users can place theirs before and after
	position	integer NOT NULL CHECK (position OPERATOR(pg_catalog.>) 0
		AND (position OPERATOR(pg_catalog./) 1000000 OPERATOR(pg_catalog.=) 1) OPERATOR(pg_catalog.=) seed),
	pattern		text NOT NULL,
	kind		@extschema@.answer_route_kind NOT NULL,
	tool		text NOT NULL,
	args		jsonb NOT NULL DEFAULT '{}',
	expect		jsonb,
	lists		jsonb,
	list_values	jsonb,
	list_owners	jsonb,
	examples	text[] NOT NULL CHECK (pg_catalog.cardinality(examples) OPERATOR(pg_catalog.>) 0
		AND pg_catalog.array_position(examples, NULL) IS NULL),
	description	text,
	registered_by	text,
	enabled		boolean NOT NULL DEFAULT true,
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, route_id),
	-- so that one statement can move many
	UNIQUE (tenant, position) DEFERRABLE
);
COMMENT ON TABLE answer.route IS 'Routes from questions to checks, one per row, tried in the order of position; the first match wins. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.args IS 'Template of the check''s arguments; a string "{slot}" becomes the slot''s value. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.expect IS 'Template of the expectations; value and tol may contain slots. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.lists IS 'For each slot of type list, an array of values, or the {"table", "column"} that contains them. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.list_values IS 'Values read from those columns by answer_route_register() or answer_route_refresh(). See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.list_owners IS 'Owners of the tables of those columns when the route was registered. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.registered_by IS 'The role that registered the route; its lists are read with that role''s privileges. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.examples IS 'Questions that this route answers. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.seed IS 'True if the route came with the extension, so that it is dumped only if it was disabled. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.route_id IS 'Id of the route. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.position IS 'Position in the order in which routes are tried. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.pattern IS 'Pattern that a sentence must match. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.kind IS 'Whether the question asserts something. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.tool IS 'Tool that the check calls. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.description IS 'Description, for people. See doc/tables.md#answerroute.';
COMMENT ON COLUMN answer.route.enabled IS 'Whether the route is tried. See doc/tables.md#answerroute.';

-- A random token for every state of a tenant's routes: see route_table.c.
CREATE TABLE answer.route_state
(
	tenant	text PRIMARY KEY DEFAULT '',
	token	uuid NOT NULL
);
COMMENT ON TABLE answer.route_state IS 'State of the routes of each tenant, one row per tenant, which changes with answer.route, so that sessions know when to reload. See doc/tables.md#answerroute_state.';
COMMENT ON COLUMN answer.route_state.tenant IS 'Owner of the routes: a tenant of answer.tenant that has had some, or empty for the shared routes. See doc/tables.md#answerroute_state.';
COMMENT ON COLUMN answer.route_state.token IS 'Random, new after each change of these routes. See doc/tables.md#answerroute_state.';
INSERT INTO answer.route_state (token) VALUES (pg_catalog.gen_random_uuid());

-- Not unique on purpose: see route_table.c.
CREATE TABLE answer.route_table
(
	tenant		text NOT NULL DEFAULT '',
	sha256		text NOT NULL CHECK (pg_catalog.length(sha256) OPERATOR(pg_catalog.=) 64),
	content		jsonb NOT NULL,
	pinned_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE answer.route_table IS 'Route tables that receipts were routed by, one per row, by digest. See doc/tables.md#answerroute_table.';
COMMENT ON COLUMN answer.route_table.tenant IS 'The tenant whose routes it has beside the shared ones (answer.tenant); empty: it has only shared routes, and is shared. See doc/tables.md#answerroute_table.';
COMMENT ON COLUMN answer.route_table.sha256 IS 'SHA-256 of the canonical content, 64 hex digits: router_sha256 in receipts. See doc/tables.md#answerroute_table.';
COMMENT ON COLUMN answer.route_table.content IS 'The route table, as answer_route_table() returned it then. See doc/tables.md#answerroute_table.';
COMMENT ON COLUMN answer.route_table.pinned_at IS 'When it was kept, by the server''s clock. See doc/tables.md#answerroute_table.';
CREATE INDEX route_table_sha256 ON answer.route_table (tenant, sha256);

REVOKE ALL ON answer.route, answer.route_state, answer.route_table FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.route', 'WHERE NOT seed OR NOT enabled');
SELECT pg_catalog.pg_extension_config_dump('answer.route_state', 'WHERE false');
SELECT pg_catalog.pg_extension_config_dump('answer.route_table', '');

CREATE TRIGGER route_table_append_only BEFORE UPDATE OR DELETE ON answer.route_table
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER route_table_no_truncate BEFORE TRUNCATE ON answer.route_table
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

/* asking */

CREATE FUNCTION answer.route_compile(question text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_compile'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION answer.route_compile(text) IS
'Returns what a question compiles to, without calling anything. See doc/reference.md#answerroute_compile.';

CREATE FUNCTION @extschema@.answer_route_explain(question text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_explain'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_route_explain(text) IS
'Returns why a question is routed as it is. See doc/reference.md#answer_route_explain.';

CREATE FUNCTION @extschema@.answer_coverage() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_coverage'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_coverage() IS
'Returns what can be asked (answer-coverage/v1). See doc/reference.md#answer_coverage.';

CREATE FUNCTION @extschema@.answer_route_table() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_table'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_route_table() IS
'Returns everything in the caller''s route table that affects decisions. See doc/reference.md#answer_route_table.';

CREATE FUNCTION answer.route_replay(receipt jsonb, route_table jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_replay'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION answer.route_replay(jsonb, jsonb) IS
'Routes the question of a receipt again, by the table that routed it, and compares route and checks. See doc/reference.md#answerroute_replay.';

REVOKE ALL ON FUNCTION
	answer.route_compile(text),
	@extschema@.answer_route_explain(text),
	@extschema@.answer_coverage(),
	@extschema@.answer_route_table()
FROM PUBLIC;

/* the table */

CREATE FUNCTION answer.route_problem(route jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_route_problem'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.route_problem(jsonb) IS
'Returns what is wrong with a single route: its pattern, its templates, a slot that they do not use, or an ambiguity, with a question that could be read in two ways. See doc/reference.md#answerroute_problem.';

CREATE FUNCTION @extschema@.answer_route_audit(route_id text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_audit'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_route_audit(text) IS
'Checks the enabled routes of the caller''s table against each other: every example must be answered by its own route, no pattern may be ambiguous, and no slot unused. See doc/reference.md#answer_route_audit.';
REVOKE ALL ON FUNCTION @extschema@.answer_route_audit(text) FROM PUBLIC;

CREATE FUNCTION answer.route_findings(tenant text, route_id text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_findings'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION answer.route_findings(text, text) IS
'Runs answer_route_audit() for one route of a tenant, for functions that change routes; not for direct use.';

CREATE FUNCTION answer.route_changing() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_route_changing'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE;
COMMENT ON FUNCTION answer.route_changing() IS
'Trigger, not for direct use, that keeps what its transaction reads of the route table from being cached as the state before or after it.';

CREATE FUNCTION answer.route_changed() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tenants text[];
BEGIN
	IF TG_LEVEL = 'ROW' THEN
		tenants := ARRAY[old.tenant, new.tenant];
	ELSIF TG_OP = 'INSERT' THEN
		tenants := (SELECT array_agg(DISTINCT c.tenant) FROM changed_to c);
	ELSIF TG_OP = 'UPDATE' THEN
		tenants := (SELECT array_agg(c.tenant) FROM (SELECT f.tenant FROM changed_from f UNION SELECT t.tenant FROM changed_to t) AS c);
	ELSIF TG_OP = 'DELETE' THEN
		tenants := (SELECT array_agg(DISTINCT c.tenant) FROM changed_from c);
	ELSE
		tenants := (SELECT array_agg(s.tenant) FROM answer.route_state s);
	END IF;
	-- in a fixed order, so that nobody deadlocks
	INSERT INTO answer.route_state AS s (tenant, token)
	SELECT t.tenant, gen_random_uuid() FROM (SELECT DISTINCT u.tenant FROM unnest(tenants) AS u (tenant)) AS t
	WHERE t.tenant IS NOT NULL ORDER BY t.tenant COLLATE "C"
	ON CONFLICT ON CONSTRAINT route_state_pkey DO UPDATE SET token = excluded.token;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.route_changed() IS
'Trigger, not for direct use, that marks the routes of the affected owners as changed, so that every session reloads them once it sees the change.';

-- Every function that edits routes takes this lock first. It is not a lock of the table: otherwise a tenant's open
-- transaction would block the operator, and the waiting operator would block everybody.
CREATE FUNCTION answer.route_lock(tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	PERFORM FROM answer.route_state s WHERE s.tenant = route_lock.tenant FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO answer.route_state (tenant, token) VALUES (tenant, gen_random_uuid())
		ON CONFLICT ON CONSTRAINT route_state_pkey DO NOTHING;
		PERFORM FROM answer.route_state s WHERE s.tenant = route_lock.tenant FOR UPDATE;
	END IF;
END
$$;
COMMENT ON FUNCTION answer.route_lock(text) IS
'Prevents other functions from editing the routes of a tenant until the transaction ends; not for direct use.';

-- A disabled route of ours is dumped; restoring it only disables the route again.
CREATE FUNCTION answer.route_seed() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	UPDATE answer.route SET enabled = new.enabled WHERE tenant = '' AND route_id = new.route_id AND seed;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.route_seed() IS
'Trigger, not for direct use, that lets a restored dump disable routes that come with the extension, but adds none.';

CREATE FUNCTION answer.route_put(registered_by text, tenant text, given jsonb, list_values jsonb, list_owners jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	route_id text := given ->> 'route_id';
	pattern text := given ->> 'pattern';
	kind @extschema@.answer_route_kind := given ->> 'kind';
	tool text := given ->> 'tool';
	args jsonb := answer.portable(COALESCE(given -> 'args', '{}'));
	expect jsonb := answer.portable(given -> 'expect');
	options jsonb := given -> 'options';
	content jsonb;
	problem text;
	registered answer.tool;
	argument text;
	occupant text;
	wanted answer.route;
	-- not part of the registered content: who registers it, and the present values of its lists
	beside text[] := '{registered_by,list_values,list_owners,enabled}';
	lists jsonb := NULLIF(options -> 'lists', 'null');
	description text := options ->> 'description';
	replace boolean;
	place integer;
BEGIN
	PERFORM answer.options_check(options, '{"lists": "any", "place": "integer", "description": "string", "replace": "boolean"}');
	place := options ->> 'place';
	replace := COALESCE((options ->> 'replace')::boolean, false);
	IF route_id IS NULL OR pattern IS NULL OR kind IS NULL OR tool IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'route_id, pattern, kind and tool must not be null';
	END IF;
	content := jsonb_build_object('route_id', route_id, 'pattern', pattern, 'kind', kind, 'tool', tool, 'args', args)
		|| CASE WHEN expect IS NULL THEN '{}' ELSE jsonb_build_object('expect', expect) END
		|| CASE WHEN lists IS NULL THEN '{}' ELSE jsonb_build_object('lists',
			(SELECT COALESCE(jsonb_object_agg(e.key, CASE WHEN jsonb_typeof(e.value) = 'object' THEN list_values -> e.key ELSE e.value END), '{}')
			FROM jsonb_each(lists) AS e)) END;
	problem := answer.route_problem(content);
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('route "%s" %s', route_id, problem);
	END IF;
	-- examples are checked against the whole table, so nobody else may change it or remove the tool meanwhile
	PERFORM answer.route_lock(tenant);
	-- the caller learns only that a shared route has the id; a tenant's own routes are not revealed to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.route r WHERE r.tenant = '' AND r.route_id = route_id) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the id "%s" is taken by a shared route', route_id);
	END IF;
	-- if a shared tool ever gets the name of a tenant's own, the shared one is meant
	SELECT t.* INTO registered FROM answer.tool t WHERE t.tenant IN (route_put.tenant, '') AND t.tool = tool
	ORDER BY t.tenant LIMIT 1 FOR KEY SHARE;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('route "%s" names the unknown tool "%s"', route_id, tool),
			hint = 'answer_coverage() lists the tools that are registered; answer_tool_register() registers one.';
	END IF;
	IF NOT answer.tool_is_askable(registered.spec) THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('route "%s" names tool "%s", which no question can reach', route_id, tool),
			detail = 'Only plans call tools that have side effects or that the application answers.';
	END IF;
	FOREACH argument IN ARRAY registered.required_args LOOP
		IF NOT args ? argument THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('route "%s" lacks the argument "%s", which tool "%s" requires', route_id, argument, tool);
		END IF;
	END LOOP;
	FOR argument IN SELECT jsonb_object_keys(args) LOOP
		IF argument <> ALL (registered.required_args || registered.optional_args) THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('route "%s" has the argument "%s", which tool "%s" does not declare', route_id, argument, tool);
		END IF;
	END LOOP;
	IF jsonb_array_length(COALESCE(given -> 'examples', '[]')) = 0 OR given @? 'strict $.examples[*] ? (@.type() != "string")' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('route "%s" must have example questions', route_id);
	END IF;

	IF place IS NULL THEN
		SELECT r.position INTO place FROM answer.route r
		WHERE r.tenant = route_put.tenant AND r.route_id = route_id AND NOT r.seed;
	END IF;
	IF place IS NULL THEN
		SELECT LEAST(COALESCE(max(r.position), 0) + 10, 999999) INTO place FROM answer.route r
		WHERE r.tenant = route_put.tenant AND r.position < 1000000;
	END IF;
	IF place < 1 OR place BETWEEN 1000000 AND 1999999 THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('position of route "%s" must be from 1 to 999999, or from 2000000 on', route_id);
	END IF;
	SELECT r.route_id INTO occupant FROM answer.route r
	WHERE r.tenant = route_put.tenant AND r.position = place AND r.route_id <> route_id;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('position %s of route "%s" is taken by route "%s"', place, route_id, occupant);
	END IF;
	wanted.tenant := tenant;
	wanted.route_id := route_id;
	wanted.position := place;
	wanted.pattern := pattern;
	wanted.kind := kind;
	wanted.tool := tool;
	wanted.args := args;
	wanted.expect := expect;
	wanted.lists := lists;
	wanted.list_values := list_values;
	wanted.list_owners := list_owners;
	wanted.examples := answer.option_texts(given, 'examples');
	wanted.description := description;
	wanted.registered_by := registered_by;
	wanted.enabled := true;
	wanted.seed := false;
	INSERT INTO answer.route AS r SELECT wanted.*
	ON CONFLICT ON CONSTRAINT route_pkey DO UPDATE
	SET position = excluded.position, pattern = excluded.pattern, kind = excluded.kind, tool = excluded.tool,
		args = excluded.args, expect = excluded.expect, lists = excluded.lists, list_values = excluded.list_values,
		list_owners = excluded.list_owners, examples = excluded.examples, description = excluded.description,
		registered_by = excluded.registered_by
	WHERE NOT r.seed AND (replace OR to_jsonb(r) - beside = to_jsonb(wanted) - beside);
	IF NOT FOUND THEN
		IF EXISTS (SELECT FROM answer.route r WHERE r.tenant = wanted.tenant AND r.route_id = wanted.route_id AND r.seed) THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('route "%s" comes with answer_eval and cannot be changed', route_id),
				hint = 'It can be disabled with answer_route_enable().';
		END IF;
		PERFORM answer.refuse_registered('route', route_id,
			(SELECT to_jsonb(r) FROM answer.route r WHERE r.tenant = wanted.tenant AND r.route_id = wanted.route_id), to_jsonb(wanted));
	END IF;
	PERFORM answer.route_accept(tenant, route_id);
	PERFORM answer.change_record_put(tenant, 'route', route_id);
END
$$;
COMMENT ON FUNCTION answer.route_put(text, text, jsonb, jsonb, jsonb) IS
'Inserts or changes a route for answer_route_register() and answer_route_refresh(), as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.route_fill(registered_by text, tenant text, route_id text, lists jsonb, list_values jsonb) RETURNS boolean
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	route answer.route;
BEGIN
	-- changes that were made to the route since its lists were read are kept
	PERFORM answer.route_lock(tenant);
	SELECT r.* INTO route FROM answer.route r
	WHERE r.tenant = route_fill.tenant AND r.route_id = route_fill.route_id AND r.lists = route_fill.lists
		AND r.registered_by = route_fill.registered_by;
	IF NOT FOUND OR route.list_values = list_values THEN
		RETURN false;
	END IF;
	PERFORM answer.route_put(route.registered_by, tenant, jsonb_build_object('route_id', route.route_id, 'pattern', route.pattern,
			'kind', route.kind, 'tool', route.tool, 'args', route.args, 'examples', route.examples,
			'options', jsonb_build_object('lists', route.lists, 'place', route.position, 'description', route.description, 'replace', true))
		|| CASE WHEN route.expect IS NULL THEN '{}' ELSE jsonb_build_object('expect', route.expect) END, list_values, route.list_owners);
	RETURN true;
END
$$;
COMMENT ON FUNCTION answer.route_fill(text, text, text, jsonb, jsonb) IS
'Gives the lists of a route new values for answer_route_refresh(), as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.route_accept(tenant text, route_id text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	finding jsonb := answer.route_findings(tenant, route_id) -> 0;
BEGIN
	IF finding IS NULL THEN
		RETURN;
	END IF;
	RAISE EXCEPTION USING errcode = '22023', message = CASE
		WHEN finding ->> 'route_id' <> route_id THEN
			format('route "%s" shadows route "%s", whose example "%s" it answers', route_id, finding ->> 'route_id', finding ->> 'example')
		WHEN finding ? 'answered_by' THEN
			format('route "%s" is shadowed by route "%s", which comes earlier and answers its example "%s"', route_id, finding ->> 'answered_by', finding ->> 'example')
		ELSE concat(format('route "%s" %s', route_id, finding ->> 'problem'), ': "' || (finding ->> 'example') || '"') END,
		hint = CASE WHEN finding ? 'answered_by'
			THEN 'Make the pattern narrower, change the position, or disable the other route with answer_route_enable().'
			ELSE 'answer_route_explain() shows where a question stops matching a route.' END;
END
$$;
COMMENT ON FUNCTION answer.route_accept(text, text) IS
'Raises the findings of answer_route_audit() about a route as an error, for functions that register, enable and refresh routes; not for direct use.';

CREATE FUNCTION @extschema@.answer_route_register
(
	route_id	text,
	pattern		text,
	kind		@extschema@.answer_route_kind,
	tool		text,
	args		jsonb DEFAULT '{}',
	expect		jsonb DEFAULT NULL,
	examples	text[] DEFAULT NULL,
	options		jsonb DEFAULT '{}'
)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_route_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_route_register(text, text, @extschema@.answer_route_kind, text, jsonb, jsonb, text[], jsonb) IS
'Registers a route from questions to a check; with the option replace, changes a registered one. See doc/reference.md#answer_route_register.';

CREATE FUNCTION @extschema@.answer_route_refresh(route_id text DEFAULT NULL) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_route_refresh'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_route_refresh(text) IS
'Reads the values of lists that come from columns again, always with the privileges of the role that registered the route, and signs a record of manual changes in the table (answer.route_record). See doc/reference.md#answer_route_refresh.';

CREATE FUNCTION answer.route_record_put() RETURNS integer
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.route_lock('');
	RETURN @extschema@.answer_change_record('route');
END
$$;
COMMENT ON FUNCTION answer.route_record_put() IS
'Writes for answer.route_record(), as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.route_record() RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION answer.route_record() IS
'Signs a record (change/v1) of the present state of every route that was changed, added or removed by hand in answer.route; until then the audit reports it. See doc/reference.md#answerroute_record.';

CREATE FUNCTION answer.route_require(tenant text, route_id text) RETURNS void
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF EXISTS (SELECT FROM answer.route r WHERE r.tenant = route_require.tenant AND r.route_id = route_require.route_id) THEN
		RETURN;
	END IF;
	IF EXISTS (SELECT FROM answer.route r WHERE r.tenant = '' AND r.route_id = route_require.route_id) THEN
		RAISE EXCEPTION USING errcode = '42501', message = format('route "%s" is shared by all tenants', route_id),
			hint = 'The owner of the extension changes it, with no answer_eval.tenant set.';
	END IF;
	RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown route "%s"', route_id),
		hint = CASE tenant WHEN '' THEN 'answer.route lists the routes.'
			ELSE 'answer.tenant_route lists the routes.' END;
END
$$;
COMMENT ON FUNCTION answer.route_require(text, text) IS
'Refuses to change a route that is not the tenant''s; not for direct use.';

CREATE FUNCTION answer.route_enable_put(tenant text, route_id text, enabled boolean) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF route_id IS NULL OR enabled IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'route_id and enabled must not be null';
	END IF;
	PERFORM answer.route_lock(tenant);
	PERFORM answer.route_require(tenant, route_id);
	UPDATE answer.route r SET enabled = route_enable_put.enabled
	WHERE r.tenant = route_enable_put.tenant AND r.route_id = route_enable_put.route_id;
	IF enabled THEN
		PERFORM answer.route_accept(tenant, route_id);
	END IF;
	PERFORM answer.change_record_put(tenant, 'route', route_id);
END
$$;
COMMENT ON FUNCTION answer.route_enable_put(text, text, boolean) IS
'Writes for answer_route_enable(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_route_enable(route_id text, enabled boolean DEFAULT true) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_route_enable(text, boolean) IS
'Enables or disables a route of the caller''s tenant (answer_tenant()), or, for the operator, also one that comes with the extension. See doc/reference.md#answer_route_enable.';

CREATE FUNCTION answer.route_remove_put(tenant text, route_id text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	seed boolean;
BEGIN
	IF route_id IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'route_id must not be null';
	END IF;
	PERFORM answer.route_lock(tenant);
	PERFORM answer.route_require(tenant, route_id);
	SELECT r.seed INTO seed FROM answer.route r WHERE r.tenant = route_remove_put.tenant AND r.route_id = route_remove_put.route_id;
	IF seed THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('route "%s" comes with answer_eval and cannot be removed', route_id),
			hint = 'It can be disabled with answer_route_enable().';
	END IF;
	DELETE FROM answer.route r WHERE r.tenant = route_remove_put.tenant AND r.route_id = route_remove_put.route_id;
	PERFORM answer.change_record_put(tenant, 'route', route_id);
END
$$;
COMMENT ON FUNCTION answer.route_remove_put(text, text) IS
'Writes for answer_route_remove(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_route_remove(route_id text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_route_remove(text) IS
'Removes a route of the caller''s tenant (answer_tenant()). See doc/reference.md#answer_route_remove.';

REVOKE ALL ON FUNCTION
	answer.route_findings(text, text),
	answer.route_changing(),
	answer.route_changed(),
	answer.route_lock(text),
	answer.route_require(text, text),
	answer.route_seed(),
	answer.route_put(text, text, jsonb, jsonb, jsonb),
	answer.route_fill(text, text, text, jsonb, jsonb),
	answer.route_accept(text, text),
	@extschema@.answer_route_register(text, text, @extschema@.answer_route_kind, text, jsonb, jsonb, text[], jsonb),
	@extschema@.answer_route_refresh(text),
	answer.route_record_put(),
	answer.route_record(),
	answer.route_enable_put(text, text, boolean),
	@extschema@.answer_route_enable(text, boolean),
	answer.route_remove_put(text, text),
	@extschema@.answer_route_remove(text)
FROM PUBLIC;

/* routes to the built-in tools */

INSERT INTO answer.route (route_id, position, pattern, kind, tool, args, expect, lists, examples, description, seed)
SELECT v.route_id, (1000000 OPERATOR(pg_catalog.+) (10 OPERATOR(pg_catalog.*) v.n))::pg_catalog.int4, v.pattern,
	v.kind::@extschema@.answer_route_kind, v.tool, v.args::pg_catalog.jsonb, v.expect::pg_catalog.jsonb,
	v.lists::pg_catalog.jsonb, v.examples::pg_catalog.text[], v.description, true
FROM (VALUES
	(1, 'postgres.version', '(what is the version of (postgres | postgresql | this server) | (what | which) version of (postgres | postgresql) is (this | running))',
	 'interrogative', 'postgres_server', '{}', NULL, NULL,
	 '{"What is the version of PostgreSQL?","What version of Postgres is this?","Which version of Postgres is running?","What is the version of this server?"}',
	 'The version of this server.'),
	(2, 'postgres.version.at_least', '(is (postgres | postgresql | this server) at least version {version:semver} | (postgres | postgresql | this server) is at least version {version:semver})',
	 'declarative', 'postgres_server', '{}', '{"op": "semver_gte", "value": "{version}"}', NULL,
	 '{"Is PostgreSQL at least version 15?","This server is at least version 15.2."}',
	 'Whether this server is new enough.'),
	(3, 'postgres.version.is', '(is (postgres | postgresql | this server) [at] version {version:semver} | (postgres | postgresql | this server) is [at] version {version:semver} | the version of (postgres | postgresql | this server) is {version:semver})',
	 'declarative', 'postgres_server', '{}', '{"op": "semver_prefix", "value": "{version}"}', NULL,
	 '{"Is this server version 15?","PostgreSQL is at version 15.","The version of Postgres is 15.4."}',
	 'Whether this server has a version, as far as it is given.'),
	(4, 'postgres.uptime', '(how long has this server been (up | running) | what is the uptime of this server)',
	 'interrogative', 'postgres_server', '{}', '{"path": "uptime_s"}', NULL,
	 '{"How long has this server been up?","What is the uptime of this server?"}',
	 'Seconds since this server started.'),
	(5, 'postgres.recovery', '(is this server | this server is) in recovery',
	 'declarative', 'postgres_server', '{}', '{"path": "in_recovery", "op": "eq", "value": true}', NULL,
	 '{"Is this server in recovery?","This server is in recovery."}',
	 'Whether this server is in recovery.'),
	(6, 'postgres.setting', '(what is [the] setting {name} | what is {name} set to | what is the (value | setting) of {name})',
	 'interrogative', 'postgres_setting', '{"name": "{name}"}', NULL, NULL,
	 '{"What is the setting work_mem?","What is fsync set to?","What is the value of max_connections?"}',
	 'A configuration parameter.'),
	-- some settings with on and off are booleans, others are one of several words
	(7, 'postgres.setting.on', '(is [the] setting {name} [set to] (on | true | yes) | [the] setting {name} is [set to] (on | true | yes))',
	 'declarative', 'postgres_setting', '{"name": "{name}"}', '{"op": "in", "value": [true, "on"]}', NULL,
	 '{"Is the setting fsync on?","The setting synchronous_commit is set to on."}',
	 'Whether a parameter is on.'),
	(8, 'postgres.setting.off', '(is [the] setting {name} [set to] (off | false | no) | [the] setting {name} is [set to] (off | false | no))',
	 'declarative', 'postgres_setting', '{"name": "{name}"}', '{"op": "in", "value": [false, "off"]}', NULL,
	 '{"Is the setting archive_mode off?","The setting full_page_writes is set to off."}',
	 'Whether a parameter is off.'),
	-- a value that is no number is not compared with a number, nor a number with a word (4MB)
	(9, 'postgres.setting.number', '(is [the] setting {name} [set to] {value:number} | [the] setting {name} is [set to] {value:number})',
	 'declarative', 'postgres_setting', '{"name": "{name}"}', '{"op": "abs_within", "value": "{value}", "tol": 0}', NULL,
	 '{"Is the setting max_connections 100?","The setting max_connections is set to 100."}',
	 'Whether a parameter has a number, in the unit that pg_settings shows.'),
	(10, 'postgres.setting.text', '(is [the] setting {name} set to {value} | [the] setting {name} is set to {value})',
	 'declarative', 'postgres_setting', '{"name": "{name}"}', '{"path": "text", "op": "eq", "value": "{value}"}', NULL,
	 '{"Is the setting wal_level set to replica?","The setting wal_level is set to logical."}',
	 'Whether a parameter that is neither a number nor a switch has a value of one word.'),
	(11, 'postgres.extension', '(what | which) version of the extension {name} is installed',
	 'interrogative', 'postgres_extension', '{"name": "{name}"}', NULL, NULL,
	 '{"Which version of the extension plpgsql is installed?"}',
	 'The version of an extension in this database.'),
	(12, 'postgres.extension.installed', '(is the extension {name} installed | the extension {name} is installed)',
	 'declarative', 'postgres_extension', '{"name": "{name}"}', '{"path": "installed", "op": "eq", "value": true}', NULL,
	 '{"Is the extension plpgsql installed?","The extension answer_eval is installed."}',
	 'Whether this database has an extension.'),
	(13, 'postgres.extension.version', '(is the extension {name} [at] version {version:semver} | the extension {name} is [at] version {version:semver})',
	 'declarative', 'postgres_extension', '{"name": "{name}"}', '{"op": "semver_prefix", "value": "{version}"}', NULL,
	 '{"Is the extension plpgsql version 1.0?","The extension plpgsql is at version 1.0."}',
	 'Whether this database has an extension in some version.'),
	(14, 'postgres.database.size', '(how (big | large) is | what is the size of) (this database | the database {name})',
	 'interrogative', 'postgres_database', '{"name": "{name}"}', NULL, NULL,
	 '{"How big is this database?","What is the size of the database postgres?"}',
	 'The size of a database in bytes.'),
	(15, 'postgres.database.smaller', '(is (this database | the database {name}) smaller than {bytes:count} bytes | (this database | the database {name}) is smaller than {bytes:count} bytes)',
	 'declarative', 'postgres_database', '{"name": "{name}"}', '{"op": "lt", "value": "{bytes}"}', NULL,
	 '{"Is this database smaller than 1000000000 bytes?","The database postgres is smaller than 1000000000 bytes."}',
	 'Whether a database is smaller than so many bytes.'),
	(16, 'postgres.relation.rows', 'how many rows (does the table {relation} have | has the table {relation} | are in the table {relation})',
	 'interrogative', 'postgres_relation', '{"relation": "{relation}"}', NULL, NULL,
	 '{"How many rows does the table answer.tool have?","How many rows are in the table answer.tombstone?"}',
	 'The estimated rows of a table, named with its schema.'),
	(17, 'postgres.relation.size', '(how (big | large) is | what is the size of) the (table | index | relation) {relation}',
	 'interrogative', 'postgres_relation', '{"relation": "{relation}"}', '{"path": "size_bytes"}', NULL,
	 '{"How big is the table answer.tombstone?","What is the size of the index answer.tombstone_pkey?"}',
	 'The size of a relation in bytes, named with its schema.'),
	(18, 'postgres.replication.standbys', 'how many standbys (stream | are streaming)',
	 'interrogative', 'postgres_replication', '{}', NULL, NULL,
	 '{"How many standbys are streaming?"}',
	 'How many standbys stream from this server.'),
	(19, 'postgres.replication.role', '(is this server | this server is) (a | the) {role:list}',
	 'declarative', 'postgres_replication', '{}', '{"path": "role", "op": "eq", "value": "{role}"}', '{"role": ["primary", "standby"]}',
	 '{"Is this server the primary?","This server is a standby."}',
	 'Whether this server is the primary or a standby.'),
	(20, 'quality.assessment', '(what | which) quality of {class} does investigation {investigation:count} hold',
	 'interrogative', 'answer_assessment', '{"investigation": "{investigation}", "class": "{class}"}', NULL, NULL,
	 '{"What quality of Build does investigation 1 hold?"}',
	 'The quality of a class of evidence that an investigation holds.'),
	(21, 'quality.assessment.is', '(is the {class} of investigation {investigation:count} {quality:list} | the {class} of investigation {investigation:count} is {quality:list})',
	 'declarative', 'answer_assessment', '{"investigation": "{investigation}", "class": "{class}"}', '{"op": "eq", "value": "{quality}"}',
	 '{"quality": ["None", "Weak", "Moderate", "Strong", "Verified"]}',
	 '{"Is the Build of investigation 1 strong?","The GitLog of investigation 1 is Moderate."}',
	 'Whether a class of evidence that an investigation holds is of some quality.'),
	(22, 'quality.observation', 'what is the quality of [the] observation {digest} of investigation {investigation:count}',
	 'interrogative', 'answer_observation', '{"investigation": "{investigation}", "digest": "{digest}"}', NULL, NULL,
	 '{"What is the quality of the observation sha256:0123456789abcdef of investigation 1?"}',
	 'The quality of one observation, named by its digest.'),
	(26, 'postgres.extension.named', 'is {name} installed',
	 'declarative', 'postgres_extension', '{"name": "{name}"}', '{"path": "installed", "op": "eq", "value": true}', NULL,
	 '{"Is pgcrypto installed?"}',
	 'Whether this database has an extension, by its name alone.')
) AS v (n, route_id, pattern, kind, tool, args, expect, lists, examples, description);

-- The same for settings by their names alone. A slot of any word would take questions that are not about settings, so
-- the names of PostgreSQL 15 to 18 are listed, with a star after those that can be on or off. The routes above serve
-- settings that are not listed.
WITH setting AS (
	SELECT pg_catalog.rtrim(s.name, '*') AS name, pg_catalog.right(s.name, 1) OPERATOR(pg_catalog.=) '*' AS switches
	FROM pg_catalog.regexp_split_to_table(pg_catalog.btrim('
	DateStyle IntervalStyle TimeZone allow_alter_system* allow_in_place_tablespaces* allow_system_table_mods* application_name
	archive_cleanup_command archive_command archive_library archive_mode* archive_timeout array_nulls* authentication_timeout autovacuum*
	autovacuum_analyze_scale_factor autovacuum_analyze_threshold autovacuum_freeze_max_age autovacuum_max_workers
	autovacuum_multixact_freeze_max_age autovacuum_naptime autovacuum_vacuum_cost_delay autovacuum_vacuum_cost_limit
	autovacuum_vacuum_insert_scale_factor autovacuum_vacuum_insert_threshold autovacuum_vacuum_max_threshold autovacuum_vacuum_scale_factor
	autovacuum_vacuum_threshold autovacuum_work_mem autovacuum_worker_slots backend_flush_after backslash_quote* backtrace_functions
	bgwriter_delay bgwriter_flush_after bgwriter_lru_maxpages bgwriter_lru_multiplier block_size bonjour* bonjour_name bytea_output
	check_function_bodies* checkpoint_completion_target checkpoint_flush_after checkpoint_timeout checkpoint_warning
	client_connection_check_interval client_encoding client_min_messages cluster_name commit_delay commit_siblings commit_timestamp_buffers
	composite_type_mismatch compute_query_id* config_file constraint_exclusion* cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost
	createrole_self_grant cursor_tuple_fraction data_checksums* data_directory data_directory_mode data_sync_retry* db_user_namespace*
	deadlock_timeout debug_assertions* debug_discard_caches debug_io_direct debug_logical_replication_streaming debug_parallel_query*
	debug_pretty_print* debug_print_parse* debug_print_plan* debug_print_rewritten* default_statistics_target default_table_access_method
	default_tablespace default_text_search_config default_toast_compression default_transaction_deferrable* default_transaction_isolation
	default_transaction_read_only* dynamic_library_path dynamic_shared_memory_type effective_cache_size effective_io_concurrency
	enable_async_append* enable_bitmapscan* enable_distinct_reordering* enable_gathermerge* enable_group_by_reordering* enable_hashagg*
	enable_hashjoin* enable_incremental_sort* enable_indexonlyscan* enable_indexscan* enable_material* enable_memoize* enable_mergejoin*
	enable_nestloop* enable_parallel_append* enable_parallel_hash* enable_partition_pruning* enable_partitionwise_aggregate*
	enable_partitionwise_join* enable_presorted_aggregate* enable_self_join_elimination* enable_seqscan* enable_sort* enable_tidscan*
	escape_string_warning* event_source event_triggers* exit_on_error* extension_control_path external_pid_file extra_float_digits
	file_copy_method force_parallel_mode* from_collapse_limit fsync* full_page_writes* geqo* geqo_effort geqo_generations geqo_pool_size
	geqo_seed geqo_selection_bias geqo_threshold gin_fuzzy_search_limit gin_pending_list_limit gss_accept_delegation* hash_mem_multiplier
	hba_file hot_standby* hot_standby_feedback* huge_page_size huge_pages* huge_pages_status* icu_validation_level ident_file
	idle_in_transaction_session_timeout idle_replication_slot_timeout idle_session_timeout ignore_checksum_failure* ignore_invalid_pages*
	ignore_system_indexes* in_hot_standby* integer_datetimes* io_combine_limit io_max_combine_limit io_max_concurrency io_method io_workers
	jit* jit_above_cost jit_debugging_support* jit_dump_bitcode* jit_expressions* jit_inline_above_cost jit_optimize_above_cost
	jit_profiling_support* jit_provider jit_tuple_deforming* join_collapse_limit krb_caseins_users* krb_server_keyfile lc_collate lc_ctype
	lc_messages lc_monetary lc_numeric lc_time listen_addresses lo_compat_privileges* local_preload_libraries lock_timeout
	log_autovacuum_min_duration log_checkpoints* log_connections log_destination log_directory log_disconnections* log_duration*
	log_error_verbosity log_executor_stats* log_file_mode log_filename log_hostname* log_line_prefix log_lock_failures* log_lock_waits*
	log_min_duration_sample log_min_duration_statement log_min_error_statement log_min_messages log_parameter_max_length
	log_parameter_max_length_on_error log_parser_stats* log_planner_stats* log_recovery_conflict_waits* log_replication_commands*
	log_rotation_age log_rotation_size log_startup_progress_interval log_statement log_statement_sample_rate log_statement_stats*
	log_temp_files log_timezone log_transaction_sample_rate log_truncate_on_rotation* logging_collector* logical_decoding_work_mem
	maintenance_io_concurrency maintenance_work_mem max_active_replication_origins max_connections max_files_per_process max_function_args
	max_identifier_length max_index_keys max_locks_per_transaction max_logical_replication_workers max_notify_queue_pages
	max_parallel_apply_workers_per_subscription max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather
	max_pred_locks_per_page max_pred_locks_per_relation max_pred_locks_per_transaction max_prepared_transactions max_replication_slots
	max_slot_wal_keep_size max_stack_depth max_standby_archive_delay max_standby_streaming_delay max_sync_workers_per_subscription
	max_wal_senders max_wal_size max_worker_processes md5_password_warnings* min_dynamic_shared_memory min_parallel_index_scan_size
	min_parallel_table_scan_size min_wal_size multixact_member_buffers multixact_offset_buffers notify_buffers num_os_semaphores
	oauth_validator_libraries old_snapshot_threshold parallel_leader_participation* parallel_setup_cost parallel_tuple_cost password_encryption
	plan_cache_mode port post_auth_delay pre_auth_delay primary_conninfo primary_slot_name promote_trigger_file quote_all_identifiers*
	random_page_cost recovery_end_command recovery_init_sync_method recovery_min_apply_delay recovery_prefetch* recovery_target
	recovery_target_action recovery_target_inclusive* recovery_target_lsn recovery_target_name recovery_target_time recovery_target_timeline
	recovery_target_xid recursive_worktable_factor remove_temp_files_after_crash* reserved_connections restart_after_crash* restore_command
	restrict_nonsystem_relation_kind row_security* scram_iterations search_path segment_size send_abort_for_crash* send_abort_for_kill*
	seq_page_cost serializable_buffers server_encoding server_version server_version_num session_preload_libraries session_replication_role
	shared_buffers shared_memory_size shared_memory_size_in_huge_pages shared_memory_type shared_preload_libraries ssl* ssl_ca_file
	ssl_cert_file ssl_ciphers ssl_crl_dir ssl_crl_file ssl_dh_params_file ssl_ecdh_curve ssl_groups ssl_key_file ssl_library
	ssl_max_protocol_version ssl_min_protocol_version ssl_passphrase_command ssl_passphrase_command_supports_reload* ssl_prefer_server_ciphers*
	ssl_tls13_ciphers standard_conforming_strings* statement_timeout stats_fetch_consistency subtransaction_buffers summarize_wal*
	superuser_reserved_connections sync_replication_slots* synchronize_seqscans* synchronized_standby_slots synchronous_commit*
	synchronous_standby_names syslog_facility syslog_ident syslog_sequence_numbers* syslog_split_messages* tcp_keepalives_count
	tcp_keepalives_idle tcp_keepalives_interval tcp_user_timeout temp_buffers temp_file_limit temp_tablespaces timezone_abbreviations
	trace_connection_negotiation* trace_notify* trace_recovery_messages trace_sort* track_activities* track_activity_query_size
	track_commit_timestamp* track_cost_delay_timing* track_counts* track_functions track_io_timing* track_wal_io_timing* transaction_buffers
	transaction_deferrable* transaction_isolation transaction_read_only* transaction_timeout transform_null_equals* unix_socket_directories
	unix_socket_group unix_socket_permissions update_process_title* vacuum_buffer_usage_limit vacuum_cost_delay vacuum_cost_limit
	vacuum_cost_page_dirty vacuum_cost_page_hit vacuum_cost_page_miss vacuum_defer_cleanup_age vacuum_failsafe_age vacuum_freeze_min_age
	vacuum_freeze_table_age vacuum_max_eager_freeze_failure_rate vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age
	vacuum_multixact_freeze_table_age vacuum_truncate* wal_block_size wal_buffers wal_compression* wal_consistency_checking
	wal_decode_buffer_size wal_init_zero* wal_keep_size wal_level wal_log_hints* wal_receiver_create_temp_slot* wal_receiver_status_interval
	wal_receiver_timeout wal_recycle* wal_retrieve_retry_interval wal_segment_size wal_sender_timeout wal_skip_threshold wal_summary_keep_time
	wal_sync_method wal_writer_delay wal_writer_flush_after work_mem xmlbinary xmloption zero_damaged_pages*
', E' \t\n'), '\s+') AS s (name)
)
INSERT INTO answer.route (route_id, position, pattern, kind, tool, args, expect, lists, examples, description, seed)
SELECT v.route_id, (1000000 OPERATOR(pg_catalog.+) (10 OPERATOR(pg_catalog.*) v.n))::pg_catalog.int4, v.pattern,
	v.kind::@extschema@.answer_route_kind, 'postgres_setting', '{"name": "{name}"}', v.expect::pg_catalog.jsonb,
	pg_catalog.jsonb_build_object('name', (SELECT pg_catalog.jsonb_agg(s.name ORDER BY s.name COLLATE "C") FROM setting s
		WHERE s.switches OR v.expect IS NULL)),
	v.examples::pg_catalog.text[], v.description, true
FROM (VALUES
	(23, 'postgres.setting.named', '(what is | show) [the] {name:list}',
	 'interrogative', NULL,
	 '{"What is max_connections?","Show work_mem."}',
	 'A configuration parameter of PostgreSQL, by its name alone.'),
	(24, 'postgres.setting.named.on', '(is {name:list} [set to] (on | true | yes | enabled) | {name:list} is [set to] (on | true | yes | enabled))',
	 'declarative', '{"op": "in", "value": [true, "on"]}',
	 '{"Is fsync on?","synchronous_commit is enabled."}',
	 'Whether a parameter of PostgreSQL is on, by its name alone.'),
	(25, 'postgres.setting.named.off', '(is {name:list} [set to] (off | false | no | disabled) | {name:list} is [set to] (off | false | no | disabled))',
	 'declarative', '{"op": "in", "value": [false, "off"]}',
	 '{"Is fsync off?","archive_mode is disabled."}',
	 'Whether a parameter of PostgreSQL is off, by its name alone.')
) AS v (n, route_id, pattern, kind, expect, examples, description);

-- What is read in the middle of a statement must not be cached as the state of the table.
CREATE TRIGGER route_changing BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON answer.route
FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changing();
CREATE TRIGGER route_inserted AFTER INSERT ON answer.route REFERENCING NEW TABLE AS changed_to
FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed();
CREATE TRIGGER route_updated AFTER UPDATE ON answer.route REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed();
CREATE TRIGGER route_deleted AFTER DELETE ON answer.route REFERENCING OLD TABLE AS changed_from
FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed();
CREATE TRIGGER route_truncated AFTER TRUNCATE ON answer.route
FOR EACH STATEMENT EXECUTE FUNCTION answer.route_changed();
ALTER TABLE answer.route ENABLE ALWAYS TRIGGER route_changing;
ALTER TABLE answer.route ENABLE ALWAYS TRIGGER route_inserted;
ALTER TABLE answer.route ENABLE ALWAYS TRIGGER route_updated;
ALTER TABLE answer.route ENABLE ALWAYS TRIGGER route_deleted;
ALTER TABLE answer.route ENABLE ALWAYS TRIGGER route_truncated;
-- Logical replication applies row by row and fires no statement triggers.
CREATE TRIGGER route_replicated AFTER INSERT OR UPDATE OR DELETE ON answer.route
FOR EACH ROW EXECUTE FUNCTION answer.route_changed();
ALTER TABLE answer.route ENABLE REPLICA TRIGGER route_replicated;
CREATE TRIGGER route_seed BEFORE INSERT ON answer.route
FOR EACH ROW WHEN (new.seed) EXECUTE FUNCTION answer.route_seed();
