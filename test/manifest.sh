#!/usr/bin/env bash
# Writes what the audit holds the catalog against: the extension's objects as the script makes them, a line each.
#
#     test/manifest.sh src/log/manifest.h
#
# To be run whenever something in sql/ changes; test/tap/log_tampering.pl fails until it was. The library that
# describes the objects may have the old manifest in it.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

[ "$#" -eq 1 ] || die 'usage: test/manifest.sh FILE'
FILE=$(realpath "$1")
# A name that stands nowhere else, so that it can be told apart from everything.
SCHEMA=the_schema_of_the_extension

if [ -z "${ANSWER_EVAL_RUNNING:-}" ]; then
	ensure_server_packages
	make_work_dir
	KEEP_BUILD=1 stage_build "$WORK"
	server_start "$WORK"
fi
psql -X -q -v ON_ERROR_STOP=1 -d postgres -c 'DROP DATABASE IF EXISTS answer_eval_manifest' -c 'CREATE DATABASE answer_eval_manifest'
export PGDATABASE=answer_eval_manifest
psql -X -q -v ON_ERROR_STOP=1 -c "CREATE SCHEMA $SCHEMA" -c "CREATE EXTENSION answer_eval SCHEMA $SCHEMA"
psql -X -q -A -t -v ON_ERROR_STOP=1 >"$FILE.part" <<SQL
SELECT \$\$/*-------------------------------------------------------------------------
 *
 * manifest.h
 *		The extension's objects as sql/ makes them: written by test/manifest.sh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ANSWER_EVAL_MANIFEST_H
#define ANSWER_EVAL_MANIFEST_H

static const struct
{
	const char *object;
	const char *state;
}			manifest[] =
{\$\$;
CREATE FUNCTION pg_temp.literal(line text) RETURNS text LANGUAGE sql AS \$\$
	SELECT '"' || replace(replace(replace(replace(replace(replace(line, '\\', '\\\\'), '"', '\\"'), E'\\t', '\\t'), '??', '?\\?'),
		E'\\n', '\\n"' || E'\\n\\t"'), '$SCHEMA', '@extschema@') || '"' \$\$;
SELECT E'\\t{' || pg_temp.literal(object) || ',' || E'\\n\\t' || pg_temp.literal(state) || '},'
FROM answer.catalog() ORDER BY object COLLATE "C";
SELECT \$\$};

#endif							/* ANSWER_EVAL_MANIFEST_H */\$\$;
SQL
psql -X -q -d postgres -c 'DROP DATABASE answer_eval_manifest'
mv "$FILE.part" "$FILE"
