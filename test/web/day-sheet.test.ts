import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { aCode, seen } from './till-codes.ts';

// The end of a day at the till, and the same for the merchant.

const shop = await useShop();
const { open } = useScreens(shop);
// Far from the shop, whose clocks the days are by.
const timeZone = 'Pacific/Auckland';

const take = async (points: number) =>
  shop.as('operator').completeRedemption({ body: { code: await aCode(shop, points) } });
const rowsOf = (page: Page) => page.getByRole('table').getByRole('row').allInnerTexts();

describe('the end of the day', inBrowser, () => {
  it('has at the till a line for each, sums that are those of the list, and one page', async () => {
    await take(1_500);
    await take(250);
    const screen = await open({ app: 'till', person: 'operator', path: '/till/today', timeZone });
    const { page } = screen;
    await seen(page).toContain('€17.50 off with 2 codes');
    await page.getByRole('link', { name: 'End of day' }).click();
    await seen(page).toMatch(/George Boole[\s\S]*All together[\s\S]*€17\.50/);
    await seen(page).toContain('midnight in Berlin');
    await expectSound(screen);
    await take(100);
    await seen(page).toMatch(/All together[\s\S]*€18\.50/);
    await page.emulateMedia({ media: 'print' });
    expect(
      await page.getByRole('button', { name: 'Print it', includeHidden: true }).isVisible(),
    ).toBe(false);
    await page.getByRole('heading', { name: /^Corner Café, / }).waitFor();
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });

  it('is the same for the merchant, who can look at another day', async () => {
    await take(300);
    const screen = await open({
      app: 'portal',
      person: 'merchant',
      size: 'desktop',
      path: '/portal/codes',
    });
    const { page } = screen;
    await page.getByRole('link', { name: 'End of day' }).click();
    await expect.poll(() => rowsOf(page), SOON).toHaveLength(3);
    const [, george = '', all = ''] = await rowsOf(page);
    expect(george.replace('George Boole', '')).toBe(all.replace('All together', ''));
    await expectSound(screen);
    await page.getByLabel('Day', { exact: true }).fill('2026-01-15');
    await seen(page).toContain('Nothing was taken on this day.');
    await expectSound(screen);
  });
});
