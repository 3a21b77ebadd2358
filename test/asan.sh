#!/usr/bin/env bash
# The regression suite and the oracle on a build with AddressSanitizer and UndefinedBehaviorSanitizer: `make
# check-asan`. Only our module is instrumented; the server is the usual one with the run-time libraries preloaded, so
# what palloc hands out is known by its blocks only, while the stack, globals, OpenSSL's memory and arithmetic are
# checked in full. Fails when a test fails or a report names our code.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

ensure_server_packages python3
make_work_dir
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
# -fno-wrapv: the server's flags let signed integers wrap around; where ours do, it is a mistake.
# -U: fortified functions of libc escape the sanitizer. No bitcode: a JIT would run code that is not instrumented.
stage_build "$WORK" with_llvm=no PG_CFLAGS="-std=gnu17 $sanitize -fno-wrapv -U_FORTIFY_SOURCE -O1 -g" PG_LDFLAGS="$sanitize"

# The first word of CC is the compiler that the extension was built with.
read -r cc _ <<<"$("$PG_CONFIG" --cc)"
reports=$WORK/reports
server_dirs "$reports"
# libasan sets itself up at the first malloc. In the server that one comes from a library's constructor inside
# gettext, with gettext's lock held; the set-up calls gettext itself, and the server hangs. So malloc once before.
cat >"$WORK/early.c" <<'C'
#include <stdlib.h>

static void *volatile block;

__attribute__((constructor)) static void
early(void)
{
	block = malloc(1);
	free(block);
}
C
"$cc" -shared -fPIC -Wl,-z,initfirst -o "$WORK/early.so" "$WORK/early.c"
# Leaks are not looked for: a backend leaves its memory to its exit.
# shellcheck disable=SC2034
SERVER_PREFIX=(env
	"LD_PRELOAD=$("$cc" -print-file-name=libasan.so) $("$cc" -print-file-name=libubsan.so) $WORK/early.so"
	"ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$reports/asan"
	"UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1:log_path=$reports/ubsan")
# Instrumented frames are larger: what fits into the default stack must fit here too.
server_start "$WORK" 'max_stack_depth = 6MB'

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

# A report names our code by its source or, without debugging information, by the library.
ours=0
for report in "$reports"/* "$WORK/server.log"; do
	[ -f "$report" ] || continue
	if grep -Eq 'AddressSanitizer|UndefinedBehaviorSanitizer|runtime error:' "$report" &&
		grep -Eq "answer_eval\.so|$WORK/tree/|^src/[a-z0-9_]+\.[ch]:" "$report"
	then
		ours=$((ours + 1))
		grep -vE '^[0-9-]+ [0-9:.]+ ' "$report" | head -n 60 | sed 's/^/    | /'
	fi
done
say "sanitizers: $ours reports that name answer_eval"
[ "$ours" -eq 0 ] || failed=1
exit "$failed"
