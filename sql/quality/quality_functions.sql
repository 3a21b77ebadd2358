/* quality: grading, derived verification, gaps, completion, and registration by users; doc/spec/quality.md section 2 to section 5 */

/* grading */

-- Not immutable: it reads users' registrations from a table, for the calling tenant.
CREATE FUNCTION answer.grade(tool text, observation jsonb) RETURNS @extschema@.answer_graded
AS 'MODULE_PATHNAME', 'answer_eval_grade'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.grade(text, jsonb) IS
'Grades an observation of a tool. See doc/reference.md#answergrade.';

CREATE FUNCTION answer.grade_text(tool text, query text, output text, question text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_grade_text'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.grade_text(text, text, text, text) IS
'Converts the English output of a tool into an observation, and grades that. See doc/reference.md#answergrade_text.';

CREATE FUNCTION answer.assess_add(state internal, rules jsonb, intent text, question text, subject text, entry jsonb)
RETURNS internal
AS 'MODULE_PATHNAME', 'answer_eval_assess_add'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.assess_add(internal, jsonb, text, text, text, jsonb) IS
'Transition function of the aggregate answer_assess; not for direct use.';

CREATE FUNCTION answer.assess_final(state internal) RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assess_final'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.assess_final(internal) IS
'Final function of the aggregate answer_assess; not for direct use.';

-- No combine function: it assesses the entries of one investigation, which are few. Whole investigations are
-- distributed to workers and shards.
CREATE AGGREGATE @extschema@.answer_assess(rules jsonb, intent text, question text, subject text, entry jsonb)
(
	SFUNC = answer.assess_add,
	STYPE = internal,
	SSPACE = 4096,
	FINALFUNC = answer.assess_final,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.answer_assess(jsonb, text, text, text, jsonb) IS
'Returns the assessment of the entries of one investigation by the given rules. See doc/reference.md#answer_assess.';

/* reading an investigation */

CREATE FUNCTION answer.assessment_of(investigation bigint) RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assessment_of'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION answer.assessment_of(bigint) IS
'Returns the assessment of an investigation''s entries by the present rules. See doc/reference.md#answerassessment_of.';

CREATE FUNCTION answer.assessment_of(investigation bigint, intent text, question text, subject text)
RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assessment_of_goal'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION answer.assessment_of(bigint, text, text, text) IS
'Returns the same for queries over many investigations, which already have their goals: it reads only the entries, and classes is NULL. See doc/reference.md#answerassessment_of.';

CREATE FUNCTION @extschema@.answer_quality(investigation bigint) RETURNS SETOF @extschema@.answer_class_quality
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT c.* FROM unnest((answer.assessment_of(investigation)).classes) AS c;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality(bigint) IS
'Returns the derived quality of each class of evidence that is held or required, in table order. See doc/reference.md#answer_quality.';

CREATE FUNCTION answer.quality_reasons(investigation bigint) RETURNS SETOF @extschema@.answer_quality_reason
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT c.class, r.quality, r.holds, r.code, r.reason
	FROM unnest((answer.assessment_of(investigation)).classes) WITH ORDINALITY
		AS c (class, quality, strength, need, entries, code, reason, next, next_code, next_reason, n),
		LATERAL (VALUES (c.quality, true, c.code, c.reason), (c.next, false, c.next_code, c.next_reason)) AS r (quality, holds, code, reason)
	WHERE r.quality IS NOT NULL
	ORDER BY c.n, r.holds DESC;
END
$$;
COMMENT ON FUNCTION answer.quality_reasons(bigint) IS
'Returns why each class has its level (holds is true), and why it does not have the next (holds is false; no such row for Verified). See doc/reference.md#answerquality_reasons.';

CREATE FUNCTION @extschema@.answer_gap(investigation bigint) RETURNS SETOF @extschema@.answer_quality_gap
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 3
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT g.* FROM unnest((answer.assessment_of(investigation)).gap) AS g;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_gap(bigint) IS
'Returns what an investigation still needs: missing evidence first, then weak, then unverified, each in table order. See doc/reference.md#answer_gap.';

CREATE FUNCTION answer.next_tool(investigation bigint) RETURNS SETOF @extschema@.answer_quality_gap
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT g.* FROM unnest((answer.assessment_of(investigation)).gap) AS g LIMIT 1;
END
$$;
COMMENT ON FUNCTION answer.next_tool(bigint) IS
'Returns the first row of answer_gap: the tool to use next, and why. See doc/reference.md#answernext_tool.';

CREATE FUNCTION @extschema@.answer_complete(investigation bigint) RETURNS boolean
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (answer.assessment_of(investigation)).complete;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_complete(bigint) IS
'Returns whether every class of evidence that the intent requires has the required quality or better, counting derived quality. See doc/reference.md#answer_complete.';

CREATE FUNCTION answer.has_quality(investigation bigint, class text, min_quality @extschema@.answer_quality_level) RETURNS boolean
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF class IS NULL OR min_quality IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'class and min_quality must not be null';
	END IF;
	IF NOT EXISTS (SELECT FROM answer.quality_rule r WHERE r.kind = 1 AND r.name = class) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown class "%s"', class),
			detail = format('Known are %s.',
				(SELECT string_agg(r.name, ', ' ORDER BY r.place, r.name COLLATE "C") FROM answer.quality_rule r WHERE r.kind = 1)),
			hint = 'Classes are registered with answer_quality_class_register().';
	END IF;
	RETURN COALESCE((SELECT c.quality FROM unnest((answer.assessment_of(investigation)).classes) AS c
		WHERE c.class = has_quality.class), 'None') >= min_quality;
END
$$;
COMMENT ON FUNCTION answer.has_quality(bigint, text, @extschema@.answer_quality_level) IS
'Returns whether an investigation holds a class of evidence at a level or better, counting derived quality, whatever its intent requires. See doc/reference.md#answerhas_quality.';

CREATE FUNCTION answer.confidence_level(investigation bigint) RETURNS @extschema@.answer_confidence_result
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	a @extschema@.answer_assessment := answer.assessment_of(investigation);
BEGIN
	RETURN (a.level, a.quality, a.coverage, a.agreement, a.explanation);
END
$$;
COMMENT ON FUNCTION answer.confidence_level(bigint) IS
'Returns the confidence in an investigation: the word for its lowest required class. See doc/reference.md#answerconfidence_level.';

-- A function does the work for each investigation, so that parallel workers can share it: a correlated subquery would
-- make the query serial.
CREATE VIEW answer.open_investigation AS
SELECT i.investigation, i.intent, i.question, i.subject, i.opened_at, a.complete, a.level, a.quality, a.coverage,
	a.agreement, a.explanation, a.gap[1].class AS next_class, a.gap[1].tool AS next_tool, a.gap, i.tenant
FROM answer.investigation i
CROSS JOIN LATERAL answer.assessment_of(i.investigation, i.intent, i.question, i.subject) AS a
WHERE i.closed_at IS NULL;
COMMENT ON VIEW answer.open_investigation IS 'Open investigations, one per row, with completion, confidence and gap derived on reading. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.investigation IS 'Number of the investigation. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.intent IS 'Its purpose. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.question IS 'The question. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.subject IS 'What is sought by name. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.opened_at IS 'When it was opened. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.complete IS 'Whether no class has a gap. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.level IS 'Confidence in the investigation. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.quality IS 'Quality of the lowest required class. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.coverage IS 'How many of the required classes are met, as "met/required". See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.agreement IS 'Whether independent tools agree. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.explanation IS 'One sentence for people. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.gap IS 'The gaps, most urgent first. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.next_class IS 'Class of the first gap. See doc/tables.md#answeropen_investigation.';
COMMENT ON COLUMN answer.open_investigation.next_tool IS 'Tool that closes the first gap. See doc/tables.md#answeropen_investigation.';

/* writing an investigation */

CREATE FUNCTION answer.question_subject(question text) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_question_subject'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.question_subject(text) IS
'Returns what a question is looking for. See doc/reference.md#answerquestion_subject.';

CREATE FUNCTION @extschema@.answer_investigation_open(intent text, question text, subject text DEFAULT NULL) RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_investigation_open'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_investigation_open(text, text, text) IS
'Opens an investigation, which belongs to the current role: only roles with its privileges, or those of the extension''s owner, can record into it, close it and sign it. See doc/reference.md#answer_investigation_open.';

CREATE FUNCTION @extschema@.answer_investigation_record(investigation bigint, tool text, query text, target text, observation jsonb,
	sources text[] DEFAULT '{}', run text DEFAULT '')
RETURNS @extschema@.answer_recorded
AS 'MODULE_PATHNAME', 'answer_eval_investigation_record'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_investigation_record(bigint, text, text, text, jsonb, text[], text) IS
'Grades an observation as answer.grade does, with the caller''s privileges, and adds it to an investigation as an entry. See doc/reference.md#answer_investigation_record.';

CREATE FUNCTION @extschema@.answer_investigation_record_output(investigation bigint, tool text, query text, target text, output text,
	sources text[] DEFAULT '{}', run text DEFAULT '')
RETURNS @extschema@.answer_recorded
AS 'MODULE_PATHNAME', 'answer_eval_investigation_record_output'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_investigation_record_output(bigint, text, text, text, text, text[], text) IS
'Records the output of a tool: answer.grade_text, with the investigation''s own question, makes the observation that answer_investigation_record takes. See doc/reference.md#answer_investigation_record_output.';

CREATE FUNCTION @extschema@.answer_investigation_close(investigation bigint) RETURNS @extschema@.answer_investigation_outcome
AS 'MODULE_PATHNAME', 'answer_eval_investigation_close'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_investigation_close(bigint) IS
'Closes an investigation with success if it is complete, otherwise with InsufficientEvidence. See doc/reference.md#answer_investigation_close.';

CREATE FUNCTION @extschema@.answer_quality_receipt(investigation bigint) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_quality_receipt'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_quality_receipt(bigint) IS
'Signs a receipt (quality/v1) of the present state of an investigation: its entries with their observations, the rules, and the assessment. See doc/reference.md#answer_quality_receipt.';

/* registration by users */

CREATE FUNCTION answer.quality_class_register_put(class text, tool text, identifier_tool text,
	verify_tool text, description text, relevance @extschema@.answer_quality_relevance, replace boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	wanted answer.quality_class;
BEGIN
	IF class IS NULL OR class = '' THEN
		RAISE EXCEPTION USING errcode = CASE WHEN class IS NULL THEN '22004' ELSE '22023' END, message = 'class must have a non-empty name';
	END IF;
	-- bytes that no assessment could read would make every assessment fail
	PERFORM @extschema@.answer_canonical(jsonb_build_array(class, tool, identifier_tool, verify_tool));
	wanted.class := class;
	wanted.position := COALESCE((SELECT c.position FROM answer.quality_class c WHERE c.class = quality_class_register_put.class),
		(SELECT greatest(max(c.position), 100) + 1 FROM answer.quality_class c));
	wanted.tool := tool;
	wanted.identifier_tool := identifier_tool;
	wanted.verify_tool := verify_tool;
	wanted.relevance := relevance;
	wanted.description := description;
	wanted.seed := false;
	INSERT INTO answer.quality_class AS c SELECT wanted.*
	ON CONFLICT ON CONSTRAINT quality_class_pkey DO UPDATE
	SET tool = excluded.tool, identifier_tool = excluded.identifier_tool, verify_tool = excluded.verify_tool,
		relevance = excluded.relevance, description = excluded.description
	WHERE NOT c.seed AND (replace OR to_jsonb(c) - 'position' = to_jsonb(wanted) - 'position');
	IF NOT FOUND THEN
		PERFORM answer.refuse_registered('class', class,
			(SELECT to_jsonb(c) FROM answer.quality_class c WHERE c.class = wanted.class), to_jsonb(wanted));
	END IF;
	INSERT INTO answer.quality_compatibility (class, with_class) VALUES (class, class)
	ON CONFLICT DO NOTHING;
	PERFORM answer.change_record_put('', 'quality_class', class);
END
$$;
COMMENT ON FUNCTION answer.quality_class_register_put(text, text, text, text, text, @extschema@.answer_quality_relevance, boolean) IS
'Writes for answer_quality_class_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_quality_class_register(class text, tool text DEFAULT NULL, identifier_tool text DEFAULT NULL,
	verify_tool text DEFAULT NULL, description text DEFAULT NULL, relevance @extschema@.answer_quality_relevance DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_class_register(text, text, text, text, text, @extschema@.answer_quality_relevance, boolean) IS
'Registers a class of evidence. See doc/reference.md#answer_quality_class_register.';

CREATE FUNCTION answer.quality_grader_put(registered_by text, tenant text, given jsonb, grader regprocedure) RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	tool text := given ->> 'tool';
	class text := given ->> 'class';
	grader_name text;
	grader_owner text;
	wanted answer.quality_tool;
	-- who registers it, and who owns its grader now, is not part of the registered content
	beside text[] := '{registered_by,grader_owner}';
BEGIN
	IF tool IS NULL OR tool = '' THEN
		RAISE EXCEPTION USING errcode = CASE WHEN tool IS NULL THEN '22004' ELSE '22023' END, message = 'tool must have a non-empty name';
	END IF;
	IF class IS NULL OR grader IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = format('class and grader of tool "%s" must not be null', tool);
	END IF;
	IF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = class) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown class "%s"', class),
			hint = 'Classes are registered with answer_quality_class_register().';
	END IF;
	SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO grader_name, grader_owner
	FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
	WHERE p.oid = grader AND p.prokind = 'f' AND NOT p.proretset AND p.pronargs = 1
	AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = '@extschema@.answer_graded'::regtype
	AND p.provolatile = 'i' AND p.proparallel = 's'
	-- another session could take over the name
	AND NOT starts_with(n.nspname, 'pg_temp_');
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('grader %s of tool "%s" must be a function (jsonb) RETURNS answer_graded, IMMUTABLE and PARALLEL SAFE, and not temporary', grader, tool);
	END IF;
	-- bytes that no assessment could read would make every assessment fail
	PERFORM @extschema@.answer_canonical(jsonb_build_array(tool, given -> 'family', grader_name));
	-- the caller learns only that a shared tool has the name
	IF tenant <> '' AND EXISTS (SELECT FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = tool) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared tool', tool);
	END IF;
	wanted.tool := tool;
	wanted.tenant := tenant;
	wanted.class := class;
	wanted.family := COALESCE(NULLIF(given ->> 'family', ''), tool);
	wanted.grader := grader_name;
	wanted.grader_owner := grader_owner;
	wanted.description := given ->> 'description';
	wanted.registered_by := registered_by;
	wanted.seed := false;
	INSERT INTO answer.quality_tool AS t SELECT wanted.*
	ON CONFLICT ON CONSTRAINT quality_tool_pkey DO UPDATE
	SET class = excluded.class, family = excluded.family, grader = excluded.grader,
		grader_owner = excluded.grader_owner, description = excluded.description, registered_by = excluded.registered_by
	WHERE NOT t.seed AND ((given ->> 'replace')::boolean OR to_jsonb(t) - beside = to_jsonb(wanted) - beside);
	IF NOT FOUND THEN
		PERFORM answer.refuse_registered('grader of tool', tool,
			(SELECT to_jsonb(t) FROM answer.quality_tool t WHERE t.tenant = wanted.tenant AND t.tool = wanted.tool), to_jsonb(wanted));
	END IF;
	PERFORM answer.change_record_put(tenant, 'quality_tool', tool);
END
$$;
COMMENT ON FUNCTION answer.quality_grader_put(text, text, jsonb, regprocedure) IS
'Inserts or changes a tool for answer_quality_grader_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_quality_grader_register(tool text, class text, grader regprocedure, family text DEFAULT NULL, description text DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_quality_grader_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_grader_register(text, text, regprocedure, text, text, boolean) IS
'Registers a tool whose observations are graded. See doc/reference.md#answer_quality_grader_register.';

CREATE FUNCTION answer.quality_intent_register_put(intent text, requirements jsonb, description text, replace boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	problem text;
	registered jsonb;
	wanted jsonb;
BEGIN
	IF intent IS NULL OR intent = '' THEN
		RAISE EXCEPTION USING errcode = CASE WHEN intent IS NULL THEN '22004' ELSE '22023' END, message = 'intent must have a non-empty name';
	END IF;
	IF jsonb_typeof(requirements) IS DISTINCT FROM 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'requirements must be an object of classes and their qualities';
	END IF;
	SELECT format('requirement "%s" of intent "%s": %s', r.key, intent, r.value) INTO problem
	FROM jsonb_each(requirements) AS r
	WHERE NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = r.key)
	OR r.value NOT IN ('"Weak"', '"Moderate"', '"Strong"', '"Verified"');
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = problem,
			detail = 'The key must be a registered class, the value Weak, Moderate, Strong or Verified.';
	END IF;
	-- bytes that no assessment could read would make every assessment fail
	PERFORM @extschema@.answer_canonical(to_jsonb(intent));
	-- the row stays locked, so that two sessions that register it see each other
	INSERT INTO answer.quality_intent AS q (intent, description) VALUES (intent, description)
	ON CONFLICT ON CONSTRAINT quality_intent_pkey DO NOTHING;
	IF NOT FOUND THEN
		PERFORM FROM answer.quality_intent q WHERE q.intent = quality_intent_register_put.intent FOR UPDATE;
		registered := (SELECT to_jsonb(q) || jsonb_build_object('requirements', COALESCE((
				SELECT jsonb_object_agg(r.class, r.quality) FROM answer.quality_requirement r WHERE r.intent = q.intent), '{}'))
			FROM answer.quality_intent q WHERE q.intent = quality_intent_register_put.intent);
		wanted := jsonb_build_object('intent', intent, 'description', description, 'seed', false, 'requirements', requirements);
		IF registered -> 'seed' = 'true' OR (registered <> wanted AND replace IS NOT TRUE) THEN
			PERFORM answer.refuse_registered('intent', intent, registered, wanted);
		END IF;
		UPDATE answer.quality_intent AS q SET description = quality_intent_register_put.description
		WHERE q.intent = quality_intent_register_put.intent;
	END IF;
	DELETE FROM answer.quality_requirement AS q WHERE q.intent = quality_intent_register_put.intent;
	INSERT INTO answer.quality_requirement (intent, class, quality)
	SELECT intent, r.key, r.value::@extschema@.answer_quality_level FROM jsonb_each_text(requirements) AS r;
	PERFORM answer.change_record_put('', 'quality_intent', intent);
END
$$;
COMMENT ON FUNCTION answer.quality_intent_register_put(text, jsonb, text, boolean) IS
'Writes for answer_quality_intent_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_quality_intent_register(intent text, requirements jsonb, description text DEFAULT NULL,
	replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_intent_register(text, jsonb, text, boolean) IS
'Registers an intent. See doc/reference.md#answer_quality_intent_register.';

CREATE FUNCTION answer.quality_compatibility_register_put(class text, with_class text,
	with_quality @extschema@.answer_quality_level, same_target boolean, replace boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF class IS NULL OR with_class IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'class and with_class must not be null';
	END IF;
	IF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = quality_compatibility_register_put.class)
		OR NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = with_class) THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown class "%s" or "%s"', class, with_class),
			hint = 'Classes are registered with answer_quality_class_register().';
	END IF;
	IF with_quality IS NULL OR with_quality NOT IN ('Moderate', 'Strong') OR same_target IS NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'with_quality must be Moderate or Strong, and same_target true or false';
	END IF;
	INSERT INTO answer.quality_compatibility AS k (class, with_class, with_quality, same_target)
	VALUES (class, with_class, with_quality, same_target)
	ON CONFLICT ON CONSTRAINT quality_compatibility_pkey DO UPDATE
	SET with_quality = excluded.with_quality, same_target = excluded.same_target
	WHERE NOT k.seed AND (replace OR (k.with_quality, k.same_target) = (excluded.with_quality, excluded.same_target));
	IF NOT FOUND THEN
		IF EXISTS (SELECT FROM answer.quality_compatibility k WHERE k.class = quality_compatibility_register_put.class
			AND k.with_class = quality_compatibility_register_put.with_class AND k.seed) THEN
			RAISE EXCEPTION USING errcode = '22023',
				message = format('the compatibility of class "%s" with "%s" comes with answer_eval and cannot be changed', class, with_class);
		END IF;
		RAISE EXCEPTION USING errcode = '23505',
			message = format('the compatibility of class "%s" with "%s" is registered already with other values', class, with_class),
			hint = 'To change it, give all of its registration and replace => true.';
	END IF;
	PERFORM answer.change_record_put('', 'quality_class', class);
END
$$;
COMMENT ON FUNCTION answer.quality_compatibility_register_put(text, text, @extschema@.answer_quality_level, boolean, boolean) IS
'Writes for answer_quality_compatibility_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_quality_compatibility_register(class text, with_class text,
	with_quality @extschema@.answer_quality_level DEFAULT 'Strong', same_target boolean DEFAULT true, replace boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_compatibility_register(text, text, @extschema@.answer_quality_level, boolean, boolean) IS
'Registers that Strong evidence of a class is Verified if a tool of another family holds evidence of another class. See doc/reference.md#answer_quality_compatibility_register.';

CREATE FUNCTION answer.quality_authority_register_put(tool text, observation jsonb)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	registered answer.quality_tool;
BEGIN
	IF tool IS NULL THEN
		RAISE EXCEPTION USING errcode = '22004', message = 'tool must not be null';
	END IF;
	SELECT t.* INTO registered FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = quality_authority_register_put.tool;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = 'P0002', message = format('unknown tool "%s"', tool),
			hint = 'Tools are registered with answer_quality_grader_register().';
	END IF;
	IF registered.seed THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" comes with answer_eval and cannot be changed', tool);
	END IF;
	IF jsonb_typeof(observation) IS DISTINCT FROM 'object' OR EXISTS (SELECT FROM jsonb_each(observation) AS m
		WHERE jsonb_typeof(m.value) IN ('object', 'array')) THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'observation must be an object of texts, numbers, true, false and null';
	END IF;
	INSERT INTO answer.quality_authority AS a (tool, class, observation)
	VALUES (tool, registered.class, answer.portable(observation))
	ON CONFLICT ON CONSTRAINT quality_authority_pkey DO UPDATE SET class = excluded.class
	WHERE NOT a.seed;
	PERFORM answer.change_record_put('', 'quality_tool', tool);
END
$$;
COMMENT ON FUNCTION answer.quality_authority_register_put(text, jsonb) IS
'Writes for answer_quality_authority_register(), as the owner of the tables; not for direct use.';

CREATE FUNCTION @extschema@.answer_quality_authority_register(tool text, observation jsonb)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_authority_register(text, jsonb) IS
'Registers that a user''s tool settles a question by itself: its class is Verified if a Strong entry''s observation has all these members. See doc/reference.md#answer_quality_authority_register.';

/* recorded observations and assessments as evidence: built-in tools */

INSERT INTO answer.source (source, description, seed)
VALUES ('answer.investigation', 'What investigations in this database have recorded, and what that comes to.', true);

CREATE FUNCTION answer.tool_observation_of(tenants text[], args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('class', e.class, 'tool', e.tool, 'query', e.query, 'target', e.target, 'run', e.run,
		'quality', e.quality, 'strength', e.strength, 'sources', e.sources, 'match_count', e.match_count,
		'exact_match_count', e.exact_match_count, 'phrase_match', e.phrase_match, 'reason', e.reason,
		'recorded_at', to_char(e.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
		'digest', e.digest, 'observation', e.observation)
	FROM answer.quality_entry e
	WHERE e.tenant = ANY (tenants) AND e.investigation = (args ->> 'investigation')::bigint AND e.digest = args ->> 'digest'
	AND (args ->> 'tool' IS NULL OR e.tool = args ->> 'tool')
	AND (args ->> 'target' IS NULL OR e.target = args ->> 'target')
	ORDER BY e.quality, e.entry LIMIT 1
$$;
COMMENT ON FUNCTION answer.tool_observation_of(text[], jsonb) IS
'Reads for answer.tool_observation(), with the caller''s privileges as it determined them; not for direct use.';

CREATE FUNCTION answer.tool_observation(args jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_tenants'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500;
COMMENT ON FUNCTION answer.tool_observation(jsonb) IS
'Handler of the built-in tool answer_observation. See doc/reference.md#answertool_observation.';

CREATE FUNCTION answer.tool_assessment(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('class', c.class, 'quality', c.quality, 'strength', c.strength, 'need', c.need,
		'entries', c.entries, 'code', c.code, 'reason', c.reason)
	FROM unnest((answer.assessment_of((args ->> 'investigation')::bigint)).classes) AS c
	WHERE c.class = args ->> 'class'
$$;
COMMENT ON FUNCTION answer.tool_assessment(jsonb) IS
'Handler of the built-in tool answer_assessment. See doc/reference.md#answertool_assessment.';

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, entity_path,
	timestamp_path, source, category, description, seed)
VALUES ('answer_observation', 'answer.tool_observation', '{investigation,digest}', '{tool,target}', '1 day', 'quality', 'target',
		'recorded_at', 'answer.investigation', 'quality', 'A recorded observation by its digest: its quality (the value), and what was observed.', true),
	('answer_assessment', 'answer.tool_assessment', '{investigation,class}', '{}', '1 minute', 'quality', 'class',
		NULL, 'answer.investigation', 'quality', 'What an investigation holds of a class of evidence: the derived quality (the value), and why.', true);
