/* quality: types */

CREATE TYPE @extschema@.answer_quality_level AS ENUM ('None', 'Weak', 'Moderate', 'Strong', 'Verified');
COMMENT ON TYPE @extschema@.answer_quality_level IS 'How precisely evidence answers a question, least first. Verified is derived from several entries and never stored.';

CREATE TYPE @extschema@.answer_strength_level AS ENUM ('None', 'Low', 'Medium', 'High');
COMMENT ON TYPE @extschema@.answer_strength_level IS 'How much evidence there is, least first: 0, 1 to 10, 11 to 50, or more matches. It decides nothing.';

CREATE TYPE @extschema@.answer_quality_relevance AS ENUM ('query', 'target');
COMMENT ON TYPE @extschema@.answer_quality_relevance IS 'What shows that an entry is about the subject: its query names the subject, or another tool found its target or the question names it. Without that, an entry is at most Weak.';

CREATE TYPE @extschema@.answer_gap_kind AS ENUM ('missing', 'weak', 'unverified');
COMMENT ON TYPE @extschema@.answer_gap_kind IS 'Why a class falls short of its requirement: nothing is held, too little is held, or Strong is held and Verified is needed.';

CREATE TYPE @extschema@.answer_confidence AS ENUM ('None', 'Low', 'Medium', 'High', 'Complete');
COMMENT ON TYPE @extschema@.answer_confidence IS 'Confidence in an investigation, least first; it is that of its lowest required class.';

CREATE TYPE @extschema@.answer_agreement AS ENUM ('agree', 'disagree', 'alone');
COMMENT ON TYPE @extschema@.answer_agreement IS 'Whether independent producers agree, disagree, or there is only one.';

CREATE TYPE @extschema@.answer_quality_code AS ENUM
	('nothing_collected', 'nothing_found', 'one_producer', 'corroborated', 'authoritative',
	 'no_better_entry', 'partner_weak', 'same_family', 'other_target', 'no_target', 'no_partner');
COMMENT ON TYPE @extschema@.answer_quality_code IS 'Why a class has its level (the first five codes), or does not have the next one.';

CREATE TYPE @extschema@.answer_investigation_outcome AS ENUM ('success', 'InsufficientEvidence');
COMMENT ON TYPE @extschema@.answer_investigation_outcome IS 'How an investigation ended; this depends only on completion.';

CREATE TYPE @extschema@.answer_graded AS
(
	class		text,
	quality		@extschema@.answer_quality_level,
	strength	@extschema@.answer_strength_level,
	reason		text
);
COMMENT ON TYPE @extschema@.answer_graded IS 'Result of answer.grade, and of users'' graders.';
COMMENT ON COLUMN @extschema@.answer_graded.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_graded.quality IS 'How precisely the observation answers, None to Strong.';
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
COMMENT ON TYPE @extschema@.answer_recorded IS 'Result of answer_investigation_record: the grade, the digest of the observation, and whether it was new.';
COMMENT ON COLUMN @extschema@.answer_recorded.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_recorded.quality IS 'How precisely the observation answers, None to Strong.';
COMMENT ON COLUMN @extschema@.answer_recorded.strength IS 'How much was found.';
COMMENT ON COLUMN @extschema@.answer_recorded.reason IS 'Why it has this quality, for people.';
COMMENT ON COLUMN @extschema@.answer_recorded.digest IS 'answer_digest of the observation.';
COMMENT ON COLUMN @extschema@.answer_recorded.is_new IS 'Whether the entry is new; false if the same observation was recorded before.';

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
COMMENT ON TYPE @extschema@.answer_class_quality IS 'What is held of a class of evidence: its derived quality, why it has that, and why not the next level.';
COMMENT ON COLUMN @extschema@.answer_class_quality.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_class_quality.quality IS 'Derived quality, up to Verified.';
COMMENT ON COLUMN @extschema@.answer_class_quality.strength IS 'How much the best entry found.';
COMMENT ON COLUMN @extschema@.answer_class_quality.need IS 'Required quality. NULL: none is required.';
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
COMMENT ON TYPE @extschema@.answer_quality_reason IS 'Why a class has a level of quality, or does not have it.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.class IS 'Class of evidence.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.quality IS 'The quality that the reason is about.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.holds IS 'Whether the class has this quality.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.code IS 'The reason, as a code.';
COMMENT ON COLUMN @extschema@.answer_quality_reason.reason IS 'The reason, in words.';

CREATE TYPE @extschema@.answer_confidence_result AS
(
	level		@extschema@.answer_confidence,
	quality		@extschema@.answer_quality_level,
	coverage	text,
	agreement	@extschema@.answer_agreement,
	explanation	text
);
COMMENT ON TYPE @extschema@.answer_confidence_result IS 'Result of answer.confidence_level; level and quality are NULL if the intent requires nothing.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.level IS 'Confidence in the investigation.';
COMMENT ON COLUMN @extschema@.answer_confidence_result.quality IS 'Quality of the lowest required class.';
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
COMMENT ON TYPE @extschema@.answer_assessment IS 'Assessment of the entries of an investigation.';
COMMENT ON COLUMN @extschema@.answer_assessment.complete IS 'Whether no class has a gap.';
COMMENT ON COLUMN @extschema@.answer_assessment.level IS 'Confidence in the investigation.';
COMMENT ON COLUMN @extschema@.answer_assessment.quality IS 'Quality of the lowest required class.';
COMMENT ON COLUMN @extschema@.answer_assessment.coverage IS 'How many of the required classes are met, as "met/required".';
COMMENT ON COLUMN @extschema@.answer_assessment.agreement IS 'Whether independent tools agree.';
COMMENT ON COLUMN @extschema@.answer_assessment.explanation IS 'One sentence for people.';
COMMENT ON COLUMN @extschema@.answer_assessment.gap IS 'The gaps, most urgent first.';
COMMENT ON COLUMN @extschema@.answer_assessment.classes IS 'The classes that are held or required.';
