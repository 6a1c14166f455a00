import { createHmac, createPublicKey } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createTokenVerifier,
  IdentityProviderUnavailable,
} from '../../../gateways/identity/token-verifier.ts';
import { type Issuer, startIssuer } from '../../support/issuer.ts';

let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(async () => {
  await issuer.close();
});

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const unauthorized = { name: 'Refusal', code: 'UNAUTHORIZED' };

describe('a token is accepted', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('signed with %s', async (algorithm) => {
    const other = await startIssuer(algorithm);
    try {
      const verify = createTokenVerifier(other.settings);
      expect(await verify(await other.token({ sub: 'ann' }))).toMatchObject({
        iss: other.url,
        sub: 'ann',
      });
    } finally {
      await other.close();
    }
  });

  const accepted: [string, Record<string, unknown>, Record<string, unknown>?][] = [
    ['that expired within the tolerated skew', { exp: secondsFromNow(-30) }],
    ['that becomes valid within the tolerated skew', { nbf: secondsFromNow(30) }],
    ['for several audiences, one of them this', { aud: ['other', 'loyalty-api'] }],
    ['of the type at+jwt', {}, { typ: 'at+jwt' }],
    ['of the type JWT', {}, { typ: 'JWT' }],
    ['with a nonce, which some issuers put into access tokens', { nonce: 'n' }],
  ];
  it.each(accepted)('%s', async (_, claims, header) => {
    const verify = createTokenVerifier(issuer.settings);
    const token = await issuer.token({ sub: 'ann', ...claims }, header);
    expect((await verify(token)).sub).toBe('ann');
  });

  it('from keys at a configured address, without discovery', async () => {
    const verify = createTokenVerifier({ ...issuer.settings, jwksUrl: `${issuer.url}/jwks` });
    await verify(await issuer.token({ sub: 'ann' }));
    expect(issuer.asked).toEqual(['/jwks']);
  });

  it('many at once for one discovery and one fetch of the keys', async () => {
    const verify = createTokenVerifier(issuer.settings);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issuer.token({ sub: `user-${index}` })),
    );
    await Promise.all(tokens.map((token) => verify(token)));
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });
});

describe('401 UNAUTHORIZED for a token', () => {
  const refused: [string, Record<string, unknown>, Record<string, unknown>?][] = [
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['for another audience', { aud: 'other' }],
    ['for no audience', { aud: undefined }],
    ['that expired before the tolerated skew', { exp: secondsFromNow(-90) }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: secondsFromNow(90) }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long to be one', { sub: 'x'.repeat(256) }],
    ['that is an ID token by its at_hash', { at_hash: 'x' }],
    ['that is an ID token by its c_hash', { c_hash: 'x' }],
    ['that is an ID token by its own word', { typ: 'ID' }],
    ['of a type that is no access token', {}, { typ: 'logout+jwt' }],
    ['of a key the issuer does not have', {}, { kid: 'unknown' }],
  ];
  it.each(refused)('%s', async (_, claims, header) => {
    const verify = createTokenVerifier(issuer.settings);
    const token = await issuer.token({ sub: 'ann', ...claims }, header);
    await expect(verify(token)).rejects.toMatchObject(unauthorized);
  });

  it.each(['nonsense', 'a.b.c', '..', 'a.b'])('that is none: %s', async (token) => {
    await expect(createTokenVerifier(issuer.settings)(token)).rejects.toMatchObject(unauthorized);
  });

  it('whose payload was changed after signing', async () => {
    const [header, , signature] = (await issuer.token({ sub: 'ann' })).split('.');
    const [, payload] = (await issuer.token({ sub: 'root' })).split('.');
    const verify = createTokenVerifier(issuer.settings);
    await expect(verify(`${header}.${payload}.${signature}`)).rejects.toMatchObject(unauthorized);
  });

  it('that is not signed at all', async () => {
    const [, payload] = (await issuer.token({ sub: 'ann' })).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const verify = createTokenVerifier(issuer.settings);
    await expect(verify(`${header}.${payload}.`)).rejects.toMatchObject(unauthorized);
  });

  it('signed with the public key as if it were a shared secret', async () => {
    const response = await fetch(`${issuer.url}/jwks`);
    const { keys } = z.object({ keys: z.tuple([z.looseObject({})]) }).parse(await response.json());
    const publicKey = createPublicKey({ key: keys[0], format: 'jwk' });
    const secret = publicKey.export({ type: 'spki', format: 'pem' });
    const [, payload] = (await issuer.token({ sub: 'ann' })).split('.');
    const header = Buffer.from('{"alg":"HS256","kid":"key-1"}').toString('base64url');
    const signed = `${header}.${payload}`;
    const mac = createHmac('sha256', secret).update(signed);
    const verify = createTokenVerifier(issuer.settings);
    await expect(verify(`${signed}.${mac.digest('base64url')}`)).rejects.toMatchObject(
      unauthorized,
    );
  });

  it.each(['jku', 'x5u', 'jwk'])('signed by a stranger whose key is in its %s', async (where) => {
    const stranger = await startIssuer();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    try {
      const value = where === 'jwk' ? await exportJWK(publicKey) : `${stranger.url}/jwks`;
      const token = await new SignJWT({ sub: 'ann' })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1', [where]: value })
        .setIssuer(issuer.url)
        .setAudience('loyalty-api')
        .setExpirationTime('5m')
        .sign(privateKey);
      const verify = createTokenVerifier(issuer.settings);
      await expect(verify(token)).rejects.toMatchObject(unauthorized);
      expect(stranger.asked).toEqual([]);
    } finally {
      await stranger.close();
    }
  });
});

describe('what a token claims', () => {
  const people: [string, JWTPayload, object][] = [
    [
      'an e-mail is normalised, and verified when the issuer says so',
      { email: '  Ａnn@Shop.Example ', email_verified: true },
      { email: 'ann@shop.example', emailVerified: true },
    ],
    [
      'an e-mail is unverified when the issuer does not say',
      { email: 'ann@shop.example' },
      { email: 'ann@shop.example', emailVerified: false },
    ],
    [
      'a flag may be text',
      { email: 'a@b.example', email_verified: 'true' },
      { emailVerified: true },
    ],
    [
      'a flag may not be a number',
      { email: 'a@b.example', email_verified: 1 },
      { emailVerified: false },
    ],
    [
      'no e-mail cannot be verified',
      { email_verified: true },
      { email: null, emailVerified: false },
    ],
    ['what is no e-mail is none', { email: ['a@b.example'] }, { email: null }],
    [
      'a phone is brought into E.164',
      { phone_number: '+1 (212) 555-2368', phone_number_verified: true },
      { phone: '+12125552368', phoneVerified: true },
    ],
    [
      'a phone that cannot exist is none, and not verified',
      { phone_number: '+1 555 0001', phone_number_verified: true },
      { phone: null, phoneVerified: false },
    ],
    ['a phone without a country is none', { phone_number: '2125552368' }, { phone: null }],
    ['the intent to be a merchant', { app_metadata: { role: 'client' } }, { clientIntent: true }],
    [
      'what a user can edit decides nothing',
      { user_metadata: { role: 'client' } },
      { clientIntent: false },
    ],
    ['another intent is none', { app_metadata: { role: 'admin' } }, { clientIntent: false }],
    ['a name fits one line', { name: ' Ann\u0000\nLee ' }, { name: 'Ann Lee' }],
    ['a name of nothing is none', { name: ' ' }, { name: null }],
  ];
  it.each(people)('%s', async (_, claims, expected) => {
    const verify = createTokenVerifier(issuer.settings);
    expect(await verify(await issuer.token({ sub: 'ann', ...claims }))).toMatchObject(expected);
  });

  it.each([
    {
      emailClaim: 'https://shop.example/email',
      claims: { 'https://shop.example/email': 'a@b.example' },
    },
    {
      emailClaim: 'profile.contact.email',
      claims: { profile: { contact: { email: 'a@b.example' } } },
    },
  ])('is found at $emailClaim', async ({ emailClaim, claims }) => {
    const verify = createTokenVerifier({ ...issuer.settings, emailClaim });
    expect((await verify(await issuer.token({ sub: 'ann', ...claims }))).email).toBe('a@b.example');
  });

  it.each(['inherited.email', '__proto__.inherited.email', 'profile.inherited.email'])(
    'is nothing that is only inherited: %s',
    async (emailClaim) => {
      const verify = createTokenVerifier({ ...issuer.settings, emailClaim });
      const token = await issuer.token({ sub: 'ann', profile: {} });
      Object.defineProperty(Object.prototype, 'inherited', {
        value: { email: 'a@b.example' },
        configurable: true,
      });
      try {
        expect((await verify(token)).email).toBeNull();
      } finally {
        Reflect.deleteProperty(Object.prototype, 'inherited');
      }
    },
  );
});

describe('when the issuer is in trouble', () => {
  it('no token can be judged, and the next one is when it is back', async () => {
    const verify = createTokenVerifier(issuer.settings);
    const token = await issuer.token({ sub: 'ann' });
    issuer.outage = true;
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    issuer.outage = false;
    expect((await verify(token)).sub).toBe('ann');
  });

  it('no token can be judged when it cannot be reached at all', async () => {
    const gone = await startIssuer();
    await gone.close();
    const verify = createTokenVerifier(gone.settings);
    const token = await gone.token({ sub: 'ann' });
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });

  it('keys found earlier still serve', async () => {
    const verify = createTokenVerifier(issuer.settings);
    await verify(await issuer.token({ sub: 'ann' }));
    issuer.outage = true;
    expect((await verify(await issuer.token({ sub: 'bob' }))).sub).toBe('bob');
  });

  it('a discovery document that speaks for another issuer is not believed', async () => {
    const settings = { ...issuer.settings, issuer: `${issuer.url}/` };
    const token = await issuer.token({ sub: 'ann', iss: `${issuer.url}/` });
    const verify = createTokenVerifier(settings);
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });
});
