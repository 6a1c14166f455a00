import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What an administrator finds by what somebody quotes in a message.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

describe.each(['phone', 'desktop'] as const)('the search on a %s', inBrowser, (size) => {
  it('finds what a code or an id is of, and leads there', async () => {
    const id = await shop.sell({ email, amount: 2_000 });
    const unknownId = await shop.sell({ amount: 300 });
    const { providerPaymentId } = await shop.db('payments').where({ id }).first();
    const [wallet] = await shop.as('consumer').listWallets();
    const walletId = required(wallet).id;
    const { redemptionCode: code } = await shop
      .as('consumer')
      .confirmRedemption({ walletId, body: { pointsToRedeem: 400 } });
    const scheme = size === 'phone' ? 'light' : 'dark';
    const screen = await open({
      app: 'office',
      person: 'admin',
      path: '/office/people',
      size,
      scheme,
    });
    const { page } = screen;
    const find = async (text: string) => {
      await page.getByLabel('Person, shop, code or id').fill(text);
      await page.keyboard.press('Enter');
    };
    const follow = async (name: string) => {
      await expectSound(screen);
      await page.getByRole('list', { name: 'By code or id' }).getByRole('link', { name }).click();
    };

    await find(code);
    await seen(page).toMatch(/Code for €4\.00 off[\s\S]*ada@\S+, Corner Café[\s\S]*Open/);
    await follow('Code for €4.00 off');
    await page.waitForURL(`**/wallets/${walletId}`);
    await page.goBack();

    await find(String(providerPaymentId));
    await seen(page).toMatch(/Sale of €20\.00[\s\S]*Corner Café, Alpha PAY_/);
    await follow('Sale of €20.00');
    await page.waitForURL(`**/wallets/${walletId}`);
    await page.goBack();

    await find(unknownId);
    await seen(page).toMatch(/Sale of €3\.00[\s\S]*no known customer, Corner Café/);
    await follow('Sale of €3.00');
    await page.waitForURL(`**/shops/${shop.tenantId}`);
    await page.goBack();

    await find('no-such-id-1');
    await seen(page).toContain('no code or id is exactly that');
    await expectSound(screen);

    await shop.as('admin').freezeWallet({ walletId, body: {} });
    await shop.as('admin').unfreezeWallet({ walletId, body: {} });
    const [entry] = await shop.as('admin').listAuditLogs({ action: 'wallet.unfreeze' });
    await find(required(entry).requestId);
    await seen(page).toMatch(/Request: Unfroze a wallet/);
    await follow('Request: Unfroze a wallet');
    await expect.poll(() => page.getByRole('article').count(), SOON).toBe(1);
    await seen(page).toContain('Unfroze a wallet');
    await expectSound(screen);
  });
});
