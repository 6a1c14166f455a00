import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aTenant } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { anInvite, lapse } from '../support/people/invites.ts';
import { expectSound, signIn, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { aCode, openSettings, seen, type } from './till-codes.ts';

// From an invite's mail to the till, whatever became of the invite.

const shop = await useShop();
const { open, visit } = useScreens(shop);

const inviteTo = async (email: string, name: string) => {
  const tenantId = await aTenant(shop.db, { name });
  const { id } = await anInvite(shop.db, { tenantId, email });
  return { tenantId, id };
};

const shopOf = (page: Page) => page.getByLabel('Shop').locator('option:checked').innerText();

describe('an invite', inBrowser, () => {
  it('is read before the sign-in, accepted, and offers the till of that shop', async () => {
    const code = await aCode(shop, 100);
    const { id, tenantId } = await inviteTo(PEOPLE.operator.email, 'Tea House');
    const screen = await visit({ app: 'till', person: 'operator', path: `/invites/${id}` });
    const { page } = screen;
    await seen(page).toMatch(/You are invited[\s\S]*If you are new here, signing in accepts it\./);
    await expectSound(screen);
    await signIn(page, 'operator');
    await seen(page).toContain('Tea House invites you to work at its till.');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Accept' }).click();
    await seen(page).toContain('You can work at Tea House now.');
    expect(await shopOf(page)).toBe('Corner Café');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Change to it' }).click();
    await expect.poll(() => shopOf(page)).toBe('Tea House');
    expect(await page.getByText('You can work at').count()).toBe(0);
    // A code of Corner Café is none of this shop.
    await type(page, code);
    await seen(page).toContain('There is no such code in this shop.');
    await page.getByLabel('Shop').selectOption('Corner Café');
    await type(page, code);
    await seen(page).toContain('€1.00');
    await shop.as('operator').leaveShop({ tenantId });
  });

  it('of a second shop is seen in the till at first sight', async () => {
    const { id } = await inviteTo(PEOPLE.operator.email, 'Flower Shop');
    const screen = await open({ app: 'till', person: 'operator' });
    const { page } = screen;
    await page.getByRole('link', { name: '1 invite' }).waitFor();
    await expectSound(screen);
    const other = await inviteTo(PEOPLE.operator.email, 'Cake Shop');
    await page.reload();
    await page.getByRole('link', { name: '2 invites' }).click();
    await seen(page).toContain('Cake Shop invites you to its till');
    await shop.as('operator').declineInvite({ inviteId: other.id });
    await page.getByRole('link', { name: 'Flower Shop invites you to its till' }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await seen(page).toContain('You have declined, and nothing has changed.');
    await page.getByRole('link', { name: 'To the till' }).click();
    await seen(page).toContain('Last taken');
    expect(await page.getByRole('link', { name: /invite/ }).count()).toBe(0);
    const client = shop.as('operator');
    expect((await client.showInvite({ inviteId: id })).status).toBe('declined');
  });

  it('that the first sign-in has accepted leads to the till', async () => {
    const email = 'tom@example.com';
    const { id, tenantId } = await inviteTo(email, 'Book Shop');
    const { page } = await visit({ app: 'till', person: 'operator', path: `/invites/${id}` });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Name').fill('Tom Jones');
    await page.getByLabel('E-mail', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Add, and sign in' }).click();
    await seen(page).toContain('You work for Book Shop now.');
    await page.getByRole('link', { name: 'To the till' }).click();
    await seen(page).toContain('Last taken');
    await shop.db('memberships').where({ tenantId }).delete();
    await page.goto(`${shop.url}/invites/${id}`);
    await seen(page).toContain('You do not work for Book Shop any more.');
  });

  it('that was declined, is over, or is somebody else’s has a way out', async () => {
    const { id } = await inviteTo(PEOPLE.consumer.email, 'Bakery');
    const other = await visit({ app: 'till', person: 'operator', path: `/invites/${id}` });
    await signIn(other.page, 'operator');
    await seen(other.page).toContain('This invite is not for the address');
    expect(await other.page.getByRole('main').innerText()).not.toContain('Bakery');
    await other.page.getByRole('link', { name: 'To the till' }).waitFor();

    const screen = await visit({ app: 'till', person: 'consumer', path: `/invites/${id}` });
    const { page } = screen;
    await signIn(page, 'consumer');
    await page.getByRole('button', { name: 'Decline' }).click();
    await seen(page).toContain('You have declined');
    await expectSound(screen);
    const late = await anInvite(shop.db, { email: PEOPLE.consumer.email });
    await lapse(shop.db, late);
    await page.goto(`${shop.url}/invites/${late.id}`);
    await seen(page).toContain('This invite has expired');
    await page.getByRole('link', { name: 'To your points' }).click();
    await page.waitForURL('**/wallet/**');
  });
});

describe('leaving a shop', inBrowser, () => {
  it('is in the menu of the till, and asks first', async () => {
    const { tenantId, id } = await inviteTo(PEOPLE.operator.email, 'Wine Bar');
    await shop.as('operator').acceptInvite({ inviteId: id });
    const { page } = await open({ app: 'till', person: 'operator' });
    await page.getByLabel('Shop').selectOption('Wine Bar');
    await openSettings(page);
    await page.getByRole('button', { name: 'Leave this shop' }).click();
    await page.getByText('You can take no more codes for Wine Bar.').waitFor();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await seen(page).toContain('Last taken');
    const { memberships } = await shop.as('operator').showOperatorContext();
    expect(memberships.map((one) => one.tenantId)).not.toContain(tenantId);
  });
});
