
/* ground: which environments have moved, and the answers by which a candidate is judged; doc/spec/gate.md section 6 */

-- Signed records (answer.receipt, change/v1) say what is in force. These tables hold only derived data, so they are
-- not dumped.

CREATE TABLE answer.environment_head
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	environment	text COLLATE "C" NOT NULL,
	revision	integer NOT NULL CHECK (revision OPERATOR(pg_catalog.>) 0),
	PRIMARY KEY (tenant, environment)
)
WITH (fillfactor = 50);
COMMENT ON TABLE answer.environment_head IS 'Environments that have moved, one per row with the number of the last move, for sessions that cache what is in force. See doc/tables.md#answerenvironment_head.';
COMMENT ON COLUMN answer.environment_head.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerenvironment_head.';
COMMENT ON COLUMN answer.environment_head.environment IS 'Name of the environment. See doc/tables.md#answerenvironment_head.';
COMMENT ON COLUMN answer.environment_head.revision IS 'Number of the record of its last move. See doc/tables.md#answerenvironment_head.';

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
COMMENT ON TABLE answer.config_sample IS 'Answers by which a candidate is judged, one per row: in shadow those that the active configuration decided, in canary those that the candidate decided. See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.tenant IS 'Owner of the environment: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.environment IS 'Name of the environment. See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.revision IS 'Revision in which the candidate reached its stage. See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.asked_by IS 'Tenant of the receipt. See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.receipt_id IS 'The receipt (decision/v1). See doc/tables.md#answerconfig_sample.';
COMMENT ON COLUMN answer.config_sample.issued_at IS 'When the receipt was issued, to find it. See doc/tables.md#answerconfig_sample.';

CREATE FUNCTION answer.environment_guard() RETURNS trigger
AS 'MODULE_PATHNAME', 'answer_eval_environment_guard'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1;
COMMENT ON FUNCTION answer.environment_guard() IS
'Trigger, not for direct use, that refuses every change, even by the owner, except of the row that answer_eval is writing at that moment.';

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['environment_head', 'config_sample'] LOOP
		-- after the row: a trigger of someone else before it may change the row
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_guard AFTER INSERT OR UPDATE OR DELETE ON answer.%1$s'
			' FOR EACH ROW EXECUTE FUNCTION answer.environment_guard()', name);
		EXECUTE pg_catalog.format('CREATE TRIGGER %1$s_no_truncate BEFORE TRUNCATE ON answer.%1$s'
			' FOR EACH STATEMENT EXECUTE FUNCTION answer.environment_guard()', name);
	END LOOP;
END
$$;
