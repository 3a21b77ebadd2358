/* graph: pure functions: veracity, packets alone; doc/spec/packet.md section 1 and section 2 */

CREATE FUNCTION answer.veracity(records jsonb, now timestamptz, config jsonb DEFAULT '{}') RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_veracity'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION answer.veracity(jsonb, timestamptz, jsonb) IS
'Returns how far nodes of a graph can be trusted, by their age and connections. See doc/reference.md#answerveracity.';

CREATE FUNCTION answer.packet_validate(packet jsonb) RETURNS SETOF text
AS 'MODULE_PATHNAME', 'answer_eval_packet_validate'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100 ROWS 1;
COMMENT ON FUNCTION answer.packet_validate(jsonb) IS
'Returns what is wrong with an evidence packet. See doc/reference.md#answerpacket_validate.';

CREATE FUNCTION answer.packet_synthesis(packet jsonb, brief text, citations text[]) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_packet_synthesis'
LANGUAGE C STABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION answer.packet_synthesis(jsonb, text, text[]) IS
'Returns an evidence packet with prose that somebody wrote; it stores nothing and writes no prose itself. See doc/reference.md#answerpacket_synthesis.';

CREATE FUNCTION @extschema@.answer_packet_html(packet jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_packet_html'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION @extschema@.answer_packet_html(jsonb) IS
'Returns an evidence packet as one HTML page, for people. See doc/reference.md#answer_packet_html.';
