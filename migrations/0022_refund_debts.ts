import type { Knex } from 'knex';

/**
 * What a refund could not take from the balance is owed as long as the wallet has points in open
 * codes, since these may come back: `points_owed`, since `owed_since`. `refunded_as_of` is the
 * provider's time of the report that the refunded sum is from, so that a refund that failed after
 * all can be told from an older report; null in rows of earlier releases. A code that could not be
 * expired is tried again at `next_expiry_at`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payments
      add column points_owed bigint not null default 0,
      add column owed_since timestamptz,
      add column refunded_as_of timestamptz,
      add constraint payments_owed_at_most_awarded check (
        points_owed >= 0 and (points_owed > 0) = (owed_since is not null)
        and points_reversed + points_written_off + points_owed <= points_awarded
      ) not valid;

    alter table redemptions
      add column failed_expiries integer not null default 0,
      add column next_expiry_at timestamptz;
  `);
}

/** What is owed is given up. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table redemptions drop column next_expiry_at, drop column failed_expiries;
    update payments set points_written_off = points_written_off + points_owed, points_owed = 0,
      owed_since = null where points_owed > 0;
    alter table payments
      drop constraint payments_owed_at_most_awarded,
      drop column refunded_as_of,
      drop column owed_since,
      drop column points_owed;
  `);
}
