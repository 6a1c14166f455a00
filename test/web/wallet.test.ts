import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { WalletId } from '../../domain/ids.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aCredit, aRule, postByHand, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a consumer does with the wallet, clicked through in Chromium.

const shop = await useShop();
const { open, visit } = useScreens(shop);
const { email } = PEOPLE.consumer;
const ada = shop.as('consumer');

const mainOf = (page: Page) => page.getByRole('main');
const seen = (page: Page) => expect.poll(() => mainOf(page).innerText(), SOON);

async function aWalletWith(points: number) {
  await shop.sell({ email, amount: points });
  const [wallet] = await ada.listWallets();
  return required(wallet);
}

/** Opens the wallet at the shop. An open code has a link of its name, too, and may come first. */
async function toShop(page: Page): Promise<void> {
  const shops = page.getByRole('list', { name: 'Your shops' });
  await shops.getByRole('link', { name: /Corner Café/ }).click();
}

/** Redeems with the keyboard's End, so that all that can be is redeemed; returns the code. */
async function redeem(page: Page): Promise<string> {
  await toShop(page);
  await page.getByRole('button', { name: 'Redeem', exact: true }).click();
  await page.getByRole('button', { name: 'Get the code' }).click();
  await page.getByText('Show this at the till').waitFor();
  const text = await page.locator('.code-side .code-text').innerText();
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

    await toShop(page);
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
    const dialog = () => page.getByRole('dialog').innerText();
    await page.getByRole('button', { name: '€1.00', exact: true }).click();
    await expect.poll(dialog, SOON).toMatch(/€1\.00 off[\s\S]*100 points · [\d,]+ are left/);
    await page.getByRole('button', { name: 'More points' }).click();
    await expect.poll(dialog, SOON).toContain('150 points');
    await slider.press('Home');
    await slider.press('ArrowRight');
    await expect.poll(dialog, SOON).toContain('€1.00 off');
    await slider.press('End');
    await expect.poll(dialog, SOON).toContain(`${after} points`);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Get the code' }).click();
    await seen(page).toMatch(/Show this at the till[\s\S]*1\d:\d\d left/);
    await page.getByRole('img', { name: /QR code of/ }).waitFor();
    await expectSound(screen);

    const code = (await page.locator('.code-side .code-text').innerText()).replaceAll(' ', '');
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toMatch(/€[\d.]+ off at Corner Café[\s\S]*Used .*\.[\s\S]*You have 0 points/);
    await page.getByRole('link', { name: 'To your points' }).waitFor();
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
    await page.getByRole('link', { name: 'Get another code' }).click();
    await page.getByRole('dialog').getByText('Redeem points').waitFor();
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
    expect((await page.locator('.code-side .code-text').innerText()).replaceAll(' ', '')).toBe(
      code,
    );
    await page.getByRole('img', { name: /QR code of/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the code' }).isDisabled()).toBe(true);
    for (const secret of [code, email, PEOPLE.consumer.phone_number]) {
      expect(await kept()).not.toContain(secret);
    }

    await page.reload();
    await seen(page).toContain('This is not kept on the phone');
    expect(await mainOf(page).innerText()).not.toContain(code);
    await page.getByRole('link', { name: 'Points', exact: true }).last().click();
    await seen(page).toMatch(/No connection\.[\s\S]*Corner Café[\s\S]*points/);
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    screen.complaints.length = 0;
    await expectSound(screen);
    for (const [name, level] of [
      ['Codes', 1],
      ['Corner Café', 1],
    ] as const) {
      await page
        .getByRole('link', { name: new RegExp(name) })
        .last()
        .click();
      await page.getByRole('heading', { name, level }).waitFor();
      await seen(page).toContain('This is not kept on the phone');
      await page.getByRole('link', { name: 'Points', exact: true }).last().click();
    }

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

describe('the code on the screen', inBrowser, () => {
  it('is asked for once and leaves one step behind, however often it is pressed', async () => {
    await aWalletWith(200);
    const { page } = await open({ app: 'wallet', person: 'consumer' });
    await toShop(page);
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    const button = page.getByRole('button', { name: 'Get the code' });
    await button.waitFor();
    // Two presses before the page has drawn anything anew.
    await page.evaluate(`{
      const button = document.querySelector('[role=dialog] [type=submit]');
      button.click();
      button.click();
    }`);
    await page.getByText('Show this at the till').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Corner Café', level: 1 }).waitFor();
  });

  it.each([
    { held: 'upright', viewport: { width: 390, height: 844 } },
    { held: 'on its side', viewport: { width: 844, height: 390 } },
  ])('is large on a phone held $held, and larger when tapped', async ({ viewport }) => {
    await aWalletWith(100);
    const screen = await open({ app: 'wallet', person: 'consumer' });
    const { page } = screen;
    const code = await redeem(page);
    await page.setViewportSize(viewport);
    const picture = page.getByRole('img', { name: /QR code of/ });
    const boxOf = async () => required((await picture.boundingBox()) ?? undefined);
    const smaller = Math.min(viewport.width, viewport.height);
    const before = await boxOf();
    // Of 21 modules, in a margin of two.
    expect((before.width * 21) / 25).toBeGreaterThan(0.6 * smaller);
    expect(before.y + before.height).toBeLessThan(viewport.height);
    await expectSound(screen);

    await page.getByRole('button', { name: 'Show the QR code on the whole screen' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    const large = required((await picture.last().boundingBox()) ?? undefined);
    expect(large.width).toBeGreaterThan(0.75 * smaller);
    expect(large.y + large.height).toBeLessThan(viewport.height);
    const text = await page.locator('.code-full .code-text').innerText();
    expect(text.replaceAll(' ', '')).toBe(code);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'hidden' });
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

  it('says how far it is to what can be redeemed, and what is owed for a refund', async () => {
    const sale = { id: 'PAY_owed', email, amount: 120 };
    await shop.sell(sale);
    const { id, redeemable } = required((await ada.listWallets())[0]);
    const body = { pointsToRedeem: redeemable.max };
    const { redemptionCode: code } = await ada.confirmRedemption({ walletId: id, body });
    await shop.as('operator').completeRedemption({ body: { code } });
    await shop.sell({ ...sale, refunded: 120, updatedAt: new Date() });
    await aRule(shop.db, shop.tenantId, { conversionRate: 1, minBalanceToRedeem: 500 });
    const screen = await open({ app: 'wallet', person: 'consumer', path: `/wallet/wallets/${id}` });
    await seen(screen.page).toMatch(/500 points to go[\s\S]*About €5\.00 of purchases/);
    await seen(screen.page).toContain('Your next points first replace 120 points of a purchase');
    await screen.page.getByRole('meter', { name: '500 points to go' }).waitFor();
    await expectSound(screen);
    await aRule(shop.db, shop.tenantId);
  });

  it('has the color of its shop', async () => {
    const { id } = await aWalletWith(1_000);
    const paint = (color: string | null) =>
      shop.db('tenants').where({ id: shop.tenantId }).update({ color });
    const screen = await open({ app: 'wallet', person: 'consumer', path: `/wallet/wallets/${id}` });
    const button = screen.page.getByRole('button', { name: 'Redeem', exact: true });
    const ground = () =>
      screen.page.evaluate(
        `getComputedStyle(document.querySelector('.button-brand')).backgroundColor`,
      );
    await button.waitFor();
    const before = await ground();
    await paint('#a0206a');
    await screen.page.reload();
    await button.waitFor();
    await expect.poll(ground, SOON).not.toBe(before);
    await expectSound(screen);
    await paint(null);
  });

  it('tells what was paid at each visit, by month, and lists what was earned or used', async () => {
    const sale = { id: 'PAY_refunded', email, amount: 470 };
    await shop.sell(sale);
    await shop.sell({ ...sale, refunded: 100, updatedAt: new Date() });
    const { id } = required((await ada.listWallets())[0]);
    const screen = await open({ app: 'wallet', person: 'consumer', path: `/wallet/wallets/${id}` });
    const { page } = screen;
    const list = page.getByRole('list', { name: 'History' });
    const listed = () => list.innerText();
    await expect
      .poll(listed, SOON)
      .toMatch(/Purchase · €4\.70[\s\S]*\+470[\s\S]*Alpha[\s\S]*€1\.00 of it was paid back/);
    await page
      .getByRole('heading', { name: /^\w+ \d{4}$/, level: 3 })
      .first()
      .waitFor();
    await expectSound(screen);
    await page.getByRole('button', { name: 'Used', exact: true }).click();
    await expect.poll(listed, SOON).toMatch(/^(?![\s\S]*Purchase)[\s\S]*Code · €/);
    await page.getByRole('button', { name: 'Earned', exact: true }).click();
    await expect.poll(listed, SOON).toMatch(/^(?![\s\S]*Code)[\s\S]*Purchase/);
    await page
      .getByRole('button', { name: /^Why\? Purchase/ })
      .first()
      .click();
    const dialog = () => page.getByRole('dialog').innerText();
    await expect.poll(dialog, SOON).toMatch(/You paid €[\s\S]*€4\.70 × 100 = 470 points\./);
  });
});

describe('the first minute', inBrowser, () => {
  it('says that an address earns nothing until it is confirmed', async () => {
    const screen = await visit({ app: 'wallet', person: 'consumer', scheme: 'dark' });
    const { page } = screen;
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Lina Park');
    await page.getByRole('textbox', { name: 'E-mail' }).fill('lina@example.com');
    await page.getByLabel('the e-mail address is verified').uncheck();
    await page.getByRole('button', { name: 'Add, and sign in' }).click();
    await seen(page).toMatch(/Confirm your e-mail address[\s\S]*lina@example\.com earn no points/);
    await seen(page).toContain('No points yet');
    await expectSound(screen);
    await page.getByRole('button', { name: 'I have confirmed it' }).click();
    await page.getByRole('button', { name: 'Sign in as Lina Park' }).waitFor();
  });

  it('says while earlier purchases are being looked for', async () => {
    const { page } = await open({ app: 'wallet', person: 'consumer' });
    await seen(page).toContain('Looking for your earlier purchases.');
    // No worker runs here, which finishes the work when it has looked.
    const looked = { kind: 'match_signup', subjectId: shop.userIds.consumer };
    await shop.db('due_work').where(looked).delete();
    await seen(page).not.toContain('Looking for your earlier purchases.');
  });
});
