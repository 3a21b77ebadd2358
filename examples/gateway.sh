#!/usr/bin/env bash
# Serves the extension over HTTP from a private temporary server with the shipped documents, and prints commands to try.
# It runs until it is interrupted, and leaves nothing behind. GATEWAY_PORT is the port (8000).
set -eu
# shellcheck source=../test/lib/common.sh
. "$(dirname "$0")/../test/lib/common.sh"

port=${GATEWAY_PORT:-8000}
is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

! is_listening || die "somebody listens on port $port already; GATEWAY_PORT=8001 $0 takes another"
say "Preparing packages, build and a private server ..."
ensure_server_packages python3
# shellcheck disable=SC2086
ensure_packages curl $GATEWAY_PACKAGES
make_work_dir
stage_build "$WORK"
server_start "$WORK"
psql -X -q -v ON_ERROR_STOP=1 -v documents="$(cat "$ROOT/examples/ground/documents.json")" -f "$ROOT/examples/gateway.sql"
cat >"$WORK/gateway.toml" <<SETTINGS
# anybody may ask: this is only for trying it out on this machine
dsn = "user=answer_gateway"
[anonymous]
role = "answer_public"
SETTINGS
start_job /usr/bin/python3 "$ROOT/tools/gateway/answer-gateway" --settings "$WORK/gateway.toml" --port "$port"
gateway=$!
until is_listening; do
	kill -0 "$gateway" 2>/dev/null || die 'the gateway has ended'
	sleep 0.2
done
say "
The gateway listens on http://127.0.0.1:$port until you press Ctrl-C. Paste:

curl -s http://127.0.0.1:$port/answer -d '{\"query\": \"Who reviews every exemption request?\"}' | python3 -m json.tool | head -40
curl -s http://127.0.0.1:$port/v1/answer -d '{\"checks\": [{\"tool\": \"postgres_server\", \"expect\": {\"op\": \"semver_gte\", \"value\": \"15\"}}]}'
curl -s http://127.0.0.1:$port/.well-known/keys

All addresses: http://127.0.0.1:$port/openapi"
wait "$gateway"
