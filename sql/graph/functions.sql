/* graph: what is pure: veracity, packets alone */

CREATE FUNCTION answer.veracity(records jsonb, now timestamptz, config jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_veracity'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.veracity(jsonb, timestamptz, jsonb) IS
'How far nodes of a graph can be trusted, by their age and connections. Arguments: records, an array of {id, name, labels (NULL or missing: none), neighbors (names; NULL or missing: none), last_modified (seconds since 1970, judged to the microsecond; 0, NULL or missing: not known)}, whose other members do not count; now, the instant to judge ages at; config, an object with any of staleness_days (90), orphan_threshold (2), extended (false), contradiction_days (30), min_results (5); NULL: all defaults. Result: {confidence_score, is_stale, faults [{type, message, evidence}]}. A Document older than staleness_days is STALE_DOC and costs 15 points of 100, a node with fewer neighbors than orphan_threshold is ORPHANED_NODE and costs 5; with extended, code more than contradiction_days newer than a Document that lists it by name is CONTRADICTION and costs 20, and fewer records than min_results are LOW_COVERAGE and cost 10; the score is 0 at least. A day has 86400 seconds. Faults come by type in this order, and by record within a type. Of code records with equal names the last one counts. Errors: 22004 for NULL records or now, 22023 for malformed records, an infinite now, an unknown key of the config or a value that it cannot have, 54000 for an argument of more than 134217728 bytes.';

CREATE FUNCTION answer.packet_validate(packet jsonb) RETURNS SETOF text
AS 'MODULE_PATHNAME', 'answer_eval_packet_validate'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100 ROWS 1;
COMMENT ON FUNCTION answer.packet_validate(jsonb) IS
'What is wrong with an evidence packet. Argument: the packet, in evidence-only or synthesis mode. Result: a sentence for each violation, with its place, and no row for a sound packet: a member that is missing, empty or of the wrong form; another schema_version, mode or status; a member that schema 1.0 does not know, prose among them; more entries than the limit; of a packet whose form holds, an order, context_veracity, relationships, suggested_actions, status or content_hash that do not follow from its own entries; and a cited node that is not in the graph, where the caller may read any node of the project. Errors: 22004 for a NULL packet, 42501 for a role of no tenant where there are tenants, 54000 for a packet of more than 134217728 bytes.';

CREATE FUNCTION answer.packet_synthesis(packet jsonb, brief text, citations text[]) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_packet_synthesis'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.packet_synthesis(jsonb, text, text[]) IS
'An evidence packet with prose that somebody wrote; nothing is stored, and nothing here writes prose. Arguments: packet, a sound one in evidence-only mode; brief, the prose, each sentence of which cites an entry by its id in square brackets, as [id], within the sentence or behind it; citations, the ids that the brief cites, all of them of entries of the packet; nothing else stands in square brackets. Result: the packet with technical_brief, meta.mode "synthesis" and the content_hash that follows; query_id stays. Whether an entry says what a sentence says is not judged. Errors: 55000 while the setting answer_eval.evidence_only is on, as it is by default; 22004 for a NULL argument or citation; 22023 for a packet that is not sound or has a brief, a citation that is no entry of it, a brief without a word, with something in square brackets that is no citation, or with a sentence that cites nothing; 54000 for a packet of more than 134217728 bytes, a brief or citations of more than 16777216.';

CREATE FUNCTION @extschema@.answer_packet_html(packet jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_packet_html'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_packet_html(jsonb) IS
'An evidence packet as one HTML page, for a person. Argument: a sound packet, in evidence-only or synthesis mode. Result: the page, of ASCII characters alone; it has no script, takes nothing from anywhere and forbids both to itself; every value of the packet is escaped, and a character that does not show or that steers the text around it is written as U+XXXX. Errors: 22004 for a NULL packet, 22023 for one that is not sound, 54000 for one of more than 134217728 bytes or a page that would be too large for a text.';
