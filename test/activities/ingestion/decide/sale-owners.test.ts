import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../../activities/due-work/worker.ts';
import {
  ingestEventBatch,
  ingestEvents,
} from '../../../../activities/ingestion/events/ingest-events.ts';
import { decideAgain } from '../../../../activities/ingestion/revise/decide-again.ts';
import { matchSignup } from '../../../../activities/ingestion/revise/signups.ts';
import * as posConnections from '../../../../db/connections/pos-connections.ts';
import * as operations from '../../../../db/events/operations.ts';
import * as payments from '../../../../db/payments/payments.ts';
import { sumSpans } from '../../../../db/tenants/interval-sums.ts';
import type { EventId, TenantId, UserId } from '../../../../domain/ids.ts';
import { readAlphaReport } from '../../../../gateways/providers/alpha/payloads.ts';
import { countStatements } from '../../../support/database/count-statements.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

// Whose a sale is: that of the tenant which had the account when it was made.

const { db } = await useDatabase();
let one: TenantId;
let two: TenantId;
let merchantId: string;
let email: string;
let userId: UserId;
beforeEach(async () => {
  [one, two] = [await aTenant(db), await aTenant(db)];
  await aRule(db, one);
  await aRule(db, two);
  merchantId = `M-${randomUUID()}`;
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
});

const connect = (tenantId: TenantId) =>
  anAlphaConnection(db, { tenantId, merchantId, earnsFrom: 'connecting' });
async function disconnect(tenantId: TenantId): Promise<void> {
  const { id } = required(await db('pos_connections').where({ tenantId }).first());
  await posConnections.disconnect(db, tenantId, id);
}
const now = () => new Date();
const sale = (some: AlphaPaymentOptions = {}) =>
  anAlphaEvent(merchantId, { id: 'P1', amount: 10_000, email, createdAt: now(), ...some });
const deps = activityDeps(db);
const matchSignups = () => doWork(deps, matchSignup(deps));
const longAgo = new Date('2023-01-15T10:00:00Z');
async function deliver(body: Buffer): Promise<EventId> {
  const ids = await storedEvents(db, merchantId, [body]);
  expect((await ingestEvents(db, ids, new Map(), testPolicy)).failures).toEqual([]);
  return required(ids[0]);
}
const saleMade = (body: Buffer) => {
  const report = readAlphaReport(body);
  if (report.kind !== 'payment') throw new Error(report.kind);
  return report.payment.occurredAt;
};
async function balances(): Promise<number[]> {
  const balanceAt = async (tenantId: TenantId) =>
    (await db('wallets').where({ tenantId, userId }).first())?.balance ?? 0;
  return [await balanceAt(one), await balanceAt(two)];
}
const paymentsOf = (tenantId: TenantId) => payments.listOfTenant(db, tenantId, { limit: 10 });

describe('a sale from long before the account was connected', () => {
  it('earns nothing when a cent of it is refunded, and is nobody’s in lists and sums', async () => {
    await connect(one);
    await deliver(sale({ createdAt: longAgo, refunded: 1, updatedAt: now() }));
    expect(await balances()).toEqual([0, 0]);
    expect(await paymentsOf(one)).toMatchObject([
      {
        outcome: 'credited',
        outcomeReason: 'before_connection',
        pointsAwarded: 0,
        refundedMinorUnits: 1,
        walletId: null,
        consumer: null,
      },
    ]);
    expect(await db('wallets').where({ userId })).toEqual([]);
    const span = { from: new Date('2023-01-01'), to: new Date('2023-02-01') };
    expect(await sumSpans(db, { id: one, currency: 'EUR' }, [span])).toMatchObject([
      { sales: { count: 1, amountMinorUnits: 10_000 }, matched: { count: 0, amountMinorUnits: 0 } },
    ]);
  });

  it('earns nothing more when all of it is refunded, and keeps the sum', async () => {
    await connect(one);
    await deliver(sale({ createdAt: longAgo, updatedAt: longAgo }));
    await deliver(sale({ createdAt: longAgo, refunded: 10_000, updatedAt: now() }));
    const [stored] = await paymentsOf(one);
    expect(stored).toMatchObject({ refundedMinorUnits: 10_000, pointsReversed: 0 });
    const { decision } = required(await payments.find(db, one, required(stored).id));
    expect(decision).toMatchObject({ isBeforeConnection: true, earning: null, reversals: [] });
  });

  it('earns nothing when its customer signs up after that', async () => {
    await connect(one);
    const stranger = `${randomUUID()}@example.com`;
    await deliver(sale({ email: stranger, createdAt: longAgo, refunded: 1, updatedAt: now() }));
    expect(await paymentsOf(one)).toMatchObject([{ outcome: 'stored_anonymous' }]);
    await aUser(db, { email: stranger });
    await matchSignups();
    expect(await paymentsOf(one)).toMatchObject([
      { outcome: 'credited', outcomeReason: 'before_connection', pointsAwarded: 0, consumer: null },
    ]);
  });

  it('keeps no customer of the provider, whom an erasure could not find', async () => {
    await connect(one);
    const customerOf = async (outcomeReason: string) =>
      required(await db('payments').where({ tenantId: one, outcomeReason }).first())
        .providerCustomerId;
    await deliver(sale({ customerId: 'C1', createdAt: longAgo }));
    expect(await customerOf('before_connection')).toBeNull();
    const stranger = `${randomUUID()}@example.com`;
    const late = { id: 'P2', email: stranger, customerId: 'C2', createdAt: longAgo };
    await deliver(sale(late));
    expect(await customerOf('no_match')).toBe('C2');
    await aUser(db, { email: stranger });
    await matchSignups();
    const kept = await db('payments').where({ tenantId: one }).pluck('provider_customer_id');
    expect(kept).toEqual([null, null]);
  });

  it('earns nothing either when its shop was suspended, and is reinstated', async () => {
    await connect(one);
    await db('tenants').where({ id: one }).update({ suspendedAt: now() });
    await deliver(sale({ createdAt: longAgo }));
    expect(await paymentsOf(one)).toMatchObject([{ outcomeReason: 'tenant_suspended' }]);
    await db('tenants').where({ id: one }).update({ suspendedAt: null });
    await decideAgain(db, one, 'reverse');
    expect(await paymentsOf(one)).toMatchObject([
      { outcomeReason: 'before_connection', pointsAwarded: 0, consumer: null },
    ]);
  });

  it('earns when it was made in the week before', async () => {
    await connect(one);
    const createdAt = new Date(Date.now() - 6 * 86_400_000);
    await deliver(sale({ createdAt }));
    expect(await balances()).toEqual([10_000, 0]);
  });
});

describe('an account that moves from one tenant to another', () => {
  it('takes a refund from the tenant that credited the sale, and credits no other', async () => {
    await connect(one);
    const createdAt = now();
    await deliver(sale({ createdAt }));
    await disconnect(one);
    await connect(two);
    await deliver(sale({ createdAt, refunded: 100, updatedAt: now() }));
    expect(await balances()).toEqual([9_900, 0]);
    expect(await paymentsOf(two)).toEqual([]);
  });

  it('lets a sale that is reported late earn at the tenant that had the account', async () => {
    await connect(one);
    // Not in the millisecond in which the account changes hands.
    const createdAt = new Date(Date.now() - 1_000);
    await disconnect(one);
    await connect(two);
    await deliver(sale({ createdAt }));
    expect(await balances()).toEqual([10_000, 0]);
    const later = sale({ id: 'P2', createdAt: now() });
    await deliver(later);
    expect(await balances()).toEqual([10_000, 10_000]);
  });

  it('and back polls nothing that was sold meanwhile', async () => {
    await connect(one);
    await disconnect(one);
    await connect(two);
    const sold = sale();
    await deliver(sold);
    await disconnect(two);
    await connect(one);
    const { id } = await db('pos_connections').where({ tenantId: one }).first();
    const { polledFrom } = await db('connection_polls').where({ connectionId: id }).first();
    expect(polledFrom.getTime()).toBeGreaterThan(saleMade(sold).getTime());
    await deliver(sale({ createdAt: saleMade(sold), refunded: 100, updatedAt: now() }));
    expect(await balances()).toEqual([0, 9_900]);
  });
});

describe('a replayed event', () => {
  it('credits no other tenant than the first time', async () => {
    await connect(one);
    const id = await deliver(sale());
    await disconnect(one);
    await connect(two);
    const copy = await operations.replay(db, id);
    await ingestEvents(db, [copy.id], new Map(), testPolicy);
    expect(await operations.get(db, copy.id)).toMatchObject({ tenantId: one });
    expect(await balances()).toEqual([10_000, 0]);
  });

  it('reaches its tenant although that has disconnected', async () => {
    await connect(one);
    const [id] = await storedEvents(db, merchantId, [sale()]);
    // Given up after seven days.
    await db.raw(
      `with gone as (delete from pending_events where id = :id returning *)
       insert into stalled_events (id, provider, tenant_id, merchant_id, event_type,
         correlation_id, received_at, attempts, last_error)
       select id, provider, tenant_id, merchant_id, event_type, correlation_id,
         now() - interval '8 days', 9, 'A defect of ours.' from gone`,
      { id: required(id) },
    );
    await disconnect(one);
    const copy = await operations.replay(db, required(id));
    await ingestEvents(db, [copy.id], new Map(), testPolicy);
    expect(await operations.get(db, copy.id)).toMatchObject({ tenantId: one });
    expect(await balances()).toEqual([10_000, 0]);
  });
});

it('asks for former tenures only where a sale is older than the present one', async () => {
  await connect(one);
  const ingest = async (body: Buffer) => {
    const ids = await storedEvents(db, merchantId, [body]);
    return countStatements(db, (tx) => ingestEventBatch(tx, ids, new Map(), testPolicy));
  };
  await ingest(sale({ id: 'P0' }));
  const young = await ingest(sale({ id: 'P1' }));
  const old = await ingest(sale({ id: 'P2', createdAt: longAgo }));
  expect(old - young).toBe(1);
});
