-- Plans: ground-verify/2, synth.answer, and the tools doc.search, ground.verify and synth.answer.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
SET client_min_messages = warning;
\set answer_test :srcdir '/lib/answer_test.sql'
\i :answer_test
SET timezone = 'Asia/Tokyo';
-- predictions go by what tools declare here, whatever was called before
DELETE FROM answer.tool_call;

CREATE FUNCTION verify_refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- Sources in brief: uri|score|snippet.
CREATE FUNCTION verify_sources(sources text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT COALESCE(jsonb_agg(jsonb_build_object('uri', split_part(s, '|', 1), 'score', split_part(s, '|', 2)::numeric,
		'snippet', split_part(s, '|', 3)) ORDER BY n), '[]')
	FROM unnest(sources) WITH ORDINALITY AS u (s, n) $$;

CREATE FUNCTION verify_evidence(claims text[], sources text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer.tool_ground_verify(jsonb_build_object('claims', claims, 'sources', verify_sources(sources)))
		-> 'evidence' $$;

-- Evidence in brief: what supports (+), contradicts (-), is related (~), and the confidence of the verdict.
CREATE FUNCTION verify_brief(evidence jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws('; ', string_agg(e, '; ' ORDER BY kind, n), '= ' || (evidence #>> '{verdict,confidence}'))
	FROM (SELECT 1, n, '+ ' || (e ->> 'source') || ' ' || (e ->> 'confidence')
		FROM jsonb_array_elements(evidence -> 'supports') WITH ORDINALITY AS a (e, n)
		UNION ALL SELECT 2, n, '- ' || (e ->> 'source') || ' ' || (e ->> 'weight')
		FROM jsonb_array_elements(evidence -> 'contradicts') WITH ORDINALITY AS a (e, n)
		UNION ALL SELECT 3, n, '~ ' || (e ->> 'source')
		FROM jsonb_array_elements(evidence -> 'related') WITH ORDINALITY AS a (e, n)) AS entries (kind, n, e) $$;

-- Cases that were worked by hand. Only what differs is shown, and how many there were.
CREATE TABLE verify_case (n serial, claims text[], sources text[], expected text);
INSERT INTO verify_case (claims, sources, expected) VALUES
	-- what is refused contradicts what is allowed: near 1
	('{Custom items are refundable}', '{a|0.8|Custom items are not refundable.}', '- a 0.8; = 0'),
	-- a copy with a negation that the claim has not, or without one that it has
	('{Parcels ship on Monday}', '{a|0.9|Parcels never ship on Monday.}', '- a 0.9; = 0'),
	('{Parcels ship on Monday}', ARRAY['a|0.9|Parcels don''t ship on Monday.'], '- a 0.9; = 0'),
	('{Parcels ship on Monday}', ARRAY['a|0.9|Parcels don’t ship on Monday.'], '- a 0.9; = 0'),
	('{Parcels do not ship on Monday}', '{a|0.9|Parcels ship on Monday.}', '- a 0.9; = 0'),
	-- no copy, and no rule knows of it: the sentence is left out; two negators are not none
	('{Parcels ship on Monday}', '{a|0.9|Heavy parcels from abroad never ship before Monday.}', '= 0'),
	('{Parcels ship on Monday}', '{a|0.9|Parcels never ship on Monday without a label.}', '= 0'),
	-- a sentence that asks says nothing, and nothing stands beside it
	('{Parcels ship on Monday}', '{a|0.9|Do parcels ship on Monday?}', '= 0'),
	('{Parcel insurance covers theft}', '{a|0.9|Parcel insurance is cheap. What about theft?}', '+ a 0.89; = 0.89'),
	-- a copy with another value, unless another sentence says the same
	('{The lease of the flat lasts 30 nights}', '{a|0.9|The lease of the flat lasts 60 nights.}', '= 0'),
	('{The lease of the flat lasts 30 days}', '{a|0.9|The lease of the flat lasts 60 days.}', '- a 0.72; = 0'),
	-- what the claim names must stand there, beside it or in the title
	('{Parcels weigh 30 kg}', '{a|0.9|Parcels weigh enough.}', '= 0'),
	('{Parcels of Zorbit are insured.}', '{a|0.9|Parcels are insured.}', '= 0'),
	('{Parcels of Zorbit are insured.}', '{a|0.9|Parcels are insured. It is Zorbit that pays.}', '+ a 0.89; = 0.89'),
	('{Parcels of Zorbit are insured.}', '{a|0.9|Parcels of Zorbit are insured. Zorbit pays.}', '+ a 0.95; = 0.95'),
	-- both negate, or the pair of words negates nothing
	('{Parcels do not ship on Monday}', '{a|0.9|Parcels never ship on Monday.}', '+ a 0.95; = 0.95'),
	('{Parcels ship on Monday}', '{a|0.9|Parcels ship not only on Monday.}', '+ a 0.95; = 0.95'),
	-- numbers: 3 of 4 items, so 0.75 * 0.6; no shared topic is asked for
	('{Refunds take 5 days}', '{a|0.6|Refunds take 9 days.}', '- a 0.45; = 0'),
	('{Refunds take 5 days}', '{a|0.6|Refunds take 5 days.}', '+ a 0.95; = 0.95'),
	('{The lease lasts 30 days}', '{a|0.8|The lease lasts 60 days.}', '- a 0.6; = 0'),
	-- a qualifier on one side: no rule holds them against each other, but they are copies
	('{Refunds take 5 days}', '{a|0.6|Promotional refunds take 9 days.}', '- a 0.45; = 0'),
	-- an exception takes no stance away
	('{Opened items are refundable}', '{"a|0.5|Opened items are non-refundable, except defects."}', '- a 0.5; = 0'),
	-- encryption: 2 of 3 items; policy: all, for may is none
	('{Passwords are stored in plaintext}', '{a|0.8|Stored passwords must be encrypted.}', '- a 0.53; = 0'),
	('{Visitors may enter the garden}', '{a|0.8|Visitors must not enter the garden.}', '- a 0.8; = 0'),
	-- half of a claim is worth 0.89 at most, three quarters 0.95; less than half nothing
	('{Parcel insurance}', '{a|1|Every parcel is weighed.}', '+ a 0.89; = 0.89'),
	('{Parcel insurance covers theft}', '{a|1|Parcel insurance covers fire.}', '+ a 0.95; = 0.95'),
	('{Parcel insurance covers theft abroad}', '{a|1|Parcel insurance is cheap.}', '= 0'),
	-- rounding: 0.835 is below its half as a double, 0.925 above; 0.125 and 0.375 are halves, which go to the even one
	('{Parcel insurance covers theft}', '{a|0.34|Parcel insurance covers fire.}', '+ a 0.83; = 0.83'),
	('{Parcel insurance covers theft}', '{a|0.70|Parcel insurance covers fire.}', '+ a 0.93; = 0.93'),
	('{Custom items are refundable}', '{a|0.145|Custom items are not refundable.}', '- a 0.14; = 0'),
	('{Custom items are refundable}', '{a|0.125|Custom items are not refundable.}', '- a 0.12; = 0'),
	('{Custom items are refundable}', '{a|0.375|Custom items are not refundable.}', '- a 0.38; = 0'),
	('{Custom items are refundable}', '{a|0.12500000000000000000000000000000000001|Custom items are not refundable.}',
		'- a 0.12; = 0'),
	-- two documents against each other: the better one supports, by cover, then by score, then by place
	('{Custom items refund policy}', '{a|0.5|Custom items are non-refundable.,b|0.6|Custom items are refundable.}',
		'+ b 0.9; - a 0.34; = 0.85'),
	('{Custom items refund policy}',
		'{a|0.9|Custom items are non-refundable.,b|0.1|Policy: custom items are refundable.}',
		'+ b 0.95; - a 0.68; = 0.84'),
	('{Custom items refund policy}', '{a|0.5|Custom items are non-refundable.,b|0.5|Custom items are refundable.}',
		'+ a 0.88; - b 0.38; = 0.81'),
	-- both scores are 0: the weight is half of the cover
	('{Custom items refund policy}', '{a|0|Custom items are non-refundable.,b|0|Custom items are refundable.}',
		'+ a 0.75; - b 0.38; = 0.6'),
	-- one document does not contradict itself
	('{Custom items refund policy}',
		'{a#1|0.9|Custom items are non-refundable.,a#2|0.5|Custom items are refundable.}',
		'+ a#1 0.95; + a#2 0.88; = 0.95'),
	-- what is of the best one's document is held against the best of another that agrees with it
	('{Custom items refund policy}', ARRAY['a#1|0.9|Custom items are non-refundable.',
		'a#2|0.5|A refund of custom items takes 30 days.', 'b|0.6|A refund for custom items takes 45 days.'],
		'+ a#1 0.95; + b 0.9; - a#2 0.34; = 0.92'),
	-- and not against one that does not
	('{Custom items refund policy}', ARRAY['a#1|0.9|Custom items are non-refundable.',
		'a#2|0.5|No custom item: policy.', 'b|0.6|Custom items are refundable.'],
		'+ a#1 0.95; - b 0.3; = 0.93'),
	-- against a source a shared topic is asked for, and one further keyword; or they are copies
	('{Lease terms}', '{a|0.9|Lease terms are 30 days.,b|0.5|Lease terms are 60 days.}',
		'+ a 0.95; - b 0.36; = 0.92'),
	('{Lease terms}', '{a|0.9|Lease terms are 30 days.,b|0.5|Terms of a lease: 60 cold long winter days.}',
		'+ a 0.95; + b 0.95; = 0.95'),
	('{Refund policy}', '{a|0.9|Refund requests take 30 days.,b|0.5|Any refund needs 45 days.}',
		'+ a 0.89; + b 0.75; = 0.89'),
	('{Refund policy}', '{a|0.9|Parcel refunds take 30 days.,b|0.5|Any refund of a parcel needs 45 days.}',
		'+ a 0.89; - b 0.18; = 0.87'),
	-- what negates can contradict a source, too: 0.75 * 0.5 / 1.4
	('{Custom items refund policy}', '{a|0.9|Custom items are refundable.,b|0.5|Custom items are never refundable.}',
		'+ a 0.95; - b 0.27; = 0.93'),
	-- a snippet that holds both contradicts
	('{Custom items are refundable}', '{a|0.9|Custom items are refundable. Custom items are not refundable.}',
		'- a 0.9; = 0'),
	-- related: two items of the best supporter, of another document, and beside half of the claim as many negators
	('{Parcels ship on Monday}', ARRAY['a|0.9|Parcels ship on Monday by train.',
		'b|0.1|The train leaves in the morning; parcels are loaded.', 'c|0.1|The train leaves.',
		'd|0.1|The train never waits for parcels.', 'a#2|0.1|Train and parcel.'],
		'+ a 0.95; ~ b; ~ d; = 0.95'),
	('{Parcels ship on Monday}', '{a|0.9|Parcels ship on Monday by train.,b|0.1|A train. Parcels. Never on Monday.}',
		'+ a 0.95; = 0.95'),
	('{Parcels ship on Monday}', '{b|0.1|Train and parcel.}', '= 0'),
	-- what is left out for one claim is related to no other one
	('{The API does not support webhooks,Calls of the API are logged for one year}', ARRAY[
		'a|0.9|The API does not support webhooks.',
		'b|0.9|Calls of the API are logged for one year, and support reads them.', 'c|0.9|The API supports webhooks.',
		'd|0.2|Support answers calls.'], '+ a 0.95; + b 0.95; - c 0.9; ~ d; = 0.5'),
	('{The API supports webhooks,Calls of the API are not logged}', ARRAY['a|0.9|The API supports webhooks.',
		'b|0.9|Calls of the API are not logged; support reads none.', 'c|0.9|The API never supports webhooks.'],
		'+ a 0.95; + b 0.95; - c 0.9; = 0.5'),
	('{The API supports webhooks,Calls of the API are not logged}', ARRAY['a|0.9|The API supports webhooks.',
		'b|0.9|Calls of the API are not logged; support reads none.',
		'c|0.9|Our first API never knew webhooks at all.'],
		'+ a 0.95; + b 0.95; = 0.95'),
	-- several claims: the weakest one counts; what is claimed twice has its entries once
	('{Parcels ship on Monday,Parcel insurance}', '{a|0.9|Parcels ship on Monday.}', '+ a 0.95; + a 0.89; = 0.89'),
	('{Parcels ship on Monday,Letters are free}', '{a|0.9|Parcels ship on Monday.}', '+ a 0.95; = 0'),
	('{Parcels ship on Monday,Parcels ship on Monday}', '{a|0.9|Parcels ship on Monday.}', '+ a 0.95; = 0.95'),
	-- nothing claimed, nothing to go by, nothing but stop words and negators
	('{}', '{a|0.9|Parcels ship on Monday.}', '= 0'),
	('{Parcels ship on Monday}', '{}', '= 0'),
	('{""}', '{a|0.9|Parcels ship on Monday.}', '= 0'),
	('{of the}', '{a|0.9|Of the.}', '= 0'),
	('{never}', '{a|0.9|Never.}', '= 0'),
	('{Parcels}', '{a|0.9|,b|0.9| ... }', '= 0'),
	-- case, hyphens and invisible characters make no difference
	('{PARCEL-INSURANCE}', ARRAY[U&'a|0.9|The par\00ADcel''s in\200Bsuring.'], '+ a 0.95; = 0.95');
SELECT n, expected, verify_brief(evidence) AS came
FROM verify_case, LATERAL verify_evidence(claims, sources) AS evidence
WHERE verify_brief(evidence) IS DISTINCT FROM expected ORDER BY n;
SELECT count(*) FROM verify_case;

-- An answer never quotes the opposite of a claim.
SELECT answer.tool_synth_answer(jsonb_build_object('evidence', verify_evidence(claims, sources))) ->> 'text' AS quoted
FROM verify_case WHERE claims[1] LIKE 'The API%' ORDER BY n;

-- Whatever the case: the evidence follows from what it keeps, without asking anybody, and its verdict from itself; and
-- it says that nobody has judged it where there was something to judge.
SELECT n FROM verify_case, LATERAL verify_evidence(claims, sources) AS evidence
WHERE answer_test.ground_verify(jsonb_build_object('claims', claims, 'sources', verify_sources(sources)),
		evidence -> 'judging', evidence -> 'judgements') IS DISTINCT FROM evidence
	OR answer.evidence_verdict(evidence) - '{blocked,reasons}'::text[] IS DISTINCT FROM evidence -> 'verdict'
	OR evidence ->> 'rules' <> answer_digest(answer.decision_rules())
	OR (evidence -> 'supports' <> '[]' OR evidence -> 'contradicts' <> '[]')
		AND evidence #>> '{caveats,0,code}' IS DISTINCT FROM 'not_judged';
-- Sources in another order change who is first of equals, and nothing else here.
SELECT n, verify_brief(evidence), verify_brief(turned)
FROM verify_case, LATERAL verify_evidence(claims, sources) AS evidence,
	LATERAL (SELECT array_agg(s ORDER BY i DESC) AS r FROM unnest(sources) WITH ORDINALITY AS u (s, i)) AS reversed,
	LATERAL verify_evidence(claims, r) AS turned
WHERE evidence #>> '{verdict,confidence}' IS DISTINCT FROM turned #>> '{verdict,confidence}';

-- The sentence that an entry quotes: the greatest weight, the best support, and of equals the first.
SELECT e ->> 'weight' AS weight, e ->> 'snippet' AS snippet
FROM jsonb_array_elements(verify_evidence('{Custom items are refundable}',
	'{a|0.9|Custom stuff is non-refundable. Custom items are not refundable! All custom items are not refundable.}')
	-> 'contradicts') AS e;
SELECT e ->> 'confidence' AS confidence, e ->> 'snippet' AS snippet
FROM jsonb_array_elements(verify_evidence('{Parcels ship on Monday}',
	'{"a|0.9|Parcels ship.  Parcels ship (on Monday, that is)! Parcels ship on Monday."}') -> 'supports') AS e;

/* the scenario */

CREATE TABLE verify_acme (args jsonb);
INSERT INTO verify_acme VALUES ('{"claims": ["Refund policy for custom items"], "min_confidence": 0.90, "sources": [
	{"id": "h1", "uri": "https://docs.acme.example/policies/refunds.html#custom", "score": 0.71,
	 "title": "Refund Policy → Custom Items", "stamp": "2025-07-18T10:15:00Z",
	 "snippet": "Custom items are non‑refundable except for manufacturing defects within 30 days."},
	{"id": "h2", "uri": "https://docs.acme.example/policies/custom-items.pdf#exceptions", "score": 0.65,
	 "title": "Custom Items Exceptions", "stamp": "2025-08-02T09:00:00Z",
	 "snippet": "Exceptions apply to manufacturing defects; contact support within 30 days."},
	{"id": "h3", "uri": "https://support.acme.example/tickets/34219", "score": 0.40,
	 "snippet": "Agent approved refund for a custom order after 45 days."}]}');
SELECT jsonb_pretty(answer.tool_ground_verify(args) -> 'evidence' #- '{rules}') FROM verify_acme;
SELECT answer.evidence_verdict(answer.tool_ground_verify(args) -> 'evidence') FROM verify_acme;
SELECT a ->> 'text' AS text, a -> 'citations' AS citations, answer.reference_list(a -> 'citations') AS list,
	answer.markers_check(a ->> 'text', a -> 'citations', true) AS markers
FROM verify_acme, answer.tool_synth_answer(answer.tool_ground_verify(args)
	|| '{"query": "refund policy custom items", "style": "concise+citations"}') AS a;

-- the same as steps of a plan: arguments completed, results checked, the declared price
SELECT r - 'result' AS invoked, verify_brief(r #> '{result,evidence}') AS evidence
FROM verify_acme, answer_tool_invoke('ground.verify', args) AS r;
SELECT answer_tool_invoke('synth.answer', answer_tool_invoke('ground.verify', args) -> 'result'
	|| '{"query": "refund policy custom items", "style": "concise+citations"}') #> '{result,text}' AS text
FROM verify_acme;
SELECT answer_tool_invoke('synth.answer', '{"evidence": {"claims": []}, "style": "verbose"}');

/* arguments */

-- a policy of the caller's; whatever it is, nothing but support makes confidence
SELECT verify_brief(e), e -> 'policy' AS policy, e -> 'verdict' AS verdict
FROM (VALUES ('{}'::jsonb), ('{"policy": {"cite_if_confidence_below": 0.80, "block_if_conflict_over": 0.10}}'),
	('{"policy": {"cite_if_confidence_below": 0}}'), ('{"policy": {"cite_if_confidence_below": 0}, "regulated": true}'),
	('{"min_confidence": 0, "evidence": {"verdict": {"confidence": 1}}, "verdict": {"confidence": 1}}')) AS more (args),
	verify_acme a, LATERAL (SELECT answer.tool_ground_verify(a.args || more.args) -> 'evidence') AS v (e);

-- no dictionary of the server has a part in it: not by an argument, a setting, or a configuration of the same name
CREATE SCHEMA verify_dictionaries;
CREATE TEXT SEARCH CONFIGURATION verify_dictionaries.english (COPY = simple);
SELECT v ->> 'outcome' AS outcome, v ->> 'reason' AS reason FROM answer_tool_invoke('ground.verify',
	'{"claims": ["Parcels ship"], "sources": [], "ts_config": "simple"}') AS v;
SET search_path = verify_dictionaries, public, pg_catalog;
SET default_text_search_config = 'verify_dictionaries.english';
SELECT verify_brief(verify_evidence('{Parcels ship}', '{a|0.5|A parcel ships.}')) AS whatever_is_set;
RESET default_text_search_config;
RESET search_path;

-- portable numbers, and members that are null
SELECT verify_brief(answer.tool_ground_verify('{"claims": ["Parcels"], "sources": [{"uri": "a", "snippet": "Parcels.",
	"score": "0.1234567890123456789", "title": null, "stamp": null, "more": [1]}]}') -> 'evidence');

SELECT problem, left(verify_refused(format('SELECT answer.tool_ground_verify(%L)', args)), 150) AS refused
FROM (VALUES
	('no object', '[]'), ('no claims', '{"sources": []}'), ('claims', '{"claims": "x", "sources": []}'),
	('a claim', '{"claims": ["x", null], "sources": []}'), ('no sources', '{"claims": []}'),
	('sources', '{"claims": [], "sources": {}}'), ('a source', '{"claims": [], "sources": [7]}'),
	('no uri', '{"claims": [], "sources": [{"snippet": "", "score": 0}]}'),
	('empty uri', '{"claims": [], "sources": [{"uri": "", "snippet": "", "score": 0}]}'),
	('no snippet', '{"claims": [], "sources": [{"uri": "a", "score": 0}]}'),
	('snippet', '{"claims": [], "sources": [{"uri": "a", "snippet": null, "score": 0}]}'),
	('no score', '{"claims": [], "sources": [{"uri": "a", "snippet": ""}]}'),
	('score', '{"claims": [], "sources": [{"uri": "a", "snippet": "", "score": 1.01}]}'),
	('score as text', '{"claims": [], "sources": [{"uri": "a", "snippet": "", "score": "high"}]}'),
	('title', '{"claims": [], "sources": [{"uri": "a", "snippet": "", "score": 0, "title": 1}]}'),
	('stamp', '{"claims": [], "sources": [{"uri": "a", "snippet": "", "score": 0, "stamp": []}]}'),
	('min_confidence', '{"claims": [], "sources": [], "min_confidence": 2}'),
	('policy', '{"claims": [], "sources": [], "policy": 1}'),
	('a threshold', '{"claims": [], "sources": [], "policy": {"block_if_conflict_over": -1}}'),
	('regulated', '{"claims": [], "sources": [], "regulated": "no"}')) AS wrong (problem, args);
SELECT answer.tool_ground_verify(NULL) IS NULL AS null_for_null, answer.tool_synth_answer(NULL) IS NULL AS this_too,
	answer.tool_doc_search(NULL) IS NULL AS and_this;
SELECT verify_refused('SELECT answer_test.ground_verify(NULL)');
SELECT judging, judgements, left(verify_refused(format('SELECT answer_test.ground_verify(%L, %L, %L)',
	'{"claims": ["Parcels"], "sources": [{"uri": "a", "snippet": "Parcels.", "score": 0.5}]}', judging, judgements)),
	150)
FROM (VALUES ('[]', '[]'), ('{"judge_entailment": 1}', '[]'), ('{"nobody": "nli"}', '[]'),
	('{"judge_entailment": "nli"}', '{}'), ('{"judge_entailment": "nli"}', '[{"judge": "nli"}]'),
	('{"judge_entailment": "nli"}', '[]')) AS wrong (judging, judgements);

/* judges: what they say of a claim and a whole source takes the place of what words say */

CREATE FUNCTION verify_judged(claims text[], sources text[], said text[],
	judging jsonb DEFAULT '{"judge_entailment": "nli"}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT answer_test.ground_verify(jsonb_build_object('claims', claims, 'sources', verify_sources(sources)), judging,
		(SELECT COALESCE(jsonb_agg(jsonb_build_object('judge', split_part(s, '|', 1), 'relation', split_part(s, '|', 3),
			'score', split_part(s, '|', 4)::numeric, 'pair', answer_digest(jsonb_build_object('kind', 'entailment',
			'a', claims[1], 'b', (SELECT split_part(o, '|', 3) FROM unnest(sources) AS o
				WHERE split_part(o, '|', 1) = split_part(s, '|', 2)))))), '[]') FROM unnest(said) AS s)) $$;
SELECT what, verify_brief(e) AS evidence, (e -> 'caveats') #>> '{0,code}' AS caveat,
	jsonb_array_length(e -> 'judgements') AS judgements, (SELECT string_agg(t ->> 'source', ' ')
	FROM jsonb_array_elements(e -> 'to_judge') AS t) AS to_judge
FROM (VALUES
	('supports, at most 0.95', '{nli|a|supports|0.99}'::text[], '"nli"'::jsonb),
	('not sure enough', '{nli|a|supports|0.49}', '"nli"'),
	('contradicts', '{nli|a|contradicts|0.6}', '"nli"'),
	('neutral', '{nli|a|neutral|1}', '"nli"'),
	('no claim: words decide', '{nli|a|no_claim|1}', '"nli"'),
	('nobody: supports nothing', '{}', '"nli"'),
	('two agree, the least counts', '{nli|a|supports|0.8,me|a|supports|0.7}', '["nli", "me"]'),
	('one of two is missing', '{nli|a|supports|0.8}', '["nli", "me"]'),
	('one of two contradicts', '{me|a|contradicts|0.8}', '["nli", "me"]'),
	('both do, the greatest counts', '{nli|a|contradicts|0.7,me|a|contradicts|0.9}', '["nli", "me"]'))
	AS cases (what, said, panel),
	LATERAL verify_judged('{Parcels ship on Monday}', '{a|0.6|Parcels ship on Monday.}', said,
		jsonb_build_object('judge_entailment', panel)) AS e;
-- whom a judge is asked about: of 0.70 of the greatest score, or found by words; and sharing an item at all
SELECT (SELECT string_agg(t ->> 'source', ' ') FROM jsonb_array_elements(e -> 'to_judge') AS t) AS to_judge
FROM verify_judged('{Parcels ship on Monday}', ARRAY['a|1|Parcels.', 'b|0.7|A parcel.', 'c|0.69|A parcel.',
	'd|0.1|Parcels ship on Monday.', 'e|1|Letters.', 'f|0.9|Do they ship parcels?'], '{}') AS e;
-- what the rules hold against a claim stays where nobody has judged it; what is held against a source does not
SELECT verify_brief(e) FROM verify_judged('{Custom items are refundable}',
	'{a|0.5|Custom items are not refundable.}', '{}') AS e;
SELECT verify_brief(e) FROM verify_judged('{Custom items refund policy}',
	ARRAY['a|0.9|Custom items are non-refundable.', 'b|0.6|Custom items are refundable.'], '{nli|a|supports|0.9}') AS e;
-- the whole source is quoted, and related is what has two items of it
SELECT e #>> '{supports,0,snippet}' AS quoted, verify_brief(e) FROM verify_judged('{Nobody pays twice}',
	ARRAY['a|0.9|Fees are due once. Who pays in June pays less.', 'b|0.2|June fees.', 'c|0.2|Fees.'],
	'{nli|a|supports|0.9}') AS e;

-- an answer that nobody can hold
SELECT verify_refused($$SELECT answer.tool_ground_verify(jsonb_build_object('claims', (SELECT jsonb_agg('Parcel '
	|| translate(n::text, '0123456789', 'abcdefghij')) FROM generate_series(1, 60) AS n),
	'sources', verify_sources((SELECT array_agg(repeat('a', 4000) || '|0.5|Parcel ' || n)
	FROM generate_series(1, 100) AS n))))$$);

/* quoting */

SELECT name, answer.tool_synth_answer(jsonb_build_object('evidence', evidence)) AS answer
FROM (VALUES
	('nothing', '{}'::jsonb),
	('related alone', '{"related": [{"source": "a", "snippet": "One."}]}'),
	('supports first', '{"related": [{"source": "a", "snippet": "Two."}],
		"supports": [{"source": "b", "snippet": "One."}]}'),
	('one source twice', '{"supports": [{"source": "a", "snippet": "One."}, {"source": "b", "snippet": "Two."},
		{"source": "a", "snippet": "Three.", "title": "later"}]}'),
	('one text twice', '{"supports": [{"source": "a", "snippet": "One."}, {"source": "b", "snippet": " One. "}],
		"related": [{"source": "b", "snippet": "Two.", "title": "B", "stamp": "2026-01-01"}]}'),
	('markers in sources', '{"supports": [{"source": "a", "snippet": "[1] [23], [x] and [04] [ [5] ]"}]}'),
	('nothing to quote', '{"supports": [{"source": "a"}, {"source": "b", "snippet": null},
		{"source": "c", "snippet": "\t"}, {"source": "d", "snippet": "Two\nlines."}]}'),
	('contradictions', '{"contradicts": [{"source": "a", "snippet": "No."}]}')) AS cases (name, evidence);
SELECT problem, verify_refused(format('SELECT answer.tool_synth_answer(%L)', args)) AS refused
FROM (VALUES ('no object', '[]'), ('no evidence', '{}'), ('evidence', '{"evidence": 1}'),
	('supports', '{"evidence": {"supports": {}}}'), ('an entry', '{"evidence": {"supports": [1]}}'),
	('no source', '{"evidence": {"related": [{"snippet": "a"}]}}'),
	('empty source', '{"evidence": {"supports": [{"source": "", "snippet": "a"}]}}'),
	('snippet', '{"evidence": {"supports": [{"source": "a", "snippet": 1}]}}'),
	('title', '{"evidence": {"supports": [{"source": "a", "title": 1}]}}'),
	('stamp', '{"evidence": {"supports": [{"source": "a", "stamp": 1}]}}')) AS wrong (problem, args);
-- Whatever is quoted: each marker has its citation, each citation its marker, in order.
SELECT count(*) AS tried, count(*) FILTER (WHERE answer.markers_check(a ->> 'text', a -> 'citations', false) -> 'ok'
	= 'true') AS right
FROM generate_series(1, 200) AS seed, LATERAL (SELECT answer.tool_synth_answer(jsonb_build_object('evidence',
	jsonb_build_object('supports', (SELECT COALESCE(jsonb_agg(jsonb_build_object('source', 's' || (seed * n) % 7,
		'snippet', (ARRAY['[1]', '[', '] [2', 'a [3] b', '1]', 'x', '[0]', '[9]['])[1 + (seed + n * n) % 8])), '[]')
		FROM generate_series(1, seed % 9) AS n))))) AS v (a);

/* doc.search */

BEGIN;
SELECT answer_document_load('[
	{"doc_id": "verify-refunds", "title": "Refund policy", "timestamp": "2025-07-18T10:15:00+02:00",
	 "url": "https://a.example/refunds",
	 "sections": [{"anchor": "custom", "title": "Custom items", "text": "Custom items are non-refundable."}]},
	{"doc_id": "verify-memo", "title": "Memo", "timestamp": "2025-07-19",
	 "text": "Custom items: the refund policy is under review."}]')
	-> 'created' AS created;
SELECT jsonb_pretty(answer_tool_invoke('doc.search', '{"q": "refund policy custom items",
	"filters": {"doc_ids": ["verify-refunds", "verify-memo"]}}'));
SELECT jsonb_array_length(answer.tool_doc_search('{"q": "refund policy custom items", "k": 1.0}') -> 'hits') AS hits,
	answer.tool_doc_search('{"q": "zzzzzz"}') AS none;
SELECT r ->> 'outcome' AS outcome, r ->> 'sqlstate' AS sqlstate, r ->> 'reason' AS reason
FROM (VALUES ('{"q": "x", "k": 0}'), ('{"k": 1}'), ('{"q": "x", "k": "many"}'),
	('{"q": "x", "filters": {"nothing": 1}}')) AS c (args),
	answer_tool_invoke('doc.search', args::jsonb) AS r;
-- found, verified, quoted
SELECT answer.tool_synth_answer(answer.tool_ground_verify(jsonb_build_object('claims',
	'["custom items refund policy"]'::jsonb, 'sources', found -> 'hits'))) AS answer
FROM answer.tool_doc_search('{"q": "refund policy custom items",
	"filters": {"doc_ids": ["verify-refunds", "verify-memo"]}}') AS found;
ROLLBACK;

-- What ships is what registering would take.
SELECT tool, answer_tool_spec(tool) -> 'constraints' AS constraints FROM answer.tool
WHERE category = 'plan' ORDER BY tool COLLATE "C";

DROP FUNCTION verify_brief(jsonb), verify_evidence(text[], text[]),
	verify_sources(text[]), verify_refused(text), verify_judged(text[], text[], text[], jsonb);
DROP TABLE verify_case, verify_acme;
DROP TEXT SEARCH CONFIGURATION verify_dictionaries.english;
DROP SCHEMA verify_dictionaries;
