import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { INVITES_PER_HOUR } from '../../domain/invitation.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant lets people work at the till.

const shop = await useShop();
const { open } = useScreens(shop);
const { tenantId } = shop;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const at = (size: 'phone' | 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: '/portal/people', size });
const invites = () => shop.as('merchant').listStoreOperatorInvites({ tenantId });

describe.each(['phone', 'desktop'] as const)('staff on a %s', inBrowser, (size) => {
  it('are invited with what they may do, and the invite is withdrawn', async () => {
    // Who has signed in once is known by name.
    await shop.as('operator').showProfile();
    const screen = await at(size);
    const { page } = screen;
    await seen(page).toMatch(/George Boole[\s\S]*operator@example\.com/);
    await page.getByRole('button', { name: 'Invite staff' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite staff' });
    await dialog.getByText('look up the code of a customer').waitFor();
    await dialog.getByText('They see no addresses of customers').waitFor();
    await dialog.getByText('whose link leads to the till').waitFor();
    await expectSound(screen);
    await dialog.getByLabel('E-mail').fill('lin@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('lin@example.com is invited').waitFor();
    await seen(page).toMatch(/Invited[\s\S]*lin@example\.com/);
    expect(await page.getByRole('button', { name: /^Send the invite of lin/ }).count()).toBe(0);
    await expectSound(screen);
    await page.getByRole('button', { name: /^Withdraw the invite of lin/ }).click();
    await page.getByText('The invite of lin@example.com is withdrawn').waitFor();
    await expect.poll(() => invites(), SOON).toEqual([]);
    await page.getByRole('button', { name: /^Remove/ }).click();
    await expectSound(screen);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
    await seen(page).toContain('At the till');
  });
});

describe('an invite', inBrowser, () => {
  it('is sent again once a day has passed, as a new one', async () => {
    const email = 'ben@example.com';
    const sent = await shop.as('merchant').inviteStoreOperator({ tenantId, body: { email } });
    const old = new Date(Date.now() - 25 * 3_600_000);
    await shop.db('invites').where({ id: sent.inviteId }).update({ createdAt: old });
    const { page } = await at('desktop');
    await page.getByRole('button', { name: 'Send the invite of ben@example.com again' }).click();
    await page.getByText('ben@example.com gets another mail').waitFor();
    const [now, ...others] = await invites();
    expect(others).toEqual([]);
    expect(now).toMatchObject({ email, status: 'pending' });
    expect(now?.id).not.toBe(sent.inviteId);
    const button = page.getByRole('button', { name: /^Send the invite of ben/ });
    await expect.poll(() => button.count(), SOON).toBe(0);
  });

  it('that could not be sent again is said to be withdrawn, and listed no more', async () => {
    const email = 'kim@example.com';
    const merchant = shop.as('merchant');
    const sent = await merchant.inviteStoreOperator({ tenantId, body: { email } });
    const old = new Date(Date.now() - 25 * 3_600_000);
    await shop.db('invites').where({ id: sent.inviteId }).update({ createdAt: old });
    const { page } = await at('desktop');
    const button = page.getByRole('button', { name: 'Send the invite of kim@example.com again' });
    await button.waitFor();
    const invitedBy = shop.userIds.merchant;
    await shop.db('invites').insert(
      Array.from({ length: INVITES_PER_HOUR }, (_, nth) => ({
        tenantId,
        email: `${nth}@many.example`,
        emailStatus: 'sent',
        invitedBy,
      })),
    );
    await button.click();
    await seen(page).toContain('That was too often.');
    await seen(page).toContain('The invite of kim@example.com is withdrawn. If no new one');
    await expect.poll(() => button.count(), SOON).toBe(0);
  });
});
