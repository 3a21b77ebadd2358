-- Append-only tables and the one erasure they allow.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- People in readings of two sources, in results of a tool, and in facts given by callers.
SELECT answer_source_register('file'), answer_source_register('copy');
SELECT answer_tool_register('person', required_args => '{id}',
	options => '{"optional_args": ["part"]}', value_path => 'name',
	freshness => '36500 days');
CREATE FUNCTION visits(args jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('who', 'Undine Secret', 'at', '2026-01-01T00:00:00Z')
$$;
SELECT answer_tool_register('visits', 'visits(jsonb)',
	options => '{"optional_args": ["n"], "timestamp_path": "at", "source": "file"}', value_path => 'who',
	freshness => '36500 days');
CREATE TABLE n (name text PRIMARY KEY, v text);
CREATE FUNCTION of(name text) RETURNS text LANGUAGE sql AS $$ SELECT v FROM n WHERE n.name = of.name $$;
CREATE FUNCTION asks(name text, VARIADIC checks text[]) RETURNS void LANGUAGE sql AS $$
	INSERT INTO n SELECT name, answer_eval(jsonb_build_object('checks', to_jsonb(checks::jsonb[]))) ->> 'receipt_id'
$$;
-- the digest of the one fact of a tool in a receipt
CREATE FUNCTION fact(receipt text, tool text) RETURNS text LANGUAGE sql AS $$
	SELECT key FROM jsonb_each(answer_receipt(of(receipt)) -> 'evidence_index') WHERE value ->> 'fact' = tool
$$;
-- what a call forgets, by our names
CREATE FUNCTION names(answer jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT format('receipts: %s; readings: %s',
		coalesce((SELECT string_agg(name, ', ' ORDER BY name COLLATE "C") FROM n WHERE answer -> 'receipts' ? v), '-'),
		coalesce((SELECT string_agg(name, ', ' ORDER BY name COLLATE "C") FROM n WHERE answer -> 'readings' ? v), '-'))
$$;
INSERT INTO n VALUES
	('anna', answer_evidence_add('person', '{"id": 1}', '{"name": "Anna Secret"}', 'file', '2026-01-02Z')),
	('anna before', answer_evidence_add('person', '{"id": 1}', '{"name": "Anna Secret"}', 'file', '2025-01-02Z')),
	('berta',
		answer_evidence_add('person', '{"id": 2, "part": "Berta''s Secret"}', '{"name": "Berta Secret"}', 'file',
			'2026-01-02Z'));
SELECT asks('of anna', '{"tool": "person", "args": {"id": 1}}');
-- another source confirms it, so the same reading makes another fact
INSERT INTO n VALUES
	('anna copied', answer_evidence_add('person', '{"id": 1}', '{"name": "Anna Secret"}', 'copy', '2026-01-01Z'));
SELECT asks('of anna, confirmed', '{"tool": "person", "args": {"id": 1}}', '{"tool": "postgres_server"}');
SELECT asks('of anna and berta', '{"tool": "person", "args": {"id": 1}}',
	'{"tool": "person", "args": {"id": 2, "part": "Berta''s Secret"}}');
SELECT asks('of berta',
	'{"tool": "person", "args": {"id": 2, "part": "Berta''s Secret"}, "expect": {"op": "eq", '
		'"value": "Berta Secret"}}');
SELECT asks('of nobody', '{"tool": "postgres_server"}'),
	asks('of nobody else', '{"tool": "postgres_server"}', '{"tool": "none"}');
SELECT asks('of a visit', '{"tool": "visits"}'), asks('of the visit again', '{"tool": "visits"}', '{"tool": "none"}'),
	asks('of another visit', '{"tool": "visits", "args": {"n": 1}}');
-- a fact of a caller, with an id that the caller chose
INSERT INTO n
	SELECT 'brought',
		answer_eval(jsonb_build_object('checks', '[{"tool": "brought"}]'::jsonb, 'evidence',
			jsonb_build_array(jsonb_build_object('fact', 'brought', 'args', '{}'::jsonb, 'value', 'Cora Secret', 'id',
				'fact_' || substr(of('anna'), 8, 16))))) ->> 'receipt_id';
SELECT fact('of anna', 'person') <> fact('of anna, confirmed', 'person') AS other_fact,
	count(DISTINCT answer_receipt(of(r)) #>> ARRAY['evidence_index', fact(r, 'person'), 'id']) = 1 AS same_reading
FROM unnest('{of anna,"of anna, confirmed"}'::text[]) AS r;
CREATE TABLE before AS SELECT r.*, answer_digest(body) AS digest FROM answer.receipt r;

-- Malformed arguments are refused; what does not exist is reported as missing.
SELECT target, reason, state_of(format('SELECT answer_forget(%L, %L)', target, reason)) AS state
FROM (VALUES (NULL, 'x'), ('x', NULL), ('', 'x'), ('x', 'x'), ('ans_', 'x'), ('ans_0123456789abcde', 'x'),
	('ans_0123456789abcdef0', 'x'), ('ans_0123456789ABCDEF', 'x'), ('ans_0123456789abcdef', 'x'),
	(' ans_0123456789abcdef', 'x'), ('sha256:', 'x'), ('sha256:' || repeat('0', 63), 'x'),
	('sha256:' || repeat('0', 64), 'x'), ('sha256:' || repeat('0', 65), 'x'), ('sha256:' || repeat('A', 64), 'x'),
	('SHA256:' || repeat('0', 64), 'x'),
	('ans_0123456789abcdef', ''), ('ans_0123456789abcdef', E' \t\r\n'), (repeat('x', 100), 'x')) AS v (target, reason);
SELECT characters,
	state_of(format('SELECT answer_forget(%L, %L)', 'ans_0123456789abcdef', repeat('é', characters))) AS state
FROM unnest('{1,1000,1001,1000000}'::int[]) AS characters;
SELECT answer_forget('x', 'x');
SELECT answer_forget('ans_0123456789abcdef', repeat('x', 1001));
SELECT answer_forget('ans_0123456789abcdef', 'x');
SELECT answer_forget('sha256:0000000000000000000000000000000000000000000000000000000000000000', 'x');
SELECT answer_forget(NULL, 'x');
BEGIN READ ONLY;
SELECT answer_forget('ans_0123456789abcdef', 'x');
ROLLBACK;

-- A receipt: its body becomes a signed tombstone, everything else stays.
CREATE TABLE said AS SELECT 1 AS n, answer_forget(of('of nobody'), 'erased “on request”') AS answer;
INSERT INTO said SELECT 2, answer_forget(of('of nobody'), 'again');
SELECT names(answer), answer -> 'forgotten_at' = (SELECT answer -> 'forgotten_at' FROM said WHERE n = 1) AS same_instant
FROM said ORDER BY said.n;
SELECT t.digest = b.digest AS digest, t.receipt_id = b.receipt_id AS receipt_id,
	t.forgotten_at > b.issued_at AS forgotten_at, t.forgotten_by, t.reason,
	t.body = answer_receipt(b.receipt_id) AS body
FROM answer.tombstone t JOIN before b USING (receipt_id);
SELECT jsonb_pretty(jsonb_strip_nulls(t.body ||
	jsonb_build_object('issuer', NULL, 'receipt_id', t.body ->> 'receipt_id' = t.receipt_id, 'digest',
		t.body ->> 'digest' = t.digest, 'forgotten_at', (t.body ->> 'forgotten_at')::timestamptz = t.forgotten_at,
		'issued_at', (t.body ->> 'issued_at')::timestamptz = t.forgotten_at, 'signature', NULL)))
FROM answer.tombstone t;
SELECT (r.issued_at, r.verdict, r.confidence, r.degraded, r.schema, r.key_id, r.took)
		= (b.issued_at, b.verdict, b.confidence, b.degraded, b.schema, b.key_id, b.took) AS other_columns,
	encode(u.digest, 'hex') = substr(b.digest, 8) AS still_to_be_sealed
FROM answer.receipt r JOIN before b USING (receipt_id) JOIN answer.unsealed u USING (receipt_id)
WHERE receipt_id = of('of nobody');
-- it verifies by itself, and as long as its key is good
SELECT answer_verify(body) - 'steps' AS verifies, answer_verify_ok(body, answer_keys()) AS by_the_map,
	answer_verify_ok(jsonb_set(body, '{reason}', '"no reason"')) AS changed, answer_replay(body) AS replay
FROM answer.tombstone;
BEGIN;
UPDATE answer.signing_key SET status = 'compromised',
	compromised_after = (SELECT forgotten_at - interval '1 microsecond' FROM answer.tombstone)
WHERE status = 'active';
SELECT answer_verify(body) #>> '{steps,signature,reason}' AS compromised FROM answer.tombstone;
ROLLBACK;
-- and one can still show what it stands for
SELECT answer_digest(b.body) = t.digest AS the_receipt, answer_verify_ok(b.body) AS verifies
FROM before b JOIN answer.tombstone t USING (receipt_id);

-- A stored reading is removed, and so is every receipt with a fact from it.
SELECT names(answer_forget(of('anna'), 'a person asked'));
SELECT names(answer_forget(of('anna'), 'a person asked twice')) AS again;
SELECT coalesce(n.name, '-') AS of, t.receipt_id IS NULL AS evidence, count(*)
FROM answer.tombstone t LEFT JOIN n ON v = coalesce(t.receipt_id, t.digest) GROUP BY 1, 2
ORDER BY min(name) COLLATE "C";
SELECT digest = of('anna') AS digest, answer_verify_ok(body) AS verifies,
	body -> 'receipts' = jsonb_agg(v ORDER BY v COLLATE "C") AS receipts,
	body -> 'readings' = jsonb_build_array(of('anna')) AS readings
FROM answer.tombstone, n WHERE receipt_id IS NULL AND name LIKE 'of anna%' GROUP BY digest, body;
SELECT name FROM n JOIN answer.evidence ON digest = v ORDER BY name COLLATE "C";
SELECT source
FROM answer.evidence_series WHERE tool = 'person' AND args_digest = answer_digest('{"id": 1}')
ORDER BY source COLLATE "C";
-- nothing stores it again; the remaining readings answer as before
SELECT answer_evidence_add('person', '{"id": 1}', '{"name": "Anna Secret"}', 'file', '2026-01-02Z');
SELECT answer_eval('{"checks": [{"tool": "person", "args": {"id": 1}}]}') #>> '{evidence_index,0}' IS NULL AS asked;
SELECT r.body #>> '{checks,0,verdict}' AS verdict, e.value #>> '{provenance,source}' AS source
FROM answer.receipt r, jsonb_each(body -> 'evidence_index') AS e
WHERE e.value ->> 'fact' = 'person' AND NOT receipt_id = ANY (SELECT v FROM n);
-- the source's series goes with its last reading
SELECT names(answer_forget(of('anna before'), 'x'));
SELECT source
FROM answer.evidence_series WHERE tool = 'person' AND args_digest = answer_digest('{"id": 1}')
ORDER BY source COLLATE "C";
SELECT names(answer_forget(of('anna copied'), 'x'));
SELECT count(*) AS series
FROM answer.evidence_series WHERE tool = 'person' AND args_digest = answer_digest('{"id": 1}');
SELECT answer_eval('{"checks": [{"tool": "person", "args": {"id": 1}}]}') #>> '{checks,0,verdict}' AS nothing_left;

-- A receipt shows the digest of the fact, which stands for its reading.
CREATE TABLE shown AS SELECT fact('of berta', 'person') AS fact;
BEGIN;
SELECT names(answer_forget(fact, 'x')) FROM shown;
SELECT t.digest = of('berta') AS reading, t.digest = fact AS fact, t.receipt_id = of('of berta') AS receipt
FROM answer.tombstone t, shown WHERE t.body -> 'readings' ? of('berta') OR t.receipt_id = of('of berta') ORDER BY 1, 2;
SELECT names(answer_forget(fact, 'x')) AS again, names(answer_forget(of('berta'), 'x')) AS its_reading FROM shown;
SELECT state_of($$SELECT answer_evidence_add('person', '{"id": 2, "part": "Berta''s Secret"}',
	'{"name": "Berta Secret"}', 'file', '2026-01-02Z')$$) AS add;
ROLLBACK;
-- by the digest of a reading that retention has already deleted
BEGIN;
DELETE FROM answer.evidence WHERE digest = of('berta');
SELECT names(answer_forget(of('berta'), 'x'));
SELECT state_of($$SELECT answer_evidence_add('person', '{"id": 2, "part": "Berta''s Secret"}',
	'{"name": "Berta Secret"}', 'file', '2026-01-02Z')$$) AS add;
ROLLBACK;
SELECT names(answer_forget(fact, 'x')) FROM shown;
-- a result of a tool: no reading is stored, and the tool may still return it
SELECT names(answer_forget(fact('of a visit', 'visits'), 'x'));
SELECT names(jsonb_build_object('receipts', jsonb_agg(receipt_id))) AS not_forgotten
FROM answer.receipt WHERE body ->> 'schema' = 'answer/v1';
-- a fact of a caller: only its receipt, and the caller cannot give it again
CREATE TABLE brought AS SELECT fact('brought', 'brought') AS fact;
SELECT names(answer_forget(fact, 'x')) FROM brought;
SELECT answer_eval(jsonb_build_object('checks', '[{"tool": "brought"}]'::jsonb, 'evidence',
	jsonb_build_array(jsonb_build_object('fact', 'brought', 'args', '{}'::jsonb, 'value', 'Cora Secret', 'id',
		'fact_' || substr(of('anna'), 8, 16)))));
SELECT answer_eval('{"checks": [{"tool": "brought"}], "evidence": [{"fact": "brought", '
	'"args": {}, "value": "nobody"}]}') ->> 'verdict' AS another;

-- Nothing about these people is left in our tables or in the planner's samples.
DROP TABLE before;
SELECT names(answer_forget(of('of another visit'), 'x'));
ANALYZE answer.receipt;
ANALYZE answer.evidence;
CREATE FUNCTION mentions(what text) RETURNS TABLE (place text, n bigint) LANGUAGE plpgsql AS $$
BEGIN
	FOR place IN SELECT c.oid::regclass::text FROM pg_class c
	WHERE c.relnamespace = 'answer'::regnamespace AND c.relkind = 'r' ORDER BY 1 LOOP
		-- except the documents of suites
		EXECUTE format('SELECT count(*) FROM %s t WHERE t::text LIKE %L AND t::text NOT LIKE ''(#%%'' ',
			place, '%' || what || '%') INTO n;
		IF n > 0 THEN RETURN NEXT; END IF;
	END LOOP;
	SELECT 'pg_stats', count(*) INTO place, n
	FROM pg_stats s WHERE s.schemaname = 'answer' AND s::text LIKE '%' || what || '%';
	IF n > 0 THEN RETURN NEXT; END IF;
END
$$;
SELECT * FROM mentions('Secret');
SELECT * FROM mentions('on request');

-- The trigger allows only that one change.
SELECT asks('x', '{"tool": "postgres_server"}'), asks('y', '{"tool": "postgres_server"}'),
	asks('z', '{"tool": "postgres_server"}');
SELECT state_of(format('UPDATE answer.receipt SET body = (SELECT body FROM answer.tombstone LIMIT 1) WHERE receipt_id '
	'= %L', of('x'))) AS by_hand,
	state_of(format('UPDATE answer.receipt SET body = body WHERE receipt_id = %L', of('of nobody'))) AS the_same,
	state_of('UPDATE answer.tombstone SET reason = reason') AS tombstone_update,
	state_of('DELETE FROM answer.tombstone') AS tombstone_delete,
	state_of('TRUNCATE answer.tombstone') AS tombstone_truncate,
	state_of('DELETE FROM answer.receipt') AS receipt_delete;
-- a foreign trigger during the change: a statement of its own, a change of the row, a suppression
CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_trigger_depth() > 1 THEN
		RETURN NEW;
	END IF;
	CASE current_setting('regress.meddle')
		WHEN 'other row' THEN UPDATE answer.receipt SET body = NEW.body WHERE receipt_id = of('y');
		WHEN 'same row' THEN UPDATE answer.receipt SET body = '{}' WHERE receipt_id = OLD.receipt_id;
		WHEN 'other column' THEN NEW.degraded := NOT NEW.degraded;
		WHEN 'other id' THEN NEW.receipt_id := 'ans_0000000000000000';
		WHEN 'other body' THEN NEW.body := jsonb_set(NEW.body, '{reason}', '"none"');
		WHEN 'delete' THEN DELETE FROM answer.receipt WHERE receipt_id = of('y');
		WHEN 'tombstone' THEN UPDATE answer.tombstone SET reason = 'none';
		WHEN 'suppress' THEN RETURN NULL;
		WHEN 'fail' THEN RAISE EXCEPTION USING errcode = 'XXXXX', message = 'fails';
		ELSE NULL;
	END CASE;
	RETURN NEW;
END
$$;
CREATE TRIGGER a_meddler BEFORE UPDATE ON answer.receipt FOR EACH ROW EXECUTE FUNCTION meddle();
SELECT meddle,
	CASE WHEN set_config('regress.meddle', meddle, false) = meddle THEN
		state_of(format('SELECT answer_forget(%L, ''x'')', of('x'))) END AS forget,
	CASE WHEN set_config('regress.meddle', 'no', false) = 'no' THEN
		state_of(format('UPDATE answer.receipt SET body = ''{}'' WHERE receipt_id = %L', of('x'))) END AS afterwards
FROM unnest('{other row,same row,other column,other id,other body,delete,tombstone,suppress,fail}'::text[]) AS meddle;
SELECT answer_verify_ok(answer_receipt(of('x'))) AS x, answer_verify_ok(answer_receipt(of('y'))) AS y,
	count(*) AS tombstones
FROM answer.tombstone WHERE receipt_id = of('x');
SET regress.meddle = 'no';
SELECT names(answer_forget(of('x'), 'x'));
DROP TRIGGER a_meddler ON answer.receipt;
DROP FUNCTION meddle;
-- a subtransaction that fails takes its tombstone with it
BEGIN;
SAVEPOINT s;
SELECT names(answer_forget(of('y'), 'x'));
ROLLBACK TO s;
SELECT answer_receipt(of('y')) ->> 'schema' AS schema, count(*) AS tombstones
FROM answer.tombstone WHERE receipt_id = of('y');
SELECT names(answer_forget(of('y'), 'x'));
COMMIT;

-- A document that differs from what was issued is not forgotten: a tombstone would hide the difference.
CREATE FUNCTION tampered(how text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
	EXECUTE how;
	ALTER TABLE answer.receipt ENABLE TRIGGER ALL;
	PERFORM answer_forget(of('z'), 'x');
	RAISE EXCEPTION 'forgotten';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS how = PG_EXCEPTION_DETAIL;
	RETURN regexp_replace(concat_ws(' ', sqlstate, sqlerrm, how), 'ans_[0-9a-f]{16}', 'ans_…');
END
$$;
SELECT how, tampered(format('UPDATE answer.receipt SET %s WHERE receipt_id = %L', how, of('z')))
FROM (VALUES ($$body = jsonb_set(body, '{confidence}', '0.95')$$), ($$body = '1'$$), ($$body = '{}'$$),
	($$body = body - 'signature'$$), ($$body = jsonb_set(body, '{signature,sig}', '"AA"')$$),
	($$body = jsonb_set(body, '{signature,key_id}', '"unknown"')$$),
	($$body = (SELECT body FROM answer.receipt WHERE receipt_id <> of('z') AND body ->> 'schema' = $$ ||
		$$'answer/v1' LIMIT 1)$$),
	($$body = (SELECT body FROM answer.tombstone WHERE receipt_id = of('y'))$$),
	($$body = '{"schema": "answer/tombstone/v1"}'$$),
	($$body = (SELECT jsonb_set(body, '{reason}', '"none"') FROM answer.tombstone WHERE receipt_id = of('y'))$$),
	($$degraded = NOT degraded$$), ($$verdict = 'supported'$$), ($$confidence = 0.95$$), ($$intent = ''$$),
	($$key_id = 'x'$$), ($$issued_at = issued_at + interval '1 microsecond'$$), ($$key_id = key_id$$)) AS v (how);
-- the reading of a receipt that was tampered with stays, too
INSERT INTO n VALUES ('dora', answer_evidence_add('person', '{"id": 3}', '{"name": "Dora"}', 'file', '2026-01-02Z'));
SELECT asks('of dora', '{"tool": "person", "args": {"id": 3}}');
BEGIN;
ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
UPDATE answer.receipt SET body = jsonb_set(body, '{checks,0,verdict}', '"supported"') WHERE receipt_id = of('of dora');
ALTER TABLE answer.receipt ENABLE TRIGGER ALL;
SELECT state_of(format('SELECT answer_forget(%L, ''x'')', of('dora'))) AS state, count(*) AS readings
FROM answer.evidence WHERE digest = of('dora');
ROLLBACK;
-- a key may be compromised or retired meanwhile, but must be known
BEGIN;
SELECT answer_key_generate() IS NOT NULL AS rotated;
UPDATE answer.signing_key SET status = 'compromised', compromised_after = NULL WHERE status <> 'active';
SELECT answer_verify_ok(answer_receipt(of('of dora'))) AS verifies, names(answer_forget(of('dora'), 'x'));
ROLLBACK;
BEGIN;
SELECT answer_key_generate() IS NOT NULL AS rotated;
ALTER TABLE answer.signing_key DISABLE TRIGGER USER;
DELETE FROM answer.signing_key WHERE status <> 'active';
SELECT state_of(format('SELECT answer_forget(%L, ''x'')', of('dora'))) AS unknown_key;
ROLLBACK;
-- without a key to sign with nothing is forgotten
BEGIN;
UPDATE answer.signing_key SET status = 'retired', retired_at = now() WHERE status = 'active';
SELECT state_of(format('SELECT answer_forget(%L, ''x'')', of('dora'))) AS no_key,
	state_of(format('SELECT answer_forget(%L, ''x'')', of('of dora'))) AS for_a_receipt,
	state_of(format('SELECT answer_forget(%L, ''x'')', of('y'))) AS forgotten_before;
ROLLBACK;

-- A role that may call it needs no other right, and is named.
CREATE ROLE regress_eraser;
GRANT EXECUTE ON FUNCTION answer_forget TO regress_eraser;
GRANT SELECT ON n TO regress_eraser;
GRANT EXECUTE ON FUNCTION of TO regress_eraser;
SET ROLE regress_eraser;
SELECT state_of('SELECT FROM answer.receipt') AS receipt, state_of('SELECT FROM answer.tombstone') AS tombstone,
	answer_forget(of('dora'), 'x') -> 'readings' = jsonb_build_array(of('dora')) AS forgot, current_user AS still;
RESET ROLE;
SELECT DISTINCT forgotten_by = session_user AS by_the_session_user FROM answer.tombstone;
-- with any snapshot of the transaction, and for its own receipts, too
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO n VALUES ('emma', answer_evidence_add('person', '{"id": 4}', '{"name": "Emma"}', 'file', '2026-01-02Z'));
SELECT asks('of emma', '{"tool": "person", "args": {"id": 4}}');
SELECT names(answer_forget(of('emma'), 'x'));
SELECT answer_receipt(of('of emma')) ->> 'schema' AS schema;
SELECT state_of($$SELECT answer_evidence_add('person', '{"id": 4}', '{"name": "Emma"}', 'file',
	'2026-01-02Z')$$) AS add;
ROLLBACK;
-- if a copy brings back forgotten content, it is forgotten again, with the same tombstones
CREATE TABLE copied AS SELECT * FROM answer.receipt WHERE receipt_id = of('z');
INSERT INTO n VALUES ('frida', answer_evidence_add('person', '{"id": 5}', '{"name": "Frida"}', 'file', '2026-01-02Z'));
SELECT asks('of frida', '{"tool": "person", "args": {"id": 5}}');
CREATE TABLE copied_reading AS SELECT * FROM answer.evidence WHERE digest = of('frida');
INSERT INTO copied SELECT * FROM answer.receipt WHERE receipt_id = of('of frida');
CREATE TABLE first_time AS
	SELECT names(answer_forget(of('z'), 'x')) AS z, answer_forget(of('frida'), 'x') AS frida, 0 AS tombstones;
UPDATE first_time SET tombstones = (SELECT count(*) FROM answer.tombstone);
ALTER TABLE answer.receipt DISABLE TRIGGER ALL;
UPDATE answer.receipt r SET body = c.body FROM copied c WHERE c.receipt_id = r.receipt_id;
ALTER TABLE answer.receipt ENABLE TRIGGER ALL;
INSERT INTO answer.evidence SELECT * FROM copied_reading;
SELECT z, names(answer_forget(of('z'), 'x')) AS z_again, names(frida) AS frida, names(f) AS frida_again,
	f = frida AS same
FROM first_time, answer_forget(of('frida'), 'x') AS f;
SELECT count(*) = min(tombstones) AS no_new_tombstone,
	(SELECT count(*) FROM answer.evidence WHERE digest = of('frida')) AS readings,
	(SELECT count(*) FROM answer.receipt
		WHERE receipt_id IN (of('z'), of('of frida')) AND body ->> 'schema' = 'answer/v1') AS receipts
FROM answer.tombstone, first_time;
DROP TABLE copied, copied_reading, first_time;

-- Content that another server forgot gets a tombstone even if it was never here; what is here is forgotten as usual.
SELECT answer_tombstone_add(NULL, 'x');
SELECT answer_tombstone_add('sha256:' || repeat('ab', 32), NULL);
SELECT answer_tombstone_add('sha256:' || repeat('AB', 32), 'x');
SELECT answer_tombstone_add('ans_0123456789abcdef', 'x');
SELECT answer_tombstone_add('sha256:' || repeat('ab', 32), ' ');
SELECT answer_forget('sha256:' || repeat('ab', 32), 'x');
SELECT answer_tombstone_add('sha256:' || repeat('ab', 32), 'forgotten elsewhere') - 'forgotten_at' AS unseen;
SELECT answer_tombstone_add('sha256:' || repeat('ab', 32), 'again') = answer_forget('sha256:' || repeat('ab', 32), 'x')
	AS says_the_same, count(*), min(reason) FROM answer.tombstone WHERE digest = 'sha256:' || repeat('ab', 32);
SELECT answer.refuse_forgotten('', 'sha256:' || repeat('ab', 32));
INSERT INTO n VALUES
	('greta', answer_evidence_add('person', '{"id": 7}', '{"name": "Greta Secret"}', 'file', '2026-01-02Z'));
SELECT asks('of greta', '{"tool": "person", "args": {"id": 7}}');
SELECT names(answer_tombstone_add(of('greta'), 'x')) AS greta;
SELECT answer_receipt(of('of greta')) ->> 'schema' AS receipt, count(*) AS readings
FROM answer.evidence WHERE digest = of('greta');
SELECT answer_evidence_add('person', '{"id": 7}', '{"name": "Greta Secret"}', 'file', '2026-01-02Z') = of('greta');
SET ROLE regress_eraser;
SELECT answer_tombstone_add('sha256:' || repeat('cd', 32), 'x');
RESET ROLE;
BEGIN READ ONLY;
SELECT answer_tombstone_add('sha256:' || repeat('cd', 32), 'x');
ROLLBACK;

-- the receipts that are left verify, and so do all tombstones
SELECT bool_and(answer_verify_ok(body)) AS receipts FROM answer.receipt;
SELECT bool_and(answer_verify_ok(body)) AS tombstones, count(*) = count(DISTINCT digest) AS once FROM answer.tombstone;

DROP FUNCTION asks, fact, names, mentions, tampered;
DROP FUNCTION of;
DROP TABLE n, said, shown, brought;
DROP OWNED BY regress_eraser;
DROP ROLE regress_eraser;
DELETE FROM answer.tool WHERE NOT seed;
DELETE FROM answer.source WHERE NOT seed;
DELETE FROM answer.evidence;
DELETE FROM answer.evidence_series;
DROP FUNCTION visits;
