import { createHmac, createPublicKey } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import { IdentityProviderUnavailable } from '../../../gateways/identity/issuer-keys.ts';
import {
  createTokenVerifier,
  type IdentitySettings,
  type TokenVerifier,
} from '../../../gateways/identity/token-verifier.ts';
import { logTo } from '../../support/log.ts';
import { type Issuer, startIssuer } from '../../support/people/issuer.ts';

let issuer: Issuer;
let verify: TokenVerifier;
let lines: string[];
const verifierOf = (settings: IdentitySettings) => createTokenVerifier(settings, logTo(lines));

beforeEach(async () => {
  lines = [];
  issuer = await startIssuer();
  verify = verifierOf(issuer.settings);
});
afterEach(async () => {
  await issuer.close();
});

type Overrides = Record<string, unknown>;
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const annsToken = (claims: Overrides = {}, header?: Overrides) =>
  issuer.token({ sub: 'ann', ...claims }, header);
/** One short of as many as are kept. */
const LONG = 'a'.repeat(199);
const unauthorized = { name: 'Refusal', code: 'UNAUTHORIZED' };

describe('accepts a token', () => {
  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('signed with %s', async (algorithm) => {
    const other = await startIssuer(algorithm);
    try {
      const verify = verifierOf(other.settings);
      expect(await verify(await other.token({ sub: 'ann' }))).toMatchObject({
        iss: other.url,
        sub: 'ann',
      });
    } finally {
      await other.close();
    }
  });

  const accepted: [string, Overrides, Overrides?][] = [
    ['that expired within the tolerated skew', { exp: secondsFromNow(-30) }],
    ['that becomes valid within the tolerated skew', { nbf: secondsFromNow(30) }],
    ['for several audiences, including this one', { aud: ['other', 'loyalty-api'] }],
    ['of the type at+jwt', {}, { typ: 'at+jwt' }],
    ['of the type JWT', {}, { typ: 'JWT' }],
    ['without the time of its issue', { iat: undefined }],
    ['from a time within the tolerated skew', { iat: secondsFromNow(30) }],
    ['from a part of a second', { iat: secondsFromNow(-30) + 0.5 }],
    ['with a nonce, which some issuers put into access tokens', { nonce: 'n' }],
  ];
  it.each(accepted)('%s', async (_, claims, header) => {
    const token = await annsToken(claims, header);
    expect((await verify(token)).sub).toBe('ann');
  });

  it('with keys from a configured address, without discovery', async () => {
    const verify = verifierOf({ ...issuer.settings, jwksUrl: `${issuer.url}/jwks` });
    await verify(await annsToken());
    expect(issuer.asked).toEqual(['/jwks']);
  });

  it('with one discovery and one fetch of the keys for concurrent calls', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issuer.token({ sub: `user-${index}` })),
    );
    await Promise.all(tokens.map((token) => verify(token)));
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });
});

describe('401 UNAUTHORIZED for a token', () => {
  const refused: [string, Overrides, Overrides?][] = [
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['for another audience', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['that expired before the tolerated skew', { exp: secondsFromNow(-90) }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: secondsFromNow(90) }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
    ['with NUL in its subject', { sub: 'a\u0000b' }],
    ['with half a character in its subject', { sub: 'a\ud800' }],
    ['from the future', { iat: secondsFromNow(90) }],
    ['from a time that no calendar has', { iat: 1e300 }],
    ['from before there were tokens', { iat: -1e14 }],
    ['from a time that is no number', { iat: '0' }],
    ['that is an ID token by its at_hash', { at_hash: 'x' }],
    ['that is an ID token by its c_hash', { c_hash: 'x' }],
    ['that is an ID token by its typ', { typ: 'ID' }],
    ['of a type that is not an access token', {}, { typ: 'logout+jwt' }],
    ['with a key that the issuer does not have', {}, { kid: 'unknown' }],
  ];
  it.each(refused)('%s', async (_, claims, header) => {
    const token = await annsToken(claims, header);
    await expect(verify(token)).rejects.toMatchObject(unauthorized);
  });

  it.each(['nonsense', 'a.b.c', '..', 'a.b'])('that is malformed: %s', async (token) => {
    await expect(verifierOf(issuer.settings)(token)).rejects.toMatchObject(unauthorized);
  });

  it('whose payload was changed after signing', async () => {
    const [header, , signature] = (await annsToken()).split('.');
    const [, payload] = (await issuer.token({ sub: 'root' })).split('.');
    await expect(verify(`${header}.${payload}.${signature}`)).rejects.toMatchObject(unauthorized);
  });

  it('that is unsigned', async () => {
    const [, payload] = (await annsToken()).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    await expect(verify(`${header}.${payload}.`)).rejects.toMatchObject(unauthorized);
  });

  it('signed with the public key as if it were a shared secret', async () => {
    const response = await fetch(`${issuer.url}/jwks`);
    const { keys } = z.object({ keys: z.tuple([z.looseObject({})]) }).parse(await response.json());
    const publicKey = createPublicKey({ key: keys[0], format: 'jwk' });
    const secret = publicKey.export({ type: 'spki', format: 'pem' });
    const [, payload] = (await annsToken()).split('.');
    const header = Buffer.from('{"alg":"HS256","kid":"key-1"}').toString('base64url');
    const signed = `${header}.${payload}`;
    const mac = createHmac('sha256', secret).update(signed);
    await expect(verify(`${signed}.${mac.digest('base64url')}`)).rejects.toMatchObject(
      unauthorized,
    );
  });

  it.each(['jku', 'x5u', 'jwk'])('signed with a key from its own %s', async (where) => {
    const attacker = await startIssuer();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    try {
      const value = where === 'jwk' ? await exportJWK(publicKey) : `${attacker.url}/jwks`;
      const token = await new SignJWT({ sub: 'ann' })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1', [where]: value })
        .setIssuer(issuer.url)
        .setAudience('loyalty-api')
        .setExpirationTime('5m')
        .sign(privateKey);
      await expect(verify(token)).rejects.toMatchObject(unauthorized);
      expect(attacker.asked).toEqual([]);
    } finally {
      await attacker.close();
    }
  });
});

describe('a refused token says what was wrong', () => {
  async function refusalOf(token: string): Promise<Refusal> {
    const error = await verify(token).catch((reason: unknown) => reason);
    if (error instanceof Refusal) return error;
    throw new Error('Expected a refusal.', { cause: error });
  }
  const logged = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}');

  it('to its bearer for the audience and the expiry', async () => {
    const audience = await refusalOf(await annsToken({ aud: 'account' }));
    expect(audience.message).toMatch(/another audience/);
    expect(audience.issues).toMatchObject([{ code: 'token_invalid', params: { claim: 'aud' } }]);
    const expired = await refusalOf(await annsToken({ exp: secondsFromNow(-90) }));
    expect(expired.issues).toMatchObject([{ code: 'token_expired' }]);
  });

  const cases: [string, Overrides, Overrides, object][] = [
    ['the audience', { aud: ['account', 'x'] }, {}, { claim: 'aud', received: '["account","x"]' }],
    ['the issuer', { iss: 'https://a.example' }, {}, { claim: 'iss', received: /a.example/ }],
    ['the expiry', { exp: secondsFromNow(-90) }, {}, { claim: 'exp' }],
    ['what is missing', { exp: undefined }, {}, { claim: 'exp', problem: 'is missing' }],
    ['what is not yet', { nbf: secondsFromNow(90) }, {}, { claim: 'nbf' }],
    ['the key', {}, { kid: 'other' }, { reason: 'key', kid: 'other', alg: 'ES256' }],
    ['the kind', { typ: 'ID' }, {}, { reason: 'kind' }],
  ];
  it.each(cases)('to the log: %s', async (_, claims, header, expected) => {
    const refusal = await refusalOf(await annsToken(claims, header));
    expect(refusal.issues?.[0]?.code).toMatch(/^token_/);
    const matching = Object.entries(expected).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(logged()).toMatchObject({ event: 'token_refused', ...Object.fromEntries(matching) });
  });

  it('to the log: the algorithm, the signature, and what is no token at all', async () => {
    const [, payload, signature] = (await annsToken()).split('.');
    const header = Buffer.from('{"alg":"HS256","kid":"key-1"}').toString('base64url');
    await refusalOf(`${header}.${payload}.${signature}`);
    expect(logged()).toMatchObject({ reason: 'algorithm', alg: 'HS256' });
    const [ours] = (await annsToken()).split('.');
    await refusalOf(`${ours}.${payload}.${'A'.repeat(86)}`);
    expect(logged()).toMatchObject({ reason: 'signature', kid: 'key-1' });
    await refusalOf('nonsense');
    expect(logged()).toMatchObject({ reason: 'format' });
  });

  it('without anything of the person, and shortly', async () => {
    await refusalOf(await annsToken({ email: 'ann@shop.example', aud: 'x'.repeat(5_000) }));
    expect(lines.join()).not.toMatch(/ann@shop/);
    expect(lines.join().length).toBeLessThan(1_000);
  });
});

describe('the claims of a token', () => {
  const email = 'ann@shop.example';
  const people: [because: string, claims: JWTPayload, expected: object][] = [
    [
      'an e-mail is normalised, and verified if the issuer says so',
      { email: '  Ann@Shop.Example ', email_verified: true },
      { email, emailVerified: true },
    ],
    [
      'an e-mail that only looks like another is not verified as the other',
      { email: 'Ａnn@Shop.Example', email_verified: true },
      { email, emailVerified: false },
    ],
    ['an e-mail is unverified without a flag', { email }, { email, emailVerified: false }],
    ['a flag may be a string', { email, email_verified: 'true' }, { emailVerified: true }],
    ['a flag may not be a number', { email, email_verified: 1 }, { emailVerified: false }],
    ['no e-mail is unverified', { email_verified: true }, { email: null, emailVerified: false }],
    ['an e-mail that is not a string is ignored', { email: [email] }, { email: null }],
    [
      'a phone is converted to E.164',
      { phone_number: '+1 (212) 555-2368', phone_number_verified: true },
      { phone: '+12125552368', phoneVerified: true },
    ],
    [
      'a phone that cannot exist is ignored, and not verified',
      { phone_number: '+1 555 0001', phone_number_verified: true },
      { phone: null, phoneVerified: false },
    ],
    ['a phone without a country is ignored', { phone_number: '2125552368' }, { phone: null }],
    [
      'a phone of digits only is E.164 without its plus, as Supabase writes it',
      { phone_number: '12125550109', phone_number_verified: true },
      { phone: '+12125550109', phoneVerified: true },
    ],
    ['the role client is the intent', { app_metadata: { role: 'client' } }, { clientIntent: true }],
    [
      'client among several roles is the intent, as Keycloak writes them',
      { app_metadata: { role: ['offline_access', 'client'] } },
      { clientIntent: true },
    ],
    [
      'a role that only contains the word is no intent',
      { app_metadata: { role: ['client-viewer'] } },
      { clientIntent: false },
    ],
    ['user_metadata is ignored', { user_metadata: { role: 'client' } }, { clientIntent: false }],
    ['another role is no intent', { app_metadata: { role: 'admin' } }, { clientIntent: false }],
    ['a name becomes a single line', { name: ' Ann\u0000\nLee ' }, { name: 'Ann Lee' }],
    ['a blank name is ignored', { name: ' ' }, { name: null }],
    ['a long name ends with a whole letter', { name: `${LONG}😀` }, { name: LONG }],
    ['a locale becomes a language', { locale: 'de-AT' }, { language: 'de' }],
    ['a locale without texts is ignored', { locale: 'fr' }, { language: null }],
    ['a locale that is no text is ignored', { locale: ['de'] }, { language: null }],
    [
      'a token names its app, its scopes and how the person signed in',
      { azp: 'till', client_id: 'other', scope: 'openid till', auth_time: 5, acr: '2' },
      { grant: { client: 'till', scopes: ['openid', 'till'], signedInAt: 5, acr: '2' } },
    ],
    [
      'an app may be a client_id, and scopes a text or a list under scp',
      { client_id: 'till', scp: ['shop', 'till'] },
      { grant: { client: 'till', scopes: ['shop', 'till'], signedInAt: null, acr: null } },
    ],
    [
      'scopes may be a text under scp',
      { scp: 'shop till' },
      { grant: { scopes: ['shop', 'till'] } },
    ],
    ['scope comes before scp', { scope: 'till', scp: ['admin'] }, { grant: { scopes: ['till'] } }],
    [
      'what is no text or no number is not there',
      { azp: 7, scope: 7, auth_time: '5', acr: 2 },
      { grant: { client: null, scopes: [], signedInAt: null, acr: null } },
    ],
  ];
  it.each(people)('%s', async (_, claims, expected) => {
    expect(await verify(await annsToken(claims))).toMatchObject(expected);
  });

  it.each([
    { emailClaim: 'https://shop.example/email', claims: { 'https://shop.example/email': email } },
    { emailClaim: 'profile.contact.email', claims: { profile: { contact: { email } } } },
  ])('read an e-mail at $emailClaim', async ({ emailClaim, claims }) => {
    const verify = verifierOf({ ...issuer.settings, emailClaim });
    expect((await verify(await annsToken(claims))).email).toBe(email);
  });

  it.each(['inherited.email', '__proto__.inherited.email', 'profile.inherited.email'])(
    'do not include inherited properties: %s',
    async (emailClaim) => {
      const verify = verifierOf({ ...issuer.settings, emailClaim });
      const token = await annsToken({ profile: {} });
      Object.defineProperty(Object.prototype, 'inherited', {
        value: { email },
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

describe('when the issuer is unavailable', () => {
  it('IdentityProviderUnavailable, until the issuer is back', async () => {
    const token = await annsToken();
    issuer.outage = true;
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    issuer.outage = false;
    const subject = () => verify(token).then(({ sub }) => sub, String);
    await expect.poll(subject, { timeout: 5_000 }).toBe('ann');
  });

  it('IdentityProviderUnavailable when it cannot be reached', async () => {
    const gone = await startIssuer();
    await gone.close();
    const verify = verifierOf(gone.settings);
    const token = await gone.token({ sub: 'ann' });
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });

  it('cached keys are still used', async () => {
    await verify(await annsToken());
    issuer.outage = true;
    expect((await verify(await issuer.token({ sub: 'bob' }))).sub).toBe('bob');
  });

  it('IdentityProviderUnavailable for the discovery document of another issuer', async () => {
    const settings = { ...issuer.settings, issuer: `${issuer.url}/` };
    const token = await annsToken({ iss: `${issuer.url}/` });
    const verify = verifierOf(settings);
    await expect(verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });
});
