#!/usr/bin/env bash
# Runs tests on private throw-away servers, several at a time. Used by `make check`, `make test` and `make test-long`.
#
#     test/run.sh check|test|long              every program of the tier; ends with `N passed, N failed[, N skipped]`
#     test/run.sh TIER NAME...                 only these programs, in the sizes of that tier, whatever tier they are in
#     test/run.sh TIER --list                  the names
#
# A program is a file of test/tap, test/oracle or test/outside, or one of the functions program_... below. sql is all of
# test/sql in one database, in the Makefile's order; sql/NAME is one file of it alone. pgtap is every file of test/pgtap in
# the tier that ends with ROLLBACK, in one database; pgtap/NAME is one file. A file states its tiers in a line
# `tiers: check test long`, in a comment among its first 30 lines; without it the tiers are those of its folder (tiers_of).
# A program finds the tier in ANSWER_EVAL_TIER and may do more in a higher one. All its random choices follow from
# ANSWER_EVAL_SEED (1).
#
# ANSWER_EVAL_LEAVE_OUT="NAME...": programs to leave out; each counts as skipped.
# TMPDIR: folder for the files. Without it they are in memory in the tiers check and test, if there is plenty, else in /tmp.
# ANSWER_EVAL_JOBS: number of programs that run at a time (processors + 1).
# ANSWER_EVAL_FUZZ_MINUTES: minutes for each fuzzer of `long` (2).
# ANSWER_EVAL_CITUS, ANSWER_EVAL_CITUS_CACHE: see test/lib/citus.sh. ANSWER_EVAL_PGVECTOR: see test/lib/pgvector.sh.
# ANSWER_EVAL_VECTORS: a folder of published test data. ANSWER_EVAL_KEEP=1: keep the working directory, with all logs.
# PYTHON: the Python that runs programs (/usr/bin/python3).
set -eu
# shellcheck source=test/lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=test/lib/systems.sh
. "$(dirname "$0")/lib/systems.sh"

# Strict here and not in the Makefile: a warning of a future compiler must not break a user's build. The first exception
# is for functions without SQL arguments, which leave fcinfo unused, also in the server's headers. The second one is for
# declarations after statements, against which the server's own flags warn although C99 allows them. No debugging
# information: it takes a third of the compile time.
STRICT='-std=gnu17 -g0 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-declaration-after-statement'

# Published test data; programs that need it say so if it is missing.
VECTORS=${ANSWER_EVAL_VECTORS:-$ROOT/../shared/vectors}

TIERS='check test long'
tier=${1:-test}
case " $TIERS " in *" $tier "*) ;; *) die "no tier $tier; there are: $TIERS" ;; esac
[ "$#" -eq 0 ] || shift
# The tier long optimizes as for users, because some warnings depend on it. The others save compile time: after an edit
# of a header that everybody includes, -O0 takes 40 % less of it, and only slows the tests by 5 %.
case $tier in check) STRICT+=' -O0' ;; test) STRICT+=' -O1' ;; esac
# The server's JIT compiles queries that it considers expensive. On few rows that takes longer than it saves. The tier
# long keeps it on.
WITHOUT_JIT=()
[ "$tier" = long ] || WITHOUT_JIT=('jit = off')
# A value of some MB gets new memory each time, in pages of 4 kB, which costs the kernel more than using it. With these
# settings of glibc a process keeps its memory, in pages of 2 MB if the kernel supports them. Not in the tier long.
[ "$tier" = long ] || export GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824:glibc.malloc.top_pad=4194304
seed=${ANSWER_EVAL_SEED:-1}
[[ $seed =~ ^[0-9]{1,9}$ ]] || die "ANSWER_EVAL_SEED=$seed is not a number of up to 9 digits"
minutes=${ANSWER_EVAL_FUZZ_MINUTES:-2}
[[ $minutes =~ ^[0-9]{1,5}$ ]] || die "ANSWER_EVAL_FUZZ_MINUTES=$minutes is not a number of up to 5 digits"
# One more than there are processors, because programs often wait.
jobs=${ANSWER_EVAL_JOBS:-$(($(nproc) + 1))}
[[ $jobs =~ ^[1-9][0-9]{0,2}$ ]] || die "ANSWER_EVAL_JOBS=$jobs is not a number from 1 to 999"
export ANSWER_EVAL_TIER=$tier ANSWER_EVAL_SEED=$seed

# by_tier CHECK TEST LONG: prints the argument for this tier.
by_tier() {
	case $tier in check) say "$1" ;; test) say "$2" ;; long) say "$3" ;; esac
}

# --- the programs -------------------------------------------------------------------------------------------------

# Programs that are not files: name and tiers.
BUILT_IN='
	sql         check test
	pgtap       check test long
	sql_alone              long
	fuzz/inputs check test long
	fuzz/calls             long
	fuzz/sqlsmith          long
	asan                   long
	valgrind               long
	matrix                 long
	newer                  long
	packages               long
	drivers                long
	measure          test
	embeddings             long
	gateway               long
'

# Prints the file of a program, or nothing.
file_of() {
	case $1 in
		pgtap/* | sql/*) say "$ROOT/test/$1.sql" ;;
		tap/*) say "$ROOT/test/$1.pl" ;;
		oracle/*) say "$ROOT/test/$1.py" ;;
		outside/*) say "$ROOT/test/$1.sh" ;;
	esac
}

tiers_of() {
	local file said
	file=$(file_of "$1")
	if [ -z "$file" ]; then
		awk -v name="$1" '$1 == name { $1 = ""; print }' <<<"$BUILT_IN"
		return
	fi
	said=$(sed -nE '1,30s/^(#|--) tiers: ([a-z ]+)$/\2/p' "$file")
	for word in $said; do case " $TIERS " in *" $word "*) ;; *) die "$file: no tier $word; there are: $TIERS" ;; esac; done
	[ -n "$said" ] || case $1 in tap/*) said='test' ;; *) said='check test' ;; esac
	say "$said"
}

# Prints every program, in the order in which results are shown.
all_programs() {
	local file name
	say sql
	say pgtap
	for file in "$ROOT"/test/pgtap/*.sql; do is_rolled_back "$file" || say "pgtap/$(basename "$file" .sql)"; done
	for file in "$ROOT"/test/tap/*.pl "$ROOT"/test/outside/*.sh; do
		name=${file#"$ROOT/test/"}
		say "${name%.*}"
	done
	printf '%s\n' oracle/compare oracle/offline oracle/page oracle/test_decision oracle/test_gate oracle/test_graph oracle/test_oracle oracle/test_plan oracle/test_tool
	awk 'NF && $1 != "sql" && $1 != "pgtap" { print $1 }' <<<"$BUILT_IN"
}

# Prints the programs of the tier.
tier_programs() {
	local name tiers
	for name in $(all_programs); do
		tiers=$(tiers_of "$name")
		case " $tiers " in *" $tier "*) say "$name" ;; esac
	done
}

# The programs that take longest. If one of them started last, the run would have to wait for it.
LONGEST='matrix valgrind asan drivers newer sql sql_alone pgtap oracle/offline tap/base_memory tap/log_audit tap/log_tampering tap/doc_citus
	oracle/test_tool oracle/page fuzz/calls tap/document_page tap/evidence_cancel tap/base_schema tap/document_timestamp
	tap/doc_examples tap/log_crash tap/base_limits tap/log_copies tap/keys_database tap/route
	tap/document_corpus tap/eval_concurrency'

# Prints the programs in the best order to start them: the longest first, then those that start many servers.
by_length() {
	awk -v longest="$LONGEST" '
		BEGIN { for (i = split(longest, names); i > 0; i--) rank[names[i]] = i }
		{ print $1 in rank ? rank[$1] : /^fuzz/ ? 100 : /^tap/ ? 101 : /^o/ ? 102 : 103, NR, $1 }' |
		sort -n -k1,1 -k2,2 | cut -d ' ' -f 3
}

# --- running one ------------------------------------------------------------------------------------------------
# Each program runs in a background shell, with DIR for its files and a server of its own. It prints what people should
# see, and writes `PASSED FAILED SKIPPED` to DIR/count.

# count PASSED FAILED [SKIPPED]
count() {
	printf '%d %d %d\n' "$1" "$2" "${3:-0}" >"$DIR/count"
}

# Makes a cluster with a database that has the extension, to be copied: making it takes longer than many programs
# do.
make_extended() (
	server_start "$WORK/extended"
	fresh_database tests >"$WORK/extended.log" 2>&1 || { cat "$WORK/extended.log" >&2; die 'CREATE EXTENSION failed'; }
	server_stop
)

# The same with pgTAP, in a schema of its own, because its hundreds of functions would show in tests of the
# extension's objects.
make_extended_pgtap() (
	TEMPLATE=$WORK/extended/data
	server_start "$WORK/pgtap"
	psql -X -q -v ON_ERROR_STOP=1 -d tests -c 'CREATE SCHEMA tap' -c 'CREATE EXTENSION pgtap SCHEMA tap' \
		-c "ALTER DATABASE tests SET search_path = \"\$user\", public, tap" >"$WORK/pgtap.log" 2>&1 ||
		{ cat "$WORK/pgtap.log" >&2; die 'CREATE EXTENSION pgtap failed'; }
	server_stop
)

# A cluster for the first server of a TAP program, with the extension in its database postgres.
make_extended_tap() (
	TEMPLATE=$WORK/template.tap.0
	server_start "$WORK/extended.tap" 'autovacuum = off'
	psql -X -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION answer_eval' >"$WORK/extended.tap.log" 2>&1 ||
		{ cat "$WORK/extended.tap.log" >&2; die 'CREATE EXTENSION failed'; }
	server_stop
	# without the output of server_start
	cp -p "$TEMPLATE/postgresql.conf" "$WORK/extended.tap/data"
	mv "$WORK/extended.tap/data" "$TEMPLATE.extended"
)

# Clusters for the first two servers of a TAP program.
make_tap_clusters() {
	local i
	for i in 0 1; do template_cluster "$WORK/template.tap.$i" --locale=C; done
	! uses_extended || make_extended_tap
}

# Does any program in `names` ask for a cluster with the extension?
uses_extended() {
	local name
	for name in "${names[@]}"; do
		case $name in tap/*) if grep -q 'extended *=> *1' "$(file_of "$name")"; then return 0; fi ;; esac
	done
	return 1
}

# own_server [postgresql.conf lines]: starts a server for this program alone, with a database that has the extension, copied
# from the one in EXTENDED.
own_server() {
	local TEMPLATE=${EXTENDED:-$WORK/extended/data}
	server_start "$DIR" "${WITHOUT_JIT[@]}" "$@"
	export PGDATABASE=tests
}

# Stops it. A crash is a failure, whatever the program has reported.
end_server() {
	local passed failed skipped
	server_stop
	if grep -Eq 'was terminated by signal|TRAP: |PANIC: ' "$DIR/server.log"; then
		grep -E -B 2 -A 3 'was terminated by signal|TRAP: |PANIC: ' "$DIR/server.log" | tail -n 40 | sed 's/^/    | /'
		read -r passed failed skipped <"$DIR/count"
		count "$passed" "$((failed + 1))" "$skipped"
	fi
}

# tap_file COMMAND: runs a producer of TAP under prove, which also checks its plan and exit status.
tap_file() {
	local log=$DIR/log rc=0 ok bad skip
	"$@" >"$log" 2>&1 || rc=$?
	read -r ok bad skip < <(awk '
		/^(not )?ok / && tolower($0) ~ /# *skip/ { skip++; next }
		/^1\.\.0 *#/ { skip++; next }
		/^not ok / && tolower($0) !~ /# *todo/ { bad++; next }
		/^(not )?ok / { ok++ }
		END { print ok + 0, bad + 0, skip + 0 }' "$log")
	# The program died, or did not keep to its plan, without a failed test.
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || { grep '^not ok' "$log" | sed 's/^/    | /' || true; show "$log"; }
	grep -Ei '^ok .*# *skip|^1\.\.0 *#' "$log" | sed -E 's/^.*# *(skip(ped)?:?|SKIP(PED)?:?) */    skipped: /I' | sort | uniq -c |
		sed -E 's/^ *1 /  /; s/^ *([0-9]+) +(.*)/    \2 (\1 times)/' || true
	count "$ok" "$bad" "$skip"
}

# Runs all files in the Makefile's list, or one file, which must make what it needs.
program_sql() {
	server_start "$DIR" "${WITHOUT_JIT[@]}"
	run_regress PG_CFLAGS="$STRICT" ${1:+REGRESS="$1"}
	count "$REGRESS_PASSED" "$REGRESS_FAILED"
	end_server
}

# Runs each file of test/sql alone, in random order, to show that no file depends on what another one leaves. The databases
# sort texts like a dictionary, and numbers in them by value; those of the other programs sort by bytes.
program_sql_alone() {
	local name list passed=0 failed=0 skipped=0 locale=(--locale-provider=icu --icu-locale=de-u-kn-true)
	if [[ $("$PG_CONFIG" --configure) != *--with-icu* ]]; then
		say '    skipped: another collation: this PostgreSQL is built without ICU'
		skipped=1
		locale=()
	fi
	make_cluster "$WORK/template.alone" --locale=C.UTF-8 "${locale[@]}"
	TEMPLATE=$WORK/template.alone server_start "$DIR"
	( fresh_database extended ) >"$DIR/log" 2>&1 || { cat "$DIR/log"; die 'CREATE EXTENSION failed'; }
	list=$(make -s -C "$WORK/tree" PG_CONFIG="$PG_CONFIG" list-regress | tr ' ' '\n' | shuffled)
	say "    in this order: ${list//$'\n'/ }"
	for name in $list; do
		# this test creates the extension and needs a database without it
		psql -X -q -v ON_ERROR_STOP=1 -c 'SET client_min_messages = warning' -c 'DROP DATABASE IF EXISTS contrib_regression WITH (FORCE)' \
			-c "CREATE DATABASE contrib_regression TEMPLATE $([ "$name" = house_install ] && say template0 || say extended)"
		run_regress PG_CFLAGS="$STRICT" REGRESS="$name" EXTRA_REGRESS_OPTS="--bindir=$PG_BINDIR --use-existing"
		[ "$REGRESS_FAILED" -eq 0 ] || say "    alone: sql/$name"
		passed=$((passed + REGRESS_PASSED))
		failed=$((failed + REGRESS_FAILED))
	done
	count "$passed" "$failed" "$skipped"
	end_server
}

# Prints lines in an order that follows from the seed.
shuffled() {
	awk -v seed="$seed" 'BEGIN { srand(seed) } NF { printf "%.9f %s\n", rand(), $0 }' | sort -n | cut -d ' ' -f 2
}

program_pgtap() {
	local name
	local -a files
	if [ "$#" -gt 0 ]; then files=("$1.sql"); else mapfile -t files < <(pgtap_files); fi
	for name in "${files[@]}"; do
		# without a plan number, a condition that finds no row would make no test, and nobody would notice
		grep -Eq '^SELECT plan\([0-9]+\);$' "$WORK/tree/test/pgtap/$name" ||
			die "test/pgtap/$name does not say how many tests it has: SELECT plan(N);"
	done
	EXTENDED=$WORK/pgtap/data own_server
	tap_file env -C "$WORK/tree/test/pgtap" prove -v -e 'psql -X -q -t -A -P pager=off -v ON_ERROR_STOP=1 -f' "${files[@]}"
	end_server
}

# Prints the files of the tier that leave nothing behind, because they are a single transaction.
pgtap_files() {
	local file tiers
	for file in "$ROOT"/test/pgtap/*.sql; do
		is_rolled_back "$file" || continue
		file=${file##*/}
		tiers=$(tiers_of "pgtap/${file%.sql}")
		case " $tiers " in *" $tier "*) say "$file" ;; esac
	done
}

is_rolled_back() {
	[ "$(tail -n 1 "$1")" = 'ROLLBACK;' ] && ! grep -q '^COMMIT;' "$1"
}

# Prints the path of prometheus-postgres-exporter. If it is not installed, unpacks it into DIR, because installing
# its package would start a service.
exporter_program() {
	local package=prometheus-postgres-exporter
	! command -v "$package" || return 0
	mkdir -p "$1"
	( cd "$1" && apt-get download "$package" && dpkg-deb -x "$package"_*.deb . && chmod -R a+rX . ) >"$1.log" 2>&1 || return
	say "$1/usr/bin/$package"
}

# TAP programs start servers of their own, so they run as the server's user. They must not reach another server by
# accident.
program_tap() {
	local perl pgxs why citus= exporter=${ANSWER_EVAL_EXPORTER:-}
	if [ "$1" = dashboard_exporter ] && [ -z "$exporter" ]; then exporter=$(exporter_program "$DIR/exporter") || exporter=; fi
	if [ "$1" = doc_citus ]; then
		if why=$(citus_folder "$DIR/citus"); then citus=$DIR/citus; else citus=; fi
	fi
	pgxs=$(dirname "$("$PG_CONFIG" --pgxs)")/../..
	perl=$WORK/tree/test/tap:$WORK/tree/test/tap/lib:$pgxs/src/test/perl
	# a short name, because the paths of sockets below it are limited
	server_dirs "$DIR/t"
	# Its servers leave its process group; reaper.py counts their time as the program's.
	tap_file as_server_user python3 "$WORK/tree/test/lib/reaper.py" \
		env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE -C "$WORK/tree" PERL5LIB="$perl" \
		TESTDATA_TMP="$DIR/t" TMPDIR="$DIR/t" ANSWER_EVAL_TEMPLATE="$WORK/template.tap" \
		TESTDIR="$DIR/t" TESTDATADIR="$DIR/t/tmp_check" TESTLOGDIR="$DIR/t/log" \
		PG_REGRESS="$pgxs/src/test/regress/pg_regress" \
		ANSWER_EVAL_EXPORTER="$exporter" ANSWER_EVAL_CITUS_BUILT="$citus" ANSWER_EVAL_CITUS_WHY="${why:-}" \
		prove -v "test/tap/$1.pl"
}

# Runs a program that compares the extension with an independent implementation. A line `AREA: N cases, N disagreements`
# is one area; the last line has the sum, without a name.
comparison() {
	local log=$DIR/log rc=0 ok bad skip
	own_server
	env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" "$@" >"$log" 2>&1 || rc=$?
	ok=$(grep -Ec '^.+: *[1-9][0-9]* cases, 0 disagreements' "$log" || true)
	bad=$(grep -E '^.+: *[0-9]+ cases, [0-9]+ disagreements' "$log" | grep -Evc '[: ][1-9][0-9]* cases, 0 disagreements' || true)
	skip=$(grep -c '^skipped: ' "$log" || true)
	if ! tail -n 1 "$log" | grep -Eq '^[1-9][0-9]* cases, 0 disagreements'; then rc=1; fi
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	if [ "$bad" -gt 0 ]; then show "$log"; fi
	grep '^skipped: ' "$log" | sed 's/^/    /' || true
	say "    $(tail -n 1 "$log")"
	count "$ok" "$bad" "$skip"
	end_server
}

# Runs a Python unittest, which counts its tests itself.
unittests() {
	local log=$DIR/log rc=0 ok bad skip
	env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" python3 "test/oracle/$1.py" -v >"$log" 2>&1 || rc=$?
	ok=$(sed -nE 's/^Ran ([0-9]+) tests? in .*/\1/p' "$log")
	bad=$(grep -Ec '^(FAIL|ERROR): ' "$log" || true)
	skip=$(grep -c "\.\.\. skipped 'skipped: " "$log" || true)
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	[ "$bad" -eq 0 ] || show "$log"
	ok=$((${ok:-1} - bad - skip))
	sed -nE "s/.*\.\.\. skipped '(.*)'$/    \1/p" "$log" | sort -u
	count "$((ok < 0 ? 0 : ok))" "$bad" "$skip"
}

program_oracle() {
	case $1 in
		compare) comparison python3 test/oracle/compare.py --seed "$seed" --cases "$(by_tier 1000 1000 44000)" ;;
		offline)
			# All areas together take at least three minutes of processor time, so only the tier long has every
			# case. The inner loop has one area of each kind.
			set -- --seed "$seed" --cases "$(by_tier 40 40 250)"
			[ "$tier" = long ] || set -- "$@" --quick --share 30
			[ "$tier" != check ] || set -- "$@" --only issued,authentic,mutations,signatures,formats,log
			comparison python3 test/oracle/offline.py "$@"
			;;
		page)
			# Time-stamps take processor time, and the page does not judge them.
			set -- --seed "$seed" --cases "$(by_tier 10 10 200)"
			[ "$tier" = long ] || set -- "$@" --share 30 --only issued,authentic,mutations,lifecycles,key_documents,spellings,signatures,numbers,questions,decisions,plans,foreign,malformed_anchors,inclusions
			comparison python3 test/oracle/page.py "$@"
			;;
		*) unittests "$1" ;;
	esac
}

# counted COMMAND: counts from its last line `N passed, N failed`, else from its exit status. Lines `skipped: ...` are skips.
counted() {
	local log=$DIR/log rc=0 ok bad skip
	"$@" >"$log" 2>&1 || rc=$?
	skip=$(grep -c '^skipped: ' "$log" || true)
	read -r ok bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$log" | tail -n 1) || { ok=; bad=0; }
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	# a program that could only skip has not passed anything
	[ -n "$ok" ] || ok=$((bad > 0 || skip > 0 ? 0 : 1))
	[ "$bad" -eq 0 ] || show "$log"
	grep '^skipped: ' "$log" | sed 's/^/    /' || true
	count "$ok" "$bad" "$skip"
}

# Runs programs that try published test vectors.
program_outside() {
	own_server
	counted env -C "$WORK/tree" ANSWER_EVAL_VECTORS="$VECTORS" "test/outside/$1.sh"
	end_server
}

# Runs inputs found by fuzzing, and new inputs for each target, as many as the tier has time for. Each case and
# each target is a test.
fuzz_inputs() {
	local log=$DIR/log rc=0 cases=(0 0 0) ok bad amount
	case $tier in
		check) amount=(--cases-only) ;;
		test) amount=(--rounds 1 --rows 60) ;;
		long) amount=(--seconds "$((minutes * 60))") ;;
	esac
	own_server
	env -C "$WORK/tree" python3 -u test/fuzz/fuzz.py "${amount[@]}" --seed "$seed" --keep "$DIR" >"$log" 2>&1 || rc=$?
	read -ra cases < <(sed -nE 's/^cases: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$log") || true
	ok=$(grep -Ec '^[a-z]+: [1-9][0-9]* inputs, 0 findings' "$log" || true)
	bad=$(grep -Ec '^[a-z]+: [0-9]+ inputs, [1-9][0-9]* findings' "$log" || true)
	bad=$((bad + ${cases[1]:-1}))
	[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
	if [ "$bad" -gt 0 ]; then
		grep -A 2 '^FOUND' "$log" | sed 's/^/    | /' | head -n 100 || true
		show "$log"
	fi
	say "    $(tail -n 1 "$log")"
	count "$((ok + ${cases[0]:-0}))" "$bad" "${cases[2]:-0}"
	end_server
}

# Calls every function of the extension with arguments of its types, as several roles and in several states.
fuzz_calls() {
	local amount
	amount=(--calls "$(by_tier 450 450 0)")
	[ "$tier" != long ] || amount=(--seconds "$((minutes * 60))")
	own_server 'max_prepared_transactions = 5' 'log_error_verbosity = verbose'
	counted env -C "$WORK/tree" python3 -u test/fuzz/calls.py "${amount[@]}" --seed "$seed" --log "$DIR/server.log"
	grep -E '^[0-9]+ calls' "$DIR/log" | sed 's/^/    /' || true
	end_server
}

program_fuzz() {
	case $1 in
		inputs) fuzz_inputs ;;
		calls) fuzz_calls ;;
		sqlsmith)
			mkdir "$DIR/w"
			counted "$ROOT/test/fuzz/sqlsmith.sh" "$WORK" "$DIR/w" "$((minutes * 60))"
			grep '^sqlsmith: ' "$DIR/log" | sed 's/^/    /' || true
			;;
	esac
}

# Runs the programs of doc/applications.md with the real drivers, if these are installed or can be.
program_drivers() {
	own_server
	counted env -C "$WORK/tree" TMPDIR="$DIR" test/drivers/run.sh
	end_server
}

# Asks questions about our own prose as people would, and measures how often answers are right and wrong, with and without
# judges. Then the same for the statuses of sentences about it.
program_measure() {
	local set=test/measure/growers ok bad skip first
	own_server
	counted env -C "$WORK/tree" python3 test/measure/everyday.py --ask server --judge none,truth,0.9 --goals-in "$set/goals.json" "$set"
	read -r -a first <"$DIR/count"
	counted env -C "$WORK/tree" python3 test/measure/verify.py --goals-in "$set/verify.json" "$set"
	read -r ok bad skip <"$DIR/count"
	count "$((first[0] + ok))" "$((first[1] + bad))" "$((first[2] + skip))"
	end_server
}

# Tests the gateway over HTTP, as programs and agents use it, if Debian's packages for it can be installed. The tier long
# adds its worker, other clients, a real embedding model, and a server that is killed.
program_gateway() {
	local name
	own_server 'max_connections = 50'
	for name in fastapi uvicorn psycopg psycopg_pool httpx; do
		if ! /usr/bin/python3 -c "import $name" 2>/dev/null; then
			say "    skipped: no package of Debian for Python's $name"
			count 0 0 1
			end_server
			return
		fi
	done
	# this program kills the server and starts it again
	{ declare -f as_server_user server_user say; printf 'WORK=%q\nas_server_user %q restart -D %q -l %q -m immediate -w\n' \
		"$WORK" "$PG_BINDIR/pg_ctl" "$DIR/data" "$DIR/data/restarted.log"; } >"$DIR/restart"
	counted env -C "$WORK/tree" TMPDIR="$DIR" ANSWER_EVAL_RESTART="$DIR/restart" /usr/bin/python3 test/gateway/gateway.py
	[ ! -e "$DIR/data/restarted.log" ] || cat "$DIR/data/restarted.log" >>"$DIR/server.log"
	end_server
}

# Searches the same prose with a real embedding model, if npm provides the model and pgvector is available.
program_embeddings() {
	own_server
	counted env -C "$WORK/tree" TMPDIR="$DIR" python3 test/measure/embeddings.py --goals test/measure/growers
	grep -E '^(growers|  +asked) ' "$DIR/log" | sed 's/^/    /' || true
	end_server
}

# Runs the inner loop on the other versions, in systems built for it. Needs a mirror and root.
program_matrix() {
	local version own why
	own=$(pg_major)
	why=$(systems_missing)
	if [ -n "$why" ]; then
		say "    skipped: PostgreSQL ${VERSIONS// /, } but $own: $why"
		count 0 0 3
		return
	fi
	for version in $VERSIONS; do
		[ "$version" != "$own" ] || continue
		# below our own directory, unless the user keeps the systems
		ANSWER_EVAL_MATRIX_DIR=${ANSWER_EVAL_MATRIX_DIR:-$DIR/systems} ANSWER_EVAL_TIER=check \
			"$ROOT/test/matrix.sh" --optional "$version" >"$DIR/matrix.$version" 2>&1 ||
			grep -Eq '^[0-9]+ passed, [1-9][0-9]* failed' "$DIR/matrix.$version" || say '0 passed, 1 failed' >>"$DIR/matrix.$version"
		cat "$DIR/matrix.$version" >>"$DIR/matrix"
	done
	counted awk '
		{ print }
		/^[0-9]+ passed, [0-9]+ failed/ { ok += $1; bad += $3 }
		END { if (ok + bad) print ok + 0 " passed, " bad + 0 " failed"; exit bad > 0 }' "$DIR/matrix"
	grep '^PostgreSQL ' "$DIR/matrix" | sed 's/^/    /' || true
}

# Tests the Debian packages, the Dockerfile and the upgrades, likewise.
program_packages() {
	local why
	why=$(systems_missing)
	if [ -n "$why" ]; then
		say "    skipped: packages, Dockerfile and upgrades: $why"
		count 0 0 1
		return
	fi
	counted env ANSWER_EVAL_MATRIX_DIR="${ANSWER_EVAL_MATRIX_DIR:-$DIR/systems}" "$ROOT/test/packages.sh" --optional
}

# --- the whole run ------------------------------------------------------------------------------------------------

run_program() {
	local name=$1 kind=${1%%/*} file
	file=$(file_of "$name")
	case " ${ANSWER_EVAL_LEAVE_OUT:-} " in
		*" $name "*) say '    skipped: ANSWER_EVAL_LEAVE_OUT names it'; count 0 0 1; return ;;
	esac
	case $name in
		asan | valgrind | newer) counted env TMPDIR="$DIR" "$ROOT/test/$name.sh" ;;
		matrix) program_matrix ;;
		packages) program_packages ;;
		drivers | measure | embeddings | gateway) "program_$name" ;;
		sql | pgtap) "program_$name" ;;
		sql_alone) program_sql_alone ;;
		sql/* | pgtap/* | tap/* | oracle/* | outside/*)
			[ -f "$file" ] || die "no $file"
			"program_$kind" "${name#*/}"
			;;
		fuzz/*) program_fuzz "${name#*/}" ;;
	esac
}

# Runs one program in a background shell; its output and its duration go to files.
run_background() {
	local rc
	DIR=$2
	TIMEFORMAT='%0R s, %1U + %1S s of processor'
	set +e
	{ time { ( set -e; run_program "$1" ) >"$DIR/out" 2>&1; }; } 2>"$DIR/seconds"
	rc=$?
	set -e
	# it died on the way: a failure, whatever it had counted by then
	if [ "$rc" -ne 0 ] || [ ! -s "$DIR/count" ]; then
		stop_servers_below "$DIR"
		show "$DIR/out" >"$DIR/out.end"
		mv "$DIR/out.end" "$DIR/out"
		count 0 1
	fi
	# removes its servers' files at once, most of them before they were written to a disk
	[ -n "${ANSWER_EVAL_KEEP:-}" ] || find "$DIR" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
}

passed=0
failed=0
skipped=0
failures=()

# Prints the line that best tells what went wrong with a program: the first that names a failure, or else the
# last.
failure_line() {
	grep -m 1 -E '(\| *|^)not ok|\.\.\. FAILED|ERROR: |FOUND|[1-9][0-9]* disagreements|TRAP: |was terminated|Dubious' "$1" || tail -n 1 "$1"
}

# Shows how a program ended, and adds its counts to the sums.
report() {
	local name=$1 dir=$2 ok bad skip
	read -r ok bad skip <"$dir/count"
	printf '%-28s %5d passed' "$name" "$ok"
	[ "$bad" -eq 0 ] || printf ', %d FAILED' "$bad"
	[ "$skip" -eq 0 ] || printf ', %d skipped' "$skip"
	printf ', %s\n' "$(tail -n 1 "$dir/seconds")"
	cat "$dir/out"
	if [ "$bad" -gt 0 ]; then
		failures+=("FAILED $name: $(failure_line "$dir/out" | sed -E 's/^[ |]*//' | cut -c 1-200)")
		say "    again: ANSWER_EVAL_SEED=$seed test/run.sh $tier $name"
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
}

# Shows what to look at if a tier takes too long, with a measure that also holds on a machine that others use.
slowest() {
	local name
	for name in "${names[@]}"; do
		say "$name $(tail -n 1 "${dir_of[$name]}/seconds")"
	done | awk '
		{ printf "%6.0f  %s\n", $4 + $6, $1 | "sort -rn | head -n 10"; sum += $4 + $6 }
		BEGIN { print "slowest programs, seconds of processor:"; fflush() }
		END { close("sort -rn | head -n 10"); printf "%6.0f  in all\n", sum }'
}

# A function, so that bash has read all of it before anybody edits this file during a run.
main() {
	local names order known packages name i shown next ended tap_clusters
	local -A dir_of name_of done_names
	shopt -s nullglob
	if [ "${1:-}" = --list ]; then
		tier_programs
		exit 0
	fi
	if [ "$#" -gt 0 ]; then
		names=("$@")
		known=$(all_programs)
		for name in "${names[@]}"; do
			grep -Fxq -- "$name" <<<"$known" || { [[ $name == sql/* || $name == pgtap/* ]] && [ -f "$(file_of "$name")" ]; } ||
				die "no program $name; test/run.sh $tier --list has the names"
		done
	else
		mapfile -t names < <(tier_programs)
	fi
	mapfile -t order < <(printf '%s\n' "${names[@]}" | by_length)

	packages=(postgresql-@-pgtap libipc-run-perl perl python3 openssl git cmake)
	ensure_server_packages "${packages[@]}"
	# Debian has a pgvector package from trixie on; before that test/lib/pgvector.sh builds it. If there is none,
	# the tests of embeddings say so.
	[ "$(pg_major)" -lt 17 ] || try_packages "postgresql-$(pg_major)-pgvector"
	# to set a server's clock
	[ "$tier" = check ] || try_packages libfaketime wamerican wbritish
	# to read a checkout, and the browser that shows pages
	try_packages universal-ctags
	[ "$tier" = check ] || try_packages chromium-headless-shell
	# for the gateway
	# shellcheck disable=SC2086
	[ "$tier" = check ] || try_packages $GATEWAY_PACKAGES
	# its package starts a service, which must not happen on somebody's own machine
	[ "$tier" != long ] || [ -z "${CI:-}" ] || try_packages prometheus-postgres-exporter
	[ "$tier" != long ] || try_packages valgrind sqlsmith debootstrap
	# shellcheck disable=SC2086
	case " ${names[*]} " in *' tap/doc_citus '*) try_packages $CITUS_PACKAGES ;; esac
	# Servers make and remove tens of thousands of files, which costs the kernel less in memory than on a disk.
	if [ "$tier" != long ] && [ -z "${TMPDIR:-}${ANSWER_EVAL_KEEP:-}" ] && TMPDIR=$(memory_dir 4000); then export TMPDIR; fi
	make_work_dir
	# Debian's Python, as for test/outside. Another one that comes first in PATH, such as a version manager's, can take a quarter of
	# a second to start, and programs start it hundreds of times.
	if [ -x "${PYTHON:-/usr/bin/python3}" ]; then
		mkdir "$WORK/bin"
		ln -s "${PYTHON:-/usr/bin/python3}" "$WORK/bin/python3"
		PATH=$WORK/bin:$PATH
	fi
	say "tier $tier, ANSWER_EVAL_SEED=$seed, $jobs at a time, $("$(pg_config_path)" --version), files in ${TMPDIR:-/tmp}"
	# the inner loop compiles only what has changed; a whole tier leaves nothing behind
	[ "$tier" != check ] && [ "$#" -eq 0 ] || KEEP_BUILD=1
	vector=
	if [ ! -e "$("$(pg_config_path)" --sharedir)/extension/vector.control" ]; then
		vector=$(PG_CONFIG=$(pg_config_path) "$ROOT/test/lib/pgvector.sh") || vector=
	fi
	stage_build "$WORK" PG_CFLAGS="$STRICT"
	[ ! -d "$vector" ] || cp -R "$vector/." "$WORK/stage/"
	template_cluster "$WORK/template" --locale=C.UTF-8
	TEMPLATE=$WORK/template
	tap_clusters=
	case " ${names[*]} " in *' tap/'*) start_job make_tap_clusters; tap_clusters=$! ;; esac
	[ -z "$(printf '%s\n' "${names[@]}" | grep -Ev '^(tap/|sql)')" ] || make_extended
	case " ${names[*]} " in *' pgtap'*) make_extended_pgtap ;; esac
	if [ -n "$tap_clusters" ]; then
		wait "$tap_clusters" || die 'the clusters of TAP programs were not made'
		unset "JOBS[$tap_clusters]"
	fi
	say "built after $SECONDS s"

	for i in "${!order[@]}"; do
		dir_of[${order[i]}]=$WORK/j/$i
		mkdir -p "$WORK/j/$i"
	done
	shown=0
	next=0
	while [ "$shown" -lt "${#names[@]}" ]; do
		while [ "$next" -lt "${#order[@]}" ] && [ "${#JOBS[@]}" -lt "$jobs" ]; do
			name=${order[next]}
			start_job run_background "$name" "${dir_of[$name]}"
			name_of[$!]=$name
			next=$((next + 1))
		done
		ended=
		wait -n -p ended "${!JOBS[@]}" || true
		[ -n "$ended" ] || die 'lost a job'
		unset "JOBS[$ended]"
		done_names[${name_of[$ended]}]=1
		while [ "$shown" -lt "${#names[@]}" ] && [ -n "${done_names[${names[shown]}]:-}" ]; do
			report "${names[shown]}" "${dir_of[${names[shown]}]}"
			shown=$((shown + 1))
		done
	done

	say
	[ "${#names[@]}" -eq 1 ] || slowest
	say "$SECONDS s"
	# again at the end, for those who only see the end
	[ "${#failures[@]}" -eq 0 ] || printf '%s\n' "${failures[@]}"
	if [ "$skipped" -gt 0 ]; then
		say "$passed passed, $failed failed, $skipped skipped"
	else
		say "$passed passed, $failed failed"
	fi
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

main "$@"; exit
