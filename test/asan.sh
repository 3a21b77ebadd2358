#!/usr/bin/env bash
# Runs the regression suite, the oracle and the fuzzers on a build with AddressSanitizer and UndefinedBehaviorSanitizer: `make
# check-asan`, and a part of `make test-long`. Fails if a test fails or a report names our code; lib/asan.sh says what is
# checked. Ends with `N passed, N failed`.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/asan.sh
. "$(dirname "$0")/lib/asan.sh"

ensure_server_packages python3 openssl
make_work_dir
asan_stage_and_start 'max_prepared_transactions = 5'
passed=0
failed=0

# step NAME COMMAND: runs in a database of its own.
step() {
	local name=$1
	shift
	if fresh_database "$name" >"$WORK/log/$name.log" 2>&1 && run_job env -C "$WORK/tree" "$@" >"$WORK/log/$name.log" 2>&1; then
		passed=$((passed + 1))
	else
		show "$WORK/log/$name.log"
		failed=$((failed + 1))
	fi
	say "$name: $(tail -n 1 "$WORK/log/$name.log")"
}

run_regress with_llvm=no
say "regression tests: $REGRESS_PASSED passed, $REGRESS_FAILED failed"
passed=$REGRESS_PASSED
failed=$REGRESS_FAILED
# A sanitizer keeps freed memory for a while, so the size of the backend means nothing; and everything is several times slower.
export FUZZ_ANY_MEMORY=1
step oracle python3 test/oracle/compare.py --cases "${ORACLE_CASES:-2000}"
step fuzz python3 test/fuzz/fuzz.py --rounds 1 --rows 40 --keep "$WORK/log"
step calls python3 test/fuzz/calls.py --calls 1500
server_stop
if asan_reports; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$REGRESS_PASSED" -gt 0 ]
