#!/bin/sh
# Creates the database and its roles; the image runs it once, when it initializes its data
# folder. The owner changes the schema with `npm run migrate`, which also grants the service
# exactly the privileges that it needs.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$(cat /run/secrets/owner_password)" \
  --set service_password="$(cat /run/secrets/service_password)" <<'SQL'
create role loyalty_owner login password :'owner_password';
create role loyalty_service login password :'service_password';
create database loyalty owner loyalty_owner;
SQL

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$(cat /run/secrets/backup_password)" --file /backup-role.sql
