# shellcheck shell=bash
# Carries the Dockerfile out without Docker, in copies of Debian systems. It knows the instructions that the Dockerfile has, and
# refuses others. Source it after systems.sh.

# Of the stage that is being made; of the last one in the end.
IMAGE=
IMAGE_ENV=()
IMAGE_USER=
IMAGE_ENTRYPOINT=()
IMAGE_CMD=()

# in_image COMMAND: as the stage's user, with its environment.
in_image() {
	local as=()
	[ -z "$IMAGE_USER" ] || as=(setpriv "--reuid=$IMAGE_USER" "--regid=$IMAGE_USER" --init-groups)
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

# What starts the container twice and asks it, by TCP with the password. The second time it has the first receipt, too.
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
	done <"$ROOT/Dockerfile"
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

docker_image() { docker_build && docker_start; }
