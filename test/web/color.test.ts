import { describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The color of a shop, from the merchant who chooses it to the customer who sees it.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
const colorOf = async () =>
  (await shop.as('merchant').showTenant({ tenantId })).tenant.branding.color;

describe('the color of a shop', inBrowser, () => {
  it('is chosen by its merchant, who sees it by day and at night, and taken back', async () => {
    const path = '/portal/profile';
    const screen = await open({ app: 'portal', person: 'merchant', path });
    const { page } = screen;
    await page.getByLabel('Color', { exact: true }).fill('#ffd400');
    const grounds = await page.evaluate(
      `[...document.querySelectorAll('.brand-card')].map((card) =>
        getComputedStyle(card).backgroundColor)`,
    );
    // By day it has to be darker to be seen on the page.
    expect(grounds).toEqual(['rgb(158, 131, 0)', 'rgb(255, 212, 0)']);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Save the color' }).click();
    await expect.poll(colorOf, SOON).toBe('#ffd400');
    await page.getByText('Saved.').waitFor();
    await expectSound(screen);
    await page.getByRole('button', { name: 'No color' }).click();
    await page.getByRole('button', { name: 'Save the color' }).click();
    await expect.poll(colorOf, SOON).toBeNull();
  });
});
