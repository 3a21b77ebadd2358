#!/bin/sh
# life.sh VERSION: runs inside a system that has the packages for this server, from /debs. While a server runs, the packages are
# replaced, purged and installed again. Sessions go on, data and keys stay, and nothing else is left behind.
set -eu
version=$1
package=postgresql-$version-answer-eval
keys=/var/lib/postgresql/$version/life/answer_eval_keys
said=$(mktemp)
export PGOPTIONS='-c client_min_messages=warning'

say() { echo "--- $*"; }
die() { echo "$*" >&2; cat "$said" >&2; exit 1; }
sql() { setpriv --reuid=postgres --regid=postgres --init-groups env -C / psql -X -q -t -A -v ON_ERROR_STOP=1 -d answers --cluster "$version/life" "$@"; }
sign() { sql -o /dev/null -c "SELECT answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')"; }
# is WHAT WANTED FOUND
is() { [ "$2" = "$3" ] || die "$1: wanted '$2', found '$3'"; }
install() { apt-get -q -y --no-install-recommends --reinstall install /debs/*.deb; }
# our files, without the keys and the settings for the mirror
ours() { find /usr /etc /var/lib/postgresql -path '*answer[_-]*' ! -path "$keys*" ! -name 90answer_eval | sort; }

say 'files'
for file in /usr/bin/answer-*; do
	case $(head -n 1 "$file") in '#!/usr/bin/python3') ;; *) die "$file: $(head -n 1 "$file")" ;; esac
	"$file" --help >"$said" || die "$file --help"
	man=/usr/share/man/man1/${file##*/}.1.gz
	for named in $(zcat "$man" | grep -o '/usr/share/doc/[^ ]*'); do [ -f "$named" ] || die "$man names $named"; done
done
is 'files that others can write, or that are not for all to read' '' "$(dpkg -L "$package" answer-eval-tools | grep . | xargs -d '\n' -I{} find {} -maxdepth 0 ! -type l \( -perm /022 -o ! -perm -444 -o ! -user root \))"
# the links of a chapter to others
cd /usr/share/doc/answer-eval-tools/doc
grep -ohE '\]\(((spec/)?[A-Za-z0-9_-]+\.md|images/[^)#]+)' -- *.md | sed 's/^](//' | sort -u >/tmp/named
[ -s /tmp/named ]
while read -r named; do [ -f "$named" ] || die "a chapter names $named"; done </tmp/named
cd /

say 'replaced while sessions are open'
pg_createcluster "$version" life >"$said" 2>&1 || die 'no cluster'
pg_ctlcluster "$version" life start
setpriv --reuid=postgres --regid=postgres --init-groups env -C / createdb --cluster "$version/life" answers
sql -c 'CREATE EXTENSION answer_eval'
sign
mkfifo /tmp/statements
setpriv --reuid=postgres --regid=postgres --init-groups env -C / psql -X -q -t -A -v ON_ERROR_STOP=1 -d answers --cluster "$version/life" </tmp/statements >/tmp/session 2>&1 &
session=$!
exec 3>/tmp/statements
echo "SELECT answer_verify_ok(body) FROM answer.receipt WHERE schema = 'answer/v1'; \\! touch /tmp/loaded" >&3
until [ -e /tmp/loaded ]; do kill -0 "$session"; sleep 0.1; done
ours >/tmp/before
install >"$said" 2>&1 || die 'not replaced'
sign
echo "SELECT count(answer_eval('{\"checks\": [{\"tool\": \"postgres_server\"}]}')); SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body) AND schema = 'answer/v1';" >&3
exec 3>&-
wait "$session" || { cat /tmp/session >"$said"; die 'a session with the old library does not go on'; }
is 'what a session with the old library says' 't 1 3' "$(tr '\n' ' ' </tmp/session | sed 's/ $//')"

say 'purged'
apt-get -q -y purge "$package" answer-eval-tools >"$said" 2>&1 || die 'not purged'
is 'files that are left' '' "$(ours)"
is 'keys that are left' 1 "$(find "$keys" -name '*.pem' | wc -l)"
is 'receipts that are left' 3 "$(sql -c "SELECT count(*) FROM answer.receipt WHERE schema = 'answer/v1'")"
if sql -c 'SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body)' >"$said" 2>&1; then die 'it verifies without the library'; fi
# what doc/operations.md says about a missing library
sql -c 'CREATE TABLE mine (id int)' >"$said" 2>&1 || die 'no table can be made'
if sql -c 'DROP TABLE mine' >"$said" 2>&1; then die 'a table was dropped without the guard'; fi
sql -c 'ALTER EVENT TRIGGER answer_drop_guard DISABLE' -c 'DROP TABLE mine' -c 'ALTER EVENT TRIGGER answer_drop_guard ENABLE ALWAYS' >"$said" 2>&1 ||
	die 'a table cannot be dropped with the guard disabled'

say 'installed again'
install >"$said" 2>&1 || die 'not installed again'
ours >/tmp/after
diff /tmp/before /tmp/after || die 'other files than before'
sign
is 'receipts that verify' 4 "$(sql -c "SELECT count(*) FROM answer.receipt WHERE answer_verify_ok(body) AND schema = 'answer/v1'")"
is 'findings' '' "$(sql -c 'SELECT * FROM answer_log_audit()')"
pg_dropcluster --stop "$version" life
