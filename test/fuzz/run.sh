#!/usr/bin/env bash
# Fuzzes what reads strangers' bytes on a private server, for FUZZ_SECONDS (default 60): see fuzz.py.
set -eu
# shellcheck source=../lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

ensure_server_packages python3
make_work_dir
stage_build "$WORK"
server_start "$WORK"
psql -X -q -c 'CREATE EXTENSION answer_eval'
run_job python3 "$ROOT/test/fuzz/fuzz.py" --keep "${TMPDIR:-/tmp}" "$@"
