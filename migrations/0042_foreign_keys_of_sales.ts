import type { Knex } from 'knex';

/** Each of these is a transaction of its own, which holds the locks of two tables at most. */
export const config = { transaction: false, lockWaits: 'limited' };

/**
 * Contracts: foreign keys of the rows that a sale or a code writes, on which no release depends. To
 * check one, Postgres locks the row that it refers to, so each sale wrote to its tenant's and its
 * consumer's row, where all other sales of the tenant did the same. What is referred to is never
 * deleted (db/schema/grants.ts), and every statement takes the ids it stores from rows that its own
 * transaction has read or written. The verification of the ledger compares them.
 *
 * The service locks a wallet before it writes a code and its entry. A migration that locked those
 * tables first, and then waited for wallets, would deadlock with it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table payments drop constraint if exists payments_tenant_id_fkey');
  await knex.raw('alter table payments drop constraint if exists payments_user_id_fkey');
  await knex.raw('alter table payments drop constraint if exists payments_wallet_id_fkey');
  await knex.raw(`
    lock table wallets in access exclusive mode;
    alter table ledger_entries drop constraint if exists ledger_entries_wallet_id_fkey
  `);
  await knex.raw(
    'alter table webhook_events drop constraint if exists webhook_events_tenant_id_fkey',
  );
  await knex.raw(
    'alter table webhook_events drop constraint if exists webhook_events_payment_id_fkey',
  );
  await knex.raw(`
    lock table wallets in access exclusive mode;
    alter table redemptions drop constraint if exists redemptions_of_the_wallets_owner
  `);
  await knex.raw('alter table redemptions drop constraint if exists redemptions_used_by_fkey');
  await knex.raw('alter table wallets drop constraint if exists wallets_user_id_fkey');
  await knex.raw('alter table wallets drop constraint if exists wallets_tenant_id_fkey');
  // It was there only for the foreign key of redemptions.
  await knex.raw('alter table wallets drop constraint if exists wallets_known_with_their_owner');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table wallets
      add constraint wallets_user_id_fkey foreign key (user_id) references users,
      add constraint wallets_tenant_id_fkey foreign key (tenant_id) references tenants,
      add constraint wallets_known_with_their_owner unique (id, tenant_id, user_id);
    alter table redemptions
      add constraint redemptions_of_the_wallets_owner
        foreign key (wallet_id, tenant_id, user_id) references wallets (id, tenant_id, user_id),
      add constraint redemptions_used_by_fkey foreign key (used_by) references users;
    alter table ledger_entries
      add constraint ledger_entries_wallet_id_fkey foreign key (wallet_id) references wallets;
    alter table payments
      add constraint payments_tenant_id_fkey foreign key (tenant_id) references tenants,
      add constraint payments_user_id_fkey foreign key (user_id) references users,
      add constraint payments_wallet_id_fkey foreign key (wallet_id) references wallets;
    alter table webhook_events
      add constraint webhook_events_tenant_id_fkey foreign key (tenant_id) references tenants,
      add constraint webhook_events_payment_id_fkey foreign key (payment_id) references payments;
  `);
}
