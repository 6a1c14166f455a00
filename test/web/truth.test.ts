import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as truthDays from '../../db/connections/truth-days.ts';
import { ConnectionId } from '../../domain/ids.ts';
import { dayBefore, dayTextOf } from '../../domain/intervals.ts';
import { aBetaConnection } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant sees whether all that was sold is here, and brings in what is missing.

const asked: string[] = [];
const shop = await useShop({
  orchestrator: {
    bringIn: async (of) => {
      asked.push(of.day);
      // What a run does a moment later.
      setTimeout(() => void save(of.day, { status: 'repaired', missing: 2, repaired: 2 }), 1_500);
    },
  },
});
const { open } = useScreens(shop);
const { tenantId, db } = shop;
await aBetaConnection(db, { tenantId, merchantId: 'MBETA00000001' });
const row = await db('pos_connections').where({ tenantId, provider: 'beta' }).first('id');
const connectionId = ConnectionId.parse(row.id);
const today = dayTextOf(new Date(), 'Europe/Berlin');
const totals = { count: 31, amountMinorUnits: 40_150, refundedMinorUnits: 500 };
const save = (day: string, found: Partial<truthDays.FoundDay>) =>
  truthDays.saveDay(
    db,
    { connectionId, tenantId, day },
    {
      status: 'agrees',
      provider: totals,
      ours: totals,
      missing: 0,
      changed: 0,
      unknown: 0,
      repaired: 0,
      ...found,
    },
  );
for (let ago = 2; ago < 20; ago++) await save(dayBefore(today, ago), {});
const lost = { connectionId, tenantId, day: dayBefore(today, 20) };
await truthDays.giveUp(db, [{ ...lost, endsAt: new Date() }]);
await save(dayBefore(today, 1), {
  status: 'differs',
  missing: 2,
  ours: { count: 29, amountMinorUnits: 37_150, refundedMinorUnits: 500 },
});

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

it('says of a calendar without a mark that nothing was compared yet', inBrowser, async () => {
  const [app, person, path] = ['portal', 'merchant', '/portal/providers'] as const;
  const screen = await open({ app, person, path, timeZone: 'Europe/Berlin' });
  const { page } = screen;
  const days = page.getByRole('region', { name: 'Day by day' });
  const said = days.getByText('No day has been compared yet');
  await expect.poll(() => said.count(), SOON).toBe(1);
  // The first day that is shown, and the first of a month.
  const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
  await expect
    .poll(() => days.first().locator('ol').innerText(), SOON)
    .toMatch(/^Mon\s+Tue\s+Wed\s+Thu\s+Fri\s+Sat\s+Sun\s+[A-Z][a-z]{2}\s+\d/);
  const shown = await days.first().locator('ol').innerText();
  if (!today.endsWith('-01')) expect(shown).toContain(month.format(new Date(today)));
  await expectSound(screen);
});

it.each([
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const)(
  'each day is shown on a %s, and one that lacks sales is brought in',
  inBrowser,
  async (size, scheme) => {
    await save(dayBefore(today, 1), {
      status: 'differs',
      missing: 2,
      ours: { ...totals, count: 29 },
    });
    const [app, person, path] = ['portal', 'merchant', '/portal/providers'] as const;
    const screen = await open({ app, person, path, size, scheme, timeZone: 'Europe/Berlin' });
    const { page } = screen;
    const yesterday = page.getByRole('button', { name: /: Something is missing$/ });
    await yesterday.waitFor();
    expect(await page.getByRole('button', { name: /: All sales are here$/ }).count()).toBe(18);
    expect(await page.getByRole('button', { name: /: Could not be compared$/ }).count()).toBe(1);
    await expectSound(screen);
    await yesterday.click();
    await seen(page).toContain('2 sales were not here.');
    await seen(page).toContain('29 sales');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Bring in what is missing' }).click();
    await seen(page).toContain('Sales were missing, and were brought in');
    await seen(page).toContain('2 were brought in.');
    expect(asked.at(-1)).toBe(dayBefore(today, 1));
    await expectSound(screen);
  },
);

it('says on each page that sales do not arrive, and where to look', inBrowser, async () => {
  const gap = { gapSince: new Date(Date.now() - 4.5 * 3_600_000), gapFoundAt: new Date() };
  await db('pos_connections').where({ id: connectionId }).update(gap);
  const screen = await open({ app: 'portal', person: 'merchant', size: 'phone' });
  const { page } = screen;
  await page.getByText('Beta told us of its last sale 4 hr. ago').waitFor();
  await expectSound(screen);
  await page.getByRole('link', { name: 'See the days' }).click();
  await page.getByRole('heading', { name: 'Points of sale', level: 1 }).waitFor();
  await seen(page).toContain('Sales missing');
});
