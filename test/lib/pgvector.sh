#!/usr/bin/env bash
# Prints a folder with a pgvector that is built for a PostgreSQL and `make install`ed below it. If there is no pgvector,
# prints why and ends with status 3; if the build fails, with status 1. For servers whose system has no package of it.
#
#     PG_CONFIG=... test/lib/pgvector.sh
#
# ANSWER_EVAL_PGVECTOR: a tarball of its source. Default: ../shared/vendor/pgvector-*.tar.*, relative to the checkout.
# ANSWER_EVAL_PGVECTOR_CACHE: where a build is kept (answer_eval-pgvector in XDG_CACHE_HOME, or in ~/.cache). pgvector is not
# part of this extension.
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
no() { printf '%s\n' "$*"; exit 3; }

source=${ANSWER_EVAL_PGVECTOR:-}
if [ -z "$source" ]; then
	for file in "$ROOT"/../shared/vendor/pgvector-*.tar.*; do [ ! -f "$file" ] || source=$file; done
	[ -n "$source" ] || no 'no pgvector here; ANSWER_EVAL_PGVECTOR names a tarball of its source'
fi
[ -f "$source" ] || no "ANSWER_EVAL_PGVECTOR=$source is no file"
pg_config=${PG_CONFIG:-pg_config}
version=$("$pg_config" --version | sed -E 's/^[^0-9]*([0-9.]+).*/\1/')
cache=${ANSWER_EVAL_PGVECTOR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/answer_eval-pgvector}
name=$(basename "$source")
built=$cache/${name%.tar.*}-pg$version
mkdir -p "$cache" || no "cannot write to $cache, where the build of pgvector would be kept"
exec 9>"$cache/lock"
flock 9				# two runs build it once
if [ ! -e "$built/complete" ]; then
	rm -rf "$built" "$built.src"
	mkdir -p "$built.src"
	tar -C "$built.src" --strip-components=1 --no-same-owner -xf "$source"
	# not for this processor only, and without bitcode, which takes most of the time
	if ! (
		cd "$built.src"
		nice -n 15 make -j "${ANSWER_EVAL_JOBS:-$(nproc)}" OPTFLAGS= with_llvm=no PG_CONFIG="$pg_config"
		nice -n 15 make DESTDIR="$built" with_llvm=no PG_CONFIG="$pg_config" install
	) >"$built.log" 2>&1; then
		tail -n 30 "$built.log" >&2
		printf 'pgvector cannot be built here; %s says why\n' "$built.log" >&2
		exit 1
	fi
	rm -rf "$built.src"
	touch "$built/complete"
fi
printf '%s\n' "$built"
