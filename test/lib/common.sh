# shellcheck shell=bash
# What all scripts that need a server share: packages, a private copy of PostgreSQL with the extension in it (the stage), a
# throw-away server, and a clean-up that also works if the script fails or is interrupted.
# Source it from a bash script that has `set -eu`:
#
#     . "$(dirname "$0")/../test/lib/common.sh"
#     ensure_server_packages                  # PostgreSQL, its headers, OpenSSL's headers; not the compiler
#     make_work_dir                           # sets WORK; removed at the end, with every server below it
#     stage_build "$WORK"                     # builds a copy of this tree, installs it into $WORK/stage
#     server_start "$WORK" "work_mem = 64MB"  # data in $WORK/data, socket only; sets PGHOST, PGPORT, PGUSER, ...
#     psql -X -c 'CREATE EXTENSION answer_eval'
#     run_job LONG COMMAND                    # like LONG COMMAND, but can be interrupted by a signal
#     start_job LONG COMMAND                  # the same in the background; its process group is $!, for wait
#
# The machine's PostgreSQL is not changed, and none of its servers is touched. The checkout is not changed either, except
# .build if KEEP_BUILD is set.
# PG_CONFIG=... chooses the PostgreSQL; TMPDIR=... is the folder for WORK; ANSWER_EVAL_KEEP=1 keeps WORK.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
WORK=
JOB=
# Process groups started by start_job that nobody has waited for.
declare -A JOBS=()
SERVER_DIR=
SERVER_PID=
# A command in front of the server's: a sanitizer's environment, valgrind.
SERVER_PREFIX=()
CLUSTER_DROP_IN=/etc/postgresql-common/createcluster.d/answer_eval-no-cluster.conf
CLUSTER_DROP_IN_MADE=
LISTS_UPDATED=

umask 022
export LC_ALL=C.UTF-8
# The caller's make must not pass on its flags (-n, a job server), and its psql settings must not lead to another server.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES PSQLRC
while IFS= read -r name; do unset "$name"; done < <(compgen -e | grep '^PG[A-Z]*$' || true)
unset name

# Packages that the gateway (tools/gateway) needs.
export GATEWAY_PACKAGES='python3-fastapi python3-uvicorn python3-psycopg python3-psycopg-pool python3-httpx'

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# --- packages -------------------------------------------------------------------------------------------------

as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs apt-get without questions. Its output is shown only if it fails.
quiet_apt() {
	local log rc=0
	log=$(mktemp)
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 || rc=$?
	[ "$rc" -eq 0 ] || tail -n 40 "$log" >&2
	rm -f "$log"
	return "$rc"
}

# Updates the package lists, once per run, because it takes seconds and most packages are installed one by one.
update_lists() {
	[ -z "$LISTS_UPDATED" ] || return 0
	quiet_apt update && LISTS_UPDATED=1
}

# Prints those of its arguments that are not installed packages.
missing_packages() {
	local package
	for package; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
	done
}

# Installs missing packages. Without any it uses neither the network nor root's rights.
ensure_packages() {
	local missing
	command -v dpkg-query >/dev/null || { say "no dpkg here: assuming that these are installed: $*"; return 0; }
	read -ra missing <<<"$(missing_packages "$@")"
	[ "${#missing[@]}" -gt 0 ] || return 0
	say "installing: ${missing[*]}"
	update_lists || say 'apt-get update failed; trying with the lists at hand'
	# Debian's server package starts a cluster when it is installed, which we do not want. The drop-in exists only during
	# this installation, so that the owner's installations behave as usual.
	if [ ! -e "$CLUSTER_DROP_IN" ]; then
		CLUSTER_DROP_IN_MADE=1
		as_root mkdir -p "${CLUSTER_DROP_IN%/*}"
		say 'create_main_cluster = false' | as_root tee "$CLUSTER_DROP_IN" >/dev/null
	fi
	quiet_apt install --no-install-recommends "${missing[@]}" || die "cannot install: ${missing[*]}"
	remove_drop_in
}

# Tries to install packages that a run can do without. A test that needs a missing one says so.
try_packages() {
	local package
	for package; do ( trap remove_drop_in EXIT; ensure_packages "$package" ) || true; done
}

remove_drop_in() {
	[ -n "$CLUSTER_DROP_IN_MADE" ] || return 0
	as_root rm -f "$CLUSTER_DROP_IN"
	as_root rmdir --ignore-fail-on-non-empty "${CLUSTER_DROP_IN%/*}"
	CLUSTER_DROP_IN_MADE=
}

# Prints the pg_config to build with: $PG_CONFIG, else that of the newest major version with server headers.
# Fails without a message if there is none.
pg_config_path() {
	local candidate headers
	if [ -n "${PG_CONFIG:-}" ]; then command -v "$PG_CONFIG"; return; fi
	while IFS= read -r candidate; do
		headers=$("$candidate" --includedir-server 2>/dev/null) || continue
		if [ -f "$headers/postgres.h" ]; then say "$candidate"; return; fi
	done < <(printf '%s\n' /usr/lib/postgresql/*/bin/pg_config | sort -rV)
	return 1
}

# Prints the major version of pg_config_path, or else of the PostgreSQL in this Debian release.
pg_major() {
	local pg_config
	if pg_config=$(pg_config_path); then
		"$pg_config" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/'
	elif [ -n "${PG_CONFIG:-}" ]; then
		die "PG_CONFIG=$PG_CONFIG is not a program"
	else
		apt-cache depends postgresql | sed -nE 's/.*Depends: postgresql-([0-9]+)$/\1/p' | head -n 1
	fi
}

# Installs the packages for building, serving and signing, and those in the arguments, where @ is the major version.
ensure_server_packages() {
	local major
	# Without package lists the machine does not know which major version it would install.
	if ! pg_config_path >/dev/null && [ -z "$(apt-cache depends postgresql 2>/dev/null)" ]; then update_lists; fi
	major=$(pg_major)
	[ -n "$major" ] || die 'no PostgreSQL server headers here, and apt offers no postgresql package'
	set -- postgresql-@ postgresql-server-dev-@ libssl-dev "$@"
	ensure_packages "${@//@/$major}"
}

# --- the working directory ------------------------------------------------------------------------------------

# The unprivileged user that runs the server, because PostgreSQL refuses to run as root.
server_user() {
	if [ "$(id -u)" -ne 0 ]; then id -un; elif id -u postgres >/dev/null 2>&1; then say postgres; else say nobody; fi
}

# Runs a command as that user, in WORK because the caller's directory may be closed to it. Uses setpriv and not runuser,
# because setpriv becomes the command instead of waiting for it, so signals and process ids are the command's.
as_server_user() (
	cd "$WORK" || exit
	[ "$(id -u)" -eq 0 ] || exec "$@"
	user=$(server_user)
	exec setpriv --reuid="$user" --regid="$(id -gn "$user")" --init-groups env HOME="$WORK" "$@"
)

# Makes directories that belong to the server's user and are closed to others.
server_dirs() {
	mkdir -p "$@"
	chmod 700 "$@"
	[ "$(id -u)" -ne 0 ] || chown "$(server_user):" "$@"
}

# memory_dir MB: prints a directory in memory with room for so much, if the machine has twice as much memory available.
# Fails without a message if there is none, if it is too small, or if programs may not run there.
memory_dir() {
	local dir=/dev/shm room probe rc=0
	[ "$(stat -f -c %T "$dir" 2>/dev/null)" = tmpfs ] && [ -w "$dir" ] || return 1
	room=$(df -P -m "$dir" | awk 'NR == 2 { print $4 }')
	[ "${room:-0}" -ge "$1" ] || return 1
	awk -v need="$1" '$1 == "MemAvailable:" { found = $2 / 1024 >= need * 2 } END { exit !found }' /proc/meminfo || return 1
	probe=$(mktemp "$dir/answer_eval.XXXXXX") || return 1
	printf '#!/bin/sh\n' >"$probe"
	chmod 700 "$probe"
	"$probe" 2>/dev/null || rc=1
	rm -f "$probe"
	[ "$rc" -eq 0 ] && say "$dir"
}

make_work_dir() {
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/answer_eval.XXXXXX")
	mkdir "$WORK/log"
	chmod 711 "$WORK"
	# The kernel limits a socket's path to 107 bytes.
	[ "${#WORK}" -le 60 ] || die "the path $WORK is too long for a Unix socket; set TMPDIR to a shorter one"
	as_server_user test -x "$WORK" || die "user $(server_user) cannot reach $WORK; set TMPDIR to a directory that all can enter"
}

# Runs a command in a process group of its own and waits for it. Bash runs a trap only between foreground commands, so
# without this an interrupted script would first wait for the end of a long test.
run_job() {
	local rc=0
	set -m
	"$@" </dev/null &
	JOB=$!
	set +m
	wait "$JOB" || rc=$?
	JOB=
	return "$rc"
}

# Starts a command, or a function of this shell, in the background, in a process group of its own. Wait for $!, and then
# remove it with `unset "JOBS[$pid]"`.
start_job() {
	set -m
	"$@" </dev/null &
	JOBS[$!]=1
	set +m
}

# Prints the process ids of programs that were started from WORK, which means from the stage.
staged_processes() {
	find /proc/[0-9]* -maxdepth 1 -name exe -lname "$WORK/*" 2>/dev/null | sed 's|^/proc/||; s|/exe$||' || true
}

# Stops servers that a test program started and did not stop. The working directory of a postmaster is its data directory.
stop_servers_below() {
	local file pid
	find "$1" -name postmaster.pid 2>/dev/null | while IFS= read -r file; do
		pid=$(head -n 1 "$file")
		if [ "$(readlink "/proc/$pid/cwd")" = "${file%/*}" ]; then kill -QUIT "$pid"; fi
	done
}

# Stops everything that was started, whatever state the script is in, and removes WORK.
cleanup() {
	local rc=$? job pid try
	trap '' HUP INT TERM
	trap - EXIT
	set +e
	cd /
	remove_drop_in
	[ -z "$JOB" ] || JOBS[$JOB]=1
	for job in "${!JOBS[@]}"; do kill -TERM -- "-$job" 2>/dev/null; done
	for job in "${!JOBS[@]}"; do
		for try in {1..100}; do
			kill -0 -- "-$job" 2>/dev/null || break
			sleep 0.1
		done
		kill -KILL -- "-$job" 2>/dev/null
	done
	[ -n "$WORK" ] || exit "$rc"
	server_stop immediate
	stop_servers_below "$WORK"
	for try in {1..50}; do
		pid=$(staged_processes)
		[ -n "$pid" ] || break
		# shellcheck disable=SC2086
		[ "$try" -lt 40 ] || kill -KILL $pid 2>/dev/null
		sleep 0.1
	done
	if [ -n "${ANSWER_EVAL_KEEP:-}" ]; then say "kept: $WORK"; else rm -rf "$WORK"; fi
	exit "$rc"
}

# --- the extension and its server -----------------------------------------------------------------------------

git_here() {
	git -c "safe.directory=$ROOT" -C "$ROOT" "$@"
}

is_checkout() {
	[ "$(git_here rev-parse --show-toplevel 2>/dev/null)" = "$ROOT" ]
}

# Copies this tree to a directory: the files that git knows, and new ones. So a test sees only sources, never an object file
# from another build, and leaves nothing behind in the checkout.
copy_tree() {
	mkdir -p "$1"
	if is_checkout; then
		git_here ls-files -z --cached --others --exclude-standard | (
			cd "$ROOT" || exit
			while IFS= read -r -d '' file; do
				if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
			done | tar --null --no-recursion --mode=u+rw,go+rX -cf - -T -
		)
	else
		tar -C "$ROOT" --mode=u+rw,go+rX --exclude=./.git -cf - .
	fi | tar -C "$1" --no-same-owner -xf -
}

# Locks .build, so that one run of this checkout at a time uses it. Call unlock_kept before starting any other process,
# because it would inherit the lock.
lock_kept() {
	is_checkout && mkdir -p "$ROOT/.build" 2>/dev/null && { exec 8>"$ROOT/.build/lock"; } 2>/dev/null || return
	flock -n 8 || { say 'waiting for another run that compiles here' >&2; flock 8; }
}

unlock_kept() {
	exec 8>&-
}

# kept_build [make variables]: prints a directory in .build with this tree and the objects that an earlier run made from it,
# with this PostgreSQL and these variables. Only files that have changed since are newer than the objects.
kept_build() {
	local key
	is_checkout || return 1
	key=$(say "$("$PG_CONFIG" --version) $*" | sha256sum | cut -c 1-12)
	mkdir -p "$ROOT/.build/$key" 2>/dev/null && [ -w "$ROOT/.build/$key" ] && git_here ls-files -z --cached --others --exclude-standard |
		perl "$ROOT/test/lib/sync.pl" "$ROOT" "$ROOT/.build/$key" && say "$ROOT/.build/$key"
}

# stage_build DIR [make variables]: makes a private PostgreSQL in DIR/stage, with the extension built from DIR/tree, or, if
# KEEP_BUILD is set, from objects that are kept in the checkout.
# The programs are copies, because PostgreSQL finds its libraries and its share directory relative to them. Everything there is
# links, except the extension. Sets PG_CONFIG, PG_BINDIR and PATH.
stage_build() {
	local dir=$1 libdir sharedir bindir tree build
	shift
	PG_CONFIG=$(pg_config_path) || die 'no pg_config with server headers; install postgresql-server-dev-NN or set PG_CONFIG'
	bindir=$("$PG_CONFIG" --bindir)
	libdir=$("$PG_CONFIG" --pkglibdir)
	sharedir=$("$PG_CONFIG" --sharedir)
	[ -x "$bindir/postgres" ] || die "no server program in $bindir"
	for tree in "$libdir" "$sharedir" "$bindir"; do mkdir -p "$dir/stage$tree"; done
	cp -rs "$libdir/." "$dir/stage$libdir"
	cp -rs "$sharedir/." "$dir/stage$sharedir"
	cp -rL "$bindir/." "$dir/stage$bindir"
	# An installed version of the extension must not be used.
	find "$dir/stage$libdir" "$dir/stage$sharedir" -name 'answer_eval*' -prune -exec rm -rf {} +

	[ -d "$dir/tree" ] || copy_tree "$dir/tree"
	# bitcode takes as long to build as the library, and no query of a test is long enough to need it
	build=$dir/tree
	if [ -n "${KEEP_BUILD:-}" ] && lock_kept; then build=$(kept_build "$@") || build=$dir/tree; fi
	if ! run_job make -s -C "$build" -j "$(nproc)" PG_CONFIG="$PG_CONFIG" with_llvm=no "$@" all >"$dir/build.log" 2>&1 ||
		! run_job make -s -C "$build" PG_CONFIG="$PG_CONFIG" with_llvm=no DESTDIR="$dir/stage" "$@" install >>"$dir/build.log" 2>&1
	then
		cat "$dir/build.log" >&2
		die 'the build failed'
	fi
	unlock_kept
	export PG_CONFIG PG_BINDIR="$dir/stage$bindir"
	export PATH="$PG_BINDIR:$PATH"
}

# make_cluster DATA [initdb options]: makes a new data directory that belongs to the server's user.
make_cluster() {
	local data=$1
	shift
	server_dirs "$data"
	as_server_user "$PG_BINDIR/initdb" -D "$data" -U postgres --auth=trust -E UTF8 --no-sync "$@" >"$data.log" 2>&1 ||
		{ cat "$data.log" >&2; die 'initdb failed'; }
}

# template_cluster DATA [initdb options]: the same. If KEEP_BUILD is set, it copies a cluster of this name, made by the same
# server, that is kept in the checkout. Copies of one name have the same system identifier, those of two names have two.
template_cluster() {
	local data=$1 kept='' old
	if [ -n "${KEEP_BUILD:-}" ] && is_checkout; then
		kept=$(say "$("$PG_CONFIG" --version) $(id -u) $(id -u "$(server_user)") $* $(stat -c %Y "$("$PG_CONFIG" --bindir)/initdb")" | sed "s|$WORK||" | sha256sum | cut -c 1-12)
		kept=$ROOT/.build/cluster-$kept
		if [ -d "$kept" ] && cp -a "$kept" "$data" 2>/dev/null; then return 0; fi
		rm -rf "$data"
	fi
	make_cluster "$@"
	# It gets its name when it is complete, even after a power failure. If it cannot be kept, the next run makes its own.
	if [ -n "$kept" ] && mkdir -p "$ROOT/.build" 2>/dev/null; then
		# left by a run that was killed
		for old in "$kept".*; do
			if [ -d "$old" ] && ! [ -d "/proc/${old##*.}" ]; then rm -rf "$old"; fi
		done
		if cp -a "$data" "$kept.$$" 2>/dev/null && sync -f "$kept.$$"; then mv -T "$kept.$$" "$kept" 2>/dev/null || true; fi
		rm -rf "$kept.$$"
	fi
}

# server_start DIR [postgresql.conf lines]: starts the staged server on DIR/data. If that does not exist, copies the cluster in
# TEMPLATE if the script has made one, which is ten times faster than initdb.
# Trust authentication is safe: the only access is a socket in a directory that is closed to everybody else.
server_start() {
	local dir=$1 tries=$((${SERVER_START_SECONDS:-240} * 5))
	shift
	if [ ! -d "$dir/data" ]; then
		server_dirs "$dir/socket"
		if [ -n "${TEMPLATE:-}" ]; then cp -a "$TEMPLATE" "$dir/data"; else make_cluster "$dir/data" --locale=C.UTF-8; fi
		set -- "listen_addresses = ''" "unix_socket_directories = '$dir/socket'" 'port = 5432' \
			'fsync = off' "log_line_prefix = '%m [%p] %q%d '" "$@"
	fi
	[ "$#" -eq 0 ] || printf '%s\n' "$@" >>"$dir/data/postgresql.conf"
	export PGHOST="$dir/socket" PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
	SERVER_DIR=$dir
	set -m
	as_server_user "${SERVER_PREFIX[@]}" "$PG_BINDIR/postgres" -D "$dir/data" >>"$dir/server.log" 2>&1 </dev/null &
	SERVER_PID=$!
	set +m
	until psql -X -q -c 'SELECT' >/dev/null 2>&1; do
		tries=$((tries - 1))
		if [ "$tries" -le 0 ] || ! kill -0 "$SERVER_PID" 2>/dev/null; then
			tail -n 40 "$dir/server.log" >&2
			die 'the server does not start'
		fi
		sleep 0.2
	done
}

# server_stop [fast|immediate]: stops the server.
server_stop() {
	[ -n "$SERVER_PID" ] || return 0
	as_server_user "$PG_BINDIR/pg_ctl" stop -D "$SERVER_DIR/data" -m "${1:-fast}" -t 60 >/dev/null 2>&1 ||
		kill -KILL -- "-$SERVER_PID" 2>/dev/null || true
	wait "$SERVER_PID" 2>/dev/null || true
	SERVER_PID=
}

# fresh_database NAME: makes a new database with the extension in it, which psql uses from now on.
fresh_database() {
	PGDATABASE=postgres PGOPTIONS='-c client_min_messages=warning' psql -X -q -v ON_ERROR_STOP=1 -c "DROP DATABASE IF EXISTS \"$1\"" -c "CREATE DATABASE \"$1\"" &&
		export PGDATABASE="$1" &&
		psql -X -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION answer_eval CASCADE'
}

# citus_folder DIR: installs Citus in DIR, readable for the server's user. If there is none, prints why and fails.
citus_folder() {
	local built rc=0
	built=$("$ROOT/test/lib/citus.sh") || rc=$?
	case $rc in
		0) ;;
		3) say "$built"; return 1 ;;
		*) die 'Citus was not built' ;;
	esac
	mkdir -p "$1"
	cp -r "$built/." "$1"
	chmod -R a+rX "$1"
}

# Packages that Citus needs for its build, in addition to those for the server's headers.
CITUS_PACKAGES='gcc make flex bison libkrb5-dev liblz4-dev libzstd-dev libselinux1-dev libpam0g-dev libxml2-dev libxslt1-dev libreadline-dev'

# --- tests ----------------------------------------------------------------------------------------------------

# Shows the end of a failed test's output.
show() {
	tail -n 60 "$1" | sed 's/^/    | /'
}

# run_regress [make variables]: runs pg_regress on the running server, with all its output below WORK. Shows failures; sets
# REGRESS_PASSED and REGRESS_FAILED.
# shellcheck disable=SC2034
run_regress() {
	# a folder for this program alone, because two at a time would overwrite each other's results
	local out=${DIR:-$WORK}/regress log rc=0
	log=$out.log
	mkdir -p "$out"
	# EXTRA_REGRESS_OPTS adds to the Makefile's REGRESS_OPTS. No TAP programs, because they must not use a shared server.
	run_job make -s -C "$WORK/tree" installcheck PG_CONFIG="$PG_CONFIG" TAP_TESTS= \
		EXTRA_REGRESS_OPTS="--bindir=$PG_BINDIR" REGRESS_OUTPUT="$out" "$@" >"$log" 2>&1 || rc=$?
	# Two formats: `test NAME ... ok 12 ms` up to PostgreSQL 15, TAP since.
	REGRESS_PASSED=$(grep -Ec '^(test)? .* \.\.\. ok( |$)|^ok [0-9]' "$log" || true)
	REGRESS_FAILED=$(grep -Ec '^(test)? .* \.\.\. FAILED|^not ok [0-9]' "$log" || true)
	[ "$rc" -eq 0 ] || [ "$REGRESS_FAILED" -gt 0 ] || REGRESS_FAILED=1
	[ "$REGRESS_FAILED" -gt 0 ] || return 0
	# the files that pg_regress names are removed, unless they are kept; the differences are shown below
	[ -n "${ANSWER_EVAL_KEEP:-}" ] || sed -i -E '/^The differences that caused|^file ".*regression\.diffs"|^above is saved in the file/d' "$log"
	show "$log"
	find "$out" "$WORK/tree" -name regression.diffs -exec cat {} +
}

trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
