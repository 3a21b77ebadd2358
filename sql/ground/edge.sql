
/* ground: from a question to a signed answer */

/* retrievals that are not answered yet */

CREATE TABLE answer.retrieval
(
	retrieval_id	text COLLATE "C" NOT NULL,
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	role			text COLLATE "C" NOT NULL,
	state			jsonb NOT NULL,
	retrieved_at	timestamptz NOT NULL,
	expires_at		timestamptz NOT NULL,
	sig				jsonb NOT NULL,
	PRIMARY KEY (tenant, retrieval_id)
);
COMMENT ON TABLE answer.retrieval IS 'Results of answer_retrieve() that answer_grounded() has not used yet, one per row. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.retrieval_id IS 'Random, so that nobody can guess it. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.role IS 'Name of the role that retrieved; no other role can use it. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.state IS 'The question, the chunks, the configuration, and the judgements. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.retrieved_at IS 'When it was retrieved, by the server''s clock. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.expires_at IS 'When it expires: answer_eval.retrieval_lifetime after it was retrieved. See doc/tables.md#answerretrieval.';
COMMENT ON COLUMN answer.retrieval.sig IS 'Signature over the other columns; a row that was changed is not used. See doc/tables.md#answerretrieval.';
CREATE INDEX retrieval_expiry ON answer.retrieval (tenant, expires_at);

CREATE FUNCTION answer.retrieval_put(tenant text, role text, retrieval_id text, state jsonb, retrieved_at timestamptz, expires_at timestamptz, sig jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	INSERT INTO answer.retrieval (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig)
	VALUES (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig);
	-- expired rows are deleted on the way, without waiting for anybody
	DELETE FROM answer.retrieval r WHERE r.ctid = ANY (ARRAY(
		SELECT o.ctid FROM answer.retrieval o WHERE o.tenant = retrieval_put.tenant AND o.expires_at < retrieved_at
		ORDER BY o.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED));
EXCEPTION WHEN serialization_failure THEN
	-- with a snapshot of its own, a transaction meets rows that others have deleted since
	INSERT INTO answer.retrieval (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig)
	VALUES (retrieval_id, tenant, role, state, retrieved_at, expires_at, sig);
END
$$;
COMMENT ON FUNCTION answer.retrieval_put(text, text, text, jsonb, timestamptz, timestamptz, jsonb) IS
'Stores a result of answer_retrieve(), as the owner of the tables; not for direct use.';

/* answers that may be given again */

-- What a crash loses is computed again.
CREATE UNLOGGED TABLE answer.decision_cache
(
	key			text COLLATE "C" NOT NULL,
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	receipt_id	text NOT NULL,
	issued_at	timestamptz NOT NULL,
	expires_at	timestamptz NOT NULL,
	hits		bigint NOT NULL DEFAULT 0,
	last_hit_at	timestamptz NOT NULL,
	sig			jsonb NOT NULL,
	PRIMARY KEY (tenant, key)
);
COMMENT ON TABLE answer.decision_cache IS 'Receipts that answer_grounded() and plans return again for the same question, one per row; at most answer_eval.cache_entries per tenant. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.key IS 'Digest of the role, the folded question, the options, the configuration, the rules, the judges and the version of the documents; for a plan, of the role, the intent, the variables, the plan, its tools and budgets, and the rest likewise. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.receipt_id IS 'The receipt, in answer.receipt. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.issued_at IS 'When it was issued. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.expires_at IS 'When it expires: cache_ttl_s after it was issued. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.hits IS 'How often it was returned again. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.last_hit_at IS 'When it was last returned. See doc/tables.md#answerdecision_cache.';
COMMENT ON COLUMN answer.decision_cache.sig IS 'Signature over all other columns except the last two, by the receipt''s key; a row that was changed is not used. See doc/tables.md#answerdecision_cache.';

-- Judgements made before the receipt but committed after it count, too; therefore instants are not compared with the
-- receipt's.
CREATE FUNCTION answer.judged_since(tenant text, body jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	evidence jsonb := CASE body ->> 'schema' WHEN 'decision/v1' THEN jsonb_build_array(body)
		ELSE jsonb_path_query_array(body, '$.trace[*].outputs.evidence') END;
	used jsonb := jsonb_path_query_array(evidence, '$[*].judgements[*]');
	open jsonb := jsonb_path_query_array(evidence, '$[*].to_judge[*]');
BEGIN
	-- most answers were judged by nobody
	IF used = '[]' AND open = '[]' THEN
		RETURN false;
	END IF;
	RETURN EXISTS (SELECT FROM (SELECT DISTINCT p ->> 'pair' AS pair FROM jsonb_array_elements(used || open) AS p) AS n
		JOIN answer.judgement g ON g.tenant = judged_since.tenant AND g.pair = n.pair
		WHERE g.judge IN (SELECT j #>> '{}' FROM jsonb_path_query(evidence, '$[*].judges[*].name') AS j)
		AND NOT EXISTS (SELECT FROM jsonb_array_elements(used) AS u WHERE u ->> 'pair' = g.pair AND u ->> 'judge' = g.judge
			AND (u ->> 'version' <> g.version OR (u ->> 'judged_at')::timestamptz >= g.judged_at
				OR (u ->> 'relation' = g.relation AND (u ->> 'score')::numeric = g.score))));
END
$$;
COMMENT ON FUNCTION answer.judged_since(text, jsonb) IS
'Returns whether the judges of a cached receipt have since judged one of its pairs in a way that the receipt does not rest on; not for direct use.';

CREATE FUNCTION answer.decision_cache_get(tenant text, key text, now timestamptz,
	OUT body jsonb, OUT receipt_id text, OUT issued_at timestamptz, OUT expires_at timestamptz, OUT sig jsonb)
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	SELECT r.body, c.receipt_id, c.issued_at, c.expires_at, c.sig INTO body, receipt_id, issued_at, expires_at, sig
	FROM answer.decision_cache c
	JOIN answer.receipt r ON r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at AND r.tenant = c.tenant
	WHERE c.tenant = decision_cache_get.tenant AND c.key = decision_cache_get.key AND c.expires_at > now
	-- setting a clock back must not prolong a life
	AND c.issued_at <= now
	-- a receipt that was forgotten since is a tombstone
	AND r.body ->> 'schema' = r.schema;
	IF body IS NULL THEN
		RETURN;
	END IF;
	IF answer.judged_since(tenant, body) THEN
		body := NULL;
		RETURN;
	END IF;
	BEGIN
		-- counting is not worth waiting for
		UPDATE answer.decision_cache c SET hits = c.hits + 1, last_hit_at = now
		WHERE c.ctid = ANY (ARRAY(SELECT o.ctid FROM answer.decision_cache o
			WHERE o.tenant = decision_cache_get.tenant AND o.key = decision_cache_get.key FOR UPDATE SKIP LOCKED));
	EXCEPTION WHEN serialization_failure THEN
		NULL;
	END;
END
$$;
COMMENT ON FUNCTION answer.decision_cache_get(text, text, timestamptz) IS
'Returns a cached receipt, and counts the hit; not for direct use.';

CREATE FUNCTION answer.decision_cache_put(tenant text, key text, receipt_id text, issued_at timestamptz, expires_at timestamptz, sig jsonb, entries integer)
RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	surplus bigint;
BEGIN
	IF entries = 0 THEN
		RETURN;
	END IF;
	INSERT INTO answer.decision_cache AS c (key, tenant, receipt_id, issued_at, expires_at, last_hit_at, sig)
	VALUES (key, tenant, receipt_id, issued_at, expires_at, issued_at, sig)
	ON CONFLICT ON CONSTRAINT decision_cache_pkey DO UPDATE
	SET receipt_id = excluded.receipt_id, issued_at = excluded.issued_at, expires_at = excluded.expires_at,
		hits = 0, last_hit_at = excluded.last_hit_at, sig = excluded.sig;
	SELECT count(*) - entries INTO surplus FROM answer.decision_cache c WHERE c.tenant = decision_cache_put.tenant;
	IF surplus > 0 THEN
		-- expired rows first, then the least used for their age
		DELETE FROM answer.decision_cache c WHERE c.ctid = ANY (ARRAY(
			SELECT o.ctid FROM answer.decision_cache o
			WHERE o.tenant = decision_cache_put.tenant AND o.key <> decision_cache_put.key
			ORDER BY o.expires_at > issued_at,
				o.hits / (1 + greatest(extract(epoch FROM issued_at - o.last_hit_at), 0) / 3600),
				o.last_hit_at, o.key
			LIMIT surplus FOR UPDATE SKIP LOCKED));
	END IF;
EXCEPTION WHEN serialization_failure THEN
	-- another session is storing the same; that is enough
	NULL;
END
$$;
COMMENT ON FUNCTION answer.decision_cache_put(text, text, text, timestamptz, timestamptz, jsonb, integer) IS
'Adds a receipt to the cache, and makes room for it; not for direct use.';

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['retrieval', 'decision_cache'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), 'WHERE false');
	END LOOP;
END
$$;

/* the whole way */

CREATE FUNCTION @extschema@.answer_grounded(query text, options jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_grounded'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 20000;
COMMENT ON FUNCTION @extschema@.answer_grounded(text, jsonb) IS
'Answers a question from documents, or says why not, and signs either result. See doc/reference.md#answer_grounded.';

CREATE FUNCTION @extschema@.answer_retrieve(query text, options jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_retrieve'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 20000;
COMMENT ON FUNCTION @extschema@.answer_retrieve(text, jsonb) IS
'Performs the first half of a grounded answer, for an external model: it searches and decides before the model is asked. See doc/reference.md#answer_retrieve.';

CREATE FUNCTION @extschema@.answer_debug(what text, query text, top_k integer DEFAULT NULL, freshness_days integer DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_debug'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_debug(text, text, integer, integer) IS
'Returns what answer_grounded() would find and decide, and writes nothing. See doc/reference.md#answer_debug.';

/* for dashboards */

CREATE VIEW answer.decision_reason AS
SELECT r.receipt_id, r.issued_at AS "time", r.tenant, r.intent, r.took, r.verdict,
	r.body OPERATOR(pg_catalog.#>>) '{risk,risk_level}' AS risk_level, r.confidence, r.degraded, w.reason
FROM answer.receipt r
LEFT JOIN LATERAL pg_catalog.jsonb_array_elements_text(CASE pg_catalog.jsonb_typeof(r.body OPERATOR(pg_catalog.->) 'reasons')
	WHEN 'array' THEN r.body OPERATOR(pg_catalog.->) 'reasons' ELSE '[]' END) AS w (reason) ON true
WHERE r.schema OPERATOR(pg_catalog.=) 'decision/v1';
COMMENT ON VIEW answer.decision_reason IS 'Reasons of decisions (decision/v1), one per row; a decision without a reason has one row. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.receipt_id IS 'Id of the receipt, "dec_...", for answer_receipt(). See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.time IS 'When it was issued. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.tenant IS 'Owner of the receipt: a tenant, or empty for the operator. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.intent IS 'Value of the option intent. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.took IS 'Duration of the call of answer_grounded(), by the server''s clock. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.verdict IS 'ANSWER, ANSWER_WITH_CAVEATS, CLARIFY, ABSTAIN or BLOCK. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.risk_level IS 'high, medium or low. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.confidence IS 'Greatest similarity of a chunk, 0 to 1; it does not measure truth. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.degraded IS 'Whether a judge failed. See doc/tables.md#answerdecision_reason.';
COMMENT ON COLUMN answer.decision_reason.reason IS 'The reason, as from answer_decide(), or "judge_failed: " and the judge''s name. See doc/tables.md#answerdecision_reason.';

REVOKE ALL ON answer.retrieval, answer.decision_cache, answer.decision_reason FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.retrieval_put(text, text, text, jsonb, timestamptz, timestamptz, jsonb),
	answer.judged_since(text, jsonb),
	answer.decision_cache_get(text, text, timestamptz),
	answer.decision_cache_put(text, text, text, timestamptz, timestamptz, jsonb, integer),
	@extschema@.answer_grounded(text, jsonb),
	@extschema@.answer_retrieve(text, jsonb),
	@extschema@.answer_debug(text, text, integer, integer)
FROM PUBLIC;
