import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityDeps } from '../../../../activities/index.ts';
import { Crediting } from '../../../../activities/ingestion/events/crediting.ts';
import { LeasedEvents } from '../../../../activities/ingestion/events/leased-events.ts';
import type { EventId } from '../../../../domain/ids.ts';
import { createMetrics } from '../../../../gateways/telemetry/metrics.ts';
import { aConnectedShop, anAlphaEvent, aRule, storedEvents } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();

let merchantId: string;
let email: string;
/** The events of each transaction, in the order in which these began. */
let credits: string[][];
let onCredit: () => void;
beforeEach(async () => {
  const shop = await aConnectedShop(db);
  ({ merchantId, email } = shop);
  await aRule(db, shop.tenantId);
  credits = [];
  onCredit = () => {};
  db.on('query', noteCredit);
});
afterEach(() => {
  db.off('query', noteCredit);
});

function noteCredit({ sql, bindings }: { sql: string; bindings?: unknown[] }): void {
  if (!sql.includes('for no key update of e skip locked')) return;
  const ids = bindings?.find((each) => String(each).startsWith('{'));
  credits.push(String(ids).slice(1, -1).replaceAll('"', '').split(','));
  onCredit();
}

const store = (count: number) =>
  storedEvents(
    db,
    merchantId,
    Array.from({ length: count }, (_, nth) => anAlphaEvent(merchantId, { customerId: `C${nth}` })),
  );
const startFor = async (ids: readonly EventId[], deps: Partial<ActivityDeps> = {}) => {
  const leased = new LeasedEvents(db, 'a run');
  await leased.claim(ids);
  const crediting = new Crediting({ ...activityDeps(db), ...deps }, leased);
  const answer = (id: EventId) =>
    crediting.add(id, {
      payments: [aSale({ providerPaymentId: id, email })],
      isComplete: true,
    });
  return { crediting, answer };
};
const sorted = (ids: readonly string[]) => [...ids].sort();

describe('what is answered', () => {
  it('is credited without those that are still to come', async () => {
    const ids = await store(3);
    const { crediting, answer } = await startFor(ids);
    for (const id of ids.slice(0, 2)) answer(id);
    await expect.poll(() => crediting.counts.credited, { timeout: 20_000 }).toBe(2);
    for (const id of ids.slice(2)) answer(id);
    await crediting.finish();
    expect(credits.map(sorted)).toEqual([ids.slice(0, 2), ids.slice(2)].map(sorted));
    expect(crediting.counts.credited).toBe(3);
  });

  it('during a credit is credited next, together', async () => {
    const ids = await store(5);
    const { crediting, answer } = await startFor(ids);
    let finishing: Promise<void> | undefined;
    onCredit = () => {
      onCredit = () => {};
      for (const id of ids.slice(1)) answer(id);
      finishing = crediting.finish();
    };
    for (const id of ids.slice(0, 1)) answer(id);
    await expect.poll(() => credits.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await finishing;
    expect(credits.map(sorted)).toEqual([ids.slice(0, 1), ids.slice(1)].map(sorted));
    expect(crediting.counts.credited).toBe(5);
  });

  it('is credited up to 500 at a time, and at once when there are no more to come', async () => {
    const ids = await store(501);
    const { crediting, answer } = await startFor(ids);
    for (const id of ids) answer(id);
    await crediting.finish();
    expect(credits.map((each) => each.length)).toEqual([500, 1]);
    expect(crediting.counts.credited).toBe(501);
  });

  it('about events that were not leased is left to whoever has them', async () => {
    const ids = await store(2);
    const { crediting, answer } = await startFor(ids.slice(0, 1));
    for (const id of ids) answer(id);
    await crediting.finish();
    expect(credits).toEqual([ids.slice(0, 1)]);
  });
});

it('throws at the end what stopped it, and credits nothing after that', async () => {
  const ids = await store(2);
  const metrics = createMetrics('worker');
  const failing = new Promise<void>((resolve) => {
    metrics.paymentsIngested = () => {
      resolve();
      throw new Error('It cannot go on.');
    };
  });
  const { crediting, answer } = await startFor(ids, { metrics });
  for (const id of ids.slice(0, 1)) answer(id);
  await failing;
  for (const id of ids.slice(1)) answer(id);
  await expect(crediting.finish()).rejects.toThrow('It cannot go on.');
  expect(credits).toHaveLength(1);
});
