#!/usr/bin/env bash
# Fuzzes everything that reads untrusted bytes, on a private server, for FUZZ_SECONDS (default 60). Takes the arguments of
# fuzz.py, see there. With --asan first, it uses a build with sanitizers. Findings are kept in $TMPDIR (/tmp).
set -eu
# shellcheck source=../lib/common.sh
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=../lib/asan.sh
. "$(dirname "$0")/../lib/asan.sh"

ensure_server_packages python3 openssl
asan=
if [ "${1:-}" = --asan ]; then
	asan=1
	shift
fi
make_work_dir
if [ -n "$asan" ]; then
	asan_stage_and_start
	# A sanitizer keeps what was freed for a while, so that the backend's size tells nothing.
	export FUZZ_ANY_MEMORY=1
else
	stage_build "$WORK"
	server_start "$WORK"
fi
fresh_database fuzz
failed=0
run_job python3 -u "$ROOT/test/fuzz/fuzz.py" --keep "${TMPDIR:-/tmp}" "$@" || failed=1
if grep -Eq 'was terminated by signal|TRAP: ' "$WORK/server.log"; then
	grep -E -B 2 -A 3 'was terminated by signal|TRAP: ' "$WORK/server.log" | tail -n 40
	failed=1
fi
server_stop
[ -z "$asan" ] || asan_reports || failed=1
exit "$failed"
