
/* suites: cases with their expected results, and the documents and the clock that they are tried with;
   doc/spec/gate.md section 1 */

-- No foreign keys, for the reason given in evidence.sql.

CREATE TABLE answer.suite
(
	tenant			text NOT NULL DEFAULT '',
	name			text NOT NULL CHECK (name OPERATOR(pg_catalog.~) '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$'),
	version			integer NOT NULL CHECK (version OPERATOR(pg_catalog.>) 0),
	digest			text NOT NULL,
	now				timestamptz NOT NULL CHECK (pg_catalog.isfinite(now)),
	cases			integer NOT NULL CHECK (cases OPERATOR(pg_catalog.>=) 0),
	documents		jsonb NOT NULL,
	document_set	text NOT NULL CHECK (document_set OPERATOR(pg_catalog.~) '^#[0-9a-f]{40}$'),
	loaded_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	loaded_by		text NOT NULL,
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, name, version)
);
COMMENT ON TABLE answer.suite IS 'Evaluation suites, one version per row. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.name IS 'Name of the suite. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.version IS 'From 1; every load that changes the suite adds a version. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.digest IS 'Digest of its cases, its documents and its clock: "sha256:" and 64 hex digits. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.now IS 'The clock: the instant at which its documents are judged in every run. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.cases IS 'Number of its cases. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.documents IS 'The content_hash of each of its documents, in the order of their doc_id. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.document_set IS 'The key, in place of a tenant, under which its documents are stored in answer.document; no tenant can have it. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.loaded_at IS 'When this version was loaded, by the server''s clock. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.loaded_by IS 'Name of the session''s role that loaded it. See doc/tables.md#answersuite.';
COMMENT ON COLUMN answer.suite.seed IS 'Whether it came with the extension, so that every tenant can run it. See doc/tables.md#answersuite.';

CREATE TABLE answer.suite_case
(
	tenant		text NOT NULL DEFAULT '',
	suite		text NOT NULL,
	version		integer NOT NULL,
	ordinal		integer NOT NULL CHECK (ordinal OPERATOR(pg_catalog.>) 0),
	case_id		text NOT NULL,
	body		jsonb NOT NULL,
	PRIMARY KEY (tenant, suite, version, ordinal)
);
COMMENT ON TABLE answer.suite_case IS 'Cases of suites, one per row. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.suite IS 'Name of the suite. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.version IS 'Version of the suite. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.ordinal IS 'Its position in the suite, from 1. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.case_id IS 'Its id, unique in the suite. See doc/tables.md#answersuite_case.';
COMMENT ON COLUMN answer.suite_case.body IS 'The case, as given. See doc/tables.md#answersuite_case.';
REVOKE ALL ON answer.suite, answer.suite_case FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.suite', 'WHERE NOT seed');
SELECT pg_catalog.pg_extension_config_dump('answer.suite_case', 'WHERE NOT (tenant OPERATOR(pg_catalog.=) '''' AND EXISTS (SELECT FROM answer.suite s WHERE s.tenant OPERATOR(pg_catalog.=) '''' AND s.name OPERATOR(pg_catalog.=) suite AND s.version OPERATOR(pg_catalog.=) suite_case.version AND s.seed))');

CREATE TRIGGER suite_append_only BEFORE UPDATE OR DELETE ON answer.suite
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER suite_no_truncate BEFORE TRUNCATE ON answer.suite
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER suite_case_append_only BEFORE UPDATE OR DELETE ON answer.suite_case
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER suite_case_no_truncate BEFORE TRUNCATE ON answer.suite_case
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

CREATE FUNCTION answer.suite_read(cases jsonb)
RETURNS TABLE (ordinal integer, case_id text, body jsonb, digest text, size integer)
AS 'MODULE_PATHNAME', 'answer_eval_suite_read'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 100;
COMMENT ON FUNCTION answer.suite_read(jsonb) IS
'Reads the cases of a suite; not for direct use.';

CREATE FUNCTION answer.suite_digest(cases jsonb, documents jsonb, now timestamptz) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_suite_digest'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.suite_digest(jsonb, jsonb, timestamptz) IS
'Returns the digest of a suite; not for direct use.';

-- Runs outlive the rows of a suite, as for a restored copy or a lost suite.
CREATE FUNCTION answer.suite_next_version(tenant text, name text, newest integer, digest text) RETURNS integer
LANGUAGE plpgsql STABLE STRICT PARALLEL RESTRICTED COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	known integer;
	last integer;
BEGIN
	SELECT (r.body #>> '{suite,version}')::int4 INTO known FROM answer.receipt r
	WHERE r.schema = 'run/v1' AND r.tenant = tenant AND r.body #>> '{suite,name}' = name AND r.body #>> '{suite,digest}' = digest
	AND (r.body #>> '{suite,version}')::int4 > newest
	ORDER BY (r.body #>> '{suite,version}')::int4 DESC LIMIT 1;
	IF known IS NOT NULL THEN
		RETURN known;
	END IF;
	SELECT (r.body #>> '{suite,version}')::int4 INTO last FROM answer.receipt r
	WHERE r.schema = 'run/v1' AND r.tenant = tenant AND r.body #>> '{suite,name}' = name
	AND (r.body #>> '{suite,version}')::int4 > newest
	ORDER BY (r.body #>> '{suite,version}')::int4 DESC LIMIT 1;
	RETURN COALESCE(last, newest) + 1;
END
$$;
COMMENT ON FUNCTION answer.suite_next_version(text, text, integer, text) IS
'Returns the next version of a suite that does not exist with this content; not for direct use.';

CREATE FUNCTION answer.suite_digests(cases jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	digests jsonb;
	twice text;
	size bigint;
BEGIN
	-- refuses malformed input in a statement of its own: an error shows the statement that raised it, and this one is
	-- short
	SELECT COALESCE(jsonb_agg(r.digest ORDER BY r.ordinal), '[]'), COALESCE(sum(r.size), 0) INTO digests, size FROM answer.suite_read(cases) AS r;
	SELECT min(r.case_id COLLATE "C") INTO twice FROM (
		SELECT a.case_id FROM answer.suite_read(cases) AS a GROUP BY a.case_id HAVING count(*) > 1) AS r;
	IF twice IS NOT NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('there are two cases with the id "%s"', twice), hint = 'Give each case an id of its own.';
	END IF;
	IF size > 8388608 THEN
		RAISE EXCEPTION USING errcode = '54000', message = format('the cases have %s bytes', size),
			detail = 'A suite has at most 8388608, because a run lists all of them in one document.', hint = 'Make several suites of it.';
	END IF;
	IF (SELECT count(DISTINCT s.slice) FROM jsonb_array_elements(cases) AS c (body),
		jsonb_array_elements_text(CASE WHEN jsonb_typeof(c.body -> 'slices') = 'array' THEN c.body -> 'slices' ELSE '[]' END) AS s (slice)
		WHERE s.slice NOT IN ('high_risk', 'conflict', 'stale')) > 97 THEN
		RAISE EXCEPTION USING errcode = '54000', message = 'the cases name more than 97 slices';
	END IF;
	RETURN digests;
END
$$;
COMMENT ON FUNCTION answer.suite_digests(jsonb) IS
'Checks the cases of a suite together; not for direct use.';

CREATE FUNCTION answer.suite_version_put(suite jsonb, cases jsonb) RETURNS answer.suite
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	stored answer.suite%ROWTYPE;
BEGIN
	INSERT INTO answer.suite (tenant, name, version, digest, now, cases, documents, document_set, loaded_by, seed)
	SELECT s.tenant, s.name, s.version, s.digest, s.now, jsonb_array_length(cases), s.documents, s.document_set, session_user, s.seed
	FROM jsonb_populate_record(NULL::answer.suite, suite) AS s
	RETURNING * INTO stored;
	INSERT INTO answer.suite_case (tenant, suite, version, ordinal, case_id, body)
	SELECT stored.tenant, stored.name, stored.version, r.ordinal, r.case_id, r.body FROM answer.suite_read(cases) AS r;
	-- shipped suites need no record
	IF NOT stored.seed THEN
		PERFORM answer.change_record_put(stored.tenant, 'suite', concat(stored.name, '/', stored.version));
	END IF;
	RETURN stored;
END
$$;
COMMENT ON FUNCTION answer.suite_version_put(jsonb, jsonb) IS
'Stores a version of a suite and its signed record, as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.suite_store(tenant text, name text, cases jsonb, documents jsonb, now timestamptz, ships integer) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	digests jsonb;
	hashes jsonb;
	document_set text;
	clock timestamptz := COALESCE(now, clock_timestamp());
	newest answer.suite%ROWTYPE;
	suite_digest text;
	seed boolean := ships IS NOT NULL;
	version integer;
BEGIN
	IF name IS NULL OR cases IS NULL OR documents IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = format('%s must not be null',
			CASE WHEN name IS NULL THEN 'name' WHEN cases IS NULL THEN 'cases' ELSE 'documents' END);
	END IF;
	IF name !~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('name is "%s"', left(name, 100)),
			detail = 'It must have from 1 to 63 letters, digits, or one of "_.:-", and begin with a letter or a digit.';
	END IF;
	IF NOT isfinite(clock) OR clock NOT BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 00:00:00+00' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('now is %s', clock), detail = 'It must be of the years 1 to 9999.';
	END IF;
	digests := answer.suite_digests(cases);
	PERFORM answer.keep_unforgotten(tenant);
	-- one load of a suite at a time
	PERFORM answer.load_lock(tenant, 'suite', name);
	IF NOT seed AND EXISTS (SELECT FROM answer.suite s WHERE s.tenant = '' AND s.name = suite_store.name AND s.seed) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('there is a suite "%s" already', name),
			hint = 'That one comes with the extension; choose another name.';
	END IF;
	SELECT COALESCE(jsonb_agg(r.content_hash ORDER BY r.doc_id COLLATE "C"), '[]') INTO hashes
	FROM answer.document_read(documents) AS r WHERE r.ordinal = 0;
	-- each tenant has its own copies, so that forgetting concerns only itself; what comes with the extension is not
	-- dumped, so nobody else can own it
	document_set := '#' || left(substr(@extschema@.answer_digest(jsonb_build_array(tenant, hashes, seed)), 8), 40);
	PERFORM answer.refuse_forgotten(tenant, h.hash) FROM jsonb_array_elements_text(hashes) AS h (hash);
	SELECT s.* INTO newest FROM answer.suite s WHERE s.tenant = suite_store.tenant AND s.name = suite_store.name ORDER BY s.version DESC LIMIT 1;
	-- without a clock, an existing suite keeps its own
	IF now IS NULL AND newest.digest = answer.suite_digest(digests, hashes, newest.now) THEN
		clock := newest.now;
	END IF;
	suite_digest := answer.suite_digest(digests, hashes, clock);
	IF newest.digest IS DISTINCT FROM suite_digest THEN
		version := COALESCE(ships, answer.suite_next_version(tenant, name, COALESCE(newest.version, 0), suite_digest));
		IF version <= newest.version THEN
			RAISE EXCEPTION USING errcode = '55000', message = format('suite "%s" ships as version %s, but its content differs from that of version %s here',
				name, version, newest.version), detail = 'A release that changes a suite must give it a greater version.';
		END IF;
		IF documents <> '[]' THEN
			PERFORM answer.document_load_put(document_set, documents);
		END IF;
		newest := answer.suite_version_put(jsonb_build_object('tenant', tenant, 'name', name, 'version', version, 'digest', suite_digest,
			'now', clock, 'documents', hashes, 'document_set', document_set, 'seed', seed), cases);
	END IF;
	RETURN jsonb_build_object('suite', name, 'version', newest.version, 'digest', newest.digest, 'cases', newest.cases,
		'documents', jsonb_array_length(hashes), 'now', to_char(newest.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'));
END
$$;
COMMENT ON FUNCTION answer.suite_store(text, text, jsonb, jsonb, timestamptz, integer) IS
'Stores a suite, as the owner of the tables; not for direct use.';

CREATE FUNCTION answer.suite_load_put(tenant text, name text, cases jsonb, documents jsonb, now timestamptz) RETURNS jsonb
LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT answer.suite_store(tenant, name, cases, documents, now, NULL);
END;
COMMENT ON FUNCTION answer.suite_load_put(text, text, jsonb, jsonb, timestamptz) IS
'Stores a suite for answer_suite_load(); not for direct use.';

CREATE FUNCTION @extschema@.answer_suite_load(name text, cases jsonb, documents jsonb DEFAULT '[]', now timestamptz DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_tenant'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_suite_load(text, jsonb, jsonb, timestamptz) IS
'Loads an evaluation suite of the caller''s tenant; other content than before becomes its next version, and a version number that a signed run of the tenant names is never given to other content. See doc/reference.md#answer_suite_load.';

CREATE FUNCTION answer.suite_pin_put(tenant text, name text, version integer, pins jsonb) RETURNS integer
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	judged answer.suite%ROWTYPE;
	cases jsonb;
	suite_digest text;
BEGIN
	PERFORM answer.keep_unforgotten(tenant);
	PERFORM answer.load_lock(tenant, 'suite', name);
	SELECT s.* INTO judged FROM answer.suite s WHERE s.tenant = suite_pin_put.tenant AND s.name = suite_pin_put.name ORDER BY s.version DESC LIMIT 1;
	IF judged.version IS DISTINCT FROM version OR judged.seed THEN
		RAISE EXCEPTION USING errcode = '40001', message = format('suite "%s" has changed since version %s was read', name, version),
			hint = 'Call answer_suite_judge() again: it judges the newest version.';
	END IF;
	SELECT jsonb_agg(c.body || CASE WHEN pins ? c.ordinal::text THEN
		jsonb_build_object('judgements', COALESCE(c.body -> 'judgements', '[]') || (pins -> c.ordinal::text)) ELSE '{}' END ORDER BY c.ordinal)
	INTO cases FROM answer.suite_case c WHERE c.tenant = suite_pin_put.tenant AND c.suite = name AND c.version = suite_pin_put.version;
	suite_digest := answer.suite_digest(answer.suite_digests(cases), judged.documents, judged.now);
	judged.version := answer.suite_next_version(tenant, name, version, suite_digest);
	judged.digest := suite_digest;
	judged := answer.suite_version_put(to_jsonb(judged), cases);
	RETURN judged.version;
END
$$;
COMMENT ON FUNCTION answer.suite_pin_put(text, text, integer, jsonb) IS
'Stores the version of a suite with pinned judgements, for answer_suite_judge(); not for direct use.';

CREATE FUNCTION @extschema@.answer_suite_judge(suite text, config jsonb DEFAULT NULL) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_suite_judge'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_suite_judge(text, jsonb) IS
'Has the newest version of a suite judged. See doc/reference.md#answer_suite_judge.';

CREATE FUNCTION answer.suites_of(tenants text[])
RETURNS TABLE (suite text, version integer, digest text, cases integer, documents integer, now timestamptz, seed boolean, loaded_at timestamptz)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED ROWS 20
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT s.name, s.version, s.digest, s.cases, jsonb_array_length(s.documents), s.now, s.seed, s.loaded_at
	FROM answer.suite s WHERE s.tenant = ANY (tenants) OR (s.tenant = '' AND s.seed)
	ORDER BY s.name COLLATE "C", s.version;
END;
COMMENT ON FUNCTION answer.suites_of(text[]) IS
'Lists suites for answer_suites(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_suites()
RETURNS TABLE (suite text, version integer, digest text, cases integer, documents integer, now timestamptz, seed boolean, loaded_at timestamptz)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_suites() IS
'Returns the suites that the caller may run, in all versions: those of the tenants that it may read, and those that come with the extension. See doc/reference.md#answer_suites.';

REVOKE ALL ON FUNCTION
	answer.suite_read(jsonb),
	answer.suite_digest(jsonb, jsonb, timestamptz),
	answer.suite_next_version(text, text, integer, text),
	answer.suite_digests(jsonb),
	answer.suite_version_put(jsonb, jsonb),
	answer.suite_store(text, text, jsonb, jsonb, timestamptz, integer),
	answer.suite_pin_put(text, text, integer, jsonb),
	@extschema@.answer_suite_judge(text, jsonb),
	answer.suite_load_put(text, text, jsonb, jsonb, timestamptz),
	@extschema@.answer_suite_load(text, jsonb, jsonb, timestamptz),
	answer.suites_of(text[]),
	@extschema@.answer_suites()
FROM PUBLIC;
