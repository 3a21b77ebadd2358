#!/usr/bin/env bash
# How routing scales: questions of 1 KB to 1 MB, tables of 10 to 10,000 routes. Prints times and ratios, asserts nothing.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

ensure_server_packages
make_work_dir
stage_build "$WORK"
server_start "$WORK" 'jit = off' 'autovacuum = off' 'shared_buffers = 256MB'
fresh_database bench
run_job psql -X -f "$ROOT/test/bench/route.sql"
