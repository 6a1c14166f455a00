import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  foldRevisions,
  type Revisable,
} from '../../../../activities/ingestion/revise/fold-revisions.ts';
import { PaymentId, TenantId, UserId, WalletId } from '../../../../domain/ids.ts';
import type { KnownPayment } from '../../../../domain/ingestion.ts';

// Which reports a transaction takes: those for which it holds the locks.

const tenantId = TenantId.parse(randomUUID());
const ada = UserId.parse(randomUUID());
const rule = {
  version: 1,
  conversionRate: '1',
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
} as const;

const aWallet = (within: { balance: number; owed: number }, userId = ada) => ({
  id: WalletId.parse(randomUUID()),
  userId,
  tenantId,
  ...within,
});

const aPayment = (some: Partial<KnownPayment> = {}): KnownPayment => ({
  id: PaymentId.parse(randomUUID()),
  outcome: 'credited',
  amountMinorUnits: 100,
  refundedMinorUnits: 0,
  refundedAsOfMs: 0,
  points: 100,
  pointsReversed: 0,
  pointsOwed: 0,
  pointsWrittenOff: 0,
  pointsAbsorbed: 0,
  reversals: null,
  walletId: null,
  contacts: { email: false, phone: false },
  hasCustomer: false,
  isBeforeConnection: false,
  ...some,
});
const anonymous = { outcome: 'stored_anonymous', points: 0 } as const;

/** The report, at a second of the provider's clock, that so much of Ada's payment is refunded. */
function refunded(known: KnownPayment, amount: number, second: number): Revisable {
  const payment = {
    provider: 'alpha',
    providerPaymentId: known.id,
    state: 'settled',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: amount,
    currency: 'EUR',
    occurredAt: new Date(0),
    changedAt: new Date(1_000 * second),
    locationId: null,
    providerCustomerId: null,
    email: 'ada@example.com',
    phone: null,
  } as const;
  const report = { tenantId, payment, isResolved: true };
  const tenant = { rule, currency: null, isSuspended: false };
  const facts = { userByEmail: ada, userByPhone: null, ...tenant };
  return { report, known, facts };
}

/** How each of the reports ends; null for one that is left to the next transaction. */
function outcomesOf(items: readonly Revisable[], wallets: ReturnType<typeof aWallet>[]) {
  const { outcomes } = foldRevisions(items, wallets, 'reverse');
  return items.map(({ report }) => outcomes.get(report)?.outcome ?? null);
}

describe('a transaction leaves to the next one', () => {
  it('all that concerns a wallet after a credit that pays what it owes', () => {
    const wallet = aWallet({ balance: 0, owed: 10 });
    const [late, other] = [aPayment(anonymous), aPayment({ walletId: wallet.id })];
    const items = [refunded(late, 0, 1), refunded(late, 40, 2), refunded(other, 40, 3)];
    expect(outcomesOf(items, [wallet])).toEqual(['credited', null, null]);
  });

  it('a debt that begins again', () => {
    const wallet = aWallet({ balance: 0, owed: 0 });
    const payment = aPayment({ walletId: wallet.id });
    const items = [refunded(payment, 40, 1), refunded(payment, 0, 2), refunded(payment, 40, 3)];
    expect(outcomesOf(items, [wallet])).toEqual(['refund_reversed', 'refund_reversed', null]);
  });
});

describe('a transaction takes', () => {
  it('refunds of a payment that it has given its wallet', () => {
    const wallet = aWallet({ balance: 0, owed: 0 });
    const late = aPayment(anonymous);
    const items = [refunded(late, 0, 1), refunded(late, 40, 2)];
    expect(outcomesOf(items, [wallet])).toEqual(['credited', 'refund_reversed']);
  });

  it('refunds of other wallets, although it leaves one', () => {
    const one = aWallet({ balance: 0, owed: 10 });
    const other = aWallet({ balance: 100, owed: 0 }, UserId.parse(randomUUID()));
    const late = aPayment(anonymous);
    const elsewhere = aPayment({ walletId: other.id });
    const items = [refunded(late, 0, 1), refunded(late, 40, 2), refunded(elsewhere, 40, 3)];
    expect(outcomesOf(items, [one, other])).toEqual(['credited', null, 'refund_reversed']);
  });

  it('a refund after one that failed, when the balance covers it', () => {
    const wallet = aWallet({ balance: 30, owed: 0 });
    const payment = aPayment({ walletId: wallet.id });
    const items = [refunded(payment, 40, 1), refunded(payment, 0, 2), refunded(payment, 30, 3)];
    const all = ['refund_reversed', 'refund_reversed', 'refund_reversed'];
    expect(outcomesOf(items, [wallet])).toEqual(all);
  });

  it('the first report, whatever it is', () => {
    const wallet = aWallet({ balance: 0, owed: 10 });
    const [late, owing] = [aPayment(anonymous), aPayment({ walletId: wallet.id, pointsOwed: 10 })];
    expect(outcomesOf([refunded(late, 40, 1)], [wallet])).toEqual(['credited']);
    expect(outcomesOf([refunded(owing, 40, 1)], [wallet])).toEqual(['refund_reversed']);
  });

  it('credits of a wallet that has begun to owe, and pays from them', () => {
    const wallet = aWallet({ balance: 0, owed: 0 });
    const owing = aPayment({ walletId: wallet.id });
    const given = aPayment({ walletId: wallet.id, refundedMinorUnits: 30, pointsReversed: 30 });
    const items = [refunded(owing, 40, 1), refunded(given, 0, 2)];
    expect(outcomesOf(items, [wallet])).toEqual(['refund_reversed', 'refund_reversed']);
    expect(foldRevisions(items, [wallet], 'reverse').payers).toEqual([wallet.id]);
  });
});
