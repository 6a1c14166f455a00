import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import { aProgramme, required } from '../../support/factories.ts';
import { inBrowser } from '../../support/http/browser.ts';
import { expectSound, SOON, useScreens, withoutProgrammes } from '../screens.ts';
import { useShop } from '../shop.ts';

// How a merchant changes what customers get, and knows before what it costs.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const at = (path: string, size: 'phone' | 'desktop' = 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: `/portal${path}`, size });
const latest = async () =>
  required((await shop.as('merchant').listRewardRules({ tenantId }))[0]).ruleConfig;

describe('the cost of a rule', inBrowser, () => {
  it('is not made up while no sale had a known customer', async () => {
    await shop.sell({ amount: 5_000, createdAt: new Date() });
    const { page } = await at('/rules/new');
    await seen(page).toContain('No sale of the last 30 days');
  });
});

describe.each(['phone', 'desktop'] as const)('the rule on a %s', inBrowser, (size) => {
  it('is changed from what it says, with what that costs and what it changes', async () => {
    const body = { conversionRate: 0.1, minSpendMinorUnits: 500 };
    await shop.as('merchant').publishRewardRule({ tenantId, body });
    await shop.sell({ email, amount: 10_000, createdAt: new Date() });
    await shop.sell({ amount: 5_000, createdAt: new Date() });
    const screen = await at('/rules', size);
    const { page } = screen;
    await seen(page).toMatch(/In effect\s+10% back[\s\S]*10 points for each €1\.00/);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Change the rule' }).click();
    await expect
      .poll(() => page.getByLabel('Percent of what they pay').inputValue(), SOON)
      .toBe('10');
    expect(await page.getByLabel('Smallest sale that earns points').inputValue()).toBe('5.00');
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await seen(page).toMatch(/A sale of €12\.50 earns 125 points, worth €1\.25/);
    await expectSound(screen);

    await page.getByLabel('Points for each €1.00').fill('ten');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Write a number above 0').waitFor();
    await expectSound(screen);
    await page.getByLabel('Points for each €1.00').fill('12');
    expect(await page.getByLabel('Percent of what they pay').inputValue()).toBe('12');
    await page.getByLabel('Most points of one sale').fill('500');
    await seen(page).toMatch(/Known customers paid €[\d,.]+\.[\s\S]*get back €[\d,.]+ at most/);
    await seen(page).toMatch(/With the rule in effect it is €[\d,.]+ at most/);
    const changes = page.getByRole('list', { name: 'What changes' });
    expect(await changes.getByRole('listitem').allInnerTexts()).toEqual([
      'Customers get: 10% back: 10 points for each €1.00 → 12% back: 12 points for each €1.00',
      'Most of one sale: no limit → 500 points',
    ]);
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/In effect\s+12% back[\s\S]*by merchant@example\.com/);
    await seen(page).toMatch(/Earlier[\s\S]*10% back/);
    expect(await latest()).toMatchObject({
      conversionRate: 0.12,
      minSpendMinorUnits: 500,
      maxPointsPerTransaction: 500,
    });
    await expectSound(screen);
  });
});

describe('a rule that gives back more than a fifth', inBrowser, () => {
  it('is published by a second press only, which names how much', async () => {
    const before = await latest();
    const screen = await at('/rules/new', 'phone');
    const { page } = screen;
    await page.getByLabel('Percent of what they pay').fill('1000');
    await page.getByLabel('Most points of one sale').fill('');
    await page.getByLabel('Smallest sale that earns points').fill('0');
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give 1,000% back?' });
    await dialog.getByText('A customer who pays €100.00 gets points worth €1,000.00').waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
    expect(await latest()).toEqual(before);
    await page.getByLabel('Percent of what they pay').fill('25');
    await page.getByRole('button', { name: 'Publish' }).dblclick();
    await page.getByRole('dialog').waitFor();
    expect(await latest()).toEqual(before);
    await page.getByRole('button', { name: 'Yes, give 25% back' }).click();
    await seen(page).toMatch(/In effect\s+25% back/);
    expect(await latest()).toMatchObject({ conversionRate: 0.25 });
  });

  it('is asked about where it does so in the best tier only', async () => {
    const before = await latest();
    const tier = { key: 'gold', name: 'Gold', thresholdMinorUnits: 50_000, multiplier: 2 };
    await aProgramme(shop.db, tenantId, { tiers: [tier] });
    const screen = await at('/rules/new', 'phone');
    const { page } = screen;
    await page.getByLabel('Percent of what they pay').fill('15');
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give 30% back?' });
    await dialog.getByText('A customer who pays €100.00 gets points worth €30.00').waitFor();
    await dialog.getByText('That is for customers of your best tier.').waitFor();
    // Nobody knows how many of the sales would be of customers in that tier.
    expect(await dialog.getByText('With the sales of the last 30 days').count()).toBe(0);
    await expectSound(screen);
    expect(await latest()).toEqual(before);
    await dialog.getByRole('button', { name: 'Yes, give 30% back' }).click();
    await seen(page).toMatch(/In effect\s+15% back/);
    expect(await latest()).toMatchObject({ conversionRate: 0.15 });
  });

  it('asks for no tiers where there are no programmes', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/rules/new'] as const;
    const { page, asked } = await open({ app, person, path, before: withoutProgrammes });
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    expect(asked.filter((one) => one.endsWith('/programme'))).toEqual([]);
  });
});

describe('a planned rule', inBrowser, () => {
  it('is withdrawn in one press, by the rule in effect', async () => {
    const now = await latest();
    const screen = await at('/rules/new');
    const { page } = screen;
    await page.getByLabel('Percent of what they pay').fill('5');
    await page.getByLabel('In effect from').fill('2035-12-01T00:00');
    await page.getByRole('button', { name: 'Plan it' }).click();
    await seen(page).toMatch(/Planned[\s\S]*5% back[\s\S]*From Dec 1, 2035/);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Withdraw the rule of Dec 1, 2035' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw the rule of Dec 1, 2035?' });
    await dialog.getByText('The rule in effect stays: 15% back.').waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Withdraw the rule of Dec 1, 2035' }).click();
    await seen(page).toContain('Planned for Dec 1, 2035, 12:00 AM, and withdrawn');
    await expect.poll(() => page.getByRole('heading', { name: 'Planned' }).count(), SOON).toBe(0);
    const { effectiveFrom: _since, ...terms } = now;
    expect(await latest()).toMatchObject(terms);
    await expectSound(screen);
  });
});

describe('a shop without a currency', inBrowser, () => {
  it('is told to connect its point of sale, which brings it', async () => {
    await shop.db('tenants').where({ id: tenantId }).update({ currency: null });
    const screen = await at('/rules', 'phone');
    await seen(screen.page).toContain('Connect your point of sale first');
    await expectSound(screen);
    await screen.page.getByRole('link', { name: 'Connect it' }).click();
    await seen(screen.page).toContain('Points of sale');
    await shop.db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  });
});
