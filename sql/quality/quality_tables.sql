/* quality: the rules as rows, investigations and their entries */

-- No foreign keys, for the reason given in evidence.sql.

CREATE TABLE answer.quality_class
(
	class			text PRIMARY KEY CHECK (class OPERATOR(pg_catalog.<>) ''),
	position		integer NOT NULL,
	tool			text,
	identifier_tool	text,
	verify_tool		text,
	relevance		@extschema@.answer_quality_relevance,
	description		text,
	seed			boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.quality_class IS 'Classes of evidence, one per row. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.position IS 'Position in the order in which gaps of one kind are listed. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.tool IS 'The tool that best closes a gap. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.identifier_tool IS 'The tool that best closes a gap if the query is a single identifier. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.verify_tool IS 'The tool that best closes a gap if Strong is held and Verified is needed. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.relevance IS 'What an entry must show to be more than Weak. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.class IS 'Name of the class. See doc/tables.md#answerquality_class.';
COMMENT ON COLUMN answer.quality_class.description IS 'Description, for people. See doc/tables.md#answerquality_class.';

CREATE TABLE answer.quality_authority
(
	tool		text NOT NULL,
	class		text NOT NULL,
	observation	jsonb NOT NULL CHECK (pg_catalog.jsonb_typeof(observation) OPERATOR(pg_catalog.=) 'object'),
	quality		@extschema@.answer_quality_level NOT NULL DEFAULT 'Strong'
		CHECK (quality OPERATOR(pg_catalog.=) 'Strong'),
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tool, observation)
);
COMMENT ON TABLE answer.quality_authority IS 'Observations that settle their question by themselves, one per row: a Strong entry of the tool whose observation has these members is Verified. See doc/tables.md#answerquality_authority.';
COMMENT ON COLUMN answer.quality_authority.quality IS 'The quality that the entry itself must have. See doc/tables.md#answerquality_authority.';
COMMENT ON COLUMN answer.quality_authority.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_authority.';
COMMENT ON COLUMN answer.quality_authority.tool IS 'The tool. See doc/tables.md#answerquality_authority.';
COMMENT ON COLUMN answer.quality_authority.class IS 'Class of evidence that the tool gives. See doc/tables.md#answerquality_authority.';
COMMENT ON COLUMN answer.quality_authority.observation IS 'Members that the observation must have, a JSON object. See doc/tables.md#answerquality_authority.';

CREATE TABLE answer.quality_compatibility
(
	class			text NOT NULL,
	with_class		text NOT NULL,
	quality			@extschema@.answer_quality_level NOT NULL DEFAULT 'Strong'
		CHECK (quality OPERATOR(pg_catalog.=) 'Strong'),
	with_quality	@extschema@.answer_quality_level NOT NULL DEFAULT 'Strong'
		CHECK (with_quality OPERATOR(pg_catalog.>=) 'Moderate' AND with_quality OPERATOR(pg_catalog.<) 'Verified'),
	same_target		boolean NOT NULL DEFAULT true,
	same_tool		boolean NOT NULL DEFAULT false
		CHECK (NOT same_tool OR class OPERATOR(pg_catalog.=) with_class),
	seed			boolean NOT NULL DEFAULT false,
	PRIMARY KEY (class, with_class, same_tool)
);
COMMENT ON TABLE answer.quality_compatibility IS 'Pairs of classes, one per row: evidence of the first class is Verified if a tool of another family holds evidence of the second. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.quality IS 'The quality that the entry itself must have. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.with_quality IS 'The quality that the other entry must have. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.same_target IS 'Whether both entries must be about the same target. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.same_tool IS 'Whether two runs of one tool with equal results are required, instead of two tools. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.class IS 'Class that becomes Verified. See doc/tables.md#answerquality_compatibility.';
COMMENT ON COLUMN answer.quality_compatibility.with_class IS 'Class of the other entry. See doc/tables.md#answerquality_compatibility.';

CREATE TABLE answer.quality_intent
(
	intent		text PRIMARY KEY CHECK (intent OPERATOR(pg_catalog.<>) ''),
	description	text,
	seed		boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.quality_intent IS 'Purposes of investigations, one per row. See doc/tables.md#answerquality_intent.';
COMMENT ON COLUMN answer.quality_intent.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_intent.';
COMMENT ON COLUMN answer.quality_intent.intent IS 'Name of the intent. See doc/tables.md#answerquality_intent.';
COMMENT ON COLUMN answer.quality_intent.description IS 'Description, for people. See doc/tables.md#answerquality_intent.';

CREATE TABLE answer.quality_requirement
(
	intent	text NOT NULL,
	class	text NOT NULL,
	quality	@extschema@.answer_quality_level NOT NULL CHECK (quality OPERATOR(pg_catalog.>) 'None'),
	seed	boolean NOT NULL DEFAULT false,
	PRIMARY KEY (intent, class)
);
COMMENT ON TABLE answer.quality_requirement IS 'Classes of evidence that intents require, one per row, with the quality required. See doc/tables.md#answerquality_requirement.';
COMMENT ON COLUMN answer.quality_requirement.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_requirement.';
COMMENT ON COLUMN answer.quality_requirement.intent IS 'The intent. See doc/tables.md#answerquality_requirement.';
COMMENT ON COLUMN answer.quality_requirement.class IS 'Class of evidence that it requires. See doc/tables.md#answerquality_requirement.';
COMMENT ON COLUMN answer.quality_requirement.quality IS 'Least quality required. See doc/tables.md#answerquality_requirement.';

CREATE TABLE answer.quality_question_form
(
	word	text PRIMARY KEY CHECK (word OPERATOR(pg_catalog.<>) ''),
	seed	boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.quality_question_form IS 'Words that say what kind of thing a question seeks, but not which one, one per row; their stems are not part of its subject. See doc/tables.md#answerquality_question_form.';
COMMENT ON COLUMN answer.quality_question_form.word IS 'The word. See doc/tables.md#answerquality_question_form.';
COMMENT ON COLUMN answer.quality_question_form.seed IS 'True if the row came with the extension, so that it is not dumped. See doc/tables.md#answerquality_question_form.';

INSERT INTO answer.quality_class (class, position, tool, identifier_tool, verify_tool, relevance, description, seed)
VALUES ('FileSearch', 1, 'find', 'references', 'read', 'query', 'Where something is.', true),
	('FileContent', 2, 'read', NULL, 'find', 'target', 'What a file says.', true),
	('GitLog', 3, 'git log --oneline -10', NULL, NULL, NULL, 'What happened to the sources.', true),
	('Build', 4, 'cmake', NULL, 'ctest', NULL, 'Whether it builds.', true),
	('Test', 5, 'ctest', NULL, 'cmake', NULL, 'Whether its tests pass.', true),
	('Discovery', 6, 'discovery', NULL, NULL, NULL, 'What kind of project it is.', true),
	('CIWorkflow', 7, 'gh', NULL, NULL, NULL, 'What happened in continuous integration.', true);

INSERT INTO answer.quality_tool (tool, class, family, description, seed)
VALUES ('grep', 'FileSearch', 'search', 'Lines that match.', true),
	('find', 'FileSearch', 'search', 'Files by their names.', true),
	('references', 'FileSearch', 'search', 'Uses of a symbol.', true),
	('read', 'FileContent', 'read', 'The content of files.', true),
	('reader', 'FileContent', 'reader', 'Whether a second producer agrees with what a file is read to say.', true),
	('git', 'GitLog', 'git', 'The history, and the working tree.', true),
	('cmake', 'Build', 'build', 'A build.', true),
	('ctest', 'Test', 'test', 'A run of tests.', true),
	('discovery', 'Discovery', 'discovery', 'A scan of the project.', true),
	('gh', 'CIWorkflow', 'ci', 'Workflow runs at GitHub.', true);

INSERT INTO answer.quality_authority (tool, class, observation, quality, seed)
VALUES ('git', 'GitLog', '{"command": "log", "question": "history"}', 'Strong', true),
	('gh', 'CIWorkflow', '{"command": "run view"}', 'Strong', true);

INSERT INTO answer.quality_compatibility (class, with_class, with_quality, same_target, same_tool, seed)
VALUES ('FileSearch', 'FileContent', 'Moderate', true, false, true),
	('FileContent', 'FileSearch', 'Strong', true, false, true),
	('Build', 'Test', 'Strong', false, false, true),
	('Test', 'Build', 'Strong', false, false, true),
	('Discovery', 'Discovery', 'Strong', true, true, true),
	-- another tool of the same class, of another family
	('FileSearch', 'FileSearch', 'Strong', true, false, true),
	('FileContent', 'FileContent', 'Strong', true, false, true),
	('GitLog', 'GitLog', 'Strong', true, false, true),
	('Build', 'Build', 'Strong', true, false, true),
	('Test', 'Test', 'Strong', true, false, true),
	('Discovery', 'Discovery', 'Strong', true, false, true),
	('CIWorkflow', 'CIWorkflow', 'Strong', true, false, true);

INSERT INTO answer.quality_intent (intent, description, seed)
VALUES ('Locate', 'Find where something is.', true),
	('Navigate', 'Go to something.', true),
	('Compare', 'Hold things against each other.', true),
	('Explain', 'Say how something works.', true),
	('Review', 'Judge something.', true),
	('Diagnose', 'Find out why something fails.', true),
	('Status', 'Say how things stand.', true),
	('Execute', 'Build and run something.', true),
	('Modify', 'Change something.', true),
	('Chat', 'Talk; nothing is claimed.', true);

INSERT INTO answer.quality_requirement (intent, class, quality, seed)
SELECT v.intent, r.class, r.quality::@extschema@.answer_quality_level, true
FROM (VALUES ('Locate', 'FileSearch Strong, FileContent Moderate'),
	('Navigate', 'FileSearch Strong, FileContent Moderate'),
	('Compare', 'FileSearch Strong, FileContent Moderate'),
	('Explain', 'FileSearch Strong, FileContent Moderate, Discovery Moderate'),
	('Review', 'FileSearch Strong, FileContent Moderate, Discovery Moderate'),
	('Diagnose', 'FileSearch Strong, FileContent Moderate, CIWorkflow Strong'),
	('Status', 'GitLog Moderate'),
	('Execute', 'Build Strong, Test Strong'),
	('Modify', 'FileSearch Strong, FileContent Strong, Discovery Moderate, Build Verified, Test Verified')) AS v (intent, requires),
	LATERAL (SELECT pg_catalog.split_part(one, ' ', 1), pg_catalog.split_part(one, ' ', 2)
		FROM pg_catalog.string_to_table(v.requires, ', ') AS one) AS r (class, quality);

INSERT INTO answer.quality_question_form (word, seed)
SELECT word, true FROM pg_catalog.string_to_table('where find file function class code defined implemented located used'
	' called handled work works test tests line module search explain show describe codebase repository project', ' ') AS word;

-- The same as rows of one form, which a query reads once. Tenants' roles may read it, so other tenants' tools must
-- stay hidden: it is a barrier against functions in a condition, and its own condition is served by the index
-- (tenant_plan.c).
CREATE VIEW answer.quality_rule WITH (security_barrier) AS
SELECT 1 AS kind, position AS place, class AS name, tool AS a, identifier_tool AS b, verify_tool AS c, relevance,
	NULL::@extschema@.answer_quality_level AS quality, NULL::@extschema@.answer_quality_level AS with_quality,
	NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation
FROM answer.quality_class
UNION ALL SELECT 2, 0, tool, class, family, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_tool
	WHERE tenant OPERATOR(pg_catalog.=) ANY ((SELECT answer.tenant_shared())::text[])
UNION ALL SELECT 3, 0, tool, class, NULL, NULL, NULL, quality, NULL, NULL, NULL, observation FROM answer.quality_authority
UNION ALL SELECT 4, 0, class, with_class, NULL, NULL, NULL, quality, with_quality, same_target, same_tool, NULL FROM answer.quality_compatibility
UNION ALL SELECT 5, 0, intent, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_intent
UNION ALL SELECT 6, 0, intent, class, NULL, NULL, NULL, quality, NULL, NULL, NULL, NULL FROM answer.quality_requirement
UNION ALL SELECT 7, 0, word, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_question_form;
COMMENT ON VIEW answer.quality_rule IS 'Rules of evidence quality, one per row, as answer.assessment_of reads them. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.kind IS 'Kind of the row: 1 class, 2 tool, 3 authority, 4 compatibility, 5 intent, 6 requirement, 7 word of the form of questions. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.place IS 'Position of a class, otherwise 0. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.name IS 'Class for kinds 1 and 4, tool for kinds 2 and 3, intent for kinds 5 and 6, word for kind 7. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.a IS 'Tool for kind 1; class for kinds 2, 3 and 6; other class for kind 4. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.b IS 'Tool for a single identifier, for kind 1; family, for kind 2. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.c IS 'Tool that verifies, for kind 1. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.relevance IS 'What an entry must show to be more than Weak, for kind 1. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.quality IS 'Quality that the entry itself must have, for kinds 3 and 4; required quality, for kind 6. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.with_quality IS 'Quality that the other entry must have, for kind 4. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.same_target IS 'Whether both must be about the same target, for kind 4. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.same_tool IS 'Whether two runs of one tool are required, for kind 4. See doc/tables.md#answerquality_rule.';
COMMENT ON COLUMN answer.quality_rule.observation IS 'Members that the observation must have, for kind 3. See doc/tables.md#answerquality_rule.';

-- All rules in one document, as answer_assess takes them. OFFSET 0 prevents it from being rebuilt for each row that
-- it is joined to.
CREATE VIEW answer.quality_rules WITH (security_barrier) AS
SELECT pg_catalog.jsonb_build_object('classes', c.list, 'tools', t.list, 'authorities', a.list,
	'compatibilities', k.list, 'intents', i.list, 'question_form', f.list) AS rules
FROM (SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'class', class, 'tool', tool, 'identifier_tool', identifier_tool, 'verify_tool', verify_tool,
		'relevance', relevance))
		ORDER BY position, class COLLATE "C"), '[]') AS list
	FROM answer.quality_class) AS c,
	(SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
		'tool', tool, 'class', class, 'family', family) ORDER BY tool COLLATE "C"), '[]') AS list
	FROM answer.quality_tool WHERE tenant OPERATOR(pg_catalog.=) ANY ((SELECT answer.tenant_shared())::text[])) AS t,
	(SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
		'tool', tool, 'class', class, 'observation', observation, 'quality', quality)
		ORDER BY tool COLLATE "C", observation), '[]') AS list
	FROM answer.quality_authority) AS a,
	(SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
		'class', class, 'with', with_class, 'quality', quality, 'with_quality', with_quality,
		'same_target', same_target, 'same_tool', same_tool)
		ORDER BY class COLLATE "C", with_class COLLATE "C", same_tool), '[]') AS list
	FROM answer.quality_compatibility) AS k,
	(SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('intent', n.intent, 'requires', n.requires)
		ORDER BY n.intent COLLATE "C"), '[]') AS list
	FROM (SELECT q.intent, COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('class', r.class, 'quality', r.quality)
			ORDER BY r.class COLLATE "C") FILTER (WHERE r.class IS NOT NULL), '[]') AS requires
		FROM answer.quality_intent q
		LEFT JOIN answer.quality_requirement r ON r.intent OPERATOR(pg_catalog.=) q.intent
		GROUP BY q.intent) AS n) AS i,
	(SELECT COALESCE(pg_catalog.jsonb_agg(word ORDER BY word COLLATE "C"), '[]') AS list
	FROM answer.quality_question_form) AS f
OFFSET 0;
COMMENT ON VIEW answer.quality_rules IS 'The rules of evidence quality as one document, which answer_assess takes and receipts contain. See doc/tables.md#answerquality_rules.';
COMMENT ON COLUMN answer.quality_rules.rules IS '{"classes", "tools", "authorities", "compatibilities", "intents"}, arrays of objects in a fixed order, and "question_form", an array of words. See doc/tables.md#answerquality_rules.';

/* investigations */

CREATE TABLE answer.investigation
(
	investigation	bigint GENERATED ALWAYS AS IDENTITY,
	tenant			text NOT NULL DEFAULT '',
	intent			text NOT NULL,
	question		text NOT NULL,
	subject			text CHECK (subject OPERATOR(pg_catalog.<>) ''),
	opened_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	opened_by		text NOT NULL DEFAULT CURRENT_USER,
	closed_at		timestamptz,
	outcome			@extschema@.answer_investigation_outcome,
	mac				bytea,
	closed_mac		bytea,
	PRIMARY KEY (tenant, investigation),
	CHECK ((closed_at IS NULL) OPERATOR(pg_catalog.=) (outcome IS NULL))
);
COMMENT ON TABLE answer.investigation IS 'Investigations, one per row: a goal (an intent, a question and a subject), and whether it was reached. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.opened_by IS 'The role that opened it, by its name at that time, so that a dump can be restored without that role. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.outcome IS 'How it ended; NULL: it is open. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.investigation IS 'Number of the investigation. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.intent IS 'Its purpose: an intent of answer.quality_intent. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.question IS 'The question. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.subject IS 'What is sought: as the caller said, or answer.question_subject(question). See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.opened_at IS 'When it was opened, by the server''s clock. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.closed_at IS 'When it was closed. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.mac IS 'Code (MAC) that only answer_investigation_open() can give to an investigation. See doc/tables.md#answerinvestigation.';
COMMENT ON COLUMN answer.investigation.closed_mac IS 'The same from answer_investigation_close(), for closed_at and outcome. See doc/tables.md#answerinvestigation.';
COMMENT ON SEQUENCE answer.investigation_investigation_seq IS 'Numbers of investigations.';
CREATE INDEX investigation_open ON answer.investigation (tenant, investigation) WHERE closed_at IS NULL;
-- The size of the table says nothing about the work that its entries cause. The table therefore asks for as many
-- workers as a query may have; max_parallel_workers_per_gather limits them.
ALTER TABLE answer.investigation SET (parallel_workers = 64);

CREATE TABLE answer.quality_entry
(
	investigation		bigint NOT NULL,
	tenant				text NOT NULL DEFAULT '',
	entry				bytea NOT NULL CHECK (pg_catalog.length(entry) OPERATOR(pg_catalog.=) 32),
	class				text NOT NULL,
	tool				text NOT NULL,
	query				text NOT NULL,
	target				text NOT NULL,
	run					text NOT NULL DEFAULT '',
	quality				@extschema@.answer_quality_level NOT NULL,
	strength			@extschema@.answer_strength_level NOT NULL,
	sources				text[] NOT NULL DEFAULT '{}',
	match_count			bigint NOT NULL DEFAULT 0 CHECK (match_count OPERATOR(pg_catalog.>=) 0),
	exact_match_count	bigint NOT NULL DEFAULT 0 CHECK (exact_match_count OPERATOR(pg_catalog.>=) 0),
	phrase_match		boolean NOT NULL DEFAULT false,
	reason				text NOT NULL,
	recorded_at			timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	digest				text NOT NULL,
	observation			jsonb NOT NULL,
	mac					bytea,
	PRIMARY KEY (tenant, investigation, entry),
	CHECK (exact_match_count OPERATOR(pg_catalog.<=) match_count),
	CONSTRAINT quality_entry_not_verified CHECK (quality OPERATOR(pg_catalog.<>) 'Verified')
);
COMMENT ON TABLE answer.quality_entry IS 'Entries of investigations, one per row: what a tool observed, and how good that is. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.tenant IS 'Owner: a tenant of answer.tenant, or empty for the operator. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.entry IS 'SHA-256 of the canonical object {tool, query, target, run, observation}. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.query IS 'The text given to the tool. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.target IS 'What the entry is about: a file, a symbol, a commit, a run; empty: not stated. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.run IS 'Name that distinguishes runs of a tool that was run twice on purpose. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.sources IS 'The files or resources examined. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.digest IS 'answer_digest(observation). See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.investigation IS 'The investigation. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.class IS 'Class of evidence, as determined when this was recorded. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.tool IS 'The tool that observed it. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.quality IS 'Quality of the observation, None to Strong. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.strength IS 'How much was found. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.match_count IS 'Number of matches; 0 if the tool counts none. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.exact_match_count IS 'Number of exact matches: as observed; otherwise all of them if the match is a phrase, an identifier or exact, and none if not. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.phrase_match IS 'Whether the match is a phrase. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.reason IS 'Why it has this quality, for people. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.recorded_at IS 'When it was recorded, by the server''s clock. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.observation IS 'What the tool observed, a JSON object. See doc/tables.md#answerquality_entry.';
COMMENT ON COLUMN answer.quality_entry.mac IS 'Code (MAC) that only answer_investigation_record() can give to an entry. See doc/tables.md#answerquality_entry.';

-- no query plan depends on the content of observations
ALTER TABLE answer.quality_entry ALTER COLUMN observation SET STATISTICS 0, ALTER COLUMN sources SET STATISTICS 0;

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['quality_class', 'quality_tool', 'quality_authority', 'quality_compatibility', 'quality_intent', 'quality_requirement', 'quality_question_form'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), 'WHERE NOT seed');
	END LOOP;
	FOREACH name IN ARRAY ARRAY['investigation', 'investigation_investigation_seq', 'quality_entry'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), '');
	END LOOP;
END
$$;
