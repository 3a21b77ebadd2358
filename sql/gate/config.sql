
/* gate: versions of the configuration, and the environments they are in; doc/spec/gate.md section 6 */

-- Only signed records (answer.receipt, change/v1) determine what is in force; the views below show them.

/* what is in force */

CREATE FUNCTION answer.shipped_config() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_config'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.shipped_config() IS
'Returns the configuration that comes with the extension, in portable form; not for direct use.';

CREATE FUNCTION answer.shipped_environments() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_shipped_environments'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.shipped_environments() IS
'Returns the environments that come with the extension, in portable form; not for direct use.';

CREATE FUNCTION @extschema@.answer_config(environment text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL RESTRICTED COST 20;
COMMENT ON FUNCTION @extschema@.answer_config(text) IS
'Returns the configuration that is active in an environment, for the caller''s tenant: its own, or the operator''s if it has none. See doc/reference.md#answer_config.';

/* versions */

CREATE FUNCTION @extschema@.answer_config_create(config jsonb, reason text, parent text DEFAULT NULL) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_config_create'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_config_create(jsonb, text, text) IS
'Creates a version of the configuration for the caller''s tenant, and signs a record of it (change/v1). See doc/reference.md#answer_config_create.';

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
COMMENT ON VIEW answer.config IS 'Versions of the configuration, one per row, from their signed records (change/v1), and the one that comes with the extension. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose rows all tenants share. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.config_id IS 'Its id, derived from its content: "cfg_" and the first 16 hex digits of the digest. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.digest IS 'answer_digest() of it; receipts name it as decision_config. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.config IS 'All keys, in portable form. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.parent IS 'The version from which it was made. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.author IS 'The role that created it. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.reason IS 'Why it was created. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.created_at IS 'When the record was signed. See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.receipt_id IS 'The record, "chg_...". See doc/tables.md#answerconfig.';
COMMENT ON COLUMN answer.config.seed IS 'Whether it is the one that comes with the extension. See doc/tables.md#answerconfig.';

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
-- nothing can be written to answer.receipt through it
OFFSET 0;
COMMENT ON VIEW answer.config_step IS 'History of environments, one step per row, from their signed records (change/v1): promotions, refusals, rollbacks and changed terms. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.tenant IS 'Owner of the environment: a tenant, or empty for the operator. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.environment IS 'Name of the environment. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.revision IS 'Number of the step among those of its environment, from 1. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.action IS 'promote, refuse, rollback or set. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.config_id IS 'The configuration to be promoted. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.stage IS 'The stage it was to reach: shadow, canary or active. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.outcome IS 'Outcome of samples and gate: pass, fail or inconclusive. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.failures IS 'Why it did not pass, an array of sentences. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.samples IS '{required, counted, different, most_different_percent}. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.candidate_run IS 'The run (run/v1) of the suite with the candidate. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.baseline_run IS 'The run of the suite with the configuration that was active. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.active_before IS 'The configuration that was active before. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.active_after IS 'The configuration that was active afterwards. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.by_role IS 'The role that took the step. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.reason IS 'The reason that was given. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.issued_at IS 'When the record was signed, by the server''s clock. See doc/tables.md#answerconfig_step.';
COMMENT ON COLUMN answer.config_step.receipt_id IS 'The record, "chg_...", for answer_receipt(). See doc/tables.md#answerconfig_step.';

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
COMMENT ON VIEW answer.environment IS 'Environments, one per row, from their newest signed records (change/v1), and those that come with the extension. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator, whose environment applies to every tenant that has none of that name. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.name IS 'Name of the environment, which answer_eval.environment chooses. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.revision IS 'Number of its newest step; 0: it is as shipped. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.active IS 'The configuration in force. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.shadow IS 'The candidate that is compared but decides nothing yet. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.canary IS 'The candidate that decides a share of the questions. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.canary_share IS 'Share of the questions that a canary decides, from 0 to 1. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.history IS 'Previously active configurations, to which a rollback returns, the oldest first. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.suite IS 'The suite with which candidates are run. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.rules IS 'The rules of the gate; missing ones are the shipped ones. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.shadow_samples IS 'Number of samples that a candidate needs in shadow. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.canary_samples IS 'Number of samples that it needs in canary. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.most_different_percent IS 'Maximum percentage of the samples that may be decided differently. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.moved_at IS 'When its newest step was signed. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.receipt_id IS 'The record of that step. See doc/tables.md#answerenvironment.';
COMMENT ON COLUMN answer.environment.seed IS 'Whether it is as it came with the extension. See doc/tables.md#answerenvironment.';

CREATE FUNCTION @extschema@.answer_environment_set(environment text, options jsonb DEFAULT '{}', reason text DEFAULT NULL, tenant text DEFAULT '') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_environment_set'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_environment_set(text, jsonb, text, text) IS
'Sets the terms on which configurations reach an environment, and signs a record of that (change/v1). See doc/reference.md#answer_environment_set.';

CREATE FUNCTION @extschema@.answer_config_promote(environment text, config text, stage text DEFAULT NULL, reason text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config_promote'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_config_promote(text, text, text, text) IS
'Moves a configuration to the next stage in an environment of the caller''s tenant, if it passes: from nowhere to shadow, from shadow to canary, from canary to active. See doc/reference.md#answer_config_promote.';

CREATE FUNCTION @extschema@.answer_config_rollback(environment text, reason text) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_config_rollback'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_config_rollback(text, text) IS
'Moves an environment of the caller''s tenant one step back, at once and without a gate, and signs a record of that (change/v1). See doc/reference.md#answer_config_rollback.';

REVOKE ALL ON answer.environment_head, answer.config_sample, answer.config, answer.config_step, answer.environment FROM PUBLIC;
-- shipped_config() and shipped_environments() stay callable by everybody, because tenants' views call them with the
-- reader's privileges
REVOKE ALL ON FUNCTION
	answer.environment_guard(),
	@extschema@.answer_config(text),
	@extschema@.answer_config_create(jsonb, text, text),
	@extschema@.answer_environment_set(text, jsonb, text, text),
	@extschema@.answer_config_promote(text, text, text, text),
	@extschema@.answer_config_rollback(text, text)
FROM PUBLIC;
