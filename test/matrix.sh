#!/usr/bin/env bash
# Runs the test suite on every supported PostgreSQL: `make test-matrix`; and as a part of `make test-long` in the tier `check`,
# without this machine's own version. ANSWER_EVAL_TIER is the tier (test).
#
#     test/matrix.sh               this machine's own version, and 15 to 18
#     test/matrix.sh 18            only that one
#     test/matrix.sh --fresh 18    the same, in a newly built system
#     test/matrix.sh --optional 18 the same, but a system that cannot be made in five minutes is skipped, with a message
#
# Other versions than this machine's are in small Debian systems, 16 in one of Ubuntu, which are kept between runs below
# ANSWER_EVAL_MATRIX_DIR (/var/tmp/answer_eval-matrix). Needs root, for debootstrap and chroot.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/systems.sh
. "$(dirname "$0")/lib/systems.sh"

tier=${ANSWER_EVAL_TIER:-test}
DIR=$SYSTEMS

# Runs the tests in a system.
run_inside() {
	local root=$1
	rm -rf "$root/src" "$root"/tmp/answer_eval.*
	copy_tree "$root/src"
	run_job inside "$root" ANSWER_EVAL_SEED="${ANSWER_EVAL_SEED:-1}" ${ANSWER_EVAL_JOBS:+ANSWER_EVAL_JOBS="$ANSWER_EVAL_JOBS"} /src/test/run.sh "$tier"
}

[ "$(id -u)" -eq 0 ] || die 'needs root, to build and enter other Debian systems'
fresh=
optional=
[ "${1:-}" != --fresh ] || { fresh=1; shift; }
[ "${1:-}" != --optional ] || { optional=1; shift; }
own=$(pg_major)
# shellcheck disable=SC2086
[ "$#" -gt 0 ] || set -- "$own" $VERSIONS
for version; do [ "$version" = "$own" ] || suite_of "$version" >/dev/null; done
ensure_packages debootstrap util-linux
lock_systems
[ -z "$optional" ] || SYSTEM_SECONDS=300

passed=0
failed=0
done_versions=' '
for version; do
	case $done_versions in *" $version "*) continue ;; esac
	done_versions="$done_versions$version "
	log=$DIR/$version.log
	rc=0
	if [ "$version" = "$own" ]; then
		place='this machine'
		run_job "$ROOT/test/run.sh" "$tier" >"$log" 2>&1 9>&- || rc=$?
	else
		place=$(suite_of "$version")
		root=$DIR/$place
		[ -z "$fresh" ] || rm -rf "$root"
		: >"$log"
		if ! make_system "$place" 9>&-; then
			rc=1
			if [ -n "$optional" ]; then
				say "skipped: PostgreSQL $version: a $place system cannot be built here in time"
				continue
			fi
		else
			run_inside "$root" >"$log" 2>&1 9>&- || rc=$?
		fi
	fi
	read -r ok bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$log" | tail -n 1) || { ok=0; bad=0; }
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || tail -n 100 "$log" | sed 's/^/    | /'
	say "PostgreSQL $version ($place): $ok passed, $bad failed ($log)"
	passed=$((passed + ok))
	failed=$((failed + bad))
done
[ -z "$optional" ] || [ "$((passed + failed))" -gt 0 ] || exit 0
say
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
