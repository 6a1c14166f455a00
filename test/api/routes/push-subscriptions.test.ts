import { beforeEach, describe, expect, it } from 'vitest';
import * as subscriptions from '../../../db/notices/push-subscriptions.ts';
import { useApp } from '../../support/fixtures.ts';
import { type SignedIn, startApp } from '../../support/http/app.ts';
import { aBrowser } from '../../support/push-service.ts';

const app = await useApp({ settings: { pushKey: 'the public key' } });

let person: SignedIn;
beforeEach(async () => {
  person = await app.signIn({ role: 'consumer' });
});
const path = '/api/v1/auth/me/push-subscriptions';
let nth = 0;
const aSubscription = () => {
  nth += 1;
  return { endpoint: `https://push.example/${nth}`, keys: aBrowser().keys };
};
const add = (body: object, { token } = person) =>
  app.call({ method: 'POST', path, token, body: body as Record<string, unknown> });
const remove = (id: string, { token } = person) =>
  app.call({ method: 'DELETE', path: `${path}/${id}`, token });
const idOf = (answer: { body: unknown }) => (answer.body as { id: string }).id;
const stored = ({ userId } = person) => subscriptions.list(app.db, userId);

describe('POST /auth/me/push-subscriptions', () => {
  it('200 stores it; again, it is the same one', async () => {
    const subscription = aSubscription();
    const answer = await add(subscription);
    expect(answer.status).toBe(200);
    expect(idOf(await add(subscription))).toBe(idOf(answer));
    expect(await stored()).toMatchObject([
      { id: idOf(answer), endpoint: subscription.endpoint, ...subscription.keys },
    ]);
  });

  it('200 a browser is for the person who switched it on there last', async () => {
    const subscription = aSubscription();
    await add(subscription);
    const other = await app.signIn({ role: 'consumer' });
    await add(subscription, other);
    expect(await stored()).toEqual([]);
    expect(await stored(other)).toHaveLength(1);
  });

  it('200 of more than ten the oldest goes', async () => {
    const all = Array.from({ length: 11 }, aSubscription);
    for (const subscription of all) expect((await add(subscription)).status).toBe(200);
    const endpoints = (await stored()).map(({ endpoint }) => endpoint);
    expect(endpoints).toEqual(all.slice(1).map(({ endpoint }) => endpoint));
  });

  it.each([
    'http://push.example/1',
    'https://127.0.0.1/1',
    'https://10.0.0.7/1',
    'https://localhost/1',
    'https://2130706433/1',
    'https://[::ffff:10.0.0.7]/1',
  ])('400 to an address that is not public: %s', async (endpoint) => {
    const answer = await add({ ...aSubscription(), endpoint });
    const issues = [{ path: 'endpoint', code: 'address_not_public' }];
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues } });
    expect(await stored()).toEqual([]);
  });

  it('400 with keys that are none', async () => {
    const { endpoint, keys } = aSubscription();
    expect((await add({ endpoint, keys: { ...keys, auth: 'short' } })).status).toBe(400);
    expect((await add({ endpoint, keys: { ...keys, p256dh: 'short' } })).status).toBe(400);
  });

  it('404 to somebody who was erased meanwhile: nothing is stored', async () => {
    await app.db('users').where({ id: person.userId }).update({ erasedAt: app.db.fn.now() });
    const { keys, endpoint } = aSubscription();
    const added = await app.db.transaction((tx) =>
      subscriptions.add(tx, person.userId, { endpoint, ...keys }),
    );
    expect(added).toBeUndefined();
    expect(await stored()).toEqual([]);
  });

  it('404 where the service has no key, which the page of notices is told', async () => {
    const without = await startApp();
    try {
      const { token } = await without.signIn({ role: 'consumer' });
      const body = aSubscription();
      expect((await without.call({ method: 'POST', path, token, body })).status).toBe(404);
      const notices = '/api/v1/auth/me/notices';
      expect((await without.call({ path: notices, token })).body).toMatchObject({ pushKey: null });
      const { token: own } = person;
      const shown = (await app.call({ path: notices, token: own })).body;
      expect(shown).toMatchObject({ pushKey: 'the public key' });
    } finally {
      await without.close();
    }
  });
});

describe('DELETE /auth/me/push-subscriptions/:pushSubscriptionId', () => {
  it('200 removes it; 404 again, and to anybody else', async () => {
    const id = idOf(await add(aSubscription()));
    const other = await app.signIn({ role: 'consumer' });
    expect((await remove(id, other)).status).toBe(404);
    expect(await stored()).toHaveLength(1);
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    expect(await stored()).toEqual([]);
  });
});
