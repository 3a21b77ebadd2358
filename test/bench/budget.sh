#!/usr/bin/env bash
# The benchmark `budget`, for run.sh: plans of five steps per second by 32 clients, with the caps of one tenant, with those of
# 32 tenants, and for a tenant without a cap.
set -eu
BENCH=$(cd "$(dirname "$0")" && pwd)
CLIENTS=32
seconds=${BENCH_SECONDS:-4}
repetitions=${BENCH_REPETITIONS:-7}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

request='{\"plan\": {\"ref\": \"bench\"}, \"tenant\": \"TENANT\"}'
request=${request//\\/}
run="CALL answer_plan_run('$request', NULL)"
execute="SELECT answer_plan_execute('$request')"
for form in run execute; do
	printf '%s\n' "${!form//TENANT/t0}" > "$directory/$form.one"
	printf '%s\n' "${!form//TENANT/t:client_id}" > "$directory/$form.many"
	printf '%s\n' "${!form//TENANT/free}" > "$directory/$form.none"
done

# Plans per second.
rate() {
	pgbench -n -c $CLIENTS -j 2 -T "$seconds" -f "$directory/$1" 2>&1 | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}

middle() {
	sort -n | sed -n "$(((repetitions + 1) / 2))p"
}

psql -Xq -o /dev/null -f "$BENCH/budget.sql"
for form in run execute; do
	for share in one many none; do rate "$form.$share" > /dev/null; done
	for ((i = 0; i < repetitions; i++)); do
		for share in one many none; do rate "$form.$share" >> "$directory/$form.$share.rates"; done
	done
done
printf '\nPlans of five steps a second, %s clients (median of %s runs)\n' $CLIENTS "$repetitions"
printf '%-28s %12s %12s %12s %18s %14s   %s\n' '' 'one tenant' '32 tenants' 'without cap' 'one / 32 tenants' 'one / without' target
for form in run execute; do
	one=$(middle < "$directory/$form.one.rates")
	many=$(middle < "$directory/$form.many.rates")
	none=$(middle < "$directory/$form.none.rates")
	printf '%-28s %12s %12s %12s %18s %14s   %s\n' "answer_plan_$form" "$one" "$many" "$none" \
		"$(awk "BEGIN {printf \"%.2f\", $one / $many}")" "$(awk "BEGIN {printf \"%.2f\", $one / $none}")" \
		"$([ "$form" = run ] && printf '>= 0.5, both' || printf 'none: it holds the budget to the end of the transaction')"
done
