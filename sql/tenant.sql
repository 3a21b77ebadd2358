
/* tenants: guards for every table whose rows tenants own, and what their roles read */

CREATE TRIGGER tenant_append_only BEFORE UPDATE OR DELETE ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_no_truncate BEFORE TRUNCATE ON answer.tenant
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
-- a grant is given and taken back, but not changed into another
CREATE TRIGGER tenant_role_unchanged BEFORE UPDATE ON answer.tenant_role
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_role_no_truncate BEFORE TRUNCATE ON answer.tenant_role
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_write_guard BEFORE INSERT ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard();
CREATE TRIGGER tenant_role_write_guard BEFORE INSERT OR DELETE ON answer.tenant_role
FOR EACH ROW EXECUTE FUNCTION answer.tenant_write_guard();

-- A second line of defence, for direct reads; answer.tenant_protect() enables it. A restrictive policy limits
-- tenants, so that somebody else's policy cannot widen their access. The permissive policy exists only once there are
-- tenants, so that it cannot widen other policies before. The operator's rows of tables with a column "seed" are
-- shared; so are its route tables and what is known of its judges. The schema is an argument of format() because its
-- name may contain a percent sign.
DO $$
DECLARE
	guarded	record;
BEGIN
	FOR guarded IN
		-- (answer_suites() shows the suites that come with the extension; the operator's own suites are not shared)
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

-- What tenants' roles read: for each relation, a view of the rows that the role may read. Every tenant table,
-- including those behind a view, is read under that condition itself, and so through an index that begins with the
-- tenant (tenant_plan.c). The index finds one row among many, and no plan reads or counts rows of other tenants.
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
		-- Views in it are replaced by their definitions until only tables are left. Each has an alias, so a blank
		-- follows its name.
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
			' read, whatever its privileges on that relation: those of answer.tenant_reads()%s. See doc/tables.md#answertenant_%s.', name, CASE WHEN shared
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
