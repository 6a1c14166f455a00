#!/bin/sh
# Run once by the image, when it makes its data folder: the database with its two roles. The owner
# changes the schema, by `npm run migrate`, which also gives the service what it needs and no more.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$(cat /run/secrets/owner_password)" \
  --set service_password="$(cat /run/secrets/service_password)" <<'SQL'
create role loyalty_owner login password :'owner_password';
create role loyalty_service login password :'service_password';
create database loyalty owner loyalty_owner;
SQL
