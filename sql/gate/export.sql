
/* exports: runs in formats that other tools read */

CREATE FUNCTION answer.xml_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	-- XML 1.0 cannot represent these characters in any way
	SELECT replace(replace(replace(replace(regexp_replace(value, '[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]', '?', 'g'),
		'&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;');
END;
COMMENT ON FUNCTION answer.xml_text(text) IS
'Returns a text as XML content, also for attributes; not for direct use.';

CREATE FUNCTION answer.run_junit_of(tenants text[], run text) RETURNS xml
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	body jsonb := answer.run_of(tenants, run);
	took bigint[];
	suite text := body #>> '{suite,name}';
	tests text;
BEGIN
	SELECT r.took INTO took FROM answer.run r WHERE r.tenant = ANY (tenants) AND r.run_id = run;
	SELECT string_agg(format(E'\t\t<testcase classname="%s" name="%s" time="%s"%s', answer.xml_text(suite), answer.xml_text(c.row ->> 'id'),
		to_char(COALESCE(took[c.place], 0) / 1000000.0, 'FM999999990.000000'),
		CASE WHEN c.row ->> 'passed' = 'true' THEN E'/>\n'
		WHEN c.row -> 'error' <> 'null' THEN format(E'>\n\t\t\t<error type="%s" message="%s"/>\n\t\t</testcase>\n',
			answer.xml_text(c.row #>> '{error,sqlstate}'), answer.xml_text(c.row #>> '{error,message}'))
		ELSE format(E'>\n\t\t\t<failure type="%s" message="%s"/>\n\t\t</testcase>\n', answer.xml_text(f.kinds), answer.xml_text(f.reasons)) END),
		'' ORDER BY c.place) INTO tests
	FROM jsonb_array_elements(body -> 'cases') WITH ORDINALITY AS c (row, place), LATERAL (
		SELECT string_agg(s.key, ' ' ORDER BY s.key COLLATE "C"),
			string_agg(concat(s.key, ': ', s.value ->> 'reason'), '; ' ORDER BY s.key COLLATE "C")
		FROM jsonb_each(c.row -> 'scores') AS s WHERE s.value ->> 'passed' <> 'true') AS f (kinds, reasons);
	RETURN format(concat_ws(E'\n', '<testsuites>',
		E'\t<testsuite name="%s" tests="%s" failures="%s" errors="%s" skipped="0" time="%s" timestamp="%s">',
		E'\t\t<properties><property name="run" value="%s"/><property name="digest" value="%s"/><property name="verdict" value="%s"/></properties>',
		E'%s\t</testsuite>', '</testsuites>'), answer.xml_text(suite), body #>> '{summary,cases}',
		(body #>> '{summary,cases}')::int4 - (body #>> '{summary,passed}')::int4 - (body #>> '{summary,errors}')::int4,
		body #>> '{summary,errors}', to_char(COALESCE((SELECT sum(t) FROM unnest(took) AS t), 0) / 1000000.0, 'FM999999990.000000'),
		answer.xml_text(body ->> 'issued_at'), answer.xml_text(run), answer.xml_text(body ->> 'digest'), answer.xml_text(body ->> 'verdict'),
		tests)::xml;
END
$$;
COMMENT ON FUNCTION answer.run_junit_of(text[], text) IS
'Writes a run for answer_run_junit(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_run_junit(run text) RETURNS xml
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_run_junit(text) IS
'Returns a run as a JUnit report, which CI systems read: a testcase for each case, a failure with the attributes that did not pass, an error for a case that raised one. See doc/reference.md#answer_run_junit.';

CREATE FUNCTION answer.run_intoto(run jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_run_intoto'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION answer.run_intoto(jsonb) IS
'Signs a statement about a run that was verified; not for direct use.';

CREATE FUNCTION answer.run_intoto_of(tenants text[], run text) RETURNS jsonb
LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT answer.run_intoto(answer.run_verified(tenants, run));
END;
COMMENT ON FUNCTION answer.run_intoto_of(text[], text) IS
'Signs a statement for answer_run_intoto(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_run_intoto(run text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_receipts'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_run_intoto(text) IS
'Returns a run as an in-toto statement with the predicate test-result/v0.1, in a DSSE envelope signed by the active key. See doc/reference.md#answer_run_intoto.';

REVOKE ALL ON FUNCTION
	answer.xml_text(text),
	answer.run_junit_of(text[], text),
	@extschema@.answer_run_junit(text),
	answer.run_intoto(jsonb),
	answer.run_intoto_of(text[], text),
	@extschema@.answer_run_intoto(text)
FROM PUBLIC;
