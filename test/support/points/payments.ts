import { randomUUID } from 'node:crypto';
import { ingestEventBatch } from '../../../activities/ingestion/events/ingest-events.ts';
import type { Db } from '../../../db/connection.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import { newId } from '../../../db/new-id.ts';
import type { NewPayment } from '../../../db/payments/batch-write.ts';
import { decisionColumns } from '../../../db/payments/decisions.ts';
import { getTrail } from '../../../db/payments/trail.ts';
import { PaymentId, type TenantId, UserId, type WalletId } from '../../../domain/ids.ts';
import { type DecisionRecord, decide } from '../../../domain/ingestion.ts';
import {
  type AlphaPaymentOptions,
  aCredit,
  anAlphaConnection,
  anAlphaEvent,
  required,
  storedEvents,
  testPolicy,
} from '../factories.ts';

/** A till of the tenant, which ingests each payment as the worker does. */
export async function aTill(
  db: Db,
  tenantId: TenantId,
): Promise<(payment: AlphaPaymentOptions) => Promise<PaymentId>> {
  const merchantId = `MERCHANT_${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  return async (payment) => {
    const id = payment.id ?? `PAY_${randomUUID()}`;
    const events = await storedEvents(db, merchantId, [
      anAlphaEvent(merchantId, { ...payment, id }),
    ]);
    await ingestEventBatch(db, events, new Map(), testPolicy);
    const stored = await db('payments')
      .where({ tenantId, providerPaymentId: id })
      .first<{ id: PaymentId }>('id');
    return required(stored).id;
  };
}

/** A payment as ingestion hands it over to be stored: one that earns 100 points. */
export function aNewPayment(
  some: Partial<NewPayment> & Pick<NewPayment, 'tenantId' | 'userId'>,
): NewPayment {
  const at = new Date('2026-01-15T10:00:00Z');
  return {
    id: PaymentId.parse(newId()),
    walletId: null,
    isTold: false,
    provider: 'alpha',
    providerPaymentId: randomUUID(),
    state: 'settled',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    currency: 'EUR',
    occurredAt: at,
    changedAt: at,
    refundedAsOf: at,
    locationId: null,
    providerCustomerId: null,
    email: null,
    phone: null,
    outcome: 'credited',
    reason: null,
    ruleVersion: 1,
    points: 100,
    pointsReversed: 0,
    emailFingerprint: null,
    phoneFingerprint: null,
    decision: {
      amountMinorUnits: 100,
      tipMinorUnits: 0,
      currency: 'EUR',
      rule: null,
      earning: null,
      contacts: { email: true, phone: false },
      match: { by: 'email', conflict: false, late: false },
      reversals: [],
    },
    ...some,
  };
}

/** The record of the decision about a stored payment. */
export async function decisionAbout(db: Db, id: PaymentId): Promise<DecisionRecord> {
  return (await getTrail(db, id)).payment.decision;
}

/** Stores a payment of the wallet's owner that earned these points. */
export async function aCreditedPayment(
  db: Db,
  walletId: WalletId,
  points: number,
): Promise<PaymentId> {
  const id = PaymentId.parse(newId());
  const { decision, decisionFacts } = decisionColumns(decisionOf(points), 1);
  await db.transaction(async (tx) => {
    await tx.raw(
      `insert into payments (id, tenant_id, provider, provider_payment_id, amount_minor_units,
         tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at,
         refunded_as_of, outcome, points_awarded, user_id, wallet_id, rule_version, decision,
         decision_facts)
       select :id::uuid, tenant_id, 'alpha', 'PAY_' || :id, :points, 0, 0, 'EUR', now(), now(),
         now(), 'credited', :points, user_id, id, 1, :decision, :decisionFacts
       from wallets where id = :walletId`,
      { id, points, walletId, decision: JSON.stringify(decision), decisionFacts },
    );
    const source = { sourceType: 'payment', reason: 'purchase', sourceId: id } as const;
    await ledger.post(tx, [{ ...aCredit(walletId, points), ...source }]);
  });
  return id;
}

/** The decision on a payment that earns one point per minor unit. */
function decisionOf(points: number): DecisionRecord {
  const { record } = decide(
    {
      currency: 'EUR',
      amountMinorUnits: points,
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      occurredAt: new Date(),
      email: 'ada@example.com',
      phone: null,
    },
    {
      userByEmail: UserId.parse(randomUUID()),
      userByPhone: null,
      currency: null,
      isSuspended: false,
      rule: {
        version: 1,
        conversionRate: '1',
        minSpendMinorUnits: 0,
        maxPointsPerTransaction: null,
        roundingPolicy: 'floor',
      },
    },
    'reverse',
  );
  return record;
}
