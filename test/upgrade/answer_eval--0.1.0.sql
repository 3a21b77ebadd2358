/* answer_eval: the install script, concatenated from sql/ in the Makefile's order */

-- complain if the script is sourced in psql rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION answer_eval" to load this file. \quit

-- Nothing below is found by search path but the server's own objects; ours are
-- named with their schema.
SET LOCAL search_path TO pg_catalog, pg_temp;

-- Tables and views live here, functions and types where the extension is created.
CREATE SCHEMA answer;
COMMENT ON SCHEMA answer IS 'Tables and views of the extension answer_eval.';

/* canonical: canonical JSON, portable numbers, digest */

CREATE FUNCTION @extschema@.answer_canonical(document json) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_canonical(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

-- json text is text, so one C function serves both
CREATE FUNCTION @extschema@.answer_canonical(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_canonical_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_canonical(json) IS
'Canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact): keys in code-point order, no white space, everything outside printable ASCII escaped, numbers verbatim. Argument: json; number literals are kept as written. Result: ASCII text. Errors: 22P02 for half a surrogate pair, 22P05 for \u0000, 22021 for bytes that are not UTF-8 in a SQL_ASCII database, 54001 when nested too deeply.';
COMMENT ON FUNCTION @extschema@.answer_canonical(jsonb) IS
'Canonical form of a JSON document (DF-VERIFY/1 json-sorted-compact). Argument: jsonb; numbers are written as jsonb prints them. Result: ASCII text. Errors: 22021 for bytes that are not UTF-8 in a SQL_ASCII database, 54001 when nested too deeply.';
COMMENT ON FUNCTION @extschema@.answer_canonical(text) IS
'Canonical form of a JSON document given as text, which is parsed as json: see answer_canonical(json). Errors: as there, and 22P02 if the text is no JSON.';

CREATE FUNCTION @extschema@.answer_digest(document json) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_digest(document jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_jsonb'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE FUNCTION @extschema@.answer_digest(document text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_digest_json'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_digest(json) IS
'Digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(json). Argument: json. Result: text of 71 characters. Errors: as answer_canonical(json).';
COMMENT ON FUNCTION @extschema@.answer_digest(jsonb) IS
'Digest of a JSON document: "sha256:" and the 64 lower-case hex digits of the SHA-256 of answer_canonical(jsonb). Argument: jsonb. Result: text of 71 characters. Errors: as answer_canonical(jsonb).';
COMMENT ON FUNCTION @extschema@.answer_digest(text) IS
'Digest of a JSON document given as text, which is parsed as json: see answer_digest(json). Errors: as there, and 22P02 if the text is no JSON.';

CREATE FUNCTION @extschema@.answer_portable(document jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_portable'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

COMMENT ON FUNCTION @extschema@.answer_portable(jsonb) IS
'Rewrites the numbers of a document so that every language prints them alike: integers of magnitude up to 2^53-1 plainly, other numbers as their plain decimal text if that is the shortest that reads back as the nearest double and 1e-4 <= |x| < 1e16, all others as a string with their exact decimal text. Argument: jsonb. Result: jsonb; idempotent. Errors: 54001 when nested too deeply.';

/* operator: the closed operator set */

CREATE TYPE @extschema@.answer_outcome AS ENUM ('holds', 'fails', 'not_evaluable');
COMMENT ON TYPE @extschema@.answer_outcome IS 'What an operator answers about an observed value.';

CREATE FUNCTION @extschema@.answer_operator(op text, observed jsonb, value jsonb, tol jsonb DEFAULT NULL)
RETURNS @extschema@.answer_outcome
AS 'MODULE_PATHNAME', 'answer_eval_operator'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;

COMMENT ON FUNCTION @extschema@.answer_operator(text, jsonb, jsonb, jsonb) IS
'Applies one operator of answer-eval/1 to an observed value. Arguments: op, one of eq, ne, lt, lte, gt, gte, between, abs_within, pct_within, in, contains, starts_with, ends_with, semver_eq, semver_gte, semver_lt, semver_prefix, exists, not_exists, fresh_within_s (never evaluable here, for it needs a fact); observed, SQL NULL meaning absent; value, what is expected; tol, the tolerance of abs_within and pct_within (in the value''s unit, or per cent). Result: holds, fails or not_evaluable. Errors: 22004 for a NULL op, 22023 for an unknown op or operands that the operator cannot take.';

/* check: one check against one fact */

CREATE TYPE @extschema@.answer_verdict AS ENUM
	('supported', 'contradicted', 'value', 'not_evaluable',
	 'evidence_unavailable', 'outside_evidence_coverage', 'not_checked');
COMMENT ON TYPE @extschema@.answer_verdict IS 'Verdict of one check.';

CREATE TYPE @extschema@.answer_check_result AS
(
	verdict		@extschema@.answer_verdict,
	confidence	float8,
	observed	jsonb,
	explain		jsonb
);
COMMENT ON TYPE @extschema@.answer_check_result IS
'What answer_check returns: the verdict, the least confidence among the facts cited, the operand of the first expectation (NULL if it does not resolve), and why.';

CREATE FUNCTION @extschema@.answer_check("check" jsonb, evidence jsonb, evaluated_at timestamptz)
RETURNS @extschema@.answer_check_result
AS 'MODULE_PATHNAME', 'answer_eval_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;

COMMENT ON FUNCTION @extschema@.answer_check(jsonb, jsonb, timestamptz) IS
'Adjudicates one check by answer-eval/1. Arguments: check, {"id", "tool", "args", "expect", "observe", "required"}; evidence, a fact or an array of facts, of which operators read the first (NULL or an empty array: none arrived); evaluated_at, the instant that fresh_within_s measures from. Result: verdict, confidence from 0 to 1, observed, explain {"summary", "expectations"}. Errors: 22004 for a NULL check or evaluated_at, 22023 for a malformed check or evidence that is no fact, 22008 for an infinite evaluated_at.';

/* composite: the verdict of a batch and its confidence */

CREATE TYPE @extschema@.answer_composite_verdict AS ENUM
	('supported', 'contradicted', 'insufficient_evidence', 'evidenced',
	 'outside_evidence_coverage');
COMMENT ON TYPE @extschema@.answer_composite_verdict IS 'Verdict of a batch of checks.';

CREATE TYPE @extschema@.answer_composite_result AS
(
	verdict		@extschema@.answer_composite_verdict,
	confidence	float8,
	degraded	boolean,
	checks		bigint
);
COMMENT ON TYPE @extschema@.answer_composite_result IS
'What answer_composite returns: the verdict over the required checks, its confidence from 0 to 1 in hundredths, whether any check lost its evidence, and the number of checks.';

-- The state is a bigint on purpose: exact, by value, and known to every node
-- of a cluster.  See src/composite.c for its bits.
CREATE FUNCTION @extschema@.answer_composite_add(state bigint, verdict @extschema@.answer_verdict, confidence float8, required boolean)
RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_composite_add'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION @extschema@.answer_composite_add(bigint, @extschema@.answer_verdict, float8, boolean) IS
'Transition function of the aggregate answer_composite; not for direct use. Errors: 22004, 22023, 22003 as documented there.';

CREATE FUNCTION @extschema@.answer_composite_combine(state bigint, other bigint)
RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_composite_combine'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION @extschema@.answer_composite_combine(bigint, bigint) IS
'Combine function of the aggregate answer_composite; not for direct use. Errors: 22023 for a bigint that is no state, 22003 beyond 2^44 rows.';

CREATE FUNCTION @extschema@.answer_composite_final(state bigint)
RETURNS @extschema@.answer_composite_result
AS 'MODULE_PATHNAME', 'answer_eval_composite_final'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION @extschema@.answer_composite_final(bigint) IS
'Final function of the aggregate answer_composite; not for direct use. Errors: 22023 for a bigint that is no state.';

CREATE AGGREGATE @extschema@.answer_composite(verdict @extschema@.answer_verdict, confidence float8, required boolean)
(
	SFUNC = @extschema@.answer_composite_add,
	STYPE = bigint,
	COMBINEFUNC = @extschema@.answer_composite_combine,
	FINALFUNC = @extschema@.answer_composite_final,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.answer_composite(@extschema@.answer_verdict, float8, boolean) IS
'Composite verdict and confidence of a set of checks by answer-conf/1. Arguments: verdict, confidence from 0 to 1 (NULL counts as 0), required. Result: (verdict, confidence, degraded, checks); only required checks move the verdict. The order of rows and the way they are partitioned never matter. Errors: 22004 for a NULL verdict or required, 22023 for a confidence outside 0 to 1, 22003 beyond 2^44 rows.';

/* evidence: sources, tools, readings, facts */

-- No foreign keys: pg_dump knows no order among an extension's tables, so that
-- a parallel restore would load a tool before its source.  The functions that
-- write check what foreign keys would.

CREATE TABLE answer.source
(
	source				text PRIMARY KEY CHECK (source OPERATOR(pg_catalog.<>) ''),
	independence_group	text CHECK (independence_group OPERATOR(pg_catalog.<>) ''),
	url					text,
	licence				text,
	description			text,
	seed				boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.source IS 'Where evidence comes from. Sources of one independence group never corroborate each other.';
COMMENT ON COLUMN answer.source.independence_group IS 'Sources that share a group count once; NULL: the source is its own group.';
COMMENT ON COLUMN answer.source.seed IS 'Comes with the extension, so it is not dumped.';

CREATE TABLE answer.tool
(
	tool			text PRIMARY KEY CHECK (tool OPERATOR(pg_catalog.<>) ''),
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	handler			text,
	required_args	text[] NOT NULL DEFAULT '{}',
	optional_args	text[] NOT NULL DEFAULT '{}',
	freshness		interval,
	value_path		text,
	unit			text,
	entity_path		text,
	timestamp_path	text,
	source_path		text,
	source			text,
	basis			text NOT NULL DEFAULT 'live-source' CHECK (basis IN
		('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred')),
	category		text,
	country			text,
	description		text,
	seed			boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.tool IS 'What evidence can be asked for: SQL functions, and kinds of stored readings.';
COMMENT ON COLUMN answer.tool.handler IS 'Qualified name of a function (jsonb) RETURNS jsonb; NULL: the tool answers with stored readings.';
COMMENT ON COLUMN answer.tool.freshness IS 'How long after its timestamp a result without an expiry of its own is fresh.';
COMMENT ON COLUMN answer.tool.seed IS 'Comes with the extension, so it is not dumped.';

CREATE TABLE answer.evidence
(
	digest		text PRIMARY KEY,
	tool		text NOT NULL,
	args		jsonb NOT NULL,
	args_digest	text NOT NULL,
	raw			jsonb NOT NULL,
	source		text NOT NULL,
	observed_at	timestamptz NOT NULL CHECK (pg_catalog.isfinite(observed_at)),
	expires		timestamptz CHECK (pg_catalog.isfinite(expires)),
	recorded_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE answer.evidence IS 'Stored readings, addressed by their content: the same reading twice is one row.';
CREATE INDEX evidence_newest ON answer.evidence (tool, args_digest, source, observed_at DESC, digest);

-- Which sources have read what: lets the newest reading of each source be
-- found with one index probe, however long the history.
CREATE TABLE answer.evidence_series
(
	tool		text NOT NULL,
	args_digest	text NOT NULL,
	source		text NOT NULL,
	PRIMARY KEY (tool, args_digest, source)
);
COMMENT ON TABLE answer.evidence_series IS 'The sources that have readings for a tool and its arguments.';

REVOKE ALL ON answer.source, answer.tool, answer.evidence, answer.evidence_series FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.source', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.tool', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence', '');
SELECT pg_catalog.pg_extension_config_dump('answer.evidence_series', '');

CREATE FUNCTION @extschema@.answer_fact_confidence(verification jsonb) RETURNS float8
AS 'MODULE_PATHNAME', 'answer_eval_fact_confidence'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION @extschema@.answer_fact_confidence(jsonb) IS
'Confidence of a fact by fact-conf/1: 0.30 source_present + 0.20 signed + 0.30 fresh + 0.15 corroborated, at most 0.40 in conflict, 0.70 for a forecast or computed basis, 0.50 for an inferred one. Argument: a verification {"signals": {...booleans...}, "basis": ...}; missing signals are false. Result: float8 from 0 to 0.95. Errors: 22023 for a signal that is not boolean.';

CREATE FUNCTION @extschema@.answer_path_problem(path text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_path_problem'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION @extschema@.answer_path_problem(text) IS
'Tells what is wrong with a dotted path of answer-eval/1 (keys and indices joined by points, 1 to 8 segments, none empty). Result: NULL for a good path. Errors: none.';

CREATE FUNCTION @extschema@.answer_evidence_digest(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz, expires timestamptz)
RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_evidence_digest'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_evidence_digest(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Address of a reading: the digest of the object {tool, args, raw, source, observed_at, expires}, instants in UTC. Only expires may be NULL. Result: text, "sha256:...". Errors: 22004 for another NULL, 22008 for an instant outside the years 1 to 9999.';

CREATE FUNCTION @extschema@.answer_source_register(source text, independence_group text DEFAULT NULL, url text DEFAULT NULL, licence text DEFAULT NULL, description text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF source IS NULL OR source = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'source must be a non-empty name';
	END IF;
	INSERT INTO answer.source AS s (source, independence_group, url, licence, description)
	VALUES (source, NULLIF(independence_group, ''), url, licence, description)
	ON CONFLICT ON CONSTRAINT source_pkey DO UPDATE
	SET independence_group = excluded.independence_group, url = excluded.url,
		licence = excluded.licence, description = excluded.description
	WHERE NOT s.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('source "%s" comes with answer_eval and cannot be changed', source);
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_source_register(text, text, text, text, text) IS
'Registers a source of evidence, or changes it. Arguments: its name; independence_group, shared by sources that must not corroborate each other (NULL: its own); url, licence and description, which facts quote. Result: none. Errors: 22023 for an empty name or a source that comes with the extension, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_tool_register
(
	name			text,
	handler			regprocedure DEFAULT NULL,
	required_args	text[] DEFAULT '{}',
	freshness		interval DEFAULT NULL,
	value_path		text DEFAULT NULL,
	unit			text DEFAULT NULL,
	entity_path		text DEFAULT NULL,
	timestamp_path	text DEFAULT NULL,
	source_path		text DEFAULT NULL,
	basis			text DEFAULT 'live-source',
	description		text DEFAULT NULL,
	source			text DEFAULT NULL,
	optional_args	text[] DEFAULT '{}',
	category		text DEFAULT NULL,
	country			text DEFAULT NULL
)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	handler_name text;
	path text;
	problem text;
BEGIN
	IF name IS NULL OR name = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'tool must have a non-empty name';
	END IF;
	IF handler IS NOT NULL THEN
		SELECT format('%I.%I', n.nspname, p.proname) INTO handler_name
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
		WHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset
		AND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype;
		IF NOT FOUND THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('handler %s of tool "%s" must be a function (jsonb) RETURNS jsonb', handler, name);
		END IF;
	END IF;
	FOREACH path IN ARRAY ARRAY[value_path, entity_path, timestamp_path, source_path] LOOP
		problem := @extschema@.answer_path_problem(path);
		IF problem IS NOT NULL THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('path "%s" of tool "%s" %s', path, name, problem);
		END IF;
	END LOOP;
	-- a month has no fixed length, and freshness must not depend on a calendar
	IF extract(year FROM freshness) <> 0 OR extract(month FROM freshness) <> 0
		OR extract(epoch FROM freshness) NOT BETWEEN 0 AND 3650000 * 86400.0 THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('freshness of tool "%s" must be from 0 to 3650000 days, without months', name);
	END IF;
	IF source IS NOT NULL AND NOT EXISTS (SELECT FROM answer.source s WHERE s.source = answer_tool_register.source) THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('source "%s" of tool "%s" is not registered', source, name),
			hint = 'Register it with answer_source_register().';
	END IF;
	IF array_position(required_args || optional_args, NULL) IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('arguments of tool "%s" must have names', name);
	END IF;
	IF basis IS NULL OR basis NOT IN ('live-source', 'partner-attested', 'vendor-doc', 'forecast', 'computed', 'inferred') THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('basis of tool "%s" must be live-source, partner-attested, vendor-doc, forecast, computed or inferred', name);
	END IF;
	INSERT INTO answer.tool AS t (tool, handler, required_args, optional_args, freshness, value_path, unit,
		entity_path, timestamp_path, source_path, source, basis, category, country, description)
	VALUES (name, handler_name, COALESCE(required_args, '{}'), COALESCE(optional_args, '{}'), freshness,
		value_path, unit, entity_path, timestamp_path, source_path, source, basis, category, country, description)
	ON CONFLICT ON CONSTRAINT tool_pkey DO UPDATE
	SET handler = excluded.handler, required_args = excluded.required_args,
		optional_args = excluded.optional_args, freshness = excluded.freshness,
		value_path = excluded.value_path, unit = excluded.unit, entity_path = excluded.entity_path,
		timestamp_path = excluded.timestamp_path, source_path = excluded.source_path,
		source = excluded.source, basis = excluded.basis, category = excluded.category,
		country = excluded.country, description = excluded.description
	WHERE NOT t.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" comes with answer_eval and cannot be changed', name);
	END IF;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_register(text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text) IS
'Registers a tool, or changes it. Arguments: its name; handler, a function (jsonb) RETURNS jsonb that is called with the caller''s rights (NULL: the tool answers with stored readings); required_args and optional_args, the only arguments it takes; freshness, how long a result is fresh; value_path, entity_path, timestamp_path and source_path, dotted paths into the raw result; unit, category, country, description; basis, one of live-source, partner-attested, vendor-doc, forecast, computed, inferred; source, whose results a handler returns. Result: none. Errors: 22023 for a bad argument or a tool that comes with the extension, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_evidence_add(tool text, args jsonb, raw jsonb, source text, observed_at timestamptz DEFAULT clock_timestamp(), expires timestamptz DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	registered answer.tool;
	portable_args jsonb := @extschema@.answer_portable(COALESCE(args, '{}'));
	portable_raw jsonb := @extschema@.answer_portable(raw);
	args_digest text := @extschema@.answer_digest(portable_args);
	digest text;
	argument text;
BEGIN
	IF raw IS NULL OR source IS NULL OR observed_at IS NULL OR tool IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tool, raw, source and observed_at must not be null';
	END IF;
	SELECT t.* INTO registered FROM answer.tool t WHERE t.tool = answer_evidence_add.tool;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown tool "%s"', tool),
			hint = 'Tools are registered with answer_tool_register().';
	END IF;
	IF registered.handler IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" is a function and takes no stored readings', tool);
	END IF;
	IF NOT EXISTS (SELECT FROM answer.source s WHERE s.source = answer_evidence_add.source) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown source "%s"', source),
			hint = 'Sources are registered with answer_source_register().';
	END IF;
	IF jsonb_typeof(portable_args) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'args must be an object';
	END IF;
	FOREACH argument IN ARRAY registered.required_args LOOP
		IF COALESCE(jsonb_typeof(portable_args -> argument), 'null') = 'null' THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('tool "%s": required argument "%s" is missing', tool, argument);
		END IF;
	END LOOP;
	FOR argument IN SELECT jsonb_object_keys(portable_args) LOOP
		IF argument <> ALL (registered.required_args || registered.optional_args) THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('tool "%s" declares no argument "%s"', tool, argument);
		END IF;
	END LOOP;

	digest := @extschema@.answer_evidence_digest(tool, portable_args, portable_raw, source, observed_at, expires);
	INSERT INTO answer.evidence (digest, tool, args, args_digest, raw, source, observed_at, expires)
	VALUES (digest, tool, portable_args, args_digest, portable_raw, source, observed_at, expires)
	ON CONFLICT DO NOTHING;
	INSERT INTO answer.evidence_series (tool, args_digest, source)
	VALUES (tool, args_digest, source)
	ON CONFLICT DO NOTHING;
	RETURN digest;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz) IS
'Stores a reading for a tool without a handler. Arguments: tool; args, an object with the arguments it answers; raw, the whole result, which paths address; source, a registered one; observed_at; expires, if it has an expiry of its own. Numbers are made portable. Result: the reading''s digest; the same reading again gives the same digest and no second row. Errors: 22023 for an unknown tool, source or argument, 22004 for a NULL, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_fact(tool text, args jsonb DEFAULT '{}', evaluated_at timestamptz DEFAULT clock_timestamp())
RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_fact'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_fact(text, jsonb, timestamptz) IS
'Calls a tool, with the caller''s rights and within 6 seconds, and returns its result as an attested fact (fact/v1) with its confidence by fact-conf/1. Arguments: tool; args, an object; evaluated_at, the instant that freshness is judged at and after which readings are not known yet. Result: the fact, or NULL if the tool has nothing. Errors: 22023 for an unknown tool or argument, 55000 without a signing key, 57014 past the deadline, and whatever the tool raises.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_source_register(text, text, text, text, text),
	@extschema@.answer_tool_register(text, regprocedure, text[], interval, text, text, text, text, text, text, text, text, text[], text, text),
	@extschema@.answer_evidence_add(text, jsonb, jsonb, text, timestamptz, timestamptz),
	@extschema@.answer_fact(text, jsonb, timestamptz)
FROM PUBLIC;

/* signature: keys and their registry */

CREATE TYPE @extschema@.answer_key_status AS ENUM ('active', 'retired', 'compromised');
COMMENT ON TYPE @extschema@.answer_key_status IS 'Life of a signing key.';

CREATE TABLE answer.signing_key
(
	key_id				text PRIMARY KEY,
	public_key			bytea NOT NULL CHECK (pg_catalog.length(public_key) OPERATOR(pg_catalog.=) 32),
	status				@extschema@.answer_key_status NOT NULL,
	active_from			timestamptz NOT NULL CHECK (pg_catalog.isfinite(active_from)),
	retired_at			timestamptz CHECK (pg_catalog.isfinite(retired_at)),
	compromised_after	timestamptz CHECK (pg_catalog.isfinite(compromised_after))
);
COMMENT ON TABLE answer.signing_key IS 'Public halves of the Ed25519 keys that sign, or signed. Private halves are PEM files outside the database.';
REVOKE ALL ON answer.signing_key FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.signing_key', '');

CREATE FUNCTION @extschema@.answer_key_generate() RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_key_generate'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_key_generate() IS
'Makes an Ed25519 key (RFC 8032), writes its private half as a PEM file of mode 0600 into the directory answer_eval.key_directory, registers its public half and makes it the one active signing key; the one before it is retired at the same instant. A rollback removes the file. Result: the key id. Errors: 42501 without the privilege, 25006 in a read-only transaction, 58xxx if the file cannot be written, 0A000 if OpenSSL has no Ed25519.';

CREATE FUNCTION @extschema@.answer_keys() RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE(pg_catalog.jsonb_object_agg(k.key_id,
		pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_')), '{}')
	FROM answer.signing_key k;
END;
ALTER FUNCTION @extschema@.answer_keys() STABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_keys() IS
'Public keys of this database''s registry, as answer_verify and DF-VERIFY/1 clients take them. Result: {key_id: padded base64url of 32 bytes}. Errors: 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_key_registry() RETURNS jsonb
BEGIN ATOMIC
	SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'key_id', k.key_id,
		'public_key', pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_'),
		'status', k.status,
		'active_from', pg_catalog.to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'retired_at', pg_catalog.to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'compromised_after', pg_catalog.to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
	)) ORDER BY k.active_from, k.key_id), '[]')
	FROM answer.signing_key k;
END;
ALTER FUNCTION @extschema@.answer_key_registry() STABLE PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_key_registry() IS
'Public keys of this database''s registry with their life: an array of {key_id, public_key, status, active_from, retired_at, compromised_after}, instants in UTC, which answer_verify enforces. Errors: 42501 without the privilege.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_key_generate(),
	@extschema@.answer_keys(),
	@extschema@.answer_key_registry()
FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_ed25519_verify(public_key bytea, message bytea, signature bytea) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_ed25519_verify'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_ed25519_verify(bytea, bytea, bytea) IS
'Verifies a detached Ed25519 signature (RFC 8032). Arguments: public_key, 32 bytes; message; signature, 64 bytes. Result: true or false, never NULL: a NULL or a wrong length is false. Errors: none.';

/* receipt: store and verify */

CREATE TABLE answer.receipt
(
	receipt_id	text PRIMARY KEY,
	issued_at	timestamptz NOT NULL,
	verdict		@extschema@.answer_composite_verdict NOT NULL,
	confidence	float8 NOT NULL,
	degraded	boolean NOT NULL,
	checks		integer NOT NULL,
	key_id		text NOT NULL,
	body		jsonb NOT NULL
);
COMMENT ON TABLE answer.receipt IS 'Every receipt issued, append-only. The body is what was signed; the other columns repeat it for queries.';
CREATE INDEX receipt_issued_at ON answer.receipt (issued_at);
REVOKE ALL ON answer.receipt FROM PUBLIC;
-- receipts are repetitive text: lz4 takes a tenth of the time, where the server has it
DO $$
BEGIN
	ALTER TABLE answer.receipt ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
	NULL;
END
$$;
SELECT pg_catalog.pg_extension_config_dump('answer.receipt', '');

CREATE FUNCTION @extschema@.answer_append_only() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RAISE EXCEPTION USING errcode = 'restrict_violation',
		message = format('table %I.%I is append-only', TG_TABLE_SCHEMA, TG_TABLE_NAME),
		detail = format('%s was refused.', TG_OP);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_append_only() IS
'Trigger that refuses UPDATE, DELETE and TRUNCATE, to the owner as well. Errors: 23001, always.';
REVOKE ALL ON FUNCTION @extschema@.answer_append_only() FROM PUBLIC;

CREATE TRIGGER receipt_append_only BEFORE UPDATE OR DELETE ON answer.receipt
FOR EACH ROW EXECUTE FUNCTION @extschema@.answer_append_only();
CREATE TRIGGER receipt_no_truncate BEFORE TRUNCATE ON answer.receipt
FOR EACH STATEMENT EXECUTE FUNCTION @extschema@.answer_append_only();

CREATE FUNCTION @extschema@.answer_receipt(receipt_id text) RETURNS jsonb
BEGIN ATOMIC
	SELECT r.body FROM answer.receipt r
	WHERE r.receipt_id OPERATOR(pg_catalog.=) answer_receipt.receipt_id;
END;
ALTER FUNCTION @extschema@.answer_receipt(text) STABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_receipt(text) IS
'A stored receipt. Argument: its id, "ans_...". Result: the receipt (answer/v1), or NULL if there is none. Errors: 42501 without the privilege.';
REVOKE ALL ON FUNCTION @extschema@.answer_receipt(text) FROM PUBLIC;

CREATE FUNCTION @extschema@.answer_verify(receipt json, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

CREATE FUNCTION @extschema@.answer_verify(receipt jsonb, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_jsonb'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

-- json text is text, so one C function serves both
CREATE FUNCTION @extschema@.answer_verify(receipt text, keys jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_verify_json'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION @extschema@.answer_verify(json, jsonb) IS
'Verifies a receipt (answer/v1) from itself and public keys alone: anchor, receipt id, signature and key life, evidence closure, replay. A document of another schema gets the signature step alone (DF-VERIFY/1). Arguments: receipt, whose numbers are taken as written; keys, {key_id: base64url} or an array as of answer_key_registry(), or NULL for this database''s registry, read with the caller''s rights. Result: {"ok", "steps": {name: {"ok", "reason"?, ...}}}; a malformed document is not ok and never an error. Errors: 42501 if keys is NULL and the registry is not readable. Callable by everybody: with keys given it reads no table.';
COMMENT ON FUNCTION @extschema@.answer_verify(jsonb, jsonb) IS
'Verifies a receipt given as jsonb: see answer_verify(json, jsonb). Numbers are taken as jsonb prints them; those of a receipt are portable, so nothing is lost.';
COMMENT ON FUNCTION @extschema@.answer_verify(text, jsonb) IS
'Verifies a receipt given as text, which is parsed as json: see answer_verify(json, jsonb). Text that is no JSON is not ok.';

/* eval: the whole pipeline */

CREATE FUNCTION @extschema@.answer_validate(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_validate'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION @extschema@.answer_validate(jsonb) IS
'Validates a request by answer-eval/1 without calling anything. Argument: {"checks": [...], "deadline_ms", "evidence"}. Result: the request with defaults filled in and numbers portable. Errors: 22023 naming the check and the field, 22004 for NULL.';

CREATE FUNCTION @extschema@.answer_eval(request jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_eval(jsonb) IS
'Adjudicates a batch of checks: calls the tools they name with the caller''s rights, applies answer-eval/1, and returns one signed receipt (answer/v1), stored in the same transaction. Argument: {"checks": [{"id", "tool", "args", "expect", "observe", "required"}, ...], "deadline_ms" (1 to 60000 milliseconds for all tool calls together, default 6000), "evidence" (facts for tools that are not registered; never attested)}. Result: the receipt. A failing tool is a verdict of its check. Errors: 22023 for a malformed request, naming the check and the field, 22004 for NULL, 55000 without a usable signing key, 25006 in a read-only transaction, 42501 without the privilege.';
REVOKE ALL ON FUNCTION @extschema@.answer_eval(jsonb) FROM PUBLIC;

/* evidence that every server has: tools over its own catalogs, and the first key */

INSERT INTO answer.source (source, url, licence, description, seed)
VALUES ('postgresql', 'https://www.postgresql.org/docs/current/catalogs.html', 'PostgreSQL',
	'The catalogs and statistics of this server itself.', true);

CREATE FUNCTION @extschema@.answer_tool_server(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 50
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object(
		'version', split_part(current_setting('server_version'), ' ', 1),
		'version_num', current_setting('server_version_num')::int,
		'started_at', to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		'uptime_s', greatest(0, floor(extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())))::bigint,
		'in_recovery', pg_is_in_recovery(),
		'encoding', current_setting('server_encoding'))
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_server(jsonb) IS
'Handler of the built-in tool postgres_server. Argument: {}. Result: {version, version_num, started_at, uptime_s (seconds), in_recovery, encoding}.';

CREATE FUNCTION @extschema@.answer_tool_setting(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	-- what the caller's own session has set is no statement about the server
	SELECT CASE WHEN s.source IN ('session', 'client') THEN '{}' ELSE jsonb_build_object('setting', v.value) END
		|| jsonb_build_object('name', s.name, 'unit', s.unit, 'context', s.context, 'source', s.source,
			'default', s.boot_val, 'pending_restart', s.pending_restart)
	FROM pg_settings s, LATERAL (SELECT CASE WHEN s.vartype IN ('integer', 'real') THEN to_jsonb(s.setting::numeric)
		WHEN s.vartype = 'bool' THEN to_jsonb(s.setting::boolean) ELSE to_jsonb(s.setting) END) AS v (value)
	WHERE lower(s.name) = lower(args ->> 'name')
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_setting(jsonb) IS
'Handler of the built-in tool postgres_setting. Argument: {name}. Result: {name, setting, unit, context, source, default, pending_restart} as pg_settings shows them to the caller; numbers and booleans as such; without setting where the caller''s own session or connection chose it. NULL for a setting that does not exist or is hidden.';

CREATE FUNCTION @extschema@.answer_tool_extension(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('name', a.name, 'installed', a.installed_version IS NOT NULL,
		'installed_version', a.installed_version, 'default_version', a.default_version,
		'schema', n.nspname, 'comment', a.comment)
	FROM pg_available_extensions a
	LEFT JOIN pg_extension e ON e.extname = a.name
	LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
	WHERE a.name = args ->> 'name'
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_extension(jsonb) IS
'Handler of the built-in tool postgres_extension. Argument: {name}. Result: {name, installed, installed_version, default_version, schema, comment}. NULL for an extension that this server does not have.';

CREATE FUNCTION @extschema@.answer_tool_database(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('name', d.datname, 'size_bytes', pg_database_size(d.oid),
		'owner', pg_get_userbyid(d.datdba), 'encoding', pg_encoding_to_char(d.encoding),
		'allows_connections', d.datallowconn, 'connection_limit', d.datconnlimit,
		'connections', (SELECT count(*) FROM pg_stat_activity s WHERE s.datid = d.oid),
		'frozen_xid_age', age(d.datfrozenxid))
	FROM pg_database d WHERE d.datname = COALESCE(args ->> 'name', current_database())
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_database(jsonb) IS
'Handler of the built-in tool postgres_database. Argument: {name}, default this database. Result: {name, size_bytes, owner, encoding, allows_connections, connection_limit, connections, frozen_xid_age}. NULL for a database that does not exist. Errors: 42501 without CONNECT on it.';

CREATE FUNCTION @extschema@.answer_tool_relation(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('relation', format('%I.%I', n.nspname, c.relname),
		'kind', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table'
			WHEN 'i' THEN 'index' WHEN 'I' THEN 'partitioned index' WHEN 'v' THEN 'view'
			WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' WHEN 't' THEN 'toast table'
			WHEN 'f' THEN 'foreign table' ELSE 'composite type' END,
		'rows_estimated', CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END,
		'size_bytes', pg_total_relation_size(c.oid),
		'last_vacuum', to_char(greatest(s.last_vacuum, s.last_autovacuum) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		'last_analyze', to_char(greatest(s.last_analyze, s.last_autoanalyze) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		'dead_rows_estimated', s.n_dead_tup)
	FROM pg_class c
	JOIN pg_namespace n ON n.oid = c.relnamespace
	LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
	WHERE c.oid = to_regclass(args ->> 'relation')
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_relation(jsonb) IS
'Handler of the built-in tool postgres_relation. Argument: {relation}, a name with its schema. Result: {relation, kind, rows_estimated (null before the first ANALYZE), size_bytes (with indexes and TOAST), last_vacuum, last_analyze, dead_rows_estimated}. NULL for a relation that does not exist.';

CREATE FUNCTION @extschema@.answer_tool_replication(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object(
		'role', CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END,
		'streaming', (SELECT count(*) FROM pg_stat_replication r WHERE r.state = 'streaming'),
		'standbys', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', r.application_name,
				'state', r.state, 'sync_state', r.sync_state,
				'replay_lag_s', extract(epoch FROM r.replay_lag)) ORDER BY r.application_name, r.pid), '[]')
			FROM pg_stat_replication r),
		'slots', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', l.slot_name,
				'type', l.slot_type, 'active', l.active, 'wal_status', l.wal_status) ORDER BY l.slot_name), '[]')
			FROM pg_replication_slots l),
		'replay_lag_s', CASE WHEN pg_is_in_recovery()
			THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END)
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_replication(jsonb) IS
'Handler of the built-in tool postgres_replication. Argument: {}. Result: {role (primary or standby), streaming (number of standbys that stream), standbys, slots, replay_lag_s (seconds, on a standby)}, as far as the caller may see them.';

REVOKE ALL ON FUNCTION
	@extschema@.answer_tool_server(jsonb), @extschema@.answer_tool_setting(jsonb),
	@extschema@.answer_tool_extension(jsonb), @extschema@.answer_tool_database(jsonb),
	@extschema@.answer_tool_relation(jsonb), @extschema@.answer_tool_replication(jsonb)
FROM PUBLIC;

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, unit,
	entity_path, source, category, description, seed)
SELECT v.tool, '@extschema@.' OPERATOR(pg_catalog.||) v.handler,
	v.required_args::pg_catalog.text[], v.optional_args::pg_catalog.text[], '1 minute', v.value_path, v.unit,
	v.entity_path, 'postgresql', 'database', v.description, true
FROM (VALUES
	('postgres_server', 'answer_tool_server', '{}', '{}', 'version', NULL, NULL,
	 'Version (the value), start, uptime in seconds, recovery state and encoding of this server.'),
	('postgres_setting', 'answer_tool_setting', '{name}', '{}', 'setting', NULL, 'name',
	 'A configuration parameter: its setting (the value), unit, where it comes from, its default.'),
	('postgres_extension', 'answer_tool_extension', '{name}', '{}', 'installed_version', NULL, 'name',
	 'An extension available on this server: the version installed in this database (the value; null if none) and the default one.'),
	('postgres_database', 'answer_tool_database', '{}', '{name}', 'size_bytes', 'bytes', 'name',
	 'A database (this one by default): its size in bytes (the value), owner, encoding, connections, transaction age.'),
	('postgres_relation', 'answer_tool_relation', '{relation}', '{}', 'rows_estimated', 'rows', 'relation',
	 'A relation named with its schema: estimated rows (the value), size in bytes, last vacuum and analyze.'),
	('postgres_replication', 'answer_tool_replication', '{}', '{}', 'streaming', 'standbys', NULL,
	 'Replication: how many standbys stream (the value), the role of this server, standbys, slots, lag.')
) AS v (tool, handler, required_args, optional_args, value_path, unit, entity_path, description);

-- so that it works at once; see answer_key_generate()
SELECT @extschema@.answer_key_generate();
