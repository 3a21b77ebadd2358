
/* evidence that every server has: tools over its own catalogs, and the first key */

INSERT INTO answer.source (source, url, licence, description, seed)
VALUES ('postgresql', 'https://www.postgresql.org/docs/current/catalogs.html', 'PostgreSQL',
	'The catalogs and statistics of this server itself.', true);

CREATE FUNCTION answer.tool_server(args jsonb) RETURNS jsonb
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
COMMENT ON FUNCTION answer.tool_server(jsonb) IS
'Handler of the built-in tool postgres_server. See doc/reference.md#answertool_server.';

CREATE FUNCTION answer.tool_setting_value(name text, OUT setting text, OUT source text) RETURNS record
AS 'MODULE_PATHNAME', 'answer_eval_tool_setting_value'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500;
COMMENT ON FUNCTION answer.tool_setting_value(text) IS
'For answer.tool_setting: returns the value of a setting for the database, if this session, its role or its client chose another one. See doc/reference.md#answertool_setting_value.';

-- The caller needs no privilege on the schema answer, because the called functions are resolved when this function is
-- created.
CREATE FUNCTION answer.tool_setting(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 1000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	SELECT CASE WHEN s.vartype OPERATOR(pg_catalog.=) ANY ('{enum,string}'::pg_catalog.text[])
			THEN pg_catalog.jsonb_build_object('text', d.setting) ELSE '{}'::pg_catalog.jsonb END
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('name', s.name, 'setting', v.value, 'unit', s.unit, 'context', s.context,
			'source', d.source, 'default', s.boot_val, 'pending_restart', s.pending_restart)
	FROM pg_catalog.pg_settings s
	-- a value set by the caller's session, role or client says nothing about the server
	CROSS JOIN LATERAL answer.tool_setting_value(s.name) o
	CROSS JOIN LATERAL (SELECT COALESCE(o.setting, s.setting), COALESCE(o.source, s.source)) d (setting, source)
	CROSS JOIN LATERAL (SELECT CASE
		WHEN s.vartype OPERATOR(pg_catalog.=) ANY ('{integer,real}'::pg_catalog.text[]) THEN pg_catalog.to_jsonb(d.setting::pg_catalog.numeric)
		WHEN s.vartype OPERATOR(pg_catalog.=) 'bool' THEN pg_catalog.to_jsonb(d.setting::pg_catalog.bool)
		ELSE pg_catalog.to_jsonb(d.setting) END) v (value)
	WHERE pg_catalog.lower(s.name COLLATE pg_catalog."C")
		OPERATOR(pg_catalog.=) pg_catalog.lower((args OPERATOR(pg_catalog.->>) 'name') COLLATE pg_catalog."C");
END;
COMMENT ON FUNCTION answer.tool_setting(jsonb) IS
'Handler of the built-in tool postgres_setting. See doc/reference.md#answertool_setting.';

CREATE FUNCTION answer.tool_extension(args jsonb) RETURNS jsonb
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
COMMENT ON FUNCTION answer.tool_extension(jsonb) IS
'Handler of the built-in tool postgres_extension. See doc/reference.md#answertool_extension.';

CREATE FUNCTION answer.tool_database(args jsonb) RETURNS jsonb
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
COMMENT ON FUNCTION answer.tool_database(jsonb) IS
'Handler of the built-in tool postgres_database. See doc/reference.md#answertool_database.';

CREATE FUNCTION answer.tool_relation(args jsonb) RETURNS jsonb
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
COMMENT ON FUNCTION answer.tool_relation(jsonb) IS
'Handler of the built-in tool postgres_relation. See doc/reference.md#answertool_relation.';

CREATE FUNCTION answer.tool_replication(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object(
		'role', CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END,
		'streaming', (SELECT count(*) FROM pg_stat_replication r WHERE r.state = 'streaming'),
		'standbys', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', r.application_name,
				'state', r.state, 'sync_state', r.sync_state,
				'replay_lag_s', extract(epoch FROM r.replay_lag)) ORDER BY r.application_name COLLATE "C", r.pid), '[]')
			FROM pg_stat_replication r),
		'slots', (SELECT COALESCE(jsonb_agg(jsonb_build_object('name', l.slot_name,
				'type', l.slot_type, 'active', l.active, 'wal_status', l.wal_status) ORDER BY l.slot_name), '[]')
			FROM pg_replication_slots l),
		'replay_lag_s', CASE WHEN pg_is_in_recovery()
			THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END)
$$;
COMMENT ON FUNCTION answer.tool_replication(jsonb) IS
'Handler of the built-in tool postgres_replication. See doc/reference.md#answertool_replication.';

REVOKE ALL ON FUNCTION
	answer.tool_server(jsonb), answer.tool_setting(jsonb),
	answer.tool_setting_value(text),
	answer.tool_extension(jsonb), answer.tool_database(jsonb),
	answer.tool_relation(jsonb), answer.tool_replication(jsonb)
FROM PUBLIC;

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, unit,
	entity_path, source, category, description, seed)
SELECT v.tool, v.handler,
	v.required_args::pg_catalog.text[], v.optional_args::pg_catalog.text[], '1 minute', v.value_path, v.unit,
	v.entity_path, 'postgresql', 'database', v.description, true
FROM (VALUES
	('postgres_server', 'answer.tool_server', '{}', '{}', 'version', NULL, NULL,
	 'Version (the value), start, uptime in seconds, recovery state and encoding of this server.'),
	('postgres_setting', 'answer.tool_setting', '{name}', '{}', 'setting', NULL, 'name',
	 'A configuration parameter: its setting (the value), unit, where it comes from, its default.'),
	('postgres_extension', 'answer.tool_extension', '{name}', '{}', 'installed_version', NULL, 'name',
	 'An extension available on this server: the version installed in this database (the value; null if none) and the default one.'),
	('postgres_database', 'answer.tool_database', '{}', '{name}', 'size_bytes', 'bytes', 'name',
	 'A database (this one by default): its size in bytes (the value), owner, encoding, connections, transaction age.'),
	('postgres_relation', 'answer.tool_relation', '{relation}', '{}', 'rows_estimated', 'rows', 'relation',
	 'A relation named with its schema: estimated rows (the value), size in bytes, last vacuum and analyze.'),
	('postgres_replication', 'answer.tool_replication', '{}', '{}', 'streaming', 'standbys', NULL,
	 'Replication: how many standbys stream (the value), the role of this server, standbys, slots, lag.')
) AS v (tool, handler, required_args, optional_args, value_path, unit, entity_path, description);
