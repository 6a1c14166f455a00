import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { ingestWithProvider } from '../../../activities/ingestion/events/with-provider.ts';
import { checkGaps } from '../../../activities/truth/check-gaps.ts';
import type { TruthDeps } from '../../../activities/truth/compare-day.ts';
import { tellOfGap } from '../../../activities/truth/tell-gap.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { aBetaConnection, aBetaEvent, aTenant, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { useSilentShop } from '../../support/providers/silent-shop.ts';

const HOUR_MS = 3_600_000;
const { db } = await useDatabase();
const silent = useSilentShop(db);

const check = (deps: Partial<TruthDeps> = {}) =>
  checkGaps(silent.deps(deps), {
    run: randomUUID(),
    signal: new AbortController().signal,
    heartbeat() {},
  });

async function shown() {
  const { tenantId, connectionIds } = silent.shop;
  const listed = await posConnections.list(db, tenantId, { limit: 10, after: undefined });
  const [gap] = listed.filter(({ id }) => id === connectionIds.beta).map((each) => each.gapSince);
  return gap;
}

/** Lets the connection have been asked about so long ago. */
async function askedHoursAgo(hours: number) {
  const gapAskedAt = new Date(Date.now() - hours * HOUR_MS);
  await db('pos_connections').where({ id: silent.shop.connectionIds.beta }).update({ gapAskedAt });
}

/** Lets all that the shop has sold have been stored so long ago. */
async function storedHoursAgo(hours: number) {
  const createdAt = new Date(Date.now() - hours * HOUR_MS);
  await db('payments').where({ tenantId: silent.shop.tenantId }).update({ createdAt });
}

it('asks about a silent account once in two hours, and tells nobody without a sale', async () => {
  const others = (await check()).asked;
  expect(others).toBeGreaterThan(0);
  expect(await shown()).toBeNull();
  expect((await check()).asked).toBe(0);
  await askedHoursAgo(1.9);
  expect((await check()).asked).toBe(0);
  await askedHoursAgo(2.1);
  expect(await check()).toEqual({ asked: 1, gaps: 0 });
});

it('finds sales that no webhook told, tells of them once a day, and brings them in', async () => {
  const { tenantId, connectionIds } = silent.shop;
  await db('tenants').where({ id: tenantId }).update({ tellsEvents: true });
  await check();
  silent.now = new Date(Date.now() - HOUR_MS);
  silent.sell('beta', 500);
  silent.sell('beta', 700);
  silent.sell('alpha', 900);
  await askedHoursAgo(3);
  expect(await check()).toEqual({ asked: 1, gaps: 1 });
  const since = await shown();
  expect(since).toBeInstanceOf(Date);
  expect(await silent.balance()).toBe(0);
  const told = () => db('tenant_events').where({ tenantId, type: 'connection.gap' });
  expect((await told()).map(({ data }) => data)).toEqual([
    {
      connectionId: connectionIds.beta,
      posType: 'beta',
      payments: 2,
      since: since?.toISOString(),
    },
  ]);

  await askedHoursAgo(3);
  expect(await check({ truthRepairs: 'both' })).toEqual({ asked: 1, gaps: 1 });
  expect(await silent.balance()).toBe(1_200);
  expect(await told()).toHaveLength(1);
  // What was brought in is no webhook.
  expect(await shown()).toEqual(since);
});

it.each([
  ['at once', 0],
  ['after an outage', 300_000],
])('is over once a webhook brings a sale %s, and begins anew after that', async (_, lateMs) => {
  const { tenantId, merchantIds } = silent.shop;
  silent.now = new Date(Date.now() - HOUR_MS);
  silent.sell('beta', 500);
  expect(await check({ truthRepairs: 'both' })).toMatchObject({ gaps: 1 });
  expect(await shown()).not.toBeNull();

  silent.now = new Date();
  const id = silent.sell('beta', 300);
  const body = aBetaEvent(merchantIds.beta, id);
  const [eventId] = await storedEvents(db, merchantIds.beta, [body], 'beta');
  const receivedAt = new Date(Date.now() - lateMs);
  await db('pending_events').update({ receivedAt });
  await ingestWithProvider(silent.deps(), eventId ? [eventId] : [], { run: randomUUID() });
  expect(await silent.balance()).toBe(800);
  expect(await shown()).toBeNull();

  await storedHoursAgo(4);
  await db('payments')
    .where({ tenantId })
    .update({ occurredAt: new Date(Date.now() - 4 * HOUR_MS) });
  silent.now = new Date(Date.now() - HOUR_MS);
  silent.sell('beta', 100);
  await askedHoursAgo(3);
  expect(await check()).toMatchObject({ gaps: 1 });
  expect(await shown()).not.toBeNull();
});

it('says since when it is silent, however much another account of the shop has sold', async () => {
  const { tenantId, merchantIds } = silent.shop;
  silent.now = new Date(Date.now() - 5 * HOUR_MS);
  const body = aBetaEvent(merchantIds.beta, silent.sell('beta', 500));
  const [eventId] = await storedEvents(db, merchantIds.beta, [body], 'beta');
  await ingestWithProvider(silent.deps(), eventId ? [eventId] : [], { run: randomUUID() });
  await storedHoursAgo(4);
  const last = await db('payments').where({ tenantId }).first<{ occurredAt: Date }>('occurredAt');
  await db.raw(
    `insert into payments (id, tenant_id, amount_minor_units, tip_minor_units,
       refunded_minor_units, points_awarded, occurred_at, changed_at, refunded_as_of,
       decision_facts, provider, provider_payment_id, currency, outcome, outcome_reason, decision)
     select gen_random_uuid(), tenant_id, amount_minor_units, 0, 0, 0, now(), now(), now(),
       decision_facts, 'alpha', 'A-' || nth, currency, 'stored_anonymous', 'no_contacts', decision
     from payments, generate_series(1, 1000) as nth where tenant_id = :tenantId`,
    { tenantId },
  );
  silent.now = new Date(Date.now() - HOUR_MS);
  silent.sell('beta', 700);
  await askedHoursAgo(3);
  expect(await check()).toMatchObject({ gaps: 1 });
  expect(await shown()).toEqual(last.occurredAt);
});

describe('an account that was connected again', () => {
  /** Lets the shop leave the account, and somebody connect it then. */
  async function connectedAgain(tenantId: TenantId, hoursAgo: number) {
    const { tenantId: former, merchantIds, connectionIds } = silent.shop;
    await posConnections.disconnect(db, former, connectionIds.beta);
    const { accessToken } = silent.simulators.beta.issueToken(merchantIds.beta);
    const account = { merchantId: merchantIds.beta, accessToken };
    await aBetaConnection(db, { tenantId, ...account, earnsFrom: 'connecting' });
    const earlier = (column: string) => db.raw(`${column} - make_interval(hours => ${hoursAgo})`);
    await db('account_tenures')
      .where({ merchantId: merchantIds.beta })
      .update({ earnsFrom: earlier('earns_from'), endedAt: earlier('ended_at') });
    await db('pos_connections')
      .where({ tenantId })
      .update({ updatedAt: earlier('updated_at') });
  }

  it.each([
    [1, 0],
    [3, 1],
  ])('%s hours ago is asked about %s times, whenever it sold last', async (hoursAgo, asked) => {
    silent.sell('beta', 500);
    await check({ truthRepairs: 'both' });
    await storedHoursAgo(72);
    await connectedAgain(silent.shop.tenantId, hoursAgo);
    await askedHoursAgo(3);
    expect(await check()).toEqual({ asked, gaps: 0 });
  });

  it('by another shop, which has sold nothing yet, is asked about as well', async () => {
    await check();
    await connectedAgain(await aTenant(db), 3);
    silent.now = new Date(Date.now() - HOUR_MS);
    silent.sell('beta', 500);
    expect(await check()).toEqual({ asked: 1, gaps: 1 });
  });
});

it('mails the owners since when, how many, and what to do', async () => {
  const sent: { to: string; subject: string; text: string; messageId: string }[] = [];
  silent.now = new Date(Date.now() - HOUR_MS);
  silent.sell('beta', 500);
  await check();
  const mailer = {
    send: async (mail: (typeof sent)[number]) => void sent.push(mail),
    async close() {},
  };
  const frontendUrl = 'https://app.shop.example';
  const log = createLogger({ level: 'silent', service: 'test' });
  await doWork({ db, log }, tellOfGap({ db, mailer, frontendUrl }));
  const mine = sent.filter(({ messageId }) => messageId.includes(silent.shop.connectionIds.beta));
  expect(mine).toHaveLength(1);
  expect(mine[0]?.subject).toContain('Sales at Beta do not arrive');
  expect(mine[0]?.text.replaceAll(/\s+/g, ' ')).toContain(
    'Beta has told us of no sale of yours, but lists 1 sale. Its customer waits for points.',
  );
  expect(mine[0]?.text).toContain('https://app.shop.example/pos');
});
