-- text-score/2, worked out by hand: covers, needs, titles, rounding.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SELECT plan(22);

-- The weights: refund 2, day 1, so W is 3; "30" is 1.
SELECT is(answer.text_score(q, t, h), want::numeric, concat_ws(' / ', q, t, h)) FROM (VALUES
	-- covers
	(1, 'refund days', 'Refunds take 5 days.', NULL, '1.0000'),
	(2, 'refund days', 'Nothing of it.', NULL, '0.0000'),
	(3, 'refund days', 'Refunds are given. They take days.', NULL, '0.7778'),	-- (3 + 2 + 2) / 9
	(4, 'refund days', 'Refunds are given. So it is. They take days.', NULL, '0.7778'),
	(5, 'days refund', 'Days pass. So it is. Refunds are given.', NULL, '0.7778'),
	(6, 'refund days', 'They take days.', 'Refunds', '0.7778'),	-- (3 + 3 + 1) / 9
	(7, 'refund days', 'Nothing of it.', 'Refunds', '0.4444'),	-- (2 + 2 + 0) / 9
	(8, 'refund days', '', 'Refunds', '0.6667'),	-- the title is the text
	(9, 'refund days', '', NULL, '0.0000'),
	(10, '', 'Refunds take 5 days.', NULL, '0.0000'),
	-- tokens that only ask
	(11, 'how long', 'A long day.', NULL, '1.0000'),
	(12, 'how long is a refund', 'A refund.', NULL, '1.0000'),
	(13, 'how is it', 'It is.', NULL, '0.6667'),
	-- needs: values
	(14, 'refund in 30 days', 'Refunds take thirty days.', NULL, '1.0000'),
	(15, 'refund in 30 days', 'Refunds take 30 hours.', NULL, '0.3750'),	-- 3/4, and the value is another
	(16, 'refund in 30 days', 'Refunds take 30.', NULL, '0.7500'),	-- without a unit it is equal
	(17, 'refund in 30 days', 'Refunds take 14 days.', NULL, '0.3750'),
	(18, 'refund in 30 days', 'Refunds take days.', 'In 30 days', '0.9167'),	-- (4 + 4 + 3) / 12
	-- needs: names
	(19, 'does Brown refund', 'Refunds are given.', NULL, '0.2500'),
	(20, 'does Brown refund', 'Mr. Brown gives refunds.', NULL, '1.0000'),
	-- half-even: 1/16 and 3/16 of the weight, and the value is missing: 0.03125, 0.09375
	(21, '77 cat orange button window garden silver planet yellow', 'A cat.', NULL, '0.0312'),
	(22, '77 cat orange button window garden silver planet yellow', 'A cat in the garden.', NULL, '0.0938')
) AS x(n, q, t, h, want) ORDER BY n;

SELECT * FROM finish();
ROLLBACK;
