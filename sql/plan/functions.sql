/* plan: what is pure: conditions, binding, verdicts of evidence, markers, references, times to live, tokens */

CREATE FUNCTION answer.condition(condition text, bindings jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_condition'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.condition(text, jsonb) IS
'Evaluates a condition of a plan. Arguments: condition, made of numbers, texts in '' or ", true, false, null, references such as $name.path[0], parentheses, ! and - before a value, one of >= <= > < == != between two, && and ||, and mean, min, max, count of an array; bindings, {name: value} (NULL: none). Numbers are exact; == and != compare JSON values, the others two numbers or two texts by code point. Result: {outcome: holds, fails or error; reason: null where it holds}. A condition that does not parse, refers to what is not there, mixes types or is not boolean is an error; && and || look at both sides. Errors: 22004 for a NULL condition, 22023 for bindings that are no object, 54000 for a condition of more than 16777216 bytes or bindings of more than 134217728.';

CREATE FUNCTION answer.bind(args jsonb, bindings jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_bind'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.bind(jsonb, jsonb) IS
'The arguments of a step with their references resolved. Arguments: args, of which each string that is as a whole $name, $name.path or $name[0].path, at any depth, is replaced by what it refers to, and of each other one that begins with $$ the first $ is dropped; bindings, {name: value} (NULL: none). Keys and other dollar signs stay, and what was put in is not looked at again. Result: the bound arguments. Errors: 22004 for NULL args, 22023 for a reference that is malformed or does not resolve (the message names it) or bindings that are no object, 54000 for arguments or a result of more than 134217728 bytes.';

CREATE FUNCTION answer.evidence_verdict(evidence jsonb, min_confidence numeric DEFAULT NULL, regulated boolean DEFAULT false) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_evidence_verdict'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.evidence_verdict(jsonb, numeric, boolean) IS
'What evidence amounts to, by ground-conf/1. Arguments: evidence, {claims[], supports[{claim, source, confidence}], contradicts[{claim, source, weight}], related[], policy {cite_if_confidence_below (0.95), block_if_conflict_over (0.30)}}, all numbers from 0 to 1; min_confidence (NULL: 0.90; below 0.80 it counts as 0.80); regulated, whether citations are mandatory in any case (NULL: false). Result: {confidence: the least over the claims of 1 - (1 - best support) / (1 - worst contradiction), rounded to 2 decimals as answer-conf/1 does, 0 without a claim; contradictions: the greatest weight; needs_citation; blocked; reasons: conflict, confidence}. A verdict that the evidence states is not read. Errors: 22004 for NULL evidence, 22023 for malformed evidence, a claim that is not listed, a number outside 0 to 1, 54000 for more than 134217728 bytes.';

CREATE FUNCTION answer.markers_check(text text, citations jsonb, needs_citation boolean) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_markers_check'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.markers_check(text, jsonb, boolean) IS
'Whether the markers [1], [2], ... of a text and its citations belong together. Arguments: text; citations, an array of {uri, title, stamp} (NULL: none); needs_citation, whether there must be any. Result: {ok, problems: sentences}. Markers count from 1 in the order of their first use, each refers to a citation, and each citation has one. Errors: 22004 for a NULL text or needs_citation, 22023 for malformed citations, 54000 for a text of more than 16777216 bytes or citations of more than 134217728.';

CREATE FUNCTION answer.reference_list(citations jsonb) RETURNS text
AS 'MODULE_PATHNAME', 'answer_eval_references'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION answer.reference_list(jsonb) IS
'The list of references below an answer. Argument: citations, an array of {uri, title, stamp} in the order of their markers (NULL: none). Result: one line each, joined by line feeds: [1] *Title*, uri (updated YYYY-MM-DD). The day is that of the stamp in UTC; the parenthesis is left out where there is no timestamp, the title where there is none. White space in a title is one blank, and * [ ] have a backslash. Errors: 22023 for malformed citations, 54000 for more than 134217728 bytes.';

CREATE FUNCTION answer.memory_expires(ttl text, written_at timestamptz) RETURNS timestamptz
AS 'MODULE_PATHNAME', 'answer_eval_memory_expires'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.memory_expires(text, timestamptz) IS
'When what was remembered is gone: from that instant on. Arguments: ttl, an ISO 8601 duration P[nD][T[nH][nM][nS]] in whole numbers and upper case, more than 0 and at most 3650000 days of 86400 seconds (NULL: P90D); written_at. Result: a timestamptz. Errors: 22004 for a NULL written_at, 22008 for a result beyond what timestamps hold, 22023 for a ttl of another form or length, 54000 for one of more than 16777216 bytes.';

CREATE FUNCTION answer.tokens(value jsonb) RETURNS bigint
AS 'MODULE_PATHNAME', 'answer_eval_tokens'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION answer.tokens(jsonb) IS
'How many tokens a value is taken for: a fourth of the characters of its canonical form, rounded down. Argument: value. Result: a bigint. Errors: 54000 for a value of more than 16777216 bytes or a canonical form of more than 134217728, 54001 when nested too deeply.';

CREATE FUNCTION answer.plan_problems(plan jsonb, tools jsonb, OUT node text, OUT problem text) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'answer_eval_plan_problems'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100 ROWS 5;
COMMENT ON FUNCTION answer.plan_problems(jsonb, jsonb) IS
'What is wrong with a plan, given the tools; for answer_plan_validate; not for direct use. Arguments: plan; tools, {name: ToolSpec}. Result: rows of node (its id; NULL where it is about the plan) and problem, in the order of the plan, at most 1000; none if it is valid. Errors: 22004 for NULL, 54000 for a plan of more than 16777216 bytes or tools of more than 134217728, 54001 for arguments nested too deeply.';
REVOKE EXECUTE ON FUNCTION answer.plan_problems(jsonb, jsonb) FROM PUBLIC;

CREATE FUNCTION answer.plan_outline(plan jsonb, tools jsonb, vars jsonb DEFAULT NULL, limits jsonb DEFAULT NULL, sides jsonb DEFAULT NULL) RETURNS jsonb
AS 'MODULE_PATHNAME', 'answer_eval_plan_outline'
LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION answer.plan_outline(jsonb, jsonb, jsonb, jsonb, jsonb) IS
'How a plan would be executed, given the tools; nothing is called; for answer_plan_explain; not for direct use. Arguments: plan; tools, {name: ToolSpec}; vars, the variables of a request (NULL: none are known); limits, {latency_budget_ms, cost_cap_usd, summary {latency_ms, cost_usd}, measured {tool: {p50_ms, calls}}} (NULL: none), where summary is there if a cited summary of what is at hand can be made, and measured takes the place of what tools declare; sides, {branch: true or false}, the outcome of branches (both sides where it says nothing). Result: {order: ids of the nodes in the order of execution; predicted {latency_ms, cost_usd}, after degradation; degradation [{step, k}], where step is k, depth, summary or refused, the last one if the plan does not fit; bindings {name: ids of the nodes that bind it}}. Errors: 22004 for a NULL plan or NULL tools, 22023 for a plan that is not valid, and for limits that are no numbers, 54000 for a plan of more than 16777216 bytes or another argument of more than 134217728, 54001 for arguments nested too deeply.';
REVOKE EXECUTE ON FUNCTION answer.plan_outline(jsonb, jsonb, jsonb, jsonb, jsonb) FROM PUBLIC;
