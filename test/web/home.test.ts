import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { daysBefore } from '../../domain/intervals.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What a merchant sees first: whether the points work, and whether they are worth it.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const home = (some: Partial<Parameters<typeof open>[0]> = {}) =>
  open({ app: 'portal', person: 'merchant', path: '/portal/', size: 'desktop', ...some });
const figure = (page: Page, name: string) =>
  page.locator('.figure').filter({ has: page.getByText(name, { exact: true }) });
const sold = async (amount: number, at: Date, by?: string) => {
  const id = await shop.sell({ amount, ...(by !== undefined && { email: by }) });
  await shop.db('payments').where({ id }).update({ occurredAt: at });
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('the home', inBrowser, () => {
  it('says what is sold to whom, what points cost, and what has changed', async () => {
    await sold(1_000, daysAgo(35), email);
    await sold(600, daysAgo(35));
    await sold(3_000, daysAgo(2.5), email);
    await sold(1_000, daysAgo(2.5));
    await sold(2_000, daysAgo(2.5));
    const [wallet] = await shop.as('consumer').listWallets();
    const { redemptionCode: code } = await shop.as('consumer').confirmRedemption({
      walletId: required(wallet).id,
      body: { pointsToRedeem: 400 },
    });
    await shop.as('operator').completeRedemption({ body: { code } });
    const { page } = await home();
    const says = (name: string) => expect.poll(() => figure(page, name).innerText(), SOON);
    await says('Sales').toMatch(/€60\.00\n3 sales\nup from €16\.00/);
    await says('With a known customer').toMatch(/33%\n[\s\S]*1 of 3 sales\ndown from 50%/);
    await says('Customers who came back').toMatch(/100%\n1 of 1 customer\nup from 0%/);
    await says('Average customer sale').toMatch(/€30\.00\n€15\.00 without a known customer/);
    await says('Points used').toMatch(/400\nworth €4\.00 · 3,000 earned/);
    await says('Owed in points').toMatch(/€36\.00\n3,600 points can still be used/);
    await seen(page).toContain('2 sales had no known customer.');
    const top = page.getByRole('list', { name: 'Top customers' }).getByRole('listitem');
    await expect
      .poll(() => top.allInnerTexts(), SOON)
      .toEqual([
        expect.stringMatching(/^\w\*\*\*@[\s\S]*last visit 2 days ago\s+1 visit\s+€30\.00$/),
      ]);
    await top.getByRole('link').click();
    await seen(page).toContain('3,600');
    await page.goBack();

    await page.getByRole('link', { name: 'See these sales' }).click();
    await seen(page).toMatch(/€10\.00[\s\S]*No known customer/);
    await expect.poll(() => page.getByRole('row').getByText('€30.00').count(), SOON).toBe(0);
    await page.reload();
    await seen(page).toMatch(/€20\.00[\s\S]*No known customer/);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('stored_anonymous');
  });

  it.each(['phone', 'desktop'] as const)('is live on a %s, also its figures', async (size) => {
    const screen = await home({ size });
    const { page } = screen;
    const latest = page.getByRole('list', { name: 'Latest' });
    await page.getByRole('heading', { name: 'Latest' }).waitFor();
    const before = await figure(page, 'Sales').locator('.figure-value').innerText();
    const amount = size === 'phone' ? 4_711 : 4_712;
    await shop.sell({ email, amount, createdAt: new Date() });
    const row = latest.getByRole('listitem').first();
    await expect.poll(() => row.innerText(), SOON).toMatch(/Sale of €47\.1\d[\s\S]*\+4,71\d/);
    const after = () => figure(page, 'Sales').locator('.figure-value').innerText();
    await expect.poll(after, SOON).not.toBe(before);
    await expectSound(screen);
    await row.getByRole('link', { name: 'Sale of €47.1' }).click();
    await page.getByRole('dialog', { name: 'Sale' }).getByText('Point of sale').first().waitFor();
  });

  it('has a chart in money and in points, with words for who cannot see it', async () => {
    const screen = await home({ size: 'phone', scheme: 'dark' });
    const { page } = screen;
    await page.getByRole('img', { name: 'Sales over time' }).waitFor();
    await page.getByRole('button', { name: 'Points', exact: true }).click();
    await page.getByRole('img', { name: 'Points over time' }).waitFor();
    await page.getByText('The same as a table').click();
    await page
      .getByRole('row', { name: /Earned.*Used/ })
      .first()
      .waitFor({ state: 'attached' });
    const sizes = await page
      .locator('.chart-text')
      .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    await expectSound(screen);
  });

  it('keeps the days that were chosen in the address', async () => {
    const { page } = await home();
    await page.getByLabel('Time').selectOption('From … to …');
    await page.getByLabel('From').fill('2026-01-15');
    await page.getByLabel('To', { exact: true }).fill('2026-01-16');
    const says = expect.poll(() => figure(page, 'Sales').innerText(), SOON);
    await says.toMatch(/^Sales\n€/);
    await page.reload();
    expect(await page.getByLabel('From').inputValue()).toBe('2026-01-15');
    expect(new URL(page.url()).search).toContain('to=2026-01-16');
  });

  it("dates by the shop's clocks, wherever the browser is", async () => {
    const yesterday = daysAgo(1);
    yesterday.setUTCHours(23, 30, 0, 0); // Half past midnight, or an hour later, in Berlin.
    await sold(4_321, yesterday, email);
    const { page } = await home({ timeZone: 'America/New_York' });
    await page.getByText('The same as a table').click();
    const format = new Intl.DateTimeFormat('en', {
      dateStyle: 'medium',
      timeZone: 'Europe/Berlin',
    });
    const date = format.format(yesterday);
    const row = page.getByRole('row').filter({ hasText: date });
    const { rows } = await shop.db.raw<{ rows: { sum: number }[] }>(
      `select sum(amount_minor_units)::float8 as sum from payments
       where tenant_id = :tenantId and (occurred_at at time zone 'Europe/Berlin')::date
         = (:yesterday::timestamptz at time zone 'Europe/Berlin')::date`,
      { tenantId: shop.tenantId, yesterday },
    );
    const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
    const total = euros.format(required(rows[0]).sum / 100);
    await expect.poll(() => row.innerText(), SOON).toContain(total);
    await seen(page).toContain('by the clocks of Berlin');
    await page.getByRole('link', { name: 'Sales', exact: true }).click();
    const sale = page.getByRole('row').filter({ hasText: '€43.21' });
    await expect.poll(() => sale.innerText(), SOON).toContain(date);
    await page.getByLabel('Time').selectOption('From … to …');
    await page.getByLabel('From').fill(yesterday.toISOString().slice(0, 10));
    await page.getByLabel('To', { exact: true }).fill(yesterday.toISOString().slice(0, 10));
    await expect.poll(() => sale.count(), SOON).toBe(0);
  });

  it('says when fewer sales come than usual', async () => {
    for (const week of [1, 2, 3, 4]) {
      for (let nth = 0; nth < 9; nth++)
        await sold(100, daysBefore(7 * week, new Date(Date.now() - 1_000), 'Europe/Berlin'));
    }
    await shop
      .db('payments')
      .where('occurredAt', '>', daysAgo(1.5))
      .update({ occurredAt: daysAgo(3) });
    const { page } = await home();
    const health = page.getByRole('region', { name: 'How your points of sale are' });
    await expect
      .poll(() => health.innerText(), SOON)
      .toMatch(/No sale yet today\nusually 9 by now/);
  });
});
