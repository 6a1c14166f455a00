import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { probeDue } from '../../../activities/connections/availability.ts';
import { createDueWorkActivities } from '../../../activities/due-work/index.ts';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import { ingestWithProvider } from '../../../activities/ingestion/events/with-provider.ts';
import { prepareSweep } from '../../../activities/ingestion/index.ts';
import { pollConnection } from '../../../activities/polling/poll-connection.ts';
import { checkGaps } from '../../../activities/truth/check-gaps.ts';
import { countByProvider } from '../../../db/connections/counts.ts';
import * as dueEvents from '../../../db/events/due-events.ts';
import { ConnectionId, type UserId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { INTERVAL_STEPS, pollIntervalMs } from '../../../domain/poll-cadence.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { createBeta } from '../../../gateways/providers/beta/client.ts';
import {
  aBetaEvent,
  anAlphaEvent,
  aRule,
  aUser,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useConnecting } from '../../support/fixtures.ts';
import type { Merchant } from '../../support/providers/connecting.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

// On Friday at 22:00 a shop's account stops letting us in, and the shop has been quiet since eight.
// Who knows it by when, and what comes back? Hours pass by moving what is stored into the past.

const HOUR_MS = 3_600_000;
let soldHoursAgo = 0;
const service = await useConnecting({}, () => new Date(Date.now() - soldHoursAgo * HOUR_MS));
const { db } = service.app;
const { alpha, beta } = service;
const admin = await service.app.signIn({ role: 'admin' });

const mails: { subject: string }[] = [];
let owner = '';
const schedules: string[] = [];
const deps = activityDeps(db, {
  oauth: service.oauth,
  alpha: createAlpha({ environment: 'sandbox', origin: alpha.url }),
  beta: createBeta({ environment: 'sandbox', region: 'na', apiOrigin: beta.url }),
  mailer: {
    send: async (mail) => {
      if (mail.to === owner) mails.push(mail);
    },
    close: async () => {},
  },
  pollSchedules: {
    intervals: () => ({ base: 300, backup: 3_600 }),
    ensure: async ({ coveredPolls }) => void schedules.push(`polls, ${coveredPolls} covered`),
    pause: async () => void schedules.push('pauses'),
    remove: async () => {},
    list: async () => [],
  },
});

let merchant: Merchant;
let account: string;
let connectionId: ConnectionId;
let buyer: { userId: UserId; email: string };

/** What `reconcile` does each minute, and the search for gaps every quarter of an hour. */
const tick = () => createDueWorkActivities(deps).doDueWork();
const quarterHour = () =>
  checkGaps(deps, { run: randomUUID(), signal: new AbortController().signal, heartbeat() {} });

async function connect(provider: Provider): Promise<void> {
  const query = await service.consent(provider, merchant);
  expect(await service.callback(provider, query)).toBe(`connected=true&provider=${provider}`);
  const row = await db('pos_connections').where({ tenantId: merchant.tenantId, provider }).first();
  connectionId = ConnectionId.parse(required(row).id);
}

function sell(provider: Provider, amount: number, hoursAgo: number): string {
  soldHoursAgo = hoursAgo;
  const sale = { merchantId: account, amount, currency: 'EUR' };
  const { email } = buyer;
  const { id } =
    provider === 'alpha'
      ? alpha.ring({ ...sale, buyerEmail: email, capture: 'at-once' })
      : beta.ring({ ...sale, customerId: betaCustomer });
  soldHoursAgo = 0;
  return id;
}
let betaCustomer = '';

async function webhook(provider: Provider, body: object | Buffer): Promise<void> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const ids = await storedEvents(db, account, [bytes], provider);
  const { ask } = await ingestEvents(db, ids, new Map(), deps.ingestPolicy);
  await ingestWithProvider(deps, ask, { run: randomUUID() });
}

async function pass(hours: number): Promise<void> {
  const { tenantId } = merchant;
  const earlier = (column: string) => db.raw('?? - make_interval(hours => ?)', [column, hours]);
  await db('payments')
    .where({ tenantId })
    .update({ createdAt: earlier('created_at'), occurredAt: earlier('occurred_at') });
  await db('pos_connections')
    .where({ tenantId })
    .update({ gapAskedAt: earlier('gap_asked_at'), updatedAt: earlier('updated_at') });
  await db('account_tenures')
    .where({ tenantId })
    .update({ earnsFrom: earlier('earns_from'), endedAt: earlier('ended_at') });
  await db('due_work').update({ dueAt: earlier('due_at') });
}

const points = async () => {
  const { tenantId } = merchant;
  const row = await db('wallets').where({ tenantId, userId: buyer.userId }).first('balance');
  return Number(row?.balance ?? 0);
};

/** Who knows: the owner by mail, the portal, the back office, and the operators' gauge. */
async function known(provider: Provider) {
  const path = `/api/v1/client/tenants/${merchant.tenantId}/pos-connections`;
  const portal = await service.app.call({ path, token: merchant.token });
  const shown = portal.json<{ needsReconnectSince: string | null }[]>();
  const health = { path: '/api/v1/admin/health', token: admin.token };
  const office = (await service.app.call(health)).json<{
    connections: { lost: { tenantId: string }[] };
  }>();
  const lost = new RegExp(`^Verkäufe bei ${provider} `, 'i');
  return {
    owner: mails.filter(({ subject }) => lost.test(subject)).length,
    portal: shown.filter(({ needsReconnectSince }) => needsReconnectSince !== null).length,
    office: office.connections.lost.filter(({ tenantId }) => tenantId === merchant.tenantId).length,
    gauge: (await countByProvider(db))[provider].reconnect,
  };
}
const NOBODY = { owner: 0, portal: 0, office: 0, gauge: 0 };
const ALL = { owner: 1, portal: 1, office: 1, gauge: 1 };

beforeEach(async () => {
  await db('pos_connections').update({ status: 'disconnected', needsReconnectSince: null });
  await db('due_work').delete();
  merchant = await service.aMerchant();
  owner = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { role: 'client', email: owner, language: 'de' });
  await db('memberships').insert({ tenantId: merchant.tenantId, userId, role: 'client' });
  await db('tenants').where({ id: merchant.tenantId }).update({ timeZone: 'Europe/Berlin' });
  await aRule(db, merchant.tenantId);
  const email = `${randomUUID()}@example.com`;
  buyer = { userId: await aUser(db, { email }), email };
});

async function open(provider: Provider): Promise<void> {
  const simulator = provider === 'alpha' ? alpha : beta;
  account = simulator.addMerchant({ name: 'Café', currency: 'EUR' }).id;
  simulator.setConsent('approve', account);
  if (provider === 'beta') {
    betaCustomer = beta.addCustomer({ merchantId: account, emails: [buyer.email] }).id;
  }
  await connect(provider);
  // What came by webhook before, and for a week: the next poll is six hours away.
  const createdAt = new Date();
  const polledFrom = new Date(createdAt.getTime() - 24 * HOUR_MS);
  const watermark = polledFrom;
  const bought = { email: buyer.email, amount: 100, createdAt };
  if (provider === 'alpha') await webhook('alpha', anAlphaEvent(account, bought));
  else await webhook('beta', aBetaEvent(account, sell('beta', 100, 0)));
  await db('connection_polls')
    .where({ connectionId })
    .update({ coveredPolls: INTERVAL_STEPS[1], lastPolledAt: db.fn.now(), watermark, polledFrom });
  await tick();
  mails.length = 0;
  schedules.length = 0;
}

describe('alpha', () => {
  beforeEach(() => open('alpha'));
  const poll = () => pollConnection(deps, connectionId, { run: randomUUID() });

  it('says that access is gone: all know within a minute, each in their language', async () => {
    alpha.revokeTokens(account);
    expect(await known('alpha')).toEqual(NOBODY);
    const about = { merchant_id: account, event_id: randomUUID(), data: { type: 'revocation' } };
    const createdAt = new Date().toISOString();
    await webhook('alpha', {
      ...about,
      type: 'oauth.authorization.revoked',
      created_at: createdAt,
    });
    await tick();
    expect(await known('alpha')).toEqual(ALL);
    expect(mails[0]?.subject).toMatch(/^Verkäufe bei Alpha bringen keine Punkte/);
    expect(schedules).toEqual(['pauses']);
    await pass(24);
    await tick();
    // From Monday to Wednesday the mail about the week comes with it.
    const again = /^Verkäufe bei Alpha bringen immer noch keine Punkte/;
    expect(mails.filter(({ subject }) => again.test(subject))).toHaveLength(1);
  });

  it('says nothing: all know after two hours without a sale, not at the next poll', async () => {
    expect(pollIntervalMs(INTERVAL_STEPS[1], { base: 300, backup: 3_600 })).toBe(6 * HOUR_MS);
    alpha.revokeTokens(account);
    await pass(1);
    await quarterHour();
    await tick();
    expect(await known('alpha')).toEqual(NOBODY);
    await pass(1);
    await quarterHour();
    await tick();
    expect(await known('alpha')).toEqual(ALL);
    expect(schedules).toEqual(['pauses']);
  });

  it('brings what was sold meanwhile once it is connected again', async () => {
    alpha.revokeTokens(account);
    await pass(3);
    await quarterHour();
    await tick();
    sell('alpha', 250, 1);
    expect((await poll()).status).toBe('needs_reconnect');
    await connect('alpha');
    await tick();
    expect(schedules.at(-1)).toBe('polls, 0 covered');
    expect(await known('alpha')).toEqual({ ...NOBODY, owner: 1 });
    expect((await poll()).status).toBe('done');
    expect(await points()).toBe(350);
    await pass(24);
    await tick();
    expect(mails.filter(({ subject }) => subject.includes('immer noch'))).toEqual([]);
  });

  it('loses only webhooks: polls are frequent again after two hours, nobody is told', async () => {
    await pass(3);
    sell('alpha', 250, 1);
    expect(await quarterHour()).toEqual({ asked: 1, gaps: 1 });
    await tick();
    expect(schedules).toEqual(['polls, 0 covered']);
    expect((await poll()).status).toBe('done');
    expect(await points()).toBe(350);
    expect([await known('alpha'), mails]).toEqual([NOBODY, []]);
  });
});

describe('beta', () => {
  beforeEach(() => open('beta'));
  const app = (type: string) => {
    const update = { objectId: 'A:BETAAPP0TESTS', type, ts: Date.now() };
    return { merchants: { [account]: [update] } };
  };

  it('says that the app was uninstalled: all know within the minute', async () => {
    // Anybody who has the secret could say so of any shop, so beta itself is asked.
    const said = async (type: string) => {
      await webhook('beta', app(type));
      await probeDue(deps, new AbortController().signal);
      await tick();
    };
    await said('DELETE');
    expect(await known('beta')).toEqual(NOBODY);
    beta.uninstall(account);
    await said('CREATE');
    expect(await known('beta')).toEqual(NOBODY);
    await said('DELETE');
    expect(await known('beta')).toEqual(ALL);
  });

  it('says nothing: all know by the first sale, or after two hours without one', async () => {
    beta.uninstall(account);
    await pass(1);
    await quarterHour();
    expect(await known('beta')).toEqual(NOBODY);
    await pass(1);
    await quarterHour();
    await tick();
    expect(await known('beta')).toEqual(ALL);
    await connect('beta');
    mails.length = 0;
    const sale = sell('beta', 250, 1);
    beta.uninstall(account);
    await webhook('beta', aBetaEvent(account, sale));
    await tick();
    expect(await known('beta')).toEqual(ALL);
  });

  it('gives the sale back that waits, and tells of those that came by no webhook', async () => {
    const waits = sell('beta', 250, 1);
    beta.uninstall(account);
    await webhook('beta', aBetaEvent(account, waits));
    sell('beta', 400, 1);
    await tick();
    await connect('beta');
    await prepareSweep(db);
    const due = await dueEvents.takePending(db, { limit: 10, quietSeconds: 0 });
    const swept = due.map(({ id }) => id);
    await ingestWithProvider(deps, swept, { run: randomUUID() });
    expect(await points()).toBe(350);
    await tick();
    mails.length = 0;
    await pass(2);
    await quarterHour();
    await tick();
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Verkäufe bei Beta kommen nicht an/),
    ]);
  });
});
