import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aTenant } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a merchant says of the shop, and what its point of sale does.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const at = (path: string, size: 'phone' | 'desktop' = 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: `/portal${path}`, size });
const tenant = async () => (await shop.as('merchant').showTenant({ tenantId })).tenant;

describe.each(['phone', 'desktop'] as const)('the profile on a %s', inBrowser, (size) => {
  it('takes the country by its name, a part of it, or its code', async () => {
    const screen = await at('/profile', size);
    const { page } = screen;
    const country = page.getByRole('combobox', { name: 'Country' });
    const save = async (typed: string) => {
      await country.fill(typed);
      await page.getByLabel('City').fill('Tbilisi');
      const button = page.getByRole('button', { name: 'Save', exact: true });
      await button.click();
      // Until what was saved has been read again.
      await expect.poll(() => button.isEnabled(), SOON).toBe(true);
    };
    await save('Georgia');
    await expect.poll(async () => (await tenant()).country, SOON).toBe('GE');
    await save('Germany');
    await expect.poll(async () => (await tenant()).country, SOON).toBe('DE');
    expect(await country.inputValue()).toBe('Germany');
    await save('switz');
    await expect.poll(async () => (await tenant()).country, SOON).toBe('CH');
    await save('at');
    await expect.poll(async () => (await tenant()).country, SOON).toBe('AT');
    await page.getByText('Saved.').waitFor();
    await save('Atlantis');
    await expect.poll(() => page.locator('input:invalid').inputValue(), SOON).toBe('Atlantis');
    expect((await tenant()).country).toBe('AT');
    await country.fill('united');
    await page.getByRole('option', { name: 'United States US' }).waitFor();
    await page.getByRole('option', { name: 'United Kingdom GB' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await tenant()).country, SOON).toBe('GB');
    await expectSound(screen);
  });
});

describe('the profile', inBrowser, () => {
  it('shows a logo that is no picture what it has to be', async () => {
    const { page } = await at('/profile', 'phone');
    const field = page.getByLabel('Choose a picture');
    await field.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
    await seen(page).toContain('This is no PNG');
    // A browser sends no event when the same file is chosen again.
    expect(await field.inputValue()).toBe('');
  });

  it('names the currency that the point of sale brought, and asks for none', async () => {
    const { page } = await at('/profile');
    await seen(page).toMatch(/Currency\s+Euro \(EUR\)/);
    expect(await page.getByRole('combobox', { name: 'Currency' }).count()).toBe(0);
    await shop.db('tenants').where({ id: tenantId }).update({ currency: null });
    const connections = shop.db('pos_connections').where({ tenantId });
    await connections.clone().update({ status: 'disconnected' });
    await page.reload();
    await seen(page).toContain('Time zone');
    expect(await page.getByRole('combobox', { name: 'Currency' }).count()).toBe(0);
    await connections.clone().update({ status: 'active' });
    await page.reload();
    await page.getByRole('combobox', { name: 'Currency' }).fill('euro');
    await page.getByRole('option', { name: 'Euro EUR' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await tenant()).currency, SOON).toBe('EUR');
  });
});

describe('a point of sale in another currency', inBrowser, () => {
  it('is refused with both currencies, what to do, and when it was tried', async () => {
    const said = 'error=currency_mismatch&provider=alpha&accountCurrency=USD';
    const screen = await at(`/providers?${said}`, 'phone');
    const { page } = screen;
    await seen(page).toMatch(/Alpha was not connected, at \d+:\d\d:\d\d/);
    await seen(page).toMatch(/at Alpha sells in US Dollar \(USD\), and your shop in Euro \(EUR\)/);
    await seen(page).toContain('sign out at Alpha first');
    await expectSound(screen);
    await page.goto(page.url().replace('accountCurrency=USD', 'accountCurrency=<b>'));
    await seen(page).toContain('sells in another currency');
  });
});

describe('the profile of one of two shops', inBrowser, () => {
  it('is saved with its own details, also right after the other was shown', async () => {
    const merchant = shop.as('merchant');
    const ownerId = shop.userIds.merchant;
    const second = await aTenant(shop.db, { name: 'Second Shop', ownerId });
    const body = { currency: 'EUR', country: 'DE', businessName: 'Second Shop' };
    await merchant.updateOnboarding({ tenantId: second, body });
    const { page } = await at('/profile');
    const name = page.getByLabel('Name of the shop');
    const which = page.getByLabel('Shop', { exact: true });
    await which.selectOption({ label: 'Corner Café' });
    await expect.poll(() => name.inputValue(), SOON).toBe('Corner Café');
    await which.selectOption({ label: 'Second Shop' });
    await expect.poll(() => name.inputValue(), SOON).toBe('Second Shop');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { tenant } = await merchant.showTenant({ tenantId: second });
    expect(tenant.name).toBe('Second Shop');
  });
});
