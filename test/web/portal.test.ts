import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, turnTo, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a merchant does with the shop, clicked through in Chromium.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const ada = shop.as('consumer');

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const at = (path: string, size: 'phone' | 'desktop' = 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: `/portal${path}`, size });

describe.each(['phone', 'desktop'] as const)('the portal on a %s', inBrowser, (size) => {
  it('shows what the shop earned and gave, and why', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    await shop.sell({ amount: 300 });
    const screen = await at('/', size);
    const { page } = screen;
    await seen(page).toMatch(/With a known customer\n\d+%[\s\S]*Owed in points\n€/);
    await expectSound(screen);
    await page.getByText('The same as a table').click();
    await expectSound(screen);

    await page.getByRole('link', { name: 'Sales', exact: true }).click();
    await seen(page).toMatch(/€12\.50[\s\S]*Credited/);
    await seen(page).toMatch(/No known customer[\s\S]*no e-mail or phone/);
    await expectSound(screen);
    await page
      .getByRole('link', { name: /^Why\? €12\.50/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/1,?250 points/)
      .first()
      .waitFor();
    await expectSound(screen);
    await page.keyboard.press('Escape');
    await page.getByLabel('Outcome').selectOption('No known customer');
    await expect.poll(() => page.getByText('€12.50').count(), SOON).toBe(0);

    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('link', { name: /@example\.com/ }).click();
    await page.getByRole('link', { name: 'Open as a page' }).click();
    await seen(page).toMatch(/Points\s+[\d,]+\s+worth €[\s\S]*Last sales[\s\S]*€12\.50/);
    await expectSound(screen);
  });
});

describe('transactions', inBrowser, () => {
  it('say of one that earned nothing that it gave no points, and why', async () => {
    await shop.sell({ email, amount: 0 });
    const { page } = await at('/transactions');
    const row = page.getByRole('row').filter({ hasText: '€0.00' }).first();
    await expect.poll(() => row.innerText(), SOON).toContain('No points');
    await page.getByLabel('Outcome').selectOption('Known customer');
    await expect.poll(() => row.innerText(), SOON).toContain('the amount was zero');
    expect(await row.innerText()).not.toContain('Credited');
  });

  it('are saved as CSV, as they are filtered', async () => {
    await shop.sell({ email, amount: 777 });
    const { page } = await at('/transactions');
    await seen(page).toContain('€7.77');
    await page.getByLabel('Outcome').selectOption('Known customer');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('transactions.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\uFEFFWhen \(\S+\),Amount,/);
    expect(text).toContain(',7.77,');
    expect(text).not.toContain('No known customer');
  });
});

describe('codes', inBrowser, () => {
  it('are listed with what became of them', async () => {
    await shop.sell({ email, amount: 400 });
    const [wallet] = await ada.listWallets();
    const { redemptionCode: code } = await ada.confirmRedemption({
      walletId: required(wallet).id,
      body: { pointsToRedeem: 400 },
    });
    const screen = await at('/codes', 'phone');
    await seen(screen.page).toMatch(/€4\.00[\s\S]*Can be used/);
    await shop.as('operator').completeRedemption({ body: { code } });
    await screen.page.getByLabel('Status').selectOption('Used');
    await seen(screen.page).toMatch(/€4\.00[\s\S]*by George Boole/);
    await expectSound(screen);
  });

  it('are shown as used once they are, while the list is open', async () => {
    await shop.sell({ email, amount: 625 });
    const [wallet] = await ada.listWallets();
    const { redemptionCode: code } = await ada.confirmRedemption({
      walletId: required(wallet).id,
      body: { pointsToRedeem: 625 },
    });
    const { page } = await at('/codes');
    const row = page.getByRole('row').filter({ hasText: '€6.25' });
    await expect.poll(() => row.innerText(), SOON).toContain('Can be used');
    await shop.as('operator').completeRedemption({ body: { code } });
    await expect.poll(() => row.innerText(), SOON).toContain('by George Boole');
  });
});

describe('webhook endpoints', inBrowser, () => {
  it('are added with a secret that is shown once, tested, disabled and deleted', async () => {
    const screen = await at('/webhooks');
    const { page } = screen;
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill('https://10.0.0.1/hook');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').getByText('public one').waitFor();
    // The browser itself complains of a 400.
    screen.complaints.length = 0;
    await page.getByLabel('Address').fill('https://systems.example/hook');
    await page.getByLabel(/^everything/).uncheck();
    await page.getByLabel('rule.published').uncheck();
    await expectSound(screen);
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await expectSound(screen);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: /systems\.example/ }).click();
    await seen(page).toMatch(/Active[\s\S]*points\.credited/);
    expect(await page.getByRole('main').innerText()).not.toContain('rule.published');
    await page.getByRole('button', { name: 'Disable' }).click();
    await seen(page).toContain('Disabled');
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await seen(page).toContain('There are no endpoints.');
    await expectSound(screen);
  });
});

describe('what was done in the shop', inBrowser, () => {
  it('is listed, with who did it and what it changed', async () => {
    const { tenantId } = shop;
    await shop.as('merchant').updateOnboarding({ tenantId, body: { businessName: 'Corner Bar' } });
    const screen = await at('/history', 'phone');
    const { page } = screen;
    await seen(page).toMatch(/Changed the profile of a shop[\s\S]*merchant@example\.com/);
    await seen(page).toContain('Corner Bar');
    await expectSound(screen);
  });

  it('has at once what was done on another page', async () => {
    const { page } = await at('/history');
    const newest = page.getByRole('main').getByRole('listitem').first();
    await newest.waitFor();
    await turnTo(page, `/portal/consumers/${shop.userIds.consumer}`);
    await page.getByRole('button', { name: 'Ask for points' }).click();
    await page.getByLabel('Points', { exact: true }).fill('50');
    await page.getByLabel('Reason').fill('A spoiled cake.');
    await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click();
    await seen(page).toContain('Waits for an answer');
    await turnTo(page, '/portal/history');
    await expect.poll(() => newest.innerText(), SOON).toContain('Asked for points');
  });
});
