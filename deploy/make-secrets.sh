#!/bin/sh
# Makes the secrets that docker-compose.yml reads, in deploy/secrets or the folder that is named. What
# is there already is kept: run it again after an upgrade. Those that only you can know are left
# empty, which counts as not set: write them into their files.
set -eu
umask 022
folder=${1:-"$(dirname "$0")/secrets"}
mkdir -p "$folder"
# The containers' users are others than yours, so that the files have to be readable; who may enter
# the folder is what protects them.
chmod 700 "$folder"

random() {
  od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

# A file appears with its content or not at all.
keep() {
  if [ ! -e "$folder/$1" ]; then
    printf '%s' "$2" >"$folder/$1.half"
    mv "$folder/$1.half" "$folder/$1"
  fi
}

keep postgres_password "$(random 24)"
keep owner_password "$(random 24)"
keep service_password "$(random 24)"
keep temporal_password "$(random 24)"
keep grafana_password "$(random 16)"

at='@postgres:5432/loyalty'
keep database_owner_url "postgres://loyalty_owner:$(cat "$folder/owner_password")$at"
keep database_url "postgres://loyalty_service:$(cat "$folder/service_password")$at"

keep encryption_key "k1:$(random 32)"
keep cron_secret "$(random 24)"
keep object_store_key_id "loyalty$(random 8)"
keep object_store_key "$(random 24)"

for name in alpha_app_secret alpha_webhook_signature_key beta_app_secret beta_webhook_secret \
  identity_admin_token temporal_api_key; do
  keep "$name" ''
done
echo "The secrets are in $folder. Keep a copy of encryption_key apart from the database's backups."
