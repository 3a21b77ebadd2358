#!/usr/bin/env bash
# Checks that the extension compiles without a warning on the newest PostgreSQL of a Debian release, and that the main tests of
# test/sql pass there. This takes a minute; test/matrix.sh, which runs all tests on all versions, takes many.
#
# The server's packages are unpacked into a folder, with the libraries that they need, and the server runs there by chroot. The
# extension is compiled by this machine's compiler with that release's headers. Needs root and a mirror. If one of these is missing
# or slow, it prints `skipped: ...` and succeeds. Nothing is installed and nothing is kept.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

VERSION=17
SUITE=trixie
# Names of files in test/sql, without the slow ones, which test/matrix.sh runs.
TESTS='house_install base_canonical check_operator check check_composite evidence keys document_receipt document eval route quality
	ground_core ground_search graph_core plan_core plan_run gate_config gate_suite'

skip() { say "skipped: PostgreSQL $VERSION: $*"; exit 0; }

# Packages of that release, with lists of their own.
suite_apt() {
	local seconds=$1 command=$2
	shift 2
	run_job timeout "$seconds" "$command" -q -o Dir::Etc::sourcelist="$WORK/apt/sources" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::lists="$WORK/apt/lists" -o Dir::State::status="$WORK/apt/status" -o Dir::Cache="$WORK/apt/cache" \
		-o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=1 -o Acquire::http::Timeout=15 "$@"
}

[ "$(id -u)" -eq 0 ] || skip 'unpacking and entering another system needs root'
own=$(pg_major)
[ "${own:-0}" -lt "$VERSION" ] || skip "this machine has $own itself"
command -v chroot >/dev/null && command -v dpkg-deb >/dev/null || skip 'no chroot or no dpkg here'
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
	sed -n 's/^Debian|Debian|main|//p' | head -n 1) || true
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -n "$mirror" ] && [ -f "$keyring" ] || skip 'this machine has no package source of Debian'
PG_CONFIG=$(pg_config_path) || die 'no pg_config with server headers; install postgresql-server-dev-NN or set PG_CONFIG'
bin=$("$PG_CONFIG" --bindir)
# the programs with which cleanup stops a server, and whose pg_regress and psql are used
PG_BINDIR=$bin

make_work_dir
log=$WORK/log/newer
root=$WORK/r
mkdir -p "$WORK"/apt/{lists,cache/archives}/partial "$WORK/debs" "$root"/{dev/shm,etc,tmp,usr/bin,usr/lib,usr/lib64,usr/sbin,s}
: >"$WORK/apt/status"
say "deb [signed-by=$keyring] $mirror $SUITE main" >"$WORK/apt/sources"
suite_apt 60 apt-get update >"$log" 2>&1 || skip "no list of $SUITE's packages from $mirror in a minute"
# of the server's dependencies only the libraries, without those of the JIT compiler
packages=$(suite_apt 60 apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
	"postgresql-$VERSION" "postgresql-client-$VERSION" 2>>"$log" | grep '^lib' | grep -Ev '^lib(llvm|z3|perl)|:' | sort -u) || true
[ -n "$packages" ] || skip "$SUITE has no package postgresql-$VERSION"
# shellcheck disable=SC2086
( cd "$WORK/debs" && suite_apt 90 apt-get download dash tzdata zlib1g libc6-dev linux-libc-dev libssl-dev libpq-dev "postgresql-$VERSION" "postgresql-client-$VERSION" \
	"postgresql-server-dev-$VERSION" $packages >>"$log" 2>&1 ) || skip "its packages did not come from $mirror in 90 seconds"
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$root/$name"; done
for deb in "$WORK"/debs/*.deb; do dpkg-deb -x "$deb" "$root" >>"$log" 2>&1 || skip "cannot unpack ${deb##*/}"; done
[ -e "$root/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
mknod -m 666 "$root/dev/null" c 1 3 2>/dev/null && : 2>/dev/null >"$root/dev/null" || { rm -f "$root/dev/null"; : >"$root/dev/null"; chmod 666 "$root/dev/null"; }
chmod 1777 "$root/tmp" "$root/dev/shm"
theirs=/usr/lib/postgresql/$VERSION/bin
chroot "$root" "$theirs/postgres" --version >>"$log" 2>&1 || skip "its server does not run here: $(tail -n 1 "$log")"

# The paths in its output are relative to that folder.
cat >"$WORK/pg_config" <<SH
#!/bin/sh
chroot '$root' '$theirs/pg_config' "\$@" | sed 's|^/usr/|$root/usr/|; s|-I/usr/|-I$root/usr/|g'
SH
chmod 755 "$WORK/pg_config"
passed=0
failed=0
# step NAME COMMAND
step() {
	local name=$1
	shift
	if run_job "$@" >"$WORK/log/$name" 2>&1; then
		passed=$((passed + 1))
		say "$name: passed"
	else
		failed=$((failed + 1))
		show "$WORK/log/$name"
		say "$name: FAILED"
	fi
	[ "$failed" -eq 0 ]
}
finish() {
	say "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
}

copy_tree "$WORK/tree"
# Without optimization it takes half of the time.
build() {
	make -s -C "$WORK/tree" -j "$(nproc)" PG_CONFIG="$WORK/pg_config" with_llvm=no PG_LDFLAGS="--sysroot=$root" \
		PG_CFLAGS="--sysroot=$root -std=gnu17 -O0 -g0 -U_FORTIFY_SOURCE -Wall -Wextra -Werror -Wno-unused-parameter -Wno-declaration-after-statement" "$@"
}
step compile build all || finish
step install build install || finish

user=$(id -u "$(server_user)"):$(id -g "$(server_user)")
say "postgres:x:$user::/:/bin/sh" >"$root/etc/passwd"
chown "$user" "$root/s"
chmod 700 "$root/s"
step initdb chroot --userspec="$user" "$root" "$theirs/initdb" -D /s/data -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync || finish
printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '/s'" 'port = 5432' 'fsync = off' 'jit = off' >>"$root/s/data/postgresql.conf"
export PGHOST=$root/s PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
SERVER_DIR=$root/s
set -m
chroot --userspec="$user" "$root" "$theirs/postgres" -D /s/data >"$WORK/server.log" 2>&1 </dev/null &
SERVER_PID=$!
set +m
export PATH="$bin:$PATH"
for try in {1..1200}; do
	if psql -X -q -c 'SELECT' >/dev/null 2>&1; then break; fi
	if [ "$try" -eq 1200 ] || ! kill -0 "$SERVER_PID" 2>/dev/null; then tail -n 40 "$WORK/server.log"; die "the server of PostgreSQL $VERSION does not start"; fi
	sleep 0.2
done

run_regress PG_CFLAGS=-O0 REGRESS="$(printf '%s ' $TESTS)"
kill -INT "$SERVER_PID" 2>/dev/null || true
wait "$SERVER_PID" 2>/dev/null || true
SERVER_PID=
passed=$((passed + REGRESS_PASSED))
failed=$((failed + REGRESS_FAILED))
if grep -Eq 'was terminated by signal|TRAP: |PANIC: ' "$WORK/server.log"; then tail -n 40 "$WORK/server.log"; failed=$((failed + 1)); fi
finish
