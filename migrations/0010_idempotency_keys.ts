import type { Knex } from 'knex';

/**
 * A row is the response to a request with an `Idempotency-Key`, committed together with the effect
 * of the request. For 24 hours a repeated request gets this response and has no further effect;
 * after that the row is ignored. A body that contains a secret is sealed.
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

/** Deletes every stored response, so that a repeated request would be carried out again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_keys');
}
