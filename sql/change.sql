
/* change: signed records of what changed in keys and configuration */

-- Defines once what is recorded and what the audit compares. It depends on no setting. NULL members are left out, so
-- a column added later does not change states recorded before.
CREATE VIEW answer.change_state AS
SELECT s.kind, s.name, s.shipped, answer.portable((
	SELECT pg_catalog.jsonb_object_agg(m.key, m.value) FROM pg_catalog.jsonb_each(s.state OPERATOR(pg_catalog.-) 'tenant') AS m
	WHERE m.value OPERATOR(pg_catalog.<>) 'null' AND (m.key OPERATOR(pg_catalog.<>) 'shipped'
		OR m.value OPERATOR(pg_catalog.=) 'true'))) AS state,
	-- the operator, for what no tenant can own
	COALESCE(s.state OPERATOR(pg_catalog.->>) 'tenant', '') AS tenant
-- Each branch of the union names its constant column; otherwise the dump of pg_upgrade would name it.
FROM (
	SELECT 'key' AS kind, k.key_id AS name, false AS shipped, pg_catalog.jsonb_build_object('key_id', k.key_id,
		'public_key', pg_catalog.translate(pg_catalog.encode(k.public_key, 'base64'), '+/', '-_'), 'status', k.status,
		'active_from', pg_catalog.to_char(k.active_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'retired_at', pg_catalog.to_char(k.retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'compromised_after', pg_catalog.to_char(k.compromised_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) AS state
	FROM answer.signing_key k
	UNION ALL SELECT 'source' AS kind, o.source, o.seed, pg_catalog.to_jsonb(o) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', o.seed)
	FROM answer.source o
	-- the text form of an interval depends on a setting
	UNION ALL SELECT 'tool' AS kind, t.tool, t.seed, pg_catalog.to_jsonb(t) OPERATOR(pg_catalog.-) '{seed,freshness}'::pg_catalog.text[]
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', t.seed, 'freshness_s', EXTRACT(epoch FROM t.freshness))
	FROM answer.tool t
	UNION ALL SELECT 'route' AS kind, r.route_id, r.seed AND r.enabled, pg_catalog.to_jsonb(r) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', r.seed)
	FROM answer.route r
	UNION ALL SELECT 'witness' AS kind, w.vkey, false, pg_catalog.jsonb_build_object('vkey', w.vkey, 'origin', w.origin)
	FROM answer.witness_key w
	-- an operator's decision, not a tenant's thing; auditors are granted "*", which is in no row of answer.tenant
	UNION ALL SELECT 'tenant' AS kind, n.tenant, false, pg_catalog.jsonb_build_object('name', n.tenant, 'roles', COALESCE((
		SELECT pg_catalog.jsonb_agg(g.role ORDER BY g.role) FROM answer.tenant_role g WHERE g.tenant OPERATOR(pg_catalog.=) n.tenant), '[]'))
	FROM (SELECT t.tenant FROM answer.tenant t UNION SELECT g.tenant FROM answer.tenant_role g) AS n
	UNION ALL SELECT 'quality_class' AS kind, c.class, c.seed AND k.list IS NULL, pg_catalog.to_jsonb(c) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', c.seed, 'compatibilities', k.list)
	FROM answer.quality_class c, LATERAL (
		SELECT pg_catalog.jsonb_agg(pg_catalog.to_jsonb(q) OPERATOR(pg_catalog.-) 'seed'
			ORDER BY q.with_class COLLATE "C", q.same_tool) AS list
		FROM answer.quality_compatibility q WHERE q.class OPERATOR(pg_catalog.=) c.class AND NOT q.seed) AS k
	UNION ALL SELECT 'quality_tool' AS kind, t.tool, t.seed AND a.list IS NULL, pg_catalog.to_jsonb(t) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', t.seed, 'authorities', a.list)
	FROM answer.quality_tool t, LATERAL (
		SELECT pg_catalog.jsonb_agg(pg_catalog.to_jsonb(q) OPERATOR(pg_catalog.-) 'seed'
			ORDER BY q.observation::pg_catalog.text COLLATE "C") AS list
		FROM answer.quality_authority q WHERE q.tool OPERATOR(pg_catalog.=) t.tool AND NOT q.seed
		AND t.tenant OPERATOR(pg_catalog.=) '') AS a
	UNION ALL SELECT 'quality_intent' AS kind, i.intent, i.seed AND NOT q.is_changed, pg_catalog.to_jsonb(i) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', i.seed, 'requirements', q.list)
	FROM answer.quality_intent i, LATERAL (
		SELECT pg_catalog.jsonb_object_agg(r.class, r.quality) AS list,
			COALESCE(pg_catalog.bool_or(NOT r.seed), false) AS is_changed
		FROM answer.quality_requirement r WHERE r.intent OPERATOR(pg_catalog.=) i.intent) AS q
	UNION ALL SELECT 'quality_question_form' AS kind, w.word, false, pg_catalog.to_jsonb(w) OPERATOR(pg_catalog.-) 'seed'
	FROM answer.quality_question_form w WHERE NOT w.seed
	UNION ALL SELECT 'decision_rule' AS kind, pg_catalog.concat(d.list, ': ', d.entry), false, pg_catalog.to_jsonb(d) OPERATOR(pg_catalog.-) 'seed'
	FROM answer.decision_rule d WHERE NOT d.seed
	-- with what was measured for its version
	UNION ALL SELECT 'judge' AS kind, j.name, j.seed, pg_catalog.to_jsonb(j) OPERATOR(pg_catalog.-) 'seed'
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', j.seed,
		'assessed', @extschema@.answer_digest(answer.judge_assessed(j.tenant, j.name, j.revision)))
	FROM answer.judge j
	-- the newest version; its record says when it came
	UNION ALL SELECT 'plan' AS kind, p.plan_id, p.seed, pg_catalog.to_jsonb(p) OPERATOR(pg_catalog.-) '{seed,registered_at}'::pg_catalog.text[]
		OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', p.seed)
	FROM answer.plan p
	WHERE NOT EXISTS (SELECT FROM answer.plan o WHERE o.tenant OPERATOR(pg_catalog.=) p.tenant
		AND o.plan_id OPERATOR(pg_catalog.=) p.plan_id AND o.version OPERATOR(pg_catalog.>) p.version)
	UNION ALL SELECT 'budget' AS kind, b.period, false, pg_catalog.to_jsonb(b)
	FROM answer.budget_cap b
	UNION ALL SELECT 'memory_policy' AS kind, m.key_prefix, false, pg_catalog.to_jsonb(m)
	FROM answer.memory_policy m
	-- stored content, by its digests; documents of suites belong to their suites
	UNION ALL SELECT 'documents' AS kind, 'documents' AS name, false, pg_catalog.jsonb_build_object('tenant', d.tenant, 'version', d.version,
		'sum', pg_catalog.concat('sha256:', pg_catalog.encode(pg_catalog.sha256(d.sum), 'hex')))
	FROM answer.document_set d WHERE NOT pg_catalog.starts_with(d.tenant, '#')
	UNION ALL SELECT 'graph' AS kind, g.project, false, pg_catalog.jsonb_build_object('tenant', g.tenant,
		'sum', pg_catalog.concat('sha256:', pg_catalog.encode(pg_catalog.sha256(g.sum), 'hex')))
	FROM answer.graph_set g
	UNION ALL SELECT 'memory' AS kind,
		pg_catalog.concat('sha256:', pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(m.key, 'UTF8')), 'hex')), false,
		pg_catalog.jsonb_build_object('tenant', m.tenant, 'row', pg_catalog.concat('sha256:', pg_catalog.encode(answer.row_digest('memory_entry', m), 'hex')),
		'expires_at', pg_catalog.to_char(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
	FROM answer.memory_entry m
	-- for forgotten evidence and documents, nothing else would show that there was a tombstone
	UNION ALL SELECT 'tombstone' AS kind, b.digest, false, pg_catalog.jsonb_build_object('tenant', b.tenant,
		'tombstone', @extschema@.answer_digest(b.body))
	FROM answer.tombstone b WHERE b.receipt_id IS NULL
	-- lists of the rows that existed when the log was sealed
	UNION ALL SELECT 'recorded' AS kind, l.number::pg_catalog.text, false, pg_catalog.jsonb_build_object(
		'row', pg_catalog.concat('sha256:', pg_catalog.encode(answer.row_digest('recorded_rows', l), 'hex')))
	FROM answer.recorded_rows l
	-- pruned rows of the roll-up cannot be counted again
	UNION ALL SELECT 'rollup' AS kind, 'pruned' AS name, false, pg_catalog.jsonb_build_object(
		'before', pg_catalog.to_char(q.before AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'pruned_at', pg_catalog.to_char(q.pruned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
	FROM answer.rollup_pruned q
	-- each version separately: an older one can still be run and compared with; its digest stands for its rows
	UNION ALL SELECT 'suite' AS kind, pg_catalog.concat(u.name, '/', u.version), u.seed, pg_catalog.to_jsonb(u)
		OPERATOR(pg_catalog.-) '{seed,now,documents,loaded_at}'::pg_catalog.text[] OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object('shipped', u.seed,
		'loaded_at', pg_catalog.to_char(u.loaded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
	FROM answer.suite u
	UNION ALL SELECT 'baseline' AS kind, pg_catalog.concat(l.name, '/', l.version), false, pg_catalog.to_jsonb(l)
		OPERATOR(pg_catalog.-) 'loaded_at' OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object(
		'loaded_at', pg_catalog.to_char(l.loaded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
	FROM answer.baseline l
) AS s;
COMMENT ON VIEW answer.change_state IS 'The present state of everything whose changes are recorded (change/v1); the audit compares it with the newest record of each name. See doc/tables.md#answerchange_state.';
COMMENT ON COLUMN answer.change_state.kind IS 'Kind of thing whose changes are recorded, such as key, tool, route, judge, suite or documents. See doc/tables.md#answerchange_state.';
COMMENT ON COLUMN answer.change_state.name IS 'Name of the thing within its kind, such as a key''s id, a tool, or a suite, "/" and its version. See doc/tables.md#answerchange_state.';
COMMENT ON COLUMN answer.change_state.shipped IS 'Whether the row claims to be as the extension shipped it, so that it needs no record. See doc/tables.md#answerchange_state.';
COMMENT ON COLUMN answer.change_state.tenant IS 'Owner: a tenant, or empty for the operator, whose things all tenants share. See doc/tables.md#answerchange_state.';
COMMENT ON COLUMN answer.change_state.state IS 'Its columns that are not NULL, with the rows of other tables that belong to it. See doc/tables.md#answerchange_state.';

CREATE FUNCTION answer.change_record_put(tenant text, kind text, name text) RETURNS boolean
AS 'MODULE_PATHNAME', 'answer_eval_change_record_put'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION answer.change_record_put(text, text, text) IS
'Signs a record of one thing for the functions that change it; not for direct use.';
REVOKE ALL ON FUNCTION answer.change_record_put(text, text, text) FROM PUBLIC;

-- what is stored: documents, graphs and memory

CREATE FUNCTION answer.content_record_put(tenant text, kind text, name text, found bytea) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_content_record_put'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION answer.content_record_put(text, text, text, bytea) IS
'Signs a record of the documents of a tenant or of the graph of a project, for the functions that change them; not for direct use.';

CREATE FUNCTION answer.content_changed() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_content_changed'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION answer.content_changed() IS
'Trigger, not for direct use, that signs a record of documents or of a graph at the end of the transaction, if no function has signed one.';

-- A function that signs a record calls this before it changes anything, so that its record follows a record of what
-- the transaction has changed so far. It calls it again at its end, because the triggers of its own changes must not
-- fire after later ones.
CREATE FUNCTION answer.content_settle() RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	SET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded IMMEDIATE;
	SET CONSTRAINTS answer.document_set_recorded, answer.graph_set_recorded DEFERRED;
END
$$;
COMMENT ON FUNCTION answer.content_settle() IS
'Signs now the records that this transaction would sign at its end for documents and graphs changed so far, so that the next record follows them; not for direct use.';

CREATE FUNCTION answer.memory_recorded(tenant text, keys text[]) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_memory_recorded'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION answer.memory_recorded(text, text[]) IS
'Signs records of what is now remembered under keys, for the functions that change it; not for direct use.';

REVOKE ALL ON FUNCTION answer.content_record_put(text, text, text, bytea), answer.content_changed(), answer.content_settle(),
	answer.memory_recorded(text, text[]) FROM PUBLIC;

-- a restore inserts the rows of answer.document_set
CREATE CONSTRAINT TRIGGER document_set_recorded AFTER UPDATE OR DELETE ON answer.document_set
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.content_changed();
CREATE CONSTRAINT TRIGGER graph_set_recorded AFTER INSERT OR UPDATE OR DELETE ON answer.graph_set
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION answer.content_changed();

CREATE FUNCTION @extschema@.answer_change_record(kind text DEFAULT NULL, name text DEFAULT NULL) RETURNS integer
AS 'MODULE_PATHNAME', 'answer_eval_change_record'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_change_record(text, text) IS
'Signs a record (change/v1) of everything that differs from its newest record, and stores it in answer.receipt. See doc/reference.md#answer_change_record.';
REVOKE ALL ON FUNCTION @extschema@.answer_change_record(text, text) FROM PUBLIC;
REVOKE ALL ON answer.change_state, answer.change FROM PUBLIC;
