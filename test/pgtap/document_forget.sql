-- Properties of forgetting: forgotten content is gone everywhere, the rest is unchanged, and the log still verifies.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(24);

CREATE FUNCTION pg_temp.state(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN '00000';
EXCEPTION WHEN others THEN
	RETURN SQLSTATE;
END $$;

-- Forty people, some with two readings or two sources; receipts about one, two or none of them.
SELECT answer_source_register(s) FROM unnest('{file,copy}'::text[]) AS s;
SELECT answer_tool_register('person', required_args => '{id}', value_path => 'name', freshness => '36500 days');
CREATE TEMP TABLE reading AS
	SELECT id, source,
		answer_evidence_add('person', jsonb_build_object('id', id),
			jsonb_build_object('name', format('Secret %s %s', id, s)), source,
			'2026-01-01Z'::timestamptz + id * interval '1 hour') AS digest
	FROM generate_series(1, 40) AS id, unnest('{file,copy}'::text[]) WITH ORDINALITY AS x (source, s)
	WHERE s = 1 OR id % 3 = 0;
CREATE TEMP TABLE asked AS
	SELECT n,
		answer_eval(jsonb_build_object('checks',
			jsonb_build_array(jsonb_build_object('id', 'n' || n, 'tool', 'postgres_setting', 'args',
				'{"name": "port"}'::jsonb))
	||
			CASE WHEN n % 5 > 0 THEN jsonb_build_array(jsonb_build_object('tool', 'person', 'args',
				jsonb_build_object('id', n % 40 + 1))) ELSE '[]' END
	||
			CASE WHEN n % 7 = 0 THEN jsonb_build_array(jsonb_build_object('tool', 'person', 'args',
				jsonb_build_object('id', n % 11 + 1))) ELSE '[]' END)) AS receipt
FROM generate_series(1, 80) AS n;
CREATE TEMP TABLE before AS SELECT receipt_id, body, answer_digest(body) AS digest
FROM answer.receipt WHERE schema = 'answer/v1';
SELECT is((SELECT count(*) FROM before), 80::bigint, 'eighty receipts');
SELECT lives_ok('SELECT answer_log_seal()', 'sealed');
CREATE TEMP TABLE leaf AS SELECT * FROM answer.log_leaf;
CREATE TEMP TABLE checkpoint AS SELECT answer_checkpoint() AS note;

-- Which receipts rest on which reading, found by searching their content.
CREATE TEMP TABLE rests AS SELECT DISTINCT r.id, r.source, r.digest, b.receipt_id
FROM reading AS r
	JOIN before AS b ON b.body::text
		LIKE format('%%"Secret %s %s"%%', r.id, CASE r.source WHEN 'file' THEN 1 ELSE 2 END);
SELECT cmp_ok((SELECT count(DISTINCT digest) FROM rests), '>', 20::bigint, 'most readings are used');

-- A receipt.
CREATE TEMP TABLE one AS
	SELECT receipt ->> 'receipt_id' AS receipt_id, answer_forget(receipt ->> 'receipt_id', 'a test') AS answer
	FROM asked WHERE n = 5;
SELECT is((SELECT answer -> 'receipts' FROM one), (SELECT jsonb_build_array(receipt_id) FROM one),
	'forgetting a receipt forgets that one');
SELECT is((SELECT answer_receipt(receipt_id) ->> 'schema' FROM one), 'answer/tombstone/v1',
	'a tombstone is in its place');
SELECT ok((SELECT (answer_verify(answer_receipt(receipt_id)) -> 'ok')::boolean FROM one), 'which verifies');
SELECT is((SELECT answer_receipt(receipt_id) ->> 'digest' FROM one),
	(SELECT digest FROM before JOIN one USING (receipt_id)), 'and keeps the digest');
SELECT is((SELECT answer_forget(receipt_id, 'again') -> 'forgotten_at' FROM one),
	(SELECT answer -> 'forgotten_at' FROM one), 'forgetting twice is forgetting once');

-- Readings: every third person, by all digests of the person.
CREATE TEMP TABLE gone AS SELECT digest, id, answer_forget(digest, 'a test') AS answer FROM reading WHERE id % 3 = 1;
CREATE TEMP TABLE expected AS SELECT DISTINCT receipt_id FROM rests JOIN gone USING (digest);
SELECT set_eq($$SELECT receipt_id FROM answer.tombstone WHERE receipt_id IS NOT NULL$$,
	'SELECT receipt_id FROM expected UNION SELECT receipt_id FROM one',
	'whatever rests on a forgotten reading is forgotten, and nothing else');
SELECT is_empty($$SELECT e.digest FROM answer.evidence AS e JOIN gone USING (digest) WHERE e::text LIKE '%Secret%'$$,
	'the readings are gone');
SELECT is_empty($$SELECT receipt_id FROM answer.receipt AS r, gone AS g
		WHERE r.body::text ~ format('"Secret %s [12]"', g.id)$$, 'from every receipt');
SELECT is_empty($$SELECT t.digest FROM answer.tombstone AS t WHERE t::text LIKE '%Secret%'$$, 'and no tombstone tells');
SELECT is_empty('SELECT receipt_id FROM answer.receipt AS r JOIN before AS b USING (receipt_id) WHERE r.body <> b.body '
	'AND receipt_id NOT IN (SELECT receipt_id FROM answer.tombstone WHERE receipt_id IS NOT NULL)',
	'every other receipt is what it was');
SELECT is_empty($$SELECT receipt_id FROM answer.receipt
		WHERE NOT (answer_verify(answer_receipt(receipt_id)) -> 'ok')::boolean$$, 'and all documents verify');
SELECT is_empty('SELECT r.digest FROM reading AS r LEFT JOIN answer.evidence AS e USING (digest) WHERE r.id % 3 <> 1 '
	'AND e.digest IS NULL', 'other people are still known');
SELECT is_empty($$SELECT digest FROM gone
	WHERE pg_temp.state(format('SELECT answer_evidence_add(''person'', %L, %L, ''file'', %L)',
		jsonb_build_object('id', id),
	jsonb_build_object('name', format('Secret %s 1', id)),
	'2026-01-01Z'::timestamptz + id * interval '1 hour')) <> '23001'$$, 'the same reading cannot come back');

-- The log.
SELECT set_eq('SELECT leaf_index, receipt_id, digest FROM answer.log_leaf',
	'SELECT leaf_index, receipt_id, digest FROM leaf', 'the log has kept its leaves');
SELECT is((SELECT answer_log_compare(note) ->> 'state' FROM checkpoint), 'consistent',
	'an older checkpoint still holds');
SELECT is_empty($$SELECT receipt_id FROM leaf
		WHERE NOT (answer_log_verify(answer_log_inclusion(receipt_id), answer_receipt(receipt_id)) -> 'ok')::boolean$$,
	'and each document, tombstones too, is proven to be in it');
SELECT is_empty($$SELECT b.receipt_id FROM before AS b JOIN expected USING (receipt_id)
		WHERE NOT (answer_log_verify(answer_log_inclusion(receipt_id), b.body) -> 'ok')::boolean$$,
	'who has kept a forgotten receipt can still prove it');
SELECT set_eq('SELECT receipt_id, finding::text FROM answer_log_audit()',
	$$SELECT receipt_id, 'forgotten' FROM answer.tombstone WHERE receipt_id IS NOT NULL$$,
	'the audit finds just what is forgotten');

-- Refusals.
SELECT throws_ok($$SELECT answer_forget('ans_0000000000000000', 'x')$$, 'P0002', NULL,
	'what is not there cannot be forgotten');
SELECT throws_ok($$SELECT answer_forget('sha256:x', 'x')$$, '22023', NULL, 'nor what is no name');
SELECT throws_ok($$SELECT answer_forget('x', 'x')$$, 'P0002', NULL, 'nor a document that is not there');
SELECT * FROM finish();
ROLLBACK;
