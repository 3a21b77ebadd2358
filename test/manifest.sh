#!/usr/bin/env bash
# Writes what the audit holds the catalog against: one line for each object that the script makes, with the SHA-256 of
# what the catalog says of it.  make writes src/log/manifest.h from that.
#
#     test/manifest.sh sql/catalog.sha256
#
# To be run whenever something in sql/ changes; test/tap/log_catalog.pl fails until it was.  A build cannot do it: what
# the catalog says is written by the server (views, expressions, default names, what DO blocks make), and many a build
# has no server.  The library that describes the objects may have been built with the old lines.
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
