import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aProgramme, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant has points wait while a sale can be returned, and how a customer sees them wait;
// and how customers who spend more get more.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
const { email } = PEOPLE.consumer;

await aProgramme(shop.app.db, tenantId, {
  timeZone: 'Europe/Berlin',
  validityMonths: 12,
  returnWindowDays: 14,
  publishedAt: new Date(Date.now() - 20 * 24 * 3_600_000),
});

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const versions = () => shop.as('merchant').listProgrammeVersions({ tenantId });

describe('the return window', inBrowser, () => {
  it('is seen by the customer: how many points wait, and until when', async () => {
    await shop.sell({ email, amount: 1_250 });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    await seen(page).toContain('1,250 of them wait');
    await expectSound(screen);
    await page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(page).toMatch(/1,250 points wait until[\s\S]*can be used from .+ on\./);
    expect(await page.getByRole('button', { name: 'Redeem', exact: true }).isDisabled()).toBe(true);
    await expectSound(screen);
    await page
      .getByRole('button', { name: /^Why\? Purchase/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/They can be used from/)
      .waitFor();
    await expectSound(screen);

    // Nothing is told when the window has ended: the page asks again by itself.
    const endsSoon = `now() - interval '14 days' + interval '5 seconds'`;
    await shop.app
      .db('payments')
      .where({ tenantId })
      .update({
        createdAt: shop.app.db.raw(endsSoon),
      });
    await page.reload();
    await expect
      .poll(() => page.getByRole('button', { name: 'Redeem', exact: true }).isEnabled(), SOON)
      .toBe(true);
  });

  it('is published by the merchant, and what else the shop promises stays', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/programme'] as const;
    const screen = await open({ app, person, path, size: 'desktop', scheme: 'dark' });
    const { page } = screen;
    await seen(page).toContain('Points wait 14 days after a sale');
    await expectSound(screen);
    const days = page.getByLabel('Days that points wait after a sale');
    await days.fill('91');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Write a whole number from 0 to 90.').waitFor();
    await expectSound(screen);
    await days.fill('7');
    await page.getByLabel(/^Staff may give the points of a receipt/).check();
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/Points wait 7 days after a sale[\s\S]*Earlier[\s\S]*14 days/);
    await seen(page).toContain('Staff give the points of a receipt');
    await expectSound(screen);
    expect(await versions()).toMatchObject([
      {
        version: 2,
        returnWindowDays: 7,
        validityMonths: 12,
        tillAttach: true,
        timeZone: 'Europe/Berlin',
      },
      { version: 1, returnWindowDays: 14, validityMonths: 12 },
    ]);
  });
});

describe('tiers', inBrowser, () => {
  const aPage = async (size: 'phone' | 'desktop') => {
    const [app, person, path] = ['portal', 'merchant', '/portal/programme'] as const;
    const screen = await open({ app, person, path, size });
    const tier = (nth: number) => screen.page.getByRole('group', { name: `Tier ${nth}` });
    const publish = () => screen.page.getByRole('button', { name: 'Publish' }).click();
    return { screen, page: screen.page, tier, publish };
  };

  it('are added by the merchant, with what is wrong beside each field', async () => {
    const { screen, page, tier, publish } = await aPage('phone');
    const add = page.getByRole('button', { name: 'Add a tier' });
    await add.click();
    await tier(1).getByLabel('Name').fill('Silver');
    await tier(1).getByLabel('Spent within a year').fill('500');
    await tier(1).getByLabel('Times the points').fill('1.25');
    await add.click();
    await tier(2).getByLabel('Name').fill('Gold');
    await tier(2).getByLabel('Spent within a year').fill('500.00');
    await tier(2).getByLabel('Times the points').fill('1.5');
    // The rule gives back all that is paid.
    await tier(1).getByText('With the rule in effect: 125% back.').waitFor();
    await tier(2).getByText('With the rule in effect: 150% back.').waitFor();
    await publish();
    const wrong = tier(2).getByText('Another tier is reached with this amount.');
    await wrong.waitFor();
    const field = tier(2).getByLabel('Spent within a year');
    expect(await field.getAttribute('aria-describedby')).toBe(await wrong.getAttribute('id'));
    expect(await tier(1).getByRole('alert').count()).toBe(0);
    await expectSound(screen);
    await field.fill('1000');
    await publish();
    const dialog = page.getByRole('dialog', { name: 'Give 150% back?' });
    await dialog.getByText('A customer who pays €100.00 gets points worth €150.00.').waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Yes, give 150% back' }).click();
    await seen(page).toMatch(
      /Silver from €500\.00: 1\.25 times the points\s+Gold from €1,000\.00: 1\.5 times/,
    );
    await expectSound(screen);
    expect((await versions())[0]?.tiers).toEqual([
      { key: 'silver', name: 'Silver', thresholdMinorUnits: 50_000, multiplier: 1.25 },
      { key: 'gold', name: 'Gold', thresholdMinorUnits: 100_000, multiplier: 1.5 },
    ]);
  });

  it('keep their customers under another name, and when something else is changed', async () => {
    const { screen, page, tier, publish } = await aPage('desktop');
    await tier(1).getByLabel('Name').fill('Friend');
    for (const _ of [3, 4, 5]) await page.getByRole('button', { name: 'Add a tier' }).click();
    expect(await page.getByRole('button', { name: 'Add a tier' }).count()).toBe(0);
    for (const nth of [5, 4, 3]) {
      await page.getByRole('button', { name: `Remove Tier ${nth}` }).click();
    }
    await page.getByRole('button', { name: 'Remove Friend' }).waitFor();
    await publish();
    await seen(page).toMatch(/Friend from €500\.00[\s\S]*Earlier[\s\S]*Silver from €500\.00/);
    await expectSound(screen);
    await page.getByLabel('Days that points wait after a sale').fill('30');
    await publish();
    await seen(page).toContain('Points wait 30 days after a sale');
    const [latest] = await versions();
    expect(latest?.tiers).toMatchObject([
      { key: 'silver', name: 'Friend' },
      { key: 'gold', name: 'Gold' },
    ]);
  });

  it('are asked about once more where one is reached with less, else not', async () => {
    const { page, tier, publish } = await aPage('desktop');
    await tier(1).getByLabel('Spent within a year').fill('499');
    await publish();
    const dialog = page.getByRole('dialog', { name: 'Give 150% back?' });
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    await dialog.waitFor({ state: 'detached' });
    await tier(1).getByLabel('Spent within a year').fill('500');
    await publish();
    await page.getByText('It is published.').waitFor();
    expect((await versions())[0]?.tiers).toMatchObject([{ thresholdMinorUnits: 50_000 }, {}]);
  });

  it('are seen by the customer: their own, until when, and how far the next one is', async () => {
    const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
    // What was bought until now is too new to count.
    await shop.db('payments').where({ tenantId }).update({ occurredAt: new Date() });
    await shop.sell({ email, amount: 62_000, createdAt: day(-40) });
    await shop.sell({ email, amount: 5_000, createdAt: day(-20) });
    const [wallet] = await shop.as('consumer').listWallets();
    const { id } = required(wallet);
    const path = `/wallet/wallets/${id}`;
    const screen = await open({ app: 'wallet', person: 'consumer', path, size: 'phone' });
    const { page } = screen;
    await seen(page).toMatch(/You have reached Friend\. It begins within a day\./);
    await expectSound(screen);

    await shop.db('wallet_standings').insert({
      walletId: id,
      tenantId,
      tierKey: 'silver',
      since: '2026-01-02',
      keptUntil: '2099-01-02',
      decidedOn: '2026-01-02',
    });
    await page.reload();
    await seen(page).toMatch(
      /Your tier\s+Friend\s+1\.25 times the points\s+Yours until Jan 1, 2099/,
    );
    await seen(page).toMatch(/€380\.00 more for Gold\s+Gold brings 1\.5 times the points\./);
    await seen(page).toContain('What you buy counts after 30 days, for a year.');
    const progress = page.getByRole('progressbar', { name: '€380.00 more for Gold' });
    expect(await progress.getAttribute('value')).toBe('62000');
    await expectSound(screen);

    await shop.db('wallet_standings').where({ walletId: id }).update({ tierKey: 'gold' });
    await page.reload();
    await seen(page).toMatch(/Your tier\s+Gold\s+1\.5 times the points/);
    expect(await progress.count()).toBe(0);
    await expectSound(screen);
  });

  it('are nowhere once the merchant has removed them', async () => {
    const { page, publish } = await aPage('phone');
    for (const name of ['Friend', 'Gold']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click();
    }
    await publish();
    const now = page.getByRole('region', { name: 'Now' });
    await expect.poll(() => now.innerText(), SOON).not.toContain('Gold');
    expect((await versions())[0]?.tiers).toEqual([]);
    const wallet = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    await wallet.page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(wallet.page).toContain('History');
    await expect
      .poll(() => wallet.asked.some((one) => one.endsWith('/programme')), SOON)
      .toBe(true);
    expect(await wallet.page.getByRole('main').innerText()).not.toMatch(/tier|Gold/i);
  });
});
