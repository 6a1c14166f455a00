import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { AttemptId, TenantId, UserId } from '../../../domain/ids.ts';
import { createOAuthStates, InvalidState } from '../../../gateways/crypto/oauth-state.ts';
import { createSubkeys } from '../../../gateways/crypto/sealer.ts';

const one = { id: 'k1', key: new Uint8Array(32).fill(1) };
const two = { id: 'k2', key: new Uint8Array(32).fill(2) };
const subkeys = (...ring: (typeof one)[]) => createSubkeys(ring, 'state signing');
const ORIGIN = 'https://alpha.example';
const START = new Date('2026-01-15T10:00:00.000Z');
const later = (ms: number) => new Date(START.getTime() + ms);

const begun = {
  attemptId: AttemptId.parse(randomUUID()),
  tenantId: TenantId.parse(randomUUID()),
  userId: UserId.parse(randomUUID()),
  provider: 'alpha',
  origin: ORIGIN,
} as const;
const { attemptId, ...others } = begun;
const claims = { nonce: attemptId, ...others };
const expected = { provider: 'alpha', origin: ORIGIN } as const;
const states = (at = START, ring = subkeys(one)) => createOAuthStates(ring, () => at);

async function refusalOf(state: string, at = START, ring = subkeys(one), as = expected) {
  const refused = await states(at, ring)
    .verify(state, as)
    .catch((error: unknown) => error);
  return refused instanceof InvalidState ? refused.error : refused;
}

describe('a state', () => {
  it('is a JWT of ten minutes with the claims and the id of its key', async () => {
    const { state, expiresAt } = await states().sign(begun);
    expect(decodeProtectedHeader(state)).toEqual({ alg: 'HS256', kid: 'k1' });
    const iat = START.getTime() / 1000;
    expect(decodeJwt(state)).toEqual({ ...claims, iat, exp: iat + 600 });
    expect(expiresAt).toEqual(later(600_000));
    expect(await states().verify(state, expected)).toEqual(begun);
  });

  it('is valid until it expires, and then still told from a forged one', async () => {
    const { state } = await states().sign(begun);
    expect(await states(later(599_000)).verify(state, expected)).toEqual(begun);
    expect(await refusalOf(state, later(600_000))).toBe('expired_state');
    const [header, body] = state.split('.');
    expect(await refusalOf(`${header}.${body}.AAAA`, later(600_000))).toBe('invalid_state');
  });

  it('is refused for another provider and at another origin', async () => {
    const { state } = await states().sign(begun);
    const at = (other: object) => refusalOf(state, START, subkeys(one), { ...expected, ...other });
    expect(await at({ provider: 'beta' })).toBe('invalid_state');
    expect(await at({ origin: 'https://alpha.evil.example' })).toBe('invalid_state');
  });

  it('is refused when any character was changed', async () => {
    const { state } = await states().sign(begun);
    for (let index = 0; index < state.length; index += 7) {
      const other = state[index] === 'A' ? 'B' : 'A';
      const changed = `${state.slice(0, index)}${other}${state.slice(index + 1)}`;
      expect(await refusalOf(changed), `character ${index}`).toBe('invalid_state');
    }
  });

  it.each(['', '.', '..', 'abc', 'a.b.c', 'null', '{}', 'eyJhbGciOiJub25lIn0.e30.'])(
    'is refused when it is "%s"',
    async (text) => {
      expect(await refusalOf(text)).toBe('invalid_state');
    },
  );

  it('is valid under an older key of the ring, but not under an unknown key', async () => {
    const { state } = await states().sign(begun);
    expect(await states(START, subkeys(two, one)).verify(state, expected)).toEqual(begun);
    expect(await refusalOf(state, START, subkeys(two))).toBe('invalid_state');
    const { state: newer } = await states(START, subkeys(two, one)).sign(begun);
    expect(decodeProtectedHeader(newer).kid).toBe('k2');
  });

  it('is signed by a subkey, not by the key itself', async () => {
    const { state } = await states().sign(begun);
    expect(await refusalOf(state, START, [one])).toBe('invalid_state');
  });
});

describe('a state signed elsewhere', () => {
  const [key] = subkeys(one);
  const signed = (payload: object, header: object = {}) =>
    new SignJWT({ ...payload })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1', ...header })
      .sign(key?.key ?? new Uint8Array());
  const iat = START.getTime() / 1000;
  const whole = { ...claims, iat, exp: iat + 600 };

  it('is accepted with exactly our claims', async () => {
    expect(await states().verify(await signed(whole), expected)).toEqual(begun);
  });

  it.each(['nonce', 'tenantId', 'userId', 'provider', 'origin', 'exp', 'iat'])(
    'is refused without %s',
    async (name) => {
      const { [name]: _, ...rest }: Record<string, unknown> = whole;
      expect(await refusalOf(await signed(rest))).toBe('invalid_state');
    },
  );

  it('is refused unsigned, or with another algorithm or key', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const rsa = await new SignJWT({ ...whole })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(privateKey);
    expect(await refusalOf(rsa)).toBe('invalid_state');
    expect(await refusalOf(new UnsecuredJWT({ ...whole }).encode())).toBe('invalid_state');
    expect(await refusalOf(await signed(whole, { kid: 'k9' }))).toBe('invalid_state');
  });
});

it('requires a key', () => {
  expect(() => createOAuthStates([])).toThrow('set ENCRYPTION_KEY');
});
