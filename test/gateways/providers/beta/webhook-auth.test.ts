import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAuthenticBeta } from '../../../../gateways/providers/beta/webhook-auth.ts';

const SECRET = '0307e264-b33a-4913-88aa-37b10014a0b8';
const UPDATE = { objectId: 'P:BETAPAY000001', type: 'CREATE', ts: 1768471200000 };
const BODY = JSON.stringify({ appId: 'BETAAPP000001', merchants: { BETAMERCH0001: [UPDATE] } });
const HEX = 'b5721b2cfa4b755ff26c6cf7a313e619427e99f2991cd9fd558f5300124f1a7d';
const BASE64 = 'tXIbLPpLdV/ybGz3oxPmGUJ+mfKZHNn9VY9TABJPGn0=';

const isAuthentic = (
  headers: Record<string, string>,
  { secret = SECRET, body = BODY }: { secret?: string; body?: string | Buffer } = {},
) => isAuthenticBeta({ secret, headers, body: Buffer.from(body) });

describe('a webhook of beta', () => {
  it('has the length of the body that the HMACs below are for', () => {
    expect(Buffer.byteLength(BODY)).toBe(123);
  });

  it.each([
    { headers: { 'x-beta-auth': SECRET }, form: 'the secret' },
    { headers: { 'x-clover-auth': SECRET }, form: 'the secret in the provider’s real header' },
    { headers: { authorization: `Bearer ${SECRET}` }, form: 'the secret as a bearer' },
    { headers: { authorization: `bearer  ${SECRET}` }, form: 'a loosely written bearer' },
    { headers: { authorization: SECRET }, form: 'the bare secret' },
    { headers: { 'x-beta-auth': HEX }, form: 'the HMAC in hex' },
    { headers: { 'x-beta-auth': HEX.toUpperCase() }, form: 'the HMAC in upper case' },
    { headers: { 'x-beta-auth': `sha256=${HEX}` }, form: 'the HMAC in hex, prefixed' },
    { headers: { 'x-beta-auth': BASE64 }, form: 'the HMAC in base64' },
    { headers: { 'x-clover-auth': `sha256=${BASE64}` }, form: 'the HMAC in base64, prefixed' },
    { headers: { 'x-beta-auth': 'no', 'x-clover-auth': SECRET }, form: 'one valid header of two' },
    { headers: { 'x-beta-auth': 'no', authorization: SECRET }, form: 'only Authorization valid' },
  ])('is accepted with $form', ({ headers }) => {
    expect(isAuthentic({ ...headers })).toBe(true);
  });

  it.each<{ headers: Record<string, string>; because: string }>([
    { headers: {}, because: 'it has no headers' },
    { headers: { 'x-beta-auth': '' }, because: 'the header is empty' },
    { headers: { 'x-beta-auth': SECRET.slice(0, -1) }, because: 'the secret is truncated' },
    { headers: { 'x-beta-auth': `${SECRET}0` }, because: 'the secret has an extra digit' },
    { headers: { 'x-beta-auth': SECRET.toUpperCase() }, because: 'the secret is in upper case' },
    { headers: { 'x-beta-auth': `${SECRET}, ${SECRET}` }, because: 'the secret is listed twice' },
    { headers: { 'x-beta-auth': `Bearer ${SECRET}` }, because: 'a bearer is in the wrong header' },
    { headers: { authorization: `Basic ${SECRET}` }, because: 'the scheme is not Bearer' },
    { headers: { authorization: 'Bearer ' }, because: 'the bearer is empty' },
    { headers: { authorization: `Bearer ${HEX}` }, because: 'the HMAC is sent as a bearer' },
    { headers: { 'x-beta-auth': HEX.slice(0, 62) }, because: 'the HMAC is truncated' },
    { headers: { 'x-beta-auth': BASE64.slice(0, -1) }, because: 'the HMAC has no padding' },
    { headers: { 'x-beta-auth': BASE64.toLowerCase() }, because: 'the base64 is in lower case' },
    { headers: { 'x-beta-auth': `sha1=${HEX}` }, because: 'the prefix is different' },
    { headers: { 'x-beta-auth': 'sha256=' }, because: 'there is only a prefix' },
    { headers: { 'x-beta-signature': SECRET }, because: 'the header is different' },
  ])('is refused when $because', ({ headers }) => {
    expect(isAuthentic(headers)).toBe(false);
  });

  it('is refused with the HMAC of another body, or with another secret', () => {
    expect(isAuthentic({ 'x-beta-auth': HEX }, { body: `${BODY}\n` })).toBe(false);
    expect(isAuthentic({ 'x-beta-auth': HEX }, { secret: `${SECRET}0` })).toBe(false);
    const sha1 = createHmac('sha1', SECRET).update(BODY).digest('hex');
    expect(isAuthentic({ 'x-beta-auth': sha1 })).toBe(false);
  });

  it('is signed over its bytes, even if they are not UTF-8', () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    const mac = createHmac('sha256', SECRET).update(body).digest('base64');
    expect(isAuthentic({ 'x-beta-auth': mac }, { body })).toBe(true);
    expect(isAuthentic({ 'x-beta-auth': mac }, { body: body.toString() })).toBe(false);
  });
});

describe('without a secret', () => {
  it.each([undefined, ''])('%j: nothing is authentic', (secret) => {
    const mac = createHmac('sha256', '').update(BODY).digest('hex');
    for (const value of ['', 'undefined', mac, `sha256=${mac}`]) {
      for (const name of ['x-beta-auth', 'x-clover-auth', 'authorization']) {
        const headers = { [name]: value };
        expect(isAuthenticBeta({ secret, headers, body: Buffer.from(BODY) })).toBe(false);
      }
    }
  });
});

describe('the time it takes', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../../gateways/providers/${path}`, import.meta.url), 'utf8');

  it('does not depend on the secret: only timingSafeEqual compares', () => {
    const [source, compare] = [read('beta/webhook-auth.ts'), read('../crypto/constant-time.ts')];
    expect(source).toMatch(/isEqualInConstantTime\(each, secret\)/);
    expect(compare).toMatch(/timingSafeEqual\(digest\(given\), digest\(expected\)\)/);
    expect(source + compare).not.toMatch(/(?:expected|given|each)\s*[!=]==|\.equals\(|\.compare\(/);
  });
});
