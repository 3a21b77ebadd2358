-- Edits of every column of every table of schema answer, one at a time, each behind the guards and rolled back, and what the
-- audit says of it. Everything comes from the catalog, so a column that is added is edited at once.
SET client_min_messages = warning;
CREATE SCHEMA probe;

-- A number that follows from the seed and a name, whatever else is tried.
CREATE FUNCTION probe.chance(seed text, name text) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
	SELECT abs(hashtextextended(name, hashtextextended(seed, 0)) % 1000000) / 1000000.0 $$;

-- Does a statement against a table, and rolls it back. Result: "refused: ..." by a constraint, "same" where no row
-- changed, "silent", or what the audit found.
CREATE FUNCTION probe.tried(place regclass, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result	text;
	guards	name[] := ARRAY(SELECT tgname FROM pg_trigger WHERE tgrelid = place AND NOT tgisinternal AND tgenabled = 'A');
	guard	name;
	changed	bigint;
BEGIN
	BEGIN
		PERFORM set_config('session_replication_role', 'replica', true);
		FOREACH guard IN ARRAY guards LOOP
			EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', place, guard);
		END LOOP;
		BEGIN
			EXECUTE statement;
			GET DIAGNOSTICS changed = ROW_COUNT;
		EXCEPTION WHEN integrity_constraint_violation OR data_exception THEN
			RAISE EXCEPTION USING errcode = 'PB000', message = concat('refused: ', SQLERRM);
		END;
		FOREACH guard IN ARRAY guards LOOP
			EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', place, guard);
		END LOOP;
		IF changed = 0 THEN
			RAISE EXCEPTION USING errcode = 'PB000', message = 'same';
		END IF;
		SELECT format('%s: %s', finding, detail) INTO result FROM answer_log_audit()
		WHERE finding NOT IN ('forgotten', 'detached') ORDER BY (finding = 'catalog'), finding, detail LIMIT 1;
		RAISE EXCEPTION USING errcode = 'PB000', message = coalesce(result, 'silent');
	EXCEPTION WHEN SQLSTATE 'PB000' THEN
		RETURN SQLERRM;
	END;
END $$;

-- The tables that hold rows.
CREATE VIEW probe.place AS
SELECT c.oid::regclass AS place, c.relname::text AS name, ARRAY(SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
	WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY a.attnum) AS key
FROM pg_class c WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r';

-- What a column could be instead, as expressions of what it is, the likeliest to pass constraints first.
CREATE FUNCTION probe.other(place regclass, col name, type regtype) RETURNS text[] LANGUAGE sql STABLE AS $$
	SELECT array_remove(CASE
		WHEN type IN ('text'::regtype, 'name') THEN ARRAY[
			format('CASE WHEN %1$I ~ ''[0-9a-f]{16}$'' THEN regexp_replace(%1$I, ''.$'', '''') || CASE right(%1$I, 1) WHEN ''0'' THEN ''1'' ELSE ''0'' END ELSE %1$I || ''x'' END', col), quote_literal('x')]
		WHEN type = 'bool'::regtype THEN ARRAY[format('NOT %I', col), 'true']
		WHEN type IN ('int2'::regtype, 'int4', 'int8') THEN ARRAY[format('(%I + 1)::%s', col, type), format('(%I - 1)::%s', col, type), '7']
		WHEN type IN ('numeric'::regtype, 'float8', 'float4') THEN ARRAY[format('(%I / 2 + 0.01)::%s', col, type), format('(%I + 1)::%s', col, type), '0.5']
		WHEN type IN ('timestamptz'::regtype) THEN ARRAY[format('%I + interval ''1 s''', col), format('%I - interval ''1 day''', col), 'now()']
		WHEN type = 'date'::regtype THEN ARRAY[format('%I - 1', col)]
		WHEN type = 'interval'::regtype THEN ARRAY[format('%I + interval ''1 s''', col), quote_literal('1 s')]
		WHEN type = 'bytea'::regtype THEN ARRAY[format('set_byte(%1$I, length(%1$I) - 1, 255 - get_byte(%1$I, length(%1$I) - 1))', col), '''\x00''']
		WHEN type = 'jsonb'::regtype THEN ARRAY[format('CASE jsonb_typeof(%1$I) WHEN ''object'' THEN %1$I || ''{"forged": 1}'' ELSE jsonb_build_array(%1$I) END', col),
			format('CASE jsonb_typeof(%1$I) WHEN ''object'' THEN %1$I - (SELECT min(k) FROM jsonb_object_keys(CASE jsonb_typeof(%1$I) WHEN ''object'' THEN %1$I ELSE ''{}'' END) AS k) ELSE ''{}'' END', col)]
		WHEN (SELECT typcategory = 'A' FROM pg_type WHERE oid = type) THEN ARRAY[
			format('array_append(%1$I, coalesce(%1$I[1], %2$L::%3$s))', col, CASE WHEN type = 'text[]'::regtype THEN 'x' ELSE '7' END, format_type((SELECT typelem FROM pg_type WHERE oid = type), NULL)),
			format('%1$I[2:]', col), CASE type WHEN 'int8[]'::regtype THEN format('ARRAY[%1$I[1] + 1] || %1$I[2:]', col) END]
		WHEN (SELECT typtype = 'e' FROM pg_type WHERE oid = type) THEN ARRAY[
			format('(SELECT e FROM unnest(enum_range(NULL::%1$s)) AS e WHERE e IS DISTINCT FROM %2$I ORDER BY e LIMIT 1)', type, col),
			format('(SELECT e FROM unnest(enum_range(NULL::%1$s)) AS e WHERE e IS DISTINCT FROM %2$I ORDER BY e DESC LIMIT 1)', type, col)]
		ELSE ARRAY[]::text[] END
		|| format('(SELECT o.%1$I FROM %2$s AS o WHERE o.%1$I IS DISTINCT FROM t.%1$I ORDER BY o.%1$I::text DESC LIMIT 1)', col, place)
		|| format('(SELECT o.%1$I FROM %2$s AS o WHERE o.%1$I IS DISTINCT FROM t.%1$I ORDER BY o.%1$I::text LIMIT 1)', col, place)
		|| 'NULL'::text, NULL) $$;

CREATE TABLE probe.result (place text, what text, statement text, result text);

-- Edits a column, of a row that chance chooses: in one way after the other until no constraint refuses one, or in all ways,
-- of another row each.
CREATE FUNCTION probe.edit(seed text, place regclass, col name, type regtype, thorough boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	spot		tid;
	expression	text;
	statement	text;
	result		text;
	others		text[] := probe.other(place, col, type);
BEGIN
	FOREACH expression IN ARRAY others LOOP
		EXECUTE format('SELECT ctid FROM %s ORDER BY probe.chance(%L, concat_ws('' '', ctid, %L, %L)) LIMIT 1', place, seed, col, expression) INTO spot;
		statement := format('UPDATE %s AS t SET %I = %s WHERE ctid = %L AND %2$I IS DISTINCT FROM (%3$s)', place, col, expression, spot);
		result := probe.tried(place, statement);
		INSERT INTO probe.result VALUES ((SELECT relname FROM pg_class WHERE oid = place), '.' || col, statement, result);
		EXIT WHEN NOT thorough AND result <> 'same' AND result NOT LIKE 'refused: %';
	END LOOP;
END $$;

-- The columns of a table that can be written.
CREATE FUNCTION probe.columns(place regclass) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
	WHERE attrelid = place AND attnum > 0 AND NOT attisdropped AND attgenerated = '' $$;

-- Removes a row.
CREATE FUNCTION probe.remove(seed text, place regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	spot		tid;
	statement	text;
BEGIN
	EXECUTE format('SELECT ctid FROM %s ORDER BY probe.chance(%L, concat(ctid, ''row'')) LIMIT 1', place, seed) INTO spot;
	statement := format('DELETE FROM %s WHERE ctid = %L', place, spot);
	INSERT INTO probe.result VALUES ((SELECT relname FROM pg_class WHERE oid = place), ' -', statement, probe.tried(place, statement));
END $$;

-- Puts a row there that is a copy of another under another key, or under the same one where there is no key; also one that
-- says of itself that it was shipped, where a row can.
CREATE FUNCTION probe.add(seed text, place regclass, thorough boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	spot		tid;
	columns		text := probe.columns(place);
	key			name[] := (SELECT p.key FROM probe.place p WHERE p.place = add.place);
	cols		record;
	expression	text;
	statement	text;
	result		text;
BEGIN
	FOR cols IN SELECT a.attname, a.atttypid::regtype AS type, s.shipped FROM pg_attribute a, (SELECT '{}' AS shipped
			UNION ALL SELECT '{"seed": true}' FROM pg_attribute s WHERE s.attrelid = place AND s.attname = 'seed') AS s
		WHERE a.attrelid = place AND a.attnum > 0 AND NOT a.attisdropped AND (a.attname = ANY (key) OR key = '{}' AND a.attnum = 1)
	LOOP
		FOREACH expression IN ARRAY probe.other(place, cols.attname, cols.type) || CASE WHEN key = '{}' THEN quote_ident(cols.attname) END LOOP
			CONTINUE WHEN expression IS NULL;
			EXECUTE format('SELECT ctid FROM %s ORDER BY probe.chance(%L, concat_ws('' '', ctid, %L, %L)) LIMIT 1', place, seed, cols.attname, expression) INTO spot;
			statement := format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM (SELECT (jsonb_populate_record(t, jsonb_build_object(%3$L,'
				' to_jsonb((%4$s)::%5$s)) || %7$L)).* FROM %1$s AS t WHERE ctid = %6$L) AS t', place, columns, cols.attname, expression, cols.type, spot, cols.shipped);
			result := probe.tried(place, statement);
			INSERT INTO probe.result VALUES ((SELECT relname FROM pg_class WHERE oid = place), ' +', statement, result);
			EXIT WHEN NOT thorough AND result <> 'same' AND result NOT LIKE 'refused: %';
		END LOOP;
	END LOOP;
END $$;

-- Keeps all rows as they are, to be put back.
CREATE PROCEDURE probe.keep() LANGUAGE plpgsql AS $$
DECLARE
	p	record;
BEGIN
	FOR p IN SELECT * FROM probe.place LOOP
		EXECUTE format('CREATE TABLE probe.%I AS TABLE %s', 'old_' || p.name, p.place);
	END LOOP;
END $$;

-- Puts back a row that was kept, and has changed or gone since.
CREATE FUNCTION probe.put_back(seed text, place regclass, thorough boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	name		text := (SELECT relname FROM pg_class WHERE oid = place);
	old			regclass := format('probe.%I', 'old_' || name)::regclass;
	columns		text := probe.columns(place);
	key			name[] := (SELECT p.key FROM probe.place p WHERE p.place = put_back.place);
	same		text := (SELECT string_agg(format('t.%I IS NOT DISTINCT FROM o.%1$I', k), ' AND ') FROM unnest(key) AS k);
	spots		tid[];
	spot		tid;
	statement	text;
BEGIN
	EXECUTE format('SELECT ARRAY(SELECT o.ctid FROM %s AS o WHERE o::text NOT IN (SELECT t::text FROM %s AS t) ORDER BY probe.chance(%L, o.ctid::text) LIMIT %s)',
		old, place, seed, CASE WHEN thorough THEN 4 ELSE 1 END) INTO spots;
	FOREACH spot IN ARRAY spots LOOP
		statement := concat(CASE WHEN same IS NOT NULL THEN format('DELETE FROM %s AS t USING %s AS o WHERE o.ctid = %L AND %s; ', place, old, spot, same) END,
			format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %s WHERE ctid = %L', place, columns, old, spot));
		INSERT INTO probe.result VALUES (name, ' <', statement, probe.tried(place, statement));
	END LOOP;
END $$;

-- What is to be tried, or the share of it that chance chooses, but for some tables and some of what a list has: a call for each.
CREATE FUNCTION probe.attempts(seed text, choice text, share float8, thorough boolean, beside text[], allowed text[]) RETURNS SETOF text LANGUAGE sql STABLE AS $$
	SELECT a.call FROM (
		SELECT p.name, '.' || a.attname AS what, format('SELECT probe.edit(%L, %L, %L, %L, %L)', seed, p.place, a.attname, a.atttypid::regtype, thorough) AS call
		FROM probe.place p JOIN pg_attribute a ON a.attrelid = p.place AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity <> 'a'
		UNION ALL SELECT p.name, w.what, format(w.call, seed, p.place, thorough)
		FROM probe.place p, (VALUES (' -', 'SELECT probe.remove(%L, %L)'), (' +', 'SELECT probe.add(%L, %L, %L)'), (' <', 'SELECT probe.put_back(%L, %L, %L)')) AS w (what, call)
	) AS a WHERE a.name <> ALL (beside) AND a.name || a.what <> ALL (allowed) AND probe.chance(choice, concat(a.name, a.what)) < share
	ORDER BY a.name, a.what $$;

-- Is there an edit of this kind that is silent, among those of the first rows?
CREATE FUNCTION probe.is_silent(place regclass, what text, most integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	relname		text := (SELECT c.relname FROM pg_class c WHERE c.oid = place);
	col			name := substr(what, 2);
	type		regtype := (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = place AND a.attname = substr(what, 2));
	spots		tid[];
	spot		tid;
	expression	text;
BEGIN
	EXECUTE format('SELECT ARRAY(SELECT ctid FROM %s ORDER BY ctid DESC LIMIT %s)', place, most) INTO spots;
	FOREACH spot IN ARRAY spots LOOP
		IF what = ' -' AND probe.tried(place, format('DELETE FROM %s WHERE ctid = %L', place, spot)) = 'silent' THEN
			RETURN true;
		END IF;
		FOREACH expression IN ARRAY CASE WHEN type IS NOT NULL THEN probe.other(place, col, type) ELSE '{}' END LOOP
			IF probe.tried(place, format('UPDATE %s AS t SET %I = %s WHERE ctid = %L AND %2$I IS DISTINCT FROM (%3$s)', place, col, expression, spot)) = 'silent' THEN
				RETURN true;
			END IF;
		END LOOP;
	END LOOP;
	FOR n IN 1 .. CASE what WHEN ' +' THEN most WHEN ' <' THEN 1 ELSE 0 END LOOP
		IF what = ' +' THEN
			PERFORM probe.add(n::text, place, true);
		ELSE
			PERFORM probe.put_back('1', place, true);
		END IF;
		IF EXISTS (SELECT FROM probe.result r WHERE r.place = relname AND r.what = is_silent.what AND r.result = 'silent') THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$;
