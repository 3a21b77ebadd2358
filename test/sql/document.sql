-- Signed documents of every kind: one table, one set of functions; and the records of what changed.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET timezone = 'UTC';
SET client_min_messages = warning;
SET answer_eval.allow_drop = on;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
CREATE FUNCTION raised(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE call;
	RETURN 'nothing';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN regexp_replace(concat_ws(' | ', sqlstate, sqlerrm, nullif(hint, '')), '(ans|qua|chg)_[0-9a-f]{16}', '\1_...',
		'g');
END $$;

-- One document of each kind.
CREATE TABLE one (kind text, id text);
INSERT INTO one SELECT 'answer', answer_eval('{"checks": [{"tool": "postgres_server"}]}') ->> 'receipt_id';
INSERT INTO one SELECT 'question', answer_ask('How long has this server been up?') ->> 'receipt_id';
INSERT INTO one SELECT 'quality', answer_quality_receipt(answer_investigation_open('Status', 'what?')) ->> 'receipt_id';
SELECT answer_source_register('lab', description => 'A laboratory.');
INSERT INTO one SELECT 'change', receipt_id FROM answer.change WHERE kind = 'source';
SELECT o.kind, left(o.id, 4) AS id, r.schema, r.verdict, r.confidence, r.degraded, r.intent,
	r.took >= interval '0' AS took, r.cost_usd,
	r.key_id = r.body #>> '{signature,key_id}' AS key_id,
	r.body ->> 'schema' = r.schema AND r.body ->> 'receipt_id' = o.id AS body
FROM one o JOIN answer.receipt r ON r.receipt_id = o.id ORDER BY o.kind COLLATE "C";

-- Each function serves each kind.
SELECT o.kind, answer_verify(r) #- '{steps,signature,key_id}' AS verify, answer_verify_ok(r) AS ok,
	answer_replay(r) -> 'ok' AS replay,
	answer_anchor_request(o.id) IS NOT NULL AS anchor
FROM one o, answer_receipt(o.id) AS r ORDER BY o.kind COLLATE "C";
SELECT o.kind, s ->> 'predicateType' AS predicate, s #> '{predicate,receipt_id}' = to_jsonb(o.id) AS of_it,
	'sha256:' || (s #>> '{subject,0,digest,sha256}') = answer_digest(answer_receipt(o.id)) AS digest
FROM one o, LATERAL (SELECT convert_from(decode(answer_dsse(o.id) ->> 'payload', 'base64'), 'UTF8')::jsonb AS s) AS d
ORDER BY o.kind COLLATE "C";
-- the record of the rows that the sealing listed is one more
SELECT answer_log_seal() ->> 'sealed' AS sealed, (SELECT count(*) FROM answer.receipt) AS receipts;
SELECT o.kind, answer_log_verify(answer_log_inclusion(o.id), answer_receipt(o.id)) -> 'ok' AS in_the_log
FROM one o ORDER BY o.kind COLLATE "C";
-- a document of another schema: the signature step alone
SELECT answer_verify(answer_receipt(id) || '{"schema": "other/v1"}') #- '{steps,signature,key_id}' AS another_schema,
	answer_verify(answer_receipt(id) || '{"anchor": {}}') #> '{steps,anchor,ok}' AS an_anchor
FROM one WHERE kind = 'quality';
-- a change in a document shows in the step that it belongs to
SELECT o.kind, c.what,
	(SELECT string_agg(key, ' ' ORDER BY key COLLATE "C") FROM jsonb_each(answer_verify(c.changed) -> 'steps')
		WHERE NOT (value -> 'ok')::boolean) AS steps,
	answer_verify(c.changed) #>> '{steps,closure,reason}' AS closure,
	answer_verify(c.changed) #>> '{steps,replay,reason}' AS replay
FROM one o, answer_receipt(o.id) AS r, LATERAL (VALUES
	('quality', 'outcome', jsonb_set(r, '{outcome}', '"success"')), ('quality', 'entries gone', r - 'entries'),
	('quality', 'entries no array', jsonb_set(r, '{entries}', '{}')),
	('change', 'action', jsonb_set(r, '{action}', '"remove"')), ('change', 'after', jsonb_set(r, '{after}', 'null')),
	('change', 'no kind', r - 'kind'),
	('change', 'kind', jsonb_set(r, '{kind}', '"key"')), ('change', 'revision', jsonb_set(r, '{revision}', '0')),
	('change', 'revision', jsonb_set(r, '{revision}', '1.5')),
	('change', 'revision', jsonb_set(r, '{revision}', '"1"')),
	('change', 'before', jsonb_set(r, '{before}', '"sha256:"')),
	('change', 'before', jsonb_set(r, '{before}', '1'))) AS c (kind, what, changed)
WHERE o.kind = c.kind ORDER BY o.kind COLLATE "C", c.what COLLATE "C", c.changed::text COLLATE "C";
-- an id instead of a document
SELECT replace(answer_verify(id)::text, id, '<id>') AS verify, answer_verify_ok(id) AS ok,
	replace(answer_replay(id)::text, id, '<id>') AS replay,
	replace(answer_verify(to_jsonb(id)) #>> '{steps,replay,reason}', id, '<id>') AS of_jsonb
FROM one WHERE kind = 'quality';
-- changes stay
SELECT raised(format('SELECT answer_forget(%L, %L)', id, 'x')) AS forget FROM one WHERE kind = 'change';
SELECT raised($$SELECT answer_forget('xyz_0123456789abcdef', 'x')$$) AS forget;
-- the rules that decided, and the digests of those that are data
SELECT o.kind, r #> '{reproduce,evaluator,rules}' AS rules,
		(SELECT jsonb_object_agg(key,
			CASE key WHEN 'route_table' THEN value #>> '{}' = 'sha256:' || (r #>> '{route,router_sha256}')
		AND value #>> '{}' = answer_digest(answer_route_table())
		WHEN 'reading_rules' THEN value #>> '{}' = answer_digest(answer.shipped_decision_rules())
		WHEN 'decision_rules' THEN value #>> '{}' = answer_digest(answer.decision_rules_of(r))
		ELSE value #>> '{}' = answer_digest(r -> 'rules') END)
	FROM jsonb_each(r #> '{reproduce,evaluator,digests}')) AS digests
FROM one o, answer_receipt(o.id) AS r ORDER BY o.kind COLLATE "C";

-- Every change is recorded once, also the first key.
CREATE FUNCTION recorded()
	RETURNS TABLE (kind text, name text, revision int, action text, chained boolean, as_now boolean) LANGUAGE sql AS $$
	SELECT c.kind,
		CASE c.kind WHEN 'key' THEN 'key ' || dense_rank() OVER (PARTITION BY c.kind ORDER BY k.active_from, c.name)
			WHEN 'witness' THEN 'vkey' ELSE c.name END, c.revision, c.action,
		c.before_digest IS NOT DISTINCT FROM lag(c.after_digest) OVER n,
		CASE WHEN lead(c.revision) OVER n IS NULL THEN c.after_digest IS NOT DISTINCT FROM answer_digest(s.state) END
	FROM answer.change c LEFT JOIN answer.change_state s USING (kind, name)
		LEFT JOIN answer.signing_key k ON k.key_id = c.name
	WINDOW n AS (PARTITION BY c.kind, c.name ORDER BY c.revision)
	ORDER BY c.kind COLLATE "C", 2, c.revision
$$;
SELECT answer_source_register('lab', description => 'A laboratory.'),
	answer_source_register('lab', url => 'https://lab.example/', replace => true);
SELECT answer_tool_register('t', required_args => '{a}', freshness => '36 hours', value_path => 'v',
	options => '{"source": "lab"}');
SELECT answer_tool_register('t', required_args => '{a}', freshness => '36 hours', value_path => 'v',
	options => '{"source": "lab"}');
SELECT answer_route_register('t.of', 't of {a}', 'interrogative', 't', '{"a": "{a}"}', examples => '{"t of x"}');
SELECT answer_route_enable('t.of', false), answer_route_remove('t.of');
SELECT answer_route_register('t.of', 't of {a}', 'interrogative', 't', '{"a": "{a}"}', examples => '{"t of x"}');
SELECT answer_route_enable('postgres.uptime', false), answer_route_enable('postgres.uptime'),
	answer_route_enable('postgres.uptime', false);
SELECT answer_quality_class_register('Lint', 'tidy'), answer_quality_compatibility_register('Build', 'Lint'),
	answer_quality_intent_register('Lint it', '{"Lint": "Strong"}');
CREATE FUNCTION tidy(o jsonb) RETURNS answer_graded IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
	SELECT ROW(NULL, 'Strong', 'Low', 'tidy')::answer_graded
$$;
SELECT answer_quality_grader_register('tidy', 'Lint', 'tidy(jsonb)'),
	answer_quality_authority_register('tidy', '{"all": true}');
SELECT answer_witness_trust('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
	IS NOT NULL AS trusted;
SELECT answer_key_generate() IS NOT NULL AS rotated,
	answer_key_import_public('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo') IS NOT NULL AS imported;
SELECT * FROM recorded();
SELECT bool_and(answer_verify_ok(body)) AS verify FROM answer.receipt WHERE schema = 'change/v1';
SELECT after - 'registered_by' AS after FROM answer.change WHERE kind = 'tool' ORDER BY revision DESC LIMIT 1;
-- the state does not depend on settings of the reader
SELECT jsonb_agg(state ORDER BY kind, name) AS states FROM answer.change_state \gset
SET intervalstyle = 'iso_8601';
SET timezone = 'Asia/Kathmandu';
SET datestyle = 'German';
SET bytea_output = 'escape';
SET extra_float_digits = -15;
SET search_path = pg_temp, public;
SELECT jsonb_agg(state ORDER BY kind, name) = :'states'::jsonb AS same FROM answer.change_state;
RESET intervalstyle;
RESET datestyle;
RESET bytea_output;
RESET extra_float_digits;
RESET search_path;
SET timezone = 'UTC';

-- An edit by hand is noticed, and is recorded when the owner asks for it.
CREATE VIEW outstanding AS SELECT coalesce(s.kind, c.kind) AS kind, coalesce(s.name, c.name) AS name
FROM answer.change_state s
	FULL JOIN (SELECT DISTINCT ON (kind, name) * FROM answer.change
		ORDER BY kind, name, revision DESC) AS c USING (kind, name)
	WHERE CASE WHEN c.kind IS NULL THEN NOT s.shipped ELSE answer_digest(s.state) IS DISTINCT FROM c.after_digest END;
SELECT * FROM outstanding;
UPDATE answer.route SET description = 'by hand' WHERE route_id = 't.of';
UPDATE answer.tool SET value_path = 'w' WHERE tool = 't';
INSERT INTO answer.source (source) VALUES ('put there');
SELECT * FROM outstanding ORDER BY 1, 2;
SELECT answer_route_refresh() AS changed;
SELECT * FROM outstanding ORDER BY 1, 2;
SELECT answer_change_record('tool', 't') AS one, answer_change_record('tool', 't') AS again,
	answer_change_record('tool', 'nothing of that name') AS nothing, answer_change_record() AS all;
DELETE FROM answer.source WHERE source = 'put there';
SELECT answer_change_record('source') AS removed, (SELECT count(*) FROM outstanding) AS outstanding;
SELECT raised($$SELECT answer_change_record(NULL, 'x')$$) AS no_kind;

-- The end of a key's life: a retired key signs it, a compromised one does not.
SELECT key_id AS old FROM answer.signing_key WHERE status = 'active' \gset
SELECT answer_key_retire(:'old') IS NOT NULL AS retired;
SELECT c.revision, c.action, r.key_id = :'old' AS by_itself, answer_verify_ok(r.body) AS verify,
	c.issued_at = k.retired_at AS with_the_last_breath
FROM answer.change c JOIN answer.receipt r USING (receipt_id) JOIN answer.signing_key k ON k.key_id = c.name
WHERE c.name = :'old' ORDER BY 1;
-- without a key nothing is registered, and nothing is left behind
SELECT raised($$SELECT answer_source_register('unsigned')$$) AS unsigned,
	(SELECT count(*) FROM answer.source WHERE source = 'unsigned') AS "left";
SELECT answer_key_compromise(:'old') IS NOT NULL AS compromised, (SELECT count(*) FROM outstanding) AS outstanding;
SELECT count(*) AS outstanding FROM outstanding;
SELECT answer_key_generate() AS new \gset
SELECT c.revision, c.action, r.key_id = :'new' AS by_the_next, answer_verify_ok(r.body) AS verify
FROM answer.change c JOIN answer.receipt r USING (receipt_id) WHERE c.name = :'old' ORDER BY 1;
SELECT count(*) AS outstanding FROM outstanding;
-- a key that is compromised while another signs
SELECT answer_key_import_public('MCowBQYDK2VwAyEA', 'retired') IS NULL AS malformed;
SELECT key_id AS foreign FROM answer.signing_key WHERE key_id = 'ae-ed25519-21fe31dfa154' \gset
SELECT answer_key_compromise(:'foreign') IS NOT NULL AS compromised;
SELECT c.revision, c.action, r.key_id = :'new' AS by_the_active
FROM answer.change c JOIN answer.receipt r USING (receipt_id) WHERE c.name = :'foreign' ORDER BY 1;
SELECT retired_at FROM answer.signing_key WHERE key_id = :'foreign';

-- Only what the caller may see is shown.
CREATE ROLE regress_reader;
GRANT EXECUTE ON FUNCTION answer_dsse, answer_receipt, answer_anchor_request TO regress_reader;
GRANT USAGE ON SCHEMA answer TO regress_reader;
SELECT id AS answer FROM one WHERE kind = 'answer' \gset
SELECT id AS quality FROM one WHERE kind = 'quality' \gset
SET ROLE regress_reader;
SELECT raised(format('SELECT answer_dsse(%L)', :'answer')) AS dsse,
	raised(format('SELECT answer_receipt(%L)', :'answer')) AS receipt,
	raised(format('SELECT answer_anchor_request(%L)', :'answer')) AS anchor;
RESET ROLE;
GRANT SELECT ON answer.receipt, answer.anchor, answer.signing_key TO regress_reader;
BEGIN;
CREATE POLICY own ON answer.receipt FOR SELECT TO regress_reader USING (schema = 'answer/v1');
ALTER TABLE answer.receipt ENABLE ROW LEVEL SECURITY;
SET LOCAL ROLE regress_reader;
SELECT answer_dsse(:'answer') ? 'payload' AS seen, answer_dsse(:'quality') IS NULL AS hidden,
	answer_receipt(:'quality') IS NULL AS receipt_hidden;
SELECT raised(format('SELECT answer_anchor_request(%L)', :'quality')) AS anchor_of_hidden;
ROLLBACK;
-- and nobody can have words of their own signed
SET ROLE regress_reader;
SELECT raised($$SELECT answer_change_record('tool', 't')$$) AS record, raised('SELECT answer.route_record()') AS route,
	raised('SELECT FROM answer.change') AS change, raised('SELECT FROM answer.change_state') AS state;
RESET ROLE;
DROP OWNED BY regress_reader;
DROP ROLE regress_reader;
DROP VIEW outstanding;
DROP FUNCTION recorded, raised, tidy;
DROP TABLE one;
DROP EXTENSION answer_eval;
CREATE EXTENSION answer_eval;
