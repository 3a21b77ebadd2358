
/* suggest: routes to a user's own table, as statements to read and to run */

CREATE FUNCTION answer.route_values(caller text, tenant text, list jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_route_values'
LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION answer.route_values(text, text, jsonb) IS
'Returns the values that answer_route_register() would read for a list {"table", "column"}, with the privileges of that role; not for direct use.';

-- In camelCase, an upper-case letter begins a word. Characters of other scripts that are no letters are found by
-- trying the example.
CREATE FUNCTION answer.route_words(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT lower(btrim(regexp_replace(regexp_replace(name COLLATE "C", '([a-z0-9])([A-Z])', E'\\1 \\2', 'g'),
		E'[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007f]+', ' ', 'g')) COLLATE "C")
$$;
COMMENT ON FUNCTION answer.route_words(text) IS
'Returns a name from the catalog as the words of a question, empty if it has none; not for direct use.';

-- The plural is that of lists (route/1); the singular is the word that has this plural, as far as its letters show.
CREATE FUNCTION answer.route_noun(words text, OUT one text, OUT many text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT CASE WHEN NOT w.is_latin THEN words
			WHEN words ~ '[^aeiou]ies$' THEN left(words, -3) || 'y'
			WHEN words ~ '(ss|x|z|ch|sh)es$' THEN left(words, -2)
			WHEN words ~ '[^s]s$' THEN left(words, -1)
			ELSE words END,
		CASE WHEN NOT w.is_latin OR words ~ '[^s]s$' THEN words
			WHEN words ~ '(s|x|z|ch|sh)$' THEN words || 'es'
			WHEN words ~ '[^aeiou]y$' THEN left(words, -1) || 'ies'
			ELSE words || 's' END
	FROM (SELECT words COLLATE "C" ~ '(^| )[a-z]{2,}$') AS w (is_latin)
$$;
COMMENT ON FUNCTION answer.route_noun(text) IS
'Returns the singular and the plural for something with these words as its name; not for direct use.';

-- A suggestion never replaces a function of the user: its name must be free, or belong to a function with the same
-- text.
CREATE FUNCTION answer.route_handler(caller text, schema name, wanted text, body text, taken name[], OUT handler name, OUT is_there boolean)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	attempt text;
	other text;
BEGIN
	FOR n IN 1 .. 1000 LOOP
		attempt := wanted || CASE WHEN n > 1 THEN '_' || n ELSE '' END;
		-- the server would truncate names longer than 63 bytes, and two names could become one
		handler := CASE WHEN octet_length(attempt) < 64 THEN attempt ELSE left(attempt, 12) || '_' || left(md5(attempt), 12) END;
		CONTINUE WHEN handler = ANY (taken);
		-- only its owner can replace a function
		SELECT CASE WHEN p.proowner = (SELECT r.oid FROM pg_roles r WHERE r.rolname = caller) AND NOT p.prosecdef AND p.proconfig IS NULL
			AND p.prolang = (SELECT l.oid FROM pg_language l WHERE l.lanname = 'sql') THEN p.prosrc END
		INTO other FROM pg_proc p JOIN pg_namespace s ON s.oid = p.pronamespace
		WHERE s.nspname = schema AND p.proname = handler AND p.proargtypes = '3802'::oidvector;
		is_there := FOUND;
		EXIT WHEN NOT is_there OR other = body;
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.route_handler(text, name, text, text, name[]) IS
'Returns a free name for a function (jsonb), or that of a function with this text; not for direct use.';

CREATE FUNCTION answer.route_answers(route jsonb, example text, earlier jsonb) RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT COALESCE(answer.route_replay(jsonb_build_object('schema', 'answer/v1', 'mode', 'question', 'question', example, 'checks', '[]'::jsonb,
			'route', jsonb_build_object('router_sha256', substr(@extschema@.answer_digest(t.content), 8))), t.content)
		#>> '{route,route_id}' = route ->> 'route_id', false)
	FROM (SELECT jsonb_build_object('router_version', 'route/1', 'routes', earlier || route)) AS t (content)
$$;
COMMENT ON FUNCTION answer.route_answers(jsonb, text, jsonb) IS
'Returns whether a route answers an example if these routes come earlier; not for direct use.';

-- The uses of a column: values to choose rows by, a switch, a number to add up, an instant.
CREATE FUNCTION answer.route_columns(caller text, relation regclass)
RETURNS TABLE (n smallint, name name, words text, use text, typename text)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
	WITH key AS (
		-- a column that identifies rows or references other tables is not to be added up
		SELECT i.indkey[0] AS n, true AS is_unique FROM pg_index i
		WHERE i.indrelid = relation AND i.indisunique AND i.indnkeyatts = 1 AND i.indkey[0] > 0 AND i.indpred IS NULL
		UNION ALL SELECT unnest(k.conkey), false FROM pg_constraint k WHERE k.conrelid = relation AND k.contype IN ('p', 'f')
	)
	SELECT a.attnum, a.attname, w.words, CASE
			WHEN t.typcategory IN ('S', 'E') AND NOT EXISTS (SELECT FROM key WHERE key.n = a.attnum AND key.is_unique) THEN 'values'
			WHEN t.typcategory = 'B' THEN 'switch'
			WHEN t.typcategory = 'N' AND t.typname !~ '^(money$|oid$|reg)' AND a.attidentity = '' AND w.words !~ '(^| )id$'
				AND NOT EXISTS (SELECT FROM key WHERE key.n = a.attnum) THEN 'sum'
			WHEN t.typcategory = 'D' AND t.typname !~ '^time(tz)?$' THEN 'latest' END,
		format_type(a.atttypid, -1)
	FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid, LATERAL (SELECT answer.route_words(a.attname)) AS w (words)
	WHERE a.attrelid = relation AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(caller::name, relation, a.attnum, 'SELECT')
$$;
COMMENT ON FUNCTION answer.route_columns(text, regclass) IS
'Returns the columns of a table that a role may read, and what questions can do with each; not for direct use.';

-- The questions about a table, for all rows and for chosen ones: patterns, and how their examples begin.
CREATE FUNCTION answer.route_heads(caller text, relation regclass, noun text)
RETURNS TABLE (kind text, name name, value text, condition text, described text, pattern text, question text, chosen text, behind text,
	are text, have text)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
	WITH named AS (
		SELECT s.many, format(CASE s.one WHEN s.many THEN '%s' ELSE '(%s | %s)' END, s.one, s.many) AS thing, s.one
		FROM answer.route_noun(noun) AS s
	), asked AS (
		SELECT c.*, regexp_replace(c.words, '^(is|has) ', '') AS said, count(*) FILTER (WHERE c.use = 'latest') OVER () AS instants
		FROM answer.route_columns(caller, relation) AS c WHERE c.words <> ''
	)
	SELECT h.kind, h.name, h.value, h.condition, h.described, h.pattern, h.question, h.chosen, h.behind, h.are, h.have
	FROM (
		SELECT 0::smallint AS n, 'count' AS kind, NULL::name AS name, 'count(*)' AS value, NULL AS condition, 'How many there are in %s' AS described,
			format('(how many %s (are there | do we have | exist) | what is the number of %1$s)', t.thing) AS pattern,
			format('How many %s are there', t.many) AS question,
			format('how many %s [(are | have)]', t.thing) AS chosen, ' [(are there | do we have)]' AS behind,
			format('How many %s are', t.many) AS are, format('How many %s have', t.many) AS have
		FROM named AS t
		UNION ALL SELECT a.n, 'count', a.name, 'count(*)', format('t.%I', a.name), 'How many are ' || a.said || ' in %s',
			format('how many %s (are | have) %s', t.thing, a.said), format('How many %s are %s', t.many, a.said), NULL, NULL, NULL, NULL
		FROM named AS t, asked AS a WHERE a.use = 'switch'
		UNION ALL SELECT a.n, 'sum', a.name, format('COALESCE(sum(t.%I), 0)', a.name), NULL, 'The total of ' || a.words || ' in %s',
			s.pattern, s.question, s.pattern || ' [(that | which) (are | have)]', '', s.question, s.question || ' with'
		FROM named AS t, asked AS a, LATERAL (SELECT format('what is the (total | sum of) %s of [all] %s', a.words, t.thing),
			format('What is the total %s of %s', a.words, t.many)) AS s (pattern, question) WHERE a.use = 'sum'
		UNION ALL SELECT a.n, 'latest', a.name, format('max(t.%I)', a.name), NULL, 'The latest ' || a.words || ' in %s',
			s.pattern, s.question, s.pattern || ' [(that | which) (is | are | has | have)]', '', s.question, s.question || ' with'
		FROM named AS t, asked AS a, LATERAL (SELECT format(CASE a.instants WHEN 1
				THEN '(when was the (latest | last | newest) %2$s | what is the (latest | last | newest) %1$s of [all] %2$s)'
				ELSE 'what is the (latest | last | newest) %1$s of [all] %2$s' END, a.words, t.thing),
			CASE a.instants WHEN 1 THEN 'When was the latest ' || t.one ELSE format('What is the latest %s of %s', a.words, t.many) END) AS s (pattern, question)
		WHERE a.use = 'latest'
	) AS h ORDER BY array_position('{count,sum,latest}', h.kind), h.n
$$;
COMMENT ON FUNCTION answer.route_heads(text, regclass, text) IS
'Returns what can be asked about a table: how many, which total, when last; not for direct use.';

-- How rows are chosen: all of them, or by the values of a column.
CREATE FUNCTION answer.route_choices(caller text, tenant text, relation regclass, relation_name text, most integer)
RETURNS TABLE (name name, words text, list jsonb, list_values jsonb, condition text)
LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	item record;
	-- also if a view reads such a table
	is_guarded boolean := (WITH RECURSIVE seen (oid) AS (
			SELECT relation::oid
			UNION SELECT d.refobjid FROM seen s JOIN pg_rewrite w ON w.ev_class = s.oid
			JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
		) SELECT bool_or(c.relrowsecurity) FROM seen s JOIN pg_class c ON c.oid = s.oid);
	problem text;
BEGIN
	RETURN NEXT;
	FOR item IN SELECT c.* FROM answer.route_columns(caller, relation) AS c WHERE c.use = 'values' AND c.words <> '' ORDER BY c.n LOOP
		name := item.name;
		words := item.words;
		condition := format('t.%I = ($1 ->> %L)::%s', item.name, item.name, item.typename);
		IF is_guarded THEN
			-- a list would show everybody what the policies show only to some
			condition := format('lower(t.%I::text) = lower($1 ->> %L)', item.name, item.name);
			RETURN NEXT;
			CONTINUE;
		END IF;
		list := jsonb_build_object('table', relation_name, 'column', item.name);
		list_values := answer.route_values(caller, tenant, list);
		problem := CASE WHEN list_values = '[]' THEN 'it has no value yet'
			WHEN jsonb_array_length(list_values) > most THEN format('it has more than %s values', most) END;
		IF problem IS NULL THEN
			RETURN NEXT;
		ELSE
			RAISE NOTICE 'no question is suggested for column "%" of %: %', item.name, relation_name, problem;
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.route_choices(text, text, regclass, text, integer) IS
'Returns how rows of a table can be chosen, and by the values of which columns; not for direct use.';

CREATE FUNCTION answer.route_suggested(caller text, tenant text, relation regclass) RETURNS jsonb
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	-- a column with more values has names, not categories; further rows are not read
	most_values CONSTANT integer := 500;
	most_rows CONSTANT integer := 60;
	target record;
	whole text;
	prefix text;
	is_shared boolean := tenant = '';
	one record;
	form record;
	problem text;
	route jsonb;
	earlier jsonb := '[]';
	taken name[] := '{}';
	body text;
	made record;
	described jsonb;
	route_id text;
	statement text;
	rows jsonb := '[]';
BEGIN
	IF relation IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'relation must not be null';
	END IF;
	SELECT c.relkind, c.relpersistence, s.nspname AS schema, c.relname AS name, answer.route_words(c.relname) AS words INTO target
	FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE c.oid = relation;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '42P01', message = format('relation with OID %s does not exist', relation::oid);
	END IF;
	whole := format('%I.%I', target.schema, target.name);
	IF target.relkind NOT IN ('r', 'p', 'v', 'm', 'f') OR target.relpersistence = 't'
		OR target.schema IN ('pg_catalog', 'information_schema', 'pg_toast', 'answer') THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('no routes can be suggested for %s', whole),
			hint = 'Name a table, a view or a foreign table that is not temporary and belongs neither to the server nor to the extension.';
	END IF;
	IF target.words = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('no question can name %s, because its name has no word', whole),
			hint = 'Make a view of it whose name has words.';
	END IF;
	IF NOT has_any_column_privilege(caller::name, relation, 'SELECT') THEN
		RAISE EXCEPTION USING errcode = '42501', message = format('permission denied for table %s', whole),
			hint = 'The table is read with your rights, so you need SELECT on it.';
	END IF;
	prefix := CASE target.schema WHEN 'public' THEN '' ELSE quote_ident(target.schema) || '.' END || quote_ident(target.name);

	FOR one IN
		WITH choice AS MATERIALIZED (
			SELECT c.*, c.list_values ->> 0 AS example,
				-- a refusal names the slot
				CASE WHEN replace(c.words, ' ', '_') ~ '^[a-z][a-z0-9_]{0,62}$' THEN replace(c.words, ' ', '_') ELSE 'value' END AS slot
			FROM answer.route_choices(caller, tenant, relation, whole, most_values) WITH ORDINALITY AS c (name, words, list, list_values, condition, n)
		)
		SELECT h.kind, h.name AS what, h.value, concat_ws(' AND ', h.condition, c.condition) AS condition,
			format(h.described, whole) || COALESCE(', by ' || c.words, '') AS described, c.name AS choice, c.slot, c.list, c.list_values,
			CASE WHEN c.name IS NULL THEN jsonb_build_array(ARRAY[h.pattern, h.question])
				WHEN c.list IS NULL THEN jsonb_build_array(ARRAY[format('%s [with] [the] %s {%s:words}', h.chosen, c.words, c.slot), format('%s the %s x', h.have, c.words)])
				-- in the usual order of questions, then by the column's name, then without optional words
				ELSE jsonb_build_array(
					ARRAY[format('%s [in | of | from | with | for | at] [the] [%s] {%s:list}%s', h.chosen, c.words, c.slot, h.behind), format('%s in %s', h.are, c.example)],
					ARRAY[format('%s [in | of | from | with | for | at] [the] [%s] {%s:list}%s', h.chosen, c.words, c.slot, h.behind), format('%s the %s %s', h.have, c.words, c.example)],
					ARRAY[format('%s [with] [the] %s {%s:list}', h.chosen, c.words, c.slot), format('%s the %s %s', h.have, c.words, c.example)])
					- CASE WHEN c.words ~ '(^| )(country|city|town|region|district|place|location|department)$' THEN 3 ELSE 0 END
			END AS forms
		FROM answer.route_heads(caller, relation, target.words) WITH ORDINALITY AS h (kind, name, value, condition, described, pattern, question, chosen, behind, are, have, n)
		JOIN choice AS c ON c.name IS NULL OR h.chosen IS NOT NULL
		ORDER BY h.n, c.n
	LOOP
		IF jsonb_array_length(earlier) = most_rows THEN
			RAISE NOTICE 'there are more questions about %; these are the first %', whole, most_rows;
			EXIT;
		END IF;
		route_id := concat_ws('.', prefix, one.kind, quote_ident(one.what), quote_ident(one.choice));
		problem := NULL;
		FOR form IN SELECT f.form ->> 0 AS pattern, (f.form ->> 1) || '?' AS question FROM jsonb_array_elements(one.forms) WITH ORDINALITY AS f (form, n) ORDER BY f.n LOOP
			route := jsonb_build_object('route_id', route_id, 'pattern', form.pattern, 'kind', 'interrogative', 'tool', route_id,
					'args', CASE WHEN one.choice IS NULL THEN '{}' ELSE jsonb_build_object(one.choice, format('{%s}', one.slot)) END)
				|| CASE WHEN one.list IS NULL THEN '{}' ELSE jsonb_build_object('lists', jsonb_build_object(one.slot, one.list_values)) END;
			problem := answer.route_problem(route);
			CONTINUE WHEN problem IS NOT NULL;
			EXIT WHEN answer.route_answers(route, form.question, earlier);
			problem := format('would not answer "%s"', form.question);
		END LOOP;
		IF problem IS NOT NULL THEN
			RAISE NOTICE 'route "%" is left out: it %', route_id, problem;
			CONTINUE;
		END IF;

		earlier := earlier || route;
		body := concat_ws(' WHERE ', format('SELECT to_jsonb(%s) FROM %s AS t', one.value, whole), NULLIF(one.condition, ''));
		made := answer.route_handler(caller, target.schema, concat_ws('_', target.name, one.kind, one.what, one.choice), body, taken);
		taken := taken || made.handler;
		described := jsonb_build_object('description', one.described);
		statement := concat_ws(E'\n',
			CASE WHEN NOT made.is_there THEN format('CREATE FUNCTION %I.%I(jsonb) RETURNS jsonb STABLE STRICT LANGUAGE sql AS %s;', target.schema, made.handler,
				CASE WHEN strpos(body, '$sql$') = 0 THEN '$sql$' || body || '$sql$' ELSE quote_literal(body) END) END,
			CASE WHEN is_shared THEN format('SELECT @extschema@.answer_source_register(%L);', whole) END,
			format('SELECT @extschema@.answer_tool_register(%L, %L, %sfreshness => ''1 minute'', options => %L);', route_id,
				format('%I.%I(jsonb)', target.schema, made.handler),
				CASE WHEN one.choice IS NOT NULL THEN 'required_args => ' || quote_literal(ARRAY[one.choice]) || ', ' END,
				described || CASE WHEN is_shared THEN jsonb_build_object('source', whole) ELSE '{}' END),
			format('SELECT @extschema@.answer_route_register(%L, %L, ''interrogative'', %L, %L, examples => %L, options => %L);', route_id, form.pattern,
				route_id, route -> 'args', ARRAY[form.question],
				described || CASE WHEN one.list IS NULL THEN '{}' ELSE jsonb_build_object('lists', jsonb_build_object(one.slot, one.list)) END));
		rows := rows || jsonb_build_array(jsonb_build_array(route_id, form.pattern, form.question, statement));
	END LOOP;
	RETURN rows;
END
$$;
COMMENT ON FUNCTION answer.route_suggested(text, text, regclass) IS
'Returns what answer_route_suggest() suggests to a role, with its privileges; not for direct use.';

CREATE FUNCTION @extschema@.answer_route_suggest(relation regclass)
RETURNS TABLE (route_id text, pattern text, question text, statement text)
AS 'MODULE_PATHNAME', 'answer_eval_route_suggest'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_route_suggest(regclass) IS
'Suggests routes to a table of yours, each with the statements that register it. See doc/reference.md#answer_route_suggest.';

REVOKE ALL ON FUNCTION
	answer.route_values(text, text, jsonb),
	answer.route_words(text),
	answer.route_noun(text),
	answer.route_handler(text, name, text, text, name[]),
	answer.route_answers(jsonb, text, jsonb),
	answer.route_columns(text, regclass),
	answer.route_heads(text, regclass, text),
	answer.route_choices(text, text, regclass, text, integer),
	answer.route_suggested(text, text, regclass),
	@extschema@.answer_route_suggest(regclass)
FROM PUBLIC;
