import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// Sales that are reported weeks after they were made: lists in the order of the reports say when
// those came, and of which day the sales were.

const DAY_MS = 24 * 3_600_000;
const timeZone = 'Europe/Berlin';
const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const now = new Date();
const sixWeeksAgo = new Date(now.getTime() - 42 * DAY_MS);
await shop.sell({ email, amount: 1_100, createdAt: now });
await shop.sell({ email, amount: 2_200, createdAt: sixWeeksAgo });
await shop.sell({ email, amount: 3_300, createdAt: new Date(now.getTime() + 1) });
const { userId } = await shop.as('consumer').showProfile();
const walletId = required((await shop.as('consumer').listWallets())[0]).id;

const written = (at: Date, locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at);
const monthOf = (at: Date, locale: string) =>
  written(at, locale, { month: 'long', year: 'numeric' });
const shortDay = (at: Date, locale: string) =>
  written(at, locale, { month: 'short', day: 'numeric' });

const linesOf = (page: Page, list: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').allInnerTexts();

const LANGUAGES = [
  { locale: 'en-US', list: 'History', bought: 'bought on' },
  { locale: 'de-DE', list: 'Verlauf', bought: 'gekauft am' },
] as const;

describe('the history of a wallet', inBrowser, () => {
  it.each(LANGUAGES)('is by when points came, in $locale', async ({ locale, list, bought }) => {
    const path = `/wallet/wallets/${walletId}`;
    const screen = await open({ app: 'wallet', person: 'consumer', path, timeZone, locale });
    const { page } = screen;
    await expect.poll(() => linesOf(page, list), SOON).toHaveLength(3);
    const [newest = '', late = '', first = ''] = await linesOf(page, list);
    const months = await page.getByRole('heading', { level: 3 }).allInnerTexts();
    expect(months).toEqual([monthOf(now, locale)]);
    expect([newest, first].map((line) => line.includes(bought))).toEqual([false, false]);
    expect(late).toContain('22');
    expect(late).toContain(shortDay(now, locale));
    expect(late).toContain(`${bought} ${shortDay(sixWeeksAgo, locale)}`);
    await expectSound(screen);
  });
});

describe('the portal', inBrowser, () => {
  const portal = { app: 'portal', person: 'merchant', timeZone, locale: 'en-US' } as const;

  it.each(['phone', 'desktop'] as const)('says the same of a customer, on a %s', async (size) => {
    const screen = await open({ ...portal, path: `/portal/consumers/${userId}`, size });
    const { page } = screen;
    await expect.poll(() => linesOf(page, 'What happened'), SOON).toHaveLength(3);
    const [newest, late, first] = await linesOf(page, 'What happened');
    expect([newest, first].join()).not.toContain('sold on');
    expect(late).toContain('€22.00');
    expect(late).toContain(shortDay(now, 'en-US'));
    expect(late).toContain(`sold on ${shortDay(sixWeeksAgo, 'en-US')}`);
    await expectSound(screen);
  });

  it.each(['phone', 'desktop'] as const)('says which sales came later, on a %s', async (size) => {
    const screen = await open({ ...portal, path: '/portal/transactions', size });
    const { page } = screen;
    const rows = page.getByRole('table', { name: 'Sales' }).locator('tbody tr');
    await expect.poll(() => rows.count(), SOON).toBe(3);
    const [newest, late, first] = await rows.allInnerTexts();
    expect([newest, first].join()).not.toContain('received');
    expect(late).toContain('€22.00');
    expect(late).toContain(written(sixWeeksAgo, 'en-US', { dateStyle: 'medium' }));
    expect(late).toContain(`received on ${shortDay(now, 'en-US')}`);
    await expectSound(screen);
  });
});
