#!/bin/sh
# Makes the tables of the Temporal server, or brings them up to date. Running it again is harmless.
set -eu

SQL_PASSWORD="$(cat /run/secrets/temporal_password)"
export SQL_PASSWORD
schemas=/etc/temporal/schema/postgresql/v12

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --ep temporal-postgres -p 5432 -u temporal --db $1"
  $tool create
  # Refuses where its tables are there already.
  $tool setup-schema -v 0.0 || true
  $tool update-schema -d "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
