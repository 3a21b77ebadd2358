
/* option: the members of a document that replaces many arguments */

CREATE FUNCTION answer.options_check(options jsonb, known jsonb, document text DEFAULT 'options', part text DEFAULT 'option') RETURNS void
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	member	record;
	wrong	text;
BEGIN
	IF options IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = format('%s must not be null', document);
	END IF;
	IF jsonb_typeof(options) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('%s must be an object, and is %s', document, @extschema@.answer_readable(options)),
			hint = CASE part WHEN 'option' THEN 'Give {} if there are no options.' ELSE 'Give {"name": ...}.' END;
	END IF;
	FOR member IN SELECT o.key, o.value, known ->> o.key AS type FROM jsonb_each(options) AS o ORDER BY o.key COLLATE "C" LOOP
		IF member.type IS NULL THEN
			RAISE EXCEPTION USING errcode = '22023', message = format('unknown %s "%s"', part, member.key),
				hint = format('%ss are %s.', initcap(part), (SELECT string_agg(k, ', ' ORDER BY k COLLATE "C") FROM jsonb_object_keys(known) AS k));
		END IF;
		wrong := CASE
			WHEN jsonb_typeof(member.value) = 'null' THEN NULL
			WHEN member.type = 'strings' THEN CASE WHEN jsonb_typeof(member.value) <> 'array'
				OR member.value @? 'strict $[*] ? (@.type() != "string")' THEN 'an array of strings' END
			WHEN member.type = 'integer' THEN CASE WHEN jsonb_typeof(member.value) <> 'number'
				OR (member.value)::numeric <> trunc((member.value)::numeric) OR abs((member.value)::numeric) > 2147483647 THEN 'an integer' END
			WHEN member.type <> 'any' AND jsonb_typeof(member.value) <> member.type THEN concat('of type ', member.type) END;
		IF wrong IS NOT NULL THEN
			RAISE EXCEPTION USING errcode = '22023', message = format('%s "%s" must be %s', part, member.key, wrong),
				detail = format('It is %s.', @extschema@.answer_readable(member.value));
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.options_check(jsonb, jsonb, text, text) IS
'Refuses unknown members of a document and members of the wrong type; not for direct use.';
REVOKE ALL ON FUNCTION answer.options_check(jsonb, jsonb, text, text) FROM PUBLIC;

CREATE FUNCTION answer.option_texts(options jsonb, name text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$SELECT CASE jsonb_typeof(options -> name) WHEN 'array' THEN ARRAY(SELECT jsonb_array_elements_text(options -> name)) END$$;
COMMENT ON FUNCTION answer.option_texts(jsonb, text) IS
'Returns an option that is an array of strings; not for direct use.';
REVOKE ALL ON FUNCTION answer.option_texts(jsonb, text) FROM PUBLIC;
