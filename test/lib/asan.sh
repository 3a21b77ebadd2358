# shellcheck shell=bash
# A server whose extension is built with AddressSanitizer and UndefinedBehaviorSanitizer, for who has sourced common.sh:
#
#     asan_stage_and_start ["postgresql.conf line" ...]
#     ...
#     server_stop
#     asan_reports            # prints those that name our code, and fails if there are any
#
# Only our module is instrumented; the server is the usual one with the run-time libraries preloaded, so what palloc
# hands out is known by its blocks only, while the stack, globals, OpenSSL's memory and arithmetic are checked in full.

asan_stage_and_start() {
	local cc sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

	# -fno-wrapv: the server's flags let signed integers wrap around; where ours do, it is a mistake.
	# -U: fortified functions of libc escape the sanitizer. No bitcode: a JIT would run code that is not instrumented.
	stage_build "$WORK" with_llvm=no PG_CFLAGS="-std=gnu17 $sanitize -fno-wrapv -U_FORTIFY_SOURCE -O1 -g" PG_LDFLAGS="$sanitize"

	# The first word of CC is the compiler that the extension was built with.
	read -r cc _ <<<"$("$PG_CONFIG" --cc)"
	ASAN_REPORTS=$WORK/reports
	server_dirs "$ASAN_REPORTS"
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
		"ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$ASAN_REPORTS/asan"
		"UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1:log_path=$ASAN_REPORTS/ubsan")
	# Instrumented frames are larger: what fits into the default stack must fit here too.
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
