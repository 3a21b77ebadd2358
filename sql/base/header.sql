/* answer_eval: the install script, concatenated from sql/ in the order of the Makefile */

-- complain if the script is sourced in psql rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION answer_eval" to load this file. \quit

-- Only the server's own objects are found by search path below; ours are schema-qualified.
SET LOCAL search_path TO pg_catalog, pg_temp;

-- Tables and views are created here; functions and types, where the extension is created.
CREATE SCHEMA answer;
COMMENT ON SCHEMA answer IS 'Tables and views of the extension answer_eval, and functions that few users call; one whose comment says "not for direct use" is called by the extension alone.';
