
/* guards: rows that must stay, stay, and changes are announced, whoever writes */

-- Ordinary triggers do not fire for changes that a subscription applies, nor under session_replication_role =
-- replica.
DO $$
DECLARE
	guard	record;
BEGIN
	FOR guard IN
		SELECT t.tgrelid::pg_catalog.regclass AS relation, t.tgname AS name
		FROM pg_catalog.pg_trigger t
		WHERE t.tgfoid IN ('answer.append_only()'::pg_catalog.regprocedure,
			'answer.key_guard()'::pg_catalog.regprocedure, 'answer.run_guard()'::pg_catalog.regprocedure,
			'answer.environment_guard()'::pg_catalog.regprocedure, 'answer.tells_of_changes()'::pg_catalog.regprocedure,
			'answer.tenant_write_guard()'::pg_catalog.regprocedure)
	LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', guard.relation, guard.name);
	END LOOP;
END
$$;

-- A publication of all tables must not stop sealing, counting, loading or forgetting. A table without a key therefore
-- has the whole row as its replica identity.
DO $$
DECLARE
	keyless	pg_catalog.regclass;
BEGIN
	FOR keyless IN
		SELECT c.oid
		FROM pg_catalog.pg_class c
		WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace AND c.relkind OPERATOR(pg_catalog.=) 'r'
		AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid OPERATOR(pg_catalog.=) c.oid AND i.indisprimary)
	LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s REPLICA IDENTITY FULL', keyless);
	END LOOP;
END
$$;
