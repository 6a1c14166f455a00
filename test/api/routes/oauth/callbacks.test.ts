import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../../../api/routes/index.ts';
import type { Db } from '../../../../db/connection.ts';
import * as oauthStates from '../../../../db/connections/oauth-states.ts';
import { AttemptId } from '../../../../domain/ids.ts';
import { PROVIDERS } from '../../../../domain/payment.ts';
import { createOAuthStates, type StateClaims } from '../../../../gateways/crypto/oauth-state.ts';
import { createSubkeys } from '../../../../gateways/crypto/sealer.ts';
import { digestTables } from '../../../support/database/table-digests.ts';
import { occursIn, textOfTables } from '../../../support/database/table-texts.ts';
import { testKeys, testSealer } from '../../../support/factories.ts';
import { send } from '../../../support/http/app.ts';
import { serveRoutes } from '../../../support/http/serve-routes.ts';
import {
  type Connecting,
  type Merchant,
  redirectOf,
  startConnecting,
} from '../../../support/providers/connecting.ts';
import { testProviders } from '../../../support/providers/providers.ts';

let service: Connecting;
let db: Db;
beforeAll(async () => {
  service = await startConnecting();
  db = service.app.db;
});
afterAll(() => service.close());

let merchant: Merchant;
let [alphaId, betaId] = ['', ''];
beforeEach(async () => {
  merchant = await service.aMerchant();
  alphaId = service.alpha.addMerchant({ name: 'Café' }).id;
  betaId = service.beta.addMerchant({ name: 'Café' }).id;
  service.alpha.setConsent('approve', alphaId);
  service.beta.setConsent('approve', betaId);
});
afterEach(() => {
  service.beta.claimMerchant(undefined);
  service.beta.setTokenAnswers('legacy');
  service.exchange.isAway = false;
  expect(service.app.reported).toEqual([]);
});

const states = (now = () => new Date()) =>
  createOAuthStates(createSubkeys(testKeys, 'state signing'), now);
const connections = () => db('pos_connections').where({ tenantId: merchant.tenantId });

/** Stores and signs a state, with `own` claims instead of the usual ones. */
async function aState(own: Partial<StateClaims> = {}, at = new Date()): Promise<string> {
  const { tenantId, userId } = merchant;
  const claims = {
    attemptId: AttemptId.parse(randomUUID()),
    tenantId,
    userId,
    provider: 'alpha' as const,
    origin: service.oauth.alpha.origin,
    ...own,
  };
  const { state, expiresAt } = await states(() => at).sign(claims);
  const { origin: _, ...begun } = claims;
  await oauthStates.insert(db, { ...begun, expiresAt });
  return state;
}

describe.each(PROVIDERS)('GET /oauth/%s/callback', (provider) => {
  const merchantId = () => (provider === 'alpha' ? alphaId : betaId);

  it('302 currency_mismatch for an account of another currency than the tenant’s', async () => {
    await db('tenants').where('id', merchant.tenantId).update({ currency: 'EUR' });
    const query = await service.consent(provider, merchant);
    expect(await service.callback(provider, query)).toBe(
      `error=currency_mismatch&provider=${provider}&accountCurrency=USD`,
    );
    expect(await connections()).toEqual([]);
  });

  it('302 connected, and the tenant has the account', async () => {
    const query = await service.consent(provider, merchant);
    expect(await service.callback(provider, query)).toBe(`connected=true&provider=${provider}`);
    expect(await connections()).toMatchObject([
      { provider, merchantId: merchantId(), status: 'active', lastError: null },
    ]);
  });

  it('302 connected again, in the same record', async () => {
    for (let time = 0; time < 2; time++) {
      const query = await service.consent(provider, merchant);
      expect(await service.callback(provider, query)).toContain('connected=true');
    }
    expect(await connections()).toHaveLength(1);
  });

  it('an attacker’s state connects the attacker’s tenant only', async () => {
    const victim = await service.aMerchant();
    const query = await service.consent(provider, merchant);
    // The victim's browser, in which the victim consented, has nothing of the attacker's.
    const path = `/api/v1/oauth/${provider}/callback?${query}`;
    const answer = await service.app.call({ path, token: victim.token });
    expect(redirectOf(answer)).toContain('connected=true');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await connections()).toHaveLength(1);
    expect(await db('pos_connections').where({ tenantId: victim.tenantId })).toEqual([]);
  });

  it('302 whatever else the provider says, and in what encoding', async () => {
    for (const more of ['error_description=abgelehnt%FC', 'x=%00', '__proto__=1', 'a[]=1&a=2']) {
      const query = `error=access_denied&state=${await aState({ provider })}&${more}`;
      const path = `/api/v1/oauth/${provider}/callback?${query}`;
      const said = redirectOf(await service.app.call({ path }));
      expect(said).toBe(`error=access_denied&provider=${provider}`);
    }
  });

  it('302 access_denied, and the state is used up', async () => {
    const simulator = provider === 'alpha' ? service.alpha : service.beta;
    simulator.setConsent('deny', merchantId());
    const query = await service.consent(provider, merchant);
    expect(await service.callback(provider, query)).toBe(
      `error=access_denied&provider=${provider}`,
    );
    const state = query.get('state') ?? '';
    expect(await service.callback(provider, { code: 'code', state })).toContain('invalid_state');
    expect(await connections()).toEqual([]);
  });

  it('302 invalid_state for a replay, which changes nothing', async () => {
    const query = await service.consent(provider, merchant);
    await service.callback(provider, query);
    const before = await digestTables(db);
    expect(await service.callback(provider, query)).toBe(
      `error=invalid_state&provider=${provider}`,
    );
    expect(await digestTables(db)).toEqual(before);
  });

  it('302 connected for one of five at once with one state', async () => {
    const query = await service.consent(provider, merchant);
    const said = await Promise.all(
      Array.from({ length: 5 }, () => service.callback(provider, query)),
    );
    expect(said.filter((words) => words.includes('connected=true'))).toHaveLength(1);
    expect(said.filter((words) => words.includes('invalid_state'))).toHaveLength(4);
  });

  it('302 merchant_taken while the account belongs to another tenant', async () => {
    const other = await service.aMerchant();
    await service.callback(provider, await service.consent(provider, other));
    const query = await service.consent(provider, merchant);
    expect(await service.callback(provider, query)).toBe(
      `error=merchant_taken&provider=${provider}`,
    );
    expect(await connections()).toEqual([]);
  });

  it('302 exchange_failed when the code is refused', async () => {
    const query = await service.consent(provider, merchant);
    query.set('code', 'another-code');
    expect(await service.callback(provider, query)).toBe(
      `error=exchange_failed&provider=${provider}`,
    );
    expect(await connections()).toEqual([]);
  });

  it('302 exchange_failed while Temporal is unreachable, and the code is deleted', async () => {
    service.exchange.isAway = true;
    const query = await service.consent(provider, merchant);
    expect(await service.callback(provider, query)).toContain('error=exchange_failed');
    const { nonce } = decodeJwt(query.get('state') ?? '');
    expect(await db('oauth_attempts').where({ id: nonce })).toMatchObject([
      { status: 'failed', error: 'exchange_failed', sealedCode: null },
    ]);
    expect(await connections()).toEqual([]);
  });

  it.each([
    { change: { status: 'suspended' }, because: 'is suspended' },
    { change: { role: 'pos_operator' }, because: 'has another role' },
  ])('302 not_allowed when the user who began $because', async ({ change }) => {
    const query = await service.consent(provider, merchant);
    await db('users').where({ id: merchant.userId }).update(change);
    expect(await service.callback(provider, query)).toBe(`error=not_allowed&provider=${provider}`);
    expect(await connections()).toEqual([]);
  });

  it('302 not_allowed when the user who began has left the tenant', async () => {
    const query = await service.consent(provider, merchant);
    await db('memberships').where({ userId: merchant.userId }).delete();
    expect(await service.callback(provider, query)).toContain('error=not_allowed');
  });

  it.each([
    { because: 'a start from the market', query: { merchant_id: 'M1', client_id: 'A', code: 'c' } },
    { because: 'no parameters', query: {} },
    { because: 'an empty state', query: { code: 'c', state: '' } },
    {
      because: 'a state that is not signed',
      query: { code: 'c', state: 'eyJhbGciOiJub25lIn0.e30.' },
    },
    { because: 'a very long state', query: { code: 'c', state: 'x'.repeat(5_000) } },
    { because: 'odd characters', query: { code: '<b>ü</b>', state: '../..', error: ' ' } },
  ])('302 invalid_state, which changes nothing, for $because', async ({ query }) => {
    const before = await digestTables(db);
    const sent = new URLSearchParams(Object.entries(query));
    expect(await service.callback(provider, sent)).toBe(`error=invalid_state&provider=${provider}`);
    expect(await digestTables(db)).toEqual(before);
  });

  it('302 for a repeated parameter, and for an error of the provider', async () => {
    const path = `/api/v1/oauth/${provider}/callback`;
    const say = async (query: string) => redirectOf(await service.app.call({ path: path + query }));
    expect(await say('?code=a&code=b&state=c')).toContain('error=invalid_state');
    expect(await say('?error=server_error&error_description=<b>')).toBe(
      `error=exchange_failed&provider=${provider}`,
    );
  });
});

describe('a state', () => {
  const digestsAround = async (work: () => Promise<void>) => {
    const before = await digestTables(db);
    await work();
    expect(await digestTables(db)).toEqual(before);
  };

  it('of one provider is invalid for the other, and stays valid', async () => {
    const query = await service.consent('alpha', merchant);
    query.set('merchant_id', betaId);
    await digestsAround(async () => {
      expect(await service.callback('beta', query)).toBe('error=invalid_state&provider=beta');
    });
    expect(await service.callback('alpha', query)).toContain('connected=true');
  });

  it('is refused for another origin', async () => {
    const state = await aState({ origin: 'https://alpha.evil.example' });
    await digestsAround(async () => {
      expect(await service.callback('alpha', { code: 'c', state })).toContain('invalid_state');
    });
  });

  it('expires after ten minutes', async () => {
    const state = await aState({}, new Date(Date.now() - 600_000));
    await digestsAround(async () => {
      const said = await service.callback('alpha', { code: 'c', state });
      expect(said).toBe('error=expired_state&provider=alpha');
    });
  });

  it('is refused when it was tampered with', async () => {
    const { tenantId } = await service.aMerchant();
    const query = await service.consent('alpha', merchant);
    const [header, body = '', signature] = (query.get('state') ?? '').split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, tenantId })).toString('base64url');
    query.set('state', `${header}.${changed}.${signature}`);
    await digestsAround(async () => {
      expect(await service.callback('alpha', query)).toContain('error=invalid_state');
    });
  });

  it('fails without a code', async () => {
    const said = await service.callback('alpha', { state: await aState() });
    expect(said).toBe('error=exchange_failed&provider=alpha');
  });
});

describe('beta', () => {
  it.each([
    { claimed: 'another merchant', id: () => service.beta.addMerchant({ name: 'Other' }).id },
    { claimed: 'an unknown merchant', id: () => 'NOBODY0000000' },
    { claimed: 'no merchant', id: () => null },
  ])('302 merchant_mismatch when the browser names $claimed', async ({ id }) => {
    service.beta.claimMerchant(id());
    const query = await service.consent('beta', merchant);
    expect(await service.callback('beta', query)).toBe('error=merchant_mismatch&provider=beta');
    expect(await connections()).toEqual([]);
  });

  it('a refresh token is stored, with the expiry of the access token', async () => {
    service.beta.setTokenAnswers('v2');
    await service.callback('beta', await service.consent('beta', merchant));
    const [row] = await connections();
    expect(row.tokenExpiresAt).toBeInstanceOf(Date);
    const context = { tenantId: merchant.tenantId, provider: 'beta', field: 'refresh_token' };
    expect(testSealer.open(row.sealedRefreshToken, context)).not.toBe('');
  });
});

it('no table, log line or report contains a code or a token', async () => {
  const codes: string[] = [];
  for (const provider of PROVIDERS) {
    const query = await service.consent(provider, merchant);
    codes.push(query.get('code') ?? '');
    await service.callback(provider, query);
  }
  service.exchange.isAway = true;
  const failing = await service.consent('alpha', await service.aMerchant());
  codes.push(failing.get('code') ?? '');
  await service.callback('alpha', failing);

  const secrets = [...codes];
  for (const row of await connections()) {
    const context = { tenantId: row.tenantId, provider: row.provider };
    for (const field of ['access_token', 'refresh_token'] as const) {
      const sealed = field === 'access_token' ? row.sealedAccessToken : row.sealedRefreshToken;
      if (sealed !== null) secrets.push(testSealer.open(sealed, { ...context, field }));
    }
  }
  expect(secrets.filter((secret) => secret.length > 10)).toHaveLength(6);
  const tables = await textOfTables(db);
  for (const secret of secrets) {
    expect(occursIn(tables, secret)).toBe(false);
    expect(service.app.log.join('\n')).not.toContain(secret);
  }
});

it('302 exchange_failed when Postgres is unreachable', async () => {
  const served = await serveRoutes(routes, { providers: testProviders({ oauth: service.oauth }) });
  const state = await aState();
  const path = `/api/v1/oauth/alpha/callback?code=c&state=${state}`;
  expect(redirectOf(await send(served.url, { path }))).toBe('error=exchange_failed&provider=alpha');
  expect(served.reported).toEqual([]);
  await served.close();
});
