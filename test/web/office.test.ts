import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { erasePerson } from '../../activities/erasures.ts';
import * as erasures from '../../db/users/erasures.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import {
  aBetaConnection,
  anAlphaConnection,
  aTenant,
  aUser,
  aWallet,
  required,
  testPolicy,
  testSealer,
} from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { aDelivery } from '../support/http/endpoints.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What an administrator does, clicked through in Chromium.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const at = (path: string, size: 'phone' | 'desktop' = 'phone') =>
  open({ app: 'office', person: 'admin', path: `/office${path}`, size });

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const inOrder = (...texts: string[]) =>
  new RegExp(texts.map((text) => text.replace(/[.+]/g, '\\$&')).join('[\\s\\S]*'));
const worthOf = (cents: number) =>
  (cents / 100).toLocaleString('en', { style: 'currency', currency: 'EUR' });

async function walletOfAda() {
  await shop.sell({ email, amount: 2_000 });
  const [wallet] = await shop.as('consumer').listWallets();
  return required(wallet);
}

describe.each(['phone', 'desktop'] as const)('the back office on a %s', inBrowser, (size) => {
  it('approves who waits', async () => {
    const address = `merchant-${size}@example.com`;
    const second = `waits-${size}@example.com`;
    const waits = { role: 'client', status: 'pending_approval' } as const;
    await aUser(shop.db, { email: second, emailVerified: false, ...waits });
    const id = await aUser(shop.db, { email: address, ...waits });
    await shop
      .db('users')
      .where({ id })
      .update({ name: 'Lina Park', createdAt: daysAgo(3) });
    await aTenant(shop.db, { ownerId: id, name: 'Second Scoop', country: 'CH' });
    const screen = await at('/', size);
    const { page } = screen;
    await seen(page).toMatch(
      inOrder(
        address,
        'E-mail verified',
        'Lina Park',
        'Second Scoop, Switzerland',
        '3 days',
        second,
      ),
    );
    await seen(page).toContain('E-mail not verified');
    await expectSound(screen);
    await page.getByRole('button', { name: `Approve ${address}` }).click();
    await page.getByLabel('Reason').fill('The papers are in order.');
    await expectSound(screen);
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await seen(page).toContain(`${address} is approved.`);
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused, { timeout: 10_000 }).toBe(second);
    await page.getByRole('button', { name: `Turn down ${second}` }).click();
    await page.getByRole('dialog').getByText('Their account is suspended').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn down' }).click();
    await seen(page).toMatch(inOrder(`${second} is turned down.`, 'No one waits'));
    expect(await shop.as('admin').searchUsers({ q: second })).toMatchObject([
      { status: 'suspended' },
    ]);
    const [found] = await shop.as('admin').searchUsers({ q: address });
    expect(found).toMatchObject({ status: 'active', role: 'client' });
    // A phone has room for four places, and the others behind one more button.
    if (size === 'phone') await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    const ofLog = inOrder('Approved a person', address, 'Reason: The papers are in order.');
    await seen(page).toMatch(ofLog);
    await page.getByLabel('Done to').fill(address.slice(0, 12));
    await page.getByRole('button', { name: address, exact: true }).click();
    await expect.poll(() => page.getByRole('article').count(), SOON).toBe(1);
    await seen(page).toMatch(ofLog);
    expect(new URL(page.url()).searchParams.get('targetUser')).toBe(id);
    await seen(page).toContain('Status: waits for approval → active');
    await expectSound(screen);
  });

  it('corrects a balance, with the reason in the wallet and in the log', async () => {
    const { id: walletId, balance } = await walletOfAda();
    const screen = await at(`/people?q=${email.slice(0, 5)}`, size);
    const { page } = screen;
    await seen(page).toContain('1 person');
    await expectSound(screen);
    await page.getByRole('link', { name: email }).click();
    await seen(page).toMatch(/Active[\s\S]*Customer[\s\S]*Wallet at Corner Café/);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Wallet at Corner Café' }).click();
    await seen(page).toMatch(/\+2,000/);
    await expectSound(screen);

    expect(await page.title()).toContain(email);
    await page.getByRole('button', { name: 'Correct the balance' }).click();
    const dialog = page.getByRole('dialog', { name: `Correct the balance of ${email}` });
    await dialog.getByText(worthOf(balance)).first().waitFor();
    const chosen = () => dialog.getByRole('radio', { checked: true }).count();
    expect(await chosen()).toBe(0);
    await dialog.getByLabel('Points', { exact: true }).fill('500');
    await dialog.getByLabel('Reason').fill('A receipt was credited twice.');
    await dialog.getByRole('button', { name: 'Correct the balance' }).click();
    expect(await chosen()).toBe(0);
    await dialog.getByLabel('Take points away').check();
    await dialog.getByLabel('Points', { exact: true }).fill('99999999');
    await dialog.getByText('The wallet holds only').waitFor();
    await expectSound(screen);
    await dialog.getByLabel('Points', { exact: true }).fill('500');
    await dialog.getByText((balance - 500).toLocaleString('en')).waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: `Take €5.00 from ${email}` }).click();
    const left = `${(balance - 500).toLocaleString('en')} points, worth ${worthOf(balance - 500)}`;
    await seen(page).toContain(`${email} now has ${left}.`);
    await seen(page).toMatch(/−500\s+(Worth\s+)?€5\.00/);
    await page
      .getByRole('button', { name: /^Who and why/ })
      .first()
      .click();
    const why = page.getByRole('dialog', { name: 'Who and why?' });
    await why.getByText('Reason: A receipt was credited twice.').waitFor();
    await why.getByText(PEOPLE.admin.email).waitFor();
    await expectSound(screen);
    const wallet = await shop.as('admin').showUserWallet({ walletId });
    expect(wallet.balance).toBe(balance - 500);
  });
});

describe('a wallet', inBrowser, () => {
  it('is frozen and unfrozen by keyboard', async () => {
    const { id } = await walletOfAda();
    const screen = await at(`/wallets/${id}`, 'desktop');
    const { page } = screen;
    await page.getByRole('button', { name: 'Freeze' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Freeze the wallet of ${email}?` });
    await dialog.getByText('its open codes are cancelled').waitFor();
    await dialog.getByText('at Corner Café').waitFor();
    await page.getByRole('button', { name: `Freeze it for ${email}` }).focus();
    await page.keyboard.press('Enter');
    await seen(page).toMatch(/The wallet of \S+ is frozen\.[\s\S]*Frozen/);
    await page.getByRole('button', { name: 'Unfreeze' }).click();
    const again = page.getByRole('dialog', { name: `Unfreeze the wallet of ${email}?` });
    await again.getByRole('button', { name: `Unfreeze it for ${email}` }).click();
    await seen(page).toMatch(/The wallet of \S+ is active again\.[\s\S]*Active/);
    await expectSound(screen);
  });
});

describe('a person', inBrowser, () => {
  it('is suspended and reinstated', async () => {
    const address = 'lost-phone@example.com';
    const userId = await aUser(shop.db, { email: address });
    const screen = await at(`/people/${userId}`);
    const { page } = screen;
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByText('Their points stay').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await seen(page).toMatch(/The account is suspended\.[\s\S]*Suspended/);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
    await seen(page).toContain('The account is reinstated.');
    await page.getByRole('link', { name: 'What was done to this account' }).click();
    await seen(page).toMatch(/Reinstated a person[\s\S]*Suspended a person/);
    await page.getByLabel('What was done').selectOption('Suspended a person');
    await expect
      .poll(() => page.getByRole('main').getByText('Reinstated a person').count(), SOON)
      .toBe(1);
    await page.reload();
    await seen(page).toMatch(/Status: active → suspended/);
    await expectSound(screen);
  });

  it('gets another role, after the administrator has read what it means', async () => {
    const userId = await aUser(shop.db, { email: 'new-merchant@example.com' });
    const { page } = await at(`/people/${userId}`, 'desktop');
    await page.getByRole('button', { name: 'Change the role' }).click();
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Change the role' });
    // Setting the role of a merchant to merchant would ask for another approval.
    await page.getByText('This is the role already.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('New role').selectOption('Merchant');
    await page.getByText('Owns a shop. They wait for approval').waitFor();
    await submit.click();
    await seen(page).toMatch(/The role is now Merchant\.[\s\S]*Waits for approval/);
  });

  it('is erased for a reason, which can be withdrawn until it begins', async () => {
    const address = 'letter@example.com';
    const userId = await aUser(shop.db, { email: address });
    await aWallet(shop.db, { userId, tenantId: shop.tenantId, balance: 700 });
    const screen = await at(`/people/${userId}`);
    const { page } = screen;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('They hold 700 points').waitFor();
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Erase' }).click();
    const erasure = async () => (await shop.as('admin').showUser({ userId })).erasure;
    expect(await erasure()).toBe(null);
    await dialog.getByLabel('Reason').fill('Asked for in a letter.');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await seen(page).toMatch(/The erasure is scheduled\.[\s\S]*Will be erased on/);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Withdraw the erasure' }).click();
    await dialog.getByText('They are told by mail').waitFor();
    expect(await dialog.getByLabel('Reason').count()).toBe(0);
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Withdraw the erasure' }).click();
    await seen(page).toContain('The erasure is withdrawn.');
    await page.getByRole('button', { name: 'Erase' }).waitFor();
    expect(await erasure()).toBe(null);
    await page.getByRole('link', { name: 'What was done to this account' }).click();
    await seen(page).toMatch(/scheduled → withdrawn[\s\S]*Reason: Asked for in a letter\./);
  });

  it('is left as they are, once they are erased', async () => {
    const { db } = shop;
    const userId = await aUser(db, { email: 'gone@example.com' });
    const walletId = await aWallet(db, { userId, tenantId: shop.tenantId, balance: 700 });
    const { erasureId } = await shop
      .as('admin')
      .eraseUser({ userId, body: { reason: 'Asked for in a letter.' } });
    const erasure = required(await erasures.find(db, userId));
    expect(erasure.id).toBe(erasureId);
    await erasePerson(
      { db, contactProofs: testSealer.fingerprints, ingestPolicy: testPolicy },
      erasure,
    );
    const screen = await at(`/people/${userId}`, 'desktop');
    const { page } = screen;
    await seen(page).toMatch(/Erased on[\s\S]*nothing of theirs can be changed any more\./);
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Wallet at Corner Café' }).click();
    await seen(page).toMatch(/Frozen[\s\S]*nothing of theirs can be changed[\s\S]*−700/);
    expect(await page.getByRole('button', { name: /Unfreeze|balance/ }).count()).toBe(0);
    await expectSound(screen);
    expect(walletId).toBe(new URL(page.url()).pathname.split('/').at(-1));
  });

  it('cannot change the own account', async () => {
    const { page } = await at(`/people/${shop.userIds.admin}`);
    await seen(page).toContain('This is your own account.');
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
  });
});

describe('somebody for whom the office is not', inBrowser, () => {
  it('reads why, and where to ask for help', async () => {
    const screen = await open({ app: 'office', person: 'consumer' });
    const { page } = screen;
    await seen(page).toMatch(/You are signed in as a customer[\s\S]*Do you need help\?/);
    const help = page.getByRole('link', { name: 'help@shop.example' });
    expect(await help.getAttribute('href')).toBe('mailto:help@shop.example');
    await expectSound(screen);
  });
});

describe('shops', inBrowser, () => {
  it.each(['phone', 'desktop'] as const)(
    'that need attention come first, with what is wrong, on a %s',
    async (size) => {
      const createdAt = new Date();
      await shop.sell({ email, amount: 300, createdAt });
      await shop.sell({ email: 'nobody@example.com', amount: 300, createdAt });
      const tenantId = await aTenant(shop.db, { name: `Kiosk ${size}`, country: 'CH' });
      await aTenant(shop.db, { name: 'Newest Bakery' });
      await anAlphaConnection(shop.db, { tenantId, merchantId: `M_${size}` });
      await shop
        .db('pos_connections')
        .where({ tenantId })
        .update({ needsReconnectSince: daysAgo(1) });
      await aDelivery(shop.db, tenantId);
      const gone = { status: 'disabled', disabledReason: 'gone' };
      await shop.db('webhook_endpoints').where({ tenantId }).update(gone);
      const screen = await at('/shops', size);
      const { page } = screen;
      const wrong = ['Alpha, not yet', 'Has to connect again', '1 waiting', 'Switched off'];
      await seen(page).toMatch(inOrder(`Kiosk ${size}`, ...wrong, 'Newest Bakery'));
      await seen(page).toMatch(
        /Corner Café[\s\S]*with points[\s\S]*\d: no customer has its e-mail/,
      );
      await expectSound(screen);
      await page.getByRole('link', { name: `Kiosk ${size}` }).click();
      await page.waitForURL(`**/shops/${tenantId}`);
    },
  );

  it('are listed, each with its owner, its rule and its last sale', async () => {
    await shop.sell({ email, amount: 300 });
    await aTenant(shop.db, { name: 'Bakery', country: 'CH' });
    const screen = await at('/shops');
    const { page } = screen;
    await seen(page).toMatch(/Bakery[\s\S]*Switzerland[\s\S]*Corner Café[\s\S]*Alpha/);
    await page.getByLabel('Part of the name').fill('corner');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('link', { name: 'Bakery' }).count(), SOON).toBe(0);
    await seen(page).toMatch(/Corner Café[\s\S]*Alpha/);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Corner Café' }).click();
    await seen(page).toContain(PEOPLE.merchant.email);
    await seen(page).toMatch(/1 point for each €0\.01[\s\S]*Alpha, known customer/);
    await expectSound(screen);
    await page.getByRole('link', { name: PEOPLE.merchant.email }).click();
    await seen(page).toMatch(/Works at[\s\S]*Corner Café[\s\S]*Owner/);
  });

  it('say of each connection whether it works, is lost, or was disconnected', async () => {
    const tenantId = await aTenant(shop.db, { name: 'Two Tills' });
    const screen = await at(`/shops/${tenantId}`);
    const { page } = screen;
    await seen(page).toMatch(/Point of sale\s+None connected/);
    await anAlphaConnection(shop.db, { tenantId, merchantId: 'M_OF_TWO' });
    await aBetaConnection(shop.db, { tenantId, merchantId: 'B_OF_TWO' });
    const connection = (provider: 'alpha' | 'beta') =>
      shop.db('pos_connections').where({ tenantId, provider });
    await connection('alpha').update({ needsReconnectSince: daysAgo(1) });
    await connection('beta').update({ accountName: 'Second room' });
    await page.reload();
    await seen(page).toMatch(
      /Beta, account Second room\s+Connected\s+Alpha\s+Has to connect again/,
    );
    await expectSound(screen);
    await connection('alpha').update({ status: 'disconnected' });
    await page.reload();
    await seen(page).toMatch(/Beta, account Second room\s+Connected\s+Alpha\s+Disconnected/);
  });

  it('are suspended beside their owner, whose page offers it, and reinstated', async () => {
    const admin = shop.as('admin');
    const tenantId = await aTenant(shop.db, { name: 'Night Café' });
    const { owner } = await admin.showTenantDetail({ tenantId });
    await admin.suspendUser({ userId: required(owner).userId, body: {} });
    const screen = await at(`/people/${required(owner).userId}`);
    const { page } = screen;
    await seen(page).toContain('Their shop goes on meanwhile.');
    await expectSound(screen);
    await page.getByRole('link', { name: 'Night Café' }).first().click();
    await page.getByRole('button', { name: 'Suspend the shop' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The account was taken over.');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await seen(page).toMatch(/The shop is suspended\.[\s\S]*Suspended/);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Shops' }).first().click();
    await seen(page).toMatch(/Night Café\s+Suspended/);
    await page.getByRole('link', { name: 'Night Café' }).click();
    await page.getByRole('button', { name: 'Reinstate the shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
    await seen(page).toMatch(/The shop is reinstated\.[\s\S]*Active/);
    await page.getByRole('link', { name: 'What was done to this shop' }).click();
    await seen(page).toMatch(/Reinstated a shop[\s\S]*Suspended a shop/);
  });

  it('says in the dark what is not there', async () => {
    const screen = await open({
      app: 'office',
      person: 'admin',
      scheme: 'dark',
      path: '/office/nowhere',
    });
    await seen(screen.page).toContain('There is no such page.');
    await expectSound(screen);
  });
});
