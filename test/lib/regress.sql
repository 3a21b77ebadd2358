\set ECHO none
-- What a file of test/sql begins with, so that it runs alone and after any other: the extension and a key, unless they
-- are there, and functions that say how a statement ends. `make installcheck` runs all files in one database,
-- `make one T=sql/NAME` one file in a new one.
SET client_min_messages = error;
CREATE EXTENSION IF NOT EXISTS answer_eval;
DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM answer.signing_key WHERE status = 'active') THEN
		PERFORM answer_key_generate();
	END IF;
END $$;

CREATE OR REPLACE FUNCTION attempt(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ': ' || sqlerrm;
END
$$;
COMMENT ON FUNCTION attempt(text) IS 'What a query gives, or its SQLSTATE and message.';

CREATE OR REPLACE FUNCTION state_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN '00000';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate;
END
$$;
COMMENT ON FUNCTION state_of(text)
	IS 'The SQLSTATE of a query: for errors of the server, whose messages differ between versions.';

CREATE OR REPLACE FUNCTION survives(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN 'fine, or too deep';
EXCEPTION WHEN OTHERS THEN
	RETURN CASE WHEN sqlstate LIKE '54%' THEN 'fine, or too deep' ELSE sqlstate || ': ' || left(sqlerrm, 60) END;
END
$$;
COMMENT ON FUNCTION survives(text) IS 'Whether a query, if it fails at all, fails for its depth.';
RESET client_min_messages;
\set ECHO all
