import type { Knex } from 'knex';

/** What people are told of, as they choose, and how far telling them has come. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(NOTICE_CHOICES);
  await knex.raw(NOTICE_POSITION);
  await knex.raw(APPLICANTS_WAIT);
  await knex.raw(SHOPS_ARE_SUMMED_UP);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
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
