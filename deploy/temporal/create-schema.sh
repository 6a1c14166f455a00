#!/bin/sh
# Creates or updates the tables of the Temporal server. It is safe to run again.
set -eu

SQL_PASSWORD="$(cat /run/secrets/temporal_password)"
export SQL_PASSWORD
schemas=/etc/temporal/schema/postgresql/v12

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --ep temporal-postgres -p 5432 -u temporal --db $1"
  $tool create
  # Fails where the tables exist already.
  $tool setup-schema -v 0.0 || true
  $tool update-schema -d "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
