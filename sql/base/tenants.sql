
/* tenant: whose rows a statement may read and write */

CREATE TABLE answer.tenant
(
	-- printable and without blanks, because it is signed and set in connection strings
	tenant		text COLLATE "C" PRIMARY KEY
		CHECK (tenant OPERATOR(pg_catalog.~) '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$'),
	created_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
COMMENT ON TABLE answer.tenant IS 'Tenants, one per row, append-only. See doc/tables.md#answertenant.';
COMMENT ON COLUMN answer.tenant.tenant IS 'Name of the tenant, as answer_eval.tenant and signed documents have it. See doc/tables.md#answertenant.';
COMMENT ON COLUMN answer.tenant.created_at IS 'When it was created, by the server''s clock. See doc/tables.md#answertenant.';

CREATE TABLE answer.tenant_role
(
	tenant		text COLLATE "C" NOT NULL,
	-- a name, because a role's OID changes with a restore
	role		text COLLATE "C" NOT NULL,
	granted_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	PRIMARY KEY (tenant, role)
);
COMMENT ON TABLE answer.tenant_role IS 'Roles that work for tenants, one grant per row. See doc/tables.md#answertenant_role.';
COMMENT ON COLUMN answer.tenant_role.tenant IS 'Name of the tenant, or * for all tenants (an auditor). See doc/tables.md#answertenant_role.';
COMMENT ON COLUMN answer.tenant_role.role IS 'Name of the role. See doc/tables.md#answertenant_role.';
COMMENT ON COLUMN answer.tenant_role.granted_at IS 'When it was granted, by the server''s clock. See doc/tables.md#answertenant_role.';

REVOKE ALL ON answer.tenant, answer.tenant_role FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.tenant', '');
SELECT pg_catalog.pg_extension_config_dump('answer.tenant_role', '');

CREATE FUNCTION @extschema@.answer_tenant() RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_tenant_current'
LANGUAGE C STABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tenant() IS
'Returns the tenant that the current role works for: answer_eval.tenant if it is set and was granted to the role or to a role it inherits from, otherwise the only tenant granted. See doc/reference.md#answer_tenant.';

CREATE FUNCTION answer.tenant_plan_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'answer_eval_tenant_plan_support'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.tenant_plan_support(internal) IS
'Support function of answer.tenant_reads(), not for direct use: the planner calls it and thereby loads the library, which makes it read tenants'' rows by an index that begins with the tenant.';
REVOKE ALL ON FUNCTION answer.tenant_plan_support(internal) FROM PUBLIC;

CREATE FUNCTION answer.tenant_reads() RETURNS text[]
AS 'MODULE_PATHNAME', 'answer_eval_tenant_reads'
LANGUAGE C STABLE PARALLEL SAFE COST 100 SUPPORT answer.tenant_plan_support;
COMMENT ON FUNCTION answer.tenant_reads() IS
'Returns the tenants whose things the current role may read: its own; or, for an auditor and for the operator with no tenant set, all of them and the operator (the empty text). See doc/reference.md#answertenant_reads.';

-- Immutable, so that the planner evaluates it and thereby loads the library.
CREATE FUNCTION answer.tenant_shared() RETURNS text[]
AS 'MODULE_PATHNAME', 'answer_eval_tenant_shared'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.tenant_shared() IS
'Returns the owner whose things all tenants read, for views of what is shared: an array of the empty text, which stands for the operator; not for direct use.';

-- Locks tables, given as "a, b" or "ONLY a", in a strong mode, so that nobody queues behind it. A session that waits
-- for a strong lock makes every later session wait too, so one idle transaction that has read the table would stop
-- everybody. This function therefore tries again and again, for 200 ms each time. bound is the caller's lock_timeout,
-- which limits all attempts together. deadlock_timeout must be shorter than each attempt. Otherwise the server would
-- find no deadlock and would not cancel an autovacuum. Only superusers may set it; for another owner of the extension
-- each attempt is longer instead. A deadlock over locks of the attempt itself ends with the attempt, so it is an
-- error only if it recurs.
CREATE FUNCTION answer.lock_tables(tables text, mode text, bound text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '200ms'
AS $$
DECLARE
	began	timestamptz := clock_timestamp();
	patience text := current_setting('deadlock_timeout');
	circles	int := 0;
BEGIN
	IF tables IS NULL OR mode IS NULL OR bound IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tables, mode and bound must not be null';
	END IF;
	BEGIN
		PERFORM set_config('deadlock_timeout', '50ms', true);
	EXCEPTION WHEN insufficient_privilege THEN
		PERFORM set_config('lock_timeout', (extract(epoch FROM patience::interval) * 1000)::bigint + 200 || 'ms', true);
	END;
	-- all at once, or none and try again: holding one while waiting for the next could deadlock
	LOOP
		BEGIN
			EXECUTE format('LOCK TABLE %s IN %s MODE', tables, mode);
			EXIT;
		EXCEPTION WHEN lock_not_available THEN
			IF bound::interval > '0' AND clock_timestamp() - began >= bound::interval THEN
				RAISE;
			END IF;
		WHEN deadlock_detected THEN
			circles := circles + 1;
			IF circles >= 5 THEN
				RAISE;
			END IF;
		END;
		PERFORM pg_sleep(0.05 + random() / 10);
	END LOOP;
	IF current_setting('deadlock_timeout') <> patience THEN
		PERFORM set_config('deadlock_timeout', patience, true);
	END IF;
END
$$;
COMMENT ON FUNCTION answer.lock_tables(text, text, text) IS
'Locks tables until the transaction ends, without making others wait while it waits itself; not for direct use.';

-- ENABLE is derived from the rows, so a restore of the rows switches it on again.
CREATE FUNCTION answer.tenant_guard() RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	open_tables	regclass[];
	locked		regclass[] := '{}';
	relation	regclass;
BEGIN
	-- a table with a pending trigger cannot be altered
	SET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded IMMEDIATE;
	-- Again, after the locks: a partition may have been added meanwhile.
	LOOP
		-- Reads only the catalogs: pg_partition_tree() would hold locks on the partitions until the transaction ends,
		-- and two sessions here would wait for each other.
		WITH RECURSIVE part (oid) AS (
			SELECT p.polrelid
			FROM pg_policy p
			JOIN pg_class r ON r.oid = p.polrelid AND r.relnamespace = 'answer'::regnamespace
			WHERE p.polname = 'tenant_reads'
			UNION
			SELECT i.inhrelid FROM pg_inherits i JOIN part ON part.oid = i.inhparent)
		SELECT array_agg(c.oid::regclass ORDER BY c.relname COLLATE "C") INTO open_tables
		FROM pg_class c
		JOIN part ON part.oid = c.oid
		WHERE NOT c.relrowsecurity;
		EXIT WHEN open_tables IS NULL OR open_tables <@ locked;
		-- a parallel restore loads these tables at the same time, and one of them reads another for its foreign key
		PERFORM answer.lock_tables(array_to_string(open_tables, ', '), 'ACCESS EXCLUSIVE', '0');
		locked := locked || open_tables;
	END LOOP;
	FOREACH relation IN ARRAY COALESCE(open_tables, '{}') LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', relation);
	END LOOP;
	SET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded DEFERRED;
END
$$;
COMMENT ON FUNCTION answer.tenant_guard() IS
'Enables row-level security on every table whose rows tenants own, and on the partitions of such tables; not for direct use.';

CREATE FUNCTION answer.tenant_protect() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.tenant_guard();
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION answer.tenant_protect() IS
'Trigger, not for direct use, that enables row-level security on every table whose rows tenants own, once there is a tenant.';

-- These rows decide who reads what. A privilege on the tables is therefore not enough to write them.
CREATE FUNCTION answer.tenant_write_guard() RETURNS trigger
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN
		RAISE EXCEPTION USING errcode = '42501',
			message = format('role "%s" may not write %s, which says who works for which tenant', current_user, TG_RELID::regclass),
			hint = 'The operator creates and grants tenants with answer_tenant_create(), answer_tenant_grant() and answer_tenant_revoke().';
	END IF;
	RETURN COALESCE(new, old);
END
$$;
COMMENT ON FUNCTION answer.tenant_write_guard() IS
'Trigger, not for direct use, that lets only the operator write tenants and grants, whatever table privileges a role has.';

-- The only list of relations that show rows or names of all tenants to anyone who may read them. A tenant's role must
-- not be granted any of them: row-level security does not guard them, because a view reads as its owner.
-- answer_tenant_grant() refuses a role that may read one, the audit reports a privilege that was granted later, and
-- doc/tenants.md names them.
CREATE VIEW answer.of_all_tenants AS
SELECT c.oid AS relation, pg_catalog.format('%I.%I', n.nspname, c.relname) AS name
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v,m,f}'::pg_catalog."char"[])
AND CASE n.nspname
	-- who exists; the ids of all receipts, and their number
	WHEN 'answer' THEN c.relname OPERATOR(pg_catalog.=) ANY ('{tenant,tenant_role,retention,log_leaf,unsealed,recorded_rows,recordable}'::pg_catalog.name[])
		OR c.relkind OPERATOR(pg_catalog.=) 'v'
			-- these show only what the role may read
			AND c.relname OPERATOR(pg_catalog.!~) '^(tenant|dashboard)_'
			AND EXISTS (SELECT FROM pg_catalog.pg_attribute a
				WHERE a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname OPERATOR(pg_catalog.=) 'tenant')
	-- detached receipts
	ELSE n.nspname OPERATOR(pg_catalog.=) 'answer_archive' END;
COMMENT ON VIEW answer.of_all_tenants IS 'Relations that show, count or name rows of all tenants; no role that works for a tenant may read one. See doc/tables.md#answerof_all_tenants.';
COMMENT ON COLUMN answer.of_all_tenants.relation IS 'OID of the relation. See doc/tables.md#answerof_all_tenants.';
COMMENT ON COLUMN answer.of_all_tenants.name IS 'Its name, with the schema. See doc/tables.md#answerof_all_tenants.';
REVOKE ALL ON answer.of_all_tenants FROM PUBLIC;

CREATE FUNCTION answer.tenant_create_put(tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF tenant IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tenant must not be null';
	END IF;
	IF tenant !~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('"%s" is no name of a tenant', tenant),
			detail = 'A name has from 1 to 63 characters: ASCII letters, digits and _ . : -. It begins with a letter or a digit.';
	END IF;
	INSERT INTO answer.tenant (tenant) VALUES (tenant) ON CONFLICT DO NOTHING;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('tenant "%s" exists already', tenant);
	END IF;
	PERFORM answer.change_record_put('', 'tenant', tenant);
END
$$;
COMMENT ON FUNCTION answer.tenant_create_put(text) IS
'Inserts a tenant for answer_tenant_create(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_tenant_create(tenant text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tenant_create(text) IS
'Creates a tenant. See doc/reference.md#answer_tenant_create.';

CREATE FUNCTION answer.tenant_grant_put(tenant text, role text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	wanted	record;
	other	text;
	through	text;
BEGIN
	IF tenant IS NULL OR role IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tenant and role must not be null';
	END IF;
	IF NOT EXISTS (SELECT FROM answer.tenant t WHERE t.tenant = tenant_grant_put.tenant)
		AND (tenant <> '*' OR NOT EXISTS (SELECT FROM answer.tenant)) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no tenant "%s"', tenant),
			hint = 'Tenants are created with answer_tenant_create().';
	END IF;
	SELECT r.oid, r.rolsuper INTO wanted FROM pg_roles r WHERE r.rolname = role;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no role "%s"', role),
			hint = 'Create it with CREATE ROLE first.';
	END IF;
	SELECT g.tenant, g.role INTO other, through FROM answer.tenant_role g
	LEFT JOIN pg_roles h ON h.rolname = g.role
	WHERE (g.tenant = '*') <> (tenant_grant_put.tenant = '*')
	-- one inherits from the other; a superuser has the privileges of all, and works as the operator
	AND (g.role = tenant_grant_put.role OR pg_has_role(wanted.oid, h.oid, 'USAGE') AND NOT wanted.rolsuper
		OR pg_has_role(h.oid, wanted.oid, 'USAGE') AND NOT h.rolsuper)
	ORDER BY g.role = tenant_grant_put.role DESC, g.role, g.tenant LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '55000',
			message = format('role "%s" cannot be an auditor and work for a tenant', role),
			detail = CASE through WHEN role THEN format('It was granted "%s".', other)
				ELSE format('Role "%s", from which it inherits or which inherits from it, was granted "%s".', through, other) END,
			hint = 'Grant the two to different roles, or take that grant back with answer_tenant_revoke().';
	END IF;
	SELECT a.name INTO other FROM answer.of_all_tenants a
	WHERE tenant <> '*' AND NOT wanted.rolsuper AND has_any_column_privilege(wanted.oid, a.relation, 'SELECT')
	ORDER BY a.name COLLATE "C" LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '55000',
			message = format('role "%s" may read %s, which shows all tenants', role, other),
			hint = format('REVOKE SELECT ON %s from it, and GRANT it SELECT on the views answer.tenant_...', other);
	END IF;
	-- also where a restore without triggers left it off
	PERFORM answer.tenant_guard();
	INSERT INTO answer.tenant_role (tenant, role) VALUES (tenant, role) ON CONFLICT DO NOTHING;
	PERFORM answer.change_record_put('', 'tenant', tenant);
END
$$;
COMMENT ON FUNCTION answer.tenant_grant_put(text, text) IS
'Inserts a grant for answer_tenant_grant(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_tenant_grant(tenant text, role text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tenant_grant(text, text) IS
'Lets a role, and every role that inherits from it, work for a tenant. See doc/reference.md#answer_tenant_grant.';

CREATE FUNCTION answer.tenant_revoke_put(tenant text, role text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF tenant IS NULL OR role IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tenant and role must not be null';
	END IF;
	DELETE FROM answer.tenant_role g
	WHERE g.tenant = tenant_revoke_put.tenant AND g.role = tenant_revoke_put.role;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('role "%s" was not granted tenant "%s"', role, tenant),
			hint = 'answer_tenants() lists what was granted.';
	END IF;
	PERFORM answer.change_record_put('', 'tenant', tenant);
END
$$;
COMMENT ON FUNCTION answer.tenant_revoke_put(text, text) IS
'Deletes a grant for answer_tenant_revoke(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_tenant_revoke(tenant text, role text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_tenant_revoke(text, text) IS
'Revokes what answer_tenant_grant() gave, from the next statement on; functions that the role registered for the tenant no longer run. See doc/reference.md#answer_tenant_revoke.';

CREATE FUNCTION answer.tenants_of(tenants text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (SELECT COALESCE(jsonb_agg(jsonb_build_object('tenant', t.tenant, 'roles', COALESCE((
			SELECT jsonb_agg(g.role ORDER BY g.role) FROM answer.tenant_role g WHERE g.tenant = t.tenant), '[]')) ORDER BY t.tenant), '[]')
		FROM (SELECT s.tenant FROM answer.tenant s WHERE s.tenant = ANY (tenants)
			-- a role that reads the operator's rows reads all, and so learns who else does
			UNION ALL SELECT '*' WHERE '' = ANY (tenants) AND EXISTS (SELECT FROM answer.tenant)) AS t (tenant));
END
$$;
COMMENT ON FUNCTION answer.tenants_of(text[]) IS
'Lists tenants for answer_tenants(), with the caller''s privileges as it determined them; not for direct use.';

CREATE FUNCTION @extschema@.answer_tenants() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_tenants'
LANGUAGE C STABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_tenants() IS
'Returns the tenants and the roles that work for them: all of them for the operator and for auditors, only its own for a tenant''s role. See doc/reference.md#answer_tenants.';

REVOKE ALL ON FUNCTION
	answer.lock_tables(text, text, text), answer.tenant_guard(),
	answer.tenant_protect(),
	answer.tenant_write_guard(),
	answer.tenant_create_put(text),
	@extschema@.answer_tenant_create(text),
	answer.tenant_grant_put(text, text),
	@extschema@.answer_tenant_grant(text, text),
	answer.tenant_revoke_put(text, text),
	@extschema@.answer_tenant_revoke(text, text),
	answer.tenants_of(text[]),
	@extschema@.answer_tenants()
FROM PUBLIC;

CREATE TRIGGER tenant_protect AFTER INSERT ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.tenant_protect();
ALTER TABLE answer.tenant ENABLE ALWAYS TRIGGER tenant_protect;
