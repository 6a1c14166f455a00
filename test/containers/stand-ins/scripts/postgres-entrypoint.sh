#!/bin/sh
# Makes the data folder once, without a port while its scripts run, and becomes the command.
set -eu
# This build knows no LZ4: it compresses with its own method what compose has compressed with that.
for argument in "$@"; do
  shift
  case $argument in wal_compression=lz4) argument=wal_compression=pglz ;; esac
  set -- "$@" "$argument"
done
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export POSTGRES_USER="${POSTGRES_USER:-postgres}"
  mkdir -p "$PGDATA"
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  cat >>"$PGDATA/postgresql.conf" <<'END'
listen_addresses = '*'
unix_socket_directories = '/run/postgresql'
END
  pg_ctl --wait start --options="-c listen_addresses=''"
  if [ "$POSTGRES_USER" != postgres ]; then
    psql --username "$POSTGRES_USER" --dbname postgres --command "create database $POSTGRES_USER"
  fi
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [ -e "$script" ]; then sh "$script"; fi
  done
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
