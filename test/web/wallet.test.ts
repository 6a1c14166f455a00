import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { WalletId } from '../../domain/ids.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aCredit, postByHand, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a consumer does with the wallet, clicked through in Chromium.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const ada = shop.as('consumer');

const mainOf = (page: Page) => page.getByRole('main');
const seen = (page: Page) => expect.poll(() => mainOf(page).innerText(), SOON);

async function aWalletWith(points: number) {
  await shop.sell({ email, amount: points });
  const [wallet] = await ada.listWallets();
  return required(wallet);
}

/** Redeems with the keyboard's End, so that all that can be is redeemed; returns the code. */
async function redeem(page: Page): Promise<string> {
  await page
    .getByRole('link', { name: /Corner Café/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Redeem', exact: true }).click();
  await page.getByRole('button', { name: 'Get the code' }).click();
  await page.getByText('Show this at the till').waitFor();
  const text = await page.locator('.code-text').innerText();
  return text.replaceAll(' ', '');
}

describe.each(['phone', 'desktop'] as const)('the wallet on a %s', inBrowser, (size) => {
  it('earns, explains, redeems, and hears at once that the code was used', async () => {
    const screen = await open({ app: 'wallet', person: 'consumer', size });
    const { page } = screen;
    await page.getByText('Live', { exact: true }).waitFor();
    const before = (await ada.listWallets())[0]?.balance ?? 0;
    await shop.sell({ email, amount: 1_250 });
    const after = new Intl.NumberFormat('en').format(before + 1_250);
    await seen(page).toContain(`${after} points`);
    await seen(page).toContain('Corner Café');
    await expectSound(screen);

    await page
      .getByRole('link', { name: /Corner Café/ })
      .last()
      .click();
    await seen(page).toContain('1 point for each €0.01');
    await page
      .getByRole('button', { name: /^Why\? Purchase/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/points/)
      .first()
      .waitFor();
    await expectSound(screen);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);

    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    const slider = page.getByRole('slider', { name: 'Points to redeem' });
    await slider.press('Home');
    await slider.press('ArrowRight');
    await page.getByRole('button', { name: 'More points' }).click();
    await expect
      .poll(() => page.getByRole('dialog').innerText(), SOON)
      .toMatch(/3 points[\s\S]*€0\.03/);
    await slider.press('End');
    await expect
      .poll(() => page.getByRole('dialog').innerText(), SOON)
      .toContain(`${after} points`);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Get the code' }).click();
    await seen(page).toMatch(/Show this at the till[\s\S]*1\d:\d\d left/);
    await page.getByRole('img', { name: /QR code of/ }).waitFor();
    await expectSound(screen);

    const code = (await page.locator('.code-text').innerText()).replaceAll(' ', '');
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toMatch(/Used /);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Codes', exact: true }).last().click();
    await seen(page).toMatch(/Corner Café[\s\S]*Used/);
    await expectSound(screen);
  });
});

describe('a code', inBrowser, () => {
  it('is cancelled after a question, and its points come back', async () => {
    await aWalletWith(500);
    const screen = await open({ app: 'wallet', person: 'consumer' });
    const { page } = screen;
    await redeem(page);
    await page.getByRole('button', { name: 'Cancel the code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    // It has a button of the same name as the page.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await seen(page).toContain('Show this at the till');
    await page.getByRole('button', { name: 'Cancel the code' }).click();
    const dialog = page.getByRole('dialog');
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Cancel the code' }).click();
    await seen(page).toContain('This code was cancelled.');
    await seen(page).toMatch(/Its [\d,]+ points are back in your wallet\./);
    await expectSound(screen);
  });

  it('stays on the screen without a connection, but nowhere else', async () => {
    await aWalletWith(100);
    const screen = await open({ app: 'wallet', person: 'consumer', scheme: 'dark' });
    const { page } = screen;
    const code = await redeem(page);
    await page.evaluate('navigator.serviceWorker.ready');
    await page.getByRole('img', { name: /QR code of/ }).waitFor();
    const kept = () => page.evaluate('Object.values(localStorage).join()');
    await expect.poll(kept, SOON).toContain('Corner Café');

    await page.context().setOffline(true);
    await seen(page).toContain('No connection.');
    expect((await page.locator('.code-text').innerText()).replaceAll(' ', '')).toBe(code);
    await page.getByRole('img', { name: /QR code of/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the code' }).isDisabled()).toBe(true);
    for (const secret of [code, email, PEOPLE.consumer.phone_number]) {
      expect(await kept()).not.toContain(secret);
    }

    await page.reload();
    await seen(page).toContain('This page needs a connection.');
    expect(await mainOf(page).innerText()).not.toContain(code);
    await page.getByRole('link', { name: 'Points', exact: true }).last().click();
    await seen(page).toMatch(/No connection\.[\s\S]*Corner Café[\s\S]*points/);
    screen.complaints.length = 0;
    await expectSound(screen);

    await page.context().setOffline(false);
    await expect.poll(() => mainOf(page).innerText(), SOON).not.toContain('No connection.');
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it("has its time by the service's clock, on a phone that is twenty minutes fast", async () => {
    await aWalletWith(40);
    const before = (context: BrowserContext) =>
      context.clock.setSystemTime(new Date(Date.now() + 20 * 60_000));
    const { page } = await open({ app: 'wallet', person: 'consumer', before });
    await redeem(page);
    await seen(page).toMatch(/1[45]:\d\d left/);
  });
});

describe('a wallet', inBrowser, () => {
  it('that is frozen says so, and redeems nothing', async () => {
    const { id } = await aWalletWith(50);
    await shop.as('admin').freezeWallet({ walletId: id, body: { reason: 'A test.' } });
    const screen = await open({ app: 'wallet', person: 'consumer', path: `/wallet/wallets/${id}` });
    await seen(screen.page).toContain('This wallet is frozen');
    expect(
      await screen.page.getByRole('button', { name: 'Redeem', exact: true }).isDisabled(),
    ).toBe(true);
    await expectSound(screen);
    await shop.as('admin').unfreezeWallet({ walletId: id, body: { reason: 'A test.' } });
    const button = screen.page.getByRole('button', { name: 'Redeem', exact: true });
    await screen.page.reload();
    await expect.poll(() => button.isEnabled(), SOON).toBe(true);
  });

  it('lists all that happened, a page at a time', async () => {
    const { id } = await aWalletWith(10);
    await shop.db.transaction((tx) =>
      postByHand(
        tx,
        Array.from({ length: 70 }, () => aCredit(WalletId.parse(id), 1)),
      ),
    );
    const screen = await open({ app: 'wallet', person: 'consumer', path: `/wallet/wallets/${id}` });
    const { page } = screen;
    const items = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await expect.poll(() => items.count(), SOON).toBeGreaterThan(10);
    const first = await items.count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => items.count(), SOON).toBeGreaterThan(first);
    await expectSound(screen);
  });

  it('is used by keyboard alone', async () => {
    await aWalletWith(30);
    const { page } = await open({ app: 'wallet', person: 'consumer', size: 'desktop' });
    const focusOn = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab');
        const text = await page.evaluate(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
        );
        if (name.test(String(text))) return;
      }
      throw new Error(`Tab does not lead to ${name}.`);
    };
    await page
      .getByRole('link', { name: /Corner Café/ })
      .last()
      .waitFor();
    await focusOn(/Corner Café.*worth/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Redeem', exact: true }).waitFor();
    await focusOn(/^Redeem$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Get the code' }).waitFor();
    await focusOn(/^Get the code$/);
    await page.keyboard.press('Enter');
    await seen(page).toContain('Show this at the till');
  });
});
