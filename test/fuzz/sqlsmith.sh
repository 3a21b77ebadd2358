#!/usr/bin/env bash
# Random queries over the whole catalog, with our functions, types and views, by Debian's sqlsmith:
#
#     test/fuzz/sqlsmith.sh WORK DIR SECONDS     WORK has the stage (stage_build) and a cluster to copy; DIR is ours
#
# Most of its queries fail for their types, but it tries unusual plans, and calls in unusual places of a query.
# A crash, or an internal error (class XX) raised in our code, is a failure. The seed is ANSWER_EVAL_SEED.
set -eu
# shellcheck source=../lib/common.sh
. "$(dirname "$0")/../lib/common.sh"

command -v sqlsmith >/dev/null || { say 'skipped: sqlsmith is not installed'; exit 0; }
stage=$1
dir=$2
seconds=$3
PG_BINDIR=$stage/stage$("$(pg_config_path)" --bindir)
export PATH=$PG_BINDIR:$PATH
WORK=$dir
mkdir -p "$WORK/log"
# At its end this script removes what it made, but not the logs, which the caller needs.
ANSWER_EVAL_KEEP=1
TEMPLATE=$stage/template
server_start "$dir/smith" 'log_error_verbosity = verbose' 'statement_timeout = 5s' 'log_min_messages = error'
fresh_database smith
psql -X -q -v ON_ERROR_STOP=1 -c "SELECT answer_key_generate(); SELECT answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')" \
	-c "SELECT answer_ask('Is the setting fsync on?'); SELECT answer_investigation_open('Locate', 'x')" >/dev/null
rc=0
timeout -s INT "$seconds" sqlsmith --target="host=$PGHOST port=5432 dbname=smith user=postgres" --seed="${ANSWER_EVAL_SEED:-1}" \
	--verbose >"$dir/log/sqlsmith.log" 2>&1 || rc=$?
server_stop
grep -E '(ERROR|PANIC|FATAL):  XX[0-9]{3}: ' -A 6 "$dir/smith/server.log" >"$dir/log/internal.log" || true
# The server has files with the same names as ours, such as timestamp.c, so the function tells whose error it is.
ours=$(cd "$ROOT/src" && sed -nE 's/^([A-Za-z_][A-Za-z0-9_]*)\(.*/\1/p' ./*.c ./*/*.c | sort -u | paste -sd '|')
bad=0
if grep -Eq 'was terminated by signal|TRAP: |PANIC: ' "$dir/smith/server.log"; then
	bad=1
	grep -E -B 2 -A 8 'was terminated by signal|TRAP: |PANIC: ' "$dir/smith/server.log" | head -n 60
fi
if grep -Eq "LOCATION:  ($ours), " "$dir/log/internal.log"; then
	bad=1
	grep -E -B 4 -A 4 "LOCATION:  ($ours), " "$dir/log/internal.log" | head -n 60
fi
queries=$(sed -nE 's/^queries: ([0-9]+).*/\1/p' "$dir/log/sqlsmith.log" | tail -n 1)
say "sqlsmith: ${queries:-0} queries in $seconds s, exit status $rc"
# sqlsmith may end early because the server is gone, which was checked above, or because it cannot read this catalog.
[ "${queries:-0}" -gt 0 ] || { say 'skipped: sqlsmith wrote no query'; tail -n 3 "$dir/log/sqlsmith.log"; }
say "$((1 - bad)) passed, $bad failed"
exit "$bad"
