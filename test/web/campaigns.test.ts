import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aCampaign } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, gate, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant gives more points for some sales, and what a customer sees of it.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const campaigns = () => shop.as('merchant').listCampaigns({ tenantId });

describe('a campaign', inBrowser, () => {
  it('is published by the merchant, with what is wrong beside each field', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/campaigns'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    const { page } = screen;
    await seen(page).toContain('No campaign yet');
    await expectSound(screen);
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Name').fill('Happy hour');
    await page.getByRole('button', { name: 'Points on top' }).click();
    await page.getByLabel('Points', { exact: true }).fill('50');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('A sale must be of at least what the points are worth.').waitFor();
    await expectSound(screen);
    await page.getByLabel('From which amount on').fill('0.50');
    await page.getByLabel('Budget in points').fill('60');
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/Happy hour[\s\S]*Running[\s\S]*50 points on top · from €0\.50 on/);
    await seen(page).toContain('0 of 60 points are spent');
    await expectSound(screen);
    expect(await campaigns()).toMatchObject([
      { name: 'Happy hour', points: 50, minSpendMinorUnits: 50, days: null, budgetPoints: 60 },
    ]);
  });

  it('is asked about once more where it gives back a lot', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/campaigns/new'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    const { page } = screen;
    await page.getByText('With the rule in effect: 200% back.').waitFor();
    await page.getByLabel('Name').fill('Triple');
    await page.getByLabel('Times', { exact: true }).fill('3');
    await page.getByText('With the rule in effect: 300% back.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give 300% back?' });
    await dialog.getByText('A customer who pays €100.00 gets points worth €300.00.').waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    await page.getByLabel('From which amount on').fill('250');
    await page.getByRole('button', { name: 'Publish' }).click();
    // A sale of 100 would get nothing of it.
    await dialog.getByText('A customer who pays €250.00 gets points worth €750.00.').waitFor();
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    expect(await campaigns()).toHaveLength(1);
  });

  it('is read by the customer, with what a purchase got of it', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    await page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(page).toMatch(/Offers[\s\S]*Happy hour[\s\S]*50 points on top · from €0\.50 on/);
    await expectSound(screen);
    await page
      .getByRole('button', { name: /^Why\? Purchase/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('“Happy hour” added 50 points.').waitFor();
    await expectSound(screen);
  });

  it('says when its budget is used up, and is ended by the merchant', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const [app, person, path] = ['portal', 'merchant', '/portal/campaigns'] as const;
    const screen = await open({ app, person, path, size: 'desktop', scheme: 'dark' });
    const { page } = screen;
    await seen(page).toMatch(/Budget used up[\s\S]*100 points for 2 sales/);
    await expectSound(screen);
    await page.getByRole('button', { name: 'End “Happy hour”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await seen(page).toMatch(/Ended[\s\S]*Happy hour/);
    await expectSound(screen);
    expect(await campaigns()).toMatchObject([{ status: 'ended', spentPoints: 100, awards: 2 }]);
    await page.getByRole('link', { name: 'What was done' }).click();
    await seen(page).toMatch(/Published a campaign[\s\S]*For whom: every customer/);
    await seen(page).toMatch(/Begins: [A-Z][a-z]{2} \d+, \d{4}, [\s\S]*Budget in points: 60/);
  });

  it('is published by the second press, whatever its budget', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/campaigns/new'] as const;
    const { page } = await open({ app, person, path, size: 'desktop' });
    await page.getByLabel('Name').fill('Triple');
    await page.getByLabel('Times', { exact: true }).fill('3');
    await page.getByLabel('Budget in points').fill('600');
    await page.getByRole('button', { name: 'Publish' }).click();
    const yes = page.getByRole('button', { name: 'Yes, give 300% back' });
    await yes.waitFor();
    expect(await campaigns()).toHaveLength(1);
    await yes.click();
    await seen(page).toMatch(/Triple[\s\S]*Running[\s\S]*3 times the points/);
    expect(await campaigns()).toMatchObject([
      { name: 'Triple', multiplier: 3, budgetPoints: 600 },
      { name: 'Happy hour' },
    ]);
  });

  it('is published at once where it gives back a fifth, but not before that is known', async () => {
    await shop
      .as('merchant')
      .publishRewardRule({ tenantId, body: { conversionRate: 0.05, minSpendMinorUnits: 0 } });
    const [app, person, path] = ['portal', 'merchant', '/portal/campaigns/new'] as const;
    const { hold, letGo } = gate();
    const { page } = await open({
      app,
      person,
      path,
      before: (context) => context.route(/\/reward-rules/, hold),
    });
    await page.getByRole('heading', { name: 'New campaign' }).waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    letGo();
    await page.getByLabel('Name').fill('A fifth');
    await page.getByLabel('Times', { exact: true }).fill('4');
    await page.getByText('With the rule in effect: 20% back.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await seen(page).toMatch(/A fifth[\s\S]*Running[\s\S]*4 times the points/);
    expect(await campaigns()).toHaveLength(3);
  });

  it("names the last day where it ends at midnight by the customer's clocks", async () => {
    const year = new Date().getFullYear() + 1;
    const until = (name: string, time: string) =>
      aCampaign(shop.db, tenantId, { name, endsAt: `${year}-04-01T${time}Z` });
    await until('All of March', '04:00:00');
    await until('Until breakfast', '13:00:00');
    const timeZone = 'America/New_York';
    const { page } = await open({ app: 'wallet', person: 'consumer', timeZone });
    await page.getByRole('link', { name: /Corner Café/ }).click();
    const offer = (name: string) =>
      expect.poll(() => page.getByRole('listitem').filter({ hasText: name }).innerText(), SOON);
    await offer('All of March').toContain(`Until Mar 31, ${year}`);
    await offer('Until breakfast').toMatch(new RegExp(`Until Apr 1, ${year}, 9:00\\sAM`));
  });
});
