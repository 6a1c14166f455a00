#!/bin/sh
# Creates the secrets that docker-compose.yml reads, in deploy/secrets or in the given folder.
# Existing secrets are kept: run it again after an upgrade. Secrets that come from elsewhere are
# created empty, which counts as not set: write their values into their files.
set -eu
umask 022
folder=${1:-"$(dirname "$0")/secrets"}
mkdir -p "$folder"
# Containers run as other users, so the files must be readable by all; the permissions of the folder
# protect them.
chmod 700 "$folder"

random() {
  od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

# Writes the file atomically, so that it never exists without its content.
put() {
  printf '%s' "$2" >"$folder/$1.half"
  mv "$folder/$1.half" "$folder/$1"
}
keep() {
  [ -e "$folder/$1" ] || put "$1" "$2"
}

keep postgres_password "$(random 24)"
keep owner_password "$(random 24)"
keep service_password "$(random 24)"
keep backup_password "$(random 24)"
keep temporal_password "$(random 24)"
keep grafana_password "$(random 16)"

at='@postgres:5432/loyalty'
keep database_owner_url "postgres://loyalty_owner:$(cat "$folder/owner_password")$at"
keep database_url "postgres://loyalty_service:$(cat "$folder/service_password")$at"

keep encryption_key "k1:$(random 32)"
# Statements are signed by the worker, and verified by everybody: a key and its public half, which
# are the last 32 bytes of what openssl writes. The private one comes last: without it there was no
# key yet, or it was taken away, and the public ones that are there have signed something else.
if [ ! -e "$folder/statement_signing_key" ]; then
  pair=$(openssl genpkey -algorithm ed25519)
  half() {
    printf '%s\n' "$pair" | openssl pkey "$@" -outform DER | tail -c 32 | od -An -v -tx1 | tr -d ' \n'
  }
  others=$(cat "$folder/statement_public_keys" 2>/dev/null || true)
  put statement_public_keys "$(half -pubout)${others:+,$others}"
  put statement_signing_key "$(half)"
fi
# Pushes are signed by the worker, and browsers subscribe with the public half: a point of 65 bytes,
# which are the last that openssl writes. The private one are the 32 bytes after the first 36.
if [ ! -e "$folder/vapid_private_key" ]; then
  pair=$(openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256)
  base64url() {
    base64 | tr '+/' '-_' | tr -d '=\n'
  }
  point=$(printf '%s\n' "$pair" | openssl pkey -pubout -outform DER | tail -c 65 | base64url)
  number=$(printf '%s\n' "$pair" | openssl pkcs8 -topk8 -nocrypt -outform DER | tail -c +37 |
    head -c 32 | base64url)
  put vapid_public_key "$point"
  put vapid_private_key "$number"
fi
keep cron_secret "$(random 24)"
keep object_store_key_id "loyalty$(random 8)"
keep object_store_key "$(random 24)"

for name in alpha_app_secret alpha_webhook_signature_key beta_app_secret beta_webhook_secret \
  identity_admin_token smtp_url temporal_api_key alerts_smtp_password backup_key_id backup_key; do
  keep "$name" ''
done
echo "The secrets are in $folder. Back up encryption_key separately from the database."
