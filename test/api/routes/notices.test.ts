import { beforeEach, describe, expect, it } from 'vitest';
import * as choices from '../../../db/notices/choices.ts';
import { createStopLinks } from '../../../gateways/crypto/stop-links.ts';
import { testKeys } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import type { SignedIn } from '../../support/http/app.ts';

const app = await useApp();
const links = createStopLinks(testKeys, 'https://api.shop.example');
const DEFAULTS = { points: 'first', weekly: true, waiting: true, pushKey: null };

let person: SignedIn;
beforeEach(async () => {
  person = await app.signIn({ role: 'consumer' });
});
const path = '/api/v1/auth/me/notices';
const shown = async () => (await app.call({ path, token: person.token })).body;
const change = (body: object) =>
  app.call({ method: 'PATCH', path, token: person.token, body: body as Record<string, unknown> });
/** The path of a link in a mail. */
const stopPath = (kind: 'points' | 'weekly' | 'waiting', all = links) =>
  all.urlOf({ userId: person.userId, kind }).replace('https://api.shop.example', '');

describe('GET and PATCH /auth/me/notices', () => {
  it('200 with the defaults of somebody who has chosen nothing', async () => {
    expect(await shown()).toEqual(DEFAULTS);
  });

  it('200 with what was changed, and the rest as it was', async () => {
    expect(await change({ points: 'each' })).toMatchObject({ status: 200 });
    expect((await change({ weekly: false })).body).toEqual({
      ...DEFAULTS,
      points: 'each',
      weekly: false,
    });
    expect((await change({})).body).toEqual(await shown());
  });

  it.each([[{ points: 'often' }], [{ weekly: 'no' }], [{ push: true }]])('400 %j', async (body) => {
    expect((await change(body)).status).toBe(400);
    expect(await shown()).toEqual(DEFAULTS);
  });

  it('nothing is stored of somebody who was erased meanwhile', async () => {
    await app.db('users').where({ id: person.userId }).update({ erasedAt: app.db.fn.now() });
    await choices.change(app.db, person.userId, { points: 'never' });
    expect({ ...(await choices.find(app.db, person.userId)), pushKey: null }).toEqual(DEFAULTS);
  });
});

describe('the link in a mail', () => {
  it('302 to the page that asks, when it is opened, and changes nothing', async () => {
    const opened = await app.call({ path: stopPath('weekly') });
    expect(opened.status).toBe(302);
    const [, query = ''] = stopPath('weekly').split('?');
    const page = `https://app.shop.example/portal/stop?${query}`;
    expect(opened.headers.get('location')).toBe(page);
    expect(await shown()).toEqual(DEFAULTS);
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    '200 as mail programs post it, and such mails are off: %s',
    async (type) => {
      const url = `${app.url}${stopPath('points')}`;
      const body = 'List-Unsubscribe=One-Click';
      for (const _ of ['once', 'again']) {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        expect(answer.status).toBe(200);
      }
      expect(await shown()).toEqual({ ...DEFAULTS, points: 'never' });
    },
  );

  it.each(['weekly', 'waiting'] as const)('200 switches off: %s', async (kind) => {
    await app.call({ method: 'POST', path: stopPath(kind) });
    expect(await shown()).toEqual({ ...DEFAULTS, [kind]: false });
  });

  it('is good for as long as its key is in the ring', async () => {
    const [current] = testKeys;
    const older = { id: 'older', key: Buffer.alloc(32, 7) };
    const before = createStopLinks([older], 'https://api.shop.example');
    const { searchParams } = new URL(before.urlOf({ userId: person.userId, kind: 'points' }));
    const token = searchParams.get('token') ?? '';
    const rotated = createStopLinks([...(current ? [current] : []), older], '');
    expect(rotated.read(token)).toEqual({ userId: person.userId, kind: 'points' });
    expect(links.read(token)).toBeUndefined();
  });

  it.each(['points', 'waiting.nobody', ''])('404 for what is none of ours: %j', async (token) => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.call({ method, path: `/api/v1/notices/stop?token=${token}` });
      expect(answer.status).toBe(404);
    }
  });

  it('404 for the link of another person, or of another kind', async () => {
    const other = await app.signIn({ role: 'consumer' });
    const token = stopPath('points').split('token=')[1] ?? '';
    for (const changed of [
      token.replace(person.userId, other.userId),
      token.replace('points', 'weekly'),
    ]) {
      expect(links.read(changed)).toBeUndefined();
    }
  });
});
