import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import {
  ConnectionId,
  EventId,
  type RedemptionId,
  TenantId,
  UserId,
  WalletId,
} from '../../domain/ids.ts';
import { anAlphaEvent, required, testSealer } from './factories.ts';
import * as statements from './old-statements.ts';
import { testCodes } from './redemptions.ts';

// What the release of commit d586070 writes, without the rest of its code.

export type OldShop = {
  tenantId: TenantId;
  connectionId: ConnectionId;
  merchantId: string;
  /** Its only consumer, with a wallet. */
  buyer: { userId: UserId; walletId: WalletId; email: string };
};

/** A tenant with a rule, an account that was polled, and a consumer. */
export async function anOldShop(db: Db): Promise<OldShop> {
  const shop = {
    tenantId: TenantId.parse(randomUUID()),
    connectionId: ConnectionId.parse(randomUUID()),
    merchantId: `M-${randomUUID()}`,
  };
  const userId = UserId.parse(randomUUID());
  const walletId = WalletId.parse(randomUUID());
  const email = `${userId}@old.example`;
  const context = { tenantId: shop.tenantId, provider: 'alpha', field: 'access_token' };
  const bindings = { ...shop, userId, walletId, email, token: testSealer.seal('old', context) };
  for (const sql of SHOP) await db.raw(sql, bindings);
  return { ...shop, buyer: { userId, walletId, email } };
}

const SHOP = [
  `insert into tenants (id, name, country) values (:tenantId, 'Old shop', 'DE')`,
  `insert into reward_rules (tenant_id, version, conversion_rate, min_spend_minor_units,
     min_balance_to_redeem, max_redemption_percentage, rounding_policy, effective_from)
   values (:tenantId, 1, 1, 0, 0, 100, 'floor', now() - interval '1 day')`,
  `insert into pos_connections (id, tenant_id, pos_type, merchant_id, status, sealed_access_token,
     watermark, polled_from)
   values (:connectionId, :tenantId, 'alpha', :merchantId, 'active', :token,
     '2026-01-15T10:00:00Z', '2026-01-01T00:00:00Z')`,
  `insert into poll_positions (connection_id, location_id, at, payment_id, is_at_end)
   values (:connectionId, 'LOC_1', '2026-01-15T10:00:00Z', 'PAY_OLD', true)`,
  `insert into users (id, iss, sub, role, status, email, email_verified, contacts_changed_at)
   values (:userId, 'old', :userId::text, 'consumer', 'active', :email, true, null)`,
  `insert into wallets (id, user_id, tenant_id) values (:walletId, :userId, :tenantId)`,
];

/** A sale and the event that reports it. */
export type OldSale = { eventId: EventId; paymentId: string; amount: number; email: string };

/** Stores an event of the shop's merchant for each amount, and returns what they report. */
export async function oldEvents(
  db: Db,
  { merchantId, buyer }: Pick<OldShop, 'merchantId' | 'buyer'>,
  amounts: readonly number[],
  email = buyer.email,
): Promise<OldSale[]> {
  const sales = amounts.map((amount) => {
    return {
      eventId: EventId.parse(randomUUID()),
      paymentId: `PAY_${randomUUID()}`,
      amount,
      email,
    };
  });
  await db.raw(statements.INSERT_EVENTS, {
    ids: sales.map(({ eventId }) => eventId),
    providers: sales.map(() => 'alpha'),
    merchantIds: sales.map(() => merchantId),
    eventTypes: sales.map(() => 'payment.updated'),
    bodies: sales.map(({ paymentId: id, amount }) =>
      anAlphaEvent(merchantId, { id, amount, email }),
    ),
    correlationIds: sales.map(() => 'old'),
  });
  return sales;
}

/** Ends a transaction in which the old worker holds the events; returns those that it got. */
export async function oldHold(db: Db, ids: readonly EventId[]): Promise<EventId[]> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.raw<{ rows: { id: EventId }[] }>(statements.HOLD_EVENTS, {
      ids: [...ids],
    });
    return rows.map(({ id }) => id);
  });
}

/** Credits sales to the shop's consumer; `refunded` of each is taken back at once. */
export async function oldCredit(
  db: Db,
  shop: OldShop,
  sales: readonly OldSale[],
  refunded = 0,
): Promise<void> {
  await write(db, shop, sales, (sale) => ({
    outcome: 'credited',
    reason: null,
    points: sale.amount,
    points_reversed: refunded,
    refunded_minor_units: refunded,
    user_id: shop.buyer.userId,
    rule_version: 1,
    email_fingerprint: null,
    decision: decisionOf(sale, refunded),
  }));
}

/** Stores sales whose buyer nobody knows, by the fingerprint of their address. */
export async function oldAnonymous(
  db: Db,
  shop: OldShop,
  sales: readonly OldSale[],
  fingerprint: Buffer,
): Promise<void> {
  await write(db, shop, sales, (sale) => ({
    outcome: 'stored_anonymous',
    reason: 'no_match',
    points: 0,
    points_reversed: 0,
    refunded_minor_units: 0,
    user_id: null,
    rule_version: null,
    email_fingerprint: `\\x${fingerprint.toString('hex')}`,
    decision: {
      ...decisionOf(sale, 0),
      match: { by: null, conflict: false },
      rule: null,
      earning: null,
    },
  }));
}

async function write(
  db: Db,
  { tenantId }: OldShop,
  sales: readonly OldSale[],
  decided: (sale: OldSale) => { outcome: string; reason: string | null },
): Promise<void> {
  const payments = sales.map((sale) => ({
    payment_id: randomUUID(),
    tenant_id: tenantId,
    provider: 'alpha',
    provider_payment_id: sale.paymentId,
    amount_minor_units: sale.amount,
    tip_minor_units: 0,
    currency: 'EUR',
    occurred_at: '2026-01-15T10:00:00.086Z',
    changed_at: '2026-01-15T10:00:02.100Z',
    phone_fingerprint: null,
    ...decided(sale),
  }));
  const closings = sales.map(({ eventId }, nth) => {
    const { payment_id, outcome, reason } = required(payments[nth]);
    const ends = { event_id: eventId, tenant_id: tenantId, outcome, reason };
    return { ...ends, payment_id, awaits: [payment_id] };
  });
  await db.raw(statements.WRITE, {
    payments: JSON.stringify(payments),
    closings: JSON.stringify(closings),
  });
}

function decisionOf({ amount }: OldSale, reversed: number) {
  const undone = { refundedMinorUnits: reversed, target: reversed, points: reversed };
  const reversal = { outcome: 'refund_reversed', ...undone, writtenOff: 0 };
  return {
    amountMinorUnits: amount,
    tipMinorUnits: 0,
    currency: 'EUR',
    contacts: { email: true, phone: false },
    match: { by: 'email', conflict: false, late: false },
    rule: {
      version: 1,
      conversionRate: '1.000000',
      minSpendMinorUnits: 0,
      maxPointsPerTransaction: null,
      roundingPolicy: 'floor',
    },
    earning: { points: amount, exact: String(amount), rounded: amount, zeroReason: null },
    reversals: reversed === 0 ? [] : [reversal],
  };
}

/** Records a failed attempt of events. */
export async function oldFailure(db: Db, ids: readonly EventId[], error: string): Promise<void> {
  await db.raw(statements.FAIL_EVENTS, {
    ids: [...ids],
    errors: ids.map(() => error),
    leaseSeconds: 0,
    first: 30,
    longest: 21_600,
  });
}

/** Takes events as the sweep does, however young they are. */
export async function oldSweep(db: Db, limit: number): Promise<EventId[]> {
  const { rows } = await db.raw<{ rows: { id: EventId }[] }>(statements.TAKE_PENDING, {
    days: 7,
    quiet: 0,
    limit,
    lease: 60,
  });
  return rows.map(({ id }) => id);
}

/** Issues a code of the shop's consumer. */
export async function oldCode(
  db: Db,
  { tenantId, buyer }: OldShop,
  redemption: { id: RedemptionId; points: number; lifetimeMs: number },
): Promise<void> {
  const { keyId, hmac, hmacs, sealed } = testCodes.make({ id: redemption.id, tenantId });
  await db.raw(statements.ISSUE, {
    ...redemption,
    walletId: buyer.walletId,
    discountValueMinorUnits: redemption.points,
    ruleVersion: 1,
    keyId,
    hmac,
    hmacs,
    sealed,
  });
}
