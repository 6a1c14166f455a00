import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aProgramme } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, gate, SOON, turnTo, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a customer who gave no contact gets the points of the receipt in their hand.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
await aProgramme(shop.db, tenantId, { timeZone: 'Europe/Berlin', tillAttach: true });

const seen = (page: Page) => expect.poll(() => page.locator('body').innerText(), SOON);
const ada = shop.as('consumer');
const balance = async () =>
  (await ada.listWallets()).find(({ tenant }) => tenant.id === tenantId)?.balance ?? 0;
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000);
/** A time of day on a receipt: by the clocks of the shop, wherever the browser is. */
const clockOf = (at: Date) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);

describe('a sale that named nobody', inBrowser, () => {
  it('is found by its receipt and given to the card that is scanned', async () => {
    const soldAt = minutesAgo(20);
    await shop.sell({ amount: 4_250, createdAt: soldAt });
    const wallet = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    await wallet.page.getByRole('link', { name: /Your member card/ }).click();
    const { memberNumber, qr } = await ada.showMemberCard();
    const shown = memberNumber.replace(/(\d{4})(?=\d)/g, '$1 ');
    await seen(wallet.page).toContain(shown);
    await wallet.page
      .getByRole('img', { name: `QR code of member number ${memberNumber}` })
      .waitFor();
    await expectSound(wallet);
    await wallet.page.evaluate('navigator.serviceWorker.ready');
    await expect
      .poll(() => wallet.page.evaluate('Object.values(localStorage).join()'), SOON)
      .toContain(memberNumber);
    await wallet.page.context().setOffline(true);
    await wallet.page.reload();
    await seen(wallet.page).toContain('No connection.');
    await seen(wallet.page).toContain(shown);
    await wallet.page
      .getByRole('img', { name: `QR code of member number ${memberNumber}` })
      .waitFor();

    const till = await open({ app: 'till', person: 'operator', size: 'phone' });
    const { page } = till;
    await page.getByRole('button', { name: 'Points for a receipt' }).waitFor();
    await expectSound(till);
    await page.keyboard.type(qr);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(shown).waitFor();
    await dialog.getByLabel('Amount without tip (EUR)').fill('42,50');
    await dialog.getByLabel('Time').fill(clockOf(minutesAgo(40)));
    await dialog.getByRole('button', { name: 'Find the sale' }).click();
    await dialog.getByText('No sale of that amount and time is without a customer.').waitFor();
    await dialog.getByLabel('Time').fill(clockOf(soldAt));
    await dialog.getByRole('button', { name: 'Find the sale' }).click();
    await dialog.getByText('€42.50').waitFor();
    await expectSound(till);
    await dialog.getByRole('button', { name: 'Give the points' }).click();
    await dialog.getByText('for customer AB').waitFor();
    await dialog.getByText('4,250 points').waitFor();
    await expectSound(till);
    expect(await balance()).toBe(4_250);
  });

  it('is given by the merchant, who sees who attached what', async () => {
    const { memberNumber } = await ada.showMemberCard();
    await shop.sell({ amount: 1_100, createdAt: minutesAgo(3 * 24 * 60) });
    const [app, person] = ['portal', 'merchant'] as const;
    const sales = await open({ app, person, path: '/portal/transactions', size: 'desktop' });
    await sales.page.getByRole('link', { name: /^Why\? .*€11\.00/ }).click();
    const dialog = sales.page.getByRole('dialog');
    await dialog.getByLabel('Member number').fill('0000 0000 0000');
    await expectSound(sales);
    await dialog.getByRole('button', { name: 'Give the points' }).click();
    await dialog.getByText('No customer has this member number.').waitFor();
    await dialog.getByLabel('Member number').fill(memberNumber);
    await dialog.getByRole('button', { name: 'Give the points' }).click();
    await dialog
      .getByText('The customer was recognised by their member code, at the till.')
      .waitFor();
    expect(await balance()).toBe(5_350);

    const team = await open({ app, person, path: '/portal/people', size: 'desktop' });
    const table = team.page.getByRole('table', { name: 'Sales attached to customers' });
    await table.waitFor();
    await expect.poll(() => table.innerText(), SOON).toMatch(/1,100[\s\S]*4,250/);
    await expectSound(team);
    await table.getByRole('link').first().click();
    await team.page.waitForURL(/\/portal\/consumers\//);
  });

  it('is on the page of its customer at once, also where that was read before', async () => {
    const { memberNumber } = await ada.showMemberCard();
    await shop.sell({ email: PEOPLE.consumer.email, amount: 905 });
    const sold = await shop.sell({ amount: 1_205, createdAt: minutesAgo(1) });
    const [app, person] = ['portal', 'merchant'] as const;
    const path = `/portal/consumers/${shop.userIds.consumer}`;
    const { page } = await open({ app, person, path, size: 'desktop' });
    await seen(page).toContain('€9.05');
    await turnTo(page, `/portal/transactions?open=sale-${sold}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Member number').fill(memberNumber);
    await dialog.getByRole('button', { name: 'Give the points' }).click();
    await dialog.getByText('The customer was recognised by their member code').waitFor();
    await turnTo(page, path);
    await seen(page).toContain('€12.05');
  });
});

describe('points for a receipt', inBrowser, () => {
  it('are counted at the end of the day at once, also where it was read before', async () => {
    const { memberNumber } = await ada.showMemberCard();
    const transactionId = await shop.sell({ amount: 700, createdAt: minutesAgo(1) });
    const body = { member: memberNumber };
    await shop.as('operator').attachSaleAtTill({ transactionId, body }, { shop: tenantId });
    await shop.sell({ amount: 4_305, createdAt: minutesAgo(1) });
    const { page } = await open({ app: 'till', person: 'operator', path: '/till/day' });
    const total = page.getByRole('row').filter({ hasText: 'All together' });
    const attached = total.getByRole('cell').nth(3);
    const before = Number(await attached.innerText());
    await turnTo(page, '/till/');
    await page.getByRole('button', { name: 'Points for a receipt' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Member number').fill(memberNumber);
    await dialog.getByRole('button', { name: 'Find the customer' }).click();
    await dialog.getByLabel('Amount without tip (EUR)').fill('43,05');
    await dialog.getByRole('button', { name: 'Find the sale' }).click();
    await dialog.getByRole('button', { name: 'Give the points' }).click();
    await dialog.getByText('4,305 points').waitFor();
    await page.keyboard.press('Escape');
    await turnTo(page, '/till/day');
    await expect.poll(() => attached.innerText(), SOON).toBe(String(before + 1));
  });
});

describe('the search for the sale of a receipt', inBrowser, () => {
  it('is of the amount that stands there, also if it was corrected meanwhile', async () => {
    await shop.sell({ amount: 5_150, createdAt: minutesAgo(1) });
    const { qr } = await ada.showMemberCard();
    const search = gate();
    const screen = await open({
      app: 'till',
      person: 'operator',
      before: (context) => context.route('**/pos/anonymous-sales?*', search.hold),
    });
    const { page } = screen;
    await page.getByRole('button', { name: 'Points for a receipt' }).waitFor();
    await page.keyboard.type(qr);
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount without tip (EUR)');
    const find = dialog.getByRole('button', { name: 'Find the sale' });
    await amount.fill('51,50');
    await find.click();
    await expect.poll(() => find.isEnabled(), SOON).toBe(false);
    await amount.fill('15,50');
    await find.click();
    search.letGo();
    await dialog.getByText('No sale of that amount and time is without a customer.').waitFor();
    expect(await dialog.getByText('€51.50').count()).toBe(0);
    await expectSound(screen);
  });
});

describe('a card at a till that attaches nothing', inBrowser, () => {
  it('says so', async () => {
    await aProgramme(shop.db, tenantId, { timeZone: 'Europe/Berlin' });
    const { qr } = await ada.showMemberCard();
    const till = await open({ app: 'till', person: 'operator', size: 'phone' });
    const { page } = till;
    await seen(page).toContain('Ready for the next code');
    expect(await page.getByRole('button', { name: 'Points for a receipt' }).count()).toBe(0);
    await page.keyboard.type(qr);
    await page.getByText('This shop attaches no sales at the till.').waitFor();
  });
});
