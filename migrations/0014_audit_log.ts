import type { Knex } from 'knex';

/**
 * A row records one action of an administrator: the actor, the target, and the state before and
 * after. It is written in the transaction of the action and is never changed. The row of an
 * adjustment has the adjustment's id, which is also the source of its ledger entry.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_log (
      id uuid primary key default gen_random_uuid(),
      seq bigint generated always as identity
        constraint audit_log_one_per_seq unique,
      actor_user_id uuid not null references users,
      action text not null
        constraint audit_log_action_known check (action in
          ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role')),
      target_type text not null
        constraint audit_log_target_known check (target_type in ('wallet', 'user')),
      target_id uuid not null,
      tenant_id uuid references tenants,
      reason text,
      before jsonb not null,
      after jsonb not null,
      request_id text not null,
      created_at timestamptz not null default now(),
      constraint audit_log_adjustments_have_a_reason
        check (action <> 'wallet.adjust' or reason is not null)
    );

    create trigger audit_log_append_only
      before update or delete or truncate on audit_log
      for each statement execute function refuse_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_log');
}
