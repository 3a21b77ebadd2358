
/* tenants: what guards every table that tenants own rows of, and what their roles read */

CREATE TRIGGER tenant_append_only BEFORE UPDATE OR DELETE ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_no_truncate BEFORE TRUNCATE ON answer.tenant
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
-- a grant is given and taken back, and not changed into another
CREATE TRIGGER tenant_role_unchanged BEFORE UPDATE ON answer.tenant_role
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_role_no_truncate BEFORE TRUNCATE ON answer.tenant_role
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_write_guard BEFORE INSERT ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard();
CREATE TRIGGER tenant_role_write_guard BEFORE INSERT OR DELETE ON answer.tenant_role
FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard();

-- The second wall, for direct reads; answer.tenant_protect() enables it.  What tenants may do is restricted, so that a
-- policy of somebody else's cannot widen it; and it is permitted only once there are tenants, so that these do not widen
-- somebody else's before.  The operator's rows of what has a column "seed" are shared, and so are its route tables and what is known of its judges.
-- The schema is an argument of format(), for its name may have a percent sign.
DO $$
DECLARE
	guarded	record;
BEGIN
	FOR guarded IN
		-- (of suites that come with the extension answer_suites() tells: the operator's own ones are nobody else's)
		SELECT c.oid::pg_catalog.regclass AS relation, c.relname OPERATOR(pg_catalog.=) ANY ('{route_table,judge_version,judge_assessment}'::pg_catalog.name[]) OR c.relname OPERATOR(pg_catalog.<>) 'suite' AND EXISTS (SELECT FROM pg_catalog.pg_attribute s
			WHERE s.attrelid OPERATOR(pg_catalog.=) c.oid AND s.attname OPERATOR(pg_catalog.=) 'seed') AS shared
		FROM pg_catalog.pg_class c
		JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname OPERATOR(pg_catalog.=) 'tenant'
		WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace
		AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[])
		AND c.relname OPERATOR(pg_catalog.<>) ALL ('{tenant,tenant_role}'::pg_catalog.name[])
		ORDER BY c.oid
	LOOP
		EXECUTE pg_catalog.format('CREATE POLICY tenant_permits ON %s USING ((SELECT answer.tenant_reads())'
			' OPERATOR(pg_catalog.<>) ARRAY[''''::pg_catalog.text])', guarded.relation);
		EXECUTE pg_catalog.format('CREATE POLICY tenant_reads ON %s AS RESTRICTIVE FOR SELECT USING (tenant OPERATOR(pg_catalog.=)'
			' ANY ((SELECT answer.tenant_reads() %s)::pg_catalog.text[]))', guarded.relation,
			CASE WHEN guarded.shared THEN 'OPERATOR(pg_catalog.||) ''''::pg_catalog.text' ELSE '' END);
		EXECUTE pg_catalog.format('CREATE POLICY tenant_adds ON %s AS RESTRICTIVE FOR INSERT WITH CHECK (tenant OPERATOR(pg_catalog.=)'
			' (SELECT %s.answer_tenant()))', guarded.relation, '@extschema@');
		EXECUTE pg_catalog.format('CREATE POLICY tenant_changes ON %s AS RESTRICTIVE FOR UPDATE USING (tenant OPERATOR(pg_catalog.=)'
			' (SELECT %s.answer_tenant()))', guarded.relation, '@extschema@');
		EXECUTE pg_catalog.format('CREATE POLICY tenant_removes ON %s AS RESTRICTIVE FOR DELETE USING (tenant OPERATOR(pg_catalog.=)'
			' (SELECT %s.answer_tenant()))', guarded.relation, '@extschema@');
	END LOOP;
END
$$;

-- What a tenant's roles read: for each relation a view of the rows that the role may read.  Each table of tenants' rows
-- is read by that condition itself, also those that a view is made of, and so by an index that begins with the tenant
-- (tenant_plan.c): it finds one row among many, and no plan reads or counts a row of others.
DO $$
DECLARE
	name		text;
	source		text;
	reads		text;
	used		record;
	about		record;
	shared		boolean;
BEGIN
	FOREACH name IN ARRAY ARRAY['receipt', 'anchor', 'tombstone', 'evidence', 'tool', 'quality_tool',
		'route', 'route_table', 'investigation', 'quality_entry', 'open_investigation', 'document', 'chunk', 'document_fact', 'judge', 'judge_assessment', 'judgement', 'graph_project', 'graph_node', 'graph_edge', 'packet_log', 'plan', 'memory',
		'budget', 'tool_latency', 'plan_run', 'plan_event', 'suite', 'suite_case', 'run', 'run_case', 'config', 'environment', 'config_step',
		'run_progress', 'baseline', 'evolve_proposal'] LOOP
		shared := name OPERATOR(pg_catalog.=) ANY ('{tool,quality_tool,route,route_table,judge,judge_assessment,plan,config,environment}'::pg_catalog.text[]);
		reads := pg_catalog.format('tenant OPERATOR(pg_catalog.=) ANY ((SELECT answer.tenant_reads() %s)::pg_catalog.text[])',
			CASE WHEN shared THEN 'OPERATOR(pg_catalog.||) answer.tenant_shared()' ELSE '' END);
		source := pg_catalog.format('SELECT r.* FROM answer.%I r', name);
		-- A view in it becomes its text, until there are tables alone; each has an alias, so its name is followed by a blank.
		LOOP
			SELECT c.oid, pg_catalog.format('answer.%I ', c.relname) AS place INTO used
			FROM pg_catalog.pg_class c
			WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace AND c.relkind OPERATOR(pg_catalog.=) 'v'
			AND pg_catalog.strpos(source, pg_catalog.format('answer.%I ', c.relname)) OPERATOR(pg_catalog.>) 0
			LIMIT 1;
			EXIT WHEN NOT FOUND;
			source := pg_catalog.replace(source, used.place, pg_catalog.format('(%s) ', pg_catalog.rtrim(pg_catalog.pg_get_viewdef(used.oid), ';')));
		END LOOP;
		FOR used IN
			SELECT pg_catalog.format('answer.%I ', c.relname) AS place
			FROM pg_catalog.pg_class c
			JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname OPERATOR(pg_catalog.=) 'tenant'
			WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace
			AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[])
		LOOP
			source := pg_catalog.replace(source, used.place,
				pg_catalog.format('(SELECT * FROM %sAS t WHERE t.%s) ', used.place, reads));
		END LOOP;
		EXECUTE pg_catalog.format('CREATE VIEW answer.tenant_%s WITH (security_barrier) AS %s', name, source);
		EXECUTE pg_catalog.format('COMMENT ON VIEW answer.tenant_%s IS %L', name, pg_catalog.format('The rows of answer.%s that the current role may'
			' read, whatever its rights on that relation: those of answer.tenant_reads()%s. See doc/tables.md#answertenant_%s.', name, CASE WHEN shared
			THEN ', and the operator''s, which are shared' ELSE '' END, name));
		EXECUTE pg_catalog.format('REVOKE ALL ON answer.tenant_%s FROM PUBLIC', name);
		FOR about IN
			SELECT a.attname, d.description
			FROM pg_catalog.pg_attribute a
			JOIN pg_catalog.pg_description d ON d.classoid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
				AND d.objoid OPERATOR(pg_catalog.=) a.attrelid AND d.objsubid OPERATOR(pg_catalog.=) a.attnum
			WHERE a.attrelid OPERATOR(pg_catalog.=) pg_catalog.format('answer.%I', name)::pg_catalog.regclass
			AND a.attnum OPERATOR(pg_catalog.>) 0
		LOOP
			EXECUTE pg_catalog.format('COMMENT ON COLUMN answer.tenant_%s.%I IS %L', name, about.attname, about.description);
		END LOOP;
	END LOOP;
END
$$;
