#!/usr/bin/env bash
# Shows the main job on real input: builds the extension, starts a private temporary server, adjudicates claims about
# the packages of this machine, verifies the receipt, shows that a tampered copy is refused, answers from documents,
# asks the graph of this source tree, and executes a plan.  Leaves nothing behind.
set -eu
# shellcheck source=../test/lib/common.sh
. "$(dirname "$0")/../test/lib/common.sh"

say "Preparing packages, build and a private server ..."
ensure_server_packages git python3 universal-ctags
make_work_dir
stage_build "$WORK"
server_start "$WORK"
psql -X -q -c 'CREATE EXTENSION answer_eval'
# The graph is read from git. If this is not a checkout, a temporary one is made from a copy.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="$ROOT"
DEMO_CHECKOUT=$ROOT
if [ "$(git -C "$ROOT" rev-parse --show-toplevel 2>/dev/null)" != "$ROOT" ]; then
	DEMO_CHECKOUT=$WORK/checkout
	copy_tree "$DEMO_CHECKOUT"
	git -C "$DEMO_CHECKOUT" init -q
	git -C "$DEMO_CHECKOUT" add -A
fi
export DEMO_CHECKOUT
DEMO_LOAD="$ROOT/tools/answer-graph-load" DEMO_CLAIMS="$ROOT/examples/claims.json" DEMO_DOCUMENTS="$ROOT/examples/ground/documents.json" \
	DEMO_PLAN="$ROOT/examples/plan" run_job psql -X -f "$ROOT/examples/demo.sql"
