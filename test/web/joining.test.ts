import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aRule, aTenant } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a shop's poster brings customers in.

const shop = await useShop();
const { open, visit } = useScreens(shop);
const { tenantId } = shop;

const seen = (page: Page) => expect.poll(() => page.locator('body').innerText(), SOON);
const path = `/join/${tenantId}`;

describe('joining', inBrowser, () => {
  it('begins at a poster that the merchant prints', async () => {
    const screen = await open({
      app: 'portal',
      person: 'merchant',
      size: 'desktop',
      path: '/portal/consumers',
    });
    const { page } = screen;
    await page.getByRole('link', { name: 'Poster' }).click();
    await seen(page).toMatch(/Corner Café\s+Collect points here/);
    await seen(page).toContain(`${shop.url}${path}`);
    await page.getByRole('img', { name: /^QR code of the address/ }).waitFor();
    await expectSound(screen);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print it' }).isVisible()).toBe(false);
    expect(await page.getByText('Collect points here').isVisible()).toBe(true);
  });

  it('tells a stranger what for, before the sign-in', async () => {
    const { page } = await visit({ app: 'wallet', person: 'consumer', path });
    await seen(page).toMatch(/Collect points\s+Sign in, and your points at this shop/);
  });

  it('opens a wallet, which is there when the customer comes again', async () => {
    const screen = await open({ app: 'wallet', person: 'consumer', path });
    const { page } = screen;
    await seen(page).toContain('Collect points at Corner Café');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(/\/wallet\/wallets\//);
    await seen(page).toContain('Corner Café');
    await expectSound(screen);
    const [wallet] = await shop.as('consumer').listWallets();
    expect(wallet).toMatchObject({ tenantId, balance: 0 });

    await page.goto(`${shop.url}${path}`);
    await seen(page).toContain('You collect points at Corner Café');
    await expectSound(screen);
    await page.getByRole('link', { name: 'See them' }).click();
    await page.waitForURL(/\/wallet\/wallets\//);
  });

  it('is known to be done when one goes back, also without hearing of it', async () => {
    const florist = await aTenant(shop.db, { name: 'Florist' });
    await aRule(shop.db, florist);
    const { page } = await open({
      app: 'wallet',
      person: 'consumer',
      path: `/join/${florist}`,
      before: (context) => context.route('**/consumer/events', (route) => route.abort()),
    });
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(/\/wallet\/wallets\//);
    await page.goBack();
    await seen(page).toContain('You collect points at Florist');
  });

  it('says that there is no such shop', async () => {
    const unknown = '/join/00000000-0000-4000-8000-000000000000';
    const { page } = await open({ app: 'wallet', person: 'consumer', path: unknown });
    await seen(page).toMatch(/no such|not here|nothing/i);
  });
});
