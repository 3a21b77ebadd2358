
/* gate: versions of the configuration, and the environments that they are in */

-- What is in force is told by signed records (answer.receipt, change/v1) and by nothing else: the views below show
-- them, and the tables hold only what is made again.  So neither is dumped.

CREATE TABLE answer.environment_head
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	environment	text COLLATE "C" NOT NULL,
	revision	integer NOT NULL CHECK (revision OPERATOR(pg_catalog.>) 0),
	PRIMARY KEY (tenant, environment)
)
WITH (fillfactor = 50);
COMMENT ON TABLE answer.environment_head IS 'That an environment has moved, and how far, for sessions that keep what is in force. It chooses nothing: the newest signed record does. Not dumped.';
COMMENT ON COLUMN answer.environment_head.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.environment_head.environment IS 'Name of the environment.';
COMMENT ON COLUMN answer.environment_head.revision IS 'Number of the record of its last move.';

CREATE TABLE answer.config_sample
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	environment	text COLLATE "C" NOT NULL,
	revision	integer NOT NULL,
	asked_by	text COLLATE "C" NOT NULL,
	receipt_id	text COLLATE "C" NOT NULL,
	issued_at	timestamptz NOT NULL,
	PRIMARY KEY (tenant, environment, revision, receipt_id, asked_by)
);
COMMENT ON TABLE answer.config_sample IS 'Answers by which a candidate is judged: in shadow those that the active configuration decided, in canary those that the candidate did. Whoever counts them verifies the receipts and decides them again. Not dumped: after a restore a candidate collects anew.';
COMMENT ON COLUMN answer.config_sample.tenant IS 'Whose environment it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.config_sample.environment IS 'Name of the environment.';
COMMENT ON COLUMN answer.config_sample.revision IS 'Revision with which the candidate came to its stage.';
COMMENT ON COLUMN answer.config_sample.asked_by IS 'Tenant of the receipt.';
COMMENT ON COLUMN answer.config_sample.receipt_id IS 'The receipt (decision/v1).';
COMMENT ON COLUMN answer.config_sample.issued_at IS 'When it was issued, to find it.';

CREATE FUNCTION answer.environment_guard() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_environment_guard'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.environment_guard() IS
'Trigger, not for direct use, that refuses every change, also by the owner, but the row that answer_eval is writing at that moment. Errors: 23001; 39P01 if no trigger calls it.';

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['environment_head', 'config_sample'] LOOP
		-- after the row: another's trigger before it may make another row of it
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_guard AFTER INSERT OR UPDATE OR DELETE ON answer.%1$s'
			' FOR EACH ROW EXECUTE FUNCTION answer.environment_guard()', name);
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_no_truncate BEFORE TRUNCATE ON answer.%1$s'
			' FOR EACH STATEMENT EXECUTE FUNCTION answer.environment_guard()', name);
	END LOOP;
END
$$;

/* what is in force */

CREATE FUNCTION answer.shipped_config() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_config'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.shipped_config() IS
'The configuration that comes with the extension, in portable form; not for direct use. Result: an object with all keys.';

CREATE FUNCTION answer.shipped_environments() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_environments'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.shipped_environments() IS
'The environments that come with the extension, in portable form; not for direct use. Result: an object with a state under each name.';

CREATE FUNCTION @extschema@.answer_config(environment text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 20;
COMMENT ON FUNCTION @extschema@.answer_config(text) IS
'The configuration that is active in an environment, for the caller''s tenant: its own, or the operator''s where it has none. answer_grounded(), answer_retrieve(), answer_decide(), the debug functions and plans decide by that of the environment that answer_eval.environment names, but for the share that a canary has. It is told by the newest signed record of the environment, which is verified; without a record it is the one that comes with the extension. Argument: the environment (NULL: the session''s). Result: an object with the keys top_k, freshness_days, freshness_days_high_risk, confidence_threshold, confidence_threshold_high_risk, min_confidence (of plans, 0.80 to 1), min_chunks, floor, caveats, unjudged_passages (plain or caveat), judge (optional or required), judge_entailment, judge_answers and judge_conflict (a name, an array of names, or null), judge_passages, support_min, contradict_min, supersede (never, asked or always), rerank, freshness_bias, citation_threshold, contradiction_tolerance and cache_ttl_s: thresholds, bias and tolerance from 0 to 1, the last in seconds; what each does is in doc/ground.md. Errors: P0002 for an environment that is not there, 22023 for a text that cannot be the name of one, XX001 where records of its moves are gone, 42501 without the privilege.';

/* versions */

CREATE FUNCTION @extschema@.answer_config_create(config jsonb, reason text, parent text DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_config_create'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_config_create(jsonb, text, text) IS
'Makes a version of the configuration for the caller''s tenant, and signs a record of it (change/v1). A version never changes; its id follows from its content, so the same content again is the same version and changes nothing. It decides nothing until answer_config_promote() has brought it to an environment. Arguments: config, the keys of answer_config() that differ from the parent''s; reason, 1 to 1000 bytes; parent, the id of another version (NULL: the one that is active in the session''s environment). Result: the id, "cfg_" and 16 hex digits. Errors: 22004 for a NULL config or reason, 22023 for a key or a value that a configuration cannot have, naming it, P0002 for an unknown parent or environment, 54000 for what is too large, 55000 without a usable signing key, 25006 in a read-only transaction, 42501 without the privilege or a tenant. A warning (01000) tells of a judge that it names and that is not registered, or not for that kind of pairs.';

CREATE VIEW answer.config AS
SELECT r.tenant, r.body OPERATOR(pg_catalog.->>) 'name' AS config_id,
	r.body OPERATOR(pg_catalog.#>>) '{after,digest}' AS digest, r.body OPERATOR(pg_catalog.#>) '{after,config}' AS config,
	r.body OPERATOR(pg_catalog.#>>) '{after,parent}' AS parent, r.body OPERATOR(pg_catalog.#>>) '{after,author}' AS author,
	r.body OPERATOR(pg_catalog.#>>) '{after,reason}' AS reason, r.issued_at AS created_at, r.receipt_id, false AS seed
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) 'config'
UNION ALL
SELECT '', pg_catalog.concat('cfg_', pg_catalog.substr(@extschema@.answer_digest(s.config), 8, 16)), @extschema@.answer_digest(s.config),
	s.config, NULL, NULL, 'shipped', NULL, NULL, true
FROM (SELECT answer.shipped_config() AS config) AS s;
COMMENT ON VIEW answer.config IS 'The versions of the configuration, as their signed records (change/v1) have them, and the one that comes with the extension.';
COMMENT ON COLUMN answer.config.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.config.config_id IS 'Its id, which follows from its content: "cfg_" and the first 16 hex digits of the digest.';
COMMENT ON COLUMN answer.config.digest IS 'answer_digest() of it: what receipts name as decision_config.';
COMMENT ON COLUMN answer.config.config IS 'All keys, in portable form.';
COMMENT ON COLUMN answer.config.parent IS 'The version that it was made from. NULL: it ships, or is the same as that.';
COMMENT ON COLUMN answer.config.author IS 'The role that made it. NULL: it ships.';
COMMENT ON COLUMN answer.config.reason IS 'Why it was made.';
COMMENT ON COLUMN answer.config.created_at IS 'When the record was signed. NULL: it ships.';
COMMENT ON COLUMN answer.config.receipt_id IS 'The record, "chg_...". NULL: it ships.';
COMMENT ON COLUMN answer.config.seed IS 'Whether it is the one that comes with the extension. That one stands here a second time once it is history somewhere.';

/* environments */

CREATE VIEW answer.config_step AS
SELECT r.tenant, r.body OPERATOR(pg_catalog.->>) 'name' AS environment,
	(r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 AS revision, r.body OPERATOR(pg_catalog.->>) 'action' AS action,
	r.body OPERATOR(pg_catalog.#>>) '{step,config}' AS config_id, r.body OPERATOR(pg_catalog.#>>) '{step,stage}' AS stage,
	r.body OPERATOR(pg_catalog.#>>) '{step,outcome}' AS outcome, r.body OPERATOR(pg_catalog.#>) '{step,failures}' AS failures,
	r.body OPERATOR(pg_catalog.#>) '{step,samples}' AS samples,
	r.body OPERATOR(pg_catalog.#>>) '{step,gate,candidate}' AS candidate_run, r.body OPERATOR(pg_catalog.#>>) '{step,gate,baseline}' AS baseline_run,
	r.body OPERATOR(pg_catalog.#>>) '{step,from,active}' AS active_before, r.body OPERATOR(pg_catalog.#>>) '{after,active}' AS active_after,
	r.body OPERATOR(pg_catalog.#>>) '{step,by}' AS by_role, r.body OPERATOR(pg_catalog.#>>) '{step,reason}' AS reason, r.issued_at, r.receipt_id
FROM answer.receipt r
WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) 'environment'
-- nothing goes through it into answer.receipt
OFFSET 0;
COMMENT ON VIEW answer.config_step IS 'The history of environments, as their signed records (change/v1) have it: promotions, refusals, rollbacks and changed terms.';
COMMENT ON COLUMN answer.config_step.tenant IS 'Whose environment it is; empty: the operator''s.';
COMMENT ON COLUMN answer.config_step.environment IS 'Name of the environment.';
COMMENT ON COLUMN answer.config_step.revision IS 'Number of the step among those of its environment, from 1 on. The order is this, and not the clock''s.';
COMMENT ON COLUMN answer.config_step.action IS 'promote, refuse, rollback or set.';
COMMENT ON COLUMN answer.config_step.config_id IS 'The configuration that was to be promoted. NULL: of rollback and set.';
COMMENT ON COLUMN answer.config_step.stage IS 'The stage that it was to come to: shadow, canary or active. NULL: of rollback and set.';
COMMENT ON COLUMN answer.config_step.outcome IS 'pass, fail or inconclusive, of samples and gate. NULL: of rollback and set.';
COMMENT ON COLUMN answer.config_step.failures IS 'Why it was no pass, an array of sentences.';
COMMENT ON COLUMN answer.config_step.samples IS '{required, counted, different, most_different_percent}.';
COMMENT ON COLUMN answer.config_step.candidate_run IS 'The run (run/v1) of the suite with the candidate. NULL: there was none, for want of samples.';
COMMENT ON COLUMN answer.config_step.baseline_run IS 'The run of the suite with the configuration that was active.';
COMMENT ON COLUMN answer.config_step.active_before IS 'The configuration that was active before.';
COMMENT ON COLUMN answer.config_step.active_after IS 'The one after. NULL: a tenant''s environment was removed, so that the operator''s counts again.';
COMMENT ON COLUMN answer.config_step.by_role IS 'The role that took the step.';
COMMENT ON COLUMN answer.config_step.reason IS 'The reason that was given. NULL: none.';
COMMENT ON COLUMN answer.config_step.issued_at IS 'When the record was signed, by the server''s clock.';
COMMENT ON COLUMN answer.config_step.receipt_id IS 'The record, "chg_...", for answer_receipt().';

CREATE VIEW answer.environment AS
WITH newest AS (
	SELECT DISTINCT ON (r.tenant, r.body OPERATOR(pg_catalog.->>) 'name') r.tenant, r.body OPERATOR(pg_catalog.->>) 'name' AS name,
		(r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 AS revision, r.body OPERATOR(pg_catalog.->) 'after' AS state,
		r.issued_at, r.receipt_id
	FROM answer.receipt r
	WHERE r.schema OPERATOR(pg_catalog.=) 'change/v1' AND (r.body OPERATOR(pg_catalog.->>) 'kind') OPERATOR(pg_catalog.=) 'environment'
	ORDER BY r.tenant, r.body OPERATOR(pg_catalog.->>) 'name', (r.body OPERATOR(pg_catalog.->>) 'revision')::pg_catalog.int4 DESC NULLS LAST
), present AS (
	SELECT n.tenant, n.name, n.revision, n.state, n.issued_at, n.receipt_id, false AS seed FROM newest n
	WHERE pg_catalog.jsonb_typeof(n.state) OPERATOR(pg_catalog.=) 'object'
	UNION ALL SELECT '' AS tenant, s.key, 0 AS revision, s.value, NULL AS issued_at, NULL AS receipt_id, true AS seed
	FROM pg_catalog.jsonb_each(answer.shipped_environments()) AS s
	WHERE NOT EXISTS (SELECT FROM newest n WHERE n.tenant OPERATOR(pg_catalog.=) '' AND n.name OPERATOR(pg_catalog.=) s.key)
)
SELECT p.tenant, p.name, p.revision, p.state OPERATOR(pg_catalog.->>) 'active' AS active,
	p.state OPERATOR(pg_catalog.->>) 'shadow' AS shadow, p.state OPERATOR(pg_catalog.->>) 'canary' AS canary,
	pg_catalog.round((p.state OPERATOR(pg_catalog.->>) 'canary_percent')::pg_catalog.numeric OPERATOR(pg_catalog./) 100, 2) AS canary_share,
	ARRAY(SELECT h.value FROM pg_catalog.jsonb_array_elements_text(p.state OPERATOR(pg_catalog.->) 'history') WITH ORDINALITY AS h (value, n) ORDER BY h.n) AS history,
	p.state OPERATOR(pg_catalog.->>) 'suite' AS suite, p.state OPERATOR(pg_catalog.->) 'rules' AS rules,
	(p.state OPERATOR(pg_catalog.->>) 'shadow_samples')::pg_catalog.int4 AS shadow_samples,
	(p.state OPERATOR(pg_catalog.->>) 'canary_samples')::pg_catalog.int4 AS canary_samples,
	(p.state OPERATOR(pg_catalog.->>) 'most_different_percent')::pg_catalog.int4 AS most_different_percent,
	p.issued_at AS moved_at, p.receipt_id, p.seed
FROM present p;
COMMENT ON VIEW answer.environment IS 'The environments as their newest signed records (change/v1) have them, and those that come with the extension. answer_config() verifies the record; this view shows it.';
COMMENT ON COLUMN answer.environment.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, which counts for every tenant that has none of that name.';
COMMENT ON COLUMN answer.environment.name IS 'Name of the environment: what answer_eval.environment chooses.';
COMMENT ON COLUMN answer.environment.revision IS 'Number of its newest step; 0: it is as it ships.';
COMMENT ON COLUMN answer.environment.active IS 'The configuration that decides.';
COMMENT ON COLUMN answer.environment.shadow IS 'The candidate that decides nothing yet, and is compared. NULL: none.';
COMMENT ON COLUMN answer.environment.canary IS 'The candidate that decides a share of the questions. NULL: none.';
COMMENT ON COLUMN answer.environment.canary_share IS 'The share of a canary, from 0 to 1.';
COMMENT ON COLUMN answer.environment.history IS 'What was active before and a rollback goes back to, the oldest first.';
COMMENT ON COLUMN answer.environment.suite IS 'The suite that a candidate is run with.';
COMMENT ON COLUMN answer.environment.rules IS 'The rules of the gate; those that are missing are the shipped ones.';
COMMENT ON COLUMN answer.environment.shadow_samples IS 'How many samples a candidate needs in shadow.';
COMMENT ON COLUMN answer.environment.canary_samples IS 'How many it needs in canary.';
COMMENT ON COLUMN answer.environment.most_different_percent IS 'How many percent of the samples may be decided differently.';
COMMENT ON COLUMN answer.environment.moved_at IS 'When its newest step was signed. NULL: it is as it ships.';
COMMENT ON COLUMN answer.environment.receipt_id IS 'The record of that step. NULL: it is as it ships.';
COMMENT ON COLUMN answer.environment.seed IS 'Whether it is as it comes with the extension.';

CREATE FUNCTION @extschema@.answer_environment_set(environment text, options jsonb DEFAULT '{}', reason text DEFAULT NULL, tenant text DEFAULT '') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_environment_set'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_environment_set(text, jsonb, text, text) IS
'Sets the terms on which configurations come to an environment, and signs a record of that: see doc/config.md, Environments.';

CREATE FUNCTION @extschema@.answer_config_promote(environment text, config text, stage text DEFAULT NULL, reason text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config_promote'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_config_promote(text, text, text, text) IS
'Brings a configuration one stage further in an environment of the caller''s tenant, if it passes: from nowhere to shadow, from shadow to canary, from canary to active. It counts the samples of the stage that is left, runs the environment''s suite with the candidate and with the active configuration, and has the gate judge. Pass moves it; fail and inconclusive move nothing. Either is signed (change/v1) with the runs that it rests on. Arguments: the environment; config, an id of answer_config_create(); stage, the one that is meant (NULL: the next); reason. Result: {"environment", "config", "stage", "moved", "outcome", "failures", "samples", "gate": {"candidate", "baseline", "outcome", "failures", "rules"}, "action", "active", "shadow", "canary", "revision", "receipt_id"}. Promotions of one environment wait for each other. Errors: 22004 for a NULL, 22023 for an unknown stage, P0002 for an unknown environment, configuration or suite, 55000 for a stage that is not the next one, while another candidate is there, for what is active already, and without a usable signing key, XX001 where records of moves are gone, 25006 in a read-only transaction, 42501 without the privilege or a tenant, 57014 when cancelled.';

CREATE FUNCTION @extschema@.answer_config_rollback(environment text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config_rollback'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_config_rollback(text, text) IS
'Takes an environment of the caller''s tenant one step back, at once and without a gate, and signs a record of that (change/v1). A candidate in shadow or canary is taken away; where there is none, the configuration that was active before is active again. Each further call goes further back, to the first one. A tenant''s environment that has nothing behind it is removed, and the operator''s counts again. What was rolled back comes again by promotion alone. Arguments: the environment; reason, 1 to 1000 bytes. Result: {"environment", "action", "revision", "receipt_id", "active", "shadow", "canary"}. Errors: 22004 for a NULL, 22023 for an empty reason, P0002 for an unknown environment, 55000 where nothing is behind it and without a usable signing key, XX001 where records of moves are gone, 25006 in a read-only transaction, 42501 without the privilege or a tenant.';

REVOKE ALL ON answer.environment_head, answer.config_sample, answer.config, answer.config_step, answer.environment FROM PUBLIC;
-- shipped_config() and shipped_environments() stay everybody's: the views of tenants call them with the rights of who reads
REVOKE ALL ON FUNCTION
	answer.environment_guard(),
	@extschema@.answer_config(text),
	@extschema@.answer_config_create(jsonb, text, text),
	@extschema@.answer_environment_set(text, jsonb, text, text),
	@extschema@.answer_config_promote(text, text, text, text),
	@extschema@.answer_config_rollback(text, text)
FROM PUBLIC;
