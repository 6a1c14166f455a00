import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { pushPoints, pushUsedCodes } from '../../../activities/telling/phones.ts';
import { notePoints } from '../../../activities/telling/points.ts';
import * as choices from '../../../db/notices/choices.ts';
import * as subscriptions from '../../../db/notices/push-subscriptions.ts';
import type { UserId, WalletId } from '../../../domain/ids.ts';
import { createPusher } from '../../../gateways/push/pusher.ts';
import { aTenant, aUser, aWallet, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { aRedemption } from '../../support/points/redemptions.ts';
import { aBrowser, startPushService } from '../../support/push-service.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const service = await startPushService();
afterAll(() => service.close());
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pusher = createPusher({
  privateKey: required(privateKey.export({ format: 'jwk' }).d),
  contact: 'mailto:points@shop.example',
  allowsLoopback: true,
  withinMs: 500,
});
const deps = activityDeps(db, { pusher });

let userId: UserId;
let walletId: WalletId;
let nth = 0;
beforeEach(async () => {
  await sleep(5);
  await notePoints(db, 0);
  await db('due_work').delete();
  service.received.length = 0;
  const tenantId = await aTenant(db, { name: 'Corner Café' });
  userId = await aUser(db, { email: `ada-${crypto.randomUUID()}@example.com` });
  walletId = await aWallet(db, { tenantId, userId });
});

/** Switches it on in a browser, and returns what that reads. */
async function subscribe(status = 201) {
  nth += 1;
  const path = `/${nth}`;
  service.statuses.set(path, status);
  const { keys, read } = aBrowser();
  const subscription = { endpoint: `${service.url}${path}`, ...keys };
  const id = required(await db.transaction((tx) => subscriptions.add(tx, userId, subscription)));
  return {
    id,
    path,
    shown: () =>
      service.received.filter((each) => each.path === path).map(({ body }) => read(body)),
  };
}
const earn = (points: number) => aCreditedPayment(db, walletId, points);
const isDueNow = (kind: string) => db('due_work').where({ kind }).update({ dueAt: db.fn.now() });
async function tick(pushing = deps) {
  await sleep(5);
  await notePoints(db, 0);
  await isDueNow('push_points');
  await doWork(pushing, pushPoints(pushing));
}
const due = () => db('due_work').where('kind', 'like', 'push%');
const use = async (usedAt = new Date()) => {
  const { id } = await aRedemption(db, { walletId });
  const used = { status: 'used', usedAt, usedBy: await aUser(db), sealedCode: null };
  await db('redemptions').where({ id }).update(used);
};

describe('points', () => {
  it('are told to each phone in a sentence, and to nobody once more', async () => {
    const [one, two] = [await subscribe(), await subscribe()];
    await earn(125);
    await tick();
    const title = 'You got 125 points at Corner Café';
    const path = `/wallet/wallets/${walletId}`;
    expect(one.shown()).toEqual([{ title, path, language: 'en', tag: expect.any(String) }]);
    expect(two.shown()).toEqual(one.shown());
    await tick();
    expect(service.received).toHaveLength(2);
    expect(await due()).toEqual([]);
  });

  it('are told as their owner chose: the first at a shop, each time, or never', async () => {
    const phone = await subscribe();
    await earn(100);
    await tick();
    await earn(10);
    await tick();
    expect(phone.shown()).toHaveLength(1);
    await choices.change(db, userId, { points: 'each' });
    await earn(20);
    await tick();
    expect(phone.shown()).toHaveLength(2);
    await choices.change(db, userId, { points: 'never' });
    await earn(30);
    await tick();
    expect(phone.shown()).toHaveLength(2);
  });

  it('are told to somebody without an address for mails, in their language', async () => {
    await db('users').where({ id: userId }).update({ emailVerified: false, language: 'de' });
    const phone = await subscribe();
    await earn(100);
    await tick();
    expect(phone.shown()).toMatchObject([{ title: 'Du hast 100 Punkte bei Corner Café bekommen' }]);
  });

  it('make nothing due where nobody has switched it on', async () => {
    await earn(100);
    await notePoints(db, 0);
    expect(await due()).toEqual([]);
  });

  it.each([404, 410])('are never told again to a phone that answered %i', async (status) => {
    const [gone, other] = [await subscribe(status), await subscribe()];
    await earn(100);
    await tick();
    expect(other.shown()).toHaveLength(1);
    expect((await subscriptions.list(db, userId)).map(({ id }) => id)).toEqual([other.id]);
    expect(gone.shown()).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it.each([
    ['answered 429', 429],
    ['never answered', 0],
  ])('are told again, for an hour, to a phone alone that %s', async (_, status) => {
    const [slow, other] = [await subscribe(status), await subscribe()];
    await earn(100);
    await tick();
    service.statuses.set(slow.path, 201);
    await tick();
    expect([slow.shown().length, other.shown().length]).toEqual([2, 1]);
    expect(await due()).toEqual([]);
    service.statuses.set(slow.path, status);
    await choices.change(db, userId, { points: 'each' });
    await earn(10);
    await tick();
    const changedAt = db.raw(`now() - interval '61 minutes'`);
    await db('due_work').where({ kind: 'push_points' }).update({ changedAt });
    await tick();
    expect(slow.shown()).toHaveLength(3);
    expect(await due()).toEqual([]);
  });

  it('come once more, in the place of the first, where the worker was killed', async () => {
    await subscribe();
    await earn(100);
    const killed = {
      ...deps,
      pusher: {
        async push(...push: Parameters<typeof pusher.push>) {
          await pusher.push(...push);
          throw new Error('Killed.');
        },
      },
    };
    await tick(killed);
    await tick();
    await tick();
    expect(service.received).toHaveLength(2);
    expect(new Set(service.received.map(({ headers }) => headers.topic)).size).toBe(1);
  });
});

describe('a code that was used', () => {
  const tell = () => doWork(deps, pushUsedCodes(deps));

  it('is told to the phones of its owner, once', async () => {
    await earn(100);
    const phone = await subscribe();
    await use();
    await tell();
    await tell();
    expect(phone.shown()).toMatchObject([{ title: 'A code of yours was used at Corner Café' }]);
    expect(await due()).toEqual([]);
  });

  it('makes nothing due where its owner has switched it on nowhere', async () => {
    await earn(100);
    await use();
    expect(await due()).toEqual([]);
  });

  it('is told to nobody after an hour', async () => {
    await earn(100);
    const phone = await subscribe();
    await use(new Date(Date.now() - 61 * 60_000));
    await tell();
    expect(phone.shown()).toEqual([]);
    expect(await due()).toEqual([]);
  });
});

it('without a key for pushes nobody is told, and no work is left', async () => {
  await subscribe();
  await earn(100);
  await tick({ ...deps, pusher: undefined });
  expect(service.received).toEqual([]);
  await tick({ ...deps, pusher: undefined });
  expect(await due()).toEqual([]);
});
