import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the tables are being written to. */
export const config = { transaction: false };

/** Indexes to match anonymous payments with users, and to find fingerprints due for deletion. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists payments_anonymous_by_email');
  await knex.raw(`
    create index concurrently payments_anonymous_by_email on payments (email_fingerprint)
      where outcome = 'stored_anonymous' and email_fingerprint is not null
  `);
  await knex.raw('drop index concurrently if exists payments_anonymous_by_phone');
  await knex.raw(`
    create index concurrently payments_anonymous_by_phone on payments (phone_fingerprint)
      where outcome = 'stored_anonymous' and phone_fingerprint is not null
  `);
  await knex.raw('drop index concurrently if exists payments_with_fingerprints');
  await knex.raw(`
    create index concurrently payments_with_fingerprints on payments (created_at)
      where email_fingerprint is not null or phone_fingerprint is not null
  `);
  await knex.raw('drop index concurrently if exists users_to_compare');
  await knex.raw(`
    create index concurrently users_to_compare on users (contacts_changed_at)
      where contacts_changed_at is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index users_to_compare;
    drop index payments_with_fingerprints;
    drop index payments_anonymous_by_phone;
    drop index payments_anonymous_by_email;
  `);
}
