#!/usr/bin/env bash
# Writes the manifest that the audit compares with the catalog: one line for each object of the install script, with the
# SHA-256 of its description in the catalog.  make writes src/log/manifest.h from it.
#
#     test/manifest.sh sql/catalog.sha256
#
# Run this after every change in sql/; test/tap/log_catalog.pl fails until then.  A build cannot do it: the server writes
# the catalog (views, expressions, default names, the objects of DO blocks), and many builds have no server.  The library
# that describes the objects may have been built with the old lines.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

[ "$#" -eq 1 ] || die 'usage: test/manifest.sh FILE'
FILE=$(realpath "$1")
ensure_server_packages
make_work_dir
KEEP_BUILD=1 stage_build "$WORK"
server_start "$WORK"
psql -X -q -A -t -v ON_ERROR_STOP=1 -f "$ROOT/test/lib/manifest.sql" >"$FILE.part"
mv "$FILE.part" "$FILE"
