-- What the fuzzer needs in a database with the extension: artefacts to begin with, and for each fuzzed call a function
-- that makes it and checks what must hold for any input. Such a function returns '.' if the input was refused and all is
-- well, 'ok' (and more) if it was accepted, which fuzz.py then looks into, and '!' with a reason if something is wrong.
DROP SCHEMA IF EXISTS fuzz CASCADE;
CREATE SCHEMA fuzz;

-- The context of an artefact: what the calls take besides the input.
CREATE TABLE fuzz.base (n int PRIMARY KEY, receipt jsonb, receipt_id text, digest text, imprint text, tree_size bigint,
	vkey text, note text);
CREATE TABLE fuzz.context (keys jsonb, registry jsonb, vkeys text[], roots text, fact jsonb, checks jsonb, bindings jsonb, tools jsonb,
	plan jsonb, request jsonb);
CREATE TABLE fuzz.seed (check_name text, seed int, n int, input text);
CREATE UNLOGGED TABLE fuzz.c (i int, n int, input text);

-- Raised by a call that succeeded, so that it leaves nothing behind.
CREATE FUNCTION fuzz.undo(result text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION USING errcode = 'F0F0F', message = coalesce(result, '!null');
END $$;

-- Whether this is a verifier's report: `ok` is a boolean, and true exactly if it is true for every step.
CREATE FUNCTION fuzz.report(r jsonb, steps boolean) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF r IS NULL OR jsonb_typeof(r -> 'ok') IS DISTINCT FROM 'boolean' THEN
		RETURN '!the report has no ok';
	END IF;
	IF steps AND (r -> 'ok')::boolean <> NOT EXISTS (SELECT FROM jsonb_each(r -> 'steps') AS s
		WHERE s.value -> 'ok' IS DISTINCT FROM 'true') THEN
		RETURN '!ok is not what the steps say: ' || r::text;
	END IF;
	IF NOT steps AND NOT (r -> 'ok')::boolean AND NOT r ? 'reason' THEN
		RETURN '!no reason: ' || r::text;
	END IF;
	RETURN CASE WHEN (r -> 'ok')::boolean THEN 'ok' ELSE '.' END;
END $$;

CREATE FUNCTION fuzz.receipt_agrees(result text, report jsonb, ok boolean, replay jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	IF ok IS DISTINCT FROM (report -> 'ok')::boolean THEN
		RETURN '!answer_verify_ok says ' || coalesce(ok::text, 'NULL') || ' and answer_verify ' || report::text;
	END IF;
	IF jsonb_typeof(replay -> 'ok') IS DISTINCT FROM 'boolean' OR
		replay -> 'ok' <> coalesce(report #> '{steps,replay,ok}', 'false') THEN
		RETURN '!answer_replay says ' || coalesce(replay::text, 'NULL') || ' and answer_verify ' || report::text;
	END IF;
	RETURN result;
END $$;

CREATE FUNCTION fuzz.receipt(input text, keys jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_verify(input, keys);
	result text := fuzz.report(report, true);
BEGIN
	IF result LIKE '!%' THEN
		RETURN result;
	END IF;
	RETURN fuzz.receipt_agrees(result, report, answer_verify_ok(input, keys), answer_replay(input));
END $$;

CREATE FUNCTION fuzz.receipt_jsonb(input jsonb, keys jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_verify(input, keys);
	result text := fuzz.report(report, true);
BEGIN
	IF result LIKE '!%' THEN
		RETURN result;
	END IF;
	RETURN fuzz.receipt_agrees(result, report, answer_verify_ok(input, keys), answer_replay(input));
END $$;

CREATE FUNCTION fuzz.replay(input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_replay(input);
BEGIN
	RETURN fuzz.report(report, false);
END $$;

-- The outcome of an anchor, and whether both functions for it agree.
CREATE FUNCTION fuzz.anchored(receipt jsonb, anchor jsonb, roots text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	document jsonb := receipt || jsonb_build_object('anchor', anchor);
	declared jsonb := answer_anchor_verify(document);
	verified jsonb := answer_anchor_verify(document, roots);
	step jsonb;
BEGIN
	IF declared ->> 'outcome' IS NULL OR declared ->> 'outcome' NOT IN ('mismatch', 'declared') OR
		verified ->> 'outcome' IS NULL OR verified ->> 'outcome' NOT IN ('mismatch', 'verified') THEN
		RETURN '!outcome: ' || coalesce(declared::text, 'NULL') || coalesce(verified::text, 'NULL');
	END IF;
	IF declared -> 'ok' <> to_jsonb(declared ->> 'outcome' <> 'mismatch') OR
		verified -> 'ok' <> to_jsonb(verified ->> 'outcome' <> 'mismatch') THEN
		RETURN '!ok is not the outcome: ' || declared::text || verified::text;
	END IF;
	IF declared ->> 'outcome' = 'mismatch' THEN
		RETURN '.';
	END IF;
	step := answer_verify(document, '{}') #> '{steps,anchor}';
	IF document ->> 'schema' = 'answer/v1' AND step ->> 'state' IS DISTINCT FROM 'declared' THEN
		RETURN '!answer_verify says ' || coalesce(step::text, 'NULL');
	END IF;
	RETURN 'ok ' || (verified ->> 'outcome') || ' ' || (declared #>> '{steps,signature,state}');
END $$;

CREATE FUNCTION fuzz.token(token bytea, b fuzz.base, roots text) RETURNS text LANGUAGE sql AS $$
	SELECT fuzz.anchored(b.receipt, jsonb_build_object('token', translate(encode(token, 'base64'), E'\n', ''),
		'imprint', b.imprint, 'hash_alg', 'sha256', 'attached_at', '2026-01-01T00:00:00Z'), roots)
$$;

CREATE FUNCTION fuzz.roots(input text, b fuzz.base) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_anchor_verify(b.receipt || jsonb_build_object('anchor', jsonb_build_object('token', b.note,
		'imprint', b.imprint, 'hash_alg', 'sha256', 'attached_at', '2026-01-01T00:00:00Z')), input);
BEGIN
	IF report ->> 'outcome' = 'verified' THEN
		RETURN 'ok';
	END IF;
	RETURN CASE WHEN report ->> 'outcome' = 'mismatch' AND report -> 'ok' = 'false' THEN '.' ELSE
		'!' || coalesce(report::text, 'NULL') END;
END $$;

CREATE FUNCTION fuzz.checkpoint(input text, vkeys text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_checkpoint_verify(input, vkeys);
	result text := fuzz.report(report, false);
BEGIN
	IF result = 'ok' AND NOT EXISTS (SELECT FROM jsonb_array_elements(report -> 'signatures') s
		WHERE s ->> 'state' = 'verified' AND s ->> 'name' = report ->> 'origin') OR
		result = 'ok' AND report -> 'signatures' @> '[{"state": "invalid"}]' THEN
		RETURN '!ok is not what the signatures say: ' || report::text;
	END IF;
	RETURN result;
END $$;

CREATE FUNCTION fuzz.compare(input text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_log_compare(input);
	result text := fuzz.report(report, false);
BEGIN
	IF result = 'ok' AND report ->> 'state' IS DISTINCT FROM 'consistent' OR
		result = '.' AND coalesce(report ->> 'state' NOT IN ('fork', 'shrunk', 'foreign', 'malformed'), true) THEN
		RETURN '!state: ' || report::text;
	END IF;
	-- who signed a fork? only we can have
	RETURN CASE WHEN report ->> 'state' IN ('fork', 'shrunk') THEN '!' || report::text ELSE result END;
END $$;

CREATE FUNCTION fuzz.proof(input jsonb, receipt jsonb, vkeys text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	report jsonb := answer_log_verify(input, receipt, vkeys);
	result text := fuzz.report(report, true);
BEGIN
	RETURN CASE WHEN result = 'ok' THEN 'ok ' || (report #>> '{steps,checkpoint,state}') ELSE result END;
END $$;

-- The arguments of the two pure functions as a JSON object; every answer is checked.
CREATE FUNCTION fuzz.hashes(list jsonb, square boolean) RETURNS bytea[] LANGUAGE sql AS $$
	SELECT CASE WHEN square THEN ARRAY[array_agg(decode(h, 'hex') ORDER BY o), array_agg(decode(h, 'hex') ORDER BY o)]
		ELSE array_agg(decode(h, 'hex') ORDER BY o) END
	FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(list) = 'array' THEN list END) WITH ORDINALITY AS t (h, o)
$$;
CREATE FUNCTION fuzz.merkle(j jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	proof bytea[] := fuzz.hashes(j -> 'proof', j ? 'square');
	answer boolean;
BEGIN
	IF j ? 'consistency' THEN
		answer := answer.merkle_consistency((j ->> 'a')::bigint, (j ->> 'b')::bigint, decode(j ->> 'x', 'hex'),
			decode(j ->> 'y', 'hex'), proof);
	ELSE
		answer := answer.merkle_inclusion((j ->> 'a')::bigint, (j ->> 'b')::bigint, decode(j ->> 'x', 'hex'),
			decode(j ->> 'y', 'hex'), proof);
	END IF;
	RETURN coalesce('ok ' || answer::text, '!null');
END $$;
