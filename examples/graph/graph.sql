-- The graph of this extension's own source, and questions about it: what is answered, with files and lines, and what is not.
-- tools/answer-graph-load has loaded the checkout into the project "answer_eval" before; doc/graph.md says how.

SELECT project, nodes, edges, documents, sources FROM answer.graph_project;

CREATE TEMP TABLE asked AS
SELECT n, q AS question, answer_packet_receipt('answer_eval', q, o) AS r FROM (VALUES
	(1, 'Which function verifies a Merkle inclusion proof?', '{"limit": 4, "labels": ["Function"]}'::jsonb),
	(2, 'How are keys rotated?', '{"limit": 3, "labels": ["Document"], "paths": ["doc"]}'),
	(3, 'zymurgy quixotic', '{}')) AS v (n, q, o);

SELECT a.question, a.r #>> '{packet,status}' AS status, a.r #> '{packet,context_veracity,confidence_score}' AS veracity,
	answer_verify(a.r, answer_keys()) ->> 'ok' AS verifies
FROM asked a ORDER BY a.n;
\echo 'What the packets cite; each name, path and line is a property of a node:'
SELECT a.n AS question, e.entry ->> 'score' AS score, e.entry ->> 'name' AS name,
	concat_ws(':', e.entry ->> 'path', e.entry ->> 'start_line') AS place, e.entry -> 'neighbor_count' AS neighbours
FROM asked a, jsonb_array_elements((a.r #> '{packet,code_truth}') || (a.r #> '{packet,doc_claims}')) WITH ORDINALITY AS e (entry, place)
ORDER BY a.n, e.place;
\echo 'The lines themselves, as they stand in the checkout:'
\copy (SELECT DISTINCT e.entry ->> 'path', (e.entry ->> 'start_line')::integer, e.entry ->> 'name' FROM asked a, jsonb_array_elements(a.r #> '{packet,code_truth}') AS e (entry) ORDER BY 1, 2) TO PROGRAM 'cd "$DEMO_CHECKOUT" && while IFS="	" read -r path line name; do text=$(sed -n "${line}p" "$path") && case $text in *"$name"*) echo "  $path:$line: $text" ;; *) echo "$path:$line does not say $name" >&2; exit 1 ;; esac; done'
