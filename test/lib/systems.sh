# shellcheck shell=bash
# Small Debian systems of other releases, for tests on a PostgreSQL that this machine does not have. Source it after common.sh.
# The systems are kept between runs below SYSTEMS, the folder that ANSWER_EVAL_MATRIX_DIR names.
#
#     suite_of 17                        # the release that ships PostgreSQL 17
#     make_system trixie                 # $SYSTEMS/trixie, unless it is there; with a compiler
#     inside "$SYSTEMS/trixie" COMMAND   # as root in namespaces that end with it
#
# Needs root, for debootstrap and chroot.

SYSTEMS=${ANSWER_EVAL_MATRIX_DIR:-/var/tmp/answer_eval-matrix}
# Time limit for building a system, in seconds; empty: no limit.
SYSTEM_SECONDS=
VERSIONS='15 16 17 18'

suite_of() {
	case $1 in
		15) say bookworm ;;
		# no Debian release ships it
		16) say noble ;;
		17) say trixie ;;
		18) say sid ;;
		*) die "no release that this script knows ships PostgreSQL $1; there are $VERSIONS" ;;
	esac
}

# Prints why this machine cannot build or enter systems; nothing if it can.
systems_missing() {
	if [ "$(id -u)" -ne 0 ]; then
		say 'building other Debian systems needs root'
	elif ! command -v debootstrap >/dev/null; then
		say 'debootstrap is not installed'
	elif ! unshare --mount --pid --fork true 2>/dev/null; then
		say 'this machine lets nobody make namespaces, which other systems run in'
	fi
}

# Allows one run at a time.
lock_systems() {
	mkdir -p "$SYSTEMS"
	exec 9>"$SYSTEMS/lock"
	flock -n 9 || { say "waiting for another run that uses $SYSTEMS"; flock 9; }
}

# Prints the mirror that this machine uses for Debian itself, because it is reachable and probably near.
mirror() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' |
		sed -n 's/^Debian|Debian|main|//p' | head -n 1
}

# Source of Ubuntu's packages, for the one version that no Debian release has.
ubuntu_mirror() { say "${ANSWER_EVAL_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}"; }

# Ubuntu's keys, from Debian's package of them: this machine's, or fetched with the keys of a newer Debian.
ubuntu_keyring() {
	local keyring=usr/share/keyrings/ubuntu-archive-keyring.gpg
	if [ ! -f "/$keyring" ] && [ ! -f "$SYSTEMS/$keyring" ]; then
		make_system trixie >&2 || return
		inside "$SYSTEMS/trixie" sh -c 'apt-get -q update; cd /tmp && rm -f ubuntu-keyring_* && apt-get -q download ubuntu-keyring' >&2 || return
		dpkg-deb -x "$SYSTEMS"/trixie/tmp/ubuntu-keyring_*.deb "$SYSTEMS/keyring" || return
		mkdir -p "$SYSTEMS/${keyring%/*}"
		mv "$SYSTEMS/keyring/$keyring" "$SYSTEMS/$keyring"
		rm -rf "$SYSTEMS/keyring"
	fi
	if [ -f "/$keyring" ]; then say "/$keyring"; else say "$SYSTEMS/$keyring"; fi
}

# bootstrap SUITE ROOT [PACKAGES]: makes a system, which gets its name only when it is complete.
bootstrap() {
	local suite=$1 root=$2 include=${3:-} url keyring script options=(--variant=minbase)
	[ -d "$root" ] && return
	if [ "$suite" = noble ]; then
		url=$(ubuntu_mirror)
		keyring=$(ubuntu_keyring) || return
		options+=("--keyring=$keyring" --components=main,universe)
		# an older debootstrap does not know the release, and has the same script under an older name
		script=/usr/share/debootstrap/scripts/noble
		[ -e "$script" ] || script=/usr/share/debootstrap/scripts/jammy
	else
		url=$(mirror)
		[ -n "$url" ] || { say "no Debian mirror in this machine's package sources; run apt-get update first"; return 1; }
	fi
	case $url in https:*) include=${include:+$include,}ca-certificates ;; esac
	[ -z "$include" ] || options+=("--include=$include")
	say "building a $suite system from $url"
	rm -rf "$root.part"
	# shellcheck disable=SC2086
	if ! run_job ${SYSTEM_SECONDS:+timeout $SYSTEM_SECONDS} debootstrap "${options[@]}" "$suite" "$root.part" "$url" ${script:+"$script"} \
		>"$root.log" 2>&1; then
		tail -n 20 "$root.log" >&2
		return 1
	fi
	# No service may start there, and no cluster may be made automatically.
	printf '#!/bin/sh\nexit 101\n' >"$root.part/usr/sbin/policy-rc.d"
	chmod 755 "$root.part/usr/sbin/policy-rc.d"
	# Uses this machine's proxy, and accepts an outdated mirror.
	{
		apt-config dump | grep -i '^Acquire::.*::Proxy' || true
		say 'Acquire::Check-Valid-Until "false";'
	} >"$root.part/etc/apt/apt.conf.d/90answer_eval"
	# Half of an installation's time is waiting for the disk, and a system lost in a power failure can be rebuilt.
	say force-unsafe-io >"$root.part/etc/dpkg/dpkg.cfg.d/90answer_eval"
	mv "$root.part" "$root"
}

make_system() { bootstrap "$1" "$SYSTEMS/$1" gcc,libc6-dev,make,git; }

# fresh_system SUITE NAME: makes a new copy, in $SYSTEMS/NAME, of a system of that release without additions.
fresh_system() {
	bootstrap "$1" "$SYSTEMS/clean-$1" || return
	rm -rf "${SYSTEMS:?}/$2"
	cp -a "$SYSTEMS/clean-$1" "$SYSTEMS/$2"
}

# inside ROOT COMMAND: runs a command in namespaces that end with it, so nothing has to be unmounted or stopped afterwards.
# With INSIDE_ALONE it has a network of its own, with only the loopback interface.
inside() {
	local root=$1
	shift
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	# shellcheck disable=SC2016
	env -i PATH="$PATH" unshare --mount --pid ${INSIDE_ALONE:+--net} --fork --kill-child sh -euc '
		root=$1
		[ -z "$2" ] || ip link set lo up
		shift 2
		mount -t proc proc "$root/proc"
		mount -t tmpfs tmpfs "$root/dev/shm"
		exec chroot "$root" env HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' sh "$root" "${INSIDE_ALONE:-}" "$@" </dev/null
}
