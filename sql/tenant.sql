
/* tenants: what guards every table that tenants own rows of, and what their roles read */

CREATE TRIGGER tenant_append_only BEFORE UPDATE OR DELETE ON answer.tenant
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER tenant_no_truncate BEFORE TRUNCATE ON answer.tenant
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();

-- The second wall, for direct reads; answer.tenant_protect() enables it.  What tenants may do is restricted, so that a
-- policy of somebody else's cannot widen it; and it is permitted only once there are tenants, so that these do not widen
-- somebody else's before.  The operator's rows of what has a column "seed" are shared, and so are its route tables.
-- The schema is an argument of format(), for its name may have a percent sign.
DO $$
DECLARE
	guarded	record;
BEGIN
	FOR guarded IN
		-- (of suites that come with the extension answer_suites() tells: the operator's own ones are nobody else's)
		SELECT c.oid::pg_catalog.regclass AS relation, c.relname OPERATOR(pg_catalog.=) 'route_table' OR c.relname OPERATOR(pg_catalog.<>) 'suite' AND EXISTS (SELECT FROM pg_catalog.pg_attribute s
			WHERE s.attrelid OPERATOR(pg_catalog.=) c.oid AND s.attname OPERATOR(pg_catalog.=) 'seed') AS shared
		FROM pg_catalog.pg_class c
		JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname OPERATOR(pg_catalog.=) 'tenant'
		WHERE c.relnamespace OPERATOR(pg_catalog.=) 'answer'::pg_catalog.regnamespace
		AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[])
		AND c.relname OPERATOR(pg_catalog.<>) ALL ('{tenant,tenant_role}'::pg_catalog.name[])
		ORDER BY c.oid
	LOOP
		EXECUTE pg_catalog.format('CREATE POLICY tenant_permits ON %s USING ((SELECT %s.answer_tenant_reads())'
			' OPERATOR(pg_catalog.<>) ARRAY[''''::pg_catalog.text])', guarded.relation, '@extschema@');
		EXECUTE pg_catalog.format('CREATE POLICY tenant_reads ON %s AS RESTRICTIVE FOR SELECT USING (tenant OPERATOR(pg_catalog.=)'
			' ANY ((SELECT %s.answer_tenant_reads() %s)::pg_catalog.text[]))', guarded.relation, '@extschema@',
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

-- What a tenant's roles read: for each relation a function that gives the rows, and a view of its result.
DO $$
DECLARE
	name		text;
	comment		text;
	about		record;
BEGIN
	FOREACH name IN ARRAY ARRAY['receipt', 'anchor', 'anchor_request', 'tombstone', 'evidence', 'tool', 'quality_tool',
		'route', 'route_table', 'investigation', 'quality_entry', 'open_investigation', 'open_gap', 'document', 'chunk', 'conflict_detector', 'decision_reason', 'graph_project', 'graph_node', 'graph_edge', 'packet_log', 'plan', 'memory',
		'budget', 'plan_run', 'plan_event', 'suite', 'suite_case', 'run', 'run_case', 'config', 'environment', 'config_step',
		'receipt_check', 'receipt_refusal', 'run_progress', 'baseline', 'baseline_measure', 'evolve_proposal'] LOOP
		comment := pg_catalog.format('The rows of answer.%s that the current role may read, whatever its rights on that'
			' relation: those of answer_tenant_reads()%s.', name, CASE WHEN name OPERATOR(pg_catalog.=) ANY ('{tool,quality_tool,route,route_table,conflict_detector,plan,config,environment}'::pg_catalog.text[])
			THEN ', and the operator''s, which are shared' ELSE '' END);
		EXECUTE pg_catalog.format('CREATE FUNCTION %2$s.answer_tenant_%1$s() RETURNS SETOF answer.%1$I'
			' AS ''MODULE_PATHNAME'', ''answer_eval_tenant_rows'''
			' LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000 ROWS 1000', name, '@extschema@');
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s.answer_tenant_%s() IS %L', '@extschema@', name, pg_catalog.concat(comment,
			' Result: rows of that relation, all of them whatever condition the query has. Errors: 42501 without the privilege, or without a tenant (answer_tenant()).'));
		EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION %s.answer_tenant_%s() FROM PUBLIC', '@extschema@', name);
		EXECUTE pg_catalog.format('CREATE VIEW answer.tenant_%1$s WITH (security_barrier) AS'
			' SELECT * FROM %2$s.answer_tenant_%1$s()', name, '@extschema@');
		EXECUTE pg_catalog.format('COMMENT ON VIEW answer.tenant_%s IS %L', name, comment);
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
