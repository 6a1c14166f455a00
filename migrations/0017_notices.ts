import type { Knex } from 'knex';

/** What people are told of, as they choose, and how far telling them has come. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(NOTICE_CHOICES);
  await knex.raw(NOTICE_POSITION);
  await knex.raw(APPLICANTS_WAIT);
  await knex.raw(SHOPS_ARE_SUMMED_UP);
  await knex.raw(PUSH_SUBSCRIPTIONS);
  await knex.raw(USED_CODES_ARE_PUSHED);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger redemptions_used_pushed on redemptions;
    drop function note_used_code;
    drop table push_subscriptions;
    drop trigger tenants_summed_up_weekly on tenants;
    drop trigger users_waiting_to_be_told on users;
    drop function note_who_waits;
    drop table notice_position, notice_choices;
  `);
}

/** A row per person who has chosen otherwise than the defaults, which are those of a new row. */
const NOTICE_CHOICES = `
  create table notice_choices (
    user_id uuid primary key references users,
    points text not null default 'first'
      constraint notice_choices_points_known check (points in ('first', 'each', 'never')),
    weekly boolean not null default true,
    waiting boolean not null default true
  );

  create index notice_choices_each on notice_choices (user_id) where points = 'each';
`;

/**
 * The only row, made at the first look, says up to which id ledger entries were looked at for
 * people who are to be told of them.
 */
const NOTICE_POSITION = `
  create table notice_position (
    is_only boolean primary key default true
      constraint notice_position_is_only check (is_only),
    read_until uuid not null
  ) with (fillfactor = 50)
`;

/** Administrators are told of those who wait once an hour is over, of all of them at once. */
const APPLICANTS_WAIT = `
  create function note_who_waits() returns trigger language plpgsql as $$
    begin
      insert into due_work (kind, subject_id, due_at)
      values ('tell_of_waiting', new.id,
        date_trunc('hour', clock_timestamp()) + interval '1 hour')
      on conflict (kind, subject_id) do nothing;
      return null;
    end
  $$;

  create trigger users_waiting_to_be_told
    after insert on users for each row
    when (new.status = 'pending_approval')
    execute function note_who_waits();
`;

/**
 * A shop has this work until it is closed: each time that it is done it is due again on the next
 * Monday, also where nobody is told now. To look at a row once a week costs less than to begin the
 * work again wherever a shop is reinstated, gets an owner or an owner chooses otherwise.
 */
const SHOPS_ARE_SUMMED_UP = `
  create trigger tenants_summed_up_weekly
    after insert on tenants for each row
    execute function note_due_work('tell_of_week', '1 day')
`;

/**
 * Where the browsers of people are told of points: an address of the browser's push service, and
 * the keys for which what is sent there is encrypted. A browser has one, and so has the person who
 * switched it on there last. `pushed` says what its service took last, so that it is not sent again
 * where another one of the same person has to be tried again.
 */
const PUSH_SUBSCRIPTIONS = `
  create table push_subscriptions (
    id uuid primary key,
    user_id uuid not null references users,
    endpoint text not null constraint push_subscriptions_endpoint_short
      check (length(endpoint) <= 1024),
    p256dh text not null,
    auth text not null,
    pushed text,
    created_at timestamptz not null default clock_timestamp(),
    constraint push_subscriptions_once_per_browser unique (endpoint)
  );

  create index push_subscriptions_of_user on push_subscriptions (user_id, created_at);
`;

/** Of codes of those who have switched it on nowhere nothing is noted. */
const USED_CODES_ARE_PUSHED = `
  create function note_used_code() returns trigger language plpgsql as $$
    begin
      insert into due_work (kind, subject_id)
      select 'push_used_code', new.id
      where exists (select from push_subscriptions where user_id = new.user_id)
      on conflict (kind, subject_id) do nothing;
      return null;
    end
  $$;

  create trigger redemptions_used_pushed
    after update of status on redemptions for each row
    when (old.status <> 'used' and new.status = 'used')
    execute function note_used_code();
`;
