
/* judge: who judges pairs of texts, and what was judged; doc/spec/judgement.md section 6 */

CREATE TABLE answer.judge
(
	name			text COLLATE "C" NOT NULL CHECK (name OPERATOR(pg_catalog.<>) ''),
	tenant			text COLLATE "C" NOT NULL DEFAULT '' CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	-- number of the present version; answer.judge_version has all versions
	revision		integer NOT NULL CHECK (revision OPERATOR(pg_catalog.>) 0),
	kinds			text[] NOT NULL,
	model			text NOT NULL,
	version			text COLLATE "C" NOT NULL,
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	handler			text,
	handler_owner	text,
	handler_digest	text,
	role			text,
	weights_digest	text,
	max_pairs		integer NOT NULL DEFAULT 64,
	max_chars		integer NOT NULL DEFAULT 8000,
	deadline_ms		integer,
	registered_by	text NOT NULL,
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, name),
	CHECK ((handler IS NULL) OPERATOR(pg_catalog.<>) (role IS NULL)),
	CHECK ((handler IS NULL) OPERATOR(pg_catalog.=) (handler_owner IS NULL) AND (handler IS NULL) OPERATOR(pg_catalog.=) (handler_digest IS NULL))
);
COMMENT ON TABLE answer.judge IS 'Judges, one per row, in their present version: functions, or members of a role, that say whether one text supports, answers or contradicts another. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.name IS 'Name of the judge, used in configurations and judgements. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.revision IS 'Number of its present version, from 1; it grows when the judge is registered with another model, version, weights or handler. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.kinds IS 'Kinds of pairs that it judges: entailment, answers, conflict. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.model IS 'Name of the model, or of the people, that judges. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.version IS 'Its version, as documents show it. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.handler IS 'Qualified name of a function (jsonb) RETURNS jsonb. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.handler_owner IS 'Owner of the handler when it was registered. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.handler_digest IS 'Digest of the handler''s source when it was registered. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.role IS 'Role whose members record judgements in its name. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.weights_digest IS 'Identifies its weights; documents repeat it. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.max_pairs IS 'Maximum number of pairs in one call of the handler. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.max_chars IS 'Maximum length, in characters, of a text that the handler is asked about. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.deadline_ms IS 'Maximum duration of a call of the handler, in milliseconds. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.registered_by IS 'The role that registered it; a tenant''s judge runs with its privileges. See doc/tables.md#answerjudge.';
COMMENT ON COLUMN answer.judge.seed IS 'True if the judge came with the extension; none does yet. See doc/tables.md#answerjudge.';

CREATE TABLE answer.judge_version
(
	name			text COLLATE "C" NOT NULL,
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	revision		integer NOT NULL,
	model			text NOT NULL,
	version			text COLLATE "C" NOT NULL,
	handler			text,
	handler_digest	text,
	weights_digest	text,
	registered_by	text NOT NULL,
	registered_at	timestamptz NOT NULL,
	PRIMARY KEY (tenant, name, revision)
);
COMMENT ON TABLE answer.judge_version IS 'All versions of judges, one per row, append-only, so that it is known which one made a judgement. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.name IS 'Name of the judge. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.revision IS 'Number of the version. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.model IS 'Name of the model, or of the people, that judges. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.version IS 'Its version, as documents show it. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.handler IS 'Qualified name of its handler. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.handler_digest IS 'Digest of the handler''s source. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.weights_digest IS 'Identifies its weights. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.registered_by IS 'The role that registered it. See doc/tables.md#answerjudge_version.';
COMMENT ON COLUMN answer.judge_version.registered_at IS 'When it was registered, by the server''s clock. See doc/tables.md#answerjudge_version.';

CREATE TABLE answer.judgement
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	pair			text COLLATE "C" NOT NULL,
	judge			text COLLATE "C" NOT NULL,
	judge_tenant	text COLLATE "C" NOT NULL DEFAULT '',
	revision		integer NOT NULL,
	judged_at		timestamptz NOT NULL CHECK (pg_catalog.isfinite(judged_at)),
	kind			text COLLATE "C" NOT NULL CHECK (kind IN ('entailment', 'answers', 'conflict')),
	version			text COLLATE "C" NOT NULL,
	relation		text COLLATE "C" NOT NULL CHECK (relation IN ('supports', 'contradicts', 'neutral', 'no_claim', 'answers', 'does_not')),
	score			numeric NOT NULL CHECK (score OPERATOR(pg_catalog.>=) 0 AND score OPERATOR(pg_catalog.<=) 1),
	origin			text COLLATE "C" NOT NULL CHECK (origin IN ('observed', 'reported')),
	by				text NOT NULL,
	passages		bytea[] NOT NULL DEFAULT '{}',
	sig				jsonb NOT NULL,
	PRIMARY KEY (tenant, pair, judge, judge_tenant, revision, judged_at)
);
-- judgements over the texts of a forgotten document
CREATE INDEX judgement_passages ON answer.judgement USING gin (passages);
COMMENT ON TABLE answer.judgement IS 'Judgements of pairs of texts, one per row, by digest and without the texts. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.tenant IS 'The tenant for which it was judged (answer.tenant); empty for the operator. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.pair IS 'Digest of the pair: answer_digest of {"kind", "a", "b"}. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.judge IS 'Name of the judge. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.judge_tenant IS 'Owner of the judge: a tenant, or empty for a shared one. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.revision IS 'Version of the judge, as in answer.judge_version. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.judged_at IS 'When it was judged, by the server''s clock. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.kind IS 'Kind of the pair: entailment, answers or conflict. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.version IS 'Version of the judge, as documents show it. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.relation IS 'The relation that the judge found: supports, contradicts, neutral or no_claim for entailment; answers or does_not for answers; contradicts or neutral for a conflict. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.score IS 'How sure the judge is of the relation, from 0 to 1. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.origin IS 'observed: the database called the handler; reported: a member of the role reported it. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.by IS 'The role for which the handler was called, or the role that reported it. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.passages IS 'SHA-256 of each passage of the pair: of the parts of b that blank lines separate, for a conflict also those of a. See doc/tables.md#answerjudgement.';
COMMENT ON COLUMN answer.judgement.sig IS 'Signature over the other columns, made at judged_at. See doc/tables.md#answerjudgement.';

CREATE TABLE answer.judge_assessment
(
	tenant				text COLLATE "C" NOT NULL DEFAULT '',
	judge				text COLLATE "C" NOT NULL,
	revision			integer NOT NULL,
	kind				text COLLATE "C" NOT NULL CHECK (kind IN ('entailment', 'answers', 'conflict')),
	assessed_at			timestamptz NOT NULL,
	version				text COLLATE "C" NOT NULL,
	pairs				text COLLATE "C" NOT NULL,
	n					integer NOT NULL CHECK (n OPERATOR(pg_catalog.>=) 0),
	balanced_accuracy	numeric CHECK (balanced_accuracy OPERATOR(pg_catalog.>=) 0 AND balanced_accuracy OPERATOR(pg_catalog.<=) 1),
	assessment			jsonb NOT NULL,
	assessed_by			text NOT NULL,
	PRIMARY KEY (tenant, judge, revision, kind, assessed_at)
);
COMMENT ON TABLE answer.judge_assessment IS 'Measurements of how good judges are, one per row, append-only; documents show the newest one of the version that judged. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.tenant IS 'Owner of the judge: a tenant, or empty for a shared one. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.judge IS 'Name of the judge. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.revision IS 'Version of the judge, as in answer.judge_version. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.kind IS 'Kind of the pairs. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.assessed_at IS 'When it was assessed, by the server''s clock. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.version IS 'Version of the judge, as documents show it. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.pairs IS 'Digest of the pairs and their true relations. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.n IS 'Number of pairs that the judge judged. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.balanced_accuracy IS 'Mean of the share that the judge got right, over the relations that occur. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.assessment IS 'The whole assessment, as answer_judge_assess() returned it for the kind. See doc/tables.md#answerjudge_assessment.';
COMMENT ON COLUMN answer.judge_assessment.assessed_by IS 'The role that assessed it. See doc/tables.md#answerjudge_assessment.';

CREATE TRIGGER judge_version_append_only BEFORE UPDATE OR DELETE ON answer.judge_version
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER judge_version_no_truncate BEFORE TRUNCATE ON answer.judge_version
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
-- answer_forget deletes rows
CREATE TRIGGER judgement_append_only BEFORE UPDATE ON answer.judgement
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER judgement_no_truncate BEFORE TRUNCATE ON answer.judgement
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER judge_assessment_append_only BEFORE UPDATE OR DELETE ON answer.judge_assessment
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER judge_assessment_no_truncate BEFORE TRUNCATE ON answer.judge_assessment
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

SELECT pg_catalog.pg_extension_config_dump('answer.judge', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.judge_version', '');
SELECT pg_catalog.pg_extension_config_dump('answer.judgement', '');
SELECT pg_catalog.pg_extension_config_dump('answer.judge_assessment', '');

/* registering */

CREATE FUNCTION answer.judge_handler_digest(handler regprocedure) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_judge_handler_digest'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION answer.judge_handler_digest(regprocedure) IS
'Returns the digest of what a function does: its language, body, library and settings; not for direct use.';

CREATE FUNCTION answer.judge_option(name text, option text, value jsonb, lowest integer, highest integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF value IS NULL OR jsonb_typeof(value) = 'null' THEN
		RETURN NULL;
	END IF;
	IF jsonb_typeof(value) <> 'number' OR (value #>> '{}')::numeric NOT BETWEEN lowest AND highest
		OR (value #>> '{}')::numeric <> trunc((value #>> '{}')::numeric) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('option "%s" of judge "%s" must be an integer from %s to %s', option, name, lowest, highest),
			detail = format('It is %s.', left(value::text, 200));
	END IF;
	RETURN (value #>> '{}')::numeric::integer;
END
$$;
COMMENT ON FUNCTION answer.judge_option(text, text, jsonb, integer, integer) IS
'Reads an integer among the options of a judge; not for direct use.';

CREATE FUNCTION answer.judge_text(name text, option text, value jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF value IS NULL OR jsonb_typeof(value) = 'null' THEN
		RETURN NULL;
	END IF;
	IF jsonb_typeof(value) <> 'string' OR (value #>> '{}') ~ '^[[:space:]]*$' OR length(value #>> '{}') > 200 THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('option "%s" of judge "%s" must be a text of 1 to 200 characters that is not blank', option, name),
			detail = format('It is %s.', left(value::text, 200));
	END IF;
	RETURN value #>> '{}';
END
$$;
COMMENT ON FUNCTION answer.judge_text(text, text, jsonb) IS
'Reads a text among the options of a judge; not for direct use.';

CREATE FUNCTION answer.judge_kinds(name text, kinds jsonb) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	named text[];
BEGIN
	IF jsonb_typeof(kinds) = 'array' AND NOT EXISTS (SELECT FROM jsonb_array_elements(kinds) AS k
		WHERE k NOT IN ('"entailment"', '"answers"', '"conflict"')) THEN
		SELECT array_agg(o.kind ORDER BY o.place) INTO named
		FROM unnest('{entailment,answers,conflict}'::text[]) WITH ORDINALITY AS o (kind, place) WHERE kinds ? o.kind;
	END IF;
	IF named IS NULL OR cardinality(named) <> jsonb_array_length(kinds) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('option "kinds" of judge "%s" must be an array of one or more of entailment, answers and conflict, each once', name),
			detail = format('It is %s.', COALESCE(left(kinds::text, 200), 'missing'));
	END IF;
	RETURN named;
END
$$;
COMMENT ON FUNCTION answer.judge_kinds(text, jsonb) IS
'Reads the kinds among the options of a judge; not for direct use.';

CREATE FUNCTION answer.judge_wanted(name text, options jsonb, handler regprocedure) RETURNS answer.judge
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	wanted answer.judge;
	unknown text;
BEGIN
	IF name IS NULL OR options IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name and options of a judge must not be null';
	END IF;
	IF name !~ '^[a-z][a-z0-9_.-]{0,62}$' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('"%s" is no name of a judge', name),
			detail = 'A name has from 1 to 63 characters: lower-case ASCII letters, digits and _ . -. It begins with a letter.';
	END IF;
	IF name IN ('encryption', 'refund', 'policy', 'numeric', 'copy', 'fact') THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('judge "%s" has the name of a built-in rule', name),
			hint = 'Choose a name other than encryption, refund, policy, numeric, copy and fact.';
	END IF;
	IF jsonb_typeof(options) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('options of judge "%s" must be a JSON object', name);
	END IF;
	SELECT k INTO unknown FROM jsonb_object_keys(options) AS k
	WHERE k NOT IN ('kinds', 'model', 'version', 'handler', 'role', 'weights_digest', 'max_pairs', 'max_chars', 'deadline_ms')
	ORDER BY k COLLATE "C" LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('option "%s" of judge "%s" is unknown', unknown, name),
			hint = 'Options are kinds, model, version, handler, role, weights_digest, max_pairs, max_chars and deadline_ms.';
	END IF;
	wanted.name := name;
	wanted.kinds := answer.judge_kinds(name, options -> 'kinds');
	wanted.model := answer.judge_text(name, 'model', options -> 'model');
	wanted.version := answer.judge_text(name, 'version', options -> 'version');
	IF wanted.model IS NULL OR wanted.version IS NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('judge "%s" must have a model and a version', name),
			hint = 'Every document that it takes part in shows both.';
	END IF;
	wanted.weights_digest := answer.judge_text(name, 'weights_digest', options -> 'weights_digest');
	wanted.max_pairs := COALESCE(answer.judge_option(name, 'max_pairs', options -> 'max_pairs', 1, 1000), 64);
	wanted.max_chars := COALESCE(answer.judge_option(name, 'max_chars', options -> 'max_chars', 1, 1000000), 8000);
	wanted.deadline_ms := answer.judge_option(name, 'deadline_ms', options -> 'deadline_ms', 1, 3600000);
	wanted.role := answer.judge_text(name, 'role', options -> 'role');
	IF (handler IS NULL) = (wanted.role IS NULL) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('judge "%s" must have either a handler or a role', name),
			hint = 'The database calls a handler; without one, the members of the role record what they judged.';
	END IF;
	IF handler IS NOT NULL THEN
		SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO wanted.handler, wanted.handler_owner
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
		WHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset
		AND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype
		-- another session could take over its name
		AND NOT starts_with(n.nspname, 'pg_temp_');
		IF NOT FOUND THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('handler %s of judge "%s" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);
		END IF;
		wanted.handler_digest := answer.judge_handler_digest(handler);
	ELSIF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = wanted.role) THEN
		RAISE EXCEPTION USING errcode = '42704', message = format('role "%s" of judge "%s" does not exist', wanted.role, name);
	END IF;
	wanted.seed := false;
	RETURN wanted;
END
$$;
COMMENT ON FUNCTION answer.judge_wanted(text, jsonb, regprocedure) IS
'Reads the options with which a judge is registered; not for direct use.';

CREATE FUNCTION answer.judge_register_put(registered_by text, tenant text, given jsonb, handler regprocedure) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	name text := given ->> 'name';
	wanted answer.judge := answer.judge_wanted(name, given -> 'options', handler);
	present answer.judge;
	newest integer;
BEGIN
	wanted.tenant := tenant;
	wanted.registered_by := registered_by;
	-- the caller learns only that a shared judge has the name; a tenant's own are not revealed to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.judge j WHERE j.tenant = '' AND j.name = wanted.name) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared judge', name);
	END IF;
	-- bytes that no record could contain would make the records unusable for everybody
	PERFORM @extschema@.answer_canonical(to_jsonb(wanted));
	SELECT j.* INTO present FROM answer.judge j WHERE j.tenant = wanted.tenant AND j.name = wanted.name FOR UPDATE;
	IF present.seed THEN
		PERFORM answer.refuse_registered('judge', name, to_jsonb(present), to_jsonb(wanted));
	END IF;
	SELECT COALESCE(max(v.revision), 0) INTO newest FROM answer.judge_version v WHERE v.tenant = wanted.tenant AND v.name = wanted.name;
	IF (present.model, present.version, present.handler, present.handler_digest, present.weights_digest, present.role IS NULL)
		IS NOT DISTINCT FROM (wanted.model, wanted.version, wanted.handler, wanted.handler_digest, wanted.weights_digest, wanted.role IS NULL)
		AND present.name IS NOT NULL THEN
		wanted.revision := present.revision;
	ELSE
		wanted.revision := newest + 1;
		INSERT INTO answer.judge_version (name, tenant, revision, model, version, handler, handler_digest, weights_digest, registered_by, registered_at)
		VALUES (wanted.name, wanted.tenant, wanted.revision, wanted.model, wanted.version, wanted.handler, wanted.handler_digest,
			wanted.weights_digest, wanted.registered_by, clock_timestamp())
		-- registering a name holds its lock, so this can only be a snapshot older than another's registration; the
		-- server reports that, as for every such row
		ON CONFLICT ON CONSTRAINT judge_version_pkey DO NOTHING;
	END IF;
	INSERT INTO answer.judge AS j SELECT wanted.*
	ON CONFLICT ON CONSTRAINT judge_pkey DO UPDATE
	SET revision = excluded.revision, kinds = excluded.kinds, model = excluded.model, version = excluded.version, handler = excluded.handler,
		handler_owner = excluded.handler_owner, handler_digest = excluded.handler_digest, role = excluded.role,
		weights_digest = excluded.weights_digest, max_pairs = excluded.max_pairs, max_chars = excluded.max_chars,
		deadline_ms = excluded.deadline_ms, registered_by = excluded.registered_by;
	PERFORM answer.change_record_put(tenant, 'judge', name);
END
$$;
COMMENT ON FUNCTION answer.judge_register_put(text, text, jsonb, regprocedure) IS
'Inserts or changes a judge for answer_judge_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_judge_register(name text, options jsonb) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_judge_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_judge_register(text, jsonb) IS
'Registers a judge, which says whether one text supports, answers or contradicts another; signs a record of that (change/v1). See doc/reference.md#answer_judge_register.';

CREATE FUNCTION answer.judge_remove_put(tenant text, name text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF name IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name must not be null';
	END IF;
	DELETE FROM answer.judge j WHERE j.tenant = judge_remove_put.tenant AND j.name = judge_remove_put.name;
	IF NOT FOUND THEN
		IF EXISTS (SELECT FROM answer.judge j WHERE j.tenant = '' AND j.name = judge_remove_put.name) THEN
			RAISE EXCEPTION USING errcode = '42501', message = format('judge "%s" is shared by all tenants', name),
				hint = 'The owner of the extension removes it, with no answer_eval.tenant set.';
		END IF;
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown judge "%s"', name),
			hint = 'answer_judges() lists those that are registered.';
	END IF;
	PERFORM answer.change_record_put(tenant, 'judge', name);
END
$$;
COMMENT ON FUNCTION answer.judge_remove_put(text, text) IS
'Removes a judge for answer_judge_remove(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_judge_remove(name text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_judge_remove(text) IS
'Removes a judge of the caller''s tenant (answer_tenant()), and signs a record of that (change/v1). See doc/reference.md#answer_judge_remove.';

CREATE FUNCTION answer.judge_assessed(tenant text, name text, revision integer) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT jsonb_object_agg(n.kind, n.assessment)
	FROM (SELECT DISTINCT ON (a.kind) a.kind, a.assessment FROM answer.judge_assessment a
		WHERE a.tenant = judge_assessed.tenant AND a.judge = judge_assessed.name AND a.revision = judge_assessed.revision
		ORDER BY a.kind, a.assessed_at DESC) AS n;
END;
COMMENT ON FUNCTION answer.judge_assessed(text, text, integer) IS
'Returns the newest assessment of a version of a judge, by kind; not for direct use.';

CREATE FUNCTION answer.judges_of(tenant text)
RETURNS TABLE (name text, kinds text[], model text, version text, external boolean, assessed jsonb, shared boolean, role text, handler text,
	weights_digest text, max_pairs integer, max_chars integer, deadline_ms integer, registered_by text)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE ROWS 10
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT DISTINCT ON (j.name) j.name, j.kinds, j.model, j.version, j.handler IS NULL, answer.judge_assessed(j.tenant, j.name, j.revision),
		j.tenant = '', j.role, j.handler, j.weights_digest, j.max_pairs, j.max_chars, j.deadline_ms, j.registered_by
	FROM answer.judge j WHERE j.tenant = ANY (ARRAY['', judges_of.tenant])
	ORDER BY j.name, j.tenant;
END;
COMMENT ON FUNCTION answer.judges_of(text) IS
'Lists judges for answer_judges(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_judges()
RETURNS TABLE (name text, kinds text[], model text, version text, external boolean, assessed jsonb, shared boolean, role text, handler text,
	weights_digest text, max_pairs integer, max_chars integer, deadline_ms integer, registered_by text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_tenant'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 100 ROWS 10;
COMMENT ON FUNCTION @extschema@.answer_judges() IS
'Returns the judges that count for the caller''s tenant (answer_tenant()): the shared ones and its own. See doc/reference.md#answer_judges.';

/* what was judged */

CREATE FUNCTION answer.judgement_put(tenant text, by text, origin text, judgements jsonb) RETURNS integer
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	stored integer;
BEGIN
	INSERT INTO answer.judgement (tenant, pair, judge, judge_tenant, revision, judged_at, kind, version, relation, score, origin, by, passages, sig)
	SELECT tenant, r.pair, r.judge, r.judge_tenant, r.revision, r.judged_at, r.kind, r.version, r.relation, trim_scale(r.score), origin, by,
		ARRAY(SELECT decode(p, 'hex') FROM unnest(r.passages) AS p), r.sig
	FROM jsonb_to_recordset(judgements) AS r (pair text, judge text, judge_tenant text, revision integer, judged_at timestamptz, kind text,
		version text, relation text, score numeric, passages text[], sig jsonb)
	-- in a fixed order, so that two sessions that store the same judgements wait for each other only once
	ORDER BY r.pair COLLATE "C", r.judge COLLATE "C"
	ON CONFLICT DO NOTHING;
	GET DIAGNOSTICS stored = ROW_COUNT;
	RETURN stored;
END
$$;
COMMENT ON FUNCTION answer.judgement_put(text, text, text, jsonb) IS
'Stores signed judgements, as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.decision_pairs(body jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decision_pairs'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION answer.decision_pairs(jsonb) IS
'Returns to_judge of a signed decision, with the texts; not for direct use.';

CREATE FUNCTION answer.judge_texts(body jsonb) RETURNS TABLE (kind text, pair text, a text, b text)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 5
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT p ->> 'kind', p ->> 'pair', p ->> 'a', p ->> 'b' FROM jsonb_array_elements(answer.decision_pairs(body)) AS p;
END;
COMMENT ON FUNCTION answer.judge_texts(jsonb) IS
'Returns the pairs that a signed decision needs, with their texts, which are rebuilt from the decision; not for direct use.';

CREATE FUNCTION answer.judge_needs(tenant text, pairs text[]) RETURNS TABLE (pair text, kind text, a text, b text)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	missing text[] := pairs;
	needing record;
BEGIN
	-- the newest decisions first: a judge has usually just been shown them
	FOR needing IN SELECT r.schema = 'plan/v1' AS is_plan, r.body, jsonb_path_query_array(r.body,
			CASE r.schema WHEN 'decision/v1' THEN '$.to_judge[*]' ELSE '$.trace[*].outputs.evidence.to_judge[*]' END::jsonpath) AS needs
		FROM answer.receipt r
		WHERE r.tenant = judge_needs.tenant
			AND (r.schema = 'decision/v1' AND r.body -> 'to_judge' <> '[]'
				OR r.schema = 'plan/v1' AND r.body @? '$.trace[*].outputs.evidence.to_judge[*]')
		ORDER BY r.issued_at DESC
	LOOP
		-- a plan's document contains the texts
		RETURN QUERY WITH need AS MATERIALIZED (
			SELECT DISTINCT ON (n ->> 'pair') n ->> 'pair' AS pair, n ->> 'kind' AS kind, n ->> 'a' AS a, n ->> 'b' AS b
			FROM jsonb_array_elements(needing.needs) AS n WHERE n ->> 'pair' = ANY (missing)
		)
		SELECT d.pair, d.kind, COALESCE(d.a, t.a), COALESCE(d.b, t.b)
		FROM need d LEFT JOIN answer.judge_texts(CASE WHEN NOT needing.is_plan AND EXISTS (SELECT FROM need) THEN needing.body END) AS t
			ON t.pair = d.pair AND t.kind = d.kind;
		IF FOUND THEN
			missing := ARRAY(SELECT m FROM unnest(missing) AS m WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(needing.needs) AS n WHERE n ->> 'pair' = m));
		END IF;
		EXIT WHEN cardinality(missing) = 0;
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.judge_needs(text, text[]) IS
'Returns which of these pairs signed decisions and plans of a tenant need, with their kinds and texts; not for direct use.';

CREATE FUNCTION @extschema@.answer_judgement_add(judgements jsonb) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_judgement_add'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_judgement_add(jsonb) IS
'Stores judgements of external judges for the caller''s tenant (answer_tenant()); later decisions use them. See doc/reference.md#answer_judgement_add.';

/* how good judges are */

CREATE FUNCTION answer.judge_assessment_put(tenant text, judge text, revision integer, version text, by text, assessed_at timestamptz, assessments jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	INSERT INTO answer.judge_assessment (tenant, judge, revision, kind, assessed_at, version, pairs, n, balanced_accuracy, assessment, assessed_by)
	SELECT tenant, judge, revision, k.key, assessed_at, version, k.value ->> 'pairs', (k.value ->> 'n')::integer,
		(k.value ->> 'balanced_accuracy')::numeric, k.value, by
	FROM jsonb_each(assessments) AS k;
	-- every document in which the judge takes part shows it, so nobody must be able to edit it
	PERFORM answer.change_record_put(tenant, 'judge', judge);
END
$$;
COMMENT ON FUNCTION answer.judge_assessment_put(text, text, integer, text, text, timestamptz, jsonb) IS
'Stores an assessment for answer_judge_assess(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_judge_assess(judge text, pairs jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_judge_assess'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_judge_assess(text, jsonb) IS
'Measures a judge over pairs with known truth, stores the result, and signs a record of it (change/v1); every document in which the judge takes part shows the newest one of its version. See doc/reference.md#answer_judge_assess.';

/* what is still to be judged */

CREATE FUNCTION answer.judge_pending_of(tenant text, reader oid, judge text, n integer)
RETURNS TABLE (kind text, pair text, a text, b text, receipt_id text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	asked answer.judge;
	decision record;
	need record;
	seen text[] := '{}';
BEGIN
	IF judge IS NULL OR n IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'judge and n must not be null';
	END IF;
	IF n < 1 OR n > 1000 THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'n must be from 1 to 1000', detail = format('It is %s.', n);
	END IF;
	SELECT j.* INTO asked FROM answer.judge j WHERE j.name = judge AND j.tenant = ANY (ARRAY['', judge_pending_of.tenant]) ORDER BY j.tenant LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown judge "%s"', judge), hint = 'answer_judges() lists those that are registered.';
	END IF;
	IF NOT pg_has_role(reader, COALESCE(asked.role, asked.registered_by), 'MEMBER') THEN
		RAISE EXCEPTION USING errcode = '42501', message = format('role "%s" is no member of "%s"', pg_get_userbyid(reader), COALESCE(asked.role, asked.registered_by)),
			hint = format('Only members of that role may read what judge "%s" has to judge.', judge);
	END IF;
	FOR decision IN SELECT r.receipt_id, r.body, r.schema = 'plan/v1' AS is_plan, CASE r.schema WHEN 'decision/v1' THEN r.body -> 'to_judge'
			ELSE jsonb_path_query_array(r.body, '$.trace[*].outputs.evidence.to_judge[*]') END AS to_judge
		FROM answer.receipt r
		WHERE r.tenant = judge_pending_of.tenant
			-- matches an index of every partition (answer.receipt_equip), so that the newest are found without
			-- reading the others
			AND (r.schema = 'decision/v1' AND r.body -> 'to_judge' <> '[]'
				OR r.schema = 'plan/v1' AND r.body @? '$.trace[*].outputs.evidence.to_judge[*]')
			AND CASE r.schema WHEN 'decision/v1' THEN r.body -> 'judges' @> jsonb_build_array(jsonb_build_object('name', judge))
				ELSE jsonb_path_exists(r.body,
					'$.trace[*].outputs.evidence ? (exists (@.to_judge[*])).judging.judge_entailment[*] ? (@ == $judge)',
					jsonb_build_object('judge', judge)) END
		ORDER BY r.issued_at DESC, r.receipt_id
	LOOP
		FOR need IN WITH needed AS MATERIALIZED (
				SELECT t ->> 'kind' AS kind, t ->> 'pair' AS pair, t ->> 'a' AS a, t ->> 'b' AS b, o.place
				FROM jsonb_array_elements(decision.to_judge) WITH ORDINALITY AS o (t, place)
				WHERE t ->> 'kind' = ANY (asked.kinds) AND t ->> 'pair' <> ALL (seen)
				-- a judge or a panel that the configuration names for the kind
				AND (decision.is_plan OR decision.body -> 'config' -> concat('judge_', t ->> 'kind') @> to_jsonb(judge))
				AND NOT EXISTS (SELECT FROM answer.judgement g WHERE g.tenant = judge_pending_of.tenant AND g.pair = t ->> 'pair' AND g.judge = asked.name
					AND g.judge_tenant = asked.tenant AND g.revision = asked.revision)
			)
			-- a plan's document contains the texts
			SELECT d.kind, d.pair, COALESCE(d.a, x.a) AS a, COALESCE(d.b, x.b) AS b
			FROM needed d LEFT JOIN answer.judge_texts(CASE WHEN NOT decision.is_plan AND EXISTS (SELECT FROM needed) THEN decision.body END) AS x
				ON x.pair = d.pair AND x.kind = d.kind
			ORDER BY d.place
		LOOP
			-- a plan may need a pair in several steps
			CONTINUE WHEN need.a IS NULL OR need.pair = ANY (seen);
			a := need.a;
			b := need.b;
			seen := seen || need.pair;
			kind := need.kind;
			pair := need.pair;
			receipt_id := decision.receipt_id;
			RETURN NEXT;
			IF cardinality(seen) >= n THEN
				RETURN;
			END IF;
		END LOOP;
	END LOOP;
END
$$;
COMMENT ON FUNCTION answer.judge_pending_of(text, oid, text, integer) IS
'Lists pairs still to be judged for answer_judge_pending(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_judge_pending(judge text, n integer)
RETURNS TABLE (kind text, pair text, a text, b text, receipt_id text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_for_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 100000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_judge_pending(text, integer) IS
'Returns the pairs that signed decisions and plans of the caller''s tenant (answer_tenant()) needed and that the present version of a judge has not judged, so that a worker or a person can catch up. See doc/reference.md#answer_judge_pending.';

REVOKE ALL ON answer.judge, answer.judge_version, answer.judgement, answer.judge_assessment FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.judge_handler_digest(regprocedure),
	answer.judge_option(text, text, jsonb, integer, integer),
	answer.judge_text(text, text, jsonb),
	answer.judge_kinds(text, jsonb),
	answer.judge_wanted(text, jsonb, regprocedure),
	answer.judge_register_put(text, text, jsonb, regprocedure),
	@extschema@.answer_judge_register(text, jsonb),
	answer.judge_remove_put(text, text),
	@extschema@.answer_judge_remove(text),
	answer.judge_assessed(text, text, integer),
	answer.judges_of(text),
	@extschema@.answer_judges(),
	answer.judgement_put(text, text, text, jsonb),
	answer.judge_needs(text, text[]),
	@extschema@.answer_judgement_add(jsonb),
	answer.judge_assessment_put(text, text, integer, text, text, timestamptz, jsonb),
	@extschema@.answer_judge_assess(text, jsonb),
	answer.decision_pairs(jsonb),
	answer.judge_texts(jsonb),
	answer.judge_pending_of(text, oid, text, integer),
	@extschema@.answer_judge_pending(text, integer)
FROM PUBLIC;
