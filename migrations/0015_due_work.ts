import type { Knex } from 'knex';

/** What is left to be done later than the transaction that makes it due. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(DUE_WORK);
  await knex.raw(NOTED_BY_TRIGGERS);
  await knex.raw(HASTENED_BY_TRIGGERS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger users_to_match_created on users;
    drop trigger users_to_match_changed on users;
    drop trigger pos_connections_schedule_created on pos_connections;
    drop trigger pos_connections_schedule_changed on pos_connections;
    drop trigger audit_log_to_remind on audit_log;
    drop trigger audit_log_to_tell on audit_log;
    drop trigger tenants_country_known on tenants;
    drop trigger pos_connections_countries_known on pos_connections;
    drop function note_due_work, hasten_phones;
    drop table due_work;
  `);
}

/**
 * A row names work of a kind about a subject. It is noted again when its subject changes once more,
 * taken for a while by who does it, put off when it fails, and deleted when it is done. Work of
 * more than one turn keeps its position. Nothing refers to it, and it refers to its subject without
 * a foreign key.
 */
const DUE_WORK = `
  create table due_work (
    kind text not null
      constraint due_work_kind_known check (kind in (
        'decide_again', 'match_phones', 'match_signup', 'push_points', 'push_used_code',
        'read_account', 'remind_of_loss', 'revoke_authorization', 'run_import', 'tell_of_change',
        'tell_of_endpoint', 'tell_of_gap', 'tell_of_import', 'tell_of_points', 'tell_of_unusual',
        'tell_of_waiting', 'tell_of_week', 'update_poll_schedule')),
    subject_id uuid not null,
    changed_at timestamptz not null default clock_timestamp(),
    due_at timestamptz not null default clock_timestamp(),
    attempts integer not null default 0,
    taken_until timestamptz,
    position uuid,
    constraint due_work_once_per_subject primary key (kind, subject_id)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

  create index due_work_by_time on due_work (kind, due_at);
`;

/**
 * Contacts that are verified, or a role that may hold a wallet, may match earlier payments. Whether
 * a connection is polled depends on whether it is active and its tokens are accepted. Owners are
 * told of what somebody with a stolen token would change, administrators of a new one, a person
 * that their account will be erased, and a merchant of the answer about points for goodwill. Of a
 * connection that was lost owners are told again a day later. A second argument says when work is
 * due, after it was noted.
 */
const NOTED_BY_TRIGGERS = `
  create function note_due_work() returns trigger language plpgsql as $$
    begin
      insert into due_work (kind, subject_id, due_at)
      values (tg_argv[0], new.id, clock_timestamp() + coalesce(tg_argv[1], '0')::interval)
      on conflict (kind, subject_id) do update
        set changed_at = excluded.changed_at, due_at = excluded.due_at, attempts = 0,
          position = null;
      return null;
    end
  $$;

  create trigger users_to_match_created
    after insert on users for each row
    when (new.email_verified or new.phone_verified)
    execute function note_due_work('match_signup');

  create trigger users_to_match_changed
    after update of email, email_verified, phone, phone_verified, role on users for each row
    when ((new.email_verified or new.phone_verified)
      and (old.email, old.email_verified, old.phone, old.phone_verified, old.role)
        is distinct from (new.email, new.email_verified, new.phone, new.phone_verified, new.role))
    execute function note_due_work('match_signup');

  create trigger pos_connections_schedule_created
    after insert on pos_connections for each row
    execute function note_due_work('update_poll_schedule');

  create trigger pos_connections_schedule_changed
    after update of status, needs_reconnect_since on pos_connections for each row
    when (old.status <> new.status
      or (old.needs_reconnect_since is null) <> (new.needs_reconnect_since is null))
    execute function note_due_work('update_poll_schedule');

  create trigger audit_log_to_tell
    after insert on audit_log for each row
    when (new.action in ('operator.accept', 'rule.publish', 'endpoint.create', 'endpoint.rotate',
        'tenant.set_currency', 'tenant.set_time_zone', 'connection.connect', 'connection.lost',
        'user.grant_admin', 'user.bootstrap')
      or new.action = 'user.role' and new.after ->> 'role' = 'admin'
        and new.before ->> 'role' <> 'admin'
      or new.action = 'user.approve' and new.after ->> 'role' = 'client'
      or new.action = 'goodwill.decline'
      or new.action = 'wallet.adjust' and new.after ->> 'goodwillId' is not null
      or new.action = 'user.erase' and new.after ->> 'status' in ('scheduled', 'withdrawn')
      or new.action = 'endpoint.update' and new.before ->> 'origin' <> new.after ->> 'origin')
    execute function note_due_work('tell_of_change');

  create trigger audit_log_to_remind
    after insert on audit_log for each row
    when (new.action = 'connection.lost')
    execute function note_due_work('remind_of_loss', '1 day');
`;

/**
 * Phones whose country is not known wait in a row of their tenant: its turn comes when a country
 * becomes known, that of the tenant or of one of its locations. Without such phones there is no
 * row, and nothing to do.
 */
const HASTENED_BY_TRIGGERS = `
  create function hasten_phones() returns trigger language plpgsql as $$
    begin
      update due_work
      set changed_at = clock_timestamp(), due_at = clock_timestamp(), attempts = 0, position = null
      where kind = 'match_phones' and subject_id = (to_jsonb(new) ->> tg_argv[0])::uuid;
      return null;
    end
  $$;

  create trigger tenants_country_known
    after update of country on tenants for each row
    when (old.country is null and new.country is not null)
    execute function hasten_phones('id');

  create trigger pos_connections_countries_known
    after update of location_countries on pos_connections for each row
    when (old.location_countries <> new.location_countries)
    execute function hasten_phones('tenant_id');
`;
