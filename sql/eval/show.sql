
/* show: documents for people, and one name for gateways to call */

-- The judges that a document names as having judged, and how good each was measured to be. The document is not
-- trusted.
CREATE FUNCTION @extschema@.answer_judged_by(receipt jsonb, kinds text[] DEFAULT '{entailment,answers,conflict}') RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
SET search_path = pg_catalog, pg_temp
AS $$
	WITH said AS (
		SELECT j.judgement -> 'judge' AS name, bool_or(j.judgement -> 'origin' = '"observed"') AS observed,
			string_agg(DISTINCT @extschema@.answer_readable(j.judgement -> 'by') COLLATE "C", ', ')
				FILTER (WHERE j.judgement -> 'origin' = '"reported"') AS reported
		FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judgements') WHEN 'array' THEN receipt -> 'judgements' ELSE '[]' END) AS j (judgement)
		WHERE j.judgement ->> 'kind' = ANY (kinds)
		GROUP BY 1
	)
	SELECT COALESCE('judged by ' || string_agg(format('%s (%s, %s), %s, %s', @extschema@.answer_readable(w.judge -> 'name'),
			@extschema@.answer_readable(w.judge -> 'model'), @extschema@.answer_readable(w.judge -> 'version'),
			COALESCE('measured ' || (SELECT string_agg(format('%s of %s over %s pairs', @extschema@.answer_readable(a.measured -> 'balanced_accuracy'),
					@extschema@.answer_readable(to_jsonb(a.kind)), @extschema@.answer_readable(a.measured -> 'n')), ' and ' ORDER BY a.kind COLLATE "C")
				FROM jsonb_each(CASE jsonb_typeof(w.judge -> 'assessed') WHEN 'object' THEN w.judge -> 'assessed' ELSE '{}' END) AS a (kind, measured)
				WHERE a.kind = ANY (kinds) AND jsonb_typeof(a.measured) = 'object'), 'never measured'),
			concat_ws(' and ', CASE WHEN s.observed THEN 'asked by the database' END, 'reported by ' || s.reported)),
		'; ' ORDER BY w.n), 'not judged')
	FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judges') WHEN 'array' THEN receipt -> 'judges' ELSE '[]' END)
		WITH ORDINALITY AS w (judge, n)
	JOIN said AS s ON s.name = w.judge -> 'name'
$$;
COMMENT ON FUNCTION @extschema@.answer_judged_by(jsonb, text[]) IS
'Returns who judged what a document rests on, as a line for people. See doc/reference.md#answer_judged_by.';

-- A part of a text by bytes of UTF-8, or NULL if these bytes are not whole characters of it.
CREATE FUNCTION answer.text_between(whole text, first jsonb, beyond jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	bytes bytea := convert_to(whole, 'UTF8');
	starts numeric;
	ends numeric;
BEGIN
	IF jsonb_typeof(first) <> 'number' OR jsonb_typeof(beyond) <> 'number' THEN
		RETURN NULL;
	END IF;
	starts := (first #>> '{}')::numeric;
	ends := (beyond #>> '{}')::numeric;
	IF starts < 0 OR ends < starts OR ends > length(bytes) OR starts <> trunc(starts) OR ends <> trunc(ends)
		OR starts < length(bytes) AND get_byte(bytes, starts::integer) & 192 = 128
		OR ends < length(bytes) AND get_byte(bytes, ends::integer) & 192 = 128 THEN
		RETURN NULL;
	END IF;
	RETURN convert_from(substring(bytes FROM starts::integer + 1 FOR (ends - starts)::integer), 'UTF8');
END
$$;
COMMENT ON FUNCTION answer.text_between(text, jsonb, jsonb) IS
'Returns a part of a text, given by byte offsets in its UTF-8 form. See doc/reference.md#answertext_between.';

CREATE FUNCTION @extschema@.answer_show(receipt jsonb)
RETURNS TABLE ("check" text, verdict text, confidence float8, observed text, reason text)
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500 ROWS 3
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	kind text;
	items jsonb;
	one jsonb;
	wanted jsonb;
	told jsonb;
BEGIN
	IF receipt IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'receipt must not be null',
			hint = 'answer_receipt(id) returns NULL if no receipt has this id.';
	END IF;
	IF jsonb_typeof(receipt) <> 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'this is not a signed document',
			detail = format('It is a JSON %s: %s', jsonb_typeof(receipt), @extschema@.answer_readable(receipt)),
			hint = 'Give the whole document, a JSON object; answer_receipt(id) fetches a stored one.';
	END IF;
	IF jsonb_typeof(receipt -> 'schema') IS DISTINCT FROM 'string' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'this is not a signed document',
			detail = format('It is an object whose member "schema" %s; it is: %s',
				COALESCE('is a JSON ' || jsonb_typeof(receipt -> 'schema'), 'is missing'), @extschema@.answer_readable(receipt)),
			hint = 'Give the whole document. Its "schema" is "answer/v1" or that of another kind.';
	END IF;
	kind := receipt ->> 'schema';

	IF kind IN ('answer/v1', 'quality/v1') THEN
		items := receipt -> CASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END;
		IF jsonb_typeof(items) IS DISTINCT FROM 'array' THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('the member "%s" of this document of %s is not an array',
					CASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END, kind),
				detail = COALESCE('It is a JSON ' || jsonb_typeof(items), 'It is missing') || '.',
				hint = 'answer_verify says whether a document is unchanged since it was issued.';
		END IF;
		FOR one IN SELECT i.item FROM jsonb_array_elements(items) AS i (item) LOOP
			IF jsonb_typeof(one) <> 'object' THEN
				RAISE EXCEPTION USING errcode = '22023',
					message = format('a member of "%s" of this document of %s is not an object',
						CASE kind WHEN 'answer/v1' THEN 'checks' ELSE 'classes' END, kind),
					detail = format('It is a JSON %s: %s', jsonb_typeof(one), @extschema@.answer_readable(one)),
					hint = 'answer_verify says whether a document is unchanged since it was issued.';
			END IF;
			IF kind = 'quality/v1' THEN
				"check" := @extschema@.answer_readable(one -> 'class');
				verdict := @extschema@.answer_readable(one -> 'quality');
				reason := concat_ws('; ', @extschema@.answer_readable(one -> 'reason'),
					(SELECT format('%s is needed', @extschema@.answer_readable(g.gap -> 'need'))
						|| COALESCE(' (answer.quality_requirement of ' || @extschema@.answer_readable(receipt #> '{investigation,intent}') || ')', '')
					FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'gap') WHEN 'array' THEN receipt -> 'gap' ELSE '[]' END) AS g (gap)
					WHERE g.gap -> 'class' = one -> 'class' LIMIT 1));
				RETURN NEXT;
				CONTINUE;
			END IF;

			-- What was expected, and the result; or why there is no result. Notes come last.
			wanted := CASE jsonb_typeof(one -> 'expect') WHEN 'array' THEN one -> 'expect' ELSE '[]' END;
			told := CASE jsonb_typeof(one -> 'explain' -> 'expectations') WHEN 'array' THEN one -> 'explain' -> 'expectations' ELSE '[]' END;
			"check" := @extschema@.answer_readable(one -> 'id');
			verdict := @extschema@.answer_readable(one -> 'verdict');
			confidence := CASE WHEN jsonb_typeof(one -> 'confidence') = 'number' AND (one -> 'confidence')::numeric BETWEEN 0 AND 1
				THEN round((one -> 'confidence')::numeric, 17)::float8 END;
			observed := @extschema@.answer_readable(one -> 'observed');
			reason := @extschema@.answer_readable(one -> 'explain' -> 'summary');
			IF verdict IN ('supported', 'contradicted') AND wanted <> '[]' AND told <> '[]' THEN
				reason := (SELECT string_agg(concat_ws(' ', @extschema@.answer_readable(x.wanted -> 'path'),
						@extschema@.answer_readable(x.wanted -> 'op'), @extschema@.answer_readable(x.wanted -> 'value'),
						'within ' || @extschema@.answer_readable(x.wanted -> 'tol'),
						CASE x.told ->> 'outcome' WHEN 'holds' THEN 'holds' WHEN 'fails' THEN 'does not hold'
							ELSE concat_ws(': ', 'cannot be evaluated', @extschema@.answer_readable(x.told -> 'reason')) END,
						CASE WHEN x.n > 1 THEN '(observed ' || @extschema@.answer_readable(x.told -> 'observed') || ')' END),
					'; ' ORDER BY x.n)
					FROM ROWS FROM (jsonb_array_elements(wanted), jsonb_array_elements(told)) WITH ORDINALITY AS x (wanted, told, n)
					WHERE x.wanted IS NOT NULL AND x.told IS NOT NULL);
			ELSIF jsonb_typeof(one -> 'explain') = 'object' THEN
				reason := NULLIF(concat_ws(' ', reason,
					(SELECT '(' || string_agg(@extschema@.answer_readable(to_jsonb(d.name)) || ': ' || @extschema@.answer_readable(d.value),
							', ' ORDER BY d.name COLLATE "C") || ')'
					FROM jsonb_each(one -> 'explain') AS d (name, value)
					WHERE d.name <> 'summary' AND jsonb_typeof(d.value) NOT IN ('object', 'array'))), '');
			END IF;
			IF told <> '[]' THEN
				reason := NULLIF(concat_ws('; ', reason,
					(SELECT string_agg(@extschema@.answer_readable(t.told -> 'note'), '; ' ORDER BY t.n)
					FROM jsonb_array_elements(told) WITH ORDINALITY AS t (told, n))), '');
			END IF;
			-- how many sources gave which value, if that is why the confidence is low
			reason := NULLIF(concat_ws('; ', reason,
				(SELECT string_agg(DISTINCT @extschema@.answer_readable(to_jsonb(COALESCE(substring(n.note FROM 'fresh independent sources: .*'), n.note))), '; ')
				FROM jsonb_array_elements(CASE jsonb_typeof(one -> 'evidence') WHEN 'array' THEN one -> 'evidence' ELSE '[]' END) AS c (cited),
					LATERAL (SELECT receipt -> 'evidence_index' -> (c.cited #>> '{}')) AS f (fact), LATERAL (SELECT f.fact #>> '{verification,note}') AS n (note)
				WHERE f.fact #> '{verification,signals,conflict}' = 'true')), '');
			RETURN NEXT;
		END LOOP;
		IF items <> '[]' THEN
			RETURN;
		END IF;
	END IF;

	IF kind IN ('decision/v1', 'packet/v1', 'plan/v1') THEN
		RETURN QUERY
		WITH chunk AS (
			SELECT c.chunk FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{retrieval,chunks}') WHEN 'array'
				THEN receipt #> '{retrieval,chunks}' ELSE '[]' END) AS c (chunk)
		), threshold (told, value, threshold, key) AS (
			-- the numbers behind a reason, and the key that sets the limit; at high risk the stricter age limit
			-- applies. A value that is null is known to be none
			SELECT v.told, v.value, NULLIF(v.threshold, 'null'), to_jsonb(v.key)
			FROM (VALUES (CASE WHEN receipt #> '{risk,risk_level}' = '"high"' THEN '_high_risk' ELSE '' END)) AS l (suffix), LATERAL (VALUES
				('low_retrieval_confidence', receipt #> '{signals,retrieval_confidence_max}', receipt #> '{thresholds,conf_max}', 'confidence_threshold' || l.suffix),
				('insufficient_retrieval_hits', receipt #> '{signals,retrieval_hit_count}', receipt #> '{thresholds,min_chunks}', 'min_chunks'),
				('stale_documents', receipt #> '{retrieval_quality,freshness,oldest_timestamp}', receipt #> '{thresholds,freshness_days}', CASE
					WHEN receipt #> '{thresholds,freshness_days}' = receipt #> '{config,freshness_days}' THEN 'freshness_days'
					ELSE 'freshness_days' || l.suffix END)) AS v (told, value, threshold, key)
			WHERE jsonb_typeof(receipt -> 'explain') IS DISTINCT FROM 'array'
			UNION ALL SELECT e.entry ->> 'reason', e.entry -> 'value', NULLIF(e.entry -> 'threshold', 'null'), e.entry -> 'key'
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'explain') WHEN 'array' THEN receipt -> 'explain' ELSE '[]' END) AS e (entry)
			WHERE jsonb_typeof(e.entry) = 'object'
		), decision (part, n, "check", verdict, confidence, observed, reason) AS (
			-- the decision; each sentence of an answer; what it cites, what conflicts, what is wrong with an answer.
			-- The similarity of a text says nothing about its truth, so it is shown but is not a confidence; the
			-- certainty of a judge is one
			SELECT 1, 1::bigint, '"decision"'::jsonb, receipt -> 'decision', receipt #> '{signals,answer_confidence}', NULL::jsonb,
				concat_ws(': ', (SELECT string_agg(concat(@extschema@.answer_readable(r.reason), ' (' || CASE e.told
						WHEN 'stale_documents' THEN CASE jsonb_typeof(e.value) WHEN 'null' THEN 'the oldest source has no date'
							WHEN 'number' THEN format('the oldest source is %s days old', @extschema@.answer_readable(e.value))
							ELSE 'the oldest source is of ' || @extschema@.answer_readable(e.value) END || ', ' || format('at most %s days are allowed, %s',
							@extschema@.answer_readable(e.threshold), @extschema@.answer_readable(e.key))
						WHEN e.told THEN format('%s, needs %s, %s', CASE WHEN e.value <> 'null' THEN @extschema@.answer_readable(e.value) ELSE 'none' END,
							@extschema@.answer_readable(e.threshold), @extschema@.answer_readable(e.key)) END || ')',
						CASE WHEN r.reason = '"not_judged"' AND receipt -> 'decision' = '"ABSTAIN"' THEN ' (judge: required)' END), ', ' ORDER BY r.n)
					FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'reasons') WHEN 'array' THEN receipt -> 'reasons' ELSE '[]' END)
						WITH ORDINALITY AS r (reason, n)
					LEFT JOIN threshold AS e ON to_jsonb(e.told) = r.reason AND e.value IS NOT NULL AND e.threshold IS NOT NULL),
					@extschema@.answer_readable(NULLIF(receipt -> 'user_message', 'null')))
			UNION ALL SELECT 2, e.n, to_jsonb('sentence ' || e.n), e.sentence -> 'status', NULL,
				to_jsonb(answer.text_between(receipt #>> '{proposed,answer}', e.sentence -> 'start', e.sentence -> 'end')),
				concat_ws('; ', CASE e.sentence ->> 'status' WHEN 'supported' THEN @extschema@.answer_judged_by(receipt, '{entailment}')
						WHEN 'unsupported' THEN @extschema@.answer_judged_by(receipt, '{entailment}') WHEN 'no_claim' THEN @extschema@.answer_judged_by(receipt, '{entailment}')
						WHEN 'contradicted' THEN COALESCE(@extschema@.answer_readable(NULLIF(e.sentence -> 'reason', 'null')), @extschema@.answer_judged_by(receipt, '{entailment}'))
						WHEN 'not_judged' THEN 'not judged' WHEN 'quoted' THEN 'not judged' END,
					-- how sure a judge must be, if the judge decided against the sentence
					CASE e.sentence ->> 'status' WHEN 'unsupported' THEN 'needs ' || @extschema@.answer_readable(answer.decision_config_of(receipt) -> 'support_min') || ', support_min'
						WHEN 'contradicted' THEN CASE WHEN COALESCE(e.sentence -> 'reason', 'null') = 'null' THEN
							'counts from ' || @extschema@.answer_readable(answer.decision_config_of(receipt) -> 'contradict_min') || ', contradict_min' END END,
					CASE WHEN jsonb_array_length(CASE jsonb_typeof(e.sentence -> 'citations') WHEN 'array' THEN e.sentence -> 'citations' ELSE '[]' END) > 0
						THEN 'over ' || @extschema@.answer_readable(e.sentence -> 'citations') END)
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{validation,sentences}') WHEN 'array' THEN receipt #> '{validation,sentences}' ELSE '[]' END)
				WITH ORDINALITY AS e (sentence, n)
			UNION ALL SELECT 3, w.n, w.id, '"cited"', NULL, k.chunk -> 'text',
				concat_ws('; ', 'similarity ' || @extschema@.answer_readable(k.chunk -> 'similarity'), @extschema@.answer_readable(k.chunk -> 'timestamp'))
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'citations') WHEN 'array' THEN receipt -> 'citations' ELSE '[]' END)
				WITH ORDINALITY AS w (id, n)
			LEFT JOIN chunk AS k ON k.chunk -> 'chunk_id' = w.id
			UNION ALL SELECT 4, p.n, p.pair -> 'kind', '"conflict"', NULL, NULL, format('%s and %s: %s', @extschema@.answer_readable(p.pair #> '{chunk_a,chunk_id}'),
				@extschema@.answer_readable(p.pair #> '{chunk_b,chunk_id}'), @extschema@.answer_readable(p.pair -> 'reason'))
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{conflicts,pairs}') WHEN 'array' THEN receipt #> '{conflicts,pairs}' ELSE '[]' END)
				WITH ORDINALITY AS p (pair, n)
			UNION ALL SELECT l.part, v.n, '"citations"', to_jsonb(left(l.list, -1)), NULL, NULL, @extschema@.answer_readable(v.told)
			FROM (VALUES (5, 'errors'), (6, 'warnings')) AS l (part, list), jsonb_array_elements(CASE jsonb_typeof(receipt -> 'validation' -> l.list)
				WHEN 'array' THEN receipt -> 'validation' -> l.list ELSE '[]' END) WITH ORDINALITY AS v (told, n)
			UNION ALL SELECT 7, w.n, w.judge -> 'name', '"judge"', NULL, NULL,
				@extschema@.answer_judged_by(jsonb_build_object('judges', jsonb_build_array(w.judge), 'judgements', receipt -> 'judgements'))
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'judges') WHEN 'array' THEN receipt -> 'judges' ELSE '[]' END) WITH ORDINALITY AS w (judge, n)
			UNION ALL SELECT 8, c.n, c.changed -> 'key', '"changed"', NULL, c.changed -> 'new', 'the request; it was ' || @extschema@.answer_readable(c.changed -> 'old')
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'config_changed') WHEN 'array' THEN receipt -> 'config_changed' ELSE '[]' END) WITH ORDINALITY AS c (changed, n)
		), packet (part, n, "check", verdict, confidence, observed, reason) AS (
			-- the packet; its faults; the nodes that it cites, in their order
			SELECT 1, 1::bigint, '"packet"'::jsonb, receipt #> '{packet,status}', to_jsonb(CASE jsonb_typeof(receipt #> '{packet,context_veracity,confidence_score}')
				WHEN 'number' THEN (receipt #> '{packet,context_veracity,confidence_score}')::numeric / 100 END), NULL::jsonb,
				concat_ws('; ', @extschema@.answer_readable(receipt #> '{packet,meta,project}'), CASE WHEN receipt #>> '{packet,status}' = 'insufficient_evidence' THEN 'nothing has a score of ' || COALESCE(@extschema@.answer_readable(
					receipt #> '{packet,meta,options,min_score}'), CASE WHEN receipt #> '{reproduce,evaluator,rules}' ? 'text-score/2' THEN '0.2' END) || ' or more (min_score)' END)
			UNION ALL SELECT 2, f.n, COALESCE(f.fault #> '{evidence,node_id}', f.fault #> '{evidence,doc_id}'), f.fault -> 'type', NULL, NULL,
				@extschema@.answer_readable(f.fault -> 'message')
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{packet,context_veracity,faults}') WHEN 'array'
				THEN receipt #> '{packet,context_veracity,faults}' ELSE '[]' END) WITH ORDINALITY AS f (fault, n)
			UNION ALL SELECT l.part, e.n, e.entry -> 'id', to_jsonb(l.word), e.entry -> 'score', e.entry -> 'name',
				concat_ws(':', @extschema@.answer_readable(e.entry -> 'path'), @extschema@.answer_readable(e.entry -> 'start_line'))
			FROM (VALUES (3, 'code_truth', 'code'), (4, 'doc_claims', 'document')) AS l (part, list, word),
				jsonb_array_elements(CASE jsonb_typeof(receipt -> 'packet' -> l.list) WHEN 'array' THEN receipt -> 'packet' -> l.list ELSE '[]' END)
					WITH ORDINALITY AS e (entry, n)
		), plan (part, n, "check", verdict, confidence, observed, reason) AS (
			-- the plan; its caveats; the events of its trace
			SELECT 1, 1::bigint, '"plan"'::jsonb, receipt -> 'verdict', receipt #> '{response,evidence,confidence}', receipt #> '{response,text}',
				concat_ws(': ', @extschema@.answer_readable(receipt #> '{reason,kind}'), concat(@extschema@.answer_readable(receipt #> '{reason,message}'), CASE WHEN receipt -> 'policy' ? 'freshness_days' THEN
					CASE receipt #>> '{reason,kind}' WHEN 'confidence' THEN ' (min_confidence)' WHEN 'conflict' THEN ' (block_if_conflict_over)'
						WHEN 'not_judged' THEN ' (judge: required)' WHEN 'stale_documents' THEN
						-- a limit that is neither of the configuration's comes from the step's own arguments
						CASE substring(receipt #>> '{reason,message}' FROM 'more than ([0-9]+) days old is stale here$')
							WHEN receipt #>> '{policy,freshness_days}' THEN ' (freshness_days)'
							WHEN receipt #>> '{policy,freshness_days_high_risk}' THEN ' (freshness_days_high_risk)'
							ELSE ' (policy.freshness_days of the step)' END END END,
					-- what older documents do not contain
					CASE concat(CASE WHEN receipt -> 'policy' ? 'freshness_days' AND receipt #>> '{reason,kind}' <> 'budget' THEN 'told ' END,
						receipt #>> '{reason,kind}')
					WHEN 'confidence' THEN ', needs ' || @extschema@.answer_readable(to_jsonb(i.needed)) || ' (min_confidence)'
					WHEN 'budget' THEN CASE WHEN receipt #>> '{reason,message}' !~ ' and the budget is ' THEN ' of ' END || NULLIF(concat_ws(' and ', @extschema@.answer_readable(NULLIF(receipt #> '{limits,cost_usd}', 'null')) || ' USD (cost_cap_usd)',
						@extschema@.answer_readable(NULLIF(receipt #> '{limits,latency_ms}', 'null')) || ' ms (latency_budget_ms)'), '')
					WHEN 'conflict' THEN ', at most ' || @extschema@.answer_readable(to_jsonb(i.allowed)) || ' is allowed (block_if_conflict_over)' END))
			-- the plan's thresholds, or those of the blocked step if they are stricter
			FROM (SELECT max(l.needed), min(l.allowed) FROM (
				SELECT t.record -> 'inputs' AS given FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END) AS t (record)
					WHERE t.record #> '{event,step}' = receipt #> '{reason,node}' AND t.record #> '{event,outcome}' = '"blocked"'
				UNION ALL SELECT receipt -> 'policy') AS p
				CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(p.given -> 'min_confidence') WHEN 'number' THEN (p.given ->> 'min_confidence')::numeric END,
					CASE jsonb_typeof(COALESCE(p.given #> '{policy,block_if_conflict_over}', p.given -> 'block_if_conflict_over')) WHEN 'number'
						THEN COALESCE(p.given #>> '{policy,block_if_conflict_over}', p.given ->> 'block_if_conflict_over')::numeric END) AS l (needed, allowed)) AS i (needed, allowed)
			UNION ALL SELECT 2, c.n, NULL, '"caveat"', NULL, NULL, @extschema@.answer_readable(CASE jsonb_typeof(c.caveat) WHEN 'object' THEN c.caveat -> 'text' ELSE c.caveat END)
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'caveats') WHEN 'array' THEN receipt -> 'caveats' ELSE '[]' END)
				WITH ORDINALITY AS c (caveat, n)
			UNION ALL SELECT 3, t.n, t.record #> '{event,step}', t.record #> '{event,outcome}', NULL, NULL,
				@extschema@.answer_readable(NULLIF(t.record #> '{event,reason}', 'null'))
			FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END)
				WITH ORDINALITY AS t (record, n)
		), line AS (
			SELECT d.* FROM decision AS d WHERE kind = 'decision/v1'
			UNION ALL SELECT p.* FROM packet AS p WHERE kind = 'packet/v1'
			UNION ALL SELECT p.* FROM plan AS p WHERE kind = 'plan/v1'
		)
		SELECT @extschema@.answer_readable(l."check"), @extschema@.answer_readable(l.verdict),
			CASE WHEN jsonb_typeof(l.confidence) = 'number' AND l.confidence::numeric BETWEEN 0 AND 1 THEN round(l.confidence::numeric, 17)::float8 END,
			@extschema@.answer_readable(l.observed), NULLIF(l.reason, '')
		FROM line AS l ORDER BY l.part, l.n;
		RETURN;
	END IF;

	-- one row for the whole, if there is nothing to list
	verdict := CASE kind WHEN 'answer/tombstone/v1' THEN 'forgotten'
		ELSE @extschema@.answer_readable(COALESCE(receipt -> 'verdict', receipt -> 'outcome')) END;
	confidence := CASE WHEN jsonb_typeof(receipt -> 'confidence') = 'number' AND (receipt -> 'confidence')::numeric BETWEEN 0 AND 1
		THEN round((receipt -> 'confidence')::numeric, 17)::float8 END;
	reason := CASE kind
		WHEN 'answer/tombstone/v1' THEN @extschema@.answer_readable(receipt -> 'reason')
		WHEN 'answer/v1' THEN COALESCE(@extschema@.answer_readable(receipt -> 'route' -> 'reason'), 'there is no check')
		WHEN 'quality/v1' THEN 'no class of evidence is required or recorded'
		ELSE format('a document of %s has no checks', @extschema@.answer_readable(receipt -> 'schema')) END;
	RETURN NEXT;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_show(jsonb) IS
'Returns a receipt as rows for people. See doc/reference.md#answer_show.';

CREATE FUNCTION @extschema@.answer_summary(receipt jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000
SET search_path = pg_catalog, pg_temp
AS $$
<<summary>>
DECLARE
	verdict text;
	total bigint;
	counts text;
	cause text;
	shown text;
	why text;
	recorded text;
BEGIN
	-- answer_show refuses what is not a document; this is separate from the query below, so that the error's context
	-- is short
	IF jsonb_typeof(receipt -> 'schema') IS DISTINCT FROM 'string' THEN
		PERFORM @extschema@.answer_show(receipt);
	END IF;
	verdict := @extschema@.answer_readable(receipt -> 'verdict');
	-- Names the first check that determined the verdict; among several that hold, none stands out. Recorded values
	-- are shown; if somebody asked a question, they are the answer.
	WITH row AS MATERIALIZED (
		SELECT s.*
		FROM ROWS FROM (jsonb_array_elements(CASE jsonb_typeof(receipt -> 'checks') WHEN 'array' THEN receipt -> 'checks' ELSE '[]' END),
			@extschema@.answer_show(receipt)) WITH ORDINALITY AS s (body, "check", verdict, confidence, observed, reason, n)
	), listed AS (
		SELECT * FROM row WHERE row.body IS NOT NULL
	)
	SELECT (SELECT count(*) FROM listed),
		(SELECT string_agg(format('%s %s', v.n, COALESCE(v.verdict, 'without a verdict')), ', ' ORDER BY v.n DESC, v.verdict COLLATE "C")
		FROM (SELECT CASE l.verdict WHEN 'value' THEN 'recorded' ELSE translate(l.verdict, '_', ' ') END, count(*)
			FROM listed AS l GROUP BY 1) AS v (verdict, n)),
		(SELECT concat_ws(': ', concat_ws(' observed ', @extschema@.answer_readable(to_jsonb((l.body -> 'id')::text)), l.observed), l.reason)
		FROM listed AS l
		WHERE CASE summary.verdict
			WHEN 'contradicted' THEN l.verdict = 'contradicted' AND l.body -> 'required' IS DISTINCT FROM 'false'
			WHEN 'insufficient_evidence' THEN l.verdict NOT IN ('supported', 'contradicted', 'value') AND l.body -> 'required' IS DISTINCT FROM 'false'
			ELSE false END
			OR l.n = 1 AND (SELECT count(*) FROM listed) = 1
		ORDER BY l.n LIMIT 1),
		(SELECT min(row.verdict) FROM row),
		(SELECT row.reason FROM row ORDER BY row.n LIMIT 1),
		(SELECT string_agg(concat_ws('; ', CASE WHEN receipt ->> 'mode' = 'question' THEN '' ELSE @extschema@.answer_readable(to_jsonb((l.body -> 'id')::text)) || ' observed ' END
				-- text that could pass for words of the sentence is in quotes, in its canonical form
				|| CASE WHEN l.observed COLLATE "C" ~ '^[[:alnum:]_+:./-]+$' THEN l.observed ELSE @extschema@.answer_readable(to_jsonb((l.body -> 'observed')::text)) END,
				substring(l.reason FROM '; (.*)$')), '; ' ORDER BY l.n)
			FROM listed AS l HAVING bool_and(l.verdict = 'value'))
	INTO summary.total, summary.counts, summary.cause, summary.shown, summary.why, summary.recorded;

	CASE receipt ->> 'schema'
	WHEN 'answer/tombstone/v1' THEN
		RETURN format('%s was forgotten at %s: %s.',
			COALESCE('Receipt ' || @extschema@.answer_readable(receipt -> 'receipt_id'),
				'Evidence ' || @extschema@.answer_readable(receipt -> 'digest'), 'A document'),
			COALESCE(@extschema@.answer_readable(receipt -> 'forgotten_at'), 'an unknown time'),
			COALESCE(@extschema@.answer_readable(receipt -> 'reason'), 'no reason is stated'));
	WHEN 'quality/v1' THEN
		RETURN format('The investigation %s is %s: %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'investigation' -> 'question')::text)),
			CASE WHEN receipt -> 'complete' = 'true' THEN 'complete' ELSE 'not complete' END,
			COALESCE(@extschema@.answer_readable(receipt -> 'confidence' -> 'explanation'), 'nothing was required')
			|| COALESCE('; ' || (SELECT string_agg(format('%s is %s, needs %s', @extschema@.answer_readable(g.gap -> 'class'), @extschema@.answer_readable(g.gap -> 'have'),
					@extschema@.answer_readable(g.gap -> 'need')), ', ' ORDER BY g.n)
				FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'gap') WHEN 'array' THEN receipt -> 'gap' ELSE '[]' END) WITH ORDINALITY AS g (gap, n)
				WHERE jsonb_typeof(g.gap) = 'object' AND g.n <= 100)
				|| COALESCE(' (answer.quality_requirement of ' || @extschema@.answer_readable(receipt #> '{investigation,intent}') || ')', ''), ''));
	WHEN 'decision/v1' THEN
		-- similarity says nothing about truth, so the text says who judged, or that nobody did
		RETURN format('%s: %s (similarity %s%s%s): %s; %s%s%s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt -> 'query')::text)), 'No query'),
			COALESCE(@extschema@.answer_readable(receipt -> 'decision'), 'no decision'),
			COALESCE(@extschema@.answer_readable(receipt #> '{signals,retrieval_confidence_max}'), 'not stated'),
			COALESCE(', answers ' || @extschema@.answer_readable(NULLIF(receipt #> '{signals,answer_confidence}', 'null')), ''),
			CASE WHEN receipt -> 'degraded' = 'true' THEN ', degraded' ELSE '' END,
			COALESCE(CASE WHEN receipt -> 'decision' IN ('"CLARIFY"', '"ABSTAIN"', '"BLOCK"') THEN @extschema@.answer_readable(to_jsonb(to_jsonb(why)::text)) END,
				@extschema@.answer_readable(to_jsonb((NULLIF(receipt -> 'answer', 'null'))::text)), 'there is no answer')
				|| COALESCE(CASE WHEN receipt -> 'decision' = '"ANSWER_WITH_CAVEATS"' THEN '; caveat: '
					|| @extschema@.answer_readable(to_jsonb((NULLIF(receipt -> 'user_message', 'null'))::text)) END, ''),
			@extschema@.answer_judged_by(receipt),
			COALESCE('; ' || (SELECT string_agg(format('sentence %s %s', e.n, translate(@extschema@.answer_readable(e.sentence -> 'status'), '_', ' ')), ', ' ORDER BY e.n)
				FROM jsonb_array_elements(CASE jsonb_typeof(receipt #> '{validation,sentences}') WHEN 'array' THEN receipt #> '{validation,sentences}' ELSE '[]' END)
					WITH ORDINALITY AS e (sentence, n) WHERE e.n <= 100), ''),
			COALESCE('; the request changed ' || (SELECT string_agg(format('%s from %s to %s', @extschema@.answer_readable(c.changed -> 'key'),
					@extschema@.answer_readable(c.changed -> 'old'), @extschema@.answer_readable(c.changed -> 'new')), ', ' ORDER BY c.n)
				FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'config_changed') WHEN 'array' THEN receipt -> 'config_changed' ELSE '[]' END)
					WITH ORDINALITY AS c (changed, n)), ''));
	WHEN 'packet/v1' THEN
		RETURN format('%s: %s (score %s%s): %s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt #> '{packet,meta,question}')::text)), 'No question'),
			COALESCE(translate(@extschema@.answer_readable(receipt #> '{packet,status}'), '_', ' '), 'no status'),
			COALESCE(@extschema@.answer_readable(receipt #> '{packet,context_veracity,confidence_score}'), 'not stated'),
			CASE WHEN receipt #> '{packet,context_veracity,is_stale}' = 'true' THEN ', stale' ELSE '' END,
			format('%s of code, %s of documents',
				jsonb_array_length(CASE jsonb_typeof(receipt #> '{packet,code_truth}') WHEN 'array' THEN receipt #> '{packet,code_truth}' ELSE '[]' END),
				jsonb_array_length(CASE jsonb_typeof(receipt #> '{packet,doc_claims}') WHEN 'array' THEN receipt #> '{packet,doc_claims}' ELSE '[]' END))
			|| COALESCE('; ' || CASE WHEN receipt #>> '{packet,status}' = 'insufficient_evidence' THEN 'nothing has a score of ' || COALESCE(@extschema@.answer_readable(
					receipt #> '{packet,meta,options,min_score}'), CASE WHEN receipt #> '{reproduce,evaluator,rules}' ? 'text-score/2' THEN '0.2' END) || ' or more (min_score)' END, ''));
	WHEN 'plan/v1' THEN
		RETURN format('%s: %s (%s%s%s): %s.', COALESCE(@extschema@.answer_readable(to_jsonb((receipt #> '{plan,plan_id}')::text)), 'No plan'),
			COALESCE(upper(left(verdict, 1) COLLATE "C") || substr(verdict, 2), 'no verdict'),
			'confidence ' || @extschema@.answer_readable(receipt #> '{response,evidence,confidence}') || ', ',
			concat(@extschema@.answer_readable(receipt #> '{budget_used,latency_ms}') || ' ms and ',
				COALESCE(@extschema@.answer_readable(receipt #> '{budget_used,cost_usd}'), 'unknown'), ' USD',
				' ' || @extschema@.answer_readable(receipt #> '{budget_used,basis}')),
			CASE WHEN receipt #> '{response,degraded}' = 'true' THEN ', degraded' ELSE '' END
			|| COALESCE(', ' || @extschema@.answer_readable(receipt #> '{response,evidence,origin}'), '')
			-- by whom, if there was somebody to ask or nobody has judged
			|| COALESCE(', ' || NULLIF(@extschema@.answer_judged_by((SELECT jsonb_build_object('judges', COALESCE(jsonb_agg(DISTINCT j.judge), '[]'),
					'judgements', COALESCE(jsonb_agg(j.judgement), '[]'))
				FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'trace') WHEN 'array' THEN receipt -> 'trace' ELSE '[]' END) AS t (record)
				CROSS JOIN LATERAL (SELECT t.record #> '{outputs,evidence}') AS e (evidence)
				CROSS JOIN LATERAL (SELECT w.judge, s.judgement
					FROM jsonb_array_elements(CASE jsonb_typeof(e.evidence -> 'judges') WHEN 'array' THEN e.evidence -> 'judges' ELSE '[]' END) AS w (judge)
					JOIN jsonb_array_elements(CASE jsonb_typeof(e.evidence -> 'judgements') WHEN 'array' THEN e.evidence -> 'judgements' ELSE '[]' END)
						AS s (judgement) ON s.judgement -> 'judge' = w.judge -> 'name') AS j)),
				CASE WHEN receipt @> '{"caveats": [{"code": "not_judged"}]}' THEN '' ELSE 'not judged' END), '')
			|| CASE WHEN receipt @> '{"caveats": [{"code": "stale_documents"}]}' THEN ', a source is stale' ELSE '' END,
			COALESCE(@extschema@.answer_readable(to_jsonb(COALESCE(receipt #> '{response,text}', to_jsonb(NULLIF(why, '')))::text)), 'there is no text'));
	WHEN 'answer/v1' THEN
		NULL;
	ELSE
		RETURN format('Document%s of %s%s%s%s.', ' ' || @extschema@.answer_readable(receipt -> 'receipt_id'),
			@extschema@.answer_readable(receipt -> 'schema'), ', issued at ' || @extschema@.answer_readable(receipt -> 'issued_at'),
			' by ' || @extschema@.answer_readable(receipt -> 'issuer'), ': ' || shown);
	END CASE;

	-- Text chosen by others is in quotes, so that it cannot pass for a part of the sentence.
	IF verdict = 'outside_evidence_coverage' AND total = 0 THEN
		RETURN format('The question %s was refused: %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'question')::text)),
			COALESCE(@extschema@.answer_readable(receipt -> 'route' -> 'reason'), 'it is outside what can be asked')
			|| COALESCE('; ' || @extschema@.answer_readable(receipt #> '{coverage,missed,reason}'), '')
			|| COALESCE('; closest: ' || (SELECT string_agg(@extschema@.answer_readable(to_jsonb((c.route -> 'example')::text)), ', ' ORDER BY c.n)
				FROM jsonb_array_elements(CASE jsonb_typeof(receipt -> 'coverage' -> 'closest') WHEN 'array' THEN receipt -> 'coverage' -> 'closest' ELSE '[]' END)
					WITH ORDINALITY AS c (route, n)), ''));
	END IF;

	verdict := COALESCE(verdict, 'no verdict');
	IF verdict = 'evidenced' AND receipt ->> 'mode' = 'question' AND recorded IS NOT NULL THEN
		RETURN format('%s: %s (evidenced, confidence %s%s).', @extschema@.answer_readable(to_jsonb((receipt -> 'question')::text)), recorded,
			COALESCE(@extschema@.answer_readable(receipt -> 'confidence'), 'not stated'), CASE WHEN receipt -> 'degraded' = 'true' THEN ', degraded' ELSE '' END);
	END IF;
	RETURN format('%s%s (confidence %s%s): %s.', @extschema@.answer_readable(to_jsonb((receipt -> 'question')::text)) || ': ',
		upper(left(verdict, 1) COLLATE "C") || substr(translate(verdict, '_', ' '), 2),
		COALESCE(@extschema@.answer_readable(receipt -> 'confidence'), 'not stated'),
		CASE WHEN receipt -> 'degraded' = 'true' THEN ', degraded' ELSE '' END,
		COALESCE(recorded, NULLIF(concat_ws('; ', cause, CASE WHEN total > 1 THEN format('%s checks: %s', total, counts) END), ''), 'there is no check'));
END
$$;
COMMENT ON FUNCTION @extschema@.answer_summary(jsonb) IS
'Returns a receipt as one sentence for people. See doc/reference.md#answer_summary.';

CREATE FUNCTION @extschema@.answer_verify_document(document jsonb, keys jsonb DEFAULT NULL) RETURNS jsonb
BEGIN ATOMIC
	SELECT @extschema@.answer_verify(document, keys);
END;
ALTER FUNCTION @extschema@.answer_verify_document(jsonb, jsonb) STABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_verify_document(jsonb, jsonb) IS
'Verifies a document as answer_verify(jsonb, jsonb) does, under a name that is not overloaded, for gateways and clients that cannot choose among functions of one name. See doc/reference.md#answer_verify_document.';

-- PostgreSQL knows the settings of a library only after loading it, and a session loads ours at its first call.
CREATE FUNCTION @extschema@.answer_settings(OUT name text, OUT value text, OUT unit text, OUT description text) RETURNS SETOF record
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000 ROWS 3
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	-- any function of the library
	PERFORM @extschema@.answer_canonical('0');
	RETURN QUERY SELECT s.name, s.setting, s.unit, concat_ws(' ', s.short_desc, s.extra_desc)
	FROM pg_settings s WHERE starts_with(s.name, 'answer_eval.') ORDER BY s.name COLLATE "C";
END
$$;
COMMENT ON FUNCTION @extschema@.answer_settings() IS
'Returns the settings of answer_eval in this session; it also loads the library, so that SHOW and pg_settings have them afterwards. See doc/reference.md#answer_settings.';
