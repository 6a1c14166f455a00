import type { Knex } from 'knex';

/**
 * A payment may change after it was stored: refunds take points back, and an anonymous one may get
 * its consumer. While it is anonymous it keeps fingerprints of its contacts (never the contacts), by
 * which somebody who signs up with them is found. `contacts_changed_at` marks the users who have not
 * been compared with such payments since their contacts changed.
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
      );

    update payments
    set decision = jsonb_set(decision || '{"reversals": []}', '{match,late}', 'false');

    create index payments_anonymous_by_email on payments (email_fingerprint)
      where outcome = 'stored_anonymous' and email_fingerprint is not null;
    create index payments_anonymous_by_phone on payments (phone_fingerprint)
      where outcome = 'stored_anonymous' and phone_fingerprint is not null;

    create index payments_with_fingerprints on payments (created_at)
      where email_fingerprint is not null or phone_fingerprint is not null;

    alter table webhook_events
      drop constraint webhook_events_outcome_known,
      add constraint webhook_events_outcome_known check (outcome in ('credited', 'stored_anonymous',
        'duplicate', 'no_rule_no_credit', 'refund_reversed', 'ignored'));

    alter table users add column contacts_changed_at timestamptz default now();
    create index users_to_compare on users (contacts_changed_at)
      where contacts_changed_at is not null;
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
    drop index payments_anonymous_by_email;
    drop index payments_anonymous_by_phone;
    drop index payments_with_fingerprints;
    update payments set decision = (decision - 'reversals') #- '{match,late}';
    alter table payments
      drop constraint payments_reversed_at_most_awarded,
      drop column points_reversed, drop column points_written_off,
      drop column email_fingerprint, drop column phone_fingerprint;
  `);
}
