# PostgreSQL with the extension, on Debian:
#
#     docker build -t answer_eval .
#     docker run -d --name answers -e POSTGRES_PASSWORD=secret -p 5432:5432 -v answers:/var/lib/postgresql/data answer_eval
#     docker exec answers psql answers -c "SELECT answer_key_registry()"
#
# test/packages.sh does these steps without Docker, so there are no more kinds of instructions than it knows.
FROM debian:trixie AS build
RUN apt-get -q update && apt-get -q -y install --no-install-recommends build-essential libssl-dev postgresql-server-dev-17
COPY . /src
RUN make -C /src -s -j "$(nproc)" with_llvm=no && make -C /src -s install with_llvm=no DOCS= DESTDIR=/staged

FROM debian:trixie
ENV LANG=C.UTF-8 PGDATA=/var/lib/postgresql/data/17 PATH=/usr/lib/postgresql/17/bin:/usr/local/bin:/usr/bin:/bin
RUN mkdir -p /etc/postgresql-common/createcluster.d && \
	echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/none.conf && \
	apt-get -q update && apt-get -q -y install --no-install-recommends openssl postgresql-17 python3 && \
	rm -rf /var/lib/apt/lists/* && \
	install -d -o postgres -g postgres -m 700 /var/lib/postgresql/data && install -d -o postgres -g postgres /run/postgresql
COPY --from=build /staged /
COPY docker/entrypoint.sh /usr/local/bin/entrypoint.sh
USER postgres
VOLUME /var/lib/postgresql/data
EXPOSE 5432
# smart would wait for the clients
STOPSIGNAL SIGINT
ENTRYPOINT ["entrypoint.sh"]
CMD ["postgres"]
