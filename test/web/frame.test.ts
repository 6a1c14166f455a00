import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What all apps have around their pages, tried where it shows most.

const shop = await useShop();
const { open } = useScreens(shop);
const { open: openLarge } = useScreens(shop, () => ['--blink-settings=defaultFontSize=32']);
await shop.sell({ email: PEOPLE.consumer.email, amount: 1_250 });
await shop.sell({ email: 'no.account.of.this.long.name@example.com', amount: 730 });

const focused = (page: Page) => page.evaluate('document.activeElement.tagName');
const sideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe('the pages of an app', inBrowser, () => {
  it('are at the thumb on a phone, the rest of them in groups behind the last', async () => {
    const screen = await open({ app: 'portal', person: 'merchant' });
    const { page } = screen;
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await expect.poll(() => pages.getByRole('link').count(), SOON).toBe(4);
    await pages.getByRole('button', { name: 'More' }).click();
    await page.getByRole('list', { name: 'Settings' }).waitFor();
    await expectSound(screen);
    await pages.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(await page.getByRole('list', { name: 'Settings' }).count()).toBe(0);
    expect(await pages.locator('[aria-current]:visible').allInnerTexts()).toEqual(['More']);
  });

  it('have the focus on their heading once they are shown', async () => {
    const { page } = await open({ app: 'portal', person: 'merchant', size: 'desktop' });
    await page.getByRole('link', { name: 'Home' }).waitFor();
    expect(await focused(page)).toBe('BODY');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await expect.poll(() => focused(page), SOON).toBe('H1');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => page.title(), SOON).toBe('Corner Café');
    await expect.poll(() => focused(page), SOON).toBe('H1');
  });
});

describe('the account menu', inBrowser, () => {
  it.each(['phone', 'desktop'] as const)('says on a %s who is signed in', async (size) => {
    const screen = await open({ app: 'wallet', person: 'consumer', size, scheme: 'dark' });
    const { page } = screen;
    const { name, email } = PEOPLE.consumer;
    const button = page.getByRole('button', { name: `Account: ${name}` });
    await button.click();
    await page.getByText(email, { exact: true }).waitFor();
    await expectSound(screen);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText(email, { exact: true }).isVisible(), SOON).toBe(false);
  });
});

describe('the top of the portal', inBrowser, () => {
  it('has the name of the shop in one line on a phone, and nothing that is cut', async () => {
    const { page } = await open({ app: 'portal', person: 'merchant' });
    const name = page.getByRole('banner').getByText('Corner Café', { exact: true });
    await name.waitFor();
    expect(required(await name.boundingBox()).height).toBeLessThan(30);
    const cut = `[...document.querySelectorAll('.top p, .top span')]
      .filter((one) => getComputedStyle(one).clipPath === 'none' && one.clientWidth > 1)
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });
});

describe('a page', inBrowser, () => {
  it('is not wider than the window where people write from right to left', async () => {
    const { page } = await open({ app: 'portal', person: 'merchant' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('document.documentElement.dir = "rtl"');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('document.documentElement.dir = "rtl"');
    // What is still being loaded is laid out anew with it.
    await expect.poll(() => sideways(page), SOON).toBe(0);
    await expect.poll(() => page.evaluate('scrollX'), SOON).toBe(0);
  });

  it('grows with the text size that its reader has chosen', async () => {
    const screen = await openLarge({ app: 'wallet', person: 'consumer' });
    await screen.page.getByText('Live', { exact: true }).waitFor();
    expect(await screen.page.evaluate('getComputedStyle(document.body).fontSize')).toBe('32px');
    await expectSound(screen);
    await screen.page.getByRole('link', { name: /Corner Café/ }).click();
    await screen.page.getByRole('list', { name: 'History' }).waitFor();
    await expectSound(screen);
  });
});

describe('a table', inBrowser, () => {
  it('breaks no word of a heading, a time, an amount or a button', async () => {
    const { page } = await open({
      app: 'portal',
      person: 'merchant',
      size: 'desktop',
      path: '/portal/transactions',
    });
    await page.getByRole('cell', { name: /No known customer/ }).waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll('th, time, td button')]
      .filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      })
      .map((one) => one.textContent)`);
    expect(broken).toEqual([]);
  });
});
