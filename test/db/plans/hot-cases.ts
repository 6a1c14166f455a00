import { randomUUID } from 'node:crypto';
import * as availability from '../../../db/connections/availability.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as tokens from '../../../db/connections/tokens.ts';
import * as leases from '../../../db/events/leases.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import * as idempotency from '../../../db/idempotency.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { type NewPayment, storeBatch } from '../../../db/payments/batch-write.ts';
import { recordContacts } from '../../../db/payments/contacts.ts';
import * as debts from '../../../db/payments/debts.ts';
import { readFacts } from '../../../db/payments/facts.ts';
import * as payments from '../../../db/payments/payments.ts';
import * as revisions from '../../../db/payments/revisions.ts';
import { findPhoneRegions } from '../../../db/tenants/phone-regions.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import * as users from '../../../db/users/users.ts';
import type { EventId, PaymentId, UserId, WalletId } from '../../../domain/ids.ts';
import { testSealer } from '../../support/factories.ts';
import { aNewPayment } from '../../support/points/payments.ts';
import { at, type Case, manyOf, tenantId, userId, walletId } from './cases.ts';
import { REDEMPTIONS } from './redemption-cases.ts';
import { idOf, MONTH } from './rows.ts';

const BATCHES = [1, 50, 500];
const now = new Date();
const key = { tenantId, provider: 'alpha', providerPaymentId: 'P2' } as const;

const events = (rows: number) => manyOf(rows, 'event') as EventId[];
const lease = { run: 'run', holder: idOf('holder', 1) };
const nth = (rows: number) => Array.from({ length: rows }, (_, index) => index + 1);

/** One of the users of even numbers, of whom the smallest tables have ten. */
const few = (n: number) => 2 + 2 * (n % 10);

const newPayment = (n: number): NewPayment =>
  aNewPayment({
    id: idOf('new payment', n) as PaymentId,
    tenantId,
    userId: idOf('user', few(n)) as UserId,
    walletId: idOf('wallet', few(n)) as WalletId,
    isTold: false,
    providerPaymentId: `N${n}`,
  });
const result = (n: number) => ({
  eventId: idOf('event', n) as EventId,
  tenantId,
  outcome: 'credited' as const,
  reason: null,
  paymentId: idOf('new payment', n) as PaymentId,
  providerPaymentId: null,
  awaits: [idOf('new payment', n) as PaymentId],
});

const lateMatch = (n: number): revisions.LateMatch => {
  const payment = newPayment(n);
  return {
    id: idOf('payment', n) as PaymentId,
    outcome: 'credited',
    reason: null,
    userId: payment.userId,
    ruleVersion: 1,
    points: 1_000_000,
    reversal: null,
    record: payment.decision,
    walletId: payment.walletId,
    payment,
    sum: { minorUnits: 0, asOfMs: 0 },
  };
};

/** What each sale goes through, in batches of every size. */
const SALES: readonly Case[] = BATCHES.flatMap((rows): Case[] => [
  {
    covers: 'events/webhook-events.insert',
    rows,
    run: (tx) =>
      webhookEvents.insert(
        tx,
        nth(rows).map((n) => ({
          id: randomUUID() as EventId,
          provider: 'alpha',
          merchantId: `M${n}`,
          eventType: 'payment.updated',
          body: Buffer.from('{}'),
          correlationId: 'c',
        })),
      ),
  },
  {
    covers: 'events/webhook-events.lockOpen',
    rows,
    partitions: [MONTH],
    run: (tx) => webhookEvents.lockOpen(tx, events(rows)),
  },
  {
    covers: 'events/webhook-events.lockOpen',
    when: 'with one whose id no clock made',
    rows,
    run: (tx) =>
      webhookEvents.lockOpen(tx, [...events(rows), idOf('failed payment', 1) as EventId]),
  },
  {
    covers: 'events/webhook-events.read',
    rows,
    partitions: [MONTH],
    run: (tx) => webhookEvents.read(tx, events(rows)),
  },
  {
    covers: 'events/webhook-events.countOpen',
    rows,
    run: (tx) => webhookEvents.countOpen(tx, events(rows)),
  },
  {
    covers: 'events/leases.isAnyLeased',
    rows,
    run: (tx) => leases.isAnyLeased(tx, events(rows)),
  },
  {
    covers: 'events/webhook-events.isAnyOpen',
    rows: 1,
    run: (tx) => webhookEvents.isAnyOpen(tx, events(rows)),
  },
  { covers: 'events/leases.handOver', rows, run: (tx) => leases.handOver(tx, events(rows)) },
  { covers: 'events/leases.claim', rows, run: (tx) => leases.claim(tx, events(rows), lease) },
  { covers: 'events/leases.renew', rows, run: (tx) => leases.renew(tx, events(rows), lease) },
  { covers: 'events/leases.release', rows, run: (tx) => leases.release(tx, events(rows), lease) },
  {
    covers: 'events/webhook-events.recordFailures',
    rows,
    run: (tx) =>
      webhookEvents.recordFailures(
        tx,
        events(rows).map((id) => ({ id, error: 'none' })),
      ),
  },
  {
    covers: 'events/waiting.park',
    rows,
    run: (tx) =>
      waiting.park(
        tx,
        events(rows).map((id) => ({ id, error: 'away' })),
        false,
      ),
  },
  {
    covers: 'events/waiting.recordDoubts',
    rows,
    run: (tx) =>
      waiting.recordDoubts(
        tx,
        events(rows).map((id) => ({ id, error: 'away' })),
        false,
      ),
  },
  {
    covers: 'payments/facts.readFacts',
    // Each sale reads a rule, a tenant, two users and a payment.
    rows: 2 * rows,
    run: (tx) =>
      readFacts(
        tx,
        nth(rows).map((n) => ({
          ...key,
          providerPaymentId: `P${n}`,
          email: `${n}@many.test`,
          phone: `+1${2_000_000_000 + n}`,
        })),
      ),
  },
  {
    covers: 'tenants/phone-regions.findPhoneRegions',
    // Each place reads a tenant and a connection.
    rows: 2 * rows,
    run: (tx) =>
      findPhoneRegions(
        tx,
        nth(rows).map((n) => ({ ...key, locationId: `L${n}` })),
      ),
  },
  {
    covers: 'ledger/wallets.ensure',
    rows,
    run: (tx) =>
      wallets.ensure(
        tx,
        nth(rows).map((n) => ({ tenantId, userId: idOf('user', few(n)) as UserId })),
      ),
  },
  {
    covers: 'payments/batch-write.storeBatch',
    rows: 2 * rows,
    run: (tx) => storeBatch(tx, nth(rows).map(newPayment), nth(rows).map(result)),
  },
  {
    covers: 'payments/revisions.confirmRefunded',
    rows,
    run: (tx) =>
      revisions.confirmRefunded(
        tx,
        nth(rows).map((n) => ({
          id: idOf('payment', n) as PaymentId,
          refundedMinorUnits: 0,
          asOf: now,
        })),
      ),
  },
  {
    covers: 'events/webhook-events.lockAll',
    rows,
    run: (tx) => webhookEvents.lockAll(tx, events(rows)),
  },
  {
    covers: 'payments/revisions.lock',
    rows: 2 * rows,
    run: (tx) =>
      revisions.lock(
        tx,
        nth(rows).map((n) => idOf('payment', n) as PaymentId),
      ),
  },
  {
    covers: 'ledger/wallets.lockAll',
    rows: 2 * rows,
    run: (tx) =>
      wallets.lockAll(
        tx,
        manyOf(rows, 'wallet') as WalletId[],
        nth(rows).map((n) => ({ tenantId, userId: idOf('user', few(n)) as UserId })),
      ),
  },
  {
    covers: 'payments/revisions.recordMatches',
    rows,
    run: (tx) => revisions.recordMatches(tx, nth(rows).map(lateMatch)),
  },
  {
    covers: 'payments/contacts.recordContacts',
    rows,
    run: (tx) =>
      recordContacts(
        tx,
        nth(rows).map((n) => ({
          paymentId: idOf('payment', n) as PaymentId,
          providerCustomerId: `CUSTOMER_${n}`,
          emailFingerprint: Buffer.alloc(16, n % 250),
          phoneFingerprint: null,
        })),
      ),
  },
  {
    covers: 'payments/revisions.recordRefunded',
    rows,
    run: (tx) =>
      revisions.recordRefunded(
        tx,
        new Map(
          nth(rows).map((n) => [
            idOf('payment', n) as PaymentId,
            { minorUnits: 0, asOfMs: now.getTime() },
          ]),
        ),
      ),
  },
  {
    covers: 'payments/debts.lock',
    rows,
    run: (tx) => debts.lock(tx, manyOf(Math.min(rows, 20), 'wallet') as WalletId[]),
  },
]);

/** What each request and each run asks. */
const REQUESTS: readonly Case[] = [
  {
    covers: 'users/users.signIn',
    rows: 2,
    run: (tx) =>
      users.signIn(
        tx,
        {
          iss: 'https://many.test',
          sub: '3',
          email: '3@many.test',
          emailVerified: true,
          phone: '+12000000003',
          phoneVerified: true,
          name: null,
          clientIntent: false,
        },
        {
          adminEmailDomain: 'admin.test',
          bootstrapAdminEmails: [],
          proofs: testSealer.fingerprints,
          requestId: 'r',
        },
      ),
  },
  { covers: 'users/users.find', rows: 2, run: (tx) => users.find(tx, userId) },
  { covers: 'users/users.isKnown', rows: 2, run: (tx) => users.isKnown(tx, '5@third.test') },
  { covers: 'tenants/tenants.find', rows: 1, run: (tx) => tenants.find(tx, tenantId) },
  {
    covers: 'ledger/wallets.getOwned',
    rows: 1,
    run: (tx) => wallets.getOwned(tx, walletId, userId),
  },
  { covers: 'ledger/wallets.lock', rows: 1, run: (tx) => wallets.lock(tx, walletId) },
  {
    covers: 'ledger/postings.post',
    rows: 1,
    run: (tx) =>
      ledger.post(tx, [
        {
          walletId: at.wallet,
          entryType: 'credit',
          points: 1,
          reason: 'admin_adjustment',
          sourceType: 'adjustment',
          sourceId: randomUUID(),
        },
      ]),
  },
  {
    covers: 'idempotency.find',
    rows: 1,
    run: (tx) => idempotency.find(tx, { userId, method: 'POST', path: '/many', key: '7' }),
  },
  {
    covers: 'payments/payments.find',
    rows: 1,
    run: (tx) => payments.find(tx, tenantId, at.payment),
  },
  {
    covers: 'payments/payments.findAll',
    rows: 1,
    run: (tx) => payments.findAll(tx, tenantId, [at.payment]),
  },
  {
    covers: 'payments/payments.areDecided',
    rows: 2,
    run: (tx) => payments.areDecided(tx, [key, { ...key, providerPaymentId: 'ABSENT' }]),
  },
  { covers: 'connections/tokens.current', rows: 1, run: (tx) => tokens.current(tx, at.connection) },
  {
    covers: 'connections/availability.read',
    rows: 1,
    run: (tx) => availability.read(tx, at.connection),
  },
  {
    covers: 'connections/pos-connections.findStanding',
    rows: 1,
    run: (tx) => posConnections.findStanding(tx, tenantId, 'alpha'),
  },
];

/** The statements that run for every sale, redemption and request. */
export const HOT: readonly Case[] = [...SALES, ...REDEMPTIONS, ...REQUESTS];
