import { describe, expect, it } from 'vitest';
import {
  readBetaHandshake,
  readBetaUpdates,
  readBetaWebhook,
} from '../../../gateways/beta/webhooks.ts';
import { InvalidPayload } from '../../../gateways/provider/error.ts';

const RECORDED =
  '{"appId":"BETAAPP000001","merchants":{"BETAMERCH0001":[{"objectId":"O:BETAORD000001","type":"UPDATE","ts":1768471199000},{"objectId":"P:BETAPAY000001","type":"CREATE","ts":1768471200000},{"objectId":"P:BETAPAY000001","type":"UPDATE","ts":1768471203000}]}}';
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
    ['x', ' {\n"verificationCode" : "x" }\r\n'],
    ['c'.repeat(128), { verificationCode: 'c'.repeat(128) }],
    ['\u{1f511}'.repeat(64), { verificationCode: '\u{1f511}'.repeat(64) }],
    ['\u0000', '{"verificationCode":"\\u0000"}'],
    ['ok', '\ufeff{"verificationCode":"ok"}'],
  ])('has the code %j', (code, body) => {
    expect(readBetaHandshake(bytes(body))).toBe(code);
  });

  it.each([
    { body: RECORDED, because: 'it is an event' },
    { body: '', because: 'it is empty' },
    { body: '{', because: 'it is cut off' },
    { body: [CODE], because: 'it is a list' },
    { body: `"${CODE}"`, because: 'it is text' },
    { body: 'null', because: 'it is null' },
    { body: {}, because: 'it has no code' },
    { body: { verificationCode: '' }, because: 'the code is empty' },
    { body: { verificationCode: 'c'.repeat(129) }, because: 'the code is too long' },
    { body: { verificationCode: 7 }, because: 'the code is a number' },
    { body: { verificationCode: null }, because: 'the code is null' },
    { body: { verificationCode: CODE, appId: 'A' }, because: 'it has another key' },
    { body: { verificationCode: CODE, merchants: {} }, because: 'it may be an event' },
    { body: `{"verificationCode":"x","__proto__":{}}`, because: 'it names a prototype' },
    { body: { VerificationCode: CODE }, because: 'the key is another' },
    { body: `{"verificationCode":"x"${' '.repeat(5_000)}}`, because: 'it is far too large' },
  ])('is none when $because', ({ body }) => {
    expect(readBetaHandshake(bytes(body))).toBeNull();
  });

  it('is none when it is not UTF-8', () => {
    expect(readBetaHandshake(Buffer.from([0x7b, 0xff, 0x7d]))).toBeNull();
  });
});

describe('readBetaWebhook', () => {
  it('says whose updates they are and what the first is about', () => {
    expect(readBetaWebhook(bytes(RECORDED))).toEqual({
      appId: 'BETAAPP000001',
      merchantIds: ['BETAMERCH0001'],
      type: 'O:UPDATE',
    });
  });

  it('needs no app, and no update', () => {
    expect(readBetaWebhook(bytes({ merchants: { M: [] } }))).toEqual({
      appId: null,
      merchantIds: ['M'],
      type: null,
    });
  });

  it('names all merchants', () => {
    const merchants = { M1: [], M2: [{ objectId: 'P:1', type: 'CREATE', ts: 1 }] };
    expect(readBetaWebhook(bytes({ appId: 'A', merchants }))).toEqual({
      appId: 'A',
      merchantIds: ['M1', 'M2'],
      type: 'P:CREATE',
    });
  });

  it('takes what it does not know', () => {
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

  it('names what is wrong, and never what it held', () => {
    const body = bytes('{"merchants":{"M":[{"objectId":["secret"],"type":"CREATE"}]}}');
    expect(() => readBetaWebhook(body)).toThrow('Not what beta sends: merchants.M.0.objectId.');
  });
});

describe('readBetaUpdates', () => {
  it('has each payment and order once', () => {
    expect(readBetaUpdates(bytes(RECORDED))).toEqual({
      paymentIds: ['BETAPAY000001'],
      orderIds: ['BETAORD000001'],
    });
  });

  it('keeps payments that were made or changed, and orders that changed', () => {
    expect(
      updates(
        ['P:1', 'CREATE'],
        ['P:2', 'UPDATE'],
        ['P:3', 'DELETE'],
        ['O:1', 'CREATE'],
        ['O:2', 'UPDATE'],
        ['O:3', 'DELETE'],
      ),
    ).toEqual({ paymentIds: ['1', '2'], orderIds: ['2'] });
  });

  it('splits at the first colon', () => {
    expect(updates(['P:a:b', 'CREATE'], ['P', 'CREATE'], ['p:c', 'CREATE'])).toEqual({
      paymentIds: ['a:b'],
      orderIds: [],
    });
  });

  it.each(['A', 'C', 'CA', 'E', 'I', 'IC', 'IG', 'IM', 'M', 'SH', 'PO'])(
    'has nothing to ask for of %s',
    (key) => {
      expect(updates([`${key}:1`, 'CREATE'], [`${key}:1`, 'UPDATE'])).toEqual({
        paymentIds: [],
        orderIds: [],
      });
    },
  );

  it('refuses a body of several merchants, which is never stored', () => {
    expect(() => readBetaUpdates(bytes({ merchants: { M1: [], M2: [] } }))).toThrow(InvalidPayload);
  });
});
