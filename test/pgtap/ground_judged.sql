-- Statuses of sentences, judges and their panels, and each rule of decision/2 that ends a decision.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(66);

-- A chunk of document d: id, text, similarity, date.
CREATE FUNCTION pg_temp.chunk(d text, txt text, s numeric DEFAULT 0.9, at text DEFAULT '2026-03-20', more jsonb
	DEFAULT '{}')
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
	SELECT jsonb_build_object('chunk_id', d || '#p0', 'doc_id', d, 'text', txt, 'similarity', s, 'timestamp', at)
		|| more
$$;
CREATE FUNCTION pg_temp.chunks(VARIADIC c jsonb[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT to_jsonb(c) $$;

-- The statuses of an answer that cites the first chunk, or both.
CREATE FUNCTION pg_temp.statuses(chunks jsonb, answer text, query text DEFAULT NULL, citations jsonb DEFAULT NULL)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg(s->>'status', ' ' ORDER BY n) FROM jsonb_array_elements(answer_citations_check(
		coalesce(citations, jsonb_build_array(chunks->0->'chunk_id')), chunks, answer, NULL, query)->'sentences')
		WITH ORDINALITY AS x (s, n)
$$;

-- Makes each named judge answer every request in the same way: {kind: [relation, score]}.
CREATE FUNCTION pg_temp.judged(pairs jsonb, says jsonb, judge text DEFAULT 'j') RETURNS jsonb LANGUAGE sql
	IMMUTABLE AS $$
	SELECT coalesce(jsonb_agg(jsonb_build_object('pair', p->'pair', 'judge', judge, 'relation', says->(p->>'kind')->0,
		'score', says->(p->>'kind')->1)), '[]') FROM jsonb_array_elements(pairs) AS p WHERE says ? (p->>'kind')
$$;

-- A decision as of 1 April 2026, in short: decision, reasons.
CREATE FUNCTION pg_temp.decided(q text, c jsonb, config jsonb DEFAULT '{}', answer text DEFAULT NULL, cites jsonb
	DEFAULT NULL,
	judgements jsonb DEFAULT NULL) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT answer_decide(q, c, cites, answer, config, '2026-04-01Z', NULL, judgements)
$$;
CREATE FUNCTION pg_temp.outcome(q text, c jsonb, config jsonb DEFAULT '{}', answer text DEFAULT NULL, cites jsonb
	DEFAULT NULL,
	judgements jsonb DEFAULT NULL) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT concat_ws(' ', r->>'decision', (SELECT string_agg(x, ' ' ORDER BY n) FROM
		jsonb_array_elements_text(r->'reasons')
		WITH ORDINALITY AS y (x, n))) FROM pg_temp.decided(q, c, config, answer, cites, judgements) AS r
$$;

CREATE TEMP TABLE k AS SELECT
	pg_temp.chunk('a', 'The garden gate of the old mill closes at nine in summer. Bring a lamp with you. It must '
		'never be left open.') AS gate,
	pg_temp.chunk('b', 'Members of the club borrow lamps from the shelf near the door.', 0.8) AS lamps,
	pg_temp.chunk('c', 'The garden gate of the old mill closes at ten in summer.', 0.7, '2025-01-01') AS old_gate;

-- statuses

SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'The documents do not say.'), 'insufficient',
	'an answer that says it cannot') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'The sign says "closes at ten in winter" there.'),
	'misquoted', 'a quotation from nowhere') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'It says "gate of the old mill" there.'), 'not_judged',
	'a quotation that stands there') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('w', string_agg('w' || n, ' ' ORDER BY n))),
	(SELECT string_agg(format('It says "w%s w%s w%s" there.', n, n + 1, n + 2 + n % 2), ' ' ORDER BY n)
		FROM generate_series(120, 139) AS n)), trim(repeat('not_judged misquoted ', 10)),
	'each of many quotations is sought, word for word') FROM generate_series(1, 300) AS n;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'You asked "is it open on sunday" there.',
	'Is it open on Sunday?'), 'not_judged',
	'a quotation of the question') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'It says "closes … in winter by law" there.'),
	'not_judged not_judged',
	'what says that it leaves something out is not word for word') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'The pipe of 12" by 14 inches holds. A pipe of 3" too.'),
	'not_judged not_judged',
	'inches open no quotation') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps),
	'the garden  gate of the old mill closes at nine in summer. [1]'), 'quoted', 'a whole sentence') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps),
	'"The garden gate of the old mill closes at nine in summer. Bring a lamp with you."'),
	'quoted quoted', 'whole sentences in quotation marks') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps),
	'Bring a lamp with you. The garden gate of the old mill closes at nine in summer.'),
	'not_judged not_judged', 'not in the order of the chunk') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps),
	'The garden gate of the old mill closes at nine in summer. It must never be left open.'),
	'not_judged not_judged', 'one between them is left out') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), '- Bring a lamp with you.'), 'not_judged',
	'an entry of a list is no whole sentence') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), 'Bring a lamp with you. ***'), 'not_judged',
	'something stands behind it') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('x', 'Can you bring a lamp?')), 'Can you bring a lamp?'),
	'not_judged', 'a question states nothing');
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('x', E'# Bring a lamp\nIt is dark.')), 'Bring a lamp.'),
	'not_judged', 'a heading neither');
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps),
	'The garden gate of the old mill closes at 10 p.m. in summer.'), 'not_judged',
	'a unit that the source has not') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('x',
	'Parcels to the islands arrive within 5 days by ferry.')),
	'Parcels to the islands arrive within 9 days by ferry.'), 'contradicted', 'a copy with another value');
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('x', 'Parcels to the islands arrive by the morning ferry.')),
	'Parcels to the islands never arrive by the morning ferry.'), 'contradicted', 'a copy that is negated');
SELECT is(pg_temp.statuses(pg_temp.chunks(pg_temp.chunk('x',
	'Parcels to the islands arrive within 5 days by ferry. Parcels to the islands arrive within 9 days by ferry.')),
	'So parcels to the islands arrive within 9 days by ferry.'), 'not_judged',
		'not where the source says the same too');
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), '* * *'), 'not_judged',
	'an answer without a word is one sentence') FROM k;
SELECT is(pg_temp.statuses(pg_temp.chunks(gate, lamps), '  '), NULL, 'a blank one has none') FROM k;

-- what counts, and what is missing

SELECT is((SELECT string_agg(s->>'citations', ' ' ORDER BY n) FROM
	jsonb_array_elements(answer_citations_check('["a#p0", "b#p0"]', pg_temp.chunks(gate, lamps),
	'Lamps are near the door. [2] The gate [a#p0] closes. It is old.')->'sentences') WITH ORDINALITY AS x (s, n)),
	'["b#p0"] ["a#p0"] ["a#p0", "b#p0"]', 'a marker behind a closer, one within, none') FROM k;
SELECT is(answer_citations_check('["a#p0"]', pg_temp.chunks(gate, lamps), 'Éva pays 5 days later.')#>'{sentences,0}',
	'{"start": 0, "end": 23, "status": "not_judged", "citations": ["a#p0"], "missing": {"values": ["5 days"], '
		'"names": []}}'::jsonb,
	'bytes; the first word of a sentence is no name') FROM k;
SELECT is(jsonb_build_array(r->'recall', r->'precision'), '[0.5, 0.5]'::jsonb,
	'recall by markers and quotes, precision likewise')
	FROM k, answer_citations_check('["a#p0", "b#p0"]', pg_temp.chunks(gate, lamps),
		'Bring a lamp with you. It is dark there.') AS r;

-- pairs

SELECT is(answer_judge_pairs('q', pg_temp.chunks(gate, lamps)), '[]'::jsonb,
	'nobody is asked where nobody is named') FROM k;
SELECT is((SELECT string_agg(concat_ws(':', p->>'kind', p->>'sentence', p->>'chunk_ids'), ' ' ORDER BY n) FROM
	jsonb_array_elements(answer_judge_pairs(
	'When does the gate close?', pg_temp.chunks(gate, lamps), '["a#p0"]',
		'At nine. [1] Bring a lamp with you. [1] It is said that it closes early.',
	'{"judge_answers": "j", "judge_entailment": "j", "judge_conflict": "j"}')) WITH ORDINALITY AS x (p, n)),
	'answers:["a#p0"] answers:["b#p0"] entailment:0:["a#p0"] entailment:1:["a#p0"] entailment:2:["a#p0"] '
		'conflict:["a#p0", "b#p0"]',
	'passages, open and quoted sentences, compared pairs') FROM k;
SELECT is(answer_judge_pairs('When does the gate close?', pg_temp.chunks(gate), '["a#p0"]', 'At nine. [1]',
	'{"judge_entailment": "j"}')#>>'{0,a}',
	'When does the gate close? At nine.', 'a short sentence is asked with the question') FROM k;
SELECT is(answer_judge_pairs('q', pg_temp.chunks(gate || '{"title": "Gates"}'), NULL, NULL,
	'{"judge_answers": "j"}')#>>'{0,b}',
	E'Gates\n' || (gate->>'text'), 'a passage has its title') FROM k;
SELECT is(jsonb_array_length(answer_judge_pairs('q', pg_temp.chunks(gate, lamps, old_gate), NULL, NULL,
	'{"judge_answers": "j", "judge_passages": 2}')), 2,
	'so many passages are asked about') FROM k;
SELECT is(answer_judge_pairs('q', pg_temp.chunks(gate), '["x"]', 'a b c',
	'{"judge_answers": "j", "judge_entailment": "j"}'), '[]'::jsonb,
	'none where the citations do not hold') FROM k;
SELECT is(answer_judge_pairs('q', c, NULL, NULL, '{"judge_answers": "j"}', NULL,
	pg_temp.judged(answer_judge_pairs('q', c, NULL, NULL, '{"judge_answers": "j"}'),
		'{"answers": ["does_not", 1]}')), '[]'::jsonb,
	'what is judged is needed no more') FROM (SELECT pg_temp.chunks(gate, lamps) AS c FROM k) AS x;
SELECT throws_ok($$SELECT answer_decide('q', '[]', NULL, NULL, '{}', now(), NULL, ('[{"pair": "sha256:' ||
	repeat('0', 64) ||
	'", "judge": "stranger", "relation": "supports", "score": 1}]')::jsonb)$$, '22023', NULL,
		'a judge whom the configuration does not name');

-- statuses of sentences: entailment by one judge, and by two

CREATE FUNCTION pg_temp.said(says jsonb, answer text DEFAULT 'It closes at nine in the evening. [1]', names jsonb
	DEFAULT '"j"') RETURNS text
LANGUAGE sql STABLE AS $$
	SELECT concat_ws(' ', r#>>'{validation,sentences,0,status}', r->>'decision', r#>>'{reasons,0}')
	FROM (SELECT pg_temp.chunks(gate, lamps) AS c, jsonb_build_object('judge_entailment', names) AS config FROM k)
		AS x,
		LATERAL (SELECT coalesce(jsonb_agg(j), '[]') AS judgements FROM jsonb_each(says) AS s,
			LATERAL jsonb_array_elements(pg_temp.judged(answer_judge_pairs('When does the gate close?', c,
				'["a#p0"]', answer, config),
				jsonb_build_object('entailment', s.value), s.key)) AS j) AS y,
		LATERAL pg_temp.decided('When does the gate close?', c, config, answer, '["a#p0"]', judgements) AS r
$$;
SELECT is(pg_temp.said('{}'), 'not_judged ANSWER_WITH_CAVEATS not_judged', 'nobody has judged');
SELECT is(pg_temp.said('{"j": ["supports", 0.5]}'), 'supported ANSWER', 'a judge supports: a plain answer');
SELECT is(pg_temp.said('{"j": ["supports", 0.4999]}'), 'unsupported BLOCK unsupported', 'not surely enough');
SELECT is(pg_temp.said('{"j": ["neutral", 1]}'), 'unsupported BLOCK unsupported', 'neutral');
SELECT is(pg_temp.said('{"j": ["contradicts", 0.5]}'), 'contradicted BLOCK contradicted', 'it contradicts');
SELECT is(pg_temp.said('{"j": ["contradicts", 0.4]}'), 'unsupported BLOCK unsupported', 'or not surely');
SELECT is(pg_temp.said('{"j": ["no_claim", 1]}'), 'no_claim ABSTAIN low_retrieval_confidence',
	'it claims nothing: nothing is used');
SELECT is(pg_temp.said('{"j": ["contradicts", 1]}', 'Bring a lamp with you. [1]'),
	'contradicted BLOCK contradicted', 'a judge turns a quotation');
SELECT is(pg_temp.said('{}', 'Bring a lamp with you. [1]'), 'quoted ANSWER_WITH_CAVEATS not_judged',
	'which stays one until it has judged');
SELECT is(pg_temp.said('{"j": ["neutral", 1]}', 'The sign is unclear about winter days. And it closes at nine. '
	'[1]'), 'not_judged BLOCK unsupported',
	'a sentence that says it does not know is not held against the answer');
SELECT is(pg_temp.said('{"j": ["supports", 1], "k": ["supports", 0.6]}', names => '["j", "k"]'),
	'supported ANSWER', 'a panel of one mind');
SELECT is(pg_temp.said('{"j": ["supports", 1]}', names => '["j", "k"]'),
	'not_judged ANSWER_WITH_CAVEATS not_judged', 'one of it is missing');
SELECT is(pg_temp.said('{"j": ["contradicts", 1]}', names => '["j", "k"]'), 'contradicted BLOCK contradicted',
	'one of it contradicts: that is enough');
SELECT is(pg_temp.said('{"j": ["supports", 1], "k": ["no_claim", 1]}', names => '["j", "k"]'),
	'not_judged ANSWER_WITH_CAVEATS not_judged',
	'some say no_claim and the others support');

-- precedence

SELECT is(pg_temp.outcome('When does the gate close?', pg_temp.chunks(gate, lamps)), 'ANSWER', 'the best passages')
	FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate, lamps), '{}', 'x', '["z"]'), 'BLOCK invalid_citations',
	'citations that do not hold') FROM k;
SELECT is(pg_temp.decided('q', pg_temp.chunks(pg_temp.chunk('x',
	'Parcels to the islands arrive within 5 days by ferry.'), lamps), '{}',
	'Parcels to the islands arrive within 9 days by ferry.', '["x#p0"]')->>'user_message',
	'I can''t provide this answer because the retrieved documents do not say it. Source (x) says: Parcels to the '
		'islands arrive within 5 days by ferry.',
	'what the source says instead') FROM k;
SELECT is(pg_temp.outcome('When does the gate close?', pg_temp.chunks(pg_temp.chunk('x',
	'Parcels to the islands arrive within 5 days by ferry.'),
	pg_temp.chunk('y', 'Parcels to the islands arrive within 9 days by ferry.'))),
		'ABSTAIN conflict_detected numeric', 'copies that conflict');
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate, lamps), '{}', 'The documents do not say.', '["a#p0"]'),
	'ABSTAIN answer_abstains', 'an answer that abstains') FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate, lamps), '{"judge": "required"}'), 'ABSTAIN not_judged',
	'somebody must have judged') FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate)), 'ABSTAIN insufficient_retrieval_hits', 'too few chunks') FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate || '{"similarity": 0.19}', lamps || '{"similarity": 0.1}')),
	'ABSTAIN low_retrieval_confidence', 'below the floor') FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate || '{"similarity": 0.5}', lamps || '{"similarity": 0.1}')),
	'ANSWER_WITH_CAVEATS low_retrieval_confidence', 'above it') FROM k;
SELECT is(pg_temp.outcome('What is the refund policy?', pg_temp.chunks(gate || '{"similarity": 0.69}', lamps)),
	'ANSWER', 'high risk, by the best of what is used') FROM k;
SELECT is(pg_temp.outcome('What is the refund policy?', pg_temp.chunks(gate || '{"timestamp": "2025-01-01"}', lamps
	|| '{"timestamp": "2025-02-01"}')), 'ABSTAIN stale_documents', 'all of it is stale') FROM k;
SELECT is(pg_temp.decided('What is the refund policy?', pg_temp.chunks(gate || '{"timestamp": "2025-01-01"}', lamps
	|| '{"timestamp": "2026-03-31"}'))->'stale', '["a#p0"]'::jsonb,
	'a stale quote is left out while one is fresh') FROM k;
SELECT is(pg_temp.decided('q', pg_temp.chunks(gate || '{"timestamp": "2025-01-01T10:00:00Z"}',
	lamps))->>'user_message', 'The oldest source (a) is from 2025-01-01.', 'stale, and little hangs on it') FROM k;
SELECT is(pg_temp.outcome('Can we downgrade without penalties?', pg_temp.chunks(gate, lamps)),
	'CLARIFY ambiguous_query', 'a question that is not clear') FROM k;
SELECT is(pg_temp.outcome('q', pg_temp.chunks(gate, lamps), '{"unjudged_passages": "caveat"}'),
	'ANSWER_WITH_CAVEATS not_judged', 'where that is to be said') FROM k;

-- passages that are judged

CREATE FUNCTION pg_temp.answered(says jsonb, c jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
	SELECT pg_temp.decided('q', c, '{"judge_answers": "j"}', NULL, NULL,
		pg_temp.judged(answer_judge_pairs('q', c, NULL, NULL, '{"judge_answers": "j"}'), says))
$$;
SELECT is(pg_temp.answered('{"answers": ["answers", 0.8]}', pg_temp.chunks(gate || '{"similarity": 0.01}')) -
	'{conflicts,risk,retrieval_quality,thresholds,user_message}'::text[],
	jsonb_build_object('decision', 'ANSWER', 'reasons', '[]'::jsonb, 'validation', NULL, 'superseded', '[]'::jsonb,
		'stale', '[]'::jsonb, 'to_judge', '[]'::jsonb,
		'signals', '{"retrieval_confidence_max": 0.01, "retrieval_hit_count": 1, "freshness_violation": false, '
			'"answer_confidence": 0.8}'::jsonb,
		'quotes', jsonb_build_array(jsonb_build_object('chunk_id', 'a#p0', 'text', gate->'text'))),
			'one that answers is enough, whatever its similarity') FROM k;
SELECT is(pg_temp.answered('{"answers": ["does_not", 0.9]}', pg_temp.chunks(gate, lamps))->'reasons',
	'["no_passage_answers"]'::jsonb, 'none answers') FROM k;

-- documents superseded by newer ones

SELECT is(jsonb_build_array(r->'decision', r->'superseded'),
	'["ANSWER", [{"chunk_id": "x#p0", "by": "y#p0"}]]'::jsonb, 'asked for what is current, the older gives way')
	FROM pg_temp.decided('When do parcels arrive currently?', pg_temp.chunks(pg_temp.chunk('x',
		'Parcels to the islands arrive within 5 days by ferry.', 0.95, '2026-02-01'),
		pg_temp.chunk('y', 'Parcels to the islands arrive within 9 days by ferry.'))) AS r;
SELECT is(pg_temp.outcome('When do parcels arrive now?', pg_temp.chunks(pg_temp.chunk('x',
	'Parcels to the islands arrive within 5 days by ferry.', 0.95, '2026-05-01'),
	pg_temp.chunk('y', 'Parcels to the islands arrive within 9 days by ferry.'))),
		'ABSTAIN conflict_detected numeric', 'not where one is of tomorrow');

-- facts

SELECT is((answer_conflicts(pg_temp.chunks(gate ||
	'{"facts": [{"subject": "Gate", "attribute": "limit", "value": "5", "unit": "days", "quote": "Bring a lamp"}]}',
	lamps || '{"facts": [{"subject": "gate", "attribute": "limit ", "value": 9, "unit": "day", "quote": "borrow '
		'lamps"}]}'))#>'{pairs,0}') - '{chunk_a,chunk_b,evidence_snippets}'::text[],
	'{"kind": "fact", "reason": "Gate, limit: 5 vs 9", "conflict_type": "numeric"}'::jsonb, 'facts of one thing')
		FROM k;

SELECT * FROM finish();
ROLLBACK;
