
/* service level objectives: totals of answers over windows */

-- The days, hours, minutes and single documents that make up a period, from the first instant (inclusive) to the
-- second (exclusive); only the parts that are needed, and none twice.
CREATE FUNCTION answer.rollup_pieces(from_instant timestamptz, to_instant timestamptz)
RETURNS TABLE (grain smallint, from_piece timestamptz, to_piece timestamptz)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10 ROWS 7
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
WITH minute AS (
	SELECT date_bin('1 minute', from_instant + interval '1 minute' - interval '1 microsecond', '2000-01-01') AS b,
		date_bin('1 minute', to_instant, '2000-01-01') AS e
), hour AS (
	SELECT date_bin('1 hour', b + interval '1 hour' - interval '1 microsecond', '2000-01-01') AS b,
		date_bin('1 hour', e, '2000-01-01') AS e FROM minute
), day AS (
	SELECT date_bin('1 day', b + interval '24 hours' - interval '1 microsecond', '2000-01-01') AS b,
		date_bin('1 day', e, '2000-01-01') AS e FROM hour
)
SELECT * FROM (
	SELECT 0::smallint AS grain, from_instant AS b, CASE WHEN m.b < m.e THEN m.b ELSE to_instant END AS e FROM minute m
	UNION ALL SELECT 0::smallint, m.e, to_instant FROM minute m WHERE m.b < m.e
	UNION ALL SELECT 1::smallint, m.b, CASE WHEN h.b < h.e THEN h.b ELSE m.e END FROM minute m, hour h
	UNION ALL SELECT 1::smallint, h.e, m.e FROM minute m, hour h WHERE h.b < h.e
	UNION ALL SELECT 60::smallint, h.b, CASE WHEN d.b < d.e THEN d.b ELSE h.e END FROM hour h, day d
	UNION ALL SELECT 60::smallint, d.e, h.e FROM hour h, day d WHERE d.b < d.e
	UNION ALL SELECT 1440::smallint, d.b, d.e FROM day d) AS p
WHERE p.b < p.e
$$;
COMMENT ON FUNCTION answer.rollup_pieces(timestamptz, timestamptz) IS
'Splits a period into whole days, hours and minutes (UTC) and the rest at its ends, for reading the roll-up; not for direct use.';

-- All windows at once, so that the queue, which has no index, is read once; and latencies, which take longer than
-- everything else, only if they are shown.
CREATE FUNCTION answer.slo_sums(tenants text[], spans interval[], until timestamptz, timed boolean)
RETURNS TABLE (place bigint, tenant text, intent text, answers numeric, given numeric, supported numeric, required numeric, cited numeric,
	contradicted numeric, prevented numeric, unjudged numeric, sentences numeric, grounded numeric, confidence numeric, costed numeric,
	costed_verified numeric, cost_usd numeric, latency bytea)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000 ROWS 100
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET jit = off
-- pieces are few and found by the index; the planner cannot know how many rows are between their ends
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
	-- the snapshot at the start of a transaction would miss what it has signed itself
	last_instant	timestamptz := coalesce(until, statement_timestamp());
	after_last		timestamptz;
	span			interval;
	starts			timestamptz[];
	ascending		timestamptz[];
BEGIN
	FOREACH span IN ARRAY spans LOOP
		IF span IS NULL THEN
			RAISE EXCEPTION 'span must not be null' USING ERRCODE = '22004';
		END IF;
		IF span <= interval '0' OR span > interval '732 days' OR NOT isfinite(last_instant)
			OR last_instant NOT BETWEEN '0010-01-01' AND '9999-12-31' THEN
			RAISE EXCEPTION 'there is no window of % up to %', span, last_instant
				USING ERRCODE = '22023', HINT = 'Give a span of more than 0 and at most 732 days, and an instant of the years 10 to 9999.';
		END IF;
		-- (until - span, until]
		after_last := last_instant + interval '1 microsecond';
		starts := starts || after_last - make_interval(secs => extract(epoch FROM span)::float8);
	END LOOP;
	ascending := ARRAY(SELECT a FROM unnest(starts) AS a ORDER BY a);
	RETURN QUERY
	WITH wanted AS MATERIALIZED (
		SELECT w.start, w.place FROM unnest(starts) WITH ORDINALITY AS w (start, place)
	), piece AS MATERIALIZED (
		SELECT w.place, p.* FROM wanted w CROSS JOIN LATERAL answer.rollup_pieces(w.start, after_last) AS p
	), queued AS MATERIALIZED (
		-- each row once, grouped with those that are in the same windows
		SELECT width_bucket(s.issued_at, ascending) AS latest, s.tenant, s.intent, sum(s.answers) AS answers, sum(s.given) AS given,
			sum(s.supported) AS supported, sum(s.required) AS required, sum(s.cited) AS cited, sum(s.contradicted) AS contradicted,
			sum(s.prevented) AS prevented, sum(s.unjudged) AS unjudged, sum(s.sentences) AS sentences, sum(s.grounded) AS grounded,
			sum(s.confidence) AS confidence, sum(s.costed) AS costed, sum(s.costed_verified) AS costed_verified, sum(s.cost_usd) AS cost_usd,
			answer.latency_union(CASE WHEN timed THEN s.latency END) AS latency
		FROM answer.rollup_single s
		WHERE NOT s.counted AND s.tenant = ANY (tenants) AND s.issued_at >= ascending[1] AND s.issued_at < after_last
			AND (s.answers > 0 OR s.corrects IS NOT NULL)
		GROUP BY 1, 2, 3
	), counted AS (
		SELECT p.place, r.tenant, r.intent, r.answers, r.given, r.supported, r.required, r.cited, r.contradicted, r.prevented, r.unjudged,
			r.sentences, r.grounded, r.confidence, r.costed, r.costed_verified, r.cost_usd, NULL::bytea AS latency
		FROM piece p
		JOIN answer.rollup r ON r.tenant = ANY (tenants) AND r.grain = p.grain
			AND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece AND r.answers > 0
		UNION ALL
		SELECT p.place, r.tenant, r.intent, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, r.latency
		FROM piece p
		JOIN answer.rollup_latency r ON r.tenant = ANY (tenants) AND r.grain = p.grain AND NOT r.whole
			AND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece
		WHERE timed
		UNION ALL
		SELECT p.place, s.tenant, s.intent, s.answers, s.given, s.supported, s.required, s.cited, s.contradicted, s.prevented, s.unjudged,
			s.sentences, s.grounded, s.confidence, s.costed, s.costed_verified, s.cost_usd, CASE WHEN timed THEN s.latency END
		FROM piece p
		JOIN answer.rollup_single s ON s.counted AND s.tenant = ANY (tenants)
			AND s.issued_at >= p.from_piece AND s.issued_at < p.to_piece AND (s.answers > 0 OR s.corrects IS NOT NULL)
		WHERE p.grain = 0
		UNION ALL
		SELECT w.place, q.tenant, q.intent, q.answers, q.given, q.supported, q.required, q.cited, q.contradicted, q.prevented, q.unjudged,
			q.sentences, q.grounded, q.confidence, q.costed, q.costed_verified, q.cost_usd, q.latency
		FROM queued q
		JOIN wanted w ON w.start <= ascending[q.latest]
	), leaf AS MATERIALIZED (
		SELECT c.place, c.tenant, c.intent, sum(c.answers) AS answers, sum(c.given) AS given, sum(c.supported) AS supported,
			sum(c.required) AS required, sum(c.cited) AS cited, sum(c.contradicted) AS contradicted, sum(c.prevented) AS prevented,
			sum(c.unjudged) AS unjudged, sum(c.sentences) AS sentences, sum(c.grounded) AS grounded, sum(c.confidence) AS confidence,
			sum(c.costed) AS costed, sum(c.costed_verified) AS costed_verified, sum(c.cost_usd) AS cost_usd, answer.latency_union(c.latency) AS latency
		FROM counted c
		GROUP BY 1, 2, 3
	)
	SELECT w.place, l.tenant, l.intent, coalesce(sum(l.answers), 0), coalesce(sum(l.given), 0), coalesce(sum(l.supported), 0),
		coalesce(sum(l.required), 0), coalesce(sum(l.cited), 0), coalesce(sum(l.contradicted), 0), coalesce(sum(l.prevented), 0),
		coalesce(sum(l.unjudged), 0), coalesce(sum(l.sentences), 0), coalesce(sum(l.grounded), 0), sum(l.confidence), sum(l.costed),
		sum(l.costed_verified), sum(l.cost_usd), answer.latency_union(l.latency)
	FROM wanted w
	LEFT JOIN leaf l ON l.place = w.place
	GROUP BY GROUPING SETS ((w.place), (w.place, l.tenant), (w.place, l.tenant, l.intent))
	-- an empty window has one row, for all
	HAVING grouping(l.tenant) = 1 OR l.tenant IS NOT NULL;
END
$$;
COMMENT ON FUNCTION answer.slo_sums(text[], interval[], timestamptz, boolean) IS
'Returns sums over the answers of windows, for answer.slo_windows() and answer.slo_burn_of(); not for direct use.';

CREATE FUNCTION answer.slo_windows(tenants text[], spans interval[], until timestamptz)
RETURNS TABLE (place bigint, tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate float8,
	contradicted bigint, contradiction_rate float8, prevented bigint, prevented_rate float8, unsupported bigint, unsupported_rate float8,
	unjudged bigint, unjudged_rate float8, sentences bigint, grounded bigint, groundedness float8, refused bigint, refusal_rate float8,
	p50_ms float8, p95_ms float8, cost_per_answer float8, cost_per_verified_answer float8, coverage float8, gqs float8, state text)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000 ROWS 100
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
SELECT t.place, t.tenant, t.intent, t.answers::bigint, t.given::bigint, t.required::bigint, t.cited::bigint,
	(t.cited / nullif(t.required, 0))::float8,
	t.contradicted::bigint, (t.contradicted / nullif(t.given, 0))::float8,
	t.prevented::bigint, (t.prevented / nullif(t.answers, 0))::float8,
	(t.given - t.supported)::bigint, ((t.given - t.supported) / nullif(t.given, 0))::float8,
	t.unjudged::bigint, (t.unjudged / nullif(t.given, 0))::float8,
	t.sentences::bigint, t.grounded::bigint, (t.grounded / nullif(t.sentences, 0))::float8,
	(t.answers - t.given)::bigint, ((t.answers - t.given) / nullif(t.answers, 0))::float8,
	answer.latency_percentile(t.latency, 0.5) / 1000, answer.latency_percentile(t.latency, 0.95) / 1000,
	(t.cost_usd / nullif(t.costed, 0))::float8,
	(t.cost_usd / nullif(t.costed_verified, 0))::float8,
	(t.supported / nullif(t.answers, 0))::float8,
	-- coverage * mean confidence of the supported answers, whose number cancels out
	(t.confidence / nullif(t.answers, 0) * (1 - coalesce(t.contradicted / nullif(t.given, 0), 0)))::float8,
	CASE WHEN t.answers = 0 THEN 'no_data'
		WHEN t.cited * 10 < t.required * 9 OR t.contradicted * 100 > t.given * 3 THEN 'breach'
		ELSE 'ok' END
FROM answer.slo_sums(tenants, spans, until, true) AS t
ORDER BY t.place, t.tenant COLLATE "C" NULLS FIRST, t.intent COLLATE "C" NULLS FIRST
$$;
COMMENT ON FUNCTION answer.slo_windows(text[], interval[], timestamptz) IS
'Returns the results of the answers of windows; not for direct use.';

CREATE FUNCTION answer.slo_of(tenants text[], span interval, until timestamptz)
RETURNS TABLE (tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate float8,
	contradicted bigint, contradiction_rate float8, prevented bigint, prevented_rate float8, unsupported bigint, unsupported_rate float8,
	unjudged bigint, unjudged_rate float8, sentences bigint, grounded bigint, groundedness float8, refused bigint, refusal_rate float8,
	p50_ms float8, p95_ms float8, cost_per_answer float8, cost_per_verified_answer float8, coverage float8, gqs float8, state text)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000 ROWS 100
SET search_path = pg_catalog, pg_temp
AS $$
SELECT w.tenant, w.intent, w.answers, w.given, w.required, w.cited, w.citation_rate, w.contradicted, w.contradiction_rate,
	w.prevented, w.prevented_rate, w.unsupported, w.unsupported_rate, w.unjudged, w.unjudged_rate, w.sentences, w.grounded, w.groundedness,
	w.refused, w.refusal_rate, w.p50_ms, w.p95_ms, w.cost_per_answer, w.cost_per_verified_answer, w.coverage, w.gqs, w.state
FROM answer.slo_windows(tenants, ARRAY[span], until) AS w
$$;
COMMENT ON FUNCTION answer.slo_of(text[], interval, timestamptz) IS
'Returns the results of answers for answer_slo(), with the tenants that it determined; not for direct use.';

CREATE FUNCTION @extschema@.answer_slo(span interval DEFAULT '24 hours', until timestamptz DEFAULT NULL)
RETURNS TABLE (tenant text, intent text, answers bigint, given bigint, required bigint, cited bigint, citation_rate float8,
	contradicted bigint, contradiction_rate float8, prevented bigint, prevented_rate float8, unsupported bigint, unsupported_rate float8,
	unjudged bigint, unjudged_rate float8, sentences bigint, grounded bigint, groundedness float8, refused bigint, refusal_rate float8,
	p50_ms float8, p95_ms float8, cost_per_answer float8, cost_per_verified_answer float8, coverage float8, gqs float8, state text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000 ROWS 100;
COMMENT ON FUNCTION @extschema@.answer_slo(interval, timestamptz) IS
'Returns the results of the answers of a window: those issued in (until - span, until]. See doc/reference.md#answer_slo.';

-- Each refusal counts once, so that the counts add up to the refusals of the window.
CREATE FUNCTION answer.slo_refused(tenants text[], span interval, until timestamptz)
RETURNS TABLE (tenant text, intent text, reason text, refused numeric)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000 ROWS 100
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET jit = off
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
	after_last	timestamptz := coalesce(until, statement_timestamp()) + interval '1 microsecond';
BEGIN
	RETURN QUERY
	WITH piece AS MATERIALIZED (
		SELECT p.* FROM answer.rollup_pieces(after_last - make_interval(secs => extract(epoch FROM span)::float8), after_last) AS p
	), counted AS (
		SELECT r.tenant, r.intent, r.reason, r.count
		FROM piece p
		JOIN answer.rollup_refusal r ON r.tenant = ANY (tenants) AND r.grain = p.grain
			AND r.starts_at >= p.from_piece AND r.starts_at < p.to_piece
		UNION ALL
		SELECT s.tenant, s.intent, s.refusal, 1
		FROM piece p
		JOIN answer.rollup_single s ON s.counted AND s.tenant = ANY (tenants)
			AND s.issued_at >= p.from_piece AND s.issued_at < p.to_piece AND s.refusal IS NOT NULL
		WHERE p.grain = 0
		UNION ALL
		SELECT s.tenant, s.intent, s.refusal, 1
		FROM answer.rollup_single s
		WHERE NOT s.counted AND s.tenant = ANY (tenants) AND s.refusal IS NOT NULL AND s.issued_at < after_last
			AND s.issued_at >= after_last - make_interval(secs => extract(epoch FROM span)::float8)
	)
	SELECT c.tenant, c.intent, c.reason, sum(c.count)
	FROM counted c
	GROUP BY GROUPING SETS ((c.reason), (c.tenant, c.reason), (c.tenant, c.intent, c.reason));
END
$$;
COMMENT ON FUNCTION answer.slo_refused(text[], interval, timestamptz) IS
'Counts the refusals of a window by reason, for answer.slo_refusals_of() and the page; not for direct use.';

CREATE FUNCTION answer.slo_refusals_of(tenants text[], span interval, until timestamptz)
RETURNS TABLE (tenant text, intent text, reason text, refused bigint, share float8)
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000 ROWS 100
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	last_instant	timestamptz := coalesce(until, statement_timestamp());
	answers			jsonb;
BEGIN
	-- the sums refuse an invalid window
	SELECT jsonb_object_agg(jsonb_build_array(s.tenant, s.intent)::text, s.answers) INTO answers
	FROM answer.slo_sums(tenants, ARRAY[span], last_instant, false) AS s;
	RETURN QUERY
	SELECT s.tenant, s.intent, s.reason, s.refused::bigint,
		(s.refused / nullif((answers ->> jsonb_build_array(s.tenant, s.intent)::text)::numeric, 0))::float8
	FROM answer.slo_refused(tenants, span, last_instant) AS s
	ORDER BY s.tenant COLLATE "C" NULLS FIRST, s.intent COLLATE "C" NULLS FIRST, s.refused DESC, s.reason COLLATE "C";
END
$$;
COMMENT ON FUNCTION answer.slo_refusals_of(text[], interval, timestamptz) IS
'Returns why answers of a window were not given, for answer_slo_refusals(), with the tenants that it determined; not for direct use.';

CREATE FUNCTION @extschema@.answer_slo_refusals(span interval DEFAULT '24 hours', until timestamptz DEFAULT NULL)
RETURNS TABLE (tenant text, intent text, reason text, refused bigint, share float8)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 10000 ROWS 100;
COMMENT ON FUNCTION @extschema@.answer_slo_refusals(interval, timestamptz) IS
'Returns why answers of a window were not given; each counts under the reason that decided. See doc/reference.md#answer_slo_refusals.';

-- From sums by window ('5m', '30m', '1h', '6h', '30d'), so that a caller that has them reads nothing twice.
CREATE FUNCTION answer.slo_burn_from(names text[], tenants text[], intents text[], given numeric[], required numeric[], cited numeric[],
	contradicted numeric[])
RETURNS TABLE (tenant text, intent text, objective text, allowance float8, share_30d float8, budget_left float8, burn_5m float8, burn_30m float8,
	burn_1h float8, burn_6h float8, state text)
LANGUAGE sql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 100
SET search_path = pg_catalog, pg_temp
AS $$
WITH windows AS (
	SELECT * FROM unnest(names, tenants, intents, given, required, cited, contradicted)
		AS u (name, tenant, intent, given, required, cited, contradicted)
), bad AS (
	SELECT w.name, w.tenant, w.intent, o.objective, o.allowance, o.fast, o.slow, o.bad, o.whole
	FROM windows w
	-- fast: min(14.4, half of 1 / allowance); slow: min(6, a quarter of it)
	CROSS JOIN LATERAL (VALUES
		('citation', 0.10, least(14.4, 0.5 / 0.10), least(6, 0.25 / 0.10), w.required - w.cited, w.required),
		('contradiction', 0.03, least(14.4, 0.5 / 0.03), least(6, 0.25 / 0.03), w.contradicted, w.given))
		AS o (objective, allowance, fast, slow, bad, whole)
), burn AS (
	SELECT b.tenant, b.intent, b.objective, b.allowance,
		max(b.bad) FILTER (WHERE b.name = '30d') AS bad_30d, max(b.whole) FILTER (WHERE b.name = '30d') AS whole_30d,
		max(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '5m') AS burn_5m,
		max(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '30m') AS burn_30m,
		max(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '1h') AS burn_1h,
		max(b.bad / nullif(b.whole, 0) / b.allowance) FILTER (WHERE b.name = '6h') AS burn_6h,
		-- counts are multiplied and not divided, so a share exactly at the limit compares as at the limit
		bool_and(b.whole > 0 AND b.bad >= b.fast * b.allowance * b.whole) FILTER (WHERE b.name IN ('5m', '1h'))
			AND count(*) FILTER (WHERE b.name IN ('5m', '1h')) = 2
		OR bool_and(b.whole > 0 AND b.bad >= b.slow * b.allowance * b.whole) FILTER (WHERE b.name IN ('30m', '6h'))
			AND count(*) FILTER (WHERE b.name IN ('30m', '6h')) = 2 AS is_burning
	FROM bad b
	GROUP BY 1, 2, 3, 4
)
SELECT b.tenant, b.intent, b.objective, b.allowance::float8, (b.bad_30d / nullif(b.whole_30d, 0))::float8,
	(1 - b.bad_30d / nullif(b.whole_30d, 0) / b.allowance)::float8,
	b.burn_5m::float8, b.burn_30m::float8, b.burn_1h::float8, b.burn_6h::float8,
	CASE WHEN coalesce(b.whole_30d, 0) = 0 THEN 'no_data'
		WHEN b.bad_30d > b.allowance * b.whole_30d THEN 'exhausted'
		WHEN b.is_burning THEN 'burning'
		ELSE 'ok' END
FROM burn b
ORDER BY b.tenant COLLATE "C" NULLS FIRST, b.intent COLLATE "C" NULLS FIRST, b.objective COLLATE "C"
$$;
COMMENT ON FUNCTION answer.slo_burn_from(text[], text[], text[], numeric[], numeric[], numeric[], numeric[]) IS
'Returns how fast error budgets burn, from the sums of windows, for answer.slo_burn_of() and the page; not for direct use.';

CREATE FUNCTION answer.slo_burn_of(tenants text[], until timestamptz)
RETURNS TABLE (tenant text, intent text, objective text, allowance float8, share_30d float8, budget_left float8, burn_5m float8, burn_30m float8,
	burn_1h float8, burn_6h float8, state text)
LANGUAGE sql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000 ROWS 100
SET search_path = pg_catalog, pg_temp
SET jit = off
AS $$
SELECT b.*
FROM (SELECT array_agg((ARRAY['5m', '30m', '1h', '6h', '30d'])[w.place]) AS names, array_agg(w.tenant) AS tenants, array_agg(w.intent) AS intents,
		array_agg(w.given) AS given, array_agg(w.required) AS required, array_agg(w.cited) AS cited, array_agg(w.contradicted) AS contradicted
	FROM answer.slo_sums(tenants, '{5 minutes,30 minutes,1 hour,6 hours,720 hours}', until, false) AS w) AS s
CROSS JOIN LATERAL answer.slo_burn_from(s.names, s.tenants, s.intents, s.given, s.required, s.cited, s.contradicted) AS b
$$;
COMMENT ON FUNCTION answer.slo_burn_of(text[], timestamptz) IS
'Returns how fast error budgets burn, for answer.slo_burn(), with the tenants that it determined; not for direct use.';

CREATE FUNCTION answer.slo_burn(until timestamptz DEFAULT NULL)
RETURNS TABLE (tenant text, intent text, objective text, allowance float8, share_30d float8, budget_left float8, burn_5m float8, burn_30m float8,
	burn_1h float8, burn_6h float8, state text)
AS 'MODULE_PATHNAME', 'answer_eval_rows_of_tenants'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL UNSAFE COST 50000 ROWS 100;
COMMENT ON FUNCTION answer.slo_burn(timestamptz) IS
'Returns how fast error budgets burn at an instant. See doc/reference.md#answerslo_burn.';

REVOKE ALL ON FUNCTION
	answer.rollup_pieces(timestamptz, timestamptz),
	answer.slo_sums(text[], interval[], timestamptz, boolean),
	answer.slo_windows(text[], interval[], timestamptz),
	answer.slo_of(text[], interval, timestamptz),
	@extschema@.answer_slo(interval, timestamptz),
	answer.slo_refused(text[], interval, timestamptz),
	answer.slo_refusals_of(text[], interval, timestamptz),
	@extschema@.answer_slo_refusals(interval, timestamptz),
	answer.slo_burn_from(text[], text[], text[], numeric[], numeric[], numeric[], numeric[]),
	answer.slo_burn_of(text[], timestamptz),
	answer.slo_burn(timestamptz)
FROM PUBLIC;
