import { randomBytes } from 'node:crypto';
import type { Consent } from '../shared/consent.ts';
import { newToken } from './accounts.ts';
import type { Token } from './model.ts';
import { newUpdate, publish } from './publish.ts';
import { BetaError } from './refusal.ts';
import { merchantOf, type World } from './world.ts';

const CODE_LIFETIME_MS = 5 * 60_000;

/** What the legacy token call returns: one field, or the four of the newer flow. */
export type TokenAnswers = 'legacy' | 'v2';

type Code = { merchantId: string; expiresAtMs: number };
type Credentials = Partial<Record<'client_id' | 'client_secret' | 'code', string | undefined>>;
type Renewal = Partial<Record<'client_id' | 'refresh_token', string | undefined>>;

/** The provider's side of OAuth: codes, valid once and for five minutes, and their tokens. */
export class OAuth {
  readonly #world: World;
  readonly #app: { appId: string; appSecret: string; redirectUrl: string };
  readonly #codes = new Map<string, Code>();
  consent: Consent = { mode: 'page' };
  /** The merchant id that callbacks carry instead of the true one; null leaves it out. */
  claimedMerchantId: string | null | undefined;
  tokenAnswers: TokenAnswers;

  constructor(
    world: World,
    app: { appId: string; appSecret: string; redirectUrl: string },
    tokenAnswers: TokenAnswers,
  ) {
    this.#world = world;
    this.#app = app;
    this.tokenAnswers = tokenAnswers;
  }

  /** Returns why an authorization request is refused; undefined when it is accepted. */
  refusalOf(query: URLSearchParams): string | undefined {
    const { appId, redirectUrl } = this.#app;
    const named = query.get('client_id');
    if (named !== appId) return `There is no app with the id ${named}.`;
    const redirect = query.get('redirect_uri') ?? redirectUrl;
    return redirect === redirectUrl ? undefined : `${redirect} is not registered for the app.`;
  }

  /** Returns the URL to redirect to after consent, with a new code. */
  approvedUrl(merchantId: string, state: string | null): string {
    const { claimedMerchantId = merchantId } = this;
    const url = this.#callback(claimedMerchantId, merchantId);
    url.searchParams.set('code', this.newCode(merchantId));
    if (state !== null) url.searchParams.set('state', state);
    return url.href;
  }

  /** Returns the URL to redirect to after a denial. */
  deniedUrl(state: string | null): string {
    const url = new URL(this.#app.redirectUrl);
    url.searchParams.set('error', 'access_denied');
    if (state !== null) url.searchParams.set('state', state);
    return url.href;
  }

  /** Returns the URL that opens the app from the provider's market; it has no state. */
  marketLaunchUrl(merchantId: string, withCode: boolean): string {
    const url = this.#callback(merchantId, merchantId);
    if (withCode) url.searchParams.set('code', this.newCode(merchantId));
    return url.href;
  }

  /** Returns a new code, which can be exchanged for a token of the merchant. */
  newCode(merchantId: string): string {
    merchantOf(this.#world, merchantId);
    const code = randomBytes(18).toString('base64url');
    const expiresAtMs = this.#world.now().getTime() + CODE_LIFETIME_MS;
    this.#codes.set(code, { merchantId, expiresAtMs });
    return code;
  }

  /** Exchanges a code, which is used up, and installs the app; throws BetaError 401. */
  exchange(given: Credentials, refreshable: boolean): Token {
    const { appId, appSecret } = this.#app;
    if (given.client_id !== appId || given.client_secret !== appSecret) {
      throw unauthorized('Failed to validate the credentials of the app.');
    }
    const found = this.#codes.get(given.code ?? '');
    this.#codes.delete(given.code ?? '');
    if (found === undefined || found.expiresAtMs <= this.#world.now().getTime()) {
      throw unauthorized('Failed to validate authentication code.');
    }
    const value = newToken(this.#world, found.merchantId, { refreshable });
    this.#world.restChaos.spare(value.accessToken);
    this.#world.store.write({ kind: 'token', value });
    publish(this.#world, value.merchantId, [], [newUpdate(this.#world, 'CREATE', 'A', appId)]);
    return value;
  }

  /** Returns new tokens for a refresh token, which is used up; throws BetaError 401. */
  refresh(given: Renewal): Token {
    const { store, now } = this.#world;
    const old = [...store.tokens.values()].find(
      ({ refresh }) => refresh !== undefined && refresh.token === given.refresh_token,
    );
    const isGood =
      old?.refresh !== undefined && !old.revoked && old.refresh.expiresAt > now().getTime();
    if (!isGood || given.client_id !== this.#app.appId) {
      throw unauthorized('Failed to validate the refresh token.');
    }
    const { refresh, ...used } = old;
    const options = { permissions: old.permissions, refreshable: true };
    const value = newToken(this.#world, old.merchantId, options);
    this.#world.restChaos.spare(value.accessToken);
    store.write({ kind: 'token', value: used }, { kind: 'token', value });
    return value;
  }

  #callback(claimedMerchantId: string | null, merchantId: string): URL {
    const url = new URL(this.#app.redirectUrl);
    if (claimedMerchantId !== null) url.searchParams.set('merchant_id', claimedMerchantId);
    url.searchParams.set('employee_id', merchantOf(this.#world, merchantId).ownerId);
    url.searchParams.set('client_id', this.#app.appId);
    return url;
  }
}

/** Returns the fields of the newer flow, two without a refresh token; times in seconds. */
export function v2Fields({ accessToken, expiresAt, refresh }: Token) {
  return {
    access_token: accessToken,
    access_token_expiration: Math.floor(expiresAt / 1000),
    ...(refresh && {
      refresh_token: refresh.token,
      refresh_token_expiration: Math.floor(refresh.expiresAt / 1000),
    }),
  };
}

function unauthorized(message: string): BetaError {
  return new BetaError(401, { status: 'Unauthorized', message });
}
