import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { startProviders } from '../support/providers/connecting.ts';
import { SOON, useScreens } from './screens.ts';
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
    const { page } = await portal();
    await page.getByRole('button', { name: 'Connect beta' }).click();
    await page.waitForURL((url) => url.origin === providers.beta.url);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL((url) => url.origin === shop.url);
    await seen(page).toContain('Café at the corner');
    await page.getByRole('row', { name: /Beta.*Café.*Connected/i }).waitFor();
    await page.getByRole('row', { name: /Beta/i }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('row', { name: /Beta.*Disconnected/i }).waitFor();
  });

  it('is told why an account could not be connected', async () => {
    const { page } = await portal();
    await page.getByRole('button', { name: 'Connect beta' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await seen(page).toContain('You did not allow it at the provider.');
    await page.getByRole('button', { name: 'Connect alpha' }).click();
    await page.getByRole('button', { name: 'Allow as Boutique' }).click();
    await seen(page).toContain('another currency');
  });
});
