#!/usr/bin/env bash
# The regression suite and the oracle on a build with AddressSanitizer and UndefinedBehaviorSanitizer: `make
# check-asan`. Fails when a test fails or a report names our code; see lib/asan.sh for what is checked.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/asan.sh
. "$(dirname "$0")/lib/asan.sh"

ensure_server_packages python3
make_work_dir
asan_stage_and_start

failed=0
run_regress with_llvm=no
say "regression tests: $REGRESS_PASSED passed, $REGRESS_FAILED failed"
[ "$REGRESS_FAILED" -eq 0 ] && [ "$REGRESS_PASSED" -gt 0 ] || failed=1

# ORACLE_CASES: how many cases an area gets; the code is several times slower here.
if [ -f "$WORK/tree/test/oracle/compare.py" ]; then
	if fresh_database oracle && run_job env -C "$WORK/tree" ORACLE_CASES="${ORACLE_CASES:-200}" \
		python3 test/oracle/compare.py >"$WORK/log/oracle.log" 2>&1
	then
		say "oracle: $(tail -n 1 "$WORK/log/oracle.log")"
	else
		[ ! -f "$WORK/log/oracle.log" ] || show "$WORK/log/oracle.log"
		failed=1
	fi
fi
server_stop
asan_reports || failed=1
exit "$failed"
