import type { Knex } from 'knex';

/**
 * A row is what a request with an `Idempotency-Key` was answered, committed together with what the
 * request did. For 24 hours the same request is answered from it and does nothing again; after that
 * the row means nothing. A body that holds a secret is sealed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_keys (
      user_id uuid not null references users,
      method text not null,
      path text not null,
      key text not null,
      request_hmac bytea not null,
      status integer not null
        constraint idempotency_keys_status_final
        check (status between 200 and 299 or status in (404, 422)),
      body text not null,
      body_sealed boolean not null,
      created_at timestamptz not null default now(),
      constraint idempotency_keys_one_answer_per_request primary key (user_id, method, path, key)
    );

    create index idempotency_keys_by_age on idempotency_keys (created_at);
  `);
}

/** Forgets every answer, so that a repeated request would be carried out again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys');
}
