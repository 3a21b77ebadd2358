/* answer_eval: the install script, concatenated from sql/ in the Makefile's order */

-- complain if the script is sourced in psql rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION answer_eval" to load this file. \quit

-- Nothing below is found by search path but the server's own objects; ours are
-- named with their schema.
SET LOCAL search_path TO pg_catalog, pg_temp;

-- Tables and views live here, functions and types where the extension is created.
CREATE SCHEMA answer;
COMMENT ON SCHEMA answer IS 'Tables and views of the extension answer_eval, and functions that few users call; one whose comment says "not for direct use" is called by the extension alone.';
