import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bindBrowser, isBoundBrowser } from '../../../../api/routes/oauth/browser-binding.ts';
import { PROVIDERS, type Provider } from '../../../../domain/payment.ts';
import {
  type Connecting,
  type Merchant,
  redirectOf,
  startConnecting,
} from '../../../support/providers/connecting.ts';

let service: Connecting;
beforeAll(async () => {
  service = await startConnecting({ oauthBindBrowser: true });
});
afterAll(() => service.close());

let merchant: Merchant;
beforeEach(async () => {
  merchant = await service.aMerchant();
  service.alpha.setConsent('approve', service.alpha.addMerchant({ name: 'Café' }).id);
  service.beta.setConsent('approve', service.beta.addMerchant({ name: 'Café' }).id);
});

const connections = () => service.app.db('pos_connections').where({ tenantId: merchant.tenantId });

/** Begins in a browser: what it is asked to keep, and what the provider sends it back with. */
async function begin(provider: Provider) {
  const path = `/api/v1/client/tenants/${merchant.tenantId}/pos-connections/${provider}/connect`;
  const answer = await service.app.call({ method: 'POST', path, token: merchant.token });
  const { authorizationUrl } = answer.json<{ authorizationUrl: string }>();
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const query = new URL(response.headers.get('location') ?? '').searchParams;
  const setCookie = answer.headers.get('set-cookie') ?? '';
  return { setCookie, cookie: setCookie.split(';')[0] ?? '', query };
}

async function comeBack(provider: Provider, query: URLSearchParams, cookie?: string) {
  const path = `/api/v1/oauth/${provider}/callback?${query}`;
  const headers = cookie === undefined ? {} : { cookie };
  return redirectOf(await service.app.call({ path, headers }));
}

describe.each(PROVIDERS)('a connection of %s that is bound to a browser', (provider) => {
  it('is made in the browser that began, whatever other cookies it has', async () => {
    const { setCookie, cookie, query } = await begin(provider);
    expect(setCookie).toMatch(
      /^__Host-oauth=[\w-]{43}; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(await comeBack(provider, query, `a=b; ${cookie}; c`)).toContain('connected=true');
    expect(await connections()).toHaveLength(1);
  });

  it('is invalid_state in any other browser, and the state is used up', async () => {
    for (const foreign of [undefined, '', '__Host-oauth=', (await begin(provider)).cookie]) {
      const { cookie, query } = await begin(provider);
      const refused = `error=invalid_state&provider=${provider}`;
      expect(await comeBack(provider, query, foreign)).toBe(refused);
      expect(await comeBack(provider, query, cookie)).toBe(refused);
    }
    expect(await connections()).toEqual([]);
  });

  it('is invalid_state in another browser also where the provider reports an error', async () => {
    const { cookie, query } = await begin(provider);
    query.delete('code');
    query.set('error', 'access_denied');
    expect(await comeBack(provider, query)).toContain('error=invalid_state');
    const again = await begin(provider);
    again.query.delete('code');
    again.query.set('error', 'access_denied');
    expect(await comeBack(provider, again.query, again.cookie)).toContain('error=access_denied');
    expect(cookie).not.toBe(again.cookie);
  });
});

describe('a state that was signed without a binding', () => {
  it('fits no browser', () => {
    const { cookie, browser } = bindBrowser();
    expect(isBoundBrowser(cookie.split(';')[0], browser)).toBe(true);
    expect(isBoundBrowser(cookie.split(';')[0], undefined)).toBe(false);
  });
});
