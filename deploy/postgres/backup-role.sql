-- The login of the backups, with psql as a superuser: it reads everything, and writes nothing but
-- when a backup succeeded. psql --set password=PASSWORD --file deploy/postgres/backup-role.sql
create role loyalty_backup login replication password :'password';
grant pg_monitor, pg_read_all_data to loyalty_backup;
\connect loyalty
grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal(),
  pg_create_restore_point(text) to loyalty_backup;
