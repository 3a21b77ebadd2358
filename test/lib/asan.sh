# shellcheck shell=bash
# A server with the extension built with AddressSanitizer and UndefinedBehaviorSanitizer, for scripts that source common.sh:
#
#     asan_stage_and_start ["postgresql.conf line" ...]
#     ...
#     server_stop
#     asan_reports            # prints the reports about our code, and fails if there are any
#
# Only our module is instrumented; the server is the usual one with the run-time libraries preloaded. So memory from palloc
# is checked only by blocks, but the stack, globals, OpenSSL's memory and arithmetic are checked completely.

asan_stage_and_start() {
	local cc sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

	# -fno-wrapv: the server's flags let signed integers wrap around; in our code that would be a mistake.
	# -U: fortified functions of libc are not seen by the sanitizer. No bitcode: a JIT would run code that is not instrumented.
	stage_build "$WORK" with_llvm=no PG_CFLAGS="-std=gnu17 $sanitize -fno-wrapv -U_FORTIFY_SOURCE -O1 -g" PG_LDFLAGS="$sanitize"

	# The first word of CC is the compiler that the extension was built with.
	read -r cc _ <<<"$("$PG_CONFIG" --cc)"
	ASAN_REPORTS=$WORK/reports
	server_dirs "$ASAN_REPORTS"
	# libasan initializes itself at the first malloc. In the server a library's constructor inside gettext would call it first,
	# while gettext's lock is held; the initialization calls gettext itself, and the server would hang. So call malloc before.
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
	# No check for leaks: a backend frees its memory only at exit.
	# shellcheck disable=SC2034
	SERVER_PREFIX=(env
		"LD_PRELOAD=$("$cc" -print-file-name=libasan.so) $("$cc" -print-file-name=libubsan.so) $WORK/early.so"
		"ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$ASAN_REPORTS/asan"
		"UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1:log_path=$ASAN_REPORTS/ubsan")
	# Instrumented frames are larger, so the default stack would be too small for normal code.
	server_start "$WORK" 'max_stack_depth = 6MB' "$@"
}

# A report names our code by its source or, without debugging information, by the library.
asan_reports() {
	local report ours=0
	for report in "$ASAN_REPORTS"/* "$WORK/server.log"; do
		[ -f "$report" ] || continue
		if grep -Eq 'AddressSanitizer|UndefinedBehaviorSanitizer|runtime error:' "$report" &&
			grep -Eq "answer_eval\.so|$WORK/tree/|^src/[a-z0-9_/]+\.[ch]:" "$report"
		then
			ours=$((ours + 1))
			grep -vE '^[0-9-]+ [0-9:.]+ ' "$report" | head -n 60 | sed 's/^/    | /'
		fi
	done
	say "sanitizers: $ours reports that name answer_eval"
	[ "$ours" -eq 0 ]
}
