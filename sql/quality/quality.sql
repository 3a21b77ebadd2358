
/* quality: graded evidence, derived verification, gaps, completion */


CREATE TYPE @extschema@.answer_quality_level AS ENUM ('None', 'Weak', 'Moderate', 'Strong', 'Verified');
COMMENT ON TYPE @extschema@.answer_quality_level IS 'How precisely evidence answers a question, least first. Verified is derived from several entries and never stored.';

CREATE TYPE @extschema@.answer_strength_level AS ENUM ('None', 'Low', 'Medium', 'High');
COMMENT ON TYPE @extschema@.answer_strength_level IS 'How much evidence there is, least first: 0, 1 to 10, 11 to 50, more matches. It decides nothing.';

CREATE TYPE @extschema@.answer_gap_kind AS ENUM ('missing', 'weak', 'unverified');
COMMENT ON TYPE @extschema@.answer_gap_kind IS 'What keeps a class from what is required of it: nothing is held, too little, or Strong where Verified is needed.';

CREATE TYPE @extschema@.answer_confidence AS ENUM ('None', 'Low', 'Medium', 'High', 'Complete');
COMMENT ON TYPE @extschema@.answer_confidence IS 'Confidence in an investigation, least first; it is that of its lowest required class.';

CREATE TYPE @extschema@.answer_agreement AS ENUM ('agree', 'disagree', 'alone');
COMMENT ON TYPE @extschema@.answer_agreement IS 'Whether independent producers hold the same, hold opposites, or stand alone.';

CREATE TYPE @extschema@.answer_quality_code AS ENUM
	('nothing_collected', 'nothing_found', 'one_producer', 'corroborated', 'authoritative',
	 'no_better_entry', 'partner_weak', 'same_family', 'other_target', 'no_target', 'no_partner');
COMMENT ON TYPE @extschema@.answer_quality_code IS 'Why a class has its level (the first five), and why it does not have the next.';

CREATE TYPE @extschema@.answer_investigation_outcome AS ENUM ('success', 'InsufficientEvidence');
COMMENT ON TYPE @extschema@.answer_investigation_outcome IS 'How an investigation ended; it follows from completion alone.';

CREATE TYPE @extschema@.answer_graded AS
(
	class		text,
	quality		@extschema@.answer_quality_level,
	strength	@extschema@.answer_strength_level,
	reason		text
);
COMMENT ON TYPE @extschema@.answer_graded IS 'What answer_grade returns, and what users'' graders return.';
COMMENT ON COLUMN @extschema@.answer_graded.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_graded.quality IS 'How precisely the observation answers: None to Strong.';
COMMENT ON COLUMN @extschema@.answer_graded.strength IS 'How much was found.';
COMMENT ON COLUMN @extschema@.answer_graded.reason IS 'Why it has this quality, for people.';

CREATE TYPE @extschema@.answer_recorded AS
(
	class		text,
	quality		@extschema@.answer_quality_level,
	strength	@extschema@.answer_strength_level,
	reason		text,
	digest		text,
	is_new		boolean
);
COMMENT ON TYPE @extschema@.answer_recorded IS 'What answer_investigation_record returns: the grade, the digest of the observation, and whether it was new.';
COMMENT ON COLUMN @extschema@.answer_recorded.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_recorded.quality IS 'How precisely the observation answers: None to Strong.';
COMMENT ON COLUMN @extschema@.answer_recorded.strength IS 'How much was found.';
COMMENT ON COLUMN @extschema@.answer_recorded.reason IS 'Why it has this quality, for people.';
COMMENT ON COLUMN @extschema@.answer_recorded.digest IS 'answer_digest of the observation.';
COMMENT ON COLUMN @extschema@.answer_recorded.is_new IS 'Whether the entry is new; false: the same observation is there already.';

CREATE TYPE @extschema@.answer_quality_gap AS
(
	class	text,
	have	@extschema@.answer_quality_level,
	need	@extschema@.answer_quality_level,
	kind	@extschema@.answer_gap_kind,
	tool	text,
	reason	text
);
COMMENT ON TYPE @extschema@.answer_quality_gap IS 'A class of evidence that is not as good as required, and the tool that best closes the gap.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.have IS 'Quality that is held.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.need IS 'Quality that is required.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.kind IS 'Why it is not enough.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.tool IS 'What to run to close the gap: a tool, or a command. NULL: no tool is known.';
COMMENT ON COLUMN @extschema@.answer_quality_gap.reason IS 'Why the class has the quality that is held, for people.';

CREATE TYPE @extschema@.answer_class_quality AS
(
	class		text,
	quality		@extschema@.answer_quality_level,
	strength	@extschema@.answer_strength_level,
	need		@extschema@.answer_quality_level,
	entries		bigint,
	code		@extschema@.answer_quality_code,
	reason		text,
	next		@extschema@.answer_quality_level,
	next_code	@extschema@.answer_quality_code,
	next_reason	text
);
COMMENT ON TYPE @extschema@.answer_class_quality IS 'What is held of a class of evidence: derived quality, why it is that, and why not the next level.';
COMMENT ON COLUMN @extschema@.answer_class_quality.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_class_quality.quality IS 'Derived quality, up to Verified.';
COMMENT ON COLUMN @extschema@.answer_class_quality.strength IS 'How much the best entry found.';
COMMENT ON COLUMN @extschema@.answer_class_quality.need IS 'Quality that is required. NULL: none is.';
COMMENT ON COLUMN @extschema@.answer_class_quality.entries IS 'Number of entries.';
COMMENT ON COLUMN @extschema@.answer_class_quality.code IS 'Why the class has its quality.';
COMMENT ON COLUMN @extschema@.answer_class_quality.reason IS 'The same in words.';
COMMENT ON COLUMN @extschema@.answer_class_quality.next IS 'The next better quality. NULL: there is none.';
COMMENT ON COLUMN @extschema@.answer_class_quality.next_code IS 'Why the class does not have the next quality.';
COMMENT ON COLUMN @extschema@.answer_class_quality.next_reason IS 'The same in words.';

CREATE TYPE @extschema@.answer_quality_reason AS
(
	class	text,
	quality	@extschema@.answer_quality_level,
	holds	boolean,
	code	@extschema@.answer_quality_code,
	reason	text
);
COMMENT ON TYPE @extschema@.answer_quality_reason IS 'Why a class reaches a level of quality, or does not.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.quality IS 'The quality that the reason is about.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.holds IS 'Whether the class has this quality.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.code IS 'Why, as a code.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.reason IS 'Why, in words.';

CREATE TYPE @extschema@.answer_confidence_result AS
(
	level		@extschema@.answer_confidence,
	quality		@extschema@.answer_quality_level,
	coverage	text,
	agreement	@extschema@.answer_agreement,
	explanation	text
);
COMMENT ON TYPE @extschema@.answer_confidence_result IS 'What answer_confidence_level returns; level and quality are NULL where the intent requires nothing.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.level IS 'Confidence in the investigation. NULL: nothing is required.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.quality IS 'Quality of the lowest required class. NULL: nothing is required.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.coverage IS 'How many of the required classes are met, as "met/required".';
COMMENT ON COLUMN @extschema@.answer_confidence_result.agreement IS 'Whether independent tools agree.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.explanation IS 'One sentence for people.';

CREATE TYPE @extschema@.answer_assessment AS
(
	complete	boolean,
	level		@extschema@.answer_confidence,
	quality		@extschema@.answer_quality_level,
	coverage	text,
	agreement	@extschema@.answer_agreement,
	explanation	text,
	gap			@extschema@.answer_quality_gap[],
	classes		@extschema@.answer_class_quality[]
);
COMMENT ON TYPE @extschema@.answer_assessment IS 'All that the entries of an investigation come to.';
COMMENT ON COLUMN @extschema@.answer_assessment.complete IS 'Whether no class has a gap.';
COMMENT ON COLUMN @extschema@.answer_assessment.level IS 'Confidence in the investigation. NULL: nothing is required.';
COMMENT ON COLUMN @extschema@.answer_assessment.quality IS 'Quality of the lowest required class. NULL: nothing is required.';
COMMENT ON COLUMN @extschema@.answer_assessment.coverage IS 'How many of the required classes are met, as "met/required".';
COMMENT ON COLUMN @extschema@.answer_assessment.agreement IS 'Whether independent tools agree.';
COMMENT ON COLUMN @extschema@.answer_assessment.explanation IS 'One sentence for people.';
COMMENT ON COLUMN @extschema@.answer_assessment.gap IS 'The gaps, most urgent first.';
COMMENT ON COLUMN @extschema@.answer_assessment.classes IS 'The classes that are held or required.';

/* the rules, as rows */

-- No foreign keys, for the reason given in evidence.sql.

CREATE TABLE answer.quality_class
(
	class			text PRIMARY KEY CHECK (class OPERATOR(pg_catalog.<>) ''),
	position		integer NOT NULL,
	tool			text,
	identifier_tool	text,
	verify_tool		text,
	description		text,
	seed			boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.quality_class IS 'Classes of evidence.';
COMMENT ON COLUMN answer.quality_class.position IS 'The order in which gaps of one kind are listed.';
COMMENT ON COLUMN answer.quality_class.tool IS 'The tool that best closes a gap.';
COMMENT ON COLUMN answer.quality_class.identifier_tool IS 'The same, where the query is one identifier.';
COMMENT ON COLUMN answer.quality_class.verify_tool IS 'The same, where Strong is held and Verified needed.';
COMMENT ON COLUMN answer.quality_class.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_class.class IS 'Name of the class.';
COMMENT ON COLUMN answer.quality_class.description IS 'For people. NULL: none.';

CREATE TABLE answer.quality_tool
(
	tool		text NOT NULL CHECK (tool OPERATOR(pg_catalog.<>) ''),
	tenant		text NOT NULL DEFAULT '' CHECK (tenant OPERATOR(pg_catalog.=) '' OR NOT seed),
	class		text NOT NULL,
	family		text NOT NULL CHECK (family OPERATOR(pg_catalog.<>) ''),
	-- a name, not regprocedure: pg_upgrade refuses columns of that type
	grader		text,
	grader_owner	text,
	description	text,
	registered_by	text,
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tenant, tool),
	-- a name alone would be anybody's to take
	CHECK ((grader_owner IS NULL) OPERATOR(pg_catalog.=) (grader IS NULL))
);
COMMENT ON TABLE answer.quality_tool IS 'Tools whose observations are graded. Tools of one family share a signal and never corroborate each other.';
COMMENT ON COLUMN answer.quality_tool.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s, and shared.';
COMMENT ON COLUMN answer.quality_tool.grader IS 'Qualified name of a function (jsonb) RETURNS answer_graded; NULL: answer_grade knows the tool itself.';
COMMENT ON COLUMN answer.quality_tool.grader_owner IS 'Who owned the grader when it was registered. A function of another owner is not called until it is registered again.';
COMMENT ON COLUMN answer.quality_tool.registered_by IS 'The role that registered the tool.';
COMMENT ON COLUMN answer.quality_tool.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_tool.tool IS 'Name of the tool.';
COMMENT ON COLUMN answer.quality_tool.class IS 'Class of evidence that it gives.';
COMMENT ON COLUMN answer.quality_tool.family IS 'Its family: tools that share a signal.';
COMMENT ON COLUMN answer.quality_tool.description IS 'For people. NULL: none.';

CREATE TABLE answer.quality_authority
(
	tool		text NOT NULL,
	class		text NOT NULL,
	observation	jsonb NOT NULL CHECK (pg_catalog.jsonb_typeof(observation) OPERATOR(pg_catalog.=) 'object'),
	quality		@extschema@.answer_quality_level NOT NULL DEFAULT 'Moderate'
		CHECK (quality OPERATOR(pg_catalog.>) 'None' AND quality OPERATOR(pg_catalog.<) 'Verified'),
	seed		boolean NOT NULL DEFAULT false,
	PRIMARY KEY (tool, observation)
);
COMMENT ON TABLE answer.quality_authority IS 'Observations that settle their question by themselves: an entry of that tool whose observation has these members is Verified.';
COMMENT ON COLUMN answer.quality_authority.quality IS 'The quality that the entry itself must have.';
COMMENT ON COLUMN answer.quality_authority.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_authority.tool IS 'The tool.';
COMMENT ON COLUMN answer.quality_authority.class IS 'Class of evidence that the tool gives.';
COMMENT ON COLUMN answer.quality_authority.observation IS 'Members that the observation must have, a JSON object.';

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
COMMENT ON TABLE answer.quality_compatibility IS 'Which class of evidence makes which other one Verified, where tools of different families hold it.';
COMMENT ON COLUMN answer.quality_compatibility.quality IS 'The quality that the entry itself must have.';
COMMENT ON COLUMN answer.quality_compatibility.with_quality IS 'The quality that the other entry must have.';
COMMENT ON COLUMN answer.quality_compatibility.same_target IS 'Must both be about the same target?';
COMMENT ON COLUMN answer.quality_compatibility.same_tool IS 'Two runs of one tool with equal results, instead of two tools.';
COMMENT ON COLUMN answer.quality_compatibility.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_compatibility.class IS 'Class that becomes Verified.';
COMMENT ON COLUMN answer.quality_compatibility.with_class IS 'Class of the other entry.';

CREATE TABLE answer.quality_intent
(
	intent		text PRIMARY KEY CHECK (intent OPERATOR(pg_catalog.<>) ''),
	description	text,
	seed		boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE answer.quality_intent IS 'What an investigation can be for.';
COMMENT ON COLUMN answer.quality_intent.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_intent.intent IS 'Name of the intent.';
COMMENT ON COLUMN answer.quality_intent.description IS 'For people. NULL: none.';

CREATE TABLE answer.quality_requirement
(
	intent	text NOT NULL,
	class	text NOT NULL,
	quality	@extschema@.answer_quality_level NOT NULL CHECK (quality OPERATOR(pg_catalog.>) 'None'),
	seed	boolean NOT NULL DEFAULT false,
	PRIMARY KEY (intent, class)
);
COMMENT ON TABLE answer.quality_requirement IS 'The evidence that an intent requires, and how good it must be.';
COMMENT ON COLUMN answer.quality_requirement.seed IS 'Comes with the extension, so it is not dumped.';
COMMENT ON COLUMN answer.quality_requirement.intent IS 'The intent.';
COMMENT ON COLUMN answer.quality_requirement.class IS 'Class of evidence that it requires.';
COMMENT ON COLUMN answer.quality_requirement.quality IS 'Least quality that it requires.';

INSERT INTO answer.quality_class (class, position, tool, identifier_tool, verify_tool, description, seed)
VALUES ('FileSearch', 1, 'find', 'references', 'read', 'Where something is.', true),
	('FileContent', 2, 'read', NULL, 'find', 'What a file says.', true),
	('GitLog', 3, 'git log --oneline -10', NULL, NULL, 'What happened to the sources.', true),
	('Build', 4, 'cmake', NULL, 'ctest', 'Whether it builds.', true),
	('Test', 5, 'ctest', NULL, 'cmake', 'Whether its tests pass.', true),
	('Discovery', 6, 'discovery', NULL, NULL, 'What kind of project it is.', true),
	('CIWorkflow', 7, 'gh', NULL, NULL, 'What happened in continuous integration.', true);

INSERT INTO answer.quality_tool (tool, class, family, description, seed)
VALUES ('grep', 'FileSearch', 'search', 'Lines that match.', true),
	('find', 'FileSearch', 'search', 'Files by their names.', true),
	('references', 'FileSearch', 'search', 'Uses of a symbol.', true),
	('read', 'FileContent', 'read', 'The content of files.', true),
	('git', 'GitLog', 'git', 'The history, and the working tree.', true),
	('cmake', 'Build', 'build', 'A build.', true),
	('ctest', 'Test', 'test', 'A run of tests.', true),
	('discovery', 'Discovery', 'discovery', 'A scan of the project.', true),
	('gh', 'CIWorkflow', 'ci', 'Workflow runs at GitHub.', true);

INSERT INTO answer.quality_authority (tool, class, observation, quality, seed)
VALUES ('git', 'GitLog', '{"command": "log", "question": "history"}', 'Moderate', true),
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

-- The same as rows of one shape, which are read once a query.
CREATE VIEW answer.quality_rule AS
SELECT 1 AS kind, position AS place, class AS name, tool AS a, identifier_tool AS b, verify_tool AS c,
	NULL::@extschema@.answer_quality_level AS quality, NULL::@extschema@.answer_quality_level AS with_quality,
	NULL::boolean AS same_target, NULL::boolean AS same_tool, NULL::jsonb AS observation
FROM answer.quality_class
UNION ALL SELECT 2, 0, tool, class, family, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_tool WHERE tenant OPERATOR(pg_catalog.=) ''
UNION ALL SELECT 3, 0, tool, class, NULL, NULL, quality, NULL, NULL, NULL, observation FROM answer.quality_authority
UNION ALL SELECT 4, 0, class, with_class, NULL, NULL, quality, with_quality, same_target, same_tool, NULL FROM answer.quality_compatibility
UNION ALL SELECT 5, 0, intent, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM answer.quality_intent
UNION ALL SELECT 6, 0, intent, class, NULL, NULL, quality, NULL, NULL, NULL, NULL FROM answer.quality_requirement;
COMMENT ON VIEW answer.quality_rule IS 'The rules of evidence quality, one in each row: what answer_assessment_of reads.';
COMMENT ON COLUMN answer.quality_rule.kind IS 'What the row is: 1 class, 2 tool, 3 authority, 4 compatibility, 5 intent, 6 requirement.';
COMMENT ON COLUMN answer.quality_rule.place IS 'Position of a class, otherwise 0.';
COMMENT ON COLUMN answer.quality_rule.name IS 'Class of kinds 1 and 4, tool of kinds 2 and 3, intent of kinds 5 and 6.';
COMMENT ON COLUMN answer.quality_rule.a IS 'Tool of kind 1; class of kinds 2, 3 and 6; other class of kind 4.';
COMMENT ON COLUMN answer.quality_rule.b IS 'Tool for one identifier, of kind 1; family, of kind 2.';
COMMENT ON COLUMN answer.quality_rule.c IS 'Tool that verifies, of kind 1.';
COMMENT ON COLUMN answer.quality_rule.quality IS 'Quality that the entry itself must have, of kinds 3 and 4; required quality, of kind 6.';
COMMENT ON COLUMN answer.quality_rule.with_quality IS 'Quality that the other entry must have, of kind 4.';
COMMENT ON COLUMN answer.quality_rule.same_target IS 'Whether both must be about the same target, of kind 4.';
COMMENT ON COLUMN answer.quality_rule.same_tool IS 'Whether two runs of one tool are meant, of kind 4.';
COMMENT ON COLUMN answer.quality_rule.observation IS 'Members that the observation must have, of kind 3.';

-- All of it in one document: what answer_assess takes.  OFFSET 0 keeps it from
-- being made anew for each row that it is joined to.
CREATE VIEW answer.quality_rules AS
SELECT pg_catalog.jsonb_build_object('classes', c.list, 'tools', t.list, 'authorities', a.list,
	'compatibilities', k.list, 'intents', i.list) AS rules
FROM (SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'class', class, 'tool', tool, 'identifier_tool', identifier_tool, 'verify_tool', verify_tool))
		ORDER BY position, class COLLATE "C"), '[]') AS list
	FROM answer.quality_class) AS c,
	(SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
		'tool', tool, 'class', class, 'family', family) ORDER BY tool COLLATE "C"), '[]') AS list
	FROM answer.quality_tool WHERE tenant OPERATOR(pg_catalog.=) '') AS t,
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
		GROUP BY q.intent) AS n) AS i
OFFSET 0;
COMMENT ON VIEW answer.quality_rules IS 'The rules of evidence quality in one document, which answer_assess takes and receipts keep.';
COMMENT ON COLUMN answer.quality_rules.rules IS '{"classes", "tools", "authorities", "compatibilities", "intents"}, arrays of objects in a fixed order.';

/* investigations */

CREATE TABLE answer.investigation
(
	investigation	bigint GENERATED ALWAYS AS IDENTITY,
	tenant			text NOT NULL DEFAULT '',
	intent			text NOT NULL,
	question		text NOT NULL,
	opened_at		timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
	opened_by		text NOT NULL DEFAULT CURRENT_USER,
	closed_at		timestamptz,
	outcome			@extschema@.answer_investigation_outcome,
	PRIMARY KEY (tenant, investigation),
	CHECK ((closed_at IS NULL) OPERATOR(pg_catalog.=) (outcome IS NULL))
);
COMMENT ON TABLE answer.investigation IS 'What is being found out, or was: a goal, which is an intent and a question.';
COMMENT ON COLUMN answer.investigation.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.investigation.opened_by IS 'The role that opened it, by its name at that time, so that a dump restores where there is no such role. Only roles with its rights, and with those of the extension''s owner, record into it, close it and sign it. The owner can change it.';
COMMENT ON COLUMN answer.investigation.outcome IS 'NULL while it is open.';
COMMENT ON COLUMN answer.investigation.investigation IS 'Number of the investigation.';
COMMENT ON COLUMN answer.investigation.intent IS 'What it is for: answer.quality_intent.';
COMMENT ON COLUMN answer.investigation.question IS 'What is asked.';
COMMENT ON COLUMN answer.investigation.opened_at IS 'When it was opened, by the servers clock.';
COMMENT ON COLUMN answer.investigation.closed_at IS 'When it was closed. NULL: it is open.';
COMMENT ON SEQUENCE answer.investigation_investigation_seq IS 'Gives investigations their numbers.';
CREATE INDEX investigation_open ON answer.investigation (tenant, investigation) WHERE closed_at IS NULL;
-- The table says nothing of the work that its entries are; as many workers as
-- a query may have, then: max_parallel_workers_per_gather is what limits them.
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
	PRIMARY KEY (tenant, investigation, entry),
	CONSTRAINT quality_entry_not_verified CHECK (quality OPERATOR(pg_catalog.<>) 'Verified')
);
COMMENT ON TABLE answer.quality_entry IS 'Evidence of investigations: what a tool observed, and how good that is. The same observation twice is one entry.';
COMMENT ON COLUMN answer.quality_entry.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.quality_entry.entry IS 'SHA-256 of the canonical object {tool, query, target, run, observation}.';
COMMENT ON COLUMN answer.quality_entry.query IS 'The text that the tool was given.';
COMMENT ON COLUMN answer.quality_entry.target IS 'What the entry is about: a file, a symbol, a commit, a run; empty: not stated.';
COMMENT ON COLUMN answer.quality_entry.run IS 'Distinguishes runs of a tool that was run twice on purpose.';
COMMENT ON COLUMN answer.quality_entry.sources IS 'Files or resources that were examined.';
COMMENT ON COLUMN answer.quality_entry.digest IS 'answer_digest(observation).';
COMMENT ON COLUMN answer.quality_entry.investigation IS 'The investigation.';
COMMENT ON COLUMN answer.quality_entry.class IS 'Class of evidence, as the tool gave it when this was recorded.';
COMMENT ON COLUMN answer.quality_entry.tool IS 'The tool that observed.';
COMMENT ON COLUMN answer.quality_entry.quality IS 'Quality of the observation, None to Strong.';
COMMENT ON COLUMN answer.quality_entry.strength IS 'How much was found.';
COMMENT ON COLUMN answer.quality_entry.match_count IS 'Number of matches; 0 where the tool counts none.';
COMMENT ON COLUMN answer.quality_entry.exact_match_count IS 'match_count where the match is a phrase, an identifier or exact; otherwise 0.';
COMMENT ON COLUMN answer.quality_entry.phrase_match IS 'Whether the match is a phrase.';
COMMENT ON COLUMN answer.quality_entry.reason IS 'Why it has this quality, for people.';
COMMENT ON COLUMN answer.quality_entry.recorded_at IS 'When it was recorded, by the servers clock. Nothing signs it.';
COMMENT ON COLUMN answer.quality_entry.observation IS 'What the tool observed, a JSON object.';

-- no query is planned by what observations hold
ALTER TABLE answer.quality_entry ALTER COLUMN observation SET STATISTICS 0, ALTER COLUMN sources SET STATISTICS 0;

DO $$
DECLARE
	name	text;
BEGIN
	FOREACH name IN ARRAY ARRAY['quality_class', 'quality_tool', 'quality_authority', 'quality_compatibility', 'quality_intent', 'quality_requirement'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), 'WHERE NOT seed');
	END LOOP;
	FOREACH name IN ARRAY ARRAY['investigation', 'investigation_investigation_seq', 'quality_entry'] LOOP
		PERFORM pg_catalog.pg_extension_config_dump(pg_catalog.format('answer.%I', name), '');
	END LOOP;
END
$$;

/* grading */

CREATE FUNCTION @extschema@.answer_grade(tool text, observation jsonb) RETURNS @extschema@.answer_graded
AS 'MODULE_PATHNAME', 'answer_eval_grade'
-- of a registered grader the tenant decides, so a plan must not keep what came out
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @extschema@.answer_grade(text, jsonb) IS
'Grades what a tool observed. Arguments: tool, one of grep, find, references, read, git, cmake, ctest, discovery, gh, or one that was registered with answer_quality_grader_register, whose grader is called with the caller''s rights; observation, the object of that tool. Result: class, quality (None to Strong), strength (from match_count), reason. Errors: 22023 for a missing or unknown tool, or an observation with an unknown key or a value that it cannot have, 22004 for a NULL observation, 54000 for one of more than 16777216 bytes, 23514 for a grader that says Verified, 55000 for a grader that is no longer what was registered.';

CREATE FUNCTION @extschema@.answer_grade_text(tool text, query text, output text, question text DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_grade_text'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_grade_text(text, text, text, text) IS
'Turns what a tool printed, in English, into an observation, and grades that. Arguments: tool, one of grep, find, git, cmake, ctest, gh; query, the text that the tool was given, against the whole of which matches are judged (for git, cmake and gh also the arguments of the command); output; question, what is to be found out, which tells git whether history or the working tree is asked for (NULL: that is taken from the query). Result: {observation, class, quality, strength, reason}. Output that is not recognised is taken for as little as it can be. Errors: 22023 for a missing tool, or one whose output cannot be read, 22004 for a NULL output, 54000 for a text of more than 134217728 bytes.';

CREATE FUNCTION @extschema@.answer_assess_add(state internal, rules jsonb, intent text, question text, class text, tool text, query text,
	target text, quality @extschema@.answer_quality_level, strength @extschema@.answer_strength_level, reason text, observation jsonb, entry bytea)
RETURNS internal
AS 'MODULE_PATHNAME', 'answer_eval_assess_add'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION @extschema@.answer_assess_add(internal, jsonb, text, text, text, text, text, text, @extschema@.answer_quality_level, @extschema@.answer_strength_level, text, jsonb, bytea) IS
'Transition function of the aggregate answer_assess; not for direct use. Errors: 22004, 22023, 23514 as documented there.';

CREATE FUNCTION @extschema@.answer_assess_final(state internal) RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assess_final'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION @extschema@.answer_assess_final(internal) IS
'Final function of the aggregate answer_assess; not for direct use. Errors: none.';

-- No combine function: what is assessed together is the entries of one
-- investigation, and those are few.  Investigations go to workers and shards.
CREATE AGGREGATE @extschema@.answer_assess(rules jsonb, intent text, question text, class text, tool text, query text, target text,
	quality @extschema@.answer_quality_level, strength @extschema@.answer_strength_level, reason text, observation jsonb, entry bytea)
(
	SFUNC = @extschema@.answer_assess_add,
	STYPE = internal,
	SSPACE = 4096,
	FINALFUNC = @extschema@.answer_assess_final,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE @extschema@.answer_assess(jsonb, text, text, text, text, text, text, @extschema@.answer_quality_level, @extschema@.answer_strength_level, text, jsonb, bytea) IS
'What the entries of one investigation come to. Arguments: rules, as answer.quality_rules has them; intent and question, the same in every row; then the columns of an entry (class NULL: there is none; entry NULL: it differs from every other). Result: completion, confidence, gap, and the derived quality of each class; NULL over no rows. The order of rows never matters. Errors: 22004 for NULL rules, intent, tool or quality, 22023 for malformed rules or an unknown intent, 23514 for an entry that says Verified.';

/* reading an investigation */

CREATE FUNCTION @extschema@.answer_assessment_of(investigation bigint) RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assessment_of'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_assessment_of(bigint) IS
'All that an investigation''s entries come to, by the rules as they are now. Argument: its number. Result: as of answer_assess. Errors: 22004 for NULL, 22023 for an unknown investigation or intent, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_assessment_of(investigation bigint, intent text, question text) RETURNS @extschema@.answer_assessment
AS 'MODULE_PATHNAME', 'answer_eval_assessment_of_goal'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_assessment_of(bigint, text, text) IS
'The same for a query over many investigations, which has their intents and questions at hand: only the entries are read, and classes is NULL. Arguments: the columns of answer.investigation. Result: as of answer_assessment_of(bigint), without classes; an investigation without entries holds nothing. Errors: 22004 for a NULL investigation or intent, 22023 for an unknown intent, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality(investigation bigint) RETURNS SETOF @extschema@.answer_class_quality
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 5
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT c.* FROM unnest((@extschema@.answer_assessment_of(investigation)).classes) AS c;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality(bigint) IS
'The derived quality of each class of evidence that is held or required, in table order. Argument: the investigation. Result: class, quality, strength, need (NULL: not required), entries, code and reason (why this level), next, next_code and next_reason (why not the next). Errors: as answer_assessment_of(bigint).';

CREATE FUNCTION @extschema@.answer_quality_reasons(investigation bigint) RETURNS SETOF @extschema@.answer_quality_reason
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT c.class, r.quality, r.holds, r.code, r.reason
	FROM unnest((@extschema@.answer_assessment_of(investigation)).classes) WITH ORDINALITY
		AS c (class, quality, strength, need, entries, code, reason, next, next_code, next_reason, n),
		LATERAL (VALUES (c.quality, true, c.code, c.reason), (c.next, false, c.next_code, c.next_reason)) AS r (quality, holds, code, reason)
	WHERE r.quality IS NOT NULL
	ORDER BY c.n, r.holds DESC;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_reasons(bigint) IS
'Why each class has the level it has (holds is true), and why it does not have the next (false; no such row for Verified). Argument: the investigation. Result: class, quality (the level spoken of), holds, code, reason. Errors: as answer_assessment_of(bigint).';

CREATE FUNCTION @extschema@.answer_gap(investigation bigint) RETURNS SETOF @extschema@.answer_quality_gap
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 3
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT g.* FROM unnest((@extschema@.answer_assessment_of(investigation)).gap) AS g;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_gap(bigint) IS
'What an investigation still needs: missing evidence first, then weak, then unverified, each in table order. Argument: its number. Result: class, have, need, kind, the tool that best closes the gap, reason; no row: it is complete. Errors: as answer_assessment_of(bigint).';

CREATE FUNCTION @extschema@.answer_next_tool(investigation bigint) RETURNS SETOF @extschema@.answer_quality_gap
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN QUERY SELECT g.* FROM unnest((@extschema@.answer_assessment_of(investigation)).gap) AS g LIMIT 1;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_next_tool(bigint) IS
'The first row of answer_gap: the tool to use next, and why. No row: the investigation is complete. Errors: as answer_assessment_of(bigint).';

CREATE FUNCTION @extschema@.answer_complete(investigation bigint) RETURNS boolean
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	RETURN (@extschema@.answer_assessment_of(investigation)).complete;
END
$$;
COMMENT ON FUNCTION @extschema@.answer_complete(bigint) IS
'Whether every class of evidence that the intent requires is as good as required, on derived quality. Argument: the investigation. Result: never NULL. Errors: as answer_assessment_of(bigint).';

CREATE FUNCTION @extschema@.answer_confidence_level(investigation bigint) RETURNS @extschema@.answer_confidence_result
LANGUAGE plpgsql STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 300
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	a @extschema@.answer_assessment := @extschema@.answer_assessment_of(investigation);
BEGIN
	RETURN (a.level, a.quality, a.coverage, a.agreement, a.explanation);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_confidence_level(bigint) IS
'Confidence in an investigation: the word for its lowest required class. Argument: its number. Result: level (None, Low, Medium, High, Complete; NULL where nothing is required), quality, coverage (met/required), agreement of independent producers, explanation in one sentence. Errors: as answer_assessment_of(bigint).';

-- A function does the work of each investigation, so that workers can share
-- them: a sub-select that looks outwards would keep the query serial.
CREATE VIEW answer.open_investigation AS
SELECT i.investigation, i.intent, i.question, i.opened_at, a.complete, a.level, a.quality, a.coverage,
	a.agreement, a.explanation, a.gap[1].class AS next_class, a.gap[1].tool AS next_tool, a.gap, i.tenant
FROM answer.investigation i
CROSS JOIN LATERAL @extschema@.answer_assessment_of(i.investigation, i.intent, i.question) AS a
WHERE i.closed_at IS NULL;
COMMENT ON VIEW answer.open_investigation IS 'Every open investigation: completion, confidence and gap, derived as it is read.';
COMMENT ON COLUMN answer.open_investigation.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.open_investigation.investigation IS 'Number of the investigation.';
COMMENT ON COLUMN answer.open_investigation.intent IS 'What it is for.';
COMMENT ON COLUMN answer.open_investigation.question IS 'What is asked.';
COMMENT ON COLUMN answer.open_investigation.opened_at IS 'When it was opened.';
COMMENT ON COLUMN answer.open_investigation.complete IS 'Whether no class has a gap.';
COMMENT ON COLUMN answer.open_investigation.level IS 'Confidence in the investigation. NULL: nothing is required.';
COMMENT ON COLUMN answer.open_investigation.quality IS 'Quality of the lowest required class. NULL: nothing is required.';
COMMENT ON COLUMN answer.open_investigation.coverage IS 'How many of the required classes are met, as "met/required".';
COMMENT ON COLUMN answer.open_investigation.agreement IS 'Whether independent tools agree.';
COMMENT ON COLUMN answer.open_investigation.explanation IS 'One sentence for people.';
COMMENT ON COLUMN answer.open_investigation.gap IS 'The gaps, most urgent first.';
COMMENT ON COLUMN answer.open_investigation.next_class IS 'Class of the first gap. NULL: there is none.';
COMMENT ON COLUMN answer.open_investigation.next_tool IS 'Tool that closes the first gap. NULL: there is none.';

CREATE VIEW answer.open_gap AS
SELECT o.investigation, o.intent, o.question, g.class, g.have, g.need, g.kind, g.tool, g.reason, g.place, o.tenant
FROM answer.open_investigation o
CROSS JOIN LATERAL pg_catalog.unnest(o.gap) WITH ORDINALITY AS g (class, have, need, kind, tool, reason, place);
COMMENT ON VIEW answer.open_gap IS 'The gaps of every open investigation, one in each row; place 1 is what to do next.';
COMMENT ON COLUMN answer.open_gap.tenant IS 'Whose it is: a tenant of answer.tenant; empty: the operator''s.';
COMMENT ON COLUMN answer.open_gap.investigation IS 'Number of the investigation.';
COMMENT ON COLUMN answer.open_gap.intent IS 'What it is for.';
COMMENT ON COLUMN answer.open_gap.question IS 'What is asked.';
COMMENT ON COLUMN answer.open_gap.place IS 'Place among the gaps of the investigation, from 1 on; the first is the most urgent.';
COMMENT ON COLUMN answer.open_gap.class IS 'Class of evidence.';
COMMENT ON COLUMN answer.open_gap.have IS 'Quality that is held.';
COMMENT ON COLUMN answer.open_gap.need IS 'Quality that is required.';
COMMENT ON COLUMN answer.open_gap.kind IS 'Why it is not enough.';
COMMENT ON COLUMN answer.open_gap.tool IS 'What to run to close the gap. NULL: no tool is known.';
COMMENT ON COLUMN answer.open_gap.reason IS 'Why the class has the quality that is held, for people.';

REVOKE ALL ON answer.quality_class, answer.quality_tool, answer.quality_authority, answer.quality_compatibility,
	answer.quality_intent, answer.quality_requirement, answer.quality_rule, answer.quality_rules, answer.investigation,
	answer.quality_entry, answer.open_investigation, answer.open_gap FROM PUBLIC;
REVOKE ALL ON SEQUENCE answer.investigation_investigation_seq FROM PUBLIC;

/* writing an investigation */

CREATE FUNCTION @extschema@.answer_investigation_open(intent text, question text) RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_investigation_open'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_investigation_open(text, text) IS
'Opens an investigation, which belongs to the current role: only roles with its rights, and with those of the extension''s owner, record into it, close it and sign it. Arguments: intent, one of Locate, Navigate, Compare, Explain, Review, Diagnose, Status, Execute, Modify, Chat, or a registered one; question, what is to be found out, at most 1048576 bytes. Result: its number. Errors: 22023 for an unknown intent, 22004 for a NULL, 22021 for a question that is not valid UTF-8, 25006 in a read-only transaction, 54000 for a longer question, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_investigation_record(investigation bigint, tool text, query text, target text, observation jsonb,
	sources text[] DEFAULT '{}', run text DEFAULT '')
RETURNS @extschema@.answer_recorded
AS 'MODULE_PATHNAME', 'answer_eval_investigation_record'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 500;
COMMENT ON FUNCTION @extschema@.answer_investigation_record(bigint, text, text, text, jsonb, text[], text) IS
'Grades an observation as answer_grade does, with the caller''s rights, and adds it to an investigation as an entry. The same observation again adds no entry. Arguments: the investigation; tool; query, the text that the tool was given; target, what it is about (a file, a symbol, a commit, a run); observation; sources, files or resources that were examined; run, a name that tells two runs of one tool apart, where it was run twice on purpose. NULL texts are empty; each argument has at most 1048576 bytes. Result: class, quality, strength, reason, digest of the observation, is_new. Errors: 42501 for an investigation of another role whose rights the caller does not have, 54000 for a larger argument, 22023 for an unknown investigation or tool or a malformed observation, 22004 for a NULL investigation or observation, 23514 for a grader that says Verified, 54001 for an observation nested too deeply, 55000 for a closed investigation, 25006 in a read-only transaction, 40001 under REPEATABLE READ or SERIALIZABLE for an investigation that was closed, or an observation that was recorded, since the transaction began, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_investigation_record_output(investigation bigint, tool text, query text, target text, output text,
	sources text[] DEFAULT '{}', run text DEFAULT '')
RETURNS @extschema@.answer_recorded
AS 'MODULE_PATHNAME', 'answer_eval_investigation_record_output'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_investigation_record_output(bigint, text, text, text, text, text[], text) IS
'Records what a tool printed: answer_grade_text, with the investigation''s own question, makes the observation that answer_investigation_record takes. Arguments, result and errors: as there, and 22023 for a tool whose output cannot be read.';

CREATE FUNCTION @extschema@.answer_investigation_close(investigation bigint) RETURNS @extschema@.answer_investigation_outcome
AS 'MODULE_PATHNAME', 'answer_eval_investigation_close'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 1000;
COMMENT ON FUNCTION @extschema@.answer_investigation_close(bigint) IS
'Closes an investigation: success if it is complete, else InsufficientEvidence. Nothing can be recorded afterwards; closing it again returns the same. Argument: its number. Result: the outcome. Errors: 42501 for an investigation of another role whose rights the caller does not have, 22004 for NULL, 22023 for an unknown investigation, 25006 in a read-only transaction, 40001 under REPEATABLE READ or SERIALIZABLE if what the transaction does not see decides the outcome, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality_receipt(investigation bigint) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_quality_receipt'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 5000;
COMMENT ON FUNCTION @extschema@.answer_quality_receipt(bigint) IS
'Mints a signed receipt (quality/v1) of an investigation as it stands: its entries with their observations, the rules, and what the entries come to. It is stored in answer.receipt in the same transaction; answer_verify verifies it, its content included, and answer_replay tells what comes out again. Argument: the investigation, open or closed; it is read with the caller''s rights. Result: the receipt. Errors: 42501 for an investigation of another role whose rights the caller does not have, 22004 for NULL, 22023 for an unknown investigation or intent, 54000 for a receipt of more than 16 MB, 55000 without a usable signing key, 25006 in a read-only transaction, 42501 without the privilege.';

/* what users add */

CREATE FUNCTION @extschema@.answer_quality_class_register_put(class text, tool text, identifier_tool text,
	verify_tool text, description text)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF class IS NULL OR class = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'class must have a non-empty name';
	END IF;
	-- bytes that no assessment could read would keep everybody from reading any
	PERFORM @extschema@.answer_canonical(jsonb_build_array(class, tool, identifier_tool, verify_tool));
	INSERT INTO answer.quality_class AS c (class, position, tool, identifier_tool, verify_tool, description)
	VALUES (class, (SELECT greatest(max(position), 100) + 1 FROM answer.quality_class), tool, identifier_tool, verify_tool, description)
	ON CONFLICT ON CONSTRAINT quality_class_pkey DO UPDATE
	SET tool = excluded.tool, identifier_tool = excluded.identifier_tool, verify_tool = excluded.verify_tool,
		description = excluded.description
	WHERE NOT c.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('class "%s" comes with answer_eval and cannot be changed', class);
	END IF;
	INSERT INTO answer.quality_compatibility (class, with_class) VALUES (class, class)
	ON CONFLICT DO NOTHING;
	PERFORM @extschema@.answer_change_record_put('', 'quality_class', class);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_class_register_put(text, text, text, text, text) IS
'Writes for answer_quality_class_register(), as the owner of the tables; not for direct use. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_quality_class_register(class text, tool text DEFAULT NULL, identifier_tool text DEFAULT NULL,
	verify_tool text DEFAULT NULL, description text DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_class_register(text, text, text, text, text) IS
'Registers a class of evidence, or changes it. Tools of different families corroborate each other in it. Arguments: its name; tool, the one that best closes a gap; identifier_tool, the same where the query is one identifier; verify_tool, the same where Strong is held and Verified needed; description. Result: none. Errors: 22023 for an empty name or a class that comes with the extension, 22021 for a text that is not valid UTF-8, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality_grader_put(registered_by text, tenant text, tool text, class text, grader regprocedure, family text, description text)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	grader_name text;
	grader_owner text;
BEGIN
	IF tool IS NULL OR tool = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'tool must have a non-empty name';
	END IF;
	IF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = answer_quality_grader_put.class) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown class "%s"', class),
			hint = 'Classes are registered with answer_quality_class_register().';
	END IF;
	SELECT format('%I.%I', n.nspname, p.proname), pg_get_userbyid(p.proowner) INTO grader_name, grader_owner
	FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
	WHERE p.oid = grader AND p.prokind = 'f' AND NOT p.proretset AND p.pronargs = 1
	AND p.proargtypes[0] = 'jsonb'::regtype AND p.prorettype = '@extschema@.answer_graded'::regtype
	AND p.provolatile = 'i' AND p.proparallel = 's'
	-- the name would be another session's to take
	AND NOT starts_with(n.nspname, 'pg_temp_');
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('grader %s of tool "%s" must be a function (jsonb) RETURNS answer_graded, IMMUTABLE and PARALLEL SAFE, and not temporary', COALESCE(grader::text, 'NULL'), tool);
	END IF;
	-- bytes that no assessment could read would keep everybody from reading any
	PERFORM @extschema@.answer_canonical(jsonb_build_array(tool, family, grader_name));
	-- whoever asks learns no more than that a shared tool has the name
	IF tenant <> '' AND EXISTS (SELECT FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = answer_quality_grader_put.tool) THEN
		RAISE EXCEPTION USING errcode = '23505', message = format('the name "%s" is taken by a shared tool', tool);
	END IF;
	INSERT INTO answer.quality_tool AS t (tenant, tool, class, family, grader, grader_owner, description, registered_by)
	VALUES (tenant, tool, class, COALESCE(NULLIF(family, ''), tool), grader_name, grader_owner, description, registered_by)
	ON CONFLICT ON CONSTRAINT quality_tool_pkey DO UPDATE
	SET class = excluded.class, family = excluded.family, grader = excluded.grader,
		grader_owner = excluded.grader_owner, description = excluded.description, registered_by = excluded.registered_by
	WHERE NOT t.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('tool "%s" comes with answer_eval and cannot be changed', tool);
	END IF;
	PERFORM @extschema@.answer_change_record_put(tenant, 'quality_tool', tool);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_grader_put(text, text, text, text, regprocedure, text, text) IS
'Writes a tool for answer_quality_grader_register(), as the owner of the tables; not for direct use. Arguments: the role that registers, then as there. Errors: as there.';

CREATE FUNCTION @extschema@.answer_quality_grader_register(tool text, class text, grader regprocedure, family text DEFAULT NULL, description text DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_quality_grader_register'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_grader_register(text, text, regprocedure, text, text) IS
'Registers a tool whose observations are graded, or changes it. Arguments: its name; class, a registered one; grader, a function (observation jsonb) RETURNS answer_graded, IMMUTABLE and PARALLEL SAFE, that is called with the caller''s rights, for as long as the role that owns it now does, and says None to Strong (a class that it leaves NULL is the tool''s); family, shared by tools that share a signal and must not corroborate each other (NULL: its own); description. Result: none. Errors: 22023 for a bad argument or a tool that comes with the extension, 22021 for a text that is not valid UTF-8, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality_intent_register_put(intent text, requirements jsonb, description text)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	problem text;
BEGIN
	IF intent IS NULL OR intent = '' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'intent must have a non-empty name';
	END IF;
	IF jsonb_typeof(requirements) IS DISTINCT FROM 'object' THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'requirements must be an object of class and quality';
	END IF;
	SELECT format('requirement "%s" of intent "%s": %s', r.key, intent, r.value) INTO problem
	FROM jsonb_each(requirements) AS r
	WHERE NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = r.key)
	OR r.value NOT IN ('"Weak"', '"Moderate"', '"Strong"', '"Verified"');
	IF FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = problem,
			detail = 'The key must be a registered class, the value Weak, Moderate, Strong or Verified.';
	END IF;
	-- bytes that no assessment could read would keep everybody from reading any
	PERFORM @extschema@.answer_canonical(to_jsonb(intent));
	INSERT INTO answer.quality_intent AS q (intent, description) VALUES (intent, description)
	ON CONFLICT ON CONSTRAINT quality_intent_pkey DO UPDATE SET description = excluded.description
	WHERE NOT q.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('intent "%s" comes with answer_eval and cannot be changed', intent);
	END IF;
	DELETE FROM answer.quality_requirement AS q WHERE q.intent = answer_quality_intent_register_put.intent;
	INSERT INTO answer.quality_requirement (intent, class, quality)
	SELECT intent, r.key, r.value::@extschema@.answer_quality_level FROM jsonb_each_text(requirements) AS r;
	PERFORM @extschema@.answer_change_record_put('', 'quality_intent', intent);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_intent_register_put(text, jsonb, text) IS
'Writes for answer_quality_intent_register(), as the owner of the tables; not for direct use. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_quality_intent_register(intent text, requirements jsonb, description text DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_intent_register(text, jsonb, text) IS
'Registers an intent, or changes what it requires, which open investigations follow at once. Arguments: its name; requirements, {class: "Weak", "Moderate", "Strong" or "Verified"}; description. Result: none. Errors: 22023 for a bad argument or an intent that comes with the extension, 22021 for a name that is not valid UTF-8, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality_compatibility_register_put(class text, with_class text,
	with_quality @extschema@.answer_quality_level, same_target boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
	IF NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = answer_quality_compatibility_register_put.class)
		OR NOT EXISTS (SELECT FROM answer.quality_class c WHERE c.class = with_class) THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown class "%s" or "%s"', class, with_class),
			hint = 'Classes are registered with answer_quality_class_register().';
	END IF;
	IF with_quality IS NULL OR with_quality NOT IN ('Moderate', 'Strong') OR same_target IS NULL THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'with_quality must be Moderate or Strong, and same_target true or false';
	END IF;
	INSERT INTO answer.quality_compatibility AS k (class, with_class, with_quality, same_target)
	VALUES (class, with_class, with_quality, same_target)
	ON CONFLICT ON CONSTRAINT quality_compatibility_pkey DO UPDATE
	SET with_quality = excluded.with_quality, same_target = excluded.same_target
	WHERE NOT k.seed;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023',
			message = format('what "%s" and "%s" are to each other comes with answer_eval and cannot be changed', class, with_class);
	END IF;
	PERFORM @extschema@.answer_change_record_put('', 'quality_class', class);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_compatibility_register_put(text, text, @extschema@.answer_quality_level, boolean) IS
'Writes for answer_quality_compatibility_register(), as the owner of the tables; not for direct use. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_quality_compatibility_register(class text, with_class text,
	with_quality @extschema@.answer_quality_level DEFAULT 'Strong', same_target boolean DEFAULT true)
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_compatibility_register(text, text, @extschema@.answer_quality_level, boolean) IS
'Registers that Strong evidence of a class is Verified where a tool of another family holds evidence of another class. Arguments: class; with_class, the other one; with_quality, Moderate or Strong, that the other one must have; same_target, whether both must be about the same target. Result: none. Errors: 22023 for a bad argument or a pair that comes with the extension, 42501 without the privilege.';

CREATE FUNCTION @extschema@.answer_quality_authority_register_put(tool text, observation jsonb, quality @extschema@.answer_quality_level)
RETURNS void
LANGUAGE plpgsql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
	registered answer.quality_tool;
BEGIN
	SELECT t.* INTO registered FROM answer.quality_tool t WHERE t.tenant = '' AND t.tool = answer_quality_authority_register_put.tool;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING errcode = '22023', message = format('unknown tool "%s"', tool),
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
	IF quality IS NULL OR quality NOT IN ('Weak', 'Moderate', 'Strong') THEN
		RAISE EXCEPTION USING errcode = '22023', message = 'quality must be Weak, Moderate or Strong';
	END IF;
	INSERT INTO answer.quality_authority AS a (tool, class, observation, quality)
	VALUES (tool, registered.class, @extschema@.answer_portable(observation), quality)
	ON CONFLICT ON CONSTRAINT quality_authority_pkey DO UPDATE SET class = excluded.class, quality = excluded.quality
	WHERE NOT a.seed;
	PERFORM @extschema@.answer_change_record_put('', 'quality_tool', tool);
END
$$;
COMMENT ON FUNCTION @extschema@.answer_quality_authority_register_put(text, jsonb, @extschema@.answer_quality_level) IS
'Writes for answer_quality_authority_register(), as the owner of the tables; not for direct use. Arguments and errors: as there.';

CREATE FUNCTION @extschema@.answer_quality_authority_register(tool text, observation jsonb, quality @extschema@.answer_quality_level DEFAULT 'Moderate')
RETURNS void
AS 'MODULE_PATHNAME', 'answer_eval_for_operator'
LANGUAGE C VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE COST 100;
COMMENT ON FUNCTION @extschema@.answer_quality_authority_register(text, jsonb, @extschema@.answer_quality_level) IS
'Registers that a user''s tool settles a question by itself: its class is Verified where an entry''s observation has all these members. Arguments: tool, a registered one; observation, an object of scalars; quality, Weak, Moderate or Strong, that the entry must have. Result: none. Errors: 22023 for a bad argument or a tool that comes with the extension, 42501 without the privilege.';

/* recorded observations and assessments as evidence: built-in tools */

INSERT INTO answer.source (source, description, seed)
VALUES ('answer.investigation', 'What investigations in this database have recorded, and what that comes to.', true);

CREATE FUNCTION @extschema@.answer_tool_observation_of(tenants text[], args jsonb) RETURNS jsonb
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
COMMENT ON FUNCTION @extschema@.answer_tool_observation_of(text[], jsonb) IS
'Reads for answer_tool_observation(), with the rights that it has found; not for direct use. Arguments: whose observations may be read; then as there.';

CREATE FUNCTION @extschema@.answer_tool_observation(args jsonb) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_of_tenants'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500;
COMMENT ON FUNCTION @extschema@.answer_tool_observation(jsonb) IS
'Handler of the built-in tool answer_observation. Argument: {"investigation", "digest", "tool"?, "target"?}. Result: the recorded entry with its observation and its quality, or NULL; where several tools observed the same, the one that is worth least.';

CREATE FUNCTION @extschema@.answer_tool_assessment(args jsonb) RETURNS jsonb
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 500
SET search_path = pg_catalog, pg_temp
AS $$
	SELECT jsonb_build_object('class', c.class, 'quality', c.quality, 'strength', c.strength, 'need', c.need,
		'entries', c.entries, 'code', c.code, 'reason', c.reason)
	FROM unnest((@extschema@.answer_assessment_of((args ->> 'investigation')::bigint)).classes) AS c
	WHERE c.class = args ->> 'class'
$$;
COMMENT ON FUNCTION @extschema@.answer_tool_assessment(jsonb) IS
'Handler of the built-in tool answer_assessment. Argument: {"investigation", "class"}. Result: what the investigation holds of the class, with its derived quality, or NULL if the class is neither held nor required.';

INSERT INTO answer.tool (tool, handler, required_args, optional_args, freshness, value_path, entity_path,
	timestamp_path, source, category, description, seed)
VALUES ('answer_observation', '@extschema@.answer_tool_observation', '{investigation,digest}', '{tool,target}', '1 day', 'quality', 'target',
		'recorded_at', 'answer.investigation', 'quality', 'A recorded observation by its digest: its quality (the value), and what was observed.', true),
	('answer_assessment', '@extschema@.answer_tool_assessment', '{investigation,class}', '{}', '1 minute', 'quality', 'class',
		NULL, 'answer.investigation', 'quality', 'What an investigation holds of a class of evidence: the derived quality (the value), and why.', true);

REVOKE ALL ON FUNCTION
	@extschema@.answer_assessment_of(bigint),
	@extschema@.answer_assessment_of(bigint, text, text),
	@extschema@.answer_quality(bigint),
	@extschema@.answer_quality_reasons(bigint),
	@extschema@.answer_gap(bigint),
	@extschema@.answer_next_tool(bigint),
	@extschema@.answer_complete(bigint),
	@extschema@.answer_confidence_level(bigint),
	@extschema@.answer_investigation_open(text, text),
	@extschema@.answer_investigation_record(bigint, text, text, text, jsonb, text[], text),
	@extschema@.answer_investigation_record_output(bigint, text, text, text, text, text[], text),
	@extschema@.answer_investigation_close(bigint),
	@extschema@.answer_quality_receipt(bigint),
	@extschema@.answer_quality_class_register_put(text, text, text, text, text),
	@extschema@.answer_quality_class_register(text, text, text, text, text),
	@extschema@.answer_quality_grader_put(text, text, text, text, regprocedure, text, text),
	@extschema@.answer_tool_observation_of(text[], jsonb),
	@extschema@.answer_quality_grader_register(text, text, regprocedure, text, text),
	@extschema@.answer_quality_intent_register_put(text, jsonb, text),
	@extschema@.answer_quality_intent_register(text, jsonb, text),
	@extschema@.answer_quality_compatibility_register_put(text, text, @extschema@.answer_quality_level, boolean),
	@extschema@.answer_quality_compatibility_register(text, text, @extschema@.answer_quality_level, boolean),
	@extschema@.answer_quality_authority_register_put(text, jsonb, @extschema@.answer_quality_level),
	@extschema@.answer_quality_authority_register(text, jsonb, @extschema@.answer_quality_level),
	@extschema@.answer_tool_observation(jsonb),
	@extschema@.answer_tool_assessment(jsonb)
FROM PUBLIC;
