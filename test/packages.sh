#!/usr/bin/env bash
# Tries all ways to install: a part of `make test-long`.
#
#     test/packages.sh             everything: 15 to 18, the Dockerfile, PGXN's archive, the examples for CI, the upgrades
#     test/packages.sh 17 18       the Debian packages for these versions only, and the upgrade from one to the other
#     test/packages.sh docker pgxn the Dockerfile and the archive only; ci: the examples for CI
#     test/packages.sh gateway     the gateway's Dockerfile, which no other call runs
#     test/packages.sh upgrade     the upgrades only, with the packages of an earlier run
#     test/packages.sh --optional  a system that cannot be made in five minutes is skipped, with a message
#
# The Debian packages are built in a clean system of the release that ships the version, checked by lintian, and installed in
# another clean one. There debian/tests/receipt runs, and they are replaced, purged and installed again (test/packages/life.sh).
# Then a cluster in a system with all these servers and packages is upgraded from each version to the next one with pg_upgrade, and
# in larger steps (test/packages/upgrade.sh). The Dockerfile is executed line by line (test/packages/dockerfile.sh), and the result
# is started. PGXN's client installs the archive of `make dist`, which is then tested. The commands of examples/ci run, with tests
# that pass and with tests that fail (test/packages/ci.py). Systems and packages are kept below ANSWER_EVAL_MATRIX_DIR. Needs root,
# for debootstrap and chroot, and a mirror.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/systems.sh
. "$(dirname "$0")/lib/systems.sh"
# shellcheck source=test/packages/dockerfile.sh
. "$(dirname "$0")/packages/dockerfile.sh"

DEBS=$SYSTEMS/packages
SOURCE_VERSION=$(sed -nE "s/^default_version = '(.*)'/\1/p" "$ROOT/answer_eval.control")
# What lintian may report: the package was not requested from Debian, so there is no bug to close.
UNJUDGED=initial-upload-closes-no-bugs

passed=0
failed=0

# try NAME COMMAND: one test that passes or fails.
try() {
	local name=$1 log rc=0
	shift
	log=$SYSTEMS/packages.${name//[^a-z0-9]/-}.log
	run_job "$@" >"$log" 2>&1 9>&- || rc=$?
	if [ "$rc" -eq 0 ]; then
		passed=$((passed + 1))
		say "ok: $name"
	else
		failed=$((failed + 1))
		show "$log"
		say "FAILED: $name ($log)"
	fi
	return "$rc"
}

# in_sources ROOT COMMAND...: runs in the folder from which the packages are built.
in_sources() {
	local root=$1
	shift
	# shellcheck disable=SC2016
	inside "$root" sh -euc 'cd "$0"; exec "$@"' "/src/answer-eval-$SOURCE_VERSION" "$@"
}

# build_packages VERSION ROOT: builds like a packager, from the archive of the sources and without root's rights.
build_packages() {
	local version=$1 root=$2 tree=answer-eval-$SOURCE_VERSION
	copy_tree "$root/src/$tree" &&
		tar -C "$root/src" --exclude="$tree/debian" -czf "$root/src/answer-eval_$SOURCE_VERSION.orig.tar.gz" "$tree" &&
		inside "$root" apt-get -q update &&
		in_sources "$root" apt-get -q -y --no-install-recommends build-dep . &&
		in_sources "$root" pg_buildext updatecontrol &&
		inside "$root" chown -R nobody: /src &&
		in_sources "$root" setpriv --reuid=nobody --regid=nogroup --clear-groups dpkg-buildpackage -us -uc -j"$(nproc)" &&
		dpkg-deb -f "$root/src/postgresql-$version-answer-eval_"*.deb Depends | grep "postgresql-$version (>[=>] $version\.[1-9]" &&
		rm -rf "${DEBS:?}/$version" && mkdir -p "$DEBS/$version" &&
		cp "$root/src/postgresql-$version-answer-eval_"*.deb "$root"/src/answer-eval-tools_*.deb "$DEBS/$version/"
}

judge_packages() {
	# shellcheck disable=SC2016
	inside "$1" apt-get -q -y --no-install-recommends install lintian &&
		in_sources "$1" sh -euc 'lintian --allow-root --fail-on error,warning --suppress-tags "$1" ../*.changes' sh "$UNJUDGED"
}

# try_packages_of VERSION ROOT: the packages and what they depend on, nothing else.
try_packages_of() {
	local version=$1 root=$2
	mkdir "$root/debs" && cp "$DEBS/$version"/*.deb "$root/debs/" && cp "$ROOT/debian/tests/receipt" "$root/receipt" &&
		cp "$ROOT/test/packages/life.sh" "$root/life" &&
		inside "$root" apt-get -q update &&
		inside "$root" sh -euc 'apt-get -q -y --no-install-recommends install /debs/*.deb' &&
		inside "$root" /receipt &&
		inside "$root" /life "$version"
}

# Runs the regression suite with the installed files, in the system that has the server's headers.
check_packages_of() {
	local version=$1 root=$2
	mkdir "$root/debs" && cp "$DEBS/$version"/*.deb "$root/debs/" &&
		inside "$root" sh -euc 'apt-get -q -y --no-install-recommends install /debs/*.deb' &&
		in_sources "$root" debian/tests/installcheck
}

# cannot_have SUITE WHAT: reports that a system cannot be made, which is a failure without --optional.
cannot_have() {
	if [ -n "$optional" ]; then say "skipped: $2: a $1 system cannot be built here in time"; return; fi
	say "FAILED: $2: a $1 system cannot be built here"
	failed=$((failed + 1))
}

# commit_tree FOLDER: a repository of this tree.
commit_tree() {
	rm -rf "$1"
	copy_tree "$1" &&
		git -C "$1" init -q && git -C "$1" add -A &&
		git -C "$1" -c user.name=test -c user.email=test@example.org commit -q -m 'what is tried'
}

# Installs the archive with PGXN's client, and with unzip.
pgxn_archive() {
	local tree=$SYSTEMS/pgxn-tree root=$SYSTEMS/packages-pgxn zip=answer_eval-$SOURCE_VERSION
	commit_tree "$tree" &&
		make -C "$tree" dist && cp "$tree/$zip.zip" "$root/root/" &&
		inside "$root" apt-get -q update &&
		inside "$root" apt-get -q -y --no-install-recommends install build-essential libssl-dev pgxnclient postgresql-17 postgresql-server-dev-17 unzip &&
		inside "$root" env -C /root MAKEFLAGS="-s -j$(nproc) -- with_llvm=no" pgxn install --nosudo "./$zip.zip" &&
		inside "$root" env -C /root unzip -q "$zip.zip" &&
		inside "$root" pg_virtualenv -v 17 make -C "/root/$zip" -s installcheck
}

# ci_example FILE: the gate passes if all tests pass, and stops if one fails.
# shellcheck disable=SC2016
ci_example() {
	local root=$SYSTEMS/packages-ci image
	mkdir "$root/job" &&
		commit_tree "$root/sources" &&
		image=$(SOURCES=file:///sources python3 "$ROOT/test/packages/ci.py" "$1" "$root/job") &&
		[ "$image" = debian:trixie ] || return
	printf '#!/bin/sh\ncat said; grep -q " 0 failed" said\n' >"$root/job/run-tests.sh"
	chmod 755 "$root/job/run-tests.sh"
	# git is in the images that these services check out with
	inside "$root" apt-get -q update &&
		inside "$root" apt-get -q -y --no-install-recommends install ca-certificates git &&
		inside "$root" env -C /job SOURCES=file:///sources bash -xeuc '
			bash prepare
			echo "12 passed, 0 failed" >said
			bash judge
			bash keep
			[ "$(grep -c "\"schema\":\"answer/v1\"" receipts.jsonl)" -eq 1 ]
			for tests in "11 passed, 1 failed" "0 passed, 0 failed" "it crashed"; do
				echo "$tests" >said
				if bash judge; then echo "the gate is open: $tests"; exit 1; fi
			done
			bash keep
			[ "$(grep -c "\"schema\":\"answer/v1\"" receipts.jsonl)" -eq 3 ]'
}

ci() {
	local file
	for file in "$ROOT"/examples/ci/*.yml; do
		fresh_system trixie packages-ci || { cannot_have trixie 'the examples for CI'; return; }
		try "${file#"$ROOT/"} builds, and its gate opens and closes" ci_example "$file" || true
	done
}

pgxn() {
	fresh_system trixie packages-pgxn || { cannot_have trixie 'the archive for PGXN'; return; }
	try 'the archive for PGXN is installed by its client and passes installcheck' pgxn_archive || true
}

docker() {
	bootstrap trixie "$SYSTEMS/clean-trixie" || { cannot_have trixie 'the Dockerfile'; return; }
	try 'the Dockerfile makes a server that signs' docker_image || true
}

gateway() {
	bootstrap bookworm "$SYSTEMS/clean-bookworm" || { cannot_have bookworm 'the Dockerfile of the gateway'; return; }
	try 'the Dockerfile of the gateway makes one that answers' gateway_image || true
}

packages() {
	local version=$1 suite
	suite=$(suite_of "$version")
	if ! fresh_system "$suite" packages-build || ! fresh_system "$suite" packages-install; then
		cannot_have "$suite" "packages for PostgreSQL $version"
		return
	fi
	try "packages for $version build" build_packages "$version" "$SYSTEMS/packages-build" || return 0
	built+=("$version")
	try "packages for $version keep to lintian" judge_packages "$SYSTEMS/packages-build" || true
	try "packages for $version install, sign and verify, and can be replaced and purged" try_packages_of "$version" "$SYSTEMS/packages-install" || true
	try "packages for $version pass installcheck" check_packages_of "$version" "$SYSTEMS/packages-build" || true
}

# upgrade_system ROOT VERSION...: the servers of several releases in one system, with our packages for each.
upgrade_system() {
	local root=$1 version suite keyring sources=$1/etc/apt/sources.list.d/others.list
	shift
	mkdir "$root/debs"
	for version; do
		suite=$(suite_of "$version")
		case $suite in
			sid) ;;
			noble)
				keyring=$(ubuntu_keyring) && cp "$keyring" "$root/usr/share/keyrings/ubuntu.gpg" || return
				say "deb [signed-by=/usr/share/keyrings/ubuntu.gpg] $(ubuntu_mirror) noble main universe" >>"$sources"
				# only what Debian does not have
				printf '%s\n' 'Package: *' 'Pin: release o=Ubuntu' 'Pin-Priority: 100' >"$root/etc/apt/preferences.d/others"
				;;
			*) say "deb $(mirror) $suite main" >>"$sources" ;;
		esac
		cp "$DEBS/$version"/*.deb "$root/debs/"
	done
	mkdir -p "$root/etc/postgresql-common/createcluster.d"
	say 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.d/none.conf"
	inside "$root" apt-get -q update &&
		inside "$root" sh -euc 'apt-get -q -y --no-install-recommends install /debs/*.deb'
}

upgrades() {
	local root=$SYSTEMS/packages-upgrade path paths
	mapfile -t built < <(printf '%s\n' "${built[@]}" | sort -n)
	fresh_system sid packages-upgrade || { cannot_have sid pg_upgrade; return; }
	cp "$ROOT/test/packages/upgrade.sh" "$root/upgrade"
	try "a system has the servers ${built[*]}" upgrade_system "$root" "${built[@]}" || return 0
	# from each to the next one, over Debian's releases, and at one go
	paths=("${built[*]}")
	[ "${built[*]}" != "$VERSIONS" ] || paths+=('15 17 18')
	[ "${#built[@]}" -eq 2 ] || paths+=("${built[0]} ${built[-1]}")
	for path in "${paths[@]}"; do
		# shellcheck disable=SC2086
		try "pg_upgrade carries receipts and keys over $path" inside "$root" /upgrade $path || true
	done
}

[ "$(id -u)" -eq 0 ] || die 'needs root, to build and enter Debian systems'
optional=
[ "${1:-}" != --optional ] || { optional=1; SYSTEM_SECONDS=300; shift; }
# shellcheck disable=SC2086
[ "$#" -gt 0 ] || set -- $VERSIONS docker pgxn ci
for what; do case $what in docker | gateway | pgxn | ci | upgrade) ;; *) suite_of "$what" >/dev/null ;; esac; done
ensure_packages debootstrap util-linux iproute2 git python3 python3-yaml
lock_systems

built=()
for what; do
	case $what in
		docker) docker ;;
		gateway) gateway ;;
		pgxn) pgxn ;;
		ci) ci ;;
		upgrade) for version in $VERSIONS; do [ ! -d "$DEBS/$version" ] || built+=("$version"); done ;;
		*) packages "$what" ;;
	esac
done
[ "${#built[@]}" -lt 2 ] || upgrades
[ -z "$optional" ] || [ "$((passed + failed))" -gt 0 ] || exit 0
say
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
