-- Queries that run as the owner of the tables call no operator of the caller's, whatever search_path he has.
BEGIN;
SET LOCAL search_path TO tap, public, pg_catalog;
SET LOCAL client_min_messages TO warning;
SELECT plan(6);

CREATE ROLE regress_operators;
CREATE SCHEMA shadow AUTHORIZATION regress_operators;
GRANT USAGE ON SCHEMA tap, answer TO regress_operators;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tap TO regress_operators;
GRANT EXECUTE ON FUNCTION answer_forget, answer_plan_execute, answer_trace_verify TO regress_operators;
SELECT answer_document_load('[{"doc_id": "house-operators", "title": "Cup", "timestamp": "2024-01-01",
	"text": "The cup holds 998 ml."}]') \g /dev/null
SELECT answer_grounded('What does the cup hold?', '{"config": {"min_chunks": 1}}') \g /dev/null
SELECT answer_tool_register('operators.ask', NULL, spec => '{"external": true, "io": {"input": {"q": "string"},
	"output": {"text": "string"}}, "constraints": {"latency_p50_ms": 10, "cost_per_call_usd": 0}}') \g /dev/null
GRANT SELECT ON answer.receipt TO regress_operators;

SET LOCAL ROLE regress_operators;
SELECT answer_plan_execute('{"plan": {"plan_id": "waits", "nodes": [{"id": "a", "op": "call", "tool": "operators.ask",
	"args": {"q": "who?"}, "out": "x"}]}}') ->> 'trace_id' AS trace \gset
-- Each of these operators says who called it, unless that is the role itself.
CREATE FUNCTION shadow.note(what text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	IF current_user <> 'regress_operators' THEN
		RAISE EXCEPTION '% was called as another role', what;
	END IF;
END $$;
SELECT format('CREATE FUNCTION shadow.op_%1$s(a %2$s, b %3$s) RETURNS %4$s LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN '
	'PERFORM shadow.note(%5$L); RETURN a OPERATOR(pg_catalog.%6$s) b; END $f$; '
	'CREATE OPERATOR shadow.%6$s (LEFTARG = %2$s, RIGHTARG = %3$s, FUNCTION = shadow.op_%1$s)', o.oid,
	o.oprleft::regtype, o.oprright::regtype, o.oprresult::regtype, o.oid::regoperator, o.oprname)
FROM pg_operator AS o, (VALUES ('{text,text[],jsonb,integer,bigint,boolean,numeric,bytea,timestamp with time zone}'
	::text[])) AS types (names)
WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprcode::oid <> 0
	AND (o.oprleft::regtype::text = ANY (types.names)) AND (o.oprright::regtype::text = ANY (types.names))
	\gexec
SELECT cmp_ok((SELECT count(*)::int FROM pg_operator WHERE oprnamespace = 'shadow'::regnamespace), '>', 60,
	'operators are shadowed');
CREATE FUNCTION shadow.came(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	SET LOCAL search_path = shadow, pg_catalog, public, tap;
	EXECUTE statement INTO result;
	SET LOCAL search_path = tap, public, pg_catalog;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT is(shadow.came('SELECT ''a''::text = ''a'' '), 'true', 'the role itself may call them');
SET LOCAL ROLE NONE;
SELECT is(shadow.came('SELECT ''a''::text = ''a'' '), '=(text,text) was called as another role', 'nobody else');
SET LOCAL ROLE regress_operators;
SELECT is(shadow.came(format('SELECT answer_trace_verify(%L) -> ''ok'' ', :'trace')), 'true', 'answer_trace_verify()');
SELECT is(shadow.came('SELECT pg_catalog.jsonb_array_length(answer_forget(''house-operators'', ''asked to'')'
	' -> ''receipts'')'), '1', 'answer_forget()');
SET LOCAL ROLE NONE;
SELECT is((SELECT count(*)::int FROM answer.document WHERE doc_id = 'house-operators'), 0, 'which has erased it');

SELECT * FROM finish();
ROLLBACK;
