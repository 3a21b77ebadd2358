
/* ground: users' detectors of conflicts */

CREATE TABLE answer.conflict_detector
(
	name			text COLLATE "C" NOT NULL CHECK (name OPERATOR(pg_catalog.<>) ''),
	tenant			text COLLATE "C" NOT NULL DEFAULT '' CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	handler			text NOT NULL,
	handler_owner	text NOT NULL,
	description		text,
	registered_by	text NOT NULL,
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, name)
);
COMMENT ON TABLE answer.conflict_detector IS 'Users'' detectors of conflicts among chunks, which are asked beside the built-in rules.';
COMMENT ON COLUMN answer.conflict_detector.name IS 'Name of the detector, which its conflicts have as their kind.';
COMMENT ON COLUMN answer.conflict_detector.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.conflict_detector.handler IS 'Qualified name of a function (jsonb) RETURNS jsonb.';
COMMENT ON COLUMN answer.conflict_detector.handler_owner IS 'Who owned the handler when it was registered. A function of another owner is not called until it is registered again.';
COMMENT ON COLUMN answer.conflict_detector.description IS 'For people. NULL: none.';
COMMENT ON COLUMN answer.conflict_detector.registered_by IS 'The role that registered it, with whose rights a tenant''s runs.';
COMMENT ON COLUMN answer.conflict_detector.seed IS 'Comes with the extension, as none does yet.';

SELECT pg_catalog.pg_extension_config_dump('answer.conflict_detector', 'WHERE NOT seed');

CREATE FUNCTION answer.conflict_detector_put(registered_by text, tenant text, name text, handler regprocedure, description text, replace boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	wanted answer.conflict_detector;
BEGIN
	IF name IS NULL OR handler IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name and handler of a conflict detector must not be null';
	END IF;
	IF name !~ '^[a-z][a-z0-9_.-]{0,62}$' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('"%s" is no name of a conflict detector', name),
			detail = 'A name has from 1 to 63 characters: lower-case ASCII letters, digits and _ . -. It begins with a letter.';
	END IF;
	IF name IN ('encryption', 'refund', 'policy', 'numeric') THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('conflict detector "%s" would pass for a built-in rule', name),
			hint = 'Choose another name than encryption, refund, policy and numeric.';
	END IF;
	wanted.name := name;
	wanted.tenant := tenant;
	wanted.description := description;
	wanted.registered_by := registered_by;
	wanted.seed := false;
	SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO wanted.handler, wanted.handler_owner
	FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
	WHERE p.oid = handler AND p.prokind = 'f' AND NOT p.proretset
	AND p.pronargs = 1 AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = 'jsonb'::regtype
	-- whose name another session's could take over
	AND NOT starts_with(n.nspname, 'pg_temp_');
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('handler %s of conflict detector "%s" must be a function (jsonb) RETURNS jsonb, and not temporary', handler, name);
	END IF;
	-- whoever asks learns no more than that a shared one has the name; a tenant's own says nothing to others
	IF tenant <> '' AND EXISTS (SELECT FROM answer.conflict_detector d WHERE d.tenant = '' AND d.name = wanted.name) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared conflict detector', name);
	END IF;
	-- bytes that no record could tell of would keep everybody from being told
	PERFORM @extschema@.answer_canonical(jsonb_build_array(name, description, wanted.handler));
	-- who registers it, and who owns its handler now, is no part of what was said
	INSERT INTO answer.conflict_detector AS d SELECT wanted.*
	ON CONFLICT ON CONSTRAINT conflict_detector_pkey DO UPDATE
	SET handler = excluded.handler, handler_owner = excluded.handler_owner,
		description = excluded.description, registered_by = excluded.registered_by
	WHERE NOT d.seed AND (replace OR to_jsonb(d) - '{registered_by,handler_owner}'::text[]
		= to_jsonb(wanted) - '{registered_by,handler_owner}'::text[]);
	IF NOT FOUND THEN
		PERFORM answer.refuse_registered('conflict detector', name,
			(SELECT to_jsonb(d) FROM answer.conflict_detector d WHERE d.tenant = wanted.tenant AND d.name = wanted.name), to_jsonb(wanted));
	END IF;
	PERFORM answer.change_record_put(tenant, 'conflict_detector', name);
END
$$;
COMMENT ON FUNCTION answer.conflict_detector_put(text, text, text, regprocedure, text, boolean) IS
'Writes a detector for answer_conflict_detector_register(), as the owner of the tables; not for direct use. Arguments: the role that registers, its tenant, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_conflict_detector_register(name text, handler regprocedure, description text DEFAULT NULL, replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_conflict_detector_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_conflict_detector_register(text, regprocedure, text, boolean) IS
'Registers a detector of conflicts, which grounded answers ask beside the built-in rules. Arguments: its name, of lower-case ASCII letters, digits and _ . -; handler, a function (chunks jsonb) RETURNS jsonb, and no temporary one, that is called with the caller''s rights, under the deadline, for as long as the role that owns it now does; description; replace: true if a detector that is registered may become what is given here, all of it. The handler is given an array of chunks {chunk_id, doc_id, text, similarity, timestamp?, ...} and returns an array of {chunk_a, chunk_b, reason, conflict_type?, evidence_snippets?}, or NULL for none; chunk_a and chunk_b are {"chunk_id"} of two of them, conflict_type is policy (the default) or numeric. One that fails, is late or returns anything else makes the receipt degraded. The same registration again changes nothing but who registered it, and binds the handler to the role that owns it now. Result: none. Errors: 22004 for a NULL name or handler, 22023 for another bad argument or a name of a built-in rule, 23505 for a detector that is registered otherwise, which is left as it is, 42501 without the privilege. A tenant''s detector is its own: its handler runs for it alone, with the rights of the role that registers it, in a security-restricted operation. Further errors then: 23505 for the name of a shared one, 42501 for the operator with a tenant set.';

CREATE FUNCTION answer.conflict_detector_remove_put(tenant text, name text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF name IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'name must not be null';
	END IF;
	DELETE FROM answer.conflict_detector d WHERE d.tenant = conflict_detector_remove_put.tenant
		AND d.name = conflict_detector_remove_put.name;
	IF NOT FOUND THEN
		IF EXISTS (SELECT FROM answer.conflict_detector d WHERE d.tenant = '' AND d.name = conflict_detector_remove_put.name) THEN
			RAISE EXCEPTION USING errcode = '42501', message = format('conflict detector "%s" is shared by all tenants', name),
				hint = 'The owner of the extension removes it, with no answer_eval.tenant set.';
		END IF;
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown conflict detector "%s"', name),
			hint = CASE tenant WHEN '' THEN 'answer.conflict_detector lists those that are registered.'
				ELSE 'answer.tenant_conflict_detector lists those that are registered.' END;
	END IF;
	PERFORM answer.change_record_put(tenant, 'conflict_detector', name);
END
$$;
COMMENT ON FUNCTION answer.conflict_detector_remove_put(text, text) IS
'Removes a detector for answer_conflict_detector_remove(), as the owner of the tables; not for direct use. Arguments: the tenant, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_conflict_detector_remove(name text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_conflict_detector_remove(text) IS
'Removes a detector of conflicts of the caller''s tenant (answer_tenant()), and signs a record of that (change/v1). Receipts keep what it found, and verify and replay as before. Argument: its name. Result: none. Errors: 22004 for NULL, P0002 for an unknown one, 42501 without the privilege or a tenant, and for a tenant that names a shared one.';

REVOKE ALL ON answer.conflict_detector FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.conflict_detector_put(text, text, text, regprocedure, text, boolean),
	@extschema@.answer_conflict_detector_register(text, regprocedure, text, boolean),
	answer.conflict_detector_remove_put(text, text),
	@extschema@.answer_conflict_detector_remove(text)
FROM PUBLIC;
