-- Conflicts between chunks: each rule from both sides, what is none, the shape of the result, labelled pairs.
\getenv srcdir PG_ABS_SRCDIR
\set helpers :srcdir '/lib/regress.sql'
\i :helpers
\set VERBOSITY terse
\set SHOW_CONTEXT never
\getenv srcdir PG_ABS_SRCDIR
\set pairs :srcdir '/lib/conflict_pairs.sql'
\set ECHO none
\i :pairs
\set ECHO all

-- kind and reason of two texts; the empty text where they agree
CREATE FUNCTION pg_temp.found(a text, b text, rules jsonb DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce((SELECT p->>'kind' || ': ' || (p->>'reason') FROM jsonb_path_query(
		answer_conflicts(pg_temp.two_chunks(a, b), rules), '$.pairs[*]') AS p), '') $$;

-- The examples: an old and a new security policy, API limits of two years, refunds.
SELECT jsonb_pretty(answer_conflicts('[
	{"chunk_id": "security-policy-v2.1#p0", "doc_id": "security-policy-v2.1", "similarity": 0.92,
	 "text": "SSNs must not be stored in plaintext. All social security numbers must be encrypted at rest.",
	 "timestamp": "2024-03-15T10:00:00Z"},
	{"chunk_id": "security-policy-legacy-v1.0#p0", "doc_id": "security-policy-legacy-v1.0", "similarity": 0.88,
	 "text": "SSNs may be stored in plaintext for legacy systems.", "timestamp": "2019-01-01T00:00:00Z"}]'));
SELECT jsonb_pretty(answer_conflicts('[
	{"chunk_id": "api-2021#p0", "doc_id": "api-2021", "similarity": 0.9,
	 "text": "The API rate limit is 1,000 requests per hour."},
	{"chunk_id": "api-2024#p0", "doc_id": "api-2024", "similarity": 0.8,
	 "text": "API rate limit: 300 req/hr for all keys."},
	{"chunk_id": "refund#p0", "doc_id": "refund", "similarity": 0.3,
	 "text": "All purchases are refundable within 30 days."},
	{"chunk_id": "refund-2#p1", "doc_id": "refund-2", "similarity": 0.2, "text": "Purchases are non-refundable."}]'));

-- Nothing to compare.
SELECT c AS chunks, answer_conflicts(c) FROM unnest(ARRAY[NULL, '[]',
	'[{"chunk_id": "a#p0", "doc_id": "a", "text": "Refunds are allowed.", "similarity": 1}]',
	'[{"chunk_id": "a#p0", "doc_id": "a", "text": "", "similarity": 1},
	  {"chunk_id": "b#p0", "doc_id": "b", "text": " . ", "similarity": 1}]']::jsonb[]) AS c;

-- Encryption.
SELECT n, pg_temp.found(a, b) AS ab, pg_temp.found(b, a) = pg_temp.found(a, b) AS symmetric FROM (VALUES
	(1, 'SSNs may be stored in plaintext.', 'SSNs must be encrypted.'),
	(2, 'SSNs may be stored in plaintext.', 'SSNs must not be stored in plaintext.'),
	(3, 'SSNs are kept as plain text.', 'SSNs cannot be kept as plain text.'),
	(4, 'SSNs are kept unencrypted.', 'Plaintext is forbidden for SSNs.'),
	(5, 'SSNs are plaintext.', 'SSNs are not plaintext.'),
	(6, 'SSNs are kept as plaintext.', 'SSNs aren''t kept as plaintext.'),
	(7, 'SSNs are kept as plaintext.', 'SSNs aren’t kept as plaintext.'),
	-- a word for encryption, turned
	(11, 'SSNs are not encrypted.', 'SSNs are encrypted.'),
	(12, 'SSNs are stored without encryption.', 'SSNs are stored with encryption.'),
	(13, 'SSNs are never encrypted.', 'SSNs are encrypted.'),
	(14, 'SSNs need no encryption.', 'SSNs need encryption.'),
	(15, 'SSNs aren''t encrypted.', 'SSNs are encrypted.'),
	(16, 'SSNs are not to be encrypted.', 'SSNs are to be encrypted.'),
	(17, 'Encryption of SSNs is optional.', 'SSNs are encrypted.'),
	(18, 'Encryption of SSNs is not required.', 'SSNs are encrypted.'),
	(19, 'SSNs must not be encrypted.', 'SSNs must be encrypted.'),
	-- and turned back, or not turned
	(21, 'SSNs must not be stored without encryption.', 'SSNs are encrypted.'),
	(22, 'SSNs must not be stored without encryption.', 'SSNs are plaintext.'),
	(23, 'Encryption of SSNs is not optional.', 'SSNs are encrypted.'),
	(24, 'Encryption of SSNs isn''t optional.', 'SSNs are plaintext.'),
	(25, 'SSNs are never stored without encryption.', 'SSNs are unencrypted.'),
	(26, 'Encrypted SSNs must not leave the vault.', 'SSNs are encrypted.'),
	(27, 'SSNs do not need a password but encryption.', 'SSNs are encrypted.'),
	(28, 'SSNs are not only encrypted but hashed.', 'SSNs are encrypted.'),
	(29, 'SSNs: not a word. They are encrypted.', 'SSNs are encrypted.'),
	-- both on one side
	(31, 'SSNs are plaintext in memory and encrypted on disk.', 'SSNs are encrypted.'),
	(32, 'SSNs are encrypted; the test SSNs are plaintext.', 'SSNs are plaintext.'),
	-- every word of encryption is a topic itself, so that its sentence counts
	(33, 'SSNs are kept. The logs are plaintext.', 'SSNs are encrypted.'),
	(34, 'Customer data is plaintext. SSNs exist.', 'SSNs are encrypted.'),
	-- encryption alone is a topic only with further keywords in common
	(35, 'Laptops of drivers have no encryption.', 'Encryption of laptops is mandatory.'),
	(36, 'Laptops have no encryption.', 'Encryption of backups is mandatory.'),
	(37, 'Brochures are unencrypted.', 'Tapes are encrypted.')) AS v (n, a, b) ORDER BY n;

-- Refunds.
SELECT n, pg_temp.found(a, b) AS ab, pg_temp.found(b, a) = pg_temp.found(a, b) AS symmetric FROM (VALUES
	(1, 'Tickets are refundable.', 'Tickets are non-refundable.'),
	(2, 'Refunds allowed.', 'No refunds.'),
	(3, 'Refunds are allowed.', 'Refunds are not allowed.'),
	(4, 'Tickets are refundable.', 'Tickets are no longer refundable.'),
	(5, 'Tickets are non-refundable.', 'No refunds on tickets.'),
	(6, 'Tickets are refundable.', 'Refunds are allowed on tickets.'),
	(7, 'Tickets are refundable. Upgrades are non-refundable.', 'Tickets are non-refundable.'),
	-- a sentence with an exception takes no side
	(8, 'Tickets are refundable unless they are used.', 'Tickets are non-refundable.'),
	(9, 'Tickets are refundable.', 'Tickets are non-refundable except on strike.'),
	(10, 'Tickets are refundable. Exceptions apply.', 'Tickets are non-refundable.'),
	-- qualifiers
	(11, 'Purchases are refundable.', 'Promotional purchases are non-refundable.'),
	(12, 'Promo tickets are refundable.', 'Tickets of promotions are non-refundable.'),
	(13, 'Gift cards are refundable.', 'Gift cards are non-refundable.'),
	(14, 'Free trial: refundable.', 'Trial: non-refundable.')) AS v (n, a, b) ORDER BY n;

-- What is allowed.
SELECT n, pg_temp.found(a, b) AS ab, pg_temp.found(b, a) = pg_temp.found(a, b) AS symmetric FROM (VALUES
	(1, 'Customer data may be sold.', 'Customer data must not be sold.'),
	(2, 'Contractors may access logs.', 'Contractors may not access logs.'),
	(3, 'Contractors can access logs.', 'Contractors can''t access logs.'),
	(4, 'Contractors are allowed access to logs.', 'Contractors are not allowed access to logs.'),
	(5, 'Access to logs is permitted.', 'Access to logs is forbidden.'),
	-- "may not" is never "may", nor another stance than "must not"
	(11, 'Contractors may not access logs.', 'Contractors must not access logs.'),
	(12, 'Contractors may not access logs.', 'Contractors cannot access logs.'),
	(13, 'Contractors may access logs.', 'Contractors can access logs.'),
	(14, 'Contractors must not access logs.', 'Contractors must not access logs.'),
	-- negators before an allow word, in its clause
	(21, 'No contractor may access logs.', 'Each contractor may access logs.'),
	(22, 'Nobody is permitted to access logs.', 'Interns are permitted to access logs.'),
	(23, 'Access to logs is never permitted.', 'Access to logs is permitted.'),
	(24, 'Contractors aren''t permitted to access logs.', 'Contractors are permitted to access logs.'),
	(25, 'Contractors are no longer permitted to access logs.', 'Contractors are permitted to access logs.'),
	(26, 'Contractors can not only read but access logs.', 'Contractors can access logs.'),
	(27, 'No later than 9 pm contractors may access logs.', 'Contractors may access logs.'),
	(28, 'Do not worry: contractors may access logs.', 'Contractors may access logs.'),
	(29, 'Contractors may access logs, but not change them.', 'Contractors may access logs.'),
	-- both on one side, where no sentence is a copy of another; exceptions; other sentences; too little in common
	(30, 'Contractors may read and access logs. They must not access wages.', 'Contractors must not access logs.'),
	(31, 'Contractors may access logs. They must not access wages.', 'Contractors must not access logs.'),
	(32, 'Contractors may access logs except on Sundays.', 'Contractors must not access logs.'),
	(33, 'Contractors may sing. Access to logs is recorded.', 'Contractors must not access logs.'),
	(34, 'Visitors may access gardens.', 'Contractors must not access logs.'),
	(35, 'Visitors may access gardens, benches, lawns and logs.', 'Contractors must not access vaults or logs.'),
	(36, 'Visitors may access it.', 'Visitors must not access it.'),
	(37, 'We may access it.', 'We must not access it.'),
	-- no topic in common, or one document topic only
	(41, 'Dogs may enter.', 'Dogs must not enter.'),
	(42, 'Passwords may be long.', 'Access must not be long.'),
	-- the month of May
	(51, 'On 5 May logs were opened for access.', 'Logs must not be opened for access.'),
	(52, 'May 2024: logs opened for access.', 'Logs must not be opened for access.'),
	(53, 'In May logs were opened for access.', 'Logs must not be opened for access.'),
	(54, 'Before 5 may logs be opened for access.', 'Logs must not be opened for access.'),
	(55, 'On 5 May not all logs were opened for access.', 'Logs can be opened for access.')) AS v (n, a, b) ORDER BY n;

-- Numbers.
SELECT n, pg_temp.found(a, b) AS ab, pg_temp.found(b, a) AS ba FROM (VALUES
	(1, 'Rate limit: 1000 requests per hour.', 'Rate limit: 300 req/hr.'),
	(2, 'Rate limit: 1,000 requests per hour.', 'Rate limit: 1000 API calls per hour.'),
	(3, 'Rate limit: 1000 requests per hour.', 'Rate limit: 300 requests per minute.'),
	(4, 'Rate limit: 10 or 20 requests per hour.', 'Rate limit: 20 requests per hour.'),
	(5, 'Rate limit: 10 requests per hour, then 20 requests per hour.', 'Rate limit: 20 requests per hour.'),
	(6, 'Rate limits: 40 requests per hour, 30 requests per hour.',
		'Rate limits: 9 requests per hour, 200 requests per hour.'),
	(7, 'API rate: 5 ms and 7 users.', 'API rate: 6 ms and 8 users.'),
	(8, 'API rate: 5 ms and 7 users.', 'API rate: 5 ms and 8 users.'),
	-- further keywords, where no topic is a quantity
	(11, 'Invoices are retained for 7 years.', 'Invoices are retained for 10 years.'),
	(12, 'Invoices are retained for 7 years.', 'Letters are retained for 10 years.'),
	(13, 'Invoices are retained. Lunch takes 7 hours.', 'Invoices are retained for 8 hours.'),
	(14, 'Invoices are retained for 7 years except in May.', 'Invoices are retained for 8 years.'),
	-- signs, separators, decimals
	(21, 'The price is $5.', 'The price is 5 dollars.'),
	(22, 'The price of bread is $5.', 'The price of bread is 7.50 dollars.'),
	(23, 'The price of bread is € 1,234.50.', 'The price of bread is 1234.500 EUR.'),
	(24, 'The price of bread is £0.070.', 'The price of bread is 00.08 pounds.'),
	(25, 'The discount on bread is 5 %.', 'The discount on bread is 6percent or 6 percent.'),
	(26, 'The discount on bread is -5%.', 'The discount on bread is +5%.'),
	(27, 'The price of bread is 0 USD.', 'The price of bread is 0.0 USD.'),
	(28, 'The price of bread is 123456789012345678901234567890.1 USD.',
		'The price of bread is 123456789012345678901234567890.2 USD.'),
	-- what is no number, or has no unit
	(31, 'The price of bread is x5 dollars.', 'The price of bread is 7 dollars.'),
	(32, 'The price of bread is 5x dollars.', 'The price of bread is 7 dollars.'),
	(33, 'The price of bread is 1.2.3 dollars.', 'The price of bread is 7 dollars.'),
	(34, 'The price of bread is 12,34 dollars.', 'The price of bread is 7 dollars.'),
	(35, 'The price of bread is 1234,567 dollars.', 'The price of bread is 7 dollars.'),
	(36, 'The price of bread is 1,234,56 dollars.', 'The price of bread is 7 dollars.'),
	(37, 'The price of bread is 5. Dollars.', 'The price of bread is 7 dollars.'),
	(38, 'The price of bread is 5 loaves.', 'The price of bread is 7 loaves.'),
	(39, 'The price of bread is 5 or so dollars.', 'The price of bread is 7 dollars.'),
	(40, 'The price of bread is 5-7 dollars.', 'The price of bread is 7 dollars.'),
	(41, 'The price of bread is 5, or 7 dollars.', 'The price of bread is 8 dollars.'),
	(42, 'The price of bread is 5 dollars.', 'The price of bread is .7 dollars.'),
	-- the longest unit
	(51, 'Refunds of orders take 5 business days.', 'Refunds of orders take 7 days.'),
	(52, 'Refunds of orders take 5 calendar days.', 'Refunds of orders take 7 days.'),
	(53, 'Refunds of orders take 5-day steps.', 'Refunds of orders take 7 days.')) AS v (n, a, b) ORDER BY n;

-- Copies: the same sentence with another value, or negated, whatever it is about.
SELECT n, pg_temp.found(a, b) AS ab, pg_temp.found(b, a) AS ba FROM (VALUES
	(1, 'Parcels to the islands arrive within 14 days.', 'Parcels to the islands arrive within 30 days.'),
	(2, 'Parcels to the islands arrive within fourteen days.', 'So parcels to islands arrive within thirty days.'),
	(3, 'Parcels to the islands arrive within fourteen days.', 'Parcels to the islands arrive within 14 days.'),
	(4, 'Parcels to the islands never arrive.', 'Parcels to the islands arrive.'),
	(5, 'Parcels to the islands don''t arrive.', 'Parcels to the islands never arrive.'),
	(6, 'Parcels to the islands never arrive late.', 'Parcels to the islands arrive.'),
	(7, 'The mill on the hill opens at 9:30.', 'The mill on the hill opens at 10:05.'),
	(8, 'The mill on the hill opens at 9 a.m.', 'The mill on the hill opens at 9 pm.'),
	(9, 'The mill on the hill opens at 12 am.', 'The mill on the hill opens at 0:00.'),
	-- of several units the first by code point, of each side its least value
	(10, 'Parcels to islands take 9 days or 7 days.', 'Parcels to islands take 8 days or 6 days.'),
	(11, 'Disks of islands hold 5 GB for 5 days.', 'Disks of islands hold 4 GB for 4 days.'),
	(12, 'Parcels to islands take 9 days or 7 days.', 'Parcels to islands take 7 days or 6 days.'),
	(13, 'Parcels to islands take 9 days.', 'Parcels to islands take 7 hours.'),
	(14, 'Parcels to islands take bay 9.', 'Parcels to islands take bay 7.'),
	(15, 'Parcels to islands take 9 days.', 'Parcels to islands take bay 7.'),
	-- every name of each stands in the other; enough is the same
	(21, 'Parcels to Malta arrive within 5 days.', 'Parcels to Crete arrive within 9 days.'),
	(22, 'Parcels to Malta arrive within 5 days.', 'Parcels to Malta arrive within 9 days.'),
	(23, 'Parcels arrive within 5 days.', 'Parcels arrive within 9 days.'),
	(24, 'Parcels to islands arrive by ferry within 5 days.', 'Parcels to islands arrive by truck within 9 days.'),
	(25, 'Parcels to islands arrive by ferry within 5 days.', 'Parcels to islands arrive within 9 days.'),
	(26, 'Parcels to islands arrive within 5 days.',
		'Parcels to islands arrive by ferry, by mail or by truck within 9 days.'),
	-- nothing where the other text says the same, too
	(31, 'Parcels to islands arrive within 5 days.',
		'Parcels to islands arrive within 9 days. Parcels to islands arrive within 5 days.'),
	(32, 'Parcels to islands arrive within 5 days. Parcels to islands arrive within 9 days.',
		'Parcels to islands arrive within 9 days. Parcels to islands arrive within 5 days.'),
	(33, 'Letters to islands arrive within 1 day. Parcels to islands arrive within 5 days.',
		'Letters to islands arrive within 2 days. Parcels to islands arrive within 9 days.'),
	-- qualifiers hold here as well; topics do not
	(41, 'Backups to the islands arrive within 5 days.', 'Backups to the islands arrive within 9 days.'),
	(42, 'Parcels to the islands arrive within 5 days. Backups too.',
		'Parcels to the islands arrive within 9 days.')) AS v (n, a, b) ORDER BY n;

-- Facts: of one thing, with no value in common, whatever topics the texts have; what the texts say comes first.
CREATE FUNCTION pg_temp.facts(a jsonb, b jsonb, said text DEFAULT 'Nothing of the kind. ') RETURNS text
LANGUAGE sql AS $$
	SELECT concat(p->>'kind', ' ' || (p->>'conflict_type'), ': ' || (p->>'reason'), ' ' || (p->>'evidence_snippets'))
	FROM (SELECT answer_conflicts(jsonb_build_array(
		jsonb_build_object('chunk_id', 'a#p0', 'doc_id', 'a', 'text', said
			|| jsonb_path_query_array(a, '$[*].quote')::text, 'similarity', 0.9, 'facts', a),
		jsonb_build_object('chunk_id', 'b#p0', 'doc_id', 'b', 'text', 'Backups only. '
			|| jsonb_path_query_array(b, '$[*].quote')::text, 'similarity', 0.9, 'facts', b)))
		#> '{pairs,0}') AS x (p) $$;
CREATE FUNCTION pg_temp.fact(value text, patch jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('subject', 'Order', 'attribute', 'limit', 'value', value, 'quote', 'says ' || value)
		|| patch $$;
SELECT n, pg_temp.facts(a, b) AS ab FROM (VALUES
	(1, jsonb_build_array(pg_temp.fact('5 days')), jsonb_build_array(pg_temp.fact('9 days'))),
	(2, jsonb_build_array(pg_temp.fact('5', '{"unit": "days"}')), jsonb_build_array(pg_temp.fact('five days'))),
	(3, jsonb_build_array(pg_temp.fact('red')), jsonb_build_array(pg_temp.fact('blue'))),
	(4, jsonb_build_array(pg_temp.fact('Light  Red')), jsonb_build_array(pg_temp.fact('light red'))),
	(5, jsonb_build_array(pg_temp.fact('red')), jsonb_build_array(pg_temp.fact('blue', '{"subject": " order "}'))),
	(6, jsonb_build_array(pg_temp.fact('red')), jsonb_build_array(pg_temp.fact('blue', '{"subject": "orders"}'))),
	(7, jsonb_build_array(pg_temp.fact('red')), jsonb_build_array(pg_temp.fact('blue', '{"scope": "EU"}'))),
	(8, jsonb_build_array(pg_temp.fact('red', '{"scope": "eu"}')),
		jsonb_build_array(pg_temp.fact('blue', '{"scope": "EU"}'))),
	(9, jsonb_build_array(pg_temp.fact('red'), pg_temp.fact('blue')), jsonb_build_array(pg_temp.fact('blue'))),
	(10, '[]', jsonb_build_array(pg_temp.fact('blue')))) AS v (n, a, b) ORDER BY n;
SELECT answer_conflicts('[
	{"chunk_id": "a#p0", "doc_id": "a", "text": "Tickets are refundable. So says Éva.", "similarity": 0.9,
	 "facts": [{"subject": "seat", "attribute": "row", "value": "4", "quote": "So says Éva"}]},
	{"chunk_id": "b#p0", "doc_id": "b", "text": "Tickets are non-refundable.", "similarity": 0.9,
	 "facts": [{"subject": "Seat", "attribute": "Row", "value": "5", "quote": "non-refundable"}]}]') AS words_first;
SELECT f AS facts, attempt(format('SELECT pg_temp.facts(%L, NULL)', f)) AS error
	FROM unnest(ARRAY['1', '{}', '[1]', '[{}]',
	'[{"subject": "a", "attribute": "b", "value": "c"}]',
	'[{"subject": "a", "attribute": "b", "value": {}, "quote": "x"}]']) AS f;

-- The first rule that holds gives the entry: encryption, refund, policy, numeric, copy.
SELECT n, pg_temp.found(a, b) FROM (VALUES
	(1, 'SSNs may be stored as plaintext for 5 days.', 'SSNs must not be stored as plaintext for 6 days.'),
	(2, 'Tickets are refundable for 5 days and may be sold.',
		'Tickets are non-refundable for 6 days and must not be sold.'),
	(3, 'Drivers can access logs for 5 days.', 'Drivers cannot access logs for 6 days.'),
	(4, 'The price of bread and of cakes is $ 5.',
		'The price of bread and of cakes is $ 6.')) AS v (n, a, b) ORDER BY n;

-- A document does not conflict with itself.
SELECT answer_conflicts('[
	{"chunk_id": "a#p0", "doc_id": "a", "text": "Tickets are refundable.", "similarity": 0.9},
	{"chunk_id": "a#p1", "doc_id": "a", "text": "Tickets are non-refundable.", "similarity": 0.9}]');

-- Every pair is there, in the order of the chunks; the type is that of the first.
SELECT r->>'summary' AS summary, r->>'conflict_type' AS type, r->'compared' AS compared,
	(SELECT string_agg(concat(p#>>'{chunk_a,chunk_id}', '~', p#>>'{chunk_b,chunk_id}', ' ', p->>'kind'), ', '
		ORDER BY o)
		FROM jsonb_array_elements(r->'pairs') WITH ORDINALITY AS x (p, o)) AS pairs
FROM (SELECT answer_conflicts(jsonb_agg(jsonb_build_object('chunk_id', d || '#p0', 'doc_id', d, 'text', t,
	'similarity', 0.5) ORDER BY o)) AS r FROM (VALUES
	(1, 'd1', 'Rate limit: 5 requests per hour.'), (2, 'd2', 'Tickets are refundable.'),
	(3, 'd3', 'Rate limit: 6 requests per hour.'), (4, 'd4', 'Tickets are non-refundable.'),
	(5, 'd5', 'No refunds on tickets. Rate limit: 7 requests per hour.'),
	(6, 'd6', 'Nothing of the kind.')) AS v (o, d, t)) AS x;

-- Snippets: 50 characters on each side of the deciding words, trimmed, with dots where they are cut.
SELECT p#>>'{evidence_snippets,a}' AS a, p#>>'{evidence_snippets,b}' AS b FROM (VALUES
	('Tickets are refundable.', 'Tickets are NON-Refundable.'),
	(repeat('x', 49) || ' refundable ' || repeat('y', 49), repeat('x', 50) || ' non-refundable ' || repeat('y', 50)),
	(repeat('é', 60) || ' refundable ' || repeat('漢', 60), repeat('ab ', 30) || 'non-refundable' || repeat(' cd', 30)),
	('  Tickets are refundable.  ', E'\n\tTickets are non-refundable.\n'),
	('Refundable are tickets, and meals, coats, hats, rooms, cars, boats and other things are refundable, too.',
		'Tickets are non-refundable. Unless stated otherwise, meals are non-refundable.'),
	('Rate limit for all that is written here and for much that is not: $ 5.',
		'Rate limit: 5 users, or 7 dollars, or $7 more.'),
	('Nobody knows that parcels to the islands, the small ones, arrive within 14 days.',
		'Nobody knows that parcels to the islands, the small ones, arrive within 30 days when it storms.'),
	('Ferries to the islands of the west and those of the north never sail in the storms of a winter.',
		'Ferries to the islands of the west and those of the north sail in the storms of a winter.'))
	AS v (a, b), jsonb_path_query(answer_conflicts(pg_temp.two_chunks(v.a, v.b)), '$.pairs[0]') AS p;

-- Rows that users add are looked at; without any, nothing conflicts.
SELECT pg_temp.found('Dogs may enter the hall.', 'Dogs must not enter the hall.', jsonb_set(r, '{topics}',
		(r->'topics') || '{"entry": "dogs", "family": "animals"}')) AS topic,
	pg_temp.found('Dogs'' access to halls is tolerated.', 'Dogs'' access to halls is verboten.',
		jsonb_set(jsonb_set(r, '{allow}', (r->'allow') || '"tolerated"'),
			'{prohibit}', (r->'prohibit') || '"verboten"')) AS words,
	pg_temp.found('Badges for access hold 5 bits.', 'Badges for access hold 6 bits.',
		jsonb_set(r, '{units,bits}', '["bits"]')) AS unit,
	pg_temp.found('Tickets are refundable.', 'Tickets are non-refundable.',
		jsonb_set(r, '{topics}', '[]')) AS no_topics,
	pg_temp.found('The price of bread is $5.', 'The price of bread is $6.', jsonb_set(r, '{units}', '{}')) AS no_units
FROM answer.shipped_decision_rules() AS r;

-- Time grows with the text: a word of two letters does not end the search for what turns it. pgtap/house_size has ten
-- times as much.
SET statement_timeout = '2min';
SELECT pg_temp.found('ssn no ' || repeat('xx ', 50000), 'SSNs must be encrypted.',
	jsonb_set(r, '{encrypt}', r -> 'encrypt' || '"xx"')) AS all_turned,
	pg_temp.found('ssn no key ' || repeat('xx ', 50000), 'SSNs must be encrypted.',
	jsonb_set(r, '{encrypt}', r -> 'encrypt' || '"xx"')) AS none_turned
FROM answer.shipped_decision_rules() AS r;
RESET statement_timeout;

-- Malformed chunks.
SELECT c AS chunks, attempt(format('SELECT answer_conflicts(%L)', c)) AS error
	FROM unnest(ARRAY['1', '{}', '[1]', '[{}]',
	'[{"chunk_id": "a#p0", "doc_id": "a", "text": "x", "similarity": 2}]',
	'[{"chunk_id": "a#p0", "doc_id": "a", "text": "x", "similarity": 1},
	  {"chunk_id": "a#p0", "doc_id": "b", "text": "x", "similarity": 1}]']) AS c;

-- The labelled pairs: which halves they are in follows from their ids, and these are the figures.
SELECT count(*) AS pairs, count(DISTINCT id) AS ids, count(DISTINCT (a, b)) AS texts,
	count(*) FILTER (WHERE conflict) AS conflicting,
	bool_and(half = CASE WHEN get_byte(decode(md5(id), 'hex'), 15) % 2 = 0 THEN 'tune' ELSE 'held' END) AS hashed,
	bool_and((kind IS NOT NULL) = conflict) AS has_kind FROM labelled;
SELECT *, round(100.0 * falsely / agreeing, 1) AS "% false", round(100.0 * missed / conflicting, 1) AS "% missed"
	FROM judgement ORDER BY half COLLATE "C" DESC;
SELECT half, coalesce(kind, '(none)') AS labelled, coalesce(found_kind, '(none)') AS found, count(*) FROM judged
	WHERE kind IS DISTINCT FROM found_kind GROUP BY 1, 2, 3 ORDER BY half COLLATE "C" DESC, 2, 3;
