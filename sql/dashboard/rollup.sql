
/* roll-up: totals of signed documents by minute, hour and day */

-- Minting adds a row to rollup_new, in the statement that stores the document, and takes no lock that another session
-- could hold. answer_rollup() adds these rows to answer.rollup and moves them to rollup_kept, in one transaction.
-- Each row is in exactly one of the two, so nothing is counted twice or missed, even after a crash. It has no index
-- and no key, like answer.unsealed.
CREATE TABLE answer.rollup_kept
(
	LIKE answer.rollup_new INCLUDING CONSTRAINTS INCLUDING DEFAULTS
);
CREATE INDEX rollup_kept_time ON answer.rollup_kept (tenant, issued_at);
-- the documents that a judgement can contradict
CREATE INDEX rollup_kept_pairs ON answer.rollup_kept USING gin (pairs) WHERE pairs IS NOT NULL;
COMMENT ON TABLE answer.rollup_kept IS 'Documents that answer_rollup() has counted, one per row, for the edges of windows and for answer_rollup_rebuild(). See doc/tables.md#answerrollup_kept.';
DO $$
DECLARE
	relation	text;
	col			record;
BEGIN
	FOREACH relation IN ARRAY ARRAY['rollup_new', 'rollup_kept'] LOOP
		FOR col IN
			SELECT * FROM (VALUES
				('tenant', 'Owner: a tenant of answer.tenant, or empty for the operator.'),
				('issued_at', 'When it was signed.'),
				('schema', 'Its kind.'),
				('verdict', 'Its verdict, as in answer.receipt.'),
				('intent', 'Its intent, as in answer.receipt; if longer than 100 bytes, its beginning and a digest; NULL: none.'),
				('key_id', 'The key that signed it.'),
				('took', 'Duration of the call; NULL: not measured.'),
				('cost_usd', 'Cost in US dollars; NULL: not known.'),
				('confidence', 'From 0 to 1. For a decision over documents, how sure its judges are, or, if nobody judged passages, the similarity of its best chunk, which counts words and says nothing about truth; NULL: it has none.'),
				('given', 'As in answer.receipt; NULL: it neither answers nor refuses.'),
				('supported', 'As in answer.receipt; NULL as in given.'),
				('citation_required', 'As in answer.receipt; NULL as in given.'),
				('citation_given', 'As in answer.receipt; NULL as in given.'),
				('contradicted', 'As in answer.receipt, so by the document alone; NULL as in given.'),
				('prevented', 'As in answer.receipt; NULL as in given.'),
				('unjudged', 'As in answer.receipt; NULL as in given.'),
				('sentences', 'As in answer.receipt; NULL as in given.'),
				('grounded', 'As in answer.receipt; NULL as in given.'),
				('refusal', 'As in answer.receipt; NULL: it answers, or is not an answer.'),
				('receipt_id', 'Id of the document; NULL: no judge is asked about it, so nothing can correct it.'),
				('pairs', 'Digests of the pairs of texts by which a judge can contradict it, as in answer.judgement; NULL: there are none.'),
				('corrects', 'NULL for a document; 1 for a correction of one that a judge contradicted later, -1 for one that undoes that.'),
				('words', 'Numbers of occurrences of its checks, reasons and calls of tools: {"check supported": 2, "reason stale_documents": 1}; NULL: none.'))
				AS c (name, comment)
		LOOP
			EXECUTE pg_catalog.format('COMMENT ON COLUMN answer.%I.%I IS %L', relation, col.name,
				pg_catalog.concat(col.comment, ' See doc/tables.md#answer', relation, '.'));
		END LOOP;
	END LOOP;
END
$$;

CREATE TABLE answer.rollup
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	grain			smallint NOT NULL CHECK (grain OPERATOR(pg_catalog.=) ANY ('{1,60,1440}')),
	starts_at		timestamptz NOT NULL,
	schema			text COLLATE "C" NOT NULL,
	verdict			text COLLATE "C" NOT NULL,
	intent			text COLLATE "C" NOT NULL,
	documents		bigint NOT NULL,
	answers			bigint NOT NULL,
	given			bigint NOT NULL,
	supported		bigint NOT NULL,
	required		bigint NOT NULL,
	cited			bigint NOT NULL,
	contradicted	bigint NOT NULL,
	prevented		bigint NOT NULL,
	unjudged		bigint NOT NULL,
	sentences		bigint NOT NULL,
	grounded		bigint NOT NULL,
	confidence		numeric NOT NULL,
	costed			bigint NOT NULL,
	costed_verified	bigint NOT NULL,
	cost_usd		numeric NOT NULL,
	PRIMARY KEY (tenant, grain, starts_at, schema, verdict, intent)
) PARTITION BY LIST (grain);
COMMENT ON TABLE answer.rollup IS 'Numbers of documents by kind, verdict and intent for each minute, hour and day (UTC), one combination per row, with the sums that the dashboard shows for the answers among them. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.grain IS 'Length of the period in minutes: 1, 60 or 1440. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.starts_at IS 'Beginning of the period. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.schema IS 'Kind of the documents. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.verdict IS 'Verdict of the documents. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.intent IS 'Intent of the documents; empty: none was given. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.documents IS 'Number of documents. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.answers IS 'Number of answers: documents that answer, refuse, block or ask back. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.given IS 'Number of answers that are given. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.supported IS 'Number of given answers that are supported. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.required IS 'Number of given answers that need citations. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.cited IS 'Number of these that have them. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.contradicted IS 'Number of given answers that are contradicted, by their own evidence or later by a judge. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.prevented IS 'Number of answers not given because of a contradiction. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.unjudged IS 'Number of given answers that nobody has judged. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.sentences IS 'Number of sentences or quotes of given answers. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.grounded IS 'Number of these that are quoted, supported, or claim nothing. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.confidence IS 'Sum of the confidences of supported answers, as in answer.receipt (a similarity for decisions without a judge of passages); a missing one counts as 0. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.costed IS 'Number of answers with a cost. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.costed_verified IS 'Number of these that are verified, that is, supported: cited where needed, not contradicted, and grounded in every sentence. See doc/tables.md#answerrollup.';
COMMENT ON COLUMN answer.rollup.cost_usd IS 'Sum of these costs, in US dollars. See doc/tables.md#answerrollup.';

-- There are sixty times as many minutes as hours, so in a shared table a page would hold hardly any hours. Each call
-- changes the present hour and day again and again; their tables leave room for that on each page.
CREATE TABLE answer.rollup_minute PARTITION OF answer.rollup FOR VALUES IN (1);
CREATE TABLE answer.rollup_hour PARTITION OF answer.rollup FOR VALUES IN (60) WITH (fillfactor = 70);
CREATE TABLE answer.rollup_day PARTITION OF answer.rollup FOR VALUES IN (1440) WITH (fillfactor = 70);
COMMENT ON TABLE answer.rollup_minute IS 'Minutes of answer.rollup. See doc/tables.md#answerrollup_minute.';
COMMENT ON TABLE answer.rollup_hour IS 'Hours of answer.rollup. See doc/tables.md#answerrollup_hour.';
COMMENT ON TABLE answer.rollup_day IS 'Days of answer.rollup. See doc/tables.md#answerrollup_day.';
DO $$
DECLARE
	col	record;
BEGIN
	FOR col IN
		SELECT p.relname, a.attname
		FROM pg_catalog.pg_class p
		JOIN pg_catalog.pg_inherits i ON i.inhrelid OPERATOR(pg_catalog.=) p.oid AND i.inhparent OPERATOR(pg_catalog.=) 'answer.rollup'::pg_catalog.regclass
		JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) p.oid AND a.attnum OPERATOR(pg_catalog.>) 0
		ORDER BY p.relname, a.attnum
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON COLUMN answer.%I.%I IS %L', col.relname, col.attname, 'As in answer.rollup. See doc/tables.md#answerrollup.');
	END LOOP;
END
$$;

-- Separate from the sums, which are narrow and many, so that queries that show no latency read none.
CREATE TABLE answer.rollup_latency
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	grain		smallint NOT NULL CHECK (grain OPERATOR(pg_catalog.=) ANY ('{1,60,1440}')),
	whole		boolean NOT NULL,
	starts_at	timestamptz NOT NULL,
	intent		text COLLATE "C" NOT NULL,
	latency		bytea NOT NULL,
	PRIMARY KEY (tenant, grain, whole, starts_at, intent)
);
COMMENT ON TABLE answer.rollup_latency IS 'Durations of answers for each minute, hour and day (UTC), by intent, and for hours and days also for all intents together. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.grain IS 'Length of the period in minutes: 1, 60 or 1440. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.whole IS 'Whether the row covers all answers, whatever their intent. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.starts_at IS 'Beginning of the period. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.intent IS 'Intent of the answers; empty: none was given, or the row covers all answers. See doc/tables.md#answerrollup_latency.';
COMMENT ON COLUMN answer.rollup_latency.latency IS 'Bag of latencies, as for answer.latency_union(bytea). See doc/tables.md#answerrollup_latency.';

-- Separate for the same reason: queries that show no reasons of refusals read none.
CREATE TABLE answer.rollup_refusal
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	grain		smallint NOT NULL CHECK (grain OPERATOR(pg_catalog.=) ANY ('{1,60,1440}')),
	starts_at	timestamptz NOT NULL,
	intent		text COLLATE "C" NOT NULL,
	reason		text COLLATE "C" NOT NULL,
	count		bigint NOT NULL,
	PRIMARY KEY (tenant, grain, starts_at, intent, reason)
);
COMMENT ON TABLE answer.rollup_refusal IS 'Reasons why answers of a minute, an hour or a day (UTC) were not given, one per row; each answer counts under the reason that decided. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.grain IS 'Length of the period in minutes: 1, 60 or 1440. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.starts_at IS 'Beginning of the period. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.intent IS 'Intent of the answers; empty: none was given. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.reason IS 'The reason. See doc/tables.md#answerrollup_refusal.';
COMMENT ON COLUMN answer.rollup_refusal.count IS 'Number of answers. See doc/tables.md#answerrollup_refusal.';

CREATE TABLE answer.rollup_correction
(
	tenant			text COLLATE "C" NOT NULL DEFAULT '',
	receipt_id		text COLLATE "C" NOT NULL,
	issued_at		timestamptz NOT NULL,
	contradicted	boolean NOT NULL,
	pair			text COLLATE "C",
	judge			text COLLATE "C",
	PRIMARY KEY (tenant, receipt_id)
);
CREATE INDEX rollup_correction_pair ON answer.rollup_correction (tenant, pair) WHERE contradicted;
COMMENT ON TABLE answer.rollup_correction IS 'Documents that were counted as not contradicted and later contradicted by a judge, one per row; their periods were corrected. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.receipt_id IS 'The document. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.issued_at IS 'When it was signed, which is the time of the correction. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.contradicted IS 'Whether it is contradicted. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.pair IS 'The first of its pairs that a judge contradicts. See doc/tables.md#answerrollup_correction.';
COMMENT ON COLUMN answer.rollup_correction.judge IS 'A judge that contradicts it. See doc/tables.md#answerrollup_correction.';

CREATE TABLE answer.rollup_word
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	grain		smallint NOT NULL CHECK (grain OPERATOR(pg_catalog.=) ANY ('{60,1440}')),
	starts_at	timestamptz NOT NULL,
	schema		text COLLATE "C" NOT NULL,
	word		text COLLATE "C" NOT NULL,
	count		bigint NOT NULL,
	PRIMARY KEY (tenant, grain, starts_at, schema, word)
);
COMMENT ON TABLE answer.rollup_word IS 'Numbers of occurrences of words in documents of an hour or a day (UTC), one word per row: checks by verdict, reasons, calls of tools. See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.grain IS 'Length of the period in minutes: 60 or 1440. See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.starts_at IS 'Beginning of the period. See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.schema IS 'Kind of the documents. See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.word IS 'Category, a blank, and the word: "check supported", "reason stale_documents". See doc/tables.md#answerrollup_word.';
COMMENT ON COLUMN answer.rollup_word.count IS 'Number of occurrences. See doc/tables.md#answerrollup_word.';

CREATE TABLE answer.rollup_key
(
	tenant		text COLLATE "C" NOT NULL DEFAULT '',
	key_id		text COLLATE "C" NOT NULL,
	documents	bigint NOT NULL,
	first_at	timestamptz NOT NULL,
	last_at		timestamptz NOT NULL,
	PRIMARY KEY (tenant, key_id)
);
COMMENT ON TABLE answer.rollup_key IS 'Numbers of documents that keys have signed, one key per row. See doc/tables.md#answerrollup_key.';
COMMENT ON COLUMN answer.rollup_key.tenant IS 'Owner of the documents: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerrollup_key.';
COMMENT ON COLUMN answer.rollup_key.key_id IS 'The key. See doc/tables.md#answerrollup_key.';
COMMENT ON COLUMN answer.rollup_key.documents IS 'Number of documents. See doc/tables.md#answerrollup_key.';
COMMENT ON COLUMN answer.rollup_key.first_at IS 'When the earliest of them was signed. See doc/tables.md#answerrollup_key.';
COMMENT ON COLUMN answer.rollup_key.last_at IS 'When the latest of them was signed. See doc/tables.md#answerrollup_key.';

CREATE TABLE answer.rollup_pruned
(
	one			boolean PRIMARY KEY DEFAULT true CHECK (one),
	before		timestamptz NOT NULL,
	pruned_at	timestamptz NOT NULL
);
COMMENT ON TABLE answer.rollup_pruned IS 'Limit up to which answer_rollup_prune() has left only days, in one row; without a row, it never ran. See doc/tables.md#answerrollup_pruned.';
COMMENT ON COLUMN answer.rollup_pruned.one IS 'Always true, so that there is at most one row. See doc/tables.md#answerrollup_pruned.';
COMMENT ON COLUMN answer.rollup_pruned.before IS 'The instant from which minutes, hours and single documents are available. See doc/tables.md#answerrollup_pruned.';
COMMENT ON COLUMN answer.rollup_pruned.pruned_at IS 'When it last ran. See doc/tables.md#answerrollup_pruned.';

REVOKE ALL ON answer.rollup_new, answer.rollup_kept, answer.rollup, answer.rollup_minute, answer.rollup_hour, answer.rollup_day,
	answer.rollup_latency, answer.rollup_refusal, answer.rollup_correction, answer.rollup_word, answer.rollup_key, answer.rollup_pruned FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_new', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_kept', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_minute', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_hour', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_day', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_latency', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_refusal', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_correction', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_word', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_key', '');
SELECT pg_catalog.pg_extension_config_dump('answer.rollup_pruned', '');

/* latencies */

CREATE FUNCTION answer.latency_bag(microseconds bigint) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_latency_bag'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION answer.latency_bag(bigint) IS
'Returns a bag of one latency; not for direct use.';

CREATE FUNCTION answer.latency_union(a bytea, b bytea) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_latency_union'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.latency_union(bytea, bytea) IS
'Returns the union of two bags of latencies; not for direct use.';

CREATE FUNCTION answer.latency_add(internal, bytea) RETURNS internal
AS 'MODULE_PATHNAME', 'answer_eval_latency_add'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.latency_add(internal, bytea) IS 'Transition function of the aggregate answer.latency_union(bytea); not for direct use.';

CREATE FUNCTION answer.latency_final(internal) RETURNS bytea
AS 'MODULE_PATHNAME', 'answer_eval_latency_final'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.latency_final(internal) IS 'Final function of the aggregate answer.latency_union(bytea); not for direct use.';

CREATE AGGREGATE answer.latency_union(bytea)
(
	SFUNC = answer.latency_add,
	STYPE = internal,
	SSPACE = 512,
	FINALFUNC = answer.latency_final,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE answer.latency_union(bytea) IS
'Returns the union of bags of latencies, as answer.latency_union(bytea, bytea) does for two; not for direct use.';

CREATE FUNCTION answer.latency_percentile(bag bytea, fraction float8) RETURNS float8
AS 'MODULE_PATHNAME', 'answer_eval_latency_percentile'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.latency_percentile(bytea, float8) IS
'Returns percentile_cont(fraction) over the latencies of a bag; not for direct use.';

REVOKE ALL ON FUNCTION
	answer.latency_bag(bigint),
	answer.latency_union(bytea, bytea),
	answer.latency_add(internal, bytea),
	answer.latency_final(internal),
	answer.latency_percentile(bytea, float8),
	answer.latency_union(bytea)
FROM PUBLIC;

CREATE FUNCTION answer.receipt_words(body jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_receipt_words'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.receipt_words(jsonb) IS
'Returns what the roll-up counts of a document''s checks and reasons; not for direct use.';

CREATE FUNCTION answer.receipt_intent(intent text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_receipt_intent'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.receipt_intent(text) IS
'Returns an intent in the form of the roll-up; not for direct use.';

CREATE FUNCTION answer.receipt_pairs(body jsonb) RETURNS text[]
AS 'MODULE_PATHNAME', 'answer_eval_receipt_pairs'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.receipt_pairs(jsonb) IS
'Returns the pairs of texts by which a judge can contradict a document after signing; not for direct use.';
REVOKE ALL ON FUNCTION answer.receipt_words(jsonb), answer.receipt_intent(text), answer.receipt_pairs(jsonb) FROM PUBLIC;

/* counting */

-- A correction counts no document: it subtracts what a contradicted document no longer has.
CREATE VIEW answer.rollup_single AS
SELECT s.counted, s.place, s.tenant, s.issued_at, s.schema, s.verdict, COALESCE(s.intent, '') AS intent,
	s.is_document AS documents,
	(s.given IS NOT NULL)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS answers,
	(s.given IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS given,
	(s.supported IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.sign AS supported,
	(s.citation_required IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS required,
	(s.citation_required IS TRUE AND s.citation_given IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS cited,
	COALESCE(s.corrects::pg_catalog.int4, (s.contradicted IS TRUE)::pg_catalog.int4) AS contradicted,
	(s.prevented IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS prevented,
	(s.unjudged IS TRUE)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS unjudged,
	COALESCE(s.sentences, 0) OPERATOR(pg_catalog.*) s.is_document AS sentences,
	COALESCE(s.grounded, 0) OPERATOR(pg_catalog.*) s.is_document AS grounded,
	CASE WHEN s.supported AND s.confidence BETWEEN 0 AND 1 THEN s.confidence::pg_catalog.numeric OPERATOR(pg_catalog.*) s.sign ELSE 0 END AS confidence,
	(s.given IS NOT NULL AND s.cost_usd IS NOT NULL)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.is_document AS costed,
	(s.supported IS TRUE AND s.cost_usd IS NOT NULL)::pg_catalog.int4 OPERATOR(pg_catalog.*) s.sign AS costed_verified,
	CASE WHEN s.given IS NOT NULL AND s.corrects IS NULL THEN COALESCE(s.cost_usd, 0) ELSE 0 END AS cost_usd,
	CASE WHEN s.given IS NOT NULL AND s.corrects IS NULL THEN
		answer.latency_bag((EXTRACT(epoch FROM s.took) OPERATOR(pg_catalog.*) 1000000)::pg_catalog.int8) END AS latency,
	s.key_id, s.words, CASE WHEN s.corrects IS NULL THEN s.refusal END AS refusal, s.receipt_id, s.pairs, s.corrects
FROM (SELECT n.*, (n.corrects IS NULL)::pg_catalog.int4 AS is_document,
		COALESCE(OPERATOR(pg_catalog.-) n.corrects::pg_catalog.int4, 1) AS sign
	FROM (SELECT false AS counted, n.ctid AS place, n.* FROM answer.rollup_new n
		UNION ALL SELECT true, k.ctid, k.* FROM answer.rollup_kept k) AS n) AS s;
COMMENT ON VIEW answer.rollup_single IS 'Single documents, counted or not, one per row, in the columns of answer.rollup and answer.rollup_latency. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.counted IS 'Whether answer_rollup() has counted it. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.place IS 'Location of its row. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.tenant IS 'As in answer.rollup. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.issued_at IS 'When it was signed. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.schema IS 'As in answer.rollup. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.verdict IS 'As in answer.rollup. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.intent IS 'As in answer.rollup. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.documents IS '1 for a document, 0 for a correction. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.answers IS '1 for an answer, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.given IS '1 for a given answer, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.supported IS '1 for a supported answer, -1 for a correction that makes one unsupported, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.required IS '1 for an answer that needs citations, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.cited IS '1 for an answer that needs and has them, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.contradicted IS '1 for a contradicted answer and for a correction that says so, -1 for a correction that undoes that, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.prevented IS '1 for an answer not given because of a contradiction, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.unjudged IS '1 for a given answer that nobody has judged, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.sentences IS 'Number of sentences or quotes of a given answer, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.grounded IS 'Number of these that are quoted, supported, or claim nothing, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.confidence IS 'Confidence of a supported answer, 0 to 1; for a correction that makes one unsupported, the negative of it; otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.costed IS '1 for an answer with a cost, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.costed_verified IS '1 for a verified answer with a cost, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.cost_usd IS 'Cost of an answer in US dollars, otherwise 0. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.latency IS 'Bag of one latency; NULL: not measured, or not an answer. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.key_id IS 'The key that signed it. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.words IS 'As in answer.rollup_new. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.refusal IS 'As in answer.rollup_new; NULL for a correction. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.receipt_id IS 'As in answer.rollup_new. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.pairs IS 'As in answer.rollup_new. See doc/tables.md#answerrollup_single.';
COMMENT ON COLUMN answer.rollup_single.corrects IS 'As in answer.rollup_new. See doc/tables.md#answerrollup_single.';
REVOKE ALL ON answer.rollup_single FROM PUBLIC;

-- Counting, rebuilding and pruning exclude each other, and each sees everything that the others committed before: an
-- older snapshot would count rows that no longer exist. Minting and reading continue.
CREATE FUNCTION answer.rollup_alone() RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
		RAISE EXCEPTION 'the roll-up cannot be changed in a transaction of isolation level %', current_setting('transaction_isolation')
			USING ERRCODE = '25001', HINT = 'Call it in a transaction of its own, at READ COMMITTED.';
	END IF;
	LOCK TABLE answer.rollup IN SHARE ROW EXCLUSIVE MODE;
END
$$;
COMMENT ON FUNCTION answer.rollup_alone() IS
'Prevents others from changing the roll-up until the transaction ends; not for direct use.';

/* later judgements */

-- As for a panel, one judge is enough. For a pair and a judge, the latest judgement counts, even by an earlier
-- version.
CREATE FUNCTION answer.receipt_contradiction(tenant text, body jsonb, OUT pair text, OUT judge text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	WITH panel AS (
		SELECT k.kind, p.name #>> '{}' AS name, (answer.decision_config_of(body) ->> 'contradict_min')::numeric AS least
		FROM (VALUES ('entailment'), ('conflict')) AS k (kind)
		CROSS JOIN LATERAL jsonb_path_query(body -> 'config', format('$.judge_%s[*]', k.kind)::jsonpath) AS p (name)
		WHERE body ->> 'schema' = 'decision/v1'
		UNION ALL
		SELECT 'entailment', p.name #>> '{}', (e.value #>> '{judging,contradict_min}')::numeric
		FROM jsonb_path_query(body, '$.trace[*].outputs.evidence') AS e (value)
		CROSS JOIN LATERAL jsonb_path_query(e.value, '$.judging.judge_entailment[*]') AS p (name)
		WHERE body ->> 'schema' = 'plan/v1'
	), newest AS (
		SELECT DISTINCT ON (j.pair, j.judge) j.pair, j.judge, j.kind, j.relation, j.score
		FROM answer.judgement j
		WHERE j.tenant = receipt_contradiction.tenant AND j.pair = ANY (answer.receipt_pairs(body))
		ORDER BY j.pair, j.judge, j.judged_at DESC, j.revision DESC
	)
	SELECT n.pair, n.judge INTO pair, judge
	FROM newest n
	WHERE n.relation = 'contradicts' AND EXISTS (SELECT FROM panel p
		WHERE p.kind = n.kind AND p.name = n.judge AND round(n.score, 4) >= round(p.least, 4))
	ORDER BY n.pair, n.judge
	LIMIT 1;
END
$$;
COMMENT ON FUNCTION answer.receipt_contradiction(text, jsonb) IS
'Returns the judgement that contradicts a document with an answer: about one of its pairs, by a judge that its configuration names, with a score of at least its contradict_min; not for direct use.';

CREATE FUNCTION answer.rollup_correct_document(tenant text, receipt_id text, issued_at timestamptz, must_exist boolean DEFAULT false) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	document	answer.receipt;
	was			answer.rollup_correction;
	says		record;
BEGIN
	-- forgetting deletes judgements that came after the transaction's snapshot, but their corrections cannot be updated here
	IF must_exist AND current_setting('transaction_isolation') <> 'read committed' AND NOT EXISTS (SELECT FROM answer.rollup_correction c
		WHERE c.tenant = rollup_correct_document.tenant AND c.receipt_id = rollup_correct_document.receipt_id) THEN
		RAISE EXCEPTION USING errcode = '40001', message = 'could not serialize access due to a judgement that was counted after this transaction began',
			hint = 'Repeat the transaction.';
	END IF;
	SELECT r.* INTO document FROM answer.receipt r WHERE r.tenant = rollup_correct_document.tenant
		AND r.receipt_id = rollup_correct_document.receipt_id AND r.issued_at = rollup_correct_document.issued_at;
	-- documents that are gone or forgotten stay as they were counted; one that contradicts itself is already counted
	IF NOT FOUND OR document.body ->> 'schema' IS DISTINCT FROM document.schema OR document.given IS NOT TRUE OR document.contradicted THEN
		RETURN false;
	END IF;
	SELECT c.* INTO says FROM answer.receipt_contradiction(document.tenant, document.body) AS c;
	IF says.pair IS NOT NULL THEN
		INSERT INTO answer.rollup_correction (tenant, receipt_id, issued_at, contradicted)
		VALUES (document.tenant, document.receipt_id, document.issued_at, false) ON CONFLICT DO NOTHING;
	END IF;
	SELECT c.* INTO was FROM answer.rollup_correction c
	WHERE c.tenant = document.tenant AND c.receipt_id = document.receipt_id FOR UPDATE;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	-- again, because the session that held the row may have judged, too
	SELECT c.* INTO says FROM answer.receipt_contradiction(document.tenant, document.body) AS c;
	UPDATE answer.rollup_correction c SET contradicted = says.pair IS NOT NULL, pair = says.pair, judge = says.judge
	WHERE c.tenant = document.tenant AND c.receipt_id = document.receipt_id
		AND (c.contradicted, c.pair, c.judge) IS DISTINCT FROM (says.pair IS NOT NULL, says.pair, says.judge);
	IF was.contradicted = (says.pair IS NOT NULL) THEN
		RETURN false;
	END IF;
	INSERT INTO answer.rollup_new (tenant, issued_at, schema, verdict, intent, key_id, cost_usd, confidence, given, supported,
		citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, receipt_id, corrects)
	SELECT document.tenant, document.issued_at, document.schema, document.verdict, answer.receipt_intent(document.intent), document.key_id,
		document.cost_usd, document.confidence, document.given, document.supported, document.citation_required, document.citation_given,
		document.contradicted, document.prevented, document.unjudged, document.sentences, document.grounded, document.refusal,
		document.receipt_id, CASE WHEN says.pair IS NOT NULL THEN 1 ELSE -1 END;
	RETURN true;
END
$$;
COMMENT ON FUNCTION answer.rollup_correct_document(text, text, timestamptz, boolean) IS
'Corrects the roll-up''s counts of one document by later judgements, or undoes that; not for direct use.';

CREATE FUNCTION answer.rollup_correct(tenant text, pairs text[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET jit = off
SET enable_seqscan = off
-- with the caller's setting, some answers would stay uncorrected at random
SET gin_fuzzy_search_limit = 0
AS $$
#variable_conflict use_column
DECLARE
	touched		text[];
	document	record;
	corrected	bigint := 0;
BEGIN
	-- most judgements contradict nothing, and concern nothing that was contradicted
	SELECT array_agg(DISTINCT p.pair) INTO touched FROM unnest(pairs) AS p (pair)
	WHERE EXISTS (SELECT FROM answer.judgement j WHERE j.tenant = rollup_correct.tenant AND j.pair = p.pair AND j.relation = 'contradicts');
	IF touched IS NULL THEN
		RETURN 0;
	END IF;
	-- in a fixed order, so that two sessions that correct the same documents wait for each other only once
	FOR document IN
		SELECT f.receipt_id, f.issued_at FROM (
			SELECT n.receipt_id, n.issued_at FROM answer.rollup_new n
			WHERE n.tenant = rollup_correct.tenant AND n.pairs IS NOT NULL AND n.pairs && touched
			UNION SELECT k.receipt_id, k.issued_at FROM answer.rollup_kept k
			WHERE k.tenant = rollup_correct.tenant AND k.pairs IS NOT NULL AND k.pairs && touched) AS f
		ORDER BY f.receipt_id COLLATE "C"
	LOOP
		corrected := corrected + answer.rollup_correct_document(tenant, document.receipt_id, document.issued_at)::integer;
	END LOOP;
	RETURN corrected;
END
$$;
COMMENT ON FUNCTION answer.rollup_correct(text, text[]) IS
'Corrects the roll-up''s counts of the documents that have one of these pairs, after judges have judged these; not for direct use.';

CREATE FUNCTION answer.rollup_gather(again boolean, from_instant timestamptz, to_instant timestamptz, most bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
-- compiling it takes longer than running it
SET jit = off
-- the queue is read as a whole anyway, but rows kept from it by their location: a part of a growing table
SET enable_seqscan = off
AS $$
DECLARE
	places		tid[];
	gathered	bigint;
BEGIN
	IF NOT again THEN
		-- by lists of locations: for a join of tables of unknown size, the planner might choose a nested loop
		WITH gone AS (
			DELETE FROM answer.rollup_new WHERE ctid = ANY (ARRAY(SELECT ctid FROM answer.rollup_new LIMIT most)) RETURNING *
		), kept AS (
			INSERT INTO answer.rollup_kept SELECT * FROM gone RETURNING ctid
		)
		SELECT array_agg(ctid) INTO places FROM kept;
	END IF;
	WITH single AS MATERIALIZED (
		SELECT * FROM answer.rollup_single WHERE NOT again AND counted AND place = ANY (places)
		UNION ALL
		SELECT * FROM answer.rollup_single WHERE again AND counted AND issued_at >= from_instant AND issued_at < to_instant
	), minute AS MATERIALIZED (
		SELECT tenant, date_bin('1 minute', issued_at, '2000-01-01') AS starts_at, schema, verdict, intent,
			sum(documents) AS documents, sum(answers) AS answers, sum(given) AS given, sum(supported) AS supported, sum(required) AS required,
			sum(cited) AS cited, sum(contradicted) AS contradicted, sum(prevented) AS prevented, sum(unjudged) AS unjudged,
			sum(sentences) AS sentences, sum(grounded) AS grounded, sum(confidence) AS confidence, sum(costed) AS costed,
			sum(costed_verified) AS costed_verified, sum(cost_usd) AS cost_usd, answer.latency_union(latency) AS latency
		FROM single GROUP BY 1, 2, 3, 4, 5
	), summed AS (
		INSERT INTO answer.rollup AS r (tenant, grain, starts_at, schema, verdict, intent, documents, answers, given, supported, required, cited,
			contradicted, prevented, unjudged, sentences, grounded, confidence, costed, costed_verified, cost_usd)
		SELECT m.tenant, g.grain, date_bin(make_interval(mins => g.grain), m.starts_at, '2000-01-01'), m.schema, m.verdict, m.intent,
			sum(m.documents), sum(m.answers), sum(m.given), sum(m.supported), sum(m.required), sum(m.cited), sum(m.contradicted),
			sum(m.prevented), sum(m.unjudged), sum(m.sentences), sum(m.grounded), sum(m.confidence), sum(m.costed),
			sum(m.costed_verified), sum(m.cost_usd)
		FROM minute m CROSS JOIN (VALUES (1), (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5, 6
		ON CONFLICT (tenant, grain, starts_at, schema, verdict, intent) DO UPDATE
		SET documents = r.documents + excluded.documents, answers = r.answers + excluded.answers, given = r.given + excluded.given,
			supported = r.supported + excluded.supported, required = r.required + excluded.required, cited = r.cited + excluded.cited,
			contradicted = r.contradicted + excluded.contradicted, prevented = r.prevented + excluded.prevented,
			unjudged = r.unjudged + excluded.unjudged, sentences = r.sentences + excluded.sentences,
			grounded = r.grounded + excluded.grounded, confidence = r.confidence + excluded.confidence,
			costed = r.costed + excluded.costed, costed_verified = r.costed_verified + excluded.costed_verified,
			cost_usd = r.cost_usd + excluded.cost_usd
	), took AS (
		INSERT INTO answer.rollup_latency AS r (tenant, grain, whole, starts_at, intent, latency)
		SELECT m.tenant, g.grain, g.whole, date_bin(make_interval(mins => g.grain), m.starts_at, '2000-01-01'),
			CASE WHEN g.whole THEN '' ELSE m.intent END, answer.latency_union(m.latency)
		FROM minute m CROSS JOIN (VALUES (1, false), (60, false), (1440, false), (60, true), (1440, true)) AS g (grain, whole)
		WHERE m.latency IS NOT NULL GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT (tenant, grain, whole, starts_at, intent) DO UPDATE SET latency = answer.latency_union(r.latency, excluded.latency)
	), refused AS MATERIALIZED (
		SELECT tenant, date_bin('1 minute', issued_at, '2000-01-01') AS starts_at, intent, refusal AS reason, count(*) AS count
		FROM single WHERE refusal IS NOT NULL GROUP BY 1, 2, 3, 4
	), reasoned AS (
		INSERT INTO answer.rollup_refusal AS r (tenant, grain, starts_at, intent, reason, count)
		SELECT f.tenant, g.grain, date_bin(make_interval(mins => g.grain), f.starts_at, '2000-01-01'), f.intent, f.reason, sum(f.count)
		FROM refused f CROSS JOIN (VALUES (1), (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT (tenant, grain, starts_at, intent, reason) DO UPDATE SET count = r.count + excluded.count
	), word AS MATERIALIZED (
		SELECT tenant, date_bin('1 hour', issued_at, '2000-01-01') AS starts_at, schema, w.key AS word, sum(w.value::bigint) AS count
		FROM single CROSS JOIN LATERAL jsonb_each_text(words) AS w
		GROUP BY 1, 2, 3, 4
	), worded AS (
		INSERT INTO answer.rollup_word AS r (tenant, grain, starts_at, schema, word, count)
		SELECT w.tenant, g.grain, date_bin(make_interval(mins => g.grain), w.starts_at, '2000-01-01'), w.schema, w.word, sum(w.count)
		FROM word w CROSS JOIN (VALUES (60), (1440)) AS g (grain) GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT (tenant, grain, starts_at, schema, word) DO UPDATE SET count = r.count + excluded.count
	), signed AS (
		-- keys are counted for good, so not again
		INSERT INTO answer.rollup_key AS r (tenant, key_id, documents, first_at, last_at)
		SELECT tenant, key_id, count(*), min(issued_at), max(issued_at) FROM single WHERE NOT again AND corrects IS NULL GROUP BY 1, 2
		ON CONFLICT (tenant, key_id) DO UPDATE SET documents = r.documents + excluded.documents,
			first_at = least(r.first_at, excluded.first_at), last_at = greatest(r.last_at, excluded.last_at)
	)
	SELECT count(*) INTO gathered FROM single;
	-- judged while such a document was being stored, in a session that did not see it
	PERFORM answer.rollup_correct_document(k.tenant, k.receipt_id, k.issued_at)
	FROM answer.rollup_kept k
	WHERE NOT again AND k.ctid = ANY (places) AND k.pairs IS NOT NULL AND EXISTS (SELECT FROM answer.judgement j
		WHERE j.tenant = k.tenant AND j.pair = ANY (k.pairs) AND j.relation = 'contradicts');
	RETURN gathered;
END
$$;
COMMENT ON FUNCTION answer.rollup_gather(boolean, timestamptz, timestamptz, bigint) IS
'Adds single documents to the roll-up; not for direct use.';

CREATE FUNCTION answer.rollup_put() RETURNS bigint
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	-- keeps memory and temporary files small, however many rows have gathered
	portion		constant bigint := 100000;
	gathered	bigint;
	total		bigint := 0;
BEGIN
	PERFORM answer.rollup_alone();
	-- a judgement that was not committed when its document was counted has not corrected anything yet
	PERFORM answer.rollup_correct(j.tenant, j.pairs)
	FROM (SELECT g.tenant, array_agg(DISTINCT g.pair) AS pairs FROM answer.judgement g
		WHERE g.judged_at > clock_timestamp() - interval '1 day' AND g.relation = 'contradicts' AND NOT EXISTS (
			SELECT FROM answer.rollup_correction c WHERE c.tenant = g.tenant AND c.pair = g.pair AND c.contradicted)
		GROUP BY g.tenant) AS j;
	LOOP
		gathered := answer.rollup_gather(false, NULL, NULL, portion);
		total := total + gathered;
		EXIT WHEN gathered < portion;
	END LOOP;
	PERFORM answer.tool_call_prune(ARRAY(SELECT '' UNION ALL SELECT t.tenant FROM answer.tenant t));
	RETURN total;
END
$$;
COMMENT ON FUNCTION answer.rollup_put() IS
'Counts documents for answer_rollup(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_rollup() RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION @extschema@.answer_rollup() IS
'Counts the documents signed since its last run, so that views of the dashboard read sums and not rows. See doc/reference.md#answer_rollup.';

CREATE FUNCTION answer.rollup_rebuild_put() RETURNS bigint
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET jit = off
AS $$
DECLARE
	pruned	timestamptz;
	day		timestamptz;
	losers	text[];
	total	bigint := 0;
BEGIN
	PERFORM answer.rollup_put();
	SELECT before INTO pruned FROM answer.rollup_pruned;
	pruned := coalesce(pruned, '-infinity');
	-- If there are more receipts than rows kept from them, the receipts count, because rows were lost here. If there
	-- are fewer, receipts were detached. Minting continues meanwhile, so uncounted documents are on both sides.
	FOR day, losers IN
		SELECT d.day, array_agg(d.tenant) FROM (
			SELECT tenant, date_bin('1 day', issued_at, '2000-01-01') AS day, count(*) AS count
			FROM answer.receipt WHERE issued_at >= pruned GROUP BY 1, 2) AS d
		WHERE d.count > (SELECT count(*) FROM answer.rollup_single s WHERE s.tenant = d.tenant AND s.corrects IS NULL
			AND s.issued_at >= d.day AND s.issued_at < d.day + interval '24 hours')
		GROUP BY 1 ORDER BY 1
	LOOP
		-- one statement, so that what is subtracted and what is added come from the same snapshot
		WITH away AS (
			DELETE FROM answer.rollup_new WHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours'
		), gone AS (
			DELETE FROM answer.rollup_kept WHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours'
		)
		INSERT INTO answer.rollup_kept (tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported,
			citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words, receipt_id, pairs)
		SELECT tenant, issued_at, schema, verdict, answer.receipt_intent(intent), key_id, took, cost_usd, confidence, given, supported,
			citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, answer.receipt_words(body),
			CASE WHEN p.pairs IS NOT NULL THEN receipt_id END, p.pairs
		FROM answer.receipt
		CROSS JOIN LATERAL (SELECT answer.receipt_pairs(body) AS pairs OFFSET 0) AS p
		WHERE tenant = ANY (losers) AND issued_at >= day AND issued_at < day + interval '24 hours';
	END LOOP;
	-- Corrections follow from documents and judgements, so all are made again, except those of forgotten documents,
	-- whose judgements are gone, and of detached ones. Sessions that correct something meanwhile wait.
	LOCK TABLE answer.rollup_correction IN SHARE ROW EXCLUSIVE MODE;
	DELETE FROM answer.rollup_new n WHERE n.corrects IS NOT NULL AND n.issued_at >= pruned
		AND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = n.tenant AND r.receipt_id = n.receipt_id AND r.issued_at = n.issued_at);
	DELETE FROM answer.rollup_kept k WHERE k.corrects IS NOT NULL AND k.issued_at >= pruned
		AND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = k.tenant AND r.receipt_id = k.receipt_id AND r.issued_at = k.issued_at);
	DELETE FROM answer.rollup_correction c WHERE c.issued_at >= pruned
		AND EXISTS (SELECT FROM answer.receipt r WHERE r.tenant = c.tenant AND r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at
			AND r.body ->> 'schema' = r.schema);
	INSERT INTO answer.rollup_correction (tenant, receipt_id, issued_at, contradicted, pair, judge)
	SELECT r.tenant, r.receipt_id, r.issued_at, true, c.pair, c.judge
	FROM answer.rollup_single s
	JOIN answer.receipt r ON r.tenant = s.tenant AND r.receipt_id = s.receipt_id AND r.issued_at = s.issued_at
	CROSS JOIN LATERAL answer.receipt_contradiction(r.tenant, r.body) AS c
	WHERE s.corrects IS NULL AND s.issued_at >= pruned AND r.given AND NOT r.contradicted AND r.body ->> 'schema' = r.schema
		AND EXISTS (SELECT FROM answer.judgement j WHERE j.tenant = s.tenant AND j.pair = ANY (s.pairs) AND j.relation = 'contradicts')
		AND c.pair IS NOT NULL
	ON CONFLICT DO NOTHING;
	INSERT INTO answer.rollup_kept (tenant, issued_at, schema, verdict, intent, key_id, cost_usd, confidence, given, supported,
		citation_required, citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, receipt_id, corrects)
	SELECT r.tenant, r.issued_at, r.schema, r.verdict, answer.receipt_intent(r.intent), r.key_id, r.cost_usd, r.confidence, r.given, r.supported,
		r.citation_required, r.citation_given, r.contradicted, r.prevented, r.unjudged, r.sentences, r.grounded, r.refusal, r.receipt_id, 1
	FROM answer.rollup_correction c
	JOIN answer.receipt r ON r.tenant = c.tenant AND r.receipt_id = c.receipt_id AND r.issued_at = c.issued_at
	WHERE c.contradicted AND c.issued_at >= pruned;
	DELETE FROM answer.rollup WHERE starts_at >= pruned;
	DELETE FROM answer.rollup_refusal WHERE starts_at >= pruned;
	DELETE FROM answer.rollup_latency WHERE starts_at >= pruned;
	DELETE FROM answer.rollup_word WHERE starts_at >= pruned;
	FOR day IN
		SELECT DISTINCT date_bin('1 day', issued_at, '2000-01-01') FROM answer.rollup_kept WHERE issued_at >= pruned ORDER BY 1
	LOOP
		total := total + answer.rollup_gather(true, day, day + interval '24 hours', NULL);
	END LOOP;
	IF pruned = '-infinity' THEN
		DELETE FROM answer.rollup_key;
		INSERT INTO answer.rollup_key (tenant, key_id, documents, first_at, last_at)
		SELECT tenant, key_id, count(*), min(issued_at), max(issued_at) FROM answer.rollup_kept WHERE corrects IS NULL GROUP BY 1, 2;
	END IF;
	RETURN total;
END
$$;
COMMENT ON FUNCTION answer.rollup_rebuild_put() IS
'Counts everything again for answer_rollup_rebuild(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_rollup_rebuild() RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION @extschema@.answer_rollup_rebuild() IS
'Rebuilds the roll-up from the single documents that it keeps, replacing those of days for which answer.receipt has more; use it after tables of the roll-up were changed or emptied, or if an upgrade asks for it. See doc/reference.md#answer_rollup_rebuild.';

CREATE FUNCTION answer.rollup_prune_put(before timestamptz, days_before timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO, YMD'
AS $$
#variable_conflict use_variable
DECLARE
	youngest	timestamptz := date_bin('1 day', clock_timestamp() - interval '744 hours', '2000-01-01');
	documents	bigint;
	sums		bigint;
	days		bigint;
BEGIN
	IF before IS NULL THEN
		RAISE EXCEPTION 'before must not be null' USING ERRCODE = '22004';
	END IF;
	IF NOT isfinite(before) OR before > youngest OR days_before > before THEN
		RAISE EXCEPTION 'the roll-up cannot be pruned up to %', CASE WHEN days_before > before THEN days_before ELSE before END
			USING ERRCODE = '22023',
				DETAIL = format('Windows look back 30 days, so nothing from %s on can be pruned. Days cannot be pruned beyond minutes and hours.', youngest),
				HINT = 'Give an earlier instant.';
	END IF;
	PERFORM answer.rollup_put();
	before := date_bin('1 day', before, '2000-01-01');
	days_before := date_bin('1 day', days_before, '2000-01-01');
	DELETE FROM answer.rollup_kept k WHERE k.issued_at < before;
	GET DIAGNOSTICS documents = ROW_COUNT;
	-- missing rows cannot be corrected: earlier corrections stay in the sums
	DELETE FROM answer.rollup_correction c WHERE c.issued_at < before;
	WITH summed AS (
		DELETE FROM answer.rollup r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain
	), took AS (
		DELETE FROM answer.rollup_latency r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain
	), refused AS (
		DELETE FROM answer.rollup_refusal r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain
	), word AS (
		DELETE FROM answer.rollup_word r WHERE r.starts_at < CASE WHEN r.grain < 1440 THEN before ELSE days_before END RETURNING r.grain
	)
	SELECT count(*) FILTER (WHERE gone.grain < 1440), count(*) FILTER (WHERE gone.grain = 1440) INTO sums, days
	FROM (TABLE summed UNION ALL TABLE took UNION ALL TABLE refused UNION ALL TABLE word) AS gone;
	INSERT INTO answer.rollup_pruned AS p (before, pruned_at) VALUES (before, clock_timestamp())
	ON CONFLICT (one) DO UPDATE SET before = greatest(p.before, excluded.before), pruned_at = excluded.pruned_at;
	PERFORM answer.change_record_put('', 'rollup', 'pruned');
	RETURN jsonb_build_object('before', to_char(before, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'documents', documents, 'sums', sums, 'days', days);
END
$$;
COMMENT ON FUNCTION answer.rollup_prune_put(timestamptz, timestamptz) IS
'Shortens the roll-up for answer_rollup_prune(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_rollup_prune(before timestamptz, days_before timestamptz DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000;
COMMENT ON FUNCTION @extschema@.answer_rollup_prune(timestamptz, timestamptz) IS
'Deletes single documents, minutes and hours of the roll-up from before a day; the sums of whole days stay. See doc/reference.md#answer_rollup_prune.';

REVOKE ALL ON FUNCTION
	answer.receipt_contradiction(text, jsonb),
	answer.rollup_correct_document(text, text, timestamptz, boolean),
	answer.rollup_correct(text, text[]),
	answer.rollup_alone(),
	answer.rollup_gather(boolean, timestamptz, timestamptz, bigint),
	answer.rollup_put(),
	@extschema@.answer_rollup(),
	answer.rollup_rebuild_put(),
	@extschema@.answer_rollup_rebuild(),
	answer.rollup_prune_put(timestamptz, timestamptz),
	@extschema@.answer_rollup_prune(timestamptz, timestamptz)
FROM PUBLIC;
