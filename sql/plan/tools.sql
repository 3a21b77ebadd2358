
/* plan: tools with a spec, registered plans */

CREATE TABLE answer.plan
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	plan_id			text COLLATE "C" NOT NULL CHECK (plan_id OPERATOR(pg_catalog.<>) ''),
	version			integer NOT NULL CHECK (version OPERATOR(pg_catalog.>) 0),
	digest			text COLLATE "C" NOT NULL CHECK (digest OPERATOR(pg_catalog.~) '^sha256:[0-9a-f]{64}$'),
	plan			jsonb NOT NULL,
	registered_by	text NOT NULL,
	registered_at	timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, plan_id, version),
	CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed)
);
COMMENT ON TABLE answer.plan IS 'Registered plans in their versions, append-only: a request names one by its plan_id, and gets the newest, or by the digest of a version.';
COMMENT ON COLUMN answer.plan.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.plan.plan_id IS 'The plan_id in the plan.';
COMMENT ON COLUMN answer.plan.version IS 'The number of the version among those of this plan_id, from 1 on; the highest is the newest.';
COMMENT ON COLUMN answer.plan.digest IS 'answer_digest(plan).';
COMMENT ON COLUMN answer.plan.plan IS 'The plan, its numbers portable. It was valid for the tools that were registered then.';
COMMENT ON COLUMN answer.plan.registered_by IS 'The role that registered this version.';
COMMENT ON COLUMN answer.plan.registered_at IS 'When it was registered, by the server''s clock. Nothing signs it.';
COMMENT ON COLUMN answer.plan.seed IS 'Comes with the extension, as none does yet.';
CREATE INDEX plan_digest ON answer.plan (tenant, digest);
CREATE TRIGGER plan_append_only BEFORE UPDATE OR DELETE ON answer.plan
FOR EACH ROW EXECUTE FUNCTION answer.append_only();
CREATE TRIGGER plan_no_truncate BEFORE TRUNCATE ON answer.plan
FOR EACH STATEMENT EXECUTE FUNCTION answer.append_only();
REVOKE ALL ON answer.plan FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.plan', 'WHERE NOT seed');
