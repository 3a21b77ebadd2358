#!/usr/bin/env bash
# Runs every test there is against a server of its own: what `make test` does. Ends with `N passed, N failed`.
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"

# Strict here and not in the Makefile: a warning of a future compiler must not stop a user's build. A function
# without SQL arguments leaves fcinfo unused, in the server's headers too, hence the first exception; the second one
# undoes a habit of the server's own flags that C99 made needless.
STRICT='-std=gnu17 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-declaration-after-statement'

# Test data that others published; programs that want it say so when it is not there.
VECTORS=${ANSWER_EVAL_VECTORS:-$ROOT/../shared/vectors}

passed=0
failed=0
skipped=0

# tally WHAT PASSED FAILED [SKIPPED]: counts, and says how it went.
tally() {
	passed=$((passed + $2))
	failed=$((failed + $3))
	skipped=$((skipped + ${4:-0}))
	printf '  %-40s %5d passed' "$1" "$2"
	[ "$3" -eq 0 ] || printf ', %d FAILED' "$3"
	[ "${4:-0}" -eq 0 ] || printf ', %d skipped' "$4"
	printf '\n'
}

# tap_file NAME LOG COMMAND: runs a producer of TAP under prove, which judges its plan and exit status too.
tap_file() {
	local name=$1 log=$2 rc=0 ok bad skip
	shift 2
	run_job "$@" >"$log" 2>&1 || rc=$?
	read -r ok bad skip < <(awk '
		/^(not )?ok / && tolower($0) ~ /# *skip/ { skip++; next }
		/^1\.\.0 *#/ { skip++; next }
		/^not ok / && tolower($0) !~ /# *todo/ { bad++; next }
		/^(not )?ok / { ok++ }
		END { print ok + 0, bad + 0, skip + 0 }' "$log")
	# It died, or kept not to its plan, with nothing wrong in between.
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || { grep '^not ok' "$log" | sed 's/^/    | /' || true; show "$log"; }
	tally "$name" "$ok" "$bad" "$skip"
}

regress() {
	say 'pg_regress:'
	run_regress PG_CFLAGS="$STRICT"
	tally 'test/sql' "$REGRESS_PASSED" "$REGRESS_FAILED"
}

# Fills a new database for a section; its failure is one failed test and skips the section.
database() {
	local log=$WORK/log/database.log
	fresh_database "$1" >"$log" 2>&1 && return
	show "$log"
	tally "database $1" 0 1
	return 1
}

pgtap() {
	local file name
	say 'pgTAP:'
	for file in "$WORK"/tree/test/pgtap/*.sql; do
		name=$(basename "$file" .sql)
		database "pgtap_$name" || continue
		# Its own schema: in public, its hundreds of functions would show in tests of what the extension makes.
		psql -X -q -v ON_ERROR_STOP=1 -c 'CREATE SCHEMA tap' -c 'CREATE EXTENSION pgtap SCHEMA tap' \
			-c "ALTER DATABASE \"$PGDATABASE\" SET search_path = \"\$user\", public, tap"
		tap_file "test/pgtap/$name" "$WORK/log/pgtap_$name.log" \
			prove -v -e 'psql -X -q -t -A -P pager=off -v ON_ERROR_STOP=1 -f' "$file"
	done
}

# These make servers of their own, hence run as the server's user, and may not find the shared server by accident.
tap() {
	local file name perl number=0 pgxs
	say 'TAP programs:'
	pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/../..
	perl=$WORK/tree/test/tap:$WORK/tree/test/tap/lib:$pgxs/src/test/perl
	for file in "$WORK"/tree/test/tap/*.t "$WORK"/tree/test/tap/*.pl; do
		name=${file##*/}
		number=$((number + 1))
		# A short name, for the sake of sockets below it.
		server_dirs "$WORK/t" "$WORK/t/$number"
		tap_file "test/tap/$name" "$WORK/log/tap_$name.log" as_server_user \
			env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE -C "$WORK/tree" PERL5LIB="$perl" \
			TESTDATA_TMP="$WORK/t/$number" TMPDIR="$WORK/t/$number" \
			TESTDIR="$WORK/t/$number" TESTDATADIR="$WORK/t/$number/tmp_check" TESTLOGDIR="$WORK/t/$number/log" \
			PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
			prove -v "$file"
	done
}

# comparison NAME: a program that holds the extension against an implementation that shares no code with it. A line
# `AREA: N cases, N disagreements` is one area; the last line has the sum, without a name.
comparison() {
	local log=$WORK/log/oracle_$1.log rc=0 ok bad skip
	[ -f "$WORK/tree/test/oracle/$1" ] || return 0
	database "oracle_${1%.py}" || return 0
	run_job env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" python3 "test/oracle/$1" >"$log" 2>&1 || rc=$?
	ok=$(grep -Ec '^.+: *[1-9][0-9]* cases, 0 disagreements' "$log" || true)
	bad=$(grep -E '^.+: *[0-9]+ cases, [0-9]+ disagreements' "$log" | grep -Evc '[: ][1-9][0-9]* cases, 0 disagreements' || true)
	skip=$(grep -c '^skipped: ' "$log" || true)
	if ! tail -n 1 "$log" | grep -Eq '^[1-9][0-9]* cases, 0 disagreements'; then rc=1; fi
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	if [ "$bad" -gt 0 ]; then
		show "$log"
	elif [ "$ok" -eq 0 ]; then
		ok=1
	fi
	tally "test/oracle/$1" "$ok" "$bad" "$skip"
	grep '^skipped: ' "$log" | sed 's/^/    /' || true
	tail -n 1 "$log" | sed 's/^/    /'
}

# unittests NAME: a program of Python's unittest, which counts for itself.
unittests() {
	local log=$WORK/log/oracle_$1.log rc=0 ok bad skip
	[ -f "$WORK/tree/test/oracle/$1" ] || return 0
	run_job env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" python3 "test/oracle/$1" -v >"$log" 2>&1 || rc=$?
	ok=$(sed -nE 's/^Ran ([0-9]+) tests? in .*/\1/p' "$log")
	bad=$(grep -Ec '^(FAIL|ERROR): ' "$log" || true)
	skip=$(grep -c "\.\.\. skipped 'skipped: " "$log" || true)
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || show "$log"
	ok=$((${ok:-1} - bad - skip))
	tally "test/oracle/$1" "$((ok < 0 ? 0 : ok))" "$bad" "$skip"
	sed -nE "s/.*\.\.\. skipped '(.*)'$/    \1/p" "$log" | sort -u
}

oracle() {
	say 'oracle:'
	comparison compare.py
	comparison offline.py
	unittests test_oracle.py
	unittests test_tool.py
}

# Programs that try vectors which others published. One passes by its exit status, unless it counts for itself.
outside() {
	local file name log rc ok bad skip
	say 'outside:'
	for file in "$WORK"/tree/test/outside/*.sh; do
		[ -x "$file" ] || continue
		name=${file##*/}
		log=$WORK/log/outside_$name.log
		rc=0
		database "outside_${name%.sh}" || continue
		run_job env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" "$file" >"$log" 2>&1 || rc=$?
		skip=$(grep -c '^skipped: ' "$log" || true)
		read -r ok bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$log" | tail -n 1) || { ok=; bad=0; }
		[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
		# One that could only skip has not passed anything.
		[ -n "$ok" ] || ok=$((bad > 0 || skip > 0 ? 0 : 1))
		[ "$bad" -eq 0 ] || show "$log"
		tally "test/outside/$name" "$ok" "$bad" "$skip"
		grep '^skipped: ' "$log" | sed 's/^/    /' || true
	done
}

# What fuzzing found, and a few thousand inputs of each target, the same mutations each time. One target is one test.
fuzz() {
	local log=$WORK/log/fuzz.log rc=0 ok bad skip
	say 'fuzz:'
	database fuzz || return 0
	run_job env -C "$WORK/tree" python3 test/fuzz/fuzz.py --rounds 1 --rows 60 --seed 1 --keep "$WORK/log" >"$log" 2>&1 || rc=$?
	read -r ok bad skip < <(sed -nE 's/^cases: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$log") ||
		{ ok=0; bad=1; skip=0; }
	tally 'test/fuzz/cases' "$ok" "$bad" "$skip"
	ok=$(grep -Ec '^[a-z]+: [1-9][0-9]* inputs, 0 findings' "$log" || true)
	rc=$((rc > 0 && bad == 0 ? 1 : 0))
	bad=$(grep -Ec '^[a-z]+: [0-9]+ inputs, [1-9][0-9]* findings' "$log" || true)
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	if [ "$rc" -ne 0 ] || grep -q '^FOUND' "$log"; then show "$log"; fi
	tally 'test/fuzz/fuzz.py' "$ok" "$bad"
}

shopt -s nullglob
ensure_server_packages postgresql-@-pgtap libipc-run-perl perl python3 openssl git cmake
make_work_dir
say "building against $("$(pg_config_path)" --version)"
stage_build "$WORK" PG_CFLAGS="$STRICT"
server_start "$WORK"

regress
pgtap
tap
oracle
outside
fuzz

if grep -Eq 'was terminated by signal|TRAP: ' "$WORK/server.log"; then
	grep -E -B 2 -A 3 'was terminated by signal|TRAP: ' "$WORK/server.log" | tail -n 40
	tally 'the server survived' 0 1
fi
say
if [ "$skipped" -gt 0 ]; then
	say "$passed passed, $failed failed, $skipped skipped"
else
	say "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
