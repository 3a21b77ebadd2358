
/* dashboard: one page for people without Grafana */

CREATE FUNCTION answer.html_text(text text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_html_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.html_text(text) IS
'Returns a text as HTML; not for direct use.';

CREATE FUNCTION answer.dashboard_number(value float8, unit text) RETURNS text
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT CASE WHEN value IS NULL OR value IN ('NaN', 'Infinity', '-Infinity') THEN '&#8211;'
	-- more digits than the patterns below have
	WHEN abs(value) >= 1e12 THEN value::text
	WHEN unit = '%' THEN to_char(value * 100, 'FM99999999999999990.0') || '&#8239;%'
	WHEN unit = 'ms' THEN CASE WHEN value < 10 THEN to_char(value, 'FM990.00') || '&#8239;ms'
		WHEN value < 100000 THEN to_char(value, 'FM99,990') || '&#8239;ms'
		ELSE to_char(value / 1000, 'FM999,999,999,990') || '&#8239;s' END
	WHEN unit = 'usd' THEN '$' || to_char(value, CASE WHEN abs(value) < 100 THEN 'FM90.0000' WHEN abs(value) < 10000 THEN 'FM9,990.00' ELSE 'FM999,999,999,990' END)
	WHEN unit = 'x' THEN to_char(value, 'FM999999999990.0') || '&#215;'
	WHEN unit = '' THEN to_char(value, 'FM999,999,999,999,990')
	ELSE to_char(value, 'FM999,999,999,990.00') END
$$;
COMMENT ON FUNCTION answer.dashboard_number(float8, text) IS
'Returns a number as the dashboard page shows it; not for direct use.';

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
'Returns the word of a state or verdict as the dashboard page shows it; not for direct use.';

-- The parts of pages. Words from data must be passed through answer.html_text() or answer.dashboard_chip() first.
CREATE FUNCTION answer.dashboard_section(id text, title text, content text) RETURNS text
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format('<section aria-labelledby="%1$s"><h2 id="%1$s">%2$s</h2>%3$s</section>', id, title,
	coalesce(content, '<p class="quiet">Nothing yet.</p>'))
$$;
COMMENT ON FUNCTION answer.dashboard_section(text, text, text) IS
'Returns a section of the dashboard page; not for direct use.';

CREATE FUNCTION answer.dashboard_tiles(tiles text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format('<dl class="tiles">%s</dl>', string_agg(concat('<div><dt>', tiles[t][1], '</dt>', '<dd>' || tiles[t][2] || '</dd>',
	'<dd class="goal">' || tiles[t][3] || '</dd>', '</div>'), '' ORDER BY t))
FROM generate_subscripts(tiles, 1) AS t
$$;
COMMENT ON FUNCTION answer.dashboard_tiles(text[]) IS
'Returns figures of the dashboard page; not for direct use.';

CREATE FUNCTION answer.dashboard_table(id text, caption text, heads text[], cells text[]) RETURNS text
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100
SET search_path = pg_catalog, pg_temp
AS $$
WITH head AS (
	SELECT split_part(h.head, ':', 1) AS class, split_part(h.head, ':', 2) AS label, h.place::integer AS place
	FROM unnest(heads) WITH ORDINALITY AS h (head, place)
)
SELECT format('<div class="wide%s" role="region" aria-labelledby="%s" tabindex="0"><table>%s<thead><tr>%s</tr></thead><tbody>%s</tbody></table></div>',
	-- on a phone, each row of a table that is too wide becomes a card whose lines have the names of the columns
	CASE WHEN cardinality(heads) > 12 THEN ' cards many' WHEN cardinality(heads) > 4 THEN ' cards' ELSE '' END, id, '<caption><span>' || caption || '</span></caption>',
	(SELECT string_agg(format('<th scope="col"%s>%s</th>', CASE h.class WHEN 'n' THEN ' class="n"' END, h.label), '' ORDER BY h.place) FROM head h),
	string_agg(format('<tr>%s</tr>', (SELECT string_agg(CASE h.class WHEN '' THEN format('<td data-name="%s">%s</td>', h.label, cells[r][h.place])
		WHEN 'row' THEN format('<th scope="row">%s</th>', cells[r][h.place])
		WHEN 'row id' THEN format('<th scope="row" class="id">%s</th>', cells[r][h.place])
		ELSE format('<td class="%s" data-name="%s">%s</td>', h.class, h.label, cells[r][h.place]) END, '' ORDER BY h.place) FROM head h)), '' ORDER BY r))
FROM generate_subscripts(cells, 1) AS r
HAVING count(*) > 0
$$;
COMMENT ON FUNCTION answer.dashboard_table(text, text, text[], text[]) IS
'Returns a table of the dashboard page; not for direct use.';

CREATE FUNCTION answer.dashboard_chart(label text, top text, days text[], marks text, legend text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
SELECT format('<svg viewBox="0 -18 640 193" role="img" aria-label="%s"><line x1="44" x2="640" y1="150.5" y2="150.5"/><line x1="44" x2="640" y1="9.5" y2="9.5"/>%s'
	'<text x="0" y="0">%s</text><text x="40" y="154" text-anchor="end">0</text>'
	'<text x="44" y="168">%s</text><text x="640" y="168" text-anchor="end">%s</text></svg><ul class="legend">%s</ul>',
	label, marks, top, days[1], days[2],
	string_agg(format('<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="f%s" width="10" height="10" rx="2"/></svg>%s</li>',
		split_part(l.entry, ':', 1), split_part(l.entry, ':', 2)), '' ORDER BY l.place))
FROM unnest(legend) WITH ORDINALITY AS l (entry, place)
$$;
COMMENT ON FUNCTION answer.dashboard_chart(text, text, text[], text, text[]) IS
'Returns a chart over days of the dashboard page; not for direct use.';

CREATE FUNCTION answer.dashboard_style() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1
SET search_path = pg_catalog, pg_temp
AS $$
SELECT $style$:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --page: #fff; --card: #f6f8fa; --line: #d0d7de; --shade: #1b1f2440;
	--good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --warn: #6a4d00; --warn-back: #fff8c5;
	--c1: #2da44e; --c2: #cf222e; --c3: #d4a72c; --c4: #8250df; --c5: #8c959f; --accent: #0969da }
@media (prefers-color-scheme: dark) {
	:root { --text: #e6edf3; --quiet: #9da7b3; --page: #0d1117; --card: #161b22; --line: #3d444d; --shade: #010409;
		--good: #7ee787; --good-back: #12261e; --bad: #ffa198; --bad-back: #32161a; --warn: #f2cc60; --warn-back: #2e2a1f;
		--c1: #3fb950; --c2: #f85149; --c3: #d29922; --c4: #a371f7; --c5: #6e7681; --accent: #4493f8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 }
h2 { font-size: 1.1rem; margin: 0 0 .6rem }
h3 { font-size: .9rem; margin: 1rem 0 .5rem; color: var(--quiet) }
p { margin: .4rem 0 }
.quiet { color: var(--quiet) }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1rem 0; min-width: 0 }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .75rem; margin: 0; padding: 0 }
.tiles > div { background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .75rem }
.tiles dt { color: var(--quiet); font-size: .85rem }
.tiles dd { margin: 0; font-size: 1.4rem; font-weight: 600; overflow-wrap: anywhere }
.tiles dd.goal { font-size: .8rem; font-weight: normal; color: var(--quiet) }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin: 1rem 0 }
.two > section { margin: 0 }
/* what is wider than the screen casts a shadow at the side to which it goes on, and the names of its rows stay */
.wide { overflow-x: auto; background: linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 3rem 100% no-repeat local,
	linear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 3rem 100% no-repeat local,
	linear-gradient(to right, var(--shade), transparent) 0 0 / .9rem 100% no-repeat scroll,
	linear-gradient(to left, var(--shade), transparent) 100% 0 / .9rem 100% no-repeat scroll }
tbody th { position: sticky; left: 0; background: var(--card) }
tbody th bdi { display: inline-block; max-width: min(16rem, 40vw); white-space: normal }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
caption { text-align: left; color: var(--quiet); padding-bottom: .25rem }
caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 4rem) }
/* marks that are piled up do not reach into other rows */
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow: hidden }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; white-space: nowrap }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.id { font-family: ui-monospace, monospace; font-size: .82rem; white-space: nowrap }
td.t, .wide td, .wide th { white-space: nowrap }
.cards thead th { white-space: normal; vertical-align: bottom; line-height: 1.25 }
.cards td, .cards th { padding-right: .6rem }
.many table { font-size: .78rem }
.many td, .many th, .two td, .two th { padding-right: .4rem }
td:last-child, th:last-child { padding-right: 0 }
.wide td.long { white-space: normal; min-width: 14rem }
.two .wide td:not(.n) { white-space: normal }
bdi { overflow-wrap: anywhere }
i { font-style: normal; color: var(--bad); border: 1px dotted currentcolor }
.chip { display: inline-block; padding: 0 .5em; border-radius: 1em; border: 1px solid currentcolor; font-size: .82rem; font-weight: 600; white-space: nowrap }
.chip.good { color: var(--good); background: var(--good-back) }
.chip.bad { color: var(--bad); background: var(--bad-back) }
.chip.warn { color: var(--warn); background: var(--warn-back) }
.chip.plain { color: var(--quiet) }
svg { display: block; width: 100%; height: auto; max-height: 16rem; overflow: visible }
svg text { fill: var(--quiet); font: 15px system-ui, sans-serif }
svg line { stroke: var(--line) }
.wide td.long bdi, .wide th bdi { white-space: normal }
td a { color: inherit; text-decoration: underline; text-underline-offset: .15em }
.f1 { fill: var(--c1) } .f2 { fill: var(--c2) } .f3 { fill: var(--c3) } .f4 { fill: var(--c4) } .f5 { fill: var(--c5) }
.back { fill: var(--line) }
.stroke { fill: none; stroke: var(--c4); stroke-width: 2 }
.stroke.half { stroke: var(--c5); stroke-dasharray: 4 3 }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .85rem }
ul.legend svg { display: inline-block; width: .8rem; height: .8rem; vertical-align: -.1rem; margin-right: .35rem }
details { margin-top: .5rem }
details .wide { margin-top: .75rem }
summary { cursor: pointer; font-size: .85rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
footer { color: var(--quiet); padding-top: .5rem; padding-bottom: 2rem; font-size: .85rem }
@media (max-width: 34rem) { section { padding: .75rem } .tiles { grid-template-columns: 1fr 1fr } .tiles > :first-child:nth-last-child(odd) { grid-column: 1 / -1 } .tiles dd { font-size: 1.2rem } svg text { font-size: 20px }
	.cards thead { display: none }
	.cards, .cards table, .cards tbody, .cards caption { display: block }
	.cards tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .1rem .75rem; border-top: 1px solid var(--line); padding: .5rem 0 }
	.cards tbody:first-child tr:first-child, .cards thead + tbody tr:first-child { border-top: 0 }
	.cards td, .cards tbody th { display: block; border: 0; padding: .1rem 0; text-align: left; white-space: normal; overflow-wrap: anywhere; overflow: hidden; position: static }
	.cards tbody th, .cards td.long, .cards td.id { grid-column: 1 / -1 }
	.cards tbody th bdi { max-width: none }
	.cards td.long { min-width: 0; order: -1; font-weight: 600 }
	.cards td::before { content: attr(data-name) " "; color: var(--quiet); font-weight: normal; font-family: system-ui, sans-serif; font-size: .82rem; display: block }
	.cards td.long::before { display: none }
	.cards .chip { white-space: normal; font-size: .78rem; padding: 0 .35em; overflow-wrap: normal } }
@media print { section { break-inside: avoid } }
$style$
$$;
COMMENT ON FUNCTION answer.dashboard_style() IS
'Returns the style of the dashboard page; not for direct use.';

REVOKE ALL ON FUNCTION
	answer.html_text(text),
	answer.dashboard_number(float8, text),
	answer.dashboard_chip(text),
	answer.dashboard_section(text, text, text),
	answer.dashboard_tiles(text[]),
	answer.dashboard_table(text, text, text[], text[]),
	answer.dashboard_chart(text, text, text[], text, text[]),
	answer.dashboard_style()
FROM PUBLIC;

-- The question of a document, if it has one.
CREATE FUNCTION answer.receipt_question(body jsonb) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5
SET search_path = pg_catalog, pg_temp
AS $$
-- all members at once, because each access to a document decompresses it again
SELECT coalesce(d.question, d.query, d.investigation ->> 'question', d.packet #>> '{meta,question}', d.vars ->> 'query',
	d.plan_id, nullif(concat_ws(' ', d.kind, d.name), ''), (SELECT string_agg(c ->> 'tool', ', ') FROM jsonb_array_elements(CASE jsonb_typeof(d.checks) WHEN 'array' THEN d.checks END) AS c))
FROM jsonb_to_record(body) AS d (question text, query text, investigation jsonb, packet jsonb, vars jsonb, plan_id text, kind text, name text, checks jsonb)
$$;
COMMENT ON FUNCTION answer.receipt_question(jsonb) IS
'Returns the question of a document, for the dashboard page; not for direct use.';
REVOKE ALL ON FUNCTION answer.receipt_question(jsonb) FROM PUBLIC;

CREATE FUNCTION answer.dashboard_page_of(tenants text[], reader oid, options jsonb) RETURNS TABLE (page text)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000 ROWS 1
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	known		constant text[] := '{title,days,receipts,tenant,link}';
	name		text;
	value		jsonb;
	title		text := 'answer_eval';
	days		integer := 14;
	most		integer := 20;
	-- roles that may read documents may read questions; roles that may read only dashboards may not
	questions	constant boolean := has_table_privilege(reader, 'answer.receipt'::regclass, 'SELECT')
		OR coalesce(has_table_privilege(reader, to_regclass('answer.tenant_receipt'), 'SELECT'), false);
	link		text;
	now			constant timestamptz := statement_timestamp();
	first_day	timestamptz;
	stamp		constant text := 'YYYY-MM-DD HH24:MI';
	style		constant text := answer.dashboard_style();
	scope		text;
	period		text;
	charted		text[];
	levels		text;
	windows		text[];
	asked		bigint;
	given		numeric[];
	required	numeric[];
	cited		numeric[];
	contradicted	numeric[];
	burn		text[];
	refusals	text[];
	suites		text[];
	bars		text;
	top			text;
	totals		text[];
	daily		text[];
	lines		text;
	slowest		text;
	times		text[];
	evidence	text[];
	sources		text[];
	tools		text[];
	receipts	text[];
	gates		text[];
	keys		text[];
	log			text[];
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
				USING ERRCODE = '22023', HINT = format('The options are %s.', array_to_string(known, ', '));
		ELSIF name = 'title' AND (jsonb_typeof(value) <> 'string' OR char_length(value #>> '{}') NOT BETWEEN 1 AND 200) THEN
			RAISE EXCEPTION 'option title must be a text of 1 to 200 characters' USING ERRCODE = '22023';
		ELSIF name = 'days' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,2}$' AND value::text::integer BETWEEN 1 AND 31) THEN
			RAISE EXCEPTION 'option days must be a whole number from 1 to 31, not %', left(value::text, 100) USING ERRCODE = '22023';
		ELSIF name = 'receipts' AND NOT (jsonb_typeof(value) = 'number' AND value::text ~ '^[0-9]{1,3}$' AND value::text::integer <= 100) THEN
			RAISE EXCEPTION 'option receipts must be a whole number from 0 to 100, not %', left(value::text, 100) USING ERRCODE = '22023';
		ELSIF name = 'tenant' AND jsonb_typeof(value) <> 'string' THEN
			RAISE EXCEPTION 'option tenant must be a text' USING ERRCODE = '22023';
		ELSIF name = 'link' AND (jsonb_typeof(value) <> 'string' OR value #>> '{}' !~ '[{]id[}]'
			OR replace(value #>> '{}', '{id}', '') !~ '^(https?://[A-Za-z0-9.-]+(:[0-9]+)?|[.]{0,2})(/[A-Za-z0-9._~%-]+)*/?[A-Za-z0-9.=&_~%-]*([?][A-Za-z0-9./=&_~%-]*)?$') THEN
			RAISE EXCEPTION 'option link must be an address with {id} in it, not %', left(value::text, 100)
				USING ERRCODE = '22023', HINT = 'Give, for example, "/v1/receipts/{id}", "https://answers.example/{id}.html" or "{id}.html".';
		END IF;
	END LOOP;
	title := coalesce(options ->> 'title', title);
	days := coalesce((options ->> 'days')::integer, days);
	most := coalesce((options ->> 'receipts')::integer, most);
	link := options ->> 'link';
	IF options ? 'tenant' THEN
		IF options ->> 'tenant' <> ALL (tenants) THEN
			RAISE EXCEPTION 'the current role may not read the data of tenant "%"', left(options ->> 'tenant', 100)
				USING ERRCODE = '42501', HINT = 'answer.tenant_reads() lists the tenants that it may read.';
		END IF;
		tenants := ARRAY[options ->> 'tenant'];
	END IF;
	scope := CASE WHEN tenants = '{""}' THEN 'the operator' WHEN cardinality(tenants) = 1 THEN 'tenant ' || answer.html_text(tenants[1])
		ELSE format('%s tenants and the operator', cardinality(array_remove(tenants, ''))) END;
	period := CASE days WHEN 1 THEN '1 day' ELSE days || ' days' END;
	first_day := date_bin('1 day', now, '2000-01-01') - make_interval(hours => 24 * (days - 1));
	charted := ARRAY[to_char(first_day, 'FMDD Mon'), to_char(now, 'FMDD Mon')];

	-- service levels
	WITH slo AS MATERIALIZED (
		SELECT (ARRAY['5 minutes', '30 minutes', '1 hour', '6 hours', '1 day', '30 days'])[s.place] AS label, s.*
		FROM answer.slo_windows(tenants, '{5 minutes,30 minutes,1 hour,6 hours,24 hours,720 hours}', now) AS s
		WHERE s.tenant IS NULL AND s.intent IS NULL
	)
	SELECT array_agg(ARRAY[s.label, answer.dashboard_chip(s.state), answer.dashboard_number(s.answers, ''), answer.dashboard_number(s.given, ''),
			answer.dashboard_number(s.refusal_rate, '%'), answer.dashboard_number(s.citation_rate, '%'), answer.dashboard_number(s.contradiction_rate, '%'),
			answer.dashboard_number(s.prevented_rate, '%'), answer.dashboard_number(s.unsupported_rate, '%'), answer.dashboard_number(s.unjudged_rate, '%'),
			answer.dashboard_number(s.groundedness, '%'), answer.dashboard_number(s.coverage, '%'), answer.dashboard_number(s.gqs, '2'),
			answer.dashboard_number(s.p50_ms, 'ms'), answer.dashboard_number(s.p95_ms, 'ms'), answer.dashboard_number(s.cost_per_answer, 'usd'),
			answer.dashboard_number(s.cost_per_verified_answer, 'usd')] ORDER BY s.place),
		string_agg(answer.dashboard_tiles(ARRAY[
				ARRAY['Asked', answer.dashboard_number(s.answers, ''), 'in 30 days'],
				ARRAY['Answered', answer.dashboard_number(s.given, ''), answer.dashboard_number(1 - s.refusal_rate, '%') || ' of all'],
				ARRAY['Refused', answer.dashboard_number(s.refused, ''), answer.dashboard_number(s.refusal_rate, '%') || ' of all, including those asked back'],
				ARRAY['Held back', answer.dashboard_number(s.prevented, ''), 'refused because of a contradiction']])
			|| '<h3>Of those answered</h3>'
			|| answer.dashboard_tiles(ARRAY[
				ARRAY['Supported', answer.dashboard_number(s.given - s.unsupported, ''), answer.dashboard_number(1 - s.unsupported_rate, '%')],
				ARRAY['Contradicted', answer.dashboard_number(s.contradicted, ''),
					answer.dashboard_number(s.contradiction_rate, '%') || '; goal: at most 3&#8239;%'],
				ARRAY['Unsupported', answer.dashboard_number(s.unsupported - s.contradicted, ''),
					answer.dashboard_number(s.unsupported_rate - s.contradiction_rate, '%')],
				ARRAY['Not judged', answer.dashboard_number(s.unjudged, ''), answer.dashboard_number(s.unjudged_rate, '%')]])
			|| '<h3>Quality, time and cost</h3>'
			|| answer.dashboard_tiles(ARRAY[
				ARRAY['Citations', answer.dashboard_number(s.citation_rate, '%'), 'of answers that need them; goal: at least 90&#8239;%'],
				ARRAY['Grounded', answer.dashboard_number(s.groundedness, '%'), 'of given sentences'],
				ARRAY['Quality', answer.dashboard_number(s.gqs, '2'), 'of 1.00'],
				ARRAY['Time', answer.dashboard_number(s.p95_ms, 'ms'), '95 of 100 took no longer'],
				ARRAY['Cost', answer.dashboard_number(s.cost_per_answer, 'usd'), 'per answer']]), '') FILTER (WHERE s.place = 6),
		max(s.answers) FILTER (WHERE s.place = 6),
		array_agg(s.given::numeric ORDER BY s.place) FILTER (WHERE s.place <> 5), array_agg(s.required::numeric ORDER BY s.place) FILTER (WHERE s.place <> 5),
		array_agg(s.cited::numeric ORDER BY s.place) FILTER (WHERE s.place <> 5), array_agg(s.contradicted::numeric ORDER BY s.place) FILTER (WHERE s.place <> 5)
	INTO windows, levels, asked, given, required, cited, contradicted
	FROM slo s;

	SELECT array_agg(ARRAY[CASE b.objective WHEN 'citation' THEN 'Citations' ELSE 'Contradictions' END, answer.dashboard_chip(b.state),
			answer.dashboard_number(b.budget_left, '%'), answer.dashboard_number(b.share_30d, '%'), answer.dashboard_number(b.allowance, '%'),
			answer.dashboard_number(b.burn_5m, 'x'), answer.dashboard_number(b.burn_30m, 'x'), answer.dashboard_number(b.burn_1h, 'x'),
			answer.dashboard_number(b.burn_6h, 'x')] ORDER BY b.objective)
	INTO burn
	FROM answer.slo_burn_from('{5m,30m,1h,6h,30d}', array_fill(NULL::text, '{5}'), array_fill(NULL::text, '{5}'), given, required, cited, contradicted) AS b;

	SELECT array_agg(ARRAY[answer.html_text(replace(r.reason, '_', ' ')), answer.dashboard_number(r.refused::float8, ''), answer.dashboard_number((r.refused / nullif(asked, 0))::float8, '%')]
			ORDER BY r.refused DESC, r.reason COLLATE "C")
	INTO refusals
	FROM (SELECT * FROM answer.slo_refused(tenants, '720 hours', now) AS f WHERE f.tenant IS NULL AND f.intent IS NULL
		ORDER BY f.refused DESC, f.reason COLLATE "C" LIMIT 12) AS r;
	SELECT array_agg(ARRAY[answer.html_text(u.environment), answer.html_text(u.suite), answer.dashboard_chip(u.state), to_char(u."time", stamp),
			answer.dashboard_number(u.false_accepts, ''), answer.dashboard_number(u.false_accept_rate, '%'),
			answer.dashboard_number(u.false_refusals, ''), answer.dashboard_number(u.false_refuse_rate, '%')] ORDER BY u.tenant COLLATE "C", u.environment COLLATE "C")
	INTO suites
	FROM (SELECT * FROM answer.dashboard_suites_of(tenants) AS d WHERE d.run_id IS NOT NULL ORDER BY d."time" DESC LIMIT 10) AS u;

	-- verdicts and latency by days
	WITH sums AS MATERIALIZED (
		SELECT date_bin('1 day', s."time", '2000-01-01') AS day, s.schema, s.verdict, s.documents, s.answers, s.given, s.supported, s.contradicted
		-- whole days, for which answer.rollup_point has every hour
		FROM (SELECT r.starts_at AS "time", r.schema, r.verdict, r.documents::numeric AS documents, r.answers, r.given, r.supported, r.contradicted
			FROM answer.rollup r
			WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.starts_at >= first_day
			UNION ALL
			SELECT n.issued_at, n.schema, n.verdict, n.documents, n.answers, n.given, n.supported, n.contradicted
			FROM answer.rollup_single n
			WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS s
		WHERE s.schema IN ('answer/v1', 'decision/v1', 'plan/v1')
	), day AS MATERIALIZED (
		SELECT d.n, first_day + make_interval(hours => 24 * d.n) AS day FROM generate_series(0, days - 1) AS d (n)
	), class AS (
		SELECT c.class, c.label FROM (VALUES (1, 'answered and supported'), (2, 'answered but contradicted'), (3, 'answered but unsupported'), (4, 'refused'), (5, 'failed or other'))
			AS c (class, label)
	), stack AS MATERIALIZED (
		-- what is contradicted is not supported, so nothing is counted twice
		SELECT d.n, d.day, c.class, coalesce(sum(CASE c.class WHEN 1 THEN s.supported WHEN 2 THEN s.contradicted
			WHEN 3 THEN s.given - s.supported - s.contradicted WHEN 4 THEN s.answers - s.given ELSE s.documents - s.answers END), 0)::float8 AS documents
		FROM day d CROSS JOIN class c LEFT JOIN sums s ON s.day = d.day
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
			FROM placed p JOIN class c ON c.class = p.class WHERE p.documents > 0),
		(SELECT answer.dashboard_number(t.most, '') FROM top t),
		(SELECT array_agg(ARRAY[CASE v.schema WHEN 'answer/v1' THEN 'Statement' WHEN 'decision/v1' THEN 'Grounded answer' ELSE 'Plan' END,
				CASE WHEN v.schema = 'answer/v1' AND v.verdict = 'contradicted' THEN 'contradicted: the answer is no' ELSE answer.html_text(replace(v.verdict, '_', ' ')) END,
				answer.dashboard_number(v.documents, ''), answer.dashboard_number(v.documents / nullif(v.whole, 0), '%')] ORDER BY v.documents DESC, v.schema, v.verdict)
			FROM (SELECT s.schema, s.verdict, sum(s.documents)::float8 AS documents, (sum(sum(s.documents)) OVER ())::float8 AS whole FROM sums s
				GROUP BY s.schema, s.verdict HAVING sum(s.documents) > 0 ORDER BY 3 DESC, 1, 2 LIMIT 14) AS v),
		(SELECT array_agg(d.day ORDER BY d.n)
			FROM (SELECT s.n, to_char(s.day, 'YYYY-MM-DD') || array_agg(answer.dashboard_number(s.documents, '') ORDER BY s.class) AS day
				FROM stack s GROUP BY s.n, s.day) AS d),
		l.lines, l.slowest, l.times
	INTO bars, top, totals, daily, lines, slowest, times
	FROM (WITH took AS MATERIALIZED (
			SELECT d.n, answer.latency_percentile(o.latency, 0.5) / 1000 AS p50, answer.latency_percentile(o.latency, 0.95) / 1000 AS p95
			FROM day d
			JOIN (SELECT date_bin('1 day', l.at, '2000-01-01') AS day, answer.latency_union(l.latency) AS latency
				FROM (SELECT r.starts_at AS at, r.latency
					FROM answer.rollup_latency r
					WHERE r.tenant = ANY (tenants) AND r.grain = 1440 AND r.whole AND r.starts_at >= first_day
					UNION ALL
					SELECT n.issued_at, n.latency
					FROM answer.rollup_single n
					WHERE NOT n.counted AND n.tenant = ANY (tenants) AND n.issued_at >= first_day) AS l
				GROUP BY 1) AS o ON o.day = d.day
			WHERE o.latency IS NOT NULL
		), highest AS (
			SELECT greatest(max(t.p95), 0.001) AS most FROM took t
		), point AS (
			SELECT t.n, t.p50, t.p95, h.most, to_char(44 + (t.n + 0.4) * 596.0 / days, 'FM9990.0') AS x,
				to_char(150 - 140 * t.p50 / h.most, 'FM9990.00') AS y50, to_char(150 - 140 * t.p95 / h.most, 'FM9990.00') AS y95
			FROM took t CROSS JOIN highest h
		)
		SELECT string_agg(format('<circle class="f5" cx="%1$s" cy="%2$s" r="4"/><circle class="f4" cx="%1$s" cy="%3$s" r="4"><title>%4$s: 50 of 100 within %5$s, 95 of 100 within %6$s</title></circle>',
				p.x, p.y50, p.y95, to_char(first_day + make_interval(hours => 24 * p.n), 'YYYY-MM-DD'), answer.dashboard_number(p.p50, 'ms'),
				answer.dashboard_number(p.p95, 'ms')), '' ORDER BY p.n)
			|| format('<polyline class="stroke" points="%s"/><polyline class="stroke half" points="%s"/>',
				string_agg(p.x || ',' || p.y95, ' ' ORDER BY p.n), string_agg(p.x || ',' || p.y50, ' ' ORDER BY p.n)) AS lines,
			answer.dashboard_number(max(p.most), 'ms') AS slowest,
			array_agg(ARRAY[to_char(first_day + make_interval(hours => 24 * p.n), 'YYYY-MM-DD'), answer.dashboard_number(p.p50, 'ms'),
				answer.dashboard_number(p.p95, 'ms')] ORDER BY p.n) AS times
		FROM point p) AS l;

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
	SELECT (SELECT array_agg(ARRAY[initcap(c.metric), answer.dashboard_number(coalesce(h.count, 0), ''), NULL] ORDER BY c.place)
			FROM unnest('{stale,conflicting,thin,unavailable,unjudged,unfounded}'::text[]) WITH ORDINALITY AS c (metric, place)
			LEFT JOIN (SELECT m.metric, sum(w.count) AS count FROM words w JOIN answer.dashboard_evidence_words() AS m ON m.about = w.about AND m.word = split_part(w.word, ': ', 1)
				GROUP BY 1) AS h ON h.metric = c.metric),
		(SELECT array_agg(ARRAY[answer.html_text(s.word), answer.dashboard_number(s.facts, ''), answer.dashboard_number(s.confidence, '2'),
				answer.dashboard_number(s.weak / s.facts, '%')] ORDER BY s.facts DESC, s.word COLLATE "C")
			FROM (SELECT w.word, sum(w.count) FILTER (WHERE w.about = 'source') AS facts,
					sum(w.count) FILTER (WHERE w.about = 'confidence') / nullif(sum(w.count) FILTER (WHERE w.about = 'source'), 0) / 100 AS confidence,
					coalesce(sum(w.count) FILTER (WHERE w.about = 'weak'), 0) AS weak
				FROM words w WHERE w.about IN ('source', 'confidence', 'weak') GROUP BY 1
				HAVING sum(w.count) FILTER (WHERE w.about = 'source') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS s),
		(SELECT array_agg(ARRAY[answer.html_text(t.tool), answer.dashboard_number(t.calls, ''), answer.dashboard_number(1 - t.good / t.calls, '%'),
				answer.dashboard_number(t.mean, 'ms')] ORDER BY t.calls DESC, t.tool COLLATE "C")
			FROM (SELECT regexp_replace(w.word, ' [^ ]*$', '') AS tool, sum(w.count) FILTER (WHERE w.about = 'call') AS calls,
					coalesce(sum(w.count) FILTER (WHERE w.about = 'call' AND w.word ~ ' ok$'), 0) AS good,
					(coalesce(sum(w.count) FILTER (WHERE w.about = 'ms'), 0) + coalesce(sum(w.count) FILTER (WHERE w.about = 'us'), 0) / 1000)
						/ nullif(sum(w.count) FILTER (WHERE w.about = 'timed'), 0) AS mean
				FROM words w WHERE w.about IN ('call', 'ms', 'us', 'timed') GROUP BY 1
				HAVING sum(w.count) FILTER (WHERE w.about = 'call') > 0 ORDER BY 2 DESC, 1 LIMIT 10) AS t)
	INTO evidence, sources, tools;

	IF most > 0 THEN
		SELECT array_agg(ARRAY[l.asked, answer.dashboard_chip(l.state),
				CASE WHEN l.state IN ('altered', 'not verified') THEN '&#8211;'
					ELSE answer.dashboard_chip(CASE WHEN l.schema = 'answer/v1' AND l.verdict = 'contradicted' THEN 'statement contradicted' ELSE l.verdict END) END, to_char(l.issued_at, 'FMDD Mon, HH24:MI'),
				answer.html_text(l.receipt_id), CASE WHEN l.tenant = '' THEN '<span class="quiet">operator</span>' ELSE answer.html_text(l.tenant) END]
				ORDER BY l.issued_at DESC, l.receipt_id COLLATE "C")
		INTO receipts
		FROM (SELECT r.*, format(CASE WHEN link IS NOT NULL AND r.receipt_id ~ '^[a-z]{3}_[0-9a-f]{16}$' THEN '<a href="%2$s">%1$s</a>' ELSE '%1$s' END,
				answer.html_text(left(q.question, 120) || CASE WHEN char_length(q.question) > 120 THEN '...' ELSE '' END),
				replace(replace(link, '&', '&amp;'), '{id}', r.receipt_id)) AS asked
			FROM answer.dashboard_receipts_of(tenants, most) AS r
			CROSS JOIN LATERAL (SELECT coalesce(
				-- nothing is known about altered rows
				(SELECT answer.receipt_question(o.body) FROM answer.receipt o
					WHERE questions AND r.state = 'verified' AND o.tenant = r.tenant AND o.receipt_id = r.receipt_id AND o.issued_at = r.issued_at),
				r.intent, r.schema) AS question) AS q) AS l;
	END IF;
	SELECT array_agg(ARRAY[CASE WHEN g.state = 'verified' THEN coalesce(answer.dashboard_chip(g.outcome), '<span class="quiet">no gate</span>')
				ELSE answer.dashboard_chip(g.state) END, answer.html_text(g.environment), answer.html_text(concat_ws(': ', g.action, g.stage)),
			answer.html_text(g.config), to_char(g."time", stamp),
			answer.html_text(left(g.detail, 300) || CASE WHEN char_length(g.detail) > 300 THEN '...' ELSE '' END)]
			ORDER BY g."time" DESC, g.receipt_id COLLATE "C")
	INTO gates
	FROM answer.dashboard_gates_of(tenants, 10) AS g;
	SELECT array_agg(ARRAY[answer.html_text(k.key_id), answer.dashboard_chip(k.status),
			CASE WHEN k.age_days IS NULL THEN '&#8211;' ELSE to_char(k.age_days, 'FM999990.0') || ' d' END, answer.dashboard_number(k.documents, ''),
			CASE k.file_present WHEN true THEN 'here' WHEN false THEN 'not here' ELSE '&#8211;' END] ORDER BY k.active_from DESC NULLS LAST, k.key_id)
	INTO keys
	FROM answer.dashboard_keys_of(tenants) AS k;
	SELECT ARRAY[ARRAY['In the log', answer.dashboard_number(l.leaves, ''), NULL], ARRAY['Not sealed yet', answer.dashboard_number(l.unsealed, ''), NULL],
			ARRAY['Last sealed', NULL, coalesce(to_char(l.last_seal_at, stamp), 'never')],
			ARRAY['Last audit', NULL, coalesce(to_char(l.last_audit_at, stamp) || ', defects: ' || l.last_audit_defects, 'never')],
			ARRAY['Witnesses', answer.dashboard_number(l.witnesses, ''), NULL]]
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
', encode(sha256(convert_to(style, 'UTF8')), 'base64'), style, answer.html_text(title), scope, to_char(now, 'FMDD FMMonth YYYY, HH24:MI'))
		|| answer.dashboard_section('levels', 'Service levels', levels)
		|| answer.dashboard_section('windows', 'By window', answer.dashboard_table('windows', 'Shares of what was asked or answered. "Not supported" includes the contradicted ones',
			'{row:Window,:State,n:Asked,n:Answered,n:Refused,n:Cited,n:Contradicted,n:Held back,n:Not supported,n:Not judged,n:Grounded,n:Supported,n:Quality,n:50 of 100 within,n:95 of 100 within,n:Cost per answer,n:Cost per verified answer}', windows))
		|| answer.dashboard_section('burn', 'Error budgets', answer.dashboard_table('burn',
			'How fast the allowance of 30 days is used: at 1&#215; it lasts exactly 30 days',
			'{row:Objective,:State,n:Left,n:Failed in 30 days,n:Allowed,n:5 min,n:30 min,n:1 h,n:6 h}', burn))
		|| '<div class="two">'
		|| answer.dashboard_section('refusals', 'Refusals', answer.dashboard_table('refusals', 'Why answers were not given, 30 days',
			'{row:Reason,n:Refused,n:Of all}', refusals))
		|| answer.dashboard_section('suites', 'Suites', answer.dashboard_table('suites', 'What the newest run of each environment&#8217;s suite got wrong',
			'{row:Environment,:Suite,:Run,:Signed,n:False accepts,n:Rate,n:False refusals,n:Rate}', suites))
		|| '</div>'
		|| '<div class="two">'
		|| answer.dashboard_section('verdicts', 'Answers, ' || period,
			answer.dashboard_chart('Answers and refusals by day; the tables below have the same numbers', top, charted, bars,
				'{1:answered and supported,2:answered but contradicted,3:answered but unsupported,4:refused,5:failed or other}')
			|| format('<details><summary>As tables</summary>%s%s</details>',
				answer.dashboard_table('verdicts', 'Verdicts, by how it was asked',
					'{:Asked as,:Verdict,n:Count,n:Of all}', totals),
				answer.dashboard_table('verdicts', NULL, '{row:Day,n:Supported,n:Contradicted,n:Unsupported,n:Refused,n:Other}', daily)))
		|| answer.dashboard_section('times', 'Time of answers, ' || period,
			answer.dashboard_chart('Time within which 50 and 95 of 100 answers came, by day; the table below has the same numbers', slowest, charted, lines,
				'{4:95 of 100 took no longer,5:50 of 100 took no longer}')
			|| format('<details><summary>As a table</summary>%s</details>',
				answer.dashboard_table('times', NULL, '{row:Day,n:50 of 100,n:95 of 100}', times)))
		|| '</div>'
		|| answer.dashboard_section('receipts', 'Latest receipts', answer.dashboard_table('receipts', 'Each was verified when this page was made',
			'{long:Asked,:Receipt,:Verdict,:Issued,id:Id,:Tenant}', receipts))
		|| answer.dashboard_section('gates', 'Gates', answer.dashboard_table('gates', 'Steps of environments, and what their gates said',
			'{:Gate,:Environment,:Step,id:Configuration,:Signed,long:Why}', gates))
		|| answer.dashboard_section('evidence', 'Evidence, ' || period, answer.dashboard_tiles(evidence))
		|| '<div class="two">'
		|| answer.dashboard_section('sources', 'Sources', answer.dashboard_table('sources', 'Sources whose facts were cited most',
			'{row:Source,n:Facts,n:Confidence,n:Weak}', sources))
		|| answer.dashboard_section('tools', 'Tools', answer.dashboard_table('tools', 'Tools that were called most', '{row:Tool,n:Calls,n:Failed,n:Mean}', tools))
		|| '</div>'
		|| CASE WHEN log IS NULL THEN '' ELSE answer.dashboard_section('log', 'Log', answer.dashboard_tiles(log)) END
		|| answer.dashboard_section('keys', 'Keys', answer.dashboard_table('keys', NULL, '{row id:Key,:Status,n:Age,n:Documents,:File}', keys))
		|| '</main>
<footer><p>Made by answer_dashboard_page(). A verified receipt is unchanged since it was signed. The signature does not say that its evidence is true.</p></footer>
</body>
</html>
';
	RETURN NEXT;
END
$$;
COMMENT ON FUNCTION answer.dashboard_page_of(text[], oid, jsonb) IS
'Makes the page for answer_dashboard_page(), for the tenants and the role that it determined; not for direct use.';

CREATE FUNCTION answer.dashboard_page(options jsonb) RETURNS TABLE (page text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_reader'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000 ROWS 1;
COMMENT ON FUNCTION answer.dashboard_page(jsonb) IS
'Returns the page of answer_dashboard_page() as a row, for that function. See doc/reference.md#answerdashboard_page.';

CREATE FUNCTION @extschema@.answer_dashboard_page(options jsonb DEFAULT '{}') RETURNS text
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000000
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC SELECT p.page FROM answer.dashboard_page(options) AS p; END;
COMMENT ON FUNCTION @extschema@.answer_dashboard_page(jsonb) IS
'Returns the dashboard as one page of HTML, for people without Grafana: service levels, error budgets, verdicts and times by day, the latest receipts, each verified now, gates, evidence, sources, tools, keys and the log. See doc/reference.md#answer_dashboard_page.';

REVOKE ALL ON FUNCTION
	answer.dashboard_page_of(text[], oid, jsonb),
	answer.dashboard_page(jsonb),
	@extschema@.answer_dashboard_page(jsonb)
FROM PUBLIC;
