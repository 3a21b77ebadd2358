# The gateway, on Debian; the settings are mounted:
#
#     docker build -f docker/gateway.Dockerfile -t answer_gateway .
#     docker run -d -p 8000:8000 -v ./gateway.toml:/etc/answer-gateway.toml:ro answer_gateway
FROM debian:bookworm
RUN apt-get -q update && apt-get -q -y install --no-install-recommends python3-fastapi python3-uvicorn python3-psycopg python3-psycopg-pool python3-httpx && \
	rm -rf /var/lib/apt/lists/*
COPY tools/gateway /usr/lib/answer-gateway
USER nobody
EXPOSE 8000
ENTRYPOINT ["/usr/lib/answer-gateway/answer-gateway", "--settings", "/etc/answer-gateway.toml", "--host", "0.0.0.0"]
