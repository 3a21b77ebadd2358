
/* dashboard: one page for people without Grafana */

CREATE FUNCTION answer.html_text(text text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_html_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.html_text(text) IS
'A text as it can stand in a page of HTML; not for direct use. Argument: any text. Result: an element bdi with the text in plain ASCII, each other character as a reference, and each that does not show as what it is. Errors: 22021 for bytes that are no text.';

CREATE FUNCTION answer.receipt_columns(body jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_receipt_columns'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.receipt_columns(jsonb) IS
'What the columns of answer.receipt must say beside a document; not for direct use. Argument: the document. Result: {"schema", "verdict", "intent", "degraded"}, null where a column is NULL; NULL for what is no document of a kind that is signed here. Errors: none.';

-- Verified when it is asked for, so it is for few.
CREATE FUNCTION answer.dashboard_receipts_of(tenants text[], most integer)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, schema text, verdict text, intent text, confidence float8, state text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	IF most IS NULL THEN
		RAISE EXCEPTION 'most must not be null' USING ERRCODE = '22004';
	END IF;
	IF most NOT BETWEEN 1 AND 100 THEN
		RAISE EXCEPTION 'most must be from 1 to 100, not %', most USING ERRCODE = '22023';
	END IF;
	RETURN QUERY
	WITH latest AS MATERIALIZED (
		-- by tenant, so that none walks over what others have
		SELECT r.*
		FROM (SELECT DISTINCT name FROM unnest(tenants) AS u (name)) AS t
		CROSS JOIN LATERAL (
			SELECT o.issued_at, o.tenant, o.receipt_id, o.schema, o.verdict, o.intent, o.confidence, o.degraded, o.key_id, o.body
			FROM answer.receipt o
			WHERE o.tenant = t.name
			ORDER BY o.issued_at DESC
			LIMIT most) AS r
		ORDER BY r.issued_at DESC
		LIMIT most
	)
	SELECT l.issued_at, l.tenant, l.receipt_id, l.schema, l.verdict, l.intent, l.confidence,
		CASE WHEN l.body ->> 'receipt_id' IS DISTINCT FROM l.receipt_id OR coalesce(l.body ->> 'tenant', '') <> l.tenant THEN 'altered'
			WHEN l.body ->> 'schema' = 'answer/tombstone/v1'
				THEN CASE WHEN @extschema@.answer_verify_ok(l.body) THEN 'forgotten' ELSE 'not verified' END
			WHEN c.columns IS NULL OR c.columns ->> 'schema' <> l.schema OR c.columns ->> 'verdict' IS DISTINCT FROM l.verdict
				OR c.columns ->> 'intent' IS DISTINCT FROM l.intent OR (c.columns ->> 'degraded')::boolean IS DISTINCT FROM l.degraded
				OR l.body #>> '{signature,key_id}' IS DISTINCT FROM l.key_id
				OR CASE WHEN l.confidence IS NULL THEN false ELSE l.body -> 'confidence' IS DISTINCT FROM to_jsonb(l.confidence) END
				OR l.body ->> 'issued_at' IS DISTINCT FROM to_char(l.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
				THEN 'altered'
			-- the page is to be quick: whoever wants to know of a large one verifies it
			WHEN pg_column_size(l.body) > 262144 THEN 'not judged'
			WHEN @extschema@.answer_verify_ok(l.body) THEN 'verified'
			ELSE 'not verified' END
	FROM latest l
	CROSS JOIN LATERAL (SELECT answer.receipt_columns(l.body) AS columns) AS c
	ORDER BY l.issued_at DESC, l.receipt_id COLLATE "C";
END
$$;
COMMENT ON FUNCTION answer.dashboard_receipts_of(text[], integer) IS
'Lists and verifies receipts for answer_dashboard_receipts(), with the tenants that it has found; not for direct use. Arguments, result and errors: as there.';

CREATE FUNCTION @extschema@.answer_dashboard_receipts(most integer DEFAULT 20)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, schema text, verdict text, intent text, confidence float8, state text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_dashboard_receipts(integer) IS
'The latest receipts, each verified now by the registry of keys, for who may read dashboards and no bodies. Argument: how many at most, up to 100. Result: columns of answer.receipt, the latest first, of the tenants that the role may read, and state: verified; not verified; altered, if a column says something else than the document; forgotten, of a tombstone that verifies; not judged, of one whose document takes more than 262144 bytes. Errors: 22004 for NULL, 22023 for another number, 42501 without the privilege, and as of answer_tenant_reads().';

CREATE FUNCTION answer.dashboard_gates_of(tenants text[], most integer)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, environment text, action text, outcome text, detail text, state text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000 ROWS 20
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	IF most IS NULL THEN
		RAISE EXCEPTION 'most must not be null' USING ERRCODE = '22004';
	END IF;
	IF most NOT BETWEEN 1 AND 100 THEN
		RAISE EXCEPTION 'most must be from 1 to 100, not %', most USING ERRCODE = '22023';
	END IF;
	RETURN QUERY
	SELECT r.issued_at, r.tenant, r.receipt_id, r.body ->> 'name', r.body ->> 'action', r.body #>> '{step,outcome}',
		coalesce(r.body #>> '{step,failures,0}', r.body #>> '{step,reason}'),
		CASE WHEN r.body ->> 'receipt_id' = r.receipt_id AND coalesce(r.body ->> 'tenant', '') = r.tenant AND @extschema@.answer_verify_ok(r.body)
			THEN 'verified' ELSE 'not verified' END
	FROM (SELECT s.issued_at, s.tenant, s.receipt_id, s.body FROM answer.receipt s
		WHERE s.schema = 'change/v1' AND s.tenant = ANY (tenants) AND s.body ->> 'kind' = 'environment'
		ORDER BY s.issued_at DESC, s.receipt_id COLLATE "C"
		LIMIT most) AS r
	ORDER BY r.issued_at DESC, r.receipt_id COLLATE "C";
END
$$;
COMMENT ON FUNCTION answer.dashboard_gates_of(text[], integer) IS
'Lists steps of environments for answer_dashboard_gates(), with the tenants that it has found; not for direct use. Arguments, result and errors: as there.';

CREATE FUNCTION @extschema@.answer_dashboard_gates(most integer DEFAULT 20)
RETURNS TABLE (issued_at timestamptz, tenant text, receipt_id text, environment text, action text, outcome text, detail text, state text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000 ROWS 20;
COMMENT ON FUNCTION @extschema@.answer_dashboard_gates(integer) IS
'The latest steps of environments and what their gates said, as their signed records (change/v1) have it. Argument: how many at most, up to 100. Result: when the record was issued, whose it is, its id, the environment, the action, the outcome (pass, fail or inconclusive; NULL: no gate was asked), the first failure or the reason, and state: verified now, or not verified, so that nothing else of it can be believed; the latest first, of the tenants that the role may read. Errors: 22004 for NULL, 22023 for another number, 42501 without the privilege, and as of answer_tenant_reads().';

CREATE FUNCTION answer.dashboard_number(value float8, unit text) RETURNS text
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT CASE WHEN value IS NULL OR value IN ('NaN', 'Infinity', '-Infinity') THEN '&#8211;'
	-- more than the patterns below have digits for
	WHEN abs(value) >= 1e12 THEN value::text
	WHEN unit = '%' THEN to_char(value * 100, 'FM99999999999999990.0') || '&#8239;%'
	WHEN unit = 'ms' THEN CASE WHEN value < 10 THEN to_char(value, 'FM990.00') ELSE to_char(value, 'FM999,999,999,990') END || '&#8239;ms'
	WHEN unit = 'usd' THEN '$' || to_char(value, 'FM999,999,999,990.0000')
	WHEN unit = 'x' THEN to_char(value, 'FM999999999990.0') || '&#215;'
	WHEN unit = '' THEN to_char(value, 'FM999,999,999,999,990')
	ELSE to_char(value, 'FM999,999,999,990.00') END
$$;
COMMENT ON FUNCTION answer.dashboard_number(float8, text) IS
'A number as it stands on the page of the dashboard; not for direct use. Arguments: the number; its unit: %, ms, usd, x (times), nothing for a count, anything else for two decimals. Result: HTML; a dash for NULL. Errors: none.';

CREATE FUNCTION answer.dashboard_chip(word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format('<span class="chip %s">%s%s</span>',
	CASE WHEN word IN ('ok', 'verified', 'pass', 'supported', 'answered', 'ANSWER') THEN 'good'
		WHEN word IN ('breach', 'exhausted', 'altered', 'not verified', 'fail', 'contradicted', 'BLOCK', 'blocked', 'failed', 'compromised') THEN 'bad'
		WHEN word IN ('burning', 'inconclusive', 'not judged', 'insufficient_evidence', 'outside_evidence_coverage', 'ABSTAIN', 'CLARIFY', 'refused') THEN 'warn'
		ELSE 'plain' END,
	CASE WHEN word IN ('ok', 'verified', 'pass') THEN '&#10003; '
		WHEN word IN ('breach', 'exhausted', 'altered', 'not verified', 'fail') THEN '&#10007; ' WHEN word IN ('burning', 'inconclusive') THEN '! ' ELSE '' END,
	answer.html_text(replace(word, '_', ' ')))
$$;
COMMENT ON FUNCTION answer.dashboard_chip(text) IS
'A word of a state or verdict as it stands on the page of the dashboard; not for direct use. Argument: the word. Result: HTML. Errors: none.';

CREATE FUNCTION answer.dashboard_style() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1
SET search_path = pg_catalog, pg_temp
AS $$
SELECT $style$:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --page: #fff; --card: #f6f8fa; --line: #d0d7de;
	--good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --warn: #6a4d00; --warn-back: #fff8c5;
	--c1: #2da44e; --c2: #cf222e; --c3: #d4a72c; --c4: #8250df; --c5: #8c959f; --accent: #0969da }
@media (prefers-color-scheme: dark) {
	:root { --text: #e6edf3; --quiet: #9da7b3; --page: #0d1117; --card: #161b22; --line: #3d444d;
		--good: #7ee787; --good-back: #12261e; --bad: #ffa198; --bad-back: #32161a; --warn: #f2cc60; --warn-back: #2e2a1f;
		--c1: #3fb950; --c2: #f85149; --c3: #d29922; --c4: #a371f7; --c5: #6e7681; --accent: #4493f8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 }
h2 { font-size: 1.1rem; margin: 0 0 .6rem }
p { margin: .4rem 0 }
.quiet { color: var(--quiet) }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1rem 0; min-width: 0 }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 0; padding: 0 }
.tiles > div { background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .75rem }
.tiles dt { color: var(--quiet); font-size: .85rem }
.tiles dd { margin: 0; font-size: 1.4rem; font-weight: 600 }
.tiles dd.goal { font-size: .8rem; font-weight: normal; color: var(--quiet) }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
caption { text-align: left; color: var(--quiet); padding-bottom: .25rem }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; white-space: nowrap }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.id { font-family: ui-monospace, monospace; font-size: .82rem; white-space: nowrap }
td.t, .wide td, .wide th { white-space: nowrap }
.wide td.long { white-space: normal; min-width: 14rem }
bdi { overflow-wrap: anywhere }
i { font-style: normal; color: var(--bad); border: 1px dotted currentcolor }
.chip { display: inline-block; padding: 0 .5em; border-radius: 1em; border: 1px solid currentcolor; font-size: .82rem; font-weight: 600; white-space: nowrap }
.chip.good { color: var(--good); background: var(--good-back) }
.chip.bad { color: var(--bad); background: var(--bad-back) }
.chip.warn { color: var(--warn); background: var(--warn-back) }
.chip.plain { color: var(--quiet) }
svg { display: block; width: 100%; height: auto; max-height: 16rem; overflow: visible }
svg text { fill: var(--quiet); font: 12px system-ui, sans-serif }
svg line { stroke: var(--line) }
.f1 { fill: var(--c1) } .f2 { fill: var(--c2) } .f3 { fill: var(--c3) } .f4 { fill: var(--c4) } .f5 { fill: var(--c5) }
.back { fill: var(--line) }
.stroke { fill: none; stroke: var(--c4); stroke-width: 2 }
.stroke.half { stroke: var(--c5); stroke-dasharray: 4 3 }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .85rem }
ul.legend svg { display: inline-block; width: .8rem; height: .8rem; vertical-align: -.1rem; margin-right: .35rem }
summary { cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
footer { color: var(--quiet); padding-top: .5rem; padding-bottom: 2rem; font-size: .85rem }
@media (max-width: 34rem) { section { padding: .75rem } .tiles { grid-template-columns: 1fr 1fr } .tiles dd { font-size: 1.2rem } svg text { font-size: 20px } }
@media print { section { break-inside: avoid } }
$style$
$$;
COMMENT ON FUNCTION answer.dashboard_style() IS
'The style of the page of the dashboard; not for direct use. Result: CSS. Errors: none.';

REVOKE ALL ON FUNCTION
	answer.html_text(text),
	answer.receipt_columns(jsonb),
	answer.dashboard_receipts_of(text[], integer),
	@extschema@.answer_dashboard_receipts(integer),
	answer.dashboard_gates_of(text[], integer),
	@extschema@.answer_dashboard_gates(integer),
	answer.dashboard_number(float8, text),
	answer.dashboard_chip(text),
	answer.dashboard_style()
FROM PUBLIC;

CREATE FUNCTION answer.dashboard_page_of(tenants text[], options jsonb) RETURNS TABLE (page text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000 ROWS 1
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	known		constant text[] := '{title,days,receipts,tenant}';
	name		text;
	value		jsonb;
	title		text := 'answer_eval';
	days		integer := 14;
	most		integer := 20;
	now			constant timestamptz := statement_timestamp();
	first_day	timestamptz;
	stamp		constant text := 'YYYY-MM-DD HH24:MI';
	style		constant text := answer.dashboard_style();
	scope		text;
	tiles		text;
	windows		text;
	burn		text;
	bars		text;
	totals		text;
	lines		text;
	evidence	text;
	sources		text;
	tools		text;
	receipts	text;
	gates		text;
	keys		text;
	log			text;
	nothing		constant text := '<p class="quiet">Nothing yet.</p>';
BEGIN
	IF options IS NULL THEN
		RAISE EXCEPTION 'options must not be null' USING ERRCODE = '22004';
	END IF;
	IF jsonb_typeof(options) <> 'object' THEN
		RAISE EXCEPTION 'options must be an object, not %', jsonb_typeof(options) USING ERRCODE = '22023';
	END IF;
	FOR name, value IN SELECT o.key, o.value FROM jsonb_each(options) AS o ORDER BY o.key COLLATE "C" LOOP
		IF name <> ALL (known) THEN
			RAISE EXCEPTION 'there is no option "%"', left(name, 100)
				USING ERRCODE = '22023', HINT = format('There are %s.', array_to_string(known, ', '));
		ELSIF name = 'title' AND (jsonb_typeof(value) <> 'string' OR char_length(value #>> '{}') NOT BETWEEN 1 AND 200) THEN
			RAISE EXCEPTION 'option title must be a text of 1 to 200 characters' USING ERRCODE = '22023';
		ELSIF name = 'days' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,2}$' AND value::text::integer BETWEEN 1 AND 31) THEN
			RAISE EXCEPTION 'option days must be a whole number from 1 to 31, not %', left(value::text, 100) USING ERRCODE = '22023';
		ELSIF name = 'receipts' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,3}$' AND value::text::integer <= 100) THEN
			RAISE EXCEPTION 'option receipts must be a whole number from 0 to 100, not %', left(value::text, 100) USING ERRCODE = '22023';
		ELSIF name = 'tenant' AND jsonb_typeof(value) <> 'string' THEN
			RAISE EXCEPTION 'option tenant must be a text' USING ERRCODE = '22023';
		END IF;
	END LOOP;
	title := coalesce(options ->> 'title', title);
	days := coalesce((options ->> 'days')::integer, days);
	most := coalesce((options ->> 'receipts')::integer, most);
	IF options ? 'tenant' THEN
		IF options ->> 'tenant' <> ALL (tenants) THEN
			RAISE EXCEPTION 'the current role may not read what tenant "%" has', left(options ->> 'tenant', 100)
				USING ERRCODE = '42501', HINT = 'answer_tenant_reads() lists the tenants that it may read.';
		END IF;
		tenants := ARRAY[options ->> 'tenant'];
	END IF;
	scope := CASE WHEN tenants = '{""}' THEN 'the operator' WHEN cardinality(tenants) = 1 THEN 'tenant ' || answer.html_text(tenants[1])
		ELSE format('%s tenants and the operator', cardinality(array_remove(tenants, ''))) END;
	first_day := date_bin('1 day', now, '2000-01-01') - make_interval(hours => 24 * (days - 1));

	-- service levels
	WITH slo AS MATERIALIZED (
		SELECT (ARRAY['5 minutes', '30 minutes', '1 hour', '6 hours', '1 day', '30 days'])[s.place] AS label, s.*
		FROM answer.slo_windows(tenants, '{5 minutes,30 minutes,1 hour,6 hours,24 hours,720 hours}', now) AS s
		WHERE s.tenant IS NULL AND s.intent IS NULL
	)
	SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>'
			'<td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>',
			s.label, answer.dashboard_chip(s.state), answer.dashboard_number(s.answers, ''), answer.dashboard_number(s.citation_rate, '%'),
			answer.dashboard_number(s.contradiction_rate, '%'), answer.dashboard_number(s.coverage, '%'), answer.dashboard_number(s.gqs, '2'),
			answer.dashboard_number(s.p50_ms, 'ms'), answer.dashboard_number(s.p95_ms, 'ms'), answer.dashboard_number(s.cost_per_answer, 'usd'),
			answer.dashboard_number(s.cost_per_verified_answer, 'usd')), '' ORDER BY s.place),
		string_agg(format('<div><dt>Answers</dt><dd>%s</dd><dd class="goal">in 30 days</dd></div>'
			'<div><dt>Cited where needed</dt><dd>%s</dd><dd class="goal">goal: 90&#8239;%% or more</dd></div>'
			'<div><dt>Contradicted</dt><dd>%s</dd><dd class="goal">goal: 3&#8239;%% or less</dd></div>'
			'<div><dt>Grounded quality</dt><dd>%s</dd><dd class="goal">of 1.00</dd></div>'
			'<div><dt>Supported</dt><dd>%s</dd><dd class="goal">of all answers</dd></div>'
			'<div><dt>Time, 95 of 100</dt><dd>%s</dd><dd class="goal">or faster</dd></div>'
			'<div><dt>Cost of an answer</dt><dd>%s</dd><dd class="goal">on average</dd></div>',
			answer.dashboard_number(s.answers, ''), answer.dashboard_number(s.citation_rate, '%'), answer.dashboard_number(s.contradiction_rate, '%'),
			answer.dashboard_number(s.gqs, '2'), answer.dashboard_number(s.coverage, '%'), answer.dashboard_number(s.p95_ms, 'ms'),
			answer.dashboard_number(s.cost_per_answer, 'usd')), '') FILTER (WHERE s.place = 6)
	INTO windows, tiles
	FROM slo s;

	SELECT string_agg(format('<tr><th scope="row">%s</th><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>'
			'<td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>',
			CASE b.objective WHEN 'citation' THEN 'Citations' ELSE 'Contradictions' END, answer.dashboard_chip(b.state), answer.dashboard_number(b.allowance, '%'),
			answer.dashboard_number(b.share_30d, '%'), answer.dashboard_number(b.budget_left, '%'), answer.dashboard_number(b.burn_5m, 'x'),
			answer.dashboard_number(b.burn_30m, 'x'), answer.dashboard_number(b.burn_1h, 'x'), answer.dashboard_number(b.burn_6h, 'x')), '' ORDER BY b.objective)
	INTO burn
	FROM answer.slo_burn_of(tenants, now) AS b
	WHERE b.tenant IS NULL AND b.intent IS NULL;

	-- verdicts and latency by days
	WITH sums AS MATERIALIZED (
		SELECT date_bin('1 day', s."time", '2000-01-01') AS day, s.verdict,
			CASE WHEN s.verdict IN ('supported', 'evidenced', 'answered', 'ANSWER', 'ANSWER_WITH_CAVEATS') THEN 1
				WHEN s.verdict IN ('contradicted') THEN 2
				WHEN s.verdict IN ('insufficient_evidence', 'outside_evidence_coverage', 'ABSTAIN', 'CLARIFY', 'refused') THEN 3
				WHEN s.verdict IN ('BLOCK', 'blocked') THEN 4 ELSE 5 END AS class,
			s.documents
		-- whole days, of which answer.dashboard_sums() would give each hour
		FROM (SELECT r.starts_at AS "time", r.schema, r.verdict, r.documents::numeric AS documents
			FROM answer.rollup r
			WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.starts_at >= first_day
			UNION ALL
			SELECT n.issued_at, n.schema, n.verdict, 1
			FROM answer.rollup_single n
			WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS s
		WHERE s.schema IN ('answer/v1', 'decision/v1', 'plan/v1')
	), day AS MATERIALIZED (
		SELECT d.n, first_day + make_interval(hours => 24 * d.n) AS day FROM generate_series(0, days - 1) AS d (n)
	), class AS (
		SELECT c.class, c.label FROM (VALUES (1, 'answered'), (2, 'contradicted'), (3, 'refused or asked back'), (4, 'blocked'), (5, 'failed or other'))
			AS c (class, label)
	), stack AS MATERIALIZED (
		SELECT d.n, d.day, c.class, coalesce(sum(s.documents), 0)::float8 AS documents
		FROM day d CROSS JOIN class c LEFT JOIN sums s ON s.day = d.day AND s.class = c.class
		GROUP BY 1, 2, 3
	), top AS (
		SELECT greatest(max(t.documents), 1) AS most FROM (SELECT sum(s.documents) AS documents FROM stack s GROUP BY s.n) AS t
	), placed AS (
		SELECT s.n, s.day, s.class, s.documents, t.most,
			sum(s.documents) OVER (PARTITION BY s.n ORDER BY s.class) AS up_to
		FROM stack s CROSS JOIN top t
	)
	SELECT (SELECT string_agg(format('<rect class="f%s" x="%s" y="%s" width="%s" height="%s"><title>%s: %s %s</title></rect>', p.class,
				to_char(44 + p.n * 596.0 / days, 'FM9990.0'), to_char(150 - 140 * p.up_to / p.most, 'FM9990.00'),
				to_char(596.0 / days * 0.8, 'FM9990.0'), to_char(140 * p.documents / p.most, 'FM9990.00'), to_char(p.day, 'YYYY-MM-DD'),
				answer.dashboard_number(p.documents, ''), c.label), '' ORDER BY p.n, p.class)
			FROM placed p JOIN class c ON c.class = p.class WHERE p.documents > 0)
			|| (SELECT format('<text x="40" y="14" text-anchor="end">%s</text><text x="40" y="154" text-anchor="end">0</text>',
				answer.dashboard_number(t.most, '')) FROM top t),
		(SELECT string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td></tr>', answer.html_text(replace(v.verdict, '_', ' ')),
				answer.dashboard_number(v.documents, ''), answer.dashboard_number(v.documents / nullif(v.whole, 0), '%')), '' ORDER BY v.documents DESC, v.verdict)
			FROM (SELECT s.verdict, sum(s.documents)::float8 AS documents, (sum(sum(s.documents)) OVER ())::float8 AS whole FROM sums s
				GROUP BY s.verdict ORDER BY 2 DESC, 1 LIMIT 12) AS v),
		(WITH of_day AS (
				SELECT date_bin('1 day', l.at, '2000-01-01') AS day, answer.latency_union(l.latency) AS latency
				FROM (SELECT r.starts_at AS at, r.latency
					FROM answer.rollup_latency r
					WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.whole AND r.starts_at >= first_day
					UNION ALL
					SELECT n.issued_at, n.latency
					FROM answer.rollup_single n
					WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS l
				GROUP BY 1
			), took AS MATERIALIZED (
				SELECT d.n, answer.latency_percentile(o.latency, 0.5) / 1000 AS p50, answer.latency_percentile(o.latency, 0.95) / 1000 AS p95
				FROM day d JOIN of_day o ON o.day = d.day WHERE o.latency IS NOT NULL
			), highest AS (SELECT greatest(max(t.p95), 0.001) AS most FROM took t)
			SELECT string_agg(format('<circle class="f5" cx="%1$s" cy="%2$s" r="2.5"/><circle class="f4" cx="%1$s" cy="%3$s" r="2.5"><title>%4$s: 50 of 100 in %5$s, 95 of 100 in %6$s</title></circle>',
					to_char(44 + (t.n + 0.4) * 596.0 / days, 'FM9990.0'), to_char(150 - 140 * t.p50 / h.most, 'FM9990.00'), to_char(150 - 140 * t.p95 / h.most, 'FM9990.00'),
					to_char(first_day + make_interval(hours => 24 * t.n), 'YYYY-MM-DD'), answer.dashboard_number(t.p50, 'ms'), answer.dashboard_number(t.p95, 'ms')), '' ORDER BY t.n)
				|| format('<polyline class="stroke" points="%s"/><polyline class="stroke half" points="%s"/>',
					string_agg(to_char(44 + (t.n + 0.4) * 596.0 / days, 'FM9990.0') || ',' || to_char(150 - 140 * t.p95 / h.most, 'FM9990.00'), ' ' ORDER BY t.n),
					string_agg(to_char(44 + (t.n + 0.4) * 596.0 / days, 'FM9990.0') || ',' || to_char(150 - 140 * t.p50 / h.most, 'FM9990.00'), ' ' ORDER BY t.n))
				|| format('<text x="40" y="14" text-anchor="end">%s</text><text x="40" y="154" text-anchor="end">0</text>', answer.dashboard_number(max(h.most), 'ms'))
			FROM took t CROSS JOIN highest h)
	INTO bars, totals, lines;

	-- evidence
	WITH words AS MATERIALIZED (
		SELECT split_part(w.word, ' ', 1) AS about, substr(w.word, strpos(w.word, ' ') + 1) AS word, sum(w.count)::float8 AS count
		FROM (SELECT r.word, r.count
			FROM answer.rollup_word r
			WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.starts_at >= first_day
			UNION ALL
			SELECT e.key, e.value::bigint
			FROM answer.rollup_single n
			CROSS JOIN LATERAL jsonb_each_text(n.words) AS e
			WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS w
		GROUP BY 1, 2
	)
	SELECT (SELECT string_agg(format('<div><dt>%s</dt><dd>%s</dd></div>', c.label, answer.dashboard_number(coalesce(h.count, 0), '')), '' ORDER BY c.place)
			FROM (VALUES (1, 'stale', 'Stale'), (2, 'conflicting', 'Conflicting'), (3, 'thin', 'Thin'), (4, 'unavailable', 'Unavailable')) AS c (place, metric, label)
			LEFT JOIN (SELECT m.metric, sum(w.count) AS count FROM words w JOIN (VALUES ('reason', 'stale_documents', 'stale'),
				('reason', 'conflict_detected', 'conflicting'), ('reason', 'conflict', 'conflicting'), ('reason', 'low_retrieval_confidence', 'thin'),
				('reason', 'insufficient_retrieval_hits', 'thin'), ('reason', 'confidence', 'thin'), ('check', 'evidence_unavailable', 'unavailable'))
				AS m (about, word, metric) ON m.about = w.about AND m.word = w.word GROUP BY 1) AS h ON h.metric = c.metric),
		(SELECT string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', answer.html_text(s.word),
				answer.dashboard_number(s.facts, ''), answer.dashboard_number(s.confidence, '2'), answer.dashboard_number(s.weak / s.facts, '%')), ''
				ORDER BY s.facts DESC, s.word COLLATE "C")
			FROM (SELECT w.word, sum(w.count) FILTER (WHERE w.about = 'source') AS facts,
					sum(w.count) FILTER (WHERE w.about = 'confidence') / nullif(sum(w.count) FILTER (WHERE w.about = 'source'), 0) / 100 AS confidence,
					coalesce(sum(w.count) FILTER (WHERE w.about = 'weak'), 0) AS weak
				FROM words w WHERE w.about IN ('source', 'confidence', 'weak') GROUP BY 1
				HAVING sum(w.count) FILTER (WHERE w.about = 'source') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS s),
		(SELECT string_agg(format('<tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td></tr>', answer.html_text(t.tool),
				answer.dashboard_number(t.calls, ''), answer.dashboard_number(1 - t.good / t.calls, '%'), answer.dashboard_number(t.mean, 'ms')), ''
				ORDER BY t.calls DESC, t.tool COLLATE "C")
			FROM (SELECT regexp_replace(w.word, ' [^ ]*$', '') AS tool, sum(w.count) FILTER (WHERE w.about = 'call') AS calls,
					coalesce(sum(w.count) FILTER (WHERE w.about = 'call' AND w.word ~ ' ok$'), 0) AS good,
					sum(w.count) FILTER (WHERE w.about = 'ms') / nullif(sum(w.count) FILTER (WHERE w.about = 'timed'), 0) AS mean
				FROM words w WHERE w.about IN ('call', 'ms', 'timed') GROUP BY 1
				HAVING sum(w.count) FILTER (WHERE w.about = 'call') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS t)
	INTO evidence, sources, tools;

	IF most > 0 THEN
		SELECT string_agg(format('<tr><td>%s</td><td>%s</td><td class="id">%s</td><td>%s</td><td>%s</td><td>%s</td></tr>',
				answer.dashboard_chip(r.state), answer.dashboard_chip(r.verdict), answer.html_text(r.receipt_id), to_char(r.issued_at, stamp),
				answer.html_text(r.schema), CASE WHEN r.tenant = '' THEN '<span class="quiet">operator</span>' ELSE answer.html_text(r.tenant) END), ''
				ORDER BY r.issued_at DESC, r.receipt_id COLLATE "C")
		INTO receipts
		FROM answer.dashboard_receipts_of(tenants, most) AS r;
	END IF;
	SELECT string_agg(format('<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class="long">%s</td></tr>',
			CASE WHEN g.state = 'verified' THEN coalesce(answer.dashboard_chip(g.outcome), '<span class="quiet">no gate</span>') ELSE answer.dashboard_chip(g.state) END,
			coalesce(answer.html_text(g.environment), ''),
			coalesce(answer.html_text(g.action), ''), to_char(g.issued_at, stamp), coalesce(answer.html_text(g.detail), '')), ''
			ORDER BY g.issued_at DESC, g.receipt_id COLLATE "C")
	INTO gates
	FROM answer.dashboard_gates_of(tenants, 10) AS g;
	SELECT string_agg(format('<tr><th scope="row" class="id">%s</th><td>%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>', answer.html_text(k.key_id),
			answer.dashboard_chip(k.status), CASE WHEN k.age_days IS NULL THEN '&#8211;' ELSE to_char(k.age_days, 'FM999990.0') || ' d' END,
			answer.dashboard_number(k.documents, ''), CASE k.file_present WHEN true THEN 'here' WHEN false THEN 'not here' ELSE '&#8211;' END), ''
			ORDER BY k.active_from DESC NULLS LAST, k.key_id)
	INTO keys
	FROM answer.dashboard_keys_of(tenants) AS k;
	SELECT string_agg(format('<div><dt>In the log</dt><dd>%s</dd></div><div><dt>Not sealed yet</dt><dd>%s</dd></div>'
			'<div><dt>Last sealed</dt><dd class="goal">%s</dd></div><div><dt>Last audit</dt><dd class="goal">%s</dd></div><div><dt>Witnesses</dt><dd>%s</dd></div>',
			answer.dashboard_number(l.leaves, ''), answer.dashboard_number(l.unsealed, ''), coalesce(to_char(l.last_seal_at, stamp), 'never'),
			CASE WHEN l.last_audit_at IS NULL THEN 'never' ELSE format('%s, defects: %s', to_char(l.last_audit_at, stamp), l.last_audit_defects) END,
			answer.dashboard_number(l.witnesses, '')), '')
	INTO log
	FROM answer.dashboard_log_of(tenants) AS l;

	page := format('<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src ''none''; style-src ''sha256-%s''; base-uri ''none''; form-action ''none''">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dashboard of answers</title>
<style>%s</style>
</head>
<body>
<header>
<h1>%s</h1>
<p class="quiet">Answers of %s, as of %s UTC</p>
</header>
<main>
', encode(sha256(convert_to(style, 'UTF8')), 'base64'), style, answer.html_text(title), scope, to_char(now, stamp))
		|| format('<section aria-labelledby="levels"><h2 id="levels">Service levels</h2><dl class="tiles">%s</dl></section>', tiles)
		|| format('<section aria-labelledby="windows"><h2 id="windows">By window</h2><div class="wide" role="region" aria-labelledby="windows" tabindex="0"><table><thead><tr>'
			'<th scope="col">Window</th><th scope="col">State</th><th scope="col" class="n">Answers</th><th scope="col" class="n">Cited</th><th scope="col" class="n">Contradicted</th>'
			'<th scope="col" class="n">Supported</th><th scope="col" class="n">Quality</th><th scope="col" class="n">p50</th><th scope="col" class="n">p95</th>'
			'<th scope="col" class="n">Cost each</th><th scope="col" class="n">Each verified</th></tr></thead><tbody>%s</tbody></table></div></section>', windows)
		|| format('<section aria-labelledby="burn"><h2 id="burn">Error budgets</h2>%s</section>', CASE WHEN burn IS NULL THEN nothing ELSE
			format('<div class="wide" role="region" aria-labelledby="burn" tabindex="0"><table><caption>How fast the allowance of 30 days is used: 1&#215; uses just all of it</caption><thead><tr>'
			'<th scope="col">Objective</th><th scope="col">State</th><th scope="col" class="n">Allowed</th><th scope="col" class="n">Failed in 30 days</th><th scope="col" class="n">Left</th>'
			'<th scope="col" class="n">5 min</th><th scope="col" class="n">30 min</th><th scope="col" class="n">1 h</th><th scope="col" class="n">6 h</th></tr></thead>'
			'<tbody>%s</tbody></table></div>', burn) END)
		|| '<div class="two">'
		|| format('<section aria-labelledby="verdicts"><h2 id="verdicts">Verdicts of %s days</h2>%s</section>', days, CASE WHEN totals IS NULL THEN nothing ELSE
			format('<svg viewBox="0 0 640 175" role="img" aria-label="Verdicts by day; the table below has the sums"><line x1="44" x2="640" y1="150.5" y2="150.5"/>%s'
			'<text x="44" y="168">%s</text><text x="640" y="168" text-anchor="end">%s</text></svg><ul class="legend">%s</ul>'
			'<details><summary>As a table</summary><table><thead><tr><th scope="col">Verdict</th><th scope="col" class="n">Documents</th><th scope="col" class="n">Share</th></tr></thead><tbody>%s</tbody></table></details>',
			bars, to_char(first_day, 'YYYY-MM-DD'), to_char(now, 'YYYY-MM-DD'),
			(SELECT string_agg(format('<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="f%s" width="10" height="10" rx="2"/></svg>%s</li>', c.class, c.label), '' ORDER BY c.class)
				FROM (VALUES (1, 'answered'), (2, 'contradicted'), (3, 'refused or asked back'), (4, 'blocked'), (5, 'failed or other')) AS c (class, label)), totals) END)
		|| format('<section aria-labelledby="times"><h2 id="times">Time of answers, %s days</h2>%s</section>', days, CASE WHEN lines IS NULL THEN nothing ELSE
			format('<svg viewBox="0 0 640 175" role="img" aria-label="Time of answers by day, 50 and 95 of 100"><line x1="44" x2="640" y1="150.5" y2="150.5"/>%s'
			'<text x="44" y="168">%s</text><text x="640" y="168" text-anchor="end">%s</text></svg><ul class="legend">'
			'<li><svg viewBox="0 0 10 10" aria-hidden="true"><circle class="f4" cx="5" cy="5" r="4"/></svg>95 of 100 were as fast</li>'
			'<li><svg viewBox="0 0 10 10" aria-hidden="true"><circle class="f5" cx="5" cy="5" r="4"/></svg>50 of 100 were as fast</li></ul>',
			lines, to_char(first_day, 'YYYY-MM-DD'), to_char(now, 'YYYY-MM-DD')) END)
		|| '</div>'
		|| format('<section aria-labelledby="receipts"><h2 id="receipts">Latest receipts</h2>%s</section>', CASE WHEN receipts IS NULL THEN nothing ELSE
			format('<div class="wide" role="region" aria-labelledby="receipts" tabindex="0"><table><caption>Each was verified when this page was made</caption><thead><tr>'
			'<th scope="col">State</th><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">Issued</th><th scope="col">Kind</th><th scope="col">Whose</th></tr></thead>'
			'<tbody>%s</tbody></table></div>', receipts) END)
		|| format('<section aria-labelledby="gates"><h2 id="gates">Gates</h2>%s</section>', CASE WHEN gates IS NULL THEN nothing ELSE
			format('<div class="wide" role="region" aria-labelledby="gates" tabindex="0"><table><caption>Steps of environments, and what their gates said</caption><thead><tr>'
			'<th scope="col">Gate</th><th scope="col">Environment</th><th scope="col">Step</th><th scope="col">Signed</th><th scope="col">Why</th></tr></thead><tbody>%s</tbody></table></div>', gates) END)
		|| format('<section aria-labelledby="evidence"><h2 id="evidence">Evidence, %s days</h2><dl class="tiles">%s</dl></section>', days, evidence)
		|| '<div class="two">'
		|| format('<section aria-labelledby="sources"><h2 id="sources">Sources</h2>%s</section>', CASE WHEN sources IS NULL THEN nothing ELSE
			format('<table><caption>Whose facts were cited most</caption><thead><tr><th scope="col">Source</th><th scope="col" class="n">Facts</th><th scope="col" class="n">Confidence</th>'
			'<th scope="col" class="n">Weak</th></tr></thead><tbody>%s</tbody></table>', sources) END)
		|| format('<section aria-labelledby="tools"><h2 id="tools">Tools</h2>%s</section>', CASE WHEN tools IS NULL THEN nothing ELSE
			format('<table><caption>What was called most</caption><thead><tr><th scope="col">Tool</th><th scope="col" class="n">Calls</th><th scope="col" class="n">Failed</th>'
			'<th scope="col" class="n">Mean</th></tr></thead><tbody>%s</tbody></table>', tools) END)
		|| '</div>'
		|| CASE WHEN log IS NULL THEN '' ELSE format('<section aria-labelledby="log"><h2 id="log">Log</h2><dl class="tiles">%s</dl></section>', log) END
		|| format('<section aria-labelledby="keys"><h2 id="keys">Keys</h2>%s</section>', CASE WHEN keys IS NULL THEN nothing ELSE
			format('<div class="wide" role="region" aria-labelledby="keys" tabindex="0"><table><thead><tr><th scope="col">Key</th><th scope="col">Status</th><th scope="col" class="n">Age</th>'
			'<th scope="col" class="n">Documents</th><th scope="col">File</th></tr></thead><tbody>%s</tbody></table></div>', keys) END)
		|| '</main>
<footer><p>Made by answer_dashboard_html(). A verified receipt is unchanged since it was signed; that its evidence is true, nobody has signed.</p></footer>
</body>
</html>
';
	RETURN NEXT;
END
$$;
COMMENT ON FUNCTION answer.dashboard_page_of(text[], jsonb) IS
'Makes the page for answer_dashboard_html(), with the tenants that it has found; not for direct use. Arguments and errors: as there. Result: the page, one row.';

CREATE FUNCTION @extschema@.answer_dashboard_page(options jsonb) RETURNS TABLE (page text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION @extschema@.answer_dashboard_page(jsonb) IS
'The page of answer_dashboard_html() as a row, which that function returns. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_dashboard_html(options jsonb DEFAULT '{}') RETURNS text
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
AS $$SELECT p.page FROM @extschema@.answer_dashboard_page(options) AS p$$;
COMMENT ON FUNCTION @extschema@.answer_dashboard_html(jsonb) IS
'The dashboard as one page of HTML, for people without Grafana: service levels, error budgets, verdicts and times by day, the latest receipts, each verified now, gates, evidence, sources, tools, keys and the log. It has no script and takes nothing from anywhere; it has no body of a document and no question. Argument: options, {"title": text of 1 to 200 characters; "days": how many days the charts show, 1 to 31, default 14; "receipts": how many are listed and verified, 0 to 100, default 20; "tenant": only that tenant''s, empty for the operator''s}. Result: the page, plain ASCII. Errors: 22004 for NULL, 22023 for an option that there is not or another value, 42501 without the privilege (answer_dashboard_grant() gives it), for a tenant that the role may not read, and as of answer_tenant_reads().';

REVOKE ALL ON FUNCTION
	answer.dashboard_page_of(text[], jsonb),
	@extschema@.answer_dashboard_page(jsonb),
	@extschema@.answer_dashboard_html(jsonb)
FROM PUBLIC;
