# shellcheck shell=bash
# Executes the Dockerfiles without Docker, in copies of Debian systems. It knows only the instructions that they use, and refuses
# others. Source it after systems.sh.

# Of the stage that is being built; at the end, of the last one.
IMAGE=
IMAGE_ENV=()
IMAGE_USER=
IMAGE_ENTRYPOINT=()
IMAGE_CMD=()

# in_image COMMAND: as the stage's user, with its environment.
in_image() {
	local as=()
	[ -z "$IMAGE_USER" ] || as=(setpriv "--reuid=$IMAGE_USER" "--regid=$(awk -F: -v user="$IMAGE_USER" '$1 == user { print $4 }' "$IMAGE/etc/passwd")" --init-groups)
	inside "$IMAGE" env "${IMAGE_ENV[@]}" "${as[@]}" "$@"
}

# json_words VARIABLE ["a", "b"]
json_words() {
	mapfile -t "$1" < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$2")
}

# carry_out INSTRUCTION TEXT CONTEXT
carry_out() {
	local words name
	read -ra words <<<"$2"
	case $1 in
		FROM)
			[[ ${words[0]} == debian:* ]] || { say "$2: only Debian's images are at hand"; return 1; }
			name=${words[2]:-image}
			IMAGE=$SYSTEMS/docker-$name
			IMAGE_ENV=()
			IMAGE_USER=
			fresh_system "${words[0]#debian:}" "docker-$name"
			;;
		RUN) in_image /bin/sh -c "$2" ;;
		ENV) IMAGE_ENV+=("${words[@]}") ;;
		USER) IMAGE_USER=$2 ;;
		COPY)
			if [[ ${words[0]} == --from=* ]]; then
				cp -a "$SYSTEMS/docker-${words[0]#--from=}${words[1]}/." "$IMAGE${words[2]}"
			elif [ "${words[0]}" = . ]; then
				mkdir -p "$IMAGE${words[1]}"
				cp -a "$3/." "$IMAGE${words[1]}"
			else
				cp -a "$3/${words[0]}" "$IMAGE${words[1]}"
			fi
			;;
		ENTRYPOINT) json_words IMAGE_ENTRYPOINT "$2" ;;
		CMD) json_words IMAGE_CMD "$2" ;;
		VOLUME | EXPOSE | STOPSIGNAL) ;;
		*) say "Dockerfile: no instruction $1 is known here"; return 1 ;;
	esac
}

# The script that starts the container twice and asks it, by TCP with the password. The second time it still has the first receipt.
# shellcheck disable=SC2016
START_AND_ASK='
	ask() { PGPASSWORD=$1 psql -X -q -t -A -v ON_ERROR_STOP=1 -h 127.0.0.1 -U postgres -d answers -c "$2"; }
	for receipts in 1 2; do
		"$@" &
		server=$!
		until pg_isready -q -h 127.0.0.1; do kill -0 "$server"; sleep 0.2; done
		ask secret "SELECT answer_summary(answer_eval(jsonb_build_object(
			\$\$checks\$\$, jsonb_build_array(jsonb_build_object(\$\$tool\$\$, \$\$postgres_server\$\$,
				\$\$expect\$\$, jsonb_build_object(\$\$op\$\$, \$\$semver_gte\$\$, \$\$value\$\$, \$\$17\$\$))))))"
		said=$(ask secret "SELECT count(*) FROM answer.receipt WHERE verdict = \$\$supported\$\$ AND answer_verify_ok(body)")
		[ "$said" = "$receipts" ]
		if ask wrong "SELECT 1"; then echo "a wrong password opens it"; exit 1; fi
		kill -INT "$server"
		wait "$server"
	done'

# docker_build DOCKERFILE
docker_build() {
	local context=$SYSTEMS/docker-context line instruction=
	rm -rf "$context"
	copy_tree "$context"
	while IFS= read -r line; do
		if [[ $line == '#'* || -z $line ]]; then continue; fi
		instruction+=$line
		if [[ $line == *\\ ]]; then instruction=${instruction%\\}; continue; fi
		say "--- $instruction"
		carry_out "${instruction%% *}" "${instruction#* }" "$context" || return
		instruction=
	done <"$1"
	[ -z "$instruction" ]
}

docker_start() {
	if in_image "${IMAGE_ENTRYPOINT[@]}" "${IMAGE_CMD[@]}"; then
		say 'it starts without a password'
		return 1
	fi
	IMAGE_ENV+=(POSTGRES_PASSWORD=secret)
	INSIDE_ALONE=1 in_image sh -euc "$START_AND_ASK" sh "${IMAGE_ENTRYPOINT[@]}" "${IMAGE_CMD[@]}"
}

docker_image() { docker_build "$ROOT/Dockerfile" && docker_start; }

# The script that starts the gateway without a database, asks it, and ends it.
# shellcheck disable=SC2016
GATEWAY_START_AND_ASK='
	"$@" &
	gateway=$!
	python3 -c "
import json, time, urllib.error, urllib.request
for _ in range(600):
    try:
        urllib.request.urlopen(\"http://127.0.0.1:8000/health\")
    except urllib.error.HTTPError as error:
        assert error.code == 503 and json.load(error)[\"title\"], error
        break
    except OSError:
        time.sleep(0.1)
else:
    raise SystemExit(\"it does not listen\")"
	kill "$gateway"
	wait "$gateway"'

gateway_image() {
	docker_build "$ROOT/docker/gateway.Dockerfile" || return
	if in_image "${IMAGE_ENTRYPOINT[@]}"; then
		say 'it starts without settings'
		return 1
	fi
	printf '%s\n' 'dsn = "host=/nowhere user=answer_gateway"' '[limits]' 'waiting_seconds = 1' '[anonymous]' 'role = "answer_public"' >"$IMAGE/etc/answer-gateway.toml"
	INSIDE_ALONE=1 in_image sh -euc "$GATEWAY_START_AND_ASK" sh "${IMAGE_ENTRYPOINT[@]}"
}
