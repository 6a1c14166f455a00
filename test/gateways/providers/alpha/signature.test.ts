import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSignedByAlpha } from '../../../../gateways/providers/alpha/signature.ts';
import { ALPHA_EVENT } from '../../../support/providers/recorded-alpha.ts';

const KEY = 'alpha-test-signature-key';
const URL_ = 'https://loyalty.example.test/api/v1/webhooks/alpha';
const BODY = JSON.stringify(ALPHA_EVENT);
const SIGNATURE = '23/XEj0qXAlGWlveAlCJ6g/bq03/KDJAn1cv8jOja7M=';
const SIGNATURE_OF_BODY = 'TQu7IDIzbd9MT5YPV5nJd2rR59OeKpdsbHQOX0vJWd8=';

type Vector = { key: string; url: string; body: string; signature: string };

function isSigned(given: Partial<Omit<Vector, 'signature'>> & { signature?: string | undefined }) {
  const { key = KEY, url = URL_, body = BODY } = given;
  const signature = 'signature' in given ? given.signature : SIGNATURE;
  return isSignedByAlpha({ keys: [key], notificationUrl: url, body: Buffer.from(body), signature });
}

const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
const pretty = (body: string, spaces: number) => JSON.stringify(JSON.parse(body), null, spaces);

describe('the worked example', () => {
  it('has the length of the published body', () => {
    expect(Buffer.byteLength(BODY)).toBe(609);
  });

  it.each([
    { signature: SIGNATURE, form: 'URL and body, base64' },
    { signature: toHex(SIGNATURE), form: 'URL and body, hex' },
    { signature: toHex(SIGNATURE).toUpperCase(), form: 'URL and body, hex in upper case' },
    { signature: SIGNATURE_OF_BODY, form: 'the body alone, base64' },
    { signature: toHex(SIGNATURE_OF_BODY), form: 'the body alone, hex' },
  ])('is accepted as $form', ({ signature }) => {
    expect(isSigned({ signature })).toBe(true);
  });

  it.each([
    { url: `${URL_}/`, because: 'the URL ends in a slash' },
    { url: URL_.replace('https:', 'http:'), because: 'the URL is http' },
    { url: BODY, body: URL_, because: 'body and URL are swapped' },
    { body: pretty(BODY, 2), because: 'the body was reformatted' },
    { body: `${BODY}\n`, because: 'the body has an extra line break' },
    { body: '', because: 'the body is empty' },
    { url: '', because: 'the URL is empty' },
    { key: 'alpha-test-signature-kez', because: 'the key is different' },
    { key: Buffer.from(KEY).toString('base64'), because: 'the key is encoded' },
    { key: Buffer.from(KEY, 'base64').toString('latin1'), because: 'the key is decoded' },
    { key: '', because: 'the key is empty' },
  ])('is refused when $because', (variant) => {
    expect(isSigned(variant)).toBe(false);
  });

  // Signatures over messages that were composed differently.
  it.each([
    { signature: 'jNBeS1ZuPq+ZnEmz1W2HVtjv1LkVv4ibGuB8PpQk1rU=', of: 'a URL with a slash' },
    { signature: 'dIzV+KxrNDPfEYnSObDtzjZRnjccZcvl2Q+YHMboO5k=', of: 'an http URL' },
    { signature: 'puTRFego/2htV2nFCB2EpZ7MXtiyHp8dBdNUMAWDexA=', of: 'the body before the URL' },
    { signature: '3a3tuKegJ+tnzE03cCTDt7/cTYdV73dC28JashGEQag=', of: 'a reformatted body' },
  ])('is refused with the signature of $of', ({ signature }) => {
    expect(isSigned({ signature })).toBe(false);
  });

  it.each([
    { signature: undefined, form: 'missing' },
    { signature: '', form: 'empty' },
    { signature: SIGNATURE.slice(0, -1), form: 'without its padding' },
    { signature: SIGNATURE.slice(0, 20), form: 'truncated' },
    { signature: toHex(SIGNATURE).slice(0, 62), form: 'truncated, in hex' },
    { signature: ` ${SIGNATURE}`, form: 'preceded by a space' },
    { signature: `${SIGNATURE}\n`, form: 'followed by a line break' },
    { signature: SIGNATURE.toLowerCase(), form: 'in lower case' },
    { signature: SIGNATURE.replace('/', '_'), form: 'in base64url' },
    { signature: `sha256=${SIGNATURE}`, form: 'preceded by a prefix' },
    { signature: `${SIGNATURE},${SIGNATURE}`, form: 'listed twice' },
    { signature: `${SIGNATURE}${SIGNATURE}`, form: 'repeated' },
    { signature: '='.repeat(44), form: 'only padding' },
    { signature: 'é'.repeat(44), form: 'not ASCII' },
    { signature: '1z2n3DEJJiUPKcPzQo1ftvbxGdw=', form: 'a SHA-1' },
  ])('is refused when the signature is $form', ({ signature }) => {
    expect(isSigned({ signature })).toBe(false);
  });
});

describe('a body that is not ASCII', () => {
  const amount_money = { amount: 100, currency: 'EUR' };
  const payment = { id: 'P1', note: 'Café ☕ – naïve', amount_money, status: 'APPROVED' };
  const body = JSON.stringify({
    merchant_id: 'MLALPHA000001',
    type: 'payment.created',
    event_id: '0b6f6a38-1f7e-4a6e-9d5c-6f0d5e2f0c11',
    created_at: '2026-01-15T10:00:01Z',
    data: { type: 'payment', id: 'P1', object: { payment } },
  });
  const signature = 'faHAhGE/11jsCWUUqGkEzqY6pvFIGtr1VH30jCRa814=';

  it('is verified over its bytes', () => {
    expect([body.length, Buffer.byteLength(body)]).toEqual([302, 308]);
    expect(isSigned({ body, signature })).toBe(true);
  });

  it('is refused with escapes instead, and the signature of that is refused for it', () => {
    const escaped = body.replace(
      /[^\0-~]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(JSON.parse(escaped)).toEqual(JSON.parse(body));
    expect(isSigned({ body: escaped, signature })).toBe(false);
    const other = 'DLuPHjiU0UoeHrCLqQJawlIKoFT+pfnAxx9ttocyINQ=';
    expect(isSigned({ body: escaped, signature: other })).toBe(true);
    expect(isSigned({ body, signature: other })).toBe(false);
  });

  it('is verified even if it is not UTF-8', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    const mac = createHmac('sha256', KEY).update(URL_).update(bytes).digest('base64');
    const delivery = { keys: [KEY], notificationUrl: URL_, signature: mac };
    expect(isSignedByAlpha({ ...delivery, body: bytes })).toBe(true);
    expect(isSignedByAlpha({ ...delivery, body: Buffer.from(bytes.toString('utf8')) })).toBe(false);
  });
});

const A: Vector = {
  key: 'Ibxx_5AKakO-3qeNVR61Dw',
  url: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
  body: JSON.stringify({
    merchant_id: 'MLEFBHHSJGVHD',
    type: 'webhooks.test_notification',
    event_id: 'ac3ac95b-f97d-458c-a6e6-18981597e05f',
    created_at: '2022-07-13T20:30:59.037339943Z',
    data: { type: 'webhooks', id: 'bc368e64-01aa-407e-b46e-3231809b1129' },
  }),
  signature: 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=',
};
const B = { key: 'signature-key', url: 'https://webhook.site/webhooks' };

describe('the provider’s published vectors', () => {
  it.each([
    A,
    {
      ...B,
      body: '{"data":{"type":"webhooks","id":"fake_id"}}',
      signature: 'W3FlCNk5IA3ZQ2LHTWoajvzfaDu/OwY2tNHIHC3IUOA=',
    },
    {
      ...B,
      body: '{"data":{"type":"webhooks","id":">id<"}}',
      signature: 'Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=',
    },
    {
      key: 'asdf1234',
      url: 'https://example.com/webhook',
      body: '{"hello":"world"}',
      signature: '2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=',
    },
  ])('verify: $body', (vector) => {
    expect(isSigned(vector)).toBe(true);
  });

  it.each([
    { url: A.url.replace('/679', '/79'), because: 'the URL is different' },
    { key: 'MCmhFRxGX82xMwg5FsaoQA', because: 'the key is different' },
    { signature: '1z2n3DEJJiUPKcPzQo1ftvbxGdw=', because: 'the signature is a SHA-1' },
    { body: A.body.replace('2022-07', '2022-06'), because: 'the body is different' },
    { body: pretty(A.body, 4), because: 'the body was reformatted' },
    { key: '', because: 'the key is empty' },
    { url: '', because: 'the URL is empty' },
    { body: '', because: 'the body is empty' },
  ])('are refused when $because', (variant) => {
    expect(isSigned({ ...A, ...variant })).toBe(false);
  });
});

describe('several keys', () => {
  const verify = (keys: string[]) =>
    isSignedByAlpha({
      keys,
      notificationUrl: URL_,
      body: Buffer.from(BODY),
      signature: SIGNATURE,
    });

  it('verify a signature under any of them', () => {
    expect(verify(['new', KEY])).toBe(true);
    expect(verify([KEY, 'old'])).toBe(true);
    expect(verify(['new', 'old'])).toBe(false);
  });

  it('verify nothing when the list is empty', () => {
    expect(verify([])).toBe(false);
  });
});

describe('the time it takes', () => {
  const source = readFileSync(
    new URL('../../../../gateways/providers/alpha/signature.ts', import.meta.url),
    'utf8',
  );

  it('does not depend on the signature: only timingSafeEqual compares', () => {
    expect(source).toMatch(/timingSafeEqual\(expected, given\)/);
    expect(source).not.toMatch(/expected\s*[!=]==|\.equals\(|\.compare\(/);
  });
});
