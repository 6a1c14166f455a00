import { generateKeyPairSync } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPusher, publicPushKey } from '../../../gateways/push/pusher.ts';
import { required } from '../../support/factories.ts';
import { aBrowser, startPushService } from '../../support/push-service.ts';

// No real push service was ever asked: this one is ours, and reads as RFC 8291 and 8292 say.

const service = await startPushService();
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
});
const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const privateKey = required(jwk.d);
const contact = 'mailto:points@shop.example';
const options = { privateKey, contact, allowsLoopback: true };
const pusher = createPusher(options);
const push = { payload: JSON.stringify({ title: 'Du hast 125 Punkte' }), topic: 'a-topic' };
const browser = aBrowser();
const at = (path: string) => ({ endpoint: `${service.url}${path}`, ...browser.keys });

describe('a push', () => {
  it('is read by the browser that it is for, and by no other', async () => {
    expect(await pusher.push(at('/one'), push)).toBe('taken');
    const { body, headers } = required(service.received[0]);
    expect(browser.read(body)).toEqual({ title: 'Du hast 125 Punkte' });
    expect(() => aBrowser().read(body)).toThrow();
    expect(body.includes('Punkte')).toBe(false);
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      topic: 'a-topic',
    });
  });

  it('says whose it is, to its push service alone', async () => {
    await pusher.push(at('/one'), push);
    const { authorization = '' } = required(service.received[0]).headers;
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
    expect(key).toBe(publicPushKey(privateKey));
    const { d: _, ...publicJwk } = jwk;
    const { payload } = await jwtVerify(token, await importJWK(publicJwk, 'ES256'));
    expect(payload).toMatchObject({ aud: service.url, sub: contact });
    expect(required(payload.exp) - Date.now() / 1000).toBeLessThan(24 * 3_600);
  });

  it.each([
    [201, 'taken'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'refused'],
    [403, 'refused'],
    [429, 'later'],
    [503, 'later'],
  ] as const)('that is answered %i is %s', async (status, pushed) => {
    service.statuses.set(`/${status}`, status);
    expect(await pusher.push(at(`/${status}`), push)).toBe(pushed);
  });

  it('that is never answered may be tried again', async () => {
    service.statuses.set('/never', 0);
    const impatient = createPusher({ ...options, withinMs: 200 });
    expect(await impatient.push(at('/never'), push)).toBe('later');
  });

  it('goes to no address of our own network, whatever its name leads to', async () => {
    const careful = createPusher({
      ...options,
      allowsLoopback: false,
      resolve: async () => ['10.0.0.7'],
    });
    const subscription = { ...browser.keys, endpoint: 'https://push.example/x' };
    expect(await careful.push(subscription, push)).toBe('refused');
    expect(await careful.push(at('/one'), push)).toBe('refused');
    expect(service.received).toEqual([]);
  });

  it('for keys that are none is for nobody', async () => {
    const p256dh = `B${'A'.repeat(86)}`;
    expect(await pusher.push({ ...at('/one'), p256dh }, push)).toBe('gone');
    expect(service.received).toEqual([]);
  });
});
