#!/usr/bin/env bash
# Runs the test suite on every PostgreSQL that Debian ships and we support: `make test-matrix`, and, in the tier `check` and
# without this machine's own version, a part of `make test-long`. ANSWER_EVAL_TIER is the tier (test).
#
#     test/matrix.sh               this machine's own version, and 17 and 18
#     test/matrix.sh 18            only that one
#     test/matrix.sh --fresh 18    the same, in a system built anew
#     test/matrix.sh --optional 18 the same, but a system that cannot be had in five minutes is skipped, which it says
#
# A version that is not this machine's lives in a small Debian system of its own, kept between runs below
# ANSWER_EVAL_MATRIX_DIR (/var/tmp/answer_eval-matrix). Needs root, for debootstrap and chroot.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

tier=${ANSWER_EVAL_TIER:-test}
DIR=${ANSWER_EVAL_MATRIX_DIR:-/var/tmp/answer_eval-matrix}

suite_of() {
	case $1 in
		15) say bookworm ;;
		17) say trixie ;;
		18) say sid ;;
		*) die "no Debian release that this script knows ships PostgreSQL $1" ;;
	esac
}

# The mirror that this machine uses for Debian itself: it is reachable, and probably near.
mirror() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' |
		sed -n 's/^Debian|Debian|main|//p' | head -n 1
}

# Builds the system for a suite, unless a run before this one has. It gets its name only when it is complete.
make_system() {
	local suite=$1 root=$2 url include=gcc,libc6-dev,make,git
	[ -d "$root" ] && return
	url=$(mirror)
	[ -n "$url" ] || { say "no Debian mirror in this machine's package sources; run apt-get update first"; return 1; }
	case $url in https:*) include=$include,ca-certificates ;; esac
	say "building a $suite system from $url"
	rm -rf "$root.part"
	if ! run_job ${optional:+timeout 300} debootstrap --variant=minbase --include="$include" "$suite" "$root.part" "$url" >"$root.log" 2>&1; then
		tail -n 20 "$root.log" >&2
		return 1
	fi
	# Nothing may start a service there.
	printf '#!/bin/sh\nexit 101\n' >"$root.part/usr/sbin/policy-rc.d"
	chmod 755 "$root.part/usr/sbin/policy-rc.d"
	# The way to the mirror is this machine's, so are its name server and its proxy.
	apt-config dump | grep -i '^Acquire::.*::Proxy' >"$root.part/etc/apt/apt.conf.d/90proxy" || true
	mv "$root.part" "$root"
}

# Runs the tests inside. Mounts and processes live in namespaces that end with this command, however it ends: there
# is nothing to unmount and nobody to stop afterwards.
run_inside() {
	local root=$1
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	rm -rf "$root/src" "$root"/tmp/answer_eval.*
	copy_tree "$root/src"
	# shellcheck disable=SC2016
	run_job env -u PG_CONFIG -u TMPDIR unshare --mount --pid --fork --kill-child sh -euc '
		mount -t proc proc "$1/proc"
		mount -t tmpfs tmpfs "$1/dev/shm"
		exec chroot "$1" env HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ANSWER_EVAL_SEED="$3" /src/test/run.sh "$2"
	' sh "$root" "$tier" "${ANSWER_EVAL_SEED:-1}"
}

[ "$(id -u)" -eq 0 ] || die 'needs root, to build and enter other Debian systems'
fresh=
optional=
[ "${1:-}" != --fresh ] || { fresh=1; shift; }
[ "${1:-}" != --optional ] || { optional=1; shift; }
own=$(pg_major)
[ "$#" -gt 0 ] || set -- "$own" 17 18
for version; do [ "$version" = "$own" ] || suite_of "$version" >/dev/null; done
ensure_packages debootstrap util-linux
mkdir -p "$DIR"
exec 9>"$DIR/lock"
flock -n 9 || die "another run uses $DIR"

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
		if ! make_system "$place" "$root" 9>&-; then
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
