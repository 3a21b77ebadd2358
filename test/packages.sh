#!/usr/bin/env bash
# What people install, from nothing: Debian packages built in a clean system and installed in another, pg_upgrade with them, and
# the image that the Dockerfile describes, by its steps. A part of `make test-long`.
#
#     test/packages.sh                 all of it
#     test/packages.sh 15 17           the packages for these, built, installed, asked something, removed
#     test/packages.sh upgrade         pg_upgrade from 15 to 17 to 18; builds the packages that it needs
#     test/packages.sh image           the RUN steps of examples/docker/Dockerfile in two systems, as the stages of a build
#
# The systems are kept between runs below ANSWER_EVAL_MATRIX_DIR (/var/tmp/answer_eval-matrix). Needs root, for debootstrap and
# chroot. Ends with `N passed, N failed`; what cannot run here says `skipped: ` and why.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/systems.sh
. "$(dirname "$0")/lib/systems.sh"

# shellcheck disable=SC2086
[ "$#" -gt 0 ] || set -- $VERSIONS upgrade image
for what; do case $what in upgrade | image) ;; *) suite_of "$what" >/dev/null ;; esac; done
try_packages debootstrap
why=$(systems_missing)
if [ -n "$why" ]; then
	say "skipped: $why"
	exit 0
fi
lock_systems
make_work_dir
passed=0
failed=0

# result RC WHAT LOG
result() {
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
		say "ok - $2"
	else
		failed=$((failed + 1))
		say "not ok - $2"
		show "$3"
	fi
}

# A mirror may be away for a while; what debootstrap brought is enough then.
APT_UPDATE='apt-get -q update || echo "apt-get update failed; with the lists at hand"'
APT_INSTALL='apt-get -q -y install --no-install-recommends'

# A system without a release of it cannot be had everywhere: that is no failure of ours.
had() {
	if ! make_base "$1" >"$WORK/log/base.$1" 2>&1 9>&-; then
		show "$WORK/log/base.$1"
		say "skipped: a system of $1 cannot be built here"
		return 1
	fi
}

# Builds the package for a version into $WORK/debs/VERSION, in a system with nothing in it, as a user without rights.
build() {
	local version=$1 root=$WORK/build log=$WORK/log/build.$1 rc=0
	[ ! -d "$WORK/debs/$version" ] || return 0
	scratch_system "$(suite_of "$version")" "$root"
	mkdir -p "$root/src"
	copy_tree "$root/src/answer-eval"
	run_job inside "$root" sh -euc "$APT_UPDATE
		$APT_INSTALL build-essential postgresql-server-dev-all
		useradd -m builder && chown -R builder: /src
		cd /src/answer-eval
		PG_UPDATECONTROL=yes pg_buildext updatecontrol
		apt-get -q -y build-dep --no-install-recommends ./
		su builder -c 'DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -b -us -uc'" >"$log" 2>&1 9>&- || rc=$?
	mkdir -p "$WORK/debs/$version"
	cp "$root"/src/postgresql-"$version"-answer-eval_*.deb "$WORK/debs/$version/" 2>>"$log" || rc=1
	result "$rc" "PostgreSQL $version: the package is built in a clean $(suite_of "$version") system" "$log"
	rm -rf "$root"
	return "$rc"
}

# Installs it in another one, and removes it.
try_version() {
	local version=$1 root=$WORK/install log=$WORK/log/install.$1 rc=0 name=postgresql-$1-answer-eval
	had "$(suite_of "$version")" || return 0
	build "$version" || return 0
	scratch_system "$(suite_of "$version")" "$root"
	cp -r "$WORK/debs/$version" "$root/debs"
	cp -r "$ROOT/debian/tests" "$root/debs/tests"
	run_job inside "$root" sh -euc "$APT_UPDATE
		$APT_INSTALL /debs/$name"'_*.deb '"python3 openssl
		! dpkg -L $name | grep -E '/(src|test|sql)/|[.](o|c|h)\$'
		ls -l /usr/lib/postgresql/$version/lib/answer_eval.so /usr/lib/postgresql/$version/bin/answer-verify /usr/share/doc/$name/manual" \
		>"$log" 2>&1 9>&- || rc=$?
	result "$rc" "PostgreSQL $version: it installs in another one" "$log"
	[ "$rc" -eq 0 ] || return 0
	run_job inside "$root" /debs/tests/smoke >"$log" 2>&1 9>&- || rc=$?
	result "$rc" "PostgreSQL $version: issued, verified with and without the server, sealed, audited" "$log"
	rc=0
	run_job inside "$root" sh -euc "dpkg --purge $name
		[ -z \"\$(find /usr /etc /var/lib -name '*answer*eval*' -not -path '/var/lib/apt/*')\" ]" >"$log" 2>&1 9>&- || rc=$?
	result "$rc" "PostgreSQL $version: removed, it leaves nothing" "$log"
	rm -rf "$root"
}

try_upgrade() {
	local root=$WORK/upgrade log=$WORK/log/upgrade rc=0 version ok bad versions='15 17 18' mirror
	for version in $versions; do
		had "$(suite_of "$version")" || return 0
	done
	for version in $versions; do
		build "$version" || return 0
	done
	# As on a machine whose Debian was upgraded twice: the newest, with the servers of those before.
	scratch_system sid "$root"
	mirror=$(mirror)
	for version in 15 17; do say "deb $mirror $(suite_of "$version") main"; done >"$root/etc/apt/sources.list.d/older.list"
	mkdir "$root/debs"
	cp "$WORK"/debs/1[578]/*.deb "$ROOT/test/lib/upgrade.sh" "$root/debs/"
	run_job inside "$root" sh -euc "$APT_UPDATE
		$APT_INSTALL postgresql-common && sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
		$APT_INSTALL /debs/*.deb
		install -d -o postgres -g postgres -m 700 /tmp/u" >"$log" 2>&1 9>&- || rc=$?
	result "$rc" 'the packages for 15, 17 and 18 are installed beside each other' "$log"
	[ "$rc" -eq 0 ] || return 0
	# shellcheck disable=SC2086
	run_job inside "$root" setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/tmp/u bash /debs/upgrade.sh /tmp/u $versions \
		>"$log" 2>&1 9>&- || rc=$?
	ok=$(grep -c '^ok - ' "$log" || true)
	bad=$(grep -c '^not ok - ' "$log" || true)
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || show "$log"
	say "pg_upgrade $versions: $ok held, $bad did not"
	passed=$((passed + ok))
	failed=$((failed + bad))
	rm -rf "$root"
}

# The steps of one stage of the Dockerfile: what RUN says, with its lines joined.
steps() {
	awk -v stage="$1" '
		/^FROM / { inside = $0 ~ (" AS " stage "$") }
		!inside { next }
		/^RUN / { run = 1; sub(/^RUN /, "") }
		run { more = sub(/\\$/, ""); printf "%s", $0; if (!more) { print ""; run = 0 } }' "$ROOT/examples/docker/Dockerfile"
}

# What its COPY lines and its FROM lines say is done by hand here, for there is neither a daemon nor a registry.
try_image() {
	local suite built=$WORK/image.build root=$WORK/image log=$WORK/log/image rc=0 dest
	suite=$(sed -nE 's/^ARG DEBIAN=([a-z]+)$/\1/p' "$ROOT/examples/docker/Dockerfile")
	had "$suite" || return 0
	scratch_system "$suite" "$built"
	copy_tree "$built/src"
	steps build >"$built/steps.sh"
	run_job inside "$built" sh -euxc 'cd /src; . /steps.sh' >"$log" 2>&1 9>&- || rc=$?
	result "$rc" 'image: the steps of the stage "build"' "$log"
	[ "$rc" -eq 0 ] || return 0
	scratch_system "$suite" "$root"
	cp -a "$built/out/." "$root/"
	dest=$(sed -nE 's|^COPY examples/docker/entrypoint.sh (.*)$|\1|p' "$ROOT/examples/docker/Dockerfile")
	install -m 755 "$ROOT/examples/docker/entrypoint.sh" "$root$dest"
	steps server >"$root/steps.sh"
	run_job inside "$root" sh -euxc '. /steps.sh' >"$log" 2>&1 9>&- || rc=$?
	result "$rc" 'image: the steps of the stage "server"' "$log"
	[ "$rc" -eq 0 ] || return 0
	cat >"$root/try.sh" <<-'TRY'
		# The server as the image starts it; it is asked over its socket.
		set -eu
		entrypoint=$1
		export POSTGRES_DB=answers
		"$entrypoint" postgres >/tmp/server.log 2>&1 &
		for try in $(seq 240); do
			psql -X -q -h /var/run/postgresql -d answers -c 'SELECT answer_keys()' >/dev/null 2>&1 && break
			kill -0 $! || { cat /tmp/server.log; exit 1; }
			sleep 0.5
		done
		psql -X -q -A -t -v ON_ERROR_STOP=1 -h /var/run/postgresql -d answers \
			-c "SELECT 'verified ' || answer_verify_ok(answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}'))"
		kill -INT $!
		wait $! || true
		"$entrypoint" postgres >>/tmp/server.log 2>&1 &
		for try in $(seq 240); do
			psql -X -q -h /var/run/postgresql -d answers -c 'SELECT' >/dev/null 2>&1 && break
			sleep 0.5
		done
		psql -X -q -A -t -v ON_ERROR_STOP=1 -h /var/run/postgresql -d answers -c "SELECT 'kept ' || count(*) FROM answer.receipt WHERE answer_verify_ok(body)"
		kill -INT $!
		wait $! || true
	TRY
	run_job inside "$root" setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/var/lib/postgresql sh /try.sh "$dest" >"$log" 2>&1 9>&- || rc=$?
	grep -Fxq 'verified true' "$log" && grep -Fxq 'kept 1' "$log" || rc=1
	result "$rc" 'image: starts, issues, verifies, and starts again with what it has' "$log"
	rm -rf "$built" "$root"
}

for what; do
	case $what in
		upgrade) try_upgrade ;;
		image) try_image ;;
		*) try_version "$what" ;;
	esac
done
say
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
