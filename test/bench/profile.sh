#!/usr/bin/env bash
# Shows where the time goes: test/bench/profile.sh check|digest|eval|eval-cold|composite|verify|verify-text. Repeats the
# benchmark's query on a private server and shows the 25 symbols in which perf finds the backend most often.
# PROFILE_SECONDS=N (default 15); PROFILE_CALLERS=1 also shows their callers.
set -eu
# shellcheck source=test/bench/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
	check | digest | eval | eval-cold | composite | verify | verify-text) name=$1 ;;
	*) die 'which benchmark? check digest eval eval-cold composite verify verify-text' ;;
esac
seconds=${PROFILE_SECONDS:-15}

# Not with ensure_packages, which ends the script if there is no such package.
command -v perf >/dev/null || quiet_apt install --no-install-recommends linux-perf || true
bench_start
if ! perf record -q -g -o "$WORK/perf.data" -- true >/dev/null 2>&1; then
	say 'perf does not work here (missing, or forbidden by kernel.perf_event_paranoid). Instead, with far fewer rows:'
	say "    valgrind --tool=callgrind --trace-children=yes postgres --single -D DATA bench    and the query of $name"
	exit 0
fi
bench_py --profile "$name" --seconds "$((seconds + 3))" --pid-file "$WORK/pid" &
loop=$!
while [ ! -e "$WORK/pid" ]; do
	kill -0 "$loop" 2>/dev/null || die 'the benchmark does not start'
	sleep 0.2
done
# The server has no frame pointers, so perf finds callers by unwinding copies of the stack. That is slow, so it samples less often.
graph=(-g -F 999)
[ -z "${PROFILE_CALLERS:-}" ] || graph=(--call-graph "dwarf,16384" -F 149)
run_job perf record -q "${graph[@]}" -p "$(cat "$WORK/pid")" -o "$WORK/perf.data" -- sleep "$seconds" >/dev/null 2>&1
wait "$loop"

# symbols OPTIONS...: lines of percentage, object and symbol. All functions without a name (static ones of a stripped program) are one line.
symbols() {
	perf report -i "$WORK/perf.data" --stdio -g none --sort dso,symbol --percent-limit 0 "$@" 2>/dev/null
}

say "$name: where $seconds seconds of samples find the backend"
symbols --no-children | awk '
	/^ +[0-9.]+%/ {
		sub(/%/, "", $1); symbol = $4
		if (symbol ~ /^0x/) symbol = "(unnamed)"
		if ($2 ~ /^\[/) { $2 = "kernel"; symbol = "(all)" }
		sum[$2 " " symbol] += $1; object[$2] += $1
	}
	END {
		for (one in object) printf "%6.2f %%  in %s\n", object[one], one | "sort -rn"
		close("sort -rn")
		print ""
		for (one in sum) { split(one, part, " "); printf "%6.2f %%  %-18s %s\n", sum[one], part[1], part[2] | "sort -rn | head -n 25" }
	}'
if [ -n "${PROFILE_CALLERS:-}" ]; then
	say ''
	say 'with all that they call:'
	symbols --children | awk '
		/^ +[0-9.]+%/ && $5 !~ /^0x/ && $3 !~ /^\[/ { sub(/%/, "", $1); printf "%6.2f %%  %-18s %s\n", $1, $3, $5 }' | head -n 70
fi
