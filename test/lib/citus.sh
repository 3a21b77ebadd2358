#!/usr/bin/env bash
# Prints a folder with a Citus that is built for a PostgreSQL and `make install`ed below it. If there is no Citus, prints why and
# ends with status 3; if the build fails, with status 1.
#
#     PG_CONFIG=... test/lib/citus.sh
#
# ANSWER_EVAL_CITUS: a tarball of its source, or a folder with an installed one (citus.so and citus.control somewhere below
# it). Default: ../shared/vendor/citus-*.tar.*, relative to the checkout.
# ANSWER_EVAL_CITUS_CACHE: where builds are kept, one per machine and version (answer_eval-citus in XDG_CACHE_HOME, or in
# ~/.cache). Citus is not part of this extension.
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
no() { printf '%s\n' "$*"; exit 3; }

source=${ANSWER_EVAL_CITUS:-}
if [ -z "$source" ]; then
	for file in "$ROOT"/../shared/vendor/citus-*.tar.*; do [ ! -f "$file" ] || source=$file; done
	[ -n "$source" ] || no 'no Citus here; ANSWER_EVAL_CITUS names a tarball of its source, or a folder with an installed one'
fi
if [ -d "$source" ]; then
	[ -n "$(find "$source" -name citus.so -print -quit)" ] && [ -n "$(find "$source" -name citus.control -print -quit)" ] ||
		no "ANSWER_EVAL_CITUS=$source has no citus.so and citus.control below it"
	printf '%s\n' "$source"
	exit 0
fi
[ -f "$source" ] || no "ANSWER_EVAL_CITUS=$source is neither a file nor a folder"

pg_config=${PG_CONFIG:-pg_config}
version=$("$pg_config" --version | sed -E 's/^[^0-9]*([0-9.]+).*/\1/')
case ${version%%.*} in
	15 | 16 | 17) ;;
	*) no "Citus 13 is for PostgreSQL 15 to 17, and this is $version" ;;
esac
cache=${ANSWER_EVAL_CITUS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/answer_eval-citus}
name=$(basename "$source")
built=$cache/${name%.tar.*}-pg$version
mkdir -p "$cache" || no "cannot write to $cache, where the build of Citus would be kept"
exec 9>"$cache/lock"
flock 9				# two runs build it once
if [ ! -e "$built/complete" ]; then
	rm -rf "$built" "$built.src"
	mkdir -p "$built.src"
	tar -C "$built.src" --strip-components=1 --no-same-owner -xf "$source"
	if ! (
		cd "$built.src"
		# A late minor version of server 15 declares a function that Citus defines for that major version: rename the one of
		# Citus.
		sed -i 's/#define have_createdb_privilege()/#define citus_have_createdb_privilege()/; s/^have_createdb_privilege(void)/citus_&/' \
			src/include/pg_version_compat.h
		sed -i 's/!have_createdb_privilege()/!citus_have_createdb_privilege()/' \
			src/backend/distributed/commands/serialize_distributed_ddls.c
		nice -n 15 ./configure PG_CONFIG="$pg_config" --without-libcurl
		nice -n 15 make -j "${ANSWER_EVAL_JOBS:-$(nproc)}" with_llvm=no
		nice -n 15 make DESTDIR="$built" with_llvm=no install
	) >"$built.log" 2>&1; then
		tail -n 30 "$built.log" >&2
		printf 'Citus cannot be built here; %s says why\n' "$built.log" >&2
		exit 1
	fi
	rm -rf "$built.src"
	touch "$built/complete"
fi
printf '%s\n' "$built"
