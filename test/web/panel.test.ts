import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What lists come to, the panel that a row opens at the side, and the search in the header.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const sold = await shop.sell({ email, amount: 1_250, createdAt: new Date() });
await shop.sell({ amount: 300 });
const [wallet] = await shop.as('consumer').listWallets();
const { id: walletId } = required(wallet);
await shop.as('consumer').confirmRedemption({ walletId, body: { pointsToRedeem: 200 } });

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const STORY = { timeout: 120_000 };
const panelOf = (page: Page) => page.getByRole('dialog');
const inPanel = (page: Page) => expect.poll(() => panelOf(page).innerText(), SOON);
const closed = (page: Page) => panelOf(page).waitFor({ state: 'detached' });
const portal = (path: string, size: 'phone' | 'desktop' = 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: `/portal${path}`, size });
const focused = (page: Page) =>
  expect.poll(() => page.evaluate('document.activeElement.getAttribute("href")'), SOON);

describe.each(['phone', 'desktop'] as const)('on a %s', inBrowser, (size) => {
  it('lists say what they come to with their filters', async () => {
    const screen = await portal('/transactions', size);
    const { page } = screen;
    await seen(page).toContain('2 sales · €15.50 · 1,250 points');
    await page.getByLabel('Outcome').selectOption('No known customer');
    await seen(page).toContain('1 sale · €3.00 · 0 points');
    await page.getByLabel('Time').selectOption('Yesterday');
    await seen(page).toContain('There are no such sales.');
    expect(await page.getByText('0 sales').count()).toBe(0);
    await page.goto(`${shop.url}/portal/codes`);
    await seen(page).toContain('1 code · €2.00 · 200 points');
    await page.goto(`${shop.url}/portal/consumers`);
    await seen(page).toContain('1 customer · €10.50 · 1,050 points');
    await expectSound(screen);
  });

  it('a row opens all about it, which is in the address, and Back closes it', STORY, async () => {
    const screen = await portal('/transactions?outcome=credited', size);
    const { page } = screen;
    const cell = page.getByRole('cell').filter({ hasText: '€12.50' }).first();
    // What is pressed is the row's link, which lies above all of it.
    await cell.click({ force: true });
    await inPanel(page).toMatch(/^Sale[\s\S]*€12\.50[\s\S]*Credited[\s\S]*Why\?[\s\S]*1,250/);
    expect(page.url()).toMatch(new RegExp(`outcome=credited&open=sale-${sold}$`));
    await expectSound(screen);
    await page.goBack();
    await closed(page);
    expect(page.url()).toMatch(/outcome=credited$/);
    await focused(page).toContain(`open=sale-${sold}`);
    await page.keyboard.press('Enter');
    await inPanel(page).toContain('Credited');
    await page.keyboard.press('Escape');
    await closed(page);
    await focused(page).toContain(`open=sale-${sold}`);
    expect(page.url()).toMatch(/outcome=credited$/);
  });

  it('a link that was sent opens it, and leads on to customer and code', STORY, async () => {
    const screen = await portal(`/transactions?open=sale-${sold}`, size);
    const { page } = screen;
    const link = panelOf(page).getByRole('link');
    await link.filter({ hasText: '@example.com' }).click();
    await inPanel(page).toMatch(/^Customer[\s\S]*What happened[\s\S]*Last codes[\s\S]*€2\.00/);
    await expectSound(screen);
    await link.filter({ hasText: '€2.00' }).click();
    await inPanel(page).toMatch(/^Code[\s\S]*Can be used until[\s\S]*Send again/);
    await expectSound(screen);
    await panelOf(page).getByRole('button', { name: 'Back' }).click();
    await inPanel(page).toMatch(/^Customer/);
    await panelOf(page).getByRole('button', { name: 'Close' }).click();
    await closed(page);
    expect(page.url()).toMatch(/\/transactions$/);
    await page.goto(`${shop.url}/portal/transactions?open=sale-${walletId}`);
    await inPanel(page).toContain('There is nothing at this address');
  });
});

describe('the search in the header', inBrowser, () => {
  it('opens with a key on every page, and is where it was after Back', async () => {
    const screen = await portal('/rules');
    const { page } = screen;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await inPanel(page).toMatch(/^Search[\s\S]*Find a customer/);
    await expectSound(screen);
    await page.keyboard.type('12.50');
    await page.keyboard.press('Enter');
    await panelOf(page)
      .getByRole('link', { name: /^Why\? €12\.50/ })
      .click();
    await inPanel(page).toMatch(/^Sale[\s\S]*Credited/);
    await page.goBack();
    await inPanel(page).toMatch(/^Search[\s\S]*€12\.50/);
    expect(page.url()).toMatch(/\/rules\?open=search$/);
    await expectSound(screen);
    await page.keyboard.press('Escape');
    await closed(page);
  });

  it('is one press away on a phone', async () => {
    const screen = await portal('/', 'phone');
    const { page } = screen;
    await page.getByRole('link', { name: 'Search' }).click();
    await inPanel(page).toContain('Find a customer');
    await expectSound(screen);
  });

  it('leads to the field of the page that has one', async () => {
    const { page } = await portal('/consumers');
    await seen(page).toContain('@example.com');
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    const field = page.getByLabel('Find a customer, a sale or a code');
    expect(await field.inputValue()).toBe('a/b');
    expect(await panelOf(page).count()).toBe(0);
  });

  it('is a page in the back office', async () => {
    const screen = await open({ app: 'office', person: 'admin', size: 'desktop' });
    const { page } = screen;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.waitForURL(/\/office\/people$/);
    const field = page.getByLabel('Person, shop, code or id');
    await expect.poll(() => field.evaluate('document.activeElement?.type'), SOON).toBe('search');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?q=/);
    await expectSound(screen);
  });
});
