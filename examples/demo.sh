#!/usr/bin/env bash
# Shows the main job on real input: builds the extension, starts a private throw-away server, adjudicates claims about
# this machine's own packages, verifies the receipt, and has a tampered copy refused.  Leaves nothing behind.
set -eu
# shellcheck source=../test/lib/common.sh
. "$(dirname "$0")/../test/lib/common.sh"

say "Preparing packages, build and a private server ..."
ensure_server_packages
make_work_dir
stage_build "$WORK"
server_start "$WORK"
psql -X -q -c 'CREATE EXTENSION answer_eval'
DEMO_CLAIMS="$ROOT/examples/claims.json" DEMO_DOCUMENTS="$ROOT/examples/ground/documents.json" run_job psql -X -f "$ROOT/examples/demo.sql"
