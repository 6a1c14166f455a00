import type { Knex } from 'knex';

/**
 * A row is one accepted webhook delivery, stored as the bytes that were signed. The table is the
 * outbox of ingestion: `processed` is false until the event's effect is committed, and until then
 * the row holds the last error, the time of the next attempt, and the lease of the run that is
 * processing it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_events (
      id uuid primary key,
      provider text not null
        constraint webhook_events_provider_known check (provider in ('alpha', 'beta')),
      tenant_id uuid references tenants,
      merchant_id text not null,
      event_type text not null,
      body bytea not null,
      correlation_id text not null,
      received_at timestamptz not null default now(),
      processed boolean not null default false,
      processed_at timestamptz,
      outcome text
        constraint webhook_events_outcome_known check (outcome in
          ('credited', 'stored_anonymous', 'duplicate', 'no_rule_no_credit', 'ignored')),
      outcome_reason text,
      payment_id uuid references payments,
      attempts integer not null default 0,
      last_error text,
      next_attempt_at timestamptz not null default now(),
      leased_until timestamptz,
      constraint webhook_events_processed_have_an_outcome
        check (processed = (outcome is not null))
    );

    create index webhook_events_pending
      on webhook_events (next_attempt_at) where not processed and tenant_id is not null;

    -- Events of merchants without a connection: there may be many, and they may stay unprocessed.
    create index webhook_events_of_unknown_merchants
      on webhook_events (provider, merchant_id, received_at)
      where not processed and tenant_id is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_events');
}
