import type { Knex } from 'knex';

/**
 * A redemption that its consumer cancelled is expired before its time, at `cancelled_at`, with its
 * points returned whatever the policy. No mail tells its owner about it, so `expiry_told_at` is set
 * with it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table redemptions
      add column cancelled_at timestamptz,
      drop constraint redemptions_expired_when_due,
      add constraint redemptions_expired_when_due_or_cancelled check (
        expired_at >= expires_at or cancelled_at is not null
      ) not valid,
      add constraint redemptions_cancelled_expire_then check (
        cancelled_at is null or (
          cancelled_at < expires_at and expired_at is not distinct from cancelled_at
          and points_returned
        )
      ) not valid;
  `);
}

/** For the release before, the time of a cancelled code was over when it was cancelled. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table redemptions
      drop constraint redemptions_cancelled_expire_then,
      drop constraint redemptions_expired_when_due_or_cancelled;
    update redemptions set expires_at = cancelled_at where cancelled_at is not null;
    alter table redemptions
      add constraint redemptions_expired_when_due check (expired_at >= expires_at),
      drop column cancelled_at;
  `);
}
