#!/usr/bin/env bash
# Runs every program of doc/applications.md unchanged, with the real driver and the database that PGHOST, PGDATABASE and so
# on name, which has the extension. Ends with `N passed, M failed`; a driver that is not installed and cannot be installed
# gives a line `skipped: …`.
set -u
HERE=$(cd "$(dirname "$0")" && pwd -P)
ROOT=$(cd "$HERE/../.." && pwd -P)
DOCUMENT=$ROOT/doc/applications.md
DIR=$(mktemp -d "${TMPDIR:-/tmp}/answer_drivers.XXXXXX")
export PGUSER=${PGUSER:-$(id -un)} PGPORT=${PGPORT:-5432}
export PGDATABASE=${PGDATABASE:-$PGUSER}
export PGOPTIONS='-c client_min_messages=warning'
passed=0
failed=0
started=()
made=()

cleanup() {
	local pid role
	for pid in "${started[@]}"; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	psql -X -q -c 'DROP SCHEMA IF EXISTS api CASCADE' >/dev/null 2>&1
	for role in "${made[@]}"; do psql -X -q -c "DROP OWNED BY $role" >/dev/null 2>&1; done
	for role in "${made[@]}"; do psql -X -q -c "DROP ROLE $role" >/dev/null 2>&1; done
	rm -rf "$DIR"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); printf 'not ok: %s\n' "$1"; [ -z "${2:-}" ] || sed 's/^/    | /' <<<"$2" | tail -n 30; }
is() { if [ "$2" = "$3" ]; then ok; else not_ok "$1" "it is: $2"$'\n'"it should be: $3"; fi; }
like() { if grep -Eq -- "$3" <<<"$2"; then ok; else not_ok "$1" "$2"; fi; }

# block LANGUAGE N [FILE]: the Nth block of a language in a document.
block() {
	awk -v language="$1" -v n="$2" '$0 == "```" { inside = 0 } inside { print } $0 == "```" language { inside = ++seen == n }' "${3:-$DOCUMENT}"
}

# packages NAME...: installs missing packages, with the output in a file.
packages() {
	# shellcheck source=test/lib/common.sh
	(. "$ROOT/test/lib/common.sh"; ensure_packages "$@") >"$DIR/packages.log" 2>&1
}

# Each program asks for the same receipt and makes the same mistake, so all must print the same.
judge() {
	like "$1: the summary" "$2" '^Supported \(confidence 0\.8\): "modern" observed [0-9.]+: semver_gte 15 holds\.$'
	like "$1: the receipt verifies" "$2" '^verifies: ([Tt]rue|t)$'
	like "$1: the error" "$2" '22023 .*check'
}

# --- the manual's roles and the schema for the web ------------------------------------------------------------

roles=$(awk '/^CREATE ROLE answer_reader/ { found = 1 } $0 == "```sql" { text = ""; next }
	$0 == "```" { if (found) { printf "%s", text; exit } text = "" } { text = text $0 "\n" }' "$ROOT/doc/answer_eval.md")
web=$(block sql 1; block sql 2)
judges=$(block sql 3; block sql 4; block sql 5; block sql 6; block sql 7)
while IFS= read -r role; do
	if [ -z "$(psql -X -A -t -c "SELECT 1 FROM pg_roles WHERE rolname = '$role'")" ]; then
		made+=("$role")
		psql -X -q -c "CREATE ROLE $role LOGIN"
	fi
done < <(printf '%s\n' "$roles" "$web" "$judges" | sed -nE 's/^CREATE ROLE (\w+).*/\1/p')
result=$(printf '%s\n' "$roles" "$web" | sed -E '/^CREATE ROLE/d' | psql -X -q -v ON_ERROR_STOP=1 2>&1)
is 'the roles and the schema for the web are made' "$result" ''

# --- judges: a model's program, an NLI model in the database, people, and how good they are ----------------------

result=$(printf '%s\n' "$judges" | sed -E '/^CREATE ROLE/d' | psql -X -A -t -v ON_ERROR_STOP=1 2>&1)
like 'judges: what is pending is shown, with its passage' "$result" '^Employees have 28 days of vacation a year\.$'
like 'judges: what waits for people is not judged' "$result" '^\["not_judged"\]$'
like 'judges: and answered when they have judged it' "$result" '^ANSWER$'
like 'judges: coverage and risk of a judge' "$result" '^0\.6\|0\.5\|0$'
nli=$(awk '/^### An NLI model/ { on = 1 } $0 == "```" { inside = 0 } on && inside { print } $0 == "```psql" { inside = on } /^### People/ { exit }' "$DOCUMENT")
if [ -n "$(psql -X -A -t -c "SELECT 1 FROM pg_available_extensions WHERE name = 'plpython3u'")" ]; then
	result=$(psql -X -q -A -t -v ON_ERROR_STOP=1 2>&1 <<<"$nli")
	like 'NLI: it is registered' "$result" '^cfg_'
	result=$(psql -X -A -t -c "SELECT r ->> 'decision', r #>> '{validation,sentences,0,status}', r -> 'degraded'
		FROM answer_grounded('How long is the vacation of employees?', '{\"answer\": \"Employees have 28 days of vacation [1].\",
		\"citations\": [\"leave#p0\"], \"config\": {\"judge_entailment\": \"nli\"}, \"deadline_ms\": 60000}') AS r" 2>&1)
	is 'NLI: a decision asks it' "$result" 'ANSWER|supported|false'
else
	echo 'skipped: NLI in PL/Python: the server has no plpython3u'
fi

# The output of a program that lets a scripted model write an answer and judge it.
grounded() {
	like "$1: a judged answer is plain" "$2" '^ANSWER \[\]'
	like "$1: and says who judged it" "$2" '; judged by llm \(name-of-the-model, 2026-11\), .*, reported by answer_llm; sentence 1 supported'
}

# --- the HTTP calls, each with its SQL ------------------------------------------------------------------------

id=$(PGUSER=answer_web psql -X -A -t -c "SELECT api.answer('{\"question\": \"Is the setting fsync on?\"}') ->> 'receipt_id'" 2>&1)
like 'the role for the web asks a question' "$id" '^ans_[0-9a-f]{16}$'
number=0
while IFS= read -r statement; do
	number=$((number + 1))
	case $statement in
		*api.answer*) argument="('{\"checks\": [{\"tool\": \"postgres_server\"}]}')"; want='evidenced' ;;
		*api.receipt*) argument="('$id')"; want="$id" ;;
		*api.verify*) argument="('{}')"; want='false' ;;
		*api.keys*) argument=''; want='ae-ed25519-' ;;
		*api.grounded*) argument="('xyzabc', '{\"top_k\": 3}')"; want='ABSTAIN' ;;
		*api.retrieve*) argument="('xyzabc', '{}')"; want='"retrieval_id"' ;;
		*api.validate*) argument="('[]', '[]', 'xyzabc')"; want='"citation_valid": false' ;;
		*api.debug*) argument="('xyzabc', NULL, NULL)"; want='"query": "xyzabc"' ;;
		*api.documents*) argument=''; want='^\[' ;;
		*api.health*) argument=''; want='"top_k": 5' ;;
		*) argument=''; want='postgres_server' ;;
	esac
	result=$(PGUSER=answer_web psql -X -A -t -c "PREPARE call AS $statement" -c "EXECUTE call$argument" 2>&1)
	like "HTTP call: $statement" "$result" "$want"
done < <(sed -nE 's/^\| .*`(SELECT api\.[^`]*)`.*/\1/p' "$DOCUMENT")
is 'there are calls of HTTP' "$number" 13
is '404: an unknown id is NULL' "$(PGUSER=answer_web psql -X -A -t -c "SELECT api.receipt('ans_0000000000000000') IS NULL" 2>&1)" t
psql -X -q -c "SELECT answer_forget('$id', 'a test')" >/dev/null
is '410: what was forgotten is a tombstone' "$(PGUSER=answer_web psql -X -A -t -c "SELECT api.receipt('$id') ->> 'schema'" 2>&1)" answer/tombstone/v1
result=$(PGUSER=answer_web psql -X -A -t -v VERBOSITY=sqlstate -c "SELECT answer_forget('$id', 'again')" 2>&1)
like '403: the role for the web may not forget' "$result" '42501'
result=$(psql -X -A -t -v VERBOSITY=sqlstate -c "SELECT answer_eval('{}'::varchar)" 2>&1)
like 'there is no answer_eval(varchar)' "$result" '42883'

# --- Java -----------------------------------------------------------------------------------------------------

jar=/usr/share/java/postgresql.jar
if { command -v javac >/dev/null || packages default-jdk-headless; } && { [ -f "$jar" ] || packages libpostgresql-jdbc-java; }; then
	case ${PGHOST:-} in
		/*)
			python3 "$HERE/proxy.py" "$PGHOST/.s.PGSQL.$PGPORT" >"$DIR/proxy" &
			started+=("$!")
			for _ in {1..100}; do [ -s "$DIR/proxy" ] && break; sleep 0.1; done
			address=127.0.0.1:$(cat "$DIR/proxy") ;;
		*) address=${PGHOST:-localhost}:$PGPORT ;;
	esac
	block java 1 >"$DIR/Ask.java"
	result=$(JDBC_URL="jdbc:postgresql://$address/$PGDATABASE?user=$PGUSER" java -cp "$jar" "$DIR/Ask.java" 2>&1)
	judge Java "$result"
else
	echo 'skipped: Java: there is no JDK or no JDBC driver, and apt does not give them'
fi

# --- Python ---------------------------------------------------------------------------------------------------

python=${PYTHON:-/usr/bin/python3}
if "$python" -c 'import psycopg' 2>/dev/null || { packages python3-psycopg && "$python" -c 'import psycopg' 2>/dev/null; }; then
	block python 1 >"$DIR/ask.py"
	result=$("$python" "$DIR/ask.py" 2>&1)
	judge Python "$result"
	block python 2 >"$DIR/grounded.py"
	cp "$HERE/model.py" "$DIR"
	grounded Python "$(PGUSER=answer_llm "$python" "$DIR/grounded.py" 'How long is the vacation of employees?' 2>&1)"
	like 'Python: a row of answer_show' "$result" '^modern \| supported \| 0\.8 \| [0-9.]+ \| semver_gte 15 holds$'
else
	echo 'skipped: Python: there is no psycopg 3, and apt does not give it'
fi

# --- Node.js --------------------------------------------------------------------------------------------------

if { command -v npm >/dev/null || packages nodejs npm; } &&
	(cd "$DIR" && npm init -y && npm install --no-fund --no-audit pg@8 postgraphile@4) >"$DIR/npm.log" 2>&1
then
	block javascript 1 >"$DIR/ask.cjs"
	result=$(node "$DIR/ask.cjs" 2>&1)
	judge Node.js "$result"

	block javascript 3 >"$DIR/grounded.cjs"
	cp "$HERE/model.cjs" "$DIR"
	grounded Node.js "$(PGUSER=answer_llm node "$DIR/grounded.cjs" 'How long is the vacation of employees?' 2>&1)"

	block javascript 2 >"$DIR/gateway.cjs"
	block graphql 1 >"$DIR/mutation.graphql"
	block graphql 2 >"$DIR/query.graphql"
	PORT=0 node "$DIR/gateway.cjs" >"$DIR/gateway.log" 2>&1 &
	started+=("$!")
	for _ in {1..300}; do grep -q 'listening on' "$DIR/gateway.log" && break; sleep 0.1; done
	port=$(sed -nE 's/^listening on ([0-9]+)$/\1/p' "$DIR/gateway.log")
	like 'PostGraphile: it listens' "$(cat "$DIR/gateway.log")" '^listening on [1-9][0-9]*$'
	result=$(node "$HERE/graphql.cjs" "$port" "$DIR/mutation.graphql" "$DIR/query.graphql" 2>&1)
	while IFS= read -r line; do
		case $line in
			'ok '*) ok ;;
			*) not_ok "PostGraphile: ${line#not ok }" ;;
		esac
	done <<<"$result"
	like 'PostGraphile: the client came to its end' "$result" 'an error has its SQLSTATE'

	cp "$HERE/exposed.cjs" "$DIR"
	is 'PostGraphile: members of an extension are not seen' "$(node "$DIR/exposed.cjs" public 0 2>&1 | grep -c '^answer')" 0
	result=$(node "$DIR/exposed.cjs" public 1 2>&1)
	like 'PostGraphile: answer_verify_document is not overloaded' "$result" '^answerVerifyDocument$'
	is 'PostGraphile: what only our own functions call is not seen' \
		"$(grep -Eic '((tool|grader|route)_?put|route_?(fill|accept)|(composite|assess)_?(add|combine|final)|refuse_?registered)$' <<<"$result")" 0
	is 'PostGraphile: what is overloaded is skipped' "$(grep -c '^answerVerify$' <<<"$result")" 0
else
	echo 'skipped: Node.js: there is no npm, or it cannot install pg and postgraphile'
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
