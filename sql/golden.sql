
/* the suite that ships, of examples/golden; the Makefile puts the files in */

SELECT answer.suite_store('', 'golden', c.file OPERATOR(pg_catalog.->) 'cases', d.file OPERATOR(pg_catalog.->) 'documents',
	(d.file OPERATOR(pg_catalog.->>) 'now')::pg_catalog.timestamptz, (d.file OPERATOR(pg_catalog.->>) 'version')::pg_catalog.int4)
FROM (SELECT
$golden$
-- include examples/golden/cases.json
$golden$::pg_catalog.jsonb) AS c (file), (SELECT
$golden$
-- include examples/golden/documents.json
$golden$::pg_catalog.jsonb) AS d (file);

-- After a restore, its documents come from CREATE EXTENSION.
DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['document_set', 'document', 'chunk', 'chunk_search', 'chunk_item', 'chunk_embedding'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name),
			'WHERE tenant OPERATOR(pg_catalog.<>) ALL (SELECT s.document_set FROM answer.suite s WHERE s.seed)');
	END LOOP;
END
$$;
