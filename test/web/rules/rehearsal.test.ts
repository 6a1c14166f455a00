import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import { inBrowser } from '../../support/http/browser.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';
import { expectSound, SOON, useScreens } from '../screens.ts';
import { useShop } from '../shop.ts';

// How a merchant tries a rule on what was sold before, and sees whom it would have given what.

let isWorking = true;
const shop = await useShop({
  orchestrator: {
    rehearseLater(id) {
      if (isWorking) void createActivities(activityDeps(shop.db)).rehearse(id);
    },
  },
});
const { open } = useScreens(shop);
const { db, tenantId } = shop;

/** Ends the rehearsal that is under way, once it is. */
const fail = () =>
  expect
    .poll(() => db('rehearsals').where({ status: 'running' }).update({ status: 'failed' }), SOON)
    .toBe(1);
const WEEK_MS = 7 * 86_400_000;
const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const change = async (size: 'phone' | 'desktop', percent: string) => {
  const path = '/portal/rules/new';
  const screen = await open({ app: 'portal', person: 'merchant', path, size });
  await screen.page.getByLabel('Percent of what they pay').fill(percent);
  return screen;
};

await shop.as('merchant').publishRewardRule({ tenantId, body: { conversionRate: 0.1 } });
for (let week = 1; week <= 12; week++) {
  const id = await shop.sell({ email: PEOPLE.consumer.email, amount: 500 + 137 * week });
  const occurredAt = new Date(Date.now() - week * WEEK_MS);
  await db('payments').where({ id }).update({ occurredAt });
}

describe.each(['phone', 'desktop'] as const)('a rehearsal on a %s', inBrowser, (size) => {
  it('says what the rule would have given, to whom and why, before it is published', async () => {
    await db('rehearsals')
      .where({ tenantId })
      .update({ createdAt: new Date(0) });
    const screen = await change(size, '12');
    const { page } = screen;
    await page.getByRole('button', { name: 'Try it on the last 90 days' }).click();
    await seen(page).toMatch(/€3\.\d\d more[\s\S]*Customers got [\d,]+ points; they would get/);
    await seen(page).toMatch(/That is \+\d+(\.\d)?% of what they got/);
    await seen(page).toContain('1 customer would get more, 0 fewer, 0 the same.');
    await expectSound(screen);
    await page.getByText('A sale of €21.44: 257 points instead of 214').click();
    await seen(page).toMatch(/21\.44 × 12 = 257\.28, rounded down to 257 points/);
    await page.getByText('As a table').click();
    await expectSound(screen);

    // What was tried is not taken for what is typed since then.
    await page.getByLabel('Percent of what they pay').fill('8');
    await seen(page).toContain('This is what was tried: 12% back. The rule above has changed');
    await page.getByRole('button', { name: 'Try this one' }).click();
    await seen(page).toMatch(/€\d\.\d\d less/);
    await expectSound(screen);
    expect(await shop.as('merchant').listRewardRules({ tenantId })).toMatchObject([
      { ruleConfig: { conversionRate: 0.1 } },
      {},
    ]);
  });
});

describe('a rehearsal', inBrowser, () => {
  it('is waited for, and says that it failed, or that there were too many', async () => {
    await db('rehearsals')
      .where({ tenantId })
      .update({ createdAt: new Date(0) });
    isWorking = false;
    const screen = await change('desktop', '15');
    const { page } = screen;
    await page.getByRole('button', { name: 'Try it on the last 90 days' }).click();
    await seen(page).toContain('Going through your sales');
    await expectSound(screen);
    await fail();
    await seen(page).toContain('That could not be finished. Try again.');
    for (let nth = 0; nth < 3; nth++) {
      await page.getByRole('button', { name: 'Try this one' }).click();
      await seen(page).toContain('Going through your sales');
      await fail();
      await seen(page).toContain('That could not be finished. Try again.');
    }
    await page.getByRole('button', { name: 'Try this one' }).click();
    await seen(page).toContain('as many as a day may have were made');
  });
});
