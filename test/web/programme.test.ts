import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aProgramme } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant has points wait while a sale can be returned, and how a customer sees them wait.

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
