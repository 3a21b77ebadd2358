#!/usr/bin/env bash
# pg_upgrade from one PostgreSQL to the next, as a user would: what was issued verifies after each, the log goes on, and the keys
# are taken over. Run by test/packages.sh, as postgres, in a system that has the packages of all these versions:
#
#     upgrade.sh DIR 15 17 18
#
# Prints a line `ok ...` or `not ok ...` for each thing that has to hold.
set -eu
dir=$1
shift
export PGHOST=$dir PGUSER=postgres PGDATABASE=answers
cd "$dir"
bad=0

value() { psql -X -q -A -t -v ON_ERROR_STOP=1 -c "$1"; }

# is WHAT GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		printf 'ok - %s\n' "$1"
	else
		printf 'not ok - %s: %s instead of %s\n' "$1" "$2" "$3"
		bad=1
	fi
}

bin() { printf '/usr/lib/postgresql/%s/bin' "$1"; }

# initdb of 18 turns checksums on, which pg_upgrade wants to be alike.
make() {
	local option=
	[ "$1" -lt 18 ] || option=--no-data-checksums
	"$(bin "$1")/initdb" -D "$dir/$1" -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync $option >"$dir/$1.log" 2>&1
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$dir'" 'fsync = off' 'max_prepared_transactions = 2' >>"$dir/$1/postgresql.conf"
}

start() { "$(bin "$1")/pg_ctl" start -w -s -D "$dir/$1" -l "$dir/$1.server.log"; }
stop() { "$(bin "$1")/pg_ctl" stop -w -s -D "$dir/$1"; }
trap 'for v in 15 16 17 18; do [ ! -f "$dir/$v/postmaster.pid" ] || "$(bin "$v")/pg_ctl" stop -m immediate -s -D "$dir/$v"; done' EXIT

request="'{\"checks\": [{\"tool\": \"level\", \"args\": {\"of\": \"lake\"}, \"expect\": {\"op\": \"gt\", \"value\": 3}}, {\"tool\": \"postgres_server\"}]}'"
all_verify="SELECT count(*) FILTER (WHERE answer_verify_ok(body)) || ' of ' || count(*) FROM answer.receipt"
audit="SELECT count(*) || coalesce(': ' || min(finding || ' ' || detail), '') FROM answer_log_audit()"

old=$1
shift
make "$old"
start "$old"
createdb -T template0 answers
createdb -T template0 other
psql -X -q -d other -c 'CREATE SCHEMA "Another one"' -c 'CREATE EXTENSION answer_eval SCHEMA "Another one"' -c 'SELECT "Another one".answer_key_generate()' >/dev/null
value 'CREATE EXTENSION answer_eval'
value "SELECT answer_source_register('gauge'), answer_tool_register('level', required_args => '{of}', value_path => 'm', freshness => '36500 days')" >/dev/null
value "SELECT answer_evidence_add('level', '{\"of\": \"lake\"}', '{\"m\": 3.5}', 'gauge', '2026-01-01Z')" >/dev/null
value "SELECT answer_receipt_partition('2020-01-01Z', '2021-01-01Z')" >/dev/null
value "SELECT count(answer_eval($request)) FROM generate_series(1, 20)" >/dev/null
value 'SELECT answer_key_generate()' >/dev/null
value "SELECT count(answer_eval($request)) FROM generate_series(1, 20)" >/dev/null
value 'SELECT answer_log_seal()' >/dev/null
is "PostgreSQL $old: the audit before" "$(value "$audit")" 0
first=$(value "SELECT receipt_id FROM answer.receipt WHERE schema = 'answer/v1' ORDER BY issued_at LIMIT 1")

for new; do
	before=$(value 'SELECT count(*) FROM answer.receipt')
	content=$(value "SELECT md5(string_agg(answer_canonical(body), '' ORDER BY receipt_id COLLATE \"C\")) FROM answer.receipt")
	checkpoint=$(value 'SELECT answer_checkpoint()')
	key=$(value "SELECT key_id FROM answer.signing_key WHERE status = 'active'")
	stop "$old"
	make "$new"
	if ! "$(bin "$new")/pg_upgrade" -b "$(bin "$old")" -B "$(bin "$new")" -d "$dir/$old" -D "$dir/$new" -U postgres -s "$dir" >"$dir/upgrade.$new.log" 2>&1; then
		tail -n 40 "$dir/upgrade.$new.log"
		find "$dir/$new/pg_upgrade_output.d" -name '*.log' -size +0 -exec tail -n 5 {} +
		printf 'not ok - pg_upgrade %s to %s\n' "$old" "$new"
		exit 1
	fi
	start "$new"
	is "pg_upgrade $old to $new: the server" "$(value "SELECT current_setting('server_version_num')::int / 10000")" "$new"
	is "pg_upgrade $old to $new: every receipt verifies" "$(value "$all_verify")" "$before of $before"
	is "pg_upgrade $old to $new: they are the same" \
		"$(value "SELECT md5(string_agg(answer_canonical(body), '' ORDER BY receipt_id COLLATE \"C\")) FROM answer.receipt")" "$content"
	is "pg_upgrade $old to $new: the first of them replays" "$(value "SELECT answer_replay(answer_receipt('$first')) -> 'ok'")" true
	is "pg_upgrade $old to $new: it is in the log" \
		"$(value "SELECT answer_log_verify(answer_log_inclusion('$first'), answer_receipt('$first')) -> 'ok'")" true
	is "pg_upgrade $old to $new: the checkpoint is the same" "$(value 'SELECT answer_checkpoint()')" "$checkpoint"
	is "pg_upgrade $old to $new: the audit" "$(value "$audit")" 0
	# private keys are files, and belong to a database of the old cluster
	refused=$(psql -X -q -A -t -v VERBOSITY=verbose -c "SELECT answer_eval($request)" 2>&1 || true)
	case $refused in
		*55000*answer_key_generate*) is "pg_upgrade $old to $new: without the key, signing is refused, with a hint" yes yes ;;
		*) is "pg_upgrade $old to $new: without the key" "$refused" 55000 ;;
	esac
	cp -a "$dir/$old/answer_eval_keys" "$dir/$new/"
	refused=$(psql -X -q -A -t -v VERBOSITY=verbose -c "SELECT answer_eval($request)" 2>&1 || true)
	case $refused in
		*55000*answer_key_adopt*) is "pg_upgrade $old to $new: a key that was copied is not yet this cluster's" yes yes ;;
		*) is "pg_upgrade $old to $new: with the key's file" "$refused" 55000 ;;
	esac
	is "pg_upgrade $old to $new: adopted" "$(value 'SELECT answer_key_adopt()')" "$key"
	is "pg_upgrade $old to $new: signs and verifies" "$(value "SELECT answer_verify_ok(answer_eval($request))")" t
	is "pg_upgrade $old to $new: by the same key" \
		"$(value "SELECT body #>> '{signature,key_id}' FROM answer.receipt ORDER BY issued_at DESC LIMIT 1")" "$key"
	is "pg_upgrade $old to $new: the log goes on" "$(value "SELECT (answer_log_seal() ->> 'tree_size')::bigint > 40")" t
	is "pg_upgrade $old to $new: all of it is audited" "$(value "$audit")" 0
	is "pg_upgrade $old to $new: another database, another schema" \
		"$(psql -X -q -A -t -d other -c 'SELECT "Another one".answer_key_adopt() IS NOT NULL')" t
	rm -rf "${dir:?}/$old/answer_eval_keys"
	old=$new
done
stop "$old"
exit "$bad"
