import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { takeMonth } from '../../activities/expiry/take-month.ts';
import { monthOf, startOfMonth } from '../../domain/intervals.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aProgramme, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How points expire: as the merchant publishes it, and as a customer sees it.

const ZONE = 'Europe/Berlin';
const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
const { email } = PEOPLE.consumer;
const now = monthOf(new Date(), ZONE);

await aProgramme(shop.app.db, tenantId, {
  timeZone: ZONE,
  validityMonths: 1,
  publishedAt: startOfMonth(now - 1, ZONE),
});

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
/** The last day of a month, as the wallet writes it. */
const lastDayOf = (month: number) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: ZONE }).format(
    startOfMonth(month + 1, ZONE).getTime() - 1,
  );

describe('what is owed', inBrowser, () => {
  it('is said to be written when a month ends', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/liability'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    await seen(screen.page).toMatch(/No month has been counted yet\n+This is written when a month/);
    // The browser itself complains of a 404.
    screen.complaints.length = 0;
    await expectSound(screen);
  });
});

describe('points that expire', inBrowser, () => {
  it('are shown to the customer with their day, and explained once they have', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    await page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(page).toContain(`the end of ${lastDayOf(now + 1)}`);
    const list = page.getByRole('list', { name: 'Can be used until' });
    expect(await list.innerText()).toContain('1,250 points');
    await expectSound(screen);
    const { userId } = await shop.as('consumer').showProfile();
    const path = `/portal/consumers/${userId}`;
    const portal = await open({ app: 'portal', person: 'merchant', path, size: 'phone' });
    await seen(portal.page).toContain(`1,250 points can be used until ${lastDayOf(now + 1)}`);

    const log = { error: () => undefined };
    const month = now + 1;
    const taken = await takeMonth({ db: shop.app.db, log }, { tenantId, month });
    expect(required(taken).points).toBe(1_250);
    await page.reload();
    await seen(page).toMatch(/Expired/);
    expect(await list.count()).toBe(0);
    await page.getByRole('button', { name: /^Why\? Expired/ }).click();
    const why = page.getByRole('dialog');
    await why.getByText(/1,250 points expired/).waitFor();
    await why.getByText(/could be used until the end of/).waitFor();
    await expectSound(screen);
  });

  it('are owed no more after the month, as the merchant sees', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/liability'] as const;
    const screen = await open({ app, person, path, size: 'desktop' });
    const { page } = screen;
    await seen(page).toMatch(/After [A-Z][a-z]+ \d{4}[\s\S]*0\.00[\s\S]*0 points[\s\S]*Counted/);
    const months = page.getByRole('table', { name: 'By the month in which points were earned' });
    expect((await months.innerText()).match(/1,250/g)).toHaveLength(2);
    await expectSound(screen);
  });

  it('are published by the merchant, who sees what became of points', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/programme'] as const;
    const screen = await open({ app, person, path, size: 'desktop' });
    const { page } = screen;
    await seen(page).toContain('They expire 1 month after the month of the sale');
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('interval=month')),
      page.reload(),
    ]);
    const yearAgo = startOfMonth(now - 12, ZONE).toISOString();
    expect(new URL(asked.url()).searchParams.get('from')).toBe(yearAgo);
    await page.getByRole('table', { name: 'What became of points, by month' }).waitFor();
    await expectSound(screen);
    const months = page.getByLabel('Months after which points expire');
    await months.fill('121');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Write a whole number from 1 to 120, or nothing.').waitFor();
    await months.fill('12');
    await page.getByLabel('Days before, on which').fill('3');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Write a whole number from 7 to 60.').waitFor();
    await expectSound(screen);
    await page.getByLabel('Days before, on which').fill('21');
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/expire 12 months after[\s\S]*Earlier[\s\S]*expire 1 month after/);
    const [active] = await shop.as('merchant').listProgrammeVersions({ tenantId });
    expect(active).toMatchObject({ version: 2, validityMonths: 12, expiryNoticeDays: 21 });
    await months.fill('');
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toContain('They never expire');
  });
});
