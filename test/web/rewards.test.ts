import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aReward } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, turnTo, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant offers something for points, a customer gets it, and a till hands it out.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

describe('a reward', inBrowser, () => {
  it('is published by the merchant, with what is wrong beside each field', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/rewards'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    const { page } = screen;
    await seen(page).toContain('No reward yet');
    await page.getByRole('link', { name: 'New reward' }).click();
    await page.getByLabel('Name').fill('A coffee');
    await page.getByLabel('Price in points').fill('300');
    await page.getByLabel('What it costs you').fill('30.01');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('That is more than ten times what the points are worth.').waitFor();
    await expectSound(screen);
    await page.getByLabel('What it costs you').fill('3.50');
    await page.getByLabel('How many there are').fill('1');
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/A coffee[\s\S]*Offered[\s\S]*300 points · Handed out at the till/);
    await seen(page).toContain('1 of 1 are left');
    await expectSound(screen);
  });

  it('is got by a customer, and handed out at the till', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const wallet = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = wallet;
    await page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(page).toMatch(/Rewards[\s\S]*A coffee[\s\S]*300 points · 1 left/);
    await expectSound(wallet);
    await page.getByRole('button', { name: 'Get A coffee' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Get it for 300 points' }).click();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText(), SOON)
      .toBe('A coffee');
    await expectSound(wallet);

    const [redemption] = await shop.as('consumer').listRedemptions({});
    const till = await open({ app: 'till', person: 'operator', size: 'phone' });
    await till.page.getByLabel('Code', { exact: true }).fill(String(redemption?.code));
    // No answer comes to the first try.
    await till.page.route('**/complete', (route) => route.abort());
    await till.page.getByRole('button', { name: 'Hand out: A coffee' }).click();
    await seen(till.page).toContain('Try again before you hand out “A coffee”');
    till.complaints.length = 0;
    await till.page.unroute('**/complete');
    await till.page.getByRole('button', { name: 'Try again' }).click();
    await expect
      .poll(() => till.page.getByRole('status').allInnerTexts(), SOON)
      .toContainEqual(expect.stringContaining('Hand out “A coffee”, and take nothing off.'));
    await expectSound(till);

    const office = await open({
      app: 'office',
      person: 'admin',
      path: `/office/people?q=${redemption?.id}`,
      size: 'phone',
    });
    await office.page.getByRole('link', { name: 'Code for A coffee', exact: true }).waitFor();
    await expectSound(office);
  });

  it('is sold out then, and ended by the merchant', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/rewards'] as const;
    const screen = await open({ app, person, path, size: 'desktop', scheme: 'dark' });
    const { page } = screen;
    await seen(page).toMatch(/Sold out[\s\S]*Taken once[\s\S]*0 of 1 are left/);
    await expectSound(screen);
    await page.getByRole('button', { name: 'End “A coffee”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await seen(page).toMatch(/Ended[\s\S]*A coffee/);
    await expectSound(screen);
  });

  it('can be got again once its code was used, which the page hears of', async () => {
    await aReward(shop.db, shop.tenantId, {
      name: 'A tea',
      pricePoints: 200,
      valueMinorUnits: 250,
    });
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const ada = shop.as('consumer');
    const [wallet] = await ada.listWallets();
    const path = `/wallet/wallets/${wallet?.id}`;
    const { page } = await open({ app: 'wallet', person: 'consumer', path });
    await page.getByText('Live', { exact: true }).waitFor();
    const get = page.getByRole('button', { name: 'Get A tea' });
    await get.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Get it for 200 points' }).click();
    await page.waitForURL(/codes/);
    const [redemption] = await ada.listRedemptions({ status: 'issued' });
    await turnTo(page, path);
    await seen(page).toContain('You have a code for it.');
    await shop.as('operator').completeRedemption({ body: { code: String(redemption?.code) } });
    await expect.poll(() => get.isEnabled(), SOON).toBe(true);
  });
});
