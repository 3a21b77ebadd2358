-- Creating the extension, dropping it, and creating it in a schema whose name needs quoting.
\set VERBOSITY terse
SET client_min_messages = warning;
SET timezone = 'UTC';

CREATE EXTENSION answer_eval;

-- What it makes, but for functions, which the test "privilege" lists.
CREATE VIEW made AS
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS object
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE e.extname = 'answer_eval' AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
-- array types and row types are members since PostgreSQL 17 only
AND (d.classid <> 'pg_type'::regclass
	OR d.objid IN (SELECT t.oid FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
		WHERE t.typtype = 'e' OR c.relkind = 'c'))
AND d.classid <> 'pg_proc'::regclass;
SELECT object FROM made ORDER BY object COLLATE "C";

-- Everything of it has a COMMENT, and so has every column of its tables, views and composite types.
SELECT pg_describe_object(o.classid, o.objid, o.objsubid) AS lacks_a_comment
FROM (SELECT d.classid, d.objid, 0 AS objsubid
		FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
		WHERE e.extname = 'answer_eval' AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
		-- array types and row types are members since PostgreSQL 17 only
		AND (d.classid <> 'pg_type'::regclass
			OR d.objid IN (SELECT t.oid FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
				WHERE t.typtype = 'e' OR c.relkind = 'c'))
	UNION ALL SELECT 'pg_class'::regclass, a.attrelid, a.attnum
		FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
		LEFT JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid AND t.typtype = 'c'
		JOIN pg_class c ON c.oid = CASE WHEN d.classid = 'pg_class'::regclass THEN d.objid ELSE t.typrelid END
		JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE e.extname = 'answer_eval' AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
		AND (c.relkind IN ('r', 'p', 'v') AND d.classid = 'pg_class'::regclass
			OR c.relkind = 'c' AND d.classid = 'pg_type'::regclass)
		AND a.attnum > 0 AND NOT a.attisdropped) AS o (classid, objid, objsubid)
WHERE NOT EXISTS (SELECT FROM pg_description s
	WHERE s.classoid = o.classid AND s.objoid = o.objid AND s.objsubid = o.objsubid)
ORDER BY pg_describe_object(o.classid, o.objid, o.objsubid) COLLATE "C";

-- The version has one home.
SELECT e.extversion = a.default_version AS default_version, NOT e.extrelocatable AS fixed_schema
FROM pg_extension e JOIN pg_available_extensions a ON a.name = e.extname
WHERE e.extname = 'answer_eval';
\set VERBOSITY sqlstate
ALTER EXTENSION answer_eval SET SCHEMA pg_catalog;
CREATE EXTENSION answer_eval;
\set VERBOSITY terse

-- pg_upgrade makes a view anew from the text of the old one. It must read the same then, for the audit compares it.
DO $$
DECLARE
	shipped	record;
BEGIN
	FOR shipped IN
		SELECT c.relname, pg_get_viewdef(c.oid) AS definition
		FROM pg_class c WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'v'
		ORDER BY c.relname COLLATE "C"
	LOOP
		EXECUTE 'CREATE TEMP VIEW again AS ' || shipped.definition;
		IF pg_get_viewdef('pg_temp.again'::regclass) IS DISTINCT FROM shipped.definition THEN
			RAISE WARNING 'view answer.% reads otherwise when it is made anew', shipped.relname;
		END IF;
		DROP VIEW pg_temp.again;
	END LOOP;
END
$$;

-- It has no key until one is needed.
SELECT answer_keys() AS keys;

-- One SELECT gives a signed receipt about real data.
SELECT r.receipt ->> 'verdict' AS verdict, r.receipt ->> 'confidence' AS confidence,
	answer_verify(r.receipt) -> 'ok' AS verified
FROM (SELECT answer_eval('{"checks": [{"tool": "postgres_setting", "args": {"name": "server_encoding"},
	"expect": {"path": "name", "op": "eq", "value": "server_encoding"}}]}') AS receipt) AS r;

SELECT count(*) AS keys, min(status::text) AS status FROM answer.signing_key;

-- Its members stay while it does.
\set VERBOSITY sqlstate
DROP FUNCTION answer_digest(jsonb);
DROP TABLE answer.receipt;
DROP TYPE answer_verdict;
\set VERBOSITY terse

-- Nothing is left behind.
SET answer_eval.allow_drop = on;
DROP EXTENSION answer_eval;
SELECT count(*) AS members FROM made;
SELECT count(*) AS functions FROM pg_proc WHERE proname LIKE 'answer%';
SELECT count(*) AS types FROM pg_type WHERE typname LIKE '%answer%';
SELECT to_regnamespace('answer') AS schema;
\set VERBOSITY sqlstate
SELECT answer_digest('{}');
\set VERBOSITY terse

-- In another schema, in the same session, which may have kept plans and type
-- numbers of the extension that is gone.
CREATE SCHEMA "Other place";
CREATE EXTENSION answer_eval SCHEMA "Other place";
-- what only our own functions call is in the schema answer
SELECT n.nspname AS schema, count(*) > 0 AS has_functions
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'answer_eval'
JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE d.deptype = 'e' GROUP BY 1;
SELECT to_regproc('answer_digest') AS not_on_the_path;

SET search_path = pg_temp;
SELECT "Other place".answer_canonical('{"b": 1, "a": [true, null]}');
SELECT answer.operator('gte', '17.2', '17');
SELECT c.verdict, c.confidence, c.observed
FROM "Other place".answer_check('{"tool": "t", "expect": {"op": "eq", "value": 1}}',
	'{"value": 1, "verification": {"confidence": 0.8}}', '2026-01-01 00:00Z') AS c;
SELECT ("Other place".answer_composite(v.verdict::"Other place".answer_verdict, v.confidence, true)).*
FROM (VALUES ('supported', 0.8), ('value', 0.95)) AS v (verdict, confidence);
SELECT "Other place".answer_source_register('elsewhere');
SELECT "Other place".answer_tool_register('reading', required_args => '{of}', value_path => 'n');
SELECT "Other place".answer_evidence_add('reading', '{"of": "x"}', '{"n": 7}', 'elsewhere',
	'2026-01-01 00:00Z') AS digest;
SELECT "Other place".answer_fact('reading', '{"of": "x"}', '2026-01-02 00:00Z') -> 'value' AS value;
SELECT r.receipt ->> 'verdict' AS verdict, jsonb_path_query_array(r.receipt, '$.checks[*].verdict') AS verdicts,
	"Other place".answer_verify(r.receipt) -> 'ok' AS verified,
	"Other place".answer_verify(r.receipt, "Other place".answer_keys()) -> 'ok' AS with_keys
FROM (SELECT "Other place".answer_eval('{"checks": [
	{"tool": "postgres_server", "expect": {"op": "exists"}},
	{"tool": "reading", "args": {"of": "x"}, "expect": {"op": "eq", "value": 7}}]}') AS receipt) AS r;
SELECT "Other place".answer_verify("Other place".answer_receipt(r.receipt_id)) -> 'ok' AS stored_verifies
FROM answer.receipt r ORDER BY r.issued_at;
SELECT "Other place".answer_key_generate() LIKE 'ae-ed25519-%' AS rotated;
SELECT k.status, count(*) FROM answer.signing_key k GROUP BY 1 ORDER BY 1;
\set VERBOSITY sqlstate
UPDATE answer.receipt SET degraded = true;
\set VERBOSITY terse
RESET search_path;
DROP EXTENSION answer_eval;
DROP SCHEMA "Other place";

-- Its name of the schema of tables is fixed, and it takes none that is there.
\set VERBOSITY sqlstate
CREATE SCHEMA answer;
CREATE EXTENSION answer_eval;
\set VERBOSITY terse
DROP SCHEMA answer;
SELECT count(*) AS members FROM made;

-- A creation that is rolled back leaves nothing, and the next one is none the worse.
BEGIN;
CREATE EXTENSION answer_eval;
SELECT count(*) AS keys FROM answer.signing_key;
ROLLBACK;
SELECT count(*) AS members FROM made;

DROP VIEW made;
