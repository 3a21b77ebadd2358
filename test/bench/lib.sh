# shellcheck shell=bash
# What run.sh and profile.sh share: packages, the server with settings for measuring, the comparison program.
# Source it from a bash script that has `set -eu`.

# shellcheck source=test/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

BENCH=$ROOT/test/bench
PYTHON=

bench_python() {
	local candidate
	for candidate in python3 /usr/bin/python3; do
		if "$candidate" -c 'import psycopg2, cryptography' 2>/dev/null; then PYTHON=$candidate; return; fi
	done
	die 'no python3 with psycopg2 and cryptography'
}

# Durable like an installation, but without interference: background work is switched off as far as possible, and
# checkpoints are rare.
bench_start() {
	ensure_server_packages gcc libc6-dev python3 python3-psycopg2 python3-cryptography
	bench_python
	make_work_dir
	stage_build "$WORK"
	run_job gcc -O2 -Wall -o "$WORK/bench_ed25519" "$BENCH/bench_ed25519.c" -lcrypto
	server_start "$WORK" 'fsync = on' 'shared_buffers = 512MB' 'jit = off' 'autovacuum = off' 'max_wal_size = 8GB' \
		'checkpoint_timeout = 1h'
	fresh_database bench
	export PYTHONDONTWRITEBYTECODE=1
}

# Runs citus.pl on a cluster of its own, of servers with Citus.
bench_citus() {
	local why
	# shellcheck disable=SC2086
	try_packages $CITUS_PACKAGES
	if ! why=$(citus_folder "$WORK/citus"); then say "citus: skipped: $why"; return; fi
	server_dirs "$WORK/c"
	as_server_user env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE TESTDATA_TMP="$WORK/c" TMPDIR="$WORK/c" \
		ANSWER_EVAL_CITUS_BUILT="$WORK/citus" perl "$WORK/tree/test/bench/citus.pl" \
		"$((2000000 / ${BENCH_SCALE:-1}))" "$((10000 / ${BENCH_SCALE:-1}))"
}

# bench_py ARGUMENTS...
bench_py() {
	run_job "$PYTHON" "$BENCH/bench.py" --signer "$WORK/bench_ed25519" "$@"
}
