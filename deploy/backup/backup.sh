#!/bin/sh
# Backs up the service's Postgres to a bucket, and proves that it can be restored.
#
#   backup run                     the log each minute, a copy each night, a check each week
#   backup ship | copy | check     one of them, once
#   backup list                    the full copies
#   backup restore FOLDER [MOMENT] into an empty folder: all that there is, or up to a moment,
#                                  such as '2026-01-31 12:00:00+00'
#
# It reads the files of the server, at the place where the server has them. The log is kept there
# for it by a replication slot until it is in the bucket. BACKUP_URL is
# s3://BUCKET/FOLDER?region=REGION, for others than Amazon also with &endpoint=https://…;
# PGHOST, PGUSER and PGDATABASE name the server. When each last succeeded is told to the database.
set -eu
umask 077

self=$(realpath "$0")
slot=loyalty_backup
scratch=${BACKUP_SCRATCH:-/scratch}
every=${BACKUP_EVERY_SECONDS:-60}
port=${BACKUP_CHECK_PORT:-5433}
verify=${BACKUP_VERIFY:-node /app/ops/verify.ts}
# UTC.
copies_at=02:00
copy_wanted=$scratch/copy-wanted

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*" >&2; }
fail() {
  say "$@"
  exit 1
}

# Prints a setting that may be in a file.
given() {
  eval "file=\${$1_FILE-} value=\${$1-}"
  if [ -n "$file" ]; then cat "$file"; else printf %s "$value"; fi
}
for name in AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY PGPASSWORD; do
  export "$name=$(given "$name")"
done

url=${BACKUP_URL:?the bucket, such as s3://shop-backups/loyalty?region=eu-central-1}
place=${url%%\?*}
in_url() { printf %s "${url#"$place"}" | tr '?&' '\n\n' | sed -n "s/^$1=//p"; }
AWS_DEFAULT_REGION=$(in_url region)
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-us-east-1}" PGCONNECT_TIMEOUT=10
endpoint=$(in_url endpoint)
mkdir -p "$scratch/tmp"
export TMPDIR="$scratch/tmp"

# barman NAME ARGUMENTS: one of its cloud commands.
barman() {
  command=barman-cloud-$1
  shift
  if [ -n "$endpoint" ]; then
    "$command" --endpoint-url "$endpoint" --addressing-style path "$@"
  else
    "$command" "$@"
  fi
}

sql() { psql -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
# Moments are in milliseconds since 1970.
now() { sql 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint'; }
record() { sql "select record_backup('$1', to_timestamp($2 / 1000.0))" >/dev/null; }
recorded() {
  found=$(sql "select floor(extract(epoch from completed_at) * 1000)::bigint
    from job_runs where job = 'backup_$1'")
  echo "${found:-0}"
}

# Makes the server keep its log until it is in the bucket. What was logged before that is not there,
# so nothing can be restored but what is copied from now on.
keep_log() {
  status=$(sql "select wal_status from pg_replication_slots where slot_name = '$slot'")
  case $status in
    lost) sql "select pg_drop_replication_slot('$slot')" >/dev/null ;;
    ?*) return ;;
  esac
  # Its age says how long the copy has been waited for, also where no slot can be made.
  [ -e "$copy_wanted" ] || touch "$copy_wanted"
  sql "select pg_create_physical_replication_slot('$slot', true)" >/dev/null
  touch "$scratch/log-kept"
  # A first copy that never comes is then as late as a later one.
  [ "$(recorded log)" -gt 0 ] || record log "$(now)"
  # They lead from what was restored to what was logged since.
  for history in "$1"/*.history; do
    [ ! -e "$history" ] || barman wal-archive "$place" loyalty "$history"
  done
}

# Whatever was committed before it is in the bucket afterwards.
ship() {
  log=$(sql 'show data_directory')/pg_wal
  keep_log "$log"
  begun=$(now)
  sql 'select pg_switch_wal()' >/dev/null
  size="pg_size_bytes(current_setting('wal_segment_size'))"
  # The first segment that is still being written, and the timeline.
  at=$(sql "select trunc(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') / $size),
    substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)")
  finished=$(sql "select name from pg_ls_waldir(), pg_replication_slots s
    where slot_name = '$slot' and name ~ '^${at#*|}[0-9A-F]{16}\$'
      and (pg_split_walfile_name(name)).segment_number < ${at%|*}
      and (pg_split_walfile_name(name)).segment_number
        >= trunc(pg_wal_lsn_diff(restart_lsn, '0/0') / $size)
    order by name")
  for segment in $finished; do
    barman wal-archive --gzip "$place" loyalty "$log/$segment"
  done
  [ -z "$finished" ] || sql "select pg_replication_slot_advance('$slot',
    '0/0'::pg_lsn + ${at%|*} * $size)" >/dev/null
  # Without a copy the log is of no use.
  [ -e "$copy_wanted" ] || record log "$begun"
}

# Waits until all that was committed before a moment is in the bucket.
shipped() {
  for _ in $(seq 60); do
    [ "$(recorded log)" -lt "$1" ] || return 0
    sleep "$((every / 6 + 1))"
  done
  fail 'The log does not come into the bucket.'
}

copy() {
  touch "$scratch/copy-begun"
  barman backup --gzip --immediate-checkpoint -d "$PGDATABASE" "$place" loyalty
  # A copy that began before the log was kept anew lacks some of it, and another one is wanted.
  [ -z "$(find "$scratch/log-kept" -newer "$scratch/copy-begun" 2>/dev/null)" ] ||
    fail 'Log of the time of the copy was lost.'
  rm -f "$copy_wanted"
  copied=$(now)
  shipped "$copied"
  record copy "$copied"
  say 'A full copy is in the bucket.'
  barman backup-delete --minimum-redundancy 2 \
    --retention-policy "RECOVERY WINDOW OF ${BACKUP_KEEP_DAYS:-30} DAYS" "$place" loyalty
}

# A server on the restored files, which only this container reaches.
in_restored() (
  export PGHOST=127.0.0.1 PGPORT="$port"
  "$@"
)
restored_server=
stop_restored() {
  [ -n "$restored_server" ] || return 0
  kill -INT "$restored_server" || true
  wait "$restored_server" || true
  restored_server=
}

# restore_to FOLDER [MOMENT]: leaves a server running on it.
restore_to() {
  exec 9>"$scratch/lock"
  flock -n 9 || fail 'Another check or restore is under way.'
  rm -rf "$scratch/check"
  mkdir -p "$1"
  [ -z "$(ls -A "$1")" ] || fail "$1 is not empty: nothing was changed."
  chmod 700 "$1"
  barman restore ${2:+--target-time "$2"} "$place" loyalty auto "$1" ||
    fail 'The full copy cannot be read.'
  touch "$1/recovery.signal"
  echo 'host all all 127.0.0.1/32 trust' >"$scratch/hba.conf"
  trap stop_restored EXIT
  trap 'exit 1' INT TERM
  # As a standby it would want the settings of the server that was copied.
  postgres -D "$1" -p "$port" -c hba_file="$scratch/hba.conf" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c hot_standby=off -c archive_mode=off -c ssl=off \
    -c max_locks_per_transaction=256 -c restore_command="'$self' fetch %f %p" \
    ${2:+-c recovery_target_time="$2"} -c recovery_target_action=promote \
    >"$scratch/restored.log" 2>&1 &
  restored_server=$!
  until [ "$(in_restored sql 'select pg_is_in_recovery()' 2>/dev/null)" = f ]; do
    if ! kill -0 "$restored_server" 2>/dev/null; then
      restored_server=
      tail -n 20 "$scratch/restored.log" >&2
      fail 'The copy and its log cannot be restored.'
    fi
    sleep 1
  done
}

restore() {
  restore_to "$@"
  last=$(in_restored sql "select to_char(pg_last_xact_replay_timestamp() at time zone 'UTC',
    'YYYY-MM-DD HH24:MI:SS.MS')")
  stop_restored
  say "Restored. The last that happened in it was at $last UTC."
}

# The server asks for what comes after the end, too. Anything else that fails must not look like it.
fetch() {
  status=0
  barman wal-restore "$place" loyalty "$1" "$2" || status=$?
  [ "$status" -le 1 ] || exit 126
  exit "$status"
}

check() {
  before=$(recorded log)
  shipped "$(now)"
  restore_to "$scratch/check"
  reached=$(in_restored recorded log)
  [ "$reached" -ge "$before" ] ||
    fail "The log ends $(((before - reached) / 1000)) seconds before it should."
  status=0
  DATABASE_URL="postgres://loyalty_service@127.0.0.1:$port/$PGDATABASE" $verify || status=$?
  [ "$status" -ne 1 ] || fail 'The restored ledger is not whole.'
  [ "$status" -eq 0 ] || fail 'The restored ledger could not be verified.'
  checksums=$(in_restored sql 'show data_checksums')
  stop_restored
  # A flipped bit can pass as a file of the copy, but not as a page of the server.
  if [ "$checksums" = on ] && command -v pg_checksums >/dev/null; then
    pg_checksums --check --pgdata "$scratch/check" || fail 'The restored pages are not whole.'
  fi
  rm -rf "$scratch/check"
  record check "$(now)"
  say 'The newest backup was restored, and its ledger is whole.'
}

# Whether a job has not succeeded since this many days before the last 02:00.
is_due() {
  last=$(date -u -d "$copies_at" +%s)
  [ "$last" -le "$(date +%s)" ] || last=$((last - 86400))
  [ "$(recorded "$1")" -lt "$(((last - $2 * 86400) * 1000))" ]
}

run() {
  while :; do
    "$self" ship || say 'The log could not be shipped. It is tried again.'
    sleep "$every"
  done &
  while :; do
    sleep "$every"
    if [ -e "$copy_wanted" ] || "$self" is_due copy 0; then
      "$self" copy || failed 'THE FULL COPY FAILED.'
    fi
    if "$self" is_due check 6; then
      "$self" check || failed 'THE CHECK OF THE NEWEST BACKUP FAILED.'
    fi
  done
}

# Whether the log was shipped within a quarter of an hour, or waits for the first copy for an hour.
is_shipping() {
  [ -n "$(find "$copy_wanted" -mmin -60 2>/dev/null)" ] ||
    [ "$(recorded log)" -gt "$(($(now) - 900000))" ]
}

failed() {
  say "$1 It is tried again in an hour."
  sleep 3600
}

case ${1-} in
  run | ship | copy | check | is_due | is_shipping | restore | fetch) "$@" ;;
  list) barman backup-list "$place" loyalty ;;
  *) fail 'Usage: backup run | ship | copy | check | list | restore FOLDER [MOMENT]' ;;
esac
