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
			format('%1$I[2:]', col)]
		WHEN (SELECT typtype = 'e' FROM pg_type WHERE oid = type) THEN ARRAY[
			format('(SELECT e FROM unnest(enum_range(NULL::%1$s)) AS e WHERE e IS DISTINCT FROM %2$I ORDER BY e LIMIT 1)', type, col),
			format('(SELECT e FROM unnest(enum_range(NULL::%1$s)) AS e WHERE e IS DISTINCT FROM %2$I ORDER BY e DESC LIMIT 1)', type, col)]
		ELSE ARRAY[]::text[] END
		|| format('(SELECT o.%1$I FROM %2$s AS o WHERE o.%1$I IS DISTINCT FROM t.%1$I ORDER BY o.%1$I::text DESC LIMIT 1)', col, place)
		|| format('(SELECT o.%1$I FROM %2$s AS o WHERE o.%1$I IS DISTINCT FROM t.%1$I ORDER BY o.%1$I::text LIMIT 1)', col, place)
		|| 'NULL'::text, NULL) $$;

CREATE TABLE probe.result (place text, what text, statement text, result text);

-- Edits a column of one row, in one way after the other; the first that no constraint refuses counts, or all of them.
CREATE FUNCTION probe.edit(seed text, place regclass, col name, type regtype, thorough boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	spots		tid[];
	spot		tid;
	expression	text;
	statement	text;
	result		text;
	others		text[] := probe.other(place, col, type);
BEGIN
	EXECUTE format('SELECT ARRAY(SELECT ctid FROM %s ORDER BY probe.chance(%L, concat(ctid, %L)) LIMIT %s)', place, seed, col,
		CASE WHEN thorough THEN 6 ELSE 1 END) INTO spots;
	FOREACH spot IN ARRAY spots LOOP
		FOREACH expression IN ARRAY others LOOP
			statement := format('UPDATE %s AS t SET %I = %s WHERE ctid = %L AND %2$I IS DISTINCT FROM (%3$s)', place, col, expression, spot);
			result := probe.tried(place, statement);
			INSERT INTO probe.result VALUES ((SELECT relname FROM pg_class WHERE oid = place), col, statement, result);
			EXIT WHEN NOT thorough AND result <> 'same' AND result NOT LIKE 'refused: %';
		END LOOP;
	END LOOP;
END $$;

-- Removes a row, and puts one there that has another key.
CREATE FUNCTION probe.add_and_remove(seed text, place regclass, key name[], thorough boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	spots		tid[];
	spot		tid;
	columns		text;
	col			record;
	expression	text;
	statement	text;
	result		text;
	relname		text := (SELECT relname FROM pg_class WHERE oid = place);
BEGIN
	SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute
	WHERE attrelid = place AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
	EXECUTE format('SELECT ARRAY(SELECT ctid FROM %s ORDER BY probe.chance(%L, concat(ctid, ''row'')) LIMIT %s)', place, seed,
		CASE WHEN thorough THEN 6 ELSE 1 END) INTO spots;
	FOREACH spot IN ARRAY spots LOOP
		statement := format('DELETE FROM %s WHERE ctid = %L', place, spot);
		INSERT INTO probe.result VALUES (relname, '-', statement, probe.tried(place, statement));
		FOR col IN SELECT attname, atttypid::regtype AS type FROM pg_attribute
			WHERE attrelid = place AND attnum > 0 AND NOT attisdropped AND (attname = ANY (key) OR key = '{}' AND attnum = 1)
		LOOP
			FOREACH expression IN ARRAY probe.other(place, col.attname, col.type) LOOP
				statement := format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM (SELECT (jsonb_populate_record(t, jsonb_build_object(%3$L,'
					' to_jsonb((%4$s)::%5$s)))).* FROM %1$s AS t WHERE ctid = %6$L) AS t', place, columns, col.attname, expression, col.type, spot);
				result := probe.tried(place, statement);
				INSERT INTO probe.result VALUES (relname, '+', statement, result);
				EXIT WHEN NOT thorough AND result <> 'same' AND result NOT LIKE 'refused: %';
			END LOOP;
		END LOOP;
	END LOOP;
END $$;
