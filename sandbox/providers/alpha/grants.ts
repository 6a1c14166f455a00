import { randomBytes } from 'node:crypto';
import { revocationEvent } from './events.ts';
import { type Change, type Code, SCOPES, type Token } from './model.ts';
import { writeAndSend } from './publish.ts';
import { merchantOf, type World } from './world.ts';

const DAY_MS = 24 * 3600 * 1000;
const TOKEN_LIFE_MS = 30 * DAY_MS;
const SHORT_TOKEN_LIFE_MS = DAY_MS;
const CODE_LIFE_MS = 5 * 60_000;

export type IssuedToken = { accessToken: string; refreshToken: string; expiresAt: Date };
type TokenOptions = { scopes?: readonly string[] | undefined; isShortLived: boolean };

/** Issues a token pair of the merchant, by default for 30 days and all scopes. */
export function issueToken(
  world: World,
  merchantId: string,
  wanted: { scopes?: readonly string[]; livesSeconds?: number } = {},
): IssuedToken {
  merchantOf(world, merchantId);
  const { livesSeconds, scopes = SCOPES } = wanted;
  const lifeMs = livesSeconds === undefined ? TOKEN_LIFE_MS : livesSeconds * 1000;
  const token = newToken(world, { merchantId, scopes, lifeMs });
  world.store.write({ kind: 'token', value: token });
  const { accessToken, refreshToken, expiresAt } = token;
  return { accessToken, refreshToken, expiresAt: new Date(expiresAt) };
}

/** Issues an authorization code of the merchant, valid for five minutes. */
export function issueCode(
  world: World,
  consent: { merchantId: string; scopes: readonly string[]; redirectUri: string | undefined },
): string {
  const code: Code = {
    code: newSecret('code'),
    merchantId: consent.merchantId,
    scopes: [...consent.scopes],
    ...(consent.redirectUri !== undefined && { redirectUri: consent.redirectUri }),
    expiresAt: new Date(world.now().getTime() + CODE_LIFE_MS).toISOString(),
    isUsed: false,
  };
  world.store.write({ kind: 'code', value: code });
  return code.code;
}

/** Exchanges a code for a token; undefined when the code is unknown, used, expired or foreign. */
export function exchangeCode(
  world: World,
  wanted: TokenOptions & { code: string; redirectUri: string | undefined },
): Token | undefined {
  const code = world.store.codes.get(wanted.code);
  if (code === undefined || code.isUsed || code.redirectUri !== wanted.redirectUri)
    return undefined;
  if (Date.parse(code.expiresAt) <= world.now().getTime()) return undefined;
  const token = newToken(world, {
    merchantId: code.merchantId,
    scopes: narrowScopes(code.scopes, wanted.scopes),
    lifeMs: lifeOf(wanted),
  });
  world.store.write(
    { kind: 'code', value: { ...code, isUsed: true } },
    { kind: 'token', value: token },
  );
  return token;
}

/**
 * Issues another access token with the same refresh token; older access tokens stay valid.
 *
 * Returns undefined when the refresh token is unknown or its consent was revoked.
 */
export function refresh(
  world: World,
  wanted: TokenOptions & { refreshToken: string },
): Token | undefined {
  const granted = [...world.store.tokens.values()].find(
    (token) => token.refreshToken === wanted.refreshToken,
  );
  if (granted === undefined || granted.consentRevoked) return undefined;
  const { merchantId, refreshToken } = granted;
  const scopes = narrowScopes(granted.scopes, wanted.scopes);
  const token = {
    ...newToken(world, { merchantId, scopes, lifeMs: lifeOf(wanted) }),
    refreshToken,
  };
  world.store.write({ kind: 'token', value: token });
  return token;
}

/** Whether a valid token proves that the merchant has consented to all these scopes. */
export function hasConsented(world: World, merchantId: string, scopes: readonly string[]): boolean {
  const now = world.now().getTime();
  return [...world.store.tokens.values()].some(
    (token) =>
      token.merchantId === merchantId &&
      !token.revoked &&
      Date.parse(token.expiresAt) > now &&
      scopes.every((scope) => token.scopes.includes(scope)),
  );
}

/**
 * Revokes the merchant's consent, and with it all of its tokens.
 *
 * Sends `oauth.authorization.revoked` as the last event, unless there was no consent.
 */
export function revokeTokens(
  world: World,
  merchantId: string,
  revokerType: 'MERCHANT' | 'APPLICATION' = 'MERCHANT',
): void {
  const tokens = [...world.store.tokens.values()].filter(
    (token) => token.merchantId === merchantId && !token.consentRevoked,
  );
  if (tokens.length === 0) return;
  const revoked = tokens.map((token): Change => {
    return { kind: 'token', value: { ...token, revoked: true, consentRevoked: true } };
  });
  const about = { merchantId, random: world.store.random, now: world.now() };
  writeAndSend(world, revoked, [revocationEvent(revokerType, about)]);
}

/** Revokes this access token only; the consent and the refresh token stay valid. */
export function revokeAccessToken(world: World, token: Token): void {
  world.store.write({ kind: 'token', value: { ...token, revoked: true } });
}

/** Lets the access token expire now. */
export function expireToken(world: World, token: Token): void {
  const expiresAt = world.now().toISOString();
  world.store.write({ kind: 'token', value: { ...token, expiresAt } });
}

function newToken(
  world: World,
  grant: { merchantId: string; scopes: readonly string[]; lifeMs: number },
): Token {
  return {
    accessToken: newSecret('access'),
    refreshToken: newSecret('refresh'),
    merchantId: grant.merchantId,
    scopes: [...grant.scopes],
    expiresAt: new Date(world.now().getTime() + grant.lifeMs).toISOString(),
    revoked: false,
    consentRevoked: false,
  };
}

/** Returns a secret. Unlike all ids it must not be repeatable, since it gives access to the API. */
function newSecret(kind: 'access' | 'refresh' | 'code'): string {
  return `alpha-${kind}-${randomBytes(24).toString('base64url')}`;
}

function lifeOf({ isShortLived }: TokenOptions): number {
  return isShortLived ? SHORT_TOKEN_LIFE_MS : TOKEN_LIFE_MS;
}

function narrowScopes(granted: readonly string[], wanted: readonly string[] | undefined): string[] {
  return granted.filter((scope) => wanted?.includes(scope) ?? true);
}
