-- Documents of an invented company, and the questions of the manual: which are answered, which are not, and why.
-- Before, \set ground_corpus to the text of examples/ground/documents.json.  Its documents are moved to the present date.

SELECT answer_document_load((SELECT jsonb_agg(jsonb_set(d.doc, '{timestamp}',
		to_jsonb((d.doc ->> 'timestamp')::timestamptz + (now() - (c.corpus ->> 'now')::timestamptz))) ORDER BY d.n)
	FROM jsonb_array_elements(c.corpus -> 'documents') WITH ORDINALITY AS d (doc, n))) - 'documents' AS loaded
FROM (SELECT :'ground_corpus'::jsonb) AS c (corpus);

CREATE TEMP TABLE grounded AS
SELECT n, q AS query, answer_grounded(q, o) AS r FROM (VALUES
	(1, 'What is the data retention policy?', '{}'::jsonb), (2, 'Can we store SSNs in plaintext?', '{}'), (3,
		'What is the API rate limit?', '{}'),
	(5, 'What is the data retention policy?', '{"answer": "For ever.", "citations": ["fake-doc#p0"]}'),
	(8, 'xyzabc random query that wont match', '{}'), (9, 'Can we downgrade without penalties?', '{}'),
	(10, 'What is our refund policy?', '{"freshness_days": 30}')) AS v (n, q, o);
SELECT query, CASE r #>> '{proposed,by}' WHEN 'caller' THEN concat(r #>> '{proposed,answer}', ' ', r #>> '{proposed,citations}') END AS "answer given",
	r ->> 'decision' AS decision, r -> 'reasons' AS reasons, answer_verify(r, answer_keys()) ->> 'ok' AS verifies
FROM grounded ORDER BY n;
\echo 'An answer is made of quotes, and cites them:'
SELECT r ->> 'answer' AS answer FROM grounded WHERE n = 1 \g (tuples_only=on format=unaligned)
\echo 'A refusal says why:'
SELECT r ->> 'answer' AS answer FROM grounded WHERE n = 2 \g (tuples_only=on format=unaligned)
\echo 'What a model writes has a caveat, unless a judge says that it is true. Here the judge is a comparison of texts:'
CREATE FUNCTION compares(args jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT jsonb_build_object('judgements', jsonb_agg(jsonb_build_object('id', p -> 'id', 'score', 0.9, 'relation',
		CASE WHEN p ->> 'a' ~ '(24|12) months' AND strpos(p ->> 'b', substring(p ->> 'a' FROM '(?:24|12) months')) > 0 THEN 'supports' ELSE 'neutral' END)))
	FROM jsonb_array_elements(args -> 'pairs') AS p $$;
SELECT FROM answer_judge_register('compares', '{"kinds": ["entailment"], "model": "a comparison", "version": "1", "handler": "compares"}') \g /dev/null
CREATE TEMP TABLE written AS SELECT a, judge, r FROM (VALUES ('We keep customer records for 24 months [1].'), ('We keep customer records for ever [1].')) AS v (a),
	(VALUES (NULL), ('compares')) AS j (judge), LATERAL answer_grounded('How long are customer records retained?', jsonb_build_object('answer', a,
	'citations', '["data-retention-policy#p1"]'::jsonb, 'config', jsonb_build_object('judge_entailment', judge))) AS r;
SELECT a AS "answer given", judge, r ->> 'decision' AS decision, r -> 'reasons' AS reasons, r #>> '{validation,sentences,0,status}' AS sentence
FROM written ORDER BY judge NULLS FIRST, a COLLATE "C";
