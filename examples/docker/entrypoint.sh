#!/bin/sh
# Starts PostgreSQL on the volume: at first it makes a cluster and in it a database with the extension.
#
#     POSTGRES_DB         the database (answers)
#     POSTGRES_PASSWORD   of the role postgres; without one there is no way in but the socket inside the container
set -eu
[ "${1:-postgres}" = postgres ] || exec "$@"
[ "$#" -eq 0 ] || shift
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
version=${bin%/bin}
version=${version##*/}
data=/var/lib/postgresql/$version/data
database=${POSTGRES_DB:-answers}
if [ ! -s "$data/PG_VERSION" ]; then
	# It gets its name when it is complete: what an interruption left is made anew.
	new=$data.new
	rm -rf "$new"
	mkdir -p "${data%/*}"
	if [ -n "${POSTGRES_PASSWORD:-}" ]; then
		umask 077
		printf '%s\n' "$POSTGRES_PASSWORD" >"/tmp/password.$$"
		"$bin/initdb" -D "$new" -U postgres -E UTF8 --locale=C.UTF-8 --auth-local=peer --auth-host=scram-sha-256 --pwfile="/tmp/password.$$"
		rm -f "/tmp/password.$$"
		echo 'host all all all scram-sha-256' >>"$new/pg_hba.conf"
		echo "listen_addresses = '*'" >>"$new/postgresql.conf"
	else
		"$bin/initdb" -D "$new" -U postgres -E UTF8 --locale=C.UTF-8 --auth-local=peer --auth-host=reject
		echo "listen_addresses = ''" >>"$new/postgresql.conf"
	fi
	# No TCP until it is complete.
	"$bin/pg_ctl" start -w -s -D "$new" -o "-c listen_addresses=''"
	[ "$database" = postgres ] || printf 'CREATE DATABASE :"database";\n' | psql -X -q -v ON_ERROR_STOP=1 -v database="$database" -d postgres
	psql -X -q -v ON_ERROR_STOP=1 -d "$database" -c 'CREATE EXTENSION answer_eval'
	"$bin/pg_ctl" stop -w -s -D "$new"
	mv "$new" "$data"
fi
exec "$bin/postgres" -D "$data" "$@"
