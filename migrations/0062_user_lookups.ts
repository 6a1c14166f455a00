import type { Knex } from 'knex';

/** No transaction: the indexes are built concurrently, while the table is being written to. */
export const config = { transaction: false };

/**
 * Finds users by a whole e-mail or domain, and by the start of an e-mail or phone, with the work of
 * what is found. The index of parts reads as many entries as the rarest three characters have. An
 * issuer may send an e-mail that is longer than an ordered index can hold.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists users_by_email');
  await knex.raw(`
    create index concurrently users_by_email on users (email text_pattern_ops)
      where length(email) <= 320
  `);
  await knex.raw('drop index concurrently if exists users_by_mailbox');
  await knex.raw(`
    create index concurrently users_by_mailbox on users (
      split_part(email, '@', 2) text_pattern_ops,
      reverse(split_part(email, '@', 1)) text_pattern_ops
    ) where length(email) <= 320
  `);
  await knex.raw('drop index concurrently if exists users_by_phone');
  await knex.raw('create index concurrently users_by_phone on users (phone text_pattern_ops)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index users_by_phone;
    drop index users_by_mailbox;
    drop index users_by_email;
  `);
}
