import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The first promise of a shop in a country of several time zones, which settles the shop's own.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
await shop.db('tenants').where({ id: tenantId }).update({ country: 'US', timeZone: null });

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const zone = async () =>
  (await shop.db('tenants').where({ id: tenantId }).first('timeZone')).timeZone;

describe('the time zone of a shop', inBrowser, () => {
  it('is asked for once, where the country does not say it', async () => {
    const path = '/portal/programme';
    const screen = await open({ app: 'portal', person: 'merchant', path, size: 'desktop' });
    const { page } = screen;
    await page.getByLabel('Days that points wait after a sale').fill('14');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page
      .getByRole('alert')
      .getByText(/time zone/)
      .waitFor();
    // What the browser says of the refusal.
    expect(screen.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await expectSound(screen);
    expect(await zone()).toBeNull();

    const field = page.getByRole('combobox', { name: 'Time zone of the shop' });
    const found = page.getByRole('option');
    await field.fill('New York');
    await found.first().waitFor();
    // Zones of other countries are not offered.
    await field.fill('Berlin');
    await expect.poll(() => found.count(), SOON).toBe(0);
    await field.fill('New York');
    await found.first().click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toContain('Points wait 14 days after a sale');
    await expectSound(screen);
    expect(await zone()).toBe('America/New_York');
    await expect.poll(() => field.count(), SOON).toBe(0);
  });

  it('is that of the merchant, unless another is chosen', async () => {
    await shop.db('tenants').where({ id: tenantId }).update({ timeZone: null });
    const [path, timeZone] = ['/portal/programme', 'America/Chicago'];
    const { page } = await open({ app: 'portal', person: 'merchant', path, timeZone });
    const field = page.getByRole('combobox', { name: 'Time zone of the shop' });
    await expect.poll(() => field.inputValue(), SOON).toMatch(/Chicago/);
  });
});
