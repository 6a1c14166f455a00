import type { Knex } from 'knex';

/** What merchants ask administrators to give customers of theirs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(GOODWILL_REQUESTS);
  await knex.raw(MERCHANTS_WAIT);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table goodwill_requests');
}

/**
 * Points that a merchant asks for, for a customer: it moves none. An administrator grants it by an
 * adjustment of the wallet, which the audit log has with the id of the request, or declines it with
 * an answer. Both texts go when the customer is erased.
 */
const GOODWILL_REQUESTS = `
  create table goodwill_requests (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    wallet_id uuid not null references wallets,
    requested_by uuid not null references users,
    points bigint not null
      constraint goodwill_requests_points_positive check (points > 0),
    reason text,
    status text not null default 'open'
      constraint goodwill_requests_status_known
      check (status in ('open', 'granted', 'declined', 'withdrawn')),
    answer text
      constraint goodwill_requests_answered_if_declined
      check (answer is null or status = 'declined'),
    created_at timestamptz not null default now(),
    closed_at timestamptz,
    constraint goodwill_requests_open_until_closed
      check ((status = 'open') = (closed_at is null)),
    constraint goodwill_requests_open_say_why check (status <> 'open' or reason is not null)
  );

  create unique index goodwill_requests_one_open
    on goodwill_requests (tenant_id, wallet_id) where status = 'open';
  create index goodwill_requests_of_wallet on goodwill_requests (wallet_id, id);
  create index goodwill_requests_newest_first on goodwill_requests (tenant_id, id);
  create index goodwill_requests_to_answer on goodwill_requests (id) where status = 'open';
`;

/** Administrators are told of what nobody has answered, as of who waits for approval. */
const MERCHANTS_WAIT = `
  create trigger goodwill_requests_waiting_to_be_told
    after insert on goodwill_requests for each row
    execute function note_who_waits()
`;
