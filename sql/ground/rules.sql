
/* ground: the rules of decisions as rows, and the document made of them */

-- No foreign keys, for the reason given in evidence.sql.

CREATE TABLE answer.decision_rule
(
	list		text NOT NULL,
	entry		text NOT NULL CHECK (entry OPERATOR(pg_catalog.<>) ''),
	detail		jsonb NOT NULL DEFAULT '{}' CHECK (pg_catalog.jsonb_typeof(detail) OPERATOR(pg_catalog.=) 'object'),
	excluded	boolean NOT NULL DEFAULT false,
	position	integer NOT NULL,
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (list, entry, seed),
	CHECK (list OPERATOR(pg_catalog.=) ANY ('{allow,prohibit,refund_allowed,refund_refused,encrypt,plaintext,negators,not_negating,encryption_waived,exceptions,topics,units,stop_words,insufficiency,risk.high,risk.medium,ambiguity,months}'::pg_catalog.text[])),
	CHECK (NOT (seed AND excluded))
);
COMMENT ON TABLE answer.decision_rule IS 'Rules of decisions (decision/1), one list entry per row. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.list IS 'Member of the document to which the entry belongs; risk.high and risk.medium are the two lists of risk. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.entry IS 'The word or phrase; for ambiguity, the clarifying question. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.detail IS 'Further members: for topics {"family", "kind"?}, for units {"unit"}, for ambiguity the other members of the row, otherwise {}. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.excluded IS 'True if the shipped entry of that name is disabled. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.position IS 'Position in its list; users'' entries come after the shipped ones. See doc/tables.md#answerdecision_rule.';
COMMENT ON COLUMN answer.decision_rule.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerdecision_rule.';

-- From the document that the pure functions use when they are given no rules: one source for both.
INSERT INTO answer.decision_rule (list, entry, detail, position, seed)
WITH document AS MATERIALIZED (SELECT answer.shipped_decision_rules() AS rules)
SELECT l.list, l.item OPERATOR(pg_catalog.#>>) '{}', '{}'::pg_catalog.jsonb, l.n, true
FROM document d, LATERAL (
	SELECT m.key AS list, w.item, w.n FROM pg_catalog.jsonb_each(d.rules) AS m,
		pg_catalog.jsonb_array_elements(m.value) WITH ORDINALITY AS w (item, n)
	WHERE m.key OPERATOR(pg_catalog.<>) ALL ('{topics,units,risk,ambiguity,reading}'::pg_catalog.text[])
	UNION ALL SELECT pg_catalog.concat('risk.', m.key), w.item, w.n
	FROM pg_catalog.jsonb_each(d.rules OPERATOR(pg_catalog.->) 'risk') AS m,
		pg_catalog.jsonb_array_elements(m.value) WITH ORDINALITY AS w (item, n)) AS l
UNION ALL SELECT 'topics', w.item OPERATOR(pg_catalog.->>) 'entry', w.item OPERATOR(pg_catalog.-) 'entry', w.n, true
FROM document d, pg_catalog.jsonb_array_elements(d.rules OPERATOR(pg_catalog.->) 'topics') WITH ORDINALITY AS w (item, n)
UNION ALL SELECT 'ambiguity', w.item OPERATOR(pg_catalog.->>) 'question', w.item OPERATOR(pg_catalog.-) 'question', w.n, true
FROM document d, pg_catalog.jsonb_array_elements(d.rules OPERATOR(pg_catalog.->) 'ambiguity') WITH ORDINALITY AS w (item, n)
UNION ALL SELECT 'units', w.entry, pg_catalog.jsonb_build_object('unit', u.key), w.n, true
FROM document d, pg_catalog.jsonb_each(d.rules OPERATOR(pg_catalog.->) 'units') AS u,
	pg_catalog.jsonb_array_elements_text(u.value) WITH ORDINALITY AS w (entry, n);

CREATE TRIGGER tells_of_changes BEFORE INSERT OR UPDATE OR DELETE ON answer.decision_rule
FOR EACH ROW EXECUTE FUNCTION answer.tells_of_changes();
SELECT pg_catalog.pg_extension_config_dump('answer.decision_rule', 'WHERE NOT seed');

-- One document, in the form of the shipped one. OFFSET 0 prevents it from being rebuilt for each row that it is
-- joined to.
CREATE VIEW answer.decision_rules AS
WITH rule AS (
	SELECT r.list, r.entry, r.detail, pg_catalog.row_number() OVER (PARTITION BY r.list
		ORDER BY r.seed DESC, r.position, r.entry COLLATE "C") AS n
	FROM answer.decision_rule r
	WHERE NOT r.excluded AND (NOT r.seed OR NOT EXISTS (SELECT FROM answer.decision_rule u
		WHERE u.list OPERATOR(pg_catalog.=) r.list AND u.entry OPERATOR(pg_catalog.=) r.entry AND NOT u.seed))
), listed AS (
	SELECT n.list, COALESCE((SELECT pg_catalog.jsonb_agg(CASE r.list
			WHEN 'topics' THEN pg_catalog.jsonb_build_object('entry', r.entry) OPERATOR(pg_catalog.||) r.detail
			WHEN 'ambiguity' THEN pg_catalog.jsonb_build_object('question', r.entry) OPERATOR(pg_catalog.||) r.detail
			ELSE pg_catalog.to_jsonb(r.entry) END ORDER BY r.n)
		FROM rule r WHERE r.list OPERATOR(pg_catalog.=) n.list), '[]') AS entries
	FROM (VALUES ('allow'), ('prohibit'), ('refund_allowed'), ('refund_refused'), ('encrypt'), ('plaintext'), ('negators'),
		('not_negating'), ('encryption_waived'), ('exceptions'), ('topics'), ('stop_words'), ('insufficiency'), ('ambiguity'),
		('months')) AS n (list)
)
SELECT (SELECT pg_catalog.jsonb_object_agg(l.list, l.entries) FROM listed l)
	OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object(
		'units', COALESCE((SELECT pg_catalog.jsonb_object_agg(u.unit, u.entries) FROM (
			SELECT r.detail OPERATOR(pg_catalog.->>) 'unit' AS unit, pg_catalog.jsonb_agg(r.entry ORDER BY r.n) AS entries
			FROM rule r WHERE r.list OPERATOR(pg_catalog.=) 'units' GROUP BY 1) AS u), '{}'),
		'risk', pg_catalog.jsonb_build_object(
			'high', COALESCE((SELECT pg_catalog.jsonb_agg(r.entry ORDER BY r.n) FROM rule r WHERE r.list OPERATOR(pg_catalog.=) 'risk.high'), '[]'),
			'medium', COALESCE((SELECT pg_catalog.jsonb_agg(r.entry ORDER BY r.n) FROM rule r WHERE r.list OPERATOR(pg_catalog.=) 'risk.medium'), '[]')),
		-- rows cannot extend how texts are read
		'reading', answer.shipped_decision_rules() OPERATOR(pg_catalog.->) 'reading') AS rules
OFFSET 0;
COMMENT ON VIEW answer.decision_rules IS 'The rules of decisions as one document, which answer_decide takes and receipts contain. See doc/tables.md#answerdecision_rules.';
COMMENT ON COLUMN answer.decision_rules.rules IS 'The document: word lists, topics, units, risk, ambiguity, months and reading, in a fixed order. See doc/tables.md#answerdecision_rules.';

CREATE FUNCTION answer.decision_rules() RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_decision_rules'
LANGUAGE C STABLE PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION answer.decision_rules() IS
'Returns the present rules of decisions: the shipped ones, without those removed and with those registered. See doc/reference.md#answerdecision_rules.';

CREATE FUNCTION answer.rules_stay() RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	LOCK TABLE answer.decision_rule IN SHARE MODE;
END
$$;
COMMENT ON FUNCTION answer.rules_stay() IS
'Prevents others from changing rules until the transaction ends, because what was read by them is stored; not for direct use.';

-- the last step of every change of a rule: the pure functions must accept the document
CREATE FUNCTION answer.decision_rules_check(list text, entry text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM answer.risk('', r.rules) FROM answer.decision_rules r;
	PERFORM answer.change_record_put('', 'decision_rule', concat(list, ': ', entry));
END
$$;
COMMENT ON FUNCTION answer.decision_rules_check(text, text) IS
'Refuses rules that no decision could be made by, and records the change of one of them; not for direct use.';

CREATE FUNCTION answer.decision_rule_register_put(list text, entry text, detail jsonb, replace boolean) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	lists CONSTANT text[] := '{allow,prohibit,refund_allowed,refund_refused,encrypt,plaintext,negators,not_negating,encryption_waived,exceptions,topics,units,stop_words,insufficiency,risk.high,risk.medium,ambiguity,months}';
	wanted jsonb;
	shipped answer.decision_rule;
	own answer.decision_rule;
BEGIN
	IF list IS NULL OR entry IS NULL OR detail IS NULL OR replace IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'list, entry, detail and replace must not be null';
	END IF;
	IF list <> ALL (lists) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('there is no list "%s" of rules', list),
			detail = format('The lists are %s.', array_to_string(lists, ', '));
	END IF;
	IF entry = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('an entry of list "%s" must not be empty', list);
	END IF;
	IF jsonb_typeof(detail) <> 'object' OR (list NOT IN ('topics', 'units', 'ambiguity') AND detail <> '{}')
		OR list = 'topics' AND (jsonb_typeof(detail -> 'family') IS DISTINCT FROM 'string' OR detail - '{family,kind}'::text[] <> '{}')
		OR list = 'units' AND (jsonb_typeof(detail -> 'unit') IS DISTINCT FROM 'string' OR detail - 'unit' <> '{}')
		OR list = 'ambiguity' AND (jsonb_typeof(detail -> 'holds') IS DISTINCT FROM 'array' OR detail ? 'question') THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('detail of entry "%s" of list "%s" is malformed', entry, list),
			detail = format('It is %s.', left(detail::text, 200)),
			hint = format('This list takes %s.', CASE list WHEN 'topics' THEN '{"family": word, "kind"?: "qualifier" or "quantity"}' WHEN 'units' THEN '{"unit": name}'
				WHEN 'ambiguity' THEN '{"holds": [words], ...}, without "question"' ELSE '{}' END);
	END IF;
	IF list <> 'ambiguity' AND (answer.search_items('', entry, '')).items = '{}' THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('entry "%s" of list "%s" has no word', entry, list),
			detail = 'A word is of letters, marks and decimal digits; nothing else matches.';
	END IF;
	-- bytes that no document could contain would make the document unusable for everybody
	wanted := answer.portable(detail);
	PERFORM @extschema@.answer_canonical(jsonb_build_array(list, entry, wanted));
	-- one at a time, because the positions of entries are counted; readers do not wait
	PERFORM answer.lock_tables('answer.decision_rule', 'SHARE ROW EXCLUSIVE', current_setting('lock_timeout'));
	SELECT r.* INTO shipped FROM answer.decision_rule r WHERE r.list = decision_rule_register_put.list
		AND r.entry = decision_rule_register_put.entry AND r.seed;
	SELECT r.* INTO own FROM answer.decision_rule r WHERE r.list = decision_rule_register_put.list
		AND r.entry = decision_rule_register_put.entry AND NOT r.seed;
	IF NOT replace AND (own.entry IS NOT NULL AND NOT own.excluded AND own.detail <> wanted
		OR own.entry IS NULL AND shipped.entry IS NOT NULL AND shipped.detail <> wanted) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('entry "%s" of list "%s" is registered already with other values', entry, list),
			detail = format('Its detail is %s.', COALESCE(own.detail, shipped.detail)),
			hint = 'To change it, give replace => true.';
	END IF;
	IF shipped.detail = wanted THEN
		-- as shipped, whatever a user made of it
		DELETE FROM answer.decision_rule r WHERE r.list = shipped.list AND r.entry = shipped.entry AND NOT r.seed;
	ELSIF own.detail = wanted AND NOT own.excluded THEN
		RETURN;
	ELSE
		INSERT INTO answer.decision_rule AS r (list, entry, detail, position)
		SELECT list, entry, wanted, COALESCE(max(o.position), 0) + 1
		FROM answer.decision_rule o WHERE o.list = decision_rule_register_put.list
		ON CONFLICT ON CONSTRAINT decision_rule_pkey DO UPDATE SET detail = excluded.detail, excluded = false;
	END IF;
	PERFORM answer.decision_rules_check(list, entry);
END
$$;
COMMENT ON FUNCTION answer.decision_rule_register_put(text, text, jsonb, boolean) IS
'Writes a rule for answer_decision_rule_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_decision_rule_register(list text, entry text, detail jsonb DEFAULT '{}', replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_decision_rule_register(text, text, jsonb, boolean) IS
'Registers a list entry of the rules of decisions, and signs a record of that (change/v1). See doc/reference.md#answer_decision_rule_register.';

CREATE FUNCTION answer.decision_rule_remove_put(list text, entry text) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	shipped answer.decision_rule;
	own answer.decision_rule;
	place bigint;
BEGIN
	IF list IS NULL OR entry IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'list and entry must not be null';
	END IF;
	PERFORM answer.lock_tables('answer.decision_rule', 'SHARE ROW EXCLUSIVE', current_setting('lock_timeout'));
	SELECT r.* INTO shipped FROM answer.decision_rule r WHERE r.list = decision_rule_remove_put.list
		AND r.entry = decision_rule_remove_put.entry AND r.seed;
	SELECT r.* INTO own FROM answer.decision_rule r WHERE r.list = decision_rule_remove_put.list
		AND r.entry = decision_rule_remove_put.entry AND NOT r.seed;
	IF own.excluded OR (own.entry IS NULL AND shipped.entry IS NULL) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('there is no entry "%s" in list "%s" of the rules', entry, list),
			hint = 'answer.decision_rules() returns the present rules.';
	END IF;
	-- rows of ambiguity refer to others by position
	IF list = 'ambiguity' THEN
		SELECT a.n - 1 INTO place FROM answer.decision_rules d, jsonb_array_elements(d.rules -> 'ambiguity') WITH ORDINALITY AS a (row, n)
		WHERE a.row ->> 'question' = entry;
		IF EXISTS (SELECT FROM answer.decision_rules d, jsonb_array_elements(d.rules -> 'ambiguity') AS a (row)
			WHERE a.row ->> 'question' <> entry AND jsonb_typeof(a.row -> 'or_after_opens_of') = 'number'
			AND (a.row -> 'or_after_opens_of')::numeric >= place) THEN
			RAISE EXCEPTION USING errcode = '55000', message = format('another row of ambiguity names the place of "%s" or a later one', entry),
				detail = 'Its member "or_after_opens_of" is a place, counted from 0.',
				hint = 'Remove that row first.';
		END IF;
	END IF;
	IF shipped.entry IS NULL THEN
		DELETE FROM answer.decision_rule r WHERE r.list = own.list AND r.entry = own.entry AND NOT r.seed;
	ELSE
		INSERT INTO answer.decision_rule AS r (list, entry, detail, excluded, position)
		VALUES (shipped.list, shipped.entry, '{}', true, shipped.position)
		ON CONFLICT ON CONSTRAINT decision_rule_pkey DO UPDATE SET detail = '{}', excluded = true;
	END IF;
	PERFORM answer.decision_rules_check(list, entry);
END
$$;
COMMENT ON FUNCTION answer.decision_rule_remove_put(text, text) IS
'Removes a rule for answer_decision_rule_remove(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_decision_rule_remove(list text, entry text) RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_decision_rule_remove(text, text) IS
'Removes a list entry of the rules of decisions, and signs a record of that (change/v1). See doc/reference.md#answer_decision_rule_remove.';

REVOKE ALL ON answer.decision_rule, answer.decision_rules FROM PUBLIC;
REVOKE ALL ON FUNCTION
	answer.decision_rules(),
	answer.rules_stay(),
	answer.decision_rules_check(text, text),
	answer.decision_rule_register_put(text, text, jsonb, boolean),
	@extschema@.answer_decision_rule_register(text, text, jsonb, boolean),
	answer.decision_rule_remove_put(text, text),
	@extschema@.answer_decision_rule_remove(text, text)
FROM PUBLIC;
