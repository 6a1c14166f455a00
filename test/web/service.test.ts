import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a merchant does for a customer who stands at the counter, and an administrator after that.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const portal = { app: 'portal', person: 'merchant', path: '/portal/consumers' } as const;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const search = async (page: Page, text: string) => {
  await page.getByLabel('Find a customer, a sale or a code').fill(text);
  await page.keyboard.press('Enter');
};

describe('a customer who says that there are no points', inBrowser, () => {
  it('paid with an address that no one has confirmed: the merchant can say so', async () => {
    await shop.sell({ email: 'new@example.com', amount: 1_250 });
    const screen = await open({ ...portal, size: 'phone' });
    const { page } = screen;
    await search(page, 'other@example.com');
    await seen(page).toContain('Nothing here has exactly that');
    await search(page, 'New@example.com');
    await seen(page).toMatch(/Sales[\s\S]*no customer has confirmed[\s\S]*12\.50/);
    expect(page.url()).not.toContain('example.com');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Show all customers' }).click();
    await page.getByLabel('Show', { exact: true }).waitFor();
  });

  it('was not known at the till: the sale is found by its amount, and attached', async () => {
    const createdAt = new Date(Date.now() - 60_000);
    const sold = await shop.sell({ amount: 1_777, createdAt });
    const { memberNumber } = await shop.as('consumer').showMemberCard();
    const screen = await open({ ...portal, size: 'desktop' });
    const { page } = screen;
    await search(page, '17.77');
    await seen(page).toMatch(/enter the member number[\s\S]*No known customer/);
    await page.getByRole('link', { name: /^Why\? .*17\.77/ }).click();
    await page.getByLabel('Member number').fill(memberNumber);
    await page.getByRole('button', { name: 'Give the points' }).click();
    await expect
      .poll(async () => (await shop.db('payments').where({ id: sold }).first()).pointsAwarded, SOON)
      .toBe(1_777);
    await page.keyboard.press('Escape');
    await seen(page).toMatch(/Sales[\s\S]*Credited/);
    await expectSound(screen);
  });
});

describe('the page of a customer', inBrowser, () => {
  it('says what they are to the shop, and sends the mail of a code again', async () => {
    await shop.sell({ email, amount: 2_000 });
    const { userId } = await shop.as('consumer').showProfile();
    const [wallet] = await shop.as('consumer').listWallets();
    const { id: walletId } = required(wallet);
    const body = { pointsToRedeem: 100 };
    const { redemptionId } = await shop.as('consumer').confirmRedemption({ walletId, body });
    const screen = await open({ ...portal, path: `/portal/consumers/${userId}`, size: 'phone' });
    const { page } = screen;
    await seen(page).toMatch(/Visits\s+\d[\s\S]*Paid in 12 months[\s\S]*What happened\s+Code/);
    await page.getByRole('button', { name: 'Send again: the code of €1.00' }).click();
    await page.getByText('The mail is on its way already.').waitFor();
    expect(screen.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    const codeMailedAt = new Date(Date.now() - 120_000);
    await shop.db('redemptions').where({ id: redemptionId }).update({ codeMailedAt });
    await page.getByRole('button', { name: 'Send again: the code of €1.00' }).click();
    await page.getByText('The mail with the code is on its way.').waitFor();
    await expectSound(screen);
  });

  it('asks for points, which an administrator grants', async () => {
    const { userId } = await shop.as('consumer').showProfile();
    const [before] = await shop.as('consumer').listWallets();
    const path = `/portal/consumers/${userId}`;
    const { page } = await open({ ...portal, path, size: 'phone' });
    const ask = async (points: string) => {
      await page.getByRole('button', { name: 'Ask for points' }).click();
      await page.getByLabel('Points', { exact: true }).fill(points);
      await page.getByLabel('Reason').fill('The coffee was cold.');
      await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click();
      await seen(page).toContain('Waits for an answer');
    };
    await ask('300');
    await page.getByRole('button', { name: 'Withdraw it' }).click();
    await seen(page).toContain('Withdrawn');
    await ask('200');

    const office = await open({
      app: 'office',
      person: 'admin',
      path: '/office/goodwill',
      size: 'phone',
    });
    await seen(office.page).toMatch(/Corner Café asks for 200 points[\s\S]*The coffee was cold\./);
    await expectSound(office);
    await office.page.getByRole('button', { name: /^Grant 200 points/ }).click();
    await office.page.getByRole('button', { name: 'Add them' }).click();
    await seen(office.page).toMatch(/The points are added\.[\s\S]*No shop waits for an answer/);
    const [after] = await shop.as('consumer').listWallets();
    expect(required(after).balance - required(before).balance).toBe(200);
    await page.reload();
    await seen(page).toMatch(/What happened\s+Correction[\s\S]*Granted/);
  });

  it('shows why points were declined', async () => {
    const { userId } = await shop.as('consumer').showProfile();
    const body = { points: 5, reason: 'A wish.' };
    await shop.as('merchant').askForGoodwill({ tenantId: shop.tenantId, userId, body });
    const office = await open({
      app: 'office',
      person: 'admin',
      path: '/office/goodwill',
      size: 'desktop',
    });
    await office.page.getByRole('button', { name: /^Decline 5 points/ }).click();
    await office.page.getByLabel('Reason').fill('Too often.');
    await office.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await seen(office.page).toContain('The request is declined.');
    const screen = await open({ ...portal, size: 'desktop' });
    await seen(screen.page).toMatch(/Points that you asked for[\s\S]*Declined Too often\./);
    await expectSound(screen);
  });
});
