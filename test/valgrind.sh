#!/usr/bin/env bash
# Runs the regression suite with the server and all its children under valgrind: `make check-valgrind`, and a part of `make
# test-long`. Slow. VALGRIND_REGRESS="NAME..." runs only some tests. Ends with `N passed, N failed`. A release build of
# PostgreSQL does not tell valgrind about palloc, so this only finds invalid accesses outside of malloc's blocks and decisions
# on undefined values. Fails if a test fails or the stack of an error goes through our code.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

ensure_server_packages valgrind
make_work_dir
stage_build "$WORK" with_llvm=no PG_CFLAGS='-std=gnu17 -O1 -g -fno-omit-frame-pointer'

reports=$WORK/reports
server_dirs "$reports"
# No --error-exitcode: the postmaster takes an unusual exit status of a backend for a crash and restarts everything; the
# errors are in the logs. Leak checks are off, because a backend frees its memory by exiting. valgrind's own files go where
# the server's user may write.
# shellcheck disable=SC2034,SC2054
SERVER_PREFIX=(env TMPDIR="$reports" valgrind --quiet --trace-children=yes --leak-check=no --track-origins=yes --num-callers=40
	--error-markers=ERROR-BEGIN,ERROR-END --fullpath-after= --gen-suppressions=all
	--suppressions="$WORK/tree/test/valgrind.supp" --log-file="$reports/%p.log")
# shellcheck disable=SC2034
SERVER_START_SECONDS=300
server_start "$WORK" 'jit = off' 'autovacuum = off' 'authentication_timeout = 10min'

failed=0
run_regress with_llvm=no ${VALGRIND_REGRESS:+REGRESS="$VALGRIND_REGRESS"}
say "regression tests: $REGRESS_PASSED passed, $REGRESS_FAILED failed"
server_stop

# Prints the errors whose stack goes through our code; the last line has their number and that of all errors.
find "$reports" -name '*.log' -exec cat {} + | awk -v tree="$WORK/tree/" '
	/ERROR-BEGIN/ { block = ""; inside = 1; ours = 0; next }
	/ERROR-END/ { inside = 0; all++; if (ours) { mine++; printf "%s\n", block } next }
	inside { block = block "    | " $0 "\n" }
	inside && (index($0, tree) || /answer_eval\.so/) { ours = 1 }
	END { printf "%d %d\n", mine, all }' >"$WORK/log/valgrind.log"
read -r ours all < <(tail -n 1 "$WORK/log/valgrind.log")
sed '$d' "$WORK/log/valgrind.log" | head -n 200
say "valgrind: $ours errors through answer_eval, $((all - ours)) elsewhere"
[ "$ours" -eq 0 ] || failed=1
say "$((REGRESS_PASSED + 1 - failed)) passed, $((REGRESS_FAILED + failed)) failed"
[ "$failed" -eq 0 ] && [ "$REGRESS_FAILED" -eq 0 ] && [ "$REGRESS_PASSED" -gt 0 ]
