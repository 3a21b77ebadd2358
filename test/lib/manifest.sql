-- The lines of sql/catalog.sha256, of the extension in a schema whose name stands nowhere else, so that it can be told
-- apart from everything.  For psql -A -t, in a database without the extension.
SET client_min_messages = warning;
CREATE SCHEMA the_schema_of_the_extension;
CREATE EXTENSION answer_eval SCHEMA the_schema_of_the_extension;
\qecho '# The objects of the extension. Made by `make manifest`; not to be edited. Separated by tabs:'
\qecho '# the SHA-256 of what answer.catalog() says of it, with @extschema@ for the name of the extension''s schema; the object;'
\qecho '# the bytes at which @extschema@ stands; what is not in ASCII, which some databases cannot hold.'
WITH line AS (
	SELECT replace(object, 'the_schema_of_the_extension', '@extschema@') AS object,
		replace(state, 'the_schema_of_the_extension', '@extschema@') AS state
	FROM answer.catalog()),
mark AS (
	SELECT l.object, sum(octet_length(t.piece)) OVER w + (t.n - 1) * octet_length('@extschema@') AS place, count(*) OVER (PARTITION BY l.object) > t.n AS is_mark
	FROM line l, string_to_table(l.state, '@extschema@') WITH ORDINALITY AS t (piece, n)
	WINDOW w AS (PARTITION BY l.object ORDER BY t.n))
SELECT rtrim(concat_ws(E'\t', encode(sha256(convert_to(l.state, 'UTF8')), 'hex'), l.object,
	coalesce((SELECT string_agg(m.place::text, ',' ORDER BY m.place) FROM mark m WHERE m.object = l.object AND m.is_mark), ''),
	CASE WHEN l.object LIKE 'row %' THEN (SELECT string_agg(DISTINCT code[1], '') FROM regexp_matches(l.object || l.state, '\\u[0-9a-f]{4}', 'g') AS code) END), E'\t')
FROM line l ORDER BY l.object COLLATE "C";
