import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens, withoutProgrammes } from './screens.ts';
import { useShop } from './shop.ts';

// How a customer gets what is kept about them, and has it erased.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const { consumer: id } = shop.userIds;

describe('your data', inBrowser, () => {
  it('is downloaded as a file, three times a day', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    const button = page.getByRole('button', { name: 'Download my data' });
    for (let nth = 0; nth < 3; nth++) {
      const coming = page.waitForEvent('download');
      await button.click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe('my-points.json');
      expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
        person: { id, email },
        wallets: [{ wallet: { balance: 1_250 }, entries: [{ points: 1_250 }] }],
      });
    }
    await expectSound(screen);
    await button.click();
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts(), SOON)
      .toContainEqual(expect.stringContaining('three times within a day. Try again later.'));
  });
});

describe('where there are no programmes', inBrowser, () => {
  it('nothing is downloaded or erased', async () => {
    const { page } = await open({ app: 'wallet', person: 'consumer', before: withoutProgrammes });
    await page.getByRole('link', { name: /Corner Café/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Download my data' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Erase my account' }).count()).toBe(0);
  });
});

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const focused = (page: Page) =>
  expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON);
const ada = shop.as('consumer');

describe('an account', inBrowser, () => {
  it('is erased in 72 hours, once its points are known to be lost, or kept', async () => {
    const { id: walletId, balance } = required((await ada.listWallets())[0]);
    await ada.confirmRedemption({ walletId, body: { pointsToRedeem: 250 } });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    await page.getByRole('link', { name: 'Erase my account' }).click();
    await seen(page).toMatch(
      /begins in 72 hours[\s\S]*A mail to ada@example\.com[\s\S]*Corner Café\s+1,000 points, wor/,
    );
    await seen(page).toMatch(/Corner Café, code\s+250 points, for €2\.50/);
    await focused(page).toBe('Erase my account');
    await expectSound(screen);
    const erase = page.getByRole('button', { name: 'Erase my account' });
    await erase.click();
    await expect(ada.showErasure()).rejects.toThrow('No erasure is scheduled.');
    await page.getByLabel(`I lose ${balance.toLocaleString('en')} points`).check();
    await erase.click();
    const notice = page.getByRole('alert');
    await expect
      .poll(() => notice.innerText(), SOON)
      .toMatch(/Your account will be erased on \w+ \d+, \d+, [\d:]+\s[AP]M\./);
    expect(await ada.showErasure()).toMatchObject({ status: 'scheduled' });
    await focused(page).toBe('My points');
    expect(await page.getByRole('link', { name: 'Erase my account' }).count()).toBe(0);
    await expectSound(screen);

    await page.reload();
    await notice.getByRole('button', { name: 'Keep my account' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Your account stays').waitFor();
    await page.getByRole('link', { name: 'Erase my account' }).waitFor();
    expect(await notice.count()).toBe(0);
    await focused(page).toBe('My points');
    await expect(ada.showErasure()).rejects.toThrow('No erasure is scheduled.');
    await expectSound(screen);
  });

  it('is not kept any longer where that was done elsewhere', async () => {
    await ada.requestErasure({ body: { confirm: 'ERASE' } });
    const { page } = await open({ app: 'wallet', person: 'consumer' });
    const keep = page.getByRole('button', { name: 'Keep my account' });
    // Between its press and its request, or the page may hear of it before.
    let isKeptElsewhere = false;
    await page.route('**/consumer/erasure', async (route) => {
      if (route.request().method() === 'DELETE') {
        await ada.withdrawErasure();
        isKeptElsewhere = true;
      }
      await route.continue();
    });
    await keep.click();
    await page.getByRole('link', { name: 'Erase my account' }).waitFor();
    expect(isKeptElsewhere).toBe(true);
    expect(await keep.count()).toBe(0);
  });

  it('of staff is erased by the support', async () => {
    const path = '/wallet/erase';
    const screen = await open({ app: 'wallet', person: 'operator', path });
    await seen(screen.page).toMatch(/You work at the till[\s\S]*help@shop\.example/);
    expect(await screen.page.getByRole('checkbox').count()).toBe(0);
    await expectSound(screen);
  });

  it('of who was staff until lately is refused, in words', async () => {
    const { tenantId } = shop;
    await shop.db('operator_removals').insert({ tenantId, userId: id });
    const path = '/wallet/erase';
    const { page } = await open({ app: 'wallet', person: 'consumer', path, size: 'desktop' });
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Erase my account' }).click();
    await seen(page).toMatch(/in the last 90 days[\s\S]*ask the support[\s\S]*help@shop\.example/);
  });
});
