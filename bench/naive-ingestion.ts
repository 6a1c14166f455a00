import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../db/connection.ts';
import { readBody, type StoredBody } from '../db/events/stored-bodies.ts';
import * as ledger from '../db/ledger/postings.ts';
import { ruleInEffect } from '../db/tenants/reward-rules.ts';
import type { EventId, TenantId, UserId, WalletId } from '../domain/ids.ts';
import { type Decision, decide } from '../domain/ingestion.ts';
import type { NormalizedPayment } from '../domain/payment.ts';
import type { RewardRule } from '../domain/reward-rule.ts';
import { providers } from '../gateways/providers/index.ts';

type EventRow = StoredBody & { tenantId: TenantId };
type Outcome = Pick<Decision, 'outcome' | 'reason'>;

/**
 * Ingests one event as a service without batches would: one transaction of six statements and the
 * ledger posting, with the same decision and constraints as ours. A second run does nothing.
 */
export async function ingestOne(db: Db, id: EventId): Promise<void> {
  await db.transaction(async (tx) => {
    const event = await tx('pending_events as e')
      .join('webhook_bodies as b', 'b.id', 'e.id')
      .where({ 'e.id': id })
      .forUpdate('e')
      .first<EventRow | undefined>('e.tenantId', 'b.body', 'b.encoding');
    if (!event) return;
    const reading = providers.alpha.readEvent(readBody(event));
    const [payment] = reading.kind === 'payments' ? reading.payments : [];
    if (payment === undefined) return;

    const userId = await findUser(tx, payment.email);
    const rule = await findRule(tx, event.tenantId);
    const tenant = { rule, currency: null, isSuspended: false };
    const facts = { userByEmail: userId, userByPhone: null, ...tenant };
    const decision = decide(payment, facts, 'reverse');
    const walletId = userId === null ? null : await upsertWallet(tx, userId, event.tenantId);
    const paymentId = await insertPayment(tx, { payment, event, decision, walletId });
    if (paymentId === undefined) {
      await markEvent(tx, id, null, { outcome: 'duplicate', reason: null });
      return;
    }
    if (walletId !== null) await post(tx, walletId, paymentId, decision.points);
    await markEvent(tx, id, paymentId, decision);
  });
}

async function findUser(tx: Tx, email: string | null): Promise<UserId | null> {
  const user = await tx('users')
    .where({ email, emailVerified: true })
    .whereIn('role', ['consumer', 'pos_operator'])
    .orderBy('createdAt')
    .first<{ id: UserId } | undefined>('id');
  return user?.id ?? null;
}

async function findRule(tx: Tx, tenantId: TenantId): Promise<RewardRule | null> {
  const query = ruleInEffect('r.*', ':tenantId');
  const { rows } = await tx.raw<{ rows: RewardRule[] }>(query, { tenantId });
  return rows[0] ?? null;
}

async function upsertWallet(tx: Tx, userId: UserId, tenantId: TenantId): Promise<WalletId | null> {
  const [wallet] = await tx('wallets')
    .insert({ userId, tenantId })
    .onConflict(['userId', 'tenantId'])
    .merge({ updatedAt: tx.fn.now() })
    .returning<{ id: WalletId }[]>('id');
  return wallet?.id ?? null;
}

type NewPayment = {
  payment: NormalizedPayment;
  event: EventRow;
  decision: Decision;
  walletId: WalletId | null;
};

async function insertPayment(tx: Tx, row: NewPayment): Promise<string | undefined> {
  const { payment, event, decision, walletId } = row;
  const { state, email, phone, ...columns } = payment;
  const [stored] = await tx('payments')
    .insert({
      ...columns,
      id: randomUUID(),
      tenantId: event.tenantId,
      outcome: decision.outcome,
      outcomeReason: decision.reason,
      pointsAwarded: decision.points,
      userId: decision.userId,
      walletId,
      ruleVersion: decision.ruleVersion,
      decision: JSON.stringify(decision.record),
    })
    .onConflict(['tenantId', 'provider', 'providerPaymentId'])
    .ignore()
    .returning<{ id: string }[]>('id');
  return stored?.id;
}

async function post(tx: Tx, walletId: WalletId, sourceId: string, points: number): Promise<void> {
  const credit = { entryType: 'credit', reason: 'purchase', sourceType: 'payment' } as const;
  await ledger.post(tx, [{ ...credit, walletId, points, sourceId }]);
}

async function markEvent(
  tx: Tx,
  id: EventId,
  paymentId: string | null,
  { outcome, reason }: Outcome,
): Promise<void> {
  await tx.raw(
    `with done as (delete from pending_events where id = :id returning *)
     insert into event_outcomes (id, provider, tenant_id, merchant_id, event_type, correlation_id,
       received_at, attempts, outcome, outcome_reason, payment_id)
     select id, provider, tenant_id, merchant_id, event_type, correlation_id, received_at,
       attempts, :outcome, :reason, :paymentId::uuid
     from done`,
    { id, outcome, reason, paymentId },
  );
}
