#!/bin/sh
# upgrade.sh OLD NEW...: runs inside a system that has these servers and the packages for them. Makes a cluster of OLD with receipts,
# upgrades it from each version to the next one with pg_upgrade as in doc/install.md, and compares it each time with what it was.
set -eu
cd /tmp
[ "$(id -u)" -ne 0 ] || exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"

TOP=$(mktemp -d /tmp/upgrade.XXXXXX)
export PGHOST="$TOP" PGUSER=postgres PGOPTIONS='-c client_min_messages=warning'
unset PGDATABASE

bin() { echo "/usr/lib/postgresql/$1/bin"; }
say() { echo "--- $*"; }
die() { echo "$*" >&2; exit 1; }
sql() { psql -X -q -t -A -v ON_ERROR_STOP=1 "$@"; }
serve() { "$(bin "$1")/pg_ctl" -D "$TOP/$1" -w -s -l "$TOP/$1.log" -o "-c listen_addresses='' -c unix_socket_directories=$TOP -c fsync=off" start; }
rest() { "$(bin "$1")/pg_ctl" -D "$TOP/$1" -w -s -m fast stop; }
make_cluster() { "$(bin "$1")/initdb" -D "$TOP/$1" --username=postgres --auth=trust -E UTF8 --locale=C.UTF-8 --data-checksums --no-sync >"$TOP/initdb.log"; }

# is WHAT WANTED FOUND
is() { [ "$2" = "$3" ] || die "$1: wanted '$2', found '$3'"; }

# refused SQLSTATE DATABASE STATEMENT
refused() {
	said=$(sql -v VERBOSITY=sqlstate -d "$2" -c "$3" 2>&1) && die "not refused: $3"
	case $said in *"$1"*) ;; *) die "$3: wanted $1, found: $said" ;; esac
}

# The contents of two databases: answers, with the extension in a schema of its own, and postgres.
fill() {
	sql -d postgres -c 'CREATE DATABASE answers' -c 'CREATE EXTENSION answer_eval'
	sql -d answers -o /dev/null <<-'SQL'
		CREATE SCHEMA checks;
		CREATE EXTENSION answer_eval SCHEMA checks;
		ALTER DATABASE answers SET search_path = "$user", public, checks;
		SET search_path = public, checks;
		CREATE ROLE auditor;
		GRANT USAGE ON SCHEMA checks, answer TO auditor;
		GRANT SELECT ON answer.receipt TO auditor;
		SELECT answer_receipt_partition(date_trunc('month', now()), date_trunc('month', now()) + interval '1 month');
		SELECT answer_source_register('warehouse', independence_group => 'erp');
		SELECT answer_tool_register('stock', required_args => '{item}', value_path => 'pieces', options => jsonb_build_object('source', 'warehouse'), freshness => '1 day');
		SELECT answer_evidence_add('stock', '{"item": "bolt"}', '{"pieces": 1200}', 'warehouse');
		CREATE TABLE orders (id int PRIMARY KEY, item text, pieces int);
		INSERT INTO orders VALUES (1, 'bolt', 300), (2, 'nut', 50);
		CREATE FUNCTION ordered(args jsonb) RETURNS jsonb STABLE STRICT LANGUAGE sql AS
			$$ SELECT to_jsonb(sum(pieces)) FROM orders WHERE item = args ->> 'item' $$;
		SELECT answer_tool_register('ordered', 'ordered(jsonb)', required_args => '{item}', options => jsonb_build_object('source', 'warehouse'), freshness => '1 minute');
		SELECT answer_document_load('[{"doc_id": "leave", "title": "Leave", "timestamp": "2026-01-01T00:00:00Z",
			"text": "Employees have 28 days of vacation a year."}]');
		-- what users build upon it
		CREATE TABLE kept (id int GENERATED ALWAYS AS IDENTITY, body jsonb CHECK (answer_verify_ok(body) IS NOT NULL), result answer_check_result);
		CREATE INDEX kept_digest ON kept (answer_canonical(body));
		INSERT INTO kept (body, result) SELECT jsonb_build_object('a', i), answer_check('{"tool": "t"}', NULL, now()) FROM generate_series(1, 100) AS i;
	SQL
}

ask() {
	sql -d answers -o /dev/null <<-'SQL'
		SELECT answer_eval('{"checks": [
			{"tool": "stock", "args": {"item": "bolt"}, "expect": {"op": "gte", "value": 1000}},
			{"tool": "ordered", "args": {"item": "bolt"}, "expect": {"op": "between", "value": [1, 500]}}]}');
		SELECT answer_ask('Is the setting fsync on?');
		SELECT answer_grounded('How many days of vacation do employees have?');
		SELECT answer_log_seal();
	SQL
	sql -d postgres -o /dev/null -c "SELECT answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')" -c 'SELECT answer_log_seal()'
}

# What must be the same in a database before and after.
state() {
	sql -d "$1" <<-'SQL'
		SELECT md5(string_agg(receipt_id || answer_canonical(body), '' ORDER BY receipt_id COLLATE "C")) FROM answer.receipt;
		SELECT answer_keys();
		SELECT answer_checkpoint();
		SELECT md5(string_agg(leaf_index || receipt_id, '' ORDER BY leaf_index)) FROM answer.log_leaf;
		SELECT md5(string_agg(to_jsonb(e)::text, '' ORDER BY to_jsonb(e)::text COLLATE "C")) FROM answer.evidence AS e;
		SELECT extname || ' ' || extversion || ' ' || extnamespace::regnamespace FROM pg_extension ORDER BY 1;
	SQL
}

# verified VERSION: every receipt verifies, here and with answer-verify, and the audit finds nothing.
verified() {
	for database in answers postgres; do
		is "receipts of $database that do not verify" 0 "$(sql -d "$database" -c 'SELECT count(*) FROM answer.receipt WHERE NOT answer_verify_ok(body)')"
		sql -d "$database" -o "$TOP/receipts" -c 'SELECT answer_canonical(body) FROM answer.receipt'
		sql -d "$database" -o "$TOP/keys" -c 'SELECT answer_key_registry()'
		answer-verify receipt -q --keys "$TOP/keys" "$TOP/receipts"
		is "findings in $database" '' "$(sql -d "$database" -c 'SELECT * FROM answer_log_audit()')"
	done
	is 'rows found by a user'"'"'s index' 1 "$(sql -d answers -c 'SET enable_seqscan = off' \
		-c "SELECT count(*) FROM kept WHERE answer_canonical(body) = answer_canonical('{\"a\": 7}')")"
	say "PostgreSQL $1: $(sql -d answers -c 'SELECT count(*) FROM answer.receipt') receipts verify, the audit finds nothing"
}

old=$1
shift
make_cluster "$old"
serve "$old"
fill
ask
verified "$old"
for new; do
	for database in answers postgres; do state "$database" >"$TOP/$database.before"; done
	tree_size=$(sql -d answers -c 'SELECT max(tree_size) FROM answer.checkpoint')
	rest "$old"
	make_cluster "$new"
	say "pg_upgrade from $old to $new"
	mkdir "$TOP/work"
	(cd "$TOP/work" && "$(bin "$new")/pg_upgrade" -b "$(bin "$old")" -B "$(bin "$new")" -d "$TOP/$old" -D "$TOP/$new" -U postgres) ||
		{ find "$TOP/$new" "$TOP/work" -path '*pg_upgrade_output.d*' -name '*.log' -exec tail -n 40 {} +; exit 1; }
	rm -r "$TOP/work"
	serve "$new"
	for database in answers postgres; do
		state "$database" >"$TOP/$database.after"
		diff "$TOP/$database.before" "$TOP/$database.after" || die "$database is not what it was"
	done
	verified "$new"

	# it does not sign without the keys' files, and not before they are its own
	refused 55000 answers "SELECT answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')"
	cp -a "$TOP/$old/answer_eval_keys" "$TOP/$new/"
	refused 55000 answers "SELECT answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')"
	for database in answers postgres; do sql -d "$database" -o /dev/null -c 'SELECT answer_key_adopt()'; done
	ask
	is 'active keys made since' 0 "$(sql -d answers -c 'SELECT count(*) FROM answer.signing_key WHERE key_id NOT IN (SELECT key_id FROM answer.receipt ORDER BY issued_at LIMIT 1)')"
	sql -d answers -o /dev/null -c "SELECT answer_log_consistency($tree_size)"
	verified "$new"
	old=$new
done
rest "$old"
rm -rf "$TOP"
