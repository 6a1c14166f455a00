import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aTenant } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { aTill } from '../support/points/payments.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What the portal asks of a new shop, one step after the other.

const shop = await useShop();
const { open } = useScreens(shop);
const { db, userIds } = shop;
const tenantId = await aTenant(db, { name: 'mary', ownerId: userIds.merchant });

const steps = (page: Page) => page.locator('.step');
const said = (page: Page, nth: number) => expect.poll(() => steps(page).nth(nth).innerText(), SOON);

describe('a new shop', inBrowser, () => {
  const slow = { timeout: 60_000 };
  it('is led from connecting to a poster, each step with why it is open', slow, async () => {
    const path = '/portal/';
    const screen = await open({ app: 'portal', person: 'merchant', path, size: 'phone' });
    const { page } = screen;
    await page.getByLabel('Shop').selectOption('mary');
    await said(page, 0).toMatch(/Connect your point of sale\s+It brings your sales/);
    await said(page, 1).toMatch(/Name your shop\s+Customers see the name/);
    await said(page, 2).toMatch(/Say what customers get\s+Until there is a rule/);
    await said(page, 3).toMatch(/Make a test sale\s+Ring up a small one/);
    await said(page, 4).toMatch(/Invite your team\s+No one can take codes/);
    await said(page, 5).toMatch(/Hang up your poster\s+Customers scan it/);
    await expectSound(screen);
    expect(await steps(page).getByRole('link').allInnerTexts()).toEqual(['Connect it']);

    const sell = await aTill(db, tenantId);
    await db('pos_connections').where({ tenantId }).update({ accountName: 'Corner Bar' });
    await shop.as('merchant').updateOnboarding({ tenantId, body: { currency: 'EUR' } });
    await page.reload();
    await page.getByRole('button', { name: 'Call it Corner Bar' }).click();
    await page.getByRole('link', { name: 'Make the rule' }).click();
    await page.getByRole('heading', { name: 'The first rule' }).waitFor();
    expect((await shop.as('merchant').showTenant({ tenantId })).tenant.name).toBe('Corner Bar');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The rule is published.').waitFor();
    await expectSound(screen);

    await sell({ amount: 500 });
    await page.goto(`${shop.url}/portal/`);
    await page.getByRole('link', { name: 'Invite staff' }).click();
    await page.getByRole('button', { name: 'Invite staff' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('lin@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('lin@example.com is invited').waitFor();
    screen.asked.length = 0;
    await page.goto(`${shop.url}/portal/`);
    const team = `GET /client/tenants/${tenantId}/store-operator-invites`;
    await expect.poll(() => screen.asked, SOON).toContain(team);
    await page.getByRole('link', { name: 'See the poster' }).click();
    await page.getByText('Collect points here').waitFor();
    await page.goto(`${shop.url}/portal/`);
    await expect.poll(() => screen.asked.filter((one) => one === team).length, SOON).toBe(2);
    await expect.poll(() => steps(page).count(), SOON).toBe(0);
  });
});
