import { describe, expect, it } from 'vitest';
import { readBetaEvent } from '../../../../gateways/providers/beta/webhook.ts';
import {
  readBetaHandshake,
  readBetaUninstall,
  readBetaUpdates,
  readBetaWebhook,
} from '../../../../gateways/providers/beta/webhooks.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';

const RECORDED = JSON.stringify({
  appId: 'BETAAPP000001',
  merchants: {
    BETAMERCH0001: [
      { objectId: 'O:BETAORD000001', type: 'UPDATE', ts: 1768471199000 },
      { objectId: 'P:BETAPAY000001', type: 'CREATE', ts: 1768471200000 },
      { objectId: 'P:BETAPAY000001', type: 'UPDATE', ts: 1768471203000 },
    ],
  },
});
const CODE = 'ce7643c1-83ea-4218-abe6-da876c9c7a0a';

const bytes = (body: unknown) =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const updates = (...list: [objectId: string, type: string][]) =>
  readBetaUpdates(
    bytes({ appId: 'A', merchants: { M: list.map(([objectId, type]) => ({ objectId, type })) } }),
  );

describe('readBetaHandshake', () => {
  it.each([
    [CODE, `{"verificationCode":"${CODE}"}`],
    ['c0de-c0de', ' {\n"verificationCode" : "c0de-c0de" }\r\n'],
    ['c'.repeat(128), { verificationCode: 'c'.repeat(128) }],
    ['abc_12 3', { verificationCode: 'abc_12 3' }],
    ['7', { verificationCode: '7' }],
    ['c0de-c0de', '\ufeff{"verificationCode":"c0de-c0de"}'],
  ])('returns the code %j', (code, body) => {
    expect(readBetaHandshake(bytes(body))).toBe(code);
  });

  it.each([
    { body: RECORDED, because: 'it is an event' },
    { body: '', because: 'it is empty' },
    { body: '{', because: 'it is truncated' },
    { body: [CODE], because: 'it is a list' },
    { body: `"${CODE}"`, because: 'it is a string' },
    { body: 'null', because: 'it is null' },
    { body: {}, because: 'it has no code' },
    { body: { verificationCode: '' }, because: 'the code is empty' },
    { body: { verificationCode: 'c'.repeat(129) }, because: 'the code is too long' },
    { body: { verificationCode: 7 }, because: 'the code is a number' },
    { body: { verificationCode: null }, because: 'the code is null' },
    { body: { verificationCode: CODE, appId: 'A' }, because: 'it has another key' },
    { body: { verificationCode: CODE, merchants: {} }, because: 'it may be an event' },
    { body: `{"verificationCode":"${CODE}","__proto__":{}}`, because: 'it names a prototype' },
    { body: { VerificationCode: CODE }, because: 'the key is different' },
    { body: `{"verificationCode":"${CODE}"${' '.repeat(5_000)}}`, because: 'it is too large' },
  ])('returns null when $because', ({ body }) => {
    expect(readBetaHandshake(bytes(body))).toBeNull();
  });

  it('returns null when it is not UTF-8', () => {
    expect(readBetaHandshake(Buffer.from([0x7b, 0xff, 0x7d]))).toBeNull();
  });
});

describe('readBetaWebhook', () => {
  it('reads the app, the merchant and the type of the first update', () => {
    expect(readBetaWebhook(bytes(RECORDED))).toEqual({
      appId: 'BETAAPP000001',
      merchantIds: ['BETAMERCH0001'],
      type: 'O:UPDATE',
    });
  });

  it('requires neither an app nor an update', () => {
    expect(readBetaWebhook(bytes({ merchants: { M: [] } }))).toEqual({
      appId: null,
      merchantIds: ['M'],
      type: null,
    });
  });

  it('reads all merchants', () => {
    const merchants = { M1: [], M2: [{ objectId: 'P:1', type: 'CREATE', ts: 1 }] };
    expect(readBetaWebhook(bytes({ appId: 'A', merchants }))).toEqual({
      appId: 'A',
      merchantIds: ['M1', 'M2'],
      type: 'P:CREATE',
    });
  });

  it('accepts unknown fields and types', () => {
    const body = { appId: 'A', sent: 1, merchants: { M: [{ objectId: 'ZZ', type: 'X', a: [] }] } };
    expect(readBetaWebhook(bytes(body)).type).toBe('ZZ:X');
  });

  it.each([
    '',
    '[]',
    'null',
    '{}',
    '{"merchants":{}}',
    '{"merchants":[]}',
    '{"merchants":null}',
    '{"merchants":{"":[]}}',
    `{"merchants":{"${'M'.repeat(192)}":[]}}`,
    '{"merchants":{"M":{}}}',
    '{"merchants":{"M":[{}]}}',
    '{"merchants":{"M":[{"objectId":"P:1"}]}}',
    '{"merchants":{"M":[{"objectId":7,"type":"CREATE"}]}}',
    '{"merchants":{"M":[null]}}',
    '{"merchants":{"__proto__":[]}}',
    '{"appId":7,"merchants":{"M":[]}}',
  ])('refuses %s', (body) => {
    expect(() => readBetaWebhook(bytes(body))).toThrow(InvalidPayload);
    expect(() => readBetaUpdates(bytes(body))).toThrow(InvalidPayload);
  });

  it('names the invalid field, but not its value', () => {
    const body = bytes('{"merchants":{"M":[{"objectId":["secret"],"type":"CREATE"}]}}');
    expect(() => readBetaWebhook(body)).toThrow('Invalid beta payload: merchants.M.0.objectId.');
  });
});

describe('readBetaUpdates', () => {
  it('returns each payment and order once', () => {
    expect(readBetaUpdates(bytes(RECORDED))).toEqual({
      paymentIds: ['BETAPAY000001'],
      orderIds: ['BETAORD000001'],
    });
  });

  it('returns created and updated payments, and updated orders', () => {
    const types = ['CREATE', 'UPDATE', 'DELETE'];
    const payments = types.map((type, index): [string, string] => [`P:${index}`, type]);
    const orders = types.map((type, index): [string, string] => [`O:${index}`, type]);
    expect(updates(...payments, ...orders)).toEqual({ paymentIds: ['0', '1'], orderIds: ['1'] });
  });

  it('splits at the first colon', () => {
    expect(updates(['P:a:b', 'CREATE'], ['P', 'CREATE'], ['p:c', 'CREATE'])).toEqual({
      paymentIds: ['a:b'],
      orderIds: [],
    });
  });

  it.each(['A', 'C', 'CA', 'E', 'I', 'IC', 'IG', 'IM', 'M', 'SH', 'PO'])(
    'returns nothing to fetch for %s',
    (key) => {
      expect(updates([`${key}:1`, 'CREATE'], [`${key}:1`, 'UPDATE'])).toEqual({
        paymentIds: [],
        orderIds: [],
      });
    },
  );

  it('refuses a body with several merchants, which is never stored', () => {
    expect(() => readBetaUpdates(bytes({ merchants: { M1: [], M2: [] } }))).toThrow(InvalidPayload);
  });
});

describe('readBetaEvent', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, nth) => [
      { objectId: `O:${nth}`, type: 'UPDATE', ts: 1 },
      { objectId: `C:${nth}`, type: 'UPDATE', ts: 1 },
      { objectId: `P:${nth}`, type: 'CREATE', ts: 1 },
      { objectId: `P:${nth}`, type: 'UPDATE', ts: 2 },
    ]).flat();
  const read = (count: number) => readBetaEvent(bytes({ merchants: { M: named(count) } }));
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, nth) => `${from + nth}`);

  it('has as many payments and orders fetched as one attempt can', () => {
    expect(read(10)).toEqual({ kind: 'ask' });
  });

  it('splits a body that names more, each in one part only, with its order', () => {
    const reading = read(25);
    if (reading.kind !== 'split') throw new Error(`It is ${reading.kind}.`);
    const parts = [ids(0, 10), ids(10, 20), ids(20, 25)];
    expect(reading.bodies.map(readBetaUpdates)).toEqual(
      parts.map((part) => ({ paymentIds: part, orderIds: part })),
    );
    for (const body of reading.bodies) {
      expect(readBetaWebhook(body)).toMatchObject({ merchantIds: ['M'] });
      expect(readBetaEvent(body)).toEqual({ kind: 'ask' });
    }
  });
});

describe('readBetaUninstall', () => {
  const [ts, later] = [1_768_471_199_000, 1_768_471_200_000];
  const read = (...list: object[]) => readBetaUninstall(bytes({ merchants: { M: list } }));
  const uninstalled = { objectId: 'A:BETAAPP000001', type: 'DELETE', ts };

  it('says which merchant uninstalled the app, and when', () => {
    expect(read(uninstalled)).toEqual({ merchantId: 'M', at: new Date(ts) });
  });

  it.each([
    ['it was installed again', [uninstalled, { ...uninstalled, type: 'CREATE', ts: later }]],
    ['it does not say when', [{ ...uninstalled, ts: undefined }]],
    ['its time is none', [{ ...uninstalled, ts: 8.65e15 }]],
    ['it is about something else', [{ objectId: 'C:1', type: 'DELETE', ts }]],
    ['it says nothing', []],
  ])('returns null where %s', (_, list) => {
    expect(read(...list)).toBeNull();
  });
});
