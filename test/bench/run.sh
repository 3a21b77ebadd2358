#!/usr/bin/env bash
# The benchmarks: `make bench`, or test/bench/run.sh [NAME...]: check digest eval composite verify memory quality of bench.py,
# insert seal proof parallel audit of log.py, route of route.sql, record of record.sql, conflicts of conflicts.sql, search of search.sql, graph of graph.sql, plan of plan.sql, execute of execute.py, budget of budget.sh, trace of trace.sql, gate of gate.sql, dashboard of dashboard.sql, tenants of tenants.sql, citus of citus.pl (where there is a Citus: test/lib/citus.sh). Each compares ours with what one would use otherwise, or with its target,
# on a private server and in one run; prints a table and asserts nothing. README.md says what each measures, and its goal. BENCH_REPETITIONS=N (at least 5, default 7);
# BENCH_SECONDS=N that each of the inserts takes (default 4); BENCH_SCALE=N divides the numbers of rows, for a quick look.
set -eu
# shellcheck source=test/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rules=()
log=()
route=()
record=()
conflicts=()
search=()
graph=()
plan=()
execute=()
budget=()
trace=()
gate=()
dashboard=()
tenants=()
citus=()
[ "$#" -gt 0 ] || set -- check digest eval composite verify memory quality insert seal proof parallel audit route record conflicts search graph plan execute budget trace gate dashboard tenants citus
for name; do
	case $name in
		check | digest | eval | composite | verify | memory | quality) rules+=("$name") ;;
		insert | seal | proof | parallel | audit) log+=("$name") ;;
		route) route+=("$name") ;;
		record) record+=("$name") ;;
		conflicts) conflicts+=("$name") ;;
		search) search+=("$name") ;;
		graph) graph+=("$name") ;;
		plan) plan+=("$name") ;;
		execute) execute+=("$name") ;;
		budget) budget+=("$name") ;;
		trace) trace+=("$name") ;;
		gate) gate+=("$name") ;;
		dashboard) dashboard+=("$name") ;;
		tenants) tenants+=("$name") ;;
		citus) citus+=("$name") ;;
		*) die "no benchmark $name; there are: check digest eval composite verify memory quality insert seal proof parallel audit route record conflicts search graph plan execute budget trace gate dashboard tenants citus" ;;
	esac
done
bench_start
say "OpenSSL: $(openssl version 2>/dev/null || say 'no command')"
[ "${#rules[@]}" -eq 0 ] || bench_py "${rules[@]}"
[ "${#log[@]}" -eq 0 ] || WORK=$WORK run_job "$PYTHON" "$BENCH/log.py" "${log[@]}"
[ "${#route[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/route.sql"
[ "${#record[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/record.sql"
[ "${#conflicts[@]}" -eq 0 ] || run_job env PG_ABS_SRCDIR="$ROOT/test" psql -X -f "$BENCH/conflicts.sql"
[ "${#search[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/search.sql"
[ "${#graph[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/graph.sql"
[ "${#plan[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/plan.sql"
[ "${#execute[@]}" -eq 0 ] || run_job "$PYTHON" "$BENCH/execute.py" --signer "$WORK/bench_ed25519"
[ "${#budget[@]}" -eq 0 ] || run_job "$BENCH/budget.sh"
[ "${#trace[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/trace.sql"
[ "${#gate[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/gate.sql"
[ "${#tenants[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/tenants.sql"
[ "${#citus[@]}" -eq 0 ] || bench_citus
[ "${#dashboard[@]}" -eq 0 ] || run_job psql -X -f "$BENCH/dashboard.sql"
