import type { Knex } from 'knex';

/**
 * A payment may change after it was stored: a refund reverses points, and an anonymous payment may
 * be matched to a consumer later. While it is anonymous it keeps fingerprints of its contacts
 * (never the contacts), by which it is matched to a user who signs up with them.
 * `contacts_changed_at` marks the users who have not been compared with such payments since their
 * contacts changed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payments
      add column points_reversed bigint not null default 0,
      add column points_written_off bigint not null default 0,
      add column email_fingerprint bytea,
      add column phone_fingerprint bytea,
      add constraint payments_reversed_at_most_awarded check (
        points_reversed >= 0 and points_written_off >= 0
        and points_reversed + points_written_off <= points_awarded
      ) not valid;

    alter table webhook_events
      drop constraint webhook_events_outcome_known,
      add constraint webhook_events_outcome_known check (outcome in ('credited', 'stored_anonymous',
        'duplicate', 'no_rule_no_credit', 'refund_reversed', 'ignored')) not valid;

    alter table users add column contacts_changed_at timestamptz default now();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users drop column contacts_changed_at;
    delete from webhook_events where outcome = 'refund_reversed';
    alter table webhook_events
      drop constraint webhook_events_outcome_known,
      add constraint webhook_events_outcome_known check (outcome in
        ('credited', 'stored_anonymous', 'duplicate', 'no_rule_no_credit', 'ignored'));
    alter table payments
      drop constraint payments_reversed_at_most_awarded,
      drop column points_reversed, drop column points_written_off,
      drop column email_fingerprint, drop column phone_fingerprint;
  `);
}
