import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RedemptionSchema } from '../../../../api/resources/redemption.ts';
import { WalletSchema } from '../../../../api/resources/wallet.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { hearing, streamsOf } from '../../../support/http/streams.ts';
import { aTill } from '../../../support/points/payments.ts';
import { aRedemption, expiresIn } from '../../../support/points/redemptions.ts';

// Too rarely to help: what arrives was announced.
const app = await useApp({ timing: { rereadEveryMs: 600_000 } });
const listener = await hearing(app);
afterAll(() => listener.close());
const streams = streamsOf(app);
afterEach(() => streams.closeAll());

let ada: SignedIn;
let email: string;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  email = `ada-${crypto.randomUUID()}@example.com`;
  ada = await app.signIn({ role: 'consumer', email });
  tenantId = await aTenant(app.db);
  await app.db('tenants').where('id', tenantId).update({ currency: 'EUR' });
  await aRule(app.db, tenantId, { conversionRate: 1 });
  walletId = await aWallet(app.db, { userId: ada.userId, tenantId, balance: 100 });
});

const open = (options: Parameters<typeof streams.open>[2] = {}) =>
  streams.open('/consumer/events', ada.token, options);

const confirm = (pointsToRedeem = 30) =>
  app.call({
    method: 'POST',
    path: `/api/v1/consumer/wallets/${walletId}/redeem/confirm`,
    token: ada.token,
    body: { pointsToRedeem },
  });

async function burn(code: string): Promise<void> {
  const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
  const answer = await app.call({
    method: 'POST',
    path: '/api/v1/pos/redemptions/complete',
    token: operator.token,
    body: { code },
  });
  expect(answer.status).toBe(200);
}

describe('GET /consumer/events', () => {
  it('200 as an event stream that nothing may store, without the present state', async () => {
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-correlation-id': expect.any(String),
    });
    await expect.poll(stream.lastId).not.toBe('');
    expect(stream.events).toEqual([]);
  });

  it('tells at once of a code that is issued, and that it was used at the till', async () => {
    const stream = await open();
    const { redemptionCode } = (await confirm()).json<{ redemptionCode: string }>();
    await stream.until(2);
    const issued = stream.events.find(({ event }) => event === 'redemption');
    expect(RedemptionSchema.parse(issued?.data)).toMatchObject({
      status: 'issued',
      code: redemptionCode,
      points: 30,
    });
    const wallet = stream.events.find(({ event }) => event === 'wallet');
    expect(WalletSchema.parse(wallet?.data)).toMatchObject({ id: walletId, balance: 70 });

    await burn(redemptionCode);
    await stream.until(3);
    expect(stream.events[2]).toMatchObject({
      event: 'redemption',
      data: { status: 'used', code: null, walletId, tenant: { id: tenantId } },
    });
    expect(stream.events).toHaveLength(3);
  });

  it('tells of points that a sale brings, and of those that its refund takes', async () => {
    const sell = await aTill(app.db, tenantId);
    const stream = await open();
    await sell({ id: 'PAY_1', amount: 500, email });
    await stream.until(1);
    expect(stream.events).toMatchObject([{ event: 'wallet', data: { balance: 600 } }]);
    await sell({ id: 'PAY_1', amount: 500, email, refunded: 500, updatedAt: new Date() });
    await stream.until(2);
    expect(stream.events[1]).toMatchObject({ event: 'wallet', data: { balance: 100 } });
  });

  it('tells of a code that expires, and of its points', async () => {
    const { id } = await aRedemption(app.db, { walletId });
    const stream = await open();
    await expiresIn(app.db, [id], -1);
    await lifecycle.expireOne(app.db, id, 'refund');
    await stream.until(2);
    expect(stream.events.map(({ event, data }) => [event, data])).toEqual(
      expect.arrayContaining([
        ['wallet', expect.objectContaining({ balance: 100 })],
        ['redemption', expect.objectContaining({ id, status: 'expired', code: null })],
      ]),
    );
  });

  it('tells what an administrator does to the wallet', async () => {
    const admin = await app.signIn({ role: 'admin' });
    const act = (step: string, body: object) =>
      app.call({
        method: 'POST',
        path: `/api/v1/admin/wallets/${walletId}/${step}`,
        token: admin.token,
        body,
      });
    const stream = await open();
    await act('freeze', {});
    await stream.until(1);
    await act('adjust', { points: 5, reason: 'A test.' });
    await stream.until(2);
    await act('unfreeze', {});
    await stream.until(3);
    expect(stream.events.map(({ data }) => data)).toMatchObject([
      { status: 'frozen', balance: 100 },
      { status: 'frozen', balance: 105 },
      { status: 'active', balance: 105 },
    ]);
  });

  it('tells nobody else, and all streams of the same person', async () => {
    const grace = await app.signIn({ role: 'consumer' });
    await aWallet(app.db, { userId: grace.userId, tenantId, balance: 5 });
    const others = await streams.open('/consumer/events', grace.token);
    const [one, two] = [await open(), await open()];
    await confirm();
    await Promise.all([one.until(2), two.until(2)]);
    expect(one.events).toEqual(two.events);
    expect(others.events).toEqual([]);
  });

  it('tells of a wallet that did not exist when the stream was opened', async () => {
    const elsewhere = await aTenant(app.db);
    await aRule(app.db, elsewhere, { conversionRate: 1 });
    const sell = await aTill(app.db, elsewhere);
    const stream = await open();
    await sell({ amount: 40, email });
    await stream.until(1);
    expect(stream.events).toMatchObject([
      { event: 'wallet', data: { balance: 40, tenantId: elsewhere } },
    ]);
  });

  it('resumes after the last event, with present states, each once', async () => {
    const first = await open();
    await confirm(10);
    await first.until(2);
    const lastEventId = first.lastId();
    await first.close();
    await confirm(20);
    await confirm(30);

    const second = await open({ lastEventId });
    await second.until(3);
    expect(second.events.map(({ event }) => event).sort()).toEqual([
      'redemption',
      'redemption',
      'wallet',
    ]);
    // The balance in between was overtaken.
    expect(second.events).toContainEqual(
      expect.objectContaining({ event: 'wallet', data: expect.objectContaining({ balance: 40 }) }),
    );
    const third = await open({ lastEventId: second.lastId() });
    await expect.poll(third.lastId).not.toBe('');
    expect(third.events).toEqual([]);
  });

  it('resumes from each event, also where several came together', async () => {
    const stream = await open();
    await confirm();
    const [first, second] = await stream.until(2);
    const resumed = await open({ lastEventId: first?.id ?? '' });
    await resumed.until(1);
    expect(resumed.events.map(({ event, data }) => [event, data])).toEqual([
      [second?.event, second?.data],
    ]);
  });

  it.each(['unknown', '7', 'a.b.c', `${'x'.repeat(500)}`])(
    'reset for an id that is not its own: %s',
    async (lastEventId) => {
      const stream = await open({ lastEventId });
      await stream.until(1);
      expect(stream.events).toMatchObject([{ event: 'reset', data: {} }]);
      await confirm();
      await stream.until(3);
    },
  );

  it('reset for the id of another person', async () => {
    const grace = await app.signIn({ role: 'consumer' });
    const others = await streams.open('/consumer/events', grace.token);
    await expect.poll(others.lastId).not.toBe('');
    const stream = await open({ lastEventId: others.lastId() });
    await stream.until(1);
    expect(stream.events).toMatchObject([{ event: 'reset' }]);
  });

  it('passes over no change of a transaction that was open when others had been sent', async () => {
    const stream = await open();
    const tx = await app.db.transaction();
    await tx('wallets').where('id', walletId).update({ status: 'frozen', updatedAt: tx.fn.now() });
    const elsewhere = await aTenant(app.db);
    await aRule(app.db, elsewhere, { conversionRate: 1 });
    const sell = await aTill(app.db, elsewhere);
    await sell({ amount: 40, email });
    await stream.until(1);
    const lastEventId = stream.lastId();
    await stream.close();
    await tx.commit();

    const resumed = await open({ lastEventId });
    await resumed.until(1);
    expect(resumed.events).toMatchObject([
      { event: 'wallet', data: { id: walletId, status: 'frozen' } },
    ]);
  });

  it('HEAD 200, and no stream is left open', async () => {
    const answer = await app.call({
      method: 'HEAD',
      path: '/api/v1/consumer/events',
      token: ada.token,
    });
    expect(answer.status).toBe(200);
    expect(app.streams.count()).toBe(0);
  });
});
