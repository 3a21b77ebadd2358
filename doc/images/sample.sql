-- What the pictures in this folder show: receipts minted here, and a month before them as the roll-up would have counted it.
SET client_min_messages = warning;
SET timezone = 'UTC';
SELECT setseed(0.4);
SELECT answer_source_register('harbour office'), answer_source_register('tide gauge'), answer_source_register('old almanac');
SELECT answer_tool_register('tide', required_args => '{port}', value_path => 'height', freshness => '1 day');
SELECT answer_evidence_add('tide', jsonb_build_object('port', port), jsonb_build_object('height', height), source, at)
FROM (VALUES ('Ystad', 7, 'tide gauge', now() - interval '2 hours'), ('Kiel', 4, 'harbour office', now() - interval '5 hours'),
	('Gdynia', 5, 'old almanac', now() - interval '400 days')) AS e (port, height, source, at);
SELECT count(answer_eval(format('{"checks": [{"id": "high enough", "tool": "tide", "args": {"port": "%s"}, "expect": {"op": "gte", "value": %s}},
	{"id": "server", "tool": "postgres_server", "expect": {"op": "semver_gte", "value": "15"}}]}', port, least)::jsonb))
FROM (VALUES ('Ystad', 5), ('Kiel', 3), ('Gdynia', 4), ('Ystad', 8), ('Kiel', 4), ('Malmo', 1)) AS q (port, least), generate_series(1, 2);
SELECT count(answer_ask(question)) FROM unnest(ARRAY['Is PostgreSQL at least version 15?', 'Who am I?', 'Is the setting work_mem 4MB?']) AS question;
SELECT answer_log_seal() IS NOT NULL;
INSERT INTO answer.rollup_new (tenant, issued_at, schema, verdict, intent, key_id, took, cost_usd, confidence, given, supported, citation_required,
	citation_given, contradicted, prevented, unjudged, sentences, grounded, refusal, words)
SELECT '', at, kind, verdict, intent, (SELECT key_id FROM answer.signing_key LIMIT 1), make_interval(secs => 0.02 + 0.4 * power(random(), 4) * (1 + day / 60.0)),
	round((0.0004 + 0.002 * random())::numeric, 6), CASE WHEN good THEN 0.8 + 0.15 * random() ELSE 0.2 END, given, given AND cited AND NOT wrong,
	given AND kind <> 'answer/v1', given AND cited, given AND wrong, verdict IN ('ABSTAIN', 'refused') AND s < 0.7, given AND kind <> 'answer/v1' AND q < 0.65,
	CASE WHEN given AND kind <> 'answer/v1' THEN 3 ELSE 0 END, CASE WHEN given AND kind <> 'answer/v1' THEN CASE WHEN cited AND NOT wrong THEN 3 ELSE 2 END ELSE 0 END,
	CASE WHEN given THEN NULL WHEN verdict = 'ABSTAIN' THEN CASE WHEN s < 0.7 THEN 'conflict_detected' ELSE 'stale_documents' END
		WHEN verdict = 'CLARIFY' THEN 'ambiguous_query' WHEN verdict = 'BLOCK' THEN 'unsupported' WHEN verdict = 'refused' THEN 'budget'
		WHEN verdict <> 'failed' THEN verdict END,
	jsonb_build_object(CASE WHEN good THEN 'check supported' ELSE 'reason conflict_detected' END, 1,
		CASE WHEN random() < 0.06 THEN 'reason stale_documents' ELSE 'check value' END, 1,
		'source ' || source, 1, 'confidence ' || source, CASE WHEN source = 'old almanac' THEN 45 ELSE 88 END,
		CASE WHEN source = 'old almanac' THEN 'weak ' || source ELSE 'check evidenced' END, 1,
		'call tide ' || CASE WHEN random() < 0.03 THEN '57014' ELSE 'ok' END, 1, 'ms tide', 14, 'timed tide', 1)
FROM (SELECT day, statement_timestamp() - make_interval(hours => 24 * day::integer) - make_interval(secs => 80000 * random()) AS at, random() AS r, random() AS q, random() AS s
	FROM generate_series(0, 30) AS day, generate_series(1, 60 + (day * 37 % 50) - day)) AS n
CROSS JOIN LATERAL (SELECT CASE WHEN q < 0.6 THEN 'answer/v1' WHEN q < 0.9 THEN 'decision/v1' ELSE 'plan/v1' END AS kind,
	CASE WHEN s < 0.6 THEN 'tide gauge' WHEN s < 0.9 THEN 'harbour office' ELSE 'old almanac' END AS source) AS k
CROSS JOIN LATERAL (SELECT CASE kind WHEN 'answer/v1' THEN CASE WHEN r < 0.78 THEN 'supported' WHEN r < 0.84 THEN 'contradicted' WHEN r < 0.95 THEN 'insufficient_evidence' ELSE 'outside_evidence_coverage' END
		WHEN 'decision/v1' THEN CASE WHEN r < 0.8 THEN 'ANSWER' WHEN r < 0.9 THEN 'ABSTAIN' WHEN r < 0.95 THEN 'CLARIFY' ELSE 'BLOCK' END
		ELSE CASE WHEN r < 0.85 THEN 'answered' WHEN r < 0.95 THEN 'refused' ELSE 'failed' END END AS verdict,
	CASE kind WHEN 'answer/v1' THEN 'tide.height' WHEN 'decision/v1' THEN 'policies' ELSE 'harbour.plan' END AS intent) AS v
CROSS JOIN LATERAL (SELECT verdict IN ('supported', 'ANSWER', 'answered') AS good,
	CASE WHEN verdict <> 'failed' THEN verdict IN ('supported', 'contradicted', 'ANSWER', 'answered') END AS given, random() < 0.965 AS cited,
	random() < 0.012 AS wrong OFFSET 0) AS g;
SELECT answer_rollup();
