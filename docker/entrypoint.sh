#!/bin/sh
# On the first start it makes the cluster and its database, with the extension. Then it becomes the server.
#
#     POSTGRES_PASSWORD    the superuser's password, for the first start; needed
#     POSTGRES_DB          the database (answers)
set -eu

make_cluster() {
	if [ -z "${POSTGRES_PASSWORD:-}" ]; then
		echo 'POSTGRES_PASSWORD is empty; the first start needs the password that the superuser postgres shall have' >&2
		exit 1
	fi
	# Under another name until it is complete: a start that was interrupted begins anew.
	made=$PGDATA.new
	database=${POSTGRES_DB:-answers}
	rm -rf "$made"
	printf '%s\n' "$POSTGRES_PASSWORD" >"$made.password"
	initdb -D "$made" --username=postgres --pwfile="$made.password" --auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 \
		--locale=C.UTF-8 --data-checksums
	rm "$made.password"
	echo "listen_addresses = '*'" >>"$made/postgresql.conf"
	echo 'host all all all scram-sha-256' >>"$made/pg_hba.conf"
	pg_ctl start -D "$made" -w -o "-c listen_addresses=''"
	[ "$database" = postgres ] || createdb -U postgres -- "$database"
	PGDATABASE=$database psql -X -U postgres -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION answer_eval'
	pg_ctl stop -D "$made" -m fast
	mv "$made" "$PGDATA"
}

umask 077
[ "${1:-postgres}" != postgres ] || [ -d "$PGDATA" ] || make_cluster
exec "$@"
