#!/usr/bin/env bash
# The benchmarks: `make bench`, or test/bench/run.sh [check digest eval composite verify memory quality]. Each compares ours
# with what one would use otherwise, on a private server and in one run; prints one table and asserts nothing.
# BENCH_REPETITIONS=N (at least 5, default 7); BENCH_SCALE=N divides the numbers of rows, for a quick look.
set -eu
# shellcheck source=test/bench/lib.sh
. "$(dirname "$0")/lib.sh"

for name; do
	case $name in
		check | digest | eval | composite | verify | memory | quality) ;;
		*) die "no benchmark $name; there are: check digest eval composite verify memory quality" ;;
	esac
done
bench_start
say "OpenSSL: $(openssl version 2>/dev/null || say 'no command')"
bench_py "$@"
