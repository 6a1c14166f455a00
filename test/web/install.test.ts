import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The wallet as an app on the phone: offered where it can be had, and only then.

const shop = await useShop();
const { open } = useScreens(shop);

const main = (page: Page) => page.getByRole('main').innerText();
const seen = (page: Page) => expect.poll(() => main(page), SOON);
const OFFER = 'Add it to your phone';
/** Has the browser offer an installation while the page is loading, as Chromium does. */
const offering = (context: BrowserContext) =>
  context.addInitScript(`document.addEventListener('DOMContentLoaded', () => setTimeout(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    offer.prompt = async () => { globalThis.asked = (globalThis.asked ?? 0) + 1; };
    globalThis.isOurs = !dispatchEvent(offer);
  }));`);
const atApple = (context: BrowserContext) =>
  context.addInitScript(`Object.defineProperty(navigator, 'standalone', { value: false });`);
const wallet = { app: 'wallet', person: 'consumer' } as const;

describe('the wallet', inBrowser, () => {
  it('is offered as an app once there are points, and asks the browser', async () => {
    const screen = await open({ ...wallet, before: offering });
    const { page } = screen;
    await seen(page).toContain('No points yet');
    expect(await main(page)).not.toContain(OFFER);
    await shop.sell({ email: PEOPLE.consumer.email, amount: 1_250 });
    await seen(page).toContain(OFFER);
    expect(await page.evaluate('isOurs')).toBe(true);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Add it', exact: true }).click();
    await seen(page).not.toContain(OFFER);
    expect(await page.evaluate('asked')).toBe(1);
  });

  it('is offered no more on a device where it was not wanted', async () => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 1_250 });
    const { page } = await open({ ...wallet, before: offering });
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await seen(page).not.toContain(OFFER);
    await page.reload();
    await seen(page).toContain('Corner Café');
    await expect.poll(() => page.evaluate('globalThis.isOurs'), SOON).toBe(true);
    expect(await main(page)).not.toContain(OFFER);
  });

  it('says the steps at Apple, and is no offer elsewhere nor at the till', async () => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 1_250 });
    const screen = await open({ ...wallet, before: atApple });
    await seen(screen.page).toMatch(/Tap Share .* “Add to Home Screen”/);
    expect(await screen.page.getByRole('button', { name: 'Add it', exact: true }).count()).toBe(0);
    await expectSound(screen);
    const { page } = await open(wallet);
    await seen(page).toContain('Corner Café');
    expect(await main(page)).not.toContain(OFFER);
    const till = await open({ app: 'till', person: 'operator', before: offering });
    await seen(till.page).toContain('Last taken');
    await expect.poll(() => till.page.evaluate('globalThis.isOurs'), SOON).toBe(false);
    expect(await main(till.page)).not.toContain(OFFER);
  });
});
