import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { startProviders } from '../support/providers/connecting.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// A merchant connects the account at a provider: from the portal to the provider and back.

/** Where the providers send browsers back to; Chromium is told that the API is there. */
const API = 'http://api.shop.example';
const providers = await startProviders(API);
afterAll(() => providers.stop());
const shop = await useShop({
  oauth: providers.oauth,
  orchestrator: {
    exchangeOAuthCode: ({ id }) => providers.exchangeCode(shop.db, id),
    stopPollingLater: () => undefined,
  },
});
const { open } = useScreens(shop, () => [
  `--host-resolver-rules=MAP ${new URL(API).host} ${new URL(shop.app.url).host}`,
]);

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const alsoAt = [providers.alpha.url, providers.beta.url, API];

beforeAll(() => {
  providers.alpha.addMerchant({ name: 'Café at the corner', currency: 'EUR' });
  providers.alpha.addMerchant({ name: 'Boutique', currency: 'USD' });
  providers.beta.addMerchant({ name: 'Café at the corner', currency: 'EUR' });
});

describe.each(['phone', 'desktop'] as const)('a merchant on a %s', inBrowser, (size) => {
  const portal = () =>
    open({ app: 'portal', person: 'merchant', path: '/portal/providers', size, alsoAt });

  it('connects an account, sees its name at once, and disconnects it', async () => {
    await shop.db('pos_connections').where({ provider: 'alpha' }).update({ status: 'active' });
    const { page } = await portal();
    await page.getByRole('button', { name: 'Connect beta' }).click();
    await page.waitForURL((url) => url.origin === providers.beta.url);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL((url) => url.origin === shop.url);
    await seen(page).toContain('Café at the corner');
    const beta = page.getByRole('listitem').filter({ hasText: 'Beta' });
    await beta.getByText('Working').waitFor();
    expect(await page.getByRole('button', { name: 'Connect', exact: false }).count()).toBe(2);
    await beta.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Disconnect Beta (Café at the corner)?').waitFor();
    await dialog.getByText('Sales at Alpha go on earning.').waitFor();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await beta.getByText('Disconnected').waitFor();
  });

  it('is told why an account could not be connected', async () => {
    await shop.db('pos_connections').update({ status: 'disconnected' });
    const { page } = await portal();
    await page.getByRole('button', { name: /onnect beta/i }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await seen(page).toContain('You did not allow it at the point of sale.');
    await page.getByRole('button', { name: /onnect alpha/i }).click();
    await page.getByRole('button', { name: 'Allow as Boutique' }).click();
    await seen(page).toMatch(/sells in (US Dollar \(USD\)|another currency)/);
  });
});

describe('a connection that was lost', inBrowser, () => {
  it('is said on each page, and is connected again from there', async () => {
    const { tenantId } = shop;
    const lost = { status: 'active', needsReconnectSince: new Date(), lastError: 'Refused.' };
    await shop.db('pos_connections').where({ tenantId, provider: 'alpha' }).update(lost);
    const screen = await open({ app: 'portal', person: 'merchant', size: 'phone', alsoAt });
    const { page } = screen;
    const alert = page.getByRole('alert').filter({ hasText: 'Alpha' });
    await alert.getByText(/stopped accepting us/).waitFor();
    await page.getByRole('region', { name: 'How your points of sale are' }).waitFor();
    await seen(page).toMatch(/Stopped/);
    await expectSound(screen);
    for (const path of ['/rules', '/transactions', '/providers']) {
      await page.goto(`${shop.url}/portal${path}`);
      await alert.getByText(/Its sales earn nothing/).waitFor();
    }
    await expectSound(screen);
    await alert.getByRole('button', { name: 'Reconnect Alpha' }).click();
    await page.getByRole('button', { name: 'Allow as Café at the corner' }).click();
    await page.waitForURL((url) => url.origin === shop.url);
    await seen(page).toContain('Alpha is connected');
    await expect.poll(() => alert.count(), SOON).toBe(0);
  });
});
